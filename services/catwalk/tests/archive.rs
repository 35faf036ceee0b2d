//! The commands that read the archive, as their users meet them, on an archive of a simulated floor.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use assert_cmd::Command;
use catwalk_archive::{Archive, Archiver, Settings};
use catwalk_events::audit::Finding;
use catwalk_events::{Event, json};
use catwalk_floor::{Config, FaultKind};
use catwalk_log::{Log, Message, Topic};
use catwalk_rules::Rulebook;
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;
use catwalk_settler::{Counters, Runner, RunnerSpec};
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
    archived(&*log, folder)
}

fn archived(log: &dyn Log, folder: &Path) -> String {
    let location = folder.join("archive").to_str().unwrap().to_owned();
    let archive = Archive::at(&location).unwrap();
    let formats = Formats::plain().unwrap();
    let mut archiver = Archiver::open(log, &archive, formats, Settings::default()).unwrap();
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
fn an_answer_is_a_workbook_or_an_arrow_file_and_money_as_asked() {
    let sql = "SELECT round, staked_cents, gaming_day FROM rounds ORDER BY round LIMIT 5";
    for (format, begin) in [("xlsx", &b"PK"[..]), ("arrow", b"ARROW1")] {
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path().to_str().unwrap();
        let (status, _, errors) = catwalk(&["query", sql, "--format", format, "-o", path]);
        assert_eq!((status, &*errors), (0, ""), "{format}");
        let bytes = std::fs::read(file.path()).unwrap();
        assert!(bytes.starts_with(begin), "{format}");
    }
    let (_, cents, _) = catwalk(&["query", sql, "--format", "csv"]);
    let (_, dollars, _) = catwalk(&["query", sql, "--format", "csv", "--money", "dollars"]);
    assert!(cents.starts_with("round,staked_cents,") && dollars.starts_with("round,staked,"));
    for (cents, dollars) in cents.lines().zip(dollars.lines()).skip(1) {
        let cents: i64 = cents.split(',').nth(1).unwrap().parse().unwrap();
        let expected = format!("{}.{:02}", cents / 100, cents % 100);
        assert_eq!(dollars.split(',').nth(1).unwrap(), expected);
    }
}

#[test]
fn questions_come_from_standard_input_and_from_a_file() {
    let text = "SELECT count(*) AS n\nFROM rounds;\nSELECT dealr FROM rounds; -- no such column\nSELECT 1 AS one FROM\n\
                rouns;\nSELECT ';' AS last";
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let of = |args: &[&str], stdin: &str| {
        let mut command = Command::cargo_bin("catwalk").unwrap();
        let command = command.args(["query", "--format", "json", "--archive", archive()]);
        let output = command.args(args).write_stdin(stdin).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    };
    let (status, answers, errors) = of(&[], text);
    assert_eq!(status, Some(1), "{errors}");
    let answers: Vec<&str> = answers.lines().collect();
    assert!(
        answers[0].starts_with("{\"n\":") && answers[1] == "{\"last\":\";\"}",
        "{answers:?}"
    );
    assert!(
        errors.contains("line 3: ") && errors.contains("No field named dealr"),
        "{errors}"
    );
    assert!(
        errors.contains("line 4: ") && errors.contains("did you mean \"rounds\"?"),
        "{errors}"
    );
    let from_file = of(&["-f", file.path().to_str().unwrap()], "");
    assert_eq!((from_file.1.lines().count(), from_file.2), (2, errors));
    let (status, _, errors) = of(&[], "-- nothing\n");
    assert!(
        status == Some(2) && errors.contains("there is no question"),
        "{errors}"
    );
}

#[test]
fn an_arrow_binds_before_a_comparison() {
    let with = |condition: &str| {
        let sql =
            format!("SELECT count(*) AS n FROM events WHERE type = 'wager_placed' AND {condition}");
        ask(&sql)[0]["n"].as_i64().unwrap()
    };
    let plain = with("body->>'seat' = '1'");
    assert!(plain > 0 && plain == with("(body->>'seat') = '1'"));
    assert!(plain < with("body->>'seat' IS NOT NULL"));
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
    let computed = rows.iter().filter(|row| row["not_computed"].is_null());
    assert!(computed.count() >= 4, "{rows:?}");
    for row in rows {
        if let Some(why) = row["not_computed"].as_str() {
            assert!(why.starts_with("not computed: "), "{row}");
            assert!(row["unexplained_cents"].is_null(), "{row}");
            continue;
        }
        assert_ne!(row["drop_cents"], 0, "{row}");
        assert_eq!(row["difference_cents"], 0, "{row}");
        assert_eq!(row["unexplained_cents"], 0, "{row}");
    }
}

/// Events of a table, put on a log, settled and archived.
fn archive_of_events(events: &[Event], folder: &Path) -> String {
    let log = played::open(&[folder.join("log").to_str().unwrap()]);
    let formats = Formats::plain().unwrap();
    let mut producer = log.producer().unwrap();
    for event in events {
        let value = formats.events.encode(event).unwrap();
        let message = Message::new(Topic::FloorEvents, event.table.as_str(), value);
        producer.send(&[message]).unwrap();
    }
    producer.flush().unwrap();
    let rulebook = Arc::new(Rulebook::load().unwrap());
    let (spec, meter) = (RunnerSpec::new("one"), Arc::new(Counters::default()));
    let runner = Runner::join(Arc::clone(&log), spec, rulebook, formats, meter);
    runner.unwrap().run_until_caught_up().unwrap();
    archived(&*log, folder)
}

/// One round of minibaccarat that the player wins. Beside `w1`, which is paid, a second wager on the player and one
/// on the banker come after no more bets, and end as the bodies say.
fn round_with_late_wagers(ends: &[&str]) -> Vec<Event> {
    let opened = r#"{"type":"table_opened","game":"minibaccarat","edition":"mgc-2017","options":{},
        "limits":[],"opening_inventory":10000000,"dealer":"d-1"}"#;
    let placed = |wager: &str, kind: &str, amount: i64| {
        format!(
            r#"{{"type":"wager_placed","wager":"{wager}","seat":3,"kind":"{kind}","amount":{amount}}}"#
        )
    };
    let dealt = |to: &str, card: &str| {
        format!(r#"{{"type":"card_dealt","to":"{to}","card":"{card}","face":"up"}}"#)
    };
    let mut bodies = vec![
        opened.replace('\n', " "),
        r#"{"type":"shoe_started","shoe":"s-1","set":"set-1","decks":8,"method":"shoe"}"#.into(),
        r#"{"type":"round_opened","shoe":"s-1"}"#.into(),
        placed("w1", "player", 10_000),
        r#"{"type":"betting_closed"}"#.into(),
        placed("w2", "player", 35_500),
        placed("w3", "banker", 20_000),
        dealt("player", "5S"),
        dealt("banker", "3C"),
        dealt("player", "4H"),
        dealt("banker", "5D"),
        r#"{"type":"wager_paid","wager":"w1","amount":10000}"#.into(),
    ];
    bodies.extend(ends.iter().map(|end| (*end).to_owned()));
    bodies.push(r#"{"type":"round_closed"}"#.into());
    let event = |(seq, body): (u64, &String)| {
        let round = if seq < 3 { "" } else { r#""round":"r-1","# };
        let line = format!(
            r#"{{"id":"MB-07-{seq}","property":"ebh","table":"MB-07","seq":{seq},
            "at":"2026-11-15T20:00:{seq:02}Z","source":{{"kind":"device","id":"s-7"}},{round}"body":{body}}}"#
        );
        json::read(&line.replace('\n', " ")).unwrap()
    };
    (1..).zip(&bodies).map(event).collect()
}

#[test]
fn a_late_wager_that_was_given_back_was_given_its_stake() {
    let given = |ends: &[&str]| -> Vec<(String, i64, i64, i64)> {
        let folder = tempfile::tempdir().unwrap();
        let archive = archive_of_events(&round_with_late_wagers(ends), folder.path());
        let sql = "SELECT * FROM wagers ORDER BY wager";
        let (status, answer, errors) = catwalk_on(&archive, &["query", sql, "--format", "json"]);
        assert_eq!((status, &*errors), (0, ""));
        let rows = answer.lines().map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            let cents = |name: &str| {
                row[name]
                    .as_i64()
                    .unwrap_or_else(|| panic!("{name}: {row}"))
            };
            let wager = row["wager"].as_str().unwrap().to_owned();
            (
                wager,
                cents("returned_cents"),
                cents("given_cents"),
                cents("difference_cents"),
            )
        });
        let rows: Vec<_> = rows.collect();
        let sql = "SELECT given_cents - difference_cents AS due, given_cents FROM rounds";
        let (_, round, _) = catwalk_on(&archive, &["query", sql, "--format", "json"]);
        let round: Value = serde_json::from_str(round.trim()).unwrap();
        let sum = |of: fn(&(String, i64, i64, i64)) -> i64| rows.iter().map(of).sum::<i64>();
        assert_eq!(round["given_cents"], sum(|row| row.2), "{round} {rows:?}");
        assert_eq!(round["due"], sum(|row| row.1), "{round} {rows:?}");
        rows
    };
    let row = |wager: &str, due, given, more| (wager.to_owned(), due, given, more);
    let pushed = |wager: &str| format!(r#"{{"type":"wager_pushed","wager":"{wager}"}}"#);
    // Given back, whether they would have won or lost: nothing else is due.
    let back = given(&[&pushed("w2"), &pushed("w3")]);
    let w1 = row("w1", 20_000, 20_000, 0);
    assert_eq!(
        back,
        [
            w1.clone(),
            row("w2", 35_500, 35_500, 0),
            row("w3", 20_000, 20_000, 0)
        ]
    );
    // Told by its amount, too.
    let told = r#"{"type":"wager_pushed","wager":"w2","amount":35500}"#;
    assert_eq!(given(&[told, &pushed("w3")]), back);
    // Paid and collected as if they had been in time.
    let paid = r#"{"type":"wager_paid","wager":"w2","amount":35500}"#;
    let collected = r#"{"type":"wager_collected","wager":"w3"}"#;
    let settled = given(&[paid, collected]);
    assert_eq!((&settled[0], settled[1].2, settled[2].2), (&w1, 71_000, 0));
}

