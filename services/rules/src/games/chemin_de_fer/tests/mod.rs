//! Chemin de fer: the cell, every refusal and every violation here; who covers what in `wagers`, what
//! the cards count in `cards`, the stakes in `conservation`, the free choice in `five`.

mod cards;
mod conservation;
mod five;
mod wagers;

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::CheminDeFer;
use crate::Edition::Mgc2017;
use crate::testkit::TestTable;

static TABLE: LazyLock<TestTable<CheminDeFer>> = LazyLock::new(TestTable::open);

fn round(options: Value, wagers: Value, play: Value) -> Value {
    TABLE.document(Mgc2017, options, wagers, play)
}

/// The Banker in seat 5 for 300.00, and a banco against him.
fn banco() -> Value {
    json!([{"id": "bank", "seat": 5, "kind": "bank", "amount": 30000},
           {"id": "banco", "seat": 2, "kind": "banco", "amount": 30000}])
}

/// Banker 6, Player 7: everybody stands and the Player wins.
fn player_wins() -> Value {
    json!({"player": ["TS", "7D"], "banker": ["KH", "6C"], "decision": "stay"})
}

fn with(mut play: Value, key: &str, value: Value) -> Value {
    play[key] = value;
    play
}

#[test]
fn every_cell_of_the_pay_table_pays_what_is_filed() {
    let table = &*TABLE;
    table.assert_cells(include_str!("../cells.txt"), |cell| {
        let (first, second) = match cell.row {
            "bank" => ("bank", "banco"),
            _ => ("banco", "bank"),
        };
        let play = match cell.row {
            "bank" => json!({"player": ["TS", "6D"], "banker": ["KH", "7C"]}),
            _ => player_wins(),
        };
        let wagers = json!([{"id": "w1", "seat": 1, "kind": first, "amount": 1000},
                            {"id": "w2", "seat": 2, "kind": second, "amount": 1000}]);
        round(json!({}), wagers, play)
    });
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let table = &*TABLE;
    let bank = json!({"id": "b", "seat": 5, "kind": "bank", "amount": 100});
    let second = json!({"id": "c", "seat": 6, "kind": "bank", "amount": 100});
    let punt = json!({"id": "p", "seat": 6, "kind": "punt", "amount": 100});
    let cases = [
        (
            json!({}),
            json!([]),
            player_wins(),
            "wagers: a round needs one wager of the kind \"bank\"",
        ),
        (
            json!({}),
            json!([punt]),
            player_wins(),
            "wagers: a round needs one wager",
        ),
        (
            json!({}),
            json!([bank, punt, second]),
            player_wins(),
            "wagers[2].kind: a second \"bank\"",
        ),
        (
            json!({}),
            json!([{"id": "b", "seat": 5, "kind": "banker", "amount": 100}]),
            player_wins(),
            "wagers[0].kind: \"banker\" is not a wager of chemin_de_fer",
        ),
        (
            json!({}),
            json!([{"id": "b", "seat": 5, "kind": "bank", "amount": 0}]),
            player_wins(),
            "wagers[0].amount: a stake is at least a cent",
        ),
        (
            json!({}),
            json!([{"id": "b", "seat": 0, "kind": "bank", "amount": 1}]),
            player_wins(),
            "wagers[0].seat:",
        ),
        (
            json!({}),
            json!([{"id": "b", "seat": 5, "kind": "bank", "amount": 1, "on": "x"}]),
            player_wins(),
            "wagers[0].on: \"on\" is not a known key",
        ),
        (
            json!({"tie_pays": "8:1"}),
            banco(),
            player_wins(),
            "options.tie_pays:",
        ),
        (
            json!({"vigorish_percent": 3}),
            banco(),
            player_wins(),
            "options.vigorish_percent: 3 cannot",
        ),
        (
            json!({"decks": 0}),
            banco(),
            player_wins(),
            "options.decks: 0 cannot be read",
        ),
        (
            json!({}),
            banco(),
            json!({"player": ["TS"], "banker": ["KH", "6C"]}),
            "play.player: 1 of",
        ),
        (
            json!({}),
            banco(),
            json!({"player": ["TS", "2D"]}),
            "play.banker: 0 of",
        ),
        (
            json!({}),
            banco(),
            json!({"player": ["TS", "2D"], "banker": ["KH"], "irregularity": "banker_extra_initial"}),
            "play.irregularity: the Banker has three cards or more",
        ),
        (
            json!({}),
            banco(),
            json!({"player": ["TS"], "banker": ["KH", "2C"], "irregularity": "player_three_initial"}),
            "play.irregularity: the Player has exactly three cards",
        ),
        (
            json!({}),
            banco(),
            with(player_wins(), "decision", json!("pass")),
            "play.decision: \"pass\"",
        ),
        (
            json!({}),
            banco(),
            with(player_wins(), "irregularity", json!("fire")),
            "play.irregularity: \"fire\"",
        ),
        (
            json!({}),
            banco(),
            with(player_wins(), "prior", json!({"kind": "stolen"})),
            "play.prior.kind: \"stolen\"",
        ),
        (
            json!({}),
            banco(),
            with(
                player_wins(),
                "prior",
                json!({"kind": "opening", "bids": 5}),
            ),
            "play.prior.bids: \"bids\" is not a known key",
        ),
        (
            json!({}),
            banco(),
            json!({"player": ["TS", "7X"], "banker": ["KH", "6C"]}),
            "play.player[1]: \"7X\" is not a card",
        ),
        (
            json!({}),
            banco(),
            json!({"player": ["TS", "7D"], "banker": ["JK", "6C"]}),
            "play.banker[0]: \"JK\" is not a card of this game",
        ),
        (
            json!({}),
            banco(),
            with(player_wins(), "simulated", json!(true)),
            "play.simulated:",
        ),
    ];
    for (options, wagers, play, expected) in cases {
        let refusal = table.refusal(&round(options, wagers, play));
        assert!(refusal.starts_with(expected), "{expected}\ngot {refusal}");
    }
}

