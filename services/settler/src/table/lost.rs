//! Events that never came. Where wagers outlast their round, each may have told of one that is paid, taken or given
//! back in a later round.

use std::collections::{BTreeSet, VecDeque};

use catwalk_rules::Edition;
use catwalk_rules::book::Book;
use serde::{Deserialize, Serialize};

use super::{RulesInForce, Table};
use crate::judge;
use crate::settler::Output;

/// So many gaps are kept, the oldest first to go.
const MAX_GAPS: usize = 16;

/// The first and the last event of a gap, and how many of them may still have told of a wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Gap {
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) left: u64,
}

/// The gaps of a table since it opened.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Lost(VecDeque<Gap>);

impl Lost {
    pub(super) fn lose(&mut self, from: u64, to: u64) {
        let left = to - from + 1;
        self.0.push_back(Gap { from, to, left });
        if self.0.len() > MAX_GAPS {
            self.0.pop_front();
        }
    }

    /// What of it may have told of wagers that lie in a round under these rules.
    pub(super) fn of_wagers(&self, rules: &RulesInForce) -> Lost {
        let edition = Edition::from_name(&rules.edition);
        let outlast = Book::of(&rules.game).is_some_and(|book| book.keeps_wagers(edition));
        match outlast {
            true => self.clone(),
            false => Lost::default(),
        }
    }

    /// One event that may have told of a wager: it tells of no second one.
    pub(crate) fn take(&mut self) -> Option<Gap> {
        let gap = self.0.iter_mut().rev().find(|gap| gap.left > 0)?;
        gap.left -= 1;
        Some(*gap)
    }
}

impl Table {
    /// What a lost event may have told of was said: it tells of nothing else.
    pub(super) fn use_up(&mut self, said: &[Output]) {
        let wagers: BTreeSet<_> = said
            .iter()
            .filter_map(|output| match output {
                Output::Finding(finding) if judge::is_of_lost(finding) => finding.wager.as_ref(),
                _ => None,
            })
            .collect();
        for _ in wagers {
            self.lost.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_event_tells_of_one_wager() {
        let mut lost = Lost::default();
        lost.lose(7, 8);
        lost.lose(12, 12);
        let taken: Vec<_> = std::iter::from_fn(|| lost.take()).collect();
        let from: Vec<u64> = taken.iter().map(|gap| gap.from).collect();
        assert_eq!(from, [12, 7, 7]);
    }
}
