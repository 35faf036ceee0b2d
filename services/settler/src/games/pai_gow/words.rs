//! What players and the dealer say at the table, in the words of the texts and in those that feeds have
//! for them.

use catwalk_events::body::Decision;

/// Other words for the same: a feed's, and the one of the rules.
const SAME: [(&str, &str); 13] = [
    ("surrendered", "surrender"),
    ("abandoned", "abandon"),
    ("leave", "abandon"),
    ("left", "abandon"),
    ("cobank", "co_bank"),
    ("co_banking", "co_bank"),
    ("pass", "decline_bank"),
    ("pass_bank", "decline_bank"),
    ("refuse_bank", "decline_bank"),
    ("shakes", "shake"),
    ("number_drawn", "number"),
    ("random_number", "number"),
    ("rng", "number"),
];

/// As the rules spell it.
pub(super) fn word(said: &Decision) -> String {
    let told = said.action.trim().to_lowercase().replace([' ', '-'], "_");
    let same = SAME.iter().find(|(other, _)| *other == told);
    same.map_or(told, |(_, word)| (*word).to_owned())
}

pub(super) fn is_said(said: &Decision, asked: &str) -> bool {
    word(said) == asked
}

/// The number that a generator shows, where the dealer calls it. 8c(c); 11.C
pub(super) fn called_number(said: &Decision) -> Option<u32> {
    let number = said.amount.filter(|_| is_said(said, "number"))?;
    u32::try_from(number.get()).ok()
}
