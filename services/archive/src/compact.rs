//! Few well-sized files instead of many small ones.

use std::collections::BTreeMap;
use std::io::Write as _;

use deltalake::DeltaTableError;
use deltalake::kernel::{Action, Add, LogicalFileView, Remove};
use deltalake::logstore::object_store::ObjectStoreExt as _;
use deltalake::protocol::DeltaOperation;
use deltalake::writer::DeltaWriter as _;
use futures::StreamExt as _;

use crate::erase::Held;
use crate::ledger::Ledger;
use crate::merge::{Input, Merge};
use crate::tables::Effort;
use crate::{Archive, Error, PARTITION, Result, TABLES, Table};

/// A file joins a rewrite when it is at most so many times as large as those that join before it: each
/// row is then rewritten a few times only, however many flushes a day has.
const TIER_RATIO: u64 = 3;

/// A file of less than this part of the right size always joins.
const SMALL: u64 = 64;

/// How the folder of a gaming day begins.
const DAY_FOLDER: &str = "gaming_day=";

/// When files are rewritten, and into what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompactSettings {
    /// So many files of the present gaming day that are smaller than they should be are rewritten.
    pub files: usize,
    /// How large files should be.
    pub file_bytes: u64,
}

impl Default for CompactSettings {
    fn default() -> CompactSettings {
        CompactSettings {
            files: 16,
            file_bytes: 128 << 20,
        }
    }
}

/// What a compaction has done to a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compacted {
    pub files_before: u64,
    pub files_after: u64,
    pub bytes_before: u64,
    pub bytes_after: u64,
}

impl Archive {
    /// Rewrites every gaming day of a table that has more than one file, into files of the given size,
    /// sorted by table and time. No row changes. An archiver may go on writing meanwhile.
    pub async fn compact(&self, table: &'static Table, file_bytes: u64) -> Result<Compacted> {
        let mut ledger = Ledger::open(self, table, &[], &[], true).await?;
        let before = ledger.standing()?;
        for (_, files) in ledger.days()? {
            if files.len() > 1 {
                ledger.rewrite(&files, file_bytes).await?;
            }
        }
        let after = ledger.standing()?;
        Ok(Compacted {
            files_before: before.files,
            files_after: after.files,
            bytes_before: before.bytes,
            bytes_after: after.bytes,
        })
    }

    /// Deletes files that no table has any more, once they are a week old: until then, whoever reads an
    /// earlier version still finds them. Files of gaming days on which something is held stay. Returns how many went.
    pub async fn vacuum(&self, held: &Held) -> Result<usize> {
        let days = self.held_days(held).await?;
        let mut deleted = 0;
        for table in TABLES {
            if let Some(delta) = self.table(table).await? {
                let store = delta.object_store();
                let (_, metrics) = delta.vacuum().with_dry_run(true).await?;
                for file in metrics.files_deleted {
                    let day = file
                        .split('/')
                        .find_map(|part| part.strip_prefix(DAY_FOLDER));
                    if day.is_some_and(|day| days.contains(day)) {
                        continue;
                    }
                    let path = file.as_str().into();
                    let gone = store.delete(&path).await;
                    gone.map_err(DeltaTableError::from)?;
                    deleted += 1;
                }
            }
        }
        Ok(deleted)
    }
}

impl Ledger {
    /// Rewrites small files of gaming days that have many of them. A day that is over needs only two.
    /// Returns how many were replaced.
    pub(crate) async fn compact_tiers(&mut self, settings: &CompactSettings) -> Result<usize> {
        let mut replaced = 0;
        let mut days = self.days()?;
        let today = days.pop_last();
        let days = days.into_values().map(|files| (files, 2));
        let today = today.map(|(_, files)| (files, settings.files.max(2)));
        for (files, many) in days.chain(today) {
            let files = tier(files, settings);
            if files.len() >= many && self.rewrite(&files, settings.file_bytes).await? {
                replaced += files.len();
            }
        }
        Ok(replaced)
    }

    /// The files of each gaming day.
    fn days(&self) -> Result<BTreeMap<String, Vec<LogicalFileView>>> {
        let mut days: BTreeMap<String, Vec<LogicalFileView>> = BTreeMap::new();
        for file in self.delta.snapshot()?.log_data().iter() {
            let mut values = file.partition_values_map();
            let day = values.remove(PARTITION).flatten().unwrap_or_default();
            days.entry(day).or_default().push(file);
        }
        Ok(days)
    }

    /// Replaces files by others with the same rows, in one commit. False where somebody else has done so meanwhile.
    async fn rewrite(&mut self, files: &[LogicalFileView], file_bytes: u64) -> Result<bool> {
        let read: u64 = files
            .iter()
            .map(|file| file.num_records().unwrap_or(0) as u64)
            .sum();
        let adds = self.write_sorted(files, file_bytes).await?;
        let written: u64 = adds.iter().map(rows_of).sum();
        if read != written {
            return Err(Error::RowsDiffer {
                table: self.table.name,
                read,
                written,
            });
        }
        let adds = adds.into_iter().map(|add| {
            Action::Add(Add {
                data_change: false,
                ..add
            })
        });
        let removes = files.iter().map(|file| Action::Remove(removal(file)));
        let operation = DeltaOperation::Optimize {
            predicate: None,
            target_size: file_bytes as i64,
        };
        let actions = adds.chain(removes).collect();
        let paths: Vec<String> = files.iter().map(|file| file.path().into_owned()).collect();
        self.replace(&paths, actions, operation).await
    }

