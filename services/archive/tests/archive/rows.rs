//! What is archived is what was on the log.

use catwalk_archive::{Archive, Archiver, Settings, TABLES};
use catwalk_log::{Message, Topic};
use catwalk_wire::Formats;

use crate::played::{PARTITIONS, open, play};
use crate::support::{archive_all, floor, hasty, rows};

/// Tables that a few rounds of a floor may leave empty.
const RARE: [&str; 7] = [
    "incidents",
    "log_entries",
    "notices",
    "slips",
    "quarantine",
    "cases",
    "access",
];

#[test]
fn one_row_an_event_however_often_it_is_flushed() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&[folder.path().join("log").to_str().unwrap()]);
    play(&log, floor(60, 1));
    let once = Archive::at(folder.path().join("once").to_str().unwrap()).unwrap();
    let often = Archive::at(folder.path().join("often").to_str().unwrap()).unwrap();
    let archiver = archive_all(&*log, &once, Settings::default());
    let ends = (0..PARTITIONS).map(|index| log.end(Topic::FloorEvents.partition(index)).unwrap());
    let progress = archiver.progress();
    let (events, counted) = progress.tables().next().unwrap();
    assert_eq!((events.name, counted.rows()), ("events", ends.sum()));
    archive_all(&*log, &often, hasty());
    assert_eq!(rows(&once), rows(&often));
}

#[test]
fn what_cannot_be_read_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&[folder.path().join("log").to_str().unwrap()]);
    let poison = Message::new(Topic::FloorEvents, "MB-01", "no Avro at all");
    log.producer().unwrap().send(&[poison]).unwrap();
    play(&log, floor(40, 2));
    let archive = Archive::at(folder.path().join("archive").to_str().unwrap()).unwrap();
    let archiver = archive_all(&*log, &archive, Settings::default());
    assert_eq!(archiver.progress().unreadable(), 1);
    for (table, progress) in archiver.progress().tables() {
        let is_rare = RARE.contains(&table.name);
        assert!(progress.rows() > 0 || is_rare, "{}", table.name);
    }
}

#[test]
fn compaction_leaves_one_sorted_file_a_day_and_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&[folder.path().join("log").to_str().unwrap()]);
    play(&log, floor(40, 2));
    let archive = Archive::at(folder.path().join("archive").to_str().unwrap()).unwrap();
    let mut settings = hasty();
    settings.compact.files = usize::MAX;
    archive_all(&*log, &archive, settings.clone());
    play(&log, floor(40, 3));
    archive_all(&*log, &archive, settings);
    let before = rows(&archive);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for table in TABLES {
        let compacted = runtime.block_on(archive.compact(table, 128 << 20)).unwrap();
        if RARE.contains(&table.name) && compacted.files_before < 2 {
            continue;
        }
        assert!(compacted.files_before > 1, "{} {compacted:?}", table.name);
        assert_eq!(compacted.files_after, 1, "{} {compacted:?}", table.name);
        assert!(compacted.bytes_after < compacted.bytes_before);
    }
    assert_eq!(rows(&archive), before);
    // An archiver goes on where it was, and has nothing to write.
    let archiver = archive_all(&*log, &archive, hasty());
    assert_eq!(archiver.progress().commits(), 0);
    assert_eq!(rows(&archive), before);
}

#[test]
fn a_second_archiver_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&[folder.path().join("log").to_str().unwrap()]);
    play(&log, floor(10, 3));
    let archive = Archive::at(folder.path().join("archive").to_str().unwrap()).unwrap();
    let begin = || {
        Archiver::open(
            &*log,
            &archive,
            Formats::plain().unwrap(),
            Settings::default(),
        )
        .unwrap()
    };
    let (mut first, mut second) = (begin(), begin());
    while first.step().unwrap() > 0 {}
    while second.step().unwrap() > 0 {}
    first.flush().unwrap();
    let error = second.flush().unwrap_err().to_string();
    assert!(
        error.contains("another archiver writes table events"),
        "{error}"
    );
}

#[test]
fn events_take_a_tenth_of_their_size_on_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&[folder.path().join("log").to_str().unwrap()]);
    let avro = play(&log, floor(1500, 4));
    let archive = Archive::at(folder.path().join("archive").to_str().unwrap()).unwrap();
    archive_all(&*log, &archive, Settings::default());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let table = catwalk_archive::Table::named("events").unwrap();
    // Compaction rewrites what has more than one file: give it two.
    play(&log, floor(1, 5));
    let archiver = archive_all(&*log, &archive, Settings::default());
    let events = archiver.progress().records();
    let compacted = runtime.block_on(archive.compact(table, 128 << 20)).unwrap();
    let parquet = compacted.bytes_after as usize;
    println!("{avro} bytes of Avro, {parquet} of Parquet; {events} more events, {compacted:?}");
    assert!(parquet * 10 < avro, "{parquet} bytes of {avro}");
}
