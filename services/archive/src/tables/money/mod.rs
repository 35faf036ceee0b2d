//! `money`: chips and cash that come to a table, leave it or are counted.

mod told;

use catwalk_hands::floor::Cents;
use catwalk_log::Topic;
use serde::Serialize;

use super::{GAMING_DAY, LOG_OFFSET, LOG_PARTITION, PROPERTY, TABLE_ID, Table};
use crate::Result;
use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;

pub(super) static TABLE: Table = Table {
    name: "money",
    meaning: "One row a movement or count of chips or cash; what was sent twice is there twice, \
              with the same seq.",
    columns: &[
        GAMING_DAY,
        PROPERTY,
        TABLE_ID,
        Column::new("seq", Kind::Int, "Of the event that tells it.").steps(),
        Column::new("at", Kind::Moment, "When it happened."),
        Column::new(
            "kind",
            Kind::Text,
            "opening_inventory, closing_inventory, inventory, fill, credit, buy_in, \
             drop_box_attached, drop_box_removed, drop_box_received, drop, rake, jackpot_drop, \
             jackpot_paid, meter, chips_moved, \
             chips_counted, chips_destroyed, impressment, liability, tournament_buy_ins, \
             tournament_prizes, tournament_tips, tournament_rebuys, tournament_add_ons, \
             tournament_fees, cash_out, marker_issued, marker_redeemed, coupon, \
             commission, meter_adjusted or fund.",
        ),
        Column::new(
            "amount_cents",
            Kind::Cents,
            "How much. Of a drop: cash, counter checks less those redeemed at the table, vouchers, \
             front money and chips; coupons are beside it.",
        )
        .nullable(),
        Column::new("cash_cents", Kind::Cents, "Of a drop: the cash.").nullable(),
        Column::new(
            "counter_checks_cents",
            Kind::Cents,
            "Of a drop: the counter checks.",
        )
        .nullable(),
        Column::new("coupons_cents", Kind::Cents, "Of a drop: the faces of the coupons.").nullable(),
        Column::new(
            "form",
            Kind::Text,
            "Of a buy-in: cash, counter_check, coupon, voucher, front_money or foreign_chips; of a cash-out or a \
             redemption: cash, chips, check or front_money.",
        )
        .nullable(),
        Column::new("seat", Kind::Int, "Of a buy-in: the seat.").nullable(),
        Column::new(
            "slip",
            Kind::Text,
            "The number of its slip: of a fill, a credit, an opening, a closing or a jackpot.",
        )
        .nullable(),
        Column::new("box", Kind::Text, "Of a drop: the box.").nullable(),
        Column::new("meter", Kind::Text, "Of a jackpot: its meter; of a count of a fund: the fund.").nullable(),
        Column::new("round", Kind::Text, "The round, where it belongs to one.").nullable(),
        Column::new("wager", Kind::Text, "The wager, where it belongs to one.").nullable(),
        Column::new(
            "location",
            Kind::Text,
            "Of chips outside tables: where they are.",
        )
        .nullable(),
        Column::new(
            "denominations",
            Kind::Text,
            "Chips by value in cents, a JSON object.",
        )
        .nullable()
        .bulky(),
        Column::new("event_id", Kind::Text, "Of the event that tells it.").prefixes(),
        LOG_PARTITION,
        LOG_OFFSET,
        Column::new("player", Kind::Text, "The patron, where known.").nullable().looked_up(),
        Column::new("instrument", Kind::Text, "Number of the counter check, coupon or voucher.").nullable(),
        Column::new("shift", Kind::Text, "The shift, as the house names it.").nullable(),
        Column::new("person", Kind::Text, "Who did it.").nullable(),
        Column::new("witness", Kind::Text, "Who did it with them.").nullable(),
        Column::new("pit", Kind::Text, "Of an opening: the pit that the table stands in.").nullable(),
        Column::new(
            "box_kind",
            Kind::Text,
            "Of a box: main, emergency, bad_beat or tip; the main box where not told.",
        )
        .nullable(),
        Column::new(
            "paid_from",
            Kind::Text,
            "Of a jackpot: tray, cage or safekeeping, where told.",
        )
        .nullable(),
        Column::new("from", Kind::Text, "Of chips that move: from where.").nullable(),
        Column::new(
            "to",
            Kind::Text,
            "Of chips that move: to where; of rake: drop_box or tray, where told.",
        )
        .nullable(),
        Column::new("charge", Kind::Text, "Of rake: percent, increment or time, where told.").nullable(),
        Column::new(
            "fund",
            Kind::Text,
            "The fund of a bad beat; of a meter: the link of tables that feed it.",
        )
        .nullable(),
        Column::new("rate", Kind::Text, "Of a meter: the share of a stake that feeds it.").nullable(),
        Column::new("before_cents", Kind::Cents, "Of a meter set by hand: what it showed.").nullable(),
        Column::new("reason", Kind::Text, "Why, where told.").nullable(),
        Column::new("request", Kind::Text, "Of a fill or credit: the number of its request.").nullable(),
        Column::new("chip_set", Kind::Text, "Of chips outside tables: primary, secondary or reserve.").nullable(),
        Column::new("vouchers_cents", Kind::Cents, "Of a drop: the vouchers.").nullable(),
        Column::new("front_money_cents", Kind::Cents, "Of a drop: slips for money on deposit.").nullable(),
        Column::new("chips_cents", Kind::Cents, "Of a drop: chips of the house.").nullable(),
        Column::new("foreign_chips_cents", Kind::Cents, "Of a drop: chips of other houses.").nullable(),
        Column::new(
            "checks_redeemed_cents",
            Kind::Cents,
            "Of a drop: counter checks that were redeemed at the table.",
        )
        .nullable(),
        Column::new("first_count_cents", Kind::Cents, "Of a drop: what the first count made.").nullable(),
        Column::new("second_count_cents", Kind::Cents, "Of a drop: what the second count made.").nullable(),
        Column::new("accepted_cents", Kind::Cents, "Of a drop: what the main bank took over.").nullable(),
        Column::new("accepted_by", Kind::Text, "Of a drop: who took it over for the main bank.").nullable(),
        Column::new(
            "coupon_kind",
            Kind::Text,
            "Of a coupon: what kind it is.",
        )
        .nullable(),
        Column::new("coupons_by_kind", Kind::Text, "Of a drop: coupons in cents by kind, a JSON object.")
            .nullable()
            .bulky(),
        Column::new("bills", Kind::Text, "Banknotes by value in cents, a JSON object.")
            .nullable()
            .bulky(),
        Column::new(
            "instruments",
            Kind::Text,
            "Of a drop: numbers of the counter checks, coupons, vouchers and slips in it, a JSON list.",
        )
        .nullable()
        .bulky(),
        Column::new("game", Kind::Text, "Of an opening: the game.").nullable(),
        Column::new("tournament", Kind::Bool, "Of an opening: it is for a tournament.").nullable(),
        Column::new(
            "source_kind",
            Kind::Text,
            "Who tells it: device, dealer, supervisor, cage, count_room, security, accounting, \
             surveillance or system.",
        )
        .nullable(),
        Column::new(
            "colours",
            Kind::Text,
            "Chips without a value by colour, a JSON object.",
        )
        .nullable()
        .bulky(),
        Column::new("team", Kind::Text, "Of a box: who was there, a JSON list.").nullable().bulky(),
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
    kind: &'static str,
    amount_cents: Option<Cents>,
    cash_cents: Option<Cents>,
    counter_checks_cents: Option<Cents>,
    coupons_cents: Option<Cents>,
    form: Option<String>,
    seat: Option<u32>,
    slip: Option<&'a str>,
    r#box: Option<&'a str>,
    meter: Option<&'a str>,
    round: Option<&'a str>,
    wager: Option<&'a str>,
    location: Option<&'a str>,
    denominations: Option<String>,
    event_id: &'a str,
    log_partition: u32,
    log_offset: u64,
    player: Option<&'a str>,
    instrument: Option<&'a str>,
    shift: Option<&'a str>,
    person: Option<&'a str>,
    witness: Option<&'a str>,
    pit: Option<&'a str>,
    box_kind: Option<String>,
    paid_from: Option<String>,
    from: Option<&'a str>,
    to: Option<String>,
    charge: Option<String>,
    fund: Option<&'a str>,
    rate: Option<&'a str>,
    before_cents: Option<Cents>,
    reason: Option<&'a str>,
    request: Option<&'a str>,
    chip_set: Option<&'a str>,
    vouchers_cents: Option<Cents>,
    front_money_cents: Option<Cents>,
    chips_cents: Option<Cents>,
    foreign_chips_cents: Option<Cents>,
    checks_redeemed_cents: Option<Cents>,
    first_count_cents: Option<Cents>,
    second_count_cents: Option<Cents>,
    accepted_cents: Option<Cents>,
    accepted_by: Option<&'a str>,
    coupon_kind: Option<&'a str>,
    coupons_by_kind: Option<String>,
    bills: Option<String>,
    instruments: Option<String>,
    team: Option<String>,
    game: Option<&'a str>,
    tournament: Option<bool>,
    source_kind: Option<String>,
    colours: Option<String>,
}

fn append(item: &Item, arrival: &Arrival, rows: &mut Rows) -> Result<()> {
    let Item::Event(event) = item else {
        return Ok(());
    };
    for row in told::money(event)? {
        rows.push(&Row {
            gaming_day: arrival.gaming_day,
            property: &event.property,
            table_id: &event.table,
            seq: event.seq,
            at: event.at.micros(),
            round: event.round.as_deref(),
            shift: event.shift.as_deref(),
            source_kind: Some(told::word(event.source.kind)?),
            event_id: &event.id,
            log_partition: arrival.partition,
            log_offset: arrival.offset,
            ..row
        })?;
    }
    Ok(())
}
