//! A table of which something is hidden.

use std::fmt;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use catwalk_archive::PARTITION;
use catwalk_web::{Days, Pseudonyms};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{
    BinaryExpr, Expr, Operator, TableProviderFilterPushDown, TableType, col, lit,
};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_optimizer::PhysicalOptimizerRule as _;
use datafusion::physical_optimizer::filter_pushdown::FilterPushdown;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties as _, PlanProperties,
    ReplaceChildrenOptions,
};
use futures::StreamExt as _;
use jiff::civil::Date;

use super::PROPERTY;
use super::mask::{How, Mask};

/// A table as somebody sees it who may not see all of it.
#[derive(Debug)]
pub(super) struct Seen {
    all: Arc<dyn TableProvider>,
    schema: SchemaRef,
    /// The columns that are seen, by their places in the whole table.
    columns: Vec<usize>,
    /// By places in the whole table.
    masks: Vec<(usize, How)>,
    names: Option<Pseudonyms>,
    properties: Option<Vec<String>>,
    days: Days,
}

impl Seen {
    pub(super) fn new(
        all: Arc<dyn TableProvider>,
        columns: Vec<usize>,
        masks: Vec<(&Mask, Pseudonyms)>,
        properties: Option<Vec<String>>,
        days: Days,
    ) -> Seen {
        let whole = all.schema();
        let fields = columns
            .iter()
            .map(|place| Arc::clone(&whole.fields()[*place]));
        let schema = Arc::new(arrow::datatypes::Schema::new(fields.collect::<Vec<_>>()));
        let names = masks.first().map(|(_, names)| names.clone());
        let masks = masks.iter().filter_map(|(mask, _)| {
            let place = whole.index_of(mask.column).ok()?;
            Some((place, mask.how))
        });
        let masks = masks.collect();
        Seen {
            all,
            schema,
            columns,
            masks,
            names,
            properties,
            days,
        }
    }

    fn hides_rows(&self) -> bool {
        self.properties.is_some() || !self.days.is_all()
    }

    /// Only columns are hidden, which nobody can name: then a question may be worked out wherever it is best.
    fn is_open(&self) -> bool {
        !self.hides_rows() && self.masks.is_empty()
    }

    /// Whether a condition may be looked at below: one that cannot fail, on values that are seen as they are. Where
    /// rows are hidden it must be of the day alone, so that nobody learns by the clock what is in rows of others.
    fn may_pass(&self, filter: &Expr) -> bool {
        let Some(column) = plain(filter, &self.schema) else {
            return false;
        };
        if self.hides_rows() {
            return column == PARTITION;
        }
        let whole = self.all.schema();
        let place = whole.index_of(column).ok();
        place.is_some_and(|place| self.masks.iter().all(|(masked, _)| *masked != place))
    }

    /// The condition that holds for every row that is seen.
    fn own_filters(&self) -> Vec<Expr> {
        let whole = self.all.schema();
        let mut filters = Vec::new();
        if let Some(properties) = &self.properties
            && whole.index_of(PROPERTY).is_ok()
        {
            let own = properties
                .iter()
                .map(|own| Expr::Literal(ScalarValue::Utf8View(Some(own.clone())), None));
            filters.push(col(PROPERTY).in_list(own.collect(), false));
        }
        let day = |day: Date| {
            let days = (day - Date::constant(1970, 1, 1)).get_days();
            lit(ScalarValue::Date32(Some(days)))
        };
        if let Some(from) = self.days.from {
            filters.push(col(PARTITION).gt_eq(day(from)));
        }
        if let Some(until) = self.days.until {
            filters.push(col(PARTITION).lt_eq(day(until)));
        }
        filters
    }
}

/// The column of a condition that compares it as it is with values of its own type.
fn plain<'a>(filter: &'a Expr, schema: &SchemaRef) -> Option<&'a str> {
    let is_of = |column: &str, value: &Expr| {
        let field = schema.field_with_name(column).ok();
        matches!(value, Expr::Literal(value, _)
            if field.is_some_and(|field| *field.data_type() == value.data_type()))
    };
    match filter {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => {
            let compares = matches!(
                op,
                Operator::Eq
                    | Operator::NotEq
                    | Operator::Lt
                    | Operator::LtEq
                    | Operator::Gt
                    | Operator::GtEq
            );
            let (column, value) = match (&**left, &**right) {
                (Expr::Column(column), value) | (value, Expr::Column(column)) => (column, value),
                _ => return None,
            };
            (compares && is_of(&column.name, value)).then_some(column.name.as_str())
        }
        Expr::InList(InList { expr, list, .. }) => {
            let Expr::Column(column) = &**expr else {
                return None;
            };
            let all = list.iter().all(|value| is_of(&column.name, value));
            all.then_some(column.name.as_str())
        }
        _ => None,
    }
}

