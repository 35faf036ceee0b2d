//! The Multi-Link progressive at a table of these games.

use std::collections::BTreeMap;

use super::areas::{Placed, Players, Verdicts};
use crate::book::Pay;
use crate::floor::Seat;
use crate::games::shared::ohio_progressives::MultiLink;
use crate::games::shared::progressive::{self, Envy, Meter, Position};
use crate::hands::five;
use crate::refusal::Refusal;

/// A seat in the round, in the order of dealing.
pub(crate) struct AtTable<'a, K> {
    pub(crate) seat: Seat,
    /// The chip that counts there.
    pub(crate) chip: Option<Placed<'a, K>>,
    /// Who left loses, envy too.
    pub(crate) left: bool,
}

/// Settles the chips. `made` are the hands that are still in, with or without a chip.
pub(crate) fn settle<K>(
    multi_link: &MultiLink,
    seats: &[AtTable<'_, K>],
    made: &BTreeMap<Seat, five::Hand>,
    players: &Players,
    mut meter: Meter,
    verdicts: &mut Verdicts,
) -> Result<(), Refusal> {
    let position = |at: &AtTable<'_, K>| {
        let hand = made.get(&at.seat).map(|hand| hand.category());
        let (prize, envy) = match at.left {
            true => (Pay::Lose, Envy::default()),
            false => multi_link.row(hand),
        };
        let stake = at.chip.filter(|_| !at.left).map(|chip| chip.wager.amount);
        Position {
            person: players.person(at.seat),
            stake,
            prize,
            envy,
        }
    };
    let positions: Vec<Position<_>> = seats.iter().map(position).collect();
    let totals = progressive::totals(&positions, &mut meter)?;
    for (at, total) in seats.iter().zip(totals) {
        if let Some(chip) = at.chip {
            verdicts.award(chip, total);
        }
    }
    Ok(())
}
