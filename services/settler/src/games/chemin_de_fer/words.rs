//! What participants say at the table: the words of the text, in any spelling, or those of the feed; and what the
//! house reports itself.

use catwalk_events::body::{Body, Decision, Irregularity};
use catwalk_rules::floor::Cents;
use catwalk_rules::games::chemin_de_fer::Decision as Announcement;
use serde::{Deserialize, Serialize};

use super::bank;
use crate::fault::Fault;
use crate::games::baccarat::plain;
use crate::games::{Scene, order};
use crate::round::RoundFold;

/// The seat of the dealer, who repeats what participants say: 8(d).
const HOUSE: u32 = 0;
/// So many words about the next bank are kept.
const MAX_SAID: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// The Dominant Player's, 8(a).
    Announcement(Announcement),
    /// For the bank, 4(b) and 10(c).
    Bid,
    /// The Banker passes the bank, or who is offered it will not have it.
    Pass,
    Decline,
    /// Who is offered the bank has it.
    Accept,
    /// For the whole bank, by rank: 6(b),(c).
    Banco(u8),
}

impl Word {
    pub(super) fn of(said: &Decision) -> Option<Word> {
        Some(match plain(&said.action).as_str() {
            "card" | "draw" => Word::Announcement(Announcement::Card),
            "stay" | "stand" => Word::Announcement(Announcement::Stay),
            "natural" => Word::Announcement(Announcement::Natural),
            "bid" => Word::Bid,
            "pass" | "pass_bank" => Word::Pass,
            "decline" | "decline_bank" => Word::Decline,
            "accept" | "accept_bank" | "take" | "take_bank" => Word::Accept,
            word => Word::Banco(rank(word)?),
        })
    }

    pub(super) fn is(self, said: &Decision) -> bool {
        Word::of(said) == Some(self)
    }

    /// Is it about who is to bank the next hand? Such words may fall between two rounds.
    pub(super) fn is_of_bank(self) -> bool {
        matches!(self, Word::Bid | Word::Pass | Word::Decline | Word::Accept)
    }
}

/// What was said of the next bank since the last hand ended.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Between(Vec<(u64, Decision)>);

impl Between {
    /// True if it is about the bank.
    pub(super) fn hear(&mut self, seq: u64, said: &Decision) -> bool {
        let is_of_bank = Word::of(said).is_some_and(Word::is_of_bank) && said.seat != HOUSE;
        if is_of_bank && self.0.len() < MAX_SAID {
            self.0.push((seq, said.clone()));
        }
        is_of_bank
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Decision> {
        self.0.iter().map(|(_, said)| said)
    }

    /// The same before a hand, and what was said in it.
    pub(super) fn and<'a>(&'a self, round: &'a RoundFold) -> impl Iterator<Item = &'a Decision> {
        self.iter().chain(decisions(round))
    }

    /// The highest bid of a seat for the bank of this round.
    pub(super) fn bid(&self, round: &RoundFold, seat: u32) -> Option<Cents> {
        let bids = self.and(round);
        let bids = bids.filter(|said| said.seat == seat && Word::Bid.is(said));
        bids.filter_map(|bid| bid.amount).max()
    }

    pub(super) fn says_pass(&self, round: &RoundFold, seat: u32) -> bool {
        let mut said = self.and(round);
        said.any(|said| said.seat == seat && Word::Pass.is(said))
    }

    /// What was said before the bank of a round was placed is over with it.
    pub(super) fn forget_until(&mut self, seq: u64) {
        self.0.retain(|(said, _)| *said > seq);
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
pub(super) fn announcement(round: &RoundFold) -> Option<(u32, Announcement)> {
    let banker = bank(round).map(|bank| bank.seat);
    let mut others = decisions(round).filter(|decision| Some(decision.seat) != banker);
    others.find_map(|decision| match Word::of(decision)? {
        Word::Announcement(word) => Some((decision.seat, word)),
        _ => None,
    })
}

/// What the house may report of the bank and its turns: the finding's name, with its family or without.
const REPORTED: [(&str, &str); 6] = [
    ("bank_kept_after_loss", "chemin.bank_kept_after_loss"),
    ("bank_offered_wrong_way", "chemin.bank_offered_wrong_way"),
    ("passer_in_first_bidding", "chemin.passer_in_first_bidding"),
    ("priority_ignored", "chemin.priority_ignored"),
    ("seat_move_turn", "chemin.seat_move_turn"),
    ("uncovered_not_withdrawn", "chemin.uncovered_not_withdrawn"),
];

pub(super) fn report(scene: &Scene<'_>, told: &Irregularity, faults: &mut Vec<Fault>) {
    let kind = plain(&told.kind);
    let kind = kind.strip_prefix("chemin_").unwrap_or(&kind);
    let mut words = REPORTED.iter();
    if let Some((_, code)) = words.find(|(word, _)| *word == kind)
        && scene.is_fresh(code)
    {
        let told = Irregularity {
            kind: kind.to_owned(),
            ..told.clone()
        };
        order::reported(scene, &told, &REPORTED, faults);
    }
}
