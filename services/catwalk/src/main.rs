//! The one binary: every service is a subcommand of it.

mod alert;
mod alerts;
mod archive;
mod audit;
mod bench;
mod case;
mod check;
mod config;
mod demo;
mod desk;
mod doctor;
mod editions;
mod erase;
mod evidence;
mod feed;
mod findings;
mod follow;
mod gateway;
mod input;
mod log;
mod log_files;
mod manual;
mod odds;
mod output;
mod proof;
mod quarantine;
mod query;
mod replay;
mod report;
mod round;
mod rules;
mod score;
mod settle;
mod simulate;
mod up;
mod users;
mod verify;
mod watch;
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
    Quarantine(quarantine::Args),
    Log(log_files::Args),
    Demo(demo::Args),
    Up(up::Args),
    Watch(watch::Args),
    Desk(desk::Args),
    Alerts(alerts::Args),
    Score(score::Args),
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
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
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
        Command::Demo(args) => demo::run(&args),
        Command::Up(args) => up::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Desk(args) => desk::run(&args),
        Command::Alerts(args) => alerts::run(&args),
        Command::Score(args) => score::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Query(args) => query::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Round(args) => round::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Evidence(args) => evidence::run(&args),
        Command::Case(args) => case::run(&args),
        Command::Erase(args) => erase::run(&args),
        Command::Proof(args) => proof::run(&args),
        Command::Witness(args) => witness::run(&args),
        Command::Users(args) => users::run(&args),
        Command::Archive(args) => archive::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Completions(args) => manual::completions(&args, Cli::command()),
        Command::Man(args) => manual::pages(&args, Cli::command()),
    };
    match result {
        Ok(Verdict::Fine) => ExitCode::SUCCESS,
        Ok(Verdict::FoundWrong) => ExitCode::FAILURE,
        // The reader of our output went away, as `head` does: nothing is wrong.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("catwalk: {error:#}");
            ExitCode::FAILURE
        }
    }
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
    fn a_server_that_went_away_is_no_reader_that_has_seen_enough() {
        let broken = || io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(is_broken_pipe(&anyhow::Error::from(broken())));
        let asked = anyhow::Error::from(ureq::Error::Io(broken())).context("http://127.0.0.1:1");
        assert!(!is_broken_pipe(&asked));
    }
}
