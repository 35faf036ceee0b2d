//! A feed is held against the schema, its sequence and the rulebook, and an audit says what it found.

use std::path::Path;

use assert_cmd::Command;

use crate::{catwalk, run};

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
        &changed(
            &blackjack,
            opened,
            r#""game":"blackjack""#,
            r#""game":"blackjck""#,
        ),
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

const DEVICE: &str = r#""source":{"kind":"device","id":"s-1"},"#;

/// Events of one table, with their types, rounds and the rest of their bodies.
fn told(table: &str, game: &str, bodies: &[(&str, &str, &str)]) -> Vec<String> {
    let opened = format!(
        r#""game":"{game}","edition":"mgc-2017","options":{{}},"limits":[],"opening_inventory":1000000,"dealer":"d-1""#
    );
    let opened = ("", "table_opened", opened.as_str());
    let all = std::iter::once(&opened).chain(bodies);
    let line = |(seq, (round, kind, fields)): (u64, &(&str, &str, &str))| {
        let round = match round.is_empty() {
            true => String::new(),
            false => format!(r#""round":"{round}","#),
        };
        let comma = if fields.is_empty() { "" } else { "," };
        let minute = seq % 60;
        let at = format!("2026-11-15T20:{minute:02}:00Z");
        let body = format!(r#"{{"type":"{kind}"{comma}{fields}}}"#);
        format!(
            r#"{{"id":"{table}-{seq}","property":"ebh","table":"{table}","seq":{seq},"at":"{at}",{round}{DEVICE}"#
        ) + &format!(r#""body":{body}}}"#)
    };
    (1..).zip(all).map(line).collect()
}

#[test]
fn a_wager_says_what_it_is_on() {
    let straight = r#""wager":"w1","seat":1,"kind":"straight","amount":500"#;
    let with = |detail: &str| format!("{straight}{detail}");
    for (detail, is_told) in [
        ("", false),
        (r#","detail":[]"#, false),
        (r#","detail":{}"#, false),
        (r#","detail":[17]"#, true),
        (r#","detail":{"numbers":[17]}"#, true),
    ] {
        let wager = with(detail);
        let feed = [
            ("r1", "round_opened", ""),
            ("r1", "wager_placed", wager.as_str()),
        ];
        let (status, output) = check(&told("RO-01", "roulette", &feed));
        let missed = output.contains(r#"wager "w1": "straight" needs its numbers in detail"#);
        assert_eq!(
            (status, missed),
            (i32::from(!is_told), !is_told),
            "{detail}: {output}"
        );
    }
}

#[test]
fn only_what_the_layout_lets_stand_outlasts_its_round() {
    let place = |wager: &str, kind: &str| {
        format!(r#""wager":"{wager}","seat":1,"kind":"{kind}","amount":500"#)
    };
    let (pass, main, streak) = (
        place("w1", "pass"),
        place("w1", "main"),
        place("w2", "streak_3"),
    );
    let paid = |wager: &str| format!(r#""wager":"{wager}","amount":500"#);
    let (w1, w2) = (paid("w1"), paid("w2"));
    let next = [("r1", "round_closed", ""), ("r2", "round_opened", "")];
    let names = |output: &str, wager: &str| {
        output.contains(&format!("names wager {wager:?}, which was not placed"))
    };

    let craps = [
        ("r1", "round_opened", ""),
        ("r1", "wager_placed", pass.as_str()),
    ];
    let craps = [&craps[..], &next, &[("r2", "wager_paid", w1.as_str())]].concat();
    let (_, output) = check(&told("CR-01", "craps", &craps));
    assert!(!names(&output, "w1"), "{output}");
    // What was collected stands no more.
    let collected = [
        ("r2", "wager_collected", r#""wager":"w1""#),
        ("r2", "round_closed", ""),
    ];
    let third = [
        ("r3", "round_opened", ""),
        ("r3", "wager_paid", w1.as_str()),
    ];
    let craps = [&craps[..], &collected, &third].concat();
    let (_, output) = check(&told("CR-01", "craps", &craps));
    assert!(names(&output, "w1"), "{output}");

    let placed = [
        ("r1", "wager_placed", main.as_str()),
        ("r1", "wager_placed", streak.as_str()),
    ];
    let later = [
        ("r2", "wager_paid", w1.as_str()),
        ("r2", "wager_paid", w2.as_str()),
    ];
    let blackjack = [&[("r1", "round_opened", "")][..], &placed, &next, &later].concat();
    let (_, output) = check(&told("BJ-01", "blackjack", &blackjack));
    assert!(names(&output, "w1") && !names(&output, "w2"), "{output}");
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
fn the_producer_for_vendors_passes_the_check_and_the_audit() {
    let producer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/bundle/producer.py");
    let mut command = std::process::Command::new("python3");
    let told = command.arg(producer).output().unwrap();
    let errors = String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "{errors}");
    let told = String::from_utf8(told.stdout).unwrap();
    let lines: Vec<String> = told.lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 11);
    assert_eq!(check(&lines), (0, String::new()));
    let mut audit = Command::cargo_bin("catwalk").unwrap();
    let (status, found, errors) = run(audit.arg("audit").write_stdin(told.as_str()));
    assert_eq!((status, found.as_str()), (0, ""), "{errors}");
    // It is a feed that is judged: the same round, paid short, is found.
    let short = told.replace(
        r#""type": "wager_paid", "wager": "w1", "amount": 10000"#,
        r#""type": "wager_paid", "wager": "w1", "amount": 9000"#,
    );
    assert_ne!(short, told);
    let mut audit = Command::cargo_bin("catwalk").unwrap();
    let (status, found, _) = run(audit.arg("audit").write_stdin(short));
    assert!(status == 1 && found.contains("pay.under"), "{found}");
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
