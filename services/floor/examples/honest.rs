//! Deals honest rounds of every game and counts what is found in them.
//!
//! `cargo run --release -p catwalk-floor --example honest -- --rounds 1000000`
//!
//! A line a game: rounds, events, and findings by severity. An honest floor gives no warning and nothing
//! critical; if it does, the findings are shown and the exit status is 1. `--seed`, `--tables` and
//! `--games a,b` choose another floor.

use std::collections::BTreeMap;
use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

use catwalk_events::Event;
use catwalk_events::body::Body;
use catwalk_floor::{Config, Floor, GAMES, Happening};
use catwalk_rules::Rulebook;
use catwalk_rules::book::Severity;
use catwalk_settler::{Finding, Output, Settler};

/// So many findings that should not be are shown.
const SHOWN: usize = 20;
const PROGRESS_ROUNDS: u64 = 50_000;

/// What was counted of a game, or of all.
#[derive(Clone, Copy, Default)]
struct Tally {
    rounds: u64,
    events: u64,
    info: u64,
    warn: u64,
    critical: u64,
    unread: u64,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let config = config(std::env::args().skip(1))?;
    let seed = config.seed;
    let rulebook = Arc::new(Rulebook::load()?);
    let mut settler = Settler::new(Arc::clone(&rulebook))?;
    let mut counter = Counter::default();
    for happening in Floor::under(rulebook, config)? {
        if let Happening::Event(event) = happening? {
            let game = counter.see(&event);
            let outputs = settler.receive(*event);
            counter.count(&game, outputs);
        }
    }
    counter.count("", settler.finish());
    counter.print();
    let all = counter.all();
    if all.warn + all.critical + all.unread == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("an honest floor was accused: --seed {seed}");
    Ok(ExitCode::FAILURE)
}

fn config(mut arguments: impl Iterator<Item = String>) -> Result<Config, Box<dyn Error>> {
    let mut config = Config {
        tables: GAMES.len() * 2,
        rounds: 10_000,
        ..Config::default()
    };
    while let Some(name) = arguments.next() {
        let value = arguments
            .next()
            .ok_or_else(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--rounds" => config.rounds = value.replace('_', "").parse()?,
            "--seed" => config.seed = value.parse()?,
            "--tables" => config.tables = value.parse()?,
            "--games" => config.games = value.split(',').map(str::to_owned).collect(),
            _ => return Err(format!("{name} is none of --rounds --seed --tables --games").into()),
        }
    }
    Ok(config)
}

#[derive(Default)]
struct Counter {
    by_game: BTreeMap<String, Tally>,
    game_of_table: BTreeMap<String, String>,
    rounds: u64,
    shown: usize,
}

impl Counter {
    /// Counts an event. The game of its table.
    fn see(&mut self, event: &Event) -> String {
        if let Body::TableOpened(opened) = &event.body {
            self.game_of_table
                .insert(event.table.clone(), opened.game.clone());
        }
        let game = self.game_of_table.get(&event.table);
        let game = game.cloned().unwrap_or_default();
        let tally = self.by_game.entry(game.clone()).or_default();
        tally.events += 1;
        if matches!(event.body, Body::RoundClosed(_) | Body::RoundVoided(_)) {
            tally.rounds += 1;
            self.rounds += 1;
            if self.rounds.is_multiple_of(PROGRESS_ROUNDS) {
                eprintln!("{} rounds", self.rounds);
            }
        }
        game
    }

    fn count(&mut self, game: &str, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Finding(finding) => self.find(game, &finding),
                Output::Unread(unread) => {
                    self.by_game.entry(game.to_owned()).or_default().unread += 1;
                    self.show(&unread.reason);
                }
                Output::Settlement(_) => {}
            }
        }
    }

    fn find(&mut self, game: &str, finding: &Finding) {
        let tally = self.by_game.entry(game.to_owned()).or_default();
        match finding.severity {
            Severity::Info => tally.info += 1,
            Severity::Warn => tally.warn += 1,
            Severity::Critical => tally.critical += 1,
        }
        if finding.severity > Severity::Info {
            let Finding {
                code,
                message,
                table,
                evidence,
                ..
            } = finding;
            self.show(&format!("{table} {code} {evidence:?}: {message}"));
        }
    }

    fn show(&mut self, what: &str) {
        self.shown += 1;
        if self.shown <= SHOWN {
            eprintln!("{what}");
        }
    }

    fn all(&self) -> Tally {
        let mut all = Tally::default();
        for tally in self.by_game.values() {
            all.rounds += tally.rounds;
            all.events += tally.events;
            all.info += tally.info;
            all.warn += tally.warn;
            all.critical += tally.critical;
            all.unread += tally.unread;
        }
        all
    }

    fn print(&self) {
        let heads = [
            "game", "rounds", "events", "info", "warn", "critical", "unread",
        ];
        let [game, numbers @ ..] = heads;
        print!("{game:<40}");
        numbers.iter().for_each(|head| print!("{head:>11}"));
        println!();
        let all = self.all();
        let lines = self
            .by_game
            .iter()
            .map(|(game, tally)| (game.as_str(), tally));
        for (game, tally) in lines.chain([("all", &all)]) {
            print!("{game:<40}");
            let Tally {
                rounds,
                events,
                info,
                warn,
                critical,
                unread,
            } = tally;
            for number in [rounds, events, info, warn, critical, unread] {
                print!("{number:>11}");
            }
            println!();
        }
    }
}
