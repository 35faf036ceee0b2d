//! A craps table: the bets, the point, and what each roll does to them.

use std::collections::BTreeMap;

use super::bet::{Bet, Status};
use super::booking;
use super::decide::{self, Effect, Price, Throw};
use super::document::{ComeOdds, Options, Play, Roll, Variant};
use super::flags;
use super::pay::{self, Ending};
use super::rules::{PostedOdds, Rules};
use super::totals::Total;
use crate::refusal::Refusal;
use crate::settlement::{Outcome, Settled, Verdict, Violations};

#[derive(Debug)]
pub(super) struct Table<'a> {
    pub(super) rules: &'a Rules,
    pub(super) options: &'a Options,
    pub(super) odds: PostedOdds<'a>,
    /// In the order of the document.
    pub(super) bets: Vec<Bet<'a>>,
    pub(super) point: Option<Total>,
    /// Come-out rolls of the present shooter.
    pub(super) comeouts: u32,
    pub(super) violations: Violations,
}

impl<'a> Table<'a> {
    pub(super) fn is_mini_craps(&self) -> bool {
        self.options.variant == Variant::MiniCraps
    }

    /// Plays all rolls of a document.
    pub(super) fn play(mut self, play: &Play) -> Result<Outcome, Refusal> {
        self.put_up(-1);
        for (index, roll) in play.rolls.iter().enumerate() {
            if roll.new_shooter {
                self.comeouts = 0;
            }
            self.take_bets(index);
            let come_only = roll.decision_only && !self.has_line_bet();
            flags::throw(&mut self, roll, come_only);
            if !roll.is_no_roll() {
                let throw = self.read_throw(index, roll, come_only)?;
                self.decide(&throw);
                if !come_only {
                    self.move_puck(&throw);
                }
            }
        }
        self.take_bets(play.rolls.len());
        Ok(self.close())
    }

    /// Bets go up, change and come down before a roll, or after the last one.
    fn take_bets(&mut self, roll: usize) {
        self.put_up(roll as i64);
        let lowered = self.apply_changes(roll);
        self.judge_stakes(roll as i64, &lowered);
        flags::odds_limits(self, roll as i64, &lowered);
    }

    /// A stake is judged as the bet stands with it: when it goes up, and again when it was lowered.
    fn judge_stakes(&mut self, roll: i64, lowered: &[usize]) {
        for (index, bet) in self.bets.iter().enumerate() {
            let is_new = bet.wager.placed == roll || lowered.contains(&index);
            if is_new && bet.is_live() {
                let (rules, options, odds) = (self.rules, self.options, self.odds);
                booking::flag_stake(rules, options, odds, bet, &mut self.violations);
            }
        }
    }

    /// Flat bets first: odds may go up together with a put bet, or a pass bet made on the point.
    fn put_up(&mut self, placed: i64) {
        for odds in [false, true] {
            for index in 0..self.bets.len() {
                let bet = &self.bets[index];
                if bet.wager.placed == placed && bet.kind().supports().is_some() == odds {
                    self.put_up_one(index);
                }
            }
        }
    }

    fn put_up_one(&mut self, index: usize) {
        let bet = &self.bets[index];
        if let Some(code) = booking::void_code(self, bet) {
            self.violations.add(code);
            self.bets[index].status = Status::Over(Settled::void(self.bets[index].wager));
            return;
        }
        let point = self.point;
        let bet = &mut self.bets[index];
        bet.status = Status::Live;
        if bet.kind().is_line() {
            bet.number = point;
        }
    }

    /// Lowers stakes and takes bets down; gives the bets that were lowered.
    fn apply_changes(&mut self, roll: usize) -> Vec<usize> {
        let mut lowered = Vec::new();
        for index in 0..self.bets.len() {
            let bet = &self.bets[index];
            if !bet.is_live() {
                continue;
            }
            let Some(stake) = bet.changes_before(roll).last().map(|change| change.to) else {
                continue;
            };
            if let Some(code) = bet.frozen() {
                self.violations.add(code);
                continue;
            }
            self.bets[index].stake = stake;
            if stake.is_positive() {
                lowered.push(index);
            } else {
                self.take_down(index);
            }
        }
        lowered
    }

