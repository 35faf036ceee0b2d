//! Joins that end when they are told to.
//!
//! A join may compare rows for hours without giving one of them, and then nobody who waits for it is heard: neither
//! the clock nor whoever breaks it off. So what it compares by looks at both, and what it gives makes room for others.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Schema};
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::ColumnarValue;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::coop::CooperativeExec;
use datafusion::physical_plan::joins::utils::JoinFilter;
use datafusion::physical_plan::joins::{
    CrossJoinExec, HashJoinExec, NestedLoopJoinExec, SortMergeJoinExec,
};

/// Whether a question is still waited for.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    pub(crate) until: Instant,
    pub(crate) is_over: Arc<AtomicBool>,
}

impl Watch {
    /// Has every join of a plan look.
    pub(crate) fn over(&self, plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
        let watched = plan.transform_up(|node| {
            let node = match node.downcast_ref::<NestedLoopJoinExec>() {
                Some(join) => self.within(join)?.unwrap_or(node),
                None => node,
            };
            let is_join = node.is::<NestedLoopJoinExec>()
                || node.is::<CrossJoinExec>()
                || node.is::<HashJoinExec>()
                || node.is::<SortMergeJoinExec>();
            Ok(match is_join {
                true => Transformed::yes(Arc::new(CooperativeExec::new(node)) as _),
                false => Transformed::no(node),
            })
        });
        Ok(watched?.data)
    }

    /// The join that looks whenever it compares; `None` if it compares nothing.
    fn within(&self, join: &NestedLoopJoinExec) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let Some(filter) = join.filter() else {
            return Ok(None);
        };
        let watched = Watched {
            inner: Arc::clone(filter.expression()),
            watch: self.clone(),
        };
        let filter = JoinFilter::new(
            Arc::new(watched),
            filter.column_indices().to_vec(),
            Arc::clone(filter.schema()),
        );
        let projection = join.projection().as_ref();
        let made = NestedLoopJoinExec::try_new(
            Arc::clone(join.left()),
            Arc::clone(join.right()),
            Some(filter),
            join.join_type(),
            projection.map(|projection| projection.to_vec()),
        )?;
        Ok(Some(Arc::new(made)))
    }
}

/// A condition that fails once nobody waits for it.
#[derive(Debug)]
struct Watched {
    inner: Arc<dyn PhysicalExpr>,
    watch: Watch,
}

impl PhysicalExpr for Watched {
    fn data_type(&self, schema: &Schema) -> Result<DataType> {
        self.inner.data_type(schema)
    }

    fn nullable(&self, schema: &Schema) -> Result<bool> {
        self.inner.nullable(schema)
    }

    fn evaluate(&self, batch: &RecordBatch) -> Result<ColumnarValue> {
        if self.watch.is_over.load(Ordering::Relaxed) {
            return exec_err!("the question was broken off");
        }
        if Instant::now() >= self.watch.until {
            return exec_err!("it takes longer than the bound time allows");
        }
        self.inner.evaluate(batch)
    }

    fn children(&self) -> Vec<&Arc<dyn PhysicalExpr>> {
        vec![&self.inner]
    }

    fn with_new_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn PhysicalExpr>>,
    ) -> Result<Arc<dyn PhysicalExpr>> {
        let inner = children.pop().unwrap_or_else(|| Arc::clone(&self.inner));
        let watch = self.watch.clone();
        Ok(Arc::new(Watched { inner, watch }))
    }

    fn fmt_sql(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt_sql(f)
    }
}

impl fmt::Display for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl PartialEq for Watched {
    fn eq(&self, other: &Watched) -> bool {
        self.inner.as_ref() == other.inner.as_ref()
    }
}

impl Eq for Watched {}

impl Hash for Watched {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.inner.hash(state);
    }
}
