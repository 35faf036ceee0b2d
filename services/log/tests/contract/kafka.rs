//! The log on a broker of our own.

#[path = "../../../../tests/broker.rs"]
mod broker;

use std::process;
use std::thread;
use std::time::{Duration, Instant};

use catwalk_log::{Error, KafkaConfig, KafkaLog, Log, Message, Polled, Topic, WorkerSpec};
use futures_executor::block_on;
use rdkafka::admin::{AdminClient, AdminOptions, NewPartitions, ResourceSpecifier};
use rdkafka::client::DefaultClientContext;
use rdkafka::producer::{BaseProducer, BaseRecord, Producer};
use rdkafka::{ClientConfig, Offset, TopicPartitionList};

use self::broker::kafka;
use crate::suite::Home;

/// A floor of its own on the broker that all tests share.
struct Floor(KafkaConfig);

impl Home for Floor {
    fn open(&self) -> Box<dyn Log> {
        Box::new(KafkaLog::connect(self.0.clone()).unwrap())
    }

    fn steps(&self) -> u32 {
        300
    }
}

fn home() -> Floor {
    Floor(broker::floor())
}

crate::all_promises!(home());

#[test]
fn a_killed_process_loses_nothing_and_writes_nothing_twice() {
    let Floor(config) = home();
    let home = ["kafka", &config.bootstrap, &config.prefix];
    crate::crash::kill_over_and_over(&home, 6, Duration::from_millis(400));
}

/// A transactional client such as a worker has, without the worker.
fn raw(config: &KafkaConfig, name: &str) -> BaseProducer {
    let producer: BaseProducer = ClientConfig::new()
        .set("bootstrap.servers", &config.bootstrap)
        .set(
            "transactional.id",
            format!("{}settler.{name}", config.prefix),
        )
        .create()
        .unwrap();
    producer.init_transactions(Duration::from_secs(30)).unwrap();
    producer
}

fn send_state(producer: &BaseProducer, config: &KafkaConfig) {
    let topic = format!("{}{}", config.prefix, Topic::State);
    let record = BaseRecord::to(&topic)
        .partition(0)
        .key("BJ-01")
        .payload("a snapshot");
    producer.begin_transaction().unwrap();
    producer.send(record).unwrap();
    producer.flush(Duration::from_secs(30)).unwrap();
}

fn admin(config: &KafkaConfig) -> AdminClient<DefaultClientContext> {
    let mut client = ClientConfig::new();
    client.set("bootstrap.servers", &config.bootstrap);
    client.create().unwrap()
}

#[test]
fn records_that_were_removed_unread_are_known() {
    let home = home();
    let log = home.open();
    let partition = Topic::FloorEvents.partition(0);
    log.create(&[Topic::FloorEvents.with_partitions(1)])
        .unwrap();
    let messages: Vec<Message> = (0..10)
        .map(|_| Message::new(Topic::FloorEvents, "BJ-01", "an event"))
        .collect();
    let mut producer = log.producer().unwrap();
    producer.send(&messages).unwrap();
    producer.flush().unwrap();
    assert_eq!(log.removed(partition, 0).unwrap(), None);
    let name = format!("{}{}", home.0.prefix, Topic::FloorEvents);
    let mut places = TopicPartitionList::new();
    places
        .add_partition_offset(&name, 0, Offset::Offset(6))
        .unwrap();
    // The machine may have much else to do.
    let patient = AdminOptions::new()
        .request_timeout(Some(Duration::from_secs(120)))
        .operation_timeout(Some(Duration::from_secs(100)));
    let removed = block_on(admin(&home.0).delete_records(&places, &patient)).unwrap();
    removed.elements()[0].error().unwrap();
    assert_eq!(log.removed(partition, 0).unwrap(), Some(0..6));
    assert_eq!(log.removed(partition, 2).unwrap(), Some(2..6));
    // It may be the mark of a transaction.
    assert_eq!(log.removed(partition, 5).unwrap(), None);
    assert_eq!(log.removed(partition, 8).unwrap(), None);
    // Whoever reads goes on with what is there.
    let mut reader = log.reader(partition, 2).unwrap();
    let begun = Instant::now();
    let mut read = Vec::new();
    while read.is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        read = reader.read(Duration::from_millis(500)).unwrap();
    }
    assert_eq!(read[0].offset, 6);
}

