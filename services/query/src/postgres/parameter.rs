//! Values that a client binds.

use std::sync::Arc;

use arrow::array::{ArrayRef, StringArray};
use arrow::compute::cast;
use datafusion::common::ScalarValue;

use super::kind::Kind;
use super::values::{EPOCH_DAYS, EPOCH_MICROS, read_clock};

const WITH_BYTES: i16 = 1;

/// Reads a value in one of the two formats; the error says what is wrong with it.
pub(super) fn read(kind: Kind, format: i16, value: Option<&[u8]>) -> Result<ScalarValue, String> {
    let Some(value) = value else {
        return ScalarValue::try_from(&kind.held()).map_err(|error| error.to_string());
    };
    if format == WITH_BYTES {
        let read = of_bytes(kind, value);
        return read.ok_or_else(|| format!("{} bytes are no {}", value.len(), kind.facts().4));
    }
    let text = std::str::from_utf8(value).map_err(|_| "a value is not UTF-8".to_owned())?;
    of_text(kind, text).ok_or_else(|| format!("{text:?} is no {}", kind.facts().4))
}

fn of_text(kind: Kind, text: &str) -> Option<ScalarValue> {
    let trimmed = text.trim();
    Some(match kind {
        Kind::Text | Kind::Name => ScalarValue::Utf8(Some(text.to_owned())),
        Kind::Bool => ScalarValue::Boolean(Some(match trimmed.to_ascii_lowercase().as_str() {
            "t" | "true" | "1" | "on" | "yes" | "y" => true,
            "f" | "false" | "0" | "off" | "no" | "n" => false,
            _ => return None,
        })),
        Kind::Bytes => {
            let digits = trimmed.strip_prefix("\\x")?;
            let bytes = digits.as_bytes().chunks(2).map(|pair| {
                let pair = std::str::from_utf8(pair)
                    .ok()
                    .filter(|pair| pair.len() == 2)?;
                u8::from_str_radix(pair, 16).ok()
            });
            ScalarValue::Binary(Some(bytes.collect::<Option<Vec<u8>>>()?))
        }
        Kind::Time => ScalarValue::Time64Microsecond(Some(read_clock(trimmed)?)),
        Kind::Numeric => return decimal(trimmed),
        _ => {
            let column: ArrayRef = Arc::new(StringArray::from(vec![trimmed]));
            let read = cast(&column, &kind.held()).ok()?;
            // What cannot be read becomes nothing, and nothing was not meant.
            let read = ScalarValue::try_from_array(&read, 0).ok()?;
            return (!read.is_null()).then_some(read);
        }
    })
}

/// With as many digits behind the point as it is written with.
fn decimal(text: &str) -> Option<ScalarValue> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let digits = format!("{whole}{fraction}");
    let fits =
        !digits.is_empty() && digits.len() <= 38 && digits.bytes().all(|d| d.is_ascii_digit());
    let value: i128 = fits.then(|| digits.parse().ok()).flatten()?;
    let scale = i8::try_from(fraction.len()).ok()?;
    Some(ScalarValue::Decimal128(Some(sign * value), 38, scale))
}

fn of_bytes(kind: Kind, value: &[u8]) -> Option<ScalarValue> {
    // Whoever counts with fewer bytes than was asked for says the same.
    let whole = || {
        Some(match value.len() {
            2 => i64::from(i16::from_be_bytes(value.try_into().ok()?)),
            4 => i64::from(i32::from_be_bytes(value.try_into().ok()?)),
            _ => i64::from_be_bytes(value.try_into().ok()?),
        })
    };
    let fraction = || {
        Some(match value.len() {
            4 => f64::from(f32::from_be_bytes(value.try_into().ok()?)),
            _ => f64::from_be_bytes(value.try_into().ok()?),
        })
    };
    Some(match kind {
        Kind::Bool => ScalarValue::Boolean(Some(*value.first()? != 0)),
        Kind::Int2 => ScalarValue::Int16(Some(i16::try_from(whole()?).ok()?)),
        Kind::Int4 => ScalarValue::Int32(Some(i32::try_from(whole()?).ok()?)),
        Kind::Int8 => ScalarValue::Int64(Some(whole()?)),
        Kind::Float4 => ScalarValue::Float32(Some(fraction()? as f32)),
        Kind::Float8 => ScalarValue::Float64(Some(fraction()?)),
        Kind::Text | Kind::Name => {
            ScalarValue::Utf8(Some(std::str::from_utf8(value).ok()?.to_owned()))
        }
        Kind::Bytes => ScalarValue::Binary(Some(value.to_vec())),
        Kind::Date => {
            let days = i32::from_be_bytes(value.try_into().ok()?);
            ScalarValue::Date32(Some(days.checked_add(EPOCH_DAYS)?))
        }
        Kind::Time => ScalarValue::Time64Microsecond(Some(whole()?)),
        Kind::Moment => {
            let micros = i64::from_be_bytes(value.try_into().ok()?).checked_add(EPOCH_MICROS)?;
            ScalarValue::TimestampMicrosecond(Some(micros), Some("UTC".into()))
        }
        Kind::WallClock => {
            let micros = i64::from_be_bytes(value.try_into().ok()?).checked_add(EPOCH_MICROS)?;
            ScalarValue::TimestampMicrosecond(Some(micros), None)
        }
        Kind::Numeric => return numeric(value),
        Kind::Interval => {
            let (micros, rest) = value.split_first_chunk()?;
            let (days, months) = rest.split_first_chunk()?;
            let nanos = i64::from_be_bytes(*micros).checked_mul(1_000)?;
            let months = i32::from_be_bytes(months.try_into().ok()?);
            ScalarValue::new_interval_mdn(months, i32::from_be_bytes(*days), nanos)
        }
    })
}

