//! `cards`: every card of every round, as it was shown in the end.

use catwalk_events::body::{CardPlace, Face};
use catwalk_log::Topic;
use serde::Serialize;

use super::{GAME, GAMING_DAY, PROPERTY, ROUND, TABLE_ID, Table};
use crate::Result;
use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;

pub(super) static TABLE: Table = Table {
    name: "cards",
    meaning: "One row a card dealt in a round that has ended.",
    columns: &[
        GAMING_DAY,
        PROPERTY,
        TABLE_ID,
        ROUND,
        GAME,
        Column::new("nth", Kind::Int, "Which card of the round, from 0."),
        Column::new(
            "place",
            Kind::Text,
            "Where it went: player, dealer, banker, community or seat.",
        ),
        Column::new("seat", Kind::Int, "The seat.").nullable(),
        Column::new("hand", Kind::Int, "The hand of the seat, from 1.").nullable(),
        Column::new(
            "card",
            Kind::Text,
            "Rank and suit, such as AS; none where nobody saw it.",
        )
        .nullable(),
        Column::new("face", Kind::Text, "How it was dealt: up or down."),
        Column::new("seq", Kind::Int, "Of the event that dealt it.").steps(),
        Column::new("at", Kind::Moment, "When it was dealt.").nullable(),
    ],
    sorted_by: &["table_id", "seq", "nth"],
    topic: Topic::Settlements,
    append,
};

#[derive(Serialize)]
struct Row<'a> {
    gaming_day: i32,
    property: &'a str,
    table_id: &'a str,
    round: &'a str,
    game: &'a str,
    nth: u32,
    place: CardPlace,
    seat: Option<u32>,
    hand: Option<u32>,
    card: Option<&'a str>,
    face: Face,
    seq: u64,
    at: Option<i64>,
}

fn append(item: &Item, arrival: &Arrival, rows: &mut Rows) -> Result<()> {
    let Item::Settlement(round) = item else {
        return Ok(());
    };
    for card in &round.cards {
        rows.push(&Row {
            gaming_day: arrival.gaming_day,
            property: &round.property,
            table_id: &round.table,
            round: &round.round,
            game: &round.game,
            nth: card.index,
            place: card.to,
            seat: card.seat,
            hand: card.hand,
            card: card.card.as_deref(),
            face: card.face,
            seq: card.seq,
            at: card.at.map(|at| at.micros()),
        })?;
    }
    Ok(())
}
