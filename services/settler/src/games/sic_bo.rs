//! Sic bo from its events.
//!
//! `dice_rolled` is a toss; one that is not valid is a no roll, whose reason is the `irregularity`
//! before or after it (`not_flat` where nobody says). `shaker_failure` and `device_malfunction` are
//! irregularities. The `shaker`, the number of `shakes` and the values `entered` come in the detail of
//! an irregularity; shakes also one by one, as decisions `shake`, and an automated run as `activate`. The
//! dealer's `cover` of a manual shaker is a decision too. What the house reports of its devices is
//! an irregularity `lights_not_cleared`, `two_shakers` or `opening_check_missing`: [`REPORTED`].

use catwalk_events::Json;
use catwalk_events::body::{Body, DeviceKind, DiceRolled, Inspection, Irregularity, WagerForm};
use catwalk_rules::Refusal;
use catwalk_rules::book::Book;
use catwalk_rules::games::sic_bo::{self, Play, Shaker, Toss, Wager};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::calls::Calls;
use super::told::{Laid, Reading};
use super::{
    Case, Documents, End, Folder, Following, Payments, Scene, Staking, Telling, Told, Windows,
    as_number, order,
};
use crate::fault::Fault;
use crate::round::{MAIN_WINDOW, RoundFold};
use crate::standing::Standing;

pub(super) struct SicBo;

/// Which shaker the table has: an option of the table, and a word of the play.
const SHAKER: &str = "shaker";
const SHAKER_FAILURE: &str = "shaker_failure";
const MALFUNCTION: &str = "device_malfunction";
const NO_ROLL: &str = "no_roll";
/// The only reason for a no roll. s.6(a)
const NOT_FLAT: &str = "not_flat";

/// Words of `irregularity` for what the house reports of its devices.
const REPORTED: [(&str, &str); 3] = [
    ("lights_not_cleared", "sicbo.lights_not_cleared"),
    ("two_shakers", "sicbo.two_shakers"),
    ("opening_check_missing", "sicbo.opening_check_missing"),
];

/// What is kept between rounds.
#[derive(Default, Serialize, Deserialize)]
struct Kept {
    /// The electrical device failed and was not repaired.
    is_broken: bool,
    calls: Calls,
}

impl Folder for SicBo {
    fn game(&self) -> &'static str {
        "sic_bo"
    }
}

impl Windows for SicBo {
    fn closes(&self, _: &RoundFold, body: &Body) -> Option<&'static str> {
        matches!(body, Body::DiceRolled(_)).then_some(MAIN_WINDOW)
    }

    /// After a no roll no more bets is called anew. s.5(c), 6(a)
    fn opens(&self, _: &RoundFold, body: &Body) -> Option<&'static str> {
        matches!(body, Body::DiceRolled(toss) if !toss.valid).then_some(MAIN_WINDOW)
    }
}

impl Staking for SicBo {}

impl Documents for SicBo {
    fn of_play(&self) -> &'static [&'static str] {
        &[SHAKER]
    }

    fn settle(&self, told: Telling<'_>) -> Option<Told> {
        Some(told.settle::<sic_bo::SicBo>(wager, |reading| {
            let said = Course::of(told.round, reading);
            let option = || {
                let posted = told.round.rules.option(SHAKER)?;
                reading.of(format_args!("{SHAKER}"), &posted)
            };
            // No other shaker fails. s.6(c)
            let has_failed = said.tosses.iter().any(|toss| toss.shaker_failure);
            let failed = || has_failed.then_some(Shaker::Automated);
            Play {
                shaker: said.shaker.or_else(option).or_else(failed),
                device_malfunction: said.has_malfunction,
                tosses: said.tosses,
            }
        }))
    }
}

