//! What a destination has been told, as it is kept on the log.

use std::collections::BTreeMap;

use catwalk_events::Timestamp;
use catwalk_events::audit::Incident;
use serde::{Deserialize, Serialize};

use super::letter::Why;
use crate::act::Role;

/// So many open incidents are remembered of a destination; beyond, one that was told may be told again.
const MAX_TOLD: usize = 2_000;
/// So many incidents wait at a time for their moment to ring; beyond, they are told at once.
const MAX_WAITING: usize = 500;
/// So many dead letters are listed; all are counted.
const MAX_DEAD: usize = 200;

/// How far a destination is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Place {
    /// The offset of the incident to come next.
    pub(super) next: u64,
    told: BTreeMap<String, Told>,
    /// Incidents that do not ring yet.
    waiting: BTreeMap<String, Waiting>,
    pub(super) delivered: u64,
    pub(super) dead_count: u64,
    pub(super) dead: Vec<Dead>,
}

/// What was told last of an incident that is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Told {
    revision: u64,
    priority: u32,
    level: String,
    acknowledged: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Waiting {
    pub(super) incident: Incident,
    /// When it came to the log.
    pub(super) came_ms: i64,
}

/// A letter that is not tried any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Dead {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) at: Timestamp,
    pub(crate) why: String,
}

/// How a destination does, for those who ask.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    pub(crate) kind: &'static str,
    pub(crate) to: String,
    pub(crate) priority: u32,
    pub(crate) properties: Vec<String>,
    /// Whether letters to it are carried from here.
    pub(crate) is_carried: bool,
    pub(crate) next: u64,
    /// Incidents that are told when they ring.
    pub(crate) waiting: usize,
    pub(crate) delivered: u64,
    pub(crate) last_told: Option<Timestamp>,
    /// Since when it is out of reach, how often it was tried, and why it failed.
    pub(crate) failing: Option<(Timestamp, u32, String)>,
    pub(crate) dead_count: u64,
    pub(crate) dead: Vec<Dead>,
}

impl Place {
    pub(super) fn beginning(next: u64) -> Place {
        Place {
            next,
            ..Place::default()
        }
    }

    /// Why this revision is to be told; `None` where it says nothing new.
    pub(super) fn why(&self, one: &Incident) -> Option<Why> {
        let is_open = one.status == "open";
        let Some(told) = self.told.get(&one.id) else {
            // What was put right before it rang is nobody's business out there.
            return is_open.then_some(Why::Opened);
        };
        let level = |name: &str| Role::named(name);
        match () {
            () if one.revision <= told.revision => None,
            () if !is_open => Some(Why::Closed),
            () if one.priority < told.priority => Some(Why::Raised),
            () if level(&one.level) > level(&told.level) => Some(Why::Escalated),
            () if one.acknowledged.is_some() && !told.acknowledged => Some(Why::Acknowledged),
            () => None,
        }
    }

    /// The priority that was told of it.
    pub(super) fn priority_of(&self, incident: &str) -> Option<u32> {
        Some(self.told.get(incident)?.priority)
    }

    pub(super) fn remember(&mut self, one: &Incident) {
        self.waiting.remove(&one.id);
        if one.status != "open" {
            self.told.remove(&one.id);
            return;
        }
        let told = Told {
            revision: one.revision,
            priority: one.priority,
            level: one.level.clone(),
            acknowledged: one.acknowledged.is_some(),
        };
        self.told.insert(one.id.clone(), told);
        while self.told.len() > MAX_TOLD {
            self.told.pop_first();
        }
    }

    /// Lets an incident wait until it rings; one that was put right meanwhile never does.
    pub(super) fn wait(&mut self, one: &Incident, came_ms: i64, now: Timestamp) -> bool {
        let is_known = self.waiting.contains_key(&one.id);
        if one.status != "open" {
            return self.waiting.remove(&one.id).is_some();
        }
        // Somebody who has told of it may be told of what became of it.
        let must_wait = one.rings_at > now && !self.told.contains_key(&one.id);
        if !must_wait || (!is_known && self.waiting.len() >= MAX_WAITING) {
            return false;
        }
        let incident = one.clone();
        let waiting = Waiting { incident, came_ms };
        self.waiting.insert(one.id.clone(), waiting);
        true
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// One that has waited long enough.
    pub(super) fn ringing(&self, now: Timestamp) -> Option<Waiting> {
        let mut waiting = self.waiting.values();
        waiting.find(|one| one.incident.rings_at <= now).cloned()
    }

    pub(super) fn bury(&mut self, dead: Dead) {
        self.dead_count += 1;
        self.dead.push(dead);
        if self.dead.len() > MAX_DEAD {
            self.dead.remove(0);
        }
    }
}
