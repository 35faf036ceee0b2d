//! What is answered is the same at every door, and no larger than whoever asks may have.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use crate::{House, PATIENCE, catwalk, http};

/// The named queries that ask for nothing.
fn without_parameters(house: &House, token: &str) -> Vec<String> {
    let (status, told) = http::get(house, token, "/api/v1/queries");
    assert_eq!(status, 200, "{told}");
    let queries: Vec<serde_json::Value> = serde_json::from_str(&told).unwrap();
    let needs_none = |query: &&serde_json::Value| {
        let parameters = query["parameters"].as_array().unwrap();
        parameters.iter().all(|one| one.get("default").is_some())
    };
    let names = queries.iter().filter(needs_none);
    names
        .map(|query| query["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn named_queries_give_the_same_rows_at_every_door() {
    let house = House::open("200");
    let dora = house.token("dora", "surveillance_director");
    let queries = without_parameters(&house, &dora);
    assert!(queries.len() > 20 && queries.iter().any(|name| name == "impossible-luck"));
    for name in &queries {
        let call = format!("CALL {}()", name.replace('-', "_"));
        let (status, over_http) = http::sql(&house, &dora, &call, "csv");
        assert_eq!(status, 200, "{name}: {over_http}");
        let ask = [
            "query",
            "--archive",
            "catwalk-data/archive",
            "--format",
            "csv",
            "--named",
            name,
        ];
        let (_, own, errors) = catwalk(house.folder.path(), &ask);
        assert_eq!(over_http, own, "{name}: {errors}");
        let (is_fine, told, errors) = house.psql("dora", &dora, &["--csv", "-c", &call]);
        assert!(is_fine, "{name}: {errors}");
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(lines(&told).len(), lines(&own).len(), "{name}");
        assert_eq!(lines(&told).first(), lines(&own).first(), "{name}");
    }
    // What wagers are worth is a table like any other, and each has what it tells beside it.
    let psql = |sql: &str| {
        let (is_fine, told, errors) = house.psql("dora", &dora, &["-At", "-c", sql]);
        assert!(is_fine, "{sql}: {errors}");
        told.trim().to_owned()
    };
    assert_eq!(
        psql("SELECT count(*) > 0 AND min(house_edge) >= -1 FROM edges"),
        "t"
    );
    let decided = "SELECT count(theo_cents) > 0 FROM wagers_theo WHERE result = 'lose'";
    assert_eq!(psql(decided), "t");
    assert!(psql("SELECT obj_description('edges'::regclass)").contains("worth"));
    let columns = "SELECT count(*) FROM pg_attribute WHERE attrelid IN ('edges'::regclass, 'wagers_theo'::regclass) \
        AND col_description(attrelid, attnum) IS NULL";
    assert_eq!(psql(columns), "0");
    // Whoever sees no rounds is told of no edge either.
    let oz = [
        "users",
        "add",
        "oz",
        "--role",
        "surveillance",
        "--no-password",
        "--property",
        "nowhere",
    ];
    let oz = house.token_of("oz", &oz);
    let (_, told, errors) = house.psql("oz", &oz, &["-At", "-c", "SELECT count(*) FROM edges"]);
    assert_eq!(told.trim(), "0", "{errors}");
}

#[test]
fn an_answer_has_no_more_than_its_asker_may_have() {
    let folder = House::played("60");
    let config = folder.path().join("catwalk.toml");
    let bounds = "max_rows = 40\nmax_answer_mb = 1\n[sql.max_rows_of]\nregulator = 1000\n";
    let settings = fs::read_to_string(&config).unwrap() + bounds;
    fs::write(&config, settings).unwrap();
    let house = House::begin(folder, &["up", "-c", "catwalk.toml"]);
    let (anna, rita) = (
        house.token("anna", "auditor"),
        house.token("rita", "regulator"),
    );
    let rounds = "SELECT round FROM rounds";
    let (is_fine, _, errors) = house.psql(
        "anna",
        &anna,
        &["-At", "-v", "VERBOSITY=verbose", "-c", rounds],
    );
    assert!(
        !is_fine && errors.contains("54000") && errors.contains("40"),
        "{errors}"
    );
    for form in ["json", "csv", "arrow", "parquet"] {
        let (status, told) = http::sql(&house, &anna, rounds, form);
        assert_eq!(status, 422, "{form}: {told}");
        assert!(
            told.contains("too_much") && told.contains("rows") && told.contains("40"),
            "{told}"
        );
    }
    let (status, told) = http::sql(&house, &anna, "SELECT round FROM rounds LIMIT 40", "csv");
    assert_eq!((status, told.lines().count()), (200, 41));
    // A sum of all of them is one row, and a portion is within the bound as long as the whole is.
    assert_eq!(
        http::sql(&house, &anna, "SELECT count(*) FROM rounds", "csv").0,
        200
    );
    let copy = "\\copy (SELECT round FROM rounds) TO STDOUT";
    assert!(!house.psql("anna", &anna, &["-c", copy]).0);
    let (is_fine, told, errors) = house.psql("rita", &rita, &["-At", "-c", rounds]);
    assert!(is_fine && told.lines().count() > 40, "{errors}");
    assert_eq!(http::sql(&house, &rita, rounds, "csv").0, 200);
    let large = "SELECT string_agg(repeat('x', 1000), '') FROM generate_series(1, 2700) AS n(value) \
                 GROUP BY value % 3";
    let (status, told) = http::sql(&house, &rita, large, "json");
    assert_ne!((status, told.len() > 2_700_000), (200, true));
    let (is_fine, _, errors) = house.psql("rita", &rita, &["-At", "-c", large]);
    assert!(!is_fine && errors.contains("answer_bytes"), "{errors}");
    // It goes on, and what was refused is on record as that.
    let failed = "SELECT count(*) > 4 FROM access WHERE who = 'anna' AND outcome = 'failed' AND error LIKE '%rows%'";
    let begun = Instant::now();
    loop {
        // It is in the table a moment after it is on the log.
        let (_, told, errors) = house.psql("rita", &rita, &["-At", "-c", failed]);
        if told.trim() == "t" {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "{told}{errors}");
        thread::sleep(Duration::from_millis(300));
    }
}

/// Views tell how they are made, by each of the ways in which programs ask, to whoever sees them.
#[test]
fn a_view_tells_how_it_is_made_and_that_is_what_it_shows() {
    let house = House::open("60");
    let (dora, otto) = (
        house.token("dora", "surveillance_director"),
        house.token("otto", "auditor"),
    );
    let ask = |user: &str, sql: &str| {
        let token = if user == "dora" { &dora } else { &otto };
        let (is_fine, told, errors) = house.psql(user, token, &["-At", "-c", sql]);
        assert!(is_fine, "{sql}: {errors}");
        told.trim().to_owned()
    };
    let views = ask("dora", "SELECT viewname FROM pg_views ORDER BY viewname");
    assert!(views.contains("rounds_dollars") && views.contains("wagers_theo"));
    for view in views.lines() {
        let made = ask(
            "dora",
            &format!("SELECT definition FROM pg_views WHERE viewname = '{view}'"),
        );
        assert!(
            made.starts_with("SELECT") && made.ends_with(';'),
            "{view}: {made}"
        );
        for how in [
            format!("SELECT pg_get_viewdef('{view}'::regclass, true)"),
            format!("SELECT pg_catalog.pg_get_viewdef('public.{view}')"),
            format!("SELECT pg_get_viewdef(c.oid) FROM pg_class AS c WHERE c.relname = '{view}'"),
            format!(
                "SELECT view_definition FROM information_schema.views WHERE table_name = '{view}'"
            ),
        ] {
            assert_eq!(ask("dora", &how), made, "{how}");
        }
        let made = made.trim_end_matches(';');
        let count = |of: &str| ask("dora", &format!("SELECT count(*) FROM {of}"));
        assert_eq!(count(&format!("({made}) AS made")), count(view), "{view}");
    }
    let sums = |of: &str| {
        let sql = format!("SELECT sum(staked), count(DISTINCT round), max(opened_at) FROM {of}");
        ask("dora", &sql)
    };
    let made = ask("dora", "SELECT pg_get_viewdef('rounds_dollars')");
    let made = format!("({}) AS made", made.trim_end_matches(';'));
    assert_eq!(sums(&made), sums("rounds_dollars"));
    // A table is no view, and what is not there, or not for whoever asks, has no text.
    for none in ["rounds", "edges", "nothing", "access"] {
        assert_eq!(
            ask("dora", &format!("SELECT pg_get_viewdef('{none}') IS NULL")),
            "t"
        );
    }
    let incidents = "SELECT pg_get_viewdef('incidents_dollars')";
    assert!(ask("dora", incidents).contains("\"video\""));
    let of_auditor = ask("otto", incidents);
    assert!(of_auditor.contains("\"headline\"") && !of_auditor.contains("video"));
    let (_, shown, _) = house.psql("dora", &dora, &["-c", "\\d+ rounds_dollars"]);
    assert!(shown.contains("View definition"), "{shown}");
}
