//! One wager and what became of it, against what was due on it.

use catwalk_rules::floor::Cents;
use catwalk_rules::{Range, Settled, Verdict};

use crate::games::Vigorish;
use crate::round::WagerFold;

/// What is due on a wager.
#[derive(Clone, Copy)]
pub(super) struct Due {
    pub(super) result: Verdict,
    pub(super) win: Cents,
    pub(super) commission: Cents,
    pub(super) returned: Cents,
}

impl Due {
    pub(super) fn of(settled: &Settled) -> Due {
        Due {
            result: settled.result,
            win: settled.win,
            commission: settled.commission,
            returned: settled.returned,
        }
    }

    /// The same with a bonus paid on top of it.
    pub(super) fn with_bonus(self, bonus: Cents) -> Due {
        Due {
            win: self.win + bonus,
            returned: self.returned + bonus,
            ..self
        }
    }

    /// As if so much had to go back.
    fn of_amount(wager: &WagerFold, returned: Cents) -> Due {
        let win = returned - wager.amount;
        let result = match win.get() {
            ..0 => Verdict::Lose,
            0 => Verdict::Push,
            1.. => Verdict::Win,
        };
        Due {
            result,
            win: win.max(Cents::ZERO),
            commission: Cents::ZERO,
            returned,
        }
    }

    pub(super) fn given_back(wager: &WagerFold) -> Due {
        Due {
            result: Verdict::Void,
            win: Cents::ZERO,
            commission: Cents::ZERO,
            returned: wager.amount,
        }
    }
}

/// How the payments of a wager are meant.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    pub(super) vigorish: Vigorish,
    /// The wager stands until it is decided, in this round or a later one, and may not be taken before.
    pub(super) stands: bool,
    /// The payment is all that the player gets.
    pub(super) stake_stays: bool,
    /// The text has a word of its own for a stake that goes back all the same.
    pub(super) names_stake: bool,
}

/// A difference between what was due and what happened.
pub(super) struct Mispay {
    pub(super) code: &'static str,
    pub(super) due: Cents,
    pub(super) paid: Cents,
    pub(super) exposure: Cents,
    /// What was due hangs on something that nobody saw: this is the least or the most that it could be.
    pub(super) is_bound: bool,
}

/// Compares a wager that hangs on what nobody saw with the least and the most that could be due on it.
pub(super) fn compare_range(
    wager: &WagerFold,
    range: Range,
    bonus: Cents,
    terms: Terms,
) -> Option<Mispay> {
    let against = |returned| compare(wager, Due::of_amount(wager, returned), terms);
    let is_whole = terms.vigorish == Vigorish::Deferred && wager.commission == Cents::ZERO;
    let later = range.vigorish.times(i64::from(is_whole));
    let over = range.most.and_then(|most| against(most + bonus + later));
    let over = over.filter(|mispay| mispay.exposure.is_positive());
    let under = || against(range.least).filter(|mispay| mispay.exposure.is_negative());
    let mispay = over.or_else(under)?;
    Some(Mispay {
        is_bound: true,
        ..mispay
    })
}

