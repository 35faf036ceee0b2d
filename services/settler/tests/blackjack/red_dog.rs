//! Red Dog from its events.

use catwalk_stories::{codes, open, script, settle};
use serde_json::{Value, json};

const NOTHING: [&str; 0] = [];

fn table(lines: &str) -> Vec<Value> {
    let mut bodies = vec![open("red_dog", "mgc-2017", json!({"decks": 6}))];
    bodies.extend(script(lines));
    bodies
}

const CLOSED: &str = "{\"type\":\"betting_closed\",\"window\":\"raise\"}";
const SPREAD: &str = "open\nbet w1 1 original 1000\nbet w2 2 original 1000\nno-more-bets\ncard community 5S up\ncard community KD up";

#[test]
fn a_raise_is_made_between_the_second_and_the_third_card() {
    let end = "card community 9C up\npay w1 1000\npay w2 1000\npay w3 1000\nclose";
    let raise = "bet w3 1 raise 1000 w1";
    let in_time = format!("{SPREAD}\n{raise}\n{CLOSED}\n{end}");
    assert_eq!(codes(&table(&in_time)), NOTHING);
    let without_call = format!("{SPREAD}\nbet w3 1 raise 1000\n{end}");
    assert_eq!(codes(&table(&without_call)), NOTHING);
    let late = format!("{SPREAD}\n{CLOSED}\n{raise}\n{end}");
    assert_eq!(codes(&table(&late)), ["wager.late"]);
    for call in [
        "no-more-bets",
        "{\"type\":\"betting_closed\",\"window\":\"raises\"}",
    ] {
        let late = format!("{SPREAD}\n{call}\n{raise}\n{end}");
        assert_eq!(codes(&table(&late)), ["wager.late"], "{call}");
    }
    let past = format!(
        "{SPREAD}\ncard community 9C up\n{raise}\npay w1 1000\npay w2 1000\npay w3 1000\nclose"
    );
    assert_eq!(codes(&table(&past)), ["wager.late"]);
    let capped = format!("{SPREAD}\n{raise}\n{CLOSED}\nraise w3 2000\n{end}");
    assert_eq!(codes(&table(&capped)), ["wager.capped"]);
    let original = format!(
        "{SPREAD}\nraise w1 2000\n{CLOSED}\ncard community 9C up\npay w1 1000\npay w2 1000\nclose"
    );
    assert_eq!(codes(&table(&original)), ["wager.capped"]);
}

#[test]
fn a_raise_that_was_made_stays_and_may_only_grow() {
    let changed = |made: i64, change: &str, paid: i64| {
        let lines = format!(
            "{SPREAD}\nbet w3 1 raise {made} w1\n{change}\n{CLOSED}\ncard community 9C up
             pay w1 1000\npay w2 1000\npay w3 {paid}\nclose"
        );
        codes(&table(&lines))
    };
    assert_eq!(changed(500, "raise w3 1000", 1000), NOTHING);
    assert_eq!(changed(1500, "raise w3 1000", 1000), NOTHING);
    assert_eq!(changed(1000, "raise w3 500", 1000), ["wager.pinched"]);
    assert_eq!(changed(1000, "remove w3", 1000), ["wager.pinched"]);
}

#[test]
fn a_raise_that_only_a_decision_names_is_paid_with_its_original() {
    let said = "{\"type\":\"decision\",\"seat\":1,\"action\":\"raise\",\"amount\":500}";
    let lines = format!("{SPREAD}\n{said}\ncard community 9C up\npay w1 1500\npay w2 1000\nclose");
    let (findings, rounds) = settle(&table(&lines));
    assert_eq!(findings, []);
    assert_eq!(
        rounds[0].document.as_ref().unwrap()["wagers"][2]["on"],
        "w1"
    );
    assert_eq!(codes(&table(&lines.replace("raise", "Raise"))), NOTHING);
}

