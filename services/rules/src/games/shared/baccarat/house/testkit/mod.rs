//! What the tests of the house-banked games share: rounds for each row of the pay tables, and the
//! faults that every one of these tables flags and refuses alike.

mod handled_cards;
mod presses;

use serde_json::{Value, json};

pub(crate) use handled_cards::{
    assert_decks, assert_offers_of_handled_cards, assert_refusals_of_handled_cards,
};
pub(crate) use presses::{
    assert_presses, assert_presses_beyond_the_portion, assert_presses_share_the_fate,
};

use crate::settlement::Verdict;
use crate::testkit::TestTable;
use crate::{Edition, Game};

pub(crate) fn banker_bet() -> Value {
    json!([{"id": "w1", "seat": 1, "kind": "banker", "amount": 1000}])
}

/// Banker 7 over Player 6: nobody draws.
pub(crate) fn plain_play() -> Value {
    json!({"player": ["5S", "AH"], "banker": ["3C", "4D"]})
}

/// Cards (Player, Banker) that make a row of the pay tables.
fn cards_for(table: &str, row: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match (table, row) {
        ("main", "player") => (&["9H", "TC"], &["7S", "KD"]),
        ("main", "banker") => (&["7S", "KD"], &["9H", "TC"]),
        ("tie" | "tournament", "tie") => (&["7S", "KD"], &["7H", "TC"]),
        ("ez", "dragon_7") | ("fortune", "fortune_7") => (&["KS", "QH", "6D"], &["2C", "AH", "4S"]),
        ("ez", "panda_8") => (&["KS", "5H", "3D"], &["4C", "3H"]),
        ("house_money", "both_pairs") => (&["8S", "8H"], &["KC", "KD", "9S"]),
        ("house_money", "one_pair") => (&["8S", "8H"], &["3C", "4D"]),
        // Dragon Bonus on the Banker.
        (_, "by_9") => (&["TS", "TH", "TC"], &["AC", "KD", "8H"]),
        (_, "by_8") => (&["TS", "TH", "TC"], &["AC", "KD", "7H"]),
        (_, "by_7") => (&["TS", "TH", "AC"], &["AC", "KD", "7H"]),
        (_, "by_6") => (&["TS", "TH", "2C"], &["AC", "KD", "7H"]),
        (_, "by_5") => (&["TS", "TH", "3C"], &["AC", "KD", "7H"]),
        (_, "by_4") => (&["TS", "TH", "4C"], &["AC", "KD", "7H"]),
        (_, "natural") => (&["TS", "8H"], &["4C", "5D"]),
        (_, "natural_tie") => (&["TS", "9H"], &["4C", "5D"]),
        _ => panic!("no cards for {table}.{row}"),
    }
}

/// The wager and the options that a pay table is for.
fn wager_of(table: &str, row: &'static str) -> (&'static str, Value) {
    match table {
        "main" | "tie" | "fortune" => (row, json!({})),
        "tournament" => (row, json!({"tournament": true, "tie_pays": "9:1"})),
        "ez" => (row, json!({"ez_baccarat": true})),
        "house_money" => ("house_money", json!({})),
        "dragon_bonus_a" => ("dragon_bonus_banker", json!({"dragon_bonus": "A"})),
        "dragon_bonus_b" => ("dragon_bonus_banker", json!({"dragon_bonus": "B"})),
        "dragon_bonus_c" => ("dragon_bonus_banker", json!({"dragon_bonus": "C"})),
        _ => panic!("no wager for {table}"),
    }
}

/// Each cell on a stake of 1000 cents, beside a Player wager of the same seat.
pub(crate) fn assert_cells<G: Game>(cells: &'static str) {
    let table = TestTable::<G>::open();
    table.assert_cells(cells, |cell| {
        let (player, banker) = cards_for(cell.table, cell.row);
        let (kind, options) = wager_of(cell.table, cell.row);
        table.document(
            cell.edition,
            options,
            json!([{"id": "w1", "seat": 1, "kind": kind, "amount": 1000},
                   {"id": "w2", "seat": 1, "kind": "player", "amount": 100}]),
            json!({"player": player, "banker": banker}),
        )
    });
}

