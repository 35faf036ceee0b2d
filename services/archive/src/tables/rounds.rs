//! `rounds`: every round that has ended, with the document that it was settled from.

use catwalk_events::Json;
use catwalk_events::audit::SettledWager;
use catwalk_hands::floor::Cents;
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
    name: "rounds",
    meaning: "One row a round that has ended, by the gaming day of its end.",
    columns: &[
        GAMING_DAY,
        PROPERTY,
        TABLE_ID,
        ROUND.prefixes(),
        GAME,
        Column::new(
            "edition",
            Kind::Text,
            "The edition of the rules in force when it opened.",
        ),
        Column::new(
            "options",
            Kind::Text,
            "The options of the table then, a JSON object.",
        )
        .bulky(),
        Column::new("opened_at", Kind::Moment, "When it opened."),
        Column::new("closed_at", Kind::Moment, "When it ended."),
        DEALER,
        Column::new(
            "complete",
            Kind::Bool,
            "False where events of it are missing: it was not judged.",
        ),
        Column::new(
            "voided",
            Kind::Bool,
            "The floor declared it void: it was not judged.",
        ),
        Column::new("first_seq", Kind::Int, "The event that opened it.").steps(),
        Column::new("last_seq", Kind::Int, "The event that ended it.").steps(),
        Column::new("wagers", Kind::Int, "How many wagers it has."),
        Column::new(
            "staked_cents",
            Kind::Cents,
            "Stakes of patrons that it decided, with vigorish paid beside them; without the faces of \
             coupons, and without the house's own wagers (seat 0).",
        ),
        Column::new(
            "returned_cents",
            Kind::Cents,
            "What should have gone back of it, stakes and bonuses included; none where not judged.",
        )
        .nullable(),
        Column::new(
            "given_cents",
            Kind::Cents,
            "What did go back, stakes included; none where not judged.",
        )
        .nullable(),
        Column::new(
            "difference_cents",
            Kind::Cents,
            "What went back less what should have: positive, the house lost it.",
        )
        .nullable(),
        Column::new(
            "violations",
            Kind::Texts,
            "Codes of the dealing and wagering errors that the document shows.",
        ),
        Column::new(
            "rules",
            Kind::Text,
            "Hash of the rules that decided; none where not judged.",
        )
        .nullable(),
        Column::new("document", Kind::Text, "The round document, a JSON object.")
            .nullable()
            .bulky(),
        Column::new(
            "bonuses",
            Kind::Text,
            "Payments outside the odds of any wager, JSON.",
        )
        .nullable()
        .bulky(),
        Column::new(
            "pots",
            Kind::Text,
            "The poker room's awards, rake, jackpot drop and refunds, JSON.",
        )
        .nullable()
        .bulky(),
        LOG_PARTITION,
        LOG_OFFSET,
        Column::new(
            "assumed",
            Kind::Texts,
            "Places of the document that nobody saw: the judgement holds whatever lay there.",
        )
        .nullable(),
        Column::new("shoe", Kind::Text, "The shoe that it was dealt from.").nullable(),
        Column::new(
            "set",
            Kind::Text,
            "The set of cards that it was dealt from.",
        )
        .nullable()
        .looked_up(),
        Column::new("wheel", Kind::Text, "The wheel that was spun.").nullable(),
        Column::new("dice_set", Kind::Text, "The set of dice that was thrown.").nullable(),
        Column::new(
            "banker",
            Kind::Int,
            "The seat that banked, where players bank.",
        )
        .nullable(),
        Column::new(
            "shift",
            Kind::Text,
            "The shift in which it opened, as the house names it.",
        )
        .nullable(),
        Column::new("pit", Kind::Text, "The pit that the table stands in.").nullable(),
        Column::new(
            "tournament",
            Kind::Bool,
            "The table was open for a tournament.",
        )
        .nullable(),
        Column::new("trial", Kind::Bool, "The table was open for a field trial.").nullable(),
        Column::new(
            "owed_cents",
            Kind::Cents,
            "Vigorish of it that is only marked, and collected later; none where there is none.",
        )
        .nullable(),
    ],
    sorted_by: &["table_id", "closed_at", "log_offset"],
    topic: Topic::Settlements,
    append,
};

/// The seat of the house's own wagers.
const HOUSE: u32 = 0;

#[derive(Serialize)]
struct Row<'a> {
    gaming_day: i32,
    property: &'a str,
    table_id: &'a str,
    round: &'a str,
    game: &'a str,
    edition: &'a str,
    options: &'a str,
    opened_at: i64,
    closed_at: i64,
    dealer: Option<&'a str>,
    complete: bool,
    voided: bool,
    first_seq: u64,
    last_seq: u64,
    wagers: usize,
    staked_cents: Cents,
    returned_cents: Option<Cents>,
    given_cents: Option<Cents>,
    difference_cents: Option<Cents>,
    violations: &'a [String],
    rules: Option<&'a str>,
    document: Option<&'a str>,
    bonuses: Option<&'a str>,
    pots: Option<&'a str>,
    log_partition: u32,
    log_offset: u64,
    assumed: Option<&'a [String]>,
    shoe: Option<&'a str>,
    set: Option<&'a str>,
    wheel: Option<&'a str>,
    dice_set: Option<&'a str>,
    banker: Option<u32>,
    shift: Option<&'a str>,
    pit: Option<&'a str>,
    tournament: Option<bool>,
    trial: Option<bool>,
    owed_cents: Option<Cents>,
}

