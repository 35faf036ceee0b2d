//! An archiver is killed over and over; in the end the archive is that of one which was left alone.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use catwalk_archive::{Archive, Archiver, Settings, Table, lanes};
use catwalk_proof::Note;
use catwalk_wire::Formats;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::broker;
use crate::played::{open, play};
use crate::sealed::assert_whole;
use crate::support::{archive_all, catch_up, floor, hasty, rows, sealed};

/// Tell the process that is killed where its log and its archive are.
const LOG: &str = "CATWALK_CRASH_LOG";
const ARCHIVE: &str = "CATWALK_CRASH_ARCHIVE";
/// Runs one that failed again.
const SEED: &str = "CATWALK_SEED";

#[test]
fn a_killed_archiver_loses_nothing_and_writes_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    kill_over_and_over(
        &[log.to_str().unwrap()],
        folder.path(),
        25,
        Duration::from_millis(1_000),
    );
}

#[test]
fn the_same_holds_on_kafka() {
    let folder = tempfile::tempdir().unwrap();
    let kafka = broker::floor();
    let home = [kafka.bootstrap.as_str(), kafka.prefix.as_str()];
    kill_over_and_over(&home, folder.path(), 12, Duration::from_millis(1_500));
}

fn kill_over_and_over(home: &[&str], folder: &Path, most: u32, latest: Duration) {
    let seed = env::var(SEED).ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| rand::rng().random_range(0..1_000_000));
    println!("to run this again: {SEED}={seed}");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    play(&open(home), floor(1_000, seed));
    let folder_of = |name: &str| folder.join(name);
    let killed = Archive::at(folder_of("archive").to_str().unwrap()).unwrap();
    let (mut kills, mut advances, mut ended) = (0, 0, false);
    let mut heads = Vec::new();
    while kills < most && !ended {
        let word = ["opening.", "working.", "working."][rng.random_range(0..3)];
        let delay = latest.mul_f64(rng.random_range(0.0..1.0));
        let before = commits(&killed);
        ended = archive_until_killed(home, &folder_of("archive"), Some((word, delay)));
        let after = commits(&killed);
        heads.extend(seen_heads(&killed));
        println!("{delay:?} after {word} killed between commits {before} and {after}");
        kills += u32::from(!ended);
        advances += u32::from(after > before);
    }
    assert!(
        kills >= 3 && advances >= 3,
        "seed {seed}: {kills} kills, {advances} of them at work"
    );
    assert!(
        archive_until_killed(home, &folder_of("archive"), None),
        "seed {seed}: it did not end"
    );
    let alone = Archive::at(folder_of("alone").to_str().unwrap()).unwrap();
    archive_all(&*open(home), &alone, Settings::default());
    // Every head that anybody saw on the way is one of the same tree.
    assert!(
        heads.len() > 3,
        "seed {seed}: {} heads were seen",
        heads.len()
    );
    assert_whole(&killed, heads);
    let (killed, alone) = (rows(&killed), rows(&alone));
    for (table, expected) in &alone {
        let found = &killed[table];
        assert_eq!(found.len(), expected.len(), "seed {seed}: rows of {table}");
        assert_eq!(found, expected, "seed {seed}: {table}");
    }
}

/// Runs the process below and kills it so long after it has said a word. Says whether it came to its end
/// before.
fn archive_until_killed(home: &[&str], archive: &Path, kill: Option<(&str, Duration)>) -> bool {
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "crash::archives_until_it_is_killed", "--ignored"])
        .args(["--nocapture", "--test-threads=1"])
        .env(LOG, home.join("\n"))
        .env(ARCHIVE, archive)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
    if let Some((word, delay)) = kill {
        let said_it = said.by_ref().map_while(Result::ok).any(|line| line == word);
        assert!(said_it, "the process ended by itself");
        thread::sleep(delay);
        child.kill().unwrap();
    }
    said.for_each(drop);
    child.wait().unwrap().success()
}

#[test]
#[ignore = "the process that the crash test kills"]
fn archives_until_it_is_killed() {
    let (Ok(home), Ok(archive)) = (env::var(LOG), env::var(ARCHIVE)) else {
        return;
    };
    println!("\nopening.");
    let log = open(&home.lines().collect::<Vec<_>>());
    let archive = Archive::at(&archive).unwrap();
    let formats = Formats::plain().unwrap();
    let folder = archive.folder().unwrap();
    let settings = sealed(hasty(), folder.parent().unwrap());
    let mut archiver = Archiver::open(&*log, &archive, formats, settings).unwrap();
    println!("\nworking.");
    catch_up(&mut archiver);
}

/// The signed heads that lie there now.
pub(crate) fn seen_heads(archive: &Archive) -> Vec<Note> {
    let lanes = lanes(&archive.trees(None).unwrap()).unwrap();
    lanes.into_iter().filter_map(|lane| lane.head).collect()
}

/// Commits to the table of events so far.
pub(crate) fn commits(archive: &Archive) -> u64 {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let events = archive.table(Table::named("events").unwrap());
    let events = runtime.block_on(events).unwrap();
    events.map_or(0, |events| events.version().unwrap())
}
