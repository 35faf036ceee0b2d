//! Four card poker: every cell, refusal and violation, and the edges.

mod mathematics;

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::FourCardPoker;
use crate::Edition::OhJack2017;
use crate::games::shared::ante_play_rounds::{
    self, assert_common_option_refusals, assert_common_refusals, assert_raised, assert_refused,
    changed, five_cards, with_irregularities, with_key,
};
use crate::testkit::TestTable;

/// A pair of queens.
const DEALER: &str = "QS QD 3D 6H 4S 2D";
const PLAYED: &str = "1 play KS KD 8S 5D 3H: ante 500, play 500";

fn table() -> &'static TestTable<FourCardPoker> {
    static TABLE: LazyLock<TestTable<FourCardPoker>> = LazyLock::new(TestTable::open);
    &TABLE
}

fn round_with(options: Value, dealer: &str, seats: &[&str]) -> Value {
    ante_play_rounds::round(table(), OhJack2017, options, dealer, seats)
}

fn round(dealer: &str, seats: &[&str]) -> Value {
    round_with(json!({}), dealer, seats)
}

fn verdict(document: &Value, id: &str) -> String {
    ante_play_rounds::verdict(table(), document, id)
}

fn assert_verdicts(document: &Value, expected: &[(&str, &str)]) {
    for (id, expected) in expected {
        assert_eq!(verdict(document, id), *expected, "{id} {document}");
    }
}

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    table().assert_cells(include_str!("../cells.txt"), |cell| {
        let hand = match cell.table {
            "main" => "KS KD 8S 5D 3H",
            _ => five_cards(cell),
        };
        let seats = match cell.table {
            "main" if cell.row == "play" => vec![format!("1 play {hand}: play 1000, ante 1000")],
            "main" | "ante_bonus" => vec![format!("1 play {hand}: ante 1000, play 1000")],
            "aces_up" => vec![format!("1 - {hand}: aces_up 1000")],
            "multi_link_progressive" => {
                vec![format!(
                    "1 play {hand}: progressive 100, ante 1000, play 1000"
                )]
            }
            _ => vec![
                "1 fold 2C 7C 9D JD AD: progressive 100, ante 1000".to_owned(),
                format!("2 play {hand}: ante 1000, play 1000"),
            ],
        };
        let seats: Vec<&str> = seats.iter().map(String::as_str).collect();
        with_key(
            round(DEALER, &seats),
            "/play",
            "meters",
            json!({"progressive": 2_500_000}),
        )
    });
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let lawful = round(DEALER, &[PLAYED]);
    let two_seats = round(DEALER, &[PLAYED, "2 fold 8C 7D 4C 2S TH: ante 500"]);
    assert_common_refusals(table(), &lawful, &two_seats);
    assert_common_option_refusals(table(), &lawful);
    let cases = [
        (
            changed(lawful.clone(), "/wagers/0/kind", json!("queens_up")),
            "wagers[0].kind: \"queens_up\" is not a wager of four_card_poker",
        ),
        (
            changed(two_seats, "/play/hands/1/decision", json!("forfeit")),
            "play.hands[1].decision: \"forfeit\" is not a decision of this text",
        ),
        (
            changed(lawful.clone(), "/play/dealer", json!(null)),
            "play.dealer: a seat stayed in",
        ),
        (
            with_irregularities(
                lawful.clone(),
                json!([{"code": "misdeal", "independent_wagers_stand": true}]),
            ),
            "play.irregularities[0].independent_wagers_stand: ",
        ),
        (
            changed(lawful.clone(), "/edition", json!("mgc-2017")),
            "edition: ",
        ),
        (
            with_key(lawful, "/options", "max_positions", json!(0)),
            "options.max_positions: ",
        ),
    ];
    assert_refused(table(), &cases);
}