/// Each fault of dealing and configuration in a round that raises it, and not in its lawful twin.
pub(crate) fn assert_common_violations<G: Game>(edition: Edition) {
    let table = TestTable::<G>::open();
    let none = || json!({});
    let dealt = |player: &[&str], banker: &[&str]| json!({"player": player, "banker": banker});
    let seven_twos = dealt(&["2S", "2S", "2S", "2S"], &["2S", "2S", "2S"]);
    let six_twos = dealt(&["2S", "2S", "2S", "2S"], &["2S", "2S", "2H"]);
    let simulated = |simulated: bool| json!({"player": ["5S", "AH"], "banker": ["3C", "4D"], "simulated": simulated});
    let cases = [
        (
            "baccarat.player_drew_in_error",
            (none(), dealt(&["KS", "6H", "2C"], &["3C", "3D"])),
            (none(), dealt(&["KS", "6H"], &["3C", "3D"])),
        ),
        (
            "baccarat.player_drew_in_error",
            (none(), dealt(&["KS", "2H", "2C"], &["3C", "5D"])),
            (none(), dealt(&["KS", "2H", "2C"], &["3C", "4D"])),
        ),
        (
            "baccarat.player_missing_third_card",
            (none(), dealt(&["KS", "5H"], &["3C", "4D"])),
            (none(), dealt(&["KS", "5H"], &["3C", "5D"])),
        ),
        (
            "baccarat.banker_drew_in_error",
            (none(), dealt(&["KS", "7H"], &["3C", "3D", "2D"])),
            (none(), dealt(&["KS", "7H"], &["3C", "2C", "2D"])),
        ),
        (
            "baccarat.banker_missing_third_card",
            (none(), dealt(&["KS", "7H"], &["3C", "2D"])),
            (none(), dealt(&["KS", "7H"], &["3C", "3D"])),
        ),
        (
            "baccarat.too_many_cards",
            (none(), dealt(&["KS", "2H", "3D", "9C"], &["3C", "4D"])),
            (none(), dealt(&["KS", "2H", "3D"], &["3C", "4D"])),
        ),
        (
            "wager.in_simulated_round",
            (none(), simulated(true)),
            (none(), simulated(false)),
        ),
        (
            "config.odds_below_minimum",
            (json!({"tie_pays": "15:2"}), plain_play()),
            (json!({"tie_pays": "16:2"}), plain_play()),
        ),
        (
            "deck.illegal_count",
            (json!({"decks": 5}), plain_play()),
            (json!({"decks": 6}), plain_play()),
        ),
        (
            "deck.duplicate_card",
            (json!({"decks": 6}), seven_twos),
            (json!({"decks": 6}), six_twos),
        ),
    ];
    for (code, raising, lawful) in cases {
        let codes = |(options, play): (Value, Value)| {
            table.violations(&table.document(edition, options, banker_bet(), play))
        };
        let (raised, twin) = (codes(raising), codes(lawful));
        assert!(raised.contains(&code), "{code} is not in {raised:?}");
        assert!(!twin.contains(&code), "{code} is in {twin:?}");
    }
}

/// A wager that the table does not offer goes back and is flagged; offered, it is settled.
pub(crate) fn assert_offers<G: Game>(edition: Edition, kind: &str, offered: Value, not: Value) {
    let table = TestTable::<G>::open();
    for (options, is_offered) in [(offered, true), (not, false)] {
        let wagers = json!([{"id": "w1", "seat": 1, "kind": kind, "amount": 1000},
                            {"id": "w2", "seat": 1, "kind": "tie", "amount": 100}]);
        let document = table.document(edition, options, wagers, plain_play());
        let (flagged, result) = (
            table.violations(&document),
            table.wager(&document, "w1").result,
        );
        if is_offered {
            assert_eq!((flagged, result), (vec![], Verdict::Lose), "{document}");
        } else {
            let code = vec!["wager.not_offered"];
            assert_eq!((flagged, result), (code, Verdict::Void), "{document}");
        }
    }
}

