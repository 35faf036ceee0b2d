//! `catwalk doctor`: looks at an installation, says what it looked at, and what to do.

mod archive;
mod clock;
mod disk;
mod log;
mod people;
mod ports;
mod tls;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Serialize;

use crate::config::{Config, Service};
use crate::{Verdict, output};

/// Look at an installation, and say what is wrong with it and what to do.
///
/// Configuration, rules, log, archive, users, TLS, disk space, clock and ports. Nothing is changed and nothing is made,
/// but for what every opening of an embedded log puts right. A line is "ok" for what was looked at and found good,
/// "warn" for what somebody should know or could not be looked at, "wrong" for what keeps the installation from working
/// or its records from being whole. One that is wrong makes the exit status 1.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  catwalk doctor\n  catwalk doctor -c /etc/catwalk/catwalk.toml\n  \
    sudo -u catwalk catwalk doctor -c /etc/catwalk/catwalk.toml --format json"
)]
pub(crate) struct Args {
    /// The configuration; without it, all settings have their defaults.
    #[arg(short, long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// How to write what was found.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people.
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Ok,
    Warn,
    Wrong,
}

impl State {
    const fn word(self) -> &'static str {
        match self {
            State::Ok => "ok",
            State::Warn => "warn",
            State::Wrong => "wrong",
        }
    }
}

/// One thing that was looked at, or could not be.
#[derive(Debug, Serialize)]
struct Line {
    check: &'static str,
    state: State,
    looked: bool,
    found: String,
    #[serde(rename = "do", skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

/// What was found, in the order of looking.
#[derive(Debug, Default)]
struct Report(Vec<Line>);

impl Report {
    fn ok(&mut self, check: &'static str, found: impl Into<String>) {
        self.add(check, State::Ok, true, found.into(), None);
    }

    fn warn(&mut self, check: &'static str, found: impl Into<String>, advice: impl Into<String>) {
        let advice = Some(advice.into());
        self.add(check, State::Warn, true, found.into(), advice);
    }

    fn wrong(&mut self, check: &'static str, found: impl Into<String>, advice: impl Into<String>) {
        let advice = Some(advice.into());
        self.add(check, State::Wrong, true, found.into(), advice);
    }

    fn not_looked_at(&mut self, check: &'static str, why: &str, advice: impl Into<String>) {
        let found = format!("not looked at: {why}");
        self.add(check, State::Warn, false, found, Some(advice.into()));
    }

    fn add(
        &mut self,
        check: &'static str,
        state: State,
        looked: bool,
        found: String,
        advice: Option<String>,
    ) {
        self.0.push(Line {
            check,
            state,
            looked,
            found,
            advice,
        });
    }

