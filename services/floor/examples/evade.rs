//! Looks for ways to hide a mispay: takes honest streams of events, moves money against the rules with one edit,
//! covers it with another, and lists what nobody hears of.
//!
//! `cargo run --release -p catwalk-floor --example evade`
//! `cargo run --release -p catwalk-floor --example evade -- --games craps,poker --rounds 12 --seed 7`
//!
//! The first edit is of the money: a win that is paid too high, a loser that is paid or given back, a winner that
//! is taken. The second is of anything: an event of every type put in at every kind of place, an irregularity
//! in every word that any game knows, an event left out, a card that nobody saw, a payment under another name or
//! under a number that was sent before. A pair is silent when it raises nothing of warn or above. The exit status
//! is 1 if a pair is.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

use catwalk_events::json;
use catwalk_floor::{Config, Floor, GAMES, Happening};
use catwalk_rules::Rulebook;
use catwalk_rules::book::Severity;
use catwalk_settler::{Output, Settler};
use mimalloc::MiMalloc;
use serde_json::{Value, json};

/// As the program has it.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const SAMPLES: &str = include_str!("../../../schemas/samples.jsonl");
/// What is moved against the rules, in cents.
const MOVED: i64 = 50_000;
/// In the place of a number: this event has the number of the one before it.
const AGAIN: &str = "again";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let asked = Asked::read(std::env::args().skip(1))?;
    let rulebook = Arc::new(Rulebook::load()?);
    let words = words(&rulebook);
    let mut silent = 0;
    for game in &asked.games {
        let mut search = Search::new(&rulebook, game, &asked)?;
        search.run(&words)?;
        search.print(asked.examples);
        silent += search.silent.values().map(Vec::len).sum::<usize>();
    }
    println!("{silent} pairs are silent");
    Ok(ExitCode::from(u8::from(silent > 0)))
}

struct Asked {
    games: Vec<String>,
    rounds: u64,
    seed: u64,
    /// Of the pairs, every so many is tried.
    every: usize,
    /// So many of each kind are shown.
    examples: usize,
}

impl Asked {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Asked, Box<dyn Error>> {
        let mut asked = Asked {
            games: GAMES.iter().map(|&game| game.to_owned()).collect(),
            rounds: 8,
            seed: 1,
            every: 1,
            examples: 1,
        };
        while let Some(name) = arguments.next() {
            let value = arguments.next();
            let value = value.ok_or_else(|| format!("{name} needs a value"))?;
            match name.as_str() {
                "--games" => asked.games = value.split(',').map(str::to_owned).collect(),
                "--rounds" => asked.rounds = value.parse()?,
                "--seed" => asked.seed = value.parse()?,
                "--every" => asked.every = value.parse()?,
                "--examples" => asked.examples = value.parse()?,
                _ => return Err(format!("{name} is not an option of this example").into()),
            }
        }
        Ok(asked)
    }
}

/// Every word for an irregularity that any game's sample rounds have.
fn words(rulebook: &Rulebook) -> Vec<String> {
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

struct Search {
    rulebook: Arc<Rulebook>,
    game: String,
    honest: Stream,
    every: usize,
    tried: usize,
    pairs: usize,
    /// By what was done and how it was covered: the rounds where nobody heard of it.
    silent: BTreeMap<(&'static str, String), Vec<String>>,
}

impl Search {
    fn new(rulebook: &Arc<Rulebook>, game: &str, asked: &Asked) -> Result<Search, Box<dyn Error>> {
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
            game: game.to_owned(),
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

    fn run(&mut self, words: &[String]) -> Result<(), Box<dyn Error>> {
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

    fn print(&self, examples: usize) {
        let silent: usize = self.silent.values().map(Vec::len).sum();
        println!("{}: {} tried, {silent} silent", self.game, self.tried);
        for ((how, cover), places) in &self.silent {
            println!("  {how}, covered by {cover}: {}", places.len());
            for place in places.iter().take(examples) {
                println!("    {place}");
            }
        }
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
