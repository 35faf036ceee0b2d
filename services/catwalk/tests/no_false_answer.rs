//! What is not there, is damaged or is not known is said, and never answered with "nothing".

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use assert_cmd::cargo::CommandCargoExt as _;

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

/// The events of one honest table.
fn events(games: &str) -> Vec<String> {
    let args = [
        "simulate",
        "--tables",
        "1",
        "--rounds",
        "3",
        "--fault-rate",
        "0",
        "--games",
        games,
    ];
    let (status, output, errors) = catwalk(&args);
    assert_eq!(status, 0, "{errors}");
    output.lines().map(str::to_owned).collect()
}

fn check(events: &[String]) -> (i32, String) {
    let mut command = Command::cargo_bin("catwalk").unwrap();
    command.arg("check").write_stdin(events.join("\n"));
    let (status, output, _) = run(&mut command);
    (status, output)
}

/// The feed with one word of its first event of a type replaced.
fn changed(events: &[String], of: &str, word: &str, by: &str) -> Vec<String> {
    let mut events = events.to_vec();
    let is_it = |line: &&mut String| line.contains(of) && line.contains(word);
    let line = events.iter_mut().find(is_it).expect("there is one");
    // The body comes last.
    let at = line.rfind(word).expect("it is there");
    line.replace_range(at..at + word.len(), by);
    events
}

#[test]
fn a_feed_is_checked_against_the_rulebook() {
    let blackjack = events("blackjack");
    assert_eq!(check(&blackjack), (0, String::new()));
    let refused = |events: &[String], told: &str| {
        let (status, output) = check(events);
        assert!(
            status == 1 && output.contains(told),
            "{told}: {status} {output}"
        );
    };
    let opened = r#""type":"table_opened""#;
    refused(
        &changed(&blackjack, opened, r#""blackjack""#, r#""blackjck""#),
        "blackjck",
    );
    let edition = blackjack.iter().find(|line| line.contains(opened)).unwrap();
    let edition = edition.split(r#""edition":""#).nth(1).unwrap();
    let edition = edition.split('"').next().unwrap();
    refused(
        &changed(&blackjack, opened, edition, "mgc-1066"),
        "mgc-1066",
    );
    let option = r#""options":{"no_such_option":1,"#;
    let with_option = changed(&blackjack, opened, r#""options":{"#, option);
    let with_option: Vec<String> = with_option
        .iter()
        .map(|line| line.replace(",}", "}"))
        .collect();
    refused(&with_option, "no_such_option");
    let placed = r#""type":"wager_placed""#;
    refused(
        &changed(&blackjack, placed, r#""kind":""#, r#""kind":"x"#),
        "is no wager of blackjack",
    );
    let dealt = r#""type":"card_dealt""#;
    refused(
        &changed(&blackjack, dealt, r#""card":""#, r#""card":"10S","back":""#),
        "10S",
    );
    let revealed = r#""type":"card_revealed""#;
    refused(
        &changed(&blackjack, revealed, r#""index":"#, r#""index":9"#),
        "counted from 0",
    );

    let roulette = events("roulette");
    assert_eq!(check(&roulette), (0, String::new()));
    let spun = r#""type":"wheel_spun""#;
    let result = roulette.iter().find(|line| line.contains(spun)).unwrap();
    let result = result.split(r#""result":""#).nth(1).unwrap();
    let result = format!(r#""result":"{}""#, result.split('"').next().unwrap());
    refused(&changed(&roulette, spun, &result, r#""result":"37""#), "37");
}

#[test]
fn every_game_of_an_honest_floor_passes_the_check() {
    let args = [
        "simulate",
        "--tables",
        "30",
        "--rounds",
        "120",
        "--fault-rate",
        "0",
    ];
    let (_, output, _) = catwalk(&args);
    let events: Vec<String> = output.lines().map(str::to_owned).collect();
    let (status, output) = check(&events);
    assert_eq!((status, output.as_str()), (0, ""));
}

#[test]
fn an_audit_that_finds_something_says_so_by_its_exit() {
    let args = ["simulate", "--rounds", "200", "--fault-rate", "0.1"];
    let (_, feed, _) = catwalk(&args);
    let audit = |args: &[&str]| {
        let mut command = Command::cargo_bin("catwalk").unwrap();
        run(command.args(args).write_stdin(feed.as_str()))
    };
    let (status, output, _) = audit(&["audit"]);
    assert!(output.contains(r#""severity":"critical""#), "{output}");
    assert_eq!(status, 1);
    assert_eq!(audit(&["audit", "--exit-zero"]).0, 0);
}

/// A process that is ended with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(args: &[&str]) -> Running {
    let mut command = std::process::Command::cargo_bin("catwalk").unwrap();
    let command = command
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Running(command.spawn().unwrap())
}

#[test]
fn a_demo_that_runs_is_not_replaced_by_another() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("demo");
    let _running = start(&["demo", "--data", path(&data)]);
    let begun = Instant::now();
    while !data.join("archive/events/_delta_log").exists() {
        assert!(begun.elapsed() < Duration::from_secs(120));
        thread::sleep(Duration::from_millis(100));
    }
    let again = ["demo", "--headless", "--rounds", "5", "--data", path(&data)];
    let (status, _, errors) = catwalk(&again);
    assert_eq!(status, 1);
    assert!(errors.contains("a demo runs in"), "{errors}");
    assert!(data.join("log/log").exists());
}

#[test]
fn clients_of_the_web_server_do_not_reach_the_services() {
    let folder = tempfile::tempdir().unwrap();
    let file = config(folder.path());
    let text = fs::read_to_string(&file).unwrap();
    let text = text.replace("\"archiver\"]", "\"archiver\", \"http\"]");
    fs::write(&file, format!("{text}[http]\nlisten = \"127.0.0.1:0\"\n")).unwrap();
    let mut up = start(&["up", "-c", path(&file)]);
    let mut errors = BufReader::new(up.0.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).unwrap();
    let address = address.split('/').next().unwrap().to_owned();
    let ask = |method: &str, path: &str| {
        let mut stream = TcpStream::connect(&address).unwrap();
        let host = "Host: localhost\r\nConnection: close";
        write!(stream, "{method} {path} HTTP/1.1\r\n{host}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let idle: Vec<TcpStream> = (0..600)
        .map(|_| TcpStream::connect(&address).unwrap())
        .collect();
    let begun = Instant::now();
    while !ask("GET", "/readyz").starts_with("HTTP/1.1 200") {
        assert!(begun.elapsed() < Duration::from_secs(120));
        thread::sleep(Duration::from_millis(100));
    }
    for method in ["TRACE", "DELETE"] {
        assert!(
            ask(method, "/healthz").starts_with("HTTP/1.1 405"),
            "{method}"
        );
    }
    assert!(ask("GET", "/metrics").contains("catwalk_events_total"));
    assert!(up.0.try_wait().unwrap().is_none(), "the services ended");
    drop(idle);
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
        "ecursion",
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
