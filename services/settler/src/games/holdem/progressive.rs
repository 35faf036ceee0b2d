//! The Multi-Link progressive: what its awards and its meter show beside the amounts.

use catwalk_events::body::{Body, JackpotPaid};
use catwalk_events::{Event, Timestamp};
use catwalk_rules::Verdict;
use catwalk_rules::book::Pay;
use catwalk_rules::floor::{Card, Cents};
use catwalk_rules::hands::five;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Kept, special};
use crate::fault::Fault;
use crate::games::verification::{is_verified, tells_people};
use crate::games::{End, felt};
use crate::judge;
use crate::round::{RoundFold, WagerFold};
use crate::standing::Standing;

pub(super) const KIND: &str = "progressive";

/// What was wrong with awards of the round; `folded` says which seats had given up.
pub(super) fn check_awards(end: &End<'_>, folded: impl Fn(u32) -> bool, faults: &mut Vec<Fault>) {
    for &(at, exposure) in end.mispaid {
        let Some(wager) = end.round.wagers.get(at) else {
            continue;
        };
        if wager.kind != KIND {
            continue;
        }
        let over = exposure.is_positive();
        if over && wager.paid.is_positive() && folded(wager.seat) {
            let message = "an award to a hand that was folded";
            faults.push(special("progressive.folded_paid", wager, message));
        } else if over && is_envy_of_folded(end, wager, exposure, &folded) {
            let message = "envy for a hand that was folded";
            faults.push(special("progressive.folded_paid", wager, message));
        }
        if over && made_with_other_cards(end, at, wager) {
            let message = "an award for the turn or river card";
            faults.push(special("progressive.turn_river_used", wager, message));
        }
        if over && is_own_envy(end, wager, exposure) {
            let message = "envy for the own hand, or for the dealer's";
            faults.push(special("progressive.envy_error", wager, message));
        }
        if !over && paid_without_envy(end, wager) {
            let message = "the envy bonus is missing";
            faults.push(special("progressive.envy_error", wager, message));
        }
    }
}

/// Would what was paid be right for the hole cards with three other cards of the board, and not with the flop?
fn made_with_other_cards(end: &End<'_>, at: usize, wager: &WagerFold) -> bool {
    let Some(document) = end.document else {
        return false;
    };
    let due = end
        .settlement
        .and_then(|settled| judge::due(settled, &wager.id));
    if due.is_some_and(|due| due.result == Verdict::Win && is_paid(wager, due.returned)) {
        return false;
    }
    let board = document["play"]["board"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let [a, b, c, d, e] = board.as_slice() else {
        return false;
    };
    let flops = [
        [a, b, d, c, e],
        [a, b, e, c, d],
        [a, c, d, b, e],
        [a, c, e, b, d],
        [a, d, e, b, c],
        [b, c, d, a, e],
        [b, c, e, a, d],
        [b, d, e, a, c],
        [c, d, e, a, b],
    ];
    flops.into_iter().any(|board| {
        let mut other = document.clone();
        other["play"]["board"] = json!(board);
        let settlement = end.rulebook.settle_value(&other);
        settlement.is_ok_and(|settlement| {
            let due = settlement.wagers().get(at);
            due.is_some_and(|due| due.result == Verdict::Win && is_paid(wager, due.returned))
        })
    })
}

/// Is it just what others would have had for a hand of his own with the flop, or for the dealer's?
fn is_own_envy(end: &End<'_>, wager: &WagerFold, excess: Cents) -> bool {
    let play = &end.round.play;
    let is_his = |other: &&WagerFold| {
        other.seat == wager.seat || other.player.is_some() && other.player == wager.player
    };
    let of_his = end.round.wagers.iter().filter(is_his);
    let hands = of_his.map(|other| felt::hand(play, other.seat));
    let mut hands = hands.chain([felt::dealer(play)]);
    hands.any(|hand| is_envy(end, &hand, wager, excess))
}

/// Is it just what there would have been for the hand of another seat that had given up? prog § 1.A.iv
fn is_envy_of_folded(
    end: &End<'_>,
    wager: &WagerFold,
    excess: Cents,
    folded: impl Fn(u32) -> bool,
) -> bool {
    let play = &end.round.play;
    let mut others = felt::seats(play).into_iter();
    others.any(|seat| {
        let hand = felt::hand(play, seat);
        seat != wager.seat && folded(seat) && is_envy(end, &hand, wager, excess)
    })
}

/// Is the excess the envy of a hand? The stake of what was paid without having won may count as given back.
fn is_envy(end: &End<'_>, hand: &[felt::Lying<'_>], wager: &WagerFold, excess: Cents) -> bool {
    let envy = envy(end, hand);
    envy.is_some_and(|envy| excess == envy || excess == envy + wager.amount)
}

