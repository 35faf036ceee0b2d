//! Days at a table: what lies on it goes in time, dealers and patrons take turns, signs change after their
//! notice, chips add up, and an honest table is not accused whatever the hour.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use catwalk_events::body::{Body, NoticeChange, PaidFrom, WagerForm};
use catwalk_events::{Event, PostedLimit};
use catwalk_floor::{Config, Floor, GAMES as ALL_GAMES, Happening};
use catwalk_rules::Rulebook;
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;
use catwalk_settler::{Finding, Output, Settler};

/// Dice, cards, tiles and a wheel, and a marker that goes round the table.
const GAMES: [&str; 5] = [
    "craps",
    "fast_action_holdem",
    "minibaccarat",
    "pai_gow",
    "roulette",
];

#[test]
fn honest_tables_are_not_accused_over_nights_and_shifts() {
    let rulebook = Arc::new(Rulebook::load().unwrap());
    let config = Config {
        seed: 5,
        tables: GAMES.len(),
        rounds: u64::MAX,
        days: Some(2),
        games: GAMES.map(str::to_owned).to_vec(),
        ..Config::default()
    };
    let mut settler = Settler::new(rulebook.clone()).unwrap();
    let mut told: BTreeMap<String, u32> = BTreeMap::new();
    for happening in Floor::under(rulebook, config).unwrap() {
        let Happening::Event(event) = happening.unwrap() else {
            continue;
        };
        *told
            .entry(format!("{} {}", event.table, event.body.type_name()))
            .or_default() += 1;
        not_accused(settler.receive(*event));
    }
    not_accused(settler.finish());
    let count = |of: &str| {
        let counts = told.iter().filter(|(key, _)| key.ends_with(of));
        counts.map(|(_, count)| *count).collect::<Vec<u32>>()
    };
    // Craps goes on through the night; the others open on the second day again, and close at the end.
    assert_eq!(count(" table_opened").iter().sum::<u32>(), 2 * 5 - 1);
    assert!(count(" drop_counted").iter().all(|count| *count >= 2));
    assert!(count(" dealer_changed").iter().all(|count| *count > 20));
}

