//! Whether a log that is opened has all that it had.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

use super::codec;
use super::files::Found;
use super::folder::io;
use super::journal::{self, Break, Journal};
use super::marks::{self, Due, Extent};
use crate::{Error, Result};

/// The folder in which the torn end of a journal is kept when it is cut off.
const TORN: &str = "torn";

/// A folder without a log must not have had one.
pub(super) fn check_nothing_was_there(folder: &Path) -> Result<()> {
    match marks::due(folder)? {
        Some(due) if due.written.batches > 0 => Err(damaged(
            folder,
            format!(
                "the folder `log` is gone, which had {}",
                counted(&due.written)
            ),
        )),
        _ => Ok(()),
    }
}

/// Looks through the files before the storage touches them, cuts off a torn end, and says so.
pub(super) fn examine(folder: &Path, data: &Path, due: Option<&Due>) -> Result<Vec<String>> {
    check_keyspaces(data)?;
    let files = journal::files(data)?;
    let (mut said, mut before): (Vec<String>, Option<(u64, u64)>) = (Vec::new(), None);
    for (index, (number, path)) in files.iter().enumerate() {
        let journal = Journal::read(path)?;
        if let Some((former, _)) = before
            && former + 1 != *number
        {
            let what = format!("journals {} to {} are missing", former + 1, number - 1);
            return Err(damaged(data, what));
        }
        if let (Some((_, last)), Some((first, _))) = (before, journal.sequences())
            && first <= last
        {
            return Err(damaged(
                path,
                "it goes back behind the journal before it".to_owned(),
            ));
        }
        if let Some(found) = journal.first_break() {
            let last = index + 1 == files.len();
            if !(last && may_be_torn(&found, due)) {
                return Err(damaged(path, broken(&found)));
            }
            said.push(cut_off(folder, &journal, &found)?);
        }
        let last = journal.sequences().map(|(_, last)| last);
        before = Some((*number, last.or(before.map(|(_, last)| last)).unwrap_or(0)));
    }
    Ok(said)
}

fn check_keyspaces(data: &Path) -> Result<()> {
    keyspaces(data)?
        .iter()
        .try_for_each(|path| check_keyspace(path))
}

/// The folders of the keyspaces.
pub(super) fn keyspaces(data: &Path) -> Result<Vec<PathBuf>> {
    let folder = data.join("keyspaces");
    let entries = io("list", &folder, fs::read_dir(&folder))?;
    let paths = entries.map(|entry| io("list", &folder, entry).map(|entry| entry.path()));
    paths.collect()
}

/// What the storage would pass over, or fall over, in the files of a keyspace.
pub(super) fn check_keyspace(path: &Path) -> Result<()> {
    let tables = fs::read_dir(path.join("tables"));
    let tables: Vec<_> = tables.into_iter().flatten().flatten().collect();
    let current = path.join("current");
    if current.exists() {
        check_version(path, &current)?;
    } else if !tables.is_empty() {
        // It would be thrown away, with all its tables.
        return Err(damaged(path, "its file `current` is gone".to_owned()));
    }
    tables
        .iter()
        .try_for_each(|table| check_contents(&table.path()))
}

/// The list of a keyspace's tables is named and summed in `current`, which the storage does not check: number u64,
/// xxh3 u128, a zero; little-endian.
fn check_version(keyspace: &Path, current: &Path) -> Result<()> {
    let named = io("read", current, fs::read(current))?;
    let number = named.get(..8).and_then(|bytes| bytes.try_into().ok());
    let checksum = named.get(8..24).and_then(|bytes| bytes.try_into().ok());
    let (Some(number), Some(checksum)) = (number, checksum) else {
        return Err(damaged(current, "it is too short".to_owned()));
    };
    let version = keyspace.join(format!("v{}", u64::from_le_bytes(number)));
    let bytes = fs::read(&version).map_err(|error| {
        damaged(
            &version,
            format!("the list of the tables cannot be read ({error})"),
        )
    })?;
    match xxh3_128(&bytes) == u128::from_le_bytes(checksum) {
        true => Ok(()),
        false => Err(damaged(
            &version,
            "the list of the tables was changed".to_owned(),
        )),
    }
}

