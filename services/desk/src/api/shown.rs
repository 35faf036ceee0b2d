//! What is shown, as JSON.

use std::collections::HashMap;
use std::sync::Arc;

use catwalk_events::audit::{Finding, Incident as Logged};
use catwalk_events::{Timestamp, json as written};
use serde_json::{Map, Value, json};

use crate::act::{Act, Deed, Disposal, Person};
use crate::duties::Duty;
use crate::floor::TableNow;
use crate::journal::Entry;
use crate::room::{Dossier, Room, lock, now};
use crate::shift::{Shift, TableShift};

/// A recording is shown from so long before the first finding to so long after the last.
const BEFORE_MICROS: i64 = 120_000_000;
const AFTER_MICROS: i64 = 60_000_000;
const DAY_MICROS: i64 = 24 * 3_600_000_000;

fn moment(at: Option<Timestamp>) -> Value {
    at.map_or(Value::Null, |at| at.to_string().into())
}

/// Without what is not there.
pub(crate) fn known(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(fields.collect::<Map<String, Value>>())
        }
        other => other,
    }
}

pub(crate) fn incident(one: &Logged, room: &Room) -> Value {
    let held = one.held_by.as_ref().map(|by| {
        let since = moment(one.held_since);
        json!({"by": by, "since": since})
    });
    let disposal = one.verdict.as_ref().map(|verdict| {
        known(json!({
            "verdict": verdict,
            "recovered_cents": one.recovered_cents.map(|cents| cents.get()),
            "case": one.case,
            "reviewer": one.reviewer,
            "video": one.video,
            "notified": notified(&one.notified),
        }))
    });
    let waits = one.status == "open" && one.acknowledged.is_none();
    known(json!({
        "id": one.id,
        "revision": one.revision,
        "property": one.property,
        "table": one.table,
        "game": one.game,
        "round": one.round,
        "dealer": one.dealer,
        "player": one.player,
        "seat": one.seat,
        "began": moment(Some(one.began)),
        "last": moment(Some(one.last)),
        "heard": moment(Some(one.heard)),
        "rings_at": moment(Some(one.rings_at)),
        "priority": one.priority,
        "headline": one.headline,
        "exposure_cents": one.exposure_cents.get(),
        "at_stake_cents": one.at_stake_cents.get(),
        "codes": one.codes,
        "cites": one.cites,
        "count": one.count,
        "resolved": one.resolved,
        "status": one.status,
        "held": held,
        "acknowledged": moment(one.acknowledged),
        "level": one.level,
        "disposal": disposal,
        "acts": one.acts,
        "camera": camera(one, room),
        "due_by": moment(Some(one.due_by).filter(|_| waits)),
    }))
}

/// Where the recording is, by the clock of the log.
fn camera(one: &Logged, room: &Room) -> Option<Value> {
    let camera = room.settings.camera.as_ref()?;
    let offset_ms = offset_ms(&one.property, &one.table, room);
    let shift = offset_ms.unwrap_or(0).saturating_mul(1_000);
    let moved = |at: Timestamp, by: i64| {
        Timestamp::from_micros(at.micros().saturating_add(by).saturating_add(shift)).to_string()
    };
    let (from, to) = (
        moved(one.began, -BEFORE_MICROS),
        moved(one.last, AFTER_MICROS),
    );
    let name = camera.names.get(&one.table).unwrap_or(&one.table);
    let url = camera
        .url
        .replace("{property}", &escaped(&one.property))
        .replace("{table}", &escaped(&one.table))
        .replace("{camera}", &escaped(name))
        .replace("{from}", &escaped(&from))
        .replace("{to}", &escaped(&to));
    let days = i64::try_from(camera.kept_days).unwrap_or(0);
    let kept = (days > 0).then(|| moved(one.began, days.saturating_mul(DAY_MICROS)));
    let told = json!({
        "url": url, "name": name, "from": from, "to": to, "offset_ms": offset_ms, "kept_until": kept,
    });
    Some(known(told))
}

