//! Awards from a meter: who verifies them and when, and how they move it.

use catwalk_events::Event;
use catwalk_events::body::{Body, JackpotPaid};
use catwalk_rules::floor::{Card, Cents, Rank, Suit};
use catwalk_rules::{Edition, Settlement, Verdict};
use serde::{Deserialize, Serialize};

use super::boxes::BoxFold;
use super::points::is_ace;
use super::told::{Told, meter_of};
use super::watch::Kept;
use super::{End, keeps_stake};
use crate::fault::Fault;
use crate::games::verification::{is_deferred as is_kept, is_verified, tells_people};
use crate::judge::due;
use crate::round::{RoundFold, WagerFold};
use crate::standing::Standing;

const MISMATCH: &str = "progressive.meter_mismatch";

/// So many awards that wait for their payment are remembered.
const MAX_OWED: usize = 16;

/// A share of the meter that was due at the end of its round and not paid, or any award that waits at the cage.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Owed {
    round: String,
    wager: String,
    /// Its round opened by this event.
    opened_seq: u64,
    by_surveillance: bool,
    /// What is due, and the chip that it is for.
    #[serde(default)]
    award: Cents,
    #[serde(default)]
    stake: Cents,
    #[serde(default)]
    is_fixed: bool,
    /// Its winner comes back for it when he can show who he is, progressives 6.B.
    #[serde(default)]
    is_deferred: bool,
}

/// Does the award of this wager wait at the cage? A feed may name its seat or nobody.
pub(super) fn is_deferred(round: &RoundFold, wager: &WagerFold) -> bool {
    let mut told = round.irregularities();
    keeps_stake(&wager.kind) && told.any(|told| is_kept(told, wager.seat))
}

/// No more than this is fed to a meter from all its tables between an award and the next reading, if
/// that comes soon.
const FED: Cents = Cents::new(100_000);

/// A round that opens so many microseconds after the one of the award opens soon.
const SOON: i64 = 3 * 60 * 1_000_000;

/// How the awards of a round move the meter, for the next reading to show.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Moved {
    before: Cents,
    /// Where the shares leave it, by what was due and by what was paid.
    due: Cents,
    paid: Cents,
    /// One of them took all of it.
    emptied: bool,
    /// The sum of the awards that leave it alone.
    fixed: Cents,
    /// The event that paid the first award.
    seq: u64,
    /// When the round of the awards opened, in microseconds.
    opened_at: i64,
}

impl Moved {
    /// Other tables feed and win from the same meter, so that only what no play elsewhere explains is
    /// said. `at_once`: it is read as soon as the awards are paid.
    fn check(self, after: Cents, at_once: bool) -> Option<String> {
        let Moved { before, fixed, .. } = self;
        let is_left = |at: Cents| {
            let is_lowered = after < before || at >= before;
            let is_reset = at <= after || !(self.emptied && at_once);
            after <= at + FED && is_lowered && is_reset
        };
        let has_share = self.due != before || self.paid != before;
        if has_share {
            let is_right = is_left(self.due) || is_left(self.paid);
            let message = || format!("A share of the meter left it at {after}; it was {before}");
            return (!is_right).then(message);
        }
        let is_moved = after < before && before - after <= fixed;
        is_moved.then(|| format!("A fixed award moved the meter from {before} to {after}"))
    }
}

/// The meter after the awards of a round against the meter before: as it was read after the last of
/// them, or when the next round opened.
pub(super) fn check_meter(
    kept: &mut Kept,
    round: &RoundFold,
    told: &Told,
    settlement: &Settlement,
    seq: u64,
    faults: &mut Vec<Fault>,
) {
    let opened = round.opened.meters.as_ref().and_then(meter_of);
    let earlier = kept.moved.take().zip(opened);
    let mut say = |moved: Moved, read: u64, after: Cents| {
        let at_once = read != round.opened_seq;
        if let Some(message) = moved.check(after, at_once) {
            let evidence = vec![moved.seq, read, seq];
            faults.push(Fault::new(MISMATCH, evidence, message));
        }
    };
    let since = |moved: &Moved| round.opened_at.micros().saturating_sub(moved.opened_at);
    if let Some((moved, after)) = earlier.filter(|(moved, _)| since(moved) <= SOON) {
        say(moved, round.opened_seq, after);
    }
    let Some(before) = told.meter else { return };
    let readings = round.play.iter().rev().find_map(|(seq, body)| match body {
        Body::MeterRead(read) if !read.meter.contains("bonus") => Some((*seq, read.amount)),
        _ => None,
    });
    let moved = |until: u64| moved_by(round, told, settlement, before, until);
    let last = moved(u64::MAX);
    match readings.filter(|(read, _)| last.is_some_and(|moved| *read > moved.seq)) {
        Some((read, after)) => {
            if let Some(moved) = moved(read) {
                say(moved, read, after);
            }
        }
        None => kept.moved = last,
    }
}

