//! What was found against what was done: recall, precision, time to detection, dollars.

use std::collections::{BTreeMap, HashMap, HashSet};

use catwalk_events::{Timestamp, audit};
use catwalk_rules::book::Severity;
use serde::{Deserialize, Serialize};

use crate::fault::{Label, moment};

/// So many faults that were missed, and false alarms, are named.
const MAX_EXAMPLES: usize = 20;

/// A finding, as far as it can tell of a fault.
#[derive(Clone, Debug, Deserialize)]
pub struct Alarm {
    pub code: String,
    pub severity: Severity,
    pub property: String,
    pub table: String,
    pub round: Option<String>,
    #[serde(with = "moment")]
    pub at: Timestamp,
    pub message: String,
    pub evidence: Vec<u64>,
}

impl From<&audit::Finding> for Alarm {
    fn from(finding: &audit::Finding) -> Alarm {
        Alarm {
            code: finding.code.clone(),
            severity: finding.severity,
            property: finding.property.clone(),
            table: finding.table.clone(),
            round: finding.round.clone(),
            at: finding.at,
            message: finding.message.clone(),
            evidence: finding.evidence.clone(),
        }
    }
}

impl Label {
    /// Does this finding tell of it? It names one of its codes, and one of its events; of a fault that
    /// lasts, one that came after its first.
    pub fn is_told_by(&self, alarm: &Alarm) -> bool {
        let is_its = |seq: &u64| match (self.strength_per_mille, self.seqs.first()) {
            (Some(_), Some(first)) => seq >= first,
            _ => self.seqs.contains(seq),
        };
        self.table == alarm.table
            && self.property == alarm.property
            && self.codes.contains(&alarm.code)
            && alarm.evidence.iter().any(is_its)
    }
}

#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Faults of which a single one is found for certain.
    pub all: Row,
    /// Faults that only many outcomes tell from chance.
    pub statistical: Row,
    pub by_kind: BTreeMap<String, Row>,
    pub by_game: BTreeMap<String, Row>,
    /// Findings of severity warn or critical.
    pub alarms: u64,
    pub false_alarms: u64,
    /// Some of the faults that were missed.
    pub missed: Vec<String>,
    /// Some of the false alarms, each code of a table once.
    pub examples: Vec<String>,
}

#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Row {
    pub faults: u64,
    pub found: u64,
    /// What the faults moved, whichever way.
    pub lost_cents: i64,
    pub caught_cents: i64,
    /// From the first wrong event to the event that decided the finding, sorted.
    pub delays_micros: Vec<i64>,
}

impl Score {
    pub fn of(labels: &[Label], alarms: &[Alarm]) -> Score {
        let mut by_code: HashMap<(&str, &str), Vec<&Alarm>> = HashMap::new();
        for alarm in alarms {
            let place = (alarm.table.as_str(), alarm.code.as_str());
            by_code.entry(place).or_default().push(alarm);
        }
        let mut score = Score::default();
        // What only a report shows is not asked of findings.
        for label in labels.iter().filter(|label| !label.codes.is_empty()) {
            let codes = label.codes.iter();
            let told = codes
                .filter_map(|code| by_code.get(&(label.table.as_str(), code.as_str())))
                .flatten()
                .filter(|alarm| label.is_told_by(alarm));
            // Moments of the floor's own clock: a finding is never before its fault.
            let delays = told.map(|alarm| (alarm.at.micros() - label.at.micros()).max(0));
            score.count(label, delays.min());
        }
        score.count_alarms(labels, alarms);
        let rows = score.by_kind.values_mut().chain(score.by_game.values_mut());
        for row in rows.chain([&mut score.all, &mut score.statistical]) {
            row.delays_micros.sort_unstable();
        }
        score
    }

    /// Was every fault found that is found for certain, and nothing else?
    pub fn is_perfect(&self) -> bool {
        self.all.found == self.all.faults && self.false_alarms == 0
    }

    fn count(&mut self, label: &Label, delay_micros: Option<i64>) {
        let kind = label.kind.name();
        self.by_kind
            .entry(kind.clone())
            .or_default()
            .count(label, delay_micros);
        if label.kind.is_statistical() {
            return self.statistical.count(label, delay_micros);
        }
        self.all.count(label, delay_micros);
        self.by_game
            .entry(label.game.clone())
            .or_default()
            .count(label, delay_micros);
        if delay_micros.is_none() && self.missed.len() < MAX_EXAMPLES {
            self.missed.push(format!(
                "{kind} at {}, round {}: expected {}",
                label.table,
                label.round,
                label.codes.join(" or ")
            ));
        }
    }

