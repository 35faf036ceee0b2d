//! What holds in every game alike: a key that nothing reads is refused by its place, records of one kind add up, and
//! the progressives of Ohio are one chapter.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use catwalk_rules::{Edition, Rulebook, Settlement};
use serde_json::{Value, json};

/// The sample rounds of a game that settle.
fn documents(examples: &str) -> Vec<Value> {
    let lines = examples.lines().map(|line| {
        let example: Value = serde_json::from_str(line).unwrap();
        example
    });
    let settle = |example: &Value| example["settlement"].get("error").is_none();
    lines
        .filter(settle)
        .map(|example| example["document"].clone())
        .collect()
}

/// Pointers to the objects of a document, each with its place as refusals name it.
fn objects(value: &Value, pointer: &str, place: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(object) => {
            found.push((pointer.to_owned(), place.to_owned()));
            for (key, value) in object {
                let dot = if place.is_empty() { "" } else { "." };
                let place = format!("{place}{dot}{key}");
                objects(value, &format!("{pointer}/{key}"), &place, found);
            }
        }
        Value::Array(list) => {
            for (at, value) in list.iter().enumerate() {
                objects(
                    value,
                    &format!("{pointer}/{at}"),
                    &format!("{place}[{at}]"),
                    found,
                );
            }
        }
        _ => {}
    }
}

#[test]
fn a_key_that_nothing_reads_is_refused_by_its_place_in_every_game() {
    let rulebook = Rulebook::load().unwrap();
    let mut read = Vec::new();
    let mut games = BTreeSet::new();
    for game in rulebook.games() {
        let mut seen = BTreeSet::new();
        for document in documents(game.examples()) {
            let mut places = Vec::new();
            objects(&document, "", "", &mut places);
            for (pointer, place) in places {
                // One entry of a list stands for all.
                if !seen.insert(place.replace(|c: char| c.is_ascii_digit(), "")) {
                    continue;
                }
                let mut changed = document.clone();
                let object = changed.pointer_mut(&pointer).unwrap();
                object["left_over"] = json!(1);
                match rulebook.settle_value(&changed) {
                    Ok(_) => read.push(format!("{}: {place}.left_over", game.name())),
                    Err(refusal) => {
                        let named = refusal.to_string();
                        let is_its =
                            refusal.place().starts_with(&place) || named.contains("left_over");
                        assert!(is_its, "{}: {place}: {named}", game.name());
                        games.insert(game.name());
                    }
                }
            }
        }
    }
    assert_eq!(read, [""; 0]);
    assert_eq!(games.len(), rulebook.games().len());
}

fn told(settlement: &Settlement) -> Value {
    serde_json::to_value(settlement).unwrap()
}

#[test]
fn two_records_of_a_card_found_face_up_are_two_cards() {
    const FACE_UP: &str = "face_up_card";
    let rulebook = Rulebook::load().unwrap();
    let mut games = BTreeSet::new();
    for game in rulebook.games() {
        let layouts = |edition: Edition| game.book().layout(edition);
        let mut layouts = game.book().editions().filter_map(layouts);
        if !layouts.any(|layout| layout.irregularities.iter().any(|word| word == FACE_UP)) {
            continue;
        }
        for document in documents(game.examples()) {
            let recorded = document["play"]["irregularities"].as_array();
            if recorded.is_some_and(|recorded| !recorded.is_empty()) {
                continue;
            }
            let with = |records: Value| {
                let mut document = document.clone();
                document["play"]["irregularities"] = records;
                rulebook.settle_value(&document)
            };
            let one = with(json!([{"code": FACE_UP}]));
            let two = with(json!([{"code": FACE_UP}, {"code": FACE_UP}]));
            let (Ok(one), Ok(two)) = (one, two) else {
                continue;
            };
            let (one, two) = (told(&one), told(&two));
            if let Ok(counted) = with(json!([{"code": FACE_UP, "count": 2}])) {
                assert_eq!(two, told(&counted), "{}: {document}", game.name());
                if one != two {
                    games.insert(game.name());
                }
            }
        }
    }
    assert!(games.len() >= 8, "two are more than one: {games:?}");
}

