//! What is not there, is damaged or is not known is said, and never answered with "nothing".

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

mod feeds;
mod newcomer;
mod running;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;
use catwalk_log::{Durability, EmbeddedLog, Log as _, Message, Topic};

/// Exit status, standard output, standard error.
fn catwalk(args: &[&str]) -> (i32, String, String) {
    run(Command::cargo_bin("catwalk").unwrap().args(args))
}

fn run(command: &mut Command) -> (i32, String, String) {
    let output = command.timeout(Duration::from_secs(300)).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let status = output.status.code().unwrap_or(-1);
    (status, text(output.stdout), text(output.stderr))
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A configuration with a log and an archive in a folder.
fn config(folder: &Path) -> PathBuf {
    let file = folder.join("catwalk.toml");
    let text = format!(
        "services = [\"settler\", \"archiver\"]\n[log]\npartitions = 2\n[log.embedded]\nfolder = {:?}\n\
         [archive]\nurl = {:?}\n",
        path(&folder.join("log")),
        path(&folder.join("archive"))
    );
    fs::write(&file, text).unwrap();
    file
}

fn simulate(log: &Path, rounds: &str) {
    let address = format!("embedded:{}", log.display());
    let args = ["simulate", "--rounds", rounds, "--partitions", "2", "--log"];
    let (status, _, errors) = catwalk(&[&args[..], &[&address]].concat());
    assert_eq!(status, 0, "{errors}");
}

fn journal(log: &Path) -> PathBuf {
    let entries = fs::read_dir(log.join("log")).unwrap();
    let mut journals = entries.map(|entry| entry.unwrap().path());
    journals
        .find(|path| path.extension().is_some_and(|end| end == "jnl"))
        .unwrap()
}

#[test]
fn a_damaged_log_stops_the_services_and_can_be_salvaged() {
    let folder = tempfile::tempdir().unwrap();
    let (log, new) = (folder.path().join("log"), folder.path().join("new"));
    simulate(&log, "60");
    let journal = journal(&log);
    let mut bytes = fs::read(&journal).unwrap();
    let end = bytes.iter().rposition(|byte| *byte != 0).unwrap();
    bytes[end / 2..end / 2 + 5000].fill(0);
    fs::write(&journal, &bytes).unwrap();
    let config = config(folder.path());
    for _ in 0..2 {
        let (status, _, errors) = catwalk(&["up", "-c", path(&config), "--once"]);
        assert_eq!(status, 1, "{errors}");
        assert!(errors.contains(".jnl is damaged: from byte"), "{errors}");
        assert!(errors.contains("whole batches"), "{errors}");
    }
    assert_eq!(fs::read(&journal).unwrap(), bytes);
    assert_eq!(catwalk(&["log", "check", path(&log)]).0, 1);
    let (status, output, errors) = catwalk(&["log", "salvage", path(&log), "--into", path(&new)]);
    assert_eq!(status, 1, "{errors}");
    assert!(output.contains("lost: records"), "{output}{errors}");
    let (status, output, errors) = catwalk(&["log", "check", path(&new)]);
    assert_eq!(status, 1, "what was lost stays known: {errors}");
    assert!(output.contains("floor.events:"), "{output}");
}

#[test]
fn a_record_of_ours_that_cannot_be_archived_is_not_passed_over_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path());
    let log = folder.path().join("log");
    simulate(&log, "5");
    let garbage = |topic: Topic| {
        let log = EmbeddedLog::open(&log, Durability::Commit).unwrap();
        let garbage = Message::new(topic, "MB-01", "garbage").to_partition(1);
        log.producer().unwrap().send(&[garbage]).unwrap();
    };
    let up = ["up", "-c", path(&config), "--once"];
    // What the floor sends is in quarantine.
    garbage(Topic::FloorEvents);
    let (status, _, errors) = catwalk(&up);
    assert_eq!(status, 0, "{errors}");
    let sql = "SELECT reason FROM quarantine";
    let archive = folder.path().join("archive");
    let quarantine = catwalk(&["query", "--archive", path(&archive), sql]).1;
    assert!(quarantine.contains("(1 row)"), "{quarantine}");
    garbage(Topic::Incidents);
    let (status, _, errors) = catwalk(&up);
    assert_eq!(status, 1, "{errors}");
    let told = "record 0 of audit.incidents/1 is no record of audit.incidents: it is in no table";
    assert!(errors.contains(told), "{errors}");
}

