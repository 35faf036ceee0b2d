//! The rolls of a round as its events tell them: who throws, what counts, and where the puck lies.

use std::collections::BTreeSet;

use catwalk_events::body::{Body, Decision, DiceRolled, Irregularity};
use catwalk_rules::book::Book;
use catwalk_rules::games::craps::{NoRoll, Play, Roll, Start};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::document::may_stand;
use super::tournament::Chips;
use super::{Craps, placed};
use crate::games::order;
use crate::games::told::{Reading, word};
use crate::round::{RoundFold, WagerFold};

/// A no roll that nobody gave a reason for: the catch-all of the text.
const UNSAID: NoRoll = NoRoll::Improper;
/// Words of a seat that takes the dice after an offer.
pub(super) const TAKES: [&str; 4] = ["accept_dice", "take_dice", "accept", "new_shooter"];
/// Words of a seat that throws them.
pub(super) const THROWS: [&str; 6] = [
    "shoot",
    "shooter",
    "throw",
    "roll",
    "throw_dice",
    "roll_dice",
];
/// Words of a seat that gives them up or does not want them.
pub(super) const GIVES: [&str; 4] = ["pass_dice", "decline_dice", "refuse_dice", "decline"];
const COME_ONLY: [&str; 3] = ["decision_only", "come_only", "come_only_roll"];
const ON: [&str; 3] = ["working", "on", "bets_on"];
const OFF: [&str; 3] = ["not_working", "off", "bets_off"];

pub(super) const SEVEN: u8 = 7;

/// What of a craps table outlives a round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Puck {
    pub(super) point: Option<u8>,
    /// Come-out rolls of the present shooter.
    pub(super) comeouts: u32,
    pub(super) shooter: Option<u32>,
    /// Who threw the loser 7, until the dice are thrown again.
    pub(super) sevened_out: Option<u32>,
    /// Seats whose bets are called on for this come-out.
    on: BTreeSet<u32>,
    /// The shooter throws for the come bets alone.
    for_come_bets: bool,
    /// In a tournament.
    pub(super) chips: Chips,
}

/// All rolls of a round and what comes after them.
#[derive(Debug)]
pub(super) struct Course<'a> {
    pub(super) throws: Vec<Throw<'a>>,
    /// After the last roll.
    pub(super) puck: Puck,
}

#[derive(Debug)]
pub(super) struct Throw<'a> {
    seq: u64,
    dice: &'a [u8],
    /// `None` for a no roll.
    pub(super) total: Option<u8>,
    no_roll: Option<NoRoll>,
    /// On before the throw.
    pub(super) point: Option<u8>,
    decision_only: bool,
    /// It sets no point: nobody has a line bet.
    pub(super) come_only: bool,
    shooter: Option<u32>,
    new_shooter: bool,
    /// Seats whose bets are called on.
    on: BTreeSet<u32>,
    /// The puck was moved by it.
    has_moved: bool,
}

