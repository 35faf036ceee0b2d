//! Colorado Hold'em: every cell, every refusal, the pairs of both versions, and exact counts.

mod exact;
mod violations;

use serde_json::{Value, json};

use super::rows::{Row, Standing};
use super::{ColoradoHoldem, Pairs};
use crate::Edition::Mgc2017;
use crate::exact::{classes, for_each_set};
use crate::floor::Card;
use crate::games::shared::flawed::{self, cards};
use crate::settlement::Verdict;
use crate::testkit::TestTable;

fn open() -> TestTable<ColoradoHoldem> {
    TestTable::open()
}

/// The three cards, whether they are declared, and the community row that make a row. A hand that
/// is played discards its last card.
fn cards_for(row: &str) -> (&'static str, &'static str, &'static str) {
    match row {
        "royal_flush" => ("AS KS 2D", "play", "QS JS TS"),
        "straight_flush" => ("AS 2S KD", "play", "3S 4S 5S"),
        "four_of_a_kind" => ("9S 9H 2D", "play", "9D 9C KS"),
        "full_house" => ("9S 9H 2D", "play", "9D KC KS"),
        "flush" => ("AS 9S 2D", "play", "3S 4S 5S"),
        "straight" => ("AS 2S KD", "play", "3S 4S 5D"),
        "instant_three_card_straight_flush" => ("AH QH KH", "instant", "3S 4S 5D"),
        "instant_three_of_a_kind" => ("7H 7C 7D", "instant", "3S 4S 5D"),
        "three_of_a_kind" => ("9S 9H 2D", "play", "9D QC KS"),
        "two_pair" => ("2S 2H 9D", "play", "3C 3D KS"),
        "high_pair" => ("JS JH 9D", "play", "2C 3D KS"),
        _ => panic!("no cards for {row}"),
    }
}

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    let table = open();
    table.assert_cells(include_str!("../cells.txt"), |cell| {
        let (hand, action, board) = cards_for(cell.row);
        let mut wagers = vec![
            json!({"id": "ante", "seat": 7, "kind": "ante", "amount": 1000}),
            json!({"id": "bonus", "seat": 7, "kind": "bonus", "amount": 100}),
        ];
        let mut hand = json!({"seat": 7, "cards": cards(hand), "action": action});
        if action == "play" {
            wagers
                .push(json!({"id": "bet", "seat": 7, "kind": "bet", "amount": 1000, "on": "ante"}));
            hand["discard"] = hand["cards"][2].clone();
        }
        let version = match cell.table {
            "colorado_permissible" => "permissible",
            _ => "required",
        };
        wagers.swap(0, usize::from(cell.table == "colorado_bonus"));
        let play = json!({"board": cards(board), "hands": [hand]});
        table.document(
            cell.edition,
            json!({"version": version, "bonus": true}),
            json!(wagers),
            play,
        )
    });
}

/// A lawful round: three nines at seat 2.
fn lawful() -> Value {
    open().document(
        Mgc2017,
        json!({"bonus": true}),
        json!([
            {"id": "a", "seat": 2, "kind": "ante", "amount": 1000, "patron": "ann"},
            {"id": "b", "seat": 2, "kind": "bet", "amount": 1000, "on": "a", "patron": "ann"},
            {"id": "x", "seat": 2, "kind": "bonus", "amount": 100},
        ]),
        json!({"board": cards("9D QC KS"),
               "hands": [{"seat": 2, "cards": cards("9S 9H 2D"), "action": "play", "discard": "2D"}]}),
    )
}

fn changed(changes: &[(&str, Value)]) -> Value {
    flawed::changed(lawful(), changes)
}

