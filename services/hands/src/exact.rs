//! Exact mathematics: all hands there are, and what is known before the last cards fall.
//!
//! House edges and frequencies are published for whole decks; what settles a round is held against
//! them by enumeration. The loops are here, where they are optimised in every profile.

mod house;

use std::collections::BTreeMap;

pub use house::{House, Met};

use crate::floor::{Card, CardSet};
use crate::hands::five;

/// Hands of five cards.
pub const FIVES: i64 = 2_598_960;
/// Hands of three cards.
pub const THREES: i64 = 22_100;

/// Calls `visit` with each hand of so many of the 52 cards, by the indices of its cards.
pub fn for_each_set(cards: u32, visit: &mut dyn FnMut(CardSet)) {
    let mut bits = (1_u64 << cards.min(52)) - 1;
    while let Some(set) = CardSet::from_bits(bits).filter(|set| set.bits() >> 52 == 0) {
        visit(set);
        if bits == 0 {
            return;
        }
        // The next higher number with as many bits.
        let carried = bits + (bits & bits.wrapping_neg());
        bits = carried | (bits ^ carried) >> (bits.trailing_zeros() + 2);
    }
}

/// Visits hands of so many of the 52 cards, each with the number of hands that it stands for.
pub type Enumerate = fn(u32, &mut dyn FnMut(&[Card], u64));

/// Calls `visit` with each hand of so many of the 52 cards, which stands for itself.
pub fn for_each_hand(cards: u32, visit: &mut dyn FnMut(&[Card], u64)) {
    for_each_set(cards, &mut |set| visit(&set.iter().collect::<Vec<_>>(), 1));
}

/// Calls `visit` with each hand of so many of the 52 cards up to a change of suits, and the number of
/// hands that it stands for.
pub fn for_each_up_to_suits(cards: u32, visit: &mut dyn FnMut(&[Card], u64)) {
    let masks: Vec<Vec<u16>> = (0..=cards)
        .map(|count| {
            let all = 0..1 << 13;
            all.filter(|mask: &u16| mask.count_ones() == count)
                .collect()
        })
        .collect();
    let of = |count: u32| &masks[count as usize];
    let below = |above: u16| move |mask: &&u16| **mask <= above;
    // The ranks of the four suits in falling order.
    for a in 0..=cards {
        for b in 0..=cards - a {
            for c in 0..=cards - a - b {
                for &clubs in of(a) {
                    for &diamonds in of(b).iter().filter(below(clubs)) {
                        for &hearts in of(c).iter().filter(below(diamonds)) {
                            for &spades in of(cards - a - b - c).iter().filter(below(hearts)) {
                                let suits = [clubs, diamonds, hearts, spades];
                                visit(&cards_of(suits), arrangements(suits));
                            }
                        }
                    }
                }
            }
        }
    }
}

fn cards_of(suits: [u16; 4]) -> Vec<Card> {
    let cards = (0..4).zip(suits).flat_map(|(suit, ranks)| {
        let held = (0..13).filter(move |rank| ranks >> rank & 1 == 1);
        held.filter_map(move |rank| Card::from_index(rank * 4 + suit))
    });
    cards.collect()
}

/// In how many ways four suits can hold these ranks, which are sorted.
fn arrangements(suits: [u16; 4]) -> u64 {
    let mut ways = 24;
    let mut run = 1;
    for at in 1..4 {
        run = if suits[at] == suits[at - 1] {
            run + 1
        } else {
            1
        };
        ways /= run;
    }
    ways
}

/// Calls `visit` with each hand of five cards, by the ascending indices of its cards.
pub fn for_each_five(visit: &mut dyn FnMut([usize; 5], five::Hand)) {
    for e in 4..52 {
        for d in 3..e {
            for c in 2..d {
                for b in 1..c {
                    for a in 0..b {
                        let at = [a, b, c, d, e];
                        let bits = at.iter().fold(0, |bits, index| bits | 1 << index);
                        if let Some(hand) = CardSet::from_bits(bits).and_then(five::rank_set) {
                            visit(at, hand);
                        }
                    }
                }
            }
        }
    }
}

