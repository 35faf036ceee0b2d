//! Cards counted by rank and by suit.

use crate::floor::{Card, CardSet};

const RANK_BITS: u64 = (1 << 52) - 1;
/// Lowest bit of each rank's four.
const EACH_RANK: u64 = 0x1_1111_1111_1111;

/// How often each rank and each suit is held, up to fifteen times.
#[derive(Clone, Copy)]
pub(super) struct Tally {
    /// Four bits a rank, the two lowest.
    pub(super) counts: u64,
    /// Eight bits a suit, clubs lowest.
    suits: u32,
    pub(super) jokers: u32,
}

impl Tally {
    /// Counts at most fifteen cards; more than that would spill from one rank into the next.
    #[inline]
    pub(super) fn of_cards(cards: &[Card]) -> Option<Tally> {
        if cards.len() > 15 {
            return None;
        }
        let (counts, suits) = cards.iter().fold((0, 0), |(counts, suits), card| {
            let index = u32::from(card.index());
            (
                counts + (1 << (index & !3)),
                suits + (1 << (8 * (index & 3))),
            )
        });
        // The joker lies where a fourteenth rank would, in clubs.
        let jokers = (counts >> 52) as u32;
        Some(Tally {
            counts: counts & RANK_BITS,
            suits: suits - jokers,
            jokers,
        })
    }

    #[inline]
    pub(super) fn of_set(set: CardSet) -> Tally {
        let bits = set.bits() & RANK_BITS;
        // The product's top four bits add up the four-bit groups; no suit has more than thirteen.
        let in_suit = |suit: u32| {
            ((bits >> suit & EACH_RANK).wrapping_mul(0x1111_1111_1111_1111) >> 60) as u32
        };
        let pairs = bits - (bits >> 1 & 0x5_5555_5555_5555);
        Tally {
            counts: (pairs & 0x3_3333_3333_3333) + (pairs >> 2 & 0x3_3333_3333_3333),
            suits: in_suit(0) | in_suit(1) << 8 | in_suit(2) << 16 | in_suit(3) << 24,
            jokers: (set.bits() >> 52) as u32,
        }
    }

    /// How many cards there are besides jokers.
    #[inline]
    pub(super) fn len(self) -> u32 {
        self.suits.wrapping_mul(0x0101_0101) >> 24
    }

    /// A suit that is held `least` times or more. No suit is, mostly: that has to be a quick answer.
    #[inline]
    pub(super) fn suit_of(self, least: u32) -> Option<u32> {
        let long = (self.suits + (16 - least) * 0x0101_0101) & 0xf0f0_f0f0;
        (long != 0).then(|| long.trailing_zeros() / 8)
    }
}

/// Rank counts of the cards of one suit.
pub(super) fn suited_cards(cards: &[Card], suit: u32) -> u64 {
    cards
        .iter()
        .map(|card| u32::from(card.index()))
        .filter(|&index| index & 3 == suit && index < 52)
        .fold(0, |counts, index| counts + (1 << (index & !3)))
}

/// Rank counts of the cards of one suit.
pub(super) fn suited_set(set: CardSet, suit: u32) -> u64 {
    set.bits() >> suit & EACH_RANK
}
