//! The whole way, by the binary alone: a simulated floor, the log, the settler, the archive, a query;
//! on Kafka and on the embedded log, and the same on both.

#![allow(clippy::unwrap_used)]

#[path = "../../../../tests/broker.rs"]
mod broker;
mod outages;

use std::fs;
use std::path::Path;

use assert_cmd::Command;

const ROUNDS: &str = "150";

fn catwalk(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("catwalk").unwrap();
    command.current_dir(folder);
    command
}

/// Simulates into a log, settles and archives it, and gives the folder with its archive.
fn run(log: &str, config: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("catwalk.toml"), config).unwrap();
    let simulate = [
        "simulate", "--seed", "5", "--tables", "8", "--rounds", ROUNDS,
    ];
    let faults = ["--fault-rate", "0.1", "--partitions", "4", "--log", log];
    catwalk(folder.path())
        .args(simulate)
        .args(faults)
        .assert()
        .success();
    let up = ["up", "-c", "catwalk.toml", "--once"];
    catwalk(folder.path()).args(up).assert().success();
    // Once more: nothing is there twice.
    catwalk(folder.path()).args(up).assert().success();
    folder
}

fn query(folder: &Path, sql: &str) -> String {
    let query = ["query", "--archive", "archive", "--format", "csv", sql];
    let answer = catwalk(folder).args(query).assert().success();
    String::from_utf8(answer.get_output().stdout.clone()).unwrap()
}

#[test]
fn kafka_and_the_embedded_log_give_the_same_archive() {
    let settings = "[archive]\nurl = \"archive\"\n[log]\npartitions = 4\n";
    let embedded = run(
        "embedded:log",
        &format!("{settings}[log.embedded]\nfolder = \"log\"\n"),
    );
    let kafka = broker::floor();
    let on_kafka = format!(
        "{settings}home = \"kafka\"\n[log.kafka]\nbootstrap = \"{}\"\nprefix = \"{}\"\n",
        kafka.bootstrap, kafka.prefix
    );
    let kafka = run(
        &format!("kafka://{}/{}", kafka.bootstrap, kafka.prefix),
        &on_kafka,
    );
    for table in ["events", "rounds", "wagers", "cards", "findings", "money"] {
        let sql = format!("select {} from {table}", columns(embedded.path(), table));
        let (one, other) = (query(embedded.path(), &sql), query(kafka.path(), &sql));
        assert!(one.lines().count() > 5, "{table}: {one}");
        assert_eq!(sorted(&one), sorted(&other), "{table}");
    }
    let rounds = query(embedded.path(), "select count(*) from rounds");
    assert_eq!(rounds.lines().last(), Some(ROUNDS));
}

/// The columns of a table, but where a record lies on its log and how it is sealed, which no two houses share.
fn columns(folder: &Path, table: &str) -> String {
    let own = ["log_partition", "log_offset", "lane", "leaf", "salt"];
    let sql = format!(
        "select column_name from information_schema.columns where table_name = '{table}' order by ordinal_position"
    );
    let names = query(folder, &sql);
    let names = names.lines().skip(1).filter(|name| !own.contains(name));
    let quoted: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
    assert!(quoted.len() > 5, "{table}: {quoted:?}");
    quoted.join(", ")
}

fn sorted(lines: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = lines.lines().collect();
    lines.sort_unstable();
    lines
}
