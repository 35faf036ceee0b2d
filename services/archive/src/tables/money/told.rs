//! What each event says about money.

use std::collections::BTreeMap;

use catwalk_events::body::{Body, BuyIn, DropCounted, Fill, JackpotPaid};
use catwalk_events::{Event, Person};
use catwalk_hands::floor::Cents;
use serde::Serialize;

use super::Row;
use crate::Result;

/// What an event says about money, without its envelope. Most say nothing.
pub(super) fn money(event: &Event) -> Result<Vec<Row<'_>>> {
    let body = &event.body;
    if let Body::TournamentClosed(closed) = body {
        let parts = [
            ("tournament_buy_ins", closed.buy_ins),
            ("tournament_prizes", closed.prizes),
            ("tournament_tips", closed.tips),
            ("tournament_rebuys", closed.rebuys),
            ("tournament_add_ons", closed.add_ons),
            ("tournament_fees", closed.fees),
        ];
        let rows = parts.into_iter();
        return Ok(rows
            .filter_map(|(kind, amount)| Some(of(kind, amount?)))
            .collect());
    }
    let one = match of_tray(body)? {
        Some(row) => Some(row),
        None => match of_boxes(body)? {
            Some(row) => Some(row),
            None => match of_patrons(body)? {
                Some(row) => Some(row),
                None => of_funds(body)?.or(of_chips(body)?),
            },
        },
    };
    Ok(one.into_iter().collect())
}

fn of(kind: &'static str, amount: Cents) -> Row<'static> {
    Row {
        kind,
        amount_cents: Some(amount),
        ..Row::default()
    }
}

/// Chips in the tray: counted, brought and taken.
fn of_tray(body: &Body) -> Result<Option<Row<'_>>> {
    Ok(Some(match body {
        Body::TableOpened(opened) => Row {
            slip: opened.slip.as_deref(),
            denominations: json(opened.denominations.as_ref())?,
            person: id(opened.by.as_ref()),
            witness: id(opened.witness.as_ref()),
            pit: opened.pit.as_deref(),
            game: Some(&opened.game),
            tournament: opened.tournament,
            ..of("opening_inventory", opened.opening_inventory)
        },
        Body::TableClosed(closed) => Row {
            slip: closed.slip.as_deref(),
            denominations: json(closed.denominations.as_ref())?,
            person: id(closed.by.as_ref()),
            witness: id(closed.witness.as_ref()),
            reason: closed.reason.as_deref(),
            ..of("closing_inventory", closed.closing_inventory)
        },
        Body::InventoryCounted(counted) => Row {
            slip: counted.slip.as_deref(),
            denominations: json(counted.denominations.as_ref())?,
            person: id(counted.by.as_ref()),
            witness: id(counted.witness.as_ref()),
            reason: counted.reason.as_deref(),
            ..of("inventory", counted.amount)
        },
        Body::Fill(Fill {
            slip,
            amount,
            denominations,
            request,
            prepared_by,
            carried_by,
            ..
        }) => Row {
            slip: Some(slip),
            denominations: json(denominations.as_ref())?,
            request: request.as_deref(),
            person: id(prepared_by.as_ref()),
            witness: id(carried_by.as_ref()),
            ..of("fill", *amount)
        },
        Body::Credit(credit) => Row {
            slip: Some(&credit.slip),
            denominations: json(credit.denominations.as_ref())?,
            request: credit.request.as_deref(),
            person: id(credit.prepared_by.as_ref()),
            witness: id(credit.carried_by.as_ref()),
            ..of("credit", credit.amount)
        },
        _ => return Ok(None),
    }))
}

/// Boxes on their way from the table to the count.
fn of_boxes(body: &Body) -> Result<Option<Row<'_>>> {
    Ok(Some(match body {
        Body::DropBoxAttached(attached) => Row {
            kind: "drop_box_attached",
            r#box: Some(&attached.r#box),
            box_kind: attached.kind.map(word).transpose()?,
            person: id(attached.by.as_ref()),
            witness: id(attached.witness.as_ref()),
            ..Row::default()
        },
        Body::DropBoxRemoved(removed) => Row {
            kind: "drop_box_removed",
            r#box: Some(&removed.r#box),
            box_kind: removed.kind.map(word).transpose()?,
            team: team(removed.team.as_deref())?,
            ..Row::default()
        },
        Body::DropBoxReceived(received) => Row {
            kind: "drop_box_received",
            r#box: Some(&received.r#box),
            box_kind: received.kind.map(word).transpose()?,
            person: id(received.by.as_ref()),
            team: team(received.team.as_deref())?,
            ..Row::default()
        },
        Body::DropCounted(counted) => drop_row(counted)?,
        _ => return Ok(None),
    }))
}

