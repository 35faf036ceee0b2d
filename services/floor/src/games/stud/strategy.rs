//! What a sensible player thinks of a hand.

use catwalk_rules::floor::{Card, Rank};
use catwalk_rules::hands::{five, four, three};

/// Three card poker is played with queen, six, four or better.
pub(super) fn is_queen_six_four(cards: &[Card]) -> bool {
    let Some(hand) = three::rank(cards) else {
        return false;
    };
    let [first, second, third] = hand.ranks();
    hand.category() > three::Category::HighCard
        || (first, second, third) >= (Rank::Queen, Rank::Six, Rank::Four)
}

/// The best four of five are a pair of this rank or better.
pub(super) fn has_pair_of(cards: &[Card], rank: Rank) -> bool {
    four::rank(cards).is_some_and(|hand| match hand.category() {
        four::Category::HighCard => false,
        four::Category::Pair => hand.ranks()[0] >= rank,
        _ => true,
    })
}

pub(super) fn has_aces_up(cards: &[Card]) -> bool {
    has_pair_of(cards, Rank::Ace)
}

/// Crazy four poker is played with king, queen, eight, four or better.
pub(super) fn is_king_queen(cards: &[Card]) -> bool {
    four::rank(cards).is_some_and(|hand| {
        let ranks = hand.ranks();
        let low = [Rank::King, Rank::Queen, Rank::Eight, Rank::Four];
        hand.category() > four::Category::HighCard || ranks >= low
    })
}

/// A pair or better, or ace and king.
pub(super) fn is_ace_king(cards: &[Card]) -> bool {
    five::rank(cards).is_some_and(|hand| {
        let ranks = hand.ranks();
        hand.category() > five::Category::HighCard || ranks[..2] == [Rank::Ace, Rank::King]
    })
}

/// The highest rank that is there twice or more, of any number of cards.
pub(super) fn best_pair(cards: &[Card]) -> Option<Rank> {
    let paired = |card: &&Card| {
        let same = cards.iter().filter(|other| other.rank() == card.rank());
        same.count() >= 2
    };
    cards
        .iter()
        .filter(paired)
        .filter_map(|card| card.rank())
        .max()
}

/// All of one suit.
pub(super) fn is_suited(cards: &[Card]) -> bool {
    cards
        .windows(2)
        .all(|pair| pair[0].suit() == pair[1].suit())
}

/// All within five neighbouring ranks, and no two alike.
pub(super) fn is_close(cards: &[Card]) -> bool {
    let ranks: Vec<u8> = cards
        .iter()
        .filter_map(|card| Some(card.rank()?.index()))
        .collect();
    let (Some(low), Some(high)) = (ranks.iter().min(), ranks.iter().max()) else {
        return false;
    };
    high - low < 5 && best_pair(cards).is_none()
}

/// Points of Mississippi stud: a high card two, a middle card one.
pub(super) fn points(cards: &[Card]) -> u32 {
    let of = |card: &Card| match card.rank() {
        Some(rank) if rank >= Rank::Jack => 2,
        Some(rank) if rank >= Rank::Six => 1,
        _ => 0,
    };
    cards.iter().map(of).sum()
}
