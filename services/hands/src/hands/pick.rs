//! Which cards make the best hand.

use super::hand::{Category, Hand, Made};
use crate::floor::Card;

/// The first of the best `N` cards, in the order in which the hand is read.
pub(super) fn best<C: Category, const N: usize>(
    cards: &[Card],
    rank: impl Fn(&[Card; N]) -> Option<Hand<C, N>>,
) -> Option<Made<C, N>> {
    let (hand, cards) = strongest(cards, rank)?;
    Some(Made {
        hand,
        cards: in_reading_order(hand, cards),
    })
}

/// The first of the best `N` cards. Every `N` of them are tried, so this is for the few cards a seat
/// holds.
pub(super) fn strongest<C: Category, const N: usize>(
    cards: &[Card],
    rank: impl Fn(&[Card; N]) -> Option<Hand<C, N>>,
) -> Option<(Hand<C, N>, [Card; N])> {
    let mut best: Option<(Hand<C, N>, [Card; N])> = None;
    for_each_choice(cards, &mut |chosen: &[Card; N]| {
        if let Some(hand) = rank(chosen)
            && best.is_none_or(|(best, _)| best < hand)
        {
            best = Some((hand, *chosen));
        }
    });
    best
}

/// All choices of `N` cards, the ones with the first cards first.
fn for_each_choice<const N: usize>(cards: &[Card], visit: &mut impl FnMut(&[Card; N])) {
    let mut at: [usize; N] = std::array::from_fn(|i| i);
    if cards.len() < N {
        return;
    }
    loop {
        visit(&at.map(|i| cards[i]));
        let Some(turn) = (0..N).rev().find(|&i| at[i] < cards.len() - N + i) else {
            return;
        };
        at[turn] += 1;
        for i in turn + 1..N {
            at[i] = at[i - 1] + 1;
        }
    }
}

/// A card that stands for another rank, such as the joker, takes a place that no card of its own
/// rank fills.
fn in_reading_order<C: Category, const N: usize>(hand: Hand<C, N>, cards: [Card; N]) -> [Card; N] {
    let mut left: Vec<Card> = cards.to_vec();
    let of_rank = hand.ranks().map(|rank| {
        let at = left.iter().position(|card| card.rank() == Some(rank))?;
        Some(left.remove(at))
    });
    let mut standing_in = left.into_iter();
    let mut given = cards.into_iter();
    of_rank.map(|card| {
        card.or_else(|| standing_in.next())
            .or_else(|| given.next())
            .unwrap_or(Card::JOKER)
    })
}
