//! Craps, mini-craps and crapless craps from their events.
//!
//! A round is any run of rolls. Bets that it does not decide stay up for the next round, as do the
//! point and the shooter.
//!
//! - `dice_rolled`: a roll, or a no roll where it is not valid; the `irregularity` before or after it
//!   gives the reason in the words of s.9, and in its detail the `caller`.
//! - `betting_closed`, whatever window it names, is the cut-off of the next roll; without one, and at
//!   crapless craps, the roll itself is. After the roll bets are taken again. A bet that is paid or taken
//!   before another roll was made after the dice had come to rest.
//! - `wager_placed`: `detail` is an object with the keys of the document, or the number, or the two
//!   faces of a hop. A bet whose detail says `in_air` is judged by its confirmations.
//! - `wager_changed` and `wager_removed` lower a bet or take it down; so does handing it back undecided
//!   (`wager_pushed`). A raise is a bet of its own where the bet has its number. A bet that may not stand
//!   and goes back before the dice are thrown was refused.
//! - `commission_collected`, or the commission of `wager_paid`: the vigorish.
//! - `decision`: `accept_dice` or `shoot` (who throws), `pass_dice`, `decline_dice`, `working` and
//!   `not_working` (the seat's bets on a come-out), `decision_only` (a come-only roll follows),
//!   `call_surveillance` (of the house, seat 0: a fire bet has its fourth point).
//! - `irregularity`: what no other event shows and the house itself reports, with `seat` and `wager` in the
//!   detail: `fire_marker_wrong`, `on_button_missing`, `call_bet`, `verbal_unconfirmed`, `composite_not_split`
//!   (a whirl bet), `dice_unattended`, `player_not_seated`, `no_tournament_bet`; at crapless craps
//!   `come_not_moved`. Their codes are in `REPORTED` of `conduct`.

mod conduct;
mod course;
mod document;
mod names;
mod tournament;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use catwalk_events::Json;
use catwalk_events::body::Body;
use catwalk_rules::Verdict;
use catwalk_rules::book::Book;
use catwalk_rules::floor::Cents;
use catwalk_rules::games::{CraplessCraps, craps as rules};
use serde_json::{Value, json};

use super::told::{Laid, Reading};
use super::{
    Case, Documents, End, Folder, Following, Payments, Raise, Run, Scene, Staking, Telling, Told,
    Vigorish, Windows,
};
use crate::fault::Fault;
use crate::judge::due;
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;

use course::{Course, Puck, SEVEN};
use document::keys;

pub(super) static CRAPS: Craps = Craps {
    game: "craps",
    points: LazyLock::new(|| points_of("craps")),
};

pub(super) static CRAPLESS: Craps = Craps {
    game: "crapless_craps",
    points: LazyLock::new(|| points_of("crapless_craps")),
};

/// What a call closes that closes nothing.
const AIR_WINDOW: &str = "air";

/// A game of the family.
pub(super) struct Craps {
    game: &'static str,
    points: LazyLock<Vec<u8>>,
}

/// Totals that become the point.
fn points_of(game: &str) -> Vec<u8> {
    let figures = Book::of(game).into_iter().flat_map(|book| book.figures());
    let points = figures.filter(|figure| figure.key == "points");
    let points = points
        .filter_map(|figure| figure.value.as_array())
        .flatten();
    points
        .filter_map(|point| u8::try_from(point.as_u64()?).ok())
        .collect()
}

impl Folder for Craps {
    fn game(&self) -> &'static str {
        self.game
    }

    fn run(&self) -> Option<&dyn Run> {
        Some(self)
    }
}

impl Windows for Craps {
    fn closes(&self, _: &RoundFold, body: &Body) -> Option<&'static str> {
        matches!(body, Body::DiceRolled(_)).then_some(MAIN_WINDOW)
    }

    fn opens(&self, _: &RoundFold, body: &Body) -> Option<&'static str> {
        matches!(body, Body::DiceRolled(_)).then_some(MAIN_WINDOW)
    }

    /// Its window names the roll that the call precedes. At crapless craps bets are good until the dice
    /// land, whatever was called. s.4.A there
    fn called<'a>(&self, _: &RoundFold, _: Option<&'a str>) -> &'a str {
        match self.game {
            "crapless_craps" => AIR_WINDOW,
            _ => MAIN_WINDOW,
        }
    }

    /// A bet in the air, or one that was made when the dice had come to rest, is judged by its own words,
    /// not by the call.
    fn is_locked(&self, _: &RoundFold, wager: &WagerFold) -> Option<bool> {
        let words = keys(wager);
        let says = |word: &str| words.get(word) == Some(&Value::Bool(true));
        let in_air = || says("in_air").then_some(false);
        says("late").then_some(true).or_else(in_air)
    }
}

