//! Documents are read strictly: what is not of its form is refused by its place, wherever it stands.
//!
//! Each test takes the sample rounds that settle, changes one thing in every place where a game has
//! such a thing, and expects a refusal that names the place.

#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use catwalk_rules::Rulebook;
use serde_json::Value;

#[test]
fn no_list_is_read_as_an_object() {
    expect_refusals(|value| match value {
        Value::Object(object) => {
            let values: Vec<Value> = object.values().cloned().collect();
            vec![Value::Array(values).to_string()]
        }
        _ => Vec::new(),
    });
}

#[test]
fn no_object_is_read_as_a_list() {
    expect_refusals(|value| match value {
        Value::Array(list) => {
            let entries = list.iter().enumerate();
            let object = entries.map(|(at, entry)| (at.to_string(), entry.clone()));
            vec![Value::Object(object.collect()).to_string()]
        }
        _ => Vec::new(),
    });
}

#[test]
fn no_key_is_there_twice() {
    let rulebook = Rulebook::load().unwrap();
    each_place(&rulebook, |document, place, value| {
        let Some((key, first)) = value.as_object().and_then(|object| object.iter().next()) else {
            return;
        };
        let twice = value
            .to_string()
            .replacen('{', &format!("{{{key:?}:{first},"), 1);
        let place = match place {
            "" => key.clone(),
            place => format!("{place}.{key}"),
        };
        expect_refusal(&rulebook, &document(&twice), &place);
    });
}

#[test]
fn a_number_is_written_as_a_whole_number_within_64_bits() {
    expect_refusals(|value| match value {
        Value::Number(number) => vec![
            format!("\"{number}\""),
            format!("{number}.0"),
            format!("{number}e0"),
            format!("[{number}]"),
            "1e300".into(),
            "99999999999999999999".into(),
            "-99999999999999999999".into(),
        ],
        _ => Vec::new(),
    });
}

#[test]
fn amounts_and_seats_are_not_negative() {
    let rulebook = Rulebook::load().unwrap();
    each_place(&rulebook, |document, place, value| {
        if value.is_number() && (place.ends_with("].seat") || place.ends_with("].amount")) {
            expect_refusal(&rulebook, &document("-1"), place);
        }
    });
}

#[test]
fn what_is_no_json_is_refused_as_that() {
    let rulebook = Rulebook::load().unwrap();
    let deep = |open: &str, close: &str| open.repeat(100_000) + &close.repeat(100_000);
    for play in [
        "NaN",
        "Infinity",
        "1e999",
        "01",
        "'AS'",
        "{1:2}",
        "[1,]",
        "{\"a\":1,}",
        "\"\\ud800\"",
        &deep("[", "]"),
        &deep("{\"a\":", "}"),
        "",
    ] {
        let document =
            format!(r#"{{"game":"roulette","edition":"mgc-2017","wagers":[],"play":{play}}}"#);
        let refusal = rulebook.settle(&document).unwrap_err().to_string();
        assert!(refusal.starts_with("not JSON: "), "{refusal}");
    }
}

/// Expects that a sample round is refused with the right place for each text that `wrong` gives for
/// a value in it.
fn expect_refusals(wrong: impl Fn(&Value) -> Vec<String>) {
    let rulebook = Rulebook::load().unwrap();
    each_place(&rulebook, |document, place, value| {
        for text in wrong(value) {
            expect_refusal(&rulebook, &document(&text), place);
        }
    });
}

fn expect_refusal(rulebook: &Rulebook, document: &str, place: &str) {
    match rulebook.settle(document) {
        Ok(settlement) => panic!("{place} was read: {settlement:?}\n{document}"),
        // Where there is a choice of forms, the fault may be one further in.
        Err(refusal) => assert!(
            refusal.place().starts_with(place),
            "{place}\n{refusal}\n{document}"
        ),
    }
}

/// Shows `look` every kind of place of every game once: how to write the document with another text
/// there, the place, and what stands there.
fn each_place(rulebook: &Rulebook, mut look: impl FnMut(&dyn Fn(&str) -> String, &str, &Value)) {
    for game in rulebook.games() {
        let mut seen = HashSet::new();
        for line in game.examples().lines() {
            let example: Value = serde_json::from_str(line).unwrap();
            if example["settlement"].get("error").is_some() {
                continue;
            }
            let document = &example["document"];
            for (pointer, place) in places(document) {
                // One entry of a list stands for all.
                let kind = place.replace(|c: char| c.is_ascii_digit(), "");
                let value = document.pointer(&pointer).unwrap();
                if !seen.insert((kind, std::mem::discriminant(value))) {
                    continue;
                }
                let with = |text: &str| {
                    let mut changed = document.clone();
                    *changed.pointer_mut(&pointer).unwrap() = Value::from(MARK);
                    changed.to_string().replace(&format!("{MARK:?}"), text)
                };
                look(&with, &place, value);
            }
        }
    }
}

const MARK: &str = "here";

/// The places of a document: as JSON pointers, and as refusals name them.
fn places(document: &Value) -> Vec<(String, String)> {
    let mut places = vec![(String::new(), String::new())];
    let mut next = 0;
    while let Some((pointer, place)) = places.get(next).cloned() {
        next += 1;
        match document.pointer(&pointer).unwrap() {
            Value::Object(object) => places.extend(object.keys().map(|key| {
                let dot = if place.is_empty() { "" } else { "." };
                (format!("{pointer}/{key}"), format!("{place}{dot}{key}"))
            })),
            Value::Array(list) => places.extend(
                (0..list.len()).map(|at| (format!("{pointer}/{at}"), format!("{place}[{at}]"))),
            ),
            _ => {}
        }
    }
    places
}
