//! Pay tables whose rows are five-card poker hands.

use serde::Deserialize;

use crate::hands::five::Category;

/// A pay table from three of a kind up. `P` is what a row pays: odds, a prize, envy. A row that
/// the table does not have pays nothing.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FiveCardTable<P> {
    royal_flush: Option<P>,
    straight_flush: Option<P>,
    four_of_a_kind: Option<P>,
    full_house: Option<P>,
    flush: Option<P>,
    straight: Option<P>,
    three_of_a_kind: Option<P>,
}

impl<P: Copy> FiveCardTable<P> {
    pub(crate) fn row(&self, category: Category) -> Option<P> {
        match category {
            Category::RoyalFlush => self.royal_flush,
            Category::StraightFlush => self.straight_flush,
            Category::FourOfAKind => self.four_of_a_kind,
            Category::FullHouse => self.full_house,
            Category::Flush => self.flush,
            Category::Straight => self.straight,
            Category::ThreeOfAKind => self.three_of_a_kind,
            Category::TwoPair | Category::Pair | Category::HighCard => None,
        }
    }
}
