//! The cards of a shoe, one by one: none may be seen more often than it is there.

mod contents;
mod count;

use std::collections::BTreeMap;

use catwalk_events::body::{
    Body, CardBurned, CardDealt, CardPlace, CardRevealed, CountScope, Irregularity, ShoeEnded,
    ShoeStarted,
};
use catwalk_events::{Event, Json};
use catwalk_rules::floor::Card;
use serde::{Deserialize, Serialize};

use super::{AtTable, Sighting, make_room};
use crate::table::RulesInForce;
use contents::Shoe;
use count::compare;

/// So many cards of a round are known by their place; which lies where beyond that is not.
const MAX_CARDS_OF_ROUND: usize = 512;
/// So many sets are known by the number of their decks, the oldest first to go.
const MAX_SETS: usize = 16;

/// One shoe at a time: a count for each of 53 identities, the cards that lie on the table in this
/// round, and the decks of the last sets.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ShoeCount {
    shoe: Option<Shoe>,
    /// Cards of the round by place, in dealing order.
    places: BTreeMap<String, Vec<Option<String>>>,
    cards_of_round: usize,
    /// Cards of the board that were burned in this round.
    put_away: usize,
    /// Events of the round are missing: which card lies where is not known until the next.
    blind: bool,
    /// The round that was opened last.
    round: Option<String>,
    sets: BTreeMap<String, SetSize>,
}

/// How many decks a set has, since when, and whether it was dealt from.
#[derive(Debug, Serialize, Deserialize)]
struct SetSize {
    decks: u32,
    dealt: bool,
    /// Of its backs, as it was delivered.
    #[serde(default)]
    colour: Option<String>,
    seq: u64,
}

impl ShoeCount {
    /// Which cards have left the shoe is no longer known, nor whether it is still the same.
    pub(super) fn lose(&mut self) {
        self.shoe = None;
        self.places.clear();
        self.blind = true;
    }

    pub(super) fn see(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        let seq = event.seq;
        match &event.body {
            Body::CardsDelivered(delivered) => {
                let colour = delivered.colour.clone();
                self.size(&delivered.set, (delivered.decks, false), colour, seq);
            }
            Body::ShoeStarted(started) => self.start(started, table, seq),
            Body::RoundOpened(_) => self.open_round(event, table, seen),
            Body::CardBurned(burned) => self.burn(burned, table, seq, seen),
            Body::CardDealt(dealt) => self.deal(dealt, seq, seen),
            // Which cards of another open round lie where is not known any more.
            Body::CardRevealed(_) if is_other(event.round.as_ref(), self.round.as_ref()) => {}
            Body::CardRevealed(shown) => self.reveal(shown, seq, seen),
            Body::Irregularity(told) => self.go_wrong(told),
            Body::WagerPaid(_) | Body::WagerCollected(_) => {
                let is_untold = self.cards_of_round == 0 && event.round == self.round;
                if let Some(shoe) = &mut self.shoe {
                    shoe.unseen |= is_untold && table.is_round_open;
                }
            }
            Body::CardReplaced(replaced) => {
                if let Some(shoe) = &self.shoe
                    && !shoe.holds(&replaced.card)
                {
                    seen.push(foreign(&replaced.card, seq));
                }
            }
            // What is left of one side says nothing of both.
            Body::ShoeEnded(_) if self.shoe.as_ref().is_some_and(|shoe| shoe.two_sided) => {}
            Body::ShoeEnded(ended) => self.end(ended, table, seq, seen),
            // How many cards a deck has is the game's matter, and nobody told which it is.
            Body::CardsCounted(_) if table.rules.is_none() => {}
            Body::CardsCounted(counted) if counted.scope == Some(CountScope::Stub) => {
                self.count_stub(counted, seq, seen);
            }
            Body::CardsCounted(counted) => self.count_set(counted, table, seq, seen),
            _ => {}
        }
    }

    fn start(&mut self, started: &ShoeStarted, table: &AtTable<'_>, seq: u64) {
        let known = self.sets.remove(&started.set);
        let colour = known.and_then(|set| set.colour);
        self.size(&started.set, (started.decks, true), colour.clone(), seq);
        let two_sided = table.rules.is_some_and(has_two_sides);
        let is_other_side = |shoe: &Shoe| shoe.two_sided && !shoe.dealt;
        if two_sided && self.shoe.as_ref().is_some_and(is_other_side) {
            return;
        }
        self.shoe = Some(Shoe::told(started, table, colour, seq));
    }

