//! All duties that there are: what calls for one, what meets it, and which are missed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use catwalk_events::Timestamp;
use catwalk_events::audit::Finding;

use super::{DAY_MICROS, Duties, Duty, Receipt, Rule, Told};
use crate::act::{Act, Deed, Disposal, Verdict};
use crate::desk::name;
use crate::file::{self, Piece, StateError};
use crate::journal::{Entry, Journal};

/// So many duties are kept, the oldest are forgotten first; and so many reports that no duty has called for yet.
const MAX_DUTIES: usize = 10_000;
const MAX_REPORTS: usize = 1_000;

const DUTY: &str = "duty ";
const REPORTS: &str = "reports";

/// All duties that are kept, and what is needed to go on.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    duties: BTreeMap<String, Duty>,
    reports: VecDeque<Told>,
    changed: BTreeSet<String>,
    gone: BTreeSet<String>,
    has_new_reports: bool,
}

impl Watch {
    pub(crate) fn duties(&self) -> impl Iterator<Item = &Duty> {
        self.duties.values()
    }

    pub(crate) fn duty(&self, id: &str) -> Option<&Duty> {
        self.duties.get(id)
    }

    pub(crate) fn is_changed(&self) -> bool {
        !self.changed.is_empty() || !self.gone.is_empty() || self.has_new_reports
    }

    /// Which duties have changed since they were last written down.
    pub(crate) fn changed(&self) -> impl Iterator<Item = &String> {
        self.changed.iter().chain(&self.gone)
    }

    /// A finding of the log, heard then, and the incident that it went to. Gives whether somebody must be told.
    pub(crate) fn hear(
        &mut self,
        finding: &Finding,
        heard: Timestamp,
        incident: Option<&str>,
        duties: &Duties,
        journal: &Journal,
    ) -> bool {
        if let Some(explained) = &finding.resolves {
            self.explain(explained);
            return false;
        }
        let mut is_duty = false;
        for rule in duties.all.iter().filter(|rule| rule.is_of(finding)) {
            is_duty = true;
            // What one incident calls for is told once.
            let id = name("duty", &[&rule.name, incident.unwrap_or(&finding.id)]);
            if let Some(known) = self.duties.get_mut(&id) {
                if known.receipt.is_none() && known.standing.insert(finding.id.clone()) {
                    // What was explained is joined by something that is not.
                    if std::mem::take(&mut known.lapsed) {
                        (known.since, known.due_by) = (heard, duties.due_by(rule, heard));
                    }
                    known.evidence.extend(&finding.evidence);
                    remember(&mut known.codes, &finding.code);
                    self.changed.insert(id);
                }
                continue;
            }
            let duty = Duty {
                round: finding.round.clone(),
                dealer: finding.dealer.clone(),
                incident: incident.map(str::to_owned),
                codes: vec![finding.code.clone()],
                standing: BTreeSet::from([finding.id.clone()]),
                evidence: finding.evidence.clone(),
                happened: finding.at,
                due_by: duties.due_by(rule, heard),
                ..Duty::of(
                    rule,
                    id,
                    &finding.property,
                    &finding.table,
                    heard,
                    finding.message.clone(),
                )
            };
            self.open(duty, rule, journal);
        }
        is_duty
    }

    /// What called for a duty was explained by later events.
    fn explain(&mut self, finding: &str) {
        for duty in self.duties.values_mut().filter(|duty| duty.is_open()) {
            if duty.standing.remove(finding) {
                duty.lapsed = duty.standing.is_empty();
                self.changed.insert(duty.id.clone());
            }
        }
    }

    /// Opens a duty, which may have been done before the desk knew of it.
    fn open(&mut self, mut duty: Duty, rule: &Rule, journal: &Journal) {
        let met = self.reports.iter().find(|told| duty.is_met_by(told, rule));
        duty.receipt = met.map(receipt_of).or_else(|| {
            let mut entries = journal.entries().rev();
            entries.find_map(|entry| duty.is_met_by_entry(entry, rule).then(|| of_entry(entry)))
        });
        self.gone.remove(&duty.id);
        self.changed.insert(duty.id.clone());
        self.duties.insert(duty.id.clone(), duty);
        while self.duties.len() > MAX_DUTIES {
            let oldest = self
                .duties
                .values()
                .min_by_key(|duty| (duty.is_open(), duty.since));
            let Some(oldest) = oldest.map(|duty| duty.id.clone()) else {
                return;
            };
            self.duties.remove(&oldest);
            self.changed.remove(&oldest);
            self.gone.insert(oldest);
        }
    }

    /// An event of the floor. One that was taken before changes nothing.
    pub(crate) fn take(&mut self, told: &Told, duties: &Duties, journal: &Journal) {
        for rule in duties
            .all
            .iter()
            .filter(|rule| rule.events.contains(&told.kind))
        {
            // A fund is counted each day, however often something was put in.
            let day = (told.at.micros() / DAY_MICROS).to_string();
            let id = match rule.when.as_str() {
                "day" => name("duty", &[&rule.name, &told.property, &day]),
                _ => name("duty", &[&rule.name, &told.id]),
            };
            if self.duties.contains_key(&id) {
                continue;
            }
            let what = format!("{} (event {} of {})", rule.what, told.seq, told.table);
            let duty = Duty {
                evidence: vec![told.seq],
                happened: told.at,
                due_by: duties.due_by(rule, told.heard),
                ..Duty::of(rule, id, &told.property, &told.table, told.heard, what)
            };
            self.open(duty, rule, journal);
        }
        if self.reports.iter().any(|known| known.id == told.id) {
            return;
        }
        let is_report = told.about.is_some()
            || duties
                .all
                .iter()
                .any(|rule| rule.receipts.contains(&told.kind));
        if !is_report {
            return;
        }
        self.reports.push_back(told.clone());
        if self.reports.len() > MAX_REPORTS {
            self.reports.pop_front();
        }
        self.has_new_reports = true;
        self.meet(|duty| {
            let rule = duties.rule(&duty.rule)?;
            duty.is_met_by(told, rule).then(|| receipt_of(told))
        });
    }

