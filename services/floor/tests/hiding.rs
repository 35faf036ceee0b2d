//! Ways to hide a payment, at every game: each is found, and nothing else.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::sync::Arc;

use catwalk_floor::score::{Alarm, Score};
use catwalk_floor::{Config, FaultKind, Floor, GAMES, Happening, Label, Order};
use catwalk_rules::Rulebook;
use catwalk_settler::{Finding, Output, Settler};

/// What was done, and what was found.
fn play(rulebook: &Arc<Rulebook>, config: Config) -> (Vec<Label>, Vec<Finding>) {
    let mut settler = Settler::new(Arc::clone(rulebook)).unwrap();
    let (mut labels, mut outputs) = (Vec::new(), Vec::new());
    for happening in Floor::under(Arc::clone(rulebook), config).unwrap() {
        match happening.unwrap() {
            Happening::Event(event) => outputs.extend(settler.receive(*event)),
            Happening::Fault(label) => labels.push(*label),
            _ => {}
        }
    }
    outputs.extend(settler.finish());
    let found = outputs.into_iter().filter_map(|output| match output {
        Output::Finding(finding) => Some(*finding),
        _ => None,
    });
    (labels, found.collect())
}

#[test]
fn every_way_to_hide_a_payment_is_found_and_nothing_else() {
    let rulebook = Arc::new(Rulebook::load().unwrap());
    let mut done: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for game in GAMES {
        for kind in FaultKind::OF_HIDING {
            let config = Config {
                seed: 17,
                tables: 2,
                rounds: 40,
                games: vec![game.to_owned()],
                faults_per_mille: 300,
                fault_kinds: vec![kind],
                ..Config::default()
            };
            let (labels, found) = play(&rulebook, config);
            let alarms: Vec<Alarm> = found.iter().map(Alarm::from).collect();
            let score = Score::of(&labels, &alarms);
            *done.entry(kind.name()).or_default() += labels.len();
            if !score.is_perfect() {
                wrong.push(format!(
                    "{game} {kind:?}: {:?} {:?}",
                    score.missed, score.examples
                ));
            }
            for label in labels.iter().filter(|label| label.amount.get() != 0) {
                let mut told = found
                    .iter()
                    .filter(|one| label.is_told_by(&Alarm::from(*one)));
                if !told.any(|one| one.exposure == label.amount) {
                    wrong.push(format!(
                        "{game} {kind:?}: another amount than {}",
                        label.amount
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(done.len(), FaultKind::OF_HIDING.len());
    assert!(done.values().all(|times| *times >= 20), "{done:?}");
}

/// Who calls off what the players would lose is suspected; who calls off what is honest is not.
#[test]
fn a_dealer_who_calls_off_losing_spins_is_suspected() {
    let rulebook = Arc::new(Rulebook::load().unwrap());
    let order = Order {
        kind: FaultKind::SparingDealer,
        table: "RO-01".to_owned(),
        round: 1,
        times: 1,
        strength: Some(0.5),
    };
    let config = |orders| Config {
        seed: 3,
        tables: 1,
        rounds: 150,
        games: vec!["roulette".to_owned()],
        orders,
        ..Config::default()
    };
    let code = "statistics.called_off";
    let (labels, found) = play(&rulebook, config(vec![order]));
    assert_eq!(labels.len(), 1);
    let alarms: Vec<Alarm> = found.iter().map(Alarm::from).collect();
    assert!(
        alarms.iter().any(|alarm| labels[0].is_told_by(alarm)),
        "{found:?}"
    );
    assert_eq!(Score::of(&labels, &alarms).false_alarms, 0);
    let (_, found) = play(&rulebook, config(Vec::new()));
    assert!(found.iter().all(|finding| finding.code != code));
}
