//! The room's log and the report of a shift.

use catwalk_events::Timestamp;
use catwalk_events::audit::{EntryKind, LogEntry};
use catwalk_web::axum::Json;
use catwalk_web::axum::extract::rejection::{JsonRejection, QueryRejection};
use catwalk_web::axum::extract::{Query, State};
use catwalk_web::axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use catwalk_web::axum::http::{HeaderValue, StatusCode};
use catwalk_web::axum::response::{IntoResponse, Response};
use catwalk_web::{Caller, Fault};
use serde::Deserialize;
use serde_json::{Value, json};

use super::acts::{MAX_ID_BYTES, MAX_NOTE_CHARS, MAX_WORD_CHARS, is_id, person, word};
use super::named::People;
use super::{Desk, READERS, answer, bad, shown, unavailable};
use crate::journal::{Entry, NotWritten};
use crate::paper::{self, Form};
use crate::room::{IN_DOUBT, NotDone, lock, now};
use crate::shift::{Shift, Span};

/// So many entries are given where nobody says how many, and at most.
const SOME: usize = 200;
const MOST: usize = 5_000;
const MAX_PERSONS: usize = 50;
/// A shift, where nobody says how long it was, and at most.
const SHIFT_MICROS: i64 = 8 * 3_600_000_000;
const LONGEST_MICROS: i64 = 7 * 24 * 3_600_000_000;

/// An entry as somebody asks for it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    id: String,
    kind: String,
    summary: String,
    property: Option<String>,
    table: Option<String>,
    to: Option<String>,
    initiator: Option<String>,
    reason: Option<String>,
    place: Option<String>,
    #[serde(default)]
    persons: Vec<String>,
    violation: Option<String>,
    recording_from: Option<String>,
    recording_until: Option<String>,
    outcome: Option<String>,
    refers_to: Option<u64>,
}

pub(super) async fn write(
    State(desk): State<Desk>,
    caller: Caller,
    people: People,
    asked: Result<Json<Asked>, JsonRejection>,
) -> Result<Response, Fault> {
    let by = person(&caller)?;
    let Json(asked) = asked?;
    desk.at_work()?;
    let property = desk.property(&caller, asked.property.as_deref())?;
    let to = asked.successor(&by.id)?;
    if let Some(to) = &to {
        people.works(to, &property)?;
    }
    let entry = Entry {
        to,
        table: word("table", asked.table.clone(), MAX_WORD_CHARS)?,
        id: asked.id()?,
        property,
        by,
        at: now(),
        said: asked.said()?,
    };
    let written = match desk.room.write(entry).await {
        Ok(Ok(written)) => written,
        Ok(Err(NotDone::NotWritten(why))) => return Err(refusal(&why)),
        Ok(Err(NotDone::Refused(why))) => return Err(bad(why.to_string())),
        Ok(Err(NotDone::Unavailable(why))) => return Err(unavailable(why)),
        // The desk ended with the entry in its hands.
        Err(_) => return Err(unavailable(IN_DOUBT)),
    };
    let body = json!({ "entry": shown::entry(&written) });
    Ok(answer(StatusCode::CREATED, &body))
}

fn refusal(why: &NotWritten) -> Fault {
    let (status, code) = match why {
        NotWritten::OtherEntry(_) => (StatusCode::CONFLICT, "other_act"),
        NotWritten::Taken { .. } => (StatusCode::CONFLICT, "overtaken"),
        NotWritten::ToAnother { .. } | NotWritten::FromOneself(_) => {
            (StatusCode::FORBIDDEN, "not_yours")
        }
        NotWritten::Unknown { .. } | NotWritten::NoHandOver(_) => {
            (StatusCode::UNPROCESSABLE_ENTITY, "unknown")
        }
    };
    Fault::new(status, code, why.to_string())
}

