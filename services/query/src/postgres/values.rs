//! Values on the wire: as text and as bytes, the way PostgreSQL writes them.

use std::fmt::Write as _;

use arrow::array::{Array, ArrayRef, AsArray as _};
use arrow::datatypes::{
    DataType, Date32Type, Decimal128Type, Float32Type, Float64Type, Int16Type, Int32Type,
    Int64Type, IntervalMonthDayNanoType, Time64MicrosecondType, TimestampMicrosecondType,
};
use arrow::error::ArrowError;
use jiff::civil::{Date, Time};

use super::kind::{Kind, Type, hold};

/// Days and microseconds from 1970 to 2000, from where PostgreSQL counts.
pub(super) const EPOCH_DAYS: i32 = 10_957;
pub(super) const EPOCH_MICROS: i64 = EPOCH_DAYS as i64 * DAY_MICROS;
pub(super) const DAY_MICROS: i64 = 86_400_000_000;

/// Writes a value as text; false if there is none.
pub(super) fn as_text(
    kind: Type,
    column: &ArrayRef,
    row: usize,
    out: &mut Vec<u8>,
) -> Result<bool, ArrowError> {
    if column.is_null(row) {
        return Ok(false);
    }
    if kind.is_list {
        let items = hold(kind.kind, &column.as_list::<i32>().value(row))?;
        list_text(kind.kind, &items, out);
    } else {
        out.extend(text(kind.kind, column, row).as_bytes());
    }
    Ok(true)
}

/// Writes a value as bytes; false if there is none.
pub(super) fn as_bytes(
    kind: Type,
    column: &ArrayRef,
    row: usize,
    out: &mut Vec<u8>,
) -> Result<bool, ArrowError> {
    if column.is_null(row) {
        return Ok(false);
    }
    if kind.is_list {
        let items = hold(kind.kind, &column.as_list::<i32>().value(row))?;
        list_bytes(kind.kind, &items, out);
    } else {
        bytes(kind.kind, column, row, out);
    }
    Ok(true)
}

fn text(kind: Kind, column: &dyn Array, row: usize) -> String {
    match kind {
        Kind::Bool => (if column.as_boolean().value(row) {
            "t"
        } else {
            "f"
        })
        .to_owned(),
        Kind::Int2 => column.as_primitive::<Int16Type>().value(row).to_string(),
        Kind::Int4 => column.as_primitive::<Int32Type>().value(row).to_string(),
        Kind::Int8 => column.as_primitive::<Int64Type>().value(row).to_string(),
        Kind::Float4 => {
            let value = column.as_primitive::<Float32Type>().value(row);
            float(
                &format!("{value:e}"),
                &value.to_string(),
                f64::from(value),
                6,
            )
        }
        Kind::Float8 => {
            let value = column.as_primitive::<Float64Type>().value(row);
            float(&format!("{value:e}"), &value.to_string(), value, 15)
        }
        Kind::Numeric => column.as_primitive::<Decimal128Type>().value_as_string(row),
        Kind::Text | Kind::Name => column.as_string::<i32>().value(row).to_owned(),
        Kind::Bytes => {
            let bytes = column.as_binary::<i32>().value(row);
            format!("\\x{}", catwalk_hands::hex(bytes))
        }
        Kind::Date => date(column.as_primitive::<Date32Type>().value(row)),
        Kind::Time => clock(column.as_primitive::<Time64MicrosecondType>().value(row)),
        Kind::Moment => moment(column, row) + "+00",
        Kind::WallClock => moment(column, row),
        Kind::Interval => {
            let (months, days, micros) = interval(column, row);
            interval_text(months, days, micros)
        }
    }
}

/// As short as it can be and still be read as the same number.
fn float(scientific: &str, plain: &str, value: f64, digits: i32) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return (if value > 0.0 { "Infinity" } else { "-Infinity" }).to_owned();
    }
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return plain.to_owned();
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    match (-4..digits).contains(&exponent) {
        true => plain.to_owned(),
        false => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{mantissa}e{sign}{:02}", exponent.abs())
        }
    }
}

fn date(days: i32) -> String {
    let span = jiff::Span::new().try_days(days);
    let day = span.and_then(|span| Date::constant(1970, 1, 1).checked_add(span));
    match day {
        Ok(day) => day.to_string(),
        Err(_) => (if days < 0 { "-infinity" } else { "infinity" }).to_owned(),
    }
}

