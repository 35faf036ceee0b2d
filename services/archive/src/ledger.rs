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
    /// The offset of the record to come next, by partition, as the last commit has it.
    committed: BTreeMap<Partition, u64>,
    /// The number of the leaf to come next, by lane, where rows of it are sealed.
    leaves: BTreeMap<u32, u64>,
    /// The table's folder, where commits are to survive a power failure.
    disk: Option<Disk>,
}

/// What a commit wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
}

impl Ledger {
    /// Opens the table, and reads from its log how far it has come in these partitions.
    pub(crate) async fn open(
        archive: &Archive,
        table: &'static Table,
        partitions: &[Partition],
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
        Ok(Ledger {
            table,
            delta,
            committed,
            leaves,
            disk: disk.filter(|_| sync),
        })
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
        let properties = CommitProperties::default().with_application_transactions(moved.collect());
        let operation = DeltaOperation::Write {
            mode: SaveMode::Append,
            partition_by: Some(vec![PARTITION.to_owned()]),
            predicate: None,
        };
        let actions = adds.into_iter().map(Action::Add).collect();
        let committed = self.commit(actions, properties, operation).await;
        committed.map_err(|error| self.explain(error))?;
        self.committed.extend(reached);
        Ok(())
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

    /// Appends rows, moves on to `reached` and to the next leaves, all in one commit or nothing.
    pub(crate) async fn append(
        &mut self,
        rows: Option<RecordBatch>,
        reached: &BTreeMap<Partition, u64>,
        leaves: &BTreeMap<u32, u64>,
    ) -> Result<Written> {
        let mut adds = Vec::new();
        if let Some(rows) = rows {
            let mut writer = self.writer(Effort::Quick)?;
            writer.write(rows).await?;
            adds = self.noted(writer.flush().await?)?;
        }
        let written = Written::of(&adds);
        let moved = reached
            .iter()
            .filter(|(partition, next)| **next > self.committed(**partition));
        let moved =
            moved.map(|(partition, next)| Transaction::new(app_id(*partition), *next as i64));
        let leaves_to = leaves.iter();
        let leaves_to =
            leaves_to.map(|(lane, next)| Transaction::new(leaf_id(*lane), *next as i64));
        let moved: Vec<Transaction> = moved.chain(leaves_to).collect();
        let operation = DeltaOperation::Write {
            mode: SaveMode::Append,
            partition_by: Some(vec![PARTITION.to_owned()]),
            predicate: None,
        };
        let actions = adds.into_iter().map(Action::Add).collect();
        let properties = CommitProperties::default().with_application_transactions(moved);
        let committed = self.commit(actions, properties, operation).await;
        committed.map_err(|error| self.explain(error))?;
        self.committed.extend(reached);
        self.leaves.extend(leaves);
        Ok(written)
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
            self.delta.update_state().await?;
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
        match &self.disk {
            Some(disk) => disk.sync_log(committed.version()),
            None => Ok(()),
        }
    }

    fn explain(&self, error: Error) -> Error {
        match error {
            Error::Delta(DeltaTableError::Transaction {
                source: TransactionError::CommitConflict(CommitConflictError::ConcurrentTransaction),
            }) => Error::AnotherArchiver {
                table: self.table.name,
            },
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

impl Written {
    pub(crate) fn of(adds: &[Add]) -> Written {
        Written {
            files: adds.len() as u64,
            bytes: adds.iter().map(|add| add.size.unsigned_abs()).sum(),
        }
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
