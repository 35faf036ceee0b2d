//! Commits in a folder of this machine that survive a power failure.
//!
//! The files of a commit reach the disk before it, and it has reached the disk when it counts. What a
//! failing power supply leaves half-written is a commit that never counted: it is taken away when the
//! table is opened, and its records are read from the log again.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use deltalake::kernel::Action;
use serde_json::Value;

use crate::{Error, Result};

const LAST_CHECKPOINT: &str = "_last_checkpoint";

/// The folder of a table.
#[derive(Debug)]
pub(crate) struct Disk {
    folder: PathBuf,
    log: PathBuf,
}

impl Disk {
    pub(crate) fn new(folder: &Path) -> Disk {
        Disk {
            folder: folder.to_owned(),
            log: folder.join("_delta_log"),
        }
    }

    /// Waits until the disk has the files that a commit adds.
    pub(crate) fn sync_data(&self, actions: &[Action]) -> Result<()> {
        for action in actions {
            if let Action::Add(add) = action {
                let file = self.folder.join(&add.path);
                sync(&file)?;
                file.parent().map_or(Ok(()), sync)?;
            }
        }
        sync(&self.folder)
    }

    /// Waits until the disk has a commit, and the checkpoint that may have followed it.
    pub(crate) fn sync_log(&self, version: u64) -> Result<()> {
        let number = number(version);
        for file in self.log_files()? {
            let name = file
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            if name.starts_with(&number) || name == LAST_CHECKPOINT {
                sync(&file)?;
            }
        }
        sync(&self.log)
    }

    /// Takes away a last commit, or a checkpoint, that is only half there.
    pub(crate) fn mend(&self) -> Result<()> {
        let Ok(files) = self.log_files() else {
            return Ok(());
        };
        let is = |end: &'static str| {
            let ends = move |file: &&PathBuf| file.to_string_lossy().ends_with(end);
            files.iter().filter(ends)
        };
        if let Some(last) = is(".json").max()
            && !is_whole_commit(last)?
        {
            remove(last)?;
        }
        if let Some(last) = is(".checkpoint.parquet").max()
            && !is_whole_parquet(last)?
        {
            remove(last)?;
            let pointer = self.log.join(LAST_CHECKPOINT);
            if pointer.exists() {
                remove(&pointer)?;
            }
        }
        Ok(())
    }

    fn log_files(&self) -> Result<Vec<PathBuf>> {
        let entries = fs::read_dir(&self.log).map_err(at(&self.log))?;
        let paths = entries.map(|entry| Ok(entry?.path()));
        paths.collect::<io::Result<_>>().map_err(at(&self.log))
    }
}

/// A version as the names of its files begin.
fn number(version: u64) -> String {
    format!("{version:020}.")
}

fn is_whole_commit(file: &Path) -> Result<bool> {
    let text = fs::read(file).map_err(at(file))?;
    let mut lines = text
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .peekable();
    let some = lines.peek().is_some();
    Ok(some && lines.all(|line| serde_json::from_slice::<Value>(line).is_ok()))
}

fn is_whole_parquet(file: &Path) -> Result<bool> {
    let bytes = fs::read(file).map_err(at(file))?;
    Ok(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"))
}

fn sync(path: &Path) -> Result<()> {
    File::open(path)
        .and_then(|file| file.sync_all())
        .map_err(at(path))
}

fn remove(path: &Path) -> Result<()> {
    fs::remove_file(path).map_err(at(path))
}

fn at(path: &Path) -> impl Fn(io::Error) -> Error {
    move |error| Error::Disk {
        path: path.to_owned(),
        error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(files: &[(&str, &str)]) -> (tempfile::TempDir, Disk) {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::new(folder.path());
        fs::create_dir(&disk.log).unwrap();
        for (name, text) in files {
            fs::write(disk.log.join(name), text).unwrap();
        }
        disk.mend().unwrap();
        (folder, disk)
    }

    fn names(disk: &Disk) -> Vec<String> {
        let files = disk.log_files().unwrap();
        let mut names: Vec<_> = files
            .iter()
            .map(|file| file.file_name().unwrap().to_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_commit_that_is_half_there_is_taken_away() {
        for torn in ["", "{\"commitInfo\":{}}\n{\"add\":{\"pa"] {
            let (_folder, disk) = log(&[("00.json", "{\"protocol\":{}}"), ("01.json", torn)]);
            assert_eq!(names(&disk), ["00.json"], "{torn:?}");
        }
    }

    #[test]
    fn a_whole_commit_stays() {
        let (_folder, disk) = log(&[("00.json", "{\"protocol\":{}}\n{\"txn\":{}}\n")]);
        assert_eq!(names(&disk), ["00.json"]);
    }

    #[test]
    fn a_checkpoint_that_is_half_there_goes_with_what_points_to_it() {
        let (_folder, disk) = log(&[
            ("00.json", "{}"),
            ("00.checkpoint.parquet", "PAR1 and then nothing"),
            (LAST_CHECKPOINT, "{\"version\":0}"),
        ]);
        assert_eq!(names(&disk), ["00.json"]);
    }

    #[test]
    fn a_table_that_is_not_there_needs_no_mending() {
        Disk::new(Path::new("/nowhere/at/all")).mend().unwrap();
    }
}
