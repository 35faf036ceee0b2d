//! What is known of a set of cards, and what follows from it.

use catwalk_events::Timestamp;
use catwalk_events::body::DealingMethod;
use catwalk_rules::equipment::{CardLife, CardRule, Method};
use serde::{Deserialize, Serialize};

use crate::watch::{AtTable, HOUR, Sighting, is_past, once, way_of};

/// What is known of a set.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SetLife {
    /// As it was delivered.
    pub(super) decks: Option<u32>,
    /// The most decks that a shoe was made up of.
    pub(super) decks_dealt: u32,
    /// Inspected before it came, under a seal that was whole.
    pub(super) preshuffled: bool,
    pub(super) opened: Option<(Timestamp, u64)>,
    pub(super) extended_use: bool,
    /// The hours that it has at the game it was opened and dealt for.
    pub(super) hours: Option<Hours>,
    /// The table closed while it was in use, which ends the longer hours.
    pub(super) table_closed: bool,
    /// The table closed within the longer hours: they end if it opens again with the set.
    pub(super) closed_late: bool,
    pub(super) inspected: bool,
    /// Dealer and supervisor of the last inspection were two people.
    pub(super) by_two: bool,
    pub(super) by_dealer: bool,
    pub(super) to_replace: Vec<String>,
    pub(super) methods: Vec<DealingMethod>,
    pub(super) shoes: u32,
    pub(super) removed: Option<(Timestamp, u64)>,
    pub(super) reason: String,
    pub(super) collected: Option<Timestamp>,
    pub(super) reinspected: Option<Timestamp>,
    pub(super) clean: bool,
    pub(super) destroyed: bool,
    /// In an earlier life it was opened and removed.
    pub(super) spent: bool,
    /// Events are missing since it was last dealt: it may be gone, inspected or destroyed.
    pub(super) uncertain: bool,
    /// Events are missing since it came or was last inspected: it may have been inspected, or put right.
    pub(super) blind: bool,
    /// Of the last event about it.
    pub(super) last_seq: u64,
    pub(super) raised: Vec<String>,
}

/// How long a set may be in use, with and without the shift manager's word, and by what section.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Hours {
    pub(super) plain: i64,
    pub(super) extended: i64,
    pub(super) cite: String,
}

impl SetLife {
    /// Was it opened and removed before, so that it must not come back? Poker decks may after a clean
    /// inspection, which may be among what is missing.
    pub(super) fn is_spent(&self, rule: Option<&CardRule>) -> bool {
        let was_used = self.opened.is_some() || self.shoes > 0;
        let is_gone = was_used && (self.removed.is_some() || self.destroyed);
        let is_clean = self.clean || self.uncertain;
        let may_return = may_be_reusable(rule) && is_clean && !self.destroyed;
        self.spent || is_gone && !may_return
    }

    /// A clean poker deck, or a reserve that was never opened, comes back from storage: its life begins
    /// again, whether or not its delivery is told.
    pub(super) fn come_back(&mut self, rule: Option<&CardRule>) {
        if self.removed.is_some() && !self.is_spent(rule) {
            *self = SetLife {
                decks: self.decks,
                preshuffled: self.preshuffled && self.opened.is_none(),
                blind: self.blind,
                last_seq: self.last_seq,
                ..SetLife::default()
            };
        }
    }

    pub(super) fn check_reuse(
        &mut self,
        rule: Option<&CardRule>,
        name: &str,
        seq: u64,
        seen: &mut Vec<Sighting>,
    ) {
        if self.is_spent(rule) && once(&mut self.raised, "deck.reused") {
            let message = format!("Set {name} came back after it had been opened and removed");
            let removed = self.removed.map(|(_, seq)| seq);
            let evidence = removed.into_iter().chain([seq]).collect();
            seen.push(Sighting::new("deck.reused", evidence, message).about(name));
        }
    }

    /// Was it not inspected as it must be? The feed tells how sets come and are inspected, or events of it
    /// are missing.
    pub(super) fn is_unseen(
        &self,
        (tells_lives, lost): (bool, bool),
        decks: u32,
        rule: Option<&CardRule>,
    ) -> bool {
        // Of a set that was only told to be opened nobody knows whether it came pre-shuffled.
        let is_known = self.inspected || self.decks.is_some();
        // A set whose coming nobody told may have come with its inspection, where events are missing.
        let may_be_seen = self.blind || lost && self.decks.is_none();
        let judged = (is_known || tells_lives) && !may_be_seen;
        let is_signed = match dealer_inspects(decks, rule) {
            true => self.by_dealer,
            false => self.by_two,
        };
        judged && !self.preshuffled && !(self.inspected && is_signed)
    }

