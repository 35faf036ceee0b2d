//! The tables of an archive, ready to be asked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use catwalk_archive::{Archive, TABLES, Table, TableVersion, Tables};
use catwalk_web::Caller;
use datafusion::catalog::{
    CatalogProvider as _, MemoryCatalogProvider, MemoryCatalogProviderList, MemorySchemaProvider,
    SchemaProvider as _, TableProvider,
};
use datafusion::common::config::Dialect;
use datafusion::common::{ParamValues, ScalarValue};
use datafusion::dataframe::DataFrame;
use datafusion::datasource::MemTable;
use datafusion::datasource::ViewTable;
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::context::SQLOptions;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion::sql::parser::{DFParser, Statement};
use datafusion::sql::sqlparser::ast;
use datafusion::sql::sqlparser::dialect::PostgreSqlDialect;

use crate::own::OwnTexts;
use crate::scan::{ArchiveTable, Looks};
use crate::{
    Answer, Bounds, Catalogue, Edge, Error, Most, NamedQuery, ReadingRoom, Result, chances, edges,
    rates,
};

/// The table of looks.
const ACCESS: &str = "access";

/// The tables of an archive as they were when it was opened, at versions that belong together.
#[derive(Clone)]
pub struct Session {
    context: SessionContext,
    bounds: Bounds,
    versions: Vec<Arc<TableVersion>>,
    given: Arc<AtomicU64>,
    /// Its questions are not waited for any more.
    is_over: Arc<AtomicBool>,
}

impl Session {
    /// Opens an archive. All its tables must be there: what is gone must not be taken for what has no rows.
    pub async fn open(archive: &Archive) -> Result<Session> {
        ReadingRoom::open(archive, Bounds::default())?
            .session()
            .await
    }

    /// A session over tables of an archive, whose files the runtime finds.
    pub(crate) fn of(
        archive: &Archive,
        tables: &Tables,
        bounds: &Bounds,
        runtime: &Arc<RuntimeEnv>,
    ) -> Result<Session> {
        Session::with_tables(archive, tables, bounds, runtime, &Shape::own())
    }

    /// The same in a shape that others expect, and without what is hidden.
    pub(crate) fn with_tables(
        archive: &Archive,
        tables: &Tables,
        bounds: &Bounds,
        runtime: &Arc<RuntimeEnv>,
        shape: &Shape,
    ) -> Result<Session> {
        match tables.missing.as_slice() {
            [] => {}
            missing if missing.len() == TABLES.len() => return Err(no_archive(archive)),
            missing => {
                return Err(Error::MissingTables {
                    location: archive.to_string(),
                    tables: missing.join(", "),
                });
            }
        }
        let context = context(bounds, runtime, shape)?;
        for version in &tables.found {
            if let Some(table) = Table::named(&version.table) {
                let at = ArchiveTable::at(table, Arc::clone(version));
                register(&context, archive, table, at, &shape.catalogue)?;
            }
        }
        for name in &tables.unfilled {
            if let Some(table) = Table::named(name) {
                let unfilled = ArchiveTable::unfilled(table);
                register(&context, archive, table, unfilled, &shape.catalogue)?;
            }
        }
        Ok(Session {
            context,
            bounds: bounds.clone(),
            versions: tables.found.clone(),
            given: Arc::default(),
            is_over: Arc::default(),
        })
    }

    /// The versions of the tables that it answers from.
    pub fn versions(&self) -> &[Arc<TableVersion>] {
        &self.versions
    }

    /// The versions that an answer hangs on: those of the tables that a question names, of all where it names what is
    /// none of them. Looks are on record in the archive too, so that one version or another is always new.
    pub fn versions_of(&self, sql: &str) -> Result<BTreeMap<String, u64>> {
        let state = self.context.state();
        let statement = state.sql_to_statement(sql, &Dialect::PostgreSQL)?;
        let mut named = BTreeSet::new();
        for reference in state.resolve_table_references(&statement)? {
            match edges::made_of(reference.table()) {
                Some(tables) => named.extend(tables.iter().map(|table| (*table).to_owned())),
                None => drop(named.insert(reference.table().to_owned())),
            }
        }
        let every = self.versions.iter();
        let every = every.map(|at| (at.table.clone(), at.version));
        let of_all: BTreeMap<String, u64> = every.collect();
        if named.iter().any(|table| !of_all.contains_key(table)) {
            return Ok(of_all);
        }
        let is_named = |(table, _): &(String, u64)| named.contains(table);
        Ok(of_all.into_iter().filter(is_named).collect())
    }

    /// How many rows it has given so far.
    pub fn given(&self) -> u64 {
        self.given.load(Ordering::Relaxed)
    }

