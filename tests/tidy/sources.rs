//! The Rust files of the house.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use crate::{root, rust};

#[derive(Debug)]
pub(crate) struct Source {
    /// From the root of the house.
    pub(crate) name: String,
    pub(crate) text: String,
    /// The text with blanks for comments and for what strings say.
    pub(crate) code: String,
    /// No part of what runs on a floor.
    pub(crate) is_test: bool,
}

pub(crate) fn sources() -> &'static [Source] {
    static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(read);
    &SOURCES
}

/// Whether a word stands there by itself.
pub(crate) fn has_word(line: &str, word: &str) -> bool {
    let is_letter = |letter: Option<char>| letter.is_some_and(|l| l.is_alphanumeric() || l == '_');
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !is_letter(before) && !is_letter(after)
    })
}

fn read() -> Vec<Source> {
    let mut sources = Vec::new();
    for folder in ["services", "tests"] {
        read_folder(&root(), Path::new(folder), &mut sources);
    }
    sources.sort_by(|a, b| a.name.cmp(&b.name));
    mark_test_modules(&mut sources);
    assert!(sources.len() > 100, "the sources of the house are not here");
    sources
}

fn read_folder(root: &Path, folder: &Path, sources: &mut Vec<Source>) {
    for entry in fs::read_dir(root.join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = folder.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            if entry.file_name() != "target" {
                read_folder(root, &path, sources);
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(root.join(&path)).unwrap();
            let of_tests = ["tests", "benches", "examples", "stories"];
            sources.push(Source {
                name: path.display().to_string(),
                code: rust::code(&text),
                is_test: path
                    .iter()
                    .any(|part| of_tests.iter().any(|of| part == *of)),
                text,
            });
        }
    }
}

/// Files and folders that a `#[cfg(test)] mod name;` leads to.
fn mark_test_modules(sources: &mut [Source]) {
    let mut modules = BTreeSet::new();
    for source in &*sources {
        let file = Path::new(&source.name);
        let folder = match file.file_stem().unwrap().to_str().unwrap() {
            "lib" | "main" | "mod" => file.parent().unwrap().to_owned(),
            _ => file.with_extension(""),
        };
        for name in rust::test_modules(&source.code) {
            modules.insert(folder.join(name));
        }
    }
    for source in sources {
        let file = Path::new(&source.name).with_extension("");
        source.is_test |= file.ancestors().any(|part| modules.contains(part));
    }
}
