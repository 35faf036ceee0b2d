//! The search for ways to hide a mispay, in short: `--example evade` tries all of them.

#![allow(clippy::unwrap_used)]

#[path = "../examples/search/mod.rs"]
mod search;

use std::sync::Arc;

use catwalk_rules::Rulebook;
use search::{Depth, Search, words};

/// What is heard of nobody, and why: two edits that cancel out, or that leave nothing which contradicts them.
const LEFT: [&str; 0] = [];

/// A wheel, dice, cards against the house and cards between patrons.
#[test]
fn no_payment_against_the_rules_is_hidden_by_one_more_event() {
    let rulebook = Arc::new(Rulebook::load().unwrap());
    let words = words(&rulebook);
    let mut hidden = Vec::new();
    for (game, every) in [
        ("roulette", 23),
        ("sic_bo", 23),
        ("three_card_poker", 41),
        ("minibaccarat", 41),
    ] {
        let depth = Depth {
            rounds: 4,
            seed: 1,
            every,
        };
        let mut search = Search::new(&rulebook, game, &depth).unwrap();
        search.run(&words).unwrap();
        assert!(search.tried > 10, "{game}: {} tried", search.tried);
        let told = search.told(1).into_iter();
        let told = told.filter(|line| !LEFT.iter().any(|left| line.contains(left)));
        hidden.extend(told.map(|line| format!("{game}: {line}")));
    }
    assert!(hidden.is_empty(), "{}", hidden.join("\n"));
}