impl Following for SicBo {
    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        let kept: Kept = scene.standing.read();
        let is_toss = |body: &Body| matches!(body, Body::DiceRolled(_));
        let calls = kept.calls;
        calls.see(scene, is_toss, "sicbo.no_more_bets_missing", faults);
        match scene.body {
            Body::Irregularity(told) => order::reported(scene, told, &REPORTED, faults),
            Body::DiceRolled(_) if kept.is_broken => {
                let message = "The device failed in an earlier round and was not repaired";
                order::raise(scene, "sicbo.play_after_device_failure", message, faults);
            }
            body if order::settles(body) => {
                let told = Course::of(scene.round, &mut Reading::default());
                let last = told.tosses.last();
                if last.is_some_and(|last| last.shaker_failure) {
                    let message = "A wager was settled although the shaker had failed";
                    order::raise(scene, "sicbo.failed_shaker_settled", message, faults);
                } else if last.is_some_and(|last| last.no_roll.is_some()) {
                    let message = "A wager was settled on a toss that was no roll";
                    order::raise(scene, "sicbo.not_flat_settled", message, faults);
                }
                order::collection(scene, "sicbo.paid_before_collect", faults);
                if matches!(body, Body::WagerPaid(_)) && told.is_covered {
                    let message = "The shaker was covered before all winners were paid";
                    order::raise(scene, "sicbo.covered_before_paid", message, faults);
                }
            }
            _ => {}
        }
    }

    fn end(&self, end: &End<'_>, standing: &mut Standing, _: &mut Vec<Fault>) {
        let kept: Kept = standing.read();
        let told = Course::of(end.round, &mut Reading::default());
        standing.keep(&Kept {
            is_broken: kept.is_broken || told.has_malfunction,
            calls: kept.calls.after(end),
        });
    }

    fn between(&self, body: &Body, standing: &mut Standing) {
        let is_repair = match body {
            Body::DeviceAdjusted(device) => device.kind != DeviceKind::Shaker,
            Body::DeviceInspected(device) => {
                device.kind != DeviceKind::Shaker && device.result != Some(Inspection::Fail)
            }
            _ => false,
        };
        if is_repair {
            let calls = standing.read::<Kept>().calls;
            let is_broken = false;
            standing.keep(&Kept { is_broken, calls });
        }
    }
}

impl Payments for SicBo {
    fn name(&self, case: &Case<'_>) -> Option<&'static str> {
        let told = Course::of(case.round, &mut Reading::default());
        let dice = told.tosses.last()?.dice?;
        let is_triple = dice.iter().all(|die| *die == dice[0]);
        let is_paid = case.wager.paid.is_positive();
        let is_half = matches!(&*case.wager.kind, "small" | "big");
        (is_half && is_triple && is_paid).then_some("sicbo.small_big_on_triple")
    }
}

/// `wagers[i]` of the document.
fn wager(laid: &Laid<'_>) -> Result<Wager, Refusal> {
    let mut entry = laid.detail(&["number", "numbers", "verbal"]);
    // The selection alone, or under the document's key for it.
    let said = ["number", "numbers"].map(|key| entry.remove(key));
    let alone = || Some(laid.fold.detail.as_ref()?.value());
    let said = said.into_iter().flatten().next().or_else(alone);
    let book = Book::of("sic_bo").and_then(|book| book.wager(&laid.fold.kind));
    if let Some(key) = book.and_then(|wager| wager.selects.as_deref())
        && let Some(selection) = said.and_then(|said| selection(key, said))
    {
        entry.insert(key.to_owned(), selection);
    }
    // Colour chips are for roulette: here they are chips. A spoken bet is one of cash.
    let form = laid.fold.form;
    let form = form.filter(|form| *form != WagerForm::ColourChips);
    if let Some(form) = form.filter(|_| entry.get("verbal") != Some(&Value::Bool(true))) {
        entry.insert("form".into(), json!(form));
    }
    laid.read(&entry)
}

/// What a wager is on; a feed may write numbers as text, and two of them as one word.
fn selection(key: &str, told: Value) -> Option<Value> {
    match (key, told) {
        ("numbers", Value::Array(faces)) => Some(faces.into_iter().map(as_number).collect()),
        ("numbers", Value::String(faces)) => {
            let faces = faces.split(|c: char| !c.is_ascii_digit());
            let faces = faces.filter(|face| !face.is_empty());
            Some(faces.map(|face| as_number(json!(face))).collect())
        }
        (_, Value::Object(_) | Value::Null) => None,
        (_, told) => Some(as_number(told)),
    }
}

/// What is said of devices and entries is not why a toss is no roll.
fn is_remark(said: &Irregularity) -> bool {
    let mut reported = REPORTED.iter().map(|(word, _)| *word);
    let remarks = ["entry_mismatch", "wrong_entry", "too_few_shakes"];
    remarks.contains(&&*said.kind) || reported.any(|word| said.kind == word)
}

fn calls_off(said: &Irregularity) -> bool {
    let word = said.kind.replace([' ', '-'], "_");
    [NOT_FLAT, NO_ROLL].contains(&&*word) || order::calls_off(&said.ruling)
}

/// The tosses as the events tell them.
#[derive(Default)]
struct Course {
    shaker: Option<Shaker>,
    has_malfunction: bool,
    tosses: Vec<Toss>,
    /// The manual shaker was covered again after the last toss.
    is_covered: bool,
    /// It was said why the last toss is no roll.
    is_said: bool,
}

impl Course {
    fn of(round: &RoundFold, reading: &mut Reading) -> Course {
        let mut told = Course::default();
        // What was said of the next toss.
        let mut next = Toss::default();
        for (_, body) in &round.play {
            match body {
                Body::Irregularity(said) => told.irregularity(said, &mut next, reading),
                Body::DiceRolled(rolled) => {
                    told.toss(rolled, std::mem::take(&mut next), reading);
                }
                Body::Decision(decision) if decision.action == "shake" => {
                    next.shakes = Some(next.shakes.unwrap_or_default().saturating_add(1));
                }
                Body::Decision(decision) if decision.action == "cover" => {
                    told.is_covered = !told.tosses.is_empty();
                }
                Body::Decision(decision) if decision.action == "activate" => {
                    told.shaker = Some(Shaker::Automated);
                }
                _ => {}
            }
        }
        told
    }

