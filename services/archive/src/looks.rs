//! Looks at the archive that are on record beside its tables, until an archiver's house brings them to the log.
//!
//! A command line has the archive and no log. It is the one reader that writes, and this is all that it writes: a
//! file for each record, named by its question, that nobody changes afterwards.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use catwalk_events::audit::Access;
use deltalake::{DeltaTableError, ObjectStoreError};
use futures::TryStreamExt as _;

use crate::{Archive, Error, Result};

/// The folder beside the tables.
const FOLDER: &str = "_access";
/// So many are taken at a time.
const AT_ONCE: usize = 10_000;

/// A record that lies beside the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Of its file.
    pub name: String,
    pub access: Access,
}

impl Archive {
    /// Puts a look on record. It is safe when this returns.
    pub async fn note(&self, access: &Access) -> Result<()> {
        let name = format!("{}-{}.json", access.id, access.stage.name());
        let bytes = serde_json::to_vec(access)?;
        let Some(folder) = self.folder().map(|folder| folder.join(FOLDER)) else {
            let path = format!("{FOLDER}/{name}").into();
            let store = self.root_store()?;
            let written = store.put_opts(&path, bytes.into(), Default::default());
            written.await.map_err(DeltaTableError::from)?;
            return Ok(());
        };
        let write = || {
            fs::create_dir_all(&folder)?;
            // A name without the ending is not read: half a record is none.
            let (new, path) = (folder.join(format!("{name}.new")), folder.join(&name));
            let mut file = File::create(&new)?;
            file.write_all(&bytes)?;
            file.sync_all()?;
            fs::rename(&new, &path)?;
            File::open(&folder)?.sync_all()
        };
        write().map_err(|error| Error::Disk {
            path: folder.join(&name),
            error,
        })
    }

    /// The records that lie beside the tables. One that does not read is left where it is.
    pub async fn looks(&self) -> Result<Vec<Look>> {
        let mut looks = match self.folder() {
            Some(folder) => in_folder(&folder.join(FOLDER))?,
            None => self.in_store().await?,
        };
        looks.sort_by(|a, b| (a.access.at, &a.name).cmp(&(b.access.at, &b.name)));
        Ok(looks)
    }

    async fn in_store(&self) -> Result<Vec<Look>> {
        let store = self.root_store()?;
        let prefix = FOLDER.into();
        let listed: Vec<_> = store
            .list(Some(&prefix))
            .try_collect()
            .await
            .map_err(DeltaTableError::from)?;
        let mut looks = Vec::new();
        for found in listed.into_iter().take(AT_ONCE) {
            let got = store.get_opts(&found.location, Default::default()).await;
            let bytes = match got {
                Ok(got) => got.bytes().await.map_err(DeltaTableError::from)?,
                Err(ObjectStoreError::NotFound { .. }) => continue,
                Err(error) => return Err(DeltaTableError::from(error).into()),
            };
            let name = found.location.filename().unwrap_or_default();
            looks.extend(read(name, &bytes));
        }
        Ok(looks)
    }

    /// Takes a record away that is on the log now.
    pub async fn forget(&self, look: &Look) -> Result<()> {
        if let Some(folder) = self.folder() {
            let path = folder.join(FOLDER).join(&look.name);
            return match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    Err(Error::Disk { path, error })
                }
                _ => Ok(()),
            };
        }
        let path = format!("{FOLDER}/{}", look.name).into();
        let store = self.root_store()?;
        let gone = store.delete_stream(Box::pin(futures::stream::iter([Ok(path)])));
        let gone: std::result::Result<Vec<_>, _> = gone.try_collect().await;
        gone.map_err(DeltaTableError::from)?;
        Ok(())
    }
}

fn in_folder(folder: &Path) -> Result<Vec<Look>> {
    let failed = |error| Error::Disk {
        path: folder.to_owned(),
        error,
    };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut looks = Vec::new();
    for entry in entries.take(AT_ONCE) {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.ends_with(".json") {
            continue;
        }
        match fs::read(entry.path()) {
            Ok(bytes) => looks.extend(read(&name, &bytes)),
            // It was brought to the log just now.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(looks)
}

fn read(name: &str, bytes: &[u8]) -> Option<Look> {
    let access = serde_json::from_slice(bytes).ok()?;
    let name = name.to_owned();
    Some(Look { name, access })
}
