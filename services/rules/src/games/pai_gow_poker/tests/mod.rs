//! Pai gow poker: every cell, and what the other tests share.

mod checks;
mod documents;
mod hands;
mod side_wagers;
mod unseen;

use serde_json::{Value, json};

use super::PaiGowPoker;
use crate::Edition::{self, Mgc2017, OhJack2017};
use crate::floor::Card;
use crate::settlement::Verdict;
use crate::testkit::{Cell, TestTable};

/// `"KH QH / 9S"`: the cards in front and behind.
fn split(hand: &str) -> (Vec<&str>, Vec<&str>) {
    let (high, low) = hand.split_once('/').expect(hand);
    (
        high.split_whitespace().collect(),
        low.split_whitespace().collect(),
    )
}

/// A hand of an area, dealt in the order in which it is written.
fn hand(seat: u16, cards: &str) -> Value {
    let (high, low) = split(cards);
    json!({"seat": seat, "cards": ([&high[..], &low].concat()), "high": high, "low": low})
}

/// A hand with more keys.
fn hand_with(seat: u16, cards: &str, more: Value) -> Value {
    let mut hand = hand(seat, cards);
    merge(&mut hand, more);
    hand
}

fn dealer(cards: &str) -> Value {
    let mut hand = hand(0, cards);
    hand.as_object_mut().unwrap().remove("seat");
    hand
}

fn merge(value: &mut Value, more: Value) {
    for (key, member) in more.as_object().unwrap() {
        value[key] = member.clone();
    }
}

fn main_wager(id: &str, seat: u16, amount: i64) -> Value {
    json!({"id": id, "seat": seat, "kind": "pai_gow_poker", "amount": amount})
}

fn side(id: &str, kind: &str, amount: i64) -> Value {
    json!({"id": id, "seat": 1, "kind": kind, "amount": amount})
}

fn round(edition: Edition, options: Value, wagers: Value, play: Value) -> Value {
    TestTable::<PaiGowPoker>::open().document(edition, options, wagers, play)
}

/// Eights in front and king-ten behind.
const DEALER: &str = "8S 8H QD 6C 3S / KD TC";
/// Beats [`DEALER`] on both sides.
const WINNER: &str = "9S 9H 7D 5C 2S / AD JC";

/// A round of Massachusetts with [`DEALER`], one area, and more keys of `play`.
fn mgc(options: Value, wagers: Value, cards: &str, more: Value) -> Value {
    let mut play = json!({"dealer": dealer(DEALER), "hands": [hand(1, cards)]});
    merge(&mut play, more);
    round(Mgc2017, options, wagers, play)
}

/// The same in Ohio, where the house way sets the dealer's cards to king-high and jack-eight.
fn ohio(options: Value, wagers: Value, cards: &str, more: Value) -> Value {
    let cards_of_dealer = ["KD", "JC", "8S", "7S", "5C", "4C", "2D"];
    let mut play = json!({"dealer": {"cards": cards_of_dealer}, "hands": [hand(1, cards)]});
    merge(&mut play, more);
    round(OhJack2017, options, wagers, play)
}

/// The cards that make a row.
fn cards_for(table: &str, row: &str) -> &'static str {
    match (table, row) {
        ("main", _) => "9S 9H 7D 5H 2S / AD JH",
        (table, "nine") if table.starts_with("insurance") => "9S 7S 5D 4D 2H / 8H 3C",
        (table, "ten") if table.starts_with("insurance") => "TS 7S 5D 4D 2H / 9H 3C",
        (table, "jack") if table.starts_with("insurance") => "JS 7S 5D 4D 2H / 9H 3C",
        (table, "queen") if table.starts_with("insurance") => "QS 7S 5D 4D 2H / 9H 3C",
        (table, "king") if table.starts_with("insurance") => "KS 7S 5D 4D 2H / 9H 3C",
        // The joker is the ace.
        (table, "ace") if table.starts_with("insurance") => "JK 7S 5D 4H 2H / 9H 8C",
        ("three_card", "straight_flush_natural") => "5H 6H 7H KS 2C / QD 9D",
        ("three_card", "three_of_a_kind") => "AH AS JK 9C 2C / QD 7D",
        ("three_card", "straight_flush_joker") => "5H JK 7H KS 2C / QD 9D",
        ("three_card", "straight") => "AH 2S 3D 9C 9S / 7D 5H",
        ("three_card", "flush") => "5H JK TH KS 2C / QD 9D",
        ("three_card", "pair") => "AH JK 8D KS 2C / 6C 5D",
        (_, "seven_card_straight_flush") => "5H 6H 7H 8H 9H / TH JH",
        (_, "royal_flush_royal_match") => "AH KH JK JH TH / KS QS",
        (_, "seven_card_straight_flush_joker") => "AH 2H 3H JK 5H / 6H 7H",
        (_, "five_aces_pair") => "AS AH AD AC JK / 9S 9D",
        (_, "five_aces") => "AS AH AD AC JK / 7S 2S",
        (_, "natural_royal_flush_pair") => "AH KH QH JH TH / 2S 2D",
        (_, "natural_royal_flush") => "AH KH QH JH TH / 7S 2D",
        (_, "royal_flush_pair") => "AH KH JK JH TH / 2S 2D",
        ("bonus" | "envy" | "fortune_progressive", "royal_flush") => "AH KH QH JH TH / 7S 2D",
        (_, "royal_flush") => "AH JK QH JH TH / 7S 2D",
        (_, "straight_flush_pair") => "9H TH JH QH KH / 2S 2D",
        (_, "straight_flush_joker") => "5H 6H JK 8H 9H / QS 2D",
        (_, "straight_flush" | "straight_flush_natural") => "AH 2H 3H 4H 5H / QS JD",
        (_, "four_of_a_kind_pair") => "9S 9H 9D 9C 4S / 2S 2D",
        (_, "four_of_a_kind") => "9S 9H 9D 9C 4S / 7S 2D",
        (_, "full_house_pair") => "6S 6H 6D 4C 4S / JS JD",
        (_, "full_house") => "AS AH JK 4C 4S / JS TD",
        (_, "flush_pair") => "KH 9H 7H 4H 2H / JS JD",
        (_, "flush") => "KH 9H 7H JK 2H / JS 8D",
        (_, "straight_pair") => "5H 6S 7H 8D 9S / 2S 2D",
        (_, "straight") => "5H 6S JK 8D 9S / 2S KD",
        (_, "three_of_a_kind") => "AS AH AD 9C 7S / 6D 2H",
        _ => panic!("no cards for {table}.{row}"),
    }
}

