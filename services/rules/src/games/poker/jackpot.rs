//! The bad beat jackpot: the contribution from the pots and the payout of the fund. 19

use super::contest;
use super::forms::Half;
use super::options::{BadBeatPay, Drop};
use super::pots::Pot;
use super::room::Room;
use super::showdown::Showdown;
use crate::floor::{Cents, Rounding};
use crate::refusal::Refusal;
use crate::settlement::{BadBeat, BeatRole};

/// Takes the contribution out of the pots after the rake, the main pot first. 19(c)
pub(super) fn take_drop(drop: &Drop, pots: &mut [Pot]) -> Cents {
    let net: Cents = pots.iter().map(|pot| pot.net).sum();
    let (due, min_pot) = match drop {
        Drop::Fixed { amount, min_pot } => (*amount, *min_pot),
        Drop::Percent {
            rate_bp,
            max,
            min_pot,
            unit,
        } => {
            let share = net.basis_points(rate_bp.0, unit.down());
            (max.map_or(share, |max| share.min(max)), *min_pot)
        }
    };
    if net < min_pot {
        return Cents::ZERO;
    }
    let mut missing = due;
    for pot in pots {
        missing -= pot.take(missing);
    }
    due - missing
}

/// Who is paid from the fund for the hands that were shown. It is not paid from the pots.
pub(super) fn pay_bad_beat(
    room: &Room<'_>,
    pay: &BadBeatPay,
    dealt: &[usize],
    showdown: &Showdown<'_>,
) -> Result<Vec<BadBeat>, Refusal> {
    let (Some(high), Some(fund)) = (room.facts.high(), room.play.jackpot_fund) else {
        return Ok(Vec::new());
    };
    let qualifier = contest::strength(high, &pay.qualifier).filter(|_| {
        let size = if high == Half::High { 5 } else { 3 };
        pay.qualifier.len() == size
    });
    let qualifier = qualifier.ok_or_else(|| {
        Refusal::at(
            "options.jackpot.pay.qualifier",
            "is not a hand of this form: write five cards, three in mambo",
        )
    })?;
    let shown: Vec<_> = showdown.first_halves().collect();
    let top = shown.iter().map(|(_, best)| best.strength).max();
    let Some(top) = top.filter(|_| shown.len() >= 2 && dealt.len() >= pay.min_players) else {
        return Ok(Vec::new());
    };
    let with_own = shown.into_iter();
    let with_own = with_own.filter(|(_, best)| best.uses_own(pay.hole_cards));
    let (winners, below): (Vec<_>, Vec<_>) = with_own.partition(|(_, best)| best.strength == top);
    let best_loser = below.iter().map(|(_, best)| best.strength).max();
    let best_loser = best_loser.filter(|&strength| strength >= qualifier);
    let losers = below
        .iter()
        .filter(|(_, best)| Some(best.strength) == best_loser);
    let losers: Vec<usize> = losers.map(|&(place, _)| place).collect();
    let winners: Vec<usize> = winners.iter().map(|&(place, _)| place).collect();
    if losers.is_empty() || winners.is_empty() {
        return Ok(Vec::new());
    }
    let table = dealt.iter().copied();
    let table: Vec<usize> = table
        .filter(|place| !losers.contains(place) && !winners.contains(place))
        .collect();
    let roles = [
        (BeatRole::Loser, losers, pay.shares.loser),
        (BeatRole::Winner, winners, pay.shares.winner),
        (BeatRole::Table, table, pay.shares.table),
    ];
    let mut paid: Vec<BadBeat> = Vec::new();
    for (role, places, percent) in roles {
        let ways = i64::try_from(places.len()).unwrap_or(i64::MAX / 100);
        if ways == 0 {
            continue;
        }
        let amount = fund.fraction(percent.0, 100 * ways, Rounding::DOWN);
        let seats = places.iter().map(|&place| room.players[place].seat);
        if amount.is_positive() {
            paid.extend(seats.map(|seat| BadBeat { seat, role, amount }));
        }
    }
    paid.sort_by_key(|entry| entry.seat);
    Ok(paid)
}
