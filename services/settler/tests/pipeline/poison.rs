//! A feed in which someone sends what is no event: the good rounds are settled, the bad records are in
//! quarantine, whole, and nobody panics.

use std::collections::BTreeMap;
use std::sync::Arc;

use catwalk_events::body::{RoundOpened, WheelSpun};
use catwalk_events::{Event, audit};
use catwalk_floor::{Config, Floor, Happening};
use catwalk_log::{Log, Message, Topic};
use catwalk_rules::book::Severity;
use catwalk_settler::RunnerSpec;
use catwalk_settler::quarantine::{self, QuarantineError};
use catwalk_wire::Formats;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::broker;
use crate::floor::{self, Audit, codec, message, runner, send, send_events, spec};

#[test]
fn on_the_embedded_log_good_rounds_are_settled_and_bad_records_are_put_aside() {
    let folder = tempfile::tempdir().unwrap();
    poison(&floor::open(&["folder", folder.path().to_str().unwrap()]));
}

#[test]
fn on_kafka_good_rounds_are_settled_and_bad_records_are_put_aside() {
    let config = broker::floor();
    poison(&floor::open(&["kafka", &config.bootstrap, &config.prefix]));
}

fn poison(log: &Arc<dyn Log>) {
    let mut rng = ChaCha8Rng::seed_from_u64(floor::seed_or(1));
    let events = honest_feed(rng.random());
    let expected = Audit::expected(&events);
    let formats = Formats::plain().unwrap();
    for value in expected.findings.values().flatten() {
        let finding: audit::Finding = formats.findings.decode(value).unwrap();
        assert_eq!(finding.severity, Severity::Info, "{finding:?}");
    }

    let mut feed = shuffled(&events, &mut rng);
    let mut bad = Vec::new();
    for number in 0..200 {
        let at = rng.random_range(0..feed.len());
        let event = &events[rng.random_range(0..events.len())];
        let poison = bad_record(event, number, &mut rng);
        bad.push(poison.value.clone());
        feed.insert(at, poison);
    }
    send(&**log, &feed);
    runner(log, spec("one")).run_until_caught_up().unwrap();

    let mut found = Audit::found(&**log);
    found
        .settlements
        .retain(|table, _| !table.starts_with("no such"));
    let settled = |audit: &Audit| -> BTreeMap<String, usize> {
        let tables = audit.settlements.iter();
        tables
            .map(|(table, rounds)| (table.clone(), rounds.len()))
            .collect()
    };
    assert_eq!(settled(&found), settled(&expected));
    assert!(
        found.settlements == expected.settlements,
        "the settlements differ"
    );
    for value in found.findings.values().flatten() {
        let finding: audit::Finding = formats.findings.decode(value).unwrap();
        let is_of_feed = finding.code.starts_with("feed.");
        assert!(
            is_of_feed || finding.severity == Severity::Info,
            "{finding:?}"
        );
    }
    let mut kept = in_quarantine(&**log, &formats);
    // A broker may show the last records of a transaction a moment after it has confirmed it.
    for _ in 0..50 {
        if kept.len() >= bad.len() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
        kept = in_quarantine(&**log, &formats);
    }
    kept.sort_unstable();
    bad.sort_unstable();
    assert_eq!(kept.len(), bad.len());
    assert!(kept == bad, "what is in quarantine is not what was sent");
}

fn in_quarantine(log: &dyn Log, formats: &Formats) -> Vec<Option<Vec<u8>>> {
    let mut kept = Vec::new();
    quarantine::list(log, formats, |_, quarantined| {
        kept.push(quarantined.unwrap().value);
        true
    })
    .unwrap();
    kept
}

fn honest_feed(seed: u64) -> Vec<Event> {
    let config = Config {
        seed,
        tables: 6,
        rounds: 150,
        ..Config::default()
    };
    let happenings = Floor::open(config).unwrap();
    happenings
        .filter_map(|happening| match happening.unwrap() {
            Happening::Event(event) => Some(*event),
            _ => None,
        })
        .collect()
}

/// Some events a few places late, some twice.
fn shuffled(events: &[Event], rng: &mut ChaCha8Rng) -> Vec<Message> {
    let mut order: Vec<&Event> = events.iter().collect();
    // The first event of a table is where its count begins: none of them moves.
    let firsts = events.iter().rposition(|event| event.seq == 1);
    let begun = firsts.unwrap() + 1;
    for _ in 0..events.len() / 20 {
        let from = rng.random_range(begun..order.len() - 40);
        let event = order.remove(from);
        order.insert(from + rng.random_range(1..30), event);
        let twice = rng.random_range(begun..order.len());
        order.insert(rng.random_range(twice..order.len()), order[twice]);
    }
    order.into_iter().map(message).collect()
}

