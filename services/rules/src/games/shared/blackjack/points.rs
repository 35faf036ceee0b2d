//! What cards count.

use crate::floor::{Card, Rank};

/// Two to ten their number, faces ten, the ace one.
pub(crate) fn points(card: Card) -> u32 {
    match card.rank() {
        Some(Rank::Ace) => 1,
        Some(rank) if rank < Rank::Ten => u32::from(rank.index()) + 2,
        Some(_) => 10,
        None => 0,
    }
}

pub(crate) fn is_ace(card: Card) -> bool {
    card.rank() == Some(Rank::Ace)
}

/// Ten, jack, queen or king.
pub(crate) fn is_ten_card(card: Card) -> bool {
    points(card) == 10
}

pub(crate) fn is_ace_or_ten_card(card: Card) -> bool {
    is_ace(card) || is_ten_card(card)
}

/// What a hand counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Total {
    pub(crate) points: u32,
    /// Does an ace count eleven?
    pub(crate) soft: bool,
}

/// An ace counts eleven unless the hand would exceed 21.
pub(crate) fn total(cards: &[Card]) -> Total {
    let hard: u32 = cards.iter().map(|&card| points(card)).sum();
    let soft = hard <= 11 && cards.iter().any(|&card| is_ace(card));
    Total {
        points: if soft { hard + 10 } else { hard },
        soft,
    }
}

/// An ace and a ten-card, and nothing else.
pub(crate) fn is_blackjack(cards: &[Card]) -> bool {
    matches!(cards, &[a, b] if is_ace(a) && is_ten_card(b) || is_ten_card(a) && is_ace(b))
}

pub(crate) fn one_suit(cards: &[Card]) -> bool {
    cards
        .windows(2)
        .all(|pair| pair[0].suit() == pair[1].suit())
}

/// All red or all black.
pub(crate) fn one_color(cards: &[Card]) -> bool {
    let is_red = |card: Card| card.suit().map(|suit| suit.is_red());
    cards
        .windows(2)
        .all(|pair| is_red(pair[0]) == is_red(pair[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(text: &str) -> Vec<Card> {
        text.split_whitespace()
            .map(|card| card.parse().unwrap())
            .collect()
    }

    #[test]
    fn an_ace_counts_eleven_until_that_is_too_much() {
        for (cards, points, soft) in [
            ("AS", 11, true),
            ("AS AH", 12, true),
            ("AS 6H", 17, true),
            ("AS 6H TD", 17, false),
            ("AS AH 9D", 21, true),
            ("AS AH TD", 12, false),
            ("AS KH", 21, true),
            ("2S 9H KD", 21, false),
            ("KS QH 2D", 22, false),
        ] {
            assert_eq!(total(&hand(cards)), Total { points, soft }, "{cards}");
        }
    }

    #[test]
    fn only_an_ace_with_a_ten_card_is_blackjack() {
        for (cards, blackjack) in [
            ("AS TH", true),
            ("QD AS", true),
            ("AS AH", false),
            ("TS KH", false),
            ("AS 5H 5D", false),
            ("AS", false),
        ] {
            assert_eq!(is_blackjack(&hand(cards)), blackjack, "{cards}");
        }
    }
}
