//! Basic strategy of blackjack for several decks, and how its cards count.

use catwalk_rules::floor::{Card, Rank};

/// What a table's options say of the play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Rules {
    pub(super) hits_soft_17: bool,
    pub(super) doubles_split: bool,
    pub(super) surrenders: bool,
    pub(super) hands: usize,
    pub(super) resplits_aces: bool,
    /// The dealer looks under an ace or a ten before anybody plays.
    pub(super) looks: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Deal,
    Hit,
    Stand,
    Double,
    Split(u8),
    Surrender,
}

/// An ace counts eleven.
pub(super) fn points(card: Card) -> u32 {
    match card.rank() {
        Some(Rank::Ace) => 11,
        Some(rank) if rank < Rank::Ten => u32::from(rank.index()) + 2,
        _ => 10,
    }
}

/// The total, and whether an ace counts eleven in it.
pub(super) fn total(cards: &[Card]) -> (u32, bool) {
    let mut sum: u32 = cards.iter().map(|card| points(*card)).sum();
    let mut aces = cards.iter().filter(|card| points(**card) == 11).count();
    while sum > 21 && aces > 0 {
        sum -= 10;
        aces -= 1;
    }
    (sum, aces > 0)
}

pub(super) fn is_natural(cards: &[Card]) -> bool {
    cards.len() == 2 && total(cards).0 == 21
}

pub(super) fn draws(cards: &[Card], hits_soft_17: bool) -> bool {
    let (sum, soft) = total(cards);
    sum < 17 || hits_soft_17 && soft && sum == 17
}

/// What basic strategy does with a hand that is not split.
pub(super) fn choose(
    cards: &[Card],
    up: u32,
    may_double: bool,
    may_surrender: bool,
    rules: Rules,
) -> Act {
    let (sum, soft) = total(cards);
    if may_surrender && !soft && (sum == 16 && up >= 9 || sum == 15 && up == 10) {
        return Act::Surrender;
    }
    let hits_17 = rules.hits_soft_17;
    let doubles = match (soft, sum) {
        (false, 9) => (3..=6).contains(&up),
        (false, 10) => up <= 9,
        (false, 11) => up <= 10 || hits_17,
        (true, 13 | 14) => (5..=6).contains(&up),
        (true, 15 | 16) => (4..=6).contains(&up),
        (true, 17) => (3..=6).contains(&up),
        (true, 18) => (3..=6).contains(&up) || hits_17 && up == 2,
        (true, 19) => hits_17 && up == 6,
        _ => false,
    };
    if may_double && doubles {
        return Act::Double;
    }
    let stands = match (soft, sum) {
        (true, 18) => up <= 8,
        (true, sum) => sum >= 19,
        (false, 12) => (4..=6).contains(&up),
        (false, 13..=16) => up <= 6,
        (false, sum) => sum >= 17,
    };
    if stands { Act::Stand } else { Act::Hit }
}

/// Is a pair of cards that count so much each split?
pub(super) fn splits(pair: u32, up: u32, rules: Rules) -> bool {
    match pair {
        8 | 11 => true,
        2 | 3 => up <= 7 && (up >= 4 || rules.doubles_split),
        4 => rules.doubles_split && (up == 5 || up == 6),
        6 => up <= 6 && (up >= 3 || rules.doubles_split),
        7 => up <= 7,
        9 => up <= 9 && up != 7,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Rules = Rules {
        hits_soft_17: false,
        doubles_split: true,
        surrenders: false,
        hands: 4,
        resplits_aces: false,
        looks: true,
    };

    fn cards(text: &str) -> Vec<Card> {
        text.split(' ').map(|card| card.parse().unwrap()).collect()
    }

    #[test]
    fn the_strategy_does_what_it_declares() {
        for (hand, up, act) in [
            ("TS 6D", 10, Act::Hit),
            ("TS 6D", 6, Act::Stand),
            ("TS 2D", 3, Act::Hit),
            ("6S 5D", 10, Act::Double),
            ("6S 5D", 11, Act::Hit),
            ("AS 7D", 2, Act::Stand),
            ("AS 7D", 6, Act::Double),
            ("AS 7D", 9, Act::Hit),
            ("AS 6D", 2, Act::Hit),
        ] {
            let chosen = choose(&cards(hand), up, true, false, RULES);
            assert_eq!(chosen, act, "{hand} against {up}");
        }
        assert!(splits(11, 11, RULES) && splits(8, 10, RULES) && splits(9, 9, RULES));
        assert!(!splits(9, 7, RULES) && !splits(10, 6, RULES) && !splits(5, 5, RULES));
    }
}
