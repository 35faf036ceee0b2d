//! `catwalk audit`: events in, findings out.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use catwalk_events::audit::Finding;
use catwalk_events::{Body, Event, json};
use catwalk_rules::book::Severity;
use catwalk_settler::{Output, Registry, Settler, Uniformity};

use crate::editions::RulesArgs;
use crate::{Verdict, input};

/// Audit a feed: events in (JSON lines), findings out (JSON lines), each as soon as it is known.
///
/// Rounds are folded from the events, settled by the rules in force at their table and compared with
/// what was paid, collected and pushed. Where the rules want the tables of a house alike, they are held
/// against each other too, and where a floor has registered, tables and devices are held against that. A line that
/// cannot be read is named on standard error with its number, and the rest goes on. The exit status is 1 if
/// there was such a line, a finding of warn or above, or no event at all. Rounds that had not ended when the feed
/// did are named on standard error: they were not judged.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  catwalk audit floor.jsonl > findings.jsonl\n  \
    catwalk audit floor.jsonl | jq -r 'select(.severity==\"critical\") | .message'"
)]
pub(crate) struct Args {
    /// File of events, one JSON object a line. Standard input if left out or "-".
    file: Option<PathBuf>,

    /// Write the settlement of each round too, as it closes.
    #[arg(long)]
    settlements: bool,

    #[command(flatten)]
    rules: RulesArgs,

    /// End with 0 whatever is found: for scripts that look at the findings themselves.
    #[arg(long)]
    exit_zero: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let rulebook = Arc::new(args.rules.rulebook()?);
    let mut settler = Settler::new(Arc::clone(&rulebook))?;
    let mut uniformity = Uniformity::new(&rulebook);
    let mut registry = Registry::default();
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut wrong, mut last) = (0u64, None);
    let mut open = Open::default();
    input::open(args.file.as_deref(), "auditing")?.read(|input| {
        input::lines(input, |number, line| {
            last = Some(number);
            match line.and_then(|line| json::read(line).map_err(|refusal| refusal.to_string())) {
                Ok(event) => {
                    open.begins(&event);
                    for finding in registry.hear(&event) {
                        wrong += write_finding(&finding, &mut out)?;
                    }
                    let outputs = settler.receive(event);
                    open.end(&outputs);
                    wrong += write(args, outputs, number, &mut uniformity, &mut out)?;
                }
                Err(refusal) => {
                    wrong += 1;
                    eprintln!("catwalk: line {number}: {refusal}");
                }
            }
            Ok(())
        })
    })?;
    let Some(last) = last else {
        eprintln!("catwalk: {}", input::NO_EVENT);
        return Ok(args.verdict(1));
    };
    let outputs = settler.finish();
    open.end(&outputs);
    wrong += write(args, outputs, last, &mut uniformity, &mut out)?;
    out.flush()?;
    open.tell();
    Ok(args.verdict(wrong))
}

/// The rounds that have begun and not ended, by table.
#[derive(Default)]
struct Open(BTreeSet<(String, String)>);

/// So many rounds that are open are remembered, and so many named.
const MOST_OPEN: usize = 100_000;
const NAMED: usize = 5;

impl Open {
    fn begins(&mut self, event: &Event) {
        if let (Body::RoundOpened(_), Some(round)) = (&event.body, &event.round)
            && self.0.len() < MOST_OPEN
        {
            self.0.insert((event.table.clone(), round.clone()));
        }
    }

    fn end(&mut self, outputs: &[Output]) {
        for output in outputs {
            if let Output::Settlement(round) = output {
                self.0.remove(&(round.table.clone(), round.round.clone()));
            }
        }
    }

    /// A feed that breaks off in the middle of a round has said nothing yet of how that was paid.
    fn tell(&self) {
        if self.0.is_empty() {
            return;
        }
        let names = self.0.iter().map(|(_, round)| round.as_str());
        let names: Vec<&str> = names.take(NAMED).collect();
        let more = if self.0.len() > NAMED { ", ..." } else { "" };
        eprintln!(
            "catwalk: the feed ends before {} of its rounds do, which were not judged: {}{more}",
            self.0.len(),
            names.join(", ")
        );
    }
}

impl Args {
    fn verdict(&self, wrong: u64) -> Verdict {
        match wrong {
            0 => Verdict::Fine,
            _ if self.exit_zero => Verdict::Fine,
            _ => Verdict::FoundWrong,
        }
    }
}

/// Writes what came of an event; returns how much of it is wrong: events that meant nothing where they stood, and
/// findings of warn or above.
fn write(
    args: &Args,
    outputs: Vec<Output>,
    line: u64,
    uniformity: &mut Uniformity,
    out: &mut impl Write,
) -> anyhow::Result<u64> {
    let mut wrong = 0;
    for output in outputs {
        match output {
            Output::Finding(finding) => wrong += write_finding(&finding, out)?,
            Output::Settlement(round) => {
                if args.settlements {
                    serde_json::to_writer(&mut *out, &round)?;
                    out.write_all(b"\n")?;
                }
                for finding in uniformity.receive(&*round) {
                    wrong += write_finding(&finding, out)?;
                }
            }
            Output::Unread(event) => {
                wrong += 1;
                eprintln!(
                    "catwalk: line {line}: event {}: {}",
                    event.event.seq, event.reason
                );
            }
        }
    }
    Ok(wrong)
}

/// Says whether it is of warn or above.
fn write_finding(finding: &Finding, out: &mut impl Write) -> io::Result<u64> {
    writeln!(out, "{}", json::write_finding(finding)?)?;
    Ok(u64::from(finding.severity >= Severity::Warn))
}
