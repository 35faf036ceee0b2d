//! A sequential test that may be looked at after every outcome.
//!
//! Somebody who doubts that outcomes are fair bets against it: on each of a few groups of outcomes, at
//! each of a few strengths, with a fair payout under the expected frequencies. If these are true, no
//! such bettor can expect to gain, and by Ville's inequality the chance that his wealth *ever* reaches
//! `1 / a` is at most `a`, however long he plays and whenever somebody looks. The suspicion is the mean
//! wealth of all bettors, each of whom began with 1.

use serde::{Deserialize, Serialize};

/// Nothing is said of fewer outcomes, however strange they are: a handful is no frequency.
const LEAST_OUTCOMES: u64 = 100;
/// Suspicion at which it is said: once in 10,000 fair objects at most, in all their time.
const TOLD: f64 = 1e4;
/// Suspicion that is strong: once in ten million.
const STRONG: f64 = 1e7;

/// How strong a suspicion has become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Level {
    Told,
    Strong,
}

/// The bettors against one object: a number for each group and strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Suspicion {
    /// Logarithm of each bettor's wealth, the strengths of a group together.
    wealth: Vec<f64>,
    pub(super) outcomes: u64,
    said: Option<Level>,
}

impl Suspicion {
    pub(super) fn new(groups: usize, strengths: &[f64]) -> Suspicion {
        Suspicion {
            wealth: vec![0.0; groups * strengths.len()],
            outcomes: 0,
            said: None,
        }
    }

    /// Takes an outcome: for each group, the probability that was expected of it and whether it came.
    /// A strength of 0.5 says that the group comes half as often again. The level, if it is a new one.
    pub(super) fn take(
        &mut self,
        strengths: &[f64],
        groups: impl IntoIterator<Item = (f64, bool)>,
    ) -> Option<Level> {
        self.take_of(LEAST_OUTCOMES, strengths, groups)
    }

    /// The same where something is said of no fewer than so many.
    pub(super) fn take_of(
        &mut self,
        least: u64,
        strengths: &[f64],
        groups: impl IntoIterator<Item = (f64, bool)>,
    ) -> Option<Level> {
        self.outcomes += 1;
        let mut wealth = self.wealth.iter_mut();
        for (expected, came) in groups {
            for (strength, wealth) in strengths.iter().zip(wealth.by_ref()) {
                let gain = if came { 1.0 + strength } else { 1.0 };
                *wealth += libm::log(gain / (1.0 + strength * expected));
            }
        }
        // The mean is never above the richest.
        let richest = self.wealth.iter().copied().fold(f64::MIN, f64::max);
        if richest < libm::log(TOLD) || self.outcomes < least {
            return None;
        }
        let level = match self.mean() {
            mean if mean >= STRONG => Level::Strong,
            mean if mean >= TOLD => Level::Told,
            _ => return None,
        };
        (self.said < Some(level)).then(|| *self.said.insert(level))
    }

    /// The group that is suspected most.
    pub(super) fn suspect(&self, strengths: &[f64]) -> usize {
        let best = (0..self.wealth.len())
            .max_by(|&one, &other| self.wealth[one].total_cmp(&self.wealth[other]));
        best.unwrap_or(0) / strengths.len().max(1)
    }

    fn mean(&self) -> f64 {
        let sum: f64 = self.wealth.iter().map(|wealth| libm::exp(*wealth)).sum();
        sum / self.wealth.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const STRENGTHS: [f64; 2] = [0.5, 2.0];

    /// The same numbers on every machine.
    struct Rolls(u64);

    impl Rolls {
        fn next(&mut self, sides: u64) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % sides
        }
    }

    fn play(seed: u64, rolls: u64, sides: u64, loaded: impl Fn(u64) -> bool) -> Option<u64> {
        let mut suspicion = Suspicion::new(sides as usize, &STRENGTHS);
        let mut dice = Rolls(seed);
        for roll in 0..rolls {
            let face = dice.next(sides);
            let face = if loaded(dice.next(100)) { 0 } else { face };
            let groups = (0..sides).map(|side| (1.0 / sides as f64, side == face));
            if suspicion.take(&STRENGTHS, groups).is_some() {
                assert_eq!(suspicion.suspect(&STRENGTHS), 0);
                return Some(roll);
            }
        }
        None
    }

    #[test]
    fn a_handful_of_outcomes_is_never_suspected() {
        let always = play(1, 1_000, 6, |_| true);
        assert_eq!(always, Some(LEAST_OUTCOMES - 1));
    }

    #[test]
    fn fair_dice_are_not_suspected() {
        for seed in 1..=50 {
            assert_eq!(play(seed, 5_000, 6, |_| false), None, "seed {seed}");
        }
    }

    #[test]
    fn a_loaded_die_is_suspected_sooner_the_more_it_is_loaded() {
        let mut last = u64::MAX;
        for percent in [10, 20, 40] {
            let mut delays: Vec<u64> = (1..=9)
                .map(|seed| play(seed, 20_000, 6, |draw| draw < percent).unwrap())
                .collect();
            delays.sort_unstable();
            assert!(delays[4] < last, "{percent}%: {delays:?}");
            last = delays[4];
        }
    }
}
