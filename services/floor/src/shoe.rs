//! A shuffled shoe, and the cards that go into it.

use catwalk_events::body::{Body, CardsDelivered, CardsInspected, CardsOpened};
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
        let mut cards: Vec<Card> = (0..decks).flat_map(|_| Card::deck()).collect();
        cards.shuffle(rng);
        Shoe { cards }
    }

    pub(crate) fn remaining(&self) -> usize {
        self.cards.len()
    }

    /// The next card. A table that runs out of cards ends its shoe before this can happen; a shoe
    /// that is empty all the same gives `None`.
    pub(crate) fn draw(&mut self) -> Option<Card> {
        self.cards.pop()
    }
}

/// A set of cards comes to the table, is inspected by two people and opened.
pub(crate) fn new_set(set: &str, decks: u32, colour: &str) -> [Body; 3] {
    let delivered = CardsDelivered {
        set: set.to_owned(),
        decks,
        colour: Some(colour.to_owned()),
        preshuffled: false,
        seal: None,
        from: None,
        by: None,
        witness: None,
    };
    let opened = CardsOpened {
        set: set.to_owned(),
        extended_use: None,
        receipt: None,
        seal_intact: None,
        by: None,
    };
    let inspected = CardsInspected {
        set: set.to_owned(),
        missing: Vec::new(),
        extra: Vec::new(),
        unsuitable: Vec::new(),
        dealer: "d-1".into(),
        supervisor: "s-1".into(),
    };
    [delivered.into(), opened.into(), inspected.into()]
}
