//! What a valid throw does to a bet.

use super::bet::Bet;
use super::kinds::{Kind, PayRow, Pick, is_horn};
use super::rules::{ComeOut, PostedOdds, Rules};
use super::totals::Total;
use crate::floor::{Die, Odds};
use crate::settlement::Verdict;

#[derive(Clone, Copy, Debug)]
pub(super) struct Throw {
    /// Of the document.
    pub(super) index: usize,
    pub(super) dice: [Die; 2],
    pub(super) total: Total,
    /// On before the throw; a throw without is a come-out roll, as are come-only rolls.
    pub(super) point: Option<Total>,
}

impl Throw {
    pub(super) fn is_come_out(&self) -> bool {
        self.point.is_none()
    }

    fn is_hard(&self) -> bool {
        self.dice[0] == self.dice[1]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Nothing,
    /// A line or come bet gets its number.
    Travels(Total),
    /// A fire bet counts a point made.
    Makes(Total),
    Wins(Price),
    Loses,
    /// The don't side on a barred total.
    Barred(Verdict),
}

/// What a winning bet pays: odds on `parts` of its `of` equal parts; the other parts are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Price {
    pub(super) odds: Odds,
    pub(super) parts: i64,
    pub(super) of: i64,
}

impl Price {
    pub(super) fn whole(odds: Odds) -> Price {
        Price {
            odds,
            parts: 1,
            of: 1,
        }
    }
}

/// What a throw does to a flat or one-roll bet. Odds go with their flat bet.
pub(super) fn effect(rules: &Rules, odds: PostedOdds<'_>, bet: &Bet<'_>, throw: &Throw) -> Effect {
    let pays = |row: PayRow| Effect::Wins(Price::whole(odds.of(row)));
    let (kind, number) = (bet.kind(), bet.pick.number());
    let can_be_off = throw.is_come_out() && rules.off_on_come_out.contains(&kind);
    let off = can_be_off && !bet.wager.working.on(throw.index);
    match kind {
        _ if off => Effect::Nothing,
        Kind::Pass => do_side(&rules.come_out, bet.number, throw.total, pays(PayRow::Pass)),
        Kind::Come | Kind::Put => {
            do_side(&rules.come_out, bet.number, throw.total, pays(PayRow::Come))
        }
        Kind::DontPass => {
            let won = pays(PayRow::DontPass);
            dont_side(&rules.come_out, bet.number, throw.total, won)
        }
        Kind::DontCome => {
            let won = pays(PayRow::DontCome);
            dont_side(&rules.come_out, bet.number, throw.total, won)
        }
        Kind::Place => on_number(number, throw.total, |number| pays(PayRow::Place(number))),
        Kind::Buy => on_number(number, throw.total, |number| {
            Effect::Wins(Price::whole(rules.true_odds(kind, number)))
        }),
        Kind::PlaceLose => against_number(number, throw.total, |number| {
            pays(PayRow::PlaceLose(number))
        }),
        Kind::Lay => against_number(number, throw.total, |number| {
            Effect::Wins(Price::whole(rules.true_odds(kind, number)))
        }),
        Kind::Hard => on_number(number, throw.total, |number| {
            if throw.is_hard() {
                pays(PayRow::Hard(number))
            } else {
                Effect::Loses
            }
        }),
        Kind::Fire => fire(odds, bet, throw),
        Kind::PassOdds
        | Kind::ComeOdds
        | Kind::PutOdds
        | Kind::DontPassOdds
        | Kind::DontComeOdds => Effect::Nothing,
        _ => match one_roll(kind, bet.pick, throw) {
            Some((row, parts, of)) => Effect::Wins(Price {
                odds: odds.of(row),
                parts,
                of,
            }),
            None => Effect::Loses,
        },
    }
}

fn do_side(come_out: &ComeOut, number: Option<Total>, total: Total, won: Effect) -> Effect {
    match number {
        Some(number) if total == number => won,
        Some(_) if total == Total::SEVEN => Effect::Loses,
        Some(_) => Effect::Nothing,
        None if come_out.naturals.contains(total) => won,
        None if come_out.craps.contains(total) => Effect::Loses,
        None => Effect::Travels(total),
    }
}

