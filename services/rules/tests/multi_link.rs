//! The Multi-Link progressive is one meter for tables of several games: what it pays is the same in all of
//! them.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use catwalk_rules::Rulebook;
use catwalk_rules::book::Pay;

const GAMES: [&str; 6] = [
    "crazy_four_poker",
    "four_card_poker",
    "let_it_ride",
    "mississippi_stud",
    "texas_holdem_bonus",
    "ultimate_texas_holdem",
];

/// Hands of five cards out of 2,598,960.
const WAYS: [(&str, i64); 7] = [
    ("royal_flush", 4),
    ("straight_flush", 36),
    ("four_of_a_kind", 624),
    ("full_house", 3_744),
    ("flush", 5_108),
    ("straight", 10_200),
    ("three_of_a_kind", 54_912),
];

fn rows(rulebook: &Rulebook, game: &str, ids: &[&str]) -> BTreeMap<String, Pay> {
    let tables = rulebook.game(game).unwrap().book().tables().iter();
    let mut tables = tables.filter(|table| ids.contains(&table.id.as_str()));
    let table = tables
        .next()
        .unwrap_or_else(|| panic!("{game} has none of {ids:?}"));
    let rows = table.rows.iter();
    rows.filter(|row| row.pays != Pay::Lose)
        .map(|row| (row.key.clone(), row.pays))
        .collect()
}

#[test]
fn its_awards_and_its_envy_are_the_same_in_every_game() {
    let rulebook = Rulebook::load().unwrap();
    let awards = |game| rows(&rulebook, game, &["multi_link", "multi_link_progressive"]);
    let envy = |game| rows(&rulebook, game, &["multi_link_envy"]);
    for game in GAMES {
        assert_eq!(awards(game), awards(GAMES[0]), "{game}");
        assert_eq!(envy(game), envy(GAMES[0]), "{game}");
    }
}

/// 53% of a dollar, without the shares of the meter: those take a royal flush and a straight flush.
#[test]
fn its_fixed_awards_return_half_of_a_dollar_in_every_game() {
    let rulebook = Rulebook::load().unwrap();
    for game in GAMES {
        let awards = rows(&rulebook, game, &["multi_link", "multi_link_progressive"]);
        assert_eq!(awards["royal_flush"], Pay::Meter(100), "{game}");
        assert_eq!(awards["straight_flush"], Pay::Meter(10), "{game}");
        let fixed = WAYS.iter().map(|&(row, ways)| match awards.get(row) {
            Some(Pay::Fixed(amount)) => amount.get() * ways,
            _ => 0,
        });
        assert_eq!(fixed.sum::<i64>(), 137_892_800, "{game}");
    }
}
