//! The settlement of a round of big six.

use super::{Between, BigSix, Kind, Options, Rules, Spin, Symbol, Text, Wager};
use crate::floor::{Cents, Odds, Rounding};
use crate::games::shared::minimum;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Settled, Violations};

pub(super) fn settle(rules: &Rules, round: &Round<BigSix>) -> Result<Outcome, Refusal> {
    let options = &round.options;
    let mut violations = Violations::default();
    flag_odds(rules, options, &mut violations)?;
    let result = result(rules, options, &round.play.spins, &mut violations)?;
    let settled = round
        .wagers
        .iter()
        .map(|wager| settle_wager(rules, options, wager, result, &mut violations))
        .collect();
    Ok(Outcome::of_wagers(settled, violations))
}

fn flag_odds(rules: &Rules, options: &Options, violations: &mut Violations) -> Result<(), Refusal> {
    for (kind, posted) in &options.pays {
        let Some(filed) = rules.odds.get(kind) else {
            let what = format!("{kind:?} is no wager of this text");
            return Err(Refusal::at("options.pays", what));
        };
        match rules.text {
            Text::Massachusetts { .. } => {
                let is_below = minimum::at_least(posted, filed).is_below;
                violations.add_if(is_below, "config.odds_below_minimum");
            }
            Text::Ohio { .. } => violations.add_if(
                posted != filed && !options.odds_approved,
                "payout.unapproved_odds",
            ),
        }
    }
    Ok(())
}

/// The section of the first valid spin; none while there is none.
fn result(
    rules: &Rules,
    options: &Options,
    spins: &[Spin],
    violations: &mut Violations,
) -> Result<Option<Symbol>, Refusal> {
    let mut result = None;
    for (index, spin) in spins.iter().enumerate() {
        let refuse = |key: &str, what: &str| {
            let place = format!("play.spins[{index}]{key}");
            Err(Refusal::at(place, what))
        };
        if result.is_some() {
            return refuse("", "the round ended with the spin before");
        }
        for (key, symbol) in [
            (".stop", spin.stop),
            (".passed", spin.passed),
            (".next", spin.next),
        ] {
            if symbol.is_some_and(|symbol| !rules.symbols.contains(&symbol)) {
                return refuse(key, "this text's wheel has no such section");
            }
        }
        if spin.stop.is_some() && spin.passed.is_some() {
            return refuse("", "a clapper stops on a section or between two, not both");
        }
        if spin.next.is_some() && spin.passed.is_none() {
            return refuse(".next", "it is said of a clapper that has passed a section");
        }
        if spin.no_spin.as_deref() == Some("") {
            return refuse(".no_spin", "a spin called off needs its reason");
        }
        flag_spin(rules, options, spin, violations);
        if spin.no_spin.is_some() || is_short(rules, spin) {
            continue;
        }
        result = match (spin.passed, spin.stop) {
            (Some(_), _) if options.between == Between::Respin => None,
            (None, None) => return refuse("", "a valid spin needs its section"),
            (passed, stop) => passed.or(stop),
        };
    }
    Ok(result)
}

/// Only one of the texts demands a number of turns. s.6(b)
fn is_short(rules: &Rules, spin: &Spin) -> bool {
    match rules.text {
        Text::Massachusetts { least_turns, .. } => {
            spin.revolutions.is_some_and(|turns| turns < least_turns)
        }
        Text::Ohio { .. } => false,
    }
}

/// Judges a spin, void ones too.
fn flag_spin(rules: &Rules, options: &Options, spin: &Spin, violations: &mut Violations) {
    let short = is_short(rules, spin);
    let called_off = spin.no_spin.is_some();
    violations.add_if(short && !called_off, "bigsix.short_spin_accepted");
    // A clapper that sticks gives a result, so there is nothing to call off but a short spin.
    violations.add_if(
        options.between == Between::Previous && spin.passed.is_some() && called_off && !short,
        "bigsix.between_wrong",
    );
    match &rules.text {
        Text::Massachusetts { order, .. } => {
            violations.add_if(
                spin.no_spin.as_deref() == Some("short_spin")
                    && spin.revolutions.is_some()
                    && !short,
                "bigsix.no_spin_unfounded",
            );
            let apart = matches!(
                (spin.passed, spin.next),
                (Some(passed), Some(next)) if !are_neighbours(order, passed, next)
            );
            violations.add_if(apart, "bigsix.not_neighbours");
        }
        Text::Ohio { least_walk_spins } => violations.add_if(
            spin.walk_spins
                .is_some_and(|walks| walks < *least_walk_spins),
            "bigsix.walk_spins_missing",
        ),
    }
}

/// Do the symbols lie side by side anywhere on the wheel, in either direction?
fn are_neighbours(order: &[Symbol], a: Symbol, b: Symbol) -> bool {
    let following = order.iter().cycle().skip(1);
    order
        .iter()
        .zip(following)
        .any(|(&left, &right)| (left, right) == (a, b) || (left, right) == (b, a))
}

fn settle_wager(
    rules: &Rules,
    options: &Options,
    wager: &Wager,
    result: Option<Symbol>,
    violations: &mut Violations,
) -> Settled {
    let Some(filed) = rules.odds.get(&wager.kind) else {
        violations.add("wager.not_permissible");
        return Settled::void(wager);
    };
    if wager.late {
        violations.add("wager.late");
        return Settled::void(wager);
    }
    options.limits.of(wager.kind).flag(wager.amount, violations);
    match result {
        None => Settled::open(wager),
        Some(symbol) if symbol == wager.kind.symbol() => {
            let odds = due(rules, options, wager.kind, *filed);
            let win = odds.win_on(wager.amount, Rounding::UP);
            Settled::win(wager, win, Cents::ZERO)
        }
        Some(_) => Settled::lose(wager),
    }
}

/// Posted odds count from the filed ones up, or where a text wants an approval with that.
fn due(rules: &Rules, options: &Options, kind: Kind, filed: Odds) -> Odds {
    let posted = options.pays.get(&kind).copied().unwrap_or(filed);
    match rules.text {
        Text::Massachusetts { .. } => minimum::at_least(posted, filed).due,
        Text::Ohio { .. } if options.odds_approved => posted,
        Text::Ohio { .. } => filed,
    }
}
