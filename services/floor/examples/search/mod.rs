//! Honest streams of one table with one edit of the money and another of anything, and what is heard of each.

mod alter;
mod edits;
mod late;
mod told;

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use catwalk_events::{Event, Timestamp, json};
use catwalk_floor::{Config, Floor, Happening};
use catwalk_rules::Rulebook;
use catwalk_settler::Settler;
use serde_json::{Value, json};

use alter::{Altered, alterations};
pub(crate) use edits::words;
use edits::{AGAIN, Change, Edit, Moved, boxed, covers, moves};
use told::{Meaning, Told};

/// So long after the last event of the table the floor's clock is told once more.
const GOES_ON: i64 = 2 * 60 * 60 * 1_000_000;

/// How much is tried.
pub(crate) struct Depth {
    pub(crate) rounds: u64,
    pub(crate) seed: u64,
    /// Of the pairs, every so many is tried.
    pub(crate) every: usize,
}

/// An honest event, as it is written and as it is read.
struct Honest {
    written: Value,
    read: Event,
}

pub(crate) struct Search {
    settler: Settler,
    honest: Vec<Honest>,
    /// What the settler keeps of the table when a round begins, by the place of its first event.
    before: BTreeMap<usize, Vec<u8>>,
    every: usize,
    pub(crate) tried: usize,
    pairs: usize,
    /// The kinds of bets whose stakes the house takes in before the deal.
    kinds_of_box: Vec<String>,
    /// Stakes that lie in the house's box since they were made: nothing moves where nobody tells that they are taken.
    pub(crate) boxed: usize,
    /// By what was done and how it was covered: the rounds where nobody heard of it.
    pub(crate) silent: BTreeMap<(&'static str, String), Vec<String>>,
    /// How often a wager hangs on a card that nobody saw, and nobody heard: it is counted against the dealer.
    pub(crate) open: usize,
    /// How often nobody heard of a stream that is as true as the honest one: of other bets, or with less told.
    pub(crate) true_stories: BTreeMap<(&'static str, String), usize>,
    /// What comes of the honest stream.
    told: Told,
    seed: u64,
}

impl Search {
    pub(crate) fn new(
        rulebook: &Arc<Rulebook>,
        game: &str,
        asked: &Depth,
    ) -> Result<Search, Box<dyn Error>> {
        let config = Config {
            seed: asked.seed,
            tables: 1,
            rounds: asked.rounds,
            games: vec![game.to_owned()],
            ..Config::default()
        };
        let mut honest = Vec::new();
        for happening in Floor::under(Arc::clone(rulebook), config)? {
            if let Happening::Event(event) = happening? {
                honest.push(Honest {
                    written: serde_json::from_str(&json::write(&event)?)?,
                    read: *event,
                });
            }
        }
        // The floor goes on: what is told only after some time has its time.
        if let Some(last) = honest.last() {
            let mut later = last.written.clone();
            let at = Timestamp::from_micros(last.read.at.micros() + GOES_ON);
            later["id"] = json!("later");
            later["at"] = json!(at.to_string());
            later["body"] = json!({"type": "clock"});
            if let Some(later) = later.as_object_mut() {
                later.remove("round");
            }
            let read = json::read(&later.to_string())?;
            honest.push(Honest {
                written: later,
                read,
            });
        }
        let mut search = Search {
            settler: Settler::new(Arc::clone(rulebook))?,
            honest,
            before: BTreeMap::new(),
            every: asked.every,
            tried: 0,
            pairs: 0,
            kinds_of_box: boxed(rulebook, game)?,
            boxed: 0,
            silent: BTreeMap::new(),
            open: 0,
            true_stories: BTreeMap::new(),
            told: Told::default(),
            seed: asked.seed,
        };
        search.listen()?;
        match search.told.heard.is_empty() {
            true => Ok(search),
            false => {
                let heard = &search.told.heard;
                Err(format!("{game}: the honest stream is accused: {heard:?}").into())
            }
        }
    }

    /// Hears the honest stream, and keeps what the settler knows where a round begins.
    fn listen(&mut self) -> Result<(), Box<dyn Error>> {
        let mut settler = self.settler.without_tables();
        let mut told = Told::default();
        for (at, event) in self.honest.iter().enumerate() {
            let read = &event.read;
            if event.written["body"]["type"] == "round_opened"
                && let Some(kept) = settler.snapshot(&read.property, &read.table)?
            {
                self.before.insert(at, kept);
            }
            told.note(&event.written);
            told.collect(settler.receive(self.numbered(read, at)));
        }
        told.collect(settler.finish());
        self.told = told;
        Ok(())
    }

    fn numbered(&self, event: &Event, at: usize) -> Event {
        Event {
            seq: at as u64 + 1,
            ..event.clone()
        }
    }

    /// Of all pairs as many as are asked for, and all of those whose cover `is_chosen`.
    pub(crate) fn run(
        &mut self,
        words: &[String],
        is_chosen: impl Fn(&str) -> bool,
    ) -> Result<(), Box<dyn Error>> {
        for moved in self.moves() {
            let alone: Vec<&Edit> = moved.edits().collect();
            if moved.is_of_box && !self.is_heard(&alone)? {
                self.boxed += 1;
                continue;
            }
            self.attempt(moved.how, "nothing", moved.edit.at, &alone)?;
            let stream: Vec<&Value> = self.written();
            for (cover, edits) in covers(&stream, &moved.edit, words) {
                self.pairs += 1;
                if self.pairs.is_multiple_of(self.every) || is_chosen(&cover) {
                    let edits: Vec<&Edit> = edits.iter().chain(&moved.more).collect();
                    self.attempt(moved.how, &cover, moved.edit.at, &edits)?;
                }
            }
        }
        Ok(())
    }

    fn written(&self) -> Vec<&Value> {
        self.honest.iter().map(|event| &event.written).collect()
    }

    fn moves(&self) -> Vec<Moved> {
        moves(&self.written(), &self.kinds_of_box)
    }

    /// Each event of the stream changed in each way, of which every so many is tried. What is heard of nobody must be a
    /// true story of another round.
    pub(crate) fn change(&mut self, every: usize) -> Result<(), Box<dyn Error>> {
        let all = alterations(&self.written());
        for altered in all.into_iter().skip(every / 2).step_by(every) {
            let edits: Vec<&Edit> = altered.edits.iter().collect();
            self.attempt("one event", &altered.what, altered.at, &edits)?;
        }
        Ok(())
    }

    /// Money moved, and another event changed: of this round, of another, or of none. Of each kind of both, so many.
    /// Of those every so many is tried.
    pub(crate) fn cover(&mut self, each: usize, every: usize) -> Result<(), Box<dyn Error>> {
        let (moves, all) = (self.moves(), alterations(&self.written()));
        let mut kinds: BTreeMap<_, Vec<(&Moved, &Altered)>> = BTreeMap::new();
        for moved in &moves {
            for altered in &all {
                let name = format!("{} {}", altered.what, self.place(moved, altered));
                let kind = moved.of.as_str();
                kinds
                    .entry((moved.how, kind, name))
                    .or_default()
                    .push((moved, altered));
            }
        }
        let mut turn = self.seed as usize;
        kinds.retain(|_, _| {
            turn = turn.wrapping_add(1);
            turn.is_multiple_of(every.max(1))
        });
        for ((how, kind, name), pairs) in kinds {
            let step = (pairs.len() / each.max(1)).max(1);
            turn = turn.wrapping_add(1);
            for (moved, altered) in pairs.into_iter().skip(turn % step).step_by(step) {
                let both = || moved.edits().chain(&altered.edits);
                let is_same = altered.edits.iter().any(|other| {
                    moved.edits().any(|edit| {
                        edit.at == other.at && edit.is_of_event() && other.is_of_event()
                    })
                });
                let is_boxed =
                    moved.is_of_box && !self.is_heard(&moved.edits().collect::<Vec<_>>())?;
                if !is_same && !is_boxed {
                    let cover = format!("{name} ({kind})");
                    self.attempt(how, &cover, moved.edit.at, &both().collect::<Vec<_>>())?;
                }
            }
        }
        Ok(())
    }

    /// Where the second edit is, seen from the first.
    fn place(&self, moved: &Moved, altered: &Altered) -> &'static str {
        let round = |at: usize| &self.honest[at].written["round"];
        match (round(moved.edit.at), round(altered.at)) {
            (_, Value::Null) => "of the table",
            (one, other) if one == other => "of its round",
            _ if altered.at < moved.edit.at => "of an earlier round",
            _ => "of a later round",
        }
    }

    fn attempt(
        &mut self,
        how: &'static str,
        cover: &str,
        moved: usize,
        edits: &[&Edit],
    ) -> Result<(), Box<dyn Error>> {
        self.tried += 1;
        let told = self.hear(edits)?;
        if !told.heard.is_empty() {
            return Ok(());
        }
        match told.meaning(&self.told) {
            Meaning::Silent(why) => {
                let event = &self.honest[moved].written;
                let place = format!("{} {}: {why}", event["round"], event["body"]);
                let silent = self.silent.entry((how, cover.to_owned())).or_default();
                silent.push(place);
            }
            Meaning::Open => self.open += 1,
            Meaning::True => {
                *self
                    .true_stories
                    .entry((how, cover.to_owned()))
                    .or_default() += 1
            }
        }
        Ok(())
    }

    fn is_heard(&self, edits: &[&Edit]) -> Result<bool, Box<dyn Error>> {
        Ok(!self.hear(edits)?.heard.is_empty())
    }

    /// What an edited stream raises, until something of warn or above is heard, and how its rounds were judged.
    fn hear(&self, edits: &[&Edit]) -> Result<Told, Box<dyn Error>> {
        let mut settler = self.settler.without_tables();
        let place = edits.iter().map(|edit| edit.at).min().unwrap_or_default();
        // What comes before a round begins is heard with the round before it.
        let kept = self.before.range(..place).next_back();
        let first = match kept {
            Some((&first, kept)) => {
                settler.restore(kept)?;
                first
            }
            None => 0,
        };
        let mut seq = first as u64;
        let mut told = Told {
            from: seq,
            ..Told::default()
        };
        for (at, event) in self.honest.iter().enumerate().skip(first) {
            let here = || edits.iter().filter(|edit| edit.at == at);
            let mut came = Vec::new();
            for edit in here() {
                if let Change::Before(event) = &edit.change {
                    told.note(event);
                    came.extend(read(event, &mut seq));
                }
            }
            let own = here().find(|edit| edit.is_of_event());
            match own.map(|edit| &edit.change) {
                Some(Change::Replace(event)) => {
                    told.note(event);
                    came.extend(read(event, &mut seq));
                }
                Some(_) => {}
                None => {
                    seq += 1;
                    told.note(&event.written);
                    came.push(self.numbered(&event.read, seq as usize - 1));
                }
            }
            for event in came {
                told.collect(settler.receive(event));
                if !told.heard.is_empty() {
                    return Ok(told);
                }
            }
        }
        told.collect(settler.finish());
        Ok(told)
    }

    /// What nobody heard of, a line each, with some of the places.
    pub(crate) fn told(&self, examples: usize) -> Vec<String> {
        let mut lines = Vec::new();
        for ((how, cover), places) in &self.silent {
            lines.push(format!("  {how}, covered by {cover}: {}", places.len()));
            let shown = places.iter().take(examples);
            lines.extend(shown.map(|place| format!("    {place}")));
        }
        lines
    }
}

/// The next event of a stream; `None` for one that cannot be read, which lies in quarantine and has had its number.
fn read(written: &Value, seq: &mut u64) -> Option<Event> {
    let mut event = written.clone();
    if event["seq"] != AGAIN {
        *seq += 1;
    }
    event["seq"] = json!(*seq);
    json::read(&event.to_string()).ok()
}
