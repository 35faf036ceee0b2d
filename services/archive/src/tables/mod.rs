//! The tables of the archive: one file a table, with its columns and how a record becomes its rows.

mod access;
mod cards;
mod cases;
mod custody;
mod decisions;
mod dispositions;
mod events;
mod findings;
mod incidents;
mod log_entries;
mod money;
mod notices;
mod outcomes;
mod quarantine;
mod rounds;
mod slips;
mod typed;
mod wagers;

use std::sync::Arc;

use arrow::datatypes::{Schema, SchemaRef};
use catwalk_log::Topic;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};

use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;
use crate::seal::{LEAF, SALT};
use crate::{Error, Result};

/// The column by which every table is partitioned.
pub const PARTITION: &str = "gaming_day";

/// A table of the archive.
pub struct Table {
    pub name: &'static str,
    /// What a row is.
    pub meaning: &'static str,
    pub columns: &'static [Column],
    /// The order of the rows in a file.
    pub sorted_by: &'static [&'static str],
    /// The topic that its rows come from.
    pub(crate) topic: Topic,
    /// Appends the rows that a record of the topic makes.
    pub(crate) append: fn(&Item, &Arrival, &mut Rows) -> Result<()>,
}

/// All tables.
pub const TABLES: [&Table; 17] = [
    &events::TABLE,
    &rounds::TABLE,
    &wagers::TABLE,
    &cards::TABLE,
    &findings::TABLE,
    &dispositions::TABLE,
    &money::TABLE,
    &incidents::TABLE,
    &log_entries::TABLE,
    &decisions::TABLE,
    &outcomes::TABLE,
    &custody::TABLE,
    &notices::TABLE,
    &slips::TABLE,
    &quarantine::TABLE,
    &cases::TABLE,
    &access::TABLE,
];

/// Rows of a page: who looks one round up reads one page of each column.
const PAGE_ROWS: usize = 8_192;

/// How hard Parquet files are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Files of a flush: they are rewritten soon.
    Quick,
    /// Files that stay.
    Thorough,
}

impl Table {
    pub fn named(name: &str) -> Option<&'static Table> {
        TABLES.into_iter().find(|table| table.name == name)
    }

    pub fn schema(&self) -> SchemaRef {
        let fields: Vec<_> = self.columns.iter().map(Column::field).collect();
        Arc::new(Schema::new(fields))
    }

    pub(crate) fn other_columns(&'static self) -> Error {
        let columns: Vec<_> = self.columns.iter().map(|column| column.name).collect();
        Error::Columns {
            table: self.name,
            columns: columns.join(", "),
        }
    }

    pub(crate) fn writer_properties(&self, effort: Effort) -> WriterProperties {
        let level = match effort {
            Effort::Quick => 3,
            Effort::Thorough => 9,
        };
        let level = ZstdLevel::try_new(level).unwrap_or_default();
        let properties = WriterProperties::builder()
            .set_writer_version(WriterVersion::PARQUET_2_0)
            .set_data_page_row_count_limit(PAGE_ROWS)
            .set_compression(Compression::ZSTD(level));
        let columns = self.columns.iter();
        let properties = columns.fold(properties, |properties, column| column.lay_out(properties));
        // Numbers that rise with most rows, and bytes that nothing makes smaller.
        properties
            .set_column_dictionary_enabled(LEAF.into(), false)
            .set_column_encoding(LEAF.into(), Encoding::DELTA_BINARY_PACKED)
            .set_column_dictionary_enabled(SALT.into(), false)
            .set_column_statistics_enabled(SALT.into(), EnabledStatistics::None)
            .set_column_compression(SALT.into(), Compression::UNCOMPRESSED)
            .build()
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Table").field(&self.name).finish()
    }
}

// Columns that several tables have.

const GAMING_DAY: Column = Column::new(
    PARTITION,
    Kind::Day,
    "The gaming day: it begins at a set hour of the morning and is named by that date.",
);
const PROPERTY: Column = Column::new("property", Kind::Text, "The casino.");
const TABLE_ID: Column = Column::new("table_id", Kind::Text, "The table.");
const GAME: Column = Column::new("game", Kind::Text, "The game, as the rulebook names it.");
const ROUND: Column = Column::new("round", Kind::Text, "The round.").looked_up();
const DEALER: Column = Column::new("dealer", Kind::Text, "The dealer's id.").nullable();
const LOG_PARTITION: Column = Column::new(
    "log_partition",
    Kind::Int,
    "The partition of the event log that it came by.",
);
const LOG_OFFSET: Column = Column::new(
    "log_offset",
    Kind::Int,
    "Its place in that partition: the order of arrival.",
)
.steps();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_begins_with_its_partition_and_says_what_each_column_means() {
        for table in TABLES {
            assert_eq!(table.columns[0].name, PARTITION, "{}", table.name);
            for column in table.columns {
                let full = column.meaning.ends_with('.') && column.meaning.len() > 8;
                assert!(full, "{}.{}: {:?}", table.name, column.name, column.meaning);
                let cents = column.name.ends_with("_cents");
                let name = column.name;
                assert_eq!(cents, column.kind == Kind::Cents, "{}.{name}", table.name);
            }
            for key in table.sorted_by {
                assert!(
                    table.columns.iter().any(|column| column.name == *key),
                    "{key}"
                );
            }
        }
    }
}
