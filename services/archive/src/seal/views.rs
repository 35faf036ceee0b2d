//! Who asks here finds the tables as the last cut has them; who reads Delta Lake by other means finds their newest
//! versions. Both must be shown what was sealed: a commit behind the cut would show others what nobody here ever sees.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::runtime::Runtime;

use super::verdict::Wrong;
use super::verify::{Tree, Verifier};
use crate::{Archive, DataFile, TABLES, Table, TableVersion};

/// In which of the two a file is, or the row of a leaf was seen: a bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Views(u8);

impl Views {
    pub(super) const CUT: Views = Views(0x40);
    pub(super) const NEWEST: Views = Views(0x80);
    const BOTH: u8 = Views::CUT.0 | Views::NEWEST.0;

    pub(super) fn and(self, other: Views) -> Views {
        Views(self.0 | other.0)
    }

    pub(super) fn has(self, other: Views) -> bool {
        self.0 & other.0 != 0
    }
}

/// A file that is read, and by whom.
pub(super) struct Seen {
    pub(super) table: &'static Table,
    pub(super) file: DataFile,
    pub(super) views: Views,
}

impl Tree {
    /// Notes that the row of a leaf is there, of the table with this number from 1 on. False where another one has been
    /// seen already.
    pub(super) fn see(&self, leaf: usize, table: u8, views: Views) -> bool {
        let before = self.seen[leaf].fetch_or(table | views.0, Ordering::Relaxed);
        before & views.0 == 0
    }

    /// Whether the row of a leaf is there for whoever sees this.
    pub(super) fn has_row(&self, leaf: usize, views: Views) -> bool {
        self.seen[leaf].load(Ordering::Relaxed) & views.0 != 0
    }

    /// The table whose row a leaf is, if one was seen.
    pub(super) fn table_of(&self, leaf: usize) -> Option<&'static str> {
        let mark = self.seen.get(leaf)?.load(Ordering::Relaxed) & !Views::BOTH;
        let table = TABLES.get(usize::from(mark).checked_sub(1)?);
        table.map(|table| table.name)
    }
}

impl Verifier<'_> {
    /// The files of both views, those that are in both once.
    pub(super) fn files_of(
        &self,
        archive: &Archive,
        runtime: &Runtime,
        cut: &[Arc<TableVersion>],
    ) -> Vec<Seen> {
        let mut all = Vec::new();
        for table in TABLES {
            let found = cut.iter().find(|version| version.table == table.name);
            let newest = runtime.block_on(archive.newest_of(table));
            let newest = newest.unwrap_or_else(|error| {
                self.tell(Wrong {
                    table: Some(table.name.to_owned()),
                    ..Wrong::of(format!("its newest version cannot be read: {error}"))
                });
                None
            });
            let files = found.map_or(&[][..], |version| &version.files);
            let newer = newest.map_or(Vec::new(), |version| version.files);
            let in_cut = files.iter().map(|file| Seen {
                table,
                file: file.clone(),
                views: match newer.contains(file) {
                    true => Views::CUT.and(Views::NEWEST),
                    false => Views::CUT,
                },
            });
            all.extend(in_cut);
            let only_newer = newer.iter().filter(|file| !files.contains(file));
            all.extend(only_newer.map(|file| Seen {
                table,
                file: file.clone(),
                views: Views::NEWEST,
            }));
        }
        all
    }
}
