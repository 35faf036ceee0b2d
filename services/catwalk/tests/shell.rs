//! The shell of `catwalk query`, typed at a terminal.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use catwalk_archive::{Archive, Archiver, Settings};
use catwalk_floor::Config;
use catwalk_wire::Formats;

#[path = "../../../tests/played.rs"]
mod played;

#[test]
fn the_shell_is_typed_at_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let location = folder.path().join("archive");
    {
        let log = played::open(&[folder.path().join("log").to_str().unwrap()]);
        let config = Config {
            rounds: 40,
            ..Config::default()
        };
        played::play(&log, config);
        let archive = Archive::at(location.to_str().unwrap()).unwrap();
        let formats = Formats::plain().unwrap();
        let mut archiver = Archiver::open(&*log, &archive, formats, Settings::default()).unwrap();
        archiver.run_until_caught_up().unwrap();
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shell/typed.py");
    let output = Command::new("python3")
        .arg(script)
        .arg(cargo_bin("catwalk"))
        .arg(&location)
        .arg(folder.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}\n{errors}");
}
