//! The fold: findings and acts in, incidents out.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use catwalk_events::Timestamp;
use catwalk_events::audit::Finding;
use catwalk_hands::floor::Cents;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::act::{Act, Deed, Person, Refused, Role};
use crate::deeds::{Done, Stage, apply, check};
use crate::incident::{Incident, MAX_FINDINGS, Part, Status};
use crate::priority::{Priorities, Priority};

/// Closed incidents that are kept to be looked at and undone; older ones are in the archive.
const KEPT_CLOSED: usize = 10_000;

const MICROS_PER_SECOND: i64 = 1_000_000;
const MICROS_PER_MINUTE: i64 = 60 * MICROS_PER_SECOND;

/// What a finding or an act did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    Opened(String),
    Grew(String),
    /// Every finding of it was put right and nobody had taken it up.
    Resolved(String),
    Acted(String),
    /// It is no alert, or was told before.
    Nothing,
}

/// All incidents, and what is needed to go on.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Desk {
    incidents: BTreeMap<String, Incident>,
    /// Which incident a finding went to.
    of_finding: HashMap<String, String>,
    /// Where further findings go, by what they have in common, and until when.
    groups: HashMap<Common, (String, Timestamp)>,
    /// Acts that counted, and what was before each.
    history: HashMap<String, Vec<Done>>,
    /// Acts that did not count, by incident.
    refused: HashMap<String, HashSet<String>>,
    /// Mispays of a dealer, the latest last.
    mispays: HashMap<(String, String), VecDeque<Timestamp>>,
    closed: VecDeque<String>,
    /// Findings that were no alert.
    pub quiet: u64,
}

/// What findings of one incident have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
enum Common {
    Round {
        property: String,
        table: String,
        round: String,
    },
    Condition {
        property: String,
        table: String,
        class: String,
    },
    Hand {
        property: String,
        dealer: String,
        code: String,
    },
}

impl Desk {
    /// By priority, then the oldest first: what people see.
    pub fn queue(&self) -> Vec<&Incident> {
        let mut open: Vec<&Incident> = self.incidents.values().filter(|i| i.is_open()).collect();
        open.sort_by_key(|incident| (incident.priority, incident.began, &incident.id));
        open
    }

    pub fn incident(&self, id: &str) -> Option<&Incident> {
        self.incidents.get(id)
    }

    /// The acts on an incident that counted, in their order.
    pub fn acts(&self, incident: &str) -> impl Iterator<Item = &Act> {
        let done = self.history.get(incident).into_iter().flatten();
        done.map(|done| &done.act)
    }

    /// A finding of the log. One that was folded before changes nothing.
    pub fn hear(&mut self, finding: &Finding, room: &Priorities) -> Change {
        if let Some(closed) = &finding.resolves {
            return self.resolve(closed);
        }
        if self.of_finding.contains_key(&finding.id) {
            return Change::Nothing;
        }
        let Some(priority) = room.of(finding) else {
            self.quiet += 1;
            return Change::Nothing;
        };
        let commons = commons(finding, room);
        let joined = commons
            .iter()
            .find_map(|common| self.open_group(common, finding.at));
        let (id, change) = match joined {
            Some(id) => (id.clone(), Change::Grew(id)),
            None => {
                let id = self.open(finding, priority, room);
                (id.clone(), Change::Opened(id))
            }
        };
        self.add(&id, finding, priority, room);
        let until = later(finding.at, room.settings.window_minutes * MICROS_PER_MINUTE);
        for common in commons {
            let place = self.groups.entry(common);
            let (group, end) = place.or_insert_with(|| (id.clone(), until));
            (*group, *end) = (id.clone(), until.max(*end));
        }
        self.of_finding.insert(finding.id.clone(), id);
        change
    }

    /// The incident that takes further findings of this kind.
    fn open_group(&self, common: &Common, at: Timestamp) -> Option<String> {
        let (id, until) = self.groups.get(common)?;
        // A round is one incident however long it takes.
        let is_in_time = matches!(common, Common::Round { .. }) || at <= *until;
        let is_open = self.incidents.get(id).is_some_and(Incident::is_open);
        (is_in_time && is_open).then(|| id.clone())
    }

