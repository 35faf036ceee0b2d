//! `money`: chips and cash that come to a table, leave it or are counted.

use std::collections::BTreeMap;

use catwalk_events::Event;
use catwalk_events::body::{Body, DropCounted};
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
             drop_box_removed, drop, rake, jackpot_drop, jackpot_paid, meter, chips_moved, \
             chips_counted, chips_destroyed, impressment, liability, tournament_buy_ins, \
             tournament_prizes, tournament_tips, cash_out, marker_issued, marker_redeemed, coupon, \
             commission, meter_adjusted or fund.",
        ),
        Column::new(
            "amount_cents",
            Kind::Cents,
            "How much; of a drop, all of it.",
        )
        .nullable(),
        Column::new("cash_cents", Kind::Cents, "Of a drop: the cash.").nullable(),
        Column::new(
            "counter_checks_cents",
            Kind::Cents,
            "Of a drop: the counter checks.",
        )
        .nullable(),
        Column::new("coupons_cents", Kind::Cents, "Of a drop: the coupons.").nullable(),
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
            "Of a fill or credit: the number of its slip.",
        )
        .nullable(),
        Column::new("box", Kind::Text, "Of a drop: the box.").nullable(),
        Column::new("meter", Kind::Text, "Of a jackpot: its meter.").nullable(),
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
}

fn append(item: &Item, arrival: &Arrival, rows: &mut Rows) -> Result<()> {
    let Item::Event(event) = item else {
        return Ok(());
    };
    for row in money(event)? {
        rows.push(&Row {
            gaming_day: arrival.gaming_day,
            property: &event.property,
            table_id: &event.table,
            seq: event.seq,
            at: event.at.micros(),
            round: event.round.as_deref(),
            shift: event.shift.as_deref(),
            event_id: &event.id,
            log_partition: arrival.partition,
            log_offset: arrival.offset,
            ..row
        })?;
    }
    Ok(())
}

/// What an event says about money, without its envelope. Most say nothing.
fn money(event: &Event) -> Result<Vec<Row<'_>>> {
    let one = match &event.body {
        Body::TableOpened(opened) => of("opening_inventory", opened.opening_inventory),
        Body::TableClosed(closed) => of("closing_inventory", closed.closing_inventory),
        Body::InventoryCounted(counted) => Row {
            denominations: json(counted.denominations.as_ref())?,
            ..of("inventory", counted.amount)
        },
        Body::Fill(fill) => Row {
            slip: Some(&fill.slip),
            denominations: json(fill.denominations.as_ref())?,
            ..of("fill", fill.amount)
        },
        Body::Credit(credit) => Row {
            slip: Some(&credit.slip),
            denominations: json(credit.denominations.as_ref())?,
            ..of("credit", credit.amount)
        },
        Body::BuyIn(buy_in) => Row {
            seat: buy_in.seat,
            form: Some(word(buy_in.form)?),
            player: buy_in.player.as_deref(),
            instrument: buy_in.instrument.as_deref(),
            ..of("buy_in", buy_in.amount)
        },
        Body::DropBoxRemoved(removed) => Row {
            kind: "drop_box_removed",
            r#box: Some(&removed.r#box),
            ..Row::default()
        },
        Body::DropCounted(counted) => Row {
            cash_cents: Some(counted.cash),
            counter_checks_cents: counted.counter_checks,
            coupons_cents: counted.coupons,
            r#box: Some(&counted.r#box),
            ..of("drop", drop(counted))
        },
        Body::RakeTaken(rake) => of("rake", rake.amount),
        Body::JackpotDropTaken(drop) => of("jackpot_drop", drop.amount),
        Body::MeterRead(read) => Row {
            meter: Some(&read.meter),
            ..of("meter", read.amount)
        },
        Body::JackpotPaid(paid) => Row {
            meter: Some(&paid.meter),
            wager: Some(&paid.wager),
            player: paid.player.as_deref(),
            slip: paid.slip.as_deref(),
            person: paid.by.as_ref().map(|by| by.id.as_str()),
            ..of("jackpot_paid", paid.amount)
        },
        Body::TournamentClosed(closed) => {
            let parts = [
                ("tournament_buy_ins", closed.buy_ins),
                ("tournament_prizes", closed.prizes),
                ("tournament_tips", closed.tips),
            ];
            let rows = parts
                .into_iter()
                .filter_map(|(kind, amount)| Some(of(kind, amount?)));
            return Ok(rows.collect());
        }
        body => {
            let one = of_patrons(body)?.or_else(|| of_funds(body));
            return Ok(one.or(of_chips(body)?).into_iter().collect());
        }
    };
    Ok(vec![one])
}

