//! The hold'em games against the house from their events: what only the order of events shows.

#![allow(clippy::unwrap_used)]

mod common;

use common::{codes, open, script, settle};
use serde_json::{Value, json};

fn table(game: &str, options: Value, lines: &str) -> Vec<Value> {
    let edition = match game {
        "ultimate_texas_holdem" | "texas_holdem_bonus" => "oh-jack-2017",
        _ => "mgc-2017",
    };
    let mut bodies = vec![open(game, edition, options)];
    bodies.extend(script(lines));
    bodies
}

/// Each case: what is done to honest lines (an old and a new part), and the codes it raises.
fn assert_cases(game: &str, options: &Value, honest: &str, cases: &[(&str, &str, &[&str])]) {
    let none: [&str; 0] = [];
    assert_eq!(codes(&table(game, options.clone(), honest)), none, "honest");
    for (old, new, expected) in cases {
        assert!(honest.contains(old), "{old}");
        let lines = honest.replacen(old, new, 1);
        let found = codes(&table(game, options.clone(), &lines));
        assert_eq!(found, *expected, "{old} -> {new}");
    }
}

/// Seat 1 wins with queens after the flop; seat 2 folds on the river; the dealer has sixes.
const ULTIMATE: &str = "
    open s1
    bet a1 1 ante 1000
    bet b1 1 blind 1000
    bet t1 1 trips 500
    bet a2 2 ante 1000
    bet b2 2 blind 1000
    no-more-bets
    card dealer ??
    card seat 1 QC
    card seat 2 ??
    card dealer ??
    card seat 1 7D
    card seat 2 ??
    say 1 check
    say 2 check
    card community QH up
    card community 9C up
    card community 5D up
    bet p1 1 play 2000
    say 2 check
    card community 3S up
    card community 2H up
    say 2 fold
    take a2
    take b2
    show dealer 0 6D
    show dealer 1 6S
    pay a1 1000
    push b1
    pay p1 2000
    take t1
    close";

#[test]
fn a_play_wager_belongs_to_the_street_on_which_it_was_made() {
    let (findings, rounds) = settle(&table("ultimate_texas_holdem", json!({}), ULTIMATE));
    assert_eq!(findings, []);
    let document = rounds[0].document.as_ref().unwrap();
    let play = &document["wagers"][5];
    assert_eq!(
        (&play["stage"], &play["on"]),
        (&json!("flop"), &json!("a1"))
    );
    // Nobody saw the folded cards; they decide nothing.
    let hands = &document["play"]["hands"];
    assert_eq!(hands[0]["cards"], json!(["QC", "7D"]));
    assert_eq!(
        (
            &hands[1]["decision"],
            hands[1]["cards"].as_array().unwrap().len()
        ),
        (&json!("fold"), 2)
    );
}

/// The stake in the decision, beside the wager or alone; a fold that only the chips tell.
#[test]
fn a_play_may_be_told_by_its_decision_and_a_fold_by_its_chips() {
    let spoken = r#"{"type": "decision", "seat": 1, "action": "play", "amount": 2000}"#;
    let both = format!("bet p1 1 play 2000\n    {spoken}\n");
    let cases: [(&str, &str, &[&str]); 3] = [
        ("bet p1 1 play 2000\n", &both, &[]),
        ("bet p1 1 play 2000\n", &format!("{spoken}\n"), &[]),
        ("say 2 fold\n", "", &[]),
    ];
    assert_cases("ultimate_texas_holdem", &json!({}), ULTIMATE, &cases);
}

#[test]
fn ultimate_texas_holdem_out_of_its_order_is_found() {
    let cases: [(&str, &str, &[&str]); 12] = [
        // A card of the dealer is seen before the flop, and the round goes on.
        (
            "say 1 check\n    say 2 check\n    card community QH up\n",
            "show dealer 0 6D\n    say 1 check\n    say 2 check\n    card community QH up\n",
            &["deal.dealer_exposed_not_voided"],
        ),
        // A four-fold wager when the flop is seen; a wager while the last cards are turned.
        (
            "bet p1 1 play 2000\n",
            "bet p1 1 play 4000\n",
            &["uth.play_multiple", "pay.under"],
        ),
        (
            "bet p1 1 play 2000\n    say 2 check\n    card community 3S up\n",
            "say 2 check\n    card community 3S up\n    bet p1 1 play 1000\n",
            &["uth.play_out_of_stage", "pay.over"],
        ),
        (
            "show dealer 0 6D\n",
            "show dealer 0 6D\n    bet p2 2 play 1000\n    push p2\n",
            &[
                "uth.play_out_of_stage",
                "uth.decision_mismatch",
                "pay.uncollected",
            ],
        ),
        (
            "say 2 fold\n",
            "raise p1 4000\n    say 2 fold\n",
            &["uth.play_twice", "wager.capped"],
        ),
        (
            "say 2 fold\n",
            "remove p1\n    say 2 fold\n",
            &["wager.pinched"],
        ),
        (
            "say 1 check\n    say 2 check\n",
            "say 2 check\n    say 1 check\n",
            &["uth.turn_order"],
        ),
        (
            "card dealer ??\n    card seat 1 QC\n",
            "card seat 1 QC\n    card dealer ??\n",
            &["deal.order"],
        ),
        (
            "push b1\n",
            "pay b1 1000\n",
            &["pay.over", "uth.blind_paid_below_straight"],
        ),
        ("close", "close\n    open s1\n    close", &[]),
        ("say 2 fold\n", "say 2 check\n", &["uth.no_final_decision"]),
        (
            "close",
            "close\n    open s1\n    card seat 1 QC\n    close",
            &["deal.card_count", "deal.hand_without_wager"],
        ),
    ];
    assert_cases("ultimate_texas_holdem", &json!({}), ULTIMATE, &cases);
}