/// Shares are paid in the order in which the hands were dealt, progressives 6.A.i.
pub(super) fn check_turns(
    round: &RoundFold,
    told: &Told,
    settlement: &Settlement,
    faults: &mut Vec<Fault>,
) {
    let in_turn = awards(round, settlement).filter(|_| is_ohio(round));
    let shares = in_turn.filter(|(wager, award)| is_share(round, told, wager, *award));
    let mut paid: Vec<(u64, &WagerFold)> = shares
        .filter_map(|(wager, _)| Some((wager.paid_seq?, wager)))
        .collect();
    paid.sort_by_key(|(seq, _)| *seq);
    let wrong = paid.windows(2).find(|pair| pair[0].1.seat > pair[1].1.seat);
    if let Some(&[(first_seq, first), (seq, then)]) = wrong {
        let message = format!(
            "Seat {} had its share of the meter before seat {}",
            first.seat, then.seat
        );
        let fault = Fault::new(MISMATCH, vec![first_seq, seq], message);
        faults.push(fault.of_wager(&then.id));
    }
}

/// A share that is not what the meter had for it: another part of it than its hand wins, or one that does not
/// reckon with the other winners of the round, 19(h), progressives 1.B.iii(a), 6.A.i. A chip that goes back with
/// the right share has its own name.
pub(super) fn check_shares(
    end: &End<'_>,
    told: &Told,
    settlement: &Settlement,
    faults: &mut Vec<Fault>,
) {
    let round = end.round;
    for (wager, award) in awards(round, settlement) {
        let is_it = |index: usize| round.wagers.get(index).is_some_and(|w| w.id == wager.id);
        let mut mispaid = end.mispaid.iter();
        let Some(&(_, exposure)) = mispaid.find(|&&(index, _)| is_it(index)) else {
            continue;
        };
        let handed_back = wager.pushed.map(|part| part.unwrap_or(wager.amount));
        let is_wrong = wager.paid.is_positive() && exposure != handed_back.unwrap_or_default();
        let is_said = |fault: &Fault| {
            fault.code == MISMATCH && fault.wager.as_ref().is_some_and(|id| *id == wager.id)
        };
        if is_wrong && is_share(round, told, wager, award) && !faults.iter().any(is_said) {
            let evidence = wager.evidence.clone();
            faults.push(wrong_share(evidence, &wager.id, award, wager.paid));
        }
    }
}

fn wrong_share(evidence: Vec<u64>, wager: &str, award: Cents, paid: Cents) -> Fault {
    let message = format!("The share of the meter was {award}, and {paid} was paid of it");
    let fault = Fault::new(MISMATCH, evidence, message);
    Fault {
        due: Some(award),
        paid: Some(paid),
        ..fault.of_wager(wager)
    }
}

/// What the awards that were paid before an event make of the meter, one after the other in the order
/// dealt, progressives 6.A.i.
fn moved_by(
    round: &RoundFold,
    told: &Told,
    settlement: &Settlement,
    before: Cents,
    until: u64,
) -> Option<Moved> {
    let reset = round.rules.in_force("progressive_reset");
    let reset = reset
        .and_then(|reset| reset.as_i64())
        .map_or(RESET, Cents::new);
    let is_paid = |seq: &u64| *seq < until;
    let mut awards: Vec<_> = awards(round, settlement)
        .filter_map(|(wager, award)| Some((wager, award, wager.paid_seq.filter(is_paid)?)))
        .collect();
    awards.sort_by_key(|(wager, ..)| wager.seat);
    let seq = awards.iter().map(|(.., seq)| *seq).min()?;
    let mut moved = Moved {
        before,
        due: before,
        paid: before,
        emptied: false,
        fixed: Cents::ZERO,
        seq,
        opened_at: round.opened_at.micros(),
    };
    for (wager, award, _) in awards {
        if !is_share(round, told, wager, award) {
            moved.fixed += award;
        } else if !is_ohio(round) || award >= moved.due {
            // In Massachusetts every share is of all the meter.
            (moved.due, moved.paid, moved.emptied) = (reset, reset, true);
        } else {
            moved.due -= award;
            moved.paid = (moved.paid - wager.paid).max(Cents::ZERO);
        }
    }
    Some(moved)
}

