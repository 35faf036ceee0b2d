//! `catwalk feed` as its users meet it, on the embedded log.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use assert_cmd::Command;
use catwalk_events::{Event, json};
use catwalk_log::{Durability, EmbeddedLog, Log, Topic};
use catwalk_wire::Formats;

/// A feed of some 200 KB.
fn simulated() -> String {
    let simulate = ["simulate", "--rounds", "40", "--tables", "3", "--seed", "3"];
    let mut command = Command::cargo_bin("catwalk").unwrap();
    let output = command.args(simulate).assert().success();
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

fn address(folder: &Path) -> String {
    format!("embedded:{}", folder.join("log").display())
}

/// Feeds a file; exit status and standard error.
fn feed(folder: &Path, lines: &str) -> (i32, String) {
    let file = folder.join("floor.jsonl");
    std::fs::write(&file, lines).unwrap();
    let mut command = Command::cargo_bin("catwalk").unwrap();
    let command = command.arg("feed").arg(&file);
    let output = command.args(["--log", &address(folder)]).output().unwrap();
    assert!(output.stdout.is_empty());
    let errors = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), errors)
}

/// The events on the log by table, in its order.
fn on_log(folder: &Path) -> BTreeMap<String, Vec<Event>> {
    let log = EmbeddedLog::open(folder.join("log"), Durability::Os).unwrap();
    let formats = Formats::plain().unwrap();
    let mut events: BTreeMap<String, Vec<Event>> = BTreeMap::new();
    for index in 0..log.partitions(Topic::FloorEvents).unwrap() {
        let mut reader = log.reader(Topic::FloorEvents.partition(index), 0).unwrap();
        while !reader.caught_up() {
            for record in reader.read(Duration::ZERO).unwrap() {
                let event = formats.read_event(&record.value.unwrap()).unwrap();
                assert_eq!(record.key.unwrap(), event.table.as_bytes());
                events.entry(event.table.clone()).or_default().push(event);
            }
        }
    }
    events
}

/// The same of lines of a feed.
fn told<'a>(lines: impl IntoIterator<Item = &'a str>) -> BTreeMap<String, Vec<Event>> {
    let mut events: BTreeMap<String, Vec<Event>> = BTreeMap::new();
    for event in lines.into_iter().map(|line| json::read(line).unwrap()) {
        events.entry(event.table.clone()).or_default().push(event);
    }
    events
}

#[test]
fn a_feed_is_brought_onto_the_log_and_once_more_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let lines = simulated();
    let count = lines.lines().count();
    let sums = [
        format!("{count} events sent to floor.events, 0 were there already"),
        format!("0 events sent to floor.events, {count} were there already"),
    ];
    for sum in sums {
        let (status, errors) = feed(folder.path(), &lines);
        assert_eq!(
            (status, errors),
            (0, format!("catwalk: {sum}, 0 lines with problems\n"))
        );
        assert!(on_log(folder.path()) == told(lines.lines()));
    }
}

#[test]
fn a_bad_line_is_named_and_the_good_ones_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let lines = simulated();
    let mut bad: Vec<&str> = lines.lines().collect();
    let seq = json::read(bad[4]).unwrap().seq;
    // A number that can be read, and that Avro has no room for.
    let too_high = bad[4].replacen(
        &format!("\"seq\":{seq}"),
        &format!("\"seq\":{}", u64::MAX),
        1,
    );
    assert_eq!(json::read(&too_high).unwrap().seq, u64::MAX);
    bad.splice(6..6, ["{\"id\":", "", bad[4], &too_high]);
    let (status, errors) = feed(folder.path(), &bad.join("\n"));
    assert_eq!(status, 1);
    let problems: Vec<&str> = errors.lines().collect();
    let [no_json, repeated, high, sum] = problems[..] else {
        panic!("{errors}");
    };
    assert!(no_json.starts_with("catwalk: line 7: not JSON"), "{errors}");
    assert!(
        repeated.starts_with("catwalk: line 9: ")
            && repeated.ends_with(&format!("seq {seq} is repeated")),
        "{errors}"
    );
    assert!(high.starts_with("catwalk: line 10: "), "{errors}");
    assert!(sum.ends_with("0 were there already, 3 lines with problems"));
    assert!(on_log(folder.path()) == told(lines.lines()));
}

#[test]
fn a_gap_is_told_and_what_follows_it_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let lines = simulated();
    let table = json::read(lines.lines().next().unwrap()).unwrap().table;
    let of_table = |line: &&str| json::read(line).unwrap().table == table;
    let mut lines: Vec<&str> = lines.lines().filter(of_table).collect();
    let lost = lines.remove(1);
    let seq = json::read(lost).unwrap().seq;
    let (status, errors) = feed(folder.path(), &lines.join("\n"));
    assert_eq!(status, 1);
    let gap = format!(
        "line 2: {table}: seq {} is followed by {}",
        seq - 1,
        seq + 1
    );
    assert!(errors.contains(&gap), "{errors}");
    assert!(on_log(folder.path()) == told(lines));
}

