//! Faults and findings, counted against each other.

use std::collections::{BTreeMap, HashMap, HashSet};

use catwalk_rules::book::Severity;
use serde::{Deserialize, Serialize};

/// So many faults that were missed, and false alarms, are named.
const MAX_EXAMPLES: usize = 20;

/// A label of the floor.
#[derive(Debug, Deserialize)]
pub(super) struct Fault {
    pub(super) kind: String,
    pub(super) table: String,
    pub(super) game: String,
    pub(super) round: String,
    /// Positive: the house loses it.
    pub(super) amount: i64,
    pub(super) seqs: Vec<u64>,
    pub(super) codes: Vec<String>,
    /// When it was done.
    pub(super) at: String,
}

/// A finding.
#[derive(Debug, Deserialize)]
pub(super) struct Alarm {
    pub(super) code: String,
    pub(super) severity: Severity,
    pub(super) table: String,
    pub(super) round: Option<String>,
    pub(super) at: String,
    pub(super) message: String,
    pub(super) evidence: Vec<u64>,
}

#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Score {
    pub(super) all: Row,
    pub(super) by_kind: BTreeMap<String, Row>,
    pub(super) by_game: BTreeMap<String, Row>,
    /// Findings of severity warn or critical.
    pub(super) alarms: u64,
    pub(super) false_alarms: u64,
    /// Some of the faults that were missed.
    pub(super) missed: Vec<String>,
    /// Some of the false alarms.
    pub(super) examples: Vec<String>,
}

#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Row {
    pub(super) faults: u64,
    pub(super) found: u64,
    /// What the faults moved, whichever way.
    pub(super) lost_cents: i64,
    pub(super) caught_cents: i64,
    /// From the first wrong event to the event that decided the finding, sorted.
    pub(super) delays_micros: Vec<i64>,
}

impl Score {
    pub(super) fn of(faults: &[Fault], alarms: &[Alarm]) -> Score {
        let mut by_table: HashMap<&str, Vec<&Alarm>> = HashMap::new();
        for alarm in alarms {
            by_table.entry(&alarm.table).or_default().push(alarm);
        }
        let mut score = Score::default();
        for fault in faults {
            let at_table = by_table.get(fault.table.as_str());
            let told = at_table
                .into_iter()
                .flatten()
                .filter(|alarm| fault.is_told_by(alarm));
            let first = told.min_by(|one, other| one.at.cmp(&other.at));
            let delay = first.map(|alarm| delay_micros(&fault.at, &alarm.at));
            score.all.count(fault, delay);
            score
                .by_kind
                .entry(fault.kind.clone())
                .or_default()
                .count(fault, delay);
            score
                .by_game
                .entry(fault.game.clone())
                .or_default()
                .count(fault, delay);
            if first.is_none() && score.missed.len() < MAX_EXAMPLES {
                score.missed.push(format!(
                    "{} at {}, round {}: expected {}",
                    fault.kind,
                    fault.table,
                    fault.round,
                    fault.codes.join(" or ")
                ));
            }
        }
        score.count_alarms(faults, alarms);
        let rows = score.by_kind.values_mut().chain(score.by_game.values_mut());
        for row in rows.chain([&mut score.all]) {
            row.delays_micros.sort_unstable();
        }
        score
    }

    fn count_alarms(&mut self, faults: &[Fault], alarms: &[Alarm]) {
        let guilty: HashSet<(&str, &str)> = faults
            .iter()
            .map(|fault| (fault.table.as_str(), fault.round.as_str()))
            .collect();
        let wrong: HashSet<(&str, u64)> = faults
            .iter()
            .flat_map(|fault| fault.seqs.iter().map(|seq| (fault.table.as_str(), *seq)))
            .collect();
        for alarm in alarms
            .iter()
            .filter(|alarm| alarm.severity >= Severity::Warn)
        {
            self.alarms += 1;
            let table = alarm.table.as_str();
            let of_guilty_round = alarm
                .round
                .as_deref()
                .is_some_and(|round| guilty.contains(&(table, round)));
            let of_wrong_event = alarm
                .evidence
                .iter()
                .any(|seq| wrong.contains(&(table, *seq)));
            if of_guilty_round || of_wrong_event {
                continue;
            }
            self.false_alarms += 1;
            if self.examples.len() < MAX_EXAMPLES {
                self.examples
                    .push(format!("{} at {table}: {}", alarm.code, alarm.message));
            }
        }
    }
}

impl Fault {
    fn is_told_by(&self, alarm: &Alarm) -> bool {
        self.codes.contains(&alarm.code) && alarm.evidence.iter().any(|seq| self.seqs.contains(seq))
    }
}

impl Row {
    fn count(&mut self, fault: &Fault, delay_micros: Option<i64>) {
        self.faults += 1;
        self.lost_cents += fault.amount.abs();
        if let Some(delay) = delay_micros {
            self.found += 1;
            self.caught_cents += fault.amount.abs();
            self.delays_micros.push(delay);
        }
    }

    pub(super) fn median_delay_micros(&self) -> Option<i64> {
        self.delays_micros
            .get(self.delays_micros.len() / 2)
            .copied()
    }

    pub(super) fn slowest_delay_micros(&self) -> Option<i64> {
        self.delays_micros.last().copied()
    }
}

/// Moments of the floor's own clock. A finding is never before its fault.
fn delay_micros(done: &str, found: &str) -> i64 {
    let moment = |text: &str| {
        text.parse::<catwalk_events::Timestamp>()
            .map(|at| at.micros())
    };
    match (moment(done), moment(found)) {
        (Ok(done), Ok(found)) => (found - done).max(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn fault(table: &str, seq: u64) -> Fault {
        Fault {
            kind: "overpaid".into(),
            table: table.into(),
            game: "roulette".into(),
            round: format!("{table}-1"),
            amount: 500,
            seqs: vec![seq],
            codes: vec!["pay.over".into()],
            at: "2026-11-15T20:00:00.000000Z".into(),
        }
    }

    fn alarm(table: &str, code: &str, seq: u64) -> Alarm {
        Alarm {
            code: code.into(),
            severity: Severity::Critical,
            table: table.into(),
            round: Some(format!("{table}-1")),
            at: "2026-11-15T20:00:02.500000Z".into(),
            message: String::new(),
            evidence: vec![seq],
        }
    }

    #[test]
    fn a_fault_is_found_by_its_code_and_its_event() {
        let faults = [fault("RO-01", 7), fault("RO-02", 7), fault("RO-03", 7)];
        let alarms = [
            alarm("RO-01", "pay.over", 7),
            alarm("RO-02", "pay.under", 7),
            alarm("RO-03", "pay.over", 8),
        ];
        let score = Score::of(&faults, &alarms);
        assert_eq!((score.all.faults, score.all.found), (3, 1));
        assert_eq!((score.all.lost_cents, score.all.caught_cents), (1500, 500));
        assert_eq!(score.all.median_delay_micros(), Some(2_500_000));
        assert_eq!(score.missed.len(), 2);
        assert_eq!(score.false_alarms, 0);
    }

    #[test]
    fn an_alarm_without_a_fault_is_false_unless_it_is_only_a_note() {
        let mut note = alarm("RO-09", "wager.over_max", 3);
        note.severity = Severity::Info;
        let score = Score::of(&[fault("RO-01", 7)], &[alarm("RO-09", "pay.over", 3), note]);
        assert_eq!((score.alarms, score.false_alarms), (1, 1));
    }
}
