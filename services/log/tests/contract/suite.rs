//! The promises. Each runs on a log of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::{Duration, Instant};

use catwalk_log::{
    Consumed, Error, Log, Message, Partition, Polled, Reader, Record, Topic, Worker, WorkerSpec,
    partition_of,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Where a log lives.
pub(crate) trait Home: Sync {
    /// Opens the log: each time the same one, and one at a time.
    fn open(&self) -> Box<dyn Log>;

    /// How many steps of a random walk take a few seconds.
    fn steps(&self) -> u32;
}

const PARTITIONS: u32 = 4;
/// How long anything may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(90);
const SOON: Duration = Duration::from_millis(100);

pub(crate) fn topics_keep_their_number_of_partitions(home: &dyn Home) {
    let log = home.open();
    let missing = log.partitions(Topic::Findings);
    assert!(matches!(missing, Err(Error::NoTopic { .. })), "{missing:?}");
    log.create(&[Topic::Findings.with_partitions(3)]).unwrap();
    log.create(&[Topic::Findings.with_partitions(3)]).unwrap();
    assert_eq!(log.partitions(Topic::Findings).unwrap(), 3);
    let other = log.create(&[Topic::Findings.with_partitions(5)]);
    let Err(Error::PartitionCount { wanted, found, .. }) = other else {
        panic!("{other:?}");
    };
    assert_eq!((wanted, found), (5, 3));
    let beyond = log.end(Topic::Findings.partition(3));
    assert!(matches!(beyond, Err(Error::NoPartition { .. })));
}

pub(crate) fn a_record_comes_back_as_it_was_sent(home: &dyn Home) {
    let log = created(home);
    let bytes: Vec<u8> = (0..=255).collect();
    let messages = [
        Message::new(Topic::Quarantine, bytes.clone(), bytes).at(1_700_000_000_123),
        Message::new(Topic::Quarantine, "", "").at(1),
        Message::new(Topic::Quarantine, "large", vec![7; 900_000]).at(2),
    ]
    .map(|message| message.to_partition(2));
    send(&*log, &messages);
    let records = read_all(&*log, Topic::Quarantine.partition(2));
    assert_eq!(records.len(), messages.len());
    for (record, message) in records.iter().zip(&messages) {
        assert_eq!(record.partition, Topic::Quarantine.partition(2));
        assert_eq!(record.key.as_ref(), Some(&message.key));
        assert_eq!(record.value, message.value);
        assert_eq!(Some(record.timestamp_ms), message.timestamp_ms);
    }
}

pub(crate) fn a_key_keeps_its_order(home: &dyn Home) {
    let log = created(home);
    let mut producer = log.producer().unwrap();
    for batch in numbered(0..500).chunks(7) {
        producer.send(batch).unwrap();
    }
    producer.flush().unwrap();
    let mut by_key = BTreeMap::<Vec<u8>, Vec<u32>>::new();
    for partition in partitions(Topic::FloorEvents) {
        let records = read_all(&*log, partition);
        assert!(records.is_sorted_by(|a, b| a.offset < b.offset));
        for record in records {
            let numbers = by_key.entry(record.key.clone().unwrap()).or_default();
            numbers.push(number(&record));
        }
    }
    assert_eq!(by_key.values().map(Vec::len).sum::<usize>(), 500);
    for (key, numbers) in by_key {
        assert!(numbers.is_sorted_by(|a, b| a < b), "{key:?}: {numbers:?}");
    }
}

pub(crate) fn a_key_goes_where_murmur2_says(home: &dyn Home) {
    let log = created(home);
    send(&*log, &numbered(0..100));
    let mut worker = worker(&*log, "one");
    let records = poll_records(&mut *worker, 100);
    let outputs: Vec<Message> = records.iter().map(settled).collect();
    worker.commit(&outputs, &records.iter().collect()).unwrap();
    for topic in [Topic::FloorEvents, Topic::Settlements] {
        for partition in partitions(topic) {
            for record in read_all(&*log, partition) {
                let key = record.key.unwrap();
                assert_eq!(partition.index, partition_of(&key, PARTITIONS), "{key:?}");
            }
        }
    }
}

pub(crate) fn a_reader_begins_at_any_offset(home: &dyn Home) {
    let log = created(home);
    let partition = Topic::Dispositions.partition(1);
    assert_eq!(log.end(partition).unwrap(), 0);
    assert!(read_all(&*log, partition).is_empty());
    let messages: Vec<Message> = (0..2500u32)
        .map(|n| Message::new(Topic::Dispositions, "f-1", n.to_be_bytes()).to_partition(1))
        .collect();
    send(&*log, &messages);
    assert_eq!(log.end(partition).unwrap(), 2500);
    for from in [0, 1, 999, 2499, 2500] {
        let mut reader = log.reader(partition, from).unwrap();
        let numbers: Vec<u32> = read_to_end(&mut *reader).iter().map(number).collect();
        assert_eq!(numbers, (from as u32..2500).collect::<Vec<u32>>());
        assert_eq!(reader.position(), 2500);
    }
}

pub(crate) fn a_reader_waits_for_what_comes(home: &dyn Home) {
    let log = created(home);
    let partition = Topic::Findings.partition(0);
    let mut reader = log.reader(partition, 0).unwrap();
    assert!(reader.read(SOON).unwrap().is_empty());
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(SOON);
            send(
                &*log,
                &[Message::new(Topic::Findings, "f", [0, 0, 0, 9]).to_partition(0)],
            );
        });
        let start = Instant::now();
        let records = loop {
            let records = reader.read(Duration::from_secs(5)).unwrap();
            if !records.is_empty() || start.elapsed() > PATIENCE {
                break records;
            }
        };
        assert_eq!(records.iter().map(number).collect::<Vec<u32>>(), [9]);
    });
}

