//! Ultimate Texas Hold'em: every cell, every refusal, void rounds, limits and exact edges.
//!
//! Ante, blind and play have no edge here: it is that of the best choice on three streets, and a choice is only
//! known to be the best after 27,813,810,024,000 deals of hole cards, flop, turn, river and the dealer's hand.
//! What each of them pays for a deal is tested cell by cell.

mod progressive;
mod refusals;
mod violations;

use serde_json::{Value, json};

use super::UltimateTexasHoldem;
use crate::Edition::OhJack2017;
use crate::book::Pay;
use crate::game::AnyGame;
use crate::games::shared::flawed::{self, cards};
use crate::settlement::Verdict;
use crate::testkit::TestTable;

fn open() -> TestTable<UltimateTexasHoldem> {
    TestTable::open()
}

/// Hole cards and board that make a row of the pay tables, with the flop already. The dealer has
/// 3C 4D and is beaten by each.
fn cards_for(row: &str) -> (Value, Value) {
    let (hole, board) = match row {
        "royal_flush" => ("AS KS", "QS JS TS 2H 2D"),
        "straight_flush" => ("9S 8S", "7S 6S 5S 2H 2D"),
        "four_of_a_kind" => ("9S 9H", "9D 9C 5S 2H 2D"),
        "full_house" | "ante" | "play" => ("9S 9H", "9D 5C 5S 2H KD"),
        "flush" => ("AS 9S", "7S QS 2S KH KD"),
        "straight" => ("9S 8H", "7D 6C 5S 2H 2D"),
        "three_of_a_kind" | "lower" => ("9S 9H", "9D 5C KS 2H 7D"),
        _ => panic!("no cards for {row}"),
    };
    (cards(hole), cards(board))
}

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    let table = open();
    table.assert_cells(include_str!("../cells.txt"), |cell| {
        let (hole, board) = cards_for(cell.row);
        let mut wagers = vec![
            json!({"id": "ante", "seat": 2, "kind": "ante", "amount": 1000}),
            json!({"id": "blind", "seat": 2, "kind": "blind", "amount": 1000}),
            json!({"id": "play", "seat": 2, "kind": "play", "amount": 3000, "on": "ante", "stage": "preflop"}),
            json!({"id": "trips", "seat": 2, "kind": "trips", "amount": 1000}),
            json!({"id": "prog", "seat": 2, "kind": "progressive", "amount": 100}),
            json!({"id": "envy", "seat": 5, "kind": "progressive", "amount": 100}),
            json!({"id": "ante5", "seat": 5, "kind": "ante", "amount": 1000}),
            json!({"id": "blind5", "seat": 5, "kind": "blind", "amount": 1000}),
        ];
        let first = match cell.table {
            "main" if cell.row == "ante" => 0,
            "uth_blind" => 1,
            "main" => 2,
            "uth_trips_a" => 3,
            "multi_link_progressive" => 4,
            "multi_link_envy" => 5,
            _ => panic!("no wager for {}", cell.table),
        };
        wagers.swap(0, first);
        let play = json!({
            "dealer": ["3C", "4D"], "board": board, "meters": {"progressive": 2_543_070},
            "hands": [{"seat": 2, "cards": hole, "decision": "play"},
                      {"seat": 5, "cards": ["8C", "3D"], "decision": "fold"}],
        });
        table.document(cell.edition, json!({"progressive": true}), json!(wagers), play)
    });
}

/// A lawful round of all wagers: the player's nines full beat the dealer's fives.
fn lawful() -> Value {
    open().document(
        OhJack2017,
        json!({"progressive": true}),
        json!([
            {"id": "a", "seat": 3, "kind": "ante", "amount": 1000, "patron": "ann"},
            {"id": "b", "seat": 3, "kind": "blind", "amount": 1000, "patron": "ann"},
            {"id": "p", "seat": 3, "kind": "play", "amount": 4000, "on": "a", "stage": "preflop"},
            {"id": "t", "seat": 3, "kind": "trips", "amount": 500},
            {"id": "g", "seat": 3, "kind": "progressive", "amount": 100},
        ]),
        json!({"dealer": ["3C", "4D"], "board": cards("9D 5C 5S 2H KD"),
               "hands": [{"seat": 3, "cards": ["9S", "9H"], "decision": "play"}]}),
    )
}

fn changed(changes: &[(&str, Value)]) -> Value {
    flawed::changed(lawful(), changes)
}

