//! How fast a runner settles what is on the embedded log, beside a loop that only reads and decodes
//! the same events, and beside the settler without a log.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use catwalk_events::Event;
use catwalk_floor::{Config, Floor, Happening};
use catwalk_log::{Durability, EmbeddedLog, Log, Message, Polled, Topic, WorkerSpec};
use catwalk_rules::Rulebook;
use catwalk_settler::{Counters, Runner, RunnerSpec, Settler};
use catwalk_wire::Formats;
use divan::Bencher;
use divan::counter::ItemsCount;
use mimalloc::MiMalloc;
use tempfile::TempDir;

/// As in the binary.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const ROUNDS: u64 = 10_000;
const TABLES: usize = 40;

fn main() {
    divan::main();
}

fn events() -> &'static [Event] {
    static EVENTS: OnceLock<Vec<Event>> = OnceLock::new();
    EVENTS.get_or_init(|| {
        let config = Config {
            tables: TABLES,
            rounds: ROUNDS,
            faults_per_mille: 10,
            ..Config::default()
        };
        let floor = Floor::open(config).expect("a floor");
        let events = floor.filter_map(|happening| match happening.expect("play") {
            Happening::Event(event) => Some(*event),
            _ => None,
        });
        events.collect()
    })
}

/// A log that holds the events.
fn log() -> (TempDir, Arc<dyn Log>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = EmbeddedLog::open(
        folder.path(),
        Durability::Within(Duration::from_millis(100)),
    );
    let log = log.expect("a new log");
    log.create(&Topic::ALL.map(|topic| topic.with_partitions(8)))
        .expect("new topics");
    let formats = Formats::plain().expect("schemas");
    let messages = events().iter().map(|event| {
        let value = formats.events.encode(event).expect("an event");
        Message::new(Topic::FloorEvents, event.table.as_str(), value)
    });
    let messages: Vec<Message> = messages.collect();
    let mut producer = log.producer().expect("a producer");
    for lot in messages.chunks(1_000) {
        producer.send(lot).expect("room on the disk");
    }
    (folder, Arc::new(log))
}

#[divan::bench(sample_count = 5)]
fn read_and_decode(bencher: Bencher<'_, '_>) {
    bencher
        .counter(ItemsCount::new(events().len()))
        .with_inputs(log)
        .bench_local_refs(|(_folder, log)| {
            let spec = WorkerSpec {
                max_records: 4_000,
                ..WorkerSpec::new("bare", "one", [Topic::FloorEvents])
            };
            let mut worker = log.worker(&spec).expect("a worker");
            let formats = Formats::plain().expect("schemas");
            let mut read = 0;
            while read < events().len() {
                let Polled::Records(records) = worker.poll(Duration::ZERO).expect("a poll") else {
                    continue;
                };
                for record in records {
                    let value = record.value.expect("an event");
                    divan::black_box(formats.read_event(&value).expect("an event"));
                    read += 1;
                }
            }
        });
}

#[divan::bench(sample_count = 5)]
fn settle_on_the_log(bencher: Bencher<'_, '_>) {
    let rulebook = Arc::new(Rulebook::load().expect("the rulebook"));
    bencher
        .counter(ItemsCount::new(events().len()))
        .with_inputs(log)
        .bench_local_refs(|(_folder, log)| {
            let meter = Arc::new(Counters::default());
            let formats = Formats::plain().expect("schemas");
            let (log, rulebook) = (Arc::clone(log), Arc::clone(&rulebook));
            let runner = Runner::join(log, RunnerSpec::new("one"), rulebook, formats, meter);
            runner
                .expect("a runner")
                .run_until_caught_up()
                .expect("a run");
        });
}

#[divan::bench(sample_count = 5)]
fn settle_without_a_log(bencher: Bencher<'_, '_>) {
    let rulebook = Arc::new(Rulebook::load().expect("the rulebook"));
    let settler = Settler::new(rulebook).expect("the watch");
    bencher
        .counter(ItemsCount::new(events().len()))
        .with_inputs(|| (settler.without_tables(), events().to_vec()))
        .bench_local_values(|(mut settler, events)| {
            for event in events {
                divan::black_box(settler.receive(event));
            }
        });
}
