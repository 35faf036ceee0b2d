//! The life of a set of cards, from delivery to destruction.

mod life;

use std::collections::BTreeMap;

use catwalk_events::body::{
    Body, CardsDelivered, CardsDestroyed, CardsInspected, CardsOpened, CardsReinspected,
    ShoeStarted,
};
use catwalk_events::{Event, Timestamp};
use catwalk_rules::equipment::CardRule;
use serde::{Deserialize, Serialize};

use super::{AtTable, MINUTE, Sighting, is_past, make_room, once, way_of};
use crate::table::RulesInForce;
use life::{SetLife, may_be_reusable};

/// So many sets are kept; those that were destroyed or removed first make room.
const MAX_SETS: usize = 128;
/// So many seal numbers are kept, the oldest first to go.
const MAX_SEALS: usize = 512;
/// No more cards of a set than this are kept as waiting to be replaced.
const MAX_TO_REPLACE: usize = 64;
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
    pub(super) fn turn_back(&mut self, now: Timestamp, table: &AtTable<'_>) {
        let (rule, life) = (table.cards, table.chapter.card_life.as_ref());
        for set in self.sets.values_mut() {
            let in_use = set.overdue(table, now).is_some();
            let late = life.and_then(|life| set.overdue_for_destruction(life, now));
            let kept = late.is_some();
            // A second shoe is no matter of time.
            let by_time = set.shoes < 2 || !rule.is_some_and(|rule| rule.new_cards_every_shoe);
            set.raised.retain(|code| match code.as_str() {
                "deck.overdue" => in_use || !by_time,
                "deck.not_destroyed" => kept,
                _ => true,
            });
        }
    }

    pub(super) fn see(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        let rule = table.cards;
        if let Body::ShoeStarted(started) = &event.body {
            // Deadlines are judged by the strictest method, this one included.
            let set = self.set(&started.set, event.seq);
            if !set.methods.contains(&started.method) {
                set.methods.push(started.method);
            }
            set.decks_dealt = set.decks_dealt.max(started.decks);
            set.hours = rule.map(|rule| set.hours_by(rule, table));
            set.uncertain = false;
        }
        if let Body::TableOpened(_) = &event.body {
            let sets = self.sets.values_mut();
            sets.for_each(|set| set.table_closed |= set.closed_late);
        }
        self.check_deadlines(event, table, seen);
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
            Body::CardsOpened(opened) => self.open(opened, event, table, seen),
            Body::ShoeStarted(started) => self.start_shoe(started, event, table, seen),
            Body::CardDealt(_) | Body::RoundOpened(_) | Body::ShoeEnded(_) => self.undealt = None,
            Body::TableClosed(_) => {
                let sets = self.sets.values_mut();
                sets.for_each(|set| set.close_table(at, table));
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
        set.by_dealer = !dealer.is_empty();
        set.by_two = set.by_dealer && !supervisor.is_empty() && dealer != supervisor;
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
        event: &Event,
        table: &AtTable<'_>,
        seen: &mut Vec<Sighting>,
    ) {
        let rule = table.cards;
        let set = self.set(&opened.set, event.seq);
        set.check_reuse(rule, &opened.set, event.seq, seen);
        set.come_back(rule);
        // Told again, it is not opened again.
        if set.opened.is_none() {
            set.opened = Some((event.at, event.seq));
            set.hours = rule.map(|rule| set.hours_by(rule, table));
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
        table: &AtTable<'_>,
        seen: &mut Vec<Sighting>,
    ) {
        let (name, seq, rule) = (&started.set, event.seq, table.cards);
        let feed = (self.tells_lives, self.lost);
        let again = self.is_cut_again(started, event.at);
        let set = self.set(name, seq);
        let faults = [
            (set.is_unseen(feed, started.decks, rule) && set.shoes == 0).then(|| {
                let by = SetLife::inspectors(started.decks, rule);
                let message = format!("Set {name} was dealt without an inspection by {by}");
                ("deck.not_inspected", message)
            }),
            (!set.to_replace.is_empty() && !set.blind).then(|| {
                let cards = set.to_replace.join(", ");
                let message = format!("Set {name} was dealt while {cards} had not been replaced");
                ("deck.not_replaced", message)
            }),
            set.spent_shoe(name, again, rule),
            split_set(name, set.decks, started.decks),
            unlawful_decks(started.decks, table),
        ];
        for (code, message) in faults.into_iter().flatten() {
            if once(&mut set.raised, code) {
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
        let way = way_of(started.method);
        if rule.is_some_and(|rule| !rule.permits(way)) {
            let way = way.word();
            let message = format!("Cards were dealt by {way}, which this game does not permit");
            seen.push(Sighting::new("shoe.method", vec![seq], message));
        }
    }

    /// What is cut again before it is dealt is the same shoe.
    fn is_cut_again(&mut self, started: &ShoeStarted, now: Timestamp) -> bool {
        let this = (started.shoe.clone(), started.set.clone(), now);
        self.undealt.replace(this).is_some_and(|(shoe, set, at)| {
            let is_late = is_past(at, now, RECUT_MINUTES * MINUTE);
            shoe == started.shoe && set == started.set && !is_late
        })
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
    fn check_deadlines(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        let (rule, life) = (table.cards, table.chapter.card_life.as_ref());
        for (name, set) in &mut self.sets {
            let Some((_, opened)) = set.opened.filter(|_| !set.uncertain) else {
                continue;
            };
            let evidence = |since: u64| vec![since, event.seq];
            if let Some(hours) = set.overdue(table, event.at)
                && once(&mut set.raised, "deck.overdue")
            {
                let message = format!("Set {name} is in use for more than {hours} hours");
                let mut sighting =
                    Sighting::overdue("deck.overdue", name, evidence(opened), message);
                let cite = set.hours.as_ref().map(|hours| hours.cite.clone());
                sighting.cite =
                    cite.or_else(|| rule.map(|rule| rule.hours_cite(&set.ways()).to_owned()));
                seen.push(sighting);
            }
            if let Some(hours) = life.and_then(|life| set.overdue_for_destruction(life, event.at))
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

/// A set is dealt with other decks than it was delivered with.
fn split_set(name: &str, delivered: Option<u32>, decks: u32) -> Option<(&'static str, String)> {
    let delivered = delivered.filter(|delivered| *delivered != decks)?;
    let message = format!("Set {name} was delivered with {delivered} decks and dealt with {decks}");
    Some(("deck.split_set", message))
}

fn unlawful_decks(decks: u32, table: &AtTable<'_>) -> Option<(&'static str, String)> {
    let rules = table.rules?;
    let message = || format!("A shoe of {decks} decks is not what this table may deal");
    let is_lawful = lawful_decks(table.cards, rules, decks);
    (!is_lawful).then(|| ("deck.illegal_count", message()))
}

/// Lawful for the game, and what the table's own options say.
fn lawful_decks(rule: Option<&CardRule>, rules: &RulesInForce, decks: u32) -> bool {
    let posted = rules.option("decks").and_then(|value| value.as_u64());
    let shuffler = rules.option("shuffler");
    let shuffler = shuffler.is_some_and(|value| value == true || value == "automated");
    posted.is_none_or(|posted| posted == u64::from(decks))
        && rule.is_none_or(|rule| rule.permits_decks(decks, shuffler))
}
