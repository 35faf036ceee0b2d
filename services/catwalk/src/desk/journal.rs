//! The room's log and the report of a shift, in the terminal.

use std::io::{self, Write};

use catwalk_events::audit::EntryKind;
use clap::ValueEnum;
use clap::builder::PossibleValuesParser;
use serde_json::{Map, Value, json};

use super::client::{Client, escaped};
use super::new_id;
use crate::Verdict;

const ZONE: &str = "a moment with its zone, such as 2026-11-15T22:00:00-05:00";

#[derive(clap::Args)]
pub(super) struct Wanted {
    /// Of one property only.
    #[arg(long)]
    property: Option<String>,
    #[arg(long, value_name = "MOMENT", help = ZONE)]
    from: Option<String>,
    #[arg(long, value_name = "MOMENT", help = "The same: entries before it")]
    until: Option<String>,
    #[arg(long, value_parser = PossibleValuesParser::new(EntryKind::ALL.map(EntryKind::name)))]
    kind: Option<String>,
    /// Words that are somewhere in it.
    #[arg(short, long, value_name = "WORDS")]
    query: Option<String>,
    /// So many at most.
    #[arg(long, default_value_t = 200)]
    limit: u32,
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
}

#[derive(clap::Args)]
pub(super) struct Written {
    /// What happened, in your words.
    summary: String,
    #[arg(
        long,
        default_value = "observation",
        value_parser = PossibleValuesParser::new(["observation", "watched", "camera_outage", "notification"])
    )]
    kind: String,
    /// The property, if you watch several.
    #[arg(long)]
    property: Option<String>,
    #[arg(long)]
    table: Option<String>,
    /// Where, if it is no table.
    #[arg(long)]
    place: Option<String>,
    /// Who was in it; may be given several times.
    #[arg(long = "person", value_name = "WHO")]
    persons: Vec<String>,
    /// Who or what gave rise to it.
    #[arg(long)]
    initiator: Option<String>,
    /// Why it was looked at.
    #[arg(long)]
    reason: Option<String>,
    /// The code of a finding, or a section of the rules.
    #[arg(long)]
    violation: Option<String>,
    #[arg(long, value_name = "MOMENT", help = "Where the recording begins")]
    recording_from: Option<String>,
    #[arg(long, value_name = "MOMENT", help = "Where the recording ends")]
    recording_until: Option<String>,
    /// What became of it.
    #[arg(long)]
    outcome: Option<String>,
    /// The number of the entry that this one corrects.
    #[arg(long, value_name = "NUMBER", conflicts_with = "kind")]
    corrects: Option<u64>,
}

#[derive(clap::Args)]
pub(super) struct Takeover {
    /// The number of the hand-over, as the log and the report of the shift say it.
    number: u64,
    /// What you were told, or found.
    #[arg(long, default_value = "taken over")]
    note: String,
    /// The property, if you watch several.
    #[arg(long)]
    property: Option<String>,
}

#[derive(clap::Args)]
pub(super) struct Shift {
    /// Of one property only.
    #[arg(long)]
    property: Option<String>,
    #[arg(
        long,
        value_name = "MOMENT",
        help = "Its begin: eight hours before its end without it"
    )]
    from: Option<String>,
    #[arg(long, value_name = "MOMENT", help = "Its end: now without it")]
    until: Option<String>,
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
}

#[derive(clap::Args)]
pub(super) struct Duties {
    /// Those that were done, or whose cause was explained, too.
    #[arg(long)]
    all: bool,
    /// What the texts ask for, and how each is watched.
    #[arg(long, conflicts_with = "all")]
    rules: bool,
    /// Of one property only.
    #[arg(long)]
    property: Option<String>,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    Text,
    Json,
    /// A page that prints.
    Html,
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Form::Text => "text",
            Form::Json => "json",
            Form::Html => "html",
        }
    }
}

/// A path with what of this is there.
fn path(path: &str, asked: &[(&str, Option<&str>)]) -> String {
    let given = asked
        .iter()
        .filter_map(|(name, value)| Some(format!("{name}={}", escaped((*value)?))));
    format!("{path}?{}", given.collect::<Vec<_>>().join("&"))
}

pub(super) fn read(desk: &Client, wanted: &Wanted) -> anyhow::Result<Verdict> {
    let limit = wanted.limit.to_string();
    let asked = path(
        "/log",
        &[
            ("property", wanted.property.as_deref()),
            ("from", wanted.from.as_deref()),
            ("until", wanted.until.as_deref()),
            ("kind", wanted.kind.as_deref()),
            ("q", wanted.query.as_deref()),
            ("limit", Some(&limit)),
            ("format", Some(wanted.format.name())),
        ],
    );
    print(&desk.page(&asked)?)
}

pub(super) fn shift(desk: &Client, wanted: &Shift) -> anyhow::Result<Verdict> {
    let asked = path(
        "/shift",
        &[
            ("property", wanted.property.as_deref()),
            ("from", wanted.from.as_deref()),
            ("until", wanted.until.as_deref()),
            ("format", Some(wanted.format.name())),
        ],
    );
    print(&desk.page(&asked)?)
}

