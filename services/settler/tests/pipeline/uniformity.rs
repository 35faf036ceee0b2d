//! What only several tables show is the same however the tables are interleaved, wherever the events
//! live, and whatever is killed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use catwalk_events::Event;
use catwalk_log::{Log, Topic};
use catwalk_settler::{
    Committed, Counters, Finding, Meter, Output, Runner, SettledRound, Settler, Uniformity,
    UniformityStage,
};
use catwalk_wire::Formats;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::broker;
use crate::crash::{self, say};
use crate::floor::{self, Audit, rulebook, runner, send_events, spec};
use crate::pit::{DAY, Pit, interleaved};

/// What is found in several tables.
const CODES: [&str; 3] = [
    "vigorish.mixed_types",
    "payout.nonuniform_odds",
    "colorado.version_mismatch",
];

/// The rounds of a feed, as they end.
fn rounds(events: &[Event]) -> Vec<SettledRound> {
    let mut settler = Settler::new(rulebook()).unwrap();
    let mut rounds = Vec::new();
    for event in events {
        for output in settler.receive(event.clone()) {
            if let Output::Settlement(round) = output {
                rounds.push(*round);
            }
        }
    }
    rounds
}

/// What several tables of a feed show, by id, as `catwalk audit` finds it.
fn differences(events: &[Event]) -> BTreeMap<String, Finding> {
    let mut uniformity = Uniformity::new(&rulebook());
    let mut found = BTreeMap::new();
    for round in rounds(events) {
        for finding in uniformity.receive(&round) {
            let twice = found.insert(finding.id.clone(), finding);
            assert!(twice.is_none(), "{twice:?} was found twice");
        }
    }
    found
}

#[test]
fn the_order_of_the_tables_changes_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(floor::seed());
    let mut found = 0;
    for _ in 0..20 {
        let events = Pit::play(rng.random(), 12, 400);
        let expected = differences(&events);
        found += expected.len();
        for _ in 0..6 {
            let events = interleaved(&events, &mut rng);
            let differences = differences(&events);
            assert_eq!(
                differences.keys().collect::<Vec<_>>(),
                expected.keys().collect::<Vec<_>>()
            );
            assert_eq!(differences, expected);
        }
    }
    assert!(found > 100, "{found}");
}

/// A table's rounds in a row under one value.
struct Period {
    game: String,
    table: String,
    round: String,
    value: Value,
    since: i64,
    last: i64,
}

/// The definition, pair by pair: table and first round of the later period, and the earlier table.
fn clashes(events: &[Event]) -> BTreeSet<(String, String, String)> {
    let mut periods: Vec<Period> = Vec::new();
    for round in rounds(events) {
        let options: Value = serde_json::from_str(round.rules.options.text().text()).unwrap();
        let at = round.opened_at.micros();
        let own = periods
            .iter_mut()
            .rev()
            .find(|own| own.table == round.table);
        match own {
            Some(own) if own.value == options && at - own.last <= DAY * 1_000_000 => own.last = at,
            _ => periods.push(Period {
                game: round.rules.game.clone(),
                table: round.table.clone(),
                round: round.round.clone(),
                value: options,
                since: at,
                last: at,
            }),
        }
    }
    let mut clashes = BTreeSet::new();
    for later in periods.iter().filter(|later| later.game != "red_dog") {
        for earlier in &periods {
            let is_other = earlier.game == later.game && earlier.value != later.value;
            let is_earlier = (earlier.since, &earlier.table) < (later.since, &later.table);
            let is_one = earlier.table == later.table;
            if is_other && is_earlier && !is_one && earlier.last >= later.since {
                let (table, round) = (later.table.clone(), later.round.clone());
                clashes.insert((table, round, earlier.table.clone()));
            }
        }
    }
    clashes
}

#[test]
fn each_two_periods_that_overlap_under_different_values_are_one_finding() {
    let mut rng = ChaCha8Rng::seed_from_u64(floor::seed());
    for _ in 0..20 {
        let events = Pit::play(rng.random(), 12, 300);
        let found: BTreeSet<_> = differences(&events)
            .into_values()
            .map(|finding| {
                let (_, other) = finding.message.split_once(" and ").unwrap();
                let (_, other) = other.split_once(" at ").unwrap();
                let (other, _) = other.split_once(':').unwrap();
                (finding.table, finding.round.unwrap(), other.to_owned())
            })
            .collect();
        assert_eq!(found, clashes(&events));
    }
}

