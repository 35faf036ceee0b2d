//! A log with a simulated floor on it, settled; for the tests of several crates.

use std::sync::Arc;
use std::time::Duration;

use catwalk_desk::{Room, Service};
use catwalk_events::audit::{Action, Disposition};
use catwalk_floor::{Config, Floor, Happening};
use catwalk_log::{Durability, EmbeddedLog, KafkaConfig, KafkaLog, Log, Message, Topic};
use catwalk_rules::Rulebook;
use catwalk_settler::{Counters, Runner, RunnerSpec};
use catwalk_wire::Formats;

pub(crate) const PARTITIONS: u32 = 3;

/// A log with all topics, in a folder or, with a prefix, on a broker.
pub(crate) fn open(home: &[&str]) -> Arc<dyn Log> {
    let log: Arc<dyn Log> = match home {
        [folder] => Arc::new(EmbeddedLog::open(folder, Durability::Os).unwrap()),
        [bootstrap, prefix] => {
            let mut config = KafkaConfig::new(*bootstrap);
            config.prefix = (*prefix).to_owned();
            Arc::new(KafkaLog::connect(config).unwrap())
        }
        _ => panic!("{home:?}"),
    };
    log.create(&Topic::ALL.map(|topic| topic.with_partitions(PARTITIONS)))
        .unwrap();
    log
}

/// Plays a floor onto the log, settles it, has an operator acknowledge every finding, and lets the desk make
/// incidents of them. Returns the bytes
/// of the events on the log.
pub(crate) fn play(log: &Arc<dyn Log>, config: Config) -> usize {
    let formats = Formats::plain().unwrap();
    let mut events = Vec::new();
    for happening in Floor::open(config).unwrap() {
        if let Happening::Event(event) = happening.unwrap() {
            let value = formats.events.encode(&event).unwrap();
            events.push(Message::new(Topic::FloorEvents, event.table, value));
        }
    }
    let mut producer = log.producer().unwrap();
    events
        .chunks(500)
        .for_each(|events| producer.send(events).unwrap());
    producer.flush().unwrap();
    settle(log);
    producer.send(&dispositions(&**log, &formats)).unwrap();
    producer.flush().unwrap();
    let room = Room::open(catwalk_desk::Settings::default());
    let mut desk = Service::join(Arc::clone(log), "one", formats, room).unwrap();
    desk.run_until_caught_up().unwrap();
    let bytes = events.iter().filter_map(|event| event.value.as_ref());
    bytes.map(Vec::len).sum()
}

fn settle(log: &Arc<dyn Log>) {
    let mut runner = Runner::join(
        Arc::clone(log),
        RunnerSpec::new("one"),
        Arc::new(Rulebook::load().unwrap()),
        Formats::plain().unwrap(),
        Arc::new(Counters::default()),
    );
    runner.as_mut().unwrap().run_until_caught_up().unwrap();
}

fn dispositions(log: &dyn Log, formats: &Formats) -> Vec<Message> {
    let mut messages = Vec::new();
    for index in 0..PARTITIONS {
        let mut reader = log.reader(Topic::Findings.partition(index), 0).unwrap();
        while !reader.caught_up() {
            for record in reader.read(Duration::from_millis(100)).unwrap() {
                let finding = formats.findings.decode(&record.value.unwrap()).unwrap();
                let action = Action::Acknowledge;
                let disposition = Disposition::of_finding(&finding, "o-1", action);
                let value = formats.dispositions.encode(&disposition).unwrap();
                messages.push(Message::new(Topic::Dispositions, finding.table, value));
            }
        }
    }
    messages
}
