//! Roulette from its events.
//!
//! `wheel_spun` is a spin; the `irregularity` before or after one that is not valid says why it was
//! called off, and `same_direction` of one that stands says how the ball ran. A selection is an object
//! with the keys of the document, or one word or number: `17`, `"17-20"`, a column, a colour. What the
//! house reports of bets and chips is in [`conduct::REPORTED`].

mod conduct;

use catwalk_events::body::{Body, WheelSpun};
use serde_json::{Map, Value, json};

use super::calls::Calls;
use super::{Case, End, Folder, Scene, entry_with_late};
use crate::fault::Fault;
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;

pub(super) struct Roulette;

const SAME_DIRECTION: &str = "same_direction";
/// A spin that was called off, and nobody said why.
const UNSAID: &str = "foreign_object";

/// Words for a spin that was called off.
const NO_SPIN: [&str; 6] = [
    SAME_DIRECTION,
    "short_spin",
    "foreign_object",
    "double_zero",
    "ball_left_wheel",
    "floater",
];

impl Folder for Roulette {
    fn game(&self) -> &'static str {
        "roulette"
    }

    /// A ball that drops has closed the betting, called or not.
    fn closes(&self, _: &RoundFold, body: &Body) -> Option<&'static str> {
        matches!(body, Body::WheelSpun(spin) if spin.valid).then_some(MAIN_WINDOW)
    }

    fn wager(&self, _: &RoundFold, wager: &WagerFold) -> Value {
        let mut entry = entry_with_late(wager);
        match wager.detail.as_ref().map(|detail| detail.value()) {
            Some(Value::Object(_)) | None => {}
            Some(short) => entry.extend(selection(&wager.kind, short)),
        }
        Value::Object(entry)
    }

    fn play(&self, round: &RoundFold, _: &Standing) -> Result<Value, String> {
        Ok(json!({ "spins": spins(round) }))
    }

    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        conduct::see(scene, faults);
    }

    fn name(&self, case: &Case<'_>) -> Option<&'static str> {
        conduct::name(case)
    }

    fn end(&self, end: &End<'_>, standing: &mut Standing, _: &mut Vec<Fault>) {
        let calls: Calls = standing.read();
        standing.keep(&calls.after(end));
    }
}

/// `play.spins` of the document.
fn spins(round: &RoundFold) -> Vec<Value> {
    let mut spins: Vec<Value> = Vec::new();
    let mut called: Option<&str> = None;
    // Was it said of the last spin what was wrong with it?
    let mut is_said = true;
    for (_, body) in &round.play {
        match body {
            Body::Irregularity(irregularity) if NO_SPIN.contains(&&*irregularity.kind) => {
                let kind = irregularity.kind.as_str();
                // The call may come before or after the spin that it calls off.
                match spins.last_mut().filter(|_| !is_said) {
                    Some(spin) if !spin["no_spin"].is_null() => spin["no_spin"] = json!(kind),
                    Some(spin) if kind == SAME_DIRECTION => spin["direction"] = json!("same"),
                    _ => called = Some(kind),
                }
                is_said = true;
            }
            Body::WheelSpun(spin) => {
                is_said = called.is_some();
                spins.push(spin_entry(spin, called.take()));
            }
            _ => {}
        }
    }
    spins
}

fn spin_entry(spin: &WheelSpun, called: Option<&str>) -> Value {
    let mut entry = Map::new();
    if !spin.result.is_empty() {
        entry.insert("pocket".into(), json!(spin.result));
    }
    if let Some(turns) = spin.revolutions {
        entry.insert("revolutions".into(), json!(turns));
    }
    if !spin.valid {
        let reason = called.unwrap_or(match spin.revolutions {
            Some(..4) => "short_spin",
            _ => UNSAID,
        });
        entry.insert("no_spin".into(), json!(reason));
    } else if called == Some(SAME_DIRECTION) {
        entry.insert("direction".into(), json!("same"));
    }
    Value::Object(entry)
}

/// A selection given as one word or number: `"17"`, `"17-20"`, a column, a colour.
fn selection(kind: &str, short: Value) -> Map<String, Value> {
    let key = match kind {
        "column" | "dozen" => kind,
        "five_adjacent" => "center",
        _ if kind.ends_with("_color") => "color",
        _ => "numbers",
    };
    let value = match (key, short) {
        ("numbers", Value::Array(list)) => list.into_iter().map(as_text).collect(),
        ("numbers", word) => {
            let word = as_text(word);
            word.as_str()
                .unwrap_or_default()
                .split('-')
                .map(|number| json!(number))
                .collect()
        }
        ("center" | "color", word) => as_text(word),
        (_, Value::String(word)) => word
            .parse::<i64>()
            .map_or(json!(word), |number| json!(number)),
        (_, other) => other,
    };
    Map::from_iter([(key.to_owned(), value)])
}

fn as_text(value: Value) -> Value {
    match value {
        Value::String(_) => value,
        other => json!(other.to_string()),
    }
}
