//! The poker room plays all that its sign may post, and every irregularity that its rules rule on.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::sync::Arc;

use catwalk_events::Body;
use catwalk_floor::{Config, FaultKind, Floor, Happening};
use catwalk_rules::Rulebook;
use serde_json::Value;

/// What was posted at the tables, and which irregularities were called; `cheats` in a thousand hands.
fn play(cheats: u32) -> (BTreeSet<String>, BTreeSet<String>) {
    let config = Config {
        seed: 5,
        tables: 240,
        rounds: 4_800,
        games: vec!["poker".to_owned()],
        faults_per_mille: cheats,
        fault_kinds: vec![FaultKind::WrongPlay],
        ..Config::default()
    };
    let rulebook = Arc::new(Rulebook::load().unwrap());
    let (mut posted, mut called) = (BTreeSet::new(), BTreeSet::new());
    for happening in Floor::under(rulebook, config).unwrap() {
        let Happening::Event(event) = happening.unwrap() else {
            continue;
        };
        match event.body {
            Body::TableOpened(opened) => posted.extend(words(&opened.options.value())),
            Body::Irregularity(told) => drop(called.insert(told.kind)),
            _ => {}
        }
    }
    (posted, called)
}

/// The words of a sign: the rake methods that are taken together, kills, time, the drop.
fn words(options: &Value) -> Vec<String> {
    let methods = options["rake"].as_array().unwrap();
    let named = |method: &Value| method["method"].as_str().unwrap().to_owned();
    let mut words = vec![
        methods
            .iter()
            .map(named)
            .collect::<Vec<String>>()
            .join(" and "),
    ];
    for time in methods.iter().filter(|method| method["method"] == "time") {
        words.push(format!(
            "{} every {}",
            time["basis"].as_str().unwrap(),
            time["interval"]
        ));
    }
    if let Some(kill) = options["kill"].as_object() {
        let by = if kill.contains_key("amount") {
            "amount"
        } else {
            "multiple"
        };
        words.push(format!("{} by {by}", kill["type"].as_str().unwrap()));
    }
    if let Some(method) = options["jackpot"]["drop"]["method"].as_str() {
        words.push(format!("drop {method}"));
    }
    words
}

fn set(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[test]
fn every_sign_is_posted_and_what_is_nobodys_fault_happens_at_an_honest_table() {
    let (posted, called) = play(0);
    let all = set(&[
        "percent",
        "incremental",
        "time",
        "percent and incremental",
        "percent and time",
        "incremental and time",
        "percent and incremental and time",
        "per_player every 30",
        "per_table every 20",
        "kill by amount",
        "kill by multiple",
        "half_kill by amount",
        "half_kill by multiple",
        "drop fixed",
        "drop percent",
    ]);
    assert_eq!(posted, all);
    let honest = set(&[
        "exposed_down_card",
        "hand_collected",
        "hand_fouled",
        "hole_exposed",
        "last_hole_exposed",
        "left_table",
        "off_table",
    ]);
    assert_eq!(called, honest);
}

#[test]
fn every_misdeal_happens_at_a_careless_table() {
    let (_, called) = play(500);
    let faults = set(&[
        "dealt_to_ineligible",
        "face_up_in_deck",
        "not_shuffled",
        "player_not_dealt",
        "wrong_start",
    ]);
    let missing: Vec<&String> = faults.difference(&called).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
