//! Spanish 21: every cell, refusal and violation, and the exact edge of match-the-dealer.
//!
//! The main wager has no exact edge here. The published ones are of the best play from six or eight decks of
//! 48 cards, in which the hands of a split and the dealer draw on each other's cards: the ways to play them
//! out are not to be counted in a test.

use serde_json::{Value, json};

use super::Spanish21;
use crate::games::shared::testround::{self, with};
use crate::settlement::Verdict::{self, Lose, Push, Void, Win};
use crate::testkit::{Cell, TestTable};

const MAIN: &str = "w1 s1 main 1000";

fn round(options: Value, wagers: &str, boxes: &str, dealer: &str) -> Value {
    testround::round(("spanish_21", "mgc-2017"), options, wagers, boxes, dealer)
}

fn open() -> TestTable<Spanish21> {
    TestTable::open()
}

/// Verdict and what goes back, by wager.
fn settled(round: &Value) -> Vec<(Verdict, i64)> {
    let settlement = open().settle(round);
    let wagers = settlement.wagers().iter();
    wagers
        .map(|wager| (wager.result, wager.returned.get()))
        .collect()
}

fn round_of(table: &str, row: &str) -> Value {
    let boxes = match (table, row) {
        ("main", "blackjack") => "s1 AC KD",
        ("main", "678_mixed") => "s1 6C 7C: hit 8D",
        ("main", "678_suited") => "s1 8H 7H: hit 6H",
        ("main", "678_spades") => "s1 8S 7S: hit 6S",
        ("main", "777_mixed") => "s1 7C 7C: hit 7D",
        ("main", "777_suited") => "s1 7D 7D: hit 7D",
        ("main", "777_spades") => "s1 7S 7S: hit 7S",
        ("main", "five_card_21") => "s1 2C 3C: hit 4C, hit 5C, hit 7C",
        ("main", "six_card_21") => "s1 2C 3C: hit 4C, hit 5C, hit 5D, hit 2D",
        ("main", "seven_card_21") => "s1 2C 3C: hit 4C, hit 2S, hit 5D, hit 2D, hit 3D",
        ("main", "insurance") => "s1 KC 9H",
        (_, "unsuited") => "s1 9H KC: stand",
        (_, "suited") => "s1 9C KC: stand",
        ("super_bonus", _) => "s1 7D 7D: hit 7D; s2 KC 9H: stand",
        _ => "s1 KC 9H: stand",
    };
    let (wagers, dealer) = match (table, row) {
        ("main", "insurance") => ("w1 s1 insurance 500 on=w2; w2 s1 main 1000", "AC KD"),
        ("main", "blackjack") => (MAIN, "9C"),
        ("main", _) => (MAIN, "9C 9D"),
        ("super_bonus", "higher") => ("w1 s1 main 2500; w2 s2 main 500", "7C KD"),
        ("super_bonus", _) => ("w1 s1 main 2499; w2 s2 main 500", "7C KD"),
        _ => ("w1 s1 match_the_dealer 1000; w2 s1 main 1000", "9C 9D"),
    };
    let decks = if table.contains('8') { 8 } else { 6 };
    round(json!({"decks": decks}), wagers, boxes, dealer)
}

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    let table = open();
    let cells = Cell::read_all(include_str!("cells.txt"));
    for cell in &cells {
        let round = round_of(cell.table, cell.row);
        let settlement = table.settle(&round);
        let paid = match (cell.table, cell.row) {
            ("super_bonus", "envy") => settlement.bonuses()[1].amount,
            ("super_bonus", _) => settlement.bonuses()[0].amount,
            _ => settlement.wagers()[0].returned,
        };
        assert_eq!(paid.get(), cell.returned, "{cell:?}\n{round}");
        assert_eq!(settlement.violations().iter().count(), 0, "{settlement:?}");
    }
    table.assert_all_cells(&cells);
}

#[test]
fn every_violation_is_raised_by_its_fault_and_by_nothing_else() {
    testround::assert_violations(&open(), include_str!("violations.txt"), |line| {
        testround::read_line("spanish_21", line)
    });
}