fn drop_row(counted: &DropCounted) -> Result<Row<'_>> {
    let instruments = counted.instruments.as_ref();
    Ok(Row {
        cash_cents: Some(counted.cash),
        counter_checks_cents: counted.counter_checks,
        coupons_cents: counted.coupons,
        r#box: Some(&counted.r#box),
        box_kind: counted.kind.map(word).transpose()?,
        vouchers_cents: counted.vouchers,
        front_money_cents: counted.front_money,
        chips_cents: counted.chips,
        foreign_chips_cents: counted.foreign_chips,
        checks_redeemed_cents: counted.checks_redeemed,
        first_count_cents: counted.first_count,
        second_count_cents: counted.second_count,
        accepted_cents: counted.accepted,
        accepted_by: id(counted.accepted_by.as_ref()),
        coupons_by_kind: json_of(counted.coupons_by_kind.as_ref())?,
        bills: json(counted.bills.as_ref())?,
        instruments: json_of(instruments)?,
        team: team(counted.team.as_deref())?,
        ..of("drop", drop(counted))
    })
}

/// What patrons buy and bring back, and what they sign for.
fn of_patrons(body: &Body) -> Result<Option<Row<'_>>> {
    Ok(Some(match body {
        Body::BuyIn(bought) => buy_in_row(bought)?,
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
            person: id(issued.by.as_ref()),
            witness: id(issued.witness.as_ref()),
            ..of("marker_issued", issued.amount)
        },
        Body::MarkerRedeemed(redeemed) => Row {
            player: redeemed.player.as_deref(),
            form: redeemed.form.map(word).transpose()?,
            instrument: Some(&redeemed.marker),
            person: id(redeemed.by.as_ref()),
            ..of("marker_redeemed", redeemed.amount)
        },
        Body::CouponRedeemed(coupon) => Row {
            player: coupon.player.as_deref(),
            seat: coupon.seat,
            wager: coupon.wager.as_deref(),
            instrument: Some(&coupon.coupon),
            coupon_kind: coupon.kind.as_deref(),
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

fn buy_in_row(bought: &BuyIn) -> Result<Row<'_>> {
    Ok(Row {
        seat: bought.seat,
        form: Some(word(bought.form)?),
        player: bought.player.as_deref(),
        instrument: bought.instrument.as_deref(),
        bills: json(bought.bills.as_ref())?,
        ..of("buy_in", bought.amount)
    })
}

/// Meters, jackpots, rake and funds.
fn of_funds(body: &Body) -> Result<Option<Row<'_>>> {
    Ok(Some(match body {
        Body::RakeTaken(rake) => Row {
            charge: rake.kind.map(word).transpose()?,
            to: rake.to.map(word).transpose()?,
            ..of("rake", rake.amount)
        },
        Body::JackpotDropTaken(taken) => Row {
            fund: taken.fund.as_deref(),
            r#box: taken.r#box.as_deref(),
            ..of("jackpot_drop", taken.amount)
        },
        Body::MeterRead(read) => Row {
            meter: Some(&read.meter),
            rate: read.rate.as_deref(),
            fund: read.link.as_deref(),
            reason: read.reason.as_deref(),
            person: id(read.by.as_ref()),
            ..of("meter", read.amount)
        },
        Body::MeterAdjusted(adjusted) => Row {
            meter: Some(&adjusted.meter),
            before_cents: adjusted.before,
            reason: adjusted.reason.as_deref(),
            person: id(adjusted.by.as_ref()),
            witness: id(adjusted.witness.as_ref()),
            ..of("meter_adjusted", adjusted.amount)
        },
        Body::JackpotPaid(paid) => jackpot_row(paid)?,
        Body::FundCounted(counted) => Row {
            meter: Some(&counted.fund),
            fund: Some(&counted.fund),
            person: id(counted.by.as_ref()),
            witness: id(counted.witness.as_ref()),
            ..of("fund", counted.amount)
        },
        _ => return Ok(None),
    }))
}

fn jackpot_row(paid: &JackpotPaid) -> Result<Row<'_>> {
    Ok(Row {
        meter: Some(&paid.meter),
        wager: Some(&paid.wager),
        player: paid.player.as_deref(),
        slip: paid.slip.as_deref(),
        paid_from: paid.paid_from.map(word).transpose()?,
        person: id(paid.by.as_ref()),
        witness: id(paid.witness.as_ref()),
        ..of("jackpot_paid", paid.amount)
    })
}

