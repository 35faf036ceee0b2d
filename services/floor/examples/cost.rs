//! What the parts of the audit cost: the fold and the settlement of each game, reading events and writing records.
//!
//! `cargo run --release -p catwalk-floor --example cost -- time 20` prints nanoseconds of processor time, the mean of
//! twenty runs: the system tells it in ticks, so that more runs tell more. `-- count` does each part once, for a
//! profiler that counts instructions in `measured`. `-- fold 10` folds all games ten times over. `-- made 200` prints
//! a hash of all that is made of 200 rounds of each game with faults and noise: what is made quicker makes the same
//! bytes.

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::sync::Arc;

use catwalk_events::Event;
use catwalk_events::audit::Settlement;
use catwalk_floor::{Config, Floor, GAMES, Happening};
use catwalk_rules::{AnyGame, Rulebook};
use catwalk_settler::{Output, Settler};
use catwalk_wire::Formats;
use mimalloc::MiMalloc;
use serde_json::Value;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const SEED: u64 = 42;
/// Of each game, where nothing else is asked for.
const ROUNDS: u64 = 60;

type Answer<T> = Result<T, Box<dyn Error>>;

fn main() -> Answer<()> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_default();
    let number = arguments.next().map_or(Ok(1), |number| number.parse())?;
    let rulebook = Arc::new(Rulebook::load()?);
    match what.as_str() {
        "time" => each(&rulebook, |part| time(part, number)),
        "count" => each(&rulebook, |mut part| {
            measured((part.prepare)());
            println!("{} {}", part.things, part.name);
            Ok(())
        }),
        "fold" => fold(&rulebook, number),
        "made" => made(&rulebook, number),
        _ => Err("time RUNS, count, fold TIMES or made ROUNDS".into()),
    }
}

/// Work that is prepared, to be done once.
type Ready<'a> = Box<dyn FnOnce() + 'a>;

/// A part of the audit, and how many things it does its work to.
struct Part<'a> {
    name: String,
    things: usize,
    prepare: Box<dyn FnMut() -> Ready<'a> + 'a>,
}

/// What is counted, and nothing else: callgrind knows it by its name.
#[inline(never)]
fn measured(work: Ready<'_>) {
    work();
}

fn time(mut part: Part<'_>, runs: u64) -> Answer<()> {
    let mut spent = 0;
    for _ in 0..runs {
        let work = (part.prepare)();
        let before = on_processor()?;
        measured(work);
        spent += on_processor()? - before;
    }
    let each = spent as f64 / (part.things as u64 * runs) as f64;
    println!("{each:9.0} ns {:7} {}", part.things, part.name);
    Ok(())
}

/// Nanoseconds that this thread has had of a processor.
fn on_processor() -> Answer<u64> {
    let stat = fs::read_to_string("/proc/thread-self/schedstat")?;
    let first = stat.split_whitespace().next();
    Ok(first.ok_or("an empty schedstat")?.parse()?)
}

