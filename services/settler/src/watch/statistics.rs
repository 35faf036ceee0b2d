//! Frequencies over time: pockets of a wheel, faces of the dice, ranks from the shoes, and how often a
//! dealer errs.
//!
//! Each is held against its exact expectation by a [`Suspicion`], whose false alarms are bounded however
//! long it runs: at most one fair wheel, set of dice, table of shoes or dealer in 10,000 is ever told of
//! (severity info), and one in ten million suspected strongly (warn). Of fewer than a hundred results
//! nothing is said. A dealer is fair who errs in no more of the decided wagers than [`HONEST_ERROR_RATE`],
//! or than the other dealers of the table do.

use std::collections::BTreeMap;

use catwalk_events::Event;
use catwalk_events::body::{Body, DealingMethod};
use catwalk_rules::floor::{Card, Rank};
use serde::{Deserialize, Serialize};

use super::shoe::has_two_sides;
use super::suspicion::{Level, Suspicion};
use super::{AtTable, Sighting};
use crate::table::RulesInForce;

/// How much more often than expected something is suspected to come.
const STRENGTHS: [f64; 3] = [0.25, 1.0, 3.0];
/// A dealer errs in one of so many decided wagers, and more often by so much if suspected.
const HONEST_ERROR_RATE: f64 = 0.005;
const ERROR_STRENGTHS: [f64; 3] = [2.0, 5.0, 15.0];
/// So many dealers of a table are remembered; one more takes the place of whoever dealt least.
const MAX_DEALERS: usize = 64;

/// What the other dealers of a table err is taken for usual after so many of their wagers.
const LEAST_OF_OTHERS: u64 = 200;

/// At most 39 pockets, 6 faces, 13 ranks and 64 dealers, three numbers each.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Statistics {
    wheel: Option<Suspicion>,
    wheel_name: Option<String>,
    dice: Option<Suspicion>,
    cards: Option<Suspicion>,
    shoe: Shoe,
    dealers: BTreeMap<String, Suspicion>,
    /// What each of them paid wrongly.
    errors: BTreeMap<String, u64>,
    /// Wagers that were decided at the table, and those paid wrongly, whoever dealt.
    decided: u64,
    wrong: u64,
}

/// What the shoe still holds of each rank, as far as its cards were seen.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Shoe {
    of_rank: Vec<u32>,
    /// As it is after every shuffle.
    whole: Vec<u32>,
    /// It is whole again in every round.
    every_round: bool,
}

impl Statistics {
    /// What has left the shoe is not known any more.
    pub(super) fn lose(&mut self) {
        self.shoe = Shoe::default();
    }

    pub(super) fn see(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        match &event.body {
            Body::TableOpened(opened) if self.wheel_name != opened.wheel => {
                self.wheel = None;
                self.wheel_name.clone_from(&opened.wheel);
            }
            Body::WheelSpun(spin) if spin.valid => self.spun(&spin.result, event, table, seen),
            Body::DiceIntroduced(_) => self.dice = None,
            Body::DiceRolled(roll) if roll.valid => self.rolled(&roll.dice, event, seen),
            Body::ShoeStarted(started) => {
                let rule = table.cards;
                let tens = rule.is_none_or(|rule| rule.cards_per_deck != 48);
                let copies = |rank: Rank| match rank {
                    Rank::Ten if !tens => 0,
                    _ => started.decks * 4,
                };
                // Of which side of a double shoe a card comes is not told.
                let ranks = match table.rules.is_some_and(has_two_sides) {
                    true => &[][..],
                    false => &Rank::ALL[..],
                };
                let whole: Vec<u32> = ranks.iter().copied().map(copies).collect();
                self.shoe = Shoe {
                    of_rank: whole.clone(),
                    whole,
                    every_round: started.method == DealingMethod::Continuous
                        || rule.is_some_and(|rule| rule.counted_every_round),
                };
            }
            Body::RoundOpened(_) if self.shoe.every_round => {
                self.shoe.of_rank.clone_from(&self.shoe.whole);
            }
            Body::ShoeEnded(_) => self.shoe = Shoe::default(),
            // Only cards whose identity is known as they are dealt: those that are shown later are
            // shown for what they are.
            Body::CardDealt(dealt) => {
                if let Some(card) = &dealt.card {
                    self.dealt(card, event, seen);
                }
            }
            Body::CardBurned(burned) => {
                if let Some(card) = &burned.card {
                    self.shoe.take(card);
                }
            }
            _ => {}
        }
    }

    fn spun(&mut self, result: &str, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        let Some(rules) = table.rules else { return };
        let stops = table.wheel_stops(rules);
        let total: u32 = stops.iter().map(|(_, count)| count).sum();
        if !stops.iter().any(|(stop, _)| stop == result) {
            return;
        }
        let wheel = self
            .wheel
            .get_or_insert_with(|| Suspicion::new(stops.len(), &STRENGTHS));
        let groups = stops
            .iter()
            .map(|(stop, count)| (f64::from(*count) / f64::from(total), stop == result));
        let level = wheel.take(&STRENGTHS, groups);
        let suspect = stops
            .get(wheel.suspect(&STRENGTHS))
            .map_or("", |(stop, _)| stop.as_str());
        let what = format!("{suspect} has come too often in {} spins", wheel.outcomes);
        say(bias_code(rules), level, what, event, seen);
    }