/// As `values` writes it.
fn numeric(value: &[u8]) -> Option<ScalarValue> {
    let mut shorts = value
        .chunks(2)
        .map(|pair| Some(u16::from_be_bytes(pair.try_into().ok()?)));
    let mut next = || shorts.next().flatten();
    let (count, weight, sign, shown) = (next()?, next()?.cast_signed(), next()?, next()?);
    let groups: Vec<u16> = (0..count).map(|_| next()).collect::<Option<_>>()?;
    if !matches!(sign, 0 | 0x4000) || shown > 38 {
        return None;
    }
    let mut sum: i128 = 0;
    // In units of the last digit that is shown, with room for a group that reaches beyond it.
    let scale = i32::from(shown) + 4;
    for (place, group) in groups.iter().enumerate() {
        let power = 4 * (i32::from(weight) - i32::try_from(place).ok()?) + scale;
        let part = i128::from(*group);
        sum = match u32::try_from(power) {
            Ok(power) => sum.checked_add(part.checked_mul(10i128.checked_pow(power)?)?)?,
            Err(_) => sum,
        };
    }
    let sum = sum / 10_000 * if sign == 0 { 1 } else { -1 };
    Some(ScalarValue::Decimal128(
        Some(sum),
        38,
        i8::try_from(shown).ok()?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_in_both_formats() {
        let text = |kind, text: &str| read(kind, 0, Some(text.as_bytes()));
        assert_eq!(text(Kind::Int8, " 12 "), Ok(ScalarValue::Int64(Some(12))));
        assert_eq!(
            text(Kind::Date, "2026-11-15"),
            Ok(ScalarValue::Date32(Some(20_772)))
        );
        assert_eq!(
            text(Kind::Numeric, "-12.50"),
            Ok(ScalarValue::Decimal128(Some(-1250), 38, 2))
        );
        assert_eq!(text(Kind::Bool, "on"), Ok(ScalarValue::Boolean(Some(true))));
        let moment = ScalarValue::TimestampMicrosecond(Some(0), Some("UTC".into()));
        assert_eq!(
            text(Kind::Moment, "1970-01-01T00:00:00Z"),
            Ok(moment.clone())
        );
        for (kind, wrong) in [
            (Kind::Int4, "12x"),
            (Kind::Int4, "3000000000"),
            (Kind::Numeric, "1e5"),
            (Kind::Date, "yesterday"),
            (Kind::Bytes, "\\xa"),
        ] {
            assert!(text(kind, wrong).is_err(), "{wrong}");
        }
        let bytes = |kind, bytes: &[u8]| read(kind, 1, Some(bytes));
        let since_2000 = (-EPOCH_MICROS).to_be_bytes();
        assert_eq!(bytes(Kind::Moment, &since_2000), Ok(moment));
        assert_eq!(
            bytes(Kind::Int8, &[0, 0, 0, 7]),
            Ok(ScalarValue::Int64(Some(7)))
        );
        let numeric = [0, 2, 0, 0, 0x40, 0, 0, 2, 0, 12, 0x13, 0x88];
        let read_numeric = bytes(Kind::Numeric, &numeric);
        assert_eq!(
            read_numeric,
            Ok(ScalarValue::Decimal128(Some(-1250), 38, 2))
        );
        for kind in Kind::ALL {
            assert!(read(kind, 1, None).unwrap().is_null());
            // Nothing that is too short or too long is a panic.
            for length in 0..20 {
                let _ = bytes(kind, &vec![0xff; length]);
            }
        }
    }
}
