//! Pai gow poker in all its forms: the round document, the checks, the settings, the wagers that
//! every table has.
//!
//! A game fills a [`Table`] with its rules and its posted options; what only one game has (player
//! banks, insurance, Tiger 9) stays with that game.

mod checks;
mod document;
mod fortune;
mod house_way;
mod main_wager;
mod reach;
mod setting;
mod seven;
mod slips;
#[cfg(test)]
mod tests;

use serde::Deserialize;

use crate::Edition;
use crate::book::{BookError, EditionBook};
use crate::floor::Cents;
use crate::games::shared::pai_gow::Irregular;
use crate::hands::joker::LowStraight;
use crate::limits::Limits;

pub(crate) use checks::{Checked, check};
pub(crate) use document::{IrregularityKind, Kind, Method, Play, Wager, check_document};
pub(crate) use fortune::{
    FortuneProgressiveTable, FortuneTable, OhioPays, PersonalLimit, Sevens, best_paying, pay_envy,
    pay_odds, settle_fates, settle_ohio_side_wagers,
};
pub use house_way::lay_the_house_way;
pub(crate) use main_wager::{
    Reference, bank_setting, dealer_hand, dealt_hand, even_money, house_hand, settle_main_wagers,
};
pub(crate) use reach::Sight;
pub use seven::is_premium;
pub(crate) use seven::{Rows, RoyalMatch, Seven, full_minimum_table, full_table};
pub(crate) use slips::Slips;

/// What decides at one table: the edition's figures and the posted options, those outside their
/// bounds replaced by the nearest lawful value.
#[derive(Debug)]
pub(crate) struct Table<'a> {
    pub(crate) edition: Edition,
    pub(crate) codes: &'static Codes,
    pub(crate) figures: &'a Figures,
    pub(crate) irregular: &'a Irregular<IrregularityKind>,
    /// The wagers of the edition.
    pub(crate) offered: &'a [Kind],
    /// The side wagers that the table offers, where it says so.
    pub(crate) side_bets: Option<&'a [Kind]>,
    /// The one stake of a progressive wager.
    pub(crate) progressive_stake: Cents,
    pub(crate) max_areas: u64,
    pub(crate) limits: Limits,
    pub(crate) deal_method: Option<DealMethod>,
    pub(crate) start_method: Option<Method>,
    pub(crate) low_straight: LowStraight,
    pub(crate) house_way: HouseWay,
}

impl Table<'_> {
    pub(crate) fn offers(&self, kind: Kind) -> bool {
        self.offered.contains(&kind) && self.side_bets.is_none_or(|bets| bets.contains(&kind))
    }
}

/// The finding codes that bear the game's own name.
#[derive(Debug)]
pub(crate) struct Codes {
    pub(crate) fouled_hand: &'static str,
    pub(crate) house_way_error: &'static str,
    pub(crate) wrong_start: &'static str,
    pub(crate) start_method: &'static str,
}

/// Figures that every edition of every pai gow poker has.
#[derive(Debug)]
pub(crate) struct Figures {
    pub(crate) max_areas: u64,
    pub(crate) bonus_minimum: Cents,
    /// The bonus wager that earns an envy marker.
    pub(crate) envy_minimum: Cents,
}

impl Figures {
    pub(crate) fn of(book: &EditionBook<'_>) -> Result<Figures, BookError> {
        Ok(Figures {
            max_areas: book.figure("max_areas")?,
            bonus_minimum: book.figure("bonus_minimum")?,
            envy_minimum: book.figure("envy_minimum")?,
        })
    }
}

/// Where the dealer's setting comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HouseWay {
    /// The filed house way is not known here: the final setting is trusted unless it is fouled.
    AsSet,
    /// The house way of section 12 of the Ohio text.
    #[default]
    Standard,
}

/// How the cards leave the deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DealMethod {
    Shoe,
    Hand,
    AutoShoe,
}

/// The two texts differ in what they offer, never in how hands rank.
fn is_massachusetts(edition: Edition) -> bool {
    edition == Edition::Mgc2017
}
