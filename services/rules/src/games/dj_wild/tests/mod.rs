//! DJ Wild: every cell, every refusal, every violation with its lawful twin, and limits.

mod mathematics;

use serde_json::{Value, json};

use super::{DjWild, WildRow};
use crate::Edition::{Mgc2017, OhJack2017};
use crate::games::shared::stud::checks::{
    and_wager, assert_lists, assert_refused, assert_twins, with,
};
use crate::games::shared::stud::exact::rules;
use crate::settlement::Verdict;
use crate::testkit::{Cell, TestTable};

fn wager(seat: u16, kind: &str, amount: i64) -> Value {
    json!({"id": format!("s{seat}-{kind}"), "seat": seat, "kind": kind, "amount": amount})
}

/// Ante, blind and play of a seat.
fn playing(seat: u16, ante: i64) -> Vec<Value> {
    vec![
        wager(seat, "ante", ante),
        wager(seat, "blind", ante),
        wager(seat, "play", 2 * ante),
    ]
}

/// Seat 1 plays a pair of kings against queens.
fn kings(options: Value) -> Value {
    TestTable::<DjWild>::open().document(
        OhJack2017,
        options,
        json!(playing(1, 1000)),
        json!({"hands": {"1": ["KS", "KC", "8C", "3H", "7S"]}, "dealer": ["QD", "QH", "9C", "7D", "4C"]}),
    )
}

/// `kings` with one more key in `play`.
fn kings_and(key: &str, value: Value) -> Value {
    with(kings(json!({})), "play", key, value)
}

