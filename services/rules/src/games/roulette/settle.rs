//! The settlement of a round of roulette.

use serde_json::json;

use super::layout;
use super::{
    Direction, Form, Kind, NoSpin, Options, Roulette, Rules, Spin, Wager, WheelUse, ZeroRule,
};
use crate::floor::{Cents, Odds, Pocket, PocketSet, Rounding};
use crate::games::shared::minimum;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Settled, Violations};

pub(super) fn settle(rules: &Rules, round: &Round<Roulette>) -> Result<Outcome, Refusal> {
    let options = &round.options;
    if options.zero_rule == ZeroRule::Half && options.wheel != WheelUse::Double {
        return Err(Refusal::at(
            "options.zero_rule",
            "\"half\" is a rule of the double-zero wheel only",
        ));
    }
    let mut violations = Violations::default();
    flag_options(rules, round, &mut violations)?;
    let pocket = decisive_pocket(rules, options, &round.play.spins, &mut violations)?;

    let mut standing = Vec::with_capacity(round.wagers.len());
    for (index, wager) in round.wagers.iter().enumerate() {
        let place = |key: &str| format!("wagers[{index}].{key}");
        let covered = layout::covered(rules, options.wheel, wager, place)?;
        standing.push(stands(rules, round, wager, covered));
    }
    hold_coupons(rules, round, &mut standing, &mut violations);
    let mut settled = Vec::with_capacity(round.wagers.len());
    for (wager, standing) in round.wagers.iter().zip(standing) {
        settled.push(match standing {
            Ok(covered) => {
                flag_stake(options, wager, &mut violations);
                settle_wager(rules, options, wager, covered, pocket)
            }
            Err(code) => {
                violations.add(code);
                Settled::void(wager)
            }
        });
    }
    Ok(Outcome::of_wagers(settled, violations))
}

fn flag_options(
    rules: &Rules,
    round: &Round<Roulette>,
    violations: &mut Violations,
) -> Result<(), Refusal> {
    let options = &round.options;
    for (row, posted) in &options.pays {
        let Some(filed) = rules.odds.get(row) else {
            let row = json!(row);
            let what = format!("{row} is no row of the odds in {}", round.edition);
            return Err(Refusal::at("options.pays", what));
        };
        let is_below = minimum::at_least(posted, filed).is_below;
        violations.add_if(is_below, "config.odds_below_minimum");
    }
    let cannot_be = |&kind: &Kind| {
        !rules.offered.contains(&kind)
            || kind == Kind::SevenNumbersColor && options.wheel != WheelUse::Single
            || kind == Kind::EightNumbersColor && options.wheel != WheelUse::Double
    };
    violations.add_if(
        options.optional_wagers.iter().any(cannot_be),
        "config.optional_wagers",
    );
    Ok(())
}

/// The pocket of the first valid spin; `None` while there is none.
fn decisive_pocket(
    rules: &Rules,
    options: &Options,
    spins: &[Spin],
    violations: &mut Violations,
) -> Result<Option<Pocket>, Refusal> {
    for (index, spin) in spins.iter().enumerate() {
        let refuse = |what: &str| Err(Refusal::at(format!("play.spins[{index}]"), what));
        if spin.pocket == Some(Pocket::DOUBLE_ZERO) && options.wheel == WheelUse::Single {
            return refuse("00 is no pocket of a single-zero wheel");
        }
        let out_of_order = spin
            .revolutions
            .is_some_and(|turns| turns < rules.least_turns)
            || spin.direction == Some(Direction::Same)
            || options.wheel == WheelUse::DoubleAsSingle
                && spin.pocket == Some(Pocket::DOUBLE_ZERO);
        match spin.no_spin {
            Some(reason) => violations.add_if(
                contradicts(rules, options.wheel, spin, reason),
                "roulette.no_spin_unfounded",
            ),
            None if out_of_order => violations.add("roulette.invalid_spin_accepted"),
            None if index + 1 < spins.len() => {
                return refuse("the first valid spin ends the round; nothing may follow it");
            }
            None => match spin.pocket {
                Some(pocket) => return Ok(Some(pocket)),
                None => return refuse("a valid spin needs its pocket"),
            },
        }
    }
    Ok(None)
}

