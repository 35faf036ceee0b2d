//! The commands that read the archive, as their users meet them, on an archive of a simulated floor.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

use std::path::Path;
use std::sync::OnceLock;

use assert_cmd::Command;
use catwalk_archive::{Archive, Archiver, Settings};
use catwalk_floor::{Config, FaultKind};
use catwalk_wire::Formats;
use serde_json::Value;

#[path = "../../../tests/played.rs"]
mod played;

/// The archive of a floor where some wagers are mispaid, some changed too late, and some events repeated.
fn archive() -> &'static str {
    static ARCHIVE: OnceLock<String> = OnceLock::new();
    ARCHIVE.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("archive-of-a-floor");
        let _ = std::fs::remove_dir_all(&folder);
        let faults_per_mille = 50;
        let config = Config {
            rounds: 150,
            faults_per_mille,
            fault_kinds: vec![
                FaultKind::Overpaid,
                FaultKind::Underpaid,
                FaultKind::Capped,
                FaultKind::RepeatedEvent,
            ],
            ..Config::default()
        };
        archive_of(config, &folder)
    })
}

fn archive_of(config: Config, folder: &Path) -> String {
    let log = played::open(&[folder.join("log").to_str().unwrap()]);
    played::play(&log, config);
    let location = folder.join("archive").to_str().unwrap().to_owned();
    let archive = Archive::at(&location).unwrap();
    let formats = Formats::plain().unwrap();
    let mut archiver = Archiver::open(&*log, &archive, formats, Settings::default()).unwrap();
    archiver.run_until_caught_up().unwrap();
    location
}

