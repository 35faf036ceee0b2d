//! Yesterday's events are read by today's code.
//!
//! `schemas/past/` holds, for every schema that ever wrote an event, the whole schema (`.avsc`), one
//! event of every type as it was written (`.bin`: length, bytes) and the same as JSON (`.jsonl`). A
//! change that cannot read them fails here; `examples/keep_schema.rs` keeps a new schema.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use catwalk_events::avro::{Codec, Framing};
use catwalk_events::json;

fn past(extension: &str) -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/past");
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|has| has == extension))
        .collect()
}

#[test]
fn todays_schema_is_kept() {
    let codec = Codec::new(Framing::SingleObject).unwrap();
    let name = format!("event-{:016x}.avsc", codec.fingerprint());
    let kept = past("avsc").into_iter().find(|path| path.ends_with(&name));
    let kept = kept.unwrap_or_else(|| {
        panic!("{name} is not kept: cargo run -p catwalk-events --example keep_schema")
    });
    assert_eq!(std::fs::read_to_string(kept).unwrap(), codec.schema_json());
}

#[test]
fn events_of_every_past_schema_are_read_and_say_what_they_said() {
    let codec = Codec::new(Framing::SingleObject).unwrap();
    let files = past("bin");
    assert!(!files.is_empty());
    for file in files {
        let text = std::fs::read_to_string(file.with_extension("jsonl")).unwrap();
        let mut rest = &*std::fs::read(&file).unwrap();
        for line in text.lines() {
            let (length, more) = rest.split_at(4);
            let length = u32::from_be_bytes(length.try_into().unwrap());
            let (written, more) = more.split_at(length as usize);
            rest = more;
            let event = codec
                .decode(written)
                .unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            assert_eq!(event, json::read(line).unwrap(), "{}", file.display());
        }
        assert!(rest.is_empty(), "{}", file.display());
    }
}
