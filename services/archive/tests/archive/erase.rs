//! A patron's rows go by law: the trees stay whole, nothing of the rows is left, and that they went is on record.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use catwalk_archive::{Archive, Erasure, Held, Trust, lanes};
use catwalk_events::Timestamp;
use catwalk_events::audit::{CaseAct, CaseAction};
use catwalk_log::{Log, Message, Topic};
use catwalk_proof::Note;
use catwalk_wire::Formats;

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

/// Nothing of a patron is left in any file, of earlier versions or beside the tables.
fn assert_forgotten(archive: &Archive, folder: &Path, patron: &str) {
    let mut files = Vec::new();
    all_files(&folder.join("archive"), &mut files);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let there = runtime.block_on(archive.reader().newest()).unwrap();
    for path in files {
        let bytes = fs::read(&path).unwrap();
        let names = bytes
            .windows(patron.len())
            .any(|part| part == patron.as_bytes());
        assert!(!names, "{} names {patron}", path.display());
        if path.extension().is_some_and(|end| end == "parquet")
            && !path.to_str().unwrap().contains("_delta_log")
        {
            let is_known = there.found.iter().any(|version| {
                let folder = folder.join("archive").join(&version.table);
                version
                    .files
                    .iter()
                    .any(|file| folder.join(&file.path) == path)
            });
            assert!(
                is_known || !text_of(&path).contains(patron),
                "{}",
                path.display()
            );
        }
    }
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
    assert_forgotten(&archive, folder, &patron);
    // The archive goes on.
    play(&log, floor(10, 2));
    archive_all(&*log, &archive, sealed(hasty(), folder));
    assert_whole(&archive, heads(&archive));
}

/// All texts of a file of any table.
fn text_of(path: &Path) -> String {
    let file = fs::File::open(path).unwrap();
    let reader = parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file);
    let batches = reader.unwrap().build().unwrap().map(Result::unwrap);
    let batches: Vec<_> = batches.collect();
    arrow::util::pretty::pretty_format_batches(&batches)
        .unwrap()
        .to_string()
}
