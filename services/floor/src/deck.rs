//! A deck for each round: shuffled before every one, two decks in turn where the table has two, and new
//! cards before the old ones have been in use for too long.

use catwalk_events::Role;
use catwalk_events::body::{
    Body, CardsCollected, CardsCounted, CardsDelivered, CardsDestroyed, CardsInspected,
    CardsOpened, CardsReinspected, CardsRemoved, CountScope, DealingMethod, ShoeEnded, ShoeStarted,
};
use catwalk_rules::floor::Card;
use rand_chacha::ChaCha8Rng;

use crate::shoe::Shoe;
use crate::table::person;

/// Rounds with the same cards: fewer than are dealt in four hours.
const ROUNDS_A_SET: u32 = 110;
const COLOURS: [&str; 2] = ["red", "blue"];

/// How a table deals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dealing {
    pub(crate) method: DealingMethod,
    /// Two decks take turns.
    pub(crate) alternates: bool,
    pub(crate) joker: bool,
    /// The stub is counted every so many rounds.
    pub(crate) count_every: Option<u32>,
    /// The dealer cuts what he shuffled.
    pub(crate) cut: Option<u32>,
}

/// The decks of a table.
#[derive(Debug)]
pub(crate) struct Decks {
    dealing: Dealing,
    shoe: Option<Shoe>,
    /// Cards that were dealt from it in this round, and in those before it.
    dealt: usize,
    dealt_before: usize,
    /// All cards are counted, not the stub.
    pub(crate) counts_whole: bool,
    /// Rounds until now, and shuffles.
    rounds: u32,
    shuffles: u32,
    /// Sets until now.
    sets: u32,
    in_use: Vec<String>,
}

impl Default for Decks {
    /// One deck, dealt from the hand.
    fn default() -> Decks {
        Decks::new(Dealing {
            method: DealingMethod::Hand,
            alternates: false,
            joker: false,
            count_every: None,
            cut: None,
        })
    }
}

impl Decks {
    pub(crate) fn new(dealing: Dealing) -> Decks {
        Decks {
            dealing,
            shoe: None,
            dealt: 0,
            dealt_before: 0,
            counts_whole: false,
            rounds: 0,
            shuffles: 0,
            sets: 0,
            in_use: Vec::new(),
        }
    }

    pub(crate) fn name(&self) -> String {
        format!("shuffle-{}", self.shuffles)
    }

    pub(crate) fn draw(&mut self) -> Option<Card> {
        let card = self.shoe.as_mut()?.draw()?;
        self.dealt += 1;
        Some(card)
    }

    /// Cards that are left of this round's deck.
    pub(crate) fn remaining(&self) -> usize {
        self.shoe.as_ref().map_or(0, Shoe::remaining)
    }

    /// So many cards of the deck were dealt; what was drawn beyond them is still in it.
    pub(crate) fn put_back(&mut self, dealt: usize) {
        self.dealt = dealt;
    }

    /// Ends the last round's deck and shuffles the next one.
    pub(crate) fn shuffle(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        let mut events: Vec<Body> = Vec::new();
        if self.shoe.take().is_some() {
            let whole = Card::deck().len() + usize::from(self.dealing.joker);
            let gone = std::mem::take(&mut self.dealt) + std::mem::take(&mut self.dealt_before);
            let remaining = whole.saturating_sub(gone);
            let remaining = u32::try_from(remaining).unwrap_or_default();
            if self.is_count_due() {
                let counted = CardsCounted {
                    set: self.set(),
                    count: match self.counts_whole {
                        true => u32::try_from(whole).unwrap_or_default(),
                        false => remaining,
                    },
                    composition: None,
                    scope: (!self.counts_whole).then_some(CountScope::Stub),
                    sorted: None,
                };
                events.push(counted.into());
            }
            let ended = ShoeEnded {
                shoe: self.name(),
                remaining: Some(remaining),
            };
            events.push(ended.into());
        }
        if self.in_use.is_empty() || self.shuffles.is_multiple_of(ROUNDS_A_SET) {
            let old = std::mem::take(&mut self.in_use);
            events.extend(old.iter().flat_map(|set| retired(set, "scheduled")));
            let decks = if self.dealing.alternates { 2 } else { 1 };
            for colour in &COLOURS[..decks] {
                self.sets += 1;
                let set = format!("set-{}", self.sets);
                events.extend(new_set(&set, colour));
                self.in_use.push(set);
            }
        }
        self.rounds += 1;
        self.shuffles += 1;
        let started = ShoeStarted {
            shoe: self.name(),
            set: self.set(),
            decks: 1,
            method: self.dealing.method,
            shuffler: None,
            cut: self.dealing.cut,
        };
        events.push(started.into());
        let joker = self.dealing.joker.then_some(Card::JOKER);
        self.shoe = Some(Shoe::of(Card::deck().chain(joker), rng));
        events
    }