#[test]
fn every_violation_is_raised_by_its_round_and_not_by_a_lawful_twin() {
    let one = |seat: &str| round(DEALER, &[seat]);
    let with = |options| round_with(options, DEALER, &[PLAYED]);
    let lawful = || round(DEALER, &[PLAYED]);
    let played = |amount: i64| one(&format!("1 play KS KD 8S 5D 3H: ante 500, play {amount}"));
    let side = "1 - KS KD 8S 5D 3H: aces_up 500";
    let held_by = |most: u64, seat: u16| {
        let other = format!("{seat} fold 8C 7D 4C 2S TH: ante 500");
        let document = round_with(json!({"max_positions": most}), DEALER, &[PLAYED, &other]);
        let document = with_key(document, "/play/hands/0", "player", json!("ann"));
        with_key(document, "/play/hands/1", "player", json!("ann"))
    };
    let offered = |kinds: Value| {
        let seat = "1 play KS KD 8S 5D 3H: ante 500, play 500, aces_up 500";
        round_with(json!({"offered": kinds}), DEALER, &[seat])
    };
    let long = || one("1 play KS KD 8S 5D 3H 2H: ante 500, play 500");
    let manual = |two: bool| with(json!({"shuffler": "manual", "alternating_decks": two}));
    let cases = [
        (
            "wager.not_offered",
            offered(json!(["progressive"])),
            offered(json!(["aces_up"])),
        ),
        ("wager.play_amount", played(499), played(500)),
        ("wager.play_amount", played(1501), played(1500)),
        (
            "wager.play_without_ante",
            one("1 - KS KD 8S 5D 3H: aces_up 500, play 1"),
            one(side),
        ),
        (
            "wager.play_without_ante",
            one("1 fold KS KD 8S 5D 3H: ante 500, play 9"),
            one("1 fold KS KD 8S 5D 3H: ante 500"),
        ),
        (
            "wager.play_missing",
            one("1 play KS KD 8S 5D 3H: ante 500"),
            lawful(),
        ),
        (
            "procedure.decision_without_ante",
            one("1 fold KS KD 8S 5D 3H: aces_up 500"),
            one("1 abandoned KS KD 8S 5D 3H: aces_up 500"),
        ),
        (
            "wager.side_without_main",
            one("1 - KS KD 8S 5D 3H: aces_up 500, progressive 100"),
            one("1 fold KS KD 8S 5D 3H: ante 500, progressive 100"),
        ),
        (
            "wager.progressive_amount",
            one("1 fold KS KD 8S 5D 3H: ante 500, progressive 500"),
            round_with(
                json!({"progressive_bet": 500}),
                DEALER,
                &["1 fold KS KD 8S 5D 3H: ante 500, progressive 500"],
            ),
        ),
        ("wager.multi_position", held_by(1, 2), held_by(2, 2)),
        ("wager.multi_position", held_by(2, 3), held_by(2, 2)),
        (
            "table.seat",
            one("8 - KS KD 8S 5D 3H: aces_up 500"),
            one("7 - KS KD 8S 5D 3H: aces_up 500"),
        ),
        (
            "deal.card_count",
            long(),
            with_irregularities(long(), json!([{"code": "misdeal"}])),
        ),
        (
            "deal.card_count",
            round("QS QD 3D 6H 4S 2D 9D", &[PLAYED]),
            lawful(),
        ),
        (
            "deal.hand_without_wager",
            round(DEALER, &[PLAYED, "2 - 8C: "]),
            lawful(),
        ),
        (
            "deck.duplicate_card",
            one("1 play KS KS 8S 5D 3H: ante 500, play 500"),
            lawful(),
        ),
        (
            "deck.duplicate_card",
            round(DEALER, &[PLAYED, "2 - KS 9C 8C 5C 3C: aces_up 1"]),
            lawful(),
        ),
        (
            "deck.foreign_card",
            round("QS QD 3D 6H 4S JK", &[PLAYED]),
            lawful(),
        ),
        (
            "config.max_positions",
            with(json!({"max_positions": 3})),
            with(json!({"max_positions": 2})),
        ),
        (
            "config.second_deck_without_shuffler",
            manual(true),
            manual(false),
        ),
        (
            "config.payout_limit_too_low",
            with(json!({"max_payout": 4_999_999})),
            with(json!({"max_payout": 5_000_000})),
        ),
    ];
    assert_raised(table(), &cases, &[]);
}

