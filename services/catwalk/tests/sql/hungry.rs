//! Questions that ask for all memory, all disk, or no end.

use std::fs;

use super::House;

/// Each makes much of little, or goes on for ever.
const HUNGRY: &[&str] = &[
    "SELECT repeat('x', 60000000) FROM events",
    "SELECT length(repeat('x', 60000000)) FROM events",
    "SELECT count(DISTINCT repeat('x', 60000000) || id) FROM events",
    "SELECT range(0, 8000000) FROM events",
    "SELECT count(*) FROM (SELECT unnest(range(0, 8000000)) AS n FROM events AS a, events AS b)",
    "SELECT array_agg(n) FROM generate_series(1, 90000000000) AS t(n)",
    "SELECT count(*) FROM generate_series(1, 9000000000000)",
    "SELECT string_agg(a.body || b.body, '') FROM events AS a, events AS b",
    "SELECT array_agg(a.body || b.body) FROM events AS a, events AS b",
    "SELECT max(length(t)) FROM (SELECT string_agg(a.body || b.body, ',') AS t FROM events AS a, events AS b \
     GROUP BY a.table_id)",
    "SELECT a.body, b.body, c.id FROM events AS a, events AS b, events AS c ORDER BY a.body || b.body || c.id",
    "SELECT DISTINCT a.body || b.body || c.id FROM events AS a, events AS b, events AS c",
    "SELECT sum(a.seq) OVER (ORDER BY a.body || b.body) FROM events AS a, events AS b",
    "SELECT count(*) FROM events AS x JOIN (SELECT a.body || b.body AS k FROM events AS a, events AS b) AS y \
     ON x.body = y.k",
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t",
    "WITH RECURSIVE t(n) AS (SELECT body FROM events UNION ALL SELECT n || n FROM t) SELECT count(*) FROM t",
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT a.n FROM t AS a, t AS b) SELECT count(*) FROM t",
    "SELECT regexp_replace(repeat('a', 5000000), '(a*)*b', 'x') FROM events",
    "SELECT replace(repeat('a', 8000), 'a', repeat('b', 8000)) FROM events",
    "SELECT concat_ws(repeat('a', 1000000), body, body, body, body) FROM events",
    "SELECT array_to_string(array_repeat(repeat('a', 1000000), 60), 'x') FROM events",
    "SELECT translate(repeat('a', 60000000), 'a', 'b') FROM events",
    "SELECT encode(repeat('a', 60000000)::bytea, 'hex') FROM events",
    "SELECT upper(repeat('ß', 30000000)) FROM events",
    "SELECT to_hex(9223372036854775807) || repeat('a', 60000000) FROM events",
    "SELECT array_concat(range(0, 8000000), range(0, 8000000)) FROM events",
    "SELECT flatten(array_repeat(range(0, 80000), 90)) FROM events",
    "SELECT split_part(repeat('a,', 30000000), ',', 2) FROM events",
    "SELECT string_to_array(repeat('a,', 30000000), ',') FROM events",
    "SELECT approx_percentile_cont(a.seq + b.seq, 0.5) FROM events AS a, events AS b, events AS c",
    "SELECT count(*) FROM rounds CROSS JOIN wagers CROSS JOIN events CROSS JOIN findings GROUP BY CUBE (1)",
];

/// What a house holds, in KiB.
fn memory(house: &House) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", house.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .parse()
        .unwrap()
}

#[test]
fn no_question_takes_all_memory_or_all_disk() {
    let folder = House::played("100");
    let config = folder.path().join("catwalk.toml");
    let bounds = "max_memory_mb = 256\nmax_disk_mb = 64\n";
    let settings = fs::read_to_string(&config).unwrap() + bounds;
    fs::write(&config, settings).unwrap();
    let house = House::begin(folder, &["up", "-c", "catwalk.toml"]);
    let token = house.token("sara", "surveillance");
    assert!(
        house
            .psql("sara", &token, &["-c", "SELECT count(*) FROM events"])
            .0
    );
    for sql in HUNGRY {
        let before = memory(&house);
        let ask = ["-At", "-c", "SET statement_timeout = '4s'", "-c", sql];
        let (is_fine, told, errors) = house.psql("sara", &token, &ask);
        let after = memory(&house);
        let grown = after.saturating_sub(before) / 1024;
        println!("{grown} MiB more at most: {sql}: {}", errors.trim());
        assert!(told.len() < 100 << 20, "{sql}");
        assert!(!errors.contains("server closed"), "{sql}: {errors}");
        assert!(is_fine || errors.contains("ERROR"), "{sql}: {errors}");
        assert!(after < 2 << 20, "{sql}: {} MiB", after / 1024);
        let (is_there, _, errors) = house.psql("sara", &token, &["-c", "SELECT 1"]);
        assert!(is_there, "after {sql}: {errors}");
    }
}