    /// A supplemental bet cannot stand alone: it comes down with its flat bet.
    fn take_down(&mut self, index: usize) {
        self.end(index, Ending::TakenDown);
        for odds in 0..self.bets.len() {
            if self.bets[odds].is_live() && self.bets[odds].parent == Some(index) {
                self.end(odds, Ending::TakenDown);
            }
        }
    }

    fn has_line_bet(&self) -> bool {
        self.bets
            .iter()
            .any(|bet| bet.is_live() && bet.kind().is_line())
    }

    fn read_throw(&self, index: usize, roll: &Roll, come_only: bool) -> Result<Throw, Refusal> {
        let refuse = |key: &str, what: &str| Refusal::at(format!("play.rolls[{index}]{key}"), what);
        if come_only && self.point.is_some() {
            let what = "a come-only roll is thrown with the puck off, and a point is on";
            return Err(refuse(".decision_only", what));
        }
        let dice = roll
            .dice
            .ok_or_else(|| refuse("", "a valid roll needs its dice"))?;
        Ok(Throw {
            index,
            dice,
            total: Total::of(dice),
            point: self.point,
        })
    }

    fn decide(&mut self, throw: &Throw) {
        let mut decided = BTreeMap::new();
        for index in 0..self.bets.len() {
            let bet = &mut self.bets[index];
            if !bet.is_live() {
                continue;
            }
            bet.rolled = true;
            match decide::effect(self.rules, self.odds, bet, throw) {
                Effect::Nothing => {}
                Effect::Travels(number) => {
                    (bet.number, bet.original) = (Some(number), bet.stake);
                }
                Effect::Makes(point) => bet.made = bet.made.with(point),
                Effect::Wins(price) => {
                    decided.insert(index, true);
                    self.end(index, Ending::Won(price));
                }
                Effect::Loses => {
                    decided.insert(index, false);
                    self.end(index, Ending::Lost);
                }
                Effect::Barred(verdict) => self.end(index, Ending::HandedBack(verdict)),
            }
        }
        for index in 0..self.bets.len() {
            let bet = &self.bets[index];
            let Some(parent) = bet.parent.filter(|_| bet.is_live()) else {
                continue;
            };
            if let Some(&won) = decided.get(&parent) {
                let ending = self.odds_ending(bet, parent, won, throw);
                self.end(index, ending);
            }
        }
    }

    /// Odds go with their flat bet, but come and put odds that are off on a come-out go back.
    fn odds_ending(&self, bet: &Bet<'_>, parent: usize, won: bool, throw: &Throw) -> Ending {
        let can_be_off = self.rules.off_on_come_out.contains(&bet.kind())
            && self.options.come_odds_on_comeout == ComeOdds::Off;
        if throw.is_come_out() && can_be_off && !bet.wager.working.on(throw.index) {
            return Ending::HandedBack(Verdict::Push);
        }
        match self.bets[parent].number {
            Some(number) if won => {
                Ending::Won(Price::whole(self.rules.true_odds(bet.kind(), number)))
            }
            _ => Ending::Lost,
        }
    }

    fn move_puck(&mut self, throw: &Throw) {
        match self.point {
            None => {
                self.comeouts = self.comeouts.saturating_add(1);
                let is_point = self.rules.come_out.points.contains(throw.total);
                self.point = is_point.then_some(throw.total);
            }
            Some(point) if point == throw.total => self.point = None,
            // A loser 7: the next roll has a new shooter.
            Some(_) if throw.total == Total::SEVEN => (self.point, self.comeouts) = (None, 0),
            Some(_) => {}
        }
    }

    fn end(&mut self, index: usize, ending: Ending) {
        let bet = &self.bets[index];
        let settled = pay::settle(self.rules, self.options, bet, ending);
        self.bets[index].status = Status::Over(settled);
    }

    fn close(self) -> Outcome {
        let (rules, options) = (self.rules, self.options);
        let settled = |bet: Bet<'a>| match bet.status {
            Status::Over(settled) => settled,
            Status::Waiting | Status::Live => pay::settle(rules, options, &bet, Ending::Open),
        };
        let settled = self.bets.into_iter().map(settled).collect();
        Outcome::of_wagers(settled, self.violations)
    }
}
