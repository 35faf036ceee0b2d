//! `catwalk feed`: a vendor's events onto a log, or to a running service.

mod intake;
mod known;
mod over_http;

use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use catwalk_log::{Log, Topic};
use catwalk_rules::Rulebook;
use indicatif::{ProgressBar, ProgressStyle};

pub(crate) use self::intake::{Fate, Intake};
pub(crate) use self::known::Known;
use crate::editions::RulesArgs;
use crate::gateway::GatewayArgs;
use crate::input::Input;
use crate::log::{LogArgs, LogChoice};
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
///
/// With `--url` they go to the gateway of a `catwalk up` that runs, which has the log open: it checks them in the same
/// way and answers when they are safe on the log. While it is out of reach, it is tried again for a minute. The token
/// of a device or an operator (`catwalk users token`) is read from a file or from CATWALK_TOKEN.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  catwalk feed floor.jsonl --log kafka://localhost:9092\n  \
    catwalk feed floor.jsonl --log embedded:data/log\n  \
    catwalk feed floor.jsonl --url http://127.0.0.1:9490 --token-file shoe-7.token\n  \
    tail -n +1 -f device.log | catwalk feed --log kafka://localhost:9092"
)]
pub(crate) struct Args {
    /// File of events, one JSON object a line. Standard input if left out or "-".
    file: Option<PathBuf>,

    #[command(flatten)]
    log: LogArgs,

    #[command(flatten)]
    gateway: GatewayArgs,

    #[command(flatten)]
    rules: RulesArgs,
}

/// Events of a file are handed to the log in lots of so many.
const LOT: usize = 1_000;
/// How long the log is waited for while it is asked what it has.
const PATIENCE: Duration = Duration::from_secs(1);

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let (log, gateway) = (args.log.choice(), args.gateway.choice()?);
    match (log, gateway) {
        (Some(choice), None) => {
            let rulebook = args.rules.rulebook()?;
            onto_log(
                &choice,
                rulebook,
                input::open(args.file.as_deref(), "feeding")?,
            )
        }
        (None, Some(gateway)) => {
            over_http::run(&gateway, input::open(args.file.as_deref(), "feeding")?)
        }
        (Some(_), Some(_)) => bad_usage("say --log or --url, not both"),
        (None, None) => bad_usage(
            "say where to: --log embedded:DIR, --log kafka://HOST:PORT, or --url http://HOST:PORT",
        ),
    }
}

fn onto_log(choice: &LogChoice, rulebook: Rulebook, input: Input) -> anyhow::Result<Verdict> {
    let log = choice.open()?;
    let mut feed = Feed {
        intake: Intake::open(
            &*log,
            choice.formats()?,
            Known::everything(),
            Arc::new(rulebook),
        )?,
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
    for problem in feed.intake.finish() {
        eprintln!("catwalk: at the end: {problem}");
        feed.bad_lines += 1;
    }
    feed.intake.flush()?;
    feed.bar.finish_and_clear();
    Ok(feed.sum())
}

struct Feed {
    intake: Intake,
    lot_size: usize,
    bar: ProgressBar,
    sent: u64,
    passed_over: u64,
    bad_lines: u64,
}

impl Feed {
    fn ask(&mut self, log: &dyn Log) -> anyhow::Result<()> {
        let bar = ProgressBar::new(self.intake.behind(log)?).with_style(style(
            "asking the log {bar:30} {pos} of {len} records, {eta} left",
        ));
        self.intake.ask(log, |read| {
            bar.inc(read);
            true
        })?;
        bar.finish_and_clear();
        Ok(())
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
            let problems = match self.intake.take(&line, |_| Ok(()))? {
                Fate::Taken(problems) => problems,
                Fate::There => {
                    self.passed_over += 1;
                    Vec::new()
                }
                Fate::Repeated(problem) | Fate::Refused(problem) => vec![problem],
            };
            self.bad_lines += u64::from(!problems.is_empty());
            for problem in problems {
                eprintln!("catwalk: line {number}: {problem}");
            }
            if self.intake.waiting() >= self.lot_size {
                self.hand_over()?;
            }
        }
        self.hand_over()
    }

    fn hand_over(&mut self) -> anyhow::Result<()> {
        self.sent += self.intake.hand_over()? as u64;
        self.bar.set_position(self.sent);
        Ok(())
    }

    fn sum(&self) -> Verdict {
        sum(
            &Topic::FloorEvents.to_string(),
            self.sent,
            self.passed_over,
            self.bad_lines,
        )
    }
}

/// Says what was done, and whether all of it was fine.
fn sum(to: &str, sent: u64, passed_over: u64, bad_lines: u64) -> Verdict {
    eprintln!(
        "catwalk: {sent} events sent to {to}, {passed_over} were there already, {bad_lines} lines with problems"
    );
    if sent + passed_over + bad_lines == 0 {
        eprintln!("catwalk: {}", input::NO_EVENT);
        return Verdict::FoundWrong;
    }
    match bad_lines {
        0 => Verdict::Fine,
        _ => Verdict::FoundWrong,
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
