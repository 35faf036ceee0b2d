//! The binary as its users meet it: exit status, standard output, standard error.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use assert_cmd::Command;
use catwalk_log::{Durability, EmbeddedLog, Log, Message, Topic};
use catwalk_rules::Rulebook;
use catwalk_settler::{Counters, Runner, RunnerSpec};
use catwalk_wire::Formats;
use serde_json::Value;

fn catwalk(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("catwalk").unwrap();
    command.args(args);
    command
}

/// Exit status, standard output, standard error.
fn run(mut command: Command) -> (i32, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

const ROUND: &str = concat!(
    r#"{"game":"minibaccarat","edition":"mgc-2017","options":{},"#,
    r#""wagers":[{"id":"w1","seat":1,"kind":"banker","amount":10000}],"#,
    r#""play":{"player":["5S","AH"],"banker":["3C","4D"]}}"#
);
const SETTLED: &str = concat!(
    r#"{"game":"minibaccarat","wagers":"#,
    r#"[{"id":"w1","result":"win","win":10000,"commission":500,"returned":19500}],"violations":[]}"#
);

#[test]
fn settles_standard_input_line_by_line() {
    let mut command = catwalk(&["settle"]);
    command.write_stdin(format!("{ROUND}\n\n{ROUND}\n"));
    assert_eq!(
        run(command),
        (0, format!("{SETTLED}\n{SETTLED}\n"), String::new())
    );
}

#[test]
fn settles_a_file_and_a_document_over_several_lines() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let pretty = format!("{:#}", serde_json::from_str::<Value>(ROUND).unwrap());
    std::fs::write(file.path(), format!("{pretty}\n{ROUND}")).unwrap();
    let command = catwalk(&["settle", file.path().to_str().unwrap()]);
    assert_eq!(
        run(command),
        (0, format!("{SETTLED}\n{SETTLED}\n"), String::new())
    );
}

#[test]
fn a_bad_line_is_reported_with_its_number_and_stops_nothing() {
    let mut command = catwalk(&["settle"]);
    let bad = ROUND.replace("banker\",\"a", "bankr\",\"a");
    command.write_stdin(format!("{ROUND}\n{bad}\nnonsense\n{ROUND}"));
    let (status, output, errors) = run(command);
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(
        (status, lines.len(), lines[0], lines[3]),
        (1, 4, SETTLED, SETTLED)
    );
    assert_eq!(
        lines[1],
        r#"{"error":"wagers[0].kind: \"bankr\" is not a wager of minibaccarat; did you mean \"banker\"?","line":2}"#
    );
    assert!(lines[2].starts_with(r#"{"error":"not JSON"#) && lines[2].ends_with(r#","line":3}"#));
    assert!(errors.starts_with("catwalk: 2 of 4 documents could not be settled; first, line 2:"));
    assert_eq!(errors.lines().count(), 1);
}

#[test]
fn a_settlement_can_quote_the_rules_that_decided_it() {
    let mut command = catwalk(&["settle", "--quote-rules"]);
    command.write_stdin(ROUND);
    let settled: Value = serde_json::from_str(&run(command).1).unwrap();
    let (_, book, _) = run(catwalk(&["rules", "minibaccarat", "--format", "json"]));
    let book: Value = serde_json::from_str(&book).unwrap();
    assert_eq!(settled["rules"], book["hash"]);
}

#[test]
fn text_that_is_no_text_is_refused_in_its_place() {
    let mut command = catwalk(&["settle"]);
    command.write_stdin([b"\xff\xfe\n", ROUND.as_bytes()].concat());
    let (status, output, _) = run(command);
    assert!(
        status == 1
            && output.starts_with(r#"{"error":"not UTF-8"#)
            && output.ends_with(&format!("{SETTLED}\n"))
    );
}

#[test]
fn a_missing_file_is_named() {
    let (status, output, errors) = run(catwalk(&["settle", "no-such-file.jsonl"]));
    assert_eq!((status, output.as_str()), (1, ""));
    assert!(
        errors.starts_with("catwalk: no-such-file.jsonl: No such file"),
        "{errors}"
    );
}

#[test]
fn lists_the_games_and_shows_one_in_full() {
    let (status, list, _) = run(catwalk(&["rules"]));
    assert!(status == 0 && list.contains("minibaccarat") && list.contains("roulette"));
    let (status, game, _) = run(catwalk(&["rules", "roulette", "--edition", "oh-jack-2017"]));
    assert!(status == 0 && game.contains("· s.5.A") && !game.contains("seven_numbers_color [mgc"));
    assert!(
        game.lines().all(|line| line.chars().count() <= 160),
        "fits a wide terminal"
    );
}

#[test]
fn bad_usage_is_status_two_with_what_to_do() {
    let (status, _, errors) = run(catwalk(&["rules", "minibacarat"]));
    assert_eq!(status, 2);
    assert!(
        errors.contains("did you mean \"minibaccarat\"?"),
        "{errors}"
    );
    let (status, _, errors) = run(catwalk(&["rules", "roulette", "--edition", "mgc-amended"]));
    assert_eq!(status, 2);
    assert!(errors.contains("roulette has no edition mgc-amended; it has mgc-2017, oh-jack-2017"));
    assert_eq!(run(catwalk(&["setle"])).0, 2);
    assert_eq!(run(catwalk(&[])).0, 2);
}

#[test]
fn the_demo_finds_every_fault_of_its_floor() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("demo");
    let mut demo = catwalk(&["demo", "--rounds", "400", "--headless", "--data"]);
    demo.arg(&data);
    let (status, output, errors) = run(demo);
    assert_eq!((status, errors.as_str()), (0, ""));
    let told = output
        .lines()
        .find(|line| line.ends_with("faults were found"))
        .unwrap();
    let (found, dealt) = told
        .trim_end_matches(" faults were found")
        .split_once(" of ")
        .unwrap();
    assert_eq!(found, dealt);
    assert!(output.contains("Try next:"), "{output}");
    // What a lost event leaves open is no round of its own.
    let settled = rounds_in(&data.join("archive"));
    assert!(
        output.contains(&format!("{settled} rounds settled")),
        "{output}"
    );
    assert!((390..=400).contains(&settled.parse().unwrap()), "{output}");
}

#[test]
fn what_a_demo_says_to_try_next_can_be_pasted_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut demo = catwalk(&[
        "demo",
        "--rounds",
        "40",
        "--headless",
        "--fault-rate",
        "0.2",
    ]);
    demo.current_dir(folder.path())
        .args(["--data", "the demo's data"]);
    let (status, output, _) = run(demo);
    assert_eq!(status, 0);
    let (_, next) = output.split_once("Try next:\n").unwrap();
    assert!(next.lines().count() >= 6, "{next}");
    for line in next.lines() {
        let mut shell = Command::new("sh");
        shell.current_dir(folder.path()).args(["-c", line]);
        let (status, output, errors) = run(shell);
        assert_eq!((status, errors.as_str()), (0, ""), "{line}");
        assert!(!output.is_empty(), "{line}");
    }
}

#[test]
fn a_demo_that_is_over_in_a_moment_leaves_all_its_rounds_in_the_archive() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("demo");
    let mut demo = catwalk(&["demo", "--rounds", "12", "--headless", "--data"]);
    demo.arg(&data);
    let (status, output, _) = run(demo);
    assert_eq!(status, 0);
    assert!(!output.contains("archive of 0 files"), "{output}");
    assert_eq!(rounds_in(&data.join("archive")), "12");
}