fn removed(place: &str) -> Value {
    flawed::removed(lawful(), place)
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let table = open();
    let cases = [
        (
            changed(&[("/options/min_ant", json!(500))]),
            "options.min_ant: \"min_ant\" is not an option of ultimate_texas_holdem in oh-jack-2017; did you mean \"min_ante\"?",
        ),
        (
            changed(&[("/options/progressive_bet", json!(99))]),
            "options.progressive_bet: 99 cannot be read; write a whole number from 100 to 900",
        ),
        (
            changed(&[("/options/min_ante", json!(0))]),
            "options.min_ante: 0 cannot be read",
        ),
        (
            changed(&[("/options/decks_in_rotation", json!(3))]),
            "options.decks_in_rotation: 3 cannot be read",
        ),
        (
            changed(&[("/play/irregularities", json!([{"code": "earthquake"}]))]),
            "play.irregularities[0].code: \"earthquake\" is not a known word here",
        ),
        (
            changed(&[(
                "/play/irregularities",
                json!([{"code": "face_up_card", "when": "never"}]),
            )]),
            "play.irregularities[0].when: \"never\" is not a known word here",
        ),
        (
            changed(&[(
                "/play/irregularities",
                json!([{"code": "misdeal", "cuont": 1}]),
            )]),
            "play.irregularities[0].cuont: \"cuont\" is not a known key here; did you mean \"count\"?",
        ),
        (
            changed(&[("/play/hands/-", json!({"seat": 3, "cards": ["2S", "2C"]}))]),
            "play.hands[1].seat: seat 3 has two hands",
        ),
        (
            changed(&[("/play/hands/0/card", json!([]))]),
            "play.hands[0].card: \"card\" is not a known key here; did you mean \"cards\"?",
        ),
        (
            changed(&[("/play/dealer/0", json!(3))]),
            "play.dealer[0]: a card such as \"TD\" is expected, not 3",
        ),
        (
            changed(&[("/play/meters", json!({"minor": 5}))]),
            "play.meters.minor: \"minor\" is not a known key here",
        ),
        (
            changed(&[("/wagers/0/amount", json!(0))]),
            "wagers[0].amount: a stake is at least a cent",
        ),
        (
            changed(&[("/wagers/1/id", json!("a"))]),
            "wagers[1].id: \"a\" is used twice",
        ),
        (
            changed(&[("/wagers/0/point", json!(6))]),
            "wagers[0].point: \"point\" is not a known key here",
        ),
        (
            changed(&[("/edition", json!("mgc-2017"))]),
            "edition: \"mgc-2017\" is not an edition of ultimate_texas_holdem",
        ),
    ];
    for (document, expected) in cases {
        let refusal = table.refusal(&document);
        assert!(
            refusal.starts_with(expected),
            "expected {expected}\ngot      {refusal}"
        );
    }
}

fn verdicts(document: &Value) -> Vec<Verdict> {
    open()
        .settle(document)
        .wagers()
        .iter()
        .map(|w| w.result)
        .collect()
}

#[test]
fn wagers_without_their_precondition_go_back_and_the_others_are_settled() {
    use Verdict::{Lose, Void, Win};
    let unequal = changed(&[("/wagers/1/amount", json!(900))]);
    assert_eq!(verdicts(&unequal), [Win, Win, Win, Win, Win]);
    // No blind: trips and the progressive go back.
    assert_eq!(verdicts(&removed("/wagers/1")), [Win, Win, Void, Void]);
    // No ante: the hand is folded, the blind is lost, all else goes back.
    assert_eq!(verdicts(&removed("/wagers/0")), [Lose, Void, Void, Void]);
    let large = changed(&[("/wagers/4/amount", json!(200))]);
    assert_eq!(verdicts(&large), [Win, Win, Win, Win, Void]);
    // An ante without blind and without a hand goes back.
    let no_hand = changed(&[(
        "/wagers/-",
        json!({"id": "x", "seat": 1, "kind": "ante", "amount": 500}),
    )]);
    assert_eq!(verdicts(&no_hand), [Win, Win, Win, Win, Win, Void]);
}

