//! Every cell of every pay table.

use serde_json::{Value, json};

use super::table;
use crate::testkit::Cell;

/// Worthless hands at the other seats of a full table.
const FILLERS: [&str; 6] = [
    "2C 7S TC", "2H 7H TD", "2S 7C TH", "3C 8H JD", "3H 8C JH", "3S 9C QC",
];

/// A hand of three cards that makes the row.
fn hand_of(row: &str) -> &'static str {
    match row {
        "mini_royal_spades" => "AS KS QS",
        "mini_royal" => "AH KH QH",
        "straight_flush" => "9D 8D 7D",
        "three_of_a_kind" => "5S 5H 5D",
        "straight" => "6H 5S 4D",
        "flush" => "KC 9C 4C",
        "pair" => "KC KD 4S",
        _ => panic!("no hand for {row}"),
    }
}

/// Player's and dealer's cards whose best five make the row.
fn six_cards_of(row: &str) -> (&'static str, &'static str) {
    match row {
        "royal_flush" => ("AS KS QS", "JS TS 2D"),
        "straight_flush" => ("9D 8D 7D", "6D 5D 2C"),
        "four_of_a_kind" => ("5S 5H 5D", "5C 9C 2H"),
        "full_house" => ("5S 5H 5D", "KC KD 2S"),
        "flush" => ("KC 9C 4C", "7C 2C JD"),
        "straight" => ("6H 5S 4D", "3C 2H KD"),
        "three_of_a_kind" => ("5S 5H 5D", "KC 9D 2H"),
        _ => panic!("no cards for {row}"),
    }
}

/// Wagers and hands of a round in which the first wager is paid by the cell.
struct Deal {
    options: Value,
    wagers: Vec<Value>,
    hands: Vec<Value>,
    dealer: &'static str,
}

fn cards(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}

fn deal(cell: &Cell) -> Deal {
    let wager =
        |kind: &str, amount: i64| json!({"id": kind, "seat": 1, "kind": kind, "amount": amount});
    let play = json!({"id": "play", "seat": 1, "kind": "play", "amount": 1000, "on": "ante"});
    let hand =
        |text: &str, decision: &str| json!({"seat": 1, "cards": cards(text), "decision": decision});
    // Jack high: the dealer does not qualify.
    let dealer = "JC 8S 2D";
    let options = json!({});
    match cell.table {
        "main" => {
            let mut wagers = vec![wager("ante", 1000), play];
            if cell.row == "play" {
                wagers.reverse();
            }
            let hands = vec![hand("AC 9S 4D", "play")];
            Deal {
                options,
                wagers,
                hands,
                dealer: "QH 8S 2D",
            }
        }
        "pair_plus" => {
            let wagers = vec![wager("pair_plus", 1000)];
            let hands = vec![json!({"seat": 1, "cards": cards(hand_of(cell.row))})];
            Deal {
                options,
                wagers,
                hands,
                dealer,
            }
        }
        "envy" => {
            let other = |kind: &str, amount: i64| json!({"id": format!("2.{kind}"), "seat": 2, "kind": kind, "amount": amount});
            let mut on_other = play.clone();
            on_other["id"] = json!("2.play");
            on_other["seat"] = json!(2);
            on_other["on"] = json!("2.ante");
            let wagers = vec![
                wager("progressive", 100),
                wager("ante", 1000),
                other("ante", 1000),
                on_other,
            ];
            let mut holder = hand(hand_of(cell.row), "play");
            holder["seat"] = json!(2);
            Deal {
                options,
                wagers,
                hands: vec![hand(FILLERS[0], "fold"), holder],
                dealer,
            }
        }
        table => match table.split_once("_bonus_").or(table.rsplit_once('_')) {
            Some(("ante", word)) => {
                let options = match word {
                    "standard" => options,
                    _ => {
                        json!({"version": "ante_covers_pair_plus", "ante_bonus": word.to_uppercase()})
                    }
                };
                let wagers = vec![wager("ante", 1000), play];
                Deal {
                    options,
                    wagers,
                    hands: vec![hand(hand_of(cell.row), "play")],
                    dealer,
                }
            }
            Some(("cover_all", hands_in_round)) => {
                let others = hands_in_round.parse::<usize>().unwrap() - 1;
                let mut deal = Deal {
                    options,
                    wagers: vec![wager("cover_all", 1000), wager("ante", 1000)],
                    hands: vec![hand(hand_of(cell.row), "fold")],
                    dealer,
                };
                for (index, filler) in FILLERS[..others].iter().enumerate() {
                    let seat = index + 2;
                    deal.wagers.push(json!({"id": seat.to_string(), "seat": seat, "kind": "pair_plus", "amount": 1}));
                    deal.hands
                        .push(json!({"seat": seat, "cards": cards(filler)}));
                }
                deal
            }
            Some(("progressive", word)) => {
                let options = json!({"progressive_table": word});
                let wagers = vec![wager("progressive", 100), wager("ante", 1000), play];
                Deal {
                    options,
                    wagers,
                    hands: vec![hand(hand_of(cell.row), "play")],
                    dealer,
                }
            }
            _ => {
                let word = table.strip_prefix("six_card_").unwrap();
                let (player, dealer) = six_cards_of(cell.row);
                let wagers = vec![
                    wager("six_card_bonus", 1000),
                    wager("ante", 1000),
                    wager("pair_plus", 1000),
                ];
                let options = json!({"six_card_table": word});
                Deal {
                    options,
                    wagers,
                    hands: vec![hand(player, "fold")],
                    dealer,
                }
            }
        },
    }
}

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    let table = table();
    table.assert_cells(include_str!("../cells.txt"), |cell| {
        let deal = deal(cell);
        let mut play = json!({"dealer": cards(deal.dealer), "hands": deal.hands});
        if cell.edition != crate::Edition::Mgc2017 {
            play["meters"] = json!({"progressive": 2_500_000});
        }
        table.document(cell.edition, deal.options, json!(deal.wagers), play)
    });
}