/// As a part of a URL, whatever a table is called.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                escaped.push(char::from(byte));
            }
            _ => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}

fn offset_ms(property: &str, table: &str, room: &Room) -> Option<i64> {
    if room.settings.is_simulated {
        return None;
    }
    let floor = lock(&room.floor);
    let mut tables = floor.tables();
    let table = tables.find(|now| now.property == property && now.table == table)?;
    table.clock_offset_ms()
}

fn notified(all: &[crate::act::Notified]) -> Vec<Value> {
    let one = |one: &crate::act::Notified| json!({"whom": one.whom, "at": one.at.to_string(), "how": one.how});
    all.iter().map(one).collect()
}

fn disposal(how: &Disposal) -> Value {
    known(json!({
        "verdict": how.verdict.name(),
        "recovered_cents": how.recovered_cents.map(|cents| cents.get()),
        "case": how.case,
        "reviewer": how.reviewer,
        "video": how.video,
        "notified": notified(&how.notified),
    }))
}

pub(crate) fn act(act: &Act) -> Value {
    let (to, undoes, how) = match &act.deed {
        Deed::Assign { to } | Deed::HandOver { to } => (Some(to.clone()), None, None),
        Deed::Escalate { to } => (Some(to.name().to_owned()), None, None),
        Deed::Undo { act } => (None, Some(act.clone()), None),
        Deed::Dispose(how) => (None, None, Some(disposal(how))),
        Deed::Claim | Deed::Release | Deed::Acknowledge | Deed::Note => (None, None, None),
    };
    known(json!({
        "id": act.id,
        "incident": act.incident,
        "deed": act.deed.word(),
        "by": person(&act.by),
        "at": act.at.to_string(),
        "seen_acts": act.seen_acts,
        "seen_findings": act.seen_findings,
        "note": act.note,
        "to": to,
        "undoes": undoes,
        "disposal": how,
    }))
}