/// The kinds of wagers that the Ohio chapter of progressives governs, and what it calls a chip of another amount.
const OF_OHIO: [(&str, &str, &str); 10] = [
    ("blackjack", "blazing_sevens", "wager.fixed_amount"),
    (
        "commission_free_pai_gow_poker",
        "fortune_progressive",
        "wager.progressive_amount",
    ),
    (
        "crazy_four_poker",
        "progressive",
        "wager.progressive_amount",
    ),
    ("four_card_poker", "progressive", "wager.progressive_amount"),
    ("let_it_ride", "progressive", "wager.progressive_amount"),
    (
        "mississippi_stud",
        "progressive",
        "wager.progressive_amount",
    ),
    (
        "pai_gow_poker",
        "fortune_progressive",
        "wager.progressive_amount",
    ),
    (
        "texas_holdem_bonus",
        "progressive",
        "wager.progressive_amount",
    ),
    (
        "three_card_poker",
        "progressive",
        "wager.progressive_amount",
    ),
    (
        "ultimate_texas_holdem",
        "progressive",
        "wager.progressive_amount",
    ),
];

/// Each wager of a settlement, by its id.
fn by_id(settlement: &Value) -> BTreeMap<String, Value> {
    let wagers = settlement["wagers"].as_array().unwrap().iter();
    wagers
        .map(|wager| (wager["id"].as_str().unwrap().to_owned(), wager.clone()))
        .collect()
}

#[test]
fn a_chip_of_another_amount_is_no_progressive_wager_in_any_game_of_ohio() {
    let rulebook = Rulebook::load().unwrap();
    for (name, kind, code) in OF_OHIO {
        let game = rulebook.game(name).unwrap();
        let mut tried = 0;
        for document in documents(game.examples()) {
            let settled = told(&rulebook.settle_value(&document).unwrap());
            let before = by_id(&settled);
            let wagers = document["wagers"].as_array().unwrap();
            let is_ohio = document["edition"] == "oh-jack-2017";
            let counts = |wager: &Value| {
                let id = wager["id"].as_str().unwrap();
                wager["kind"] == kind && before[id]["result"] != "void"
            };
            let Some(at) = wagers.iter().position(counts).filter(|_| is_ohio) else {
                continue;
            };
            let mut changed = document.clone();
            let amount = wagers[at]["amount"].as_i64().unwrap() + 100;
            changed["wagers"][at]["amount"] = json!(amount);
            let now = told(&rulebook.settle_value(&changed).unwrap());
            let id = wagers[at]["id"].as_str().unwrap();
            let chip = &by_id(&now)[id];
            assert_eq!(
                (&chip["result"], &chip["returned"]),
                (&json!("void"), &json!(amount)),
                "{changed}"
            );
            let codes = now["violations"].as_array().unwrap();
            assert!(codes.contains(&json!(code)), "{name}: {codes:?}");
            // The other wagers of other kinds know nothing of it.
            for wager in wagers.iter().filter(|wager| wager["kind"] != kind) {
                let id = wager["id"].as_str().unwrap();
                assert_eq!(by_id(&now)[id], before[id], "{name}: {changed}");
            }
            tried += 1;
        }
        assert!(
            tried > 0,
            "{name}: no sample round has a progressive that counts"
        );
    }
}

#[test]
fn a_chip_beside_no_standard_wager_is_no_progressive_wager_in_any_game_of_ohio() {
    let rulebook = Rulebook::load().unwrap();
    for (name, kind, _) in OF_OHIO {
        let game = rulebook.game(name).unwrap();
        let mut tried = 0;
        for mut document in documents(game.examples()) {
            let before = by_id(&told(&rulebook.settle_value(&document).unwrap()));
            let wagers = document["wagers"].as_array_mut().unwrap();
            let counts = |wager: &&Value| {
                let id = wager["id"].as_str().unwrap();
                wager["kind"] == kind && before[id]["result"] != "void"
            };
            let Some(chip) = wagers.iter().find(counts).cloned() else {
                continue;
            };
            wagers.retain(|wager| wager["seat"] != chip["seat"] || wager["id"] == chip["id"]);
            // A decision of a seat without a bet is refused in its own right.
            if document["edition"] != "oh-jack-2017" {
                continue;
            }
            let Ok(settled) = rulebook.settle_value(&document) else {
                continue;
            };
            let now = told(&settled);
            let id = chip["id"].as_str().unwrap();
            let given = &by_id(&now)[id];
            assert_eq!(
                (&given["result"], &given["returned"]),
                (&json!("void"), &chip["amount"]),
                "{document}"
            );
            let codes = now["violations"].as_array().unwrap();
            assert!(
                codes.contains(&json!("wager.side_without_main")),
                "{name}: {codes:?}"
            );
            tried += 1;
        }
        assert!(tried > 0, "{name}: no sample round has a progressive alone");
    }
}