#[test]
fn the_four_cards_that_count_decide_and_idle_cards_never_do() {
    for (player, dealer, ante) in [
        // Equal fours win, whatever the fifth and sixth cards are.
        ("JH JC 9D 6S 3H", "JS JD 9C 6H 5S 4D", "win 500 1000"),
        ("JH JC 9D 5S 3H", "JS JD 9C 6H 4S 2D", "lose 0 0"),
        // A straight of five cards is its top four, the lowest is ace to four.
        ("8H 7C 6D 5S 4H", "8S 7D 6C 5H QS QD", "win 500 1000"),
        ("4H 3C 2D AS 9H", "5S 4D 3H 2C KS QD", "lose 0 0"),
        ("AH KC 2D 3S 9H", "5S 5D 9C JH 8S 7D", "lose 0 0"),
        // A flush beats a straight, three of a kind beats a flush, two pairs have no side card.
        ("KC TC 5C 2C AH", "AS KD QH JC 9S 9D", "win 500 1000"),
        ("2H 2C 2D 9S 7H", "AS QS 8S 7S 3D 4D", "win 1500 2000"),
        ("9H 9C 8D 8S 2H", "9S 9D 8C 8H AS KD", "win 500 1000"),
        // Four of a kind beats a straight flush.
        ("2H 2C 2D 2S 7H", "AD KD QD JD 9S 8C", "win 13000 13500"),
        ("AC KC QC JC 7H", "2H 2D 2S 2C 9S 8D", "lose 10000 10000"),
    ] {
        let seat = format!("1 play {player}: ante 500, play 500");
        let document = round(dealer, &[&seat]);
        assert_eq!(verdict(&document, "1.ante"), ante, "{player} v {dealer}");
    }
}

#[test]
fn the_payout_limit_is_for_each_wager_and_cuts_a_bonus_on_a_lost_ante() {
    let seat = "1 play AC KC QC JC 7H: ante 300000, play 300000, aces_up 300000, progressive 100";
    let document =
        |limit: Value, dealer: &str| round_with(json!({"max_payout": limit}), dealer, &[seat]);
    let quads = "2H 2D 2S 2C 9S 8D";
    assert_verdicts(
        &document(json!(5_000_000), quads),
        &[
            ("1.ante", "lose 5000000 5000000"),
            ("1.play", "lose 0 0"),
            ("1.aces_up", "win 5000000 5300000"),
        ],
    );
    assert_verdicts(
        &document(json!(400), DEALER),
        &[
            // A limit below the least counts as that.
            ("1.ante", "win 5000000 5300000"),
            ("1.play", "win 300000 600000"),
            ("1.aces_up", "win 5000000 5300000"),
        ],
    );
    assert_verdicts(
        &document(json!(null), DEALER),
        &[
            ("1.ante", "win 6300000 6600000"),
            ("1.aces_up", "win 12000000 12300000"),
        ],
    );
    let royal = "1 play AC KC QC JC TC: ante 500, play 500, progressive 100";
    let mut document = round_with(json!({"max_payout": 1}), DEALER, &[royal]);
    document["play"]["meters"] = json!({"progressive": 1_000_000});
    assert_eq!(verdict(&document, "1.progressive"), "win 999900 1000000");
}

#[test]
fn an_unseen_dealer_is_in_order_if_nobody_stayed_in() {
    let seats = [
        "1 fold KS KD 8S 5D 3H: ante 500, aces_up 500",
        "2 - AS AD 8C 5H 3S: aces_up 500",
        "3 play JS JD 7C 5C 2H: ante 500",
    ];
    let document = changed(round(DEALER, &seats), "/play/dealer", json!(null));
    assert_verdicts(
        &document,
        &[
            ("1.ante", "lose 0 0"),
            ("1.aces_up", "lose 0 0"),
            ("2.aces_up", "win 500 1000"),
            ("3.ante", "lose 0 0"),
        ],
    );
    assert_eq!(table().violations(&document), ["wager.play_missing"]);
}

