//! `findings`: what does not agree.

use catwalk_hands::floor::{Cents, Severity};
use catwalk_log::Topic;
use serde::Serialize;

use super::{
    DEALER, GAME, GAMING_DAY, LOG_OFFSET, LOG_PARTITION, PROPERTY, ROUND, TABLE_ID, Table,
};
use crate::Result;
use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;

pub(super) static TABLE: Table = Table {
    name: "findings",
    meaning: "One row a fault, with what is at stake and what shows it.",
    columns: &[
        GAMING_DAY,
        PROPERTY,
        TABLE_ID,
        Column::new("at", Kind::Moment, "Of the event that decided it."),
        Column::new("code", Kind::Text, "What is wrong, such as pay.over."),
        Column::new("severity", Kind::Text, "info, warn or critical."),
        GAME.nullable(),
        ROUND.nullable(),
        Column::new("wager", Kind::Text, "The wager's id within its round.").nullable(),
        Column::new("seat", Kind::Int, "The betting position.").nullable(),
        DEALER,
        Column::new(
            "due_cents",
            Kind::Cents,
            "What should have gone to the player beyond the stake.",
        )
        .nullable(),
        Column::new("paid_cents", Kind::Cents, "What did go to the player.").nullable(),
        Column::new(
            "exposure_cents",
            Kind::Cents,
            "What is at stake: positive, the house lost it.",
        ),
        Column::new("message", Kind::Text, "What is wrong, in a sentence.")
            .plain()
            .bulky(),
        Column::new("cites", Kind::Texts, "Sections of the rules."),
        Column::new(
            "evidence",
            Kind::Ints,
            "The seq of the events that show it.",
        ),
        Column::new("rules", Kind::Text, "Hash of the rules that judged.").nullable(),
        Column::new(
            "resolves",
            Kind::Text,
            "Of a resolution: the id of the finding that it closes.",
        )
        .nullable(),
        Column::new(
            "id",
            Kind::Text,
            "The finding; the same events give the same id.",
        )
        .plain()
        .looked_up(),
        LOG_PARTITION,
        LOG_OFFSET,
        Column::new(
            "player",
            Kind::Text,
            "Whose wager it is, where the floor knows.",
        )
        .nullable(),
        Column::new("trial", Kind::Bool, "The table was open for a field trial.").nullable(),
    ],
    sorted_by: &["table_id", "at", "log_offset"],
    topic: Topic::Findings,
    append,
};

#[derive(Serialize)]
struct Row<'a> {
    gaming_day: i32,
    property: &'a str,
    table_id: &'a str,
    at: i64,
    code: &'a str,
    severity: Severity,
    game: Option<&'a str>,
    round: Option<&'a str>,
    wager: Option<&'a str>,
    seat: Option<u32>,
    dealer: Option<&'a str>,
    due_cents: Option<Cents>,
    paid_cents: Option<Cents>,
    exposure_cents: Cents,
    message: &'a str,
    cites: &'a [String],
    evidence: &'a [u64],
    rules: Option<&'a str>,
    resolves: Option<&'a str>,
    id: &'a str,
    log_partition: u32,
    log_offset: u64,
    player: Option<&'a str>,
    trial: Option<bool>,
}

fn append(item: &Item, arrival: &Arrival, rows: &mut Rows) -> Result<()> {
    let Item::Finding(finding) = item else {
        return Ok(());
    };
    rows.push(&Row {
        gaming_day: arrival.gaming_day,
        property: &finding.property,
        table_id: &finding.table,
        at: finding.at.micros(),
        code: &finding.code,
        severity: finding.severity,
        game: finding.game.as_deref(),
        round: finding.round.as_deref(),
        wager: finding.wager.as_deref(),
        seat: finding.seat,
        dealer: finding.dealer.as_deref(),
        due_cents: finding.due,
        paid_cents: finding.paid,
        exposure_cents: finding.exposure,
        message: &finding.message,
        cites: &finding.cites,
        evidence: &finding.evidence,
        rules: finding.rules.as_deref(),
        resolves: finding.resolves.as_deref(),
        id: &finding.id,
        log_partition: arrival.partition,
        log_offset: arrival.offset,
        player: finding.player.as_deref(),
        trial: finding.trial,
    })
}
