//! `catwalk simulate`: a casino floor as a feed of events.

use std::fs::File;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use catwalk_events::{Event, json};
use catwalk_floor::{Config, Floor, FloorError, Happening, garble};
use catwalk_log::{Log, Message, Producer, Topic};
use catwalk_wire::Formats;
use indicatif::{ProgressBar, ProgressStyle};

use crate::gateway::{Gateway, GatewayArgs, MAX_LOT_BYTES};
use crate::log::{LogArgs, LogChoice};
use crate::{Verdict, bad_usage};

/// Simulate a casino floor: events as JSON lines, into a log, or to a service; the same for the same seed.
///
/// Tables open, players buy in and bet, rounds are dealt from shuffled shoes and paid by the rules.
/// With a fault rate, some rounds are dealt or paid wrongly on purpose, or their events are lost on the
/// way; each fault is written to the labels file.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  catwalk simulate --rounds 1000 | catwalk audit\n  \
    catwalk simulate --seed 7 --tables 20 --fault-rate 0.01 --labels faults.jsonl > floor.jsonl\n  \
    catwalk simulate --scenario deploy/scenario.toml --labels faults.jsonl > floor.jsonl\n  \
    catwalk simulate --tables 150 --days 30 --log embedded:month/log\n  \
    catwalk simulate --rounds 100000 --log embedded:data/log\n  \
    catwalk simulate --log kafka://localhost:9092\n  \
    catwalk simulate --url http://127.0.0.1:9490 --token-file floor.token --pace 10"
)]
pub(crate) struct Args {
    #[command(flatten)]
    floor: FloorArgs,

    /// Rounds in all.
    #[arg(long, default_value_t = 1_000)]
    rounds: u64,

    /// Gaming days to play, instead of a number of rounds: tables open and close, dealers take turns.
    #[arg(long, conflicts_with = "rounds", value_parser = clap::value_parser!(u32).range(1..))]
    days: Option<u32>,

    /// Share of the rounds in which something is done wrong, from 0 to 1.
    #[arg(long, default_value = "0", value_parser = per_mille)]
    fault_rate: u32,

    /// Share of the rounds with honest noise, from 0 to 1: misread chips and payments that are put right,
    /// disputes, hands that are called off, devices that send again or late.
    #[arg(long, default_value = "0", value_parser = per_mille)]
    noise_rate: u32,

    /// Simulate what this file says; the options above are then left out.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["seed", "tables", "games", "rounds", "days", "fault_rate", "noise_rate"]
    )]
    scenario: Option<PathBuf>,

    /// Write what was done wrong here, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,

    /// Rounds a second on the whole floor; as fast as the machine can if left out.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pace: Option<u32>,

    #[command(flatten)]
    log: LogArgs,

    #[command(flatten)]
    gateway: GatewayArgs,
}

/// What to simulate.
#[derive(Clone, clap::Args)]
pub(crate) struct FloorArgs {
    /// The same seed gives the same events, to the byte.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Tables on the floor.
    #[arg(long, default_value_t = 6)]
    pub(crate) tables: usize,

    /// Games to play, separated by commas; all that the floor knows if left out.
    #[arg(long, value_delimiter = ',')]
    games: Vec<String>,
}

/// A share such as `0.05` as whole thousandths.
pub(crate) fn per_mille(text: &str) -> Result<u32, String> {
    let share: f64 = text
        .parse()
        .map_err(|_| "a share from 0 to 1, such as 0.05".to_owned())?;
    if !(0.0..=1.0).contains(&share) {
        return Err("a share from 0 to 1, such as 0.05".to_owned());
    }
    Ok((share * 1000.0).round() as u32)
}

impl FloorArgs {
    #[cfg(feature = "services")]
    pub(crate) fn open(&self, rounds: u64, faults_per_mille: u32) -> anyhow::Result<Floor> {
        open(Config {
            rounds,
            faults_per_mille,
            ..self.config()
        })
    }

    fn config(&self) -> Config {
        Config {
            seed: self.seed,
            tables: self.tables,
            games: self.games.clone(),
            ..Config::default()
        }
    }
}