    fn irregularity(&mut self, said: &Irregularity, next: &mut Toss, reading: &mut Reading) {
        let detail = said.detail.as_ref().map(Json::value).unwrap_or_default();
        if let Some(shaker) = detail.get(SHAKER) {
            self.shaker = reading.of(format_args!("{SHAKER}"), shaker);
        }
        // Is the last toss a no roll that nobody gave a reason for?
        let last = self.tosses.last();
        let is_unexplained = last.is_some_and(|last| last.no_roll.is_some()) && !self.is_said;
        let at = self.tosses.len().saturating_sub(1);
        // A shaker that failed shows nothing.
        let last = self.tosses.last_mut();
        if let Some(toss) = Some(last.unwrap_or(next)).filter(|toss| !toss.shaker_failure) {
            if let Some(faces) = detail.get("entered") {
                toss.entered = reading.of(format_args!("tosses[{at}].entered"), faces);
            }
            if let Some(shakes) = detail.get("shakes") {
                toss.shakes = reading.of(format_args!("tosses[{at}].shakes"), shakes);
            }
        }
        let is_open = |toss: &&mut Toss| {
            !toss.shaker_failure && (toss.dice.is_none() || toss.no_roll.is_some())
        };
        let last = self.tosses.last_mut().filter(is_open);
        let last = last.filter(|_| !self.is_said);
        match said.kind.as_str() {
            MALFUNCTION => self.has_malfunction = true,
            // What the shaker shows when it fails is no toss, unless it was called one.
            SHAKER_FAILURE => {
                let failed = Toss {
                    shaker_failure: true,
                    ..Toss::default()
                };
                match last {
                    Some(last) => *last = failed,
                    None => self.tosses.push(failed),
                }
            }
            _ if is_remark(said) => {}
            _ if !is_unexplained && !calls_off(said) => {}
            _ => {
                let reason = match order::reason(said, NO_ROLL) {
                    // It is not said why.
                    plain if plain.replace([' ', '-'], "_") == NO_ROLL => NOT_FLAT.to_owned(),
                    reason => reason,
                };
                last.unwrap_or(next).no_roll = Some(reason);
                self.is_said = true;
            }
        }
    }

    fn toss(&mut self, rolled: &DiceRolled, said: Toss, reading: &mut Reading) {
        self.is_covered = false;
        // A failed shaker has no toss, and it ends the round: what comes then does not count. s.6(c)
        if self.tosses.last().is_some_and(|last| last.shaker_failure) {
            return;
        }
        self.is_said = said.no_roll.is_some();
        let reason = said.no_roll.unwrap_or_else(|| NOT_FLAT.to_owned());
        let is_toss = rolled.valid || rolled.dice.len() == 3;
        let dice = is_toss.then(|| json!(rolled.dice));
        let at = self.tosses.len();
        self.tosses.push(Toss {
            dice: dice.and_then(|dice| reading.of(format_args!("tosses[{at}].dice"), &dice)),
            no_roll: (!rolled.valid).then_some(reason),
            ..said
        });
    }
}