#[test]
fn a_second_ten_and_a_second_card_face_up_void_the_round_whatever_was_ruled() {
    let wagers = "w1 s1 main 800; w2 s1 match_the_dealer 300";
    let twenty = round(json!({}), wagers, "s1 KC QH: stand", "9C 8D");
    let of = |play: &[(&str, Value)]| {
        let patch = |round, (key, value): &(&str, Value)| with(round, key, value.clone());
        settled(&play.iter().fold(twenty.clone(), patch))
    };
    let void = [(Void, 800), (Void, 300)];
    let stands = [(Win, 1600), (Lose, 0)];
    let burned = |cards: Value| ("/play/burned", cards);
    assert_eq!(of(&[burned(json!(["TH", "TC"]))]), void);
    assert_eq!(of(&[burned(json!(["TH"]))]), stands, "one ten");
    // Played or put away, ruled or not.
    let in_the_hand = ("/play/boxes/0/cards", json!(["TC", "KH"]));
    assert_eq!(of(&[burned(json!(["TH"])), in_the_hand]), void);
    let ruled = ("/play/void_round", json!("hands"));
    assert_eq!(of(&[burned(json!(["TH", "TC"])), ruled]), void);
    let face_up = |cards: Value| ("/play/face_up", cards);
    let two = json!(["2H", "5S"]);
    assert_eq!(of(&[burned(two.clone()), face_up(two.clone())]), void);
    assert_eq!(of(&[burned(two), face_up(json!(["2H"]))]), stands, "one");
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let table = open();
    let nineteen = "s1 KC 9H: stand";
    let missing_second = "play.dealer: the dealer's second card is missing";
    let with_match = "w1 s1 main 1000; w2 s1 match_the_dealer 500";
    let cases = [
        (
            round(json!({"hole_card": "exposed"}), MAIN, nineteen, "9C 9D"),
            r#"options.hole_card: "exposed" cannot be read"#,
        ),
        (
            round(json!({"shuffler": "continuous"}), MAIN, nineteen, "9C 9D"),
            r#"options.shuffler: "continuous" cannot be read"#,
        ),
        (
            round(json!({"surrender": true}), MAIN, nineteen, "9C 9D"),
            r#"options.surrender: "surrender" is not an option"#,
        ),
        (
            round(json!({}), "w1 s1 royal_match 5", nineteen, "9C 9D"),
            r#"wagers[0].kind: "royal_match" is not a wager of spanish_21"#,
        ),
        (
            round(json!({}), MAIN, "s1 KC 9H: bonus_card 7C", "9C 9D"),
            r#"play.boxes[0].steps[0].do: "bonus_card" is not a known word here"#,
        ),
        (
            with(
                round(json!({}), MAIN, nineteen, "9C 9D"),
                "/play/boxes/0/even_money",
                json!(["w1"]),
            ),
            r#"play.boxes[0].even_money: "even_money" is not a known key here"#,
        ),
        (
            with(
                round(json!({}), MAIN, nineteen, "9C 9D"),
                "/play/dealer/hands",
                json!([]),
            ),
            r#"play.dealer.hands: "hands" is not a known key here"#,
        ),
        (
            round(json!({}), MAIN, "s1 KC", "9C 9D"),
            "play.boxes[0].cards: a box that is not dead has two first cards, not 1",
        ),
        (
            round(json!({}), MAIN, "s1 KC JK", "9C 9D"),
            r#"play.boxes[0].cards[1]: "JK" is not a card of this game"#,
        ),
        (
            round(json!({}), MAIN, nineteen, "JK"),
            r#"play.dealer.cards[0]: "JK" is not a card of this game"#,
        ),
        (
            round(json!({}), MAIN, nineteen, ""),
            "play.dealer.cards: the dealer has no card",
        ),
        (round(json!({}), MAIN, nineteen, "9C"), missing_second),
        (round(json!({}), MAIN, "s1 AC KD", "KC"), missing_second),
        (
            round(json!({}), MAIN, "s1 KC 6H: surrender", "JC"),
            missing_second,
        ),
        (
            round(
                json!({}),
                "w1 s1 main 1000; w2 s1 insurance 500 on=w1",
                "s1 KC 9H: hit 5C",
                "AC",
            ),
            missing_second,
        ),
        (
            round(json!({"chip_unit": 0}), MAIN, nineteen, "9C 9D"),
            "options.chip_unit: ",
        ),
        (
            round(
                json!({}),
                "w1 s1 main 1000; w2 s1 match_the_dealer 500 hand=1",
                nineteen,
                "9C 9D",
            ),
            "wagers[1].hand: ",
        ),
        (
            round(
                json!({}),
                "w1 s1 main 1000; w2 s2 main 1000",
                nineteen,
                "9C 9D",
            ),
            "play.boxes: seat 2",
        ),
        (
            with(
                round(json!({}), MAIN, nineteen, "9C 9D"),
                "/play/face_up",
                json!(["2H"]),
            ),
            "play.face_up[0]: 2H is not among the cards burned",
        ),
        (
            with(
                round(json!({}), MAIN, "s1 5C 6H: double 4C, rescue", "9C 9D"),
                "/play/boxes/0/steps/1/card",
                json!("2H"),
            ),
            "play.boxes[0].steps[1].card: no card comes with this step",
        ),
        (
            round(json!({"decks": 7}), with_match, nineteen, "9C 9D"),
            "options.decks: the rules have no pay table of match-the-dealer for 7 decks",
        ),
    ];
    for (round, expected) in cases {
        let refusal = table.refusal(&round);
        assert!(
            refusal.starts_with(expected),
            "expected {expected}\ngot      {refusal}"
        );
    }
}

