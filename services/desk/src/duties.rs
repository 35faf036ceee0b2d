//! What somebody outside of the room must be told, by when, and whether he was.
//!
//! A finding or an event of the floor calls for a duty. A receipt is a report that the floor tells of, a notification
//! in the room's log, or what a disposal says of whom it was told. A duty whose deadline passes without one is a
//! finding itself. As with all deadlines here the finding is appended to the log, so that a replay needs no clock.

mod watch;

use std::collections::BTreeSet;

use catwalk_events::audit::{EntryKind, Finding};
use catwalk_events::{Body, Event, Timestamp};
use catwalk_hands::floor::{Cents, Severity};
use serde::{Deserialize, Serialize};

pub(crate) use self::watch::Watch;
use crate::desk::{MICROS_PER_MINUTE, later};
use crate::journal::Entry;

/// What must be told before something happens may have been told so long before.
const BEFORE_MICROS: i64 = 30 * DAY_MICROS;
const DAY_MICROS: i64 = 24 * 60 * MICROS_PER_MINUTE;
/// What a missed duty is found as.
const MISSED: &str = "duty.missed";

/// Who must be told what; `duties.toml` is what the texts ask for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Duties {
    /// What "immediately" is, in minutes.
    #[serde(default = "a_quarter")]
    immediately_minutes: i64,
    #[serde(rename = "duties")]
    pub(crate) all: Vec<Rule>,
}

fn a_quarter() -> i64 {
    15
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    pub(crate) name: String,
    pub(crate) section: String,
    pub(crate) what: String,
    pub(crate) to: String,
    pub(crate) when: String,
    /// Findings and events that call for it.
    #[serde(default)]
    codes: Vec<String>,
    #[serde(default)]
    events: Vec<String>,
    /// What the floor reports of, and other events that are receipts.
    #[serde(default)]
    about: Vec<String>,
    #[serde(default)]
    receipts: Vec<String>,
    /// Codes of findings that say that it was missed.
    #[serde(default)]
    pub(crate) found_as: Vec<String>,
    /// Why nothing tells that it falls due.
    #[serde(default)]
    pub(crate) by_hand: Option<String>,
}

impl Default for Duties {
    fn default() -> Duties {
        let read = toml::from_str(include_str!("duties.toml"));
        read.expect("duties.toml is held by a test")
    }
}

impl Duties {
    /// The same with another "immediately", in minutes.
    pub fn within(immediately_minutes: i64) -> Duties {
        Duties {
            immediately_minutes,
            ..Duties::default()
        }
    }

    fn rule(&self, name: &str) -> Option<&Rule> {
        self.all.iter().find(|rule| rule.name == name)
    }

    fn due_by(&self, rule: &Rule, since: Timestamp) -> Timestamp {
        match rule.when.as_str() {
            "before" => since,
            "day" => later(since, DAY_MICROS),
            _ => later(
                since,
                self.immediately_minutes.saturating_mul(MICROS_PER_MINUTE),
            ),
        }
    }
}

impl Rule {
    /// Where this is so, the text of Massachusetts asks for it.
    fn is_of(&self, finding: &Finding) -> bool {
        // Tiles are played by its text alone, and their codes cite the rules of the game.
        let is_cited = finding.cites.iter().any(|cite| cite.contains("205 CMR"));
        self.codes.contains(&finding.code) && (is_cited || self.name == "tiles")
    }
}

/// Something that somebody must be told, or was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Duty {
    pub(crate) id: String,
    /// Which it is.
    pub(crate) rule: String,
    pub(crate) section: String,
    pub(crate) to: String,
    pub(crate) property: String,
    pub(crate) table: String,
    pub(crate) round: Option<String>,
    pub(crate) dealer: Option<String>,
    pub(crate) incident: Option<String>,
    /// What there is to be told.
    pub(crate) what: String,
    codes: Vec<String>,
    /// Findings that call for it and stand.
    standing: BTreeSet<String>,
    evidence: Vec<u64>,
    /// When it happened by the floor's clock, when the log had it, and until when it must be told.
    happened: Timestamp,
    pub(crate) since: Timestamp,
    pub(crate) due_by: Timestamp,
    pub(crate) receipt: Option<Receipt>,
    pub(crate) missed: bool,
    /// What called for it was explained by later events.
    pub(crate) lapsed: bool,
}

