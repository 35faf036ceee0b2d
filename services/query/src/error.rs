//! What can go wrong with a query.

use datafusion::error::DataFusionError;

/// What can go wrong with a query.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The name is none of a query; the text says which may have been meant.
    #[error("{0}")]
    UnknownQuery(String),

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

    #[error("there is no archive in {location}: give its folder or URL with --archive")]
    NoArchive { location: String },

    /// The query is wrong, or failed.
    #[error("{}", one_line(.0))]
    Sql(#[from] DataFusionError),

    #[error("{0}")]
    Archive(#[from] catwalk_archive::Error),

    #[error("Delta Lake: {0}")]
    Delta(#[from] deltalake::DeltaTableError),

    #[error("the answer cannot be written: {0}")]
    Arrow(#[from] arrow::error::ArrowError),

    #[error("the answer cannot be written as Parquet: {0}")]
    Parquet(#[from] parquet::errors::ParquetError),

    #[error("a row of the archive cannot be read: {0}")]
    Row(#[from] serde_arrow::Error),

    #[error("{0}")]
    Io(#[from] std::io::Error),
}

/// An error as DataFusion tells it, without its wrapping.
fn one_line(error: &DataFusionError) -> String {
    let told = error.find_root().strip_backtrace();
    let told: Vec<&str> = told.split_whitespace().collect();
    told.join(" ")
}
