//! A thousand ways to change an archive, each on a copy: every one is found, and an untouched copy is found whole.

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::path::PathBuf;

use arrow::array::{
    Array, ArrayRef, AsArray as _, Int64Array, RecordBatch, StringArray, UInt32Array,
};
use arrow::compute::{concat_batches, take_record_batch};
use arrow::datatypes::{DataType, Int64Type};
use catwalk_archive::{Archive, Settings, TABLES, Trust, Verified, lanes, read_key, sha256_hex};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::played::{open, play};
use crate::sealed::{copy, verified};
use crate::support::{archive_all, floor, sealed};

/// Runs one that failed again.
const SEED: &str = "CATWALK_SEED";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attack {
    FlipByte,
    DropRow,
    AddRow,
    SwapRows,
    EditRow,
    UnsealRow,
    LieInside,
    Reorder,
    EditLog,
    Exaggerate,
    RollBackTable,
    RollBackAll,
    CutTile,
    ReplaceHead,
    SignAnew,
    EditBegan,
    RemoveTree,
}

const ATTACKS: [Attack; 17] = [
    Attack::FlipByte,
    Attack::DropRow,
    Attack::AddRow,
    Attack::SwapRows,
    Attack::EditRow,
    Attack::UnsealRow,
    Attack::LieInside,
    Attack::Reorder,
    Attack::EditLog,
    Attack::Exaggerate,
    Attack::RollBackTable,
    Attack::RollBackAll,
    Attack::CutTile,
    Attack::ReplaceHead,
    Attack::SignAnew,
    Attack::EditBegan,
    Attack::RemoveTree,
];

#[test]
fn every_attack_of_each_kind_is_found_and_named() {
    attacked(0..3 * ATTACKS.len() as u64);
}

#[test]
#[ignore = "a thousand copies of an archive: some minutes"]
fn a_thousand_attacks_are_found_and_named() {
    attacked(0..1_000);
}

/// An archive, and what somebody elsewhere knows of it.
struct Floor {
    _folder: tempfile::TempDir,
    archive: PathBuf,
    /// As it was some time before.
    earlier: PathBuf,
    trust: Trust,
}

impl Floor {
    fn open() -> Floor {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path();
        let log = open(&[home.join("log").to_str().unwrap()]);
        let (path, earlier) = (home.join("archive"), home.join("earlier"));
        let archive = Archive::at(path.to_str().unwrap()).unwrap();
        for seed in 1..4 {
            play(&log, floor(25, seed));
            archive_all(&*log, &archive, sealed(Settings::default(), home));
            if seed == 2 {
                copy(&path, &earlier);
            }
        }
        let trees = lanes(&archive.trees(None).unwrap()).unwrap();
        let trust = Trust {
            keys: vec![read_key(&home.join("key")).unwrap().unwrap().verifying()],
            heads: trees.into_iter().filter_map(|lane| lane.head).collect(),
            ..Trust::default()
        };
        Floor {
            _folder: folder,
            archive: path,
            earlier,
            trust,
        }
    }
}

fn attacked(seeds: std::ops::Range<u64>) {
    let floor = Floor::open();
    let only = env::var(SEED).ok().and_then(|seed| seed.parse().ok());
    let seeds = only.map_or(seeds, |seed: u64| seed..seed + 1);
    let mut by_kind: BTreeMap<String, u64> = BTreeMap::new();
    for seed in seeds {
        let attack = ATTACKS[(seed % ATTACKS.len() as u64) as usize];
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("archive");
        copy(&floor.archive, &target);
        let archive = Archive::at(target.to_str().unwrap()).unwrap();
        if seed < 3 {
            let whole = verified(&archive, &floor.trust);
            assert!(
                whole.wrong.is_empty(),
                "an untouched copy: {:?}",
                whole.wrong.first()
            );
        }
        let mut attacker = Attacker {
            rng: ChaCha8Rng::seed_from_u64(seed),
            archive: target,
        };
        let done = attacker.act(attack, &floor);
        let found = verified(&archive, &floor.trust);
        let again = format!("to run this again: {SEED}={seed}; {attack:?}: {done:?}");
        assert!(found.wrong_count > 0 && found.sealed, "not found. {again}");
        done.assert_named(&found, &again);
        *by_kind.entry(format!("{attack:?}")).or_default() += 1;
    }
    println!("found and named: {by_kind:?}");
}

