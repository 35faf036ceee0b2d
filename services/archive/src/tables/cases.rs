//! `cases`: what was done about cases, erasures included.

use catwalk_events::audit::CaseAction;
use catwalk_log::Topic;
use serde::Serialize;

use super::{GAMING_DAY, LOG_OFFSET, LOG_PARTITION, Table};
use crate::Result;
use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;

pub(super) static TABLE: Table = Table {
    name: "cases",
    meaning: "One row an act about a case, and one an erasure.",
    columns: &[
        GAMING_DAY,
        Column::new(
            "case_number",
            Kind::Text,
            "The case; an erasure may have none.",
        )
        .nullable()
        .looked_up(),
        Column::new(
            "id",
            Kind::Text,
            "The act's own: one that was sent twice counts once.",
        ),
        Column::new("at", Kind::Moment, "When it was done."),
        Column::new(
            "action",
            Kind::Text,
            "open, add, hold, release, close, evidence or erase.",
        ),
        Column::new("operator", Kind::Text, "Who did it."),
        Column::new("role", Kind::Text, "In which role.").nullable(),
        Column::new("station", Kind::Text, "From which address.").nullable(),
        Column::new("authority", Kind::Text, "By what right.").nullable(),
        Column::new("rounds", Kind::Texts, "Rounds that it names.").nullable(),
        Column::new("findings", Kind::Texts, "Ids of findings that it names.").nullable(),
        Column::new("patrons", Kind::Texts, "Ids of patrons that it names.").nullable(),
        Column::new("note", Kind::Text, "In the operator's words.")
            .nullable()
            .bulky(),
        Column::new(
            "leaves",
            Kind::Text,
            "Of an erasure, the leaves whose rows are gone: `0:5-7,9;2:1`.",
        )
        .nullable()
        .bulky(),
        LOG_PARTITION,
        LOG_OFFSET,
    ],
    sorted_by: &["case_number", "at", "log_offset"],
    topic: Topic::Cases,
    append,
};

#[derive(Serialize)]
struct Row<'a> {
    gaming_day: i32,
    case_number: Option<&'a str>,
    id: &'a str,
    at: i64,
    action: CaseAction,
    operator: &'a str,
    role: Option<&'a str>,
    station: Option<&'a str>,
    authority: Option<&'a str>,
    rounds: Option<&'a [String]>,
    findings: Option<&'a [String]>,
    patrons: Option<&'a [String]>,
    note: Option<&'a str>,
    leaves: Option<&'a str>,
    log_partition: u32,
    log_offset: u64,
}

fn append(item: &Item, arrival: &Arrival, rows: &mut Rows) -> Result<()> {
    let Item::Case(act) = item else {
        return Ok(());
    };
    let any = |names: &'_ [String]| !names.is_empty();
    rows.push(&Row {
        gaming_day: arrival.gaming_day,
        case_number: act.case.as_deref(),
        id: &act.id,
        at: act.at.micros(),
        action: act.action,
        operator: &act.operator,
        role: act.role.as_deref(),
        station: act.station.as_deref(),
        authority: act.authority.as_deref(),
        rounds: any(&act.rounds).then_some(&*act.rounds),
        findings: any(&act.findings).then_some(&*act.findings),
        patrons: any(&act.patrons).then_some(&*act.patrons),
        note: act.note.as_deref(),
        leaves: act.leaves.as_deref(),
        log_partition: arrival.partition,
        log_offset: arrival.offset,
    })
}
