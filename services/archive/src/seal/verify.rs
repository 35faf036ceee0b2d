//! Holds an archive against its trees: every row, every tile, every head.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use catwalk_events::audit::{CaseAction, Leaves};
use catwalk_proof::{Commitment, Folder, Hash, Reader};
use serde_json::Value;

use super::inside::Inside;
use super::keys::{key_notes, trusted_keys};
use super::lanes::{Lane, lanes};
use super::rows::{BATCH, Batch, Seal, fetch};
use super::shape;
use super::statistics::{Real, sha256_of};
use super::verdict::{OnRecord, Trust, Verified, VerifyProgress, Which, Wrong};
use super::views::{Seen, Views};
use crate::merge::{self, InOrder};
use crate::{Archive, DataFile, Result, TABLES, Table, TableVersion};

/// So many places that do not match are kept; all are counted.
const MOST_TOLD: usize = 1_000;

/// Verifies an archive. It may be written meanwhile.
pub fn verify(
    archive: &Archive,
    trust: &Trust,
    which: &Which,
    progress: &VerifyProgress,
) -> Result<Verified> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(crate::Error::Runtime)?;
    let root = archive.trees(trust.folder.as_deref())?;
    let verifier = Verifier::open(&root, trust, which);
    verifier.check_logs(archive);
    let mut reader = archive.reader();
    match runtime.block_on(reader.newest()) {
        Ok(tables) => {
            verifier.tables_there(&tables.missing);
            verifier.check_files(archive, &runtime, &tables.found, progress);
        }
        Err(error) => verifier.tell(Wrong::of(format!("the tables cannot be read: {error}"))),
    }
    verifier.check_late(&root, trust.patience);
    if verifier.with(|found| found.sealed) {
        verifier.check_before();
    }
    if which.is_all() {
        verifier.check_all_seen();
    }
    let mut verified = verifier
        .found
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    verified.partly = !which.is_all();
    Ok(verified)
}

pub(super) struct Verifier<'a> {
    which: &'a Which,
    pub(super) lanes: Vec<Tree>,
    found: Mutex<Verified>,
    /// Rows with leaves beyond the head that was read first.
    pub(super) late: Mutex<Vec<(u32, u64, Hash, Wrong)>>,
    /// Rows without a seal, by table: in the cut, and in its newest version.
    unsealed: Mutex<BTreeMap<&'static str, [u64; 2]>>,
    /// Leaves whose rows were erased, as sealed acts say.
    pub(super) erased: Mutex<Leaves>,
}

/// A lane whose head was believed.
pub(super) struct Tree {
    pub(super) lane: Lane,
    pub(super) size: u64,
    /// By leaf, the table whose row it is, counted from 1, and who sees it; 0: none was seen.
    pub(super) seen: Vec<AtomicU8>,
}