#[test]
fn a_void_round_returns_every_wager_whatever_was_decided() {
    let seats = [
        "1 - KS KD 8S 5D 3H: ante 500, play 500",
        "2 fold AS AD 8C 5H 3S: ante 500, aces_up 9",
    ];
    for (entry, void) in [
        (json!({"code": "card_count"}), true),
        (json!({"code": "misdeal"}), true),
        (json!({"code": "deck_count"}), true),
        (json!({"code": "hole_card_exposed"}), true),
        (json!({"code": "shoe_failure"}), true),
        (json!({"code": "face_up_card", "count": 2}), true),
        (json!({"code": "face_up_card", "count": 1}), false),
        (json!({"code": "face_up_card"}), false),
        (json!({"code": "card_drawn_in_error"}), false),
        (json!({"code": "shuffler_failure"}), false),
    ] {
        let seats = if void { &seats[..] } else { &seats[1..] };
        let document = with_irregularities(round(DEALER, seats), json!([entry]));
        let expected = if void { "void 0 9" } else { "lose 0 0" };
        assert_eq!(verdict(&document, "2.aces_up"), expected, "{entry}");
        assert_eq!(table().violations(&document), Vec::<&str>::new());
    }
}

#[test]
fn winners_of_the_meter_are_paid_in_dealing_order_from_what_is_left() {
    let seats = [
        "5 play 9S 8S 7S 6S 5S: ante 500, play 500, progressive 100",
        "2 play 9H 8H 7H 6H 5H: ante 500, play 500, progressive 100",
        "3 play AC KC QC JC TC: ante 500, play 500, progressive 100",
        "4 fold AD KD QD JD TD: ante 500, progressive 100",
        "6 abandoned AH KH QH JH TH: ante 500, progressive 100",
    ];
    let dealer = "JS TS 3D 6D 4S 2D";
    let document = round_with(json!({"progressive_reset": 5_555}), dealer, &seats);
    let document = with_key(
        document,
        "/play",
        "meters",
        json!({"progressive": 1_000_009}),
    );
    // Seat 2 takes 100,000, seat 3 the other 900,009, seat 5 a tenth of the reset, 555. Envy is
    // 300.00 for each straight flush and 1,000.00 for the royal that was played.
    assert_verdicts(
        &document,
        &[
            ("2.progressive", "win 229900 230000"),
            ("3.progressive", "win 959909 960009"),
            ("4.progressive", "win 159900 160000"),
            ("5.progressive", "win 130455 130555"),
            ("6.progressive", "lose 0 0"),
        ],
    );
    let one_person = with_key(document, "/play/hands/0", "player", json!("ann"));
    let one_person = with_key(one_person, "/play/hands/1", "player", json!("ann"));
    assert_verdicts(
        &one_person,
        &[
            ("2.progressive", "win 199900 200000"),
            ("5.progressive", "win 100455 100555"),
        ],
    );
}

#[test]
fn a_chip_of_another_size_or_without_an_ante_is_no_progressive_wager() {
    let flush = "1 play KC TC 5C 2C 9C: ante 1000, play 1000, progressive 300";
    let document = round(DEALER, &[flush]);
    assert_eq!(verdict(&document, "1.progressive"), "void 0 300");
    assert_eq!(table().violations(&document), ["wager.progressive_amount"]);
    // The hand of an aces up is in the round: it gives envy and has no prize.
    let royal = "1 - AC KC QC JC TC: aces_up 500, progressive 100";
    let other = "2 fold 8C 7D 4C 2H TH: ante 500, progressive 100";
    let document = round(DEALER, &[royal, other]);
    assert_eq!(verdict(&document, "1.progressive"), "void 0 100");
    assert_eq!(verdict(&document, "2.progressive"), "win 99900 100000");
    assert_eq!(table().violations(&document), ["wager.side_without_main"]);
}

#[test]
fn a_share_of_a_meter_that_nobody_read_is_refused_and_fixed_prizes_are_not() {
    let hand = |cards: &str, bets: &str| round(DEALER, &[&format!("1 {cards}: ante 500, {bets}")]);
    let royal = hand("play AC KC QC JC TC", "play 500, progressive 100");
    assert!(
        table()
            .refusal(&royal)
            .starts_with("play.meters.progressive: ")
    );
    let fixed = hand("play KC TC 5C 2C 9C", "play 500, progressive 100");
    assert_eq!(verdict(&fixed, "1.progressive"), "win 3900 4000");
    let folded = hand("fold AC KC QC JC TC", "progressive 100");
    assert_eq!(verdict(&folded, "1.progressive"), "lose 0 0");
    let void = with_irregularities(royal, json!([{"code": "misdeal"}]));
    assert_eq!(verdict(&void, "1.progressive"), "void 0 100");
}