/// A record that is no event, or an event that can mean nothing. A table that does not exist has the
/// record's number: two events of one such table could be repeats of each other.
fn bad_record(event: &Event, number: usize, rng: &mut ChaCha8Rng) -> Message {
    let mut value = codec().encode(event).unwrap();
    let key = event.table.as_str();
    let of = |value: Vec<u8>| Message::new(Topic::FloorEvents, key, value);
    match rng.random_range(0..10) {
        0 => of(value[..rng.random_range(0..value.len())].to_vec()),
        1 => of((0..rng.random_range(1..400))
            .map(|_| rng.random())
            .collect()),
        2 => {
            value[2 + rng.random_range(0..8)] ^= 0x55;
            of(value)
        }
        3 => {
            value.extend([0; 3]);
            of(value)
        }
        4 => of([&[0, 0, 0, 0, 9], &value[10..]].concat()),
        5 => of(vec![b'{'; 70_000 + rng.random_range(0..750_000)]),
        6 => Message::removal(Topic::FloorEvents, key),
        7 => {
            let spun = WheelSpun {
                result: "17".into(),
                valid: true,
                revolutions: None,
                ..WheelSpun::default()
            };
            message(&Event {
                table: format!("no such table {number}"),
                round: Some("R-1".into()),
                body: spun.into(),
                ..event.clone()
            })
        }
        8 => message(&Event {
            property: "p".repeat(5_000),
            ..event.clone()
        }),
        _ => message(&Event {
            table: String::new(),
            ..event.clone()
        }),
    }
}

#[test]
fn more_tables_than_can_be_kept_are_put_aside_and_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let log = floor::open(&["folder", folder.path().to_str().unwrap()]);
    let events = honest_feed(5);
    let expected = Audit::expected(&events);
    send_events(&*log, &events);
    let spec = RunnerSpec {
        max_tables: 6,
        ..spec("one")
    };
    let mut runner = runner(&log, spec);
    runner.run_until_caught_up().unwrap();
    let strays: Vec<Message> = (0..50)
        .map(|number| {
            let table = format!("T-{number}");
            let mut stray = message(&Event {
                table,
                ..events[0].clone()
            });
            stray.partition = Some(0);
            stray
        })
        .collect();
    send(&*log, &strays);
    runner.run_until_caught_up().unwrap();
    let found = Audit::found(&*log);
    assert!(found.settlements == expected.settlements);
    let said: usize = found.findings.values().map(Vec::len).sum();
    assert_eq!(said, 1);
    let formats = Formats::plain().unwrap();
    let finding = found.findings.values().flatten().next().unwrap();
    let finding: audit::Finding = formats.findings.decode(finding).unwrap();
    assert_eq!(finding.code, "feed.too_many_tables");
    assert!(found.unread.values().flatten().count() >= 44);
}

#[test]
fn a_table_that_keeps_too_much_gives_up_its_rounds_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let log = floor::open(&["folder", folder.path().to_str().unwrap()]);
    let events = honest_feed(9);
    let opening = &events[0];
    let mut seq = opening.seq;
    let mut feed = vec![message(opening)];
    // Rounds that are opened and never closed, each with a long name.
    for number in 0..2_000u64 {
        seq += 1;
        let name = "x".repeat(150);
        let round = format!("R-{}-{name}", number % 10);
        let opened = RoundOpened {
            shoe: Some("s".repeat(30_000)),
            banker: None,
            meters: None,
            ..RoundOpened::default()
        };
        let event = Event {
            seq,
            id: seq.to_string(),
            round: Some(round),
            body: opened.into(),
            ..opening.clone()
        };
        feed.push(message(&event));
    }
    send(&*log, &feed);
    runner(&log, spec("one")).run_until_caught_up().unwrap();
    let formats = Formats::plain().unwrap();
    let found = Audit::found(&*log);
    let codes = found.findings.values().flatten().map(|value| {
        let finding: audit::Finding = formats.findings.decode(value).unwrap();
        finding.code
    });
    let codes: Vec<String> = codes.collect();
    assert!(
        codes.iter().any(|code| code == "table.overgrown"),
        "{codes:?}"
    );
    for index in 0..floor::PARTITIONS {
        for record in log.latest(Topic::State.partition(index)).unwrap() {
            assert!(record.value.unwrap().len() < 500_000);
        }
    }
}

#[test]
fn what_is_in_quarantine_is_sent_again_only_when_it_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let log = floor::open(&["folder", folder.path().to_str().unwrap()]);
    let event = honest_feed(1).swap_remove(0);
    let stray = Event {
        round: Some("R-1".into()),
        body: RoundOpened {
            shoe: None,
            banker: None,
            meters: None,
            ..RoundOpened::default()
        }
        .into(),
        ..event
    };
    let garbage = Message::new(Topic::FloorEvents, "MB-01", "garbage");
    send(&*log, &[message(&stray), garbage]);
    runner(&log, spec("one")).run_until_caught_up().unwrap();
    let formats = Formats::plain().unwrap();
    let mut ids = BTreeMap::new();
    quarantine::list(&*log, &formats, |id, quarantined| {
        ids.insert(quarantined.unwrap().seq.is_some(), id);
        true
    })
    .unwrap();
    let unreadable = quarantine::retry(&*log, &formats, ids[&false]);
    let Err(QuarantineError::StillUnreadable(_)) = unreadable else {
        panic!("{unreadable:?}");
    };
    let sent = quarantine::retry(&*log, &formats, ids[&true]).unwrap();
    assert_eq!(sent, stray);
    let events: u64 = (0..floor::PARTITIONS)
        .map(|index| log.end(Topic::FloorEvents.partition(index)).unwrap())
        .sum();
    assert_eq!(events, 3);
    let missing = quarantine::show(&*log, &formats, "2/77".parse().unwrap());
    assert!(
        matches!(missing, Err(QuarantineError::NotThere { .. })),
        "{missing:?}"
    );
    assert!("77".parse::<quarantine::Id>().is_err());
}
