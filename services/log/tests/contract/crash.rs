//! A process that writes to the log is killed over and over; nothing may be lost, and nothing may be
//! there twice.

use std::collections::BTreeMap;
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use catwalk_log::{
    Consumed, Durability, EmbeddedLog, Error, KafkaConfig, KafkaLog, Log, Message, Partition,
    Polled, Record, Topic, Worker, WorkerSpec,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const PARTITIONS: u32 = 3;
/// Tells the process that is killed where its log is.
const HOME: &str = "CATWALK_CRASH_HOME";
const PATIENCE: Duration = Duration::from_secs(90);

/// Kills so many processes, each up to `latest` after it has begun to open the log or to work.
pub(crate) fn kill_over_and_over(home: &[&str], kills: u32, latest: Duration) {
    let mut rng = ChaCha8Rng::seed_from_u64(crate::seed());
    let mut sent = 0;
    for kill in 0..kills {
        let word = ["opening.", "working.", "working."][rng.random_range(0..3)];
        let delay = latest.mul_f64(rng.random_range(0.0..1.0));
        let (acknowledged, committed) = write_until_killed(home, word, delay);
        let found = check(&*open(home));
        println!(
            "kill {kill}, {word} {delay:?}: {acknowledged} acknowledged, {committed} committed, {found:?}"
        );
        assert!(found.events >= acknowledged, "events are lost");
        assert!(found.events >= sent, "events of before are lost");
        assert!(found.settled >= committed, "commits are lost");
        sent = found.events;
    }
}

/// Runs the process below, and kills it so long after it has said a word. Gives what it says to have
/// sent and committed.
fn write_until_killed(home: &[&str], word: &str, delay: Duration) -> (u64, u64) {
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "crash::writes_until_it_is_killed", "--ignored"])
        .args(["--nocapture", "--test-threads=1"])
        .env(HOME, home.join("\n"))
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
    let mut said_it = false;
    while let Some(Ok(line)) = lines.next() {
        said_it = line == word;
        hear(line);
        if said_it {
            break;
        }
    }
    assert!(said_it, "the process ended by itself");
    thread::sleep(delay);
    child.kill().unwrap();
    child.wait().unwrap();
    lines.map_while(Result::ok).for_each(hear);
    (said["sent"], said["committed"])
}

