//! Cards counted by rank and by suit.

use crate::floor::{Card, CardSet};

/// Lowest bit of each rank's four.
const EACH_RANK: u64 = 0x1_1111_1111_1111;
const EACH_SUIT: u64 = 0x0101_0101;

/// How often each rank, each suit and the joker are held, up to fifteen times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tally {
    /// Four bits a rank, the two lowest.
    pub(super) counts: u64,
    /// Eight bits a suit, clubs lowest; above them eight for the joker.
    suits: u64,
}

impl Tally {
    pub(super) const EMPTY: Tally = Tally {
        counts: 0,
        suits: 0,
    };

    /// `None` for more than fifteen cards: they would spill from one rank into the next.
    #[inline(always)]
    pub(super) fn of_cards(cards: &[Card]) -> Option<Tally> {
        if cards.len() > 15 {
            return None;
        }
        Some(
            cards
                .iter()
                .fold(Tally::EMPTY, |tally, &card| tally.with(card)),
        )
    }

    #[inline]
    fn with(self, card: Card) -> Tally {
        let index = usize::from(card.index());
        Tally {
            counts: self.counts.wrapping_add(COUNTS[index]),
            suits: self.suits.wrapping_add(SUITS[index]),
        }
    }

    #[inline(always)]
    pub(super) fn of_set(set: CardSet) -> Tally {
        let bits = set.bits() & CardSet::DECK.bits();
        let in_suit = |suit: u32| sum(bits >> suit & EACH_RANK);
        let pairs = bits - (bits >> 1 & 0x5_5555_5555_5555);
        Tally {
            counts: (pairs & 0x3_3333_3333_3333) + (pairs >> 2 & 0x3_3333_3333_3333),
            suits: in_suit(0)
                | in_suit(1) << 8
                | in_suit(2) << 16
                | in_suit(3) << 24
                | set.bits() >> 52 << 32,
        }
    }

    /// How many cards there are besides jokers.
    #[inline]
    pub(super) fn len(self) -> usize {
        ((self.suits as u32).wrapping_mul(EACH_SUIT as u32) >> 24) as usize
    }

    #[inline]
    pub(super) fn jokers(self) -> u32 {
        (self.suits >> 32) as u32
    }

    pub(super) fn held_of(self, suit: u32) -> u64 {
        self.suits >> (8 * suit) & 0xff
    }

    /// A suit that is held `least` times or more. No suit is, mostly: that has to be a quick answer.
    #[inline]
    pub(super) fn suit_of(self, least: u32) -> Option<u32> {
        let long = (self.suits + u64::from(16 - least) * EACH_SUIT) & (EACH_SUIT << 4);
        (long != 0).then(|| long.trailing_zeros() / 8)
    }
}

/// What each card adds to [`Tally::counts`]. Any byte is an index, so none needs a check.
static COUNTS: [u64; 256] = {
    let mut counts = [0; 256];
    let mut index = 0;
    while index < 52 {
        counts[index] = 1 << (index & !3);
        index += 1;
    }
    counts
};

/// What each card adds to [`Tally::suits`].
static SUITS: [u64; 256] = {
    let mut suits = [1 << 32; 256];
    let mut index = 0;
    while index < 52 {
        suits[index] = 1 << (8 * (index & 3));
        index += 1;
    }
    suits
};

/// Rank counts of the cards of one suit, which is held so many times.
#[inline(never)]
pub(super) fn suited_cards(cards: &[Card], held: u64, suit: u32) -> u64 {
    let once = suited_set(cards.iter().copied().collect(), suit);
    if sum(once) == held {
        once
    } else {
        suited_repeated(cards, suit)
    }
}

/// As [`suited_cards`] where a card lies twice.
#[cold]
#[inline(never)]
fn suited_repeated(cards: &[Card], suit: u32) -> u64 {
    cards
        .iter()
        .map(|card| u32::from(card.index()))
        .filter(|&index| index & 3 == suit && index < 52)
        .fold(0, |counts, index| counts + (1 << (index & !3)))
}

/// Rank counts of the cards of one suit.
#[inline]
pub(super) fn suited_set(set: CardSet, suit: u32) -> u64 {
    set.bits() >> suit & EACH_RANK
}

/// How many cards of one suit there are: the product's top four bits add up the groups of four, and
/// no suit has more than thirteen.
#[inline]
const fn sum(suited: u64) -> u64 {
    suited.wrapping_mul(0x1111_1111_1111_1111) >> 60
}
