//! The archive's own scan: a version of a table, as DataFusion reads it.
//!
//! Which files are read at all is decided here, by the gaming day and by what the table's log says of each file. Which
//! of their pages, by the footers, bloom filters and page indexes: DataFusion's Parquet source has that.

mod files;
mod looks;
mod told;

use std::sync::{Arc, OnceLock};

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use async_trait::async_trait;
use catwalk_archive::{PARTITION, Table, TableVersion};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DataFusionError, Result, plan_err};
use datafusion::datasource::physical_plan::parquet::CachedParquetFileReaderFactory;
use datafusion::datasource::physical_plan::{FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{LexOrdering, PhysicalSortExpr};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;

use files::Files;
pub(crate) use looks::Looks;
pub use told::ToldScan;

/// A table of the archive at one version.
#[derive(Debug)]
pub(crate) struct ArchiveTable {
    table: &'static Table,
    /// `None` where an archiver has not filled it as far as the others yet.
    version: Option<Arc<TableVersion>>,
    schema: SchemaRef,
    files: OnceLock<Files>,
}

impl ArchiveTable {
    pub(crate) fn at(table: &'static Table, version: Arc<TableVersion>) -> ArchiveTable {
        ArchiveTable {
            table,
            version: Some(version),
            schema: schema(table),
            files: OnceLock::new(),
        }
    }

    /// A table that cannot be asked yet: rows that are still to come must not be taken for rows that are not.
    pub(crate) fn unfilled(table: &'static Table) -> ArchiveTable {
        ArchiveTable {
            table,
            version: None,
            schema: schema(table),
            files: OnceLock::new(),
        }
    }

    fn is_filled(&self) -> bool {
        self.version.is_some()
    }

    fn version(&self) -> Result<&Arc<TableVersion>> {
        match &self.version {
            Some(version) => Ok(version),
            None => plan_err!(
                "table {} is not filled as far as the others yet: the archiver is still at it",
                self.table.name
            ),
        }
    }

    fn files(&self, version: &TableVersion) -> Result<&Files> {
        if let Some(files) = self.files.get() {
            return Ok(files);
        }
        let files = Files::of(self.table_schema(), version)?;
        Ok(self.files.get_or_init(|| files))
    }

    /// The columns of the files, and then the one that is not in them.
    fn table_schema(&self) -> TableSchema {
        let (day, columns): (Vec<_>, Vec<_>) = self
            .schema
            .fields()
            .iter()
            .cloned()
            .partition(|field| field.name() == PARTITION);
        TableSchema::builder(Arc::new(Schema::new(columns)))
            .with_table_partition_cols(day)
            .build()
    }
}

/// Where the files of a table are, for DataFusion.
pub(crate) fn store_of(table: &Table) -> Result<ObjectStoreUrl> {
    ObjectStoreUrl::parse(format!("archive://{}", table.name))
}

/// The columns of a table; texts are read as views, which are not copied to be compared. What the columns mean is left
/// out: DataFusion loses it on some ways of a plan and keeps it on others, and takes the two for different columns.
fn schema(table: &Table) -> SchemaRef {
    let schema = table.schema();
    let fields = schema.fields().iter().map(|field| {
        let kind = match field.data_type() {
            DataType::Utf8 => DataType::Utf8View,
            other => other.clone(),
        };
        Field::new(field.name(), kind, field.is_nullable())
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Whether the gaming day alone decides: then whole files are in or out.
fn is_of_day(filter: &Expr) -> bool {
    let columns = filter.column_refs();
    !columns.is_empty()
        && columns.iter().all(|column| column.name == PARTITION)
        && !filter.is_volatile()
}

#[async_trait]
impl TableProvider for ArchiveTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        let how = filters.iter().map(|filter| match is_of_day(filter) {
            true => TableProviderFilterPushDown::Exact,
            false => TableProviderFilterPushDown::Inexact,
        });
        Ok(how.collect())
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let version = self.version()?;
        let mut places = files::chosen(&self.schema, version, state, filters)?;
        if let Some(limit) = limit.filter(|_| filters.iter().all(is_of_day)) {
            files::enough(&mut places, version, limit);
        }
        let every = (0..self.schema.fields().len()).collect();
        let columns = projection.unwrap_or(&every);
        if places.is_empty() {
            let schema = self.schema.project(columns)?;
            return Ok(Arc::new(EmptyExec::new(Arc::new(schema))));
        }
        let files = self.files(version)?;
        let table_schema = &files.schema;
        let order = self.order(&places, version, state, table_schema)?;
        let groups = match order {
            Some(_) => places.len(),
            None => state.config().target_partitions(),
        };
        let (groups, statistics) = files.grouped(&places, groups)?;
        let url = store_of(self.table)?;
        let options = state.table_options().parquet.clone();
        let cached = CachedParquetFileReaderFactory::new(
            state.runtime_env().object_store(&url)?,
            state.runtime_env().cache_manager.get_file_metadata_cache(),
        );
        let source = ParquetSource::new(table_schema.clone())
            .with_table_parquet_options(options)
            .with_parquet_file_reader_factory(Arc::new(cached));
        // The gaming day is the first column of the table, and the last of what is read.
        let place = |column: &usize| {
            let name = self.schema.field(*column).name();
            table_schema.table_schema().index_of(name)
        };
        let places = columns
            .iter()
            .map(place)
            .collect::<std::result::Result<Vec<_>, _>>()?;
        let config = FileScanConfigBuilder::new(url, Arc::new(source))
            .with_file_groups(groups)
            .with_statistics(statistics)
            .with_projection_indices(Some(places))?
            .with_output_ordering(order.into_iter().collect())
            .with_limit(limit)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}

impl ArchiveTable {
    /// The order of the rows where it is known and of use: files of different days are in order each for itself, so
    /// there must be one of them to a partition.
    fn order(
        &self,
        places: &[usize],
        version: &TableVersion,
        state: &dyn Session,
        table_schema: &TableSchema,
    ) -> Result<Option<LexOrdering>> {
        let few = places.len() <= state.config().target_partitions();
        if !few || !places.iter().all(|place| version.files[*place].sorted) {
            return Ok(None);
        }
        let key = |name: &&str| {
            let place = table_schema.table_schema().index_of(name)?;
            let column = Arc::new(Column::new(name, place));
            // Values that are not there come first.
            Ok::<_, DataFusionError>(PhysicalSortExpr::new_default(column))
        };
        let keys = self
            .table
            .sorted_by
            .iter()
            .map(key)
            .collect::<Result<Vec<_>>>()?;
        Ok(LexOrdering::new(keys))
    }
}
