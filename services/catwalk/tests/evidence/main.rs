//! Verifying an archive, and a bundle of a round: here, and by the second verifier in it.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{LazyLock, OnceLock};
use std::time::Duration;

use assert_cmd::Command;
use catwalk_archive::{Archive, Archiver, SealSettings, Settings};
use catwalk_events::json;
use catwalk_floor::{Config, FaultKind};
use catwalk_log::{Log, Message, Topic};
use catwalk_wire::Formats;
use serde_json::Value;

mod altered;
#[path = "../../../../tests/played.rs"]
mod played;
mod witnessed;

/// A sealed archive, its key and its public key, in one folder.
pub(crate) fn house() -> &'static Path {
    static HOUSE: OnceLock<PathBuf> = OnceLock::new();
    HOUSE.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sealed-house");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let log = played::open(&[folder.join("log").to_str().unwrap()]);
        let config = Config {
            rounds: 80,
            faults_per_mille: 100,
            fault_kinds: vec![FaultKind::Overpaid],
            ..Config::default()
        };
        strange_round(&*log);
        played::play(&log, config);
        let archive = Archive::at(folder.join("archive").to_str().unwrap()).unwrap();
        let settings = Settings {
            seal: Some(SealSettings {
                key: folder.join("archive.key"),
                name: "catwalk.example/ebh".to_owned(),
                folder: None,
                interval: Duration::from_secs(1),
            }),
            ..Settings::default()
        };
        let formats = Formats::plain().unwrap();
        let mut archiver = Archiver::open(&*log, &archive, formats, settings).unwrap();
        archiver.run_until_caught_up().unwrap();
        let (status, key, _) = catwalk(&folder, &["proof", "key", "--archive", "archive"]);
        assert_eq!(status, 0);
        fs::write(folder.join("house.vkey"), key).unwrap();
        folder
    })
}

/// A round of somebody whose id has what some take for the end of a line.
fn strange_round(log: &dyn Log) {
    let formats = Formats::plain().unwrap();
    let bodies = [
        r#"{"type":"table_opened","game":"minibaccarat","edition":"mgc-2017","options":{},"limits":[],
            "opening_inventory":10000000,"dealer":"d-1"}"#,
        r#"{"type":"shoe_started","shoe":"s-1","set":"set-1","decks":8,"method":"shoe"}"#,
        r#"{"type":"round_opened","shoe":"s-1"}"#,
        r#"{"type":"wager_placed","wager":"w1","seat":3,"player":"p\u2028\u0085\u000b9","kind":"player",
            "amount":10000}"#,
        r#"{"type":"betting_closed"}"#,
        r#"{"type":"card_dealt","to":"player","card":"5S","face":"up"}"#,
        r#"{"type":"card_dealt","to":"banker","card":"3C","face":"up"}"#,
        r#"{"type":"card_dealt","to":"player","card":"4H","face":"up"}"#,
        r#"{"type":"card_dealt","to":"banker","card":"5D","face":"up"}"#,
        r#"{"type":"wager_paid","wager":"w1","amount":10000}"#,
        r#"{"type":"round_closed"}"#,
    ];
    let messages = (1..).zip(bodies).map(|(seq, body)| {
        let round = if seq < 3 { "" } else { r#""round":"MB-90-1","# };
        let line = format!(
            r#"{{"id":"MB-90-{seq}","property":"ebh","table":"MB-90","seq":{seq},"at":"2026-11-15T20:00:{seq:02}Z",
            "source":{{"kind":"device","id":"s-7"}},{round}"body":{body}}}"#
        );
        let event = json::read(&line.replace('\n', " ")).unwrap();
        Message::new(Topic::FloorEvents, "MB-90", formats.events.encode(&event).unwrap())
    });
    let mut producer = log.producer().unwrap();
    producer.send(&messages.collect::<Vec<_>>()).unwrap();
    producer.flush().unwrap();
}

pub(crate) fn catwalk(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("catwalk").unwrap();
    let output = command.current_dir(folder).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let status = output.status.code().unwrap();
    (status, text(output.stdout), text(output.stderr))
}

/// A round with a finding.
pub(crate) fn round() -> String {
    let sql = "SELECT round FROM findings WHERE code = 'pay.over' ORDER BY round LIMIT 1";
    let args = ["query", sql, "--format", "json", "--archive", "archive"];
    let (_, told, errors) = catwalk(house(), &args);
    let row: Value = serde_json::from_str(told.trim()).unwrap_or_else(|_| panic!("{errors}"));
    row["round"].as_str().unwrap().to_owned()
}

