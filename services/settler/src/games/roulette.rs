//! Roulette from its events.
//!
//! `wheel_spun` is a spin; the `irregularity` before or after one that is not valid says why it was
//! called off, and `same_direction` of one that stands says how the ball ran. A selection is an object
//! with the keys of the document, or one word or number: `17`, `"17-20"`, `"17, 20"`, a column, a colour. What no
//! other event shows and the house reports is an `irregularity` `chips_touched`, `verbal_unconfirmed` or
//! `foreign_chips`: [`conduct::REPORTED`].

mod conduct;

use catwalk_events::Json;
use catwalk_events::body::Body;
use catwalk_rules::Refusal;
use catwalk_rules::book::Book;
use catwalk_rules::games::roulette::{self, Direction, NoSpin, Play, Spin, Wager};
use serde_json::{Value, json};

use super::calls::Calls;
use super::told::{Laid, Reading, word};
use super::{
    Case, Documents, End, Folder, Following, Payments, Scene, Staking, Telling, Told, Windows,
    as_number, as_text, order,
};
use crate::fault::Fault;
use crate::round::{MAIN_WINDOW, RoundFold};
use crate::standing::Standing;

pub(super) struct Roulette;

/// A spin that was called off, and nobody said why.
const UNSAID: NoSpin = NoSpin::ForeignObject;

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
    fn settle(&self, told: Telling<'_>) -> Option<Told> {
        Some(told.settle::<roulette::Roulette>(wager, |reading| Play {
            spins: spins(told.round, reading),
        }))
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

/// `wagers[i]` of the document.
fn wager(laid: &Laid<'_>) -> Result<Wager, Refusal> {
    let mut entry = laid.detail(&[]);
    if let Some(form) = laid.fold.form {
        entry.insert("form".into(), json!(form));
    }
    let book = Book::of("roulette").and_then(|book| book.wager(&laid.fold.kind));
    if let Some(key) = book.and_then(|wager| wager.selects.as_deref()) {
        let told = match laid.fold.detail.as_ref().map(Json::value) {
            Some(Value::Object(mut detail)) => {
                let other = if key == "color" { "colour" } else { "number" };
                detail.remove(key).or(detail.remove(other))
            }
            told => told,
        };
        entry.extend(told.map(|told| (key.to_owned(), selection(key, told))));
    }
    laid.read(&entry)
}

/// `play.spins` of the document.
fn spins(round: &RoundFold, reading: &mut Reading) -> Vec<Spin> {
    let mut spins: Vec<Spin> = Vec::new();
    let mut called: Option<NoSpin> = None;
    // Was it said of the last spin what was wrong with it?
    let mut is_said = true;
    for (_, body) in &round.play {
        match body {
            Body::Irregularity(irregularity) => {
                // Why it was called off: by the word itself, or by the reason in the detail of a plain no spin.
                let Some(kind) = word(&order::reason(irregularity, "no_spin")) else {
                    continue;
                };
                // The call may come before or after the spin that it calls off.
                match spins.last_mut().filter(|_| !is_said) {
                    Some(spin) if spin.no_spin.is_some() => spin.no_spin = Some(kind),
                    Some(spin) if kind == NoSpin::SameDirection => {
                        spin.direction = Some(Direction::Same);
                    }
                    _ => called = Some(kind),
                }
                is_said = true;
            }
            Body::WheelSpun(spin) => {
                is_said = called.is_some();
                let called = called.take();
                let unsaid = match order::is_short(round, spin.revolutions) {
                    true => NoSpin::ShortSpin,
                    false => UNSAID,
                };
                let is_same = spin.valid && called == Some(NoSpin::SameDirection);
                let at = spins.len();
                let told = Some(&spin.result).filter(|told| !told.is_empty());
                spins.push(Spin {
                    pocket: told.and_then(|told| {
                        reading.of(format_args!("spins[{at}].pocket"), &json!(told))
                    }),
                    no_spin: (!spin.valid).then(|| called.unwrap_or(unsaid)),
                    revolutions: spin.revolutions,
                    direction: is_same.then_some(Direction::Same),
                });
            }
            _ => {}
        }
    }
    spins
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
