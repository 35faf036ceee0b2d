//! What is paid, taken and given back at blackjack and its kin beside the odds of a hand.

use catwalk_stories::{codes, settle, table};
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

/// Twelve at seat 1, that asks for a card and gets none, beside a hand that stands, and what is ruled.
fn unserved(told: &str, paid: &str) -> Vec<String> {
    let lines = format!(
        "open\nbet w1 1 main 1000\nbet w2 2 main 1000\ncard seat 1 TC up\ncard seat 2 TC up
         card dealer 9D up\ncard seat 1 2C up\ncard seat 2 8D up\nsay 1 hit\nsay 2 stand\n{told}
         card dealer TD up\n{paid} w1\ntake w2\nclose"
    );
    codes(&table("blackjack", "mgc-2017", json!({}), &lines))
}

fn ruled(kind: &str, detail: Value, ruling: &str) -> String {
    json!({"type": "irregularity", "kind": kind, "detail": detail, "ruling": ruling}).to_string()
}

#[test]
fn a_hand_is_dead_by_the_words_of_the_ruling() {
    let of_seat = || json!({"seat": 1});
    for (kind, detail, ruling) in [
        ("hand_dead", of_seat(), "wager back"),
        (
            "requested_card_not_dealt",
            of_seat(),
            "hand dead, wager returned",
        ),
        ("missed_card", json!({"seat": 1, "dead": true}), "returned"),
        ("card_not_dealt", of_seat(), "The wager goes back"),
    ] {
        assert_eq!(unserved(&ruled(kind, detail, ruling), "push"), NOTHING);
    }
    for ruling in ["play on", "not dead", "a card later or hand dead"] {
        let told = ruled("card_not_dealt", of_seat(), ruling);
        assert_eq!(unserved(&told, "push"), ["pay.uncollected"], "{ruling}");
    }
    let other = ruled("card_not_dealt", json!({"seat": 2}), "hand dead");
    assert_eq!(
        unserved(&other, "take"),
        ["pay.under"],
        "the other hand was dead"
    );
}

#[test]
fn all_hands_are_dead_by_the_words_of_the_ruling() {
    let read = |told: &str, paid: &str| {
        let lines = format!(
            "open\nbet w1 1 main 1000\ncard seat 1 TC up\ncard dealer 9D up\ncard seat 1 2C up
             card dealer ??\nsay 0 hole_checked\n{told}\n{paid} w1\nclose"
        );
        let options = json!({"hole_card": "reader"});
        codes(&table("blackjack", "mgc-2017", options, &lines))
    };
    const READ: &str = "dealer.hole_checked_wrongly";
    for (kind, ruling) in [
        ("reader_used_wrongly", "All hands dead, wagers returned"),
        ("all_hands_dead", "wagers returned"),
        ("card_reader", "the round is void"),
    ] {
        let told = ruled(kind, Value::Null, ruling);
        assert_eq!(read(&told, "push"), [READ]);
        assert_eq!(read(&told, "take"), [READ, "pay.under"]);
    }
}

#[test]
fn a_box_with_one_card_is_dead_unless_its_second_comes_last() {
    let one_card = |second: &str, paid: &str| {
        let lines = format!(
            "open\nbet w1 1 main 1000\nbet w2 2 main 1000\ncard seat 1 TC up\ncard seat 2 TC up
             card dealer 9D up\ncard seat 2 8C up\n{}\n{second}\nsay 2 stand\ncard dealer TD up
             {paid}\ntake w2\nclose",
            ruled("one_card", json!({"seat": 1}), "as the player likes")
        );
        codes(&table("blackjack", "mgc-2017", json!({}), &lines))
    };
    assert_eq!(one_card("", "push w1"), NOTHING);
    assert_eq!(one_card("", "take w1"), ["pay.under"]);
    assert_eq!(
        one_card("card seat 1 TD up\nsay 1 stand", "pay w1 1000"),
        NOTHING
    );
    assert_eq!(
        one_card("card seat 1 TD up\nsay 1 stand", "push w1"),
        ["pay.unpaid"]
    );
}

#[test]
fn a_decision_is_the_same_however_a_feed_writes_it() {
    let decided = |game: (&str, &str), said: &[&str], end: &str| {
        let stake = match said[0] {
            "double" => "bet w2 1 double 1000 w1\ncard seat 1 3D up",
            _ => "",
        };
        let then = said[1..].iter().map(|word| format!("say 1 {word}\n"));
        let lines = format!(
            "open\nbet w1 1 main 1000\ncard seat 1 4C up\ncard dealer 9D up\ncard seat 1 5C up
             say 1 {}\n{stake}\n{}card dealer 8D up\n{end}\nclose",
            said[0],
            then.collect::<String>()
        );
        codes(&table(game.0, game.1, json!({}), &lines))
    };
    let spanish = ("spanish_21", "mgc-2017");
    for rescue in ["rescue", "Rescue", "double~down~rescue"] {
        let found = decided(spanish, &["double", rescue], "take w1\npush w2");
        assert_eq!(found, NOTHING, "{rescue}");
    }
    let half = "{\"type\":\"wager_collected\",\"wager\":\"w1\",\"amount\":500}";
    for surrender in ["surrender", "SURRENDER", "late~surrender"] {
        assert_eq!(decided(spanish, &[surrender], half), NOTHING, "{surrender}");
    }
    assert_eq!(
        decided(spanish, &["Stand"], half),
        ["pay.uncollected"],
        "17 beats nine"
    );
}
