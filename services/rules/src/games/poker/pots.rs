//! The main pot and the side pots, and the chips that go back instead of into them.

use std::collections::BTreeMap;

use super::betting::Betting;
use super::room::Room;
use crate::floor::{Cents, Seat};
use crate::settlement::Refund;

/// Chips that go back, by seat and reason.
#[derive(Clone, Default)]
pub(super) struct Refunds(BTreeMap<(Seat, &'static str), Cents>);

impl Refunds {
    pub(super) fn give(&mut self, seat: Seat, reason: &'static str, amount: Cents) {
        if amount.is_positive() {
            *self.0.entry((seat, reason)).or_default() += amount;
        }
    }

    /// Sets what a seat owes against what goes back to it, what nobody called first; says what remains.
    pub(super) fn set_against(&mut self, seat: Seat, mut owed: Cents) -> Cents {
        let mut take = |reason: &'static str, back: &mut Refunds| {
            if let Some(amount) = back.0.get_mut(&(seat, reason)) {
                let set = owed.min(*amount);
                *amount -= set;
                owed -= set;
            }
        };
        take("uncalled", self);
        let reasons: Vec<&'static str> = self
            .0
            .keys()
            .filter(|key| key.0 == seat)
            .map(|key| key.1)
            .collect();
        reasons.into_iter().for_each(|reason| take(reason, self));
        self.0.retain(|_, amount| amount.is_positive());
        owed
    }

    pub(super) fn list(self) -> Vec<Refund> {
        let refunds = self.0.into_iter();
        refunds
            .map(|((seat, reason), amount)| Refund {
                seat,
                reason,
                amount,
            })
            .collect()
    }
}

/// The main pot, or a side pot that fewer players can win.
#[derive(Debug)]
pub(super) struct Pot {
    /// What each betting round put in.
    pub(super) by_round: Vec<Cents>,
    /// What is left to award after rake and drop.
    pub(super) net: Cents,
    /// Places that can win it.
    pub(super) eligible: Vec<usize>,
}

impl Pot {
    pub(super) fn gross(&self) -> Cents {
        self.by_round.iter().copied().sum()
    }

    /// Takes up to this amount out of the pot; says how much it was.
    pub(super) fn take(&mut self, amount: Cents) -> Cents {
        let taken = amount.min(self.net);
        self.net -= taken;
        taken
    }
}

/// Gives back what is not played for, and parts the rest into pots, the main pot first. Dead chips belong to the main
/// pot: a player who has no others in it contends for them alone.
pub(super) fn collect(room: &Room<'_>, betting: &mut Betting) -> Vec<Pot> {
    give_back_lost_hands(room, betting);
    give_back_uncalled(room, betting);
    let totals: Vec<Cents> = betting.chips.iter().map(|chips| total(chips)).collect();
    let dead = total(&betting.dead);
    let players_in: Vec<usize> = (0..totals.len()).filter(|&p| betting.is_in[p]).collect();
    let mut levels: Vec<Cents> = players_in.iter().map(|&place| totals[place]).collect();
    levels.sort_unstable();
    levels.dedup();
    // Who has nothing in at all, not even a dead chip, contends for nothing: there is no pot of his.
    if dead == Cents::ZERO && levels.len() > 1 {
        levels.retain(|level| level.is_positive());
    }
    if levels.is_empty() {
        levels.push(Cents::ZERO);
    }
    let last = levels.len() - 1;
    let mut floor = Cents::ZERO;
    let mut pots = Vec::with_capacity(levels.len());
    for (index, &level) in levels.iter().enumerate() {
        let ceiling = if index == last { None } else { Some(level) };
        let mut by_round = vec![Cents::ZERO; room.facts.rounds];
        if index == 0 {
            by_round[0] = dead;
        }
        for chips in &betting.chips {
            add_between(chips, floor, ceiling, &mut by_round);
        }
        let eligible = players_in.iter().copied();
        let mut pot = Pot {
            by_round,
            net: Cents::ZERO,
            eligible: eligible.filter(|&place| totals[place] >= level).collect(),
        };
        pot.net = pot.gross();
        pots.push(pot);
        floor = level;
    }
    pots
}

/// Adds the part of a player's chips between two levels. He fills the lower levels with his earlier
/// chips.
fn add_between(chips: &[Cents], floor: Cents, ceiling: Option<Cents>, by_round: &mut [Cents]) {
    let within = |sum: Cents| ceiling.map_or(sum, |ceiling| sum.min(ceiling)).max(floor);
    let mut sum = Cents::ZERO;
    for (round, &amount) in chips.iter().enumerate() {
        let before = within(sum);
        sum += amount;
        by_round[round] += within(sum) - before;
    }
}

/// Chips of hands with a refund leave all betting rounds. 15(i)3, 15(k)
fn give_back_lost_hands(room: &Room<'_>, betting: &mut Betting) {
    for (place, reason) in betting.refunded.iter().enumerate() {
        if let Some(reason) = reason {
            let chips = &mut betting.chips[place];
            let dead = std::mem::take(&mut betting.dead[place]);
            let refunds = &mut betting.refunds;
            refunds.give(room.players[place].seat, reason, total(chips) + dead);
            chips.fill(Cents::ZERO);
        }
    }
}

/// What nobody called goes back out of the latest betting rounds.
fn give_back_uncalled(room: &Room<'_>, betting: &mut Betting) {
    let mut totals: Vec<(Cents, usize)> = betting
        .chips
        .iter()
        .enumerate()
        .map(|(place, chips)| (total(chips), place))
        .collect();
    totals.sort_unstable();
    let Some((most, place)) = totals.pop() else {
        return;
    };
    let second = totals.last().map_or(Cents::ZERO, |&(second, _)| second);
    if most == second || !betting.is_in[place] {
        return;
    }
    let mut uncalled = most - second;
    let seat = room.players[place].seat;
    betting.refunds.give(seat, "uncalled", uncalled);
    for chips in betting.chips[place].iter_mut().rev() {
        let back = uncalled.min(*chips);
        *chips -= back;
        uncalled -= back;
    }
}

fn total(chips: &[Cents]) -> Cents {
    chips.iter().copied().sum()
}
