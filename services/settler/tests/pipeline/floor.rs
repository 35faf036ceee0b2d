//! A feed, a log that holds it, and what the settlers made of it.

use std::collections::BTreeMap;
use std::env;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use catwalk_events::{Event, audit};
use catwalk_floor::{Config, Floor, Happening};
use catwalk_log::{Durability, EmbeddedLog, KafkaConfig, KafkaLog, Log, Message, Partition, Topic};
use catwalk_rules::Rulebook;
use catwalk_settler::{Counters, Output, Runner, RunnerSpec, Settler};
use catwalk_wire::{Codec, Formats, Framing};

pub(crate) const PARTITIONS: u32 = 3;

/// The seed of a test that takes its chances. `CATWALK_SEED` repeats a run.
pub(crate) fn seed() -> u64 {
    seed_or(RandomState::new().hash_one(0))
}

/// The seed that is asked for, or this one.
pub(crate) fn seed_or(other: u64) -> u64 {
    let seed = match env::var("CATWALK_SEED") {
        Ok(seed) => seed.parse().unwrap(),
        Err(_) => other,
    };
    println!("CATWALK_SEED={seed}");
    seed
}

/// What happens on a floor where much goes wrong.
pub(crate) fn feed(seed: u64, rounds: u64) -> Vec<Event> {
    feed_of(8, seed, rounds)
}

/// The same with so many tables, each with the next of all games.
pub(crate) fn feed_of(tables: usize, seed: u64, rounds: u64) -> Vec<Event> {
    let config = Config {
        seed,
        tables,
        rounds,
        faults_per_mille: 200,
        ..Config::default()
    };
    let happenings = Floor::open(config).unwrap();
    happenings
        .filter_map(|happening| match happening.unwrap() {
            Happening::Event(event) => Some(*event),
            _ => None,
        })
        .collect()
}

pub(crate) fn rulebook() -> Arc<Rulebook> {
    static RULEBOOK: OnceLock<Arc<Rulebook>> = OnceLock::new();
    Arc::clone(RULEBOOK.get_or_init(|| Arc::new(Rulebook::load().unwrap())))
}

pub(crate) fn codec() -> &'static Codec {
    static CODEC: OnceLock<Codec> = OnceLock::new();
    CODEC.get_or_init(|| Codec::new(Framing::SingleObject).unwrap())
}

pub(crate) fn message(event: &Event) -> Message {
    let value = codec().encode(event).unwrap();
    Message::new(Topic::FloorEvents, event.table.as_str(), value)
}

pub(crate) fn send(log: &dyn Log, messages: &[Message]) {
    let mut producer = log.producer().unwrap();
    producer.send(messages).unwrap();
    producer.flush().unwrap();
}

pub(crate) fn send_events(log: &dyn Log, events: &[Event]) {
    let messages: Vec<Message> = events.iter().map(message).collect();
    send(log, &messages);
}

/// Opens the log at an address, such as the processes of the crash tests are given, with its topics.
pub(crate) fn open(home: &[&str]) -> Arc<dyn Log> {
    let log: Arc<dyn Log> = match home {
        ["folder", folder] => Arc::new(EmbeddedLog::open(folder, Durability::Os).unwrap()),
        ["kafka", bootstrap, prefix] => {
            let mut config = KafkaConfig::new(*bootstrap);
            config.prefix = (*prefix).to_owned();
            // A killed worker is missed soon.
            let session = ("session.timeout.ms".to_owned(), "2000".to_owned());
            let heartbeat = ("heartbeat.interval.ms".to_owned(), "500".to_owned());
            config.settings.extend([session, heartbeat]);
            Arc::new(KafkaLog::connect(config).unwrap())
        }
        _ => panic!("{home:?}"),
    };
    log.create(&Topic::ALL.map(|topic| topic.with_partitions(PARTITIONS)))
        .unwrap();
    log
}

