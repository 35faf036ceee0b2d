//! Files of the log are damaged in every kind of place: it may refuse, but never have less and say nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;

use super::codec::{self, record_key};
use super::files::Files;
use super::{Durability, EmbeddedLog, journal, salvage};
use crate::{Consumed, Error, Log, Message, Polled, Record, Result, Topic, WorkerSpec};

const PARTITIONS: u32 = 3;
const TOPICS: [Topic; 3] = [Topic::FloorEvents, Topic::Settlements, Topic::State];

/// All records of a log, and how far its group is.
#[derive(Debug, Default, PartialEq, Eq)]
struct Content {
    records: Vec<Record>,
    consumed: Vec<Option<u64>>,
}

fn content(log: &EmbeddedLog) -> Result<Content> {
    let mut content = Content::default();
    for topic in TOPICS {
        for index in 0..log.partitions(topic)? {
            let partition = topic.partition(index);
            log.verify(partition)?;
            let end = log.end(partition)?;
            let mut from = 0;
            while from < end {
                let (records, next) = log.0.read(partition, from, end, usize::MAX)?;
                content.records.extend(records);
                from = next;
            }
        }
    }
    let mut worker = log.worker(&WorkerSpec::new("settler", "one", [Topic::FloorEvents]))?;
    while !matches!(worker.poll(Duration::ZERO)?, Polled::Assigned(_)) {}
    for index in 0..PARTITIONS {
        let committed = log
            .0
            .committed("settler", Topic::FloorEvents.partition(index))?;
        content.consumed.push(Some(committed));
    }
    Ok(content)
}

/// Writes events and settles them; `tables` has the storage write its tables now and then.
fn write(log: &EmbeddedLog, rounds: u64, tables: bool) {
    log.create(&TOPICS.map(|topic| topic.with_partitions(PARTITIONS)))
        .unwrap();
    let mut worker = log
        .worker(&WorkerSpec::new("settler", "one", [Topic::FloorEvents]))
        .unwrap();
    let mut producer = log.producer().unwrap();
    for round in 0..rounds {
        for event in 0..5 {
            let value = format!("{round} {event} ").repeat(if event == 4 { 700 } else { 20 });
            let table = format!("BJ-{}", (round + event) % 7);
            producer
                .send(&[Message::new(Topic::FloorEvents, table, value).at(7)])
                .unwrap();
        }
        let mut consumed = Consumed::default();
        let mut outputs = Vec::new();
        loop {
            match worker.poll(Duration::ZERO).unwrap() {
                Polled::Records(records) if records.is_empty() => break,
                Polled::Records(records) => {
                    for record in &records {
                        consumed.add(record);
                        let key = record.key.clone().unwrap();
                        let state = Message::new(Topic::State, key.clone(), round.to_be_bytes());
                        outputs.push(Message::new(Topic::Settlements, key, "settled").at(8));
                        outputs.push(state.at(9).to_partition(record.partition.index));
                    }
                }
                _ => {}
            }
        }
        // Consumption alone is a commit too.
        let outputs = if round % 5 == 4 {
            &[]
        } else {
            outputs.as_slice()
        };
        worker.commit(outputs, &consumed).unwrap();
        if tables && round % 16 == 9 {
            let files = &log.0.files;
            for keyspace in files.records.values().chain(files.latest.values()) {
                keyspace.rotate_memtable_and_wait().unwrap();
            }
            files.offsets.rotate_memtable_and_wait().unwrap();
            files.meta.rotate_memtable_and_wait().unwrap();
        }
    }
}

/// A log as its files lie there: closed, or as a killed process leaves them.
struct Image {
    folder: TempDir,
    content: Content,
}

fn image(tables: bool, closed: bool) -> Image {
    let home = tempfile::tempdir().unwrap();
    let log = EmbeddedLog::open(home.path(), Durability::Os).unwrap();
    write(&log, 40, tables);
    let content = content(&log).unwrap();
    if closed {
        drop(log);
        return Image {
            folder: home,
            content,
        };
    }
    let killed = tempfile::tempdir().unwrap();
    copy(home.path(), killed.path());
    Image {
        folder: killed,
        content,
    }
}

