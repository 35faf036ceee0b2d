//! Settlers that are killed over and over, and settlers that share the work: the result is that of one
//! that was never disturbed.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use catwalk_log::Log;
use catwalk_settler::{Committed, Meter, Runner};
use catwalk_wire::Formats;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::broker;
use crate::floor::{self, Audit, runner, send_events, spec};

/// Tell the process that is killed where its log is, and who it is.
const HOME: &str = "CATWALK_CRASH_HOME";
const NAME: &str = "CATWALK_CRASH_NAME";
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn killed_over_and_over_on_the_embedded_log_nothing_is_lost_and_nothing_is_twice() {
    let folder = tempfile::tempdir().unwrap();
    let home = ["folder", folder.path().to_str().unwrap()];
    kill_over_and_over(&home, 20, Duration::from_millis(150));
}

#[test]
fn killed_over_and_over_on_kafka_nothing_is_lost_and_nothing_is_twice() {
    let config = broker::floor();
    let home = ["kafka", &config.bootstrap, &config.prefix];
    kill_over_and_over(&home, 6, Duration::from_millis(500));
}

/// Kills so many settlers, each up to `latest` after it has begun to open the log or to commit, while
/// the feed goes on.
fn kill_over_and_over(home: &[&str], kills: usize, latest: Duration) {
    let mut rng = ChaCha8Rng::seed_from_u64(floor::seed());
    let events = floor::feed(rng.random(), 300);
    let expected = Audit::expected(&events);
    let piece = events.len() / kills + 1;
    for events in events.chunks(piece) {
        send_events(&*floor::open(home), events);
        let mut settler = Settler::start(home, "one");
        let word = ["opening.", "committed.", "committed."][rng.random_range(0..3)];
        settler.wait_for(word);
        thread::sleep(latest.mul_f64(rng.random_range(0.0..1.0)));
        settler.kill();
    }
    let log = floor::open(home);
    runner(&log, spec("one")).run_until_caught_up().unwrap();
    Audit::found(&*log).assert_same_as(&expected);
}

#[test]
fn two_settlers_share_the_partitions_and_one_takes_over_when_the_other_is_killed() {
    let config = broker::floor();
    let home = ["kafka", &config.bootstrap, &config.prefix];
    let log = floor::open(&home);
    let events = floor::feed(floor::seed(), 300);
    let expected = Audit::expected(&events);
    let (first, rest) = events.split_at(events.len() / 3);
    let (second, third) = rest.split_at(rest.len() / 2);

    let mut one = Settler::start(&home, "one");
    one.wait_for("joined.");
    let mut two = Settler::start(&home, "two");
    two.wait_for("joined.");
    // Until both hold partitions, each new lot lands on whoever holds its partition.
    let (mut sent, start) = (0, Instant::now());
    for lot in first.chunks(first.len() / 20 + 1) {
        send_events(&*log, lot);
        sent += lot.len();
        thread::sleep(Duration::from_millis(300));
    }
    assert_eq!(sent, first.len());
    one.wait_for("committed.");
    two.wait_for("committed.");
    println!("both have committed after {:?}", start.elapsed());

    send_events(&*log, second);
    thread::sleep(Duration::from_millis(30));
    one.kill();
    send_events(&*log, third);
    wait_for_settlements(&*log, &expected);
    two.kill();
    Audit::found(&*log).assert_same_as(&expected);
}

#[test]
fn two_settlers_of_one_process_share_the_embedded_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = floor::open(&["folder", folder.path().to_str().unwrap()]);
    let mut rng = ChaCha8Rng::seed_from_u64(floor::seed());
    let events = floor::feed(rng.random(), 300);
    let expected = Audit::expected(&events);
    let mut one = runner(&log, spec("one"));
    for (number, piece) in events.chunks(events.len() / 6 + 1).enumerate() {
        send_events(&*log, piece);
        if number % 2 == 0 {
            for _ in 0..rng.random_range(3..20) {
                one.step(Duration::ZERO).unwrap();
            }
            continue;
        }
        let mut two = runner(&log, spec("two"));
        for _ in 0..rng.random_range(3..20) {
            one.step(Duration::ZERO).unwrap();
            two.step(Duration::ZERO).unwrap();
        }
    }
    drop(one);
    runner(&log, spec("three")).run_until_caught_up().unwrap();
    Audit::found(&*log).assert_same_as(&expected);
}

fn wait_for_settlements(log: &dyn Log, expected: &Audit) {
    let count = |audit: &Audit| {
        let settlements: usize = audit.settlements.values().map(Vec::len).sum();
        let findings: usize = audit.findings.values().map(Vec::len).sum();
        (settlements, findings)
    };
    let start = Instant::now();
    loop {
        let found = count(&Audit::found(log));
        if found >= count(expected) {
            return;
        }
        assert!(
            start.elapsed() < PATIENCE,
            "{found:?} of {:?}",
            count(expected)
        );
        thread::sleep(Duration::from_millis(500));
    }
}

/// A settler in a process of its own.
pub(crate) struct Settler {
    process: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Settler {
    fn start(home: &[&str], name: &str) -> Settler {
        Settler::start_as("crash::settles_until_it_is_killed", home, name)
    }

    /// Runs the test that is the process.
    pub(crate) fn start_as(test: &str, home: &[&str], name: &str) -> Settler {
        let mut process = Command::new(env::current_exe().unwrap())
            .args(["--exact", test, "--ignored"])
            .args(["--nocapture", "--test-threads=1"])
            .env(HOME, home.join("\n"))
            .env(NAME, name)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        Settler { process, lines }
    }

    pub(crate) fn wait_for(&mut self, word: &str) {
        let said = |line: std::io::Result<String>| line.unwrap() == word;
        assert!(self.lines.any(said), "the settler ended by itself");
    }

    pub(crate) fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Settler {
    fn drop(&mut self) {
        // A test that fails leaves no process behind; one that was killed is gone already.
        let _ = self.process.kill();
    }
}

#[test]
#[ignore = "the process that the crash tests kill"]
fn settles_until_it_is_killed() {
    let Some((home, name)) = who() else { return };
    say("\nopening.");
    let log = floor::open(&home.lines().collect::<Vec<_>>());
    let formats = Formats::plain().unwrap();
    let rulebook = floor::rulebook();
    let mut runner = Runner::join(log, spec(&name), rulebook, formats, Arc::new(Speaker)).unwrap();
    say("joined.");
    runner.run(&AtomicBool::new(false)).unwrap();
}

/// Where the log of a process that is killed is, and who it is. None: it is no such process.
pub(crate) fn who() -> Option<(String, String)> {
    Some((env::var(HOME).ok()?, env::var(NAME).ok()?))
}

/// Says each commit aloud.
struct Speaker;

impl Meter for Speaker {
    fn committed(&self, _: &Committed) {
        say("committed.");
    }
}

pub(crate) fn say(word: &str) {
    // Whoever listened may be gone.
    let _ = writeln!(std::io::stdout(), "{word}");
}
