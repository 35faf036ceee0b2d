//! What a house posts for a table: how it deals, its limits, and the most that it pays.

use serde::Deserialize;

use crate::Limits;
use crate::floor::Cents;
use crate::games::shared::deal::Dealing;
use crate::settlement::Violations;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Shuffle {
    Manual,
    Machine,
    MachineCounting,
}

/// A second deck is for tables with a shuffler.
pub(crate) fn flag_second_deck(two_decks: bool, shuffle: Shuffle, violations: &mut Violations) {
    violations.add_if(
        two_decks && shuffle == Shuffle::Manual,
        "config.second_deck_without_shuffler",
    );
}

/// Where the text says so, cards are dealt from the hand only after a shuffler.
pub(crate) fn flag_hand_dealing(dealing: Dealing, shuffle: Shuffle, violations: &mut Violations) {
    violations.add_if(
        dealing == Dealing::Hand && shuffle == Shuffle::Manual,
        "deal.hand_without_shuffler",
    );
}

/// Flags limits that leave no lawful stake.
pub(crate) fn flag_conflict(limits: Limits, violations: &mut Violations) {
    let conflict = matches!(limits, Limits { min: Some(min), max: Some(max) } if max < min);
    violations.add_if(conflict, "config.conflict");
}

/// What is left of a payout limit; `None` where there is no limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PayoutLimit(pub(crate) Option<Cents>);

impl PayoutLimit {
    /// The win, cut to what is left.
    pub(crate) fn take(&mut self, win: Cents) -> Cents {
        let Some(left) = &mut self.0 else {
            return win;
        };
        let paid = win.min(*left);
        *left -= paid;
        paid
    }
}