#[test]
fn irregularities_void_what_the_rules_say() {
    use Verdict::{Void, Win};
    let with = |irregularities: Value| {
        changed(&[
            ("/options/dealing", json!("automated_shoe")),
            ("/play/irregularities", irregularities),
        ])
    };
    let stands = [Win, Win, Win, Win, Win];
    let part = [Void, Void, Void, Win, Win];
    let total = [Void; 5];
    let cases = [
        (json!([]), stands),
        (json!([{"code": "face_up_card"}]), stands),
        (
            json!([{"code": "face_up_card", "count": 1, "when": "community"}]),
            stands,
        ),
        (json!([{"code": "card_drawn_in_error"}]), stands),
        (json!([{"code": "shuffler_failure"}]), stands),
        (json!([{"code": "hole_card_exposed", "seat": 3}]), part),
        (
            json!([{"code": "face_up_card", "count": 2, "when": "community"}]),
            part,
        ),
        (json!([{"code": "face_up_card", "count": 2}]), total),
        (
            json!([{"code": "face_up_card", "count": 2, "when": "initial_deal"}]),
            total,
        ),
        // They add up, and the second card decides when.
        (
            json!([{"code": "face_up_card"}, {"code": "face_up_card"}]),
            total,
        ),
        (
            json!([{"code": "face_up_card"}, {"code": "face_up_card", "when": "community"}]),
            part,
        ),
        (
            json!([{"code": "face_up_card", "when": "community"}, {"code": "face_up_card", "count": 2}]),
            total,
        ),
        (json!([{"code": "card_count", "seat": 3}]), total),
        (json!([{"code": "misdeal"}]), total),
        (json!([{"code": "deck_count", "found": 51}]), total),
        (json!([{"code": "shoe_failure"}]), total),
        (
            json!([{"code": "hole_card_exposed"}, {"code": "shoe_failure"}]),
            total,
        ),
    ];
    for (irregularities, expected) in cases {
        assert_eq!(
            verdicts(&with(irregularities.clone())),
            expected,
            "{irregularities}"
        );
    }
}

/// § 10.D
#[test]
fn at_an_automated_shoe_the_supervisor_may_let_trips_stand() {
    use Verdict::{Void, Win};
    for code in ["misdeal", "deck_count"] {
        let stand = |choice: bool| {
            changed(&[
                ("/options/dealing", json!("automated_shoe")),
                ("/play/dealer", json!([])),
                (
                    "/play/irregularities",
                    json!([{"code": code, "independent_wagers_stand": choice}]),
                ),
            ])
        };
        // § 10.D: trips is paid by § 12, which has no prize for the progressive.
        assert_eq!(verdicts(&stand(true)), [Void, Void, Void, Win, Void]);
        assert_eq!(open().violations(&stand(true)), [""; 0]);
        assert_eq!(verdicts(&stand(false)), [Void; 5]);
    }
}

#[test]
fn in_a_part_void_side_wagers_need_their_cards() {
    use Verdict::{Lose, Void, Win};
    let exposed = |changes: &[(&str, Value)]| {
        let mut changes = changes.to_vec();
        changes.push((
            "/play/irregularities",
            json!([{"code": "hole_card_exposed"}]),
        ));
        changed(&changes)
    };
    // The board may stop at the flop, but not if a trips wager needs all of it.
    let stopped = |board: &str| exposed(&[("/play/board", cards(board))]);
    let without_trips = |board: &str| flawed::removed(stopped(board), "/wagers/3");
    for board in ["", "9D 5C 5S", "9D 5C 5S 2H"] {
        let refusal = open().refusal(&stopped(board));
        assert!(refusal.starts_with("play.board: "), "{refusal}");
    }
    assert_eq!(
        verdicts(&without_trips("9D 5C 5S")),
        [Void, Void, Void, Win]
    );
    assert_eq!(verdicts(&without_trips("")), [Void; 4]);
    for board in ["9D", "9D 5C 5S 2H"] {
        let refusal = open().refusal(&without_trips(board));
        assert!(refusal.starts_with("play.board: "), "{refusal}");
    }
    // A fold with a play wager down has no effect; without one the own award is lost, trips is not.
    let fold = [("/play/hands/0/decision", json!("fold"))];
    assert_eq!(verdicts(&exposed(&fold)), [Void, Void, Void, Win, Win]);
    let mut folded = exposed(&fold);
    folded["wagers"].as_array_mut().unwrap().remove(2);
    assert_eq!(verdicts(&folded), [Void, Void, Win, Lose]);
    assert_eq!(open().violations(&folded), [""; 0]);
}

#[test]
fn three_to_two_on_an_odd_stake_goes_down_to_the_cent() {
    let table = open();
    let mut document = changed(&[
        ("/wagers/0/amount", json!(1001)),
        ("/wagers/1/amount", json!(1001)),
        ("/wagers/2/amount", json!(4004)),
    ]);
    document["play"]["board"] = cards("7S QS 2S KH KD");
    document["play"]["hands"][0]["cards"] = cards("AS 9S");
    assert_eq!(table.wager(&document, "b").win.get(), 1501);
    assert_eq!(table.violations(&document), [""; 0]);
}

