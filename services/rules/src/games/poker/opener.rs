//! Who opens a betting round of a stud form: the lowest or highest up-card, the highest hand showing.
//! 9(d)-(h), 13(d)-(g), 13a(d)-(h)

use std::cmp::Reverse;

use super::forms::{Family, Form};
use super::room::Room;
use crate::floor::{Card, Rank};
use crate::refusal::Refusal;

/// The place that opens a betting round among the places that are in; `None` if a card that decides it was not
/// seen. Refuses if up-cards of somebody who is in are missing.
pub(super) fn stud_opener(
    room: &Room<'_>,
    betting_round: usize,
    is_in: &[bool],
) -> Result<Option<usize>, Refusal> {
    let shown = room.facts.up_cards(betting_round);
    let mut showing = Vec::new();
    for place in (0..room.players.len()).filter(|&place| is_in[place]) {
        let seat = room.players[place].seat;
        let up = room.play.hands.get(&seat).map_or(&[][..], |hand| hand.up());
        // A common card may take the place of the sixth card, the fourth up. 9(h)
        let common = if betting_round < 3 {
            0
        } else {
            room.play.common.len()
        };
        let needed = shown.saturating_sub(common).max(1);
        if up.len() < needed {
            let what = format!(
                "{} up-cards; {needed} decide who opens betting round {betting_round}",
                up.len()
            );
            return Err(Refusal::at(format!("play.hands.{seat}.up"), what));
        }
        let up = &up[..shown.min(up.len())];
        showing.push((place, up.iter().map(|card| card.0).collect()));
    }
    let board = room.play.board.first();
    let is_board_needed = room.facts.family == Family::Mambo && betting_round > 1;
    let is_unseen = is_board_needed && board.is_some_and(|card| card.0.is_none());
    let seen = showing.into_iter();
    let seen = seen.map(|(place, up): (usize, Option<Vec<Card>>)| Some((place, up?)));
    let seen: Option<Vec<(usize, Vec<Card>)>> = seen.collect();
    let Some(showing) = seen.filter(|_| !is_unseen) else {
        return Ok(None);
    };
    // Of equals the one nearest the dealer's left opens: the first in order of seats.
    let first_best = |key: &dyn Fn(&[Card]) -> Vec<u8>| {
        let keyed = showing.iter().map(|(place, up)| (*place, key(up)));
        keyed
            .max_by_key(|(place, key)| (key.clone(), Reverse(*place)))
            .map(|(place, _)| place)
    };
    let board = board.and_then(|card| card.0?.rank());
    Ok(match (room.facts.family, betting_round) {
        (_, 0) if room.form == Form::SevenCardStudHighLow => first_best(&|up| vec![ace_low(up[0])]),
        (_, 0) => first_best(&|up| vec![u8::MAX - up[0].index()]),
        (Family::Mambo, 1) => first_best(&|up| vec![up[0].index()]),
        (Family::Mambo, _) => first_best(&|up| {
            let pairs = board.is_some() && up[0].rank() == board;
            vec![u8::from(pairs), rank(up[0])]
        }),
        _ => first_best(&hand_showing),
    })
}

/// Does somebody who is in show a pair in his first two up-cards? One that nobody saw may be.
pub(super) fn shows_open_pair(room: &Room<'_>, is_in: &[bool]) -> bool {
    let places = (0..room.players.len()).filter(|&place| is_in[place]);
    let mut hands = places.filter_map(|place| room.play.hands.get(&room.players[place].seat));
    hands.any(|hand| match hand.up() {
        [first, second, ..] => match (first.0, second.0) {
            (Some(first), Some(second)) => first.rank() == second.rank(),
            _ => true,
        },
        _ => false,
    })
}

fn rank(card: Card) -> u8 {
    card.rank().map_or(0, Rank::index)
}

/// The ace below the two, then the suits.
fn ace_low(card: Card) -> u8 {
    let suit = card.index() % 4;
    (rank(card) + 1) % 13 * 4 + suit
}

/// Pairs, three and four of a kind, then cards; straights and flushes do not show.
fn hand_showing(up: &[Card]) -> Vec<u8> {
    let mut counts = [0u8; 13];
    for &card in up {
        counts[usize::from(rank(card))] += 1;
    }
    let mut groups: Vec<(u8, u8)> = (0u8..13)
        .map(|rank| (counts[usize::from(rank)], rank))
        .filter(|&(count, _)| count > 0)
        .collect();
    groups.sort_unstable_by_key(|&group| Reverse(group));
    // Sizes of the groups first: a lower pair beats the highest cards.
    let sizes = groups.iter().map(|&(count, _)| count);
    let ranks = groups.iter().map(|&(_, rank)| rank);
    let mut key: Vec<u8> = sizes.collect();
    key.resize(4, 0);
    key.extend(ranks);
    key
}
