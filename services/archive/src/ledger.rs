//! One table of the archive, with how far it has come in each partition of its topic.

use std::collections::{BTreeMap, BTreeSet};

use arrow::array::RecordBatch;
use catwalk_log::Partition;
use deltalake::kernel::transaction::{
    CommitBuilder, CommitConflictError, CommitProperties, TableReference, TransactionError,
};
use deltalake::kernel::{Action, Add, LogicalFileView, Transaction};
use deltalake::protocol::{DeltaOperation, SaveMode};
use deltalake::writer::{DeltaWriter as _, RecordBatchWriter};
use deltalake::{DeltaTable, DeltaTableError};
use serde::Deserialize;

use crate::disk::Disk;
use crate::seal::sha256_of;
use crate::tables::Effort;
use crate::{Archive, Error, PARTITION, Result, Table};

/// A rewrite that was overtaken by so many commits is left to the next one.
const REPLACE_ATTEMPTS: u32 = 20;

/// A table that is written.
pub(crate) struct Ledger {
    pub(crate) table: &'static Table,
    pub(crate) delta: DeltaTable,
    /// The offset of the record to come next, by partition that is held here, as the last commit has it.
    committed: BTreeMap<Partition, u64>,
    /// The same of the partitions that others hold, as far as their commits are known.
    others: BTreeMap<Partition, u64>,
    /// Up to which version others' commits are known, and which of those after it are from here.
    heeded: u64,
    own: BTreeSet<u64>,
    /// The number of the leaf to come next, by lane, where rows of it are sealed.
    leaves: BTreeMap<u32, u64>,
    /// The table's folder, where commits are to survive a power failure.
    disk: Option<Disk>,
}

/// A line of a commit, as far as it says how far an archiver has come.
#[derive(Deserialize)]
struct Moved {
    txn: Option<Offset>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Offset {
    app_id: String,
    version: i64,
}

/// Files of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
}

impl Ledger {
    /// Opens the table, and reads from its log how far it has come in these partitions. Nobody else is to write what
    /// they bring; what `others` bring, others do.
    pub(crate) async fn open(
        archive: &Archive,
        table: &'static Table,
        partitions: &[Partition],
        others: &[Partition],
        sync: bool,
    ) -> Result<Ledger> {
        let disk = archive
            .folder()
            .map(|folder| Disk::new(&folder.join(table.name)));
        if let Some(disk) = &disk {
            disk.mend()?;
        }
        let delta = archive.ensure(table).await?;
        let log_store = delta.log_store();
        let (mut committed, mut leaves) = (BTreeMap::new(), BTreeMap::new());
        let state = delta.snapshot()?;
        let next = async |app_id: String| -> Result<Option<u64>> {
            let version = state.transaction_version(log_store.as_ref(), app_id);
            Ok(version
                .await?
                .and_then(|version| u64::try_from(version).ok()))
        };
        for partition in partitions {
            let reached = next(app_id(*partition)).await?;
            committed.insert(*partition, reached.unwrap_or(0));
            if let Some(leaf) = next(leaf_id(partition.index)).await? {
                leaves.insert(partition.index, leaf);
            }
        }
        let mut of_others = BTreeMap::new();
        for partition in others {
            let reached = next(app_id(*partition)).await?;
            of_others.insert(*partition, reached.unwrap_or(0));
        }
        Ok(Ledger {
            table,
            heeded: state.version(),
            own: BTreeSet::new(),
            delta,
            committed,
            others: of_others,
            leaves,
            disk: disk.filter(|_| sync),
        })
    }

    /// Takes note of what others have committed since. In the partitions that are held here, that may be nothing.
    pub(crate) async fn refresh(&mut self) -> Result<()> {
        self.delta.update_state().await?;
        let newest = self.version()?;
        let log = self.delta.log_store();
        for version in self.heeded + 1..=newest {
            if self.own.remove(&version) {
                continue;
            }
            match log.read_commit_entry(version).await? {
                Some(commit) => self.heed(&commit)?,
                // It was summed up since.
                None => self.heed_all().await?,
            }
        }
        self.heeded = newest;
        Ok(())
    }

