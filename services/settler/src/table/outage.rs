//! A device that was off the line sends what it has in a row, again or late: one outage is told once.

use serde::{Deserialize, Serialize};

/// What was told last.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Outage {
    /// The last number that was sent again.
    repeated: Option<u64>,
    /// The number that events came late after.
    late_after: Option<u64>,
    /// The last number that came after it had been given up.
    given_up: Option<u64>,
    /// The last number that was far from the others.
    stray: Option<u64>,
}

impl Outage {
    /// A number is sent again: true if that is another outage than the last.
    pub(super) fn repeats(&mut self, seq: u64) -> bool {
        begins(&mut self.repeated, seq)
    }

    /// A number comes late, after this one: true if nothing was told of that one yet.
    pub(super) fn is_late(&mut self, after: u64) -> bool {
        self.late_after.replace(after) != Some(after)
    }

    /// A number comes that had been given up: true if that is another outage than the last.
    pub(super) fn comes_given_up(&mut self, seq: u64) -> bool {
        begins(&mut self.given_up, seq)
    }

    /// A number comes that is far from the others: true if that is another outage than the last.
    pub(super) fn is_far(&mut self, seq: u64) -> bool {
        begins(&mut self.stray, seq)
    }
}

/// True if it neither says the last one again nor goes on where that was.
fn begins(last: &mut Option<u64>, seq: u64) -> bool {
    let before = last.replace(seq);
    before.is_none_or(|before| seq != before && Some(seq) != before.checked_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_again_in_a_row_is_one_outage() {
        let mut outage = Outage::default();
        let told = [7, 8, 8, 9, 12, 13, 7].map(|seq| outage.repeats(seq));
        assert_eq!(told, [true, false, false, false, true, false, true]);
    }

    #[test]
    fn what_comes_late_after_one_event_is_one_outage() {
        let mut outage = Outage::default();
        let told = [60, 60, 61, 60].map(|after| outage.is_late(after));
        assert_eq!(told, [true, false, true, true]);
    }
}
