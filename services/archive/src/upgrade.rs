//! An archive of an earlier release becomes one of this release, in place.

use std::collections::{BTreeMap, BTreeSet};

use arrow::array::RecordBatch;
use catwalk_events::{Event, Source, SourceKind, Timestamp, json};
use catwalk_log::{Partition, Topic};
use deltalake::kernel::Add;
use deltalake::writer::DeltaWriter as _;
use serde::Deserialize;

use crate::item::{Arrival, Item};
use crate::ledger::Ledger;
use crate::merge;
use crate::rows::Rows;
use crate::seal::unsealed;
use crate::tables::Effort;
use crate::{Archive, Error, Result, TABLES, Table};

/// Rows of a table that are held before they go to a file.
const HELD_ROWS: usize = 200_000;
const EVENTS: &str = "events";

/// What an upgrade has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Upgraded {
    /// Columns that tables have now and had not before: the table, and how many. What was archived earlier has no
    /// value in them.
    pub columns: Vec<(&'static str, usize)>,
    /// Tables that were made from the archived events: the table, and its rows.
    pub filled: Vec<(&'static str, usize)>,
    /// Events that could not be read again; they stay where they are.
    pub unreadable: usize,
}

/// A row of `events`, as far as an event is made of it.
#[derive(Deserialize)]
struct Stored {
    gaming_day: i32,
    property: String,
    table_id: String,
    seq: u64,
    at: i64,
    r#type: String,
    round: Option<String>,
    body: String,
    source_kind: SourceKind,
    source_id: String,
    id: String,
    log_partition: u32,
    log_offset: u64,
    shift: Option<String>,
    received_at: Option<i64>,
}

/// A table that is being filled.
struct Filling {
    ledger: Ledger,
    rows: Rows,
    adds: Vec<Add>,
    count: usize,
}

impl Archive {
    /// Adds columns that are newer than the archive, and makes tables that are newer from the archived events, each
    /// in one commit. No row that is there changes; what is done once is not done again. An archiver that writes
    /// meanwhile is refused, or refuses this.
    pub async fn upgrade(&self) -> Result<Upgraded> {
        let mut done = Upgraded::default();
        let mut newer = Vec::new();
        for table in TABLES {
            let Some(delta) = self.table(table).await? else {
                newer.push(table);
                continue;
            };
            let before = delta.snapshot()?.schema().fields().count();
            let after = self
                .ensure(table)
                .await?
                .snapshot()?
                .schema()
                .fields()
                .count();
            if after > before {
                done.columns.push((table.name, after - before));
            }
            if delta.snapshot()?.log_data().iter().next().is_none() {
                newer.push(table);
            }
        }
        let Some(events) = TABLES.into_iter().find(|table| table.name == EVENTS) else {
            return Ok(done);
        };
        // Without events there is nothing that a table could be made of: the archiver makes them as they come.
        if newer.iter().any(|table| table.name == EVENTS) {
            return Ok(done);
        }
        // What no event makes begins without rows.
        for table in newer.extract_if(.., |table| table.topic != Topic::FloorEvents) {
            self.ensure(table).await?;
        }
        self.fill(events, &newer, &mut done).await?;
        Ok(done)
    }

    async fn fill(
        &self,
        events: &'static Table,
        newer: &[&'static Table],
        done: &mut Upgraded,
    ) -> Result<()> {
        let source = Ledger::open(self, events, &[], &[], true).await?;
        let (mut partitions, mut tables) = (BTreeSet::new(), Vec::new());
        for table in newer {
            tables.push(Filling {
                ledger: Ledger::open(self, table, &[], &[], true).await?,
                rows: Rows::new(table)?,
                adds: Vec::new(),
                count: 0,
            });
        }
        if tables.is_empty() {
            return Ok(());
        }
        for file in source.files()? {
            let input = source.input(&file).await?;
            for batch in merge::rows_of(events, &input)? {
                let batch = batch?;
                done.unreadable += take(&batch, &mut tables, &mut partitions)?;
                for filling in &mut tables {
                    if filling.rows.len() >= HELD_ROWS {
                        filling.write().await?;
                    }
                }
            }
        }
        let reached = source.come_to(&partitions).await?;
        for mut filling in tables {
            // It has come as far before, and had nothing to say.
            let came = filling.ledger.come_to(&partitions).await?;
            if came.values().any(|next| *next > 0) {
                continue;
            }
            filling.write().await?;
            filling.ledger.fill(filling.adds, &reached).await?;
            done.filled.push((filling.ledger.table.name, filling.count));
            self.add_to_cut(&source, &filling.ledger, &reached).await?;
        }
        Ok(())
    }

    /// Whoever reads finds the new table beside the others, if the others are as it was made from.
    async fn add_to_cut(
        &self,
        events: &Ledger,
        made: &Ledger,
        reached: &BTreeMap<Partition, u64>,
    ) -> Result<()> {
        let Some(mut cut) = self.cut().await? else {
            return Ok(());
        };
        let is_as_far = |(partition, next): (&Partition, &u64)| {
            cut.reached.get(&partition.to_string()) == Some(next)
        };
        if cut.versions.contains_key(events.table.name) && reached.iter().all(is_as_far) {
            cut.versions
                .insert(made.table.name.to_owned(), made.version()?);
            self.write_cut(&cut, true).await?;
        }
        Ok(())
    }
}

impl Filling {
    async fn write(&mut self) -> Result<()> {
        if self.rows.len() == 0 {
            return Ok(());
        }
        self.count += self.rows.len();
        let (rows, _) = self.rows.take()?;
        // They are made from what is sealed, and no leaves themselves.
        let rows = unsealed(self.ledger.table, &rows)?;
        let mut writer = self.ledger.writer(Effort::Thorough)?;
        writer.write(rows).await?;
        let adds = self.ledger.noted(writer.flush().await?)?;
        self.adds.extend(adds);
        Ok(())
    }
}

/// Puts what events say into the tables; how many of them do not read.
fn take(
    batch: &RecordBatch,
    tables: &mut [Filling],
    partitions: &mut BTreeSet<u32>,
) -> Result<usize> {
    let mut unreadable = 0;
    let stored: Vec<Stored> = serde_arrow::from_record_batch(batch).map_err(Error::from)?;
    for row in stored {
        partitions.insert(row.log_partition);
        let arrival = Arrival {
            partition: row.log_partition,
            offset: row.log_offset,
            gaming_day: row.gaming_day,
        };
        let Ok(body) = json::read_body(&row.r#type, &row.body) else {
            unreadable += 1;
            continue;
        };
        let event = Event {
            id: row.id,
            property: row.property,
            table: row.table_id,
            seq: row.seq,
            at: Timestamp::from_micros(row.at),
            source: Source {
                kind: row.source_kind,
                id: row.source_id,
            },
            round: row.round,
            body,
            shift: row.shift,
            received_at: row.received_at.map(Timestamp::from_micros),
        };
        let item = Item::Event(Box::new(event));
        for filling in tables.iter_mut() {
            (filling.ledger.table.append)(&item, &arrival, &mut filling.rows)?;
        }
    }
    Ok(unreadable)
}
