//! What a round shows to be wrong, and what irregularities do to it.

use serde_json::{Value, json};

use super::{Table, WINNER, dealer, hand, round, wager, with};
use crate::settlement::Verdict;

#[test]
fn a_round_that_breaks_a_rule_is_settled_or_void_and_flagged() {
    let table = Table::open();
    let idle = json!([hand(1, WINNER), {"seat": 5, "tiles": ["3-1", "3-1", "5-5", "5-5"]}]);
    let five = json!(["6-6", "5-2", "4-4", "5-1", "5-1"]);
    use Verdict::{Void, Win};
    for (document, code, verdict) in [
        (
            with("/wagers/-", wager("x", 1, "pai_gow", 5)),
            "wager.duplicate_kind",
            Win,
        ),
        (
            with("/wagers/-", wager("x", 0, "dealer_vs_bank", 5)),
            "pai_gow.dealer_bank_wager",
            Win,
        ),
        (
            with("/options/table_min", json!(1001)),
            "wager.under_min",
            Win,
        ),
        (
            with("/options/table_max", json!(999)),
            "wager.over_max",
            Win,
        ),
        (
            with("/options/max_areas_per_player", json!(3)),
            "config.max_areas",
            Win,
        ),
        (with("/play/hands", idle), "deal.hand_without_wager", Win),
        (with("/play/hands/0/tiles", five), "deal.tile_count", Void),
        (
            with("/play/deal", json!({"dice": [3, 3, 3], "first": 1})),
            "pai_gow.wrong_start",
            Void,
        ),
        (
            with("/play/deal", json!({"style": "jung_quat"})),
            "pai_gow.style_not_offered",
            Win,
        ),
        (
            with("/play/dealer", dealer("6-4 2-2 / 5-3 6-1")),
            "pai_gow.house_way_error",
            Win,
        ),
        (
            with("/play/hands/0", hand(1, "6-6 5-3 / 4-4 5-1")),
            "tiles.duplicate_tile",
            Win,
        ),
    ] {
        assert_eq!(table.violations(&document), [code], "{document}");
        assert_eq!(table.wager(&document, "w").result, verdict, "{document}");
    }
    for lawful in [
        with("/options/table_min", json!(1000)),
        with("/options/table_max", json!(1000)),
        with("/options/max_areas_per_player", json!(1)),
        with("/play/deal", json!({"dice": [3, 3, 3], "first": 0})),
        with("/play/deal", json!({"dice": [5, 5, 5], "first": 6})),
        with("/play/deal", json!({"style": "house_way_right"})),
        with(
            "/play/dealer",
            json!({"tiles": ["6-4", "5-3", "2-2", "6-1"]}),
        ),
        // Laid the wrong way round.
        with("/play/dealer", dealer("2-2 6-1 / 6-4 5-3")),
        with("/play/hands/0", hand(1, "4-4 5-1 / 6-6 5-2")),
    ] {
        assert_eq!(table.violations(&lawful), [""; 0], "{lawful}");
        assert_eq!(table.wager(&lawful, "w").result, Win, "{lawful}");
    }
    // Declared void by the house, a wrong start or count is no violation any more.
    let mut declared = with("/play/deal", json!({"dice": [3, 3, 3], "first": 1}));
    declared["play"]["irregularities"] = json!([{"type": "wrong_start"}]);
    declared["play"]["dealer"] = json!({"tiles": []});
    assert_eq!(table.violations(&declared), [""; 0]);
    assert_eq!(table.wager(&declared, "w").result, Void);
}

#[test]
fn irregularities_void_the_round_the_hand_or_nothing() {
    let table = Table::open();
    let result = |irregularity: Value| {
        let document = with("/play/irregularities", json!([irregularity]));
        assert_eq!(table.violations(&document), [""; 0]);
        table.wager(&document, "w").result
    };
    for kind in [
        "wrong_start",
        "dealer_tile_exposed",
        "dead_hand_tile_exposed",
        "unwagered_tile_exposed",
    ] {
        assert_eq!(result(json!({"type": kind})), Verdict::Void, "{kind}");
    }
    assert_eq!(result(json!({"type": "no_roll"})), Verdict::Win);
    let exposed = |seat: u16, choice: &str| json!({"type": "player_tile_exposed", "seat": seat, "choice": choice});
    assert_eq!(result(exposed(1, "void")), Verdict::Void);
    assert_eq!(result(exposed(1, "play")), Verdict::Win);
}

#[test]
fn areas_of_one_player_are_adjacent_and_at_most_two() {
    let table = Table::open();
    let codes = |areas: &[(u16, &str)]| {
        let hands = [
            "6-6 5-2 / 4-4 5-1",
            "5-5 4-4 / 3-3 6-5",
            "1-1 1-1 / 3-1 6-5",
        ];
        let wagers: Vec<Value> = areas
            .iter()
            .map(|(seat, _)| wager(&format!("w{seat}"), *seat, "pai_gow", 100))
            .collect();
        let hands: Vec<Value> = areas
            .iter()
            .zip(hands)
            .map(|((seat, player), tiles)| {
                let mut hand = hand(*seat, tiles);
                hand["player"] = json!(player);
                hand
            })
            .collect();
        table.violations(&round(json!({}), json!(wagers), json!({"hands": hands})))
    };
    assert_eq!(codes(&[(2, "ann"), (3, "ann")]), [""; 0]);
    assert_eq!(codes(&[(2, "ann"), (4, "ann")]), ["wager.too_many_areas"]);
    assert_eq!(
        codes(&[(2, "ann"), (3, "ann"), (4, "ann")]),
        ["wager.too_many_areas"]
    );
    assert_eq!(codes(&[(2, "ann"), (3, "bob"), (4, "cec")]), [""; 0]);
}