fn rounds_in(archive: &std::path::Path) -> String {
    let mut query = catwalk(&["query", "select count(*) from rounds", "--format", "csv"]);
    query.arg("--archive").arg(archive);
    let (status, output, errors) = run(query);
    assert_eq!((status, errors.as_str()), (0, ""));
    output.lines().last().unwrap().to_owned()
}

#[test]
fn an_honest_simulated_feed_passes_check_and_audit() {
    let (status, feed, _) = run(catwalk(&["simulate", "--rounds", "50", "--seed", "9"]));
    assert_eq!(status, 0);
    let mut check = catwalk(&["check"]);
    check.write_stdin(feed.clone());
    let (status, problems, _) = run(check);
    assert_eq!((status, problems.as_str()), (0, ""));
    let mut audit = catwalk(&["audit", "--settlements"]);
    audit.write_stdin(feed);
    let (status, output, errors) = run(audit);
    assert_eq!(
        (status, errors.as_str(), output.lines().count()),
        (0, "", 50)
    );
}

#[test]
fn a_feed_with_problems_is_told_line_by_line() {
    let (_, feed, _) = run(catwalk(&["simulate", "--rounds", "3", "--tables", "1"]));
    let mut lines: Vec<&str> = feed.lines().collect();
    lines.remove(4);
    lines.insert(6, "{\"id\":");
    let mut check = catwalk(&["check"]);
    check.write_stdin(lines.join("\n"));
    let (status, problems, _) = run(check);
    assert_eq!(status, 1);
    assert!(
        problems.contains("line 5: ") && problems.contains("seq 4 is followed by 6"),
        "{problems}"
    );
    assert!(problems.contains("line 7: not JSON"), "{problems}");
}

#[test]
fn faults_are_labelled() {
    let labels = tempfile::NamedTempFile::new().unwrap();
    let path = labels.path().to_str().unwrap();
    let args = [
        "simulate",
        "--rounds",
        "100",
        "--fault-rate",
        "0.5",
        "--labels",
        path,
    ];
    assert_eq!(run(catwalk(&args)).0, 0);
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.lines().count() > 20);
    for line in text.lines() {
        let label: Value = serde_json::from_str(line).unwrap();
        assert!(label["kind"].is_string() && label["seqs"].is_array());
    }
    let (status, _, errors) = run(catwalk(&["simulate", "--games", "whist"]));
    assert_eq!(status, 2);
    assert!(
        errors.contains("\"whist\" is not a game that the floor can play"),
        "{errors}"
    );
}

