//! What a row puts into the tree.
//!
//! A leaf is not the row and not a plain hash of it, which anybody could try until it fits: it is a hash of
//! the row and of a random salt that is kept beside the row. When the row is erased its salt goes with it,
//! and what stays in the tree tells nobody anything.

use sha2::{Digest, Sha256};

use crate::{Hash, tree};

/// Says what is hashed, so that the same bytes mean nothing elsewhere.
const DOMAIN: &[u8] = b"catwalk row v1\n";

/// Kept beside a row, and erased with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Salt(pub [u8; Salt::BYTES]);

impl Salt {
    pub const BYTES: usize = 16;

    /// A new one from the machine's own source of randomness.
    pub fn random() -> Result<Salt, getrandom::Error> {
        let mut salt = [0; Salt::BYTES];
        getrandom::fill(&mut salt)?;
        Ok(Salt(salt))
    }
}

/// The entry of the tree that stands for a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment(pub Hash);

impl Commitment {
    /// `kind` says which sort of row it is, so that none can pass for one of another table.
    pub fn new(salt: Salt, kind: &str, row: &[u8]) -> Commitment {
        let mut hash = Sha256::new();
        hash.update(DOMAIN);
        hash.update(salt.0);
        hash.update((kind.len() as u64).to_be_bytes());
        hash.update(kind);
        hash.update(row);
        Commitment(Hash(hash.finalize().into()))
    }

    /// The leaf of the tree.
    pub fn leaf(self) -> Hash {
        tree::leaf(&self.0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_under_another_salt_or_kind_is_another_leaf() {
        let (one, other) = (Salt([1; 16]), Salt([2; 16]));
        let leaf = Commitment::new(one, "event", b"a row").leaf();
        assert_eq!(leaf, Commitment::new(one, "event", b"a row").leaf());
        assert_ne!(leaf, Commitment::new(other, "event", b"a row").leaf());
        assert_ne!(leaf, Commitment::new(one, "finding", b"a row").leaf());
        assert_ne!(leaf, Commitment::new(one, "event", b"a row ").leaf());
        let shifted = Commitment::new(one, "even", b"ta row").leaf();
        assert_ne!(leaf, shifted, "where the kind ends is hashed too");
        assert_ne!(Salt::random().unwrap(), Salt::random().unwrap());
    }
}
