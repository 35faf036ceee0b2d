//! One event of every type, with every field filled, through both codecs.

#![allow(clippy::unwrap_used)]

use catwalk_events::avro::{AvroError, Codec, Framing};
use catwalk_events::{Body, Event, Role, json};
use serde_json::Value;

const SAMPLES: &str = include_str!("../../../schemas/samples.jsonl");

fn samples() -> Vec<Event> {
    SAMPLES
        .lines()
        .map(|line| json::read(line).unwrap_or_else(|e| panic!("{e}\n{line}")))
        .collect()
}

#[test]
fn there_is_a_sample_of_every_type() {
    let types: Vec<&str> = samples()
        .iter()
        .map(|event| event.body.type_name())
        .collect();
    assert_eq!(types, Body::TYPES);
}

#[test]
fn json_reads_as_it_is_written() {
    for (line, event) in SAMPLES.lines().zip(samples()) {
        let expected: Value = serde_json::from_str(line).unwrap();
        let written = json::write(&event).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), expected);
    }
}

#[test]
fn avro_reads_as_it_is_written_in_either_framing() {
    for framing in [Framing::SingleObject, Framing::Confluent(7)] {
        let codec = Codec::new(framing).unwrap();
        for event in samples() {
            let bytes = codec.encode(&event).unwrap();
            assert_eq!(codec.decode(&bytes).unwrap(), event);
        }
    }
}

#[test]
fn absent_fields_stay_absent() {
    let codec = Codec::new(Framing::SingleObject).unwrap();
    let line = r#"{"id":"1","property":"ebh","table":"R-1","seq":1,"at":"2026-11-15T20:01:02.000000Z","source":{"kind":"dealer","id":"d-1"},"body":{"type":"card_burned"}}"#;
    let event = json::read(line).unwrap();
    let read = codec.decode(&codec.encode(&event).unwrap()).unwrap();
    assert_eq!(read, event);
    assert_eq!(
        serde_json::from_str::<Value>(&json::write(&read).unwrap()).unwrap(),
        serde_json::from_str::<Value>(line).unwrap()
    );
}

#[test]
fn another_implementation_of_avro_reads_what_we_write() {
    let codec = Codec::new(Framing::SingleObject).unwrap();
    let schema = apache_avro::Schema::parse_str(codec.schema_json()).unwrap();
    for event in samples() {
        let bytes = codec.encode(&event).unwrap();
        let value = apache_avro::from_avro_datum(&schema, &mut &bytes[10..], None).unwrap();
        let apache_avro::types::Value::Record(fields) = value else {
            panic!("{value:?}")
        };
        assert_eq!(
            fields[2],
            (
                "table".into(),
                apache_avro::types::Value::String("MB-07".into())
            )
        );
    }
}

#[test]
fn what_is_no_event_is_refused_with_its_reason() {
    let codec = Codec::new(Framing::SingleObject).unwrap();
    let good = codec.encode(&samples()[0]).unwrap();
    assert!(matches!(codec.decode(b""), Err(AvroError::NoFrame(_))));
    assert!(matches!(
        codec.decode(b"nonsense"),
        Err(AvroError::NoFrame(_))
    ));
    assert!(matches!(
        codec.decode(&good[..good.len() - 1]),
        Err(AvroError::Datum(_))
    ));
    assert!(matches!(
        codec.decode(&[0, 0, 0, 0, 9, 1, 2]),
        Err(AvroError::UnknownId(9))
    ));
    let mut other = good.clone();
    other[2] ^= 1;
    assert!(matches!(
        codec.decode(&other),
        Err(AvroError::UnknownFingerprint(_))
    ));
    let longer = [good.as_slice(), &[0]].concat();
    assert!(matches!(
        codec.decode(&longer),
        Err(AvroError::TrailingBytes(1))
    ));
}