#[test]
fn a_floor_is_simulated_into_a_log_and_what_cannot_be_read_is_in_quarantine() {
    let folder = tempfile::tempdir().unwrap();
    let address = format!("embedded:{}", folder.path().join("log").display());
    let simulate = [
        "simulate",
        "--rounds",
        "20",
        "--log",
        &address,
        "--partitions",
        "2",
    ];
    let (status, output, errors) = run(catwalk(&simulate));
    assert_eq!((status, output.as_str()), (0, ""));
    assert!(
        errors.contains("of 20 rounds sent to floor.events, 2 partitions"),
        "{errors}"
    );
    let list = ["quarantine", "--log", &address, "list"];
    let (status, output, _) = run(catwalk(&list));
    assert_eq!((status, output.as_str()), (0, "nothing is in quarantine\n"));

    {
        let log = EmbeddedLog::open(folder.path().join("log"), Durability::Os).unwrap();
        let log: Arc<dyn Log> = Arc::new(log);
        let garbage = Message::new(Topic::FloorEvents, "MB-01", "garbage").to_partition(1);
        log.producer().unwrap().send(&[garbage]).unwrap();
        let rulebook = Arc::new(Rulebook::load().unwrap());
        let (formats, meter) = (Formats::plain().unwrap(), Arc::new(Counters::default()));
        let runner = Runner::join(log, RunnerSpec::new("one"), rulebook, formats, meter);
        runner.unwrap().run_until_caught_up().unwrap();
    }
    let (_, output, _) = run(catwalk(&[&list[..], &["--json"]].concat()));
    let line: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(
        (&line["table"], &line["partition"]),
        (&"MB-01".into(), &1.into())
    );
    let id = line["id"].as_str().unwrap();
    let (status, output, _) = run(catwalk(&["quarantine", "--log", &address, "show", id]));
    assert_eq!(status, 0);
    assert!(
        output.contains("67 61 72 62 61 67 65") && output.contains("garbage"),
        "{output}"
    );
    let (status, _, errors) = run(catwalk(&["quarantine", "--log", &address, "retry", id]));
    assert_eq!(status, 1);
    assert!(errors.contains("still unreadable"), "{errors}");
    let (status, _, errors) = run(catwalk(&["quarantine", "--log", "data", "list"]));
    assert_eq!(status, 2);
    assert!(errors.contains("embedded:DIR"), "{errors}");
}

#[test]
fn says_its_version() {
    let (status, output, _) = run(catwalk(&["--version"]));
    assert_eq!(
        (status, output),
        (0, format!("catwalk {}\n", env!("CARGO_PKG_VERSION")))
    );
}

const HOUSE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/house");

/// A configuration that names the sample edition of a house.
fn with_house() -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("[rules]\neditions = [{HOUSE:?}]")).unwrap();
    file
}

#[test]
fn a_house_edition_is_checked_listed_compared_and_settles() {
    let (status, said, _) = run(catwalk(&["rules", "check", HOUSE]));
    assert_eq!(status, 0);
    assert!(said.starts_with("harbor-2026 over mgc-2017: "), "{said}");

    let config = with_house();
    let config = config.path().to_str().unwrap();
    let (_, said, _) = run(catwalk(&["rules", "-c", config]));
    assert!(said.contains("harbor-2026 over mgc-2017"), "{said}");
    let args = [
        "rules",
        "diff",
        "mgc-2017",
        "harbor-2026",
        "minibaccarat",
        "-c",
        config,
    ];
    let (status, said, _) = run(catwalk(&args));
    assert_eq!(status, 0);
    assert!(
        said.contains("wagers.dragon_bonus_banker") && said.contains("H 9"),
        "{said}"
    );

    let round = ROUND.replace("mgc-2017", "harbor-2026");
    let mut command = catwalk(&["settle", "-c", config]);
    command.write_stdin(round.clone());
    assert_eq!(run(command), (0, format!("{SETTLED}\n"), String::new()));
    let mut command = catwalk(&["settle"]);
    command.write_stdin(round);
    let (status, said, _) = run(command);
    assert_eq!(status, 1);
    assert!(said.contains("edition"), "{said}");
}

#[test]
fn a_house_edition_that_cannot_be_is_named_by_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let edition = "edition = \"x\"\nbase = \"mgc-2017\"\ntext = \"t\"";
    std::fs::write(folder.path().join("edition.toml"), edition).unwrap();
    let table = "[[tables]]\nid = \"neighbours\"\ncite = \"H 1\"";
    std::fs::write(folder.path().join("roulette.toml"), table).unwrap();
    let (status, _, said) = run(catwalk(&[
        "rules",
        "check",
        folder.path().to_str().unwrap(),
    ]));
    assert_eq!(status, 1);
    assert!(said.contains("roulette: tables.neighbours: "), "{said}");
}
