//! `dispositions`: what people did about findings and incidents.

use catwalk_events::audit::{Action, Notified};
use catwalk_hands::floor::Cents;
use catwalk_log::Topic;
use serde::Serialize;

use super::{GAMING_DAY, LOG_OFFSET, LOG_PARTITION, PROPERTY, TABLE_ID, Table};
use crate::Result;
use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;

pub(super) static TABLE: Table = Table {
    name: "dispositions",
    meaning: "One row a thing that somebody did about an incident, or about a single finding.",
    columns: &[
        GAMING_DAY,
        PROPERTY.nullable(),
        TABLE_ID.nullable(),
        Column::new("at", Kind::Moment, "When it was done."),
        Column::new(
            "finding",
            Kind::Text,
            "Id of the finding; of an incident, its first.",
        )
        .looked_up(),
        Column::new(
            "action",
            Kind::Text,
            "claim, release, acknowledge, assign, escalate, dispose, note, undo, hand_over; reopen and comment before.",
        ),
        Column::new("operator", Kind::Text, "Who did it."),
        Column::new("note", Kind::Text, "What the operator wrote.")
            .nullable()
            .bulky(),
        LOG_PARTITION,
        LOG_OFFSET,
        Column::new(
            "id",
            Kind::Text,
            "The act; one that was sent twice is there once.",
        )
        .nullable(),
        Column::new("incident", Kind::Text, "Id of the incident.")
            .nullable()
            .looked_up(),
        Column::new(
            "role",
            Kind::Text,
            "In which role; clock where a deadline passed.",
        )
        .nullable(),
        Column::new("station", Kind::Text, "From which address.").nullable(),
        Column::new(
            "seen_acts",
            Kind::Int,
            "How many acts on the incident the person had seen.",
        )
        .nullable(),
        Column::new(
            "seen_findings",
            Kind::Int,
            "How many findings of the incident the person had seen.",
        )
        .nullable(),
        Column::new(
            "given_to",
            Kind::Text,
            "Of assign and hand_over the person, of escalate the role.",
        )
        .nullable(),
        Column::new("undoes", Kind::Text, "Of undo: the act that it takes back.").nullable(),
        Column::new("verdict", Kind::Text, "Of dispose: how it ended.").nullable(),
        Column::new(
            "recovered_cents",
            Kind::Cents,
            "Of dispose: what was got back.",
        )
        .nullable(),
        Column::new(
            "case_id",
            Kind::Text,
            "Of dispose: the case that it goes to.",
        )
        .nullable(),
        Column::new(
            "reviewer",
            Kind::Text,
            "Of dispose: the other person who looked at it.",
        )
        .nullable(),
        Column::new(
            "video",
            Kind::Text,
            "Of dispose: where the recording is kept.",
        )
        .nullable(),
        Column::new(
            "notified",
            Kind::Texts,
            "Of dispose: who outside the room was told, when and how.",
        )
        .nullable(),
    ],
    sorted_by: &["table_id", "at", "log_offset"],
    topic: Topic::Dispositions,
    append,
};

#[derive(Serialize)]
struct Row<'a> {
    gaming_day: i32,
    property: Option<&'a str>,
    table_id: Option<&'a str>,
    at: i64,
    finding: &'a str,
    action: Action,
    operator: &'a str,
    note: Option<&'a str>,
    log_partition: u32,
    log_offset: u64,
    id: Option<&'a str>,
    incident: Option<&'a str>,
    role: Option<&'a str>,
    station: Option<&'a str>,
    seen_acts: Option<u64>,
    seen_findings: Option<u64>,
    given_to: Option<&'a str>,
    undoes: Option<&'a str>,
    verdict: Option<&'a str>,
    recovered_cents: Option<Cents>,
    case_id: Option<&'a str>,
    reviewer: Option<&'a str>,
    video: Option<&'a str>,
    notified: Option<Vec<String>>,
}

fn append(item: &Item, arrival: &Arrival, rows: &mut Rows) -> Result<()> {
    let Item::Disposition(disposition) = item else {
        return Ok(());
    };
    // What stands in the room's log is no act on an incident.
    if disposition.entry.is_some() {
        return Ok(());
    }
    rows.push(&Row {
        gaming_day: arrival.gaming_day,
        property: disposition.property.as_deref(),
        table_id: disposition.table.as_deref(),
        at: disposition.at.micros(),
        finding: &disposition.finding,
        action: disposition.action,
        operator: &disposition.operator,
        note: disposition.note.as_deref(),
        log_partition: arrival.partition,
        log_offset: arrival.offset,
        id: disposition.id.as_deref(),
        incident: disposition.incident.as_deref(),
        role: disposition.role.as_deref(),
        station: disposition.station.as_deref(),
        seen_acts: disposition.seen_acts,
        seen_findings: disposition.seen_findings,
        given_to: disposition.to.as_deref(),
        undoes: disposition.undoes.as_deref(),
        verdict: disposition.verdict.as_deref(),
        recovered_cents: disposition.recovered_cents,
        case_id: disposition.case.as_deref(),
        reviewer: disposition.reviewer.as_deref(),
        video: disposition.video.as_deref(),
        notified: notified(&disposition.notified),
    })
}

/// Who was told, each in a line.
pub(super) fn notified(all: &[Notified]) -> Option<Vec<String>> {
    let line = |one: &Notified| format!("{} {} by {}", one.at, one.whom, one.how);
    (!all.is_empty()).then(|| all.iter().map(line).collect())
}