#[test]
fn an_ante_is_neither_paid_nor_taken_when_the_dealer_has_no_pair() {
    let unqualified = ULTIMATE
        .replace("0 6D", "0 8D")
        .replace("pay a1 1000", "push a1");
    let cases: [(&str, &str, &[&str]); 2] = [
        (
            "push a1\n",
            "pay a1 1000\n",
            &["pay.over", "uth.ante_paid_unqualified"],
        ),
        (
            "push a1\n",
            "take a1\n",
            &["pay.under", "uth.ante_paid_unqualified"],
        ),
    ];
    assert_cases("ultimate_texas_holdem", &json!({}), &unqualified, &cases);
}

/// Seat 2 folds and leaves three fives under the trips wager.
#[test]
fn trips_stays_when_the_cards_are_left_under_it() {
    let honest = "
        open s1
        bet a 2 ante 500
        bet b 2 blind 500
        bet t 2 trips 500
        card dealer QD
        card seat 2 5D
        card dealer TS
        card seat 2 3C
        say 2 check
        card community 5H up
        card community 5C up
        card community KD up
        say 2 check
        card community 9S up
        card community 2H up
        say 2 fold_keep_trips
        take a
        take b
        show dealer 0 QD
        show dealer 1 TS
        pay t 1500
        close";
    let cases: [(&str, &str, &[&str]); 1] = [(
        "pay t 1500\n",
        "take t\n",
        &["pay.unpaid", "uth.trips_taken_on_kept_fold"],
    )];
    assert_cases("ultimate_texas_holdem", &json!({}), honest, &cases);
}

/// Seat 1 makes a straight flush on the flop, seat 2 has a progressive wager too.
const PROGRESSIVE: &str = r#"
    {"type": "round_opened", "shoe": "s1", "meters": {"progressive": 2543000}}
    bet a1 1 ante 1000
    bet b1 1 blind 1000
    bet g1 1 progressive 100
    bet a2 2 ante 1000
    bet b2 2 blind 1000
    bet g2 2 progressive 100
    card dealer ??
    card seat 1 8S
    card seat 2 QC
    card dealer ??
    card seat 1 9S
    card seat 2 QH
    bet p1 1 play 4000
    say 2 check
    card community 5S up
    card community 6S up
    card community 7S up
    say 2 check
    card community KH up
    card community KD up
    bet p2 2 play 1000
    show dealer 0 AD
    show dealer 1 3S
    pay a2 1000
    push b2
    pay p2 1000
    pay a1 1000
    pay b1 50000
    pay p1 4000
    jackpot g1 254300
    jackpot g2 30000
    {"type": "meter_read", "meter": "progressive", "amount": 2288800}
    close"#;

#[test]
fn awards_of_the_progressive_are_for_the_stake() {
    let options = json!({"progressive": true});
    let cases: [(&str, &str, &[&str]); 8] = [
        ("jackpot g1 254300\n", "jackpot g1 254200\n", &[]),
        (
            "jackpot g1 254300\n",
            "take g1\n    jackpot g1 254300\n",
            &[],
        ),
        ("jackpot g1 254300\n", "pay g1 254200\n", &[]),
        ("jackpot g1 254300\n", "pay g1 254300\n", &[]),
        (
            "jackpot g1 254300\n",
            "jackpot g1 254300\n    push g1\n",
            &["progressive.stake_returned"],
        ),
        (
            "jackpot g2 30000\n",
            "take g2\n",
            &["pay.unpaid", "progressive.envy_error"],
        ),
        (
            "\"amount\": 2288800",
            "\"amount\": 2543100",
            &["progressive.meter_mismatch"],
        ),
        ("2543000", "2443000", &["pay.over"]),
    ];
    assert_cases("ultimate_texas_holdem", &options, PROGRESSIVE, &cases);
}

