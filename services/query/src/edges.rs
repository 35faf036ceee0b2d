//! What each wager is worth, beside the tables of the archive: the table `edges` and the view `wagers_theo`.
//!
//! An edge is worked out from the rules, which this crate does not know: whoever has them tells the edges to a
//! session, or works them out when somebody asks ([`Worth`]). A session of an archive that was told none has no such
//! table: no edge must not be taken for no luck.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DataFusionError, Result as DataResult};
use datafusion::datasource::MemTable;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::logical_expr::{Expr, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::{SessionConfig, SessionContext};
use serde::{Deserialize, Serialize};
use tokio::sync::OnceCell;

use crate::Result;
use crate::session::defined;

/// Whoever has the rules.
pub trait Worth: fmt::Debug + Send + Sync {
    /// What each wager is worth at tables that post these options; nothing where the rules do not know them. It may
    /// take its time.
    fn edges(&self, game: &str, edition: &str, options: &str) -> Vec<Edge>;
}

/// The theoretical win of wagers, made from these.
const WAGERS_THEO: &str = include_str!("../../../queries/views/wagers_theo.sql");
const EDGES: &str = "edges";
const THEO: &str = "wagers_theo";
/// What only a session has that was told edges.
pub(crate) const TABLES: [&str; 2] = [EDGES, THEO];

/// What a wager is worth at tables with the same rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    pub game: String,
    pub edition: String,
    /// What the table posts, in the words of `rounds`.
    pub options: String,
    pub kind: String,
    /// The number that it is on, where the edges of the numbers differ.
    pub choice: Option<String>,
    /// What the house keeps of the first stake, on average; `None` where no figure stands behind it.
    pub house_edge: Option<f64>,
    /// Of the result, in first stakes squared.
    pub variance: Option<f64>,
    /// What is won beyond the stake, on average.
    pub won: Option<f64>,
    /// How often it wins.
    pub win_rate: Option<f64>,
    /// On what the figures stand.
    pub basis: String,
    /// The edge as a fraction.
    pub exact: Option<String>,
    /// Hash of the rules that settled.
    pub rules: String,
}

/// The columns of the table, and what they mean.
const COLUMNS: [(&str, DataType, bool, &str); 12] = [
    ("game", DataType::Utf8, false, "The game."),
    (
        "edition",
        DataType::Utf8,
        false,
        "The edition of its rules.",
    ),
    (
        "options",
        DataType::Utf8,
        false,
        "What the table posts, as in rounds.",
    ),
    ("kind", DataType::Utf8, false, "The kind of wager."),
    (
        "choice",
        DataType::Utf8,
        true,
        "The number that it is on, where those differ.",
    ),
    (
        "house_edge",
        DataType::Float64,
        true,
        "What the house keeps of the first stake, on average.",
    ),
    (
        "variance",
        DataType::Float64,
        true,
        "Of the result, in first stakes squared.",
    ),
    (
        "won",
        DataType::Float64,
        true,
        "What is won beyond the stake, on average.",
    ),
    ("win_rate", DataType::Float64, true, "How often it wins."),
    ("basis", DataType::Utf8, false, "On what the figures stand."),
    ("exact", DataType::Utf8, true, "The edge as a fraction."),
    (
        "rules",
        DataType::Utf8,
        false,
        "Hash of the rules that settled.",
    ),
];

/// The tables of the archive that the table, or the view, is made of; the rules do not change while a program runs.
pub(crate) fn made_of(name: &str) -> Option<&'static [&'static str]> {
    match name {
        EDGES => Some(&["rounds"]),
        THEO => Some(&["rounds", "wagers"]),
        _ => None,
    }
}

/// What the table, or the view, tells.
pub(crate) fn meaning(name: &str) -> Option<&'static str> {
    match name {
        EDGES => Some(
            "What each kind of wager is worth, at tables that post the same: worked out from the rules.",
        ),
        THEO => Some("The wagers with the house edge of each, and the theoretical win by it."),
        _ => None,
    }
}

/// What a column of the two tells, where it is none of another table's.
pub(crate) fn meaning_of_column(name: &str) -> Option<&'static str> {
    if name == "theo_cents" {
        return Some("The theoretical win, with its fraction. In cents.");
    }
    let column = COLUMNS.iter().find(|(own, ..)| *own == name);
    column.map(|(.., meaning)| *meaning)
}

