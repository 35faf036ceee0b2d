//! The pages.

use std::fs;
use std::path::{Path, PathBuf};

use toml::Table;

/// The row of each game, as its data file says.
pub(crate) fn games(root: &Path) -> Vec<String> {
    let mut rows = Vec::new();
    for entry in fs::read_dir(root.join("services/rules/src/games")).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(text) = fs::read_to_string(folder.join("rules.toml")) else {
            continue;
        };
        let book: Table = text.parse().unwrap();
        let editions = book["editions"].as_array().unwrap().iter();
        let editions: Vec<&str> = editions.map(|of| of["edition"].as_str().unwrap()).collect();
        let (title, name) = (book["title"].as_str().unwrap(), folder.file_name().unwrap());
        rows.push(format!(
            "| [{title}](../services/rules/src/games/{}/rules.toml) | {} |",
            name.display(),
            editions.join(", ")
        ));
    }
    rows
}

/// Links within the house that lead nowhere, with their page.
pub(crate) fn dead_links(root: &Path) -> Vec<String> {
    let mut pages: Vec<PathBuf> = Vec::new();
    for folder in ["", "docs", "schemas"] {
        let entries = fs::read_dir(root.join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        pages.extend(paths.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    assert!(pages.len() > 5, "the pages of the house are not here");
    let mut dead = Vec::new();
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for link in links(&text) {
            if !page.parent().unwrap().join(link).exists() {
                dead.push(format!("{}: {link}", page.display()));
            }
        }
    }
    dead
}

/// What stands between `](` and `)`, without what is on the web and without places within a page.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1);
    let targets = targets.filter_map(|rest| rest.split([')', '#', '\n']).next());
    targets.filter(|link| !link.is_empty() && !link.contains("://"))
}

#[test]
fn links_are_read_to_their_end() {
    let text = "[a](b/c.md), [d](e.md#f) and [g](https://h.i/j) or [k](#l)";
    assert_eq!(links(text).collect::<Vec<_>>(), ["b/c.md", "e.md"]);
}
