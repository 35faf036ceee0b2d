//! A shuffled shoe.

use catwalk_rules::floor::Card;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Decks shuffled together and dealt from the top.
#[derive(Debug)]
pub(crate) struct Shoe {
    /// The next card is the last one.
    cards: Vec<Card>,
}

impl Shoe {
    pub(crate) fn shuffled(decks: usize, rng: &mut ChaCha8Rng) -> Shoe {
        Shoe::shuffled_of(decks, |_| true, rng)
    }

    /// Decks from which some cards were taken out.
    pub(crate) fn shuffled_of(
        decks: usize,
        is_left: impl Fn(&Card) -> bool,
        rng: &mut ChaCha8Rng,
    ) -> Shoe {
        let deck = Card::deck().filter(is_left);
        Shoe::of(deck.flat_map(|card| (0..decks).map(move |_| card)), rng)
    }

    /// These cards, shuffled.
    pub(crate) fn of(cards: impl Iterator<Item = Card>, rng: &mut ChaCha8Rng) -> Shoe {
        let mut cards: Vec<Card> = cards.collect();
        cards.shuffle(rng);
        Shoe { cards }
    }

    pub(crate) fn remaining(&self) -> usize {
        self.cards.len()
    }

    /// Lays a card on top.
    pub(crate) fn put_back(&mut self, card: Card) {
        self.cards.push(card);
    }

    /// The next card. A table that runs out of cards ends its shoe before this can happen; a shoe
    /// that is empty all the same gives `None`.
    pub(crate) fn draw(&mut self) -> Option<Card> {
        self.cards.pop()
    }
}
