//! Settlements of the same rounds held against each other.

use std::collections::BTreeMap;
use std::io::{self, Write};

use catwalk_events::audit;
use catwalk_rules::floor::Cents;

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
}

impl Tally {
    pub(super) fn compare(
        &mut self,
        mut was: BTreeMap<String, Judged>,
        is: BTreeMap<String, Judged>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        for (round, is) in is {
            let Some(was) = was.remove(&round) else {
                self.new += 1;
                writeln!(out, "{round}: is not in the archive")?;
                continue;
            };
            if let Some(why) = is.refused.as_ref().filter(|_| was.is_judged()) {
                self.refused += 1;
                self.changed += 1;
                writeln!(out, "{round}: was judged, cannot be judged now: {why}")?;
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
                writeln!(out, "{round}: {change}")?;
            }
        }
        for round in was.keys() {
            self.missing += 1;
            writeln!(
                out,
                "{round}: is in the archive, but its events do not give it"
            )?;
        }
        Ok(())
    }

    pub(super) fn changes(&self) -> u64 {
        self.changed + self.missing + self.new
    }

    /// How many rounds there were, of whatever kind.
    pub(super) fn rounds(&self) -> u64 {
        self.same + self.changes()
    }

    pub(super) fn sum(&self, tables: usize, out: &mut impl Write) -> io::Result<()> {
        let rounds = self.same + self.changed + self.new;
        writeln!(
            out,
            "{rounds} rounds of {tables} tables settled again: {} the same, {} changed, {} not in the \
             archive; {} only in the archive",
            self.same, self.changed, self.new, self.missing
        )?;
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
