//! Incidents as they change, from the stream of a running desk.

use std::io::{self, BufRead, BufReader, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::Value;

use super::{Args, Format, Least};
use crate::Verdict;
use crate::desk::client::Client;
use crate::desk::{refuse_for_incidents, show};

/// The desk gives a sign of life each second.
const SILENCE: Duration = Duration::from_secs(5);

pub(super) fn run(args: &Args) -> anyhow::Result<Verdict> {
    refuse_for_incidents(args.severity as u8 != Least::Info as u8, "--severity");
    refuse_for_incidents(args.from_start, "--from-start");
    refuse_for_incidents(args.config.is_some(), "--config");
    let desk = Client::open(&args.gateway)?;
    let listed = desk.get("/incidents?status=open&limit=20000")?;
    let offset = listed["offset"]
        .as_u64()
        .context("the desk tells no offset")?;
    let generation = listed["generation"].as_str().unwrap_or_default();
    let body = desk.stream(offset, generation)?;
    let lines = read_aside(BufReader::new(body.into_reader()))?;
    let open = listed["incidents"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let mut open: Vec<&Value> = open.iter().filter(|one| args.wants_incident(one)).collect();
    open.sort_by_key(|one| one["last"].as_str().unwrap_or_default());
    let last = usize::try_from(args.last).unwrap_or(usize::MAX);
    for one in open.iter().skip(open.len().saturating_sub(last)) {
        args.show_incident(one)?;
    }
    follow(args, &lines)
}

/// Reads lines on a thread of their own, so that silence can be told from quiet.
fn read_aside(reader: impl BufRead + Send + 'static) -> io::Result<Receiver<io::Result<String>>> {
    let (sender, lines) = mpsc::sync_channel(1_024);
    let thread = thread::Builder::new().name("stream".to_owned());
    thread.spawn(move || {
        for line in reader.lines() {
            let failed = line.is_err();
            if sender.send(line).is_err() || failed {
                break;
            }
        }
    })?;
    Ok(lines)
}

fn follow(args: &Args, lines: &Receiver<io::Result<String>>) -> anyhow::Result<Verdict> {
    let mut event = String::new();
    let mut was_ok = true;
    loop {
        let line = match lines.recv_timeout(SILENCE) {
            Ok(line) => line.context("the stream broke off, and nothing more will be shown")?,
            Err(RecvTimeoutError::Timeout) => {
                bail!(
                    "the desk has given no sign of life for {SILENCE:?}: nothing more will be shown"
                )
            }
            // Silence must not be taken for a quiet floor.
            Err(RecvTimeoutError::Disconnected) => {
                bail!("the desk has ended, and nothing more will be shown")
            }
        };
        if let Some(name) = line.strip_prefix("event: ") {
            event = name.to_owned();
        } else if let Some(data) = line.strip_prefix("data: ") {
            let data: Value = serde_json::from_str(data)?;
            match &*event {
                "incident" if args.wants_incident(&data) => args.show_incident(&data)?,
                "heartbeat" => {
                    let is_ok = data["log"]["ok"] == true;
                    match (was_ok, is_ok) {
                        (true, false) => eprintln!("catwalk: the desk hears nothing from its log"),
                        (false, true) => eprintln!("catwalk: the desk hears its log again"),
                        _ => {}
                    }
                    was_ok = is_ok;
                }
                "reset" => bail!("{}", data["why"].as_str().unwrap_or("begin anew")),
                _ => {}
            }
        }
    }
}

impl Args {
    fn wants_incident(&self, one: &Value) -> bool {
        let codes = || {
            one["codes"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
        };
        one["priority"]
            .as_u64()
            .is_some_and(|priority| priority <= u64::from(self.priority))
            && self
                .table
                .as_ref()
                .is_none_or(|table| one["table"] == table.as_str())
            && self
                .code
                .as_ref()
                .is_none_or(|code| codes().any(|own| own.starts_with(code.as_str())))
    }

    fn show_incident(&self, one: &Value) -> anyhow::Result<()> {
        let line = match self.format {
            Format::Line => show::line(one),
            Format::Json => one.to_string(),
        };
        let mut out = io::stdout().lock();
        writeln!(out, "{line}")?;
        Ok(out.flush()?)
    }
}
