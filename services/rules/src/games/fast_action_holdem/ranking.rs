//! The seventeen five-card hands of six or eight decks, and the best five of seven. s.3

use crate::floor::{Card, Rank};

/// Weakest first. A flush with a repeated rank beats four of a kind; a plain flush is far below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Category {
    HighCard,
    Pair,
    TwoPairs,
    ThreeOfAKind,
    Straight,
    Flush,
    FullHouse,
    FourOfAKind,
    FlushOnePair,
    FlushTwoPairs,
    FlushThreeOfAKind,
    FiveOfAKind,
    FlushFullHouse,
    StraightFlush,
    FlushFourOfAKind,
    RoyalFlush,
    FlushFiveOfAKind,
}

/// A five-card hand. Two hands are equal exactly if the player's is a copy of the dealer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hand {
    category: Category,
    /// The larger group first, then the higher rank; a low ace stands last.
    ranks: [u8; 5],
}

/// Two to nine their number, then ten, jack 11, queen 12, king 13, ace 14.
pub(super) fn number(rank: Rank) -> u8 {
    rank.index() + 2
}

/// The wheel: the ace is low here and nowhere else.
const FIVE_HIGH: [u8; 5] = [5, 4, 3, 2, 1];

impl Hand {
    /// The best five of two cards kept and five of the board.
    pub(super) fn best(kept: [Card; 2], board: [Card; 5]) -> Hand {
        let [a, b] = kept;
        let [c, d, e, f, g] = board;
        let seven = [a, b, c, d, e, f, g];
        let mut best = Hand::of(board);
        for first_left in 0..7 {
            for second_left in first_left + 1..7 {
                best = best.max(Hand::of(std::array::from_fn(|place| {
                    let at = place + usize::from(place >= first_left);
                    seven[at + usize::from(at >= second_left)]
                })));
            }
        }
        best
    }

    pub(super) fn of(cards: [Card; 5]) -> Hand {
        let suited = cards.iter().all(|card| card.suit() == cards[0].suit());
        let numbers = cards.map(|card| card.rank().map_or(0, number));
        let held = |number: u8| numbers.iter().filter(|&&other| other == number).count();
        let mut ranks = numbers;
        ranks.sort_by_key(|&number| std::cmp::Reverse((held(number), number)));
        let groups = ranks.map(held);

        let category = match (groups, suited) {
            ([5, ..], true) => Category::FlushFiveOfAKind,
            ([5, ..], false) => Category::FiveOfAKind,
            ([4, ..], true) => Category::FlushFourOfAKind,
            ([4, ..], false) => Category::FourOfAKind,
            ([3, _, _, 2, _], true) => Category::FlushFullHouse,
            ([3, _, _, 2, _], false) => Category::FullHouse,
            ([3, ..], true) => Category::FlushThreeOfAKind,
            ([3, ..], false) => Category::ThreeOfAKind,
            ([2, _, 2, ..], true) => Category::FlushTwoPairs,
            ([2, _, 2, ..], false) => Category::TwoPairs,
            ([2, ..], true) => Category::FlushOnePair,
            ([2, ..], false) => Category::Pair,
            _ => {
                if ranks == [14, 5, 4, 3, 2] {
                    ranks = FIVE_HIGH;
                }
                match (ranks[0] - ranks[4] == 4, suited) {
                    (true, true) if ranks[0] == 14 => Category::RoyalFlush,
                    (true, true) => Category::StraightFlush,
                    (true, false) => Category::Straight,
                    (false, true) => Category::Flush,
                    (false, false) => Category::HighCard,
                }
            }
        };
        Hand { category, ranks }
    }

    #[cfg(test)]
    pub(super) fn category(self) -> Category {
        self.category
    }
}

/// Four of a kind in the first four cards dealt. s.1
pub(super) fn is_natural(cards: &[Card]) -> bool {
    match cards {
        [first, a, b, c, ..] => [a, b, c].iter().all(|card| card.rank() == first.rank()),
        _ => false,
    }
}
