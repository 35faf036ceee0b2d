//! Rows of a table that wait to be written.

use arrow::array::{RecordBatch, UInt32Array};
use arrow::compute::{SortColumn, lexsort_to_indices, take_record_batch};
use serde::Serialize;
use serde_arrow::ArrayBuilder;

use crate::{Result, Table};

/// Rows of a table, as Arrow columns.
pub(crate) struct Rows {
    table: &'static Table,
    builder: ArrayBuilder,
    /// Of each row, the partition of the log that it came by.
    lanes: Vec<u32>,
    len: usize,
}

impl Rows {
    pub(crate) fn new(table: &'static Table) -> Result<Rows> {
        let builder = ArrayBuilder::from_arrow(table.schema().fields())?;
        Ok(Rows {
            table,
            builder,
            lanes: Vec::new(),
            len: 0,
        })
    }

    /// Appends a row: a struct with a field for each column.
    pub(crate) fn push(&mut self, row: &impl Serialize) -> Result<()> {
        self.builder.push(row)?;
        self.len += 1;
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// All rows that were appended since came by this partition of the log.
    pub(crate) fn came_by(&mut self, partition: u32) {
        self.lanes.resize(self.len, partition);
    }

    /// Takes all rows out, in the order of the table, with the partition that each came by.
    pub(crate) fn take(&mut self) -> Result<(RecordBatch, Vec<u32>)> {
        self.came_by(0);
        self.len = 0;
        let batch = self.builder.to_record_batch()?;
        let lanes = std::mem::take(&mut self.lanes);
        let order = order(self.table, &batch)?;
        let lanes = order.values().iter().map(|row| lanes[*row as usize]);
        let lanes = lanes.collect();
        Ok((take_record_batch(&batch, &order)?, lanes))
    }
}

/// Rows in the order of the table.
pub(crate) fn sorted(table: &Table, batch: &RecordBatch) -> Result<RecordBatch> {
    Ok(take_record_batch(batch, &order(table, batch)?)?)
}

fn order(table: &Table, batch: &RecordBatch) -> Result<UInt32Array> {
    let keys = table.sorted_by.iter().filter_map(|key| {
        Some(SortColumn {
            values: batch.column_by_name(key)?.clone(),
            options: None,
        })
    });
    Ok(lexsort_to_indices(&keys.collect::<Vec<_>>(), None)?)
}