#[test]
fn a_round_that_nobody_judged_was_not_found_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let ends = [r#"{"type":"wager_pushed","wager":"w2"}"#];
    let mut events = round_with_late_wagers(&ends);
    assert_eq!(events.pop().unwrap().body.type_name(), "round_closed");
    let archive = archive_of_events(&events, folder.path());
    for form in ["text", "html"] {
        let args = ["round", "r-1", "--format", form];
        let (status, told, errors) = catwalk_on(&archive, &args);
        assert_eq!((status, errors.as_str()), (0, ""), "{form}");
        assert!(!told.contains("Nothing was found wrong"), "{form}: {told}");
        assert!(
            told.contains("was not held against the rules"),
            "{form}: {told}"
        );
    }
}

#[test]
fn named_queries_are_listed_and_asked() {
    let (status, list, _) = catwalk(&["query", "--list"]);
    assert!(
        status == 0
            && list.contains("FOR AUDITORS\n")
            && list.contains("reconciliation (for auditors)"),
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

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(std::fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// As an older version has left it, it lacks tables, and is not answered from as if they had no rows.
#[test]
fn an_archive_of_the_last_release_is_upgraded_and_then_asked() {
    let folder = tempfile::tempdir().unwrap();
    let last = Path::new(env!("CARGO_MANIFEST_DIR")).join("../archive/tests/archive/last-release");
    copy(&last, folder.path());
    let location = folder.path().to_str().unwrap();
    let on = |args: &[&str]| catwalk_on(location, args);
    let sql = "SELECT (SELECT count(*) FROM decisions) AS decisions, (SELECT count(*) FROM custody) AS custody, \
        (SELECT count(*) FROM events WHERE type = 'decision') AS decided, count(*) AS rounds, count(shoe) AS shoes \
        FROM rounds";
    let (status, answer, errors) = on(&["query", sql]);
    assert_eq!((status, &*answer), (1, ""), "{errors}");
    assert!(
        errors.contains("decisions") && errors.contains("the tables that are missing"),
        "{errors}"
    );
    let (status, told, errors) = on(&["archive", "upgrade"]);
    assert_eq!((status, &*errors), (0, ""), "{told}");
    for part in [
        "rounds: ",
        "columns added",
        "decisions: made from the archived events",
    ] {
        assert!(told.contains(part), "{told}");
    }
    let (_, again, _) = on(&["archive", "upgrade"]);
    assert!(again.contains("nothing to do"), "{again}");
    let (status, answer, errors) = on(&["query", sql, "--format", "json"]);
    assert_eq!((status, &*errors), (0, ""));
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["decisions"], answer["decided"]);
    assert!(answer["decisions"].as_i64() > Some(20) && answer["custody"].as_i64() > Some(50));
    // What nobody told then has no value now.
    assert!(
        answer["rounds"].as_i64() > Some(0) && answer["shoes"] == 0,
        "{answer}"
    );
    let (status, list, errors) = on(&["query", "--named", "seal-duplicates", "--format", "csv"]);
    assert_eq!((status, &*errors), (0, ""), "{list}");
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
    let message = mispaid[0]["message"].as_str().unwrap();
    assert!(story.contains(message), "{story}");
    let (_, json, _) = catwalk(&["round", round, "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        json["rounds"][0]["opened_at"].as_str().unwrap().len(),
        27,
        "{json}"
    );
    assert_eq!(json["events"][0]["type"], "round_opened");
    assert!(json["events"][0]["body"].is_object() && json["wagers"][0]["amount_cents"].is_i64());
    let messages = json["findings"].as_array().unwrap().iter();
    assert!(
        messages
            .map(|finding| &finding["message"])
            .any(|told| told == message)
    );
    let (_, page, _) = catwalk(&["round", round, "--format", "html"]);
    assert!(
        page.starts_with("<!doctype html>") && page.ends_with("</html>\n"),
        "{page}"
    );
    assert!(
        page.contains("No more bets.") && !page.contains("<script"),
        "{page}"
    );
}

#[test]
fn a_card_that_is_turned_is_counted_as_its_event_counts_it() {
    let turned = ask(
        "SELECT round, body->>'index' AS nth, body->>'card' AS card FROM events \
         WHERE type = 'card_revealed' ORDER BY at DESC LIMIT 1",
    );
    let word = |name: &str| turned[0][name].to_string().trim_matches('"').to_owned();
    let (status, story, errors) = catwalk(&["round", &word("round")]);
    assert_eq!((status, &*errors), (0, ""));
    let nth = format!("The card at index {} of ", word("nth"));
    let lines = story.lines().filter(|line| line.contains(&nth));
    let is = format!(" is {}.", word("card"));
    assert!(
        lines.clone().any(|line| line.contains(&is)),
        "{nth}{is}: {story}"
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
    let findings = ask("SELECT count(*) AS n FROM findings")[0]["n"].clone();
    assert!(findings.as_i64() > Some(0), "{findings}");
    let told_again = format!("{findings} findings given again the same, 0 not\n");
    assert!(told.ends_with(&told_again), "{told}");
}

/// The records of a log on another one, with findings as they are made to be.
fn forged(from: &dyn Log, folder: &Path, forge: impl Fn(Finding) -> Option<Finding>) -> String {
    let formats = Formats::plain().unwrap();
    let to = played::open(&[folder.join("forged").to_str().unwrap()]);
    let mut producer = to.producer().unwrap();
    for topic in [Topic::FloorEvents, Topic::Settlements, Topic::Findings] {
        for index in 0..from.partitions(topic).unwrap() {
            let mut reader = from.reader(topic.partition(index), 0).unwrap();
            while !reader.caught_up() {
                for record in reader.read(Duration::from_millis(100)).unwrap() {
                    let key = String::from_utf8(record.key.unwrap()).unwrap();
                    let mut value = record.value.unwrap();
                    if topic == Topic::Findings {
                        match forge(formats.findings.decode(&value).unwrap()) {
                            Some(finding) => value = formats.findings.encode(&finding).unwrap(),
                            None => continue,
                        }
                    }
                    let message = Message::new(topic, key, value);
                    producer.send(&[message.to_partition(index)]).unwrap();
                }
            }
        }
    }
    producer.flush().unwrap();
    archived(&*to, folder)
}

#[test]
fn a_replay_misses_findings_and_names_those_that_were_changed() {
    let config = Config {
        rounds: 40,
        games: vec!["minibaccarat".into()],
        faults_per_mille: 500,
        fault_kinds: vec![FaultKind::Overpaid],
        ..Config::default()
    };
    let folder = tempfile::tempdir().unwrap();
    let log = played::open(&[folder.path().join("log").to_str().unwrap()]);
    played::play(&log, config);
    let replayed = |forge: &dyn Fn(Finding) -> Option<Finding>| {
        let folder = tempfile::tempdir().unwrap();
        let archive = forged(&*log, folder.path(), forge);
        let (status, told, errors) = catwalk_on(&archive, &["replay"]);
        assert_eq!(errors, "", "{told}");
        (status, told)
    };
    let (status, told) = replayed(&Some);
    assert!(
        status == 0 && told.ends_with(" the same, 0 not\n"),
        "{told}"
    );

    let (status, told) = replayed(&|found| (found.code != "pay.over").then_some(found));
    assert!(
        status == 1 && told.contains(", pay.over: ") && told.contains(": is not in the archive\n"),
        "{told}"
    );
    let (status, told) = replayed(&|mut found| {
        found.exposure = Cents::ZERO;
        found.severity = Severity::Info;
        Some(found)
    });
    assert!(
        status == 1
            && told.contains("its severity was info, is critical")
            && told.contains("its exposure was $0.00, is $"),
        "{told}"
    );
    let (status, told) = replayed(&|mut found| {
        found.id.push('x');
        Some(found)
    });
    assert!(
        status == 1 && told.contains(": is in the archive, but its events do not give it"),
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
    // Tables of Massachusetts post what Ohio does not have: nothing is said of their rounds but that, and no sum made.
    let why = "is not an option of minibaccarat in oh-jack-2017";
    assert!(
        told.contains("cannot be judged now: ") && told.contains(why),
        "{told}"
    );
    assert!(
        told.contains("rounds cannot be judged by these rules, and are in no sum"),
        "{told}"
    );
    assert!(!told.contains("were judged by other rules"), "{told}");
    let (status, _, errors) = catwalk_on(&archive, &["replay", "--rules", "oh-jack"]);
    assert!(
        status == 2 && errors.contains("did you mean \"oh-jack-2017\"?"),
        "{errors}"
    );
}

const HOUSE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/house");

/// A folder with a configuration that names the sample edition of a house, and a floor whose tables of Massachusetts
/// play by that edition.
fn floor_of_a_house() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let config = format!(
        "[rules]\neditions = [{HOUSE:?}]\n[archive]\nurl = \"archive\"\n[log.embedded]\nfolder = \"log\"\n"
    );
    std::fs::write(folder.path().join("harbor.toml"), config).unwrap();
    let games = ["--games", "three_card_poker,minibaccarat"];
    let simulate = ["simulate", "--seed", "9", "--tables", "4", "--rounds", "60"];
    let (status, events, _) = in_folder(folder.path(), &[&simulate[..], &games[..]].concat());
    assert_eq!(status, 0);
    let posted = |line: &str| {
        let mut event: Value = serde_json::from_str(line).unwrap();
        let body = &mut event["body"];
        if body["edition"] == "mgc-2017" {
            body["edition"] = "harbor-2026".into();
            body["options"]
                .as_object_mut()
                .unwrap()
                .remove("dragon_bonus");
        }
        format!("{event}\n")
    };
    let events: String = events.lines().map(posted).collect();
    std::fs::write(folder.path().join("floor.jsonl"), events).unwrap();
    folder
}

fn in_folder(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("catwalk").unwrap();
    let output = command.current_dir(folder).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn a_house_edition_is_fed_settled_archived_and_replayed() {
    let folder = floor_of_a_house();
    let run = |args: &[&str]| in_folder(folder.path(), args);

    // Nobody knows the edition without its folder; with it, only the wagers that the house took off are wrong.
    let (status, said, _) = run(&["check", "floor.jsonl"]);
    assert!(
        status == 1 && said.contains("\"harbor-2026\" is not an edition"),
        "{said}"
    );
    let (_, said, _) = run(&["check", "floor.jsonl", "-c", "harbor.toml"]);
    let mut wrong = said.lines();
    assert!(
        wrong.all(|line| line.contains("is no wager of minibaccarat in harbor-2026")),
        "{said}"
    );
    let feed = [
        "feed",
        "floor.jsonl",
        "--log",
        "embedded:log",
        "-c",
        "harbor.toml",
    ];
    let (_, _, said) = run(&feed);
    assert!(!said.contains("is not an edition"), "{said}");

    let (status, _, errors) = run(&["up", "-c", "harbor.toml", "--once"]);
    assert_eq!(status, 0, "{errors}");
    let ask = |sql: &str| {
        let (status, answer, errors) =
            run(&["query", "--archive", "archive", "--format", "csv", sql]);
        assert_eq!(status, 0, "{errors}");
        answer
    };
    let editions = ask("SELECT edition, count(*) FROM rounds WHERE complete GROUP BY 1 ORDER BY 1");
    assert!(
        editions.contains("harbor-2026,44") && editions.contains("oh-jack-2017,16"),
        "{editions}"
    );
    let codes = ask("SELECT DISTINCT table_id, code FROM findings ORDER BY 1, 2");
    let found = ["MB-02,wager.not_offered", "TC-01,pay.under"];
    assert!(found.iter().all(|found| codes.contains(found)), "{codes}");
    assert!(
        !codes.contains("TC-03") && !codes.contains("MB-04"),
        "{codes}"
    );

    let replay = ["replay", "--archive", "archive"];
    let (status, told, errors) = run(&[&replay[..], &["-c", "harbor.toml"]].concat());
    assert_eq!((status, &*errors), (0, ""), "{told}");
    assert!(told.contains("60 the same, 0 changed"), "{told}");
    // Without the folder nothing is said of those rounds, and no sum is made of it.
    let (status, told, _) = run(&replay);
    assert_eq!(status, 1);
    assert!(
        told.contains("cannot be judged now: ")
            && told.contains("\"harbor-2026\" is not an edition"),
        "{told}"
    );
    assert!(
        told.contains("44 rounds cannot be judged by these rules, and are in no sum"),
        "{told}"
    );
    assert!(!told.contains("were judged by other rules"), "{told}");
}

#[test]
fn a_replay_by_the_rules_of_a_house_says_what_its_own_tables_would_have_been_due() {
    let folder = floor_of_a_house();
    let run = |args: &[&str]| in_folder(folder.path(), args);
    let feed = [
        "feed",
        "floor.jsonl",
        "--log",
        "embedded:log",
        "-c",
        "harbor.toml",
    ];
    run(&feed);
    run(&["up", "-c", "harbor.toml", "--once"]);
    let replay = [
        "replay",
        "--archive",
        "archive",
        "-c",
        "harbor.toml",
        "--table",
        "TC-01",
    ];
    let (status, told, errors) = run(&[&replay[..], &["--rules", "mgc-2017"]].concat());
    assert_eq!((status, &*errors), (0, ""), "{told}");
    let changed: Vec<&str> = told.lines().filter(|line| line.contains(" on ")).collect();
    assert!(!changed.is_empty(), "{told}");
    assert!(
        changed
            .iter()
            .all(|line| line.contains("on pair_plus was win")),
        "{told}"
    );
    // The floor paid by the base, and the house owed more.
    assert!(
        told.contains(" too little given, is win") && !told.contains("-$"),
        "{told}"
    );
    assert!(
        told.contains(&format!(", {} changed", changed.len())),
        "{told}"
    );
    assert!(
        told.contains("12 rounds were judged by other rules"),
        "{told}"
    );
    let (status, told, _) = run(&[&replay[..], &["--rules", "harbor-2026"]].concat());
    assert_eq!(status, 0);
    assert!(told.contains("12 the same, 0 changed"), "{told}");
}
