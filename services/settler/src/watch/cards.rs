//! The life of a set of cards, from delivery to destruction.

use std::collections::BTreeMap;

use catwalk_events::body::{Body, DealingMethod, ShoeStarted};
use catwalk_events::{Event, Timestamp};
use serde::{Deserialize, Serialize};

use super::equipment::{self, CardRule};
use super::shoe::has_two_sides;
use super::{Floor, HOUR, MINUTE, Sighting, is_past, once};
use crate::table::RulesInForce;

/// So many sets are kept; those that were destroyed or removed first make room.
const MAX_SETS: usize = 256;
/// So many seal numbers are kept.
const MAX_SEALS: usize = 1_024;
/// A used set is destroyed so many hours after security collected it.
const DESTROY_AFTER_COLLECTION: i64 = 72;
/// Where no collection is reported: after removal, a day for it more.
const DESTROY_AFTER_REMOVAL: i64 = 96;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Cards {
    sets: BTreeMap<String, SetLife>,
    /// The set of the last shoe.
    last: Option<String>,
    /// Seal number and the set that it came on.
    seals: BTreeMap<String, String>,
    /// Pairs of sets whose equal colours were reported.
    equal_colours: Vec<(String, String)>,
    rounds_since_count: u32,
    last_count: Option<Timestamp>,
    count_reported: bool,
}

/// What is known of a set.
#[derive(Debug, Default, Serialize, Deserialize)]
struct SetLife {
    decks: Option<u32>,
    colour: Option<String>,
    preshuffled: bool,
    opened: Option<(Timestamp, u64)>,
    /// It was last put into suit and sequence.
    #[serde(default)]
    sorted: Option<Timestamp>,
    extended_use: bool,
    /// The table closed since the set was opened.
    table_closed: bool,
    inspected: bool,
    /// Dealer and supervisor of the last inspection were two people.
    by_two: bool,
    to_replace: Vec<String>,
    methods: Vec<DealingMethod>,
    shoes: u32,
    removed: Option<(Timestamp, u64)>,
    reason: String,
    collected: Option<Timestamp>,
    reinspected: Option<Timestamp>,
    clean: bool,
    destroyed: bool,
    /// A count of it was wrong.
    miscounted: bool,
    /// In an earlier life it was opened and removed.
    spent: bool,
    raised: Vec<String>,
}

impl Cards {
    /// A shoe or a count may be among what is missing.
    pub(super) fn miss(&mut self) {
        self.last = None;
        self.rounds_since_count = 0;
    }

