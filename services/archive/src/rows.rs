//! Rows of a table that wait to be written.

use arrow::array::RecordBatch;
use arrow::compute::{SortColumn, lexsort_to_indices, take_record_batch};
use serde::Serialize;
use serde_arrow::ArrayBuilder;

use crate::{Result, Table};

/// Rows of a table, as Arrow columns.
pub(crate) struct Rows {
    table: &'static Table,
    builder: ArrayBuilder,
    len: usize,
}

impl Rows {
    pub(crate) fn new(table: &'static Table) -> Result<Rows> {
        let builder = ArrayBuilder::from_arrow(table.schema().fields())?;
        Ok(Rows {
            table,
            builder,
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

    /// Takes all rows out, in the order of the table.
    pub(crate) fn take(&mut self) -> Result<RecordBatch> {
        self.len = 0;
        let batch = self.builder.to_record_batch()?;
        sorted(self.table, &batch)
    }
}

fn sorted(table: &Table, batch: &RecordBatch) -> Result<RecordBatch> {
    let keys = table.sorted_by.iter().filter_map(|key| {
        Some(SortColumn {
            values: batch.column_by_name(key)?.clone(),
            options: None,
        })
    });
    let order = lexsort_to_indices(&keys.collect::<Vec<_>>(), None)?;
    Ok(take_record_batch(batch, &order)?)
}
