//! Each violation, by a round that has its fault and by its lawful twin.

use serde_json::{Value, json};

use super::{changed, lawful, open, removed};
use crate::games::shared::flawed::{self, cards};

/// Each line is a change of the lawful round, which has no violation.
#[test]
fn every_violation_is_raised_by_a_round_that_has_its_fault() {
    let wager = |kind: &str| json!({"id": "y", "seat": 2, "kind": kind, "amount": 100});
    let at_3 = |kind: &str| json!({"id": "y", "seat": 3, "kind": kind, "amount": 100, "on": "a"});
    let declared = |hand: &str| {
        flawed::removed(
            changed(&[
                ("/play/hands/0/cards", cards(hand)),
                ("/play/hands/0/action", json!("instant")),
            ]),
            "/wagers/1",
        )
    };
    let folded = flawed::removed(
        changed(&[("/play/hands/0/action", json!("fold"))]),
        "/wagers/1",
    );
    let permissible = [("/options/version", json!("permissible"))];
    let cases: Vec<(Value, &[&str])> = vec![
        (lawful(), &[]),
        (
            changed(&[("/wagers/-", wager("trips"))]),
            &["wager.not_offered"],
        ),
        (
            changed(&[("/options/bonus", json!(false))]),
            &["wager.not_offered"],
        ),
        (
            changed(&[("/wagers/-", at_3("bonus"))]),
            &["wager.side_without_main"],
        ),
        (
            changed(&[("/wagers/-", at_3("bet"))]),
            &["colorado.bet_without_ante"],
        ),
        (
            changed(&[("/wagers/-", wager("bonus"))]),
            &["wager.duplicate_kind"],
        ),
        (
            changed(&[("/options/min_ante", json!(1001))]),
            &["wager.under_min"],
        ),
        (
            changed(&[("/options/max_ante", json!(999))]),
            &["wager.over_max"],
        ),
        (
            changed(&[
                ("/options/min_ante", json!(1000)),
                ("/options/max_ante", json!(1000)),
            ]),
            &[],
        ),
        (
            changed(&[("/wagers/1/on", json!("x"))]),
            &["wager.bad_reference"],
        ),
        (removed("/wagers/1/on"), &["wager.bad_reference"]),
        (
            changed(&[("/wagers/1/amount", json!(999))]),
            &["colorado.bet_not_equal"],
        ),
        (removed("/wagers/1"), &["colorado.bet_missing"]),
        (flawed::changed(removed("/wagers/1"), &permissible), &[]),
        (declared("6H 7H 8H"), &[]),
        (declared("AH 2H 3H"), &[]),
        (declared("6H 7H 9H"), &["colorado.instant_false"]),
        (declared("KH AH 2H"), &["colorado.instant_false"]),
        (
            changed(&[
                ("/play/hands/0/cards", cards("6H 7H 8H")),
                ("/play/hands/0/action", json!("instant")),
            ]),
            &["colorado.bet_with_instant"],
        ),
        (folded.clone(), &[]),
        (
            flawed::changed(folded, &permissible),
            &["colorado.fold_in_permissible"],
        ),
        (
            changed(&[("/play/hands/0/action", json!("fold"))]),
            &["colorado.bet_with_fold"],
        ),
        (
            changed(&[("/wagers/2/amount", json!(200))]),
            &["colorado.bonus_amount"],
        ),
        (
            changed(&[("/play/hands/0/discard", json!("2C"))]),
            &["colorado.discard_count"],
        ),
        (
            changed(&[("/play/hands/0/discard", json!("JK"))]),
            &["colorado.discard_count"],
        ),
        (
            removed("/play/hands/0/discard"),
            &["colorado.discard_count"],
        ),
        (
            changed(&[("/play/hands/0/action", json!("pending"))]),
            &["colorado.no_decision"],
        ),
        (
            changed(&[("/play/hands/0/action", json!("check"))]),
            &["colorado.no_decision"],
        ),
        (removed("/play/hands/0/action"), &["colorado.no_decision"]),
        (
            changed(&[("/options/paytable", json!({"flush": "7:1"}))]),
            &["config.odds_below_minimum"],
        ),
        (
            changed(&[(
                "/options/paytable",
                json!({"flush": "8:1", "two_pair": "3:1"}),
            )]),
            &[],
        ),
        // 25:1 is the permissible version's minimum, not the required one's.
        (
            changed(&[("/options/paytable", json!({"four_of_a_kind": "25:1"}))]),
            &["config.odds_below_minimum"],
        ),
        (
            changed(&[
                ("/options/paytable", json!({"four_of_a_kind": "25:1"})),
                permissible[0].clone(),
            ]),
            &[],
        ),
        (
            changed(&[("/options/bonus_paytable", json!({"two_pair": "push"}))]),
            &["config.odds_below_minimum"],
        ),
        (
            changed(&[("/options/bonus_paytable", json!({"high_pair": "push"}))]),
            &[],
        ),
        (
            changed(&[("/options/bonus_paytable", json!({"high_pair": "1:2"}))]),
            &[],
        ),
        (
            changed(&[("/options/payout_limit", json!(4_999_999))]),
            &["config.payout_limit_too_low"],
        ),
        (changed(&[("/options/payout_limit", json!(5_000_000))]), &[]),
        (changed(&[("/options/payout_limit", Value::Null)]), &[]),
        (
            changed(&[("/options/decks_in_rotation", json!(2))]),
            &["config.second_deck_without_shuffler"],
        ),
        (
            changed(&[("/options/dealing", json!("hand"))]),
            &["deal.hand_without_shuffler"],
        ),
        (
            changed(&[
                ("/options/dealing", json!("hand")),
                ("/options/decks_in_rotation", json!(2)),
                ("/options/shuffler", json!("automated_counting")),
            ]),
            &[],
        ),
        (
            changed(&[("/play/board/1", json!("9S"))]),
            &["deck.duplicate_card"],
        ),
        (
            changed(&[("/play/board/1", json!("JK"))]),
            &["deck.foreign_card"],
        ),
        (
            changed(&[("/play/board/-", json!("3C"))]),
            &["deal.card_count"],
        ),
        (
            changed(&[("/play/hands/0/cards/-", json!("3C"))]),
            &["deal.card_count"],
        ),
        (
            changed(&[("/play/hands/-", json!({"seat": 5, "cards": ["8C", "8D"]}))]),
            &["deal.hand_without_wager"],
        ),
        (
            changed(&[(
                "/play/hands/-",
                json!({"seat": 8, "cards": ["8C", "8D", "8H"]}),
            )]),
            &["deal.hand_without_wager", "wager.bad_position"],
        ),
    ];
    let table = open();
    for (document, expected) in cases {
        assert_eq!(table.violations(&document), expected, "{document}");
    }
}

#[test]
fn a_guest_may_play_two_neighbouring_positions_where_the_house_permits_it() {
    let played = |two_positions: bool, seats: &[u16]| {
        let mut document = lawful();
        document["options"]["two_positions"] = json!(two_positions);
        for &seat in seats {
            let ante = json!({"id": format!("a{seat}"), "seat": seat, "kind": "ante", "amount": 500, "patron": "ann"});
            document["wagers"].as_array_mut().unwrap().push(ante);
            let suits = ["C", "D", "H"].map(|suit| format!("{}{suit}", seat + 3));
            document["play"]["hands"]
                .as_array_mut()
                .unwrap()
                .push(json!({"seat": seat, "cards": suits, "action": "instant"}));
        }
        open().violations(&document)
    };
    assert_eq!(played(true, &[3]), [""; 0]);
    assert_eq!(played(true, &[1]), [""; 0]);
    assert_eq!(played(false, &[3]), ["wager.multi_position"]);
    assert_eq!(played(true, &[4]), ["wager.multi_position"]);
    assert_eq!(played(true, &[1, 3]), ["wager.multi_position"]);
}