/// One hand of each class and leading rank, which is all that a pay table looks at, and how many
/// there are.
pub fn classes() -> Vec<(five::Hand, i64)> {
    let mut classes = BTreeMap::new();
    for_each_five(&mut |_, hand| {
        let class = classes.entry(class_of(hand)).or_insert((hand, 0));
        class.1 += 1;
    });
    classes.into_values().collect()
}

fn class_of(hand: five::Hand) -> usize {
    13 * hand.category() as usize + usize::from(hand.ranks()[0].index())
}

/// The place of ascending indices among all sets of so many cards, four at most.
pub fn place(ascending: &[usize]) -> usize {
    let sizes = ascending.iter().enumerate();
    sizes.map(|(taken, &index)| CHOOSE[index][taken + 1]).sum()
}

/// Ways to take up to four of so many cards.
const CHOOSE: [[usize; 5]; 53] = {
    let mut ways = [[0; 5]; 53];
    let mut of = 0;
    while of < 53 {
        ways[of][0] = 1;
        let mut taken = 1;
        while of > 0 && taken < 5 {
            ways[of][taken] = ways[of - 1][taken - 1] + ways[of - 1][taken];
            taken += 1;
        }
        of += 1;
    }
    ways
};

/// What a hand of five is worth, added up over all that can still be dealt to two, three and four
/// known cards.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// By [`place`]; over 19,600 sets of three further cards.
    pub with_two: Vec<i64>,
    /// By [`place`]; over 1,176 pairs of further cards.
    pub with_three: Vec<i64>,
    /// By [`place`]; over 48 further cards.
    pub with_four: Vec<i64>,
    /// Over all hands.
    pub with_none: i64,
}

impl Outlook {
    /// `worth` looks at no more of a hand than its class and leading rank.
    pub fn of(worth: &dyn Fn(five::Hand) -> i64) -> Outlook {
        let mut outlook = Outlook {
            with_two: vec![0; CHOOSE[52][2]],
            with_three: vec![0; CHOOSE[52][3]],
            with_four: vec![0; CHOOSE[52][4]],
            with_none: 0,
        };
        let mut by_class = [None; 130];
        for_each_five(&mut |at, hand| {
            let worth = *by_class[class_of(hand)].get_or_insert_with(|| worth(hand));
            outlook.with_none += worth;
            for out in 0..5 {
                let four: [usize; 4] = std::array::from_fn(|i| at[i + usize::from(i >= out)]);
                outlook.with_four[place(&four)] += worth;
                for also in out..4 {
                    let three: [usize; 3] =
                        std::array::from_fn(|i| four[i + usize::from(i >= also)]);
                    outlook.with_three[place(&three)] += worth;
                    for then in also..3 {
                        let two: [usize; 2] =
                            std::array::from_fn(|i| three[i + usize::from(i >= then)]);
                        outlook.with_two[place(&two)] += worth;
                    }
                }
            }
        });
        outlook
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_up_to_suits_stand_for_all_hands() {
        // Classes of hands: 1,755 of three cards, 16,432 of four, 134,459 of five.
        for (cards, classes, hands) in [
            (3, 1_755, 22_100),
            (4, 16_432, 270_725),
            (5, 134_459, 2_598_960),
        ] {
            let mut seen = (0, 0);
            for_each_up_to_suits(cards, &mut |hand, ways| {
                assert_eq!(hand.len(), cards as usize);
                seen = (seen.0 + 1, seen.1 + ways);
            });
            assert_eq!(seen, (classes, hands));
        }
    }

    #[test]
    fn every_set_comes_once() {
        for (cards, hands) in [(0, 1), (1, 52), (4, 270_725)] {
            let mut seen = 0;
            for_each_set(cards, &mut |set| {
                assert_eq!(set.len(), cards);
                seen += 1;
            });
            assert_eq!(seen, hands);
        }
    }
}
