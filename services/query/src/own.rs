//! Batches whose texts are their own.
//!
//! A column of texts is views into buffers, and batches share buffers: after a sort or a join, a batch of a few
//! thousand rows points into the buffers of all the batches that its rows came from. Whoever keeps batches counts the
//! buffers of each in full, so that what is kept would be taken for many times as much as it is, and be refused by the
//! bound of memory. So before batches are kept, texts are copied together that are a small part of their buffers.

use std::fmt;
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray as _, RecordBatch, RecordBatchOptions};
use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode as _, TreeNodeRecursion};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::joins::{
    CrossJoinExec, HashJoinExec, NestedLoopJoinExec, SortMergeJoinExec,
};
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::sorts::sort_preserving_merge::SortPreservingMergeExec;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::windows::{BoundedWindowAggExec, WindowAggExec};
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties,
    ReplaceChildrenOptions,
};
use futures::StreamExt as _;

/// Buffers may hold so many times what of them is pointed at.
const HELD_TIMES: usize = 2;
/// Less than this is not worth a copy.
const HELD_BYTES: usize = 64 << 10;

/// Puts a node that copies texts together before each that keeps batches.
#[derive(Debug)]
pub(crate) struct OwnTexts;

impl PhysicalOptimizerRule for OwnTexts {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let changed = plan.transform_up(|node| {
            let children = node.children().into_iter().enumerate();
            let children =
                children.map(
                    |(place, child)| match keeps(&node, place) && has_views(child) {
                        true => Arc::new(OwnTextsExec(Arc::clone(child))) as Arc<dyn ExecutionPlan>,
                        false => Arc::clone(child),
                    },
                );
            let children: Vec<_> = children.collect();
            if !children.iter().any(|child| child.is::<OwnTextsExec>()) {
                return Ok(Transformed::no(node));
            }
            // What is said of the children is the same as before.
            let same = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Keep);
            Ok(Transformed::yes(node.replace_children(children, same)?))
        });
        Ok(changed?.data)
    }

    fn name(&self) -> &str {
        "own_texts"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Whether a node keeps the batches of one of its children, and counts them.
fn keeps(node: &Arc<dyn ExecutionPlan>, child: usize) -> bool {
    if let Some(sort) = node.downcast_ref::<SortExec>() {
        // The first few rows are kept in a way of their own.
        return sort.fetch().is_none();
    }
    let keeps_left =
        node.is::<HashJoinExec>() || node.is::<CrossJoinExec>() || node.is::<NestedLoopJoinExec>();
    let keeps_all = node.is::<WindowAggExec>()
        || node.is::<BoundedWindowAggExec>()
        || node.is::<SortMergeJoinExec>()
        || node.is::<SortPreservingMergeExec>();
    keeps_all || keeps_left && child == 0
}

fn has_views(node: &Arc<dyn ExecutionPlan>) -> bool {
    let schema = node.schema();
    let mut fields = schema.fields().iter();
    fields.any(|field| *field.data_type() == DataType::Utf8View)
}

/// The batches of another node, with texts of their own.
#[derive(Debug)]
struct OwnTextsExec(Arc<dyn ExecutionPlan>);

fn own(batch: &RecordBatch) -> Result<RecordBatch> {
    let columns = batch.columns().iter().map(own_column).collect();
    let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    Ok(RecordBatch::try_new_with_options(
        batch.schema(),
        columns,
        &rows,
    )?)
}

fn own_column(column: &ArrayRef) -> ArrayRef {
    let Some(texts) = column.as_string_view_opt() else {
        return Arc::clone(column);
    };
    let held: usize = texts
        .data_buffers()
        .iter()
        .map(|buffer| buffer.capacity())
        .sum();
    if held <= HELD_BYTES || held <= HELD_TIMES * texts.total_buffer_bytes_used() {
        return Arc::clone(column);
    }
    Arc::new(texts.gc())
}

impl DisplayAs for OwnTextsExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnTextsExec")
    }
}

impl ExecutionPlan for OwnTextsExec {
    fn name(&self) -> &'static str {
        "OwnTextsExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.0.properties()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.0]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(OwnTextsExec(children.swap_remove(0))))
    }

    fn with_new_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(OwnTextsExec(children.swap_remove(0))))
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let rows = self.0.execute(partition, context)?;
        let owned = rows.map(|batch| own(&batch?));
        Ok(Box::pin(RecordBatchStreamAdapter::new(
            self.schema(),
            owned,
        )))
    }
}
