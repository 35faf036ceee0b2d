//! How often the cards in play are counted and sorted, and what follows from a wrong count.

use catwalk_events::body::{Body, CardsCounted, CountScope, DealingMethod};
use catwalk_events::{Event, Timestamp};
use catwalk_rules::equipment::CardRule;
use serde::{Deserialize, Serialize};

use super::{AtTable, HOUR, MINUTE, Sighting, is_past};
use crate::table::RulesInForce;

/// Decks of a poker table that are told apart; more than two are never there at once.
const MAX_DECKS: usize = 4;

/// The last count, and the hours of use of the decks at a poker table.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Counts {
    /// The set of the present shoe.
    set: Option<String>,
    /// A machine shuffled it, which may count the cards as it does.
    machine: bool,
    /// A shoe that deals by itself deals it.
    automated: bool,
    /// Rounds since the last count.
    rounds_since: u32,
    /// The last count, or the first shoe, of this opening.
    since: Option<(Timestamp, u64)>,
    is_told: bool,
    /// The set whose last count was wrong, and where.
    wrong: Option<(String, u64)>,
    /// Decks, the one told of last at the end.
    decks: Vec<Deck>,
}

/// How long a deck was in play since it was last sorted.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Deck {
    set: String,
    used_micros: i64,
    /// It is in play since.
    in_play: Option<Timestamp>,
    /// It was counted or dealt from: a feed that tells of neither does not tell of its use.
    is_used: bool,
    is_told: bool,
}

impl Counts {
    /// A count may be among what is missing.
    pub(super) fn lose(&mut self) {
        *self = Counts::default();
    }

    pub(super) fn see(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        let rule = table.cards;
        if let Some(hours) = rule.and_then(|rule| rule.sort_hours) {
            self.check_sorted(event, hours, seen);
        }
        // Time counts in play alone, and is over at the first event of it.
        let in_play = match event.body {
            Body::RoundOpened(_) => true,
            Body::ShoeStarted(_) => self.rounds_since > 0,
            _ => table.is_round_open,
        };
        if let Some(rule) = rule.filter(|_| in_play) {
            self.check_minutes(event, rule, table.rules, seen);
        }
        match &event.body {
            // Nobody plays with the cards of a closed table.
            Body::TableClosed(_) => {
                self.since = None;
                self.rounds_since = 0;
                self.put_down(event.at);
            }
            Body::CardsOpened(opened) => self.sorted(&opened.set),
            Body::CardsInspected(inspected) => {
                // Other cards that are sorted for use are counted by it.
                if self.set.as_ref() != Some(&inspected.set) {
                    self.rounds_since = 0;
                    self.since = self.since.map(|_| (event.at, event.seq));
                }
                self.sorted(&inspected.set);
            }
            Body::CardsRemoved(removed) => {
                self.forget(&removed.set);
                if self.set.as_ref() == Some(&removed.set) {
                    self.since = None;
                    self.rounds_since = 0;
                }
            }
            Body::CardsDestroyed(destroyed) => self.forget(&destroyed.set),
            Body::ShoeStarted(started) => {
                self.since.get_or_insert((event.at, event.seq));
                self.set = Some(started.set.clone());
                self.machine = started.shuffler.is_some();
                self.automated = started.method == DealingMethod::AutoShoe;
                self.put_down(event.at);
                let is_last = |deck: &Deck| deck.set == started.set;
                if let Some(deck) = self.decks.iter_mut().find(|deck| is_last(deck)) {
                    deck.in_play = Some(event.at);
                }
            }
            Body::CardsCounted(counted) => self.count(counted, event, rule, seen),
            Body::RoundOpened(_) => {
                if let Some(rule) = rule {
                    self.open_round(event, rule, table.rules, seen);
                }
            }
            _ => {}
        }
    }

    fn count(
        &mut self,
        counted: &CardsCounted,
        event: &Event,
        rule: Option<&CardRule>,
        seen: &[Sighting],
    ) {
        self.rounds_since = 0;
        self.since = Some((event.at, event.seq));
        self.is_told = false;
        self.use_deck(&counted.set);
        if counted.sorted == Some(true) {
            self.sorted(&counted.set);
            let deck = self.decks.last_mut();
            if let Some(deck) = deck.filter(|_| self.set.as_ref() == Some(&counted.set)) {
                deck.in_play = Some(event.at);
            }
        }
        // What a count must give is for the shoe to say; here it counts that it was wrong.
        let is_wrong = seen.iter().any(|sighting| {
            let is_count = matches!(sighting.code, "deck.missing_card" | "deck.extra_card");
            is_count && sighting.about.as_ref() == Some(&counted.set)
        });
        let is_whole = counted.scope != Some(CountScope::Stub);
        let of_this = self
            .wrong
            .as_ref()
            .is_some_and(|(set, _)| *set == counted.set);
        if is_wrong && rule.is_some_and(CardRule::is_counted) {
            self.wrong = Some((counted.set.clone(), event.seq));
        } else if of_this && is_whole && !is_wrong {
            self.wrong = None;
        }
    }

