//! Which type of PostgreSQL a column has.

use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, IntervalUnit, TimeUnit};
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};

/// A type of PostgreSQL, as far as columns have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Int2,
    Int4,
    Int8,
    Float4,
    Float8,
    Numeric,
    Text,
    /// What something is called: a text of which PostgreSQL has a type of its own.
    Name,
    Bytes,
    Date,
    Time,
    Moment,
    /// A moment without a zone.
    WallClock,
    Interval,
}

/// A column's type: values, or lists of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Type {
    pub(super) kind: Kind,
    pub(super) is_list: bool,
}

impl Kind {
    pub(super) const ALL: [Kind; 15] = [
        Kind::Bool,
        Kind::Int2,
        Kind::Int4,
        Kind::Int8,
        Kind::Float4,
        Kind::Float8,
        Kind::Numeric,
        Kind::Text,
        Kind::Name,
        Kind::Bytes,
        Kind::Date,
        Kind::Time,
        Kind::Moment,
        Kind::WallClock,
        Kind::Interval,
    ];

    /// Its number, that of a list of it, its length, its name in the catalogue and its name in SQL.
    pub(super) const fn facts(self) -> (u32, u32, i16, &'static str, &'static str) {
        match self {
            Kind::Bool => (16, 1000, 1, "bool", "boolean"),
            Kind::Int2 => (21, 1005, 2, "int2", "smallint"),
            Kind::Int4 => (23, 1007, 4, "int4", "integer"),
            Kind::Int8 => (20, 1016, 8, "int8", "bigint"),
            Kind::Float4 => (700, 1021, 4, "float4", "real"),
            Kind::Float8 => (701, 1022, 8, "float8", "double precision"),
            Kind::Numeric => (1700, 1231, -1, "numeric", "numeric"),
            Kind::Text => (25, 1009, -1, "text", "text"),
            Kind::Name => (19, 1003, 64, "name", "name"),
            Kind::Bytes => (17, 1001, -1, "bytea", "bytea"),
            Kind::Date => (1082, 1182, 4, "date", "date"),
            Kind::Time => (1083, 1183, 8, "time", "time without time zone"),
            Kind::Moment => (1184, 1185, 8, "timestamptz", "timestamp with time zone"),
            Kind::WallClock => (1114, 1115, 8, "timestamp", "timestamp without time zone"),
            Kind::Interval => (1186, 1187, 16, "interval", "interval"),
        }
    }

    pub(super) const fn oid(self) -> u32 {
        self.facts().0
    }

    /// The kind that a client names by its number.
    pub(super) fn of_oid(oid: u32) -> Option<Kind> {
        match oid {
            // Text by other names: char, name, json, unknown, bpchar, varchar, uuid, jsonb.
            18 | 19 | 114 | 705 | 1042 | 1043 | 2950 | 3802 => Some(Kind::Text),
            // oid
            26 => Some(Kind::Int8),
            _ => Kind::ALL.into_iter().find(|kind| kind.oid() == oid),
        }
    }

    /// How it is held in columns and parameters.
    pub(super) fn held(self) -> DataType {
        match self {
            Kind::Bool => DataType::Boolean,
            Kind::Int2 => DataType::Int16,
            Kind::Int4 => DataType::Int32,
            Kind::Int8 => DataType::Int64,
            Kind::Float4 => DataType::Float32,
            Kind::Float8 => DataType::Float64,
            // Of columns it keeps the scale that they have.
            Kind::Numeric => DataType::Decimal128(38, 10),
            Kind::Text | Kind::Name => DataType::Utf8,
            Kind::Bytes => DataType::Binary,
            Kind::Date => DataType::Date32,
            Kind::Time => DataType::Time64(TimeUnit::Microsecond),
            Kind::Moment => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            Kind::WallClock => DataType::Timestamp(TimeUnit::Microsecond, None),
            Kind::Interval => DataType::Interval(IntervalUnit::MonthDayNano),
        }
    }