#[test]
fn a_table_that_was_closed_for_more_than_a_day_has_left_its_value() {
    // Tables 0 and 4 have the same game.
    let play = |pause: i64| {
        let mut pit = Pit::new(1);
        pit.open(0, 0);
        pit.round(0);
        pit.wait(pause / 2);
        pit.open(4, 1);
        pit.round(4);
        pit.wait(pause / 2);
        pit.round(0);
        differences(pit.events()).len()
    };
    assert_eq!(play(DAY), 1);
    assert_eq!(play(DAY + 2), 0);
}

/// What is on the log, apart: what tables show, by table and in order, and what only several show.
fn apart(mut audit: Audit) -> (Audit, Vec<Vec<u8>>) {
    let formats = Formats::plain().unwrap();
    let mut found = Vec::new();
    for values in audit.findings.values_mut() {
        let of_several = values.extract_if(.., |value| {
            let finding: Finding = formats.findings.decode(value).unwrap();
            CODES.contains(&finding.code.as_str())
        });
        found.extend(of_several);
    }
    audit.findings.retain(|_, values| !values.is_empty());
    found.sort();
    (audit, found)
}

/// What is found without a log, as bytes.
fn expected(events: &[Event]) -> (Audit, Vec<Vec<u8>>) {
    let formats = Formats::plain().unwrap();
    let differences = differences(events).into_values();
    let mut found: Vec<Vec<u8>> = differences
        .map(|finding| formats.findings.encode(&finding).unwrap())
        .collect();
    found.sort();
    assert!(found.len() > 10, "{}", found.len());
    (Audit::expected(events), found)
}

fn assert_same(log: &dyn Log, expected: &(Audit, Vec<Vec<u8>>)) {
    let (audit, found) = apart(Audit::found(log));
    audit.assert_same_as(&expected.0);
    assert_eq!(found.len(), expected.1.len());
    assert!(found == expected.1, "the bytes differ");
}

fn stage(log: &Arc<dyn Log>, name: &str) -> UniformityStage {
    let (log, meter) = (Arc::clone(log), Arc::new(Counters::default()));
    let formats = Formats::plain().unwrap();
    UniformityStage::join(log, name, rulebook(), formats, meter).unwrap()
}

#[test]
fn on_either_log_the_findings_are_those_of_the_audit() {
    let events = Pit::play(floor::seed(), 12, 400);
    let expected = expected(&events);
    let folder = tempfile::tempdir().unwrap();
    let config = broker::floor();
    let homes = [
        vec!["folder", folder.path().to_str().unwrap()],
        vec!["kafka", &config.bootstrap, &config.prefix],
    ];
    for home in homes {
        let log = floor::open(&home);
        for events in events.chunks(events.len() / 2) {
            send_events(&*log, events);
            runner(&log, spec("one")).run_until_caught_up().unwrap();
            stage(&log, "one").run_until_caught_up().unwrap();
        }
        assert_same(&*log, &expected);
        // A settler restores its tables beside what the stage has written.
        runner(&log, spec("one")).run_until_caught_up().unwrap();
        stage(&log, "two").run_until_caught_up().unwrap();
        assert_same(&*log, &expected);
    }
}

#[test]
fn stages_that_vanish_or_wait_for_each_other_leave_nothing_out() {
    let mut rng = ChaCha8Rng::seed_from_u64(floor::seed());
    for _ in 0..5 {
        let events = Pit::play(rng.random(), 12, 400);
        let expected = expected(&events);
        let folder = tempfile::tempdir().unwrap();
        let log = floor::open(&["folder", folder.path().to_str().unwrap()]);
        let mut stages = vec![stage(&log, "first")];
        for (number, events) in events.chunks(events.len() / 12 + 1).enumerate() {
            send_events(&*log, events);
            runner(&log, spec("one")).run_until_caught_up().unwrap();
            for _ in 0..rng.random_range(0..8) {
                let at = rng.random_range(0..stages.len());
                stages[at].step(Duration::ZERO).unwrap();
            }
            match rng.random_range(0..3) {
                0 => drop(stages.swap_remove(rng.random_range(0..stages.len()))),
                1 => stages.push(stage(&log, &format!("{number}"))),
                _ => {}
            }
            if stages.is_empty() {
                stages.push(stage(&log, &format!("{number}")));
            }
        }
        drop(stages);
        stage(&log, "last").run_until_caught_up().unwrap();
        assert_same(&*log, &expected);
    }
}

