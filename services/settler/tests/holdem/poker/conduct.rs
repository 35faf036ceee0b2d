//! Players whose conduct was told: each is reported, and none is dealt in again. 16(b)

use catwalk_events::Timestamp;
use catwalk_stories::{feed, receive};

use super::{holdem, table};

const NONE: [&str; 0] = [];

fn told(seat: u32) -> String {
    format!(
        r#"{{"type": "irregularity", "kind": "player_conduct", "detail": {{"seat": {seat}}}, "ruling": "supervisor"}}"#
    )
}

const REPORTED: &str =
    r#"{"type": "discrepancy_reported", "about": "player_conduct", "kind": "foul_language"}"#;
const CLOSED: &str = r#"{"type": "table_closed", "closing_inventory": 0}"#;

/// Seat 1 folds its blind to seat 3, who has the button.
const HAND: &str = r#"
    {"type": "round_opened", "banker": 3}
    bet a 1 blind 200
    bet b 3 blind 400
    card seat 1 ??
    card seat 3 ??
    card seat 1 ??
    card seat 3 ??
    say 1 fold
    {"type": "pot_awarded", "pot": 0, "seat": 3, "amount": 400}
    close"#;

fn found(lines: &[&str]) -> Vec<String> {
    let mut events = feed(&table(holdem(), &lines.join("\n")));
    // What happens before the hand is of no round.
    let before = events.iter_mut();
    let before = before.filter(|event| event.round.as_deref() == Some("r0"));
    before.for_each(|event| event.round = None);
    let found = receive(events).0.into_iter();
    found.map(|finding| finding.code).collect()
}

#[test]
fn who_leaves_and_is_reported_is_no_finding() {
    let (gone, stays) = (told(7), told(3));
    assert_eq!(found(&[&gone, REPORTED, HAND, CLOSED]), NONE);
    assert_eq!(
        found(&[&stays, REPORTED, HAND, CLOSED]),
        ["conduct.player_stays"]
    );
    // Another player has sat down there.
    let bought = r#"{"type": "buy_in", "seat": 3, "amount": 20000, "form": "cash"}"#;
    assert_eq!(found(&[&stays, REPORTED, bought, HAND, CLOSED]), NONE);
}

#[test]
fn each_conduct_that_is_not_reported_is_found() {
    let (one, other) = (told(7), told(8));
    let unreported = "conduct.not_reported";
    assert_eq!(found(&[&one, HAND, CLOSED]), [unreported]);
    assert_eq!(found(&[&one, &other, CLOSED]), [unreported; 2]);
    // A report may tell of more than one, and of none that comes later.
    assert_eq!(found(&[&one, &other, REPORTED, CLOSED]), NONE);
    assert_eq!(found(&[&one, REPORTED, &other, CLOSED]), [unreported]);
}

/// A room that never closes has a day for it.
#[test]
fn what_is_not_reported_within_a_day_is_found() {
    let later = |hours: i64, report: &str| {
        let conduct = told(7);
        let mut events = feed(&table(holdem(), &[&*conduct, report, HAND].join("\n")));
        for event in &mut events {
            match event.round.as_deref() {
                Some("r0") => event.round = None,
                Some(_) => {
                    let at = event.at.micros() + hours * 3_600_000_000;
                    event.at = Timestamp::from_micros(at);
                }
                None => {}
            }
        }
        let found = receive(events).0.into_iter();
        found
            .map(|finding| finding.code)
            .filter(|code| code.starts_with("conduct."))
            .collect::<Vec<String>>()
    };
    assert_eq!(later(23, ""), NONE);
    assert_eq!(later(25, REPORTED), NONE);
    assert_eq!(later(25, ""), ["conduct.not_reported"]);
}
