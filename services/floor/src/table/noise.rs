//! Honest noise: what goes wrong at every table and is put right there, by the dealer, by a supervisor, or
//! by a device that found its line again.

use catwalk_events::body::{
    Body, Irregularity, RoundVoided, WagerChanged, WagerCollected, WagerPaid, WagerPushed,
};
use catwalk_events::{Json, Person, Role};
use catwalk_rules::floor::Cents;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::Table;
use super::faults::NOT_BET;
use super::payments::{seat_and_amount, wager_of};
use crate::fault::FaultKind;
use crate::games::{CALLED_OFF, Dealt};

/// A device sends at most so many events again when it is back.
const REPEATED: usize = 6;
/// An event is overtaken by so many at most: fewer than a reader waits for.
const OVERTAKING: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Noise {
    /// The reader takes a stack for another; the dealer puts it right before betting closes.
    Misread,
    /// The dealer pays too much or too little and puts it right at once.
    Corrected,
    /// A patron disputes what he is to get; a supervisor rules as the rules say.
    Disputed,
    /// The hand is called off, and every wager goes back.
    CalledOff,
    /// A device lost its line and sends its last events again.
    Repeated,
    /// An event comes later than those after it.
    Delayed,
}

const ALL: [Noise; 6] = [
    Noise::Misread,
    Noise::Corrected,
    Noise::Disputed,
    Noise::CalledOff,
    Noise::Repeated,
    Noise::Delayed,
];

/// How noisy a table is. Its dice are its own: a quiet floor plays what a noisy one plays.
#[derive(Debug)]
pub(crate) struct Noises {
    per_mille: u32,
    rng: ChaCha8Rng,
}

impl Noises {
    pub(crate) fn new(per_mille: u32, rng: ChaCha8Rng) -> Noises {
        Noises { per_mille, rng }
    }

    /// What happens in the next round.
    pub(super) fn next(&mut self) -> Option<Noise> {
        let is_noisy = self.rng.random_range(0..1000) < self.per_mille;
        is_noisy.then(|| ALL.choose(&mut self.rng).copied())?
    }

    /// A wager that is misread when it is made, and as what.
    pub(super) fn misread(&mut self, dealt: &Dealt) -> Option<(usize, Cents)> {
        let is_first = |index: &usize| {
            let later = dealt.added.iter().any(|(added, _)| added == index);
            !later && !dealt.carried.contains(index) && !dealt.lifted.contains(index)
        };
        let is_bet = |index: &usize| {
            let wager = &dealt.wagers[*index];
            let kind = wager["kind"].as_str().unwrap_or_default();
            // A streak that has begun lies there since an earlier round, won or not.
            let has_begun = wager["wins_before"].is_i64();
            !NOT_BET.contains(&kind) && !has_begun && seat_and_amount(wager).1.is_positive()
        };
        let made = (0..dealt.wagers.len()).filter(is_first).filter(is_bet);
        let index = *made.collect::<Vec<usize>>().choose(&mut self.rng)?;
        let stake = seat_and_amount(&dealt.wagers[index]).1;
        // A green chip looks like a red one.
        Some((index, stake.times(5)))
    }

    /// Pays a winner in two steps, or takes back what was too much.
    pub(super) fn correct(&mut self, dealt: &Dealt, payments: &mut Vec<(usize, Body)>) {
        let is_once = |id: &str| {
            let of_it = payments
                .iter()
                .filter(|(_, body)| wager_of(body) == Some(id));
            of_it.count() == 1
        };
        let is_lifted = |id: &str| {
            let mut lifted = dealt.lifted.iter().map(|&index| &dealt.wagers[index]);
            lifted.any(|wager| wager["id"] == id)
        };
        let plain = payments.iter().enumerate().filter_map(|(at, (_, body))| {
            let Body::WagerPaid(paid) = body else {
                return None;
            };
            let is_plain = is_once(&paid.wager) && !is_lifted(&paid.wager);
            (is_plain && paid.amount.get() > 200).then_some(at)
        });
        let plain: Vec<usize> = plain.collect();
        let Some(&at) = plain.choose(&mut self.rng) else {
            return;
        };
        let part = Cents::new(100);
        let too_little = self.rng.random_range(0..2) == 0;
        let (after, Body::WagerPaid(paid)) = &mut payments[at] else {
            return;
        };
        let (after, wager) = (*after, paid.wager.clone());
        let correction: Body = if too_little {
            paid.amount -= part;
            WagerPaid {
                wager,
                amount: part,
                commission: None,
            }
            .into()
        } else {
            paid.amount += part;
            WagerCollected {
                wager,
                amount: Some(part),
            }
            .into()
        };
        payments.insert(at + 1, (after, correction));
    }
}

