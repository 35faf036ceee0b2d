//! The draws of a hand: what the seats threw away and got for it, as far as it was told.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::told::{Family, Held, Told, is_partly_seen, told};

#[derive(Debug)]
pub(super) struct Drawing<'a> {
    pub(super) seat: u32,
    /// Cards put down, where they were named.
    pub(super) discard: Option<Vec<String>>,
    pub(super) count: Option<usize>,
    pub(super) reshuffle: bool,
    pub(super) drawn: Vec<Held<'a>>,
}

impl<'a> Told<'a> {
    pub(super) fn draws_told(&self) -> Value {
        let entry = |entry: &Drawing<'_>| Value::Object(entry.document(self.tells_deal));
        let draws = self.draws.iter();
        draws
            .map(|draw| Value::Array(draw.iter().map(entry).collect()))
            .collect()
    }

    fn draws_of(&self, seat: u32) -> impl Iterator<Item = &Drawing<'a>> {
        let draws = self.draws.iter().flatten();
        draws.filter(move |entry| entry.seat == seat)
    }

    /// Draw hands whose first cards, discards or draws were not all seen, and of which the last cards were shown.
    pub(super) fn shown_in_the_end(&self) -> BTreeMap<String, Vec<&'a str>> {
        let is_in = |seat: &&u32| !self.folded.contains(seat);
        let seats = self.dealt.iter().filter(is_in);
        if seats.clone().count() < 2 {
            return BTreeMap::new();
        }
        let known = seats.filter(|&&seat| self.is_known_by_its_end(seat));
        known
            .map(|&seat| (seat.to_string(), told(&self.shown(seat))))
            .collect()
    }

    fn shown(&self, seat: u32) -> Vec<Held<'a>> {
        let own = self.own(seat).iter().copied();
        own.filter(|held| held.shown).collect()
    }

    /// A hand of a draw form of which only the cards shown in the end are all known.
    fn is_known_by_its_end(&self, seat: u32) -> bool {
        let is_whole = self.shown(seat).len() == self.form.own || self.is_whole(seat);
        self.form.family == Family::Draw && is_whole && !self.is_followed(seat)
    }

    /// Does the hand end with as many cards as it shows, or with all that it shows? A fouled hand has another
    /// number, and shows them all.
    fn is_whole(&self, seat: u32) -> bool {
        let thrown: usize = self.draws_of(seat).map(Drawing::thrown).sum();
        let shown = self.shown(seat).len();
        shown > 0 && shown + thrown == self.own(seat).len()
    }

    /// Can the hand be followed card by card, or would its first cards contradict what it shows?
    pub(super) fn follows_hand(&self, seat: u32) -> bool {
        !self.is_known_by_its_end(seat) || self.tells_deal && self.is_whole(seat)
    }

    /// Were all cards seen that came and went?
    fn is_followed(&self, seat: u32) -> bool {
        let is_told = self.tells_deal || self.draws_of(seat).next().is_none();
        is_told
            && self.own(seat).iter().all(|held| held.card.is_some())
            && self.draws_of(seat).all(|entry| entry.discard.is_some())
    }

    pub(super) fn is_seen_through_draws(&self, seat: u32) -> bool {
        let is_dealt = !self.own(seat).is_empty();
        self.is_known_by_its_end(seat) || is_dealt && self.is_followed(seat)
    }
}

impl Drawing<'_> {
    /// Cards put down: as they were named or counted, else as many as came for them.
    fn thrown(&self) -> usize {
        let named = self.discard.as_ref().map(Vec::len);
        named.or(self.count).unwrap_or(self.drawn.len())
    }

    /// Where no card is told to be dealt, none that was drawn is either.
    fn document(&self, tells_deal: bool) -> Map<String, Value> {
        let mut entry = Map::new();
        entry.insert("seat".into(), json!(self.seat));
        // Another number than was thrown away is told though nobody saw the cards.
        let is_other = self.count.is_some_and(|count| count != self.drawn.len());
        let is_named = self.drawn.is_empty() || is_partly_seen(&self.drawn) || is_other;
        let drawn = (tells_deal && is_named).then(|| told(&self.drawn));
        if let Some(discard) = &self.discard {
            entry.insert("discard".into(), json!(discard));
        }
        if let Some(drawn) = &drawn {
            entry.insert("draw".into(), json!(drawn));
        }
        if drawn.is_none() || self.discard.is_none() {
            let named = self.discard.as_ref().map(Vec::len);
            let count = self.count.or(named.filter(|_| !tells_deal));
            entry.insert("count".into(), json!(count.unwrap_or(self.drawn.len())));
        }
        if self.reshuffle {
            entry.insert("reshuffle".into(), json!(true));
        }
        entry
    }
}
