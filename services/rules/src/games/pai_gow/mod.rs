//! Pai gow, with tiles.

mod delivery;
mod document;
mod settle;
#[cfg(test)]
mod tests;
mod tiles;

pub use self::tiles::{compare_sides, lay_the_house_way};

use serde::{Deserialize, Serialize};

use crate::Game;
use crate::book::{BookError, EditionBook};
use crate::floor::{Cents, Die, Odds, Seat, Tile};
use crate::games::shared::pai_gow::{
    BankCheck, DealerBankWagerRule, Irregular, Mode, VigRounding, Vigorish,
};
use crate::refusal::Refusal;
use crate::round::{Round, document, wager};
use crate::settlement::Outcome;
use crate::unseen::Reach;
use delivery::{Stacks, Style};

#[derive(Debug)]
pub struct PaiGow;

impl Game for PaiGow {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");
    const RETOLD: &'static [&'static str] = &["high", "low", "stacks"];
    /// Seat 0 is the house, which wagers against a bank.
    const LOWEST_SEAT: u16 = 0;

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            main: book.table("pai_gow_main")?,
            vigorish: Vigorish {
                percent: book.figure("vigorish_percent")?,
                unit: book.figure("vigorish_unit")?,
            },
            max_areas: book.figure("max_areas")?,
            irregular: Irregular::of(book)?,
        })
    }

    fn decided_by(round: &Round<PaiGow>, wager: &Wager) -> Reach {
        settle::decided_by(round, wager)
    }

    fn settle(rules: &Rules, round: &Round<PaiGow>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file, typed.
#[derive(Debug)]
pub struct Rules {
    main: MainTable,
    vigorish: Vigorish,
    max_areas: u64,
    irregular: Irregular<IrregularityKind>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MainTable {
    both_hands_higher: Odds,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    vig_rounding: VigRounding,
    house_way: HouseWay,
    banking: bool,
    co_banking: bool,
    delivery_styles: Vec<Style>,
    dealer_bank_wager_rule: DealerBankWagerRule,
    max_areas_per_player: u64,
    table_min: Option<Cents>,
    table_max: Option<Cents>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum HouseWay {
    /// 7(d) decides.
    Base,
    /// The licensee filed exceptions: the setting is taken as it is.
    Submission,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    PaiGow,
    DealerVsBank,
    Bank,
}

wager! {
    Wager: Kind, free: Wager::is_bank {}
}

impl Wager {
    fn is_bank(&self) -> bool {
        self.kind == Kind::Bank
    }
}

document! {
    Play {
        ?
        pub mode: Mode,
        pub bank_seat: Option<Seat>,
        pub bank_check: Option<BankCheck>,
        pub dealer: Option<DealerHand>,
        pub hands: Vec<Hand>,
        pub deal: Deal,
        pub irregularities: Vec<Irregularity>,
    }

    DealerHand {
        pub tiles: Vec<Tile>,
        ?
        pub high: Option<Vec<Tile>>,
        pub low: Option<Vec<Tile>>,
    }

    Hand {
        pub seat: Seat,
        pub tiles: Vec<Tile>,
        ?
        pub high: Option<Vec<Tile>>,
        pub low: Option<Vec<Tile>>,
        pub player: Option<String>,
        pub surrender: bool,
    }

    /// Positions: 0 the dealer, 1 to 6 the areas, 7 the dead hand.
    #[derive(Default)]
    Deal {
        ?
        pub dice: Option<[Die; 3]>,
        pub first: Option<u8>,
        pub style: Style,
        pub stacks: Option<Stacks>,
    }

    Irregularity {
        #[serde(rename = "type")]
        pub kind: IrregularityKind,
        ?
        pub seat: Option<Seat>,
        pub choice: Option<Choice>,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IrregularityKind {
    NoRoll,
    WrongStart,
    PlayerTileExposed,
    DealerTileExposed,
    BankTileExposed,
    DeadHandTileExposed,
    UnwageredTileExposed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    Void,
    Play,
}
