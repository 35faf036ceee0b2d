//! Whose turn it is to bank: the offer around the table, and players who change seats to be sooner.

use std::collections::BTreeMap;

use catwalk_events::body::{Decision, WagerPlaced};
use serde::{Deserialize, Serialize};

use super::Held;
use super::words::{Between, Word};
use crate::fault::Fault;
use crate::games::Scene;
use crate::games::rotation::{goes_round, is_nearer};
use crate::round::RoundFold;

/// Where the players sat in the last hand, and who has a turn to miss.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Turns {
    seats: BTreeMap<String, u32>,
    movers: BTreeMap<String, u32>,
}

/// 10(b),(c): a bank that is passed is offered to the right, counterclockwise, and the first who wants
/// it has it. Who will not have it says `decline`. 10(d): one that was passed on before and is lost goes from
/// the seat that passed it.
pub(super) fn check_offer(
    scene: &Scene<'_>,
    placed: &WagerPlaced,
    held: &Held,
    between: &Between,
    faults: &mut Vec<Fault>,
) {
    let is_answer = |said: &Decision| {
        let word = Word::of(said);
        matches!(word, Some(Word::Decline | Word::Pass | Word::Accept))
    };
    let answered = between.and(scene.round);
    let answered = answered
        .filter(|said| said.seat != held.seat && is_answer(said))
        .map(|said| said.seat);
    let offered: Vec<u32> = answered.chain([placed.seat]).collect();
    let passed_on = held.origin.filter(|_| held.lost);
    let mut from = [Some(held.seat), passed_on].into_iter().flatten();
    if placed.seat != held.seat && !from.any(|seat| goes_round(seat, &offered)) {
        let message = format!("The bank of seat {} was not offered in turn", held.seat);
        let evidence = scene.shown_by_play();
        let fault = Fault::new("chemin.bank_offered_wrong_way", evidence, message);
        faults.push(fault.of_wager(&placed.wager).at_seat(placed.seat));
    }
}

impl Turns {
    /// 10(e): who moves to where the bank comes sooner misses that turn.
    pub(super) fn check(
        &self,
        scene: &Scene<'_>,
        placed: &WagerPlaced,
        held: &Held,
        faults: &mut Vec<Fault>,
    ) {
        let Some(player) = &placed.player else { return };
        let sat = self.seats.get(player);
        let has_moved = sat.is_some_and(|&sat| is_nearer(held.seat, placed.seat, sat));
        let misses = has_moved || self.movers.get(player) == Some(&placed.seat);
        if placed.seat != held.seat && misses {
            let message = format!("{player} changed seats and took the bank at once");
            let fault = Fault::new("chemin.seat_move_turn", vec![scene.seq], message);
            faults.push(fault.of_wager(&placed.wager).at_seat(placed.seat));
        }
    }

    /// The bank went from one seat to another, or to one by an auction: a turn that passed over a mover was
    /// missed.
    pub(super) fn follow(&mut self, round: &RoundFold, from: Option<u32>, to: u32) {
        let here = seats(round);
        match from {
            Some(from) => {
                let moved = |player: &String, seat: u32| {
                    let sat = self.seats.get(player);
                    sat.is_some_and(|&sat| is_nearer(from, seat, sat))
                        || self.movers.get(player) == Some(&seat)
                };
                let waits = |seat: u32| from == to || is_nearer(from, to, seat);
                let movers = here.iter().map(|(player, seat)| (player.clone(), *seat));
                self.movers = movers
                    .filter(|(player, seat)| moved(player, *seat) && waits(*seat))
                    .collect();
            }
            // After an auction turns begin anew.
            None => self.movers.clear(),
        }
        self.seats = here;
    }
}

/// Players by name who sit at one seat.
fn seats(round: &RoundFold) -> BTreeMap<String, u32> {
    let mut seats: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for wager in &round.wagers {
        if let Some(player) = &wager.player {
            seats.entry(player.clone()).or_default().push(wager.seat);
        }
    }
    seats
        .into_iter()
        .filter(|(_, seats)| seats.iter().all(|seat| *seat == seats[0]))
        .map(|(player, seats)| (player, seats[0]))
        .collect()
}
