//! Cards that several hands share, counted once.

use super::tally::{Tally, suited_set};
use crate::floor::{Card, CardSet};

/// Cards counted for ranking, to be extended by a few more: the board of a hold'em game beside each
/// seat's two cards.
///
/// ```
/// use catwalk_rules::floor::Card;
/// use catwalk_rules::hands::{Board, five};
///
/// let card = |text: &str| text.parse::<Card>().unwrap();
/// let board: Board = ["QH", "QD", "5D", "3S", "2C"].into_iter().map(card).collect();
/// let seat = five::rank_board(board.with(card("QC")).with(card("5H")));
/// let dealer = five::rank_board(board.with(card("AD")).with(card("AS")));
/// assert!(seat > dealer);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    tally: Tally,
    set: CardSet,
}

impl Board {
    pub const EMPTY: Board = Board {
        tally: Tally::EMPTY,
        set: CardSet::EMPTY,
    };

    /// The same cards and one more. A board on which a card lies twice has no rank; the functions
    /// that take slices rank such cards.
    #[inline]
    #[must_use]
    pub fn with(self, card: Card) -> Board {
        let repeated = self.set.contains(card);
        let mut set = self.set;
        set.insert(card);
        Board {
            tally: self.tally.with(card, repeated),
            set,
        }
    }

    #[inline]
    pub(super) fn tally(self) -> Option<Tally> {
        (!self.tally.is_repeated()).then_some(self.tally)
    }

    pub(super) fn suited(self, suit: u32) -> u64 {
        suited_set(self.set, suit)
    }
}

impl FromIterator<Card> for Board {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Board {
        cards.into_iter().fold(Board::EMPTY, Board::with)
    }
}
