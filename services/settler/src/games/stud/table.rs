//! What lies on the table: hands, the cards of the house, wagers by seat, decisions.

use std::collections::{BTreeMap, BTreeSet};

use catwalk_events::body::{Body, CardDealt, CardPlace, Decision, Face, Irregularity};
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
        let action = plain(action);
        let begins = |words: &[&str]| words.iter().any(|word| action.starts_with(word));
        let verb = match action.as_str() {
            "fold" | "muck" => Verb::Fold,
            "forfeit" | "surrender" => Verb::Forfeit,
            "abandoned" | "abandon" | "leave" | "left" => Verb::Abandoned,
            word if word.starts_with("fold_") => Verb::Fold,
            word if word.starts_with("forfeit_") => Verb::Forfeit,
            "stay" | "keep" => Verb::Ride,
            word if word.contains("withdraw") => Verb::Withdraw,
            _ if begins(&["take_back", "take_down", "pull", "remove"]) => Verb::Withdraw,
            word if word.split('_').any(|part| part == "ride") => Verb::Ride,
            "third_street" | "fourth_street" | "fifth_street" => Verb::Play,
            _ if begins(&["play", "raise", "bet", "call", "double"]) => Verb::Play,
            word if multiple(word).is_some() => Verb::Play,
            _ => return None,
        };
        Some(verb)
    }
}

/// The words of a decision as one.
fn plain(action: &str) -> String {
    let action = action.trim().to_ascii_lowercase();
    action.replace([' ', '-'], "_")
}