#[test]
fn an_archive_ahead_of_its_log_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    simulate(&log, "60");
    let config = config(folder.path());
    let (status, _, errors) = catwalk(&["up", "-c", path(&config), "--once"]);
    assert_eq!(status, 0, "{errors}");
    fs::remove_dir_all(&log).unwrap();
    simulate(&log, "10");
    let (status, _, errors) = catwalk(&["up", "-c", path(&config), "--once"]);
    assert_eq!(status, 1, "{errors}");
    assert!(
        errors.contains("it has lost records, or it is not the log"),
        "{errors}"
    );
}

#[test]
fn what_only_reads_makes_nothing_and_says_what_it_looked_for() {
    let folder = tempfile::tempdir().unwrap();
    let typo = folder.path().join("typo");
    let address = format!("embedded:{}", typo.display());
    let (status, _, errors) = catwalk(&["quarantine", "--log", &address, "list"]);
    assert_eq!(status, 1);
    assert!(errors.contains("there is no log in"), "{errors}");
    assert_eq!(catwalk(&["log", "check", path(&typo)]).0, 1);
    let mut list = Command::cargo_bin("catwalk").unwrap();
    list.env("CATWALK_USERS__FILE", typo.join("users.json"));
    let (_, output, errors) = run(list.args(["users", "list"]));
    assert!(
        output.contains("users.json is not there"),
        "{output}{errors}"
    );
    let (status, output, errors) = catwalk(&["query", "--archive", path(&typo), "SELECT 1"]);
    assert_eq!((status, output.as_str()), (1, ""));
    assert!(errors.contains("there is no archive in"), "{errors}");
    assert!(!typo.exists());

    let demo = folder.path().join("demo");
    let args = [
        "demo",
        "--headless",
        "--rounds",
        "30",
        "--data",
        path(&demo),
    ];
    let (status, _, errors) = catwalk(&args);
    assert_eq!(status, 0, "{errors}");
    let count = "SELECT count(*) AS n FROM rounds";
    let (status, output, errors) = catwalk(&["query", "--archive", path(&demo), count]);
    assert_eq!((status, output.as_str()), (1, ""));
    assert!(errors.contains("there is one in"), "{errors}");
    fs::remove_dir_all(demo.join("archive/findings")).unwrap();
    let archive = demo.join("archive");
    let (status, _, errors) = catwalk(&["query", "--archive", path(&archive), count]);
    assert_eq!(status, 1);
    assert!(errors.contains("has no findings"), "{errors}");
}

#[test]
fn a_question_has_bounds_that_its_refusal_names() {
    let folder = tempfile::tempdir().unwrap();
    let demo = folder.path().join("demo");
    let args = [
        "demo",
        "--headless",
        "--rounds",
        "30",
        "--data",
        path(&demo),
    ];
    assert_eq!(catwalk(&args).0, 0);
    let archive = demo.join("archive");
    let refused = |sql: &str, more: &[&str], bound: &str| {
        let args = [&["query", "--archive", path(&archive), sql], more].concat();
        let (status, _, errors) = catwalk(&args);
        assert_eq!(status, 1, "{bound}: {errors}");
        assert!(errors.contains(bound), "{bound}: {errors}");
    };
    refused(
        &format!("SELECT {}1", "1+".repeat(20_000)),
        &[],
        "operators",
    );
    refused(
        &format!("SELECT '{}'", "x".repeat(70_000)),
        &[],
        "sql_bytes",
    );
    refused(
        &format!("SELECT 1{}", " UNION SELECT 1".repeat(100)),
        &[],
        "joins",
    );
    refused(
        &format!("SELECT {}1{}", "(".repeat(5000), ")".repeat(5000)),
        &[],
        "the bound depth allows",
    );
    refused("SELECT repeat('x', 2000000000)", &[], "made_bytes");
    refused("SELECT lpad('x', 2000000000, 'y')", &[], "made_bytes");
    let cross = "SELECT count(*) FROM events a, events b, events c, events d \
        WHERE a.seq + b.seq + c.seq + d.seq = -1";
    refused(cross, &["--max-seconds", "2"], "the bound time");
    let (status, output, errors) = catwalk(&[
        "query",
        "--archive",
        path(&archive),
        "SELECT repeat('x', 3) AS x, lpad('7', 3, '0') AS y",
    ]);
    assert_eq!(status, 0, "{errors}");
    assert!(output.contains("xxx") && output.contains("007"), "{output}");
}
