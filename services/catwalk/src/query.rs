//! `catwalk query`: SQL and named queries over the archive.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use catwalk_archive::{Archive, Column, Kind, TABLES};
use catwalk_query::{
    Answer, Bounds, DefaultValue, Error, Format, Parameter, Session, Sheet, named,
};
use clap::ValueEnum;
use comfy_table::{CellAlignment, ContentArrangement};

use crate::{Verdict, bad_usage, output};

/// Ask the archive, in SQL or by the name of a query.
///
/// The tables are events, rounds, wagers, cards, findings, dispositions and money; --tables explains their
/// columns. Money is in cents, in columns that end in _cents; the format "table" shows dollars. A JSON column
/// is read with ->> as in body->>'amount'.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  catwalk query \"SELECT code, count(*) FROM findings GROUP BY code\"\n  \
    catwalk query --list\n  \
    catwalk query --named rounds -p table=MB-05 -p since=2026-11-15T20:00:00Z\n  \
    catwalk query --named reconciliation --format csv -o reconciliation.csv"
)]
pub(crate) struct Args {
    /// A question in SQL.
    #[arg(required_unless_present_any = ["named", "list", "tables"], conflicts_with = "named")]
    sql: Option<String>,

    /// Ask the query of this name.
    #[arg(long, value_name = "NAME")]
    named: Option<String>,

    /// A parameter of the named query.
    #[arg(short, long = "param", value_name = "NAME=VALUE", value_parser = name_and_value, requires = "named")]
    params: Vec<(String, String)>,

    /// List the named queries with their parameters.
    #[arg(long, conflicts_with_all = ["sql", "named"])]
    list: bool,

    /// Explain the tables and their columns.
    #[arg(long, conflicts_with_all = ["sql", "named", "list"])]
    tables: bool,

    /// How to write the answer.
    #[arg(long, value_enum, default_value_t = Form::Table)]
    format: Form,

    /// Write the answer to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    archive: ArchiveArgs,

    /// Break the question off after so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
    max_seconds: u64,

    /// The memory of its sorts, joins and groups, in megabytes.
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(1..))]
    max_memory: u64,
}

impl Args {
    fn bounds(&self) -> Bounds {
        Bounds {
            time: Duration::from_secs(self.max_seconds),
            memory_bytes: usize::try_from(self.max_memory << 20).unwrap_or(usize::MAX),
            ..Bounds::default()
        }
    }
}

/// Where the archive is.
#[derive(Clone, clap::Args)]
pub(crate) struct ArchiveArgs {
    /// Folder or URL of the archive.
    #[arg(
        long = "archive",
        value_name = "FOLDER|URL",
        default_value = "catwalk-data/archive"
    )]
    location: String,
}

/// A plan is walked by functions that call themselves: its bounded depth must have room.
const STACK_BYTES: usize = 64 << 20;
/// What does not look at the clock while it works is ended so much later.
const GRACE: Duration = Duration::from_secs(10);

impl ArchiveArgs {
    /// Runs what needs the archive.
    pub(crate) fn with<T: Send>(
        &self,
        bounds: Bounds,
        work: impl AsyncFnOnce(Session) -> anyhow::Result<T> + Send,
    ) -> anyhow::Result<T> {
        let thread = thread::Builder::new().stack_size(STACK_BYTES);
        thread::scope(|scope| {
            let asking = thread.spawn_scoped(scope, || self.ask(bounds, work))?;
            let panicked = |_| anyhow::anyhow!("the question ended by a panic");
            asking.join().map_err(panicked)?
        })
    }

