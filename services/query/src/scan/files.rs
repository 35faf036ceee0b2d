//! Which files of a table a question needs, and what is known of them before they are opened.

use std::collections::HashSet;
use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, AsArray as _, BooleanArray, RecordBatch, UInt64Array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use catwalk_archive::{DataFile, PARTITION, TableVersion};
use datafusion::catalog::Session;
use datafusion::common::pruning::PruningStatistics;
use datafusion::common::stats::Precision;
use datafusion::common::{
    Column, ColumnStatistics, DFSchema, DataFusionError, Result, ScalarValue, Statistics,
};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::FileGroup;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::logical_expr::Expr;
use datafusion::logical_expr::utils::conjunction;
use datafusion::physical_optimizer::pruning::PruningPredicateBuilder;
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;

use super::is_of_day;

/// A text as long as this may be the beginning of a longer one: the logs of tables shorten them.
const WHOLE_TEXT: usize = 32;
/// A moment in the log of a table has milliseconds; what it was made from may be less than one later.
const SHORTENED_MICROS: i64 = 1_000;

/// What is known of the files of a version, made once for all questions to it.
#[derive(Debug)]
pub(super) struct Files {
    pub(super) schema: TableSchema,
    parts: Vec<PartitionedFile>,
    /// Of all of them.
    statistics: Statistics,
}

impl Files {
    pub(super) fn of(schema: TableSchema, version: &TableVersion) -> Result<Files> {
        let parts = version.files.iter().map(|file| part(&schema, file));
        let parts = parts.collect::<Result<Vec<_>>>()?;
        let statistics = merged(&parts, &schema)?;
        Ok(Files {
            schema,
            parts,
            statistics,
        })
    }

    /// The chosen ones, dealt out to partitions, and what is known of all of them.
    pub(super) fn grouped(
        &self,
        places: &[usize],
        groups: usize,
    ) -> Result<(Vec<FileGroup>, Statistics)> {
        let parts = places.iter().map(|place| self.parts[*place].clone());
        let parts: Vec<PartitionedFile> = parts.collect();
        let statistics = match places.len() == self.parts.len() {
            true => self.statistics.clone(),
            false => merged(&parts, &self.schema)?,
        };
        Ok((dealt(parts, groups), statistics))
    }
}

fn merged(parts: &[PartitionedFile], schema: &TableSchema) -> Result<Statistics> {
    let known = parts.iter().filter_map(|part| part.statistics.as_deref());
    Statistics::try_merge_iter(known, schema.table_schema())
}

/// The places of the files that may have rows for all the filters.
pub(super) fn chosen(
    schema: &SchemaRef,
    version: &TableVersion,
    state: &dyn Session,
    filters: &[Expr],
) -> Result<Vec<usize>> {
    let mut places: Vec<usize> = (0..version.files.len()).collect();
    let files = |places: &[usize]| -> Vec<&DataFile> {
        places.iter().map(|place| &version.files[*place]).collect()
    };
    let (of_day, others): (Vec<_>, Vec<_>) = filters.iter().cloned().partition(is_of_day);
    if let Some(filter) = conjunction(of_day) {
        let fits = on_days(&files(&places), &filter, state)?;
        keep(&mut places, &fits);
    }
    if let Some(filter) = conjunction(others)
        && !places.is_empty()
    {
        let known = DFSchema::try_from(Arc::clone(schema))?;
        let filter = state.create_physical_expr(filter, &known)?;
        let predicate = PruningPredicateBuilder::new()
            .with_file_schema(Arc::clone(schema))
            .try_build(filter)?;
        if !predicate.always_true() {
            let may = predicate.prune(&Known {
                schema,
                files: &files(&places),
            })?;
            keep(&mut places, &may);
        }
    }
    Ok(places)
}

/// Leaves the first files that have so many rows, where every row will do.
pub(super) fn enough(places: &mut Vec<usize>, version: &TableVersion, rows: usize) {
    let mut missing = rows as u64;
    let needed = places.iter().position(|place| {
        // A file that nobody has counted gives nothing for certain.
        missing = missing.saturating_sub(version.files[*place].rows.unwrap_or(0));
        missing == 0
    });
    if let Some(last) = needed {
        places.truncate(last + 1);
    }
}