#[test]
fn a_bad_json_event_is_refused_by_its_place() {
    let line = SAMPLES
        .lines()
        .find(|line| line.contains("\"wager_placed\""))
        .unwrap();
    let cases = [
        ("\"seq\": 34", "\"seq\": -1", "seq: "),
        (
            "2026-11-15T20:01:02.000033Z",
            "yesterday",
            "at: \"yesterday\" is not a moment",
        ),
        (
            "wager_placed",
            "wager_plaecd",
            "body.type: \"wager_plaecd\" is not a type of event; did you mean \"wager_placed\"?",
        ),
        (
            "\"kind\": \"banker\", ",
            "",
            "body: the key \"kind\" is missing",
        ),
        (
            "\"amount\": 2500",
            "\"amount\": -2500",
            "body.amount: -2500 cents are less than nothing",
        ),
        (
            "\"colour\"",
            "\"color\"",
            "body.color: \"color\" is not a known key here; did you mean \"colour\"?",
        ),
        (
            "value_chips",
            "buttons",
            "body.form: \"buttons\" is not a known word here",
        ),
        (
            "\"kind\": \"device\"",
            "\"kind\": \"devise\"",
            "source.kind: \"devise\" is not a known word here; did you mean \"device\"?",
        ),
        ("\"table\": \"MB-07\", ", "", "the key \"table\" is missing"),
    ];
    for (from, to, expected) in cases {
        assert!(line.contains(from), "{from} not in {line}");
        let refusal = json::read(&line.replace(from, to)).unwrap_err().to_string();
        assert!(
            refusal.starts_with(expected),
            "expected {expected}\ngot      {refusal}"
        );
    }
}

#[test]
fn a_person_of_whom_only_the_role_is_known_is_named_by_it() {
    let sample = |by: &str| {
        let line = SAMPLES.lines().find(|line| line.contains("wager_changed"));
        line.unwrap()
            .replace(r#"{"id": "d-114", "role": "dealer"}"#, by)
    };
    for (by, role) in [
        (r#""dealer""#, Role::Dealer),
        (r#""player""#, Role::Patron),
        (r#"{"id": "p-7", "role": "patron"}"#, Role::Patron),
    ] {
        let Body::WagerChanged(changed) = json::read(&sample(by)).unwrap().body else {
            panic!("{by}");
        };
        assert_eq!(changed.by.role, role, "{by}");
    }
    for (by, wrong) in [
        (r#""p-7""#, "body.by"),
        (r#"{"id": "p-7", "role": "barman"}"#, "body.by.role"),
        (r#"{"id": "p-7"}"#, "body.by"),
        ("7", "body.by"),
    ] {
        let refusal = json::read(&sample(by)).unwrap_err().to_string();
        assert!(refusal.starts_with(wrong), "{refusal}");
    }
}

#[test]
fn an_inspection_may_leave_unsaid_what_it_did_not_find() {
    let event = |body: &str| {
        let line = format!(
            r#"{{"id":"e","property":"p","table":"t","seq":1,"at":"2026-11-15T20:00:00Z","source":{{"kind":"device","id":"d"}},"body":{body}}}"#
        );
        json::read(&line).unwrap().body
    };
    let whole = event(
        r#"{"type":"cards_inspected","set":"A","missing":[],"extra":[],"unsuitable":[],"dealer":"d-1","supervisor":""}"#,
    );
    for body in [
        r#"{"type":"cards_inspected","set":"A","dealer":"d-1"}"#,
        r#"{"type":"cards_inspected","set":"A","missing":null,"dealer":{"id":"d-1","role":"dealer"},"supervisor":null}"#,
    ] {
        assert_eq!(event(body), whole, "{body}");
    }
    let passed = event(r#"{"type":"dice_inspected","set":"A","result":"pass"}"#);
    assert_eq!(event(r#"{"type":"dice_inspected","set":"A"}"#), passed);
    let by_player = event(r#"{"type":"wager_removed","wager":"w1","by":"patron"}"#);
    assert_eq!(event(r#"{"type":"wager_removed","wager":"w1"}"#), by_player);
}