    fn rolled(&mut self, dice: &[u8], event: &Event, seen: &mut Vec<Sighting>) {
        for die in dice.iter().filter(|die| (1..=6).contains(*die)) {
            let faces = self
                .dice
                .get_or_insert_with(|| Suspicion::new(6, &STRENGTHS));
            let level = faces.take(&STRENGTHS, (1..=6).map(|face| (1.0 / 6.0, face == *die)));
            let face = faces.suspect(&STRENGTHS) + 1;
            let what = format!(
                "The face {face} has come too often in {} dice",
                faces.outcomes
            );
            say("statistics.dice", level, what, event, seen);
        }
    }

    fn dealt(&mut self, card: &str, event: &Event, seen: &mut Vec<Sighting>) {
        let Some((rank, before)) = self.shoe.take(card) else {
            return;
        };
        let total: u32 = before.iter().sum();
        let cards = self
            .cards
            .get_or_insert_with(|| Suspicion::new(13, &STRENGTHS));
        let groups = before
            .iter()
            .enumerate()
            .map(|(index, left)| (f64::from(*left) / f64::from(total), index == rank));
        let level = cards.take(&STRENGTHS, groups);
        let suspect = Rank::ALL.get(cards.suspect(&STRENGTHS));
        let suspect = suspect.map_or_else(String::new, |rank| format!("{rank:?}"));
        let what = format!(
            "Rank {suspect} has come too often in {} cards",
            cards.outcomes
        );
        say("statistics.cards", level, what, event, seen);
    }

    /// A round has ended: so many of its wagers were decided, and so many of them paid wrongly. One mistake,
    /// such as a misread hand of the house or a void round that was played on, wrongs them all: it counts
    /// once.
    pub(crate) fn judged(&mut self, dealer: &str, decided: usize, wrong: usize) -> Option<Dealt> {
        if !self.dealers.contains_key(dealer) && self.dealers.len() >= MAX_DEALERS {
            let least = self.dealers.iter().min_by_key(|(_, dealt)| dealt.outcomes);
            if let Some(least) = least.map(|(dealer, _)| dealer.clone()) {
                self.dealers.remove(&least);
                self.errors.remove(&least);
            }
        }
        let usual = self.usual_error_rate(dealer);
        self.decided += decided as u64;
        self.wrong += u64::from(wrong > 0);
        *self.errors.entry(dealer.to_owned()).or_default() += u64::from(wrong > 0);
        let hands = self
            .dealers
            .entry(dealer.to_owned())
            .or_insert_with(|| Suspicion::new(1, &ERROR_STRENGTHS));
        let mut level = None;
        for index in 0..decided {
            let erred = index == 0 && wrong > 0;
            let said = hands.take(&ERROR_STRENGTHS, [(usual, erred)]);
            level = level.max(said);
        }
        level.map(|level| Dealt {
            strong: level == Level::Strong,
            wagers: hands.outcomes,
        })
    }
}

impl Statistics {
    /// How often others than this dealer err at the table, and not less than an honest dealer may.
    fn usual_error_rate(&self, dealer: &str) -> f64 {
        let own = self.dealers.get(dealer).map_or(0, |dealt| dealt.outcomes);
        let own_errors = self.errors.get(dealer).copied().unwrap_or_default();
        let others = self.decided.saturating_sub(own);
        if others < LEAST_OF_OTHERS {
            return HONEST_ERROR_RATE;
        }
        let wrong = self.wrong.saturating_sub(own_errors);
        (wrong as f64 / others as f64).clamp(HONEST_ERROR_RATE, 1.0)
    }
}

/// A dealer who errs too often.
pub(crate) struct Dealt {
    pub(crate) strong: bool,
    pub(crate) wagers: u64,
}

impl Shoe {
    /// Takes a card out: the place of its rank, and what there was of each before.
    fn take(&mut self, card: &str) -> Option<(usize, Vec<u32>)> {
        let rank = card.parse::<Card>().ok()?.rank()?;
        let index = Rank::ALL.iter().position(|known| *known == rank)?;
        let before = self.of_rank.clone();
        let left = self.of_rank.get_mut(index).filter(|left| **left > 0)?;
        *left -= 1;
        Some((index, before))
    }
}

/// What the text of a game calls a wheel that favours a section, or the word for all others.
fn bias_code(rules: &RulesInForce) -> &'static str {
    match (rules.game.as_str(), rules.edition.as_str()) {
        ("roulette", "oh-jack-2017") => "roulette.bias",
        ("big_six", _) => "bigsix.bias",
        _ => "statistics.wheel",
    }
}

fn say(
    code: &'static str,
    level: Option<Level>,
    what: String,
    event: &Event,
    seen: &mut Vec<Sighting>,
) {
    if let Some(level) = level {
        let mut sighting = Sighting::new(code, vec![event.seq], what);
        sighting.strong = level == Level::Strong;
        seen.push(sighting);
    }
}
