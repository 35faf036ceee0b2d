//! What a file says of itself, held against its rows: where its row groups and pages lie, the least and greatest values
//! in them, and which values its bloom filters know. Whoever looks for something reads only the pages that may have it,
//! so a false word in there hides rows that are all there.

use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, AsArray as _, RecordBatch};
use arrow::compute::{max, max_boolean, max_string, min, min_boolean, min_string};
use arrow::datatypes::{Int64Type, TimestampMicrosecondType};
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::basic::BoundaryOrder;
use parquet::bloom_filter::Sbbf;
use parquet::column::page::PageReader;
use parquet::file::metadata::{ColumnChunkMetaData, PageIndexPolicy, ParquetMetaData};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::page_index::offset_index::PageLocation;
use parquet::file::reader::FileReader as _;
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::file::statistics::Statistics;

use super::shape;
use super::statistics::all_columns;
use crate::column::{Column, Kind};
use crate::{Error, Result, Table};

/// What a file says of itself.
pub(super) struct Inside {
    said: Vec<Said>,
    /// Of each row group, its rows and the bytes in which they lie.
    groups: Vec<(Range<u64>, Range<u64>)>,
    metadata: Arc<ParquetMetaData>,
    wrong: Vec<String>,
}

/// What is said of a column.
struct Said {
    column: &'static Column,
    spans: Vec<Span>,
}

/// What is said of some rows of a column: of a row group or of a page.
struct Span {
    rows: Range<u64>,
    least: Option<End>,
    greatest: Option<End>,
    nulls: Option<u64>,
    filter: Option<Sbbf>,
    counted_nulls: u64,
    is_false: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Number(i64),
    Text(Vec<u8>),
}

type Builder = ParquetRecordBatchReaderBuilder<File>;

