//! Up to seven cards counted in one word, for the rankings that are asked most.

use crate::floor::Card;

/// From the lowest bit: four bits a suit, clubs lowest, which start at three so that the fifth card of a
/// suit sets the highest of the four; from bit 16 the number of cards in four bits and the jokers in
/// three; at bit 31 the flaw. On top, the sum of the cards' [`NUMBERS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key(u64);

/// More would spill from one count into the next.
pub(super) const MOST: usize = 7;

const LONG_SUITS: u32 = 0x8888;
const CARDS_AT: u32 = 16;
const JOKERS_AT: u32 = 20;
const FLAW: u64 = 1 << 31;
const NUMBERS_AT: u32 = 32;

/// A number a rank, the two first, found by trying: the sums of all ways to hold five, six or seven ranks
/// stand apart in the tables that are looked up by them.
const NUMBERS: [u32; 13] = [
    0xbde4_b368,
    0x7938_2bc9,
    0x176c_4187,
    0x3e96_90ec,
    0x8a88_66c7,
    0xba0e_b8b4,
    0x81fd_5c7c,
    0x9cea_1b12,
    0xdf10_18ee,
    0xaf9f_16d5,
    0x5c7b_cd26,
    0xa4ab_c830,
    0x9922_974d,
];

impl Key {
    pub(super) const EMPTY: Key = Key(0x3333);

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
        (self.0 as u32 >> CARDS_AT) as usize
    }

    /// Whether there are so many sound cards, no five of them suited: the one question that mostly
    /// has to be answered.
    #[inline(always)]
    pub(super) fn is_plain(self, cards: usize) -> bool {
        self.0 as u32 & (u32::MAX << CARDS_AT | LONG_SUITS) == (cards as u32) << CARDS_AT
    }

    #[inline(always)]
    pub(super) fn is_full(self) -> bool {
        self.0 >> CARDS_AT & 0xf >= MOST as u64
    }

    /// What the ranks are looked up by, in the upper half.
    #[inline(always)]
    pub(super) fn hash(self) -> u64 {
        self.0
    }

    /// The hash of so many of each rank, four bits a rank.
    pub(super) fn hash_of(counts: u64) -> u64 {
        let numbers = (0..).zip(NUMBERS);
        let sum = numbers.fold(0u32, |sum, (rank, number)| {
            let held = (counts >> (4 * rank) & 0xf) as u32;
            sum.wrapping_add(number.wrapping_mul(held))
        });
        u64::from(sum) << NUMBERS_AT
    }

    /// A suit that is held five times or more. No suit is, mostly: that has to be a quick answer.
    #[inline(always)]
    pub(super) fn long_suit(self) -> Option<u32> {
        let long = self.0 as u32 & LONG_SUITS;
        (long != 0).then(|| long.trailing_zeros() / 4)
    }

    pub(super) fn held_of(self, suit: u32) -> u64 {
        (self.0 >> (4 * suit) & 0xf) - 3
    }
}

/// What each card adds. Any byte is an index, so none needs a check.
static KEYS: [u64; 256] = {
    let mut keys = [1 << CARDS_AT | 1 << JOKERS_AT; 256];
    let mut index = 0;
    while index < 52 {
        let suit = index % 4;
        keys[index] = (NUMBERS[index / 4] as u64) << NUMBERS_AT | 1 << (4 * suit) | 1 << CARDS_AT;
        index += 1;
    }
    keys
};
