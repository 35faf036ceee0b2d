//! Attacks on rows: a file is written anew with other rows, and all that is said of it is put right.

use std::fs::{self, File};
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray as _, Int64Array, RecordBatch, StringArray, UInt32Array,
};
use arrow::compute::{concat_batches, take_record_batch};
use arrow::datatypes::{DataType, Int64Type};
use catwalk_archive::sha256_hex;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::json;

use crate::attacks::{Added, Attacker, Done};

impl Attacker {
    pub(crate) fn flip_byte(&mut self) -> Done {
        let added = self.added(0);
        let path = self.path(&added);
        let mut bytes = fs::read(&path).unwrap();
        let at = self.any(bytes.len());
        bytes[at] ^= 1 << self.any(8);
        fs::write(&path, bytes).unwrap();
        Done {
            what: format!("byte {at}"),
            table: Some(added.table.to_owned()),
            file: Some(added.add["path"].as_str().unwrap().to_owned()),
            id: None,
        }
    }

    /// Rewrites a file with other rows, and makes all that is said of it fit.
    pub(crate) fn change_rows(
        &mut self,
        change: impl FnOnce(&mut Attacker, RecordBatch) -> (RecordBatch, Option<usize>),
    ) -> Done {
        let added = self.added(2);
        self.change_rows_of(added, change)
    }

