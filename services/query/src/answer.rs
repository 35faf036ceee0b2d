//! The answer to a query, and the forms that it can be written in.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use arrow::array::{
    Array as _, ArrayRef, AsArray as _, RecordBatch, RecordBatchOptions, StringArray,
};
use arrow::compute::cast;
use arrow::csv;
use arrow::datatypes::{DataType, Field, Int64Type, Schema, SchemaRef};
use arrow::ipc::writer::{FileWriter, StreamWriter};
use arrow::json::LineDelimitedWriter;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use catwalk_hands::floor::Cents;
use datafusion::dataframe::DataFrame;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::physical_plan::execute_stream;
use futures::StreamExt as _;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout_at};

use crate::bounds::beyond;
use crate::watch::Watch;
use crate::xlsx::Book;
use crate::{Bounds, Error, Result};

/// A group of rows of a Parquet file has about so much.
const GROUP_BYTES: usize = 64 << 20;

/// A form of an answer for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// With a header.
    Csv(Money),
    /// One object a line.
    Json,
    Parquet,
    /// Arrow's file, which is also called Feather.
    Arrow,
    /// Arrow's stream, which can be read as it comes.
    ArrowStream,
    /// A workbook: money in dollars.
    Xlsx,
}

/// How money is written for other programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Money {
    /// As the archive has it, in columns that end in `_cents`.
    #[default]
    Cents,
    /// `12.50`, in columns without that end.
    Dollars,
}

/// An answer as people read it: money in dollars, moments without needless digits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    pub columns: Vec<SheetColumn>,
    /// A cell for each column; what has no value is empty.
    pub rows: Vec<Vec<String>>,
}

/// A column of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetColumn {
    /// The name, without the `_cents` of a column that is shown in dollars.
    pub name: String,
    /// Numbers stand to the right.
    pub is_number: bool,
}

pub(crate) fn too_late(time: Duration) -> Error {
    Error::Beyond {
        bound: "time",
        limit: format!("{} s", time.as_secs_f64()),
        what: "it takes longer".to_owned(),
    }
}

/// The rows of an answer, as they come.
pub struct Answer {
    rows: SendableRecordBatchStream,
    bounds: Bounds,
    until: Instant,
    given: Arc<AtomicU64>,
    /// Rows and bytes so far.
    so_far: (usize, usize),
}

impl Answer {
    /// Begins to answer. The time of the bounds runs from now on.
    pub(crate) async fn of(
        plan: DataFrame,
        bounds: &Bounds,
        given: &Arc<AtomicU64>,
        is_over: &Arc<AtomicBool>,
    ) -> Result<Answer> {
        let until = Instant::now() + bounds.time;
        let watch = Watch {
            until: until.into_std(),
            is_over: Arc::clone(is_over),
        };
        let begin = async {
            let context = Arc::new(plan.task_ctx());
            let plan = watch.over(plan.create_physical_plan().await?)?;
            execute_stream(plan, context)
        };
        let rows = timeout_at(until, begin).await;
        Ok(Answer {
            rows: rows.map_err(|_| too_late(bounds.time))??,
            bounds: bounds.clone(),
            until,
            given: Arc::clone(given),
            so_far: (0, 0),
        })
    }

    /// An answer of rows that come from somewhere else.
    #[cfg(test)]
    pub(crate) fn of_rows(rows: SendableRecordBatchStream) -> Answer {
        let bounds = Bounds::default();
        Answer {
            rows,
            until: Instant::now() + bounds.time,
            bounds,
            given: Arc::default(),
            so_far: (0, 0),
        }
    }

