//! Which partitions of the log an archiver takes.

use std::collections::BTreeSet;

/// The partitions, by number, that an archiver takes of every topic: one tree is of all that come by one number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    lanes: BTreeSet<u32>,
    /// How many there are.
    pub(crate) of: u32,
}

impl Share {
    pub(crate) fn all(of: u32) -> Share {
        Share {
            lanes: (0..of).collect(),
            of,
        }
    }

    pub(crate) fn of(lanes: BTreeSet<u32>, of: u32) -> Share {
        Share { lanes, of }
    }

    pub(crate) fn has(&self, lane: u32) -> bool {
        self.lanes.contains(&lane)
    }

    pub(crate) fn lanes(&self) -> impl Iterator<Item = u32> + '_ {
        self.lanes.iter().copied()
    }

    /// Nobody else writes.
    pub(crate) fn is_all(&self) -> bool {
        self.lanes.len() == self.of as usize
    }

    /// Of several archivers one puts files together and keeps the heads of gaming days: the one that has the first
    /// partition, which the log gives to one at a time, and to another when that one is gone.
    pub(crate) fn leads(&self) -> bool {
        self.has(0)
    }
}
