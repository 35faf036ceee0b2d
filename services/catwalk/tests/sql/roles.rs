//! What each role is shown by each door, and what is on record of it.

use std::thread;
use std::time::{Duration, Instant};

use crate::hostile::REFUSED;
use crate::{House, PATIENCE, catwalk, http};

/// A house in which a case was opened before its doors were.
fn house() -> House {
    let folder = House::played("60");
    let open = [
        "case",
        "open",
        "26-7",
        "--authority",
        "a letter",
        "--by",
        "ines",
    ];
    let open = [&open[..], &["--log", "embedded:catwalk-data/log"]].concat();
    let (status, _, errors) = catwalk(folder.path(), &open);
    assert_eq!(status, 0, "{errors}");
    House::begin(folder, &["up", "-c", "catwalk.toml"])
}

const PATRONS: &str = "SELECT min(player), max(player), count(DISTINCT player) FROM wagers";

#[test]
fn each_role_is_shown_its_own_by_psql_and_over_http() {
    let house = house();
    let auditor = house.token("otto", "auditor");
    let ask = |user: &str, token: &str, args: &[&str]| {
        let (is_fine, told, errors) = house.psql(user, token, args);
        assert!(is_fine, "{args:?}: {errors}");
        (told, errors)
    };
    let (tables, _) = ask("otto", &auditor, &["-c", "\\dt"]);
    assert!(tables.contains(" rounds "), "{tables}");
    for hidden in ["access", "quarantine", "cases", "log_entries"] {
        assert!(!tables.contains(hidden), "{tables}");
        let sql = format!("SELECT * FROM {hidden}");
        let (is_fine, _, errors) = house.psql("otto", &auditor, &["-c", &sql]);
        let told = format!("relation \"{hidden}\" does not exist");
        assert!(!is_fine && errors.contains(&told), "{errors}");
        assert_eq!(http::sql(&house, &auditor, &sql, "").0, 400);
    }
    let (columns, _) = ask("otto", &auditor, &["-c", "\\d incidents"]);
    assert!(
        columns.contains("headline") && !columns.contains("video"),
        "{columns}"
    );
    let one = ["-At", "-c", PATRONS];
    let (of_auditor, _) = ask("otto", &auditor, &one);
    assert!(of_auditor.starts_with("anon-"), "{of_auditor}");
    // In a house a patron has one other name, whichever the door.
    let (status, over_http) = http::sql(&house, &auditor, PATRONS, "csv");
    assert_eq!(status, 200, "{over_http}");
    let second = over_http.lines().nth(1).unwrap().replace(',', "|");
    assert_eq!(second, of_auditor.trim());
    shows_patrons_for_a_case(&house);
    shows_some_casinos_and_days(&house);
}

fn shows_patrons_for_a_case(house: &House) {
    let ines = house.token("ines", "investigator");
    let one = ["-At", "-c", PATRONS];
    let without = house.psql("ines", &ines, &one).1;
    assert!(without.starts_with("anon-"), "{without}");
    let for_case = |case: &str| {
        let set = format!("SET catwalk.case = '{case}'");
        let (is_fine, told, errors) =
            house.psql("ines", &ines, &["-q", "-At", "-c", &set, "-c", PATRONS]);
        assert!(is_fine, "{errors}");
        (told, errors)
    };
    let (told, errors) = for_case("made-up");
    assert_eq!(told, without);
    assert!(errors.contains("no open case"), "{errors}");
    // The case comes to the archive as everything does.
    let begun = Instant::now();
    while for_case("26-7").0.starts_with("anon-") {
        assert!(
            begun.elapsed() < PATIENCE,
            "patrons are not shown for a case"
        );
        thread::sleep(Duration::from_millis(300));
    }
    assert!(for_case("26-7").0.starts_with("p-"));
    let body = serde_json::json!({"sql": PATRONS, "case": "26-7", "format": "csv"});
    let (status, told) = http::post(house, &ines, &body.to_string());
    assert!(status == 200 && told.contains("\np-"), "{told}");
    // For which case it was asked is on record, at each door.
    let rita = house.token("rita", "regulator");
    let look = "SELECT count(*) FROM access WHERE who = 'ines' AND case_id = '26-7' AND stage = 'asked' \
        AND door = ";
    for door in ["'sql'", "'http'"] {
        let look = format!("{look}{door}");
        let begun = Instant::now();
        while house.psql("rita", &rita, &["-At", "-c", &look]).1.trim() == "0" {
            assert!(begun.elapsed() < PATIENCE, "{door} is not on record");
            thread::sleep(Duration::from_millis(300));
        }
    }
}