    /// A session without tables, within bounds.
    pub fn bounded(bounds: Bounds) -> Result<Session> {
        let context = context(&bounds, &bounds.runtime()?, &Shape::own())?;
        Ok(Session {
            context,
            bounds,
            versions: Vec::new(),
            given: Arc::default(),
            is_over: Arc::default(),
        })
    }

    /// A session over tables that are somewhere else.
    pub fn over(mut context: SessionContext) -> Session {
        let bounds = Bounds::default();
        // What could not be registered is not there for whoever names it.
        let _ = as_postgres(&mut context);
        bounds.limit_functions(&context);
        rates::register(&context);
        chances::register(&context);
        if context.table_exist("edges").is_ok_and(|exists| !exists) {
            let _ = edges::register(&context, &[]);
        }
        Session {
            context,
            bounds,
            versions: Vec::new(),
            given: Arc::default(),
            is_over: Arc::default(),
        }
    }

    /// Whether it works out by itself what wagers are worth.
    pub async fn knows_worth(&self) -> bool {
        edges::are_worked_out(&self.context).await
    }

    /// Has it answer from these edges, and from no others.
    pub async fn tell_edges(&self, edges: &[Edge]) -> Result<()> {
        edges::register(&self.context, edges)?;
        edges::view(&self.context).await
    }

    /// The same with tables of one's own beside those of the archive, for whoever asks much of what was asked before.
    pub async fn beside(&self, own: &[(&str, &SchemaRef, &[RecordBatch])]) -> Result<Session> {
        let state = SessionStateBuilder::new_from_existing(self.context.state());
        let state = state.with_catalog_list(Arc::new(MemoryCatalogProviderList::new()));
        let state = state.build();
        let catalog = &state.config().options().catalog;
        let (name, schema) = (&catalog.default_catalog, &catalog.default_schema);
        let tables = Arc::new(MemorySchemaProvider::new());
        for version in &self.versions {
            let table = &version.table;
            if self.context.table_exist(table)? {
                tables.register_table(table.clone(), self.context.table_provider(table).await?)?;
            }
        }
        for (name, schema, rows) in own {
            let table = MemTable::try_new(Arc::clone(schema), vec![rows.to_vec()])?;
            tables.register_table((*name).to_owned(), Arc::new(table))?;
        }
        let database = MemoryCatalogProvider::new();
        database.register_schema(schema, tables)?;
        state
            .catalog_list()
            .register_catalog(name.clone(), Arc::new(database));
        let mut session = self.clone();
        session.context = SessionContext::new_with_state(state);
        Ok(session)
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
        let values = ParamValues::from(query.bind(values)?);
        self.answer(self.plan_named(query).await?.with_param_values(values)?)
            .await
    }

    /// Plans a named query, without its values: by whatever door, its numbers are read as at the command line.
    pub(crate) async fn plan_named(&self, query: &NamedQuery) -> Result<DataFrame> {
        self.bounds.check(&query.sql)?;
        let mut state = self.context.state();
        let options = state.config_mut().options_mut();
        options.sql_parser.parse_float_as_decimal = false;
        let plan = state.create_logical_plan(&query.sql).await?;
        only_ask().verify_plan(&plan)?;
        Ok(DataFrame::new(state, plan))
    }

    /// Asks in SQL with `$name` for values.
    pub async fn ask(&self, sql: &str, values: Vec<(String, ScalarValue)>) -> Result<Answer> {
        let values = ParamValues::from(values);
        self.answer(self.plan(sql).await?.with_param_values(values)?)
            .await
    }

    async fn answer(&self, plan: DataFrame) -> Result<Answer> {
        Answer::of(plan, &self.bounds, &self.given, &self.is_over).await
    }

    /// A session whose question may take no longer than this, and what breaks that off.
    pub(crate) fn within(&self, time: Duration) -> (Session, Arc<AtomicBool>) {
        let is_over = Arc::default();
        (self.until(time, &is_over), is_over)
    }

    /// The same with what breaks it off.
    pub(crate) fn until(&self, time: Duration, is_over: &Arc<AtomicBool>) -> Session {
        let mut session = self.clone();
        session.is_over = Arc::clone(is_over);
        session.bounds.time = session.bounds.time.min(time);
        session
    }

    /// The same with answers that are no larger than whoever asks may have.
    pub(crate) fn at_most(mut self, most: &Most, caller: &Caller) -> Session {
        self.bounds.rows = most.rows_for(caller);
        self.bounds.answer_bytes = most.bytes;
        self
    }

