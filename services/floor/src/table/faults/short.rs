//! A table that is open for a few rounds at a time: at each count a little is missing, too little for one to tell.

use catwalk_rules::floor::Cents;

use crate::fault::FaultKind;
use crate::table::Table;
use crate::table::day::MINUTE;

/// So many rounds it is open, and so long closed.
const ROUNDS: u64 = 12;
const PAUSE: i64 = 10 * MINUTE;
/// What is missing each time.
const LITTLE: Cents = Cents::new(2_500);
/// An audit holds a count against what it was told when so many rounds were told.
const TELLING_ROUNDS: u64 = 50;

/// What is missing by now, and the counts that were told without it.
#[derive(Debug, Default)]
pub(super) struct Openings {
    missing: Cents,
    counts: Vec<u64>,
}

impl Table {
    /// From now on the table opens for a few rounds at a time. False if it does, or did, already, or if nobody knows
    /// its chips.
    pub(in crate::table) fn open_shortly(&mut self) -> bool {
        let is_new = self.mischief.openings.is_none() && !self.mischief.since.unclear;
        self.mischief.openings.get_or_insert_default();
        is_new
    }

    /// Is it time to close?
    pub(in crate::table) fn has_played_enough(&self) -> bool {
        let is_at_it =
            |openings: &Openings| openings.counts.is_empty() || openings.missing.is_positive();
        self.mischief.openings.as_ref().is_some_and(is_at_it)
            && self.mischief.since.rounds >= ROUNDS
    }

    /// It closes for some minutes.
    pub(in crate::table) fn close_for_a_while(&mut self) {
        self.clear("end_of_day");
        self.collect_owed(false);
        self.close();
        self.rest_until(self.clock + PAUSE);
    }

    /// A little of what is in the tray is not there when the table closes: what is told of it.
    pub(in crate::table) fn take_a_little(&mut self, tray: Cents) -> Cents {
        let is_clear = !self.mischief.since.unclear && tray > LITTLE;
        let next = self.seq + 1;
        let Some(openings) = self.mischief.openings.as_mut().filter(|_| is_clear) else {
            return tray;
        };
        if openings.counts.is_empty() || openings.missing.is_positive() {
            openings.missing += LITTLE;
            openings.counts.push(next);
            self.money.tray -= LITTLE;
            if self.rounds >= TELLING_ROUNDS {
                self.tell_openings();
            }
        }
        self.money.tray
    }

    /// The count that is told next is one that is judged.
    fn tell_openings(&mut self) {
        let Some(openings) = &mut self.mischief.openings else {
            return;
        };
        let missing = std::mem::take(&mut openings.missing);
        let counts = openings.counts.clone();
        self.book(FaultKind::ShortOpenings, missing, "tray.short");
        if let Some(label) = self.labels.last_mut() {
            label.seqs = counts;
        }
    }
}
