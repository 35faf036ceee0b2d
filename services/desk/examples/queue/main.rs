//! Plays an honest floor with noise in front of the desk, and counts what a room would have been called for.
//!
//! `cargo run --release -p catwalk-desk --example queue -- --rounds 1000000 --noise 50`
//!
//! `--faults 50` has a fault in 50 of 1000 rounds: then it only counts. Without faults an incident of priority 1 or 2
//! is shown, and the exit status is 1. `--tables` and `--seed` choose another floor, `--days 1` plays so long, and
//! `--plot FILE` draws what a room would have had to touch, by priority and hour.

mod plot;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

use catwalk_desk::{Change, Desk, Priorities, Priority};
use catwalk_floor::{Config, Floor, Happening};
use catwalk_rules::Rulebook;
use catwalk_settler::{Output, Settler};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let Asked { config, plot } = asked(std::env::args().skip(1))?;
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
    if let Some(file) = plot {
        std::fs::write(file, plot::draw(&tally.hours()))?;
    }
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
    /// Incidents by the most that each ever pressed, and the hour in which it came.
    incidents: BTreeMap<String, (Priority, i64)>,
    /// Those that were put right before anybody had to look.
    by_themselves: BTreeSet<String>,
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
            let id = match change {
                Change::Opened(id) | Change::Grew(id) => id,
                Change::Resolved(id) => {
                    self.by_themselves.insert(id);
                    continue;
                }
                Change::Acted(_) | Change::Nothing => continue,
            };
            self.by_themselves.remove(&id);
            self.alerts += u64::from(finding.resolves.is_none());
            let Some(incident) = desk.incident(&id) else {
                continue;
            };
            let hour = incident.began.micros().div_euclid(3_600_000_000);
            let before = self.incidents.insert(id, (incident.priority, hour));
            let was_pressing = before.is_some_and(|(before, _)| before <= Priority::Two);
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

    /// What had to be touched, by hour and priority.
    fn hours(&self) -> BTreeMap<i64, [u64; 4]> {
        let touched = self.incidents.iter();
        let touched = touched.filter(|(id, _)| !self.by_themselves.contains(*id));
        let mut hours: BTreeMap<i64, [u64; 4]> = BTreeMap::new();
        for (_, (priority, hour)) in touched {
            hours.entry(*hour).or_default()[*priority as usize - 1] += 1;
        }
        hours
    }

    fn tell(&self) {
        let (rounds, findings, alerts) = (self.rounds, self.findings, self.alerts);
        let (incidents, closed) = (self.incidents.len(), self.by_themselves.len());
        println!("{rounds} rounds, {findings} findings, {alerts} alerts, {incidents} incidents");
        println!("{closed} incidents closed by themselves");
        let hours = self.hours();
        for priority in Priority::ALL {
            let own = |counts: &[u64; 4]| counts[priority as usize - 1];
            let count: u64 = hours.values().map(own).sum();
            let most = hours.values().map(own).max().unwrap_or(0);
            println!("priority {priority}: {count}, at most {most} an hour");
        }
        let pressing = |counts: &[u64; 4]| counts[0] + counts[1];
        let most = hours.values().map(pressing).max().unwrap_or(0);
        let all: u64 = hours.values().map(pressing).sum();
        let mean = all as f64 / hours.len().max(1) as f64;
        println!(
            "priority 1 and 2: {mean:.1} an hour over {} hours, at most {most}",
            hours.len()
        );
        for (hour, counts) in &hours {
            let [one, two, three, four] = counts;
            println!(
                "hour {:02}: {one} {two} {three} {four}",
                hour.rem_euclid(24)
            );
        }
    }
}

struct Asked {
    config: Config,
    plot: Option<String>,
}

fn asked(mut words: impl Iterator<Item = String>) -> Result<Asked, Box<dyn Error>> {
    let mut plot = None;
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
            "--days" => (config.days, config.rounds) = (Some(value.parse()?), u64::MAX),
            "--plot" => plot = Some(value),
            "--seed" => config.seed = value.parse()?,
            "--noise" => config.noise_per_mille = value.parse()?,
            "--faults" => config.faults_per_mille = value.parse()?,
            other => return Err(format!("{other} is no option").into()),
        }
    }
    Ok(Asked { config, plot })
}