fn open(config: Config) -> anyhow::Result<Floor> {
    match Floor::open(config) {
        Err(
            error @ (FloorError::UnknownGame { .. }
            | FloorError::UnknownTable { .. }
            | FloorError::NoTables),
        ) => bad_usage(&error.to_string()),
        other => Ok(other?),
    }
}

impl Args {
    fn config(&self) -> anyhow::Result<Config> {
        let Some(path) = &self.scenario else {
            return Ok(Config {
                rounds: self.days.map_or(self.rounds, |_| u64::MAX),
                days: self.days,
                faults_per_mille: self.fault_rate,
                noise_per_mille: self.noise_rate,
                ..self.floor.config()
            });
        };
        let named = || path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(named)?;
        Config::from_scenario(&text).with_context(named)
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let config = args.config()?;
    let rounds = config.days.is_none().then_some(config.rounds);
    let floor = open(config)?;
    let mut feed = match (args.log.choice(), args.gateway.choice()?) {
        (None, None) => Feed::Lines(BufWriter::with_capacity(1 << 16, io::stdout().lock())),
        (Some(choice), None) => Feed::Log(Box::new(LogFeed::open(&choice, rounds)?)),
        (None, Some(gateway)) => Feed::Gateway(Box::new(GatewayFeed::new(gateway, rounds))),
        (Some(_), Some(_)) => bad_usage("say --log or --url, not both"),
    };
    let mut clock = args.pace.map(|pace| Pace {
        start: Instant::now(),
        rounds: 0,
        pace,
    });
    let mut labels = match &args.labels {
        Some(path) => {
            let file = File::create(path).with_context(|| path.display().to_string())?;
            Some(BufWriter::new(file))
        }
        None => None,
    };
    for happening in floor {
        match happening? {
            Happening::Event(event) => feed.send(&event)?,
            Happening::Garbled(event) => feed.send_garbled(&event)?,
            Happening::Fault(label) => {
                if let Some(labels) = &mut labels {
                    serde_json::to_writer(&mut *labels, &label)?;
                    labels.write_all(b"\n")?;
                }
            }
            Happening::Round(_) => {
                feed.count_round();
                if let Some(clock) = &mut clock {
                    feed.hand_over()?;
                    clock.rest();
                }
            }
        }
    }
    feed.end()?;
    if let Some(mut labels) = labels {
        labels.flush()?;
    }
    Ok(Verdict::Fine)
}

/// How fast the floor plays.
struct Pace {
    start: Instant,
    rounds: u32,
    pace: u32,
}

impl Pace {
    /// Waits until the next round is due.
    fn rest(&mut self) {
        self.rounds += 1;
        let due = Duration::from_secs(1) * self.rounds / self.pace;
        thread::sleep(due.saturating_sub(self.start.elapsed()));
    }
}

/// Where the events go.
enum Feed<'a> {
    Lines(BufWriter<StdoutLock<'a>>),
    Log(Box<LogFeed>),
    Gateway(Box<GatewayFeed>),
}

impl Feed<'_> {
    fn send(&mut self, event: &Event) -> anyhow::Result<()> {
        match self {
            Feed::Lines(out) => Ok(writeln!(out, "{}", json::write(event)?)?),
            Feed::Log(log) => log.send(event),
            Feed::Gateway(gateway) => gateway.put(json::write(event)?.as_bytes()),
        }
    }

    /// Sends what arrives of an event that was damaged on its way.
    fn send_garbled(&mut self, event: &Event) -> anyhow::Result<()> {
        match self {
            Feed::Lines(out) => {
                out.write_all(&garble(json::write(event)?.as_bytes()))?;
                Ok(out.write_all(b"\n")?)
            }
            Feed::Log(log) => {
                let value = garble(&log.formats.events.encode(event)?);
                log.put(event, value)
            }
            Feed::Gateway(gateway) => gateway.put(&garble(json::write(event)?.as_bytes())),
        }
    }

    fn count_round(&self) {
        match self {
            Feed::Lines(_) => {}
            Feed::Log(log) => log.bar.inc(1),
            Feed::Gateway(gateway) => gateway.bar.inc(1),
        }
    }

    fn hand_over(&mut self) -> anyhow::Result<()> {
        match self {
            Feed::Lines(out) => Ok(out.flush()?),
            Feed::Log(log) => log.hand_over(),
            Feed::Gateway(gateway) => gateway.hand_over(),
        }
    }

