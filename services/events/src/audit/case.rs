//! Cases: what investigators open, fill, hold and close, one act after the other, none of them ever edited.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// What somebody did about a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseAct {
    /// Its own: one that was sent twice counts once.
    pub id: String,
    /// The number of the case; of an erasure that none called for, nothing.
    pub case: Option<String>,
    pub action: CaseAction,
    pub at: Timestamp,
    /// Who did it.
    pub operator: String,
    pub role: Option<String>,
    pub station: Option<String>,
    /// By what right: a subpoena, an order, a section of the law.
    pub authority: Option<String>,
    pub rounds: Vec<String>,
    pub findings: Vec<String>,
    pub patrons: Vec<String>,
    pub note: Option<String>,
    /// Of an erasure: the leaves whose rows are gone, as [`Leaves`] writes them.
    pub leaves: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseAction {
    Open,
    Add,
    /// Nothing that the case names goes away until it is released.
    Hold,
    Release,
    Close,
    /// Evidence was handed out.
    Evidence,
    /// Rows were erased.
    Erase,
}

impl CaseAction {
    pub const fn name(self) -> &'static str {
        match self {
            CaseAction::Open => "open",
            CaseAction::Add => "add",
            CaseAction::Hold => "hold",
            CaseAction::Release => "release",
            CaseAction::Close => "close",
            CaseAction::Evidence => "evidence",
            CaseAction::Erase => "erase",
        }
    }
}

/// A case as its acts have made it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    pub opened: Option<(Timestamp, String)>,
    pub closed: bool,
    /// Since when and by what right it is held.
    pub held: Option<(Timestamp, Option<String>)>,
    pub rounds: BTreeSet<String>,
    pub findings: BTreeSet<String>,
    pub patrons: BTreeSet<String>,
    /// All that was done, in the order of arrival.
    pub acts: Vec<CaseAct>,
}

/// All cases: a fold of the acts in the order in which they lie on the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cases {
    cases: BTreeMap<String, Case>,
    known: BTreeSet<String>,
}

/// Why an act about a case cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAct {
    #[error("case {0} is open already: `catwalk case add` adds to it")]
    IsOpen(String),
    #[error("there is no case {0}: `catwalk case open` opens one")]
    Unknown(String),
    #[error("case {0} is closed: open it again first")]
    Closed(String),
    #[error("case {0} is held already")]
    IsHeld(String),
    #[error("case {0} is not held")]
    NotHeld(String),
    #[error("case {0} is held: release it first, or what it names could go away unseen")]
    HeldYet(String),
    #[error("case {0} names nothing yet that could be held: add rounds, findings or patrons")]
    Empty(String),
    #[error("an act without a case")]
    NoCase,
    #[error("a hold, a release and an erasure each need the authority by which they are done")]
    NoAuthority,
}

impl Cases {
    /// May this be done now?
    pub fn may(&self, act: &CaseAct) -> Result<(), NoAct> {
        use CaseAction::{Add, Close, Erase, Evidence, Hold, Open, Release};
        if matches!(act.action, Hold | Release | Erase) && act.authority.is_none() {
            return Err(NoAct::NoAuthority);
        }
        let name = match &act.case {
            Some(name) => name.clone(),
            None if matches!(act.action, Erase | Evidence) => return Ok(()),
            None => return Err(NoAct::NoCase),
        };
        let known = self.cases.get(&name);
        if act.action == Open {
            return match known.is_none_or(|case| case.closed) {
                true => Ok(()),
                false => Err(NoAct::IsOpen(name)),
            };
        }
        let case = known.ok_or_else(|| NoAct::Unknown(name.clone()))?;
        match act.action {
            _ if case.closed => Err(NoAct::Closed(name)),
            Hold if case.held.is_some() => Err(NoAct::IsHeld(name)),
            Hold if case.names_nothing() => Err(NoAct::Empty(name)),
            Release if case.held.is_none() => Err(NoAct::NotHeld(name)),
            Close if case.held.is_some() => Err(NoAct::HeldYet(name)),
            Open | Add | Hold | Release | Close | Evidence | Erase => Ok(()),
        }
    }

    /// Takes the next act of the log. One that was sent twice or that could not be done changes nothing.
    pub fn take(&mut self, act: CaseAct) -> Result<(), NoAct> {
        if self.known.contains(&act.id) {
            return Ok(());
        }
        self.may(&act)?;
        self.known.insert(act.id.clone());
        let Some(name) = act.case.clone() else {
            return Ok(());
        };
        let case = self.cases.entry(name).or_default();
        match act.action {
            CaseAction::Open => {
                case.closed = false;
                case.opened = Some((act.at, act.operator.clone()));
            }
            CaseAction::Hold => case.held = Some((act.at, act.authority.clone())),
            CaseAction::Release => case.held = None,
            CaseAction::Close => case.closed = true,
            CaseAction::Add | CaseAction::Evidence | CaseAction::Erase => {}
        }
        case.rounds.extend(act.rounds.iter().cloned());
        case.findings.extend(act.findings.iter().cloned());
        case.patrons.extend(act.patrons.iter().cloned());
        case.acts.push(act);
        Ok(())
    }

    /// Whether an act of this id was taken.
    pub fn knows(&self, id: &str) -> bool {
        self.known.contains(id)
    }

    pub fn named(&self, name: &str) -> Option<&Case> {
        self.cases.get(name)
    }

