//! Cards that several hands share, counted once.

use super::five;
use super::key::Key;
use crate::floor::Card;

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
    /// Sixteen bits a suit, clubs lowest, of which a bit a rank: what a flush is looked up by.
    by_suit: u64,
}

impl Board {
    pub const EMPTY: Board = Board {
        key: Key::EMPTY,
        by_suit: 0,
    };

    /// The same cards and one more. A board of more than seven cards, or on which a card lies twice,
    /// has no rank; the functions that take slices rank cards that lie twice.
    #[cfg_attr(not(debug_assertions), inline)]
    #[must_use]
    pub fn with(self, card: Card) -> Board {
        let place = PLACES[usize::from(card.index())];
        let key = match self.by_suit & place == 0 && !self.key.is_full() {
            true => self.key.with(card),
            false => self.key.flawed(),
        };
        if key.is_full() {
            five::ensure_tables();
        }
        Board {
            key,
            by_suit: self.by_suit | place,
        }
    }

    #[inline(always)]
    pub(super) fn key(self) -> Key {
        self.key
    }

    /// The ranks held of a suit.
    #[inline(always)]
    pub(super) fn suited(self, suit: u32) -> u16 {
        (self.by_suit >> (16 * suit)) as u16
    }
}

impl FromIterator<Card> for Board {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Board {
        cards.into_iter().fold(Board::EMPTY, Board::with)
    }
}

/// The bit of each card; a joker, with which a board has no rank, has none. Any byte is an index.
static PLACES: [u64; 256] = {
    let mut places = [0; 256];
    let mut index = 0;
    while index < 52 {
        places[index] = 1 << (16 * (index % 4) + index / 4);
        index += 1;
    }
    places
};