/// Exit status, standard output, standard error.
fn catwalk_on(archive: &str, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("catwalk").unwrap();
    let output = command
        .args(args)
        .args(["--archive", archive])
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

fn catwalk(args: &[&str]) -> (i32, String, String) {
    catwalk_on(archive(), args)
}

/// The answer to a question, a JSON object a row.
fn ask(sql: &str) -> Vec<Value> {
    let (status, answer, errors) = catwalk(&["query", sql, "--format", "json"]);
    assert_eq!((status, &*errors), (0, ""), "{sql}");
    answer
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn sql_is_answered_in_every_form() {
    let rounds =
        &ask("SELECT count(*) AS rounds, sum(staked_cents) AS staked_cents FROM rounds")[0];
    let (count, cents) = (
        rounds["rounds"].as_i64().unwrap(),
        rounds["staked_cents"].as_i64().unwrap(),
    );
    assert!(count > 100 && cents > 0);
    let sql = "SELECT count(*) AS rounds, sum(staked_cents) AS staked_cents FROM rounds";
    let (_, csv, _) = catwalk(&["query", sql, "--format", "csv"]);
    assert_eq!(csv, format!("rounds,staked_cents\n{count},{cents}\n"));
    let (_, table, _) = catwalk(&["query", sql]);
    assert!(!table.contains("_cents") && table.contains('$'), "{table}");
    assert!(table.ends_with("(1 row)\n"), "{table}");
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    let (status, ..) = catwalk(&["query", sql, "--format", "parquet", "-o", path]);
    let bytes = std::fs::read(file.path()).unwrap();
    assert!(status == 0 && bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
}

#[test]
fn json_columns_can_be_asked_into() {
    let opened =
        ask("SELECT table_id, body->>'game' AS game FROM events WHERE type = 'table_opened'");
    assert!(!opened.is_empty());
    assert!(
        opened.iter().all(|row| row["game"].is_string()),
        "{opened:?}"
    );
}

#[test]
fn an_honest_floor_reconciles_to_the_cent() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config {
        rounds: 200,
        ..Config::default()
    };
    let archive = archive_of(config, folder.path());
    let args = ["query", "--named", "reconciliation", "--format", "json"];
    let (status, answer, errors) = catwalk_on(&archive, &args);
    assert_eq!((status, &*errors), (0, ""));
    let rows: Vec<Value> = answer
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(rows.len() >= 4, "{rows:?}");
    for row in rows {
        assert_ne!(row["drop_cents"], 0, "{row}");
        assert_eq!(row["difference_cents"], 0, "{row}");
        assert_eq!(row["unexplained_cents"], 0, "{row}");
    }
}

#[test]
fn named_queries_are_listed_and_asked() {
    let (status, list, _) = catwalk(&["query", "--list"]);
    assert!(
        status == 0 && list.contains("reconciliation (for auditors)"),
        "{list}"
    );
    assert!(list.contains("-p table=text"), "{list}");
    let table = ask("SELECT DISTINCT table_id FROM rounds ORDER BY 1")[0]["table_id"].clone();
    let table = format!("table={}", table.as_str().unwrap());
    let (status, rounds, errors) = catwalk(&[
        "query", "--named", "rounds", "-p", &table, "--format", "csv",
    ]);
    assert_eq!((status, &*errors), (0, ""));
    assert!(rounds.lines().count() > 2, "{rounds}");
}

#[test]
fn what_is_asked_wrongly_is_told_in_one_line() {
    let cases: [(&[&str], i32, &str); 6] = [
        (
            &["query", "SELECT dealr FROM rounds"],
            1,
            "No field named dealr",
        ),
        (&["query", "DROP TABLE rounds"], 1, "not supported"),
        (
            &["query", "--named", "rouns"],
            2,
            "did you mean \"rounds\"?",
        ),
        (
            &["query", "--named", "rounds"],
            2,
            "query rounds needs table, a text",
        ),
        (
            &[
                "query",
                "--named",
                "rounds",
                "-p",
                "table=MB-01",
                "-p",
                "since=noon",
            ],
            2,
            "since: \"noon\" is not a moment",
        ),
        (
            &["round", "XX-99"],
            1,
            "no round \"XX-99\" is in the archive",
        ),
    ];
    for (args, expected, text) in cases {
        let (status, _, errors) = catwalk(args);
        assert_eq!(status, expected, "{args:?}: {errors}");
        assert!(
            errors.starts_with("catwalk: ") && errors.contains(text),
            "{errors}"
        );
        assert_eq!(errors.trim_end().lines().count(), 1, "{errors}");
    }
}

#[test]
fn an_archive_that_is_not_there_is_named() {
    let (status, _, errors) = catwalk_on("no/such/folder", &["query", "SELECT 1"]);
    assert!(
        status == 1 && errors.contains("there is no archive in"),
        "{errors}"
    );
}

#[test]
fn an_empty_folder_is_no_archive() {
    let folder = tempfile::tempdir().unwrap();
    let location = folder.path().to_str().unwrap();
    let sql = "SELECT count(*) AS n FROM rounds JOIN findings USING (round)";
    let (status, answer, errors) = catwalk_on(location, &["query", sql, "--format", "json"]);
    assert_eq!((status, &*answer), (1, ""));
    assert!(errors.contains("there is no archive in"), "{errors}");
}

#[test]
fn a_round_is_told_with_what_was_found_in_it() {
    let mispaid =
        ask("SELECT round, message FROM findings WHERE code LIKE 'pay.%' ORDER BY id LIMIT 1");
    let round = mispaid[0]["round"].as_str().unwrap();
    let (status, story, errors) = catwalk(&["round", round]);
    assert_eq!((status, &*errors), (0, ""));
    for part in [
        "Betting opens",
        "No more bets.",
        "Wagers",
        "Findings",
        "shown by events",
    ] {
        assert!(story.contains(part), "{part}: {story}");
    }
    assert!(
        story.contains(mispaid[0]["message"].as_str().unwrap()),
        "{story}"
    );
}

#[test]
fn a_replay_comes_out_the_same() {
    let (status, told, errors) = catwalk(&["replay"]);
    assert_eq!((status, &*errors), (0, ""), "{told}");
    let rounds = ask("SELECT count(*) AS n FROM rounds")[0]["n"].clone();
    assert!(
        told.starts_with(&format!("{rounds} rounds of 4 tables settled again")),
        "{told}"
    );
    assert!(
        told.contains(", 0 changed, 0 not in the archive; 0 only in the archive"),
        "{told}"
    );
}

#[test]
fn a_replay_by_other_rules_says_what_changes() {
    let config = Config {
        rounds: 60,
        games: vec!["roulette".into(), "minibaccarat".into()],
        ..Config::default()
    };
    let folder = tempfile::tempdir().unwrap();
    let archive = archive_of(config, folder.path());
    let (status, told, errors) = catwalk_on(&archive, &["replay", "--rules", "oh-jack-2017"]);
    assert_eq!((status, &*errors), (0, ""), "{told}");
    assert!(told.contains("rounds were judged by other rules"), "{told}");
    let (status, _, errors) = catwalk_on(&archive, &["replay", "--rules", "oh-jack"]);
    assert!(
        status == 2 && errors.contains("did you mean \"oh-jack-2017\"?"),
        "{errors}"
    );
}
