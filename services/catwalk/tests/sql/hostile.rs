//! Tries to get in, to get out, and to break what is there.

use std::io::Write as _;
use std::thread;
use std::time::Duration;

use crate::client::Client;
use crate::{House, catwalk, http};

/// None of these is answered, and the connection goes on after each.
pub(crate) const REFUSED: &[&str] = &[
    // To write.
    "INSERT INTO rounds SELECT * FROM rounds",
    "UPDATE rounds SET round = 'x'",
    "DELETE FROM findings",
    "TRUNCATE findings",
    "DROP TABLE rounds",
    "DROP VIEW rounds_dollars",
    "ALTER TABLE rounds ADD COLUMN x int",
    "CREATE TABLE mine AS SELECT * FROM rounds",
    "CREATE VIEW mine AS SELECT * FROM rounds",
    "CREATE SCHEMA mine",
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "SELECT * INTO mine FROM rounds",
    "WITH gone AS (DELETE FROM rounds RETURNING *) SELECT * FROM gone",
    "GRANT ALL ON rounds TO demo",
    "VACUUM",
    "LOCK TABLE rounds",
    "MERGE INTO rounds USING rounds AS r ON true WHEN MATCHED THEN DELETE",
    // To read and write files.
    "COPY rounds TO '/tmp/catwalk-sql-out.csv'",
    "COPY (SELECT 1) TO '/tmp/catwalk-sql-out.parquet' STORED AS PARQUET",
    "COPY rounds FROM '/etc/passwd'",
    "COPY rounds FROM STDIN",
    "COPY (SELECT 1) TO PROGRAM 'touch /tmp/catwalk-sql-out'",
    "CREATE EXTERNAL TABLE passwd (line text) STORED AS CSV LOCATION '/etc/passwd'",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM \"/etc/passwd\"",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM parquet_metadata('/etc/passwd')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT * FROM pg_ls_dir('/')",
    "LOAD 'plpgsql'",
    // To raise limits, or to become somebody else.
    "SET datafusion.runtime.memory_limit = '100G'",
    "SET datafusion.runtime.temp_directory = '/tmp'",
    "SET datafusion.execution.target_partitions = 1000",
    "SET datafusion.catalog.information_schema = true",
    "SET statement_timeout = '1h'",
    "SET ROLE postgres",
    "SET SESSION AUTHORIZATION postgres",
    "SET default_transaction_read_only = off",
    "RESET ROLE",
    "SELECT set_config('datafusion.runtime.memory_limit', '100G', false)",
    "ALTER SYSTEM SET max_connections = 1",
    "ALTER USER demo SUPERUSER",
    // What is not there for whoever asks.
    "SELECT * FROM information_schema.df_settings",
    "SELECT * FROM datafusion.public.rounds",
    "SELECT * FROM pg_authid",
    "SELECT * FROM pg_shadow",
    "SHOW datafusion.runtime.memory_limit",
    // What tells of the machine.
    "EXPLAIN ANALYZE SELECT * FROM rounds",
    "EXPLAIN (ANALYZE) SELECT * FROM rounds",
    // What would run for ever or make too much.
    "SELECT repeat('x', 2000000000)",
    "SELECT lpad('x', 2000000000, 'y')",
    "SELECT array_repeat(1, 2000000000)",
    "SELECT range(0, 9000000000)",
    "PREPARE p AS SELECT 1",
    "DO $$ BEGIN END $$",
    "CALL no_such_query()",
    "CALL rounds()",
    "BEGIN; COMMIT; nonsense",
    "SELECT 1; SELECT",
    "SELECT 'unfinished",
];

#[test]
fn nothing_is_written_read_from_files_or_raised_by_sql() {
    let house = House::demo();
    let mut client = Client::demo(house.port);
    for sql in REFUSED {
        let (code, told) = client.refusal(sql);
        assert!(!code.is_empty() && !told.is_empty(), "{sql}");
        assert!(!told.contains("root:"), "{sql}: {told}");
        assert_eq!(client.value("SELECT 'still there'"), "still there", "{sql}");
    }
    for made in [
        "/tmp/catwalk-sql-out",
        "/tmp/catwalk-sql-out.csv",
        "/tmp/catwalk-sql-out.parquet",
    ] {
        assert!(!std::path::Path::new(made).exists(), "{made}");
    }
    // What lies too deep, and too long.
    let deep = format!("SELECT {}1{}", "(".repeat(3_000), ")".repeat(3_000));
    assert!(client.ask(&deep).error.is_some());
    let many = format!("SELECT 1{}", " + 1".repeat(9_000));
    assert!(client.ask(&many).error.is_some());
    let long = format!("SELECT '{}'", "x".repeat(200_000));
    assert_eq!(client.refusal(&long).0, "54000");
    assert_eq!(client.value("SELECT 'still there'"), "still there");

    // What is set by one is set for nobody else.
    client.ask("SET application_name = 'mine'");
    let mut other = Client::demo(house.port);
    assert_eq!(client.value("SHOW application_name"), "mine");
    assert_eq!(other.value("SHOW application_name"), "test");
    assert_eq!(client.ask("DISCARD ALL").tags, ["DISCARD ALL"]);
    assert_eq!(client.value("SHOW application_name"), "test");
    cancels(&house, &mut client);
    breaks_the_protocol(&house);
}

