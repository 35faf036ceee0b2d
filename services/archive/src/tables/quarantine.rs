//! `quarantine`: what could not be read, whole, with why.

use catwalk_hands::hex;
use catwalk_log::Topic;
use serde::Serialize;

use super::{GAMING_DAY, LOG_OFFSET, LOG_PARTITION, PROPERTY, TABLE_ID, Table};
use crate::Result;
use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;

pub(super) static TABLE: Table = Table {
    name: "quarantine",
    meaning: "One row a record that the settler could not read or had no place for.",
    columns: &[
        GAMING_DAY,
        PROPERTY.nullable(),
        TABLE_ID.nullable(),
        Column::new("at", Kind::Moment, "When it was written to the log."),
        Column::new("reason", Kind::Text, "Why it was put aside, in a sentence.").plain(),
        Column::new("topic", Kind::Text, "The topic that it lay on."),
        Column::new("topic_partition", Kind::Int, "The partition of that topic."),
        Column::new("topic_offset", Kind::Int, "Its place in that partition."),
        Column::new("key", Kind::Text, "Its key, bytes in hexadecimal.").nullable(),
        Column::new("bytes", Kind::Int, "How long it is.").nullable(),
        Column::new(
            "value",
            Kind::Text,
            "The record itself, bytes in hexadecimal.",
        )
        .nullable()
        .bulky(),
        LOG_PARTITION,
        LOG_OFFSET,
    ],
    sorted_by: &["table_id", "at", "log_offset"],
    topic: Topic::Quarantine,
    append,
};

#[derive(Serialize)]
struct Row<'a> {
    gaming_day: i32,
    property: Option<&'a str>,
    table_id: Option<&'a str>,
    at: i64,
    reason: &'a str,
    topic: &'a str,
    topic_partition: u32,
    topic_offset: u64,
    key: Option<String>,
    bytes: Option<usize>,
    value: Option<String>,
    log_partition: u32,
    log_offset: u64,
}

fn append(item: &Item, arrival: &Arrival, rows: &mut Rows) -> Result<()> {
    let Item::Quarantined(record) = item else {
        return Ok(());
    };
    rows.push(&Row {
        gaming_day: arrival.gaming_day,
        property: record.property.as_deref(),
        table_id: record.table.as_deref(),
        at: record.at.micros(),
        reason: &record.reason,
        topic: &record.topic,
        topic_partition: record.partition,
        topic_offset: record.offset,
        key: record.key.as_deref().map(hex),
        bytes: record.value.as_ref().map(Vec::len),
        value: record.value.as_deref().map(hex),
        log_partition: arrival.partition,
        log_offset: arrival.offset,
    })
}