/// Does the record of a spin contradict the reason for which it was called off?
fn contradicts(rules: &Rules, wheel: WheelUse, spin: &Spin, reason: NoSpin) -> bool {
    match reason {
        NoSpin::ShortSpin => spin
            .revolutions
            .is_some_and(|turns| turns >= rules.least_turns),
        NoSpin::SameDirection => spin.direction == Some(Direction::Opposite),
        NoSpin::DoubleZero => {
            wheel != WheelUse::DoubleAsSingle
                || spin
                    .pocket
                    .is_some_and(|pocket| pocket != Pocket::DOUBLE_ZERO)
        }
        NoSpin::ForeignObject | NoSpin::BallLeftWheel | NoSpin::Floater => false,
    }
}

/// The pockets of a bet that stands, or the one code of a bet that is void.
type Standing = Result<PocketSet, &'static str>;

fn stands(
    rules: &Rules,
    round: &Round<Roulette>,
    wager: &Wager,
    covered: Option<PocketSet>,
) -> Standing {
    let listed = &round.options.optional_wagers;
    let kind = wager.kind;
    let is_offered = rules.offered.contains(&kind);
    if kind.is_optional() && is_offered && !listed.contains(&kind) {
        return Err("wager.not_offered");
    }
    let Some(covered) = covered.filter(|_| is_offered) else {
        return Err("wager.not_permissible");
    };
    let bars = |listed: &Kind| {
        rules
            .excluded
            .get(listed)
            .is_some_and(|it| it.contains(&kind))
    };
    if listed.iter().any(bars) {
        return Err("roulette.excluded_bets_offered");
    }
    if wager.late {
        return Err("wager.late");
    }
    Ok(covered)
}

/// A match play coupon goes with chips of the same player in the same place, and those are to be of the
/// player's own colour. s.1(a),(b)
fn hold_coupons(
    rules: &Rules,
    round: &Round<Roulette>,
    standing: &mut [Standing],
    violations: &mut Violations,
) {
    let accepted = rules.coupons && round.options.match_play;
    for (index, wager) in round.wagers.iter().enumerate() {
        let place = (wager.seat, wager.kind, standing[index]);
        if wager.form != Some(Form::Coupon) || place.2.is_err() {
            continue;
        }
        let with = |is_such: fn(Option<Form>) -> bool| {
            let mut wagers = round.wagers.iter().zip(&*standing);
            wagers.any(|(it, &stands)| (it.seat, it.kind, stands) == place && is_such(it.form))
        };
        if !accepted || !with(|form| form != Some(Form::Coupon)) {
            standing[index] = Err("wager.match_play_not_allowed");
        } else if with(|form| form == Some(Form::ValueChips)) {
            violations.add("chips.match_play_with_value_chip");
        }
    }
}

fn flag_stake(options: &Options, wager: &Wager, violations: &mut Violations) {
    options.limits.of(wager.kind).flag(wager.amount, violations);
    let five_chips = options.chip_unit.times(5);
    let uneven = wager.kind == Kind::FiveAdjacent && !wager.amount.is_multiple_of(five_chips);
    violations.add_if(uneven, "wager.bad_units");
}

fn settle_wager(
    rules: &Rules,
    options: &Options,
    wager: &Wager,
    covered: PocketSet,
    pocket: Option<Pocket>,
) -> Settled {
    let Some(pocket) = pocket else {
        return Settled::open(wager);
    };
    if covered.contains(pocket) {
        let odds = odds(rules, options, wager.kind);
        let win = match wager.kind {
            Kind::FiveAdjacent => five_adjacent_win(wager.amount, odds),
            _ => odds.win_on(wager.amount, Rounding::UP),
        };
        return Settled::win(wager, win, Cents::ZERO);
    }
    let even_money = matches!(
        wager.kind,
        Kind::Red | Kind::Black | Kind::Odd | Kind::Even | Kind::Low | Kind::High
    );
    if pocket.is_zero() && even_money && options.zero_rule == ZeroRule::Half {
        return Settled::lose_part(wager, wager.amount.fraction(1, 2, Rounding::UP));
    }
    Settled::lose(wager)
}

/// The posted odds, but never less than the minimum.
fn odds(rules: &Rules, options: &Options, kind: Kind) -> Odds {
    let row = kind.pay_row();
    let filed = rules.odds.get(&row).copied().unwrap_or(Odds::EVEN);
    let posted = options.pays.get(&row).copied().unwrap_or(filed);
    minimum::at_least(posted, filed).due
}

/// A fifth of the stake wins as a straight bet, the other four fifths are lost: what goes back is
/// rounded up to the cent, and the win is that less the whole stake.
fn five_adjacent_win(stake: Cents, straight: Odds) -> Cents {
    let (win, per) = (i64::from(straight.win()), i64::from(straight.stake()));
    stake.fraction(win + per, 5 * per, Rounding::UP) - stake
}
