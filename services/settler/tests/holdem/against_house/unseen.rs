//! Cards that nobody saw: what they cannot decide is judged, the rest is held against its bounds.

use catwalk_stories::settle;
use serde_json::{Value, json};

use super::colorado::COLORADO;
use super::fast_action::FAST_ACTION;
use super::ultimate::ULTIMATE;
use super::{assert_cases, table};

/// `play` of the only round, and what its wagers of these ids hang on.
fn round(game: &str, lines: &str, ids: &[&str]) -> (Value, Vec<Vec<String>>) {
    let options = json!({"progressive": true});
    let is_linked = lines.contains("progressive");
    let options = if is_linked { options } else { json!({}) };
    let (_, rounds) = settle(&table(game, options, lines));
    let play = rounds[0].document.as_ref().unwrap()["play"].clone();
    let settlement = rounds[0].settlement.as_ref().unwrap();
    let hangs_on = |id: &&str| {
        let mut wagers = settlement.wagers().iter();
        let wager = wagers.find(|wager| wager.id.as_str() == *id).unwrap();
        wager.hangs_on.clone()
    };
    (play, ids.iter().map(hangs_on).collect())
}

/// With a four the dealer has a straight, with most cards no pair: queens win, push or lose. Two queens are no trips.
#[test]
fn a_card_of_the_dealer_that_was_never_turned() {
    let lines = ULTIMATE.replace("    show dealer 1 6S\n", "");
    let cases: [(&str, &str, &[&str]); 8] = [
        ("pay a1 1000\n", "push a1\n", &[]),
        ("pay a1 1000\n", "take a1\n", &[]),
        ("pay a1 1000\n", "pay a1 1500\n", &["pay.over"]),
        ("push b1\n", "pay b1 1000\n", &["pay.over"]),
        ("pay p1 2000\n", "push p1\n", &[]),
        ("take t1\n", "push t1\n", &["pay.uncollected"]),
        ("take a2\n", "push a2\n", &["pay.uncollected"]),
        ("take b2\n", "pay b2 500\n", &["pay.undue"]),
    ];
    assert_cases("ultimate_texas_holdem", &json!({}), &lines, &cases);
    let ids = ["a1", "b1", "t1", "a2"];
    let (play, hangs_on) = round("ultimate_texas_holdem", &lines, &ids);
    assert_eq!(play["dealer"], json!(["6D", "??"]));
    let dealer = vec!["play.dealer[1]".to_owned()];
    assert_eq!(hangs_on, [dealer.clone(), dealer, vec![], vec![]]);
}

/// An ace and a card that nobody saw are two aces at best.
#[test]
fn a_bonus_on_a_hand_that_was_half_seen() {
    let lines = "
        open s1
        bet a1 1 ante 500
        bet x1 1 bonus 100
        no-more-bets
        card seat 1 AC
        card dealer ??
        card seat 1 ??
        card dealer ??
        say 1 fold
        take a1
        pay x1 3000
        close";
    let cases: [(&str, &str, &[&str]); 4] = [
        ("pay x1 3000\n", "take x1\n", &[]),
        ("pay x1 3000\n", "pay x1 300\n", &[]),
        ("pay x1 3000\n", "pay x1 3100\n", &["pay.over"]),
        ("take a1\n", "push a1\n", &["pay.uncollected"]),
    ];
    assert_cases("texas_holdem_bonus", &json!({}), lines, &cases);
    let (play, hangs_on) = round("texas_holdem_bonus", lines, &["a1", "x1"]);
    assert_eq!(play["hands"][0]["cards"], json!(["AC", "??"]));
    assert_eq!(play["dealer"], json!(["??", "??"]));
    let own = vec!["play.hands[0].cards[1]".to_owned()];
    assert_eq!(hangs_on, [vec![], own]);
}