fn cards_of(table: &str, row: &str) -> [&'static str; 5] {
    match (table, row) {
        (_, "five_wilds") => ["JK", "2C", "2D", "2H", "2S"],
        ("trips_natural" | "bad_beat", "royal_flush") => ["TC", "JC", "QC", "KC", "AC"],
        (_, "royal_flush") => ["TC", "JC", "QC", "KC", "JK"],
        (_, "five_of_a_kind") => ["8C", "8D", "8H", "8S", "2D"],
        ("trips_natural", "straight_flush") => ["2C", "3C", "4C", "5C", "6C"],
        (_, "straight_flush") => ["5C", "6C", "7C", "8C", "2D"],
        ("trips_natural", "four_of_a_kind") => ["4C", "4D", "4H", "4S", "9C"],
        (_, "four_of_a_kind") => ["4C", "4D", "4H", "JK", "9C"],
        ("trips_natural", "full_house") => ["4C", "4D", "4H", "9S", "9C"],
        (_, "full_house") => ["4C", "4D", "2H", "9S", "9C"],
        ("trips_natural", "flush") => ["2H", "5H", "8H", "JH", "KH"],
        (_, "flush") => ["2D", "5H", "8H", "JH", "KH"],
        ("trips_natural", "straight") => ["AC", "2D", "3H", "4S", "5C"],
        (_, "straight") => ["6C", "2D", "7H", "8S", "9C"],
        ("trips_natural", "three_of_a_kind") => ["6C", "6D", "6H", "TS", "QC"],
        (_, "three_of_a_kind") => ["6C", "6D", "2H", "TD", "QC"],
        _ => panic!("no cards for {table}.{row}"),
    }
}

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    let table = TestTable::<DjWild>::open();
    let document = |cell: &Cell| {
        let (kind, amount) = match (cell.table, cell.row) {
            ("main", "play") => ("play", 2000),
            ("main", _) => ("ante", 1000),
            ("blind", _) => ("blind", 1000),
            ("bad_beat", _) => ("two_way_bad_beat", 500),
            _ => ("trips", 1000),
        };
        let mut wagers = vec![wager(1, kind, amount)];
        wagers.extend(
            playing(1, 1000)
                .into_iter()
                .filter(|other| other["kind"] != kind),
        );
        let mut document = kings(json!({}));
        document["wagers"] = json!(wagers);
        if cell.table != "main" && cell.row != "lower" {
            document["play"]["hands"]["1"] = json!(cards_of(cell.table, cell.row));
            document["play"]["dealer"] = match (cell.table, cell.row) {
                ("bad_beat", "royal_flush") => json!(cards_of("blind", "five_wilds")),
                ("bad_beat", _) => json!(["TS", "JS", "QS", "KS", "AS"]),
                _ => json!(["3S", "5S", "7D", "9D", "TH"]),
            };
        }
        document
    };
    let mut cells = Cell::read_all(include_str!("../cells.txt"));
    for cell in &cells {
        let document = document(cell);
        let settlement = table.settle(&document);
        assert_eq!(
            settlement.wagers()[0].returned.get(),
            cell.returned,
            "{cell:?}\n{document}"
        );
        assert_eq!(
            settlement.violations().iter().count(),
            0,
            "{cell:?}\n{document}"
        );
    }
    // These two are natural in no hand; the text prints them in both columns.
    for row in [WildRow::FiveWilds, WildRow::FiveOfAKind] {
        let rules = rules::<DjWild>(OhJack2017);
        assert_eq!(rules.trips_natural.filed(row), rules.trips_wild.filed(row));
    }
    cells.extend(Cell::read_all(
        "oh-jack-2017 trips_natural five_wilds 0\noh-jack-2017 trips_natural five_of_a_kind 0",
    ));
    table.assert_all_cells(&cells);
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let wagered = |more: Value| and_wager(kings(json!({})), more);
    let other_edition =
        TestTable::<DjWild>::open().document(Mgc2017, json!({}), json!([]), json!({}));
    assert_refused::<DjWild>([
        (
            other_edition,
            r#"edition: "mgc-2017" is not an edition of dj_wild"#,
        ),
        (
            kings(json!({"payout_limit": null})),
            "options.payout_limit:",
        ),
        (
            kings(json!({"payout_limit_scope": "seat"})),
            "options.payout_limit_scope:",
        ),
        (kings(json!({"table_min": 0})), "options.table_min:"),
        (kings(json!({"progressive": true})), "options.progressive:"),
        (
            kings(json!({"odds_override": {"blind": {"flush": "two"}}})),
            "options.odds_override.blind.flush:",
        ),
        (
            kings(json!({"odds_override": {"blind": {"three_of_a_kind": "1:1"}}})),
            "options.odds_override.blind: \"three_of_a_kind\" is not a row",
        ),
        (
            kings(json!({"odds_override": {"blind": {"lower": "1:1"}}})),
            "options.odds_override.blind: \"lower\" is not a row",
        ),
        (
            kings(json!({"odds_override": {"trips": {}}})),
            "options.odds_override.trips:",
        ),
        (
            wagered(wager(1, "raise", 5)),
            r#"wagers[3].kind: "raise" is not a wager of dj_wild"#,
        ),
        (wagered(wager(0, "trips", 5)), "wagers[3].seat:"),
        (wagered(wager(1, "trips", 0)), "wagers[3].amount:"),
        (wagered(wager(1, "play", 5)), "wagers[3].id:"),
        (
            wagered(json!({"id": "w", "seat": 1, "kind": "trips", "amount": 5, "on": "x"})),
            "wagers[3].on:",
        ),
        (kings_and("players", json!({})), "play.players:"),
        (kings_and("dealer", json!(["JR"])), "play.dealer[0]:"),
        (kings_and("abandoned", json!([0])), "play.abandoned[0]:"),
        (
            kings_and("irregularities", json!([{"code": "hole_card_exposed"}])),
            "play.irregularities[0].code:",
        ),
        (
            kings_and("irregularities", json!([{"code": "card_count"}])),
            "play.irregularities[0]:",
        ),
        (
            kings_and(
                "irregularities",
                json!([{"code": "card_count", "area": "community"}]),
            ),
            "play.irregularities[0].area:",
        ),
    ]);
}

#[test]
fn missing_cards_are_refused_and_surplus_ones_void() {
    assert_lists::<DjWild>(&kings(json!({})), "dealer", 53);
}