/// What a hand with the flop is worth to every other bettor.
fn envy(end: &End<'_>, hand: &[felt::Lying<'_>]) -> Option<Cents> {
    let key = match with_flop(&end.round.play, hand)? {
        five::Category::RoyalFlush => "royal_flush",
        five::Category::StraightFlush => "straight_flush",
        _ => return None,
    };
    let game = end.round.rules.game_in(end.rulebook).ok()?;
    let tables = game.book().tables().iter();
    let mut rows = tables
        .filter(|table| table.id == "multi_link_envy")
        .flat_map(|table| &table.rows);
    rows.find_map(|row| match row.pays {
        Pay::Fixed(amount) if row.key == key => Some(amount),
        _ => None,
    })
}

/// Was exactly what the seat's own hand is worth paid, and nothing for the hands of others?
fn paid_without_envy(end: &End<'_>, wager: &WagerFold) -> bool {
    let Some(document) = end.document else {
        return false;
    };
    let mut alone = document.clone();
    for list in ["/wagers", "/play/hands"] {
        if let Some(list) = alone.pointer_mut(list).and_then(Value::as_array_mut) {
            list.retain(|entry| entry["seat"] == wager.seat);
        }
    }
    let settlement = end.rulebook.settle_value(&alone);
    settlement.is_ok_and(|settlement| {
        let mut due = settlement.wagers().iter();
        due.any(|due| due.id.as_str() == wager.id && is_paid(wager, due.returned))
    })
}

fn is_paid(wager: &WagerFold, award: Cents) -> bool {
    let stake_back = wager.pushed.is_some() || wager.collected.is_none();
    wager.paid == award || (stake_back && wager.paid + wager.amount == award)
}

/// The meter as it stood when the first share of it was keyed, as a jackpot or as any other payment; fixed awards
/// may have gone before, and other tables had theirs meanwhile. prog § 6.A
pub(super) fn meter(round: &RoundFold) -> Option<Cents> {
    let awards = awards(round);
    let has_share = |award: &&Award<'_>| {
        let made = made_by(round, award);
        made.is_none_or(|made| made >= five::Category::StraightFlush)
    };
    let keyed = awards.iter().find(has_share).or(awards.first());
    felt::meter(round, keyed.map(|award| award.seq))
}

/// Who verified the shares of the meter, and in which order they were paid.
pub(super) fn check_shares(end: &End<'_>, kept: &mut Kept, faults: &mut Vec<Fault>) {
    let (shares, _) = shares_and_fixed(end.round, meter(end.round));
    check_people(&shares, kept, faults);
    check_turn(&shares, faults);
}

/// What was paid on a progressive wager, by the word of the meter or like any other wager.
struct Award<'a> {
    seq: u64,
    wager: Option<&'a WagerFold>,
    amount: Cents,
    /// How it was told, if as a jackpot.
    jackpot: Option<&'a JackpotPaid>,
}

type Awards<'a> = Vec<Award<'a>>;

fn awards(round: &RoundFold) -> Awards<'_> {
    let jackpots = round.play.iter().filter_map(|(seq, body)| match body {
        Body::JackpotPaid(paid) => Some(Award {
            seq: *seq,
            wager: round.wager(&paid.wager),
            amount: paid.amount,
            jackpot: Some(paid),
        }),
        _ => None,
    });
    let plain = round.wagers.iter().filter_map(|wager| {
        let amount = wager.paid - wager.from_meter;
        let award = Award {
            seq: wager.paid_seq?,
            wager: Some(wager),
            amount,
            jackpot: None,
        };
        (wager.kind == KIND && amount.is_positive()).then_some(award)
    });
    let mut awards: Awards<'_> = jackpots.chain(plain).collect();
    awards.sort_by_key(|award| award.seq);
    awards
}