#[test]
fn a_21_of_the_player_beats_every_drawn_21_and_a_blackjack_everything() {
    for (cards, dealer, expected) in [
        ("s1 KC 5H: hit 6D", "9C 5D 7C", (Win, 2000)),
        ("s1 KC 5H: hit 6D", "KC AD", (Lose, 0)),
        ("s1 AC KH", "KC AD", (Win, 2500)),
        ("s1 KC 8H: stand", "9C 9D", (Push, 1000)),
        ("s1 KC 8H: stand", "9C 6D 5C", (Lose, 0)),
    ] {
        let round = round(json!({}), MAIN, cards, dealer);
        assert_eq!(settled(&round), [expected], "{cards} {dealer}");
    }
    // After a split it is an ordinary 21, which a dealer blackjack beats.
    let wagers = "w1 s1 main 1000; w2 s1 split 1000 on=w1 hand=2";
    let boxes = "s1 AC AD: split 2, deal KC, 2 deal QC";
    let drawn = round(json!({}), wagers, boxes, "9C 5D 7C");
    assert_eq!(settled(&drawn), [(Win, 2000), (Win, 2000)]);
    let blackjack = round(json!({}), wagers, boxes, "KC AD");
    assert_eq!(settled(&blackjack), [(Lose, 0), (Push, 1000)]);
}

#[test]
fn a_split_hand_earns_bonus_odds_but_no_super_bonus() {
    let wagers = "w1 s1 main 2500; w2 s1 split 2500 on=w1 hand=2";
    let boxes = "s1 7H 7H: split 2, deal 7H, hit 7H, 2 deal KC, 2 stand";
    let round = round(json!({}), wagers, boxes, "7C KD");
    assert_eq!(settled(&round), [(Win, 7500), (Push, 2500)]);
    assert!(open().settle(&round).bonuses().is_empty());
}

#[test]
fn a_doubled_hand_pays_even_money_to_everybody_on_it() {
    let wagers = "w1 s1 main 1000; w2 s1 double 1000 on=w1; w3 s1 main 1000 player=b";
    let round = round(
        json!({"players_per_box": 2}),
        wagers,
        "s1 7S 7S: double 7S",
        "7C KD",
    );
    assert_eq!(settled(&round), [(Win, 2000), (Win, 2000), (Win, 2000)]);
    assert!(open().settle(&round).bonuses().is_empty());
}

