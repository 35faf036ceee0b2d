//! One event of every type, with every field filled, as JSON.

#![allow(clippy::unwrap_used)]

use catwalk_events::audit::Finding;
use catwalk_events::{Body, Event, Role, json};
use serde_json::Value;

const SAMPLES: &str = include_str!("../../../schemas/samples.jsonl");

fn samples() -> Vec<Event> {
    SAMPLES
        .lines()
        .map(|line| json::read(line).unwrap_or_else(|e| panic!("{e}\n{line}")))
        .collect()
}

#[test]
fn there_is_a_sample_of_every_type() {
    let types: Vec<&str> = samples()
        .iter()
        .map(|event| event.body.type_name())
        .collect();
    assert_eq!(types, Body::TYPES);
}

#[test]
fn json_reads_as_it_is_written() {
    for (line, event) in SAMPLES.lines().zip(samples()) {
        let expected: Value = serde_json::from_str(line).unwrap();
        let written = json::write(&event).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), expected);
    }
}

#[test]
fn a_bad_json_event_is_refused_by_its_place() {
    let cases = [
        ("\"seq\": 34", "\"seq\": -1", "seq: "),
        (
            "2026-11-15T20:01:02.000033Z",
            "yesterday",
            "at: \"yesterday\" is not a moment",
        ),
        (
            "wager_placed",
            "wager_plaecd",
            "body.type: \"wager_plaecd\" is not a type of event; did you mean \"wager_placed\"?",
        ),
        (
            "\"kind\": \"banker\", ",
            "",
            "body: the key \"kind\" is missing",
        ),
        (
            "\"amount\": 2500",
            "\"amount\": -2500",
            "body.amount: -2500 cents are less than nothing",
        ),
        (
            "\"colour\"",
            "\"color\"",
            "body.color: \"color\" is not a known key here; did you mean \"colour\"?",
        ),
        (
            "value_chips",
            "buttons",
            "body.form: \"buttons\" is not a known word here",
        ),
        (
            "\"kind\": \"device\"",
            "\"kind\": \"devise\"",
            "source.kind: \"devise\" is not a known word here; did you mean \"device\"?",
        ),
        ("\"table\": \"MB-07\", ", "", "the key \"table\" is missing"),
    ];
    assert_refused(&cases);
}

#[test]
fn a_key_of_a_json_event_is_there_once_and_known() {
    let cases = [
        (
            "\"body\":",
            "\"boby\":",
            "boby: \"boby\" is not a known key here",
        ),
        (
            "\"amount\": 2500",
            "\"amount\": 2500, \"amount\": 2500",
            "body.amount: this key is there twice",
        ),
        (
            "\"amount\": 2500",
            "\"amount\": 2500, \"type\": \"clock\"",
            "body.type: this key is there twice",
        ),
        (
            "{\"numbers\": [\"17\"]}",
            "{\"a\": [{\"b\": 1, \"b\": 2}]}",
            "body.detail.a[0].b: this key is there twice",
        ),
        (
            "\"seq\": 34",
            "\"body\": {}, \"seq\": 34",
            "body: this key is there twice",
        ),
    ];
    assert_refused(&cases);
}

/// A sample of a wager with something else in it is refused so.
fn assert_refused(cases: &[(&str, &str, &str)]) {
    let mut samples = SAMPLES.lines();
    let line = samples.find(|line| line.contains("\"wager_placed\""));
    let line = line.unwrap();
    for &(from, to, expected) in cases {
        assert!(line.contains(from), "{from} not in {line}");
        let refusal = json::read(&line.replace(from, to)).unwrap_err().to_string();
        assert!(
            refusal.starts_with(expected),
            "expected {expected}\ngot      {refusal}"
        );
    }
}

