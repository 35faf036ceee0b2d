//! `catwalk report` as auditors meet it, on the archive of two tables over two nights.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

use assert_cmd::Command;
use catwalk_archive::{Archive, Archiver, Settings};
use catwalk_floor::Config;
use catwalk_wire::Formats;

mod month;
#[path = "../../../../tests/played.rs"]
mod played;

fn archive() -> &'static str {
    static ARCHIVE: OnceLock<String> = OnceLock::new();
    ARCHIVE.get_or_init(|| {
        archived(
            "archive-for-reports",
            Config {
                tables: 2,
                games: vec!["big_six".to_owned(), "roulette".to_owned()],
                rounds: 2_500,
                ..Config::default()
            },
        )
    })
}

/// Plays a floor and archives it in a folder of this name: where the archive is.
fn archived(name: &str, config: Config) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    let log = played::open(&[folder.join("log").to_str().unwrap()]);
    played::play(&log, config);
    let location = folder.join("archive").to_str().unwrap().to_owned();
    let archive = Archive::at(&location).unwrap();
    let formats = Formats::plain().unwrap();
    let mut archiver = Archiver::open(&*log, &archive, formats, Settings::default()).unwrap();
    archiver.run_until_caught_up().unwrap();
    location
}

/// Exit status, standard output, standard error.
fn report(args: &[&str]) -> (i32, Vec<u8>, String) {
    report_of(archive(), args)
}

fn report_of(archive: &str, args: &[&str]) -> (i32, Vec<u8>, String) {
    let mut command = Command::cargo_bin("catwalk").unwrap();
    let output = command
        .arg("report")
        .args(args)
        .args(["--archive", archive])
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), output.stdout, errors)
}

fn text(args: &[&str]) -> String {
    let (status, out, errors) = report(args);
    assert_eq!(status, 0, "{args:?}: {errors}");
    String::from_utf8(out).unwrap()
}

/// The rows of a CSV answer, by the names of its header.
fn rows(csv: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = csv.lines().map(cells);
    let header = lines.next().unwrap();
    lines
        .map(|line| header.iter().cloned().zip(line).collect())
        .collect()
}

/// The cells of a line: commas within quotes are text.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().unwrap().push(c),
        }
    }
    cells
}

/// The files of a workbook.
fn unzipped(bytes: Vec<u8>) -> BTreeMap<String, String> {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut files = BTreeMap::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let mut text = String::new();
        if file.read_to_string(&mut text).is_ok() {
            files.insert(file.name().unwrap().into_owned(), text);
        }
    }
    files
}

#[test]
fn the_bridge_of_an_honest_table_leaves_nothing_unexplained() {
    let csv = text(&["win-bridge", "--month", "2026-11", "--format", "csv"]);
    let rows = rows(&csv);
    let closed: Vec<_> = rows
        .iter()
        .filter(|row| row["not_computed"].is_empty())
        .collect();
    assert!(closed.len() >= 2, "{csv}");
    for row in closed {
        assert_eq!(row["unexplained"], "0.00", "{csv}");
        assert_eq!(row["mispaid"], "0.00", "{csv}");
        assert_eq!(row["without_theo"], "0.00", "{csv}");
        assert_ne!(row["theo"], "0.00", "{csv}");
    }
}

#[test]
fn what_is_not_final_stands_on_top_with_what_is_uncertain() {
    let shown = text(&["a1", "--month", "2026-11"]);
    let top: Vec<&str> = shown.lines().take(8).collect();
    assert!(
        top[0].starts_with("A1 Master game report: gaming days 2026-11-01"),
        "{shown}"
    );
    assert!(
        top.iter().any(|line| line.starts_with("NOT FINAL: ")),
        "{shown}"
    );
    assert!(
        shown.contains("may still be open: nothing was told of a later day"),
        "{shown}"
    );
    let (_, _, errors) = report(&["a1", "--month", "2026-11", "--format", "csv"]);
    assert!(errors.starts_with("catwalk: NOT FINAL: "), "{errors}");
    for said in [
        "time zone: America/New_York",
        "gaming day: a gaming day begins at 06:00",
        "table versions: ",
        "rules: roulette ",
    ] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
}

