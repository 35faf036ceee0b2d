//! `incidents`: what the surveillance desk made of the findings, revision by revision.

use catwalk_hands::floor::Cents;
use catwalk_log::Topic;
use serde::Serialize;

use super::dispositions::notified;
use super::{DEALER, GAME, GAMING_DAY, LOG_OFFSET, LOG_PARTITION, PROPERTY, TABLE_ID, Table};
use crate::Result;
use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;

pub(super) static TABLE: Table = Table {
    name: "incidents",
    meaning: "One row a revision of an incident: the one with the greatest is the incident.",
    columns: &[
        GAMING_DAY,
        PROPERTY,
        TABLE_ID,
        GAME.nullable(),
        DEALER,
        Column::new("incident", Kind::Text, "The incident.").looked_up(),
        Column::new(
            "revision",
            Kind::Int,
            "Rises with every finding, resolution and act: the row with the greatest is the incident.",
        ),
        Column::new("began", Kind::Moment, "Of its first finding."),
        Column::new("last", Kind::Moment, "Of its last finding."),
        Column::new(
            "heard",
            Kind::Moment,
            "When its first finding came to the log: deadlines count from it.",
        ),
        Column::new("rings_at", Kind::Moment, "Nobody is told before."),
        Column::new(
            "due_by",
            Kind::Moment,
            "Unless it is acknowledged by then, it goes further up.",
        ),
        Column::new("priority", Kind::Int, "1 presses most, 4 least."),
        Column::new(
            "status",
            Kind::Text,
            "open, resolved (by itself) or disposed.",
        ),
        Column::new(
            "headline",
            Kind::Text,
            "The message of the finding that presses most.",
        )
        .bulky(),
        Column::new(
            "exposure_cents",
            Kind::Cents,
            "What the house lost by it, less what patrons did; what was put right is taken off.",
        ),
        Column::new(
            "at_stake_cents",
            Kind::Cents,
            "The same without regard to who lost it, and without what was put right.",
        ),
        Column::new("codes", Kind::Texts, "What is wrong, each code once."),
        Column::new("cites", Kind::Texts, "Sections of the rules, each once."),
        Column::new(
            "findings",
            Kind::Texts,
            "Ids of its findings, the first 200.",
        ),
        Column::new("finding_count", Kind::Int, "All findings that came."),
        Column::new(
            "resolved_count",
            Kind::Int,
            "Findings that were explained or put right.",
        ),
        Column::new("act_count", Kind::Int, "Acts on it that counted."),
        Column::new("level", Kind::Text, "How far up it went."),
        Column::new("round", Kind::Text, "The round of its first finding.")
            .nullable()
            .looked_up(),
        Column::new("player", Kind::Text, "Whose wager it is.").nullable(),
        Column::new("seat", Kind::Int, "The betting position.").nullable(),
        Column::new("held_by", Kind::Text, "Who works on it.").nullable(),
        Column::new("held_since", Kind::Moment, "Since when.").nullable(),
        Column::new("acknowledged", Kind::Moment, "When somebody first saw it.").nullable(),
        Column::new("verdict", Kind::Text, "How it ended.").nullable(),
        Column::new("recovered_cents", Kind::Cents, "What was got back.").nullable(),
        Column::new("case_id", Kind::Text, "The case that it went to.").nullable(),
        Column::new("reviewer", Kind::Text, "The other person who looked at it.").nullable(),
        Column::new("video", Kind::Text, "Where the recording is kept.").nullable(),
        Column::new(
            "notified",
            Kind::Texts,
            "Who outside the room was told, when and how.",
        )
        .nullable(),
        LOG_PARTITION,
        LOG_OFFSET,
    ],
    sorted_by: &["table_id", "began", "incident", "revision"],
    topic: Topic::Incidents,
    append,
};

#[derive(Serialize)]
struct Row<'a> {
    gaming_day: i32,
    property: &'a str,
    table_id: &'a str,
    game: Option<&'a str>,
    dealer: Option<&'a str>,
    incident: &'a str,
    revision: u64,
    began: i64,
    last: i64,
    heard: i64,
    rings_at: i64,
    due_by: i64,
    priority: u32,
    status: &'a str,
    headline: &'a str,
    exposure_cents: Cents,
    at_stake_cents: Cents,
    codes: &'a [String],
    cites: &'a [String],
    findings: &'a [String],
    finding_count: u64,
    resolved_count: u64,
    act_count: u64,
    level: &'a str,
    round: Option<&'a str>,
    player: Option<&'a str>,
    seat: Option<u32>,
    held_by: Option<&'a str>,
    held_since: Option<i64>,
    acknowledged: Option<i64>,
    verdict: Option<&'a str>,
    recovered_cents: Option<Cents>,
    case_id: Option<&'a str>,
    reviewer: Option<&'a str>,
    video: Option<&'a str>,
    notified: Option<Vec<String>>,
    log_partition: u32,
    log_offset: u64,
}

fn append(item: &Item, arrival: &Arrival, rows: &mut Rows) -> Result<()> {
    let Item::Incident(incident) = item else {
        return Ok(());
    };
    rows.push(&Row {
        gaming_day: arrival.gaming_day,
        property: &incident.property,
        table_id: &incident.table,
        game: incident.game.as_deref(),
        dealer: incident.dealer.as_deref(),
        incident: &incident.id,
        revision: incident.revision,
        began: incident.began.micros(),
        last: incident.last.micros(),
        heard: incident.heard.micros(),
        rings_at: incident.rings_at.micros(),
        due_by: incident.due_by.micros(),
        priority: incident.priority,
        status: &incident.status,
        headline: &incident.headline,
        exposure_cents: incident.exposure_cents,
        at_stake_cents: incident.at_stake_cents,
        codes: &incident.codes,
        cites: &incident.cites,
        findings: &incident.findings,
        finding_count: incident.count,
        resolved_count: incident.resolved,
        act_count: incident.acts,
        level: &incident.level,
        round: incident.round.as_deref(),
        player: incident.player.as_deref(),
        seat: incident.seat,
        held_by: incident.held_by.as_deref(),
        held_since: incident.held_since.map(|at| at.micros()),
        acknowledged: incident.acknowledged.map(|at| at.micros()),
        verdict: incident.verdict.as_deref(),
        recovered_cents: incident.recovered_cents,
        case_id: incident.case.as_deref(),
        reviewer: incident.reviewer.as_deref(),
        video: incident.video.as_deref(),
        notified: notified(&incident.notified),
        log_partition: arrival.partition,
        log_offset: arrival.offset,
    })
}
