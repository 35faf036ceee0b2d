//! Events that never came. Where wagers outlast their round, each may have told of one that is paid, taken or given
//! back in a later round; and what lies in a round that is not judged for want of it is lost sight of.

use std::collections::{BTreeMap, VecDeque};

use catwalk_rules::Edition;
use catwalk_rules::book::Book;
use serde::{Deserialize, Serialize};

use super::{RulesInForce, Table};
use crate::judge;
use crate::round::RoundFold;
use crate::settler::Output;

/// So many gaps are kept, the oldest first to go.
const MAX_GAPS: usize = 16;
/// So many wagers are excused by them.
const MAX_WAGERS: usize = 256;

/// The first and the last event of a gap, and how many of them may still have told of a wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Gap {
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) left: u64,
}

/// What never came at a table since it opened.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Lost {
    gaps: VecDeque<Gap>,
    /// The wagers of which one of them may have told, or that were lost sight of for want of them.
    wagers: BTreeMap<String, Gap>,
}

impl Lost {
    pub(super) fn lose(&mut self, from: u64, to: u64) {
        let left = to - from + 1;
        self.gaps.push_back(Gap { from, to, left });
        if self.gaps.len() > MAX_GAPS {
            self.gaps.pop_front();
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

    /// A round that is not judged for want of an event loses sight of what lies in it.
    pub(super) fn forget(&mut self, wagers: Vec<String>) {
        let Some(gap) = self.gaps.back() else {
            return;
        };
        for wager in wagers {
            if self.wagers.len() < MAX_WAGERS {
                self.wagers.entry(wager).or_insert(*gap);
            }
        }
    }

    /// The gap that may have told of a wager: an event tells of no second one.
    pub(crate) fn take(&mut self, wager: &str) -> Option<Gap> {
        if let Some(gap) = self.wagers.get(wager) {
            return Some(*gap);
        }
        let gap = self.gaps.iter_mut().rev().find(|gap| gap.left > 0)?;
        if self.wagers.len() >= MAX_WAGERS {
            return None;
        }
        gap.left -= 1;
        let gap = *gap;
        self.wagers.insert(wager.to_owned(), gap);
        Some(gap)
    }
}

/// The wagers of a round that is not judged which nobody has settled.
pub(super) fn left_in(round: &RoundFold) -> Vec<String> {
    let left = round.wagers.iter().filter(|wager| !wager.is_touched());
    match round.is_told() {
        true => Vec::new(),
        false => left.map(|wager| wager.id.clone()).collect(),
    }
}

impl Table {
    /// What a lost event may have told of was said: it tells of nothing else.
    pub(super) fn use_up(&mut self, said: &[Output]) {
        for output in said {
            if let Output::Finding(finding) = output
                && judge::is_of_lost(finding)
                && let Some(wager) = &finding.wager
            {
                self.lost.take(wager);
            }
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
        let mut of = |wager: &str| lost.take(wager).map(|gap| gap.from);
        assert_eq!(
            ["a", "b", "a", "c", "d"].map(&mut of),
            [Some(12), Some(7), Some(12), Some(7), None]
        );
    }
}
