//! Findings and acts in, incidents out.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

mod attacks;

use std::collections::{BTreeMap, BTreeSet};

use catwalk_desk::act::{Disposal, Refused, Role};
use catwalk_desk::{Act, Change, Deed, Desk, Person, Priorities, Priority, Status, Verdict};
use catwalk_events::Timestamp;
use catwalk_events::audit::Finding;
use catwalk_hands::floor::{Cents, Severity};
use proptest::prelude::*;

const SECOND: i64 = 1_000_000;

/// A finding at BJ-07 by dealer d-1, so many seconds into the shift.
fn finding(code: &str, second: i64, exposure: i64) -> Finding {
    Finding {
        id: format!("{code}@{second}"),
        code: code.to_owned(),
        severity: Severity::Critical,
        property: "ebh".to_owned(),
        table: "BJ-07".to_owned(),
        game: Some("blackjack".to_owned()),
        round: None,
        wager: None,
        seat: None,
        dealer: Some("d-1".to_owned()),
        at: at(second),
        due: None,
        paid: None,
        exposure: Cents::new(exposure),
        message: format!("{code} happened"),
        cites: Vec::new(),
        evidence: Vec::new(),
        rules: None,
        resolves: None,
        player: None,
        trial: None,
    }
}

fn in_round(round: &str, finding: Finding) -> Finding {
    Finding {
        round: Some(round.to_owned()),
        ..finding
    }
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_micros(second * SECOND)
}

/// It comes to the log when it happens.
fn hear(desk: &mut Desk, finding: &Finding, room: &Priorities) -> Change {
    desk.hear(finding, finding.at, room)
}

fn heard(findings: &[Finding]) -> Desk {
    let (mut desk, room) = (Desk::default(), Priorities::default());
    for finding in findings {
        hear(&mut desk, finding, &room);
    }
    desk
}

fn priority_of(finding: &Finding) -> Option<Priority> {
    Priorities::default().of(finding)
}

/// An act on the only incident by somebody who has seen all of it.
fn act(desk: &Desk, who: &str, deed: Deed) -> Act {
    let incident = desk.queue()[0];
    act_on(desk, &incident.id.clone(), who, deed)
}

fn act_on(desk: &Desk, incident: &str, who: &str, deed: Deed) -> Act {
    let incident = desk.incident(incident).unwrap();
    Act {
        id: format!(
            "{who}-{}-{}",
            deed.name(),
            incident.acts + 10 * incident.count
        ),
        incident: incident.id.clone(),
        seen_acts: incident.acts,
        seen_findings: incident.count,
        by: Person {
            id: who.to_owned(),
            role: Role::Surveillance,
            station: None,
        },
        at: at(1_000),
        deed,
        note: None,
    }
}

fn disposal(verdict: Verdict, reviewer: Option<&str>) -> Deed {
    Deed::Dispose(Disposal {
        verdict,
        recovered_cents: None,
        case: None,
        reviewer: reviewer.map(str::to_owned),
        video: None,
        notified: Vec::new(),
    })
}

#[test]
fn a_mispay_presses_by_its_amount_whoever_lost_it() {
    for (exposure, wanted) in [
        (600, 3),
        (9_999, 3),
        (10_000, 2),
        (-10_000, 2),
        (49_999, 2),
        (50_000, 1),
        (-7_600_000, 1),
    ] {
        let pressing = priority_of(&finding("pay.over", 0, exposure)).map(u8::from);
        assert_eq!(pressing, Some(wanted), "{exposure} cents");
    }
    let other = |code: &str| priority_of(&finding(code, 0, 0)).map(u8::from);
    assert_eq!(other("deck.missing_card"), Some(1));
    assert_eq!(other("wager.late"), Some(1));
    assert_eq!(
        other("deal.order"),
        Some(2),
        "a dealing error, by its severity"
    );
    assert_eq!(other("tray.short"), Some(2));
    assert_eq!(other("deck.overdue"), Some(3));
    assert_eq!(other("feed.gap"), Some(4));
    assert_eq!(other("wager.over_max"), None, "the rules permit it");
}

