//! What the surveillance desk writes: what people do, and what comes of it.

use catwalk_hands::floor::Cents;
use serde::{Deserialize, Serialize};

use super::signed;
use crate::Timestamp;

/// What somebody did about a finding, or about the incident that it is part of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disposition {
    /// Id of the finding; of an incident, its first.
    pub finding: String,
    pub operator: String,
    pub action: Action,
    pub note: Option<String>,
    pub at: Timestamp,
    /// With the table, where the finding was made.
    pub property: Option<String>,
    pub table: Option<String>,
    /// The act's own, so that one that was sent twice counts once.
    #[serde(default)]
    pub id: Option<String>,
    #[serde(default)]
    pub incident: Option<String>,
    #[serde(default)]
    pub role: Option<String>,
    /// From where.
    #[serde(default)]
    pub station: Option<String>,
    /// The acts and findings of the incident that the person had seen.
    #[serde(default)]
    pub seen_acts: Option<u64>,
    #[serde(default)]
    pub seen_findings: Option<u64>,
    /// Of an assignment or a hand-over the person, of an escalation the role.
    #[serde(default)]
    pub to: Option<String>,
    /// Of an undo: the act that it takes back.
    #[serde(default)]
    pub undoes: Option<String>,
    #[serde(default)]
    pub verdict: Option<String>,
    #[serde(default, with = "signed::optional")]
    pub recovered_cents: Option<Cents>,
    #[serde(default)]
    pub case: Option<String>,
    #[serde(default)]
    pub reviewer: Option<String>,
    #[serde(default)]
    pub video: Option<String>,
    #[serde(default)]
    pub notified: Vec<Notified>,
    /// Of an entry: what stands in the room's log.
    #[serde(default)]
    pub entry: Option<LogEntry>,
}

impl Disposition {
    /// An act on one finding, as it was before there were incidents.
    pub fn of_finding(finding: &super::Finding, operator: &str, action: Action) -> Disposition {
        Disposition {
            finding: finding.id.clone(),
            operator: operator.to_owned(),
            action,
            note: None,
            at: finding.at,
            property: Some(finding.property.clone()),
            table: Some(finding.table.clone()),
            id: None,
            incident: None,
            role: None,
            station: None,
            seen_acts: None,
            seen_findings: None,
            to: None,
            undoes: None,
            verdict: None,
            recovered_cents: None,
            case: None,
            reviewer: None,
            video: None,
            notified: Vec::new(),
            entry: None,
        }
    }
}

/// An entry of the room's daily log, which is apart from the files of incidents. The disposition that carries it
/// says who wrote it, when, in which property and at which table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// From 1 on in each property, without gaps: the desk gives it, and nobody changes it.
    pub number: u64,
    pub kind: EntryKind,
    pub summary: String,
    /// Who or what gave rise to it.
    pub initiator: Option<String>,
    pub reason: Option<String>,
    pub place: Option<String>,
    pub persons: Vec<String>,
    /// The code of a finding, or a section of the rules.
    pub violation: Option<String>,
    pub recording_from: Option<Timestamp>,
    pub recording_until: Option<Timestamp>,
    /// What became of it.
    pub outcome: Option<String>,
    /// The earlier entry that this one corrects, or the hand-over that it answers.
    pub refers_to: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    Observation,
    /// A fill, a credit, a drop or a count that was watched.
    Watched,
    CameraOutage,
    /// Somebody outside the room was told.
    Notification,
    Correction,
    HandOver,
    TakeOver,
}

impl EntryKind {
    pub const ALL: [EntryKind; 7] = [
        EntryKind::Observation,
        EntryKind::Watched,
        EntryKind::CameraOutage,
        EntryKind::Notification,
        EntryKind::Correction,
        EntryKind::HandOver,
        EntryKind::TakeOver,
    ];

    pub fn name(self) -> &'static str {
        match self {
            EntryKind::Observation => "observation",
            EntryKind::Watched => "watched",
            EntryKind::CameraOutage => "camera_outage",
            EntryKind::Notification => "notification",
            EntryKind::Correction => "correction",
            EntryKind::HandOver => "hand_over",
            EntryKind::TakeOver => "take_over",
        }
    }

    pub fn named(name: &str) -> Option<EntryKind> {
        EntryKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Acknowledge,
    Escalate,
    Dispose,
    Reopen,
    Comment,
    Claim,
    Release,
    Assign,
    Note,
    Undo,
    HandOver,
    /// Writes into the room's log.
    Entry,
}

/// Somebody outside the room who was told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notified {
    pub whom: String,
    pub at: Timestamp,
    pub how: String,
}

/// An incident as it stood at one of its revisions, whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incident {
    pub id: String,
    /// Rises with every finding, resolution and act.
    pub revision: u64,
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
    /// When the first finding was written to the log: deadlines count from it.
    pub heard: Timestamp,
    pub rings_at: Timestamp,
    /// Unless it is acknowledged by then, it goes further up.
    pub due_by: Timestamp,
    /// 1 presses most, 4 least.
    pub priority: u32,
    pub headline: String,
    #[serde(with = "signed")]
    pub exposure_cents: Cents,
    #[serde(with = "signed")]
    pub at_stake_cents: Cents,
    pub codes: Vec<String>,
    pub cites: Vec<String>,
    /// Ids of the findings that it keeps one by one.
    pub findings: Vec<String>,
    /// All that came.
    pub count: u64,
    pub resolved: u64,
    /// `open`, `resolved` or `disposed`.
    pub status: String,
    pub held_by: Option<String>,
    pub held_since: Option<Timestamp>,
    pub acknowledged: Option<Timestamp>,
    pub level: String,
    pub acts: u64,
    pub verdict: Option<String>,
    #[serde(with = "signed::optional")]
    pub recovered_cents: Option<Cents>,
    pub case: Option<String>,
    pub reviewer: Option<String>,
    pub video: Option<String>,
    pub notified: Vec<Notified>,
}
