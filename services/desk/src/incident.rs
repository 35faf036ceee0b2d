//! An incident: findings that belong together, and how far people are with them.

use catwalk_events::Timestamp;
use catwalk_events::audit::{Finding, signed};
use catwalk_hands::floor::Cents;
use serde::{Deserialize, Serialize};

use crate::act::{Disposal, Role};
use crate::priority::Priority;

/// No incident keeps more findings than this one by one; further ones are counted.
pub(crate) const MAX_FINDINGS: usize = 1_000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incident {
    /// From the first finding: the same findings give the same id.
    pub id: String,
    pub property: String,
    pub table: String,
    pub round: Option<String>,
    pub dealer: Option<String>,
    /// Of the first finding and of the last.
    pub began: Timestamp,
    pub last: Timestamp,
    /// Nobody is told before: what is over within its grace never rings.
    pub rings_at: Timestamp,
    pub priority: Priority,
    /// What the house lost by it, less what patrons did.
    #[serde(with = "signed")]
    pub exposure: Cents,
    /// The same without regard to who lost it: what is at stake.
    #[serde(with = "signed")]
    pub at_stake: Cents,
    pub findings: Vec<Part>,
    /// All that came, those beyond [`MAX_FINDINGS`] included.
    pub count: u64,
    pub status: Status,
    /// Who works on it, and since when.
    pub held: Option<Held>,
    pub acknowledged: Option<Timestamp>,
    /// How far up it went.
    pub level: Role,
    pub disposal: Option<Disposal>,
    /// Acts that counted.
    pub acts: u64,
}

/// What an incident keeps of a finding; the rest is in the archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    pub id: String,
    pub code: String,
    pub at: Timestamp,
    #[serde(with = "signed")]
    pub exposure: Cents,
    pub message: String,
    /// Later events explained it or put it right.
    pub resolved: bool,
}

impl Part {
    pub(crate) fn of(finding: &Finding) -> Part {
        Part {
            id: finding.id.clone(),
            code: finding.code.clone(),
            at: finding.at,
            exposure: finding.exposure,
            message: finding.message.clone(),
            resolved: false,
        }
    }
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

impl Incident {
    pub fn is_open(&self) -> bool {
        self.status == Status::Open
    }
}