pub(crate) fn a_commit_is_there_as_a_whole(home: &dyn Home) {
    let log = created(home);
    send(&*log, &numbered(0..3));
    let mut first = worker(&*log, "one");
    let records = poll_records(&mut *first, 3);
    let outputs = [
        Message::new(Topic::Settlements, "BJ-01", [0, 0, 0, 1]).to_partition(0),
        Message::new(Topic::Findings, "BJ-01", [0, 0, 0, 2]).to_partition(0),
        Message::new(Topic::State, "BJ-01", [0, 0, 0, 3]).to_partition(0),
    ];
    first.commit(&outputs, &records.iter().collect()).unwrap();
    for (topic, expected) in [
        (Topic::Settlements, 1),
        (Topic::Findings, 2),
        (Topic::State, 3),
    ] {
        let records = read_all(&*log, topic.partition(0));
        assert_eq!(records.iter().map(number).collect::<Vec<u32>>(), [expected]);
    }
    drop(first);
    drop(log);

    let log = home.open();
    assert_eq!(log.latest(Topic::State.partition(0)).unwrap().len(), 1);
    send(&*log, &numbered(3..4));
    let mut second = worker(&*log, "two");
    let records = poll_records(&mut *second, 1);
    assert_eq!(records.iter().map(number).collect::<Vec<u32>>(), [3]);
}

pub(crate) fn what_is_committed_is_read_when_its_end_is_decided(home: &dyn Home) {
    let log = created(home);
    let mut worker = worker(&*log, "one");
    let mut committed = 0;
    for from in (0..200).step_by(20) {
        send(&*log, &numbered(from..from + 20));
        let records = poll_records(&mut *worker, 20);
        let outputs: Vec<Message> = records.iter().map(settled).collect();
        worker.commit(&outputs, &records.iter().collect()).unwrap();
        committed += outputs.len();
        let mut read = 0;
        for partition in partitions(Topic::Settlements) {
            let decided = log.decided_end(partition).unwrap();
            assert!(log.end(partition).unwrap() >= decided);
            read += read_all(&*log, partition).len();
        }
        assert_eq!(read, committed);
    }
}

pub(crate) fn a_failed_commit_leaves_nothing(home: &dyn Home) {
    let log = created(home);
    send(&*log, &numbered(0..20));
    let mut worker = worker(&*log, "one");
    let records = poll_records(&mut *worker, 20);
    let consumed: Consumed = records.iter().collect();
    let mut outputs: Vec<Message> = records.iter().map(settled).collect();
    outputs.push(Message::new(Topic::Findings, "BJ-01", vec![0; 2_000_000]));
    let failed = worker.commit(&outputs, &consumed);
    assert!(
        matches!(failed, Err(Error::TooLarge { .. } | Error::Aborted { .. })),
        "{failed:?}"
    );
    for partition in partitions(Topic::Settlements) {
        assert!(read_all(&*log, partition).is_empty());
    }

    let Polled::Lost(lost) = worker.poll(PATIENCE).unwrap() else {
        panic!("the worker goes on as if nothing had happened");
    };
    let Polled::Assigned(assigned) = worker.poll(PATIENCE).unwrap() else {
        panic!("the worker does not get its partitions back");
    };
    assert_eq!(lost, assigned);
    let again = poll_records(&mut *worker, 20);
    assert_eq!(numbers(&again), (0..20).collect());
    outputs.pop();
    worker.commit(&outputs, &again.iter().collect()).unwrap();
    assert_eq!(settlements(&*log), (0..20).collect::<Vec<u32>>());
}

