//! Sic bo: three dice in a shaker.

mod settle;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::book::{BookError, EditionBook};
use crate::floor::{Die, Odds};
use crate::refusal::Refusal;
use crate::round::{Round, document, wager};
use crate::settlement::Outcome;
use crate::{Game, PostedLimits};

use super::shared::form::{Form, Selections};

#[derive(Debug)]
pub struct SicBo;

impl Game for SicBo {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        let rules = Rules {
            odds: book.minimum_table("main")?,
            least_shakes: book.figure("least_shakes")?,
            selects: Selections::read(book)?,
        };
        if !PayRow::all().eq(rules.odds.keys().copied()) {
            return Err(book.error("table main: a row for each bet, and no others"));
        }
        Ok(rules)
    }

    fn settle(rules: &Rules, round: &Round<SicBo>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file of one edition, typed.
#[derive(Debug)]
pub struct Rules {
    /// Minimum odds of every row there is.
    odds: BTreeMap<PayRow, Odds>,
    least_shakes: u32,
    selects: Selections<Kind>,
}

/// A row of the odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
enum PayRow {
    ThreeOfAKind,
    TwoOfAKind,
    AnyThreeOfAKind,
    Combination,
    Small,
    Big,
    /// By the number of dice that show the face.
    OneOfAKind(u8),
    /// 4 to 17.
    Total(u8),
}

impl PayRow {
    /// In order.
    fn all() -> impl Iterator<Item = PayRow> {
        let named = [
            PayRow::ThreeOfAKind,
            PayRow::TwoOfAKind,
            PayRow::AnyThreeOfAKind,
            PayRow::Combination,
            PayRow::Small,
            PayRow::Big,
        ];
        let by_dice = (1..=3).map(PayRow::OneOfAKind);
        let by_total = (4..=17).map(PayRow::Total);
        named.into_iter().chain(by_dice).chain(by_total)
    }

    /// As in documents and data files.
    fn name(self) -> String {
        match self {
            PayRow::ThreeOfAKind => "three_of_a_kind".into(),
            PayRow::TwoOfAKind => "two_of_a_kind".into(),
            PayRow::AnyThreeOfAKind => "any_three_of_a_kind".into(),
            PayRow::Combination => "combination".into(),
            PayRow::Small => "small".into(),
            PayRow::Big => "big".into(),
            PayRow::OneOfAKind(dice) => format!("one_of_a_kind_{dice}"),
            PayRow::Total(total) => format!("total_{total}"),
        }
    }
}

impl FromStr for PayRow {
    type Err = String;

    fn from_str(text: &str) -> Result<PayRow, String> {
        PayRow::all()
            .find(|row| row.name() == text)
            .ok_or_else(|| format!("{text:?} is no row of the odds"))
    }
}

impl TryFrom<String> for PayRow {
    type Error = String;

    fn try_from(text: String) -> Result<PayRow, String> {
        text.parse()
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    pays: BTreeMap<PayRow, Odds>,
    not_offered: Vec<Kind>,
    limits: PostedLimits<Kind>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    ThreeOfAKind,
    TwoOfAKind,
    AnyThreeOfAKind,
    Total,
    Combination,
    Small,
    Big,
    OneOfAKind,
}

wager! {
    /// A selection key of another kind is refused: it would be ignored.
    Wager: Kind {
        ?
        pub number: Option<i64>,
        pub numbers: Option<Vec<i64>>,
        /// Made after no more bets.
        pub late: bool,
        /// Called with cash, which this game does not take.
        pub verbal: bool,
        pub form: Option<Form>,
    }
}

document! {
    Play {
        /// Attempts in order; the one that ends the round is the last.
        pub tosses: Vec<Toss>,
        ?
        pub shaker: Option<Shaker>,
        /// The electrical device failed after the dice were shown: the bets are settled by hand, and no
        /// differently. s.6(b)
        pub device_malfunction: bool,
    }

    #[derive(Default)]
    Toss {
        ?
        pub dice: Option<[Die; 3]>,
        /// Why the toss was called off, in the dealer's word.
        pub no_roll: Option<String>,
        pub shaker_failure: bool,
        /// The faces keyed into the electrical device.
        pub entered: Option<[Die; 3]>,
        pub shakes: Option<u32>,
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shaker {
    #[default]
    Manual,
    Automated,
}