fn keep(places: &mut Vec<usize>, which: &[bool]) {
    let mut which = which.iter();
    places.retain(|_| which.next().copied().unwrap_or(true));
}

/// Of which files the gaming day fits.
fn on_days(files: &[&DataFile], filter: &Expr, state: &dyn Session) -> Result<Vec<bool>> {
    let days = files
        .iter()
        .map(|file| day(file))
        .collect::<Result<Vec<_>>>()?;
    if days.is_empty() {
        return Ok(Vec::new());
    }
    let schema = Arc::new(Schema::new(vec![Field::new(
        PARTITION,
        DataType::Date32,
        true,
    )]));
    let filter = unqualified(filter)?;
    let filter = state.create_physical_expr(filter, &DFSchema::try_from(Arc::clone(&schema))?)?;
    let batch = RecordBatch::try_new(schema, vec![ScalarValue::iter_to_array(days)?])?;
    let fits = filter.evaluate(&batch)?.into_array(files.len())?;
    let fits = fits.as_boolean_opt().ok_or_else(|| {
        DataFusionError::Plan(format!(
            "a condition on {PARTITION} is neither true nor false"
        ))
    })?;
    let fits = (0..fits.len()).map(|row| fits.is_valid(row) && fits.value(row));
    Ok(fits.collect())
}

fn unqualified(filter: &Expr) -> Result<Expr> {
    use datafusion::common::tree_node::{Transformed, TreeNode as _};
    let named = filter.clone().transform(|expr| match expr {
        Expr::Column(column) => Ok(Transformed::yes(Expr::Column(Column::new_unqualified(
            column.name,
        )))),
        other => Ok(Transformed::no(other)),
    });
    Ok(named?.data)
}

fn day(file: &DataFile) -> Result<ScalarValue> {
    let day = file
        .gaming_day
        .as_deref()
        .map(str::parse::<Date>)
        .transpose();
    let day = day.map_err(|error| {
        DataFusionError::Execution(format!("{}: its gaming day is none ({error})", file.path))
    })?;
    Ok(ScalarValue::Date32(day.map(days_since_1970)))
}

fn days_since_1970(day: Date) -> i32 {
    (day - Date::constant(1970, 1, 1)).get_days()
}

/// A file as DataFusion knows one.
fn part(schema: &TableSchema, file: &DataFile) -> Result<PartitionedFile> {
    let mut part = PartitionedFile::new(file.path.clone(), file.bytes);
    part.partition_values = vec![day(file)?];
    let columns = schema.file_schema().fields().iter();
    let columns = columns.map(|field| column_statistics(file, field));
    Ok(part.with_statistics(Arc::new(Statistics {
        num_rows: rows(file),
        total_byte_size: Precision::Absent,
        column_statistics: columns.collect(),
    })))
}

/// Files dealt out to partitions, each of which reads about as much as another.
fn dealt(parts: Vec<PartitionedFile>, groups: usize) -> Vec<FileGroup> {
    let mut dealt: Vec<(u64, Vec<PartitionedFile>)> =
        vec![(0, Vec::new()); groups.max(1).min(parts.len())];
    for part in parts {
        // The order of the files stays that of the version, so that the same question reads the same way.
        if let Some((bytes, group)) = dealt.iter_mut().min_by_key(|(bytes, _)| *bytes) {
            *bytes += part.object_meta.size;
            group.push(part);
        }
    }
    let groups = dealt.into_iter().map(|(_, group)| FileGroup::new(group));
    groups.collect()
}

fn rows(file: &DataFile) -> Precision<usize> {
    let rows = file.rows.and_then(|rows| usize::try_from(rows).ok());
    rows.map_or(Precision::Absent, Precision::Exact)
}

/// What the table's log says of a column of a file. Only what is known to the last bit is called exact, for it may be
/// given as an answer.
fn column_statistics(file: &DataFile, field: &Field) -> ColumnStatistics {
    let mut known = ColumnStatistics::new_unknown();
    if let Some((least, greatest)) = ends(file, field) {
        let precise = |value: ScalarValue| match is_whole(&value) {
            true => Precision::Exact(value),
            false => Precision::Inexact(value),
        };
        (known.min_value, known.max_value) = (precise(least), precise(greatest));
        if let Some(nulls) = nulls(file, field).and_then(|nulls| usize::try_from(nulls).ok()) {
            known.null_count = Precision::Exact(nulls);
        }
    }
    known
}

