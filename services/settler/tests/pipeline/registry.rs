//! Confluent's wire format with a schema registry: a schema that comes later than what it wrote.

use std::sync::Arc;

use catwalk_log::{Message, Topic};
use catwalk_settler::{Counters, Runner, quarantine};
use catwalk_wire::{Codec, Formats, Framing, Registry};

use crate::floor::{self, Audit, rulebook, send, spec};
use crate::shelf::registry;

#[test]
fn an_event_of_a_schema_that_is_registered_too_late_is_sent_again() {
    let (url, shelf) = registry();
    let folder = tempfile::tempdir().unwrap();
    let log = floor::open(&["folder", folder.path().to_str().unwrap()]);
    let events = floor::feed(4, 40);
    let table = events[0].table.clone();
    let events: Vec<_> = events.into_iter().filter(|e| e.table == table).collect();
    let expected = Audit::expected(&events);
    let formats = || Formats::registered(Registry::at(&url), "").unwrap();
    let elsewhere = Codec::new(Framing::Confluent(7)).unwrap();
    let ours = formats();
    let feed: Vec<Message> = events
        .iter()
        .enumerate()
        .map(|(number, event)| {
            let value = match number == 30 {
                true => elsewhere.encode(event),
                false => ours.events.encode(event),
            };
            Message::new(Topic::FloorEvents, event.table.as_str(), value.unwrap())
        })
        .collect();
    let run = || {
        let meter = Arc::new(Counters::default());
        let runner = Runner::join(Arc::clone(&log), spec("one"), rulebook(), formats(), meter);
        runner.unwrap().run_until_caught_up().unwrap();
    };
    let (first, rest) = feed.split_at(60);
    send(&*log, first);
    run();
    shelf
        .lock()
        .unwrap()
        .insert(7, elsewhere.schema_json().to_owned());
    let mut ids = Vec::new();
    quarantine::list(&*log, &formats(), |id, _| {
        ids.push(id);
        true
    })
    .unwrap();
    assert_eq!(ids.len(), 1);
    let again = quarantine::retry(&*log, &formats(), ids[0]).unwrap();
    assert_eq!(again, events[30]);
    send(&*log, rest);
    run();
    let mut found = 0;
    for index in 0..floor::PARTITIONS {
        found += floor::read_all(&*log, Topic::Settlements.partition(index)).len();
    }
    assert_eq!(found, expected.settlements[&table].len());
}
