//! Commission free pai gow poker: no vigorish, but all main wagers push on a Tiger-9.

mod settle;
#[cfg(test)]
mod tests;

use serde::Deserialize;

use crate::Game;
use crate::book::{BookError, EditionBook, LeastLimit};
use crate::floor::{Cents, Odds};
use crate::games::shared::pai_gow::Irregular;
use crate::games::shared::pai_gow_poker::{
    DealMethod, Figures, FortuneProgressiveTable, FortuneTable, HouseWay, IrregularityKind, Kind,
    Method, Play, Sight, Wager,
};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::Outcome;
use crate::unseen::Reach;

#[derive(Debug)]
pub struct CommissionFreePaiGowPoker;

impl Game for CommissionFreePaiGowPoker {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");
    const RETOLD: &'static [&'static str] = &["high", "low"];
    /// A document may name the sister game's wager of the house, which is at seat 0.
    const LOWEST_SEAT: u16 = 0;

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            offered: book.kinds()?,
            main: book.table("main")?,
            tiger_9: book.table("tiger_9")?,
            figures: Figures::of(book)?,
            irregular: Irregular::of(book)?,
            fortune: FortuneTable::of(book, "fortune", "envy")?,
            fortune_progressive: FortuneProgressiveTable::of(book)?,
            progressive_wager: book.figure("progressive_wager")?,
            least_limit: book.least_limit("max_payout_fortune")?,
        })
    }

    fn decided_by(round: &Round<CommissionFreePaiGowPoker>, wager: &Wager) -> Reach {
        let sight = Sight {
            edition: round.edition,
            wagers: &round.wagers,
            play: &round.play,
            house_way: HouseWay::Standard,
            joins_bonuses: false,
            joins_sevens: false,
        };
        sight.decided_by(wager)
    }

    fn settle(rules: &Rules, round: &Round<CommissionFreePaiGowPoker>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file, typed.
#[derive(Debug)]
pub struct Rules {
    offered: Vec<Kind>,
    main: MainTable,
    tiger_9: TigerTable,
    figures: Figures,
    irregular: Irregular<IrregularityKind>,
    fortune: FortuneTable,
    fortune_progressive: FortuneProgressiveTable,
    progressive_wager: Cents,
    least_limit: LeastLimit,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MainTable {
    both_hands_higher: Odds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TigerTable {
    nine_high: Odds,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    max_payout_fortune: Option<Cents>,
    progressive_reset: Cents,
    max_areas_per_player: u64,
    side_bets: Option<Vec<Kind>>,
    deal_method: Option<DealMethod>,
    start_method: Option<Method>,
    table_min: Option<Cents>,
    table_max: Option<Cents>,
}
