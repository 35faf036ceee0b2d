//! `catwalk desk`: the surveillance desk in the terminal.

pub(crate) mod client;
mod journal;
pub(crate) mod show;

use std::io::{self, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use catwalk_desk::Verdict as Ended;
use clap::builder::PossibleValuesParser;
use clap::{Subcommand, ValueEnum};
use serde_json::{Map, Value, json};

pub(crate) use self::client::Client;
use self::client::{Refusal, escaped};
use crate::gateway::GatewayArgs;
use crate::{Verdict, bad_usage};

/// Work on incidents: see what is open, take it, say what became of it.
///
/// A running desk is asked over its HTTP API, at http://127.0.0.1:9480 without --url (`catwalk up` and `catwalk demo`
/// say where it is). CATWALK_TOKEN or a token file says who you are; a demo needs none. What somebody does
/// is appended to the record and never edited: `undo` appends the inverse. An id may be shortened to its first
/// characters. An act counts only if nobody else has done something in between; otherwise you are told who.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    catwalk desk list                              what is open, most pressing first\n  \
    catwalk desk list --priority 1,2 --table BJ-07\n  \
    catwalk desk show 70645343                     its findings, and what was done about it\n  \
    catwalk desk claim 70645343                    you work on it, and nobody else\n  \
    catwalk desk dispose 70645343 --verdict dealer_error_corrected --recovered 12.50 --reviewer eve\n  \
    catwalk desk undo 70645343\n  \
    catwalk desk write --kind watched --table BJ-07 \"fill F-17 was right\"\n  \
    catwalk desk duties                            what the Bureau is still to be told\n  \
    catwalk desk shift                             the last eight hours, on one page\n  \
    catwalk desk handover --to bob                 all that you hold, and the shift\n  \
    catwalk desk --url https://desk:9480 --token-file anna.token list\n  \
    catwalk watch --incidents                      as they come\n\n\
    Exit status: 0 done, 1 refused, unknown or out of reach, 2 bad usage. Of several\n\
    incidents those that can be done are done, and it is 1 if one was not.")]