impl Staking for Craps {
    /// Odds have limits of their own, and so have fire bets. 147.07, s.6, s.12(b)1
    fn is_limited(&self, kind: &str) -> bool {
        kind != "fire" && document::flat_of(kind).is_none()
    }

    fn carry(&self, end: &End<'_>, standing: &Standing, wager: &mut WagerFold) -> bool {
        if end.voided {
            return wager.carried;
        }
        let Some(due) = end.settlement.and_then(|it| due(it, &wager.id)) else {
            return false;
        };
        if wager.judged.is_some() || wager.collected.is_some() {
            return false;
        }
        // What was handed back lawfully; a contract bet stands as it was made.
        let stake = wager.amount - due.returned;
        let course = Course::of(self, end.round, standing.read());
        let placed = placed(end.round, wager);
        let is_known = match last_seven(&course) {
            _ if !end.round.doubtful => true,
            Some(seven) => placed > Some(seven),
            None => false,
        };
        if is_known {
            self.carry_over(end, &course, stake, wager);
            wager.renew(0, stake);
        }
        is_known
    }
}

impl Documents for Craps {
    fn settle(&self, told: Telling<'_>) -> Option<Told> {
        let start: Puck = told.standing.read();
        let course = Course::of(self, told.round, start.clone());
        let wager = |laid: &Laid<'_>| document::wager(told.round, &course, &start, laid);
        let play = |reading: &mut Reading| course.document(&start, reading);
        Some(match self.game {
            "crapless_craps" => told.settle::<CraplessCraps>(wager, play),
            _ => told.settle::<rules::Craps>(wager, play),
        })
    }
}

impl Following for Craps {
    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        conduct::see(self, scene, faults);
    }

    fn between(&self, body: &Body, standing: &mut Standing) {
        if let Body::BuyIn(bought) = body
            && !standing.is_doubtful()
        {
            let mut puck: Puck = standing.read();
            tournament::buy(&mut puck.chips, bought);
            standing.keep(&puck);
        }
    }

    fn end(&self, end: &End<'_>, standing: &mut Standing, _: &mut Vec<Fault>) {
        let is_idle = end.round.play.is_empty() && end.round.wagers.is_empty();
        if end.voided || is_idle && !end.round.incomplete {
            return;
        }
        let mut course = Course::of(self, end.round, standing.read());
        course.puck.chips = match tournament::is_tournament(end.round) {
            true => tournament::chips_after(end.round, course.puck.chips),
            false => tournament::Chips::new(),
        };
        let is_settled = !end.round.incomplete && end.settlement.is_some();
        let puck = match last_seven(&course) {
            _ if !is_settled => None,
            _ if !end.round.doubtful => Some(course.puck),
            // Until a 7 clears the table, what stands on it is guesswork.
            seven => seven.map(|seven| course.puck_since(seven)),
        };
        match puck {
            Some(puck) => standing.keep(&puck),
            None => standing.doubt(),
        }
    }
}

impl Payments for Craps {
    fn vigorish(&self, round: &RoundFold, wager: &WagerFold) -> Vigorish {
        conduct::vigorish(round, wager)
    }

    fn name(&self, case: &Case<'_>) -> Option<&'static str> {
        names::name(self, case)
    }
}

impl Run for Craps {
    fn decides(&self, body: &Body) -> bool {
        matches!(body, Body::DiceRolled(_))
    }

    /// Whether the dice have changed hands for a fire bet is known with the roll.
    fn is_certain(&self, code: &str) -> bool {
        code != "craps.fire_late"
    }

    /// To raise a bet is to make another one, which some bets do not allow.
    fn raise(&self, round: &RoundFold, standing: &Standing, wager: &WagerFold, to: Cents) -> Raise {
        let course = Course::of(self, round, standing.read());
        let placed = placed(round, wager);
        let has_rolled = placed.is_none_or(|roll| course.valid_from(roll).next().is_some());
        let refuse = |code: &'static str| {
            let message = format!(
                "{} on {} was raised to {to}, which its rules do not allow",
                wager.stake(),
                wager.kind
            );
            let fault = Fault::new(code, wager.evidence.clone(), message);
            Raise::Refused(fault.of_wager(&wager.id))
        };
        let number = self.number(&course, placed, wager);
        match &*wager.kind {
            "fire" => refuse("craps.fire_changed"),
            "dont_pass" | "dont_come" if has_rolled || !wager.lowered.is_empty() => {
                refuse("craps.dont_increased")
            }
            "pass" if number.is_some() => Raise::Part("pass", None),
            "come" | "put" if has_rolled && round.rules.edition == "mgc-2017" => {
                refuse("wager.not_permissible")
            }
            "come" | "put" if has_rolled => {
                let detail = Json::new(&json!({ "number": number }));
                Raise::Part("put", Some(detail))
            }
            _ => Raise::Anew,
        }
    }

    /// A don't bet that was lowered is not raised again. s.3(d)
    fn forgets_cuts(&self, kind: &str) -> bool {
        !matches!(kind, "dont_pass" | "dont_come")
    }

