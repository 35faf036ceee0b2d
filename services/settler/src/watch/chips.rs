//! Chips by value: values that exist, and sums that add up.

use std::collections::BTreeMap;

use catwalk_events::Event;
use catwalk_events::body::Body;
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};

use super::Sighting;

/// Value chips (146.03), rake chips of the poker room (146.07) and plaques (146.08), in cents.
const VALUES: [i64; 18] = [
    100, 200, 250, 300, 400, 500, 1_000, 2_000, 2_500, 10_000, 50_000, 100_000, 500_000, 1_000_000,
    2_000_000, 2_500_000, 5_000_000, 10_000_000,
];

/// Whether the table is one of a tournament.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Chips {
    /// Chips of a tournament have values of their own.
    tournament: bool,
}

impl Chips {
    pub(super) fn see(&mut self, event: &Event, seen: &mut Vec<Sighting>) {
        let seq = event.seq;
        match &event.body {
            Body::TableOpened(opened) => self.tournament = opened.tournament == Some(true),
            Body::Fill(fill) => {
                self.count(fill.denominations.as_ref(), Some(fill.amount), seq, seen)
            }
            Body::Credit(credit) => {
                self.count(
                    credit.denominations.as_ref(),
                    Some(credit.amount),
                    seq,
                    seen,
                );
            }
            Body::InventoryCounted(counted) => {
                let chips = counted.denominations.as_ref();
                self.count(chips, Some(counted.amount), seq, seen);
            }
            Body::ChipsMoved(moved) => self.count(Some(&moved.denominations), None, seq, seen),
            Body::ChipsCounted(counted) => {
                self.count(Some(&counted.denominations), None, seq, seen);
            }
            Body::ChipsDestroyed(gone) => self.count(Some(&gone.denominations), None, seq, seen),
            Body::LiabilityComputed(owed) => self.count(Some(&owed.denominations), None, seq, seen),
            _ => {}
        }
    }

    /// Chips by value: each value exists, and together they make the amount.
    fn count(
        &self,
        chips: Option<&BTreeMap<String, u32>>,
        amount: Option<Cents>,
        seq: u64,
        seen: &mut Vec<Sighting>,
    ) {
        let Some(chips) = chips.filter(|_| !self.tournament) else {
            return;
        };
        let value = |name: &str| name.parse::<i64>().ok();
        let is_unknown = |name: &&String| value(name).is_none_or(|value| !VALUES.contains(&value));
        let unknown: Vec<&str> = chips
            .keys()
            .filter(is_unknown)
            .map(String::as_str)
            .collect();
        if !unknown.is_empty() {
            let message = format!("There are no chips of {} cents", unknown.join(", "));
            seen.push(Sighting::new("chips.denomination", vec![seq], message));
        }
        let Some(amount) = amount else { return };
        let worth = |(name, count): (&String, &u32)| {
            value(name).map(|value| i128::from(value) * i128::from(*count))
        };
        let sum: Option<i128> = chips.iter().map(worth).sum();
        let total = i128::from(amount.get());
        if let Some(sum) = sum.filter(|sum| *sum != total) {
            let message = format!("Chips of {sum} cents were told as {amount}");
            seen.push(Sighting::new("chips.denomination_sum", vec![seq], message));
        }
    }
}
