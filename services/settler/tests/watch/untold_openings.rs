//! Feeds that do not tell when a round opens.

use catwalk_events::json;
use catwalk_settler::Output;
use serde_json::{Value, json};

/// A table and its events by number, round and body: what is found, and how many are not read.
fn told(events: &[(u64, Option<&str>, Value)]) -> (Vec<String>, usize) {
    let mut settler = catwalk_stories::settler();
    let opened = json!({"type": "table_opened", "game": "minibaccarat", "edition": "mgc-2017", "options": {},
        "limits": [], "opening_inventory": 5000000, "dealer": "d-1"});
    let mut outputs = Vec::new();
    for (seq, round, body) in [(1, None, opened)].iter().chain(events) {
        let mut event = json!({"id": format!("e{seq}"), "property": "ebh", "table": "T-1", "seq": seq,
            "at": format!("2026-11-15T20:{:02}:{:02}Z", seq / 60, seq % 60), "body": body,
            "source": {"kind": "device", "id": "d"}});
        if let Some(round) = round {
            event["round"] = json!(round);
        }
        outputs.extend(settler.receive(json::read(&event.to_string()).unwrap()));
    }
    outputs.extend(settler.finish());
    let mut unread = 0;
    let mut codes = Vec::new();
    for output in outputs {
        match output {
            Output::Finding(finding) => codes.push(finding.code),
            Output::Settlement(_) => {}
            Output::Unread(_) => unread += 1,
        }
    }
    (codes, unread)
}

/// A hand that the Banker wins 7 to 6, from this number on, with this paid.
fn hand(from: u64, round: &'static str, paid: i64) -> Vec<(u64, Option<&'static str>, Value)> {
    let card =
        |to: &str, card: &str| json!({"type": "card_dealt", "to": to, "card": card, "face": "up"});
    let bodies = [
        json!({"type": "wager_placed", "wager": "a", "seat": 1, "kind": "banker", "amount": 1000}),
        json!({"type": "wager_placed", "wager": "b", "seat": 2, "kind": "player", "amount": 1000}),
        card("player", "5S"),
        card("banker", "3C"),
        card("player", "AH"),
        card("banker", "4D"),
        json!({"type": "wager_collected", "wager": "b"}),
        json!({"type": "wager_paid", "wager": "a", "amount": paid, "commission": 50}),
        json!({"type": "round_closed"}),
    ];
    let numbered = bodies.into_iter().zip(from..);
    numbered
        .map(|(body, seq)| (seq, Some(round), body))
        .collect()
}

#[test]
fn the_first_wager_opens_a_round_that_nobody_opened() {
    let (codes, unread) = told(&[hand(2, "r1", 1000), hand(11, "r2", 1000)].concat());
    assert_eq!((&codes[..], unread), (&[] as &[String], 0));
    let (codes, unread) = told(&[hand(2, "r1", 1000), hand(11, "r2", 1100)].concat());
    assert_eq!((codes, unread), (vec!["pay.over".to_owned()], 0));
}

#[test]
fn wagers_may_be_told_before_the_round_is_opened() {
    let late = |from: u64, round| {
        let mut hand = hand(from, round, 1000);
        hand.insert(
            2,
            (
                0,
                Some(round),
                json!({"type": "round_opened", "shoe": "s1"}),
            ),
        );
        let numbered = hand.into_iter().zip(from..);
        numbered
            .map(|((_, round, body), seq)| (seq, round, body))
            .collect::<Vec<_>>()
    };
    let (codes, unread) = told(&[late(2, "r1"), late(12, "r2")].concat());
    assert_eq!((&codes[..], unread), (&[] as &[String], 0));
}

#[test]
fn money_alone_opens_no_round() {
    let paid = json!({"type": "wager_paid", "wager": "a", "amount": 1000});
    let events = [hand(2, "r1", 1000), vec![(11, Some("r2"), paid.clone())]].concat();
    assert_eq!(told(&events).0, ["feed.payout_without_round"]);
    // Nor does what comes for the round that has just ended.
    let late =
        json!({"type": "wager_placed", "wager": "c", "seat": 1, "kind": "banker", "amount": 1000});
    let late = vec![(11, Some("r1"), late), (12, Some("r1"), paid)];
    let (codes, unread) = told(&[hand(2, "r1", 1000), late].concat());
    assert_eq!(codes, ["round.late_act", "feed.payout_without_round"]);
    assert_eq!(unread, 2);
}

#[test]
fn a_round_that_may_have_lost_its_beginning_is_not_judged() {
    let mut broken = hand(2, "r1", 1000);
    // The second wager was told in an event that never came.
    broken.remove(1);
    let (codes, _) = told(&[broken[1..].to_vec(), hand(11, "r2", 1100)].concat());
    assert_eq!(codes, ["feed.gap", "pay.over"]);
}

#[test]
fn a_round_without_its_opening_is_judged_beside_one_that_has_it() {
    let opening = vec![(2, Some("r1"), json!({"type": "round_opened"}))];
    let paid =
        |cents| told(&[opening.clone(), hand(3, "r1", 1000), hand(12, "r2", cents)].concat());
    assert_eq!(paid(1000), (vec![], 0));
    assert_eq!(paid(1100), (vec!["pay.over".to_owned()], 0));
}
