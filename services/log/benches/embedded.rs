//! How fast the embedded log takes and gives records of the size of an event.

use std::time::Duration;

use catwalk_log::{
    Consumed, Durability, EmbeddedLog, Log, Message, Polled, Producer, Topic, WorkerSpec,
};
use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use tempfile::TempDir;

const EVENT_BYTES: usize = 200;
const RECORDS: usize = 10_000;

fn main() {
    divan::main();
}

fn log(durability: Durability) -> (TempDir, EmbeddedLog) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = EmbeddedLog::open(folder.path(), durability).expect("a new log");
    let topics = Topic::ALL.map(|topic| topic.with_partitions(8));
    log.create(&topics).expect("new topics");
    (folder, log)
}

fn events(count: usize) -> Vec<Message> {
    (0..count)
        .map(|n| {
            let table = format!("BJ-{:02}", n % 40);
            Message::new(Topic::FloorEvents, table, vec![n as u8; EVENT_BYTES])
        })
        .collect()
}

/// So many records in one call.
#[divan::bench(args = [1, 10, 100, 1000])]
fn append(bencher: Bencher<'_, '_>, batch: usize) {
    let (_folder, log) = log(Durability::Os);
    let mut producer = log.producer().expect("a producer");
    let events = events(batch);
    bencher
        .counter(ItemsCount::new(batch))
        .counter(BytesCount::new(batch * EVENT_BYTES))
        .bench_local(|| producer.send(black_box(&events)).expect("room on the disk"));
}

/// One record, and wait until it is on the disk.
#[divan::bench]
fn append_and_sync(bencher: Bencher<'_, '_>) {
    let (_folder, log) = log(Durability::Commit);
    let mut producer: Box<dyn Producer> = log.producer().expect("a producer");
    let events = events(1);
    bencher.counter(ItemsCount::new(1usize)).bench_local(|| {
        producer.send(black_box(&events)).expect("room on the disk");
        producer.flush().expect("a disk that syncs");
    });
}

#[divan::bench]
fn read(bencher: Bencher<'_, '_>) {
    let (_folder, log) = log(Durability::Os);
    let events: Vec<Message> = events(RECORDS)
        .into_iter()
        .map(|event| event.to_partition(0))
        .collect();
    let mut producer = log.producer().expect("a producer");
    producer.send(&events).expect("room on the disk");
    bencher
        .counter(ItemsCount::new(RECORDS))
        .counter(BytesCount::new(RECORDS * EVENT_BYTES))
        .bench_local(|| {
            let mut reader = log
                .reader(Topic::FloorEvents.partition(0), 0)
                .expect("a reader");
            let mut count = 0;
            while count < RECORDS {
                count += reader.read(Duration::ZERO).expect("records").len();
            }
            count
        });
}

/// Event in, settlement and snapshot out, a thousand at a time: the settler without its thinking.
#[divan::bench(sample_count = 20)]
fn consume_and_commit(bencher: Bencher<'_, '_>) {
    bencher
        .counter(ItemsCount::new(RECORDS))
        .with_inputs(|| {
            let (folder, log) = log(Durability::Commit);
            let mut producer = log.producer().expect("a producer");
            producer.send(&events(RECORDS)).expect("room on the disk");
            (folder, log)
        })
        .bench_local_refs(|(_folder, log)| {
            let spec = WorkerSpec::new("settler", "one", [Topic::FloorEvents]);
            let mut worker = log.worker(&spec).expect("a worker");
            let mut count = 0;
            while count < RECORDS {
                let Polled::Records(records) = worker.poll(Duration::ZERO).expect("a poll") else {
                    continue;
                };
                count += records.len();
                let outputs: Vec<Message> = records
                    .iter()
                    .flat_map(|record| {
                        let key = record.key.clone().unwrap_or_default();
                        let value = record.value.clone().unwrap_or_default();
                        [
                            Message::new(Topic::Settlements, key.clone(), value.clone()),
                            Message::new(Topic::State, key, value),
                        ]
                    })
                    .collect();
                let consumed: Consumed = records.iter().collect();
                worker.commit(&outputs, &consumed).expect("a commit");
            }
        });
}
