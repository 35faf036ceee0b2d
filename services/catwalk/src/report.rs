//! `catwalk report`: the auditors' reports.

use std::fs;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use catwalk_archive::lanes;
use catwalk_query::{Bounds, Session};
use catwalk_reports::{Asked, House, Paper, Period, Report, all, draw, find};
use clap::ValueEnum;
use comfy_table::Table;
use jiff::civil::Date;
use serde::Deserialize;

use crate::config::Config;
use crate::output;
use crate::proof::Trees;
use crate::query::{ArchiveArgs, LookArgs};
use crate::{Verdict, bad_usage};

/// Draw a report of the revenue audit: drop, win, slips, boxes, funds and tax, each figure followable.
///
/// Without a day or a month it is of the last gaming day that the archive has. What is not final - a day that is still
/// open, a box that was not counted, a round that was not judged, events that are missing - stands on top, with the
/// amounts that are uncertain. A workbook has its totals as formulas. CSV has one table of the report (--part says
/// which), in dollars; what is not final goes to standard error then.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  catwalk report --list\n  \
    catwalk report master-game --day 2026-11-15\n  \
    catwalk report A2 --month 2026-11 --table BJ-07\n  \
    catwalk report win-bridge --format xlsx -o bridge.xlsx\n  \
    catwalk report --all --day 2026-11-15 -o audit-2026-11-15")]
pub(crate) struct Args {
    /// The report: its number, such as A1, or its name.
    #[arg(required_unless_present_any = ["list", "all"], conflicts_with_all = ["list", "all"])]
    name: Option<String>,

    /// All reports, into the folder of -o.
    #[arg(long, requires = "output", conflicts_with_all = ["list", "part"])]
    all: bool,

    /// List the reports.
    #[arg(long)]
    list: bool,

    /// The gaming day, such as 2026-11-15.
    #[arg(long, value_name = "DAY", conflicts_with = "month")]
    day: Option<Date>,

    /// All gaming days of a month, such as 2026-11.
    #[arg(long, value_name = "MONTH")]
    month: Option<String>,

    /// Only of this table.
    #[arg(long)]
    table: Option<String>,

    /// Only of this shift, where the house takes its boxes by the shift.
    #[arg(long)]
    shift: Option<String>,

    /// Only of this pit.
    #[arg(long)]
    pit: Option<String>,

    /// How to write it: a table, or a workbook with --all, if left out.
    #[arg(long, value_enum)]
    format: Option<Form>,

    /// Of CSV: which table of the report, from 1.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    part: u64,

    /// Write to this file instead of standard output; with --all, to files in this folder.
    #[arg(short, long, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,

    #[command(flatten)]
    archive: ArchiveArgs,

    #[command(flatten)]
    look: LookArgs,

    /// Configuration with the time zone, the gaming day and the editions of the house.
    #[arg(short = 'c', long = "config", value_name = "FILE")]
    config: Option<PathBuf>,

    /// Break it off after so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, value_parser = clap::value_parser!(u64).range(1..))]
    max_seconds: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people.
    Table,
    Csv,
    /// A workbook.
    Xlsx,
}

impl Form {
    fn ending(self) -> &'static str {
        match self {
            Form::Table => "txt",
            Form::Csv => "csv",
            Form::Xlsx => "xlsx",
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    if args.list {
        list(&mut io::stdout().lock())?;
        return Ok(Verdict::Fine);
    }
    let form = args.form();
    let one = args.name.as_deref().map(|name| match find(name) {
        Ok(report) => report,
        Err(error) => bad_usage(&format!("{error} (catwalk report --list shows all)")),
    });
    if form == Form::Xlsx && args.output.is_none() && io::stdout().is_terminal() {
        bad_usage("a workbook is not for a terminal: give a file with -o, or redirect the output");
    }
    let config = Config::load(args.config.as_deref())?;
    let rulebook = config.rulebook()?;
    let bounds = Bounds {
        time: Duration::from_secs(args.max_seconds),
        ..Bounds::default()
    };
    args.archive.with(bounds, &args.look, async |session| {
        let house = House {
            rulebook: &rulebook,
            time_zone: &config.archive.time_zone,
            gaming_day_hour: config.archive.gaming_day_hour,
            archive: args.provenance(),
        };
        let asked = args.asked(&session).await?;
        match one {
            Some(report) => {
                let paper = draw(&session, report, &asked, &house).await?;
                args.write(&paper, form)?;
            }
            None => {
                let reports = all().iter().collect::<Vec<_>>();
                for report in reports {
                    let paper = draw(&session, report, &asked, &house).await?;
                    args.write_into_folder(&paper, form)?;
                }
            }
        }
        Ok(Verdict::Fine)
    })
}

impl Args {
    fn form(&self) -> Form {
        let usual = if self.all { Form::Xlsx } else { Form::Table };
        self.format.unwrap_or(usual)
    }