pub(crate) struct Args {
    #[command(flatten)]
    to: GatewayArgs,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// What is open, most pressing first.
    List(Wanted),
    /// One incident with its findings and all that was done about it.
    Show {
        id: String,
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// Take it: you work on it, and nobody else does.
    Claim(On),
    /// Give it back.
    Release(On),
    /// Say that you have seen it: the deadline stops.
    Acknowledge(On),
    /// Give it to somebody.
    Assign {
        /// Whom.
        #[arg(long, value_name = "USER")]
        to: String,
        #[command(flatten)]
        on: On,
    },
    /// Send it up: to the supervisor, then the director.
    Escalate {
        /// How far; one level without it.
        #[arg(long, value_enum)]
        to: Option<Above>,
        #[command(flatten)]
        on: On,
    },
    /// Close it, with what it was.
    Dispose(Box<Dispose>),
    /// Write a word on it, which changes nothing.
    Note { id: String, text: String },
    /// Take back the last act on it.
    Undo(On),
    /// Give incidents to the next shift; without any, all that you hold, and the shift itself.
    #[command(visible_alias = "hand-over")]
    Handover(Handover),
    /// Take a shift over that was handed to you.
    Takeover(journal::Takeover),
    /// The room's daily log, the newest entry first.
    Log(journal::Wanted),
    /// Write into the room's log. Nobody edits an entry; a correction is another one.
    Write(Box<journal::Written>),
    /// What somebody outside of the room must be told, by when, and whether he was.
    Duties(journal::Duties),
    /// The report of a shift: what came, what is open, what was watched, who handed over to whom.
    Shift(journal::Shift),
}

#[derive(clap::Args)]
struct Wanted {
    #[arg(long, value_enum, default_value_t = Status::Open)]
    status: Status,
    /// One, or several with commas.
    #[arg(long)]
    priority: Option<String>,
    #[arg(long)]
    table: Option<String>,
    #[arg(long)]
    game: Option<String>,
    /// Codes that begin like this, such as `pay.`.
    #[arg(long)]
    code: Option<String>,
    #[arg(long)]
    dealer: Option<String>,
    /// Words that are somewhere in it.
    #[arg(short, long, value_name = "WORDS")]
    query: Option<String>,
    /// So many at most.
    #[arg(long, default_value_t = 50)]
    limit: u32,
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(clap::Args)]
struct On {
    /// Incidents, by their ids or the beginnings of them.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// Why, in your words.
    #[arg(long)]
    note: Option<String>,
    /// What you have seen of it, as `show` says; without it, what is there now.
    #[arg(long, value_name = "ACTS/FINDINGS", value_parser = seen)]
    seen: Option<(u64, u64)>,
}

#[derive(clap::Args)]
struct Handover {
    /// Whom.
    #[arg(long, value_name = "USER")]
    to: String,
    /// Incidents, by their ids or the beginnings of them; without any, all that you hold, and an entry in the log
    /// that hands the shift over.
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// What the next shift should know.
    #[arg(long)]
    note: Option<String>,
    /// The property, if you watch several.
    #[arg(long)]
    property: Option<String>,
}

#[derive(clap::Args)]
struct Dispose {
    #[command(flatten)]
    on: On,
    #[arg(long, value_parser = PossibleValuesParser::new(Ended::ALL.map(Ended::name)))]
    verdict: String,
    /// What was got back, in dollars.
    #[arg(long, value_name = "AMOUNT", value_parser = cents, allow_negative_numbers = true)]
    recovered: Option<i64>,
    /// The other person who looked at it: priority 1, and whatever suspects somebody, needs one.
    #[arg(long, value_name = "USER")]
    reviewer: Option<String>,
    /// The case that it goes to.
    #[arg(long)]
    case: Option<String>,
    /// Where the recording is kept.
    #[arg(long)]
    video: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
enum Status {
    Open,
    Closed,
    All,
}

#[derive(Clone, Copy, ValueEnum)]
enum Above {
    Supervisor,
    Director,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let desk = Client::open(&args.to)?;
    let word = |deed: &str| json!({ "deed": deed });
    match &args.command {
        Command::List(wanted) => list(&desk, wanted),
        Command::Show { id, format } => {
            let detail = find(&desk, id)?;
            match format {
                Format::Table => show::whole(&detail)?,
                Format::Json => writeln!(io::stdout(), "{detail}")?,
            }
            Ok(Verdict::Fine)
        }
        Command::Claim(on) => act(&desk, on, &word("claim")),
        Command::Release(on) => act(&desk, on, &word("release")),
        Command::Acknowledge(on) => act(&desk, on, &word("acknowledge")),
        Command::Undo(on) => act(&desk, on, &word("undo")),
        Command::Assign { to, on } => act(&desk, on, &json!({"deed": "assign", "to": to})),
        Command::Handover(over) => hand_over(&desk, over),
        Command::Takeover(over) => journal::take_over(&desk, over),
        Command::Log(wanted) => journal::read(&desk, wanted),
        Command::Write(written) => journal::write(&desk, written),
        Command::Duties(wanted) => journal::duties(&desk, wanted),
        Command::Shift(wanted) => journal::shift(&desk, wanted),
        Command::Escalate { to, on } => {
            let to = to.map(|to| match to {
                Above::Supervisor => "surveillance_supervisor",
                Above::Director => "surveillance_director",
            });
            act(&desk, on, &json!({"deed": "escalate", "to": to}))
        }
        Command::Dispose(how) => {
            let disposal = json!({
                "verdict": how.verdict,
                "recovered_cents": how.recovered,
                "reviewer": how.reviewer,
                "case": how.case,
                "video": how.video,
            });
            let asked = json!({"deed": "dispose", "disposal": disposal});
            act(&desk, &how.on, &asked)
        }
        Command::Note { id, text } => {
            let on = On {
                ids: vec![id.clone()],
                note: Some(text.clone()),
                seen: None,
            };
            act(&desk, &on, &word("note"))
        }
    }
}

fn list(desk: &Client, wanted: &Wanted) -> anyhow::Result<Verdict> {
    let status = match wanted.status {
        Status::Open => "open",
        Status::Closed => "closed",
        Status::All => "all",
    };
    let mut path = format!("/incidents?status={status}&limit={}", wanted.limit);
    for (name, value) in [
        ("priority", &wanted.priority),
        ("table", &wanted.table),
        ("game", &wanted.game),
        ("code", &wanted.code),
        ("dealer", &wanted.dealer),
        ("q", &wanted.query),
    ] {
        if let Some(value) = value {
            path.push_str(&format!("&{name}={}", escaped(value)));
        }
    }
    let listed = desk.get(&path)?;
    match wanted.format {
        Format::Table => show::queue(&listed)?,
        Format::Json => writeln!(io::stdout(), "{listed}")?,
    }
    Ok(Verdict::Fine)
}

/// Hands incidents over, or all that one holds and the shift with them.
fn hand_over(desk: &Client, over: &Handover) -> anyhow::Result<Verdict> {
    let asked = json!({"deed": "hand_over", "to": over.to});
    let on = |ids| On {
        ids,
        note: over.note.clone(),
        seen: None,
    };
    if !over.ids.is_empty() {
        return act(desk, &on(over.ids.clone()), &asked);
    }
    let me = desk.get("/session")?;
    let me = me["user"]["id"]
        .as_str()
        .context("the desk does not say who you are")?;
    let listed = desk.get("/incidents?limit=20000")?;
    let incidents = listed["incidents"].as_array().into_iter().flatten();
    let own = incidents.filter(|one| {
        let property = over.property.as_deref();
        one["held"]["by"] == me && property.is_none_or(|own| one["property"] == own)
    });
    let ids = own.filter_map(|one| Some(one["id"].as_str()?.to_owned()));
    let handed = act(desk, &on(ids.collect()), &asked)?;
    journal::hand_over(
        desk,
        &over.to,
        over.note.as_deref(),
        over.property.as_deref(),
    )?;
    Ok(handed)
}

/// An incident by its id, or by the beginning of it.
fn find(desk: &Client, id: &str) -> anyhow::Result<Value> {
    let unknown = match desk.get(&format!("/incidents/{}", escaped(id))) {
        Err(error) if is_unknown(&error) => error,
        other => return other,
    };
    // As many as a desk gives at most.
    let listed = desk.get("/incidents?status=all&limit=20000")?;
    let incidents = listed["incidents"].as_array().into_iter().flatten();
    let ids = incidents.filter_map(|one| one["id"].as_str());
    let begin: Vec<&str> = ids.filter(|known| known.starts_with(id)).collect();
    match begin.as_slice() {
        [one] => desk.get(&format!("/incidents/{one}")),
        [] => Err(unknown),
        several => bail!(
            "{id:?} is the beginning of {}: write more of it",
            several.join(", ")
        ),
    }
}

fn is_unknown(error: &anyhow::Error) -> bool {
    let refusal = error.downcast_ref::<Refusal>();
    refusal.is_some_and(|refusal| refusal.status == 404)
}

/// Does the same about each incident; of several those that can be done are done.
fn act(desk: &Client, on: &On, asked: &Value) -> anyhow::Result<Verdict> {
    let mut verdict = Verdict::Fine;
    for id in &on.ids {
        match act_on(desk, id, on, asked) {
            Ok(done) => writeln!(io::stdout(), "{done}")?,
            Err(error) if on.ids.len() > 1 => {
                eprintln!("catwalk: {id}: {error:#}");
                verdict = Verdict::FoundWrong;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(verdict)
}

fn act_on(desk: &Client, id: &str, on: &On, asked: &Value) -> anyhow::Result<String> {
    let detail = find(desk, id)?;
    let incident = &detail["incident"];
    let id = incident["id"].as_str().context("the desk tells no id")?;
    let now = (incident["acts"].as_u64(), incident["count"].as_u64());
    let (acts, findings) = on
        .seen
        .map_or(now, |(acts, count)| (Some(acts), Some(count)));
    let asked = asked.as_object().cloned().unwrap_or_default();
    let mut body: Map<String, Value> = asked.into_iter().filter(|(_, v)| !v.is_null()).collect();
    if let Some(how) = body.get_mut("disposal").and_then(Value::as_object_mut) {
        how.retain(|_, value| !value.is_null());
    }
    body.insert("id".to_owned(), new_id().into());
    body.insert("seen_acts".to_owned(), acts.into());
    body.insert("seen_findings".to_owned(), findings.into());
    if let Some(note) = &on.note {
        body.insert("note".to_owned(), note.as_str().into());
    }
    let done = desk.post(&format!("/incidents/{id}/acts"), &body.into())?;
    let one = &done["incident"];
    Ok(format!(
        "{}  {} {}: {}",
        show::deed(&done["act"]),
        id.get(..8).unwrap_or(id),
        one["table"].as_str().unwrap_or_default(),
        one["headline"].as_str().unwrap_or_default(),
    ))
}

/// An id that no other act has.
pub(crate) fn new_id() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = since_1970.map_or(0, |since| since.as_nanos());
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("cli-{nanos:x}-{:x}-{count:x}", std::process::id())
}

fn seen(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(acts, count)| Some((acts.parse().ok()?, count.parse().ok()?)));
    parts.ok_or_else(|| "write ACTS/FINDINGS as `catwalk desk show` says, such as 2/3".to_owned())
}

/// Dollars as cents.
fn cents(text: &str) -> Result<i64, String> {
    let wrong = || format!("{text:?} is no amount: write 12 or 12.50");
    let (sign, plain) = text
        .strip_prefix('-')
        .map_or((1, text), |plain| (-1, plain));
    let plain = plain.strip_prefix('$').unwrap_or(plain);
    let (dollars, rest) = plain.split_once('.').unwrap_or((plain, "00"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !is_number(dollars) || !is_number(rest) || rest.len() != 2 {
        return Err(wrong());
    }
    let dollars: i64 = dollars.parse().map_err(|_| wrong())?;
    let rest: i64 = rest.parse().map_err(|_| wrong())?;
    let cents = dollars
        .checked_mul(100)
        .and_then(|whole| whole.checked_add(rest));
    cents.map(|cents| sign * cents).ok_or_else(wrong)
}

/// What `bad_usage` says where an argument makes no sense with another.
pub(crate) fn refuse_for_incidents(is_given: bool, name: &str) {
    if is_given {
        bad_usage(&format!(
            "{name} is about findings: leave it out with --incidents"
        ));
    }
}