impl Table {
    /// The dealer says what the reader should have seen.
    pub(super) fn reread(&self, wager: &str, amount: Cents) -> Body {
        let by = Person::new(self.dealer(), Role::Dealer);
        WagerChanged {
            wager: wager.to_owned(),
            amount,
            by,
        }
        .into()
    }

    /// A supervisor hears a patron and leaves it at what the rules say.
    pub(super) fn dispute(&mut self, round: &str, dealt: &Dealt) {
        let Some(wager) = dealt.wagers.choose(&mut self.noises.rng) else {
            return;
        };
        let detail = json!({"wager": wager["id"], "seat": wager["seat"]});
        let disputed = Irregularity {
            kind: "dispute".into(),
            detail: Some(Json::new(&detail)),
            ruling: "the wager is settled as dealt".into(),
        };
        self.send(Some(round), disputed.into());
    }

    /// Can a round of this table be called off?
    pub(super) fn can_call_off(&self, dealt: &Dealt) -> bool {
        let is_whole = dealt.lifted.is_empty() && dealt.carried.is_empty();
        CALLED_OFF.contains(&self.game_name) && is_whole
    }

    /// Every wager goes back to who made it. Whoever is silent does not say why.
    pub(super) fn call_off(&mut self, round: &str, dealt: &Dealt, is_silent: bool) {
        let told = Irregularity {
            kind: "misdeal".into(),
            detail: None,
            ruling: "the round is void".into(),
        };
        if !is_silent {
            self.send(Some(round), told.into());
        }
        let id = |wager: &Value| wager["id"].as_str().unwrap_or_default().to_owned();
        for wager in dealt.wagers.iter().map(id) {
            let amount = None;
            self.send(Some(round), WagerPushed { wager, amount }.into());
        }
        let reason = Some("misdeal".to_owned());
        self.send(Some(round), RoundVoided { reason }.into());
    }

    /// The line to a device was bad: events of the round come again, or late. Nobody cheats, but the audit tells
    /// of it, so it has a label.
    pub(super) fn rattle(&mut self, noise: Noise, round: &str, first: u64) {
        let Some(from) = self.outbox.iter().position(|event| event.seq >= first) else {
            return;
        };
        let rng = &mut self.noises.rng;
        let at = rng.random_range(from..self.outbox.len());
        let (kind, code, seqs) = if noise == Noise::Repeated {
            let last = (at + rng.random_range(1..=REPEATED)).min(self.outbox.len());
            let again: Vec<_> = self.outbox.range(at..last).cloned().collect();
            let seqs = again.iter().map(|event| event.seq).collect();
            for (place, event) in again.into_iter().enumerate() {
                self.outbox.insert(last + place, event);
            }
            (FaultKind::RepeatedEvent, "feed.duplicate", seqs)
        } else {
            let to = at + rng.random_range(1..=OVERTAKING);
            let to = to.min(self.outbox.len() - 1);
            if to == at {
                return;
            }
            let late = self.outbox.remove(at);
            let seqs = late.iter().map(|event| event.seq).collect();
            late.into_iter()
                .for_each(|event| self.outbox.insert(to, event));
            (FaultKind::LateEvent, "feed.reordered", seqs)
        };
        let mut label = self.label(kind, round, None, Cents::ZERO, vec![code]);
        label.at = self.outbox[at].at;
        label.seqs = seqs;
        self.labels.push(label);
    }
}
