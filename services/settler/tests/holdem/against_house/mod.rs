//! The hold'em games against the house from their events: what only the order of events shows.

mod colorado;
mod fast_action;
mod mishaps;
mod progressive;
mod samples;
mod texas_bonus;
mod ultimate;
mod unseen;

use catwalk_rules::floor::Card;
use catwalk_stories::{open, script, settle};
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

/// The codes of a stream whose documents hold no card that no event told.
pub(crate) fn codes(bodies: &[Value]) -> Vec<String> {
    let (findings, rounds) = settle(bodies);
    let told = json!(bodies).to_string();
    for document in rounds.iter().filter_map(|round| round.document.as_ref()) {
        assert_told(&document["play"], &told);
    }
    let codes = findings.into_iter().map(|finding| finding.code);
    codes.filter(|code| code != "finding.resolved").collect()
}

fn assert_told(part: &Value, told: &str) {
    match part {
        Value::String(text) if text.parse::<Card>().is_ok() => {
            assert!(told.contains(text.as_str()), "no event told {text}");
        }
        Value::Array(list) => list.iter().for_each(|entry| assert_told(entry, told)),
        Value::Object(entries) => entries.values().for_each(|entry| assert_told(entry, told)),
        _ => {}
    }
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
    // The aces of the dealer may be worth a thousand to one, and no more.
    let aces = folded
        .replacen("card seat 1 ??", "card seat 1 AC", 1)
        .replacen("card seat 1 ??", "card seat 1 AD", 1)
        .replace("take a1", "take a1\n pay x1 3000")
        .replace("no-more-bets", "bet x1 1 bonus 100\n no-more-bets");
    let elected = |odds, paid: &str| {
        let lines = aces.replace("pay x1 3000", paid);
        let options = json!({ "bonus_both_aces": odds });
        codes(&table("texas_holdem_bonus", options, &lines))
    };
    assert_eq!(elected(Value::Null, "pay x1 3000"), none);
    assert_eq!(elected(json!("1000:1"), "pay x1 3000"), none);
    assert_eq!(elected(json!("1000:1"), "pay x1 100000"), none);
    assert_eq!(elected(json!("1000:1"), "pay x1 2900"), ["pay.under"]);
    let too_much = elected(json!("1000:1"), "pay x1 100100");
    assert_eq!(too_much[0], "pay.over");

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
