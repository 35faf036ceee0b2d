//! Columns: what they hold, what they mean, and how Parquet lays them out.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef, TimeUnit};
use parquet::basic::Encoding;
use parquet::file::properties::{EnabledStatistics, WriterPropertiesBuilder};
use parquet::schema::types::ColumnPath;

/// The key under which Delta Lake, and whoever reads it, finds what a column means.
const COMMENT: &str = "comment";

/// A column of a table of the archive.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub name: &'static str,
    /// What it means, in a sentence.
    pub meaning: &'static str,
    pub kind: Kind,
    pub nullable: bool,
    layout: Layout,
    looked_up: bool,
    bulky: bool,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Int,
    /// Money in cents; the name ends in `_cents`.
    Cents,
    Bool,
    /// A moment in UTC, to the microsecond.
    Moment,
    Day,
    Texts,
    Ints,
}

/// How Parquet lays a column out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Few values, each of them often.
    Dictionary,
    /// Numbers that rise with the rows.
    Steps,
    /// Text that begins as the row before it.
    Prefixes,
    /// Text of which no two are alike.
    Plain,
}

impl Column {
    /// A column that every row has. Its layout is the usual one of its kind.
    pub(crate) const fn new(name: &'static str, kind: Kind, meaning: &'static str) -> Column {
        let layout = match kind {
            Kind::Moment => Layout::Steps,
            _ => Layout::Dictionary,
        };
        Column {
            name,
            meaning,
            kind,
            nullable: false,
            layout,
            looked_up: false,
            bulky: false,
        }
    }

    pub(crate) const fn nullable(mut self) -> Column {
        self.nullable = true;
        self
    }

    pub(crate) const fn steps(mut self) -> Column {
        self.layout = Layout::Steps;
        self
    }

    pub(crate) const fn prefixes(mut self) -> Column {
        self.layout = Layout::Prefixes;
        self
    }

    /// Text that nobody filters by: it gets no statistics, which would be longer than they are worth.
    pub(crate) const fn bulky(mut self) -> Column {
        self.bulky = true;
        self
    }

    pub(crate) const fn plain(mut self) -> Column {
        self.layout = Layout::Plain;
        self
    }

    /// People ask for single values of it: a bloom filter says which files need not be read.
    pub(crate) const fn looked_up(mut self) -> Column {
        self.looked_up = true;
        self
    }

    /// Whether the table's log keeps the least and greatest value in each file.
    pub(crate) fn has_statistics(&self) -> bool {
        let is_partition = self.name == crate::PARTITION;
        !self.bulky && !is_partition && !matches!(self.kind, Kind::Texts | Kind::Ints)
    }

    /// Its name as Delta Lake lists names.
    pub(crate) fn quoted(&self) -> String {
        format!("`{}`", self.name)
    }

    pub(crate) fn field(&self) -> FieldRef {
        let item = |kind| Arc::new(Field::new("element", kind, false));
        let kind = match self.kind {
            Kind::Text => DataType::Utf8,
            Kind::Int | Kind::Cents => DataType::Int64,
            Kind::Bool => DataType::Boolean,
            Kind::Moment => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            Kind::Day => DataType::Date32,
            Kind::Texts => DataType::List(item(DataType::Utf8)),
            Kind::Ints => DataType::List(item(DataType::Int64)),
        };
        let comment = (COMMENT.to_owned(), self.meaning.to_owned());
        let field = Field::new(self.name, kind, self.nullable);
        Arc::new(field.with_metadata(HashMap::from([comment])))
    }

    pub(crate) fn lay_out(&self, properties: WriterPropertiesBuilder) -> WriterPropertiesBuilder {
        let encoding = match self.layout {
            Layout::Dictionary => None,
            Layout::Steps => Some(Encoding::DELTA_BINARY_PACKED),
            Layout::Prefixes => Some(Encoding::DELTA_BYTE_ARRAY),
            Layout::Plain => Some(Encoding::PLAIN),
        };
        let path = || ColumnPath::from(self.name);
        let properties = match self.bulky {
            true => properties.set_column_statistics_enabled(path(), EnabledStatistics::None),
            false => properties,
        };
        let properties = match encoding {
            None => properties,
            Some(encoding) => properties
                .set_column_dictionary_enabled(path(), false)
                .set_column_encoding(path(), encoding),
        };
        match self.looked_up {
            true => properties.set_column_bloom_filter_enabled(path(), true),
            false => properties,
        }
    }
}