#[test]
fn topics_keep_what_they_have_unless_somebody_says_otherwise() {
    let mut home = home();
    let kept = |home: &Floor, topic: Topic, setting: &str| {
        let name = format!("{}{topic}", home.0.prefix);
        let asked = [ResourceSpecifier::Topic(&name)];
        let told = block_on(admin(&home.0).describe_configs(&asked, &AdminOptions::new())).unwrap();
        told[0]
            .as_ref()
            .unwrap()
            .get(setting)
            .unwrap()
            .value
            .clone()
            .unwrap()
    };
    let topics = |partitions| {
        [Topic::FloorEvents, Topic::State].map(|topic| topic.with_partitions(partitions))
    };
    home.open().create(&topics(1)).unwrap();
    assert_eq!(kept(&home, Topic::FloorEvents, "retention.ms"), "-1");
    assert_eq!(kept(&home, Topic::FloorEvents, "cleanup.policy"), "delete");
    assert_eq!(kept(&home, Topic::State, "cleanup.policy"), "compact");
    home.0 = broker::floor();
    home.0
        .topic_settings
        .insert("retention.ms".to_owned(), "86400000".to_owned());
    home.open().create(&topics(1)).unwrap();
    assert_eq!(kept(&home, Topic::FloorEvents, "retention.ms"), "86400000");
}

#[test]
fn when_an_event_came_is_said_by_the_log_and_not_by_who_sent_it() {
    let home = home();
    let log = home.open();
    let topics = [Topic::FloorEvents, Topic::Findings, Topic::Quarantine];
    log.create(&topics.map(|topic| topic.with_partitions(1)))
        .unwrap();
    let mut producer = log.producer().unwrap();
    let sent = topics.map(|topic| Message::new(topic, "BJ-01", "x").at(1_000_000_000_000));
    producer.send(&sent).unwrap();
    producer.flush().unwrap();
    for topic in topics {
        let mut reader = log.reader(topic.partition(0), 0).unwrap();
        let records = reader.read(Duration::from_secs(30)).unwrap();
        // What is put aside keeps the time of what it was.
        let is_by_sender = records[0].timestamp_ms == 1_000_000_000_000;
        assert_eq!(is_by_sender, topic == Topic::Quarantine, "{topic}");
    }
}

#[test]
fn an_aborted_transaction_is_not_seen() {
    let home = home();
    let log = home.open();
    log.create(&[Topic::State.with_partitions(1)]).unwrap();
    let producer = raw(&home.0, "one");
    send_state(&producer, &home.0);
    producer.abort_transaction(Duration::from_secs(30)).unwrap();
    assert!(log.latest(Topic::State.partition(0)).unwrap().is_empty());
    send_state(&producer, &home.0);
    producer
        .commit_transaction(Duration::from_secs(30))
        .unwrap();
    assert_eq!(log.latest(Topic::State.partition(0)).unwrap().len(), 1);
}

#[test]
fn state_is_not_restored_while_a_transaction_is_open() {
    let home = home();
    let log = home.open();
    log.create(&[Topic::State.with_partitions(1)]).unwrap();
    let producer = raw(&home.0, "one");
    send_state(&producer, &home.0);
    assert_eq!(log.end(Topic::State.partition(0)).unwrap(), 0);
    thread::scope(|scope| {
        let latest = scope.spawn(|| log.latest(Topic::State.partition(0)).unwrap());
        thread::sleep(Duration::from_secs(1));
        assert!(!latest.is_finished());
        producer
            .commit_transaction(Duration::from_secs(30))
            .unwrap();
        assert_eq!(latest.join().unwrap().len(), 1);
    });
}

#[test]
fn what_a_vanished_worker_had_begun_is_ended_by_its_namesake() {
    let home = home();
    let log = home.open();
    let topics = [Topic::FloorEvents, Topic::State].map(|topic| topic.with_partitions(1));
    log.create(&topics).unwrap();
    let vanished = raw(&home.0, "one");
    send_state(&vanished, &home.0);
    drop(vanished);
    let spec = WorkerSpec::new("settler", "one", [Topic::FloorEvents]);
    let _worker = log.worker(&spec).unwrap();
    assert!(log.latest(Topic::State.partition(0)).unwrap().is_empty());
}