pub(crate) fn what_was_not_committed_comes_again(home: &dyn Home) {
    let log = created(home);
    send(&*log, &numbered(0..50));
    let mut first = worker(&*log, "one");
    let records = poll_records(&mut *first, 50);
    let (done, undone) = records.split_at(20);
    let outputs: Vec<Message> = done.iter().map(settled).collect();
    first.commit(&outputs, &done.iter().collect()).unwrap();
    // These outputs never come to be: the worker goes away before it commits.
    drop(first);
    drop(log);

    let log = home.open();
    let mut second = worker(&*log, "one");
    let again = poll_records(&mut *second, undone.len());
    assert_eq!(numbers(&again), numbers(undone));
    let outputs: Vec<Message> = again.iter().map(settled).collect();
    second.commit(&outputs, &again.iter().collect()).unwrap();
    assert_eq!(settlements(&*log), (0..50).collect::<Vec<u32>>());
}

pub(crate) fn only_who_holds_a_partition_commits_it(home: &dyn Home) {
    let log = created(home);
    send(&*log, &numbered(0..5));
    let mut worker = worker(&*log, "one");
    let records = poll_records(&mut *worker, 5);
    let mut foreign = records[0].clone();
    foreign.partition = Topic::Dispositions.partition(0);
    let outputs = [settled(&records[0])];
    let refused = worker.commit(&outputs, &[foreign].iter().collect());
    assert!(matches!(refused, Err(Error::NotHeld { .. })), "{refused:?}");
    assert!(settlements(&*log).is_empty());
}

pub(crate) fn the_latest_state_is_restored(home: &dyn Home) {
    let log = created(home);
    let partition = Topic::State.partition(3);
    assert!(log.latest(partition).unwrap().is_empty());
    let mut worker = worker(&*log, "one");
    poll_assigned(&mut *worker);
    let snapshot = |key: &str, n: u32| {
        Message::new(Topic::State, key, n.to_be_bytes()).to_partition(partition.index)
    };
    let removal = Message::removal(Topic::State, "RO-02").to_partition(partition.index);
    for outputs in [
        // One key twice in one commit, too.
        vec![
            snapshot("BJ-01", 1),
            snapshot("RO-02", 2),
            snapshot("BJ-01", 3),
        ],
        vec![snapshot("MB-03", 4), snapshot("CR-04", 5)],
        vec![snapshot("BJ-01", 6), removal],
        vec![snapshot("BJ-01", 7).to_partition(0)],
    ] {
        worker.commit(&outputs, &Consumed::default()).unwrap();
    }
    drop(worker);
    let check = |log: &dyn Log| {
        let latest = log.latest(partition).unwrap();
        let latest: Vec<(String, u32)> = latest
            .iter()
            .map(|record| {
                let key = record.key.clone().unwrap();
                (String::from_utf8(key).unwrap(), number(record))
            })
            .collect();
        let expected = [("MB-03", 4), ("CR-04", 5), ("BJ-01", 6)];
        assert_eq!(latest, expected.map(|(key, n)| (key.to_owned(), n)));
    };
    check(&*log);
    drop(log);
    let log = home.open();
    check(&*log);
    let other = log.latest(Topic::Findings.partition(0));
    assert!(matches!(other, Err(Error::NotCompacted { .. })));
}

pub(crate) fn two_workers_share_and_one_takes_over(home: &dyn Home) {
    let log = created(home);
    let mut one = Settling::new(worker(&*log, "one"));
    let mut two = None;
    let mut sent = 0;
    let start = Instant::now();
    // Alone; then shared, until both hold something; then alone again.
    for stage in 0..3 {
        if stage == 1 {
            two = Some(Settling::new(worker(&*log, "two")));
        }
        if stage == 2 {
            two = None;
        }
        loop {
            assert!(start.elapsed() < PATIENCE * 2, "stage {stage}");
            send(&*log, &numbered(sent..sent + 25));
            sent += 25;
            one.step();
            if let Some(two) = &mut two {
                two.step();
                assert!(one.held.is_disjoint(&two.held));
            }
            let held = two.as_ref().map_or(0, |two| two.held.len());
            if one.held.len() + held == PARTITIONS as usize && (stage != 1 || held == 2) {
                break;
            }
        }
    }
    while settlements(&*log).len() < sent as usize {
        assert!(start.elapsed() < PATIENCE * 2, "{sent} sent");
        one.step();
    }
    assert_eq!(settlements(&*log), (0..sent).collect::<Vec<u32>>());
}

