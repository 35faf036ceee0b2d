//! `events`: all that came from the floor, as it came.

use catwalk_events::{SourceKind, json};
use catwalk_hands::floor::Cents;
use catwalk_log::Topic;
use serde::Serialize;

use super::typed::Typed;
use super::{GAMING_DAY, LOG_OFFSET, LOG_PARTITION, PROPERTY, TABLE_ID, Table};
use crate::Result;
use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;

pub(super) static TABLE: Table = Table {
    name: "events",
    meaning: "One row an event, as it came from the floor; what was sent twice is there twice.",
    columns: &[
        GAMING_DAY,
        PROPERTY,
        TABLE_ID,
        Column::new("seq", Kind::Int, "Rises by one per table without gaps.").steps(),
        Column::new("at", Kind::Moment, "When it happened."),
        Column::new("type", Kind::Text, "What happened."),
        Column::new("round", Kind::Text, "The round that it belongs to.")
            .nullable()
            .looked_up(),
        Column::new("body", Kind::Text, "What happened in full, a JSON object.").bulky(),
        Column::new("source_kind", Kind::Text, "Who or what sent it."),
        Column::new(
            "source_id",
            Kind::Text,
            "The device, or the person's badge.",
        ),
        Column::new("id", Kind::Text, "Unique over all tables and time.").prefixes(),
        LOG_PARTITION,
        LOG_OFFSET,
        Column::new("shift", Kind::Text, "The shift, as the house names it.").nullable(),
        Column::new("seat", Kind::Int, "The seat, where it is about one.").nullable(),
        Column::new("player", Kind::Text, "The patron, where it names one.").nullable(),
        Column::new("amount_cents", Kind::Cents, "The amount, where it has one.").nullable(),
        Column::new(
            "kind",
            Kind::Text,
            "The kind of wager, irregularity or slip.",
        )
        .nullable(),
        Column::new(
            "set",
            Kind::Text,
            "The set of cards, dice or tiles, where it names one.",
        )
        .nullable(),
        Column::new("shoe", Kind::Text, "The shoe, where it names one.").nullable(),
        Column::new(
            "received_at",
            Kind::Moment,
            "When the house's system received it, where told.",
        )
        .nullable(),
    ],
    sorted_by: &["table_id", "at", "log_offset"],
    topic: Topic::FloorEvents,
    append,
};

#[derive(Serialize)]
struct Row<'a> {
    gaming_day: i32,
    property: &'a str,
    table_id: &'a str,
    seq: u64,
    at: i64,
    r#type: &'a str,
    round: Option<&'a str>,
    body: &'a str,
    source_kind: SourceKind,
    source_id: &'a str,
    id: &'a str,
    log_partition: u32,
    log_offset: u64,
    shift: Option<&'a str>,
    received_at: Option<i64>,
    seat: Option<u32>,
    player: Option<&'a str>,
    amount_cents: Option<Cents>,
    kind: Option<&'a str>,
    set: Option<&'a str>,
    shoe: Option<&'a str>,
}

fn append(item: &Item, arrival: &Arrival, rows: &mut Rows) -> Result<()> {
    let Item::Event(event) = item else {
        return Ok(());
    };
    let typed = Typed::of(&event.body);
    rows.push(&Row {
        gaming_day: arrival.gaming_day,
        property: &event.property,
        table_id: &event.table,
        seq: event.seq,
        at: event.at.micros(),
        r#type: event.body.type_name(),
        round: event.round.as_deref(),
        body: &json::write_body(&event.body)?,
        source_kind: event.source.kind,
        source_id: &event.source.id,
        id: &event.id,
        log_partition: arrival.partition,
        log_offset: arrival.offset,
        shift: event.shift.as_deref(),
        received_at: event.received_at.map(|at| at.micros()),
        seat: typed.seat,
        player: typed.player,
        amount_cents: typed.amount,
        kind: typed.kind,
        set: typed.set,
        shoe: typed.shoe,
    })
}
