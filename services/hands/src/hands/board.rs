//! Cards that several hands share, counted once.

use super::key::Key;
use super::tally::suited_set;
use crate::floor::{Card, CardSet};

/// Cards counted for ranking, to be extended by a few more: the board of a hold'em game beside each
/// seat's two cards.
///
/// ```
/// use catwalk_hands::floor::Card;
/// use catwalk_hands::hands::{Board, five};
///
/// let card = |text: &str| text.parse::<Card>().unwrap();
/// let board: Board = ["QH", "QD", "5D", "3S", "2C"].into_iter().map(card).collect();
/// let seat = five::rank_board(board.with(card("QC")).with(card("5H")));
/// let dealer = five::rank_board(board.with(card("AD")).with(card("AS")));
/// assert!(seat > dealer);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    key: Key,
    set: CardSet,
}

impl Board {
    pub const EMPTY: Board = Board {
        key: Key::EMPTY,
        set: CardSet::EMPTY,
    };

    /// The same cards and one more. A board of more than seven cards, or on which a card lies twice,
    /// has no rank; the functions that take slices rank cards that lie twice.
    #[cfg_attr(not(debug_assertions), inline)]
    #[must_use]
    pub fn with(self, card: Card) -> Board {
        let mut set = self.set;
        let key = match set.insert(card) && !self.key.is_full() {
            true => self.key.with(card),
            false => self.key.flawed(),
        };
        Board { key, set }
    }

    #[inline(always)]
    pub(super) fn key(self) -> Key {
        self.key
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
