//! Acts that mean no good: on a forged basis, on what one has sent up oneself, done and undone without end.

use catwalk_desk::act::{Refused, Role};
use catwalk_desk::{Act, Change, Deed, Desk, Priorities, Priority, Status, Verdict};

use super::{act, act_on, at, disposal, finding, hear, heard, in_round, priority_of};

#[test]
fn what_nobody_can_have_seen_is_no_basis() {
    let mut desk = heard(&[in_round("r1", finding("wager.late", 5, 0))]);
    for (acts, findings) in [(1, 1), (0, 2), (u64::MAX, 1), (0, u64::MAX)] {
        for deed in [Deed::Claim, disposal(Verdict::FalseAlarm, Some("eve"))] {
            let forged = Act {
                id: format!("{acts} {findings} {}", deed.name()),
                seen_acts: acts,
                seen_findings: findings,
                ..act(&desk, "ann", deed)
            };
            let refused = desk.act(&forged).unwrap_err();
            assert!(matches!(refused, Refused::NeverSo { .. }), "{refused}");
        }
    }
    assert_eq!(desk.queue()[0].acts, 0);
}

#[test]
fn who_sends_an_incident_up_does_not_dispose_of_it() {
    let by = |mut act: Act, role| {
        (act.by.role, act.id) = (role, format!("{} {role:?}", act.id));
        act
    };
    let mut desk = heard(&[finding("deal.order", 5, 0)]);
    desk.act(&act(&desk, "ann", Deed::Claim)).unwrap();
    let to = Role::SurveillanceDirector;
    desk.act(&act(&desk, "ann", Deed::Escalate { to })).unwrap();
    let close = || disposal(Verdict::FalseAlarm, Some("eve"));
    let sent_up = Refused::SentUp {
        to: "surveillance_director",
    };
    for role in [Role::Surveillance, Role::SurveillanceSupervisor] {
        let own = by(act(&desk, "ann", close()), role);
        assert_eq!(desk.act(&own), Err(sent_up.clone()));
    }
    // Whoever undoes it says so on the record; whoever undoes that has sent it up again.
    let undo = |desk: &Desk, what: &str| {
        let what = what.to_owned();
        act(desk, "ann", Deed::Undo { act: what })
    };
    let undone = undo(&desk, "ann-escalate-11");
    desk.act(&undone).unwrap();
    assert_eq!(desk.queue()[0].level, Role::Surveillance);
    desk.act(&undo(&desk, &undone.id)).unwrap();
    assert_eq!(desk.queue()[0].level, Role::SurveillanceDirector);
    assert_eq!(desk.act(&act(&desk, "ann", close())), Err(sent_up));
    let done = by(act(&desk, "dora", close()), Role::SurveillanceDirector);
    desk.act(&done).unwrap();
    assert!(desk.queue().is_empty());
}

#[test]
fn that_a_deadline_passed_keeps_nobody_from_closing_it() {
    let room = Priorities::default();
    let mut desk = heard(&[finding("wager.late", 0, 0)]);
    for now in [60, 120] {
        for due in desk.due(at(now), &room) {
            desk.act(&due).unwrap();
        }
    }
    assert_eq!(desk.queue()[0].level, Role::SurveillanceDirector);
    let close = disposal(Verdict::FalseAlarm, Some("eve"));
    desk.act(&act(&desk, "ann", close)).unwrap();
    assert!(desk.queue().is_empty());
}

