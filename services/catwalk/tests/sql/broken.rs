//! What is broken off: by the clock, by whoever asked, by the end of the program. And who never comes to the point.

use std::fs;
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::{House, PATIENCE, catwalk};

/// A question that makes more and more of what it holds, and then rows without end.
const GROWING: &str =
    "SELECT count(DISTINCT a.body || b.id || c.id) FROM events AS a, events AS b, events AS c";
const ENDLESS: &str = "SELECT a.body, b.body, c.id FROM events AS a, events AS b, events AS c";

/// What the process of a house holds: memory in KiB, and threads.
fn holds(house: &House) -> (u64, u64) {
    let status = fs::read_to_string(format!("/proc/{}/status", house.child.id())).unwrap();
    let number = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let word = line.unwrap().split_whitespace().next().unwrap();
        word.parse().unwrap()
    };
    (number("VmRSS:"), number("Threads:"))
}

/// Cancelled and timed out over and over, a question leaves neither memory nor threads behind.
#[test]
fn what_is_broken_off_is_given_back() {
    let house = House::open("60");
    let token = house.token("sara", "surveillance");
    let break_off = || {
        for sql in [GROWING, ENDLESS] {
            let by_clock = ["-c", "SET statement_timeout = '1500ms'", "-c", sql];
            let (is_fine, _, errors) = house.psql("sara", &token, &by_clock);
            assert!(!is_fine && errors.contains("ERROR"), "{errors}");
            cancelled(&house, &token, sql);
        }
    };
    // The first time caches are filled.
    break_off();
    let (memory, threads) = holds(&house);
    for _ in 0..4 {
        break_off();
    }
    let settled = || {
        let (after, threads_after) = holds(&house);
        (
            after < memory + 96 * 1024 && threads_after <= threads + 2,
            after,
            threads_after,
        )
    };
    let begun = Instant::now();
    while !settled().0 {
        let (_, after, threads_after) = settled();
        let told = format!("{memory} KiB and {threads} threads, then {after} and {threads_after}");
        assert!(begun.elapsed() < Duration::from_secs(30), "{told}");
        thread::sleep(Duration::from_millis(500));
    }
    let (_, after, threads_after) = settled();
    println!(
        "8 broken off: {memory} KiB and {threads} threads; 32 more: {after} and {threads_after}"
    );
    // All places are free again.
    for _ in 0..6 {
        assert!(house.psql("sara", &token, &["-c", "SELECT 1"]).0);
    }
}

/// psql that is told to stop, as by Ctrl-C.
fn cancelled(house: &House, token: &str, sql: &str) {
    let place = format!(
        "host=127.0.0.1 port={} dbname=catwalk user=sara",
        house.port
    );
    let mut psql = Command::new("psql");
    let psql = psql.env("PGPASSWORD", token).args([
        "-X",
        "-d",
        &place,
        "-v",
        "FETCH_COUNT=100",
        "-c",
        sql,
    ]);
    let mut child = psql
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_millis(1_500));
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    let mut errors = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut errors)
        .unwrap();
    // Between two portions there is nothing to cancel, and psql ends by itself.
    child.wait().unwrap();
}

/// The program is killed in the middle of a large answer.
#[test]
fn when_it_is_killed_the_question_is_on_record_and_the_archive_whole() {
    let mut house = House::open("60");
    let token = house.token("sara", "surveillance");
    let all = "SELECT (SELECT count(*) FROM rounds) AS a, (SELECT count(*) FROM events) AS b";
    let (_, before, errors) = house.psql("sara", &token, &["--csv", "-t", "-c", all]);
    assert!(!before.is_empty(), "{errors}");
    let place = format!(
        "host=127.0.0.1 port={} dbname=catwalk user=sara",
        house.port
    );
    let mut psql = Command::new("psql");
    let psql = psql
        .env("PGPASSWORD", &token)
        .args(["-X", "-At", "-v", "FETCH_COUNT=1000"]);
    let psql = psql.args(["-d", &place, "-c", ENDLESS]);
    let mut child = psql
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It is in the middle once a megabyte has come.
    let mut told = child.stdout.take().unwrap();
    let mut some = vec![0; 1 << 20];
    told.read_exact(&mut some).unwrap();
    let drain = thread::spawn(move || std::io::copy(&mut told, &mut std::io::sink()));
    house.child.kill().unwrap();
    house.child.wait().unwrap();
    let mut errors = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut errors)
        .unwrap();
    assert!(
        !child.wait().unwrap().success(),
        "the client was told nothing"
    );
    assert!(
        errors.contains("server closed") || errors.contains("connection"),
        "{errors}"
    );
    drain.join().unwrap().unwrap();

    is_whole(&house, all, before.trim());
}