    /// Contract bets. s.3(c); ma s.4.C
    fn frozen(
        &self,
        round: &RoundFold,
        standing: &Standing,
        wager: &WagerFold,
    ) -> Option<&'static str> {
        let course = Course::of(self, round, standing.read());
        let placed = placed(round, wager);
        let has_rolled = || placed.is_none_or(|roll| course.valid_from(roll).next().is_some());
        match &*wager.kind {
            "fire" => Some("craps.fire_changed"),
            "put" if has_rolled() => Some("craps.put_removed"),
            "pass" | "come" => {
                let number = self.number(&course, placed, wager);
                number.map(|_| "craps.contract_bet_removed")
            }
            _ => None,
        }
    }

    fn look_back(&self, round: &mut RoundFold, faults: &mut Vec<Fault>) {
        conduct::find_late(round, faults);
    }
}

impl Craps {
    fn is_point(&self, total: u8) -> bool {
        self.points.contains(&total)
    }

    /// The number that a line, come or put bet has.
    fn number(&self, course: &Course<'_>, placed: Option<usize>, wager: &WagerFold) -> Option<u8> {
        let said = |key: &str| keys(wager).get(key).and_then(Value::as_u64);
        let said = |key: &str| said(key).and_then(|number| u8::try_from(number).ok());
        let mut rolls = course.valid_from(placed.unwrap_or_default());
        let first = rolls.find(|(_, _, throw)| !throw.come_only || !is_line(&wager.kind));
        match &*wager.kind {
            "put" => said("number"),
            "come" | "dont_come" if placed.is_none() => said("point"),
            "come" | "dont_come" => first.map(|(_, total, _)| total),
            // A bet that is made or stays with a point on has that point.
            _ => match first {
                Some((_, total, throw)) => throw.point.or(Some(total)),
                None => course.puck.point,
            },
        }
    }

    /// Makes of a bet that stays what the next document has of it.
    fn carry_over(&self, end: &End<'_>, course: &Course<'_>, stake: Cents, wager: &mut WagerFold) {
        let placed = placed(end.round, wager);
        let original = document::original(end.round, course, wager);
        let mut detail = keys(wager);
        detail.retain(|key, value| {
            !matches!(&**key, "in_air" | "confirmed_by" | "late" | "placed")
                && (key != "working" || *value == true)
        });
        let has_rolled = placed.is_none_or(|roll| course.valid_from(roll).next().is_some());
        match &*wager.kind {
            // A bet that waits for its first roll is made anew; its odds are as well.
            "come" | "dont_come" | "put" | "put_odds" if !has_rolled => {
                detail.insert("placed".into(), json!(0));
            }
            "come" | "dont_come" => {
                let number = self.number(course, placed, wager);
                detail.insert("point".into(), json!(number));
            }
            "fire" => {
                let mut made = carried_points(wager);
                let points = course.points_made(placed.unwrap_or_default());
                made.extend(points.map(|(_, point)| u64::from(point)));
                detail.insert("made".into(), json!(made));
            }
            _ => {}
        }
        match original.filter(|original| *original > stake) {
            Some(original) => drop(detail.insert("original".into(), json!(original))),
            None => drop(detail.remove("original")),
        }
        wager.detail = (!detail.is_empty()).then(|| Json::new(&Value::Object(detail)));
        (wager.paid, wager.undue, wager.mispaid) = (Cents::ZERO, Cents::ZERO, Cents::ZERO);
        // Vigorish is charged once, in the round in which the bet was made.
        wager.commission = Cents::ZERO;
        wager.pushed = None;
    }
}

/// Different points that a fire bet had when the round opened.
fn carried_points(wager: &WagerFold) -> BTreeSet<u64> {
    match keys(wager).get("made") {
        Some(Value::Array(made)) => made.iter().filter_map(Value::as_u64).collect(),
        _ => BTreeSet::new(),
    }
}

fn is_line(kind: &str) -> bool {
    matches!(kind, "pass" | "dont_pass")
}

/// The first roll that a bet is up for; `None` for one that was up before.
fn placed(round: &RoundFold, wager: &WagerFold) -> Option<usize> {
    let said = keys(wager).get("placed").and_then(Value::as_i64);
    match (wager.carried, said) {
        (true, Some(0)) => Some(0),
        (true, _) | (_, Some(-1)) => None,
        _ => Some(Course::roll_at(round, wager.after_play)),
    }
}

/// The last 7 of a round: it clears the lines, so that all bets after it are known.
fn last_seven(course: &Course<'_>) -> Option<usize> {
    let sevens = course.valid_from(0).filter(|(_, total, _)| *total == SEVEN);
    sevens.last().map(|(index, _, _)| index)
}

/// Was the stake handed back by the outcome of a roll?
fn is_handed_back(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Push | Verdict::Void)
}