#[test]
fn an_award_for_the_river_card_or_to_a_folded_hand_is_found() {
    let honest = "
        open s1
        bet a 1 ante 1000
        bet b 1 blind 1000
        bet g 1 progressive 100
        card dealer ??
        card seat 1 8S
        card dealer ??
        card seat 1 8D
        bet p 1 play 3000
        card community 5S up
        card community 6S up
        card community KS up
        card community 8H up
        card community 2D up
        show dealer 0 AD
        show dealer 1 3C
        pay p 3000
        push a
        push b
        close";
    let cases: [(&str, &str, &[&str]); 2] = [
        (
            "push b\n",
            "push b\n    jackpot g 900\n",
            &["pay.undue", "progressive.turn_river_used"],
        ),
        (
            "bet p 1 play 3000\n",
            "say 1 fold\n    jackpot g 3000\n",
            &[
                "pay.uncollected",
                "pay.uncollected",
                "pay.undue",
                "progressive.folded_paid",
            ],
        ),
    ];
    assert_cases(
        "ultimate_texas_holdem",
        &json!({"progressive": true}),
        honest,
        &cases,
    );
}

/// Seat 1 bets every street and wins with kings; seat 2 folds A-Q suited over a bonus wager.
const BONUS: &str = "
    open s1
    bet a1 1 ante 500
    bet a2 2 ante 500
    bet x2 2 bonus 200
    no-more-bets
    card seat 1 KC
    card seat 2 ??
    card dealer ??
    card seat 1 7H
    card seat 2 ??
    card dealer ??
    bet f1 1 flop 1000
    say 2 fold
    take a2
    show seat 2 0 AC
    show seat 2 1 QC
    burn
    card community KD up
    card community QH up
    card community 5S up
    bet t1 1 turn 500
    burn
    card community 3C up
    bet r1 1 river 500
    burn
    card community 2D up
    show dealer 0 9S
    show dealer 1 9C
    push a1
    pay f1 1000
    pay t1 500
    pay r1 500
    pay x2 4000
    close";

#[test]
fn texas_holdem_bonus_out_of_its_order_is_found() {
    let cases: [(&str, &str, &[&str]); 9] = [
        // A card of the dealer is seen before the turn, and the round goes on.
        (
            "bet t1 1 turn 500\n",
            "show dealer 0 9S\n    bet t1 1 turn 500\n",
            &["deal.dealer_exposed_not_voided"],
        ),
        (
            "bet t1 1 turn 500\n    burn\n    card community 3C up\n",
            "burn\n    card community 3C up\n    bet t1 1 turn 500\n",
            &["thb.street_late"],
        ),
        (
            "burn\n    card community 2D up\n",
            "card community 2D up\n",
            &["deal.burn"],
        ),
        (
            "push a1\n",
            "pay a1 500\n",
            &["pay.over", "thb.ante_paid_below_qualifier"],
        ),
        (
            "pay x2 4000\n",
            "take x2\n",
            &["pay.unpaid", "thb.bonus_mucked_on_fold"],
        ),
        (
            "pay x2 4000\n",
            "pay x2 200000\n",
            &["pay.over", "thb.both_aces_error"],
        ),
        (
            "say 2 fold\n",
            "raise f1 1500\n    say 2 fold\n",
            &["wager.capped"],
        ),
        (
            "bet f1 1 flop 1000\n    say 2 fold\n",
            "say 2 fold\n    bet f1 1 flop 1000\n",
            &["thb.turn_order"],
        ),
        (
            "card dealer ??\n    card seat 1 7H\n    card seat 2 ??\n    card dealer ??\n",
            "card seat 1 7H\n    card dealer ??\n    card seat 2 ??\n    card dealer ??\n",
            &["deal.order"],
        ),
    ];
    assert_cases("texas_holdem_bonus", &json!({}), BONUS, &cases);
    // A feed that never tells burns is not judged by them.
    let none: [&str; 0] = [];
    let silent = BONUS.replace("    burn\n", "");
    assert_eq!(
        codes(&table("texas_holdem_bonus", json!({}), &silent)),
        none
    );
}