#[test]
fn what_is_no_settlement_is_put_aside_and_stops_nothing() {
    let events = Pit::play(3, 12, 400);
    let expected = expected(&events);
    let folder = tempfile::tempdir().unwrap();
    let log = floor::open(&["folder", folder.path().to_str().unwrap()]);
    let garbage = catwalk_log::Message::new(Topic::Settlements, "T-1", "garbage");
    floor::send(&*log, &[garbage]);
    send_events(&*log, &events);
    runner(&log, spec("one")).run_until_caught_up().unwrap();
    stage(&log, "one").run_until_caught_up().unwrap();
    let (_, found) = apart(Audit::found(&*log));
    assert!(found == expected.1);
    let aside: usize = (0..floor::PARTITIONS)
        .map(|index| floor::read_all(&*log, Topic::Quarantine.partition(index)).len())
        .sum();
    assert_eq!(aside, 1);
}

#[test]
fn killed_over_and_over_on_the_embedded_log_nothing_is_lost_and_nothing_is_twice() {
    let folder = tempfile::tempdir().unwrap();
    let home = ["folder", folder.path().to_str().unwrap()];
    kill_over_and_over(&home, 20, Duration::from_millis(60));
}

#[test]
fn killed_over_and_over_on_kafka_nothing_is_lost_and_nothing_is_twice() {
    let config = broker::floor();
    let home = ["kafka", &config.bootstrap, &config.prefix];
    kill_over_and_over(&home, 6, Duration::from_millis(500));
}

/// Kills so many processes that settle and compare, each up to `latest` after it has begun to open the
/// log or to commit, while the feed goes on.
fn kill_over_and_over(home: &[&str], kills: usize, latest: Duration) {
    let mut rng = ChaCha8Rng::seed_from_u64(floor::seed());
    let events = Pit::play(rng.random(), 12, 900);
    let expected = expected(&events);
    for events in events.chunks(events.len() / kills + 1) {
        send_events(&*floor::open(home), events);
        let mut process = start(home, "one");
        let word = ["opening.", "committed.", "compared.", "compared."][rng.random_range(0..4)];
        process.wait_for(word);
        thread::sleep(latest.mul_f64(rng.random_range(0.0..1.0)));
        process.kill();
    }
    let log = floor::open(home);
    runner(&log, spec("one")).run_until_caught_up().unwrap();
    stage(&log, "one").run_until_caught_up().unwrap();
    assert_same(&*log, &expected);
}

#[test]
fn of_two_processes_one_compares_and_the_other_takes_over_when_it_is_killed() {
    let config = broker::floor();
    let home = ["kafka", &config.bootstrap, &config.prefix];
    let log = floor::open(&home);
    let events = Pit::play(floor::seed(), 12, 900);
    let expected = expected(&events);
    let (first, rest) = events.split_at(events.len() / 2);
    let mut one = start(&home, "one");
    one.wait_for("joined.");
    let mut two = start(&home, "two");
    two.wait_for("joined.");
    for lot in first.chunks(first.len() / 10 + 1) {
        send_events(&*log, lot);
        thread::sleep(Duration::from_millis(300));
    }
    one.kill();
    send_events(&*log, rest);
    let started = Instant::now();
    loop {
        let (audit, found) = apart(Audit::found(&*log));
        let settled: usize = audit.settlements.values().map(Vec::len).sum();
        let all: usize = expected.0.settlements.values().map(Vec::len).sum();
        if settled >= all && found.len() >= expected.1.len() {
            break;
        }
        assert!(started.elapsed() < crash::PATIENCE, "{settled} of {all}");
        thread::sleep(Duration::from_millis(500));
    }
    two.kill();
    assert_same(&*log, &expected);
}

fn start(home: &[&str], name: &str) -> crash::Settler {
    let test = "uniformity::settles_and_compares_until_it_is_killed";
    crash::Settler::start_as(test, home, name)
}

#[test]
#[ignore = "the process that the crash tests kill"]
fn settles_and_compares_until_it_is_killed() {
    let Some((home, name)) = crash::who() else {
        return;
    };
    say("\nopening.");
    let log = floor::open(&home.lines().collect::<Vec<_>>());
    let stop = AtomicBool::new(false);
    let formats = || Formats::plain().unwrap();
    let join = |meter| Runner::join(log.clone(), spec(&name), rulebook(), formats(), meter);
    let mut runner = join(Arc::new(Speaker)).unwrap();
    let meter = Arc::new(Speaker);
    let stage = UniformityStage::join(log.clone(), &name, rulebook(), formats(), meter);
    let mut stage = stage.unwrap();
    say("joined.");
    thread::scope(|threads| {
        threads.spawn(|| stage.run(&stop).unwrap());
        runner.run(&stop).unwrap();
    });
}

/// Says each commit aloud.
struct Speaker;

impl Meter for Speaker {
    fn committed(&self, committed: &Committed) {
        say(match committed.compared.is_empty() {
            true => "committed.",
            false => "compared.",
        });
    }
}
