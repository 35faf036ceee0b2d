//! Settlements of the same rounds, and findings of the same events, held against each other.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use catwalk_events::audit;
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;
use serde::Deserialize;

/// Told of many tables together, or by whoever keeps the log or a deadline: no single table gives these again. What a
/// registration closes is told as these are.
const OF_MANY: [&str; 6] = [
    "device.elsewhere",
    "device.unregistered",
    "duty.missed",
    "feed.too_many_tables",
    "floor.unregistered",
    "round.oversized",
];

/// Takes what differs: the table of the archive that it lies in, and a sentence.
pub(super) type Tell<'a> = dyn FnMut(&'static str, String) -> io::Result<()> + Send + 'a;

/// What a settlement says, as far as it is compared.
pub(super) struct Judged {
    pub(super) state: &'static str,
    pub(super) rules: Option<String>,
    pub(super) violations: Vec<String>,
    pub(super) wagers: Vec<JudgedWager>,
    /// Why the rules say nothing of it; `None` too where nobody knows.
    pub(super) refused: Option<String>,
}

#[derive(PartialEq, Eq)]
pub(super) struct JudgedWager {
    pub(super) wager: String,
    pub(super) kind: String,
    pub(super) result: Option<String>,
    pub(super) returned: Option<Cents>,
    pub(super) difference: Option<Cents>,
}

/// A finding, as far as it is compared; by its id, which the same events give again.
#[derive(Deserialize)]
pub(super) struct Found {
    id: String,
    code: String,
    severity: Severity,
    round: Option<String>,
    wager: Option<String>,
    due_cents: Option<i64>,
    paid_cents: Option<i64>,
    exposure_cents: i64,
    message: String,
    resolves: Option<String>,
}

impl From<audit::Finding> for Found {
    fn from(finding: audit::Finding) -> Found {
        Found {
            id: finding.id,
            code: finding.code,
            severity: finding.severity,
            round: finding.round,
            wager: finding.wager,
            due_cents: finding.due.map(Cents::get),
            paid_cents: finding.paid.map(Cents::get),
            exposure_cents: finding.exposure.get(),
            message: finding.message,
            resolves: finding.resolves,
        }
    }
}

impl Found {
    fn told(&self) -> String {
        format!("finding {}, {}: {}", self.id, self.code, self.message)
    }

    /// What this says differently from one with its id. Another version may have other words for the same: its message
    /// is held by its leaf alone.
    fn changes(&self, now: &Found) -> Vec<String> {
        let money = |cents| Cents::new(cents).to_string();
        let cents = |amount: Option<i64>| amount.map_or("none".to_owned(), money);
        let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".to_owned());
        let parts = |found: &Found| {
            [
                ("code", found.code.clone()),
                ("severity", format!("{:?}", found.severity).to_lowercase()),
                ("round", text(&found.round)),
                ("wager", text(&found.wager)),
                ("amount due", cents(found.due_cents)),
                ("amount paid", cents(found.paid_cents)),
                ("exposure", money(found.exposure_cents)),
                ("resolved finding", text(&found.resolves)),
            ]
        };
        let pairs = parts(self).into_iter().zip(parts(now));
        let changed = pairs.filter(|(was, is)| was != is);
        changed
            .map(|((name, was), (_, is))| format!("its {name} was {was}, is {is}"))
            .collect()
    }
}

/// What the events give, held against what the archive has, finding by finding.
#[derive(Default)]
pub(super) struct Findings {
    given: BTreeMap<String, Found>,
    /// In the archive, and not given: kept until all are known.
    strange: Vec<Found>,
    of_many: BTreeSet<String>,
    same: u64,
    changes: u64,
}

impl Findings {
    pub(super) fn give(&mut self, finding: audit::Finding) {
        self.given.insert(finding.id.clone(), finding.into());
    }

    /// Takes a finding of the archive.
    pub(super) fn compare(&mut self, was: Found, tell: &mut Tell<'_>) -> io::Result<()> {
        if OF_MANY.contains(&&*was.code) {
            self.of_many.insert(was.id);
            return Ok(());
        }
        let Some(is) = self.given.remove(&was.id) else {
            self.strange.push(was);
            return Ok(());
        };
        let changes = was.changes(&is);
        match changes.is_empty() {
            true => self.same += 1,
            false => self.changes += 1,
        }
        for change in changes {
            tell("findings", format!("{}: {change}", was.told()))?;
        }
        Ok(())
    }

    /// All of the archive were taken.
    pub(super) fn finish(&mut self, tell: &mut Tell<'_>) -> io::Result<()> {
        for found in self.given.values() {
            self.changes += 1;
            tell(
                "findings",
                format!("{}: is not in the archive", found.told()),
            )?;
        }
        for found in std::mem::take(&mut self.strange) {
            let closes = found.resolves.as_ref();
            if closes.is_some_and(|closed| self.of_many.contains(closed)) {
                continue;
            }
            self.changes += 1;
            let told = "is in the archive, but its events do not give it, or it is there twice";
            tell("findings", format!("{}: {told}", found.told()))?;
        }
        Ok(())
    }
}

impl From<audit::Settlement> for Judged {
    fn from(round: audit::Settlement) -> Judged {
        let word = |verdict| {
            let word = serde_json::to_value(verdict).ok()?;
            Some(word.as_str()?.to_owned())
        };
        let wagers = round.wagers.into_iter().map(|wager| JudgedWager {
            result: wager.result.and_then(word),
            wager: wager.id,
            kind: wager.kind,
            returned: wager.returned,
            difference: wager.difference,
        });
        Judged {
            state: state(round.complete, round.voided),
            rules: round.rules,
            violations: round.violations,
            wagers: wagers.collect(),
            refused: None,
        }
    }
}

