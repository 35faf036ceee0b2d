//! The replay of the betting rounds: whose turn it was, what each action was worth, what goes back.

use super::forms::Form;
use super::incidents::{Ruling, Strike};
use super::opener::stud_opener;
use super::options::{MinRaise, Reopen, Structure};
use super::play::{Kind, Verbal, Wager};
use super::posts::Posted;
use super::pots::Refunds;
use super::room::{BetLimits, Move, Room, What, left_of};
use crate::floor::Cents;
use crate::refusal::Refusal;
use crate::settlement::Violations;

/// What the betting came to, by place.
pub(super) struct Betting {
    /// Chips in the pot, by betting round.
    pub(super) chips: Vec<Vec<Cents>>,
    pub(super) is_in: Vec<bool>,
    /// The betting round in which a hand left.
    pub(super) out_in: Vec<Option<usize>>,
    /// Why the chips of a hand that left go back, if they do.
    pub(super) refunded: Vec<Option<&'static str>>,
    /// How many were in when each betting round began.
    pub(super) players_at: Vec<usize>,
    /// Who bet or raised last in the final betting round.
    pub(super) last_bettor: Option<usize>,
}

impl Betting {
    pub(super) fn players_in(&self) -> usize {
        self.is_in.iter().filter(|&&is_in| is_in).count()
    }
}

pub(super) fn replay(
    room: &Room<'_>,
    ruling: &Ruling,
    posted: Posted,
    refunds: &mut Refunds,
    violations: &mut Violations,
) -> Result<Betting, Refusal> {
    let count = room.players.len();
    let rounds = room.facts.rounds;
    let mut betting = Betting {
        chips: vec![vec![Cents::ZERO; rounds]; count],
        is_in: room.players.iter().map(|player| player.dealt).collect(),
        out_in: vec![None; count],
        refunded: vec![None; count],
        players_at: Vec::with_capacity(rounds),
        last_bettor: None,
    };
    for (place, &chips) in posted.in_pot.iter().enumerate() {
        betting.chips[place][0] = chips;
    }
    for &(place, reason) in &ruling.kept_out {
        betting.is_in[place] = false;
        betting.out_in[place] = Some(0);
        betting.refunded[place] = Some(reason);
    }
    let mut left = posted.left;
    for (index, &limits) in room.limits.iter().enumerate() {
        betting.players_at.push(betting.players_in());
        let bet = match index {
            0 => posted.bet.clone(),
            _ => vec![Cents::ZERO; count],
        };
        let mut round = BettingRound {
            room,
            ruling,
            index,
            limits,
            level: bet.iter().copied().max().unwrap_or_default(),
            bet,
            last_increment: limits.min,
            raises: 0,
            acted: vec![false; count],
            excused: vec![false; count],
            checked: vec![false; count],
            answered: vec![None; count],
            opened: false,
            accepted: 0,
            last_wager_by: None,
            pointer: 0,
            is_opener_unseen: false,
            betting: &mut betting,
            left: &mut left,
            refunds: &mut *refunds,
            violations: &mut *violations,
        };
        round.play(posted.last_post)?;
    }
    Ok(betting)
}

struct BettingRound<'a, 'b> {
    room: &'a Room<'b>,
    ruling: &'a Ruling,
    index: usize,
    limits: BetLimits,
    /// What everybody has to match.
    level: Cents,
    bet: Vec<Cents>,
    last_increment: Cents,
    raises: i64,
    /// Has acted since the last increase. A blind or straddle is no action.
    acted: Vec<bool>,
    /// Checked or called short: asked no more until the next increase.
    excused: Vec<bool>,
    checked: Vec<bool>,
    /// The level that a player last checked, called, bet or raised to.
    answered: Vec<Option<Cents>>,
    /// Somebody has bet or raised.
    opened: bool,
    accepted: usize,
    /// The place whose wager was the last accepted action.
    last_wager_by: Option<usize>,
    /// The seat number from which the next player to act is looked for.
    pointer: u32,
    /// Who opens hangs on a card that nobody saw.
    is_opener_unseen: bool,
    betting: &'a mut Betting,
    left: &'a mut [Cents],
    refunds: &'a mut Refunds,
    violations: &'a mut Violations,
}

impl BettingRound<'_, '_> {
    fn play(&mut self, last_post: Option<usize>) -> Result<(), Refusal> {
        self.strike(|strike| strike.after == 0);
        if (0..self.bet.len()).any(|place| self.is_due(place)) {
            self.pointer = self.opens_at(last_post)?;
        }
        let room = self.room;
        for (at, action) in room.actions[self.index].iter().enumerate() {
            self.strike(|strike| strike.after == at && at > 0);
            self.act(at, action)?;
        }
        let recorded = room.actions[self.index].len().max(1);
        self.strike(|strike| strike.after >= recorded);
        let owed = self.expected().is_some();
        self.violations.add_if(owed, "round.incomplete");
        Ok(())
    }

