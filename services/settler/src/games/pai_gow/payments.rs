//! Payments as they are made: their order, what is taken out of them, and prizes of the meter.

use catwalk_events::body::{Body, JackpotPaid};
use catwalk_rules::floor::Cents;
use serde_json::Value;

use super::causes::is_premium;
use super::meter;
use super::{Variant, is_ohio, number_of};
use crate::fault::Fault;
use crate::games::verification::{is_deferral, is_verified, tells_people};
use crate::games::{End, Scene};
use crate::judge::due;
use crate::round::{RoundFold, WagerFold};

/// Wagers that are paid before any card, or before hands are set.
pub(super) const EARLY: [&str; 2] = ["number", "three_card_bonus"];
const ENVY: &str = "envy";

pub(super) fn see(variant: &Variant, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    match scene.body {
        Body::WagerPaid(paid) => {
            let Some(wager) = scene.round.wager(&paid.wager) else {
                return;
            };
            check_order(variant, scene, wager, faults);
            check_commission(variant, scene, wager, paid.commission, faults);
        }
        Body::CommissionCollected(taken) => {
            if let Some(wager) = scene.round.wager(&taken.wager) {
                check_commission(variant, scene, wager, Some(taken.amount), faults);
            }
        }
        Body::JackpotPaid(paid) => check_prize(variant, scene, paid, faults),
        Body::Irregularity(told) if is_ohio(&scene.round.rules) && is_deferral(told) => {
            let message = "An award waits at the cage for the winner's identification".to_owned();
            let code = "progressive.deferred_no_id";
            faults.push(Fault::new(code, vec![scene.seq], message));
        }
        _ => {}
    }
}

/// 9(i),(j), 15(d): the main wager of an area is paid before what it has beside, and envy after all
/// main wagers.
fn check_order(variant: &Variant, scene: &Scene<'_>, wager: &WagerFold, faults: &mut Vec<Fault>) {
    let Some(code) = variant.settle_order else {
        return;
    };
    let is_beside = |other: &WagerFold| {
        let of_area = other.seat == wager.seat && !EARLY.contains(&other.kind.as_str());
        other.kind != variant.main && other.kind != "bank" && (of_area || other.kind == ENVY)
    };
    let mut paid = scene.round.wagers.iter().filter(|w| w.paid.is_positive());
    if wager.kind == variant.main && scene.is_fresh(code) && paid.any(is_beside) {
        let message = format!("Seat {} was paid beside before its main wager", wager.seat);
        let evidence = [wager.evidence.as_slice(), &[scene.seq]].concat();
        faults.push(Fault::new(code, evidence, message).of_wager(&wager.id));
    }
}

/// The commission-free game takes none.
fn check_commission(
    variant: &Variant,
    scene: &Scene<'_>,
    wager: &WagerFold,
    taken: Option<Cents>,
    faults: &mut Vec<Fault>,
) {
    let taken = taken.unwrap_or_default();
    if let Some(code) = variant.commission_taken
        && taken.is_positive()
    {
        let message = format!("Vigorish of {taken} was taken at a table without");
        let evidence = [wager.evidence.as_slice(), &[scene.seq]].concat();
        faults.push(Fault::new(code, evidence, message).of_wager(&wager.id));
    }
}

/// 14(c): a supervisor verifies what comes off the meter; in Ohio surveillance too, for a share of it.
fn check_prize(variant: &Variant, scene: &Scene<'_>, paid: &JackpotPaid, faults: &mut Vec<Fault>) {
    let by_surveillance = is_ohio(&scene.round.rules);
    let wager = scene.round.wager(&paid.wager);
    let is_due = wager.is_none_or(|wager| is_off_meter(scene.round, wager, paid.amount));
    if variant.size == 7 && is_due && tells_people(paid) && !is_verified(paid, by_surveillance) {
        let message = format!(
            "{} from the meter was not verified as it must be",
            paid.amount
        );
        let fault = Fault::new("progressive.no_supervisor", vec![scene.seq], message);
        faults.push(fault.of_wager(&paid.wager));
    }
}

/// 14(e), P 1.B: in Ohio only shares come off the meter; in Massachusetts fifty times the stake and more
/// does, and a straight flush, whatever it pays.
pub(super) fn is_off_meter(round: &RoundFold, wager: &WagerFold, prize: Cents) -> bool {
    if is_ohio(&round.rules) {
        let is_share = meter::is_share(round, prize);
        return is_share.unwrap_or_else(|| !is_fixed(round, wager, prize));
    }
    let stake = wager.amount.get();
    let posted = round.rules.option("progressive_overrides");
    let posted = posted.and_then(|rows| rows["straight_flush"].as_i64());
    let straight_flush = posted.unwrap_or(25 * stake);
    let prize = prize.get();
    prize >= 50 * stake || prize == straight_flush
}