#[test]
fn an_irregularity_that_the_cards_contradict_is_refused() {
    let table = &*TABLE;
    let told = |irregularity: &str, player: &[&str], banker: &[&str]| {
        let play = json!({"player": player, "banker": banker, "irregularity": irregularity});
        round(json!({}), banco(), play)
    };
    let (two, three) = (["TS", "6D"], ["TS", "2D", "4C"]);
    let five = ["KH", "5C", "2C", "3D", "9H"];
    let four = &five[..4];
    for (irregularity, player, banker, fits) in [
        ("banker_extra_initial", &two[..], &four[..3], true),
        ("banker_extra_initial", &three, four, true),
        ("banker_extra_initial", &two, &four[..2], false),
        ("banker_extra_initial", &two[..1], &four[..3], false),
        ("banker_extra_initial", four, &four[..3], false),
        ("player_three_initial", &three, &four[..2], true),
        ("player_three_initial", &three, &four[..3], true),
        ("player_three_initial", &two, &four[..2], false),
        ("player_three_initial", &three, four, false),
        ("banker_two_third", &two, four, true),
        ("banker_two_third", &two, &four[..3], false),
        ("banker_two_third", &two, &five, false),
        // Banker five draws when the Player stays.
        ("insufficient_cards", &two, &four[..2], true),
        ("insufficient_cards", &two, &four[..3], false),
        ("insufficient_cards", &two, &["KH", "6C"], false),
        ("insufficient_cards", &["TS", "4D"], &["KH", "7C"], true),
        (
            "insufficient_cards",
            &["TS", "4D", "2C"],
            &["KH", "7C"],
            false,
        ),
        // On five nobody knows what the Player wanted, unless a natural stands against it.
        ("insufficient_cards", &["TS", "5D"], &["KH", "7C"], true),
        ("insufficient_cards", &["TS", "5D"], &["KH", "8C"], false),
        (
            "insufficient_cards",
            &["TS", "5D", "2C"],
            &["KH", "7C"],
            false,
        ),
    ] {
        let document = told(irregularity, player, banker);
        match fits {
            true => drop(table.settle(&document)),
            false => {
                let refusal = table.refusal(&document);
                assert!(
                    refusal.starts_with("play.irregularity: "),
                    "{refusal}\n{document}"
                );
            }
        }
    }
    let said = |word: &str| {
        let mut document = told("insufficient_cards", &["TS", "5D"], &["KH", "7C"]);
        document["play"]["decision"] = json!(word);
        document
    };
    table.settle(&said("card"));
    assert!(
        table
            .refusal(&said("stay"))
            .starts_with("play.irregularity: no card is missing")
    );
}

#[test]
fn a_way_to_the_bank_has_its_own_amount_and_no_other() {
    let table = &*TABLE;
    let came = |prior: Value| round(json!({}), banco(), with(player_wins(), "prior", prior));
    for (kind, key, other) in [
        ("opening", "bid", "last_bank"),
        ("auction", "bid", "last_bank"),
        ("continuing", "last_bank", "bid"),
        ("passed", "last_bank", "bid"),
    ] {
        assert_eq!(
            table.violations(&came(json!({"kind": kind, (key): 30000}))),
            [""; 0]
        );
        let missing = table.refusal(&came(json!({"kind": kind})));
        assert_eq!(missing, format!("play.prior: the key {key:?} is missing"));
        let foreign = table.refusal(&came(json!({"kind": kind, (key): 30000, (other): 30000})));
        assert!(
            foreign.starts_with(&format!("play.prior.{other}: ")),
            "{foreign}"
        );
    }
    assert_eq!(
        table.violations(&came(json!({"kind": "forced_pass", "suivi_seat": 2}))),
        [""; 0]
    );
    for key in ["bid", "last_bank"] {
        let foreign = table.refusal(&came(json!({"kind": "forced_pass", (key): 30000})));
        assert!(
            foreign.starts_with(&format!("play.prior.{key}: ")),
            "{foreign}"
        );
    }
}

#[test]
fn a_seat_that_the_layout_does_not_have_is_flagged_and_settled() {
    let table = &*TABLE;
    let at = |seat: u16, play: Value| {
        let mut wagers = banco();
        wagers[1]["seat"] = json!(seat);
        round(json!({}), wagers, play)
    };
    let void = json!({"irregularity": "face_up_card_in_last_hand"});
    for (seat, codes) in [(14, vec![]), (15, vec!["table.seat"])] {
        assert_eq!(table.violations(&at(seat, player_wins())), codes);
        assert_eq!(table.violations(&at(seat, void.clone())), codes);
        assert_eq!(
            table
                .wager(&at(seat, player_wins()), "banco")
                .returned
                .get(),
            60000
        );
    }
}