    fn count_alarms(&mut self, labels: &[Label], alarms: &[Alarm]) {
        let guilty: HashSet<(&str, &str)> = labels
            .iter()
            .filter(|label| !label.kind.is_statistical())
            .map(|label| (label.table.as_str(), label.round.as_str()))
            .collect();
        let wrong: HashSet<(&str, u64)> = labels
            .iter()
            .flat_map(|label| label.seqs.iter().map(|seq| (label.table.as_str(), *seq)))
            .collect();
        let lasting: Vec<&Label> = labels
            .iter()
            .filter(|label| label.kind.is_statistical())
            .collect();
        let mut shown = HashSet::new();
        let graver = alarms
            .iter()
            .filter(|alarm| alarm.severity >= Severity::Warn);
        for alarm in graver {
            self.alarms += 1;
            let table = alarm.table.as_str();
            let round = alarm.round.as_deref();
            let of_guilty_round = round.is_some_and(|round| guilty.contains(&(table, round)));
            let mut evidence = alarm.evidence.iter();
            let of_wrong_event = evidence.any(|seq| wrong.contains(&(table, *seq)));
            let of_lasting = || lasting.iter().any(|label| label.is_told_by(alarm));
            // Who errs on purpose errs often.
            let of_dealer = || {
                alarm.code == "statistics.dealer"
                    && labels.iter().any(|label| label.table == alarm.table)
            };
            if of_guilty_round || of_wrong_event || of_lasting() || of_dealer() {
                continue;
            }
            self.false_alarms += 1;
            let is_new = shown.insert((table, alarm.code.as_str()));
            if is_new && self.examples.len() < MAX_EXAMPLES {
                let round = round.map(|round| format!(", round {round}"));
                let round = round.unwrap_or_default();
                self.examples.push(format!(
                    "{} at {table}{round}: {}",
                    alarm.code, alarm.message
                ));
            }
        }
    }
}

impl Row {
    fn count(&mut self, label: &Label, delay_micros: Option<i64>) {
        let moved = label.amount.get().abs();
        self.faults += 1;
        self.lost_cents += moved;
        if let Some(delay) = delay_micros {
            self.found += 1;
            self.caught_cents += moved;
            self.delays_micros.push(delay);
        }
    }

    pub fn median_delay_micros(&self) -> Option<i64> {
        self.delays_micros
            .get(self.delays_micros.len() / 2)
            .copied()
    }

    pub fn slowest_delay_micros(&self) -> Option<i64> {
        self.delays_micros.last().copied()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use catwalk_rules::floor::Cents;

    use super::*;
    use crate::fault::FaultKind;

    fn label(kind: FaultKind, table: &str, seq: u64) -> Label {
        Label {
            kind,
            property: "ebh".into(),
            table: table.into(),
            game: "roulette".into(),
            round: format!("{table}-1"),
            wager: None,
            at: "2026-11-15T20:00:00Z".parse().unwrap(),
            amount: Cents::new(500),
            seqs: vec![seq],
            codes: vec!["pay.over".into()],
            strength_per_mille: None,
        }
    }

    fn alarm(table: &str, code: &str, seq: u64) -> Alarm {
        Alarm {
            code: code.into(),
            severity: Severity::Critical,
            property: "ebh".into(),
            table: table.into(),
            round: Some(format!("{table}-1")),
            at: "2026-11-15T20:00:02.5Z".parse().unwrap(),
            message: String::new(),
            evidence: vec![seq],
        }
    }

    #[test]
    fn a_fault_is_found_by_its_code_and_its_event() {
        let labels = ["RO-01", "RO-02", "RO-03"].map(|table| label(FaultKind::Overpaid, table, 7));
        let alarms = [
            alarm("RO-01", "pay.over", 7),
            alarm("RO-02", "pay.under", 7),
            alarm("RO-03", "pay.over", 8),
        ];
        let score = Score::of(&labels, &alarms);
        assert_eq!((score.all.faults, score.all.found), (3, 1));
        assert_eq!((score.all.lost_cents, score.all.caught_cents), (1500, 500));
        assert_eq!(score.all.median_delay_micros(), Some(2_500_000));
        assert_eq!(score.missed.len(), 2);
        assert_eq!(score.false_alarms, 0);
        assert!(!score.is_perfect());
    }

    #[test]
    fn an_alarm_without_a_fault_is_false_unless_it_is_only_a_note() {
        let mut note = alarm("RO-09", "wager.over_max", 3);
        note.severity = Severity::Info;
        let labels = [label(FaultKind::Overpaid, "RO-01", 7)];
        let score = Score::of(&labels, &[alarm("RO-09", "pay.over", 3), note]);
        assert_eq!((score.alarms, score.false_alarms), (1, 1));
    }

    #[test]
    fn a_fault_that_lasts_is_found_by_any_later_event_and_counted_apart() {
        let mut biased = label(FaultKind::BiasedWheel, "RO-01", 7);
        biased.strength_per_mille = Some(50);
        biased.codes = vec!["statistics.wheel".into()];
        let of_later_round = |seq| Alarm {
            round: Some("RO-01-900".into()),
            ..alarm("RO-01", "statistics.wheel", seq)
        };
        let score = Score::of(&[biased.clone()], &[of_later_round(9_000)]);
        assert_eq!((score.statistical.faults, score.statistical.found), (1, 1));
        assert_eq!((score.all.faults, score.false_alarms), (0, 0));
        let score = Score::of(&[biased], &[of_later_round(6)]);
        assert_eq!((score.statistical.found, score.false_alarms), (0, 1));
    }

    #[test]
    fn a_label_reads_as_it_is_written() {
        let mut label = label(FaultKind::LoadedDice, "CR-01", 7);
        label.strength_per_mille = Some(50);
        let text = serde_json::to_string(&label).unwrap();
        assert!(text.contains(r#""kind":"loaded_dice""#), "{text}");
        assert!(text.contains("2026-11-15T20:00:00.000000Z"), "{text}");
        assert_eq!(serde_json::from_str::<Label>(&text).unwrap(), label);
    }
}