#[test]
fn a_super_bonus_needs_five_dollars_and_brings_every_other_player_an_envy_once() {
    let bonuses = |round: &Value| -> Vec<(String, String, String, i64)> {
        let settlement = open().settle(round);
        let bonuses = settlement.bonuses().iter();
        bonuses
            .map(|bonus| {
                let kind = bonus.kind.to_owned();
                (
                    kind,
                    bonus.on.to_string(),
                    bonus.to.clone(),
                    bonus.amount.get(),
                )
            })
            .collect()
    };
    let owned = |(kind, on, to, amount): (&str, &str, &str, i64)| {
        (kind.to_owned(), on.to_owned(), to.to_owned(), amount)
    };
    let boxes = "s2 7D 7D: hit 7D; s1 7H 7H: hit 7H; s3 KC 6D: surrender; s4 KC 6D: stand";
    let wagers = "w1 s1 main 500; w2 s2 main 2500; w3 s3 main 100; w4 s4 main 100 player=p3; \
                  w5 s2 main 499 player=b";
    let options = json!({"players_per_box": 2, "boxes_per_player": 2});
    let two = round(options.clone(), wagers, boxes, "7C KD");
    // Box by box as they lie; who shares a winning hand gets no envy from it, but from the other.
    let expected = [
        ("super_bonus", "w2", "p2", 500_000),
        ("envy", "w2", "p1", 5_000),
        ("envy", "w2", "p3", 5_000),
        ("super_bonus", "w1", "p1", 100_000),
        ("envy", "w1", "p2", 5_000),
        ("envy", "w1", "p3", 5_000),
        ("envy", "w1", "b", 5_000),
    ];
    assert_eq!(bonuses(&two), expected.map(owned));
    let void = with(two, "/play/void_round", json!("hands"));
    assert!(bonuses(&void).is_empty());
    let small = round(
        options,
        "w1 s1 main 499; w2 s2 main 500",
        "s1 7D 7D: hit 7D; s2 KC 9C",
        "7C KD",
    );
    assert!(bonuses(&small).is_empty());
}

#[test]
fn a_rescue_after_a_bust_does_not_count() {
    let wagers = "w1 s1 main 1000; w2 s1 double 1000 on=w1";
    let round = round(json!({}), wagers, "s1 KC 5H: double 9D, rescue", "9C");
    assert_eq!(settled(&round), [(Lose, 0), (Lose, 0)]);
}

#[test]
fn a_rescue_comes_before_the_dealers_blackjack() {
    let wagers = "w1 s1 main 1000; w2 s1 double 1000 on=w1";
    let round = round(json!({}), wagers, "s1 KC 2H: double 3D, rescue", "KC AD");
    assert_eq!(settled(&round), [(Lose, 0), (Push, 1000)]);
}

#[test]
fn match_the_dealer_outlives_dead_hands_but_not_a_void_round() {
    let wagers = "w1 s1 main 1000; w2 s1 match_the_dealer 500";
    let round = round(json!({}), wagers, "s1 9C 9H: stand", "9C 8D");
    assert_eq!(settled(&round), [(Win, 2000), (Win, 500 + 4500 + 2000)]);
    let hands = with(round.clone(), "/play/void_round", json!("hands"));
    assert_eq!(settled(&hands), [(Void, 1000), (Win, 7000)]);
    let all = with(round.clone(), "/play/void_round", json!("all"));
    assert_eq!(settled(&all), [(Void, 1000), (Void, 500)]);
    let dead = json!({"seat": 1, "cards": [], "dead": "no_cards"});
    let dead = with(round, "/play/boxes/0", dead);
    assert_eq!(settled(&dead), [(Void, 1000), (Void, 500)]);
}

#[test]
fn a_stray_ten_counts_ten_but_nobody_looks_under_it() {
    // With a ten up a surrender costs half even if the dealer turns up blackjack.
    let surrender = round(json!({}), MAIN, "s1 KC 6H: surrender", "TC AD");
    assert_eq!(settled(&surrender), [(Lose, 500)]);
    let blackjack = round(json!({}), MAIN, "s1 TC AH", "9C");
    assert_eq!(settled(&blackjack), [(Win, 2500)]);
}

/// What match-the-dealer loses on average, in millionths, against the nine of clubs.
fn match_edge(decks: i128) -> i128 {
    let table = open();
    let kinds = [("9C", decks - 1), ("9H", 3 * decks), ("KC", 44 * decks)];
    let (mut gained, mut ways) = (0, 0);
    for (first, some) in kinds {
        for (second, others) in kinds {
            let weight = some * (others - i128::from(first == second));
            let boxes = format!("s1 {first} {second}: stand");
            let wagers = "w1 s1 match_the_dealer 100; w2 s1 main 1000";
            let round = round(json!({"decks": decks as i64}), wagers, &boxes, "9C 9D");
            let returned = table.settle(&round).wagers()[0].returned.get();
            gained += weight * (i128::from(returned) - 100);
            ways += weight;
        }
    }
    assert_eq!(ways, (48 * decks - 1) * (48 * decks - 2));
    -gained * 1_000_000 / (ways * 100)
}

#[test]
fn match_the_dealer_has_the_published_edges() {
    // 3.06% with six decks, 2.99% with eight.
    assert_eq!(match_edge(6), 30_554);
    assert_eq!(match_edge(8), 29_855);
}
