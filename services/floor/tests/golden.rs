//! The same seed gives the same events, to the byte, on every machine: what a small floor of each game sends is
//! held against what was written down when the same sources played it elsewhere.
//!
//! Who changes a game changes what it sends, so the lines belong to the sources that they name. They are renewed
//! before a release, and whenever bytes are to be compared: `CATWALK_RENEW=1 cargo test -p catwalk-floor --test
//! golden` writes them anew.

#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use catwalk_events::json;
use catwalk_floor::{Config, Floor, GAMES, Happening};

/// What decides the events of a floor.
const SOURCES: [&str; 4] = ["floor/src", "rules/src/games", "hands/src", "events/src"];

/// FNV-1a: plain, and the same everywhere.
fn add(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

/// The hash of all sources: their contents, in the order of their names.
fn sources() -> String {
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    for folder in SOURCES {
        files(&services.join(folder), &mut found);
    }
    found.sort();
    let hash = found
        .iter()
        .fold(EMPTY, |hash, path| add(hash, &fs::read(path).unwrap()));
    format!("sources {hash:016x}")
}

/// Two tables of a game, with noise: how many events they send, and the hash of their JSON.
fn line(game: &str) -> String {
    let config = Config {
        seed: 42,
        tables: 2,
        rounds: 60,
        games: vec![game.to_owned()],
        noise_per_mille: 200,
        ..Config::default()
    };
    let (mut count, mut hash) = (0, EMPTY);
    for happening in Floor::open(config).unwrap() {
        if let Happening::Event(event) = happening.unwrap() {
            count += 1;
            hash = add(add(hash, json::write(&event).unwrap().as_bytes()), b"\n");
        }
    }
    format!("{game} {count} {hash:016x}")
}

#[test]
fn the_same_sources_send_the_same_bytes_everywhere() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");
    let sources = sources();
    let written = fs::read_to_string(path).unwrap();
    let is_of_these = written.starts_with(&sources);
    let renews = std::env::var_os("CATWALK_RENEW").is_some();
    if !is_of_these && !renews {
        return eprintln!("golden.txt is of other sources; CATWALK_RENEW=1 renews it");
    }
    let mut played = format!("{sources}\n");
    for game in GAMES {
        writeln!(played, "{}", line(game)).unwrap();
    }
    if renews {
        return fs::write(path, played).unwrap();
    }
    assert_eq!(played, written);
}
