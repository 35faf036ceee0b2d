//! Keeps today's schemas of the log's records beside those of the past, with samples of what they
//! wrote. Run it when a schema has changed, before the change lands:
//!
//! `cargo run -p catwalk-wire --example keep_schema`

use std::path::Path;

use catwalk_events::audit::{
    Access, CaseAct, Disposition, Finding, Incident, Quarantined, Settlement,
};
use catwalk_events::{Event, json};
use catwalk_wire::{Avro, Framing, Logged};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    keep("samples.jsonl", |line| {
        Ok(json::read(line)?) as Result<Event>
    })?;
    keep("settlement.jsonl", read::<Settlement>)?;
    keep("finding.jsonl", read::<Finding>)?;
    keep("quarantined.jsonl", read::<Quarantined>)?;
    keep("disposition.jsonl", read::<Disposition>)?;
    keep("incident.jsonl", read::<Incident>)?;
    keep("case_act.jsonl", read::<CaseAct>)?;
    keep("access.jsonl", read::<Access>)
}

fn read<R: Logged>(line: &str) -> Result<R> {
    Ok(serde_json::from_str(line)?)
}

fn keep<R: Logged>(samples: &str, read: impl Fn(&str) -> Result<R>) -> Result<()> {
    let codec = Avro::<R>::new(Framing::SingleObject)?;
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    let kept = schemas
        .join("past")
        .join(format!("{}-{:016x}", R::NAME, codec.fingerprint()));
    if kept.with_extension("avsc").exists() {
        return Ok(());
    }
    let samples = std::fs::read_to_string(schemas.join(samples))?;
    let mut written = Vec::new();
    for line in samples.lines() {
        let bytes = codec.encode(&read(line)?)?;
        written.extend(u32::try_from(bytes.len())?.to_be_bytes());
        written.extend(bytes);
    }
    std::fs::write(kept.with_extension("avsc"), codec.schema_json())?;
    std::fs::write(kept.with_extension("jsonl"), &samples)?;
    std::fs::write(kept.with_extension("bin"), written)?;
    println!("kept {}", kept.display());
    println!("add the .avsc of its predecessor to PAST in services/wire/src/records.rs");
    Ok(())
}
