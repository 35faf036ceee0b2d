//! Damaged documents never panic: they are settled or refused, and what is settled is whole.
//!
//! Each case takes a sample round of some game and changes it in a few places: a key lost, a value
//! swapped for one from another round, a number out of range, text cut off. `CATWALK_FUZZ_CASES`
//! sets how many cases a game gets; a failure prints the document.

#![allow(clippy::unwrap_used)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use catwalk_rules::{AnyGame, Rulebook};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

const DEFAULT_CASES: usize = 3_000;

#[test]
fn damaged_documents_are_settled_or_refused_but_never_panic() {
    let cases = std::env::var("CATWALK_FUZZ_CASES").map_or(DEFAULT_CASES, |cases| {
        cases.parse().expect("CATWALK_FUZZ_CASES is a number")
    });
    let rulebook = Rulebook::load().unwrap();
    let mut words = Words::default();
    for game in rulebook.games() {
        documents(game)
            .iter()
            .for_each(|document| words.learn(document));
    }
    std::thread::scope(|scope| {
        for game in rulebook.games() {
            let (rulebook, words) = (&rulebook, &words);
            scope.spawn(move || damage_and_settle(rulebook, game, words, cases));
        }
    });
}

fn damage_and_settle(rulebook: &Rulebook, game: &dyn AnyGame, words: &Words, cases: usize) {
    let documents = documents(game);
    let mut rng = ChaCha8Rng::seed_from_u64(2017);
    for case in 0..cases {
        let mut document = documents[case % documents.len()].clone();
        for _ in 0..rng.random_range(1..=4) {
            damage(&mut document, words, &mut rng);
        }
        let mut text = document.to_string();
        if rng.random_range(0..20) == 0 {
            let cut = rng.random_range(0..text.len());
            text.truncate(text.floor_char_boundary(cut));
        }
        check(rulebook, &text);
    }
}

fn documents(game: &dyn AnyGame) -> Vec<Value> {
    let example = |line: &str| serde_json::from_str::<Value>(line).unwrap()["document"].take();
    game.examples().lines().map(example).collect()
}

fn check(rulebook: &Rulebook, text: &str) {
    let settle = || rulebook.settle(text).map_err(|refusal| refusal.to_string());
    let settled = catch_unwind(AssertUnwindSafe(settle))
        .unwrap_or_else(|_| panic!("a panic on this document:\n{text}"));
    match settled {
        Err(refusal) => assert!(
            !refusal.is_empty() && refusal.lines().count() == 1,
            "{refusal}"
        ),
        Ok(settlement) if settlement.pots().is_none() => {
            let document: Value = serde_json::from_str(text).unwrap();
            let ids: Vec<&str> = document["wagers"]
                .as_array()
                .unwrap()
                .iter()
                .map(|w| w["id"].as_str().unwrap())
                .collect();
            let settled: Vec<&str> = settlement.wagers().iter().map(|w| w.id.as_str()).collect();
            assert_eq!(ids, settled, "one entry a wager, in order:\n{text}");
        }
        Ok(_) => {}
    }
}

/// Values and keys of all sample rounds, to put where they do not belong.
#[derive(Default)]
struct Words {
    values: Vec<Value>,
    keys: Vec<String>,
}

impl Words {
    fn learn(&mut self, value: &Value) {
        match value {
            Value::Object(object) => {
                for (key, value) in object {
                    if !self.keys.contains(key) {
                        self.keys.push(key.clone());
                    }
                    self.learn(value);
                }
            }
            Value::Array(list) => list.iter().for_each(|value| self.learn(value)),
            leaf if !self.values.contains(leaf) => self.values.push(leaf.clone()),
            _ => {}
        }
    }
}

fn damage(value: &mut Value, words: &Words, rng: &mut ChaCha8Rng) {
    let go_deeper = rng.random_range(0..5) > 0;
    match value {
        Value::Object(object) if go_deeper && !object.is_empty() => {
            let at = rng.random_range(0..object.len());
            let key = object.keys().nth(at).unwrap().clone();
            if rng.random_range(0..8) == 0 {
                object.remove(&key);
            } else {
                damage(&mut object[&key], words, rng);
            }
        }
        Value::Array(list) if go_deeper && !list.is_empty() => {
            let at = rng.random_range(0..list.len());
            match rng.random_range(0..8) {
                0 => drop(list.remove(at)),
                1 => list.push(list[at].clone()),
                _ => damage(&mut list[at], words, rng),
            }
        }
        Value::Object(object) if rng.random_range(0..2) == 0 => {
            let key = words.keys[rng.random_range(0..words.keys.len())].clone();
            object.insert(key, any_value(words, rng));
        }
        other => *other = any_value(words, rng),
    }
}

fn any_value(words: &Words, rng: &mut ChaCha8Rng) -> Value {
    const EDGES: [i64; 9] = [
        0,
        -1,
        1,
        99,
        255,
        65_536,
        100_000_000_000,
        100_000_000_001,
        i64::MAX,
    ];
    match rng.random_range(0..10) {
        0 => json!(EDGES[rng.random_range(0..EDGES.len())]),
        1 => json!(rng.random_range(0..40)),
        2 => json!(null),
        3 => json!([]),
        4 => json!({}),
        5 => json!("♠"),
        _ => words.values[rng.random_range(0..words.values.len())].clone(),
    }
}
