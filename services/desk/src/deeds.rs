//! What an act does to an incident, and when it may.

use catwalk_events::Timestamp;
use serde::{Deserialize, Serialize};

use crate::act::{Act, Deed, Disposal, Person, Refused, Role, Verdict};
use crate::incident::{Held, Incident, Status, nobody_above};
use crate::priority::Priority;

/// So many acts on one incident count; to dispose of it, and to undo, is possible beyond.
const MAX_ACTS: u64 = 200;
/// Nor is anything undone beyond this: what is disposed of then stays so.
const MAX_WITH_UNDONE: u64 = 2 * MAX_ACTS;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Done {
    pub(crate) act: Act,
    pub(crate) before: Stage,
}

/// What acts change of an incident.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stage {
    status: Status,
    held: Option<Held>,
    acknowledged: Option<Timestamp>,
    level: Role,
    #[serde(default = "nobody_above")]
    sent_up: Role,
    disposal: Option<Disposal>,
}

impl Stage {
    pub(crate) fn of(incident: &Incident) -> Stage {
        Stage {
            status: incident.status,
            held: incident.held.clone(),
            acknowledged: incident.acknowledged,
            level: incident.level,
            sent_up: incident.sent_up,
            disposal: incident.disposal.clone(),
        }
    }

    fn restore(self, incident: &mut Incident) {
        incident.status = self.status;
        incident.held = self.held;
        incident.acknowledged = self.acknowledged;
        incident.level = self.level;
        incident.sent_up = self.sent_up;
        incident.disposal = self.disposal;
    }
}

/// May this act be done on the incident as it is now?
pub(crate) fn check(incident: &Incident, past: &[Done], act: &Act) -> Result<(), Refused> {
    let deed = act.deed.name();
    let me = &act.by.id;
    // Nobody has seen what never was.
    if act.seen_acts > incident.acts || act.seen_findings > incident.count {
        return Err(Refused::NeverSo { deed });
    }
    let is_of_any_time = matches!(act.deed, Deed::Note | Deed::Undo { .. });
    if !incident.is_open() && !is_of_any_time {
        return Err(Refused::Closed { deed });
    }
    may_count(incident, act)?;
    match &act.deed {
        Deed::Note => return Ok(()),
        Deed::Undo { act: undone } => return may_undo(incident, past, undone, &act.by),
        _ => {}
    }
    if let (Deed::Claim, Some(held)) = (&act.deed, &incident.held)
        && held.by != *me
    {
        let (by, since) = (held.by.clone(), held.since);
        return Err(Refused::Held { deed, by, since });
    }
    // That a deadline passed changes nothing of what somebody has seen.
    let seen = usize::try_from(act.seen_acts).unwrap_or(usize::MAX);
    let mut missed = past.get(seen..).unwrap_or_default().iter();
    if let Some(missed) = missed.rfind(|done| done.act.by.role != Role::Clock) {
        let (by, what) = (missed.act.by.id.clone(), missed.act.deed.name());
        return Err(Refused::Overtaken { deed, by, what });
    }
    let is_held_by_me = incident.held.as_ref().is_none_or(|held| held.by == *me);
    let may_overrule = act.by.role >= Role::SurveillanceSupervisor || act.by.role == Role::Clock;
    let not_held = || Refused::NotHeld {
        deed,
        who: me.clone(),
    };
    match &act.deed {
        Deed::Release | Deed::HandOver { .. } if incident.held.is_none() || !is_held_by_me => {
            Err(not_held())
        }
        Deed::Dispose(_) | Deed::Assign { .. } if !is_held_by_me && !may_overrule => {
            Err(not_held())
        }
        Deed::Dispose(disposal) => may_dispose(incident, act, disposal),
        _ => Ok(()),
    }
}

