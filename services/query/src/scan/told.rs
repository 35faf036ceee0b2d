//! A scan as a text that another machine can run: which rows of which version of a table.

use std::sync::Arc;

use catwalk_archive::{Table, TableVersion};
use datafusion::common::{DFSchema, Result, plan_err};
use datafusion::logical_expr::{Expr, LogicalPlanBuilder};
use datafusion::prelude::{DataFrame, SessionContext};
use datafusion::sql::unparser::expr_to_sql;
use serde::{Deserialize, Serialize};

use super::ArchiveTable;
use crate::Session;

/// Rows of a table at one version. What is written down by one machine and read by another gives the same rows there,
/// whatever has been archived or compacted since, as long as the files are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToldScan {
    pub version: TableVersion,
    /// The columns in the order that they are asked in.
    pub columns: Vec<String>,
    /// Conditions in SQL; a row must fit all of them.
    pub filters: Vec<String>,
    pub limit: Option<usize>,
}

impl ToldScan {
    /// Tells a scan of a version of a table.
    ///
    /// # Errors
    /// If a condition cannot be told: without it there would be other rows.
    pub fn of(
        version: TableVersion,
        columns: &[&str],
        filters: &[Expr],
        limit: Option<usize>,
    ) -> crate::Result<ToldScan> {
        let filters = filters
            .iter()
            .map(|filter| Ok(expr_to_sql(filter)?.to_string()));
        Ok(ToldScan {
            version,
            columns: columns.iter().map(|name| (*name).to_owned()).collect(),
            filters: filters.collect::<Result<_>>()?,
            limit,
        })
    }

    /// The rows, read by way of a session of the same archive.
    pub fn rows(&self, session: &Session) -> crate::Result<DataFrame> {
        Ok(self.plan(session.context())?)
    }

    fn plan(&self, context: &SessionContext) -> Result<DataFrame> {
        let Some(table) = Table::named(&self.version.table) else {
            return plan_err!("the archive has no table {:?}", self.version.table);
        };
        let version = Arc::new(self.version.clone());
        let scan = context.read_table(Arc::new(ArchiveTable::at(table, version)))?;
        let known: DFSchema = scan.schema().clone();
        let mut plan = LogicalPlanBuilder::from(scan.into_unoptimized_plan());
        for filter in &self.filters {
            plan = plan.filter(context.parse_sql_expr(filter, &known)?)?;
        }
        let columns = self.columns.iter().map(datafusion::prelude::ident);
        let plan = plan.project(columns)?.limit(0, self.limit)?.build()?;
        Ok(DataFrame::new(context.state(), plan))
    }
}