impl<'a> Verifier<'a> {
    fn open(root: &Folder, trust: &Trust, which: &'a Which) -> Verifier<'a> {
        let mut verifier = Verifier {
            which,
            lanes: Vec::new(),
            found: Mutex::default(),
            late: Mutex::default(),
            unsealed: Mutex::default(),
            erased: Mutex::default(),
        };
        let keys = key_notes(root).and_then(|notes| trusted_keys(&notes, &trust.keys));
        let keys = keys.unwrap_or_else(|error| {
            verifier.tell(Wrong::of(format!("the keys of the archive: {error}")));
            trust.keys.clone()
        });
        let found = lanes(root).unwrap_or_else(|error| {
            verifier.tell(Wrong::of(format!("the trees of the archive: {error}")));
            Vec::new()
        });
        let told = trust.keys.len() + trust.heads.len();
        verifier.with(|found| found.keys.clone_from(&keys));
        let sealed = !found.is_empty() || !keys.is_empty() || told > 0;
        verifier.with(|found| found.sealed = sealed);
        if sealed && found.is_empty() {
            let none =
                "there is no tree in the archive, and it has a key or there were heads of one";
            verifier.tell(Wrong::of(none.to_owned()));
        }
        for lane in found {
            if let Some(tree) = verifier.open_tree(lane, &keys) {
                verifier.lanes.push(tree);
            }
        }
        verifier.check_heads(&trust.heads, &keys, true);
        verifier.check_days(root, &keys);
        verifier
    }

    fn tables_there(&self, missing: &[&'static str]) {
        let began = |table: &str| {
            self.lanes
                .iter()
                .any(|tree| tree.lane.before.contains_key(table))
        };
        for table in missing.iter().filter(|table| began(table)) {
            self.tell(Wrong {
                table: Some((*table).to_owned()),
                ..Wrong::of(format!("table {table} is missing"))
            });
        }
    }

    /// All files, on as many threads as there are cores.
    fn check_files(
        &self,
        archive: &Archive,
        runtime: &tokio::runtime::Runtime,
        versions: &[Arc<TableVersion>],
        progress: &VerifyProgress,
    ) {
        let mut files = self.files_of(archive, runtime, versions);
        files.retain(|seen| self.which.holds(seen.table.name, &seen.file));
        let of_bytes = files.iter().map(|seen| seen.file.bytes).sum();
        progress.of_bytes.store(of_bytes, Ordering::Relaxed);
        let next = AtomicUsize::new(0);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..threads.min(files.len()) {
                scope.spawn(|| {
                    while let Some(seen) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                        self.check_file(archive, runtime, seen);
                        progress.bytes.fetch_add(seen.file.bytes, Ordering::Relaxed);
                    }
                });
            }
        });
    }

    fn check_file(&self, archive: &Archive, runtime: &tokio::runtime::Runtime, seen: &Seen) {
        let (table, file) = (seen.table, &seen.file);
        let wrong = |what: String| Wrong {
            table: Some(table.name.to_owned()),
            file: Some(file.path.clone()),
            ..Wrong::of(what)
        };
        self.with(|found| {
            found.checked.files += 1;
            found.checked.bytes += file.bytes;
        });
        let input = match runtime.block_on(fetch(archive, table, file)) {
            Ok(input) => input,
            Err(error) => return self.tell(wrong(format!("it cannot be read: {error}"))),
        };
        let hash = match sha256_of(&input.path) {
            Ok(hash) => hash,
            Err(error) => return self.tell(wrong(format!("it cannot be read: {error}"))),
        };
        if let Some(what) = shape::odd_place(file) {
            self.tell(wrong(what));
        }
        let has_seals = AtomicBool::new(false);
        if file.sha256.as_ref().is_some_and(|noted| *noted != hash) {
            let what =
                format!("its bytes are not those that were written: their SHA-256 is {hash}");
            self.tell(wrong(what));
        }
        // What was damaged on purpose may lead a reader astray.
        let read = catch_unwind(AssertUnwindSafe(|| {
            self.check_rows(seen, &input, &has_seals)
        }));
        match read {
            Ok(Ok((real, inside))) => {
                for differs in real.differs(table, file).into_iter().chain(inside) {
                    self.tell(wrong(differs));
                }
            }
            Ok(Err(error)) => self.tell(wrong(format!("it cannot be read: {error}"))),
            Err(_) => self.tell(wrong(
                "it cannot be read: its bytes make no sense".to_owned(),
            )),
        }
        // An object store keeps hashes of its own, and the log has none.
        if file.sha256.is_none() && has_seals.into_inner() && archive.folder().is_some() {
            self.tell(wrong(
                "the log does not have its hash, and it has sealed rows".to_owned(),
            ));
        }
    }

    fn check_rows(
        &self,
        seen: &Seen,
        input: &merge::Input,
        has_seals: &AtomicBool,
    ) -> Result<(Real, Vec<String>)> {
        let (table, file) = (seen.table, &seen.file);
        let readers: Vec<Reader<'_, Folder>> = self
            .lanes
            .iter()
            .map(|tree| Reader::new(&tree.lane.folder, tree.size))
            .collect();
        let mut real = Real::default();
        let mut inside = Inside::of(table, &input.path)?;
        let mut order = InOrder::of(table)?;
        let mut json = Vec::new();
        let may_be_before = self.before(table) > 0 || self.with(|found| !found.sealed);
        let mut before = 0;
        for rows in merge::read(table, input, BATCH, None)? {
            let rows = match rows {
                Ok(rows) => rows,
                Err(error) => {
                    self.tell_unreadable(table, file, inside.bytes_of(real.rows), &error);
                    break;
                }
            };
            let batch = Batch::of(table, &rows)?;
            for row in 0..rows.num_rows() {
                json.clear();
                batch.canonical.write(row, &mut json);
                let place = Place {
                    seen,
                    row: real.rows + row as u64 + 1,
                    bytes: inside.bytes_of(real.rows + row as u64),
                    json: &json,
                };
                match batch.seal(row) {
                    Seal::Whole(lane, leaf, salt) => {
                        has_seals.store(true, Ordering::Relaxed);
                        let hash = Commitment::new(salt, table.name, &json).leaf();
                        if self.check_leaf(&readers, &place, lane, leaf, hash) {
                            self.note_erasure(table, &json);
                        }
                    }
                    Seal::None if may_be_before => before += 1,
                    Seal::None => self.tell(place.wrong("a row without a seal".to_owned())),
                    Seal::Broken => self.tell(place.wrong("half a seal".to_owned())),
                }
            }
            if file.sorted {
                order.add(&rows)?;
            }
            inside.add(real.rows, &rows);
            real.add(table, &rows);
        }
        self.with(|found| {
            found.checked.rows += real.rows;
            found.checked.before += before;
        });
        let mut unsealed = self.unsealed.lock().unwrap_or_else(PoisonError::into_inner);
        let counted = unsealed.entry(table.name).or_default();
        for (count, view) in counted.iter_mut().zip([Views::CUT, Views::NEWEST]) {
            *count += before * u64::from(seen.views.has(view));
        }
        drop(unsealed);
        let lies = lies(table, inside.lies(real.rows), &order);
        Ok((real, lies))
    }

    /// Where a file ceases to make sense; the rows before were looked at.
    fn tell_unreadable(
        &self,
        table: &'static Table,
        file: &DataFile,
        bytes: Option<std::ops::Range<u64>>,
        error: &crate::Error,
    ) {
        self.tell(Wrong {
            table: Some(table.name.to_owned()),
            file: Some(file.path.clone()),
            bytes,
            ..Wrong::of(format!("it cannot be read: {error}"))
        });
    }

    /// How many rows a table had when the archive began to be sealed.
    fn before(&self, table: &Table) -> u64 {
        let first = self.lanes.iter().find(|tree| tree.lane.index == 0);
        first
            .and_then(|tree| tree.lane.before.get(table.name))
            .copied()
            .unwrap_or(0)
    }

    /// No more rows are without a seal than were there before.
    fn check_before(&self) {
        let counted =
            std::mem::take(&mut *self.unsealed.lock().unwrap_or_else(PoisonError::into_inner));
        for (name, [cut, newest]) in counted {
            let there = cut.max(newest);
            let known = Table::named(name).map_or(0, |table| self.before(table));
            if there > known {
                let what = format!(
                    "{there} rows of {name} have no seal, and only {known} are from before it was sealed: a row \
                     without a seal was added"
                );
                self.tell(Wrong {
                    table: Some(name.to_owned()),
                    ..Wrong::of(what)
                });
            }
        }
    }

    fn check_leaf(
        &self,
        readers: &[Reader<'_, Folder>],
        place: &Place<'_>,
        lane: u32,
        leaf: u64,
        hash: Hash,
    ) -> bool {
        let wrong = |what: String| Wrong {
            lane: Some(lane),
            leaf: Some(leaf),
            ..place.wrong(what)
        };
        let known = self.lanes.iter().zip(readers);
        let mut known = known.filter(|(tree, _)| tree.lane.index == lane);
        let Some((tree, reader)) = known.next() else {
            // It was sealed once, whatever has become of the trees.
            self.with(|found| found.sealed = true);
            self.tell(wrong(format!(
                "its tree {lane} is not there, or is not to be believed"
            )));
            return false;
        };
        let index = usize::try_from(leaf).ok();
        let Some(index) = index.filter(|index| *index < tree.seen.len()) else {
            let late = (
                lane,
                leaf,
                hash,
                wrong("the row is not in the tree".to_owned()),
            );
            let mut rows = self.late.lock().unwrap_or_else(PoisonError::into_inner);
            if rows.len() < MOST_TOLD {
                rows.push(late);
                return false;
            }
            drop(rows);
            self.tell(late.3);
            return false;
        };
        let mut holds = false;
        match reader.leaf(leaf) {
            Ok(there) if there == hash => holds = true,
            Ok(_) => self.tell(wrong(format!(
                "the row is not what leaf {leaf} of tree {lane} was made from"
            ))),
            Err(error) => self.tell(wrong(format!("its leaf cannot be read: {error}"))),
        }
        let mark = TABLES
            .iter()
            .position(|table| table.name == place.seen.table.name);
        let mark = mark.map_or(0, |mark| mark as u8 + 1);
        if !tree.see(index, mark, place.seen.views) {
            self.tell(wrong(format!(
                "a second row has leaf {leaf} of tree {lane}"
            )));
        }
        holds
    }

    /// A sealed act may say that rows were erased.
    fn note_erasure(&self, table: &Table, json: &[u8]) {
        if table.name != "cases" {
            return;
        }
        let act: Value = serde_json::from_slice(json).unwrap_or_default();
        let text = |name: &str| act[name].as_str().unwrap_or_default().to_owned();
        if text("action") != CaseAction::Erase.name() {
            return;
        }
        let Some(leaves) = Leaves::read(&text("leaves")) else {
            return self.tell(Wrong {
                table: Some(table.name.to_owned()),
                id: Some(text("id")),
                ..Wrong::of("an act of erasure does not say which leaves".to_owned())
            });
        };
        self.with(|found| {
            found.erasures.push(OnRecord {
                at: act["at"].as_i64().unwrap_or_default(),
                operator: text("operator"),
                authority: text("authority"),
                rows: leaves.0.len() as u64,
            });
        });
        let mut erased = self.erased.lock().unwrap_or_else(PoisonError::into_inner);
        erased.0.extend(leaves.0);
    }

    pub(super) fn tell(&self, wrong: Wrong) {
        self.tell_many(wrong, 1);
    }

    pub(super) fn tell_many(&self, wrong: Wrong, count: u64) {
        self.with(|found| {
            found.wrong_count += count;
            if found.wrong.len() < MOST_TOLD {
                found.wrong.push(wrong);
            }
        });
    }

    pub(super) fn with<T>(&self, act: impl FnOnce(&mut Verified) -> T) -> T {
        act(&mut self.found.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What is said of a file's rows, by itself and by the log, and is not so.
fn lies(table: &Table, mut lies: Vec<String>, order: &InOrder) -> Vec<String> {
    if !order.holds() {
        let by = table.sorted_by.join(", ");
        lies.push(format!(
            "the log says that its rows are in the order of {by}, and they are not"
        ));
    }
    lies
}

struct Place<'a> {
    seen: &'a Seen,
    row: u64,
    /// Of the row group that it is in.
    bytes: Option<std::ops::Range<u64>>,
    json: &'a [u8],
}

impl Place<'_> {
    fn wrong(&self, what: String) -> Wrong {
        let row: Value = serde_json::from_slice(self.json).unwrap_or_default();
        let id = ["id", "finding", "round"]
            .iter()
            .find_map(|key| row[*key].as_str());
        Wrong {
            table: Some(self.seen.table.name.to_owned()),
            file: Some(self.seen.file.path.clone()),
            row: Some(self.row),
            bytes: self.bytes.clone(),
            id: id.map(str::to_owned),
            ..Wrong::of(what)
        }
    }
}