impl Desk {
    /// The property that is meant: the one that is named, or the only one that the caller could mean.
    fn property(&self, caller: &Caller, named: Option<&str>) -> Result<String, Fault> {
        if let Some(named) = named {
            return match caller.sees(named) {
                true => {
                    Ok(word("property", Some(named.to_owned()), MAX_WORD_CHARS)?
                        .unwrap_or_default())
                }
                false => Err(bad(format!("property: there is no {named:?} here"))),
            };
        }
        if let Some([one]) = caller.properties.as_deref() {
            return Ok(one.clone());
        }
        let floor = lock(&self.room.floor);
        let tables = floor.tables().map(|table| &table.property);
        let mut all: Vec<&String> = tables.filter(|property| caller.sees(property)).collect();
        all.dedup();
        match all.as_slice() {
            [one] => Ok((*one).clone()),
            _ => Err(bad("property: say which")),
        }
    }
}

impl Asked {
    fn id(&self) -> Result<String, Fault> {
        match is_id(&self.id) {
            true => Ok(self.id.clone()),
            false => Err(bad(format!(
                "id: {:?} is none; letters, digits and -_.: are allowed, up to {MAX_ID_BYTES} of them",
                self.id
            ))),
        }
    }

    fn kind(&self) -> Result<EntryKind, Fault> {
        EntryKind::named(&self.kind).ok_or_else(|| {
            let all = EntryKind::ALL.map(EntryKind::name).join(", ");
            bad(format!("kind: {:?} is none of {all}", self.kind))
        })
    }

    /// Who takes over.
    fn successor(&self, me: &str) -> Result<Option<String>, Fault> {
        let to = word("to", self.to.clone(), MAX_WORD_CHARS)?;
        match (self.kind()?, to) {
            (EntryKind::HandOver, None) => Err(bad("to: hand_over needs whoever takes over")),
            (EntryKind::HandOver, Some(to)) if to == me => {
                Err(bad("to: a shift is handed over to somebody else"))
            }
            (EntryKind::HandOver, to) => Ok(to),
            (kind, Some(_)) => Err(bad(format!("to: {} has none", kind.name()))),
            (_, None) => Ok(None),
        }
    }

    /// What is said, still without a number.
    fn said(self) -> Result<LogEntry, Fault> {
        let kind = self.kind()?;
        let must_refer = matches!(kind, EntryKind::Correction | EntryKind::TakeOver);
        if must_refer && self.refers_to.is_none() {
            return Err(bad(format!("refers_to: {} needs it", kind.name())));
        }
        if self.persons.len() > MAX_PERSONS {
            return Err(bad(format!("persons: at most {MAX_PERSONS} are taken")));
        }
        let text = |name, value: Option<String>| word(name, value, MAX_WORD_CHARS);
        let persons = self.persons.into_iter();
        let persons: Vec<Option<String>> = persons
            .map(|one| text("persons", Some(one)))
            .collect::<Result<_, _>>()?;
        let recording_from = moment("recording_from", self.recording_from.as_deref())?;
        let recording_until = moment("recording_until", self.recording_until.as_deref())?;
        if recording_until.is_some_and(|until| recording_from.is_some_and(|from| until < from)) {
            return Err(bad("recording_until: it is before recording_from"));
        }
        let summary = word("summary", Some(self.summary), MAX_NOTE_CHARS)?;
        Ok(LogEntry {
            number: 0,
            kind,
            summary: summary.unwrap_or_default(),
            initiator: text("initiator", self.initiator)?,
            reason: word("reason", self.reason, MAX_NOTE_CHARS)?,
            place: text("place", self.place)?,
            persons: persons.into_iter().flatten().collect(),
            violation: text("violation", self.violation)?,
            recording_from,
            recording_until,
            outcome: word("outcome", self.outcome, MAX_NOTE_CHARS)?,
            refers_to: self.refers_to,
        })
    }
}

fn moment(name: &str, text: Option<&str>) -> Result<Option<Timestamp>, Fault> {
    let Some(text) = text else { return Ok(None) };
    let at: Result<Timestamp, _> = text.trim().parse();
    at.map(Some)
        .map_err(|error| bad(format!("{name}: {error}")))
}

