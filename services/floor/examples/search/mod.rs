//! Honest streams of one table with one edit of the money and another of anything, and what is heard of each.

mod edits;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::sync::Arc;

use catwalk_events::{Event, Timestamp, json};
use catwalk_floor::{Config, Floor, Happening};
use catwalk_rules::Rulebook;
use catwalk_rules::book::Severity;
use catwalk_settler::{Output, Settler};
use serde_json::{Value, json};

pub(crate) use edits::words;
use edits::{AGAIN, Change, Edit, boxed, covers, moves};

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
        };
        let heard = search.listen()?;
        match heard.is_empty() {
            true => Ok(search),
            false => Err(format!("{game}: the honest stream is accused: {heard:?}").into()),
        }
    }

    /// Hears the honest stream, and keeps what the settler knows where a round begins.
    fn listen(&mut self) -> Result<BTreeSet<String>, Box<dyn Error>> {
        let mut settler = self.settler.without_tables();
        let mut heard = BTreeSet::new();
        for (at, event) in self.honest.iter().enumerate() {
            let read = &event.read;
            if event.written["body"]["type"] == "round_opened"
                && let Some(kept) = settler.snapshot(&read.property, &read.table)?
            {
                self.before.insert(at, kept);
            }
            collect(settler.receive(self.numbered(read, at)), &mut heard);
        }
        collect(settler.finish(), &mut heard);
        Ok(heard)
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
        let stream: Vec<&Value> = self.honest.iter().map(|event| &event.written).collect();
        let moves = moves(&stream, &self.kinds_of_box);
        let tries: Vec<_> = moves
            .into_iter()
            .map(|moved| (covers(&stream, &moved.edit, words), moved))
            .collect();
        for (covers, moved) in tries {
            let alone = [&moved.edit];
            if moved.is_of_box && !self.is_heard(moved.edit.at, &alone)? {
                self.boxed += 1;
                continue;
            }
            self.attempt(moved.how, "nothing", &moved.edit, &alone)?;
            for (cover, edits) in covers {
                self.pairs += 1;
                if self.pairs.is_multiple_of(self.every) || is_chosen(&cover) {
                    let edits: Vec<&Edit> = edits.iter().collect();
                    self.attempt(moved.how, &cover, &moved.edit, &edits)?;
                }
            }
        }
        Ok(())
    }

    fn attempt(
        &mut self,
        how: &'static str,
        cover: &str,
        moved: &Edit,
        edits: &[&Edit],
    ) -> Result<(), Box<dyn Error>> {
        self.tried += 1;
        if !self.is_heard(moved.at, edits)? {
            let event = &self.honest[moved.at].written;
            let place = format!("{} {}", event["round"], event["body"]);
            let silent = self.silent.entry((how, cover.to_owned())).or_default();
            silent.push(place);
        }
        Ok(())
    }

    /// Does an edited stream raise anything of warn or above? What lies in quarantine is no finding.
    fn is_heard(&self, moved: usize, edits: &[&Edit]) -> Result<bool, Box<dyn Error>> {
        let mut settler = self.settler.without_tables();
        let kept = self.before.range(..=moved).next_back();
        let (&first, kept) = kept.ok_or("no round begins before what was moved")?;
        settler.restore(kept)?;
        let mut heard = BTreeSet::new();
        let mut seq = first as u64;
        for (at, event) in self.honest.iter().enumerate().skip(first) {
            let here = || edits.iter().filter(|edit| edit.at == at);
            let mut came = Vec::new();
            for edit in here() {
                if let Change::Before(event) = &edit.change {
                    came.extend(read(event, &mut seq));
                }
            }
            let own = here().find(|edit| !matches!(edit.change, Change::Before(_)));
            match own.map(|edit| &edit.change) {
                Some(Change::Replace(event)) => came.extend(read(event, &mut seq)),
                Some(_) => {}
                None => {
                    seq += 1;
                    came.push(self.numbered(&event.read, seq as usize - 1));
                }
            }
            for event in came {
                collect(settler.receive(event), &mut heard);
                if !heard.is_empty() {
                    return Ok(true);
                }
            }
        }
        collect(settler.finish(), &mut heard);
        Ok(!heard.is_empty())
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

fn collect(outputs: Vec<Output>, heard: &mut BTreeSet<String>) {
    for output in outputs {
        if let Output::Finding(finding) = output
            && finding.severity >= Severity::Warn
        {
            heard.insert(finding.code);
        }
    }
}