/// A question that takes long is cancelled, and one that takes too long is broken off; both free the place they had.
fn cancels(house: &House, client: &mut Client) {
    let long = "SELECT count(*) FROM events AS a, events AS b, events AS c WHERE a.seq + b.seq + c.seq = -1";
    let (process, secret) = client.key;
    let port = house.port;
    for right in [false, true] {
        let secret = if right {
            secret
        } else {
            secret.wrapping_add(1)
        };
        let interrupt = thread::spawn(move || {
            thread::sleep(Duration::from_secs(1));
            let mut stranger = Client::call(port);
            let parts = [80_877_102i32, process, secret].map(i32::to_be_bytes);
            stranger.opening(&parts.concat());
        });
        client.ask("SET statement_timeout = '3s'");
        let (code, told) = client.refusal(long);
        assert_eq!(code, "57014");
        assert_eq!(told.contains("cancelled"), right, "{told}");
        interrupt.join().unwrap();
    }
    client.ask("SET statement_timeout = 0");
    assert_eq!(client.value("SELECT 1"), "1");
}

/// Strangers who say what they should not. The house stands after each.
fn breaks_the_protocol(house: &House) {
    let port = house.port;
    let startup = |user: &str| {
        [
            &196_608i32.to_be_bytes()[..],
            format!("user\0{user}\0\0").as_bytes(),
        ]
        .concat()
    };
    let sasl =
        |length: i32, data: &[u8]| [b"SCRAM-SHA-256\0", &length.to_be_bytes()[..], data].concat();
    type Try = (u8, Vec<u8>);
    let tries: Vec<Vec<Try>> = vec![
        vec![(b'Q', b"SELECT 1\0".to_vec())],
        vec![(b'p', b"password\0".to_vec())],
        vec![(b'p', sasl(-7, b"n,,n=,r=x"))],
        vec![(b'p', sasl(i32::MAX, b"n,,n=,r=x"))],
        vec![(b'p', sasl(9, b"n,,n=,r="))],
        vec![(b'p', sasl(9, b"p=tls-s,,"))],
        vec![
            (b'p', sasl(9, b"n,,n=,r=x")),
            (b'p', b"c=biws,r=x,p=AAAA".to_vec()),
        ],
        vec![(b'p', sasl(9, b"n,,n=,r=x")), (b'p', b"".to_vec())],
        vec![(b'B', vec![0xff; 9_000])],
        vec![(b'X', Vec::new())],
    ];
    for said in tries {
        let mut stranger = Client::call(port);
        stranger.opening(&startup("anna"));
        for (kind, body) in &said {
            stranger.say(*kind, body);
        }
        let mut heard = Vec::new();
        while let Some((kind, _)) = stranger.hear() {
            heard.push(kind);
        }
        assert!(!heard.contains(&b'Z'), "{said:?} came in: {heard:?}");
    }
    lies_about_lengths(port);
    speaks_out_of_turn(port);
}

/// Openings that are none, and lengths that cannot be.
fn lies_about_lengths(port: u16) {
    for opening in [
        &b""[..],
        b"\0\0\0\0",
        b"\xff\xff\xff\xff",
        b"\0\x03\0\0user",
        b"GET / HTTP/1.1\r\n\r\n",
    ] {
        let mut stranger = Client::call(port);
        stranger.opening(opening);
        let _ = stranger.stream.shutdown(std::net::Shutdown::Write);
        while stranger.hear().is_some() {}
    }
    // Lengths that lie.
    for length in [0u32, 3, 0x7fff_ffff, u32::MAX] {
        let mut stranger = Client::call(port);
        let _ = stranger.stream.write_all(&length.to_be_bytes());
        let _ = stranger.stream.shutdown(std::net::Shutdown::Write);
        while stranger.hear().is_some() {}
        let mut guest = Client::demo(port);
        let message = [&b"Q"[..], &length.to_be_bytes(), b"SELECT 1\0"].concat();
        let _ = guest.stream.write_all(&message);
        let _ = guest.stream.shutdown(std::net::Shutdown::Write);
        while guest.hear().is_some() {}
    }
}

/// Many strangers, and everything that a guest may say at the wrong time.
fn speaks_out_of_turn(port: u16) {
    // So many strangers wait that none more is heard, and whoever is in stays in.
    let mut guest = Client::demo(port);
    let waiting: Vec<Client> = (0..40).map(|_| Client::call(port)).collect();
    assert_eq!(guest.value("SELECT 1"), "1");
    drop(waiting);
    // Everything that a guest may say, at the wrong time and about what is not there.
    for (kind, body) in [
        (b'E', &b"nobody\0\0\0\0\0"[..]),
        (b'D', b"Snobody\0"),
        (b'D', b"Pnobody\0"),
        (b'B', b"\0nobody\0\0\0\0\0\0\0"),
        (b'P', b"\0SELECT $2000\0\0\0"),
        (b'P', b"\0SELECT 1; SELECT 2\0\0\0"),
        (b'd', b"copied"),
        (b'c', b""),
    ] {
        guest.say(kind, body);
        guest.say(b'S', b"");
        guest.answer();
        assert_eq!(guest.value("SELECT 1"), "1");
    }
}

