//! The life of a set of cards, from delivery to destruction.

use std::collections::BTreeMap;

use catwalk_events::body::{
    Body, CardsDelivered, CardsDestroyed, CardsInspected, CardsOpened, CardsReinspected,
    DealingMethod, ShoeStarted,
};
use catwalk_events::{Event, Timestamp};
use serde::{Deserialize, Serialize};

use super::equipment::{self, CardRule, EXTENDED_HOURS, OTHER_GAMES_HOURS};
use super::{Floor, HOUR, MINUTE, Sighting, is_past, make_room, once};
use crate::table::RulesInForce;

/// So many sets are kept; those that were destroyed or removed first make room.
const MAX_SETS: usize = 128;
/// So many seal numbers are kept, the oldest first to go.
const MAX_SEALS: usize = 512;
/// No more cards of a set than this are kept as waiting to be replaced.
const MAX_TO_REPLACE: usize = 64;
/// A used set is destroyed so many hours after security collected it.
const DESTROY_AFTER_COLLECTION: i64 = 72;
/// Where no collection is reported: after removal, a day for it more.
const DESTROY_AFTER_REMOVAL: i64 = 96;
/// Cards are cut again at once, before any is dealt.
const RECUT_MINUTES: i64 = 10;

/// A set until others need its place, and a seal number likewise.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Cards {
    sets: BTreeMap<String, SetLife>,
    /// Seal number, the set that it came on, and when.
    seals: BTreeMap<String, (String, u64)>,
    /// The feed tells how sets come to the table, or of their inspections: one that comes from nowhere is
    /// suspicious.
    tells_lives: bool,
    /// Events are missing: sets may have come and been inspected untold.
    lost: bool,
    /// A shoe that was started and not dealt from yet, its set, and when.
    undealt: Option<(String, String, Timestamp)>,
}

/// What is known of a set.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct SetLife {
    /// As it was delivered.
    decks: Option<u32>,
    /// The most decks that a shoe was made up of.
    decks_dealt: u32,
    /// Inspected before it came, under a seal that was whole.
    preshuffled: bool,
    opened: Option<(Timestamp, u64)>,
    extended_use: bool,
    /// The hours that it has at the game it was opened and dealt for.
    hours: Option<Hours>,
    /// The table closed while it was in use, which ends the longer hours.
    table_closed: bool,
    /// The table closed within the longer hours: they end if it opens again with the set.
    closed_late: bool,
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
    /// In an earlier life it was opened and removed.
    spent: bool,
    /// Events are missing since it was last dealt: it may be gone, inspected or destroyed.
    uncertain: bool,
    /// Events are missing since it came or was last inspected: it may have been inspected, or put right.
    blind: bool,
    /// Of the last event about it.
    last_seq: u64,
    raised: Vec<String>,
}

/// How long a set may be in use, with and without the shift manager's word, and by what section.
#[derive(Debug, Serialize, Deserialize)]
struct Hours {
    plain: i64,
    extended: i64,
    cite: String,
}

impl Cards {
    /// What was done with a set may be among what is missing.
    pub(super) fn lose(&mut self) {
        self.tells_lives = false;
        self.lost = true;
        for set in self.sets.values_mut() {
            (set.uncertain, set.blind) = (true, true);
        }
    }

    /// The clock was wrong: hours that have not passed by the right one are still to come.
    pub(super) fn turn_back(&mut self, now: Timestamp, floor: &Floor<'_>) {
        let rule = floor.cards;
        for set in self.sets.values_mut() {
            let in_use = set.overdue(rule, now).is_some();
            let kept = set.overdue_for_destruction(now).is_some();
            // A second shoe is no matter of time.
            let by_time = set.shoes < 2 || !rule.is_some_and(|rule| rule.new_cards_every_shoe);
            set.raised.retain(|code| match code.as_str() {
                "deck.overdue" => in_use || !by_time,
                "deck.not_destroyed" => kept,
                _ => true,
            });
        }
    }

