//! Rows are leaves of trees, and what was changed is named.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use catwalk_archive::{
    Archive, Archiver, Settings, TABLES, Trust, Verified, VerifyProgress, Which, lanes, read_key,
    rotate, sealed_rows, verify,
};
use catwalk_proof::{Commitment, Note, Reader};
use catwalk_wire::Formats;

use crate::played::{open, play};
use crate::support::{archive_all, floor, hasty, rows, sealed};

pub(crate) fn verified(archive: &Archive, trust: &Trust) -> Verified {
    verify(
        archive,
        trust,
        &Which::default(),
        &VerifyProgress::default(),
    )
    .unwrap()
}

/// Nothing is wrong with the archive, and it extends these heads.
pub(crate) fn assert_whole(archive: &Archive, heads: Vec<Note>) -> Verified {
    let trust = Trust {
        heads,
        ..Trust::default()
    };
    let verified = verified(archive, &trust);
    assert!(
        verified.wrong.is_empty(),
        "{:#?}",
        &verified.wrong[..verified.wrong.len().min(5)]
    );
    verified
}

fn heads(archive: &Archive) -> Vec<Note> {
    let lanes = lanes(&archive.trees(None).unwrap()).unwrap();
    lanes.into_iter().filter_map(|lane| lane.head).collect()
}

fn at(folder: &Path, name: &str) -> Archive {
    Archive::at(folder.join(name).to_str().unwrap()).unwrap()
}

#[test]
fn every_row_of_every_table_has_its_leaf_and_compaction_keeps_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let log = open(&[folder.join("log").to_str().unwrap()]);
    play(&log, floor(60, 1));
    let archive = at(folder, "archive");
    let mut settings = sealed(hasty(), folder);
    settings.compact.files = usize::MAX;
    archive_all(&*log, &archive, settings.clone());
    let first = heads(&archive);
    let whole = assert_whole(&archive, first.clone());
    let all: usize = rows(&archive).values().map(Vec::len).sum();
    assert!(whole.sealed && whole.checked.before == 0);
    assert_eq!(whole.checked.rows, all as u64);
    // The first leaf of each tree says from where on it is sealed.
    assert_eq!(whole.checked.leaves, all as u64 + whole.checked.trees);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for table in TABLES {
        let compacted = runtime.block_on(archive.compact(table, 128 << 20)).unwrap();
        // No desk is at work here.
        let few = compacted.files_after < compacted.files_before;
        assert!(few || compacted.files_before <= 1, "{}", table.name);
    }
    assert_whole(&archive, first.clone());
    assert_eq!(heads(&archive), first);
    play(&log, floor(20, 2));
    archive_all(&*log, &archive, settings);
    let more = assert_whole(&archive, first);
    assert!(more.checked.rows > whole.checked.rows);
}

#[test]
fn an_archive_from_before_is_sealed_from_here_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let log = open(&[folder.join("log").to_str().unwrap()]);
    play(&log, floor(20, 1));
    let archive = at(folder, "archive");
    archive_all(&*log, &archive, hasty());
    let before: usize = rows(&archive).values().map(Vec::len).sum();
    let never = verified(&archive, &Trust::default());
    assert!(!never.sealed && never.wrong.is_empty() && never.checked.before == before as u64);
    play(&log, floor(20, 2));
    archive_all(&*log, &archive, sealed(hasty(), folder));
    let whole = assert_whole(&archive, Vec::new());
    assert_eq!(whole.checked.before, before as u64);
    let sealed = whole.checked.leaves - whole.checked.trees;
    assert_eq!(whole.checked.rows, before as u64 + sealed);
    // Whoever seals no more leaves rows that nobody vouches for.
    play(&log, floor(5, 3));
    archive_all(&*log, &archive, hasty());
    let wrong = verified(&archive, &Trust::default()).wrong;
    assert!(
        wrong[0].what.contains("a row without a seal"),
        "{:?}",
        wrong[0]
    );
}

