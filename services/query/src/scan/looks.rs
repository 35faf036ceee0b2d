//! The table `access` with the looks that are not in it yet: those on record beside the tables.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, FieldRef, SchemaRef};
use async_trait::async_trait;
use catwalk_archive::{Archive, Look};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DataFusionError, Result};
use datafusion::datasource::MemTable;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::union::UnionExec;
use serde::Serialize;

use super::ArchiveTable;

const DAY_MICROS: i64 = 86_400_000_000;

/// What is on the log and in the table, and what is still on its way.
#[derive(Debug)]
pub(crate) struct Looks {
    pub(crate) archived: ArchiveTable,
    pub(crate) archive: Archive,
}

#[async_trait]
impl TableProvider for Looks {
    fn schema(&self) -> SchemaRef {
        self.archived.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        // Looked at first: what is brought over meanwhile is there twice, and not never.
        let looks = self.archive.looks().await;
        let looks = looks.map_err(|error| DataFusionError::External(Box::new(error)))?;
        if looks.is_empty() {
            return self.archived.scan(state, projection, filters, limit).await;
        }
        let on_way = MemTable::try_new(self.schema(), vec![vec![self.rows(&looks)?]])?;
        let on_way = on_way.scan(state, projection, &[], limit).await?;
        if !self.archived.is_filled() {
            return Ok(on_way);
        }
        let archived = self
            .archived
            .scan(state, projection, filters, limit)
            .await?;
        UnionExec::try_new(vec![archived, on_way])
    }
}

#[derive(Serialize)]
struct Row<'a> {
    gaming_day: i64,
    id: &'a str,
    stage: &'static str,
    at: i64,
    door: &'static str,
    who: &'a str,
    roles: &'a [String],
    station: Option<&'a str>,
    program: Option<&'a str>,
    case_id: Option<&'a str>,
    text: &'a str,
    parameters: Option<&'a str>,
    outcome: Option<&'static str>,
    rows: Option<u64>,
    bytes: Option<u64>,
    error: Option<&'a str>,
    /// They have no place on the log yet.
    log_partition: i64,
    log_offset: i64,
}

impl Looks {
    fn rows(&self, looks: &[Look]) -> Result<RecordBatch> {
        let rows = looks.iter().map(|Look { access, .. }| Row {
            gaming_day: access.at.micros().div_euclid(DAY_MICROS),
            id: &access.id,
            stage: access.stage.name(),
            at: access.at.micros(),
            door: access.door.name(),
            who: &access.who,
            roles: &access.roles,
            station: access.station.as_deref(),
            program: access.program.as_deref(),
            case_id: access.case.as_deref(),
            text: &access.text,
            parameters: access.parameters.as_deref(),
            outcome: access.outcome.map(|outcome| outcome.name()),
            rows: access.rows,
            bytes: access.bytes,
            error: access.error.as_deref(),
            log_partition: -1,
            log_offset: -1,
        });
        let rows: Vec<Row<'_>> = rows.collect();
        let schema = self.schema();
        let fields: Vec<FieldRef> = schema.fields().iter().map(as_made).collect();
        let made = serde_arrow::to_record_batch(&fields, &rows);
        let made = made.map_err(|error| DataFusionError::External(Box::new(error)))?;
        let columns = made.columns().iter().zip(schema.fields());
        let columns = columns.map(|(made, field)| arrow::compute::cast(made, field.data_type()));
        let columns = columns.collect::<std::result::Result<Vec<_>, _>>()?;
        Ok(RecordBatch::try_new(schema, columns)?)
    }
}

/// A column as rows are made of it, before it is cast.
fn as_made(field: &FieldRef) -> FieldRef {
    match field.data_type() {
        DataType::Utf8View => Arc::new(Field::clone(field).with_data_type(DataType::Utf8)),
        DataType::Date32 => Arc::new(Field::clone(field).with_data_type(DataType::Int32)),
        _ => Arc::clone(field),
    }
}
