//! A finding as a surveillance operator reads it: one line.

use std::io::{self, IsTerminal};

use catwalk_events::audit::Finding;
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;

use crate::output;

/// Writes findings as lines, in colour where a terminal shows them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    colour: bool,
}

impl Lines {
    /// In colour if standard output is a terminal that has not said otherwise.
    pub(crate) fn for_stdout() -> Lines {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Lines {
            colour: wanted && io::stdout().is_terminal(),
        }
    }

    pub(crate) fn line(self, finding: &Finding) -> String {
        let (on, off) = match finding.severity {
            _ if !self.colour => ("", ""),
            Severity::Critical => ("\x1b[1;31m", "\x1b[0m"),
            Severity::Warn => ("\x1b[33m", "\x1b[0m"),
            Severity::Info => ("\x1b[2m", "\x1b[0m"),
        };
        let at = finding.at.to_string();
        let time = at.get(11..19).unwrap_or(&at);
        let stake = match finding.exposure {
            Cents::ZERO => String::new(),
            exposure => exposure.to_string(),
        };
        let severity = output::severity(finding.severity);
        format!(
            "{time} {on}{severity:<8}{off} {:<6} {:<26} {stake:>10}  {}",
            finding.table, finding.code, finding.message
        )
    }
}
