mod against_naive;
mod counts;
mod naive;
mod readings;

use super::hand::{Category, Hand};
use crate::floor::{Card, CardSet};

/// Cards written with spaces between them.
fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace()
        .map(|card| card.parse().unwrap())
        .collect()
}

/// All sets of `cards` of the first `deck` cards: 52, or 53 with the joker.
fn sets(cards: u32, deck: u32) -> impl Iterator<Item = CardSet> {
    let first = (1_u64 << cards) - 1;
    std::iter::successors(Some(first), |&bits| {
        let carried = bits + (bits & bits.wrapping_neg());
        Some(carried | (bits ^ carried) >> (bits.trailing_zeros() + 2))
    })
    .take_while(move |bits| bits >> deck == 0)
    .map(|bits| CardSet::from_bits(bits).unwrap())
}

/// How many of the hands fall into each category, the strongest first.
fn frequencies<C: Category, const N: usize>(
    hands: impl Iterator<Item = Option<Hand<C, N>>>,
) -> Vec<(C, u64)> {
    let mut frequencies: Vec<(C, u64)> = C::ALL.iter().map(|&category| (category, 0)).collect();
    for hand in hands {
        let category = hand.unwrap().category();
        frequencies
            .iter_mut()
            .find(|(c, _)| *c == category)
            .unwrap()
            .1 += 1;
    }
    frequencies.reverse();
    frequencies
}

/// How many different strengths the hands have.
fn strengths<C: Category, const N: usize>(
    hands: impl Iterator<Item = Option<Hand<C, N>>>,
) -> usize {
    let mut seen = vec![0_u64; 1 << 22];
    for hand in hands {
        let strength = hand.unwrap().strength() as usize;
        seen[strength / 64] |= 1 << (strength % 64);
    }
    seen.iter().map(|bits| bits.count_ones() as usize).sum()
}

/// A deterministic shuffle: `hands` times `cards` different cards of the first `deck`.
fn dealt(hands: usize, cards: usize, deck: u8) -> impl Iterator<Item = Vec<Card>> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64 + cards as u64;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % below
    };
    (0..hands).map(move |_| {
        let mut left: Vec<u8> = (0..deck).collect();
        (0..cards)
            .map(|_| left.swap_remove(random(left.len() as u64) as usize))
            .map(|index| Card::from_index(index).unwrap())
            .collect()
    })
}