#[test]
fn every_violation_has_a_lawful_twin() {
    let side = |options: Value, kind: &str| and_wager(kings(options), wager(1, kind, 500));
    let again = || {
        let mut more = wager(1, "blind", 1000);
        more["id"] = json!("again");
        and_wager(kings(json!({})), more)
    };
    let amount = |index: usize, amount: i64| {
        let mut document = kings(json!({}));
        document["wagers"][index]["amount"] = json!(amount);
        document
    };
    let on = |index: usize, on: &str| {
        let mut document = kings(json!({}));
        document["wagers"][index]["on"] = json!(on);
        document
    };
    let only = |wagers: Value, play: Value| {
        TestTable::<DjWild>::open().document(OhJack2017, json!({}), wagers, play)
    };
    let folded = |seat: u16, play: Value| {
        only(
            json!([wager(seat, "ante", 500), wager(seat, "blind", 500)]),
            play,
        )
    };
    let nobody = |options: Value| {
        TestTable::<DjWild>::open().document(OhJack2017, options, json!([]), json!({}))
    };
    assert_twins::<DjWild>([
        (
            "wager.not_offered",
            side(
                json!({"two_way_bad_beat_offered": false}),
                "two_way_bad_beat",
            ),
            side(json!({}), "two_way_bad_beat"),
        ),
        ("wager.duplicate_kind", again(), kings(json!({}))),
        ("wager.unequal", amount(1, 999), amount(1, 1000)),
        (
            "wager.unequal",
            only(json!([wager(1, "ante", 5)]), json!({})),
            folded(1, json!({})),
        ),
        (
            "wager.unequal",
            only(json!([wager(1, "blind", 5)]), json!({})),
            folded(1, json!({})),
        ),
        (
            "wager.play_without_ante",
            and_wager(kings(json!({})), wager(2, "play", 500)),
            kings(json!({})),
        ),
        ("wager.bad_multiple", amount(2, 3000), amount(2, 2000)),
        (
            "wager.side_without_main",
            and_wager(kings(json!({})), wager(2, "trips", 500)),
            and_wager(kings(json!({})), wager(1, "trips", 500)),
        ),
        (
            "wager.over_max",
            kings(json!({"table_max": 999})),
            kings(json!({"table_max": 1000})),
        ),
        (
            "wager.under_min",
            kings(json!({"table_min": 1001})),
            kings(json!({"table_min": 1000})),
        ),
        (
            "wager.bad_position",
            folded(8, json!({})),
            folded(7, json!({})),
        ),
        ("wager.bad_reference", on(1, "s1-blind"), on(1, "s1-ante")),
        ("wager.bad_reference", on(0, "s1-ante"), on(2, "s1-ante")),
        (
            "options.payout_limit",
            kings(json!({"payout_limit": 5_000_001})),
            kings(json!({"payout_limit": 5_000_000})),
        ),
        (
            "config.odds_below_minimum",
            kings(json!({"odds_override": {"blind": {"five_wilds": "999:1"}}})),
            kings(json!({"odds_override": {"blind": {"five_wilds": "1001:1"}}})),
        ),
        (
            "config.conflict",
            nobody(json!({"table_min": 1000, "table_max": 999})),
            nobody(json!({"table_min": 1000, "table_max": 1000})),
        ),
        (
            "config.second_deck_without_shuffler",
            kings(json!({"two_decks": true})),
            kings(json!({"two_decks": true, "shuffle": "machine"})),
        ),
        (
            "deal.card_count",
            kings_and("dealer", json!(["QD", "QH", "9C", "7D", "4C", "5C"])),
            folded(1, json!({"dealer": [], "hands": {}})),
        ),
        (
            "deal.card_count",
            folded(
                1,
                json!({"hands": {"1": ["2C", "3C", "4C", "5C", "9D", "8D"]}}),
            ),
            folded(1, json!({"hands": {"1": ["2C", "3C", "4C", "5C", "9D"]}})),
        ),
        (
            "deal.card_count",
            kings_and("irregularities", json!([{"code": "card_count", "seat": 4}])),
            kings_and("irregularities", json!([{"code": "face_up_card"}])),
        ),
        (
            "deal.hand_without_wager",
            kings_and(
                "hands",
                json!({"1": ["KS", "KC", "8C", "3H", "7S"], "2": ["KD", "KH", "8D", "3D", "JK"]}),
            ),
            kings(json!({})),
        ),
        (
            "deck.count_wrong",
            kings_and(
                "irregularities",
                json!([{"code": "deck_count", "found": 52}]),
            ),
            kings_and("irregularities", json!([{"code": "shuffler_failure"}])),
        ),
        (
            "deck.duplicate_card",
            kings_and("dealer", json!(["JK", "JK", "9C", "7D", "4C"])),
            kings_and("dealer", json!(["JK", "QH", "9C", "7D", "4C"])),
        ),
    ]);
}