    pub(super) fn see(&mut self, event: &Event, floor: &Floor<'_>, seen: &mut Vec<Sighting>) {
        let rule = floor.rules.and_then(|rules| floor.equipment.cards(rules));
        if let Body::ShoeStarted(started) = &event.body {
            let set = self.sets.entry(started.set.clone()).or_default();
            if !set.methods.contains(&started.method) {
                set.methods.push(started.method);
            }
        }
        self.check_deadlines(event, rule, seen);
        let seq = event.seq;
        match &event.body {
            Body::CardsDelivered(delivered) => {
                let old = self.sets.remove(&delivered.set).unwrap_or_default();
                let spent =
                    old.is_spent() && !(rule.is_some_and(|rule| rule.reusable) && old.clean);
                let fresh = SetLife {
                    decks: Some(delivered.decks),
                    colour: delivered.colour.clone(),
                    preshuffled: delivered.preshuffled,
                    spent,
                    ..SetLife::default()
                };
                self.sets.insert(delivered.set.clone(), fresh);
                self.check_seal(
                    &delivered.set,
                    delivered.preshuffled,
                    delivered.seal.as_deref(),
                    seq,
                    seen,
                );
                self.forget();
            }
            Body::CardsInspected(inspected) => {
                let set = self.sets.entry(inspected.set.clone()).or_default();
                let (dealer, supervisor) = (&inspected.dealer, &inspected.supervisor);
                set.inspected = true;
                set.by_two = !dealer.is_empty() && !supervisor.is_empty() && dealer != supervisor;
                set.to_replace = [inspected.missing.as_slice(), &inspected.unsuitable].concat();
                let in_time = set.shoes == 0;
                report_flaws(
                    &inspected.set,
                    &inspected.missing,
                    &inspected.extra,
                    in_time,
                    seq,
                    seen,
                );
            }
            Body::CardReplaced(replaced) => {
                let set = self.sets.entry(replaced.set.clone()).or_default();
                if let Some(at) = set
                    .to_replace
                    .iter()
                    .position(|card| *card == replaced.card)
                {
                    set.to_replace.remove(at);
                }
            }
            Body::CardsOpened(opened) => {
                let set = self.sets.entry(opened.set.clone()).or_default();
                check_reuse(set, &opened.set, seq, seen);
                set.opened = Some((event.at, seq));
                set.extended_use = opened.extended_use == Some(true);
            }
            Body::ShoeStarted(started) => self.start_shoe(started, event, floor, seen),
            Body::CardsCounted(counted) => {
                self.rounds_since_count = 0;
                self.last_count = Some(event.at);
                self.count_reported = false;
                if let (Some(rule), Some(set)) = (rule, self.sets.get_mut(&counted.set)) {
                    if counted.sorted == Some(true) {
                        set.sorted = Some(event.at);
                        set.raised.retain(|code| code != "deck.not_sorted");
                    }
                    let whole =
                        set.decks.unwrap_or(1) * (rule.cards_per_deck + rule.jokers_per_deck);
                    set.miscounted |= counted.scope.is_none() && counted.count != whole;
                }
            }
            Body::RoundOpened(_) => self.open_round(event, rule, floor.rules, seen),
            Body::TableClosed(_) => {
                self.sets
                    .values_mut()
                    .for_each(|set| set.table_closed = true);
            }
            Body::CardsRemoved(removed) => {
                let set = self.sets.entry(removed.set.clone()).or_default();
                set.removed = Some((event.at, seq));
                set.reason.clone_from(&removed.reason);
            }
            Body::CardsCollected(collected) => {
                self.sets
                    .entry(collected.set.clone())
                    .or_default()
                    .collected = Some(event.at);
            }
            Body::CardsReinspected(checked) => {
                let set = self.sets.entry(checked.set.clone()).or_default();
                set.reinspected = Some(event.at);
                let unsuitable = checked
                    .unsuitable
                    .as_ref()
                    .is_some_and(|cards| !cards.is_empty());
                set.clean = checked.missing.is_empty() && checked.extra.is_empty() && !unsuitable;
                report_flaws(
                    &checked.set,
                    &checked.missing,
                    &checked.extra,
                    false,
                    seq,
                    seen,
                );
            }
            Body::CardsDestroyed(destroyed) => {
                let set = self.sets.entry(destroyed.set.clone()).or_default();
                set.destroyed = true;
                let due = rule.is_some_and(|rule| rule.reinspect_all)
                    || matches!(
                        set.reason.as_str(),
                        "suspected_tampering" | "bureau_request"
                    );
                if due && set.reinspected.is_none() && once(&mut set.raised, "deck.not_reinspected")
                {
                    let message = format!(
                        "Set {} was destroyed without an inspection after use",
                        destroyed.set
                    );
                    seen.push(Sighting::new("deck.not_reinspected", vec![seq], message));
                }
            }
            _ => {}
        }
    }

    fn check_seal(
        &mut self,
        set: &str,
        preshuffled: bool,
        seal: Option<&str>,
        seq: u64,
        seen: &mut Vec<Sighting>,
    ) {
        match seal {
            None if preshuffled => {
                let message = format!("Pre-shuffled set {set} came without a seal");
                seen.push(Sighting::new("deck.unsealed", vec![seq], message));
            }
            None => {}
            Some(seal) => {
                if let Some(other) = self.seals.get(seal).filter(|other| *other != set) {
                    let message =
                        format!("Seal {seal} of set {set} had already come on set {other}");
                    seen.push(Sighting::new("deck.seal_reused", vec![seq], message));
                } else if self.seals.len() < MAX_SEALS {
                    self.seals.insert(seal.to_owned(), set.to_owned());
                }
            }
        }
    }

