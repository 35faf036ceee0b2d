//! `wagers`: what was due on each wager, and what was paid.

use catwalk_events::body::WagerForm;
use catwalk_hands::floor::{Cents, Verdict};
use catwalk_log::Topic;
use serde::Serialize;

use super::{DEALER, GAME, GAMING_DAY, PROPERTY, ROUND, TABLE_ID, Table};
use crate::Result;
use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;

pub(super) static TABLE: Table = Table {
    name: "wagers",
    meaning: "One row a wager of a round that has ended: due, paid, difference.",
    columns: &[
        GAMING_DAY,
        PROPERTY,
        TABLE_ID,
        ROUND,
        GAME,
        DEALER,
        Column::new("closed_at", Kind::Moment, "When the round ended."),
        Column::new("nth", Kind::Int, "Which wager of the round, from 0."),
        Column::new("wager", Kind::Text, "The wager's id within its round."),
        Column::new("seat", Kind::Int, "The betting position; 0 is the house."),
        Column::new(
            "player",
            Kind::Text,
            "The patron: as the wager says, or who was seated there.",
        )
        .nullable(),
        Column::new("kind", Kind::Text, "The kind, as the rulebook names it."),
        Column::new("amount_cents", Kind::Cents, "The stake that counts."),
        Column::new(
            "result",
            Kind::Text,
            "What the rules say: win, lose, push, void or open; none where not judged.",
        )
        .nullable(),
        Column::new(
            "win_cents",
            Kind::Cents,
            "Due beyond the stake, before commission; none where not judged.",
        )
        .nullable(),
        Column::new(
            "commission_cents",
            Kind::Cents,
            "Vigorish due on it; none where not judged.",
        )
        .nullable(),
        Column::new(
            "returned_cents",
            Kind::Cents,
            "All that should have gone back, stake included; none where not judged.",
        )
        .nullable(),
        Column::new("paid_cents", Kind::Cents, "Paid beyond the stake."),
        Column::new("commission_taken_cents", Kind::Cents, "Vigorish taken."),
        Column::new(
            "collected_cents",
            Kind::Cents,
            "What of the stake was collected; none where no collection was reported.",
        )
        .nullable(),
        Column::new(
            "pushed_cents",
            Kind::Cents,
            "What of the stake was left or given back; none where no push was reported.",
        )
        .nullable(),
        Column::new(
            "given_cents",
            Kind::Cents,
            "All that did go back, stake included; none where not judged.",
        )
        .nullable(),
        Column::new(
            "difference_cents",
            Kind::Cents,
            "What went back less what should have: positive, the house lost it.",
        )
        .nullable(),
        Column::new(
            "form",
            Kind::Text,
            "value_chips, colour_chips, plaque, coupon or cash.",
        )
        .nullable(),
        Column::new(
            "placed_at",
            Kind::Moment,
            "When it was made, in this round or an earlier one.",
        )
        .nullable(),
        Column::new(
            "late_by_ms",
            Kind::Int,
            "It was made, raised or taken down so many milliseconds after its window had closed.",
        )
        .nullable(),
        Column::new(
            "detail",
            Kind::Text,
            "What it is on, as it was told: the number, the point and so on, a JSON object.",
        )
        .nullable(),
    ],
    sorted_by: &["table_id", "closed_at", "round", "nth"],
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
    dealer: Option<&'a str>,
    closed_at: i64,
    nth: usize,
    wager: &'a str,
    seat: u32,
    player: Option<&'a str>,
    kind: &'a str,
    amount_cents: Cents,
    result: Option<Verdict>,
    win_cents: Option<Cents>,
    commission_cents: Option<Cents>,
    returned_cents: Option<Cents>,
    paid_cents: Cents,
    commission_taken_cents: Cents,
    collected_cents: Option<Cents>,
    pushed_cents: Option<Cents>,
    given_cents: Option<Cents>,
    difference_cents: Option<Cents>,
    form: Option<WagerForm>,
    placed_at: Option<i64>,
    late_by_ms: Option<i64>,
    detail: Option<&'a str>,
}

fn append(item: &Item, arrival: &Arrival, rows: &mut Rows) -> Result<()> {
    let Item::Settlement(round) = item else {
        return Ok(());
    };
    for (nth, wager) in round.wagers.iter().enumerate() {
        let due_and_more = wager.returned.zip(wager.difference);
        rows.push(&Row {
            gaming_day: arrival.gaming_day,
            property: &round.property,
            table_id: &round.table,
            round: &round.round,
            game: &round.game,
            dealer: round.dealer.as_deref(),
            closed_at: round.closed_at.micros(),
            nth,
            wager: &wager.id,
            seat: wager.seat,
            player: wager.player.as_deref(),
            kind: &wager.kind,
            amount_cents: wager.amount,
            result: wager.result,
            win_cents: wager.win,
            commission_cents: wager.commission,
            returned_cents: wager.returned,
            paid_cents: wager.paid,
            commission_taken_cents: wager.commission_taken,
            collected_cents: wager.collected,
            pushed_cents: wager.pushed,
            given_cents: due_and_more.map(|(due, more)| due + more),
            difference_cents: wager.difference,
            form: wager.form,
            placed_at: wager.placed_at.map(|at| at.micros()),
            late_by_ms: wager.late_by_ms,
            detail: wager.detail.as_ref().map(|json| json.text()),
        })?;
    }
    Ok(())
}
