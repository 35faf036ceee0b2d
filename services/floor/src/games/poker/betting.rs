//! A betting round: who acts, and what he may do under the posted sign.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::sign::Sign;

/// A player in a hand.
#[derive(Clone, Debug)]
pub(super) struct Player {
    pub(super) seat: u32,
    /// Chips not yet in the pot.
    pub(super) left: i64,
    pub(super) put_in: i64,
    pub(super) is_in: bool,
    pub(super) bet: i64,
    /// What of it is no part of his bets.
    pub(super) dead: i64,
    /// Bets no more since his last card lay open. 15(k), 15(m)
    pub(super) is_stopped: bool,
    acted: bool,
    checked: bool,
    /// The bet that he called or raised to.
    answered: Option<i64>,
}

impl Player {
    pub(super) fn new(seat: u32, stack: i64) -> Player {
        Player {
            seat,
            left: stack,
            put_in: 0,
            is_in: true,
            bet: 0,
            dead: 0,
            is_stopped: false,
            acted: false,
            checked: false,
            answered: None,
        }
    }

    fn can_act(&self) -> bool {
        self.is_in && self.left > 0 && !self.is_stopped
    }

    /// Chips go into the pot.
    pub(super) fn put(&mut self, amount: i64) {
        self.left -= amount;
        self.put_in += amount;
    }
}

/// What a player does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Fold,
    Check,
    Wager(&'static str, i64),
}

/// One betting round.
pub(super) struct Betting<'a> {
    pub(super) players: &'a mut [Player],
    sign: &'a Sign,
    limits: (i64, Option<i64>),
    index: usize,
    level: i64,
    /// The level that the last full bet or raise made.
    base: i64,
    /// The last full bet or raise.
    last_increment: i64,
    raises: i64,
    /// No check is offered, as in five-card stud.
    no_check: bool,
    opened: bool,
    /// The place that acts next, if it must.
    pointer: usize,
    pub(super) last_bettor: Option<u32>,
}

