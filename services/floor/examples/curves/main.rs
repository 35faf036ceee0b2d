//! How soon a biased wheel, loaded dice and a dealer with a friend are found, by how strong the fault is.
//!
//! `cargo run --release -p catwalk-floor --example curves -- --json curves.json`
//!
//! A line a case and strength: at how many of the tables that were tried it was told of, and the median of
//! spins, rolls or rounds, of hours and of dollars until then; the same for the strong suspicion, which is a
//! warning. A strength of 0 is a fair table. `--tables` says how many are tried (21), `--rounds` how long
//! each is played at most (20000).

mod measure;

use std::error::Error;
use std::sync::Arc;

use catwalk_rules::Rulebook;
use measure::{CASES, Case, Delay, Point};
use mimalloc::MiMalloc;
use serde::Serialize;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The share of all outcomes in which the fault shows.
const STRENGTHS: [f64; 9] = [0.0, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.4];

/// A point of a curve.
#[derive(Serialize)]
struct Line {
    fault: String,
    game: &'static str,
    strength: f64,
    tables: usize,
    unit: &'static str,
    told: Found,
    strong: Found,
}

/// At how many of the tables, and the median there.
#[derive(Serialize)]
struct Found {
    tables: usize,
    median: Option<Point>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut tables, mut rounds, mut json) = (21, 20_000, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments
            .next()
            .ok_or_else(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--tables" => tables = value.parse()?,
            "--rounds" => rounds = value.parse()?,
            "--json" => json = Some(value),
            _ => return Err(format!("{name} is none of --tables --rounds --json").into()),
        }
    }
    let rulebook = Arc::new(Rulebook::load()?);
    let mut lines = Vec::new();
    for case in CASES {
        println!(
            "\n{} at {}: tables of {tables}, median {}, hours and dollars until told | until strong",
            case.kind.name(),
            case.game,
            case.unit
        );
        for strength in STRENGTHS {
            let line = line(case, &rulebook, strength, tables, rounds)?;
            println!(
                "{strength:>6} {} | {}",
                line.told.text(),
                line.strong.text()
            );
            lines.push(line);
        }
    }
    if let Some(path) = json {
        std::fs::write(path, serde_json::to_string_pretty(&lines)?)?;
    }
    Ok(())
}

fn line(
    case: Case,
    rulebook: &Arc<Rulebook>,
    strength: f64,
    tables: u64,
    rounds: u64,
) -> Result<Line, Box<dyn Error>> {
    let delays: Result<Vec<Delay>, _> = (1..=tables)
        .map(|seed| case.play(rulebook, strength, seed, rounds))
        .collect();
    let delays = delays?;
    Ok(Line {
        fault: case.kind.name(),
        game: case.game,
        strength,
        tables: delays.len(),
        unit: case.unit,
        told: Found::of(delays.iter().map(|delay| delay.told)),
        strong: Found::of(delays.iter().map(|delay| delay.strong)),
    })
}

impl Found {
    fn of(points: impl Iterator<Item = Option<Point>>) -> Found {
        let mut points: Vec<Point> = points.flatten().collect();
        points.sort_by_key(|point| point.outcomes);
        Found {
            tables: points.len(),
            median: points.get(points.len() / 2).copied(),
        }
    }

    fn text(&self) -> String {
        let Some(point) = self.median else {
            return format!("{:>4} {:>8} {:>7} {:>8}", self.tables, "-", "-", "-");
        };
        format!(
            "{:>4} {:>8} {:>5}.{} {:>8}",
            self.tables,
            point.outcomes,
            point.minutes / 60,
            point.minutes % 60 / 6,
            point.lost_cents / 100
        )
    }
}
