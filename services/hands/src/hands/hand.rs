//! What an evaluator answers: category and strength of a hand, and the cards that make it.

use std::fmt;
use std::marker::PhantomData;

use crate::floor::{Card, Rank};

/// The classes of one ranking.
pub trait Category: Copy + Ord + fmt::Debug + 'static {
    /// All classes, the weakest first.
    const ALL: &'static [Self];
}

/// An evaluated hand of `N` cards under the ranking `C`.
///
/// Higher is better, and two hands are equal exactly if the rules call them a tie. Hands are
/// comparable only if they were ranked under the same options.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hand<C, const N: usize> {
    /// From the top: category, place of a straight that is not ranked by its top card, and the `N`
    /// ranks in reading order, four bits each.
    score: u32,
    ranking: PhantomData<C>,
}

const CATEGORY_SHIFT: u32 = 24;
const PLACE_SHIFT: u32 = 20;

impl<C: Category, const N: usize> Hand<C, N> {
    pub fn category(self) -> C {
        C::ALL[category_of(self.score).min(C::ALL.len() - 1)]
    }

    /// The ranks in the order in which the rules compare them: the larger group first, then the
    /// higher rank. A low ace comes last, and a wild card has the rank it stands for.
    pub fn ranks(self) -> [Rank; N] {
        std::array::from_fn(|i| Rank::ALL[usize::from(rank_at(self.score, N, i)).min(12)])
    }

    /// A number that orders hands as they compare. It has no other meaning.
    pub const fn strength(self) -> u32 {
        self.score
    }
}

impl<C, const N: usize> Hand<C, N> {
    pub(super) const fn from_score(score: u32) -> Self {
        Hand {
            score,
            ranking: PhantomData,
        }
    }
}

impl<C: Category, const N: usize> fmt::Debug for Hand<C, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} ", self.category())?;
        self.ranks()
            .iter()
            .try_for_each(|rank| write!(f, "{}", rank.letter()))
    }
}

/// A hand and the cards that make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made<C: Category, const N: usize> {
    pub hand: Hand<C, N>,
    /// In the order of [`Hand::ranks`]. Where several choices make the same hand, it is the one with
    /// the cards that were given first.
    pub cards: [Card; N],
}

/// The score of a hand of category `category` that reads `ranks`.
pub(super) const fn score<const N: usize>(category: u32, ranks: [u8; N]) -> u32 {
    let mut score = category << (CATEGORY_SHIFT - 4 * N as u32);
    let mut i = 0;
    while i < N {
        score = score << 4 | ranks[i] as u32;
        i += 1;
    }
    score
}

/// Ranks a straight above all others of its category that have a lower place.
pub(super) const fn with_place(score: u32, place: u32) -> u32 {
    score | place << PLACE_SHIFT
}

/// The same ranks in another category.
pub(super) const fn recategorised(score: u32, category: u32) -> u32 {
    score & ((1 << CATEGORY_SHIFT) - 1) | category << CATEGORY_SHIFT
}

pub(super) const fn category_of(score: u32) -> usize {
    (score >> CATEGORY_SHIFT) as usize
}

/// Index of the rank that is read at place `i` of `n`.
pub(super) const fn rank_at(score: u32, n: usize, i: usize) -> u8 {
    (score >> (4 * (n - 1 - i)) & 0xf) as u8
}
