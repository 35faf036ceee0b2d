//! Pai gow: the cell, refusals, violations, and the mathematics of 32 tiles.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::PaiGow;
use super::delivery::{self, Style};
use super::tiles::{self, HandRank, Setting};
use crate::Edition::Mgc2017;
use crate::floor::Tile;
use crate::settlement::Verdict;
use crate::testkit::TestTable;

type Table = TestTable<PaiGow>;

/// Eight in front and one behind.
const DEALER: &str = "6-4 5-3 / 2-2 6-1";
/// Nine and four.
const WINNER: &str = "6-6 5-2 / 4-4 5-1";

/// A hand that is written as `"high / low"`.
fn hand(seat: u16, text: &str) -> Value {
    let (high, low) = text.split_once('/').unwrap();
    let high: Vec<&str> = high.split_whitespace().collect();
    let low: Vec<&str> = low.split_whitespace().collect();
    json!({"seat": seat, "tiles": ([&high[..], &low].concat()), "high": high, "low": low})
}

fn dealer(text: &str) -> Value {
    let mut hand = hand(0, text);
    hand.as_object_mut().unwrap().remove("seat");
    hand
}

fn wager(id: &str, seat: u16, kind: &str, amount: i64) -> Value {
    json!({"id": id, "seat": seat, "kind": kind, "amount": amount})
}

fn main_wager() -> Value {
    wager("w", 1, "pai_gow", 1000)
}

fn round(options: Value, wagers: Value, more: Value) -> Value {
    let mut play = json!({"dealer": dealer(DEALER), "hands": [hand(1, WINNER)]});
    for (key, value) in more.as_object().unwrap() {
        play[key] = value.clone();
    }
    Table::open().document(Mgc2017, options, wagers, play)
}

/// A lawful round with the value at a JSON pointer replaced.
fn with(pointer: &str, value: Value) -> Value {
    let mut document = round(json!({}), json!([main_wager()]), json!({}));
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap() {
        Value::Array(list) if key == "-" => list.push(value),
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        object => object[key] = value,
    }
    document
}

#[test]
fn the_cell_of_the_pay_table_pays_what_the_regulation_says() {
    let document = |_: &_| round(json!({}), json!([main_wager()]), json!({}));
    Table::open().assert_cells(include_str!("cells.txt"), document);
}

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
            with("/play/dealer", json!({"tiles": ["6-6"]})),
            "deal.tile_count",
            Void,
        ),
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
        "bank_tile_exposed",
        "dead_hand_tile_exposed",
        "unwagered_tile_exposed",
    ] {
        assert_eq!(result(json!({"type": kind})), Verdict::Void, "{kind}");
    }
    assert_eq!(result(json!({"type": "no_roll"})), Verdict::Win);
    let exposed = |seat: u16, choice: &str| json!({"type": "player_tile_exposed", "seat": seat, "choice": choice});
    assert_eq!(result(exposed(1, "void")), Verdict::Void);
    assert_eq!(result(exposed(1, "play")), Verdict::Win);
    assert_eq!(result(exposed(2, "void")), Verdict::Win);
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

/// A round that area 2 banks with eight and one.
fn banked(options: Value, mode: &str, check: Value, wagers: Value) -> Value {
    let mut all = vec![wager("b", 2, "bank", 0)];
    all.extend(wagers.as_array().unwrap().clone());
    let mut hands = vec![hand(2, "5-5 6-2 / 6-4 6-5")];
    if all.iter().any(|wager| wager["seat"] == 1) {
        hands.push(hand(1, "1-1 6-1 / 4-4 3-1"));
    }
    let play = json!({"mode": mode, "bank_seat": 2, "bank_check": check, "hands": hands,
        "dealer": dealer("6-6 5-2 / 3-3 5-5")});
    round(options, json!(all), play)
}