pub(crate) fn a_namesake_takes_the_place(home: &dyn Home) {
    let log = created(home);
    send(&*log, &numbered(0..5));
    let mut first = worker(&*log, "one");
    let records = poll_records(&mut *first, 5);
    let mut second = worker(&*log, "one");
    let outputs: Vec<Message> = records.iter().map(settled).collect();
    let fenced = first.commit(&outputs, &records.iter().collect());
    assert!(matches!(fenced, Err(Error::Fenced { .. })), "{fenced:?}");
    drop(first);
    let again = poll_records(&mut *second, 5);
    assert_eq!(numbers(&again), (0..5).collect());
    second.commit(&outputs, &again.iter().collect()).unwrap();
    assert_eq!(settlements(&*log), (0..5).collect::<Vec<u32>>());
}

pub(crate) fn workers_come_and_go(home: &dyn Home) {
    let mut rng = ChaCha8Rng::seed_from_u64(crate::seed());
    let log = created(home);
    let mut producer = log.producer().unwrap();
    let (mut hands, mut names, mut sent) = (Vec::new(), 0.., 0);
    let hire = |names: &mut std::ops::RangeFrom<u32>| {
        let name = format!("hand-{}", names.next().unwrap());
        Hand::new(worker(&*log, &name))
    };
    hands.push(hire(&mut names));
    for _ in 0..home.steps() {
        let hand = rng.random_range(0..hands.len());
        match rng.random_range(0..100) {
            0..2 if hands.len() < 3 => hands.push(hire(&mut names)),
            // What it has not committed goes with it.
            2..4 if hands.len() > 1 => drop(hands.remove(hand)),
            4..30 => {
                let count = rng.random_range(1..20);
                producer.send(&numbered(sent..sent + count)).unwrap();
                sent += count;
            }
            30..50 => hands[hand].commit(),
            _ => hands[hand].step(&*log),
        }
    }
    producer.flush().unwrap();
    hands.truncate(1);
    let start = Instant::now();
    while settlements(&*log).len() < sent as usize {
        assert!(start.elapsed() < PATIENCE, "{sent} sent");
        hands[0].step(&*log);
        hands[0].commit();
    }
    assert_eq!(settlements(&*log), (0..sent).collect::<Vec<u32>>());
}

/// A worker with a state: how many events it has seen of each partition, by any hand before it.
struct Hand {
    worker: Box<dyn Worker>,
    seen: BTreeMap<Partition, u32>,
    ready: Vec<Record>,
}

impl Hand {
    fn new(worker: Box<dyn Worker>) -> Hand {
        Hand {
            worker,
            seen: BTreeMap::new(),
            ready: Vec::new(),
        }
    }

    fn step(&mut self, log: &dyn Log) {
        match self.worker.poll(SOON / 5).unwrap() {
            Polled::Assigned(partitions) => {
                for partition in partitions {
                    let state = log.latest(Topic::State.partition(partition.index)).unwrap();
                    assert!(state.len() <= 1);
                    let seen = state.first().map_or(0, number);
                    let before = self.seen.insert(partition, seen);
                    assert_eq!(before, None, "{partition} is given twice");
                }
            }
            Polled::Revoked(partitions) => {
                self.commit();
                self.forget(&partitions);
            }
            Polled::Lost(partitions) => self.forget(&partitions),
            Polled::Records(records) => {
                for record in records {
                    let seen = self.seen.get_mut(&record.partition).unwrap();
                    // Events go to the log one after the other, without gaps.
                    assert_eq!(u64::from(*seen), record.offset, "{}", record.partition);
                    *seen += 1;
                    self.ready.push(record);
                }
            }
        }
    }

    fn commit(&mut self) {
        let ready = std::mem::take(&mut self.ready);
        let consumed: Consumed = ready.iter().collect();
        let mut outputs: Vec<Message> = ready.iter().map(settled).collect();
        outputs.extend(consumed.iter().map(|(partition, _)| {
            let seen = self.seen[&partition].to_be_bytes();
            Message::new(Topic::State, "seen", seen).to_partition(partition.index)
        }));
        match self.worker.commit(&outputs, &consumed) {
            Ok(()) => {}
            // The next polls give everything again, from the last commit on.
            Err(Error::Aborted { reason }) => eprintln!("aborted: {reason}"),
            Err(error) => panic!("{error}"),
        }
    }