/// Shares are tens of percents of the meter as the share before left it, and go to hands that have them: anything
/// else is a fixed award or envy, which may be as much as a tenth of a low meter. The stake may have been left out
/// of an award. prog § 6.A.i
fn shares_and_fixed(round: &RoundFold, before: Option<Cents>) -> (Awards<'_>, Awards<'_>) {
    let mut meter = before;
    awards(round).into_iter().partition(|award| {
        let made = made_by(round, award).map(|made| made >= five::Category::StraightFlush);
        // Beside a share, what is paid like any other wager is envy.
        let is_beside = award.jackpot.is_none()
            && award
                .wager
                .is_some_and(|wager| wager.from_meter.is_positive());
        let is_share = match meter.map(|meter| Cents::new(meter.get() / 10)) {
            Some(share) => {
                let whole = award.amount + stake_of(award);
                whole >= share && share.is_positive() && made != Some(false)
            }
            None => made == Some(true),
        };
        let is_share = is_share && !is_beside;
        if is_share {
            // Where all of it was won, nobody told what it starts again with.
            let left = meter.map(|meter| meter - award.amount);
            meter = left.filter(|left| left.is_positive());
        }
        is_share
    })
}

fn stake_of(award: &Award<'_>) -> Cents {
    award.wager.map_or(Cents::ZERO, |wager| wager.amount)
}

/// What the hand that an award went to makes with the flop.
fn made_by(round: &RoundFold, award: &Award<'_>) -> Option<five::Category> {
    with_flop(&round.play, &felt::hand(&round.play, award.wager?.seat))
}

/// What two hole cards make with the flop.
fn with_flop(play: &felt::Play, hand: &[felt::Lying<'_>]) -> Option<five::Category> {
    let board = felt::community(play);
    let cards = hand.iter().chain(board.iter().take(3));
    let cards: Option<Vec<Card>> = cards.map(|lying| lying.card?.parse().ok()).collect();
    Some(five::rank(&cards?)?.category())
}

/// What the meter shows when its shares were paid: what they leave, or its reset value after the whole of
/// it, which comes with it. prog § 6.A
fn left_by(end: &End<'_>, shares: &Awards<'_>, before: Cents) -> (Cents, Option<Cents>) {
    let reset = end.round.rules.in_force("progressive_reset");
    let reset = reset.and_then(|reset| reset.as_i64());
    let shares = shares.iter();
    shares.fold((before, None), |(meter, was_reset), award| {
        let royal = made_by(end.round, award) == Some(five::Category::RoyalFlush);
        match reset.filter(|_| royal || award.amount >= meter) {
            Some(reset) => (Cents::new(reset), Some(Cents::new(reset))),
            None => (meter - share_of(award, meter), was_reset),
        }
    })
}

/// What came off the meter, also where the stake was left out of what was told.
fn share_of(award: &Award<'_>, meter: Cents) -> Cents {
    let whole = award.amount + stake_of(award);
    match whole.get() == meter.get() / 10 {
        true => whole,
        false => award.amount,
    }
}

/// What a meter may grow by before somebody reads it again.
const GROWTH: Cents = Cents::new(100_000);

/// What was paid beside the shares of a meter.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Fixed {
    before: Cents,
    /// What the shares leave of the meter.
    left: Cents,
    /// All of it as it was told, and with the stakes that may have been left out.
    told: Cents,
    whole: Cents,
}

impl Fixed {
    /// Does the meter show that it came off? A tenth of the meter, won at another table, is far more than what
    /// makes a meter a little lower than it was.
    fn came_off(&self, after: Cents, was_reset: bool) -> bool {
        let is_all_of_it = after == self.left - self.told || after == self.left - self.whole;
        let is_little = self.whole.times(20) <= self.left && !was_reset;
        is_all_of_it || is_little && after < self.left && after >= self.left - self.whole
    }
}

/// A reading that comes later says nothing of an award: other tables have fed the meter since, or won from it.
const READ_WITHIN_MICROS: i64 = 3_600_000_000;