/// Which part of the log, or which shift.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    property: Option<String>,
    from: Option<String>,
    until: Option<String>,
    kind: Option<String>,
    /// Words that are somewhere in it.
    q: Option<String>,
    /// Entries with lower numbers: to page on.
    before: Option<u64>,
    limit: Option<usize>,
    #[serde(default)]
    format: Form,
}

pub(super) async fn read(
    State(desk): State<Desk>,
    caller: Caller,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, Fault> {
    caller.require(READERS)?;
    desk.at_work()?;
    let Query(wanted) = wanted?;
    let from = moment("from", wanted.from.as_deref())?;
    let until = moment("until", wanted.until.as_deref())?;
    let kind = wanted.kind.as_deref().map(|name| {
        let kind = EntryKind::named(name);
        kind.ok_or_else(|| bad(format!("kind: {name:?} is none")))
    });
    let kind = kind.transpose()?;
    let limit = wanted.limit.unwrap_or(SOME).min(MOST);
    let words = wanted.q.unwrap_or_default().to_lowercase();
    let is_wanted = |entry: &Entry| {
        caller.sees(&entry.property)
            && wanted
                .property
                .as_ref()
                .is_none_or(|own| *own == entry.property)
            && from.is_none_or(|from| from <= entry.at)
            && until.is_none_or(|until| entry.at < until)
            && kind.is_none_or(|kind| entry.said.kind == kind)
            && wanted
                .before
                .is_none_or(|before| entry.said.number < before)
            && (words.is_empty() || has_words(entry, &words))
    };
    let mut found: Vec<_> = desk.room.look(|view| {
        let entries = view.journal.values().filter(|entry| is_wanted(entry));
        entries.cloned().collect()
    });
    // The newest first; numbers count in each property by itself.
    found.sort_by(|one, other| {
        let rank = |entry: &Entry| (entry.at, entry.said.number);
        rank(other).cmp(&rank(one))
    });
    let more = found.len() > limit;
    found.truncate(limit);
    let settings = &desk.room.settings;
    Ok(match wanted.format {
        Form::Json => {
            let entries: Vec<Value> = found.iter().map(|entry| shown::entry(entry)).collect();
            let body = json!({"entries": entries, "more": more});
            answer(StatusCode::OK, &body)
        }
        form => paper(form, &paper::log(&found, more, settings)),
    })
}

fn has_words(entry: &Entry, words: &str) -> bool {
    let text = shown::entry(entry).to_string().to_lowercase();
    words.split_whitespace().all(|word| text.contains(word))
}

pub(super) async fn shift(
    State(desk): State<Desk>,
    caller: Caller,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, Fault> {
    caller.require(READERS)?;
    desk.at_work()?;
    let Query(wanted) = wanted?;
    let until = moment("until", wanted.until.as_deref())?.unwrap_or_else(now);
    let from = moment("from", wanted.from.as_deref())?;
    let begins = Timestamp::from_micros(until.micros().saturating_sub(SHIFT_MICROS));
    let from = from.unwrap_or(begins);
    let length = until.micros().saturating_sub(from.micros());
    if !(1..=LONGEST_MICROS).contains(&length) {
        return Err(bad(
            "from, until: a shift is longer than nothing and at most a week",
        ));
    }
    let span = Span {
        property: wanted.property,
        from,
        until,
    };
    let shift = Shift::of(&desk.room, span, |property| caller.sees(property));
    Ok(match wanted.format {
        Form::Json => answer(StatusCode::OK, &shown::shift(&shift, &desk.room)),
        form => paper(form, &paper::shift(&shift, &desk.room.settings)),
    })
}

fn paper(form: Form, page: &paper::Page) -> Response {
    let (kind, text) = match form {
        Form::Html => ("text/html; charset=utf-8", page.html()),
        _ => ("text/plain; charset=utf-8", page.text()),
    };
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, text).into_response()
}
