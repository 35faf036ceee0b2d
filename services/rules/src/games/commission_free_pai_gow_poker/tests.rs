//! Commission free pai gow poker: every cell, the Tiger-9, and what it shares with the sister game.

use serde_json::{Value, json};

use super::CommissionFreePaiGowPoker;
use crate::Edition::OhJack2017;
use crate::settlement::Verdict;
use crate::testkit::{Cell, TestTable};

type Table = TestTable<CommissionFreePaiGowPoker>;

/// King-high with queen-ten behind.
const DEALER: [&str; 7] = ["KD", "QC", "TS", "7C", "6D", "4H", "2C"];
/// Queen-high with nine-seven behind.
const TIGER: [&str; 7] = ["QD", "9S", "7S", "6C", "4D", "3H", "2C"];
/// Beats [`DEALER`] on both sides.
const WINNER: &str = "AS AH 8D 6S 3D / KS JC";

/// A hand of an area, written as `"front / behind"`.
fn hand(seat: u16, text: &str) -> Value {
    let (high, low) = text.split_once('/').unwrap();
    let high: Vec<&str> = high.split_whitespace().collect();
    let low: Vec<&str> = low.split_whitespace().collect();
    json!({"seat": seat, "cards": ([&high[..], &low].concat()), "high": high, "low": low})
}

fn wager(id: &str, seat: u16, kind: &str, amount: i64) -> Value {
    json!({"id": id, "seat": seat, "kind": kind, "amount": amount})
}

fn play(dealer: [&str; 7], hands: Value) -> Value {
    json!({"dealer": {"cards": dealer}, "hands": hands})
}

fn round(options: Value, wagers: Value, play: Value) -> Value {
    Table::open().document(OhJack2017, options, wagers, play)
}

fn main_wager() -> Value {
    wager("m", 1, "pai_gow_poker", 1000)
}

fn cards_for(table: &str, row: &str) -> &'static str {
    match row {
        "seven_card_straight_flush" if table == "fortune_progressive" => "AH 2H 3H JK 5H / 6H 7H",
        "seven_card_straight_flush" => "5H 6H 7H 8H 9H / TH JH",
        "royal_flush_royal_match" => "AH KH JK JH TH / KS QS",
        "seven_card_straight_flush_joker" => "AH 2H 3H JK 5H / 6H 7H",
        "five_aces" => "AS AH AD AC JK / 7S 2S",
        // The progressive has no row for the match.
        "royal_flush" if table == "fortune_progressive" => "AH KH QH JH TH / KS QS",
        "royal_flush" => "AH KH QH JH TH / 7S 2D",
        "straight_flush" => "AS 2S 3S 4S 5S / QS JD",
        "four_of_a_kind" => "9S 9H 9D 9C 4S / 8S 2D",
        "full_house" => "AS AH JK 4C 4S / JS TD",
        "flush" => "KH 9H 7H JK 2H / JS 8D",
        "three_of_a_kind" => "AS AH AD 9C 7S / JS 2D",
        "straight" => "5H 6S JK 8D 9S / 2S AC",
        _ => WINNER,
    }
}

fn cell_round(cell: &Cell) -> Value {
    let kind = match cell.table {
        "main" => "pai_gow_poker",
        "fortune" => "fortune_bonus",
        table => table,
    };
    let cards = cards_for(cell.table, cell.row);
    let mut play = match kind {
        "tiger_9" => play(TIGER, json!([hand(1, cards)])),
        _ => play(DEALER, json!([hand(1, cards)])),
    };
    play["meters"] = json!({"progressive": 1_830_000});
    let wagers = match kind {
        "pai_gow_poker" => json!([main_wager()]),
        "envy" => {
            play["hands"] = json!([hand(1, cards), hand(2, "QC JC TD 6D 3D / 8C 7C")]);
            json!([{"id": "e", "seat": 2, "kind": "envy", "amount": 0, "on": "f"},
                   wager("f", 2, "fortune_bonus", 500), wager("n", 2, "pai_gow_poker", 1000),
                   main_wager()])
        }
        kind => json!([wager("s", 1, kind, 100), main_wager()]),
    };
    // Whatever the players hold, the dealer has other cards.
    let used = play["hands"].to_string();
    if kind != "tiger_9" && kind != "pai_gow_poker" {
        let spare = crate::floor::Card::deck().map(|card| card.to_string());
        let spare = spare.filter(|card| !used.contains(&format!("\"{card}\"")));
        play["dealer"]["cards"] = json!(spare.take(7).collect::<Vec<_>>());
    }
    round(json!({}), wagers, play)
}

