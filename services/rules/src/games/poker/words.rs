//! What a player says in turn binds him, and goes before what he does; an announced amount is the amount of the bet.
//! 7(d), 7(e), 15(j)

use super::play::{Kind, Verbal, Words};
use super::room::{Move, What};
use super::street::Street;
use crate::floor::Cents;

/// What a player is bound to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Duty {
    Fold,
    Check,
    /// To put in so much.
    PutIn {
        by: Binding,
        least: Cents,
        /// What lies above it goes back.
        most: Option<Cents>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    /// An announced amount.
    Amount,
    Call,
    BetOrRaise,
}

/// What a player put in under a word, several motions together.
struct PutIn {
    amount: Cents,
    /// Of the last motion; `None` if he put in nothing.
    kind: Option<Kind>,
    single_chip: bool,
    motions: usize,
}

impl Street<'_, '_> {
    /// What these words bind the player to whose turn it is. An announced amount that does not bind is as if it had
    /// not been said, and the word beside it remains.
    pub(super) fn duty(&self, place: usize, words: Words, forced_bet_due: bool) -> Option<Duty> {
        let announced = words.announced.filter(|_| !forced_bet_due);
        let announced = announced.and_then(|said| self.announced(place, said));
        announced.or_else(|| self.spoken(place, words.verbal?, forced_bet_due))
    }

    fn announced(&self, place: usize, said: Cents) -> Option<Duty> {
        let amount = said.min(self.left[place]);
        let is_all_in = amount == self.left[place];
        let to_call = self.to_call(place);
        let binds = if amount > to_call {
            let increments = self.increments(place);
            let increment = amount - to_call;
            let is_within = increments.max.is_none_or(|max| increment <= max);
            let is_enough = is_all_in || increment >= increments.least;
            is_within && is_enough && (self.level == Cents::ZERO || self.is_raise_open(place))
        } else {
            let is_enough = self.bet[place] + amount >= self.call_level(place);
            to_call.is_positive() && (amount == to_call || is_all_in || is_enough)
        };
        binds.then_some(Duty::PutIn {
            by: Binding::Amount,
            least: amount,
            most: Some(amount),
        })
    }

    fn spoken(&self, place: usize, said: Verbal, forced_bet_due: bool) -> Option<Duty> {
        let have = self.left[place];
        let to_call = self.to_call(place);
        let at_least = |amount: Cents| Duty::PutIn {
            by: Binding::BetOrRaise,
            least: amount.min(have),
            most: None,
        };
        match said {
            Verbal::Fold => Some(Duty::Fold),
            Verbal::Check => {
                let is_offered = !forced_bet_due && self.offers_check();
                (to_call == Cents::ZERO && is_offered).then_some(Duty::Check)
            }
            Verbal::Call => {
                let level = self.call_level(place).max(self.bet[place]);
                to_call.is_positive().then_some(Duty::PutIn {
                    by: Binding::Call,
                    least: (level - self.bet[place]).min(have),
                    most: Some(to_call.min(have)),
                })
            }
            Verbal::Bet => {
                let binds = self.level == Cents::ZERO && !forced_bet_due;
                binds.then(|| at_least(self.increments(place).least))
            }
            Verbal::Raise => {
                let is_open = self.level.is_positive() && self.is_raise_open(place);
                let binds = is_open && have > to_call;
                binds.then(|| at_least(to_call + self.increments(place).least))
            }
        }
    }

    fn is_raise_open(&self, place: usize) -> bool {
        self.bars(place).next().is_none()
    }

