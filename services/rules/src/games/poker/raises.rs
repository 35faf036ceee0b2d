//! How much a bet or raise may add, and who may raise. 7(j), 17

use super::options::{MinRaise, Reopen, Structure};
use super::room::BetLimits;
use super::street::Street;
use crate::floor::Cents;

/// What a bet or raise of a player may add.
#[derive(Clone, Copy, Debug)]
pub(super) struct Increments {
    pub(super) min: Cents,
    pub(super) max: Option<Cents>,
    /// Less than the minimum where a raise may complete a bet that fell short.
    pub(super) least: Cents,
}

impl Street<'_, '_> {
    /// How much a bet or raise of this player may add. 17
    pub(super) fn increments(&self, place: usize) -> Increments {
        let BetLimits { min: posted, max } = self.limits;
        let options = self.room.options;
        let is_raise = self.level.is_positive();
        let min = match options.min_raise {
            MinRaise::PreviousIncrement if is_raise => posted.max(self.last_increment),
            MinRaise::PreviousIncrement | MinRaise::PostedMin => posted,
        };
        let max = match options.betting {
            Structure::Limit => max,
            Structure::NoLimit => None,
            Structure::PotLimit => Some(min.max(self.betting.in_pot() + self.to_call(place))),
        };
        // A raise over a small forced bet or blind may stop at the posted minimum, and at limit one over a bet
        // that fell short may complete it.
        let is_small = self.index == 0 && !self.opened && is_raise && self.level < posted;
        let is_limit = options.betting == Structure::Limit;
        let fell_short = is_limit && self.base < self.level && self.level < self.base + min;
        let least = match (is_small, fell_short) {
            (true, _) => posted - self.level,
            (false, true) => self.base + min - self.level,
            (false, false) => min,
        };
        Increments { min, max, least }
    }

    pub(super) fn flag_size(&mut self, increments: Increments, increment: Cents, all_in: bool) {
        self.flag_if(increment < increments.least && !all_in, "wager.under_min");
        let is_more = increments.max.is_some_and(|max| increment > max);
        self.flag_if(is_more, "wager.over_max");
    }

    /// What of the posted rules about raises bars this player from one. 7(j), 17
    pub(super) fn bars(&self, place: usize) -> impl Iterator<Item = &'static str> + use<> {
        let options = self.room.options;
        let is_capped = options.max_raises.is_some_and(|most| self.raises >= most);
        let has_checked = self.checked[place] && !options.check_raise;
        let is_closed = self.answered[place].is_some_and(|answered| {
            let grown = self.level - answered;
            match options.reopen {
                Reopen::Any => false,
                Reopen::Full => grown < self.last_increment,
                Reopen::Half => grown + grown < self.last_increment,
            }
        });
        let bars = [
            (is_capped, "wager.raise_cap"),
            (has_checked, "wager.check_raise"),
            (is_closed, "wager.not_reopened"),
        ];
        bars.into_iter().filter(|&(is, _)| is).map(|(_, code)| code)
    }
}
