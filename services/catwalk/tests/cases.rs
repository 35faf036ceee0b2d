//! Cases, legal holds and lawful erasure, by the program itself.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

const LOG: &str = "embedded:catwalk-data/log";

/// Runs the program in a folder: its exit status, what it says, and its errors.
fn catwalk(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("catwalk").unwrap();
    let output = command.current_dir(folder).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let status = output.status.code().unwrap();
    (status, text(output.stdout), text(output.stderr))
}

fn rows(folder: &Path, sql: &str) -> Vec<Value> {
    let (status, told, errors) = catwalk(folder, &["query", sql, "--format", "json"]);
    assert_eq!(status, 0, "{errors}");
    told.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn case(folder: &Path, args: &[&str]) -> (i32, String) {
    let (status, told, errors) = catwalk(
        folder,
        &[&["case"], args, &["--log", LOG, "--by", "i-7"]].concat(),
    );
    (status, told + &errors)
}

/// Whether the archive is whole, and what is said of it.
fn verified(folder: &Path) -> String {
    let args = ["verify", "--head", "heads", "--key", "house.vkey"];
    let (status, told, errors) = catwalk(folder, &args);
    assert!(
        status == 0 && told.contains("Nothing was changed"),
        "{told}{errors}"
    );
    told
}

/// Plays rounds and archives them; gives the patron who played most, and one of their rounds.
fn played(folder: &Path) -> (String, String) {
    let played = ["simulate", "--tables", "4", "--rounds", "60", "--log", LOG];
    assert_eq!(catwalk(folder, &played).0, 0);
    assert_eq!(catwalk(folder, &["up", "--once"]).0, 0);
    fs::write(folder.join("heads"), catwalk(folder, &["proof", "head"]).1).unwrap();
    fs::write(
        folder.join("house.vkey"),
        catwalk(folder, &["proof", "key"]).1,
    )
    .unwrap();
    let most = "SELECT player, min(round) AS round FROM wagers WHERE player IS NOT NULL \
                GROUP BY player HAVING count(DISTINCT round) > 1 ORDER BY count(*) DESC, player LIMIT 1";
    let most = &rows(folder, most)[0];
    let text = |name: &str| most[name].as_str().unwrap().to_owned();
    (text("player"), text("round"))
}

/// A case holds one of the patron's rounds.
fn hold(folder: &Path, round: &str) {
    let authority = ["--authority", "subpoena 26-0031"];
    let (status, told) = case(folder, &["hold", "26-114", "--authority", "x"]);
    assert!(
        status == 1 && told.contains("there is no case 26-114"),
        "{told}"
    );
    let open = ["open", "26-114", "--round", round, "--note", "overpaid?"];
    assert_eq!(case(folder, &open).0, 0);
    let (status, told) = case(folder, &["hold", "26-114"]);
    assert!(status == 1 && told.contains("authority"), "{told}");
    assert_eq!(
        case(folder, &[&["hold", "26-114"][..], &authority].concat()).0,
        0
    );
    let (status, told) = case(folder, &["close", "26-114"]);
    assert!(status == 1 && told.contains("release it first"), "{told}");
}

/// No file of a folder has this text as it is.
fn assert_nowhere(folder: &Path, text: &str) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            assert_nowhere(&path, text);
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let mut places = bytes.windows(text.len());
        let is_there = places.any(|part| part == text.as_bytes());
        assert!(!is_there, "{} has {text}", path.display());
    }
}

#[test]
fn what_a_case_holds_is_not_erased_and_what_is_erased_is_on_record() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (patron, round) = &played(folder);
    hold(folder, round);
    // The patron asks to be forgotten: all but that round goes.
    let erase = |more: &[&str]| {
        let args = [
            "erase",
            patron,
            "--authority",
            "request of 3 March",
            "--by",
            "privacy-1",
        ];
        catwalk(folder, &[&args[..], more].concat())
    };
    let (status, _, errors) = erase(&["--note", &format!("it was {patron}")]);
    assert!(status == 1 && errors.contains("do not name"), "{errors}");
    let (status, told, errors) = erase(&["--dry-run"]);
    assert!(
        status == 1 && told.contains("they are held (cases 26-114)"),
        "{told}{errors}"
    );
    let (status, told, errors) = erase(&[]);
    assert!(status == 1 && told.contains("erased: "), "{told}{errors}");
    let left = format!("SELECT DISTINCT round FROM wagers WHERE player = '{patron}'");
    assert_eq!(rows(folder, &left), [serde_json::json!({ "round": round })]);
    let told = verified(folder);
    assert!(
        told.contains("rows were erased at ")
            && told.contains("by privacy-1, authority: request of 3 March"),
        "{told}"
    );
    // The case lets go, and the rest goes.
    let ended = ["release", "26-114", "--authority", "closing letter"];
    assert_eq!(case(folder, &ended).0, 0);
    assert_eq!(case(folder, &["close", "26-114"]).0, 0);
    let (status, told, errors) = erase(&[]);
    assert_eq!(status, 0, "{told}{errors}");
    // What was asked of the patron is on record beside the tables: it goes as well.
    assert_nowhere(&folder.join("catwalk-data/archive"), patron);
    verified(folder);
    let (status, _, errors) = erase(&[]);
    assert!(
        status == 1 && errors.contains("nothing was erased"),
        "{errors}"
    );
    assert_eq!(rows(folder, &left), [] as [Value; 0]);
    let (status, told) = case(folder, &["show", "26-114"]);
    assert!(
        status == 0 && told.lines().count() == 4 && told.contains(round),
        "{told}"
    );
    let acts = "SELECT action FROM cases ORDER BY at";
    let acts: Vec<String> = rows(folder, acts)
        .iter()
        .map(|row| row["action"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(acts, ["open", "hold", "erase", "release", "close", "erase"]);
    let (status, told, errors) = catwalk(folder, &["archive", "vacuum"]);
    assert!(
        status == 0 && told.contains("0 files deleted"),
        "{told}{errors}"
    );
}