fn copy(from: &Path, to: &Path) {
    for path in entries(from) {
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&path, &target);
        } else if path.extension().is_some_and(|end| end == "jnl") {
            // Without what is allocated ahead, so that the tests are fast.
            let bytes = fs::read(&path).unwrap();
            let end = bytes
                .iter()
                .rposition(|byte| *byte != 0)
                .map_or(0, |at| at + 1);
            fs::write(&target, &bytes[..end]).unwrap();
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn all_files(folder: &Path) -> Vec<PathBuf> {
    let files = entries(folder).into_iter().flat_map(|path| {
        if path.is_dir() {
            all_files(&path)
        } else {
            vec![path]
        }
    });
    files
        .filter(|path| fs::metadata(path).unwrap().len() > 0)
        .collect()
}

/// Does something to a file, and says what.
fn damage(path: &Path, rng: &mut ChaCha8Rng) -> String {
    let mut bytes = fs::read(path).unwrap();
    let length = bytes.len();
    let at = rng.random_range(0..length);
    let what = match rng.random_range(0..6) {
        0 => {
            let to = (at + rng.random_range(1..5000)).min(length);
            bytes[at..to].fill(0);
            format!("zeros {at}..{to}")
        }
        1 => {
            bytes.truncate(at);
            format!("cut at {at}")
        }
        2 => {
            let bit = rng.random_range(0..8);
            bytes[at] ^= 1 << bit;
            format!("bit {bit} of byte {at}")
        }
        3 => {
            for _ in 0..30 {
                let at = rng.random_range(0..length);
                bytes[at] ^= 1 << rng.random_range(0..8);
            }
            "30 bits".to_owned()
        }
        4 => {
            let to = (at + rng.random_range(1..2000)).min(length);
            bytes.drain(at..to);
            format!("taken out {at}..{to}")
        }
        _ => {
            fs::remove_file(path).unwrap();
            return format!("{} removed", path.display());
        }
    };
    fs::write(path, bytes).unwrap();
    format!("{}: {what} of {length}", path.display())
}

/// What is salvaged was there, and what is not salvaged is said to be lost.
fn check_salvage(damaged: &Path, content: &Content, what: &str) -> bool {
    let home = tempfile::tempdir().unwrap();
    let into = home.path().join("salvaged");
    let Ok(salvaged) = salvage(damaged, &into) else {
        return false;
    };
    let log = EmbeddedLog::open_existing(&into, Durability::Os).unwrap();
    for topic in [Topic::FloorEvents, Topic::Settlements] {
        for index in 0..PARTITIONS {
            let partition = topic.partition(index);
            let had: BTreeMap<u64, &Record> = content
                .records
                .iter()
                .filter(|record| record.partition == partition)
                .map(|record| (record.offset, record))
                .collect();
            let Ok(end) = log.end(partition) else {
                assert!(
                    !salvaged.doubts.is_empty(),
                    "{what}: {partition} is gone unsaid"
                );
                continue;
            };
            let lost = log
                .lost()
                .into_iter()
                .filter(|(lost, _)| *lost == partition);
            let lost: Vec<u64> = lost.flat_map(|(_, hole)| hole).collect();
            let (mut kept, mut from) = (Vec::new(), 0);
            while from < end {
                let (records, next) = log.0.read(partition, from, end, usize::MAX).unwrap();
                kept.extend(records);
                from = next;
            }
            for record in &kept {
                assert_eq!(had.get(&record.offset), Some(&record), "{what}");
            }
            let whole = kept.len() + lost.len() == had.len();
            assert!(
                whole || !salvaged.doubts.is_empty(),
                "{what}: {partition} lost unsaid"
            );
        }
    }
    true
}

/// `CATWALK_SEED` repeats a trial, `CATWALK_TRIALS` asks for more.
fn seeds() -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().unwrap());
    match number("CATWALK_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("CATWALK_TRIALS").unwrap_or(25),
    }
}

fn try_damage(image: &Image, at: impl Fn(&Path) -> Vec<PathBuf>) {
    let (mut refused, mut salvaged) = (0, 0);
    for seed in seeds() {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let folder = tempfile::tempdir().unwrap();
        copy(image.folder.path(), folder.path());
        let files = at(folder.path());
        let what = damage(&files[rng.random_range(0..files.len())], &mut rng);
        let what = format!("CATWALK_SEED={seed}, {what}");
        println!("{what}");
        let damaged = tempfile::tempdir().unwrap();
        copy(folder.path(), damaged.path());
        let opened = EmbeddedLog::open(folder.path(), Durability::Os);
        match opened.and_then(|log| content(&log)) {
            Ok(found) => assert!(found == image.content, "{what}: lost, and nothing was said"),
            Err(error) => {
                println!("  {error}");
                refused += 1;
                let again = EmbeddedLog::open(folder.path(), Durability::Os);
                let again = again.and_then(|log| content(&log));
                assert!(again.is_err(), "{what}: refused once, then opened");
                salvaged += u64::from(check_salvage(damaged.path(), &image.content, &what));
            }
        }
    }
    println!("{refused} were refused, {salvaged} of them salvaged");
    assert!(refused > 0 && salvaged > 0 || seeds().count() == 1);
}