impl Kept {
    /// An award of an open round.
    pub(super) fn check_award(
        &self,
        round: &RoundFold,
        paid: &JackpotPaid,
        seq: u64,
        faults: &mut Vec<Fault>,
    ) {
        let wager = round.wager(&paid.wager);
        let is_share =
            wager.is_none_or(|wager| is_share(round, &Told::by(round), wager, paid.amount));
        let by_surveillance = is_ohio(round);
        let is_late = self.opened_seq > round.opened_seq;
        faults.extend(self.unverified(paid, is_share, by_surveillance, is_late, seq));
    }

    /// A supervisor validates an award, 19(g)3; in Ohio surveillance too where it is a share of the meter,
    /// and all of it before the next round, 1.B.iii. Who verified is not always told; of shares it is always
    /// told at a table that has done so before.
    fn unverified(
        &self,
        paid: &JackpotPaid,
        is_share: bool,
        by_surveillance: bool,
        is_late: bool,
        seq: u64,
    ) -> Option<Fault> {
        let is_due = is_share || !by_surveillance;
        let is_told = tells_people(paid) || is_share && self.tells_people;
        let message = if is_share && is_late {
            format!(
                "The next round was opened before {} from the meter was verified and paid",
                paid.amount
            )
        } else if is_due && is_told && !is_verified(paid, by_surveillance) {
            format!(
                "{} from the meter was not verified as it must be",
                paid.amount
            )
        } else {
            return None;
        };
        let fault = Fault::new("progressive.unverified", vec![seq], message);
        Some(fault.of_wager(&paid.wager))
    }

    /// Remembers what the meter owes when a round ends. An award that waits at the cage is processed.
    pub(super) fn owe(&mut self, end: &End<'_>, told: &Told) {
        let round = end.round;
        self.tells_people |= round.play.iter().any(|(_, body)| match body {
            Body::JackpotPaid(paid) => tells_people(paid),
            _ => false,
        });
        let Some(settlement) = end.settlement else {
            return;
        };
        let unknown = unknown_awards(round, settlement);
        for (wager, award) in awards(round, settlement).chain(unknown) {
            let is_fixed = !is_share(round, told, wager, award);
            let is_deferred = is_deferred(round, wager);
            if wager.paid_seq.is_none() && (is_deferred || !is_fixed) {
                self.owed.push(Owed {
                    round: round.id.clone(),
                    wager: wager.id.clone(),
                    opened_seq: round.opened_seq,
                    by_surveillance: is_ohio(round),
                    award,
                    stake: wager.amount,
                    is_fixed,
                    is_deferred,
                });
            }
        }
        let too_many = self.owed.len().saturating_sub(MAX_OWED);
        self.owed.drain(..too_many);
    }
}

/// A round opens: the one before should be over, with all that the meter owes by it, 1.B.iii(f).
pub(super) fn open(round: &RoundFold, standing: &mut Standing) {
    let sides = round.rules.option("side_bets");
    let sides = sides.as_ref().and_then(|sides| sides.as_array());
    let is_on_meter = |side: &serde_json::Value| side.as_str().is_some_and(keeps_stake);
    if sides.is_some_and(|sides| sides.iter().any(is_on_meter)) {
        let mut kept: Kept = standing.read();
        kept.opened_seq = round.opened_seq;
        standing.keep(&kept);
    }
}

/// An award that is paid when its round is over: true if it was still owed.
pub(super) fn pay_later(event: &Event, standing: &mut Standing, faults: &mut Vec<Fault>) -> bool {
    let Body::JackpotPaid(paid) = &event.body else {
        return false;
    };
    let mut kept: Kept = standing.read();
    let is_it = |owed: &Owed| event.round.as_ref() == Some(&owed.round) && owed.wager == paid.wager;
    let Some(at) = kept.owed.iter().position(is_it) else {
        return false;
    };
    let owed = kept.owed.remove(at);
    let is_late = kept.opened_seq > owed.opened_seq && !owed.is_deferred;
    let by_surveillance = owed.by_surveillance;
    faults.extend(kept.unverified(paid, !owed.is_fixed, by_surveillance, is_late, event.seq));
    faults.extend(owed.differences(paid, event.seq));
    kept.tells_people |= tells_people(paid);
    standing.keep(&kept);
    true
}

