//! The fold: findings and acts in, incidents out.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use catwalk_events::Timestamp;
use catwalk_events::audit::Finding;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::act::{Act, Deed, Person, Refused, Role};
use crate::deeds::{Stage, apply, check, disposing};
use crate::file::{Common, File, Lead};
use crate::habits::{Habit, Habits};
use crate::incident::{Incident, Status};
use crate::journal::Journal;
use crate::priority::{Priorities, Priority};

/// Closed incidents that are kept to be looked at and undone; older ones are in the archive.
pub(crate) const KEPT_CLOSED: usize = 5_000;

pub(crate) const MICROS_PER_SECOND: i64 = 1_000_000;
pub(crate) const MICROS_PER_MINUTE: i64 = 60 * MICROS_PER_SECOND;

/// Statistics of two shifts belong together within so long.
const SUSPECTED_FOR: i64 = 30 * 24 * 60 * MICROS_PER_MINUTE;

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

impl Change {
    /// The incident that changed.
    pub fn incident(&self) -> Option<&str> {
        match self {
            Change::Opened(id) | Change::Grew(id) | Change::Resolved(id) | Change::Acted(id) => {
                Some(id)
            }
            Change::Nothing => None,
        }
    }
}

/// All incidents, and what is needed to go on.
#[derive(Debug, Default)]
pub struct Desk {
    pub(crate) files: BTreeMap<String, File>,
    /// Which incident a finding went to.
    pub(crate) of_finding: HashMap<String, String>,
    /// Where further findings go, by what they have in common.
    pub(crate) leads: HashMap<Common, (String, Lead)>,
    pub(crate) habits: Habits,
    pub(crate) journal: Journal,
    /// In the order in which they were closed.
    pub(crate) closed: BTreeMap<u64, String>,
    pub(crate) counts: Counts,
    /// What is not written down yet.
    pub(crate) changed: BTreeSet<String>,
    pub(crate) gone: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Findings that were no alert.
    pub quiet: u64,
    /// Findings that were.
    pub(crate) alerts: u64,
    /// Incidents that were ever closed.
    pub(crate) closed: u64,
}

impl Desk {
    /// By priority, then the oldest first: what people see.
    pub fn queue(&self) -> Vec<&Incident> {
        let incidents = self.files.values().map(|file| &file.incident);
        let mut open: Vec<&Incident> = incidents.filter(|one| one.is_open()).collect();
        open.sort_by_key(|incident| (incident.priority, incident.began, &incident.id));
        open
    }

    pub fn incident(&self, id: &str) -> Option<&Incident> {
        Some(&self.files.get(id)?.incident)
    }

    /// All that are kept, open or not.
    pub fn incidents(&self) -> impl Iterator<Item = &Incident> {
        self.files.values().map(|file| &file.incident)
    }

    /// The room's log.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The acts on an incident that counted, in their order.
    pub fn acts(&self, incident: &str) -> impl Iterator<Item = &Act> {
        let file = self.files.get(incident);
        let done = file.into_iter().flat_map(|file| &file.history);
        done.map(|done| &done.act)
    }

    /// The act by which an incident is disposed of now.
    pub(crate) fn disposed_by(&self, incident: &str) -> Option<&Act> {
        let file = self.files.get(incident)?;
        let is_disposed = file.incident.status == Status::Disposed;
        disposing(&file.history).filter(|_| is_disposed)
    }

    /// A finding of the log, which came there at `heard`. One that was folded before changes nothing.
    pub fn hear(&mut self, finding: &Finding, heard: Timestamp, room: &Priorities) -> Change {
        if finding.resolves.is_some() {
            return self.resolve(finding, room);
        }
        if self.of_finding.contains_key(&finding.id) {
            return Change::Nothing;
        }
        // The rules of a game may change during its trial: nobody is woken for it.
        let is_trial = finding.trial == Some(true);
        let Some(priority) = room.of(finding).filter(|_| !is_trial) else {
            self.counts.quiet += 1;
            return Change::Nothing;
        };
        self.counts.alerts += 1;
        let commons = commons(finding, room);
        let joined = commons
            .iter()
            .find_map(|common| self.open_lead(common, finding.at));
        let (id, change) = match joined {
            Some(id) => (id.clone(), Change::Grew(id)),
            None => {
                let id = self.open(finding, heard, priority, room);
                (id.clone(), Change::Opened(id))
            }
        };
        self.add(&id, (finding, heard), priority, room);
        let window = room.settings.window_minutes * MICROS_PER_MINUTE;
        for common in commons {
            self.lead(common, &id, later(finding.at, window));
        }
        self.of_finding.insert(finding.id.clone(), id.clone());
        self.changed.insert(id);
        change
    }