fn dont_side(come_out: &ComeOut, number: Option<Total>, total: Total, won: Effect) -> Effect {
    match number {
        Some(number) if total == number => Effect::Loses,
        Some(_) if total == Total::SEVEN => won,
        Some(_) => Effect::Nothing,
        None if come_out.naturals.contains(total) => Effect::Loses,
        None if come_out.barred.contains(total) => Effect::Barred(come_out.barred_bet),
        None if come_out.craps.contains(total) => won,
        None => Effect::Travels(total),
    }
}

fn on_number(number: Option<Total>, total: Total, hit: impl Fn(Total) -> Effect) -> Effect {
    match number {
        Some(number) if number == total => hit(number),
        _ if total == Total::SEVEN => Effect::Loses,
        _ => Effect::Nothing,
    }
}

fn against_number(number: Option<Total>, total: Total, won: impl Fn(Total) -> Effect) -> Effect {
    match number {
        Some(number) if number == total => Effect::Loses,
        Some(number) if total == Total::SEVEN => won(number),
        _ => Effect::Nothing,
    }
}

/// Points count when they are made; the bet is settled on the loser 7 only. s.2(nn), 12(a)5
fn fire(odds: PostedOdds<'_>, bet: &Bet<'_>, throw: &Throw) -> Effect {
    match throw.point {
        Some(point) if throw.total == point => Effect::Makes(point),
        Some(_) if throw.total == Total::SEVEN => {
            let points = i64::from(bet.made.len());
            match Total::try_from(points) {
                Ok(count) if points >= 4 => {
                    Effect::Wins(Price::whole(odds.of(PayRow::Fire(count))))
                }
                _ => Effect::Loses,
            }
        }
        _ => Effect::Nothing,
    }
}

/// The row at which a one-roll bet wins, and the winning part of its stake: of a composite bet,
/// each number has an equal share. s.4(c),(d)
fn one_roll(kind: Kind, pick: Pick, throw: &Throw) -> Option<(PayRow, i64, i64)> {
    let total = throw.total;
    let row = |wins: bool, row: PayRow| wins.then_some((row, 1, 1));
    let horn = |parts, of| is_horn(total).then(|| (PayRow::one_total(total), parts, of));
    let seven = total == Total::SEVEN;
    let craps = is_horn(total) && total != Total::ELEVEN;
    match kind {
        Kind::Field => match total.get() {
            2 | 12 => row(true, PayRow::Field(total)),
            3 | 4 | 9..=11 => row(true, PayRow::FieldOther),
            _ => None,
        },
        Kind::AnySeven => row(seven, PayRow::AnySeven),
        Kind::AnyCraps => row(craps, PayRow::AnyCraps),
        Kind::CrapsTwo => row(total == Total::TWO, PayRow::Craps(total)),
        Kind::CrapsThree => row(total == Total::THREE, PayRow::Craps(total)),
        Kind::CrapsTwelve => row(total == Total::TWELVE, PayRow::Craps(total)),
        Kind::Eleven => row(total == Total::ELEVEN, PayRow::Eleven),
        Kind::CAndE if craps => Some((PayRow::AnyCraps, 1, 2)),
        Kind::CAndE => (total == Total::ELEVEN).then_some((PayRow::Eleven, 1, 2)),
        Kind::Horn => horn(1, 4),
        Kind::HornHigh if pick.number() == Some(total) => horn(2, 5),
        Kind::HornHigh => horn(1, 5),
        Kind::Whirl | Kind::World if seven => Some((PayRow::AnySeven, 1, 5)),
        Kind::Whirl | Kind::World => horn(1, 5),
        Kind::Hop => match pick {
            Pick::Dice([a, b]) if throw.dice == [a, b] || throw.dice == [b, a] => {
                row(true, PayRow::hop(throw.dice))
            }
            _ => None,
        },
        Kind::SixSevenEight => match total.get() {
            6 | 8 if throw.is_hard() => row(true, PayRow::SixSevenEightHard),
            6..=8 => row(true, PayRow::SixSevenEight),
            _ => None,
        },
        _ => None,
    }
}
