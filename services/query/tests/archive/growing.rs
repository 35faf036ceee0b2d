//! Clients ask while an archiver writes, is killed over and over, and another process compacts: every answer is of
//! one version of all tables.

use std::env;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use catwalk_archive::{Archive, Archiver, CompactSettings, Settings, TABLES};
use catwalk_query::{Bounds, ReadingRoom, Session};
use catwalk_wire::Formats;

use crate::played::{open, play};
use crate::support::{archive_all, ask, at, floor, hasty};

/// Tell the process that is killed where its log and its archive are.
const LOG: &str = "CATWALK_GROWING_LOG";
const ARCHIVE: &str = "CATWALK_GROWING_ARCHIVE";

const CLIENTS: usize = 8;
const KILLS: u32 = 6;

/// Rows that are in one table and not in the other that the same record made.
const TORN: [&str; 3] = [
    "SELECT r.round FROM rounds r LEFT JOIN (SELECT property, round, count(*) AS n FROM wagers GROUP BY 1, 2) w \
     ON w.property = r.property AND w.round = r.round WHERE r.wagers <> coalesce(w.n, 0)",
    "SELECT DISTINCT w.round FROM wagers w LEFT ANTI JOIN rounds r ON w.property = r.property AND w.round = r.round",
    "SELECT log_partition, count(*), max(log_offset) FROM events GROUP BY 1 HAVING count(*) <> max(log_offset) + 1",
];

#[test]
fn every_answer_is_of_one_version() {
    let folder = tempfile::tempdir().unwrap();
    let (log, archived) = (folder.path().join("log"), folder.path().join("archive"));
    play(&open(&[log.to_str().unwrap()]), floor(400, 7));
    // All tables are made, and there is a cut of them.
    let archive = at(&archived);
    drop(Archiver::open(
        &*open(&[log.to_str().unwrap()]),
        &archive,
        Formats::plain().unwrap(),
        hasty(),
    ));
    let (stop, asked) = (AtomicBool::new(false), AtomicU64::new(0));
    let room = ReadingRoom::open(&archive, Bounds::default()).unwrap();
    thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| scope.spawn(|| client(&room, &stop, &asked)))
            .collect();
        let compacts = scope.spawn(|| compact(&archive, &stop));
        for kill in 0..KILLS {
            let mut child = archiver(&log, &archived);
            thread::sleep(Duration::from_millis(700 + 217 * u64::from(kill)));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert!(archiver(&log, &archived).wait().unwrap().success());
        stop.store(true, Ordering::Relaxed);
        let moves: u64 = clients
            .into_iter()
            .map(|client| client.join().unwrap())
            .sum();
        let compacted = compacts.join().unwrap();
        let asked = asked.load(Ordering::Relaxed);
        println!("{asked} answers, {moves} later versions seen, {compacted} compactions");
        assert!(asked >= 50 && moves >= 10 && compacted >= 3);
    });
    // In the end they see what an archive has that nobody disturbed.
    let alone = at(&folder.path().join("alone"));
    archive_all(
        &*open(&[log.to_str().unwrap()]),
        &alone,
        Settings::default(),
    );
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let (disturbed, alone) = (
            Session::open(&archive).await.unwrap(),
            Session::open(&alone).await.unwrap(),
        );
        for table in TABLES {
            let count = format!("SELECT count(*) FROM {}", table.name);
            assert_eq!(
                ask(&disturbed, &count).await,
                ask(&alone, &count).await,
                "{}",
                table.name
            );
        }
    });
}

/// Asks until it is stopped. Returns how often it got later versions than before.
fn client(room: &ReadingRoom, stop: &AtomicBool, asked: &AtomicU64) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (mut moves, mut last) = (0, Vec::new());
        while !stop.load(Ordering::Relaxed) {
            let session = room.session().await.unwrap();
            let versions: Vec<u64> = session
                .versions()
                .iter()
                .map(|table| table.version)
                .collect();
            assert!(
                last.iter().zip(&versions).all(|(last, now)| last <= now),
                "{last:?} {versions:?}"
            );
            moves += u64::from(versions > last);
            last = versions;
            let sums = "SELECT (SELECT count(*) FROM rounds) AS a, (SELECT sum(wagers) FROM rounds) AS b, \
                        (SELECT count(*) FROM wagers) AS c, (SELECT count(*) FROM events) AS d";
            let before = ask(&session, sums).await;
            for torn in TORN {
                let torn = ask(&session, torn).await;
                assert!(torn.is_empty(), "versions {last:?}: {torn:?}");
            }
            // Whatever was committed meanwhile is not of this session.
            assert_eq!(ask(&session, sums).await, before);
            asked.fetch_add(2 + TORN.len() as u64, Ordering::Relaxed);
        }
        moves
    })
}