fn of(kind: &'static str, amount: Cents) -> Row<'static> {
    Row {
        kind,
        amount_cents: Some(amount),
        ..Row::default()
    }
}

/// What patrons bring back, and what they sign for.
fn of_patrons(body: &Body) -> Result<Option<Row<'_>>> {
    Ok(Some(match body {
        Body::CashOut(out) => Row {
            player: out.player.as_deref(),
            seat: out.seat,
            form: out.form.map(word).transpose()?,
            ..of("cash_out", out.amount)
        },
        Body::MarkerIssued(issued) => Row {
            player: issued.player.as_deref(),
            seat: issued.seat,
            instrument: Some(&issued.marker),
            person: issued.by.as_ref().map(|by| by.id.as_str()),
            ..of("marker_issued", issued.amount)
        },
        Body::MarkerRedeemed(redeemed) => Row {
            player: redeemed.player.as_deref(),
            form: redeemed.form.map(word).transpose()?,
            instrument: Some(&redeemed.marker),
            person: redeemed.by.as_ref().map(|by| by.id.as_str()),
            ..of("marker_redeemed", redeemed.amount)
        },
        Body::CouponRedeemed(coupon) => Row {
            player: coupon.player.as_deref(),
            seat: coupon.seat,
            wager: coupon.wager.as_deref(),
            instrument: Some(&coupon.coupon),
            ..of("coupon", coupon.amount)
        },
        Body::CommissionCollected(collected) => Row {
            player: collected.player.as_deref(),
            wager: Some(&collected.wager),
            ..of("commission", collected.amount)
        },
        _ => return Ok(None),
    }))
}

/// Chips outside tables.
fn of_chips(body: &Body) -> Result<Option<Row<'_>>> {
    Ok(Some(match body {
        Body::ChipsMoved(chips) => Row {
            location: chips.location.as_deref(),
            ..chips_of("chips_moved", &chips.denominations)?
        },
        Body::ChipsCounted(chips) => Row {
            location: chips.location.as_deref(),
            ..chips_of("chips_counted", &chips.denominations)?
        },
        Body::ChipsDestroyed(chips) => Row {
            location: chips.location.as_deref(),
            ..chips_of("chips_destroyed", &chips.denominations)?
        },
        Body::Impressment(chips) => Row {
            location: chips.location.as_deref(),
            ..chips_of("impressment", &chips.denominations)?
        },
        Body::LiabilityComputed(chips) => Row {
            location: chips.location.as_deref(),
            ..chips_of("liability", &chips.denominations)?
        },
        _ => return Ok(None),
    }))
}

fn of_funds(body: &Body) -> Option<Row<'_>> {
    Some(match body {
        Body::MeterAdjusted(adjusted) => Row {
            meter: Some(&adjusted.meter),
            person: adjusted.by.as_ref().map(|by| by.id.as_str()),
            ..of("meter_adjusted", adjusted.amount)
        },
        Body::FundCounted(counted) => Row {
            meter: Some(&counted.fund),
            person: counted.by.as_ref().map(|by| by.id.as_str()),
            ..of("fund", counted.amount)
        },
        _ => return None,
    })
}

/// A word of the schema.
fn word(word: impl Serialize) -> Result<String> {
    let word = serde_json::to_value(word)?;
    Ok(word.as_str().unwrap_or_default().to_owned())
}

fn drop(counted: &DropCounted) -> Cents {
    let parts = [
        Some(counted.cash),
        counted.counter_checks,
        counted.coupons,
        counted.vouchers,
        counted.front_money,
        counted.chips,
        counted.foreign_chips,
    ];
    parts.into_iter().flatten().sum()
}

fn chips_of(kind: &'static str, chips: &BTreeMap<String, u32>) -> Result<Row<'static>> {
    let value =
        |(cents, count): (&String, &u32)| Some(cents.parse::<i64>().ok()? * i64::from(*count));
    Ok(Row {
        kind,
        amount_cents: chips.iter().map(value).sum::<Option<i64>>().map(Cents::new),
        denominations: json(Some(chips))?,
        ..Row::default()
    })
}

fn json(chips: Option<&BTreeMap<String, u32>>) -> Result<Option<String>> {
    Ok(chips.map(serde_json::to_string).transpose()?)
}
