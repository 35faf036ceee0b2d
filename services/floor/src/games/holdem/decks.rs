//! One deck a round, shuffled each time: two in turn where a shuffler works on the other one.

use catwalk_events::body::{
    Body, CardsCollected, CardsCounted, CardsDelivered, CardsDestroyed, CardsInspected,
    CardsOpened, CardsReinspected, CardsRemoved, CountScope, DealingMethod, ShoeEnded, ShoeStarted,
};
use catwalk_rules::floor::Card;
use rand_chacha::ChaCha8Rng;

use crate::shoe::Shoe;

/// Rounds until a deck is changed: less than four hours of play.
const LIFE: u32 = 120;
const COLOURS: [&str; 2] = ["red", "blue"];

/// The decks of a table.
#[derive(Debug)]
pub(in crate::games) struct Decks {
    method: DealingMethod,
    /// Two decks take turns.
    two: bool,
    /// The stub is counted before so many rounds have passed.
    count_every: Option<u32>,
    /// All cards are counted, not the stub.
    pub(in crate::games) counts_whole: bool,
    shoe: Option<Shoe>,
    shuffles: u32,
    /// By colour: number of the deck and rounds it has been in use.
    in_use: [(u32, u32); 2],
}

impl Default for Decks {
    fn default() -> Decks {
        Decks {
            method: DealingMethod::Hand,
            two: false,
            count_every: None,
            counts_whole: false,
            shoe: None,
            shuffles: 0,
            in_use: [(0, LIFE); 2],
        }
    }
}

impl Decks {
    pub(in crate::games) fn new(dealing: &str, two: bool, count_every: Option<u32>) -> Decks {
        let method = match dealing {
            "hand" => DealingMethod::Hand,
            "automated_shoe" => DealingMethod::AutoShoe,
            _ => DealingMethod::Shoe,
        };
        Decks {
            method,
            two,
            count_every,
            ..Decks::default()
        }
    }

    pub(in crate::games) fn name(&self) -> String {
        format!("shuffle-{}", self.shuffles)
    }

    /// The next card of this round.
    pub(in crate::games) fn draw(&mut self) -> Option<Card> {
        self.shoe.as_mut().and_then(Shoe::draw)
    }

    /// Cards that are left of this round's deck.
    pub(in crate::games) fn remaining(&self) -> usize {
        self.shoe.as_ref().map_or(0, Shoe::remaining)
    }

    /// Between two rounds: the stub goes away, the other or the same deck comes shuffled.
    pub(in crate::games) fn shuffle(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        let mut events: Vec<Body> = Vec::new();
        if let Some(shoe) = &self.shoe {
            let remaining = u32::try_from(shoe.remaining()).unwrap_or_default();
            let due = self
                .count_every
                .is_some_and(|every| self.shuffles.is_multiple_of(every));
            if due {
                events.push(
                    CardsCounted {
                        set: self.set(),
                        count: if self.counts_whole { 52 } else { remaining },
                        composition: None,
                        scope: (!self.counts_whole).then_some(CountScope::Stub),
                        sorted: None,
                    }
                    .into(),
                );
            }
            events.push(
                ShoeEnded {
                    shoe: self.name(),
                    remaining: Some(remaining),
                }
                .into(),
            );
        }
        self.shuffles += 1;
        let colour = self.colour();
        if self.in_use[colour].1 >= LIFE {
            if self.in_use[colour].0 > 0 {
                events.extend(retire(&self.set()));
            }
            self.in_use[colour] = (self.in_use[colour].0 + 1, 0);
            events.extend(new_set(&self.set(), COLOURS[colour]));
        }
        self.in_use[colour].1 += 1;
        events.push(
            ShoeStarted {
                shoe: self.name(),
                set: self.set(),
                decks: 1,
                method: self.method,
                shuffler: self.two.then(|| "shuffler".to_owned()),
                cut: None,
            }
            .into(),
        );
        self.shoe = Some(Shoe::shuffled(1, rng));
        events
    }

    fn colour(&self) -> usize {
        usize::from(self.two && self.shuffles.is_multiple_of(2))
    }

    fn set(&self) -> String {
        let colour = self.colour();
        format!("{}-{}", COLOURS[colour], self.in_use[colour].0)
    }
}

fn new_set(set: &str, colour: &str) -> [Body; 3] {
    let delivered = CardsDelivered {
        set: set.to_owned(),
        decks: 1,
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

fn retire(set: &str) -> [Body; 4] {
    let removed = CardsRemoved {
        set: set.to_owned(),
        reason: "scheduled".into(),
        by: None,
    };
    let collected = CardsCollected {
        set: set.to_owned(),
        container: None,
        by: None,
    };
    let checked = CardsReinspected {
        set: set.to_owned(),
        missing: Vec::new(),
        extra: Vec::new(),
        unsuitable: None,
        method: None,
        sample: None,
        by: None,
    };
    let destroyed = CardsDestroyed {
        set: set.to_owned(),
        how: None,
        count: Some(52),
        by: None,
    };
    [
        removed.into(),
        collected.into(),
        checked.into(),
        destroyed.into(),
    ]
}
