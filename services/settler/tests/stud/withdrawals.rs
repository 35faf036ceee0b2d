//! Bets of let it ride that are taken back: in their time, out of it, in part, and put back again.

use catwalk_stories::{codes, table};
use serde_json::json;

const NONE: [&str; 0] = [];

fn play(edition: &str, lines: &str) -> Vec<String> {
    codes(&table("let_it_ride", edition, json!({}), lines))
}

/// Let it ride in Massachusetts: seat 1 has jacks and takes its second bet back as `second` tells.
fn let_it_ride(first: &str, second: &str, end: &str) -> Vec<String> {
    let lines = format!(
        "open
         bet b1 1 bet_1 1000
         bet b2 1 bet_2 1000
         bet b3 1 bet_3 1000
         no-more-bets
         card seat 1 JS\ncard community ??
         card seat 1 JD\ncard community ??
         card seat 1 4C\ncard community ??
         {first}
         show community 1 4H
         {second}
         show community 2 9S
         {end}
         pay b1 2000
         pay b3 2000
         close"
    );
    play("mgc-2017", &lines)
}

#[test]
fn a_bet_is_withdrawn_by_a_decision_or_by_taking_it_back() {
    assert_eq!(let_it_ride("say 1 ride", "say 1 withdraw", ""), NONE);
    assert_eq!(
        let_it_ride("say 1 ride", "say 1 withdraw\nremove b2", "push b2"),
        NONE
    );
    assert_eq!(let_it_ride("", "remove b2", ""), NONE);
    assert_eq!(let_it_ride("", "say 1 withdraw_bet_2", ""), NONE);
}

#[test]
fn a_bet_that_is_withdrawn_out_of_its_time_or_in_part_is_told() {
    let illegal = ["wager.illegal_withdrawal", "wager.pinched"];
    assert_eq!(
        let_it_ride("remove b2", "say 1 ride", "pay b2 2000"),
        illegal
    );
    assert_eq!(
        let_it_ride("", "say 1 ride", "remove b2\npay b2 2000"),
        illegal
    );
    assert_eq!(let_it_ride("", "raise b2 500", "pay b2 2000"), illegal);
    assert_eq!(let_it_ride("", "remove b3", "pay b2 2000"), illegal);
    // So is one that a decision names: it plays on.
    let named = |first: &str, second: &str| let_it_ride(first, second, "pay b2 2000");
    let untimely = ["wager.illegal_withdrawal"];
    assert_eq!(named("", "say 1 withdraw_bet_1"), untimely);
    assert_eq!(named("say 1 withdraw_bet_2", ""), untimely);
}

/// Let it ride where seat 1 holds nothing: its first bet is taken back `before` or `after` its cards.
fn first_bet_taken_back(before: &str, after: &str, end: &str) -> Vec<String> {
    let lines = format!(
        "open
         bet b1 1 bet_1 1000\nbet b2 1 bet_2 1000\nbet b3 1 bet_3 1000
         no-more-bets
         {before}
         card seat 1 JS\ncard community ??
         card seat 1 8D\ncard community ??
         card seat 1 4C\ncard community ??
         {after}
         show community 1 2H
         show community 2 9S
         {end}
         take b2\ntake b3
         close"
    );
    play("mgc-2017", &lines)
}

#[test]
fn a_bet_is_not_taken_back_between_the_call_and_its_hand() {
    let illegal = ["wager.illegal_withdrawal", "wager.pinched"];
    assert_eq!(first_bet_taken_back("remove b1", "", ""), illegal);
    assert_eq!(first_bet_taken_back("remove b1", "", "take b1"), illegal);
    assert_eq!(first_bet_taken_back("", "remove b1", ""), NONE);
}

#[test]
fn a_bet_is_taken_back_before_hands_that_are_told_when_they_are_shown() {
    let lines = "open
         bet b1 1 bet_1 1000\nbet b2 1 bet_2 1000\nbet b3 1 bet_3 1000
         no-more-bets
         remove b1
         card community 2H up
         card community 9S up
         card seat 1 JS up\ncard seat 1 8D up\ncard seat 1 4C up
         take b2\ntake b3
         close";
    assert_eq!(play("oh-jack-2017", lines), NONE);
}

#[test]
fn a_bet_may_be_told_as_taken_back_in_many_ways() {
    let told = [
        "raise b1 0",
        "push b1",
        "say 1 pull~back",
        "say 1 TAKE~BACK",
        "say 1 take-down",
        "say 1 bet_1_withdraw",
        "say 1 Withdraw~bet~1",
    ];
    for told in told {
        assert_eq!(first_bet_taken_back("", told, ""), NONE, "{told}");
    }
    // At the end it is a loser that was left.
    let left = first_bet_taken_back("", "say 1 ride", "push b1");
    assert_eq!(left, ["pay.uncollected"]);
    let illegal = ["wager.illegal_withdrawal", "wager.pinched"];
    let late = first_bet_taken_back("", "say 1 ride", "raise b1 0");
    assert_eq!(late, illegal);
}

/// Let it ride in Ohio, where every card is told face up as it is dealt.
fn told_face_up(decided: &str) -> Vec<String> {
    let lines = format!(
        "open
         bet b1 1 bet_1 1000\nbet b2 1 bet_2 1000\nbet b3 1 bet_3 1000
         no-more-bets
         card seat 1 JS up\ncard community 2H up
         card seat 1 8D up\ncard community 9S up
         card seat 1 4C up
         {decided}
         take b3
         close"
    );
    play("oh-jack-2017", &lines)
}

#[test]
fn a_board_that_is_told_face_up_with_the_deal_does_not_tell_whose_turn_it_is() {
    assert_eq!(told_face_up("say 1 withdraw\nsay 1 withdraw"), NONE);
    assert_eq!(told_face_up("say 1 ride\nsay 1 withdraw\ntake b1"), NONE);
    assert_eq!(told_face_up("remove b1\nremove b2"), NONE);
    let third = told_face_up("remove b1\nremove b2\nsay 1 withdraw_bet_3");
    assert_eq!(third, ["wager.illegal_withdrawal"]);
}

#[test]
fn a_withdrawn_bet_is_neither_put_back_nor_paid() {
    let found = let_it_ride("", "say 1 withdraw", "bet x 1 bet_2 1000\npush x");
    assert_eq!(found, ["wager.reinstated"]);
    // It may come back under its own name, told anew or as a change; given back once more it is refused.
    for back in ["bet b2 1 bet_2 1000", "raise b2 1000", "raise b2 500"] {
        for taken in ["say 1 withdraw", "remove b2"] {
            let found = let_it_ride("", &format!("{taken}\n{back}"), "");
            assert_eq!(found, ["wager.reinstated"], "{taken}, {back}");
            let refused = format!("{taken}\n{back}\nremove b2");
            let found = let_it_ride("", &refused, "");
            assert_eq!(found, ["wager.reinstated"], "{taken}, {back}");
        }
    }
    let found = let_it_ride("", "say 1 withdraw", "pay b2 2000");
    assert_eq!(found, ["pay.over", "payout.withdrawn_bet_paid"]);
}
