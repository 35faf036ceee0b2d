//! A patron's rows go by law: the trees stay whole, nothing of the rows is left, and that they went is on record.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use arrow::array::{Array as _, AsArray as _};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use catwalk_archive::{Archive, Erasure, Held, TABLES, Trust, lanes};
use catwalk_events::Timestamp;
use catwalk_events::audit::{CaseAct, CaseAction};
use catwalk_log::{Log, Message, Topic};
use catwalk_proof::Note;
use catwalk_wire::Formats;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::played::{open, play};
use crate::sealed::{assert_whole, verified};
use crate::support::{archive_all, file_rows, floor, hasty, rows, sealed};

fn act(id: &str, action: CaseAction) -> CaseAct {
    CaseAct {
        id: id.to_owned(),
        case: Some("26-114".to_owned()),
        action,
        at: Timestamp::from_micros(1_794_000_000_000_000),
        operator: "i-7".to_owned(),
        role: None,
        station: None,
        authority: Some("order 26-2".to_owned()),
        rounds: Vec::new(),
        findings: Vec::new(),
        patrons: Vec::new(),
        note: None,
        leaves: None,
    }
}

fn say(log: &dyn Log, acts: &[CaseAct]) {
    let formats = Formats::plain().unwrap();
    let messages = acts.iter().map(|act| {
        let value = formats.cases.encode(act).unwrap();
        Message::new(Topic::Cases, "26-114", value)
    });
    let mut producer = log.producer().unwrap();
    producer.send(&messages.collect::<Vec<_>>()).unwrap();
    producer.flush().unwrap();
}

fn heads(archive: &Archive) -> Vec<Note> {
    let lanes = lanes(&archive.trees(None).unwrap()).unwrap();
    lanes.into_iter().filter_map(|lane| lane.head).collect()
}

/// The patron with most rows among the wagers, and the rounds that they were in.
fn patron(archive: &Archive) -> (String, Vec<String>) {
    let mut rounds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let version = runtime.block_on(archive.reader().newest()).unwrap();
    let wagers = version.found.iter().find(|found| found.table == "wagers");
    let table = catwalk_archive::Table::named("wagers").unwrap();
    let place = |name: &str| {
        table
            .columns
            .iter()
            .position(|column| column.name == name)
            .unwrap()
    };
    let folder = archive.folder().unwrap().join("wagers");
    for file in &wagers.unwrap().files {
        for row in file_rows(table, &folder, file) {
            let cells: Vec<&str> = row.split(" | ").collect();
            let (player, round) = (cells[place("player")], cells[place("round")]);
            if player != "-" {
                rounds
                    .entry(player.to_owned())
                    .or_default()
                    .push(round.to_owned());
            }
        }
    }
    rounds
        .into_iter()
        .max_by_key(|(_, rounds)| rounds.len())
        .unwrap()
}

fn all_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all_files(&path, found),
            false => found.push(path),
        }
    }
}

/// Rows of all tables that name somebody, in whichever column.
fn naming(archive: &Archive, patron: &str) -> usize {
    let all = rows(archive);
    all.values()
        .flatten()
        .filter(|row| row.contains(patron))
        .count()
}

/// Nothing of a patron is left in any file, of earlier versions or beside the tables: no name, and none of the salts
/// without which nobody guesses a row from its leaf.
fn assert_forgotten(folder: &Path, patron: &str, salts: &BTreeSet<Vec<u8>>) {
    let mut files = Vec::new();
    all_files(&folder.join("archive"), &mut files);
    let mut looked_into = 0;
    for path in files {
        let bytes = fs::read(&path).unwrap();
        let names = bytes
            .windows(patron.len())
            .any(|part| part == patron.as_bytes());
        assert!(!names, "{} names {patron}", path.display());
        let mut salted = bytes.windows(16).filter(|part| salts.contains(*part));
        assert_eq!(salted.next(), None, "{} has a salt", path.display());
        // What is compressed does not show: summaries of the tables' logs are looked into as well.
        if path.extension().is_some_and(|end| end == "parquet") {
            looked_into += 1;
            for (row, salt) in rows_of(&path) {
                assert!(!row.contains(patron), "{}: {row}", path.display());
                assert!(!salt.is_some_and(|salt| salts.contains(&salt)), "{row}");
            }
        }
    }
    assert!(looked_into > TABLES.len());
}

/// The salts of all rows that name a patron.
fn salts(folder: &Path, patron: &str) -> BTreeSet<Vec<u8>> {
    let mut files = Vec::new();
    all_files(&folder.join("archive"), &mut files);
    files.retain(|path| path.extension().is_some_and(|end| end == "parquet"));
    let rows = files.iter().flat_map(|path| rows_of(path));
    let of_patron = rows.filter(|(row, _)| row.contains(patron));
    of_patron.filter_map(|(_, salt)| salt).collect()
}