    /// Somebody else has committed since others' commits were last taken note of.
    pub(crate) fn is_overtaken(&self) -> bool {
        !self.own.is_empty()
    }

    /// A commit of somebody else.
    fn heed(&mut self, commit: &[u8]) -> Result<()> {
        let lines = commit.split(|byte| *byte == b'\n');
        for line in lines.filter(|line| !line.is_empty()) {
            let line: Moved = serde_json::from_slice(line)?;
            let Some(Offset {
                app_id: id,
                version,
            }) = line.txn
            else {
                continue;
            };
            let is = |partition: &&Partition| app_id(**partition) == id;
            if self.committed.keys().any(|partition| is(&partition)) {
                return Err(self.another_archiver());
            }
            if let Some(partition) = self.others.keys().copied().find(|other| is(&other)) {
                self.others
                    .insert(partition, u64::try_from(version).unwrap_or(0));
            }
        }
        Ok(())
    }

    /// The same of all commits so far.
    async fn heed_all(&mut self) -> Result<()> {
        let indexes = |partitions: &BTreeMap<Partition, u64>| {
            partitions.keys().map(|partition| partition.index).collect()
        };
        if self.come_to(&indexes(&self.committed)).await? != self.committed {
            return Err(self.another_archiver());
        }
        self.others = self.come_to(&indexes(&self.others)).await?;
        Ok(())
    }

    fn another_archiver(&self) -> Error {
        Error::AnotherArchiver {
            table: self.table.name,
        }
    }

