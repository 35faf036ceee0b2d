//! `catwalk query`: SQL and named queries over the archive.

mod line;
mod look;
mod nothing;
mod script;
mod shell;
mod shown;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use catwalk_archive::Archive;
use catwalk_query::{
    Answer, Bounds, Error, Format, Money, NamedQuery, ReadingRoom, Session, named,
};
use catwalk_reports::{Period, tell_edges};
use clap::ValueEnum;

pub(crate) use self::look::{LookArgs, command};
use crate::config::Config;
use crate::{Verdict, bad_usage};

/// Ask the archive, in SQL or by the name of a query.
///
/// Without a question it is a shell; where standard input is no terminal, it reads statements from there, each of
/// which ends with a semicolon. --tables explains the tables and their columns. Money is in cents, in columns that
/// end in _cents; the formats "table" and "xlsx" show dollars. A JSON column is read with ->> as in body->>'amount'.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  catwalk query \"SELECT code, count(*) FROM findings GROUP BY code\"\n  \
    catwalk query --list\n  \
    catwalk query --named rounds -p table=MB-05 -p since=2026-11-15T20:00:00Z\n  \
    catwalk query --named reconciliation --format csv -o reconciliation.csv"
)]
pub(crate) struct Args {
    /// A question in SQL.
    #[arg(conflicts_with = "named")]
    sql: Option<String>,

    /// Ask what this file has, statement by statement.
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["sql", "named", "list", "tables"])]
    file: Option<PathBuf>,

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

    /// How CSV has money.
    #[arg(long, value_enum, default_value_t = MoneyForm::Cents)]
    money: MoneyForm,

    /// Write the answer to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Say on standard error how long each answer took.
    #[arg(long)]
    timing: bool,

    #[command(flatten)]
    archive: ArchiveArgs,

    #[command(flatten)]
    look: LookArgs,

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
    pub(crate) fn at(location: &str) -> ArchiveArgs {
        ArchiveArgs {
            location: location.to_owned(),
        }
    }

    pub(crate) fn location(&self) -> &str {
        &self.location
    }

    /// Runs what needs the archive.
    pub(crate) fn with<T: Send>(
        &self,
        bounds: Bounds,
        look: &LookArgs,
        work: impl AsyncFnOnce(Session) -> anyhow::Result<T> + Send,
    ) -> anyhow::Result<T> {
        self.with_question(bounds, look, &command(), None, work)
    }

    /// The same for a question, which goes on record as it is asked.
    fn with_question<T: Send>(
        &self,
        bounds: Bounds,
        look: &LookArgs,
        question: &str,
        parameters: Option<String>,
        work: impl AsyncFnOnce(Session) -> anyhow::Result<T> + Send,
    ) -> anyhow::Result<T> {
        let time = bounds.time;
        let archive = self.place()?;
        self.with_room(bounds, async move |room| {
            let _watch = Watch::over(time);
            let session = room.session().await?;
            let look = look.ask(&archive, question, parameters)?;
            let given = session.clone();
            let ended = work(session).await;
            look.ended(given.given(), ended)
        })
    }

    /// The same with an archive that is asked again and again; each question is watched by itself.
    fn with_room<T: Send>(
        &self,
        bounds: Bounds,
        work: impl AsyncFnOnce(ReadingRoom) -> anyhow::Result<T> + Send,
    ) -> anyhow::Result<T> {
        let thread = thread::Builder::new().stack_size(STACK_BYTES);
        thread::scope(|scope| {
            let asking = thread.spawn_scoped(scope, || self.enter(bounds, work))?;
            let panicked = |_| anyhow::anyhow!("the question ended by a panic");
            asking.join().map_err(panicked)?
        })
    }

    /// Where it is. Nothing is read yet.
    pub(crate) fn place(&self) -> anyhow::Result<Archive> {
        match Archive::at(&self.location) {
            Err(error @ catwalk_archive::Error::Location { .. }) => bad_usage(&error.to_string()),
            archive => Ok(archive?),
        }
    }

    fn enter<T>(
        &self,
        bounds: Bounds,
        work: impl AsyncFnOnce(ReadingRoom) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let archive = self.place()?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .thread_stack_size(STACK_BYTES)
            .enable_all()
            .build()
            .context("cannot begin")?;
        runtime.block_on(async { work(ReadingRoom::open(&archive, bounds)?).await })
    }
}

/// Ends the program if a question still runs when its time is long over.
struct Watch {
    /// Dropped with the watch, which ends the thread.
    _asked: mpsc::Sender<Infallible>,
}

