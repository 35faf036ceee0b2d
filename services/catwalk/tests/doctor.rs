//! `catwalk doctor` as who runs an installation meets it: real installations, and what goes wrong with them.

#![allow(clippy::unwrap_used)]

#[path = "../../../tests/broker.rs"]
mod broker;

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use assert_cmd::cargo::CommandCargoExt as _;
use catwalk_log::{KafkaConfig, Topic};
use futures::executor::block_on;
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use rdkafka::ClientConfig;
use rdkafka::admin::{AdminClient, AdminOptions, AlterConfig, ResourceSpecifier};
use rdkafka::client::DefaultClientContext;
use serde_json::Value;

const PATIENCE: Duration = Duration::from_secs(60);

fn catwalk(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("catwalk").unwrap();
    command.current_dir(folder);
    command
}

/// A folder whose services listen wherever it is free.
fn installation(settings: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let listen = "listen = \"127.0.0.1:0\"";
    let ports = match settings.contains("listen") {
        true => String::new(),
        false => {
            format!("[http]\n{listen}\n[console]\n{listen}\n[sql]\n{listen}\n[gateway]\n{listen}\n")
        }
    };
    fs::write(
        folder.path().join("catwalk.toml"),
        format!("{settings}\n{ports}"),
    )
    .unwrap();
    folder
}

/// A floor that was settled and archived.
fn played(settings: &str) -> tempfile::TempDir {
    let folder = installation(settings);
    play(folder.path(), "embedded:catwalk-data/log", "40");
    folder
}

fn play(folder: &Path, log: &str, rounds: &str) {
    let simulate = [
        "simulate", "--tables", "4", "--rounds", rounds, "--log", log,
    ];
    catwalk(folder).args(simulate).assert().success();
    let up = ["up", "-c", "catwalk.toml", "--once"];
    catwalk(folder).args(up).assert().success();
}

/// What the doctor says, with its exit status.
struct Said {
    status: i32,
    whole: Value,
}

fn doctor(folder: &Path) -> Said {
    let args = ["doctor", "-c", "catwalk.toml", "--format", "json"];
    let output = catwalk(folder).args(args).output().unwrap();
    let whole: Value = serde_json::from_slice(&output.stdout).unwrap();
    let said = Said {
        status: output.status.code().unwrap(),
        whole,
    };
    let wrong = said.checks().iter().any(|line| line["state"] == "wrong");
    assert_eq!(said.status, i32::from(wrong), "{}", said.whole);
    for line in said.checks() {
        // Nothing is good that was not looked at, and what is not good says what to do.
        let is_ok = line["state"] == "ok";
        assert!(line["looked"] == true || !is_ok, "{line}");
        assert_eq!(line.get("do").is_none(), is_ok, "{line}");
    }
    said
}

impl Said {
    fn checks(&self) -> &[Value] {
        self.whole["checks"].as_array().unwrap()
    }

    /// Asserts that a check says this.
    fn says(&self, check: &str, state: &str, text: &str) {
        let mut lines = self.checks().iter();
        let said = lines.any(|line| {
            let found = line["found"].as_str().unwrap();
            line["check"] == check && line["state"] == state && found.contains(text)
        });
        assert!(
            said,
            "{check} {state} {text:?} is not said: {:#}",
            self.whole
        );
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found
}

#[test]
fn where_nothing_was_started_yet_nothing_is_wrong_and_nothing_is_made() {
    let folder = installation("");
    let said = doctor(folder.path());
    assert_eq!(said.status, 0, "{:#}", said.whole);
    said.says("log", "warn", "there is no log");
    said.says("archive", "warn", "nothing is archived");
    said.says("clock", "warn", "not looked at");
    said.says("users", "warn", "nobody is a user yet");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn an_installation_that_is_whole_is_said_to_be_with_what_was_read() {
    let folder = played("");
    let said = doctor(folder.path());
    assert_eq!(said.status, 0, "{:#}", said.whole);
    said.says("log", "ok", "each read and as it was written");
    said.says("archive", "ok", "17 of 17 tables open");
    said.says("archive and log", "ok", "no table is ahead of the log");
    said.says("clock", "warn", "old: the clock cannot be told from it");
    let text = catwalk(folder.path())
        .args(["doctor", "-c", "catwalk.toml"])
        .output()
        .unwrap();
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("0 wrong"), "{text}");
}

#[test]
fn a_setting_that_cannot_be_leaves_the_rest_unseen() {
    let folder = installation("[archive]\ngaming_day_hour = 24");
    let said = doctor(folder.path());
    said.says("config", "wrong", "archive.gaming_day_hour");
    said.says("the rest", "warn", "not looked at");
}

#[test]
fn a_damaged_log_is_wrong() {
    let folder = played("");
    let log = folder.path().join("catwalk-data/log");
    let is_journal = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "jnl");
    let journal = files(&log).into_iter().find(is_journal).unwrap();
    let mut bytes = fs::read(&journal).unwrap();
    let written = bytes.iter().rposition(|byte| *byte != 0).unwrap();
    bytes[written / 2..written / 2 + 16].fill(0xff);
    fs::write(&journal, bytes).unwrap();
    let said = doctor(folder.path());
    assert_eq!(said.status, 1);
    said.says("log", "wrong", "");
    let mut lines = said.checks().iter();
    assert!(!lines.any(|line| line["check"] == "log" && line["state"] == "ok"));
    // Nor is anything said of the archive beside it.
    said.says("archive and log", "warn", "not looked at");
}