#[test]
fn a_tree_that_fell_behind_its_rows_is_completed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let log = open(&[folder.join("log").to_str().unwrap()]);
    play(&log, floor(20, 1));
    let archive = at(folder, "archive");
    archive_all(&*log, &archive, sealed(hasty(), folder));
    let proof = folder.join("archive/_proof");
    let early = folder.join("early");
    copy(&proof, &early);
    let before = heads(&archive);
    play(&log, floor(20, 2));
    archive_all(&*log, &archive, sealed(hasty(), folder));
    let (now, whole) = (heads(&archive), assert_whole(&archive, before.clone()));
    // As if the power had failed after the rows were committed.
    fs::remove_dir_all(&proof).unwrap();
    copy(&early, &proof);
    assert_eq!(heads(&archive), before);
    assert!(verified(&archive, &Trust::default()).wrong_count > 0);
    archive_all(&*log, &archive, sealed(hasty(), folder));
    assert_eq!(heads(&archive), now, "the same rows make the same tree");
    assert_eq!(assert_whole(&archive, before).checked, whole.checked);
    // The other way round, rows are gone that were signed for.
    for table in TABLES {
        fs::remove_dir_all(folder.join("archive").join(table.name)).unwrap();
    }
    fs::remove_file(folder.join("archive/_cut.json")).unwrap();
    let again = Archiver::open(
        &*log,
        &archive,
        Formats::plain().unwrap(),
        sealed(hasty(), folder),
    );
    let error = again.unwrap_err().to_string();
    assert!(error.contains("rolled back"), "{error}");
}

#[test]
fn a_key_is_handed_on_and_no_other_is_believed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let log = open(&[folder.join("log").to_str().unwrap()]);
    play(&log, floor(10, 1));
    let archive = at(folder, "archive");
    let settings = sealed(hasty(), folder);
    archive_all(&*log, &archive, settings.clone());
    let key = folder.join("key");
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&key).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    let first = read_key(&key).unwrap().unwrap().verifying();
    let (old, new) = rotate(&archive.trees(None).unwrap(), &key).unwrap();
    assert!(old == first && new != first);
    play(&log, floor(10, 2));
    archive_all(&*log, &archive, settings.clone());
    for trusted in [first, new] {
        let trust = Trust {
            keys: vec![trusted],
            ..Trust::default()
        };
        assert_eq!(verified(&archive, &trust).wrong, []);
    }
    let stranger = read_key(&folder.join("other")).unwrap();
    assert!(stranger.is_none());
    let stranger = catwalk_archive::make_key(
        &folder.join("other"),
        "catwalk.example/ebh",
        catwalk_proof::note::Algorithm::Ed25519,
    );
    let trust = Trust {
        keys: vec![stranger.unwrap().verifying()],
        ..Trust::default()
    };
    let wrong = verified(&archive, &trust);
    assert!(wrong.wrong_count > 0, "a stranger's key was believed");
    // Without its key nothing more is written: another key would be another house.
    fs::remove_file(&key).unwrap();
    let again = Archiver::open(&*log, &archive, Formats::plain().unwrap(), settings);
    assert!(again.unwrap_err().to_string().contains("is missing"));
}

