//! Seven cards as five in front and two behind.

use crate::floor::{Card, CardCounts};
use crate::hands::joker::{self, LowStraight};
use crate::hands::two;
use crate::refusal::Refusal;

/// What a setting is worth. Two settings of equal worth are equal, whatever the suits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) high: joker::Hand,
    pub(crate) low: two::Hand,
}

impl Setting {
    /// `None` unless five lie in front and two behind.
    pub(crate) fn of(high: &[Card], low: &[Card], low_straight: LowStraight) -> Option<Setting> {
        let behind: &[Card; 2] = low.try_into().ok()?;
        let front: &[Card; 5] = high.try_into().ok()?;
        Some(Setting {
            high: joker::rank(front, low_straight)?,
            low: two::rank(behind),
        })
    }

    /// The five in front must rank at least as high as the two behind: 9(a); 13.A.
    pub(crate) fn is_lawful(self) -> bool {
        let [a, b, ..] = self.high.ranks();
        match (self.high.category(), self.low.category()) {
            (joker::Category::HighCard, two::Category::HighCard) => [a, b] >= self.low.ranks(),
            (joker::Category::HighCard, two::Category::Pair) => false,
            (joker::Category::Pair, two::Category::Pair) => a >= self.low.ranks()[0],
            _ => true,
        }
    }

    /// A low hand whose higher card is a nine and that is no pair: the Tiger-9.
    pub(crate) fn is_nine_high_behind(self) -> bool {
        self.low.category() == two::Category::HighCard
            && self.low.ranks()[0] == crate::floor::Rank::Nine
    }
}

/// The cards as they were laid, in whatever numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Laid<'a> {
    high: &'a [Card],
    low: &'a [Card],
}

impl<'a> Laid<'a> {
    pub(super) fn of(high: &'a Option<Vec<Card>>, low: &'a Option<Vec<Card>>) -> Option<Laid<'a>> {
        let (high, low) = (high.as_deref()?, low.as_deref()?);
        Some(Laid { high, low })
    }

    /// Reads the setting of the dealt cards: `None` inside where it is not five and two. Refused
    /// if it is not made of the dealt cards.
    pub(super) fn read(
        self,
        dealt: &[Card],
        low_straight: LowStraight,
        place: &str,
    ) -> Result<Option<Setting>, Refusal> {
        let laid: CardCounts = self.high.iter().chain(self.low).copied().collect();
        if laid != dealt.iter().copied().collect() {
            return Err(Refusal::at(
                format!("{place}.high"),
                "high and low are not the cards that were dealt",
            ));
        }
        Ok(Setting::of(self.high, self.low, low_straight))
    }
}