/// Small enough that batches end and tables are written down many times within a test.
pub(crate) fn spec(name: &str) -> RunnerSpec {
    RunnerSpec {
        max_events: 50,
        replay_offsets: 120,
        ..RunnerSpec::new(name)
    }
}

pub(crate) fn runner(log: &Arc<dyn Log>, spec: RunnerSpec) -> Runner {
    let meter = Arc::new(Counters::default());
    let formats = Formats::plain().unwrap();
    Runner::join(Arc::clone(log), spec, rulebook(), formats, meter).unwrap()
}

/// What is on the audit topics, by table, in order: the values as they are.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Audit {
    pub(crate) settlements: BTreeMap<String, Vec<Vec<u8>>>,
    pub(crate) findings: BTreeMap<String, Vec<Vec<u8>>>,
    /// Sequence number and reason of each event that was put aside.
    pub(crate) unread: BTreeMap<String, Vec<(u64, String)>>,
}

impl Audit {
    /// What a settler that knows nothing of logs makes of the events.
    pub(crate) fn expected(events: &[Event]) -> Audit {
        let mut settler = Settler::new(rulebook()).unwrap();
        let formats = Formats::plain().unwrap();
        let mut audit = Audit::default();
        for event in events {
            for output in settler.receive(event.clone()) {
                match output {
                    Output::Settlement(round) => {
                        let value = audit::Settlement::from(&*round);
                        let value = formats.settlements.encode(&value).unwrap();
                        let of_table = audit.settlements.entry(event.table.clone());
                        of_table.or_default().push(value);
                    }
                    Output::Finding(finding) => {
                        let value = formats.findings.encode(&finding).unwrap();
                        let of_table = audit.findings.entry(event.table.clone());
                        of_table.or_default().push(value);
                    }
                    Output::Unread(unread) => {
                        let of_table = audit.unread.entry(event.table.clone());
                        of_table
                            .or_default()
                            .push((unread.event.seq, unread.reason));
                    }
                }
            }
        }
        audit
    }

    pub(crate) fn found(log: &dyn Log) -> Audit {
        let formats = Formats::plain().unwrap();
        let mut unread: BTreeMap<String, Vec<(u64, String)>> = BTreeMap::new();
        for (table, values) in by_table(log, Topic::Quarantine) {
            for value in values {
                let quarantined = formats.quarantine.decode(&value).unwrap();
                if let Some(seq) = quarantined.seq {
                    let of_table = unread.entry(table.clone());
                    of_table.or_default().push((seq, quarantined.reason));
                }
            }
        }
        Audit {
            settlements: by_table(log, Topic::Settlements),
            findings: by_table(log, Topic::Findings),
            unread,
        }
    }

    pub(crate) fn assert_same_as(&self, expected: &Audit) {
        // Counts first: a difference in bytes is long to read.
        let count = |of: &BTreeMap<String, Vec<Vec<u8>>>| -> Vec<(String, usize)> {
            of.iter().map(|(t, v)| (t.clone(), v.len())).collect()
        };
        assert_eq!(count(&self.settlements), count(&expected.settlements));
        assert_eq!(count(&self.findings), count(&expected.findings));
        assert_eq!(self.unread, expected.unread);
        assert!(self == expected, "the bytes differ");
    }
}

fn by_table(log: &dyn Log, topic: Topic) -> BTreeMap<String, Vec<Vec<u8>>> {
    let mut found: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    for index in 0..log.partitions(topic).unwrap() {
        for (key, value) in read_all(log, topic.partition(index)) {
            found.entry(key).or_default().push(value);
        }
    }
    found
}

pub(crate) fn read_all(log: &dyn Log, partition: Partition) -> Vec<(String, Vec<u8>)> {
    let mut reader = log.reader(partition, 0).unwrap();
    let mut all = Vec::new();
    while !reader.caught_up() {
        for record in reader.read(Duration::from_millis(100)).unwrap() {
            let key = String::from_utf8(record.key.unwrap_or_default()).unwrap();
            all.push((key, record.value.unwrap_or_default()));
        }
    }
    all
}
