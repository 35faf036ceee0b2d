//! How far the wagers against the Banker cover his bank, and in what order.

use super::{Kind, Prior, PriorKind, Wager};
use crate::floor::{Cents, Seat};
use crate::refusal::Refusal;
use crate::settlement::Violations;

/// What is at risk in a round.
#[derive(Debug)]
pub(super) struct Cover {
    /// By wager, in the order of the document: the part of it that was accepted; of the bank, the
    /// part that was covered.
    pub(super) at_risk: Vec<Cents>,
    /// The wagers against the bank in the order in which they were accepted.
    ranking: Vec<usize>,
}

impl Cover {
    /// Covers the bank, the wager at index `bank`: an entitled suivi first, then banco, then partial
    /// wagers; within each, counterclockwise from the Banker. 6(b)-(d)
    pub(super) fn of(
        wagers: &[Wager],
        bank: usize,
        suivi_seat: Option<Seat>,
        violations: &mut Violations,
    ) -> Cover {
        let banker = &wagers[bank];
        let entitled = |wager: &Wager| suivi_seat == Some(wager.seat);
        let class = |wager: &Wager| match wager.kind {
            Kind::BancoSuivi if entitled(wager) => 0,
            Kind::BancoSuivi | Kind::Banco => 1,
            Kind::Punt | Kind::Bank => 2,
        };
        let mut ranking: Vec<usize> = (0..wagers.len()).filter(|&index| index != bank).collect();
        // Seat numbers rise counterclockwise and wrap. Equals keep the order of the document.
        ranking.sort_by_key(|&index| {
            let wager = &wagers[index];
            (class(wager), wager.seat < banker.seat, wager.seat)
        });

        let mut at_risk = vec![Cents::ZERO; wagers.len()];
        let mut left = banker.amount;
        for &index in &ranking {
            let wager = &wagers[index];
            violations.add_if(
                wager.kind == Kind::BancoSuivi && !entitled(wager),
                "chemin.suivi_not_entitled",
            );
            violations.add_if(
                wager.kind != Kind::Punt && wager.amount != banker.amount,
                "chemin.banco_not_equal_to_bank",
            );
            if wager.seat == banker.seat {
                violations.add("chemin.banker_bets_against_self");
                continue;
            }
            at_risk[index] = left.min(wager.amount);
            left -= at_risk[index];
            violations.add_if(at_risk[index] < wager.amount, "chemin.over_cover");
        }
        at_risk[bank] = banker.amount - left;
        Cover { at_risk, ranking }
    }

    /// Who controls the Player hand: the first banco or suivi, else the highest wager, of equal ones
    /// the nearest to the Banker. None if nothing was accepted. 7(c)
    pub(super) fn dominant_seat(&self, wagers: &[Wager]) -> Option<Seat> {
        let accepted = |index: &usize| self.at_risk[*index].is_positive();
        let takes_all = |index: &usize| wagers[*index].kind != Kind::Punt;
        let ranking = || self.ranking.iter().copied().filter(accepted);
        ranking()
            .find(takes_all)
            // The last of the highest, from behind: the nearest of them.
            .or_else(|| ranking().rev().max_by_key(|&index| self.at_risk[index]))
            .map(|index| wagers[index].seat)
    }
}

/// Flags a bank outside the bounds that the way to it sets: each way has its own amount, and no other. 5(b), 10(c)
pub(super) fn flag_bank_bounds(
    bank: Cents,
    prior: &Prior,
    violations: &mut Violations,
) -> Result<(), Refusal> {
    use PriorKind as By;
    let missing = |key: &str| Refusal::at("play.prior", format!("the key {key:?} is missing"));
    let foreign = |key: &str| {
        let what = "no key of this way to the bank";
        Refusal::at(format!("play.prior.{key}"), what)
    };
    match (prior.kind, prior.bid, prior.last_bank) {
        (By::Opening | By::Auction, Some(bid), None) => {
            violations.add_if(bank < bid, "chemin.bank_below_bid");
        }
        (By::Continuing | By::Passed, None, Some(last)) => {
            violations.add_if(bank < last, "chemin.bank_below_previous");
            violations.add_if(bank > last.times(2), "chemin.bank_over_double");
        }
        (By::ForcedPass, None, None) => {}
        (By::Opening | By::Auction, None, _) => return Err(missing("bid")),
        (By::Continuing | By::Passed, _, None) => return Err(missing("last_bank")),
        (By::Continuing | By::Passed | By::ForcedPass, Some(_), _) => return Err(foreign("bid")),
        (By::Opening | By::Auction | By::ForcedPass, _, Some(_)) => {
            return Err(foreign("last_bank"));
        }
    }
    Ok(())
}
