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
use catwalk_rules::book::Book;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::calls::Calls;
use super::{
    Case, Documents, End, Folder, Following, Payments, Scene, Staking, Windows, as_number,
    entry_with_late, keep_keys, order,
};
use crate::fault::Fault;
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
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
    fn wager(&self, _: &RoundFold, wager: &WagerFold) -> Value {
        let mut entry = entry_with_late(wager);
        keep_keys(&mut entry, &["number", "numbers", "verbal"]);
        let detail = wager.detail.as_ref().map(Json::value).unwrap_or_default();
        // The selection alone, or under the document's key for it.
        let said = ["number", "numbers"].map(|key| entry.remove(key));
        let said = said.into_iter().flatten().next().unwrap_or(detail);
        let book = Book::of("sic_bo").and_then(|book| book.wager(&wager.kind));
        if let Some(key) = book.and_then(|wager| wager.selects.as_deref())
            && let Some(selection) = selection(key, said)
        {
            entry.insert(key.to_owned(), selection);
        }
        // Colour chips are for roulette: here they are chips. A spoken bet is one of cash.
        let form = wager.form.filter(|form| *form != WagerForm::ColourChips);
        if let Some(form) = form.filter(|_| entry.get("verbal") != Some(&Value::Bool(true))) {
            entry.insert("form".into(), json!(form));
        }
        Value::Object(entry)
    }

    fn of_play(&self) -> &'static [&'static str] {
        &[SHAKER]
    }

    fn play(&self, round: &RoundFold, _: &Standing) -> Result<Value, String> {
        let told = Told::of(round);
        let mut play = told.play;
        if let Some(shaker) = round.rules.option(SHAKER) {
            play.entry(SHAKER).or_insert(shaker);
        }
        // No other shaker fails. s.6(c)
        if told.tosses.iter().any(has_failed) {
            play.entry(SHAKER).or_insert(json!("automated"));
        }
        play.insert("tosses".into(), told.tosses.into());
        Ok(Value::Object(play))
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
                let told = Told::of(scene.round);
                let last = told.tosses.last().unwrap_or(&Value::Null);
                if has_failed(last) {
                    let message = "A wager was settled although the shaker had failed";
                    order::raise(scene, "sicbo.failed_shaker_settled", message, faults);
                } else if last.get("no_roll").is_some() {
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
        let has_failed = Told::of(end.round).play.contains_key(MALFUNCTION);
        standing.keep(&Kept {
            is_broken: kept.is_broken || has_failed,
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
        let told = Told::of(case.round);
        let dice = told.tosses.last()?.get("dice")?.as_array()?;
        let is_triple = dice.iter().all(|die| *die == dice[0]);
        let is_paid = case.wager.paid.is_positive();
        let is_half = matches!(&*case.wager.kind, "small" | "big");
        (is_half && is_triple && is_paid).then_some("sicbo.small_big_on_triple")
    }
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

fn has_failed(toss: &Value) -> bool {
    toss.get(SHAKER_FAILURE).is_some()
}

/// The tosses as the events tell them.
#[derive(Default)]
struct Told {
    play: Map<String, Value>,
    tosses: Vec<Value>,
    /// The manual shaker was covered again after the last toss.
    is_covered: bool,
    /// It was said why the last toss is no roll.
    is_said: bool,
}

impl Told {
    fn of(round: &RoundFold) -> Told {
        let mut told = Told::default();
        // What was said of the next toss.
        let mut next = Map::new();
        for (_, body) in &round.play {
            match body {
                Body::Irregularity(irregularity) => told.irregularity(irregularity, &mut next),
                Body::DiceRolled(rolled) => told.toss(rolled, std::mem::take(&mut next)),
                Body::Decision(decision) if decision.action == "shake" => {
                    let shakes = next
                        .get("shakes")
                        .and_then(Value::as_u64)
                        .unwrap_or_default();
                    next.insert("shakes".into(), json!(shakes + 1));
                }
                Body::Decision(decision) if decision.action == "cover" => {
                    told.is_covered = !told.tosses.is_empty();
                }
                Body::Decision(decision) if decision.action == "activate" => {
                    told.play.insert(SHAKER.into(), json!("automated"));
                }
                _ => {}
            }
        }
        told
    }

    /// Is the last toss a no roll that nobody gave a reason for?
    fn is_unexplained(&self) -> bool {
        let is_no_roll = |last: &Value| last.get(NO_ROLL).is_some();
        self.tosses.last().is_some_and(is_no_roll) && !self.is_said
    }

    fn irregularity(&mut self, said: &Irregularity, next: &mut Map<String, Value>) {
        let detail = said.detail.as_ref().map(Json::value).unwrap_or_default();
        if let Some(shaker) = detail.get(SHAKER) {
            self.play.insert(SHAKER.into(), shaker.clone());
        }
        let is_open = |toss: &&mut Value| {
            !has_failed(toss) && (toss.get("dice").is_none() || toss.get("no_roll").is_some())
        };
        for key in ["entered", "shakes"] {
            let Some(value) = detail.get(key) else {
                continue;
            };
            match self.tosses.last_mut() {
                // A shaker that failed shows nothing.
                Some(last) if has_failed(last) => {}
                Some(last) => last[key] = value.clone(),
                None => drop(next.insert(key.into(), value.clone())),
            }
        }
        match said.kind.as_str() {
            MALFUNCTION => drop(self.play.insert(MALFUNCTION.into(), json!(true))),
            // What the shaker shows when it fails is no toss, unless it was called one.
            SHAKER_FAILURE => {
                let last = self.tosses.last_mut().filter(is_open);
                match last.filter(|_| !self.is_said) {
                    Some(last) => *last = json!({ SHAKER_FAILURE: true }),
                    None => self.tosses.push(json!({ SHAKER_FAILURE: true })),
                }
            }
            _ if is_remark(said) => {}
            _ if !self.is_unexplained() && !calls_off(said) => {}
            _ => {
                let reason = match order::reason(said, NO_ROLL) {
                    // It is not said why.
                    plain if plain.replace([' ', '-'], "_") == NO_ROLL => NOT_FLAT.to_owned(),
                    reason => reason,
                };
                let last = self.tosses.last_mut().filter(is_open);
                match last.filter(|_| !self.is_said) {
                    Some(last) => last["no_roll"] = json!(reason),
                    None => drop(next.insert("no_roll".into(), json!(reason))),
                }
                self.is_said = true;
            }
        }
    }

    fn toss(&mut self, rolled: &DiceRolled, mut toss: Map<String, Value>) {
        self.is_covered = false;
        // A failed shaker has no toss, and it ends the round: what comes then does not count. s.6(c)
        if self.tosses.last().is_some_and(has_failed) {
            return;
        }
        self.is_said = toss.contains_key("no_roll");
        let reason = toss.remove("no_roll").unwrap_or_else(|| json!(NOT_FLAT));
        if !rolled.valid {
            toss.insert("no_roll".into(), reason);
        }
        if rolled.valid || rolled.dice.len() == 3 {
            toss.insert("dice".into(), json!(rolled.dice));
        }
        self.tosses.push(Value::Object(toss));
    }
}