pub(crate) fn bundle() -> PathBuf {
    static BUNDLE: OnceLock<PathBuf> = OnceLock::new();
    let made = BUNDLE.get_or_init(|| {
        let path = house().join("evidence.zip");
        let round = round();
        let args = [
            "evidence",
            &round,
            "-o",
            "evidence.zip",
            "--archive",
            "archive",
            "--case",
            "26-114",
            "--requester",
            "J. <Smith>, IEB",
        ];
        let (status, told, errors) = catwalk(house(), &args);
        assert_eq!((status, &*errors), (0, ""), "{told}");
        path
    });
    made.clone()
}

#[test]
fn an_archive_verifies_also_when_every_round_is_settled_again() {
    let (status, heads, _) = catwalk(house(), &["proof", "head", "--archive", "archive"]);
    assert!(
        status == 0 && heads.starts_with("catwalk.example/ebh/000\n"),
        "{heads}"
    );
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), heads).unwrap();
    let head = file.path().to_str().unwrap();
    let args = [
        "verify",
        "--rules",
        "--key",
        "house.vkey",
        "--head",
        head,
        "archive",
    ];
    let (status, told, errors) = catwalk(house(), &args);
    assert_eq!((status, &*errors), (0, ""), "{told}");
    assert!(
        told.ends_with("Nothing was changed.\n") && told.contains("3 given heads"),
        "{told}"
    );
    let (status, told, _) = catwalk(house(), &["verify", "--format", "json", "archive"]);
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(
        (status, &told["verdict"], &told["wrong"]),
        (0, &"unchanged".into(), &0.into())
    );
    assert_eq!(told["key_from_elsewhere"], false);
    let args = ["verify", "--table", "rounds", "archive"];
    let (status, told, _) = catwalk(house(), &args);
    assert!(
        status == 0 && told.contains("Only a part was looked at"),
        "{told}"
    );
}

#[test]
fn a_bundle_is_believed_here_and_by_the_second_verifier() {
    let bundle = bundle();
    let away = tempfile::tempdir().unwrap();
    fs::copy(&bundle, away.path().join("b.zip")).unwrap();
    let key = fs::read_to_string(house().join("house.vkey")).unwrap();
    let (status, told, errors) = catwalk(away.path(), &["verify", "--key", key.trim(), "b.zip"]);
    assert_eq!((status, &*errors), (0, ""), "{told}");
    assert!(
        told.contains("settled again from its document: the same is due"),
        "{told}"
    );
    let (status, told) = second(away.path(), "b.zip", key.trim());
    assert!(
        status == 0 && told.ends_with("Nothing was changed.\n"),
        "{told}"
    );
}

#[test]
fn a_text_with_other_ends_of_lines_is_believed_by_both() {
    let args = [
        "evidence",
        "MB-90-1",
        "-o",
        "strange.zip",
        "--archive",
        "archive",
    ];
    let (status, told, errors) = catwalk(house(), &args);
    assert_eq!(status, 0, "{told}{errors}");
    let (status, told, _) = catwalk(house(), &["verify", "--key", "house.vkey", "strange.zip"]);
    assert!(
        status == 0 && told.ends_with("Nothing was changed.\n"),
        "{told}"
    );
    let (status, told) = second(house(), "strange.zip", "house.vkey");
    assert!(
        status == 0 && told.ends_with("Nothing was changed.\n"),
        "{told}"
    );
}

/// A Python that has what the verifier of a bundle needs beside the standard library.
fn python() -> &'static Path {
    static PYTHON: LazyLock<PathBuf> = LazyLock::new(|| {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cryptography");
        let python = home.join("bin/python");
        let ask = |program: &Path, args: &[&str]| {
            let ran = process::Command::new(program).args(args).output();
            ran.is_ok_and(|ran| ran.status.success())
        };
        if !ask(&python, &["-c", "import cryptography"]) {
            let home = home.to_str().unwrap();
            assert!(ask(Path::new("python3"), &["-m", "venv", home]));
            let install = ["-m", "pip", "install", "--quiet", "cryptography"];
            assert!(ask(&python, &install), "pip install cryptography");
        }
        python
    });
    &PYTHON
}

/// The verifier that is in the bundle.
pub(crate) fn second(folder: &Path, bundle: &str, key: &str) -> (i32, String) {
    let verifier = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/evidence/verify.py");
    let ran = process::Command::new(python())
        .arg(verifier)
        .args([bundle, key])
        .current_dir(folder)
        .output();
    let ran = ran.unwrap();
    let said = String::from_utf8(ran.stdout).unwrap() + &String::from_utf8(ran.stderr).unwrap();
    (ran.status.code().unwrap(), said)
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
