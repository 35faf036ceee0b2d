//! The trees while they grow.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use arrow::array::{ArrayRef, BinaryBuilder, Int64Array, RecordBatch, new_null_array};
use arrow::datatypes::DataType;
use catwalk_proof::log::{last_head, seal_all};
use catwalk_proof::note::Note;
use catwalk_proof::{Checkpoint, Commitment, Folder, Hash, Log, Salt, Storage as _, tree};

use super::canonical::Canonical;
use super::keys::open_keys;
use super::rows::leaves_from;
use super::{SealError, SealSettings};
use crate::ledger::Ledger;
use crate::share::Share;
use crate::{Archive, Result, Table};

/// Lanes that an archive may have: partitions of a topic.
const MOST_LANES: u32 = 1_024;
/// Says what there was when a lane began. Its hash is leaf 0.
const BEGAN: &str = "began";
const BEGAN_LINE: &str = "catwalk lane v1";

/// A lane as it lies on the disk.
#[derive(Clone, Debug)]
pub struct Lane {
    pub index: u32,
    pub folder: Folder,
    /// How many rows each table had when the archive began to be sealed: they have no seals.
    pub before: BTreeMap<String, u64>,
    /// The first leaf, as it lies there.
    pub first: Hash,
    /// The last signed head, not yet believed.
    pub head: Option<Note>,
}

/// The lanes that lie in a folder.
pub fn lanes(root: &Folder) -> std::result::Result<Vec<Lane>, SealError> {
    let mut lanes = Vec::new();
    for index in 0..MOST_LANES {
        let folder = Folder::new(root.path().join(name_of(index)));
        let path = folder.path().join(BEGAN);
        let Some(text) = folder.read(BEGAN).map_err(SealError::disk(&path))? else {
            // A lane may have lost all but its head.
            match last_head(&folder)? {
                None => break,
                Some(head) => {
                    lanes.push(Lane {
                        index,
                        folder,
                        before: BTreeMap::new(),
                        first: tree::empty(),
                        head: Some(head),
                    });
                    continue;
                }
            }
        };
        let began = String::from_utf8_lossy(&text);
        let began = began.lines().filter_map(|line| line.split_once(' '));
        let before = began.filter_map(|(table, rows)| Some((table.to_owned(), rows.parse().ok()?)));
        lanes.push(Lane {
            index,
            before: before.collect(),
            first: tree::leaf(&text),
            head: last_head(&folder)?,
            folder,
        });
    }
    Ok(lanes)
}

/// The name of a lane: of its folder, and behind that of the house in its heads.
pub(super) fn name_of(lane: u32) -> String {
    format!("{lane:03}")
}

/// Whose tree a lane is.
pub(super) fn origin(house: &str, lane: u32) -> String {
    format!("{house}/{}", name_of(lane))
}

