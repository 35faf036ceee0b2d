//! Commands on what is empty, wrong, cut off or foreign, as somebody new tries them: none says "nothing".

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
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
    let folder = tempfile::tempdir().unwrap();
    let log = format!("embedded:{}", folder.path().join("log").display());
    let (status, _, errors) = with_input(&["feed", "--log", &log], "\n");
    assert_eq!(status, 1, "{errors}");
    assert!(errors.contains("there is no event in it"), "{errors}");
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
fn a_mark_before_the_first_line_is_no_part_of_it() {
    let feed = feed();
    let marked = format!("\u{feff}{feed}");
    let (status, output, errors) = with_input(&["audit", "--settlements"], marked.as_str());
    assert_eq!((status, errors.as_str()), (0, ""));
    assert_eq!(output, with_input(&["audit", "--settlements"], feed).1);
    let (status, output, _) = with_input(&["check"], marked);
    assert_eq!((status, output.as_str()), (0, ""));
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

#[test]
fn a_question_about_what_is_not_there_is_not_answered_with_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path());
    let ask = |named: &str, more: &[&str]| {
        let question = ["query", "--archive", path(&archive), "--named", named];
        catwalk(&[&question[..], more].concat())
    };
    for (named, narrowed, said) in [
        ("findings", &["-p", "table=BJ-1"][..], "of table BJ-1 is"),
        (
            "mispaid",
            &["-p", "first=2031-01-01"],
            "from gaming day 2031-01-01 is",
        ),
        (
            "mispaid",
            &["-p", "table=it's", "-p", "last=2001-01-01"],
            "of table it's to gaming day 2001-01-01 is",
        ),
        (
            "findings",
            &["-p", "since=2031-01-01T00:00:00Z"],
            "since 2031-01-01T00:00:00Z is",
        ),
    ] {
        let (status, _, errors) = ask(named, narrowed);
        let said = format!("no event {said}");
        assert_eq!(status, 1, "{narrowed:?}: {errors}");
        assert!(errors.contains(&said), "{narrowed:?}: {errors}");
        assert!(errors.contains("nothing was looked at"), "{errors}");
    }
    // A table that has no fault is answered for.
    let (status, output, errors) = ask("findings", &["-p", "table=BJ-03", "-p", "code=none.such"]);
    assert_eq!((status, errors.as_str()), (0, ""), "{output}");
    assert!(output.contains("(0 rows)"), "{output}");
}

/// Another user, who may not see what is this one's; `None` where this one cannot become another.
fn somebody_else(args: &[&str]) -> Option<(i32, String, String)> {
    // A program that lies where only its owner comes is no use to another.
    let shared = std::env::temp_dir().join(format!("catwalk-of-all-{}", std::process::id()));
    if !shared.exists() {
        fs::hard_link(assert_cmd::cargo::cargo_bin("catwalk"), &shared)
            .or_else(|_| fs::copy(assert_cmd::cargo::cargo_bin("catwalk"), &shared).map(drop))
            .ok()?;
    }
    let drop_rights = ["--reuid=65534", "--regid=65534", "--clear-groups", "--"];
    let mut probe = std::process::Command::new("setpriv");
    if !probe.args(drop_rights).arg("true").status().ok()?.success() {
        return None;
    }
    let mut command = Command::new("setpriv");
    Some(run(command.args(drop_rights).arg(&shared).args(args)))
}

/// Whatever leaves the program behind that others were given.
struct Shared;

impl Drop for Shared {
    fn drop(&mut self) {
        let name = format!("catwalk-of-all-{}", std::process::id());
        let _ = fs::remove_file(std::env::temp_dir().join(name));
    }
}

#[test]
fn what_may_not_be_seen_is_not_called_missing() {
    let _shared = Shared;
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path());
    let log = archive.with_file_name("log");
    let closed = fs::Permissions::from_mode(0o700);
    for private in [&archive, &log] {
        fs::set_permissions(private, closed.clone()).unwrap();
    }
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let address = format!("embedded:{}", log.display());
    for args in [
        &["log", "check", path(&log)][..],
        &["quarantine", "--log", &address, "list"],
        &["verify", path(&archive)],
        &["replay", "--archive", path(&archive)],
        &["query", "--archive", path(&archive), "SELECT 1"],
        &["proof", "head", "--archive", path(&archive)],
    ] {
        let Some((status, output, errors)) = somebody_else(args) else {
            eprintln!("not tried: this user cannot become another");
            return;
        };
        assert_eq!((status, output.as_str()), (1, ""), "{args:?}: {errors}");
        assert!(
            errors.to_lowercase().contains("permission denied"),
            "{args:?}: {errors}"
        );
    }
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
fn a_token_in_the_environment_is_taken_for_no_setting() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", nobody.local_addr().unwrap());
    drop(nobody);
    let mut watch = Command::cargo_bin("catwalk").unwrap();
    watch
        .env("CATWALK_TOKEN", "cw_0123")
        .args(["watch", "--url", &url]);
    let (status, _, errors) = run(&mut watch);
    assert_eq!(status, 1);
    assert!(errors.contains("refused"), "{errors}");
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
