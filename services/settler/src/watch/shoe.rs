//! The cards of a shoe, one by one: none may be seen more often than it is there.

use std::collections::BTreeMap;

use catwalk_events::Event;
use catwalk_events::body::{Body, CardPlace, CountScope, DealingMethod};
use catwalk_rules::floor::{Card, Rank};
use serde::{Deserialize, Serialize};

use super::{Floor, Sighting};
use crate::table::RulesInForce;

/// One shoe at a time: a count for each of 53 identities, and the cards that lie on the table in this
/// round.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct ShoeCount {
    shoe: Option<Shoe>,
    /// Cards of the round by place, in dealing order.
    places: BTreeMap<String, Vec<Option<String>>>,
    /// Events of the round are missing: which card lies where is not known until the next.
    blind: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct Shoe {
    set: String,
    decks: u32,
    continuous: bool,
    cards_per_deck: u32,
    jokers_per_deck: u32,
    /// Cards that have left it, named or not.
    out: u32,
    seen: BTreeMap<String, u32>,
    /// The back of its first card, where a reader tells it.
    back: Option<String>,
    mixed: bool,
    /// So many leave it at least, told or not.
    dealt_every_round: Option<u32>,
    started_seq: u64,
    /// Cards behind the cutting card.
    cut: Option<u32>,
    /// A round that was begun after it had come out was reported.
    overdue: bool,
}

impl ShoeCount {
    /// Which cards have left the shoe is no longer known, nor whether it is still the same.
    pub(super) fn miss(&mut self) {
        self.shoe = None;
        self.places.clear();
        self.blind = true;
    }

    pub(super) fn see(&mut self, event: &Event, floor: &Floor<'_>, seen: &mut Vec<Sighting>) {
        let seq = event.seq;
        match &event.body {
            Body::ShoeStarted(started) => {
                let rule = floor.rules.and_then(|rules| floor.equipment.cards(rules));
                let two_sided = floor.rules.is_some_and(has_two_sides);
                self.shoe = (!two_sided).then(|| Shoe {
                    set: started.set.clone(),
                    decks: started.decks,
                    continuous: started.method == DealingMethod::Continuous,
                    cards_per_deck: rule.map_or(52, |rule| rule.cards_per_deck),
                    jokers_per_deck: rule.map_or(0, |rule| rule.jokers_per_deck),
                    out: 0,
                    seen: BTreeMap::new(),
                    back: None,
                    mixed: false,
                    dealt_every_round: rule.and_then(|rule| rule.dealt_every_round),
                    started_seq: seq,
                    cut: started.cut,
                    overdue: false,
                });
            }
            Body::RoundOpened(_) => {
                self.check_cut(floor, seq, seen);
                self.places.clear();
                self.blind = false;
                if let Some(shoe) = self.shoe.as_mut().filter(|shoe| shoe.continuous) {
                    shoe.seen.clear();
                }
            }
            Body::CardBurned(burned) => {
                self.turn_back(burned.back.as_deref(), seq, seen);
                self.leave(burned.card.as_deref(), seq, seen);
            }
            Body::CardDealt(dealt) => {
                self.places
                    .entry(place(dealt.to, dealt.seat, dealt.hand))
                    .or_default()
                    .push(dealt.card.clone());
                self.turn_back(dealt.back.as_deref(), seq, seen);
                self.leave(dealt.card.as_deref(), seq, seen);
            }
            Body::CardRevealed(shown) => {
                let is_split = self.is_split(shown.seat);
                let place = place(shown.to, shown.seat, shown.hand);
                let Some(cards) = self.places.get_mut(&place).filter(|_| !self.blind) else {
                    return;
                };
                let mut index = shown.index as usize;
                let agrees = |at: usize| {
                    let known = cards.get(at).and_then(Option::as_ref);
                    known.is_none_or(|known| *known == shown.card) && at < cards.len()
                };
                if is_split && !agrees(index) {
                    // A split moves cards between hands: the one that was not known is meant.
                    index = cards.iter().rposition(Option::is_none).unwrap_or(index);
                }
                let Some(card) = cards.get_mut(index) else {
                    return;
                };
                match card {
                    Some(known) if *known == shown.card => {}
                    Some(known) => {
                        let message =
                            format!("A card dealt as {known} was turned over as {}", shown.card);
                        seen.push(Sighting::new("deck.switched_card", vec![seq], message));
                    }
                    None => {
                        *card = Some(shown.card.clone());
                        self.name(&shown.card, seq, seen);
                    }
                }
            }
            Body::CardReplaced(replaced) => {
                if let Some(shoe) = &self.shoe
                    && !shoe.holds(&replaced.card)
                {
                    seen.push(foreign(&replaced.card, seq));
                }
            }
            Body::ShoeEnded(ended) => {
                if let (Some(shoe), Some(remaining)) = (self.shoe.take(), ended.remaining)
                    && !shoe.continuous
                {
                    let found = shoe.out_beside(remaining).saturating_add(remaining);
                    compare(
                        found,
                        shoe.total(),
                        "The shoe",
                        vec![shoe.started_seq, seq],
                        seen,
                    );
                }
            }
            Body::CardsCounted(counted) => {
                let Some(shoe) = self.shoe.as_ref().filter(|shoe| shoe.set == counted.set) else {
                    return;
                };
                let stub = counted.scope == Some(CountScope::Stub);
                let expected = if stub {
                    shoe.total().saturating_sub(shoe.out_beside(counted.count))
                } else {
                    shoe.total()
                };
                let what = if stub { "The stub" } else { "The set" };
                compare(counted.count, expected, what, vec![seq], seen);
            }
            _ => {}
        }
    }

