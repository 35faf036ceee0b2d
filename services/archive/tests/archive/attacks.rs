//! A thousand ways to change an archive, each on a copy: every one is found, and an untouched copy is found whole.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::PathBuf;

use catwalk_archive::{Archive, Settings, TABLES, Trust, Verified, lanes, read_key};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::edits::take;
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
    RederiveFinding,
    OtherColumns,
    LieOfLeaves,
    SetBackCut,
    BehindCut,
    SecondSummary,
    SwapDays,
    OtherFolder,
}

const ATTACKS: [Attack; 25] = [
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
    Attack::RederiveFinding,
    Attack::OtherColumns,
    Attack::LieOfLeaves,
    Attack::SetBackCut,
    Attack::BehindCut,
    Attack::SecondSummary,
    Attack::SwapDays,
    Attack::OtherFolder,
];

#[test]
fn every_attack_of_each_kind_is_found_and_named() {
    attacked(0..2 * ATTACKS.len() as u64);
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
    pub(crate) commit: PathBuf,
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
            Attack::RederiveFinding => self.rederive_finding(),
            Attack::OtherColumns => self.other_columns(),
            Attack::LieOfLeaves => self.lie_of_leaves(),
            Attack::SetBackCut => self.set_back_cut(),
            Attack::BehindCut => self.behind_cut(),
            Attack::SecondSummary => self.second_summary(),
            Attack::SwapDays => self.swap_days(&floor.earlier),
            Attack::OtherFolder => self.other_folder(),
        }
    }

    pub(crate) fn any(&mut self, count: usize) -> usize {
        self.rng.random_range(0..count)
    }

    /// A file that is part of a table, of as many rows as wanted at least.
    pub(crate) fn added(&mut self, least: u64) -> Added {
        self.added_to(least, None)
    }

    /// The same of one table only.
    pub(crate) fn added_to(&mut self, least: u64, only: Option<&str>) -> Added {
        let mut all = Vec::new();
        for table in TABLES {
            if only.is_some_and(|only| only != table.name) {
                continue;
            }
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
}
