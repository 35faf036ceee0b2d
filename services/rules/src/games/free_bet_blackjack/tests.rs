//! Free Bet Blackjack: every cell, refusal and violation, and what a lammer is worth.
//!
//! The main wager has no exact edge here. The published ones are of the best play from six decks, in
//! which the hands of a split and the dealer draw on each other's cards: the ways to play them out are not
//! to be counted in a test.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::FreeBetBlackjack;
use crate::games::shared::testround::{self, with};
use crate::settlement::Verdict::{self, Lose, Push, Void, Win};
use crate::testkit::TestTable;

const MAIN: &str = "w1 s1 main 1000";

fn round(options: Value, wagers: &str, boxes: &str, dealer: &str) -> Value {
    let game = ("free_bet_blackjack", "oh-jack-2017");
    testround::round(game, options, wagers, boxes, dealer)
}

fn open() -> TestTable<FreeBetBlackjack> {
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

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    let table = open();
    table.assert_cells(include_str!("cells.txt"), |cell| {
        let push_22 = |dealer: &str| {
            let wagers = "w1 s1 push_22 1000; w2 s1 main 1000";
            round(
                json!({"side_bets": ["push_22"]}),
                wagers,
                "s1 KC 9H: stand",
                dealer,
            )
        };
        match cell.row {
            "blackjack_3_to_2" => round(json!({}), MAIN, "s1 AS KH", "9C 9D"),
            "blackjack_6_to_5" => {
                round(json!({"blackjack_pays": "6:5"}), MAIN, "s1 AS KH", "9C 9D")
            }
            "even_money" => {
                let round = round(json!({}), MAIN, "s1 AS KH", "AC KD checked");
                with(round, "/play/boxes/0/even_money", json!(["w1"]))
            }
            "insurance" => {
                let wagers = "w1 s1 insurance 500 on=w2; w2 s1 main 1000";
                round(json!({}), wagers, "s1 KC 9H", "AC KD checked")
            }
            "suited" => push_22("9C 6C 7C"),
            "same_color" => push_22("9C 6S 7C"),
            "any" => push_22("9C 6D 7C"),
            _ => round(json!({}), MAIN, "s1 KC 9H: stand", "9C 9D"),
        }
    });
}

