//! Texas Hold'em Bonus Poker, with the bonus on the hole cards and the Multi-Link progressive.

mod bonus;
mod checks;
mod reach;
mod settle;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use self::bonus::BonusRow;
use crate::Game;
use crate::book::{BookError, EditionBook, Layout};
use crate::floor::{Cents, Odds, WagerId};
use crate::games::shared::equipment::{Dealing, Shuffler};
use crate::games::shared::holdem;
use crate::games::shared::layout::placed_wager;
use crate::games::shared::ohio_progressives::MultiLink;
use crate::hands::five::Category;
use crate::refusal::Refusal;
use crate::round::{Round, wager};
use crate::settlement::Outcome;
use crate::unseen::Reach;

#[derive(Debug)]
pub struct TexasHoldemBonus;

impl Game for TexasHoldemBonus {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");
    /// A wager outside the positions is flagged and settled, not refused.
    const LOWEST_SEAT: u16 = 0;

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = holdem::Play<Decision>;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            main: book.table("main")?,
            bonus: book.minimum_table("thb_bonus")?,
            both_aces: book.minimum_table("thb_both_aces")?,
            multi_link: MultiLink::read(book)?,
            positions: book.figure("positions")?,
            street_antes: book.figure("street_antes")?,
            bonus_minimum: book.figure("bonus_minimum")?,
            payout_limit: book.figure("payout_limit")?,
            minimum_bettor_antes: book.figure("minimum_bettor_antes")?,
            layout: book.layout()?.clone(),
        })
    }

    fn decided_by(round: &Round<TexasHoldemBonus>, wager: &Wager) -> Reach {
        reach::decided_by(round, wager)
    }

    fn settle(rules: &Rules, round: &Round<TexasHoldemBonus>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file, typed.
#[derive(Debug)]
pub struct Rules {
    main: MainTable,
    /// Minimum odds.
    bonus: BTreeMap<BonusRow, Odds>,
    both_aces: BothAcesTable,
    multi_link: MultiLink,
    positions: u16,
    street_antes: StreetAntes,
    bonus_minimum: Cents,
    payout_limit: Cents,
    minimum_bettor_antes: i64,
    layout: Layout,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MainTable {
    ante: Odds,
    flop: Odds,
    turn: Odds,
    river: Odds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BothAcesTable {
    both_aces: Odds,
}

/// What the street wagers are, in antes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StreetAntes {
    flop: i64,
    turn: i64,
    river: i64,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    ante_qualifier: AnteQualifier,
    bonus_paytable: BTreeMap<BonusRow, Odds>,
    bonus_both_aces: Option<Odds>,
    min_bonus: Cents,
    min_ante: Cents,
    max_ante: Option<Cents>,
    max_bonus: Option<Cents>,
    dealing: Dealing,
    shuffler: Shuffler,
    decks_in_rotation: u8,
    progressive: bool,
    progressive_bet: Cents,
    progressive_reset: Cents,
}

/// The lowest winning hand on which the ante is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AnteQualifier {
    Straight,
    Flush,
}

impl AnteQualifier {
    fn category(self) -> Category {
        match self {
            AnteQualifier::Straight => Category::Straight,
            AnteQualifier::Flush => Category::Flush,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Ante,
    Flop,
    Turn,
    River,
    Bonus,
    Progressive,
    /// A kind that this game does not have; it is never offered.
    #[serde(other)]
    Unknown,
}

wager! {
    Wager: Kind {
        ?
        /// Flop, turn and river: the ante they belong to.
        pub on: Option<WagerId>,
        /// The guest, for the rule of one position a guest.
        pub patron: Option<String>,
    }
}
placed_wager!(Wager, Kind);

type PlayerHand = holdem::PlayerHand<Decision>;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    Play,
    Fold,
    /// The player left, and the house treats the wagers as lost. § 7.E
    Abandoned,
    /// None yet, or none that the rules know.
    #[default]
    #[serde(other)]
    Pending,
}