    fn forget(&mut self, partitions: &[Partition]) {
        self.seen.retain(|held, _| !partitions.contains(held));
        self.ready
            .retain(|record| !partitions.contains(&record.partition));
    }
}

/// A worker that settles each event into one settlement.
struct Settling {
    worker: Box<dyn Worker>,
    held: BTreeSet<Partition>,
}

impl Settling {
    fn new(worker: Box<dyn Worker>) -> Settling {
        let held = BTreeSet::new();
        Settling { worker, held }
    }

    fn step(&mut self) {
        match self.worker.poll(SOON).unwrap() {
            Polled::Assigned(partitions) => self.held.extend(partitions),
            Polled::Revoked(gone) | Polled::Lost(gone) => {
                self.held.retain(|partition| !gone.contains(partition));
            }
            Polled::Records(records) => {
                let outputs: Vec<Message> = records.iter().map(settled).collect();
                match self.worker.commit(&outputs, &records.iter().collect()) {
                    Ok(()) => {}
                    // A change of hands came in between: the records come again.
                    Err(Error::Aborted { reason }) => eprintln!("aborted: {reason}"),
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }
}

fn created(home: &dyn Home) -> Box<dyn Log> {
    let log = home.open();
    let topics = Topic::ALL.map(|topic| topic.with_partitions(PARTITIONS));
    log.create(&topics).unwrap();
    log
}

fn worker(log: &dyn Log, name: &str) -> Box<dyn Worker> {
    let spec = WorkerSpec::new("settler", name, [Topic::FloorEvents]);
    log.worker(&spec).unwrap()
}

/// Events whose value is a number, of ten tables.
fn numbered(numbers: std::ops::Range<u32>) -> Vec<Message> {
    numbers
        .map(|n| {
            let table = format!("BJ-{:02}", n % 10);
            Message::new(Topic::FloorEvents, table, n.to_be_bytes())
        })
        .collect()
}

fn settled(record: &Record) -> Message {
    let key = record.key.clone().unwrap();
    Message::new(Topic::Settlements, key, record.value.clone().unwrap())
}

fn number(record: &Record) -> u32 {
    u32::from_be_bytes(record.value.as_deref().unwrap().try_into().unwrap())
}

fn numbers(records: &[Record]) -> BTreeSet<u32> {
    records.iter().map(number).collect()
}

fn partitions(topic: Topic) -> impl Iterator<Item = Partition> {
    (0..PARTITIONS).map(move |index| topic.partition(index))
}

/// The numbers of all settlements, sorted; one that is there twice is here twice.
fn settlements(log: &dyn Log) -> Vec<u32> {
    let mut numbers: Vec<u32> = partitions(Topic::Settlements)
        .flat_map(|partition| read_all(log, partition))
        .map(|record| number(&record))
        .collect();
    numbers.sort_unstable();
    numbers
}

fn send(log: &dyn Log, messages: &[Message]) {
    let mut producer = log.producer().unwrap();
    producer.send(messages).unwrap();
    producer.flush().unwrap();
}

fn read_all(log: &dyn Log, partition: Partition) -> Vec<Record> {
    read_to_end(&mut *log.reader(partition, 0).unwrap())
}

fn read_to_end(reader: &mut dyn Reader) -> Vec<Record> {
    let (start, mut records) = (Instant::now(), Vec::new());
    while !reader.caught_up() {
        assert!(start.elapsed() < PATIENCE);
        records.extend(reader.read(SOON).unwrap());
    }
    records
}

/// Polls until there are exactly so many records, and makes sure that no more come.
fn poll_records(worker: &mut dyn Worker, count: usize) -> Vec<Record> {
    let (start, mut records) = (Instant::now(), Vec::new());
    while records.len() < count {
        assert!(start.elapsed() < PATIENCE, "{} of {count}", records.len());
        if let Polled::Records(more) = worker.poll(SOON).unwrap() {
            records.extend(more);
        }
    }
    let more = worker.poll(SOON * 3).unwrap();
    assert_eq!(more, Polled::Records(Vec::new()));
    assert_eq!(records.len(), count);
    records
}

fn poll_assigned(worker: &mut dyn Worker) {
    let start = Instant::now();
    while !matches!(worker.poll(SOON).unwrap(), Polled::Assigned(_)) {
        assert!(start.elapsed() < PATIENCE);
    }
}
