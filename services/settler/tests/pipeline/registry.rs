//! Confluent's wire format with a schema registry: a small one, over real HTTP.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;

use catwalk_events::avro::{Codec, Framing};
use catwalk_log::{Message, Topic};
use catwalk_settler::{Counters, Formats, Registry, Runner, Unreadable, quarantine};
use serde_json::{Value, json};
use tiny_http::{Method, Response, Server};

use crate::floor::{self, Audit, rulebook, send, spec};

/// Schemas by id.
type Shelf = Arc<Mutex<BTreeMap<u32, String>>>;

/// A registry that gives ids from 101 on. It ends with the process.
fn registry() -> (String, Shelf) {
    let server = Server::http("127.0.0.1:0").unwrap();
    let url = format!("http://{}", server.server_addr().to_ip().unwrap());
    let shelf = Shelf::default();
    let schemas = Arc::clone(&shelf);
    thread::spawn(move || {
        for mut request in server.incoming_requests() {
            let mut body = String::new();
            request.as_reader().read_to_string(&mut body).unwrap();
            let mut schemas = schemas.lock().unwrap();
            let (status, answer) = match (request.method(), request.url()) {
                (Method::Post, url)
                    if url.starts_with("/subjects/") && url.ends_with("/versions") =>
                {
                    let body: Value = serde_json::from_str(&body).unwrap();
                    let schema = body["schema"].as_str().unwrap().to_owned();
                    let known = schemas.iter().find(|(_, known)| **known == schema);
                    let id = known.map_or(101 + schemas.len() as u32, |(id, _)| *id);
                    schemas.insert(id, schema);
                    (200, json!({"id": id}))
                }
                (Method::Get, url) if url.starts_with("/schemas/ids/") => {
                    let id = url.rsplit('/').next().unwrap().parse().unwrap();
                    match schemas.get(&id) {
                        Some(schema) => (200, json!({"schema": schema})),
                        None => (404, json!({"error_code": 40403})),
                    }
                }
                _ => (400, json!({"error_code": 1})),
            };
            drop(schemas);
            let response = Response::from_string(answer.to_string()).with_status_code(status);
            request.respond(response).unwrap();
        }
    });
    (url, shelf)
}

#[test]
fn todays_schemas_are_registered_and_every_record_carries_an_id() {
    let (url, shelf) = registry();
    let formats = Formats::registered(Registry::at(&url)).unwrap();
    assert_eq!(shelf.lock().unwrap().len(), 5);
    let event = floor::feed(1, 1).swap_remove(0);
    let bytes = formats.events.encode(&event).unwrap();
    assert_eq!(bytes[..5], [0, 0, 0, 0, 101]);
    assert_eq!(formats.read_event(&bytes).unwrap(), event);
    // Again: the same ids.
    Formats::registered(Registry::at(&format!("{url}/"))).unwrap();
    assert_eq!(shelf.lock().unwrap().len(), 5);
}

#[test]
fn a_registry_that_does_not_answer_is_no_reason_to_put_an_event_aside() {
    let (url, shelf) = registry();
    let formats = Formats::registered(Registry::at(&url)).unwrap();
    let elsewhere = Codec::new(Framing::Confluent(7)).unwrap();
    let event = floor::feed(1, 1).swap_remove(0);
    let bytes = elsewhere.encode(&event).unwrap();
    let unknown = formats.read_event(&bytes).unwrap_err();
    assert!(matches!(unknown, Unreadable::Avro(_)), "{unknown}");
    let schema = elsewhere.schema_json().to_owned();
    shelf.lock().unwrap().insert(7, schema);
    let formats = Formats::registered(Registry::at(&url)).unwrap();
    assert_eq!(formats.read_event(&bytes).unwrap(), event);

    let nobody = Formats::registered(Registry::at("http://127.0.0.1:1")).unwrap_err();
    assert!(matches!(nobody, Unreadable::Registry(_)), "{nobody}");
    assert!(nobody.to_string().contains("does not answer"), "{nobody}");
}

#[test]
fn an_event_of_a_schema_that_is_registered_too_late_is_sent_again() {
    let (url, shelf) = registry();
    let folder = tempfile::tempdir().unwrap();
    let log = floor::open(&["folder", folder.path().to_str().unwrap()]);
    let events = floor::feed(4, 40);
    let table = events[0].table.clone();
    let events: Vec<_> = events.into_iter().filter(|e| e.table == table).collect();
    let expected = Audit::expected(&events);
    let formats = || Formats::registered(Registry::at(&url)).unwrap();
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
