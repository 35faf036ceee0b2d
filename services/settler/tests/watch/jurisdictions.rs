//! A table is judged by the rules of its own jurisdiction, and every finding says by which.

use std::collections::BTreeMap;
use std::sync::Arc;

use catwalk_events::body::Body;
use catwalk_floor::{Config, Floor, Happening};
use catwalk_rules::{Edition, Rulebook};
use catwalk_settler::{Finding, Output, Settler};

use crate::{ALL, script};

/// What no rule judges: it is found everywhere, and quotes no rules.
fn is_of_no_text(code: &str) -> bool {
    let rulebook = catwalk_stories::rulebook();
    let mut entries = rulebook.everywhere().iter();
    entries.any(|entry| entry.code == code)
}

/// What is wrong with the source of a finding at a table of this edition; of any if it is not known.
fn fault(finding: &Finding, edition: Option<Edition>) -> Option<String> {
    let rulebook = catwalk_stories::rulebook();
    let code = &finding.code;
    let Some(rules) = &finding.rules else {
        let is_due = !is_of_no_text(code);
        return is_due.then(|| format!("{code} quotes no rules"));
    };
    let game = finding.game.as_deref();
    let book = game.and_then(|game| rulebook.game(game).ok());
    let book = book.map(|game| game.book().hash());
    let chapter = rulebook.equipment(edition).hash();
    if book != Some(rules) && chapter != rules {
        return Some(format!("{code} quotes neither its game nor its chapter"));
    }
    let is_ohio = edition == Some(Edition::OhJack2017);
    let is_of_cmr = |cite: &&String| cite.contains("205 CMR") || has_regulation(cite);
    let foreign = finding.cites.iter().find(is_of_cmr).filter(|_| is_ohio);
    foreign.map(|cite| format!("{code} cites {cite} in Ohio"))
}

/// 146 and 147 are chapters of 205 CMR.
fn has_regulation(cite: &str) -> bool {
    let mut words = cite.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| word == "146" || word == "147")
}

#[test]
fn every_finding_of_a_story_quotes_the_rules_that_judged_it() {
    let mut wrong = Vec::new();
    for told in ALL.into_iter().flat_map(script::read) {
        let mut editions: Vec<Option<Edition>> = vec![None];
        if !told.editions().is_empty() {
            editions = told.editions().into_iter().map(Some).collect();
        }
        for finding in told.play() {
            // Of a table that changes its rules, one of them judged.
            let faults = editions.iter().map(|edition| fault(&finding, *edition));
            let faults: Option<Vec<String>> = faults.collect();
            wrong.extend(faults.map(|why| format!("{}: {}", told.title, why[0])));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_finding_of_a_floor_quotes_the_rules_that_judged_it() {
    let rulebook = Arc::new(Rulebook::load().unwrap());
    let config = Config {
        seed: 11,
        tables: 60,
        rounds: 900,
        faults_per_mille: 200,
        ..Config::default()
    };
    let mut settler = Settler::new(Arc::clone(&rulebook)).unwrap();
    let mut editions: BTreeMap<String, Option<Edition>> = BTreeMap::new();
    let mut found: Vec<Finding> = Vec::new();
    let mut take = |outputs: Vec<Output>| {
        for output in outputs {
            if let Output::Finding(finding) = output {
                found.push(*finding);
            }
        }
    };
    for happening in Floor::under(rulebook, config).unwrap() {
        if let Happening::Event(event) = happening.unwrap() {
            if let Body::TableOpened(opened) = &event.body {
                editions.insert(event.table.clone(), Edition::from_name(&opened.edition));
            }
            take(settler.receive(*event));
        }
    }
    take(settler.finish());
    let in_ohio = |finding: &&Finding| editions[&finding.table] == Some(Edition::OhJack2017);
    assert!(found.iter().filter(in_ohio).count() > 20);
    let wrong = found.iter().filter_map(|finding| {
        let why = fault(finding, editions[&finding.table])?;
        Some(format!("{}: {why}", finding.table))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same story at a table of Massachusetts and at one of Ohio, and what is found at each.
fn both(told: &str) -> [Vec<Finding>; 2] {
    ["mgc-2017", "oh-jack-2017"].map(|edition| {
        let told = told.replace("EDITION", edition);
        script::read(&told)[0].play()
    })
}

fn codes(found: &[Finding]) -> Vec<&str> {
    found.iter().map(|finding| finding.code.as_str()).collect()
}

#[test]
fn the_ratio_of_limits_is_a_rule_of_massachusetts() {
    let [massachusetts, ohio] = both(
        "== Low limits
        table blackjack EDITION {} limits [{\"kind\": \"main\", \"min\": 1000, \"max\": 5000}]",
    );
    assert!(codes(&massachusetts).contains(&"limits.ratio"));
    assert_eq!(codes(&ohio), [""; 0]);
}

#[test]
fn what_205_cmr_alone_asks_is_not_asked_in_ohio() {
    const OF_MASSACHUSETTS: [&str; 11] = [
        "limits.ratio",
        "limits.notice",
        "rules.notice",
        "requirement.notice",
        "deck.not_destroyed",
        "deck.not_reinspected",
        "deck.unsealed",
        "deck.seal_reused",
        "deck.split_set",
        "deck.reused",
        "device.not_inspected",
    ];
    let rulebook = catwalk_stories::rulebook();
    let chapter = rulebook.equipment(Some(Edition::OhJack2017));
    for game in ["blackjack", "free_bet_blackjack"] {
        let findings = rulebook.game(game).unwrap().book().findings();
        for code in OF_MASSACHUSETTS {
            assert!(
                chapter.finding(Some(game), code).is_none(),
                "{game}: {code}"
            );
            let here = findings.iter().filter(|finding| finding.code == code);
            let mut here = here.filter(|finding| finding.editions.holds(Edition::OhJack2017));
            assert!(here.next().is_none(), "{game}: {code}");
        }
    }
    let [massachusetts, ohio] = both(
        "== Limits and rules that change without a word
        table blackjack EDITION {} limits [{\"kind\": \"main\", \"min\": 5000, \"max\": 30000}]
        {\"type\": \"limits_changed\", \"limits\": [{\"kind\": \"main\", \"min\": 2500, \"max\": 30000}]}
        {\"type\": \"rules_changed\", \"edition\": \"EDITION\", \"options\": {\"dealer_hits_soft_17\": false}}",
    );
    assert!(codes(&massachusetts).contains(&"limits.notice"));
    assert_eq!(codes(&ohio), [""; 0]);
}

#[test]
fn hours_of_cards_are_those_of_the_jurisdiction_and_so_is_their_cite() {
    let [massachusetts, ohio] = both(
        "== Six hours by hand, and ten minutes more
        table three_card_poker EDITION
        0:00 opened A red 1
        0:02 shoe A 1 hand
        6:10 shoe A 1 hand",
    );
    let cite = |found: &[Finding]| {
        let found = found.iter().find(|finding| finding.code == "deck.overdue");
        let found = found.unwrap();
        (found.cites.clone(), found.rules.clone().unwrap())
    };
    let chapter = |edition| {
        catwalk_stories::rulebook()
            .equipment(Some(edition))
            .hash()
            .to_owned()
    };
    let (cites, rules) = cite(&massachusetts);
    assert_eq!(cites, ["205 CMR 146.49(7)(c)"]);
    assert_eq!(rules, chapter(Edition::Mgc2017));
    let (cites, rules) = cite(&ohio);
    assert_eq!(cites, ["rules of the game 3.C"]);
    assert_eq!(rules, chapter(Edition::OhJack2017));
}
