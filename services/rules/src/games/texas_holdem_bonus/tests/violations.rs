//! Each violation, by a round that has its fault and by its lawful twin.

use serde_json::{Value, json};

use super::{changed, folded, lawful, open, removed, verdicts};
use crate::games::shared::flawed::cards;
use crate::settlement::Verdict;

#[test]
fn lawful_rounds_have_no_violation() {
    let table = open();
    assert_eq!(table.violations(&lawful()), [""; 0]);
    let returned: Vec<i64> = table
        .settle(&lawful())
        .wagers()
        .iter()
        .map(|w| w.returned.get())
        .collect();
    assert_eq!(returned, [2000, 4000, 2000, 2000, 400, 5000]);
    for board in ["", "9D 5C 5S", "9D 5C 5S 2H", "9D 5C 5S 2H KD"] {
        assert_eq!(table.violations(&folded(board)), [""; 0], "{board}");
        assert_eq!(
            verdicts(&folded(board)),
            [Verdict::Lose, Verdict::Win, Verdict::Lose],
            "{board}"
        );
    }
}

/// Each line is a change of the lawful round, which has no violation.
#[test]
fn every_violation_is_raised_by_a_round_that_has_its_fault() {
    let wager =
        |kind: &str, amount: i64| json!({"id": "x", "seat": 3, "kind": kind, "amount": amount});
    let at_4 = |kind: &str| json!({"id": "x", "seat": 4, "kind": kind, "amount": 1000, "on": "a"});
    let cases: Vec<(Value, &[&str])> = vec![
        (
            changed(&[("/wagers/-", wager("trips", 100))]),
            &["wager.not_offered"],
        ),
        (
            changed(&[("/options/progressive", json!(false))]),
            &["wager.not_offered"],
        ),
        (
            changed(&[("/wagers/-", at_4("bonus"))]),
            &["wager.side_without_main"],
        ),
        (
            changed(&[("/wagers/-", at_4("progressive"))]),
            &["wager.progressive_amount", "wager.side_without_main"],
        ),
        (
            changed(&[("/wagers/-", at_4("flop"))]),
            &["thb.street_without_ante"],
        ),
        (
            changed(&[("/wagers/-", at_4("river"))]),
            &["thb.street_without_ante"],
        ),
        (
            changed(&[("/wagers/-", wager("river", 1000))]),
            &["wager.duplicate_kind"],
        ),
        (
            changed(&[("/options/min_ante", json!(1001))]),
            &["wager.under_min"],
        ),
        (
            changed(&[("/options/min_bonus", json!(101))]),
            &["wager.under_min"],
        ),
        (
            changed(&[("/wagers/4/amount", json!(99))]),
            &["wager.under_min"],
        ),
        (
            changed(&[("/options/max_ante", json!(999))]),
            &["wager.over_max"],
        ),
        (
            changed(&[("/options/max_bonus", json!(99))]),
            &["wager.over_max"],
        ),
        (changed(&[("/options/max_bonus", Value::Null)]), &[]),
        // A posted minimum below a dollar is itself wrong, and does not excuse a smaller wager.
        (
            changed(&[("/options/min_bonus", json!(50))]),
            &["config.min_bonus_too_low"],
        ),
        (
            changed(&[
                ("/options/min_bonus", json!(50)),
                ("/wagers/4/amount", json!(60)),
            ]),
            &["config.min_bonus_too_low", "wager.under_min"],
        ),
        (
            changed(&[
                (
                    "/wagers/-",
                    json!({"id": "x", "seat": 4, "kind": "ante", "amount": 500, "patron": "ann"}),
                ),
                (
                    "/play/hands/-",
                    json!({"seat": 4, "cards": ["8C", "8D"], "decision": "fold"}),
                ),
            ]),
            &["wager.multi_position"],
        ),
        (
            changed(&[("/wagers/1/on", json!("b"))]),
            &["wager.bad_reference"],
        ),
        (removed("/wagers/3/on"), &["wager.bad_reference"]),
        (
            changed(&[("/wagers/5/amount", json!(200))]),
            &["wager.progressive_amount"],
        ),
        (
            changed(&[("/wagers/1/amount", json!(1000))]),
            &["thb.flop_multiple"],
        ),
        (
            changed(&[("/wagers/2/amount", json!(2000))]),
            &["thb.street_multiple"],
        ),
        (
            changed(&[("/wagers/3/amount", json!(999))]),
            &["thb.street_multiple"],
        ),
        (
            removed("/wagers/1"),
            &["thb.play_without_decision", "thb.street_without_flop"],
        ),
        (
            changed(&[
                ("/play/board", cards("9D 5C 5S")),
                ("/play/irregularities", json!([{"code": "misdeal"}])),
            ]),
            &["thb.street_out_of_stage"],
        ),
        (
            changed(&[("/play/hands/0/decision", json!("pending"))]),
            &["thb.play_without_decision"],
        ),
        (
            changed(&[("/play/hands/0/decision", json!("raise"))]),
            &["thb.play_without_decision"],
        ),
        (
            removed("/play/hands/0/decision"),
            &["thb.play_without_decision"],
        ),
        (
            changed(&[("/play/hands/0/decision", json!("fold"))]),
            &["thb.fold_after_flop"],
        ),
        (
            changed(&[("/play/hands/0/decision", json!("abandoned"))]),
            &[],
        ),
        (
            changed(&[("/options/bonus_paytable", json!({"low_pair": "5:2"}))]),
            &["config.odds_below_minimum"],
        ),
        (
            changed(&[(
                "/options/bonus_paytable",
                json!({"low_pair": "3:1", "ace_ace": "40:1"}),
            )]),
            &[],
        ),
        (
            changed(&[("/options/bonus_both_aces", json!("999:1"))]),
            &["config.odds_below_minimum"],
        ),
        (
            changed(&[("/options/bonus_both_aces", json!("1000:1"))]),
            &[],
        ),
        (
            changed(&[("/options/shuffler", json!("none"))]),
            &["deal.hand_without_shuffler"],
        ),
        (
            changed(&[
                ("/options/shuffler", json!("none")),
                ("/options/dealing", json!("manual_shoe")),
            ]),
            &[],
        ),
        (
            changed(&[
                ("/options/shuffler", json!("none")),
                ("/options/dealing", json!("manual_shoe")),
                ("/options/decks_in_rotation", json!(2)),
            ]),
            &["config.second_deck_without_shuffler"],
        ),
        (changed(&[("/options/decks_in_rotation", json!(2))]), &[]),
        (
            changed(&[("/play/dealer/0", json!("9S"))]),
            &["deck.duplicate_card"],
        ),
        (
            changed(&[("/play/board/4", json!("JK"))]),
            &["deck.foreign_card"],
        ),
        (
            changed(&[("/play/dealer/-", json!("3D"))]),
            &["deal.card_count"],
        ),
        (
            changed(&[("/play/hands/0/cards", cards("9S 9H 2D"))]),
            &["deal.card_count"],
        ),
        (
            changed(&[("/play/board/-", json!("2D"))]),
            &["deal.card_count"],
        ),
        (
            changed(&[(
                "/play/hands/-",
                json!({"seat": 5, "cards": ["8C", "8D", "8H"]}),
            )]),
            &["deal.hand_without_wager"],
        ),
        (
            changed(&[("/play/hands/-", json!({"seat": 7, "cards": ["8C", "8D"]}))]),
            &["deal.hand_without_wager", "wager.bad_position"],
        ),
    ];
    let table = open();
    for (document, expected) in cases {
        assert_eq!(table.violations(&document), expected, "{document}");
    }
}
