//! The same seed gives the same events, to the byte, on every machine: what a small floor of each game sends is
//! held against what was written down.
//!
//! Who changes a game changes what it sends; then `CATWALK_RENEW=1 cargo test -p catwalk-floor --test golden`
//! writes the lines anew, and their difference shows which games the change reaches.

#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::fs;

use catwalk_events::json;
use catwalk_floor::{Config, Floor, GAMES, Happening};

/// FNV-1a: plain, and the same everywhere.
fn add(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

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
fn the_same_seed_sends_the_same_bytes_everywhere() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");
    let mut played = String::new();
    for game in GAMES {
        writeln!(played, "{}", line(game)).unwrap();
    }
    if std::env::var_os("CATWALK_RENEW").is_some() {
        fs::write(path, &played).unwrap();
    }
    let written = fs::read_to_string(path).unwrap();
    assert_eq!(
        played, written,
        "other events than were written down: if that is meant, CATWALK_RENEW=1 renews them"
    );
}