    /// The seat number at which the search for the opener begins.
    fn opens_at(&mut self, last_post: Option<usize>) -> Result<u32, Refusal> {
        let room = self.room;
        if room.form.is_stud() {
            let opener = stud_opener(room, self.index, &self.betting.is_in)?;
            self.is_opener_unseen = opener.is_none();
            return Ok(opener.map_or(0, |place| u32::from(room.players[place].seat.number())));
        }
        let before = match last_post.filter(|_| self.index == 0) {
            Some(place) => Some(room.players[place].seat),
            None => room.play.button,
        };
        Ok(before.map_or(0, left_of))
    }

    /// Takes out the hands that an incident strikes now. The last player cannot lose his. 15(i)
    fn strike(&mut self, now: impl Fn(&Strike) -> bool) {
        let ruling = self.ruling;
        for strike in &ruling.strikes {
            let place = strike.place;
            if strike.round != self.index || !now(strike) {
                continue;
            }
            if !self.betting.is_in[place] || self.betting.players_in() < 2 {
                continue;
            }
            self.leave(place);
            self.betting.refunded[place] = strike.refunded.then_some("protected_hand");
            strike
                .code
                .iter()
                .for_each(|code| self.violations.add(code));
        }
    }

    fn leave(&mut self, place: usize) {
        self.betting.is_in[place] = false;
        self.betting.out_in[place] = Some(self.index);
    }

    fn can_act(&self, place: usize) -> bool {
        let stops_in = match self.room.form {
            Form::MamboStudHighLow6 => 1,
            _ => 4,
        };
        let stopped = self.index >= stops_in && self.ruling.stopped.contains(&place);
        self.betting.is_in[place] && self.left[place].is_positive() && !stopped
    }

    fn is_due(&self, place: usize) -> bool {
        if self.betting.players_in() < 2 || !self.can_act(place) || self.excused[place] {
            return false;
        }
        let able = (0..self.bet.len()).filter(|&place| self.can_act(place));
        self.bet[place] < self.level || !self.acted[place] && able.count() >= 2
    }

    /// The first due seat clockwise from the pointer.
    fn expected(&self) -> Option<usize> {
        let mut clockwise = self.room.clockwise_from(self.pointer);
        clockwise.find(|&place| self.is_due(place))
    }

    fn act(&mut self, at: usize, action: &Move<'_>) -> Result<(), Refusal> {
        let wager = match action.what {
            What::Wager(wager) => Some(wager),
            What::Fold(_) | What::Check => None,
        };
        let first = self.accepted == 0;
        if !first && wager.is_some_and(|wager| wager.kind == Kind::ForcedBet) {
            return Err(Refusal::at(
                format!("play.rounds[{}][{at}].id", self.index),
                "a forced bet is the first action of the round",
            ));
        }
        let place = self.room.place(action.seat);
        let Some(place) = place.filter(|&place| self.betting.is_in[place]) else {
            self.reject(wager, "action.not_in_hand", "not_in_play");
            return Ok(());
        };
        let expected = self.expected();
        let is_expected = expected == Some(place);
        if wager.is_some() && self.last_wager_by == Some(place) && !is_expected {
            self.reject(wager, "wager.string_bet", "string_bet");
            return Ok(());
        }
        if !self.is_due(place) {
            self.reject(wager, "action.not_due", "not_in_play");
            return Ok(());
        }
        match (is_expected, first) {
            (true, _) => {}
            // Whoever acts first is taken for the one whose cards nobody saw.
            (false, true) if self.is_opener_unseen => {}
            (false, true) => self.violations.add("action.wrong_opener"),
            (false, false) => self.violations.add("action.out_of_turn"),
        }
        if is_expected || first {
            self.pointer = left_of(action.seat);
        }
        let forced_bet_due = first && self.index == 0 && self.room.form.is_stud();
        self.accepted += 1;
        self.last_wager_by = wager.map(|_| place);
        self.acted[place] = true;
        match action.what {
            What::Fold(verbal) => {
                let unpaid = verbal.is_some() || forced_bet_due;
                self.violations.add_if(unpaid, "wager.obligation_unpaid");
                self.leave(place);
            }
            What::Check => self.check(place, forced_bet_due),
            What::Wager(wager) => self.wager(place, wager, forced_bet_due),
        }
        Ok(())
    }

    fn reject(&mut self, wager: Option<&Wager>, code: &'static str, reason: &'static str) {
        self.violations.add(code);
        if let Some(wager) = wager {
            self.refunds.give(wager.seat, reason, wager.amount);
        }
    }

    fn check(&mut self, place: usize, forced_bet_due: bool) {
        if forced_bet_due {
            self.violations.add("forced_bet.missing");
        } else if self.bet[place] < self.level {
            self.violations.add("action.check_facing_bet");
        } else if self.room.form == Form::FiveCardStudHigh {
            self.violations.add("action.check_not_offered");
        }
        self.excused[place] = self.bet[place] < self.level;
        self.checked[place] = true;
        self.answered[place] = Some(self.level);
    }