#[test]
fn a_single_card_found_face_up_voids_the_round() {
    let table = TestTable::<DjWild>::open();
    let document = kings_and(
        "irregularities",
        json!([{"code": "face_up_card", "count": 1}]),
    );
    assert!(
        table
            .settle(&document)
            .wagers()
            .iter()
            .all(|w| w.result == Verdict::Void)
    );
}

#[test]
fn who_leaves_the_table_loses_even_a_live_bad_beat() {
    let table = TestTable::<DjWild>::open();
    let mut document = kings_and("abandoned", json!([1]));
    document = and_wager(document, wager(1, "trips", 500));
    document = and_wager(document, wager(1, "two_way_bad_beat", 500));
    document["play"]["hands"]["1"] = json!(["KS", "KC", "KD", "3H", "7S"]);
    document["play"]["dealer"] = json!(["QD", "QH", "QC", "7D", "4C"]);
    assert!(
        table
            .settle(&document)
            .wagers()
            .iter()
            .all(|w| w.result == Verdict::Lose)
    );
    // The cards of who left decide nothing.
    let unlisted = with(document.clone(), "play", "hands", json!({}));
    assert_eq!(
        table.settle(&unlisted).wagers(),
        table.settle(&document).wagers()
    );
    document["play"]["abandoned"] = json!([2]);
    let refusal = table.refusal(&document);
    assert!(refusal.starts_with("play.abandoned[0]: "), "{refusal}");
    document["play"]["abandoned"] = json!([]);
    assert!(
        table
            .settle(&document)
            .wagers()
            .iter()
            .all(|w| w.result != Verdict::Lose)
    );
}

#[test]
fn a_limit_for_the_table_is_used_up_from_the_dealers_right() {
    let table = TestTable::<DjWild>::open();
    let settle = |scope: &str| -> Vec<i64> {
        let mut document = kings(json!({"payout_limit_scope": scope}));
        let mut wagers = playing(1, 60_000);
        wagers.extend(playing(2, 60_000));
        wagers.push(wager(2, "trips", 1000));
        document["wagers"] = json!(wagers);
        document["play"]["hands"] = json!({
            "1": ["TC", "JC", "QC", "KC", "AC"],
            "2": ["TH", "JH", "QH", "KH", "JK"],
        });
        document["play"]["dealer"] = json!(["3S", "5S", "7D", "9D", "TD"]);
        table
            .settle(&document)
            .wagers()
            .iter()
            .map(|w| w.win.get())
            .collect()
    };
    let royal = 3_000_000;
    assert_eq!(
        settle("hand"),
        [60_000, royal, 120_000, 60_000, royal, 120_000, 90_000]
    );
    // Seat 2 first: its blind and trips leave 1910000 for seat 1.
    assert_eq!(
        settle("table"),
        [60_000, 1_910_000, 120_000, 60_000, royal, 120_000, 90_000]
    );
}

#[test]
fn a_wild_card_in_a_flush_is_the_highest_rank_that_is_not_in_it() {
    let table = TestTable::<DjWild>::open();
    let result = |own: [&str; 5], dealer: [&str; 5]| {
        let mut document = kings(json!({}));
        document["play"] = json!({"hands": {"1": own}, "dealer": dealer});
        table.wager(&document, "s1-ante").result
    };
    // A-K-9-5-3 either way.
    let tie = result(
        ["AH", "9H", "5H", "3H", "JK"],
        ["AC", "KC", "9C", "5C", "3C"],
    );
    assert_eq!(tie, Verdict::Push);
    let royals = result(
        ["TH", "JH", "QH", "KH", "JK"],
        ["TC", "JC", "QC", "KC", "AC"],
    );
    assert_eq!(royals, Verdict::Push);
    let quints = result(
        ["8C", "8D", "8H", "8S", "2D"],
        ["5C", "6C", "7C", "9C", "JK"],
    );
    assert_eq!(quints, Verdict::Win);
}
