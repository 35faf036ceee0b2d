//! A round before it is told: who bet what, what was dealt, what each player chose.

use std::collections::BTreeMap;

use catwalk_events::body::WagerForm;
use catwalk_rules::floor::Card;

#[derive(Clone, Debug)]
pub(super) struct Bet {
    pub(super) seat: u32,
    pub(super) kind: &'static str,
    pub(super) amount: i64,
}

/// What a player does when it is his turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Puts up a wager of this kind.
    Put(&'static str, i64),
    Fold,
    /// Gives the hand up unexposed.
    Forfeit,
    Ride,
    Withdraw,
    /// Does nothing, and need not.
    Stay,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Script {
    /// In the order in which they are made.
    pub(super) bets: Vec<Bet>,
    pub(super) hands: BTreeMap<u32, Vec<Card>>,
    pub(super) house: Vec<Card>,
    /// Put away with the deal, or burned before cards of the board.
    pub(super) away: Vec<Card>,
    /// By seat, street by street.
    pub(super) choices: BTreeMap<u32, Vec<Choice>>,
    pub(super) players: BTreeMap<u32, String>,
    /// What bets are made of, where it is told: by seat and kind.
    pub(super) forms: BTreeMap<(u32, &'static str), WagerForm>,
    /// Cards that were dealt before the dealer called no more bets.
    pub(super) before_call: usize,
    /// A hand that was dealt too few cards: its seat, none for the house.
    pub(super) short: Option<Option<u32>>,
    /// A seat that says at the end that it takes back its last bet.
    pub(super) takes_last_back: Option<u32>,
}

impl Script {
    pub(super) fn bet(&self, seat: u32, kind: &str) -> Option<&Bet> {
        let mut bets = self.bets.iter();
        bets.find(|bet| bet.seat == seat && bet.kind == kind)
    }

    pub(super) fn has_any(&self, kinds: &[&str]) -> bool {
        self.bets.iter().any(|bet| kinds.contains(&bet.kind))
    }

    pub(super) fn seats_with(&self, kind: &str) -> Vec<u32> {
        let of_kind = self.bets.iter().filter(|bet| bet.kind == kind);
        of_kind.map(|bet| bet.seat).collect()
    }

    /// Seat and kind of what was bet before the deal.
    pub(super) fn first_bets(&self) -> Vec<(u32, &'static str)> {
        let is_later = |bet: &&Bet| {
            let mut choices = self.choices.values().flatten();
            !choices.any(|choice| matches!(choice, Choice::Put(kind, _) if *kind == bet.kind))
        };
        let first = self.bets.iter().filter(is_later);
        first.map(|bet| (bet.seat, bet.kind)).collect()
    }

    pub(super) fn amount(&self, seat: u32, kind: &str) -> i64 {
        self.bet(seat, kind).map_or(0, |bet| bet.amount)
    }

    pub(super) fn cards(&self, seat: u32) -> &[Card] {
        self.hands.get(&seat).map_or(&[], Vec::as_slice)
    }

    pub(super) fn has_folded(&self, seat: u32) -> bool {
        let choices = self.choices.get(&seat).into_iter().flatten();
        choices
            .into_iter()
            .any(|choice| matches!(choice, Choice::Fold | Choice::Forfeit))
    }

    /// Seats that stayed to the end.
    pub(super) fn live(&self) -> Vec<u32> {
        let live = |seat: &u32| self.choices.contains_key(seat) && !self.has_folded(*seat);
        self.hands.keys().copied().filter(live).collect()
    }

    /// Seats that still played after so many streets.
    pub(super) fn has_live_after(&self, streets: usize) -> bool {
        self.choices
            .values()
            .any(|choices| choices.len() >= streets && !choices[..streets].contains(&Choice::Fold))
    }
}
