//! A wheel or dice that favour an outcome.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// In so many of a thousand times the favoured outcome comes whatever chance says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bias {
    per_mille: u32,
}

impl Bias {
    pub(super) fn of(per_mille: u32) -> Bias {
        Bias { per_mille }
    }

    /// Does it show this time? What is fair asks nothing of chance.
    pub(super) fn shows(self, rng: &mut ChaCha8Rng) -> bool {
        self.per_mille > 0 && rng.random_range(0..1000) < self.per_mille
    }

    /// A die that favours the six.
    pub(super) fn die(self, rng: &mut ChaCha8Rng) -> u8 {
        match self.shows(rng) {
            true => 6,
            false => rng.random_range(1..=6),
        }
    }
}
