//! The codes themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use catwalk_rules::book::{FindingSource, Severity};

use crate::{house, script, statistics, story};

#[test]
fn a_code_weighs_the_same_at_every_table() {
    let rulebook = catwalk_stories::rulebook();
    let of_watch = story::filed().map(|filed| {
        let everywhere = "every table".to_owned();
        (filed.code.clone(), (filed.severity, everywhere))
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

/// The stories of a game, `codes/<game>.txt`.
pub(crate) fn stories_of(game: &str) -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/watch/codes");
    fs::read_to_string(here.join(format!("{game}.txt"))).unwrap_or_default()
}

#[test]
fn a_story_of_its_game_raises_every_code_that_only_events_show() {
    let rulebook = catwalk_stories::rulebook();
    // What takes more than a table, or more than a story.
    let elsewhere = [house::differences(), statistics::biased()].concat();
    let mut wrong = Vec::new();
    for game in rulebook.games() {
        let here = elsewhere.iter().filter(|(of, _)| *of == game.name());
        let mut raised: BTreeSet<String> = here.map(|(_, code)| code.clone()).collect();
        let stories = stories_of(game.name());
        for told in script::read(&stories) {
            let codes: Vec<String> = told.play().into_iter().map(|found| found.code).collect();
            if codes != told.finds {
                let (name, finds) = (game.name(), &told.finds);
                wrong.push(format!("{name}: {}: {codes:?}, not {finds:?}", told.title));
            }
            raised.extend(codes);
        }
        let codes = game.book().findings().iter();
        let codes = codes.filter(|finding| finding.shown_by == FindingSource::Events);
        for code in codes.map(|finding| finding.code.as_str()) {
            if !raised.contains(code) {
                wrong.push(format!("{}: no story raises {code}", game.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
