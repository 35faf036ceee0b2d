//! Roulette on single-zero and double-zero wheels, and on a double-zero wheel used as single-zero.

mod layout;
mod settle;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::book::{BookError, EditionBook};
use crate::floor::{Cents, Odds, Pocket, PocketSet};
use crate::refusal::Refusal;
use crate::round::{Round, document, wager};
use crate::settlement::Outcome;
use crate::{Game, PostedLimits};

use super::shared::form::Selections;

#[derive(Debug)]
pub struct Roulette;

impl Game for Roulette {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        let arcs = |key| -> Result<ColorArcs, BookError> {
            Ok(book.optional_figure(key)?.unwrap_or_default())
        };
        Ok(Rules {
            offered: book.kinds()?,
            odds: book.minimum_table("r1")?,
            red: book
                .figure::<Vec<Pocket>>("red_numbers")?
                .into_iter()
                .collect(),
            single: Wheel {
                order: book.figure("single_zero_wheel")?,
                arcs: arcs("single_zero_arcs")?,
            },
            double: Wheel {
                order: book.figure("double_zero_wheel")?,
                arcs: arcs("double_zero_arcs")?,
            },
            seven_numbers: book
                .optional_figure::<Vec<Pocket>>("seven_numbers")?
                .into_iter()
                .flatten()
                .collect(),
            excluded: book.optional_figure("excluded")?.unwrap_or_default(),
            coupons: book.figure("coupons")?,
            selects: Selections::read(book)?,
            least_turns: book.figure("least_turns")?,
        })
    }

    fn settle(rules: &Rules, round: &Round<Roulette>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file of one edition, typed.
#[derive(Debug)]
pub struct Rules {
    offered: Vec<Kind>,
    /// Minimum odds.
    odds: BTreeMap<PayRow, Odds>,
    red: PocketSet,
    single: Wheel,
    double: Wheel,
    seven_numbers: PocketSet,
    /// What the optional kinds on offer bar.
    excluded: BTreeMap<Kind, Vec<Kind>>,
    /// May a match play coupon go with chips where the table accepts it?
    coupons: bool,
    selects: Selections<Kind>,
    least_turns: u32,
}

#[derive(Debug)]
struct Wheel {
    /// Clockwise.
    order: Vec<Pocket>,
    arcs: ColorArcs,
}

/// The six numbers of each colour bet.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "BTreeMap<Color, Vec<Pocket>>")]
struct ColorArcs(BTreeMap<Color, PocketSet>);

impl From<BTreeMap<Color, Vec<Pocket>>> for ColorArcs {
    fn from(arcs: BTreeMap<Color, Vec<Pocket>>) -> ColorArcs {
        ColorArcs(
            arcs.into_iter()
                .map(|(color, arc)| (color, arc.into_iter().collect()))
                .collect(),
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Color {
    Purple,
    Green,
    Black,
    Blue,
    Gold,
    Red,
}

/// A row of the odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PayRow {
    Straight,
    Split,
    ThreeNumbers,
    FourNumbers,
    FirstFive,
    SixNumbers,
    SevenNumbers,
    EightNumbers,
    Column,
    Dozen,
    Red,
    Black,
    Odd,
    Even,
    Low,
    High,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    wheel: WheelUse,
    zero_rule: ZeroRule,
    optional_wagers: Vec<Kind>,
    pays: BTreeMap<PayRow, Odds>,
    match_play: bool,
    chip_unit: Cents,
    limits: PostedLimits<Kind>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WheelUse {
    Double,
    Single,
    /// A double-zero wheel with the 00 covered.
    DoubleAsSingle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ZeroRule {
    Lose,
    Half,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Straight,
    Split,
    ThreeNumbers,
    FourNumbers,
    FirstFive,
    SixNumbers,
    SixNumbersColor,
    SevenNumbersColor,
    EightNumbersColor,
    SevenNumbers,
    FiveAdjacent,
    Column,
    Dozen,
    Red,
    Black,
    Odd,
    Even,
    Low,
    High,
}

impl Kind {
    /// Kinds that a table offers only if its rules say so.
    fn is_optional(self) -> bool {
        matches!(
            self,
            Kind::FiveAdjacent
                | Kind::SixNumbersColor
                | Kind::SevenNumbersColor
                | Kind::EightNumbersColor
                | Kind::SevenNumbers
        )
    }

    fn pay_row(self) -> PayRow {
        match self {
            Kind::Straight | Kind::FiveAdjacent => PayRow::Straight,
            Kind::Split => PayRow::Split,
            Kind::ThreeNumbers => PayRow::ThreeNumbers,
            Kind::FourNumbers => PayRow::FourNumbers,
            Kind::FirstFive => PayRow::FirstFive,
            Kind::SixNumbers | Kind::SixNumbersColor => PayRow::SixNumbers,
            Kind::SevenNumbersColor | Kind::SevenNumbers => PayRow::SevenNumbers,
            Kind::EightNumbersColor => PayRow::EightNumbers,
            Kind::Column => PayRow::Column,
            Kind::Dozen => PayRow::Dozen,
            Kind::Red => PayRow::Red,
            Kind::Black => PayRow::Black,
            Kind::Odd => PayRow::Odd,
            Kind::Even => PayRow::Even,
            Kind::Low => PayRow::Low,
            Kind::High => PayRow::High,
        }
    }
}

wager! {
    /// A selection key of another kind is refused: it would be ignored.
    Wager: Kind {
        ?
        pub numbers: Option<Value>,
        pub color: Option<Value>,
        pub center: Option<Value>,
        pub column: Option<Value>,
        pub dozen: Option<Value>,
        pub late: bool,
        pub form: Option<Form>,
    }
}

/// What a wager is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    ValueChips,
    ColourChips,
    Plaque,
    /// A match play coupon; the wager's amount is its face value.
    Coupon,
    Cash,
}

document! {
    Play {
        /// Attempts in order; the first valid one is the last entry.
        pub spins: Vec<Spin>,
    }

    Spin {
        ?
        pub pocket: Option<Pocket>,
        pub no_spin: Option<NoSpin>,
        /// Turns of the ball.
        pub revolutions: Option<u32>,
        pub direction: Option<Direction>,
    }
}

/// Why a spin was called off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoSpin {
    SameDirection,
    ShortSpin,
    ForeignObject,
    DoubleZero,
    BallLeftWheel,
    Floater,
}

/// Of the ball, against the wheel's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Opposite,
    Same,
}