/// Seven cards of the deck that are not in the hands; the house way sets them.
fn spare_cards(used: &[Value]) -> Vec<String> {
    let used = json!(used).to_string();
    let spare = Card::deck().map(|card| card.to_string());
    spare
        .filter(|card| !used.contains(&format!("\"{card}\"")))
        .take(7)
        .collect()
}

fn cell_round(cell: &Cell) -> Value {
    let (kind, stake, option) = match cell.table {
        "main" => ("pai_gow_poker", 1000, json!({})),
        "bonus" if cell.edition == OhJack2017 => ("fortune_bonus", 100, json!({})),
        "bonus" => ("bonus", 100, json!({})),
        "envy" => ("envy", 0, json!({})),
        "three_card" => ("three_card_bonus", 100, json!({})),
        "seven_card_a" => ("seven_card_bonus", 100, json!({})),
        "seven_card_b" => ("seven_card_bonus", 100, json!({"seven_card_paytable": "B"})),
        "progressive_1" => ("progressive", 100, json!({})),
        "progressive_5" => ("progressive", 500, json!({"progressive_wager": 500})),
        "fortune_progressive" => ("fortune_progressive", 100, json!({})),
        insurance => {
            let letter = insurance.trim_start_matches("insurance_").to_uppercase();
            ("insurance", 100, json!({"insurance_paytable": letter}))
        }
    };
    let mut options = option;
    if cell.edition == Mgc2017 {
        options["house_way"] = json!("standard");
    }
    let cards = cards_for(cell.table, cell.row);
    let (wagers, hands) = match kind {
        "pai_gow_poker" => (json!([main_wager("w", 1, stake)]), vec![hand(1, cards)]),
        // The marker lies at area 2, the premium hand at area 1.
        "envy" => {
            let bonus = if cell.edition == Mgc2017 {
                "bonus"
            } else {
                "fortune_bonus"
            };
            let junk = "QC JC TC 6D 3D / 8C 7D";
            (
                json!([{"id": "w", "seat": 2, "kind": "envy", "amount": 0, "on": "b"},
                       {"id": "b", "seat": 2, "kind": bonus, "amount": 500},
                       main_wager("m", 2, 1000), main_wager("n", 1, 1000)]),
                vec![hand(1, cards), hand(2, junk)],
            )
        }
        _ => (
            json!([side("w", kind, stake), main_wager("m", 1, 1000)]),
            vec![hand(1, cards)],
        ),
    };
    let dealer = if kind == "pai_gow_poker" {
        vec!["8S", "8H", "QD", "6C", "3S", "KD", "TC"]
            .into_iter()
            .map(String::from)
            .collect()
    } else {
        spare_cards(&hands)
    };
    let play = json!({
        "dealer": {"cards": dealer}, "hands": hands, "meters": {"progressive": 1_500_000},
    });
    round(cell.edition, options, wagers, play)
}

#[test]
fn every_cell_of_every_pay_table_pays_what_the_regulation_says() {
    TestTable::<PaiGowPoker>::open().assert_cells(include_str!("../cells.txt"), cell_round);
}

/// The document, the code it raises, and what becomes of its first wager.
fn assert_violation(document: &Value, code: &str, verdict: Verdict) {
    let table = TestTable::<PaiGowPoker>::open();
    let settlement = table.settle(document);
    let codes: Vec<&str> = settlement.violations().iter().collect();
    assert_eq!(codes, [code], "{document}");
    assert_eq!(settlement.wagers()[0].result, verdict, "{code} {document}");
}