/// What was asked is on record without an answer, and the archive is what it was.
fn is_whole(house: &House, all: &str, before: &str) {
    let folder = house.folder.path();
    let (status, _, errors) = catwalk(folder, &["up", "-c", "catwalk.toml", "--once"]);
    assert_eq!(status, 0, "{errors}");
    let look = "SELECT stage, who, outcome FROM access WHERE text LIKE '%a.body, b.body%' AND who = 'sara'";
    let ask = [
        "query",
        "--archive",
        "catwalk-data/archive",
        "--format",
        "csv",
        look,
    ];
    let (status, told, errors) = catwalk(folder, &ask);
    assert_eq!(status, 0, "{errors}");
    assert_eq!(told, "stage,who,outcome\nasked,sara,\n");
    let same = [
        "query",
        "--archive",
        "catwalk-data/archive",
        "--format",
        "csv",
        all,
    ];
    let (_, told, errors) = catwalk(folder, &same);
    assert_eq!(told.lines().nth(1), Some(before), "{errors}");
    let (status, told, errors) = catwalk(folder, &["verify", "catwalk-data/archive"]);
    assert_eq!(status, 0, "{told}{errors}");
}

/// Whoever says what he has to say byte by byte is not waited for, and keeps nobody else out.
#[test]
fn whoever_never_comes_to_the_point_is_shown_out() {
    let house = House::open("20");
    let token = house.token("sara", "surveillance");
    let port = house.port;
    let slow = |said: &'static [u8]| {
        thread::spawn(move || {
            let mut stranger = Client::call(port);
            let begun = Instant::now();
            for byte in said.iter().cycle() {
                thread::sleep(Duration::from_millis(700));
                if stranger.stream.write_all(&[*byte]).is_err() {
                    break;
                }
                assert!(
                    begun.elapsed() < PATIENCE,
                    "a stranger is waited for without end"
                );
            }
        })
    };
    // The beginning of an opening, of a request for TLS, and of TLS itself.
    let strangers = [
        slow(b"\0\0\x20\0\0\x03\0\0user\0sara\0"),
        slow(b"\0\0\0\x08\x04\xd2\x16\x2f\0\0\0"),
        slow(b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03"),
    ];
    for _ in 0..3 {
        assert!(house.psql("sara", &token, &["-c", "SELECT 1"]).0);
    }
    for stranger in strangers {
        stranger.join().unwrap();
    }
}

/// By TLS with the certificate of the house, and by no other; nothing that was said before it is taken for said by it.
#[test]
fn tls_is_of_the_house_and_nothing_slips_in_before_it() {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let other = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let folder = House::played("20");
    let at = |name: &str| folder.path().join(name);
    fs::write(at("house.pem"), made.cert.pem()).unwrap();
    fs::write(at("other.pem"), other.cert.pem()).unwrap();
    fs::write(at("house.key"), made.signing_key.serialize_pem()).unwrap();
    let mut settings = fs::read_to_string(at("catwalk.toml")).unwrap();
    settings.push_str("[tls]\ncert = \"house.pem\"\nkey = \"house.key\"\n");
    fs::write(at("catwalk.toml"), settings).unwrap();
    let house = House::begin(folder, &["up", "-c", "catwalk.toml"]);
    let token = house.token("sara", "surveillance");
    let ask = |root: &str| {
        let root = house.folder.path().join(root);
        let place = format!(
            "host=localhost hostaddr=127.0.0.1 port={} dbname=catwalk user=sara sslmode=verify-full sslrootcert={}",
            house.port,
            root.display()
        );
        let mut psql = Command::new("psql");
        let psql =
            psql.env("PGPASSWORD", &token)
                .args(["-X", "-At", "-d", &place, "-c", "SELECT 'in'"]);
        let output = psql.output().unwrap();
        (
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (told, errors) = ask("house.pem");
    assert_eq!(told.trim(), "in", "{errors}");
    let (told, errors) = ask("other.pem");
    assert!(
        told.is_empty() && errors.contains("certificate"),
        "{errors}"
    );
    // Somebody between the two adds an opening of his own to the request for TLS.
    let mut between = Client::call(house.port);
    let opening = [&9u32.to_be_bytes()[..], &196_608i32.to_be_bytes(), b"\0"].concat();
    let both = [
        &8u32.to_be_bytes()[..],
        &80_877_103i32.to_be_bytes(),
        &opening,
    ]
    .concat();
    between.stream.write_all(&both).unwrap();
    let mut heard = Vec::new();
    let _ = between.stream.read_to_end(&mut heard);
    assert!(heard.is_empty() || heard == b"S", "{heard:?}");
}
