//! Whether anything is missing: after all files have been read.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use catwalk_proof::{Folder, Hash, Reader};

use super::lanes::lanes;
use super::verdict::Wrong;
use super::verify::{Tree, Verifier};
use super::views::Views;

impl Verifier<'_> {
    /// Rows beyond the heads that were read first: an archiver at work signs them soon.
    pub(super) fn check_late(&self, root: &Folder, patience: Duration) {
        let late = std::mem::take(&mut *self.late.lock().unwrap_or_else(PoisonError::into_inner));
        let keys = self.with(|found| found.keys.clone());
        let until = Instant::now() + patience;
        let size_now = |lane: u32| {
            let lanes = lanes(root).ok()?;
            let lane = lanes.into_iter().find(|known| known.index == lane)?;
            let head = lane.open_head(lane.head.as_ref()?, &keys).ok()?;
            Some((lane, head.size))
        };
        let is_growing = |late: &[(u32, u64, Hash, Wrong)]| {
            late.iter()
                .any(|(lane, leaf, ..)| size_now(*lane).is_none_or(|(_, size)| size <= *leaf))
        };
        while !late.is_empty() && is_growing(&late) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(250));
        }
        for (lane, leaf, hash, wrong) in late {
            let now = size_now(lane).filter(|(_, size)| *size > leaf);
            let is_sealed = now.is_some_and(|(lane, size)| {
                let there = Reader::new(&lane.folder, size).leaf(leaf);
                there.is_ok_and(|there| there == hash)
            });
            if !is_sealed {
                self.tell(wrong);
            }
        }
    }

    /// Every leaf but the first has a row, if it was not erased on record.
    pub(super) fn check_all_seen(&self) {
        let erased =
            std::mem::take(&mut *self.erased.lock().unwrap_or_else(PoisonError::into_inner));
        for tree in &self.lanes {
            let is_erased = |leaf: usize| erased.0.contains(&(tree.lane.index, leaf as u64));
            let lack = |leaf: usize| match is_erased(leaf) {
                true => None,
                false => Lack::of(tree, leaf),
            };
            let mut leaf = 1;
            while leaf < tree.seen.len() {
                if let Some(found) = lack(leaf) {
                    let same =
                        (leaf..tree.seen.len()).take_while(|leaf| lack(*leaf) == Some(found));
                    let count = same.count();
                    self.tell_missing(tree, leaf, count, found);
                    leaf += count;
                    continue;
                }
                if is_erased(leaf) {
                    match tree.has_row(leaf, Views::CUT.and(Views::NEWEST)) {
                        true => self.tell_there(tree.lane.index, leaf as u64),
                        false => self.with(|found| found.checked.erased += 1),
                    }
                }
                leaf += 1;
            }
        }
    }

    /// An erasure that was put on record and not done, or undone.
    fn tell_there(&self, lane: u32, leaf: u64) {
        self.tell(Wrong {
            lane: Some(lane),
            leaf: Some(leaf),
            ..Wrong::of(format!(
                "the row of leaf {leaf} of tree {lane} was erased, as an act on record says, and it is there: \
                 `catwalk erase` finishes what a crash has left"
            ))
        });
    }

    fn tell_missing(&self, tree: &Tree, leaf: usize, count: usize, lack: Lack) {
        let index = tree.lane.index;
        let rows = if count == 1 { "row is" } else { "rows are" };
        let (table, what) = match lack {
            Lack::Everywhere => {
                let (table, of) = among(tree, leaf, count);
                let what =
                    format!("{count} {rows} missing{of}: leaf {leaf} of tree {index} has no row");
                (table, what)
            }
            Lack::InCut => (
                tree.table_of(leaf),
                format!(
                    "{count} {rows} not in the last cut, from leaf {leaf} of tree {index} on, so that nobody who asks \
                     here finds them: an archiver at work brings them with its next flush; without one, the cut was \
                     set back"
                ),
            ),
            Lack::Newest => (
                tree.table_of(leaf),
                format!(
                    "{count} {rows} taken away behind the last cut, from leaf {leaf} of tree {index} on: whoever reads \
                     the newest version of the table does not find them"
                ),
            ),
        };
        let wrong = Wrong {
            table: table.map(str::to_owned),
            lane: Some(index),
            leaf: Some(leaf as u64),
            ..Wrong::of(what)
        };
        self.tell_many(wrong, count as u64);
    }
}

/// Who does not find the row of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lack {
    Everywhere,
    InCut,
    Newest,
}

impl Lack {
    fn of(tree: &Tree, leaf: usize) -> Option<Lack> {
        match (
            tree.has_row(leaf, Views::CUT),
            tree.has_row(leaf, Views::NEWEST),
        ) {
            (true, true) => None,
            (false, true) => Some(Lack::InCut),
            (true, false) => Some(Lack::Newest),
            (false, false) => Some(Lack::Everywhere),
        }
    }
}

/// Of which table rows were that are gone, as far as their neighbours tell. A whole commit that is gone lies between
/// those of two tables: of which it was, nobody can tell.
fn among(tree: &Tree, leaf: usize, count: usize) -> (Option<&'static str>, String) {
    let before = leaf.checked_sub(1).and_then(|leaf| tree.table_of(leaf));
    match (before, tree.table_of(leaf + count)) {
        (Some(before), Some(after)) if before == after => {
            (Some(before), format!(" of table {before}"))
        }
        (Some(before), Some(after)) => (None, format!(", between rows of {before} and of {after}")),
        (Some(before), None) => (None, format!(", after rows of {before}")),
        (None, _) => (None, String::new()),
    }
}
