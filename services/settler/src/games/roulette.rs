//! Roulette from its events.
//!
//! `wheel_spun` is a spin; the `irregularity` before or after one that is not valid says why it was
//! called off, and `same_direction` of one that stands says how the ball ran. A selection is an object
//! with the keys of the document, or one word or number: `17`, `"17-20"`, `"17, 20"`, a column, a colour. What no
//! other event shows and the house reports is an `irregularity` `chips_touched`, `verbal_unconfirmed` or
//! `foreign_chips`: [`conduct::REPORTED`].

mod conduct;

use catwalk_events::Json;
use catwalk_events::body::{Body, Irregularity, WheelSpun};
use catwalk_rules::book::Book;
use serde_json::{Map, Value, json};

use super::calls::Calls;
use super::{
    Case, Documents, End, Folder, Following, Payments, Scene, Staking, Windows, as_number, as_text,
    entry_with_late, keep_keys, order,
};
use crate::fault::Fault;
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;

pub(super) struct Roulette;

const SAME_DIRECTION: &str = "same_direction";
/// A spin that was called off, and nobody said why.
const UNSAID: &str = "foreign_object";

impl Folder for Roulette {
    fn game(&self) -> &'static str {
        "roulette"
    }
}

impl Windows for Roulette {
    /// A ball that drops has closed the betting, called or not.
    fn closes(&self, _: &RoundFold, body: &Body) -> Option<&'static str> {
        matches!(body, Body::WheelSpun(spin) if spin.valid).then_some(MAIN_WINDOW)
    }

    /// After a spin that was called off no more bets is called anew. s.3(b), 4
    fn opens(&self, _: &RoundFold, body: &Body) -> Option<&'static str> {
        matches!(body, Body::WheelSpun(spin) if !spin.valid).then_some(MAIN_WINDOW)
    }
}

impl Staking for Roulette {}

impl Documents for Roulette {
    fn wager(&self, _: &RoundFold, wager: &WagerFold) -> Value {
        let mut entry = entry_with_late(wager);
        keep_keys(&mut entry, &[]);
        if let Some(form) = wager.form {
            entry.insert("form".into(), json!(form));
        }
        let book = Book::of("roulette").and_then(|book| book.wager(&wager.kind));
        let Some(key) = book.and_then(|wager| wager.selects.as_deref()) else {
            return Value::Object(entry);
        };
        let told = match wager.detail.as_ref().map(Json::value) {
            Some(Value::Object(mut detail)) => {
                let other = if key == "color" { "colour" } else { "number" };
                detail.remove(key).or(detail.remove(other))
            }
            told => told,
        };
        if let Some(told) = told {
            entry.insert(key.to_owned(), selection(key, told));
        }
        Value::Object(entry)
    }

    fn play(&self, round: &RoundFold, _: &Standing) -> Result<Value, String> {
        Ok(json!({ "spins": spins(round) }))
    }
}

impl Following for Roulette {
    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        conduct::see(scene, faults);
    }

    fn end(&self, end: &End<'_>, standing: &mut Standing, _: &mut Vec<Fault>) {
        let calls: Calls = standing.read();
        standing.keep(&calls.after(end));
    }
}

impl Payments for Roulette {
    fn name(&self, case: &Case<'_>) -> Option<&'static str> {
        conduct::name(case)
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
            Body::Irregularity(irregularity) => {
                let Some(kind) = no_spin_reason(irregularity) else {
                    continue;
                };
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
                spins.push(spin_entry(round, spin, called.take()));
            }
            _ => {}
        }
    }
    spins
}

/// Why a spin was called off: by the word itself, or by the reason in the detail of a plain no spin.
fn no_spin_reason(call: &Irregularity) -> Option<&'static str> {
    let word = order::reason(call, "no_spin");
    Book::of("roulette")?.irregularity(&word)
}

fn spin_entry(round: &RoundFold, spin: &WheelSpun, called: Option<&str>) -> Value {
    let mut entry = Map::new();
    if !spin.result.is_empty() {
        entry.insert("pocket".into(), json!(spin.result));
    }
    if let Some(turns) = spin.revolutions {
        entry.insert("revolutions".into(), json!(turns));
    }
    if !spin.valid {
        let is_short = order::is_short(round, spin.revolutions.map(u64::from));
        let reason = called.unwrap_or(if is_short { "short_spin" } else { UNSAID });
        entry.insert("no_spin".into(), json!(reason));
    } else if called == Some(SAME_DIRECTION) {
        entry.insert("direction".into(), json!("same"));
    }
    Value::Object(entry)
}

/// A selection as the document has it; it may be told as one word or number: `"17"`, `"17-20"`, `"17/20"`.
fn selection(key: &str, told: Value) -> Value {
    match (key, told) {
        ("numbers", Value::Array(list)) => list.into_iter().map(as_text).collect(),
        ("numbers", word) => match as_text(word) {
            Value::String(word) => {
                let numbers = word.split(|c: char| !c.is_ascii_alphanumeric());
                let numbers = numbers.filter(|number| !number.is_empty());
                numbers.map(|number| json!(number)).collect()
            }
            other => other,
        },
        ("center" | "color", word) => as_text(word),
        (_, number) => as_number(number),
    }
}
