//! What a row is sealed as: one JSON object, so that anybody can make it anew from the Parquet file.
//!
//! The columns of the table by name, in the order of their names, without those that have no value; so a column that
//! is added later changes no row that does not have it. `docs/proof.md` says how each kind is written.

use arrow::array::{
    Array, AsArray as _, BooleanArray, Int64Array, ListArray, PrimitiveArray, RecordBatch,
    StringArray,
};
use arrow::datatypes::{Date32Type, Int64Type, TimestampMicrosecondType};
use arrow::error::ArrowError;
use jiff::ToSpan as _;
use jiff::civil::{Date, date};

use crate::column::Kind;
use crate::{Column, Table};

/// The rows of a batch, as they are sealed.
pub(crate) struct Canonical<'a> {
    /// In the order of their names.
    columns: Vec<(String, Values<'a>)>,
}

enum Values<'a> {
    Text(&'a StringArray),
    Int(&'a Int64Array),
    Bool(&'a BooleanArray),
    Moment(&'a PrimitiveArray<TimestampMicrosecondType>),
    Day(&'a PrimitiveArray<Date32Type>),
    List(&'a ListArray),
}

impl<'a> Canonical<'a> {
    pub(crate) fn of(table: &Table, batch: &'a RecordBatch) -> Result<Canonical<'a>, ArrowError> {
        let mut columns: Vec<&Column> = table.columns.iter().collect();
        columns.sort_unstable_by_key(|column| column.name);
        let columns = columns.into_iter().map(|column| {
            let missing = || ArrowError::SchemaError(format!("no column {}", column.name));
            let array = batch.column_by_name(column.name).ok_or_else(missing)?;
            let other = || ArrowError::SchemaError(format!("column {}: other type", column.name));
            let array: &'a dyn Array = array.as_ref();
            let values = match column.kind {
                Kind::Text => array.as_string_opt().map(Values::Text),
                Kind::Int | Kind::Cents => array.as_primitive_opt::<Int64Type>().map(Values::Int),
                Kind::Bool => array.as_boolean_opt().map(Values::Bool),
                Kind::Moment => array.as_primitive_opt().map(Values::Moment),
                Kind::Day => array.as_primitive_opt().map(Values::Day),
                Kind::Texts | Kind::Ints => array.as_list_opt().map(Values::List),
            };
            Ok((format!("\"{}\":", column.name), values.ok_or_else(other)?))
        });
        Ok(Canonical {
            columns: columns.collect::<Result<_, ArrowError>>()?,
        })
    }

    /// Appends a row to `out`.
    pub(crate) fn write(&self, row: usize, out: &mut Vec<u8>) {
        out.push(b'{');
        let start = out.len();
        for (name, values) in &self.columns {
            if values.array().is_null(row) {
                continue;
            }
            if out.len() > start {
                out.push(b',');
            }
            out.extend_from_slice(name.as_bytes());
            values.write(row, out);
        }
        out.push(b'}');
    }
}

impl Values<'_> {
    fn array(&self) -> &dyn Array {
        match self {
            Values::Text(array) => array,
            Values::Int(array) => array,
            Values::Bool(array) => array,
            Values::Moment(array) => array,
            Values::Day(array) => array,
            Values::List(array) => array,
        }
    }

    fn write(&self, row: usize, out: &mut Vec<u8>) {
        match self {
            Values::Text(array) => text(array.value(row), out),
            Values::Int(array) => number(array.value(row), out),
            Values::Bool(array) => out.extend_from_slice(match array.value(row) {
                true => b"true",
                false => b"false",
            }),
            Values::Moment(array) => number(array.value(row), out),
            Values::Day(array) => text(&day(array.value(row)), out),
            Values::List(array) => list(&array.value(row), out),
        }
    }
}

fn list(items: &dyn Array, out: &mut Vec<u8>) {
    out.push(b'[');
    for at in 0..items.len() {
        if at > 0 {
            out.push(b',');
        }
        // None of ours has one: what is no item is not the empty one either.
        if items.is_null(at) {
            out.extend_from_slice(b"null");
        } else if let Some(texts) = items.as_string_opt::<i32>() {
            text(texts.value(at), out);
        } else if let Some(numbers) = items.as_primitive_opt::<Int64Type>() {
            number(numbers.value(at), out);
        }
    }
    out.push(b']');
}

fn number(number: i64, out: &mut Vec<u8>) {
    out.extend_from_slice(number.to_string().as_bytes());
}

/// Days since 1970 as a date.
fn day(days: i32) -> String {
    const EPOCH: Date = date(1970, 1, 1);
    match EPOCH.checked_add(days.days()) {
        Ok(date) => date.to_string(),
        Err(_) => format!("day {days}"),
    }
}

/// A JSON string that escapes only what it must, as most libraries write it.
fn text(text: &str, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push(b'"');
    let bytes = text.as_bytes();
    let mut from = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        let escaped: &[u8] = match byte {
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            0x08 => b"\\b",
            0x0c => b"\\f",
            0..0x20 => &[
                b'\\',
                b'u',
                b'0',
                b'0',
                HEX[usize::from(byte >> 4)],
                HEX[usize::from(byte & 15)],
            ],
            _ => continue,
        };
        out.extend_from_slice(&bytes[from..at]);
        out.extend_from_slice(escaped);
        from = at + 1;
    }
    out.extend_from_slice(&bytes[from..]);
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::rows::Rows;

    #[test]
    fn a_row_is_written_without_what_it_lacks_and_by_name() {
        let table = Table::named("findings").unwrap();
        let mut rows = Rows::new(table).unwrap();
        let row = json!({
            "gaming_day": -1, "property": "ebh", "table_id": "MB-01", "at": -1, "code": "pay.over",
            "severity": "warn", "game": null, "round": null, "wager": null, "seat": 3, "dealer": null,
            "due_cents": null, "paid_cents": null, "exposure_cents": -5,
            "message": "a \"quote\",\n\u{1}\u{7f} é \\", "cites": [], "evidence": [1, 22],
            "rules": null, "resolves": null, "id": "f", "log_partition": 0, "log_offset": 7,
        });
        rows.push(&row).unwrap();
        let (batch, _) = rows.take().unwrap();
        let mut out = Vec::new();
        Canonical::of(table, &batch).unwrap().write(0, &mut out);
        let expected = "{\"at\":-1,\"cites\":[],\"code\":\"pay.over\",\"evidence\":[1,22],\
            \"exposure_cents\":-5,\"gaming_day\":\"1969-12-31\",\"id\":\"f\",\"log_offset\":7,\
            \"log_partition\":0,\"message\":\"a \\\"quote\\\",\\n\\u0001\u{7f} é \\\\\",\
            \"property\":\"ebh\",\"seat\":3,\"severity\":\"warn\",\"table_id\":\"MB-01\"}";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
