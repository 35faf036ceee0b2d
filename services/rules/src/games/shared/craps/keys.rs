//! Keys of a wager that say nothing about it: what would be ignored is refused, by its place.

use super::document::{Play, Wager, Working};
use super::kinds::Kind;
use super::rules::{InAir, Rules};
use crate::games::shared::form::check_use;

/// Who may confirm a bet made while the dice are in the air.
const CONFIRMERS: [&str; 3] = ["dealer", "boxperson", "floorperson"];

/// The key, and what is wrong with it.
type Fault = (String, String);

pub(super) fn check(rules: &Rules, wager: &Wager, play: &Play) -> Result<(), Fault> {
    let rolls = play.rolls.len() as i64;
    if !(-1..=rolls).contains(&wager.placed) {
        let what = format!("{} is not from -1 to the {rolls} rolls", wager.placed);
        return Err(("placed".to_owned(), what));
    }
    check_subject(wager, play)?;
    check_moment(wager)?;
    check_working(rules, wager, rolls)?;
    check_confirmers(rules, wager)?;
    check_changes(wager, rolls)
}

/// What a wager is about, where its kind has it.
fn check_subject(wager: &Wager, play: &Play) -> Result<(), Fault> {
    let (kind, carried) = (wager.kind, wager.is_carried());
    let is_any = |numbers: &Option<Vec<i64>>| numbers.as_ref().is_some_and(|it| !it.is_empty());
    let is_come = matches!(kind, Kind::Come | Kind::DontCome);
    // A don't pass bet gets its number with the point.
    let has_original = match kind {
        Kind::DontPass => carried && play.start.point.is_some(),
        kind => carried && kind == Kind::DontCome,
    };
    let keys = [
        (
            "number",
            wager.number.is_some(),
            kind.selects() == Some("number"),
        ),
        ("dice", is_any(&wager.dice), kind.selects() == Some("dice")),
        ("on", wager.on.is_some(), kind.supports().is_some()),
        ("point", wager.point.is_some(), carried && is_come),
        ("made", is_any(&wager.made), carried && kind == Kind::Fire),
        ("original", wager.original.is_some(), has_original),
    ];
    check_use(keys).map_err(|(key, what)| fault(key, what))?;
    match wager.original {
        Some(original) if original < wager.amount => {
            let what = format!(
                "{original} is less than what is left of it, {}",
                wager.amount
            );
            Err(("original".to_owned(), what))
        }
        _ => Ok(()),
    }
}

/// When a wager was made.
fn check_moment(wager: &Wager) -> Result<(), Fault> {
    let said = [("in_air", wager.in_air), ("late", wager.late)];
    match said.iter().find(|(_, said)| *said) {
        Some((key, _)) if wager.is_carried() => {
            Err(fault(key, "a carried wager was made before these rolls"))
        }
        _ if wager.in_air && wager.late => {
            Err(fault("late", "made in the air and after the dice rested"))
        }
        _ if !wager.in_air && !wager.confirmed_by.is_empty() => {
            let what = "only a wager made in the air is confirmed";
            Err(fault("confirmed_by", what))
        }
        _ => Ok(()),
    }
}

fn check_working(rules: &Rules, wager: &Wager, rolls: i64) -> Result<(), Fault> {
    if wager.working.is_said() && !rules.off_on_come_out.contains(&wager.kind) {
        return Err(fault("working", "this kind is always on"));
    }
    let up = wager.placed.max(0)..=rolls;
    let Working::On(on) = &wager.working else {
        return Ok(());
    };
    match on.iter().position(|roll| !up.contains(roll)) {
        Some(index) => {
            let what = format!("{} is not from {} to {rolls}", on[index], up.start());
            Err((format!("working[{index}]"), what))
        }
        None => Ok(()),
    }
}

fn check_confirmers(rules: &Rules, wager: &Wager) -> Result<(), Fault> {
    if matches!(rules.in_air, InAir::InTime) {
        return Ok(());
    }
    let stranger = |name: &String| !CONFIRMERS.contains(&name.as_str());
    match wager.confirmed_by.iter().position(stranger) {
        Some(index) => {
            let what = format!("write some of {}", CONFIRMERS.join(", "));
            Err((format!("confirmed_by[{index}]"), what))
        }
        None => Ok(()),
    }
}

/// Changes come in the order of the rolls, each lower than the one before.
fn check_changes(wager: &Wager, rolls: i64) -> Result<(), Fault> {
    let (mut earliest, mut stake) = (wager.placed.max(0), wager.amount);
    for (index, change) in wager.changes.iter().enumerate() {
        if !(earliest..=rolls).contains(&change.before) {
            let what = format!("{} is not from {earliest} to {rolls}", change.before);
            return Err((format!("changes[{index}].before"), what));
        }
        if change.to >= stake {
            let what = "a change lowers the stake; a raise is a wager of its own";
            return Err((format!("changes[{index}].to"), what.into()));
        }
        (earliest, stake) = (change.before, change.to);
    }
    Ok(())
}

fn fault(key: &str, what: &str) -> Fault {
    (key.to_owned(), what.to_owned())
}
