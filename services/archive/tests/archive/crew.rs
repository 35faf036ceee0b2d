//! Several archivers share an archive: it becomes that of one, whoever of them is killed meanwhile.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use catwalk_archive::{Archive, Archiver, Crew, Progress, Settings, Table, TableVersion};
use catwalk_log::Log;
use catwalk_wire::Formats;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::broker;
use crate::crash::{commits, seen_heads};
use crate::played::{open, play};
use crate::sealed::assert_whole;
use crate::support::{archive_all, file_rows, floor, hasty, rows, sealed};

/// Tell a process where its log and its archive are, and which archivers it is.
const LOG: &str = "CATWALK_CRASH_LOG";
const ARCHIVE: &str = "CATWALK_CRASH_ARCHIVE";
const NAMES: &str = "CATWALK_CRASH_NAMES";
/// Runs one that failed again.
const SEED: &str = "CATWALK_SEED";
/// In the folder of the archive's folder: tells the processes to end.
const ENOUGH: &str = "enough";
const PATIENCE: Duration = Duration::from_secs(300);

fn settings(folder: &Path) -> Settings {
    sealed(hasty(), folder)
}

fn join(log: &Arc<dyn Log>, name: &str, archive: &Archive, seen: &Arc<Mutex<u64>>) -> Crew {
    let folder = archive.folder().unwrap();
    let settings = settings(folder.parent().unwrap());
    let seen = seen.clone();
    let opened = move |_: Arc<Progress>| *seen.lock().unwrap() += 1;
    let formats = Formats::plain().unwrap();
    Crew::join(log.clone(), name, archive, formats, settings, opened).unwrap()
}

#[test]
fn two_share_an_archive_and_every_cut_on_the_way_fits() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&[folder.path().join("log").to_str().unwrap()]);
    play(&log, floor(150, 11));
    let [shared, alone] = ["archive", "alone"].map(|name| at(folder.path(), name));
    let stop = AtomicBool::new(false);
    let opened = ["one", "two"].map(|_| Arc::new(Mutex::new(0)));
    let cuts = thread::scope(|scope| {
        for (name, opened) in ["one", "two"].into_iter().zip(&opened) {
            let (log, shared, stop) = (&log, &shared, &stop);
            scope.spawn(move || join(log, name, shared, opened).run(stop).unwrap());
        }
        let reading = scope.spawn(|| {
            let mut cuts: Vec<BTreeMap<String, usize>> = Vec::new();
            while !stop.load(Ordering::Relaxed) {
                let cut = wagers_of_rounds(&shared);
                if cuts.last().is_none_or(|last| last.len() != cut.len()) {
                    cuts.push(cut);
                }
            }
            cuts
        });
        let ends = Ends(&stop);
        for more in 12..15 {
            play(&log, floor(60, more));
        }
        archive_all(&*log, &alone, Settings::default());
        wait_for(&shared, &counts(&alone));
        drop(ends);
        reading.join().unwrap()
    });
    assert!(opened.iter().all(|opened| *opened.lock().unwrap() > 0));
    assert_same(&shared, &alone);
    // Rounds and their wagers come with one topic: a round that is there has all its wagers.
    let whole = wagers_of_rounds(&alone);
    assert!(cuts.len() >= 3, "{} cuts were seen", cuts.len());
    for cut in cuts {
        for (round, wagers) in cut {
            assert_eq!(whole.get(&round), Some(&wagers), "{round}");
        }
    }
}