impl<'a> Betting<'a> {
    pub(super) fn new(
        players: &'a mut [Player],
        sign: &'a Sign,
        limits: (i64, Option<i64>),
        index: usize,
        no_check: bool,
        (opener, level): (usize, i64),
    ) -> Betting<'a> {
        for player in players.iter_mut() {
            player.acted = false;
            player.checked = false;
            player.answered = None;
            if index > 0 {
                player.bet = 0;
            }
        }
        Betting {
            players,
            sign,
            limits,
            index,
            level,
            base: if level < limits.0 { 0 } else { level },
            last_increment: limits.0,
            raises: 0,
            no_check,
            opened: false,
            pointer: opener,
            last_bettor: None,
        }
    }

    /// The player who must act now.
    pub(super) fn next(&self) -> Option<usize> {
        let count = self.players.len();
        let places = (0..count).map(|step| (self.pointer + step) % count);
        let mut due = places.filter(|&place| self.is_due(place));
        due.next()
    }

    fn is_due(&self, place: usize) -> bool {
        let in_hand = self.players.iter().filter(|player| player.is_in).count();
        let able = self
            .players
            .iter()
            .filter(|player| player.can_act())
            .count();
        let player = &self.players[place];
        let owes = player.bet < self.call_level(place);
        in_hand > 1 && player.can_act() && (owes || (!player.acted && able > 1))
    }

    /// What a player has to match: where nobody else can act, no more than another has bet.
    fn call_level(&self, place: usize) -> i64 {
        let others = self.players.iter().enumerate();
        let mut others = others.filter(|&(other, _)| other != place);
        if others.clone().any(|(_, other)| other.can_act()) {
            return self.level;
        }
        let largest = others.by_ref().map(|(_, other)| other.bet).max();
        self.level.min(largest.unwrap_or(0))
    }

    /// The forced bet of a stud round, or a full bet in its place.
    pub(super) fn force(&mut self, place: usize, rng: &mut ChaCha8Rng) -> Act {
        let left = self.players[place].left;
        if left >= self.limits.0 && rng.random_range(0..6) == 0 {
            self.put_up(place, "bet", self.limits.0);
            return Act::Wager("bet", self.limits.0);
        }
        let amount = self.sign.forced.min(left);
        self.stake(place, amount);
        self.level = self.level.max(self.sign.forced);
        Act::Wager("forced_bet", amount)
    }

    /// A player of this strength acts: with much he bets and raises, with little he gives up.
    pub(super) fn act(&mut self, place: usize, strength: u32, rng: &mut ChaCha8Rng) -> Act {
        let mood = strength + rng.random_range(0..40);
        let to_call = (self.call_level(place) - self.players[place].bet).max(0);
        let raise = (mood > 85).then(|| self.raise(place, rng)).flatten();
        let act = match raise {
            Some(amount) if self.level > 0 => Act::Wager("raise", amount),
            Some(amount) => Act::Wager("bet", amount),
            None if to_call == 0 && self.no_check && self.level == 0 => {
                match self.raise(place, rng).filter(|_| mood > 40) {
                    Some(amount) => Act::Wager("bet", amount),
                    None => Act::Fold,
                }
            }
            None if to_call == 0 => Act::Check,
            // A small call is easily made, one for all chips is not.
            None if mood > 45 || to_call * 8 < self.players[place].left && mood > 30 => {
                Act::Wager("call", to_call.min(self.players[place].left))
            }
            None => Act::Fold,
        };
        match act {
            Act::Fold => {
                self.players[place].is_in = false;
                self.pass(place);
            }
            Act::Check => {
                self.players[place].checked = true;
                self.players[place].answered = Some(self.level);
                self.pass(place);
            }
            Act::Wager(kind, amount) => self.put_up(place, kind, amount),
        }
        act
    }

    /// A call, a bet or a raise.
    fn put_up(&mut self, place: usize, kind: &str, amount: i64) {
        let least = self.least_increment();
        let all_in = amount == self.players[place].left;
        self.stake(place, amount);
        if kind != "call" {
            self.raises += i64::from(self.level > 0);
            let increment = self.players[place].bet - self.level;
            if increment >= least {
                self.last_increment = increment;
            }
            self.level = self.players[place].bet;
            if !all_in || self.level >= self.base + least {
                self.base = self.level;
            }
            self.opened = true;
            self.last_bettor = Some(self.players[place].seat);
            self.players
                .iter_mut()
                .for_each(|player| player.acted = false);
            self.players[place].acted = true;
        }
        self.players[place].answered = Some(self.level);
    }

    /// The least that a bet, or a raise over the last one, adds.
    fn least_increment(&self) -> i64 {
        match self.sign.previous_increment && self.level > 0 {
            true => self.limits.0.max(self.last_increment),
            false => self.limits.0,
        }
    }

    /// Has the bet grown enough since this player answered it, so that he may raise again?
    fn is_reopened(&self, player: &Player) -> bool {
        let Some(answered) = player.answered else {
            return true;
        };
        let grown = self.level - answered;
        match self.sign.reopen {
            "full" => grown >= self.last_increment,
            "half" => grown * 2 >= self.last_increment,
            _ => true,
        }
    }

    /// What a bet or raise of this player would add, where the sign allows one.
    fn raise(&self, place: usize, rng: &mut ChaCha8Rng) -> Option<i64> {
        let player = &self.players[place];
        let to_call = self.level - player.bet;
        let is_raise = self.level > 0;
        let capped = self.sign.max_raises.is_some_and(|most| self.raises >= most);
        let barred = player.checked && !self.sign.check_raise || !self.is_reopened(player);
        if is_raise && (capped || barred) {
            return None;
        }
        let (posted, max) = self.limits;
        let min = self.least_increment();
        // Over a small forced bet or blind the first raise may complete to the minimum, and at limit one over a bet
        // that fell short.
        let is_small = self.index == 0 && !self.opened && is_raise && self.level < posted;
        let fell_short = max.is_some() && self.base < self.level && self.level < self.base + min;
        let least = match (is_small, fell_short) {
            _ if rng.random_range(0..2) == 0 => min,
            (true, _) => posted - self.level,
            (false, true) => self.base + min - self.level,
            (false, false) => min,
        };
        let in_pot: i64 = self.players.iter().map(|player| player.put_in).sum();
        let most = match max {
            Some(max) => max,
            None if self.sign.pot_limit => (in_pot + to_call).max(min),
            None => (in_pot * 3 / 2).max(min),
        };
        let units = (most - least) / 100;
        let size = least
            + if units > 0 {
                rng.random_range(0..=units) * 100
            } else {
                0
            };
        let size = size.min(most);
        let amount = (to_call + size).min(player.left);
        (amount > to_call).then_some(amount)
    }

    fn stake(&mut self, place: usize, amount: i64) {
        let player = &mut self.players[place];
        player.put(amount);
        player.bet += amount;
        self.pass(place);
    }

    fn pass(&mut self, place: usize) {
        self.players[place].acted = true;
        self.pointer = (place + 1) % self.players.len();
    }
}
