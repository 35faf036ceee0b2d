//! How sensible players play their hands: basic strategy, a little simplified.

use catwalk_rules::floor::{Card, Rank};

use super::house::{Hole, House, Kin};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Hit,
    Stand,
    Double,
    FreeDouble,
    Split,
    FreeSplit,
    Surrender,
}

/// What a player may do with a hand beside hitting and standing.
#[derive(Clone, Copy, Debug)]
pub(super) struct May {
    pub(super) double: bool,
    pub(super) split: bool,
    pub(super) surrender: bool,
}

/// The total, and whether an ace counts eleven in it.
pub(super) fn total(cards: &[Card]) -> (u32, bool) {
    let hard: u32 = cards.iter().map(|&card| points(card)).sum();
    let soft = hard <= 11 && cards.iter().any(|&card| is_ace(card));
    (if soft { hard + 10 } else { hard }, soft)
}

pub(super) fn points(card: Card) -> u32 {
    match card.rank() {
        Some(Rank::Ace) => 1,
        Some(rank) if rank < Rank::Ten => u32::from(rank.index()) + 2,
        _ => 10,
    }
}

pub(super) fn is_ace(card: Card) -> bool {
    card.rank() == Some(Rank::Ace)
}

pub(super) fn is_blackjack(cards: &[Card]) -> bool {
    cards.len() == 2 && total(cards) == (21, true)
}

/// Does the dealer stand on these cards?
pub(super) fn dealer_stands(cards: &[Card], hits_soft_17: bool) -> bool {
    let (points, soft) = total(cards);
    points >= 17 && !(hits_soft_17 && soft && points == 17)
}

/// What to do with these cards against the dealer's.
pub(super) fn choose(cards: &[Card], dealer: &[Card], may: May, house: &House) -> Choice {
    let (sum, soft) = total(cards);
    if house.hole == Hole::Exposed {
        return against_open_hand(sum, soft, dealer, may, house);
    }
    let up = match dealer.first() {
        Some(&card) if is_ace(card) => 11,
        Some(&card) => points(card),
        None => 10,
    };
    let free = house.kin == Kin::FreeBet;
    if may.split && splits(points(cards[0]), up, free) {
        let is_free = free && points(cards[0]) != 10;
        return if is_free {
            Choice::FreeSplit
        } else {
            Choice::Split
        };
    }
    if may.surrender && !soft && (sum == 16 && up >= 9 || sum == 15 && up == 10) {
        return Choice::Surrender;
    }
    if free && may.double && !soft && cards.len() == 2 && (9..=11).contains(&sum) {
        return Choice::FreeDouble;
    }
    if may.double && doubles(sum, soft, up) {
        return Choice::Double;
    }
    let stands = match (soft, sum) {
        (true, 19..) => true,
        (true, 18) => up <= 8,
        (true, _) => false,
        (false, 17..) => true,
        (false, 13..=16) => up <= 6,
        (false, 12) => (4..=6).contains(&up),
        _ => false,
    };
    if stands { Choice::Stand } else { Choice::Hit }
}

/// Both cards of the dealer lie open and a tie loses, so that the dealer's total is to be beaten.
fn against_open_hand(sum: u32, soft: bool, dealer: &[Card], may: May, house: &House) -> Choice {
    let (theirs, _) = total(dealer);
    if may.double && (9..=11).contains(&sum) && (12..=16).contains(&theirs) {
        return Choice::Double;
    }
    let beaten = if dealer_stands(dealer, house.hits_soft_17) {
        sum <= theirs
    } else {
        sum < if soft { 18 } else { 13 }
    };
    if beaten && sum < 21 {
        Choice::Hit
    } else {
        Choice::Stand
    }
}

/// A pair of cards that count so much each.
fn splits(pair: u32, up: u32, free: bool) -> bool {
    match pair {
        1 | 8 => true,
        2 | 3 | 7 => up <= 7 || free,
        4 => up == 5 || up == 6 || free,
        6 => up <= 6 || free,
        9 => up != 7 && up < 10 || free,
        // Some like it, though they should not.
        10 => up == 6,
        _ => false,
    }
}

fn doubles(sum: u32, soft: bool, up: u32) -> bool {
    match (soft, sum) {
        (false, 11) => true,
        (false, 10) => up <= 9,
        (false, 9) => (3..=6).contains(&up),
        (true, 13..=18) => up == 5 || up == 6,
        _ => false,
    }
}
