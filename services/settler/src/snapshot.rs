//! Everything that is kept of a table, as bytes.
//!
//! MessagePack with the names of fields: bodies of events leave absent fields out, which formats
//! without names cannot read back. A version comes first.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The layout of what follows. It rises whenever a table that this version writes could not be read,
/// or would be read otherwise, by the version before.
const VERSION: u8 = 3;

#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    #[error("the snapshot is empty")]
    Empty,
    #[error(
        "the snapshot has layout {found}, this version of catwalk reads layout {VERSION}: run the version \
        that wrote it, or settle again from the first event under a new group"
    )]
    Version { found: u8 },
    #[error("the snapshot cannot be read: {0}")]
    Read(#[from] rmp_serde::decode::Error),
    #[error("the snapshot cannot be written: {0}")]
    Write(#[from] rmp_serde::encode::Error),
}

pub(crate) fn write<T: Serialize>(state: &T) -> Result<Vec<u8>, SnapshotError> {
    let mut bytes = Vec::with_capacity(8 * 1024);
    bytes.push(VERSION);
    rmp_serde::encode::write_named(&mut bytes, state)?;
    Ok(bytes)
}

pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, SnapshotError> {
    match bytes {
        [VERSION, state @ ..] => Ok(rmp_serde::from_slice(state)?),
        [found, ..] => Err(SnapshotError::Version { found: *found }),
        [] => Err(SnapshotError::Empty),
    }
}

/// How many bytes a snapshot would have.
pub(crate) fn weigh<T: Serialize>(state: &T) -> Result<usize, SnapshotError> {
    let mut scales = Scales(0);
    rmp_serde::encode::write_named(&mut scales, state)?;
    Ok(scales.0)
}

/// Counts what is written to it.
struct Scales(usize);

impl std::io::Write for Scales {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