    /// The incident that takes further findings of this kind.
    fn open_lead(&self, common: &Common, at: Timestamp) -> Option<String> {
        let (id, lead) = self.leads.get(common)?;
        // A round is one incident however long it takes.
        let is_in_time = matches!(common, Common::Round { .. }) || at <= lead.until;
        let is_open = self.incident(id).is_some_and(Incident::is_open);
        (is_in_time && is_open).then(|| id.clone())
    }

    fn lead(&mut self, common: Common, id: &str, until: Timestamp) {
        let before = self.leads.get(&common).map(|(_, lead)| lead.until);
        let lead = Lead {
            until: before.map_or(until, |before| before.max(until)),
            since: self.counts.alerts,
        };
        if let Some(file) = self.files.get_mut(id)
            && let Some(dropped) = file.lead(common.clone(), lead)
            && self.leads.get(&dropped).is_some_and(|(led, _)| led == id)
        {
            self.leads.remove(&dropped);
        }
        self.leads.insert(common, (id.to_owned(), lead));
    }

    fn open(
        &mut self,
        finding: &Finding,
        heard: Timestamp,
        priority: Priority,
        room: &Priorities,
    ) -> String {
        let id = name("incident", &[&finding.id]);
        let is_lasting = room.class(&finding.code).is_some_and(|class| class.lasting);
        let grace = match is_lasting {
            true => room.settings.grace_seconds * MICROS_PER_SECOND,
            false => 0,
        };
        let rings_at = later(heard, grace);
        let incident = Incident::begun_by(finding, id.clone(), priority, heard, rings_at);
        self.files.insert(id.clone(), File::of(incident));
        self.gone.remove(&id);
        id
    }

    fn add(
        &mut self,
        id: &str,
        (finding, heard): (&Finding, Timestamp),
        priority: Priority,
        room: &Priorities,
    ) {
        let is_pattern = self.pattern(finding, room);
        let is_lasting_suspicion = self.is_suspected_again(finding, room);
        let Some(File { incident, .. }) = self.files.get_mut(id) else {
            return;
        };
        incident.add(finding, priority, heard);
        let by_sum = incident.at_stake.get() >= room.settings.sum_from_cents;
        if by_sum || is_pattern {
            incident.presses(Priority::One, heard);
            incident.goes_up();
        }
        if is_lasting_suspicion {
            incident.goes_up();
        }
    }

    /// What somebody outside of the room must be told of goes to the supervisor by itself.
    pub(crate) fn goes_up(&mut self, id: &str) {
        if let Some(file) = self.files.get_mut(id) {
            file.incident.goes_up();
            self.changed.insert(id.to_owned());
        }
    }

    /// Whether the statistics of one object speak against it in a second shift.
    fn is_suspected_again(&mut self, finding: &Finding, room: &Priorities) -> bool {
        let is_of_statistics =
            finding.code.starts_with("statistics.") || finding.code.ends_with(".bias");
        if !is_of_statistics {
            return false;
        }
        // A dealer is the same at every table.
        let object = finding
            .dealer
            .as_ref()
            .filter(|_| finding.code == "statistics.dealer");
        let habit = Habit::Object {
            property: finding.property.clone(),
            object: object.unwrap_or(&finding.table).clone(),
            code: finding.code.clone(),
        };
        let shift = room.settings.shift_hours.max(1) * 60 * MICROS_PER_MINUTE;
        let which = format!("shift {}", finding.at.micros().div_euclid(shift));
        self.habits
            .count(habit, Some(which), finding.at, SUSPECTED_FOR)
            >= 2
    }

    /// Is this one mispay too many of its dealer, or to its patron?
    fn pattern(&mut self, finding: &Finding, room: &Priorities) -> bool {
        let class = room.class(&finding.code);
        if !class.is_some_and(|class| class.is_mispay()) {
            return false;
        }
        let dealer = finding.dealer.as_ref().map(|dealer| Habit::Dealer {
            property: finding.property.clone(),
            dealer: dealer.clone(),
        });
        let patron = finding.player.as_ref().map(|player| Habit::Patron {
            property: finding.property.clone(),
            player: player.clone(),
        });
        let limits = [
            (dealer, room.settings.mispays_of_a_dealer),
            (patron, room.settings.mispays_of_a_patron),
        ];
        let window = room.settings.mispays_minutes * MICROS_PER_MINUTE;
        let mut is_pattern = false;
        for (habit, limit) in limits {
            if let Some(habit) = habit {
                is_pattern |= self
                    .habits
                    .count(habit, finding.round.clone(), finding.at, window)
                    >= limit;
            }
        }
        is_pattern
    }

