//! Texas Hold'em Bonus Poker: every cell, every refusal, void rounds, limits, and the exact edge of
//! the bonus.
//!
//! Ante and street wagers have no edge here: it is that of the best choice before the flop, the turn and the
//! river, over as many deals as Ultimate Texas Hold'em has, 27,813,810,024,000 of them.

mod progressive;
mod refusals;
mod violations;

use serde_json::{Value, json};

use super::TexasHoldemBonus;
use super::bonus::BonusRow;
use crate::Edition::OhJack2017;
use crate::book::Pay;
use crate::floor::Card;
use crate::game::AnyGame;
use crate::games::shared::flawed::{self, cards};
use crate::settlement::Verdict;
use crate::testkit::TestTable;

fn open() -> TestTable<TexasHoldemBonus> {
    TestTable::open()
}

/// Hole cards, board and dealer that make a row of the pay tables.
fn cards_for(row: &str) -> (Value, Value, Value) {
    let low_board = "7D 6C 5S 2H 2D";
    let (hole, board, dealer) = match row {
        "ante" | "flop" | "turn" | "river" => ("9S 8H", low_board, "3C KD"),
        "ace_ace" => ("AS AH", low_board, "3C KD"),
        "ace_king_suited" => ("AS KS", low_board, "3C KD"),
        "ace_queen_jack_suited" => ("JS AS", low_board, "3C KD"),
        "ace_king_offsuit" => ("KH AS", low_board, "3C KD"),
        "king_queen_jack_pair" => ("JS JH", low_board, "3C KD"),
        "ace_queen_jack_offsuit" => ("AS QH", low_board, "3C KD"),
        "low_pair" => ("TS TH", low_board, "3C KD"),
        "both_aces" => ("AS AH", low_board, "AC AD"),
        "royal_flush" => ("AS KS", "QS JS TS 2H 2D", "3C KD"),
        "straight_flush" => ("9S 8S", "7S 6S 5S 2H 2D", "3C KD"),
        "four_of_a_kind" => ("9S 9H", "9D 9C 5S 2H 2D", "3C KD"),
        "full_house" => ("9S 9H", "9D 5C 5S 2H KD", "3C KS"),
        "flush" => ("AS 9S", "7S QS 2S KH KD", "3C 4D"),
        "straight" => ("9S 8H", low_board, "3C KD"),
        "three_of_a_kind" => ("9S 9H", "9D 5C KS 2H 7D", "3C KD"),
        _ => panic!("no cards for {row}"),
    };
    (cards(hole), cards(board), cards(dealer))
}

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    let table = open();
    table.assert_cells(include_str!("../cells.txt"), |cell| {
        let (hole, board, dealer) = cards_for(cell.row);
        let mut wagers = vec![
            json!({"id": "ante", "seat": 2, "kind": "ante", "amount": 1000}),
            json!({"id": "flop", "seat": 2, "kind": "flop", "amount": 2000, "on": "ante"}),
            json!({"id": "turn", "seat": 2, "kind": "turn", "amount": 1000, "on": "ante"}),
            json!({"id": "river", "seat": 2, "kind": "river", "amount": 1000, "on": "ante"}),
            json!({"id": "bonus", "seat": 2, "kind": "bonus", "amount": 1000}),
            json!({"id": "prog", "seat": 2, "kind": "progressive", "amount": 100}),
            json!({"id": "envy", "seat": 5, "kind": "progressive", "amount": 100}),
            json!({"id": "ante5", "seat": 5, "kind": "ante", "amount": 1000}),
        ];
        let first = match (cell.table, cell.row) {
            ("main", "ante") => 0,
            ("main", "flop") => 1,
            ("main", "turn") => 2,
            ("main", "river") => 3,
            ("thb_bonus" | "thb_both_aces", _) => 4,
            ("multi_link_progressive", _) => 5,
            ("multi_link_envy", _) => 6,
            _ => panic!("no wager for {}", cell.table),
        };
        wagers.swap(0, first);
        let play = json!({
            "dealer": dealer, "board": board, "meters": {"progressive": 2_543_070},
            "hands": [{"seat": 2, "cards": hole, "decision": "play"},
                      {"seat": 5, "cards": ["8C", "3D"], "decision": "fold"}],
        });
        let options = json!({"progressive": true, "bonus_both_aces": "1000:1"});
        table.document(cell.edition, options, json!(wagers), play)
    });
}