    /// Deals another round from the same cards, if so many are left and the stub need not be counted first.
    pub(crate) fn deal_on(&mut self, cards: usize) -> bool {
        // Of cards that are dealt from again and again it is said once.
        let is_second = self.dealt_before > 0;
        if is_second || self.is_count_due() || self.remaining() < cards {
            return false;
        }
        self.rounds += 1;
        self.dealt_before += std::mem::take(&mut self.dealt);
        true
    }

    fn is_count_due(&self) -> bool {
        let every = self.dealing.count_every;
        every.is_some_and(|rounds| self.rounds.is_multiple_of(rounds))
    }

    /// All decks have left the table.
    pub(crate) fn renew(&mut self) {
        self.shoe = None;
        (self.dealt, self.dealt_before) = (0, 0);
        self.in_use.clear();
    }

    /// The set that is dealt: every other round the other one.
    fn set(&self) -> String {
        let turn = self.shuffles as usize % self.in_use.len().max(1);
        self.in_use.get(turn).cloned().unwrap_or_default()
    }
}

/// A deck comes to the table, is opened and inspected.
fn new_set(set: &str, colour: &str) -> [Body; 3] {
    let set = set.to_owned();
    let delivered = CardsDelivered {
        set: set.clone(),
        decks: 1,
        colour: Some(colour.to_owned()),
        preshuffled: false,
        seal: None,
        from: None,
        by: None,
        witness: None,
    };
    let opened = CardsOpened {
        set: set.clone(),
        extended_use: None,
        receipt: None,
        seal_intact: None,
        by: None,
    };
    let inspected = CardsInspected {
        set,
        missing: Vec::new(),
        extra: Vec::new(),
        unsuitable: Vec::new(),
        dealer: "d-1".into(),
        supervisor: "s-1".into(),
    };
    [delivered.into(), opened.into(), inspected.into()]
}

/// Used cards leave the table, are inspected once more and destroyed.
pub(crate) fn retired(set: &str, reason: &str) -> [Body; 4] {
    let set = set.to_owned();
    let container = Some(format!("container-{set}"));
    let label = Some(format!("{set}, {reason}"));
    let removed = CardsRemoved {
        set: set.clone(),
        reason: reason.to_owned(),
        by: person("f-1", Role::Floorperson),
        ..CardsRemoved::default()
    };
    let collected = CardsCollected {
        set: set.clone(),
        container: container.clone(),
        by: person("s-1", Role::Security),
        label: label.clone(),
        ..CardsCollected::default()
    };
    let reinspected = CardsReinspected {
        set: set.clone(),
        missing: Vec::new(),
        extra: Vec::new(),
        unsuitable: None,
        method: None,
        sample: None,
        by: None,
    };
    let destroyed = CardsDestroyed {
        set,
        how: Some("shredded".into()),
        count: None,
        by: person("s-1", Role::Security),
        container,
        witness: person("s-2", Role::Security),
        label,
    };
    [
        removed.into(),
        collected.into(),
        reinspected.into(),
        destroyed.into(),
    ]
}
