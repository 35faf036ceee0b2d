//! What is due where a text says "no less than" or "at least" and a table posts less: the minimum. What is posted is a
//! finding besides.
//!
//! The data file says which figures are minimums: `minimum = true` of a table, `minimum` of an option that limits
//! payouts. A closed list of pay tables has no minimum: there a house has no choice but to take one of them.

use std::collections::BTreeMap;

use crate::book::{LeastLimit, Pay};
use crate::floor::{Cents, Odds};

/// What a table posts, held against the minimum of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Posted<T> {
    /// The greater of both.
    pub(crate) due: T,
    /// Is less posted than the text allows?
    pub(crate) is_below: bool,
}

impl<T> Posted<T> {
    /// Where the text sets no minimum.
    pub(crate) fn of(due: T) -> Posted<T> {
        Posted {
            due,
            is_below: false,
        }
    }
}

/// Posted odds or another figure of a table, and the minimum that the text sets.
pub(crate) fn at_least<T: Copy + PartialOrd>(posted: T, minimum: T) -> Posted<T> {
    let is_below = posted < minimum;
    let due = if is_below { minimum } else { posted };
    Posted { due, is_below }
}

/// The posted odds of a row whose filed odds are a minimum. Odds are more than a push or a loss that is filed; a sum or
/// a share of a meter has no odds to be raised to.
pub(crate) fn row_at_least(posted: Option<Odds>, filed: Pay) -> Posted<Pay> {
    match (posted, filed) {
        (Some(posted), Pay::Odds(minimum)) => {
            let Posted { due, is_below } = at_least(posted, minimum);
            let due = Pay::Odds(due);
            Posted { due, is_below }
        }
        (Some(posted), Pay::Push | Pay::Lose) => Posted {
            due: Pay::Odds(posted),
            is_below: false,
        },
        _ => Posted {
            due: filed,
            is_below: false,
        },
    }
}

/// Is a row posted below the minimum that `filed` has for it?
pub(crate) fn any_below<R: Copy + Ord>(
    posted: &BTreeMap<R, Odds>,
    filed: impl Fn(R) -> Option<Pay>,
) -> bool {
    let is_below = |(&row, &odds): (&R, &Odds)| {
        filed(row).is_some_and(|filed| row_at_least(Some(odds), filed).is_below)
    };
    posted.iter().any(is_below)
}

/// A posted payout limit, and the least that the text allows for a table with this minimum wager. Where none is posted
/// there is none.
pub(crate) fn limit_at_least(
    posted: Option<Cents>,
    least: &LeastLimit,
    table_min: Option<Cents>,
) -> Posted<Option<Cents>> {
    let minimum = least.at(table_min);
    let held = posted.map(|limit| at_least(limit, minimum));
    Posted {
        due: held.map(|held| held.due),
        is_below: held.is_some_and(|held| held.is_below),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn odds(text: &str) -> Odds {
        text.parse().unwrap()
    }

    #[test]
    fn the_minimum_is_due_where_less_is_posted() {
        let eight = odds("8:1");
        let held = |posted: &str| {
            let Posted { due, is_below } = at_least(odds(posted), eight);
            (due, is_below)
        };
        assert_eq!(held("6:1"), (eight, true));
        assert_eq!(held("8:1"), (eight, false));
        assert_eq!(held("9:1"), (odds("9:1"), false));
    }

    #[test]
    fn a_row_may_be_raised_and_never_lowered() {
        let row = |posted: Option<&str>, filed: Pay| {
            let held = row_at_least(posted.map(odds), filed);
            (held.due, held.is_below)
        };
        let two = Pay::Odds(odds("2:1"));
        assert_eq!(row(None, two), (two, false));
        assert_eq!(row(Some("3:2"), two), (two, true));
        assert_eq!(row(Some("3:1"), two), (Pay::Odds(odds("3:1")), false));
        assert_eq!(row(Some("1:2"), Pay::Push), (Pay::Odds(odds("1:2")), false));
        let sum = Pay::Fixed(Cents::new(5_000));
        assert_eq!(row(Some("99:1"), sum), (sum, false), "no odds for a sum");
        let posted = BTreeMap::from([("flush", odds("3:2")), ("pair", odds("1:1"))]);
        assert!(any_below(&posted, |row| (row == "flush").then_some(two)));
        assert!(!any_below(&posted, |row| (row == "pair")
            .then_some(Pay::Odds(odds("1:1")))));
    }

    #[test]
    fn a_limit_below_the_least_counts_as_the_least() {
        let least = LeastLimit {
            amount: Cents::new(5_000_000),
            times_table_min: Some(3_000),
        };
        let held = |posted: Option<i64>, table_min: Option<i64>| {
            let held = limit_at_least(posted.map(Cents::new), &least, table_min.map(Cents::new));
            (held.due.map(Cents::get), held.is_below)
        };
        assert_eq!(held(None, None), (None, false), "no limit is no fault");
        assert_eq!(held(Some(1_000_000), None), (Some(5_000_000), true));
        assert_eq!(held(Some(5_000_000), Some(500)), (Some(5_000_000), false));
        assert_eq!(held(Some(5_000_000), Some(2_000)), (Some(6_000_000), true));
        assert_eq!(held(Some(7_000_000), Some(2_000)), (Some(7_000_000), false));
    }
}
