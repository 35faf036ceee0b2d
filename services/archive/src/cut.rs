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
//!
//! Several archivers take turns: whoever has flushed writes the cut of all. Where another has crashed in the middle of
//! its flush, nobody can until its partitions are taken over and brought to the same place in all tables; how far the
//! others have come meanwhile is noted as what lies ahead of the cut.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use catwalk_log::Partition;
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
    /// The same of partitions whose tables have all come further since, while those of others had not.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) ahead: BTreeMap<String, u64>,
}

impl Cut {
    /// How far all tables of a partition's topic have come in it.
    pub(crate) fn come_to(&self, partition: Partition) -> u64 {
        let name = partition.to_string();
        let come = self.ahead.get(&name).or_else(|| self.reached.get(&name));
        come.copied().unwrap_or(0)
    }

    /// The cut after some partitions have come further. `others` says how far any table has come in the partitions of
    /// other archivers: whose tables differ there, has crashed, and until that is mended the former versions stay.
    pub(crate) fn after(
        &self,
        reached: BTreeMap<String, u64>,
        others: impl IntoIterator<Item = (Partition, u64)>,
        versions: BTreeMap<String, u64>,
    ) -> Cut {
        let is_torn = others
            .into_iter()
            .any(|(partition, next)| next > self.come_to(partition));
        if is_torn {
            let mut cut = self.clone();
            cut.ahead.extend(reached);
            return cut;
        }
        let mut cut = Cut {
            versions,
            reached: self.reached.clone(),
            ahead: BTreeMap::new(),
        };
        cut.reached.extend(self.ahead.clone());
        cut.reached.extend(reached);
        // Whoever has erased rows meanwhile has put a later version there than is known here.
        for (table, version) in &mut cut.versions {
            *version = (*version).max(self.versions.get(table).copied().unwrap_or(0));
        }
        cut
    }
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

    fn map<K: Clone + Ord>(entries: &[(K, u64)]) -> BTreeMap<K, u64> {
        entries.iter().cloned().collect()
    }

    #[test]
    fn a_cut_waits_for_the_partitions_of_an_archiver_that_has_crashed() {
        let [own, other] = [0, 1].map(|index| catwalk_log::Topic::Findings.partition(index));
        let named = |partition: Partition, next| (partition.to_string(), next);
        let versions = |version| map(&[("findings".to_owned(), version)]);
        let first = Cut::default().after(map(&[named(own, 5)]), [(other, 0)], versions(1));
        assert_eq!(first.versions, versions(1));
        // One table of the other has come to 3, and nobody says that all have.
        let torn = first.after(map(&[named(own, 9)]), [(other, 3)], versions(4));
        assert_eq!(
            (&torn.versions, &torn.reached),
            (&first.versions, &first.reached)
        );
        assert_eq!((torn.come_to(own), torn.come_to(other)), (9, 0));
        // Whoever has its partitions now has brought them to 4.
        let mended = torn.after(map(&[named(other, 4)]), [(own, 9)], versions(7));
        assert_eq!(mended.versions, versions(7));
        assert_eq!(mended.reached, map(&[named(own, 9), named(other, 4)]));
        assert!(mended.ahead.is_empty());
    }

    #[tokio::test]
    async fn a_cut_that_does_not_read_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::at(folder.path().to_str().unwrap()).unwrap();
        assert_eq!(archive.cut().await.unwrap(), None);
        let cut = Cut {
            versions: BTreeMap::from([("rounds".to_owned(), 7)]),
            ..Cut::default()
        };
        archive.write_cut(&cut, true).await.unwrap();
        assert_eq!(archive.cut().await.unwrap(), Some(cut));
        fs::write(folder.path().join(FILE), "{").unwrap();
        let error = archive.cut().await.unwrap_err().to_string();
        assert!(error.contains("_cut.json: it does not read"), "{error}");
    }
}
