//! Plays an honest floor with noise in front of the desk, and counts what a room would have been called for.
//!
//! `cargo run --release -p catwalk-desk --example honest -- --rounds 1000000 --noise 50`
//!
//! `--faults 50` has a fault in 50 of 1000 rounds: then it only counts. Without faults an incident of priority 1 or 2
//! is shown, and the exit status is 1. `--tables` and `--seed` choose another floor.

use std::collections::BTreeMap;
use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

use catwalk_desk::{Change, Desk, Priorities, Priority};
use catwalk_floor::{Config, Floor, Happening};
use catwalk_rules::Rulebook;
use catwalk_settler::{Output, Settler};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let config = asked(std::env::args().skip(1))?;
    let rulebook = Arc::new(Rulebook::load()?);
    let mut settler = Settler::new(Arc::clone(&rulebook))?;
    let (mut desk, room) = (Desk::default(), Priorities::default());
    let mut tally = Tally::default();
    let is_honest = config.faults_per_mille == 0;
    for happening in Floor::under(rulebook, config)? {
        match happening? {
            Happening::Event(event) => {
                let outputs = settler.receive(*event);
                tally.hear(outputs, &mut desk, &room);
            }
            Happening::Round(_) => tally.rounds += 1,
            Happening::Garbled(_) | Happening::Fault(_) => {}
        }
    }
    tally.hear(settler.finish(), &mut desk, &room);
    tally.tell();
    match is_honest && tally.pressing > 0 {
        true => Ok(ExitCode::FAILURE),
        false => Ok(ExitCode::SUCCESS),
    }
}

#[derive(Default)]
struct Tally {
    rounds: u64,
    findings: u64,
    alerts: u64,
    /// Incidents by the most that each ever pressed.
    incidents: BTreeMap<String, Priority>,
    pressing: u64,
}

impl Tally {
    fn hear(&mut self, outputs: Vec<Output>, desk: &mut Desk, room: &Priorities) {
        for output in outputs {
            let Output::Finding(finding) = output else {
                continue;
            };
            self.findings += 1;
            let change = desk.hear(&finding, finding.at, room);
            let (Change::Opened(id) | Change::Grew(id)) = change else {
                continue;
            };
            self.alerts += u64::from(finding.resolves.is_none());
            let Some(incident) = desk.incident(&id) else {
                continue;
            };
            let before = self.incidents.insert(id, incident.priority);
            let was_pressing = before.is_some_and(|before| before <= Priority::Two);
            if incident.priority <= Priority::Two && !was_pressing {
                self.pressing += 1;
                if self.pressing <= 20 {
                    println!(
                        "priority {}: {} {:?} {}",
                        incident.priority, incident.table, incident.codes, incident.headline
                    );
                }
            }
        }
    }

    fn tell(&self) {
        let (rounds, findings, alerts) = (self.rounds, self.findings, self.alerts);
        let incidents = self.incidents.len();
        println!("{rounds} rounds, {findings} findings, {alerts} alerts, {incidents} incidents");
        for priority in Priority::ALL {
            let count = self
                .incidents
                .values()
                .filter(|own| **own == priority)
                .count();
            println!("priority {priority}: {count}");
        }
    }
}

fn asked(mut words: impl Iterator<Item = String>) -> Result<Config, Box<dyn Error>> {
    let mut config = Config {
        tables: 200,
        rounds: 10_000,
        noise_per_mille: 50,
        ..Config::default()
    };
    while let Some(word) = words.next() {
        let value = words
            .next()
            .ok_or_else(|| format!("{word} needs a value"))?;
        match &*word {
            "--rounds" => config.rounds = value.parse()?,
            "--tables" => config.tables = value.parse()?,
            "--seed" => config.seed = value.parse()?,
            "--noise" => config.noise_per_mille = value.parse()?,
            "--faults" => config.faults_per_mille = value.parse()?,
            other => return Err(format!("{other} is no option").into()),
        }
    }
    Ok(config)
}
