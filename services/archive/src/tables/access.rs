//! `access`: what was asked of the archive, by whom, and what became of it.

use catwalk_log::Topic;
use serde::Serialize;

use super::{GAMING_DAY, LOG_OFFSET, LOG_PARTITION, Table};
use crate::Result;
use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;

pub(super) static TABLE: Table = Table {
    name: "access",
    meaning: "Two rows a question that was asked of the archive: before its answer, and after it.",
    columns: &[
        GAMING_DAY,
        Column::new(
            "id",
            Kind::Text,
            "Of the question: both of its rows have it. One that is there twice was brought twice.",
        )
        .looked_up(),
        Column::new(
            "stage",
            Kind::Text,
            "asked (before the first byte of the answer) or answered (after its last).",
        ),
        Column::new("at", Kind::Moment, "When it was asked or answered."),
        Column::new(
            "door",
            Kind::Text,
            "By which way: command_line, sql (a client of PostgreSQL) or http (also the console).",
        ),
        Column::new(
            "who",
            Kind::Text,
            "The user; at a command line, the account of the machine.",
        ),
        Column::new("roles", Kind::Texts, "What they asked as."),
        Column::new(
            "station",
            Kind::Text,
            "From where: an address, or the name of the machine.",
        )
        .nullable(),
        Column::new(
            "program",
            Kind::Text,
            "The program that asked, as it calls itself.",
        )
        .nullable(),
        Column::new("case_id", Kind::Text, "The case that it was asked for.").nullable(),
        Column::new(
            "text",
            Kind::Text,
            "The question: SQL, the name of a query, or a command.",
        )
        .bulky(),
        Column::new("parameters", Kind::Text, "Its values, as a JSON object.")
            .nullable()
            .bulky(),
        Column::new(
            "outcome",
            Kind::Text,
            "Of answered: complete, cut (as much as is given at once), failed or broken_off.",
        )
        .nullable(),
        Column::new("rows", Kind::Int, "Of answered: rows that were given.").nullable(),
        Column::new(
            "bytes",
            Kind::Int,
            "Of answered: how long they were as they were given.",
        )
        .nullable(),
        Column::new(
            "error",
            Kind::Text,
            "Of answered: what was said where it did not end well.",
        )
        .nullable()
        .bulky(),
        LOG_PARTITION,
        LOG_OFFSET,
    ],
    sorted_by: &["at", "log_offset"],
    topic: Topic::Access,
    append,
};

#[derive(Serialize)]
struct Row<'a> {
    gaming_day: i32,
    id: &'a str,
    stage: &'static str,
    at: i64,
    door: &'static str,
    who: &'a str,
    roles: &'a [String],
    station: Option<&'a str>,
    program: Option<&'a str>,
    case_id: Option<&'a str>,
    text: &'a str,
    parameters: Option<&'a str>,
    outcome: Option<&'static str>,
    rows: Option<u64>,
    bytes: Option<u64>,
    error: Option<&'a str>,
    log_partition: u32,
    log_offset: u64,
}

fn append(item: &Item, arrival: &Arrival, rows: &mut Rows) -> Result<()> {
    let Item::Access(access) = item else {
        return Ok(());
    };
    rows.push(&Row {
        gaming_day: arrival.gaming_day,
        id: &access.id,
        stage: access.stage.name(),
        at: access.at.micros(),
        door: access.door.name(),
        who: &access.who,
        roles: &access.roles,
        station: access.station.as_deref(),
        program: access.program.as_deref(),
        case_id: access.case.as_deref(),
        text: &access.text,
        parameters: access.parameters.as_deref(),
        outcome: access.outcome.map(|outcome| outcome.name()),
        rows: access.rows,
        bytes: access.bytes,
        error: access.error.as_deref(),
        log_partition: arrival.partition,
        log_offset: arrival.offset,
    })
}