    fn open_round(
        &mut self,
        event: &Event,
        rule: &CardRule,
        rules: Option<&RulesInForce>,
        seen: &mut Vec<Sighting>,
    ) {
        if let Some((set, counted)) = self
            .wrong
            .take_if(|(set, _)| self.set.as_ref() == Some(set))
        {
            let message = format!("Set {set} is dealt on after a wrong count");
            let evidence = vec![counted, event.seq];
            seen.push(Sighting::new("deck.not_replaced", evidence, message).about(&set));
        }
        self.rounds_since += u32::from(self.since.is_some());
        if let Some(set) = self.set.clone() {
            self.use_deck(&set);
        }
        if let Some(most) = rule.stub_count_rounds
            && self.rounds_since > most
        {
            let message = format!(
                "Round {} is dealt since the cards were counted; they must be after {most}",
                self.rounds_since
            );
            self.say_overdue(message, event, rule, rules, seen);
        }
    }

    fn check_minutes(
        &mut self,
        event: &Event,
        rule: &CardRule,
        rules: Option<&RulesInForce>,
        seen: &mut Vec<Sighting>,
    ) {
        if let (Some(minutes), Some((since, _))) = (rule.count_minutes, self.since)
            && !self.machine
            && is_past(since, event.at, minutes * MINUTE)
        {
            let since = event.at.micros().saturating_sub(since.micros()) / MINUTE;
            let message = format!(
                "The cards have not been counted for {since} minutes; they must be every {minutes}"
            );
            self.say_overdue(message, event, rule, rules, seen);
        }
    }

    /// Once until the next count.
    fn say_overdue(
        &mut self,
        message: String,
        event: &Event,
        rule: &CardRule,
        rules: Option<&RulesInForce>,
        seen: &mut Vec<Sighting>,
    ) {
        // Where no shoe was told of, the feed does not tell of the cards' handling.
        let Some((_, seq)) = self.since else { return };
        let by_shoe = |rules: &RulesInForce| {
            let dealing = rules.option("dealing");
            self.automated || dealing.is_some_and(|dealing| dealing == "automated_shoe")
        };
        let is_spared = |rules: &RulesInForce| {
            counts_itself(rules) && (!rule.spared_by_auto_shoe || by_shoe(rules))
        };
        if !self.is_told && !rules.is_some_and(is_spared) {
            self.is_told = true;
            let evidence = vec![seq, event.seq];
            seen.push(Sighting::new("deck.count_overdue", evidence, message));
        }
    }

    /// Only hours in play count: two decks take turns.
    fn check_sorted(&mut self, event: &Event, hours: i64, seen: &mut Vec<Sighting>) {
        for deck in self.decks.iter_mut().filter(|deck| !deck.is_told) {
            if deck.is_used && deck.used(event.at) > hours * HOUR {
                deck.is_told = true;
                let set = &deck.set;
                let message = format!("Set {set} was not sorted in more than {hours} hours of use");
                seen.push(Sighting::new("deck.not_sorted", vec![event.seq], message).about(set));
            }
        }
    }

    /// A deck is in suit and sequence: its hours of use begin again.
    fn sorted(&mut self, set: &str) {
        self.forget(set);
        self.decks.push(Deck {
            set: set.to_owned(),
            ..Deck::default()
        });
        if self.decks.len() > MAX_DECKS {
            self.decks.remove(0);
        }
    }

    fn use_deck(&mut self, set: &str) {
        let mut decks = self.decks.iter_mut();
        if let Some(deck) = decks.find(|deck| deck.set == set) {
            deck.is_used = true;
        }
    }

    fn forget(&mut self, set: &str) {
        self.decks.retain(|deck| deck.set != set);
    }

    /// No deck is in play for now.
    fn put_down(&mut self, at: Timestamp) {
        for deck in &mut self.decks {
            deck.used_micros = deck.used(at);
            deck.in_play = None;
        }
    }
}

impl Deck {
    fn used(&self, now: Timestamp) -> i64 {
        let since = self.in_play.map_or(now, |since| since);
        let lasting = now.micros().saturating_sub(since.micros()).max(0);
        self.used_micros.saturating_add(lasting)
    }
}

/// Does the shuffler count the cards each time?
fn counts_itself(rules: &RulesInForce) -> bool {
    ["shuffler", "shuffle"].into_iter().any(|key| {
        let value = rules.option(key);
        let word = value.as_ref().and_then(|value| value.as_str());
        word.is_some_and(|word| word.ends_with("counting"))
    })
}