#[test]
fn a_wrong_card_and_the_mispays_that_follow_are_one_incident() {
    let desk = heard(&[
        in_round("r1", finding("deck.duplicate_card", 5, 0)),
        in_round("r1", finding("pay.over", 9, 2_500)),
        in_round("r1", finding("pay.unpaid", 9, -1_000)),
        in_round("r2", finding("wager.late", 40, 500)),
    ]);
    let queue = desk.queue();
    assert_eq!(queue.len(), 2);
    assert_eq!((queue[0].count, queue[0].priority), (3, Priority::One));
    assert_eq!(queue[0].exposure, Cents::new(1_500));
    assert_eq!(queue[0].at_stake, Cents::new(3_500));
}

#[test]
fn one_outage_is_one_incident_and_rings_only_when_it_lasts() {
    let room = Priorities::default();
    let mut desk = Desk::default();
    let gap = finding("feed.gap", 100, 0);
    let Change::Opened(id) = hear(&mut desk, &gap, &room) else {
        panic!("a gap is an incident");
    };
    assert_eq!(desk.incident(&id).unwrap().rings_at, at(110));
    assert_eq!(
        hear(&mut desk, &finding("feed.reordered", 104, 0), &room),
        Change::Grew(id.clone())
    );
    let healed = |closed: &str, second| Finding {
        resolves: Some(closed.to_owned()),
        ..finding("finding.resolved", second, 0)
    };
    assert_eq!(
        hear(&mut desk, &healed("feed.gap@100", 106), &room),
        Change::Grew(id.clone())
    );
    let closed = hear(&mut desk, &healed("feed.reordered@104", 107), &room);
    assert_eq!(closed, Change::Resolved(id.clone()));
    assert_eq!(desk.incident(&id).unwrap().status, Status::Resolved);
    assert!(desk.queue().is_empty());
    // The next one is another.
    let again = hear(&mut desk, &finding("feed.gap", 300, 0), &room);
    assert!(matches!(again, Change::Opened(other) if other != id));
}

#[test]
fn what_somebody_has_taken_up_does_not_close_by_itself() {
    let room = Priorities::default();
    let mut desk = heard(&[finding("feed.gap", 100, 0)]);
    desk.act(&act(&desk, "ann", Deed::Claim)).unwrap();
    let healed = Finding {
        resolves: Some("feed.gap@100".to_owned()),
        ..finding("finding.resolved", 106, 0)
    };
    assert!(matches!(hear(&mut desk, &healed, &room), Change::Grew(_)));
    assert_eq!(desk.queue().len(), 1);
}

#[test]
fn three_mispays_of_a_dealer_within_an_hour_press_most() {
    let rounds = ["r1", "r2", "r3"];
    let told = |minutes: [i64; 3]| {
        let findings = rounds.iter().zip(minutes);
        findings
            .map(|(round, minute)| in_round(round, finding("pay.over", 60 * minute, 500)))
            .collect::<Vec<Finding>>()
    };
    // One dealer and one code within half an hour is one incident.
    let desk = heard(&told([0, 10, 20]));
    assert_eq!(desk.queue().len(), 1);
    assert_eq!(desk.queue()[0].priority, Priority::One);
    let desk = heard(&told([0, 40, 80]));
    let pressing: Vec<u8> = desk.queue().iter().map(|one| one.priority.into()).collect();
    assert_eq!(pressing, [3, 3, 3], "two in any hour");
}

#[test]
fn what_sums_up_to_a_thousand_dollars_presses_most() {
    let mut findings: Vec<Finding> = (0..20)
        .map(|at| in_round("r1", finding("pay.over", at, 4_999)))
        .collect();
    for finding in &mut findings {
        finding.dealer = None;
    }
    assert_eq!(heard(&findings).queue()[0].priority, Priority::Three);
    findings.push(Finding {
        dealer: None,
        ..in_round("r1", finding("pay.under", 30, -20))
    });
    assert_eq!(heard(&findings).queue()[0].priority, Priority::One);
}

#[test]
fn of_two_claims_one_wins_and_the_other_is_told_by_whom() {
    let mut desk = heard(&[finding("wager.late", 5, 0)]);
    let (ann, bob) = (
        act(&desk, "ann", Deed::Claim),
        act(&desk, "bob", Deed::Claim),
    );
    desk.act(&ann).unwrap();
    let refused = desk.act(&bob).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "claim: ann has it since 1970-01-01T00:16:40.000000Z"
    );
    // Sent twice counts once, in either case.
    assert_eq!(desk.act(&ann), Ok(Change::Nothing));
    assert!(matches!(desk.act(&bob), Err(Refused::Before(_))));
    // Who has not looked again is overtaken.
    let mut stale = act(
        &desk,
        "bob",
        Deed::Escalate {
            to: Role::SurveillanceDirector,
        },
    );
    stale.seen_acts = 0;
    let refused = desk.act(&stale).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "escalate: ann did something in between (claim); look again"
    );
}

