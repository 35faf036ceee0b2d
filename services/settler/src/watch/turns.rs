//! Two sets in turn: not the same twice in a row while the other lies there, nor two of one colour.

use std::collections::BTreeMap;

use catwalk_events::Event;
use catwalk_events::body::{Body, ShoeStarted};
use serde::{Deserialize, Serialize};

use super::shoe::has_two_sides;
use super::{AtTable, Sighting, make_room};
use crate::table::RulesInForce;

/// So many sets are kept that lie at the table; the one that was told of longest ago makes room.
const MAX_SETS: usize = 16;

/// The sets that are at the table, from delivery to removal.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Turns {
    sets: BTreeMap<String, Lying>,
    /// The set of the last shoe.
    last: Option<String>,
    /// The shuffler is out of order: one set is shuffled by hand until another is dealt.
    broken: bool,
    /// A round was void since the last shoe: its cards are shuffled again.
    void: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Lying {
    colour: Option<String>,
    opened: bool,
    dealt: bool,
    /// Sets whose equal colour was reported.
    like: Vec<String>,
    last_seq: u64,
}

impl Turns {
    /// A shoe or a removal may be among what is missing.
    pub(super) fn lose(&mut self) {
        *self = Turns::default();
    }

    pub(super) fn see(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        match &event.body {
            Body::CardsDelivered(delivered) => {
                let set = self.sets.entry(delivered.set.clone()).or_default();
                set.colour = delivered.colour.clone().or(set.colour.take());
                set.last_seq = event.seq;
                make_room(&mut self.sets, MAX_SETS, |set| set.last_seq);
            }
            Body::CardsOpened(opened) => {
                let set = self.sets.entry(opened.set.clone()).or_default();
                set.opened = true;
                set.last_seq = event.seq;
                make_room(&mut self.sets, MAX_SETS, |set| set.last_seq);
            }
            Body::CardsRemoved(removed) => drop(self.sets.remove(&removed.set)),
            Body::CardsCollected(collected) => drop(self.sets.remove(&collected.set)),
            Body::CardsDestroyed(destroyed) => drop(self.sets.remove(&destroyed.set)),
            Body::Irregularity(told) => {
                self.broken |= told.kind == "shuffler_failure";
                self.void |= told.ruling.to_lowercase().contains("void");
            }
            Body::RoundVoided(_) => self.void = true,
            // Which set an opening begins with is nobody's turn.
            Body::TableClosed(_) => self.last = None,
            Body::ShoeStarted(started) => {
                self.check(started, table.rules, event.seq, seen);
                if let Some(set) = self.sets.get_mut(&started.set) {
                    set.dealt = true;
                    set.last_seq = event.seq;
                }
                self.broken &= self.last.as_ref() == Some(&started.set);
                self.void = false;
                self.last = Some(started.set.clone());
            }
            _ => {}
        }
    }

    fn check(
        &mut self,
        started: &ShoeStarted,
        rules: Option<&RulesInForce>,
        seq: u64,
        seen: &mut Vec<Sighting>,
    ) {
        // The sides of a double shoe are not dealt in turn.
        if rules.is_some_and(has_two_sides) {
            return;
        }
        // Poker decks rotate as the dealer likes, unless a machine shuffles one of them: 2(b), (d).
        let is_poker = rules.is_some_and(|rules| rules.game == "poker");
        if is_poker && started.shuffler.is_none() {
            return;
        }
        let dealt_here = self.sets.values().filter(|set| set.opened && set.dealt);
        if dealt_here.count() < 2 && !is_poker && !rules.is_some_and(alternates) {
            return;
        }
        let (this, Some(last)) = (&started.set, self.last.clone()) else {
            return;
        };
        if last == *this {
            let is_another = |(name, set): (&String, &Lying)| name != this && set.opened;
            let excused = self.broken || self.void;
            if !excused && self.sets.iter().any(is_another) {
                let message = format!("Set {this} was dealt twice in a row");
                seen.push(Sighting::new("deck.not_alternated", vec![seq], message).about(this));
            }
            return;
        }
        let colour = |name: &str| {
            let set = self.sets.get(name).filter(|set| set.opened);
            set.and_then(|set| set.colour.clone())
        };
        let (Some(one), Some(other)) = (colour(&last), colour(this)) else {
            return;
        };
        let is_told = |name: &str, other: &String| {
            let set = self.sets.get(name);
            set.is_some_and(|set| set.like.contains(other))
        };
        if one.eq_ignore_ascii_case(&other) && !is_told(this, &last) && !is_told(&last, this) {
            let message = format!("Sets {last} and {this} both have {one} backs");
            seen.push(Sighting::new("deck.colour", vec![seq], message).about(this));
            if let Some(set) = self.sets.get_mut(this)
                && set.like.len() < MAX_SETS
            {
                set.like.push(last);
            }
        }
    }
}

/// Do the table's options say that two sets take turns?
fn alternates(rules: &RulesInForce) -> bool {
    let is = |key: &str, word: &str| rules.option(key).is_some_and(|value| value == word);
    let on = |key: &str| rules.option(key).is_some_and(|value| value == true);
    let two = rules
        .option("decks_in_rotation")
        .is_some_and(|decks| decks == 2);
    // A machine that shuffles one batch while the other is dealt.
    let in_batches = matches!(
        &*rules.game,
        "blackjack" | "free_bet_blackjack" | "fast_action_holdem"
    );
    on("shuffler")
        || on("alternating_decks")
        || on("two_decks")
        || two
        || in_batches && is("shuffler", "automated")
        || rules.game == "blackjack" && is("variation", "six_to_five")
}