/// What was done, and how it must be named.
#[derive(Debug, Default)]
pub(crate) struct Done {
    pub(crate) what: String,
    pub(crate) table: Option<String>,
    pub(crate) file: Option<String>,
    /// It must be the first thing that is told.
    pub(crate) id: Option<String>,
}

impl Done {
    /// Done to a file of a table.
    pub(crate) fn at(added: &Added) -> Done {
        Done {
            table: Some(added.table.to_owned()),
            file: Some(added.add["path"].as_str().unwrap().to_owned()),
            ..Done::default()
        }
    }

    fn assert_named(&self, found: &Verified, again: &str) {
        let first = &found.wrong[0];
        let is_here = |told: &Option<String>, done: &Option<String>| done.is_none() || told == done;
        let mut wrong = found.wrong.iter();
        let named = wrong.any(|wrong| {
            is_here(&wrong.table, &self.table)
                && is_here(&wrong.file, &self.file)
                && is_here(&wrong.id, &self.id)
        });
        assert!(named, "found, but not where it is: {first:?}. {again}");
    }
}

pub(crate) struct Attacker {
    pub(crate) rng: ChaCha8Rng,
    pub(crate) archive: PathBuf,
}

/// An `add` of a table's log: the commit that it is in, and its line there.
pub(crate) struct Added {
    pub(crate) table: &'static str,
    commit: PathBuf,
    line: usize,
    pub(crate) add: Value,
}

impl Attacker {
    fn act(&mut self, attack: Attack, floor: &Floor) -> Done {
        match attack {
            Attack::FlipByte => self.flip_byte(),
            Attack::DropRow => {
                let done = self.change_rows(|attacker, rows| {
                    let dropped = attacker.any(rows.num_rows());
                    let kept = (0..rows.num_rows()).filter(|row| *row != dropped);
                    (take(&rows, kept), None)
                });
                // Of which table a row was that is gone, only its neighbours tell.
                Done {
                    table: None,
                    ..done
                }
            }
            Attack::AddRow => self.change_rows(Attacker::add_row),
            Attack::SwapRows => self.change_rows(Attacker::swap_rows),
            Attack::EditRow => self.change_rows(Attacker::edit_row),
            Attack::UnsealRow => self.change_rows(Attacker::unseal_row),
            Attack::LieInside => self.lie_inside(),
            Attack::Reorder => self.reorder(),
            Attack::EditLog => self.edit_log(),
            Attack::Exaggerate => self.exaggerate(),
            Attack::RollBackTable => self.roll_back_table(),
            Attack::RollBackAll => {
                fs::remove_dir_all(&self.archive).unwrap();
                copy(&floor.earlier, &self.archive);
                Done::default()
            }
            Attack::CutTile => self.cut_tile(),
            Attack::ReplaceHead => self.replace_head(),
            Attack::SignAnew => self.sign_anew(&floor.trust.keys[0]),
            Attack::EditBegan => {
                let lane = self.lane();
                let path = lane.join("began");
                let text = fs::read_to_string(&path).unwrap();
                let from = self.any(1_000) + 1;
                fs::write(
                    &path,
                    text.replace("catwalk lane", &format!("events {from}\ncatwalk lane")),
                )
                .unwrap();
                Done {
                    file: Some(self.in_proof(&path)),
                    ..Done::default()
                }
            }
            Attack::RemoveTree => {
                let lane = self.lane();
                fs::remove_dir_all(lane).unwrap();
                Done::default()
            }
        }
    }

    pub(crate) fn any(&mut self, count: usize) -> usize {
        self.rng.random_range(0..count)
    }

