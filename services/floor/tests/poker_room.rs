//! The poker room plays all that its sign may post, and every irregularity that its rules rule on.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::sync::Arc;

use catwalk_events::Body;
use catwalk_floor::{Config, FaultKind, Floor, Happening};
use catwalk_rules::Rulebook;
use serde_json::Value;

#[derive(Default)]
struct Played {
    /// What was posted at the tables.
    posted: BTreeSet<String>,
    /// Which irregularities were called.
    called: BTreeSet<String>,
    /// What else happened that not every hand has.
    seen: BTreeSet<&'static str>,
    /// Codes of what was done wrong.
    codes: BTreeSet<String>,
}

/// `cheats` in a thousand hands.
fn play(cheats: u32) -> Played {
    let config = Config {
        seed: 5,
        tables: 240,
        rounds: 4_800,
        games: vec!["poker".to_owned()],
        faults_per_mille: cheats,
        fault_kinds: vec![
            FaultKind::WrongPlay,
            FaultKind::BarredPlayer,
            FaultKind::SilentConduct,
        ],
        ..Config::default()
    };
    let rulebook = Arc::new(Rulebook::load().unwrap());
    let mut played = Played::default();
    for happening in Floor::under(rulebook, config).unwrap() {
        match happening.unwrap() {
            Happening::Event(event) => played.see(event.body),
            Happening::Fault(label) => played.codes.extend(label.codes),
            _ => {}
        }
    }
    played
}

impl Played {
    fn see(&mut self, body: Body) {
        match body {
            Body::TableOpened(opened) => self.posted.extend(words(&opened.options.value())),
            Body::Irregularity(told) => drop(self.called.insert(told.kind)),
            Body::WagerPlaced(placed) => {
                let detail = placed.detail.map(|detail| detail.value());
                let tells = |key: &str| detail.as_ref().is_some_and(|told| !told[key].is_null());
                let keys = ["vacant_blinds", "single_chip", "announced", "verbal"];
                self.seen.extend(keys.into_iter().filter(|key| tells(key)));
                let posts = ["post", "dead_blind", "straddle", "kill_blind"];
                self.seen
                    .extend(posts.into_iter().filter(|kind| *kind == placed.kind));
            }
            Body::WagerChanged(_) => drop(self.seen.insert("made good")),
            Body::DiscrepancyReported(_) => drop(self.seen.insert("reported")),
            _ => {}
        }
    }
}

/// The words of a sign: the rake methods that are taken together, kills, time, the drop.
fn words(options: &Value) -> Vec<String> {
    let methods = options["rake"].as_array().unwrap();
    let named = |method: &Value| method["method"].as_str().unwrap().to_owned();
    let mut words = vec![
        methods
            .iter()
            .map(named)
            .collect::<Vec<String>>()
            .join(" and "),
    ];
    for time in methods.iter().filter(|method| method["method"] == "time") {
        words.push(format!(
            "{} every {}",
            time["basis"].as_str().unwrap(),
            time["interval"]
        ));
    }
    if let Some(kill) = options["kill"].as_object() {
        let by = if kill.contains_key("amount") {
            "amount"
        } else {
            "multiple"
        };
        words.push(format!("{} by {by}", kill["type"].as_str().unwrap()));
    }
    if let Some(method) = options["jackpot"]["drop"]["method"].as_str() {
        words.push(format!("drop {method}"));
    }
    words
}

fn set(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[test]
fn every_sign_is_posted_and_what_is_nobodys_fault_happens_at_an_honest_table() {
    let played = play(0);
    let all = set(&[
        "percent",
        "incremental",
        "time",
        "percent and incremental",
        "percent and time",
        "incremental and time",
        "percent and incremental and time",
        "per_player every 30",
        "per_table every 20",
        "kill by amount",
        "kill by multiple",
        "half_kill by amount",
        "half_kill by multiple",
        "drop fixed",
        "drop percent",
    ]);
    assert_eq!(played.posted, all);
    let honest = set(&[
        "exposed_down_card",
        "hand_collected",
        "hand_fouled",
        "hole_exposed",
        "last_hole_exposed",
        "left_table",
        "off_table",
        "player_conduct",
    ]);
    assert_eq!(played.called, honest);
    let seen = BTreeSet::from([
        "announced",
        "dead_blind",
        "kill_blind",
        "made good",
        "post",
        "reported",
        "single_chip",
        "straddle",
        "vacant_blinds",
        "verbal",
    ]);
    assert_eq!(played.seen, seen);
    assert_eq!(played.codes, set(&[]));
}

#[test]
fn every_misdeal_happens_at_a_careless_table() {
    let Played { called, codes, .. } = play(500);
    let faults = set(&[
        "dealt_to_ineligible",
        "face_up_in_deck",
        "not_shuffled",
        "player_not_dealt",
        "wrong_start",
    ]);
    let missing: Vec<&String> = faults.difference(&called).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let labelled = set(&[
        "action.against_word",
        "action.not_due",
        "ante.missing",
        "ante.wrong_seat",
        "conduct.not_reported",
        "conduct.player_stays",
        "deal.card_exposed",
        "deal.face_up_card",
        "deal.ineligible_player",
        "deal.player_skipped",
        "deal.protected_hand_collected",
        "deal.wrong_start",
        "deck.not_shuffled",
        "post.amount",
        "post.not_offered",
        "post.wrong_seat",
        "shoe.burn_count",
        "showdown.order",
        "wager.announced_mismatch",
        "wager.obligation_unpaid",
        "wager.string_bet",
    ]);
    assert_eq!(codes, labelled);
}