#[test]
fn the_payout_limit_grows_with_the_posted_minimums() {
    let table = open();
    let royal = |options: Value, ante: i64, trips: i64| {
        let mut document = lawful();
        document["options"] = options;
        for (index, amount) in [ante, ante, 4 * ante, trips].into_iter().enumerate() {
            document["wagers"][index]["amount"] = json!(amount);
        }
        document["wagers"].as_array_mut().unwrap().remove(4);
        document["play"]["board"] = cards("QS JS TS 2H 2D");
        document["play"]["hands"][0]["cards"] = cards("AS KS");
        table
            .settle(&document)
            .wagers()
            .iter()
            .map(|w| w.win.get())
            .collect::<Vec<_>>()
    };
    // $50,000: ante 200 and play 800 leave 49,000 of the blind's 100,000, and nothing for trips.
    assert_eq!(
        royal(json!({}), 20_000, 500),
        [20_000, 4_900_000, 80_000, 0]
    );
    // The limit is reached exactly.
    assert_eq!(
        royal(json!({}), 9_000, 9_100),
        [9_000, 4_500_000, 36_000, 455_000]
    );
    assert_eq!(
        royal(json!({}), 9_000, 9_101),
        [9_000, 4_500_000, 36_000, 455_000]
    );
    // 505 x 200 + 50 x 5 = 101,250.
    assert_eq!(
        royal(json!({"min_ante": 20_000}), 20_000, 500),
        [20_000, 10_000_000, 80_000, 25_000]
    );
    // Without trips its minimum does not count: 505 x 100 = 50,500.
    assert_eq!(
        royal(
            json!({"min_ante": 10_000, "min_trips": 1_000_000, "trips_offered": false}),
            20_000,
            500
        ),
        [20_000, 4_950_000, 80_000, 0]
    );
}

/// Odds of a row of the data file; a row that is not there loses.
fn odds(table: &TestTable<UltimateTexasHoldem>, id: &str, row: &str) -> i64 {
    let tables = table.game.book().tables();
    let filed = tables.iter().find(|table| table.id == id).unwrap();
    match filed
        .rows
        .iter()
        .find(|filed| filed.key == row)
        .map(|row| row.pays)
    {
        Some(Pay::Odds(odds)) => i64::from(odds.win()) / i64::from(odds.stake()),
        Some(Pay::Fixed(amount)) => amount.get(),
        Some(Pay::Meter(_)) => 0,
        _ => -1,
    }
}

/// Over the published frequencies of the 133,784,560 hands of seven cards, which `hands` enumerates.
#[test]
fn the_house_edge_of_trips_is_the_published_one() {
    let table = open();
    let frequencies = [
        ("royal_flush", 4_324),
        ("straight_flush", 37_260),
        ("four_of_a_kind", 224_848),
        ("full_house", 3_473_184),
        ("flush", 4_047_644),
        ("straight", 6_180_020),
        ("three_of_a_kind", 6_461_620),
        ("two_pair", 31_433_400),
        ("pair", 58_627_800),
        ("high_card", 23_294_460),
    ];
    let total: i64 = frequencies.iter().map(|(_, ways)| ways).sum();
    assert_eq!(total, 133_784_560);
    let gain: i64 = frequencies
        .iter()
        .map(|(row, ways)| odds(&table, "uth_trips_a", row) * ways)
        .sum();
    // 3.4979% of the stake.
    assert_eq!(gain, -4_679_700);
}

/// Over the 2,598,960 hands of five cards: 53% of a dollar, without the shares of the meter.
#[test]
fn the_fixed_awards_of_the_progressive_return_half_of_a_dollar() {
    let table = open();
    let frequencies = [
        ("royal_flush", 4),
        ("straight_flush", 36),
        ("four_of_a_kind", 624),
        ("full_house", 3_744),
        ("flush", 5_108),
        ("straight", 10_200),
        ("three_of_a_kind", 54_912),
    ];
    let cents: i64 = frequencies
        .iter()
        .map(|(row, ways)| odds(&table, "multi_link_progressive", row) * ways)
        .sum();
    assert_eq!(cents, 137_892_800);
    assert_eq!(cents / 2_598_960, 53);
}