/// Who folds is not shown what he folded against: the dealer's cards are known to nobody, or were not told of.
#[test]
fn a_house_that_nobody_met_has_nothing_to_show() {
    let none: [&str; 0] = [];
    let folded = "
        open s1
        bet a1 1 ante 500
        no-more-bets
        card seat 1 ??
        card dealer ??
        card seat 1 ??
        card dealer ??
        say 1 fold
        take a1
        close";
    let ultimate = folded
        .replace(
            "bet a1 1 ante 500",
            "bet a1 1 ante 500\n bet b1 1 blind 500",
        )
        .replace(
            "card seat 1 ??\n        card dealer ??",
            "card dealer ??\n card seat 1 ??",
        )
        .replace(
            "say 1 fold",
            "say 1 check
            card community KD up\n card community QH up\n card community 5S up
            say 1 check\n card community 3C up\n card community 2D up
            say 1 fold\n take b1",
        );
    let untold = |lines: &str| lines.replace("card dealer ??", "");
    for lines in [folded.to_owned(), untold(folded)] {
        assert_eq!(codes(&table("texas_holdem_bonus", json!({}), &lines)), none);
    }
    for lines in [ultimate.clone(), untold(&ultimate)] {
        assert_eq!(
            codes(&table("ultimate_texas_holdem", json!({}), &lines)),
            none
        );
    }
    // The aces of the dealer may be worth a thousand to one, and must be seen.
    let aces = folded
        .replacen("card seat 1 ??", "card seat 1 AC", 1)
        .replacen("card seat 1 ??", "card seat 1 AD", 1)
        .replace("take a1", "take a1\n pay x1 3000")
        .replace("no-more-bets", "bet x1 1 bonus 100\n no-more-bets");
    let elected = |odds| {
        codes(&table(
            "texas_holdem_bonus",
            json!({"bonus_both_aces": odds}),
            &aces,
        ))
    };
    assert_eq!(elected(Value::Null), none);
    assert_eq!(elected(json!("1000:1")), ["round.unsettled"]);

    let declared = "
        open s1
        bet a1 1 ante 1000
        card seat 1 6H
        card community ??
        card seat 1 7H
        card community ??
        card seat 1 8H
        card community ??
        say 1 instant
        pay a1 5000
        close";
    for lines in [
        declared.to_owned(),
        declared.replace("card community ??", ""),
    ] {
        assert_eq!(codes(&table("colorado_holdem", json!({}), &lines)), none);
    }
    let surrendered = "
        open s1
        bet m1 1 main 1000
        card seat 1 ??\n card dealer ??\n card seat 1 ??\n card dealer ??
        card seat 1 ??\n card dealer ??\n card seat 1 ??\n card dealer ??
        say 1 surrender
        {\"type\": \"wager_collected\", \"wager\": \"m1\", \"amount\": 500}
        close";
    assert_eq!(
        codes(&table("fast_action_holdem", json!({}), surrendered)),
        none
    );
}

/// Seat 1 plays queens, seat 2 declares an instant winner.
const COLORADO: &str = "
    open s1
    bet a1 1 ante 1000
    bet a2 2 ante 1000
    no-more-bets
    card seat 1 ??
    card seat 2 6H
    card community KS
    card seat 1 ??
    card seat 2 7H
    card community 9D
    card seat 1 ??
    card seat 2 8H
    card community 2H
    bet b1 1 bet 1000
    say 1 play
    say 2 instant
    pay a2 5000
    show community 0 KS
    show community 1 9D
    show community 2 2H
    show seat 1 0 QS
    show seat 1 1 QD
    pay a1 1000
    pay b1 1000
    close";

#[test]
fn colorado_holdem_out_of_its_order_is_found() {
    let cases: [(&str, &str, &[&str]); 6] = [
        // The discard is told by word instead of being the card that nobody saw.
        (
            "show seat 1 1 QD\n",
            "show seat 1 1 QD\n    show seat 1 2 5C\n    say 1 discard~5C\n",
            &[],
        ),
        (
            "bet b1 1 bet 1000\n    say 1 play\n    say 2 instant\n    pay a2 5000\n    show community 0 KS\n",
            "say 1 play\n    say 2 instant\n    pay a2 5000\n    show community 0 KS\n    bet b1 1 bet 1000\n",
            &["colorado.bet_late"],
        ),
        (
            "say 2 instant\n    pay a2 5000\n    show community 0 KS\n",
            "show community 0 KS\n    say 2 instant\n    pay a2 5000\n",
            &[
                "colorado.instant_after_board",
                "deal.community_exposed_early",
            ],
        ),
        (
            "pay a1 1000\n",
            "raise b1 5000\n    pay a1 1000\n",
            &["wager.capped"],
        ),
        (
            "card seat 1 ??\n    card seat 2 6H\n",
            "card seat 2 6H\n    card seat 1 ??\n",
            &["deal.order"],
        ),
        ("pay a2 5000\n", "pay a2 3000\n", &["pay.under"]),
    ];
    assert_cases("colorado_holdem", &json!({}), COLORADO, &cases);
}

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
