//! A scenario happens as it is written.

#![allow(clippy::unwrap_used)]

use catwalk_floor::{Config, FaultKind, Floor, FloorError, Happening, Label};

fn labels(config: Config) -> Vec<Label> {
    let floor = Floor::open(config).unwrap();
    let faults = floor.filter_map(|happening| match happening.unwrap() {
        Happening::Fault(label) => Some(*label),
        _ => None,
    });
    faults.collect()
}

#[test]
fn the_sample_does_what_it_says_where_it_says_it() {
    let text = include_str!("../../../deploy/scenario.toml");
    let config = Config::from_scenario(text).unwrap();
    assert_eq!(config.rounds, 2_000);
    let labels = labels(config);
    let at = |table: &'static str, kind| {
        let of_table = labels.iter().filter(move |label| label.table == table);
        of_table.filter(move |label| label.kind == kind)
    };
    let capped: Vec<&Label> = at("BJ-01", FaultKind::Capped).collect();
    assert_eq!(capped.len(), 1);
    assert!(
        capped[0].round.as_str() >= "BJ-01-000040",
        "{:?}",
        capped[0]
    );
    let paid: Vec<&str> = at("MB-02", FaultKind::Overpaid)
        .map(|label| label.round.as_str())
        .take(5)
        .collect();
    assert_eq!(paid.len(), 5);
    assert!(
        paid.iter().all(|round| *round >= "MB-02-000010"),
        "{paid:?}"
    );
    for (table, kind) in [
        ("BJ-04", FaultKind::ForgedInspection),
        ("MB-05", FaultKind::SkimmedDrop),
        ("RO-03", FaultKind::BiasedWheel),
    ] {
        assert_eq!(at(table, kind).count(), 1, "{kind:?} at {table}");
    }
    let biased = at("RO-03", FaultKind::BiasedWheel).next().unwrap();
    assert_eq!(biased.strength_per_mille, Some(100));
    let known = [
        FaultKind::Overpaid,
        FaultKind::Underpaid,
        FaultKind::WrongCommission,
        FaultKind::Capped,
        FaultKind::ForgedInspection,
        FaultKind::SkimmedDrop,
        FaultKind::BiasedWheel,
    ];
    assert!(labels.iter().all(|label| known.contains(&label.kind)));
}

#[test]
fn the_sample_names_every_kind() {
    let text = include_str!("../../../deploy/scenario.toml");
    let kinds = FaultKind::CERTAIN.into_iter().chain(FaultKind::OF_PAPERS);
    let kinds = kinds.chain(FaultKind::OF_HIDING);
    let kinds = kinds.chain(FaultKind::STATISTICAL);
    for name in kinds.map(FaultKind::name) {
        let is_it = |word: &str| word == name;
        let is_letter = |c: char| c.is_ascii_lowercase() || c == '_';
        let mut words = text.split(|c| !is_letter(c));
        assert!(words.any(is_it), "{name} is not in the sample");
        let order = format!("[[faults]]\nkind = \"{name}\"\ntable = \"BJ-01\"\nround = 1\n");
        assert!(Config::from_scenario(&order).is_ok(), "{name}");
    }
}

#[test]
fn an_order_for_a_table_that_is_not_there_is_refused() {
    let text = "tables = 1\ngames = [\"blackjack\"]\n[[faults]]\nkind = \"capped\"\ntable = \"BJ-09\"\nround = 1\n";
    let refused = Floor::open(Config::from_scenario(text).unwrap());
    assert!(matches!(refused, Err(FloorError::UnknownTable { .. })));
}
