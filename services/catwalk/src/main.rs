//! The one binary: every service is a subcommand of it.

#[cfg(feature = "services")]
mod alert;
#[cfg(feature = "services")]
mod alerts;
#[cfg(feature = "services")]
mod archive;
mod audit;
#[cfg(feature = "services")]
mod bench;
#[cfg(feature = "services")]
mod case;
mod check;
mod config;
#[cfg(feature = "services")]
mod demo;
#[cfg(feature = "services")]
mod desk;
#[cfg(feature = "services")]
mod doctor;
mod editions;
#[cfg(feature = "services")]
mod erase;
#[cfg(feature = "services")]
mod evidence;
mod feed;
mod findings;
#[cfg(feature = "services")]
mod follow;
mod gateway;
mod input;
mod log;
mod log_files;
mod manual;
mod odds;
mod output;
#[cfg(feature = "services")]
mod proof;
mod quarantine;
#[cfg(feature = "services")]
mod query;
#[cfg(feature = "services")]
mod replay;
#[cfg(feature = "services")]
mod report;
#[cfg(feature = "services")]
mod round;
mod rules;
mod score;
mod settle;
mod simulate;
#[cfg(feature = "services")]
mod up;
#[cfg(feature = "services")]
mod users;
#[cfg(feature = "services")]
mod verify;
#[cfg(feature = "services")]
mod watch;
#[cfg(feature = "services")]
mod witness;

use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use mimalloc::MiMalloc;

/// A settler makes and drops many small things, on one thread and on another.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Re-settles every round dealt on a casino floor against the rules of the game.
#[derive(Parser)]
#[command(version, max_term_width = 100, after_help = EXIT_STATUS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_STATUS: &str = "Exit status: 0 fine, 1 something was found wrong, 2 bad usage.\n\
    `catwalk <command> --help` explains a command with examples.";

#[derive(Subcommand)]
enum Command {
    Settle(settle::Args),
    Rules(rules::Args),
    Odds(odds::Args),
    Audit(audit::Args),
    Check(check::Args),
    Feed(feed::Args),
    Simulate(simulate::Args),
    Score(score::Args),
    Quarantine(quarantine::Args),
    Log(log_files::Args),
    #[cfg(feature = "services")]
    #[command(flatten)]
    Service(Service),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

/// What runs beside the floor, and what asks it.
#[cfg(feature = "services")]
#[derive(Subcommand)]
enum Service {
    Demo(demo::Args),
    Up(up::Args),
    Watch(watch::Args),
    Desk(desk::Args),
    Alerts(alerts::Args),
    Bench(bench::Args),
    Query(query::Args),
    Report(report::Args),
    Round(round::Args),
    Replay(replay::Args),
    Verify(verify::Args),
    Evidence(evidence::Args),
    Case(case::Args),
    Erase(erase::Args),
    Proof(proof::Args),
    Witness(witness::Args),
    Users(users::Args),
    Archive(archive::Args),
    Doctor(doctor::Args),
}

#[cfg(feature = "services")]
impl Service {
    fn run(&self) -> anyhow::Result<Verdict> {
        match self {
            Service::Demo(args) => demo::run(args),
            Service::Up(args) => up::run(args),
            Service::Watch(args) => watch::run(args),
            Service::Desk(args) => desk::run(args),
            Service::Alerts(args) => alerts::run(args),
            Service::Bench(args) => bench::run(args),
            Service::Query(args) => query::run(args),
            Service::Report(args) => report::run(args),
            Service::Round(args) => round::run(args),
            Service::Replay(args) => replay::run(args),
            Service::Verify(args) => verify::run(args),
            Service::Evidence(args) => evidence::run(args),
            Service::Case(args) => case::run(args),
            Service::Erase(args) => erase::run(args),
            Service::Proof(args) => proof::run(args),
            Service::Witness(args) => witness::run(args),
            Service::Users(args) => users::run(args),
            Service::Archive(args) => archive::run(args),
            Service::Doctor(args) => doctor::run(args),
        }
    }
}

/// What a command found.
enum Verdict {
    Fine,
    FoundWrong,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Settle(args) => settle::run(&args),
        Command::Rules(args) => rules::run(&args),
        Command::Odds(args) => odds::run(&args),
        Command::Audit(args) => audit::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Feed(args) => feed::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Quarantine(args) => quarantine::run(&args),
        Command::Log(args) => log_files::run(&args),
        Command::Score(args) => score::run(&args),
        #[cfg(feature = "services")]
        Command::Service(service) => service.run(),
        Command::Completions(args) => manual::completions(&args, Cli::command()),
        Command::Man(args) => manual::pages(&args, Cli::command()),
    };
    match result {
        Ok(Verdict::Fine) => ExitCode::SUCCESS,
        Ok(Verdict::FoundWrong) => ExitCode::FAILURE,
        // The reader of our output went away, as `head` does: nothing is wrong.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("catwalk: {}", told(&error));
            ExitCode::FAILURE
        }
    }
}

/// An error with its causes, of which some have said theirs already.
fn told(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !text.ends_with(&cause) {
            let joint = if text.is_empty() { "" } else { ": " };
            text.push_str(joint);
            text.push_str(&cause);
        }
    }
    text
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    // A server that went away breaks a pipe as well, and what it was asked was not done.
    let of_server = error
        .chain()
        .any(|cause| cause.downcast_ref::<ureq::Error>().is_some());
    let broken = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe);
    broken && !of_server
}

/// Ends the program with a message about how it was called.
fn bad_usage(message: &str) -> ! {
    eprintln!("catwalk: {message}");
    std::process::exit(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_told_once() {
        let denied = || io::Error::from(io::ErrorKind::PermissionDenied);
        let error = anyhow::Error::from(denied()).context(format!("cannot open x: {}", denied()));
        assert_eq!(told(&error), "cannot open x: permission denied");
        let error = anyhow::Error::from(denied()).context("cannot open x");
        assert_eq!(told(&error), "cannot open x: permission denied");
    }

    #[test]
    fn a_server_that_went_away_is_no_reader_that_has_seen_enough() {
        let broken = || io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(is_broken_pipe(&anyhow::Error::from(broken())));
        let asked = anyhow::Error::from(ureq::Error::Io(broken())).context("http://127.0.0.1:1");
        assert!(!is_broken_pipe(&asked));
    }
}