    /// Plans one statement, once it was changed; it can ask only.
    pub(crate) async fn plan_changed(
        &self,
        sql: &str,
        change: impl FnOnce(&mut ast::Statement),
    ) -> Result<DataFrame> {
        self.bounds.check(sql)?;
        let parsed = DFParser::parse_sql_with_dialect(sql, &PostgreSqlDialect {});
        let mut statements = parsed?;
        let (Some(mut statement), None) = (statements.pop_front(), statements.pop_front()) else {
            return Err(Error::Sql("one statement is expected".to_owned()));
        };
        if let Statement::Statement(statement) = &mut statement {
            change(statement);
        }
        let state = self.context.state();
        let plan = state.statement_to_plan(statement).await?;
        only_ask().verify_plan(&plan)?;
        Ok(DataFrame::new(state, plan))
    }

    /// Answers what was planned.
    pub(crate) async fn give(&self, plan: DataFrame) -> Result<Answer> {
        self.answer(plan).await
    }

    async fn plan(&self, sql: &str) -> Result<DataFrame> {
        self.bounds.check(sql)?;
        // One copy of the state, with all its functions, for the plan and for its answer.
        let state = self.context.state();
        let plan = state.create_logical_plan(sql).await?;
        only_ask().verify_plan(&plan)?;
        Ok(DataFrame::new(state, plan))
    }
}

/// Nothing in the archive is changed by a question, and nothing around it.
fn only_ask() -> SQLOptions {
    SQLOptions::new()
        .with_allow_ddl(false)
        .with_allow_dml(false)
        .with_allow_statements(false)
}

/// How a session looks from outside.
pub(crate) struct Shape {
    pub(crate) database: &'static str,
    /// As DataFusion has it, with its own information schema; else as PostgreSQL.
    pub(crate) is_plain: bool,
    pub(crate) catalogue: Catalogue,
}

impl Shape {
    fn own() -> Shape {
        Shape::plain(Catalogue::everything())
    }

    /// As the command line has it.
    pub(crate) fn plain(catalogue: Catalogue) -> Shape {
        Shape {
            database: "datafusion",
            is_plain: true,
            catalogue,
        }
    }
}

/// Looks that are on record beside the tables belong to theirs.
fn register(
    context: &SessionContext,
    archive: &Archive,
    table: &'static Table,
    archived: ArchiveTable,
    catalogue: &Catalogue,
) -> Result<()> {
    if !catalogue.has(table) {
        return Ok(());
    }
    let provider: Arc<dyn TableProvider> = match table.name {
        ACCESS => Arc::new(Looks {
            archived,
            archive: archive.clone(),
        }),
        _ => Arc::new(archived),
    };
    context.register_table(table.name, catalogue.seen(table, provider))?;
    Ok(())
}

/// A view of what is asked by a text, which it tells to whoever asks how it is made.
pub(crate) async fn defined(context: &SessionContext, sql: &str) -> Result<Arc<ViewTable>> {
    let plan = context.sql(sql).await?.into_unoptimized_plan();
    let lines = sql.lines().filter(|line| !line.starts_with("--"));
    let text = lines.collect::<Vec<_>>().join("\n");
    Ok(Arc::new(ViewTable::new(plan, Some(text))))
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

/// Has SQL read as PostgreSQL does: in `body->>'x' = 'y'`, the arrow binds before the comparison.
fn as_postgres(context: &mut SessionContext) -> Result<()> {
    let state = context.state_ref();
    let mut state = state.write();
    state.config_mut().options_mut().sql_parser.dialect = Dialect::PostgreSQL;
    drop(state);
    Ok(datafusion_functions_json::register_all(context)?)
}

/// A session of DataFusion as the archive's tables need it.
fn context(bounds: &Bounds, runtime: &Arc<RuntimeEnv>, shape: &Shape) -> Result<SessionContext> {
    let mut config = SessionConfig::new()
        .with_default_catalog_and_schema(shape.database, "public")
        .with_information_schema(shape.is_plain)
        // Filters are worked out while reading, so that a look-up reads few pages.
        .set_bool("datafusion.execution.parquet.pushdown_filters", true)
        .set_bool("datafusion.execution.parquet.reorder_filters", true);
    if !shape.is_plain {
        // As PostgreSQL reads it: 0.1 is a number with digits, and a moment with a zone keeps it.
        config = config
            .set_bool("datafusion.sql_parser.parse_float_as_decimal", true)
            .set_str("datafusion.execution.time_zone", "UTC");
    }
    let mut rules = PhysicalOptimizer::new().rules;
    // The last: no other rule looks at what it puts in.
    rules.push(Arc::new(OwnTexts));
    let state = SessionStateBuilder::new()
        .with_config(config)
        .with_runtime_env(Arc::clone(runtime))
        .with_default_features()
        .with_physical_optimizer_rules(rules)
        .build();
    let mut context = SessionContext::new_with_state(state);
    as_postgres(&mut context)?;
    bounds.limit_functions(&context);
    rates::register(&context);
    chances::register(&context);
    Ok(context)
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").finish_non_exhaustive()
    }
}
