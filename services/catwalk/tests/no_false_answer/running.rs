//! Programs that run on: how they end, what they show, and what they keep others from.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::cargo::CommandCargoExt as _;
use catwalk_log::{Durability, EmbeddedLog, Log as _, Message, Topic};

use crate::{catwalk, config, path};

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

/// A demo that does not mind others.
const DEMO: [&str; 3] = ["demo", "--console-port", "0"];

#[test]
fn a_demo_that_runs_is_not_replaced_by_another() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("demo");
    let _running = start(&[&DEMO[..], &["--data", path(&data)]].concat());
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

fn signal(process: &Child, name: &str) {
    let pid = process.id().to_string();
    let mut kill = std::process::Command::new("kill");
    assert!(kill.args([name, &pid]).status().unwrap().success());
}

/// Its exit status, if it ends soon.
fn ends_soon(process: &mut Child) -> Option<i32> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(90) {
        if let Some(status) = process.try_wait().unwrap() {
            return status.code();
        }
        thread::sleep(Duration::from_millis(50));
    }
    None
}

#[test]
fn a_demo_ends_by_ctrl_c_and_sums_up_what_it_settled() {
    // At its own pace, and as fast as it can, with much on the log that is not settled yet.
    for more in [&[][..], &["--headless", "--rounds", "1000000"]] {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("demo");
        let mut demo = start(&[&DEMO[..], &["--data", path(&data)], more].concat());
        let begun = Instant::now();
        while !data.join("archive/money/_delta_log").exists() {
            assert!(begun.elapsed() < Duration::from_secs(120));
            thread::sleep(Duration::from_millis(50));
        }
        thread::sleep(Duration::from_secs(2));
        let mut out = demo.0.stdout.take().unwrap();
        let told = thread::spawn(move || {
            let mut told = String::new();
            out.read_to_string(&mut told).unwrap();
            told
        });
        signal(&demo.0, "-INT");
        assert_eq!(ends_soon(&mut demo.0), Some(0), "{more:?}");
        let told = told.join().unwrap();
        let summary = told.lines().find(|line| line.contains("rounds settled"));
        let summary = summary.unwrap_or_else(|| panic!("no summary: {told}"));
        let archive = data.join("archive");
        let sql = "SELECT concat((SELECT count(*) FROM events), ' events, ', (SELECT count(*) FROM rounds))";
        let args = ["query", "--archive", path(&archive), "--format", "csv", sql];
        let (status, counted, errors) = catwalk(&args);
        assert_eq!(status, 0, "{errors}");
        let counted = counted.lines().last().unwrap().trim_matches('"');
        assert!(
            summary.starts_with(&format!("{counted} rounds settled")),
            "{summary}: {counted}"
        );
    }
}

#[test]
fn watch_shows_what_was_from_before_and_says_when_up_ends() {
    let folder = tempfile::tempdir().unwrap();
    let file = config(folder.path());
    let log = format!("embedded:{}", folder.path().join("log").display());
    let faulty = [
        "simulate",
        "--rounds",
        "100",
        "--fault-rate",
        "0.3",
        "--partitions",
        "2",
    ];
    let (status, _, errors) = catwalk(&[&faulty[..], &["--log", &log]].concat());
    assert_eq!(status, 0, "{errors}");
    let (status, _, errors) = catwalk(&["up", "-c", path(&file), "--once"]);
    assert_eq!(status, 0, "{errors}");
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let text = fs::read_to_string(&file).unwrap();
    let text = text.replace("\"archiver\"]", "\"archiver\", \"http\"]");
    fs::write(&file, format!("{text}[http]\nlisten = \"{address}\"\n")).unwrap();
    let (status, _, errors) = catwalk(&["watch", "-c", path(&file)]);
    assert_eq!(status, 1);
    assert!(errors.contains("is `catwalk up` running"), "{errors}");

    for (end, said) in [
        ("-TERM", "`catwalk up` has ended"),
        ("-KILL", "has stopped"),
    ] {
        let mut up = start(&["up", "-c", path(&file)]);
        let begun = Instant::now();
        while TcpStream::connect(address).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(60));
            thread::sleep(Duration::from_millis(50));
        }
        let mut watch = start(&[
            "watch",
            "-c",
            path(&file),
            "--last",
            "7",
            "--format",
            "json",
        ]);
        let mut out = BufReader::new(watch.0.stdout.take().unwrap());
        for _ in 0..7 {
            let mut line = String::new();
            out.read_line(&mut line).unwrap();
            assert!(line.contains("\"code\":"), "{line}");
        }
        signal(&up.0, end);
        ends_soon(&mut up.0);
        assert_eq!(ends_soon(&mut watch.0), Some(1), "{end}");
        let mut errors = String::new();
        watch
            .0
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut errors)
            .unwrap();
        assert!(errors.contains(said), "{end}: {errors}");
        let mut rest = String::new();
        out.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "", "no more than the last seven were there");
    }
}

#[test]
fn a_finding_that_cannot_be_read_is_not_passed_over_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let file = config(folder.path());
    let log = folder.path().join("log");
    crate::simulate(&log, "5");
    {
        let log = EmbeddedLog::open(&log, Durability::Commit).unwrap();
        let garbage = Message::new(Topic::Findings, "MB-01", "garbage").to_partition(1);
        log.producer().unwrap().send(&[garbage]).unwrap();
    }
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let text = fs::read_to_string(&file).unwrap();
    let text = text.replace("[\"settler\", \"archiver\"]", "[\"http\"]");
    assert!(text.contains("[\"http\"]"), "{text}");
    fs::write(&file, format!("{text}[http]\nlisten = \"{address}\"\n")).unwrap();
    let _up = start(&["up", "-c", path(&file)]);
    let begun = Instant::now();
    while TcpStream::connect(address).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(120));
        thread::sleep(Duration::from_millis(50));
    }
    let mut watch = start(&["watch", "-c", path(&file), "--from-start"]);
    let mut line = String::new();
    let mut errors = BufReader::new(watch.0.stderr.take().unwrap());
    errors.read_line(&mut line).unwrap();
    assert!(
        line.contains("record 0 of audit.findings/1 is no finding that this version reads"),
        "{line}"
    );
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
