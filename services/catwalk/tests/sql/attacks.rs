//! More tries: by prepared statements and cursors, by answers that are left open, and at the door itself.

use std::fs;
use std::net::{IpAddr, UdpSocket};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::hostile::REFUSED;
use crate::{House, catwalk, http};

/// What writes, within what only asks.
const WRAPPED: &[&str] = &[
    "DECLARE c CURSOR FOR DELETE FROM rounds RETURNING round",
    "DECLARE c CURSOR WITH HOLD FOR SELECT 1",
    "DECLARE c CURSOR FOR SELECT * INTO mine FROM rounds",
    "DECLARE c CURSOR FOR COPY (SELECT 1) TO '/tmp/catwalk-sql-out'",
    "COPY (DELETE FROM rounds RETURNING round) TO STDOUT",
    "COPY (INSERT INTO rounds SELECT * FROM rounds) TO STDOUT",
    "COPY (SELECT * INTO mine FROM rounds) TO STDOUT",
    "COPY (SELECT 1) TO STDOUT; DROP TABLE rounds",
    "EXPLAIN INSERT INTO rounds SELECT * FROM rounds",
    "EXPLAIN CREATE TABLE mine AS SELECT 1",
    "EXPLAIN COPY (SELECT 1) TO '/tmp/catwalk-sql-out.csv' STORED AS CSV",
    "EXPLAIN VERBOSE DROP TABLE rounds",
    "WITH new AS (INSERT INTO rounds SELECT * FROM rounds RETURNING *) SELECT * FROM new",
    "WITH new AS (UPDATE rounds SET round = 'x' RETURNING *) SELECT * FROM new",
    "SELECT * FROM (DELETE FROM rounds RETURNING *) AS gone",
    "EXECUTE p",
    "PREPARE p AS DELETE FROM rounds",
    "CREATE OR REPLACE VIEW rounds_dollars AS SELECT 1",
    "CREATE TEMP TABLE mine AS SELECT * FROM rounds",
    "CREATE UNLOGGED TABLE mine (a int)",
    "CREATE MATERIALIZED VIEW mine AS SELECT 1",
    "REFRESH MATERIALIZED VIEW mine",
    "COMMENT ON TABLE rounds IS 'mine'",
    "IMPORT FOREIGN SCHEMA public FROM SERVER mine INTO public",
    "REINDEX TABLE rounds",
    "ANALYZE rounds",
    "CLUSTER rounds",
    "NOTIFY all_of_you, 'x'",
    "SELECT * FROM rounds FOR UPDATE",
    "SELECT * FROM read_parquet('/etc/passwd')",
    "SELECT * FROM 'file:///etc/passwd'",
    "SELECT * FROM read_json('/etc/passwd')",
    "SELECT load_extension('x')",
    "SELECT pg_terminate_backend(1)",
    "SELECT pg_cancel_backend(1)",
    "SELECT pg_sleep(60)",
    "SELECT pg_reload_conf()",
    "SELECT pg_stat_file('/etc/passwd')",
    "SELECT pg_read_binary_file('/etc/passwd')",
    "SELECT lo_export(1, '/tmp/catwalk-sql-out')",
    "SELECT dblink('host=127.0.0.1', 'SELECT 1')",
    "SELECT nextval('mine')",
    "SELECT setval('mine', 1)",
    "SELECT query_to_xml('DELETE FROM rounds', true, true, '')",
    "SET datafusion.execution.batch_size = 100000000",
    "SET datafusion.sql_parser.dialect = 'generic'",
    "SET LOCAL datafusion.runtime.max_temp_directory_size = '1T'",
    "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE; DELETE FROM rounds",
    "BEGIN READ WRITE; DELETE FROM rounds; COMMIT",
    "RESET datafusion.runtime.memory_limit",
];

