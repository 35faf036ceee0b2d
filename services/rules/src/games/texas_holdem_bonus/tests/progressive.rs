//! The meter of the progressive and its envy.

use serde_json::{Value, json};

use super::{changed, folded, open, verdicts};
use crate::games::shared::flawed::{self, cards};
use crate::settlement::Verdict;

/// Another seat flops a straight flush, and its player is this one.
fn envied(patron: &str) -> Value {
    let wager = |id: &str, kind: &str| json!({"id": id, "seat": 4, "kind": kind, "amount": 500, "patron": patron});
    let mut flop = wager("f4", "flop");
    flop["amount"] = json!(1000);
    flop["on"] = json!("a4");
    changed(&[
        ("/play/board", cards("7S 6S 5S 2H KD")),
        ("/wagers/-", wager("a4", "ante")),
        ("/wagers/-", flop),
        (
            "/play/hands/-",
            json!({"seat": 4, "cards": ["8S", "4S"], "decision": "play"}),
        ),
        ("/play/hands/0/cards", cards("9D 9H")),
    ])
}

/// PC 2.G: nobody is envious of himself, at whichever of his positions; envy needs no meter.
#[test]
fn a_guest_has_no_envy_for_his_hand_at_a_second_position() {
    let returned = |patron: &str| open().wager(&envied(patron), "g").returned.get();
    assert_eq!(returned("bob"), 30_000);
    assert_eq!(returned("ann"), 0);
}

/// A share needs the reading of the meter; a fixed prize and a folded hand do not.
#[test]
fn a_share_of_a_meter_that_nobody_read_is_refused() {
    let hand = |hole: &str, flop: &str| {
        let board = format!("{flop} 2H KD");
        changed(&[
            ("/play/board", cards(&board)),
            ("/play/hands/0/cards", cards(hole)),
        ])
    };
    for (hole, flop) in [("AS KS", "QS JS TS"), ("9S 8S", "7S 6S 5S")] {
        let refusal = open().refusal(&hand(hole, flop));
        assert!(
            refusal.starts_with("play.meters.progressive: "),
            "{refusal}"
        );
        let mut read = hand(hole, flop);
        read["play"]["meters"] = json!({"progressive": 1_000_000});
        assert!(open().wager(&read, "g").returned.get() >= 100_000);
    }
    let fixed = hand("9S 9H", "9D 5C 5S");
    assert_eq!(open().wager(&fixed, "g").returned.get(), 5_000);
    let mut folded = folded("QS JS TS");
    folded["play"]["hands"][0]["cards"] = cards("AS KS");
    assert_eq!(open().wager(&folded, "g").result, Verdict::Lose);
}

#[test]
fn an_abandoned_hand_loses_all_and_gets_no_envy() {
    use Verdict::{Lose, Void, Win};
    let left = [("/play/hands/0/decision", json!("abandoned"))];
    assert_eq!(verdicts(&changed(&left)), [Lose; 6]);
    let envied = flawed::changed(envied("bob"), &left);
    assert_eq!(
        verdicts(&envied),
        [Lose, Lose, Lose, Lose, Lose, Lose, Win, Win]
    );
    // In a void round it has no effect.
    let exposed = flawed::changed(
        changed(&left),
        &[(
            "/play/irregularities",
            json!([{"code": "hole_card_exposed"}]),
        )],
    );
    assert_eq!(verdicts(&exposed), [Void, Void, Void, Void, Win, Win]);
}
