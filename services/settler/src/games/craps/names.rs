//! What craps calls a bet that was paid or taken wrongly.

use catwalk_rules::Verdict;
use serde_json::Value;

use super::course::{Course, SEVEN, Throw};
use super::document::{can_be_off, flat_of};
use super::{Craps, is_handed_back, keys, placed};
use crate::games::Case;

/// The game's own code, where it has one for the case.
pub(super) fn name(game: &Craps, case: &Case<'_>) -> Option<&'static str> {
    let course = Course::of(game, case.round, case.standing.read());
    match case.wager.is_touched() {
        true => touched(game, case, &course),
        false => left_alone(case, &course),
    }
}

/// Paid or taken: what was settled on the last roll that should not have been.
fn touched(game: &Craps, case: &Case<'_>, course: &Course<'_>) -> Option<&'static str> {
    let (wager, due) = (case.wager, case.due);
    let last = course.throws.last()?;
    let is_open = due.result == Verdict::Open;
    let is_paid = wager.paid.is_positive();
    let kind = wager.kind.as_str();
    if is_open && kind == "fire" {
        return Some("craps.fire_settled_early");
    }
    let Some(total) = last.total else {
        return is_open.then_some("craps.invalid_roll_settled");
    };
    let is_come_out = last.point.is_none();
    let odds_went_back = due.result == Verdict::Push && matches!(kind, "come_odds" | "put_odds");
    if is_come_out
        && can_be_off(case.round, kind)
        && (odds_went_back || is_open && names(case, total))
    {
        return Some("craps.off_bet_settled");
    }
    let is_dont = matches!(kind, "dont_pass" | "dont_come");
    if is_dont
        && total == 12
        && is_handed_back(due.result)
        && (is_paid || wager.collected.is_some())
    {
        return Some("craps.barred_12_settled");
    }
    // Odds come down with their flat bet. s.6
    if flat_of(kind).is_some() && due.result == Verdict::Void && is_flat_down(case) {
        return Some("craps.odds_orphan");
    }
    if game.game != "crapless_craps" {
        return None;
    }
    crapless(game, case, course, last, total)
}

fn crapless(
    game: &Craps,
    case: &Case<'_>,
    course: &Course<'_>,
    last: &Throw<'_>,
    total: u8,
) -> Option<&'static str> {
    let (wager, due) = (case.wager, case.due);
    let placed = placed(case.round, wager);
    let is_first = placed.is_some_and(|roll| course.valid_from(roll).count() == 1)
        || placed.is_none() && last.point.is_none();
    match &*wager.kind {
        "pass" | "come" if is_first && due.result == Verdict::Open => match total {
            11 if wager.paid.is_positive() => Some("crapless.eleven_paid_as_natural"),
            2 | 3 | 12 if wager.collected.is_some() => Some("crapless.craps_taken"),
            _ => None,
        },
        // A 7 pays those that are still on the line.
        "come" if due.result == Verdict::Lose && total == SEVEN && wager.paid.is_positive() => {
            Some("crapless.come_not_moved")
        }
        "pass_odds" | "come_odds" | "put_odds" | "buy" if due.result == Verdict::Win => {
            let flat = wager.on.as_ref().and_then(|on| case.round.wager(on));
            let number = match flat {
                Some(flat) => {
                    let placed = super::placed(case.round, flat);
                    game.number(course, placed, flat).map(u64::from)
                }
                None => keys(wager).get("number").and_then(Value::as_u64),
            };
            let is_wrong = matches!(case.code, "pay.over" | "pay.under");
            (is_wrong && matches!(number, Some(2 | 3 | 11 | 12)))
                .then_some("crapless.wrong_true_odds")
        }
        _ => None,
    }
}

/// Decided, and neither paid nor taken.
fn left_alone(case: &Case<'_>, course: &Course<'_>) -> Option<&'static str> {
    let wager = case.wager;
    let kind = wager.kind.as_str();
    if flat_of(kind).is_some() {
        let flat = wager.on.as_ref().and_then(|on| case.round.wager(on));
        return flat
            .filter(|flat| flat.is_touched())
            .map(|_| "craps.odds_orphan");
    }
    let number = keys(wager).get("number").and_then(Value::as_u64);
    if !matches!(kind, "place_lose" | "lay" | "place" | "buy" | "hard") {
        return None;
    }
    let start = placed(case.round, wager).unwrap_or_default();
    let called = keys(wager).get("working") == Some(&Value::Bool(true));
    let called_on = course.working(wager.seat, start);
    let is_on = |roll: usize| !can_be_off(case.round, kind) || called || called_on.contains(&roll);
    let mut rolls = course.valid_from(start);
    let decided = rolls.find(|(roll, total, throw)| {
        let hits = *total == SEVEN || Some(u64::from(*total)) == number;
        hits && (throw.point.is_some() || is_on(*roll))
    });
    decided
        .filter(|(_, _, throw)| throw.point.is_none())
        .map(|_| "craps.on_bet_not_settled")
}

fn is_flat_down(case: &Case<'_>) -> bool {
    let flat = case.wager.on.as_ref().and_then(|on| case.round.wager(on));
    flat.is_some_and(|flat| !flat.stake().is_positive())
}

/// Would this total decide the bet if it were on?
fn names(case: &Case<'_>, total: u8) -> bool {
    let number = keys(case.wager).get("number").and_then(Value::as_u64);
    total == SEVEN || number == Some(u64::from(total))
}