    fn ask<T>(
        &self,
        bounds: Bounds,
        work: impl AsyncFnOnce(Session) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let archive = match Archive::at(&self.location) {
            Err(error @ catwalk_archive::Error::Location { .. }) => bad_usage(&error.to_string()),
            archive => archive?,
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .thread_stack_size(STACK_BYTES)
            .enable_all()
            .build()
            .context("cannot begin")?;
        end_after(bounds.time + GRACE);
        runtime.block_on(async { work(Session::open_with(&archive, bounds).await?).await })
    }
}

/// Ends the program if it still runs then.
fn end_after(time: Duration) {
    thread::spawn(move || {
        thread::sleep(time);
        eprintln!("catwalk: it takes longer than the bound time allows: --max-seconds");
        std::process::exit(1);
    });
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people.
    Table,
    Csv,
    /// One object a line.
    Json,
    Parquet,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    if args.list {
        list()?;
        return Ok(Verdict::Fine);
    }
    if args.tables {
        tables()?;
        return Ok(Verdict::Fine);
    }
    if args.format == Form::Parquet && args.output.is_none() && io::stdout().is_terminal() {
        bad_usage("Parquet is not for a terminal: give a file with -o, or redirect the output");
    }
    args.archive.with(args.bounds(), async |session| {
        let answer = match &args.named {
            None => session.sql(args.sql.as_deref().unwrap_or_default()).await,
            Some(name) => {
                let query = match named::find(name) {
                    Err(error @ Error::UnknownQuery(_)) => misused(&error),
                    query => query?,
                };
                let values: BTreeMap<_, _> = args.params.iter().cloned().collect();
                session.named(query, &values).await
            }
        };
        let answer = match answer {
            Err(
                error @ (Error::UnknownParameter(_)
                | Error::MissingParameter { .. }
                | Error::ParameterValue { .. }),
            ) => misused(&error),
            answer => answer?,
        };
        write(answer, args).await
    })
}

fn misused(error: &Error) -> ! {
    bad_usage(&format!("{error} (catwalk query --list shows all)"))
}

async fn write(answer: Answer, args: &Args) -> anyhow::Result<Verdict> {
    let mut out: Box<dyn Write + Send> = match &args.output {
        Some(path) => {
            let file = File::create(path).with_context(|| path.display().to_string())?;
            Box::new(BufWriter::new(file))
        }
        None => Box::new(BufWriter::new(io::stdout())),
    };
    match args.format {
        Form::Table => show(answer, &mut out).await?,
        Form::Csv => drop(answer.write(Format::Csv, &mut out).await?),
        Form::Json => drop(answer.write(Format::Json, &mut out).await?),
        Form::Parquet => drop(answer.write(Format::Parquet, &mut out).await?),
    }
    out.flush()?;
    Ok(Verdict::Fine)
}

async fn show(answer: Answer, out: &mut (dyn Write + Send)) -> anyhow::Result<()> {
    let sheet = answer.sheet().await?;
    let names: Vec<&str> = sheet.columns.iter().map(|column| &*column.name).collect();
    let mut table = output::table(&names);
    // A row is a line: whoever reads it with other tools counts on that.
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.add_rows(&sheet.rows);
    for (column, shown) in sheet.columns.iter().zip(table.column_iter_mut()) {
        if column.is_number {
            shown.set_cell_alignment(CellAlignment::Right);
        }
    }
    let wide = table.lines().map(|line| line.chars().count()).max();
    match table.width() {
        Some(width) if table.is_tty() && wide > Some(usize::from(width)) => {
            show_row_by_row(&sheet, out)?;
        }
        _ => writeln!(out, "{table}")?,
    }
    let rows = sheet.rows.len();
    let plural = if rows == 1 { "" } else { "s" };
    writeln!(out, "({rows} row{plural})")?;
    Ok(())
}

/// For a terminal that is too narrow for the columns side by side.
fn show_row_by_row(sheet: &Sheet, out: &mut (dyn Write + Send)) -> io::Result<()> {
    for (index, row) in sheet.rows.iter().enumerate() {
        writeln!(out, "row {}", index + 1)?;
        let mut table = output::plain_table();
        for (column, cell) in sheet.columns.iter().zip(row) {
            table.add_row(["", &column.name, cell]);
        }
        writeln!(out, "{}\n", table.trim_fmt())?;
    }
    Ok(())
}

fn list() -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    for query in named::all()? {
        writeln!(out, "{} (for {})", query.name, query.audience)?;
        let mut table = output::plain_table();
        table.add_row(["", &query.about]);
        writeln!(out, "{}", table.trim_fmt())?;
        let mut table = output::plain_table();
        for parameter in &query.parameters {
            let name = format!("  -p {}={}", parameter.name, parameter.kind);
            table.add_row([name, meaning(parameter)]);
        }
        writeln!(out, "{}\n", table.trim_fmt())?;
    }
    Ok(())
}

fn meaning(parameter: &Parameter) -> String {
    match &parameter.default {
        None => format!("{} Needed.", parameter.meaning),
        Some(DefaultValue::None) => parameter.meaning.clone(),
        Some(DefaultValue::Value(value)) => format!("{} [{value}]", parameter.meaning),
    }
}

fn tables() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for table in TABLES {
        writeln!(out, "{}: {}", table.name, table.meaning)?;
        let mut columns = output::plain_table();
        for column in table.columns {
            columns.add_row([
                &format!("  {}", column.name),
                sql_type(column),
                column.meaning,
            ]);
        }
        writeln!(out, "{}\n", columns.trim_fmt())?;
    }
    Ok(())
}

fn sql_type(column: &Column) -> &'static str {
    match column.kind {
        Kind::Text => "text",
        Kind::Int | Kind::Cents => "bigint",
        Kind::Bool => "boolean",
        Kind::Moment => "timestamp",
        Kind::Day => "date",
        Kind::Texts => "text[]",
        Kind::Ints => "bigint[]",
    }
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}
