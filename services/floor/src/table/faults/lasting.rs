//! Faults that last: a wheel or dice that favour an outcome, a dealer who has a friend, a reader that is blind.

use catwalk_rules::floor::Cents;
use rand::RngExt;

use crate::fault::{FaultKind, Label};
use crate::table::Table;

/// What goes on at the table from some round on.
#[derive(Debug, Default)]
pub(super) struct Lasting {
    begun: Vec<FaultKind>,
    /// A dealer, and how often of a thousand times he pays his friend too much.
    collusion: Option<(String, u32)>,
}

impl Table {
    /// It begins with this round: the label of it, if the table has room for it and it is new.
    pub(in crate::table) fn begin(
        &mut self,
        kind: FaultKind,
        per_mille: u32,
        round: &str,
    ) -> Option<Label> {
        if self.mischief.lasting.begun.contains(&kind) {
            return None;
        }
        let codes = match kind {
            FaultKind::CollusiveDealer => {
                self.mischief.lasting.collusion = Some((self.dealer(), per_mille));
                vec!["statistics.dealer"]
            }
            _ if !self.game.favour(kind, per_mille) => return None,
            FaultKind::LoadedDice => vec!["statistics.dice"],
            FaultKind::SparingDealer => vec!["statistics.called_off"],
            FaultKind::BlindReader => vec!["statistics.unseen"],
            _ => vec!["statistics.wheel", "roulette.bias", "bigsix.bias"],
        };
        self.mischief.lasting.begun.push(kind);
        let mut label = self.label(kind, round, None, Cents::ZERO, codes);
        label.seqs = vec![self.seq + 1];
        label.strength_per_mille = Some(per_mille);
        Some(label)
    }

    /// Does the dealer pay his friend too much in this round?
    pub(in crate::table) fn tempted(&mut self) -> Option<FaultKind> {
        let (dealer, per_mille) = self.mischief.lasting.collusion.as_ref()?;
        let is_tempted = *dealer == self.dealer() && self.rng.random_range(0..1000) < *per_mille;
        is_tempted.then_some(FaultKind::Collusion)
    }
}