#[test]
#[ignore = "the process that the crash tests kill"]
fn writes_until_it_is_killed() {
    let Ok(home) = env::var(HOME) else {
        return;
    };
    let home: Vec<&str> = home.lines().collect();
    let mut out = std::io::stdout();
    writeln!(out, "\nopening.").unwrap();
    let log = open(&home);
    let mut worker = join(&*log);
    let mut sent = count(&*log, Topic::FloorEvents);
    let mut settled = count(&*log, Topic::Settlements);
    let mut producer = log.producer().unwrap();
    let mut working = false;
    loop {
        for _ in 0..1 + sent % 7 {
            let table = format!("BJ-{}", sent % 5);
            let event = Message::new(Topic::FloorEvents, table, sent.to_be_bytes());
            producer.send(&[event]).unwrap();
            producer.flush().unwrap();
            sent += 1;
            writeln!(out, "sent {sent}.").unwrap();
        }
        let Polled::Records(records) = worker.poll(Duration::from_millis(1)).unwrap() else {
            continue;
        };
        match worker.commit(&outputs(&records), &records.iter().collect()) {
            Ok(()) => settled += records.len() as u64,
            // The records come again.
            Err(Error::Aborted { .. }) => continue,
            Err(error) => panic!("{error}"),
        }
        writeln!(out, "committed {settled}.").unwrap();
        if !working && !records.is_empty() {
            working = true;
            writeln!(out, "working.").unwrap();
        }
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
fn check(log: &dyn Log) -> Found {
    // First, because it ends what the killed worker had begun.
    let mut worker = join(log);
    let mut found = Found {
        events: 0,
        settled: 0,
    };
    let (mut all, mut undone) = (Vec::new(), BTreeMap::new());
    for index in 0..PARTITIONS {
        let events = values(log, Topic::FloorEvents.partition(index));
        let settlements = values(log, Topic::Settlements.partition(index));
        assert!(settlements.len() <= events.len());
        assert_eq!(settlements, events[..settlements.len()]);
        let snapshot = log.latest(Topic::State.partition(index)).unwrap();
        let counted: Vec<u64> = snapshot.iter().map(value).collect();
        let expected = Some(settlements.len() as u64).filter(|count| *count > 0);
        assert_eq!(counted, expected.into_iter().collect::<Vec<u64>>());
        found.events += events.len() as u64;
        found.settled += settlements.len() as u64;
        let rest = events[settlements.len()..].to_vec();
        undone.insert(Topic::FloorEvents.partition(index), rest);
        all.extend(events);
    }
    all.sort_unstable();
    assert_eq!(all, (0..found.events).collect::<Vec<u64>>());

    let mut given: BTreeMap<Partition, Vec<u64>> = BTreeMap::new();
    let start = Instant::now();
    // Until all partitions are there, and all records, and no more come.
    loop {
        assert!(start.elapsed() < PATIENCE, "{given:?} of {undone:?}");
        match worker.poll(Duration::from_millis(200)).unwrap() {
            Polled::Assigned(partitions) => {
                given.extend(partitions.into_iter().map(|partition| (partition, vec![])));
            }
            Polled::Records(records) if records.is_empty() => {
                let count = |lists: &BTreeMap<_, Vec<u64>>| lists.values().map(Vec::len).sum();
                let (so_far, all): (usize, usize) = (count(&given), count(&undone));
                if given.len() == undone.len() && so_far >= all {
                    break;
                }
            }
            Polled::Records(records) => {
                for record in records {
                    let values = given.get_mut(&record.partition).unwrap();
                    values.push(value(&record));
                }
            }
            change => panic!("{change:?}"),
        }
    }
    assert_eq!(given, undone, "what the group goes on with");
    found
}

fn open(home: &[&str]) -> Box<dyn Log> {
    let log: Box<dyn Log> = match home {
        ["folder", folder] => Box::new(EmbeddedLog::open(folder, Durability::Os).unwrap()),
        ["kafka", bootstrap, prefix] => {
            let mut config = KafkaConfig::new(*bootstrap);
            config.prefix = (*prefix).to_owned();
            // The killed worker is missed soon.
            let session = ("session.timeout.ms".to_owned(), "2000".to_owned());
            let heartbeat = ("heartbeat.interval.ms".to_owned(), "500".to_owned());
            config.settings.extend([session, heartbeat]);
            Box::new(KafkaLog::connect(config).unwrap())
        }
        _ => panic!("{home:?}"),
    };
    let topics = [Topic::FloorEvents, Topic::Settlements, Topic::State];
    log.create(&topics.map(|topic| topic.with_partitions(PARTITIONS)))
        .unwrap();
    log
}

fn join(log: &dyn Log) -> Box<dyn Worker> {
    let spec = WorkerSpec::new("settler", "one", [Topic::FloorEvents]);
    log.worker(&spec).unwrap()
}

fn count(log: &dyn Log, topic: Topic) -> u64 {
    let partitions = (0..PARTITIONS).map(|index| topic.partition(index));
    let counts = partitions.map(|partition| values(log, partition).len() as u64);
    counts.sum()
}

fn values(log: &dyn Log, partition: Partition) -> Vec<u64> {
    let mut reader = log.reader(partition, 0).unwrap();
    let mut values = Vec::new();
    while !reader.caught_up() {
        let records = reader.read(Duration::from_millis(100)).unwrap();
        values.extend(records.iter().map(value));
    }
    values
}

fn value(record: &Record) -> u64 {
    u64::from_be_bytes(record.value.as_deref().unwrap().try_into().unwrap())
}
