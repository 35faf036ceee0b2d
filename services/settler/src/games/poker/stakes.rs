//! Table stakes: what a seat bought in for, less what it put in, and what it won.

use std::collections::{BTreeMap, BTreeSet};

use catwalk_events::body::Body;
use catwalk_rules::Pots;
use catwalk_rules::floor::{Cents, Seat};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::told::Told;
use crate::round::RoundFold;

/// So many seats are kept; a table has fewer.
const MAX_SEATS: usize = 32;
/// A stack that nobody told is more than enough for what was bet.
const PLENTY: Cents = Cents::new(10_000_000);

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Stakes {
    by_seat: BTreeMap<u32, Stack>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Stack {
    /// `None` where chips came or went that no event told of.
    chips: Option<Cents>,
    player: Option<String>,
    /// Bought in again over chips of its own: perhaps another player, and then it is less.
    at_most: bool,
}

impl Stakes {
    pub(super) fn buy_in(&mut self, seat: u32, amount: Cents) {
        if self.by_seat.len() >= MAX_SEATS && !self.by_seat.contains_key(&seat) {
            return;
        }
        let fresh = Stack {
            chips: Some(Cents::ZERO),
            ..Stack::default()
        };
        let stack = self.by_seat.entry(seat).or_insert(fresh);
        stack.at_most |= stack.chips.is_some_and(Cents::is_positive);
        stack.chips = stack.chips.map(|chips| chips + amount);
    }

    /// `play.seats` of the document.
    pub(super) fn seats(&self, round: &RoundFold, told: &Told<'_>) -> Vec<Value> {
        let seats: BTreeSet<u32> = told.dealt.iter().chain(&told.not_dealt).copied().collect();
        let entry = |seat: u32| {
            let mut entry = json!({"seat": seat, "stack": self.stack(round, told, seat)});
            if !told.dealt.contains(&seat) {
                entry["in"] = json!(false);
            }
            entry
        };
        seats.into_iter().map(entry).collect()
    }

    fn stack(&self, round: &RoundFold, told: &Told<'_>, seat: u32) -> Cents {
        if let Some(spoken) = spoken(round, seat) {
            return spoken;
        }
        let put_in = put_in(round, seat);
        let guess = match told.all_in.contains(&seat) {
            true => put_in,
            false => put_in + PLENTY,
        };
        let stack = self.by_seat.get(&seat);
        let stack = stack.filter(|stack| stack.is_of(round, seat));
        match stack.and_then(|stack| Some((stack.chips?, stack.at_most))) {
            Some((chips, true)) => guess.min(chips.max(put_in)),
            Some((chips, false)) => chips,
            None => guess,
        }
    }

    /// The hand is over: chips went into the pots and out of them.
    pub(super) fn settle(&mut self, round: &RoundFold, pots: &Pots) {
        // Chips of a seat that never bought in came from elsewhere.
        self.forget_unless(round, |stakes, seat| stakes.by_seat.contains_key(&seat));
        let divided = pots
            .time_charges
            .iter()
            .any(|charge| charge.seat == Seat::HOUSE);
        for (&seat, stack) in &mut self.by_seat {
            if !stack.is_of(round, seat) {
                stack.chips = None;
            }
            let time = pots.time_charges.iter();
            let time = time.filter(|charge| u32::from(charge.seat.number()) == seat);
            let time: Cents = time.map(|charge| charge.amount).sum();
            let before = spoken(round, seat).or(stack.chips);
            let after = |chips| chips + received(round, pots, seat) - put_in(round, seat) - time;
            stack.chips = before.map(after).filter(|chips| !chips.is_negative());
            stack.at_most |= divided;
            let wager = round.wagers.iter().find(|wager| wager.seat == seat);
            if let Some(player) = wager.and_then(|wager| wager.player.clone()) {
                stack.player = Some(player);
            }
        }
    }

    /// Nothing is known any more of the seats that bet in a round.
    pub(super) fn forget(&mut self, round: &RoundFold) {
        self.forget_unless(round, |_, _| false);
    }

    fn forget_unless(&mut self, round: &RoundFold, known: impl Fn(&Stakes, u32) -> bool) {
        let bettors = round.wagers.iter().map(|wager| wager.seat);
        let seats: BTreeSet<u32> = bettors
            .chain(super::money::awarded(round).into_keys())
            .collect();
        for seat in seats {
            if !known(self, seat)
                && (self.by_seat.len() < MAX_SEATS || self.by_seat.contains_key(&seat))
            {
                self.by_seat.insert(seat, Stack::default());
            }
        }
    }
}

impl Stack {
    /// Does the seat still belong to the player who bought these chips?
    fn is_of(&self, round: &RoundFold, seat: u32) -> bool {
        let now = round.wagers.iter().find(|wager| wager.seat == seat);
        let now = now.and_then(|wager| wager.player.as_ref());
        match (&self.player, now) {
            (Some(known), Some(now)) => known == now,
            _ => true,
        }
    }
}

/// Chips bought during the round; they do not play. 7(c)1
pub(super) fn changes(round: &RoundFold) -> Vec<Value> {
    let bought = round.play.iter().filter_map(|(_, body)| match body {
        Body::BuyIn(buy_in) => Some((buy_in.seat?, buy_in.amount)),
        _ => None,
    });
    bought
        .filter(|&(seat, _)| put_in(round, seat).is_positive())
        .map(|(seat, amount)| json!({"seat": seat, "amount": amount}))
        .collect()
}

/// The table stakes that the detail of a wager tells.
fn spoken(round: &RoundFold, seat: u32) -> Option<Cents> {
    let mut wagers = round.wagers.iter().filter(|wager| wager.seat == seat);
    let detail = wagers.next()?.detail.as_ref()?.value();
    detail.get("stack")?.as_i64().map(Cents::new)
}

pub(super) fn put_in(round: &RoundFold, seat: u32) -> Cents {
    let wagers = super::played(round).filter(|wager| wager.seat == seat);
    wagers.map(|wager| wager.amount).sum()
}

/// What went to a seat: as the events tell it, and what was due where they tell nothing.
fn received(round: &RoundFold, pots: &Pots, seat: u32) -> Cents {
    let is_seat = |other: Seat| u32::from(other.number()) == seat;
    let awarded = super::money::awarded(round);
    let due = pots.awards.iter().filter(|award| is_seat(award.seat));
    let due: Cents = due.map(|award| award.amount).sum();
    let back = pots.refunds.iter().filter(|refund| is_seat(refund.seat));
    let back: Cents = back.map(|refund| refund.amount).sum();
    let pushed = super::money::pushed_back(round, seat);
    let got = awarded.get(&seat).copied();
    let bought = round.play.iter().filter_map(|(_, body)| match body {
        Body::BuyIn(buy_in) if buy_in.seat == Some(seat) => Some(buy_in.amount),
        _ => None,
    });
    let bought: Cents = bought.sum();
    // A refund may be told with the award, by itself, or not at all.
    let result = match got {
        Some(got) if got == due + back => got,
        Some(got) => got + pushed.max(back),
        None if awarded.is_empty() => due + back,
        None => pushed.max(back),
    };
    result + bought
}
