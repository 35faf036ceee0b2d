//! The watch: what is guilty, and its honest twin.
//!
//! The text files tell stories of a table, a line an event, and what is found: `examples.txt` the worked
//! examples, `guilty.txt` and `honest.txt` what each code is about, `rounds.txt` faults in the middle of
//! play, `sparse.txt` feeds that tell little, `evasions.txt` ways to hide a payment, `dice_and_wheels.txt` those
//! games, `money.txt` the papers and boxes of money, `words.txt` what is said. `script.rs` says how a line is read.
//! Every code of the watch
//! is raised by one of them and has a twin that is honest.
//! The other modules tell what holds at the tables of every game.

#![allow(clippy::unwrap_used)]

mod bounds;
mod called_off;
mod codes;
mod editions;
mod faces;
mod games;
mod house;
mod jurisdictions;
mod posting;
mod record;
mod resolutions;
mod rounds;
mod script;
mod statistics;
mod story;
mod untold_openings;
mod words;

use std::collections::BTreeSet;

use catwalk_rules::floor::Cents;
use catwalk_settler::Finding;
use script::Told;
use story::Story;

const EXAMPLES: &str = include_str!("examples.txt");
const GUILTY: &str = include_str!("guilty.txt");
const HONEST: &str = include_str!("honest.txt");
const ROUNDS: &str = include_str!("rounds.txt");
const SPARSE: &str = include_str!("sparse.txt");
const DICE: &str = include_str!("dice_and_wheels.txt");
const EVASIONS: &str = include_str!("evasions.txt");
const MONEY: &str = include_str!("money.txt");
const WORDS: &str = include_str!("words.txt");
const ALL: [&str; 9] = [
    EXAMPLES, GUILTY, HONEST, ROUNDS, SPARSE, DICE, EVASIONS, MONEY, WORDS,
];

/// Codes that take more than a story: frequencies in `statistics`, bounds in `pipeline`, names in `registry`; the desk
/// has its own tests.
const ELSEWHERE: [&str; 12] = [
    "device.elsewhere",
    "device.unregistered",
    "duty.missed",
    "feed.clock_offset",
    "feed.too_many_tables",
    "floor.unregistered",
    "round.oversized",
    "statistics.cards",
    "statistics.dealer",
    "statistics.dice",
    "statistics.wheel",
    "table.overgrown",
];

#[test]
fn every_story_is_found_as_it_is_told() {
    let mut wrong = Vec::new();
    for told in ALL.into_iter().flat_map(script::read) {
        let (times, found): (Vec<i64>, Vec<Finding>) = told.play_by_the_clock().into_iter().unzip();
        if !told.times.is_empty() && told.times != times {
            wrong.push(format!("{}: found at {times:?} seconds", told.title));
        }
        for money in &told.money {
            let cents = |cents: Option<Cents>| cents.unwrap_or_default().get();
            let of_story: Vec<[i64; 3]> = found
                .iter()
                .map(|finding| {
                    [
                        cents(finding.due),
                        cents(finding.paid),
                        finding.exposure.get(),
                    ]
                })
                .collect();
            if !of_story.contains(money) {
                wrong.push(format!("{}: {of_story:?} lack {money:?}", told.title));
            }
        }
        let codes: Vec<&str> = found.iter().map(|finding| finding.code.as_str()).collect();
        if codes != told.finds {
            let messages = found.iter().map(|finding| finding.message.as_str());
            let messages: Vec<&str> = messages.collect();
            wrong.push(format!(
                "{}: found {codes:?} instead of {:?}: {messages:?}",
                told.title, told.finds
            ));
        }
        let said = |(code, message): &(&str, &str)| {
            let mut found = found.iter();
            found.any(|finding| finding.code == *code && finding.message == *message)
        };
        if !told.says.iter().all(said) {
            let messages = found.iter().map(|finding| finding.message.as_str());
            let messages: Vec<&str> = messages.collect();
            wrong.push(format!("{}: {messages:?} lack {:?}", told.title, told.says));
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
    for told in [HONEST, SPARSE].into_iter().flat_map(script::read) {
        for finding in told.play() {
            let severity = serde_json::to_value(finding.severity).unwrap();
            assert_eq!(severity, "info", "{}: {}", told.title, finding.message);
        }
    }
}

#[test]
fn every_code_of_the_watch_has_a_guilty_story_and_an_honest_twin() {
    let codes: BTreeSet<String> = story::filed().map(|filed| filed.code.clone()).collect();
    let all = || ALL.into_iter().flat_map(script::read);
    let raised: BTreeSet<String> = all()
        .flat_map(|told| told.finds)
        .map(str::to_owned)
        .collect();
    let twins: BTreeSet<&str> = all().flat_map(|told| told.twins).collect();
    for code in ELSEWHERE {
        assert!(codes.iter().any(|known| known == code), "{code} is no code");
        assert!(!raised.contains(code), "a story raises {code}");
    }
    let codes = codes
        .iter()
        .filter(|code| !ELSEWHERE.contains(&code.as_str()));
    for code in codes {
        assert!(raised.contains(code), "no story raises {code}");
        assert!(twins.contains(code.as_str()), "{code} has no honest twin");
    }
}

#[test]
fn every_finding_says_where_it_comes_from() {
    let of_feed = story::filed().filter(|filed| filed.cite.as_deref() == Some("feed"));
    let of_feed: BTreeSet<&str> = of_feed.map(|filed| filed.code.as_str()).collect();
    for told in ALL.into_iter().flat_map(script::read) {
        for (seconds, finding) in told.play_by_the_clock() {
            let title = told.title;
            assert!(seconds >= 0, "{title}: {}", finding.code);
            let is_of_feed = of_feed.contains(finding.code.as_str());
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

#[test]
fn a_card_that_comes_twice_is_shown_by_both_of_its_events() {
    let told = "== Two nines of spades
        table three_card_poker mgc-2017
        0:00 opened A red 1
        shoe A 1 hand
        round
        dealt 9S 4D
        lay dealer 9S";
    let told = script::read(told);
    let found = told[0].play();
    let found = found
        .iter()
        .find(|finding| finding.code == "deck.duplicate_card");
    // The shoe, the first of them and the second.
    assert_eq!(found.unwrap().evidence, [5, 7, 9]);
}
