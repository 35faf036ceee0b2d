//! In a tournament whoever has chips left has a bet on every roll. ma s.13.B.viii

use std::collections::BTreeMap;

use catwalk_events::body::{Body, BuyIn};
use catwalk_rules::floor::Cents;

use super::course::Puck;
use crate::fault::Fault;
use crate::games::Scene;
use crate::round::{RoundFold, WagerFold};

/// Chips of seats beyond this are not counted.
const MAX_SEAT: u32 = 64;

/// What each seat has in its rack for sure: what it bought, won and got back at this table, less what
/// it staked. What it brought along nobody told.
pub(super) type Chips = BTreeMap<u32, i64>;

pub(super) fn is_tournament(round: &RoundFold) -> bool {
    let posted = round.rules.option("tournament");
    posted.is_some_and(|posted| posted == true)
}

pub(super) fn buy(chips: &mut Chips, bought: &BuyIn) {
    if let Some(seat) = bought.seat.filter(|seat| *seat <= MAX_SEAT) {
        *chips.entry(seat).or_default() += bought.amount.get();
    }
}

/// The same after what has happened of a round.
pub(super) fn chips_after(round: &RoundFold, mut chips: Chips) -> Chips {
    for (_, body) in &round.play {
        if let Body::BuyIn(bought) = body {
            buy(&mut chips, bought);
        }
    }
    for wager in round.wagers.iter().filter(|wager| wager.seat <= MAX_SEAT) {
        *chips.entry(wager.seat).or_default() += change(wager).get();
    }
    chips.retain(|_, cents| *cents > 0);
    chips
}

/// What a wager has done to the rack of its seat in this round.
fn change(wager: &WagerFold) -> Cents {
    let staked = if wager.carried {
        Cents::ZERO
    } else {
        wager.amount
    };
    let back = match (wager.collected, wager.pushed) {
        (Some(part), _) => wager.stake() - part.unwrap_or(wager.stake()),
        (None, Some(part)) => part.unwrap_or(wager.stake()),
        (None, None) if wager.paid.is_positive() => wager.stake(),
        (None, None) => Cents::ZERO,
    };
    back + wager.uncovered + wager.paid - wager.commission - staked
}

/// A throw while a seat with chips has no bet.
pub(super) fn idle_seats(scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    let code = "craps.tournament_no_bet";
    let round = scene.round;
    if !is_tournament(round) || !scene.is_fresh(code) {
        return;
    }
    let is_up = |wager: &WagerFold| !wager.is_touched() && wager.stake().is_positive();
    let before: Puck = scene.standing.read();
    for seat in chips_after(round, before.chips).into_keys() {
        let mut wagers = round.wagers.iter().filter(|wager| wager.seat == seat);
        if !wagers.any(is_up) {
            let message = format!("Seat {seat} has chips left and no bet on this roll");
            faults.push(Fault::new(code, vec![scene.seq], message).at_seat(seat));
        }
    }
}