#[test]
fn the_bank_is_checked() {
    let table = Table::open();
    let main = || json!([wager("w", 1, "pai_gow", 1000)]);
    let codes = |options: Value, mode: &str, check: Value, wagers: Value| {
        table.violations(&banked(options, mode, check, wagers))
    };
    let sound =
        json!({"first_round": false, "banked_last_round": false, "last_wager": 1, "chips": 1000});
    for mode in ["bank", "co_bank"] {
        assert_eq!(codes(json!({}), mode, sound.clone(), main()), [""; 0]);
        for (check, code) in [
            (json!({"first_round": true}), "pai_gow.bank_first_round"),
            (
                json!({"banked_last_round": true}),
                "pai_gow.bank_consecutive",
            ),
            (json!({"last_wager": 0}), "pai_gow.bank_not_eligible"),
            (json!({"chips": 999}), "pai_gow.bank_underfunded"),
        ] {
            assert_eq!(codes(json!({}), mode, check, main()), [code]);
        }
    }
    let not_offered = ["pai_gow.bank_not_offered"];
    assert_eq!(
        codes(json!({"banking": false}), "bank", json!({}), main()),
        not_offered
    );
    let no_co_banking = json!({"co_banking": false});
    assert_eq!(
        codes(no_co_banking.clone(), "co_bank", json!({}), main()),
        not_offered
    );
    assert_eq!(codes(no_co_banking, "bank", json!({}), main()), [""; 0]);

    let against = |amounts: &[i64]| {
        let wagers = amounts.iter().enumerate();
        json!(
            wagers
                .map(|(at, &amount)| wager(&format!("d{at}"), 0, "dealer_vs_bank", amount))
                .collect::<Vec<_>>()
        )
    };
    let last = json!({"last_wager": 500});
    let code = ["pai_gow.dealer_bank_wager"];
    assert_eq!(
        codes(json!({}), "bank", last.clone(), against(&[500])),
        [""; 0]
    );
    assert_eq!(
        codes(json!({}), "bank", last.clone(), against(&[501])),
        code
    );
    assert_eq!(
        codes(json!({}), "bank", last.clone(), against(&[500, 1])),
        code
    );
    assert_eq!(
        codes(json!({}), "co_bank", last.clone(), against(&[500])),
        code
    );
    let approved = json!({"dealer_bank_wager_rule": "approved"});
    assert_eq!(codes(approved, "bank", last, against(&[501])), [""; 0]);

    let extra = json!([wager("w", 2, "pai_gow", 1000)]);
    assert_eq!(
        codes(json!({}), "bank", json!({}), extra),
        ["wager.bank_extra_area"]
    );
    let mut same_player = banked(json!({}), "bank", json!({}), main());
    for hand in same_player["play"]["hands"].as_array_mut().unwrap() {
        hand["player"] = json!("ann");
    }
    assert_eq!(table.violations(&same_player), ["wager.bank_extra_area"]);
}

#[test]
fn the_bank_gets_what_is_left_in_the_centre_less_vigorish() {
    let table = Table::open();
    let entry = |mode: &str, rounding: &str, surrender: bool, amount: i64| {
        let wagers = json!([wager("w", 1, "pai_gow", amount)]);
        let mut document = banked(json!({"vig_rounding": rounding}), mode, json!({}), wagers);
        document["play"]["hands"][1]["surrender"] = json!(surrender);
        // The bank's own surrender has no effect.
        document["play"]["hands"][0]["surrender"] = json!(true);
        let bank = table.wager(&document, "b");
        (
            bank.result,
            bank.win.get(),
            bank.commission.get(),
            bank.returned.get(),
        )
    };
    use Verdict::{Lose, Win};
    assert_eq!(entry("bank", "none", true, 1010), (Win, 1010, 50, 960));
    assert_eq!(entry("bank", "up_25c", true, 1010), (Win, 1010, 75, 935));
    assert_eq!(entry("bank", "none", false, 1010), (Lose, -1010, 0, -1010));
    assert_eq!(entry("co_bank", "none", true, 1011), (Win, 505, 25, 480));
    assert_eq!(entry("co_bank", "none", false, 1011), (Lose, -505, 0, -505));
    // Half a cent is nobody's, and still somebody's win.
    assert_eq!(entry("co_bank", "up_25c", true, 1), (Win, 0, 0, 0));
    assert_eq!(entry("co_bank", "none", false, 1), (Lose, 0, 0, 0));
}

