//! Craps, mini-craps and crapless craps on the floor.
//!
//! A round is one roll, a few of them, or a whole hand of the dice, as the table has it; bets that it
//! does not decide stay up for the next one.

mod fate;
mod misplay;
mod options;
mod players;
mod tamper;

use std::collections::BTreeSet;

use catwalk_events::Json;
use catwalk_events::body::{BettingClosed, Body, Decision, DiceRolled, Irregularity};
use catwalk_rules::book::Book;
use catwalk_rules::floor::Cents;
use catwalk_rules::{Edition, Settlement, Verdict};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};

use super::bias::Bias;
use super::dice::new_dice;
use super::{Dealt, GameSim};
use crate::fault::FaultKind;
use fate::{Fate, Live, Throw};

/// No round is longer than this.
const MAX_ROLLS: usize = 24;

/// A table of the family and what stands on it.
#[derive(Debug, Default)]
pub(super) struct Craps {
    crapless: bool,
    mini: bool,
    ohio: bool,
    rounds: Rounds,
    /// No more bets is called before each roll; elsewhere the roll is the cut-off.
    calls: bool,
    /// The feed tells who throws.
    names_shooter: bool,
    odds_multiple: i64,
    /// No limit of odds is posted, and the text has none.
    unlimited_odds: bool,
    /// Numbers whose vigorish comes out of the win.
    buy_on_win: Vec<u8>,
    lay_on_win: bool,
    not_offered: Vec<&'static str>,
    /// The layout has no area for horn high bets: they are booked as their parts.
    splits_horn_high: bool,
    tournament: bool,
    /// Seats that have joined it.
    participants: BTreeSet<u32>,
    /// Who calls a no roll.
    callers: Vec<&'static str>,
    ready: bool,
    dice_sets: u32,
    bets: u64,
    point: Option<u8>,
    comeouts: u32,
    shooter: Option<u32>,
    last_shooter: u32,
    live: Vec<Live>,
    /// Seats whose bets are called on for this come-out.
    on: BTreeSet<u32>,
    /// The rolls of the last round, for what may be done wrong in them.
    marks: Vec<Mark>,
    /// How the bets of the last round ended, in the order of the document.
    ended: Vec<Verdict>,
    bias: Bias,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Rounds {
    #[default]
    Rolls,
    Some,
    Hands,
}

/// A roll of the round: where it stands in the play.
#[derive(Debug)]
struct Mark {
    /// Bets before the roll come after so many events.
    bets_at: usize,
    dice_at: usize,
    point: Option<u8>,
    comeouts: u32,
    total: Option<u8>,
    /// Bets that were up: their places in the document.
    up: Vec<usize>,
}

impl Craps {
    pub(super) fn new(crapless: bool) -> Craps {
        Craps {
            crapless,
            ..Craps::default()
        }
    }

    fn text(&self) -> (&'static str, Edition) {
        match (self.crapless, self.ohio) {
            (true, _) => ("crapless_craps", Edition::OhJack2017),
            (false, true) => ("craps", Edition::OhJack2017),
            (false, false) => ("craps", Edition::Mgc2017),
        }
    }

    fn points(&self) -> Vec<u8> {
        let (game, edition) = self.text();
        let points = Book::of(game).and_then(|book| book.figure(edition, "points"));
        let points = points.and_then(Value::as_array).into_iter().flatten();
        let point = |point: &Value| u8::try_from(point.as_u64()?).ok();
        points.filter_map(point).collect()
    }

    fn has(&self, kind: &str) -> bool {
        let (game, edition) = self.text();
        let mut wagers = Book::of(game).into_iter().flat_map(|book| book.wagers());
        let of_text = wagers.any(|wager| wager.kind == kind && wager.editions.holds(edition));
        let is_split = self.splits_horn_high && kind == "horn_high";
        let is_offered = !self.not_offered.contains(&kind) && !is_split;
        of_text && is_offered && !(self.mini && kind == "fire")
    }
}

impl GameSim for Craps {
    fn sign(&self) -> &'static str {
        match self.crapless {
            true => "CL",
            false => "CR",
        }
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        self.post(rng)
    }

    fn prepare(&mut self, _: &mut ChaCha8Rng) -> Vec<Body> {
        if std::mem::replace(&mut self.ready, true) {
            return Vec::new();
        }
        self.dice_sets += 1;
        new_dice(self.dice_sets, 5).into()
    }

    fn closes_at_night(&self) -> bool {
        false
    }

    fn renew(&mut self) {
        self.ready = false;
    }

    fn announces(&self) -> bool {
        false
    }

