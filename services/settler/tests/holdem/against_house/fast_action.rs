//! Fast Action Hold'em.

use serde_json::json;

use super::{assert_cases, codes, table};
use catwalk_stories::{open, script};

/// Seat 1 ties with the dealer's jacks, seat 2 splits and wins both.
pub(super) const FAST_ACTION: &str = r#"
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

/// Each pair of a split may be told by itself; a hand that is set once more was touched.
#[test]
fn a_split_may_be_set_pair_by_pair() {
    let both = r#"{"type": "hand_set", "to": "seat", "seat": 2, "high": ["KS", "7D"], "low": ["QS", "QD"]}"#;
    let pair = |pair: &str| {
        let set = r#"{"type": "hand_set", "to": "seat", "seat": 2, "high": [], "low": []}"#;
        set.replace("\"high\": []", &format!("\"high\": [{pair}]"))
    };
    let (kings, queens) = (pair(r#""KS", "7D""#), pair(r#""QS", "QD""#));
    let touched = pair(r#""KS", "QD""#);
    let cases: [(&str, &str, &[&str]); 2] = [
        (both, &format!("{kings}\n    {queens}"), &[]),
        (
            both,
            &format!("{kings}\n    {touched}\n    {both}"),
            &["fast_action.hand_touched", "fast_action.hand_touched"],
        ),
    ];
    assert_cases("fast_action_holdem", &json!({}), FAST_ACTION, &cases);
}

/// Five to one is what a natural is paid, and this hand is none; nobody declared one either.
#[test]
fn a_hand_that_is_paid_as_a_natural_is_one() {
    let cases: [(&str, &str, &[&str]); 2] = [
        (
            "pay m2 1000\n",
            "pay m2 5000\n",
            &["pay.over", "fast_action.natural_false"],
        ),
        ("pay m2 1000\n", "pay m2 4000\n", &["pay.over"]),
    ];
    assert_cases("fast_action_holdem", &json!({}), FAST_ACTION, &cases);
}

#[test]
fn fast_action_holdem_out_of_its_order_is_found() {
    let split = "bet x2 2 split 1000\n    say 2 split\n    {\"type\": \"hand_set\", \"to\": \"seat\", \"seat\": 2, \"high\": [\"KS\", \"7D\"], \"low\": [\"QS\", \"QD\"]}\n    show dealer 0 JS\n";
    let late = "say 2 split\n    {\"type\": \"hand_set\", \"to\": \"seat\", \"seat\": 2, \"high\": [\"KS\", \"7D\"], \"low\": [\"QS\", \"QD\"]}\n    show dealer 0 JS\n    bet x2 2 split 1000\n";
    let cases: [(&str, &str, &[&str]); 10] = [
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
            "show dealer 1 JD\n",
            "show dealer 1 JD\n    say 1 discontinue\n",
            &["fast_action.surrender_late", "pay.under"],
        ),
        // The same cards told again, with those that are put down.
        (
            "bet x2 2",
            "{\"type\": \"hand_set\", \"to\": \"seat\", \"seat\": 1, \"high\": [\"JH\", \"JC\"], \"low\": [\"7H\", \"5C\"]}\n    bet x2 2",
            &[],
        ),
        // The dealer puts his set right.
        (
            "burn\n",
            "{\"type\": \"hand_set\", \"to\": \"dealer\", \"high\": [\"JD\", \"JS\"], \"low\": []}\n    burn\n",
            &[],
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
        bodies.extend(script(
            &FAST_ACTION.replace("no-more-bets", "no-more-bets\n burn"),
        ));
        bodies.extend(script("open s1\nbet m 1 main 500\ncard seat 1 2S"));
        bodies
            .push(json!({"type": "irregularity", "kind": "insufficient_cards", "ruling": "void"}));
        bodies.extend(script("push m\nclose"));
        codes(&bodies)
    };
    assert_eq!(told(78), [] as [&str; 0]);
    assert_eq!(told(300), ["deck.past_cutting_card"]);
}

/// The set of the dealer is not told; by house ways it is the jacks.
#[test]
fn a_copy_is_found_by_the_house_ways_too() {
    let dealer =
        r#"{"type": "hand_set", "to": "dealer", "high": ["JS", "JD"], "low": ["8H", "3C"]}"#;
    let untold = FAST_ACTION.replace(dealer, "");
    let cases: [(&str, &str, &[&str]); 1] = [(
        "take m1\n",
        "pay m1 1000\n",
        &["pay.undue", "fast_action.copy_pushed"],
    )];
    assert_cases("fast_action_holdem", &json!({}), &untold, &cases);
}

/// The same round, dealt from other places.
fn dealt_from(first: usize) -> String {
    let places = [
        ["dealer JS", "dealer JD", "dealer 8H", "dealer 3C"],
        ["seat 1 JC", "seat 1 JH", "seat 1 7H", "seat 1 5C"],
        ["seat 2 KS", "seat 2 7D", "seat 2 QS", "seat 2 QD"],
    ];
    let start = FAST_ACTION.find("card seat 1 JC").unwrap();
    let end = FAST_ACTION.find("say 1 set").unwrap();
    let mut lines = FAST_ACTION[..start].to_owned();
    for turn in 0..12 {
        let dealt = places[(first + turn) % 3][turn / 3];
        lines += &format!("card {dealt}\n");
    }
    lines + &FAST_ACTION[end..]
}

#[test]
fn the_first_card_goes_to_the_marker_which_moves_on() {
    let found = |rounds: &[usize]| {
        let lines: Vec<String> = rounds.iter().map(|&first| dealt_from(first)).collect();
        codes(&table("fast_action_holdem", json!({}), &lines.join("\n")))
    };
    let none: [&str; 0] = [];
    assert_eq!(found(&[0, 1, 2]), none);
    assert_eq!(found(&[0, 0]), ["fast_action.marker"]);
    assert_eq!(found(&[0, 1, 1, 2]), ["fast_action.marker"]);
    // A feed that always deals from the lowest seat tells nothing of it.
    assert_eq!(found(&[1, 1, 1]), none);
    let told = r#"{"type": "irregularity", "kind": "marker_not_moved", "ruling": "moved"}"#;
    let stayed = dealt_from(0).replace("no-more-bets", &format!("no-more-bets\n{told}"));
    let lines = [dealt_from(0), stayed, dealt_from(1)].join("\n");
    let found = codes(&table("fast_action_holdem", json!({}), &lines));
    assert_eq!(found, ["fast_action.marker"]);
}

#[test]
fn a_shoe_begins_with_a_burned_card_where_burns_are_told() {
    let begun = |method: &str, lines: &str| {
        let mut bodies = vec![
            open("fast_action_holdem", "mgc-2017", json!({})),
            json!({"type": "shoe_started", "shoe": "s1", "set": "x", "decks": 6, "method": method}),
        ];
        bodies.extend(script(lines));
        let found = codes(&bodies).into_iter();
        found
            .filter(|code| code == "deal.burn")
            .collect::<Vec<String>>()
    };
    let none: [&str; 0] = [];
    assert_eq!(begun("shoe", FAST_ACTION), ["deal.burn"]);
    let burned = FAST_ACTION.replace("no-more-bets", "no-more-bets\n burn");
    assert_eq!(begun("shoe", &burned), none);
    // The burn of the shoe is none before the board.
    let lines = format!("{burned}\n{}", burned.replace("    burn\n", ""));
    assert_eq!(begun("shoe", &lines), ["deal.burn"]);
    // Who tells that one tells burns.
    let unburned = burned.replace("    burn\n", "");
    assert_eq!(begun("shoe", &unburned), ["deal.burn"]);
    assert_eq!(begun("shoe", &FAST_ACTION.replace("    burn\n", "")), none);
    assert_eq!(begun("continuous", FAST_ACTION), none);
}

/// s.8(a),(e): with the pair that is kept two cards are put down.
#[test]
fn discards_may_be_told_with_the_pair_that_is_kept() {
    let kept = r#""high": ["JC", "JH"], "low": []"#;
    let put_down = |low: &str| kept.replace("\"low\": []", &format!("\"low\": [{low}]"));
    let cases: [(&str, &str, &[&str]); 3] = [
        (kept, &put_down(r#""7H", "5C""#), &[]),
        (kept, &put_down(r#""7H""#), &["fast_action.discard_count"]),
        // A fifth card goes with them. s.9(g)
        (
            "say 1 set\n",
            "card seat 1 2D\n    {\"type\": \"irregularity\", \"kind\": \"card_count\", \"detail\": {\"seat\": 1, \"dealt\": 5}, \"ruling\": \"noted\"}\n    {\"type\": \"hand_set\", \"to\": \"seat\", \"seat\": 1, \"high\": [\"JH\", \"JC\"], \"low\": [\"7H\", \"5C\", \"2D\"]}\n    say 1 set\n",
            &[],
        ),
    ];
    assert_cases("fast_action_holdem", &json!({}), FAST_ACTION, &cases);
}

/// s.8(b): who turns four of a kind over has declared them, whether the feed has the word or not.
#[test]
fn a_natural_is_declared_by_turning_it() {
    let set = "say 1 set\n    {\"type\": \"hand_set\", \"to\": \"seat\", \"seat\": 1, \"high\": [\"JC\", \"JH\"], \"low\": []}\n";
    let turned = "show seat 1 0 TC\n    show seat 1 1 TC\n    show seat 1 2 TH\n    show seat 1 3 TD\n    pay m1 5000\n";
    let mut honest = FAST_ACTION
        .replace(set, turned)
        .replace("    take m1\n", "");
    for (old, new) in [("JC", "TC"), ("JH", "TC"), ("7H", "TH"), ("5C", "TD")] {
        honest = honest.replacen(
            &format!("card seat 1 {old}"),
            &format!("card seat 1 {new}"),
            1,
        );
    }
    let cases: [(&str, &str, &[&str]); 1] = [("pay m1 5000\n", "pay m1 1000\n", &["pay.under"])];
    assert_cases("fast_action_holdem", &json!({}), &honest, &cases);
}

/// s.8(k)-(m): the hands are exposed and losers taken from the highest seat down, then winners paid alike.
#[test]
fn losers_are_taken_before_winners_are_paid() {
    let hands = [
        "show seat 1 0 JC\n    show seat 1 1 JH\n    ",
        "show seat 2 0 KS\n    show seat 2 1 7D\n    ",
    ];
    let winner_first = "pay m2 1000\n    take m1\n    pay x2 1000\n";
    let cases: [(&str, &str, &[&str]); 3] = [
        (
            "take m1\n    pay m2 1000\n    pay x2 1000\n",
            winner_first,
            &["settle.order"],
        ),
        (
            "take m1\n",
            &format!("{}{}take m1\n", hands[1], hands[0]),
            &[],
        ),
        (
            "take m1\n",
            &format!("{}{}take m1\n", hands[0], hands[1]),
            &["settle.order"],
        ),
    ];
    assert_cases("fast_action_holdem", &json!({}), FAST_ACTION, &cases);
}

/// s.8(f): who surrenders is settled at once, and has no turn.
#[test]
fn a_surrender_has_no_turn() {
    let set = "say 1 set\n    {\"type\": \"hand_set\", \"to\": \"seat\", \"seat\": 1, \"high\": [\"JC\", \"JH\"], \"low\": []}\n";
    let half = "{\"type\": \"wager_collected\", \"wager\": \"m1\", \"amount\": 500}\n";
    let surrendered = FAST_ACTION
        .replace(set, "say 1 surrender\n")
        .replace("take m1\n", "")
        .replace("pay x2 1000\n", &format!("pay x2 1000\n    {half}"));
    let none: [&str; 0] = [];
    assert_eq!(
        codes(&table("fast_action_holdem", json!({}), &surrendered)),
        none
    );
}

/// s.5(f): about a quarter of the stack lies behind the cutting card, where no machine shuffles.
#[test]
fn a_quarter_of_the_stack_lies_behind_the_cutting_card() {
    let found = |shuffler: &str, decks: u32, cut: u32| {
        let shoe = json!({"type": "shoe_started", "shoe": "s", "set": "A", "decks": decks,
            "method": "shoe", "cut": cut});
        let options = json!({"shuffler": shuffler, "decks": decks});
        let found = codes(&table("fast_action_holdem", options, &shoe.to_string()));
        found.contains(&"shoe.cut_depth".to_owned())
    };
    assert!(found("none", 6, 51) && found("none", 8, 77));
    assert!(!found("none", 6, 52) && !found("none", 8, 78));
    assert!(!found("automated", 6, 0) && !found("continuous", 6, 10));
}

/// Any number of face-up cards leaves the round as it is; a dealer with five cards voids it. s.9(a),(f)
#[test]
fn face_up_cards_void_nothing() {
    let one = json!({"type": "irregularity", "kind": "face_up_card", "detail": {"count": 4},
        "ruling": "discarded"});
    let none: [&str; 0] = [];
    let told = FAST_ACTION.replace("say 1 set\n", &format!("{one}\n    {one}\n    say 1 set\n"));
    assert_eq!(codes(&table("fast_action_holdem", json!({}), &told)), none);
}