    /// An entry of the room's log.
    pub(crate) fn take_entry(&mut self, entry: &Entry, duties: &Duties) {
        self.meet(|duty| {
            let rule = duties.rule(&duty.rule)?;
            duty.is_met_by_entry(entry, rule).then(|| of_entry(entry))
        });
    }

    /// An act on an incident that counted.
    pub(crate) fn take_act(&mut self, act: &Act) {
        match &act.deed {
            Deed::Dispose(how) => self.meet(|duty| {
                let is_its = duty.incident.as_ref() == Some(&act.incident);
                is_its.then(|| told_in(how, duty, act)).flatten()
            }),
            // Whether it is still disposed of, or again, whoever knows the incident says next.
            Deed::Undo { .. } => {
                for duty in self.duties.values_mut() {
                    let is_its = duty.incident.as_ref() == Some(&act.incident);
                    let receipt = duty.receipt.as_ref().filter(|_| is_its);
                    if receipt.is_some_and(|receipt| receipt.act.is_some()) {
                        duty.receipt = None;
                        self.changed.insert(duty.id.clone());
                    }
                }
            }
            _ => {}
        }
    }

    fn meet(&mut self, met: impl Fn(&Duty) -> Option<Receipt>) {
        for duty in self.duties.values_mut().filter(|duty| duty.is_open()) {
            if let Some(receipt) = met(duty)
                && duty.take(receipt)
            {
                self.changed.insert(duty.id.clone());
            }
        }
    }

    /// The findings that the time `now` calls for: whoever runs the desk appends them in the same commit.
    pub(crate) fn missed(&mut self, now: Timestamp, duties: &Duties, most: usize) -> Vec<Finding> {
        let mut found = Vec::new();
        for duty in self.duties.values_mut() {
            let by = duty.receipt.as_ref().map_or(now, |receipt| receipt.at);
            if found.len() >= most || duty.missed || duty.lapsed || by <= duty.due_by {
                continue;
            }
            // A rule that the house has taken out of its file since asks for nothing.
            let Some(rule) = duties.rule(&duty.rule) else {
                continue;
            };
            duty.missed = true;
            found.push(duty.missed(rule, duties.immediately_minutes));
            self.changed.insert(duty.id.clone());
        }
        found
    }

    /// What has changed since it was last asked for.
    pub(crate) fn write_changed(&mut self) -> Result<Vec<Piece>, StateError> {
        let mut pieces = Vec::new();
        for id in std::mem::take(&mut self.gone) {
            pieces.push((format!("{DUTY}{id}"), None));
        }
        for id in std::mem::take(&mut self.changed) {
            if let Some(duty) = self.duties.get(&id) {
                pieces.push((format!("{DUTY}{id}"), Some(file::write(duty)?)));
            }
        }
        if std::mem::take(&mut self.has_new_reports) {
            pieces.push((REPORTS.to_owned(), Some(file::write(&self.reports)?)));
        }
        Ok(pieces)
    }

    /// Takes back a piece that was written down.
    pub(crate) fn restore(&mut self, key: &str, value: &[u8]) -> Result<(), StateError> {
        if key.starts_with(DUTY) {
            let duty: Duty = file::read(value)?;
            self.duties.insert(duty.id.clone(), duty);
        } else if key == REPORTS {
            self.reports = file::read(value)?;
        }
        Ok(())
    }
}

fn remember(known: &mut Vec<String>, one: &str) {
    if !known.iter().any(|known| known == one) {
        known.push(one.to_owned());
    }
}

fn receipt_of(told: &Told) -> Receipt {
    let how = match &told.receipt {
        Some(number) => format!("receipt {number}, event {} of {}", told.seq, told.table),
        None => format!("event {} of {}", told.seq, told.table),
    };
    Receipt {
        at: told.heard,
        by: told.by.clone().unwrap_or_else(|| told.table.clone()),
        how,
        act: None,
    }
}

fn of_entry(entry: &Entry) -> Receipt {
    Receipt {
        at: entry.at,
        by: entry.by.id.clone(),
        how: format!("entry {} of the room's log", entry.said.number),
        act: None,
    }
}

/// What a disposal says of whom was told.
fn told_in(how: &Disposal, duty: &Duty, act: &Act) -> Option<Receipt> {
    let is_meant = |whom: &str| {
        let whom = whom.to_lowercase();
        whom.contains(&duty.to) || (duty.to == "bureau" && whom.contains("ieb"))
    };
    let receipt = |at, how| Receipt {
        at,
        by: act.by.id.clone(),
        how,
        act: Some(act.id.clone()),
    };
    // Nobody was told of it before it happened.
    let happened = duty.happened.min(duty.since);
    let mut notified = how.notified.iter().filter(|one| one.at >= happened);
    match notified.find(|one| is_meant(&one.whom)) {
        // Nobody was told later than it was written down.
        Some(one) => Some(receipt(
            one.at.min(act.at),
            format!("{}, {}", one.whom, one.how),
        )),
        None if how.verdict == Verdict::ReferredIeb && duty.to == "bureau" => {
            Some(receipt(act.at, "referred to the Bureau".to_owned()))
        }
        None => None,
    }
}
