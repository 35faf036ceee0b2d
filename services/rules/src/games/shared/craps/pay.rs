//! What a decided bet gives back, and its vigorish.

use super::bet::Bet;
use super::decide::Price;
use super::document::Options;
use super::kinds::Kind;
use super::rules::{LayVigBase, Rules};
use crate::floor::{Cents, Rounding};
use crate::settlement::{Settled, Verdict};

/// How a bet ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Won(Price),
    Lost,
    /// The stake goes back by the outcome of a throw.
    HandedBack(Verdict),
    TakenDown,
    /// Still up at the end of the document.
    Open,
}

pub(super) fn settle(rules: &Rules, options: &Options, bet: &Bet<'_>, ending: Ending) -> Settled {
    let (amount, stake) = (bet.wager.amount, bet.stake);
    let handed_back = amount - stake;
    let vigorish = vigorish(rules, options, bet, ending);
    let (result, win, returned) = match ending {
        Ending::Won(price) => {
            let back = back(stake, price);
            let deducted = match vigorish.collected {
                Collected::OnWin => vigorish.amount,
                Collected::WhenMade => Cents::ZERO,
            };
            (Verdict::Win, back - stake, handed_back + back - deducted)
        }
        Ending::Lost => (Verdict::Lose, Cents::ZERO, handed_back),
        Ending::HandedBack(verdict) => (verdict, Cents::ZERO, amount),
        Ending::TakenDown => (Verdict::Void, Cents::ZERO, amount),
        Ending::Open => (Verdict::Open, Cents::ZERO, handed_back),
    };
    Settled {
        id: bet.wager.id.clone(),
        result,
        win,
        commission: vigorish.amount,
        returned,
        hangs_on: Vec::new(),
        range: None,
    }
}

/// The winning parts with their winnings. Less than the listed odds may not be paid, so a fraction
/// of a cent goes up; of a composite bet, only the sum does. s.4(b)-(d)
fn back(stake: Cents, price: Price) -> Cents {
    let (win, per) = (i64::from(price.odds.win()), i64::from(price.odds.stake()));
    stake.fraction(price.parts * (win + per), price.of * per, Rounding::UP)
}

struct Vigorish {
    amount: Cents,
    collected: Collected,
}

enum Collected {
    /// Beside the stake, so that nothing is deducted from what goes back.
    WhenMade,
    OnWin,
}

/// Only buy and lay bets are charged. s.5
fn vigorish(rules: &Rules, options: &Options, bet: &Bet<'_>, ending: Ending) -> Vigorish {
    let (points, on_win) = match bet.kind() {
        Kind::Buy => (options.buy_vig_bp, options.buy_vig_on_win),
        Kind::Lay => (options.lay_vig_bp, options.lay_vig_on_win),
        _ => {
            return Vigorish {
                amount: Cents::ZERO,
                collected: Collected::WhenMade,
            };
        }
    };
    if bet
        .pick
        .number()
        .is_some_and(|number| on_win.contains(number))
    {
        let won = matches!(ending, Ending::Won(_));
        let amount = if won {
            charge(rules, options, bet, points, bet.stake)
        } else {
            Cents::ZERO
        };
        return Vigorish {
            amount,
            collected: Collected::OnWin,
        };
    }
    let charged_on = match options.refund_vig_on_removal {
        true => bet.stake,
        false => bet.wager.amount,
    };
    let charged = |stake: Cents| charge(rules, options, bet, points, stake);
    // A carried bet was charged when it was made: what is left to give is a refund.
    let before = match bet.wager.is_carried() {
        true => charged(bet.wager.amount),
        false => Cents::ZERO,
    };
    Vigorish {
        amount: charged(charged_on) - before,
        collected: Collected::WhenMade,
    }
}

/// So many hundredths of a percent of the base, rounded to the chip unit but never beyond the cap.
fn charge(rules: &Rules, options: &Options, bet: &Bet<'_>, points: i64, stake: Cents) -> Cents {
    let (base, per) = match (bet.kind(), rules.lay_vig_base, bet.pick.number()) {
        (Kind::Lay, LayVigBase::Payoff, Some(number)) => {
            let odds = rules.true_odds(Kind::Lay, number);
            (i64::from(odds.win()), i64::from(odds.stake()))
        }
        _ => (1, 1),
    };
    let share = |points: i64, rounding| stake.fraction(base * points, per * 10_000, rounding);
    // A posted figure above the cap is a violation and gives the cap.
    let posted = points.clamp(0, rules.vig_cap_bp);
    let unit = options.vig_unit;
    let most = share(rules.vig_cap_bp, Rounding::Down(unit));
    share(posted, options.vig_rounding.to(unit)).min(most)
}
