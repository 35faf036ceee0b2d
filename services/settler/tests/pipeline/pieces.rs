//! However the feed is cut, and wherever it lives.

use std::sync::Arc;
use std::time::Duration;

use catwalk_log::{Log, Topic};
use catwalk_settler::{RunnerError, Settler};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;

use crate::broker;
use crate::floor::{self, Audit, runner, send_events, spec};

fn folder() -> (TempDir, Arc<dyn Log>) {
    let folder = tempfile::tempdir().unwrap();
    let log = floor::open(&["folder", folder.path().to_str().unwrap()]);
    (folder, log)
}

fn kafka() -> Arc<dyn Log> {
    let config = broker::floor();
    floor::open(&["kafka", &config.bootstrap, &config.prefix])
}

#[test]
fn in_one_go_on_either_log_the_settlements_are_those_of_the_settler_alone() {
    let events = floor::feed(7, 300);
    let expected = Audit::expected(&events);
    assert!(expected.findings.len() > 4 && expected.settlements.len() == 8);
    let (_folder, embedded) = folder();
    for log in [embedded, kafka()] {
        send_events(&*log, &events);
        runner(&log, spec("one")).run_until_caught_up().unwrap();
        Audit::found(&*log).assert_same_as(&expected);
    }
}

#[test]
fn in_pieces_with_a_runner_for_each_the_result_is_the_same() {
    let mut rng = ChaCha8Rng::seed_from_u64(floor::seed());
    let events = floor::feed(rng.random(), 200);
    let expected = Audit::expected(&events);
    let (_folder, log) = folder();
    let mut rest = events.as_slice();
    while !rest.is_empty() {
        let (piece, more) = rest.split_at(rng.random_range(1..=rest.len().min(700)));
        rest = more;
        send_events(&*log, piece);
        runner(&log, spec("one")).run_until_caught_up().unwrap();
    }
    Audit::found(&*log).assert_same_as(&expected);
}

/// A runner that is dropped has written nothing down since its last commit: its successor replays.
#[test]
fn runners_that_vanish_between_two_steps_leave_nothing_behind() {
    let mut rng = ChaCha8Rng::seed_from_u64(floor::seed());
    for _ in 0..5 {
        let events = floor::feed(rng.random(), 150);
        let expected = Audit::expected(&events);
        let (_folder, log) = folder();
        send_events(&*log, &events);
        for _ in 0..20 {
            let mut one = runner(&log, spec("one"));
            for _ in 0..rng.random_range(1..8) {
                one.step(Duration::ZERO).unwrap();
            }
        }
        runner(&log, spec("one")).run_until_caught_up().unwrap();
        Audit::found(&*log).assert_same_as(&expected);
    }
}

#[test]
fn a_table_restored_at_any_moment_goes_on_as_if_nothing_had_happened() {
    let events = floor::feed(11, 120);
    let mut whole = Settler::new(floor::rulebook()).unwrap();
    let mut cut = whole.without_tables();
    for event in events {
        let expected = format!("{:?}", whole.receive(event.clone()));
        let (property, table) = (event.property.clone(), event.table.clone());
        assert_eq!(format!("{:?}", cut.receive(event)), expected);
        let snapshot = cut.snapshot(&property, &table).unwrap().unwrap();
        let mut restored = cut.without_tables();
        restored.restore(&snapshot).unwrap();
        assert_eq!(
            restored.snapshot(&property, &table).unwrap(),
            Some(snapshot.clone())
        );
        cut.restore(&snapshot).unwrap();
    }
}

#[test]
fn a_snapshot_of_another_layout_is_refused_by_its_table() {
    let (_folder, log) = folder();
    send_events(&*log, &floor::feed(3, 10));
    runner(&log, spec("one")).run_until_caught_up().unwrap();
    for index in 0..floor::PARTITIONS {
        for record in log.latest(Topic::State.partition(index)).unwrap() {
            let mut value = record.value.unwrap();
            value[0] = 99;
            let message = catwalk_log::Message::new(Topic::State, record.key.unwrap(), value);
            floor::send(&*log, &[message.to_partition(index)]);
        }
    }
    let refused = runner(&log, spec("one")).run_until_caught_up().unwrap_err();
    assert!(matches!(refused, RunnerError::Snapshot { .. }), "{refused}");
    assert!(refused.to_string().contains("has layout 99"), "{refused}");
}
