//! What the chapters hold, and what is refused.

#![allow(clippy::unwrap_used)]

use super::*;

const SMALL: &str = r#"
title = "Nowhere"
editions = ["mgc-2017"]
dice = []
wheels = []
positions = [{ game = "craps", count = 16 }]

[[cards]]
game = "blackjack"
hours = { shoe = 24 }
cite = "3"

[[findings]]
code = "deck.overdue"
severity = "warn"
meaning = "It stayed too long"
cite = "3"
"#;

fn refused(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from), "{from}");
    let text = SMALL.replacen(from, to, 1);
    Chapter::read(&text).unwrap_err().to_string()
}

#[test]
fn the_small_chapter_is_right() {
    let chapter = Chapter::read(SMALL).unwrap();
    assert_eq!(chapter.title(), "Nowhere");
    assert_eq!(chapter.hash(), hex(&Sha256::digest(SMALL)));
    assert!(chapter.card_life.is_none());
}

#[test]
fn what_is_wrong_is_named() {
    let wrong = [
        ("title", "titel", "unknown field `titel`"),
        ("count = 16", "count = 0", "craps has no positions"),
        (
            "hours = { shoe = 24 }",
            "hours = {}",
            "hours of at least one method",
        ),
        (
            "hours = { shoe = 24 }",
            "hours = { bowl = 24 }",
            "unknown variant `bowl`",
        ),
        (
            "hours = { shoe = 24 }",
            "hours = { shoe = 24 }\nextended = [\"hand\"]",
            "a method without hours",
        ),
        (
            "hours = { shoe = 24 }",
            "hours = { shoe = 24 }\ndecks = [8, 6]",
            "decks from the fewest to the most",
        ),
        (
            "cite = \"3\"\n\n[[findings]]",
            "cite = \" \"\n\n[[findings]]",
            "cards of blackjack has no cite",
        ),
        ("severity = \"warn\"\n", "", "missing field `severity`"),
        (
            "too long\"\ncite = \"3\"",
            "too long\"",
            "deck.overdue: either `cite`",
        ),
        (
            "too long\"\ncite = \"3\"",
            "too long\"\ncite = \"\"",
            "deck.overdue: either `cite`",
        ),
        (
            "[[findings]]",
            "[[findings]]\ncode = \"deck.overdue\"\nseverity = \"warn\"\nmeaning = \"m\"\ncite = \"3\"\n\n[[findings]]",
            "deck.overdue is there twice for all games",
        ),
        (
            "[[findings]]",
            "[[findings]]\ncode = \"deck.overdue\"\ngames = [\"blackjack\"]\nseverity = \"info\"\nmeaning = \"m\"\ncite = \"3\"\n\n[[findings]]",
            "deck.overdue has two severities",
        ),
    ];
    for (from, to, what) in wrong {
        let said = refused(from, to);
        assert!(said.contains(what), "{from} -> {to}: {said}");
    }
}

#[test]
fn an_entry_of_a_game_goes_before_that_of_all() {
    let equipment = Equipment::load().unwrap();
    let ohio = equipment.chapter(Some(Edition::OhJack2017));
    let cite = |game| ohio.finding(game, "deck.not_inspected").unwrap().source();
    assert_eq!(cite(Some("blackjack")), "rules of the game 5.A");
    assert_eq!(cite(Some("let_it_ride")), "rules of the game 4.A");
    assert_eq!(cite(None), "rules of the game 4.A");
}

#[test]
fn both_texts_of_massachusetts_share_a_chapter_and_ohio_has_its_own() {
    let equipment = Equipment::load().unwrap();
    let of = |edition| equipment.chapter(Some(edition)).title();
    assert_eq!(of(Edition::Mgc2017), "Massachusetts");
    assert_eq!(of(Edition::MgcAmended), "Massachusetts");
    assert_eq!(of(Edition::OhJack2017), "Ohio");
    assert_eq!(equipment.chapter(None).title(), "Massachusetts");
    assert_ne!(equipment.chapters[0].hash(), equipment.chapters[1].hash());
}

#[test]
fn a_chapter_cites_the_texts_of_its_own_jurisdiction() {
    let equipment = Equipment::load().unwrap();
    let ohio = equipment.chapter(Some(Edition::OhJack2017));
    for cite in ohio.cited() {
        assert!(cite.starts_with("rules of the game "), "Ohio: {cite}");
        assert!(!cite.contains('('), "Ohio: {cite}");
    }
    let massachusetts = equipment.chapter(Some(Edition::Mgc2017));
    for cite in massachusetts.cited() {
        assert!(
            cite.starts_with("205 CMR 14") || cite.starts_with("rules of"),
            "Massachusetts: {cite}"
        );
    }
}

#[test]
fn a_code_weighs_the_same_everywhere() {
    let equipment = Equipment::load().unwrap();
    let chapters = equipment
        .chapters
        .iter()
        .flat_map(|chapter| &chapter.findings);
    let all: Vec<&WatchFinding> = chapters.chain(&equipment.everywhere).collect();
    for one in &all {
        for other in all.iter().filter(|other| other.code == one.code) {
            assert_eq!(one.severity, other.severity, "{}", one.code);
            assert_eq!(one.meaning, other.meaning, "{}", one.code);
        }
    }
    for entry in &equipment.everywhere {
        let found = equipment
            .chapters
            .iter()
            .find_map(|chapter| chapter.finding(None, &entry.code));
        assert!(found.is_none(), "{} is of a chapter too", entry.code);
    }
}
