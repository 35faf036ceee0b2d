//! `catwalk watch`: findings as they come, or incidents.

mod incidents;

use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;

use anyhow::Context;
use catwalk_events::audit::Finding;
use catwalk_events::json;
use catwalk_rules::book::Severity;
use clap::ValueEnum;

use crate::Verdict;
use crate::alert::Lines;
use crate::config::{Config, Home};
use crate::follow::{self, From};
use crate::gateway::{Gateway, GatewayArgs};

/// Show findings as they come, one line each: when by the clock of the house, how grave, table, round
/// and seat, what is at stake, the finding's id, and why.
///
/// On Kafka they are read from the topic; on the embedded log, which one program has open, from the
/// web server of the `catwalk up` that runs there. With `--url` they are read from the gateway of a
/// service, here or elsewhere, by somebody who may see them.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    catwalk watch\n  \
    catwalk watch -c catwalk.toml --severity critical --table BJ-07\n  \
    catwalk watch --format json | jq .message\n  \
    catwalk watch --incidents              what a room works on, as it changes\n  \
    catwalk watch --url http://127.0.0.1:9490 --token-file anna.token")]
pub(crate) struct Args {
    /// The configuration of the log and the web server.
    #[arg(short, long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Show incidents in place of findings, from the HTTP API of a running desk: each when it changes.
    #[arg(long)]
    incidents: bool,

    /// With --incidents: leave out what presses less than this.
    #[arg(long, value_name = "1-4", default_value_t = 4, requires = "incidents",
        value_parser = clap::value_parser!(u8).range(1..=4))]
    priority: u8,

    /// Leave out what is less grave.
    #[arg(long, value_enum, default_value_t = Least::Info)]
    severity: Least,

    /// Only this table.
    #[arg(long)]
    table: Option<String>,

    /// Only codes that begin like this, such as `pay.`.
    #[arg(long)]
    code: Option<String>,

    /// Begin with so many of those that are there.
    #[arg(long, value_name = "N", default_value_t = 10)]
    last: u64,

    /// Begin with the first finding that is kept.
    #[arg(long, conflicts_with = "last")]
    from_start: bool,

    /// `line` for people, `json` for programs.
    #[arg(long, value_enum, default_value_t = Format::Line)]
    format: Format,

    #[command(flatten)]
    gateway: GatewayArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Least {
    Info,
    Warn,
    Critical,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Line,
    Json,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    if args.incidents {
        return incidents::run(args);
    }
    let config = Config::load(args.config.as_deref())?;
    let lines = Lines::for_stdout(&config.archive.time_zone);
    if let Some(gateway) = args.gateway.choice()? {
        return watch_gateway(args, &gateway, &lines);
    }
    match config.log.home {
        Home::Kafka => {
            let from = if args.from_start {
                From::Start
            } else {
                From::Last(args.last)
            };
            let log = config.log_choice().open_existing()?;
            let mut findings = follow::findings(&*log, config.log_choice().formats()?, from)?;
            loop {
                for finding in findings.next(follow::PATIENCE)? {
                    args.show(&finding, &lines)?;
                }
                for what in findings.unread() {
                    eprintln!("catwalk: {what}");
                }
            }
        }
        Home::Embedded => watch_server(args, &config, &lines),
    }
}

fn watch_server(args: &Args, config: &Config, lines: &Lines) -> anyhow::Result<Verdict> {
    let url = format!("http://{}/findings?{}", config.http.listen, args.from());
    let hint = || format!("{url}: is `catwalk up` running with this configuration?");
    let answer = ureq::get(&url).call().with_context(hint)?;
    let answer = BufReader::new(answer.into_body().into_reader());
    args.show_lines(answer, &url, lines)
}

fn watch_gateway(args: &Args, gateway: &Gateway, lines: &Lines) -> anyhow::Result<Verdict> {
    let answer = gateway.follow(&format!("/api/v1/findings?{}", args.from()))?;
    args.show_lines(answer, gateway.url(), lines)
}

impl Args {
    fn from(&self) -> String {
        match self.from_start {
            true => "all=true".to_owned(),
            false => format!("last={}", self.last),
        }
    }

    fn show_lines(
        &self,
        answer: impl BufRead,
        url: &str,
        lines: &Lines,
    ) -> anyhow::Result<Verdict> {
        for line in answer.lines() {
            let line = line.with_context(|| format!("{url} has stopped"))?;
            match told_unread(&line) {
                Some(what) => eprintln!("catwalk: {what}"),
                None => self.show(&json::read_finding(&line)?, lines)?,
            }
        }
        // Silence must not be taken for a quiet floor.
        anyhow::bail!("{url}: `catwalk up` has ended, and nothing more will be shown")
    }

    fn show(&self, finding: &Finding, lines: &Lines) -> anyhow::Result<()> {
        if !self.wants(finding) {
            return Ok(());
        }
        let line = match self.format {
            Format::Line => lines.line(finding),
            Format::Json => json::write_finding(finding)?,
        };
        let mut out = io::stdout().lock();
        writeln!(out, "{line}")?;
        Ok(out.flush()?)
    }

    fn wants(&self, finding: &Finding) -> bool {
        let least = match self.severity {
            Least::Info => Severity::Info,
            Least::Warn => Severity::Warn,
            Least::Critical => Severity::Critical,
        };
        finding.severity >= least
            && self
                .table
                .as_ref()
                .is_none_or(|table| *table == finding.table)
            && self
                .code
                .as_ref()
                .is_none_or(|code| finding.code.starts_with(code.as_str()))
    }
}

/// A line that is no finding, but says that there was something that could not be read.
fn told_unread(line: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Unread {
        unread: String,
    }
    let told: Unread = serde_json::from_str(line).ok()?;
    Some(told.unread)
}
