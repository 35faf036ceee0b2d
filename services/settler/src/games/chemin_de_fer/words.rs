//! What participants say at the table: the words of the text, in any spelling, or those of the feed.

use catwalk_events::body::{Body, Decision};
use catwalk_rules::floor::Cents;

use super::bank;
use crate::round::RoundFold;

/// The seat of the dealer, who repeats what participants say: 8(d).
const HOUSE: u32 = 0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// The Dominant Player's, 8(a).
    Announcement(&'static str),
    /// For the bank, 4(b) and 10(c).
    Bid,
    /// The Banker passes the bank, or who is offered it will not have it.
    Pass,
    Decline,
    /// For the whole bank, by rank: 6(b),(c).
    Banco(u8),
}

impl Word {
    pub(super) fn of(said: &Decision) -> Option<Word> {
        let word = said.action.trim().to_lowercase().replace([' ', '-'], "_");
        Some(match word.as_str() {
            "card" | "draw" => Word::Announcement("card"),
            "stay" | "stand" => Word::Announcement("stay"),
            "natural" => Word::Announcement("natural"),
            "bid" => Word::Bid,
            "pass" => Word::Pass,
            "decline" => Word::Decline,
            word => Word::Banco(rank(word)?),
        })
    }

    pub(super) fn is(self, said: &Decision) -> bool {
        Word::of(said) == Some(self)
    }
}

/// The rank of a wager for the whole bank: who follows comes first.
pub(super) fn rank(kind: &str) -> Option<u8> {
    match kind {
        "suivi" | "banco_suivi" => Some(0),
        "banco" | "banco_seul" => Some(1),
        _ => None,
    }
}

/// What participants said.
pub(super) fn decisions(round: &RoundFold) -> impl Iterator<Item = &Decision> {
    round.play.iter().filter_map(|(_, body)| match body {
        Body::Decision(decision) if decision.seat != HOUSE => Some(decision),
        _ => None,
    })
}

/// What the Dominant Player said first. The Banker's own words are not his.
pub(super) fn announcement(round: &RoundFold) -> Option<(u32, &'static str)> {
    let banker = bank(round).map(|bank| bank.seat);
    let mut others = decisions(round).filter(|decision| Some(decision.seat) != banker);
    others.find_map(|decision| match Word::of(decision)? {
        Word::Announcement(word) => Some((decision.seat, word)),
        _ => None,
    })
}

/// The highest bid of a seat in this round.
pub(super) fn bid(round: &RoundFold, seat: u32) -> Option<Cents> {
    let bids = decisions(round).filter(|said| said.seat == seat && Word::Bid.is(said));
    bids.filter_map(|bid| bid.amount).max()
}

pub(super) fn says_pass(round: &RoundFold, seat: u32) -> bool {
    decisions(round).any(|said| said.seat == seat && Word::Pass.is(said))
}
