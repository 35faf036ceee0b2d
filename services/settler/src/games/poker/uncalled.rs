//! Rake that only a bet nobody called explains. 14(d)

use catwalk_rules::Pots;
use catwalk_rules::floor::Cents;
use serde_json::Value;

/// Was just what the rake would be with the uncalled bet in the pot taken?
pub(super) fn explains(document: &Value, pots: &Pots, taken: Cents) -> bool {
    let called = chips(document, pots, true);
    let with_uncalled = chips(document, pots, false);
    let methods = document["options"]["rake"].as_array();
    let rake = |chips: &[i64]| -> i64 {
        let methods = methods.into_iter().flatten();
        methods.map(|method| rake(method, chips)).sum()
    };
    rake(&called) == pots.rake.get() && rake(&with_uncalled) == taken.get() && taken > pots.rake
}

/// The chips of each betting round; without what went back uncalled, or with it.
fn chips(document: &Value, pots: &Pots, without_uncalled: bool) -> Vec<i64> {
    let rounds = document["play"]["rounds"].as_array();
    let rounds: Vec<&Value> = rounds.into_iter().flatten().collect();
    let mut chips = vec![0; rounds.len().max(1)];
    let round_of = |wager: &Value| {
        let holds = |round: &&Value| {
            let mut actions = round.as_array().into_iter().flatten();
            actions.any(|action| action["id"] == wager["id"])
        };
        // Antes and blinds are of the first.
        rounds.iter().position(holds).unwrap_or(0)
    };
    let wagers: Vec<&Value> = document["wagers"]
        .as_array()
        .into_iter()
        .flatten()
        .collect();
    for wager in &wagers {
        chips[round_of(wager)] += wager["amount"].as_i64().unwrap_or_default();
    }
    for refund in &pots.refunds {
        let uncalled = refund.reason == "uncalled";
        if uncalled && !without_uncalled {
            continue;
        }
        let of_seat = |wager: &&&Value| wager["seat"] == u64::from(refund.seat.number());
        if let Some(last) = wagers.iter().rev().find(of_seat) {
            chips[round_of(last)] -= refund.amount.get();
        }
    }
    chips
}

/// What one method takes of the chips of the betting rounds. 14(b)
pub(super) fn rake(method: &Value, chips: &[i64]) -> i64 {
    let number = |key: &str| method[key].as_i64();
    let most = number("cap").unwrap_or(i64::MAX);
    let total = match method["method"].as_str() {
        Some("percent") => {
            let rate = number("rate_bp").unwrap_or_default();
            let unit = number("unit").unwrap_or(100).max(1);
            chips
                .iter()
                .map(|chips| chips * rate / 10_000 / unit * unit)
                .sum()
        }
        Some("incremental") => {
            let pot: i64 = chips.iter().sum();
            let levels = method["levels"].as_array().into_iter().flatten();
            let reached = levels.filter(|level| level[0].as_i64().is_some_and(|size| size <= pot));
            reached.filter_map(|level| level[1].as_i64()).sum()
        }
        _ => 0,
    };
    total.min(most)
}
