//! `slips`: fills, credits and the papers that go with them.

use std::collections::BTreeMap;

use catwalk_events::Person;
use catwalk_events::body::{Body, SlipKind, SlipPart};
use catwalk_hands::floor::Cents;
use catwalk_log::Topic;
use serde::Serialize;

use super::{GAMING_DAY, LOG_OFFSET, LOG_PARTITION, PROPERTY, TABLE_ID, Table};
use crate::Result;
use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;

pub(super) static TABLE: Table = Table {
    name: "slips",
    meaning: "One row a thing that happened to a slip: asked for, delivered, voided, a part of it filed.",
    columns: &[
        GAMING_DAY,
        PROPERTY,
        TABLE_ID,
        Column::new("seq", Kind::Int, "Of the event that tells it.").steps(),
        Column::new("at", Kind::Moment, "When it happened."),
        Column::new("shift", Kind::Text, "The shift, as the house names it.").nullable(),
        Column::new("round", Kind::Text, "The round, where it belongs to one.")
            .nullable()
            .looked_up(),
        Column::new("deed", Kind::Text, "requested, delivered, filed or voided."),
        Column::new(
            "kind",
            Kind::Text,
            "What it documents: fill, credit, opener, closer, marker or jackpot.",
        )
        .nullable(),
        Column::new("slip", Kind::Text, "Number of the slip.")
            .nullable()
            .looked_up(),
        Column::new("request", Kind::Text, "Number of the request.")
            .nullable()
            .looked_up(),
        Column::new(
            "part",
            Kind::Text,
            "Of one that is filed: original, duplicate, triplicate, quadruplicate or stub.",
        )
        .nullable(),
        Column::new("amount_cents", Kind::Cents, "How much.").nullable(),
        Column::new(
            "denominations",
            Kind::Text,
            "Chips by value in cents, a JSON object.",
        )
        .nullable()
        .bulky(),
        Column::new("prepared_by", Kind::Text, "Who prepared the chips.").nullable(),
        Column::new("carried_by", Kind::Text, "Who carried them.").nullable(),
        Column::new("dealer", Kind::Text, "The dealer who signed.").nullable(),
        Column::new("supervisor", Kind::Text, "The supervisor who signed.").nullable(),
        Column::new("person", Kind::Text, "Who asked, filed or voided.").nullable(),
        Column::new("witness", Kind::Text, "Who signed with them.").nullable(),
        Column::new("reason", Kind::Text, "Why it was voided.").nullable(),
        Column::new("event_id", Kind::Text, "Of the event that tells it.").prefixes(),
        LOG_PARTITION,
        LOG_OFFSET,
    ],
    sorted_by: &["table_id", "at", "log_offset"],
    topic: Topic::FloorEvents,
    append,
};

#[derive(Clone, Default, Serialize)]
struct Row<'a> {
    gaming_day: i32,
    property: &'a str,
    table_id: &'a str,
    seq: u64,
    at: i64,
    shift: Option<&'a str>,
    round: Option<&'a str>,
    deed: &'static str,
    kind: Option<&'static str>,
    slip: Option<&'a str>,
    request: Option<&'a str>,
    part: Option<&'static str>,
    amount_cents: Option<Cents>,
    denominations: Option<String>,
    prepared_by: Option<&'a str>,
    carried_by: Option<&'a str>,
    dealer: Option<&'a str>,
    supervisor: Option<&'a str>,
    person: Option<&'a str>,
    witness: Option<&'a str>,
    reason: Option<&'a str>,
    event_id: &'a str,
    log_partition: u32,
    log_offset: u64,
}

fn append(item: &Item, arrival: &Arrival, rows: &mut Rows) -> Result<()> {
    let Item::Event(event) = item else {
        return Ok(());
    };
    let Some(row) = row(&event.body) else {
        return Ok(());
    };
    rows.push(&Row {
        gaming_day: arrival.gaming_day,
        property: &event.property,
        table_id: &event.table,
        seq: event.seq,
        at: event.at.micros(),
        shift: event.shift.as_deref(),
        round: event.round.as_deref(),
        event_id: &event.id,
        log_partition: arrival.partition,
        log_offset: arrival.offset,
        ..row
    })
}

fn row(body: &Body) -> Option<Row<'_>> {
    Some(match body {
        Body::SlipRequested(asked) => Row {
            deed: "requested",
            kind: Some(kind(asked.kind)),
            request: Some(&asked.request),
            amount_cents: Some(asked.amount),
            denominations: json(asked.denominations.as_ref()),
            person: id(asked.by.as_ref()),
            ..Row::default()
        },
        Body::Fill(fill) => Row {
            deed: "delivered",
            kind: Some("fill"),
            slip: Some(&fill.slip),
            request: fill.request.as_deref(),
            amount_cents: Some(fill.amount),
            denominations: json(fill.denominations.as_ref()),
            prepared_by: id(fill.prepared_by.as_ref()),
            carried_by: id(fill.carried_by.as_ref()),
            dealer: fill.dealer.as_deref(),
            supervisor: fill.supervisor.as_deref(),
            ..Row::default()
        },
        Body::Credit(credit) => Row {
            deed: "delivered",
            kind: Some("credit"),
            slip: Some(&credit.slip),
            request: credit.request.as_deref(),
            amount_cents: Some(credit.amount),
            denominations: json(credit.denominations.as_ref()),
            prepared_by: id(credit.prepared_by.as_ref()),
            carried_by: id(credit.carried_by.as_ref()),
            dealer: credit.dealer.as_deref(),
            supervisor: credit.supervisor.as_deref(),
            ..Row::default()
        },
        Body::SlipFiled(filed) => Row {
            deed: "filed",
            kind: filed.kind.map(kind),
            slip: Some(&filed.slip),
            part: Some(part(filed.part)),
            amount_cents: Some(filed.amount),
            person: id(filed.by.as_ref()),
            ..Row::default()
        },
        Body::SlipVoided(voided) => Row {
            deed: "voided",
            slip: Some(&voided.slip),
            person: id(voided.by.as_ref()),
            witness: id(voided.witness.as_ref()),
            reason: voided.reason.as_deref(),
            ..Row::default()
        },
        _ => return None,
    })
}

fn id(person: Option<&Person>) -> Option<&str> {
    person.map(|person| person.id.as_str())
}

/// Counts by name have no form that JSON could refuse.
fn json(chips: Option<&BTreeMap<String, u32>>) -> Option<String> {
    chips.and_then(|chips| serde_json::to_string(chips).ok())
}

fn kind(kind: SlipKind) -> &'static str {
    match kind {
        SlipKind::Fill => "fill",
        SlipKind::Credit => "credit",
        SlipKind::Opener => "opener",
        SlipKind::Closer => "closer",
        SlipKind::Marker => "marker",
        SlipKind::Jackpot => "jackpot",
    }
}

fn part(part: SlipPart) -> &'static str {
    match part {
        SlipPart::Original => "original",
        SlipPart::Duplicate => "duplicate",
        SlipPart::Triplicate => "triplicate",
        SlipPart::Quadruplicate => "quadruplicate",
        SlipPart::Stub => "stub",
    }
}
