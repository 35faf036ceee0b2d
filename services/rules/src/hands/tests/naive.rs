//! Evaluators without tables or masks, to hold the fast ones against.

use crate::floor::{Card, Rank};
use crate::hands::{five, four, three};

/// A hand by category and the ranks in the order in which they are compared.
pub(super) type Read<C> = (C, Vec<Rank>);

/// What can be seen of a few cards with plain sorting.
struct Seen {
    /// The larger group first, then the higher rank.
    grouped: Vec<Rank>,
    groups: Vec<usize>,
    descending: Vec<Rank>,
    suited: bool,
    straight: Option<Vec<Rank>>,
}

fn see(cards: &[Card]) -> Seen {
    let mut descending: Vec<Rank> = cards.iter().map(|card| card.rank().unwrap()).collect();
    descending.sort();
    descending.reverse();
    let count = |rank: Rank| descending.iter().filter(|&&r| r == rank).count();
    let mut grouped = descending.clone();
    grouped.sort_by_key(|&rank| std::cmp::Reverse((count(rank), rank)));
    let mut groups: Vec<usize> = grouped.chunk_by(|a, b| a == b).map(<[Rank]>::len).collect();
    groups.sort_by_key(|&size| std::cmp::Reverse(size));

    let runs = descending
        .windows(2)
        .all(|pair| pair[0].index() == pair[1].index() + 1);
    let low_ace: Vec<Rank> = descending
        .iter()
        .skip(1)
        .chain([&Rank::Ace])
        .copied()
        .collect();
    let is_low = descending[0] == Rank::Ace
        && (1..descending.len())
            .all(|i| low_ace[i - 1].index() as usize == descending.len() - 1 - i);
    Seen {
        straight: if runs {
            Some(descending.clone())
        } else {
            is_low.then_some(low_ace)
        },
        suited: cards.iter().all(|card| card.suit() == cards[0].suit()),
        grouped,
        groups,
        descending,
    }
}

pub(super) fn read_five(cards: &[Card]) -> Read<five::Category> {
    use five::Category::*;
    let Seen {
        grouped,
        groups,
        descending,
        suited,
        straight,
    } = see(cards);
    match (&groups[..], suited, straight) {
        (_, true, Some(straight)) if straight[0] == Rank::Ace => (RoyalFlush, straight),
        (_, true, Some(straight)) => (StraightFlush, straight),
        ([5] | [4, 1], ..) => (FourOfAKind, grouped),
        ([3, 2], ..) => (FullHouse, grouped),
        (_, true, None) => (Flush, descending),
        (_, false, Some(straight)) => (Straight, straight),
        ([3, ..], ..) => (ThreeOfAKind, grouped),
        ([2, 2, 1], ..) => (TwoPair, grouped),
        ([2, ..], ..) => (Pair, grouped),
        _ => (HighCard, grouped),
    }
}

pub(super) fn read_four(cards: &[Card]) -> Read<four::Category> {
    use four::Category::*;
    let Seen {
        grouped,
        groups,
        descending,
        suited,
        straight,
    } = see(cards);
    match (&groups[..], suited, straight) {
        ([4], ..) => (FourOfAKind, grouped),
        (_, true, Some(straight)) => (StraightFlush, straight),
        ([3, 1], ..) => (ThreeOfAKind, grouped),
        (_, true, None) => (Flush, descending),
        (_, false, Some(straight)) => (Straight, straight),
        ([2, 2], ..) => (TwoPair, grouped),
        ([2, ..], ..) => (Pair, grouped),
        _ => (HighCard, grouped),
    }
}

pub(super) fn read_three(cards: &[Card]) -> Read<three::Category> {
    use three::Category::*;
    let Seen {
        grouped,
        groups,
        descending,
        suited,
        straight,
    } = see(cards);
    match (&groups[..], suited, straight) {
        (_, true, Some(straight)) => (StraightFlush, straight),
        ([3], ..) => (ThreeOfAKind, grouped),
        (_, false, Some(straight)) => (Straight, straight),
        (_, true, None) => (Flush, descending),
        ([2, 1], ..) => (Pair, grouped),
        _ => (HighCard, grouped),
    }
}

/// All ways to leave cards out until `keep` are left.
pub(super) fn choices(cards: &[Card], keep: usize) -> Vec<Vec<Card>> {
    if cards.len() == keep {
        return vec![cards.to_vec()];
    }
    let mut all: Vec<Vec<Card>> = (0..cards.len())
        .flat_map(|left_out| {
            let mut rest = cards.to_vec();
            rest.remove(left_out);
            choices(&rest, keep)
        })
        .collect();
    all.sort();
    all.dedup();
    all
}

pub(super) fn best_of<C: Ord>(
    cards: &[Card],
    keep: usize,
    read: impl Fn(&[Card]) -> Read<C>,
) -> Read<C> {
    choices(cards, keep)
        .iter()
        .map(|chosen| read(chosen))
        .max()
        .unwrap()
}
