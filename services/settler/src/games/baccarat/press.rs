//! House Money presses: a payout that the dealer adds to its winner's own Player or Banker wager.
//!
//! A press is a `wager_placed` that names the wager it is added to in `on` and the House Money wager in
//! its detail, a `wager_changed` of the wager that it is added to, or no more than a decision of its seat. What
//! the feed does not name can only be what the seat has.

use catwalk_events::body::{Body, Decision, WagerPlaced};
use catwalk_rules::floor::{Cents, Rounding};
use serde_json::{Map, Value, json};

use super::words::plain;
use crate::games::felt::word_of;
use crate::round::{RoundFold, WagerFold};
use crate::table::RulesInForce;

/// A press, as the document calls it.
pub(super) const PRESS: &str = "house_money_press";
/// Open until a third card is dealt.
pub(super) const PRESS_WINDOW: &str = "press";

const HOUSE_MONEY: &str = "house_money";
/// How a decision may call it.
const SAID: [&str; 3] = [PRESS, "press", "add_payout"];

/// Names the two wagers behind a press, as no other wager has them.
pub(super) fn complete(entry: &mut Map<String, Value>, round: &RoundFold, press: &WagerFold) {
    if let Some(from) = source(round, press) {
        entry.insert("from".into(), json!(from));
    }
    if let Some(on) = target(round, press) {
        entry.insert("on".into(), json!(on));
    }
}

/// The wager that a press is added to: the one it names, by its id or as the side that it is on, or the first
/// of its seat that it may be added to.
pub(super) fn target(round: &RoundFold, press: &WagerFold) -> Option<String> {
    let mains = || {
        let wagers = round.wagers.iter();
        wagers.filter(|wager| wager.seat == press.seat && is_main(wager))
    };
    let in_detail = || {
        let detail = press.detail.as_ref()?.value();
        Some(detail.get("on")?.as_str()?.to_owned())
    };
    let Some(named) = press.on.clone().or_else(in_detail) else {
        return mains().next().map(|main| main.id.clone());
    };
    let of_side = mains().find(|main| main.kind == named && round.wager(&named).is_none());
    Some(of_side.map_or(named, |main| main.id.clone()))
}

/// The House Money wager that a press is paid from: the one it names, or the first of its seat that no
/// press names.
fn source(round: &RoundFold, press: &WagerFold) -> Option<String> {
    let named = |press: &WagerFold| {
        let word = word_of(press.detail.as_ref(), "from");
        word.filter(|word| word != HOUSE_MONEY || round.wager(word).is_some())
    };
    let others = || round.wagers.iter().filter(|wager| wager.kind == PRESS);
    let is_free = |id: &str| !others().any(|other| named(other).as_deref() == Some(id));
    named(press).or_else(|| {
        let unnamed = others().filter(|other| other.seat == press.seat && named(other).is_none());
        let before = unnamed.take_while(|other| other.id != press.id).count();
        let of_seat = round.wagers.iter().filter(|wager| wager.seat == press.seat);
        let mut free = of_seat.filter(|wager| wager.kind == HOUSE_MONEY && is_free(&wager.id));
        Some(free.nth(before)?.id.clone())
    })
}

/// Is this raise the filed portion of a House Money payout, added in time and once?
pub(super) fn is_raise(round: &RoundFold, wager: &WagerFold, to: Cents) -> bool {
    let portion = |paid: Cents| paid.percent(percent(&round.rules), Rounding::DOWN);
    let presses = || round.wagers.iter().filter(|wager| wager.kind == PRESS);
    let is_behind = |other: &WagerFold| {
        other.kind == HOUSE_MONEY
            && other.seat == wager.seat
            && other.paid.is_positive()
            && wager.amount + portion(other.paid) == to
            && !presses().any(|press| source(round, press).as_ref() == Some(&other.id))
    };
    is_main(wager)
        && !round.is_closed(PRESS_WINDOW)
        && !is_raised(round, wager)
        && round.wagers.iter().any(is_behind)
}

/// Was something added to this wager since the cards?
fn is_raised(round: &RoundFold, wager: &WagerFold) -> bool {
    dealt_before(round, wager.after_play) > 0
}

fn dealt_before(round: &RoundFold, place: usize) -> usize {
    let play = round.play.iter().take(place);
    play.filter(|(_, body)| matches!(body, Body::CardDealt(_)))
        .count()
}

/// Presses that only a decision tells of, made before any third card.
pub(super) fn spoken(round: &RoundFold) -> Vec<WagerFold> {
    let mut presses: Vec<WagerFold> = Vec::new();
    for (place, (seq, body)) in round.play.iter().enumerate() {
        let Body::Decision(said) = body else { continue };
        let is_press = SAID.contains(&plain(&said.action).as_str());
        let is_told = |press: &WagerFold| press.kind == PRESS && press.seat == said.seat;
        let mut known = round.wagers.iter().chain(&presses);
        if !is_press || dealt_before(round, place) > 4 || known.any(is_told) {
            continue;
        }
        if let Some(placed) = spoken_press(round, said) {
            let mut press = WagerFold::new(&placed, *seq, place, false);
            press.announced = true;
            presses.push(press);
        }
    }
    presses
}

/// All that may be added of the payout, where the seat names no amount.
fn spoken_press(round: &RoundFold, said: &Decision) -> Option<WagerPlaced> {
    let of_seat = || round.wagers.iter().filter(|wager| wager.seat == said.seat);
    let main = of_seat().find(|wager| is_main(wager) && !is_raised(round, wager))?;
    let payout = of_seat().find(|wager| wager.kind == HOUSE_MONEY)?.paid;
    let portion = payout.percent(percent(&round.rules), Rounding::DOWN);
    let amount = said.amount.unwrap_or(portion);
    amount.is_positive().then(|| WagerPlaced {
        wager: format!("{}-press", main.id),
        seat: main.seat,
        player: main.player.clone(),
        kind: PRESS.to_owned(),
        amount,
        on: Some(main.id.clone()),
        detail: None,
        form: None,
        colour: None,
    })
}

/// Was the filed portion of a House Money payout added to a wager, and only the rest of it paid? The press
/// is told then, and its amount is held against the payout.
pub(super) fn has_rest(round: &RoundFold, wager: &WagerFold) -> bool {
    let percent = percent(&round.rules);
    let is_rest = |press: &WagerFold| {
        let whole = wager.paid + press.amount;
        whole.percent(percent, Rounding::DOWN) == press.amount
            && whole.get().checked_rem(wager.amount.get()) == Some(0)
    };
    let fits = |press: &WagerFold| match wager.paid.is_positive() {
        false => percent == 100 && !wager.is_touched(),
        true => is_rest(press),
    };
    let mut presses = round.wagers.iter().filter(|wager| wager.kind == PRESS);
    wager.kind == HOUSE_MONEY
        && presses.any(|press| fits(press) && source(round, press).as_ref() == Some(&wager.id))
}

fn is_main(wager: &WagerFold) -> bool {
    matches!(wager.kind.as_str(), "player" | "banker")
}

/// The portion of a payout that may be added.
fn percent(rules: &RulesInForce) -> i64 {
    let filed = rules.option("house_money_press_percent");
    let filed = filed.and_then(|filed| filed.as_i64());
    filed
        .filter(|percent| (1..=100).contains(percent))
        .unwrap_or(100)
}
