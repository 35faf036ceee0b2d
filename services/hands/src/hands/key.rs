//! Up to seven cards counted in one word, for the rankings that are asked most.

use crate::floor::Card;

/// From the lowest bit: three bits a rank, the two lowest; from bit 40 four bits a suit, clubs lowest,
/// which start at three so that the fifth card of a suit sets the highest of the four; from bit 56 the
/// number of cards in four bits and the jokers in three; on top the flaw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key(u64);

/// More would spill from one count into the next.
pub(super) const MOST: usize = 7;

const RANKS: u64 = (1 << 39) - 1;
const SUITS_AT: u32 = 40;
const LONG_SUITS: u64 = 0x8888 << SUITS_AT;
const CARDS_AT: u32 = 56;
const JOKERS_AT: u32 = 60;
const FLAW: u64 = 1 << 63;

impl Key {
    pub(super) const EMPTY: Key = Key(0x3333 << SUITS_AT);

    /// `None` for more than seven cards.
    #[inline(always)]
    pub(super) fn of_cards(cards: &[Card]) -> Option<Key> {
        if cards.len() > MOST {
            return None;
        }
        Some(cards.iter().fold(Key::EMPTY, |key, &card| key.with(card)))
    }

    /// One card more, which makes seven at most.
    #[inline(always)]
    pub(super) fn with(self, card: Card) -> Key {
        Key(self.0.wrapping_add(KEYS[usize::from(card.index())]))
    }

    /// The same cards, with something wrong about them.
    #[inline(always)]
    pub(super) fn flawed(self) -> Key {
        Key(self.0 | FLAW)
    }

    /// How many cards there are; more than seven if one is a joker or something is wrong.
    #[inline(always)]
    pub(super) fn sound_cards(self) -> usize {
        (self.0 >> CARDS_AT) as usize
    }

    /// Whether there are so many sound cards, no five of them suited: the one question that mostly
    /// has to be answered.
    #[inline(always)]
    pub(super) fn is_plain(self, cards: usize) -> bool {
        self.0 & (u64::MAX << CARDS_AT | LONG_SUITS) == (cards as u64) << CARDS_AT
    }

    #[inline(always)]
    pub(super) fn is_full(self) -> bool {
        self.0 >> CARDS_AT & 0xf >= MOST as u64
    }

    /// The counts of ranks, three bits each.
    #[inline(always)]
    pub(super) fn ranks(self) -> u64 {
        self.0 & RANKS
    }

    /// A suit that is held five times or more. No suit is, mostly: that has to be a quick answer.
    #[inline(always)]
    pub(super) fn long_suit(self) -> Option<u32> {
        let long = self.0 & LONG_SUITS;
        (long != 0).then(|| (long.trailing_zeros() - SUITS_AT) / 4)
    }

    pub(super) fn held_of(self, suit: u32) -> u64 {
        (self.0 >> (SUITS_AT + 4 * suit) & 0xf) - 3
    }
}

/// What each card adds. Any byte is an index, so none needs a check.
static KEYS: [u64; 256] = {
    let mut keys = [1 << CARDS_AT | 1 << JOKERS_AT; 256];
    let mut index = 0;
    while index < 52 {
        let (rank, suit) = (index as u32 / 4, index as u32 % 4);
        keys[index] = 1 << (3 * rank) | 1 << (SUITS_AT + 4 * suit) | 1 << CARDS_AT;
        index += 1;
    }
    keys
};
