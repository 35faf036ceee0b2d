//! Keeps today's schema of events beside those of the past, with one event of every type that it
//! wrote. Run it when a schema has changed, before the change lands:
//!
//! `cargo run -p catwalk-events --example keep_schema`

use std::path::Path;

use catwalk_events::avro::{Codec, Framing};
use catwalk_events::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let codec = Codec::new(Framing::SingleObject)?;
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    let kept = schemas
        .join("past")
        .join(format!("event-{:016x}", codec.fingerprint()));
    let samples = std::fs::read_to_string(schemas.join("samples.jsonl"))?;
    let mut written = Vec::new();
    for line in samples.lines() {
        let bytes = codec.encode(&json::read(line)?)?;
        written.extend(u32::try_from(bytes.len())?.to_be_bytes());
        written.extend(bytes);
    }
    std::fs::write(kept.with_extension("avsc"), codec.schema_json())?;
    std::fs::write(kept.with_extension("jsonl"), &samples)?;
    std::fs::write(kept.with_extension("bin"), written)?;
    println!("kept {}", kept.display());
    println!("add its .avsc to PAST_SCHEMAS in services/events/src/avro.rs");
    Ok(())
}