    /// How far the table has come in the partitions of others.
    pub(crate) fn others(&self) -> impl Iterator<Item = (Partition, u64)> + '_ {
        self.others
            .iter()
            .map(|(partition, next)| (*partition, *next))
    }

    /// How far the table has come in these partitions of its topic; 0 where it never began.
    pub(crate) async fn come_to(
        &self,
        partitions: &BTreeSet<u32>,
    ) -> Result<BTreeMap<Partition, u64>> {
        let (log_store, state) = (self.delta.log_store(), self.delta.snapshot()?);
        let mut come_to = BTreeMap::new();
        for index in partitions {
            let partition = self.table.topic.partition(*index);
            let version = state
                .transaction_version(log_store.as_ref(), app_id(partition))
                .await?;
            let next = version.and_then(|version| u64::try_from(version).ok());
            come_to.insert(partition, next.unwrap_or(0));
        }
        Ok(come_to)
    }

    /// The files that make the table now, the earliest day first.
    pub(crate) fn files(&self) -> Result<Vec<LogicalFileView>> {
        let mut files: Vec<LogicalFileView> = self.delta.snapshot()?.log_data().iter().collect();
        let day = |file: &LogicalFileView| file.partition_values_map().remove(PARTITION).flatten();
        files.sort_by_key(|file| (day(file), file.path().into_owned()));
        Ok(files)
    }

    /// Makes files part of the table and moves on to `reached`, both in one commit or neither.
    pub(crate) async fn fill(
        &mut self,
        adds: Vec<Add>,
        reached: &BTreeMap<Partition, u64>,
    ) -> Result<()> {
        let moved = reached
            .iter()
            .map(|(partition, next)| Transaction::new(app_id(*partition), *next as i64));
        let moved = moved.collect();
        self.commit_rows(adds, moved).await?;
        self.committed.extend(reached);
        Ok(())
    }

    async fn commit_rows(&mut self, adds: Vec<Add>, moved: Vec<Transaction>) -> Result<()> {
        let operation = DeltaOperation::Write {
            mode: SaveMode::Append,
            partition_by: Some(vec![PARTITION.to_owned()]),
            predicate: None,
        };
        let actions = adds.into_iter().map(Action::Add).collect();
        let properties = CommitProperties::default().with_application_transactions(moved);
        let committed = self.commit(actions, properties, operation).await;
        committed.map_err(|error| self.explain(error))
    }

    pub(crate) fn committed(&self, partition: Partition) -> u64 {
        self.committed.get(&partition).copied().unwrap_or(0)
    }

    pub(crate) fn committed_all(&self) -> &BTreeMap<Partition, u64> {
        &self.committed
    }

    /// The number of the leaf that comes after all of this table, in a lane that it has any in.
    pub(crate) fn next_leaf(&self, lane: u32) -> Option<u64> {
        self.leaves.get(&lane).copied()
    }

    pub(crate) fn version(&self) -> Result<u64> {
        Ok(self.delta.snapshot()?.version())
    }

    /// Writes rows to files, which are no part of the table yet.
    pub(crate) async fn write(&self, rows: RecordBatch) -> Result<Vec<Add>> {
        let mut writer = self.writer(Effort::Quick)?;
        writer.write(rows).await?;
        let adds = self.noted(writer.flush().await?)?;
        if let Some(disk) = &self.disk {
            // So that nobody waits for the disk while others wait for their turn.
            let actions: Vec<Action> = adds.iter().cloned().map(Action::Add).collect();
            disk.sync_data(&actions)?;
        }
        Ok(adds)
    }

    /// Makes files part of the table, moves on to `reached` and to the next leaves, all in one commit or nothing.
    pub(crate) async fn append(
        &mut self,
        adds: Vec<Add>,
        reached: &BTreeMap<Partition, u64>,
        leaves: &BTreeMap<u32, u64>,
    ) -> Result<()> {
        let moved = reached
            .iter()
            .filter(|(partition, next)| **next > self.committed(**partition));
        let moved =
            moved.map(|(partition, next)| Transaction::new(app_id(*partition), *next as i64));
        let leaves_to = leaves.iter();
        let leaves_to =
            leaves_to.map(|(lane, next)| Transaction::new(leaf_id(*lane), *next as i64));
        let moved: Vec<Transaction> = moved.chain(leaves_to).collect();
        self.commit_rows(adds, moved).await?;
        self.committed.extend(reached);
        self.leaves.extend(leaves);
        Ok(())
    }

    /// Notes of files that their rows are in the order of the table, so that whoever reads them can rely on it, and
    /// what their bytes are.
    pub(crate) fn noted(&self, mut adds: Vec<Add>) -> Result<Vec<Add>> {
        let folder = self.delta.table_url().to_file_path().ok();
        for add in &mut adds {
            let tags = add.tags.get_or_insert_default();
            tags.insert(SORTED_BY.to_owned(), Some(self.table.sorted_by.join(",")));
            if let Some(folder) = &folder {
                let path = folder.join(&add.path);
                let hash = sha256_of(&path).map_err(|error| Error::Disk { path, error })?;
                tags.insert(SHA256.to_owned(), Some(hash));
            }
        }
        Ok(adds)
    }

    /// A writer of files that are part of the table once they are committed.
    pub(crate) fn writer(&self, effort: Effort) -> Result<RecordBatchWriter> {
        let writer = RecordBatchWriter::for_table(&self.delta)?;
        Ok(writer.with_writer_properties(self.table.writer_properties(effort)))
    }

    /// Replaces files by others with the same rows. False where somebody else has replaced one of them meanwhile: then
    /// nothing was changed.
    ///
    /// Whether two commits that take the same file away get in each other's way is decided here: Delta's own check
    /// passes over files that are taken away without a change of rows, and then their rows would be there twice.
    pub(crate) async fn replace(
        &mut self,
        files: &[String],
        actions: Vec<Action>,
        operation: DeltaOperation,
    ) -> Result<bool> {
        for _ in 0..REPLACE_ATTEMPTS {
            let as_read = CommitProperties::default().with_max_retries(0);
            let committed = self.commit(actions.clone(), as_read, operation.clone());
            match committed.await {
                Err(Error::Delta(DeltaTableError::Transaction {
                    source: TransactionError::MaxCommitAttempts(_),
                })) => {}
                committed => return committed.map(|()| true),
            }
            self.refresh().await?;
            let there = self.delta.snapshot()?.log_data();
            let paths = there.iter().map(|file| file.path().into_owned());
            let there: BTreeSet<String> = paths.collect();
            if !files.iter().all(|file| there.contains(file)) {
                return Ok(false);
            }
        }
        Ok(false)
    }

    async fn commit(
        &mut self,
        actions: Vec<Action>,
        properties: CommitProperties,
        operation: DeltaOperation,
    ) -> Result<()> {
        if let Some(disk) = &self.disk {
            disk.sync_data(&actions)?;
        }
        let read: &dyn TableReference = self.delta.snapshot()?;
        let committed = CommitBuilder::from(properties)
            .with_actions(actions)
            .build(Some(read), self.delta.log_store(), operation)
            .await?;
        self.delta.state = Some(committed.snapshot());
        match committed.version() {
            next if next == self.heeded + 1 => self.heeded = next,
            later => drop(self.own.insert(later)),
        }
        match &self.disk {
            Some(disk) => disk.sync_log(committed.version()),
            None => Ok(()),
        }
    }

    fn explain(&self, error: Error) -> Error {
        match error {
            Error::Delta(DeltaTableError::Transaction {
                source: TransactionError::CommitConflict(CommitConflictError::ConcurrentTransaction),
            }) => self.another_archiver(),
            other => other,
        }
    }

    /// How many rows the table has, as its log says.
    pub(crate) fn rows(&self) -> Result<u64> {
        let files = self.delta.snapshot()?.log_data();
        Ok(files
            .iter()
            .map(|file| file.num_records().unwrap_or(0) as u64)
            .sum())
    }

    /// The files that make the table now.
    pub(crate) fn standing(&self) -> Result<Written> {
        let files = self.delta.snapshot()?.log_data();
        Ok(files.iter().fold(Written::default(), |sum, file| Written {
            files: sum.files + 1,
            bytes: sum.bytes + file.size().unsigned_abs(),
        }))
    }
}