    pub(super) fn see(&mut self, event: &Event, floor: &Floor<'_>, seen: &mut Vec<Sighting>) {
        let rule = floor.cards;
        if let Body::ShoeStarted(started) = &event.body {
            // Deadlines are judged by the strictest method, this one included.
            let set = self.set(&started.set, event.seq);
            if !set.methods.contains(&started.method) {
                set.methods.push(started.method);
            }
            set.decks_dealt = set.decks_dealt.max(started.decks);
            set.hours = rule.map(|rule| set.hours_by(rule));
            set.uncertain = false;
        }
        if let Body::TableOpened(_) = &event.body {
            let sets = self.sets.values_mut();
            sets.for_each(|set| set.table_closed |= set.closed_late);
        }
        self.check_deadlines(event, rule, seen);
        let (at, seq) = (event.at, event.seq);
        match &event.body {
            Body::CardsDelivered(delivered) => self.deliver(delivered, rule, seq, seen),
            Body::CardsInspected(inspected) => self.inspect(inspected, rule, seq, seen),
            Body::CardReplaced(replaced) => {
                let set = self.set(&replaced.set, seq);
                let mut waiting = set.to_replace.iter();
                if let Some(found) = waiting.position(|card| *card == replaced.card) {
                    set.to_replace.remove(found);
                }
            }
            Body::CardsOpened(opened) => self.open(opened, rule, event, seen),
            Body::ShoeStarted(started) => self.start_shoe(started, event, floor, seen),
            Body::CardDealt(_) | Body::RoundOpened(_) | Body::ShoeEnded(_) => self.undealt = None,
            Body::TableClosed(_) => {
                let sets = self.sets.values_mut();
                sets.for_each(|set| set.close_table(at));
            }
            Body::CardsRemoved(removed) => {
                let set = self.set(&removed.set, seq);
                // Told again, it is not removed again: only the reason may be another.
                set.removed.get_or_insert((at, seq));
                set.reason.clone_from(&removed.reason);
            }
            Body::CardsCollected(collected) => {
                let set = self.set(&collected.set, seq);
                set.removed.get_or_insert((at, seq));
                set.collected.get_or_insert(at);
            }
            Body::CardsReinspected(checked) => self.reinspect(checked, event, seen),
            Body::CardsDestroyed(destroyed) => self.destroy(destroyed, rule, seq, seen),
            _ => {}
        }
    }

    /// What is kept of a set, from now on if it was not known.
    fn set(&mut self, name: &str, seq: u64) -> &mut SetLife {
        if !self.sets.contains_key(name) {
            let most = MAX_SETS - 1;
            make_room(&mut self.sets, most, |set| {
                let is_needed = !set.destroyed && set.removed.is_none();
                (is_needed, set.last_seq)
            });
        }
        let set = self.sets.entry(name.to_owned()).or_default();
        set.last_seq = seq;
        set
    }

    fn deliver(
        &mut self,
        delivered: &CardsDelivered,
        rule: Option<&CardRule>,
        seq: u64,
        seen: &mut Vec<Sighting>,
    ) {
        self.tells_lives = true;
        let set = self.set(&delivered.set, seq);
        // A set that is in use does not come a second time, whatever is told again.
        if !set.is_in_use() {
            *set = SetLife {
                decks: Some(delivered.decks),
                preshuffled: delivered.preshuffled,
                spent: set.is_spent(rule),
                last_seq: seq,
                ..SetLife::default()
            };
        }
        let name = &delivered.set;
        let Some(seal) = delivered.seal.as_ref().filter(|seal| !seal.is_empty()) else {
            if delivered.preshuffled {
                let message = format!("Pre-shuffled set {name} came without a seal");
                seen.push(Sighting::new("deck.unsealed", vec![seq], message).about(name));
            }
            return;
        };
        if let Some((other, first)) = self.seals.get(seal)
            && other != name
        {
            let message = format!("Seal {seal} of set {name} had already come on set {other}");
            let sighting = Sighting::new("deck.seal_reused", vec![*first, seq], message);
            seen.push(sighting.about(name));
        } else {
            self.seals.insert(seal.clone(), (name.clone(), seq));
            make_room(&mut self.seals, MAX_SEALS, |(_, seq)| *seq);
        }
    }

