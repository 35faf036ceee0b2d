//! What one dealer does too often: spins, tosses and rolls that are called off when the players would have lost, and
//! rounds that hang on a card that nobody saw.
//!
//! Each alone may be honest: a ball jumps, a reader is blind for a moment. So nothing is said of one. Each kind is
//! held against the most that is honest by a [`Suspicion`]: of ten spins one may be called off, and of a hundred
//! rounds one may hang on a card that nobody saw. A dealer who keeps to that is told of once in 10,000 at most, in all
//! his time, and suspected strongly once in ten million.

use std::collections::BTreeMap;

use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};

use super::suspicion::{Level, Suspicion};

/// The most that is called off honestly, as a part of all spins, tosses or rolls.
const HONEST_CALLS: f64 = 0.1;
/// The most that nobody sees honestly, as a part of all rounds.
const HONEST_UNSEEN: f64 = 0.01;
/// How much more often it is suspected to come.
const STRENGTHS: [f64; 3] = [3.0, 9.0, 19.0];
/// Nothing is said of fewer.
const LEAST: u64 = 6;
/// So many dealers of a table are remembered, and so many seats of each.
const MAX_DEALERS: usize = 64;
const MAX_SEATS: usize = 16;

/// By the dealer: what was called off, and what nobody saw.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Doubts {
    calls: BTreeMap<String, Tally>,
    unseen: BTreeMap<String, Tally>,
}

/// What is counted of a dealer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Tally {
    suspicion: Suspicion,
    /// So many of them, among all.
    pub(crate) came: u64,
    pub(crate) all: u64,
    /// What the players would have lost, or what nobody can judge.
    pub(crate) amount: Cents,
    /// How often it was for a seat.
    seats: BTreeMap<u32, u64>,
}

/// One that came: what it was worth, and for whom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Doubt {
    pub(crate) amount: Cents,
    pub(crate) seats: Vec<u32>,
}

/// It has come too often.
pub(crate) struct Doubted<'a> {
    pub(crate) strong: bool,
    pub(crate) tally: &'a Tally,
}

impl Doubts {
    /// A spin, toss or roll: `off` if it was called off and the players would not have won by it.
    pub(crate) fn called(&mut self, dealer: &str, off: Option<Doubt>) -> Option<Doubted<'_>> {
        Tally::of(&mut self.calls, dealer).take(HONEST_CALLS, off)
    }

    /// A round: `unseen` if it hangs on what nobody saw.
    pub(crate) fn judged(&mut self, dealer: &str, unseen: Option<Doubt>) -> Option<Doubted<'_>> {
        Tally::of(&mut self.unseen, dealer).take(HONEST_UNSEEN, unseen)
    }
}

impl Tally {
    fn of<'a>(tallies: &'a mut BTreeMap<String, Tally>, dealer: &str) -> &'a mut Tally {
        if !tallies.contains_key(dealer) && tallies.len() >= MAX_DEALERS {
            let least = tallies.iter().min_by_key(|(_, tally)| tally.all);
            if let Some(least) = least.map(|(dealer, _)| dealer.clone()) {
                tallies.remove(&least);
            }
        }
        tallies.entry(dealer.to_owned()).or_insert_with(|| Tally {
            suspicion: Suspicion::new(1, &STRENGTHS),
            came: 0,
            all: 0,
            amount: Cents::ZERO,
            seats: BTreeMap::new(),
        })
    }

    fn take(&mut self, honest: f64, doubt: Option<Doubt>) -> Option<Doubted<'_>> {
        self.all += 1;
        let came = doubt.is_some();
        if let Some(doubt) = doubt {
            self.came += 1;
            self.amount += doubt.amount;
            for seat in doubt.seats {
                if self.seats.len() < MAX_SEATS || self.seats.contains_key(&seat) {
                    *self.seats.entry(seat).or_default() += 1;
                }
            }
        }
        let level = self
            .suspicion
            .take_of(LEAST, &STRENGTHS, [(honest, came)])?;
        Some(Doubted {
            strong: level == Level::Strong,
            tally: self,
        })
    }

    /// The seat that it was for most often, and how often.
    pub(crate) fn favourite(&self) -> Option<(u32, u64)> {
        let most = self.seats.iter().max_by_key(|(_, times)| **times);
        most.map(|(seat, times)| (*seat, *times))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn for_seat(seat: u32) -> Option<Doubt> {
        Some(Doubt {
            amount: Cents::new(10_000),
            seats: vec![seat],
        })
    }

    #[test]
    fn twenty_losing_spins_in_a_row_are_a_strong_suspicion() {
        let mut doubts = Doubts::default();
        let mut strong = None;
        for spin in 1..=20 {
            if let Some(doubted) = doubts.called("d-1", for_seat(3))
                && doubted.strong
            {
                strong = Some((spin, doubted.tally.favourite()));
            }
        }
        assert_eq!(strong, Some((9, Some((3, 9)))));
    }

    #[test]
    fn who_calls_off_one_spin_in_ten_is_not_suspected() {
        let mut doubts = Doubts::default();
        for spin in 0..20_000 {
            let off = (spin % 10 == 0).then(|| for_seat(spin % 7)).flatten();
            assert!(doubts.called("d-1", off).is_none(), "spin {spin}");
        }
    }

    #[test]
    fn a_reader_that_is_blind_in_one_round_of_ten_is_suspected() {
        let mut doubts = Doubts::default();
        let said = (0..400).filter(|round| {
            let unseen = (round % 10 == 0).then(|| for_seat(1)).flatten();
            doubts.judged("d-1", unseen).is_some()
        });
        assert_eq!(said.count(), 2);
    }
}
