//! What an entry cites at a table belongs to the text of the table's edition, and to no other.
//!
//! The texts number their sections in ways of their own: Massachusetts `12(b)` and `205 CMR 146.49`, Ohio `13.B`. An
//! entry of several editions says so edition by edition.

#![allow(clippy::unwrap_used)]

use catwalk_rules::book::Book;
use catwalk_rules::{Edition, Rulebook};

/// Whose sections a cite names, beside those of the edition that shows it.
fn stranger(edition: Edition, cite: &str) -> Option<&'static str> {
    match edition {
        Edition::OhJack2017 if names_cmr(cite) => Some("205 CMR"),
        Edition::OhJack2017 if names_paragraphs(cite) => Some("a text of Massachusetts"),
        Edition::Mgc2017 | Edition::MgcAmended if names_letters(cite) => Some("a text of Ohio"),
        _ => None,
    }
}

/// `147.07`, `205 CMR 146`.
fn names_cmr(cite: &str) -> bool {
    let mut words = cite.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| matches!(word, "CMR" | "146" | "147"))
}

/// Each number that begins a word, and what follows it: `3` and `(b)` of `s.3(b)`.
fn numbers(cite: &str) -> impl Iterator<Item = (&str, &str)> {
    let words = cite.split([' ', ',', ';', '/']);
    words.filter_map(|word| {
        let bare = word.trim_start_matches(['s', '.', '\u{a7}', 'P', 'C']);
        let end = bare.find(|c: char| !c.is_ascii_digit());
        let (number, rest) = bare.split_at(end.unwrap_or(bare.len()));
        (!number.is_empty()).then_some((number, rest))
    })
}

/// `3(b)`, `6a(e)3`.
fn names_paragraphs(cite: &str) -> bool {
    numbers(cite).any(|(_, rest)| {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_lowercase());
        rest.starts_with('(')
    })
}

/// `3.B`, and the chapter of progressives.
fn names_letters(cite: &str) -> bool {
    let is_section = |(_, rest): (&str, &str)| {
        let letter = rest.strip_prefix('.').and_then(|rest| rest.chars().next());
        letter.is_some_and(|letter| letter.is_ascii_uppercase())
    };
    numbers(cite).any(is_section) || cite.contains("PC ") || cite.contains("progressives")
}

/// Each entry of a book, what it is called, and what it cites at a table of an edition.
fn cited(book: &Book, edition: Edition) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut add = |list: &str, name: &str, holds: bool, cite: Option<&str>| {
        let cite = cite.filter(|_| holds);
        all.extend(cite.map(|cite| (format!("{list}.{name}"), cite.to_owned())));
    };
    for it in book.options() {
        add(
            "options",
            &it.key,
            it.editions.holds(edition),
            it.cite.of(edition),
        );
    }
    for it in book.wagers() {
        add(
            "wagers",
            &it.kind,
            it.editions.holds(edition),
            it.cite.of(edition),
        );
    }
    for it in book.tables() {
        add(
            "tables",
            &it.id,
            it.editions.holds(edition),
            it.cite.of(edition),
        );
    }
    for it in book.figures() {
        add(
            "figures",
            &it.key,
            it.editions.holds(edition),
            it.cite.of(edition),
        );
    }
    for it in book.findings() {
        add(
            "findings",
            &it.code,
            it.editions.holds(edition),
            it.cite.of(edition),
        );
    }
    for it in book.readings() {
        add(
            "readings",
            &it.reading,
            it.editions.holds(edition),
            it.cite.of(edition),
        );
    }
    if let Some(layout) = book.layout(edition) {
        add("layouts", "layout", true, layout.cite.of(edition));
    }
    all
}

#[test]
fn every_cite_belongs_to_the_text_of_its_edition() {
    let rulebook = Rulebook::load().unwrap();
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for game in rulebook.games() {
        let book = game.book();
        for edition in book.editions() {
            for (place, cite) in cited(book, edition) {
                seen += 1;
                if let Some(whose) = stranger(edition, &cite) {
                    let game = game.name();
                    wrong.push(format!(
                        "{game} {place} cites {cite:?} at {edition}: {whose}"
                    ));
                }
            }
        }
    }
    assert!(seen > 2_500, "{seen}");
    assert_eq!(wrong, [""; 0], "{}", wrong.join("\n"));
}

#[test]
fn every_finding_at_every_table_of_an_edition_cites_that_edition() {
    let rulebook = Rulebook::load().unwrap();
    for edition in Edition::ALL {
        for entry in rulebook.equipment(Some(edition)).findings() {
            let whose = entry.cite.as_deref().and_then(|cite| match edition {
                Edition::OhJack2017 if names_cmr(cite) => Some("205 CMR"),
                _ => None,
            });
            assert_eq!(whose, None, "{} in {edition}: {:?}", entry.code, entry.cite);
        }
    }
}

#[test]
fn texts_are_told_apart_by_how_they_number_their_sections() {
    let [massachusetts, ohio] = [Edition::Mgc2017, Edition::OhJack2017];
    for cite in [
        "10(c); 7.G, 10.C",
        "s6(f); \u{a7}7.F",
        "s13(d); PC 6.A",
        "146.13(2); 2.A.ii",
    ] {
        assert!(stranger(massachusetts, cite).is_some(), "{cite}");
        assert!(stranger(ohio, cite).is_some(), "{cite}");
    }
    for cite in [
        "3(b)",
        "6a(e)3, 18(f)",
        "s.4(b)",
        "s11(a)(1)",
        "205 CMR 146.49(7)(c)",
        "147.07",
    ] {
        assert_eq!(stranger(massachusetts, cite), None, "{cite}");
        assert!(stranger(ohio, cite).is_some(), "{cite}");
    }
    for cite in [
        "7.J.ii(a)",
        "\u{a7}12.D,G",
        "s.5.a.A",
        "P6.A",
        "progressives 5.A.iv",
        "s.1.D, 5.C",
    ] {
        assert_eq!(stranger(ohio, cite), None, "{cite}");
    }
    assert!(stranger(massachusetts, "\u{a7}12.D,G").is_some());
}