    /// All cards of a shoe have one back.
    fn turn_back(&mut self, back: Option<&str>, seq: u64, seen: &mut Vec<Sighting>) {
        let (Some(shoe), Some(back)) = (&mut self.shoe, back) else {
            return;
        };
        match &shoe.back {
            None => shoe.back = Some(back.to_owned()),
            Some(first) if first != back && !shoe.mixed => {
                let message = format!("A {back} back came from a shoe of {first} backs");
                let evidence = vec![shoe.started_seq, seq];
                seen.push(Sighting::new("deck.mixed_batches", evidence, message));
                shoe.mixed = true;
            }
            Some(_) => {}
        }
    }

    /// The round in which the cutting card comes out is the last of its shoe, in the games whose rules
    /// say so. Cards that nobody told of only make it come later.
    fn check_cut(&mut self, floor: &Floor<'_>, seq: u64, seen: &mut Vec<Sighting>) {
        const CODE: &str = "deck.overdue_shuffle";
        let Some(shoe) = &mut self.shoe else { return };
        let game = floor
            .rules
            .and_then(|rules| floor.rulebook.game(&rules.game).ok());
        let says_so = |code: &str| {
            let filed = game.map(|game| game.book().findings().iter());
            filed.is_some_and(|mut filed| filed.any(|entry| entry.code == code))
        };
        let before_cut = shoe.cut.map(|cut| shoe.total().saturating_sub(cut));
        let is_out = !shoe.continuous && before_cut.is_some_and(|before| shoe.out > before);
        if is_out && !shoe.overdue && says_so(CODE) {
            shoe.overdue = true;
            let message = "A round was begun after the cutting card had come out".to_owned();
            seen.push(Sighting::new(CODE, vec![shoe.started_seq, seq], message));
        }
    }

    /// Does this seat have more than one hand?
    fn is_split(&self, seat: Option<u32>) -> bool {
        let second = place(CardPlace::Seat, seat, Some(2));
        seat.is_some() && self.places.contains_key(&second)
    }

    /// A card leaves the shoe, named or not.
    fn leave(&mut self, card: Option<&str>, seq: u64, seen: &mut Vec<Sighting>) {
        // A card that the deck does not hold was never in the shoe.
        if let Some(shoe) = &mut self.shoe
            && card.is_none_or(|card| shoe.holds(card))
        {
            shoe.out = shoe.out.saturating_add(1);
        }
        if let Some(card) = card {
            self.name(card, seq, seen);
        }
    }

    /// An identity is seen for the first time at its place.
    fn name(&mut self, card: &str, seq: u64, seen: &mut Vec<Sighting>) {
        let Some(shoe) = &mut self.shoe else { return };
        if !shoe.holds(card) {
            return seen.push(foreign(card, seq));
        }
        let copies = if card == "JK" {
            shoe.decks * shoe.jokers_per_deck
        } else {
            shoe.decks
        };
        let count = shoe.seen.entry(card.to_owned()).or_default();
        *count += 1;
        if *count > copies {
            let message =
                format!("{card} was seen {count} times in a shoe that holds it {copies} times");
            seen.push(Sighting::new(
                "deck.duplicate_card",
                vec![shoe.started_seq, seq],
                message,
            ));
        }
    }
}

impl Shoe {
    fn total(&self) -> u32 {
        self.decks
            .saturating_mul(self.cards_per_deck + self.jokers_per_deck)
    }

    /// The cards that have left it, where so many are left: all that were told, or all that every round
    /// deals where that leaves exactly these.
    fn out_beside(&self, left: u32) -> u32 {
        let always = self.dealt_every_round.unwrap_or_default();
        if self.out < always && always + left == self.total() {
            always
        } else {
            self.out
        }
    }

    /// Is this a card of the game's decks? Decks of 48 cards have no tens.
    fn holds(&self, card: &str) -> bool {
        match card.parse::<Card>() {
            Ok(Card::JOKER) => self.jokers_per_deck > 0,
            Ok(card) => self.cards_per_deck != 48 || card.rank() != Some(Rank::Ten),
            Err(_) => false,
        }
    }
}

/// Cards of a shoe of two sides come from both of them, and no event says from which.
pub(super) fn has_two_sides(rules: &RulesInForce) -> bool {
    let sides = rules.option("double_shoe");
    sides.is_some_and(|sides| sides.is_object())
}

fn foreign(card: &str, seq: u64) -> Sighting {
    let message = format!("{card} is not a card of this game's deck");
    Sighting::new("deck.foreign_card", vec![seq], message)
}

fn compare(found: u32, expected: u32, what: &str, evidence: Vec<u64>, seen: &mut Vec<Sighting>) {
    let code = match found {
        _ if found < expected => "deck.missing_card",
        _ if found > expected => "deck.extra_card",
        _ => return,
    };
    let message = format!("{what} has {found} cards instead of {expected}");
    seen.push(Sighting::new(code, evidence, message));
}

fn place(to: CardPlace, seat: Option<u32>, hand: Option<u32>) -> String {
    format!("{to:?} {seat:?} {}", hand.unwrap_or(1))
}