    fn open(&mut self, finding: &Finding, priority: Priority, room: &Priorities) -> String {
        let id = name("incident", &[&finding.id]);
        let is_lasting = room.class(&finding.code).is_some_and(|class| class.lasting);
        let grace = match is_lasting {
            true => room.settings.grace_seconds * MICROS_PER_SECOND,
            false => 0,
        };
        let incident = Incident {
            id: id.clone(),
            property: finding.property.clone(),
            table: finding.table.clone(),
            round: finding.round.clone(),
            dealer: finding.dealer.clone(),
            began: finding.at,
            last: finding.at,
            rings_at: later(finding.at, grace),
            priority,
            exposure: Cents::ZERO,
            at_stake: Cents::ZERO,
            findings: Vec::new(),
            count: 0,
            status: Status::Open,
            held: None,
            acknowledged: None,
            level: Role::Surveillance,
            disposal: None,
            acts: 0,
        };
        self.incidents.insert(id.clone(), incident);
        id
    }

    fn add(&mut self, id: &str, finding: &Finding, priority: Priority, room: &Priorities) {
        let pressing = self.pattern(finding, room);
        let Some(incident) = self.incidents.get_mut(id) else {
            return;
        };
        let at_stake = Cents::new(finding.exposure.get().saturating_abs());
        incident.exposure = sum(incident.exposure, finding.exposure);
        incident.at_stake = sum(incident.at_stake, at_stake);
        incident.count += 1;
        incident.last = incident.last.max(finding.at);
        if incident.findings.len() < MAX_FINDINGS {
            incident.findings.push(Part::of(finding));
        }
        let by_sum = incident.at_stake.get() >= room.settings.sum_from_cents;
        let lifted = [by_sum, pressing].contains(&true).then_some(Priority::One);
        incident.priority = incident
            .priority
            .min(priority)
            .min(lifted.unwrap_or(priority));
    }

    /// Is this one mispay too many of its dealer?
    fn pattern(&mut self, finding: &Finding, room: &Priorities) -> bool {
        let is_mispay = room
            .class(&finding.code)
            .is_some_and(|class| class.is_mispay());
        let (true, Some(dealer)) = (is_mispay, &finding.dealer) else {
            return false;
        };
        let of_dealer = (finding.property.clone(), dealer.clone());
        let times = self.mispays.entry(of_dealer).or_default();
        let window = room.settings.mispays_minutes * MICROS_PER_MINUTE;
        times.push_back(finding.at);
        times.retain(|&time| later(time, window) >= finding.at);
        times.len() >= room.settings.mispays_of_a_dealer
    }

    fn resolve(&mut self, finding: &str) -> Change {
        let Some(id) = self.of_finding.get(finding) else {
            return Change::Nothing;
        };
        let Some(incident) = self.incidents.get_mut(id) else {
            return Change::Nothing;
        };
        for part in &mut incident.findings {
            part.resolved |= part.id == finding;
        }
        let all = incident.findings.len() as u64 == incident.count
            && incident.findings.iter().all(|part| part.resolved);
        let untouched = incident.held.is_none() && incident.acknowledged.is_none();
        if !(incident.is_open() && all && untouched) {
            return Change::Grew(id.clone());
        }
        incident.status = Status::Resolved;
        let id = id.clone();
        self.close(&id);
        Change::Resolved(id)
    }

