//! The shoes of a table: sets of cards that come, are dealt in turn, and go in time.

use catwalk_events::body::{
    Body, CardBurned, CardsDelivered, CardsInspected, CardsOpened, DealingMethod, ShoeEnded,
    ShoeStarted,
};
use catwalk_rules::floor::{Card, Rank};
use rand_chacha::ChaCha8Rng;

use crate::deck::retired;
use crate::shoe::Shoe;

/// How a table's cards are shuffled, dealt and replaced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dealing {
    pub(super) decks: u32,
    /// Decks of 48.
    pub(super) without_tens: bool,
    pub(super) method: DealingMethod,
    /// Two sets take turns.
    pub(super) alternating: bool,
    /// Cards behind the cutting card.
    pub(super) cut: u32,
    /// A round is not begun with fewer cards than this.
    pub(super) least: usize,
    /// New cards come after so many rounds.
    pub(super) rounds_per_set: u32,
    /// The side of a double shoe.
    pub(super) side: Option<&'static str>,
}

#[derive(Debug)]
pub(super) struct Shoes {
    dealing: Dealing,
    shoe: Option<Shoe>,
    shoes: u32,
    sets: u32,
    /// So many of the sets have left the table.
    gone: u32,
    rounds: u32,
    /// Another dealer has come and has not dealt yet.
    relieved: bool,
}

impl Shoes {
    pub(super) fn new(dealing: Dealing) -> Shoes {
        Shoes {
            dealing,
            shoe: None,
            shoes: 0,
            sets: 0,
            gone: 0,
            rounds: 0,
            relieved: false,
        }
    }

    /// What happens before the next round: new cards in time, and a new shoe when the cutting card is
    /// out.
    pub(super) fn prepare(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        let mut events = Vec::new();
        let Dealing {
            cut, least, method, ..
        } = self.dealing;
        self.rounds += 1;
        let worn = self.sets == self.gone || self.rounds > self.dealing.rounds_per_set;
        let is_continuous = method == DealingMethod::Continuous;
        // Who comes burns a card first, but for a double shoe and a machine that shuffles without end.
        let relieved = std::mem::take(&mut self.relieved);
        let burns = relieved && !is_continuous && self.dealing.side.is_none();
        let least = (cut as usize).max(least) + usize::from(burns);
        let spent = |shoe: &Shoe| shoe.remaining() < least;
        let shuffles = worn || !is_continuous && self.shoe.as_ref().is_none_or(spent);
        if !shuffles {
            if is_continuous {
                self.shoe = Some(self.shuffled(rng));
            }
            if burns {
                events.extend(self.shoe.as_mut().and_then(burned));
            }
            return events;
        }
        if let Some(shoe) = &self.shoe {
            let remaining = u32::try_from(shoe.remaining()).ok();
            let ended = ShoeEnded {
                shoe: self.name(),
                // What a card of the other side leaves uncounted, no count can show.
                remaining: remaining.filter(|_| !is_continuous && self.dealing.side.is_none()),
            };
            events.push(ended.into());
        }
        if worn {
            self.rounds = 1;
            events.extend(self.replace_sets());
        }
        self.shoes += 1;
        let mut shoe = self.shuffled(rng);
        let started = ShoeStarted {
            shoe: self.name(),
            set: self.set(),
            decks: self.dealing.decks,
            method,
            shuffler: None,
            cut: (!is_continuous).then_some(cut),
        };
        events.push(started.into());
        events.extend(burned(&mut shoe));
        self.shoe = Some(shoe);
        events
    }

    /// Another dealer takes over before the next round.
    pub(super) fn relieve(&mut self) {
        self.relieved = true;
    }

    /// All sets have left the table.
    pub(super) fn renew(&mut self) {
        self.shoe = None;
        self.gone = self.sets;
    }

    pub(super) fn name(&self) -> String {
        format!("shoe-{}{}", self.shoes, self.suffix())
    }

    fn suffix(&self) -> String {
        let side = self.dealing.side.map(|side| format!("-{side}"));
        side.unwrap_or_default()
    }

    pub(super) fn side(&self) -> Option<&'static str> {
        self.dealing.side
    }

    /// A card that was drawn is to be the next one.
    pub(super) fn put_back(&mut self, card: Card) {
        if let Some(shoe) = &mut self.shoe {
            shoe.put_back(card);
        }
    }

    pub(super) fn draw(&mut self) -> Option<Card> {
        self.shoe.as_mut().and_then(Shoe::draw)
    }

    pub(super) fn remaining(&self) -> usize {
        self.shoe.as_ref().map_or(0, Shoe::remaining)
    }

    fn shuffled(&self, rng: &mut ChaCha8Rng) -> Shoe {
        let decks = self.dealing.decks as usize;
        let is_left = |card: &Card| !self.dealing.without_tens || card.rank() != Some(Rank::Ten);
        Shoe::shuffled_of(decks, is_left, rng)
    }

    /// The set of the present shoe.
    fn set(&self) -> String {
        let other = self.dealing.alternating && self.shoes.is_multiple_of(2);
        self.set_of(self.sets - u32::from(other))
    }

    fn set_of(&self, number: u32) -> String {
        format!("set-{number}{}", self.suffix())
    }

    fn at_once(&self) -> u32 {
        if self.dealing.alternating { 2 } else { 1 }
    }

    fn replace_sets(&mut self) -> Vec<Body> {
        let mut events: Vec<Body> = Vec::new();
        for set in self.gone + 1..=self.sets {
            events.extend(retired(&self.set_of(set), "scheduled"));
        }
        self.gone = self.sets;
        for colour in ["red", "blue"].into_iter().take(self.at_once() as usize) {
            self.sets += 1;
            let set = self.set_of(self.sets);
            events.extend(new_set(&set, self.dealing.decks, colour));
        }
        events
    }
}

/// A set comes to the table, is inspected and opened.
pub(super) fn new_set(set: &str, decks: u32, colour: &str) -> [Body; 3] {
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

/// A card goes into the rack unseen.
fn burned(shoe: &mut Shoe) -> Option<Body> {
    shoe.draw()?;
    let burned = CardBurned {
        card: None,
        back: None,
    };
    Some(burned.into())
}
