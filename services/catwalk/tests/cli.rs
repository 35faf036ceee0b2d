//! The binary as its users meet it: exit status, standard output, standard error.

#![allow(clippy::unwrap_used)]

use assert_cmd::Command;
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

const ROUND: &str = r#"{"game":"minibaccarat","edition":"mgc-2017","options":{},"wagers":[{"id":"w1","seat":1,"kind":"banker","amount":10000}],"play":{"player":["5S","AH"],"banker":["3C","4D"]}}"#;
const SETTLED: &str = r#"{"game":"minibaccarat","wagers":[{"id":"w1","result":"win","win":10000,"commission":500,"returned":19500}],"violations":[]}"#;

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
    assert!(status == 0 && game.contains("ma s.5.A") && !game.contains("seven_numbers_color [mgc"));
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
fn the_demo_settles_every_sample_round_as_written() {
    let (status, output, errors) = run(catwalk(&["demo"]));
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(output.contains("Try next:"));
}

#[test]
fn says_its_version() {
    let (status, output, _) = run(catwalk(&["--version"]));
    assert_eq!(
        (status, output),
        (0, format!("catwalk {}\n", env!("CARGO_PKG_VERSION")))
    );
}