    /// The same of the file that an `add` is of.
    pub(crate) fn change_rows_of(
        &mut self,
        mut added: Added,
        change: impl FnOnce(&mut Attacker, RecordBatch) -> (RecordBatch, Option<usize>),
    ) -> Done {
        let path = self.path(&added);
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap()).unwrap();
        let schema = reader.schema().clone();
        let batches: Vec<RecordBatch> = reader.build().unwrap().map(Result::unwrap).collect();
        let before = concat_batches(&schema, &batches).unwrap();
        let (after, row) = change(self, before.clone());
        assert_ne!(before, after, "nothing was changed");
        let mut writer =
            ArrowWriter::try_new(File::create(&path).unwrap(), after.schema(), None).unwrap();
        writer.write(&after).unwrap();
        writer.close().unwrap();
        let bytes = fs::read(&path).unwrap();
        added.add["size"] = json!(bytes.len());
        added.add["stats"] = json!(json!({"numRecords": after.num_rows()}).to_string());
        added.add["tags"]["catwalk.sha256"] = json!(sha256_hex(&bytes));
        self.write(&added, Some(&added.add));
        let id = row.and_then(|row| {
            let column = ["id", "finding", "round"]
                .into_iter()
                .find_map(|name| after.column_by_name(name))?;
            let text = column.as_string_opt::<i32>()?;
            (!text.is_null(row)).then(|| text.value(row).to_owned())
        });
        Done {
            what: format!("row {row:?} of {}", after.num_rows()),
            table: Some(added.table.to_owned()),
            // Of rows that are gone nobody knows the file.
            file: row.map(|_| added.add["path"].as_str().unwrap().to_owned()),
            id,
        }
    }

    /// A row twice: as it is, with another number, or without any.
    pub(crate) fn add_row(&mut self, rows: RecordBatch) -> (RecordBatch, Option<usize>) {
        let twice = self.any(rows.num_rows());
        let more = take(&rows, (0..rows.num_rows()).chain([twice]));
        let last = more.num_rows() - 1;
        let leaf = more
            .column_by_name("leaf")
            .unwrap()
            .as_primitive::<Int64Type>();
        let mut numbers: Vec<Option<i64>> = leaf.iter().collect();
        numbers[last] = match self.any(3) {
            0 => numbers[last],
            1 => numbers[last].map(|leaf| leaf + 1_000_000),
            _ => None,
        };
        // Which of two with one leaf is told is left open.
        let row = (numbers[last] != numbers[twice]).then_some(last);
        (
            with(&more, "leaf", Arc::new(Int64Array::from(numbers))),
            row,
        )
    }

    /// Two rows with each other's seals.
    pub(crate) fn swap_rows(&mut self, rows: RecordBatch) -> (RecordBatch, Option<usize>) {
        let one = self.any(rows.num_rows());
        let other = (one + 1 + self.any(rows.num_rows() - 1)) % rows.num_rows();
        let swapped = (0..rows.num_rows()).map(|row| match row {
            row if row == one => other,
            row if row == other => one,
            row => row,
        });
        let swapped = take(&rows, swapped);
        let swapped = with(
            &rows,
            "leaf",
            swapped.column_by_name("leaf").unwrap().clone(),
        );
        let salts = take(
            &rows,
            (0..rows.num_rows()).map(|row| match row {
                row if row == one => other,
                row if row == other => one,
                row => row,
            }),
        );
        (
            with(
                &swapped,
                "salt",
                salts.column_by_name("salt").unwrap().clone(),
            ),
            Some(one),
        )
    }

    pub(crate) fn edit_row(&mut self, rows: RecordBatch) -> (RecordBatch, Option<usize>) {
        let row = self.any(rows.num_rows());
        // What the id of a row is made of is left as it is, so that it can be looked for.
        let columns: Vec<String> = rows
            .schema()
            .fields()
            .iter()
            .filter(|field| {
                !["id", "finding", "round", "log_partition"].contains(&field.name().as_str())
            })
            .filter(|field| matches!(field.data_type(), DataType::Int64 | DataType::Utf8))
            .map(|field| field.name().clone())
            .collect();
        let name = &columns[self.any(columns.len())];
        let column = rows.column_by_name(name).unwrap();
        let changed: ArrayRef = match column.as_string_opt::<i32>() {
            Some(texts) => {
                let changed = texts.iter().enumerate().map(|(at, text)| match at == row {
                    true => Some(format!("{}.", text.unwrap_or_default())),
                    false => text.map(str::to_owned),
                });
                Arc::new(changed.collect::<StringArray>())
            }
            None => {
                let numbers = column.as_primitive::<Int64Type>().iter().enumerate();
                let changed = numbers.map(|(at, number)| match at == row {
                    true => Some(number.map_or(0, |number| number ^ 1)),
                    false => number,
                });
                Arc::new(changed.collect::<Int64Array>())
            }
        };
        (with(&rows, name, changed), Some(row))
    }

    /// A finding that is worth less than it was, as if it had been found so: all its columns fit each other.
    pub(crate) fn rederive_finding(&mut self) -> Done {
        let added = self.added_to(2, Some("findings"));
        self.change_rows_of(added, |attacker, rows| {
            let row = attacker.any(rows.num_rows());
            let text = |name: &str, put: &str| -> ArrayRef {
                let column = rows.column_by_name(name).unwrap().as_string::<i32>();
                let texts = column.iter().enumerate();
                let texts = texts.map(|(at, text)| if at == row { Some(put) } else { text });
                Arc::new(texts.collect::<StringArray>())
            };
            let exposure = rows.column_by_name("exposure_cents").unwrap();
            let exposure = exposure.as_primitive::<Int64Type>().iter().enumerate();
            let exposure = exposure.map(|(at, cents)| if at == row { Some(0) } else { cents });
            let exposure: Int64Array = exposure.collect();
            let mild = with(&rows, "severity", text("severity", "notice"));
            let mild = with(&mild, "exposure_cents", Arc::new(exposure));
            let said = text("message", "Nothing was paid that was not due.");
            (with(&mild, "message", said), Some(row))
        })
    }

    /// A row as if it were from before.
    pub(crate) fn unseal_row(&mut self, rows: RecordBatch) -> (RecordBatch, Option<usize>) {
        let row = self.any(rows.num_rows());
        let leaf = rows
            .column_by_name("leaf")
            .unwrap()
            .as_primitive::<Int64Type>();
        let without = |column: &Int64Array| -> ArrayRef {
            let kept = column
                .iter()
                .enumerate()
                .map(|(at, number)| number.filter(|_| at != row));
            Arc::new(kept.collect::<Int64Array>())
        };
        let lane = rows
            .column_by_name("lane")
            .unwrap()
            .as_primitive::<Int64Type>();
        let (leaf, lane) = (without(leaf), without(lane));
        let rows = with(&with(&rows, "leaf", leaf), "lane", lane);
        let salt = rows.column_by_name("salt").unwrap().as_binary::<i32>();
        let salt: arrow::array::BinaryArray = salt
            .iter()
            .enumerate()
            .map(|(at, salt)| salt.filter(|_| at != row))
            .collect();
        (with(&rows, "salt", Arc::new(salt)), Some(row))
    }
}

pub(crate) fn take(rows: &RecordBatch, which: impl Iterator<Item = usize>) -> RecordBatch {
    let which: UInt32Array = which.map(|row| row as u32).collect();
    take_record_batch(rows, &which).unwrap()
}

pub(crate) fn with(rows: &RecordBatch, name: &str, column: ArrayRef) -> RecordBatch {
    let at = rows.schema().index_of(name).unwrap();
    let mut columns = rows.columns().to_vec();
    columns[at] = column;
    RecordBatch::try_new(rows.schema(), columns).unwrap()
}