    async fn write_sorted(&self, files: &[LogicalFileView], file_bytes: u64) -> Result<Vec<Add>> {
        let mut inputs = Vec::with_capacity(files.len());
        for file in files {
            inputs.push(self.input(file).await?);
        }
        let mut rows = Merge::of(self.table, inputs)?;
        let mut writer = self
            .writer(Effort::Thorough)?
            .with_target_file_size(file_bytes);
        while let Some(batch) = rows.next()? {
            writer.write(batch).await?;
        }
        self.noted(writer.flush().await?)
    }

    /// A file of the table on this machine, copied to it where it is not.
    pub(crate) async fn input(&self, file: &LogicalFileView) -> Result<Input> {
        let mut values = file.partition_values_map();
        let day = values.remove(PARTITION).flatten();
        if let Ok(folder) = self.delta.table_url().to_file_path() {
            let path = folder.join(&*file.path());
            return Ok(Input {
                path,
                day,
                _copy: None,
            });
        }
        let mut copy = tempfile::NamedTempFile::new().map_err(disk)?;
        let store = self.delta.object_store();
        let path = file.object_store_path();
        let got = store.get_opts(&path, Default::default()).await;
        let mut bytes = got.map_err(DeltaTableError::from)?.into_stream();
        while let Some(some) = bytes.next().await {
            copy.write_all(&some.map_err(DeltaTableError::from)?)
                .map_err(disk)?;
        }
        let copy = copy.into_temp_path();
        Ok(Input {
            path: copy.to_path_buf(),
            day,
            _copy: Some(copy),
        })
    }
}

fn disk(error: std::io::Error) -> Error {
    Error::Disk {
        path: std::env::temp_dir(),
        error,
    }
}

/// The files that a rewrite is worth it for: small ones, and larger ones once the small ones have grown
/// to a good part of them.
fn tier(mut files: Vec<LogicalFileView>, settings: &CompactSettings) -> Vec<LogicalFileView> {
    files.retain(|file| file.size().unsigned_abs() < settings.file_bytes * 3 / 4);
    files.sort_by_key(LogicalFileView::size);
    let mut sum = 0;
    let joins = files.iter().take_while(|file| {
        let size = file.size().unsigned_abs();
        let joins = size < settings.file_bytes / SMALL || size <= sum * TIER_RATIO;
        sum += size;
        joins
    });
    let count = joins.count();
    files.truncate(count);
    files
}

fn rows_of(add: &Add) -> u64 {
    let stats = add.get_stats().ok().flatten();
    stats.map_or(0, |stats| stats.num_records.unsigned_abs())
}

pub(crate) fn removal(file: &LogicalFileView) -> Remove {
    Remove {
        path: file.path().into_owned(),
        data_change: false,
        deletion_timestamp: Some(jiff::Timestamp::now().as_millisecond()),
        extended_file_metadata: Some(true),
        partition_values: Some(file.partition_values_map()),
        size: Some(file.size()),
        ..Remove::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::rows::Rows;
    use crate::seal::unsealed;

    async fn ledger(archive: &Archive) -> Ledger {
        let table = Table::named("dispositions").unwrap();
        Ledger::open(archive, table, &[], &[], false).await.unwrap()
    }

    async fn append(ledger: &mut Ledger, operators: &[&str]) {
        let mut rows = Rows::new(ledger.table).unwrap();
        for operator in operators {
            let row = json!({
                "gaming_day": -1, "property": "ebh", "table_id": "MB-01", "at": -1, "finding": "f",
                "action": "acknowledge", "operator": operator, "note": null,
                "log_partition": 0, "log_offset": 0,
            });
            rows.push(&row).unwrap();
        }
        let rows = unsealed(ledger.table, &rows.take().unwrap().0).unwrap();
        let files = ledger.write(rows).await.unwrap();
        let none = (BTreeMap::new(), BTreeMap::new());
        ledger.append(files, &none.0, &none.1).await.unwrap();
    }

    async fn rows(archive: &Archive) -> u64 {
        let tables = archive.reader().newest().await.unwrap();
        let files = tables.found.iter().flat_map(|version| &version.files);
        files.filter_map(|file| file.rows).sum()
    }

    #[tokio::test]
    async fn a_file_that_two_rewrite_at_once_is_not_there_twice() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::at(folder.path().to_str().unwrap()).unwrap();
        let mut one = ledger(&archive).await;
        append(&mut one, &["o-1"]).await;
        append(&mut one, &["o-2", "o-3"]).await;
        let mut other = ledger(&archive).await;
        let (_, files) = one.days().unwrap().pop_first().unwrap();
        assert!(one.rewrite(&files, 1 << 20).await.unwrap());
        assert!(!other.rewrite(&files, 1 << 20).await.unwrap());
        assert_eq!(rows(&archive).await, 3);
    }

    #[tokio::test]
    async fn what_is_appended_meanwhile_stops_no_rewrite() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::at(folder.path().to_str().unwrap()).unwrap();
        let mut one = ledger(&archive).await;
        append(&mut one, &["o-1"]).await;
        append(&mut one, &["o-2"]).await;
        let mut other = ledger(&archive).await;
        append(&mut other, &["o-3"]).await;
        let (_, files) = one.days().unwrap().pop_first().unwrap();
        assert!(one.rewrite(&files, 1 << 20).await.unwrap());
        assert_eq!(rows(&archive).await, 3);
        assert_eq!(one.standing().unwrap().files, 2);
    }
}