#[test]
fn every_cell_of_every_pay_table_pays_what_the_regulation_says() {
    Table::open().assert_cells(include_str!("cells.txt"), cell_round);
}

#[test]
fn a_tiger_nine_pushes_winners_losers_and_fouled_hands_but_not_surrendered_ones() {
    let table = Table::open();
    let settle = |dealer, cards: &str, surrender: bool| {
        let mut hand = hand(1, cards);
        hand["surrender"] = json!(surrender);
        let wagers = json!([main_wager(), wager("t", 1, "tiger_9", 100)]);
        let settlement = table.settle(&round(json!({}), wagers, play(dealer, json!([hand]))));
        let codes: Vec<&str> = settlement.violations().iter().collect();
        let results = [0, 1].map(|at| settlement.wagers()[at].result);
        (results, codes)
    };
    let fouled = vec!["commission_free_pai_gow_poker.fouled_hand"];
    use Verdict::{Lose, Push, Win};
    let weak = "JS TH 8D 5S 3D / 6S 4S";
    let kings_behind = "AS JH TD 8S 5D / KS KH";
    assert_eq!(settle(TIGER, WINNER, false), ([Push, Win], vec![]));
    assert_eq!(settle(TIGER, weak, false), ([Push, Win], vec![]));
    assert_eq!(
        settle(TIGER, kings_behind, false),
        ([Push, Win], fouled.clone())
    );
    assert_eq!(settle(TIGER, WINNER, true), ([Lose, Win], vec![]));
    assert_eq!(settle(DEALER, WINNER, false), ([Win, Lose], vec![]));
    assert_eq!(settle(DEALER, weak, false), ([Lose, Lose], vec![]));
    assert_eq!(settle(DEALER, kings_behind, false), ([Lose, Lose], fouled));
}

#[test]
fn the_house_way_decides_the_tiger_nine_and_not_what_was_laid() {
    let table = Table::open();
    let settle = |high: &str, low: &str| {
        let high: Vec<&str> = high.split(' ').collect();
        let low: Vec<&str> = low.split(' ').collect();
        let play = json!({
            "dealer": {"cards": ([&high[..], &low].concat()), "high": high, "low": low},
            "hands": [hand(1, WINNER)]});
        let wagers = json!([main_wager(), wager("t", 1, "tiger_9", 100)]);
        let settlement = table.settle(&round(json!({}), wagers, play));
        let error = "commission_free_pai_gow_poker.house_way_error";
        (
            settlement.wagers()[1].result,
            settlement.violations().contains(error),
        )
    };
    assert_eq!(settle("QD 6C 4D 3H 2C", "9S 7S"), (Verdict::Win, false));
    assert_eq!(settle("QD 7S 4D 3H 2C", "9S 6C"), (Verdict::Win, true));
    assert_eq!(settle("KD QC 6D 4H 2C", "9S 7C"), (Verdict::Lose, true));
}