    fn inspect(
        &mut self,
        inspected: &CardsInspected,
        rule: Option<&CardRule>,
        seq: u64,
        seen: &mut Vec<Sighting>,
    ) {
        self.tells_lives = true;
        let set = self.set(&inspected.set, seq);
        set.come_back(rule);
        let (dealer, supervisor) = (&inspected.dealer, &inspected.supervisor);
        (set.inspected, set.blind) = (true, false);
        set.by_two = !dealer.is_empty() && !supervisor.is_empty() && dealer != supervisor;
        let flawed = inspected.missing.iter().chain(&inspected.unsuitable);
        set.to_replace = flawed.take(MAX_TO_REPLACE).cloned().collect();
        let in_time = set.shoes == 0;
        let flaws = Flaws {
            missing: &inspected.missing,
            extra: &inspected.extra,
            in_time,
        };
        flaws.report(&inspected.set, seq, seen);
    }

    fn open(
        &mut self,
        opened: &CardsOpened,
        rule: Option<&CardRule>,
        event: &Event,
        seen: &mut Vec<Sighting>,
    ) {
        let set = self.set(&opened.set, event.seq);
        set.check_reuse(rule, &opened.set, event.seq, seen);
        set.come_back(rule);
        // Told again, it is not opened again.
        if set.opened.is_none() {
            set.opened = Some((event.at, event.seq));
            set.hours = rule.map(|rule| set.hours_by(rule));
            (set.table_closed, set.closed_late) = (false, false);
        }
        set.extended_use |= opened.extended_use == Some(true);
        // 146.50(4): cards from a broken seal are as good as not inspected.
        set.preshuffled &= opened.seal_intact != Some(false);
    }

    fn start_shoe(
        &mut self,
        started: &ShoeStarted,
        event: &Event,
        floor: &Floor<'_>,
        seen: &mut Vec<Sighting>,
    ) {
        let (name, seq, decks) = (&started.set, event.seq, started.decks);
        let rule = floor.cards;
        let (tells_lives, lost) = (self.tells_lives, self.lost);
        // What is cut again before it is dealt is the same shoe.
        let this = (started.shoe.clone(), name.clone(), event.at);
        let again = self.undealt.replace(this).is_some_and(|(shoe, set, at)| {
            let is_late = is_past(at, event.at, RECUT_MINUTES * MINUTE);
            shoe == started.shoe && set == *name && !is_late
        });
        let set = self.set(name, seq);
        // Of a set that was only told to be opened nobody knows whether it came pre-shuffled.
        let is_known = set.inspected || set.decks.is_some();
        // A set whose coming nobody told may have come with its inspection, where events are missing.
        let may_be_seen = set.blind || lost && set.decks.is_none();
        let judged = (is_known || tells_lives) && !may_be_seen;
        let unseen = judged && !set.preshuffled && !(set.inspected && set.by_two);
        let cards = set.to_replace.join(", ");
        let delivered = set.decks.unwrap_or(decks);
        let is_lawful = |rules: &RulesInForce| lawful_decks(rule, rules, decks);
        let faults = [
            (
                unseen && set.shoes == 0,
                "deck.not_inspected",
                format!("Set {name} was dealt without an inspection by two people"),
            ),
            (
                !set.to_replace.is_empty() && !set.blind,
                "deck.not_replaced",
                format!("Set {name} was dealt while {cards} had not been replaced"),
            ),
            (
                rule.is_some_and(|rule| rule.new_cards_every_shoe) && set.shoes > 0 && !again,
                "deck.overdue",
                format!("Set {name} was dealt for a second shoe; every shoe takes new cards"),
            ),
            (
                delivered != decks,
                "deck.split_set",
                format!("Set {name} was delivered with {delivered} decks and dealt with {decks}"),
            ),
            (
                !floor.rules.is_none_or(is_lawful),
                "deck.illegal_count",
                format!("A shoe of {decks} decks is not what this table may deal"),
            ),
        ];
        for (broken, code, message) in faults {
            if broken && once(&mut set.raised, code) {
                let opened = set.opened.map(|(_, seq)| seq);
                let evidence = opened.into_iter().chain([seq]).collect();
                let mut sighting = Sighting::new(code, evidence, message).about(name);
                if code == "deck.overdue" {
                    sighting.cite = rule.map(|rule| rule.cite.clone());
                }
                seen.push(sighting);
            }
        }
        set.check_reuse(rule, name, seq, seen);
        set.shoes += u32::from(!again);
        if rule.is_some_and(|rule| !rule.permits(started.method)) {
            let method = equipment::word(started.method);
            let message = format!("Cards were dealt by {method}, which this game does not permit");
            seen.push(Sighting::new("shoe.method", vec![seq], message));
        }
    }

