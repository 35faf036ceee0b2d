//! A finding as a surveillance operator reads it: one line.

use std::io::{self, IsTerminal};

use catwalk_events::audit::Finding;
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::output;

/// Writes findings as lines, in colour where a terminal shows them.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    colour: bool,
    /// Of the house: people tell the time by the clock on its wall.
    zone: TimeZone,
}

impl Lines {
    /// In the house's time zone, in colour if standard output is a terminal that has not said otherwise.
    pub(crate) fn for_stdout(zone: &str) -> Lines {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Lines {
            colour: wanted && io::stdout().is_terminal(),
            zone: TimeZone::get(zone).unwrap_or(TimeZone::UTC),
        }
    }

    pub(crate) fn line(&self, finding: &Finding) -> String {
        let (on, off) = match finding.severity {
            _ if !self.colour => ("", ""),
            Severity::Critical => ("\x1b[1;31m", "\x1b[0m"),
            Severity::Warn => ("\x1b[33m", "\x1b[0m"),
            Severity::Info => ("\x1b[2m", "\x1b[0m"),
        };
        let time = self.local(finding);
        let round = finding.round.as_deref().unwrap_or("-");
        let seat = match finding.seat {
            Some(seat) => format!("seat {seat}"),
            None => String::new(),
        };
        let stake = match finding.exposure {
            Cents::ZERO => String::new(),
            exposure => exposure.to_string(),
        };
        let severity = output::severity(finding.severity);
        format!(
            "{time} {on}{severity:<8}{off} {:<6} {round:<12} {seat:<7} {:<26} {stake:>10}  {}  {}",
            finding.table, finding.code, finding.id, finding.message
        )
    }

    /// When it was, by the clock of the house and with the name of its time.
    fn local(&self, finding: &Finding) -> String {
        match Timestamp::from_microsecond(finding.at.micros()) {
            Ok(at) => {
                let at = at.to_zoned(self.zone.clone());
                at.strftime("%m-%d %H:%M:%S %Z").to_string()
            }
            Err(_) => finding.at.to_string(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Who watches has to find the seat and the tape: the clock is that of the wall.
    #[test]
    fn a_line_has_round_seat_id_and_local_time() {
        let samples = include_str!("../../../schemas/finding.jsonl");
        let mut finding: Finding = serde_json::from_str(samples.lines().next().unwrap()).unwrap();
        finding.at = "2026-07-01T03:30:05Z".parse().unwrap();
        finding.round = Some("BJ-07-000123".to_owned());
        finding.seat = Some(4);
        let lines = Lines {
            colour: false,
            zone: TimeZone::get("America/New_York").unwrap(),
        };
        let line = lines.line(&finding);
        assert!(line.starts_with("06-30 23:30:05 EDT "), "{line}");
        for part in ["BJ-07-000123 seat 4", &finding.id, &finding.code] {
            assert!(line.contains(part), "{part}: {line}");
        }
        assert!(line.ends_with(&finding.message), "{line}");
        finding.seat = None;
        finding.round = None;
        assert!(!lines.line(&finding).contains("seat 4"));
    }
}
