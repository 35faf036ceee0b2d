//! Holds the sources and the pages of the house to what is said of them.
//!
//! What should not be is counted, and `ratchets.txt` keeps how many there still are. A number may only fall: more
//! than it says fails with where they are, fewer fails until the number is lowered, which
//! `CATWALK_RENEW=1 cargo test -p catwalk-tidy` does.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

mod graph;
mod pages;
mod public;
mod ratchet;
mod rust;
mod sources;

use std::path::Path;

use ratchet::hold;
use sources::{Source, sources};

/// What fits a screen.
const SCREEN_LINES: usize = 70;

/// Past this, a file is likely to have two subjects.
const FILE_LINES: usize = 500;

/// What fits beside another page.
const COLUMNS: usize = 120;

/// What is not left in a file that others read. Written in two, for this file is read too.
const LEFTOVERS: [&str; 5] = [
    concat!("to", "do!"),
    concat!("unimple", "mented!"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("db", "g!"),
];

#[test]
fn a_function_fits_a_screen() {
    let mut long = Vec::new();
    for source in sources() {
        for (name, first, last) in rust::functions(&source.code) {
            let lines = last - first + 1;
            if lines > SCREEN_LINES {
                long.push(format!("{}:{first}: {name}, {lines} lines", source.name));
            }
        }
    }
    hold("functions over 70 lines", &long);
}

#[test]
fn a_file_has_one_subject() {
    let lines = |source: &Source| source.text.lines().count();
    let long = sources().iter().filter(|source| lines(source) > FILE_LINES);
    let long = long.map(|source| format!("{}: {} lines", source.name, lines(source)));
    hold("files over 500 lines", &long.collect::<Vec<_>>());
}

#[test]
fn a_line_fits_the_page() {
    let long = lines(|_, line, _| line.chars().count() > COLUMNS);
    hold("lines over 120 columns", &long);
}

#[test]
fn dead_code_is_taken_out() {
    let allowed = lines(|_, _, code| sources::has_word(code, "dead_code"));
    hold("dead code allowed", &allowed);
}

#[test]
fn nothing_is_left_to_do() {
    let left = lines(|_, line, _| LEFTOVERS.iter().any(|word| sources::has_word(line, word)));
    hold("words left over", &left);
}

/// A reason is a comment on the line or on the one above.
#[test]
fn an_unwrap_outside_tests_has_its_reason_beside_it() {
    let mut bare = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test) {
        let in_tests = rust::test_lines(&source.code);
        let lines: Vec<&str> = source.text.lines().collect();
        for (index, code) in source.code.lines().enumerate() {
            let above = index.checked_sub(1).map_or("", |above| lines[above]);
            let has_reason = lines[index].contains("//") || above.trim_start().starts_with("//");
            let is_test = in_tests.iter().any(|lines| lines.contains(&(index + 1)));
            if code.contains(".unwrap()") && !has_reason && !is_test {
                bare.push(format!("{}:{}", source.name, index + 1));
            }
        }
    }
    hold("unwraps without a reason", &bare);
}

#[test]
fn what_is_public_is_named_outside_its_crate() {
    hold("public items that no other crate names", &public::unnamed());
}

#[test]
fn crates_depend_on_each_other_as_the_page_says() {
    let page = root().join("docs/architecture.md");
    let told = graph::told(&std::fs::read_to_string(page).unwrap());
    let real = graph::real(&root());
    assert!(
        told.len() > 5,
        "docs/architecture.md has no table of crates"
    );
    for (name, real) in &real {
        let told = told.get(name);
        let told = told.unwrap_or_else(|| panic!("docs/architecture.md does not know {name}"));
        assert_eq!(told, real, "docs/architecture.md (left) of {name}");
    }
    let gone: Vec<&String> = told
        .keys()
        .filter(|name| !real.contains_key(*name))
        .collect();
    assert!(
        gone.is_empty(),
        "docs/architecture.md knows {gone:?}, which are no crates"
    );
}

#[test]
fn the_page_names_files_that_are_there() {
    let page = std::fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let gone = graph::paths(&page).into_iter();
    let gone: Vec<String> = gone.filter(|path| !root().join(path).exists()).collect();
    assert!(gone.is_empty(), "docs/architecture.md names {gone:?}");
}

#[test]
fn the_page_of_games_lists_each_with_its_editions() {
    let page = std::fs::read_to_string(root().join("docs/games.md")).unwrap();
    let mut rows: Vec<&str> = page
        .lines()
        .filter(|line| line.contains("/rules.toml)"))
        .collect();
    let mut games = pages::games(&root());
    rows.sort_unstable();
    games.sort_unstable();
    assert_eq!(rows, games, "docs/games.md (left)");
}

#[test]
fn every_link_of_every_page_leads_somewhere() {
    let dead = pages::dead_links(&root());
    assert!(dead.is_empty(), "{dead:#?}");
}

/// Lines of all sources that a rule finds by source, text and code without strings and comments.
fn lines(rule: impl Fn(&Source, &str, &str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources() {
        let both = source.text.lines().zip(source.code.lines());
        for (index, (line, code)) in both.enumerate() {
            if rule(source, line, code) {
                found.push(format!("{}:{}", source.name, index + 1));
            }
        }
    }
    found
}

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}