#[test]
fn the_houses_own_wager_is_settled_by_its_hand_without_vigorish() {
    let table = Table::open();
    let settle = |hand: &str| {
        let wagers = json!([wager("d", 0, "dealer_vs_bank", 1000)]);
        let mut document = banked(json!({}), "bank", json!({}), wagers);
        document["play"]["dealer"] = dealer(hand);
        let own = table.wager(&document, "d");
        (
            own.result,
            own.commission.get(),
            table.wager(&document, "b").win.get(),
            table.violations(&document),
        )
    };
    // The gong must be played: reset to it and a seven.
    assert_eq!(
        settle("6-6 5-2 / 6-4 4-4"),
        (Verdict::Win, 0, -1000, vec!["pai_gow.house_way_error"])
    );
    // Nine and zero: the zero loses its side.
    assert_eq!(settle("6-6 5-2 / 3-3 3-1").0, Verdict::Push);
    assert_eq!(
        settle("6-6 5-2 / 3-3 4-1"),
        (Verdict::Win, 0, -1000, vec![])
    );
    // Left out, it is not missed unless the house wagered.
    let mut document = banked(json!({}), "bank", json!({}), json!([]));
    document["play"]["dealer"] = json!(null);
    assert_eq!(table.violations(&document), [""; 0]);
}

#[test]
fn a_filed_house_way_is_taken_as_set() {
    let table = Table::open();
    let broken = dealer("6-4 2-2 / 5-3 6-1");
    let document =
        |options: Value| round(options, json!([main_wager()]), json!({"dealer": broken}));
    assert_eq!(
        table.violations(&document(json!({"house_way": "submission"}))),
        [""; 0]
    );
    assert_eq!(
        table.violations(&document(json!({}))),
        ["pai_gow.house_way_error"]
    );
    // A co-bank under a filed house way needs its setting; under 7(d) the house sets it.
    for (way, refused) in [("base", false), ("submission", true)] {
        let mut document = banked(json!({"house_way": way}), "co_bank", json!({}), json!([]));
        document["play"]["hands"][0] = json!({"seat": 2, "tiles": ["5-5", "6-2", "6-4", "6-5"]});
        assert_eq!(table.try_settle(&document).is_err(), refused, "{way}");
    }
}

#[test]
fn stacks_that_lie_elsewhere_are_a_mismatch() {
    let table = Table::open();
    let stacks: Vec<[String; 4]> = {
        let set: Vec<Tile> = Tile::set().collect();
        (0..8)
            .map(|stack| [0, 1, 2, 3].map(|level| set[4 * stack + level].to_string()))
            .collect()
    };
    let code = "pai_gow.delivery_mismatch";
    for (style, name) in STYLES {
        let deliveries: Vec<[Tile; 4]> = {
            let stacks: [[Tile; 4]; 8] = stacks
                .iter()
                .map(|stack| stack.clone().map(|tile| tile.parse().unwrap()))
                .collect::<Vec<_>>()
                .try_into()
                .unwrap();
            (0..8).map(|at| style.deliver(&stacks, at)).collect()
        };
        // Area 3 gets the first delivery: the bank of area 3 and a total of nine.
        let settle = |dealt: &[Tile; 4]| {
            let deal = json!({"dice": [3, 3, 3], "first": 3, "style": name, "stacks": stacks});
            let tiles: Vec<String> = dealt.iter().map(Tile::to_string).collect();
            let play = json!({"mode": "bank", "bank_seat": 3, "deal": deal, "hands": [
                {"seat": 3, "tiles": tiles, "high": tiles[..2], "low": tiles[2..]}], "dealer": null});
            table.violations(&round(json!({}), json!([wager("b", 3, "bank", 0)]), play))
        };
        assert_eq!(settle(&deliveries[0]), [""; 0], "{name}");
        assert_eq!(settle(&deliveries[1]), [code], "{name}");
    }
}

