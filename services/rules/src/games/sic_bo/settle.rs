//! The settlement of a round of sic bo.

use super::{Kind, Options, PayRow, Play, Rules, Shaker, SicBo, Wager};
use crate::book::Pay;
use crate::floor::{Cents, Die, Odds, Rounding};
use crate::games::shared::form::Form;
use crate::games::shared::minimum;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Settled, Violations};

/// The one reason of the text for calling a toss off. s.6(a)
const NOT_FLAT: &str = "not_flat";

pub(super) fn settle(rules: &Rules, round: &Round<SicBo>) -> Result<Outcome, Refusal> {
    let options = &round.options;
    let mut violations = Violations::default();
    let is_below = minimum::any_below(&options.pays, |row| Some(Pay::Odds(*rules.odds.get(&row)?)));
    violations.add_if(is_below, "config.odds_below_minimum");
    let result = result(rules, &round.play, &mut violations)?;

    let mut settled = Vec::with_capacity(round.wagers.len());
    for (index, wager) in round.wagers.iter().enumerate() {
        let place = |key: &str| format!("wagers[{index}].{key}");
        let bet = check_keys(rules, wager).and_then(|()| Bet::read(wager));
        let bet = bet.map_err(|(key, what)| Refusal::at(place(key), what))?;
        settled.push(match void_code(options, wager, bet) {
            Some(code) => {
                violations.add(code);
                Settled::void(wager)
            }
            None => {
                let limits = options.limits.of(wager.kind);
                limits.flag(wager.amount, &mut violations);
                settle_wager(rules, options, wager, bet, result)
            }
        });
    }
    Ok(Outcome::of_wagers(settled, violations))
}

/// How the tosses of a round ended.
#[derive(Clone, Copy, Debug)]
enum RoundResult {
    Dice([Die; 3]),
    /// The shaker failed. s.6(c)
    Void,
    /// No toss has counted yet.
    None,
}

fn result(rules: &Rules, play: &Play, violations: &mut Violations) -> Result<RoundResult, Refusal> {
    let is_manual = play.shaker.unwrap_or_default() == Shaker::Manual;
    let mut result = RoundResult::None;
    for (index, toss) in play.tosses.iter().enumerate() {
        let refuse = |key: &str, what: &str| {
            let place = format!("play.tosses[{index}]{key}");
            Err(Refusal::at(place, what))
        };
        if !matches!(result, RoundResult::None) {
            return refuse("", "the round ended with the toss before");
        }
        if toss.no_roll.as_deref() == Some("") {
            return refuse(".no_roll", "a no roll needs its reason");
        }
        let too_few = toss
            .shakes
            .is_some_and(|shakes| shakes < rules.least_shakes);
        violations.add_if(is_manual && too_few, "sicbo.too_few_shakes");
        if toss.shaker_failure {
            if is_manual {
                return refuse(".shaker_failure", "only an automated shaker can fail");
            }
            if toss.no_roll.is_some() || toss.dice.is_some() || toss.entered.is_some() {
                return refuse(".shaker_failure", "a shaker that failed has no toss");
            }
            result = RoundResult::Void;
        } else if let Some(reason) = &toss.no_roll {
            violations.add_if(reason != NOT_FLAT, "sicbo.no_roll_unfounded");
        } else if let Some(dice) = toss.dice {
            let mismatch = toss
                .entered
                .is_some_and(|entered| sorted(entered) != sorted(dice));
            violations.add_if(mismatch, "sicbo.entry_mismatch");
            result = RoundResult::Dice(dice);
        } else {
            return refuse("", "a toss that counts needs its dice");
        }
    }
    Ok(result)
}

fn sorted(mut dice: [Die; 3]) -> [Die; 3] {
    dice.sort_unstable();
    dice
}

/// A kind with its selection.
#[derive(Clone, Copy, Debug)]
enum Bet {
    ThreeOfAKind(Die),
    TwoOfAKind(Die),
    AnyThreeOfAKind,
    /// 3 to 18; no odds are filed for 3 and 18.
    Total(u8),
    Combination(Die, Die),
    Small,
    Big,
    OneOfAKind(Die),
}

/// What would be ignored: the selection of another kind, and what a spoken bet is not made of.
fn check_keys(rules: &Rules, wager: &Wager) -> Result<(), (&'static str, &'static str)> {
    let numbers = wager
        .numbers
        .as_ref()
        .is_some_and(|faces| !faces.is_empty());
    let said = [("number", wager.number.is_some()), ("numbers", numbers)];
    rules.selects.check(wager.kind, said)?;
    match wager.form {
        Some(Form::Cash) | None => Ok(()),
        Some(_) if wager.verbal => Err(("form", "a verbal bet is one of cash")),
        Some(_) => Ok(()),
    }
}

