//! What lies on the table: hands, the cards of the house, wagers by seat, decisions.

use std::collections::{BTreeMap, BTreeSet};

use catwalk_events::body::{Body, CardPlace, Face, Irregularity};
use catwalk_rules::floor::Cents;
use serde_json::Value;

use super::Stud;
use crate::round::{RoundFold, WagerFold};

/// What a player did, in the words of any of these games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Play,
    Fold,
    /// The hand is given up unexposed.
    Forfeit,
    Abandoned,
    Ride,
    Withdraw,
}

impl Verb {
    pub(super) fn of(action: &str) -> Option<Verb> {
        let action = action.to_ascii_lowercase();
        let verb = match action.as_str() {
            "fold" | "muck" => Verb::Fold,
            "forfeit" | "surrender" => Verb::Forfeit,
            "abandoned" | "abandon" | "leave" | "left" => Verb::Abandoned,
            "ride" | "let_it_ride" | "stay" | "keep" => Verb::Ride,
            "take_back" | "pull" | "pull_back" | "remove" => Verb::Withdraw,
            other if other.starts_with("withdraw") => Verb::Withdraw,
            other if other.starts_with("ride_") => Verb::Ride,
            "play" | "raise" | "bet" | "call" | "double" | "double_down" => Verb::Play,
            "third_street" | "fourth_street" | "fifth_street" => Verb::Play,
            _ => return None,
        };
        Some(verb)
    }
}

/// The first wager of a kind at a seat that was made in time, or else the first.
pub(super) fn at<'a>(round: &'a RoundFold, seat: u32, kind: &str) -> Option<&'a WagerFold> {
    let there = |wager: &&WagerFold| wager.seat == seat && wager.kind == kind;
    let mut wagers = round.wagers.iter().filter(there);
    let in_time = wagers.clone().find(|wager| !wager.late);
    in_time.or_else(|| wagers.next())
}

pub(super) fn has_any(round: &RoundFold, kinds: &[&str]) -> bool {
    let mut wagers = round.wagers.iter();
    wagers.any(|wager| kinds.contains(&wager.kind.as_str()))
}

/// Does this seat have one of these kinds, and all that entitle it to a hand?
pub(super) fn has_with(round: &RoundFold, seat: u32, any: &[&str], all: &[&str]) -> bool {
    let has = |kind: &&str| at(round, seat, kind).is_some();
    any.iter().any(has) && all.iter().all(has)
}

pub(super) fn irregularities(round: &RoundFold) -> impl Iterator<Item = (u64, &Irregularity)> {
    round.play.iter().filter_map(|(seq, body)| match body {
        Body::Irregularity(irregularity) => Some((*seq, irregularity)),
        _ => None,
    })
}

/// A key of what an irregularity says besides its kind.
pub(super) fn detail(irregularity: &Irregularity, key: &str) -> Option<Value> {
    match irregularity.detail.as_ref()?.value() {
        Value::Object(mut detail) => detail.remove(key),
        count @ Value::Number(_) if key == "count" => Some(count),
        _ => None,
    }
}

pub(super) fn is_house(place: CardPlace) -> bool {
    matches!(place, CardPlace::Dealer | CardPlace::Community)
}