fn not_accused(outputs: Vec<Output>) {
    for output in outputs {
        match output {
            Output::Finding(finding) => panic!("{finding:?}"),
            Output::Unread(unread) => panic!("{}: {:?}", unread.reason, unread.event),
            Output::Settlement(_) => {}
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_days() {
    let config = Config {
        tables: 3,
        rounds: 300,
        days: Some(1),
        noise_per_mille: 100,
        ..Config::default()
    };
    assert_eq!(events(config.clone()), events(config));
}

fn events(config: Config) -> Vec<Event> {
    let floor = Floor::open(config).unwrap();
    let events = floor.filter_map(|happening| match happening.unwrap() {
        Happening::Event(event) => Some(*event),
        _ => None,
    });
    events.collect()
}

/// What is found of warn or above.
fn accusations(events: &[Event]) -> Vec<Finding> {
    let mut settler = Settler::new(Arc::new(Rulebook::load().unwrap())).unwrap();
    let mut outputs: Vec<Output> = Vec::new();
    for event in events {
        outputs.extend(settler.receive(event.clone()));
    }
    outputs.extend(settler.finish());
    let finding = |output| match output {
        Output::Finding(finding) => Some(*finding),
        Output::Unread(unread) => panic!("{}: {:?}", unread.reason, unread.event),
        Output::Settlement(_) => None,
    };
    let findings = outputs.into_iter().filter_map(finding);
    let findings = findings.filter(|finding| finding.severity >= Severity::Warn);
    findings.collect()
}

#[test]
fn noise_is_no_cheating_and_only_the_feed_is_told_of_and_labelled() {
    let noisy = Config {
        seed: 9,
        tables: ALL_GAMES.len(),
        rounds: 3_000,
        noise_per_mille: 300,
        ..Config::default()
    };
    let (mut events, mut labelled) = (Vec::new(), Vec::new());
    for happening in Floor::open(noisy).unwrap() {
        match happening.unwrap() {
            Happening::Event(event) => events.push(*event),
            Happening::Fault(label) => {
                let seqs = label.seqs.iter();
                labelled.extend(seqs.map(|seq| (label.table.clone(), *seq)));
            }
            _ => {}
        }
    }
    let mut last: BTreeMap<&str, u64> = BTreeMap::new();
    let mut again = Vec::new();
    for event in &events {
        let last = last.entry(event.table.as_str()).or_default();
        if event.seq <= *last {
            again.push((event.table.clone(), event.seq));
        }
        *last = event.seq.max(*last);
    }
    let found = accusations(&events).into_iter().map(|finding| {
        let is_of_feed = ["feed.duplicate", "feed.reordered"].contains(&finding.code.as_str());
        assert!(is_of_feed, "{finding:?}");
        (finding.table, finding.evidence[0])
    });
    let found: BTreeSet<(String, u64)> = found.collect();
    again.sort();
    labelled.sort();
    assert!(again.len() > 100);
    assert_eq!(labelled, again);
    // What comes again or late in a row is one outage, told at its first event.
    let again: BTreeSet<(String, u64)> = again.into_iter().collect();
    assert!(found.is_subset(&again), "{found:?}");
    let begins = |(table, seq): &&(String, u64)| !again.contains(&(table.clone(), seq - 1));
    let begun: Vec<&(String, u64)> = again.iter().filter(begins).collect();
    assert!(begun.len() > 50 && begun.iter().all(|one| found.contains(*one)));
    let has = |is_it: fn(&Body) -> bool| events.iter().any(|event| is_it(&event.body));
    assert!(has(|body| matches!(body, Body::RoundVoided(_))));
    assert!(has(|body| matches!(body, Body::WagerChanged(_))));
    assert!(has(
        |body| matches!(body, Body::Irregularity(told) if told.kind == "dispute")
    ));
}

#[test]
fn a_floor_without_noise_sends_every_event_once_and_in_order() {
    let mut last: BTreeMap<String, u64> = BTreeMap::new();
    let quiet = Config {
        tables: 10,
        rounds: 200,
        ..Config::default()
    };
    for event in events(quiet) {
        let last = last.entry(event.table.clone()).or_default();
        assert_eq!(event.seq, *last + 1);
        *last = event.seq;
    }
}

/// Roulette, baccarat and a game of hands, for a day.
fn a_day() -> Vec<Event> {
    let games = ["roulette", "minibaccarat", "three_card_poker"];
    events(Config {
        seed: 3,
        tables: games.len(),
        rounds: u64::MAX,
        days: Some(1),
        games: games.map(str::to_owned).to_vec(),
        ..Config::default()
    })
}

#[test]
fn signs_change_after_their_notice_and_wagers_keep_to_the_limits() {
    let mut limits: BTreeMap<String, Vec<PostedLimit>> = BTreeMap::new();
    let mut notices = BTreeMap::new();
    let (mut bounded, mut of_limits, mut of_rules) = (0, 0, 0);
    for event in a_day() {
        let half_an_hour = 30 * 60 * 1_000_000;
        match event.body {
            Body::TableOpened(opened) => drop(limits.insert(event.table, opened.limits)),
            Body::NoticePosted(posted) => {
                let lead = posted.effective_at.micros() - event.at.micros();
                assert!(posted.announced);
                assert!(posted.change == NoticeChange::Limits || posted.bureau_notified);
                assert!(posted.change == NoticeChange::Limits || lead >= half_an_hour);
                notices.insert(posted.notice.clone().unwrap(), (posted, event.at));
            }
            Body::LimitsChanged(changed) => {
                let (notice, _) = notices.remove(&changed.notice.unwrap()).unwrap();
                assert_eq!(notice.change, NoticeChange::Limits);
                limits.insert(event.table, changed.limits);
                of_limits += 1;
            }
            Body::RulesChanged(changed) => {
                let (notice, at) = notices.remove(&changed.notice.unwrap()).unwrap();
                assert_eq!(notice.change, NoticeChange::Rules);
                assert!(event.at.micros() - at.micros() >= half_an_hour);
                assert!(notice.effective_at <= event.at);
                of_rules += 1;
            }
            Body::WagerPlaced(placed) => {
                let posted = limits[&event.table].iter();
                for limit in posted.filter(|limit| limit.kind == placed.kind) {
                    assert!(
                        (limit.min..=limit.max).contains(&placed.amount),
                        "{placed:?}"
                    );
                    bounded += 1;
                }
            }
            _ => {}
        }
    }
    assert!(bounded > 1_000 && of_limits > 3 && of_rules > 0);
}

/// What should be in the tray of a table, and in its box.
#[derive(Debug, Default)]
struct Chips {
    tray: Cents,
    /// What lies in its boxes, and whether they were counted since.
    bought: Cents,
    is_counted: bool,
    stakes: BTreeMap<String, Cents>,
    /// Wagers that are no chips.
    coupons: BTreeSet<String>,
}

#[test]
fn the_chips_of_a_table_add_up_at_every_count() {
    let mut tables: BTreeMap<String, Chips> = BTreeMap::new();
    let (mut counted, mut moved) = (0, 0);
    for event in a_day() {
        let chips = tables.entry(event.table).or_default();
        match event.body {
            Body::TableOpened(opened) => chips.tray = opened.opening_inventory,
            Body::RoundOpened(_) => {
                chips.stakes.clear();
                chips.coupons.clear();
            }
            Body::WagerPlaced(placed) => {
                if placed.form == Some(WagerForm::Coupon) {
                    chips.coupons.insert(placed.wager.clone());
                }
                chips.stakes.insert(placed.wager, placed.amount);
            }
            // It goes into the drop box.
            Body::WagerCollected(taken) if chips.coupons.contains(&taken.wager) => {}
            Body::WagerCollected(taken) => {
                chips.tray += taken.amount.unwrap_or_else(|| chips.stakes[&taken.wager]);
            }
            Body::WagerPaid(paid) => {
                chips.tray -= paid.amount - paid.commission.unwrap_or_default();
            }
            Body::CommissionCollected(collected) => chips.tray += collected.amount,
            Body::JackpotPaid(paid) if paid.paid_from != Some(PaidFrom::Cage) => {
                chips.tray -= paid.amount;
            }
            Body::BuyIn(bought) => {
                if std::mem::take(&mut chips.is_counted) {
                    assert_eq!(chips.bought, Cents::ZERO);
                }
                chips.tray -= bought.amount;
                chips.bought += bought.amount;
            }
            Body::Fill(fill) => {
                chips.tray += fill.amount;
                moved += 1;
            }
            Body::Credit(credit) => {
                chips.tray -= credit.amount;
                moved += 1;
            }
            Body::InventoryCounted(count) => {
                assert_eq!(count.amount, chips.tray);
                counted += 1;
            }
            Body::TableClosed(closed) => assert_eq!(closed.closing_inventory, chips.tray),
            Body::DropCounted(count) => {
                let beside = [
                    count.counter_checks,
                    count.vouchers,
                    count.front_money,
                    count.chips,
                    count.foreign_chips,
                ];
                chips.bought -= count.cash + beside.into_iter().flatten().sum::<Cents>();
                chips.is_counted = true;
            }
            _ => {}
        }
    }
    let left = |chips: &Chips| chips.is_counted && chips.bought != Cents::ZERO;
    let left: Vec<_> = tables.iter().filter(|(_, chips)| left(chips)).collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(counted >= 6 && moved > 0, "{counted} counts, {moved} slips");
}

#[test]
fn tables_of_a_link_show_one_meter() {
    let config = Config {
        seed: 12,
        tables: 12,
        rounds: 4_000,
        games: vec!["ultimate_texas_holdem".into(), "texas_holdem_bonus".into()],
        ..Config::default()
    };
    // By what each table says of its chip and of the prize that the meter starts from.
    let mut links: BTreeMap<String, String> = BTreeMap::new();
    let mut last: BTreeMap<String, Cents> = BTreeMap::new();
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut won = None;
    for event in events(config) {
        match event.body {
            Body::TableOpened(opened) => {
                let options = opened.options.value();
                if options["progressive"] == true {
                    let chip = &options["progressive_bet"];
                    let link = format!("{chip} {}", options["progressive_reset"]);
                    tables
                        .entry(link.clone())
                        .or_default()
                        .push(event.table.clone());
                    links.insert(event.table, link);
                }
            }
            Body::JackpotPaid(_) => won = Some(event.at.micros()),
            Body::RoundOpened(opened) => {
                let Some(link) = links.get(&event.table) else {
                    continue;
                };
                let shown = opened.meters.unwrap()["progressive"];
                // What is won goes off the displays within five minutes.
                let falls = won.is_some_and(|at| event.at.micros() - at < 300_000_000);
                if let Some(before) = last.insert(link.clone(), shown) {
                    assert!(falls || shown >= before, "{link}: {shown} after {before}");
                    assert!(
                        shown - before < Cents::new(50_000),
                        "{link}: {shown} after {before}"
                    );
                }
            }
            _ => {}
        }
    }
    assert!(tables.values().any(|tables| tables.len() > 2), "{tables:?}");
}
