//! The dealer's hands: which cards count, and what the dealer owed to the table.

use super::points::{is_blackjack, total};
use super::{HoleCard, HouseRules};
use crate::floor::Card;
use crate::games::shared::shoe::refuse_jokers;
use crate::refusal::Refusal;
use crate::round::document;
use crate::settlement::Violations;

document! {
    /// The dealer's cards in the document, where the dealer has one hand.
    #[derive(Default)]
    DealerCards {
        ?
        pub cards: Vec<Card>,
        /// Was the hole card put into the reader?
        pub checked: bool,
    }
}

impl DealerCards {
    pub(crate) fn read(&self, rules: &HouseRules) -> Result<Dealer<'_>, Refusal> {
        let place = |_| "play.dealer.cards".to_owned();
        Dealer::read([&self.cards[..]], place, self.checked, rules)
    }
}

/// The dealer's cards of a round. Multiple action deals several hands on one up card.
#[derive(Debug)]
pub(crate) struct Dealer<'a> {
    hands: Vec<DealerHand<'a>>,
    checked: bool,
}

/// A hand of the dealer, cut where the dealer must stand: later cards were drawn in error and are
/// burned.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DealerHand<'a> {
    recorded: &'a [Card],
    kept: &'a [Card],
    stands: bool,
}

impl<'a> DealerHand<'a> {
    fn cut(recorded: &'a [Card], hits_soft_17: bool) -> DealerHand<'a> {
        let stands_on = |&count: &usize| {
            let total = total(&recorded[..count]);
            total.points >= 17 && !(hits_soft_17 && total.soft && total.points == 17)
        };
        let stand = (2..=recorded.len()).find(stands_on);
        DealerHand {
            recorded,
            kept: &recorded[..stand.unwrap_or(recorded.len())],
            stands: stand.is_some(),
        }
    }

    /// The cards that count.
    pub(crate) fn cards(&self) -> &'a [Card] {
        self.kept
    }

    pub(crate) fn second(&self) -> Option<Card> {
        self.recorded.get(1).copied()
    }

    /// The first two cards, or fewer if there are not so many.
    pub(crate) fn first_two(&self) -> &'a [Card] {
        &self.recorded[..self.recorded.len().min(2)]
    }

    pub(crate) fn has_blackjack(&self) -> bool {
        is_blackjack(self.first_two())
    }

    pub(crate) fn total(&self) -> u32 {
        total(self.kept).points
    }
}

/// What the wagers on a dealer's hand make the dealer do.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Duties {
    /// A wager depends on the final total: draw to the rule.
    pub(crate) draw: bool,
    /// A wager depends on the third card, whatever became of the hands.
    pub(crate) third_card: bool,
}

