//! The Ohio chapter of table game progressives, which holds for every progressive of that edition.
//!
//! What a game adds: which hand counts, what its standard wager is, and the order in which it deals. The meter,
//! prizes and envy are [`super::progressive`]; this is what makes a chip a wager, and the Multi-Link table that
//! tables of several games share. `PC n` is paragraph n of the chapter.
//!
//! A payout limit of a game names the wagers of that game: it neither cuts a prize or envy nor is used up by them.

use super::five_card_table::FiveCardTable;
use super::progressive::Envy;
use crate::book::{BookError, EditionBook, Pay};
use crate::floor::Cents;
use crate::hands::five::Category;
use crate::settlement::Violations;

/// A chip on the sensor of a betting position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chip {
    pub(crate) amount: Cents,
    /// The one amount that the wager may be. PC 3.A.ii, 4.A.ii, 5.A.iv; of the table where the chapter prints none
    pub(crate) stake: Cents,
    /// Was the standard wager of the game made at the same position, in whatever amount? PC 1.A.i
    pub(crate) beside_standard: bool,
}

impl Chip {
    /// Is it a progressive wager? If not it goes back before anything is settled: it wins nothing, moves no meter
    /// and has no envy, while the hand of the position still gives envy to others. `wrong_amount` is the game's
    /// code for another amount.
    pub(crate) fn counts(&self, wrong_amount: &'static str, violations: &mut Violations) -> bool {
        violations.add_if(self.amount != self.stake, wrong_amount);
        violations.add_if(!self.beside_standard, "wager.side_without_main");
        self.amount == self.stake && self.beside_standard
    }
}

/// The Multi-Link progressive on five cards, which each game names. PC 2
#[derive(Debug)]
pub(crate) struct MultiLink {
    prizes: FiveCardTable<Pay>,
    envy: FiveCardTable<Envy>,
}

impl MultiLink {
    /// The tables `multi_link_progressive` and `multi_link_envy` of a data file.
    pub(crate) fn read(book: &EditionBook<'_>) -> Result<MultiLink, BookError> {
        Ok(MultiLink {
            prizes: book.table("multi_link_progressive")?,
            envy: book.table("multi_link_envy")?,
        })
    }

    /// What a hand that is still in wins by, and what it gives each other bettor.
    pub(crate) fn row(&self, hand: Option<Category>) -> (Pay, Envy) {
        let prize = hand.and_then(|hand| self.prizes.row(hand));
        let envy = hand.and_then(|hand| self.envy.row(hand));
        (prize.unwrap_or(Pay::Lose), envy.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(amount: i64, beside_standard: bool) -> (bool, Vec<&'static str>) {
        let chip = Chip {
            amount: Cents::new(amount),
            stake: Cents::new(100),
            beside_standard,
        };
        let mut violations = Violations::default();
        let counts = chip.counts("wager.progressive_amount", &mut violations);
        (counts, violations.iter().collect())
    }

    #[test]
    fn a_chip_counts_in_its_amount_beside_the_standard_wager() {
        let [amount, alone] = ["wager.progressive_amount", "wager.side_without_main"];
        assert_eq!(judged(100, true), (true, vec![]));
        assert_eq!(judged(500, true), (false, vec![amount]));
        assert_eq!(judged(100, false), (false, vec![alone]));
        assert_eq!(judged(50, false), (false, vec![amount, alone]));
    }

    #[test]
    fn only_a_royal_and_a_straight_flush_share_in_the_meter_and_give_envy() {
        let row = |json| serde_json::from_value(json).unwrap();
        let link = MultiLink {
            prizes: serde_json::from_value(serde_json::json!({
                "royal_flush": "100% of meter", "straight_flush": "10% of meter", "three_of_a_kind": "$9.00",
            }))
            .unwrap(),
            envy: row(serde_json::json!({"royal_flush": "$1,000.00", "straight_flush": "$300.00"})),
        };
        let cents = |amount| Envy(Cents::new(amount));
        assert_eq!(
            link.row(Some(Category::RoyalFlush)),
            (Pay::Meter(100), cents(100_000))
        );
        assert_eq!(
            link.row(Some(Category::StraightFlush)),
            (Pay::Meter(10), cents(30_000))
        );
        let three = Pay::Fixed(Cents::new(900));
        assert_eq!(link.row(Some(Category::ThreeOfAKind)), (three, cents(0)));
        assert_eq!(link.row(Some(Category::Pair)), (Pay::Lose, cents(0)));
        assert_eq!(link.row(None), (Pay::Lose, cents(0)), "a folded hand");
    }
}
