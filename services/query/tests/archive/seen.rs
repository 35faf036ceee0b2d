//! What each role sees of an archive of two casinos, and how somebody might try to see more.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use catwalk_archive::TABLES;
use catwalk_floor::Config;
use catwalk_query::{Bounds, Catalogue, ReadingRoom, Session};
use catwalk_web::{Caller, Days, Pseudonyms, Role};

use crate::played::{open, play};
use crate::support::{archive_all, ask, at, floor, hasty, rows};

/// The casino that is hidden from whoever sees the other only.
const HIDDEN: &str = "hidden-house";

/// Two casinos over some days.
fn archive() -> &'static Path {
    static ARCHIVE: OnceLock<PathBuf> = OnceLock::new();
    ARCHIVE.get_or_init(|| std::thread::spawn(make).join().unwrap())
}

fn make() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("seen");
    let _ = std::fs::remove_dir_all(&folder);
    let log = open(&[folder.join("log").to_str().unwrap()]);
    let archive = at(&folder.join("archive"));
    for (property, seed) in [("ebh", 11), (HIDDEN, 12)] {
        let config = Config {
            property: property.to_owned(),
            pause_seconds: 20_000,
            ..floor(240, seed)
        };
        play(&log, config);
    }
    archive_all(&*log, &archive, hasty());
    folder.join("archive")
}

fn room() -> ReadingRoom {
    ReadingRoom::open(&at(archive()), Bounds::default()).unwrap()
}

fn caller(role: Role, properties: Option<&str>, days: Days) -> Caller {
    Caller {
        id: "anna".to_owned(),
        name: "Anna".to_owned(),
        roles: [role].into(),
        properties: properties.map(|own| vec![own.to_owned()]),
        days,
        station: "10.0.0.7".to_owned(),
    }
}

async fn seen(caller: &Caller, has_case: bool) -> Session {
    let names = Pseudonyms::passing().unwrap();
    let catalogue = Catalogue::of(caller, has_case, &names);
    room().seen(catalogue).await.unwrap()
}

/// The patrons that the archive names, those apart whose ids are too short to be told from other words.
async fn patrons(session: &Session) -> BTreeSet<String> {
    let mut patrons = BTreeSet::new();
    for table in ["wagers", "events", "findings", "incidents", "money"] {
        let sql = format!("SELECT DISTINCT player FROM {table} WHERE length(player) > 5");
        patrons.extend(ask(session, &sql).await);
    }
    patrons
}

/// All that a table shows, as text.
async fn all_of(session: &Session, table: &str) -> String {
    ask(session, &format!("SELECT * FROM {table}"))
        .await
        .join("\n")
}

fn named<'a>(patrons: &'a BTreeSet<String>, text: &str) -> Vec<&'a str> {
    let words: BTreeSet<&str> = text
        .split(|sign: char| !sign.is_alphanumeric() && !"-_".contains(sign))
        .collect();
    let named = patrons
        .iter()
        .filter(|patron| words.contains(patron.as_str()));
    named.map(String::as_str).collect()
}

#[tokio::test]
async fn no_patron_is_named_anywhere_to_whoever_needs_none() {
    let whole = room().session().await.unwrap();
    let patrons = patrons(&whole).await;
    assert!(patrons.len() > 20, "{patrons:?}");
    let mut in_whole = BTreeSet::new();
    for (role, has_case, sees) in [
        (Role::Auditor, true, false),
        (Role::Investigator, false, false),
        (Role::Regulator, false, false),
        (Role::Investigator, true, true),
        (Role::Surveillance, false, true),
    ] {
        let session = seen(&caller(role, None, Days::default()), has_case).await;
        let mut named_here = 0;
        for table in TABLES.map(|table| table.name) {
            let Ok(rows) = session.sql(&format!("SELECT count(*) FROM {table}")).await else {
                continue;
            };
            drop(rows);
            let named = named(&patrons, &all_of(&session, table).await).len();
            assert!(sees || named == 0, "{role}: {table} names {named} patrons");
            named_here += named;
            if sees && named > 0 {
                in_whole.insert(table);
            }
        }
        assert_eq!(named_here > 0, sees, "{role}");
    }
    // Ids, bodies and sentences: each of them names somebody to whoever sees patrons.
    for table in ["wagers", "events", "findings"] {
        assert!(in_whole.contains(table), "{in_whole:?}");
    }
}