    /// Who must have inspected it.
    pub(super) fn inspectors(decks: u32, rule: Option<&CardRule>) -> &'static str {
        match dealer_inspects(decks, rule) {
            true => "the dealer",
            false => "two people",
        }
    }

    /// A second shoe, where every shoe takes new cards.
    pub(super) fn spent_shoe(
        &self,
        name: &str,
        again: bool,
        rule: Option<&CardRule>,
    ) -> Option<(&'static str, String)> {
        let is_new = rule.is_some_and(|rule| rule.new_cards_every_shoe);
        let message =
            || format!("Set {name} was dealt for a second shoe; every shoe takes new cards");
        (is_new && self.shoes > 0 && !again).then(|| ("deck.overdue", message()))
    }

    pub(super) fn is_in_use(&self) -> bool {
        let was_used = self.opened.is_some() || self.shoes > 0;
        was_used && self.removed.is_none() && !self.destroyed
    }

    pub(super) fn most_decks(&self) -> u32 {
        self.decks.unwrap_or_default().max(self.decks_dealt)
    }

    pub(super) fn ways(&self) -> Vec<Method> {
        self.methods.iter().copied().map(way_of).collect()
    }

    pub(super) fn hours_by(&self, rule: &CardRule, table: &AtTable<'_>) -> Hours {
        let (ways, life) = (self.ways(), table.chapter.card_life.as_ref());
        let hours = |extended| rule.hours(&ways, self.most_decks(), extended, life);
        Hours {
            plain: hours(false),
            extended: hours(true),
            cite: rule.hours_cite(&ways).to_owned(),
        }
    }

    /// Within its plain hours a set loses the longer ones. Beyond them its use ends with the table's, unless
    /// the table opens again with it: 146.49(7)(g)1.
    pub(super) fn close_table(&mut self, now: Timestamp, table: &AtTable<'_>) {
        let other = table.chapter.card_life.as_ref();
        let other = other.map(|life| life.other_games_hours);
        let plain = self.hours.as_ref().map(|hours| hours.plain).or(other);
        let is_late = |((opened, _), plain)| is_past(opened, now, plain * HOUR);
        match self.opened.zip(plain).is_some_and(is_late) {
            true => self.closed_late = true,
            false => self.table_closed = true,
        }
    }

    /// The hours that it may be in use, if they have passed. Cards of no known game have those of all
    /// other games, where the jurisdiction has any.
    pub(super) fn overdue(&self, table: &AtTable<'_>, now: Timestamp) -> Option<i64> {
        let (opened, _) = self.opened?;
        if self.removed.is_some() || self.destroyed {
            return None;
        }
        let is_extended = self.extended_use && !self.table_closed;
        let life = table.chapter.card_life.as_ref();
        let hours = match (&self.hours, table.cards) {
            (Some(hours), _) if is_extended => hours.extended,
            (Some(hours), _) => hours.plain,
            (None, Some(rule)) => rule.hours(&self.ways(), self.most_decks(), is_extended, life),
            (None, None) if is_extended => life?.extended_hours,
            (None, None) => life?.other_games_hours,
        };
        is_past(opened, now, hours * HOUR).then_some(hours)
    }

    /// The hours that have passed, if the set should have been destroyed by now.
    pub(super) fn overdue_for_destruction(&self, life: &CardLife, now: Timestamp) -> Option<i64> {
        let (removed, _) = self.removed?;
        if self.destroyed || self.reason == "evidence" {
            return None;
        }
        let after = |since: Option<Timestamp>, hours: i64| {
            since
                .filter(|&since| is_past(since, now, hours * HOUR))
                .map(|_| hours)
        };
        let collected = life.destroy_after_collection_hours;
        match self.collected {
            Some(_) => after(self.collected, collected),
            None => after(self.reinspected, collected)
                .or_else(|| after(Some(removed), life.destroy_after_removal_hours)),
        }
    }
}

/// Are these the cards of a game, or of a table whose game nobody told, that may be used again?
pub(super) fn may_be_reusable(rule: Option<&CardRule>) -> bool {
    rule.is_none_or(|rule| rule.reusable)
}

/// Does the dealer alone inspect so many decks?
fn dealer_inspects(decks: u32, rule: Option<&CardRule>) -> bool {
    rule.is_some_and(|rule| rule.dealer_inspects_decks == Some(decks))
}
