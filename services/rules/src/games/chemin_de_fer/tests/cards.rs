//! Announcements, third cards, stray cards and misdeals.

use serde_json::{Value, json};

use super::{TABLE, banco, player_wins, round, with};
use crate::games::chemin_de_fer::Play;
use crate::games::chemin_de_fer::hands::counts;
use crate::settlement::Violations;

/// Every code about the cards with a round that raises it alone, and a lawful twin.
#[test]
fn cards_and_announcements_against_the_rules_are_flagged() {
    let table = &*TABLE;
    let dealt = |player: &[&str], banker: &[&str]| json!({"player": player, "banker": banker});
    let said = |decision: &str, player: &[&str], banker: &[&str]| {
        with(dealt(player, banker), "decision", json!(decision))
    };
    let misdeal = |irregularity: &str, player: &[&str], banker: &[&str]| {
        with(dealt(player, banker), "irregularity", json!(irregularity))
    };
    let cases: [(&[&str], Value, Value); 15] = [
        (
            &["chemin.illegal_decision"],
            said("natural", &["TS", "7D"], &["KH", "6C"]),
            said("stay", &["TS", "7D"], &["KH", "6C"]),
        ),
        (
            &["chemin.illegal_decision"],
            said("stay", &["TS", "8D"], &["KH", "6C"]),
            said("natural", &["TS", "8D"], &["KH", "6C"]),
        ),
        // On six "Card" is not allowed, and nobody may use the card: the Banker draws his own.
        (
            &["chemin.illegal_decision", "chemin.player_drew_in_error"],
            said("card", &["TS", "6D", "2C"], &["KH", "4C", "3C"]),
            said("stay", &["TS", "6D"], &["KH", "4C", "3C"]),
        ),
        (
            &[
                "chemin.illegal_decision",
                "chemin.player_missing_third_card",
            ],
            said("stay", &["TS", "4D"], &["KH", "6C"]),
            said("card", &["TS", "4D", "2D"], &["KH", "6C"]),
        ),
        (
            &["chemin.player_missing_third_card"],
            said("card", &["TS", "5D"], &["KH", "7C"]),
            said("stay", &["TS", "5D"], &["KH", "7C"]),
        ),
        // A natural of the Banker: "Card" stands but no card is dealt.
        (
            &["chemin.player_drew_in_error"],
            said("card", &["TS", "3D", "2C"], &["KH", "8C"]),
            said("card", &["TS", "3D"], &["KH", "8C"]),
        ),
        (
            &["chemin.banker_took_player_card"],
            said("card", &["TS", "3D"], &["KH", "7C", "2C"]),
            said("card", &["TS", "3D", "2C"], &["KH", "7C"]),
        ),
        (
            &["chemin.banker_drew_in_error"],
            said("stay", &["TS", "7D"], &["KH", "6C", "2C"]),
            said("stay", &["TS", "7D"], &["KH", "5C", "2C"]),
        ),
        (
            &["chemin.banker_missing_third_card"],
            said("stay", &["TS", "7D"], &["KH", "5C"]),
            said("stay", &["TS", "7D"], &["KH", "6C"]),
        ),
        (
            &["chemin.too_many_cards"],
            said("card", &["TS", "3D", "2C", "2D"], &["KH", "7C"]),
            said("card", &["TS", "3D", "2C"], &["KH", "7C"]),
        ),
        (
            &["chemin.too_many_cards"],
            said("stay", &["TS", "7D"], &["KH", "5C", "2C", "2D"]),
            said("stay", &["TS", "7D"], &["KH", "5C", "2C"]),
        ),
        (
            &["chemin.wrong_order"],
            misdeal("wrong_order", &["TS"], &[]),
            misdeal("insufficient_cards", &["TS"], &[]),
        ),
        (
            &["chemin.banker_extra_initial"],
            misdeal("banker_extra_initial", &["TS", "2D"], &["KH", "5C", "2C"]),
            misdeal(
                "face_up_card_in_last_hand",
                &["TS", "2D"],
                &["KH", "5C", "2C"],
            ),
        ),
        (
            &["chemin.player_three_initial"],
            misdeal("player_three_initial", &["TS", "7D", "2C"], &["KH", "5C"]),
            said("stay", &["TS", "7D"], &["KH", "6C"]),
        ),
        // The Banker had to stand: two cards are wrong twice over.
        (
            &["chemin.banker_drew_in_error", "chemin.banker_two_third"],
            misdeal("banker_two_third", &["TS", "7D"], &["KH", "6C", "2C", "3D"]),
            said("stay", &["TS", "7D"], &["KH", "6C"]),
        ),
    ];
    for (codes, raising, lawful) in cases {
        let flagged = |play| table.violations(&round(json!({}), banco(), play));
        assert_eq!(flagged(raising.clone()), codes, "{raising}");
        assert_eq!(flagged(lawful), Vec::<&str>::new(), "twin of {codes:?}");
    }
    let five_decks = table.violations(&round(json!({"decks": 5}), banco(), player_wins()));
    assert_eq!(five_decks, ["deck.illegal_count"]);
    // Seven equal cards of six decks, in a void hand too.
    let sevens = misdeal(
        "wrong_order",
        &["2S", "2S", "2S", "2S"],
        &["2S", "2S", "2S"],
    );
    assert_eq!(
        table.violations(&round(json!({}), banco(), sevens.clone())),
        ["chemin.wrong_order", "deck.duplicate_card"]
    );
    let twin = round(json!({"decks": 7}), banco(), sevens);
    assert_eq!(table.violations(&twin), ["chemin.wrong_order"]);
}

