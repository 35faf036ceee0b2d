//! The door for clients of PostgreSQL: what is answered, what is refused, and what is on record of it.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

mod answers;
mod attacks;
mod broken;
mod client;
mod hostile;
mod http;
mod hungry;
mod roles;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use assert_cmd::cargo::CommandCargoExt as _;

use self::client::Client;

const PATIENCE: Duration = Duration::from_secs(120);

/// Services over a floor that was played, settled and archived; ended when this is dropped.
pub(crate) struct House {
    pub(crate) child: Child,
    pub(crate) port: u16,
    /// Of the console; empty where there is none.
    pub(crate) url: String,
    pub(crate) folder: tempfile::TempDir,
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn catwalk(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("catwalk").unwrap();
    let output = command.current_dir(folder).args(args).output().unwrap();
    (
        output.status.code().unwrap_or(-1),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

impl House {
    /// A floor that was played; nothing is at work yet.
    pub(crate) fn played(rounds: &str) -> tempfile::TempDir {
        House::played_so(&["--rounds", rounds])
    }

    /// The same as `catwalk simulate` is told.
    pub(crate) fn played_so(how: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let settings = "services = [\"settler\", \"archiver\", \"desk\", \"console\", \"sql\"]\n[log]\npartitions = 2\n\
            [console]\nlisten = \"127.0.0.1:0\"\n[archive]\nflush_interval_ms = 300\n\
            [sql]\nlisten = \"127.0.0.1:0\"\nmax_seconds = 20\n";
        fs::write(folder.path().join("catwalk.toml"), settings).unwrap();
        let simulate = [
            "simulate",
            "--partitions",
            "2",
            "--log",
            "embedded:catwalk-data/log",
        ];
        let simulate = [&simulate[..], how].concat();
        let (status, _, errors) = catwalk(folder.path(), &simulate);
        assert_eq!(status, 0, "{errors}");
        let (status, _, errors) = catwalk(folder.path(), &["up", "-c", "catwalk.toml", "--once"]);
        assert_eq!(status, 0, "{errors}");
        folder
    }

    /// The same with the services at work.
    pub(crate) fn open(rounds: &str) -> House {
        House::begin(House::played(rounds), &["up", "-c", "catwalk.toml"])
    }

    /// A demo, whose user needs no token.
    pub(crate) fn demo() -> House {
        let folder = tempfile::tempdir().unwrap();
        let args = [
            "demo",
            "--console-port",
            "0",
            "--sql-port",
            "0",
            "--data",
            "demo",
            "--pace",
            "100",
        ];
        let house = House::begin(folder, &args);
        let begun = Instant::now();
        loop {
            let answer = Client::demo(house.port).ask("SELECT count(*) FROM rounds");
            if answer
                .rows
                .first()
                .is_some_and(|row| row[0].as_deref() != Some("0"))
            {
                return house;
            }
            assert!(begun.elapsed() < PATIENCE, "{answer:?}");
            thread::sleep(Duration::from_millis(300));
        }
    }

    pub(crate) fn begin(folder: tempfile::TempDir, args: &[&str]) -> House {
        let mut command = std::process::Command::cargo_bin("catwalk").unwrap();
        let command = command.current_dir(folder.path()).args(args);
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let (sender, heard) = mpsc::channel();
        thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                eprintln!("{line}");
                let _ = sender.send(line);
            }
        });
        let begun = Instant::now();
        let mut url = String::new();
        let port = loop {
            let line = heard
                .recv_timeout(PATIENCE.saturating_sub(begun.elapsed()))
                .unwrap();
            if let Some((_, rest)) = line.split_once("console at ") {
                rest.trim_end_matches('/').clone_into(&mut url);
            }
            if let Some((_, rest)) = line.split_once(" port=") {
                break rest.split(' ').next().unwrap().parse().unwrap();
            }
        };
        House {
            child,
            port,
            url,
            folder,
        }
    }

    /// A token of a new user.
    pub(crate) fn token(&self, user: &str, role: &str) -> String {
        let add = ["users", "add", user, "--role", role, "--no-password"];
        self.token_of(user, &add)
    }

    /// A token of a user who is made by these words.
    pub(crate) fn token_of(&self, user: &str, add: &[&str]) -> String {
        let folder = self.folder.path();
        let add = [add, &["-c", "catwalk.toml"]].concat();
        let (status, _, errors) = catwalk(folder, &add);
        assert_eq!(status, 0, "{errors}");
        let token = ["users", "token", user, "--days", "1", "-c", "catwalk.toml"];
        let (status, told, errors) = catwalk(folder, &token);
        assert_eq!(status, 0, "{errors}");
        let mut words = told.split_whitespace().chain(errors.split_whitespace());
        words
            .find(|word| word.starts_with("catwalk_"))
            .unwrap()
            .to_owned()
    }