    fn count(&self, state: State) -> usize {
        self.0.iter().filter(|line| line.state == state).count()
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let mut report = Report::default();
    version(&mut report);
    if let Some(config) = config(&mut report, args.config.as_deref()) {
        examine(&mut report, &config);
    }
    let mut out = io::stdout().lock();
    match args.format {
        Form::Text => write_text(&report, &mut out)?,
        Form::Json => write_json(&report, &mut out)?,
    }
    Ok(match report.count(State::Wrong) {
        0 => Verdict::Fine,
        _ => Verdict::FoundWrong,
    })
}

fn examine(report: &mut Report, config: &Config) {
    rules(report, config);
    desk(report, config);
    let log = log::examine(report, config);
    archive::examine(report, config, &log);
    people::examine(report, config);
    tls::examine(report, config);
    disk::examine(report, config);
    clock::examine(report, config, &log);
    ports::examine(report, config, &log);
}

fn version(report: &mut Report) {
    let program = std::env::current_exe();
    let program = program.map_or_else(|_| "catwalk".to_owned(), |path| path.display().to_string());
    let found = format!("catwalk {}, {program}", env!("CARGO_PKG_VERSION"));
    report.ok("version", found);
}

fn config(report: &mut Report, file: Option<&Path>) -> Option<Config> {
    let named = match file {
        Some(file) => file.display().to_string(),
        None => "no file (-c): defaults and environment".to_owned(),
    };
    match Config::load(file) {
        Ok(config) => {
            let services = config.services.iter().map(|service| service.name());
            let services: Vec<&str> = services.collect();
            match services.is_empty() {
                false => report.ok("config", format!("{named}; runs {}", services.join(", "))),
                true => report.wrong(
                    "config",
                    format!("{named}; it runs nothing: services is empty"),
                    "name the services, such as services = [\"settler\", \"archiver\"]",
                ),
            }
            Some(config)
        }
        Err(error) => {
            report.wrong(
                "config",
                format!("{named}: {error:#}"),
                "put the setting right; `catwalk up --print-config` shows every setting",
            );
            report.not_looked_at(
                "the rest",
                "it is named by the configuration",
                "run this again when the configuration can be read",
            );
            None
        }
    }
}

impl Service {
    fn name(self) -> &'static str {
        match self {
            Service::Settler => "settler",
            Service::Archiver => "archiver",
            Service::Desk => "desk",
            Service::Console => "console",
            Service::Sql => "sql",
            Service::Gateway => "gateway",
            Service::Http => "http",
        }
    }
}

fn rules(report: &mut Report, config: &Config) {
    match config.rulebook() {
        Ok(rulebook) => {
            let (games, editions) = (rulebook.games().len(), rulebook.edition_names().len());
            let mut found = format!("{games} games, {editions} editions");
            if let houses @ 1.. = config.rules.editions.len() {
                found.push_str(&format!(", with {houses} of houses"));
            }
            report.ok("rules", found);
        }
        Err(error) => report.wrong(
            "rules",
            format!("{error:#}"),
            "`catwalk check` says what is wrong with an edition; [rules] names the folders",
        ),
    }
}

fn desk(report: &mut Report, config: &Config) {
    if !config.services.contains(&Service::Desk) {
        return;
    }
    match crate::up::room(config, false) {
        Ok(_) => report.ok("desk", "what presses how much can be read"),
        Err(error) => report.wrong(
            "desk",
            format!("{error:#}"),
            "put the file right, or leave desk.priorities empty for the built-in one",
        ),
    }
}

/// The user that this program runs as: whom a file belongs to that is made now.
fn own_uid() -> io::Result<u32> {
    use std::os::unix::fs::MetadataExt as _;
    Ok(tempfile::tempfile()?.metadata()?.uid())
}

/// The nearest folder that is there: the path itself, or what it would be made in.
fn nearest(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut folders = path.ancestors();
    let there = folders.find(|folder| folder.exists());
    there.unwrap_or(Path::new("/")).to_owned()
}

fn write_text(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let mut table = output::plain_table();
    for line in &report.0 {
        let mut text = line.found.clone();
        if let Some(advice) = &line.advice {
            text.push_str("\ndo: ");
            text.push_str(advice);
        }
        table.add_row([line.state.word(), line.check, &text]);
    }
    writeln!(out, "{table}")?;
    let (warn, wrong) = (report.count(State::Warn), report.count(State::Wrong));
    write!(
        out,
        "\n{} ok, {warn} warn, {wrong} wrong",
        report.count(State::Ok)
    )?;
    let unseen = report.0.iter().filter(|line| !line.looked);
    let unseen: Vec<&str> = unseen.map(|line| line.check).collect();
    match unseen.is_empty() {
        true => writeln!(out),
        false => writeln!(out, "; not looked at: {}", unseen.join(", ")),
    }
}

fn write_json(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let whole = serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"),
        "wrong": report.count(State::Wrong),
        "warn": report.count(State::Warn),
        "ok": report.count(State::Ok),
        "checks": report.0,
    });
    serde_json::to_writer_pretty(&mut *out, &whole)?;
    writeln!(out)
}