    /// By their numbers.
    pub fn all(&self) -> impl Iterator<Item = (&str, &Case)> {
        self.cases.iter().map(|(name, case)| (name.as_str(), case))
    }

    /// Those that are held.
    pub fn held(&self) -> impl Iterator<Item = (&str, &Case)> {
        self.all().filter(|(_, case)| case.held.is_some())
    }
}

impl Case {
    fn names_nothing(&self) -> bool {
        self.rounds.is_empty() && self.findings.is_empty() && self.patrons.is_empty()
    }
}

/// Leaves of trees as an act of erasure has them: `0:5-7,9;2:1` are leaves 5, 6, 7 and 9 of tree 0 and leaf 1 of tree
/// 2.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leaves(pub BTreeSet<(u32, u64)>);

impl Leaves {
    /// `None` for what is not written so.
    pub fn read(text: &str) -> Option<Leaves> {
        let mut leaves = Leaves::default();
        for tree in text.split(';').filter(|tree| !tree.is_empty()) {
            let (lane, runs) = tree.split_once(':')?;
            let lane = lane.parse().ok()?;
            for run in runs.split(',') {
                let (first, last) = run.split_once('-').unwrap_or((run, run));
                let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
                // Nobody erases so many; a damaged act must not fill the memory.
                if last < first || last - first > MOST_ERASED {
                    return None;
                }
                leaves.0.extend((first..=last).map(|leaf| (lane, leaf)));
            }
        }
        Some(leaves)
    }
}

/// Rows that one run of an erasure may name.
const MOST_ERASED: u64 = 10_000_000;

impl std::fmt::Display for Leaves {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut leaves = self.0.iter().peekable();
        let mut before: Option<u32> = None;
        while let Some(&(lane, first)) = leaves.next() {
            let mut last = first;
            while let Some((_, next)) =
                leaves.next_if(|(of, leaf)| *of == lane && *leaf == last + 1)
            {
                last = *next;
            }
            match before {
                Some(before) if before == lane => write!(f, ",")?,
                Some(_) => write!(f, ";{lane}:")?,
                None => write!(f, "{lane}:")?,
            }
            before = Some(lane);
            match first == last {
                true => write!(f, "{first}")?,
                false => write!(f, "{first}-{last}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn act(id: &str, action: CaseAction) -> CaseAct {
        CaseAct {
            id: id.to_owned(),
            case: Some("26-114".to_owned()),
            action,
            at: Timestamp::from_micros(0),
            operator: "i-7".to_owned(),
            role: None,
            station: None,
            authority: Some("subpoena 26-0031".to_owned()),
            rounds: Vec::new(),
            findings: Vec::new(),
            patrons: Vec::new(),
            note: None,
            leaves: None,
        }
    }

    #[test]
    fn a_case_is_opened_filled_held_released_and_closed_in_this_order_only() {
        use CaseAction::{Add, Close, Hold, Open, Release};
        let mut cases = Cases::default();
        let case = || "26-114".to_owned();
        assert_eq!(cases.take(act("0", Add)), Err(NoAct::Unknown(case())));
        assert_eq!(cases.take(act("1", Open)), Ok(()));
        assert_eq!(cases.take(act("2", Open)), Err(NoAct::IsOpen(case())));
        assert_eq!(cases.take(act("3", Hold)), Err(NoAct::Empty(case())));
        let mut add = act("4", Add);
        add.rounds.push("BJ-07-1".to_owned());
        assert_eq!(cases.take(add.clone()), Ok(()));
        let nobody = CaseAct {
            authority: None,
            ..act("5", Hold)
        };
        assert_eq!(cases.take(nobody), Err(NoAct::NoAuthority));
        assert_eq!(cases.take(act("5", Hold)), Ok(()));
        assert_eq!(cases.held().count(), 1);
        assert_eq!(cases.take(act("6", Close)), Err(NoAct::HeldYet(case())));
        assert_eq!(cases.take(act("7", Release)), Ok(()));
        assert_eq!(cases.take(act("8", Release)), Err(NoAct::NotHeld(case())));
        assert_eq!(cases.held().count(), 0);
        assert_eq!(cases.take(act("9", Close)), Ok(()));
        assert_eq!(cases.take(act("10", Add)), Err(NoAct::Closed(case())));
        // Sent twice is done once; what could not be done may be sent again.
        assert!(cases.knows("4") && !cases.knows("3"));
        assert_eq!(cases.take(add), Ok(()));
        let told = cases.named("26-114").unwrap();
        assert!(told.closed && told.acts.len() == 5 && told.rounds.contains("BJ-07-1"));
        // A closed case is opened again, and keeps what it had.
        assert_eq!(cases.take(act("11", Open)), Ok(()));
        assert_eq!(cases.take(act("12", Hold)), Ok(()));
    }

    #[test]
    fn erased_leaves_are_read_as_they_were_written() {
        let leaves = [(0, 5), (0, 6), (0, 7), (0, 9), (2, 1)];
        let leaves = Leaves(leaves.into_iter().collect());
        assert_eq!(leaves.to_string(), "0:5-7,9;2:1");
        assert_eq!(Leaves::read("0:5-7,9;2:1"), Some(leaves));
        assert_eq!(Leaves::read(""), Some(Leaves::default()));
        for bad in ["0", "0:", "x:1", "0:7-5", "0:1-99999999999", "0:1,,2"] {
            assert_eq!(Leaves::read(bad), None, "{bad}");
        }
    }
}