/// Which rows go is put on record; none goes yet.
fn put_on_record(
    log: &dyn Log,
    archive: &Archive,
    patron: &str,
    held: &Held,
    folder: &Path,
    id: &str,
) -> Erasure {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let erasure = runtime
        .block_on(archive.rows_of_patron(patron, held))
        .unwrap();
    let done = CaseAct {
        case: None,
        leaves: Some(erasure.leaves.to_string()),
        ..act(id, CaseAction::Erase)
    };
    say(log, &[done]);
    archive_all(log, archive, sealed(hasty(), folder));
    erasure
}

#[test]
fn erasing_a_patron_leaves_the_trees_whole_nothing_of_the_rows_and_an_act_on_record() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let log = open(&[folder.join("log").to_str().unwrap()]);
    play(&log, floor(60, 1));
    let archive = Archive::at(folder.join("archive").to_str().unwrap()).unwrap();
    archive_all(&*log, &archive, sealed(hasty(), folder));
    let (patron, rounds) = patron(&archive);
    assert!(rounds.len() > 3 && naming(&archive, &patron) > rounds.len());
    let salts = salts(folder, &patron);
    assert!(salts.len() >= naming(&archive, &patron));
    // One round of theirs is part of a case, and held.
    let mut opened = act("1", CaseAction::Open);
    opened.rounds.push(rounds[0].clone());
    say(&*log, &[opened, act("2", CaseAction::Hold)]);
    archive_all(&*log, &archive, sealed(hasty(), folder));
    let seen = heads(&archive);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let held = || Held::of(&runtime.block_on(archive.cases()).unwrap());
    assert_eq!(held().rounds, [rounds[0].clone()].into());
    let erase = |id: &str| put_on_record(&*log, &archive, &patron, &held(), folder, id);
    let before: usize = rows(&archive).values().map(Vec::len).sum();
    let first = erase("3");
    // As if it had crashed here: on record, and not done.
    let undone = verified(&archive, &Trust::default());
    assert!(
        undone.wrong[0]
            .what
            .contains("was erased, as an act on record says")
    );
    let gone = runtime
        .block_on(archive.erase(&patron, &held(), true))
        .unwrap();
    assert!(gone.rows > 0 && gone.rows == first.leaves.0.len() as u64 && first.held > 0);
    let whole = assert_whole(&archive, seen.clone());
    assert_eq!((whole.checked.erased, whole.erasures.len()), (gone.rows, 1));
    assert_eq!(whole.erasures[0].authority, "order 26-2");
    let after: usize = rows(&archive).values().map(Vec::len).sum();
    assert_eq!(
        before + 1 - gone.rows as usize,
        after,
        "the act is a row more"
    );
    let left = naming(&archive, &patron);
    assert!(
        left > 0 && left as u64 == first.held,
        "the held round stays"
    );
    // When the case lets go, the rest goes.
    say(&*log, &[act("4", CaseAction::Release)]);
    archive_all(&*log, &archive, sealed(hasty(), folder));
    let second = erase("5");
    assert_eq!(second.held, 0);
    runtime
        .block_on(archive.erase(&patron, &held(), true))
        .unwrap();
    let whole = assert_whole(&archive, seen);
    assert_eq!(whole.erasures.len(), 2);
    assert_eq!(naming(&archive, &patron), 0);
    assert_forgotten(folder, &patron, &salts);
    // The archive goes on.
    play(&log, floor(10, 2));
    archive_all(&*log, &archive, sealed(hasty(), folder));
    assert_whole(&archive, heads(&archive));
}

/// All rows of a file, as text, with their salts.
fn rows_of(path: &Path) -> Vec<(String, Option<Vec<u8>>)> {
    let file = fs::File::open(path).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let options = FormatOptions::default();
    let mut rows = Vec::new();
    for batch in reader.build().unwrap() {
        let batch = batch.unwrap();
        let columns = batch.columns().iter();
        let cells = columns.map(|column| ArrayFormatter::try_new(column, &options).unwrap());
        let cells: Vec<_> = cells.collect();
        let salts = batch.column_by_name("salt");
        let salts = salts.and_then(|salts| salts.as_binary_opt::<i32>());
        rows.extend((0..batch.num_rows()).map(|row| {
            let text: Vec<String> = cells
                .iter()
                .map(|cell| cell.value(row).to_string())
                .collect();
            let salt = salts.filter(|salts| !salts.is_null(row));
            (
                text.join(" | "),
                salt.map(|salts| salts.value(row).to_vec()),
            )
        }));
    }
    rows
}
