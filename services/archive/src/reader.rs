//! The tables as whoever asks finds them: their files, at versions that belong together.

use std::collections::BTreeMap;
use std::sync::Arc;

use deltalake::kernel::engine::arrow_conversion::TryIntoKernel as _;
use deltalake::kernel::{LogicalFileView, StructType};
use deltalake::table::state::DeltaTableState;
use deltalake::{DeltaTable, ObjectStore};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cut::{Cut, same_rows};
use crate::ledger::{SHA256, SORTED_BY};
use crate::{Archive, Error, PARTITION, Result, TABLES, Table};

/// A table at one version: the files that make it. Another machine that has the archive too reads the same rows by it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableVersion {
    pub table: String,
    pub version: u64,
    pub files: Vec<DataFile>,
}

/// A Parquet file of a table, and what the table's log says of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DataFile {
    /// Within the table's folder.
    pub path: String,
    pub bytes: u64,
    /// Milliseconds since 1970.
    pub modified: i64,
    /// Of all its rows; it is not in the file.
    pub gaming_day: Option<String>,
    pub rows: Option<u64>,
    /// Its rows are in the order of the table.
    pub sorted: bool,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    #[serde(default)]
    pub sha256: Option<String>,
    /// The least and greatest values of its columns, as JSON has them, and how many have none.
    #[serde(default)]
    pub least: BTreeMap<String, Value>,
    #[serde(default)]
    pub greatest: BTreeMap<String, Value>,
    #[serde(default)]
    pub nulls: BTreeMap<String, u64>,
}

/// The tables of an archive as they are now.
#[derive(Clone, Debug)]
pub struct Tables {
    /// Those that are there, at versions that belong together.
    pub found: Vec<Arc<TableVersion>>,
    /// Those that an archiver has made, but not filled as far as the others yet.
    pub unfilled: Vec<&'static str>,
    pub missing: Vec<&'static str>,
}

/// Follows the tables of an archive. What it has read of a table's log it does not read again.
#[derive(Debug)]
pub struct Reader {
    archive: Archive,
    tables: BTreeMap<&'static str, (DeltaTable, Arc<TableVersion>)>,
}

impl Archive {
    /// Reads nothing yet.
    pub fn reader(&self) -> Reader {
        Reader {
            archive: self.clone(),
            tables: BTreeMap::new(),
        }
    }

    /// Where the files of a table are: their paths begin in its folder.
    pub fn files_of(&self, table: &Table) -> Result<Arc<dyn ObjectStore>> {
        Ok(self.log_store(table)?.object_store(None))
    }
}

impl Archive {
    /// A table as whoever reads Delta Lake finds it, who does not know of cuts: at its newest version.
    pub(crate) async fn newest_of(&self, table: &'static Table) -> Result<Option<TableVersion>> {
        match self.table(table).await? {
            Some(delta) => TableVersion::of(table, delta.snapshot()?).map(Some),
            None => Ok(None),
        }
    }
}

impl Reader {
    /// The tables as they are now, all at versions that belong together.
    pub async fn newest(&mut self) -> Result<Tables> {
        let cut = self.archive.cut().await?;
        let mut tables = Tables {
            found: Vec::with_capacity(TABLES.len()),
            unfilled: Vec::new(),
            missing: Vec::new(),
        };
        for table in TABLES {
            match self.table(table, cut.as_ref()).await? {
                Some(found) => tables.found.push(found),
                None if self.tables.contains_key(table.name) => tables.unfilled.push(table.name),
                None => tables.missing.push(table.name),
            }
        }
        Ok(tables)
    }