/// The tag of a file with the columns that its rows are in order by.
pub(crate) const SORTED_BY: &str = "catwalk.sorted_by";

/// The tag of a file with the hash of its bytes; in an object store, which keeps its own, there is none.
pub(crate) const SHA256: &str = "catwalk.sha256";

/// The name under which a table's log keeps the number of the leaf to come next in a lane.
fn leaf_id(lane: u32) -> String {
    format!("catwalk/leaf/{lane}")
}

/// The name under which a table's log keeps how far it has come in a partition.
fn app_id(partition: Partition) -> String {
    format!("catwalk/{partition}")
}

#[cfg(test)]
mod tests {
    use catwalk_log::Topic;

    use super::*;

    #[tokio::test]
    async fn what_others_commit_is_known_and_nobody_else_may_commit_what_is_held_here() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::at(folder.path().to_str().unwrap()).unwrap();
        let table = Table::named("findings").unwrap();
        let [one, two] = [0, 1].map(|index| Topic::Findings.partition(index));
        let mut first = Ledger::open(&archive, table, &[one], &[two], false)
            .await
            .unwrap();
        let mut second = Ledger::open(&archive, table, &[two], &[one], false)
            .await
            .unwrap();
        let none = BTreeMap::new();
        let moved = |partition, next| BTreeMap::from([(partition, next)]);
        first
            .append(Vec::new(), &moved(one, 3), &none)
            .await
            .unwrap();
        second
            .append(Vec::new(), &moved(two, 7), &none)
            .await
            .unwrap();
        first
            .append(Vec::new(), &moved(one, 4), &none)
            .await
            .unwrap();
        for (ledger, other) in [(&mut first, (two, 7)), (&mut second, (one, 4))] {
            ledger.refresh().await.unwrap();
            assert_eq!(ledger.others().collect::<Vec<_>>(), [other]);
        }
        // One that has not noticed that its partition is another's now, whatever it does next.
        Ledger::open(&archive, table, &[two], &[one], false)
            .await
            .unwrap()
            .append(Vec::new(), &moved(two, 9), &none)
            .await
            .unwrap();
        let late = second
            .append(Vec::new(), &moved(two, 8), &none)
            .await
            .unwrap_err();
        let noticed = second.refresh().await.unwrap_err();
        for error in [late, noticed] {
            assert!(
                matches!(error, Error::AnotherArchiver { table: "findings" }),
                "{error}"
            );
        }
        first.refresh().await.unwrap();
        assert_eq!(first.others().collect::<Vec<_>>(), [(two, 9)]);
    }
}