/// Compares one wager with its settlement.
///
/// `wager_paid` is what goes beyond the stake, and a vigorish named with it is taken out of it. A
/// payment that names none may already be net of it.
pub(super) fn compare(wager: &WagerFold, due: Due, terms: Terms) -> Option<Mispay> {
    let stake = wager.amount;
    let twice = if terms.stake_stays {
        told_twice(wager, due)
    } else {
        Cents::ZERO
    };
    let (paid, commission) = (wager.paid - wager.undue - twice, wager.commission);
    if due.result == Verdict::Open {
        return undecided(wager, due, terms);
    }
    let Some(stake_back) = stake_back(wager, due, terms, twice) else {
        return untouched(wager, due, terms);
    };
    let charged = match terms.vigorish {
        Vigorish::Beside | Vigorish::BesideBefore => Cents::ZERO,
        Vigorish::OutOfWin | Vigorish::Deferred => commission,
    };
    let returned = stake_back + paid - charged;
    // Where vigorish is collected later, a payment may be whole or net of it already.
    let defers = terms.vigorish == Vigorish::Deferred;
    let later = defers && commission == Cents::ZERO && returned != due.returned;
    let due_back = if later {
        due.returned + due.commission
    } else {
        due.returned
    };
    let difference = returned - due_back;
    let as_won = due.result == Verdict::Win && paid == due.win && stake_back == stake;
    // A push may cost vigorish.
    let as_pushed = due.result == Verdict::Push
        && due.commission.is_positive()
        && paid == Cents::ZERO
        && stake_back == stake;
    let as_lost = terms.vigorish == Vigorish::Beside
        && due.result == Verdict::Lose
        && difference == Cents::ZERO;
    if as_won || as_pushed || as_lost {
        return match later || terms.vigorish == Vigorish::BesideBefore {
            true => None,
            false => wrong_commission(due.commission, commission),
        };
    }
    // Vigorish that nobody told of may have been held back from the payment.
    let is_net = terms.vigorish == Vigorish::Beside && commission == Cents::ZERO;
    let held_back = if is_net { due.commission } else { Cents::ZERO };
    if difference == Cents::ZERO || due.result == Verdict::Win && difference == -held_back {
        return None;
    }
    Some(Mispay {
        code: code(wager, due, terms, (paid, difference)),
        due: due_back - stake,
        paid: returned - stake,
        exposure: difference,
        is_bound: false,
    })
}

/// What of the stake went back: what was pushed, or what was not collected. What nobody covered is not on
/// the layout any more. `None` where nobody touched the wager.
fn stake_back(wager: &WagerFold, due: Due, terms: Terms, twice: Cents) -> Option<Cents> {
    let stake = wager.amount;
    let paid = wager.paid - wager.undue - twice;
    let on_layout = stake - wager.uncovered;
    let back = match (wager.pushed, wager.collected) {
        _ if terms.stake_stays && due.result != Verdict::Void => {
            boxed_stake_back(wager, due, twice)
        }
        (Some(Some(part)), _) => part.max(stake.min(part + wager.uncovered)),
        (Some(None), None) => stake,
        (Some(None), Some(_)) if terms.stake_stays => stake,
        // All that was to be collected, also where chips were taken down that had to stay.
        (None, Some(None)) if due.result == Verdict::Lose => due.returned.min(wager.uncovered),
        (Some(None), Some(part)) | (None, Some(part)) => stake - part.unwrap_or(on_layout),
        // A bonus on a wager that lost, and no word of its stake: who pays no more than the bonus has taken it.
        (None, None) if due.result == Verdict::Lose && paid.is_positive() && paid <= due.win => {
            Cents::ZERO
        }
        (None, None) if paid.is_positive() => stake,
        (None, None) => return None,
    };
    Some(back)
}

/// What it is called that so much more or less was paid than was due.
fn code(
    wager: &WagerFold,
    due: Due,
    terms: Terms,
    (paid, difference): (Cents, Cents),
) -> &'static str {
    let lost = due.result == Verdict::Lose && due.win == Cents::ZERO;
    let is_stake = wager.pushed.is_some() && difference == wager.amount;
    match (difference.is_positive(), lost, paid.is_positive()) {
        (true, _, true) if terms.names_stake && is_stake => "progressive.stake_returned",
        (true, false, true) if due.result == Verdict::Lose && paid == due.win => "pay.uncollected",
        (true, true, true) => "pay.undue",
        (true, true, false) => "pay.uncollected",
        (true, false, _) => "pay.over",
        (false, _, false) if due.win.is_positive() => "pay.unpaid",
        (false, _, _) => "pay.under",
    }
}

fn wrong_commission(owed: Cents, taken: Cents) -> Option<Mispay> {
    (owed != taken).then_some(Mispay {
        code: "commission.wrong",
        due: owed,
        paid: taken,
        exposure: owed - taken,
        is_bound: false,
    })
}