/// A finding as it is on the topic.
fn told(finding: &Finding) -> Map<String, Value> {
    // What is written there is a JSON object.
    let text = written::write_finding(finding).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

pub(crate) fn finding(finding: &Finding, resolved: bool) -> Value {
    let mut fields = told(finding);
    fields.insert("resolved".to_owned(), resolved.into());
    Value::Object(fields)
}

/// The same with the incident that it went to.
pub(crate) fn finding_of(incident: &str, finding: &Finding) -> Value {
    let mut fields = told(finding);
    fields.insert("incident".to_owned(), incident.into());
    Value::Object(fields)
}

/// How many incidents are open at each table, and the most pressing of them.
pub(crate) type OpenByTable = HashMap<(String, String), (u64, u32)>;

pub(crate) fn open_by_table(room: &Room) -> OpenByTable {
    room.look(|view| {
        let mut open = OpenByTable::new();
        let records = view.incidents.values().map(|dossier| &dossier.record);
        for one in records.filter(|one| one.status == "open") {
            let key = (one.property.clone(), one.table.clone());
            let (count, worst) = open.entry(key).or_insert((0, 4));
            *count += 1;
            *worst = one.priority.min(*worst);
        }
        open
    })
}

fn silence_seconds(table: &TableNow) -> i64 {
    let now = now().micros() / 1_000;
    now.saturating_sub(table.heard_ms).max(0) / 1_000
}

/// Whether an open table has said nothing for too long.
pub(crate) fn is_silent(table: &TableNow, room: &Room) -> bool {
    table.silent_since_ms(room).is_some()
}

pub(crate) fn table(table: &TableNow, open: &OpenByTable, room: &Room) -> Value {
    let key = (table.property.clone(), table.table.clone());
    let incidents = open.get(&key);
    let offset = table
        .clock_offset_ms()
        .filter(|_| !room.settings.is_simulated);
    known(json!({
        "property": table.property,
        "table": table.table,
        "game": table.game,
        "edition": table.edition,
        "open": table.open,
        "dealer": table.dealer,
        "opened_at": moment(table.opened_at),
        "last_event_at": moment(table.last_event_at),
        "silence_seconds": silence_seconds(table),
        "silent": is_silent(table, room),
        "rounds_today": table.rounds_today,
        "rounds_per_hour": table.rounds_per_hour(),
        "clock_offset_ms": offset,
        "open_incidents": incidents.map_or(0, |(count, _)| *count),
        "worst_priority": incidents.map(|(_, worst)| *worst),
        "round": table.round,
    }))
}

/// What somebody must be told, and how it is known that he was.
pub(crate) fn duty(duty: &Duty) -> Value {
    let receipt = duty
        .receipt
        .as_ref()
        .map(|receipt| json!({"at": receipt.at.to_string(), "by": receipt.by, "how": receipt.how}));
    known(json!({
        "id": duty.id,
        "rule": duty.rule,
        "section": duty.section,
        "to": duty.to,
        "property": duty.property,
        "table": duty.table,
        "round": duty.round,
        "incident": duty.incident,
        "what": duty.what,
        "since": duty.since.to_string(),
        "due_by": duty.due_by.to_string(),
        "status": duty.status(),
        "receipt": receipt,
    }))
}

/// An entry of the room's log.
pub(crate) fn entry(entry: &Entry) -> Value {
    let said = &entry.said;
    known(json!({
        "id": entry.id,
        "property": entry.property,
        "number": said.number,
        "kind": said.kind.name(),
        "at": entry.at.to_string(),
        "by": person(&entry.by),
        "table": entry.table,
        "summary": said.summary,
        "to": entry.to,
        "initiator": said.initiator,
        "reason": said.reason,
        "place": said.place,
        "persons": said.persons,
        "violation": said.violation,
        "recording_from": moment(said.recording_from),
        "recording_until": moment(said.recording_until),
        "outcome": said.outcome,
        "refers_to": said.refers_to,
    }))
}

fn person(person: &Person) -> Value {
    known(json!({
        "id": person.id,
        "role": person.role.name(),
        "station": person.station,
    }))
}

pub(crate) fn shift(shift: &Shift, room: &Room) -> Value {
    let incidents = |all: &[Arc<Dossier>]| {
        let shown = all.iter().map(|dossier| incident(&dossier.record, room));
        shown.collect::<Vec<_>>()
    };
    let people = shift.people.iter().map(
        |one| json!({"id": one.id, "role": one.role.name(), "acts": one.acts, "entries": one.entries}),
    );
    let entries: Vec<Value> = shift.entries.iter().map(|one| entry(one)).collect();
    let handed_over = shift.handed_over.as_ref().map(|(offer, taken)| {
        known(json!({"offer": entry(offer), "taken": taken.as_deref().map(entry)}))
    });
    known(json!({
        "property": shift.span.property,
        "from": shift.span.from.to_string(),
        "until": shift.span.until.to_string(),
        "made_at": shift.made_at.to_string(),
        "whole": shift.gaps.is_empty(),
        "gaps": shift.gaps,
        "by_priority": shift.by_priority(),
        "late": shift.late,
        "people": people.collect::<Vec<_>>(),
        "incidents": incidents(&shift.came),
        "open": incidents(&shift.open),
        "entries": entries,
        "duties": shift.duties.iter().map(|one| duty(one)).collect::<Vec<_>>(),
        "tables": shift.tables.iter().map(table_shift).collect::<Vec<_>>(),
        "handed_over": handed_over,
    }))
}

fn table_shift(table: &TableShift) -> Value {
    let money = table.money.iter().map(|moved| {
        known(json!({
            "at": moved.at.to_string(),
            "what": moved.what.name(),
            "name": moved.name,
            "amount_cents": moved.cents,
        }))
    });
    let extended = table.extended.iter();
    json!({
        "property": table.property,
        "table": table.table,
        "lost_events": table.lost,
        "gap_seconds": table.gap_ms / 1_000,
        "silent_seconds": table.silent_ms / 1_000,
        "money": money.collect::<Vec<_>>(),
        "extended_use": extended.map(|(set, at)| json!({"set": set, "since": at.to_string()})).collect::<Vec<_>>(),
    })
}
