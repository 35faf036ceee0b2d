//! What operators have beside the binary: alerts, the dashboard, runbooks, backups. Held against the binary.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{self, Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use assert_cmd::cargo::{CommandCargoExt as _, cargo_bin};

const PATIENCE: Duration = Duration::from_secs(120);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

fn catwalk(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("catwalk").unwrap();
    command.current_dir(folder);
    command
}

/// Brings rounds onto the log of a folder.
fn play(folder: &Path, rounds: &str) {
    let log = ["--fault-rate", "0.3", "--log", "embedded:catwalk-data/log"];
    let simulate = ["simulate", "--tables", "4", "--rounds", rounds];
    catwalk(folder).args(simulate).args(log).assert().success();
}

/// A `catwalk up`, ended with the test.
struct Up(Child);

impl Drop for Up {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the services, and gives where the metrics are.
fn up(folder: &Path) -> (Up, String) {
    let mut command = process::Command::cargo_bin("catwalk").unwrap();
    let command = command.current_dir(folder).arg("up").stderr(Stdio::piped());
    command.env("CATWALK_SERVICES", "settler,archiver,http");
    let mut up = Up(command
        .env("CATWALK_HTTP__LISTEN", "127.0.0.1:0")
        .spawn()
        .unwrap());
    let mut lines = BufReader::new(up.0.stderr.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let url = lines.find_map(|line| Some(format!("http://{}", line.split_once("http://")?.1)));
    thread::spawn(move || lines.for_each(drop));
    (up, url.unwrap())
}

/// The names of all metrics on the page.
fn exported(page: &str) -> BTreeSet<String> {
    let types = page.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    types
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .collect()
}

/// The metrics that a text names, without what Prometheus adds to the name of a histogram.
fn named(text: &str) -> BTreeSet<String> {
    let is_of_name = |char: char| char.is_ascii_lowercase() || char == '_';
    let words = text.split(|char| !is_of_name(char));
    let words = words.filter(|word| word.starts_with("catwalk_"));
    let bare = words.map(|word| word.trim_end_matches("_bucket"));
    bare.map(str::to_owned).collect()
}

#[test]
fn each_metric_of_the_alerts_and_of_the_dashboard_is_exported() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), "60");
    let (_up, url) = up(folder.path());
    let begun = Instant::now();
    for page in [
        "deploy/prometheus/catwalk.rules.yml",
        "deploy/prometheus/catwalk.test.yml",
        "deploy/grafana/catwalk.json",
    ] {
        let wanted = named(&text(page));
        assert!(wanted.len() > 5, "{page}: {wanted:?}");
        let missing = loop {
            let answer = ureq::get(&url)
                .call()
                .unwrap()
                .body_mut()
                .read_to_string()
                .unwrap();
            let missing: BTreeSet<String> =
                wanted.difference(&exported(&answer)).cloned().collect();
            // What has labels is there with the first that has happened.
            if missing.is_empty() || begun.elapsed() > PATIENCE {
                break missing;
            }
            thread::sleep(Duration::from_millis(200));
        };
        assert!(
            missing.is_empty(),
            "{page} names what is not exported: {missing:?}"
        );
    }
}

#[test]
fn each_alert_has_its_page_and_each_page_its_alert() {
    let rules = text("deploy/prometheus/catwalk.rules.yml");
    let of = |key: &str| {
        let lines = rules
            .lines()
            .filter_map(|line| line.trim().strip_prefix(key));
        lines
            .map(|rest| rest.trim().to_owned())
            .collect::<BTreeSet<_>>()
    };
    let alerts = of("- alert:");
    let pages = alerts
        .iter()
        .map(|alert| format!("docs/runbook/{alert}.md"));
    assert_eq!(of("runbook:"), pages.collect());
    let kept = fs::read_dir(root().join("docs/runbook")).unwrap();
    let kept = kept.map(|page| {
        page.unwrap()
            .path()
            .file_stem()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    });
    assert_eq!(alerts, kept.collect());
    let tried = text("deploy/prometheus/catwalk.test.yml");
    for alert in &alerts {
        // Each is tried on a day on which it must be silent, and on one on which it must not.
        assert!(tried.matches(alert.as_str()).count() >= 2, "{alert}");
        assert!(text(&format!("docs/runbook/{alert}.md")).starts_with(&format!("# {alert}")));
    }
}

fn backup(folder: &Path, words: &[&str]) -> (bool, String) {
    let mut command = process::Command::new(root().join("deploy/backup"));
    command
        .current_dir(folder)
        .env("CATWALK", cargo_bin("catwalk"))
        .args(words);
    let ran = command.output().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    (
        ran.status.success(),
        said + &String::from_utf8_lossy(&ran.stderr),
    )
}

fn asked(folder: &Path, sql: &str) -> String {
    let query = ["query", "--format", "csv", sql];
    let answer = catwalk(folder).args(query).assert().success();
    String::from_utf8(answer.get_output().stdout.clone()).unwrap()
}

#[test]
fn an_installation_comes_back_from_its_backup_whole_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    play(here, "40");
    catwalk(here).args(["up", "--once"]).assert().success();
    let add = [
        "users",
        "add",
        "olga",
        "--role",
        "operator",
        "--no-password",
    ];
    catwalk(here).args(add).assert().success();
    let (running, _) = up(here);
    let (saved, said) = backup(here, &["save", "catwalk-data", "saved.tar"]);
    assert!(!saved && said.contains("in use"), "{said}");
    drop(running);
    let (saved, said) = backup(here, &["save", "catwalk-data", "saved.tar"]);
    assert!(saved, "{said}");
    let findings = "select * from findings order by id";
    let (before, rounds) = (
        asked(here, findings),
        asked(here, "select count(*) from rounds"),
    );
    assert!(before.lines().count() > 3, "{before}");

    // It is lost.
    let (restored, said) = backup(here, &["restore", "saved.tar", "catwalk-data"]);
    assert!(!restored && said.contains("is there already"), "{said}");
    fs::remove_dir_all(here.join("catwalk-data")).unwrap();
    let (restored, said) = backup(here, &["restore", "saved.tar", "catwalk-data"]);
    assert!(restored, "{said}");
    let doctor = catwalk(here)
        .args(["doctor", "--format", "json"])
        .output()
        .unwrap();
    let said = String::from_utf8(doctor.stdout).unwrap();
    assert_eq!(doctor.status.code(), Some(0), "{said}");
    assert!(said.contains("no table is ahead of the log"), "{said}");
    assert_eq!(asked(here, findings), before);
    assert!(asked_users(here).contains("olga"));

    // Nothing is settled twice, and what comes next is.
    catwalk(here).args(["up", "--once"]).assert().success();
    assert_eq!(asked(here, "select count(*) from rounds"), rounds);
    assert_eq!(asked(here, findings), before);
    catwalk(here).args(["replay"]).assert().success();
}

fn asked_users(folder: &Path) -> String {
    let list = catwalk(folder).args(["users", "list"]).assert().success();
    String::from_utf8(list.get_output().stdout.clone()).unwrap()
}

#[test]
fn a_backup_that_was_changed_is_not_restored() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    play(here, "5");
    assert!(backup(here, &["save", "catwalk-data", "saved.tar"]).0);
    let mut bytes = fs::read(here.join("saved.tar")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(here.join("saved.tar"), bytes).unwrap();
    let (restored, said) = backup(here, &["restore", "saved.tar", "again"]);
    assert!(!restored && said.contains("not as it was saved"), "{said}");
    assert!(!here.join("again").exists());
}
