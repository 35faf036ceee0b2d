//! What makes a hand of fast action hold'em: the best five of seven, and naturals. s.1, s.3

use crate::floor::{Card, Rank};
use crate::hands::shoe;

/// Two to nine their number, then ten, jack 11, queen 12, king 13, ace 14.
pub(super) fn number(rank: Rank) -> u8 {
    rank.index() + 2
}

/// The best five of two cards kept and five of the board. Two hands are equal exactly if the
/// player's is a copy of the dealer's. s.3
pub(super) fn best(kept: [Card; 2], board: [Card; 5]) -> Option<shoe::Hand> {
    let [a, b] = kept;
    let [c, d, e, f, g] = board;
    shoe::rank(&[a, b, c, d, e, f, g])
}

/// Four of a kind in the first four cards dealt. s.1
pub(super) fn is_natural(cards: &[Card]) -> bool {
    match cards {
        [first, a, b, c, ..] => [a, b, c].iter().all(|card| card.rank() == first.rank()),
        _ => false,
    }
}
