//! What each wager is worth, beside the tables of the archive: the table `edges` and the view `wagers_theo`.
//!
//! An edge is worked out from the rules, which this crate does not know: whoever has them tells the edges to a
//! session. A session of an archive that was told none has no such table: no edge must not be taken for no luck.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::catalog::TableProvider;
use datafusion::datasource::MemTable;
use datafusion::prelude::SessionContext;
use serde::{Deserialize, Serialize};

use crate::Result;

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

/// Has a session answer from these edges, and from no others.
pub(crate) fn register(context: &SessionContext, edges: &[Edge]) -> Result<()> {
    let texts = |name: &str, nullable| Field::new(name, DataType::Utf8, nullable);
    let numbers = |name: &str| Field::new(name, DataType::Float64, true);
    let fields: Vec<FieldRef> = [
        texts("game", false),
        texts("edition", false),
        texts("options", false),
        texts("kind", false),
        texts("choice", true),
        numbers("house_edge"),
        numbers("variance"),
        numbers("won"),
        numbers("win_rate"),
        texts("basis", false),
        texts("exact", true),
        texts("rules", false),
    ]
    .map(Arc::new)
    .to_vec();
    let batch: RecordBatch = serde_arrow::to_record_batch(&fields, &edges)?;
    let table = MemTable::try_new(batch.schema(), vec![vec![batch]])?;
    replace(context, EDGES, Arc::new(table))
}

/// A session may be told of edges several times: what it was told before is gone.
fn replace(context: &SessionContext, name: &str, table: Arc<dyn TableProvider>) -> Result<()> {
    context.deregister_table(name)?;
    context.register_table(name, table)?;
    Ok(())
}

/// The view on the wagers of a session that has tables.
pub(crate) async fn view(context: &SessionContext) -> Result<()> {
    let plan = context.sql(WAGERS_THEO).await?;
    replace(context, THEO, plan.into_view())
}
