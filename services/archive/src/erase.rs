//! Rows that go away by law: those that name a patron, and that no hold protects.
//!
//! The leaves stay, so that the trees stay whole; what a leaf was made from cannot be guessed without the salt, which
//! goes with the row. Which leaves have no row any more stands in an act on the log before any row goes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use arrow::array::{BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;
use catwalk_events::Timestamp;
use catwalk_events::audit::{CaseAct, Cases, Leaves};
use deltalake::checkpoints::create_checkpoint;
use deltalake::kernel::{Action, Add};
use deltalake::protocol::DeltaOperation;
use deltalake::writer::DeltaWriter as _;
use serde_json::Value;

use crate::compact::removal;
use crate::ledger::Ledger;
use crate::merge::{self, Input};
use crate::patron::names;
use crate::seal::{BATCH, Batch, Seal, sealed_rows};
use crate::tables::Effort;
use crate::{Archive, Error, PARTITION, Result, TABLES, Table};

/// Somebody else may still be writing a file that no table has yet, for so long.
const UNFINISHED: Duration = Duration::from_secs(600);
/// A table that others rewrite all the time is given up after so many attempts.
const ATTEMPTS: u32 = 5;

/// What is held: nothing of it goes away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    pub rounds: BTreeSet<String>,
    pub findings: BTreeSet<String>,
    pub patrons: BTreeSet<String>,
}

/// The rows that an erasure takes away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Erasure {
    pub leaves: Leaves,
    /// By table.
    pub rows: BTreeMap<&'static str, u64>,
    /// Rows that name the patron and stay, because a hold protects them.
    pub held: u64,
    /// Rows from before the archive was sealed: they have no leaf.
    pub unsealed: u64,
}

/// What an erasure has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Erased {
    pub rows: u64,
    /// Files that had such a row, those of earlier versions included.
    pub files: u64,
    /// Files that somebody else may still be writing.
    pub left: u64,
}

impl Held {
    /// What the cases name that are held.
    pub fn of(cases: &Cases) -> Held {
        let mut held = Held::default();
        for (_, case) in cases.held() {
            held.rounds.extend(case.rounds.iter().cloned());
            held.findings.extend(case.findings.iter().cloned());
            held.patrons.extend(case.patrons.iter().cloned());
        }
        held
    }

    pub fn is_empty(&self) -> bool {
        self.rounds.is_empty() && self.findings.is_empty() && self.patrons.is_empty()
    }

    fn protects(&self, row: &Value) -> bool {
        let is_in = |names: &BTreeSet<String>, key: &str| {
            row[key].as_str().is_some_and(|name| names.contains(name))
        };
        is_in(&self.rounds, "round")
            || is_in(&self.findings, "id")
            || is_in(&self.findings, "finding")
            || self.patrons.iter().any(|patron| names(row, patron))
    }
}

impl Archive {
    /// The cases, as far as their acts have been archived.
    pub async fn cases(&self) -> Result<Cases> {
        let mut cases = Cases::default();
        for act in self.acts().await? {
            // What could not be done changes nothing, here as on the log.
            let _ = cases.take(act);
        }
        Ok(cases)
    }

    /// The acts about cases that have been archived, in the order of the log.
    pub async fn acts(&self) -> Result<Vec<CaseAct>> {
        let table = Table::named("cases");
        let ledger = match table {
            Some(table) => self.ledger(table).await?.map(|ledger| (table, ledger)),
            None => None,
        };
        let Some((table, ledger)) = ledger else {
            return Ok(Vec::new());
        };
        let mut acts: Vec<(i64, i64, CaseAct)> = Vec::new();
        for file in ledger.files()? {
            let input = ledger.input(&file).await?;
            any_row(table, &input, |row| {
                let place = |name: &str| row[name].as_i64().unwrap_or_default();
                let place = (place("log_partition"), place("log_offset"));
                acts.extend(act_of(row).map(|act| (place.0, place.1, act)));
                false
            })?;
        }
        acts.sort_by_key(|(partition, offset, _)| (*partition, *offset));
        Ok(acts.into_iter().map(|(_, _, act)| act).collect())
    }

