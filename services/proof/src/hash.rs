//! A SHA-256 hash.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

/// A SHA-256 hash, written as base64 as checkpoints and proofs do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; Hash::BYTES]);

impl Hash {
    pub(crate) const BYTES: usize = 32;

    /// The hash of these parts, one after the other.
    pub(crate) fn of(parts: &[&[u8]]) -> Hash {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part);
        }
        Hash(hash.finalize().into())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE64_STANDARD.encode(self.0))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a hash: 32 bytes in base64 are")]
pub struct ParseHashError(String);

impl FromStr for Hash {
    type Err = ParseHashError;

    fn from_str(text: &str) -> Result<Hash, ParseHashError> {
        let bytes = BASE64_STANDARD.decode(text).ok();
        let hash = bytes.and_then(|bytes| bytes.try_into().ok());
        hash.map(Hash)
            .ok_or_else(|| ParseHashError(text.to_owned()))
    }
}