/// Is it an amount that a table of the wager files?
fn is_fixed(round: &RoundFold, wager: &WagerFold, prize: Cents) -> bool {
    round.rules.files_prize(&wager.kind, prize)
}

/// All of a meter, and a tenth of it.
fn shares_of(meter: Cents) -> [Cents; 2] {
    [meter, Cents::new(meter.get() / 10)]
}

/// 15(d), 14.E, P 6: all else is paid before premium hands and envy, and shares of a meter in their turn.
pub(super) fn check_turns(variant: &Variant, end: &End<'_>, faults: &mut Vec<Fault>) {
    let (Some(code), Some(document)) = (variant.settle_order, end.document) else {
        return;
    };
    let round = end.round;
    let is_last = |wager: &WagerFold| match wager.kind.as_str() {
        ENVY => true,
        "bonus" | "fortune_bonus" => {
            let hands = document["play"]["hands"].as_array();
            let mut hands = hands.into_iter().flatten();
            hands.any(|hand| hand["seat"] == wager.seat && is_premium(hand))
        }
        _ => false,
    };
    let paid = || {
        let paid = round.wagers.iter();
        paid.filter_map(|wager| Some((wager, wager.paid_seq?)))
    };
    let last = paid().filter(|(wager, _)| is_last(wager));
    let first_of_last = last.map(|(_, seq)| seq).min();
    let is_before = |wager: &WagerFold| {
        let kinds = [variant.main, "bonus", "fortune_bonus", "insurance"];
        kinds.contains(&wager.kind.as_str()) && !is_last(wager)
    };
    let mut others = paid().filter(|(wager, _)| is_before(wager));
    let behind = others.find(|(_, seq)| first_of_last.is_some_and(|last| last < *seq));
    let behind = behind.map(|(wager, seq)| (wager, seq, "after a premium hand or envy"));
    let early = out_of_turn(end).map(|(wager, seq)| (wager, seq, "from the meter out of turn"));
    if let Some((wager, seq, how)) = behind.or(early)
        && !round.has_raised(code)
    {
        let message = format!("Seat {} was paid {how}", wager.seat);
        let fault = Fault::new(code, vec![seq, end.seq], message);
        faults.push(fault.of_wager(&wager.id));
    }
}

/// 13(b): one number is drawn. Where nobody told which, two that were paid are one too many.
pub(super) fn check_numbers(end: &End<'_>, faults: &mut Vec<Fault>) {
    let is_untold = |document: &Value| document["play"]["deal"].get("number") == Some(&Value::Null);
    if !end.document.is_some_and(is_untold) {
        return;
    }
    let paid = end
        .round
        .wagers
        .iter()
        .filter(|wager| wager.paid.is_positive());
    let paid: Vec<(u32, &WagerFold)> = paid
        .filter_map(|wager| Some((number_of(wager)?, wager)))
        .collect();
    if paid.iter().any(|(number, _)| *number != paid[0].0) {
        let least = paid.iter().map(|(_, wager)| wager.paid).min();
        let numbers: Vec<String> = paid.iter().map(|(number, _)| number.to_string()).collect();
        let numbers = numbers.join(" and ");
        let message = format!("Wagers on {numbers} were paid, and one number is drawn");
        let evidence = paid
            .iter()
            .flat_map(|(_, wager)| wager.evidence.iter().copied());
        faults.push(Fault {
            exposure: least.unwrap_or_default(),
            ..Fault::new("pay.undue", evidence.chain([end.seq]).collect(), message)
        });
    }
}

/// A share of the meter that was paid before one whose turn came first: areas rise, in Ohio from where
/// the deal began.
fn out_of_turn<'a>(end: &End<'a>) -> Option<(&'a WagerFold, u64)> {
    let (mut shown, settlement) = (meter::shown(end.round)?, end.settlement?);
    let first = end.document?["play"]["deal"]["first"].as_u64();
    let first = first.filter(|_| is_ohio(&end.round.rules)).unwrap_or(1);
    let turn = |wager: &WagerFold| (u64::from(wager.seat) + 7 - first % 7) % 7;
    let mut paid: Vec<_> = meter::progressives(end.round)
        .filter_map(|wager| Some((wager, wager.paid_seq?, due(settlement, &wager.id)?.returned)))
        .collect();
    paid.sort_by_key(|(wager, _, _)| turn(wager));
    let mut latest = 0;
    for (wager, seq, share) in paid {
        if !shares_of(shown).contains(&share) {
            continue;
        }
        if seq < latest {
            return Some((wager, seq));
        }
        latest = seq;
        shown = match share == shown {
            true => reset(end.round),
            false => shown - share,
        };
    }
    None
}

/// What a meter starts from, as the table posts it or as it is filed.
pub(super) fn reset(round: &RoundFold) -> Cents {
    let reset = round.rules.in_force("progressive_reset");
    Cents::new(reset.and_then(|reset| reset.as_i64()).unwrap_or_default())
}