const STYLES: [(Style, &str); 10] = [
    (Style::HouseWayRight, "house_way_right"),
    (Style::HouseWayLeft, "house_way_left"),
    (Style::CupSayRight, "cup_say_right"),
    (Style::CupSayLeft, "cup_say_left"),
    (Style::JungQuat, "jung_quat"),
    (Style::CheeYee, "chee_yee"),
    (Style::PinSayRight, "pin_say_right"),
    (Style::PinSayLeft, "pin_say_left"),
    (Style::DragonPhoenixRight, "dragon_phoenix_right"),
    (Style::DragonPhoenixLeft, "dragon_phoenix_left"),
];

#[test]
fn every_style_delivers_every_tile_once_and_in_its_own_order() {
    for (style, name) in STYLES {
        let mut places: Vec<(usize, usize)> =
            (0..8).flat_map(|at| delivery::places(style, at)).collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 32, "{name}");
    }
    let first_two = |style| [0, 1].map(|at| delivery::places(style, at));
    // Stacks are counted from 0 here, the top tile is 0.
    assert_eq!(
        first_two(Style::CupSayRight),
        [
            [(0, 0), (0, 1), (1, 0), (1, 1)],
            [(0, 2), (0, 3), (1, 2), (1, 3)]
        ]
    );
    assert_eq!(
        first_two(Style::CupSayLeft)[0],
        [(7, 0), (7, 1), (6, 0), (6, 1)]
    );
    assert_eq!(
        first_two(Style::JungQuat)[0],
        [(3, 0), (3, 1), (4, 0), (4, 1)]
    );
    assert_eq!(
        first_two(Style::CheeYee)[0],
        [(0, 0), (0, 1), (7, 0), (7, 1)]
    );
    assert_eq!(
        first_two(Style::PinSayRight),
        [
            [(0, 0), (1, 0), (2, 0), (3, 0)],
            [(4, 0), (5, 0), (6, 0), (7, 0)]
        ]
    );
    assert_eq!(
        first_two(Style::PinSayLeft)[0],
        [(4, 0), (5, 0), (6, 0), (7, 0)]
    );
    assert_eq!(
        first_two(Style::DragonPhoenixRight),
        [
            [(0, 0), (0, 1), (1, 0), (1, 1)],
            [(4, 0), (5, 0), (6, 0), (7, 0)]
        ]
    );
    // The fifth delivery has reached the lower stacks of the dragon.
    assert_eq!(
        delivery::places(Style::DragonPhoenixRight, 4),
        [(2, 0), (2, 1), (3, 0), (3, 1)]
    );
    assert_eq!(
        delivery::places(Style::DragonPhoenixLeft, 4),
        [(5, 0), (5, 1), (4, 0), (4, 1)]
    );
    assert_eq!(
        delivery::places(Style::DragonPhoenixLeft, 1),
        [(0, 0), (1, 0), (2, 0), (3, 0)]
    );
}

fn tile(text: &str) -> Tile {
    text.parse().unwrap()
}

fn rank(one: &str, other: &str) -> HandRank {
    HandRank::of([tile(one), tile(other)])
}

#[test]
fn the_496_hands_of_two_tiles_rank_as_the_list_of_pairs_says() {
    let set: Vec<Tile> = Tile::set().collect();
    let mut pairs: BTreeMap<u8, u32> = BTreeMap::new();
    let mut points = 0;
    for (at, &one) in set.iter().enumerate() {
        for &other in &set[at + 1..] {
            match HandRank::of([one, other]) {
                HandRank::Pair(Reverse(place)) => *pairs.entry(place).or_default() += 1,
                HandRank::Points { .. } => points += 1,
            }
            assert_eq!(HandRank::of([one, other]), HandRank::of([other, one]));
        }
    }
    // Sixteen pairs, one each; two twos or twelves with two nines; with four eights.
    let counts: Vec<u32> = pairs.into_values().collect();
    assert_eq!(counts, [[1; 16].as_slice(), &[4, 4, 8, 8]].concat());
    assert_eq!(points, 496 - 16 - 8 - 16);
}

