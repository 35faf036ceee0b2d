//! Commands on what is empty, wrong, cut off or foreign, as somebody new tries them: none says "nothing".

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

use crate::{catwalk, path, run};

fn with_input(args: &[&str], input: impl Into<Vec<u8>>) -> (i32, String, String) {
    let mut command = Command::cargo_bin("catwalk").unwrap();
    run(command.args(args).write_stdin(input))
}

fn feed() -> String {
    let args = ["simulate", "--rounds", "30", "--fault-rate", "0"];
    let (status, feed, errors) = catwalk(&args);
    assert_eq!(status, 0, "{errors}");
    feed
}

#[test]
fn an_empty_feed_was_not_audited() {
    for command in ["audit", "check"] {
        for empty in ["", "\n \n"] {
            let (status, output, errors) = with_input(&[command], empty);
            assert_eq!((status, output.as_str()), (1, ""), "{command}");
            assert!(
                errors.contains("there is no event in it"),
                "{command}: {errors}"
            );
        }
    }
    assert_eq!(with_input(&["audit", "--exit-zero"], "").0, 0);
    let (status, _, errors) = with_input(&["settle"], "");
    assert_eq!(status, 1);
    assert!(errors.contains("nothing was settled"), "{errors}");
}

#[test]
fn a_line_that_is_no_text_stops_none_after_it() {
    let feed = feed();
    let (first, rest) = feed.split_at(feed.find('\n').unwrap() + 1);
    let bad = [first.as_bytes(), b"\xff\xfe bad\n", rest.as_bytes()].concat();
    let (status, output, errors) = with_input(&["audit", "--settlements"], bad.clone());
    assert_eq!(status, 1);
    assert!(errors.contains("line 2: not UTF-8"), "{errors}");
    assert_eq!(
        output.lines().count(),
        30,
        "the rounds after it are settled"
    );
    let (status, output, _) = with_input(&["check"], bad);
    assert_eq!((status, output.lines().count()), (1, 1), "{output}");
    assert!(output.starts_with("line 2: not UTF-8"), "{output}");
}

#[test]
fn a_feed_that_breaks_off_says_which_rounds_were_not_judged() {
    let feed = feed();
    let lines: Vec<&str> = feed.lines().collect();
    let opened = lines
        .iter()
        .rposition(|line| line.contains(r#""type":"round_opened""#));
    let (_, before) = lines[opened.unwrap()].split_once(r#""round":""#).unwrap();
    let round = before.split('"').next().unwrap();
    let cut = lines[..=opened.unwrap()].join("\n");
    let (status, _, errors) = with_input(&["audit"], cut);
    assert_eq!(status, 0, "{errors}");
    assert!(
        errors.contains("of its rounds do, which were not judged") && errors.contains(round),
        "{errors}"
    );
    let (_, _, errors) = with_input(&["audit"], feed.as_str());
    assert_eq!(errors, "");
}

/// An archive of a short demo.
fn archive(folder: &Path) -> PathBuf {
    let demo = folder.join("demo");
    let args = [
        "demo",
        "--headless",
        "--rounds",
        "30",
        "--data",
        path(&demo),
    ];
    let (status, _, errors) = catwalk(&args);
    assert_eq!(status, 0, "{errors}");
    demo.join("archive")
}

fn refused(args: &[&str], why: &str) {
    let (status, output, errors) = catwalk(args);
    assert_eq!(status, 1, "{args:?}: {output}{errors}");
    assert!(
        errors.contains(why) || output.contains(why),
        "{args:?}: {output}{errors}"
    );
}

#[test]
fn where_there_is_no_archive_nothing_is_said_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("feed.jsonl");
    fs::write(&file, feed()).unwrap();
    let (typo, empty) = (folder.path().join("typo"), folder.path().join("empty"));
    fs::create_dir(&empty).unwrap();
    for place in [&typo, &empty, &file] {
        let no = "there is no archive in";
        let archive = ["--archive", path(place)];
        refused(&[&["archive", "upgrade"], &archive[..]].concat(), no);
        refused(&[&["proof", "head"], &archive[..]].concat(), no);
        refused(&[&["proof", "key"], &archive[..]].concat(), no);
        let bundle = folder.path().join("x.zip");
        let evidence = ["evidence", "BJ-01-000001", "-o", path(&bundle)];
        refused(&[&evidence[..], &archive].concat(), no);
        assert!(!bundle.exists());
    }
    assert!(!typo.exists() && fs::read_dir(&empty).unwrap().next().is_none());
    // A file of another kind was not changed.
    let (status, output, errors) = catwalk(&["verify", path(&file)]);
    assert_eq!((status, output.as_str()), (1, ""));
    assert!(errors.contains("is no evidence bundle"), "{errors}");
}

#[test]
fn what_looked_at_nothing_finds_nothing_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path());
    let archive = path(&archive);
    let nothing = "nothing was looked at";
    refused(&["verify", archive, "--since", "2030-01-01"], nothing);
    let json = [
        "verify",
        archive,
        "--since",
        "2030-01-01",
        "--format",
        "json",
    ];
    refused(&json, r#""verdict":"nothing there""#);
    let later = ["--since", "2030-01-01T00:00:00Z"];
    let replay = [&["replay", "--archive", archive], &later[..]].concat();
    refused(&replay, "nothing was compared");
    assert_eq!(catwalk(&["verify", archive]).0, 0);
    assert_eq!(catwalk(&["replay", "--archive", archive]).0, 0);
    let key = catwalk(&["proof", "key", "--archive", archive]).1;
    let (memory, typo) = (folder.path().join("memory"), folder.path().join("typo"));
    for from in [path(&typo), archive] {
        let witness = ["witness", from, "--once", "--house", key.trim()];
        let memory = ["--memory", path(&memory)];
        refused(&[&witness[..], &memory].concat(), "there is no tree");
    }
    let empty = folder.path().join("none.jsonl");
    fs::write(&empty, "").unwrap();
    let score = [
        "score",
        "--labels",
        path(&empty),
        "--findings",
        path(&empty),
    ];
    let (_, output, _) = catwalk(&score);
    assert!(!output.contains("1.000"), "{output}");
}

/// The last commit of a table, as its log names it.
fn last_commit(table: &Path) -> PathBuf {
    let log = fs::read_dir(table.join("_delta_log")).unwrap();
    let files = log.map(|file| file.unwrap().path());
    let commits = files.filter(|file| file.extension().is_some_and(|end| end == "json"));
    commits.max().unwrap()
}

#[test]
fn a_commit_that_a_failing_power_supply_left_empty_hides_no_rows() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path());
    let commit = last_commit(&archive.join("rounds"));
    let length = usize::try_from(fs::metadata(&commit).unwrap().len()).unwrap();
    for damaged in [Vec::new(), vec![0; length]] {
        fs::write(&commit, damaged).unwrap();
        let bundle = folder.path().join("x.zip");
        for command in [
            &["query", "SELECT count(*) FROM rounds"][..],
            &["query", "SELECT count(*) FROM events"],
            &["replay"],
            &["round", "BJ-01-000001"],
            &["evidence", "BJ-01-000001", "-o", path(&bundle)],
        ] {
            let args = [command, &["--archive", path(&archive)]].concat();
            let (status, output, errors) = catwalk(&args);
            assert_eq!((status, output.as_str()), (1, ""), "{args:?}: {errors}");
        }
        assert_eq!(catwalk(&["verify", path(&archive)]).0, 1);
    }
    fs::write(&commit, "").unwrap();
    let args = ["query", "SELECT 1", "--archive", path(&archive)];
    let name = commit.file_name().unwrap().to_str().unwrap();
    refused(&args, name);
}

