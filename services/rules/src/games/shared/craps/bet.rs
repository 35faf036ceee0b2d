//! A wager on its way through the rolls, and which wagers describe nothing.

use super::document::{Change, Play, Wager};
use super::kinds::{Kind, Pick};
use super::rules::{InAir, Rules};
use super::totals::{Total, Totals};
use crate::floor::{Cents, Die};
use crate::refusal::Refusal;
use crate::settlement::Settled;

/// Who may confirm a bet made while the dice are in the air.
const CONFIRMERS: [&str; 3] = ["dealer", "boxperson", "floorperson"];

#[derive(Debug)]
pub(super) struct Bet<'a> {
    pub(super) wager: &'a Wager,
    pub(super) pick: Pick,
    /// The place in the document of the flat bet that an odds bet supports.
    pub(super) parent: Option<usize>,
    /// What is up now: the amount less what reductions handed back.
    pub(super) stake: Cents,
    pub(super) status: Status,
    /// The number of a line, come or put bet once it has one.
    pub(super) number: Option<Total>,
    /// The different points made, for a fire bet.
    pub(super) made: Totals,
    /// A valid roll was thrown while a put bet was up.
    pub(super) rolled: bool,
}

#[derive(Debug)]
pub(super) enum Status {
    /// Not up yet.
    Waiting,
    Live,
    Over(Settled),
}

impl Bet<'_> {
    pub(super) fn kind(&self) -> Kind {
        self.wager.kind
    }

    pub(super) fn is_live(&self) -> bool {
        matches!(self.status, Status::Live)
    }

    /// Contract bets stay up as they are; the code of who takes one down or lowers it.
    pub(super) fn frozen(&self) -> Option<&'static str> {
        match self.kind() {
            Kind::Pass | Kind::Come if self.number.is_some() => Some("craps.contract_bet_removed"),
            Kind::Put if self.rolled => Some("craps.put_removed"),
            Kind::Fire => Some("craps.fire_changed"),
            _ => None,
        }
    }

    /// The changes made before a roll, oldest first.
    pub(super) fn changes_before(&self, roll: usize) -> impl Iterator<Item = &Change> {
        let before = move |change: &&Change| usize::try_from(change.before) == Ok(roll);
        self.wager.changes.iter().filter(before)
    }
}

/// Reads the wagers of a document, or refuses the first that describes nothing.
pub(super) fn read_all<'a>(
    rules: &Rules,
    wagers: &'a [Wager],
    play: &Play,
) -> Result<Vec<Bet<'a>>, Refusal> {
    let rolls = play.rolls.len() as i64;
    let read = |(index, wager): (usize, &'a Wager)| {
        let refuse = |key: &str, what: String| Refusal::at(format!("wagers[{index}].{key}"), what);
        if !(-1..=rolls).contains(&wager.placed) {
            let what = format!("{} is not from -1 to the {rolls} rolls", wager.placed);
            return Err(refuse("placed", what));
        }
        check_confirmers(rules, wager).map_err(|(key, what)| refuse(&key, what))?;
        check_changes(wager, rolls).map_err(|(key, what)| refuse(&key, what))?;
        let is_point = |number: i64| point(rules, number);
        let carried_point = match wager.kind {
            Kind::Come | Kind::DontCome => match wager.point {
                Some(number) => Some(is_point(number).map_err(|what| refuse("point", what))?),
                None if wager.is_carried() => {
                    return Err(refuse(
                        "point",
                        "a carried come bet needs its number".into(),
                    ));
                }
                None => None,
            },
            _ => None,
        };
        let made = match wager.kind {
            Kind::Fire if rules.fire.is_some() => {
                let made: Result<Totals, String> =
                    wager.made.iter().map(|&number| is_point(number)).collect();
                made.map_err(|what| refuse("made", what))?
            }
            _ => Totals::default(),
        };
        let pick = read_pick(wager).map_err(|(key, what)| refuse(key, what))?;
        let on_number = pick.number().filter(|_| wager.kind == Kind::Put);
        let carried = wager.is_carried();
        Ok(Bet {
            wager,
            pick,
            parent: parent(wagers, wager),
            stake: wager.amount,
            status: Status::Waiting,
            number: carried_point.filter(|_| carried).or(on_number),
            made: if carried { made } else { Totals::default() },
            rolled: carried,
        })
    };
    wagers.iter().enumerate().map(read).collect()
}

/// A total that can be the point.
pub(super) fn point(rules: &Rules, number: i64) -> Result<Total, String> {
    let total = Total::try_from(number).map_err(|error| error.to_string())?;
    if rules.come_out.points.contains(total) {
        Ok(total)
    } else {
        Err(format!("{total} is no point"))
    }
}

/// The wager of the document that an odds bet names, if it is of the kind that the odds support.
fn parent(wagers: &[Wager], wager: &Wager) -> Option<usize> {
    let kind = wager.kind.supports()?;
    let on = wager.on.as_ref()?;
    wagers
        .iter()
        .position(|flat| flat.id == *on)
        .filter(|&index| wagers[index].kind == kind)
}

fn read_pick(wager: &Wager) -> Result<Pick, (&'static str, String)> {
    if wager.kind == Kind::Hop {
        let face = |&face: &i64| Die::try_from(face).ok();
        let faces = wager
            .dice
            .iter()
            .flatten()
            .map(face)
            .collect::<Option<Vec<Die>>>();
        return match faces.as_deref() {
            Some(&[a, b]) => Ok(Pick::Dice([a, b])),
            _ => Err(("dice", "a hop needs two faces from 1 to 6".into())),
        };
    }
    if wager.kind.needs_number() {
        let number = wager
            .number
            .ok_or_else(|| ("number", "this kind needs its number".to_owned()))?;
        return Total::try_from(number)
            .map(Pick::Number)
            .map_err(|error| ("number", error.to_string()));
    }
    Ok(Pick::Nothing)
}

fn check_confirmers(rules: &Rules, wager: &Wager) -> Result<(), (String, String)> {
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
fn check_changes(wager: &Wager, rolls: i64) -> Result<(), (String, String)> {
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
