//! How the prizes of a round move the meter, and what it shows after them. 14(e)-(g); P 1.B, P 6

use catwalk_events::Event;
use catwalk_events::body::Body;
use catwalk_rules::Verdict;
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};

use super::meter;
use super::payments::{is_off_meter, reset};
use crate::fault::Fault;
use crate::games::End;
use crate::judge::due;
use crate::round::RoundFold;

const CODE: &str = "progressive.meter_mismatch";
/// No more than this is fed to a meter from all its tables until it is read again, if that is soon.
const FED: Cents = Cents::new(100_000);
/// So many microseconds after its round opened a prize shows at the next reading still.
const SOON: i64 = 10 * 60 * 1_000_000;

/// What the prizes of a round make of the meter.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Moved {
    before: Cents,
    /// Where they leave it, by what was due and by what was paid.
    due: Cents,
    paid: Cents,
    /// A tenth or all of it is among them.
    has_share: bool,
    /// All of it was won, and it starts again from here.
    reset: Option<Cents>,
    /// The sum of those that leave it alone.
    fixed: Cents,
    /// What the round's own wagers may have fed to it.
    stakes: Cents,
    wager: String,
    /// The last of them was paid.
    seq: u64,
    opened_at: i64,
}

impl Moved {
    fn by(end: &End<'_>) -> Option<Moved> {
        let round = end.round;
        let (before, settlement) = (meter::shown(round)?, end.settlement?);
        let won = meter::progressives(round).filter_map(|wager| {
            let due = due(settlement, &wager.id).filter(|due| due.result == Verdict::Win)?;
            Some((wager, due.returned, wager.paid_seq?))
        });
        let mut won: Vec<_> = won.collect();
        won.sort_by_key(|(_, _, seq)| *seq);
        let (last, _, seq) = *won.last()?;
        let mut moved = Moved {
            before,
            due: before,
            paid: before,
            has_share: false,
            reset: None,
            fixed: Cents::ZERO,
            stakes: meter::progressives(round).map(|wager| wager.amount).sum(),
            wager: last.id.clone(),
            seq,
            opened_at: round.opened_at.micros(),
        };
        for (wager, prize, _) in won {
            let is_whole = prize == moved.due;
            let is_tenth = prize == Cents::new(moved.due.get() / 10);
            moved.has_share |= is_whole || is_tenth;
            if is_whole {
                let start = reset(round);
                (moved.due, moved.paid, moved.reset) = (start, start, Some(start));
            } else if is_tenth || is_off_meter(round, wager, prize) {
                moved.due = (moved.due - prize).max(Cents::ZERO);
                moved.paid = (moved.paid - wager.paid).max(Cents::ZERO);
            } else {
                moved.fixed += prize;
            }
        }
        Some(moved)
    }

    /// Other tables feed and win from the same meter, so that only what no play elsewhere explains is
    /// said. `at_once`: it is read before the round is over.
    fn check(&self, after: Cents, at_once: bool) -> Option<String> {
        let before = self.before;
        if self.due == before && self.paid == before && !self.has_share {
            let fallen = before - after;
            let is_moved =
                fallen.is_positive() && (self.fixed - self.stakes..=self.fixed).contains(&fallen);
            return is_moved
                .then(|| format!("A fixed prize moved the meter from {before} to {after}"));
        }
        // Nobody but this table fed a meter that has not risen by more than its stakes.
        let is_lower = after < before || !self.has_share && after > before + self.stakes;
        let is_reset = self.reset.is_none_or(|reset| after >= reset || !at_once);
        let is_left = |at: Cents| (is_lower || at >= before) && after <= at + FED;
        let is_right = is_reset && (is_left(self.due) || is_left(self.paid));
        (!is_right).then(|| format!("Prizes off the meter left it at {after}; it was {before}"))
    }

    fn fault(&self, after: Cents, read: u64, at_once: bool) -> Option<Fault> {
        let message = self.check(after, at_once)?;
        let fault = Fault::new(CODE, vec![self.seq, read], message);
        Some(fault.of_wager(&self.wager))
    }

    fn is_soon(&self, at: i64) -> bool {
        at.saturating_sub(self.opened_at) <= SOON
    }
}

/// The meter after the prizes of a round against the meter before: as it was read after the last of them,
/// or else when the next round opened.
pub(super) fn check(kept: &mut Option<Moved>, end: &End<'_>, faults: &mut Vec<Fault>) {
    let round = end.round;
    let earlier = kept.take();
    let earlier = earlier.filter(|moved| moved.is_soon(round.opened_at.micros()));
    if let Some((moved, opened)) = earlier.zip(meter::opened_with(round)) {
        faults.extend(moved.fault(opened, round.opened_seq, false));
    }
    let Some(moved) = Moved::by(end) else { return };
    match last_read(round, moved.seq) {
        Some((read, after)) => faults.extend(moved.fault(after, read, true)),
        None => *kept = Some(moved),
    }
}

/// The meter is read when the round is over: true if that says something of its prizes.
pub(super) fn see(kept: &mut Option<Moved>, event: &Event, faults: &mut Vec<Fault>) -> bool {
    let Body::MeterRead(read) = &event.body else {
        return false;
    };
    let Some(moved) = kept.take() else {
        return false;
    };
    if moved.is_soon(event.at.micros()) {
        faults.extend(moved.fault(read.amount, event.seq, false));
    }
    true
}

fn last_read(round: &RoundFold, since: u64) -> Option<(u64, Cents)> {
    let readings = meter::readings(round).filter(|(seq, _)| *seq > since);
    readings.last()
}
