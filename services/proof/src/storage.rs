//! Where tiles and heads are kept.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The I/O of a tree: small files by name. A name is a path with `/`.
pub trait Storage {
    /// The whole file; `None` where there is none.
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Writes a file whole, or replaces it whole: whoever reads sees the old or the new. It need not outlast
    /// a loss of power before [`Storage::sync`].
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// All that was written lies on the disk when this returns.
    fn sync(&self) -> io::Result<()>;

    /// Deletes a file that may be missing.
    fn delete(&self, name: &str) -> io::Result<()>;
}

/// A folder of this machine.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    syncs: bool,
}

impl Folder {
    /// The folder need not exist yet: the first write makes it.
    pub fn new(path: impl Into<PathBuf>) -> Folder {
        Folder {
            path: path.into(),
            syncs: true,
        }
    }

    /// Leaves it to the machine when the disk has what was written: a loss of power may lose it.
    #[must_use]
    pub fn unsynced(mut self) -> Folder {
        self.syncs = false;
        self
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Storage for Folder {
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match fs::read(self.path.join(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.path.join(name);
        let folder = path.parent().unwrap_or(&self.path);
        fs::create_dir_all(folder)?;
        let mut unfinished = path.clone().into_os_string();
        unfinished.push(".new");
        File::create(&unfinished)?.write_all(bytes)?;
        fs::rename(&unfinished, &path)
    }

    /// One call for the whole file system: thousands of tiles are cheaper so than one by one.
    fn sync(&self) -> io::Result<()> {
        if !self.syncs {
            return Ok(());
        }
        match File::open(&self.path) {
            Ok(folder) => Ok(rustix::fs::syncfs(folder)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}