    /// Where the archive is, and the last signed head of each of its trees.
    fn provenance(&self) -> Vec<(String, String)> {
        let mut said = vec![("archive".to_owned(), self.archive.location().to_owned())];
        let trees = Trees {
            archive: self.archive.clone(),
            trees: None,
        };
        let heads = trees.folder().and_then(|folder| Ok(lanes(&folder)?));
        let heads: Vec<String> = match heads {
            Ok(lanes) => lanes
                .into_iter()
                .filter_map(|lane| Some(in_a_line(&lane.head?.to_string())))
                .collect(),
            Err(error) => vec![format!("its trees cannot be read: {error:#}")],
        };
        if heads.is_empty() {
            said.push(("proof".to_owned(), "the archive is not sealed".to_owned()));
        }
        said.extend(heads.into_iter().map(|head| ("proof".to_owned(), head)));
        said
    }

    async fn asked(&self, session: &Session) -> anyhow::Result<Asked> {
        let period = match (self.day, &self.month) {
            (Some(day), _) => Period::day(day),
            (None, Some(month)) => {
                Period::month(month).unwrap_or_else(|error| bad_usage(&error.to_string()))
            }
            (None, None) => Period::day(last_day(session).await?),
        };
        Ok(Asked {
            period,
            table: self.table.clone(),
            shift: self.shift.clone(),
            pit: self.pit.clone(),
        })
    }

    fn write(&self, paper: &Paper, form: Form) -> anyhow::Result<()> {
        match &self.output {
            Some(path) => self.write_file(paper, form, path)?,
            None => self.write_to(paper, form, &mut BufWriter::new(io::stdout().lock()))?,
        }
        if form == Form::Csv {
            paper
                .caveat_lines()
                .iter()
                .for_each(|line| eprintln!("catwalk: {line}"));
        }
        Ok(())
    }

    fn write_into_folder(&self, paper: &Paper, form: Form) -> anyhow::Result<()> {
        let folder = self.output.as_deref().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let Report { id, name, .. } = paper.report;
        let stem = format!("{id}-{name}-{}", paper.asked.period.file_words());
        let path = folder.join(format!("{stem}.{}", form.ending()));
        self.write_file(paper, form, &path)?;
        eprintln!("catwalk: {}", path.display());
        if form == Form::Csv {
            // The other tables of the report have files of their own.
            for (at, part) in paper.parts.iter().enumerate().skip(1) {
                let title = part.title.to_lowercase().replace(' ', "-");
                let file = fs::File::create(folder.join(format!("{stem}-{title}.csv")))?;
                paper.write_csv(at, &mut BufWriter::new(file))?;
            }
            let caveats = paper.caveat_lines().join("\n") + "\n";
            fs::write(folder.join(format!("{stem}-open-points.txt")), caveats)?;
        }
        Ok(())
    }

    fn write_file(&self, paper: &Paper, form: Form, path: &Path) -> anyhow::Result<()> {
        let file = fs::File::create(path).with_context(|| path.display().to_string())?;
        self.write_to(paper, form, &mut BufWriter::new(file))
    }

    fn write_to(&self, paper: &Paper, form: Form, out: &mut dyn Write) -> anyhow::Result<()> {
        match form {
            Form::Table => paper.write_text(self.width(), out)?,
            Form::Csv => {
                let part = usize::try_from(self.part).unwrap_or(usize::MAX) - 1;
                if part >= paper.parts.len() {
                    let titles = paper.parts.iter().map(|part| part.title);
                    let titles = titles.collect::<Vec<_>>().join(", ");
                    bad_usage(&format!(
                        "--part {}: {} has {titles}",
                        self.part, paper.report.name
                    ));
                }
                paper.write_csv(part, out)?;
            }
            Form::Xlsx => paper.write_xlsx(out)?,
        }
        out.flush()?;
        Ok(())
    }

    /// Of the terminal, where it writes to one.
    fn width(&self) -> Option<u16> {
        let table = Table::new();
        let is_shown = self.output.is_none() && table.is_tty();
        table.width().filter(|_| is_shown)
    }
}

/// A signed head without its signatures: which tree, how many leaves, the hash of all of them.
fn in_a_line(head: &str) -> String {
    let mut lines = head.lines();
    let mut next = || lines.next().unwrap_or_default();
    format!("{}, {} leaves, root {}", next(), next(), next())
}

fn list(out: &mut dyn Write) -> io::Result<()> {
    let mut table = output::plain_table();
    for report in all() {
        table.add_row([report.id, report.name, report.about]);
    }
    writeln!(out, "{}", table.trim_fmt())
}

#[derive(Deserialize)]
struct LastDay {
    last: Option<String>,
}

/// The last gaming day that the archive has anything of.
async fn last_day(session: &Session) -> anyhow::Result<Date> {
    let sql = "SELECT CAST(max(gaming_day) AS VARCHAR) AS last FROM money";
    let days: Vec<LastDay> = session.sql(sql).await?.read().await?;
    let last = days.into_iter().find_map(|day| day.last);
    let last = last.context("the archive has no money in it yet, and no report can be drawn")?;
    Ok(last.parse()?)
}
