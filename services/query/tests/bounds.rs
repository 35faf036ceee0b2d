//! A question that asks too much of the machine is refused, and told which bound it is beyond.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use catwalk_query::{Bounds, Session};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};

fn small() -> Bounds {
    Bounds {
        memory_bytes: 4 << 20,
        disk_bytes: 1 << 20,
        // The machine may have much else to do.
        time: Duration::from_secs(300),
        rows_shown: 100,
        ..Bounds::default()
    }
}

fn session(bounds: Bounds) -> Session {
    Session::bounded(bounds).unwrap()
}

async fn refused(bounds: Bounds, sql: &str) -> String {
    let answer = async { session(bounds).sql(sql).await?.sheet().await };
    // Long after the bound of time: a question that does not look at the clock must not hang the tests.
    let answer = tokio::time::timeout(Duration::from_secs(400), answer)
        .await
        .unwrap();
    let error = answer.unwrap_err().to_string();
    assert!(!error.contains('\n'), "{error}");
    error
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_and_disk_are_named() {
    let bounds = Bounds {
        memory_bytes: 32 << 20,
        ..small()
    };
    // A sort goes to the disk, and fills it.
    let sorted = "SELECT value, repeat('x', 200) AS t FROM generate_series(1, 300000) ORDER BY value * 7 % 1000003";
    let error = refused(bounds.clone(), sorted).await;
    assert!(error.contains("the bound disk_bytes allows"), "{error}");
    // With a larger disk it is answered.
    let large = Bounds {
        disk_bytes: 1 << 30,
        rows_shown: 1_000_000,
        ..bounds.clone()
    };
    let answer = session(large)
        .sql(sorted)
        .await
        .unwrap()
        .collect()
        .await
        .unwrap();
    assert_eq!(
        answer.iter().map(|batch| batch.num_rows()).sum::<usize>(),
        300_000
    );
    // What is one value cannot go there.
    let one = "SELECT length(string_agg(repeat('x', 1000), '')) FROM generate_series(1, 100000)";
    let error = refused(bounds, one).await;
    assert!(error.contains("the bound memory_bytes allows"), "{error}");
}

/// Sorted rows point into the buffers of all rows. Counted in full with every batch, they would be many times as much
/// as there is, and no window or join over them would be within its bound.
#[tokio::test(flavor = "multi_thread")]
async fn texts_that_batches_share_are_not_counted_with_each_of_them() {
    let rows = "(SELECT value, \
        arrow_cast(concat('a text that is longer than a view ', value), 'Utf8View') AS t, \
        arrow_cast(concat('and another one of them ', value * 31 % 1000003), 'Utf8View') AS u \
        FROM generate_series(1, 300000))";
    let first = format!(
        "(SELECT *, row_number() OVER (PARTITION BY value % 7 ORDER BY u) AS a FROM {rows})"
    );
    let bounds = Bounds {
        memory_bytes: 96 << 20,
        disk_bytes: 2 << 30,
        ..small()
    };
    for (sql, expected) in [
        (
            format!(
                "SELECT count(*), max(a), max(b) FROM \
                (SELECT *, row_number() OVER (PARTITION BY value % 11 ORDER BY t) AS b FROM {first})"
            ),
            ["300000", "42858", "27273"],
        ),
        (
            format!(
                "SELECT count(*), max(a), max(length(l.t)) FROM {first} AS l JOIN {rows} AS r ON l.t = r.t"
            ),
            ["300000", "42858", "40"],
        ),
    ] {
        let answer = session(bounds.clone()).sql(&sql).await.unwrap();
        assert_eq!(answer.sheet().await.unwrap().rows, [expected], "{sql}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn time_is_named() {
    let forever = "SELECT count(*) FROM generate_series(1, 1000000000000) WHERE value % 7 = 9";
    let bounds = Bounds {
        time: Duration::from_secs(2),
        ..small()
    };
    let error = refused(bounds, forever).await;
    assert!(
        error.contains("the bound time allows, which is 2 s"),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_shown_are_named_and_other_forms_give_all() {
    let many = "SELECT value FROM generate_series(1, 101)";
    let error = refused(small(), many).await;
    assert!(
        error.contains("the bound rows_shown allows, which is 100"),
        "{error}"
    );
    let sheet = session(small())
        .sql("SELECT value FROM generate_series(1, 100)")
        .await
        .unwrap();
    assert_eq!(sheet.sheet().await.unwrap().rows.len(), 100);
    let all = session(small())
        .sql(many)
        .await
        .unwrap()
        .collect()
        .await
        .unwrap();
    assert_eq!(all.iter().map(|batch| batch.num_rows()).sum::<usize>(), 101);
}

#[tokio::test(flavor = "multi_thread")]
async fn depth_is_named_whatever_makes_it() {
    let nested =
        |open: &str, close: &str| format!("SELECT {}1{}", open.repeat(400), close.repeat(400));
    for sql in [
        nested("(", ")"),
        nested("abs(", ")"),
        nested("(SELECT ", ")"),
        nested("CASE WHEN true THEN ", " END"),
    ] {
        let error = refused(small(), &sql).await;
        assert!(
            error.contains("the bound depth allows, which is 50"),
            "{error}"
        );
    }
    for (sql, bound) in [
        (format!("SELECT {}1", "1+".repeat(20_000)), "operators"),
        (format!("SELECT '{}'", "x".repeat(70_000)), "sql_bytes"),
        (
            format!("SELECT 1{}", " UNION SELECT 1".repeat(100)),
            "joins",
        ),
    ] {
        let error = refused(small(), &sql).await;
        assert!(
            error.contains(&format!("the bound {bound} allows")),
            "{error}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_cannot_be_made_without_bound() {
    // Each step makes four of one: after twenty, a million million bytes.
    let doubled = |join: &str| {
        let mut sql = "WITH t0 AS (SELECT repeat('x', 1000) AS t)".to_owned();
        for step in 1..20 {
            let joined = join.replace('t', &format!("t{}.t", step - 1));
            sql.push_str(&format!(
                ", t{step} AS (SELECT {joined} AS t FROM t{})",
                step - 1
            ));
        }
        sql + " SELECT octet_length(t) FROM t19"
    };
    for sql in [
        doubled("t || t || t || t"),
        doubled("CONCAT(t, t, t, t)"),
        doubled("CONCAT_WS(t, t, t, t)"),
        "SELECT repeat('x', 2000000000)".to_owned(),
        "SELECT lpad('x', 2000000000, 'y')".to_owned(),
        "SELECT replace(repeat('x', 60000), 'x', repeat('y', 60000))".to_owned(),
        "SELECT max(octet_length(v || repeat('x', 60000))) FROM \
         (SELECT CAST(value AS text) AS v FROM generate_series(1, 8192))"
            .to_owned(),
        // What is made of constants lies in the plan, and beside each row.
        "SELECT count(DISTINCT repeat('x', 60000000) || CAST(value AS text)) FROM generate_series(1, 8192)"
            .to_owned(),
        "SELECT repeat('x', 900000) FROM generate_series(1, 8192)".to_owned(),
    ] {
        let error = refused(small(), &sql).await;
        assert!(error.contains("the bound made_bytes is"), "{sql}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_are_joined_as_they_were() {
    // As DataFusion itself does it, without bounds.
    let config = SessionConfig::new();
    let runtime = RuntimeEnvBuilder::new().build_arc().unwrap();
    let plain = SessionContext::new_with_config_rt(config, runtime);
    let sql = "SELECT 'a' || 'b' AS two, v || '-' || value AS mixed, v || NULL AS nothing, \
        [1] || [2] AS lists, concat(v, NULL, 'z') AS c FROM \
        (SELECT value, CASE WHEN value <> 2 THEN 'v' END AS v FROM generate_series(1, 3)) ORDER BY value";
    let expected = plain.sql(sql).await.unwrap().collect().await.unwrap();
    let found = session(small())
        .sql(sql)
        .await
        .unwrap()
        .collect()
        .await
        .unwrap();
    let shown = |batches: &[_]| {
        arrow::util::pretty::pretty_format_batches(batches)
            .unwrap()
            .to_string()
    };
    assert_eq!(shown(&found), shown(&expected));
}