#[test]
fn one_that_goes_leaves_its_partitions_to_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&[folder.path().join("log").to_str().unwrap()]);
    play(&log, floor(40, 5));
    let [shared, alone] = ["archive", "alone"].map(|name| at(folder.path(), name));
    let opened = Arc::new(Mutex::new(0));
    let [mut one, mut two] = ["one", "two"].map(|name| join(&log, name, &shared, &opened));
    while one.held() + two.held() < 3 || one.held() == 0 || two.held() == 0 {
        one.step().unwrap();
        two.step().unwrap();
    }
    for _ in 0..10 {
        one.step().unwrap();
        two.step().unwrap();
    }
    // What it had read and not committed is read again by the other.
    drop(one);
    play(&log, floor(10, 6));
    while two.held() < 3 || two.step().unwrap() > 0 || !two.caught_up() {
        two.step().unwrap();
    }
    two.flush().unwrap();
    archive_all(&*log, &alone, Settings::default());
    assert_same(&shared, &alone);
    // The trees are held: whoever is not one of them is refused.
    let settings = settings(folder.path());
    let stranger = Archiver::open(&*log, &shared, Formats::plain().unwrap(), settings);
    let error = stranger.unwrap_err().to_string();
    assert!(error.contains("is held by another archiver"), "{error}");
}

#[test]
fn two_archives_of_one_log_have_all_of_it_each() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&[folder.path().join("log").to_str().unwrap()]);
    play(&log, floor(10, 8));
    let archives = ["here/archive", "there/archive"].map(|name| at(folder.path(), name));
    let opened = Arc::new(Mutex::new(0));
    let mut crews = archives
        .each_ref()
        .map(|archive| join(&log, "one", archive, &opened));
    for crew in &mut crews {
        while crew.step().unwrap() > 0 || !crew.caught_up() {}
        crew.flush().unwrap();
        assert_eq!(crew.held(), 3);
    }
    assert_eq!(rows(&archives[0]), rows(&archives[1]));
}

#[test]
fn two_of_one_process_that_is_killed_over_and_over() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    kill_over_and_over(&[log.to_str().unwrap()], folder.path(), &["one two"], 15);
}

#[test]
fn two_of_two_processes_on_kafka_that_are_killed_over_and_over() {
    let folder = tempfile::tempdir().unwrap();
    let kafka = broker::floor();
    let home = [kafka.bootstrap.as_str(), kafka.prefix.as_str()];
    kill_over_and_over(&home, folder.path(), &["one", "two"], 12);
}

/// Runs processes with these archivers, and kills one of them and starts it again so many times.
fn kill_over_and_over(home: &[&str], folder: &Path, processes: &[&str], kills: u32) {
    let seed = env::var(SEED).ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| rand::rng().random_range(0..1_000_000));
    println!("to run this again: {SEED}={seed}");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    play(&open(home), floor(700, seed));
    let [shared, alone] = ["archive", "alone"].map(|name| at(folder, name));
    archive_all(&*open(home), &alone, Settings::default());
    let expected = counts(&alone);
    let start = |names: &&str| archivers(home, &folder.join("archive"), names);
    let mut running: Vec<Process> = processes.iter().map(start).collect();
    let (mut heads, mut killed) = (Vec::new(), 0);
    for _ in 0..kills {
        if !has_gone_on(&shared, &expected) {
            break;
        }
        thread::sleep(Duration::from_millis(rng.random_range(0..800)));
        let one = rng.random_range(0..processes.len());
        running[one].0.kill().unwrap();
        running[one].0.wait().unwrap();
        println!("{} killed at commit {}", processes[one], commits(&shared));
        killed += 1;
        heads.extend(seen_heads(&shared));
        running[one] = start(&processes[one]);
    }
    assert!(killed >= 3, "seed {seed}: {killed} were killed at work");
    wait_for(&shared, &expected);
    std::fs::write(folder.join(ENOUGH), []).unwrap();
    for mut process in running {
        assert!(process.0.wait().unwrap().success(), "seed {seed}");
    }
    assert!(heads.len() > 3, "seed {seed}: {} heads", heads.len());
    assert_whole(&shared, heads);
    assert_same(&shared, &alone);
}

/// Waits for the next commit; false where there is nothing more to do.
fn has_gone_on(archive: &Archive, expected: &Counts) -> bool {
    let (before, until) = (commits(archive), Instant::now() + PATIENCE);
    while commits(archive) == before {
        if counts(archive) == *expected {
            return false;
        }
        assert!(Instant::now() < until, "nothing was committed");
        thread::sleep(Duration::from_millis(20));
    }
    true
}

