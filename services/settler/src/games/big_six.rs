//! The big six wheel from its events.
//!
//! `wheel_spun` is a spin. A clapper between two sections is an `irregularity` `clapper_between` with
//! `passed` and `next` in its detail, before or after the spin; other irregularities say why a spin
//! was called off. Walk-spins come one by one, as decisions `walk_spin`, or as `walk_spins` in a detail.
//! What the house reports of its wheel and signs is an irregularity `wheel_layout` or
//! `option_sign_missing`: [`REPORTED`].

use catwalk_events::Json;
use catwalk_events::body::{Body, Irregularity, WheelSpun};
use serde_json::{Map, Value, json};

use super::calls::Calls;
use super::{
    Documents, End, Folder, Following, Payments, Scene, Staking, Windows, as_text, entry_with_late,
    keep_keys, order,
};
use crate::fault::Fault;
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;

pub(super) struct BigSix;

const BETWEEN: [&str; 2] = ["clapper_between", "between"];
/// Words of `irregularity` for what the house reports of its wheel.
const REPORTED: [(&str, &str); 2] = [
    ("wheel_layout", "bigsix.wheel_layout"),
    ("option_sign_missing", "bigsix.option_sign_missing"),
];
/// A spin that was called off, and nobody said why.
const UNSAID: &str = "called off";

impl Folder for BigSix {
    fn game(&self) -> &'static str {
        "big_six"
    }
}

impl Windows for BigSix {
    fn closes(&self, _: &RoundFold, body: &Body) -> Option<&'static str> {
        matches!(body, Body::WheelSpun(spin) if spin.valid).then_some(MAIN_WINDOW)
    }

    /// After a spin that was called off no more bets is called anew. s.6(a)
    fn opens(&self, _: &RoundFold, body: &Body) -> Option<&'static str> {
        matches!(body, Body::WheelSpun(spin) if !spin.valid).then_some(MAIN_WINDOW)
    }
}

impl Staking for BigSix {}

impl Documents for BigSix {
    fn wager(&self, _: &RoundFold, wager: &WagerFold) -> Value {
        let mut entry = entry_with_late(wager);
        keep_keys(&mut entry, &[]);
        Value::Object(entry)
    }

    fn play(&self, round: &RoundFold, _: &Standing) -> Result<Value, String> {
        Ok(json!({ "spins": spins(round) }))
    }
}

impl Following for BigSix {
    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        let calls: Calls = scene.standing.read();
        calls.see(scene, is_spin, "bigsix.no_more_bets_missing", faults);
        match scene.body {
            Body::Irregularity(told) => order::reported(scene, told, &REPORTED, faults),
            body if order::settles(body) => {
                let spins = spins(scene.round);
                let last = spins.last().unwrap_or(&Value::Null);
                let rules = &scene.round.rules;
                if order::is_short(scene.round, last["revolutions"].as_u64()) {
                    let message = "A wager was settled on a spin of fewer than three turns";
                    order::raise(scene, "bigsix.short_spin_settled", message, faults);
                }
                let respins = rules.option("between").is_some_and(|rule| rule == "respin");
                if respins && last.get("passed").is_some() {
                    let message = "A wager was settled although the wheel has to be spun again";
                    order::raise(scene, "bigsix.between_wrong", message, faults);
                }
                // The text of Ohio has no order for it.
                if rules.edition == "mgc-2017" {
                    order::collection(scene, "bigsix.paid_before_collect", faults);
                }
            }
            _ => {}
        }
    }

    fn end(&self, end: &End<'_>, standing: &mut Standing, _: &mut Vec<Fault>) {
        let calls: Calls = standing.read();
        standing.keep(&calls.after(end));
    }
}

impl Payments for BigSix {}

fn is_spin(body: &Body) -> bool {
    matches!(body, Body::WheelSpun(_))
}

/// `play.spins` of the document.
fn spins(round: &RoundFold) -> Vec<Value> {
    let mut spins: Vec<Value> = Vec::new();
    // What was said of the next spin, and whether something was of the last.
    let (mut next, mut is_said) = (Map::new(), true);
    for (_, body) in &round.play {
        match body {
            Body::WheelSpun(spin) => {
                is_said = next.contains_key("no_spin");
                spins.push(spun(round, spin, std::mem::take(&mut next)));
            }
            Body::Irregularity(said) if is_reported(said) => {}
            Body::Irregularity(said) => {
                let last = spins.last_mut().and_then(Value::as_object_mut);
                say(said, last.filter(|_| !is_said), &mut next);
                is_said = true;
            }
            Body::Decision(decision) if decision.action == "walk_spin" => {
                let walks = next
                    .get("walk_spins")
                    .and_then(Value::as_u64)
                    .unwrap_or_default();
                next.insert("walk_spins".into(), json!(walks + 1));
            }
            _ => {}
        }
    }
    spins
}

fn is_reported(said: &Irregularity) -> bool {
    REPORTED.iter().any(|(word, _)| said.kind == *word)
}

fn spun(round: &RoundFold, spin: &WheelSpun, mut entry: Map<String, Value>) -> Value {
    let reason = entry.remove("no_spin");
    if !spin.result.is_empty() && !entry.contains_key("passed") {
        entry.insert("stop".into(), json!(section(&spin.result)));
    }
    if let Some(turns) = spin.revolutions {
        entry.insert("revolutions".into(), json!(turns));
    }
    if !spin.valid {
        let short = order::is_short(round, spin.revolutions.map(u64::from));
        let unsaid = if short { "short_spin" } else { UNSAID };
        entry.insert("no_spin".into(), reason.unwrap_or_else(|| json!(unsaid)));
    }
    Value::Object(entry)
}

/// A section by its value alone: some feeds write `$5`, or the kind of the bet on it.
fn section(word: &str) -> &str {
    let word = word.strip_prefix('$').unwrap_or(word);
    word.strip_prefix("insignia_").unwrap_or(word)
}

/// It is about the spin before it, unless something was said of that one already.
fn say(said: &Irregularity, last: Option<&mut Map<String, Value>>, next: &mut Map<String, Value>) {
    let detail = said.detail.as_ref().map(Json::value).unwrap_or_default();
    let mut words = Map::new();
    for key in ["passed", "next"] {
        if let Some(value) = detail.get(key) {
            let word = as_text(value.clone());
            let word = word
                .as_str()
                .map_or(word.clone(), |word| json!(section(word)));
            words.insert(key.into(), word);
        }
    }
    // What comes next is said of a clapper that has passed a section.
    if !words.contains_key("passed") {
        words.remove("next");
    }
    if let Some(walks) = detail.get("walk_spins") {
        words.insert("walk_spins".into(), walks.clone());
    }
    let reason = order::reason(said, "no_spin");
    let is_between = BETWEEN.contains(&&*said.kind) && words.contains_key("passed");
    match last {
        Some(last) if is_between => {
            last.remove("stop");
            last.extend(words);
            if last.get("no_spin").is_some_and(|reason| reason == UNSAID) {
                last.insert("no_spin".into(), json!(reason));
            }
        }
        Some(last) if last.contains_key("no_spin") => {
            if words.contains_key("passed") {
                last.remove("stop");
            }
            last.extend(words);
            last.insert("no_spin".into(), json!(reason));
        }
        _ => {
            next.extend(words);
            next.insert("no_spin".into(), json!(reason));
        }
    }
}
