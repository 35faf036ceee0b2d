//! The shoe of the baccarat games: shuffled, cut, burned from, and ended a hand after the cutting card;
//! or a machine that shuffles all the time.

use catwalk_events::body::{
    Body, CardBurned, CardsDelivered, CardsOpened, DealingMethod, ShoeEnded, ShoeStarted,
};
use catwalk_rules::floor::Card;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::hand::burn_value;
use crate::deck::retired;
use crate::games::shoes::new_set;
use crate::shoe::Shoe;

/// A shoe and its sets of cards.
#[derive(Debug, Default)]
pub(in crate::games) struct DealingShoe {
    pub(in crate::games) decks: u32,
    /// So many shoes are dealt before the cards are changed.
    pub(in crate::games) shoes_per_set: u32,
    /// Two sets take turns, one in play and one in the shuffler.
    pub(in crate::games) two_batches: bool,
    /// The cards go back after every hand.
    pub(in crate::games) continuous: bool,
    /// Sets come shuffled and sealed.
    pub(in crate::games) preshuffled: bool,
    shoe: Option<Shoe>,
    /// Cards behind the cutting card.
    cut: u32,
    shoes: u32,
    sets: u32,
    /// Cards lie on the table.
    has_sets: bool,
    /// The cutting card has come, and the hand that is still dealt after it was announced.
    last_hand_called: bool,
}

impl DealingShoe {
    pub(in crate::games) fn draw(&mut self) -> Option<Card> {
        self.shoe.as_mut().and_then(Shoe::draw)
    }

    /// A card that was drawn is to be the next one.
    pub(in crate::games) fn put_back(&mut self, card: Card) {
        if let Some(shoe) = &mut self.shoe {
            shoe.put_back(card);
        }
    }

    pub(in crate::games) fn remaining(&self) -> usize {
        self.shoe.as_ref().map_or(0, Shoe::remaining)
    }

    pub(in crate::games) fn name(&self) -> String {
        format!("shoe-{}", self.shoes)
    }

    /// The set of the present shoe.
    fn set(&self) -> String {
        let other = self.two_batches && self.shoes.is_multiple_of(2);
        format!("set-{}", self.sets - u32::from(other))
    }

    fn sets_at_once(&self) -> u32 {
        if self.two_batches { 2 } else { 1 }
    }

    /// What happens with the cards between two rounds.
    pub(in crate::games) fn prepare(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        let mut events: Vec<Body> = Vec::new();
        let is_running = std::mem::replace(&mut self.has_sets, true);
        if !is_running {
            events.extend(self.bring_sets());
        }
        if self.continuous && is_running {
            self.shoe = Some(Shoe::shuffled(self.decks as usize, rng));
            return events;
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
            let shoes_of_sets = self.shoes_per_set * self.sets_at_once();
            if self.shoes.is_multiple_of(shoes_of_sets.max(1)) {
                events.extend(self.take_sets_away());
                events.extend(self.bring_sets());
            }
        }
        events.extend(self.start(rng));
        events
    }

    /// All sets have left the table.
    pub(in crate::games) fn renew(&mut self) {
        self.shoe = None;
        self.has_sets = false;
        self.last_hand_called = false;
    }

    fn start(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        self.shoes += 1;
        self.cut = rng.random_range(14..=60);
        let mut shoe = Shoe::shuffled(self.decks as usize, rng);
        let (method, cut) = match self.continuous {
            true => (DealingMethod::Continuous, None),
            false => (DealingMethod::Shoe, Some(self.cut)),
        };
        let started = ShoeStarted {
            shoe: self.name(),
            set: self.set(),
            decks: self.decks,
            method,
            shuffler: None,
            cut,
        };
        let mut events = vec![started.into()];
        if !self.continuous {
            events.extend(burn(&mut shoe));
        }
        self.shoe = Some(shoe);
        events
    }

    fn bring_sets(&mut self) -> Vec<Body> {
        let mut events = Vec::new();
        for colour in ["red", "blue"]
            .into_iter()
            .take(self.sets_at_once() as usize)
        {
            self.sets += 1;
            let set = format!("set-{}", self.sets);
            match self.preshuffled {
                true => events.extend(sealed_set(&set, self.decks, colour)),
                false => events.extend(new_set(&set, self.decks, colour)),
            }
        }
        events
    }

    fn take_sets_away(&self) -> impl Iterator<Item = Body> + use<> {
        let present = self.sets + 1 - self.sets_at_once()..=self.sets;
        present.flat_map(|set| retired(&format!("set-{set}"), "end_of_shoe"))
    }
}

/// A set that was shuffled elsewhere: its seal is what the floor inspects.
fn sealed_set(set: &str, decks: u32, colour: &str) -> [Body; 2] {
    let delivered = CardsDelivered {
        set: set.to_owned(),
        decks,
        colour: Some(colour.to_owned()),
        preshuffled: true,
        seal: Some(format!("seal-{set}")),
        from: None,
        by: None,
        witness: None,
    };
    let opened = CardsOpened {
        set: set.to_owned(),
        extended_use: None,
        receipt: None,
        seal_intact: Some(true),
        by: None,
    };
    [delivered.into(), opened.into()]
}

/// The first card is shown; as many as it counts go face down after it.
fn burn(shoe: &mut Shoe) -> Vec<Body> {
    let Some(first) = shoe.draw() else {
        return Vec::new();
    };
    let mut events = vec![burned(Some(first))];
    for _ in 0..burn_value(first) {
        shoe.draw();
        events.push(burned(None));
    }
    events
}

pub(in crate::games) fn burned(card: Option<Card>) -> Body {
    let card = card.map(|card| card.to_string());
    CardBurned { card, back: None }.into()
}