/// Whether one more act may count. Deadlines that pass are few, and nobody keeps them off by doing much.
fn may_count(incident: &Incident, act: &Act) -> Result<(), Refused> {
    let most = match &act.deed {
        Deed::Dispose(_) => return Ok(()),
        _ if act.by.role == Role::Clock => return Ok(()),
        Deed::Undo { .. } => MAX_WITH_UNDONE,
        _ => MAX_ACTS,
    };
    match incident.acts < most {
        true => Ok(()),
        false => Err(Refused::TooMany {
            deed: act.deed.name(),
        }),
    }
}

fn may_dispose(incident: &Incident, act: &Act, disposal: &Disposal) -> Result<(), Refused> {
    let me = &act.by.id;
    if act.seen_findings < incident.count {
        let (deed, count) = (act.deed.name(), incident.count - act.seen_findings);
        return Err(Refused::MoreFindings { deed, count });
    }
    // Whoever sends something up does not close it himself.
    if act.by.role < incident.sent_up {
        return Err(Refused::SentUp {
            to: incident.sent_up.name(),
        });
    }
    match &disposal.reviewer {
        Some(reviewer) if reviewer == me => Err(Refused::OwnReviewer(me.clone())),
        None if needs_reviewer(incident, disposal.verdict) => {
            Err(Refused::NoReviewer(incident.priority))
        }
        _ => Ok(()),
    }
}

/// What suspects a person, or presses most, is looked at by two.
fn needs_reviewer(incident: &Incident, verdict: Verdict) -> bool {
    let suspects = matches!(
        verdict,
        Verdict::PatronCheatingSuspected | Verdict::EmployeeSuspected | Verdict::ReferredIeb
    );
    suspects || incident.priority == Priority::One
}

fn may_undo(incident: &Incident, past: &[Done], undone: &str, by: &Person) -> Result<(), Refused> {
    let changes = |done: &&Done| !matches!(done.act.deed, Deed::Note);
    let last = past.iter().rev().find(changes);
    let Some(last) = last.filter(|last| last.act.id == undone) else {
        return Err(Refused::NotLast(undone.to_owned()));
    };
    if last.act.by.id != by.id && by.role < Role::SurveillanceSupervisor {
        return Err(Refused::NotYours {
            by: last.act.by.id.clone(),
        });
    }
    // A disposal that was taken back is not put back over what has come since.
    let closes = incident.is_open() && last.before.status == Status::Disposed;
    let disposed = disposing(past).filter(|_| closes);
    let seen = disposed.map_or(incident.count, |act| act.seen_findings);
    match incident.count.saturating_sub(seen) {
        0 => Ok(()),
        count => {
            let deed = "undo";
            Err(Refused::MoreFindings { deed, count })
        }
    }
}

/// The act that disposed of it last.
pub(crate) fn disposing(past: &[Done]) -> Option<&Act> {
    let mut acts = past.iter().rev().map(|done| &done.act);
    acts.find(|act| matches!(act.deed, Deed::Dispose(_)))
}

pub(crate) fn apply(incident: &mut Incident, past: &[Done], act: &Act) {
    let held_by = |who: &str| {
        Some(Held {
            by: who.to_owned(),
            since: act.at,
        })
    };
    match &act.deed {
        Deed::Claim => {
            incident.held = held_by(&act.by.id);
            incident.acknowledged.get_or_insert(act.at);
        }
        Deed::Release => incident.held = None,
        Deed::Acknowledge => {
            incident.acknowledged.get_or_insert(act.at);
        }
        Deed::Assign { to } | Deed::HandOver { to } => incident.held = held_by(to),
        Deed::Escalate { to } => {
            incident.level = incident.level.max(*to);
            if act.by.role != Role::Clock {
                incident.sent_up = incident.sent_up.max(*to);
            }
        }
        Deed::Dispose(disposal) => {
            incident.acknowledged.get_or_insert(act.at);
            incident.disposal = Some(disposal.clone());
            incident.status = Status::Disposed;
        }
        Deed::Note => {}
        Deed::Undo { act: undone } => {
            if let Some(done) = past.iter().rev().find(|done| done.act.id == *undone) {
                done.before.clone().restore(incident);
            }
        }
    }
}
