//! What the log had, written down beside it.
//!
//! The storage cannot tell a file that was cut from one that was never longer. The marks can: after each write
//! they say how many batches there are and where each partition ends, and how much of that was safe on the disk.
//! A process that is killed leaves marks that hold to the record. A machine that stops may lose what was not yet
//! safe, and no more; which of the two it was is seen from the number that the system has for its run.
//!
//! The file has two slots that take turns, so that a write cut short leaves the one before.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use super::folder::io;
use crate::{Error, Partition, Result, Topic};

const MAGIC: [u8; 4] = *b"CWM1";
const SLOT_BYTES: usize = 256 * 1024;
const FILE: &str = "marks";

/// How many batches there are, and where each partition ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) batches: u64,
    pub(super) ends: BTreeMap<Partition, u64>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mark {
    generation: u64,
    /// The run of the system in which it was written; empty where it is not known.
    run: String,
    /// The log was closed, and all of it was safe.
    closed: bool,
    written: Extent,
    safe: Extent,
}

/// What the marks ask of a log that is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Due {
    pub(super) written: Extent,
    /// What must be there: less than what was written only where the machine has stopped meanwhile.
    pub(super) least: Extent,
    pub(super) closed: bool,
    pub(super) machine_stopped: bool,
}

/// The file, open for writing.
#[derive(Debug)]
pub(super) struct Marks {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: File,
    mark: Mark,
    /// The last write of the file failed.
    failed: bool,
}

/// What the marks in a folder ask for; `None` where there are none.
pub(super) fn due(folder: &Path) -> Result<Option<Due>> {
    let Some(mark) = read(folder)? else {
        return Ok(None);
    };
    let same_run = !mark.run.is_empty() && mark.run == this_run();
    let machine_stopped = !mark.closed && !same_run;
    Ok(Some(Due {
        least: if machine_stopped {
            mark.safe
        } else {
            mark.written.clone()
        },
        written: mark.written,
        closed: mark.closed,
        machine_stopped,
    }))
}

fn read(folder: &Path) -> Result<Option<Mark>> {
    let path = folder.join(FILE);
    if !path.exists() {
        return Ok(None);
    }
    let bytes = io("read", &path, fs::read(&path))?;
    let slots = bytes.chunks(SLOT_BYTES).filter_map(decode);
    let latest = slots.max_by_key(|mark| mark.generation);
    match latest {
        Some(mark) => Ok(Some(mark)),
        None => Err(Error::Damaged {
            place: path.display().to_string(),
            what: "what the log had cannot be read from it".to_owned(),
        }),
    }
}

impl Marks {
    /// Writes the marks of a log that is open from now on, and whose extent is known and safe.
    pub(super) fn begin(folder: &Path, extent: Extent) -> Result<Marks> {
        let generation = match read(folder) {
            Ok(Some(mark)) => mark.generation,
            Ok(None) | Err(Error::Damaged { .. }) => 0,
            Err(error) => return Err(error),
        };
        let path = folder.join(FILE);
        let mut options = File::options();
        let options = options.create(true).truncate(false).write(true);
        let mut state = State {
            file: io("open", &path, options.open(&path))?,
            mark: Mark {
                generation,
                run: this_run(),
                closed: false,
                written: extent.clone(),
                safe: extent,
            },
            failed: false,
        };
        io("write", &path, state.write())?;
        io("sync", &path, state.file.sync_all())?;
        let state = Mutex::new(state);
        Ok(Marks { path, state })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A mark is replaced as a whole: a thread that panics leaves the one before.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn batches(&self) -> u64 {
        self.state().mark.written.batches
    }

    pub(super) fn written(&self) -> Extent {
        self.state().mark.written.clone()
    }

    /// Fails if the last mark could not be written and still cannot be: then nothing more is to be written.
    pub(super) fn check(&self) -> Result<()> {
        let mut state = self.state();
        if state.failed {
            let written = state.write();
            io("write", &self.path, written)?;
            state.failed = false;
        }
        Ok(())
    }

    /// A batch is on the log; `safe` says that it and all before it is on the disk.
    ///
    /// The batch stands whether the mark can be written or not, so a failure is told by the next
    /// [`check`](Marks::check).
    pub(super) fn wrote(&self, ends: impl IntoIterator<Item = (Partition, u64)>, safe: bool) {
        let mut state = self.state();
        state.mark.written.batches += 1;
        state.mark.written.ends.extend(ends);
        if safe {
            state.mark.safe = state.mark.written.clone();
        }
        state.failed = state.write().is_err();
    }

    /// All of this is on the disk.
    pub(super) fn safe(&self, extent: Extent) {
        let mut state = self.state();
        if extent.batches > state.mark.safe.batches {
            state.mark.safe = extent;
            state.failed = state.write().is_err();
        }
    }

    /// The log is closed; all that was written is on the disk.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.mark.safe = state.mark.written.clone();
        state.mark.closed = true;
        // Without it the log counts as one that was not closed, which asks for the same records.
        if state.write().is_ok() {
            let _ = state.file.sync_all();
        }
    }
}

impl State {
    fn write(&mut self) -> std::io::Result<()> {
        self.mark.generation += 1;
        let bytes = encode(&self.mark);
        if bytes.len() > SLOT_BYTES {
            return Err(std::io::Error::other(
                "there are too many partitions to mark",
            ));
        }
        let slot = (self.mark.generation % 2) * SLOT_BYTES as u64;
        self.file.seek(SeekFrom::Start(slot))?;
        self.file.write_all(&bytes)
    }
}

