//! `log_entries`: the daily log of the surveillance room.

use catwalk_events::audit::EntryKind;
use catwalk_log::Topic;
use serde::Serialize;

use super::{GAMING_DAY, LOG_OFFSET, LOG_PARTITION, PROPERTY, TABLE_ID, Table};
use crate::Result;
use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;

pub(super) static TABLE: Table = Table {
    name: "log_entries",
    meaning: "One row an entry of the surveillance room's daily log.",
    columns: &[
        GAMING_DAY,
        PROPERTY.nullable(),
        TABLE_ID.nullable(),
        Column::new(
            "number",
            Kind::Int,
            "From 1 on in each property, without gaps.",
        ),
        Column::new("at", Kind::Moment, "When it was written."),
        Column::new(
            "kind",
            Kind::Text,
            "observation, watched, camera_outage, notification, correction, hand_over or take_over.",
        ),
        Column::new("author", Kind::Text, "Who wrote it."),
        Column::new("role", Kind::Text, "In which role.").nullable(),
        Column::new("station", Kind::Text, "From which address.").nullable(),
        Column::new(
            "summary",
            Kind::Text,
            "What happened, in the author's words.",
        )
        .bulky(),
        Column::new("given_to", Kind::Text, "Of a hand-over: who takes over.").nullable(),
        Column::new("initiator", Kind::Text, "Who or what gave rise to it.").nullable(),
        Column::new("reason", Kind::Text, "Why it was looked at.").nullable(),
        Column::new("place", Kind::Text, "Where, if it is no table.").nullable(),
        Column::new("persons", Kind::Texts, "Who was in it.").nullable(),
        Column::new(
            "violation",
            Kind::Text,
            "The code of a finding, or a section of the rules.",
        )
        .nullable(),
        Column::new(
            "recording_from",
            Kind::Moment,
            "Where the recording begins.",
        )
        .nullable(),
        Column::new("recording_until", Kind::Moment, "Where the recording ends.").nullable(),
        Column::new("outcome", Kind::Text, "What became of it.").nullable(),
        Column::new(
            "refers_to",
            Kind::Int,
            "The number of the entry that it corrects, or of the hand-over that it answers.",
        )
        .nullable(),
        Column::new(
            "id",
            Kind::Text,
            "Its own: one that was sent twice is there once.",
        )
        .nullable(),
        LOG_PARTITION,
        LOG_OFFSET,
    ],
    sorted_by: &["property", "number", "log_offset"],
    topic: Topic::Dispositions,
    append,
};

#[derive(Serialize)]
struct Row<'a> {
    gaming_day: i32,
    property: Option<&'a str>,
    table_id: Option<&'a str>,
    number: u64,
    at: i64,
    kind: EntryKind,
    author: &'a str,
    role: Option<&'a str>,
    station: Option<&'a str>,
    summary: &'a str,
    given_to: Option<&'a str>,
    initiator: Option<&'a str>,
    reason: Option<&'a str>,
    place: Option<&'a str>,
    persons: Option<&'a [String]>,
    violation: Option<&'a str>,
    recording_from: Option<i64>,
    recording_until: Option<i64>,
    outcome: Option<&'a str>,
    refers_to: Option<u64>,
    id: Option<&'a str>,
    log_partition: u32,
    log_offset: u64,
}

fn append(item: &Item, arrival: &Arrival, rows: &mut Rows) -> Result<()> {
    let Item::Disposition(written) = item else {
        return Ok(());
    };
    let Some(entry) = &written.entry else {
        return Ok(());
    };
    rows.push(&Row {
        gaming_day: arrival.gaming_day,
        property: written.property.as_deref(),
        table_id: written.table.as_deref(),
        number: entry.number,
        at: written.at.micros(),
        kind: entry.kind,
        author: &written.operator,
        role: written.role.as_deref(),
        station: written.station.as_deref(),
        summary: &entry.summary,
        given_to: written.to.as_deref(),
        initiator: entry.initiator.as_deref(),
        reason: entry.reason.as_deref(),
        place: entry.place.as_deref(),
        persons: (!entry.persons.is_empty()).then_some(&*entry.persons),
        violation: entry.violation.as_deref(),
        recording_from: entry.recording_from.map(|at| at.micros()),
        recording_until: entry.recording_until.map(|at| at.micros()),
        outcome: entry.outcome.as_deref(),
        refers_to: entry.refers_to,
        id: written.id.as_deref(),
        log_partition: arrival.partition,
        log_offset: arrival.offset,
    })
}
