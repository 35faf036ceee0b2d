//! Each violation, by a round that has its fault and by its lawful twin.

use serde_json::{Value, json};

use super::{changed, lawful, open, removed};
use crate::games::shared::flawed::cards;

#[test]
fn a_lawful_round_has_no_violation() {
    let settlement = open().settle(&lawful());
    assert_eq!(settlement.violations().iter().count(), 0);
    let returned: Vec<i64> = settlement
        .wagers()
        .iter()
        .map(|w| w.returned.get())
        .collect();
    assert_eq!(returned, [2000, 4000, 8000, 4500, 5000]);
}

/// Each line is one change of the lawful round, which has no violation.
#[test]
fn every_violation_is_raised_by_a_round_that_has_its_fault() {
    let wager =
        |kind: &str, amount: i64| json!({"id": "x", "seat": 3, "kind": kind, "amount": amount});
    let river = |stage: Value| {
        changed(&[
            ("/wagers/2/stage", stage),
            ("/wagers/2/amount", json!(1000)),
        ])
    };
    let cases: Vec<(Value, &[&str])> = vec![
        (
            changed(&[("/wagers/-", wager("insurance", 100))]),
            &["wager.not_offered"],
        ),
        (
            changed(&[("/options/trips_offered", json!(false))]),
            &["wager.not_offered"],
        ),
        (
            changed(&[("/options/progressive", json!(false))]),
            &["wager.not_offered"],
        ),
        (
            changed(&[("/wagers/1/amount", json!(900))]),
            &["wager.blind_not_equal"],
        ),
        (
            changed(&[("/wagers/-", wager("blind", 1000))]),
            &["wager.duplicate_kind"],
        ),
        (
            changed(&[("/wagers/-", wager("play", 1000))]),
            &["uth.play_twice"],
        ),
        (
            changed(&[("/options/min_ante", json!(1001))]),
            &["wager.under_min"],
        ),
        (
            changed(&[("/options/min_trips", json!(501))]),
            &["wager.under_min"],
        ),
        (
            changed(&[("/options/max_ante", json!(999))]),
            &["wager.over_max"],
        ),
        (
            changed(&[("/options/max_trips", json!(499))]),
            &["wager.over_max"],
        ),
        (
            changed(&[
                (
                    "/wagers/-",
                    json!({"id": "x", "seat": 4, "kind": "ante", "amount": 500, "patron": "ann"}),
                ),
                (
                    "/wagers/-",
                    json!({"id": "y", "seat": 4, "kind": "blind", "amount": 500}),
                ),
                (
                    "/play/hands/-",
                    json!({"seat": 4, "cards": ["8C", "8D"], "decision": "fold"}),
                ),
            ]),
            &["wager.multi_position"],
        ),
        (
            changed(&[("/wagers/2/on", json!("b"))]),
            &["wager.bad_reference"],
        ),
        (removed("/wagers/2/on"), &["wager.bad_reference"]),
        (
            changed(&[("/wagers/4/amount", json!(200))]),
            &["wager.progressive_amount"],
        ),
        (
            changed(&[("/wagers/2/amount", json!(2000))]),
            &["uth.play_multiple"],
        ),
        (
            changed(&[("/wagers/2/stage", json!("flop"))]),
            &["uth.play_multiple"],
        ),
        (
            changed(&[("/wagers/2/stage", json!("showdown"))]),
            &["uth.play_out_of_stage"],
        ),
        (removed("/wagers/2/stage"), &["uth.play_out_of_stage"]),
        (river(json!("river")), &[]),
        (
            changed(&[
                ("/wagers/2/stage", json!("river")),
                ("/wagers/2/amount", json!(1000)),
                ("/play/board", cards("9D 5C 5S")),
                ("/play/irregularities", json!([{"code": "misdeal"}])),
            ]),
            &["uth.play_out_of_stage"],
        ),
        (
            changed(&[("/play/hands/0/decision", json!("pending"))]),
            &["uth.no_final_decision"],
        ),
        (
            changed(&[("/play/hands/0/decision", json!("raise"))]),
            &["uth.no_final_decision"],
        ),
        (
            removed("/play/hands/0/decision"),
            &["uth.no_final_decision"],
        ),
        (
            changed(&[("/play/hands/0/decision", json!("fold"))]),
            &["uth.decision_mismatch"],
        ),
        (
            changed(&[("/play/hands/0/decision", json!("fold_keep_trips"))]),
            &["uth.decision_mismatch"],
        ),
        (removed("/wagers/2"), &["uth.decision_mismatch"]),
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
        // Nobody's cards: their number voids nothing.
        (
            changed(&[(
                "/play/hands/-",
                json!({"seat": 5, "cards": ["8C", "8D", "8H"]}),
            )]),
            &["deal.hand_without_wager"],
        ),
        (
            changed(&[("/play/hands/-", json!({"seat": 5, "cards": ["8C", "8D"]}))]),
            &["deal.hand_without_wager"],
        ),
        (
            changed(&[("/play/hands/-", json!({"seat": 7, "cards": ["8C", "8D"]}))]),
            &["deal.hand_without_wager", "wager.bad_position"],
        ),
        (
            changed(&[("/options/decks_in_rotation", json!(2))]),
            &["config.second_deck_without_shuffler"],
        ),
        (
            changed(&[
                ("/options/decks_in_rotation", json!(2)),
                ("/options/shuffler", json!("automated")),
            ]),
            &[],
        ),
        // Without the blind, trips and the progressive have no main wager.
        (
            removed("/wagers/1"),
            &["wager.blind_not_equal", "wager.side_without_main"],
        ),
        // Without the ante, the play wager has none either; the blind is there, so the hand is lawful.
        (
            removed("/wagers/0"),
            &[
                "uth.play_without_ante",
                "wager.blind_not_equal",
                "wager.side_without_main",
            ],
        ),
    ];
    let table = open();
    for (document, expected) in cases {
        assert_eq!(table.violations(&document), expected, "{document}");
    }
}

#[test]
fn a_wager_at_no_position_is_flagged_and_settled() {
    let table = open();
    for seat in [0, 7, 65_535] {
        let mut document = lawful();
        for wager in document["wagers"].as_array_mut().unwrap() {
            wager["seat"] = json!(seat);
        }
        document["play"]["hands"][0]["seat"] = json!(seat);
        assert_eq!(table.violations(&document), ["wager.bad_position"]);
        assert_eq!(table.wager(&document, "a").returned.get(), 2000);
    }
}