#[test]
fn a_card_dealt_after_stay_is_the_bankers_only_if_he_must_draw() {
    let settle = |play: Value| {
        let play: Play = serde_json::from_value(play).unwrap();
        let mut violations = Violations::default();
        let counts = counts(&play, &mut violations).unwrap();
        let codes: Vec<_> = violations.iter().collect();
        (counts.player, counts.banker, codes)
    };
    let stayed = |player: &[&str], banker: &[&str]| json!({"player": player, "banker": banker, "decision": "stay"});
    // Banker 1 takes the stray 6; with a card of his own besides, that one is surplus.
    let drew = "chemin.player_drew_in_error";
    assert_eq!(
        settle(stayed(&["2S", "5D", "6C"], &["KH", "AC"])),
        (7, 7, vec![drew])
    );
    assert_eq!(
        settle(stayed(&["2S", "5D", "6C"], &["KH", "AC", "8D"])),
        (7, 7, vec!["chemin.banker_drew_in_error", drew])
    );
    // Banker 6 stands: nobody uses it.
    assert_eq!(
        settle(stayed(&["2S", "5D", "6C"], &["KH", "6C"])),
        (7, 6, vec![drew])
    );
    // A stay that was not allowed: the card is stray all the same, and the Banker draws on "-".
    assert_eq!(
        settle(stayed(&["2S", "AD", "6C"], &["KH", "5C"])),
        (
            3,
            1,
            vec![
                "chemin.illegal_decision",
                "chemin.player_drew_in_error",
                "chemin.player_missing_third_card"
            ]
        )
    );
    // On five without an announcement a card that lies was called for.
    let five = json!({"player": ["2S", "3D", "4C"], "banker": ["KH", "7C"]});
    assert_eq!(settle(five), (9, 7, vec![]));
}

#[test]
fn misdeals_count_as_the_rules_say() {
    let settle = |irregularity: &str, player: &[&str], banker: &[&str]| {
        let play = json!({"player": player, "banker": banker, "irregularity": irregularity});
        let play: Play = serde_json::from_value(play).unwrap();
        let counts = counts(&play, &mut Violations::default()).unwrap();
        (counts.player, counts.banker)
    };
    // 11(c): best of 4+9, 4+7, 9+7 and 4+9+7.
    assert_eq!(
        settle(
            "player_three_initial",
            &["4S", "9D", "7C"],
            &["KH", "2C", "2D"]
        ),
        (6, 4)
    );
    assert_eq!(
        settle("player_three_initial", &["4S", "4D", "9C"], &["KH", "2C"]),
        (8, 2)
    );
    // 11(b): the Banker counts nothing, even with a natural on the table.
    assert_eq!(
        settle("banker_extra_initial", &["4S", "4D"], &["KH", "9C", "2D"]),
        (8, 0)
    );
    // 11(d): the lowest of any two, a pair of one value included.
    assert_eq!(
        settle("banker_two_third", &["KS", "6D"], &["2H", "3C", "5S", "5C"]),
        (6, 0)
    );
    assert_eq!(
        settle("banker_two_third", &["KS", "6D"], &["2H", "AC", "3S", "3C"]),
        (6, 3)
    );
    // The Banker had to stand: both were drawn in error, and neither is his.
    assert_eq!(
        settle("banker_two_third", &["KS", "6D"], &["3H", "4C", "8S", "5D"]),
        (6, 7)
    );
    // The Player's own third card is never taken from the two.
    assert_eq!(
        settle("banker_two_third", &["KS", "2D"], &["2H", "AC", "3S", "3C"]),
        (2, 3)
    );
}