#[test]
fn an_incident_is_disposed_of_by_two_and_as_it_was_seen() {
    let room = Priorities::default();
    let mut desk = heard(&[in_round("r1", finding("wager.late", 5, 0))]);
    desk.act(&act(&desk, "ann", Deed::Claim)).unwrap();
    let alone = act(&desk, "ann", disposal(Verdict::FalseAlarm, None));
    assert_eq!(desk.act(&alone), Err(Refused::NoReviewer(Priority::One)));
    let own = Act {
        id: "own".to_owned(),
        ..act(&desk, "ann", disposal(Verdict::FalseAlarm, Some("ann")))
    };
    assert_eq!(desk.act(&own), Err(Refused::OwnReviewer("ann".to_owned())));
    let seen = Act {
        id: "seen".to_owned(),
        ..act(&desk, "ann", disposal(Verdict::FalseAlarm, Some("eve")))
    };
    hear(
        &mut desk,
        &in_round("r1", finding("pay.over", 9, 100_000)),
        &room,
    );
    let refused = desk.act(&seen).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "dispose: 1 more findings have come; look again"
    );
    let bob = act(&desk, "bob", disposal(Verdict::FalseAlarm, Some("eve")));
    assert!(matches!(desk.act(&bob), Err(Refused::NotHeld { .. })));
    let id = desk.queue()[0].id.clone();
    let done = act(
        &desk,
        "ann",
        disposal(Verdict::EmployeeSuspected, Some("eve")),
    );
    desk.act(&done).unwrap();
    assert!(desk.queue().is_empty());
    let late = act_on(&desk, &id, "bob", Deed::Claim);
    assert_eq!(desk.act(&late), Err(Refused::Closed { deed: "claim" }));
    // To undo it opens it again, as it was.
    let undo = act_on(
        &desk,
        &id,
        "ann",
        Deed::Undo {
            act: done.id.clone(),
        },
    );
    desk.act(&undo).unwrap();
    let open = desk.queue()[0];
    assert_eq!(
        (open.held.as_ref().unwrap().by.as_str(), open.acts),
        ("ann", 3)
    );
    assert_eq!(open.disposal, None);
    assert_eq!(
        desk.acts(&id).count(),
        3,
        "nothing is taken from the record"
    );
}

#[test]
fn only_the_last_act_is_undone_and_by_whom_it_concerns() {
    let mut desk = heard(&[finding("wager.late", 5, 0)]);
    let claim = act(&desk, "ann", Deed::Claim);
    desk.act(&claim).unwrap();
    desk.act(&act(
        &desk,
        "ann",
        Deed::Escalate {
            to: Role::SurveillanceSupervisor,
        },
    ))
    .unwrap();
    let undo = |desk: &Desk, who: &str, what: &str| {
        let mut act = act(
            desk,
            who,
            Deed::Undo {
                act: what.to_owned(),
            },
        );
        act.id = format!("{who} undoes {what}");
        act
    };
    let early = undo(&desk, "ann", &claim.id);
    assert_eq!(desk.act(&early), Err(Refused::NotLast(claim.id.clone())));
    let other = undo(&desk, "bob", "ann-escalate-11");
    let yours = Refused::NotYours {
        by: "ann".to_owned(),
    };
    assert_eq!(desk.act(&other), Err(yours));
    let mut boss = undo(&desk, "eve", "ann-escalate-11");
    boss.by.role = Role::SurveillanceSupervisor;
    desk.act(&boss).unwrap();
    assert_eq!(desk.queue()[0].level, Role::Surveillance);
}

