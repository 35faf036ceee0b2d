//! The watch: what is guilty, and its honest twin.
//!
//! `examples.txt`, `guilty.txt` and `honest.txt` tell stories of a table, a line an event, and what is
//! found; `script.rs` says how a line is read. Every code of the watch is raised by one of them and has a
//! twin that is honest.

#![allow(clippy::unwrap_used)]

mod bounds;
mod resolutions;
mod script;
mod story;

use std::collections::BTreeSet;

use script::Told;
use story::Story;

const EXAMPLES: &str = include_str!("examples.txt");
const GUILTY: &str = include_str!("guilty.txt");
const HONEST: &str = include_str!("honest.txt");

/// Codes that are raised and left alone elsewhere: by pay and play in the tests of the games, by numbers
/// and frequencies in `pipeline` and `statistics`.
const ELSEWHERE: [&str; 16] = [
    "commission.wrong",
    "feed.gap",
    "feed.reordered",
    "feed.too_many_tables",
    "pay.under",
    "pay.undue",
    "round.abandoned",
    "round.oversized",
    "round.unsettled",
    "statistics.cards",
    "statistics.dealer",
    "statistics.dice",
    "statistics.wheel",
    "table.overgrown",
    "pay.over",
    "pay.uncollected",
];

#[test]
fn every_story_is_found_as_it_is_told() {
    let stories = [EXAMPLES, GUILTY, HONEST]
        .into_iter()
        .flat_map(script::read);
    let mut wrong = Vec::new();
    for told in stories {
        let found = told.play();
        let codes: Vec<&str> = found.iter().map(|finding| finding.code.as_str()).collect();
        if codes != told.finds {
            let messages = found.iter().map(|finding| finding.message.as_str());
            let messages: Vec<&str> = messages.collect();
            wrong.push(format!(
                "{}: found {codes:?} instead of {:?}: {messages:?}",
                told.title, told.finds
            ));
        }
        let cites = found.iter().flat_map(|finding| &finding.cites);
        let cites: Vec<&String> = cites.collect();
        for cite in told.cites.iter().filter(|cite| !cites.contains(cite)) {
            wrong.push(format!("{}: {cites:?} lack {cite}", told.title));
        }
        for severity in told.severities {
            let of_story = found.iter().map(|finding| finding.severity);
            let of_story = of_story.map(|severity| serde_json::to_value(severity).unwrap());
            if !of_story.clone().any(|known| known == severity) {
                wrong.push(format!("{}: nothing is {severity}", told.title));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn honest_stories_find_at_most_information() {
    for told in script::read(HONEST) {
        for finding in told.play() {
            let severity = serde_json::to_value(finding.severity).unwrap();
            assert_eq!(severity, "info", "{}: {}", told.title, finding.message);
        }
    }
}

#[test]
fn every_code_of_the_watch_has_a_guilty_story_and_an_honest_twin() {
    let settler = story::settler();
    let codes = settler.codes().map(|(code, ..)| code.to_owned());
    let codes = codes.filter(|code| !ELSEWHERE.contains(&code.as_str()));
    let all = || {
        [EXAMPLES, GUILTY, HONEST]
            .into_iter()
            .flat_map(script::read)
    };
    let raised: BTreeSet<String> = all()
        .flat_map(|told| told.finds)
        .map(str::to_owned)
        .collect();
    let twins: BTreeSet<&str> = all().flat_map(|told| told.twins).collect();
    for code in codes {
        assert!(raised.contains(&code), "no story raises {code}");
        assert!(twins.contains(code.as_str()), "{code} has no honest twin");
    }
}

#[test]
fn every_finding_says_where_it_comes_from() {
    for told in [EXAMPLES, GUILTY].into_iter().flat_map(script::read) {
        for finding in told.play() {
            let title = told.title;
            let is_of_feed = finding.code.starts_with("feed.");
            assert!(
                is_of_feed || !finding.cites.is_empty(),
                "{title}: {}",
                finding.code
            );
            assert!(!finding.evidence.is_empty(), "{title}: {}", finding.code);
            assert!(!finding.message.is_empty(), "{title}: {}", finding.code);
        }
    }
}

#[test]
fn the_same_story_gives_the_same_ids() {
    for told in script::read(GUILTY) {
        let ids = |told: &Told<'_>| -> Vec<String> {
            told.play().into_iter().map(|finding| finding.id).collect()
        };
        let first = ids(&told);
        let distinct: BTreeSet<&String> = first.iter().collect();
        assert_eq!(distinct.len(), first.len(), "{}", told.title);
        assert_eq!(first, ids(&told), "{}", told.title);
    }
}