impl<'a> Dealer<'a> {
    /// Reads the dealer's hands; `place` names the one of an index.
    pub(crate) fn read(
        hands: impl IntoIterator<Item = &'a [Card]>,
        place: impl Fn(usize) -> String,
        checked: bool,
        rules: &HouseRules,
    ) -> Result<Dealer<'a>, Refusal> {
        let hands = hands.into_iter().enumerate().map(|(index, cards)| {
            refuse_jokers(cards, &place(index))?;
            Ok(DealerHand::cut(cards, rules.hits_soft_17))
        });
        let hands = hands.collect::<Result<_, Refusal>>()?;
        Ok(Dealer { hands, checked })
    }

    /// The hand of an index; empty if the dealer has none there.
    pub(crate) fn hand(&self, index: usize) -> DealerHand<'a> {
        self.hands.get(index).copied().unwrap_or_default()
    }

    pub(crate) fn first_hand(&self) -> DealerHand<'a> {
        self.hand(0)
    }

    pub(crate) fn up(&self) -> Option<Card> {
        self.first_hand().recorded.first().copied()
    }

    /// May the dealer have blackjack, by the up card?
    pub(crate) fn threatens(&self, rules: &HouseRules) -> bool {
        self.up().is_some_and(rules.threatens)
    }

    /// All cards that were dealt; the up card lies there once, however many hands it served.
    pub(crate) fn cards(&self) -> impl Iterator<Item = Card> {
        let hands = self.hands.iter().enumerate();
        hands.flat_map(|(index, hand)| hand.recorded.iter().skip(usize::from(index > 0)).copied())
    }

    /// A second card is needed to decide something.
    pub(crate) fn needs_second(&self, index: usize) -> Result<Card, Refusal> {
        self.hand(index).second().ok_or_else(|| {
            Refusal::at(
                "play.dealer",
                "the dealer's second card is missing and a wager depends on it",
            )
        })
    }

    /// Flags cards drawn in error, too few and too many; `duties` says what each hand was for.
    pub(crate) fn flag_draws(
        &self,
        round_is_void: bool,
        duties: impl Fn(usize) -> Duties,
        violations: &mut Violations,
    ) {
        for (index, hand) in self.hands.iter().enumerate() {
            violations.add_if(hand.recorded.len() > hand.kept.len(), "dealer.hit_17");
            if round_is_void {
                continue;
            }
            let duties = duties(index);
            let draw = duties.draw && !hand.has_blackjack();
            violations.add_if(draw && !hand.stands, "dealer.stood_short");
            let allowed = if duties.third_card { 3 } else { 2 };
            violations.add_if(!draw && hand.kept.len() > allowed, "dealer.drew_needlessly");
        }
    }

    /// Flags a hole card that was not put into the reader, or was without cause, and play that went
    /// on although the dealer's blackjack was known.
    pub(crate) fn flag_hole_card(
        &self,
        rules: &HouseRules,
        excused: bool,
        someone_played_on: bool,
        violations: &mut Violations,
    ) {
        let reader = rules.hole_card == HoleCard::Reader;
        let due = reader && self.threatens(rules);
        violations.add_if(due && !self.checked && !excused, "dealer.hole_not_checked");
        violations.add_if(self.checked && !due, "dealer.hole_checked_wrongly");
        let known = self.checked || rules.hole_card == HoleCard::Exposed;
        violations.add_if(
            known && self.first_hand().has_blackjack() && someone_played_on,
            "dealer.missed_blackjack",
        );
    }

    /// Do all hands start with the same card?
    pub(crate) fn has_one_up_card(&self) -> bool {
        let mut ups = self.hands.iter().filter_map(|hand| hand.recorded.first());
        let first = ups.next();
        ups.all(|up| Some(up) == first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Probabilities of the dealer's final totals from a shoe of six decks, in 10^-30; a blackjack
    /// is entered as 0.
    fn final_totals(hits_soft_17: bool) -> BTreeMap<u32, u128> {
        const VALUES: [&str; 10] = ["AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC"];
        fn draw(
            cards: &mut Vec<Card>,
            left: &mut [u128; 10],
            chance: u128,
            hits_soft_17: bool,
            totals: &mut BTreeMap<u32, u128>,
        ) {
            let hand = DealerHand::cut(cards, hits_soft_17);
            if hand.stands {
                let total = if hand.has_blackjack() {
                    0
                } else {
                    hand.total()
                };
                *totals.entry(total).or_default() += chance;
                return;
            }
            let all: u128 = left.iter().sum();
            for value in 0..VALUES.len() {
                let count = left[value];
                if count > 0 {
                    left[value] -= 1;
                    cards.push(VALUES[value].parse().unwrap());
                    draw(cards, left, chance * count / all, hits_soft_17, totals);
                    cards.pop();
                    left[value] += 1;
                }
            }
        }
        let mut left = [24; 10];
        left[9] = 96;
        let mut totals = BTreeMap::new();
        let certain = 10u128.pow(30);
        draw(
            &mut Vec::new(),
            &mut left,
            certain,
            hits_soft_17,
            &mut totals,
        );
        totals
    }

    #[test]
    fn the_dealer_makes_each_total_as_often_as_published() {
        let per_million = |totals: &BTreeMap<u32, u128>, range: std::ops::RangeInclusive<u32>| {
            totals.range(range).map(|(_, chance)| chance).sum::<u128>() / 10u128.pow(24)
        };
        // Six decks: blackjack 4.7489%; a bust 28.19% where the dealer stands on soft 17, 28.58%
        // where he draws, and then 22 in 7.3536%, the figure behind Push 22.
        let stands = final_totals(false);
        assert_eq!(per_million(&stands, 0..=0), 47_489);
        assert_eq!(per_million(&stands, 22..=26), 281_921);
        let hits = final_totals(true);
        assert_eq!(per_million(&hits, 0..=0), 47_489);
        assert_eq!(per_million(&hits, 22..=26), 285_760);
        assert_eq!(per_million(&hits, 22..=22), 73_536);
        assert_eq!(per_million(&hits, 0..=26), 999_999, "and nothing else");
    }

    #[test]
    fn the_hand_is_cut_where_the_dealer_must_stand() {
        let kept = |cards: &str, hits_soft_17| {
            let cards: Vec<Card> = cards
                .split_whitespace()
                .map(|card| card.parse().unwrap())
                .collect();
            DealerHand::cut(&cards, hits_soft_17).cards().len()
        };
        assert_eq!(kept("TC 7D 2C", false), 2);
        assert_eq!(kept("AC 6D 2C", false), 2);
        assert_eq!(kept("AC 6D 2C", true), 3);
        assert_eq!(kept("AC 6D TC 2C", true), 3);
        assert_eq!(kept("TC 6D", false), 2);
        assert_eq!(kept("TC 6D 9C 9D", false), 3);
        assert_eq!(kept("TC", false), 1);
    }
}
