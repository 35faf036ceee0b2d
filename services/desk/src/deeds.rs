//! What an act does to an incident, and when it may.

use catwalk_events::Timestamp;
use serde::{Deserialize, Serialize};

use crate::act::{Act, Deed, Disposal, Person, Refused, Role, Verdict};
use crate::incident::{Held, Incident, Status};
use crate::priority::Priority;

/// So many acts on one incident count; to dispose of it and to undo that is possible beyond.
const MAX_ACTS: u64 = 200;

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
    disposal: Option<Disposal>,
}

impl Stage {
    pub(crate) fn of(incident: &Incident) -> Stage {
        Stage {
            status: incident.status,
            held: incident.held.clone(),
            acknowledged: incident.acknowledged,
            level: incident.level,
            disposal: incident.disposal.clone(),
        }
    }

    fn restore(self, incident: &mut Incident) {
        incident.status = self.status;
        incident.held = self.held;
        incident.acknowledged = self.acknowledged;
        incident.level = self.level;
        incident.disposal = self.disposal;
    }
}

/// May this act be done on the incident as it is now?
pub(crate) fn check(incident: &Incident, past: &[Done], act: &Act) -> Result<(), Refused> {
    let deed = act.deed.name();
    let me = &act.by.id;
    if let Deed::Note = act.deed {
        return match incident.acts < MAX_ACTS {
            true => Ok(()),
            false => Err(Refused::TooMany { deed }),
        };
    }
    if let Deed::Undo { act: undone } = &act.deed {
        return may_undo(past, undone, &act.by);
    }
    if !incident.is_open() {
        return Err(Refused::Closed { deed });
    }
    if let (Deed::Claim, Some(held)) = (&act.deed, &incident.held)
        && held.by != *me
    {
        let (by, since) = (held.by.clone(), held.since);
        return Err(Refused::Held { deed, by, since });
    }
    let ends = matches!(act.deed, Deed::Dispose(_));
    if incident.acts >= MAX_ACTS && !ends {
        return Err(Refused::TooMany { deed });
    }
    // That a deadline passed changes nothing of what somebody has seen.
    let seen = usize::try_from(act.seen_acts).unwrap_or(usize::MAX);
    let mut missed = past.get(seen..).unwrap_or_default().iter();
    let missed = missed.rfind(|done| done.act.by.role != Role::Clock);
    if missed.is_some() || act.seen_acts > incident.acts {
        let missed = missed.or(past.last());
        return Err(Refused::Overtaken {
            deed,
            by: missed.map_or_else(|| "somebody".to_owned(), |done| done.act.by.id.clone()),
            what: missed.map_or("something", |done| done.act.deed.name()),
        });
    }
    let is_held_by_me = incident.held.as_ref().is_none_or(|held| held.by == *me);
    let may_overrule = act.by.role >= Role::SurveillanceSupervisor || act.by.role == Role::Clock;
    match &act.deed {
        Deed::Release | Deed::HandOver { .. } if incident.held.is_none() || !is_held_by_me => {
            Err(Refused::NotHeld {
                deed,
                who: me.clone(),
            })
        }
        Deed::Dispose(_) | Deed::Assign { .. } if !is_held_by_me && !may_overrule => {
            Err(Refused::NotHeld {
                deed,
                who: me.clone(),
            })
        }
        Deed::Dispose(disposal) => {
            if act.seen_findings < incident.count {
                let count = incident.count - act.seen_findings;
                return Err(Refused::MoreFindings { deed, count });
            }
            match &disposal.reviewer {
                Some(reviewer) if reviewer == me => Err(Refused::OwnReviewer(me.clone())),
                None if needs_reviewer(incident, disposal.verdict) => {
                    Err(Refused::NoReviewer(incident.priority))
                }
                _ => Ok(()),
            }
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

fn may_undo(past: &[Done], undone: &str, by: &Person) -> Result<(), Refused> {
    let changes = |done: &&Done| !matches!(done.act.deed, Deed::Note);
    let last = past.iter().rev().find(changes);
    match last {
        Some(last) if last.act.id == undone => {
            let is_mine = last.act.by.id == by.id;
            match is_mine || by.role >= Role::SurveillanceSupervisor {
                true => Ok(()),
                false => Err(Refused::NotYours {
                    by: last.act.by.id.clone(),
                }),
            }
        }
        _ => Err(Refused::NotLast(undone.to_owned())),
    }
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
