//! Whether anything is missing: after all files have been read.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use catwalk_proof::{Folder, Hash, Reader};

use super::lanes::lanes;
use super::verdict::Wrong;
use super::verify::{Tree, Verifier};
use crate::TABLES;

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
            let has_row = |leaf: usize| tree.seen[leaf].load(Ordering::Relaxed) != 0;
            let mut leaf = 1;
            while leaf < tree.seen.len() {
                let missing = (leaf..tree.seen.len())
                    .take_while(|leaf| !has_row(*leaf) && !is_erased(*leaf))
                    .count();
                if missing > 0 {
                    self.tell_missing(tree, leaf, missing);
                    leaf += missing;
                    continue;
                }
                if is_erased(leaf) {
                    match has_row(leaf) {
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

    fn tell_missing(&self, tree: &Tree, leaf: usize, count: usize) {
        let table = |at: Option<usize>| {
            let mark = tree.seen.get(at?)?.load(Ordering::Relaxed);
            TABLES
                .get(usize::from(mark).checked_sub(1)?)
                .map(|table| table.name)
        };
        let neighbours = (table(leaf.checked_sub(1)), table(Some(leaf + count)));
        let index = tree.lane.index;
        // A whole commit that is gone lies between those of two tables: of which it was, nobody can tell.
        let (of, table) = match neighbours {
            (Some(before), Some(after)) if before == after => {
                (format!(" of table {before}"), Some(before))
            }
            (Some(before), Some(after)) => {
                (format!(", between rows of {before} and of {after}"), None)
            }
            (Some(before), None) => (format!(", after rows of {before}"), None),
            (None, _) => (String::new(), None),
        };
        let rows = if count == 1 { "row is" } else { "rows are" };
        self.tell_many(
            Wrong {
                table: table.map(str::to_owned),
                lane: Some(index),
                leaf: Some(leaf as u64),
                ..Wrong::of(format!(
                    "{count} {rows} missing{of}: leaf {leaf} of tree {index} has no row"
                ))
            },
            count as u64,
        );
    }
}
