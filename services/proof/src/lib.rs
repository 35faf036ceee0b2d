//! The hash tree over the archive, in the formats of other people's transparency logs, so that other
//! people's tools verify ours.
//!
//! - [`tree`]: RFC 6962 hashing, proofs of inclusion and of consistency.
//! - [`tile`], [`log`]: the tree on a disk, as C2SP tlog-tiles has it.
//! - [`note`], [`Checkpoint`]: signed notes and the signed head of a tree.
//! - [`spicy`]: one leaf, its path and its signed head in one text (C2SP tlog-proof).
//! - [`witness`]: who remembers heads and cosigns only those that extend the last.
//! - [`commitment`]: what a row puts into the tree: a salted hash, so that the row can be erased and the
//!   tree stays whole.
//!
//! The crate knows bytes and nothing of casinos. Its I/O is the small trait [`Storage`].

mod checkpoint;
pub mod commitment;
mod hash;
pub mod log;
pub mod note;
pub mod spicy;
mod storage;
pub mod tile;
pub mod tree;
pub mod witness;

pub use crate::checkpoint::Checkpoint;
pub use crate::commitment::{Commitment, Salt};
pub use crate::hash::{Hash, ParseHashError};
pub use crate::log::{Log, LogError, Reader};
pub use crate::note::{Note, NoteError, SigningKey, VerifyingKey};
pub use crate::storage::{Folder, Storage};