    fn end(self) -> anyhow::Result<()> {
        match self {
            Feed::Lines(mut out) => Ok(out.flush()?),
            Feed::Log(log) => log.end(),
            Feed::Gateway(gateway) => (*gateway).end(),
        }
    }
}

/// Events are handed to the log in lots of so many.
const LOT: usize = 1_000;

fn progress(rounds: Option<u64>) -> ProgressBar {
    let (bar, style) = match rounds {
        Some(rounds) => (
            ProgressBar::new(rounds),
            "{bar:30} {pos} of {len} rounds, {per_sec}, {eta} left",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{spinner} {pos} rounds, {per_sec}",
        ),
    };
    let style =
        ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style)
}

/// Events to a running service.
struct GatewayFeed {
    gateway: Gateway,
    lines: Vec<u8>,
    waiting: usize,
    sent: u64,
    there: u64,
    refused: u64,
    bar: ProgressBar,
}

impl GatewayFeed {
    fn new(gateway: Gateway, rounds: Option<u64>) -> GatewayFeed {
        GatewayFeed {
            gateway,
            lines: Vec::new(),
            waiting: 0,
            sent: 0,
            there: 0,
            refused: 0,
            bar: progress(rounds),
        }
    }

    fn put(&mut self, line: &[u8]) -> anyhow::Result<()> {
        if self.waiting >= LOT || self.lines.len() + line.len() >= MAX_LOT_BYTES {
            self.hand_over()?;
        }
        self.lines.extend_from_slice(line);
        self.lines.push(b'\n');
        self.waiting += 1;
        Ok(())
    }

    fn hand_over(&mut self) -> anyhow::Result<()> {
        if self.waiting == 0 {
            return Ok(());
        }
        let taken = self.gateway.send(&self.lines)?;
        self.sent += taken.taken;
        self.there += taken.there;
        self.refused += taken.refused.len() as u64;
        (self.waiting, self.lines) = (0, Vec::new());
        Ok(())
    }

    fn end(mut self) -> anyhow::Result<()> {
        self.hand_over()?;
        self.bar.finish_and_clear();
        eprintln!(
            "{} events of {} rounds sent to {}; {} were there already, {} were refused, such as damaged ones",
            self.sent,
            self.bar.position(),
            self.gateway.url(),
            self.there,
            self.refused
        );
        Ok(())
    }
}

struct LogFeed {
    /// Keeps the log open.
    log: Arc<dyn Log>,
    producer: Box<dyn Producer>,
    formats: Formats,
    lot: Vec<Message>,
    sent: u64,
    bar: ProgressBar,
}

impl LogFeed {
    /// A bar is drawn where the number of rounds is known.
    fn open(choice: &LogChoice, rounds: Option<u64>) -> anyhow::Result<LogFeed> {
        let log = choice.open()?;
        Ok(LogFeed {
            producer: log.producer()?,
            log,
            formats: choice.formats()?,
            lot: Vec::with_capacity(LOT),
            sent: 0,
            bar: progress(rounds),
        })
    }

    fn send(&mut self, event: &Event) -> anyhow::Result<()> {
        let value = self.formats.events.encode(event)?;
        self.put(event, value)
    }

    fn put(&mut self, event: &Event, value: Vec<u8>) -> anyhow::Result<()> {
        let message = Message::new(Topic::FloorEvents, event.table.as_str(), value);
        self.lot.push(message);
        if self.lot.len() >= LOT {
            self.hand_over()?;
        }
        Ok(())
    }

    fn hand_over(&mut self) -> anyhow::Result<()> {
        self.producer.send(&self.lot)?;
        self.sent += self.lot.len() as u64;
        self.lot.clear();
        Ok(())
    }

    fn end(mut self) -> anyhow::Result<()> {
        self.hand_over()?;
        self.producer.flush()?;
        self.bar.finish_and_clear();
        let partitions = self.log.partitions(Topic::FloorEvents)?;
        eprintln!(
            "{} events of {} rounds sent to {}, {partitions} partitions",
            self.sent,
            self.bar.position(),
            Topic::FloorEvents
        );
        Ok(())
    }
}