#[test]
fn to_undo_an_undo_closes_nothing_over_what_has_come_since() {
    let room = Priorities::default();
    let undo = |desk: &Desk, id: &str, what: &str| {
        let what = what.to_owned();
        act_on(desk, id, "ann", Deed::Undo { act: what })
    };
    for has_grown in [false, true] {
        let mut desk = heard(&[in_round("r1", finding("wager.late", 5, 0))]);
        let id = desk.queue()[0].id.clone();
        let close = act(&desk, "ann", disposal(Verdict::FalseAlarm, Some("eve")));
        desk.act(&close).unwrap();
        let opened = undo(&desk, &id, &close.id);
        desk.act(&opened).unwrap();
        if has_grown {
            let more = in_round("r1", finding("pay.over", 9, 90_000));
            hear(&mut desk, &more, &room);
        }
        let again = desk.act(&undo(&desk, &id, &opened.id));
        match has_grown {
            false => assert_eq!(desk.incident(&id).unwrap().status, Status::Disposed),
            true => {
                let error = again.unwrap_err().to_string();
                assert_eq!(error, "undo: 1 more findings have come; look again");
                assert!(desk.incident(&id).unwrap().is_open());
            }
        }
    }
}

#[test]
fn much_that_is_done_and_undone_ends_and_keeps_no_deadline_off() {
    let room = Priorities::default();
    let mut desk = heard(&[finding("wager.late", 0, 0)]);
    let id = desk.queue()[0].id.clone();
    let numbered = |desk: &Desk, number: u32, deed| Act {
        id: format!("a-{number}"),
        ..act_on(desk, &id, "ann", deed)
    };
    let mut last = String::new();
    let mut refused = None;
    for number in 0..1_000 {
        // Two hundred words on it, and then only to and fro.
        let deed = match number {
            0..199 => Deed::Note,
            199 => Deed::Escalate {
                to: Role::SurveillanceSupervisor,
            },
            _ => Deed::Undo { act: last.clone() },
        };
        let act = numbered(&desk, number, deed);
        last.clone_from(&act.id);
        if let Err(why) = desk.act(&act) {
            refused = Some((number, why));
            break;
        }
    }
    assert_eq!(refused, Some((400, Refused::TooMany { deed: "undo" })));
    let due = desk.due(at(120), &room);
    assert_eq!(due.len(), 1, "nobody has acknowledged it");
    desk.act(&due[0]).unwrap();
    // It can be closed, and stays so.
    let close = disposal(Verdict::FalseAlarm, Some("eve"));
    let mut close = numbered(&desk, 2_000, close);
    close.by.role = Role::SurveillanceDirector;
    desk.act(&close).unwrap();
    let undo = Deed::Undo {
        act: close.id.clone(),
    };
    let undo = numbered(&desk, 2_001, undo);
    assert_eq!(desk.act(&undo), Err(Refused::TooMany { deed: "undo" }));
}

#[test]
fn what_was_acknowledged_as_less_is_to_be_acknowledged_anew() {
    let room = Priorities::default();
    let late_notice = in_round("r-1", finding("rules.notice", 0, 0));
    let missing = in_round("r-1", finding("deck.missing_card", 300, 0));
    assert!(priority_of(&late_notice) > Some(Priority::Two));
    assert_eq!(priority_of(&missing), Some(Priority::One));
    for is_held in [false, true] {
        let mut desk = heard(std::slice::from_ref(&late_notice));
        let deed = if is_held {
            Deed::Claim
        } else {
            Deed::Acknowledge
        };
        let seen = act(&desk, "ann", deed);
        desk.act(&seen).unwrap();
        assert!(matches!(hear(&mut desk, &missing, &room), Change::Grew(_)));
        let incident = desk.queue()[0].clone();
        assert_eq!(incident.priority, Priority::One);
        // Who works on it sees it.
        assert_eq!(incident.acknowledged.is_some(), is_held);
        assert_eq!(
            incident.rings_at,
            at(300),
            "it rings now, not when it began"
        );
        assert_eq!(desk.due(at(359), &room), []);
        assert_eq!(desk.due(at(360), &room).len(), usize::from(!is_held));
        // No more than before is no news.
        let again = act(&desk, "ann", Deed::Acknowledge);
        desk.act(&again).unwrap();
        hear(
            &mut desk,
            &in_round("r-1", finding("deck.missing_card", 310, 0)),
            &room,
        );
        assert!(desk.queue()[0].acknowledged.is_some());
    }
}
