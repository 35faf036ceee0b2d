//! What can go wrong with a query.

use catwalk_archive::TABLES;
use catwalk_hands::refusal::Refusal;
use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::parser::ParserError;

use crate::bounds::too_deep;
use crate::edges;
use crate::named::HeaderError;

/// What can go wrong with a query.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The name is none of a query; the text says which may have been meant.
    #[error("{0}")]
    UnknownQuery(String),

    /// A file of named queries does not read.
    #[error(transparent)]
    Header(#[from] HeaderError),

    /// The query has no such parameter; the text says which may have been meant.
    #[error("{0}")]
    UnknownParameter(String),

    /// All that are missing, each with its type and its meaning.
    #[error("query {query} needs {missing}")]
    MissingParameters { query: String, missing: String },

    /// The archive has no such table; the text says which may have been meant.
    #[error("{0}")]
    UnknownTable(String),

    /// What wagers are worth is worked out from the rules, and nobody has done so for this session.
    #[error(
        "what wagers are worth (table {0}) is not worked out here: ask at the command line, with `catwalk query`"
    )]
    WithoutEdges(String),

    #[error("the workbook cannot be written: {0}")]
    Workbook(String),

    #[error("{name}: {value:?} is not {kind}")]
    ParameterValue {
        name: String,
        value: String,
        kind: &'static str,
    },

    #[error(
        "there is no archive in {location}, where the tables of one were looked for{near}: \
         give its folder or URL with --archive"
    )]
    NoArchive { location: String, near: String },

    #[error(
        "the archive in {location} has no {tables}: an archiver makes the tables that are missing \
         (`catwalk up`), but rows that were lost do not come back by it"
    )]
    MissingTables { location: String, tables: String },

    /// Without a record there is no answer.
    #[error("the question was not answered, because it cannot be put on record: {0}")]
    NotOnRecord(String),

    /// The question asks for more than it may.
    #[error("{what} than the bound {bound} allows, which is {limit}")]
    Beyond {
        bound: &'static str,
        limit: String,
        what: String,
    },

    /// The query is wrong, or failed: in one line, as DataFusion tells it.
    #[error("{0}")]
    Sql(String),

    /// Memory or disk: in one line, as DataFusion tells it.
    #[error("it needs more than the bound {bound} allows: {told}")]
    Exhausted { bound: &'static str, told: String },

    #[error(transparent)]
    Archive(#[from] catwalk_archive::Error),

    #[error(transparent)]
    Arrow(#[from] arrow::error::ArrowError),

    #[error(transparent)]
    Parquet(#[from] parquet::errors::ParquetError),

    /// A row of an answer has not the form that was asked for.
    #[error(transparent)]
    Row(#[from] serde_arrow::Error),
}

/// How DataFusion tells it.
const DISK_IS_FULL: &str = "used disk space during the spilling";

impl From<DataFusionError> for Error {
    fn from(error: DataFusionError) -> Error {
        // Without its wrapping, and without the lines of a long list of columns.
        let root = error.find_root();
        let told = root.strip_backtrace();
        let words: Vec<&str> = told.split_whitespace().collect();
        let told = words.join(" ");
        if let DataFusionError::Plan(told) = root
            && let Some(named) = told.strip_prefix("table '")
            && let Some((name, "not found")) = named.split_once("' ")
        {
            let name = name.rsplit('.').next().unwrap_or(name);
            if edges::TABLES.contains(&name) {
                return Error::WithoutEdges(name.to_owned());
            }
            let known = TABLES.map(|table| table.name);
            let refusal = Refusal::unknown("", name, "a table of the archive", &known);
            return Error::UnknownTable(refusal.to_string());
        }
        match root {
            DataFusionError::SQL(error, _) if **error == ParserError::RecursionLimitExceeded => {
                too_deep()
            }
            // What is held in memory goes to the disk where it can: that is full last. Who writes there may tell it
            // as a fault of his own.
            _ if told.contains(DISK_IS_FULL) => Error::Exhausted {
                bound: "disk_bytes",
                told,
            },
            DataFusionError::ResourcesExhausted(_) => Error::Exhausted {
                bound: "memory_bytes",
                told,
            },
            _ => Error::Sql(told),
        }
    }
}
