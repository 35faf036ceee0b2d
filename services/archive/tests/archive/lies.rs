//! Attacks on what files say of their rows: all rows stay where they are, and whoever looks for some is misled.

use std::fs::{self, File};
use std::path::Path;

use arrow::array::{Array as _, RecordBatch};
use catwalk_archive::{Table, sha256_hex};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Type;
use parquet::file::metadata::{
    ColumnChunkMetaData, ColumnIndexBuilder, OffsetIndexBuilder, PageIndexPolicy, ParquetMetaData,
    ParquetMetaDataReader, ParquetMetaDataWriter, SortingColumn,
};
use parquet::file::statistics::{Statistics, ValueStatistics};
use parquet::file::writer::TrackedWrite;
use parquet::schema::types::ColumnDescPtr;
use serde_json::{Value, json};

use crate::attacks::{Added, Attacker, Done};
use crate::edits::take;

/// What a file may say of itself.
const WHICH: [&str; 7] = [
    "bloom filter",
    "statistics",
    "page values",
    "page places",
    "number of rows",
    "number of values",
    "order",
];
/// A number that no row has.
const BEYOND: i64 = 1 << 60;

impl Attacker {
    /// The footer, a bloom filter or the page index of a file says what is not so.
    pub(crate) fn lie_inside(&mut self) -> Done {
        let which = self.any(WHICH.len());
        let (mut added, bytes) = loop {
            let added = self.added(2);
            let path = self.path(&added);
            let forged = match which {
                0 => forget(&path),
                1 => Some(with_footer(&path, raise_statistics)),
                2 => Some(with_footer(&path, raise_pages)),
                3 => Some(with_footer(&path, move_pages)),
                4 => Some(with_footer(&path, count_one_more)),
                5 => Some(with_footer(&path, count_values)),
                _ => Some(with_footer(&path, say_order)),
            };
            if let Some(forged) = forged {
                break (added, forged);
            }
        };
        fs::write(self.path(&added), &bytes).unwrap();
        self.note_bytes(&mut added, &bytes);
        self.write(&added, Some(&added.add));
        Done {
            what: WHICH[which].to_owned(),
            ..Done::at(&added)
        }
    }

    /// The log says more of a file than its rows have: it may be given as an answer.
    pub(crate) fn exaggerate(&mut self) -> Done {
        let mut added = self.added(2);
        let mut stats: Value = serde_json::from_str(added.add["stats"].as_str().unwrap()).unwrap();
        let bounds = ["minValues", "maxValues"][self.any(2)];
        let numbers = stats[bounds].as_object_mut().unwrap().iter_mut();
        let mut numbers = numbers.filter(|(name, said)| said.is_i64() && *name != "leaf");
        let (_, said) = numbers.next().unwrap();
        *said = json!(if bounds == "minValues" { -5 } else { BEYOND });
        added.add["stats"] = json!(stats.to_string());
        self.write(&added, Some(&added.add));
        Done {
            what: bounds.to_owned(),
            ..Done::at(&added)
        }
    }

    /// The same rows in another order, which is still said to be that of the table.
    pub(crate) fn reorder(&mut self) -> Done {
        let (mut added, before) = loop {
            let added = self.added(2);
            let file = File::open(self.path(&added)).unwrap();
            let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
            let mut batches = reader.build().unwrap();
            let first = batches.next().unwrap().unwrap();
            // Rows that are alike in all that orders them have no order.
            let table = Table::named(added.table).unwrap();
            let is_mixed = table.sorted_by.iter().any(|name| {
                let keys = first.column_by_name(name).unwrap();
                keys.slice(0, 1) != keys.slice(first.num_rows() - 1, 1)
            });
            if batches.next().is_none() && is_mixed {
                break (added, first);
            }
        };
        let rows = (0..before.num_rows()).rev();
        let after: RecordBatch = take(&before, rows);
        let path = self.path(&added);
        let file = File::create(&path).unwrap();
        let mut writer = ArrowWriter::try_new(file, after.schema(), None).unwrap();
        writer.write(&after).unwrap();
        writer.close().unwrap();
        self.note_bytes(&mut added, &fs::read(path).unwrap());
        self.write(&added, Some(&added.add));
        Done {
            what: format!("{} rows backwards", after.num_rows()),
            ..Done::at(&added)
        }
    }

    fn note_bytes(&self, added: &mut Added, bytes: &[u8]) {
        added.add["size"] = json!(bytes.len());
        added.add["tags"]["catwalk.sha256"] = json!(sha256_hex(bytes));
    }
}

/// Bloom filters that know nothing; `None` where there are none.
fn forget(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = fs::read(path).unwrap();
    let metadata = metadata(path);
    let groups = metadata.row_groups().iter();
    let filters = groups
        .flat_map(|group| group.columns())
        .filter_map(|chunk| {
            let (from, length) = (chunk.bloom_filter_offset()?, chunk.bloom_filter_length()?);
            Some((from as usize, length as usize))
        });
    let filters: Vec<_> = filters.collect();
    for (from, length) in &filters {
        // The bits come behind a header of some bytes, whose length stays as it is.
        bytes[from + 32..from + length].fill(0);
    }
    (!filters.is_empty()).then_some(bytes)
}

