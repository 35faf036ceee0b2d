//! What a crate offers and nobody takes.
//!
//! Taken is what is named, as a whole word in code, by a file outside of the crate's own `src`: another crate, or its
//! own tests, benches and examples. A type is also taken where its crate hands it out, in a public line or as what a
//! function gives. A name that two crates use for two things hides what is dead: the number is a sign, not a proof.

use std::collections::{HashMap, HashSet};

use crate::rust::declared;
use crate::sources::{Source, has_word, sources};

const VALUES: [&str; 4] = ["fn ", "const ", "static ", "mod "];

const TYPES: [&str; 4] = ["struct ", "enum ", "trait ", "type "];

struct Item {
    source: &'static Source,
    line: usize,
    name: &'static str,
    is_type: bool,
}

pub(crate) fn unnamed() -> Vec<String> {
    let items: Vec<Item> = sources().iter().flat_map(items).collect();
    let mut named: HashMap<&str, HashSet<&str>> = HashMap::new();
    for item in &items {
        named.entry(item.name).or_default();
    }
    for source in sources() {
        for word in words(&source.code) {
            if let Some(by) = named.get_mut(word) {
                by.insert(inside(source));
            }
        }
    }
    let unnamed = items.iter().filter(|item| {
        let mut by = named[item.name].iter();
        by.all(|by| *by == inside(item.source)) && !(item.is_type && is_handed_out(item))
    });
    let place = |item: &Item| format!("{}:{}: {}", item.source.name, item.line, item.name);
    unnamed.map(place).collect()
}

/// The public items of a file.
fn items(source: &'static Source) -> Vec<Item> {
    let lines = source.code.lines().enumerate();
    let public = lines.filter(|(_, line)| !source.is_test && line.trim_start().starts_with("pub "));
    let items = public.filter_map(|(index, line)| {
        let of = |keywords: [&str; 4]| keywords.into_iter().find_map(|word| declared(line, word));
        let (name, is_type) = match of(TYPES) {
            Some(name) => (name, true),
            None => (of(VALUES)?, false),
        };
        Some(Item {
            source,
            line: index + 1,
            name,
            is_type,
        })
    });
    items.collect()
}

/// Whether a type is in a public line of its crate, is what a function gives, or an error of a trait.
fn is_handed_out(item: &Item) -> bool {
    let of_crate = |source: &&Source| !source.is_test && inside(source) == inside(item.source);
    let mut lines = sources()
        .iter()
        .filter(of_crate)
        .flat_map(|source| source.code.lines());
    lines.any(|line| {
        let hands_out = line.contains("pub ") || line.contains("->") || line.contains("type Err");
        let declares = declared(line, "use ").is_some()
            || TYPES
                .into_iter()
                .any(|word| declared(line, word) == Some(item.name));
        hands_out && !declares && has_word(line, item.name)
    })
}

/// The `src` that a file is in, or the file itself.
fn inside(source: &Source) -> &str {
    let src = source.name.find("/src/");
    src.map_or(source.name.as_str(), |at| &source.name[..at])
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_')
}
