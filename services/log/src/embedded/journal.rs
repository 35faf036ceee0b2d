//! The journal of the storage, looked through before the storage may touch it.
//!
//! The storage cuts a journal at the first byte that it cannot read and says nothing: whatever lies behind is
//! gone. So the journals are read here first, and nothing is changed. A journal is a row of batches: a start
//! (tag 1, how many entries, sequence number), the entries (tag 2, or 4 for a cleared keyspace), an end (tag 3,
//! xxh3 of the entries, the magic of version 3).

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::folder::io;
use crate::{Error, Result};

const START: u8 = 1;
const ITEM: u8 = 2;
const END: u8 = 3;
const CLEAR: u8 = 4;
const MAGIC: [u8; 4] = [b'F', b'J', b'L', 3];
const START_BYTES: usize = 1 + 4 + 8;
/// Tag, kind of value, compression, keyspace, lengths of the key and of the value in memory and on the disk.
const ITEM_BYTES: usize = 1 + 1 + 1 + 8 + 2 + 4 + 4;
const CLEAR_BYTES: usize = 1 + 8;
const END_BYTES: usize = 1 + 8 + 4;
/// Sequence numbers rise by little: one that leaps was not written so.
const LEAP: u64 = 1 << 24;

/// The journal files of a storage, oldest first.
pub(super) fn files(data: &Path) -> Result<Vec<(u64, PathBuf)>> {
    let mut files = Vec::new();
    for entry in io("list", data, fs::read_dir(data))? {
        let path = io("list", data, entry)?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let Some(number) = name.strip_suffix(".jnl") else {
            continue;
        };
        let number = number.parse().map_err(|_| Error::Damaged {
            place: path.display().to_string(),
            what: "it is no journal by its name".to_owned(),
        })?;
        files.push((number, path));
    }
    files.sort_unstable();
    Ok(files)
}

/// One journal file, as it was read.
pub(super) struct Journal {
    pub(super) path: PathBuf,
    /// Without the zeros behind the last batch, which the storage allocates ahead.
    bytes: Vec<u8>,
    /// The whole batches, in order.
    batches: Vec<Batch>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Batch {
    place: Range<usize>,
    entries: u64,
    sequence: u64,
}

/// The first stretch of a journal that cannot be read, and what lies behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Break {
    pub(super) at: u64,
    pub(super) unreadable: u64,
    pub(super) batches_behind: u64,
    pub(super) entries_behind: u64,
}

impl Journal {
    pub(super) fn read(path: &Path) -> Result<Journal> {
        let mut bytes = io("read", path, fs::read(path))?;
        bytes.truncate(without_zeros(&bytes));
        let batches = in_sequence(whole_batches(&bytes));
        Ok(Journal {
            path: path.to_owned(),
            bytes,
            batches,
        })
    }

    /// Where the journal stops being readable, if it does.
    pub(super) fn first_break(&self) -> Option<Break> {
        let mut at = 0;
        for (index, batch) in self.batches.iter().enumerate() {
            if batch.place.start != at {
                let behind = &self.batches[index..];
                return Some(Break {
                    at: at as u64,
                    unreadable: (batch.place.start - at) as u64,
                    batches_behind: behind.len() as u64,
                    entries_behind: behind.iter().map(|batch| batch.entries).sum(),
                });
            }
            at = batch.place.end;
        }
        (at < self.bytes.len()).then(|| Break {
            at: at as u64,
            unreadable: (self.bytes.len() - at) as u64,
            batches_behind: 0,
            entries_behind: 0,
        })
    }

    /// The bytes from a place on.
    pub(super) fn rest(&self, at: u64) -> &[u8] {
        self.bytes.get(at as usize..).unwrap_or_default()
    }

    /// The whole batches alone, as a journal without any break.
    pub(super) fn whole(&self) -> Vec<u8> {
        let places = self.batches.iter().map(|batch| batch.place.clone());
        places
            .flat_map(|place| &self.bytes[place])
            .copied()
            .collect()
    }

    /// The bytes that are in no whole batch.
    pub(super) fn unreadable(&self) -> u64 {
        let whole: usize = self.batches.iter().map(|batch| batch.place.len()).sum();
        (self.bytes.len() - whole) as u64
    }

    pub(super) fn sequences(&self) -> Option<(u64, u64)> {
        Some((
            self.batches.first()?.sequence,
            self.batches.last()?.sequence,
        ))
    }
}

/// How long the bytes are without the zeros at their end.
pub(super) fn without_zeros(bytes: &[u8]) -> usize {
    static ZEROS: [u8; 64 * 1024] = [0; 64 * 1024];
    let mut length = bytes.len();
    while length > 0 {
        let chunk = &bytes[length - length.min(ZEROS.len())..length];
        if chunk != &ZEROS[..chunk.len()] {
            let zeros = chunk.iter().rev().take_while(|byte| **byte == 0).count();
            return length - zeros;
        }
        length -= chunk.len();
    }
    0
}

/// All batches that can be read, also those behind a place that cannot.
fn whole_batches(bytes: &[u8]) -> Vec<Batch> {
    let (mut batches, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        match batch(&bytes[at..]) {
            Some((length, entries, sequence)) => {
                let place = at..at + length;
                at = place.end;
                batches.push(Batch {
                    place,
                    entries,
                    sequence,
                });
            }
            None => at += 1,
        }
    }
    batches
}

/// The batch at the beginning of the bytes: its length, entries and sequence number.
fn batch(bytes: &[u8]) -> Option<(usize, u64, u64)> {
    let (start, rest) = bytes.split_at_checked(START_BYTES)?;
    if start[0] != START || !matches!(rest.first()?, &ITEM | &CLEAR) {
        return None;
    }
    let entries = u64::from(u32::from_le_bytes(start[1..5].try_into().ok()?));
    let sequence = u64::from_le_bytes(start[5..].try_into().ok()?);
    let mut length = 0;
    for _ in 0..entries {
        length += entry_bytes(rest.get(length..)?)?;
    }
    let end = rest.get(length..length + END_BYTES)?;
    let checksum = u64::from_le_bytes(end[1..9].try_into().ok()?);
    let whole = end[0] == END && end[9..] == MAGIC && checksum == xxh3_64(&rest[..length]);
    whole.then_some((START_BYTES + length + END_BYTES, entries, sequence))
}

fn entry_bytes(bytes: &[u8]) -> Option<usize> {
    match *bytes.first()? {
        CLEAR => Some(CLEAR_BYTES),
        ITEM => {
            let key = bytes.get(11..13)?.try_into().ok()?;
            let value = bytes.get(17..21)?.try_into().ok()?;
            let key = usize::from(u16::from_le_bytes(key));
            let value = usize::try_from(u32::from_le_bytes(value)).ok()?;
            Some(ITEM_BYTES + key + value)
        }
        _ => None,
    }
}

/// Without the batches whose sequence number, which no checksum covers, cannot be right.
fn in_sequence(batches: Vec<Batch>) -> Vec<Batch> {
    let mut right: Vec<Batch> = Vec::with_capacity(batches.len());
    let mut following = batches.iter().skip(1);
    for batch in &batches {
        let next = following.next().map(|next| next.sequence);
        let before = right.last().map(|last| last.sequence);
        let risen = before.is_none_or(|before| before < batch.sequence);
        let leapt = before.is_some_and(|before| batch.sequence > before.saturating_add(LEAP));
        // It leapt ahead of what follows, which itself goes on from what was before.
        let ahead = next
            .is_some_and(|next| next < batch.sequence && before.is_none_or(|before| before < next));
        if risen && !leapt && !ahead {
            right.push(batch.clone());
        }
    }
    right
}
