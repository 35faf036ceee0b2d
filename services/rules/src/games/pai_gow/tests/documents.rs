//! What is refused, each with its place.

use serde_json::json;

use super::{Table, WINNER, hand, main_wager, wager, with};

#[test]
fn what_describes_no_round_is_refused_with_its_place() {
    let table = Table::open();
    let tiles = ["6-6", "5-2", "4-4", "5-1"];
    for (document, expected) in [
        (
            with("/edition", json!("oh-jack-2017")),
            "edition: \"oh-jack-2017\" is not",
        ),
        (with("/wagers/0/seat", json!(7)), "wagers[0].seat: areas"),
        (with("/wagers/0/seat", json!(0)), "wagers[0].seat: areas"),
        (with("/wagers/0/amount", json!(0)), "wagers[0].amount"),
        (
            with("/wagers/0/kind", json!("even")),
            "wagers[0].kind: \"even\" is not a wager of pai_gow",
        ),
        (with("/wagers/-", main_wager()), "wagers[1].id"),
        (
            with("/wagers/-", wager("d", 1, "dealer_vs_bank", 5)),
            "wagers[1].seat: the dealer's",
        ),
        (
            with("/wagers/-", wager("b", 1, "bank", 5)),
            "wagers[1].amount: this kind has no stake",
        ),
        (
            with("/wagers/-", wager("b", 1, "bank", 0)),
            "wagers[1].kind: only in a round",
        ),
        (
            with("/play/mode", json!("bank")),
            "play: the key \"bank_seat\" is missing",
        ),
        (with("/play/bank_seat", json!(1)), "play.bank_seat: only"),
        (with("/play/bank_check", json!({})), "play.bank_check: only"),
        (with("/play/mode", json!("banker")), "play.mode: \"banker\""),
        (
            with("/play/hands/0/seat", json!(9)),
            "play.hands[0].seat: areas",
        ),
        (
            with("/play/hands/-", hand(1, WINNER)),
            "play.hands[1].seat: area 1 has two hands",
        ),
        (
            with("/play/hands", json!([])),
            "play.hands: the hand of area 1 is missing",
        ),
        (
            with("/play/dealer", json!(null)),
            "play: the key \"dealer\" is missing",
        ),
        (
            with("/play/hands/0/high", json!(null)),
            "play.hands[0]: the key \"high\" is missing",
        ),
        (
            with("/play/hands/0", json!({"seat": 1, "tiles": tiles})),
            "play.hands[0]: the setting is missing",
        ),
        (
            with("/play/hands/0/low/0", json!("1-1")),
            "play.hands[0].high: high and low are not two and two",
        ),
        (
            with("/play/dealer/high", json!(["6-4"])),
            "play.dealer.high: high and low are not two and two",
        ),
        (
            with("/play/hands/0/tiles/0", json!("5-6")),
            "play.hands[0].tiles[0]: \"5-6\" is not a tile",
        ),
        (
            with("/play/deal", json!({"dice": [1, 2]})),
            "play.deal.dice",
        ),
        (
            with("/play/deal", json!({"dice": [0, 2, 3]})),
            "play.deal.dice[0]",
        ),
        (
            with("/play/deal", json!({"first": 8})),
            "play.deal.first: positions",
        ),
        (
            with("/play/deal", json!({"style": "waltz"})),
            "play.deal.style: \"waltz\"",
        ),
        (
            with("/play/deal", json!({"stacks": vec![tiles; 8]})),
            "play.deal: the key \"first\"",
        ),
        (
            with("/play/deal", json!({"first": 1, "stacks": [tiles]})),
            "play.deal.stacks",
        ),
        (
            with("/play/irregularities", json!([{"type": "rain"}])),
            "play.irregularities[0].type: \"rain\"",
        ),
        (
            with(
                "/play/irregularities",
                json!([{"type": "player_tile_exposed", "choice": "void"}]),
            ),
            "play.irregularities[0]: the key \"seat\" is missing",
        ),
        (
            with(
                "/play/irregularities",
                json!([{"type": "player_tile_exposed", "choice": "void", "seat": 7}]),
            ),
            "play.irregularities[0].seat: areas",
        ),
        (
            with(
                "/play/irregularities",
                json!([{"type": "no_roll", "seat": 1}]),
            ),
            "play.irregularities[0].seat: no key",
        ),
        (
            with(
                "/play/irregularities",
                json!([{"type": "player_tile_exposed", "choice": "void", "seat": 2}]),
            ),
            "play.irregularities[0]: area 2 has no main wager",
        ),
        (
            with(
                "/play/irregularities",
                json!([{"type": "bank_tile_exposed"}]),
            ),
            "play.irregularities[0]: no player banks",
        ),
        (
            with(
                "/play/hands/-",
                json!({"seat": 5, "tiles": ["3-1", "3-1", "5-5", "5-5"], "surrender": true}),
            ),
            "play.hands[1].surrender: area 5 has no main wager",
        ),
        (
            with("/play/dealer", json!({"tiles": ["6-6"]})),
            "play.dealer.tiles: 1 of the four tiles",
        ),
        (
            with(
                "/play/hands/-",
                json!({"seat": 5, "tiles": ["3-1", "3-1", "5-5"]}),
            ),
            "play.hands[1].tiles: 3 of the four tiles",
        ),
        (
            with("/play/tray", json!(1)),
            "play.tray: \"tray\" is not a known key",
        ),
        (
            with("/options/house_way", json!("as_set")),
            "options.house_way",
        ),
        (
            with("/options/max_areas_per_player", json!(0)),
            "options.max_areas_per_player",
        ),
        (
            with("/options/delivery_styles", json!(["waltz"])),
            "options.delivery_styles",
        ),
        (with("/options/table_max", json!(0)), "options.table_max"),
    ] {
        let refusal = table.refusal(&document);
        assert!(
            refusal.starts_with(expected),
            "expected {expected}\ngot      {refusal}"
        );
    }
}
