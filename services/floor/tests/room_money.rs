//! Chips that are owed and hands that are settled in their order, on the simulated floor: what is owed stands in hands
//! of which a fault is known, and nobody is accused at an honest table.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use catwalk_floor::{Config, FaultKind, Floor, Happening};
use catwalk_rules::Rulebook;
use catwalk_settler::{Output, Settler};

static RULEBOOK: LazyLock<Arc<Rulebook>> = LazyLock::new(|| Arc::new(Rulebook::load().unwrap()));

#[derive(Default)]
struct Heard {
    /// Codes that were found, and of the labels that were done.
    found: BTreeSet<String>,
    done: BTreeSet<String>,
    /// Rounds with owed chips, by table and round, and those with a label.
    owed: BTreeSet<(String, String)>,
    labelled: BTreeMap<(String, String), Vec<String>>,
}

fn play(games: &[&str], seed: u64, faults_per_mille: u32) -> Heard {
    let config = Config {
        seed,
        tables: 40,
        rounds: 800,
        faults_per_mille,
        fault_kinds: vec![FaultKind::WrongPlay],
        games: games.iter().map(|&game| game.to_owned()).collect(),
        ..Config::default()
    };
    let mut settler = Settler::new(RULEBOOK.clone()).unwrap();
    let mut heard = Heard::default();
    for happening in Floor::under(RULEBOOK.clone(), config).unwrap() {
        match happening.unwrap() {
            Happening::Event(event) => {
                heard.hear(settler.receive(*event));
            }
            Happening::Fault(label) => {
                heard.done.extend(label.codes.iter().cloned());
                let hand = (label.table.clone(), label.round.clone());
                heard
                    .labelled
                    .entry(hand)
                    .or_default()
                    .extend(label.codes.clone());
            }
            _ => {}
        }
    }
    heard.hear(settler.finish());
    heard
}

impl Heard {
    fn hear(&mut self, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Finding(finding) => drop(self.found.insert(finding.code)),
                Output::Settlement(round) => {
                    let pots = round.settlement.as_ref().and_then(|settled| settled.pots());
                    if pots.is_some_and(|pots| !pots.owed.is_empty()) {
                        self.owed.insert((round.table, round.round));
                    }
                }
                Output::Unread(unread) => panic!("{}", unread.reason),
            }
        }
    }
}

/// 7(e), 15(j)2: who does otherwise than he said is at fault, so no other hand owes anything in the end.
#[test]
fn chips_are_owed_in_hands_with_a_fault_and_in_no_others() {
    let careless = play(&["poker"], 30, 500);
    assert!(!careless.owed.is_empty(), "no hand owes anything");
    for hand in &careless.owed {
        let known = careless.labelled.get(hand);
        let known = known.unwrap_or_else(|| panic!("chips are owed without a fault: {hand:?}"));
        let spoken = [
            "action.against_word",
            "wager.announced_mismatch",
            "wager.obligation_unpaid",
        ];
        let is_spoken = known.iter().any(|code| spoken.contains(&&**code));
        assert!(is_spoken, "{hand:?} owes by {known:?}");
    }
}

/// Colorado 10(b),(d) and fast action 8(k)-(m).
#[test]
fn hands_are_decided_and_settled_in_their_order_or_it_is_told() {
    let games = ["colorado_holdem", "fast_action_holdem"];
    assert_eq!(play(&games, 31, 0).found, BTreeSet::new());
    let careless = play(&games, 31, 500);
    for code in ["settle.order", "colorado.turn_order"] {
        assert!(careless.done.contains(code), "{code} is not done");
        assert!(careless.found.contains(code), "{code} is not told");
    }
}