#[tokio::test]
async fn a_patron_has_the_same_other_name_everywhere_and_is_found_by_it() {
    let whole = room().session().await.unwrap();
    let count = "SELECT count(DISTINCT player), count(player), sum(amount_cents) FROM wagers";
    let auditor = seen(&caller(Role::Auditor, None, Days::default()), false).await;
    assert_eq!(ask(&auditor, count).await, ask(&whole, count).await);
    let joined = "SELECT count(*) FROM (SELECT DISTINCT player FROM wagers) w \
        JOIN (SELECT DISTINCT player FROM events) e USING (player)";
    assert_eq!(ask(&auditor, joined).await, ask(&whole, joined).await);
    let name = &ask(&auditor, "SELECT min(player) FROM wagers").await[0];
    assert!(name.starts_with("anon-"), "{name}");
    let found = format!("SELECT count(*) > 0 FROM wagers WHERE player = '{name}'");
    assert_eq!(ask(&auditor, &found).await, ["true"]);
    let in_body =
        format!("SELECT count(*) > 0 FROM events WHERE json_get_str(body, 'player') = '{name}'");
    assert_eq!(ask(&auditor, &in_body).await, ["true"]);
}

#[tokio::test]
async fn of_one_casino_and_some_days_nothing_else_is_seen() {
    let whole = room().session().await.unwrap();
    let days = ask(&whole, "SELECT DISTINCT gaming_day FROM rounds ORDER BY 1").await;
    assert!(days.len() >= 2, "{days:?}");
    let middle = days[days.len() / 2].parse().unwrap();
    let one_day = Days {
        from: Some(middle),
        until: Some(middle),
    };
    for (properties, days) in [
        (Some("ebh"), Days::default()),
        (Some("ebh"), one_day),
        (None, one_day),
        (Some("nowhere"), Days::default()),
    ] {
        let session = seen(&caller(Role::Surveillance, properties, days), false).await;
        let own = match (properties, days.is_all()) {
            (Some(own), true) => format!("property = '{own}'"),
            (Some(own), false) => format!("property = '{own}' AND gaming_day = DATE '{middle}'"),
            (None, _) => format!("gaming_day = DATE '{middle}'"),
        };
        for table in ["rounds", "wagers", "events", "findings", "money", "cards"] {
            let count = |filter: &str| format!("SELECT count(*) FROM {table}{filter}");
            let all = ask(&session, &count("")).await;
            assert_eq!(
                all,
                ask(&whole, &count(&format!(" WHERE {own}"))).await,
                "{table} {own}"
            );
            let others = ask(&session, &count(&format!(" WHERE NOT ({own})"))).await;
            assert_eq!(others, ["0"], "{table} {own}");
        }
        // The ends of a column are those of what is seen, whatever the logs of the tables say.
        let ends = |filter: &str| {
            format!(
                "SELECT min(gaming_day), max(gaming_day), min(property), max(property), count(*) FROM rounds{filter}"
            )
        };
        let expected = ask(&whole, &ends(&format!(" WHERE {own}"))).await;
        assert_eq!(ask(&session, &ends("")).await, expected, "{own}");
    }
}

/// Each asks something of what is hidden: the other casino, and patrons. What an answer or an error says is looked
/// through for both.
const LEAKS: &[&str] = &[
    // By an error that names a value.
    "SELECT CAST(player AS BIGINT) FROM wagers",
    "SELECT CAST(property AS BIGINT) FROM rounds",
    "SELECT CAST(player AS DATE) FROM events",
    "SELECT CAST(json_get_str(body, 'player') AS BIGINT) FROM events",
    "SELECT arrow_cast(player, 'Int32') FROM wagers",
    "SELECT to_timestamp(property) FROM rounds",
    "SELECT CAST(message AS BIGINT) FROM findings",
    "SELECT CAST(document AS BIGINT) FROM rounds",
    "SELECT 1 / (CASE WHEN property = 'hidden-house' THEN 0 ELSE 1 END) FROM rounds",
    "SELECT * FROM rounds WHERE 1 / (CASE WHEN property = 'hidden-house' THEN 0 ELSE 1 END) = 1",
    "SELECT * FROM rounds WHERE CASE WHEN property = 'hidden-house' THEN CAST(table_id AS INT) = 1 ELSE true END",
    "SELECT round FROM wagers WHERE player LIKE 'p-%' AND CAST(player AS INT) = 1",
    "SELECT date_trunc(property, opened_at) FROM rounds",
    "SELECT regexp_like(property, player) FROM wagers",
    "SELECT regexp_replace('x', player, 'y') FROM wagers",
    "SELECT round FROM rounds WHERE regexp_match(property, '(') IS NULL",
    "SELECT chr(CAST(substr(player, 3, 1) AS INT)) FROM wagers",
    "SELECT array_element(make_array(1), CAST(property AS INT)) FROM rounds",
    // By the order of rows, by counts and by ends.
    "SELECT property FROM rounds ORDER BY property DESC LIMIT 1",
    "SELECT player FROM wagers ORDER BY player LIMIT 5",
    "SELECT max(property), min(property), count(DISTINCT property) FROM rounds",
    "SELECT max(player), min(player) FROM events",
    "SELECT property, count(*) FROM rounds GROUP BY ROLLUP(property)",
    "SELECT first_value(property) OVER (ORDER BY closed_at DESC), lag(property) OVER (ORDER BY opened_at) FROM rounds",
    "SELECT string_agg(DISTINCT property, ','), string_agg(DISTINCT dealer, ',') FROM rounds",
    "SELECT array_agg(DISTINCT player) FROM findings",
    "SELECT approx_distinct(property), approx_percentile_cont(staked_cents, 1.0) FROM rounds",
    // By what is joined, united and repeated.
    "SELECT r.property FROM rounds r FULL JOIN wagers w ON r.property <> w.property LIMIT 5",
    "SELECT property FROM rounds UNION SELECT property FROM events EXCEPT SELECT 'ebh'",
    "SELECT (SELECT max(e.property) FROM events e WHERE e.round = r.round) FROM rounds r",
    "WITH RECURSIVE all_of AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM all_of WHERE n < 3) \
        SELECT property, n FROM rounds, all_of",
    "SELECT * FROM rounds TABLESAMPLE SYSTEM (100)",
    "SELECT x.property FROM rounds x, LATERAL (SELECT property FROM events WHERE events.property <> x.property) y",
    // By plans and by what the program knows of files.
    "EXPLAIN SELECT * FROM rounds WHERE property = 'x'",
    "EXPLAIN VERBOSE SELECT * FROM wagers WHERE player = 'x' AND gaming_day > DATE '2000-01-01'",
    "EXPLAIN FORMAT TREE SELECT player FROM wagers",
    "SELECT * FROM information_schema.columns",
    "SHOW COLUMNS FROM access",
    // By columns and tables of others.
    "SELECT * FROM access",
    "SELECT * FROM quarantine",
    "SELECT * FROM cases",
    "SELECT * FROM log_entries",
    "SELECT video FROM incidents",
    "SELECT incidents.video FROM incidents",
    "SELECT i.video FROM (SELECT * FROM incidents) AS i",
    "SELECT note FROM dispositions",
];