/// How it is known that somebody was told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Receipt {
    pub(crate) at: Timestamp,
    pub(crate) by: String,
    pub(crate) how: String,
    /// The act that says so, which may be taken back.
    act: Option<String>,
}

/// An event of the floor that is a receipt, or calls for a duty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Told {
    /// The event, so that one that is read twice counts once.
    pub(crate) id: String,
    property: String,
    table: String,
    seq: u64,
    at: Timestamp,
    heard: Timestamp,
    kind: String,
    about: Option<String>,
    receipt: Option<String>,
    by: Option<String>,
}

impl Told {
    /// What is to be known here of an event; `None` where it has nothing to do with duties.
    pub(crate) fn of(event: &Event, heard_ms: i64) -> Option<Told> {
        let (mut about, mut receipt, mut by) = (None, None, None);
        match &event.body {
            Body::DiscrepancyReported(said) => {
                about = Some(said.about.clone());
                receipt.clone_from(&said.receipt);
                by = said.by.as_ref().map(|by| by.id.clone());
            }
            Body::FundCounted(counted) => by = counted.by.as_ref().map(|by| by.id.clone()),
            Body::ChipsDestroyed(_) | Body::JackpotDropTaken(_) => {}
            _ => return None,
        }
        Some(Told {
            id: event.id.clone(),
            property: event.property.clone(),
            table: event.table.clone(),
            seq: event.seq,
            at: event.at,
            heard: Timestamp::from_micros(heard_ms.saturating_mul(1_000)),
            kind: event.body.type_name().to_owned(),
            about,
            receipt,
            by,
        })
    }
}

impl Duty {
    fn of(
        rule: &Rule,
        id: String,
        property: &str,
        table: &str,
        since: Timestamp,
        what: String,
    ) -> Duty {
        Duty {
            id,
            rule: rule.name.clone(),
            section: rule.section.clone(),
            to: rule.to.clone(),
            property: property.to_owned(),
            table: table.to_owned(),
            round: None,
            dealer: None,
            incident: None,
            what,
            codes: Vec::new(),
            standing: BTreeSet::new(),
            evidence: Vec::new(),
            happened: since,
            since,
            due_by: since,
            receipt: None,
            missed: false,
            lapsed: false,
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.receipt.is_none() && !self.lapsed
    }

    /// How it stands, in a word.
    pub(crate) fn status(&self) -> &'static str {
        match (self.missed, self.receipt.is_some(), self.lapsed) {
            (true, ..) => "missed",
            (false, true, _) => "done",
            (false, false, true) => "lapsed",
            (false, false, false) => "open",
        }
    }

    fn take(&mut self, receipt: Receipt) -> bool {
        if self.receipt.is_some() {
            return false;
        }
        self.receipt = Some(receipt);
        true
    }

    /// Whether an event of the floor says that it is done.
    fn is_met_by(&self, told: &Told, rule: &Rule) -> bool {
        if told.property != self.property {
            return false;
        }
        let reports = told
            .about
            .as_ref()
            .is_some_and(|about| rule.about.contains(about));
        // A report of what was found at a table comes after it, from there.
        let reports = reports && told.table == self.table && told.at >= self.happened;
        reports || (rule.receipts.contains(&told.kind) && told.at >= self.happened)
    }

    /// Whether an entry of the room's log says that it is done: a notification that names the duty, its section or what
    /// was found.
    fn is_met_by_entry(&self, entry: &Entry, rule: &Rule) -> bool {
        if entry.said.kind != EntryKind::Notification || entry.property != self.property {
            return false;
        }
        let Some(named) = entry.said.violation.as_deref() else {
            return false;
        };
        if named == self.id {
            return true;
        }
        let is_here = entry.table.as_ref() == Some(&self.table);
        let is_meant = self.codes.iter().any(|code| code == named) || names(named, &self.section);
        let is_then = match rule.when.as_str() {
            "before" => later(entry.at, BEFORE_MICROS) >= self.since && entry.at <= self.since,
            _ => entry.at >= self.since,
        };
        is_here && is_meant && is_then
    }

