//! What a round was worth: one verdict a wager, or the pots of the poker room.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::floor::{Cents, Seat, WagerId};
use crate::round::Wager;

pub use crate::floor::Verdict;

/// The settlement of one wager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Settled {
    pub id: WagerId,
    pub result: Verdict,
    /// What the house pays beyond the stake, before commission.
    pub win: Cents,
    /// The vigorish charged.
    pub commission: Cents,
    /// All that goes back to the player, the stake included.
    pub returned: Cents,
    /// Of an open wager: the places of the document that nobody saw and that decide it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hangs_on: Vec<String>,
    /// Between which amounts `returned` lies, whatever is there.
    #[serde(skip)]
    pub range: Option<Range>,
}

/// The least and the most that can be due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub least: Cents,
    /// `None` where nobody can tell.
    pub most: Option<Cents>,
    /// The most vigorish that may be charged on it: a house that collects it later pays so much more at first.
    pub vigorish: Cents,
}

impl Settled {
    /// Won: the stake, the win less commission.
    pub fn win(wager: &impl Wager, win: Cents, commission: Cents) -> Settled {
        let returned = wager.amount() + win - commission;
        Settled {
            id: wager.id().clone(),
            result: Verdict::Win,
            win,
            commission,
            returned,
            hangs_on: Vec::new(),
            range: None,
        }
    }

    pub fn lose(wager: &impl Wager) -> Settled {
        Settled::nothing_won(wager, Verdict::Lose, Cents::ZERO)
    }

    /// Lost, but a part of the stake goes back: half-losses, surrenders, parts never at risk.
    pub fn lose_part(wager: &impl Wager, returned: Cents) -> Settled {
        Settled::nothing_won(wager, Verdict::Lose, returned)
    }

    pub fn push(wager: &impl Wager) -> Settled {
        Settled::nothing_won(wager, Verdict::Push, wager.amount())
    }

    pub fn void(wager: &impl Wager) -> Settled {
        Settled::nothing_won(wager, Verdict::Void, wager.amount())
    }

    pub fn open(wager: &impl Wager) -> Settled {
        Settled::nothing_won(wager, Verdict::Open, Cents::ZERO)
    }

    /// No win and no commission; what is returned is said in full.
    pub fn nothing_won(wager: &impl Wager, result: Verdict, returned: Cents) -> Settled {
        Settled {
            id: wager.id().clone(),
            result,
            win: Cents::ZERO,
            commission: Cents::ZERO,
            returned,
            hangs_on: Vec::new(),
            range: None,
        }
    }

    /// The same verdict with a charge taken out of what goes back.
    pub fn charged(self, commission: Cents) -> Settled {
        Settled {
            commission,
            returned: self.returned - commission,
            ..self
        }
    }
}

/// A payment outside the odds of any wager, such as an envy bonus or a share of the toke pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bonus {
    pub kind: &'static str,
    pub on: WagerId,
    pub to: String,
    pub amount: Cents,
}