    /// The next rows as they come; `None` after the last.
    pub(crate) async fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        // Rows that are always there are not waited for.
        if Instant::now() >= self.until {
            return Err(too_late(self.bounds.time));
        }
        let batch = timeout_at(self.until, self.rows.next()).await;
        let batch = batch.map_err(|_| too_late(self.bounds.time))?;
        let batch = batch.transpose()?;
        if let Some(batch) = &batch {
            self.count(batch)?;
            let rows = batch.num_rows() as u64;
            self.given.fetch_add(rows, Ordering::Relaxed);
        }
        Ok(batch)
    }

    /// Refuses rows that would make the answer larger than it may be.
    fn count(&mut self, batch: &RecordBatch) -> Result<()> {
        let Bounds {
            rows, answer_bytes, ..
        } = self.bounds;
        self.so_far.0 = self.so_far.0.saturating_add(batch.num_rows());
        if answer_bytes < usize::MAX {
            let bytes: usize = batch.columns().iter().map(bytes_of).sum();
            self.so_far.1 = self.so_far.1.saturating_add(bytes);
        }
        if self.so_far.0 > rows {
            return Err(beyond(
                "rows",
                rows,
                "the answer has more; ask for a part of it, or for sums",
            ));
        }
        if self.so_far.1 > answer_bytes {
            let what = "the answer is larger; ask for fewer columns or rows";
            return Err(beyond("answer_bytes", answer_bytes, what));
        }
        Ok(())
    }

    pub fn schema(&self) -> SchemaRef {
        self.rows.schema()
    }

    /// All rows at once.
    pub async fn collect(mut self) -> Result<Vec<RecordBatch>> {
        let mut batches = Vec::new();
        while let Some(batch) = self.next_batch().await? {
            batches.push(batch);
        }
        Ok(batches)
    }

    /// The next rows, each as a struct with a field for every column; `None` after the last.
    pub async fn next<T: DeserializeOwned>(&mut self) -> Result<Option<Vec<T>>> {
        match self.next_batch().await? {
            Some(batch) => Ok(Some(serde_arrow::from_record_batch(&batch)?)),
            None => Ok(None),
        }
    }

    /// All rows, each as a struct with a field for every column.
    pub async fn read<T: DeserializeOwned>(mut self) -> Result<Vec<T>> {
        let mut rows = Vec::new();
        while let Some(more) = self.next().await? {
            rows.extend(more);
        }
        Ok(rows)
    }

    /// All rows, as people read them.
    pub async fn sheet(mut self) -> Result<Sheet> {
        let schema = self.schema();
        let columns = schema.fields().iter().map(|field| SheetColumn {
            name: dollars(field).unwrap_or(field.name()).to_owned(),
            is_number: field.data_type().is_numeric(),
        });
        let mut sheet = Sheet {
            columns: columns.collect(),
            rows: Vec::new(),
        };
        while let Some(batch) = self.next_batch().await? {
            if sheet.rows.len() + batch.num_rows() > self.bounds.rows_shown {
                let what =
                    "the answer has more rows; write it as CSV, JSON or Parquet, or ask for fewer,";
                return Err(beyond("rows_shown", self.bounds.rows_shown, what));
            }
            let options = shown();
            let columns = batch.columns().iter().zip(schema.fields());
            let cells = columns.map(|(column, field)| cells(column, field, &options));
            let cells = cells.collect::<Result<Vec<Vec<String>>>>()?;
            let rows = 0..batch.num_rows();
            sheet.rows.extend(rows.map(|row| {
                let cells = cells.iter().map(|column| column[row].clone());
                cells.collect::<Vec<String>>()
            }));
        }
        Ok(sheet)
    }

    /// Writes the rows as they come. Returns how many there were.
    pub async fn write(self, format: Format, out: &mut (dyn Write + Send)) -> Result<u64> {
        match format {
            Format::Csv(money) => self.write_csv(money, out).await,
            Format::Json => self.write_json(out).await,
            Format::Parquet => self.write_parquet(out).await,
            Format::Arrow => self.write_arrow(out).await,
            Format::ArrowStream => self.write_arrow_stream(out).await,
            Format::Xlsx => self.write_xlsx(out).await,
        }
    }

    async fn write_csv(mut self, money: Money, out: &mut (dyn Write + Send)) -> Result<u64> {
        let mut rows = 0;
        let header = RecordBatch::new_empty(self.schema());
        let mut writer = csv::WriterBuilder::new().with_header(true).build(out);
        writer.write(&for_csv(&header, money)?)?;
        while let Some(batch) = self.next_batch().await? {
            rows += batch.num_rows() as u64;
            writer.write(&for_csv(&batch, money)?)?;
        }
        Ok(rows)
    }

    async fn write_json(mut self, out: &mut (dyn Write + Send)) -> Result<u64> {
        let mut rows = 0;
        let mut writer = LineDelimitedWriter::new(out);
        while let Some(batch) = self.next_batch().await? {
            rows += batch.num_rows() as u64;
            writer.write(&batch)?;
        }
        writer.finish()?;
        Ok(rows)
    }

    async fn write_parquet(mut self, out: &mut (dyn Write + Send)) -> Result<u64> {
        let mut rows = 0;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .build();
        let mut writer = ArrowWriter::try_new(out, self.schema(), Some(properties))?;
        while let Some(batch) = self.next_batch().await? {
            rows += batch.num_rows() as u64;
            writer.write(&batch)?;
            // A group of rows is held until it is written.
            if writer.in_progress_size() > GROUP_BYTES {
                writer.flush()?;
            }
        }
        writer.close()?;
        Ok(rows)
    }

    async fn write_arrow(mut self, out: &mut (dyn Write + Send)) -> Result<u64> {
        let mut rows = 0;
        let mut writer = FileWriter::try_new(out, &self.schema())?;
        while let Some(batch) = self.next_batch().await? {
            rows += batch.num_rows() as u64;
            writer.write(&batch)?;
        }
        writer.finish()?;
        Ok(rows)
    }

    /// With texts as every reader of Arrow knows them.
    async fn write_arrow_stream(mut self, out: &mut (dyn Write + Send)) -> Result<u64> {
        let mut rows = 0;
        let schema = self.schema();
        let fields = schema.fields().iter().map(|field| {
            let kind = match field.data_type() {
                DataType::Utf8View => DataType::Utf8,
                DataType::BinaryView => DataType::Binary,
                other => other.clone(),
            };
            Field::clone(field).with_data_type(kind)
        });
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let mut writer = StreamWriter::try_new(out, &schema)?;
        while let Some(batch) = self.next_batch().await? {
            rows += batch.num_rows() as u64;
            let columns = batch.columns().iter().zip(schema.fields());
            let columns = columns.map(|(column, field)| cast(column, field.data_type()));
            let columns = columns.collect::<std::result::Result<Vec<_>, _>>()?;
            let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
            let schema = Arc::clone(&schema);
            writer.write(&RecordBatch::try_new_with_options(
                schema, columns, &options,
            )?)?;
        }
        writer.finish()?;
        Ok(rows)
    }

    async fn write_xlsx(mut self, out: &mut (dyn Write + Send)) -> Result<u64> {
        let mut rows = 0;
        let mut book = Book::new(self.schema().fields())?;
        while let Some(batch) = self.next_batch().await? {
            rows += batch.num_rows() as u64;
            book.write(&batch)?;
        }
        book.close(out)?;
        Ok(rows)
    }
}

