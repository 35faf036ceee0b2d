//! One leaf, its path and its signed head in one text (C2SP tlog-proof), to be verified anywhere.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::note::{Note, NoteError, Seal, VerifyingKey};
use crate::{Checkpoint, Hash, tree};

const FIRST_LINE: &str = "c2sp.org/tlog-proof@v1";
/// No tree is higher.
const MAX_PATH: usize = 64;

/// Shows that a leaf is in a tree whose head was signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafProof {
    /// What the verifier needs to make the leaf anew: for a row, its salt. Nobody vouches for it.
    pub extra: Option<Vec<u8>>,
    pub index: u64,
    pub path: Vec<Hash>,
    /// The signed head.
    pub head: Note,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    #[error("line {line} of the proof: {what}")]
    Malformed { line: usize, what: &'static str },
    #[error("the head of the proof: {0}")]
    Head(#[from] NoteError),
    #[error("the leaf is not leaf {index} of the {size} under the signed root")]
    NotIncluded { index: u64, size: u64 },
}

impl LeafProof {
    /// Who has signed the head under which this leaf lies. The house must have.
    pub fn verify(
        &self,
        leaf: Hash,
        house: &VerifyingKey,
        witnesses: &[VerifyingKey],
    ) -> Result<(Checkpoint, Vec<Seal>), ProofError> {
        let (head, seals) = Checkpoint::open(&self.head, house, witnesses)?;
        match tree::includes(leaf, self.index, head.size, &self.path, head.root) {
            true => Ok((head, seals)),
            false => Err(ProofError::NotIncluded {
                index: self.index,
                size: head.size,
            }),
        }
    }

    pub fn read(text: &str) -> Result<LeafProof, ProofError> {
        let malformed = |line, what| ProofError::Malformed { line, what };
        let (above, head) = text
            .split_once("\n\n")
            .ok_or(malformed(1, "no blank line before the head"))?;
        let mut lines = (1..).zip(above.split('\n')).peekable();
        if lines.next().is_none_or(|(_, line)| line != FIRST_LINE) {
            return Err(malformed(1, "a proof begins with c2sp.org/tlog-proof@v1"));
        }
        let is_extra = |&(_, line): &(usize, &str)| line.starts_with("extra ");
        let extra = match lines.next_if(is_extra) {
            Some((at, line)) => {
                let bytes = BASE64_STANDARD.decode(&line["extra ".len()..]);
                Some(bytes.map_err(|_| malformed(at, "what is extra is no base64"))?)
            }
            None => None,
        };
        let (at, line) = lines.next().ok_or(malformed(2, "no index"))?;
        let digits = line
            .strip_prefix("index ")
            .ok_or(malformed(at, "no index"))?;
        let index: Option<u64> = digits.parse().ok();
        let index = index
            .filter(|index| index.to_string() == digits)
            .ok_or(malformed(at, "the index is no number"))?;
        let mut path = Vec::new();
        for (at, line) in lines {
            path.push(line.parse().map_err(|_| malformed(at, "this is no hash"))?);
            if path.len() > MAX_PATH {
                return Err(malformed(at, "the path is longer than any tree is high"));
            }
        }
        let head = Note::read(head)?;
        Ok(LeafProof {
            extra,
            index,
            path,
            head,
        })
    }
}

impl fmt::Display for LeafProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST_LINE}")?;
        if let Some(extra) = &self.extra {
            writeln!(f, "extra {}", BASE64_STANDARD.encode(extra))?;
        }
        writeln!(f, "index {}", self.index)?;
        for hash in &self.path {
            writeln!(f, "{hash}")?;
        }
        write!(f, "\n{}", self.head)
    }
}
