//! Fast Action Hold'em.

use serde_json::json;

use super::common::{codes, open, script};
use super::{assert_cases, table};

/// Seat 1 ties with the dealer's jacks, seat 2 splits and wins both.
const FAST_ACTION: &str = r#"
    open s1
    bet m1 1 main 1000
    bet m2 2 main 1000
    no-more-bets
    card seat 1 JC
    card seat 2 KS
    card dealer JS
    card seat 1 JH
    card seat 2 7D
    card dealer JD
    card seat 1 7H
    card seat 2 QS
    card dealer 8H
    card seat 1 5C
    card seat 2 QD
    card dealer 3C
    say 1 set
    {"type": "hand_set", "to": "seat", "seat": 1, "high": ["JC", "JH"], "low": []}
    bet x2 2 split 1000
    say 2 split
    {"type": "hand_set", "to": "seat", "seat": 2, "high": ["KS", "7D"], "low": ["QS", "QD"]}
    show dealer 0 JS
    show dealer 1 JD
    show dealer 2 8H
    show dealer 3 3C
    {"type": "hand_set", "to": "dealer", "high": ["JS", "JD"], "low": ["8H", "3C"]}
    burn
    card community KC up
    card community 9D up
    card community 6S up
    card community 4H up
    card community 2C up
    take m1
    pay m2 1000
    pay x2 1000
    close"#;

#[test]
fn fast_action_holdem_out_of_its_order_is_found() {
    let split = "bet x2 2 split 1000\n    say 2 split\n    {\"type\": \"hand_set\", \"to\": \"seat\", \"seat\": 2, \"high\": [\"KS\", \"7D\"], \"low\": [\"QS\", \"QD\"]}\n    show dealer 0 JS\n";
    let late = "say 2 split\n    {\"type\": \"hand_set\", \"to\": \"seat\", \"seat\": 2, \"high\": [\"KS\", \"7D\"], \"low\": [\"QS\", \"QD\"]}\n    show dealer 0 JS\n    bet x2 2 split 1000\n";
    let cases: [(&str, &str, &[&str]); 7] = [
        (split, late, &["fast_action.split_late"]),
        (
            "take m1\n",
            "push m1\n",
            &["pay.uncollected", "fast_action.copy_pushed"],
        ),
        ("take m1\n", "remove x2\n    take m1\n", &["wager.pinched"]),
        (
            "show dealer 1 JD\n",
            "show dealer 1 JD\n    say 1 surrender\n",
            &["fast_action.surrender_late", "pay.under"],
        ),
        (
            "bet x2 2",
            "{\"type\": \"hand_set\", \"to\": \"seat\", \"seat\": 1, \"high\": [\"JC\", \"7H\"], \"low\": []}\n    {\"type\": \"hand_set\", \"to\": \"seat\", \"seat\": 1, \"high\": [\"JC\", \"JH\"], \"low\": []}\n    bet x2 2",
            &["fast_action.hand_touched", "fast_action.hand_touched"],
        ),
        (
            "\"high\": [\"JS\", \"JD\"], \"low\": [\"8H\", \"3C\"]",
            "\"high\": [\"JS\", \"8H\"], \"low\": [\"JD\", \"3C\"]",
            &["fast_action.house_way"],
        ),
        ("close", "close\n    open s1\n    close", &[]),
    ];
    assert_cases("fast_action_holdem", &json!({}), FAST_ACTION, &cases);
}

#[test]
fn a_wrong_set_of_the_dealer_must_not_decide() {
    let wrong = FAST_ACTION.replace("[\"JS\", \"JD\"]", "[\"8H\", \"3C\"]");
    let paid = wrong.replace("take m1", "pay m1 1000");
    let found = codes(&table("fast_action_holdem", json!({}), &paid));
    assert_eq!(
        found,
        [
            "fast_action.house_way",
            "pay.undue",
            "fast_action.house_way_not_reset"
        ]
    );
}

#[test]
fn a_natural_of_the_dealer_leaves_the_second_wager_of_a_split() {
    let natural = "
        open s1
        bet m 1 main 1000
        card seat 1 ??
        card dealer 8S
        card seat 1 ??
        card dealer 8D
        card seat 1 ??
        card dealer 8H
        card seat 1 ??
        card dealer 8C
        bet x 1 split 1000
        say 1 split
        show dealer 0 8S
        show dealer 1 8D
        show dealer 2 8H
        show dealer 3 8C
        take m
        push x
        close";
    let cases: [(&str, &str, &[&str]); 1] = [(
        "push x\n",
        "take x\n",
        &["pay.under", "fast_action.split_taken_on_dealer_natural"],
    )];
    assert_cases("fast_action_holdem", &json!({}), natural, &cases);
}

#[test]
fn no_round_of_fast_action_is_dealt_after_the_cutting_card() {
    let shoe = |cut: u32| json!({"type": "shoe_started", "shoe": "s1", "set": "x", "decks": 6, "method": "shoe", "cut": cut});
    let told = |cut| {
        let mut bodies = vec![
            open("fast_action_holdem", "mgc-2017", json!({})),
            json!({"type": "cards_inspected", "set": "x", "missing": [], "extra": [], "unsuitable": [],
                "dealer": "d-1", "supervisor": "s-1"}),
            shoe(cut),
        ];
        bodies.extend(script(FAST_ACTION));
        bodies.extend(script("open s1\nbet m 1 main 500\ncard seat 1 2S"));
        bodies
            .push(json!({"type": "irregularity", "kind": "insufficient_cards", "ruling": "void"}));
        bodies.extend(script("push m\nclose"));
        codes(&bodies)
    };
    assert_eq!(told(78), [] as [&str; 0]);
    assert_eq!(told(300), ["deck.past_cutting_card"]);
}