/// A commission on a wager that owes none, although the sum is right.
pub(super) fn not_due(wager: &WagerFold, due: Due, terms: Terms) -> Option<Mispay> {
    let is_free = due.commission == Cents::ZERO && due.result != Verdict::Open;
    let is_taken = wager.commission.is_positive() && terms.vigorish == Vigorish::OutOfWin;
    (is_free && is_taken).then_some(Mispay {
        code: "commission.wrong",
        due: Cents::ZERO,
        paid: wager.commission,
        exposure: Cents::ZERO,
        is_bound: false,
    })
}

/// A wager that nothing has decided yet.
fn undecided(wager: &WagerFold, due: Due, terms: Terms) -> Option<Mispay> {
    let paid = wager.paid - wager.undue;
    let before_its_time = |code, exposure| {
        Some(Mispay {
            code,
            due: Cents::ZERO,
            paid: exposure,
            exposure,
            is_bound: false,
        })
    };
    match wager.collected {
        _ if paid.is_positive() => before_its_time("pay.undue", paid),
        Some(part) if terms.stands => before_its_time("pay.under", -part.unwrap_or(wager.stake())),
        None if terms.vigorish == Vigorish::Beside => {
            wrong_commission(due.commission, wager.commission)
        }
        _ => None,
    }
}

/// What goes back of a stake that lies in the house's box since it was made: nothing, unless it was
/// handed back. A prize may be told whole or less the stake that it is for; what was taken of it again,
/// unless it is the stake, was paid by mistake.
fn boxed_stake_back(wager: &WagerFold, due: Due, twice: Cents) -> Cents {
    let stake = wager.amount;
    let taken = wager.collected.flatten();
    let put_right = taken.filter(|&part| wager.paid.is_positive() && part != stake);
    // Who takes more than the chip takes what is the player's.
    let beyond = taken.filter(|part| !wager.paid.is_positive() && *part > stake);
    let beyond = beyond.map_or(Cents::ZERO, |part| part - stake);
    let paid = wager.paid - twice - put_right.unwrap_or_default();
    let is_whole = paid == due.returned || wager.from_meter > twice;
    let was_collected = wager.collected.is_some() && put_right.is_none();
    let back = match wager.pushed {
        Some(part) => part.unwrap_or(stake),
        None if paid.is_positive() && paid == due.win => stake,
        None if paid.is_positive() && !is_whole && !was_collected => stake,
        None => Cents::ZERO,
    };
    back - put_right.unwrap_or_default() - beyond
}

/// What the meter and the dealer both told of the same prize: all that is due came by `wager_paid`, and with it
/// what came off the meter.
fn told_twice(wager: &WagerFold, due: Due) -> Cents {
    let by_dealer = wager.paid - wager.from_meter;
    let is_all = by_dealer.is_positive() && (by_dealer == due.win || by_dealer == due.returned);
    match is_all && wager.from_meter <= due.returned {
        true => wager.from_meter,
        false => Cents::ZERO,
    }
}

/// A wager that was neither paid nor collected nor pushed: fine only if its stake stays, less the
/// vigorish that a push may cost.
fn untouched(wager: &WagerFold, due: Due, terms: Terms) -> Option<Mispay> {
    let stake = wager.amount;
    let charged = match terms.vigorish {
        _ if due.result != Verdict::Push => Cents::ZERO,
        Vigorish::OutOfWin => wager.commission,
        Vigorish::Deferred if wager.commission == Cents::ZERO => due.commission,
        Vigorish::Deferred => wager.commission,
        Vigorish::Beside | Vigorish::BesideBefore => Cents::ZERO,
    };
    if due.result == Verdict::Push && due.commission.is_positive() {
        return wrong_commission(due.commission, charged);
    }
    let exposure = stake - charged - due.returned;
    let code = match due.result {
        _ if exposure == Cents::ZERO => return None,
        _ if exposure.is_negative() => "pay.unpaid",
        _ => "pay.uncollected",
    };
    Some(Mispay {
        code,
        due: due.returned - stake,
        paid: Cents::ZERO,
        exposure,
        is_bound: false,
    })
}