    fn start_shoe(
        &mut self,
        started: &ShoeStarted,
        event: &Event,
        floor: &Floor<'_>,
        seen: &mut Vec<Sighting>,
    ) {
        let (name, seq) = (&started.set, event.seq);
        let rule = floor.rules.and_then(|rules| floor.equipment.cards(rules));
        self.check_alternation(started, floor.rules, seq, seen);
        let set = self.sets.entry(name.clone()).or_default();
        let mut raise = |set: &mut SetLife, broken: bool, code: &'static str, message: String| {
            if broken && once(&mut set.raised, code) {
                seen.push(Sighting::new(code, vec![seq], message));
            }
        };
        let unseen = !set.preshuffled && set.shoes == 0 && !(set.inspected && set.by_two);
        raise(
            set,
            unseen,
            "deck.not_inspected",
            format!("Set {name} was dealt without an inspection by two people"),
        );
        let waiting = !set.to_replace.is_empty();
        let cards = set.to_replace.join(", ");
        raise(
            set,
            waiting,
            "deck.not_replaced",
            format!("Set {name} was dealt while {cards} had not been replaced"),
        );
        let worn = rule.is_some_and(|rule| rule.new_cards_every_shoe) && set.shoes > 0;
        raise(
            set,
            worn,
            "deck.overdue",
            format!("Set {name} was dealt for a second shoe; every shoe takes new cards"),
        );
        let (decks, delivered) = (started.decks, set.decks);
        let split = delivered.is_some_and(|delivered| delivered != decks);
        raise(
            set,
            split,
            "deck.split_set",
            format!("Set {name} was delivered with {delivered:?} decks and dealt with {decks}"),
        );
        let unlawful = floor
            .rules
            .is_some_and(|rules| !lawful_decks(rule, rules, decks));
        raise(
            set,
            unlawful,
            "deck.illegal_count",
            format!("A shoe of {decks} decks is not what this table may deal"),
        );
        set.shoes += 1;
        check_reuse(set, name, seq, seen);
        if rule.is_some_and(|rule| !rule.permits(started.method)) {
            let message = format!(
                "Cards were dealt by {:?}, which this game does not permit",
                started.method
            );
            seen.push(Sighting::new(
                "shoe.method",
                vec![seq],
                message.to_lowercase(),
            ));
        }
        self.last = Some(name.clone());
        if self.last_count.is_none() {
            self.last_count = Some(event.at);
        }
    }

    /// Two sets in turn: not the same twice in a row while the other lies there, nor two of one colour.
    fn check_alternation(
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
        let at_table =
            |set: &SetLife| set.opened.is_some() && set.removed.is_none() && !set.destroyed;
        let dealt_here = self
            .sets
            .values()
            .filter(|set| at_table(set) && set.shoes > 0)
            .count()
            >= 2;
        if !(dealt_here || rules.is_some_and(alternates)) {
            return;
        }
        let Some(last) = self.last.clone() else {
            return;
        };
        let another = self
            .sets
            .iter()
            .any(|(name, set)| *name != started.set && at_table(set));
        if last == started.set {
            if another {
                let message = format!("Set {} was dealt twice in a row", started.set);
                seen.push(Sighting::new("deck.not_alternated", vec![seq], message));
            }
            return;
        }
        let colour = |name: &str| {
            self.sets
                .get(name)
                .filter(|set| at_table(set))?
                .colour
                .clone()
        };
        let pair = if last < started.set {
            (last.clone(), started.set.clone())
        } else {
            (started.set.clone(), last.clone())
        };
        if let (Some(one), Some(other)) = (colour(&last), colour(&started.set))
            && one == other
            && !self.equal_colours.contains(&pair)
            && self.equal_colours.len() < MAX_SETS
        {
            let message = format!("Sets {} and {} both have {one} backs", pair.0, pair.1);
            seen.push(Sighting::new("deck.colour", vec![seq], message));
            self.equal_colours.push(pair);
        }
    }

    fn open_round(
        &mut self,
        event: &Event,
        rule: Option<&CardRule>,
        rules: Option<&RulesInForce>,
        seen: &mut Vec<Sighting>,
    ) {
        let Some(rule) = rule else { return };
        if let Some(name) = &self.last
            && let Some(set) = self.sets.get_mut(name)
            && set.miscounted
            && once(&mut set.raised, "deck.not_replaced")
        {
            let message = format!("Set {name} is dealt on after a wrong count");
            seen.push(Sighting::new("deck.not_replaced", vec![event.seq], message));
        }
        self.rounds_since_count += 1;
        let late = rule
            .stub_count_rounds
            .is_some_and(|most| self.rounds_since_count > most)
            || rule
                .count_minutes
                .zip(self.last_count)
                .is_some_and(|(minutes, since)| is_past(since, event.at, minutes * MINUTE));
        if late && !rules.is_some_and(counts_itself) && !self.count_reported {
            self.count_reported = true;
            let message = "The cards have not been counted as often as they must be".to_owned();
            seen.push(Sighting::new(
                "deck.count_overdue",
                vec![event.seq],
                message,
            ));
        }
    }

    /// Hours in use, and hours until destruction.
    fn check_deadlines(
        &mut self,
        event: &Event,
        rule: Option<&CardRule>,
        seen: &mut Vec<Sighting>,
    ) {
        for (name, set) in &mut self.sets {
            let Some((opened, seq)) = set.opened else {
                continue;
            };
            let evidence = || vec![seq, event.seq];
            if set.removed.is_none() && !set.destroyed {
                let extended = set.extended_use && !set.table_closed;
                let hours =
                    equipment::hours(rule, &set.methods, set.decks.unwrap_or_default(), extended);
                let sorted = set.sorted.unwrap_or(opened);
                let unsorted = rule
                    .and_then(|rule| rule.sort_hours)
                    .filter(|hours| set.shoes > 0 && is_past(sorted, event.at, hours * HOUR));
                if let Some(hours) = unsorted.filter(|_| once(&mut set.raised, "deck.not_sorted")) {
                    let message =
                        format!("Set {name} was not put in order for more than {hours} hours");
                    seen.push(Sighting::new("deck.not_sorted", evidence(), message));
                }
                if is_past(opened, event.at, hours * HOUR) && once(&mut set.raised, "deck.overdue")
                {
                    let message = format!("Set {name} is in use for more than {hours} hours");
                    seen.push(Sighting::new("deck.overdue", evidence(), message));
                }
            }
            if let Some(hours) = set.overdue_for_destruction(event.at)
                && !(rule.is_some_and(|rule| rule.reusable) && set.clean)
                && once(&mut set.raised, "deck.not_destroyed")
            {
                let message = format!("Set {name} was not destroyed within {hours} hours");
                seen.push(Sighting::new("deck.not_destroyed", evidence(), message));
            }
        }
    }

    fn forget(&mut self) {
        while self.sets.len() > MAX_SETS {
            let gone = self.sets.iter().find(|(_, set)| set.destroyed);
            let gone = gone.or_else(|| self.sets.iter().find(|(_, set)| set.removed.is_some()));
            let Some(name) = gone.map(|(name, _)| name.clone()) else {
                return;
            };
            self.sets.remove(&name);
        }
    }
}

