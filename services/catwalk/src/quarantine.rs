//! `catwalk quarantine`: records that could not be read or used.

use std::io::{self, Write};

use anyhow::Context;
use catwalk_events::audit::Quarantined;
use catwalk_events::{Event, json};
use catwalk_settler::quarantine::{self, Id};
use serde_json::json;

use crate::log::{LogArgs, LogChoice};
use crate::{Verdict, bad_usage, output};

/// Look at records that could not be read or used, and send them again.
///
/// What the settler cannot read (bad Avro, an unknown schema, an event that means nothing where it
/// stands) goes whole to audit.quarantine, and its table goes on. Each has an id there: PARTITION/OFFSET.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  catwalk quarantine --log embedded:data/log list\n  \
    catwalk quarantine --log kafka://localhost:9092 show 3/17\n  \
    catwalk quarantine --log kafka://localhost:9092 retry 3/17 3/18"
)]
pub(crate) struct Args {
    #[command(flatten)]
    log: LogArgs,

    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// One line each: id, when, table, where it came from, why.
    List {
        /// JSON lines instead of a table.
        #[arg(long)]
        json: bool,

        /// No more than so many.
        #[arg(long, value_name = "N")]
        limit: Option<usize>,
    },
    /// One in full: the reason, the event if it can be read by now, the bytes.
    Show {
        /// PARTITION/OFFSET, as `list` has it.
        id: String,
    },
    /// Send what can be read by now to floor.events again, as it was.
    Retry {
        /// PARTITION/OFFSET, as `list` has it.
        #[arg(required = true)]
        ids: Vec<String>,
    },
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let Some(choice) = args.log.choice() else {
        bad_usage("say which log: --log embedded:DIR or --log kafka://HOST:PORT");
    };
    match &args.command {
        Command::List { json, limit } => list(&choice, *json, limit.unwrap_or(usize::MAX)),
        Command::Show { id } => show(&choice, parse(id)),
        Command::Retry { ids } => {
            retry(&choice, &ids.iter().map(|id| parse(id)).collect::<Vec<_>>())
        }
    }
}

fn parse(id: &str) -> Id {
    id.parse()
        .unwrap_or_else(|error: quarantine::QuarantineError| bad_usage(&error.to_string()))
}

fn list(choice: &LogChoice, as_json: bool, limit: usize) -> anyhow::Result<Verdict> {
    let log = choice.open_existing()?;
    let mut lines = Vec::new();
    quarantine::list(&*log, &choice.formats()?, |id, found| {
        if lines.len() >= limit {
            return false;
        }
        lines.push((id, found));
        true
    })?;
    let mut out = io::stdout().lock();
    if as_json {
        for (id, found) in &lines {
            let line = match found {
                Ok(found) => json!({
                    "id": id.to_string(), "at": found.at.to_string(), "property": found.property,
                    "table": found.table, "seq": found.seq, "topic": found.topic,
                    "partition": found.partition, "offset": found.offset, "reason": found.reason,
                }),
                Err(error) => json!({"id": id.to_string(), "error": error.to_string()}),
            };
            writeln!(out, "{line}")?;
        }
        return Ok(Verdict::Fine);
    }
    if lines.is_empty() {
        writeln!(out, "nothing is in quarantine")?;
        return Ok(Verdict::Fine);
    }
    let mut table = output::table(&["id", "written", "table", "event", "came from", "why"]);
    for (id, found) in lines {
        match found {
            Ok(found) => table.add_row([
                id.to_string(),
                found
                    .at
                    .to_string()
                    .get(..19)
                    .unwrap_or_default()
                    .to_owned(),
                found.table.clone().unwrap_or_default(),
                found.seq.map(|seq| seq.to_string()).unwrap_or_default(),
                format!("{}/{} at {}", found.topic, found.partition, found.offset),
                found.reason,
            ]),
            Err(error) => table.add_row([id.to_string(), error.to_string()]),
        };
    }
    writeln!(out, "{table}")?;
    Ok(Verdict::Fine)
}

fn show(choice: &LogChoice, id: Id) -> anyhow::Result<Verdict> {
    let log = choice.open_existing()?;
    let formats = choice.formats()?;
    let found = quarantine::show(&*log, &formats, id)?;
    let value = found.value.as_deref().unwrap_or_default();
    let mut out = io::stdout().lock();
    writeln!(out, "reason   {}", found.reason)?;
    writeln!(
        out,
        "from     {}/{} at offset {}",
        found.topic, found.partition, found.offset
    )?;
    writeln!(out, "written  {}", found.at)?;
    writeln!(
        out,
        "key      {}",
        String::from_utf8_lossy(found.key.as_deref().unwrap_or_default())
    )?;
    match formats.read_event(value) {
        Ok(event) => writeln!(out, "event    {}", json::write(&event)?)?,
        Err(error) => writeln!(out, "event    none: {error}")?,
    }
    writeln!(out, "value    {} bytes", value.len())?;
    write_hex(&mut out, &found)?;
    Ok(Verdict::Fine)
}

/// Sixteen bytes a line, as `hexdump -C` has them.
fn write_hex(out: &mut impl Write, found: &Quarantined) -> io::Result<()> {
    let value = found.value.as_deref().unwrap_or_default();
    for (line, bytes) in value.chunks(16).enumerate() {
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let text: String = bytes
            .iter()
            .map(|byte| {
                if (0x20..0x7f).contains(byte) {
                    char::from(*byte)
                } else {
                    '.'
                }
            })
            .collect();
        writeln!(out, "{:08x}  {:<47}  {text}", line * 16, hex.join(" "))?;
    }
    Ok(())
}

fn retry(choice: &LogChoice, ids: &[Id]) -> anyhow::Result<Verdict> {
    let log = choice.open_existing()?;
    let formats = choice.formats()?;
    let mut verdict = Verdict::Fine;
    for id in ids {
        let sent = quarantine::retry(&*log, &formats, *id).with_context(|| id.to_string());
        match sent {
            Ok(Event { table, seq, .. }) => println!("{id}: event {seq} of {table} was sent again"),
            Err(error) => {
                eprintln!("catwalk: {error:#}");
                verdict = Verdict::FoundWrong;
            }
        }
    }
    Ok(verdict)
}
