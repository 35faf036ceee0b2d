//! One event of every type, with every field filled, as Avro.

#![allow(clippy::unwrap_used)]

use catwalk_events::{Event, json};
use catwalk_wire::{AvroError, Codec, Framing};
use serde_json::Value;

const SAMPLES: &str = include_str!("../../../schemas/samples.jsonl");

fn samples() -> Vec<Event> {
    SAMPLES
        .lines()
        .map(|line| json::read(line).unwrap_or_else(|e| panic!("{e}\n{line}")))
        .collect()
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