impl SetLife {
    fn is_spent(&self) -> bool {
        self.spent || self.opened.is_some() && (self.removed.is_some() || self.destroyed)
    }

    /// The hours that have passed, if the set should have been destroyed by now.
    fn overdue_for_destruction(&self, now: Timestamp) -> Option<i64> {
        let (removed, _) = self.removed?;
        if self.destroyed || self.reason == "evidence" {
            return None;
        }
        let after = |since: Option<Timestamp>, hours: i64| {
            since
                .filter(|&since| is_past(since, now, hours * HOUR))
                .map(|_| hours)
        };
        match self.collected {
            Some(_) => after(self.collected, DESTROY_AFTER_COLLECTION),
            None => after(self.reinspected, DESTROY_AFTER_COLLECTION)
                .or_else(|| after(Some(removed), DESTROY_AFTER_REMOVAL)),
        }
    }
}

fn check_reuse(set: &mut SetLife, name: &str, seq: u64, seen: &mut Vec<Sighting>) {
    if set.is_spent() && once(&mut set.raised, "deck.reused") {
        let message = format!("Set {name} came back after it had been opened and removed");
        seen.push(Sighting::new("deck.reused", vec![seq], message));
    }
}

fn report_flaws(
    set: &str,
    missing: &[String],
    extra: &[String],
    in_time: bool,
    seq: u64,
    seen: &mut Vec<Sighting>,
) {
    for (code, what, cards) in [
        ("deck.missing_card", "lacks", missing),
        ("deck.extra_card", "has too many of", extra),
    ] {
        if !cards.is_empty() {
            let message = format!("Set {set} {what} {}", cards.join(", "));
            seen.push(Sighting {
                in_time,
                ..Sighting::new(code, vec![seq], message)
            });
        }
    }
}

/// Lawful for the game, and what the table's own options say.
fn lawful_decks(rule: Option<&CardRule>, rules: &RulesInForce, decks: u32) -> bool {
    let posted = rules.option("decks").and_then(|value| value.as_u64());
    let shuffler = rules.option("shuffler").is_some_and(|value| value == true);
    posted.is_none_or(|posted| posted == u64::from(decks))
        && rule.is_none_or(|rule| rule.permits_decks(decks, shuffler))
}

/// Do the table's options say that two sets take turns?
fn alternates(rules: &RulesInForce) -> bool {
    let is = |key: &str, word: &str| rules.option(key).is_some_and(|value| value == word);
    let on = |key: &str| rules.option(key).is_some_and(|value| value == true);
    on("shuffler")
        || on("alternating_decks")
        || on("two_decks")
        || rules.game == "blackjack"
            && (is("shuffler", "automated") || is("variation", "six_to_five"))
}

/// Does the shuffler count the cards each time?
fn counts_itself(rules: &RulesInForce) -> bool {
    ["shuffler", "shuffle"].into_iter().any(|key| {
        let value = rules.option(key);
        value
            .as_ref()
            .and_then(|value| value.as_str())
            .is_some_and(|word| word.ends_with("counting"))
    })
}