/// Where less than eight to one is posted, eight to one is due on a tie.
pub(crate) fn assert_tie_minimum<G: Game>(edition: Edition) {
    let table = TestTable::<G>::open();
    let wagers = json!([{"id": "w1", "seat": 1, "kind": "tie", "amount": 1200}]);
    let play = json!({"player": ["2S", "6H"], "banker": ["8D", "TC"]});
    for (posted, win, codes) in [
        ("6:1", 9600, vec!["config.odds_below_minimum"]),
        ("8:1", 9600, vec![]),
        ("9:1", 10800, vec![]),
    ] {
        let options = json!({"tie_pays": posted});
        let document = table.document(edition, options, wagers.clone(), play.clone());
        let tie = table.wager(&document, "w1");
        assert_eq!((tie.win.get(), tie.returned.get()), (win, win + 1200));
        assert_eq!(table.violations(&document), codes);
    }
}

/// Seats beyond the layout are settled and flagged, in a void round too.
pub(crate) fn assert_seats<G: Game>(edition: Edition, positions: u16) {
    let table = TestTable::<G>::open();
    let void = json!({"void": "insufficient_cards"});
    for (seat, play, verdict, codes) in [
        (positions, plain_play(), Verdict::Win, vec![]),
        (
            positions + 1,
            plain_play(),
            Verdict::Win,
            vec!["table.seat"],
        ),
        (positions, void.clone(), Verdict::Void, vec![]),
        (positions + 1, void, Verdict::Void, vec!["table.seat"]),
    ] {
        let wagers = json!([{"id": "w1", "seat": seat, "kind": "banker", "amount": 1000}]);
        let document = table.document(edition, json!({}), wagers, play);
        assert_eq!(table.violations(&document), codes, "{document}");
        assert_eq!(table.wager(&document, "w1").result, verdict);
    }
}

/// Rounds without a decision: every wager goes back, whatever it is.
pub(crate) fn assert_no_decision_voids_all<G: Game>(edition: Edition) {
    let table = TestTable::<G>::open();
    let both = json!({"void": "insufficient_cards", "simulated": true});
    let simulated = json!({"player": ["KS", "9H"], "banker": ["3C", "2D"], "simulated": true});
    // The Banker's third card is wanting, or the Player's.
    let wanting = |player: [&str; 2], banker: [&str; 2]| {
        let reason = "insufficient_cards";
        json!({"player": player, "banker": banker, "void": reason})
    };
    for (play, codes) in [
        (wanting(["KS", "7H"], ["3C", "2D"]), vec![]),
        (wanting(["KS", "5H"], ["3C", "4D"]), vec![]),
        (json!({"void": "insufficient_cards"}), vec![]),
        (both, vec![]),
        (simulated.clone(), vec!["wager.in_simulated_round"]),
    ] {
        let document = table.document(edition, json!({}), banker_bet(), play);
        assert_eq!(table.violations(&document), codes, "{document}");
        let wager = table.wager(&document, "w1");
        let verdict = (wager.result, wager.win.get(), wager.returned.get());
        assert_eq!(verdict, (Verdict::Void, 0, 1000), "{document}");
    }
    let nobody = table.document(edition, json!({}), json!([]), simulated);
    assert_eq!(table.violations(&nobody), Vec::<&str>::new());
}

