//! One table of the archive, with how far it has come in each partition of its topic.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use catwalk_log::Partition;
use deltalake::kernel::transaction::{
    CommitBuilder, CommitConflictError, CommitProperties, TableReference, TransactionError,
};
use deltalake::kernel::{Action, Add, Transaction};
use deltalake::protocol::{DeltaOperation, SaveMode};
use deltalake::writer::{DeltaWriter as _, RecordBatchWriter};
use deltalake::{DeltaTable, DeltaTableError};

use crate::disk::Disk;
use crate::tables::Effort;
use crate::{Archive, Error, PARTITION, Result, Table};

/// A table that is written.
pub(crate) struct Ledger {
    pub(crate) table: &'static Table,
    pub(crate) delta: DeltaTable,
    /// The offset of the record to come next, by partition, as the last commit has it.
    committed: BTreeMap<Partition, u64>,
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
        let mut committed = BTreeMap::new();
        for partition in partitions {
            let app_id = app_id(*partition);
            let state = delta.snapshot()?;
            let version = state
                .transaction_version(log_store.as_ref(), app_id)
                .await?;
            let next = version.and_then(|version| u64::try_from(version).ok());
            committed.insert(*partition, next.unwrap_or(0));
        }
        Ok(Ledger {
            table,
            delta,
            committed,
            disk: disk.filter(|_| sync),
        })
    }

    pub(crate) fn committed(&self, partition: Partition) -> u64 {
        self.committed.get(&partition).copied().unwrap_or(0)
    }

    /// Appends rows and moves on to `reached`, both in one commit or neither.
    pub(crate) async fn append(
        &mut self,
        rows: Option<RecordBatch>,
        reached: &BTreeMap<Partition, u64>,
    ) -> Result<Written> {
        let mut adds = Vec::new();
        if let Some(rows) = rows {
            let mut writer = self.writer(Effort::Quick)?;
            writer.write(rows).await?;
            adds = writer.flush().await?;
        }
        let written = Written::of(&adds);
        let moved = reached
            .iter()
            .filter(|(partition, next)| **next > self.committed(**partition));
        let moved: Vec<Transaction> = moved
            .map(|(partition, next)| Transaction::new(app_id(*partition), *next as i64))
            .collect();
        let operation = DeltaOperation::Write {
            mode: SaveMode::Append,
            partition_by: Some(vec![PARTITION.to_owned()]),
            predicate: None,
        };
        let actions = adds.into_iter().map(Action::Add).collect();
        self.commit(actions, moved, operation).await?;
        self.committed.extend(reached);
        Ok(written)
    }

    /// A writer of files that are part of the table once they are committed.
    pub(crate) fn writer(&self, effort: Effort) -> Result<RecordBatchWriter> {
        let writer = RecordBatchWriter::for_table(&self.delta)?;
        Ok(writer.with_writer_properties(self.table.writer_properties(effort)))
    }

    pub(crate) async fn commit(
        &mut self,
        actions: Vec<Action>,
        moved: Vec<Transaction>,
        operation: DeltaOperation,
    ) -> Result<()> {
        if let Some(disk) = &self.disk {
            disk.sync_data(&actions)?;
        }
        let read: &dyn TableReference = self.delta.snapshot()?;
        let properties = CommitProperties::default().with_application_transactions(moved);
        let committed = CommitBuilder::from(properties)
            .with_actions(actions)
            .build(Some(read), self.delta.log_store(), operation)
            .await
            .map_err(|error| self.explain(error))?;
        self.delta.state = Some(committed.snapshot());
        match &self.disk {
            Some(disk) => disk.sync_log(committed.version()),
            None => Ok(()),
        }
    }

    fn explain(&self, error: DeltaTableError) -> Error {
        match error {
            DeltaTableError::Transaction {
                source: TransactionError::CommitConflict(CommitConflictError::ConcurrentTransaction),
            } => Error::AnotherArchiver {
                table: self.table.name,
            },
            other => other.into(),
        }
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

/// The name under which a table's log keeps how far it has come in a partition.
fn app_id(partition: Partition) -> String {
    format!("catwalk/{partition}")
}
