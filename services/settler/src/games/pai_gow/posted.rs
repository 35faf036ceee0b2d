//! The most that a table pays on its bonus wagers, against what its signs let a player win.

use catwalk_rules::Edition;
use catwalk_rules::book::{Book, Pay};
use catwalk_rules::floor::{Cents, Rounding};

use crate::watch::Posting;

/// 16(d), 18(d); 14.G: a limit must cover what one player can win with the least that may be bet. What is too low
/// whatever the signs say is broken by the options alone.
pub(super) fn limit_floor(posting: &Posting<'_>) -> Option<(&'static str, String)> {
    let mut wagers = Book::of(&posting.rules.game)?.wagers().iter();
    wagers.find_map(|wager| {
        let limit = posting.rules.option(wager.limit.as_deref()?)?;
        let limit = Cents::new(limit.as_i64()?);
        let most = most_at_the_minimum(posting, &wager.kind)?;
        let message = format!("{most} can be won at the minimum, and {limit} is the limit");
        (limit < most).then_some(("config.payout_limit_too_low", message))
    })
}

/// What the highest row pays on the least wager, whichever of its pay tables the house has chosen.
fn most_at_the_minimum(posting: &Posting<'_>, kind: &str) -> Option<Cents> {
    let least = posting.least(kind)?;
    let edition = Edition::from_name(&posting.rules.edition)?;
    let book = posting.rules.game_in(posting.rulebook).ok()?.book();
    let mut wagers = book.wagers().iter();
    let wager = wagers.find(|wager| wager.kind == kind && wager.editions.holds(edition))?;
    let highest = wager.pays.iter().filter_map(|id| {
        let mut tables = book.tables().iter();
        let table = tables.find(|table| table.id == *id && table.editions.holds(edition))?;
        let wins = table.rows.iter().filter_map(|row| match row.pays {
            Pay::Odds(odds) => Some(odds.win_on(least, Rounding::DOWN)),
            _ => None,
        });
        wins.max()
    });
    highest.min()
}