#[test]
fn what_is_refused_at_once_is_refused_prepared_and_behind_a_cursor() {
    let house = House::demo();
    let mut client = Client::demo(house.port);
    let before = client.value("SELECT count(*) > 0 FROM rounds");
    for sql in WRAPPED {
        client.ask("BEGIN");
        let answer = client.ask(sql);
        let fetched = client.ask("FETCH ALL FROM c");
        let is_declared = sql.starts_with("DECLARE") && fetched.error.is_some();
        let is_refused = answer.error.is_some() || is_declared;
        assert!(
            is_refused && fetched.rows.is_empty(),
            "{sql}: {answer:?} {fetched:?}"
        );
        client.ask("ROLLBACK");
    }
    for sql in REFUSED.iter().chain(WRAPPED) {
        let answer = client.prepared(sql);
        let (code, told) = answer
            .error
            .clone()
            .unwrap_or_else(|| panic!("{sql}: {answer:?}"));
        assert!(code.len() == 5 && !told.contains("root:"), "{sql}: {told}");
        assert!(answer.rows.is_empty(), "{sql}");
        assert_eq!(client.value("SELECT 'still there'"), "still there", "{sql}");
    }
    assert_eq!(client.value("SELECT count(*) > 0 FROM rounds"), before);
    assert_eq!(
        client.prepared("SELECT 'said'").rows,
        [[Some("said".to_owned())]]
    );
    let made = fs::read_dir("/tmp").unwrap().flatten();
    let made = made.filter(|file| {
        file.file_name()
            .to_string_lossy()
            .starts_with("catwalk-sql-out")
    });
    assert_eq!(made.count(), 0);
}

/// Answers that are begun and not fetched: psql's, DBeaver's, or those of somebody who wants nobody else to be served.
#[test]
fn whoever_leaves_answers_open_keeps_nobody_else_waiting() {
    let house = House::demo();
    let large = "SELECT a.body, b.body FROM events AS a, events AS b";
    let mut idle: Vec<Client> = (0..2).map(|_| Client::demo(house.port)).collect();
    for client in &mut idle {
        client.ask("BEGIN");
        for place in 0..8 {
            let declared = client.ask(&format!("DECLARE c{place} CURSOR FOR {large}"));
            assert_eq!(declared.error, None);
            assert_eq!(client.ask(&format!("FETCH 1 FROM c{place}")).rows.len(), 1);
        }
    }
    let begun = Instant::now();
    let mut other = Client::demo(house.port);
    assert_eq!(other.value("SELECT count(*) > 0 FROM events"), "t");
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "{:?}",
        begun.elapsed()
    );
    // There is an end to what one connection has open, and what is closed makes room.
    let client = &mut idle[0];
    assert_eq!(
        client.refusal(&format!("DECLARE c9 CURSOR FOR {large}")).0,
        "53400"
    );
    client.ask("ROLLBACK");
    client.ask("BEGIN");
    client.ask("DECLARE c CURSOR FOR SELECT 1 AS a UNION ALL SELECT 2 ORDER BY a");
    let fetched = client.ask("FETCH ALL FROM c");
    assert_eq!(
        fetched.rows,
        [[Some("1".to_owned())], [Some("2".to_owned())]]
    );
    assert!(client.ask("FETCH ALL FROM c").rows.is_empty());
    assert_eq!(client.ask("COMMIT").tags, ["COMMIT"]);
}

/// The address by which others reach this machine; nothing is sent.
fn own_address() -> IpAddr {
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    socket.connect("198.51.100.1:9").unwrap();
    let own = socket.local_addr().unwrap().ip();
    assert!(
        !own.is_loopback(),
        "this machine has no address but its own"
    );
    own
}