/// The pots of the poker room: stakes + owed = awards + refunds + rake + jackpot drop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pots {
    pub awards: Vec<Award>,
    pub rake: Cents,
    pub jackpot_drop: Cents,
    pub refunds: Vec<Refund>,
    pub bad_beat: Vec<BadBeat>,
    pub time_charges: Vec<TimeCharge>,
    /// Seat that holds the kill button in the next round, 0 for none.
    pub kill_button: u16,
    /// Chips of the pots that a seat bound itself to and did not put in.
    pub owed: Vec<Owed>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Owed {
    pub seat: Seat,
    pub amount: Cents,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Award {
    pub seat: Seat,
    /// 0 is the main pot, 1 the first side pot.
    pub pot: u16,
    pub amount: Cents,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refund {
    pub seat: Seat,
    pub reason: &'static str,
    pub amount: Cents,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BadBeat {
    pub seat: Seat,
    pub role: BeatRole,
    pub amount: Cents,
}

/// Which share of a bad beat jackpot a seat has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BeatRole {
    Loser,
    Winner,
    Table,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TimeCharge {
    pub seat: Seat,
    pub amount: Cents,
}

/// What the round paid: wager by wager, or pot by pot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Paid {
    /// In the order of the document.
    Wagers(Vec<Settled>),
    Pots(Pots),
}

/// Finding codes of a document, sorted, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violations(BTreeSet<&'static str>);

impl Violations {
    pub fn add(&mut self, code: &'static str) {
        self.0.insert(code);
    }

    pub fn add_if(&mut self, broken: bool, code: &'static str) {
        if broken {
            self.add(code);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn contains(&self, code: &str) -> bool {
        self.0.contains(code)
    }

    pub(crate) fn retain(&mut self, is_certain: impl Fn(&str) -> bool) {
        self.0.retain(|code| is_certain(code));
    }

    pub fn iter(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().copied()
    }
}

/// What a game makes of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub paid: Paid,
    pub bonuses: Vec<Bonus>,
    pub violations: Violations,
}

impl Outcome {
    /// The common case: a verdict for each wager, no bonus beside them.
    pub fn of_wagers(wagers: Vec<Settled>, violations: Violations) -> Outcome {
        Outcome {
            paid: Paid::Wagers(wagers),
            bonuses: Vec::new(),
            violations,
        }
    }
}

/// The settlement of a round, as the outside sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    game: Arc<str>,
    rules: Arc<str>,
    outcome: Outcome,
    unseen: Vec<String>,
}

impl Settlement {
    pub(crate) fn new(game: Arc<str>, rules: Arc<str>, outcome: Outcome) -> Settlement {
        Settlement {
            game,
            rules,
            outcome,
            unseen: Vec::new(),
        }
    }

    /// The same, of a document with places that nobody saw.
    pub(crate) fn without_sight_of(self, unseen: Vec<String>) -> Settlement {
        Settlement { unseen, ..self }
    }

    /// The places of the document that nobody saw.
    pub fn unseen(&self) -> &[String] {
        &self.unseen
    }

    pub fn game(&self) -> &str {
        &self.game
    }

    /// Hash of the data file that decided.
    pub fn rules_hash(&self) -> &str {
        &self.rules
    }

    /// The verdicts in the order of the document; empty in the poker room.
    pub fn wagers(&self) -> &[Settled] {
        match &self.outcome.paid {
            Paid::Wagers(wagers) => wagers,
            Paid::Pots(_) => &[],
        }
    }

    pub fn pots(&self) -> Option<&Pots> {
        match &self.outcome.paid {
            Paid::Wagers(_) => None,
            Paid::Pots(pots) => Some(pots),
        }
    }

    pub fn bonuses(&self) -> &[Bonus] {
        &self.outcome.bonuses
    }

    pub fn violations(&self) -> &Violations {
        &self.outcome.violations
    }
}

impl Serialize for Violations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

impl Serialize for Settlement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bonuses = usize::from(!self.outcome.bonuses.is_empty());
        let keys = 2 + bonuses + if self.pots().is_some() { 8 } else { 1 };
        let mut object = serializer.serialize_struct("Settlement", keys)?;
        object.serialize_field("game", &*self.game)?;
        match &self.outcome.paid {
            Paid::Wagers(wagers) => object.serialize_field("wagers", wagers)?,
            Paid::Pots(pots) => {
                object.serialize_field("awards", &pots.awards)?;
                object.serialize_field("rake", &pots.rake)?;
                object.serialize_field("jackpot_drop", &pots.jackpot_drop)?;
                object.serialize_field("refunds", &pots.refunds)?;
                object.serialize_field("bad_beat", &pots.bad_beat)?;
                object.serialize_field("time_charges", &pots.time_charges)?;
                object.serialize_field("kill_button", &pots.kill_button)?;
                object.serialize_field("owed", &pots.owed)?;
            }
        }
        if bonuses > 0 {
            object.serialize_field("bonuses", &self.outcome.bonuses)?;
        }
        object.serialize_field("violations", &self.outcome.violations)?;
        object.end()
    }
}
