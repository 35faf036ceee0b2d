//! Tables of a house held against each other.

use super::*;

/// A floor that deals one game.
struct Floor {
    game: &'static str,
    uniformity: Uniformity,
    rounds: u64,
}

impl Floor {
    fn new(game: &'static str) -> Floor {
        Floor {
            game,
            uniformity: Uniformity::new(&Rulebook::load().unwrap()),
            rounds: 0,
        }
    }

    fn round(&mut self, property: &str, table: &str, options: Value) -> Vec<Finding> {
        self.rounds += 1;
        let micros = i64::try_from(self.rounds).unwrap();
        self.uniformity.receive(Terms {
            property,
            table,
            game: self.game,
            edition: "mgc-2017",
            options: &Json::new(&options),
            round: &self.rounds.to_string(),
            dealer: None,
            opened_at: Timestamp::from_micros(micros),
            closed_at: Timestamp::from_micros(micros),
            first_seq: self.rounds,
        })
    }
}

fn pays(row: &str) -> Value {
    serde_json::json!({"pays": {row: "3:1"}})
}

#[test]
fn a_table_that_differs_from_several_has_a_finding_with_an_id_for_each() {
    let mut floor = Floor::new("craps");
    for number in 0..5 {
        let table = format!("T-{number}");
        assert!(floor.round("ebh", &table, pays("field_12")).is_empty());
    }
    assert!(floor.round("ebh", "T-9", pays("field_2")).is_empty());
    let mut ids = Vec::new();
    for number in 0..5 {
        let table = format!("T-{number}");
        let found = floor.round("ebh", &table, pays("field_12"));
        assert_eq!(found.len(), 1);
        assert_eq!(
            (&*found[0].table, found[0].round.as_deref()),
            ("T-9", Some("6"))
        );
        assert!(found[0].message.contains(&table));
        ids.extend(found.into_iter().map(|finding| finding.id));
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 5);
    assert!(floor.round("other", "T-9", pays("field_12")).is_empty());
}

#[test]
fn royal_match_is_alike_at_tables_that_offer_it_with_as_many_decks() {
    let mut floor = Floor::new("blackjack");
    let offers = |option: u8, decks: u8| {
        let side_bets = ["royal_match"];
        serde_json::json!({"side_bets": side_bets, "royal_match_option": option, "decks": decks})
    };
    let other = serde_json::json!({"royal_match_option": 3});
    for (table, options) in [("T-1", offers(1, 6)), ("T-2", offers(2, 8)), ("T-3", other)] {
        for _ in 0..2 {
            assert!(floor.round("ebh", table, options.clone()).is_empty());
        }
    }
    assert!(floor.round("ebh", "T-1", offers(1, 6)).is_empty());
    // A table that stops offering it is not compared in between.
    floor.round("ebh", "T-2", serde_json::json!({}));
    floor.round("ebh", "T-4", offers(3, 8));
    floor.round("ebh", "T-4", serde_json::json!({}));
    assert!(floor.round("ebh", "T-2", offers(2, 8)).is_empty());
    assert!(floor.round("ebh", "T-5", offers(4, 6)).is_empty());
    let found = floor.round("ebh", "T-1", offers(1, 6));
    assert_eq!(found.len(), 1);
    let [found] = &found[..] else { unreachable!() };
    assert_eq!(
        (&*found.code, &*found.table),
        ("payout.nonuniform_option", "T-5")
    );
    assert_eq!(found.cites, ["17(e)2"]);
}

#[test]
fn a_long_value_is_told_by_its_beginning_and_differs_by_its_end() {
    let long = |end: &str| pays(&format!("{}{end}", "é".repeat(500)));
    let mut floor = Floor::new("craps");
    floor.round("ebh", "T-1", long("a"));
    assert!(floor.round("ebh", "T-2", long("a")).is_empty());
    assert!(floor.round("ebh", "T-1", long("a")).is_empty());
    floor.round("ebh", "T-3", long("b"));
    let found = floor.round("ebh", "T-1", long("a"));
    assert_eq!(found.len(), 1);
    assert!(found[0].message.len() < 3 * MAX_VALUE_BYTES);
}

#[test]
fn tables_that_change_with_every_round_and_never_end_are_kept_within_bounds() {
    let mut floor = Floor::new("craps");
    let rows = [pays("field_2"), pays("field_12")];
    for number in 0..2 * MAX_ALL_TABLES {
        let (house, table) = (number / 600, number % 600);
        floor.round(
            &format!("H-{house}"),
            &format!("T-{table}"),
            rows[0].clone(),
        );
    }
    for number in 0..100 {
        floor.round("H-0", "T-0", rows[number % 2].clone());
    }
    let houses = floor.uniformity.in_play.values();
    assert!(houses.clone().all(|tables| tables.len() <= MAX_TABLES));
    assert_eq!(houses.map(BTreeMap::len).sum::<usize>(), MAX_ALL_TABLES);
    let mut periods = floor.uniformity.in_play.values().flat_map(BTreeMap::values);
    assert!(periods.all(|periods| periods.iter().count() <= period::MAX_PERIODS));
}