#[test]
fn a_wrong_a_revoked_and_an_old_token_open_nothing() {
    let house = House::open("20");
    let folder = house.folder.path();
    let token = house.token("ines", "investigator");
    let one = ["-At", "-c", "SELECT 1"];
    assert_eq!(house.psql("ines", &token, &one).1.trim(), "1");
    // Neither a wrong token nor a user who is not there, and both are told the same.
    let (is_fine, _, wrong) = house.psql("ines", "catwalk_wrong", &one);
    assert!(
        !is_fine && wrong.contains("password authentication failed"),
        "{wrong}"
    );
    let (is_fine, _, nobody) = house.psql("nobody", &token, &one);
    assert!(!is_fine, "{nobody}");
    let failed = |text: &str| {
        text.rsplit("FATAL:")
            .next()
            .unwrap()
            .trim()
            .replace("nobody", "ines")
    };
    assert_eq!(failed(&nobody), failed(&wrong));
    // Whose work it is not, and who sees only some properties.
    let device = house.token("shoe", "device");
    assert!(!house.psql("shoe", &device, &one).0);
    let add = [
        "users",
        "add",
        "part",
        "--role",
        "auditor",
        "--no-password",
        "--property",
        "ebh",
        "-c",
        "catwalk.toml",
    ];
    assert_eq!(catwalk(folder, &add).0, 0);
    is_over_in_time(&house);
    ends_with_its_token(&house, &token);
    // Six wrong tries, and the right one has to wait.
    let other = house.token("otto", "auditor");
    for _ in 0..6 {
        assert!(!house.psql("otto", "catwalk_wrong", &one).0);
    }
    let (is_fine, _, errors) = house.psql("otto", &other, &one);
    assert!(!is_fine && errors.contains("too many tries"), "{errors}");
}

/// A token whose time is over opens nothing, at either door.
fn is_over_in_time(house: &House) {
    let old = house.token("olga", "surveillance");
    assert!(house.psql("olga", &old, &["-c", "SELECT 1"]).0);
    let path = house.folder.path().join("catwalk-data/users.json");
    let mut roll: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    for token in roll["tokens"].as_object_mut().unwrap().values_mut() {
        if token["user"] == "olga" {
            token["expires"] = "2026-01-01T00:00:00.000000Z".into();
        }
    }
    std::fs::write(&path, roll.to_string()).unwrap();
    let (is_fine, _, errors) = house.psql("olga", &old, &["-c", "SELECT 1"]);
    assert!(
        !is_fine && errors.contains("password authentication failed"),
        "{errors}"
    );
    assert_eq!(http::sql(house, &old, "SELECT 1", "").0, 401);
}

/// A connection that is open ends with its token.
fn ends_with_its_token(house: &House, token: &str) {
    let folder = house.folder.path();
    let mut psql = std::process::Command::new("psql");
    psql.env("PGPASSWORD", token);
    let place = format!(
        "host=127.0.0.1 port={} dbname=catwalk user=ines",
        house.port
    );
    let mut psql = psql.args(["-X", "-At", "-v", "ON_ERROR_STOP=1", "-d", &place]);
    psql = psql
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped());
    let mut psql = psql.stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut said = psql.stdin.take().unwrap();
    writeln!(said, "SELECT 'in';").unwrap();
    thread::sleep(Duration::from_secs(1));
    assert_eq!(
        catwalk(folder, &["users", "revoke", "ines", "-c", "catwalk.toml"]).0,
        0
    );
    thread::sleep(Duration::from_secs(4));
    let _ = writeln!(said, "SELECT 'still in';");
    drop(said);
    let output = psql.wait_with_output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!(told.trim(), "in");
    assert!(!house.psql("ines", token, &["-c", "SELECT 1"]).0);
}

#[test]
fn beyond_this_machine_there_is_tls_or_no_door() {
    let folder = tempfile::tempdir().unwrap();
    let settings = "services = [\"sql\"]\n[sql]\nlisten = \"0.0.0.0:0\"\n";
    std::fs::write(folder.path().join("catwalk.toml"), settings).unwrap();
    let (status, _, errors) = catwalk(folder.path(), &["up", "-c", "catwalk.toml"]);
    assert_eq!(status, 1, "{errors}");
    assert!(errors.contains("TLS"), "{errors}");
    let settings = "services = [\"sql\"]\n[sql]\nlisten = \"0.0.0.0:0\"\n\
        [tls]\ncert = \"none.pem\"\nkey = \"none.key\"\n";
    std::fs::write(folder.path().join("catwalk.toml"), settings).unwrap();
    let (status, _, errors) = catwalk(folder.path(), &["up", "-c", "catwalk.toml"]);
    assert_eq!(status, 1, "{errors}");
    assert!(errors.contains("none.pem"), "{errors}");
}
