//! `notices`: what was announced, and what changed.

use catwalk_events::body::{Body, NoticeChange};
use catwalk_log::Topic;
use serde::Serialize;

use super::{GAMING_DAY, LOG_OFFSET, LOG_PARTITION, PROPERTY, TABLE_ID, Table};
use crate::Result;
use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;

pub(super) static TABLE: Table = Table {
    name: "notices",
    meaning: "One row a notice, or a change of rules or limits.",
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
        Column::new(
            "deed",
            Kind::Text,
            "posted, rules_changed or limits_changed.",
        ),
        Column::new(
            "notice",
            Kind::Text,
            "The notice: its own number, or the one that a change names.",
        )
        .nullable()
        .looked_up(),
        Column::new(
            "change",
            Kind::Text,
            "Of a notice: rules, limits or requirement.",
        )
        .nullable(),
        Column::new(
            "effective_at",
            Kind::Moment,
            "Of a notice: when the change takes effect.",
        )
        .nullable(),
        Column::new(
            "announced",
            Kind::Bool,
            "Of a notice: told to the patrons at the table.",
        )
        .nullable(),
        Column::new(
            "bureau_notified",
            Kind::Bool,
            "Of a notice: told to the Bureau.",
        )
        .nullable(),
        Column::new(
            "notified_at",
            Kind::Moment,
            "Of a notice: when the Bureau was told.",
        )
        .nullable(),
        Column::new(
            "edition",
            Kind::Text,
            "Of a change of rules: the edition from now on.",
        )
        .nullable(),
        Column::new(
            "options",
            Kind::Text,
            "Of a change of rules: the options from now on, a JSON object.",
        )
        .nullable()
        .bulky(),
        Column::new("text", Kind::Text, "Of a notice: the words of the sign.")
            .nullable()
            .bulky(),
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
    notice: Option<&'a str>,
    change: Option<&'static str>,
    effective_at: Option<i64>,
    announced: Option<bool>,
    bureau_notified: Option<bool>,
    notified_at: Option<i64>,
    edition: Option<&'a str>,
    options: Option<&'a str>,
    text: Option<&'a str>,
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
        Body::NoticePosted(posted) => Row {
            deed: "posted",
            notice: posted.notice.as_deref(),
            change: Some(match posted.change {
                NoticeChange::Rules => "rules",
                NoticeChange::Limits => "limits",
                NoticeChange::Requirement => "requirement",
            }),
            effective_at: Some(posted.effective_at.micros()),
            announced: Some(posted.announced),
            bureau_notified: Some(posted.bureau_notified),
            notified_at: posted.notified_at.map(|at| at.micros()),
            text: posted.text.as_deref(),
            ..Row::default()
        },
        Body::RulesChanged(changed) => Row {
            deed: "rules_changed",
            notice: changed.notice.as_deref(),
            edition: Some(&changed.edition),
            options: Some(changed.options.text()),
            ..Row::default()
        },
        Body::LimitsChanged(changed) => Row {
            deed: "limits_changed",
            notice: changed.notice.as_deref(),
            ..Row::default()
        },
        _ => return None,
    })
}