    async fn table(
        &mut self,
        table: &'static Table,
        cut: Option<&Cut>,
    ) -> Result<Option<Arc<TableVersion>>> {
        let (mut delta, known) = match self.tables.remove(table.name) {
            Some((delta, known)) => (delta, Some(known)),
            None => match self.archive.table(table).await? {
                Some(delta) => (delta, None),
                None => return Ok(None),
            },
        };
        let named = cut.map(|cut| cut.versions.get(table.name).copied());
        match named {
            // A table of the archive that no cut has had yet.
            Some(None) => {}
            Some(Some(version)) => {
                let version = same_rows(&delta, version).await?;
                if delta.version() != Some(version) {
                    let loaded = delta.load_version(version).await;
                    loaded.map_err(|error| {
                        let name = table.name;
                        let wrong = format!("version {version} of {name} cannot be read ({error})");
                        self.archive.wrong_cut(wrong)
                    })?;
                }
            }
            None => delta.update_state().await?,
        }
        if let Some(version) = delta.version() {
            let after = known.as_ref().map(|known| known.version);
            self.archive.check_commits(table, after, version)?;
        }
        let version = match known {
            Some(known) if Some(known.version) == delta.version() => known,
            _ => Arc::new(TableVersion::of(table, delta.snapshot()?)?),
        };
        self.tables
            .insert(table.name, (delta, Arc::clone(&version)));
        Ok(match named {
            Some(None) => None,
            _ => Some(version),
        })
    }
}

impl TableVersion {
    fn of(table: &'static Table, state: &DeltaTableState) -> Result<TableVersion> {
        let not_read = |feature| Error::NotRead {
            table: table.name,
            feature,
        };
        let mapping = state
            .metadata()
            .configuration()
            .get("delta.columnMapping.mode");
        if mapping.is_some_and(|mode| mode != "none") {
            return Err(not_read("column mapping"));
        }
        let found = state.schema();
        let wanted: StructType = table.schema().as_ref().try_into_kernel()?;
        let fits = wanted
            .fields()
            .all(|wanted| match found.field(wanted.name()) {
                Some(found) => found.data_type() == wanted.data_type(),
                None => wanted.is_nullable(),
            });
        if !fits {
            return Err(table.other_columns());
        }
        let mut files = Vec::new();
        for file in state.log_data().iter() {
            if file.deletion_vector_descriptor().is_some() {
                return Err(not_read("deletion vectors"));
            }
            files.push(DataFile::of(table, &file)?);
        }
        // The same files come in the same order, whichever way the table's log was read.
        files.sort_by(|a, b| (&a.gaming_day, &a.path).cmp(&(&b.gaming_day, &b.path)));
        Ok(TableVersion {
            table: table.name.to_owned(),
            version: state.version(),
            files,
        })
    }
}

/// What a table's log says of the values of a file.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct FileStatistics {
    num_records: Option<u64>,
    min_values: BTreeMap<String, Value>,
    max_values: BTreeMap<String, Value>,
    null_count: BTreeMap<String, Value>,
}

impl DataFile {
    pub(crate) fn of(table: &Table, file: &LogicalFileView) -> Result<DataFile> {
        let statistics = match file.stats() {
            Some(text) => serde_json::from_str(&text)?,
            None => FileStatistics::default(),
        };
        let nulls = statistics.null_count.into_iter();
        let nulls = nulls.filter_map(|(name, count)| Some((name, count.as_u64()?)));
        let order = table.sorted_by.join(",");
        Ok(DataFile {
            path: file.object_store_path().to_string(),
            bytes: file.size().unsigned_abs(),
            modified: file.modification_time(),
            gaming_day: file.partition_values_map().remove(PARTITION).flatten(),
            rows: statistics.num_records,
            sorted: tag(file, SORTED_BY).is_some_and(|tag| tag == order),
            sha256: tag(file, SHA256),
            least: without_nothing(statistics.min_values),
            greatest: without_nothing(statistics.max_values),
            nulls: nulls.collect(),
        })
    }
}

fn without_nothing(mut values: BTreeMap<String, Value>) -> BTreeMap<String, Value> {
    values.retain(|_, value| !value.is_null());
    values
}

#[expect(deprecated, reason = "there is no other way to the tags of a file")]
fn tag(file: &LogicalFileView, name: &str) -> Option<String> {
    file.add_action().tags?.remove(name).flatten()
}