/// What describes nothing is refused by its place, at each of these tables.
pub(crate) fn assert_common_refusals<G: Game>(edition: Edition) {
    let table = TestTable::<G>::open();
    let refuse = |options: Value, wagers: Value, play: Value, expected: &str| {
        let refusal = table.refusal(&table.document(edition, options, wagers, play));
        assert!(refusal.starts_with(expected), "{expected}\ngot {refusal}");
    };
    let bet =
        |kind: &str, amount: i64| json!([{"id": "w1", "seat": 1, "kind": kind, "amount": amount}]);
    for (options, place) in [
        (
            json!({"dekcs": 8}),
            "options.dekcs: \"dekcs\" is not an option",
        ),
        (json!({"decks": "8"}), "options.decks: \"8\" cannot be read"),
        (json!({"decks": 0}), "options.decks: 0 cannot be read"),
        (json!({"tie_pays": 8}), "options.tie_pays: 8 cannot be read"),
        (json!({"dragon_bonus": "D"}), "options.dragon_bonus: \"D\""),
    ] {
        refuse(options, banker_bet(), plain_play(), place);
    }
    for (wagers, place) in [
        (
            bet("bankr", 5),
            "wagers[0].kind: \"bankr\" is not a wager of",
        ),
        (
            bet("tie", 0),
            "wagers[0].amount: a stake is at least a cent",
        ),
        (bet("tie", -5), "wagers[0].amount: -5 cents"),
        (
            json!([{"seat": 1, "kind": "tie", "amount": 5}]),
            "wagers[0]: the key \"id\"",
        ),
        (
            json!([{"id": "w1", "seat": 0, "kind": "tie", "amount": 5}]),
            "wagers[0].seat:",
        ),
        (
            json!([{"id": "w1", "seat": 1, "kind": "tie", "amount": 5},
                   {"id": "w1", "seat": 2, "kind": "tie", "amount": 5}]),
            "wagers[1].id: \"w1\" is used twice",
        ),
        (
            json!([{"id": "w1", "seat": 1, "kind": "tie", "amount": 5, "odds": "8:1"}]),
            "wagers[0].odds: \"odds\" is not a known key",
        ),
        (
            json!([{"id": "w1", "seat": 1, "kind": "tie", "amount": 5},
                   {"id": "w2", "seat": 1, "kind": "player", "amount": 5, "on": "w1"}]),
            "wagers[1].on: a key of",
        ),
        (
            json!([{"id": "w1", "seat": 1, "kind": "tie", "amount": 5, "from": "w1"}]),
            "wagers[0].from: a key of",
        ),
    ] {
        refuse(json!({}), wagers, plain_play(), place);
    }
    for (play, place) in [
        (
            json!({"player": ["5X", "AH"]}),
            "play.player[0]: \"5X\" is not a card",
        ),
        (
            json!({"banker": ["AH", "JK"]}),
            "play.banker[1]: \"JK\" is not a card of this game",
        ),
        (
            json!({"void": "bored"}),
            "play.void: \"bored\" is not a known word",
        ),
        (
            json!({"plyer": []}),
            "play.plyer: \"plyer\" is not a known key",
        ),
        (json!({"simulated": "no"}), "play.simulated:"),
        (json!({}), "play.player: 0 of the hand's first two cards"),
        (
            json!({"player": ["KS"], "banker": ["3C", "4D"]}),
            "play.player: 1 of the hand's first two cards",
        ),
        (
            json!({"player": ["KS", "6S"], "banker": ["3C"], "simulated": true}),
            "play.banker: 1 of the hand's first two cards",
        ),
        (
            json!({"player": ["4S", "4D"], "banker": ["6C", "KH"], "void": "insufficient_cards"}),
            "play.void: both hands have every card that was due",
        ),
        (
            json!({"player": ["4S", "AD", "9C"], "banker": ["3C", "KH", "2D"],
                   "void": "insufficient_cards"}),
            "play.void: both hands have every card that was due",
        ),
    ] {
        refuse(json!({}), banker_bet(), play, place);
    }
}