#[test]
fn the_folder_above_a_log_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let above = archive(folder.path()).parent().unwrap().to_owned();
    let address = format!("embedded:{}", above.display());
    let salvaged = folder.path().join("salvaged");
    for args in [
        &["log", "check", path(&above)][..],
        &["log", "salvage", path(&above), "--into", path(&salvaged)],
        &["quarantine", "--log", &address, "list"],
        &["feed", "--log", &address],
    ] {
        refused(args, "there is one in");
    }
    assert!(!above.join("lock").exists() && !salvaged.exists());
}

#[test]
fn a_run_that_had_nothing_to_do_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = crate::config(folder.path());
    let up = ["up", "--once", "-c", path(&file)];
    let (status, _, errors) = catwalk(&up);
    assert_eq!(status, 0, "{errors}");
    assert!(
        errors.contains("there is no event on embedded:"),
        "{errors}"
    );
    crate::simulate(&folder.path().join("log"), "5");
    let (_, _, errors) = catwalk(&up);
    assert!(errors.contains("5 rounds ended with them"), "{errors}");
    let (_, _, errors) = catwalk(&up);
    assert!(errors.contains("0 events were new"), "{errors}");
    let text = fs::read_to_string(&file).unwrap();
    for (services, why) in [("[]", "services = []"), ("[\"http\"]", "would do nothing")] {
        let text = text.replace("[\"settler\", \"archiver\"]", services);
        fs::write(&file, text).unwrap();
        refused(&up, why);
    }
}

#[test]
fn samples_are_of_the_edition_that_was_asked_for() {
    let rules = |edition: &str| catwalk(&["rules", "blackjack", "--samples", "--edition", edition]);
    let (status, samples, errors) = rules("mgc-2017");
    assert_eq!(status, 0, "{errors}");
    for sample in samples.lines() {
        assert!(sample.contains(r#""edition":"mgc-2017""#), "{sample}");
    }
    let (_, ohio, errors) = rules("oh-jack-2017");
    assert!(!ohio.contains("mgc-2017"), "{ohio}");
    assert!(
        !ohio.is_empty() || errors.contains("has no sample of edition"),
        "{errors}"
    );
}