#[test]
fn side_wagers_of_void_and_abandoned_hands_share_their_fate() {
    let table = Table::open();
    let wagers = json!([
        main_wager(),
        wager("t", 1, "tiger_9", 100),
        wager("f", 1, "fortune_bonus", 100),
        wager("p", 1, "fortune_progressive", 100)
    ]);
    let results = |more: Value, abandoned: bool| {
        let mut hand = hand(1, "9D 9H 9C 8S 5D / KS KH");
        if abandoned {
            hand["abandoned"] = json!(true);
        }
        let mut play = play(TIGER, json!([hand]));
        play["irregularities"] = more;
        let settlement = table.settle(&round(json!({}), wagers.clone(), play));
        assert_eq!(settlement.violations().iter().count(), 0);
        let results: Vec<Verdict> = settlement.wagers().iter().map(|w| w.result).collect();
        results
    };
    use Verdict::{Lose, Push, Void, Win};
    assert_eq!(results(json!([]), false), [Push, Win, Win, Win]);
    assert_eq!(results(json!([]), true), [Lose; 4]);
    let off = |seat: u16| json!([{"type": "card_off_table", "seat": seat, "ruling": "dead"}]);
    assert_eq!(results(off(1), false), [Void; 4]);
    assert_eq!(results(off(0), false), [Void; 4]);
    assert_eq!(results(off(3), false), [Push, Win, Win, Win]);
}

fn lawful() -> Value {
    round(
        json!({}),
        json!([main_wager()]),
        play(DEALER, json!([hand(1, WINNER)])),
    )
}

/// The lawful round with the value at a JSON pointer replaced.
fn with(pointer: &str, value: Value) -> Value {
    let mut document = lawful();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap() {
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        object => object[key] = value,
    }
    document
}

#[test]
fn every_code_of_the_document_is_raised_and_has_a_lawful_twin() {
    let table = Table::open();
    assert_eq!(table.violations(&lawful()), [""; 0]);
    let with_wager = |wager: Value| {
        let mut document = lawful();
        document["wagers"].as_array_mut().unwrap().push(wager);
        document
    };
    let fouled = hand(1, "AS JH TD 8S 5D / KS KH");
    let own = "commission_free_pai_gow_poker.";
    let mut idle = hand(4, "AC 9D 8C 5C 3C / JD TD");
    idle["player"] = json!("eve");
    let cases = [
        (
            with_wager(wager("x", 1, "insurance", 100)),
            "wager.not_offered".to_owned(),
        ),
        (
            with_wager(wager("x", 1, "bank", 0)),
            "wager.not_offered".into(),
        ),
        (
            with_wager(wager("x", 0, "dealer_vs_bank", 100)),
            "wager.not_offered".into(),
        ),
        (
            with_wager(wager("x", 2, "tiger_9", 100)),
            "wager.side_without_main".into(),
        ),
        (
            with_wager(wager("x", 1, "pai_gow_poker", 100)),
            "wager.duplicate_kind".into(),
        ),
        (
            with_wager(wager("x", 1, "fortune_bonus", 99)),
            "wager.under_min".into(),
        ),
        (
            with_wager(wager("x", 1, "fortune_bonus", 500)),
            "envy.marker_missing".into(),
        ),
        (
            with_wager(json!({"id": "x", "seat": 1, "kind": "envy", "amount": 0, "on": "m"})),
            "envy.marker_undue".into(),
        ),
        (
            with_wager(wager("x", 1, "fortune_progressive", 101)),
            "wager.progressive_amount".into(),
        ),
        (
            with("/options/table_min", json!(1001)),
            "wager.under_min".into(),
        ),
        (
            with("/options/table_max", json!(999)),
            "wager.over_max".into(),
        ),
        (
            with("/options/max_areas_per_player", json!(4)),
            "config.max_areas".into(),
        ),
        (
            with("/options/max_payout_fortune", json!(1)),
            "config.payout_limit_too_low".into(),
        ),
        (with("/play/hands/0", fouled), format!("{own}fouled_hand")),
        (
            with("/play/deal", json!({"number": 3, "first": 3})),
            format!("{own}wrong_start"),
        ),
        (
            with("/play/deal", json!({"method": "left_first"})),
            format!("{own}start_method"),
        ),
        (
            with("/play/hands", json!([hand(1, WINNER), idle])),
            "deal.hand_without_wager".into(),
        ),
        (
            with("/play/remaining", json!(3)),
            "deck.missing_card".into(),
        ),
        (with("/play/remaining", json!(5)), "deck.extra_card".into()),
        (
            with("/play/dealer/cards/0", json!("AS")),
            "deck.duplicate_card".into(),
        ),
        (
            with(
                "/play/dealer",
                json!({"cards": ["JK", "JK", "TS", "7C", "6D", "4H", "2C"]}),
            ),
            "deck.foreign_card".into(),
        ),
        (
            with(
                "/play/dealer",
                json!({"cards": ["KD", "QC", "TS", "7C", "6D", "4H", "2C", "3H"]}),
            ),
            "deal.card_count".into(),
        ),
    ];
    for (document, code) in cases {
        assert_eq!(table.violations(&document), [code], "{document}");
    }
    for lawful in [
        with_wager(wager("x", 1, "tiger_9", 100)),
        with_wager(wager("x", 1, "fortune_bonus", 100)),
        with("/play/deal", json!({"number": 3, "first": 2})),
        with("/play/remaining", json!(4)),
        with("/options/max_payout_fortune", json!(5_000_000)),
        with("/options/max_areas_per_player", json!(1)),
    ] {
        assert_eq!(table.violations(&lawful), [""; 0], "{lawful}");
    }
}