    /// A file that is part of a table, of as many rows as wanted at least.
    pub(crate) fn added(&mut self, least: u64) -> Added {
        let mut all = Vec::new();
        for table in TABLES {
            let log = self.archive.join(table.name).join("_delta_log");
            let mut commits: Vec<PathBuf> = fs::read_dir(log)
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .collect();
            commits.retain(|path| path.extension().is_some_and(|end| end == "json"));
            commits.sort();
            for commit in commits {
                for (line, text) in fs::read_to_string(&commit).unwrap().lines().enumerate() {
                    let action: Value = serde_json::from_str(text).unwrap();
                    if action["add"].is_object() {
                        let add = action["add"].clone();
                        let stats: Value =
                            serde_json::from_str(add["stats"].as_str().unwrap()).unwrap();
                        if stats["numRecords"].as_u64().unwrap() >= least {
                            all.push(Added {
                                table: table.name,
                                commit: commit.clone(),
                                line,
                                add,
                            });
                        }
                    }
                }
            }
        }
        let at = self.any(all.len());
        all.swap_remove(at)
    }

    pub(crate) fn path(&self, added: &Added) -> PathBuf {
        self.archive
            .join(added.table)
            .join(added.add["path"].as_str().unwrap())
    }

    fn flip_byte(&mut self) -> Done {
        let added = self.added(0);
        let path = self.path(&added);
        let mut bytes = fs::read(&path).unwrap();
        let at = self.any(bytes.len());
        bytes[at] ^= 1 << self.any(8);
        fs::write(&path, bytes).unwrap();
        Done {
            what: format!("byte {at}"),
            table: Some(added.table.to_owned()),
            file: Some(added.add["path"].as_str().unwrap().to_owned()),
            id: None,
        }
    }

