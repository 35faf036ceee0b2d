//! The tables of an archive, ready to be asked.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use catwalk_archive::{Archive, TABLES};
use datafusion::common::{ParamValues, ScalarValue};
use datafusion::dataframe::DataFrame;
use datafusion::execution::context::SQLOptions;
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::{Answer, Bounds, Error, NamedQuery, Result};

/// The tables of an archive as they were when it was opened.
#[derive(Clone)]
pub struct Session {
    context: SessionContext,
    bounds: Bounds,
}

impl Session {
    /// Opens an archive. All its tables must be there: what is gone must not be taken for what has no rows.
    pub async fn open(archive: &Archive) -> Result<Session> {
        Session::open_with(archive, Bounds::default()).await
    }

    /// The same with other bounds.
    pub async fn open_with(archive: &Archive, bounds: Bounds) -> Result<Session> {
        let context = context(&bounds)?;
        let mut missing = Vec::new();
        for table in TABLES {
            match archive.table(table).await? {
                Some(delta) => {
                    delta.update_datafusion_session(&context.state())?;
                    let scan = delta.table_provider().build().await?;
                    context.register_table(table.name, Arc::new(scan))?;
                }
                None => missing.push(table.name),
            }
        }
        match missing.as_slice() {
            [] => Ok(Session { context, bounds }),
            missing if missing.len() == TABLES.len() => Err(no_archive(archive)),
            missing => Err(Error::MissingTables {
                location: archive.to_string(),
                tables: missing.join(", "),
            }),
        }
    }

    /// A session over tables that are somewhere else.
    pub fn over(context: SessionContext) -> Session {
        let bounds = Bounds::default();
        bounds.limit_functions(&context);
        Session { context, bounds }
    }

    /// The session of DataFusion, for whoever serves it in another way.
    pub fn context(&self) -> &SessionContext {
        &self.context
    }

    /// Asks in SQL. It can ask only: nothing in the archive is changed by a query.
    pub async fn sql(&self, sql: &str) -> Result<Answer> {
        self.answer(self.plan(sql).await?).await
    }

    /// Asks a named query. Each value is given as text and bound by the type of its parameter.
    pub async fn named(
        &self,
        query: &NamedQuery,
        values: &BTreeMap<String, String>,
    ) -> Result<Answer> {
        self.ask(&query.sql, query.bind(values)?).await
    }

    /// Asks in SQL with `$name` for values.
    pub async fn ask(&self, sql: &str, values: Vec<(String, ScalarValue)>) -> Result<Answer> {
        let values = ParamValues::from(values);
        self.answer(self.plan(sql).await?.with_param_values(values)?)
            .await
    }

    async fn answer(&self, plan: DataFrame) -> Result<Answer> {
        Answer::of(plan, &self.bounds).await
    }

    async fn plan(&self, sql: &str) -> Result<DataFrame> {
        self.bounds.check(sql)?;
        let only_ask = SQLOptions::new()
            .with_allow_ddl(false)
            .with_allow_dml(false)
            .with_allow_statements(false);
        Ok(self.context.sql_with_options(sql, only_ask).await?)
    }
}

/// Says what was looked for, and where it is if it is near.
fn no_archive(archive: &Archive) -> Error {
    let within = archive.folder().map(|folder| folder.join("archive"));
    let is_archive = |folder: &PathBuf| {
        let mut tables = TABLES.into_iter();
        tables.any(|table| folder.join(table.name).join("_delta_log").is_dir())
    };
    Error::NoArchive {
        location: archive.to_string(),
        near: within.filter(is_archive).map_or(String::new(), |folder| {
            format!("; there is one in {}", folder.display())
        }),
    }
}

/// A session of DataFusion as the archive's tables need it.
fn context(bounds: &Bounds) -> Result<SessionContext> {
    let config = SessionConfig::new()
        .with_information_schema(true)
        // Filters are worked out while reading, so that a look-up reads few pages.
        .set_bool("datafusion.execution.parquet.pushdown_filters", true)
        .set_bool("datafusion.execution.parquet.reorder_filters", true)
        // Delta Lake gives the gaming day as a dictionary, with which these two cannot deal yet.
        .set_usize("datafusion.optimizer.hash_join_inlist_pushdown_max_size", 0)
        .set_usize(
            "datafusion.optimizer.hash_join_inlist_pushdown_max_distinct_values",
            0,
        );
    let mut context = SessionContext::new_with_config_rt(config, bounds.runtime()?);
    datafusion_functions_json::register_all(&mut context)?;
    bounds.limit_functions(&context);
    Ok(context)
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").finish_non_exhaustive()
    }
}
