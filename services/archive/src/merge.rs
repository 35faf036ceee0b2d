//! Rows of several files of a table, in the order of the table.
//!
//! Each file has its rows in that order already, so they are merged as they are read: memory is bounded by a batch of
//! each file, however large the files are.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::path::PathBuf;

use arrow::array::{ArrayRef, RecordBatch, StringArray, new_null_array};
use arrow::compute::{cast, concat_batches, interleave_record_batch, take};
use arrow::error::ArrowError;
use arrow::row::{RowConverter, Rows, SortField};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use tempfile::TempPath;

use crate::rows::sorted;
use crate::{Error, PARTITION, Result, Table};

/// Rows that are given out at once.
const BATCH: usize = 8192;
/// Rows of all files together that are held at once, more or less, and of each file at least.
const HELD: usize = 64 * 1024;
const HELD_EACH: usize = 256;

/// A file of a table.
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    /// The gaming day of its rows: it is not in the file.
    pub(crate) day: Option<String>,
    /// Where it is a copy of one in an object store: it goes when the rows have been read.
    pub(crate) _copy: Option<TempPath>,
}

/// The rows of files in the order of the table.
pub(crate) struct Merge {
    order: Order,
    sources: Vec<Source>,
    /// The least row that each source has to give.
    heads: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
    /// What is read, until it is.
    _inputs: Vec<Input>,
}

pub(crate) type Batches = Box<dyn Iterator<Item = Result<RecordBatch>> + Send>;

struct Source {
    batches: Batches,
    batch: RecordBatch,
    keys: Rows,
    row: usize,
}

/// Whether rows that come one after the other are in the order of their table.
pub(crate) struct InOrder {
    order: Order,
    last: Vec<u8>,
    holds: bool,
}

impl InOrder {
    pub(crate) fn of(table: &'static Table) -> Result<InOrder> {
        Ok(InOrder {
            order: Order::of(table)?,
            last: Vec::new(),
            holds: true,
        })
    }

    pub(crate) fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        for key in &self.order.keys(batch)? {
            self.holds &= key.data() >= self.last.as_slice();
            self.last.clear();
            self.last.extend_from_slice(key.data());
        }
        Ok(())
    }

    pub(crate) fn holds(&self) -> bool {
        self.holds
    }
}

/// The order of a table, as bytes that compare as its rows do.
struct Order {
    converter: RowConverter,
    columns: &'static [&'static str],
}

impl Merge {
    /// Begins to read. A file that is not in order, which none of ours is, is put in order in memory.
    pub(crate) fn of(table: &'static Table, inputs: Vec<Input>) -> Result<Merge> {
        let held = (HELD / inputs.len().max(1)).clamp(HELD_EACH, BATCH);
        let order = Order::of(table)?;
        let mut merge = Merge {
            sources: Vec::with_capacity(inputs.len()),
            heads: BinaryHeap::with_capacity(inputs.len()),
            order,
            _inputs: Vec::new(),
        };
        for input in &inputs {
            let batches = read(table, input, held, None)?;
            merge.add(match merge.order.is_of(table, input)? {
                true => batches,
                false => {
                    let all = batches.collect::<Result<Vec<_>>>()?;
                    let all = sorted(table, &concat_batches(&table.sealed_schema(), &all)?)?;
                    Box::new(std::iter::once(Ok(all)))
                }
            })?;
        }
        merge._inputs = inputs;
        Ok(merge)
    }

    fn add(&mut self, mut batches: Batches) -> Result<()> {
        let Some((batch, keys)) = self.order.next(&mut batches)? else {
            return Ok(());
        };
        let source = Source {
            batches,
            batch,
            keys,
            row: 0,
        };
        let head = (source.key().to_vec(), self.sources.len());
        self.heads.push(Reverse(head));
        self.sources.push(source);
        Ok(())
    }

    /// The next rows; `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<RecordBatch>> {
        let sources = self.sources.iter();
        let mut batches: Vec<RecordBatch> = sources.map(|source| source.batch.clone()).collect();
        let mut places: Vec<usize> = (0..batches.len()).collect();
        let mut taken: Vec<(usize, usize)> = Vec::with_capacity(BATCH);
        while taken.len() < BATCH
            && let Some(Reverse((mut key, index))) = self.heads.pop()
        {
            let source = &mut self.sources[index];
            // As long as it has the least row, the others need not be asked.
            let has_more = loop {
                taken.push((places[index], source.row));
                source.row += 1;
                if source.row == source.batch.num_rows() {
                    let Some((batch, keys)) = self.order.next(&mut source.batches)? else {
                        break false;
                    };
                    (source.batch, source.keys, source.row) = (batch, keys, 0);
                    places[index] = batches.len();
                    batches.push(source.batch.clone());
                }
                let other = self.heads.peek().map(|Reverse((key, _))| key.as_slice());
                if taken.len() == BATCH || other.is_some_and(|other| other < source.key()) {
                    break true;
                }
            };
            if has_more {
                key.clear();
                key.extend_from_slice(source.key());
                self.heads.push(Reverse((key, index)));
            }
        }
        if taken.is_empty() {
            return Ok(None);
        }
        let batches: Vec<&RecordBatch> = batches.iter().collect();
        Ok(Some(interleave_record_batch(&batches, &taken)?))
    }
}

