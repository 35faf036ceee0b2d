//! What the house takes: a percentage or increments from the pots, or a charge for time. 14(b)

use super::options::{RakeMethod, TimeBasis};
use super::pots::Pot;
use super::room::Room;
use crate::floor::{Cents, Rounding, Seat};
use crate::settlement::{TimeCharge, Violations};

/// 14(b)1, 14(b)3
pub(super) fn flag_methods(room: &Room<'_>, violations: &mut Violations) {
    let bounds = &room.rules.rake;
    for method in &room.options.rake {
        match method {
            RakeMethod::Percent { rate_bp, .. } => {
                violations.add_if(rate_bp.0 > bounds.most_bp, "rake.over_ten_percent");
            }
            RakeMethod::Incremental { .. } => {}
            RakeMethod::Time { interval, .. } => {
                let known = bounds.intervals.contains(&i64::from(*interval));
                violations.add_if(!known, "rake.time_interval");
            }
        }
    }
}

/// Takes the rake of all methods out of the pots. They fill one after the other, and each pays what
/// its own chips trigger; what a pot of less than that lacks, the others pay.
pub(super) fn take(methods: &[RakeMethod], pots: &mut [Pot]) -> Cents {
    methods.iter().map(|method| take_one(method, pots)).sum()
}

fn take_one(method: &RakeMethod, pots: &mut [Pot]) -> Cents {
    let mut due = Cents::ZERO;
    let mut rake = Cents::ZERO;
    let mut take = |pot: &mut Pot, total: Cents, cap: Option<Cents>| {
        due = due.max(cap.map_or(total, |cap| total.min(cap)));
        rake += pot.take(due - rake);
    };
    match method {
        RakeMethod::Percent { rate_bp, cap, unit } => {
            let rounds = pots.first().map_or(0, |pot| pot.by_round.len());
            let mut earlier = Cents::ZERO;
            for round in 0..rounds {
                let mut chips = Cents::ZERO;
                let mut fee = Cents::ZERO;
                for pot in &mut *pots {
                    chips += pot.by_round[round];
                    fee = chips.basis_points(rate_bp.0, unit.down());
                    take(pot, earlier + fee, *cap);
                }
                earlier += fee;
            }
        }
        RakeMethod::Incremental { levels, cap } => {
            let mut chips = Cents::ZERO;
            for pot in &mut *pots {
                chips += pot.gross();
                let reached = levels.iter().filter(|(size, _)| *size <= chips);
                take(pot, reached.map(|&(_, amount)| amount).sum(), *cap);
            }
        }
        RakeMethod::Time { .. } => {}
    }
    for pot in pots {
        rake += pot.take(due - rake);
    }
    rake
}

/// 14(b)3: every seated player, or one charge for the table.
pub(super) fn time_charges(room: &Room<'_>) -> Vec<TimeCharge> {
    let mut charges = Vec::new();
    for method in room.options.rake.iter().filter(|_| room.play.time_due) {
        let RakeMethod::Time {
            basis,
            hourly,
            interval,
        } = method
        else {
            continue;
        };
        let amount = hourly.fraction(i64::from(*interval), 60, Rounding::DOWN);
        match basis {
            TimeBasis::PerTable => charges.push(TimeCharge {
                seat: Seat::HOUSE,
                amount,
            }),
            TimeBasis::PerPlayer => {
                let seats = room.players.iter().map(|player| player.seat);
                charges.extend(seats.map(|seat| TimeCharge { seat, amount }));
            }
        }
    }
    charges.sort_by_key(|charge| charge.seat);
    charges
}
