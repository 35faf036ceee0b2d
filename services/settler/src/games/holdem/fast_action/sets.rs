//! How hands were set: each pair that was kept, and how often it was told.

use catwalk_events::body::{Body, HandSet};

use crate::games::felt;
use crate::round::RoundFold;

/// The last setting of a seat, or of the dealer.
pub(super) fn hand_set(round: &RoundFold, seat: Option<u32>) -> Option<&HandSet> {
    round.play.iter().rev().find_map(|(_, body)| match body {
        Body::HandSet(set) => match seat {
            Some(_) => (set.seat == seat).then_some(set),
            None => (set.to == "dealer").then_some(set),
        },
        _ => None,
    })
}

/// All settings of a seat, in order.
pub(super) fn hand_sets(round: &RoundFold, seat: u32) -> impl Iterator<Item = &HandSet> {
    round.play.iter().filter_map(move |(_, body)| match body {
        Body::HandSet(set) if set.seat == Some(seat) => Some(set),
        _ => None,
    })
}

/// Does one more setting of a seat change a hand that was set? The second pair of a split is none.
pub(super) fn is_touched(round: &RoundFold, seat: u32, set: &HandSet) -> bool {
    let before: Vec<&HandSet> = hand_sets(round, seat).collect();
    let said = felt::decisions(&round.play, seat).any(|told| told.action == "split");
    let is_split = said || felt::wager_of(round, seat, "split").is_some();
    match before.as_slice() {
        [] => false,
        [one] if is_split && are_halves(one, set) => false,
        [.., last] => is_changed(last, set),
    }
}

/// Do two settings tell the two pairs of a split, one each?
fn are_halves(one: &HandSet, other: &HandSet) -> bool {
    let is_pair = |set: &HandSet| set.high.len() == 2 && set.low.is_empty();
    let shared = one.high.iter().any(|card| other.high.contains(card));
    is_pair(one) && is_pair(other) && !shared
}

/// The pairs of a split as they were told, together or one after the other.
pub(super) fn split_pairs(round: &RoundFold, seat: u32) -> Option<Vec<Vec<String>>> {
    let sets: Vec<&HandSet> = hand_sets(round, seat).collect();
    match sets.as_slice() {
        [one, other] if are_halves(one, other) => Some(vec![one.high.clone(), other.high.clone()]),
        [.., set] => Some(vec![set.high.clone(), set.low.clone()]),
        [] => None,
    }
}

/// Are other cards kept than before? What is put down may be told later.
fn is_changed(before: &HandSet, set: &HandSet) -> bool {
    let differ = |one: &[String], other: &[String]| {
        let [mut one, mut other] = [one.to_vec(), other.to_vec()];
        one.sort_unstable();
        other.sort_unstable();
        one != other
    };
    let both_put_down = !before.low.is_empty() && !set.low.is_empty();
    differ(&before.high, &set.high) || both_put_down && differ(&before.low, &set.low)
}