#[test]
fn a_body_that_is_no_object_is_no_body() {
    let refusal = |body: &str| {
        let refused = json::read_body("clock", body).unwrap_err();
        refused.to_string()
    };
    assert_eq!(refusal("[7]"), "body: an object is expected, not a list");
    let person = r#"{"dealer": {"id": "d-1", "id": "d-2"}}"#;
    let refused = json::read_body("dealer_changed", person).unwrap_err();
    let expected = "body.dealer.id: this key is there twice";
    assert_eq!(refused.to_string(), expected);
}

#[test]
fn a_person_of_whom_only_the_role_is_known_is_named_by_it() {
    let sample = |by: &str| {
        let line = SAMPLES.lines().find(|line| line.contains("wager_changed"));
        line.unwrap()
            .replace(r#"{"id": "d-114", "role": "dealer"}"#, by)
    };
    for (by, role) in [
        (r#""dealer""#, Role::Dealer),
        (r#""player""#, Role::Patron),
        (r#"{"id": "p-7", "role": "patron"}"#, Role::Patron),
    ] {
        let Body::WagerChanged(changed) = json::read(&sample(by)).unwrap().body else {
            panic!("{by}");
        };
        assert_eq!(changed.by.role, role, "{by}");
    }
    for (by, wrong) in [
        (r#""p-7""#, "body.by"),
        (r#"{"id": "p-7", "role": "barman"}"#, "body.by.role"),
        (r#"{"id": "p-7"}"#, "body.by"),
        ("7", "body.by"),
    ] {
        let refusal = json::read(&sample(by)).unwrap_err().to_string();
        assert!(refusal.starts_with(wrong), "{refusal}");
    }
}

#[test]
fn an_inspection_may_leave_unsaid_what_it_did_not_find() {
    let event = |body: &str| {
        let line = format!(
            r#"{{"id":"e","property":"p","table":"t","seq":1,"at":"2026-11-15T20:00:00Z","source":{{"kind":"device","id":"d"}},"body":{body}}}"#
        );
        json::read(&line).unwrap().body
    };
    let whole = event(
        r#"{"type":"cards_inspected","set":"A","missing":[],"extra":[],"unsuitable":[],"dealer":"d-1","supervisor":""}"#,
    );
    for body in [
        r#"{"type":"cards_inspected","set":"A","dealer":"d-1"}"#,
        r#"{"type":"cards_inspected","set":"A","missing":null,"dealer":{"id":"d-1","role":"dealer"},"supervisor":null}"#,
    ] {
        assert_eq!(event(body), whole, "{body}");
    }
    let passed = event(r#"{"type":"dice_inspected","set":"A","result":"pass"}"#);
    assert_eq!(event(r#"{"type":"dice_inspected","set":"A"}"#), passed);
    let by_player = event(r#"{"type":"wager_removed","wager":"w1","by":"patron"}"#);
    assert_eq!(event(r#"{"type":"wager_removed","wager":"w1"}"#), by_player);
}

#[test]
fn a_finding_has_on_a_line_what_the_log_has_and_its_moment_as_people_write_it() {
    let samples = include_str!("../../../schemas/finding.jsonl");
    for line in samples.lines() {
        let finding: Finding = serde_json::from_str(line).unwrap();
        let written = json::write_finding(&finding).unwrap();
        assert_eq!(json::read_finding(&written).unwrap(), finding);
        let mut expected: Value = serde_json::from_str(line).unwrap();
        expected["at"] = finding.at.to_string().into();
        let fields = expected.as_object_mut().unwrap();
        for optional in ["resolves", "player", "trial"] {
            if fields[optional].is_null() {
                fields.remove(optional);
            }
        }
        assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), expected);
    }
    let second: Finding = serde_json::from_str(samples.lines().nth(1).unwrap()).unwrap();
    assert_eq!(
        json::write_finding(&second).unwrap(),
        r#"{"id":"0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e","code":"feed.duplicate","severity":"warn","property":"ebh","table":"MB-07","game":null,"round":null,"wager":null,"seat":null,"dealer":null,"at":"2025-11-15T20:01:42.500001Z","due":null,"paid":null,"exposure":0,"message":"Event 30 was sent again","cites":[],"evidence":[30],"rules":null}"#
    );
}
