//! Yesterday's records are read by today's code.
//!
//! `schemas/past/` holds, for every schema that ever wrote a record of the log, the whole schema
//! (`.avsc`), samples as it wrote them (`.bin`: length, bytes) and the same as JSON (`.jsonl`). A
//! change that cannot read them fails here; `examples/keep_schema.rs` keeps a new schema.

#![allow(clippy::unwrap_used)]

use std::fmt::Debug;
use std::path::PathBuf;

use catwalk_events::audit::{
    Access, CaseAct, Disposition, Finding, Incident, Quarantined, Settlement,
};
use catwalk_events::{Event, json};
use catwalk_wire::{Avro, Framing, Logged};

#[test]
fn events_of_every_past_schema_are_read_and_say_what_they_said() {
    assert_past_is_read::<Event>(|line| json::read(line).unwrap());
}

#[test]
fn audit_records_of_every_past_schema_are_read_and_say_what_they_said() {
    assert_past_is_read::<Settlement>(read);
    assert_past_is_read::<Finding>(read);
    assert_past_is_read::<Quarantined>(read);
    assert_past_is_read::<Disposition>(read);
    assert_past_is_read::<Incident>(read);
    assert_past_is_read::<CaseAct>(read);
    assert_past_is_read::<Access>(read);
}

#[test]
fn audit_records_read_as_they_are_written_in_either_framing() {
    assert_round_trip::<Settlement>(include_str!("../../../schemas/settlement.jsonl"));
    assert_round_trip::<Finding>(include_str!("../../../schemas/finding.jsonl"));
    assert_round_trip::<Quarantined>(include_str!("../../../schemas/quarantined.jsonl"));
    assert_round_trip::<Disposition>(include_str!("../../../schemas/disposition.jsonl"));
    assert_round_trip::<Incident>(include_str!("../../../schemas/incident.jsonl"));
    assert_round_trip::<CaseAct>(include_str!("../../../schemas/case_act.jsonl"));
    assert_round_trip::<Access>(include_str!("../../../schemas/access.jsonl"));
}

fn read<R: Logged>(line: &str) -> R {
    serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}\n{line}"))
}

fn assert_round_trip<R: Logged + PartialEq + Debug>(samples: &str) {
    for framing in [Framing::SingleObject, Framing::Confluent(7)] {
        let codec = Avro::<R>::new(framing).unwrap();
        for line in samples.lines() {
            let record: R = read(line);
            let json: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(serde_json::to_value(&record).unwrap(), json);
            let bytes = codec.encode(&record).unwrap();
            assert_eq!(codec.decode(&bytes).unwrap(), record);
        }
    }
}

fn assert_past_is_read<R: Logged + PartialEq + Debug>(read: impl Fn(&str) -> R) {
    let codec = Avro::<R>::new(Framing::SingleObject).unwrap();
    assert_todays_schema_is_kept(&codec);
    for file in past::<R>("bin") {
        let text = std::fs::read_to_string(file.with_extension("jsonl")).unwrap();
        let mut rest = &*std::fs::read(&file).unwrap();
        for line in text.lines() {
            let (length, more) = rest.split_at(4);
            let length = u32::from_be_bytes(length.try_into().unwrap());
            let (written, more) = more.split_at(length as usize);
            rest = more;
            let record = codec
                .decode(written)
                .unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            assert_eq!(record, read(line), "{}", file.display());
        }
        assert!(rest.is_empty(), "{}", file.display());
    }
}

fn assert_todays_schema_is_kept<R: Logged>(codec: &Avro<R>) {
    let name = format!("{}-{:016x}.avsc", R::NAME, codec.fingerprint());
    let kept = past::<R>("avsc")
        .into_iter()
        .find(|path| path.ends_with(&name));
    let kept = kept.unwrap_or_else(|| {
        panic!("{name} is not kept: cargo run -p catwalk-wire --example keep_schema")
    });
    assert_eq!(std::fs::read_to_string(kept).unwrap(), codec.schema_json());
}

fn past<R: Logged>(extension: &str) -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/past");
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let of_record = |path: &PathBuf| {
        let name = path.file_stem().and_then(|name| name.to_str());
        name.and_then(|name| name.rsplit_once('-'))
            .is_some_and(|(of, _)| of == R::NAME)
    };
    files
        .filter(|path| of_record(path) && path.extension().is_some_and(|has| has == extension))
        .collect()
}
