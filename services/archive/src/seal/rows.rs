//! Sealed rows as they lie in the files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;

use arrow::array::{Array as _, AsArray as _, BooleanArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int64Type};
use catwalk_proof::{Commitment, Hash, Salt};
use deltalake::DeltaTableError;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowPredicateFn, ParquetRecordBatchReaderBuilder, RowFilter};
use serde_json::Value;

use super::canonical::Canonical;
use super::{LANE, LEAF, SALT};
use crate::ledger::Ledger;
use crate::merge::{self, Input};
use crate::{Archive, DataFile, Error, Result, Table, TableVersion};

/// Rows that are read at once.
pub(crate) const BATCH: usize = 8_192;
/// A text as long as this may be the beginning of a longer one: the logs of tables shorten them.
pub(super) const WHOLE_TEXT: usize = 32;

/// A row with what seals it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedRow {
    pub table: &'static str,
    pub lane: u32,
    /// None where it is from before the archive was sealed.
    pub leaf: Option<u64>,
    pub salt: Option<Salt>,
    /// The row as it is sealed: a JSON object.
    pub json: String,
}

/// What lies beside a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seal {
    None,
    Whole(u32, u64, Salt),
    /// One without the other, or not as they are written.
    Broken,
}

/// Rows of a file with their seals.
pub(crate) struct Batch<'a> {
    pub(super) canonical: Canonical<'a>,
    rows: &'a RecordBatch,
}

