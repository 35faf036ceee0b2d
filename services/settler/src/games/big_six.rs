//! The big six wheel from its events.
//!
//! `wheel_spun` is a spin. A clapper between two sections is an `irregularity` `clapper_between` with
//! `passed` and `next` in its detail, before or after the spin; other irregularities say why a spin
//! was called off. Walk-spins come one by one, as decisions `walk_spin`, or as `walk_spins` in a detail.
//! What the house reports of its wheel and signs is an irregularity `wheel_layout` or
//! `option_sign_missing`: [`REPORTED`].

use catwalk_events::Json;
use catwalk_events::body::{Body, Irregularity};
use catwalk_rules::games::big_six::{self, Play, Spin};
use serde_json::json;

use super::calls::Calls;
use super::told::{Laid, Reading};
use super::{
    Documents, End, Folder, Following, Payments, Scene, Staking, Telling, Told, Windows, as_text,
    order,
};
use crate::fault::Fault;
use crate::round::{MAIN_WINDOW, RoundFold};
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
    fn settle(&self, told: Telling<'_>) -> Option<Told> {
        let wager = |laid: &Laid<'_>| laid.read(&laid.detail(&[]));
        Some(told.settle::<big_six::BigSix>(wager, |reading| Play {
            spins: spins(told.round, reading),
        }))
    }
}

impl Following for BigSix {
    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        let calls: Calls = scene.standing.read();
        calls.see(scene, is_spin, "bigsix.no_more_bets_missing", faults);
        match scene.body {
            Body::Irregularity(told) => order::reported(scene, told, &REPORTED, faults),
            body if order::settles(body) => {
                let spins = spins(scene.round, &mut Reading::default());
                let last = spins.last();
                let rules = &scene.round.rules;
                if order::is_short(scene.round, last.and_then(|last| last.revolutions)) {
                    let message = "A wager was settled on a spin of fewer than three turns";
                    order::raise(scene, "bigsix.short_spin_settled", message, faults);
                }
                let respins = rules.option("between").is_some_and(|rule| rule == "respin");
                if respins && last.is_some_and(|last| last.passed.is_some()) {
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
fn spins(round: &RoundFold, reading: &mut Reading) -> Vec<Spin> {
    let mut spins: Vec<Spin> = Vec::new();
    // What was said of the next spin, and whether something was of the last.
    let (mut next, mut is_said) = (Spin::default(), true);
    for (_, body) in &round.play {
        match body {
            Body::WheelSpun(spin) => {
                is_said = next.no_spin.is_some();
                let said = std::mem::take(&mut next);
                let stops = !spin.result.is_empty() && said.passed.is_none();
                let stop = stops.then(|| json!(section(&spin.result)));
                let at = spins.len();
                let unsaid = match order::is_short(round, spin.revolutions) {
                    true => "short_spin",
                    false => UNSAID,
                };
                let reason = said.no_spin.unwrap_or_else(|| unsaid.to_owned());
                spins.push(Spin {
                    stop: stop.and_then(|stop| reading.of(format_args!("spins[{at}].stop"), &stop)),
                    revolutions: spin.revolutions,
                    no_spin: (!spin.valid).then_some(reason),
                    ..said
                });
            }
            Body::Irregularity(said) if is_reported(said) => {}
            Body::Irregularity(said) => {
                say(said, is_said, &mut spins, &mut next, reading);
                is_said = true;
            }
            Body::Decision(decision) if decision.action == "walk_spin" => {
                let walks = next.walk_spins.unwrap_or_default();
                next.walk_spins = Some(walks.saturating_add(1));
            }
            _ => {}
        }
    }
    spins
}

fn is_reported(said: &Irregularity) -> bool {
    REPORTED.iter().any(|(word, _)| said.kind == *word)
}

/// A section by its value alone: some feeds write `$5`, or the kind of the bet on it.
fn section(word: &str) -> &str {
    let word = word.strip_prefix('$').unwrap_or(word);
    word.strip_prefix("insignia_").unwrap_or(word)
}

/// It is about the spin before it, unless something was said of that one already.
fn say(
    said: &Irregularity,
    is_said: bool,
    spins: &mut [Spin],
    next: &mut Spin,
    reading: &mut Reading,
) {
    let detail = said.detail.as_ref().map(Json::value).unwrap_or_default();
    let has_passed = detail.get("passed").is_some();
    let is_between = BETWEEN.contains(&&*said.kind) && has_passed;
    let after = spins.len();
    let last = spins.last_mut().filter(|_| !is_said);
    let last = last.filter(|last| is_between || last.no_spin.is_some());
    let stays = is_between
        && last
            .as_ref()
            .is_some_and(|it| it.no_spin.as_deref() != Some(UNSAID));
    let (at, spin) = match last {
        Some(last) => (after - 1, last),
        None => (after, next),
    };
    let mut symbol = |key: &str| {
        let word = as_text(detail.get(key)?.clone());
        let word = word
            .as_str()
            .map_or(word.clone(), |word| json!(section(word)));
        reading.of(format_args!("spins[{at}].{key}"), &word)
    };
    // What comes next is said of a clapper that has passed a section.
    if has_passed {
        spin.stop = None;
        spin.passed = symbol("passed");
        spin.next = symbol("next").or(spin.next);
    }
    if let Some(walks) = detail.get("walk_spins") {
        spin.walk_spins = reading.of(format_args!("spins[{at}].walk_spins"), walks);
    }
    if !stays {
        spin.no_spin = Some(order::reason(said, "no_spin"));
    }
}
