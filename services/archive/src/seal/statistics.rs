//! What is said of a file, held against its rows: who asks reads only the files that may have rows for the question, so
//! a false word about a file hides its rows.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use arrow::array::{Array as _, AsArray as _, RecordBatch};
use arrow::compute::{max, max_boolean, max_string, min, min_boolean, min_string};
use arrow::datatypes::{Int64Type, TimestampMicrosecondType};
use jiff::Timestamp;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::rows::WHOLE_TEXT;
use super::{LANE, LEAF};
use crate::column::{Column, Kind};
use crate::{DataFile, Table};

/// A moment in the log of a table has milliseconds; what it was made from may be less than one later.
const SHORTENED_MICROS: i64 = 1_000;

/// What lies beside each row, but the salt, of which nobody says anything.
static NUMBERS: [Column; 2] = [
    Column::new(LANE, Kind::Int, "Which hash tree it is a leaf of.").nullable(),
    Column::new(LEAF, Kind::Int, "Its number in that tree.").nullable(),
];

/// What the rows of a file really are.
#[derive(Default)]
pub(super) struct Real {
    pub(super) rows: u64,
    numbers: BTreeMap<&'static str, (i64, i64)>,
    texts: BTreeMap<&'static str, (String, String)>,
    nulls: BTreeMap<&'static str, u64>,
}

impl Real {
    pub(super) fn add(&mut self, table: &'static Table, rows: &RecordBatch) {
        self.rows += rows.num_rows() as u64;
        for column in all_columns(table) {
            let Some(values) = rows.column_by_name(column.name) else {
                continue;
            };
            *self.nulls.entry(column.name).or_default() += values.null_count() as u64;
            match column.kind {
                Kind::Int | Kind::Cents => {
                    let values = values.as_primitive::<Int64Type>();
                    self.number(column.name, min(values), max(values));
                }
                Kind::Moment => {
                    let values = values.as_primitive::<TimestampMicrosecondType>();
                    self.number(column.name, min(values), max(values));
                }
                Kind::Bool => {
                    let values = values.as_boolean();
                    let as_number = |value: Option<bool>| value.map(i64::from);
                    let (least, greatest) = (min_boolean(values), max_boolean(values));
                    self.number(column.name, as_number(least), as_number(greatest));
                }
                Kind::Text if column.has_statistics() => {
                    let values = values.as_string::<i32>();
                    self.text(column.name, min_string(values), max_string(values));
                }
                _ => {}
            }
        }
    }

    fn number(&mut self, column: &'static str, least: Option<i64>, greatest: Option<i64>) {
        if let Some((least, greatest)) = least.zip(greatest) {
            let known = self.numbers.entry(column).or_insert((least, greatest));
            *known = (known.0.min(least), known.1.max(greatest));
        }
    }

    fn text(&mut self, column: &'static str, least: Option<&str>, greatest: Option<&str>) {
        let Some((least, greatest)) = least.zip(greatest) else {
            return;
        };
        let first = || (least.to_owned(), greatest.to_owned());
        let known = self.texts.entry(column).or_insert_with(first);
        if least < known.0.as_str() {
            least.clone_into(&mut known.0);
        }
        if greatest > known.1.as_str() {
            greatest.clone_into(&mut known.1);
        }
    }

    /// What the table's log says of the file and is not so.
    pub(super) fn differs(&self, table: &'static Table, file: &DataFile) -> Vec<String> {
        let mut wrong = Vec::new();
        if file.rows != Some(self.rows) {
            let said = file
                .rows
                .map_or("no number".to_owned(), |rows| rows.to_string());
            wrong.push(format!("the log says {said} of rows, it has {}", self.rows));
        }
        for column in all_columns(table) {
            let name = column.name;
            let (least, greatest) = (file.least.get(name), file.greatest.get(name));
            let is_so = least.is_none_or(|said| self.is_least(name, column.kind, said))
                && greatest.is_none_or(|said| self.is_greatest(name, column.kind, said));
            if !is_so {
                wrong.push(format!(
                    "the log says another least or greatest {name} than its rows have"
                ));
            }
            let nulls = file.nulls.get(name);
            if nulls.is_some_and(|said| self.nulls.get(name).is_some_and(|nulls| nulls != said)) {
                wrong.push(format!("the log miscounts rows without {name}"));
            }
        }
        wrong
    }

    /// Is what is said to be the least the least? It may be given as an answer, so that less is as false as more.
    fn is_least(&self, name: &str, kind: Kind, said: &Value) -> bool {
        match kind {
            Kind::Text => match (self.texts.get(name), said.as_str()) {
                (Some((least, _)), Some(said)) => said == least || is_start(said, least),
                _ => false,
            },
            _ => match (self.numbers.get(name), number(kind, said)) {
                (Some((least, _)), Some(said)) => is_moment_or(kind, said, *least),
                _ => false,
            },
        }
    }

    fn is_greatest(&self, name: &str, kind: Kind, said: &Value) -> bool {
        match kind {
            Kind::Text => match (self.texts.get(name), said.as_str()) {
                // One that was shortened may have been raised, so that it is no less than what it stands for.
                (Some((_, greatest)), Some(said)) => {
                    let is_raised = said.chars().count() >= WHOLE_TEXT && said > greatest.as_str();
                    said == greatest || is_start(said, greatest) || is_raised
                }
                _ => false,
            },
            _ => match (self.numbers.get(name), number(kind, said)) {
                (Some((_, greatest)), Some(said)) => is_moment_or(kind, said, *greatest),
                _ => false,
            },
        }
    }
}

/// The columns of a table with the numbers of the seal: whoever asks for a leaf is misled by them as by any other.
pub(super) fn all_columns(table: &'static Table) -> impl Iterator<Item = &'static Column> {
    table.columns.iter().chain(&NUMBERS)
}

/// Is it the shortened beginning of a long text?
fn is_start(said: &str, text: &str) -> bool {
    said.chars().count() >= WHOLE_TEXT && text.starts_with(said)
}

/// The number, or the moment down to the millisecond that it is in.
fn is_moment_or(kind: Kind, said: i64, real: i64) -> bool {
    match kind {
        Kind::Moment => (said..said.saturating_add(SHORTENED_MICROS)).contains(&real),
        _ => said == real,
    }
}

fn number(kind: Kind, said: &Value) -> Option<i64> {
    match kind {
        Kind::Moment => {
            let at: Timestamp = said.as_str()?.parse().ok()?;
            Some(at.as_microsecond())
        }
        Kind::Bool => said.as_bool().map(i64::from),
        _ => said.as_i64(),
    }
}

/// The SHA-256 of a file, in hexadecimal digits.
pub(crate) fn sha256_of(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => hash.update(&buffer[..read]),
        }
    }
    Ok(catwalk_hands::hex(&hash.finalize()))
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    catwalk_hands::hex(&Sha256::digest(bytes))
}