    /// A hold of a finding holds its round too: without it nobody could show what was found.
    pub async fn with_rounds_of_findings(&self, mut held: Held) -> Result<Held> {
        if held.findings.is_empty() {
            return Ok(held);
        }
        let tables = self.reader().newest().await?;
        let ids: Vec<String> = held.findings.iter().cloned().collect();
        let version = tables.found.iter().find(|found| found.table == "findings");
        if let Some(version) = version {
            for row in sealed_rows(self, version, "id", &ids).await? {
                let row: Value = serde_json::from_str(&row.json)?;
                held.rounds.extend(row["round"].as_str().map(str::to_owned));
            }
        }
        Ok(held)
    }

    /// The gaming days on which something lies that is held: none of their files is deleted.
    pub(crate) async fn held_days(&self, held: &Held) -> Result<BTreeSet<String>> {
        let mut days = BTreeSet::new();
        if held.is_empty() {
            return Ok(days);
        }
        for table in TABLES {
            let Some(ledger) = self.ledger(table).await? else {
                continue;
            };
            for file in ledger.files()? {
                let input = ledger.input(&file).await?;
                let day = input.day.clone().unwrap_or_default();
                if !days.contains(&day) && any_row(table, &input, |row| held.protects(row))? {
                    days.insert(day);
                }
            }
        }
        Ok(days)
    }

    /// Which rows name a patron, and which of them may go.
    pub async fn rows_of_patron(&self, patron: &str, held: &Held) -> Result<Erasure> {
        let mut erasure = Erasure::default();
        for table in TABLES {
            let Some(ledger) = self.ledger(table).await? else {
                continue;
            };
            for file in ledger.files()? {
                let input = ledger.input(&file).await?;
                for rows in merge::read(table, &input, BATCH, None)? {
                    let rows = rows?;
                    let batch = Batch::of(table, &rows)?;
                    for row in 0..rows.num_rows() {
                        let json = batch.json(row)?;
                        if !names(&json, patron) {
                            continue;
                        }
                        if held.protects(&json) {
                            erasure.held += 1;
                            continue;
                        }
                        *erasure.rows.entry(table.name).or_default() += 1;
                        match batch.seal(row) {
                            Seal::Whole(lane, leaf, _) => {
                                erasure.leaves.0.insert((lane, leaf));
                            }
                            _ => erasure.unsealed += 1,
                        }
                    }
                }
            }
        }
        Ok(erasure)
    }

    /// Takes the rows away that name a patron and that no hold protects: out of the tables, out of files of earlier
    /// versions, and what the logs of tables say of them. `alone` says that nobody writes meanwhile.
    pub async fn erase(&self, patron: &str, held: &Held, alone: bool) -> Result<Erased> {
        let mut erased = Erased::default();
        for table in TABLES {
            let Some(mut ledger) = self.ledger(table).await? else {
                continue;
            };
            let goes = |row: &Value| names(row, patron) && !held.protects(row);
            let mut attempts = 0;
            let rows = loop {
                match ledger.take_away(&goes).await? {
                    Some(rows) => break rows,
                    None if attempts < ATTEMPTS => attempts += 1,
                    None => {
                        return Err(Error::AnotherArchiver { table: table.name });
                    }
                }
                ledger.refresh().await?;
            };
            erased.rows += rows;
            // What a crash has left of an earlier run goes as well.
            let old = ledger.old_files(&goes, alone, &mut erased)?;
            if rows > 0 || !old.is_empty() {
                self.move_cut(table, ledger.version()?).await?;
            }
            for path in &old {
                fs::remove_file(path).map_err(disk(path))?;
                erased.files += 1;
            }
            if rows > 0 || !old.is_empty() || ledger.history_has(patron)? {
                ledger.forget_history().await?;
            }
        }
        Ok(erased)
    }

