//! When a table was dealt under which value.

use std::collections::VecDeque;

use catwalk_events::Timestamp;
use serde::{Deserialize, Serialize};

use super::Terms;

/// So many periods of a table are kept, the oldest is the first to go: by so many changes of its value
/// one table may be read ahead of another.
pub(super) const MAX_PERIODS: usize = 32;
/// A table that deals nothing for so long has left its value, whatever it deals under later.
const DAY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

/// The periods of a table, oldest first.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Periods {
    periods: VecDeque<Period>,
    /// The last of them is over: the table went on with something that is not compared.
    #[serde(default)]
    is_over: bool,
    /// Since it was last written down.
    #[serde(skip)]
    pub(super) changed: bool,
}

/// Rounds in a row that were dealt under one value. All but the last is of the first of them.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Period {
    pub(super) value: String,
    /// The tables that it is compared with: those that have this in common.
    #[serde(default)]
    pub(super) among: String,
    pub(super) round: String,
    pub(super) dealer: Option<String>,
    pub(super) first_seq: u64,
    since: Timestamp,
    pub(super) closed_at: Timestamp,
    /// The latest opening.
    last: Timestamp,
}

impl Periods {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Period> {
        self.periods.iter()
    }

    /// The table dealt a round that is not compared with others.
    pub(super) fn end(&mut self) {
        self.changed |= !self.is_over;
        self.is_over = true;
    }

    /// Adds the next round. Gives its period, and where that ended before, if it was there.
    pub(super) fn extend(
        &mut self,
        round: &Terms<'_>,
        among: String,
        value: String,
    ) -> (&Period, Option<Timestamp>) {
        let is_over = std::mem::take(&mut self.is_over);
        let goes_on = |period: &Period| {
            let pause = round
                .opened_at
                .micros()
                .saturating_sub(period.last.micros());
            let same = (&period.value, &period.among) == (&value, &among);
            same && !is_over && pause <= DAY_MICROS
        };
        let before = match self.periods.back_mut() {
            Some(period) if goes_on(period) => {
                let before = period.last;
                period.last = before.max(round.opened_at);
                self.changed |= period.last != before;
                Some(before)
            }
            _ => {
                self.periods.push_back(Period::begin(round, among, value));
                self.changed = true;
                None
            }
        };
        if self.periods.len() > MAX_PERIODS {
            self.periods.pop_front();
        }
        (&self.periods[self.periods.len() - 1], before)
    }
}

impl Period {
    fn begin(round: &Terms<'_>, among: String, value: String) -> Period {
        Period {
            value,
            among,
            round: round.round.to_owned(),
            dealer: round.dealer.map(str::to_owned),
            first_seq: round.first_seq,
            since: round.opened_at,
            closed_at: round.closed_at,
            last: round.opened_at,
        }
    }
}

/// A table and a period of it.
type Of<'a> = (&'a str, &'a Period);

/// Do these overlap, and did they not while `one` was only what it was `before`? Then the later, and the
/// earlier.
pub(super) fn clash<'a>(
    one: Of<'a>,
    before: Option<Timestamp>,
    other: Of<'a>,
) -> Option<(Of<'a>, Of<'a>)> {
    let begins = |(table, period): Of<'a>| (period.since, table);
    let is_later = begins(one) > begins(other);
    let (later, earlier) = match is_later {
        true => (one, other),
        false => (other, one),
    };
    let overlap = earlier.1.last >= later.1.since;
    let overlapped = match before {
        None => false,
        // Where it began is as before, and the other has not moved.
        Some(_) if is_later => overlap,
        Some(before) => before >= later.1.since,
    };
    (overlap && !overlapped).then_some((later, earlier))
}
