//! Every cell of every pay table.

use serde_json::{Value, json};

use super::{mgc, ohio, open};
use crate::games::shared::testround::with;
use crate::testkit::Cell;

const MAIN: &str = "w1 s1 main 1000";
/// Nineteen against the dealer's eighteen.
const NINETEEN: &str = "s1 KC 9D: stand";
const EIGHTEEN: &str = "9C 9D";

fn side(kind: &str, stake: u32) -> String {
    format!("w1 s1 {kind} {stake}; w2 s1 main 1000")
}

fn main_round(row: &str) -> Value {
    let bonus = |name: &str| json!({"bonus_payouts": [name]});
    let blackjack = |options| mgc(options, MAIN, "s1 AS KH", "9C");
    match row {
        "blackjack" => blackjack(json!({})),
        "blackjack_six_to_five" => blackjack(json!({"variation": "six_to_five", "decks": 2})),
        "blackjack_exposed" => mgc(json!({"hole_card": "exposed"}), MAIN, "s1 AS KH", "9C 9D"),
        "even_money" => {
            let round = mgc(json!({"even_money": true}), MAIN, "s1 AS KH", "AD KS");
            with(round, "/play/boxes/0/even_money", json!(["w1"]))
        }
        "designated_blackjack" => {
            let designated = json!({"bonus_payouts": ["designated_blackjack"],
                                    "designated_blackjack": ["AS", "JS"]});
            mgc(designated, MAIN, "s1 JS AS", "9C")
        }
        "suited_678" => mgc(bonus(row), MAIN, "s1 8H 6H: hit 7H", EIGHTEEN),
        "three_sevens" => mgc(bonus(row), MAIN, "s1 7C 7D: hit 7H", EIGHTEEN),
        "five_card_21" => mgc(
            bonus(row),
            MAIN,
            "s1 2C 3D: hit 4H, hit 5S, hit 7C",
            EIGHTEEN,
        ),
        "other" => mgc(json!({}), MAIN, NINETEEN, EIGHTEEN),
        "insurance" => mgc(
            json!({}),
            "w1 s1 insurance 500 on=w2; w2 s1 main 1000",
            "s1 KC 9D",
            "AD KH",
        ),
        _ => panic!("no round for main.{row}"),
    }
}

fn ohio_main_round(row: &str) -> Value {
    let blackjack = |options| ohio(options, MAIN, "s1 AS KH", EIGHTEEN);
    match row {
        "blackjack_3_to_2" => blackjack(json!({})),
        "blackjack_6_to_5" => blackjack(json!({"blackjack_pays": "6:5"})),
        "blackjack_tournament" => blackjack(json!({"tournament": true})),
        "other" => ohio(json!({}), MAIN, NINETEEN, EIGHTEEN),
        "insurance" => ohio(
            json!({}),
            "w1 s1 insurance 500 on=w2; w2 s1 main 1000",
            "s1 KC 9D",
            "AD KH checked",
        ),
        _ => panic!("no round for main.{row}"),
    }
}

fn massachusetts_round(table: &str, row: &str) -> Value {
    let offer = |name: &str| json!({"side_bets": [name]});
    if let Some(choice) = table.strip_prefix("royal_match_") {
        let (decks, option) = choice.split_once("_deck_option_").expect(table);
        let number = |text: &str| text.parse::<i64>().expect(table);
        let cards = if row == "royal" {
            "s1 QH KH: stand"
        } else {
            "s1 KH 9H: stand"
        };
        let options = json!({"side_bets": ["royal_match"], "decks": number(decks),
                             "royal_match_option": number(option)});
        return mgc(options, &side("royal_match", 1000), cards, EIGHTEEN);
    }
    match (table, row) {
        ("over_under_13", "over") => mgc(offer(table), &side("over_13", 1000), NINETEEN, EIGHTEEN),
        ("over_under_13", _) => mgc(
            offer(table),
            &side("under_13", 1000),
            "s1 2C AD: stand",
            EIGHTEEN,
        ),
        ("super_sevens", _) => {
            let cards = match row {
                "three_suited" => "s1 7H 7H: hit 7H",
                "three_any" => "s1 7H 7H: hit 7C",
                "two_suited" => "s1 7H 7H: stand",
                "two_any" => "s1 7H 7C: stand",
                _ => "s1 7H KC: stand",
            };
            mgc(offer(table), &side("super_sevens", 100), cards, EIGHTEEN)
        }
        ("progressive", _) => {
            let cards = match row {
                "meter" => "s1 AH AD: hit AH, hit AD, stand",
                "three_suited" => "s1 AH AH: hit AH, stand",
                "three_any" => "s1 AH AH: hit AC, stand",
                "two_suited" => "s1 AH AH: stand",
                _ => "s1 AH AC: stand",
            };
            let round = mgc(offer(table), &side("progressive", 100), cards, EIGHTEEN);
            with(round, "/play/meters", json!({"progressive": 2_000_000}))
        }
        ("blackjack_bonus", _) => mgc(
            offer(table),
            &side("blackjack_bonus", 100),
            "s1 AS KH",
            "9C",
        ),
        ("streak", _) => {
            let wins = row.parse::<i64>().expect(row) - 1;
            let wagers = format!("w1 s1 streak_{row} 1000 wins_before={wins}; w2 s1 main 1000");
            mgc(offer(table), &wagers, NINETEEN, EIGHTEEN)
        }
        ("match_the_dealer_6_deck" | "match_the_dealer_8_deck", _) => {
            let decks = if table.contains('6') { 6 } else { 8 };
            let cards = if row == "suited" {
                "s1 9C KC: stand"
            } else {
                "s1 9H KC: stand"
            };
            let options = json!({"side_bets": ["match_the_dealer"], "decks": decks});
            mgc(options, &side("match_the_dealer", 1000), cards, EIGHTEEN)
        }
        ("twenty_point_bonus_a" | "twenty_point_bonus_b", _) => {
            let choice = if table.ends_with('a') { "A" } else { "B" };
            let options =
                json!({"side_bets": ["twenty_point_bonus"], "twenty_point_table": choice});
            let (cards, dealer) = match row {
                "queens_dealer_blackjack" => ("s1 QH QH", "KC AD"),
                "queens" => ("s1 QH QH: stand", EIGHTEEN),
                "matched" => ("s1 KD KD: stand", EIGHTEEN),
                "suited" => ("s1 KD JD: stand", EIGHTEEN),
                _ => ("s1 KD JH: stand", EIGHTEEN),
            };
            mgc(options, &side("twenty_point_bonus", 1000), cards, dealer)
        }
        ("optional_bonus", _) => {
            let dealer = match row {
                "ten" => "6C TD KD",
                "nine" => "7C 6D 9H",
                "eight" => "8C 7D 8H",
                "seven" => "8C 8D 7H",
                "six" => "9C 7D 6H",
                "eights_of_one_color" => "8C 8S 8C",
                _ => "8C 8C 8C",
            };
            mgc(
                offer(table),
                &side("optional_bonus", 1000),
                NINETEEN,
                dealer,
            )
        }
        _ => panic!("no round for {table}.{row}"),
    }
}