    fn of(kind: &DataType) -> Option<Kind> {
        Some(match kind {
            DataType::Boolean => Kind::Bool,
            DataType::Int8 | DataType::Int16 | DataType::UInt8 => Kind::Int2,
            DataType::Int32 | DataType::UInt16 => Kind::Int4,
            DataType::Int64 | DataType::UInt32 => Kind::Int8,
            DataType::UInt64
            | DataType::Decimal32(..)
            | DataType::Decimal64(..)
            | DataType::Decimal128(..) => Kind::Numeric,
            DataType::Float16 | DataType::Float32 => Kind::Float4,
            DataType::Float64 => Kind::Float8,
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => {
                Kind::Text
            }
            DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::FixedSizeBinary(_) => Kind::Bytes,
            DataType::Date32 | DataType::Date64 => Kind::Date,
            DataType::Time32(_) | DataType::Time64(_) => Kind::Time,
            DataType::Timestamp(_, Some(_)) => Kind::Moment,
            DataType::Timestamp(_, None) => Kind::WallClock,
            DataType::Interval(_) | DataType::Duration(_) => Kind::Interval,
            _ => return None,
        })
    }
}

/// A field whose values are names says so by this.
const NAME: (&str, &str) = ("postgres", "name");

/// A field of names.
pub(super) fn names(field: Field) -> Field {
    field.with_metadata([(NAME.0.to_owned(), NAME.1.to_owned())].into())
}

impl Type {
    pub(super) fn of_field(field: &Field) -> Type {
        let told = field.metadata().get(NAME.0);
        match told.is_some_and(|told| told == NAME.1) {
            true => Type {
                kind: Kind::Name,
                is_list: false,
            },
            false => Type::of(field.data_type()),
        }
    }

    /// What has no type of PostgreSQL is text.
    pub(super) fn of(kind: &DataType) -> Type {
        let one = |kind| Type {
            kind,
            is_list: false,
        };
        match kind {
            DataType::Dictionary(_, values) => Type::of(values),
            DataType::List(field)
            | DataType::LargeList(field)
            | DataType::FixedSizeList(field, _) => match Kind::of(field.data_type()) {
                Some(kind) => Type {
                    kind,
                    is_list: true,
                },
                None => one(Kind::Text),
            },
            other => one(Kind::of(other).unwrap_or(Kind::Text)),
        }
    }

    pub(super) fn oid(self) -> u32 {
        let (oid, list, ..) = self.kind.facts();
        if self.is_list { list } else { oid }
    }

    pub(super) fn length(self) -> i16 {
        if self.is_list {
            -1
        } else {
            self.kind.facts().2
        }
    }

    /// A column as its values are told from.
    pub(super) fn hold(self, column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
        if self.is_list {
            return match column.data_type() {
                DataType::List(_) => Ok(Arc::clone(column)),
                DataType::LargeList(field) | DataType::FixedSizeList(field, _) => {
                    cast(column, &DataType::List(Arc::clone(field)))
                }
                _ => Ok(Arc::clone(column)),
            };
        }
        hold(self.kind, column)
    }
}

/// Values as they are told from.
pub(super) fn hold(kind: Kind, column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let wanted = match (kind, column.data_type()) {
        (Kind::Numeric, DataType::UInt64) => DataType::Decimal128(20, 0),
        (
            Kind::Numeric,
            DataType::Decimal32(precision, scale)
            | DataType::Decimal64(precision, scale)
            | DataType::Decimal128(precision, scale),
        ) => DataType::Decimal128(*precision, *scale),
        (Kind::Text, DataType::Dictionary(_, values)) if Kind::of(values) == Some(Kind::Text) => {
            DataType::Utf8
        }
        (Kind::Text, other) if Kind::of(other).is_none() => return as_text(column),
        _ => kind.held(),
    };
    match *column.data_type() == wanted {
        true => Ok(Arc::clone(column)),
        false => cast(column, &wanted),
    }
}

/// What has no type of PostgreSQL, in words.
fn as_text(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let options = FormatOptions::new();
    let formatter = ArrayFormatter::try_new(column, &options)?;
    let texts = (0..column.len()).map(|row| {
        let text = || formatter.value(row).try_to_string();
        (!column.is_null(row)).then(text).transpose()
    });
    let texts: Result<StringArray, ArrowError> = texts.collect();
    Ok(Arc::new(texts?))
}
