//! Honest streams of one table with one edit of the money and another of anything, and what is heard of each.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::sync::Arc;

use catwalk_events::json;
use catwalk_floor::{Config, Floor, Happening};
use catwalk_rules::Rulebook;
use catwalk_rules::book::Severity;
use catwalk_settler::{Output, Settler};
use serde_json::{Value, json};

const SAMPLES: &str = include_str!("../../../../schemas/samples.jsonl");
/// What is moved against the rules, in cents.
const MOVED: i64 = 50_000;
/// In the place of a number: this event has the number of the one before it.
const AGAIN: &str = "again";

/// How much is tried.
pub(crate) struct Depth {
    pub(crate) rounds: u64,
    pub(crate) seed: u64,
    /// Of the pairs, every so many is tried.
    pub(crate) every: usize,
}

/// Every word for an irregularity that any game's sample rounds have.
pub(crate) fn words(rulebook: &Rulebook) -> Vec<String> {
    let mut words: BTreeSet<String> = ["dispute", "round void", "misdeal", "card_exposed"]
        .into_iter()
        .map(str::to_owned)
        .collect();
    let examples = rulebook.games().flat_map(|game| game.examples().lines());
    for example in examples.filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let play = &example["document"]["play"];
        let listed = play["irregularities"].as_array().into_iter().flatten();
        for one in listed.chain([&play["irregularity"], &play["void"]]) {
            let word = [one, &one["code"], &one["kind"]].map(Value::as_str);
            words.extend(word.into_iter().flatten().map(str::to_owned));
        }
    }
    words.into_iter().collect()
}

/// A stream of one table, as JSON.
type Stream = Vec<Value>;

/// A stream with money moved, and where.
struct Moved {
    how: &'static str,
    stream: Stream,
    /// Of the event that moves it.
    at: usize,
}

