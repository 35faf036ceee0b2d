//! Red Dog: every cell, refusal and violation, and the exact house edge.

use serde_json::{Value, json};

use super::RedDog;
use super::settle::{Ending, FirstCards};
use crate::floor::Card;
use crate::games::shared::testround::{self, with};
use crate::settlement::Verdict::{self, Lose, Push, Void, Win};
use crate::testkit::TestTable;

fn round(options: Value, wagers: &str, cards: &str) -> Value {
    json!({
        "game": "red_dog", "edition": "mgc-2017", "options": options,
        "wagers": testround::wagers(wagers),
        "play": {"cards": cards.split_whitespace().collect::<Vec<_>>()},
    })
}

fn open() -> TestTable<RedDog> {
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
        let cards = match cell.row {
            "1" => "9C JD TS",
            "2" => "JC 8D 9S",
            "3" => "2C 6D 4S",
            "4_to_11" => "2C 7D 4S",
            _ => "QC QD QS",
        };
        round(json!({}), "w1 s1 original 1000", cards)
    });
}

#[test]
fn every_violation_is_raised_by_its_fault_and_by_nothing_else() {
    testround::assert_violations(&open(), include_str!("violations.txt"), |line| {
        let mut fields = line.split('|').map(str::trim);
        let mut field = || fields.next().unwrap_or_else(|| panic!("round: {line}"));
        let options = serde_json::from_str(field()).unwrap();
        let table = round(options, field(), field());
        fields.fold(table, |round, patch| {
            let (pointer, value) = patch.split_once(' ').unwrap();
            with(round, pointer, serde_json::from_str(value).unwrap())
        })
    });
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let table = open();
    let original = "w1 s1 original 1000";
    let missing_third = "play.cards: the third card is missing";
    let spread = || round(json!({}), original, "3C QD 8S");
    let cases = [
        (
            round(json!({"spread": 1}), original, "3C QD 8S"),
            r#"options.spread: "spread" is not an option"#,
        ),
        (
            round(json!({"shuffler": "robot"}), original, "3C QD 8S"),
            "options.shuffler: ",
        ),
        (
            round(
                json!({"pays": {"spread": {"12": "2:1"}}}),
                original,
                "3C QD 8S",
            ),
            r#"options.pays.spread.12: "12" is not a spread"#,
        ),
        (
            round(
                json!({"pays": {"spread": {"01": "2:1"}}}),
                original,
                "3C QD 8S",
            ),
            r#"options.pays.spread.01: "01" is not a spread"#,
        ),
        (
            round(json!({}), "w1 s1 ante 1000", "3C QD 8S"),
            r#"wagers[0].kind: "ante" is not a wager of red_dog"#,
        ),
        (
            round(json!({}), original, "3C 1D 8S"),
            r#"play.cards[1]: "1D" is not a card"#,
        ),
        (
            round(json!({}), original, "3C JK 8S"),
            r#"play.cards[1]: "JK" is not a card of this game"#,
        ),
        (
            with(spread(), "/play/exposed_third", json!("JK")),
            "play.exposed_third: ",
        ),
        (
            round(json!({}), original, "3C"),
            "play.cards: two or three cards are dealt, not 1",
        ),
        (
            round(json!({}), original, "3C QD 8S 9S"),
            "play.cards: two or three cards are dealt, not 4",
        ),
        (round(json!({}), original, "3C QD"), missing_third),
        (round(json!({}), original, "3C 3D"), missing_third),
        (
            with(spread(), "/play/voided_seats", json!([1, 2])),
            "play.voided_seats[1]: nobody bet on seat 2",
        ),
        (
            with(spread(), "/play/spread", json!(8)),
            r#"play.spread: "spread" is not a known key here"#,
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
fn a_raise_without_a_spread_goes_back_and_an_orphan_plays_by_the_cards() {
    let wagers = "w1 s1 original 1000; w2 s1 raise 500 on=w1";
    for (cards, original) in [
        ("KC AD", (Push, 1000)),
        ("KC AD 5C", (Push, 1000)),
        ("5C 5D 6H", (Push, 1000)),
        ("5C 5D 5H", (Win, 12_000)),
    ] {
        let round = round(json!({}), wagers, cards);
        assert_eq!(settled(&round), [original, (Void, 500)], "{cards}");
    }
    let orphan = round(json!({}), "w1 s1 raise 500 on=w9", "5C 7D 6H");
    assert_eq!(settled(&orphan), [(Win, 3000)]);
}

#[test]
fn who_took_the_wagers_back_needs_no_third_card() {
    let wagers = "w1 s1 original 1000; w2 s1 raise 500 on=w1; w3 s2 original 1000";
    let one = with(
        round(json!({}), wagers, "3C QD 2S"),
        "/play/voided_seats",
        json!([1]),
    );
    assert_eq!(settled(&one), [(Void, 1000), (Void, 500), (Lose, 0)]);
    let all = with(
        round(json!({}), wagers, "3C QD"),
        "/play/voided_seats",
        json!([1, 2]),
    );
    assert_eq!(settled(&all), [(Void, 1000), (Void, 500), (Void, 1000)]);
}

#[test]
fn raised_odds_are_paid_and_lowered_ones_are_not() {
    let options = json!({"pays": {"spread": {"1": "11:2", "4": "1:2"}}});
    let odd = round(options.clone(), "w1 s1 original 101", "5C 7D 6H");
    assert_eq!(
        settled(&odd),
        [(Win, 101 + 555)],
        "the half cent is dropped"
    );
    let lowered = round(options, "w1 s1 original 1000", "2C 7D 6H");
    assert_eq!(settled(&lowered), [(Win, 2000)]);
}

/// What a player loses on average who raises exactly where it pays, in millionths of the original
/// wager, and how often each kind of first two cards comes, by ordered deals of three cards.
fn edge(decks: i64) -> i64 {
    let table = open();
    let cards: Vec<Card> = Card::deck().collect();
    let odds = |round: &Value| {
        let settled = table.settle(round);
        settled.wagers()[0].win.get() / 100
    };
    // What each ending wins, from the settlement itself.
    let three_of_a_kind = odds(&round(json!({}), "w1 s1 original 100", "QC QD QS"));
    let spreads: Vec<i64> = (1..=11)
        .map(|spread: usize| {
            let high = cards[4 * (spread + 1)];
            odds(&round(
                json!({}),
                "w1 s1 original 100",
                &format!("2C {high} 3D"),
            ))
        })
        .collect();
    let (mut gained, mut ways) = (0, 0);
    for &first in &cards {
        for &second in &cards {
            let before = decks * (decks - i64::from(first == second));
            let (mut original, mut deals) = (0, 0);
            for &third in &cards {
                let drawn = [first, second]
                    .iter()
                    .filter(|&&card| card == third)
                    .count();
                let weight = before * (decks - drawn as i64);
                deals += weight;
                original += weight
                    * match Ending::of(first, second, third) {
                        Ending::Tie => 0,
                        Ending::ThreeOfAKind => three_of_a_kind,
                        Ending::Between(spread) => spreads[usize::from(spread) - 1],
                        Ending::Outside => -1,
                    };
            }
            let has_spread = matches!(FirstCards::of(first, second), FirstCards::Spread(_));
            let raises = has_spread && original > 0;
            gained += if raises { 2 * original } else { original };
            ways += deals;
        }
    }
    let total = 52 * decks;
    assert_eq!(ways, total * (total - 1) * (total - 2));
    (i128::from(-gained) * 1_000_000 / i128::from(ways)) as i64
}

#[test]
fn the_house_edge_is_the_published_one_for_every_number_of_decks() {
    // Published: 3.155%, 3.077%, 2.884%, 2.798% and 2.751%.
    for (decks, published) in [
        (1, 31_553),
        (2, 30_766),
        (4, 28_837),
        (6, 27_978),
        (8, 27_508),
    ] {
        assert_eq!(edge(decks), published, "{decks} decks");
    }
}
