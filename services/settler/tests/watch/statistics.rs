//! Frequencies over time: what is loaded is suspected, what is fair is not.

use catwalk_events::{Event, json};
use catwalk_rules::book::Severity;
use catwalk_settler::{Finding, Output, Settler};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

/// A table whose events are made one by one.
struct Table {
    settler: Settler,
    seq: u64,
    round: Option<String>,
    findings: Vec<Finding>,
}

impl Table {
    fn open(game: &str, options: Value) -> Table {
        Table::under(game, "mgc-2017", options)
    }

    fn under(game: &str, edition: &str, options: Value) -> Table {
        let mut table = Table {
            settler: catwalk_stories::settler(),
            seq: 0,
            round: None,
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
        let mut event = json!({
            "id": format!("e{}", self.seq), "property": "ebh", "table": "T-1", "seq": self.seq,
            "at": format!("2026-11-15T{:02}:{:02}:{:02}Z", minutes / 60 % 24, minutes % 60, self.seq % 60),
            "source": {"kind": "device", "id": "d"}, "body": body,
        });
        if let Some(round) = &self.round {
            event["round"] = json!(round);
        }
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

/// A wheel that comes to rest at the same place so many times in a row.
fn stuck(game: &str, edition: &str, result: &str, spins: u32) -> Table {
    let mut table = Table::under(game, edition, json!({}));
    table.send(json!({"type": "wheel_inspected", "wheel": "W-1", "result": "pass"}));
    for _ in 0..spins {
        table.send(json!({"type": "wheel_spun", "result": result, "valid": true}));
    }
    table
}

const STUCK: [(&str, &str, &str); 2] = [
    ("roulette", "oh-jack-2017", "0"),
    ("big_six", "mgc-2017", "20"),
];

/// Games whose text has a word for a biased wheel, and what such a wheel raises there.
pub(crate) fn biased() -> Vec<(&'static str, String)> {
    let codes = |(game, edition, result)| -> Vec<(&'static str, String)> {
        let table = stuck(game, edition, result, 100);
        let codes = table.statistics().into_iter();
        codes.map(|(code, _)| (game, code.to_owned())).collect()
    };
    STUCK.into_iter().flat_map(codes).collect()
}

#[test]
fn where_a_text_has_a_word_for_it_a_biased_wheel_is_called_so() {
    for ((game, edition, result), code) in STUCK.into_iter().zip(["roulette.bias", "bigsix.bias"]) {
        assert_eq!(stuck(game, edition, result, 99).statistics(), []);
        let suspected = stuck(game, edition, result, 100);
        assert_eq!(suspected.statistics(), [(code, Severity::Warn)]);
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

/// Rounds of red dog from shuffled shoes of six decks; so many percent of the cards are exchanged for a
/// king as long as the shoe has one.
fn deal(shoes: u64, percent_exchanged: u32) -> Table {
    let mut table = Table::open("red_dog", json!({"decks": 6}));
    let mut luck = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..shoes {
        table.send(
            json!({"type": "shoe_started", "shoe": "s", "set": "A", "decks": 6,
            "method": "shoe"}),
        );
        let mut cards: Vec<String> = (0..312)
            .map(|index| {
                let rank = [
                    "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A",
                ];
                let suit = ["S", "H", "D", "C"];
                format!("{}{}", rank[index % 13], suit[index / 13 % 4])
            })
            .collect();
        for _ in 0..200 {
            let mut at = luck.random_range(0..cards.len());
            if luck.random_range(0..100) < percent_exchanged
                && let Some(king) = cards.iter().position(|card| card.starts_with('K'))
            {
                at = king;
            }
            let card = cards.swap_remove(at);
            table
                .send(json!({"type": "card_dealt", "to": "community", "card": card, "face": "up"}));
        }
    }
    table
}

#[test]
fn a_rank_that_comes_too_early_is_suspected_and_shuffled_shoes_are_not() {
    assert_eq!(deal(20, 0).statistics(), []);
    let strong = ("statistics.cards", Severity::Warn);
    assert_eq!(
        deal(20, 15).statistics(),
        [("statistics.cards", Severity::Info), strong]
    );
}

/// Rounds of roulette, each by the next of these dealers, who pay a winner wrongly so often in a hundred.
fn pay(rounds: u64, dealers: &[(&str, u32)]) -> Vec<(String, Option<String>)> {
    let mut table = Table::open("roulette", json!({}));
    table.send(json!({"type": "wheel_inspected", "wheel": "w", "result": "pass"}));
    let mut luck = ChaCha8Rng::seed_from_u64(11);
    let reds = ["1", "3", "5", "7", "9", "12", "14", "16"];
    for round in 0..rounds {
        let (dealer, percent) = dealers[usize::try_from(round).unwrap() % dealers.len()];
        let paid = if luck.random_range(0..100) < percent {
            900
        } else {
            1000
        };
        table.send(json!({"type": "dealer_changed", "dealer": dealer}));
        table.round = Some(format!("r{round}"));
        for body in [
            json!({"type": "round_opened"}),
            json!({"type": "wager_placed", "wager": "w", "seat": 1, "kind": "red", "amount": 1000}),
            json!({"type": "betting_closed"}),
            json!({"type": "wheel_spun", "valid": true,
                "result": reds[luck.random_range(0..reds.len())]}),
            json!({"type": "wager_paid", "wager": "w", "amount": paid}),
            json!({"type": "round_closed"}),
        ] {
            table.send(body);
        }
        table.round = None;
    }
    let told = table.findings.into_iter();
    told.filter(|finding| finding.code == "statistics.dealer")
        .map(|finding| (finding.code, finding.dealer))
        .collect()
}

#[test]
fn a_dealer_who_errs_more_than_others_is_told_of() {
    let careless = pay(1_500, &[("d-1", 0), ("d-2", 0), ("d-3", 12)]);
    assert!(!careless.is_empty());
    assert!(
        careless
            .iter()
            .all(|(_, dealer)| dealer.as_deref() == Some("d-3"))
    );
}

#[test]
fn a_dealer_who_errs_as_all_do_is_not() {
    assert_eq!(pay(1_500, &[("d-1", 0), ("d-2", 0), ("d-3", 0)]), []);
    // Whoever errs first may be told of before the others have shown that it is usual.
    let alike = pay(3_000, &[("d-1", 4), ("d-2", 4), ("d-3", 4)]);
    assert_eq!(alike, []);
}