pub(crate) struct Search {
    rulebook: Arc<Rulebook>,
    honest: Stream,
    every: usize,
    pub(crate) tried: usize,
    pairs: usize,
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
                honest.push(serde_json::from_str(&json::write(&event)?)?);
            }
        }
        let search = Search {
            rulebook: Arc::clone(rulebook),
            honest,
            every: asked.every,
            tried: 0,
            pairs: 0,
            silent: BTreeMap::new(),
        };
        let heard = search.heard(&search.honest)?;
        match heard.is_empty() {
            true => Ok(search),
            false => Err(format!("{game}: the honest stream is accused: {heard:?}").into()),
        }
    }

    pub(crate) fn run(&mut self, words: &[String]) -> Result<(), Box<dyn Error>> {
        for moved in self.moves() {
            self.attempt(moved.how, "nothing", &moved.stream, &moved)?;
            for (cover, stream) in covers(&moved, words) {
                self.pairs += 1;
                if self.pairs.is_multiple_of(self.every) {
                    self.attempt(moved.how, &cover, &stream, &moved)?;
                }
            }
        }
        Ok(())
    }

    fn attempt(
        &mut self,
        how: &'static str,
        cover: &str,
        stream: &Stream,
        moved: &Moved,
    ) -> Result<(), Box<dyn Error>> {
        self.tried += 1;
        if self.heard(stream)?.is_empty() {
            let event = &moved.stream[moved.at];
            let place = format!("{} {}", event["round"], event["body"]);
            let silent = self.silent.entry((how, cover.to_owned())).or_default();
            silent.push(place);
        }
        Ok(())
    }

    /// The codes of warn or above that a stream raises.
    fn heard(&self, stream: &Stream) -> Result<BTreeSet<String>, Box<dyn Error>> {
        let mut settler = Settler::new(Arc::clone(&self.rulebook))?;
        let mut heard = BTreeSet::new();
        let mut seq = 0;
        for event in stream {
            let mut event = event.clone();
            if event["seq"] != AGAIN {
                seq += 1;
            }
            event["seq"] = json!(seq);
            // What cannot be read lies in quarantine, and that is no finding.
            let Ok(event) = json::read(&event.to_string()) else {
                continue;
            };
            collect(settler.receive(event), &mut heard);
        }
        collect(settler.finish(), &mut heard);
        Ok(heard)
    }

    /// Money against the rules, in every round but the first and the last.
    fn moves(&self) -> Vec<Moved> {
        let rounds: Vec<&Value> = rounds(&self.honest);
        let inner = rounds.get(1..rounds.len().saturating_sub(1));
        let inner = inner.unwrap_or_default();
        let mut moves = Vec::new();
        for (at, event) in self.honest.iter().enumerate() {
            if !inner.contains(&&event["round"]) {
                continue;
            }
            let mut add = |how, body: Value| {
                let mut stream = self.honest.clone();
                stream[at]["body"] = body;
                moves.push(Moved { how, stream, at });
            };
            let body = &event["body"];
            let wager = &body["wager"];
            match body["type"].as_str().unwrap_or_default() {
                "wager_paid" => {
                    let mut more = body.clone();
                    more["amount"] = json!(body["amount"].as_i64().unwrap_or_default() + MOVED);
                    add("a win is paid too high", more);
                    add(
                        "a winner is taken",
                        json!({"type": "wager_collected", "wager": wager}),
                    );
                }
                "wager_collected" => {
                    add(
                        "a loser is paid",
                        json!({"type": "wager_paid", "wager": wager, "amount": MOVED}),
                    );
                    add(
                        "a loser gets the stake back",
                        json!({"type": "wager_pushed", "wager": wager}),
                    );
                }
                "rake_taken" => {
                    let mut more = body.clone();
                    more["amount"] = json!(body["amount"].as_i64().unwrap_or_default() + MOVED);
                    add("too much rake is taken", more);
                }
                "pot_awarded" => {
                    let mut less = body.clone();
                    less["amount"] = json!(body["amount"].as_i64().unwrap_or_default() / 2);
                    add("half a pot is kept", less);
                }
                _ => {}
            }
        }
        moves
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

fn collect(outputs: Vec<Output>, heard: &mut BTreeSet<String>) {
    for output in outputs {
        if let Output::Finding(finding) = output
            && finding.severity >= Severity::Warn
        {
            heard.insert(finding.code);
        }
    }
}

/// The rounds of a stream in their order.
fn rounds(stream: &Stream) -> Vec<&Value> {
    let mut rounds: Vec<&Value> = Vec::new();
    for round in stream.iter().map(|event| &event["round"]) {
        if round.is_string() && !rounds.contains(&round) {
            rounds.push(round);
        }
    }
    rounds
}

/// Every second edit: what it is called, and the stream with it.
fn covers(moved: &Moved, words: &[String]) -> Vec<(String, Stream)> {
    let event = &moved.stream[moved.at];
    let of_round = |other: &Value| other["round"] == event["round"];
    let last = moved.stream.iter().rposition(of_round).unwrap_or(moved.at);
    let places = [
        ("before it", moved.at),
        ("after it", moved.at + 1),
        ("before the round's end", last),
        ("after the round's end", last + 1),
    ];
    let mut covers = Vec::new();
    let mut put_in = |what: &str, body: &Value, round: bool| {
        for (place, at) in places {
            let at = at.max(1);
            let mut stream = moved.stream.clone();
            let mut new = stream[at - 1].clone();
            new["id"] = json!(format!("{}-more", new["id"].as_str().unwrap_or_default()));
            new["body"] = body.clone();
            if let Some(new) = new.as_object_mut() {
                new.remove("round");
            }
            if round {
                new["round"] = event["round"].clone();
            }
            stream.insert(at, new);
            covers.push((format!("{what} {place}"), stream));
        }
    };
    for sample in SAMPLES.lines() {
        let Ok(sample) = serde_json::from_str::<Value>(sample) else {
            continue;
        };
        let mut body = sample["body"].clone();
        for key in ["wager", "seat"] {
            if body.get(key).is_some() && event["body"].get(key).is_some() {
                body[key] = event["body"][key].clone();
            }
        }
        let name = body["type"].as_str().unwrap_or_default().to_owned();
        put_in(&name, &body, sample["round"].is_string());
    }
    for word in words {
        let body = json!({"type": "irregularity", "kind": word});
        put_in(&format!("the irregularity {word:?}"), &body, true);
    }
    for (at, other) in moved.stream.iter().enumerate() {
        if !of_round(other) || at == moved.at {
            continue;
        }
        let name = other["body"]["type"].as_str().unwrap_or_default();
        let mut stream = moved.stream.clone();
        stream.remove(at);
        covers.push((format!("no {name}"), stream));
        if other["body"]["card"].is_string() {
            let mut stream = moved.stream.clone();
            if let Some(body) = stream[at]["body"].as_object_mut() {
                body.remove("card");
            }
            covers.push((format!("{name} unseen"), stream));
        }
    }
    covers.extend(disguises(moved));
    covers
}

/// The same payment under another name, or under a number that was sent before.
fn disguises(moved: &Moved) -> Vec<(String, Stream)> {
    let mut covers = Vec::new();
    for (key, name) in [("property", "ebh2"), ("table", "XX-99")] {
        let mut stream = moved.stream.clone();
        stream[moved.at][key] = json!(name);
        covers.push((format!("the {key} {name}"), stream));
    }
    let mut stream = moved.stream.clone();
    let mut again = stream[moved.at].clone();
    again["seq"] = json!(AGAIN);
    stream.insert(moved.at + 1, again);
    covers.push(("sending it twice".to_owned(), stream));
    covers
}