#[async_trait]
impl TableProvider for Seen {
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
        if self.is_open() {
            return self.all.supports_filters_pushdown(filters);
        }
        let how = filters.iter().map(|filter| match self.may_pass(filter) {
            true => TableProviderFilterPushDown::Inexact,
            false => TableProviderFilterPushDown::Unsupported,
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
        let wanted: Vec<usize> = match projection {
            Some(places) => places.iter().map(|place| self.columns[*place]).collect(),
            None => self.columns.clone(),
        };
        if self.is_open() {
            return self.all.scan(state, Some(&wanted), filters, limit).await;
        }
        let whole = self.all.schema();
        let mut conditions = self.own_filters();
        conditions.extend(
            filters
                .iter()
                .filter(|filter| self.may_pass(filter))
                .cloned(),
        );
        let masks: Vec<(usize, How)> = self
            .masks
            .iter()
            .filter(|(place, _)| wanted.contains(place))
            .copied()
            .collect();
        // What is read: what is wanted, and what it takes to know what to hide of it.
        let mut read = wanted.clone();
        let beside = masks.iter().flat_map(|(_, how)| how.beside());
        let named = conditions.iter().flat_map(Expr::column_refs);
        let named: Vec<String> = named.map(|column| column.name.clone()).collect();
        for name in beside.map(str::to_owned).chain(named) {
            let place = whole.index_of(&name)?;
            if !read.contains(&place) {
                read.push(place);
            }
        }
        let mut rows = self.all.scan(state, Some(&read), &conditions, None).await?;
        if let Some(condition) = conjunction(conditions) {
            let known = DFSchema::try_from(rows.schema())?;
            let condition = state.create_physical_expr(condition, &known)?;
            rows = Arc::new(FilterExec::try_new(condition, rows)?);
            // The pages that it takes are chosen by it.
            rows = FilterPushdown::new().optimize(rows, state.config_options())?;
        }
        let shown = wanted.iter().map(|place| {
            let how = masks.iter().find(|(masked, _)| masked == place);
            (whole.field(*place).name().clone(), how.map(|(_, how)| *how))
        });
        let shown = shown.collect();
        let schema = Arc::new(whole.project(&wanted)?);
        Ok(Arc::new(SeenExec::new(
            rows,
            schema,
            shown,
            self.names.clone(),
        )))
    }
}

/// What comes of a table that is seen in part. It is an end to whoever improves plans: what they would move down stays
/// above it, and what is below is neither shown nor told of.
#[derive(Debug)]
struct SeenExec {
    rows: Arc<dyn ExecutionPlan>,
    /// By name, and how it is masked.
    shown: Vec<(String, Option<How>)>,
    names: Option<Pseudonyms>,
    properties: Arc<PlanProperties>,
}

impl SeenExec {
    fn new(
        rows: Arc<dyn ExecutionPlan>,
        schema: SchemaRef,
        shown: Vec<(String, Option<How>)>,
        names: Option<Pseudonyms>,
    ) -> SeenExec {
        let partitions = rows.output_partitioning().partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            datafusion::physical_plan::Partitioning::UnknownPartitioning(partitions),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        SeenExec {
            rows,
            shown,
            names,
            properties: Arc::new(properties),
        }
    }
}

fn show(
    batch: &RecordBatch,
    schema: &SchemaRef,
    shown: &[(String, Option<How>)],
    names: Option<&Pseudonyms>,
) -> Result<RecordBatch> {
    let columns = shown.iter().map(|(name, how)| {
        let column = batch.column(batch.schema_ref().index_of(name)?);
        match (how, names) {
            (None, _) => Ok(Arc::clone(column)),
            (Some(how), Some(names)) => {
                let beside = |name: &str| batch.column_by_name(name).cloned();
                how.put(names, column, beside)
            }
            (Some(_), None) => unreachable!("who masks has names"),
        }
    });
    let columns = columns.collect::<Result<Vec<ArrayRef>>>()?;
    let options = arrow::array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    Ok(RecordBatch::try_new_with_options(
        Arc::clone(schema),
        columns,
        &options,
    )?)
}

impl DisplayAs for SeenExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: Vec<&str> = self.shown.iter().map(|(name, _)| name.as_str()).collect();
        write!(f, "SeenExec: columns=[{}]", columns.join(", "))
    }
}

impl ExecutionPlan for SeenExec {
    fn name(&self) -> &'static str {
        "SeenExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn with_new_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let rows = self.rows.execute(partition, context)?;
        let (schema, shown, names) = (self.schema(), self.shown.clone(), self.names.clone());
        let of = Arc::clone(&schema);
        let seen = rows.map(move |batch| show(&batch?, &of, &shown, names.as_ref()));
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, seen)))
    }
}
