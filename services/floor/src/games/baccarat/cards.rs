//! The shoe of the baccarat games: shuffled, cut, burned from, and ended a hand after the cutting card.

use catwalk_events::body::{Body, CardBurned, CardsRemoved, DealingMethod, ShoeEnded, ShoeStarted};
use catwalk_rules::floor::Card;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::hand::burn_value;
use crate::games::shoes::new_set;
use crate::shoe::Shoe;

/// A shoe and its sets of cards.
#[derive(Debug, Default)]
pub(in crate::games) struct DealingShoe {
    pub(in crate::games) decks: u32,
    /// So many shoes are dealt before the cards are changed.
    pub(in crate::games) shoes_per_set: u32,
    shoe: Option<Shoe>,
    /// Cards behind the cutting card.
    cut: u32,
    shoes: u32,
    sets: u32,
    /// The cutting card has come, and the hand that is still dealt after it was announced.
    last_hand_called: bool,
}

impl DealingShoe {
    pub(in crate::games) fn draw(&mut self) -> Option<Card> {
        self.shoe.as_mut().and_then(Shoe::draw)
    }

    pub(in crate::games) fn name(&self) -> String {
        format!("shoe-{}", self.shoes)
    }

    fn set(&self) -> String {
        format!("set-{}", self.sets)
    }

    /// What happens with the cards between two rounds.
    pub(in crate::games) fn prepare(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        let mut events: Vec<Body> = Vec::new();
        if self.shoes == 0 {
            self.sets = 1;
            events.extend(new_set(&self.set(), self.decks, "red"));
        }
        if let Some(shoe) = &self.shoe {
            let cut_card_out = shoe.remaining() < self.cut as usize;
            let called = std::mem::replace(&mut self.last_hand_called, cut_card_out);
            if !(cut_card_out && called) {
                return events;
            }
        }
        self.last_hand_called = false;
        if let Some(shoe) = &self.shoe {
            let remaining = u32::try_from(shoe.remaining()).ok();
            let shoe = self.name();
            events.push(ShoeEnded { shoe, remaining }.into());
            if self.shoes.is_multiple_of(self.shoes_per_set.max(1)) {
                let removed = CardsRemoved {
                    set: self.set(),
                    reason: "end_of_shoe".into(),
                    by: None,
                };
                events.push(removed.into());
                self.sets += 1;
                events.extend(new_set(&self.set(), self.decks, "red"));
            }
        }
        self.shoes += 1;
        self.cut = rng.random_range(14..=60);
        let mut shoe = Shoe::shuffled(self.decks as usize, rng);
        let started = ShoeStarted {
            shoe: self.name(),
            set: self.set(),
            decks: self.decks,
            method: DealingMethod::Shoe,
            shuffler: None,
            cut: Some(self.cut),
        };
        events.push(started.into());
        events.extend(burn(&mut shoe));
        self.shoe = Some(shoe);
        events
    }
}

/// The first card is shown; as many as it counts go face down after it.
fn burn(shoe: &mut Shoe) -> Vec<Body> {
    let Some(first) = shoe.draw() else {
        return Vec::new();
    };
    let burned = |card: Option<Card>| {
        let card = card.map(|card| card.to_string());
        Body::from(CardBurned { card, back: None })
    };
    let mut events = vec![burned(Some(first))];
    for _ in 0..burn_value(first) {
        shoe.draw();
        events.push(burned(None));
    }
    events
}