/// Compacts all tables again and again, as somebody may by hand while an archiver writes.
fn compact(archive: &Archive, stop: &AtomicBool) -> u64 {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut compacted = 0;
    while !stop.load(Ordering::Relaxed) {
        for table in TABLES {
            // The archiver may have compacted the same files: then this does nothing.
            compacted += u64::from(runtime.block_on(archive.compact(table, 128 << 20)).is_ok());
        }
        thread::sleep(Duration::from_millis(500));
    }
    compacted
}

fn archiver(log: &Path, archive: &Path) -> Child {
    Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "growing::archives_until_it_is_killed",
            "--ignored",
        ])
        .args(["--test-threads=1"])
        .env(LOG, log)
        .env(ARCHIVE, archive)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
#[ignore = "the process that the test above kills"]
fn archives_until_it_is_killed() {
    let (Ok(log), Ok(archive)) = (env::var(LOG), env::var(ARCHIVE)) else {
        return;
    };
    let settings = Settings {
        compact: CompactSettings {
            files: 8,
            ..CompactSettings::default()
        },
        flush_bytes: 50_000,
        ..hasty()
    };
    // A compaction by hand may have got in the way of its own: it opens again, as a service does.
    for _ in 0..50 {
        let log = open(&[&log]);
        let archive = Archive::at(&archive).unwrap();
        let archiver = Archiver::open(&*log, &archive, Formats::plain().unwrap(), settings.clone());
        if archiver
            .and_then(|mut archiver| archiver.run_until_caught_up())
            .is_ok()
        {
            return;
        }
    }
    panic!("it did not catch up");
}

#[test]
fn what_is_committed_is_seen_within_a_second() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&[folder.path().join("log").to_str().unwrap()]);
    let archive = at(&folder.path().join("archive"));
    play(&log, floor(20, 8));
    archive_all(&*log, &archive, hasty());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let room = Arc::new(ReadingRoom::open(&archive, Bounds::default()).unwrap());
    let count = async |room: &ReadingRoom| {
        let session = room.session().await.unwrap();
        ask(&session, "SELECT count(*) FROM rounds").await
    };
    let before = runtime.block_on(count(&room));
    play(&log, floor(20, 9));
    archive_all(&*log, &archive, hasty());
    let committed = Instant::now();
    while runtime.block_on(count(&room)) == before {
        assert!(
            committed.elapsed() < Duration::from_secs(1),
            "not seen after a second"
        );
        thread::sleep(Duration::from_millis(20));
    }
    let expected = runtime.block_on(async {
        ask(
            &Session::open(&archive).await.unwrap(),
            "SELECT count(*) FROM rounds",
        )
        .await
    });
    assert_eq!(runtime.block_on(count(&room)), expected);
}

/// An archiver that was killed between the commits of one flush: the rounds are there, and the wagers are not yet.
#[test]
fn what_a_flush_has_half_committed_is_not_seen() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&[folder.path().join("log").to_str().unwrap()]);
    let archived = folder.path().join("archive");
    let (archive, cut) = (at(&archived), archived.join("_cut.json"));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let asked = |sql: &str| {
        runtime.block_on(async { ask(&Session::open(&archive).await.unwrap(), sql).await })
    };
    play(&log, floor(60, 5));
    archive_all(&*log, &archive, hasty());
    let rounds = asked("SELECT count(*) FROM rounds");
    let before = std::fs::read(&cut).unwrap();
    let commits = commits_of(&archived.join("wagers"));
    play(&log, floor(150, 6));
    archive_all(&*log, &archive, hasty());
    assert_ne!(asked("SELECT count(*) FROM rounds"), rounds);
    let later = commits_of(&archived.join("wagers"));
    for commit in later.iter().filter(|commit| !commits.contains(commit)) {
        std::fs::remove_file(commit).unwrap();
    }
    std::fs::write(&cut, before).unwrap();
    assert_eq!(asked("SELECT count(*) FROM rounds"), rounds);
    assert!(asked(TORN[0]).is_empty());
    // The newest versions of the tables do not fit: that is what the cut is for.
    std::fs::remove_file(&cut).unwrap();
    assert!(!asked(TORN[0]).is_empty());
}

fn commits_of(table: &Path) -> Vec<std::path::PathBuf> {
    let files = std::fs::read_dir(table.join("_delta_log")).unwrap();
    let files = files.map(|file| file.unwrap().path());
    files
        .filter(|file| file.extension().is_some_and(|end| end == "json"))
        .collect()
}
