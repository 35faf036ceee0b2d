//! A table and the rows that wait to be written to it.

use std::collections::BTreeMap;

use catwalk_log::{Log, Partition, Record};
use deltalake::kernel::Add;

use crate::item::{Arrival, Item};
use crate::ledger::Ledger;
use crate::rows::Rows;
use crate::seal::{Leaves, Sealer, unsealed};
use crate::{Archive, Error, Result, Table};

/// A table and the rows that wait to be written to it.
pub(crate) struct Pending {
    pub(crate) ledger: Ledger,
    pub(crate) rows: Rows,
    /// The offset of the record to come next, by partition.
    pub(crate) reached: BTreeMap<Partition, u64>,
    /// The version in which it was last looked whether files should be put together.
    tidied: u64,
}

/// Files that are written and no part of the table yet.
pub(crate) struct Written {
    pub(crate) rows: usize,
    files: Vec<Add>,
    leaves: Leaves,
}

impl Pending {
    /// Opens a table, to go on where its last commits in these partitions had left off.
    pub(crate) async fn open(
        archive: &Archive,
        table: &'static Table,
        partitions: (&[Partition], &[Partition]),
        sync: bool,
    ) -> Result<Pending> {
        let is_of = |partition: &&Partition| partition.topic == table.topic;
        let of_topic = |all: &[Partition]| all.iter().filter(is_of).copied().collect();
        let (own, others): (Vec<Partition>, Vec<Partition>) =
            (of_topic(partitions.0), of_topic(partitions.1));
        let ledger = Ledger::open(archive, table, &own, &others, sync).await?;
        let reached = |partition| (partition, ledger.committed(partition));
        Ok(Pending {
            reached: own.into_iter().map(reached).collect(),
            rows: Rows::new(table)?,
            tidied: ledger.version()?,
            ledger,
        })
    }

    pub(crate) fn take(&mut self, record: &Record, item: Option<(&Item, &Arrival)>) -> Result<()> {
        let Some(next) = self.reached.get_mut(&record.partition) else {
            return Ok(());
        };
        // Another table of the topic may have been behind this one.
        if record.offset < *next {
            return Ok(());
        }
        *next = record.offset + 1;
        match item {
            Some((item, arrival)) => {
                (self.ledger.table.append)(item, arrival, &mut self.rows)?;
                self.rows.came_by(arrival.partition);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// A table that has more than its log would pass over what comes next, as if it had it already.
    pub(crate) fn check_behind(&self, log: &dyn Log) -> Result<()> {
        for (partition, next) in &self.reached {
            if *next > log.end(*partition)? {
                let end = log.decided_end(*partition)?;
                if *next > end {
                    return Err(Error::AheadOfLog {
                        table: self.ledger.table.name,
                        partition: *partition,
                        archived: *next,
                        end,
                    });
                }
            }
        }
        Ok(())
    }

    /// How far the table has come. What waits to be written is no part of it; what brought it no rows is.
    pub(crate) fn come_to(&self) -> &BTreeMap<Partition, u64> {
        match self.rows.len() {
            0 => &self.reached,
            _ => self.ledger.committed_all(),
        }
    }

    /// Records read since the last commit.
    pub(crate) fn behind(&self) -> u64 {
        let behind =
            |(partition, next): (&Partition, &u64)| next - self.ledger.committed(*partition);
        self.reached.iter().map(behind).sum()
    }

    /// Writes the rows that wait to files.
    pub(crate) async fn write(&mut self, sealer: Option<&mut Sealer>) -> Result<Written> {
        let mut written = Written {
            rows: self.rows.len(),
            files: Vec::new(),
            leaves: Leaves::default(),
        };
        if written.rows == 0 {
            return Ok(written);
        }
        let (rows, lanes) = self.rows.take()?;
        let rows = match sealer {
            Some(sealer) => {
                let (rows, leaves) = sealer.seal(self.ledger.table, &rows, &lanes)?;
                written.leaves = leaves;
                rows
            }
            None => unsealed(self.ledger.table, &rows)?,
        };
        written.files = self.ledger.write(rows).await?;
        Ok(written)
    }

    /// Makes what was written part of the table.
    pub(crate) async fn commit(
        &mut self,
        written: Written,
        sealer: Option<&mut Sealer>,
    ) -> Result<()> {
        let Written { files, leaves, .. } = written;
        self.ledger
            .append(files, &self.reached, &leaves.next)
            .await?;
        sealer.map_or(Ok(()), |sealer| sealer.take(leaves))
    }

    /// Whether the table has changed since this was asked last.
    pub(crate) fn is_to_be_tidied(&mut self) -> Result<bool> {
        let version = self.ledger.version()?;
        Ok(std::mem::replace(&mut self.tidied, version) != version)
    }
}