#[test]
fn an_archive_without_its_log_or_ahead_of_it_is_wrong() {
    let folder = played("");
    let log = folder.path().join("catwalk-data/log");
    fs::rename(&log, folder.path().join("former")).unwrap();
    doctor(folder.path()).says("archive and log", "wrong", "an archive and no log");
    let simulate = [
        "simulate",
        "--rounds",
        "1",
        "--log",
        "embedded:catwalk-data/log",
    ];
    catwalk(folder.path()).args(simulate).assert().success();
    let said = doctor(folder.path());
    said.says(
        "archive and log",
        "wrong",
        "the archive is ahead of the log",
    );
    said.says("log", "ok", "as it was written");
}

#[test]
fn an_event_of_the_future_is_a_clock_that_is_wrong() {
    let folder = installation("");
    let simulate = ["simulate", "--tables", "1", "--rounds", "2"];
    let lines = catwalk(folder.path())
        .args(simulate)
        .output()
        .unwrap()
        .stdout;
    let lines = String::from_utf8(lines).unwrap();
    let lines: String = lines.replace("\"at\":\"20", "\"at\":\"21");
    let feed = ["feed", "-", "--log", "embedded:catwalk-data/log"];
    catwalk(folder.path())
        .args(feed)
        .write_stdin(lines)
        .assert()
        .success();
    doctor(folder.path()).says("clock", "wrong", "in the future");
}

#[test]
fn others_who_may_read_the_users_are_wrong() {
    let folder = installation("");
    let add = [
        "users",
        "add",
        "olga",
        "--role",
        "operator",
        "--no-password",
        "-c",
        "catwalk.toml",
    ];
    catwalk(folder.path()).args(add).assert().success();
    doctor(folder.path()).says("permissions", "ok", "users.json");
    let of = |name: &str| folder.path().join("catwalk-data").join(name);
    fs::set_permissions(of("users.json.record"), fs::Permissions::from_mode(0o644)).unwrap();
    doctor(folder.path()).says("permissions", "wrong", "users.json.record");
    fs::set_permissions(of("users.json"), fs::Permissions::from_mode(0o644)).unwrap();
    doctor(folder.path()).says("users", "wrong", "chmod 600");
}

#[test]
fn a_certificate_is_read_with_its_key_and_its_end() {
    let folder = installation("[tls]\ncert = \"cert.pem\"\nkey = \"key.pem\"");
    let of = |name: &str| folder.path().join(name);
    let (key, other) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
    fs::write(of("key.pem"), key.serialize_pem()).unwrap();
    fs::set_permissions(of("key.pem"), fs::Permissions::from_mode(0o640)).unwrap();
    let good_until = |year: i32| {
        let mut cert = CertificateParams::new(["casino.example".to_owned()]).unwrap();
        cert.not_before = date_time_ymd(2020, 1, 1);
        cert.not_after = date_time_ymd(year, 2, 3);
        fs::write(of("cert.pem"), cert.self_signed(&key).unwrap().pem()).unwrap();
    };
    good_until(2049);
    doctor(folder.path()).says("tls", "ok", "is good until 2049-02-03T00:00:00Z");
    // From 2050 on dates are written otherwise.
    good_until(2051);
    doctor(folder.path()).says("tls", "ok", "is good until 2051-02-03T00:00:00Z");
    good_until(2021);
    doctor(folder.path()).says("tls", "wrong", "was good until 2021-02-03T00:00:00Z");
    fs::write(of("key.pem"), other.serialize_pem()).unwrap();
    doctor(folder.path()).says("tls", "wrong", "does not go with");
}

