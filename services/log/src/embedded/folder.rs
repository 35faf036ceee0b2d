//! The folder of a log: one owner, and files that are whole.

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// The files of a log that is there.
pub(super) fn existing(folder: &Path) -> Result<PathBuf> {
    let data = folder.join("log");
    not_above(folder)?;
    let no_log = || Error::NoLog {
        folder: folder.to_owned(),
        near: None,
    };
    match fs::metadata(&data) {
        Ok(found) if found.is_dir() => Ok(data),
        Ok(_) => Err(no_log()),
        Err(error) => match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Err(no_log()),
            // What may not be seen may be there.
            _ => io("see", &data, Err(error)),
        },
    }
}

/// The folder above that of a log, such as a demo's, looks like one: its `log` is a log, and not the files of one.
pub(super) fn not_above(folder: &Path) -> Result<()> {
    let near = folder.join("log");
    match near.join("log").is_dir() {
        true => Err(Error::NoLog {
            folder: folder.to_owned(),
            near: Some(near),
        }),
        false => Ok(()),
    }
}

/// Makes the folder this process's own.
pub(super) fn lock(folder: &Path) -> Result<File> {
    let path = folder.join("lock");
    let mut options = File::options();
    let options = options.create(true).truncate(false).write(true);
    let file = io("open", &path, options.open(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let folder = folder.to_owned();
            Err(Error::Locked { folder })
        }
        Err(TryLockError::Error(error)) => io("lock", &path, Err(error)),
    }
}

/// Where the files of the log are. `make` makes those of a new log.
///
/// A process killed while it makes them would leave something that cannot be opened: they are made
/// beside, and put in place when they are whole.
pub(super) fn in_place(folder: &Path, make: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let data = folder.join("log");
    if !data.exists() {
        let new = folder.join("new");
        if new.exists() {
            io("remove", &new, fs::remove_dir_all(&new))?;
        }
        make(&new)?;
        io("rename", &new, fs::rename(&new, &data))?;
        let place = io("open", folder, File::open(folder))?;
        io("sync", folder, place.sync_all())?;
    }
    Ok(data)
}

pub(super) fn io<T>(what: &'static str, path: &Path, result: std::io::Result<T>) -> Result<T> {
    result.map_err(|source| Error::Io {
        what,
        path: path.to_owned(),
        source,
    })
}
