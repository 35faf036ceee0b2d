//! Which hand of a split box an event means that does not name it, and which wager a stake is on.

use catwalk_stories::{codes, settle, table};
use serde_json::{Value, json};

const NOTHING: [&str; 0] = [];

/// A card to a numbered hand of seat 1.
fn card(hand: u32, card: &str) -> String {
    format!(
        "{{\"type\":\"card_dealt\",\"to\":\"seat\",\"seat\":1,\"hand\":{hand},\"card\":\"{card}\",\"face\":\"up\"}}"
    )
}

fn decision(hand: u32, action: &str) -> String {
    format!("{{\"type\":\"decision\",\"seat\":1,\"hand\":{hand},\"action\":\"{action}\"}}")
}

fn stake(id: &str, kind: &str, hand: u32) -> String {
    format!("bet {id} 1 {kind} 2000 {{\"hand\":{hand}}}")
}

/// A pair at seat 1 against a six, told line by line; the dealer makes 25.
fn box_of(game: (&str, &str, Value), first: [&str; 2], told: &[String], paid: &str) -> Vec<Value> {
    let [one, other] = first;
    let lines = format!(
        "open\nbet w1 1 main 2000\ncard seat 1 {one} up\ncard dealer 6D up\ncard seat 1 {other} up
         {}
         card dealer QC up\ncard dealer 9D up\n{paid}\nclose",
        told.join("\n")
    );
    table(game.0, game.1, game.2, &lines)
}

fn spanish() -> (&'static str, &'static str, Value) {
    ("spanish_21", "mgc-2017", json!({}))
}

fn four_hands() -> (&'static str, &'static str, Value) {
    ("blackjack", "mgc-2017", json!({"max_split_hands": 4}))
}

#[test]
fn a_double_that_names_no_hand_is_of_the_one_that_got_the_last_card() {
    // The first hand stood on 15 without a word.
    let told = [
        "bet w2 1 split 2000 w1".to_owned(),
        card(1, "7D"),
        card(1, "3H"),
        card(2, "5H"),
        "bet w3 1 double 2000".to_owned(),
        card(2, "9S"),
    ];
    let paid = "pay w1 2000\npay w2 2000\npay w3 2000";
    let bodies = box_of(four_hands(), ["5C", "5D"], &told, paid);
    assert_eq!(codes(&bodies), NOTHING);
    let wrong = box_of(
        four_hands(),
        ["5C", "5D"],
        &told,
        "pay w1 2000\npay w2 2000",
    );
    assert_eq!(codes(&wrong), ["pay.unpaid"]);
}

#[test]
fn a_double_whose_card_is_out_is_late_though_another_hand_is_open() {
    let told = |late: bool, stake: &str| {
        let mut told = vec![
            "bet w2 1 split 2000 w1".to_owned(),
            card(1, "7D"),
            decision(1, "double"),
            stake.to_owned(),
            card(1, "9S"),
            card(2, "5H"),
            card(2, "KS"),
        ];
        told.swap(3, if late { 4 } else { 3 });
        let paid = "pay w1 2000\npay w2 2000\npay w3 2000";
        codes(&box_of(four_hands(), ["5C", "5D"], &told, paid))
    };
    let second = |stake: &str| {
        // The first hand stood without a word.
        let told = [
            "bet w2 1 split 2000 w1".to_owned(),
            card(1, "9D"),
            card(2, "6H"),
            decision(2, "double"),
            card(2, "9S"),
            stake.to_owned(),
        ];
        let paid = "pay w1 2000\npay w2 2000\npay w3 2000";
        codes(&box_of(four_hands(), ["5C", "5D"], &told, paid))
    };
    for stake in ["bet w3 1 double 2000", "bet w3 1 double 2000 w1"] {
        assert_eq!(told(false, stake), NOTHING, "{stake}");
        assert_eq!(told(true, stake), ["wager.late"], "{stake}");
    }
    for stake in ["bet w3 1 double 2000", "bet w3 1 double 2000 w2"] {
        assert_eq!(second(stake), ["wager.late"], "{stake}");
    }
}

