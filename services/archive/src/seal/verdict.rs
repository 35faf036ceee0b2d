//! What is asked of a verification, and what comes out.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use catwalk_proof::note::{Note, VerifyingKey};

use crate::{DataFile, Table};

/// Whom to believe.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// Keys of the house that came from elsewhere. Without any, the first of the archive is taken at its word.
    pub keys: Vec<VerifyingKey>,
    /// Heads that were seen earlier: the archive must extend them.
    pub heads: Vec<Note>,
    /// Where the trees are, if not beside the tables.
    pub folder: Option<std::path::PathBuf>,
    /// How long rows that are not sealed yet are waited for: an archiver may be at work.
    pub patience: Duration,
}

/// Which rows to check; all, unless said otherwise.
#[derive(Clone, Debug, Default)]
pub struct Which {
    pub table: Option<&'static Table>,
    /// The first and the last gaming day.
    pub since: Option<String>,
    pub until: Option<String>,
}

impl Which {
    pub(super) fn is_all(&self) -> bool {
        self.table.is_none() && self.since.is_none() && self.until.is_none()
    }

    pub(super) fn holds(&self, table: &str, file: &DataFile) -> bool {
        let day = file.gaming_day.as_deref().unwrap_or_default();
        self.table.is_none_or(|only| only.name == table)
            && self.since.as_deref().is_none_or(|since| day >= since)
            && self.until.as_deref().is_none_or(|until| day <= until)
    }
}

/// Something that does not match, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Wrong {
    pub what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Counted from 1 within the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u64>,
    /// The bytes of the file in which it lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<std::ops::Range<u64>>,
    /// Of the event, the finding or the round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lane: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaf: Option<u64>,
}

/// What was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Checked {
    pub trees: u64,
    pub leaves: u64,
    pub tiles: u64,
    pub heads: u64,
    pub files: u64,
    pub bytes: u64,
    pub rows: u64,
    /// Leaves whose rows were erased on record.
    pub erased: u64,
    /// Rows from before the archive was sealed: nothing is said of them.
    pub before: u64,
}

/// How far a tree is held by heads from elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Standing {
    pub lane: u32,
    pub leaves: u64,
    /// So many of them are under a head that was given; what comes after could have been cut off unseen.
    pub held: Option<u64>,
}

/// Rows that went away by law, and by whom: their leaves stand without them.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct OnRecord {
    /// Microseconds since 1970.
    pub at: i64,
    pub operator: String,
    pub authority: String,
    pub rows: u64,
}

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    pub checked: Checked,
    pub trees: Vec<Standing>,
    pub erasures: Vec<OnRecord>,
    /// In the order in which they were found; no more than are worth telling.
    pub wrong: Vec<Wrong>,
    pub wrong_count: u64,
    /// Keys that were believed; the last signs.
    pub keys: Vec<VerifyingKey>,
    /// Is the archive sealed at all?
    pub sealed: bool,
    /// Was only a part of the rows looked at, so that nobody knows whether every leaf has its row?
    pub partly: bool,
}

/// How far it has come, in bytes of files.
#[derive(Debug, Default)]
pub struct VerifyProgress {
    pub bytes: AtomicU64,
    pub of_bytes: AtomicU64,
}

impl Wrong {
    pub(super) fn of(what: String) -> Wrong {
        Wrong {
            what,
            ..Wrong::default()
        }
    }
}
