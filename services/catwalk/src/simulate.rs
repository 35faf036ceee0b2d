//! `catwalk simulate`: a casino floor as a feed of events.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use catwalk_events::json;
use catwalk_floor::{Config, Floor, FloorError, Happening};

use crate::{Verdict, bad_usage};

/// Simulate a casino floor: events as JSON lines, the same for the same seed.
///
/// Tables open, players buy in and bet, rounds are dealt from shuffled shoes and paid by the rules.
/// With a fault rate, some rounds are dealt or paid wrongly on purpose, or their events are lost on the
/// way; each fault is written to the labels file.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  catwalk simulate --rounds 1000 | catwalk audit\n  \
    catwalk simulate --seed 7 --tables 20 --fault-rate 0.01 --labels faults.jsonl > floor.jsonl"
)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) floor: FloorArgs,

    /// Write what was done wrong here, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,
}

/// What to simulate.
#[derive(Clone, clap::Args)]
pub(crate) struct FloorArgs {
    /// The same seed gives the same events, to the byte.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// Tables on the floor.
    #[arg(long, default_value_t = 6)]
    tables: usize,

    /// Rounds in all.
    #[arg(long, default_value_t = 1_000)]
    pub(crate) rounds: u64,

    /// Games to play, separated by commas; all that the floor knows if left out.
    #[arg(long, value_delimiter = ',')]
    games: Vec<String>,

    /// Share of the rounds in which something is done wrong, from 0 to 1.
    #[arg(long, default_value = "0", value_parser = per_mille)]
    pub(crate) fault_rate: u32,
}

/// A share such as `0.05` as whole thousandths.
fn per_mille(text: &str) -> Result<u32, String> {
    let share: f64 = text
        .parse()
        .map_err(|_| "a share from 0 to 1, such as 0.05".to_owned())?;
    if !(0.0..=1.0).contains(&share) {
        return Err("a share from 0 to 1, such as 0.05".to_owned());
    }
    Ok((share * 1000.0).round() as u32)
}

impl FloorArgs {
    pub(crate) fn open(&self) -> anyhow::Result<Floor> {
        let config = Config {
            seed: self.seed,
            tables: self.tables,
            rounds: self.rounds,
            games: self.games.clone(),
            faults_per_mille: self.fault_rate,
            ..Config::default()
        };
        match Floor::open(config) {
            Err(error @ (FloorError::UnknownGame { .. } | FloorError::NoTables)) => {
                bad_usage(&error.to_string())
            }
            other => Ok(other?),
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut labels = match &args.labels {
        Some(path) => {
            let file = File::create(path).with_context(|| path.display().to_string())?;
            Some(BufWriter::new(file))
        }
        None => None,
    };
    for happening in args.floor.open()? {
        match happening? {
            Happening::Event(event) => writeln!(out, "{}", json::write(&event)?)?,
            Happening::Fault(label) => {
                if let Some(labels) = &mut labels {
                    serde_json::to_writer(&mut *labels, &label)?;
                    labels.write_all(b"\n")?;
                }
            }
            Happening::Round(_) => {}
        }
    }
    out.flush()?;
    if let Some(mut labels) = labels {
        labels.flush()?;
    }
    Ok(Verdict::Fine)
}