    /// Rewrites a file with other rows, and makes all that is said of it fit.
    fn change_rows(
        &mut self,
        change: impl FnOnce(&mut Attacker, RecordBatch) -> (RecordBatch, Option<usize>),
    ) -> Done {
        let mut added = self.added(2);
        let path = self.path(&added);
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap()).unwrap();
        let schema = reader.schema().clone();
        let batches: Vec<RecordBatch> = reader.build().unwrap().map(Result::unwrap).collect();
        let before = concat_batches(&schema, &batches).unwrap();
        let (after, row) = change(self, before.clone());
        assert_ne!(before, after, "nothing was changed");
        let mut writer =
            ArrowWriter::try_new(File::create(&path).unwrap(), after.schema(), None).unwrap();
        writer.write(&after).unwrap();
        writer.close().unwrap();
        let bytes = fs::read(&path).unwrap();
        added.add["size"] = json!(bytes.len());
        added.add["stats"] = json!(json!({"numRecords": after.num_rows()}).to_string());
        added.add["tags"]["catwalk.sha256"] = json!(sha256_hex(&bytes));
        self.write(&added, Some(&added.add));
        let id = row.and_then(|row| {
            let column = ["id", "finding", "round"]
                .into_iter()
                .find_map(|name| after.column_by_name(name))?;
            let text = column.as_string_opt::<i32>()?;
            (!text.is_null(row)).then(|| text.value(row).to_owned())
        });
        Done {
            what: format!("row {row:?} of {}", after.num_rows()),
            table: Some(added.table.to_owned()),
            // Of rows that are gone nobody knows the file.
            file: row.map(|_| added.add["path"].as_str().unwrap().to_owned()),
            id,
        }
    }

    pub(crate) fn write(&self, added: &Added, add: Option<&Value>) {
        let text = fs::read_to_string(&added.commit).unwrap();
        let lines = text
            .lines()
            .enumerate()
            .filter_map(|(at, line)| match at == added.line {
                true => add.map(|add| json!({ "add": add }).to_string()),
                false => Some(line.to_owned()),
            });
        let lines: Vec<String> = lines.collect();
        fs::write(&added.commit, lines.join("\n") + "\n").unwrap();
    }

    /// A row twice: as it is, with another number, or without any.
    fn add_row(&mut self, rows: RecordBatch) -> (RecordBatch, Option<usize>) {
        let twice = self.any(rows.num_rows());
        let more = take(&rows, (0..rows.num_rows()).chain([twice]));
        let last = more.num_rows() - 1;
        let leaf = more
            .column_by_name("leaf")
            .unwrap()
            .as_primitive::<Int64Type>();
        let mut numbers: Vec<Option<i64>> = leaf.iter().collect();
        numbers[last] = match self.any(3) {
            0 => numbers[last],
            1 => numbers[last].map(|leaf| leaf + 1_000_000),
            _ => None,
        };
        // Which of two with one leaf is told is left open.
        let row = (numbers[last] != numbers[twice]).then_some(last);
        (
            with(
                &more,
                "leaf",
                std::sync::Arc::new(Int64Array::from(numbers)),
            ),
            row,
        )
    }

    /// Two rows with each other's seals.
    fn swap_rows(&mut self, rows: RecordBatch) -> (RecordBatch, Option<usize>) {
        let one = self.any(rows.num_rows());
        let other = (one + 1 + self.any(rows.num_rows() - 1)) % rows.num_rows();
        let swapped = (0..rows.num_rows()).map(|row| match row {
            row if row == one => other,
            row if row == other => one,
            row => row,
        });
        let swapped = take(&rows, swapped);
        let swapped = with(
            &rows,
            "leaf",
            swapped.column_by_name("leaf").unwrap().clone(),
        );
        let salts = take(
            &rows,
            (0..rows.num_rows()).map(|row| match row {
                row if row == one => other,
                row if row == other => one,
                row => row,
            }),
        );
        (
            with(
                &swapped,
                "salt",
                salts.column_by_name("salt").unwrap().clone(),
            ),
            Some(one),
        )
    }

    fn edit_row(&mut self, rows: RecordBatch) -> (RecordBatch, Option<usize>) {
        let row = self.any(rows.num_rows());
        // What the id of a row is made of is left as it is, so that it can be looked for.
        let columns: Vec<String> = rows
            .schema()
            .fields()
            .iter()
            .filter(|field| {
                !["id", "finding", "round", "log_partition"].contains(&field.name().as_str())
            })
            .filter(|field| matches!(field.data_type(), DataType::Int64 | DataType::Utf8))
            .map(|field| field.name().clone())
            .collect();
        let name = &columns[self.any(columns.len())];
        let column = rows.column_by_name(name).unwrap();
        let changed: ArrayRef = match column.as_string_opt::<i32>() {
            Some(texts) => {
                let changed = texts.iter().enumerate().map(|(at, text)| match at == row {
                    true => Some(format!("{}.", text.unwrap_or_default())),
                    false => text.map(str::to_owned),
                });
                std::sync::Arc::new(changed.collect::<StringArray>())
            }
            None => {
                let numbers = column.as_primitive::<Int64Type>().iter().enumerate();
                let changed = numbers.map(|(at, number)| match at == row {
                    true => Some(number.map_or(0, |number| number ^ 1)),
                    false => number,
                });
                std::sync::Arc::new(changed.collect::<Int64Array>())
            }
        };
        (with(&rows, name, changed), Some(row))
    }

    /// A row as if it were from before.
    fn unseal_row(&mut self, rows: RecordBatch) -> (RecordBatch, Option<usize>) {
        let row = self.any(rows.num_rows());
        let leaf = rows
            .column_by_name("leaf")
            .unwrap()
            .as_primitive::<Int64Type>();
        let without = |column: &Int64Array| -> ArrayRef {
            let kept = column
                .iter()
                .enumerate()
                .map(|(at, number)| number.filter(|_| at != row));
            std::sync::Arc::new(kept.collect::<Int64Array>())
        };
        let lane = rows
            .column_by_name("lane")
            .unwrap()
            .as_primitive::<Int64Type>();
        let (leaf, lane) = (without(leaf), without(lane));
        let rows = with(&with(&rows, "leaf", leaf), "lane", lane);
        let salt = rows.column_by_name("salt").unwrap().as_binary::<i32>();
        let salt: arrow::array::BinaryArray = salt
            .iter()
            .enumerate()
            .map(|(at, salt)| salt.filter(|_| at != row))
            .collect();
        (with(&rows, "salt", std::sync::Arc::new(salt)), Some(row))
    }
}

pub(crate) fn take(rows: &RecordBatch, which: impl Iterator<Item = usize>) -> RecordBatch {
    let which: UInt32Array = which.map(|row| row as u32).collect();
    take_record_batch(rows, &which).unwrap()
}

fn with(rows: &RecordBatch, name: &str, column: ArrayRef) -> RecordBatch {
    let at = rows.schema().index_of(name).unwrap();
    let mut columns = rows.columns().to_vec();
    columns[at] = column;
    RecordBatch::try_new(rows.schema(), columns).unwrap()
}
