//! Chips that go back to the seat that put them in: a bet that nobody called, all of a hand that was called off.

use std::collections::BTreeSet;

use catwalk_rules::Pots;
use catwalk_rules::floor::Cents;

use super::money::{awarded, pushed_back};
use crate::fault::Fault;
use crate::games::End;
use crate::round::WagerFold;

/// More went back to a seat than was its own, or what had to go back was taken. A feed need not tell of what goes
/// back, and may tell a pot as given back or what goes back as part of a pot.
pub(super) fn compare(end: &End<'_>, pots: &Pots, faults: &mut Vec<Fault>) {
    let round = end.round;
    let awarded = awarded(round);
    let wagers = || super::played(round);
    let seats: BTreeSet<u32> = wagers().map(|wager| wager.seat).collect();
    let taken: BTreeSet<u32> = wagers()
        .filter(|wager| wager.collected.is_some())
        .map(|wager| wager.seat)
        .collect();
    for seat in seats {
        let is_its = |of: u32| of == seat;
        let refunds = pots.refunds.iter();
        let its = refunds.filter(|refund| is_its(u32::from(refund.seat.number())));
        let back: Cents = its.map(|refund| refund.amount).sum();
        let awards = pots.awards.iter();
        let its = awards.filter(|award| is_its(u32::from(award.seat.number())));
        let won: Cents = its.map(|award| award.amount).sum();
        let pushed = pushed_back(round, seat);
        let got = awarded.get(&seat).copied().unwrap_or_default();
        let more = got + pushed - won - back;
        // Who gathers the chips of a betting round takes those of all.
        let is_kept = taken.contains(&seat) && taken.len() == 1 && more.is_negative();
        let (code, word) = match pushed > back {
            true if more.is_positive() => ("pot.over_award", "went back to"),
            false if is_kept && pushed < back => ("pot.under_award", "was given back to"),
            _ => continue,
        };
        let evidence = wagers().filter(|wager| wager.seat == seat && is_moved(wager));
        let evidence = evidence.flat_map(|wager| wager.evidence.iter().copied());
        let message = format!("{pushed} {word} seat {seat} of what it had bet; {back} was due");
        faults.push(Fault {
            due: Some(back),
            paid: Some(pushed),
            exposure: if more.is_positive() {
                more.min(pushed - back)
            } else {
                more.max(pushed - back)
            },
            ..Fault::new(code, evidence.chain([end.seq]).collect(), message).at_seat(seat)
        });
    }
}

fn is_moved(wager: &WagerFold) -> bool {
    wager.pushed.is_some() || wager.collected.is_some()
}