    fn resolve(&mut self, resolution: &Finding, room: &Priorities) -> Change {
        let closed = resolution.resolves.as_ref();
        let Some(id) = closed
            .and_then(|closed| self.of_finding.get(closed))
            .cloned()
        else {
            return Change::Nothing;
        };
        let Some(file) = self.files.get_mut(&id) else {
            return Change::Nothing;
        };
        let (was_open, before) = (file.incident.is_open(), file.incident.revision);
        file.incident.put_right(resolution, room);
        let is_open = file.incident.is_open();
        if file.incident.revision == before {
            return Change::Nothing;
        }
        self.changed.insert(id.clone());
        if was_open && !is_open {
            self.close(&id);
            return Change::Resolved(id);
        }
        Change::Grew(id)
    }

    /// Whether an act may be done now: `Ok(true)` if it counts, `Ok(false)` if it was done before.
    pub fn may(&self, act: &Act) -> Result<bool, Refused> {
        let unknown = || Refused::Unknown(act.incident.clone());
        let file = self.files.get(&act.incident).ok_or_else(unknown)?;
        if let Some(done) = file.history.iter().find(|done| done.act.id == act.id) {
            let is_same = done.act.is_sent_again_as(act);
            return match is_same {
                true => Ok(false),
                false => Err(Refused::OtherAct(act.id.clone())),
            };
        }
        if file.refused.contains(&act.id) {
            return Err(Refused::Before(act.id.clone()));
        }
        check(&file.incident, &file.history, act).map(|()| true)
    }

    /// An act of the log. One that was folded before changes nothing; one that rests on what was not so is
    /// refused, and the one who did it is told by whom he was overtaken.
    pub fn act(&mut self, act: &Act) -> Result<Change, Refused> {
        match self.may(act) {
            Ok(true) => {}
            Ok(false) => return Ok(Change::Nothing),
            Err(why @ (Refused::Before(_) | Refused::OtherAct(_))) => return Err(why),
            Err(why) => {
                if let Some(file) = self.files.get_mut(&act.incident) {
                    file.refuse(&act.id);
                    self.changed.insert(act.incident.clone());
                }
                return Err(why);
            }
        }
        let unknown = || Refused::Unknown(act.incident.clone());
        let file = self.files.get_mut(&act.incident).ok_or_else(unknown)?;
        let before = Stage::of(&file.incident);
        let was_open = file.incident.is_open();
        apply(&mut file.incident, &file.history, act);
        file.incident.acts += 1;
        file.incident.revision += 1;
        file.did(act.clone(), before);
        let is_open = file.incident.is_open();
        if is_open && let Some(number) = file.closed.take() {
            self.closed.remove(&number);
        }
        self.changed.insert(act.incident.clone());
        if was_open && !is_open {
            self.close(&act.incident);
        }
        Ok(Change::Acted(act.incident.clone()))
    }

    fn close(&mut self, id: &str) {
        self.counts.closed += 1;
        if let Some(file) = self.files.get_mut(id) {
            file.closed = Some(self.counts.closed);
        }
        self.closed.insert(self.counts.closed, id.to_owned());
        while self.closed.len() > KEPT_CLOSED {
            let Some((_, old)) = self.closed.pop_first() else {
                return;
            };
            self.forget(&old);
        }
    }

    fn forget(&mut self, id: &str) {
        let Some(file) = self.files.remove(id) else {
            return;
        };
        for part in &file.incident.findings {
            self.of_finding.remove(&part.finding.id);
        }
        for common in file.leads.into_keys() {
            if self.leads.get(&common).is_some_and(|(led, _)| led == id) {
                self.leads.remove(&common);
            }
        }
        self.changed.remove(id);
        self.gone.insert(id.to_owned());
    }

    /// The acts that the time `now` calls for: whoever runs the desk appends them to the log, where they are
    /// folded like all others.
    pub fn due(&self, now: Timestamp, room: &Priorities) -> Vec<Act> {
        let mut acts = Vec::new();
        for incident in self.queue() {
            let to = match incident.reached() {
                Role::Clock | Role::Surveillance => Role::SurveillanceSupervisor,
                Role::SurveillanceSupervisor => Role::SurveillanceDirector,
                Role::SurveillanceDirector => continue,
            };
            // Each level has the same time again.
            let steps = to as i64 - Role::Surveillance as i64;
            if incident.acknowledged.is_some() || now < room.due_by(incident, steps) {
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

pub(crate) fn later(at: Timestamp, micros: i64) -> Timestamp {
    Timestamp::from_micros(at.micros().saturating_add(micros))
}

/// A short name that the same parts always get.
pub(crate) fn name(kind: &str, parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    hash.update(kind);
    for part in parts {
        hash.update([0]);
        hash.update(part);
    }
    let hash = hash.finalize();
    hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}
