//! What vendors are given: one schema that others' Avro loads as it is, and a producer that runs.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

use catwalk_events::{Event, json};
use catwalk_wire::{Codec, Framing};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn bundle() -> PathBuf {
    root().join("schemas/bundle/event.avsc")
}

/// `CATWALK_RENEW=1` writes it anew.
#[test]
fn the_bundle_is_todays_schema() {
    let codec = Codec::new(Framing::SingleObject).unwrap();
    let schema = format!("{}\n", codec.schema_json().trim_end());
    if std::env::var_os("CATWALK_RENEW").is_some() {
        std::fs::write(bundle(), &schema).unwrap();
    }
    let kept = std::fs::read_to_string(bundle()).unwrap();
    assert!(
        kept == schema,
        "the schema of events has changed: CATWALK_RENEW=1 writes the bundle anew"
    );
    apache_avro::Schema::parse_str(&kept).unwrap();
}

fn run(command: &mut Command) -> Vec<u8> {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    output.stdout
}

/// A Python that has fastavro.
fn python() -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fastavro");
    let python = home.join("bin/python");
    let has = |python: &Path| {
        let import = Command::new(python)
            .args(["-c", "import fastavro"])
            .output();
        import.is_ok_and(|output| output.status.success())
    };
    if !has(&python) {
        run(Command::new("python3").args(["-m", "venv"]).arg(&home));
        let install = ["-m", "pip", "install", "--quiet", "fastavro==1.13.1"];
        run(Command::new(&python).args(install));
    }
    python
}

#[test]
fn the_producer_speaks_json_and_avro_alike() {
    let (python, producer) = (python(), root().join("schemas/bundle/producer.py"));
    let lines = std::fs::read_to_string(&producer).unwrap();
    assert!(
        lines.lines().count() <= 40,
        "it is meant to be read at a glance"
    );
    let told = run(Command::new(&python).arg(&producer));
    let told = String::from_utf8(told).unwrap();
    let told: Vec<Event> = told.lines().map(|line| json::read(line).unwrap()).collect();
    assert_eq!(told.len(), 11);
    let records = run(Command::new(&python).arg(&producer).arg("--avro"));
    let codec = Codec::new(Framing::SingleObject).unwrap();
    let (mut read, mut rest) = (Vec::new(), records.as_slice());
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let (record, after) = after.split_at(u32::from_be_bytes(*length) as usize);
        read.push(codec.decode(record).unwrap());
        rest = after;
    }
    assert_eq!(read, told);
}

#[test]
fn javas_avro_loads_the_bundle() {
    let jars = Path::new(env!("CARGO_TARGET_TMPDIR")).join("avro-jars");
    if !jars.exists() {
        let copy = ["-q", "-B", "dependency:copy-dependencies"];
        let output = format!("-DoutputDirectory={}", jars.display());
        let pom = root().join("tests/avro/pom.xml");
        run(Command::new("mvn")
            .arg("-f")
            .arg(pom)
            .args(copy)
            .arg(output));
    }
    let classes = format!("{}/*", jars.display());
    let program = root().join("tests/avro/Load.java");
    let told = run(Command::new("java")
        .args(["-cp", &classes])
        .arg(program)
        .arg(bundle()));
    let codec = Codec::new(Framing::SingleObject).unwrap();
    let expected = format!("catwalk.floor.Event {:016x}\n", codec.fingerprint());
    assert_eq!(String::from_utf8(told).unwrap(), expected);
}
