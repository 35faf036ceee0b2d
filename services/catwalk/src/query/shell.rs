//! Questions one after the other: typed, from a file, or from standard input.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Read as _, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use catwalk_archive::{TABLES, Table};
use catwalk_query::{ReadingRoom, named};
use catwalk_rules::Refusal;
use rustyline::error::ReadlineError;

use super::script::{Statement, statements};
use super::{Args, Form, Watch, know_edges, line, name_and_value, shown, write_to};
use crate::{Verdict, bad_usage};

const HELP: &str = "Commands\n\
  \x20 SELECT ...;              a question in SQL; it may take many lines and ends with a semicolon
  \\d                       the tables
  \\d TABLE                 the columns of a table, with what they mean
  \\ask                     the named queries
  \\ask NAME k=v ...        asks a named query; what is missing is asked for
  \\timing                  shows how long answers take, or no longer does
  \\q                       ends; so does Ctrl-D
  Tab completes tables, columns and commands; Ctrl-R looks for what was typed before; Ctrl-C breaks a question off.";

/// Runs the shell, or what a file or standard input has.
pub(super) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let is_typed = args.file.is_none() && io::stdin().is_terminal();
    if !matches!(args.format, Form::Table | Form::Csv | Form::Json) {
        bad_usage("many questions have many answers: their format is table, csv or json");
    }
    if args.output.is_some() {
        bad_usage("many questions have many answers: redirect the output instead of -o");
    }
    if is_typed {
        return args
            .archive
            .with_room(args.bounds(), async |room| typed(&room, args).await);
    }
    let text = match &args.file {
        Some(file) => std::fs::read_to_string(file).with_context(|| file.display().to_string())?,
        None => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text)?;
            text
        }
    };
    args.archive
        .with_room(args.bounds(), async |room| script(&room, &text, args).await)
}

/// What is wrong with one statement stops none of those after it.
async fn script(room: &ReadingRoom, text: &str, args: &Args) -> anyhow::Result<Verdict> {
    let (mut found, rest) = statements(text);
    found.extend(rest);
    if found.is_empty() {
        bad_usage("there is no question: give one in SQL, or --named, or a file with -f");
    }
    let mut wrong = false;
    for Statement { line, text } in found {
        let (mut out, began) = (io::stdout(), Instant::now());
        let waited = match answer(room, &text, args, &mut out).await {
            Ok(waited) => waited,
            Err(error) if crate::is_broken_pipe(&error) => return Err(error),
            Err(error) => {
                out.flush()?;
                eprintln!("catwalk: line {line}: {error:#}");
                wrong = true;
                Duration::ZERO
            }
        };
        if args.timing {
            eprintln!("line {line}: {}", took(began, waited));
        }
    }
    Ok(if wrong {
        Verdict::FoundWrong
    } else {
        Verdict::Fine
    })
}

/// Answers a question. Returns for how long its records were waited for.
async fn answer(
    room: &ReadingRoom,
    sql: &str,
    args: &Args,
    out: &mut (dyn Write + Send),
) -> anyhow::Result<Duration> {
    let _watch = Watch::over(args.bounds().time);
    let session = room.session().await?;
    let (before, look) = (
        session.given(),
        args.look.ask(&args.archive.place()?, sql, None)?,
    );
    let answered = async {
        know_edges(&session, sql).await?;
        write_to(session.sql(sql).await?, args, out).await?;
        anyhow::Ok(out.flush()?)
    };
    let answered = answered.await;
    look.timed(session.given() - before, answered)
}

/// How long questions took, and for how much of that their records were waited for.
fn took(began: Instant, waited: Duration) -> String {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let (all, waited) = (ms(began.elapsed()), ms(waited));
    format!("{all:.1} ms, {waited:.1} ms of them for the record")
}

