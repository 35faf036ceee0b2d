//! The craps family: one engine for all games in which two dice are thrown for a point.
//!
//! A document is a run of rolls. Before each roll bets go up, change and come down ([`booking`]);
//! a valid throw decides some of them ([`decide`]), which are paid ([`pay`]), and moves the puck
//! ([`table`]); what breaks the rules without changing a settlement is flagged ([`flags`]). The
//! games differ in their data files, which [`Rules`] holds.

mod bet;
mod booking;
mod decide;
mod document;
mod flags;
mod keys;
mod kinds;
mod pay;
mod rules;
mod table;
#[cfg(test)]
pub(crate) mod testkit;
mod totals;

pub(crate) use document::Options;
pub use document::{Change, NoRoll, Play, Roll, Start, Wager, Working};
pub(crate) use rules::Rules;

use crate::refusal::Refusal;
use crate::settlement::{Outcome, Violations};

use document::OddsMultiple;
use rules::PostedOdds;
use table::Table;

/// Settles a round of a game of the family.
pub(crate) fn settle(
    rules: &Rules,
    options: &Options,
    wagers: &[Wager],
    play: &Play,
) -> Result<Outcome, Refusal> {
    check_options(rules, options)?;
    let start = &play.start;
    let point = start
        .point
        .map(|point| bet::point(rules, point))
        .transpose()
        .map_err(|what| Refusal::at("play.start.point", what))?;
    let mut violations = Violations::default();
    flags::options(rules, options, wagers, &mut violations);
    let table = Table {
        rules,
        options,
        odds: PostedOdds::new(rules, options),
        bets: bet::read_all(rules, wagers, play)?,
        point,
        comeouts: if start.fresh_shooter { 0 } else { 1 },
        violations,
    };
    table.play(play)
}

/// Rows that the game's tables have, and numbers that are points.
fn check_options(rules: &Rules, options: &Options) -> Result<(), Refusal> {
    let odds = PostedOdds::new(rules, options);
    if let Some(row) = options.pays.keys().find(|&&row| !odds.has(row)) {
        let what = "this text has no such row";
        return Err(Refusal::at(format!("options.pays.{row}"), what));
    }
    let points = rules.come_out.points;
    let posted_multiples = options.odds_multiple.as_ref().map(OddsMultiple::points);
    let posted_multiples = posted_multiples.unwrap_or_default();
    for (key, numbers) in [
        ("buy_vig_on_win", options.buy_vig_on_win),
        ("lay_vig_on_win", options.lay_vig_on_win),
        ("odds_multiple", posted_multiples),
    ] {
        if let Some(number) = numbers.iter().find(|&number| !points.contains(number)) {
            let what = format!("{number} is no point");
            return Err(Refusal::at(format!("options.{key}"), what));
        }
    }
    Ok(())
}
