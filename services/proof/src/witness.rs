//! A witness: somebody else's machine that remembers every head it has seen and cosigns only a head that
//! extends the last (C2SP tlog-witness).

use std::io;

use crate::note::{Note, NoteError, SigningKey, VerifyingKey};
use crate::{Checkpoint, Hash, Storage, tree};

const LAST: &str = "last";

/// Why a witness does not cosign.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error("the head is not signed by the house: {0}")]
    Unsigned(NoteError),
    #[error("the last head seen has {last} leaves, not {old}: ask again from there")]
    Behind { old: u64, last: u64 },
    #[error("the head has {size} leaves, fewer than the {last} that were seen before")]
    Shrunk { last: u64, size: u64 },
    /// The one that must never happen: two histories under one name.
    #[error(
        "the head of {size} leaves does not extend the head of {last} leaves that was seen before: \
             history was changed. Both are kept in {kept}"
    )]
    Forked { last: u64, size: u64, kept: String },
    #[error("{name}: {error}")]
    Io { name: String, error: io::Error },
    #[error("{LAST}: {0}")]
    Memory(NoteError),
}

impl Refused {
    /// Does it show that the house has changed its history, and is to be alarmed about?
    pub fn is_alarm(&self) -> bool {
        matches!(self, Refused::Forked { .. } | Refused::Shrunk { .. })
    }
}

/// A witness of one house.
#[derive(Debug)]
pub struct Witness<S: Storage> {
    storage: S,
    key: SigningKey,
    /// The keys that the house has had, each handed on by the one before.
    houses: Vec<VerifyingKey>,
    last: Checkpoint,
}

impl<S: Storage> Witness<S> {
    pub fn open(storage: S, key: SigningKey, house: VerifyingKey) -> Result<Witness<S>, Refused> {
        Witness::of_keys(storage, key, vec![house])
    }

    /// The same of a house that has handed its key on: whoever of these has signed is the house.
    pub fn of_keys(
        storage: S,
        key: SigningKey,
        houses: Vec<VerifyingKey>,
    ) -> Result<Witness<S>, Refused> {
        let read = storage.read(LAST).map_err(io_at(LAST))?;
        let last = match read {
            None => Checkpoint::empty(houses.first().map_or("", VerifyingKey::name)),
            Some(bytes) => {
                let own = key.verifying();
                let open = || {
                    let text = String::from_utf8_lossy(&bytes);
                    let note = Note::read(&text)?;
                    open_by(&note, &houses, std::slice::from_ref(&own))
                };
                open().map_err(Refused::Memory)?
            }
        };
        Ok(Witness {
            storage,
            key,
            houses,
            last,
        })
    }

    /// The last head that was cosigned.
    pub fn last(&self) -> &Checkpoint {
        &self.last
    }

    /// Cosigns a head at `now`, in seconds since 1970, when `path` shows that it extends the head of `old`
    /// leaves and that is the last one seen. It is remembered before anybody gets the signature.
    pub fn cosign(
        &mut self,
        old: u64,
        path: &[Hash],
        note: &Note,
        now: u64,
    ) -> Result<Note, Refused> {
        let head = open_by(note, &self.houses, &[]).map_err(Refused::Unsigned)?;
        let last = self.last.size;
        if head.size < last {
            self.keep_fork(note, &head)?;
            let size = head.size;
            return Err(Refused::Shrunk { last, size });
        }
        if old != last {
            return Err(Refused::Behind { old, last });
        }
        let seen = (last, self.last.root);
        if !tree::extends(seen, (head.size, head.root), path) {
            let kept = self.keep_fork(note, &head)?;
            let size = head.size;
            return Err(Refused::Forked { last, size, kept });
        }
        let mut cosigned = note.clone();
        cosigned.sign(&self.key, now);
        let text = cosigned.to_string();
        self.write(&format!("heads/{:020}", head.size), &text)?;
        self.write(LAST, &text)?;
        self.storage.sync().map_err(io_at(LAST))?;
        self.last = head;
        Ok(cosigned)
    }

    /// A head that contradicts what was seen is evidence: it is signed by the house.
    fn keep_fork(&self, note: &Note, head: &Checkpoint) -> Result<String, Refused> {
        let root = tree::leaf(head.to_string().as_bytes());
        let [a, b, c, d, ..] = root.0;
        let name = format!(
            "forks/{:020}-{:08x}",
            head.size,
            u32::from_be_bytes([a, b, c, d])
        );
        self.write(&name, &note.to_string())?;
        self.storage.sync().map_err(io_at(&name))?;
        Ok(name)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Refused> {
        self.storage
            .write(name, text.as_bytes())
            .map_err(io_at(name))
    }
}

/// What a head says that one of these keys has signed, the latest first.
fn open_by(
    note: &Note,
    houses: &[VerifyingKey],
    witnesses: &[VerifyingKey],
) -> Result<Checkpoint, NoteError> {
    let mut failed = NoteError::Unsigned(String::new());
    for house in houses.iter().rev() {
        match Checkpoint::open(note, house, witnesses) {
            Ok((head, _)) => return Ok(head),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

fn io_at(name: &str) -> impl FnOnce(io::Error) -> Refused {
    let name = name.to_owned();
    |error| Refused::Io { name, error }
}