#[test]
fn a_worker_takes_no_partition_that_came_later() {
    let mut home = home();
    let refresh = "topic.metadata.refresh.interval.ms".to_owned();
    home.0.settings.insert(refresh, "500".to_owned());
    let log = home.open();
    log.create(&[Topic::FloorEvents.with_partitions(1)])
        .unwrap();
    assert_eq!(
        log.shape(Duration::from_secs(30)).unwrap(),
        [(Topic::FloorEvents, 1)].into()
    );
    let mut worker = log
        .worker(&WorkerSpec::new("settler", "one", [Topic::FloorEvents]))
        .unwrap();
    let admin: AdminClient<DefaultClientContext> = ClientConfig::new()
        .set("bootstrap.servers", &home.0.bootstrap)
        .create()
        .unwrap();
    let topic = format!("{}{}", home.0.prefix, Topic::FloorEvents);
    let more = [NewPartitions::new(&topic, 3)];
    futures_executor::block_on(admin.create_partitions(&more, &AdminOptions::new())).unwrap();
    let begun = Instant::now();
    let refused = loop {
        assert!(begun.elapsed() < Duration::from_secs(60));
        match worker.poll(Duration::from_millis(200)) {
            Ok(Polled::Assigned(partitions)) => {
                assert_eq!(partitions, [Topic::FloorEvents.partition(0)]);
            }
            Ok(_) => {}
            Err(error) => break error,
        }
    };
    let told = "topic floor.events has";
    assert!(refused.to_string().contains(told), "{refused}");
    assert!(
        matches!(refused, Error::PartitionCount { wanted: 1, .. }),
        "{refused}"
    );
}

#[test]
fn a_worker_outlives_a_restart_of_the_broker() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let me = process::id().to_string();
    let bootstrap = kafka(&["start", "--data", data, "--with", &me]);
    let (_, port) = bootstrap.split_once(':').unwrap();
    let log = KafkaLog::connect(KafkaConfig::new(&bootstrap)).unwrap();
    let topics = [Topic::FloorEvents, Topic::Settlements].map(|topic| topic.with_partitions(2));
    log.create(&topics).unwrap();
    let mut producer = log.producer().unwrap();
    let spec = WorkerSpec::new("settler", "one", [Topic::FloorEvents]);
    let mut worker = log.worker(&spec).unwrap();
    let mut settled = Vec::new();
    for round in 0..3u8 {
        if round == 1 {
            kafka(&["stop", "--data", data]);
        }
        let event = Message::new(Topic::FloorEvents, "BJ-01", [round]);
        producer.send(&[event]).unwrap();
        if round == 1 {
            // The event waits in the producer while there is no broker.
            let polled = worker.poll(Duration::from_secs(2)).unwrap();
            assert_eq!(polled, Polled::Records(Vec::new()));
            kafka(&["start", "--data", data, "--port", port, "--with", &me]);
        }
        producer.flush().unwrap();
        let start = Instant::now();
        while settled.len() <= usize::from(round) {
            assert!(start.elapsed() < Duration::from_secs(90), "{settled:?}");
            let Polled::Records(records) = worker.poll(Duration::from_millis(200)).unwrap() else {
                continue;
            };
            let outputs = records.iter().map(|record| {
                let value = record.value.clone().unwrap();
                Message::new(Topic::Settlements, "BJ-01", value).to_partition(0)
            });
            let outputs: Vec<Message> = outputs.collect();
            match worker.commit(&outputs, &records.iter().collect()) {
                Ok(()) => settled.extend(records.into_iter().filter_map(|r| r.value)),
                Err(Error::Aborted { reason }) => println!("aborted: {reason}"),
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert_eq!(settled, [[0], [1], [2]]);
    let mut reader = log.reader(Topic::Settlements.partition(0), 0).unwrap();
    let mut read = Vec::new();
    while !reader.caught_up() {
        let records = reader.read(Duration::from_millis(100)).unwrap();
        read.extend(records.into_iter().filter_map(|record| record.value));
    }
    assert_eq!(read, settled);
    drop(worker);
    kafka(&["stop", "--data", data]);
}
