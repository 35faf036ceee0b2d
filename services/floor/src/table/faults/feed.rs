//! Events that are lost, repeated, late or damaged on their way, and clocks that are wrong.

use std::ops::RangeInclusive;

use catwalk_events::body::Clock;
use catwalk_events::{Event, Timestamp};
use catwalk_rules::floor::Cents;
use rand::RngExt;

use crate::fault::{FaultKind, Label};
use crate::table::Table;

/// An audit waits for an event that is missing until so many have come after it, and longer.
const IN_TIME: usize = 40;
/// It does not wait any more when so many have come.
const TOO_LATE: u64 = 80;
/// Nor when so long has passed.
const PATIENCE: i64 = 15 * 60_000_000;
/// Clocks of devices may differ by five minutes.
const DRIFT_MINUTES: RangeInclusive<i64> = 6..=30;

/// What arrives of an event that was damaged on its way, whatever it was written in.
pub fn garble(written: &[u8]) -> Vec<u8> {
    written[..written.len() / 2].to_vec()
}

impl Table {
    /// Loses, repeats or swaps events of the round on their way.
    pub(in crate::table) fn disturb(
        &mut self,
        kind: FaultKind,
        round: &str,
        first: u64,
    ) -> Option<Label> {
        let of_round: Vec<usize> = (0..self.outbox.len())
            .filter(|&at| self.outbox[at].seq >= first)
            .collect();
        let place = self.rng.random_range(1..of_round.len() - 1);
        let at = *of_round.get(place)?;
        let seq = self.outbox[at].seq;
        let codes = match kind {
            FaultKind::LostEvent => {
                self.outbox.remove(at);
                self.mischief.lose(seq);
                vec!["feed.gap"]
            }
            FaultKind::CorruptedEvent => {
                self.mischief.garbled.insert(seq);
                self.mischief.lose(seq);
                vec!["feed.gap"]
            }
            FaultKind::StaleEvent => {
                // One at a time is on its way.
                if self.mischief.stale.is_some() {
                    return None;
                }
                self.mischief.stale = self.outbox.remove(at);
                self.mischief.lose(seq);
                vec!["feed.gap", "feed.reordered"]
            }
            FaultKind::LateEvent => {
                let event = self.outbox.remove(at)?;
                let behind = (of_round.len() - 1 - place).min(IN_TIME);
                let later = at + self.rng.random_range(1..=behind);
                self.outbox.insert(later, event);
                vec!["feed.reordered"]
            }
            FaultKind::ClockDrift => {
                // A clock that is behind already does not step back.
                if self.mischief.drifted + 1 == first {
                    return None;
                }
                self.drift(&of_round);
                let mut label = self.label(kind, round, None, Cents::ZERO, vec!["feed.clock"]);
                label.seqs = vec![first];
                return Some(label);
            }
            FaultKind::ContradictingEvent => {
                self.contradict(at);
                vec!["feed.contradiction"]
            }
            FaultKind::RepeatedEvent => {
                self.outbox.insert(at, self.outbox[at].clone());
                vec!["feed.duplicate"]
            }
            _ => {
                self.outbox.swap(at, at + 1);
                vec!["feed.reordered"]
            }
        };
        let mut label = self.label(kind, round, None, Cents::ZERO, codes);
        label.seqs = vec![seq];
        Some(label)
    }

    /// The clock of these events is behind.
    fn drift(&mut self, of_round: &[usize]) {
        self.mischief.drifted = self.seq;
        let minutes = self.rng.random_range(DRIFT_MINUTES);
        let micros = minutes * 60_000_000;
        for &at in of_round {
            let event = &mut self.outbox[at];
            event.at = Timestamp::from_micros(event.at.micros() - micros);
        }
    }

    /// The number of an event is used again, for something else.
    fn contradict(&mut self, at: usize) {
        let mut other = self.outbox[at].clone();
        other.body = Clock {}.into();
        self.outbox.insert(at + 1, other);
    }

    /// Was the event that goes out now damaged on its way?
    pub(crate) fn is_garbled(&mut self, event: &Event) -> bool {
        self.mischief.garbled.remove(&event.seq)
    }

    /// Who still waits for what was lost last is told that time has passed.
    pub(in crate::table) fn give_up_lost(&mut self) {
        if self.mischief.lost > 0 && self.mischief.lost + TOO_LATE > self.seq {
            self.clock += PATIENCE;
            self.send(None, Clock {}.into());
        }
    }

    /// Lets an event come that nobody waits for any more.
    pub(in crate::table) fn send_stale(&mut self, is_end: bool) {
        let is_due = |event: &Event| is_end || self.seq >= event.seq + TOO_LATE;
        if self.mischief.stale.as_ref().is_some_and(is_due) {
            self.outbox.extend(self.mischief.stale.take());
        }
    }
}
