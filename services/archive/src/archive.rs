//! Where the tables are.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::Path;

use deltalake::kernel::engine::arrow_conversion::TryIntoKernel as _;
use deltalake::kernel::{StructField, StructType};
use deltalake::logstore::LogStoreRef;
use deltalake::operations::create::CreateBuilder;
use deltalake::protocol::SaveMode;
use deltalake::table::config::TableProperty;
use deltalake::{DeltaTable, DeltaTableBuilder, DeltaTableError};
use url::Url;

use crate::column::Column;
use crate::seal::LEAF;
use crate::{Error, PARTITION, Result, Table};

/// Commits after which a table's log is summed up in one file, so that opening it stays quick.
const CHECKPOINT_COMMITS: &str = "50";

/// So many commits are looked at before the newest; more than lie between two checkpoints.
const COMMITS_LOOKED_AT: u64 = 100;

/// A place with the tables of the archive: a folder of this machine or an object store.
#[derive(Clone, Debug)]
pub struct Archive {
    root: Url,
    options: HashMap<String, String>,
}

impl Archive {
    /// The archive in a folder or at a URL. Nothing is read or created yet.
    pub fn at(location: &str) -> Result<Archive> {
        let refused = |reason: String| Error::Location {
            location: location.to_owned(),
            reason,
        };
        let root = match Url::parse(location) {
            // A single letter is a drive, not a scheme.
            Ok(url) if url.scheme().len() > 1 => url,
            _ => {
                let folder = std::path::absolute(Path::new(location))
                    .map_err(|error| refused(error.to_string()))?;
                Url::from_directory_path(folder)
                    .map_err(|()| refused("the path has no URL".to_owned()))?
            }
        };
        if root.cannot_be_a_base() {
            return Err(refused("it has no path".to_owned()));
        }
        Ok(Archive {
            root,
            options: HashMap::new(),
        })
    }

    /// Settings of the object store, as its crate names them (`aws_region`, `aws_endpoint`).
    #[must_use]
    pub fn with_options(mut self, options: HashMap<String, String>) -> Archive {
        self.options = options;
        self
    }

    /// The folder, if it is one of this machine.
    pub fn folder(&self) -> Option<std::path::PathBuf> {
        (self.root.scheme() == "file").then(|| self.root.to_file_path().ok())?
    }

    /// The table as it is now; `None` where nothing was archived yet.
    pub async fn table(&self, table: &Table) -> Result<Option<DeltaTable>> {
        let folder = self.folder().map(|folder| folder.join(table.name));
        if folder.is_some_and(|folder| !may_be_there(&folder)) {
            return Ok(None);
        }
        let mut delta = self.builder(table)?.build()?;
        match delta.load().await {
            Ok(()) => Ok(Some(delta)),
            Err(DeltaTableError::NotATable(_) | DeltaTableError::InvalidVersion(_)) => Ok(None),
            Err(error) => match delta.verify_deltatable_existence().await {
                Ok(false) => Ok(None),
                _ => Err(error.into()),
            },
        }
    }

    /// The table, created where it is not there yet, with columns added that it does not have yet.
    pub(crate) async fn ensure(&self, table: &'static Table) -> Result<DeltaTable> {
        let delta = match self.table(table).await? {
            Some(delta) => delta,
            None => self.create(table).await?,
        };
        let found = delta.snapshot()?.schema();
        let wanted: StructType = table.sealed_schema().as_ref().try_into_kernel()?;
        // By name: the columns of the seal come last, and those that are newer than a table come after them.
        let same = |found: &StructField| {
            let wanted = wanted.field(found.name());
            wanted.is_some_and(|wanted| found.data_type() == wanted.data_type())
        };
        let newer = wanted.fields();
        let newer = newer.filter(|wanted| found.field(wanted.name()).is_none());
        let newer: Vec<StructField> = newer.cloned().collect();
        let can_be_added = newer.iter().all(StructField::is_nullable);
        if !can_be_added || !found.fields().all(same) {
            return Err(table.other_columns());
        }
        match newer.is_empty() {
            true => Ok(delta),
            false => Ok(delta.add_columns().with_fields(newer).await?),
        }
    }

    async fn create(&self, table: &Table) -> Result<DeltaTable> {
        let columns: StructType = table.sealed_schema().as_ref().try_into_kernel()?;
        let indexed = table
            .columns
            .iter()
            .filter(|column| column.has_statistics());
        let mut indexed: Vec<_> = indexed.map(Column::quoted).collect();
        indexed.push(format!("`{LEAF}`"));
        if let Some(folder) = self.folder() {
            let path = folder.join(table.name);
            std::fs::create_dir_all(&path).map_err(|error| Error::Disk { path, error })?;
        }
        let created = CreateBuilder::new()
            .with_log_store(self.log_store(table)?)
            .with_table_name(table.name)
            .with_comment(table.meaning)
            .with_columns(columns.fields().cloned())
            .with_partition_columns([PARTITION])
            .with_configuration_property(
                TableProperty::CheckpointInterval,
                Some(CHECKPOINT_COMMITS),
            )
            .with_configuration_property(
                TableProperty::DataSkippingStatsColumns,
                Some(indexed.join(",")),
            )
            // Of two that create it at once, the second finds it.
            .with_save_mode(SaveMode::Ignore)
            .await?;
        Ok(created)
    }

    /// Whether an archiver has made any table here; only asked of folders.
    pub fn is_there(&self) -> bool {
        let has_log = |folder: std::path::PathBuf| {
            let mut tables = crate::TABLES.into_iter();
            tables.any(|table| may_be_there(&folder.join(table.name).join("_delta_log")))
        };
        self.folder().is_none_or(has_log)
    }

    /// Holds that the commits up to a version are more than names. A commit without a line reads as one that changed
    /// nothing. Object stores have a file whole or not at all; and what is older is summed up in a checkpoint.
    pub(crate) fn check_commits(&self, table: &Table, after: Option<u64>, to: u64) -> Result<()> {
        let Some(folder) = self.folder() else {
            return Ok(());
        };
        let log = folder.join(table.name).join("_delta_log");
        let from = to.saturating_sub(COMMITS_LOOKED_AT);
        for version in after.map_or(from, |after| from.max(after + 1))..=to {
            let path = log.join(format!("{version:020}.json"));
            if std::fs::metadata(&path).is_ok_and(|file| file.len() == 0) {
                return Err(Error::EmptyCommit { path });
            }
        }
        Ok(())
    }

    pub(crate) fn root(&self) -> &Url {
        &self.root
    }

    pub(crate) fn options(&self) -> &HashMap<String, String> {
        &self.options
    }

    pub(crate) fn log_store(&self, table: &Table) -> Result<LogStoreRef> {
        Ok(self.builder(table)?.build_storage()?)
    }

    fn builder(&self, table: &Table) -> Result<DeltaTableBuilder> {
        let mut url = self.root.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().push(table.name).push("");
        }
        let builder = DeltaTableBuilder::from_url(url)?;
        Ok(builder.with_storage_options(self.options.clone()))
    }
}

/// What may not be seen may be there: to read it says why not.
fn may_be_there(path: &std::path::Path) -> bool {
    let missing = |error: std::io::Error| {
        matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
    };
    !path.metadata().is_err_and(missing)
}

impl std::fmt::Display for Archive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.folder() {
            Some(folder) => folder.display().fmt(f),
            None => self.root.fmt(f),
        }
    }
}