fn ohio_round(table: &str, row: &str) -> Value {
    let offer = |name: &str| json!({"side_bets": [name]});
    if let Some(decks) = table.strip_prefix("bet_the_set_") {
        let decks = decks.chars().next().and_then(|digit| digit.to_digit(10));
        let options = json!({"side_bets": ["bet_the_set"], "decks": decks});
        let cards = if row == "pair" {
            "s1 KH KC: stand"
        } else {
            "s1 KH KH: stand"
        };
        return ohio(options, &side("bet_the_set", 1000), cards, EIGHTEEN);
    }
    match table {
        "royal_match" => {
            let (cards, dealer) = match row {
                "royal" => ("s1 QH KH: stand", EIGHTEEN),
                "suited" => ("s1 KH 9H: stand", EIGHTEEN),
                _ => ("s1 QH KH: stand", "KS QS checked"),
            };
            ohio(offer(table), &side("royal_match", 1000), cards, dealer)
        }
        "trilux" | "lucky_george" => {
            let cards = match row {
                "straight_flush" => "s1 8C TC: stand",
                "three_of_a_kind" => "s1 9H 9S: stand",
                "straight" => "s1 8H TD: stand",
                _ => "s1 2C KC: stand",
            };
            ohio(offer("trilux"), &side("trilux", 1000), cards, EIGHTEEN)
        }
        "kings_bounty" | "dealer_envy" => {
            let (cards, dealer) = match row {
                "kings_spades_dealer_blackjack" => ("s1 KS KS", "AD KH checked"),
                "kings_spades" => ("s1 KS KS: stand", EIGHTEEN),
                "suited_kings" => ("s1 KH KH: stand", EIGHTEEN),
                "suited_pair" => ("s1 QH QH: stand", EIGHTEEN),
                "suited_20" => ("s1 AH 9H: stand", EIGHTEEN),
                "kings" => ("s1 KH KC: stand", EIGHTEEN),
                _ => ("s1 KH QC: stand", EIGHTEEN),
            };
            ohio(
                offer("kings_bounty"),
                &side("kings_bounty", 1000),
                cards,
                dealer,
            )
        }
        "blazing_sevens" => {
            let (cards, dealer) = match row {
                "three_suited" => ("s1 7H 7H: stand", "7H KD"),
                "three_color" => ("s1 7H 7D: stand", "7H KD"),
                "three_any" => ("s1 7H 7C: stand", "7H KD"),
                "two" => ("s1 7H 7C: stand", EIGHTEEN),
                _ => ("s1 7H KC: stand", "7H KD"),
            };
            let round = ohio(offer(table), &side("blazing_sevens", 500), cards, dealer);
            with(round, "/play/meters", json!({"progressive": 2_000_000}))
        }
        _ => panic!("no round for {table}.{row}"),
    }
}

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    let table = open();
    let cells = Cell::read_all(include_str!("../cells.txt"));
    for cell in &cells {
        let round = match (cell.edition.name(), cell.table) {
            ("mgc-2017", "main") => main_round(cell.row),
            ("mgc-2017", _) => massachusetts_round(cell.table, cell.row),
            (_, "main") => ohio_main_round(cell.row),
            _ => ohio_round(cell.table, cell.row),
        };
        let settlement = table.settle(&round);
        let paid = match cell.table {
            "lucky_george" | "dealer_envy" => settlement.bonuses()[0].amount,
            _ => settlement.wagers()[0].returned,
        };
        assert_eq!(paid.get(), cell.returned, "{cell:?}\n{round}");
        assert_eq!(settlement.violations().iter().count(), 0, "{settlement:?}");
    }
    table.assert_all_cells(&cells);
}
