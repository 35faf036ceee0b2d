//! Confluent's wire format with a schema registry.

#![allow(clippy::unwrap_used)]

#[path = "../../../tests/registry.rs"]
mod shelf;

use catwalk_events::{Event, json};
use catwalk_wire::{Codec, Formats, Framing, Registry, Unreadable};

use shelf::registry;

fn event() -> Event {
    let samples = include_str!("../../../schemas/samples.jsonl");
    json::read(samples.lines().next().unwrap()).unwrap()
}

#[test]
fn todays_schemas_are_registered_and_every_record_carries_an_id() {
    let (url, shelf) = registry();
    let formats = Formats::registered(Registry::at(&url), "").unwrap();
    assert_eq!(shelf.lock().unwrap().len(), 8);
    let event = event();
    let bytes = formats.events.encode(&event).unwrap();
    assert_eq!(bytes[..5], [0, 0, 0, 0, 101]);
    assert_eq!(formats.read_event(&bytes).unwrap(), event);
    // Again: the same ids.
    Formats::registered(Registry::at(&format!("{url}/")), "").unwrap();
    assert_eq!(shelf.lock().unwrap().len(), 8);
}

#[test]
fn subjects_are_named_after_the_topics_with_their_prefix() {
    let (url, _, subjects) = shelf::with_subjects();
    Formats::registered(Registry::at(&url), "reg").unwrap();
    let mut named = subjects.lock().unwrap().clone();
    named.sort();
    let topics = [
        "audit.access",
        "audit.cases",
        "audit.dispositions",
        "audit.findings",
        "audit.incidents",
        "audit.quarantine",
        "audit.settlements",
        "floor.events",
    ];
    assert_eq!(named, topics.map(|topic| format!("reg{topic}-value")));
}

#[test]
fn a_registry_that_does_not_answer_is_no_reason_to_put_an_event_aside() {
    let (url, shelf) = registry();
    let formats = Formats::registered(Registry::at(&url), "").unwrap();
    let elsewhere = Codec::new(Framing::Confluent(7)).unwrap();
    let event = event();
    let bytes = elsewhere.encode(&event).unwrap();
    let unknown = formats.read_event(&bytes).unwrap_err();
    assert!(matches!(unknown, Unreadable::Avro(_)), "{unknown}");
    let schema = elsewhere.schema_json().to_owned();
    shelf.lock().unwrap().insert(7, schema);
    let formats = Formats::registered(Registry::at(&url), "").unwrap();
    assert_eq!(formats.read_event(&bytes).unwrap(), event);

    let nobody = Formats::registered(Registry::at("http://127.0.0.1:1"), "").unwrap_err();
    assert!(matches!(nobody, Unreadable::Registry(_)), "{nobody}");
    assert!(nobody.to_string().contains("does not answer"), "{nobody}");
}
