//! Cards that are exchanged, that come from elsewhere, come too often, or are not there.

use std::collections::BTreeMap;

use catwalk_events::body::{Body, CardBurned, CardRevealed, DealingMethod, ShoeEnded, ShoeStarted};
use catwalk_rules::book::Book;
use catwalk_rules::floor::Cents;
use rand::RngExt;
use rand::seq::IndexedRandom;

use crate::fault::{FaultKind, Label};
use crate::games::Dealt;
use crate::table::Table;

/// A single deck is cut at least so deep. Caribbean stud 4(c), let it ride 5(c)
const LEAST_CUT: u32 = 10;

/// Cards that everybody has seen come from the shoe.
#[derive(Debug, Default)]
pub(super) struct Exposed {
    decks: u32,
    /// The cards may come again in every round.
    every_round: bool,
    seen: BTreeMap<String, u32>,
}

impl Exposed {
    pub(super) fn see(&mut self, body: &Body) {
        let card = match body {
            Body::ShoeStarted(started) => {
                *self = Exposed {
                    decks: started.decks,
                    every_round: started.decks == 1 || started.method == DealingMethod::Continuous,
                    seen: BTreeMap::new(),
                };
                None
            }
            Body::ShoeEnded(_) => {
                *self = Exposed::default();
                None
            }
            Body::RoundOpened(_) if self.every_round => {
                self.seen.clear();
                None
            }
            Body::CardDealt(dealt) => dealt.card.as_ref(),
            Body::CardBurned(burned) => burned.card.as_ref(),
            _ => None,
        };
        if let Some(card) = card.filter(|card| *card != "JK") {
            *self.seen.entry(card.clone()).or_default() += 1;
        }
    }

    /// The cards that have all come when these events have happened too.
    fn exhausted(&self, events: &[Body]) -> Vec<String> {
        let mut seen = if self.every_round {
            BTreeMap::new()
        } else {
            self.seen.clone()
        };
        for body in events {
            let card = match body {
                Body::CardDealt(dealt) => dealt.card.as_ref(),
                Body::CardBurned(burned) => burned.card.as_ref(),
                _ => None,
            };
            if let Some(card) = card.filter(|card| *card != "JK") {
                *seen.entry(card.clone()).or_default() += 1;
            }
        }
        let all = seen.into_iter().filter(|(_, times)| *times == self.decks);
        all.map(|(card, _)| card).collect()
    }
}

impl Table {
    /// Exchanges a card on the table or lets one through that no deck of the game holds.
    pub(in crate::table) fn spoil_cards(
        &mut self,
        kind: FaultKind,
        dealt: &mut Dealt,
    ) -> Option<&'static str> {
        if kind == FaultKind::DoubledCard {
            return self.double_card(dealt);
        }
        let is_named = |body: &Body| match body {
            Body::CardDealt(dealt) => dealt.card.is_some(),
            body => matches!(body, Body::CardRevealed(_)),
        };
        let named: Vec<usize> = (0..dealt.events.len())
            .filter(|&at| is_named(&dealt.events[at]))
            .collect();
        let at = *named.choose(&mut self.rng)?;
        let other = |card: &str| if card == "AS" { "KH" } else { "AS" }.to_owned();
        let (body, code): (Body, _) = match (kind, dealt.events[at].clone()) {
            (FaultKind::SwitchedCard, Body::CardDealt(victim)) => {
                let is_same = |body: &&Body| {
                    matches!(body, Body::CardDealt(other) if other.to == victim.to
                        && other.seat == victim.seat && other.hand == victim.hand)
                };
                let index = dealt.events[..at].iter().filter(is_same).count();
                let revealed = CardRevealed {
                    to: victim.to,
                    seat: victim.seat,
                    hand: victim.hand,
                    index: u32::try_from(index).ok()?,
                    card: other(&victim.card?),
                };
                (revealed.into(), "deck.switched_card")
            }
            (FaultKind::SwitchedCard, Body::CardRevealed(mut victim)) => {
                victim.card = other(&victim.card);
                (victim.into(), "deck.switched_card")
            }
            _ => {
                let foreign = CardBurned {
                    card: Some("XX".to_owned()),
                    back: None,
                };
                (foreign.into(), "deck.foreign_card")
            }
        };
        dealt.insert(at + 1, body);
        Some(code)
    }

    /// A card of which the shoe has none left is found face up in it.
    fn double_card(&mut self, dealt: &mut Dealt) -> Option<&'static str> {
        // Of which side of a double shoe a card comes is not told.
        if self.options["double_shoe"].is_object() {
            return None;
        }
        let twins = self.mischief.exposed.exhausted(&dealt.events);
        let card = Some(twins.choose(&mut self.rng)?.clone());
        let burned = CardBurned { card, back: None };
        dealt.insert(dealt.events.len(), burned.into());
        Some("deck.duplicate_card")
    }

    /// What was shuffled by hand is cut less deep than any text has it.
    pub(in crate::table) fn cut_short(
        &mut self,
        started: &mut ShoeStarted,
        round: &str,
    ) -> Option<Label> {
        // What a machine shuffled is not cut, and no text says how deep.
        let cut = self.rng.random_range(0..started.cut?.min(LEAST_CUT));
        started.cut = Some(cut);
        const NONE: &str = "procedure.no_cut";
        let findings = Book::of(self.game_name).map_or(&[][..], Book::findings);
        let is_named = cut == 0 && findings.iter().any(|finding| finding.code == NONE);
        let code = if is_named { NONE } else { "shoe.cut_depth" };
        Some(self.label(FaultKind::ShallowCut, round, None, Cents::ZERO, vec![code]))
    }

    /// The shoe ends, and its cards are not as many as they were.
    pub(in crate::table) fn miscount(
        &mut self,
        kind: FaultKind,
        ended: &mut ShoeEnded,
        round: &str,
    ) -> Option<Label> {
        let remaining = ended.remaining.as_mut().filter(|left| **left > 0)?;
        let handful = self.rng.random_range(2..=10);
        let code = match kind {
            FaultKind::StackedShoe => {
                *remaining += handful;
                "deck.extra_card"
            }
            FaultKind::ShortShoe => {
                *remaining -= handful.min(*remaining);
                "deck.missing_card"
            }
            _ => {
                *remaining -= 1;
                "deck.missing_card"
            }
        };
        Some(self.label(kind, round, None, Cents::ZERO, vec![code]))
    }
}
