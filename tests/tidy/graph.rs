//! Which crate of the house depends on which.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use toml::Table;

/// What a crate needs, and what its tests need besides.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    pub(crate) always: BTreeSet<String>,
    pub(crate) in_tests: BTreeSet<String>,
}

const PREFIX: &str = "catwalk-";

/// As the manifests say.
pub(crate) fn real(root: &Path) -> BTreeMap<String, Needs> {
    let mut needs = BTreeMap::new();
    for folder in members(root) {
        let manifest = manifest(&folder);
        let name = manifest["package"]["name"].as_str().unwrap();
        let of = |section: &str| -> BTreeSet<String> {
            let section = manifest.get(section).and_then(|section| section.as_table());
            let names = section.into_iter().flat_map(Table::keys);
            names
                .filter_map(|name| name.strip_prefix(PREFIX))
                .map(str::to_owned)
                .collect()
        };
        let name = name.strip_prefix(PREFIX).unwrap_or(name).to_owned();
        let always = of("dependencies");
        let in_tests = of("dev-dependencies")
            .difference(&always)
            .cloned()
            .collect();
        needs.insert(name, Needs { always, in_tests });
    }
    needs
}

/// Folders of the members: each by its name, or all of a folder with `/*`.
fn members(root: &Path) -> Vec<PathBuf> {
    let workspace = manifest(root);
    let members = workspace["workspace"]["members"].as_array().unwrap();
    let mut folders = Vec::new();
    for member in members.iter().map(|member| member.as_str().unwrap()) {
        match member.strip_suffix("/*") {
            None => folders.push(root.join(member)),
            Some(parent) => {
                let entries = fs::read_dir(root.join(parent)).unwrap();
                let entries = entries.map(|entry| entry.unwrap().path());
                folders.extend(entries.filter(|path| path.join("Cargo.toml").exists()));
            }
        }
    }
    folders
}

fn manifest(folder: &Path) -> Table {
    let text = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    text.parse().unwrap()
}

/// As the page says: rows of a table of four columns, ``| `crate` | what | needs | tests need |``.
pub(crate) fn told(page: &str) -> BTreeMap<String, Needs> {
    let mut needs = BTreeMap::new();
    let rows = page
        .lines()
        .skip_while(|line| !line.starts_with("| crate |"));
    for row in rows.take_while(|line| line.starts_with('|')).skip(2) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let names = |cell: &str| -> BTreeSet<String> {
            let words = cell
                .split(',')
                .map(|word| word.trim().trim_matches('`').to_owned());
            words
                .filter(|word| !word.is_empty() && word != "-")
                .collect()
        };
        let [name, _, always, in_tests, ..] = cells.as_slice() else {
            panic!("{row}");
        };
        let (always, in_tests) = (names(always), names(in_tests));
        needs.insert(
            name.trim().trim_matches('`').to_owned(),
            Needs { always, in_tests },
        );
    }
    needs
}

/// Files and folders that the page names, from the root: what has a slash or an ending, between two ticks. A path
/// begins with its crate, or goes on in the `src` that the path before it in the row was in.
pub(crate) fn paths(page: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for row in page.lines() {
        let mut src = String::new();
        for word in row.split('`').skip(1).step_by(2) {
            let is_path = word.contains('/') || word.ends_with(".rs") || word.ends_with(".toml");
            let word = word.split(['<', '*']).next().unwrap_or_default();
            if !is_path || word.contains(' ') || word.is_empty() {
                continue;
            }
            let folders: Vec<&str> = word.split('/').collect();
            let of_house = ["docs", "schemas", "queries", "deploy", "tests", "services"];
            match folders.as_slice() {
                [first, _, ..] if of_house.contains(first) => paths.push(word.to_owned()),
                [of, "src" | "tests", ..] => {
                    src = format!("services/{of}/src");
                    paths.push(format!("services/{word}"));
                }
                _ if !src.is_empty() => paths.push(format!("{src}/{word}")),
                _ => {}
            }
        }
    }
    paths
}

#[test]
fn paths_of_a_row_go_on_where_its_first_one_is() {
    let page = "| a | `settler/src/runner/mod.rs`, `quarantine.rs`, `schemas/past` | `cells.txt` |\n`x.rs`";
    let paths = paths(page);
    assert_eq!(
        paths,
        [
            "services/settler/src/runner/mod.rs",
            "services/settler/src/quarantine.rs",
            "schemas/past"
        ]
    );
}