#[test]
fn a_third_card_seen_too_early_lets_players_take_their_wagers_back() {
    let seen = |detail: &str| {
        format!(
            "{SPREAD}\ncard community 2C up\n{{\"type\":\"irregularity\",\"kind\":\"exposed_third\",\"detail\":{detail},\"ruling\":\"discarded\"}}"
        )
    };
    let end = "card community 9C up\npay w1 1000\npush w2\nclose";
    let named = format!("{}\n{end}", seen("{\"card\":\"2C\",\"voided_seats\":[2]}"));
    let said = format!("{}\nsay 2 withdraw\n{end}", seen("\"2C\""));
    let removed = format!(
        "{}\nremove w2\n{}",
        seen("\"2C\""),
        end.replace("push w2\n", "")
    );
    // They may go back at once, before the card that takes its place.
    let handed = format!(
        "{}\npush w2\ncard community 9C up\npay w1 1000\nclose",
        seen("\"2C\"")
    );
    for lines in [named, said, removed, handed] {
        let (findings, rounds) = settle(&table(&lines));
        assert_eq!(findings, [], "{lines}");
        let document = rounds[0].document.as_ref().unwrap();
        assert_eq!(
            document["play"],
            json!({"cards": ["5S", "KD", "9C"], "exposed_third": "2C",
            "burned": ["2C"], "voided_seats": [2]})
        );
    }
    for order in ["{burned}\n{called}", "{called}\n{burned}"] {
        let burned = "{\"type\":\"card_burned\",\"card\":\"2C\"}";
        let called =
            "{\"type\":\"irregularity\",\"kind\":\"third_card_exposed\",\"ruling\":\"discarded\"}";
        let told = order
            .replace("{burned}", burned)
            .replace("{called}", called);
        let lines = format!("{SPREAD}\n{told}\npush w2\ncard community 9C up\npay w1 1000\nclose");
        assert_eq!(codes(&table(&lines)), NOTHING, "{order}");
    }
    let after = format!("{}\n{end}", seen("\"2C\""));
    assert_eq!(codes(&table(&after)), ["pay.unpaid"]);
    let pinched =
        format!("{SPREAD}\nremove w2\ncard community 9C up\npay w1 1000\npay w2 1000\nclose");
    assert_eq!(codes(&table(&pinched)), ["wager.pinched"]);
}

#[test]
fn a_spread_or_a_pair_needs_its_third_card_and_neighbours_need_none() {
    let without = format!("{SPREAD}\npush w1\npush w2\nclose");
    assert_eq!(codes(&table(&without)), ["red_dog.third_card_missing"]);
    let two = |second: &str, rest: &str| {
        codes(&table(&format!(
            "open\nbet w1 1 original 1000\ncard community 4C up\ncard community {second} up\n{rest}\nclose"
        )))
    };
    assert_eq!(two("5D", "push w1"), NOTHING);
    assert_eq!(
        two("5D", "card community 9C up\npush w1"),
        ["red_dog.card_on_consecutive"]
    );
    assert_eq!(two("4D", "push w1"), ["red_dog.third_card_missing"]);
    assert_eq!(two("4D", "card community 4S up\npay w1 11000"), NOTHING);
}

#[test]
fn a_stake_that_nobody_made_is_not_paid_and_a_void_round_keeps_none() {
    let end = |done: &str| codes(&table(&format!("{SPREAD}\ncard community 9C up\n{done}")));
    let paid = "pay w1 1000\npay w2 1000";
    assert_eq!(end(&format!("{paid}\npay w7 500\nclose")), ["pay.undue"]);
    // A raise of which only the word is told may have a name of its own.
    let said = format!("{SPREAD}\nsay 1 raise\ncard community 9C up\n{paid}\npay w7 500\nclose");
    assert_eq!(codes(&table(&said)), NOTHING);
    let void = "{\"type\":\"round_voided\",\"reason\":\"misdeal\"}";
    assert_eq!(end(void), NOTHING);
    assert_eq!(end(&format!("take w1\n{void}")), ["pay.under"]);
}