    fn open_round(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        self.check_cut(table, event.seq, seen);
        self.places.clear();
        self.cards_of_round = 0;
        self.put_away = 0;
        self.blind = false;
        self.round.clone_from(&event.round);
        match (&mut self.shoe, table.cards) {
            (Some(shoe), _) => shoe.begin_round(),
            (None, Some(rule)) => self.shoe = Some(Shoe::untold(rule, event.seq)),
            (None, None) => {}
        }
    }

    fn burn(
        &mut self,
        burned: &CardBurned,
        table: &AtTable<'_>,
        seq: u64,
        seen: &mut Vec<Sighting>,
    ) {
        if let Some(shoe) = &mut self.shoe {
            shoe.burned = shoe.burned.saturating_add(1);
        }
        self.turn_back(burned.back.as_deref(), seq, seen);
        let board = table.cards.and_then(|rule| rule.board);
        let card = burned.card.as_deref();
        match board.and_then(|board| self.on_board(card, board)) {
            None => self.leave(card, seq, seen),
            Some(is_known) => {
                self.put_away += 1;
                if let Some(card) = card.filter(|_| !is_known) {
                    self.name(card, seq, seen);
                }
            }
        }
    }

    fn deal(&mut self, dealt: &CardDealt, seq: u64, seen: &mut Vec<Sighting>) {
        self.lay(place(dealt.to, dealt.seat, dealt.hand), dealt.card.clone());
        if let Some(shoe) = &mut self.shoe {
            // A side wager may be taken before the cards.
            (shoe.dealt, shoe.unseen) = (true, false);
        }
        self.turn_back(dealt.back.as_deref(), seq, seen);
        self.leave(dealt.card.as_deref(), seq, seen);
    }