    fn reinspect(&mut self, checked: &CardsReinspected, event: &Event, seen: &mut Vec<Sighting>) {
        let set = self.set(&checked.set, event.seq);
        set.removed.get_or_insert((event.at, event.seq));
        set.reinspected = Some(event.at);
        let unsuitable = checked.unsuitable.as_deref().unwrap_or_default();
        set.clean = checked.missing.is_empty() && checked.extra.is_empty() && unsuitable.is_empty();
        let flaws = Flaws {
            missing: &checked.missing,
            extra: &checked.extra,
            in_time: false,
        };
        flaws.report(&checked.set, event.seq, seen);
    }

    fn destroy(
        &mut self,
        destroyed: &CardsDestroyed,
        rule: Option<&CardRule>,
        seq: u64,
        seen: &mut Vec<Sighting>,
    ) {
        let set = self.set(&destroyed.set, seq);
        set.destroyed = true;
        let was_used = set.opened.is_some();
        let suspected = matches!(
            set.reason.as_str(),
            "suspected_tampering" | "bureau_request"
        );
        // Cards of a single shoe may be sampled: 146.49(14)(b).
        let is_sampled =
            |rule: &CardRule| !rule.reinspect_all || rule.new_cards_every_shoe && set.shoes < 2;
        let due = rule.is_some_and(|rule| !is_sampled(rule)) || suspected;
        let missed = due && was_used && set.reinspected.is_none() && !set.uncertain;
        if missed && once(&mut set.raised, "deck.not_reinspected") {
            let name = &destroyed.set;
            let message = format!("Set {name} was destroyed without an inspection after use");
            let removed = set.removed.map(|(_, seq)| seq);
            let evidence = removed.into_iter().chain([seq]).collect();
            seen.push(Sighting::new("deck.not_reinspected", evidence, message).about(name));
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
            let Some((_, opened)) = set.opened.filter(|_| !set.uncertain) else {
                continue;
            };
            let evidence = |since: u64| vec![since, event.seq];
            if let Some(hours) = set.overdue(rule, event.at)
                && once(&mut set.raised, "deck.overdue")
            {
                let message = format!("Set {name} is in use for more than {hours} hours");
                let mut sighting =
                    Sighting::overdue("deck.overdue", name, evidence(opened), message);
                let cite = set.hours.as_ref().map(|hours| hours.cite.clone());
                sighting.cite =
                    cite.or_else(|| rule.map(|rule| rule.hours_cite(&set.methods).to_owned()));
                seen.push(sighting);
            }
            if let Some(hours) = set.overdue_for_destruction(event.at)
                && !(may_be_reusable(rule) && set.clean)
                && once(&mut set.raised, "deck.not_destroyed")
            {
                let since = set.removed.map_or(opened, |(_, seq)| seq);
                let message = format!("Set {name} was not destroyed within {hours} hours");
                let code = "deck.not_destroyed";
                seen.push(Sighting::overdue(code, name, evidence(since), message));
            }
        }
    }
}

