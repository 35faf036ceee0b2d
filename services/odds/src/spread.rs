//! All that can come of a wager, and how often.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::felt::Came;
use crate::ratio::Exact;
use crate::sheet::{Figures, Paying};

/// Results with their weights, which need not add up to one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spread {
    /// By what is gained in cents, and the word of the verdict.
    results: BTreeMap<(i64, &'static str), BigRational>,
    weight: BigRational,
    /// The sum of all that was staked.
    staked: BigRational,
}

/// A whole number as a weight.
pub(crate) fn whole(ways: u128) -> BigRational {
    BigRational::from_integer(ways.into())
}

impl Spread {
    /// A result that comes with this weight. All that is staked is the stake.
    pub(crate) fn add(&mut self, came: &Came, weight: &BigRational) {
        self.add_played(came.result, came.gain, came.stake, weight);
    }

    /// A round in which so many cents were staked and gained on all wagers together.
    pub(crate) fn add_played(
        &mut self,
        result: &'static str,
        gain: i64,
        staked: i64,
        weight: &BigRational,
    ) {
        if weight.is_zero() {
            return;
        }
        *self.results.entry((gain, result)).or_default() += weight;
        self.weight += weight;
        self.staked += weight * BigRational::from_integer(staked.into());
    }

    /// Another spread in place of a result of this weight.
    pub(crate) fn add_all(&mut self, other: &Spread, weight: &BigRational) {
        let share = weight / &other.weight;
        for (key, part) in &other.results {
            *self.results.entry(*key).or_default() += part * &share;
        }
        self.weight += weight;
        self.staked += &other.staked * &share;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.weight.is_zero()
    }

    /// Does every round give the wager back as void?
    pub(crate) fn is_void(&self) -> bool {
        self.results.keys().all(|(_, result)| *result == "void")
    }

    /// The share of the results with this word.
    pub(crate) fn share(&self, result: &str) -> BigRational {
        let of = self.results.iter().filter(|((_, word), _)| *word == result);
        of.map(|(_, weight)| weight).sum::<BigRational>() / &self.weight
    }

    /// The figures of a first stake of so many cents.
    pub(crate) fn figures(&self, stake: i64) -> Figures {
        let stake = BigRational::from_integer(stake.into());
        let (mut mean, mut square) = (BigRational::zero(), BigRational::zero());
        let mut rows = Vec::new();
        for (&(gain, result), weight) in self.results.iter().rev() {
            let gains = BigRational::from_integer(gain.into()) / &stake;
            let probability = weight / &self.weight;
            mean += &gains * &probability;
            square += &gains * &gains * &probability;
            rows.push(Paying {
                result,
                rows: Vec::new(),
                gains: Exact(gains),
                probability: Exact(probability),
            });
        }
        let variance = square - &mean * &mean;
        let staked = &self.staked / &self.weight / &stake;
        let element_of_risk = (!staked.is_one()).then(|| Exact(-&mean / staked));
        Figures {
            house_edge: Exact(-mean),
            element_of_risk,
            variance: Exact(variance),
            rows,
        }
    }
}
