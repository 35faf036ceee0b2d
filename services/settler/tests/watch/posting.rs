//! What a table posts against its rules is told when it is posted.

use std::collections::BTreeSet;

use catwalk_rules::Rulebook;
use serde_json::{Value, json};

use crate::Story;

/// Codes about the posting that need a wager or a shoe to be seen.
const SEEN_IN_PLAY: [&str; 3] = [
    "config.cover_all_without_shuffler",
    "config.exclusive_side_bets",
    "deck.illegal_count",
];

fn is_of_posting(code: &str) -> bool {
    const ALONE: [&str; 3] = [
        "craps.vig_over_cap",
        "limits.ratio",
        "payout.unapproved_odds",
    ];
    let mut families = ["config.", "option.", "options."].into_iter();
    let is_of_family = families.any(|family| code.starts_with(family));
    (is_of_family || ALONE.contains(&code)) && !SEEN_IN_PLAY.contains(&code)
}

/// The codes of a posting that are found when a table opens with it, and nothing else happens.
fn found(document: &Value) -> BTreeSet<String> {
    let mut story = Story::new();
    let opening = json!({"type": "table_opened", "game": document["game"],
        "edition": document["edition"], "options": document["options"], "limits": [],
        "opening_inventory": 0, "dealer": "d-1"});
    story.tell("device", 0, opening);
    story.finish();
    let codes = story.findings.into_iter().map(|finding| finding.code);
    codes.filter(|code| is_of_posting(code)).collect()
}

#[test]
fn every_sample_round_is_announced_by_the_opening_of_its_table() {
    let rulebook = Rulebook::load().unwrap();
    let mut wrong = Vec::new();
    let mut announced = BTreeSet::new();
    for game in rulebook.games() {
        for line in game.examples().lines() {
            let example: Value = serde_json::from_str(line).unwrap();
            let Some(violations) = example["settlement"]["violations"].as_array() else {
                continue;
            };
            let violations = violations.iter().filter_map(Value::as_str);
            let due: BTreeSet<String> = violations
                .filter(|code| is_of_posting(code))
                .map(str::to_owned)
                .collect();
            let mut document = example["document"].clone();
            if document["options"].is_null() {
                document["options"] = json!({});
            }
            let found = found(&document);
            if found != due {
                let name = format!("{} / {}", game.name(), example["name"]);
                wrong.push(format!("{name}: found {found:?} instead of {due:?}"));
            }
            announced.extend(found);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(announced.len() > 10, "{announced:?}");
}