#[test]
fn every_violation_is_raised_by_its_fault_and_by_nothing_else() {
    testround::assert_violations(&open(), include_str!("violations.txt"), |line| {
        testround::read_line("free_bet_blackjack", line)
    });
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let table = open();
    let nineteen = "s1 KC 9H: stand";
    let missing_second = "play.dealer: the dealer's second card is missing";
    let cases = [
        (
            round(json!({"hole_card": "none"}), MAIN, nineteen, "9C 9D"),
            r#"options.hole_card: "none" cannot be read"#,
        ),
        (
            round(json!({"double_card": "sideways"}), MAIN, nineteen, "9C 9D"),
            "options.double_card: ",
        ),
        (
            round(json!({"shuffler": "robot"}), MAIN, nineteen, "9C 9D"),
            "options.shuffler: ",
        ),
        (
            round(json!({"even_money": true}), MAIN, nineteen, "9C 9D"),
            r#"options.even_money: "even_money" is not an option"#,
        ),
        (
            round(json!({}), "w1 s1 blazing_sevens 500", nineteen, "9C 9D"),
            r#"wagers[0].kind: "blazing_sevens" is not a wager of free_bet_blackjack"#,
        ),
        (
            round(json!({}), "w1 s1 main 0", nineteen, "9C 9D"),
            "wagers[0].amount: a stake is at least a cent",
        ),
        (
            round(json!({}), MAIN, "s1 KC 9H: rescue", "9C 9D"),
            r#"play.boxes[0].steps[0].do: "rescue" is not a known word here"#,
        ),
        (
            round(json!({}), MAIN, "s1 8C 8H: free_split", "9C 9D"),
            "play.boxes[0].steps[0].new_hand: a split names its new hand",
        ),
        (
            round(json!({}), MAIN, "s1 5C 6H: free_double", "9C 9D"),
            "play.boxes[0].steps[0].card: this step needs its card",
        ),
        (
            round(json!({}), MAIN, "s1 KC", "9C 9D"),
            "play.boxes[0].cards: ",
        ),
        (
            with(
                round(json!({}), MAIN, nineteen, "9C 9D"),
                "/play/void_round",
                json!("box"),
            ),
            r#"play.void_round: "box" is not a known word here"#,
        ),
        (
            round(json!({}), MAIN, nineteen, ""),
            "play.dealer.cards: the dealer has no card",
        ),
        (round(json!({}), MAIN, nineteen, "9C"), missing_second),
        (round(json!({}), MAIN, "s1 AC KD", "TC"), missing_second),
        (
            round(json!({}), MAIN, "s1 KC 6D: surrender", "TC"),
            missing_second,
        ),
        (
            round(json!({"shuffler": "continuous"}), MAIN, nineteen, "9C 9D"),
            "options.shuffler: ",
        ),
        (
            round(json!({}), "w1 s1 main 1000 lammer=1000", nineteen, "9C 9D"),
            "wagers[0].lammer: ",
        ),
        (
            round(
                json!({"side_bets": ["push_22"]}),
                "w1 s1 main 1000; w2 s1 push_22 500 hand=1",
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
            round(
                json!({}),
                "w1 s1 main 1000; w2 s1 push_22 500",
                "s1 KC 6D: hit 9C",
                "9C",
            ),
            missing_second,
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
fn a_dealers_22_pushes_every_hand_that_is_neither_bust_nor_blackjack() {
    let boxes = "s1 KC AH: stand; s2 5C 6D: free_double KH; s3 KC 6D: hit 9C; s4 KC 2D: stand";
    let wagers = "w1 s1 main 1000; w2 s2 main 1000; w3 s2 free_double 0 on=w2 lammer=1000; \
                  w4 s3 main 1000; w5 s4 main 1000";
    let push = round(json!({}), wagers, boxes, "9C 6D 7C");
    let expected = [
        (Win, 2500),
        (Push, 1000),
        (Push, 0),
        (Lose, 0),
        (Push, 1000),
    ];
    assert_eq!(settled(&push), expected);
    let over = round(json!({}), wagers, boxes, "9C 6D 8C");
    let expected = [
        (Win, 2500),
        (Win, 2000),
        (Win, 1000),
        (Lose, 0),
        (Win, 2000),
    ];
    assert_eq!(settled(&over), expected);
}

#[test]
fn a_free_bet_pays_the_original_wager_whatever_its_lammer_says() {
    let wagers = "w1 s1 main 1000; w2 s1 free_split 300 on=w1 hand=2 lammer=7; \
                  w3 s1 free_double 0 on=w2 hand=2 lammer=7; w4 s1 free_split 0 hand=2";
    let boxes = "s1 8C 8D: free_split 2, deal KC, stand, 2 deal 3D, 2 free_double 9D";
    let win = round(json!({}), wagers, boxes, "9C 9D");
    // The orphan's chain breaks at itself: nothing stands behind it.
    assert_eq!(
        settled(&win),
        [(Push, 1000), (Win, 1300), (Win, 1000), (Win, 0)]
    );
    let settlement = open().settle(&win);
    assert_eq!(settlement.wagers()[1].win.get(), 1000);
    let void = with(win, "/play/void_round", json!("hands"));
    assert_eq!(
        settled(&void),
        [(Void, 1000), (Void, 300), (Void, 0), (Void, 0)]
    );
}

#[test]
fn free_bets_neither_win_nor_lose_against_a_dealer_blackjack() {
    let wagers = "w1 s1 main 1000; w2 s1 free_split 0 on=w1 hand=2 lammer=1000; \
                  w3 s1 double 1000 on=w1";
    let boxes = "s1 8C 8D: free_split 2, deal 3C, double KC, 2 deal KD, 2 stand";
    let round = round(json!({"hole_card": "down"}), wagers, boxes, "TC AD");
    assert_eq!(settled(&round), [(Lose, 0), (Push, 0), (Push, 1000)]);
}

#[test]
fn a_hand_that_was_surrendered_plays_on() {
    let round = |dealer: &str| round(json!({}), MAIN, "s1 KC 4D: surrender", dealer);
    assert_eq!(settled(&round("8C TD")), [(Lose, 0)]);
    assert_eq!(settled(&round("8C 5D TH")), [(Win, 2000)]);
    let codes = open().violations(&round("8C 5D"));
    assert_eq!(
        codes,
        ["dealer.stood_short", "decision.surrender_not_offered"]
    );
}

#[test]
fn money_beside_a_lammer_rides_on_the_hand_and_wins_nothing() {
    let wagers = "w1 s1 main 700; w2 s1 free_double 700 on=w1 lammer=700";
    let of = |card: &str| {
        let boxes = format!("s1 5C 6D: free_double {card}");
        settled(&round(json!({}), wagers, &boxes, "9C 9D"))
    };
    assert_eq!(of("7C"), [(Push, 700), (Push, 700)]);
    assert_eq!(of("9C"), [(Win, 1400), (Win, 1400)]);
    assert_eq!(of("2C"), [(Lose, 0), (Lose, 0)]);
}

#[test]
fn who_has_blackjack_may_not_insure_it() {
    let wagers = "w1 s1 main 3000; w2 s1 insurance 1500 on=w1";
    let of = |boxes: &str| settled(&round(json!({}), wagers, boxes, "AC QD checked"));
    assert_eq!(of("s1 AD KH"), [(Push, 3000), (Void, 1500)]);
    assert_eq!(of("s1 9D KH"), [(Lose, 0), (Win, 4500)]);
}

#[test]
fn push_22_goes_back_with_a_dead_box_and_counts_only_cards_that_count() {
    let wagers = "w1 s1 main 1000; w2 s1 push_22 500";
    let options = json!({"side_bets": ["push_22"]});
    // The four was drawn on 18 and is burned.
    let surplus = round(options.clone(), wagers, "s1 KC 9H: stand", "9C 9D 4C");
    assert_eq!(settled(&surplus), [(Win, 2000), (Lose, 0)]);
    let twenty_two = round(options, wagers, "s1 KC 9H: hit 5D", "9C 6C 7C");
    assert_eq!(settled(&twenty_two), [(Lose, 0), (Win, 25_500)]);
    let void = with(twenty_two.clone(), "/play/void_round", json!("hands"));
    assert_eq!(settled(&void), [(Void, 1000), (Void, 500)]);
    let dead = json!({"seat": 1, "cards": ["KC"], "dead": "one_card"});
    let dead = with(twenty_two, "/play/boxes/0", dead);
    assert_eq!(settled(&dead), [(Void, 1000), (Void, 500)]);
}

#[test]
fn twelve_that_stands_against_a_four_loses_the_published_share() {
    // Of a shoe without end, the dealer hitting soft 17: 0.301161, where blackjack loses 0.205850.
    let table = open();
    let (mut lost, mut ways) = (0, 0);
    for (dealer, weight) in testround::dealer_hands('4', true) {
        let round = round(json!({}), "w1 s1 main 1", "s1 KD 2D: stand", &dealer);
        lost += weight * (1 - i128::from(table.settle(&round).wagers()[0].returned.get()));
        ways += weight;
    }
    assert_eq!((lost * 2_000_000 / ways + 1) / 2, 301_161);
}

/// What a dealer who hits soft 17 may draw from whole decks: for each set of values that makes 22, one
/// order of it and the number of orders. Values of two to nine, ten and ace, which is one.
fn sets_of_22(
    held: &mut Vec<usize>,
    found: &mut BTreeMap<Vec<usize>, (Vec<usize>, i128)>,
    stands: &mut i128,
) {
    for value in 1..=10 {
        held.push(value);
        let hard: usize = held.iter().sum();
        let soft = hard <= 11 && held.contains(&1);
        let total = if soft { hard + 10 } else { hard };
        if held.len() < 2 || total < 17 || total == 17 && soft {
            sets_of_22(held, found, stands);
        } else {
            *stands += 1;
            if total == 22 {
                let mut set = held.clone();
                set.sort_unstable();
                found.entry(set).or_insert((held.clone(), 0)).1 += 1;
            }
        }
        held.pop();
    }
}

#[test]
fn push_22_wins_as_often_as_six_decks_make_it() {
    let table = open();
    let (mut sets, mut stands) = (BTreeMap::new(), 0);
    sets_of_22(&mut Vec::new(), &mut sets, &mut stands);
    let orders: i128 = sets.values().map(|(_, orders)| orders).sum();
    assert_eq!((stands, orders), (70_561, 7_590));
    // The chance of one order of a set in cards of so many suits, in parts of a unit that is fine enough
    // for what is dropped of them to be nothing. A ten stands for four ranks.
    const UNIT: i128 = 10_i128.pow(24);
    let chance = |set: &[usize], suits: i128| {
        let card = |chance: i128, at: usize| {
            let ranks = if set[at] == 10 { 4 } else { 1 };
            let gone = set[..at].iter().filter(|&&one| one == set[at]).count() as i128;
            chance * (suits * ranks * 6 - gone).max(0) / (312 - at as i128)
        };
        (0..set.len()).fold(UNIT, card)
    };
    let pays = |set: &[usize], suit: &dyn Fn(usize) -> &'static str| {
        let card = |(at, value): (usize, &usize)| {
            format!("{}{}", &"A23456789T"[value - 1..*value], suit(at))
        };
        let dealer: Vec<String> = set.iter().enumerate().map(card).collect();
        let wagers = "w1 s1 push_22 100; w2 s1 main 1000";
        let options = json!({"side_bets": ["push_22"]});
        let round = round(options, wagers, "s1 KC 9H: stand", &dealer.join(" "));
        i128::from(table.settle(&round).wagers()[0].returned.get())
    };
    let (mut often, mut back) = (0, 0);
    for (set, (order, orders)) in &sets {
        let (suited, colored) = (4 * chance(set, 1), 2 * chance(set, 2));
        let rest = chance(set, 4) - colored;
        often += orders * (colored + rest);
        back += orders
            * (suited * pays(order, &|_| "C")
                + (colored - suited) * pays(order, &|at| ["C", "S"][at % 2])
                + rest * pays(order, &|at| ["C", "H"][at % 2]));
    }
    // A count of its own, by states of the hand, gives 7.35362% and an edge of 11.70900%.
    assert_eq!((often * 2_000_000 / UNIT + 1) / 2, 73_536);
    assert_eq!(((UNIT * 100 - back) * 20_000 / UNIT + 1) / 2, 117_090);
}