impl Stud {
    /// The cards of a seat, in dealing order; `None` for one that nobody saw.
    pub(super) fn cards_of<'a>(&self, round: &'a RoundFold, seat: u32) -> Vec<Option<&'a str>> {
        gather(round, |place, of| {
            matches!(place, CardPlace::Seat | CardPlace::Player) && of == Some(seat)
        })
    }

    /// The same of the house.
    pub(super) fn house_cards<'a>(&self, round: &'a RoundFold) -> Vec<Option<&'a str>> {
        gather(round, |place, _| is_house(place))
    }

    /// The cards of the house that lie open, in the order in which they came to.
    pub(super) fn exposed<'a>(&self, round: &'a RoundFold) -> Vec<(usize, Option<&'a str>)> {
        let mut open: Vec<(usize, Option<&str>)> = Vec::new();
        let mut dealt = 0;
        for (_, body) in &round.play {
            match body {
                Body::CardDealt(card) if is_house(card.to) => {
                    if card.face == Face::Up {
                        open.push((dealt, card.card.as_deref()));
                    }
                    dealt += 1;
                }
                Body::CardRevealed(card) if is_house(card.to) => {
                    let index = card.index as usize;
                    if !open.iter().any(|&(known, _)| known == index) {
                        open.push((index, Some(&card.card)));
                    }
                }
                _ => {}
            }
        }
        open
    }

    /// Does this event show a card of the house that is to be hidden until the players have decided?
    /// A device may tell cards face up as it deals them; that alone shows nothing to the players.
    pub(super) fn shows(&self, round: &RoundFold, body: &Body) -> bool {
        let hides = |index: usize| {
            let open = self.exposed(round);
            open.len() >= self.up_cards && !open.iter().any(|&(known, _)| known == index)
        };
        match body {
            Body::CardRevealed(card) if is_house(card.to) => hides(card.index as usize),
            Body::CardDealt(card) if is_house(card.to) && card.face == Face::Up => {
                self.board || self.is_decided(round) && hides(self.house_cards(round).len())
            }
            _ => false,
        }
    }

    /// Has some player decided?
    fn is_decided(&self, round: &RoundFold) -> bool {
        let mut play = round.play.iter();
        play.any(|(_, body)| matches!(body, Body::Decision(_))) || has_any(round, self.later)
    }

    /// Every seat with a wager of the document or with cards, ascending.
    pub(super) fn seats(&self, round: &RoundFold, in_document: &[&WagerFold]) -> BTreeSet<u32> {
        let dealt = round.play.iter().filter_map(|(_, body)| match body {
            Body::CardDealt(card) => card.seat.filter(|_| !is_house(card.to)),
            _ => None,
        });
        dealt
            .chain(in_document.iter().map(|wager| wager.seat))
            .collect()
    }

    /// What the seat did last, if it was told.
    pub(super) fn told(&self, round: &RoundFold, seat: u32) -> Option<Verb> {
        let of_seat =
            |value: Option<Value>| value.and_then(|seat| seat.as_u64()) == Some(seat.into());
        round.play.iter().rev().find_map(|(_, body)| match body {
            Body::Decision(decision) if decision.seat == seat => Verb::of(&decision.action),
            Body::Irregularity(gone) if matches!(&*gone.kind, "abandoned" | "player_left") => {
                of_seat(detail(gone, "seat")).then_some(Verb::Abandoned)
            }
            _ => None,
        })
    }

    /// Has this seat given up its hand, told or not?
    pub(super) fn is_folded(&self, round: &RoundFold, seat: u32) -> bool {
        let gave_up = matches!(self.told(round, seat), Some(Verb::Fold | Verb::Forfeit));
        let must_stay_in = self
            .later
            .last()
            .filter(|_| self.game != "double_down_stud");
        let unpaid = must_stay_in.is_some_and(|last| at(round, seat, last).is_none());
        gave_up || unpaid && at(round, seat, self.main).is_some()
    }

    /// Was a bet of let it ride taken back?
    pub(super) fn is_withdrawn(&self, round: &RoundFold, wager: &WagerFold) -> bool {
        wager.withdrawn
            || self.rides(round).get(&wager.seat).is_some_and(|rides| {
                rides.get(wager.kind.as_str()) == Some(&"withdraw") && wager.kind != "bet_3"
            })
    }

    /// The decisions of let it ride: which bet is meant follows from the cards of the board that lie
    /// open, or is said.
    pub(super) fn rides(
        &self,
        round: &RoundFold,
    ) -> BTreeMap<u32, BTreeMap<&'static str, &'static str>> {
        const BETS: [&str; 3] = ["bet_1", "bet_2", "bet_3"];
        let mut rides: BTreeMap<u32, BTreeMap<_, _>> = BTreeMap::new();
        let mut open = 0;
        for (_, body) in &round.play {
            match body {
                Body::CardRevealed(card) if is_house(card.to) => open += 1,
                Body::CardDealt(card) if is_house(card.to) && card.face == Face::Up => open += 1,
                Body::Decision(decision) => {
                    let word = match Verb::of(&decision.action) {
                        Some(Verb::Ride) => "ride",
                        Some(Verb::Withdraw) => "withdraw",
                        _ => continue,
                    };
                    let said = BETS.iter().find(|bet| decision.action.ends_with(**bet));
                    if let Some(bet) = said.or_else(|| BETS.get(open)) {
                        rides.entry(decision.seat).or_default().insert(*bet, word);
                    }
                }
                _ => {}
            }
        }
        for wager in round.wagers.iter().filter(|wager| wager.withdrawn) {
            if let Some(bet) = BETS.iter().find(|bet| **bet == wager.kind) {
                rides
                    .entry(wager.seat)
                    .or_default()
                    .insert(*bet, "withdraw");
            }
        }
        rides
    }

    /// The meter that a feed calls so; the first one where the name says nothing.
    pub(super) fn meter_named(&self, name: &str) -> Option<&'static str> {
        let known = || self.meters.iter().map(|(meter, _)| *meter);
        let named = known().find(|meter| name.contains(meter));
        named.or_else(|| known().next())
    }

    /// Meters as they stood when the first prize was keyed.
    pub(super) fn meters_of(&self, round: &RoundFold) -> BTreeMap<&'static str, Cents> {
        let mut meters = BTreeMap::new();
        let mut read = |name: &str, amount: Cents| {
            if let Some(meter) = self.meter_named(name) {
                meters.insert(meter, amount);
            }
        };
        for (name, &amount) in round.opened.meters.iter().flatten() {
            read(name, amount);
        }
        let prizes = round
            .wagers
            .iter()
            .filter(|wager| self.stake_stays.contains(&&*wager.kind));
        let keyed = prizes.filter_map(|wager| wager.paid_seq).min();
        for (seq, body) in &round.play {
            if let Body::MeterRead(meter) = body
                && keyed.is_none_or(|keyed| *seq < keyed)
            {
                read(&meter.meter, meter.amount);
            }
        }
        meters
    }
}

fn gather(
    round: &RoundFold,
    is_there: impl Fn(CardPlace, Option<u32>) -> bool,
) -> Vec<Option<&str>> {
    let mut cards: Vec<Option<&str>> = Vec::new();
    for (_, body) in &round.play {
        match body {
            Body::CardDealt(dealt) if is_there(dealt.to, dealt.seat) => {
                cards.push(dealt.card.as_deref());
            }
            Body::CardRevealed(shown) if is_there(shown.to, shown.seat) => {
                let index = shown.index as usize;
                // Where no card was told as it was dealt, it is told as it is shown.
                if index >= cards.len() && index < MOST_CARDS {
                    cards.resize(index + 1, None);
                }
                if let Some(card) = cards.get_mut(index) {
                    *card = Some(&shown.card);
                }
            }
            _ => {}
        }
    }
    cards
}

/// No place of these games holds more cards.
const MOST_CARDS: usize = 54;
