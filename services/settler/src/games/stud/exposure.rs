//! A card of the dealer that was seen before he was to show his hand. Where the text voids the round for it,
//! the round is void whether or not anybody said so.

use std::collections::BTreeSet;

use catwalk_events::body::Body;

use super::Stud;
use super::table::open_cards;
use crate::round::{RoundFold, WagerFold};

/// The word for it.
pub(super) const EXPOSED: &str = "hole_card_exposed";

impl Stud {
    /// The text voids a round for it, and has a word for playing on.
    fn is_void_if_exposed(&self) -> bool {
        self.laid.voiding.contains(&EXPOSED) && self.names_void()
    }

    /// Does this event show the dealer's hand? One card of several is no hand that he shows where it voids
    /// the round.
    pub(super) fn shows_hand(&self, round: &RoundFold, body: &Body) -> bool {
        let dealt = usize::from(matches!(body, Body::CardDealt(_)));
        let is_last = || self.exposed(round).len() + 1 >= self.house_cards(round).len() + dealt;
        self.shows(round, body) && (!self.is_void_if_exposed() || is_last())
    }

    /// The event that showed a card of the dealer, but not his hand, to a seat that had yet to decide, or to all where
    /// nobody decided any more and everything went back. A feed that tells all cards face up says nothing of what
    /// players saw.
    pub(super) fn exposure(&self, round: &RoundFold) -> Option<u64> {
        if !self.is_void_if_exposed() || self.is_told_face_up(round) {
            return None;
        }
        let told = round
            .play
            .iter()
            .enumerate()
            .filter_map(|(at, (_, body))| match body {
                Body::Decision(decision) => Some((at, decision.seat)),
                _ => None,
            });
        let staked = round.wagers.iter();
        let staked = staked.filter(|wager| self.laid.later.contains(&wager.kind.as_str()));
        let staked = staked.map(|wager| (wager.after_play, wager.seat));
        let mut decided: Vec<(usize, u32)> = told.chain(staked).collect();
        decided.sort_unstable();
        let mut seats = BTreeSet::new();
        decided.retain(|&(_, seat)| seats.insert(seat));
        if decided.is_empty() && is_given_back(round) {
            decided.push((round.play.len(), 0));
        }
        decided.into_iter().find_map(|(at, _)| {
            let (open, all) = open_cards(round.play.get(..at)?);
            let early = open.get(self.up_cards).filter(|_| open.len() < all)?;
            Some(early.seq)
        })
    }
}

/// Was every stake handed back, and nothing else done with it?
fn is_given_back(round: &RoundFold) -> bool {
    let is_back = |wager: &WagerFold| {
        let whole = wager
            .pushed
            .is_some_and(|part| part.is_none_or(|part| part == wager.amount));
        whole && !wager.paid.is_positive() && wager.collected.is_none()
    };
    round.wagers.iter().all(is_back)
}