#[tokio::test]
async fn nothing_hidden_leaks_by_errors_orders_ends_or_plans() {
    let whole = room().session().await.unwrap();
    let patrons = patrons(&whole).await;
    let auditor = caller(Role::Auditor, Some("ebh"), Days::default());
    let session = seen(&auditor, false).await;
    for sql in LEAKS {
        let told = tell(&session, sql).await;
        assert!(
            !told.contains(HIDDEN) || sql.contains(HIDDEN),
            "{sql}: {told}"
        );
        assert!(
            !told.contains("archive://") && !told.contains(".parquet"),
            "{sql}: {told}"
        );
        assert!(!told.contains("DataSourceExec"), "{sql}: {told}");
        let named = named(&patrons, &told);
        assert!(named.is_empty(), "{sql}: {named:?}");
    }
    // What fails on rows of the other casino does not fail for whoever sees none of them.
    for sql in &LEAKS[8..11] {
        assert!(ask_result(&whole, sql).await.is_err(), "{sql}");
        assert!(ask_result(&session, sql).await.is_ok(), "{sql}");
    }
    for hidden in ["access", "quarantine", "cases", "log_entries"] {
        let told = tell(&session, "SELECT table_name FROM information_schema.tables").await;
        assert!(!told.contains(hidden), "{hidden}: {told}");
    }
    let columns =
        "SELECT column_name FROM information_schema.columns WHERE table_name = 'incidents'";
    let told = tell(&session, columns).await;
    assert!(
        told.contains("headline") && !told.contains("video"),
        "{told}"
    );
    assert!(LEAKS.len() >= 45);
}

/// Below what hides something no condition is worked out but those that cannot fail and tell nothing by the clock.
#[tokio::test]
async fn only_conditions_on_the_day_pass_where_rows_are_hidden() {
    let auditor = caller(Role::Auditor, Some("ebh"), Days::default());
    let session = seen(&auditor, false).await;
    let plan = |filter: &str| format!("EXPLAIN SELECT table_id FROM rounds WHERE {filter}");
    for (filter, stays) in [
        ("table_id = 'BJ-01'", true),
        ("property = 'hidden-house'", true),
        ("CAST(table_id AS INT) = 1", true),
        ("gaming_day = DATE '2026-11-15'", true),
    ] {
        let told = tell(&session, &plan(filter)).await;
        assert_eq!(told.contains("FilterExec"), stays, "{filter}: {told}");
        assert!(told.contains("SeenExec: columns=["), "{told}");
        let passes = told.contains("partial_filters=[");
        assert_eq!(passes, filter.starts_with("gaming_day"), "{filter}: {told}");
    }
}

async fn ask_result(session: &Session, sql: &str) -> Result<String, String> {
    let answer = session.sql(sql).await.map_err(|error| error.to_string())?;
    let batches = answer.collect().await.map_err(|error| error.to_string())?;
    Ok(batches.iter().flat_map(rows).collect::<Vec<_>>().join("\n"))
}

async fn tell(session: &Session, sql: &str) -> String {
    ask_result(session, sql).await.unwrap_or_else(|error| error)
}
