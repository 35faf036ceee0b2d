//! The cards counted while a round is played. Where they are not a whole deck the round is void, whether or not
//! anybody said so (three card poker s7(e)(2), §8.D; four card poker §9.D; crazy four poker §8.D).

use catwalk_events::body::{Body, CardsCounted, CountScope, Irregularity};

use super::Stud;
use super::table::{detail, irregularities, is_house};
use crate::round::RoundFold;

/// The word for it.
pub(super) const DECK_COUNT: &str = "deck_count";

/// Cards of the deck: no more are ever found.
const DECK: u64 = 52;

/// Of the stack that gives the dealer of four card poker his open card an automated shoe puts so many away (§10.B).
const PUT_AWAY: u64 = 4;

impl Stud {
    /// The last count of the round, if it was wrong and nothing that was reported voids the round already.
    pub(super) fn miscount(&self, round: &RoundFold) -> Option<u64> {
        let mut told = irregularities(round);
        if !self.names_void() || told.any(|(_, told)| self.laid.voiding.contains(&self.code(told)))
        {
            return None;
        }
        let mut last = round.play.iter().enumerate().rev();
        let (at, seq, counted) = last.find_map(|(at, (seq, body))| match body {
            Body::CardsCounted(counted) => Some((at, *seq, counted)),
            _ => None,
        })?;
        if self.is_settled_before(round, seq) {
            return None;
        }
        let is_wrong = match counted.scope {
            Some(CountScope::Stub) => !self.is_whole(round, at, counted)?,
            // While one deck is dealt the other one may be counted.
            _ if alternates(round) => return None,
            _ => u64::from(counted.count) != DECK && is_dealt(round, at),
        };
        is_wrong.then_some(seq)
    }

    /// Was everything settled when this was found? Nobody plays on then.
    fn is_settled_before(&self, round: &RoundFold, seq: u64) -> bool {
        let wagers = round.wagers.iter();
        let mut settled = wagers
            .filter(|wager| wager.is_touched() && !self.laid.stake_stays.contains(&&*wager.kind))
            .filter_map(|wager| wager.evidence.last())
            .peekable();
        settled.peek().is_some() && settled.all(|last| *last < seq)
    }

    /// Are the stub and what was dealt a whole deck? `None` where not all hands were told.
    fn is_whole(&self, round: &RoundFold, until: usize, stub: &CardsCounted) -> Option<bool> {
        let before = || round.play.iter().take(until).map(|(_, body)| body);
        let count =
            |is_meant: fn(&Body) -> bool| before().filter(|body| is_meant(body)).count() as u64;
        let has_hand = |seat: u32| before().any(|body| is_to_seat(body, seat));
        let wagers = round.wagers.iter();
        let mut bought = wagers.filter(|wager| self.laid.buys(&wager.kind));
        if !is_dealt(round, until) || !bought.all(|wager| has_hand(wager.seat)) {
            return None;
        }
        let burned = count(|body| matches!(body, Body::CardBurned(_)));
        let of_house = count(|body| matches!(body, Body::CardDealt(card) if is_house(card.to)));
        let dealt = count(|body| matches!(body, Body::CardDealt(_)));
        // What need not be told: cards found face up and set aside, the dealer's stack that is delivered after
        // the decisions (three card poker s9(c)(2)), what an automated shoe puts away.
        let stack = if of_house == 0 {
            self.laid.hand as u64
        } else {
            0
        };
        let away = if self.puts_away(round) { PUT_AWAY } else { 0 };
        let untold = [
            set_aside(round).saturating_sub(burned),
            stack,
            away.saturating_sub(burned),
        ];
        let told = u64::from(stub.count) + dealt + burned;
        let mut sums = vec![told];
        for cards in untold {
            let with: Vec<u64> = sums.iter().map(|sum| sum + cards).collect();
            sums.extend(with);
        }
        Some(sums.contains(&DECK))
    }

    /// Is the dealer's open card taken from a stack of its own?
    fn puts_away(&self, round: &RoundFold) -> bool {
        let dealing = round.rules.option("dealing");
        self.up_cards > 0 && dealing.is_none_or(|way| way == "automated_shoe")
    }

    /// A count of the stub belongs to the round that is dealt, whether it says so or not.
    pub(super) fn is_count_of(&self, round: &RoundFold, body: &Body) -> bool {
        let is_stub =
            matches!(body, Body::CardsCounted(counted) if counted.scope == Some(CountScope::Stub));
        is_stub && self.names_void() && is_dealt(round, round.play.len())
    }
}

fn is_dealt(round: &RoundFold, until: usize) -> bool {
    let mut before = round.play.iter().take(until);
    before.any(|(_, body)| matches!(body, Body::CardDealt(_)))
}

fn is_to_seat(body: &Body, seat: u32) -> bool {
    matches!(body, Body::CardDealt(card) if !is_house(card.to) && card.seat == Some(seat))
}

/// Cards that were found face up.
pub(super) fn set_aside(round: &RoundFold) -> u64 {
    let found = irregularities(round).filter(|(_, told)| told.kind == "face_up_card");
    let number = |told: &Irregularity| detail(told, "count")?.as_u64();
    found
        .map(|(_, told)| number(told).unwrap_or(1).min(DECK))
        .sum()
}

fn alternates(round: &RoundFold) -> bool {
    let option = round.rules.option("alternating_decks");
    option.is_some_and(|option| option == true)
}