impl Source {
    fn key(&self) -> &[u8] {
        self.keys.row(self.row).data()
    }
}

impl Order {
    fn of(table: &'static Table) -> Result<Order> {
        let schema = table.schema();
        let fields = table.sorted_by.iter().map(|key| {
            let field = schema.field_with_name(key)?;
            Ok(SortField::new(field.data_type().clone()))
        });
        let fields = fields.collect::<std::result::Result<Vec<_>, ArrowError>>()?;
        Ok(Order {
            converter: RowConverter::new(fields)?,
            columns: table.sorted_by,
        })
    }

    fn keys(&self, batch: &RecordBatch) -> Result<Rows> {
        let column = |name: &&str| {
            let column = batch.column_by_name(name);
            column.cloned().ok_or_else(|| missing(name))
        };
        let columns = self.columns.iter().map(column);
        let columns = columns.collect::<std::result::Result<Vec<ArrayRef>, _>>()?;
        Ok(self.converter.convert_columns(&columns)?)
    }

    /// The next rows that there are, with their keys.
    fn next(&self, batches: &mut Batches) -> Result<Option<(RecordBatch, Rows)>> {
        for batch in batches {
            let batch = batch?;
            if batch.num_rows() > 0 {
                let keys = self.keys(&batch)?;
                return Ok(Some((batch, keys)));
            }
        }
        Ok(None)
    }

    /// Whether each row of a file comes after the one before it. Only the columns of the order are read.
    fn is_of(&self, table: &'static Table, input: &Input) -> Result<bool> {
        let mut order = InOrder::of(table)?;
        for batch in read(table, input, BATCH, Some(self.columns))? {
            order.add(&batch?)?;
            if !order.holds {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The rows of a file with the columns that the table has now.
pub(crate) fn rows_of(table: &'static Table, input: &Input) -> Result<Batches> {
    read(table, input, BATCH, None)
}

/// The rows of a file with the types that the table has now, or only some of their columns.
pub(crate) fn read(
    table: &'static Table,
    input: &Input,
    rows: usize,
    only: Option<&[&str]>,
) -> Result<Batches> {
    let at = |error| Error::Disk {
        path: input.path.clone(),
        error,
    };
    let file = File::open(&input.path).map_err(at)?;
    let mut reader = ParquetRecordBatchReaderBuilder::try_new(file)?.with_batch_size(rows);
    if let Some(only) = only {
        let columns = ProjectionMask::columns(reader.parquet_schema(), only.iter().copied());
        reader = reader.with_projection(columns);
    }
    let day = input.day.clone();
    let is_part = only.is_some();
    let batches = reader.build()?.map(move |batch| {
        let batch = batch?;
        match is_part {
            true => Ok(batch),
            false => as_written(table, &batch, day.as_deref()),
        }
    });
    Ok(Box::new(batches))
}

/// A batch of a file with the columns that the table is written with: the gaming day, and those that are newer than
/// the file.
pub(crate) fn as_written(
    table: &Table,
    batch: &RecordBatch,
    day: Option<&str>,
) -> Result<RecordBatch> {
    let schema = table.sealed_schema();
    let rows = batch.num_rows();
    let columns = schema.fields().iter().map(|field| {
        let column = match batch.column_by_name(field.name()) {
            Some(column) => cast(column, field.data_type())?,
            None if field.name() == PARTITION => {
                let day = cast(&StringArray::from(vec![day]), field.data_type())?;
                take(&day, &arrow::array::UInt32Array::from(vec![0; rows]), None)?
            }
            None if field.is_nullable() => new_null_array(field.data_type(), rows),
            None => return Err(missing(field.name())),
        };
        Ok(column)
    });
    let columns = columns.collect::<std::result::Result<Vec<_>, ArrowError>>()?;
    Ok(RecordBatch::try_new(schema, columns)?)
}

fn missing(column: &str) -> ArrowError {
    ArrowError::SchemaError(format!("no column {column}"))
}
