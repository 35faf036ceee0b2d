//! The signed head of a tree (C2SP tlog-checkpoint): whose tree, how many leaves, and their root.

use std::fmt;

use crate::note::{Note, NoteError, Seal, SigningKey, VerifyingKey};
use crate::{Hash, tree};

/// What a head says. It holds no time, so that a tree has one head of each size and no second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Whose tree it is: the name of the house's key.
    pub origin: String,
    pub size: u64,
    pub root: Hash,
}

impl Checkpoint {
    /// The head of a tree without leaves.
    pub fn empty(origin: &str) -> Checkpoint {
        Checkpoint {
            origin: origin.to_owned(),
            size: 0,
            root: tree::empty(),
        }
    }

    /// Reads the text of a note. Lines that other logs add below are refused: nobody vouches for them.
    pub fn read(text: &str) -> Result<Checkpoint, NoteError> {
        let malformed = NoteError::Malformed("a head is three lines: whose, how many leaves, root");
        let lines: Vec<&str> = text.split('\n').collect();
        let &[origin, size, root, ""] = &lines[..] else {
            return Err(malformed);
        };
        let number: Option<u64> = size.parse().ok();
        let number = number.filter(|number| number.to_string() == size);
        match (number, root.parse()) {
            (Some(size), Ok(root)) if !origin.is_empty() => Ok(Checkpoint {
                origin: origin.to_owned(),
                size,
                root,
            }),
            _ => Err(malformed),
        }
    }

    /// Reads a signed head: what it says, and who of these has signed it. The house must have.
    pub fn open(
        note: &Note,
        house: &VerifyingKey,
        witnesses: &[VerifyingKey],
    ) -> Result<(Checkpoint, Vec<Seal>), NoteError> {
        let keys = [std::slice::from_ref(house), witnesses].concat();
        let seals = note.verify(&keys)?;
        let is_of_house = seals.iter().any(|seal| seal.key == *house);
        let head = Checkpoint::read(note.text())?;
        if !is_of_house || head.origin != house.name() {
            return Err(NoteError::Unsigned(house.name().to_owned()));
        }
        Ok((head, seals))
    }

    pub fn sign(&self, key: &SigningKey) -> Result<Note, NoteError> {
        let mut note = Note::new(self.to_string())?;
        note.sign(key, 0);
        Ok(note)
    }
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n{}", self.origin, self.size, self.root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::note::Algorithm;

    #[test]
    fn a_head_is_read_as_it_was_written_and_by_its_house_alone() {
        let key = SigningKey::from_seed("ebh", Algorithm::Ed25519, [4; 32]).unwrap();
        let head = Checkpoint {
            origin: "ebh".to_owned(),
            size: 20_852_163,
            root: tree::leaf(b"x"),
        };
        let note = head.sign(&key).unwrap();
        let (read, seals) = Checkpoint::open(&note, &key.verifying(), &[]).unwrap();
        assert_eq!((read, seals.len()), (head.clone(), 1));
        let other = SigningKey::from_seed("other", Algorithm::Ed25519, [5; 32]).unwrap();
        assert!(Checkpoint::open(&note, &other.verifying(), &[]).is_err());
        // A head of another house, signed by this key.
        let foreign = Checkpoint {
            origin: "other".to_owned(),
            ..head.clone()
        };
        let note = foreign.sign(&key).unwrap();
        assert!(Checkpoint::open(&note, &key.verifying(), &[]).is_err());
        // A witness alone is not the house.
        let mut note = Note::new(head.to_string()).unwrap();
        note.sign(&other, 0);
        let witnesses = [other.verifying()];
        assert!(Checkpoint::open(&note, &key.verifying(), &witnesses).is_err());
    }

    #[test]
    fn what_is_no_head_is_refused() {
        let root = tree::empty();
        let bad = [
            format!("ebh\n7\n{root}"),
            format!("ebh\n07\n{root}\n"),
            format!("ebh\n+7\n{root}\n"),
            format!("ebh\n-7\n{root}\n"),
            format!("\n7\n{root}\n"),
            format!("ebh\n7\n{root}\nmore\n"),
            "ebh\n7\nAAAA\n".to_owned(),
        ];
        for text in bad {
            assert!(Checkpoint::read(&text).is_err(), "{text:?}");
        }
    }
}
