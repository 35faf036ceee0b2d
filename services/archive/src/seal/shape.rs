//! The form of a file. Its columns are those of the table, of the same types and each there once: a reader that takes
//! another column, or rounds a number, shows other rows than those that are sealed. And its footer counts what is
//! there.

use arrow::datatypes::{DataType, Schema};
use parquet::arrow::parquet_to_arrow_schema;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::statistics::Statistics;

use crate::{DataFile, PARTITION, Result, Table};

/// What of a file none of ours has. `read_as` are its columns as Arrow's readers take them.
pub(super) fn oddities(
    table: &Table,
    metadata: &ParquetMetaData,
    read_as: &Schema,
) -> Result<Vec<String>> {
    // Others do not heed the types that Arrow has noted in the file.
    let plain = parquet_to_arrow_schema(metadata.file_metadata().schema_descr(), None)?;
    let mut odd = odd_columns(table, &plain);
    for told in odd_columns(table, read_as) {
        if !odd.contains(&told) {
            odd.push(told);
        }
    }
    for (at, group) in metadata.row_groups().iter().enumerate() {
        odd.extend(odd_group(group).map(|what| format!("its row group {at} {what}")));
    }
    Ok(odd)
}

fn odd_columns(table: &Table, found: &Schema) -> Vec<String> {
    let wanted = table.sealed_schema();
    let fields = found.fields();
    let odd = fields.iter().enumerate().filter_map(|(at, field)| {
        let name = field.name();
        // Some readers do not tell capitals from small letters.
        let is_again =
            |other: &&arrow::datatypes::FieldRef| other.name().eq_ignore_ascii_case(name);
        if fields[..at].iter().any(|other| is_again(&other)) {
            return Some(format!("it has a column {name} twice"));
        }
        if name == PARTITION {
            return Some(format!(
                "it has a column {name} of its own, and the {name} of its rows is what the log says"
            ));
        }
        let Ok(wanted) = wanted.field_with_name(name) else {
            return Some(format!("it has a column {name}, and the table has none"));
        };
        let is_same = field.data_type().equals_datatype(wanted.data_type());
        (!is_same).then(|| {
            let (is, should_be) = (words(field.data_type()), words(wanted.data_type()));
            format!("its column {name} holds {is} where the table has {should_be}")
        })
    });
    odd.collect()
}

fn words(kind: &DataType) -> String {
    kind.to_string()
}

fn odd_group(group: &RowGroupMetaData) -> impl Iterator<Item = String> {
    let is_ordered = group.sorting_columns().is_some_and(|by| !by.is_empty());
    let ordered =
        is_ordered.then(|| "says by what it is in order, which none of ours does".to_owned());
    let columns = group.columns().iter();
    let odd = columns.filter_map(|chunk| {
        let name = chunk.column_path().string();
        odd_chunk(group, chunk).map(|what| format!("says of {name} {what}"))
    });
    let odd: Vec<String> = ordered.into_iter().chain(odd).collect();
    odd.into_iter()
}

fn odd_chunk(group: &RowGroupMetaData, chunk: &ColumnChunkMetaData) -> Option<String> {
    if chunk.file_path().is_some() {
        return Some("that it lies in another file".to_owned());
    }
    let is_list = chunk.column_descr().max_rep_level() > 0;
    if !is_list && chunk.num_values() != group.num_rows() {
        return Some("that it has more or fewer values than rows".to_owned());
    }
    let counted = chunk.statistics().and_then(Statistics::distinct_count_opt);
    counted.map(|count| format!("that {count} of its values differ, which none of ours counts"))
}

/// Where a file lies. Some readers take the day of its rows from its folder, and some go to another machine for it.
pub(super) fn odd_place(file: &DataFile) -> Option<String> {
    let day = file.gaming_day.as_deref().unwrap_or_default();
    let folder = format!("{PARTITION}={day}/");
    let is_plain = |name: &str| {
        let is_known = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        !name.is_empty() && name.chars().all(is_known)
    };
    let is_ours = file.path.strip_prefix(&folder).is_some_and(is_plain);
    (!is_ours).then(|| format!("it does not lie in the folder of its rows, {folder}"))
}

/// What the footer counts, beside the rows that are there.
pub(super) fn miscounted(metadata: &ParquetMetaData, rows: u64) -> Option<String> {
    let said = metadata.file_metadata().num_rows();
    let groups = metadata.row_groups().iter();
    let grouped: i64 = groups.map(RowGroupMetaData::num_rows).sum();
    let is_so = |count: i64| u64::try_from(count) == Ok(rows);
    (!is_so(said) || !is_so(grouped)).then(|| {
        format!("its footer counts {said} rows, in row groups of {grouped}, and it has {rows}")
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parquet::file::metadata::FileMetaData;
    use parquet::schema::parser::parse_message_type;
    use parquet::schema::types::SchemaDescriptor;

    use super::*;

    fn footer(columns: &str, rows: i64) -> ParquetMetaData {
        let message = parse_message_type(&format!("message m {{ {columns} }}")).unwrap();
        let schema = Arc::new(SchemaDescriptor::new(Arc::new(message)));
        let file = FileMetaData::new(2, rows, None, None, schema, None);
        ParquetMetaData::new(file, Vec::new())
    }

    #[test]
    fn a_footer_counts_the_rows_that_are_there() {
        assert_eq!(miscounted(&footer("", 0), 0), None);
        let told = miscounted(&footer("", 1), 0).unwrap();
        assert_eq!(
            told,
            "its footer counts 1 rows, in row groups of 0, and it has 0"
        );
    }

    #[test]
    fn a_column_is_the_tables_once_and_of_its_type() {
        let table = Table::named("wagers").unwrap();
        let with_day = "gaming_day of its own, and the gaming_day of its rows is what the log says";
        for (columns, expected) in [
            (
                "required double amount_cents;",
                "holds Float64 where the table has Int64",
            ),
            ("required int32 gaming_day (date);", with_day),
            (
                "required int64 tip_cents;",
                "a column tip_cents, and the table has none",
            ),
            (
                "required int64 lane; required int64 Lane;",
                "a column Lane twice",
            ),
        ] {
            let odd = oddities(table, &footer(columns, 0), &Schema::empty()).unwrap();
            assert!(odd.len() == 1 && odd[0].contains(expected), "{odd:?}");
        }
        let fine = "required int64 amount_cents; required binary round (utf8);";
        let odd = oddities(table, &footer(fine, 0), &Schema::empty()).unwrap();
        assert_eq!(odd, [] as [String; 0]);
    }
}
