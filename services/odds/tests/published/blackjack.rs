//! Side wagers of blackjack.

use serde_json::{Value, json};

use super::super::{Lines, assert_exact, assert_sound, millionths, sheet};
use catwalk_odds::{Basis, Sheet};

fn offering(name: &str, decks: i64, more: Value) -> Sheet {
    let edition = if name == "bet_the_set" {
        "oh-jack-2017"
    } else {
        "mgc-2017"
    };
    let mut options = json!({"side_bets": [name], "decks": decks});
    for (key, value) in more.as_object().unwrap() {
        options[key] = value.clone();
    }
    sheet("blackjack", edition, options)
}

#[test]
fn the_royal_match_has_the_published_edges() {
    for (decks, option, published) in [(6, 2, 66_658), (1, 2, 37_707), (1, 4, 108_597)] {
        let sheet = offering("royal_match", decks, json!({"royal_match_option": option}));
        assert_eq!(
            millionths(sheet.line("royal_match")),
            published,
            "{decks} decks"
        );
    }
}

#[test]
fn over_and_under_13_have_the_published_edges() {
    let sheet = offering("over_under_13", 6, json!({}));
    assert_sound(&sheet);
    assert_eq!(millionths(sheet.line("over_13")), 65_545);
    assert_eq!(millionths(sheet.line("under_13")), 100_667);
}

#[test]
fn super_sevens_and_match_the_dealer_have_the_published_edges() {
    let sevens = offering("super_sevens", 6, json!({}));
    let line = sevens.line("super_sevens");
    assert_eq!(millionths(line), 114_000);
    assert!(matches!(&line.basis, Basis::Declared(_)));
    let matched = offering("match_the_dealer", 6, json!({}));
    assert_eq!(millionths(matched.line("match_the_dealer")), 40_618);
}

#[test]
fn bet_the_set_and_insurance_lose_what_was_counted() {
    let set = offering("bet_the_set", 6, json!({}));
    assert_exact(set.line("bet_the_set"), 33, 311);
    let insured = sheet("blackjack", "mgc-2017", json!({"decks": 6}));
    assert_exact(insured.line("insurance"), 23, 311);
}