/// Ends with 1 where something was missed and is still to be told.
pub(super) fn duties(desk: &Client, wanted: &Duties) -> anyhow::Result<Verdict> {
    let status = if wanted.all { "all" } else { "open" };
    let asked = [
        ("status", Some(status)),
        ("property", wanted.property.as_deref()),
    ];
    let told = desk.get(&path("/duties", &asked))?;
    let mut out = io::stdout();
    if wanted.json {
        writeln!(out, "{told}")?;
        return Ok(Verdict::Fine);
    }
    if wanted.rules {
        for rule in told["rules"].as_array().into_iter().flatten() {
            writeln!(out, "{}", of_rule(rule))?;
        }
        return Ok(Verdict::Fine);
    }
    let duties: Vec<&Value> = told["duties"].as_array().into_iter().flatten().collect();
    if duties.is_empty() {
        writeln!(
            out,
            "Nothing is to be told to anybody that the desk knows of."
        )?;
    }
    for duty in &duties {
        writeln!(out, "{}", of_duty(duty))?;
    }
    let is_late = |duty: &&&Value| duty["status"] == "missed" && duty["receipt"].is_null();
    match duties.iter().any(|duty| is_late(&duty)) {
        true => Ok(Verdict::FoundWrong),
        false => Ok(Verdict::Fine),
    }
}

fn of_duty(duty: &Value) -> String {
    let text = |name: &str| duty[name].as_str().unwrap_or_default();
    let receipt = &duty["receipt"];
    let how = match receipt["how"].as_str() {
        Some(how) => format!("; told {} by {}: {how}", receipt["at"], receipt["by"]),
        None => String::new(),
    };
    format!(
        "{}  {}  due {}  {} of {}, to {} ({}): {}{how}",
        text("id"),
        text("status"),
        text("due_by"),
        text("table"),
        text("property"),
        text("to"),
        text("section"),
        text("what"),
    )
}

fn of_rule(rule: &Value) -> String {
    let text = |name: &str| rule[name].as_str().unwrap_or_default();
    let codes = rule["found_as"].as_array().into_iter().flatten();
    let codes: Vec<&str> = codes.filter_map(Value::as_str).collect();
    let how = match (rule["by_hand"].as_str(), codes.is_empty()) {
        (Some(why), _) => format!("by hand: {why}"),
        (None, false) => format!("found as {}", codes.join(", ")),
        (None, true) => "watched, with a deadline".to_owned(),
    };
    format!(
        "{}: {}, {}, {}; {how}",
        text("section"),
        text("what"),
        text("to"),
        text("when")
    )
}

fn print(page: &str) -> anyhow::Result<Verdict> {
    writeln!(io::stdout(), "{}", page.trim_end())?;
    Ok(Verdict::Fine)
}

pub(super) fn write(desk: &Client, written: &Written) -> anyhow::Result<Verdict> {
    let kind = match written.corrects {
        Some(_) => "correction",
        None => written.kind.as_str(),
    };
    append(
        desk,
        &json!({
            "kind": kind,
            "summary": written.summary,
            "property": written.property,
            "table": written.table,
            "place": written.place,
            "persons": written.persons,
            "initiator": written.initiator,
            "reason": written.reason,
            "violation": written.violation,
            "recording_from": written.recording_from,
            "recording_until": written.recording_until,
            "outcome": written.outcome,
            "refers_to": written.corrects,
        }),
    )
}

pub(super) fn take_over(desk: &Client, over: &Takeover) -> anyhow::Result<Verdict> {
    append(
        desk,
        &json!({
            "kind": "take_over",
            "summary": over.note,
            "refers_to": over.number,
            "property": over.property,
        }),
    )
}

pub(super) fn hand_over(
    desk: &Client,
    to: &str,
    note: Option<&str>,
    property: Option<&str>,
) -> anyhow::Result<Verdict> {
    append(
        desk,
        &json!({
            "kind": "hand_over",
            "to": to,
            "summary": note.unwrap_or("the shift is handed over"),
            "property": property,
        }),
    )
}

fn append(desk: &Client, entry: &Value) -> anyhow::Result<Verdict> {
    let said = entry.as_object().cloned().unwrap_or_default();
    let mut body: Map<String, Value> = said.into_iter().filter(|(_, v)| !v.is_null()).collect();
    body.insert("id".to_owned(), new_id().into());
    let told = desk.post("/log", &body.into())?;
    let entry = &told["entry"];
    let text = |name: &str| entry[name].as_str().unwrap_or_default().replace('_', " ");
    let to = match entry["to"].as_str() {
        Some(to) => format!(" to {to}"),
        None => String::new(),
    };
    writeln!(
        io::stdout(),
        "no. {} of {}, {}{to}: {}",
        entry["number"],
        text("property"),
        text("kind"),
        entry["summary"].as_str().unwrap_or_default()
    )?;
    Ok(Verdict::Fine)
}