/// How many times the ante a decision puts up: `3x`. No text knows more than a few.
pub(super) fn multiple(action: &str) -> Option<i64> {
    let action = plain(action);
    let mut words = action.split('_');
    let times = words.find_map(|word| word.strip_suffix('x')?.parse().ok());
    times.filter(|times| (1..=MOST_ANTES).contains(times))
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

/// Does this show a card of the board?
fn opens_board(body: &Body) -> bool {
    match body {
        Body::CardDealt(card) => is_house(card.to) && card.face == Face::Up,
        Body::CardRevealed(card) => is_house(card.to),
        _ => false,
    }
}

pub(super) fn is_house(place: CardPlace) -> bool {
    matches!(place, CardPlace::Dealer | CardPlace::Community)
}

impl Stud {
    /// The cards of a seat, in dealing order; `None` for one that nobody saw. Where one seat plays alone the
    /// cards need not name it.
    pub(super) fn cards_of<'a>(&self, round: &'a RoundFold, seat: u32) -> Vec<Option<&'a str>> {
        let is_alone = round.wagers.iter().all(|wager| wager.seat == seat);
        gather(round, |place, of| {
            let is_there = of == Some(seat) || of.is_none() && is_alone;
            matches!(place, CardPlace::Seat | CardPlace::Player) && is_there
        })
    }

    /// The same of the house.
    pub(super) fn house_cards<'a>(&self, round: &'a RoundFold) -> Vec<Option<&'a str>> {
        gather(round, |place, _| is_house(place))
    }

    /// The cards of the house that lie open, in the order in which they came to.
    pub(super) fn exposed<'a>(&self, round: &'a RoundFold) -> Vec<(usize, Option<&'a str>)> {
        let (open, _) = open_cards(&round.play);
        open.into_iter()
            .map(|open| (open.place, open.card))
            .collect()
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
                self.laid.board || self.is_decided(round) && hides(self.house_cards(round).len())
            }
            _ => false,
        }
    }

    /// Has some player decided?
    fn is_decided(&self, round: &RoundFold) -> bool {
        let mut play = round.play.iter();
        play.any(|(_, body)| matches!(body, Body::Decision(_))) || has_any(round, &self.laid.later)
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
            .laid
            .later
            .last()
            .filter(|_| self.game != "double_down_stud");
        let unpaid = must_stay_in.is_some_and(|last| at(round, seat, last).is_none());
        gave_up || unpaid && at(round, seat, self.laid.main).is_some()
    }

    /// Was a bet of let it ride taken back in its time?
    pub(super) fn is_withdrawn(&self, round: &RoundFold, wager: &WagerFold) -> bool {
        wager.withdrawn && self.dealt_since_withdrawn(round, wager).is_empty()
            || self.is_handed_back(round, wager)
            || self.rides(round).get(&wager.seat).is_some_and(|rides| {
                rides.get(wager.kind.as_str()) == Some(&"withdraw") && wager.kind != "bet_3"
            })
    }

    /// The cards that came to the seat after its bet was taken back and before any of the board was open:
    /// nobody decides on a hand that he does not hold. Where hands are told when they are shown the board
    /// lies open.
    pub(super) fn dealt_since_withdrawn(&self, round: &RoundFold, wager: &WagerFold) -> Vec<u64> {
        let Some(&(after, _)) = wager.lowered.last() else {
            return Vec::new();
        };
        let play = round.play.iter().enumerate();
        let hidden = play
            .take_while(|(_, (_, body))| !opens_board(body))
            .skip(after);
        let own = hidden.filter_map(|(_, (seq, body))| match body {
            Body::CardDealt(card) if !is_house(card.to) && card.seat == Some(wager.seat) => {
                Some(*seq)
            }
            _ => None,
        });
        own.collect()
    }

    /// Was it handed back whole just when it could be taken back?
    fn is_handed_back(&self, round: &RoundFold, wager: &WagerFold) -> bool {
        let whole = wager
            .pushed
            .is_some_and(|part| part.is_none_or(|part| part == wager.amount));
        let settled = wager.paid.is_positive() || wager.collected.is_some();
        let (Some(Some(street)), Some(&at)) =
            (self.laid.withdrawal(&wager.kind), wager.evidence.last())
        else {
            return false;
        };
        let before = round.play.iter().take_while(|(seq, _)| *seq < at);
        whole && !settled && before.filter(|(_, body)| opens_board(body)).count() == street
    }

    /// Was the board told face up while the hands were dealt? Then it does not tell when it was shown.
    pub(super) fn is_board_told_up(&self, round: &RoundFold) -> bool {
        let deal = round.play.iter().map_while(|(_, body)| match body {
            Body::CardDealt(card) => Some(card),
            _ => None,
        });
        let up = |card: &&CardDealt| is_house(card.to) && card.face == Face::Up;
        let deal: Vec<&CardDealt> = deal.collect();
        let first = deal.iter().position(up);
        self.laid.board && first.is_some_and(|at| deal[at..].iter().any(|card| !is_house(card.to)))
    }

    /// The decisions of let it ride: which bet is meant follows from the cards of the board that lie
    /// open, or is said.
    pub(super) fn rides(
        &self,
        round: &RoundFold,
    ) -> BTreeMap<u32, BTreeMap<&'static str, &'static str>> {
        let told_up = self.is_board_told_up(round);
        let mut rides: BTreeMap<u32, BTreeMap<_, _>> = BTreeMap::new();
        let mut open = 0;
        for (_, body) in &round.play {
            match body {
                body if opens_board(body) => open += 1,
                Body::Decision(decision) => {
                    let word = match Verb::of(&decision.action) {
                        Some(Verb::Ride) => "ride",
                        Some(Verb::Withdraw) => "withdraw",
                        _ => continue,
                    };
                    let action = plain(&decision.action);
                    let said = BETS.iter().find(|bet| action.contains(**bet));
                    if said
                        .is_some_and(|bet| !told_up && self.is_withdrawn_untimely(bet, word, open))
                    {
                        continue;
                    }
                    let decided = rides.entry(decision.seat).or_default();
                    let asked = if told_up { decided.len() } else { open };
                    if let Some(bet) = said.or_else(|| BETS.get(asked)) {
                        decided.insert(*bet, word);
                    }
                }
                _ => {}
            }
        }
        rides.retain(|_, decided| !decided.is_empty());
        let in_time = |wager: &&WagerFold| {
            wager.withdrawn && self.dealt_since_withdrawn(round, wager).is_empty()
                || self.is_handed_back(round, wager)
        };
        for wager in round.wagers.iter().filter(in_time) {
            if let Some(bet) = BETS.iter().find(|bet| **bet == wager.kind) {
                rides
                    .entry(wager.seat)
                    .or_default()
                    .insert(*bet, "withdraw");
            }
        }
        rides
    }

    /// Is a bet that may be withdrawn with other cards of the board open withdrawn with these?
    fn is_withdrawn_untimely(&self, bet: &str, word: &str, open: usize) -> bool {
        let street = self.laid.withdrawal(bet).flatten();
        word == "withdraw" && street.is_some_and(|street| street != open)
    }

    /// Does a decision withdraw a bet that it names, out of its time?
    pub(super) fn withdraws_untimely(
        &self,
        round: &RoundFold,
        decision: &Decision,
    ) -> Option<&'static str> {
        let action = plain(&decision.action);
        let said = BETS.into_iter().find(|bet| action.contains(bet))?;
        let withdraws = Verb::of(&decision.action) == Some(Verb::Withdraw);
        let open = round.play.iter().filter(|(_, body)| opens_board(body));
        let untimely = withdraws
            && !self.is_board_told_up(round)
            && self.is_withdrawn_untimely(said, "withdraw", open.count());
        untimely.then_some(said)
    }

    /// The meter that a feed calls so; the first one where the name says nothing.
    pub(super) fn meter_named(&self, name: &str) -> Option<&'static str> {
        let known = || self.laid.meters.iter().map(|(meter, _)| *meter);
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
            .filter(|wager| self.laid.stake_stays.contains(&&*wager.kind));
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

/// A card of the house that lies open.
pub(super) struct Open<'a> {
    pub(super) place: usize,
    pub(super) card: Option<&'a str>,
    pub(super) seq: u64,
}

/// Those of this much of the play, in the order in which they came to, and how many cards the house has.
pub(super) fn open_cards(play: &[(u64, Body)]) -> (Vec<Open<'_>>, usize) {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut all = 0;
    for (seq, body) in play {
        let (place, card) = match body {
            Body::CardDealt(card) if is_house(card.to) => {
                all += 1;
                if card.face == Face::Down {
                    continue;
                }
                (all - 1, card.card.as_deref())
            }
            Body::CardRevealed(card) if is_house(card.to) => {
                (card.index as usize, Some(card.card.as_str()))
            }
            _ => continue,
        };
        if !open.iter().any(|known| known.place == place) {
            open.push(Open {
                place,
                card,
                seq: *seq,
            });
        }
    }
    (open, all)
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

/// The bets of let it ride.
const BETS: [&str; 3] = ["bet_1", "bet_2", "bet_3"];

/// More antes than anybody puts up.
const MOST_ANTES: i64 = 100;

/// No place of these games holds more cards.
const MOST_CARDS: usize = 54;