#[test]
fn off_this_machine_nothing_is_said_in_plain_text() {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let folder = House::played("20");
    let at = |name: &str| folder.path().join(name);
    fs::write(at("house.pem"), made.cert.pem()).unwrap();
    fs::write(at("house.key"), made.signing_key.serialize_pem()).unwrap();
    let settings = fs::read_to_string(at("catwalk.toml")).unwrap();
    let settings = settings.replace(
        "[sql]\nlisten = \"127.0.0.1:0\"",
        "[sql]\nlisten = \"0.0.0.0:0\"",
    ) + "[tls]\ncert = \"house.pem\"\nkey = \"house.key\"\n";
    fs::write(at("catwalk.toml"), settings).unwrap();
    let house = House::begin(folder, &["up", "-c", "catwalk.toml"]);
    let token = house.token("sara", "surveillance");
    let own = own_address();
    let ask = |mode: &str| {
        let place = format!(
            "host={own} port={} dbname=catwalk user=sara sslmode={mode}",
            house.port
        );
        let mut psql = Command::new("psql");
        let psql = psql
            .env("PGPASSWORD", &token)
            .args(["-X", "-At", "-d", &place]);
        let output = psql.args(["-c", "SELECT 'in'"]).output().unwrap();
        (
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (told, errors) = ask("disable");
    assert!(
        told.is_empty() && errors.contains("only TLS is spoken here"),
        "{told}{errors}"
    );
    let (told, errors) = ask("require");
    assert_eq!(told.trim(), "in", "{errors}");
    // Nobody is asked for a password before that is said.
    let mut plain = Client::call_at((own, house.port));
    plain.open(&[("user", "sara"), ("database", "catwalk")]);
    let heard: Vec<u8> = std::iter::from_fn(|| plain.hear())
        .map(|(kind, _)| kind)
        .collect();
    assert_eq!(heard, [b'E']);
}

/// With a certificate or a key that is none, that is of another, or that cannot be read, no door is opened at all.
#[test]
fn with_a_certificate_that_cannot_be_used_no_door_is_opened() {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let other = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("good.pem"), made.cert.pem()).unwrap();
    fs::write(at("good.key"), made.signing_key.serialize_pem()).unwrap();
    fs::write(at("other.key"), other.signing_key.serialize_pem()).unwrap();
    fs::write(at("empty.pem"), "").unwrap();
    fs::write(
        at("garbage.pem"),
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    )
    .unwrap();
    fs::write(at("text.key"), "a key").unwrap();
    fs::create_dir(at("folder.pem")).unwrap();
    for (cert, key, named) in [
        ("none.pem", "good.key", "none.pem"),
        ("good.pem", "none.key", "none.key"),
        ("empty.pem", "good.key", "empty.pem"),
        ("garbage.pem", "good.key", "garbage.pem"),
        ("folder.pem", "good.key", "folder.pem"),
        ("good.pem", "text.key", "text.key"),
        ("good.pem", "other.key", "other.key"),
    ] {
        for address in ["0.0.0.0:0", "127.0.0.1:0"] {
            let settings = format!(
                "services = [\"sql\"]\n[sql]\nlisten = \"{address}\"\n[tls]\ncert = \"{cert}\"\nkey = \"{key}\"\n"
            );
            fs::write(at("catwalk.toml"), settings).unwrap();
            let (status, _, errors) = catwalk(folder.path(), &["up", "-c", "catwalk.toml"]);
            assert_eq!(status, 1, "{cert} {key}: {errors}");
            assert!(errors.contains(named), "{cert} {key}: {errors}");
            assert!(
                !errors.contains(" port="),
                "{cert} {key}: a door was opened: {errors}"
            );
        }
    }
}

/// A token that is revoked in the middle of an answer ends it, at either door.
#[test]
fn an_answer_ends_with_the_token_that_it_was_asked_with() {
    let house = House::open("60");
    let token = house.token("sara", "surveillance");
    let endless = "SELECT a.body, b.body, c.id FROM events AS a, events AS b, events AS c";
    let place = format!(
        "host=127.0.0.1 port={} dbname=catwalk user=sara",
        house.port
    );
    let mut psql = Command::new("psql");
    let psql = psql
        .env("PGPASSWORD", &token)
        .args(["-X", "-At", "-v", "FETCH_COUNT=1000"]);
    let psql = psql.args(["-d", &place, "-c", endless]);
    let mut psql = psql
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_secs(2));
    assert_eq!(
        psql.try_wait().unwrap(),
        None,
        "the answer has ended by itself"
    );
    let revoke = ["users", "revoke", "sara", "-c", "catwalk.toml"];
    assert_eq!(catwalk(house.folder.path(), &revoke).0, 0);
    let begun = Instant::now();
    let output = psql.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && errors.contains("revoked"),
        "{errors}"
    );
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(http::sql(&house, &token, "SELECT 1", "").0, 401);
}