/// A lawful round of all wagers: the player's nines full beat the dealer's fives.
fn lawful() -> Value {
    open().document(
        OhJack2017,
        json!({"progressive": true}),
        json!([
            {"id": "a", "seat": 3, "kind": "ante", "amount": 1000, "patron": "ann"},
            {"id": "f", "seat": 3, "kind": "flop", "amount": 2000, "on": "a", "patron": "ann"},
            {"id": "t", "seat": 3, "kind": "turn", "amount": 1000, "on": "a"},
            {"id": "r", "seat": 3, "kind": "river", "amount": 1000, "on": "a"},
            {"id": "b", "seat": 3, "kind": "bonus", "amount": 100},
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

/// The round of a player who folded: only the ante, the bonus and the progressive are there.
fn folded(board: &str) -> Value {
    let mut document = changed(&[
        ("/play/board", cards(board)),
        ("/play/hands/0/decision", json!("fold")),
    ]);
    let wagers = document["wagers"].as_array_mut().unwrap();
    wagers.retain(|wager| ["a", "b", "g"].contains(&wager["id"].as_str().unwrap()));
    document
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let table = open();
    let cases = [
        (
            changed(&[("/options/trips_offered", json!(true))]),
            "options.trips_offered: \"trips_offered\" is not an option of texas_holdem_bonus in oh-jack-2017",
        ),
        (
            changed(&[("/options/ante_qualifier", json!("pair"))]),
            "options.ante_qualifier: \"pair\" cannot be read; write one of \"straight\", \"flush\"",
        ),
        (
            changed(&[("/options/bonus_paytable", json!({"ace_kings": "25:1"}))]),
            "options.bonus_paytable: \"ace_kings\" is not a known word here",
        ),
        (
            changed(&[("/options/bonus_paytable", json!({"ace_ace": "30 to 1"}))]),
            "options.bonus_paytable.ace_ace: \"30 to 1\" are not odds",
        ),
        (
            changed(&[("/options/bonus_both_aces", json!(1000))]),
            "options.bonus_both_aces: 1000 cannot be read; write odds such as \"3:2\" or null",
        ),
        (
            changed(&[("/options/progressive_bet", json!(901))]),
            "options.progressive_bet: 901 cannot be read",
        ),
        (
            changed(&[("/play/irregularities", json!([{"code": "no_cards"}]))]),
            "play.irregularities[0].code: this game has no rule for it",
        ),
        (
            changed(&[(
                "/play/irregularities",
                json!([{"code": "misdeal", "independent_wagers_stand": true}]),
            )]),
            "play.irregularities[0].independent_wagers_stand: this game does not know it of \"misdeal\"",
        ),
        (
            changed(&[("/play/hands/-", json!({"seat": 3}))]),
            "play.hands[1].seat: seat 3 has two hands",
        ),
        (
            changed(&[("/wagers/1/stage", json!("flop"))]),
            "wagers[1].stage: \"stage\" is not a known key here",
        ),
        (
            changed(&[("/wagers/1/amount", json!(-5))]),
            "wagers[1].amount: -5 cents are less than nothing",
        ),
        (
            changed(&[("/play/burns", json!(3))]),
            "play.burns: \"burns\" is not a known key here",
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

#[test]
fn posted_odds_below_the_least_pay_the_least() {
    let table = open();
    let bonus = |options: &[(&str, Value)], dealer: &str, hole: &str| {
        let cards = [
            ("/play/dealer", cards(dealer)),
            ("/play/hands/0/cards", cards(hole)),
        ];
        let document = changed(&[options, &cards].concat());
        table.wager(&document, "b").win.get()
    };
    let low = [("/options/bonus_paytable", json!({"low_pair": "5:2"}))];
    assert_eq!(bonus(&low, "3C 4D", "9S 9H"), 300);
    let high = [("/options/bonus_paytable", json!({"low_pair": "4:1"}))];
    assert_eq!(bonus(&high, "3C 4D", "9S 9H"), 400);
    let aces = [("/options/bonus_both_aces", json!("500:1"))];
    assert_eq!(bonus(&aces, "AC AD", "AS AH"), 100_000);
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
    // No flop wager: the hand is folded whatever is recorded; turn and river go back.
    assert_eq!(
        verdicts(&removed("/wagers/1")),
        [Lose, Void, Void, Win, Lose]
    );
    // No ante: all go back.
    assert_eq!(verdicts(&removed("/wagers/0")), [Void; 5]);
    let large = changed(&[("/wagers/5/amount", json!(200))]);
    assert_eq!(verdicts(&large), [Win, Win, Win, Win, Win, Void]);
}

#[test]
fn irregularities_void_what_the_rules_say() {
    use Verdict::{Void, Win};
    let stands = [Win; 6];
    let part = [Void, Void, Void, Void, Win, Win];
    let total = [Void; 6];
    let cases = [
        (json!([{"code": "face_up_card"}]), stands),
        (
            json!([{"code": "card_drawn_in_error"}, {"code": "shuffler_failure"}]),
            stands,
        ),
        (json!([{"code": "hole_card_exposed"}]), part),
        (
            json!([{"code": "face_up_card", "count": 3, "when": "community"}]),
            part,
        ),
        (json!([{"code": "face_up_card", "count": 2}]), total),
        // They add up, and the second card decides when.
        (
            json!([{"code": "face_up_card"}, {"code": "face_up_card"}]),
            total,
        ),
        (
            json!([{"code": "face_up_card"}, {"code": "face_up_card", "when": "community"}]),
            part,
        ),
        (json!([{"code": "card_count", "seat": 3}]), total),
        (json!([{"code": "misdeal"}]), total),
        (json!([{"code": "deck_count", "found": 51}]), total),
        (
            json!([{"code": "shoe_failure"}, {"code": "hole_card_exposed"}]),
            total,
        ),
    ];
    for (irregularities, expected) in cases {
        let document = changed(&[
            ("/options/dealing", json!("automated_shoe")),
            ("/play/irregularities", irregularities.clone()),
        ]);
        assert_eq!(verdicts(&document), expected, "{irregularities}");
    }
    // A part void without a flop gives the progressive back; the fold's bonus is settled.
    let exposed = [(
        "/play/irregularities",
        json!([{"code": "hole_card_exposed"}]),
    )];
    assert_eq!(
        verdicts(&flawed::changed(folded(""), &exposed)),
        [Void, Win, Void]
    );
    assert_eq!(
        verdicts(&flawed::changed(folded("9D 5C 5S"), &exposed)),
        [Void, Win, Verdict::Lose]
    );
}

#[test]
fn two_pairs_of_aces_pay_their_own_odds_only_in_a_round_that_counts() {
    let table = open();
    let aces = |options: Value, dealer: &str, irregularities: Value| {
        let mut document = changed(&[
            ("/play/dealer", cards(dealer)),
            ("/play/hands/0/cards", cards("AS AH")),
            ("/play/irregularities", irregularities),
        ]);
        document["options"]["bonus_both_aces"] = options;
        table.wager(&document, "b").win.get()
    };
    assert_eq!(aces(json!("1200:1"), "AC AD", json!([])), 120_000);
    assert_eq!(aces(json!("1200:1"), "AC KC", json!([])), 3_000);
    assert_eq!(aces(Value::Null, "AC AD", json!([])), 3_000);
    assert_eq!(
        aces(
            json!("1200:1"),
            "AC AD",
            json!([{"code": "hole_card_exposed"}])
        ),
        3_000
    );
}

#[test]
fn the_payout_limit_grows_with_the_minimums_and_the_best_bonus() {
    let table = open();
    let bonus = |options: Value, amount: i64| {
        let mut document = changed(&[
            ("/play/hands/0/cards", cards("AS AH")),
            ("/play/board", cards("9D 5C 5S 2H 9C")),
            ("/play/dealer", cards("AC AD")),
            ("/wagers/4/amount", json!(amount)),
        ]);
        for (key, value) in options.as_object().unwrap() {
            document["options"][key] = value.clone();
        }
        table.wager(&document, "b").win.get()
    };
    // All four main wagers push: $50,000 are left for the bonus.
    assert_eq!(
        bonus(json!({"bonus_both_aces": "1000:1"}), 10_000),
        5_000_000
    );
    // 5 x 5 + 1000 x 60 = 60,025.
    assert_eq!(
        bonus(
            json!({"bonus_both_aces": "1000:1", "min_bonus": 6_000}),
            10_000
        ),
        6_002_500
    );
    // Without the row for both aces the best is 30:1: 5 x 9,000 + 30 x 200 = 51,000.
    assert_eq!(
        bonus(json!({"min_ante": 900_000, "min_bonus": 20_000}), 1_000_000),
        5_100_000
    );
    // A posted row that is better: 5 x 9,000 + 40 x 200 = 53,000.
    let posted =
        json!({"min_ante": 900_000, "min_bonus": 20_000, "bonus_paytable": {"low_pair": "40:1"}});
    assert_eq!(bonus(posted, 1_000_000), 5_300_000);
}

#[test]
fn the_ante_pays_from_the_qualifier_upward_only() {
    let ante = |qualifier: &str, hole: &str, board: &str| {
        let document = changed(&[
            ("/options/ante_qualifier", json!(qualifier)),
            ("/play/hands/0/cards", cards(hole)),
            ("/play/board", cards(board)),
            ("/play/dealer", cards("3C 4D")),
        ]);
        open().wager(&document, "a").result
    };
    let (straight, flush, trips) = (
        ("9S 8H", "7D 6C 5S KH KD"),
        ("AS 9S", "7S QS 2S KH KD"),
        ("9S 9H", "9D QC JS 7H 2D"),
    );
    assert_eq!(ante("straight", trips.0, trips.1), Verdict::Push);
    assert_eq!(ante("straight", straight.0, straight.1), Verdict::Win);
    assert_eq!(ante("flush", straight.0, straight.1), Verdict::Push);
    assert_eq!(ante("flush", flush.0, flush.1), Verdict::Win);
}

/// Over the 1,326 pairs of hole cards, against counts made by hand.
#[test]
fn the_house_edge_of_the_bonus_is_exact() {
    let table = open();
    let filed = table
        .game
        .book()
        .tables()
        .iter()
        .find(|table| table.id == "thb_bonus")
        .unwrap();
    let odds = |row: usize| match filed.rows[row].pays {
        Pay::Odds(odds) => i64::from(odds.win()),
        other => panic!("{other:?}"),
    };
    let mut ways = [0_i64; 8];
    let deck: Vec<Card> = Card::deck().collect();
    for (index, &first) in deck.iter().enumerate() {
        for &second in &deck[..index] {
            let row = BonusRow::of_cards(first, second);
            assert_eq!(row, BonusRow::of_cards(second, first));
            ways[row.map_or(7, |row| row as usize)] += 1;
        }
    }
    // Six ways to a pair, four to a suited and twelve to an unsuited combination.
    assert_eq!(ways, [6, 4, 8, 12, 18, 24, 54, 1_200]);
    let gain: i64 = (0..7).map(|row| odds(row) * ways[row]).sum::<i64>() - ways[7];
    // -118 / 1,326: 8.90% of the stake.
    assert_eq!(gain, -118);
}

/// Over the 1,225 hands that the dealer may have beside each of the player's: the row for both aces at its
/// minimum brings the edge of the bonus from 8.90% to 8.54%.
#[test]
fn the_row_for_both_aces_costs_the_house_a_third_of_a_percent() {
    // Each of the player's six pairs of aces leaves the dealer one.
    let both = 6;
    let bonus = |options: Value| {
        let document = changed(&[
            ("/options/bonus_both_aces", options),
            ("/play/hands/0/cards", cards("AS AH")),
            ("/play/dealer", cards("AC AD")),
        ]);
        let settled = open().wager(&document, "b");
        settled.win.get() / (settled.returned.get() - settled.win.get())
    };
    let more = bonus(json!("1000:1")) - bonus(Value::Null);
    let gain = -118 * 1_225 + more * both;
    assert_eq!((more, gain), (970, -138_730));
    assert_eq!(-gain * 10_000 / (1_326 * 1_225), 854);
}