fn clock(micros: i64) -> String {
    let (seconds, fraction) = (micros / 1_000_000, micros % 1_000_000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let mut text = format!("{hours:02}:{minutes:02}:{seconds:02}");
    if fraction != 0 {
        let digits = format!("{fraction:06}");
        let _ = write!(text, ".{}", digits.trim_end_matches('0'));
    }
    text
}

fn micros(column: &dyn Array, row: usize) -> i64 {
    column.as_primitive::<TimestampMicrosecondType>().value(row)
}

fn moment(column: &dyn Array, row: usize) -> String {
    let micros = micros(column, row);
    let days = i32::try_from(micros.div_euclid(DAY_MICROS)).unwrap_or(i32::MAX);
    format!("{} {}", date(days), clock(micros.rem_euclid(DAY_MICROS)))
}

fn interval(column: &dyn Array, row: usize) -> (i32, i32, i64) {
    let value = column.as_primitive::<IntervalMonthDayNanoType>().value(row);
    (value.months, value.days, value.nanoseconds / 1_000)
}

fn interval_text(months: i32, days: i32, micros: i64) -> String {
    let mut parts = Vec::new();
    for (count, one, many) in [
        (months / 12, "year", "years"),
        (months % 12, "mon", "mons"),
        (days, "day", "days"),
    ] {
        if count != 0 {
            parts.push(format!("{count} {}", if count == 1 { one } else { many }));
        }
    }
    if micros != 0 || parts.is_empty() {
        let sign = if micros < 0 { "-" } else { "" };
        let micros = i64::try_from(micros.unsigned_abs()).unwrap_or(i64::MAX);
        parts.push(format!("{sign}{}", clock(micros)));
    }
    parts.join(" ")
}

fn list_text(kind: Kind, items: &ArrayRef, out: &mut Vec<u8>) {
    out.push(b'{');
    for row in 0..items.len() {
        if row > 0 {
            out.push(b',');
        }
        if items.is_null(row) {
            out.extend(b"NULL");
            continue;
        }
        let text = text(kind, items, row);
        let is_plain = !text.is_empty()
            && !text.eq_ignore_ascii_case("null")
            && !text.contains(|c: char| "{},\"\\".contains(c) || c.is_whitespace());
        if is_plain {
            out.extend(text.as_bytes());
            continue;
        }
        out.push(b'"');
        for byte in text.bytes() {
            if matches!(byte, b'"' | b'\\') {
                out.push(b'\\');
            }
            out.push(byte);
        }
        out.push(b'"');
    }
    out.push(b'}');
}

fn bytes(kind: Kind, column: &dyn Array, row: usize, out: &mut Vec<u8>) {
    match kind {
        Kind::Bool => out.push(u8::from(column.as_boolean().value(row))),
        Kind::Int2 => out.extend(column.as_primitive::<Int16Type>().value(row).to_be_bytes()),
        Kind::Int4 => out.extend(column.as_primitive::<Int32Type>().value(row).to_be_bytes()),
        Kind::Int8 => out.extend(column.as_primitive::<Int64Type>().value(row).to_be_bytes()),
        Kind::Float4 => {
            out.extend(
                column
                    .as_primitive::<Float32Type>()
                    .value(row)
                    .to_be_bytes(),
            );
        }
        Kind::Float8 => {
            out.extend(
                column
                    .as_primitive::<Float64Type>()
                    .value(row)
                    .to_be_bytes(),
            );
        }
        Kind::Numeric => {
            let scale = match column.data_type() {
                DataType::Decimal128(_, scale) => *scale,
                _ => 0,
            };
            numeric(
                column.as_primitive::<Decimal128Type>().value(row),
                scale,
                out,
            );
        }
        Kind::Text | Kind::Name => out.extend(column.as_string::<i32>().value(row).as_bytes()),
        Kind::Bytes => out.extend(column.as_binary::<i32>().value(row)),
        Kind::Date => {
            let days = column.as_primitive::<Date32Type>().value(row);
            out.extend(days.saturating_sub(EPOCH_DAYS).to_be_bytes());
        }
        Kind::Time => {
            let micros = column.as_primitive::<Time64MicrosecondType>().value(row);
            out.extend(micros.to_be_bytes());
        }
        Kind::Moment | Kind::WallClock => {
            out.extend(
                micros(column, row)
                    .saturating_sub(EPOCH_MICROS)
                    .to_be_bytes(),
            );
        }
        Kind::Interval => {
            let (months, days, micros) = interval(column, row);
            out.extend(micros.to_be_bytes());
            out.extend(days.to_be_bytes());
            out.extend(months.to_be_bytes());
        }
    }
}

/// Groups of four decimal digits, the first of which stands for 10000 to the power of the weight.
fn numeric(value: i128, scale: i8, out: &mut Vec<u8>) {
    let shown = u32::from(scale.max(0).unsigned_abs());
    // As many digits behind the point as fill groups.
    let fill = (4 - shown % 4) % 4;
    let grown = value
        .unsigned_abs()
        .saturating_mul(10u128.pow(fill))
        .saturating_mul(10u128.pow(u32::from(scale.min(0).unsigned_abs())));
    let (mut rest, mut groups) = (grown, Vec::new());
    while rest > 0 {
        groups.push(u16::try_from(rest % 10_000).unwrap_or_default());
        rest /= 10_000;
    }
    let behind = i16::try_from((shown + fill) / 4).unwrap_or_default();
    let weight = i16::try_from(groups.len()).unwrap_or_default() - behind - 1;
    groups.reverse();
    while groups.last() == Some(&0) {
        groups.pop();
    }
    let weight = if groups.is_empty() { 0 } else { weight };
    let sign: u16 = if value < 0 { 0x4000 } else { 0 };
    out.extend(
        u16::try_from(groups.len())
            .unwrap_or_default()
            .to_be_bytes(),
    );
    out.extend(weight.to_be_bytes());
    out.extend(sign.to_be_bytes());
    out.extend(u16::try_from(shown).unwrap_or_default().to_be_bytes());
    groups
        .iter()
        .for_each(|group| out.extend(group.to_be_bytes()));
}

fn list_bytes(kind: Kind, items: &ArrayRef, out: &mut Vec<u8>) {
    let length = |count: usize| i32::try_from(count).unwrap_or(i32::MAX).to_be_bytes();
    let dimensions: i32 = if items.is_empty() { 0 } else { 1 };
    out.extend(dimensions.to_be_bytes());
    out.extend(i32::from(items.null_count() > 0).to_be_bytes());
    out.extend(kind.oid().to_be_bytes());
    if items.is_empty() {
        return;
    }
    out.extend(length(items.len()));
    out.extend(1i32.to_be_bytes());
    for row in 0..items.len() {
        if items.is_null(row) {
            out.extend((-1i32).to_be_bytes());
            continue;
        }
        let begin = out.len();
        out.extend([0; 4]);
        bytes(kind, items, row, out);
        let written = length(out.len() - begin - 4);
        out[begin..begin + 4].copy_from_slice(&written);
    }
}

/// Reads a clock time as PostgreSQL takes it.
pub(super) fn read_clock(text: &str) -> Option<i64> {
    let time: Time = text.trim().parse().ok()?;
    Some(
        (time - Time::midnight())
            .total(jiff::Unit::Microsecond)
            .ok()? as i64,
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{
        Decimal128Array, Float32Array, Float64Array, ListArray, TimestampMicrosecondArray,
    };

    use super::*;

    fn told(column: ArrayRef) -> Vec<String> {
        let kind = Type::of(column.data_type());
        let column = kind.hold(&column).unwrap();
        let rows = (0..column.len()).map(|row| {
            let mut out = Vec::new();
            assert!(as_text(kind, &column, row, &mut out).unwrap());
            String::from_utf8(out).unwrap()
        });
        rows.collect()
    }

    /// What PostgreSQL 15 writes.
    #[test]
    fn numbers_and_moments_are_written_as_postgresql_does() {
        let floats = Float64Array::from(vec![
            1.0,
            0.1,
            1e14,
            1e15,
            123_456_789_012_345.6,
            1e-4,
            1e-5,
            -2.5e-7,
            1e300,
            f64::NAN,
            f64::NEG_INFINITY,
        ]);
        assert_eq!(
            told(Arc::new(floats)),
            [
                "1",
                "0.1",
                "100000000000000",
                "1e+15",
                "123456789012345.6",
                "0.0001",
                "1e-05",
                "-2.5e-07",
                "1e+300",
                "NaN",
                "-Infinity"
            ]
        );
        let floats = Float32Array::from(vec![1.5, 100_000.0, 1e6]);
        assert_eq!(told(Arc::new(floats)), ["1.5", "100000", "1e+06"]);
        let moments = TimestampMicrosecondArray::from(vec![0, 1_763_236_862_123_400, -1]);
        let moments = moments.with_timezone("UTC");
        assert_eq!(
            told(Arc::new(moments)),
            [
                "1970-01-01 00:00:00+00",
                "2025-11-15 20:01:02.1234+00",
                "1969-12-31 23:59:59.999999+00"
            ]
        );
        assert_eq!(
            interval_text(14, 1, 3_723_000_001),
            "1 year 2 mons 1 day 01:02:03.000001"
        );
        assert_eq!(interval_text(0, 0, -1_000_000), "-00:00:01");
        assert_eq!(interval_text(0, 0, 0), "00:00:00");
        let list = ListArray::from_iter_primitive::<Int64Type, _, _>([Some([Some(1), None])]);
        assert_eq!(told(Arc::new(list)), ["{1,NULL}"]);
    }

    #[test]
    fn decimals_are_groups_of_four_digits() {
        let numeric = |value: i128, scale: i8| {
            let column: ArrayRef = Arc::new(
                Decimal128Array::from(vec![value])
                    .with_precision_and_scale(38, scale)
                    .unwrap(),
            );
            let mut out = Vec::new();
            as_bytes(Type::of(column.data_type()), &column, 0, &mut out).unwrap();
            let shorts = out
                .chunks(2)
                .map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
            shorts.collect::<Vec<u16>>()
        };
        // As numeric_send writes 12345.67, -0.05, 0.00, 10000 and 100.
        assert_eq!(numeric(1_234_567, 2), [3, 1, 0, 2, 1, 2345, 6700]);
        assert_eq!(numeric(-5, 2), [1, 0xffff, 0x4000, 2, 500]);
        assert_eq!(numeric(0, 2), [0, 0, 0, 2]);
        assert_eq!(numeric(10_000, 0), [1, 1, 0, 0, 1]);
        assert_eq!(numeric(100, 0), [1, 0, 0, 0, 100]);
    }
}