#[test]
fn a_workbook_has_typed_cells_and_formulas_with_the_figures_of_the_csv() {
    let (status, bytes, errors) =
        report(&["master-game", "--month", "2026-11", "--format", "xlsx"]);
    assert_eq!((status, &*errors), (0, ""));
    let files = unzipped(bytes);
    let first = &files["xl/worksheets/sheet1.xml"];
    let csv = text(&["master-game", "--month", "2026-11", "--format", "csv"]);
    for row in rows(&csv).iter().filter(|row| !row["win"].is_empty()) {
        let win = row["win"].trim_end_matches('0').trim_end_matches('.');
        assert!(first.contains(&format!("<v>{win}</v>")), "{win}: {first}");
    }
    // Win of the first row, from closer, credits, drop, opener and fills.
    let win = first
        .split("<f>")
        .filter_map(|rest| rest.split("</f>").next())
        .find(|formula| formula.starts_with("ROUND(J"))
        .unwrap();
    let cells: Vec<char> = win.chars().filter(char::is_ascii_uppercase).collect();
    assert_eq!(cells.iter().collect::<String>(), "ROUNDJIQGH", "{win}");
    assert!(
        first.contains("SUM(G")
            && first.contains("fitToPage")
            && first.contains("state=\"frozen\"")
    );
    let games = files
        .values()
        .find(|sheet| sheet.contains("SUMIFS("))
        .unwrap();
    assert!(games.contains("<drawing"), "a chart of the sums by game");
    assert!(files.keys().any(|name| name.contains("charts/chart")));
    assert!(files["xl/workbook.xml"].contains("Open points"));
}

#[test]
fn all_reports_go_into_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let (status, _, errors) = report(&["--all", "--month", "2026-11", "-o", path]);
    assert_eq!(status, 0, "{errors}");
    let files = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names.len(), 13, "{names:?}");
    assert!(
        names.contains(&"A1-master-game-2026-11.xlsx".to_owned()),
        "{names:?}"
    );
    for name in &names {
        let files = unzipped(std::fs::read(folder.path().join(name)).unwrap());
        assert!(files.contains_key("xl/worksheets/sheet1.xml"), "{name}");
    }
}

#[test]
fn what_nobody_told_of_is_not_called_final() {
    for asked in [
        &["a1", "--month", "2026-10"][..],
        &["a2", "--day", "2026-11-15", "--table", "RO-99"],
        &["drop-chain", "--day", "2026-11-15", "--pit", "pit-9"],
    ] {
        let shown = text(asked);
        assert!(shown.contains("NOT FINAL: "), "{shown}");
        assert!(shown.contains("nothing was told of this: "), "{shown}");
        assert!(!shown.contains("Final: every table has closed"), "{shown}");
    }
}

#[test]
fn the_foot_says_where_the_rows_are_and_that_nothing_proves_the_archive() {
    let shown = text(&["a2", "--month", "2026-11"]);
    assert!(
        shown.contains("to follow a figure: mispaid by wager and finding in the part Mispaid"),
        "{shown}"
    );
    assert!(
        shown.contains("the archive tells of: 2026-11-15 to "),
        "{shown}"
    );
    assert!(shown.contains("proof: "), "{shown}");
}

#[test]
fn a_report_that_is_not_there_and_a_day_that_is_none_are_refused() {
    let (status, _, errors) = report(&["win-brige"]);
    assert!(
        status == 2 && errors.contains("did you mean \"win-bridge\"?"),
        "{errors}"
    );
    let (status, _, errors) = report(&["win-bridge", "--month", "November"]);
    assert!(
        status == 2 && errors.contains("no month such as 2026-11"),
        "{errors}"
    );
    let (status, _, errors) = report(&["--all"]);
    assert!(status == 2 && errors.contains("--output"), "{errors}");
    let list = text(&["--list"]);
    assert!(
        list.contains("A13") && list.contains("gaming-tax"),
        "{list}"
    );
}