fn journals(folder: &Path) -> Vec<PathBuf> {
    let files = journal::files(&folder.join("log")).unwrap();
    files.into_iter().map(|(_, path)| path).collect()
}

#[test]
fn a_damaged_journal_of_a_closed_log_is_never_passed_over() {
    try_damage(&image(false, true), journals);
}

#[test]
fn a_damaged_journal_of_a_killed_process_is_never_passed_over() {
    try_damage(&image(false, false), journals);
}

#[test]
fn damage_of_any_file_is_never_passed_over() {
    try_damage(&image(true, true), |folder| {
        let files = all_files(folder).into_iter();
        files.filter(|path| !path.ends_with("lock")).collect()
    });
}

#[test]
fn a_zeroed_middle_names_its_place_and_what_lies_behind() {
    let image = image(false, true);
    let folder = image.folder.path();
    let path = journals(folder).remove(0);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 5000].fill(0);
    fs::write(&path, &bytes).unwrap();
    let error = EmbeddedLog::open(folder, Durability::Os).unwrap_err();
    assert!(matches!(error, Error::Damaged { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains(".jnl is damaged: from byte "), "{text}");
    assert!(text.contains("whole batches with"), "{text}");
    assert!(text.contains("log salvage"), "{text}");
    assert_eq!(fs::read(&path).unwrap(), bytes, "the file was changed");
}

#[test]
fn a_torn_end_is_cut_off_and_said() {
    let image = image(false, false);
    let whole = journals(image.folder.path()).remove(0);
    let whole = fs::read(&whole).unwrap();
    // A batch that was being written: the beginning of one, here the first of the journal.
    for torn in [1, 5, 13, 14, 40, 60] {
        let folder = tempfile::tempdir().unwrap();
        copy(image.folder.path(), folder.path());
        let path = journals(folder.path()).remove(0);
        fs::write(&path, [&whole[..], &whole[..torn]].concat()).unwrap();
        let log = EmbeddedLog::open(folder.path(), Durability::Os).unwrap();
        let said = log.repaired().join("; ");
        assert!(said.contains("torn"), "{torn}: {said}");
        assert_eq!(content(&log).unwrap(), image.content, "{torn}");
        drop(log);
        let log = EmbeddedLog::open(folder.path(), Durability::Os).unwrap();
        assert!(log.repaired().is_empty());
        assert_eq!(content(&log).unwrap(), image.content, "{torn}");
    }
}

#[test]
fn a_log_that_is_gone_is_not_begun_anew() {
    let image = image(false, true);
    let folder = image.folder.path();
    fs::remove_dir_all(folder.join("log")).unwrap();
    let error = EmbeddedLog::open(folder, Durability::Os).unwrap_err();
    assert!(error.to_string().contains("is gone, which had"), "{error}");
}

#[test]
fn whoever_reads_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let typo = folder.path().join("typo");
    let error = EmbeddedLog::open_existing(&typo, Durability::Os).unwrap_err();
    assert!(matches!(error, Error::NoLog { .. }), "{error}");
    assert!(!typo.exists());
}

#[test]
fn a_log_of_the_first_layout_is_read_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::open(&folder.path().join("log")).unwrap();
    files
        .meta
        .insert("version", [codec::UNCHECKED_VERSION])
        .unwrap();
    files
        .meta
        .insert("topic/floor.events", 1u32.to_be_bytes())
        .unwrap();
    let records = &files.records[&Topic::FloorEvents];
    for offset in 0..10 {
        let mut value = 7i64.to_be_bytes().to_vec();
        value.extend([3, 0, 0, 0, 5]);
        value.extend(b"BJ-07an event");
        records.insert(record_key(0, offset), value).unwrap();
    }
    drop(files);
    let partition = Topic::FloorEvents.partition(0);
    for sent in 0..3 {
        let log = EmbeddedLog::open(folder.path(), Durability::Os).unwrap();
        assert!(log.repaired().is_empty());
        assert_eq!(log.verify(partition).unwrap(), 10 + sent);
        let message = Message::new(Topic::FloorEvents, "BJ-07", "another");
        log.producer().unwrap().send(&[message]).unwrap();
    }
}