/// What was typed.
enum Input {
    Nothing,
    Questions(Vec<Statement>),
    Tables,
    Columns(&'static Table),
    Queries,
    Named(String, BTreeMap<String, String>),
    Timing,
    Help,
    Quit,
    Wrong(String),
}

async fn typed(room: &ReadingRoom, args: &Args) -> anyhow::Result<Verdict> {
    let mut editor = line::editor()?;
    // What is wrong with the archive is said before anything is typed.
    room.session().await?;
    println!(
        "catwalk {}: SQL over the archive; \\? for help, \\q to end",
        env!("CARGO_PKG_VERSION")
    );
    let mut timing = args.timing;
    loop {
        let input = match editor.readline("catwalk> ") {
            Ok(text) => {
                editor.add_history_entry(text.trim())?;
                read(&text)
            }
            Err(ReadlineError::Interrupted) => Input::Nothing,
            Err(ReadlineError::Eof) => Input::Quit,
            Err(error) => return Err(error.into()),
        };
        let (began, mut waited) = (Instant::now(), Duration::ZERO);
        let done = match input {
            Input::Nothing => continue,
            Input::Quit => break,
            Input::Wrong(wrong) => {
                eprintln!("{wrong}");
                continue;
            }
            Input::Timing => {
                timing = !timing;
                println!("Timing is {}.", if timing { "on" } else { "off" });
                continue;
            }
            Input::Help => paged(HELP.as_bytes()),
            Input::Tables => told(|out| Ok(shown::table_names(out)?)),
            Input::Columns(table) => told(|out| Ok(shown::columns(table, out)?)),
            Input::Queries => told(|out| shown::list(out)),
            Input::Questions(questions) => ask(room, &questions, args, &mut waited).await,
            Input::Named(name, values) => ask_named(room, &name, values, args, &mut waited).await,
        };
        if let Err(error) = done {
            eprintln!("{error:#}");
        }
        if timing {
            println!("Time: {}", took(began, waited));
        }
    }
    line::keep(&mut editor);
    Ok(Verdict::Fine)
}

fn read(text: &str) -> Input {
    let text = text.trim();
    let Some(command) = text.strip_prefix('\\') else {
        return match statements(text) {
            (questions, None) if questions.is_empty() => Input::Nothing,
            (mut questions, rest) => {
                questions.extend(rest);
                Input::Questions(questions)
            }
        };
    };
    let mut words = command.trim_end_matches(';').split_whitespace();
    match (words.next().unwrap_or_default(), words.next()) {
        ("q" | "quit", None) => Input::Quit,
        ("?" | "h" | "help", None) => Input::Help,
        ("timing", None) => Input::Timing,
        ("d" | "dt", None) => Input::Tables,
        ("d", Some(name)) => match Table::named(name) {
            Some(table) => Input::Columns(table),
            None => {
                let known = TABLES.map(|table| table.name);
                let refusal = Refusal::unknown("", name, "a table of the archive", &known);
                Input::Wrong(refusal.to_string())
            }
        },
        ("ask", None) => Input::Queries,
        ("ask", Some(name)) => match words.map(name_and_value).collect() {
            Ok(values) => Input::Named(name.to_owned(), values),
            Err(wrong) => Input::Wrong(wrong),
        },
        _ => Input::Wrong(format!("\\{command} is no command: \\? shows them")),
    }
}

async fn ask(
    room: &ReadingRoom,
    questions: &[Statement],
    args: &Args,
    waited: &mut Duration,
) -> anyhow::Result<()> {
    for question in questions {
        let mut shown = Vec::new();
        *waited += interruptible(answer(room, &question.text, args, &mut shown)).await?;
        paged(&shown)?;
    }
    Ok(())
}

async fn ask_named(
    room: &ReadingRoom,
    name: &str,
    mut values: BTreeMap<String, String>,
    args: &Args,
    waited: &mut Duration,
) -> anyhow::Result<()> {
    let query = named::find(name)?;
    line::ask_for_values(query, &mut values);
    let mut shown = Vec::new();
    *waited += interruptible(async {
        let _watch = Watch::over(args.bounds().time);
        let session = room.session().await?;
        let parameters = Some(serde_json::json!(values).to_string());
        let archive = args.archive.place()?;
        let (before, look) = (session.given(), args.look.ask(&archive, name, parameters)?);
        let answered = async {
            know_edges(&session, &query.sql).await?;
            let answer = session.named(query, &values).await?;
            write_to(answer, args, &mut shown).await
        };
        let answered = answered.await;
        look.timed(session.given() - before, answered)
    })
    .await?;
    paged(&shown)
}

/// Ctrl-C breaks the question off, and not the shell.
async fn interruptible<T>(asked: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::select! {
        done = asked => done,
        interrupted = tokio::signal::ctrl_c() => {
            interrupted?;
            anyhow::bail!("broken off")
        }
    }
}

fn told(tell: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut text = Vec::new();
    tell(&mut text)?;
    paged(&text)
}

/// Shows a text, by way of a pager where it may be longer than the screen.
fn paged(text: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let lines = text.iter().filter(|byte| **byte == b'\n').count();
    if io::stdout().is_terminal() && lines > SCREEN_LINES {
        let pager = std::env::var("PAGER").unwrap_or_else(|_| "less -FRSX".to_owned());
        let mut words = pager.split_whitespace();
        let mut pager = Command::new(words.next().unwrap_or("less"));
        if let Ok(mut pager) = pager.args(words).stdin(Stdio::piped()).spawn() {
            if let Some(mut stdin) = pager.stdin.take() {
                // Whoever leaves the pager early has seen enough.
                let _ = stdin.write_all(text);
            }
            pager.wait()?;
            return Ok(());
        }
    }
    out.write_all(text)?;
    if !text.ends_with(b"\n") {
        writeln!(out)?;
    }
    Ok(out.flush()?)
}

/// What a terminal shows at least.
const SCREEN_LINES: usize = 20;
