//! `outcomes`: what wheels, dice and hands showed.

use catwalk_events::body::Body;
use catwalk_log::Topic;
use serde::Serialize;

use super::{GAMING_DAY, LOG_OFFSET, LOG_PARTITION, PROPERTY, TABLE_ID, Table};
use crate::Result;
use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;

pub(super) static TABLE: Table = Table {
    name: "outcomes",
    meaning: "One row a spin, a roll of the dice or a hand that was set.",
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
        Column::new("kind", Kind::Text, "spin, roll or hand."),
        Column::new(
            "result",
            Kind::Text,
            "The pocket; the faces, such as 3-4; the hand, high before low.",
        )
        .nullable(),
        Column::new("total", Kind::Int, "Of a roll: the sum of the faces.").nullable(),
        Column::new("valid", Kind::Bool, "False for one that was called off.").nullable(),
        Column::new("wheel", Kind::Text, "The wheel.").nullable(),
        Column::new("ball", Kind::Text, "The ball.").nullable(),
        Column::new("revolutions", Kind::Int, "Turns of the ball or the wheel.").nullable(),
        Column::new(
            "serials",
            Kind::Texts,
            "Of a roll: the serial numbers of the dice.",
        )
        .nullable(),
        Column::new("place", Kind::Text, "Of a hand: whose it is.").nullable(),
        Column::new("seat", Kind::Int, "Of a hand: the seat.").nullable(),
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
    kind: &'static str,
    result: Option<String>,
    total: Option<u32>,
    valid: Option<bool>,
    wheel: Option<&'a str>,
    ball: Option<&'a str>,
    revolutions: Option<u32>,
    serials: Option<&'a [String]>,
    place: Option<&'a str>,
    seat: Option<u32>,
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
        Body::WheelSpun(spun) => Row {
            kind: "spin",
            result: Some(spun.result.clone()),
            valid: Some(spun.valid),
            wheel: spun.wheel.as_deref(),
            ball: spun.ball.as_deref(),
            revolutions: spun.revolutions,
            ..Row::default()
        },
        Body::DiceRolled(rolled) => Row {
            kind: "roll",
            result: Some(joined(&rolled.dice, "-")),
            total: Some(rolled.dice.iter().map(|face| u32::from(*face)).sum()),
            valid: Some(rolled.valid),
            serials: rolled.serials.as_deref(),
            ..Row::default()
        },
        Body::HandSet(set) => Row {
            kind: "hand",
            result: Some(format!(
                "{} / {}",
                joined(&set.high, " "),
                joined(&set.low, " ")
            )),
            place: Some(&set.to),
            seat: set.seat,
            ..Row::default()
        },
        _ => return None,
    })
}

fn joined<T: ToString>(parts: &[T], between: &str) -> String {
    let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
    parts.join(between)
}
