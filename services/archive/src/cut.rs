//! Which versions of the tables belong together.
//!
//! Every table is a Delta table of its own, and a flush commits one after the other. Between two of those commits the
//! newest versions do not fit: a round may be in `rounds` whose wagers are not in `wagers` yet. So when a flush has
//! committed all tables, the archiver writes the versions down in one file beside them, which is replaced as a whole.
//! That is a cut. All tables of one topic have in it exactly what one and the same stretch of the topic brought, up
//! to the offsets that it names; whoever joins them misses nothing and sees nothing twice. Topics are read side by
//! side, so a round may be in a cut whose last events come with the next one.
//!
//! A commit that changes no row, as compaction makes them, may be added to a cut at any time.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use deltalake::{DeltaTable, DeltaTableBuilder, DeltaTableError, ObjectStoreError};
use serde::{Deserialize, Serialize};

use crate::{Archive, Error, Result};

const FILE: &str = "_cut.json";

/// Versions of tables that belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cut {
    /// By table.
    pub(crate) versions: BTreeMap<String, u64>,
    /// The offset of the record to come next, by partition of the log.
    pub(crate) reached: BTreeMap<String, u64>,
}

impl Archive {
    /// The last cut; `None` in an archive that no archiver has made one of yet.
    pub(crate) async fn cut(&self) -> Result<Option<Cut>> {
        let bytes = match self.folder() {
            Some(folder) => match fs::read(folder.join(FILE)) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(disk(&folder.join(FILE))(error)),
            },
            None => match self.get(FILE).await? {
                Some(bytes) => bytes,
                None => return Ok(None),
            },
        };
        let cut = serde_json::from_slice(&bytes);
        cut.map(Some)
            .map_err(|error| self.wrong_cut(format!("it does not read ({error})")))
    }

    pub(crate) fn wrong_cut(&self, wrong: String) -> Error {
        let location = format!("{self}/{FILE}");
        let wrong = format!("{wrong}; an archiver writes it anew: `catwalk up`");
        Error::Cut { location, wrong }
    }

    /// Replaces the cut; with `sync` it has reached the disk when this returns.
    pub(crate) async fn write_cut(&self, cut: &Cut, sync: bool) -> Result<()> {
        let bytes = serde_json::to_vec(cut)?;
        let Some(folder) = self.folder() else {
            let store = self.root_store()?;
            let path = FILE.into();
            let written = store.put_opts(&path, bytes.into(), Default::default());
            written.await.map_err(DeltaTableError::from)?;
            return Ok(());
        };
        let (path, new) = (folder.join(FILE), folder.join(format!("{FILE}.new")));
        let mut file = File::create(&new).map_err(disk(&new))?;
        file.write_all(&bytes).map_err(disk(&new))?;
        if sync {
            file.sync_all().map_err(disk(&new))?;
        }
        fs::rename(&new, &path).map_err(disk(&path))?;
        match sync {
            true => File::open(&folder)
                .and_then(|folder| folder.sync_all())
                .map_err(disk(&folder)),
            false => Ok(()),
        }
    }

    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let store = self.root_store()?;
        match store.get_opts(&name.into(), Default::default()).await {
            Ok(got) => {
                let bytes = got.bytes().await.map_err(DeltaTableError::from)?;
                Ok(Some(bytes.to_vec()))
            }
            Err(ObjectStoreError::NotFound { .. }) => Ok(None),
            Err(error) => Err(DeltaTableError::from(error).into()),
        }
    }

    pub(crate) fn root_store(&self) -> Result<std::sync::Arc<dyn deltalake::ObjectStore>> {
        let builder = DeltaTableBuilder::from_url(self.root().clone())?;
        let storage = builder
            .with_storage_options(self.options().clone())
            .build_storage()?;
        Ok(storage.object_store(None))
    }
}

/// The newest version of a table that has the same rows as the given one.
pub(crate) async fn same_rows(delta: &DeltaTable, mut version: u64) -> Result<u64> {
    let log = delta.log_store();
    while let Some(commit) = log.read_commit_entry(version + 1).await? {
        let lines = commit.split(|byte| *byte == b'\n');
        let mut lines = lines.filter(|line| !line.is_empty());
        if lines.any(changes_rows) {
            break;
        }
        version += 1;
    }
    Ok(version)
}

/// Whether a line of a commit adds rows to a table or takes some away. What does not read, does.
fn changes_rows(line: &[u8]) -> bool {
    let Ok(line) = serde_json::from_slice::<serde_json::Value>(line) else {
        return true;
    };
    let files = [line.get("add"), line.get("remove")];
    let mut files = files.into_iter().flatten();
    files.any(|file| file["dataChange"] != serde_json::Value::Bool(false))
}

fn disk(path: &Path) -> impl Fn(std::io::Error) -> Error {
    move |error| Error::Disk {
        path: path.to_owned(),
        error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_commit_that_says_so_changes_no_row() {
        for (line, changes) in [
            (r#"{"commitInfo":{"operation":"OPTIMIZE"}}"#, false),
            (r#"{"add":{"path":"a","dataChange":false}}"#, false),
            (r#"{"remove":{"path":"a","dataChange":false}}"#, false),
            (r#"{"add":{"path":"a","dataChange":true}}"#, true),
            (r#"{"remove":{"path":"a"}}"#, true),
            ("{\"add\":{\"pa", true),
        ] {
            assert_eq!(changes_rows(line.as_bytes()), changes, "{line}");
        }
    }

    #[tokio::test]
    async fn a_cut_that_does_not_read_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::at(folder.path().to_str().unwrap()).unwrap();
        assert_eq!(archive.cut().await.unwrap(), None);
        let cut = Cut {
            versions: BTreeMap::from([("rounds".to_owned(), 7)]),
            reached: BTreeMap::new(),
        };
        archive.write_cut(&cut, true).await.unwrap();
        assert_eq!(archive.cut().await.unwrap(), Some(cut));
        fs::write(folder.path().join(FILE), "{").unwrap();
        let error = archive.cut().await.unwrap_err().to_string();
        assert!(error.contains("_cut.json: it does not read"), "{error}");
    }
}