fn fields() -> Vec<FieldRef> {
    let fields = COLUMNS.iter();
    fields
        .map(|(name, kind, is_nullable, _)| Arc::new(Field::new(*name, kind.clone(), *is_nullable)))
        .collect()
}

fn table(edges: &[Edge]) -> Result<MemTable> {
    let batch: RecordBatch = serde_arrow::to_record_batch(&fields(), &edges)?;
    Ok(MemTable::try_new(batch.schema(), vec![vec![batch]])?)
}

/// Has a session answer from these edges, and from no others.
pub(crate) fn register(context: &SessionContext, edges: &[Edge]) -> Result<()> {
    replace(context, EDGES, Arc::new(table(edges)?))
}

/// Has a session that has rounds and wagers work out what those are worth that it shows, once it is asked.
pub(crate) async fn work_out(
    context: &SessionContext,
    worth: &Arc<dyn Worth>,
    runtime: &Arc<RuntimeEnv>,
) -> Result<()> {
    if !context.table_exist("rounds")? || !context.table_exist("wagers")? {
        return Ok(());
    }
    let edges = WorkedOut {
        schema: Arc::new(Schema::new(fields())),
        rounds: context.table_provider("rounds").await?,
        worth: Arc::clone(worth),
        runtime: Arc::clone(runtime),
        found: OnceCell::new(),
    };
    replace(context, EDGES, Arc::new(edges))?;
    view(context).await
}

/// Whether a session works out by itself what wagers are worth.
pub(crate) async fn are_worked_out(context: &SessionContext) -> bool {
    let edges = context.table_provider(EDGES).await;
    edges.is_ok_and(|edges| (edges.as_ref() as &dyn Any).is::<WorkedOut>())
}

/// Edges of the rounds that somebody sees.
#[derive(Debug)]
struct WorkedOut {
    schema: SchemaRef,
    rounds: Arc<dyn TableProvider>,
    worth: Arc<dyn Worth>,
    runtime: Arc<RuntimeEnv>,
    found: OnceCell<MemTable>,
}

/// What a table posted.
#[derive(Deserialize)]
struct Posted {
    game: String,
    edition: String,
    options: String,
}

impl WorkedOut {
    async fn find(&self) -> Result<MemTable> {
        let runtime = Arc::clone(&self.runtime);
        let context = SessionContext::new_with_config_rt(SessionConfig::new(), runtime);
        context.register_table("rounds", Arc::clone(&self.rounds))?;
        let asked = "SELECT DISTINCT game, edition, options FROM rounds WHERE game <> 'poker' \
            ORDER BY game, edition, options";
        let mut posted: Vec<Posted> = Vec::new();
        for batch in context.sql(asked).await?.collect().await? {
            posted.extend(serde_arrow::from_record_batch::<Vec<Posted>>(&batch)?);
        }
        let worth = Arc::clone(&self.worth);
        let edges = tokio::task::spawn_blocking(move || {
            let posted = posted.iter();
            posted
                .flat_map(|one| worth.edges(&one.game, &one.edition, &one.options))
                .collect::<Vec<Edge>>()
        });
        let edges = edges
            .await
            .map_err(|error| DataFusionError::External(Box::new(error)))?;
        table(&edges)
    }
}

#[async_trait]
impl TableProvider for WorkedOut {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> DataResult<Arc<dyn ExecutionPlan>> {
        let found = self.found.get_or_try_init(|| async {
            let found = self.find().await;
            found.map_err(|error| DataFusionError::External(Box::new(error)))
        });
        found.await?.scan(state, projection, filters, limit).await
    }
}

/// A session may be told of edges several times: what it was told before is gone.
fn replace(context: &SessionContext, name: &str, table: Arc<dyn TableProvider>) -> Result<()> {
    context.deregister_table(name)?;
    context.register_table(name, table)?;
    Ok(())
}

/// The view on the wagers of a session that has tables.
pub(crate) async fn view(context: &SessionContext) -> Result<()> {
    let view = defined(context, WAGERS_THEO).await?;
    replace(context, THEO, view)
}