impl<'a> Course<'a> {
    pub(super) fn of(game: &Craps, round: &'a RoundFold, start: Puck) -> Course<'a> {
        let mut course = Course {
            throws: Vec::new(),
            puck: start,
        };
        let mut next = Next::default();
        for (index, (seq, body)) in round.play.iter().enumerate() {
            match body {
                Body::Irregularity(irregularity) => {
                    next.decision_only |= COME_ONLY.contains(&&*irregularity.kind);
                    if is_settled(round, course.throws.last(), *seq) {
                        course.move_puck(game);
                    }
                    let later = &round.play[index + 1..];
                    course.no_roll(round, (*seq, irregularity), later, &mut next);
                }
                Body::Decision(decision) => {
                    course.move_puck(game);
                    course.decision(decision, &mut next);
                }
                Body::DiceRolled(rolled) => {
                    course.move_puck(game);
                    course.throw(game, round, (*seq, rolled), std::mem::take(&mut next));
                }
                _ => {}
            }
        }
        course.move_puck(game);
        course
    }

    /// The roll that a moment of the play comes before.
    pub(super) fn roll_at(round: &RoundFold, after_play: usize) -> usize {
        let played = round.play.iter().take(after_play);
        played
            .filter(|(_, body)| matches!(body, Body::DiceRolled(_)))
            .count()
    }

    /// `play` of the document, with what was on the table before.
    pub(super) fn document(&self, start: &Puck, reading: &mut Reading) -> Play {
        let throws = self.throws.iter().enumerate();
        let roll = |(at, throw): (usize, &Throw<'_>)| {
            let is_roll = total(throw.dice).is_some() || throw.no_roll.is_none();
            let dice = is_roll.then(|| json!(throw.dice));
            let seat = throw.shooter.map(|seat| json!(seat));
            Roll {
                dice: dice.and_then(|dice| reading.of(format_args!("rolls[{at}].dice"), &dice)),
                no_roll: throw.no_roll,
                new_shooter: throw.new_shooter,
                decision_only: throw.decision_only,
                shooter: seat
                    .and_then(|seat| reading.of(format_args!("rolls[{at}].shooter"), &seat)),
            }
        };
        Play {
            start: Start {
                point: start.point.map(i64::from),
                fresh_shooter: start.comeouts == 0,
            },
            rolls: throws.map(roll).collect(),
        }
    }

    /// Rolls on which the bets of a seat were called on: from the call until a point is set.
    pub(super) fn working(&self, seat: u32, placed: usize) -> Vec<usize> {
        let throws = self.throws.iter().enumerate().skip(placed);
        let on = throws.filter(|(_, throw)| throw.point.is_none() && throw.on.contains(&seat));
        on.map(|(index, _)| index).collect()
    }

    /// Valid rolls from one on.
    pub(super) fn valid_from(&self, roll: usize) -> impl Iterator<Item = (usize, u8, &Throw<'a>)> {
        let throws = self.throws.iter().enumerate().skip(roll);
        throws.filter_map(|(index, throw)| throw.total.map(|total| (index, total, throw)))
    }

    /// After the last roll, where all that is known for sure begins with a 7: whether it was a loser 7
    /// is not, and it is taken for one, so that nobody is held to a shooter or a come-out before it.
    pub(super) fn puck_since(&self, seven: usize) -> Puck {
        let after = self.valid_from(seven + 1);
        let comeouts = after.filter(|(_, _, throw)| throw.point.is_none() && !throw.come_only);
        Puck {
            comeouts: u32::try_from(comeouts.count()).unwrap_or(u32::MAX),
            shooter: None,
            sevened_out: None,
            ..self.puck.clone()
        }
    }

    /// Points that were made from a roll on.
    pub(super) fn points_made(&self, roll: usize) -> impl Iterator<Item = (usize, u8)> {
        let made = self.valid_from(roll);
        let made = made.filter(|(_, total, throw)| throw.point == Some(*total));
        made.map(|(index, total, _)| (index, total))
    }

    /// The call may come before or after the roll that it calls off.
    fn no_roll(
        &mut self,
        round: &RoundFold,
        (seq, call): (u64, &Irregularity),
        later: &[(u64, Body)],
        next: &mut Next,
    ) {
        let Some(reason) = no_roll_reason(call).and_then(word) else {
            return;
        };
        let follows = later.iter().find_map(|(_, body)| match body {
            Body::DiceRolled(rolled) => Some(rolled),
            _ => None,
        });
        // Until the next roll is there, bets made before the call tell that the last one was over.
        let is_over = |last: &Throw<'_>| {
            let mut made = round.wagers.iter().filter_map(|bet| bet.evidence.first());
            made.any(|made| (last.seq..seq).contains(made))
        };
        match self.throws.last_mut() {
            Some(last) if last.no_roll == Some(UNSAID) && !last.has_moved => {
                last.no_roll = Some(reason);
            }
            // A device may have read dice that the house then called off.
            Some(last)
                if last.no_roll.is_none()
                    && !last.has_moved
                    && follows.map_or(!is_over(last), |rolled| rolled.valid)
                    && order::calls_off(&call.ruling) =>
            {
                last.no_roll = Some(reason);
                last.total = None;
            }
            _ => next.no_roll = Some(reason),
        }
        let unfounded = |last: &&mut Throw<'_>| last.no_roll == Some(NoRoll::HitChips);
        if let Some(last) = self.throws.last_mut().filter(unfounded) {
            last.total = total(last.dice);
        }
    }

    fn decision(&mut self, decision: &Decision, next: &mut Next) {
        let word = decision.action.as_str();
        let seat = decision.seat;
        next.decision_only |= COME_ONLY.contains(&word);
        if TAKES.contains(&word) || THROWS.contains(&word) {
            let changed = match self.puck.shooter {
                Some(shooter) => shooter != seat,
                None => TAKES.contains(&word),
            };
            next.new_shooter |= changed;
            next.shooter = Some(seat);
        } else if GIVES.contains(&word) && self.puck.shooter == Some(seat) {
            next.new_shooter = true;
            next.gave_up = true;
        } else if ON.contains(&word) || OFF.contains(&word) {
            match ON.contains(&word) {
                true => self.puck.on.insert(seat),
                false => self.puck.on.remove(&seat),
            };
        }
    }