/// Chips outside tables.
fn of_chips(body: &Body) -> Result<Option<Row<'_>>> {
    macro_rules! chips {
        ($chips:expr, $kind:literal) => {
            Row {
                location: $chips.location.as_deref(),
                from: $chips.from.as_deref(),
                to: $chips.to.clone(),
                reason: $chips.reason.as_deref(),
                chip_set: $chips.set.as_deref(),
                colours: json($chips.colours.as_ref())?,
                person: id($chips.by.as_ref()),
                witness: id($chips.witness.as_ref()),
                ..chips_of($kind, &$chips.denominations)?
            }
        };
    }
    Ok(Some(match body {
        Body::ChipsMoved(chips) => chips!(chips, "chips_moved"),
        Body::ChipsCounted(chips) => chips!(chips, "chips_counted"),
        Body::ChipsDestroyed(chips) => chips!(chips, "chips_destroyed"),
        Body::Impressment(chips) => chips!(chips, "impressment"),
        Body::LiabilityComputed(chips) => {
            let mut row = chips!(chips, "liability");
            let negative = chips.negative.as_ref().and_then(worth);
            row.amount_cents = row
                .amount_cents
                .map(|owed| owed - negative.unwrap_or_default());
            row
        }
        _ => return Ok(None),
    }))
}

/// A word of the schema.
pub(super) fn word(word: impl Serialize) -> Result<String> {
    let word = serde_json::to_value(word)?;
    Ok(word.as_str().unwrap_or_default().to_owned())
}

fn id(person: Option<&Person>) -> Option<&str> {
    person.map(|person| person.id.as_str())
}

fn team(people: Option<&[Person]>) -> Result<Option<String>> {
    let ids = people.map(|people| people.iter().map(|person| &person.id).collect::<Vec<_>>());
    json_of(ids.as_ref())
}

/// The drop: what was taken in at the table, coupons apart.
fn drop(counted: &DropCounted) -> Cents {
    let parts = [
        Some(counted.cash),
        counted.counter_checks,
        counted.checks_redeemed.map(|redeemed| -redeemed),
        counted.vouchers,
        counted.front_money,
        counted.chips,
        counted.foreign_chips,
    ];
    parts.into_iter().flatten().sum()
}

fn chips_of(kind: &'static str, chips: &BTreeMap<String, u32>) -> Result<Row<'static>> {
    Ok(Row {
        kind,
        amount_cents: worth(chips),
        denominations: json(Some(chips))?,
        ..Row::default()
    })
}

fn worth(chips: &BTreeMap<String, u32>) -> Option<Cents> {
    let value =
        |(cents, count): (&String, &u32)| Some(cents.parse::<i64>().ok()? * i64::from(*count));
    chips.iter().map(value).sum::<Option<i64>>().map(Cents::new)
}

fn json(chips: Option<&BTreeMap<String, u32>>) -> Result<Option<String>> {
    json_of(chips)
}

fn json_of<T: Serialize>(value: Option<&T>) -> Result<Option<String>> {
    Ok(value.map(serde_json::to_string).transpose()?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// The sample of a type.
    fn sample(of: &str) -> Event {
        let samples = include_str!("../../../../../schemas/samples.jsonl");
        let named = format!("\"type\": \"{of}\"");
        let line = samples.lines().find(|line| line.contains(&named)).unwrap();
        catwalk_events::json::read(line).unwrap()
    }

    #[test]
    fn a_box_says_what_it_is_for_whatever_its_name() {
        for of in [
            "drop_box_attached",
            "drop_box_removed",
            "drop_box_received",
            "drop_counted",
        ] {
            let event = sample(of);
            let rows = money(&event).unwrap();
            let kinds = rows.iter().map(|row| row.box_kind.is_some());
            assert_eq!(kinds.collect::<Vec<_>>(), [true], "{of}");
        }
    }

    #[test]
    fn a_drop_is_all_but_its_coupons_less_checks_that_were_redeemed() {
        let counted = DropCounted {
            cash: Cents::new(100),
            counter_checks: Some(Cents::new(20)),
            checks_redeemed: Some(Cents::new(5)),
            coupons: Some(Cents::new(7_000)),
            chips: Some(Cents::new(3)),
            foreign_chips: Some(Cents::new(1)),
            ..DropCounted::default()
        };
        let row = drop_row(&counted).unwrap();
        assert_eq!(row.amount_cents, Some(Cents::new(119)));
        assert_eq!(row.coupons_cents, Some(Cents::new(7_000)));
    }

    #[test]
    fn deferred_vigorish_that_is_collected_is_money() {
        let event = sample("commission_collected");
        let rows = money(&event).unwrap();
        assert_eq!(rows[0].kind, "commission");
        assert!(rows[0].amount_cents.is_some());
    }

    #[test]
    fn a_liability_of_more_chips_than_went_out_is_less() {
        let mut event = sample("liability_computed");
        let Body::LiabilityComputed(owed) = &mut event.body else {
            panic!("{event:?}")
        };
        owed.denominations = BTreeMap::from([("100".to_owned(), 3)]);
        owed.negative = Some(BTreeMap::from([("2500".to_owned(), 1)]));
        let rows = money(&event).unwrap();
        assert_eq!(rows[0].amount_cents, Some(Cents::new(-2_200)));
    }
}
