//! `dispositions`: what operators did about findings.

use catwalk_events::audit::Action;
use catwalk_log::Topic;
use serde::Serialize;

use super::{GAMING_DAY, LOG_OFFSET, LOG_PARTITION, PROPERTY, TABLE_ID, Table};
use crate::Result;
use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;

pub(super) static TABLE: Table = Table {
    name: "dispositions",
    meaning: "One row a thing that an operator did about a finding.",
    columns: &[
        GAMING_DAY,
        PROPERTY.nullable(),
        TABLE_ID.nullable(),
        Column::new("at", Kind::Moment, "When it was done."),
        Column::new("finding", Kind::Text, "Id of the finding.").looked_up(),
        Column::new(
            "action",
            Kind::Text,
            "acknowledge, escalate, dispose, reopen or comment.",
        ),
        Column::new("operator", Kind::Text, "Who did it."),
        Column::new("note", Kind::Text, "What the operator wrote.")
            .nullable()
            .bulky(),
        LOG_PARTITION,
        LOG_OFFSET,
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
}

fn append(item: &Item, arrival: &Arrival, rows: &mut Rows) -> Result<()> {
    let Item::Disposition(disposition) = item else {
        return Ok(());
    };
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
    })
}