/// All parts, one by one.
fn each(rulebook: &Arc<Rulebook>, mut see: impl FnMut(Part<'_>) -> Answer<()>) -> Answer<()> {
    let settler = Settler::new(Arc::clone(rulebook))?;
    let (mut all, mut settled) = (Vec::new(), Vec::new());
    for game in GAMES {
        let events = play(rulebook, game, ROUNDS, 0)?;
        let mut folding = settler.without_tables();
        for event in &events {
            let outputs = folding.receive(event.clone()).into_iter();
            settled.extend(outputs.filter_map(|output| match output {
                Output::Settlement(round) => Some(Settlement::from(&*round)),
                _ => None,
            }));
        }
        see(Part {
            name: format!("fold {game}"),
            things: events.len(),
            prepare: Box::new(|| {
                let (mut settler, events) = (settler.without_tables(), events.clone());
                Box::new(move || {
                    for event in events {
                        black_box(settler.receive(event));
                    }
                })
            }),
        })?;
        all.extend(events);
    }
    for game in rulebook.games() {
        let documents = documents(game)?;
        see(Part {
            name: format!("settle {}", game.name()),
            things: documents.len(),
            prepare: Box::new(|| {
                Box::new(|| {
                    for document in &documents {
                        black_box(rulebook.settle(document).is_ok());
                    }
                })
            }),
        })?;
    }
    wire(&all, &settled, see)
}

/// Reading and writing what travels.
fn wire(
    events: &[Event],
    settled: &[Settlement],
    mut see: impl FnMut(Part<'_>) -> Answer<()>,
) -> Answer<()> {
    let formats = Formats::plain()?;
    let encoded = events.iter().map(|event| formats.events.encode(event));
    let encoded: Vec<Vec<u8>> = encoded.collect::<Result<_, _>>()?;
    see(Part {
        name: "read events".to_owned(),
        things: encoded.len(),
        prepare: Box::new(|| {
            Box::new(|| {
                for bytes in &encoded {
                    black_box(formats.read_event(bytes).is_ok());
                }
            })
        }),
    })?;
    see(Part {
        name: "write settlements".to_owned(),
        things: settled.len(),
        prepare: Box::new(|| {
            Box::new(|| {
                for settlement in settled {
                    black_box(formats.settlements.encode(settlement).is_ok());
                }
            })
        }),
    })
}

/// Of a game: two tables, and so many rounds.
fn play(rulebook: &Arc<Rulebook>, game: &str, rounds: u64, per_mille: u32) -> Answer<Vec<Event>> {
    let config = Config {
        seed: SEED,
        tables: 2,
        rounds,
        games: vec![game.to_owned()],
        faults_per_mille: per_mille,
        noise_per_mille: per_mille,
        ..Config::default()
    };
    let mut events = Vec::new();
    for happening in Floor::under(Arc::clone(rulebook), config)? {
        if let Happening::Event(event) = happening? {
            events.push(*event);
        }
    }
    Ok(events)
}

/// The sample rounds of a game.
fn documents(game: &dyn AnyGame) -> Answer<Vec<String>> {
    let lines = game.examples().lines();
    let document = |line| {
        let example: Value = serde_json::from_str(line)?;
        Ok(example["document"].to_string())
    };
    lines.map(document).collect()
}

/// Folds all games again and again.
fn fold(rulebook: &Arc<Rulebook>, times: u64) -> Answer<()> {
    let settler = Settler::new(Arc::clone(rulebook))?;
    let mut events = Vec::new();
    for game in GAMES {
        events.extend(play(rulebook, game, ROUNDS, 0)?);
    }
    let mut spent = 0;
    for _ in 0..times {
        let (mut settler, events) = (settler.without_tables(), events.clone());
        let before = on_processor()?;
        for event in events {
            black_box(settler.receive(event));
        }
        spent += on_processor()? - before;
    }
    let each = spent as f64 / (events.len() as u64 * times) as f64;
    println!("{each:.0} ns an event, {} events", events.len());
    Ok(())
}

/// For each game the hash of all findings and settlements of a floor with faults and noise, as they are written.
fn made(rulebook: &Arc<Rulebook>, rounds: u64) -> Answer<()> {
    let settler = Settler::new(Arc::clone(rulebook))?;
    let formats = Formats::plain()?;
    for game in GAMES {
        let mut settler = settler.without_tables();
        let mut outputs = Vec::new();
        for (at, event) in play(rulebook, game, rounds, 200)?.into_iter().enumerate() {
            outputs.extend(settler.receive_at(event, at as u64, 256));
        }
        outputs.extend(settler.finish());
        let (mut count, mut hash) = (0, EMPTY);
        for output in outputs {
            let written = match output {
                Output::Finding(finding) => formats.findings.encode(&finding)?,
                Output::Settlement(round) => {
                    formats.settlements.encode(&Settlement::from(&*round))?
                }
                Output::Unread(unread) => {
                    format!("{} {:?}", unread.offset, unread.reason).into_bytes()
                }
            };
            count += 1;
            hash = add(hash, &written);
        }
        println!("{game} {count} {hash:016x}");
    }
    Ok(())
}

/// FNV-1a.
fn add(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;
