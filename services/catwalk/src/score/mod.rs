//! `catwalk score`: what was found against what was done.

mod page;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use catwalk_floor::Label;
use catwalk_floor::score::{Alarm, Row, Score};
use catwalk_rules::floor::Cents;
use clap::ValueEnum;
use comfy_table::CellAlignment;
use serde::de::DeserializeOwned;

use crate::{Verdict, output};

/// Hold findings against the labels of a simulated floor: what was caught, what was missed, what was a
/// false alarm, how fast, and how many dollars.
///
/// A fault is found if a finding of its table names one of its codes and one of its events. A finding
/// of severity warn or critical that belongs to no fault is a false alarm. Faults that last and that only
/// many outcomes tell from chance (a biased wheel, loaded dice, a dealer with a friend) are counted apart.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    catwalk simulate --rounds 20000 --fault-rate 0.02 --labels faults.jsonl > floor.jsonl\n  \
    catwalk audit floor.jsonl > findings.jsonl\n  \
    catwalk score --labels faults.jsonl --findings findings.jsonl --page score.html")]
pub(crate) struct Args {
    /// What was done wrong, as `catwalk simulate --labels` writes it.
    #[arg(long, value_name = "FILE")]
    labels: PathBuf,

    /// What was found, as `catwalk audit` writes it.
    #[arg(long, value_name = "FILE")]
    findings: PathBuf,

    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

    /// Write a page with plots here.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Table,
    Json,
}

/// Exit status 1 if a fault was missed or an alarm was false.
pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let labels: Vec<Label> = read(&args.labels)?;
    let alarms: Vec<Alarm> = read(&args.findings)?;
    let score = Score::of(&labels, &alarms);
    if let Some(path) = &args.page {
        fs::write(path, page::page(&score)).with_context(|| path.display().to_string())?;
    }
    let mut out = io::stdout().lock();
    match args.format {
        Format::Json => writeln!(out, "{}", serde_json::to_string_pretty(&score)?)?,
        Format::Table => tell(&score, &mut out)?,
    }
    match score.is_perfect() {
        true => Ok(Verdict::Fine),
        false => Ok(Verdict::FoundWrong),
    }
}

/// Reads JSON lines; one that cannot be read is an error with its number, for a score of half the
/// truth would be none.
fn read<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Vec<T>> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    let lines = BufReader::new(file).lines().enumerate();
    let records = lines.map(|(index, line)| {
        let place = || format!("{}, line {}", path.display(), index + 1);
        serde_json::from_str(&line.with_context(place)?).with_context(place)
    });
    records.collect()
}

fn tell(score: &Score, out: &mut impl Write) -> io::Result<()> {
    for (what, rows) in [("fault", &score.by_kind), ("game", &score.by_game)] {
        let header = [
            what, "done", "found", "recall", "median", "slowest", "lost", "caught",
        ];
        let mut table = output::table(&header);
        for (name, row) in rows {
            table.add_row(cells(name, row));
        }
        table.add_row(cells("all that are certain", &score.all));
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        writeln!(out, "{table}\n")?;
    }
    writeln!(
        out,
        "{} findings of severity warn or above, {} of them false alarms: precision {}",
        score.alarms,
        score.false_alarms,
        share(score.alarms - score.false_alarms, score.alarms)
    )?;
    for alarm in &score.examples {
        writeln!(out, "  false: {alarm}")?;
    }
    for fault in &score.missed {
        writeln!(out, "  missed: {fault}")?;
    }
    Ok(())
}

fn cells(name: &str, row: &Row) -> [String; 8] {
    [
        name.to_owned(),
        row.faults.to_string(),
        row.found.to_string(),
        share(row.found, row.faults),
        row.median_delay_micros().map_or(String::new(), seconds),
        row.slowest_delay_micros().map_or(String::new(), seconds),
        Cents::new(row.lost_cents).to_string(),
        Cents::new(row.caught_cents).to_string(),
    ]
}

/// A share with three digits; of nothing there is none.
fn share(part: u64, whole: u64) -> String {
    let Some(thousandths) = (part * 1000).checked_div(whole) else {
        return "–".to_owned();
    };
    format!("{}.{:03}", thousandths / 1000, thousandths % 1000)
}

fn seconds(micros: i64) -> String {
    format!(
        "{}.{:01} s",
        micros / 1_000_000,
        micros % 1_000_000 / 100_000
    )
}