#[test]
fn what_describes_no_round_is_refused_with_its_place() {
    let table = Table::open();
    for (document, expected) in [
        (
            with("/edition", json!("mgc-2017")),
            "edition: \"mgc-2017\" is not an edition",
        ),
        (
            with("/play/mode", json!("co_bank")),
            "play.mode: no player banks",
        ),
        (with("/play/bank_seat", json!(1)), "play.bank_seat: only"),
        (
            with("/options/vig_rounding", json!("none")),
            "options.vig_rounding",
        ),
        (
            with("/options/start_method", json!("left_first")),
            "options.start_method",
        ),
        (
            with("/options/side_bets", json!(["bonus"])),
            "options.side_bets",
        ),
        (
            with("/options/progressive_reset", json!(0)),
            "options.progressive_reset",
        ),
        (
            with("/play/dealer", json!(null)),
            "play: the key \"dealer\" is missing",
        ),
        (
            with("/play/hands", json!([])),
            "play.hands: the hand of area 1 is missing",
        ),
        (
            with("/play/irregularities", json!([{"type": "shoe_failure"}])),
            "play.irregularities[0].type: no irregularity",
        ),
    ] {
        let refusal = table.refusal(&document);
        assert!(
            refusal.starts_with(expected),
            "expected {expected}\ngot      {refusal}"
        );
    }
}

#[test]
fn a_tiger_hangs_on_the_dealers_cards_alone() {
    let unseen = |number: usize| json!(vec![crate::UNSEEN; number]);
    let gone = json!({"seat": 1, "cards": unseen(7), "surrender": true});
    let wagers = || {
        let tiger = wager("t", 2, "tiger_9", 100);
        json!([main_wager(), wager("n", 2, "pai_gow_poker", 1000), tiger])
    };
    let hands = json!([gone, hand(2, WINNER)]);
    let result = |dealer: Value, id: &str| {
        let play = json!({"dealer": {"cards": dealer}, "hands": hands});
        Table::open().wager(&round(json!({}), wagers(), play), id)
    };
    assert_eq!(result(json!(DEALER), "t").result, Verdict::Lose);
    assert_eq!(result(json!(DEALER), "n").result, Verdict::Win);
    // Whatever lies there, a tiger is paid or is none.
    let mut one = TIGER;
    one[1] = crate::UNSEEN;
    let open = result(json!(one), "t");
    assert_eq!(open.hangs_on, ["play.dealer.cards[1]"]);
    let range = open.range.unwrap();
    assert!(range.most.is_some_and(|most| most > range.least));
    for (id, verdict) in [
        ("m", Verdict::Lose),
        ("n", Verdict::Open),
        ("t", Verdict::Open),
    ] {
        assert_eq!(result(unseen(7), id).result, verdict, "{id}");
    }
}