    /// Does as was said; says how many of the moves that took.
    pub(super) fn keep_word(
        &mut self,
        place: usize,
        duty: Duty,
        moves: &[Move<'_>],
        forced_bet_due: bool,
    ) -> usize {
        let what = moves[0].what;
        match duty {
            Duty::Fold => {
                let put_in = what.wager().map_or(Cents::ZERO, |wager| wager.amount);
                let put_in = self.within_stakes(place, put_in);
                let forced = self.room.options.forced_bet.unwrap_or_default();
                let stays = if forced_bet_due {
                    forced.min(put_in)
                } else {
                    Cents::ZERO
                };
                self.put_in(place, stays);
                self.give_back(place, "change", put_in - stays);
                if forced_bet_due && self.owe_forced_bet(place) {
                    self.betting.certain.add("wager.obligation_unpaid");
                }
                self.flag_against_word(!matches!(what, What::Fold));
                self.leave(place);
                1
            }
            Duty::Check => {
                self.flag_against_word(!matches!(what, What::Check));
                match what {
                    What::Fold => self.leave(place),
                    What::Check => self.check(place, false),
                    What::Wager(wager) => {
                        let back = self.within_stakes(place, wager.amount);
                        self.give_back(place, "change", back);
                        self.check(place, false);
                    }
                }
                1
            }
            Duty::PutIn { by, least, most } => {
                let put_in = motions(moves, by);
                let amount = self.within_stakes(place, put_in.amount);
                let target = amount.max(least).min(most.unwrap_or(amount.max(least)));
                self.flag_done(place, by, what, &put_in, (amount, target));
                self.give_back(place, "change", amount - target.min(amount));
                self.owe(place, target - amount.min(target));
                self.put_in_as_said(place, by, target, amount, put_in.kind.is_some());
                if matches!(what, What::Fold) {
                    self.leave(place);
                }
                put_in.motions
            }
        }
    }

    /// The target is a call, a bet or a raise; without a binding amount its size is judged on what was put in.
    fn put_in_as_said(
        &mut self,
        place: usize,
        by: Binding,
        target: Cents,
        put_in: Cents,
        is_wager: bool,
    ) {
        let to_call = self.to_call(place);
        if target <= to_call {
            self.call(place, target);
            return;
        }
        let increments = self.increments(place);
        if by == Binding::BetOrRaise && is_wager {
            let all_in = put_in == self.left[place];
            self.flag_size(increments, put_in - to_call, all_in);
        }
        self.bet_or_raise(place, target, increments);
    }

    /// Where that differs from what was said.
    fn flag_done(
        &mut self,
        place: usize,
        by: Binding,
        what: What<'_>,
        put_in: &PutIn,
        (amount, target): (Cents, Cents),
    ) {
        let Some(kind) = put_in.kind else {
            let is_fold = matches!(what, What::Fold);
            self.flag_against_word(!is_fold);
            let certain = &mut self.betting.certain;
            certain.add_if(is_fold, "wager.obligation_unpaid");
            return;
        };
        let is_call = kind == Kind::Call;
        let to_call = self.to_call(place);
        let is_change = put_in.single_chip && amount > target;
        let codes = match by {
            Binding::Call if !is_call && put_in.single_chip && amount > to_call => {
                [(true, "wager.single_chip_call"), NOTHING]
            }
            Binding::Call if !is_call => [(true, "action.against_word"), NOTHING],
            Binding::Call => [
                (amount > target && !is_change, "wager.overcall"),
                (amount < target, "wager.short_call"),
            ],
            Binding::BetOrRaise => [(is_call, "action.against_word"), NOTHING],
            Binding::Amount => [
                (is_call && target > to_call, "action.against_word"),
                (amount != target && !is_change, "wager.announced_mismatch"),
            ],
        };
        for (is, code) in codes {
            self.betting.certain.add_if(is, code);
        }
    }

    fn flag_against_word(&mut self, is: bool) {
        self.betting.certain.add_if(is, "action.against_word");
    }
}

const NOTHING: (bool, &str) = (false, "");

/// Where an amount, a bet or a raise binds, chips that the player adds before anybody else acts belong to it,
/// as long as nothing else is said of them. 7(g)1, 7(g)3
fn motions(moves: &[Move<'_>], by: Binding) -> PutIn {
    let mut put_in = PutIn {
        amount: Cents::ZERO,
        kind: None,
        single_chip: false,
        motions: 1,
    };
    for (at, action) in moves.iter().enumerate() {
        let Some(wager) = action.what.wager() else {
            break;
        };
        let is_more = by != Binding::Call
            && action.seat == moves[0].seat
            && !action.words.is_some()
            && !wager.single_chip;
        if at > 0 && !is_more {
            break;
        }
        put_in.amount += wager.amount;
        put_in.kind = Some(wager.kind);
        put_in.single_chip |= wager.single_chip;
        put_in.motions = at + 1;
    }
    put_in
}
