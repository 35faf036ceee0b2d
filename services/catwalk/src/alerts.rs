//! `catwalk alerts`: who is told of incidents outside of the room.

use std::io::{self, Write};
use std::path::PathBuf;

use catwalk_desk::outbox;
use clap::Subcommand;
use serde_json::Value;

use crate::config::Config;
use crate::desk::client::Client;
use crate::gateway::GatewayArgs;
use crate::{Verdict, bad_usage, output};

/// Who is told of incidents outside of the room: try a destination, see how far each is.
///
/// Destinations are [[alerts]] of the configuration (`catwalk up --print-config` says what one holds). The running
/// desk tells them; what could not be told is on their lists of dead letters.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    catwalk alerts test soc -c catwalk.toml     a letter that says it is a test\n  \
    catwalk alerts list                         how far each is, as the running desk says\n  \
    catwalk alerts list --json\n\n\
    Exit status: 0 fine, 1 it was not told, or one is in trouble, 2 bad usage.")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Send a letter that says it is a test.
    Test {
        /// The name of the destination.
        destination: String,
        /// The configuration.
        #[arg(short, long, value_name = "FILE")]
        config: PathBuf,
    },
    /// How far each destination is, and which letters were given up.
    List {
        #[command(flatten)]
        desk: GatewayArgs,
        /// As the desk answers.
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    match &args.command {
        Command::Test {
            destination,
            config,
        } => {
            let config = Config::load(Some(config))?;
            test(&config, destination)
        }
        Command::List { desk, json } => {
            let told = Client::open(desk)?.get("/alerts")?;
            match json {
                true => writeln!(io::stdout(), "{told}")?,
                false => list(&told)?,
            }
            let mut destinations = destinations(&told).iter();
            let is_well = told["desk_ok"] == true && destinations.all(is_well);
            Ok(if is_well {
                Verdict::Fine
            } else {
                Verdict::FoundWrong
            })
        }
    }
}

fn test(config: &Config, name: &str) -> anyhow::Result<Verdict> {
    let Some(destination) = config.alerts.iter().find(|one| one.name == name) else {
        let names: Vec<&str> = config.alerts.iter().map(|one| &*one.name).collect();
        let known = match names.is_empty() {
            true => "the configuration has none".to_owned(),
            false => format!("there are {}", names.join(", ")),
        };
        bad_usage(&format!("{name:?} is no destination: {known}"));
    };
    match outbox::test(destination) {
        Ok(id) => {
            writeln!(io::stdout(), "{name}: told ({id})")?;
            Ok(Verdict::Fine)
        }
        Err(why) => anyhow::bail!("{name}: not told: {why}"),
    }
}

fn destinations(told: &Value) -> &[Value] {
    told["destinations"].as_array().map_or(&[], Vec::as_slice)
}

fn is_well(one: &Value) -> bool {
    one["carried"] == true && one["failing"].is_null() && one["dead_letters"] == 0
}

fn list(told: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if told["desk_ok"] != true {
        writeln!(out, "THE DESK IS NOT AT WORK: nobody is told of anything")?;
    }
    let all = destinations(told);
    if all.is_empty() {
        return writeln!(
            out,
            "no destination that you may see: nobody is told outside of the room"
        );
    }
    let head = told["head"].as_u64().unwrap_or(0);
    let mut table = output::table(&["name", "kind", "to", "p", "behind", "told", "dead", "state"]);
    for one in all {
        let text = |field: &str| one[field].as_str().unwrap_or_default().to_owned();
        let behind = head.saturating_sub(one["offset"].as_u64().unwrap_or(0));
        let state = match one["failing"]["error"].as_str() {
            Some(error) => format!(
                "out of reach since {}: {error}",
                one["failing"]["since"].as_str().unwrap_or_default()
            ),
            None if one["carried"] != true => "not carried from here".to_owned(),
            None => "well".to_owned(),
        };
        table.add_row([
            text("name"),
            text("kind"),
            text("to"),
            one["priority"].to_string(),
            behind.to_string(),
            one["delivered"].to_string(),
            one["dead_letters"].to_string(),
            state,
        ]);
    }
    writeln!(out, "{table}")?;
    for one in all {
        for dead in one["dead"].as_array().into_iter().flatten() {
            let text = |field: &str| dead[field].as_str().unwrap_or_default();
            writeln!(
                out,
                "given up: {} {} {} at {}: {}",
                one["name"].as_str().unwrap_or_default(),
                text("type"),
                text("id"),
                text("at"),
                text("error")
            )?;
        }
    }
    Ok(())
}
