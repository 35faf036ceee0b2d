//! How much an incident presses: by what was found, and by the money at stake.

use std::fmt;

use catwalk_events::Timestamp;
use catwalk_events::audit::Finding;
use catwalk_hands::floor::{Cents, Severity};
use serde::{Deserialize, Serialize};

use crate::desk::{MICROS_PER_MINUTE, later};
use crate::incident::Incident;

/// The first is the most pressing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Priority {
    One = 1,
    Two,
    Three,
    Four,
}

impl Priority {
    pub const ALL: [Priority; 4] = [
        Priority::One,
        Priority::Two,
        Priority::Three,
        Priority::Four,
    ];
}

impl From<Priority> for u8 {
    fn from(priority: Priority) -> u8 {
        priority as u8
    }
}

impl TryFrom<u8> for Priority {
    type Error = String;

    fn try_from(number: u8) -> Result<Priority, String> {
        let mut all = Priority::ALL.into_iter();
        all.find(|one| *one as u8 == number)
            .ok_or_else(|| format!("{number} is no priority: 1 to 4 are"))
    }
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", *self as u8)
    }
}

/// What a room makes of findings; `priorities.toml` is what it is by default.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Priorities {
    pub settings: Settings,
    classes: Vec<Class>,
}

/// Figures that a room may set for itself.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub first_from_cents: i64,
    pub second_from_cents: i64,
    pub sum_from_cents: i64,
    pub window_minutes: i64,
    pub grace_seconds: i64,
    pub mispays_of_a_dealer: usize,
    pub mispays_of_a_patron: usize,
    pub mispays_minutes: i64,
    pub acknowledged_minutes: [i64; 4],
    #[serde(default = "eight")]
    pub shift_hours: i64,
}

fn eight() -> i64 {
    8
}

/// Findings that mean the same to a room.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Class {
    pub name: String,
    pub meaning: String,
    priority: Weight,
    #[serde(default)]
    weighed_by: WeighedBy,
    /// A condition of the table, not of one round.
    #[serde(default)]
    pub lasting: bool,
    codes: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
enum Weight {
    Of(Priority),
    /// It is no alert.
    No(Never),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Never {
    None,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WeighedBy {
    #[default]
    Class,
    Amount,
}

impl Class {
    fn has(&self, code: &str) -> bool {
        self.codes
            .iter()
            .any(|known| match known.strip_suffix('*') {
                Some(beginning) => code.starts_with(beginning),
                None => known == code,
            })
    }

    /// Is more or less money given than was due?
    pub(crate) fn is_mispay(&self) -> bool {
        self.weighed_by == WeighedBy::Amount
    }
}

impl Default for Priorities {
    fn default() -> Priorities {
        let read = Priorities::read(include_str!("priorities.toml"));
        read.expect("priorities.toml is held by a test")
    }
}

impl Priorities {
    pub fn read(text: &str) -> Result<Priorities, toml::de::Error> {
        toml::from_str(text)
    }

    pub fn class(&self, code: &str) -> Option<&Class> {
        self.classes.iter().find(|class| class.has(code))
    }

    /// What this finding presses by itself; `None` where it is no alert. Underpaying a patron weighs like
    /// overpaying.
    pub fn of(&self, finding: &Finding) -> Option<Priority> {
        let by_severity = match finding.severity {
            Severity::Critical | Severity::Warn => Priority::Two,
            Severity::Info => Priority::Four,
        };
        let Some(class) = self.class(&finding.code) else {
            return Some(by_severity);
        };
        let Weight::Of(priority) = class.priority else {
            return None;
        };
        let by_amount = self.by_amount(finding.exposure);
        Some(match class.weighed_by {
            WeighedBy::Amount => by_amount.map_or(priority, |by_amount| by_amount.min(priority)),
            // What is told for the record does not ring, whatever its family.
            WeighedBy::Class if finding.severity == Severity::Info => Priority::Four,
            WeighedBy::Class => priority,
        })
    }

    /// When an incident must have been acknowledged: each level has the same time again.
    pub fn due_by(&self, incident: &Incident, levels: i64) -> Timestamp {
        let minutes = self.settings.acknowledged_minutes[incident.priority as usize - 1];
        later(
            incident.rings_at,
            levels.saturating_mul(minutes) * MICROS_PER_MINUTE,
        )
    }

    fn by_amount(&self, exposure: Cents) -> Option<Priority> {
        let amount = exposure.get().unsigned_abs();
        let reaches = |from: i64| amount >= from.unsigned_abs();
        match () {
            () if reaches(self.settings.first_from_cents) => Some(Priority::One),
            () if reaches(self.settings.second_from_cents) => Some(Priority::Two),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every code that can be found.
    fn codes() -> Vec<&'static str> {
        let page = include_str!("../../../schemas/findings.md");
        let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
        rows.filter_map(|row| row.split('`').next()).collect()
    }

    #[test]
    fn every_entry_is_of_a_code_that_can_be_found() {
        let codes = codes();
        assert!(codes.len() > 500, "{}", codes.len());
        for class in Priorities::default().classes {
            for listed in &class.codes {
                let alone = Class {
                    codes: vec![listed.clone()],
                    ..class.clone()
                };
                let known = codes.iter().any(|code| alone.has(code));
                assert!(known, "{}: {listed}", class.name);
            }
        }
    }
}