fn append(item: &Item, arrival: &Arrival, rows: &mut Rows) -> Result<()> {
    let Item::Settlement(round) = item else {
        return Ok(());
    };
    // Seat 0 is the house, which plays against a patron's bank: what it stakes is no patron's.
    let of_patrons = || round.wagers.iter().filter(|wager| wager.seat != HOUSE);
    let returned = of_patrons().map(SettledWager::due_back);
    let difference = of_patrons().map(|wager| wager.difference);
    // The sum of nothing is zero: a round that was not judged has none even without wagers.
    let judged = |sum: Option<Cents>| sum.filter(|_| round.rules.is_some());
    let returned: Option<Cents> = returned.sum();
    let returned = returned.map(|returned| returned + beside(round.bonuses.as_ref()));
    let (returned, difference) = (judged(returned), judged(difference.sum()));
    rows.push(&Row {
        gaming_day: arrival.gaming_day,
        property: &round.property,
        table_id: &round.table,
        round: &round.round,
        game: &round.game,
        edition: &round.edition,
        options: round.options.text(),
        opened_at: round.opened_at.micros(),
        closed_at: round.closed_at.micros(),
        dealer: round.dealer.as_deref(),
        complete: round.complete,
        voided: round.voided,
        first_seq: round.first_seq,
        last_seq: round.last_seq,
        wagers: round.wagers.len(),
        staked_cents: of_patrons().map(SettledWager::put_up).sum(),
        returned_cents: returned,
        given_cents: returned.zip(difference).map(|(due, more)| due + more),
        difference_cents: difference,
        violations: &round.violations,
        rules: round.rules.as_deref(),
        document: round.document.as_ref().map(|json| json.text()),
        bonuses: round.bonuses.as_ref().map(|json| json.text()),
        pots: round.pots.as_ref().map(|json| json.text()),
        log_partition: arrival.partition,
        log_offset: arrival.offset,
        assumed: Some(round.assumed.as_slice()).filter(|places| !places.is_empty()),
        shoe: round.shoe.as_deref(),
        set: round.set.as_deref(),
        wheel: round.wheel.as_deref(),
        dice_set: round.dice_set.as_deref(),
        banker: round.banker,
        shift: round.shift.as_deref(),
        pit: round.pit.as_deref(),
        tournament: round.tournament,
        trial: round.trial,
        owed_cents: round.owed,
    })
}

/// Payments outside the odds of any wager: they leave the tray all the same.
fn beside(bonuses: Option<&Json>) -> Cents {
    let bonuses = bonuses.map(Json::value);
    let list = bonuses.as_ref().and_then(serde_json::Value::as_array);
    let amounts = list
        .into_iter()
        .flatten()
        .map(|bonus| bonus["amount"].as_i64());
    amounts.flatten().map(Cents::new).sum()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use arrow::array::AsArray;
    use arrow::datatypes::Int64Type;
    use catwalk_events::audit::Settlement;
    use catwalk_events::body::WagerForm;

    use super::*;

    /// Staked, due back, and what went back more.
    fn sums(round: Settlement) -> [i64; 3] {
        let mut rows = Rows::new(&TABLE).unwrap();
        let arrival = Arrival {
            partition: 0,
            offset: 0,
            gaming_day: 20_000,
        };
        append(&Item::Settlement(Box::new(round)), &arrival, &mut rows).unwrap();
        let (batch, _) = rows.take().unwrap();
        let cents = |name| {
            let column = batch.column_by_name(name).unwrap();
            column.as_primitive::<Int64Type>().value(0)
        };
        ["staked_cents", "returned_cents", "difference_cents"].map(cents)
    }

    /// A banker wager of $100.00 that won $95.00 and was paid $100.00, a tie of $5.00 that lost, an envy of $10.00.
    fn sample() -> Settlement {
        let samples = include_str!("../../../../schemas/settlement.jsonl");
        let mut round: Settlement = serde_json::from_str(samples.lines().next().unwrap()).unwrap();
        for wager in &mut round.wagers {
            wager.form = None;
        }
        round
    }

    #[test]
    fn what_the_house_wagers_is_no_stake_of_a_patron() {
        assert_eq!(sums(sample()), [10_500, 20_500, 500]);
        let mut round = sample();
        round.wagers[0].seat = HOUSE;
        assert_eq!(sums(round), [500, 1_000, 0]);
    }

    #[test]
    fn the_face_of_a_coupon_is_no_money() {
        let mut won = sample();
        won.wagers[0].form = Some(WagerForm::Coupon);
        assert_eq!(sums(won), [500, 10_500, 500]);
        let mut lost = sample();
        lost.wagers[1].form = Some(WagerForm::Coupon);
        assert_eq!(sums(lost), [10_000, 20_500, 500]);
    }
}