    fn wager(&mut self, place: usize, wager: &Wager, forced_bet_due: bool) {
        let stack = self.left[place];
        let differs = wager.announced.is_some_and(|said| said != wager.amount);
        self.violations
            .add_if(differs && wager.amount < stack, "wager.announced_mismatch");
        let mut amount = wager.amount.min(stack);
        self.violations
            .add_if(amount < wager.amount, "wager.over_table_stakes");
        self.refunds
            .give(wager.seat, "table_stakes", wager.amount - amount);

        if wager.kind == Kind::ForcedBet {
            let posted = self.room.options.forced_bet.unwrap_or_default();
            self.violations
                .add_if(amount != posted.min(stack), "forced_bet.amount");
            self.put_in(place, amount);
            self.level = self.level.max(self.bet[place]);
            return;
        }
        self.violations.add_if(forced_bet_due, "forced_bet.missing");

        // 7(i): one large chip without the word is a call, and so is what lies above a call.
        let to_call = self.level - self.bet[place];
        let large_chip = wager.single_chip
            && wager.verbal != Some(Verbal::Raise)
            && to_call.is_positive()
            && amount > to_call;
        let is_call = wager.kind == Kind::Call || large_chip;
        if is_call && amount > to_call {
            match (large_chip, wager.kind) {
                (true, Kind::Call) => {}
                (true, _) => self.violations.add("wager.single_chip_call"),
                (false, _) => self.violations.add("wager.overcall"),
            }
            self.refunds.give(wager.seat, "change", amount - to_call);
            amount = to_call;
        }
        let increment = self.bet[place] + amount - self.level;
        if is_call || !increment.is_positive() {
            self.call(place, amount, is_call);
        } else {
            self.bet_or_raise(place, amount, increment);
        }
    }

    fn call(&mut self, place: usize, amount: Cents, is_call: bool) {
        let all_in = amount == self.left[place];
        self.violations
            .add_if(!is_call && !all_in, "wager.under_min");
        let short = self.bet[place] + amount < self.level;
        if short && !all_in {
            self.violations.add_if(is_call, "wager.short_call");
            self.excused[place] = true;
        }
        self.put_in(place, amount);
        self.answered[place] = Some(self.level);
    }

    fn bet_or_raise(&mut self, place: usize, amount: Cents, increment: Cents) {
        let BetLimits { min, max } = self.limits;
        let options = self.room.options;
        let is_raise = self.level.is_positive();
        let min_increment = match options.min_raise {
            MinRaise::PreviousIncrement if is_raise => min.max(self.last_increment),
            MinRaise::PreviousIncrement | MinRaise::PostedMin => min,
        };
        let max_increment = match options.betting {
            Structure::Limit => max,
            Structure::NoLimit => None,
            Structure::PotLimit => {
                let in_pot: Cents = self.betting.chips.iter().flatten().copied().sum();
                let to_call = self.level - self.bet[place];
                Some(min_increment.max(in_pot + to_call))
            }
        };
        if is_raise {
            self.flag_raise(place);
        }
        // A raise over a small forced bet or blind may stop at the posted minimum.
        let completes = self.index == 0
            && !self.opened
            && is_raise
            && self.level < min
            && min <= self.level + increment;
        let all_in = amount == self.left[place];
        self.violations.add_if(
            increment < min_increment && !all_in && !completes,
            "wager.under_min",
        );
        self.violations.add_if(
            max_increment.is_some_and(|max| increment > max),
            "wager.over_max",
        );
        if increment >= min_increment {
            self.last_increment = increment;
        }
        self.put_in(place, amount);
        self.level += increment;
        self.opened = true;
        self.answered[place] = Some(self.level);
        self.acted.fill(false);
        self.acted[place] = true;
        self.excused.fill(false);
        if self.index + 1 == self.room.facts.rounds {
            self.betting.last_bettor = Some(place);
        }
    }

    /// The posted rules about raises. 7(j), 17
    fn flag_raise(&mut self, place: usize) {
        let options = self.room.options;
        self.raises += 1;
        let over_cap = options.max_raises.is_some_and(|most| self.raises > most);
        self.violations.add_if(over_cap, "wager.raise_cap");
        let check_raise = self.checked[place] && !options.check_raise;
        self.violations.add_if(check_raise, "wager.check_raise");
        if let Some(answered) = self.answered[place] {
            let grown = self.level - answered;
            let closed = match options.reopen {
                Reopen::Any => false,
                Reopen::Full => grown < self.last_increment,
                Reopen::Half => grown + grown < self.last_increment,
            };
            self.violations.add_if(closed, "wager.not_reopened");
        }
    }

    fn put_in(&mut self, place: usize, amount: Cents) {
        self.left[place] -= amount;
        self.bet[place] += amount;
        self.betting.chips[place][self.index] += amount;
    }
}