/// A queen, a card that nobody saw and K 9 2: a pair at best. The discard was named, and is no card of the five.
#[test]
fn a_kept_card_that_was_never_turned() {
    let lines = COLORADO
        .replace("    say 1 play\n", "    say 1 discard~5C\n")
        .replace("    show seat 1 1 QD\n", "");
    let cases: [(&str, &str, &[&str]); 3] = [
        ("pay a1 1000\n", "take a1\n", &[]),
        ("pay a1 1000\n", "pay a1 2000\n", &["pay.over"]),
        ("pay a2 5000\n", "pay a2 4000\n", &["pay.under"]),
    ];
    assert_cases("colorado_holdem", &json!({}), &lines, &cases);
    let (play, hangs_on) = round("colorado_holdem", &lines, &["a1", "a2"]);
    assert_eq!(play["hands"][0]["cards"], json!(["QS", "5C", "??"]));
    assert_eq!(play["hands"][0]["discard"], "5C");
    let own = vec!["play.hands[0].cards[2]".to_owned()];
    assert_eq!(hangs_on, [own, vec![]]);
}

/// Two cards were turned: the third is the one put down, and decides nothing.
#[test]
fn a_discard_that_nobody_saw() {
    let (play, hangs_on) = round("colorado_holdem", COLORADO, &["a1", "b1"]);
    assert_eq!(play["hands"][0]["cards"], json!(["QS", "QD", "??"]));
    assert_eq!(play["hands"][0]["discard"], "??");
    assert_eq!(hangs_on, [vec![], Vec::<String>::new()]);
}

/// Whatever the dealer put down, his jacks play. A jack on the board would beat kings and queens, and make no
/// difference to jacks.
#[test]
fn a_card_of_the_board_or_of_the_discards_of_the_house() {
    let discard = FAST_ACTION
        .replace("card dealer 3C", "card dealer ??")
        .replace("    show dealer 3 3C\n", "")
        .replace(", \"low\": [\"8H\", \"3C\"]", ", \"low\": []");
    let cases: [(&str, &str, &[&str]); 2] = [
        ("pay m2 1000\n", "take m2\n", &["pay.unpaid"]),
        ("pay x2 1000\n", "pay x2 1500\n", &["pay.over"]),
    ];
    assert_cases("fast_action_holdem", &json!({}), &discard, &cases);
    let board = FAST_ACTION.replace("card community 2C up", "card community ??");
    let cases: [(&str, &str, &[&str]); 3] = [
        ("take m1\n    pay m2 1000\n", "take m2\n    take m1\n", &[]),
        ("pay m2 1000\n", "pay m2 1500\n", &["pay.over"]),
        ("take m1\n", "push m1\n", &["pay.uncollected"]),
    ];
    assert_cases("fast_action_holdem", &json!({}), &board, &cases);
    let (play, hangs_on) = round("fast_action_holdem", &board, &["m1", "m2"]);
    assert_eq!(play["board"][4], "??");
    assert_eq!(hangs_on, [vec![], vec!["play.board[4]".to_owned()]]);
}

/// None of the six pairs that seat 1 may have kept beats the jacks of the dealer.
#[test]
fn a_pair_that_was_kept_and_not_told() {
    let set = r#"{"type": "hand_set", "to": "seat", "seat": 1, "high": ["JC", "JH"], "low": []}"#;
    let lines = FAST_ACTION.replace(set, "");
    let cases: [(&str, &str, &[&str]); 1] = [("take m1\n", "push m1\n", &["pay.uncollected"])];
    assert_cases("fast_action_holdem", &json!({}), &lines, &cases);
    let (play, _) = round("fast_action_holdem", &lines, &[]);
    assert_eq!(play["hands"][0]["sets"], json!([["??", "??"]]));
}

/// A share of a meter that nobody read may be any sum; three of a kind is paid a fixed one.
#[test]
fn a_meter_that_nobody_read() {
    let lines = ULTIMATE
        .replace(
            "    no-more-bets\n",
            "    bet g1 1 progressive 100\n    no-more-bets\n",
        )
        .replace("card community 9C up", "card community QS up")
        .replace("take t1", "pay t1 1500\n    pay g1 900");
    let (play, hangs_on) = round("ultimate_texas_holdem", &lines, &["g1"]);
    assert_eq!(play["meters"], json!({ "progressive": null }));
    assert_eq!(hangs_on, [Vec::<String>::new()]);
    let cases: [(&str, &str, &[&str]); 1] = [("pay g1 900\n", "pay g1 1000\n", &["pay.over"])];
    assert_cases(
        "ultimate_texas_holdem",
        &json!({"progressive": true}),
        &lines,
        &cases,
    );
}
