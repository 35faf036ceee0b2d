//! A process that writes to the embedded log is killed over and over; nothing may be lost, and nothing
//! may be there twice. `CATWALK_SEED` repeats a run.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

use std::collections::BTreeMap;
use std::env;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use catwalk_log::{
    Consumed, Durability, EmbeddedLog, Log, Message, Partition, Polled, Record, Topic, Worker,
    WorkerSpec,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const PARTITIONS: u32 = 3;
const KILLS: u32 = 30;
const FOLDER: &str = "CATWALK_CRASH_FOLDER";

#[test]
fn a_killed_process_loses_nothing_and_writes_nothing_twice() {
    let seed = match env::var("CATWALK_SEED") {
        Ok(seed) => seed.parse().unwrap(),
        Err(_) => RandomState::new().hash_one(0),
    };
    println!("CATWALK_SEED={seed}");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let folder = tempfile::tempdir().unwrap();
    let mut sent = 0;
    for kill in 0..KILLS {
        let word = ["opening.", "writing."][rng.random_range(0..2)];
        let delay = Duration::from_micros(rng.random_range(0..60_000));
        let (acknowledged, committed) = write_until_killed(folder.path(), word, delay);
        let found = check(folder.path());
        println!(
            "kill {kill}, {word} {delay:?}: {acknowledged} acknowledged, {committed} committed, {found:?}"
        );
        assert!(found.events >= acknowledged, "events are lost");
        assert!(found.events >= sent, "events of before are lost");
        assert!(found.settled >= committed, "commits are lost");
        sent = found.events;
    }
    assert!(sent > 0, "no process lived long enough to write");
}

/// Runs the process below, and kills it so long after it has said a word. Gives what it says to have
/// sent and committed.
fn write_until_killed(folder: &Path, word: &str, delay: Duration) -> (u64, u64) {
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "writes_until_it_is_killed", "--ignored"])
        .args(["--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut said = BTreeMap::from([("sent".to_owned(), 0), ("committed".to_owned(), 0)]);
    let mut hear = |line: String| {
        // The last line may be cut short, and the test harness says things of its own.
        let Some((what, count)) = line.split_once(' ') else {
            return;
        };
        let Some(Ok(count)) = count.strip_suffix('.').map(str::parse) else {
            return;
        };
        said.insert(what.to_owned(), count);
    };
    while let Some(Ok(line)) = lines.next() {
        let said_it = line == word;
        hear(line);
        if said_it {
            break;
        }
    }
    thread::sleep(delay);
    child.kill().unwrap();
    child.wait().unwrap();
    lines.map_while(Result::ok).for_each(hear);
    (said["sent"], said["committed"])
}

#[test]
#[ignore = "the process that the crash test kills"]
fn writes_until_it_is_killed() {
    let Ok(folder) = env::var(FOLDER) else {
        return;
    };
    let mut out = std::io::stdout();
    writeln!(out, "\nopening.").unwrap();
    let log = open(Path::new(&folder));
    let mut sent: u64 = ends(&log).values().sum();
    let mut settled: u64 = log_ends(&log, Topic::Settlements).values().sum();
    let mut producer = log.producer().unwrap();
    let mut worker = join(&log);
    writeln!(out, "writing.").unwrap();
    loop {
        let events: Vec<Message> = (sent..sent + 1 + sent % 7)
            .map(|n| Message::new(Topic::FloorEvents, format!("BJ-{}", n % 5), n.to_be_bytes()))
            .collect();
        producer.send(&events).unwrap();
        sent += events.len() as u64;
        writeln!(out, "sent {sent}.").unwrap();
        let Polled::Records(records) = worker.poll(Duration::ZERO).unwrap() else {
            continue;
        };
        worker
            .commit(&outputs(&records), &records.iter().collect())
            .unwrap();
        settled += records.len() as u64;
        writeln!(out, "committed {settled}.").unwrap();
    }
}

/// A settlement for each event, and a snapshot of how many there were in each partition.
fn outputs(records: &[Record]) -> Vec<Message> {
    let settlements = records.iter().map(|record| {
        let value = record.value.clone().unwrap();
        Message::new(Topic::Settlements, record.key.clone().unwrap(), value)
    });
    let mut outputs: Vec<Message> = settlements.collect();
    let consumed: Consumed = records.iter().collect();
    for (partition, next) in consumed.iter() {
        let snapshot = Message::new(Topic::State, "count", next.to_be_bytes());
        outputs.push(snapshot.to_partition(partition.index));
    }
    outputs
}

#[derive(Debug)]
struct Found {
    events: u64,
    settled: u64,
}

/// Each partition's settlements must be its first events, once each; the snapshot and the group's
/// place must say the same number.
fn check(folder: &Path) -> Found {
    let log = open(folder);
    let mut found = Found {
        events: 0,
        settled: 0,
    };
    let mut all = Vec::new();
    let mut settled = BTreeMap::new();
    for index in 0..PARTITIONS {
        let events = values(&log, Topic::FloorEvents.partition(index));
        let settlements = values(&log, Topic::Settlements.partition(index));
        assert!(settlements.len() <= events.len());
        assert_eq!(settlements, events[..settlements.len()]);
        let snapshot = log.latest(Topic::State.partition(index)).unwrap();
        let counted: Vec<u64> = snapshot.iter().map(value).collect();
        let expected = Some(settlements.len() as u64).filter(|count| *count > 0);
        assert_eq!(counted, expected.into_iter().collect::<Vec<u64>>());
        found.events += events.len() as u64;
        found.settled += settlements.len() as u64;
        if settlements.len() < events.len() {
            let partition = Topic::FloorEvents.partition(index);
            settled.insert(partition, settlements.len() as u64);
        }
        all.extend(events);
    }
    all.sort_unstable();
    assert_eq!(all, (0..found.events).collect::<Vec<u64>>());

    let mut worker = join(&log);
    let mut next = BTreeMap::new();
    loop {
        match worker.poll(Duration::ZERO).unwrap() {
            Polled::Records(records) if records.is_empty() => break,
            Polled::Records(records) => {
                for record in records {
                    next.entry(record.partition).or_insert(record.offset);
                }
            }
            _ => {}
        }
    }
    assert_eq!(next, settled, "where the group goes on");
    found
}

fn open(folder: &Path) -> EmbeddedLog {
    let log = EmbeddedLog::open(folder, Durability::Os).unwrap();
    let topics = [Topic::FloorEvents, Topic::Settlements, Topic::State];
    log.create(&topics.map(|topic| topic.with_partitions(PARTITIONS)))
        .unwrap();
    log
}

fn join(log: &EmbeddedLog) -> Box<dyn Worker> {
    let spec = WorkerSpec::new("settler", "one", [Topic::FloorEvents]);
    log.worker(&spec).unwrap()
}

fn ends(log: &EmbeddedLog) -> BTreeMap<Partition, u64> {
    log_ends(log, Topic::FloorEvents)
}

fn log_ends(log: &EmbeddedLog, topic: Topic) -> BTreeMap<Partition, u64> {
    let partitions = (0..PARTITIONS).map(|index| topic.partition(index));
    partitions
        .map(|partition| (partition, log.end(partition).unwrap()))
        .collect()
}

fn values(log: &EmbeddedLog, partition: Partition) -> Vec<u64> {
    let mut reader = log.reader(partition, 0).unwrap();
    let mut values = Vec::new();
    while !reader.caught_up() {
        let records = reader.read(Duration::ZERO).unwrap();
        values.extend(records.iter().map(value));
    }
    values
}

fn value(record: &Record) -> u64 {
    u64::from_be_bytes(record.value.as_deref().unwrap().try_into().unwrap())
}