/// A process with archivers that work until they are killed, or told that it is enough.
fn archivers(home: &[&str], archive: &Path, names: &str) -> Process {
    let child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "crew::archives_beside_others", "--ignored"])
        .args(["--nocapture", "--test-threads=1"])
        .env(LOG, home.join("\n"))
        .env(ARCHIVE, archive)
        .env(NAMES, names)
        .stdout(Stdio::null())
        .spawn();
    Process(child.unwrap())
}

/// Ends with the test that has begun it.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It has ended already, if all went well.
        let _ = self.0.kill();
    }
}

#[test]
#[ignore = "the process that the crash tests kill"]
fn archives_beside_others() {
    let (Ok(home), Ok(archive), Ok(names)) = (env::var(LOG), env::var(ARCHIVE), env::var(NAMES))
    else {
        return;
    };
    let log = open(&home.lines().collect::<Vec<_>>());
    let archive = Archive::at(&archive).unwrap();
    let enough: PathBuf = archive.folder().unwrap().parent().unwrap().join(ENOUGH);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for name in names.split(' ') {
            let (log, archive, stop) = (&log, &archive, &stop);
            let opened = Arc::new(Mutex::new(0));
            scope.spawn(move || join(log, name, archive, &opened).run(stop).unwrap());
        }
        let _ends = Ends(&stop);
        while !enough.exists() {
            thread::sleep(Duration::from_millis(20));
        }
    });
}

/// Stops the archivers of a test, whether it went well or not.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn at(folder: &Path, name: &str) -> Archive {
    Archive::at(folder.join(name).to_str().unwrap()).unwrap()
}

/// How many rows the tables have, as their logs say.
type Counts = BTreeMap<String, u64>;

fn counts(archive: &Archive) -> Counts {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let tables = runtime.block_on(archive.reader().newest()).unwrap();
    let rows = |version: &TableVersion| version.files.iter().filter_map(|file| file.rows).sum();
    let counts = tables.found.iter();
    counts
        .map(|version| (version.table.clone(), rows(version)))
        .collect()
}

/// Waits until the archive has as many rows.
fn wait_for(archive: &Archive, expected: &Counts) {
    let until = Instant::now() + PATIENCE;
    while counts(archive) != *expected {
        assert!(
            Instant::now() < until,
            "{:?}, not {expected:?}",
            counts(archive)
        );
        thread::sleep(Duration::from_millis(50));
    }
}

/// The rows are those of one that was left alone, and each tree has a leaf for each row.
fn assert_same(shared: &Archive, alone: &Archive) {
    let whole = assert_whole(shared, seen_heads(shared));
    let (shared, alone) = (rows(shared), rows(alone));
    for (table, expected) in &alone {
        assert_eq!(shared[table].len(), expected.len(), "rows of {table}");
        assert_eq!(&shared[table], expected, "{table}");
    }
    let all: usize = alone.values().map(Vec::len).sum();
    assert_eq!(whole.checked.trees, 3);
    assert_eq!(whole.checked.leaves, all as u64 + whole.checked.trees);
}

/// How many wagers the rounds have that are there.
fn wagers_of_rounds(archive: &Archive) -> BTreeMap<String, usize> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let tables = runtime.block_on(archive.reader().newest()).unwrap();
    let rounds_of = |name: &str| -> Vec<String> {
        let version = tables.found.iter().find(|version| version.table == name);
        let files = version.map_or(&[][..], |version| &version.files);
        let folder = archive.folder().unwrap().join(name);
        let rows = files
            .iter()
            .flat_map(|file| file_rows(Table::named(name).unwrap(), &folder, file));
        rows.map(|row| id_of(&row)).collect()
    };
    let rounds = rounds_of("rounds").into_iter().map(|round| (round, 0));
    let mut counts: BTreeMap<String, usize> = rounds.collect();
    for round in rounds_of("wagers") {
        *counts.entry(round).or_default() += 1;
    }
    counts
}

/// The round that a row of `rounds` or `wagers` is of.
fn id_of(row: &str) -> String {
    row.split(" | ").nth(3).unwrap_or_default().to_owned()
}