#[test]
fn the_tiles_of_the_supreme_pair_count_to_the_best_of_their_holder() {
    let points = |value, best| HandRank::Points {
        value,
        best: Reverse(best),
    };
    assert_eq!(rank("4-2", "2-1"), HandRank::Pair(Reverse(1)));
    assert_eq!(rank("2-1", "5-5"), points(6, 5));
    assert_eq!(rank("4-2", "3-2"), points(8, 16));
    assert_eq!(rank("2-1", "3-2"), points(8, 16));
    // As a six the tile ranks 15th, as a three 17th.
    assert_eq!(rank("2-1", "4-1"), points(8, 16));
    assert_eq!(rank("4-2", "6-2"), points(4, 13));
    // A tile that the set has once makes no pair with itself.
    assert_eq!(rank("5-4", "5-4"), points(8, 12));
    assert_eq!(rank("2-1", "2-1"), points(9, 15));
    // Spots of 20, and the two tens that are no pair.
    assert_eq!(rank("5-5", "5-5"), HandRank::Pair(Reverse(6)));
    assert!(rank("5-5", "6-4").is_zero() && !rank("5-5", "5-5").is_zero());
}

#[test]
fn the_house_way_has_a_setting_for_each_of_the_35_960_hands() {
    let set: Vec<Tile> = Tile::set().collect();
    let (mut hands, mut supreme, mut several) = (0, 0, 0);
    for a in 0..32 {
        for b in a + 1..32 {
            for c in b + 1..32 {
                for d in c + 1..32 {
                    let hand = [set[a], set[b], set[c], set[d]];
                    let allowed = tiles::allowed(hand);
                    assert!(!allowed.is_empty(), "{hand:?}");
                    let set_by_house = tiles::house_way(hand);
                    let worths: Vec<Setting> = allowed
                        .iter()
                        .map(|&[one, other]| Setting::of(one, other))
                        .collect();
                    assert!(worths.iter().all(|worth| *worth <= set_by_house));
                    assert!(worths.contains(&set_by_house));
                    assert!(allowed.iter().all(|split| tiles::is_allowed(hand, split)));
                    hands += 1;
                    supreme +=
                        u32::from(hand.contains(&tile("4-2")) && hand.contains(&tile("2-1")));
                    several += u32::from(worths.iter().any(|worth| *worth != set_by_house));
                    if set_by_house.high == HandRank::Pair(Reverse(1)) {
                        assert!(hand.contains(&tile("4-2")) && hand.contains(&tile("2-1")));
                        assert_eq!(allowed.len(), 1);
                    }
                }
            }
        }
    }
    assert_eq!(hands, 35_960);
    // The supreme pair with any two of the other thirty tiles.
    assert_eq!(supreme, 435);
    assert!(several > 0, "the rules leave a choice in some hands");
}

#[test]
fn the_rules_of_the_house_way_apply_in_their_order() {
    let is_allowed = |text: &str| {
        let (one, other) = text.split_once('/').unwrap();
        let two = |text: &str| -> [Tile; 2] {
            let tiles: Vec<Tile> = text.split_whitespace().map(tile).collect();
            tiles.try_into().unwrap()
        };
        let (one, other) = (two(one), two(other));
        tiles::is_allowed([one[0], one[1], other[0], other[1]], &[one, other])
    };
    for (split, allowed) in [
        // The supreme pair comes before another pair.
        ("4-2 2-1 / 6-6 6-3", true),
        ("4-2 6-6 / 2-1 6-3", false),
        // A pair, wong or gong: any of them.
        ("6-6 6-3 / 1-1 6-2", true),
        ("6-6 6-2 / 1-1 6-3", true),
        ("6-6 1-1 / 6-3 6-2", false),
        // Seven, eight or nine.
        ("6-4 5-3 / 2-2 6-1", true),
        ("6-4 6-1 / 2-2 5-3", true),
        ("6-4 2-2 / 5-3 6-1", false),
        // The best with the worst tile.
        ("6-6 4-1 / 5-5 6-4", true),
        ("6-6 5-5 / 4-1 6-4", false),
    ] {
        assert_eq!(is_allowed(split), allowed, "{split}");
    }
}