fn removed(place: &str) -> Value {
    flawed::removed(lawful(), place)
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
fn what_describes_nothing_is_refused_by_its_place() {
    let table = open();
    let cases = [
        (
            changed(&[("/options/version", json!("optional"))]),
            "options.version: \"optional\" cannot be read; write one of \"required\", \"permissible\" (mgc-2017)",
        ),
        (
            changed(&[("/options/paytable", json!({"flush": "push"}))]),
            "options.paytable.flush: \"push\" are not odds",
        ),
        (
            changed(&[("/options/paytable", json!({"flushes": "8:1"}))]),
            "options.paytable: \"flushes\" is not a known word here; did you mean \"flush\"?",
        ),
        (
            changed(&[("/options/bonus_paytable", json!({"flush": "lose"}))]),
            "options.bonus_paytable.flush: \"lose\" are not odds",
        ),
        (
            changed(&[("/options/payout_limit", json!(-1))]),
            "options.payout_limit: -1 cannot be read; write cents or null",
        ),
        (
            changed(&[("/play/irregularities", json!([{"code": "misdeal"}]))]),
            "play.irregularities[0].code: this game has no rule for it",
        ),
        (
            changed(&[(
                "/play/irregularities",
                json!([{"code": "face_up_card", "when": "community"}]),
            )]),
            "play.irregularities[0].when: this game does not know it of \"face_up_card\"",
        ),
        (
            changed(&[("/play/hands/-", json!({"seat": 2}))]),
            "play.hands[1].seat: seat 2 has two hands",
        ),
        (
            changed(&[("/play/dealer", json!([]))]),
            "play.dealer: \"dealer\" is not a known key here",
        ),
        (
            changed(&[("/wagers/0/seat", json!("two"))]),
            "wagers[0].seat: a whole number is expected, not \"two\"",
        ),
        (
            changed(&[("/edition", json!("oh-jack-2017"))]),
            "edition: \"oh-jack-2017\" is not an edition of colorado_holdem",
        ),
    ];
    table.assert_refused(&cases);
}

#[test]
fn void_rounds_give_all_wagers_back() {
    use Verdict::{Void, Win};
    let cases = [
        (json!([{"code": "face_up_card"}]), [Win; 3]),
        (json!([{"code": "face_up_card", "count": 1}]), [Win; 3]),
        (json!([{"code": "face_up_card", "count": 2}]), [Void; 3]),
        (
            json!([{"code": "card_drawn_in_error"}, {"code": "shuffler_failure"}]),
            [Win; 3],
        ),
        (
            json!([{"code": "face_up_card"}, {"code": "face_up_card"}]),
            [Void; 3],
        ),
        (
            json!([{"code": "card_count", "area": "community"}]),
            [Void; 3],
        ),
        (json!([{"code": "deck_count", "found": 51}]), [Void; 3]),
        (json!([{"code": "shoe_failure"}]), [Void; 3]),
    ];
    for (irregularities, expected) in cases {
        let document = changed(&[
            ("/options/dealing", json!("automated_shoe")),
            ("/play/irregularities", irregularities.clone()),
        ]);
        assert_eq!(verdicts(&document), expected, "{irregularities}");
    }
    assert_eq!(
        verdicts(&changed(&[("/play/board/1", json!("JK"))])),
        [Void; 3]
    );
}

#[test]
fn what_is_incomplete_or_contradicts_itself_is_refused_and_not_void() {
    let told = |entry: Value| changed(&[("/play/irregularities", json!([entry]))]);
    let cases = [
        (removed("/play/hands/0"), "play.hands: seat 2"),
        (
            changed(&[("/play/hands/0/cards", cards("9S 9H"))]),
            "play.hands[0].cards: ",
        ),
        (removed("/play/board"), "play.board: "),
        (changed(&[("/play/board", cards("9D QC"))]), "play.board: "),
        (
            told(json!({"code": "shoe_failure"})),
            "play.irregularities[0]: ",
        ),
        (
            told(json!({"code": "deck_count", "found": 52})),
            "play.irregularities[0].found: ",
        ),
        (
            told(json!({"code": "card_count", "seat": 2, "dealt": 3})),
            "play.irregularities[0].dealt: 3 is the right number",
        ),
        (
            told(json!({"code": "card_count", "area": "community", "dealt": 4})),
            "play.irregularities[0].dealt: 3 cards lie there",
        ),
        (
            told(json!({"code": "face_up_card", "count": 0})),
            "play.irregularities[0].count: ",
        ),
        (
            told(json!({"code": "deck_count", "count": 2})),
            "play.irregularities[0].count: ",
        ),
    ];
    open().assert_refused(&cases);
}

#[test]
fn hands_that_cannot_be_formed_get_their_wagers_back() {
    use Verdict::{Lose, Void, Win};
    assert_eq!(verdicts(&removed("/play/hands/0/discard")), [Void; 3]);
    assert_eq!(verdicts(&removed("/play/hands/0/action")), [Void; 3]);
    // A fold returns the bet that should not be there, and a declaration too.
    assert_eq!(
        verdicts(&changed(&[("/play/hands/0/action", json!("fold"))])),
        [Lose, Void, Lose]
    );
    let instant = [("/play/hands/0/action", json!("instant"))];
    assert_eq!(verdicts(&changed(&instant)), [Lose, Void, Lose]);
    let three = flawed::changed(
        changed(&instant),
        &[("/play/hands/0/cards", cards("9S 9H 9C"))],
    );
    assert_eq!(verdicts(&three), [Win, Void, Win]);
}

#[test]
fn posted_odds_pay_if_they_are_no_less_than_the_rules_say() {
    let table = open();
    let document = changed(&[
        ("/options/paytable", json!({"three_of_a_kind": "7:2"})),
        (
            "/options/bonus_paytable",
            json!({"three_of_a_kind": "push"}),
        ),
        ("/wagers/0/amount", json!(1001)),
        ("/wagers/1/amount", json!(1001)),
    ]);
    assert_eq!(table.wager(&document, "a").win.get(), 3503);
    assert_eq!(table.wager(&document, "x").win.get(), 300);
    let low = changed(&[
        ("/options/paytable", json!({"three_of_a_kind": "5:2"})),
        ("/wagers/0/amount", json!(400)),
    ]);
    assert_eq!(table.wager(&low, "a").win.get(), 1200);
    let kings = changed(&[
        ("/options/bonus_paytable", json!({"high_pair": "3:1"})),
        ("/play/hands/0/cards", cards("KD 9H 2D")),
        ("/play/board/0", json!("3C")),
    ]);
    assert_eq!(table.wager(&kings, "x").win.get(), 300);
}

#[test]
fn a_payout_limit_holds_for_each_hand() {
    let table = open();
    let mut document = changed(&[
        ("/options/payout_limit", json!(5_000_000)),
        ("/wagers/0/amount", json!(1_000_000)),
        ("/wagers/1/amount", json!(1_000_000)),
        (
            "/wagers/-",
            json!({"id": "a3", "seat": 3, "kind": "ante", "amount": 1_200_000}),
        ),
        (
            "/play/hands/-",
            json!({"seat": 3, "cards": cards("6C 6D 6H"), "action": "instant"}),
        ),
    ]);
    let wins = |document: &Value| -> Vec<i64> {
        table
            .settle(document)
            .wagers()
            .iter()
            .map(|w| w.win.get())
            .collect()
    };
    assert_eq!(wins(&document), [3_000_000, 2_000_000, 300, 5_000_000]);
    // A lower limit counts as the least that may be set.
    document["options"]["payout_limit"] = json!(1_000_000);
    assert_eq!(wins(&document), [3_000_000, 2_000_000, 300, 5_000_000]);
    document["options"]["payout_limit"] = Value::Null;
    assert_eq!(wins(&document), [3_000_000, 3_000_000, 300, 6_000_000]);
}

/// s.10(e)-(g) and 11(e)-(g), pair by pair.
#[test]
fn pairs_win_push_and_lose_by_version() {
    let table = open();
    let fates = |version: &str| -> String {
        "23456789TJQKA"
            .chars()
            .map(|rank| {
                // Two side cards that pair nothing.
                let low = if rank == '2' || rank == '3' {
                    "5C 7D"
                } else {
                    "2C 3D"
                };
                let side = if rank == 'K' { "QS" } else { "KS" };
                let document = changed(&[
                    ("/options/version", json!(version)),
                    ("/play/hands/0/cards", cards(&format!("{rank}H {rank}S 2D"))),
                    ("/play/board", cards(&format!("{low} {side}"))),
                ]);
                match table.wager(&document, "b").result {
                    Verdict::Win => 'W',
                    Verdict::Push => 'P',
                    Verdict::Lose => 'L',
                    other => panic!("{other:?}"),
                }
            })
            .collect()
    };
    assert_eq!(fates("required"), "LLLLLPPPWWWWW");
    assert_eq!(fates("permissible"), "LLLLLLLPPWWWW");
}

#[test]
fn one_in_two_hundred_and_twenty_one_hands_is_an_instant_winner() {
    let mut rows = Vec::new();
    for_each_set(3, &mut |set| {
        rows.extend(Row::instant(&set.iter().collect::<Vec<Card>>()));
    });
    let count = |row: Row| rows.iter().filter(|&&other| other == row).count();
    // 13 ranks of four cards; 12 runs in four suits; of 22,100 hands.
    assert_eq!(count(Row::InstantThreeOfAKind), 52);
    assert_eq!(count(Row::InstantThreeCardStraightFlush), 48);
    assert_eq!(rows.len() * 221, 22_100);
}

/// A player who discards unseen plays a random hand of five: 2,598,960 of them, 84,480 a pair.
#[test]
fn random_hands_stand_as_often_as_the_combinations_say() {
    let frequencies = |pairs: &Pairs| {
        let (mut wins, mut pushes, mut loses, mut high_pairs) = (0, 0, 0, 0);
        for (hand, count) in classes() {
            match Standing::of(hand, pairs) {
                Standing::Wins(Row::HighPair) => high_pairs += count,
                Standing::Wins(_) => wins += count,
                Standing::Pushes => pushes += count,
                Standing::Loses => loses += count,
            }
        }
        [wins, high_pairs, pushes, loses]
    };
    let two_pair_or_better = 4 + 36 + 624 + 3_744 + 5_108 + 10_200 + 54_912 + 123_552;
    let required = Pairs {
        wins_from: 10,
        pushes_from: 7,
    };
    assert_eq!(
        frequencies(&required),
        [
            two_pair_or_better,
            5 * 84_480,
            3 * 84_480,
            5 * 84_480 + 1_302_540
        ]
    );
    let permissible = Pairs {
        wins_from: 11,
        pushes_from: 9,
    };
    assert_eq!(
        frequencies(&permissible),
        [
            two_pair_or_better,
            4 * 84_480,
            2 * 84_480,
            7 * 84_480 + 1_302_540
        ]
    );
}
