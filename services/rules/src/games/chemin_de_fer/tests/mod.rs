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
            "play.banker: 1 of",
        ),
        (
            json!({}),
            banco(),
            json!({"player": ["TS"], "banker": ["KH", "2C"], "irregularity": "player_three_initial"}),
            "play.player: 1 of",
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