#[test]
fn the_rows_of_a_round_are_found_with_proofs_of_their_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let log = open(&[folder.join("log").to_str().unwrap()]);
    play(&log, floor(40, 5));
    let archive = at(folder, "archive");
    archive_all(&*log, &archive, sealed(hasty(), folder));
    let lanes = lanes(&archive.trees(None).unwrap()).unwrap();
    let lanes: BTreeMap<u32, _> = lanes.into_iter().map(|lane| (lane.index, lane)).collect();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let tables = runtime.block_on(archive.reader().newest()).unwrap();
    let version = |name: &str| {
        tables
            .found
            .iter()
            .find(|found| found.table == name)
            .unwrap()
    };
    let all = &rows(&archive)["rounds"];
    let round = all[all.len() / 2].split(" | ").nth(3).unwrap().to_owned();
    let mut proven = 0;
    for name in ["events", "rounds", "wagers", "cards"] {
        let found = sealed_rows(
            &archive,
            version(name),
            "round",
            std::slice::from_ref(&round),
        );
        for row in runtime.block_on(found).unwrap() {
            let lane = &lanes[&row.lane];
            let text = lane.head.as_ref().unwrap().text();
            let size = text.lines().nth(1).unwrap().parse().unwrap();
            let leaf = Commitment::new(row.salt.unwrap(), row.table, row.json.as_bytes()).leaf();
            let there = Reader::new(&lane.folder, size)
                .leaf(row.leaf.unwrap())
                .unwrap();
            assert!(there == leaf && row.json.contains(&round), "{row:?}");
            proven += 1;
        }
    }
    let in_rows = |name: &str| {
        let cell = format!(" | {round} | ");
        rows(&archive)[name]
            .iter()
            .filter(|row| row.contains(&cell))
            .count()
    };
    let expected = ["events", "rounds", "wagers", "cards"]
        .map(in_rows)
        .iter()
        .sum::<usize>();
    assert!(expected > 5);
    assert_eq!(proven, expected);
}

/// What the tree costs: `--nocapture` shows it.
#[test]
fn the_price_of_the_tree_is_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let log = open(&[folder.join("log").to_str().unwrap()]);
    let avro = play(&log, floor(1_500, 4));
    let size = |name: &str| {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let archive = at(folder, name);
        TABLES.map(|table| {
            let done = runtime.block_on(archive.compact(table, 128 << 20)).unwrap();
            done.bytes_after
        })
    };
    let mut took = [0.0_f64; 2];
    for turn in 0..3 {
        for (at_, seal) in [false, true].into_iter().enumerate() {
            let name = format!("archive-{turn}-{seal}");
            let settings = match seal {
                true => sealed(Settings::default(), folder),
                false => Settings::default(),
            };
            let begun = Instant::now();
            // Each archive is of another house, as its trees are.
            fs::remove_file(folder.join("key")).ok();
            let archiver = archive_all(&*log, &at(folder, &name), settings);
            took[at_] += begun.elapsed().as_secs_f64();
            drop(archiver);
        }
    }
    let (plain, sealed) = (size("archive-0-false"), size("archive-0-true"));
    let begun = Instant::now();
    let whole = assert_whole(&at(folder, "archive-0-true"), Vec::new());
    let verified = begun.elapsed();
    let begun = Instant::now();
    let bytes = read_bare(&folder.join("archive-0-true"));
    println!(
        "verified in {verified:.2?}; a bare read of its {bytes} bytes takes {:.2?}",
        begun.elapsed()
    );
    let events = rows(&at(folder, "archive-0-true"))["events"].len() as u64;
    let tiles = du(&folder.join("archive-0-true/_proof"));
    let (plain, sealed): (u64, u64) = (plain.iter().sum(), sealed.iter().sum());
    println!(
        "{events} events, {} rows, {avro} bytes of Avro: {plain} bytes without seals, {sealed} with, {tiles} of trees; \
         3 runs took {:.2} s without, {:.2} s with",
        whole.checked.rows, took[0], took[1]
    );
    let each = (sealed - plain) / whole.checked.rows;
    assert!(each <= 24, "{each} bytes a row beside the rows");
    assert!(tiles / whole.checked.rows <= 40, "{tiles} bytes of trees");
}

/// Reads all files of a folder, and does nothing with them.
fn read_bare(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let read = entries.map(|entry| match entry.path().is_dir() {
        true => read_bare(&entry.path()),
        false => fs::read(entry.path()).unwrap().len() as u64,
    });
    read.sum()
}

fn du(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let sizes = entries.map(|entry| match entry.path().is_dir() {
        true => du(&entry.path()),
        false => entry.metadata().unwrap().len(),
    });
    sizes.sum()
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(fs::copy(&path, &target).unwrap()),
        }
    }
}
