//! What can go wrong with a query.

use datafusion::error::DataFusionError;

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

    #[error("query {query} needs {name}, {kind}: {meaning}")]
    MissingParameter {
        query: String,
        name: String,
        kind: &'static str,
        meaning: String,
    },

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
    #[error("it needs more than the bounds memory_bytes and disk_bytes allow: {0}")]
    Exhausted(String),

    #[error(transparent)]
    Archive(#[from] catwalk_archive::Error),

    #[error(transparent)]
    Delta(#[from] deltalake::DeltaTableError),

    #[error(transparent)]
    Arrow(#[from] arrow::error::ArrowError),

    #[error(transparent)]
    Parquet(#[from] parquet::errors::ParquetError),

    /// A row of an answer has not the form that was asked for.
    #[error(transparent)]
    Row(#[from] serde_arrow::Error),
}

impl From<DataFusionError> for Error {
    fn from(error: DataFusionError) -> Error {
        // Without its wrapping, and without the lines of a long list of columns.
        let root = error.find_root();
        let told = root.strip_backtrace();
        let words: Vec<&str> = told.split_whitespace().collect();
        let told = words.join(" ");
        match root {
            DataFusionError::ResourcesExhausted(_) => Error::Exhausted(told),
            _ => Error::Sql(told),
        }
    }
}
