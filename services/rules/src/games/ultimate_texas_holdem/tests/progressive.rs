//! The meter, its shares in dealing order, and envy.

use serde_json::{Value, json};

use super::open;
use crate::Edition::OhJack2017;
use crate::games::shared::flawed::cards;
use crate::settlement::Verdict;

/// Seats 1 to 4 with all main wagers and a progressive; seat 4 has folded.
fn progressive_round(board: &str, holes: [&str; 4], meter: Value) -> Value {
    let mut wagers = Vec::new();
    let mut hands = Vec::new();
    for (seat, hole) in (1..).zip(holes) {
        let id = |kind: &str| format!("{kind}{seat}");
        wagers.push(json!({"id": id("g"), "seat": seat, "kind": "progressive", "amount": 100}));
        wagers.push(json!({"id": id("a"), "seat": seat, "kind": "ante", "amount": 500}));
        wagers.push(json!({"id": id("b"), "seat": seat, "kind": "blind", "amount": 500}));
        if seat != 4 {
            wagers.push(
                json!({"id": id("p"), "seat": seat, "kind": "play", "amount": 500,
                               "on": id("a"), "stage": "river"}),
            );
        }
        let decision = if seat == 4 { "fold" } else { "play" };
        hands.push(json!({"seat": seat, "cards": cards(hole), "decision": decision}));
    }
    // The document's order is not the order of the deal.
    wagers.reverse();
    let mut play = json!({"dealer": ["3C", "3D"], "board": cards(board), "hands": hands});
    if !meter.is_null() {
        play["meters"] = json!({"progressive": meter});
    }
    let options = json!({"progressive": true, "progressive_reset": 700_000});
    open().document(OhJack2017, options, json!(wagers), play)
}

#[test]
fn percentage_awards_come_off_the_meter_in_dealing_order() {
    let table = open();
    // Nine-high, ten-high and six-high straight flushes; the fold's eight-high pays nobody.
    let document = progressive_round(
        "5S 6S 7S KH KD",
        ["8S 9S", "TD TC", "3S 4S", "2S 4D"],
        json!(1_000_005),
    );
    let returned = |id: &str| table.wager(&document, id).returned.get();
    // 10% of 10,000.05 is 1,000.00; 10% of the 9,000.05 left is 900.00; each gets the other's envy.
    assert_eq!(returned("g1"), 100_000 + 30_000);
    assert_eq!(returned("g2"), 60_000);
    assert_eq!(returned("g3"), 90_000 + 30_000);
    assert_eq!(returned("g4"), 60_000);
    assert_eq!(table.wager(&document, "g1").win.get(), 129_900);
    assert_eq!(table.violations(&document), [""; 0]);
}

#[test]
fn a_royal_flush_takes_the_meter_and_resets_it() {
    let table = open();
    // Two royals need two spade aces; the deck is flagged, the cards are settled as they lie.
    let document = progressive_round(
        "TS JS QS 2H 2D",
        ["AS KS", "9S 8S", "AS KS", "4C 4D"],
        json!(2_000_001),
    );
    let returned = |id: &str| table.wager(&document, id).returned.get();
    assert_eq!(returned("g1"), 2_000_001 + 100_000 + 30_000);
    // 10% of the reset value of 7,000.
    assert_eq!(returned("g2"), 70_000 + 200_000);
    // What seat 2 left.
    assert_eq!(returned("g3"), 630_000 + 100_000 + 30_000);
    assert_eq!(returned("g4"), 230_000);
    assert_eq!(table.violations(&document), ["deck.duplicate_card"]);
    // Without a meter in the document there is no share of it.
    let document = progressive_round(
        "TS JS QS 2H 2D",
        ["AS KS", "9H 8S", "AD KC", "4C 4D"],
        Value::Null,
    );
    let refusal = table.refusal(&document);
    assert!(
        refusal.starts_with("play.meters.progressive: "),
        "{refusal}"
    );
}

#[test]
fn envy_needs_a_hand_in_play_but_no_wager_of_its_owner() {
    let table = open();
    // Seat 4 folds the straight flush: nobody is paid for it.
    let folded = progressive_round(
        "5S 6S 7S KH KD",
        ["TD TC", "QD QC", "JD JC", "8S 9S"],
        Value::Null,
    );
    for id in ["g1", "g2", "g3", "g4"] {
        assert_eq!(table.wager(&folded, id).result, Verdict::Lose, "{id}");
    }
    // Seat 1 makes it without a progressive wager: the others, the fold too, collect envy.
    let mut document = progressive_round(
        "5S 6S 7S KH KD",
        ["8S 9S", "QD QC", "JD JC", "TD TC"],
        Value::Null,
    );
    let wagers = document["wagers"].as_array_mut().unwrap();
    wagers.retain(|wager| wager["id"] != "g1");
    for id in ["g2", "g3", "g4"] {
        assert_eq!(table.wager(&document, id).returned.get(), 30_000, "{id}");
    }
    // The turn and the river make no progressive hand.
    let late = progressive_round(
        "5S 6S KH 7S KD",
        ["8S 9S", "QD QC", "JD JC", "TD TC"],
        Value::Null,
    );
    assert_eq!(table.wager(&late, "g1").result, Verdict::Lose);
}

/// PC 2.G: nobody is envious of himself, at whichever of his positions.
#[test]
fn a_guest_has_no_envy_for_his_hand_at_a_second_position() {
    let table = open();
    let of_one_guest = |seats: [u64; 2]| {
        let mut document = progressive_round(
            "5S 6S 7S KH KD",
            ["8S 9S", "QD QC", "JD JC", "TD TC"],
            Value::Null,
        );
        let wagers = document["wagers"].as_array_mut().unwrap();
        wagers.retain(|wager| wager["id"] != "g1");
        for wager in wagers {
            if seats.iter().any(|seat| wager["seat"] == *seat) {
                wager["patron"] = json!("ann");
            }
        }
        document
    };
    let own = of_one_guest([1, 2]);
    assert_eq!(table.wager(&own, "g2").result, Verdict::Lose);
    assert_eq!(table.wager(&own, "g3").returned.get(), 30_000);
    let others = of_one_guest([2, 3]);
    assert_eq!(table.wager(&others, "g2").returned.get(), 30_000);
}
