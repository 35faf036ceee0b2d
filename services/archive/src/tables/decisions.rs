//! `decisions`: what players decided.

use catwalk_events::body::Body;
use catwalk_hands::floor::Cents;
use catwalk_log::Topic;
use serde::Serialize;

use super::{GAMING_DAY, LOG_OFFSET, LOG_PARTITION, PROPERTY, TABLE_ID, Table};
use crate::Result;
use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;

pub(super) static TABLE: Table = Table {
    name: "decisions",
    meaning: "One row a decision of a player: a card, a stake more, a fold.",
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
        Column::new("seat", Kind::Int, "The seat.").nullable(),
        Column::new("hand", Kind::Int, "The hand of the seat, from 1.").nullable(),
        Column::new(
            "action",
            Kind::Text,
            "What the player did, in the words of the rules.",
        )
        .nullable(),
        Column::new("amount_cents", Kind::Cents, "The amount, where it has one.").nullable(),
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
    seat: Option<u32>,
    hand: Option<u32>,
    action: Option<&'a str>,
    amount_cents: Option<Cents>,
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
    let Body::Decision(decision) = body else {
        return None;
    };
    Some(Row {
        seat: Some(decision.seat),
        hand: decision.hand,
        action: Some(&decision.action),
        amount_cents: decision.amount,
        ..Row::default()
    })
}