impl SetLife {
    /// Was it opened and removed before, so that it must not come back? Poker decks may after a clean
    /// inspection, which may be among what is missing.
    fn is_spent(&self, rule: Option<&CardRule>) -> bool {
        let was_used = self.opened.is_some() || self.shoes > 0;
        let is_gone = was_used && (self.removed.is_some() || self.destroyed);
        let is_clean = self.clean || self.uncertain;
        let may_return = may_be_reusable(rule) && is_clean && !self.destroyed;
        self.spent || is_gone && !may_return
    }

    /// A clean poker deck, or a reserve that was never opened, comes back from storage: its life begins
    /// again, whether or not its delivery is told.
    fn come_back(&mut self, rule: Option<&CardRule>) {
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

    fn check_reuse(
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

    fn is_in_use(&self) -> bool {
        let was_used = self.opened.is_some() || self.shoes > 0;
        was_used && self.removed.is_none() && !self.destroyed
    }

    fn most_decks(&self) -> u32 {
        self.decks.unwrap_or_default().max(self.decks_dealt)
    }

    fn hours_by(&self, rule: &CardRule) -> Hours {
        let hours = |extended| rule.hours(&self.methods, self.most_decks(), extended);
        Hours {
            plain: hours(false),
            extended: hours(true),
            cite: rule.hours_cite(&self.methods).to_owned(),
        }
    }

    /// Within its plain hours a set loses the longer ones. Beyond them its use ends with the table's, unless
    /// the table opens again with it: 146.49(7)(g)1.
    fn close_table(&mut self, now: Timestamp) {
        let plain = self
            .hours
            .as_ref()
            .map_or(OTHER_GAMES_HOURS, |hours| hours.plain);
        let is_late = |(opened, _)| is_past(opened, now, plain * HOUR);
        match self.opened.is_some_and(is_late) {
            true => self.closed_late = true,
            false => self.table_closed = true,
        }
    }

    /// The hours that it may be in use, if they have passed.
    fn overdue(&self, rule: Option<&CardRule>, now: Timestamp) -> Option<i64> {
        let (opened, _) = self.opened?;
        if self.removed.is_some() || self.destroyed {
            return None;
        }
        let is_extended = self.extended_use && !self.table_closed;
        let hours = match (&self.hours, rule) {
            (Some(hours), _) if is_extended => hours.extended,
            (Some(hours), _) => hours.plain,
            (None, Some(rule)) => rule.hours(&self.methods, self.most_decks(), is_extended),
            (None, None) if is_extended => EXTENDED_HOURS,
            (None, None) => OTHER_GAMES_HOURS,
        };
        is_past(opened, now, hours * HOUR).then_some(hours)
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

/// Are these the cards of a game, or of a table whose game nobody told, that may be used again?
fn may_be_reusable(rule: Option<&CardRule>) -> bool {
    rule.is_none_or(|rule| rule.reusable)
}

/// What an inspection found.
struct Flaws<'a> {
    missing: &'a [String],
    extra: &'a [String],
    /// Nothing was dealt from the set yet.
    in_time: bool,
}

impl Flaws<'_> {
    fn report(&self, set: &str, seq: u64, seen: &mut Vec<Sighting>) {
        for (code, what, cards) in [
            ("deck.missing_card", "lacks", self.missing),
            ("deck.extra_card", "has too many of", self.extra),
        ] {
            if !cards.is_empty() {
                let message = format!("Set {set} {what} {}", cards.join(", "));
                let mut sighting = Sighting::new(code, vec![seq], message).about(set);
                sighting.in_time = self.in_time;
                seen.push(sighting);
            }
        }
    }
}

/// Lawful for the game, and what the table's own options say.
fn lawful_decks(rule: Option<&CardRule>, rules: &RulesInForce, decks: u32) -> bool {
    let posted = rules.option("decks").and_then(|value| value.as_u64());
    let shuffler = rules.option("shuffler");
    let shuffler = shuffler.is_some_and(|value| value == true || value == "automated");
    posted.is_none_or(|posted| posted == u64::from(decks))
        && rule.is_none_or(|rule| rule.permits_decks(decks, shuffler))
}
