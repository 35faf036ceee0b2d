//! The Multi-Link progressive: what its awards and its meter show beside the amounts.

use catwalk_events::body::Body;
use catwalk_rules::Verdict;
use catwalk_rules::floor::Cents;
use serde_json::{Value, json};

use super::{Kept, special};
use crate::fault::Fault;
use crate::games::{End, felt};
use crate::round::WagerFold;

pub(super) const KIND: &str = "progressive";

/// What was wrong with awards of the round; `folded` says which seats had given up.
pub(super) fn check_awards(end: &End<'_>, folded: impl Fn(u32) -> bool, faults: &mut Vec<Fault>) {
    for &(at, exposure) in end.mispaid {
        let Some(wager) = end.round.wagers.get(at) else {
            continue;
        };
        if wager.kind != KIND {
            continue;
        }
        let over = exposure.is_positive();
        if over && wager.paid.is_positive() && folded(wager.seat) {
            let message = "an award to a hand that was folded";
            faults.push(special("progressive.folded_paid", wager, message));
        }
        if over && made_with_other_cards(end, at, wager) {
            let message = "an award for the turn or river card";
            faults.push(special("progressive.turn_river_used", wager, message));
        }
        if !over && paid_without_envy(end, wager) {
            let message = "the envy bonus is missing";
            faults.push(special("progressive.envy_error", wager, message));
        }
    }
}

/// Would what was paid be right for the hole cards with three other cards of the board?
fn made_with_other_cards(end: &End<'_>, at: usize, wager: &WagerFold) -> bool {
    let Some(document) = end.document else {
        return false;
    };
    let board = document["play"]["board"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let [a, b, c, d, e] = board.as_slice() else {
        return false;
    };
    let flops = [
        [a, b, d, c, e],
        [a, b, e, c, d],
        [a, c, d, b, e],
        [a, c, e, b, d],
        [a, d, e, b, c],
        [b, c, d, a, e],
        [b, c, e, a, d],
        [b, d, e, a, c],
        [c, d, e, a, b],
    ];
    flops.into_iter().any(|board| {
        let mut other = document.clone();
        other["play"]["board"] = json!(board);
        let settlement = end.rulebook.settle_value(&other);
        settlement.is_ok_and(|settlement| {
            let due = settlement.wagers().get(at);
            due.is_some_and(|due| due.result == Verdict::Win && is_paid(wager, due.returned))
        })
    })
}

/// Was exactly what the seat's own hand is worth paid, and nothing for the hands of others?
fn paid_without_envy(end: &End<'_>, wager: &WagerFold) -> bool {
    let Some(document) = end.document else {
        return false;
    };
    let mut alone = document.clone();
    for list in ["/wagers", "/play/hands"] {
        if let Some(list) = alone.pointer_mut(list).and_then(Value::as_array_mut) {
            list.retain(|entry| entry["seat"] == wager.seat);
        }
    }
    let settlement = end.rulebook.settle_value(&alone);
    settlement.is_ok_and(|settlement| {
        let mut due = settlement.wagers().iter();
        due.any(|due| due.id.as_str() == wager.id && is_paid(wager, due.returned))
    })
}

fn is_paid(wager: &WagerFold, award: Cents) -> bool {
    let stake_back = wager.pushed.is_some() || wager.collected.is_none();
    wager.paid == award || (stake_back && wager.paid + wager.amount == award)
}

/// A share of the meter comes off it; what is fixed does not. Other tables feed the meter too, so that
/// only a meter that is not lower after its award, or lower by just the fixed awards, is wrong.
pub(super) fn check_meter(end: &End<'_>, kept: &mut Kept, faults: &mut Vec<Fault>) {
    let opening = felt::opening_meter(end.round);
    let mut mismatch = |before: Cents, after: Cents, seq: u64, what: &str| {
        let message = format!("The meter showed {before} before {what} and {after} after it");
        let evidence = vec![end.round.opened_seq, seq];
        let fault = Fault::new("progressive.meter_mismatch", evidence, message);
        faults.push(Fault {
            due: Some(before),
            paid: Some(after),
            ..fault
        });
    };
    if let (Some(before), Some(after)) = (kept.meter.take(), opening)
        && after >= before
    {
        mismatch(before, after, end.round.opened_seq, "an award from it");
    }
    let Some(before) = felt::meter(end.round) else {
        return;
    };
    let awards = end.round.play.iter().filter_map(|(_, body)| match body {
        Body::JackpotPaid(paid) => Some(paid.amount),
        _ => None,
    });
    // Shares are tens of percents of the meter; anything else is a fixed award.
    let share = Cents::new(before.get() / 10);
    let (shares, fixed): (Vec<Cents>, Vec<Cents>) =
        awards.partition(|&amount| amount >= share && share.is_positive());
    let paid = |(_, body): &(u64, Body)| matches!(body, Body::JackpotPaid(_));
    let last_award = end.round.play.iter().rposition(paid);
    let read = end.round.play.iter().skip(last_award.unwrap_or(0));
    let mut after = read.filter_map(|(seq, body)| match body {
        Body::MeterRead(read) => Some((*seq, read.amount)),
        _ => None,
    });
    let after = after.next_back().filter(|_| last_award.is_some());
    let fixed_sum: Cents = fixed.into_iter().sum();
    match after {
        Some((seq, after)) if !shares.is_empty() && after >= before => {
            mismatch(before, after, seq, "an award from it");
        }
        Some((seq, after))
            if shares.is_empty() && fixed_sum.is_positive() && after == before - fixed_sum =>
        {
            mismatch(before, after, seq, "a fixed award");
        }
        None if !shares.is_empty() => kept.meter = Some(before),
        _ => {}
    }
}
