//! Spanish 21 and Free Bet Blackjack from their events.

use catwalk_stories::{codes, settle, table};
use serde_json::{Value, json};

const NOTHING: [&str; 0] = [];

/// Suited sevens against a seven at Spanish 21: $5,000 to seat 1, $50 to seat 4.
fn super_bonus(paid: &str) -> Vec<Value> {
    let lines = format!(
        "open\nbet w1 1 main 2500\nbet w2 4 main 500\ncard seat 1 7D up\ncard seat 4 KC up
         card dealer 7S up\ncard seat 1 7D up\ncard seat 4 9C up\nsay 1 hit\ncard seat 1 7D up
         say 4 stand\ncard dealer KD up\n{paid}\nclose"
    );
    table("spanish_21", "mgc-2017", json!({}), &lines)
}

#[test]
fn a_super_bonus_and_its_envy_are_paid_beside_the_odds() {
    let honest = [
        "pay w1 5000\npay w1 500000\npay w2 500\npay w2 5000",
        "pay w1 505000\npay w2 5500",
        "pay w1 510000\npay w2 500",
        "pay w1 5000\njackpot w1 500000\npay w2 500\njackpot w2 5000",
        "pay w1 5000\npay w2 500\npay super 500000\npay envy 5000",
    ];
    for paid in honest {
        assert_eq!(codes(&super_bonus(paid)), NOTHING, "{paid}");
    }
    assert_eq!(
        codes(&super_bonus("pay w1 505000\npay w2 500")),
        ["bonus.envy_missing"]
    );
    let (findings, _) = settle(&super_bonus("pay w1 5000\npay w2 5500"));
    assert_eq!(
        (findings[0].code.as_str(), findings[0].exposure.get()),
        ("pay.under", -500000)
    );
}

#[test]
fn a_rescued_double_goes_back_however_it_is_told() {
    let lines = |back: &str| {
        let lines = format!(
            "open\nbet w1 1 main 2000\ncard seat 1 4D up\ncard dealer 9C up\ncard seat 1 3C up
             say 1 hit\ncard seat 1 4H up\nsay 1 double\nbet w2 1 double 2000 w1\ncard seat 1 2C up
             say 1 rescue\n{back}\ncard dealer 8D up\ntake w1\nclose"
        );
        codes(&table("spanish_21", "mgc-2017", json!({}), &lines))
    };
    assert_eq!(lines("push w2"), NOTHING);
    assert_eq!(lines("remove w2"), NOTHING);
    assert_eq!(lines("take w2"), ["pay.under"]);
}

#[test]
fn a_ten_is_no_card_of_spanish_21() {
    let lines = "open\nbet w1 1 main 2000\ncard seat 1 TD up\ncard dealer 9C up\ncard seat 1 KC up
        say 1 stand\ncard dealer 8D up\npay w1 2000\nclose";
    let mut bodies = table("spanish_21", "mgc-2017", json!({}), lines);
    bodies.insert(
        1,
        json!({"type": "shoe_started", "shoe": "a", "set": "s", "decks": 6, "method": "shoe"}),
    );
    let found = codes(&bodies);
    assert!(found.contains(&"deck.foreign_card".to_owned()), "{found:?}");
}

#[test]
fn a_lammer_wins_what_the_original_wager_does() {
    let lines = |said: &str, bet: &str, paid: &str| {
        let lines = format!(
            "open\nbet w1 1 main 2000\ncard seat 1 4C up\ncard dealer 8D up\ncard seat 1 6H up
             card dealer ??\nsay 1 {said}\n{bet}\ncard seat 1 JC up\nshow dealer 1 TC\npay w1 2000
             {paid}\nclose"
        );
        codes(&table(
            "free_bet_blackjack",
            "oh-jack-2017",
            json!({}),
            &lines,
        ))
    };
    let lammer = "{\"type\":\"wager_placed\",\"wager\":\"w2\",\"seat\":1,\"kind\":\"free_double\",\"amount\":0,\"on\":\"w1\",\"detail\":{\"lammer\":2000}}";
    assert_eq!(lines("free_double", lammer, "pay w2 2000"), NOTHING);
    assert_eq!(lines("double", lammer, "pay w2 2000"), NOTHING);
    assert_eq!(
        lines("free_double", "bet w2 1 free_double 0 w1", "pay w2 2000"),
        NOTHING
    );
    assert_eq!(lines("free_double", lammer, ""), ["pay.unpaid"]);
    assert_eq!(lines("free_double", lammer, "pay w2 4000"), ["pay.over"]);
    let wrong = lammer.replace("2000}", "4000}");
    assert_eq!(
        lines("free_double", &wrong, "pay w2 2000"),
        ["wager.lammer_not_equal"]
    );
}