    /// psql, as somebody with a password.
    pub(crate) fn psql(&self, user: &str, token: &str, args: &[&str]) -> (bool, String, String) {
        let mut psql = std::process::Command::new("psql");
        psql.env("PGPASSWORD", token).env("PGCONNECT_TIMEOUT", "30");
        let place = format!(
            "host=127.0.0.1 port={} dbname=catwalk user={user}",
            self.port
        );
        let output = psql.arg("-X").args(["-d", &place]).args(args).output();
        let output =
            output.unwrap_or_else(|error| panic!("psql is needed (postgresql-client): {error}"));
        (
            output.status.success(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    }
}

#[test]
fn an_investigator_asks_with_psql_and_every_question_is_on_record() {
    let house = House::open("60");
    let ines = house.token("ines", "investigator");
    let ask = |args: &[&str]| {
        let (is_fine, told, errors) = house.psql("ines", &ines, args);
        assert!(is_fine, "{args:?}: {errors}");
        told
    };
    // What psql asks of the catalogue by itself.
    let tables = ask(&["-c", "\\dt"]);
    assert!(
        tables.contains(" rounds ") && !tables.contains(" access "),
        "{tables}"
    );
    let columns = "SELECT column_name || ' ' || data_type FROM information_schema.columns WHERE table_name = 'wagers'";
    let columns = ask(&["-At", "-c", columns]);
    assert!(columns.contains("difference_cents bigint"), "{columns}");
    let comment = "SELECT col_description(a.attrelid, a.attnum) FROM pg_attribute AS a \
        WHERE a.attrelid = 'wagers'::regclass AND a.attname = 'difference_cents'";
    let comment = ask(&["-At", "-c", comment]);
    assert!(comment.contains("In cents."), "{comment}");
    // The same rows as at the command line.
    for (call, name) in [
        ("CALL mispaid()", "mispaid"),
        ("CALL findings_by_code()", "findings-by-code"),
    ] {
        let told = ask(&["--csv", "-c", call]);
        let archive = [
            "query",
            "--archive",
            "catwalk-data/archive",
            "--format",
            "csv",
            "--named",
            name,
        ];
        let (status, own, errors) = catwalk(house.folder.path(), &archive);
        assert_eq!(status, 0, "{errors}");
        assert_eq!(told.lines().count(), own.lines().count(), "{call}");
        let first = |text: &str| text.lines().next().unwrap().to_owned();
        assert_eq!(first(&told), first(&own));
    }
    // Out as a file of the client's.
    let file = house.folder.path().join("out.csv");
    let copy = format!(
        "\\copy (SELECT round, staked_cents FROM rounds ORDER BY round) TO '{}' CSV HEADER",
        file.display()
    );
    ask(&["-c", "SET catwalk.case = 'C-7'", "-c", &copy]);
    let copied = fs::read_to_string(&file).unwrap();
    let count: usize = ask(&["-At", "-c", "SELECT count(*) FROM rounds"])
        .trim()
        .parse()
        .unwrap();
    assert_eq!(copied.lines().count(), count + 1);
    // In dollars they are the same money.
    let sums = "SELECT (SELECT sum(staked_cents) FROM rounds) = (SELECT sum(staked) * 100 FROM rounds_dollars)";
    assert_eq!(ask(&["-At", "-c", sums]).trim(), "t");

    is_on_record(&house, &ines, count);
}

/// Who asked is read by whoever oversees it, once it is archived.
fn is_on_record(house: &House, ines: &str, count: usize) {
    let rita = house.token("rita", "regulator");
    let (is_fine, _, errors) = house.psql("ines", ines, &["-c", "SELECT * FROM access"]);
    assert!(!is_fine && errors.contains("does not exist"), "{errors}");
    let begun = Instant::now();
    let look = "SELECT stage || ' ' || who || ' ' || coalesce(case_id, '-') || ' ' || coalesce(outcome, '-') || ' ' || \
        coalesce(rows, -1) FROM access WHERE text LIKE 'COPY%' ORDER BY at";
    loop {
        let (is_fine, told, errors) = house.psql("rita", &rita, &["-At", "-c", look]);
        let wanted = format!("asked ines C-7 - -1\nanswered ines C-7 complete {count}");
        if is_fine && told.trim() == wanted {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "{told}{errors}");
        thread::sleep(Duration::from_millis(300));
    }
    // So is what was asked at the command line.
    let named = "SELECT count(*) FROM access WHERE door = 'command_line' AND text = 'mispaid' AND stage = 'answered'";
    loop {
        let (_, told, errors) = house.psql("rita", &rita, &["-At", "-c", named]);
        if told.trim() == "1" {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "{told}{errors}");
        thread::sleep(Duration::from_millis(300));
    }
}

#[test]
fn what_is_asked_at_the_command_line_is_on_record_or_not_answered() {
    let folder = House::played("20");
    let folder = folder.path();
    let archive = [
        "query",
        "--archive",
        "catwalk-data/archive",
        "--format",
        "csv",
    ];
    let ask = |more: &[&str]| catwalk(folder, &[&archive[..], more].concat());
    let (status, _, errors) = ask(&["--case", "C-9", "SELECT count(*) FROM rounds"]);
    assert_eq!(status, 0, "{errors}");
    let look = "SELECT stage, case_id, outcome, rows FROM access WHERE text LIKE '%FROM rounds' ORDER BY at";
    let (status, told, errors) = ask(&[look]);
    assert_eq!(status, 0, "{errors}");
    assert_eq!(
        told,
        "stage,case_id,outcome,rows\nasked,C-9,,\nanswered,C-9,complete,1\n"
    );
    // A copy in which nothing can be written: a file stands where the records would go.
    let looks = folder.join("catwalk-data/archive/_access");
    fs::remove_dir_all(&looks).unwrap();
    fs::write(&looks, "").unwrap();
    let (status, told, errors) = ask(&["SELECT count(*) FROM rounds"]);
    assert_eq!((status, told.as_str()), (1, ""), "{errors}");
    assert!(errors.contains("--access-log"), "{errors}");
    let _ = fs::remove_file(&looks);
    let (status, _, errors) = ask(&["--access-log", "mine.jsonl", "SELECT count(*) FROM nowhere"]);
    assert_eq!(status, 1, "{errors}");
    let kept = fs::read_to_string(folder.join("mine.jsonl")).unwrap();
    let stages: Vec<serde_json::Value> = kept
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(stages.len(), 2);
    assert_eq!(stages[0]["stage"], "asked");
    assert_eq!(stages[1]["outcome"], "failed");
    assert!(!looks.exists());
}
