//! Rows as leaves of hash trees: an archive that shows that nothing was changed.
//!
//! Each partition of the log has a tree of its own, a lane: an archiver holds the lanes of its partitions, and nobody
//! else writes them. A row gets the number of its leaf and a random salt as it is written; both lie beside it in the
//! same file, and the next number of each lane is part of the same commit. The tree follows the commits: what a crash
//! has left out of it is read from the rows, so a head never speaks of a row that is not there.

mod canonical;
mod days;
mod heads;
mod inside;
mod keys;
mod lanes;
mod logs;
mod rows;
mod shape;
mod statistics;
mod verdict;
mod verify;
mod views;
mod whole;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use catwalk_proof::note::NoteError;
use catwalk_proof::{Folder, LogError};

pub(crate) use self::days::last_signed;
pub use self::days::{DayHeads, day_heads, keep_stamp};
pub use self::keys::{key_notes, make_key, read_key, rotate, trusted_keys};
pub use self::lanes::{Lane, lanes};
pub(crate) use self::lanes::{Leaves, Sealer, unsealed};
pub(crate) use self::rows::{BATCH, Batch, Seal};
pub use self::rows::{SealedRow, sealed_rows};
pub use self::statistics::sha256_hex;
pub(crate) use self::statistics::sha256_of;
pub use self::verdict::{
    Checked, OnRecord, Standing, Trust, Verified, VerifyProgress, Which, Wrong,
};
pub use self::verify::verify;
use crate::{Archive, Table};

/// Which tree a row is in: the partition of the log that it came by.
pub(crate) const LANE: &str = "lane";
/// The number of a row's leaf in that tree.
pub(crate) const LEAF: &str = "leaf";
/// What a row is hashed with.
pub(crate) const SALT: &str = "salt";
/// The folder of the trees, beside the tables.
const FOLDER: &str = "_proof";

/// How an archive is sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealSettings {
    /// The file of the secret key: it is made at the first start, and belongs on another disk than the archive.
    pub key: PathBuf,
    /// Whose archive it is, as the heads say: no spaces, no plus.
    pub name: String,
    /// Where the trees are; beside the tables unless said otherwise.
    pub folder: Option<PathBuf>,
    /// Heads are signed so often.
    pub interval: Duration,
}

/// What can go wrong with seals.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SealError {
    #[error("{}: {error}", path.display())]
    Disk {
        path: PathBuf,
        error: std::io::Error,
    },

    #[error(
        "the archive is sealed, and its key {} is missing: bring it back from its copy; with another key the archive \
         would be another house's",
        .0.display()
    )]
    NoKey(PathBuf),

    #[error("{} is not the key that seals this archive: bring back the one that does", .0.display())]
    OtherKey(PathBuf),

    #[error("a note among the keys of the archive names no key")]
    KeyNote,

    #[error("an archive in an object store needs a folder for its trees: set proof.folder")]
    NoFolder,

    #[error(
        "tree {lane} has {tree} leaves, and the archive has rows for {rows} only: it was rolled back, or it is not the \
         archive of this tree; `catwalk verify` tells more"
    )]
    Beyond { lane: u32, tree: u64, rows: u64 },

    #[error(
        "leaf {leaf} of tree {lane} was given to a row that is not in the archive any more: rows were taken away \
         before they were sealed; `catwalk verify` tells more"
    )]
    Lost { lane: u32, leaf: u64 },

    #[error(
        "tree {lane} is held by another archiver ({}): one that shares the partitions of the log with this one gives \
         it back, any other has to be stopped first",
        path.display()
    )]
    Held { lane: u32, path: PathBuf },

    #[error(
        "the time stamp is not of the heads of {0}: stamp what `catwalk proof head --day {0}` prints"
    )]
    OtherStamp(String),

    #[error("this machine has no source of randomness: {0}")]
    Random(String),

    #[error(transparent)]
    Note(#[from] NoteError),

    #[error(transparent)]
    Tree(#[from] LogError),
}

impl SealError {
    fn disk(path: &Path) -> impl FnOnce(std::io::Error) -> SealError {
        let path = path.to_owned();
        |error| SealError::Disk { path, error }
    }
}

impl Table {
    /// The columns with those of the seal.
    pub fn sealed_schema(&self) -> SchemaRef {
        let mut fields: Vec<_> = self.schema().fields().iter().cloned().collect();
        let comment = |text: &str| [("comment".to_owned(), text.to_owned())].into();
        let lane = Field::new(LANE, DataType::Int64, true);
        let lane = lane.with_metadata(comment("Which hash tree it is a leaf of."));
        let leaf = Field::new(LEAF, DataType::Int64, true);
        let leaf = leaf.with_metadata(comment("Its number in that tree."));
        let salt = Field::new(SALT, DataType::Binary, true);
        let salt = salt.with_metadata(comment("What its leaf is hashed with."));
        fields.extend([lane, leaf, salt].map(Arc::new));
        Arc::new(Schema::new(fields))
    }
}

impl Archive {
    /// Where the trees are.
    pub fn trees(&self, folder: Option<&Path>) -> Result<Folder, SealError> {
        let beside = || self.folder().map(|folder| folder.join(FOLDER));
        let path = folder.map(Path::to_owned).or_else(beside);
        path.map(Folder::new).ok_or(SealError::NoFolder)
    }
}
