//! What presses because it comes again, and what never presses.

use catwalk_desk::{Change, Desk, Priorities};
use catwalk_events::audit::Finding;
use catwalk_hands::floor::Cents;

use crate::support::finding;

fn mispay(table: u64, minute: i64, player: Option<&str>) -> Finding {
    Finding {
        exposure: Cents::new(500),
        player: player.map(str::to_owned),
        ..finding("pay.over", table, 60 * minute, Some(minute.unsigned_abs()))
    }
    .seal()
}

/// The priorities of what is open after these, most pressing first.
fn pressing(findings: &[Finding]) -> Vec<u8> {
    let (mut desk, room) = (Desk::default(), Priorities::default());
    for finding in findings {
        desk.hear(finding, finding.at, &room);
    }
    desk.queue().iter().map(|one| one.priority.into()).collect()
}

#[test]
fn the_same_patron_mispaid_twice_within_the_hour_presses_most_whoever_dealt() {
    let of = |first, second, minutes| pressing(&[mispay(1, 0, first), mispay(2, minutes, second)]);
    assert_eq!(of(Some("p-7"), Some("p-7"), 50), [1, 3]);
    assert_eq!(of(Some("p-7"), Some("p-8"), 50), [3, 3]);
    assert_eq!(
        of(None, None, 50),
        [3, 3],
        "two whom nobody knows are not one"
    );
    assert_eq!(of(Some("p-7"), Some("p-7"), 61), [3, 3]);
    // Two mispays of one round have one cause.
    let round = [mispay(1, 0, Some("p-7")), {
        let under = finding("pay.under", 1, 1, Some(0));
        let player = Some("p-7".to_owned());
        Finding { player, ..under }.seal()
    }];
    assert_eq!(pressing(&round), [3]);
}

#[test]
fn a_trial_of_rules_alerts_nobody_and_is_counted() {
    let (mut desk, room) = (Desk::default(), Priorities::default());
    let trial = Finding {
        trial: Some(true),
        ..finding("wager.late", 1, 5, Some(1))
    };
    assert_eq!(desk.hear(&trial, trial.at, &room), Change::Nothing);
    assert!(desk.queue().is_empty());
    assert_eq!(desk.counts().quiet, 1);
    let real = Finding {
        trial: Some(false),
        ..finding("wager.late", 1, 6, Some(1))
    }
    .seal();
    assert!(matches!(
        desk.hear(&real, real.at, &room),
        Change::Opened(_)
    ));
}