impl<'a> Batch<'a> {
    pub(crate) fn of(table: &Table, rows: &'a RecordBatch) -> Result<Batch<'a>> {
        let canonical = Canonical::of(table, rows)?;
        Ok(Batch { canonical, rows })
    }

    pub(crate) fn seal(&self, row: usize) -> Seal {
        seal(self.rows, row)
    }

    /// A row as it is sealed.
    pub(crate) fn json(&self, row: usize) -> Result<Value> {
        let mut json = Vec::new();
        self.canonical.write(row, &mut json);
        Ok(serde_json::from_slice(&json)?)
    }
}

fn seal(rows: &RecordBatch, row: usize) -> Seal {
    let numbers = |name| {
        let column = rows.column_by_name(name)?;
        let column = column.as_primitive_opt::<Int64Type>()?;
        (!column.is_null(row)).then(|| column.value(row))
    };
    let salt = rows.column_by_name(SALT);
    let salt = salt.and_then(|column| column.as_binary_opt::<i32>());
    let salt = salt.filter(|column| !column.is_null(row));
    match (numbers(LANE), numbers(LEAF), salt) {
        (None, None, None) => Seal::None,
        (Some(lane), Some(leaf), Some(salt)) => {
            let (lane, leaf) = (u32::try_from(lane), u64::try_from(leaf));
            match (lane, leaf, salt.value(row).try_into()) {
                (Ok(lane), Ok(leaf), Ok(salt)) => Seal::Whole(lane, leaf, Salt(salt)),
                _ => Seal::Broken,
            }
        }
        _ => Seal::Broken,
    }
}

/// The leaves of a table from these numbers on, by lane and number.
pub(super) async fn leaves_from(
    ledger: &Ledger,
    from: &BTreeMap<u32, u64>,
) -> Result<Vec<((u32, u64), Hash)>> {
    let least = from.values().min().copied().unwrap_or(0);
    let is_new = |lane: u32, leaf: u64| from.get(&lane).is_some_and(|from| leaf >= *from);
    let mut leaves = Vec::new();
    for file in ledger.delta.snapshot()?.log_data().iter() {
        let known = DataFile::of(ledger.table, &file)?;
        let greatest = known.greatest.get(LEAF).and_then(Value::as_u64);
        if greatest.is_some_and(|greatest| greatest < least) {
            continue;
        }
        let input = ledger.input(&file).await?;
        // First without the rows themselves, which may be many.
        let mut any = false;
        for rows in merge::read(ledger.table, &input, BATCH, Some(&[LANE, LEAF, SALT]))? {
            let rows = rows?;
            any |= (0..rows.num_rows()).any(|row| match seal(&rows, row) {
                Seal::Whole(lane, leaf, _) => is_new(lane, leaf),
                _ => false,
            });
        }
        if !any {
            continue;
        }
        let mut json = Vec::new();
        for rows in merge::read(ledger.table, &input, BATCH, None)? {
            let rows = rows?;
            let batch = Batch::of(ledger.table, &rows)?;
            for row in 0..rows.num_rows() {
                if let Seal::Whole(lane, leaf, salt) = batch.seal(row)
                    && is_new(lane, leaf)
                {
                    json.clear();
                    batch.canonical.write(row, &mut json);
                    let hash = Commitment::new(salt, ledger.table.name, &json).leaf();
                    leaves.push(((lane, leaf), hash));
                }
            }
        }
    }
    Ok(leaves)
}

/// A file of a table on this machine, copied to it where it is not.
pub(super) async fn fetch(
    archive: &Archive,
    table: &'static Table,
    file: &DataFile,
) -> Result<Input> {
    let day = file.gaming_day.clone();
    if let Some(folder) = archive.folder() {
        let path = folder.join(table.name).join(&file.path);
        return Ok(Input {
            path,
            day,
            _copy: None,
        });
    }
    let temporary = |error| Error::Disk {
        path: std::env::temp_dir(),
        error,
    };
    let store = archive.files_of(table)?;
    let path = file.path.as_str().into();
    let got = store.get_opts(&path, Default::default()).await;
    let bytes = got.map_err(DeltaTableError::from)?.bytes().await;
    let bytes = bytes.map_err(DeltaTableError::from)?;
    let mut copy = tempfile::NamedTempFile::new().map_err(temporary)?;
    copy.write_all(&bytes).map_err(temporary)?;
    let copy = copy.into_temp_path();
    Ok(Input {
        path: copy.to_path_buf(),
        day,
        _copy: Some(copy),
    })
}

/// The rows of a table whose text column has one of these values, in the order of their leaves.
pub async fn sealed_rows(
    archive: &Archive,
    version: &TableVersion,
    column: &'static str,
    values: &[String],
) -> Result<Vec<SealedRow>> {
    let Some(table) = Table::named(&version.table) else {
        return Ok(Vec::new());
    };
    if table.columns.iter().all(|known| known.name != column) || values.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for file in &version.files {
        if values.iter().any(|value| may_have(file, column, value)) {
            let input = fetch(archive, table, file).await?;
            found.extend(rows_with(table, &input, column, values)?);
        }
    }
    found.sort_by(|a, b| (a.lane, a.leaf, &a.json).cmp(&(b.lane, b.leaf, &b.json)));
    Ok(found)
}

fn may_have(file: &DataFile, column: &str, value: &str) -> bool {
    let text = |values: &BTreeMap<String, Value>| Some(values.get(column)?.as_str()?.to_owned());
    let before = text(&file.least).is_some_and(|least| value < least.as_str());
    let whole = |greatest: &String| greatest.chars().count() < WHOLE_TEXT;
    let after = text(&file.greatest).filter(whole);
    !before && after.is_none_or(|greatest| value <= greatest.as_str())
}

fn rows_with(
    table: &'static Table,
    input: &Input,
    column: &'static str,
    values: &[String],
) -> Result<Vec<SealedRow>> {
    let at = |error| Error::Disk {
        path: input.path.clone(),
        error,
    };
    let file = File::open(&input.path).map_err(at)?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(file)?.with_batch_size(BATCH);
    let mask = ProjectionMask::columns(reader.parquet_schema(), [column]);
    let wanted = values.to_vec();
    let is_one = ArrowPredicateFn::new(mask, move |batch: RecordBatch| {
        let texts = cast(batch.column(0), &DataType::Utf8)?;
        let texts = texts.as_string::<i32>().iter();
        let is_one =
            texts.map(|text| text.is_some_and(|text| wanted.iter().any(|one| one == text)));
        Ok(is_one.map(Some).collect::<BooleanArray>())
    });
    let reader = reader.with_row_filter(RowFilter::new(vec![Box::new(is_one)]));
    let mut found = Vec::new();
    for rows in reader.build()? {
        let rows = merge::as_written(table, &rows?, input.day.as_deref())?;
        let batch = Batch::of(table, &rows)?;
        for row in 0..rows.num_rows() {
            let mut json = Vec::new();
            batch.canonical.write(row, &mut json);
            let (lane, leaf, salt) = match batch.seal(row) {
                Seal::Whole(lane, leaf, salt) => (lane, Some(leaf), Some(salt)),
                _ => (0, None, None),
            };
            found.push(SealedRow {
                table: table.name,
                lane,
                leaf,
                salt,
                json: String::from_utf8_lossy(&json).into_owned(),
            });
        }
    }
    Ok(found)
}