impl Inside {
    pub(super) fn of(table: &'static Table, path: &Path) -> Result<Inside> {
        let open = || {
            File::open(path).map_err(|error| Error::Disk {
                path: path.to_owned(),
                error,
            })
        };
        let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Optional);
        let builder = Builder::try_new_with_options(open()?, options)?;
        let metadata = builder.metadata().clone();
        let mut inside = Inside {
            said: Vec::new(),
            groups: groups(&metadata),
            wrong: shape::oddities(table, &metadata, builder.schema())?,
            metadata: Arc::clone(&metadata),
        };
        inside.check_pages(&metadata, &SerializedFileReader::new(open()?)?)?;
        let leaves = metadata.file_metadata().schema_descr().columns().iter();
        for (index, leaf) in leaves.enumerate() {
            let column = all_columns(table).find(|column| [column.name] == leaf.path().parts());
            if let Some(column) = column {
                let spans = spans(&builder, &inside.groups, column, index)?;
                inside.said.push(Said { column, spans });
            }
        }
        Ok(inside)
    }

    /// The bytes of the row group that a row is in, the first row being 0.
    pub(super) fn bytes_of(&self, row: u64) -> Option<Range<u64>> {
        let group = self.groups.iter().find(|(rows, _)| rows.contains(&row));
        group.map(|(_, bytes)| bytes.clone())
    }

    /// The pages lie one behind the other where they are said to lie, and have the rows that they are said to have.
    fn check_pages(
        &mut self,
        metadata: &ParquetMetaData,
        reader: &SerializedFileReader<File>,
    ) -> Result<()> {
        let Some(index) = metadata.offset_index() else {
            return Ok(());
        };
        for (number, group) in metadata.row_groups().iter().enumerate() {
            let rows = reader.get_row_group(number)?;
            for (column, chunk) in group.columns().iter().enumerate() {
                let said = index.get(number).and_then(|said| said.get(column));
                let Some(said) = said else { continue };
                let mut pages = rows.get_column_page_reader(column)?;
                if !lie_as_said(said.page_locations(), chunk, &mut *pages)? {
                    let name = chunk.column_path().string();
                    self.wrong.push(format!(
                        "its page index says of {name} in row group {number} where pages lie, and they do not"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Rows that come next, from this one on.
    pub(super) fn add(&mut self, from: u64, rows: &RecordBatch) {
        let until = from + rows.num_rows() as u64;
        for said in &mut self.said {
            let Some(values) = rows.column_by_name(said.column.name) else {
                continue;
            };
            for span in &mut said.spans {
                let (first, last) = (span.rows.start.max(from), span.rows.end.min(until));
                if first < last {
                    let part = values.slice((first - from) as usize, (last - first) as usize);
                    span.add(said.column.kind, &part);
                }
            }
        }
    }

    /// What it says and is not so.
    pub(super) fn lies(self, rows: u64) -> Vec<String> {
        let mut wrong = self.wrong;
        wrong.extend(shape::miscounted(&self.metadata, rows));
        for said in &self.said {
            let mut lies = said.spans.iter();
            if let Some(span) = lies.find(|span| span.is_lie()) {
                let (from, to) = (span.rows.start + 1, span.rows.end);
                wrong.push(format!(
                    "what it says itself of {} in rows {from} to {to} is not so: who looks for these rows by it does \
                     not find them",
                    said.column.name
                ));
            }
        }
        wrong
    }
}

fn groups(metadata: &ParquetMetaData) -> Vec<(Range<u64>, Range<u64>)> {
    let mut from = 0;
    let groups = metadata.row_groups().iter().map(|group| {
        let rows = from..from + group.num_rows().unsigned_abs();
        from = rows.end;
        let bytes = group.columns().iter().map(ColumnChunkMetaData::byte_range);
        let (least, greatest) = bytes.fold((u64::MAX, 0), |(least, greatest), (start, length)| {
            (least.min(start), greatest.max(start + length))
        });
        (rows, least.min(greatest)..greatest)
    });
    groups.collect()
}

fn lie_as_said(
    said: &[PageLocation],
    chunk: &ColumnChunkMetaData,
    pages: &mut dyn PageReader,
) -> Result<bool> {
    let (start, length) = chunk.byte_range();
    let (mut said, mut row) = (said.iter(), 0);
    let mut offset = chunk.data_page_offset();
    while let Some(page) = pages.peek_next_page()? {
        if !page.is_dict {
            let Some(said) = said.next() else {
                return Ok(false);
            };
            if said.first_row_index != row || said.offset != offset {
                return Ok(false);
            }
            offset += i64::from(said.compressed_page_size);
            row += page.num_rows.or(page.num_levels).unwrap_or_default() as i64;
        }
        pages.skip_next_page()?;
    }
    Ok(said.next().is_none() && offset.unsigned_abs() == start + length)
}

/// What is said of a column: first of each row group, then of each page.
fn spans(
    builder: &Builder,
    groups: &[(Range<u64>, Range<u64>)],
    column: &Column,
    index: usize,
) -> Result<Vec<Span>> {
    let metadata = builder.metadata();
    let mut spans = Vec::new();
    for (number, (rows, _)) in groups.iter().enumerate() {
        let chunk = metadata.row_group(number).column(index);
        let statistics = chunk.statistics();
        let end = |bytes: Option<&[u8]>| bytes.and_then(|bytes| end_of(column.kind, bytes));
        spans.push(Span {
            least: end(statistics.and_then(Statistics::min_bytes_opt)),
            greatest: end(statistics.and_then(Statistics::max_bytes_opt)),
            nulls: statistics.and_then(Statistics::null_count_opt),
            filter: builder.get_row_group_column_bloom_filter(number, index)?,
            ..Span::over(rows.clone())
        });
        let values = metadata
            .column_index()
            .and_then(|all| all.get(number)?.get(index));
        let places = metadata
            .offset_index()
            .and_then(|all| all.get(number)?.get(index));
        if let (Some(values), Some(places)) = (values, places) {
            let starts = places.page_locations().iter();
            let starts = starts.map(|page| rows.start + page.first_row_index.unsigned_abs());
            let starts: Vec<u64> = starts.chain([rows.end]).collect();
            let pages = starts.windows(2).enumerate();
            let pages = pages.filter_map(|(page, rows)| of_page(values, page, rows[0]..rows[1]));
            let mut pages: Vec<Span> = pages.collect();
            let is_in_order = are_in_order(values.get_boundary_order(), &pages);
            if let Some(first) = pages.first_mut().filter(|_| !is_in_order) {
                first.is_false = true;
            }
            spans.append(&mut pages);
        }
    }
    Ok(spans)
}

/// Some readers look for a page by halves where pages are said to be in order.
fn are_in_order(said: Option<BoundaryOrder>, pages: &[Span]) -> bool {
    let least = || pages.iter().filter_map(|page| page.least.as_ref());
    let greatest = || pages.iter().filter_map(|page| page.greatest.as_ref());
    match said {
        Some(BoundaryOrder::ASCENDING) => least().is_sorted() && greatest().is_sorted(),
        Some(BoundaryOrder::DESCENDING) => {
            least().is_sorted_by(|a, b| a >= b) && greatest().is_sorted_by(|a, b| a >= b)
        }
        Some(BoundaryOrder::UNORDERED) | None => true,
    }
}

fn of_page(values: &ColumnIndexMetaData, page: usize, rows: Range<u64>) -> Option<Span> {
    if matches!(values, ColumnIndexMetaData::NONE) || page as u64 >= values.num_pages() {
        return None;
    }
    let (least, greatest) = match values {
        ColumnIndexMetaData::INT64(index) => (
            index.min_value(page).map(|value| End::Number(*value)),
            index.max_value(page).map(|value| End::Number(*value)),
        ),
        ColumnIndexMetaData::BOOLEAN(index) => (
            index
                .min_value(page)
                .map(|value| End::Number(i64::from(*value))),
            index
                .max_value(page)
                .map(|value| End::Number(i64::from(*value))),
        ),
        ColumnIndexMetaData::BYTE_ARRAY(index) => (
            index.min_value(page).map(|value| End::Text(value.to_vec())),
            index.max_value(page).map(|value| End::Text(value.to_vec())),
        ),
        _ => (None, None),
    };
    let nulls = match values.is_null_page(page) {
        true => Some(rows.end.saturating_sub(rows.start)),
        false => values.null_count(page).map(i64::unsigned_abs),
    };
    Some(Span {
        least,
        greatest,
        nulls,
        ..Span::over(rows)
    })
}

fn end_of(kind: Kind, bytes: &[u8]) -> Option<End> {
    match kind {
        Kind::Text => Some(End::Text(bytes.to_vec())),
        Kind::Bool => bytes.first().map(|byte| End::Number(i64::from(*byte))),
        _ => Some(End::Number(i64::from_le_bytes(bytes.try_into().ok()?))),
    }
}

impl Span {
    fn over(rows: Range<u64>) -> Span {
        Span {
            rows,
            least: None,
            greatest: None,
            nulls: None,
            filter: None,
            counted_nulls: 0,
            is_false: false,
        }
    }

    fn add(&mut self, kind: Kind, values: &ArrayRef) {
        self.counted_nulls += values.null_count() as u64;
        let number = |least: Option<i64>, greatest: Option<i64>| {
            (least.map(End::Number), greatest.map(End::Number))
        };
        let (least, greatest) = match kind {
            Kind::Int | Kind::Cents => {
                let values = values.as_primitive::<Int64Type>();
                number(min(values), max(values))
            }
            Kind::Moment => {
                let values = values.as_primitive::<TimestampMicrosecondType>();
                number(min(values), max(values))
            }
            Kind::Bool => {
                let values = values.as_boolean();
                let as_number = |value: Option<bool>| value.map(i64::from);
                number(
                    as_number(min_boolean(values)),
                    as_number(max_boolean(values)),
                )
            }
            Kind::Text => {
                let values = values.as_string::<i32>();
                let text = |text: Option<&str>| text.map(|text| End::Text(text.into()));
                (text(min_string(values)), text(max_string(values)))
            }
            Kind::Day | Kind::Texts | Kind::Ints => return,
        };
        let above = self
            .least
            .as_ref()
            .zip(least)
            .is_some_and(|(said, least)| *said > least);
        let below = self.greatest.as_ref().zip(greatest);
        let below = below.is_some_and(|(said, greatest)| *said < greatest);
        self.is_false |= above || below || self.denies(kind, values);
    }

    /// A value that the bloom filter does not know.
    fn denies(&self, kind: Kind, values: &ArrayRef) -> bool {
        let Some(filter) = &self.filter else {
            return false;
        };
        if kind != Kind::Text {
            return false;
        }
        let mut last = None;
        values.as_string::<i32>().iter().flatten().any(|value| {
            let again = last.replace(value) == Some(value);
            !again && !filter.check(value)
        })
    }

    fn is_lie(&self) -> bool {
        self.is_false || self.nulls.is_some_and(|said| said != self.counted_nulls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_in_the_order_that_is_said_or_it_is_a_lie() {
        let page = |(least, greatest): (i64, i64)| Span {
            least: Some(End::Number(least)),
            greatest: Some(End::Number(greatest)),
            ..Span::over(0..1)
        };
        // A page without a value has no place in the order.
        let with_gap = |ends: [(i64, i64); 3]| {
            let mut pages: Vec<Span> = ends.map(page).into();
            pages.insert(1, Span::over(1..2));
            pages
        };
        let (up, down) = (BoundaryOrder::ASCENDING, BoundaryOrder::DESCENDING);
        let rising = with_gap([(1, 5), (3, 5), (4, 9)]);
        let mixed = with_gap([(1, 5), (7, 8), (4, 9)]);
        assert!(are_in_order(Some(up), &rising) && !are_in_order(Some(down), &rising));
        assert!(!are_in_order(Some(up), &mixed) && !are_in_order(Some(down), &mixed));
        assert!(are_in_order(Some(BoundaryOrder::UNORDERED), &mixed) && are_in_order(None, &mixed));
        let falling: Vec<Span> = rising.into_iter().rev().collect();
        assert!(are_in_order(Some(down), &falling));
    }
}