/// The number of this run of the system: another after each start of the machine.
fn this_run() -> String {
    let run = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    run.map(|run| run.trim().to_owned()).unwrap_or_default()
}

fn encode(mark: &Mark) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(128 + mark.written.ends.len() * 40);
    bytes.extend(MAGIC);
    bytes.extend([0; 4]);
    bytes.extend(mark.generation.to_be_bytes());
    bytes.push(u8::from(mark.closed));
    put_text(&mut bytes, &mark.run);
    bytes.extend(mark.written.batches.to_be_bytes());
    bytes.extend(mark.safe.batches.to_be_bytes());
    bytes.extend((mark.written.ends.len() as u32).to_be_bytes());
    for (partition, end) in &mark.written.ends {
        let safe = mark.safe.ends.get(partition).copied().unwrap_or(0);
        put_text(&mut bytes, partition.topic.name());
        bytes.extend(partition.index.to_be_bytes());
        bytes.extend(end.to_be_bytes());
        bytes.extend(safe.to_be_bytes());
    }
    let length = (bytes.len() + 8) as u32;
    bytes[4..8].copy_from_slice(&length.to_be_bytes());
    let checksum = xxh3_64(&bytes);
    bytes.extend(checksum.to_be_bytes());
    bytes
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    // Names of topics and numbers of runs are far shorter.
    bytes.push(text.len() as u8);
    bytes.extend(text.as_bytes());
}

fn decode(slot: &[u8]) -> Option<Mark> {
    let length = u32::from_be_bytes(slot.get(4..8)?.try_into().ok()?) as usize;
    let (content, checksum) = slot
        .get(..length)?
        .split_at_checked(length.checked_sub(8)?)?;
    let checksum = u64::from_be_bytes(checksum.try_into().ok()?);
    if content.get(..4)? != MAGIC || checksum != xxh3_64(content) {
        return None;
    }
    let mut rest = Rest(&content[8..]);
    let mut mark = Mark {
        generation: rest.number()?,
        closed: rest.take(1)?[0] == 1,
        run: rest.text()?,
        ..Mark::default()
    };
    mark.written.batches = rest.number()?;
    mark.safe.batches = rest.number()?;
    for _ in 0..rest.short()? {
        let name = rest.text()?;
        // A topic that this version does not know: what the log had cannot be held against it.
        let partition = Topic::named(&name)?.partition(rest.short()?);
        mark.written.ends.insert(partition, rest.number()?);
        mark.safe.ends.insert(partition, rest.number()?);
    }
    Some(mark)
}

struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        Some(u64::from_be_bytes(self.take(8)?.try_into().ok()?))
    }

    fn short(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<String> {
        let length = usize::from(self.take(1)?[0]);
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(batches: u64, end: u64) -> Extent {
        Extent {
            batches,
            ends: BTreeMap::from([(Topic::FloorEvents.partition(3), end)]),
        }
    }

    #[test]
    fn marks_come_back_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(due(folder.path()).unwrap(), None);
        let marks = Marks::begin(folder.path(), extent(7, 70)).unwrap();
        marks.wrote([(Topic::FloorEvents.partition(3), 72)], false);
        let due_now = due(folder.path()).unwrap().unwrap();
        assert_eq!(due_now.written, extent(8, 72));
        assert_eq!(due_now.least, extent(8, 72));
        assert!(!due_now.closed && !due_now.machine_stopped);
        marks.close();
        assert!(due(folder.path()).unwrap().unwrap().closed);
    }

    #[test]
    fn after_a_stop_of_the_machine_only_what_was_safe_is_due() {
        let folder = tempfile::tempdir().unwrap();
        let marks = Marks::begin(folder.path(), extent(7, 70)).unwrap();
        marks.wrote([(Topic::FloorEvents.partition(3), 72)], false);
        marks.state().mark.run = "another".to_owned();
        marks.wrote([(Topic::FloorEvents.partition(3), 75)], false);
        let due = due(folder.path()).unwrap().unwrap();
        assert!(due.machine_stopped);
        assert_eq!(due.least, extent(7, 70));
        assert_eq!(due.written, extent(9, 75));
    }

    #[test]
    fn a_slot_cut_short_leaves_the_one_before_and_two_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let marks = Marks::begin(folder.path(), extent(7, 70)).unwrap();
        marks.wrote([(Topic::FloorEvents.partition(3), 72)], true);
        let path = folder.path().join(FILE);
        let whole = fs::read(&path).unwrap();
        let slot = |number: usize| number * SLOT_BYTES + 20;
        for (number, left) in [(0, 1), (1, 0)] {
            let mut bytes = whole.clone();
            bytes[slot(number)] ^= 1;
            fs::write(&path, &bytes).unwrap();
            let expected = decode(&whole[left * SLOT_BYTES..]).unwrap();
            assert_eq!(
                due(folder.path()).unwrap().unwrap().written,
                expected.written
            );
            bytes[slot(left)] ^= 1;
            fs::write(&path, &bytes).unwrap();
            let error = due(folder.path()).unwrap_err();
            assert!(matches!(error, Error::Damaged { .. }), "{error}");
        }
    }
}