#[test]
fn to_listen_beyond_this_machine_without_tls_is_wrong() {
    let folder = installation("[console]\nlisten = \"0.0.0.0:0\"");
    doctor(folder.path()).says("tls", "wrong", "console.listen");
}

/// A `catwalk up`, ended with the test.
struct Up(Child);

impl Drop for Up {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn up(folder: &Path) -> Up {
    let mut command = process::Command::cargo_bin("catwalk").unwrap();
    let command = command
        .current_dir(folder)
        .args(["up", "-c", "catwalk.toml"]);
    Up(command.stderr(Stdio::null()).spawn().unwrap())
}

#[test]
fn a_port_is_free_or_ours_or_wrong() {
    let holder = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = holder.local_addr().unwrap();
    let settings = format!("services = [\"settler\", \"http\"]\n[http]\nlisten = \"{address}\"");
    let (ours, other) = (installation(&settings), installation(&settings));
    doctor(ours.path()).says("port", "wrong", "is held by process");
    drop(holder);
    doctor(ours.path()).says("port", "ok", "is free");
    let _up = up(ours.path());
    let begun = Instant::now();
    let is_ready = || {
        let said = doctor(ours.path());
        said.checks()
            .iter()
            .any(|line| line["check"] == "service" && line["state"] == "ok")
    };
    while !is_ready() {
        assert!(
            begun.elapsed() < PATIENCE,
            "{:#}",
            doctor(ours.path()).whole
        );
        thread::sleep(Duration::from_millis(200));
    }
    let said = doctor(ours.path());
    said.says("port", "ok", "catwalk up -c catwalk.toml");
    said.says("log", "warn", "not looked at: a running program");
    // Another installation cannot have the same port.
    doctor(other.path()).says("port", "wrong", "which has another log");
}

/// Changes a topic as whoever runs the brokers may.
fn set(kafka: &KafkaConfig, topic: Topic, settings: &[(&str, &str)]) {
    let mut client = ClientConfig::new();
    client.set("bootstrap.servers", &kafka.bootstrap);
    let client: AdminClient<DefaultClientContext> = client.create().unwrap();
    let name = format!("{}{topic}", kafka.prefix);
    let mut change = AlterConfig::new(ResourceSpecifier::Topic(&name));
    for (setting, value) in settings {
        change = change.set(setting, value);
    }
    let changed = block_on(client.alter_configs([&change], &AdminOptions::new())).unwrap();
    assert!(changed[0].is_ok(), "{changed:?}");
}

#[test]
fn a_kafka_is_asked_for_its_topics_and_makes_none() {
    let kafka = broker::floor();
    let settings = |partitions: u32, bootstrap: &str| {
        format!(
            "services = [\"settler\", \"archiver\"]\n[log]\nhome = \"kafka\"\npartitions = {partitions}\n\
             [log.kafka]\nbootstrap = \"{bootstrap}\"\nprefix = \"{}\"",
            kafka.prefix
        )
    };
    let folder = installation(&settings(8, &kafka.bootstrap));
    for _ in 0..2 {
        doctor(folder.path()).says("topics", "warn", "none of the 9 topics");
    }
    let log = format!("kafka://{}/{}", kafka.bootstrap, kafka.prefix);
    play(folder.path(), &log, "20");
    let said = doctor(folder.path());
    assert_eq!(said.status, 0, "{:#}", said.whole);
    said.says("log", "ok", "answers: 1 brokers");
    said.says("partitions", "ok", "8 of each of 9 topics");
    said.says("replication", "warn", "kept once");
    said.says("retention", "ok", "the topics keep what they have");
    said.says("archive and log", "ok", "no table is ahead");
    set(&kafka, Topic::Findings, &[("retention.ms", "604800000")]);
    doctor(folder.path()).says("retention", "warn", "audit.findings keeps 7 days");
    set(&kafka, Topic::FloorEvents, &[("cleanup.policy", "compact")]);
    let said = doctor(folder.path());
    assert_eq!(said.status, 1, "{:#}", said.whole);
    said.says(
        "retention",
        "wrong",
        "floor.events keeps the last record of a key alone",
    );
    let other = installation(&settings(4, &kafka.bootstrap));
    doctor(other.path()).says("partitions", "wrong", "floor.events has 8");
    let nowhere = installation(&settings(8, "127.0.0.1:1"));
    let said = doctor(nowhere.path());
    said.says("log", "wrong", "127.0.0.1:1");
    said.says("clock", "warn", "not looked at");
}