    fn throw(
        &mut self,
        game: &Craps,
        round: &'a RoundFold,
        (seq, rolled): (u64, &'a DiceRolled),
        next: Next,
    ) {
        let no_roll = match rolled.valid {
            true => None,
            false => Some(next.no_roll.unwrap_or(UNSAID)),
        };
        let counts = no_roll.is_none_or(|reason| reason == NoRoll::HitChips);
        let shooter = match next.shooter {
            None if next.gave_up => None,
            None => self.puck.shooter,
            named => named,
        };
        // After a loser 7 the dice change hands by themselves.
        let new_shooter = next.new_shooter && self.puck.comeouts > 0;
        if next.new_shooter {
            self.puck.comeouts = 0;
        }
        let may_be = next.decision_only || self.puck.for_come_bets;
        let has_line_bet = may_be && self.has_line_bet(round);
        // It need not be said again while there are come bets to decide. s.11(b)
        let goes_on = || self.puck.for_come_bets && !has_line_bet && self.has_come_bet(game, round);
        let decision_only = self.puck.point.is_none() && (next.decision_only || goes_on());
        let come_only = decision_only && !has_line_bet;
        self.puck.for_come_bets = come_only;
        self.puck.shooter = shooter;
        self.throws.push(Throw {
            seq,
            dice: &rolled.dice,
            total: total(&rolled.dice).filter(|_| counts),
            no_roll,
            point: self.puck.point,
            decision_only,
            come_only,
            shooter,
            new_shooter,
            on: self.puck.on.clone(),
            has_moved: false,
        });
    }

    /// Moves the puck by the last roll, when all that is said of it was heard.
    fn move_puck(&mut self, game: &Craps) {
        let Some(last) = self.throws.last_mut() else {
            return;
        };
        if std::mem::replace(&mut last.has_moved, true) || last.come_only {
            return;
        }
        let Some(total) = last.total else { return };
        self.puck.sevened_out = None;
        match last.point {
            None => {
                self.puck.comeouts += 1;
                self.puck.point = game.is_point(total).then_some(total);
                if self.puck.point.is_some() {
                    self.puck.on.clear();
                }
            }
            Some(point) if point == total => self.puck.point = None,
            Some(_) if total == SEVEN => {
                (self.puck.point, self.puck.comeouts) = (None, 0);
                self.puck.sevened_out = self.puck.shooter.take();
            }
            Some(_) => {}
        }
    }

    /// A come bet that has its number and waits for it.
    fn has_come_bet(&self, game: &Craps, round: &RoundFold) -> bool {
        let waits = |wager: &&WagerFold| {
            let first = placed(round, wager);
            let number = game.number(self, first, wager);
            let is_number = number.is_some_and(|number| game.is_point(number));
            // The first roll of a bet that was made here gave it the number.
            let after = self.valid_from(first.unwrap_or_default());
            let mut after = after.skip(usize::from(first.is_some()));
            let is_decided = after.any(|(_, total, _)| total == SEVEN || Some(total) == number);
            // One that was made with no point on is void.
            let throw = first.map(|roll| self.throws.get(roll));
            let is_lawful = throw.is_none_or(|throw| throw.is_some_and(|it| it.point.is_some()));
            matches!(&*wager.kind, "come" | "dont_come")
                && may_stand(round, wager)
                && is_lawful
                && wager.stake().is_positive()
                && is_number
                && !is_decided
        };
        round.wagers.iter().any(|wager| waits(&wager))
    }

    /// A line bet that is up while the puck is off waits for its first roll.
    fn has_line_bet(&self, round: &RoundFold) -> bool {
        let now = self.throws.len();
        let is_up = |wager: &&WagerFold| {
            let placed = match wager.carried {
                true => 0,
                false => Course::roll_at(round, wager.after_play),
            };
            let lowered = wager.lowered.iter();
            let mut lowered = lowered.filter(|(at, _)| Course::roll_at(round, *at) <= now);
            matches!(&*wager.kind, "pass" | "dont_pass")
                && placed <= now
                && may_stand(round, wager)
                && lowered
                    .next_back()
                    .is_none_or(|(_, stake)| stake.is_positive())
                && self.valid_from(placed).all(|(_, _, throw)| throw.come_only)
        };
        round.wagers.iter().any(|wager| is_up(&wager))
    }
}

/// What was said of the next roll.
#[derive(Default)]
struct Next {
    no_roll: Option<NoRoll>,
    decision_only: bool,
    shooter: Option<u32>,
    new_shooter: bool,
    gave_up: bool,
}

/// Were bets paid or taken since a throw? What is called then is about the next one.
fn is_settled(round: &RoundFold, throw: Option<&Throw<'_>>, now: u64) -> bool {
    let since = throw.map_or(now, |throw| throw.seq)..now;
    let is_old = |wager: &WagerFold| wager.evidence.first() < Some(&since.start);
    let is_touched = |wager: &WagerFold| wager.evidence.iter().any(|seq| since.contains(seq));
    let mut wagers = round.wagers.iter();
    wagers.any(|wager| is_old(wager) && is_touched(wager))
}

fn total(dice: &[u8]) -> Option<u8> {
    match dice {
        [a @ 1..=6, b @ 1..=6] => Some(a + b),
        _ => None,
    }
}

/// Why a roll was called off: by the word itself, or by the reason in the detail of a plain no roll.
pub(super) fn no_roll_reason(call: &Irregularity) -> Option<&'static str> {
    let word = order::reason(call, "no_roll");
    Book::of("craps")?.irregularity(&word)
}
