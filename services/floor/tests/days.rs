//! Days at a table: what lies on it goes in time, dealers take turns, and an honest table is not
//! accused whatever the hour.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::sync::Arc;

use catwalk_events::Event;
use catwalk_floor::{Config, Floor, Happening};
use catwalk_rules::Rulebook;
use catwalk_rules::book::Severity;
use catwalk_settler::{Output, Settler};

/// Dice, cards, tiles and a wheel.
const GAMES: [&str; 4] = ["craps", "minibaccarat", "pai_gow", "roulette"];

#[test]
fn honest_tables_are_not_accused_over_nights_and_shifts() {
    let rulebook = Arc::new(Rulebook::load().unwrap());
    let config = Config {
        seed: 5,
        tables: GAMES.len(),
        rounds: u64::MAX,
        days: Some(2),
        games: GAMES.map(str::to_owned).to_vec(),
        ..Config::default()
    };
    let mut settler = Settler::new(rulebook.clone()).unwrap();
    let mut told: BTreeMap<String, u32> = BTreeMap::new();
    for happening in Floor::under(rulebook, config).unwrap() {
        let Happening::Event(event) = happening.unwrap() else {
            continue;
        };
        *told
            .entry(format!("{} {}", event.table, event.body.type_name()))
            .or_default() += 1;
        not_accused(settler.receive(*event));
    }
    not_accused(settler.finish());
    let count = |of: &str| {
        let counts = told.iter().filter(|(key, _)| key.ends_with(of));
        counts.map(|(_, count)| *count).collect::<Vec<u32>>()
    };
    // Craps goes on through the night; the others open on the second day again, and close at the end.
    assert_eq!(count(" table_opened").iter().sum::<u32>(), 2 * 4 - 1);
    assert!(count(" drop_counted").iter().all(|count| *count >= 2));
    assert!(count(" dealer_changed").iter().all(|count| *count > 20));
}

fn not_accused(outputs: Vec<Output>) {
    for output in outputs {
        match output {
            Output::Finding(finding) => assert!(finding.severity < Severity::Warn, "{finding:?}"),
            Output::Unread(unread) => panic!("{}: {:?}", unread.reason, unread.event),
            Output::Settlement(_) => {}
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_days() {
    let events = || -> Vec<Event> {
        let config = Config {
            tables: 3,
            rounds: 300,
            days: Some(1),
            ..Config::default()
        };
        let floor = Floor::open(config).unwrap();
        let events = floor.filter_map(|happening| match happening.unwrap() {
            Happening::Event(event) => Some(*event),
            _ => None,
        });
        events.collect()
    };
    assert_eq!(events(), events());
}
