//! The codes themselves.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use catwalk_rules::book::{FindingSource, Severity};

#[test]
fn a_code_weighs_the_same_at_every_table() {
    let rulebook = catwalk_stories::rulebook();
    let settler = catwalk_stories::settler();
    let of_watch = settler.codes().map(|(code, severity, ..)| {
        let everywhere = "every table".to_owned();
        (code.to_owned(), (severity, everywhere))
    });
    let mut known: BTreeMap<String, (Severity, String)> = of_watch.collect();
    for game in rulebook.games() {
        for finding in game.book().findings() {
            let here = (finding.severity, game.name().to_owned());
            let (severity, there) = known.entry(finding.code.clone()).or_insert(here);
            assert_eq!(
                (*severity, &finding.code),
                (finding.severity, &finding.code),
                "{there} and {}",
                game.name()
            );
        }
    }
}

/// What a text has a word for that is found under another: `pay.over` and its kin, `wager.capped` and
/// `wager.pinched`, `deck.missing_card` and `deck.extra_card`.
const OTHER_WORDS: [&str; 6] = [
    "deck.count",
    "deck.count_wrong",
    "payout.mispay",
    "payout.over",
    "payout.under",
    "wager.changed_after_cutoff",
];

#[test]
fn a_test_names_every_code_that_only_events_show() {
    let rulebook = catwalk_stories::rulebook();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut tests = String::new();
    for folder in ["tests", "../floor/src/games", "../floor/tests"] {
        read_all(&here.join(folder), &mut tests);
    }
    for game in rulebook.games() {
        let events = game.book().findings().iter();
        let events = events.filter(|finding| finding.shown_by == FindingSource::Events);
        for code in events.map(|finding| finding.code.as_str()) {
            let is_told = OTHER_WORDS.contains(&code) || tests.contains(code);
            assert!(is_told, "{}: no test names {code}", game.name());
        }
    }
}

fn read_all(folder: &Path, text: &mut String) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.map(|entry| entry.unwrap().path()) {
        let is_table = path.ends_with("codes.rs");
        match path.is_dir() {
            true => read_all(&path, text),
            false if is_table => {}
            false => text.push_str(&fs::read_to_string(&path).unwrap_or_default()),
        }
    }
}
