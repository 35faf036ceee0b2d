//! An incident: findings that belong together, and how far people are with them.

use catwalk_events::Timestamp;
use catwalk_events::audit::{Finding, signed};
use catwalk_hands::floor::Cents;
use serde::{Deserialize, Serialize};

use crate::act::{Disposal, Role};
use crate::desk::{MICROS_PER_SECOND, later};
use crate::priority::{Priorities, Priority};

/// No incident keeps more findings than this one by one; further ones are counted.
pub(crate) const MAX_FINDINGS: usize = 200;
/// Nor more codes or sections than these.
const MAX_CODES: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incident {
    /// From the first finding: the same findings give the same id.
    pub id: String,
    pub property: String,
    pub table: String,
    pub game: Option<String>,
    pub round: Option<String>,
    pub dealer: Option<String>,
    pub player: Option<String>,
    pub seat: Option<u32>,
    /// Of the first finding and of the last.
    pub began: Timestamp,
    pub last: Timestamp,
    /// When the first finding came to the log. People can have known of it since then, so deadlines count from it.
    pub heard: Timestamp,
    /// Nobody is told before: what is over within its grace never rings. What presses more than what was told rings
    /// anew, and has to be acknowledged anew.
    pub rings_at: Timestamp,
    pub priority: Priority,
    /// The message of the finding that presses most.
    pub headline: String,
    /// How much that one presses.
    pub(crate) pressing: (Priority, i64),
    pub codes: Vec<String>,
    pub cites: Vec<String>,
    /// What the house lost by it, less what patrons did.
    #[serde(with = "signed")]
    pub exposure: Cents,
    /// The same without regard to who lost it: what is at stake.
    #[serde(with = "signed")]
    pub at_stake: Cents,
    pub findings: Vec<Part>,
    /// One of them was put right after its grace.
    pub(crate) rang: bool,
    /// How many of them were put right.
    pub resolved: u64,
    /// All that came, those beyond [`MAX_FINDINGS`] included.
    pub count: u64,
    pub status: Status,
    /// Who works on it, and since when.
    pub held: Option<Held>,
    pub acknowledged: Option<Timestamp>,
    /// How far up it went, sent there or because nobody had acknowledged it.
    pub level: Role,
    /// How far up people sent it.
    #[serde(default = "nobody_above")]
    pub(crate) sent_up: Role,
    /// How far up it went by itself: by a pattern, a sum or a duty.
    #[serde(default = "nobody_above")]
    by_itself: Role,
    pub disposal: Option<Disposal>,
    /// Acts that counted.
    pub acts: u64,
    /// Rises with every finding, resolution and act.
    pub revision: u64,
}

pub(crate) fn nobody_above() -> Role {
    Role::Surveillance
}

/// A finding of an incident.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    pub finding: Finding,
    /// Later events explained it or put it right.
    pub resolved: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    pub by: String,
    pub since: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Open,
    /// By people.
    Disposed,
    /// By itself: every finding of it was put right before anybody took it up.
    Resolved,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::Disposed => "disposed",
            Status::Resolved => "resolved",
        }
    }
}

impl Incident {
    /// An incident that this finding begins, without it.
    pub(crate) fn begun_by(
        finding: &Finding,
        id: String,
        priority: Priority,
        heard: Timestamp,
        rings_at: Timestamp,
    ) -> Incident {
        Incident {
            id,
            property: finding.property.clone(),
            table: finding.table.clone(),
            game: None,
            round: finding.round.clone(),
            dealer: None,
            player: None,
            seat: None,
            began: finding.at,
            last: finding.at,
            heard,
            rings_at,
            priority,
            headline: String::new(),
            pressing: (Priority::Four, -1),
            codes: Vec::new(),
            cites: Vec::new(),
            exposure: Cents::ZERO,
            at_stake: Cents::ZERO,
            findings: Vec::new(),
            rang: false,
            resolved: 0,
            count: 0,
            status: Status::Open,
            held: None,
            acknowledged: None,
            level: Role::Surveillance,
            sent_up: Role::Surveillance,
            by_itself: Role::Surveillance,
            disposal: None,
            acts: 0,
            revision: 0,
        }
    }

    /// Takes a finding in, which presses so much by itself and came to the log at `heard`.
    pub(crate) fn add(&mut self, finding: &Finding, priority: Priority, heard: Timestamp) {
        let at_stake = finding.exposure.get().saturating_abs();
        self.exposure = sum(self.exposure, finding.exposure);
        self.at_stake = sum(self.at_stake, Cents::new(at_stake));
        self.count += 1;
        self.revision += 1;
        self.began = self.began.min(finding.at);
        self.last = self.last.max(finding.at);
        self.presses(priority, heard);
        for (of_incident, said) in [
            (&mut self.game, &finding.game),
            (&mut self.dealer, &finding.dealer),
            (&mut self.player, &finding.player),
        ] {
            if of_incident.is_none() {
                of_incident.clone_from(said);
            }
        }
        self.seat = self.seat.or(finding.seat);
        let (most, stake) = self.pressing;
        if priority < most || (priority == most && at_stake > stake) {
            self.pressing = (priority, at_stake);
            self.headline.clone_from(&finding.message);
        }
        remember(&mut self.codes, &finding.code);
        for cite in &finding.cites {
            remember(&mut self.cites, cite);
        }
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(Part {
                finding: finding.clone(),
                resolved: false,
            });
        }
    }

    /// It presses so much from `heard` on. Whoever acknowledged it knew of less, unless somebody has it.
    pub(crate) fn presses(&mut self, priority: Priority, heard: Timestamp) {
        if priority >= self.priority {
            return;
        }
        self.priority = priority;
        self.rings_at = self.rings_at.max(heard);
        if self.held.is_none() {
            self.acknowledged = None;
        }
    }

    /// A finding of it was explained or put right, as this one says. An incident of which that holds for all closes
    /// by itself, unless somebody has it, or it rang: what people were called for they look at.
    pub(crate) fn put_right(&mut self, resolution: &Finding, room: &Priorities) {
        let closed = resolution.resolves.as_ref();
        let mut parts = self.findings.iter_mut();
        let Some(part) = parts.find(|part| Some(&part.finding.id) == closed && !part.resolved)
        else {
            return;
        };
        part.resolved = true;
        let grace = room.settings.grace_seconds * MICROS_PER_SECOND;
        self.rang |= resolution.at > later(part.finding.at, grace);
        self.resolved += 1;
        self.revision += 1;
        self.exposure = sum(self.exposure, resolution.exposure);
        let nobody_has_it = self.held.is_none() && self.acknowledged.is_none();
        let may_close = nobody_has_it && !(self.rang && self.priority <= Priority::Two);
        if self.is_open() && may_close && self.resolved == self.count {
            self.status = Status::Resolved;
        }
    }

    pub fn is_open(&self) -> bool {
        self.status == Status::Open
    }

    /// Who knows of it.
    pub(crate) fn reached(&self) -> Role {
        self.level.max(self.by_itself)
    }

    /// Goes to the supervisor by itself.
    pub(crate) fn goes_up(&mut self) {
        self.by_itself = Role::SurveillanceSupervisor;
    }
}

fn remember(known: &mut Vec<String>, one: &str) {
    if known.len() < MAX_CODES && !known.iter().any(|known| known == one) {
        known.push(one.to_owned());
    }
}

fn sum(one: Cents, other: Cents) -> Cents {
    Cents::new(one.get().saturating_add(other.get()))
}