impl Bet {
    fn read(wager: &Wager) -> Result<Bet, (&'static str, &'static str)> {
        let face = || {
            let face = wager.number.and_then(|number| Die::try_from(number).ok());
            face.ok_or(("number", "this kind needs a face from 1 to 6"))
        };
        match wager.kind {
            Kind::ThreeOfAKind => face().map(Bet::ThreeOfAKind),
            Kind::TwoOfAKind => face().map(Bet::TwoOfAKind),
            Kind::OneOfAKind => face().map(Bet::OneOfAKind),
            Kind::AnyThreeOfAKind => Ok(Bet::AnyThreeOfAKind),
            Kind::Small => Ok(Bet::Small),
            Kind::Big => Ok(Bet::Big),
            Kind::Total => match wager.number.map(u8::try_from) {
                Some(Ok(total @ 3..=18)) => Ok(Bet::Total(total)),
                _ => Err(("number", "this kind needs a total from 3 to 18")),
            },
            Kind::Combination => {
                let die = |&number: &i64| Die::try_from(number).ok();
                let numbers = wager.numbers.iter().flatten().map(die);
                match numbers.collect::<Option<Vec<Die>>>().as_deref() {
                    Some(&[a, b]) => Ok(Bet::Combination(a, b)),
                    _ => Err(("numbers", "this kind needs two faces from 1 to 6")),
                }
            }
        }
    }

    /// The row at which the bet wins, if it does.
    fn won(self, dice: [Die; 3]) -> Option<PayRow> {
        let showing = |face: Die| dice.iter().filter(|&&die| die == face).count();
        let total: u8 = dice.iter().map(|die| die.face()).sum();
        let triple = dice[0] == dice[1] && dice[1] == dice[2];
        match self {
            Bet::ThreeOfAKind(face) => (showing(face) == 3).then_some(PayRow::ThreeOfAKind),
            Bet::TwoOfAKind(face) => (showing(face) >= 2).then_some(PayRow::TwoOfAKind),
            Bet::AnyThreeOfAKind => triple.then_some(PayRow::AnyThreeOfAKind),
            Bet::Total(number) => (total == number).then_some(PayRow::Total(number)),
            Bet::Combination(a, b) => {
                (showing(a) > 0 && showing(b) > 0).then_some(PayRow::Combination)
            }
            Bet::Small => (!triple && (4..=10).contains(&total)).then_some(PayRow::Small),
            Bet::Big => (!triple && (11..=17).contains(&total)).then_some(PayRow::Big),
            Bet::OneOfAKind(face) => match showing(face) {
                1 => Some(PayRow::OneOfAKind(1)),
                2 => Some(PayRow::OneOfAKind(2)),
                3 => Some(PayRow::OneOfAKind(3)),
                _ => None,
            },
        }
    }
}

/// The one code of a wager that is void whatever the dice show.
fn void_code(options: &Options, wager: &Wager, bet: Bet) -> Option<&'static str> {
    match bet {
        Bet::Total(3 | 18) => return Some("wager.not_permissible"),
        Bet::Combination(a, b) if a == b => return Some("wager.not_permissible"),
        _ => {}
    }
    if options.not_offered.contains(&wager.kind) {
        return Some("wager.not_offered");
    }
    if wager.late {
        return Some("wager.late");
    }
    match wager.form {
        _ if wager.verbal => Some("wager.verbal_cash"),
        Some(Form::Cash) => Some("wager.verbal_cash"),
        Some(Form::Coupon) => Some("wager.match_play_not_allowed"),
        Some(Form::ValueChips | Form::Plaque) | None => None,
    }
}

fn settle_wager(
    rules: &Rules,
    options: &Options,
    wager: &Wager,
    bet: Bet,
    result: RoundResult,
) -> Settled {
    let dice = match result {
        RoundResult::Dice(dice) => dice,
        RoundResult::Void => return Settled::void(wager),
        RoundResult::None => return Settled::open(wager),
    };
    match bet.won(dice) {
        Some(row) => {
            let win = odds(rules, options, row).win_on(wager.amount, Rounding::UP);
            Settled::win(wager, win, Cents::ZERO)
        }
        None => Settled::lose(wager),
    }
}

/// The posted odds, but never less than the minimum.
fn odds(rules: &Rules, options: &Options, row: PayRow) -> Odds {
    let filed = rules.odds.get(&row);
    let filed =
        *filed.expect("the data file has a row for every bet, which is checked when it is read");
    let posted = options.pays.get(&row).copied().unwrap_or(filed);
    minimum::at_least(posted, filed).due
}
