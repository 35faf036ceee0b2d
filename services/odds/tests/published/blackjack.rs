//! Blackjack: the hand, and its side wagers.

use serde_json::{Value, json};

use super::super::{Lines, assert_exact, assert_sound, edge, millionths, sheet};
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

/// Six decks, dealer stands on soft 17, double after split, four hands: 0.42 % are published for basic strategy by
/// total; of two hands at most 0.47 %. The deviation is published as 1.15 stakes.
#[test]
fn the_hand_by_basic_strategy_keeps_what_is_published_within_its_standard_error() {
    let options =
        |hands: u64| json!({"max_split_hands": hands, "resplit_aces": false, "hole_card": "down"});
    for (edition, options, published) in [
        ("mgc-2017", options(4), 0.0042),
        ("mgc-2017", options(2), 0.0047),
        ("oh-jack-2017", json!({}), 0.0063),
    ] {
        let sheet = sheet("blackjack", edition, options.clone());
        assert_sound(&sheet);
        let main = sheet.line("main");
        let keeps = edge(main).approximate();
        let error = main.standard_error.unwrap();
        assert!(error < 0.0006, "{error}");
        assert!(
            (keeps - published).abs() < 3.0 * error,
            "{edition} {options}: {keeps} with {error}"
        );
        let deviation = main.figures.as_ref().unwrap().standard_deviation();
        assert!((deviation - 1.15).abs() < 0.02, "{deviation}");
        assert!(sheet.line("split").figures.is_none());
    }
}

/// What a rule costs is known better than the whole: rounds of both tables are drawn from the same chance.
#[test]
fn six_to_five_costs_the_hand_what_naturals_lose_by_it() {
    let of = |options| edge(sheet("blackjack", "oh-jack-2017", options).line("main")).approximate();
    let costs = of(json!({"blackjack_pays": "6:5"})) - of(json!({}));
    // 0.3 stakes of each natural that the dealer does not tie: 1.36 % are published.
    assert!((costs - 0.0136).abs() < 0.0002, "{costs}");
}

#[test]
fn of_a_table_with_bonuses_or_an_open_dealer_no_hand_is_computed() {
    for options in [
        json!({"bonus_payouts": ["suited_678"]}),
        json!({"hole_card": "exposed"}),
        json!({"variation": "multiple_action"}),
    ] {
        let sheet = sheet("blackjack", "mgc-2017", options);
        assert!(sheet.line("main").figures.is_none());
    }
}
