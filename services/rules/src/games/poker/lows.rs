//! Rankings that the high hands do not have: ace to five, eight- and six-or-better, deuce to seven and
//! badugi. 3(e)-(f), 9(j), 13a(k), 21(j), 22(j)
//!
//! Each gives a number, and the larger number wins.

use crate::floor::{Card, Rank};
use crate::hands::five::{self, Category};

/// Ace to five: straights and flushes do not exist and the ace is the best card. Of any number of
/// cards.
pub(super) fn ace_to_five(cards: &[Card]) -> Option<u32> {
    let mut counts = [0u32; 13];
    for card in cards {
        counts[usize::from(ace_low(*card)?)] += 1;
    }
    let mut groups: Vec<(u32, u32)> = (0u32..)
        .zip(counts)
        .filter(|&(_, count)| count > 0)
        .map(|(value, count)| (count, value))
        .collect();
    groups.sort_unstable_by(|a, b| b.cmp(a));
    // The classes in their order: sizes 1-1-1-1-1, 2-1-1-1, 2-2-1, 3-1-1, 3-2, 4-1.
    let size = |at: usize| groups.get(at).map_or(0, |&(count, _)| count);
    let class = size(0) * 8 + size(1);
    let cards = groups
        .iter()
        .flat_map(|&(count, value)| (0..count).map(move |_| value));
    Some(u32::MAX - cards.fold(class, |key, value| key << 4 | value))
}

/// Five different ranks, none above eight.
pub(super) fn eight_or_better(cards: &[Card]) -> Option<u32> {
    qualified(cards, Rank::Eight)
}

/// Three different ranks, none above six.
pub(super) fn six_or_better(cards: &[Card]) -> Option<u32> {
    qualified(cards, Rank::Six)
}

fn qualified(cards: &[Card], highest: Rank) -> Option<u32> {
    let highest = highest.index() + 1;
    for (at, card) in cards.iter().enumerate() {
        let value = ace_low(*card)?;
        let repeated = cards[..at].iter().any(|other| other.rank() == card.rank());
        if repeated || value > highest {
            return None;
        }
    }
    ace_to_five(cards)
}

/// Deuce to seven: the worst high hand wins, with the ace always high, so that A-5-4-3-2 is no
/// straight.
pub(super) fn deuce_to_seven(cards: &[Card]) -> Option<u32> {
    let hand = five::rank(cards)?;
    let ranks = hand.ranks();
    let is_wheel = ranks[0] == Rank::Five && ranks[4] == Rank::Ace;
    let (category, ranks) = match hand.category() {
        Category::StraightFlush if is_wheel => (Category::Flush, ACE_HIGH_WHEEL),
        Category::Straight if is_wheel => (Category::HighCard, ACE_HIGH_WHEEL),
        category => (category, ranks),
    };
    let ranks = ranks.iter().map(|rank| u32::from(rank.index()));
    Some(u32::MAX - ranks.fold(category as u32, |key, rank| key << 4 | rank))
}

const ACE_HIGH_WHEEL: [Rank; 5] = [Rank::Ace, Rank::Five, Rank::Four, Rank::Three, Rank::Two];

/// One to four cards, all of different ranks and suits; `None` for others. More cards are better,
/// then lower ones from the highest down.
pub(super) fn badugi(cards: &[Card], ace_is_high: bool) -> Option<u32> {
    let mut values = Vec::with_capacity(4);
    for (at, card) in cards.iter().enumerate() {
        let clashes = |other: &Card| other.rank() == card.rank() || other.suit() == card.suit();
        if cards[..at].iter().any(clashes) {
            return None;
        }
        let value = match ace_is_high {
            true => card.rank()?.index(),
            false => ace_low(*card)?,
        };
        values.push(u32::from(value));
    }
    values.sort_unstable_by(|a, b| b.cmp(a));
    let size = u32::try_from(values.len()).ok()?;
    Some(
        values
            .iter()
            .fold(size, |key, value| key << 4 | (15 - value))
            << (4 * (4 - size.min(4))),
    )
}

/// 0 for the ace, 1 for the two up to 12 for the king.
pub(super) fn ace_low(card: Card) -> Option<u8> {
    card.rank().map(|rank| (rank.index() + 1) % 13)
}
