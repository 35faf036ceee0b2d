//! What can go wrong with a report.

/// What can go wrong with a report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The name is none of a report; the text says which may have been meant.
    #[error("{0}")]
    Unknown(String),

    #[error("{0}")]
    Period(String),

    #[error(transparent)]
    Query(#[from] catwalk_query::Error),

    #[error(transparent)]
    Arrow(#[from] arrow::error::ArrowError),

    #[error("the workbook cannot be written: {0}")]
    Workbook(#[from] rust_xlsxwriter::XlsxError),

    #[error(transparent)]
    Odds(#[from] catwalk_odds::OddsError),

    #[error(transparent)]
    Write(#[from] std::io::Error),
}
