//! Tables that play by the edition of a house: what it changed is judged by it, the rest by its base.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use catwalk_events::audit;
use catwalk_rules::Rulebook;
use catwalk_settler::{Finding, Output, SettledRound, Settler};
use catwalk_stories::{feed, table};
use serde_json::{Value, json};

/// The sample of the documentation, over the built-in rulebook.
fn rulebook() -> Arc<Rulebook> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/house");
    let files = fs::read_dir(folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    });
    let files: BTreeMap<String, String> = files.collect();
    Arc::new(Rulebook::load().unwrap().with_house(&files).unwrap())
}

fn audited(bodies: &[Value]) -> (Vec<Finding>, Vec<SettledRound>) {
    let mut settler = Settler::new(rulebook()).unwrap();
    let events = feed(bodies).into_iter();
    let mut outputs: Vec<Output> = events.flat_map(|event| settler.receive(event)).collect();
    outputs.extend(settler.finish());
    let (mut findings, mut rounds) = (Vec::new(), Vec::new());
    for output in outputs {
        match output {
            Output::Finding(finding) => findings.push(*finding),
            Output::Settlement(round) => rounds.push(*round),
            Output::Unread(unread) => panic!("{}", unread.reason),
        }
    }
    (findings, rounds)
}

fn codes(findings: &[Finding]) -> Vec<&str> {
    findings
        .iter()
        .map(|finding| finding.code.as_str())
        .collect()
}

/// A flush on pair plus that is paid this much, at a table of an edition.
fn flush(edition: &str, paid: i64) -> Vec<Value> {
    let lines = format!(
        "open
        bet a 1 ante 1000
        bet w 1 pair_plus 1000
        no-more-bets
        card seat 1 9H
        card dealer KD
        card seat 1 6H
        card dealer 7C
        card seat 1 2H
        card dealer 3H
        bet p 1 play 1000 a
        show seat 1 0 9H
        show dealer 0 KD
        pay a 1000
        pay p 1000
        pay w {paid}
        close"
    );
    table("three_card_poker", edition, json!({}), &lines)
}

#[test]
fn a_table_of_a_house_pays_what_the_house_filed() {
    let pays = |edition: &str, paid: i64| {
        let (findings, _) = audited(&flush(edition, paid));
        let found = findings.iter().filter(|it| it.code.starts_with("pay."));
        let found = found.map(|it| (it.code.clone(), it.cites.clone()));
        found.collect::<Vec<_>>()
    };
    assert_eq!(pays("mgc-2017", 3_000), []);
    assert_eq!(pays("harbor-2026", 4_000), []);
    assert_eq!(pays("mgc-2017", 4_000)[0].0, "pay.over");
    assert_eq!(pays("harbor-2026", 3_000)[0].0, "pay.under");
}

#[test]
fn the_round_is_kept_under_the_name_of_the_house_and_settles_again() {
    let (_, rounds) = audited(&flush("harbor-2026", 4_000));
    let record = audit::Settlement::from(&rounds[0]);
    assert_eq!(record.edition, "harbor-2026");
    let document = rounds[0].document.as_ref().unwrap();
    assert_eq!(document["edition"], "harbor-2026");
    let again = rulebook().settle_value(document).unwrap();
    assert_eq!(Some(again.rules_hash()), record.rules.as_deref());
}

#[test]
fn a_wager_that_the_house_does_not_offer_is_found_there_alone() {
    let bets = "open
        bet m 1 banker 1000
        bet w 1 dragon_bonus_banker 500
        no-more-bets
        close";
    let found = |edition: &str| {
        let (findings, _) = audited(&table("minibaccarat", edition, json!({}), bets));
        codes(&findings).contains(&"wager.not_offered")
    };
    assert!(!found("mgc-2017"));
    assert!(found("harbor-2026"));
}

#[test]
fn a_change_of_rules_is_announced_as_long_before_as_the_house_says() {
    let found = |edition: &str| {
        let mut bodies = table("minibaccarat", edition, json!({}), "");
        bodies.push(
            json!({"type": "notice_posted", "change": "rules", "announced": true,
            "bureau_notified": true, "effective_at": "2026-11-15T20:45:00Z"}),
        );
        let changed = json!({"type": "rules_changed", "edition": edition, "options": {"decks": 6}});
        bodies.push(changed);
        let mut settler = Settler::new(rulebook()).unwrap();
        let mut findings = Vec::new();
        for (at, event) in feed(&bodies).into_iter().enumerate() {
            let mut event = event;
            event.round = None;
            // Announced at eight, and changed three quarters of an hour later.
            let moment = if at < 2 { "20:00:00" } else { "20:45:00" };
            event.at = format!("2026-11-15T{moment}Z").parse().unwrap();
            findings.extend(settler.receive(event));
        }
        let findings = findings.into_iter().filter_map(|output| match output {
            Output::Finding(finding) => Some(*finding),
            _ => None,
        });
        findings.collect::<Vec<Finding>>()
    };
    assert_eq!(codes(&found("mgc-2017")), [""; 0]);
    let found = found("harbor-2026");
    assert_eq!(codes(&found), ["rules.notice"]);
    assert_eq!(found[0].cites, ["H 2"]);
    assert_eq!(
        found[0].message,
        "The rules changed without 60 minutes' notice"
    );
}