impl Owed {
    /// What waits does not change, 6.B: another payment is wrong, and a wrong share if it comes off the meter. Of
    /// an award that nobody deferred it was said already that it was not paid.
    fn differences(&self, paid: &JackpotPaid, seq: u64) -> Vec<Fault> {
        // A prize may be told whole or less the chip that it is for.
        let is_right = [self.award, self.award - self.stake].contains(&paid.amount);
        let mut faults = Vec::new();
        if is_right || !self.award.is_positive() {
            return faults;
        }
        if self.is_deferred {
            let exposure = paid.amount - self.award;
            let (code, what) = match exposure.is_positive() {
                true => ("pay.over", "more"),
                false => ("pay.under", "less"),
            };
            let message = format!(
                "{} was paid for an award that waited at the cage, {what} than the {} that were due",
                paid.amount, self.award
            );
            let fault = Fault {
                due: Some(self.award),
                paid: Some(paid.amount),
                exposure,
                ..Fault::new(code, vec![seq], message)
            };
            faults.push(fault.of_wager(&self.wager));
        }
        if !self.is_fixed {
            let fault = wrong_share(vec![seq], &self.wager, self.award, paid.amount);
            faults.push(fault);
        }
        faults
    }
}

/// The wagers that the meter pays for, and what each is worth.
fn awards<'a>(
    round: &'a RoundFold,
    settlement: &'a Settlement,
) -> impl Iterator<Item = (&'a WagerFold, Cents)> {
    let on_meter = round.wagers.iter().filter(|wager| keeps_stake(&wager.kind));
    on_meter.filter_map(|wager| {
        let due = due(settlement, &wager.id)?;
        (due.result == Verdict::Win).then_some((wager, due.returned))
    })
}

/// Wagers that may have an award of which nobody knows how much it is: the meter, or a card, was not seen.
fn unknown_awards<'a>(
    round: &'a RoundFold,
    settlement: &'a Settlement,
) -> impl Iterator<Item = (&'a WagerFold, Cents)> {
    let on_meter = round.wagers.iter().filter(|wager| keeps_stake(&wager.kind));
    on_meter.filter_map(|wager| {
        let due = due(settlement, &wager.id)?;
        due.range.map(|_| (wager, Cents::ZERO))
    })
}

/// A share of the meter may be as much as a fixed award: the cards say which it is, where all that count are
/// known. An amount that a table of the wager fixes leaves the meter alone, 19(c), progressives 5.A.iii.
fn is_share(round: &RoundFold, told: &Told, wager: &WagerFold, award: Cents) -> bool {
    let dealt = told.boxes.get(&wager.seat);
    let is_won = dealt.and_then(|dealt| match wager.kind.as_str() {
        "blazing_sevens" => wins_of_sevens(dealt, told.dealer.up()?),
        _ => wins_by_aces(dealt),
    });
    is_won.unwrap_or_else(|| !round.rules.files_prize(&wager.kind, award))
}

/// The first two cards and the up card are sevens of one colour, progressives 5.A.iii.
fn wins_of_sevens(dealt: &BoxFold, up: Card) -> Option<bool> {
    let first = dealt.first_cards().into_iter().map(known);
    let cards: Vec<Card> = first.chain([Some(up)]).collect::<Option<_>>()?;
    let is_seven = |card: &Card| card.rank() == Some(Rank::Seven);
    Some(cards.len() == 3 && cards.iter().all(is_seven) && is_of_one_color(&cards))
}

/// The first four cards are black or red aces, 19(c).
fn wins_by_aces(dealt: &BoxFold) -> Option<bool> {
    let cards: Vec<Card> = dealt.cards().take(4).map(known).collect::<Option<_>>()?;
    Some(cards.len() == 4 && cards.iter().copied().all(is_ace) && is_of_one_color(&cards))
}

fn known(card: Option<&str>) -> Option<Card> {
    card?.parse().ok()
}

fn is_of_one_color(cards: &[Card]) -> bool {
    let is_red = |card: &Card| card.suit().map(Suit::is_red);
    cards.iter().all(|card| is_red(card) == is_red(&cards[0]))
}

fn is_ohio(round: &RoundFold) -> bool {
    round.rules.edition == Edition::OhJack2017.name()
}

/// What a meter starts from where the table posts nothing else.
const RESET: Cents = Cents::new(1_000_000);