fn metadata(path: &Path) -> ParquetMetaData {
    let reader = ParquetMetaDataReader::new().with_page_index_policy(PageIndexPolicy::Optional);
    reader.parse_and_finish(&File::open(path).unwrap()).unwrap()
}

/// The file with another footer behind the one that it had.
fn with_footer(path: &Path, forge: impl Fn(ParquetMetaData, usize) -> ParquetMetaData) -> Vec<u8> {
    let known = metadata(path);
    let mut columns = known.file_metadata().schema_descr().columns().iter();
    let is_number = |leaf: &ColumnDescPtr| {
        leaf.physical_type() == Type::INT64
            && leaf.max_rep_level() == 0
            && !["lane", "leaf"].contains(&leaf.name())
    };
    let column = columns.position(is_number).unwrap();
    let forged = forge(known, column);
    let mut out = Vec::new();
    let mut tracked = TrackedWrite::new(&mut out);
    std::io::Write::write_all(&mut tracked, &fs::read(path).unwrap()).unwrap();
    let writer = ParquetMetaDataWriter::new_with_tracked(tracked, &forged);
    writer.finish().unwrap();
    out
}

fn raise_statistics(metadata: ParquetMetaData, column: usize) -> ParquetMetaData {
    let mut builder = metadata.into_builder();
    let groups = builder.take_row_groups().into_iter().map(|group| {
        let mut columns: Vec<ColumnChunkMetaData> = group.columns().to_vec();
        let lie = Statistics::int64(Some(BEYOND), Some(BEYOND + 1), None, Some(0), false);
        let chunk = columns[column].clone().into_builder();
        columns[column] = chunk.set_statistics(lie).build().unwrap();
        group
            .into_builder()
            .set_column_metadata(columns)
            .build()
            .unwrap()
    });
    let groups = groups.collect();
    builder.set_row_groups(groups).build()
}

fn raise_pages(metadata: ParquetMetaData, column: usize) -> ParquetMetaData {
    let mut index = metadata.column_index().unwrap().clone();
    for group in &mut index {
        let mut lie = ColumnIndexBuilder::new(Type::INT64);
        for _ in 0..group[column].num_pages() {
            let end = BEYOND.to_le_bytes().to_vec();
            lie.append(false, end.clone(), end, 0);
        }
        group[column] = lie.build().unwrap();
    }
    metadata
        .into_builder()
        .set_column_index(Some(index))
        .build()
}

fn move_pages(metadata: ParquetMetaData, column: usize) -> ParquetMetaData {
    let mut index = metadata.offset_index().unwrap().clone();
    for group in &mut index {
        let mut lie = OffsetIndexBuilder::new();
        for page in group[column].page_locations() {
            lie.append_row_count(1);
            lie.append_offset_and_size(page.offset + 1, page.compressed_page_size);
        }
        group[column] = lie.build();
    }
    metadata
        .into_builder()
        .set_offset_index(Some(index))
        .build()
}

/// A reader that only counts asks the footer, and nothing else.
fn count_one_more(metadata: ParquetMetaData, _: usize) -> ParquetMetaData {
    let mut builder = metadata.into_builder();
    let groups = builder.take_row_groups().into_iter().map(|group| {
        let more = group.num_rows() + 1;
        group.into_builder().set_num_rows(more).build().unwrap()
    });
    let groups = groups.collect();
    builder.set_row_groups(groups).build()
}

/// How many values differ, as an answer.
fn count_values(metadata: ParquetMetaData, column: usize) -> ParquetMetaData {
    let mut builder = metadata.into_builder();
    let groups = builder.take_row_groups().into_iter().map(|group| {
        let mut columns: Vec<ColumnChunkMetaData> = group.columns().to_vec();
        let Some(Statistics::Int64(known)) = columns[column].statistics() else {
            panic!("numbers have statistics");
        };
        let (least, greatest) = (known.min_opt().copied(), known.max_opt().copied());
        let nulls = known.null_count_opt();
        let lie = ValueStatistics::new(least, greatest, Some(1), nulls, false);
        let chunk = columns[column].clone().into_builder();
        columns[column] = chunk
            .set_statistics(Statistics::Int64(lie))
            .build()
            .unwrap();
        let group = group.into_builder().set_column_metadata(columns);
        group.build().unwrap()
    });
    let groups = groups.collect();
    builder.set_row_groups(groups).build()
}

/// The rows are said to be in an order in which they are not.
fn say_order(metadata: ParquetMetaData, column: usize) -> ParquetMetaData {
    let mut builder = metadata.into_builder();
    let groups = builder.take_row_groups().into_iter().map(|group| {
        let lie = SortingColumn {
            column_idx: column as i32,
            descending: true,
            nulls_first: false,
        };
        let group = group.into_builder().set_sorting_columns(Some(vec![lie]));
        group.build().unwrap()
    });
    let groups = groups.collect();
    builder.set_row_groups(groups).build()
}
