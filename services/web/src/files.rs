//! Files that only their owner reads, replaced as a whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Nobody but the owner may read it.
const OWNER_ONLY: u32 = 0o600;
/// Larger than any file of this kind is.
const MOST_BYTES: u64 = 64 << 20;

/// Tells one state of a file from another without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    inode: u64,
    bytes: u64,
    changed: (i64, i64),
    touched: (i64, i64),
}

/// `None` if there is no file.
pub(crate) fn stamp(path: &Path) -> io::Result<Option<Stamp>> {
    match fs::metadata(path) {
        Ok(meta) => Ok(Some(Stamp {
            inode: meta.ino(),
            bytes: meta.len(),
            changed: (meta.mtime(), meta.mtime_nsec()),
            touched: (meta.ctime(), meta.ctime_nsec()),
        })),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads a file that nobody else may read; `None` if there is none.
pub(crate) fn read(path: &Path) -> io::Result<Option<String>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mode = file.metadata()?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(io::Error::other(format!(
            "others may read or write it (mode {:o}); run: chmod 600 {}",
            mode & 0o777,
            path.display()
        )));
    }
    let mut text = String::new();
    file.take(MOST_BYTES).read_to_string(&mut text)?;
    Ok(Some(text))
}

/// Puts these bytes in the place of the file. Whoever reads it, at whatever moment, even after the power has failed,
/// finds what was there before or what is there now.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = beside(path, &format!("new-{}", std::process::id()));
    let result = write(&new, bytes).and_then(|()| fs::rename(&new, path));
    if result.is_err() {
        // What was begun is of no use; that it could not be finished is what is told.
        let _ = fs::remove_file(&new);
        return result;
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // One of a process that was killed may be there.
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    let options = options.write(true).create_new(true).mode(OWNER_ONLY);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Adds a line to the end of a file, safe from a power failure when it returns. A line that a crash has cut off stays
/// as it is, by itself.
pub(crate) fn append(path: &Path, line: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let options = options.read(true).append(true).create(true);
    let mut file = options.mode(OWNER_ONLY).open(path)?;
    let mut text = String::with_capacity(line.len() + 2);
    if file.seek(SeekFrom::End(0))? > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            text.push('\n');
        }
    }
    text.push_str(line);
    text.push('\n');
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// A lock beside the file, that of all processes one has. It is given back when it is dropped.
pub(crate) fn lock(path: &Path) -> io::Result<File> {
    let file = open_lock(path)?;
    file.lock()?;
    Ok(file)
}

/// The same if nobody has it.
pub(crate) fn try_lock(path: &Path) -> io::Result<Option<File>> {
    let file = open_lock(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(error)) => Err(error),
    }
}

fn open_lock(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let options = options.write(true).create(true).truncate(false);
    options.mode(OWNER_ONLY).open(beside(path, "lock"))
}

/// A file beside this one: its name, a point, and this.
pub(crate) fn beside(path: &Path, what: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(what);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_for_its_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("users.json");
        assert_eq!((read(&path).unwrap(), stamp(&path).unwrap()), (None, None));
        replace(&path, b"one").unwrap();
        let first = stamp(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        replace(&path, b"two").unwrap();
        assert_eq!(read(&path).unwrap().unwrap(), "two");
        assert_ne!(stamp(&path).unwrap(), first);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let refused = read(&path).unwrap_err().to_string();
        assert!(refused.contains("chmod 600"), "{refused}");
    }

    #[test]
    fn a_line_that_a_crash_cut_off_does_not_spoil_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("users.json.record");
        append(&path, "one").unwrap();
        OpenOptions::new()
            .append(true)
            .open(&path)
            .unwrap()
            .write_all(b"tw")
            .unwrap();
        append(&path, "three").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntw\nthree\n");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_lock_has_one_holder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("users.json");
        let held = lock(&path).unwrap();
        assert!(try_lock(&path).unwrap().is_none());
        drop(held);
        assert!(try_lock(&path).unwrap().is_some());
    }
}