    async fn ledger(&self, table: &'static Table) -> Result<Option<Ledger>> {
        match self.table(table).await? {
            Some(_) => Ledger::open(self, table, &[], &[], true).await.map(Some),
            None => Ok(None),
        }
    }

    /// Whoever reads finds the table without the rows: at its former version, files are missing.
    async fn move_cut(&self, table: &Table, version: u64) -> Result<()> {
        let turns = self.turns(None)?;
        let _turn = turns.map(|turns| turns.take()).transpose()?;
        let Some(mut cut) = self.cut().await? else {
            return Ok(());
        };
        if cut.versions.contains_key(table.name) {
            cut.versions.insert(table.name.to_owned(), version);
            self.write_cut(&cut, true).await?;
        }
        Ok(())
    }
}

/// The act that a row of `cases` is.
fn act_of(row: &Value) -> Option<CaseAct> {
    let names = |key: &str| -> Vec<String> {
        let names = row[key].as_array().into_iter().flatten();
        names
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect()
    };
    let text = |key: &str| row[key].as_str().map(str::to_owned);
    Some(CaseAct {
        id: text("id")?,
        case: text("case_number"),
        action: serde_json::from_value(row["action"].clone()).ok()?,
        at: Timestamp::from_micros(row["at"].as_i64()?),
        operator: text("operator")?,
        role: text("role"),
        station: text("station"),
        authority: text("authority"),
        rounds: names("rounds"),
        findings: names("findings"),
        patrons: names("patrons"),
        note: text("note"),
        leaves: text("leaves"),
    })
}

