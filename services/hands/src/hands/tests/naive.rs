//! Evaluators without tables or masks, to hold the fast ones against.

use crate::floor::{Card, CardSet, Rank};
use crate::hands::hand::Category as _;
use crate::hands::joker::LowStraight;
use crate::hands::{five, four, joker, three, wild};

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

/// A straight whose ace is low beats the king high one, where the option says so.
pub(super) type Placed = (joker::Category, u8, Vec<Rank>);

/// Tries every card in the joker's place: an ace, or one that completes something.
pub(super) fn read_joker(cards: &[Card], low: LowStraight) -> Placed {
    use five::Category::*;
    let plain = |cards: &[Card]| {
        let (category, ranks) = read_five(cards);
        let place = match (low, category) {
            (LowStraight::SecondHighest, Straight | StraightFlush) => match ranks[0] {
                Rank::Ace => 2,
                Rank::Five => 1,
                _ => 0,
            },
            _ => 0,
        };
        let same = joker::Category::ALL[category as usize];
        (same, place, ranks)
    };
    let Some(at) = cards.iter().position(|card| card.is_joker()) else {
        return plain(cards);
    };
    let rest: Vec<Card> = cards
        .iter()
        .copied()
        .filter(|card| !card.is_joker())
        .collect();
    if rest.iter().all(|card| card.rank() == Some(Rank::Ace)) {
        return (joker::Category::FiveAces, 0, vec![Rank::Ace; 5]);
    }
    Card::deck()
        .filter(|card| !rest.contains(card))
        .filter_map(|card| {
            let mut cards = cards.to_vec();
            cards[at] = card;
            let completes = matches!(
                read_five(&cards).0,
                Straight | Flush | StraightFlush | RoyalFlush
            );
            (completes || card.rank() == Some(Rank::Ace)).then(|| plain(&cards))
        })
        .max()
        .unwrap()
}

/// Tries every card in the place of every wild one. A rank may repeat beyond the deck's four, but
/// not inside a flush.
pub(super) fn read_wild(cards: &[Card], wilds: CardSet) -> Read<wild::Category> {
    if cards.iter().all(|&card| wilds.contains(card)) {
        return (wild::Category::FiveWilds, vec![Rank::Ace; 5]);
    }
    let natural: Vec<Card> = cards
        .iter()
        .copied()
        .filter(|&card| !wilds.contains(card))
        .collect();
    if natural.len() == 5 {
        return as_wild(read_five(cards));
    }
    substitutions(5 - natural.len())
        .into_iter()
        .map(|chosen| {
            let five: Vec<Card> = natural
                .iter()
                .copied()
                .chain(chosen.iter().copied())
                .collect();
            let mut ranks: Vec<Rank> = five.iter().map(|card| card.rank().unwrap()).collect();
            ranks.sort();
            if ranks[0] == ranks[4] {
                return (wild::Category::FiveOfAKind, ranks);
            }
            let (category, ranks) = read_five(&five);
            let repeats = (1..=chosen.len()).any(|i| {
                five[..5 - i]
                    .iter()
                    .any(|card| card.rank() == five[5 - i].rank())
            });
            if category == five::Category::Flush && repeats {
                return (wild::Category::HighCard, vec![Rank::Two; 5]);
            }
            as_wild((category, ranks))
        })
        .max()
        .unwrap()
}

fn as_wild((category, ranks): Read<five::Category>) -> Read<wild::Category> {
    let same = match category {
        five::Category::RoyalFlush => wild::Category::RoyalFlush,
        other => wild::Category::ALL[other as usize],
    };
    (same, ranks)
}

/// All multisets of `wilds` cards.
fn substitutions(wilds: usize) -> Vec<Vec<Card>> {
    (0..wilds).fold(vec![vec![]], |shorter, _| {
        shorter
            .iter()
            .flat_map(|chosen| {
                let from = chosen.last().copied();
                Card::deck()
                    .filter(move |&card| from.is_none_or(|from| from <= card))
                    .map(|card| chosen.iter().copied().chain([card]).collect())
            })
            .collect()
    })
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