#[test]
fn what_nobody_acknowledges_goes_up_by_itself_and_only_once() {
    let room = Priorities::default();
    let mut desk = heard(&[finding("wager.late", 0, 0), finding("tray.short", 0, 0)]);
    assert_eq!(desk.due(at(59), &room), []);
    let due = desk.due(at(60), &room);
    assert_eq!(due.len(), 1, "the one of priority 1");
    assert_eq!(due, desk.due(at(60), &room), "the same to anybody who asks");
    for act in &due {
        desk.act(act).unwrap();
        assert_eq!(desk.act(act), Ok(Change::Nothing));
    }
    assert_eq!(
        desk.due(at(61), &room),
        [],
        "the supervisor has the same time again"
    );
    for act in desk.due(at(120), &room) {
        assert_eq!(
            act.deed,
            Deed::Escalate {
                to: Role::SurveillanceDirector
            }
        );
        desk.act(&act).unwrap();
    }
    assert_eq!(desk.due(at(121), &room), [], "there is nobody above");
    // A condition rings after its grace: five minutes from then.
    assert_eq!(desk.due(at(309), &room), []);
    assert_eq!(desk.due(at(310), &room).len(), 1);
    desk.act(&act_on(
        &desk,
        &desk.queue()[1].id,
        "ann",
        Deed::Acknowledge,
    ))
    .unwrap();
    assert_eq!(desk.due(at(10_000), &room), []);
}

fn any_findings() -> impl Strategy<Value = Vec<Finding>> {
    let codes = prop::sample::select(vec![
        "pay.over",
        "pay.under",
        "wager.late",
        "deck.missing_card",
        "feed.gap",
        "deck.overdue",
    ]);
    let one = (codes, 0_i64..7_200, 0_u8..6, 0_u8..4, -60_000_i64..60_000);
    prop::collection::vec(one, 1..60).prop_map(|all| {
        let mut findings: Vec<Finding> = all
            .into_iter()
            .map(|(code, second, round, table, exposure)| Finding {
                id: format!("{code}{second}{round}{table}{exposure}"),
                table: format!("T-{table}"),
                round: (round > 0).then(|| format!("T-{table}-{round}")),
                ..finding(code, second, exposure)
            })
            .collect();
        findings.sort_by_key(|finding| finding.at);
        findings
    })
}

proptest! {
    /// No finding is lost, none is in two incidents, and the same log gives the same incidents: told twice,
    /// restored in the middle, or read anew.
    #[test]
    fn every_finding_is_in_one_incident_whatever_happens_to_the_desk(
        findings in any_findings(),
        cut in any::<prop::sample::Index>(),
    ) {
        let room = Priorities::default();
        let desk = heard(&findings);
        let mut of: BTreeMap<&str, usize> = BTreeMap::new();
        for incident in desk.queue() {
            prop_assert_eq!(incident.count, incident.findings.len() as u64);
            let sum: i64 = incident.findings.iter().map(|part| part.finding.exposure.get()).sum();
            prop_assert_eq!(incident.exposure.get(), sum);
            let alerts = incident.findings.iter().map(|part| part.finding.id.as_str());
            alerts.for_each(|id| *of.entry(id).or_default() += 1);
        }
        let ids: BTreeSet<&str> = findings.iter().map(|finding| finding.id.as_str()).collect();
        prop_assert_eq!(of.len(), ids.len());
        prop_assert!(of.values().all(|&times| times == 1));

        let mut restored = heard(&findings[..cut.index(findings.len())]);
        let kept = restored.write_changed().unwrap();
        restored = Desk::default();
        for (key, value) in kept.into_iter().rev() {
            restored.restore(&key, &value.unwrap()).unwrap();
        }
        for finding in &findings {
            hear(&mut restored, finding, &room);
        }
        prop_assert_eq!(restored.queue(), desk.queue());
    }

    /// A hundred people at once on a few incidents: whoever is told yes has it, and nobody else does.
    #[test]
    fn of_all_that_act_at_once_one_wins(order in Just((0..100_usize).collect::<Vec<_>>()).prop_shuffle()) {
        let mut desk = heard(&[
            in_round("r1", finding("wager.late", 0, 0)),
            in_round("r2", finding("deck.missing_card", 0, 0)),
            in_round("r3", finding("pay.over", 0, 70_000)),
        ]);
        let ids: Vec<String> = desk.queue().iter().map(|one| one.id.clone()).collect();
        let acts: Vec<Act> = (0..100)
            .map(|who| act_on(&desk, &ids[who % 3], &format!("p{who}"), Deed::Claim))
            .collect();
        let mut winners = BTreeMap::new();
        for who in order {
            if desk.act(&acts[who]).is_ok() {
                let earlier = winners.insert(who % 3, format!("p{who}"));
                prop_assert_eq!(earlier, None);
            }
        }
        for (at, id) in ids.iter().enumerate() {
            let held = desk.incident(id).unwrap().held.as_ref().unwrap();
            prop_assert_eq!(&held.by, &winners[&at]);
        }
    }
}
