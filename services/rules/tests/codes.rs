//! Every code that a round document can show is seen in a settlement.
//!
//! A game's sample rounds raise many; `raised.jsonl` beside them has a round for each of the others.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use catwalk_rules::Rulebook;
use catwalk_rules::book::FindingSource;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Sample {
    document: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raised {
    violations: Vec<String>,
    document: Value,
}

#[test]
fn every_code_of_a_document_is_raised_by_a_round() {
    let rulebook = Rulebook::load().unwrap();
    let violations = |document: &Value| -> Vec<String> {
        let settled = rulebook.settle(&document.to_string());
        let settled = settled.unwrap_or_else(|refusal| panic!("{refusal}\n{document}"));
        settled.violations().iter().map(str::to_owned).collect()
    };
    let mut wrong = Vec::new();
    for game in rulebook.games() {
        let mut raised = BTreeSet::new();
        for line in game.examples().lines() {
            let sample: Sample = serde_json::from_str(line).unwrap();
            if let Ok(settled) = rulebook.settle(&sample.document.to_string()) {
                raised.extend(settled.violations().iter().map(str::to_owned));
            }
        }
        for line in rounds_of(game.name()).lines() {
            let round: Raised = serde_json::from_str(line)
                .unwrap_or_else(|error| panic!("{}: {error}: {line}", game.name()));
            let found = violations(&round.document);
            if found != round.violations {
                wrong.push(format!("{}: {found:?}\n  {line}", game.name()));
            }
            if found.iter().all(|code| raised.contains(code)) {
                wrong.push(format!("{}: shows nothing new\n  {line}", game.name()));
            }
            raised.extend(found);
        }
        let codes = game.book().findings().iter();
        let codes = codes.filter(|finding| finding.shown_by == FindingSource::Document);
        for code in codes.map(|finding| &finding.code) {
            if !raised.contains(code) {
                wrong.push(format!("{}: no round raises {code}", game.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Empty where the sample rounds show all.
fn rounds_of(game: &str) -> String {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games");
    fs::read_to_string(games.join(game).join("raised.jsonl")).unwrap_or_default()
}