    fn favour(&mut self, kind: FaultKind, per_mille: u32) -> bool {
        let is_meant = kind == FaultKind::LoadedDice;
        if is_meant {
            self.bias = Bias::of(per_mille);
        }
        is_meant
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let start = json!({"point": self.point, "fresh_shooter": self.comeouts == 0});
        let mut hand = Hand::default();
        for live in &mut self.live {
            live.index = hand.dealt.wagers.len();
            live.born = None;
            hand.dealt.carried.push(live.index);
            hand.dealt.wagers.push(live.carried());
            hand.on_table(live, |kind, number| {
                prepaid(&self.buy_on_win, self.lay_on_win, kind, number)
            });
        }
        self.marks.clear();
        let length = match self.rounds {
            Rounds::Rolls => 1,
            Rounds::Some => rng.random_range(1..=4),
            Rounds::Hands => MAX_ROLLS,
        };
        while hand.rolls.len() < length {
            let had_point = self.point.is_some();
            self.roll(seats, &mut hand, rng);
            let sevened_out = had_point && self.shooter.is_none();
            if self.rounds == Rounds::Hands && sevened_out {
                break;
            }
        }
        hand.note_calls();
        hand.dealt.play = json!({"start": start, "rolls": hand.rolls});
        hand.dealt
    }

    fn misplay(&mut self, dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        misplay::misplay(self, dealt, rng)
    }

    fn cheat(
        &mut self,
        kind: FaultKind,
        dealt: &mut Dealt,
        _: &mut Vec<Body>,
        rng: &mut ChaCha8Rng,
    ) -> Option<(Cents, Vec<&'static str>)> {
        tamper::tamper(self, kind, dealt, rng)
    }

    /// The rules and the dealer agree on what is still up.
    fn settled(&mut self, dealt: &Dealt, settlement: &Settlement) -> Vec<Body> {
        let wagers = settlement.wagers().iter();
        self.ended = wagers.map(|settled| settled.result).collect();
        self.live.retain(|live| {
            let due = settlement.wagers().iter();
            let mut due = due.zip(&dealt.wagers);
            due.any(|(due, wager)| wager["id"] == live.id && due.result == Verdict::Open)
        });
        Vec::new()
    }
}

/// A round as it comes about.
#[derive(Debug, Default)]
struct Hand {
    dealt: Dealt,
    rolls: Vec<Value>,
    /// Seats whose bets were on, roll by roll.
    on: Vec<BTreeSet<u32>>,
}

impl Hand {
    /// Notes a bet whose vigorish is paid when it is made.
    fn on_table(&mut self, live: &Live, prepaid: impl Fn(&str, Option<u8>) -> bool) {
        if prepaid(live.kind, live.number) {
            self.dealt.prepaid.push(live.index);
        }
    }

    /// Writes into the document on which rolls bets were called on.
    fn note_calls(&mut self) {
        for wager in &mut self.dealt.wagers {
            let kind = wager["kind"].as_str().unwrap_or_default();
            if !fate::can_be_off(kind) || wager.get("working").is_some() {
                continue;
            }
            let seat = wager["seat"]
                .as_u64()
                .and_then(|seat| u32::try_from(seat).ok());
            let first = usize::try_from(wager["placed"].as_i64().unwrap_or_default());
            let rolls = self.on.iter().enumerate().skip(first.unwrap_or_default());
            let working: Vec<usize> = rolls
                .filter(|(_, on)| seat.is_some_and(|seat| on.contains(&seat)))
                .map(|(roll, _)| roll)
                .collect();
            if !working.is_empty() {
                wager["working"] = json!(working);
            }
        }
    }
}

/// Is the vigorish of a number paid when the bet is made?
fn prepaid(buy_on_win: &[u8], lay_on_win: bool, kind: &str, number: Option<u8>) -> bool {
    match kind {
        "buy" => number.is_some_and(|number| !buy_on_win.contains(&number)),
        "lay" => !lay_on_win,
        _ => false,
    }
}

