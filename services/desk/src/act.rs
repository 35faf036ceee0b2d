//! What people do about incidents. An act is appended and never edited; to undo one appends another.

use catwalk_events::Timestamp;
pub use catwalk_events::audit::Notified;
use catwalk_hands::floor::Cents;
use serde::{Deserialize, Serialize};

use crate::priority::Priority;

/// One thing that one person did about one incident.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act {
    /// Its own, so that an act that was sent twice counts once.
    pub id: String,
    pub incident: String,
    /// The acts on the incident that the person had seen. An act that rests on less than there was is refused.
    pub seen_acts: u64,
    /// The findings of the incident that the person had seen.
    pub seen_findings: u64,
    pub by: Person,
    pub at: Timestamp,
    pub deed: Deed,
    #[serde(default)]
    pub note: Option<String>,
}

impl Act {
    /// Whether another with its id is this one once more. What a deed leaves to the desk (how far up, which act is
    /// undone) may have changed in between.
    pub(crate) fn is_sent_again_as(&self, other: &Act) -> bool {
        let what = |act: &Act| {
            let seen = (act.seen_acts, act.seen_findings);
            (act.by.id.clone(), act.deed.word(), seen, act.note.clone())
        };
        what(self) == what(other)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Person {
    pub id: String,
    pub role: Role,
    /// From where.
    #[serde(default)]
    pub station: Option<String>,
}

/// In the order of escalation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Nobody: a deadline that passed.
    Clock,
    Surveillance,
    SurveillanceSupervisor,
    SurveillanceDirector,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Deed {
    /// I work on it; nobody else does.
    Claim,
    Release,
    /// I have seen it.
    Acknowledge,
    Assign {
        to: String,
    },
    Escalate {
        to: Role,
    },
    Dispose(Disposal),
    /// A word on it, which changes nothing.
    Note,
    /// Takes back the last act on the incident.
    Undo {
        act: String,
    },
    /// The next shift has it now.
    HandOver {
        to: String,
    },
}

impl Deed {
    pub fn name(&self) -> &'static str {
        match self {
            Deed::Claim => "claim",
            Deed::Release => "release",
            Deed::Acknowledge => "acknowledge",
            Deed::Assign { .. } => "assign",
            Deed::Escalate { .. } => "escalate",
            Deed::Dispose(_) => "dispose",
            Deed::Note => "note",
            Deed::Undo { .. } => "undo",
            Deed::HandOver { .. } => "hand over",
        }
    }

    /// The word for it that programs use.
    pub fn word(&self) -> &'static str {
        match self {
            Deed::HandOver { .. } => "hand_over",
            other => other.name(),
        }
    }
}

/// How an incident ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disposal {
    pub verdict: Verdict,
    #[serde(default)]
    pub recovered_cents: Option<Cents>,
    #[serde(default)]
    pub case: Option<String>,
    /// Another person than the one who disposes of it.
    #[serde(default)]
    pub reviewer: Option<String>,
    #[serde(default)]
    pub video: Option<String>,
    #[serde(default)]
    pub notified: Vec<Notified>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    DealerErrorCorrected,
    DealerErrorUncorrected,
    PatronCheatingSuspected,
    EmployeeSuspected,
    AdvantagePlay,
    Equipment,
    Procedure,
    FeedFault,
    RuleConfiguration,
    FalseAlarm,
    Duplicate,
    ReferredIeb,
}

/// Why an act does not count. It stays on the log all the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("there is no incident {0}")]
    Unknown(String),
    #[error("{0} was refused before")]
    Before(String),
    #[error("{deed}: {by} has it since {since}")]
    Held {
        deed: &'static str,
        by: String,
        since: Timestamp,
    },
    #[error("{deed}: {by} did something in between ({what}); look again")]
    Overtaken {
        deed: &'static str,
        by: String,
        what: &'static str,
    },
    #[error("{deed}: it rests on more than there ever was; look again")]
    NeverSo { deed: &'static str },
    #[error("{deed}: {count} more findings have come; look again")]
    MoreFindings { deed: &'static str, count: u64 },
    #[error("{deed}: it is closed")]
    Closed { deed: &'static str },
    #[error("{deed}: it is not held by {who}")]
    NotHeld { deed: &'static str, who: String },
    #[error("undo: {0} is not the last act on the incident")]
    NotLast(String),
    #[error("undo: only {by} or a supervisor takes that back")]
    NotYours { by: String },
    #[error("dispose: it was sent up to {to}, who disposes of it, unless that is undone")]
    SentUp { to: &'static str },
    #[error("{deed}: so much was done about it already that only to dispose of it is left")]
    TooMany { deed: &'static str },
    #[error("{0} is the id of another act: make a new one")]
    OtherAct(String),
    #[error("dispose: the reviewer must be another person than {0}")]
    OwnReviewer(String),
    #[error("dispose: an incident of priority {0} needs a reviewer")]
    NoReviewer(Priority),
}
