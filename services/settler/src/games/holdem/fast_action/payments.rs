//! What was paid or taken wrongly, where the rules have a word of their own for it.

use catwalk_rules::book::Pay;
use catwalk_rules::floor::{Card, Rounding};
use catwalk_rules::hands::shoe;
use catwalk_rules::{Settlement, Verdict};
use serde_json::{Value, json};

use super::is_natural;
use crate::fault::Fault;
use crate::games::holdem::{due, special};
use crate::games::{End, felt};
use crate::round::WagerFold;

/// What the page has a word of its own for, beside the difference.
pub(super) fn mispaid(end: &End<'_>, faults: &mut Vec<Fault>) {
    let house_way = end
        .settlement
        .is_some_and(|settlement| settlement.violations().contains("fast_action.house_way"));
    for &(at, exposure) in end.mispaid {
        let Some(wager) = end.round.wagers.get(at) else {
            continue;
        };
        let own = due(end, wager.seat, &wager.kind);
        if house_way {
            let message = "settled on a set against the house ways";
            faults.push(special("fast_action.house_way_not_reset", wager, message));
        }
        if wager.kind == "split" && own == Some(Verdict::Push) && wager.collected.is_some() {
            let message = "taken on a natural of the dealer";
            let code = "fast_action.split_taken_on_dealer_natural";
            faults.push(special(code, wager, message));
        }
        if exposure.is_positive() && is_paid_as_natural(end, wager) {
            let message = "paid as a natural without four of a kind";
            faults.push(special("fast_action.natural_false", wager, message));
        }
        if own == Some(Verdict::Lose) && exposure.is_positive() && is_copy(end, wager) {
            let message = "a copy hand was not taken";
            faults.push(special("fast_action.copy_pushed", wager, message));
        }
    }
}

/// Was a hand that is seen and is none paid as a natural is, which nobody had declared? s.8(b)
fn is_paid_as_natural(end: &End<'_>, wager: &WagerFold) -> bool {
    const CODE: &str = "fast_action.natural_false";
    let said = |settlement: &Settlement| settlement.violations().contains(CODE);
    let cards = felt::hand(&end.round.play, wager.seat);
    let seen = cards.iter().map(|lying| lying.card.map(str::to_owned));
    let seen: Option<Vec<String>> = seen.collect();
    let game = end.round.rules.game_in(end.rulebook).ok();
    let tables = game.iter().flat_map(|game| game.book().tables());
    let mut rows = tables.flat_map(|table| &table.rows);
    let natural = rows.find(|row| row.key == "natural").map(|row| row.pays);
    let is_natural_pay = matches!(natural, Some(Pay::Odds(odds))
        if wager.paid == odds.win_on(wager.amount, Rounding::DOWN));
    wager.kind == "main"
        && is_natural_pay
        && seen.is_some_and(|cards| !is_natural(&cards))
        && !end.settlement.is_some_and(said)
}

/// Do the seat's hand and the dealer's rank the same? s.8(k)
fn is_copy(end: &End<'_>, wager: &WagerFold) -> bool {
    let Some(play) = end.document.map(|document| &document["play"]) else {
        return false;
    };
    let hands = play["hands"].as_array();
    let hand = hands.and_then(|hands| hands.iter().find(|hand| hand["seat"] == wager.seat));
    let which = usize::from(wager.kind == "split");
    let own = hand.map(|hand| &hand["sets"][which]);
    let rank = |pair: &Value| {
        let cards = [pair, &play["board"]];
        let cards = cards.into_iter().filter_map(Value::as_array).flatten();
        let cards: Option<Vec<Card>> = cards.map(|card| card.as_str()?.parse().ok()).collect();
        shoe::rank(&cards?)
    };
    let own = own.and_then(rank);
    own.is_some() && right_sets(end).iter().any(|set| rank(set) == own)
}

/// The set of the dealer, or those that the house ways allow him where it was not told.
fn right_sets(end: &End<'_>) -> Vec<Value> {
    let Some(document) = end.document else {
        return Vec::new();
    };
    let is_right = |set: &Value| {
        let mut other = document.clone();
        other["play"]["dealer"]["set"] = set.clone();
        let settlement = end.rulebook.settle_value(&other);
        settlement.is_ok_and(|settled| !settled.violations().contains("fast_action.house_way"))
    };
    let dealer = &document["play"]["dealer"];
    if dealer["set"].is_array() {
        return vec![dealer["set"].clone()];
    }
    let cards = dealer["cards"].as_array().cloned().unwrap_or_default();
    let pairs = cards.iter().enumerate().flat_map(|(at, one)| {
        let others = cards[at + 1..].iter();
        others.map(move |other| json!([one, other]))
    });
    pairs.filter(is_right).collect()
}