impl Watch {
    fn over(time: Duration) -> Watch {
        let (asked, ended) = mpsc::channel();
        thread::spawn(move || {
            if ended.recv_timeout(time + GRACE) == Err(RecvTimeoutError::Timeout) {
                eprintln!("catwalk: it takes longer than the bound time allows: --max-seconds");
                std::process::exit(1);
            }
        });
        Watch { _asked: asked }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people.
    Table,
    Csv,
    /// One object a line.
    Json,
    Parquet,
    /// Arrow's file, which is also called Feather.
    Arrow,
    /// A workbook, with money in dollars.
    Xlsx,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MoneyForm {
    /// In columns that end in _cents.
    Cents,
    /// 12.50, in columns without that end.
    Dollars,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    if args.list {
        shown::list(&mut io::stdout().lock())?;
        return Ok(Verdict::Fine);
    }
    if args.tables {
        shown::tables(&mut io::stdout().lock())?;
        return Ok(Verdict::Fine);
    }
    let is_for_files = matches!(args.format, Form::Parquet | Form::Arrow | Form::Xlsx);
    if is_for_files && args.output.is_none() && io::stdout().is_terminal() {
        bad_usage(&format!(
            "{:?} is not for a terminal: give a file with -o, or redirect the output",
            args.format
        ));
    }
    if args.sql.is_none() && args.named.is_none() {
        return shell::run(args);
    }
    let named = args.named.as_deref().map(|name| with_values(name, args));
    let text = match &named {
        Some((query, _)) => query.name.as_str(),
        None => args.sql.as_deref().unwrap_or_default(),
    };
    let values = named
        .as_ref()
        .map(|(_, values)| serde_json::json!(values).to_string());
    let (archive, look) = (&args.archive, &args.look);
    let mut given = 0;
    let verdict = archive.with_question(args.bounds(), look, text, values, async |session| {
        let counted = session.clone();
        let asked = named.as_ref().map(|(query, _)| query.sql.as_str());
        know_edges(&session, asked.or(args.sql.as_deref()).unwrap_or_default()).await?;
        let answer = match &named {
            None => session.sql(args.sql.as_deref().unwrap_or_default()).await?,
            Some((query, values)) => match session.named(query, values).await {
                Err(error) if is_misuse(&error) => misused(&error),
                answer => answer?,
            },
        };
        let written = write(answer, args).await;
        given = counted.given();
        written
    })?;
    let Some((_, values)) = named.filter(|_| given == 0) else {
        return Ok(verdict);
    };
    match nothing::looked_at(archive, args.bounds(), look, &values)? {
        None => Ok(verdict),
        Some(what) => {
            eprintln!("catwalk: {what}");
            Ok(Verdict::FoundWrong)
        }
    }
}

/// What wagers are worth is worked out only for whoever asks for it.
async fn know_edges(session: &Session, sql: &str) -> anyhow::Result<()> {
    if ["edges", "wagers_theo"]
        .iter()
        .any(|table| sql.contains(table))
    {
        tell_edges(session, &Config::load(None)?.rulebook()?, Period::ALL).await?;
    }
    Ok(())
}

/// A named query and its values. What is missing is asked for where somebody is there to answer.
fn with_values(name: &str, args: &Args) -> (&'static NamedQuery, BTreeMap<String, String>) {
    let query = named::find(name).unwrap_or_else(|error| misused(&error));
    let mut values: BTreeMap<_, _> = args.params.iter().cloned().collect();
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        line::ask_for_values(query, &mut values);
    }
    (query, values)
}

/// Whether a question was asked in a way that no archive can answer.
fn is_misuse(error: &Error) -> bool {
    matches!(
        error,
        Error::UnknownParameter(_) | Error::MissingParameters { .. } | Error::ParameterValue { .. }
    )
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
    write_to(answer, args, &mut out).await?;
    out.flush()?;
    Ok(Verdict::Fine)
}

async fn write_to(answer: Answer, args: &Args, out: &mut (dyn Write + Send)) -> anyhow::Result<()> {
    let format = match args.format {
        Form::Table => return shown::show(answer, out).await,
        Form::Csv => Format::Csv(match args.money {
            MoneyForm::Cents => Money::Cents,
            MoneyForm::Dollars => Money::Dollars,
        }),
        Form::Json => Format::Json,
        Form::Parquet => Format::Parquet,
        Form::Arrow => Format::Arrow,
        Form::Xlsx => Format::Xlsx,
    };
    answer.write(format, out).await?;
    Ok(())
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}