#[test]
fn another_event_under_a_number_that_the_log_has_is_told_and_not_sent() {
    let folder = tempfile::tempdir().unwrap();
    let lines = simulated();
    assert_eq!(feed(folder.path(), &lines).0, 0);
    let mut altered: Vec<String> = lines.lines().map(str::to_owned).collect();
    let event = json::read(&altered[2]).unwrap();
    altered[2] = altered[2].replacen(&event.id, "another", 1);
    let (status, errors) = feed(folder.path(), &altered.join("\n"));
    assert_eq!(status, 1);
    let told_of = format!(
        "catwalk: line 3: {}: the log has another event {}",
        event.table, event.seq
    );
    assert!(errors.starts_with(&told_of), "{errors}");
    assert!(on_log(folder.path()) == told(lines.lines()));
}

#[test]
fn a_feed_that_was_killed_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let lines = simulated();
    // More than a pipe holds: when half is written, some of it has been fed, and the end is not there yet.
    let half = &lines[..lines.len() / 2];
    assert!(half.len() > (64 + 16) * 1024, "{}", half.len());
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_catwalk"));
    let command = command.args(["feed", "-", "--log", &address(folder.path())]);
    let mut feeding = command
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = feeding.stdin.take().unwrap();
    stdin.write_all(half.as_bytes()).unwrap();
    feeding.kill().unwrap();
    feeding.wait().unwrap();
    drop(stdin);
    let there: usize = on_log(folder.path()).values().map(Vec::len).sum();
    let all = lines.lines().count();
    assert!(0 < there && there <= all / 2 + 1, "{there} of {all}");
    let (status, errors) = feed(folder.path(), &lines);
    let sum = format!(
        "catwalk: {} events sent to floor.events, {there} were there already, 0 lines with problems\n",
        all - there
    );
    assert_eq!((status, errors), (0, sum));
    assert!(on_log(folder.path()) == told(lines.lines()));
}

#[test]
fn the_next_days_file_is_held_against_what_the_log_has() {
    let folder = tempfile::tempdir().unwrap();
    let lines = simulated();
    let lines: Vec<&str> = lines.lines().collect();
    let (first, rest) = lines.split_at(lines.len() / 2);
    for day in [first, rest] {
        let (status, errors) = feed(folder.path(), &day.join("\n"));
        assert_eq!(status, 0, "{errors}");
    }
    assert!(on_log(folder.path()) == told(lines));
}

#[test]
fn a_feed_needs_a_log() {
    let mut command = Command::cargo_bin("catwalk").unwrap();
    let output = command.args(["feed", "-"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("--log embedded:DIR"), "{errors}");
}

#[test]
fn a_wager_that_stands_is_known_to_the_feed_that_goes_on() {
    let simulate = [
        "simulate",
        "--rounds",
        "60",
        "--tables",
        "2",
        "--games",
        "craps,blackjack",
    ];
    let honest = ["--fault-rate", "0", "--seed", "3"];
    let mut command = Command::cargo_bin("catwalk").unwrap();
    let output = command.args(simulate).args(honest).assert().success();
    let lines = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    // The first event that names a wager of an earlier round.
    let mut placed = BTreeMap::new();
    let names_earlier = |line: &&str| {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        let wager = (
            event["table"].clone().to_string(),
            event["body"]["wager"].to_string(),
        );
        let round = event["round"].to_string();
        match event["body"]["type"].as_str() {
            Some("wager_placed") => {
                placed.insert(wager, round);
                false
            }
            // A coupon is turned in at the end of the day, its wager long settled.
            Some("wager_paid" | "wager_collected" | "wager_pushed" | "wager_removed") => {
                placed.get(&wager).is_some_and(|of| *of != round)
            }
            _ => false,
        }
    };
    let cut = lines.iter().position(names_earlier).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for part in [&lines[..cut], &lines[cut..]] {
        let (status, errors) = feed(folder.path(), &part.join("\n"));
        assert_eq!(status, 0, "{errors}");
        assert!(errors.ends_with(", 0 lines with problems\n"), "{errors}");
    }
    // The log is all that the second feed knows it by.
    let (status, errors) = feed(
        tempfile::tempdir().unwrap().path(),
        &lines[cut..].join("\n"),
    );
    assert!(
        status == 1 && errors.contains("which is not open"),
        "{errors}"
    );
}
