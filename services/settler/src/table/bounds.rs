//! What is kept of a table is bounded in bytes, whatever its feed sends.
//!
//! A table is weighed where its events say so, never by a clock or by the moment of a snapshot: a feed
//! gives the same findings however it is cut.

use catwalk_events::Timestamp;

use super::Table;
use crate::settler::{Laws, Output};
use crate::snapshot;
use crate::standing::Standing;
use crate::watch::Watch;

/// A table that keeps more than this gives up its open rounds and what waits for missing events. An
/// ordinary one keeps some kilobytes.
const MAX_TABLE_BYTES: usize = 256 * 1024;
/// A table is weighed each time that so many bytes of events have come.
const WEIGH_AFTER_BYTES: usize = 64 * 1024;

impl Table {
    /// Counts an event of so many bytes, and sees to it that the table stays within its bounds.
    pub(super) fn grow(&mut self, bytes: usize, at: Timestamp, laws: &Laws, out: &mut Vec<Output>) {
        self.unweighed = self.unweighed.saturating_add(bytes);
        if self.unweighed < WEIGH_AFTER_BYTES {
            return;
        }
        self.unweighed = 0;
        let weight = self.weight();
        if weight <= MAX_TABLE_BYTES {
            return;
        }
        self.finish(laws, out);
        let rounds = std::mem::take(&mut self.rounds);
        self.carried.clear();
        if self.weight() > MAX_TABLE_BYTES {
            self.watch = Watch::default();
            self.standing = Standing::default();
        }
        let opened: Vec<u64> = rounds.values().map(|round| round.opened_seq).collect();
        let message = format!(
            "The table keeps {weight} bytes, at most {MAX_TABLE_BYTES} are allowed: {} open rounds are \
             given up",
            opened.len()
        );
        self.feed_finding("table.overgrown", at, opened, message, out);
    }

    /// A state that cannot be weighed is taken to be too heavy.
    fn weight(&self) -> usize {
        snapshot::weigh(self).unwrap_or(usize::MAX)
    }
}