    fn reveal(&mut self, shown: &CardRevealed, seq: u64, seen: &mut Vec<Sighting>) {
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
                let message = format!("A card dealt as {known} was turned over as {}", shown.card);
                seen.push(Sighting::new("deck.switched_card", vec![seq], message));
            }
            None => {
                *card = Some(shown.card.clone());
                self.name(&shown.card, seq, seen);
            }
        }
    }

    /// What an irregularity does to the cards of the shoe.
    fn go_wrong(&mut self, told: &Irregularity) {
        let Some(shoe) = &mut self.shoe else { return };
        if told.kind == "face_up_card" && count_of(told) == 1 {
            // A card that was found face up is set aside: it lies neither in a hand nor in the stub. For more of
            // them the round is void, and all cards go back.
            shoe.put_away = shoe.put_away.saturating_add(1);
        } else if told.kind.contains("reshuffle") {
            // Where a deck runs out in a draw, discards go back into it: rules of poker 12(f)2, 21(g), 22(g). Who
            // holds which of them the round itself follows.
            if shoe.counted_every_round {
                shoe.seen.clear();
                shoe.untold = true;
            }
        } else if shoe.untold_start {
            // What went wrong may mean that the cards are shuffled and dealt again, told or not.
            shoe.seen.clear();
        }
    }

    fn end(&mut self, ended: &ShoeEnded, table: &AtTable<'_>, seq: u64, seen: &mut Vec<Sighting>) {
        if let (Some(shoe), Some(remaining)) = (self.shoe.take(), ended.remaining)
            && !shoe.continuous
            && !shoe.is_untold()
            && table.rules.is_some()
        {
            let found = shoe.out_beside(remaining).saturating_add(remaining);
            let evidence = vec![shoe.started_seq, seq];
            compare((found, shoe.total()), "The shoe", &shoe.set, evidence, seen);
        }
    }

    fn size(&mut self, set: &str, (decks, dealt): (u32, bool), colour: Option<String>, seq: u64) {
        let size = SetSize {
            decks,
            dealt,
            colour,
            seq,
        };
        self.sets.insert(set.to_owned(), size);
        make_room(&mut self.sets, MAX_SETS, |size| size.seq);
    }

    /// A card comes to lie at a place.
    fn lay(&mut self, place: String, card: Option<String>) {
        self.cards_of_round += 1;
        if self.cards_of_round > MAX_CARDS_OF_ROUND {
            self.places.clear();
            self.blind = true;
        } else {
            self.places.entry(place).or_default().push(card);
        }
    }

    /// All cards of a shoe have one back.
    fn turn_back(&mut self, back: Option<&str>, seq: u64, seen: &mut Vec<Sighting>) {
        let (Some(shoe), Some(back)) = (&mut self.shoe, back) else {
            return;
        };
        match &shoe.back {
            None => shoe.back = Some(back.to_owned()),
            Some(first) if !first.eq_ignore_ascii_case(back) && !shoe.mixed => {
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
    fn check_cut(&mut self, table: &AtTable<'_>, seq: u64, seen: &mut Vec<Sighting>) {
        const CODE: &str = "deck.overdue_shuffle";
        let Some(shoe) = &mut self.shoe else { return };
        let before_cut = shoe.cut.map(|cut| shoe.total().saturating_sub(cut));
        let is_out = !shoe.continuous && before_cut.is_some_and(|before| shoe.out > before);
        if is_out && !shoe.overdue && table.first_filed(&[CODE]).is_some() {
            shoe.overdue = true;
            let message = format!(
                "A round was begun after {} cards; the cutting card had come out after {}",
                shoe.out,
                before_cut.unwrap_or_default()
            );
            seen.push(Sighting::new(CODE, vec![shoe.started_seq, seq], message));
        }
    }

    /// Does this burned card lie on a board that has more cards than stay in play, and is it known to?
    fn on_board(&self, card: Option<&str>, board: usize) -> Option<bool> {
        let boards = [CardPlace::Community, CardPlace::Dealer].map(|to| place(to, None, None));
        let mut boards = boards.iter().filter_map(|place| self.places.get(place));
        let cards = boards.find(|cards| cards.len() > board + self.put_away)?;
        let Some(card) = card else { return Some(true) };
        let shoe = self.shoe.as_ref().filter(|shoe| shoe.holds(card))?;
        let is_known = cards.iter().flatten().any(|known| known == card);
        let fits = is_known || cards.contains(&None) && !shoe.seen.contains_key(card);
        fits.then_some(is_known)
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
        // What is no card at all is in no shoe, told of or not.
        let is_foreign = match &self.shoe {
            Some(shoe) => !shoe.holds(card),
            None => card.parse::<Card>().is_err(),
        };
        if is_foreign {
            return seen.push(foreign(card, seq));
        }
        let Some(shoe) = &mut self.shoe else { return };
        if card == "JK" && shoe.any_joker {
            return;
        }
        let copies = if card == "JK" {
            shoe.decks * shoe.jokers_per_deck
        } else {
            shoe.decks
        };
        let count = shoe.seen.entry(card.to_owned()).or_default();
        *count += 1;
        let before = match shoe.seen_at.get_mut(card) {
            Some(last) => Some(std::mem::replace(last, seq)),
            None => shoe.seen_at.insert(card.to_owned(), seq),
        };
        if *count > copies {
            let message =
                format!("{card} was seen {count} times in a shoe that holds it {copies} times");
            let evidence = [shoe.started_seq].into_iter().chain(before).chain([seq]);
            let evidence = evidence.collect();
            seen.push(Sighting::new("deck.duplicate_card", evidence, message));
        }
    }
}

/// So many cards an irregularity is about, one where it does not say.
fn count_of(told: &Irregularity) -> u64 {
    let detail = told.detail.as_ref().map(Json::value).unwrap_or_default();
    detail.get("count").unwrap_or(&detail).as_u64().unwrap_or(1)
}

/// Is the table dealt from a double shoe?
pub(super) fn has_two_sides(rules: &RulesInForce) -> bool {
    let sides = rules.option("double_shoe");
    sides.is_some_and(|sides| sides.is_object())
}

fn is_other(round: Option<&String>, open: Option<&String>) -> bool {
    round.zip(open).is_some_and(|(round, open)| round != open)
}

fn foreign(card: &str, seq: u64) -> Sighting {
    let message = format!("The reader sent \"{card}\", which is no card of this game");
    Sighting::new("deck.foreign_card", vec![seq], message)
}

fn place(to: CardPlace, seat: Option<u32>, hand: Option<u32>) -> String {
    format!("{to:?} {seat:?} {}", hand.unwrap_or(1))
}
