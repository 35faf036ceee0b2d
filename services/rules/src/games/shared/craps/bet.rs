//! A wager on its way through the rolls, and which wagers describe nothing.

use super::document::{Change, Play, Wager};
use super::keys;
use super::kinds::{Kind, Pick};
use super::rules::Rules;
use super::totals::{Total, Totals};
use crate::floor::{Cents, Die};
use crate::refusal::Refusal;
use crate::settlement::Settled;

#[derive(Debug)]
pub(super) struct Bet<'a> {
    pub(super) wager: &'a Wager,
    pub(super) pick: Pick,
    /// The place in the document of the flat bet that an odds bet supports.
    pub(super) parent: Option<usize>,
    /// What is up now: the amount less what reductions handed back.
    pub(super) stake: Cents,
    /// The stake with which a don't bet got its number.
    pub(super) original: Cents,
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
    let read = |(index, wager): (usize, &'a Wager)| {
        read_one(rules, wagers, play, wager)
            .map_err(|(key, what)| Refusal::at(format!("wagers[{index}].{key}"), what))
    };
    wagers.iter().enumerate().map(read).collect()
}

fn read_one<'a>(
    rules: &Rules,
    wagers: &[Wager],
    play: &Play,
    wager: &'a Wager,
) -> Result<Bet<'a>, (String, String)> {
    keys::check(rules, wager, play)?;
    let is_point =
        |key: &str, number: i64| point(rules, number).map_err(|what| (key.to_owned(), what));
    let carried = wager.is_carried();
    let carried_point = match (wager.kind, wager.point) {
        (Kind::Come | Kind::DontCome, None) if carried => {
            let what = "a carried come bet needs its number";
            return Err(("point".to_owned(), what.to_owned()));
        }
        (_, number) => number.map(|number| is_point("point", number)).transpose()?,
    };
    let made = wager
        .made
        .iter()
        .flatten()
        .map(|&number| is_point("made", number));
    let pick = read_pick(wager).map_err(|(key, what)| (key.to_owned(), what))?;
    let on_number = pick.number().filter(|_| wager.kind == Kind::Put);
    Ok(Bet {
        wager,
        pick,
        parent: parent(wagers, wager),
        stake: wager.amount,
        original: wager.original.unwrap_or(wager.amount),
        status: Status::Waiting,
        number: carried_point.or(on_number),
        made: made.collect::<Result<Totals, _>>()?,
        rolled: carried,
    })
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

/// The wager of the document that an odds bet names, if it is of the kind that the odds support and of
/// the same player: nobody else may support it. s.6
fn parent(wagers: &[Wager], wager: &Wager) -> Option<usize> {
    let kind = wager.kind.supports()?;
    let on = wager.on.as_ref()?;
    wagers
        .iter()
        .position(|flat| flat.id == *on)
        .filter(|&index| wagers[index].kind == kind && wagers[index].seat == wager.seat)
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