impl Lane {
    /// What its head says, if one of these keys has signed it.
    pub fn open_head(
        &self,
        note: &Note,
        keys: &[catwalk_proof::VerifyingKey],
    ) -> std::result::Result<Checkpoint, SealError> {
        let mut failed = None;
        for key in keys.iter().rev() {
            let key = key.named(&origin(key.name(), self.index))?;
            match Checkpoint::open(note, &key, &[]) {
                Ok((head, _)) => return Ok(head),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        Err(failed.map_or(SealError::KeyNote, SealError::from))
    }
}

/// Gives rows their leaves, and signs the trees.
#[derive(Debug)]
pub(crate) struct Sealer {
    lanes: BTreeMap<u32, Log<Folder>>,
    /// The number that the next row of each lane gets.
    next: BTreeMap<u32, u64>,
    settings: SealSettings,
    /// Where the trees are.
    root: Folder,
    last: Instant,
}

/// The leaves of rows, which are part of the trees once the rows are committed.
#[derive(Default)]
pub(crate) struct Leaves {
    /// By lane, in the order of their numbers.
    hashes: BTreeMap<u32, Vec<Hash>>,
    /// The numbers that come next in those lanes.
    pub(crate) next: BTreeMap<u32, u64>,
}

/// Rows as a table is written with them, without seals.
pub(crate) fn unsealed(table: &Table, rows: &RecordBatch) -> Result<RecordBatch> {
    let mut columns = rows.columns().to_vec();
    let numbers = new_null_array(&DataType::Int64, rows.num_rows());
    columns.extend([numbers.clone(), numbers]);
    columns.push(new_null_array(&DataType::Binary, rows.num_rows()));
    Ok(RecordBatch::try_new(table.sealed_schema(), columns)?)
}

impl Sealer {
    /// Opens the trees of a share, and completes those that a crash has left behind. All that are not there yet are
    /// begun, those of others too: what was there before is counted when nothing is sealed yet.
    pub(crate) async fn open(
        archive: &Archive,
        settings: &SealSettings,
        sync: bool,
        ledgers: &[&Ledger],
        share: &Share,
    ) -> Result<Sealer> {
        let mut root = archive.trees(settings.folder.as_deref())?;
        if !sync {
            root = root.unsynced();
        }
        let (key, earlier) = open_keys(&root, &settings.key, &settings.name)?;
        let house = key.verifying().name().to_owned();
        let mut sealer = Sealer {
            lanes: BTreeMap::new(),
            next: BTreeMap::new(),
            settings: settings.clone(),
            root: root.clone(),
            last: Instant::now(),
        };
        for lane in 0..share.of {
            let mut folder = Folder::new(root.path().join(name_of(lane)));
            if !sync {
                folder = folder.unsynced();
            }
            let is_own = share.has(lane);
            if !is_own && last_head(&folder).map_err(SealError::from)?.is_some() {
                continue;
            }
            let first = begin(&folder, lane, ledgers)?;
            let name = origin(&house, lane);
            let key = key.named(&name).map_err(SealError::from)?;
            let earlier: std::result::Result<Vec<_>, _> =
                earlier.iter().map(|key| key.named(&name)).collect();
            let earlier = earlier.map_err(SealError::from)?;
            let mut log = Log::open_after(folder, key, &earlier).map_err(SealError::from)?;
            if log.size() == 0 {
                log.append([first]).map_err(SealError::from)?;
            }
            if !is_own {
                log.seal().map_err(SealError::from)?;
                continue;
            }
            let next = ledgers
                .iter()
                .filter_map(|ledger| ledger.next_leaf(lane))
                .max();
            sealer.next.insert(lane, next.unwrap_or(1));
            sealer.lanes.insert(lane, log);
        }
        sealer.complete(ledgers).await?;
        sealer.sign()?;
        Ok(sealer)
    }

    /// Adds to each tree the leaves of rows that were committed and not sealed.
    async fn complete(&mut self, ledgers: &[&Ledger]) -> Result<()> {
        let mut from = BTreeMap::new();
        for (lane, log) in &self.lanes {
            let (tree, rows) = (log.size(), self.next[lane]);
            if tree > rows {
                let lane = *lane;
                return Err(SealError::Beyond { lane, tree, rows }.into());
            }
            if tree < rows {
                from.insert(*lane, tree);
            }
        }
        if from.is_empty() {
            return Ok(());
        }
        let mut leaves: BTreeMap<(u32, u64), Hash> = BTreeMap::new();
        for ledger in ledgers {
            leaves.extend(leaves_from(ledger, &from).await?);
        }
        for (&lane, &from) in &from {
            let Some(log) = self.lanes.get_mut(&lane) else {
                continue;
            };
            for leaf in from..self.next[&lane] {
                let hash = leaves.get(&(lane, leaf)).copied();
                let hash = hash.ok_or(SealError::Lost { lane, leaf })?;
                log.append([hash]).map_err(SealError::from)?;
            }
        }
        Ok(())
    }

    /// Numbers rows and salts them. They are to be committed in this order, and their leaves [taken](Sealer::take)
    /// then.
    pub(crate) fn seal(
        &mut self,
        table: &'static Table,
        rows: &RecordBatch,
        lanes: &[u32],
    ) -> Result<(RecordBatch, Leaves)> {
        let count = rows.num_rows();
        let mut salts = vec![0; count * Salt::BYTES];
        getrandom::fill(&mut salts).map_err(|error| SealError::Random(error.to_string()))?;
        let (salts, _) = salts.as_chunks::<{ Salt::BYTES }>();
        let canonical = Canonical::of(table, rows)?;
        let mut leaves = Leaves::default();
        let mut numbers = Vec::with_capacity(count);
        let mut column = BinaryBuilder::with_capacity(count, count * Salt::BYTES);
        let mut row = Vec::new();
        for (at, (salt, &lane)) in salts.iter().zip(lanes).enumerate() {
            row.clear();
            canonical.write(at, &mut row);
            let next = self.next.entry(lane).or_insert(1);
            numbers.push(*next as i64);
            *next += 1;
            leaves.next.insert(lane, *next);
            let hash = Commitment::new(Salt(*salt), table.name, &row).leaf();
            leaves.hashes.entry(lane).or_default().push(hash);
            column.append_value(salt);
        }
        let mut columns = rows.columns().to_vec();
        let lanes = lanes.iter().map(|lane| i64::from(*lane));
        columns.push(Arc::new(lanes.collect::<Int64Array>()));
        columns.push(Arc::new(Int64Array::from(numbers)));
        columns.push(Arc::new(column.finish()) as ArrayRef);
        Ok((
            RecordBatch::try_new(table.sealed_schema(), columns)?,
            leaves,
        ))
    }

    /// Rows have been committed: their leaves are part of the trees.
    pub(crate) fn take(&mut self, leaves: Leaves) -> Result<()> {
        for (lane, leaves) in leaves.hashes {
            if let Some(log) = self.lanes.get_mut(&lane) {
                log.append(leaves).map_err(SealError::from)?;
            }
        }
        Ok(())
    }

    pub(super) fn root(&self) -> &Folder {
        &self.root
    }

    /// Signs the trees when it is time to.
    pub(crate) fn sign_in_time(&mut self) -> Result<()> {
        match self.last.elapsed() >= self.settings.interval {
            true => self.sign(),
            false => Ok(()),
        }
    }

    pub(crate) fn sign(&mut self) -> Result<()> {
        let grown = self.lanes.values_mut();
        let mut grown: Vec<_> = grown.filter(|log| log.size() > log.head().size).collect();
        seal_all(&mut grown).map_err(SealError::from)?;
        self.last = Instant::now();
        Ok(())
    }
}

/// Writes down from where on a lane is sealed, unless that was written down already. Returns its first leaf.
fn begin(folder: &Folder, lane: u32, ledgers: &[&Ledger]) -> Result<Hash> {
    let path = folder.path().join(BEGAN);
    let there = folder.read(BEGAN).map_err(SealError::disk(&path))?;
    let text = match there {
        Some(text) => text,
        None => {
            let mut text = format!("{BEGAN_LINE}\nlane {lane}\n");
            // The first lane begins when nothing is sealed yet.
            for ledger in ledgers.iter().filter(|_| lane == 0) {
                let rows = ledger.rows()?;
                // Writing to a text cannot fail.
                let _ = writeln!(text, "{} {rows}", ledger.table.name);
            }
            let written = folder.write(BEGAN, text.as_bytes());
            let synced = written.and_then(|()| folder.sync());
            synced.map_err(SealError::disk(&path))?;
            text.into_bytes()
        }
    };
    Ok(tree::leaf(&text))
}
