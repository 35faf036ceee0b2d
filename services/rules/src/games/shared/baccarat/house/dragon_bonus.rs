//! The Dragon Bonus: how one hand beat the other.

use std::cmp::Ordering;

use serde::Deserialize;

use crate::floor::Odds;
use crate::games::shared::baccarat::hands::Hand;

/// How a Dragon Bonus wager on one hand ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DragonBonus {
    Natural,
    NaturalTie,
    /// Won by so many points, four or more, without a natural.
    By(u8),
    Lost,
}

impl DragonBonus {
    pub(crate) fn of(own: Hand, other: Hand) -> DragonBonus {
        let (count, against) = (own.count(), other.count());
        if own.is_natural() {
            // A natural stops all drawing: a hand that is none has at most seven.
            return match count.cmp(&against) {
                Ordering::Greater => DragonBonus::Natural,
                Ordering::Equal => DragonBonus::NaturalTie,
                Ordering::Less => DragonBonus::Lost,
            };
        }
        match count.checked_sub(against) {
            Some(margin) if margin >= 4 => DragonBonus::By(margin),
            _ => DragonBonus::Lost,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DragonTable {
    by_9: Odds,
    by_8: Odds,
    by_7: Odds,
    by_6: Odds,
    by_5: Odds,
    by_4: Odds,
    pub(super) natural: Odds,
    pub(super) natural_tie: Push,
}

/// A row that gives the stake back.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Push {
    Push,
}

impl DragonTable {
    /// Four to nine points.
    pub(super) fn by(&self, margin: u8) -> Odds {
        match margin {
            ..=4 => self.by_4,
            5 => self.by_5,
            6 => self.by_6,
            7 => self.by_7,
            8 => self.by_8,
            9.. => self.by_9,
        }
    }
}