fn shows_some_casinos_and_days(house: &House) {
    let some = |user: &str, more: &[&str]| {
        let add = [
            &[
                "users",
                "add",
                user,
                "--role",
                "surveillance",
                "--no-password",
            ],
            more,
        ]
        .concat();
        house.token_of(user, &add)
    };
    let count = |user: &str, token: &str| {
        let one = ["-At", "-c", "SELECT count(*) FROM rounds"];
        let (is_fine, told, errors) = house.psql(user, token, &one);
        assert!(is_fine, "{errors}");
        let (_, over_http) = http::sql(house, token, one[2], "csv");
        assert_eq!(over_http.lines().nth(1).unwrap(), told.trim());
        told.trim().parse::<u32>().unwrap()
    };
    let all = count("ada", &some("ada", &[]));
    assert!(all > 0);
    assert_eq!(count("bea", &some("bea", &["--property", "ebh"])), all);
    assert_eq!(
        count("cleo", &some("cleo", &["--property", "elsewhere"])),
        0
    );
    assert_eq!(count("dora", &some("dora", &["--until", "2001-01-01"])), 0);
    assert_eq!(count("emma", &some("emma", &["--from", "2001-01-01"])), all);
    // What is of all days is not for whoever sees some.
    let token = some("fay", &["--until", "2001-01-01"]);
    assert_eq!(http::get(house, &token, "/api/v1/incidents").0, 403);
    assert_eq!(http::get(house, &token, "/api/v1/rounds").0, 200);
}

/// Cells as one form of them, whatever the form that they came in.
fn plain(csv: &str) -> Vec<String> {
    let mut lines: Vec<String> = csv
        .lines()
        .skip(1)
        .map(|line| {
            let line = line.replace(", ", ",");
            let cells = line.split(',').map(|cell| match cell {
                "t" => "true".to_owned(),
                "f" => "false".to_owned(),
                cell => {
                    let cell = cell.replace("+00", "Z").replace(' ', "T");
                    match cell.strip_suffix('Z') {
                        Some(moment) if moment.contains('.') => {
                            let moment = moment.trim_end_matches('0').trim_end_matches('.');
                            format!("{moment}Z")
                        }
                        _ => cell,
                    }
                }
            });
            let line = cells.collect::<Vec<_>>().join(",");
            line.replace(['{', '}', '[', ']', '"'], "")
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn named_queries_give_the_same_rows_by_every_door_and_http_has_four_forms() {
    let folder = House::played_so(&["--rounds", "60", "--fault-rate", "0.3"]);
    let house = House::begin(folder, &["up", "-c", "catwalk.toml"]);
    let sara = house.token("sara", "surveillance");
    for (name, call) in [
        ("mispaid", "CALL mispaid()"),
        ("findings-by-code", "CALL findings_by_code()"),
    ] {
        let (is_fine, by_psql, errors) = house.psql("sara", &sara, &["--csv", "-c", call]);
        assert!(is_fine, "{errors}");
        let (status, by_http) = http::sql(&house, &sara, call, "csv");
        assert_eq!(status, 200, "{by_http}");
        let archive = [
            "query",
            "--archive",
            "catwalk-data/archive",
            "--format",
            "csv",
        ];
        let named = [&archive[..], &["--named", name]].concat();
        let (status, by_command, errors) = catwalk(house.folder.path(), &named);
        assert_eq!(status, 0, "{errors}");
        assert_eq!(plain(&by_psql), plain(&by_command), "{name}");
        assert_eq!(plain(&by_http), plain(&by_command), "{name}");
        assert!(by_psql.lines().count() > 1, "{name} has no rows");
    }
    let sql = "SELECT round, staked_cents FROM rounds ORDER BY round";
    let (_, json) = http::sql(&house, &sara, sql, "json");
    let (_, csv) = http::sql(&house, &sara, sql, "csv");
    assert_eq!(json.lines().count() + 1, csv.lines().count());
    let (status, parquet) = http::bytes(&house, &sara, sql, "parquet");
    assert!(status == 200 && parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    let (status, arrow) = http::bytes(&house, &sara, sql, "arrow");
    assert!(
        status == 200 && arrow.starts_with(&[0xff; 4]),
        "{:?}",
        &arrow[..8]
    );
    let body =
        serde_json::json!({"sql": "SELECT $1::bigint + 1 AS a, $2 AS b", "values": [41, "it's"]});
    let (status, told) = http::post(&house, &sara, &body.to_string());
    assert_eq!((status, told.trim()), (200, r#"{"a":42,"b":"it's"}"#));
}

#[test]
fn what_sql_may_not_it_may_not_over_http_either() {
    let house = House::open("20");
    let sara = house.token("sara", "surveillance");
    for sql in REFUSED {
        let (status, told) = http::sql(&house, &sara, sql, "");
        assert!((400..500).contains(&status), "{sql}: {status} {told}");
        assert!(!told.contains("root:"), "{sql}: {told}");
    }
    for body in [
        "",
        "{",
        "[]",
        "{}",
        r#"{"sql":1}"#,
        r#"{"sql":"SELECT 1","format":"exe"}"#,
        r#"{"sql":"SELECT 1","values":[[1]]}"#,
        r#"{"sql":"SELECT 1","as":"root"}"#,
        r#"{"sql":"SELECT $2","values":[1]}"#,
    ] {
        let (status, told) = http::post(&house, &sara, body);
        assert!((400..500).contains(&status), "{body}: {status} {told}");
    }
    assert_eq!(
        http::post(&house, "catwalk_wrong", r#"{"sql":"SELECT 1"}"#).0,
        401
    );
    let device = house.token("shoe", "device");
    assert_eq!(http::post(&house, &device, r#"{"sql":"SELECT 1"}"#).0, 403);
    let (status, told) = http::sql(&house, &sara, "SELECT 'still there' AS a", "csv");
    assert_eq!((status, told.as_str()), (200, "a\nstill there\n"));
}
