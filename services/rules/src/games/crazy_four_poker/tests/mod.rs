//! Crazy four poker: every cell, refusal and violation, and the edges.

mod mathematics;

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::CrazyFourPoker;
use crate::Edition::OhJack2017;
use crate::games::shared::ante_play_rounds::{
    self, assert_common_option_refusals, assert_common_refusals, assert_raised, assert_refused,
    changed, five_cards, with_irregularities, with_key,
};
use crate::testkit::TestTable;

/// King high: the dealer qualifies with it.
const DEALER: &str = "KS JD 6H 4S 2D";
const PLAYED: &str = "1 play QH QC 8S 5D 3H: ante 500, super_bonus 500, play 500";

fn table() -> &'static TestTable<CrazyFourPoker> {
    static TABLE: LazyLock<TestTable<CrazyFourPoker>> = LazyLock::new(TestTable::open);
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
        let hand = match (cell.table, cell.row) {
            ("main", _) | (_, "pair_of_queens_or_better") => "QH QC 8S 5D 3H",
            _ => five_cards(cell),
        };
        let mains = "ante 1000, super_bonus 1000, play 1000";
        let seats = match cell.table {
            "main" if cell.row == "ante" => vec![format!("1 play {hand}: {mains}")],
            "main" => vec![format!(
                "1 play {hand}: play 1000, ante 1000, super_bonus 1000"
            )],
            "super_bonus" => vec![format!(
                "1 play {hand}: super_bonus 1000, ante 1000, play 1000"
            )],
            "queens_up" => vec![format!("1 play {hand}: queens_up 1000, {mains}")],
            "multi_link_progressive" => vec![format!("1 play {hand}: progressive 100, {mains}")],
            _ => vec![
                "1 fold 2C 7C 9D 3D AD: progressive 100, ante 1000, super_bonus 1000".to_owned(),
                format!("2 play {hand}: {mains}"),
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
    let other = "2 fold 8C 7D 4C 2S TH: ante 500, super_bonus 500";
    let two_seats = round(DEALER, &[PLAYED, other]);
    assert_common_refusals(table(), &lawful, &two_seats);
    assert_common_option_refusals(table(), &lawful);
    let option = |key: &str, value| with_key(lawful.clone(), "/options", key, value);
    let cases = [
        (
            changed(lawful.clone(), "/wagers/0/kind", json!("aces_up")),
            "wagers[0].kind: \"aces_up\" is not a wager of crazy_four_poker",
        ),
        (
            changed(lawful.clone(), "/wagers/2/on", json!("1.super_bonus")),
            "wagers[2].on: a play wager is on",
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
            changed(lawful.clone(), "/edition", json!("mgc-2017")),
            "edition: ",
        ),
        (
            option("max_positions", json!(1)),
            "options.max_positions: \"max_positions\" is not an option",
        ),
        (option("dealing", json!("manual_shoe")), "options.dealing: "),
        (
            option("offered", json!(["super_bonus"])),
            "options.offered: ",
        ),
    ];
    assert_refused(table(), &cases);
}

#[test]
fn every_violation_is_raised_by_its_round_and_not_by_a_lawful_twin() {
    let one = |seat: &str| round(DEALER, &[seat]);
    let with = |options| round_with(options, DEALER, &[PLAYED]);
    let lawful = || round(DEALER, &[PLAYED]);
    let aces = |amount: i64| {
        one(&format!(
            "1 play AS AD 8S 5D 3H: ante 500, super_bonus 500, play {amount}"
        ))
    };
    let folded = "1 fold QH QC 8S 5D 3H: ante 500, super_bonus 500";
    let held_by = |name: &str| {
        let other = "2 fold 8C 7D 4C 2S TH: ante 500, super_bonus 500";
        let document = with_key(
            round(DEALER, &[PLAYED, other]),
            "/play/hands/0",
            "player",
            json!("ann"),
        );
        with_key(document, "/play/hands/1", "player", json!(name))
    };
    let offered = |kinds: Value| {
        round_with(
            json!({"offered": kinds}),
            DEALER,
            &[&format!("{folded}, queens_up 500")],
        )
    };
    let long = || one("1 play QH QC 8S 5D 3H 2H: ante 500, super_bonus 500, play 500");
    let manual = |two: bool| with(json!({"shuffler": "manual", "alternating_decks": two}));
    let cases = [
        (
            "wager.not_offered",
            offered(json!(["progressive"])),
            offered(json!(["queens_up"])),
        ),
        (
            "wager.super_bonus_amount",
            one("1 fold QH QC 8S 5D 3H: ante 500, super_bonus 501"),
            one(folded),
        ),
        (
            "wager.super_bonus_amount",
            one("1 fold QH QC 8S 5D 3H: ante 500"),
            one(folded),
        ),
        ("wager.play_amount", aces(750), aces(500)),
        ("wager.play_amount", aces(2000), aces(1500)),
        ("wager.play_amount", aces(250), aces(1000)),
        (
            "wager.play_needs_aces",
            one("1 play KH KC 8S 5D 3H: ante 500, super_bonus 500, play 1000"),
            one("1 play 3C 3S 8S 8D 2H: ante 500, super_bonus 500, play 1000"),
        ),
        (
            "wager.play_without_ante",
            one(&format!("{folded}, play 500")),
            one(folded),
        ),
        (
            "wager.play_missing",
            one("1 play QH QC 8S 5D 3H: ante 500, super_bonus 500"),
            lawful(),
        ),
        (
            "wager.progressive_amount",
            one(&format!("{folded}, progressive 99")),
            one(&format!("{folded}, progressive 100")),
        ),
        ("wager.multi_position", held_by("ann"), held_by("bob")),
        (
            "table.seat",
            one(&folded.replacen('1', "8", 1)),
            one(&folded.replacen('1', "7", 1)),
        ),
        (
            "deal.card_count",
            long(),
            with_irregularities(long(), json!([{"code": "misdeal"}])),
        ),
        (
            "deal.card_count",
            round("KS JD 6H 4S 2D 9C", &[PLAYED]),
            lawful(),
        ),
        (
            "deal.hand_without_wager",
            round(DEALER, &[PLAYED, "2 - 8C: "]),
            lawful(),
        ),
        (
            "deal.face_up_card",
            with_irregularities(lawful(), json!([{"code": "face_up_card", "count": 9}])),
            with_irregularities(lawful(), json!([{"code": "shuffler_failure"}])),
        ),
        (
            "deck.duplicate_card",
            one("1 play QH QH 8S 5D 3H: ante 500, super_bonus 500, play 500"),
            lawful(),
        ),
        (
            "deck.foreign_card",
            round("KS JD 6H 4S JK", &[PLAYED]),
            lawful(),
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
    // These two come with a missing ante, which is a fault of its own where there is a super bonus.
    let company = [
        (
            one("1 - QH QC 8S 5D 3H: queens_up 500"),
            vec!["wager.side_without_main"],
        ),
        (
            one("1 - QH QC 8S 5D 3H: progressive 100"),
            vec!["deal.hand_without_wager", "wager.side_without_main"],
        ),
        (
            one("1 - QH QC 8S 5D 3H: super_bonus 500"),
            vec!["deal.hand_without_wager", "wager.super_bonus_amount"],
        ),
        (
            one("1 fold QH QC 8S 5D 3H: queens_up 500"),
            vec!["procedure.decision_without_ante", "wager.side_without_main"],
        ),
        (
            one("1 fold QH QC 8S 5D 3H: ante 500, queens_up 500"),
            vec!["wager.side_without_main", "wager.super_bonus_amount"],
        ),
        (one(&format!("{folded}, queens_up 500")), vec![]),
    ];
    assert_raised(table(), &cases, &company);
}

#[test]
fn ante_play_and_super_bonus_each_follow_their_own_rule() {
    let straight = "QD JC TH 9D 3S";
    let pair = "5S 5D 8H 7C 3S";
    for (player, dealer, ante, play, super_bonus) in [
        // Below king high nothing is compared.
        (
            pair,
            "QC 9S 7D 4H 2C",
            "push 0 500",
            "win 500 1000",
            "push 0 500",
        ),
        (
            "8D 7C 5H 3D 2S",
            "QC 9S 7D 4H 2C",
            "push 0 500",
            "win 500 1000",
            "push 0 500",
        ),
        (
            straight,
            "QC 9S 7D 4H 2C",
            "push 0 500",
            "win 500 1000",
            "win 500 1000",
        ),
        // King high and any pair qualify.
        (
            pair,
            "KC 9S 7D 4H 2C",
            "win 500 1000",
            "win 500 1000",
            "push 0 500",
        ),
        (
            pair,
            "2S 2H 7D 4H JC",
            "win 500 1000",
            "win 500 1000",
            "push 0 500",
        ),
        (pair, "6S 6H 7D 4H JC", "lose 0 0", "lose 0 0", "lose 0 0"),
        (
            pair,
            "5H 5C 8S 7D 2C",
            "push 0 500",
            "push 0 500",
            "push 0 500",
        ),
        (
            straight,
            "QC JS TD 9H 2C",
            "push 0 500",
            "push 0 500",
            "win 500 1000",
        ),
        (
            straight,
            "KC QS JD TS 2C",
            "lose 0 0",
            "lose 0 0",
            "win 500 1000",
        ),
    ] {
        let seat = format!("1 play {player}: ante 500, super_bonus 500, play 500");
        let document = round(dealer, &[&seat]);
        assert_verdicts(
            &document,
            &[
                ("1.ante", ante),
                ("1.play", play),
                ("1.super_bonus", super_bonus),
            ],
        );
    }
}

#[test]
fn a_flush_super_bonus_on_an_odd_amount_is_rounded_down() {
    let seat = "1 play KC TC 5C 2C AH: ante 501, super_bonus 501, play 501";
    assert_eq!(
        verdict(&round(DEALER, &[seat]), "1.super_bonus"),
        "win 751 1252"
    );
}

#[test]
fn the_payout_limit_is_for_each_wager_and_not_for_the_progressive() {
    let seat = "1 play AC KC QC JC TC: ante 6000000, super_bonus 6000000, play 18000000, queens_up 1000000, progressive 100";
    let mut document = round_with(json!({"max_payout": 400}), DEALER, &[seat]);
    document["play"]["meters"] = json!({"progressive": 1_000_000});
    assert_verdicts(
        &document,
        &[
            // A limit below the least counts as that.
            ("1.ante", "win 5000000 11000000"),
            ("1.super_bonus", "win 5000000 11000000"),
            ("1.play", "win 5000000 23000000"),
            ("1.queens_up", "win 5000000 6000000"),
            ("1.progressive", "win 999900 1000000"),
        ],
    );
}

#[test]
fn an_abandoned_seat_loses_all_but_a_super_bonus_without_an_ante_goes_back() {
    let document = round(
        DEALER,
        &[
            "1 abandoned AC KC QC JC TC: ante 500, super_bonus 500, play 500, queens_up 500, progressive 100",
            "2 abandoned 8C 7D 4C 2S TH: super_bonus 500",
        ],
    );
    for kind in ["ante", "super_bonus", "play", "queens_up", "progressive"] {
        assert_eq!(verdict(&document, &format!("1.{kind}")), "lose 0 0");
    }
    assert_eq!(verdict(&document, "2.super_bonus"), "void 0 500");
}

#[test]
fn a_hand_of_the_wrong_size_or_with_a_joker_is_not_asked_for_aces() {
    for (cards, code) in [
        ("KH KC 8S 5D 3H 2H", "deal.card_count"),
        ("KH KC 8S 5D JK", "deck.foreign_card"),
    ] {
        let seat = format!("1 play {cards}: ante 500, super_bonus 500, play 1000");
        let document = round(DEALER, &[&seat]);
        assert_eq!(table().violations(&document), [code]);
        assert_eq!(verdict(&document, "1.play"), "void 0 1000");
    }
}

#[test]
fn every_irregularity_but_a_face_up_card_is_as_the_text_says() {
    for (code, void) in [
        ("card_count", true),
        ("misdeal", true),
        ("deck_count", true),
        ("hole_card_exposed", true),
        ("shoe_failure", true),
        ("face_up_card", false),
        ("card_drawn_in_error", false),
        ("shuffler_failure", false),
    ] {
        let document = with_irregularities(round(DEALER, &[PLAYED]), json!([{"code": code}]));
        let expected = if void { "void 0 500" } else { "win 500 1000" };
        assert_eq!(verdict(&document, "1.ante"), expected, "{code}");
    }
}

#[test]
fn envy_reaches_folded_bettors_and_seats_of_other_persons_only() {
    let mains = "ante 500, super_bonus 500";
    let document = round(
        DEALER,
        &[
            &format!("1 play 9S 8S 7S 6S 5S: {mains}, play 500"),
            &format!("2 fold 8C 7D 4C 2S TH: {mains}, progressive 100"),
            &format!("3 fold 9C 7H 4H 2H TC: {mains}, progressive 100"),
        ],
    );
    let document = with_key(document, "/play/hands/0", "player", json!("ann"));
    let document = with_key(document, "/play/hands/2", "player", json!("ann"));
    assert_verdicts(
        &document,
        &[
            ("2.progressive", "win 29900 30000"),
            ("3.progressive", "lose 0 0"),
        ],
    );
}

#[test]
fn a_share_of_a_meter_that_nobody_read_is_refused_and_fixed_prizes_are_not() {
    let mains = "ante 500, super_bonus 500";
    let hand = |seat: &str| round(DEALER, &[seat]);
    for cards in ["AC KC QC JC TC", "9C 8C 7C 6C 5C"] {
        let shared = hand(&format!(
            "1 play {cards}: {mains}, play 500, progressive 100"
        ));
        let refusal = table().refusal(&shared);
        assert!(
            refusal.starts_with("play.meters.progressive: "),
            "{refusal}"
        );
        let void = with_irregularities(shared, json!([{"code": "misdeal"}]));
        assert_eq!(verdict(&void, "1.progressive"), "void 0 100");
        let folded = hand(&format!("1 fold {cards}: {mains}, progressive 100"));
        assert_eq!(verdict(&folded, "1.progressive"), "lose 0 0");
    }
    let fixed = hand(&format!(
        "1 play KC TC 5C 2C AC: {mains}, play 500, progressive 100"
    ));
    assert_eq!(verdict(&fixed, "1.progressive"), "win 3900 4000");
}

/// PC 1.A.i, 3.A.ii: ante and super bonus are the standard wager, equal or not. Queens up is none.
#[test]
fn a_chip_of_another_size_or_without_its_standard_wager_is_no_progressive_wager() {
    let flush = "KC TC 5C 2C AC";
    for (bets, paid, codes) in [
        (
            "ante 500, super_bonus 500, play 500, progressive 300",
            "void 0 300",
            vec!["wager.progressive_amount"],
        ),
        (
            "ante 500, super_bonus 400, play 500, progressive 100",
            "win 3900 4000",
            vec!["wager.super_bonus_amount"],
        ),
        (
            "ante 500, play 500, progressive 100",
            "void 0 100",
            vec!["wager.side_without_main", "wager.super_bonus_amount"],
        ),
    ] {
        let document = round(DEALER, &[&format!("1 play {flush}: {bets}")]);
        assert_eq!(verdict(&document, "1.progressive"), paid, "{bets}");
        assert_eq!(table().violations(&document), codes, "{bets}");
    }
    // The hand of queens up is in the round: its chip goes back, and its neighbour has envy for it.
    let royal = "1 - AC KC QC JC TC: queens_up 500, progressive 100";
    let other = "2 fold 8C 7D 4C 2H TH: ante 500, super_bonus 500, progressive 100";
    let document = round(DEALER, &[royal, other]);
    assert_eq!(verdict(&document, "1.progressive"), "void 0 100");
    assert_eq!(verdict(&document, "2.progressive"), "win 99900 100000");
}
