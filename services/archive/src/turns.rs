//! Who may do what of several archivers: locks of the operating system, which go with the process that has them.
//!
//! A flush commits one table after the other, and the tables fit together only behind the last of them. Were two
//! archivers to commit at once, there might never be versions of all tables that fit. So whoever commits has the turn.
//! What takes long, the files with the rows, is written before.
//!
//! A tree has one writer at a time: its lane is held from when it is opened until it is closed. Should the log have
//! given the partition to somebody else meanwhile, that one waits. Where nobody holds a lane for long, the log has
//! given its partition to an archiver of another archive, and it would be missing here.

use std::fs::{self, File, TryLockError};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Archive, Error, Result, SealError};

/// The folder of the locks, beside the tables or, where those are in an object store, in that of the trees.
const FOLDER: &str = "_turns";
/// The file of the turn to commit.
const TURN: &str = "commit";
/// The file with the name of the archive, which is made up when it is first asked for.
const NAME: &str = "name";
/// Who holds a lane gives it back within this time, or has not noticed that it is another's now.
const PATIENCE: Duration = Duration::from_secs(10);
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// The locks of an archive.
#[derive(Clone, Debug)]
pub(crate) struct Turns {
    folder: PathBuf,
}

/// A lock, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    _file: File,
}

impl Archive {
    /// The locks of this archive; `None` where there is no folder for them, and so no second archiver.
    pub(crate) fn turns(&self, trees: Option<&Path>) -> Result<Option<Turns>> {
        let beside = self.folder().or_else(|| trees.map(Path::to_owned));
        let Some(folder) = beside.map(|folder| folder.join(FOLDER)) else {
            return Ok(None);
        };
        fs::create_dir_all(&folder).map_err(disk(&folder))?;
        Ok(Some(Turns { folder }))
    }
}

impl Turns {
    /// Waits for the turn to commit.
    pub(crate) fn take(&self) -> Result<Turn> {
        let path = self.folder.join(TURN);
        let file = open(&path)?;
        file.lock().map_err(disk(&path))?;
        Ok(Turn { _file: file })
    }

    /// What only those call the archive who see the same folder: a copy of it has another name.
    pub(crate) fn name(&self) -> Result<String> {
        let _turn = self.take()?;
        let path = self.folder.join(NAME);
        if !path.exists() {
            let mut random = [0; 8];
            getrandom::fill(&mut random).map_err(|error| SealError::Random(error.to_string()))?;
            let new = self.folder.join(format!("{NAME}.new"));
            let written = fs::write(&new, format!("{:016x}", u64::from_be_bytes(random)));
            written
                .and_then(|()| fs::rename(&new, &path))
                .map_err(disk(&path))?;
        }
        let name = fs::read_to_string(&path).map_err(disk(&path))?;
        let file = fs::metadata(&path).map_err(disk(&path))?;
        Ok(format!("{}-{:x}", name.trim(), file.ino()))
    }

    /// Whether somebody holds a lane now.
    pub(crate) fn is_held(&self, lane: u32) -> Result<bool> {
        let path = self.folder.join(format!("{lane:03}"));
        match open(&path)?.try_lock() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(error)) => Err(disk(&path)(error)),
        }
    }

    /// Holds a lane, as soon as whoever had it before has let it go.
    pub(crate) fn hold(&self, lane: u32) -> Result<Turn> {
        let path = self.folder.join(format!("{lane:03}"));
        let file = open(&path)?;
        let until = Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Turn { _file: file }),
                Err(TryLockError::WouldBlock) if Instant::now() < until => {
                    thread::sleep(LOOK_AGAIN);
                }
                Err(TryLockError::WouldBlock) => return Err(SealError::Held { lane, path }.into()),
                Err(TryLockError::Error(error)) => return Err(disk(&path)(error)),
            }
        }
    }
}

fn open(path: &Path) -> Result<File> {
    let mut options = File::options();
    let opened = options.create(true).truncate(false).write(true).open(path);
    opened.map_err(disk(path))
}

fn disk(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.to_owned();
    |error| Error::Disk { path, error }
}