#[test]
fn a_rescue_that_names_no_hand_is_of_the_one_that_was_doubled() {
    let told = |rescue: &str| {
        let told = format!(
            "say 1 split\nbet w2 1 split 2000 w1\ncard seat 1 6S up\nsay 1 double\nbet w3 1 double 2000 w1
             card seat 1 4S up\n{rescue}\ncard seat 1 6H up\nsay 1 stand"
        );
        told.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let settled =
        |rescue: &str, paid: &str| codes(&box_of(spanish(), ["9S", "9C"], &told(rescue), paid));
    let rescued = "take w1\npush w3\npay w2 2000";
    assert_eq!(settled("say 1 rescue", rescued), NOTHING);
    assert_eq!(
        settled("", rescued),
        ["pay.unpaid", "pay.unpaid"],
        "without a word the double stands and wins"
    );
}

#[test]
fn a_stake_for_a_split_that_names_no_hand_is_for_the_pair_that_got_the_last_card() {
    // The first hand is a pair as well, and stood without a word.
    let told = [
        "bet w2 1 split 2000 w1".to_owned(),
        decision(1, "split"),
        card(1, "QS"),
        card(2, "KD"),
        "bet w3 1 split 2000 w1".to_owned(),
        decision(2, "split"),
        card(2, "JH"),
        card(3, "8S"),
    ];
    let paid = "pay w1 2000\npay w2 2000\npay w3 2000";
    let bodies = box_of(four_hands(), ["KH", "JD"], &told, paid);
    assert_eq!(codes(&bodies), NOTHING);
    let (_, rounds) = settle(&bodies);
    let steps = &rounds[0].document.as_ref().unwrap()["play"]["boxes"][0]["steps"];
    let splits: Vec<_> = steps.as_array().unwrap().iter().collect();
    let split = |hand: u32, new: u32| json!({"hand": hand, "do": "split", "new_hand": new});
    assert!(splits.contains(&&split(1, 2)) && splits.contains(&&split(2, 3)));
}

#[test]
fn a_split_without_a_stake_does_not_take_that_of_the_next() {
    let paid = "pay w1 2000\npay w3 2000";
    let second = |stake_first: bool| {
        let (say, bet) = (decision(1, "split"), stake("w3", "split", 3));
        let split = if stake_first { [bet, say] } else { [say, bet] };
        let cards = [card(1, "9S"), card(3, "8S"), card(2, "7S")];
        let first = [decision(1, "split"), card(1, "QC")];
        [&first[..], &split, &cards].concat()
    };
    for stake_first in [true, false] {
        let bodies = box_of(four_hands(), ["KH", "JD"], &second(stake_first), paid);
        assert_eq!(
            codes(&bodies),
            ["decision.split_without_wager"],
            "{stake_first}"
        );
    }
    // A stake that comes after the card of its split is late all the same.
    let late = [
        decision(1, "split"),
        card(1, "9C"),
        stake("w3", "split", 2),
        card(2, "7S"),
    ];
    let found = codes(&box_of(four_hands(), ["KH", "JD"], &late, paid));
    assert_eq!(found, ["wager.late"]);
}

#[test]
fn stakes_on_several_spots_lie_in_the_order_of_the_spots() {
    let spots = |doubles: &str, paid: &str| {
        let lines = format!(
            "open\nbet w1 1 main 1000\nbet w2 1 main 500\ncard seat 1 6C up\ncard dealer 7D up\ncard seat 1 5H up
             say 1 double\n{doubles}\ncard seat 1 8S up
             card dealer TC up\ncard dealer TD up\n{paid}\nclose"
        );
        let options = json!({"variation": "multiple_action"});
        table("blackjack", "mgc-2017", options, &lines)
    };
    let told = |doubles: &str, paid: &str| codes(&spots(doubles, paid));
    let both = "bet w3 1 double 1000\nbet w4 1 double 500";
    let paid = "pay w1 1000\npay w2 500\npay w3 1000\npay w4 500";
    assert_eq!(told(both, paid), NOTHING);
    let named = |lines: Vec<Value>| {
        let of_main = |body: &Value| body["kind"] == "main";
        let name = |mut body: Value| {
            if of_main(&body) {
                body["player"] = json!("ann");
            }
            body
        };
        codes(&lines.into_iter().map(name).collect::<Vec<_>>())
    };
    assert_eq!(named(spots(both, paid)), NOTHING, "who bet is said once");
    let named = "bet w3 1 double 500 {\"spot\":2}\nbet w4 1 double 1000 {\"spot\":1}";
    let paid = "pay w1 1000\npay w2 500\npay w3 500\npay w4 1000";
    assert_eq!(told(named, paid), NOTHING);
    assert_eq!(
        told(
            "bet w3 1 double 1000",
            "pay w1 1000\npay w2 500\npay w3 1000"
        ),
        ["decision.double_without_wager"]
    );
}

#[test]
fn what_lay_on_the_main_by_an_event_may_be_all_that_is_named() {
    // The double is told by its decision alone: 19 against 19, 18 and 20.
    let told = |hole: &str, end: &str| {
        let double = "{\"type\":\"decision\",\"seat\":1,\"action\":\"double\",\"amount\":2000}";
        let lines = format!(
            "open\nbet w1 1 main 2000\ncard seat 1 4C up\ncard dealer TD up\ncard seat 1 7H up
             {double}\ncard seat 1 8D up\ncard dealer {hole} up\n{end}\nclose"
        );
        codes(&table("blackjack", "mgc-2017", json!({}), &lines))
    };
    let ends = |kind: &str, amount: i64| {
        format!("{{\"type\":\"{kind}\",\"wager\":\"w1\",\"amount\":{amount}}}")
    };
    assert_eq!(told("9C", &ends("wager_pushed", 2000)), NOTHING);
    assert_eq!(told("9C", &ends("wager_pushed", 4000)), NOTHING);
    assert_eq!(told("9C", &ends("wager_pushed", 1000)), ["pay.under"]);
    assert_eq!(told("TC", &ends("wager_collected", 2000)), NOTHING);
    assert_eq!(
        told("TC", &ends("wager_collected", 1000)),
        ["pay.uncollected"]
    );
    assert_eq!(told("8C", "pay w1 2000"), ["pay.under"]);
}