fn any_row(
    table: &'static Table,
    input: &Input,
    mut is: impl FnMut(&Value) -> bool,
) -> Result<bool> {
    for rows in merge::read(table, input, BATCH, None)? {
        let rows = rows?;
        let batch = Batch::of(table, &rows)?;
        for row in 0..rows.num_rows() {
            if is(&batch.json(row)?) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

impl Ledger {
    /// Replaces the files that have such rows by files without them, in one commit. Returns how many rows went;
    /// `None` where somebody else has replaced one of the files meanwhile.
    async fn take_away(&mut self, goes: &impl Fn(&Value) -> bool) -> Result<Option<u64>> {
        let (mut gone, mut replaced, mut actions) = (0, Vec::new(), Vec::new());
        for file in self.files()? {
            let input = self.input(&file).await?;
            let Some((rows, adds)) = self.without(&input, goes).await? else {
                continue;
            };
            gone += rows;
            replaced.push(file.path().into_owned());
            actions.extend(adds.into_iter().map(Action::Add));
            actions.push(Action::Remove(deltalake::kernel::Remove {
                data_change: true,
                ..removal(&file)
            }));
        }
        if replaced.is_empty() {
            return Ok(Some(0));
        }
        let operation = DeltaOperation::Delete { predicate: None };
        let done = self.replace(&replaced, actions, operation).await?;
        Ok(done.then_some(gone))
    }

    /// A file without such rows, and how many it had; `None` where it has none.
    async fn without(
        &self,
        input: &Input,
        goes: &impl Fn(&Value) -> bool,
    ) -> Result<Option<(u64, Vec<Add>)>> {
        if !any_row(self.table, input, goes)? {
            return Ok(None);
        }
        let mut gone = 0;
        let mut writer = self.writer(Effort::Thorough)?;
        for rows in merge::read(self.table, input, BATCH, None)? {
            let rows = rows?;
            let batch = Batch::of(self.table, &rows)?;
            let mut stays = Vec::with_capacity(rows.num_rows());
            for row in 0..rows.num_rows() {
                stays.push(!goes(&batch.json(row)?));
            }
            let kept: RecordBatch = filter_record_batch(&rows, &BooleanArray::from(stays))?;
            gone += (rows.num_rows() - kept.num_rows()) as u64;
            if kept.num_rows() > 0 {
                writer.write(kept).await?;
            }
        }
        Ok(Some((gone, self.noted(writer.flush().await?)?)))
    }

    /// Files that the table has no more and that have such rows.
    fn old_files(
        &self,
        goes: &impl Fn(&Value) -> bool,
        alone: bool,
        erased: &mut Erased,
    ) -> Result<Vec<PathBuf>> {
        let folder = self.folder()?;
        let there = self.files()?;
        let there: BTreeSet<PathBuf> = there
            .iter()
            .map(|file| folder.join(&*file.path()))
            .collect();
        let mut old = Vec::new();
        for (path, day) in parquet_files(&folder)? {
            if there.contains(&path) {
                continue;
            }
            let input = Input {
                path: path.clone(),
                day: Some(day),
                _copy: None,
            };
            // What does not read is no file of a table: half of one, which a crash has left.
            if !any_row(self.table, &input, goes).unwrap_or(true) {
                continue;
            }
            let modified = fs::metadata(&path).and_then(|file| file.modified());
            let is_young = modified.is_ok_and(|at| {
                SystemTime::now().duration_since(at).unwrap_or_default() < UNFINISHED
            });
            match is_young && !alone {
                true => erased.left += 1,
                false => old.push(path),
            }
        }
        Ok(old)
    }

    /// Whether the table's log names a patron, as a least or greatest value of a file.
    fn history_has(&self, patron: &str) -> Result<bool> {
        let log = self.folder()?.join("_delta_log");
        for entry in fs::read_dir(&log).map_err(disk(&log))? {
            let path = entry.map_err(disk(&log))?.path();
            let is_commit = path.extension().is_some_and(|end| end == "json");
            if is_commit
                && fs::read_to_string(&path)
                    .map_err(disk(&path))?
                    .contains(patron)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Sums the table's log up, and deletes what it said before: least and greatest values of files that are gone.
    async fn forget_history(&mut self) -> Result<()> {
        create_checkpoint(&self.delta, None).await?;
        let version = self.version()?;
        let log = self.folder()?.join("_delta_log");
        for entry in fs::read_dir(&log).map_err(disk(&log))? {
            let path = entry.map_err(disk(&log))?.path();
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            let number = name.get(..20).and_then(|number| number.parse::<u64>().ok());
            if number.is_some_and(|number| number < version) {
                fs::remove_file(&path).map_err(disk(&path))?;
            }
        }
        Ok(())
    }

    fn folder(&self) -> Result<PathBuf> {
        let url = self.delta.table_url();
        url.to_file_path()
            .map_err(|()| Error::NoErasure(url.to_string()))
    }
}

fn parquet_files(folder: &Path) -> Result<Vec<(PathBuf, String)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(disk(folder))? {
        let of_day = entry.map_err(disk(folder))?.path();
        let name = of_day
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let Some(day) = name
            .strip_prefix(&format!("{PARTITION}="))
            .map(str::to_owned)
        else {
            continue;
        };
        for entry in fs::read_dir(&of_day).map_err(disk(&of_day))? {
            let path = entry.map_err(disk(&of_day))?.path();
            if path.extension().is_some_and(|end| end == "parquet") {
                found.push((path, day.clone()));
            }
        }
    }
    Ok(found)
}

fn disk(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.to_owned();
    |error| Error::Disk { path, error }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_case_names_is_protected() {
        let held = Held {
            rounds: ["r-1".to_owned()].into(),
            findings: ["f-1".to_owned()].into(),
            patrons: ["p-9".to_owned()].into(),
        };
        for row in [
            json!({"round": "r-1"}),
            json!({"id": "f-1"}),
            json!({"finding": "f-1"}),
            json!({"player": "p-9"}),
        ] {
            assert!(held.protects(&row), "{row}");
        }
        assert!(!held.protects(&json!({"round": "r-2", "player": "p-8"})));
    }
}
