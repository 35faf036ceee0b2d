//! Figures that a text sets as a minimum: "no less than", "at least".

use serde::{Deserialize, Serialize};

use crate::Edition;
use crate::floor::Cents;

/// In which editions the odds of a pay table are the least that may be paid: `true` for all that have the table, or a
/// list of them. Left out, the table is as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Minimum {
    All(bool),
    In(Vec<Edition>),
}

impl Default for Minimum {
    fn default() -> Minimum {
        Minimum::All(false)
    }
}

impl Minimum {
    pub fn holds(&self, edition: Edition) -> bool {
        match self {
            Minimum::All(all) => *all,
            Minimum::In(editions) => editions.contains(&edition),
        }
    }

    pub(super) fn is_none(&self) -> bool {
        *self == Minimum::default()
    }

    /// The editions that are named; none if it holds in all or in no edition.
    pub(super) fn listed(&self) -> &[Edition] {
        match self {
            Minimum::All(_) => &[],
            Minimum::In(editions) => editions,
        }
    }

    pub(super) fn narrow(&mut self, edition: Edition) {
        *self = Minimum::All(self.holds(edition));
    }
}

/// The least that a posted payout limit may be: an amount, or so many times the minimum wager of the table if that is
/// more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeastLimit {
    pub amount: Cents,
    /// The most that the minimum wager can win.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times_table_min: Option<i64>,
}

impl LeastLimit {
    /// At a table with this minimum wager; the amount alone where nobody posts one.
    pub fn at(&self, table_min: Option<Cents>) -> Cents {
        let most = table_min.zip(self.times_table_min);
        let most = most.map_or(Cents::ZERO, |(min, times)| min.times(times));
        self.amount.max(most)
    }
}