impl Craps {
    /// One throw, from the bets before it to what it decides.
    fn roll(&mut self, seats: &[u32], hand: &mut Hand, rng: &mut ChaCha8Rng) {
        let roll = hand.rolls.len();
        let bets_at = hand.dealt.events.len();
        let mut entry = Map::new();
        let changed = self.pass_the_dice(seats, hand, rng);
        if changed {
            entry.insert("new_shooter".into(), json!(true));
        }
        let come_only = self.is_come_only(rng);
        if come_only {
            let seat = self.shooter.unwrap_or(self.last_shooter);
            hand.dealt.events.push(said(seat, "decision_only"));
            entry.insert("decision_only".into(), json!(true));
        }
        self.bet(seats, hand, come_only, rng);
        self.call_on(seats, hand, rng);
        if self.calls {
            let window = Some(format!("roll-{}", roll + 1));
            hand.dealt.events.push(BettingClosed { window }.into());
            self.bet_in_the_air(seats, hand, rng);
        }
        if let Some(shooter) = self.shooter.filter(|_| self.names_shooter) {
            entry.insert("shooter".into(), json!(shooter));
        }
        let on = if self.point.is_none() {
            self.on.clone()
        } else {
            BTreeSet::new()
        };
        hand.on.push(on);
        let dice = [self.bias.die(rng), self.bias.die(rng)];
        let no_roll = (rng.random_range(0..40) == 0).then(|| {
            let reasons = [
                "off_table",
                "stacked",
                "in_cup",
                "short",
                "not_simultaneous",
            ];
            *reasons.choose(rng).unwrap_or(&"off_table")
        });
        let mut mark = Mark {
            bets_at,
            dice_at: hand.dealt.events.len(),
            point: self.point,
            comeouts: self.comeouts,
            total: None,
            up: self.live.iter().map(|live| live.index).collect(),
        };
        let rolled = DiceRolled {
            dice: dice.to_vec(),
            valid: no_roll.is_none(),
            serials: None,
        };
        entry.insert("dice".into(), json!(dice));
        hand.dealt.events.push(rolled.into());
        if let Some(reason) = no_roll {
            let caller = self.callers.choose(rng);
            let detail = caller.map(|caller| Json::new(&json!({ "caller": caller })));
            let called = Irregularity {
                kind: reason.to_owned(),
                detail,
                ruling: "no roll".to_owned(),
            };
            hand.dealt.events.push(called.into());
            entry.insert("no_roll".into(), json!(reason));
        } else {
            let throw = Throw::new(dice, self.point);
            mark.total = Some(throw.total);
            self.decide(&throw, hand);
            if !come_only {
                self.move_puck(&throw);
            }
        }
        self.marks.push(mark);
        hand.rolls.push(Value::Object(entry));
        for live in &mut self.live {
            live.rolled |= no_roll.is_none();
        }
    }

    /// The dice go on after a loser 7, and when their shooter has left; true if a feed that names
    /// shooters shows that they changed hands on the way.
    fn pass_the_dice(&mut self, seats: &[u32], hand: &mut Hand, rng: &mut ChaCha8Rng) -> bool {
        let stays = self.shooter.is_some_and(|shooter| seats.contains(&shooter));
        let gives_up = stays && rng.random_range(0..40) == 0 && seats.len() > 1;
        if self.shooter.is_some() && (self.point.is_some() || stays) && !gives_up {
            return false;
        }
        let after = seats.iter().find(|&&seat| seat > self.last_shooter);
        let Some(&next) = after.or(seats.first()) else {
            return false;
        };
        let changed = self.shooter.is_some() && self.shooter != Some(next);
        self.shooter = Some(next);
        self.last_shooter = next;
        if !self.names_shooter {
            return false;
        }
        hand.dealt.events.push(said(next, "accept_dice"));
        let changed = changed && self.comeouts > 0;
        if changed {
            self.comeouts = 0;
        }
        changed
    }

    /// After a made point nobody makes a line bet, and come bets are still up.
    fn is_come_only(&self, rng: &mut ChaCha8Rng) -> bool {
        let has = |kinds: &[&str]| self.live.iter().any(|live| kinds.contains(&live.kind));
        self.point.is_none()
            && has(&["come", "dont_come"])
            && !has(&["pass", "dont_pass"])
            && rng.random_range(0..4) == 0
    }

    fn decide(&mut self, throw: &Throw, hand: &mut Hand) {
        let after = hand.dealt.events.len();
        let fates: Vec<Fate> = self
            .live
            .iter()
            .map(|live| live.fate(throw, self.crapless, self.on.contains(&live.seat)))
            .collect();
        let over: Vec<String> = self
            .live
            .iter()
            .zip(&fates)
            .filter(|(_, fate)| **fate == Fate::Over)
            .map(|(live, _)| live.id.clone())
            .collect();
        let mut has_fourth_point = false;
        for (live, fate) in self.live.iter_mut().zip(fates) {
            match fate {
                Fate::Travels(number) => {
                    (live.point, live.original) = (Some(number), live.stake);
                }
                Fate::Made(point) if !live.made.contains(&point) => {
                    live.made.push(point);
                    has_fourth_point |= live.made.len() == 4;
                }
                _ => {}
            }
        }
        let is_over = |live: &Live| {
            over.contains(&live.id) || live.on.as_ref().is_some_and(|on| over.contains(on))
        };
        for live in self.live.iter().filter(|live| is_over(live)) {
            hand.dealt.decided.push((live.index, after));
        }
        self.live.retain(|live| !is_over(live));
        if has_fourth_point && !self.ohio {
            hand.dealt.events.push(said(0, "call_surveillance"));
        }
    }

    fn move_puck(&mut self, throw: &Throw) {
        match self.point {
            None => {
                self.comeouts += 1;
                self.point = self.points().contains(&throw.total).then_some(throw.total);
                if self.point.is_some() {
                    self.on.clear();
                }
            }
            Some(point) if point == throw.total => self.point = None,
            Some(_) if throw.total == 7 => {
                (self.point, self.comeouts, self.shooter) = (None, 0, None);
            }
            Some(_) => {}
        }
    }
}

fn said(seat: u32, action: &str) -> Body {
    Decision {
        seat,
        hand: None,
        action: action.to_owned(),
        amount: None,
    }
    .into()
}
