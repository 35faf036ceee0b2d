//! Each violation, by a round that has its fault and by its lawful twin.

use serde_json::{Value, json};

use super::{changed, lawful, open, set_changed, set_round};
use crate::games::shared::flawed::{self, cards};

/// Each line is a change of a lawful round, which has no violation.
#[test]
fn every_violation_is_raised_by_a_round_that_has_its_fault() {
    let wager = |kind: &str| json!({"id": "x", "seat": 4, "kind": kind, "amount": 1000});
    let natural = [("/play/dealer", json!({"cards": cards("8S 8D 8H 8S")}))];
    let cases: Vec<(Value, &[&str])> = vec![
        (lawful(), &[]),
        (set_round(), &[]),
        (
            changed(&[("/wagers/1/amount", json!(500))]),
            &["fast_action.split_not_equal"],
        ),
        (
            changed(&[("/wagers/1/on", json!("s"))]),
            &["wager.bad_reference"],
        ),
        (
            flawed::removed(lawful(), "/wagers/1/on"),
            &["wager.bad_reference"],
        ),
        (
            flawed::removed(lawful(), "/wagers/0"),
            &["deal.hand_without_wager", "fast_action.split_without_main"],
        ),
        (
            flawed::removed(lawful(), "/wagers/1"),
            &["fast_action.split_mismatch"],
        ),
        (
            set_changed(&[(
                "/wagers/-",
                json!({"id": "s", "seat": 4, "kind": "split", "amount": 1000, "on": "m"}),
            )]),
            &["fast_action.split_mismatch"],
        ),
        (
            changed(&[
                ("/play/hands/0/cards/-", json!("2D")),
                (
                    "/play/irregularities",
                    json!([{"code": "card_count", "seat": 4, "dealt": 5}]),
                ),
            ]),
            &["fast_action.split_with_extra_cards"],
        ),
        (
            set_changed(&[
                ("/play/hands/0/cards/-", json!("2D")),
                (
                    "/play/irregularities",
                    json!([{"code": "card_count", "seat": 4, "dealt": 5}]),
                ),
            ]),
            &[],
        ),
        (
            set_changed(&[("/play/hands/0/cards/-", json!("2D"))]),
            &["deal.card_count"],
        ),
        (
            changed(&[("/play/hands/0/sets/1", cards("7H"))]),
            &["fast_action.bad_set"],
        ),
        (
            changed(&[("/play/hands/0/sets/1", cards("7H QD"))]),
            &["fast_action.bad_set"],
        ),
        (
            changed(&[("/play/hands/0/sets/1", cards("7H 7H"))]),
            &["fast_action.bad_set"],
        ),
        (
            changed(&[("/play/hands/0/sets/1", cards("7H JK"))]),
            &["fast_action.bad_set"],
        ),
        (
            changed(&[("/play/hands/0/sets", json!([cards("QS QD")]))]),
            &["fast_action.bad_set"],
        ),
        (
            set_changed(&[("/play/hands/0/sets/-", cards("7H 7C"))]),
            &["fast_action.bad_set"],
        ),
        (
            flawed::removed(set_round(), "/play/hands/0/sets"),
            &["fast_action.bad_set"],
        ),
        (
            set_changed(&[("/play/hands/0/action", json!("pending"))]),
            &["fast_action.no_decision"],
        ),
        (
            set_changed(&[("/play/hands/0/action", json!("raise"))]),
            &["fast_action.no_decision"],
        ),
        (
            flawed::removed(set_round(), "/play/hands/0/action"),
            &["fast_action.no_decision"],
        ),
        (
            set_changed(&[("/play/hands/0/action", json!("surrender"))]),
            &[],
        ),
        (
            changed(&[("/play/dealer/set", cards("JS 8H"))]),
            &["fast_action.house_way"],
        ),
        (
            changed(&[("/play/dealer/set", json!([]))]),
            &["fast_action.house_way"],
        ),
        (
            changed(&[("/play/dealer/set", cards("JS JD 8H"))]),
            &["fast_action.house_way"],
        ),
        (
            changed(&[("/play/dealer/set", cards("JS JH"))]),
            &["fast_action.house_way"],
        ),
        (flawed::removed(lawful(), "/play/dealer/set"), &[]),
        (
            changed(&natural),
            &["fast_action.board_after_dealer_natural"],
        ),
        (
            changed(&[natural[0].clone(), ("/play/board", json!([]))]),
            &[],
        ),
        (
            set_changed(&[
                ("/play/hands/0/cards", cards("TC TC TH TD")),
                ("/play/hands/0/sets/0", cards("TC TD")),
            ]),
            &["fast_action.natural_unannounced"],
        ),
        (
            set_changed(&[("/play/hands/0/action", json!("natural"))]),
            &["fast_action.natural_false"],
        ),
        (
            flawed::removed(
                set_changed(&[("/play/hands/0/action", json!("natural"))]),
                "/play/hands/0/sets",
            ),
            &["fast_action.bad_set", "fast_action.natural_false"],
        ),
        (
            changed(&[("/wagers/-", wager("ante"))]),
            &["wager.not_offered"],
        ),
        (
            changed(&[("/wagers/-", wager("split"))]),
            &["wager.duplicate_kind"],
        ),
        (
            changed(&[("/options/min_main", json!(1001))]),
            &["wager.under_min"],
        ),
        (
            changed(&[("/options/max_main", json!(999))]),
            &["wager.over_max"],
        ),
        (
            changed(&[
                ("/options/min_main", json!(500)),
                ("/options/max_main", json!(4_999)),
            ]),
            &["option.limits"],
        ),
        (
            changed(&[
                ("/options/min_main", json!(500)),
                ("/options/max_main", json!(5_000)),
            ]),
            &[],
        ),
        (
            changed(&[
                ("/options/min_main", json!(10_000)),
                ("/options/max_main", json!(99_999)),
                ("/wagers/0/amount", json!(10_000)),
                ("/wagers/1/amount", json!(10_000)),
            ]),
            &["option.limits"],
        ),
        (
            changed(&[
                ("/options/min_main", json!(10_001)),
                ("/options/max_main", json!(20_000)),
                ("/wagers/0/amount", json!(20_000)),
                ("/wagers/1/amount", json!(20_000)),
            ]),
            &[],
        ),
        (
            changed(&[
                (
                    "/wagers/-",
                    json!({"id": "x", "seat": 5, "kind": "main", "amount": 1000, "patron": "ann"}),
                ),
                (
                    "/play/hands/-",
                    json!({"seat": 5, "cards": cards("2S 5D 9H KC"), "action": "surrender"}),
                ),
            ]),
            &["wager.multi_position"],
        ),
        (
            changed(&[("/options/decks", json!(7))]),
            &["deck.illegal_count"],
        ),
        (changed(&[("/options/decks", json!(8))]), &[]),
        (
            changed(&[
                ("/options/decks", json!(8)),
                ("/options/shuffler", json!("continuous")),
            ]),
            &[],
        ),
        (
            changed(&[
                ("/options/decks", json!(7)),
                ("/options/shuffler", json!("continuous")),
            ]),
            &["deck.illegal_count"],
        ),
        (
            changed(&[
                ("/options/decks", json!(7)),
                ("/options/shuffler", json!("automated")),
            ]),
            &[],
        ),
        (
            changed(&[
                ("/options/decks", json!(5)),
                ("/options/shuffler", json!("automated")),
            ]),
            &["deck.illegal_count"],
        ),
        (
            set_changed(&[
                ("/play/board", cards("QS QS QS QS QS")),
                ("/play/dealer/cards/3", json!("QS")),
            ]),
            &["deck.duplicate_card"],
        ),
        (
            set_changed(&[("/play/board", cards("QS QS QS QS QS"))]),
            &[],
        ),
        (
            changed(&[("/play/board/0", json!("JK"))]),
            &["deck.foreign_card"],
        ),
        (
            changed(&[("/play/dealer/cards/-", json!("2D"))]),
            &["deal.card_count"],
        ),
        (
            changed(&[("/play/board/-", json!("2S"))]),
            &["deal.card_count"],
        ),
        (
            set_changed(&[
                ("/play/hands/0/action", json!("surrender")),
                ("/play/board", json!([])),
            ]),
            &[],
        ),
        (
            changed(&[(
                "/play/hands/-",
                json!({"seat": 5, "cards": cards("2S 5D 9H KC")}),
            )]),
            &["deal.hand_without_wager"],
        ),
        (
            changed(&[(
                "/play/hands/-",
                json!({"seat": 10, "cards": cards("2S 5D 9H KC")}),
            )]),
            &["deal.hand_without_wager", "wager.bad_position"],
        ),
    ];
    let table = open();
    for (document, expected) in cases {
        assert_eq!(table.violations(&document), expected, "{document}");
    }
}
