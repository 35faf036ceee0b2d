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

/// A house `x` over Massachusetts that says this of one game.
fn house_of(game: &str, text: &str) -> Arc<Rulebook> {
    let edition = "edition = \"x\"\nbase = \"mgc-2017\"\ntext = \"Its own.\"";
    let files = [("edition.toml", edition), (&format!("{game}.toml"), text)];
    let files = files.map(|(file, text)| (file.to_owned(), text.to_owned()));
    let rulebook = Rulebook::load().unwrap();
    Arc::new(rulebook.with_house(&BTreeMap::from(files)).unwrap())
}

fn audited(bodies: &[Value]) -> (Vec<Finding>, Vec<SettledRound>) {
    audited_by(rulebook(), bodies)
}

fn audited_by(rulebook: Arc<Rulebook>, bodies: &[Value]) -> (Vec<Finding>, Vec<SettledRound>) {
    let mut settler = Settler::new(rulebook).unwrap();
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
    let (code, cites) = &pays("harbor-2026", 3_000)[0];
    assert_eq!(code, "pay.under");
    assert_eq!(cites.last().unwrap(), "H 7");
    assert!(!pays("mgc-2017", 4_000)[0].1.contains(&"H 7".to_owned()));
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
        let mut found = findings.into_iter();
        let found = found.find(|found| found.code == "wager.not_offered");
        found.map(|found| found.message)
    };
    assert_eq!(found("mgc-2017"), None);
    let said = "Seat 1 bet $5.00 on dragon bonus banker, which harbor-2026 does not offer";
    assert_eq!(found("harbor-2026").as_deref(), Some(said));
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
        "The rules changed without 60 minutes' notice: decks from not posted to 6"
    );
}

#[test]
fn a_figure_of_the_house_is_what_the_watch_goes_by() {
    let figure = |key: &str, value: i64| {
        format!("[[figures]]\nkey = \"{key}\"\nvalue = {value}\ncite = \"H 3\"")
    };
    let short_spin = "{\"type\": \"wheel_inspected\", \"result\": \"pass\", \"wheel\": \"w\"}
        open
        bet w 1 high 500
        no-more-bets
        spin 29 4
        pay w 500
        close";
    let high_fee = "open
        bet w1 1 pass 1000
        roll 4 5
        {\"type\": \"wager_placed\", \"wager\": \"w2\", \"seat\": 2, \"kind\": \"buy\", \"amount\": 6000, \
        \"detail\": {\"number\": 4}}
        {\"type\": \"commission_collected\", \"wager\": \"w2\", \"amount\": 300}
        roll 4 5
        pay w1 1000
        close";
    for (game, key, value, lines, code, said) in [
        (
            "roulette",
            "least_turns",
            5,
            short_spin,
            "roulette.invalid_spin_settled",
            "",
        ),
        (
            "craps",
            "vig_cap_bp",
            450,
            high_fee,
            "craps.vig_over_cap",
            "over 4.50%",
        ),
    ] {
        let rulebook = house_of(game, &figure(key, value));
        let found = |edition: &str| {
            let posted = match game {
                "craps" => json!({"buy_vig_bp": 450, "lay_vig_bp": 450}),
                _ => json!({}),
            };
            let bodies = table(game, edition, posted, lines);
            let (findings, _) = audited_by(Arc::clone(&rulebook), &bodies);
            let found = findings.into_iter().filter(|found| found.code == code);
            found.collect::<Vec<Finding>>()
        };
        assert_eq!(found("mgc-2017"), [], "{game}");
        let found = found("x");
        let [found] = &found[..] else {
            panic!("{game}: {code} once at the house: {found:#?}");
        };
        assert!(found.message.contains(said), "{}", found.message);
    }
}

#[test]
fn the_step_of_wagers_is_that_of_the_house() {
    let figure = "[[figures]]\nkey = \"six_to_five_unit\"\nvalue = 250\ncite = \"H 3\"";
    let rulebook = house_of("blackjack", figure);
    let steps = |edition: &str| {
        let posted = json!({"variation": "six_to_five", "decks": 1});
        let lines = "open
            bet m1 1 main 750
            no-more-bets
            close";
        let bodies = table("blackjack", edition, posted, lines);
        let (findings, _) = audited_by(Arc::clone(&rulebook), &bodies);
        let found = findings.iter().filter(|it| it.code == "wager.increment");
        let found = found.map(|it| it.message.clone());
        found.collect::<Vec<String>>()
    };
    let told = "Seat 1 bet $7.50 on main, which is no multiple of $5.00";
    assert_eq!(steps("mgc-2017"), [told]);
    assert_eq!(steps("x"), [""; 0]);
}

#[test]
fn what_a_house_has_as_its_default_need_not_be_posted() {
    let default = |key: &str, value: &str| {
        format!("[[options]]\nkey = \"{key}\"\ndefault = {value}\ncite = \"H 4\"")
    };
    let spin = "{\"type\": \"wheel_inspected\", \"result\": \"pass\", \"wheel\": \"w\"}
        open
        bet w 1 high 500
        no-more-bets
        spin 00 4
        close";
    let late = "open
        bet h 3 house_money 600
        bet m 3 player 1000
        no-more-bets
        card player 4S
        card banker 8C
        card player AH
        card banker 8D
        pay h 1800
        bet p 3 house_money_press 900 m
        close";
    for (game, key, value, lines, code) in [
        (
            "roulette",
            "wheel",
            "\"single\"",
            spin,
            "wheel.illegal_result",
        ),
        (
            "minibaccarat",
            "house_money_press_percent",
            "50",
            late,
            "-house_money.press_wrong_amount",
        ),
    ] {
        let rulebook = house_of(game, &default(key, value));
        let found = |edition: &str| {
            let bodies = table(game, edition, json!({}), lines);
            let (findings, _) = audited_by(Arc::clone(&rulebook), &bodies);
            let code = code.trim_start_matches('-');
            findings.iter().any(|found| found.code == code)
        };
        // A minus before it: it is the base that has the fault.
        let is_fault_of_base = code.starts_with('-');
        assert_eq!(found("mgc-2017"), is_fault_of_base, "{game}");
        assert_eq!(found("x"), !is_fault_of_base, "{game}");
    }
}

#[test]
fn a_table_of_a_house_goes_on_by_it_after_a_restart() {
    let figure = "[[figures]]\nkey = \"least_turns\"\nvalue = 5\ncite = \"H 3\"";
    let rulebook = house_of("roulette", figure);
    let lines = "{\"type\": \"wheel_inspected\", \"result\": \"pass\", \"wheel\": \"w\"}
        open
        bet w 1 high 500
        no-more-bets
        spin 29 4
        pay w 500
        close";
    let events = feed(&table("roulette", "x", json!({}), lines));
    let (before, after) = events.split_at(3);
    let mut settler = Settler::new(Arc::clone(&rulebook)).unwrap();
    for event in before {
        settler.receive(event.clone());
    }
    let first = &events[0];
    let snapshot = settler.snapshot(&first.property, &first.table).unwrap();
    let mut settler = Settler::new(rulebook).unwrap();
    settler.restore(&snapshot.unwrap()).unwrap();
    let outputs = after
        .iter()
        .flat_map(|event| settler.receive(event.clone()));
    let codes = outputs.filter_map(|output| match output {
        Output::Finding(finding) => Some(finding.code),
        _ => None,
    });
    let codes: Vec<String> = codes.collect();
    assert!(
        codes.contains(&"roulette.invalid_spin_settled".to_owned()),
        "{codes:?}"
    );
}
