//! A card that nobody saw: what is said of a round without it holds with the card that lay there.

#![allow(clippy::unwrap_used)]

use catwalk_rules::floor::Card;
use catwalk_rules::{Rulebook, UNSEEN, Verdict};
use serde_json::{Value, json};

/// Sample rounds of every game that settle, with the game's name.
fn samples(rulebook: &Rulebook) -> Vec<(String, Value)> {
    let games = rulebook.games();
    games
        .flat_map(|game| {
            let lines = game.examples().lines();
            let examples = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
            let settled = examples.filter(|example| example["settlement"]["error"].is_null());
            settled.map(|example| (game.name().to_owned(), example["document"].clone()))
        })
        .collect()
}

/// Where single cards and tiles lie in a value, as JSON pointers. What is told twice is left out.
fn pieces(value: &Value, here: &str, found: &mut Vec<String>) {
    const RETOLD: [&str; 7] = [
        "high",
        "low",
        "set",
        "sets",
        "discard",
        "stacks",
        "exposed_third",
    ];
    match value {
        Value::String(text) if is_piece(text) => found.push(here.to_owned()),
        Value::Array(list) => {
            for (at, entry) in list.iter().enumerate() {
                pieces(entry, &format!("{here}/{at}"), found);
            }
        }
        Value::Object(entries) if !RETOLD.iter().any(|key| entries.contains_key(*key)) => {
            // What was shown was seen.
            for (key, entry) in entries.iter().filter(|(key, _)| *key != "shown") {
                pieces(entry, &format!("{here}/{key}"), found);
            }
        }
        _ => {}
    }
}

/// A card of another deck is none that could lie there.
fn is_piece(text: &str) -> bool {
    let is_tile = text.len() == 3 && text.as_bytes()[1] == b'-';
    let card = text.parse::<Card>();
    is_tile || card.is_ok_and(|card| !card.is_joker())
}

/// Settles the round without sight of these places, and holds it against the round as it was.
fn check(rulebook: &Rulebook, document: &Value, places: &[&str]) -> Result<usize, String> {
    let truth = rulebook.settle_value(document).unwrap();
    let mut unseen = document.clone();
    for place in places {
        *unseen.pointer_mut(&format!("/play{place}")).unwrap() = json!(UNSEEN);
    }
    let settled = match rulebook.settle_value(&unseen) {
        Ok(settled) => settled,
        Err(refusal) if truth.pots().is_some() => {
            let says_so = refusal.to_string().contains("nobody saw");
            return says_so.then_some(1).ok_or(refusal.to_string());
        }
        Err(refusal) => return Err(format!("refused: {refusal}")),
    };
    assert_eq!(settled.unseen().len(), places.len());
    for code in settled.violations().iter() {
        if !truth.violations().contains(code) {
            return Err(format!("{code} is not certain"));
        }
    }
    for bonus in settled.bonuses() {
        if !truth.bonuses().contains(bonus) {
            return Err(format!("{bonus:?} is not certain"));
        }
    }
    let mut open = 0;
    for (without, with) in settled.wagers().iter().zip(truth.wagers()) {
        if without == with {
            continue;
        }
        let range = without.range.filter(|_| without.result == Verdict::Open);
        let Some(range) = range else {
            return Err(format!("{without:?} is {with:?}"));
        };
        let is_within =
            range.least <= with.returned && range.most.is_none_or(|most| with.returned <= most);
        if !is_within || without.hangs_on.is_empty() {
            return Err(format!("{without:?} does not hold {with:?}"));
        }
        open += 1;
    }
    Ok(open)
}

#[test]
fn what_is_decided_without_a_card_is_so_with_it() {
    let rulebook = Rulebook::load().unwrap();
    let mut wrong = Vec::new();
    let mut open = 0;
    for (number, (game, document)) in samples(&rulebook).into_iter().enumerate() {
        let mut places = Vec::new();
        pieces(&document["play"], "", &mut places);
        if places.is_empty() {
            continue;
        }
        let place = &places[number % places.len()];
        match check(&rulebook, &document, &[place]) {
            Ok(undecided) => open += undecided,
            Err(what) => wrong.push(format!("{game} without {place}: {what}\n  {document}")),
        }
    }
    let what = wrong.join("\n");
    assert!(wrong.is_empty(), "{} are wrong:\n{what}", wrong.len());
    assert!(open > 50, "only {open} wagers hang on a card");
}

#[test]
fn two_cards_that_nobody_saw_are_gone_through_in_every_game() {
    let rulebook = Rulebook::load().unwrap();
    let mut samples = samples(&rulebook);
    samples.dedup_by(|(game, _), (before, _)| game == before);
    let mut wrong = Vec::new();
    for (game, document) in samples {
        let mut places = Vec::new();
        pieces(&document["play"], "", &mut places);
        if let [first, .., last] = places.as_slice()
            && let Err(what) = check(&rulebook, &document, &[first, last])
        {
            wrong.push(format!("{game} without {first} and {last}: {what}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_meter_that_nobody_read_leaves_its_share_open_and_nothing_else() {
    let rulebook = Rulebook::load().unwrap();
    let mut open = 0;
    for (game, mut document) in samples(&rulebook) {
        let meters = document["play"]["meters"].as_object().cloned();
        let read = meters
            .iter()
            .flatten()
            .filter(|(_, reading)| reading.is_u64());
        for (meter, reading) in read {
            let truth = rulebook.settle_value(&document).unwrap();
            document["play"]["meters"][meter] = Value::Null;
            let settled = rulebook.settle_value(&document).unwrap_or_else(|refusal| {
                panic!("{game}: {refusal}\n{document}");
            });
            document["play"]["meters"][meter] = reading.clone();
            for (without, with) in settled.wagers().iter().zip(truth.wagers()) {
                let hangs = without.result == Verdict::Open && without != with;
                assert!(hangs || without == with, "{game} {without:?} {with:?}");
                if hangs {
                    assert_eq!(without.hangs_on, [format!("play.meters.{meter}")]);
                    open += 1;
                }
            }
        }
    }
    assert!(open > 5, "only {open} shares hang on a meter");
}