/// A meter as it is read after awards that are kept, and what that says against them. A meter that was won
/// soon after its last reset starts again where it stood.
fn contradiction(
    kept: &mut Kept,
    after: Cents,
    at: Timestamp,
    evidence: Vec<u64>,
) -> Option<Fault> {
    let (starts_again, since) = (kept.reset.take(), kept.since.take());
    let (share, fixed) = (kept.meter.take(), kept.fixed.take());
    let waited = since.map_or(0, |since| at.micros().saturating_sub(since.micros()));
    if waited > READ_WITHIN_MICROS {
        return None;
    }
    let is_risen = |&(before, left): &(Cents, Cents)| match starts_again {
        Some(reset) => after >= before && after > reset + GROWTH,
        // Less than half of the share has come off.
        None => after >= before || after > left + GROWTH && after - left > before - after,
    };
    let (before, what) = match (share.filter(is_risen), fixed) {
        (Some((before, _)), _) => (before, "an award from it"),
        (None, Some(fixed)) if fixed.came_off(after, starts_again.is_some()) => {
            (fixed.before, "a fixed award")
        }
        _ => return None,
    };
    let message = format!("The meter showed {before} before {what} and {after} after it");
    let fault = Fault::new("progressive.meter_mismatch", evidence, message);
    Some(Fault {
        due: Some(before),
        paid: Some(after),
        ..fault
    })
}

/// The meter is read when the round is over: true if this is such a reading.
pub(super) fn see_reading(event: &Event, standing: &mut Standing, faults: &mut Vec<Fault>) -> bool {
    let Body::MeterRead(read) = &event.body else {
        return false;
    };
    let mut kept = Kept::of(standing);
    let found = contradiction(&mut kept, read.amount, event.at, vec![event.seq]);
    faults.extend(found);
    standing.keep(&kept);
    true
}

/// A share of the meter comes off it; what is fixed does not. Other tables feed the meter too, so that
/// only a meter that is not lower after its award, or lower by just the fixed awards, is wrong.
pub(super) fn check_meter(end: &End<'_>, kept: &mut Kept, faults: &mut Vec<Fault>) {
    let (opened, at) = (end.round.opened_seq, end.round.opened_at);
    if let Some(opening) = felt::opening_meter(end.round) {
        faults.extend(contradiction(kept, opening, at, vec![opened]));
    }
    // What is not read at the next round is not read again.
    (kept.meter, kept.reset, kept.fixed) = (None, None, None);
    let Some(before) = meter(end.round) else {
        return;
    };
    let (shares, fixed) = shares_and_fixed(end.round, Some(before));
    let (left, reset) = left_by(end, &shares, before);
    let last_award = shares.iter().chain(&fixed).map(|award| award.seq).max();
    let mut reads = end.round.play.iter().rev();
    let after = last_award.and_then(|last_award| {
        reads.find_map(|(seq, body)| match body {
            Body::MeterRead(read) if *seq > last_award => Some((*seq, read.amount)),
            _ => None,
        })
    });
    let told: Cents = fixed.iter().map(|award| award.amount).sum();
    let stakes: Cents = fixed.iter().map(stake_of).sum();
    // A meter that stood below its reset value goes up when it is won whole.
    kept.meter = (!shares.is_empty() && left < before).then_some((before, left));
    kept.reset = reset;
    kept.fixed = told.is_positive().then_some(Fixed {
        before,
        left,
        told,
        whole: told + stakes,
    });
    kept.since = Some(at);
    if let Some((seq, after)) = after {
        faults.extend(contradiction(kept, after, at, vec![opened, seq]));
    }
}

/// A share of the meter is verified by a supervisor and by surveillance. A table that never tells who
/// verified is not judged. prog § 1.B.iii
fn check_people(shares: &Awards<'_>, kept: &mut Kept, faults: &mut Vec<Fault>) {
    for award in shares {
        let Some(paid) = award.jackpot else { continue };
        kept.tells_people |= tells_people(paid);
        if let Some(wager) = award.wager
            && kept.tells_people
            && !is_verified(paid, true)
        {
            let message = "a share of the meter that nobody verified";
            faults.push(special("progressive.unverified", wager, message));
        }
    }
}

/// Shares come off the meter in the order of the deal. prog § 6.A
fn check_turn(shares: &Awards<'_>, faults: &mut Vec<Fault>) {
    for pair in shares.windows(2) {
        if let (Some(first), Some(then)) = (pair[0].wager, pair[1].wager)
            && first.seat > then.seat
        {
            let [first, then] = [first.seat, then.seat];
            let message = format!("Seat {first} had its share of the meter before seat {then}");
            let evidence = vec![pair[0].seq, pair[1].seq];
            faults.push(Fault::new("progressive.meter_mismatch", evidence, message));
        }
    }
}
