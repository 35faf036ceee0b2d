//! `catwalk feed`: a vendor's events onto a log.

mod known;

use std::io::BufRead;
use std::path::PathBuf;
use std::time::Duration;

use catwalk_events::{Event, json};
use catwalk_log::{Log, Message, Producer, Topic};
use catwalk_settler::MAX_EVENT_BYTES;
use catwalk_wire::{Formats, Unreadable};
use indicatif::{ProgressBar, ProgressStyle};

use self::known::{Known, Print, Standing};
use crate::check::Checker;
use crate::log::LogArgs;
use crate::{Verdict, bad_usage, input};

/// Bring a vendor's events (JSON lines) onto a log, checked; run again, it goes on where it stopped.
///
/// Each line is checked as `catwalk check` does it, and what is wrong is named on standard error with the number of
/// the line; the exit status is then 1. A line that is no event is left out. An event that can be read goes on the
/// log even if it stands wrong, such as after a gap: whether that is a fault is for the settler to say.
///
/// An event is known by its property, table and sequence number, and the log has each number once. Before
/// anything is sent, the log itself is asked what it has: nothing else is kept anywhere that could differ from it.
/// So a feed that was interrupted, at whatever moment, is simply run again from its first line or from any later
/// one: what is there already is passed over, and the rest follows. If the log has another event under the same
/// number, the line is reported and not sent.
///
/// All events on the log are read for that, and four bytes of each are remembered. Only one feed at a time may bring
/// the events of a table.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  catwalk feed floor.jsonl --log kafka://localhost:9092\n  \
    catwalk feed floor.jsonl --log embedded:data/log\n  \
    tail -n +1 -f device.log | catwalk feed --log kafka://localhost:9092"
)]
pub(crate) struct Args {
    /// File of events, one JSON object a line. Standard input if left out or "-".
    file: Option<PathBuf>,

    #[command(flatten)]
    log: LogArgs,
}

/// Events of a file are handed to the log in lots of so many.
const LOT: usize = 1_000;
/// How long the log is waited for while it is asked what it has.
const PATIENCE: Duration = Duration::from_secs(1);

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let Some(choice) = args.log.choice() else {
        bad_usage("say which log: --log embedded:DIR or --log kafka://HOST:PORT");
    };
    let input = input::open(args.file.as_deref(), "feeding")?;
    let log = choice.open()?;
    let mut feed = Feed {
        producer: log.producer()?,
        formats: choice.formats()?,
        known: Known::default(),
        checker: Checker::new()?,
        lot: Vec::new(),
        lot_size: if input.is_live() { 1 } else { LOT },
        bar: match input.is_live() {
            true => ProgressBar::new_spinner().with_style(style("{spinner} {pos} events sent")),
            // The file's own bar shows how far it is.
            false => ProgressBar::hidden(),
        },
        sent: 0,
        passed_over: 0,
        bad_lines: 0,
    };
    feed.ask(&*log)?;
    input.read(|lines| feed.take(lines))?;
    for problem in feed.checker.finish() {
        eprintln!("catwalk: at the end: {problem}");
        feed.bad_lines += 1;
    }
    feed.producer.flush()?;
    feed.bar.finish_and_clear();
    Ok(feed.sum())
}

struct Feed {
    producer: Box<dyn Producer>,
    formats: Formats,
    known: Known,
    checker: Checker,
    lot: Vec<Message>,
    lot_size: usize,
    bar: ProgressBar,
    sent: u64,
    passed_over: u64,
    bad_lines: u64,
}

impl Feed {
    /// Asks the log what it has. The checker sees it too, so that the next line is held against it.
    fn ask(&mut self, log: &dyn Log) -> anyhow::Result<()> {
        let partitions = log.partitions(Topic::FloorEvents)?;
        let ends = (0..partitions).map(|index| log.end(Topic::FloorEvents.partition(index)));
        let ends = ends.collect::<Result<Vec<u64>, _>>()?;
        let bar = ProgressBar::new(ends.iter().sum()).with_style(style(
            "asking the log {bar:30} {pos} of {len} records, {eta} left",
        ));
        for (index, end) in (0u32..).zip(ends) {
            let mut reader = log.reader(Topic::FloorEvents.partition(index), 0)?;
            while reader.position() < end && !reader.caught_up() {
                let before = reader.position();
                for record in reader.read(PATIENCE)? {
                    self.remember(record.value.as_deref().unwrap_or_default())?;
                }
                bar.inc(reader.position().saturating_sub(before));
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn remember(&mut self, record: &[u8]) -> anyhow::Result<()> {
        match self.formats.read_event(record) {
            Ok(event) => {
                let print = Print::of(&self.formats.events.encode(&event)?);
                self.known.remember(&event, print);
                self.checker.check(event);
                Ok(())
            }
            // It is no event, and stands for none.
            Err(Unreadable::Avro(_)) => Ok(()),
            Err(error @ Unreadable::Registry(_)) => Err(error.into()),
        }
    }

    fn take(&mut self, lines: &mut dyn BufRead) -> anyhow::Result<()> {
        let mut line = Vec::new();
        for number in 1u64.. {
            line.clear();
            if lines.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            let problems = match read(&line) {
                Ok(event) => self.send(event)?,
                Err(problem) => vec![problem],
            };
            self.bad_lines += u64::from(!problems.is_empty());
            for problem in problems {
                eprintln!("catwalk: line {number}: {problem}");
            }
        }
        self.hand_over()
    }

    /// Sends an event that the log has not, and says what is wrong with it.
    fn send(&mut self, event: Event) -> anyhow::Result<Vec<String>> {
        let Event { table, seq, .. } = &event;
        let value = match self.formats.events.encode(&event) {
            Ok(value) => value,
            // Such as a number that Avro has no room for.
            Err(error) => return Ok(vec![format!("{table}: event {seq}: {error}")]),
        };
        if value.len() > MAX_EVENT_BYTES {
            return Ok(vec![format!(
                "{table}: event {seq} has {} bytes, at most {MAX_EVENT_BYTES} are taken",
                value.len()
            )]);
        }
        match self.known.meet(&event, Print::of(&value)) {
            Standing::New => {}
            Standing::There => {
                self.passed_over += 1;
                return Ok(Vec::new());
            }
            Standing::Repeated => return Ok(vec![format!("{table}: seq {seq} is repeated")]),
            Standing::Other => {
                return Ok(vec![format!(
                    "{table}: the log has another event {seq}: this one is not sent"
                )]);
            }
        }
        let message = Message::new(Topic::FloorEvents, table.as_str(), value);
        self.lot.push(message);
        if self.lot.len() >= self.lot_size {
            self.hand_over()?;
        }
        Ok(self.checker.check(event))
    }

    fn hand_over(&mut self) -> anyhow::Result<()> {
        self.producer.send(&self.lot)?;
        self.sent += self.lot.len() as u64;
        self.bar.set_position(self.sent);
        self.lot.clear();
        Ok(())
    }

    fn sum(&self) -> Verdict {
        let Feed {
            sent,
            passed_over,
            bad_lines,
            ..
        } = self;
        eprintln!(
            "catwalk: {sent} events sent to {}, {passed_over} were there already, {bad_lines} lines with problems",
            Topic::FloorEvents
        );
        match bad_lines {
            0 => Verdict::Fine,
            _ => Verdict::FoundWrong,
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn read(line: &[u8]) -> Result<Event, String> {
    let text = std::str::from_utf8(line).map_err(|error| format!("not UTF-8: {error}"))?;
    json::read(text).map_err(|refusal| refusal.to_string())
}