/// At the end of a table stand: `SFA!`, two bytes, xxh3 u128 of its contents page, where that begins and how
/// long it is, u64 each; little-endian. With a wrong page the storage asks for more memory than there is.
fn check_contents(table: &Path) -> Result<()> {
    const TRAILER: usize = 4 + 2 + 16 + 8 + 8;
    let mut file = io("open", table, File::open(table))?;
    let length = io("read", table, file.metadata())?.len();
    let mut read = |from: u64| {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(from))?;
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let trailer = io("read", table, read(length.saturating_sub(TRAILER as u64)))?;
    if trailer.len() < TRAILER || !trailer.starts_with(b"SFA!") {
        // The storage says so itself, if it needs the table.
        return Ok(());
    }
    let number = |at: usize| trailer[at..at + 8].try_into().map(u64::from_le_bytes);
    let checksum = trailer[6..22].try_into().map(u128::from_le_bytes);
    let (Ok(at), Ok(checksum)) = (number(22), checksum) else {
        return Ok(());
    };
    let page = io("read", table, read(at.min(length)))?;
    let page = &page[..page.len().saturating_sub(TRAILER)];
    match xxh3_128(page) == checksum {
        true => Ok(()),
        false => Err(damaged(
            table,
            "its page of contents was changed".to_owned(),
        )),
    }
}

/// Whether the end of the last journal is what a process or a machine leaves that stops while it writes.
fn may_be_torn(found: &Break, due: Option<&Due>) -> bool {
    match due {
        // A log that was closed has no torn end.
        Some(due) if due.closed => false,
        // Pages may reach the disk in any order: what was not yet safe may have holes. The marks say whether
        // all that was safe is there.
        Some(due) if due.machine_stopped => true,
        _ => found.batches_behind == 0,
    }
}

fn broken(found: &Break) -> String {
    format!(
        "from byte {} on {} bytes cannot be read, and behind them lie {} whole batches with {} entries; \
         nothing was changed",
        found.at, found.unreadable, found.batches_behind, found.entries_behind
    )
}

/// Cuts off the torn end of a journal, keeps it, and says so.
fn cut_off(folder: &Path, journal: &Journal, found: &Break) -> Result<String> {
    let torn = folder.join(TORN);
    io("create", &torn, fs::create_dir_all(&torn))?;
    let name = journal.path.file_name().unwrap_or_default();
    let kept = torn.join(format!("{}-{}", name.display(), found.at));
    let rest = journal.rest(found.at);
    io("write", &kept, fs::write(&kept, rest))?;
    let file = File::options().write(true).open(&journal.path);
    let file = io("open", &journal.path, file)?;
    let cut = file.set_len(found.at).and_then(|()| file.sync_all());
    io("cut", &journal.path, cut)?;
    let behind = match found.batches_behind {
        0 => String::new(),
        batches => format!(", with {batches} batches that had not been made safe"),
    };
    Ok(format!(
        "the end of {} was torn by a stop while it was written: {} bytes from byte {} on are cut off{behind}, \
         and kept in {}",
        journal.path.display(),
        rest.len(),
        found.at,
        kept.display()
    ))
}

/// Holds what the storage has against what the marks say that it had.
pub(super) fn compare(folder: &Path, found: &Found, due: Option<&Due>) -> Result<Vec<String>> {
    let Some(due) = due else {
        if found.version == codec::UNCHECKED_VERSION {
            return Ok(Vec::new());
        }
        let what = "the file `marks` is gone, which says what the log had".to_owned();
        return Err(damaged(folder, what));
    };
    let missing = missing(&due.least, &found.extent);
    if found.extent.batches < due.least.batches || !missing.is_empty() {
        let what = format!(
            "it had {}, and has {}{}",
            counted(&due.least),
            counted(&found.extent),
            list(&missing)
        );
        return Err(damaged(folder, what));
    }
    let lost = self::missing(&due.written, &found.extent);
    if due.machine_stopped && (found.extent.batches < due.written.batches || !lost.is_empty()) {
        return Ok(vec![format!(
            "{} batches had not been made safe when the machine stopped, and are lost{}",
            due.written.batches.saturating_sub(found.extent.batches),
            list(&lost)
        )]);
    }
    Ok(Vec::new())
}

/// The records that one extent has and the other has not.
fn missing(had: &Extent, has: &Extent) -> Vec<String> {
    let ends = had.ends.iter().filter_map(|(partition, end)| {
        let found = has.ends.get(partition).copied().unwrap_or(0);
        (found < *end).then(|| format!("{partition} {found} to {}", end - 1))
    });
    ends.collect()
}

fn list(missing: &[String]) -> String {
    match missing {
        [] => String::new(),
        missing => format!("; missing are the records {}", missing.join(", ")),
    }
}

fn counted(extent: &Extent) -> String {
    let records: u64 = extent.ends.values().sum();
    format!("{} batches up to record {records}", extent.batches)
}

fn damaged(place: &Path, what: String) -> Error {
    Error::Damaged {
        place: place.display().to_string(),
        what,
    }
}
