//! Baccarat that the house banks: baccarat, midibaccarat, minibaccarat and its commission-free
//! sister. One set of wagers, of which each table offers some; the data files say which, at what odds
//! and with what vigorish.

mod dragon_bonus;
mod press;
mod settle;
#[cfg(test)]
pub(crate) mod testkit;

use serde::{Deserialize, Serialize};

use super::shoe::LawfulDecks;
use super::vigorish::VigorishRounding;
use crate::book::{BookError, EditionBook};
use crate::floor::{Card, Cents, Odds, WagerId};
use crate::round::{document, wager};

pub(super) use dragon_bonus::DragonBonus;
use dragon_bonus::DragonTable;
pub(crate) use settle::{decided_by, settle};

/// What settlement needs of a data file. A table or figure that an edition does not have belongs to
/// wagers and charges that its game does not know.
#[derive(Debug)]
pub struct Rules {
    offered: Vec<Kind>,
    main: MainTable,
    /// The least that a tie may pay.
    tie: TieTable,
    ez: Option<EzTable>,
    fortune: Option<FortuneTable>,
    house_money: Option<HouseMoneyTable>,
    dragon_a: Option<DragonTable>,
    dragon_b: Option<DragonTable>,
    dragon_c: Option<DragonTable>,
    /// Odds that a tournament fixes.
    tournament: Option<TieTable>,
    /// Seats of the layout, from 1 on.
    positions: u16,
    decks_per_shoe: LawfulDecks,
    /// Of each batch, where an automated shuffler changes what is lawful.
    decks_per_batch: Option<LawfulDecks>,
    /// None in the commission-free game.
    vigorish: Option<Vigorish>,
    /// The least bonus wager, which then also needs a main wager at its seat.
    bonus_minimum: Option<Cents>,
}

impl Rules {
    pub(crate) fn read(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        let vigorish = match book.optional_figure("vigorish_percent")? {
            Some(percent) => Some(Vigorish {
                percent,
                tie_charge_percent: book.optional_figure("tie_charge_percent")?,
                unit: book.figure("vigorish_unit")?,
            }),
            None => None,
        };
        Ok(Rules {
            offered: book.kinds()?,
            main: book.table("main")?,
            tie: book.minimum_table("tie")?,
            ez: book.optional_table("ez")?,
            fortune: book.optional_table("fortune")?,
            house_money: book.optional_table("house_money")?,
            dragon_a: book.optional_table("dragon_bonus_a")?,
            dragon_b: book.optional_table("dragon_bonus_b")?,
            dragon_c: book.optional_table("dragon_bonus_c")?,
            tournament: book.optional_table("tournament")?,
            positions: book.figure("positions")?,
            decks_per_shoe: book.figure("decks_per_shoe")?,
            decks_per_batch: book.optional_figure("decks_per_batch")?,
            vigorish,
            bonus_minimum: book.optional_figure("bonus_minimum")?,
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MainTable {
    player: Odds,
    banker: Odds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TieTable {
    tie: Odds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EzTable {
    dragon_7: Odds,
    panda_8: Odds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FortuneTable {
    fortune_7: Odds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HouseMoneyTable {
    both_pairs: Odds,
    one_pair: Odds,
}

#[derive(Debug)]
struct Vigorish {
    /// Of a winning Banker wager's win.
    percent: i64,
    /// Of a tied Banker wager's stake, where a house may charge ties instead of wins.
    tie_charge_percent: Option<i64>,
    /// What it is rounded up to where the house rounds.
    unit: Cents,
}

/// The options of all editions; the data files say which are of which.
#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    decks: i64,
    #[serde(default)]
    shuffler: bool,
    #[serde(default)]
    ez_baccarat: bool,
    tie_pays: Odds,
    #[serde(default)]
    vigorish_type: VigorishType,
    #[serde(default)]
    vigorish_rounding: VigorishRounding,
    dragon_bonus: DragonBonusTable,
    #[serde(default)]
    fortune_7: bool,
    #[serde(default)]
    house_money: bool,
    #[serde(default)]
    house_money_press_percent: i64,
    #[serde(default)]
    tournament: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
enum VigorishType {
    #[default]
    #[serde(rename = "win_5pct")]
    OnWins,
    #[serde(rename = "tie_25pct")]
    OnTies,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum DragonBonusTable {
    #[serde(rename = "off")]
    Off,
    A,
    B,
    C,
}

/// The wagers of the family. Every game knows them all by name; what it does not offer is void.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Player,
    Banker,
    Tie,
    DragonBonusPlayer,
    DragonBonusBanker,
    #[serde(rename = "dragon_7")]
    Dragon7,
    #[serde(rename = "panda_8")]
    Panda8,
    #[serde(rename = "fortune_7")]
    Fortune7,
    HouseMoney,
    HouseMoneyPress,
}

/// What settlement asks of a wager beyond what every game's has.
pub(crate) trait Bet: crate::Wager {
    fn kind(&self) -> Kind;
    /// Press: the wager that the payout was added to.
    fn on(&self) -> Option<&WagerId>;
    /// Press: the House Money wager whose payout was added.
    fn from(&self) -> Option<&WagerId>;
}

wager! {
    Wager: Kind {
        ?
        pub on: Option<WagerId>,
        pub from: Option<WagerId>,
    }
}

/// Implements [`Bet`] for a struct with the fields `kind`, `on` and `from`.
macro_rules! bet {
    ($wager:ty) => {
        impl $crate::games::shared::baccarat::house::Bet for $wager {
            fn kind(&self) -> $crate::games::shared::baccarat::house::Kind {
                self.kind
            }
            fn on(&self) -> Option<&$crate::floor::WagerId> {
                self.on.as_ref()
            }
            fn from(&self) -> Option<&$crate::floor::WagerId> {
                self.from.as_ref()
            }
        }
    };
}
pub(crate) use bet;
bet!(Wager);

document! {
    Play {
        ?
        pub player: Vec<Card>,
        pub banker: Vec<Card>,
        /// Ohio: was a third card wrongly dealt to the Player shown?
        pub error_card_disclosed: Option<bool>,
        pub void: Option<VoidReason>,
        pub simulated: bool,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VoidReason {
    InsufficientCards,
}
