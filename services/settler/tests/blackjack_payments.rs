//! What is paid, taken and given back at blackjack and its kin beside the odds of a hand.

#![allow(clippy::unwrap_used)]

mod common;

use common::{codes, settle, table};
use serde_json::{Value, json};

const NOTHING: [&str; 0] = [];
const VOID: &str = "{\"type\":\"round_voided\",\"reason\":\"misdeal\"}";

/// Nineteen at seat 1 against 17, with this decided on the way and this done in the end.
fn won(edition: &str, options: Value, said: &str, end: &str) -> Vec<Value> {
    let lines = format!(
        "open\nbet w1 1 main 2000\nbet s1 1 trilux 500\nno-more-bets
         card seat 1 9S up\ncard dealer 8H up\ncard seat 1 TC up\n{said}\n{end}\nclose"
    );
    let lines = match edition {
        "mgc-2017" => lines.replace("bet s1 1 trilux 500\n", ""),
        _ => lines,
    };
    table("blackjack", edition, options, &lines)
}

#[test]
fn what_is_paid_on_a_wager_that_nobody_made_is_paid_for_nothing() {
    let paid = |said: &str, end: &str| codes(&won("mgc-2017", json!({}), said, end));
    let end = "card dealer 9D up\npay w1 2000";
    assert_eq!(paid("say 1 stand", end), NOTHING);
    let stray = format!("{end}\npay w9 500");
    assert_eq!(paid("say 1 stand", &stray), ["pay.undue"]);
    assert_eq!(paid("", &stray), ["pay.undue"]);
    let put_right = format!("{stray}\ntake w9");
    assert_eq!(paid("say 1 stand", &put_right), NOTHING);
    // A double of which only the word is told may have a name of its own.
    let doubled = "say 1 double\ncard seat 1 2C up";
    assert_eq!(paid(doubled, &stray), ["decision.double_without_wager"]);
    let staked = format!("bet w2 1 double 2000 w1\n{doubled}");
    assert_eq!(
        paid(&staked, &format!("{stray}\npay w2 2000")),
        ["pay.undue"]
    );
    // What goes to the toke pool is nobody's wager.
    let options = json!({"side_bets": ["trilux"], "hole_card": "down"});
    let pool = |toke: i64| {
        let end = format!("card dealer 9D up\npay s1 5000\npay toke {toke}\npay w1 2000");
        codes(&won("oh-jack-2017", options.clone(), "say 1 stand", &end))
    };
    assert_eq!(pool(200), NOTHING);
    assert_eq!(pool(300), ["pay.undue"]);
}

#[test]
fn a_void_round_gives_back_what_lay_on_a_hand() {
    let told = |game: &str, side: &str, end: &str| {
        let options = match game {
            "blackjack" => json!({"side_bets": ["match_the_dealer"]}),
            _ => json!({}),
        };
        let lines = format!(
            "open\nbet w1 1 main 2000\nbet s1 1 match_the_dealer 500\nno-more-bets
             card seat 1 9S up\ncard dealer 8H up\ncard seat 1 KC up\n{side}\n{end}\n{VOID}"
        );
        let mut bodies = table(game, "mgc-2017", options, &lines);
        bodies.push(json!({"type": "clock"}));
        let (findings, _) = settle(&bodies);
        let found = findings.iter();
        found
            .map(|found| (found.code.clone(), found.exposure.get()))
            .collect::<Vec<_>>()
    };
    let nothing: [(String, i64); 0] = [];
    for game in ["blackjack", "spanish_21"] {
        let undone = "pay w1 2000\n{\"type\":\"wager_collected\",\"wager\":\"w1\",\"amount\":2000}";
        for end in ["", "push w1", "take w1\npush w1", undone] {
            assert_eq!(told(game, "", end), nothing, "{game} {end}");
        }
        let kept = [("pay.under".to_owned(), -2000)];
        assert_eq!(told(game, "", "take w1"), kept, "{game}");
        let paid = [("pay.over".to_owned(), 2000)];
        assert_eq!(told(game, "", "pay w1 2000"), paid, "{game}");
    }
    // Hands that are dead leave the side wagers of blackjack as they fell; a void round of Spanish 21
    // has none, 15(a),(b).
    assert_eq!(told("blackjack", "take s1", "push w1"), nothing);
    let kept = [("pay.under".to_owned(), -500)];
    assert_eq!(told("spanish_21", "take s1", "push w1"), kept);
}

#[test]
fn a_streak_is_not_taken_before_it_is_lost() {
    let hand = |first: &str, end: &str| {
        format!(
            "open\nbet w1 1 main 2000\ncard seat 1 {first} up\ncard dealer 8H up\ncard seat 1 TC up
             say 1 stand\ncard dealer TD up\n{end}\nclose"
        )
    };
    let made = |line: String| line.replacen("2000\n", "2000\nbet s1 1 streak_2 200\n", 1);
    let told = |rounds: &[String]| {
        let options = json!({"side_bets": ["streak"]});
        codes(&table("blackjack", "mgc-2017", options, &rounds.join("\n")))
    };
    let tied = made(hand("8S", "push w1"));
    assert_eq!(told(&[tied]), NOTHING);
    let taken = made(hand("8S", "push w1\ntake s1"));
    let next = hand("9S", "pay w1 2000");
    assert_eq!(told(&[taken, next]), ["pay.under"]);
    let lost = made(hand("7S", "take w1\ntake s1"));
    assert_eq!(told(&[lost]), NOTHING);
    // Who stays away abandons it, 22(f).
    let won = made(hand("9S", "pay w1 2000"));
    let away = hand("9S", "pay w1 2000\ntake s1").replace("seat 1", "seat 2");
    let away = away
        .replace("w1 1 main", "w1 2 main")
        .replace("say 1", "say 2");
    assert_eq!(told(&[won, away]), NOTHING);
}