    /// The finding that it was missed. It is of the moment of the deadline, whenever that is noticed.
    fn missed(&self, rule: &Rule, immediately: i64) -> Finding {
        let who = match self.to.as_str() {
            "bureau" => "the Bureau",
            "compliance" => "casino compliance",
            other => other,
        };
        let when = match rule.when.as_str() {
            "before" => "beforehand".to_owned(),
            "day" => "within a day".to_owned(),
            _ => format!("within {immediately} minutes"),
        };
        let what = &self.what;
        let message = match (&self.receipt, rule.receipts.is_empty()) {
            (Some(receipt), _) => {
                let minutes = (receipt.at.micros() - self.due_by.micros()) / MICROS_PER_MINUTE;
                format!("{who} was told {minutes} minutes too late, {when} was due: {what}")
            }
            (None, true) => format!("Nothing says that {who} was told {when}: {what}"),
            (None, false) => format!("Nothing says that it was done {when}: {what}"),
        };
        let mut letters = message.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string());
        Finding {
            id: String::new(),
            code: MISSED.to_owned(),
            severity: Severity::Critical,
            property: self.property.clone(),
            table: self.table.clone(),
            game: None,
            round: self.round.clone(),
            wager: None,
            seat: None,
            dealer: None,
            at: self.due_by,
            due: None,
            paid: None,
            exposure: Cents::ZERO,
            message: first.unwrap_or_default() + letters.as_str(),
            cites: vec![self.section.clone()],
            evidence: self.evidence.clone(),
            rules: None,
            resolves: None,
            player: None,
            trial: None,
        }
        .seal_about(&self.id)
    }
}

/// Whether somebody who writes this means this section: `146.49(14)` for `205 CMR 146.49(14)(j),(k)`, and not
/// `146.4`.
fn names(named: &str, section: &str) -> bool {
    let named = named.trim().trim_start_matches("205 CMR").trim();
    let section = section.trim_start_matches("205 CMR").trim();
    let number = named.split('(').next().unwrap_or_default();
    let is_whole = number.contains('.') && section.split('(').next() == Some(number);
    is_whole && (section.starts_with(named) || named.starts_with(section))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_duty_is_watched_in_one_way_and_by_codes_that_can_be_found() {
        let page = include_str!("../../../schemas/findings.md");
        let known = |code: &String| page.contains(&format!("| `{code}`"));
        for rule in Duties::default().all {
            let ways = [
                !rule.codes.is_empty() || !rule.events.is_empty(),
                !rule.found_as.is_empty(),
                rule.by_hand.is_some(),
            ];
            let count = ways.into_iter().filter(|way| *way).count();
            assert_eq!(count, 1, "{}", rule.name);
            assert!(
                rule.codes.iter().chain(&rule.found_as).all(known),
                "{}",
                rule.name
            );
            let is_watched = ways[0];
            let has_deadline = ["immediately", "before", "day"].contains(&rule.when.as_str());
            assert!(!is_watched || has_deadline, "{}: {}", rule.name, rule.when);
        }
    }

    #[test]
    fn a_section_is_meant_by_its_number_and_no_part_of_it() {
        let section = "205 CMR 146.49(14)(j),(k)";
        for named in [
            "146.49(14)",
            "205 CMR 146.49(14)(j)",
            "146.49",
            "205 CMR 146.49(14)(j),(k)",
        ] {
            assert!(names(named, section), "{named}");
        }
        for named in [
            "",
            "14",
            "146.4",
            "146.49(15)",
            "146",
            "205 CMR",
            "146.02(7)",
        ] {
            assert!(!names(named, section), "{named}");
        }
    }
}