/// Whether a value in a table's log is the very one that the file has.
fn is_whole(value: &ScalarValue) -> bool {
    match value {
        ScalarValue::Utf8View(Some(text)) => text.len() < WHOLE_TEXT,
        ScalarValue::TimestampMicrosecond(..) => false,
        _ => true,
    }
}

/// The bounds between which all values of a column of a file lie.
fn ends(file: &DataFile, field: &Field) -> Option<(ScalarValue, ScalarValue)> {
    if field.name() == PARTITION {
        let day = day(file).ok().filter(|day| !day.is_null())?;
        return Some((day.clone(), day));
    }
    let least = value(file.least.get(field.name())?, field.data_type())?;
    let greatest = value(file.greatest.get(field.name())?, field.data_type())?;
    let greatest = match greatest {
        ScalarValue::TimestampMicrosecond(Some(micros), zone) => {
            ScalarValue::TimestampMicrosecond(Some(micros.checked_add(SHORTENED_MICROS)?), zone)
        }
        other => other,
    };
    Some((least, greatest))
}

/// A value of a table's log; `None` for one that is not of the column's type.
fn value(value: &Value, kind: &DataType) -> Option<ScalarValue> {
    Some(match kind {
        DataType::Int64 => ScalarValue::Int64(Some(value.as_i64()?)),
        DataType::Boolean => ScalarValue::Boolean(Some(value.as_bool()?)),
        DataType::Utf8View => ScalarValue::Utf8View(Some(value.as_str()?.to_owned())),
        DataType::Timestamp(_, zone) => {
            let moment: Timestamp = value.as_str()?.parse().ok()?;
            ScalarValue::TimestampMicrosecond(Some(moment.as_microsecond()), zone.clone())
        }
        _ => return None,
    })
}

fn nulls(file: &DataFile, field: &Field) -> Option<u64> {
    match field.name() == PARTITION {
        true => Some(0),
        false => file.nulls.get(field.name()).copied(),
    }
}

/// What is known of files, for whoever decides which of them a condition needs.
struct Known<'a> {
    schema: &'a SchemaRef,
    files: &'a [&'a DataFile],
}

impl Known<'_> {
    fn array(
        &self,
        column: &Column,
        end: impl Fn((ScalarValue, ScalarValue)) -> ScalarValue,
    ) -> Option<ArrayRef> {
        let field = self.schema.field_with_name(column.name()).ok()?;
        let nothing = ScalarValue::try_from(field.data_type()).ok()?;
        let values = self.files.iter().map(|file| ends(file, field));
        let values = values.map(|ends| ends.map_or_else(|| nothing.clone(), &end));
        ScalarValue::iter_to_array(values).ok()
    }
}

impl PruningStatistics for Known<'_> {
    fn min_values(&self, column: &Column) -> Option<ArrayRef> {
        self.array(column, |(least, _)| least)
    }

    fn max_values(&self, column: &Column) -> Option<ArrayRef> {
        self.array(column, |(_, greatest)| greatest)
    }

    fn num_containers(&self) -> usize {
        self.files.len()
    }

    fn null_counts(&self, column: &Column) -> Option<ArrayRef> {
        let field = self.schema.field_with_name(column.name()).ok()?;
        // A log without bounds of a column has nothing to say of it at all.
        let known = |file: &&DataFile| ends(file, field).and_then(|_| nulls(file, field));
        Some(Arc::new(
            self.files.iter().map(known).collect::<UInt64Array>(),
        ))
    }

    fn row_counts(&self) -> Option<ArrayRef> {
        let rows = self.files.iter().map(|file| file.rows);
        Some(Arc::new(rows.collect::<UInt64Array>()))
    }

    fn contained(&self, _: &Column, _: &HashSet<ScalarValue>) -> Option<BooleanArray> {
        None
    }
}
