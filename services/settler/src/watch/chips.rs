//! Chips by value: values that exist, and sums that add up.

use std::collections::BTreeMap;

use catwalk_events::Event;
use catwalk_events::body::Body;
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};

use super::{AtTable, Sighting};

/// Whether the table is one of a tournament.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Chips {
    /// Chips of a tournament have values of their own.
    tournament: bool,
}

impl Chips {
    pub(super) fn see(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        if let Body::TableOpened(opened) = &event.body {
            self.tournament = opened.tournament == Some(true);
        }
        let Some((chips, amount)) = counted(&event.body).filter(|_| !self.tournament) else {
            return;
        };
        check_values(chips, table, event.seq, seen);
        if let Some(amount) = amount {
            check_sum(chips, amount, event.seq, seen);
        }
    }
}

/// Chips by value, and the amount that they were told to make.
fn counted(body: &Body) -> Option<(&BTreeMap<String, u32>, Option<Cents>)> {
    let (chips, amount) = match body {
        Body::Fill(fill) => (fill.denominations.as_ref()?, Some(fill.amount)),
        Body::Credit(credit) => (credit.denominations.as_ref()?, Some(credit.amount)),
        Body::InventoryCounted(counted) => (counted.denominations.as_ref()?, Some(counted.amount)),
        Body::TableOpened(opened) => (
            opened.denominations.as_ref()?,
            Some(opened.opening_inventory),
        ),
        Body::TableClosed(closed) => (
            closed.denominations.as_ref()?,
            Some(closed.closing_inventory),
        ),
        Body::ChipsMoved(moved) => (&moved.denominations, None),
        Body::ChipsCounted(counted) => (&counted.denominations, None),
        Body::ChipsDestroyed(gone) => (&gone.denominations, None),
        Body::LiabilityComputed(owed) => (&owed.denominations, None),
        _ => return None,
    };
    Some((chips, amount))
}

fn value(name: &str) -> Option<i64> {
    name.parse().ok()
}

/// Each value exists, where the jurisdiction says which do.
fn check_values(
    chips: &BTreeMap<String, u32>,
    table: &AtTable<'_>,
    seq: u64,
    seen: &mut Vec<Sighting>,
) {
    let Some(rule) = &table.chapter.chips else {
        return;
    };
    let exists = |value: i64| rule.values.iter().any(|known| known.get() == value);
    let is_unknown = |name: &&String| value(name).is_none_or(|value| !exists(value));
    let unknown = chips.keys().filter(is_unknown).map(String::as_str);
    let unknown: Vec<&str> = unknown.collect();
    if !unknown.is_empty() {
        let message = format!("There are no chips of {} cents", unknown.join(", "));
        seen.push(Sighting::new("chips.denomination", vec![seq], message));
    }
}

/// Together they make the amount.
fn check_sum(chips: &BTreeMap<String, u32>, amount: Cents, seq: u64, seen: &mut Vec<Sighting>) {
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
