//! Archives of the last release become archives of this one.
//!
//! `last-release/` is an archive that the last release wrote:
//! `catwalk demo --seed 7 --tables 12 --rounds 40 --headless`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use catwalk_archive::{Archive, Settings, TABLES};
use tokio::runtime::Runtime;

use crate::played::{open, play};
use crate::support::{archive_all, floor, rows, rows_found};

const LAST_RELEASE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/archive/last-release");
/// The tables that are made of events and that the last release did not have, with the events that make them.
const MADE: [(&str, &str); 5] = [
    ("decisions", "'decision'"),
    ("outcomes", "'wheel_spun', 'dice_rolled', 'hand_set'"),
    (
        "custody",
        "'cards_delivered', 'cards_opened', 'cards_inspected', 'shoe_started', 'cards_counted', \
         'card_replaced', 'cards_removed', 'cards_collected', 'cards_reinspected', \
         'cards_destroyed', 'dice_introduced', \
         'dice_inspected', 'dice_removed', 'dice_collected', 'dice_destroyed', 'tiles_introduced', \
         'tiles_inspected', 'tiles_removed', 'tiles_collected', 'tiles_destroyed', 'wheel_inspected', \
         'device_inspected', 'device_adjusted'",
    ),
    (
        "notices",
        "'notice_posted', 'rules_changed', 'limits_changed'",
    ),
    ("slips", "'fill', 'credit'"),
];

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// How many events of these types there are among the rows of `events`.
fn counted(events: &[String], types: &str) -> usize {
    let types: Vec<&str> = types
        .split(", ")
        .map(|name| name.trim_matches('\''))
        .collect();
    // Gaming day, property, table, seq and moment come before the type.
    let type_of = |row: &String| row.split(" | ").nth(5).unwrap().to_owned();
    let of_types = events
        .iter()
        .filter(|row| types.contains(&type_of(row).as_str()));
    of_types.count()
}

#[test]
fn an_archive_of_the_last_release_gets_the_new_columns_and_tables() {
    let folder = tempfile::tempdir().unwrap();
    copy(Path::new(LAST_RELEASE), folder.path());
    let archive = Archive::at(folder.path().to_str().unwrap()).unwrap();
    let runtime = Runtime::new().unwrap();
    let done = runtime.block_on(archive.upgrade()).unwrap();
    let columns: BTreeMap<_, _> = done.columns.iter().copied().collect();
    for table in [
        "events",
        "rounds",
        "wagers",
        "findings",
        "money",
        "dispositions",
    ] {
        assert!(
            columns.get(table).is_some_and(|count| *count > 0),
            "{table}: {done:?}"
        );
    }
    let filled: BTreeMap<_, _> = done.filled.iter().copied().collect();
    let after = rows_found(&archive);
    for (table, types) in MADE {
        assert_eq!(
            filled.get(table),
            Some(&counted(&after["events"], types)),
            "{table}"
        );
    }
    assert!(
        filled["decisions"] > 20 && filled["custody"] > 50,
        "{filled:?}"
    );
    assert_eq!(done.unreadable, 0);
    assert_eq!(after["decisions"].len(), filled["decisions"]);
    // What is done is not done again, and nothing moves.
    let again = runtime.block_on(archive.upgrade()).unwrap();
    assert_eq!(
        (
            again.columns.len(),
            again.filled.iter().map(|(_, rows)| rows).sum()
        ),
        (0, 0)
    );
    assert_eq!(rows_found(&archive), after);
    // What came by other topics is not in the events: the archiver brings it.
    assert!(after["quarantine"].is_empty());
}

#[test]
fn what_an_upgrade_makes_is_what_an_archiver_makes_and_it_goes_on_from_there() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&[folder.path().join("log").to_str().unwrap()]);
    play(&log, floor(60, 1));
    let place = folder.path().join("archive");
    let archive = Archive::at(place.to_str().unwrap()).unwrap();
    archive_all(&*log, &archive, Settings::default());
    let before = rows(&archive);
    for (table, _) in MADE {
        fs::remove_dir_all(place.join(table)).unwrap();
    }
    let done = Runtime::new().unwrap().block_on(archive.upgrade()).unwrap();
    assert_eq!(done.filled.len(), MADE.len());
    assert!(done.columns.is_empty());
    assert_eq!(rows(&archive), before);
    let archiver = archive_all(&*log, &archive, Settings::default());
    assert_eq!(
        archiver.progress().commits(),
        0,
        "it has everything already"
    );
    play(&log, floor(20, 2));
    archive_all(&*log, &archive, Settings::default());
    let whole = Archive::at(folder.path().join("whole").to_str().unwrap()).unwrap();
    archive_all(&*log, &whole, Settings::default());
    assert_eq!(rows(&archive), rows(&whole));
}

#[test]
fn an_empty_place_stays_empty() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::at(folder.path().to_str().unwrap()).unwrap();
    let done = Runtime::new().unwrap().block_on(archive.upgrade()).unwrap();
    assert!(done.columns.is_empty() && done.filled.is_empty());
    let tables = TABLES
        .into_iter()
        .filter(|table| folder.path().join(table.name).exists());
    assert_eq!(tables.count(), 0);
}
