//! Minibaccarat, with EZ Baccarat, Dragon Bonus, House Money and the Ohio tournament rules.

mod settle;
#[cfg(test)]
mod tests;

use serde::Deserialize;

use crate::book::{BookError, EditionBook};
use crate::floor::{Card, Cents, Odds, Rounding, Seat, WagerId};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::Outcome;
use crate::{Edition, Game, common_wager};

#[derive(Debug)]
pub struct Minibaccarat;

impl Game for Minibaccarat {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        let mgc = book.edition() == Edition::Mgc2017;
        let dragon = |id| book.has_table(id).then(|| book.table(id)).transpose();
        Ok(Rules {
            offered: book.kinds()?,
            main: book.table("main")?,
            ez: mgc.then(|| book.table("ez")).transpose()?,
            house_money: mgc.then(|| book.table("house_money")).transpose()?,
            dragon_a: dragon("dragon_bonus_a")?,
            dragon_b: dragon("dragon_bonus_b")?,
            dragon_c: dragon("dragon_bonus_c")?,
            decks_per_shoe: book.figure("decks_per_shoe")?,
            decks_per_batch: book.figure("decks_per_batch")?,
            vigorish_percent: book.figure("vigorish_percent")?,
            tie_charge_percent: if mgc {
                0
            } else {
                book.figure("tie_charge_percent")?
            },
            vigorish_unit: book.figure("vigorish_unit")?,
            dragon_bonus_minimum: if mgc {
                Cents::ZERO
            } else {
                book.figure("dragon_bonus_minimum")?
            },
        })
    }

    fn settle(rules: &Rules, round: &Round<Minibaccarat>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file of one edition, typed.
#[derive(Debug)]
pub struct Rules {
    offered: Vec<Kind>,
    main: MainTable,
    ez: Option<EzTable>,
    house_money: Option<HouseMoneyTable>,
    dragon_a: Option<DragonTable>,
    dragon_b: Option<DragonTable>,
    dragon_c: Option<DragonTable>,
    decks_per_shoe: [u16; 2],
    decks_per_batch: [u16; 2],
    vigorish_percent: i64,
    tie_charge_percent: i64,
    vigorish_unit: Cents,
    dragon_bonus_minimum: Cents,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MainTable {
    player: Odds,
    banker: Odds,
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
struct HouseMoneyTable {
    both_pairs: Odds,
    one_pair: Odds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DragonTable {
    by_9: Odds,
    by_8: Odds,
    by_7: Odds,
    by_6: Odds,
    by_5: Odds,
    by_4: Odds,
    natural: Odds,
    natural_tie: Push,
}

/// A row that gives the stake back.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Push {
    Push,
}

/// Both editions' options; the data file says which are of which.
#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    decks: u16,
    shuffler: bool,
    #[serde(default)]
    ez_baccarat: bool,
    tie_pays: Odds,
    #[serde(default)]
    vigorish_type: VigorishType,
    vigorish_rounding: VigorishRounding,
    dragon_bonus: DragonBonusTable,
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
#[serde(rename_all = "snake_case")]
enum VigorishRounding {
    Exact,
    Up,
}

impl VigorishRounding {
    fn in_units_of(self, unit: Cents) -> Rounding {
        match self {
            VigorishRounding::Exact => Rounding::DOWN,
            VigorishRounding::Up => Rounding::Up(unit),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum DragonBonusTable {
    #[serde(rename = "off")]
    Off,
    A,
    B,
    C,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Player,
    Banker,
    Tie,
    DragonBonusPlayer,
    DragonBonusBanker,
    #[serde(rename = "dragon_7")]
    Dragon7,
    #[serde(rename = "panda_8")]
    Panda8,
    HouseMoney,
    HouseMoneyPress,
    /// Another game's; known, never offered here.
    #[serde(rename = "fortune_7")]
    Fortune7,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wager {
    id: WagerId,
    seat: Seat,
    kind: Kind,
    amount: Cents,
    /// Press: the wager that the payout was added to.
    on: Option<WagerId>,
    /// Press: the House Money wager whose payout was added.
    from: Option<WagerId>,
    /// The guest, for the rule of one position a guest.
    patron: Option<String>,
}
common_wager!(Wager);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    #[serde(default)]
    player: Vec<Card>,
    #[serde(default)]
    banker: Vec<Card>,
    /// Ohio: was a third card wrongly dealt to the Player shown?
    error_card_disclosed: Option<bool>,
    void: Option<VoidReason>,
    #[serde(default)]
    simulated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum VoidReason {
    InsufficientCards,
}
