//! Frequencies over time: what is loaded is suspected, what is fair is not.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use catwalk_events::{Event, json};
use catwalk_rules::Rulebook;
use catwalk_rules::book::Severity;
use catwalk_settler::{Finding, Output, Settler};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

/// A table whose events are made one by one.
struct Table {
    settler: Settler,
    seq: u64,
    findings: Vec<Finding>,
}

impl Table {
    fn open(game: &str, options: Value) -> Table {
        Table::under(game, "mgc-2017", options)
    }

    fn under(game: &str, edition: &str, options: Value) -> Table {
        let rulebook = Arc::new(Rulebook::load().unwrap());
        let mut table = Table {
            settler: Settler::new(rulebook).unwrap(),
            seq: 0,
            findings: Vec::new(),
        };
        table.send(
            json!({"type": "table_opened", "game": game, "edition": edition,
            "options": options, "limits": [], "opening_inventory": 1_000_000, "dealer": "d-1"}),
        );
        table
    }

    fn send(&mut self, body: Value) {
        self.seq += 1;
        let minutes = self.seq / 60;
        let event = json!({
            "id": format!("e{}", self.seq), "property": "ebh", "table": "T-1", "seq": self.seq,
            "at": format!("2026-11-15T{:02}:{:02}:{:02}Z", minutes / 60 % 24, minutes % 60, self.seq % 60),
            "source": {"kind": "device", "id": "d"}, "body": body,
        });
        let event: Event = json::read(&event.to_string()).unwrap();
        for output in self.settler.receive(event) {
            if let Output::Finding(finding) = output {
                self.findings.push(*finding);
            }
        }
    }

    fn statistics(&self) -> Vec<(&str, Severity)> {
        let found = self
            .findings
            .iter()
            .map(|found| (found.code.as_str(), found.severity));
        found
            .filter(|(code, _)| code.starts_with("statistics.") || code.ends_with(".bias"))
            .collect()
    }
}

fn spin(spins: u64, percent_loaded: u32) -> Table {
    let mut table = Table::open("roulette", json!({"wheel": "single"}));
    table.send(json!({"type": "wheel_inspected", "wheel": "W-1", "result": "pass"}));
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for _ in 0..spins {
        let fair = rng.random_range(0..37);
        let pocket = if rng.random_range(0..100) < percent_loaded {
            17
        } else {
            fair
        };
        let result = pocket.to_string();
        table
            .send(json!({"type": "wheel_spun", "result": result, "valid": true, "revolutions": 5}));
    }
    table
}

#[test]
fn where_a_text_has_a_word_for_it_a_biased_wheel_is_called_so() {
    let wheels = [
        ("roulette", "oh-jack-2017", "0", "roulette.bias"),
        ("big_six", "mgc-2017", "20", "bigsix.bias"),
    ];
    for (game, edition, result, code) in wheels {
        let mut table = Table::under(game, edition, json!({}));
        table.send(json!({"type": "wheel_inspected", "wheel": "W-1", "result": "pass"}));
        for _ in 0..20 {
            table.send(json!({"type": "wheel_spun", "result": result, "valid": true}));
        }
        let expected = [(code, Severity::Info), (code, Severity::Warn)];
        assert_eq!(table.statistics(), expected);
    }
}

#[test]
fn a_fair_wheel_is_not_suspected() {
    assert_eq!(spin(20_000, 0).statistics(), []);
}

#[test]
fn a_wheel_that_favours_a_pocket_is_told_of_and_then_strongly_suspected() {
    let table = spin(4_000, 5);
    let expected = [
        ("statistics.wheel", Severity::Info),
        ("statistics.wheel", Severity::Warn),
    ];
    assert_eq!(table.statistics(), expected);
    let found = table
        .findings
        .iter()
        .find(|found| found.code == "statistics.wheel")
        .unwrap();
    assert!(
        found.message.starts_with("17 has come too often"),
        "{}",
        found.message
    );
}

fn roll(rolls: u64, percent_loaded: u32) -> Table {
    let mut table = Table::open("craps", json!({}));
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..rolls {
        let mut die = || match rng.random_range(0..100) < percent_loaded {
            true => 6,
            false => rng.random_range(1..=6),
        };
        let dice = [die(), die()];
        table.send(json!({"type": "dice_rolled", "dice": dice, "valid": true}));
    }
    table
}

#[test]
fn loaded_dice_are_suspected_and_fair_ones_are_not() {
    assert_eq!(roll(5_000, 0).statistics(), []);
    let loaded = roll(5_000, 10);
    assert_eq!(loaded.statistics()[0], ("statistics.dice", Severity::Info));
}
