//! `catwalk demo`: a simulated floor, audited as it plays.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use catwalk_floor::{Happening, Label};
use catwalk_rules::Rulebook;
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;
use catwalk_settler::{Finding, Output, Settler};
use comfy_table::CellAlignment;
use indicatif::{ProgressBar, ProgressStyle};

use crate::simulate::FloorArgs;
use crate::{Verdict, output};

/// Watch a simulated floor being audited: tables play, some dealers err, findings appear.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    floor: FloorArgs,

    /// Print the summary only.
    #[arg(long)]
    headless: bool,
}

/// Without a fault the demo would show nothing: so many of a thousand rounds have one.
const FAULTS_PER_MILLE: u32 = 20;

#[derive(Default)]
struct Tally {
    events: u64,
    rounds: u64,
    wagers: u64,
    staked: Cents,
    findings: Vec<Finding>,
    labels: Vec<Label>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let mut floor = args.floor.clone();
    if floor.fault_rate == 0 {
        floor.fault_rate = FAULTS_PER_MILLE;
    }
    let mut settler = Settler::new(Arc::new(Rulebook::load()?))?;
    let mut tally = Tally::default();
    let bar = ProgressBar::new(floor.rounds).with_style(
        ProgressStyle::with_template("{bar:30} {pos} of {len} rounds, {per_sec}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    for happening in floor.open()? {
        match happening? {
            Happening::Event(event) => {
                tally.events += 1;
                tally.take(settler.receive(*event), args, &bar)?;
            }
            Happening::Fault(label) => tally.labels.push(*label),
            Happening::Round(_) => bar.inc(1),
        }
    }
    tally.take(settler.finish(), args, &bar)?;
    bar.finish_and_clear();
    tally.summarize()?;
    Ok(Verdict::Fine)
}

impl Tally {
    fn take(&mut self, outputs: Vec<Output>, args: &Args, bar: &ProgressBar) -> io::Result<()> {
        for output in outputs {
            match output {
                Output::Settlement(round) => {
                    self.rounds += 1;
                    self.wagers += round.wagers.len() as u64;
                    self.staked += round.wagers.iter().map(|wager| wager.amount).sum::<Cents>();
                }
                Output::Finding(finding) => {
                    if !args.headless {
                        let line = line(&finding);
                        bar.suspend(|| writeln!(io::stdout(), "{line}"))?;
                    }
                    self.findings.push(*finding);
                }
                Output::Unread(_) => {}
            }
        }
        Ok(())
    }

    /// How many of the faults that were dealt the audit told of.
    fn caught(&self) -> usize {
        let tells = |label: &Label, finding: &Finding| {
            finding.table == label.table
                && label.codes.contains(&finding.code.as_str())
                && label.seqs.iter().any(|seq| finding.evidence.contains(seq))
        };
        let told = |label: &&Label| self.findings.iter().any(|finding| tells(label, finding));
        self.labels.iter().filter(told).count()
    }

    fn summarize(&self) -> io::Result<()> {
        let mut by_code: BTreeMap<(Severity, &str), (u64, Cents)> = BTreeMap::new();
        for finding in &self.findings {
            let (count, exposure) = by_code
                .entry((finding.severity, &finding.code))
                .or_default();
            *count += 1;
            *exposure += finding.exposure;
        }
        let mut table = output::table(&["finding", "severity", "count", "house lost"]);
        for ((severity, code), (count, exposure)) in by_code.into_iter().rev() {
            let severity = output::severity(severity).to_owned();
            table.add_row([
                code.to_owned(),
                severity,
                count.to_string(),
                exposure.to_string(),
            ]);
        }
        for column in table.column_iter_mut().skip(2) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "\n{} events, {} rounds settled, {} wagers, {} staked\n{table}",
            self.events, self.rounds, self.wagers, self.staked
        )?;
        writeln!(
            out,
            "{} of {} faults were found",
            self.caught(),
            self.labels.len()
        )?;
        writeln!(out, "\nTry next:")?;
        writeln!(
            out,
            "  catwalk simulate --seed 7 --fault-rate 0.01 > floor.jsonl"
        )?;
        writeln!(out, "  catwalk audit floor.jsonl | head -3")?;
        writeln!(out, "  catwalk rules minibaccarat")
    }
}

/// A finding as a surveillance operator reads it.
fn line(finding: &Finding) -> String {
    let colour = match finding.severity {
        _ if !io::stdout().is_terminal() => ("", ""),
        Severity::Critical => ("\x1b[31m", "\x1b[0m"),
        Severity::Warn => ("\x1b[33m", "\x1b[0m"),
        Severity::Info => ("\x1b[2m", "\x1b[0m"),
    };
    let time = finding.at.to_string();
    let time = time.get(11..19).unwrap_or(&time);
    format!(
        "{time} {}{:<8}{} {:<6} {:<22} {}",
        colour.0,
        output::severity(finding.severity),
        colour.1,
        finding.table,
        finding.code,
        finding.message
    )
}
