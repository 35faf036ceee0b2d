//! The search for ways to hide a mispay, in short: `--example evade` tries all of them.

#![allow(clippy::unwrap_used)]

#[path = "../examples/search/mod.rs"]
mod search;

use std::sync::Arc;

use catwalk_rules::Rulebook;
use search::{Depth, Search, words};

/// What is heard of nobody, and why: of a bet that is never told, nor what became of it, no event of the table knows,
/// nor of dice that nobody saw and a bet that was taken down. Of cards nobody tells when they decide a hand: one that is
/// called off before chips move is called off in time, as far as the events say.
const LEFT: [(&str, &str); 6] = [
    ("a loser keeps the stake", "no wager_placed"),
    ("a winner is not paid", "no wager_placed"),
    ("a loser is taken down late", "no dice_rolled"),
    ("a pot is kept", "round_voided before it"),
    ("a pot is kept", "round_voided after it"),
    ("a pot is kept", "round_voided before the round's end"),
];

/// What was found to hide a payment once, and is tried of every payment: what ends a round, and what it is called.
fn is_pinned(cover: &str) -> bool {
    let pinned = [
        "round_voided",
        "no wager_placed",
        "no round_",
        "the round ",
        "doing it after",
    ];
    pinned.iter().any(|known| cover.starts_with(known))
}

/// A wheel, dice, cards against the house and cards between patrons: of pairs of money and an event put in or left out
/// every so many, of changes of one event and of pairs of money and a changed event the others.
#[test]
fn no_payment_against_the_rules_is_hidden_by_one_more_event() {
    let rulebook = Arc::new(Rulebook::load().unwrap());
    let words = words(&rulebook);
    let mut hidden = Vec::new();
    for (game, every, changed) in [
        ("craps", 89, 61),
        ("roulette", 47, 61),
        ("sic_bo", 47, 61),
        ("three_card_poker", 23, 61),
        ("minibaccarat", 23, 61),
        ("poker", 61, 61),
        ("red_dog", 61, 61),
    ] {
        let depth = Depth {
            rounds: 4,
            seed: 1,
            every,
        };
        let mut search = Search::new(&rulebook, game, &depth).unwrap();
        search.run(&words, is_pinned).unwrap();
        search.change(changed).unwrap();
        search.cover(1, changed).unwrap();
        assert!(search.tried > 60, "{game}: {} tried", search.tried);
        let left = |(how, cover): &(&str, String)| LEFT.contains(&(how, cover.as_str()));
        search.silent.retain(|pair, _| !left(pair));
        hidden.extend(
            search
                .told(1)
                .into_iter()
                .map(|line| format!("{game}: {line}")),
        );
    }
    assert!(hidden.is_empty(), "{}", hidden.join("\n"));
}