    /// An act of the log. One that was folded before changes nothing; one that rests on what was not so is
    /// refused, and the one who did it is told by whom he was overtaken.
    pub fn act(&mut self, act: &Act) -> Result<Change, Refused> {
        let unknown = || Refused::Unknown(act.incident.clone());
        let incident = self.incidents.get(&act.incident).ok_or_else(unknown)?;
        let past = self.history.entry(act.incident.clone()).or_default();
        if past.iter().any(|done| done.act.id == act.id) {
            return Ok(Change::Nothing);
        }
        let refused = self.refused.entry(act.incident.clone()).or_default();
        if refused.contains(&act.id) {
            return Err(Refused::Before(act.id.clone()));
        }
        if let Err(why) = check(incident, past, act) {
            refused.insert(act.id.clone());
            return Err(why);
        }
        let before = Stage::of(incident);
        let incident = self.incidents.get_mut(&act.incident).ok_or_else(unknown)?;
        let was_open = incident.is_open();
        apply(incident, past, act);
        incident.acts += 1;
        past.push(Done {
            act: act.clone(),
            before,
        });
        if was_open && !incident.is_open() {
            self.close(&act.incident);
        }
        Ok(Change::Acted(act.incident.clone()))
    }

    fn close(&mut self, id: &str) {
        self.closed.push_back(id.to_owned());
        while self.closed.len() > KEPT_CLOSED {
            let Some(old) = self.closed.pop_front() else {
                return;
            };
            // It may have been opened again.
            if self.incidents.get(&old).is_some_and(|old| !old.is_open()) {
                let gone = self.incidents.remove(&old);
                for part in gone.iter().flat_map(|gone| &gone.findings) {
                    self.of_finding.remove(&part.id);
                }
                self.history.remove(&old);
                self.refused.remove(&old);
                self.groups.retain(|_, (group, _)| *group != old);
            }
        }
    }

    /// The acts that the time `now` calls for: whoever runs the desk appends them to the log, where they are
    /// folded like all others.
    pub fn due(&self, now: Timestamp, room: &Priorities) -> Vec<Act> {
        let mut acts = Vec::new();
        for incident in self.queue() {
            let minutes = room.settings.acknowledged_minutes[incident.priority as usize - 1];
            let to = match incident.level {
                Role::Clock | Role::Surveillance => Role::SurveillanceSupervisor,
                Role::SurveillanceSupervisor => Role::SurveillanceDirector,
                Role::SurveillanceDirector => continue,
            };
            // Each level has the same time again.
            let steps = to as i64 - Role::Surveillance as i64;
            let deadline = later(incident.rings_at, steps * minutes * MICROS_PER_MINUTE);
            if incident.acknowledged.is_some() || now < deadline {
                continue;
            }
            acts.push(Act {
                id: name("escalation", &[&incident.id, &incident.acts.to_string()]),
                incident: incident.id.clone(),
                seen_acts: incident.acts,
                seen_findings: incident.count,
                by: Person {
                    id: "clock".to_owned(),
                    role: Role::Clock,
                    station: None,
                },
                at: now,
                deed: Deed::Escalate { to },
                note: None,
            });
        }
        acts
    }
}

/// What a finding may have in common with those before it, the closest first.
fn commons(finding: &Finding, room: &Priorities) -> Vec<Common> {
    let property = &finding.property;
    let round = finding.round.as_ref().map(|round| Common::Round {
        property: property.clone(),
        table: finding.table.clone(),
        round: round.clone(),
    });
    let class = room.class(&finding.code).filter(|class| class.lasting);
    let condition = class.map(|class| Common::Condition {
        property: property.clone(),
        table: finding.table.clone(),
        class: class.name.clone(),
    });
    let hand = finding.dealer.as_ref().map(|dealer| Common::Hand {
        property: property.clone(),
        dealer: dealer.clone(),
        code: finding.code.clone(),
    });
    round.into_iter().chain(condition).chain(hand).collect()
}

fn later(at: Timestamp, micros: i64) -> Timestamp {
    Timestamp::from_micros(at.micros().saturating_add(micros))
}

fn sum(one: Cents, other: Cents) -> Cents {
    Cents::new(one.get().saturating_add(other.get()))
}

/// A short name that the same parts always get.
fn name(kind: &str, parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    hash.update(kind);
    for part in parts {
        hash.update([0]);
        hash.update(part);
    }
    let hash = hash.finalize();
    hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}