/// A free double that wins, and what becomes of its lammer.
fn free_double(lammer: &str) -> String {
    format!(
        "open\nbet w1 1 main 2000\ncard seat 1 4C up\ncard dealer 8D up\ncard seat 1 6H up
         card dealer ??\nsay 1 free_double\nbet w2 1 free_double 0 w1\ncard seat 1 JC up
         show dealer 1 TC\npay w1 2000\npay w2 2000\n{lammer}\nclose"
    )
}

#[test]
fn a_lammer_leaves_the_layout_where_the_feed_tells_of_it() {
    let rounds = |lammers: &[&str]| {
        let lines: Vec<String> = lammers.iter().map(|lammer| free_double(lammer)).collect();
        let (game, edition) = ("free_bet_blackjack", "oh-jack-2017");
        codes(&table(game, edition, json!({}), &lines.join("\n")))
    };
    assert_eq!(rounds(&["", ""]), NOTHING);
    assert_eq!(rounds(&["take w2", "take w2"]), NOTHING);
    assert_eq!(rounds(&["take w2", ""]), ["lammer.not_removed"]);
    let put_right = "pay w2 100\n{\"type\":\"wager_collected\",\"wager\":\"w2\",\"amount\":100}";
    let found = rounds(&[put_right, ""]);
    assert!(
        !found.contains(&"lammer.not_removed".to_owned()),
        "{found:?}"
    );
}

#[test]
fn what_a_table_posts_wrongly_is_said_once_while_it_stands() {
    const ROUND: &str = "open\nbet w1 1 main 1000\ncard seat 1 TC up\ncard dealer 6D up
        card seat 1 9C up\nsay 1 stand\ncard dealer TD up\ncard dealer 9C up\npay w1 1000\nclose";
    let conflicts = |between: &str| {
        let lines = format!("{ROUND}\n{ROUND}\n{between}\n{ROUND}\n{ROUND}");
        let found = codes(&table(
            "spanish_21",
            "mgc-2017",
            json!({"boxes": 7}),
            &lines,
        ));
        let conflicts = found.iter().filter(|code| *code == "config.conflict");
        conflicts.count()
    };
    let posted = |options: &str| {
        format!("{{\"type\":\"rules_changed\",\"edition\":\"mgc-2017\",\"options\":{options}}}")
    };
    assert_eq!(conflicts(""), 1);
    assert_eq!(conflicts(&posted("{\"boxes\":7}")), 1, "the same again");
    assert_eq!(conflicts(&posted("{\"boxes\":6}")), 1);
    assert_eq!(conflicts(&posted("{\"boxes\":8}")), 2);
    let closed = "{\"type\":\"table_closed\",\"closing_inventory\":5000000}";
    let opened = "{\"type\":\"table_opened\",\"game\":\"spanish_21\",\"edition\":\"mgc-2017\",\"options\":{\"boxes\":7},\"limits\":[],\"opening_inventory\":5000000,\"dealer\":\"d-1\"}";
    assert_eq!(conflicts(opened), 1, "a device that connects anew");
    assert_eq!(conflicts(&format!("{closed}\n{opened}")), 2, "another day");
}

#[test]
fn every_ten_at_spanish_21_is_found_though_the_round_is_void() {
    let lines = "open\nbet w1 1 main 1000\ncard seat 1 KC up
        {\"type\":\"card_burned\",\"card\":\"TC\"}\n{\"type\":\"card_burned\",\"card\":\"TD\"}
        push w1\n{\"type\":\"round_voided\",\"reason\":\"two tens\"}";
    assert_eq!(
        codes(&table("spanish_21", "mgc-2017", json!({}), lines)),
        ["deck.foreign_card", "deck.foreign_card"]
    );
}

#[test]
fn insurance_at_spanish_21_ends_with_the_first_further_card_of_anybody() {
    let told = |early: &str, late: &str| {
        let lines = format!(
            "open\nbet w1 1 main 2000\nbet w2 2 main 2000\nno-more-bets
             card seat 1 5S up\ncard seat 2 KS up\ncard dealer AH up\ncard seat 1 6C up\ncard seat 2 QC up
             {early}\nsay 1 hit\ncard seat 1 8D up\n{late}\nsay 1 stand\nsay 2 stand\ncard dealer 7D up
             take i\npay w1 2000\npay w2 2000\nclose"
        );
        codes(&table("spanish_21", "mgc-2017", json!({}), &lines))
    };
    let insurance = "bet i 2 insurance 1000 w2";
    assert_eq!(told(insurance, ""), NOTHING);
    assert_eq!(told("", insurance), ["wager.late"]);
}