pub(super) fn state(complete: bool, voided: bool) -> &'static str {
    match (complete, voided) {
        (_, true) => "void",
        (false, false) => "incomplete",
        (true, false) => "complete",
    }
}

/// What came out.
#[derive(Default)]
pub(super) struct Tally {
    tables: usize,
    same: u64,
    changed: u64,
    missing: u64,
    new: u64,
    other_rules: u64,
    /// Rounds of which the rules say nothing that were judged before.
    refused: u64,
    /// Of the rounds that are judged before and now.
    due_before: Cents,
    due_now: Cents,
    /// Where all of the archive is settled again by the same rules.
    pub(super) findings: Option<Findings>,
}

impl Tally {
    pub(super) fn of(tables: usize, findings: Option<Findings>) -> Tally {
        Tally {
            tables,
            findings,
            ..Tally::default()
        }
    }

    pub(super) fn compare(
        &mut self,
        mut was: BTreeMap<String, Judged>,
        is: BTreeMap<String, Judged>,
        tell: &mut Tell<'_>,
    ) -> io::Result<()> {
        for (round, is) in is {
            let Some(was) = was.remove(&round) else {
                self.new += 1;
                tell("rounds", format!("{round}: is not in the archive"))?;
                continue;
            };
            if let Some(why) = is.refused.as_ref().filter(|_| was.is_judged()) {
                self.refused += 1;
                self.changed += 1;
                tell(
                    "rounds",
                    format!("{round}: was judged, cannot be judged now: {why}"),
                )?;
                continue;
            }
            self.due_before += was.due();
            self.due_now += is.due();
            self.other_rules += u64::from(was.rules != is.rules);
            let changes = was.changes(&is);
            match changes.is_empty() {
                true => self.same += 1,
                false => self.changed += 1,
            }
            for change in changes {
                tell("rounds", format!("{round}: {change}"))?;
            }
        }
        for round in was.keys() {
            self.missing += 1;
            tell(
                "rounds",
                format!("{round}: is in the archive, but its events do not give it"),
            )?;
        }
        Ok(())
    }

    pub(super) fn changes(&self) -> u64 {
        self.changed_rounds()
            + self
                .findings
                .as_ref()
                .map_or(0, |findings| findings.changes)
    }

    fn changed_rounds(&self) -> u64 {
        self.changed + self.missing + self.new
    }

    /// How many rounds there were, of whatever kind.
    pub(super) fn rounds(&self) -> u64 {
        self.same + self.changed_rounds()
    }

    pub(super) fn sum(&self, out: &mut impl Write) -> io::Result<()> {
        let rounds = self.same + self.changed + self.new;
        writeln!(
            out,
            "{rounds} rounds of {} tables settled again: {} the same, {} changed, {} not in the \
             archive; {} only in the archive",
            self.tables, self.same, self.changed, self.new, self.missing
        )?;
        if let Some(findings) = &self.findings {
            writeln!(
                out,
                "{} findings given again the same, {} not",
                findings.same, findings.changes
            )?;
        }
        if self.other_rules > 0 {
            writeln!(
                out,
                "{} rounds were judged by other rules: due back {} before, {} now",
                self.other_rules, self.due_before, self.due_now
            )?;
        }
        if self.refused > 0 {
            writeln!(
                out,
                "{} rounds cannot be judged by these rules, and are in no sum",
                self.refused
            )?;
        }
        Ok(())
    }
}

impl Judged {
    /// Does it say what became of any wager?
    fn is_judged(&self) -> bool {
        self.wagers.iter().any(|wager| wager.result.is_some())
    }

    fn due(&self) -> Cents {
        self.wagers.iter().filter_map(|wager| wager.returned).sum()
    }

    /// What another judgment says differently, a sentence each.
    fn changes(&self, now: &Judged) -> Vec<String> {
        let mut changes = Vec::new();
        if self.state != now.state {
            changes.push(format!("was {}, is {}", self.state, now.state));
        }
        if self.violations != now.violations {
            let list = |codes: &[String]| match codes {
                [] => "none".to_owned(),
                codes => codes.join(", "),
            };
            let (was, is) = (list(&self.violations), list(&now.violations));
            changes.push(format!("violations were {was}, are {is}"));
        }
        for was in &self.wagers {
            match now.wagers.iter().find(|wager| wager.wager == was.wager) {
                Some(is) if is == was => {}
                Some(is) => changes.push(format!(
                    "{} on {} was {}, is {}",
                    was.wager,
                    was.kind,
                    was.told(),
                    is.told()
                )),
                None => changes.push(format!("{} on {} is gone", was.wager, was.kind)),
            }
        }
        for is in &now.wagers {
            if !self.wagers.iter().any(|wager| wager.wager == is.wager) {
                changes.push(format!("{} on {} is new", is.wager, is.kind));
            }
        }
        changes
    }
}

impl JudgedWager {
    fn told(&self) -> String {
        let Some(result) = &self.result else {
            return "not judged".to_owned();
        };
        let due = self.returned.unwrap_or_default();
        match self.difference.unwrap_or_default() {
            Cents::ZERO => format!("{result}, {due} due back"),
            less if less.is_negative() => {
                format!("{result}, {due} due back, {} too little given", -less)
            }
            more => format!("{result}, {due} due back, {more} too much given"),
        }
    }
}