/// What the values of a column have.
fn bytes_of(column: &ArrayRef) -> usize {
    let data = column.to_data();
    let bytes = data.get_slice_memory_size();
    let bytes = bytes.unwrap_or_else(|_| column.get_array_memory_size());
    // Long texts of a view lie beside it.
    let beside = column.as_string_view_opt().map_or(0, |texts| {
        let lengths = texts.lengths().map(|length| length as usize);
        lengths.filter(|length| *length > 12).sum()
    });
    bytes + beside
}

/// Lists as texts, because CSV has none; money as it was asked for.
fn for_csv(batch: &RecordBatch, money: Money) -> Result<RecordBatch> {
    let schema = batch.schema();
    let columns = batch.columns().iter().zip(schema.fields());
    let columns = columns.map(|(column, field)| {
        let dollars = dollars(field).filter(|_| money == Money::Dollars);
        let texts = match (dollars, field.data_type().is_nested()) {
            (Some(_), _) => {
                let cents = column.as_primitive::<Int64Type>().iter();
                cents.map(|cents| cents.map(decimal)).collect()
            }
            (None, true) => StringArray::from(cells(column, field, &FormatOptions::new())?),
            (None, false) => return Ok((field.name().as_str(), Arc::clone(column))),
        };
        Ok((dollars.unwrap_or(field.name()), Arc::new(texts) as ArrayRef))
    });
    // Two columns of one name are two columns.
    let (names, columns): (Vec<_>, Vec<ArrayRef>) =
        columns.collect::<Result<Vec<_>>>()?.into_iter().unzip();
    let fields = names.iter().zip(&columns);
    let fields = fields.map(|(name, column)| Field::new(*name, column.data_type().clone(), true));
    let schema = Schema::new(fields.collect::<Vec<_>>());
    Ok(RecordBatch::try_new(Arc::new(schema), columns)?)
}

/// Dollars without a sign for them, as other programs read them.
fn decimal(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let cents = cents.unsigned_abs();
    format!("{sign}{}.{:02}", cents / 100, cents % 100)
}

/// How values are shown to people.
pub(crate) fn shown() -> FormatOptions<'static> {
    FormatOptions::new()
        .with_timestamp_tz_format(Some("%Y-%m-%d %H:%M:%S%.fZ"))
        .with_null("")
}

fn cells(column: &ArrayRef, field: &Field, options: &FormatOptions<'_>) -> Result<Vec<String>> {
    if dollars(field).is_some() {
        let cents = column.as_primitive::<Int64Type>().iter();
        let show = |cents: Option<i64>| cents.map(|cents| Cents::new(cents).to_string());
        return Ok(cents.map(|cents| show(cents).unwrap_or_default()).collect());
    }
    let formatter = ArrayFormatter::try_new(column, options)?;
    let rows = 0..column.len();
    Ok(rows.map(|row| formatter.value(row).to_string()).collect())
}

/// The name of a column of cents when it is shown in dollars.
pub(crate) fn dollars(field: &Field) -> Option<&str> {
    let name = field.name().strip_suffix("_cents")?;
    (*field.data_type() == DataType::Int64).then_some(name)
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Answer").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_are_written_to_the_cent() {
        for (cents, dollars) in [
            (0, "0.00"),
            (-5, "-0.05"),
            (123_456, "1234.56"),
            (i64::MIN, "-92233720368547758.08"),
        ] {
            assert_eq!(decimal(cents), dollars);
        }
    }
}
