//! The entries of a data file.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::cite::Cite;
use super::layout::MAIN_WINDOW;
use super::minimum::{LeastLimit, Minimum};
use super::options::Allowed;
use crate::Edition;
use crate::floor::{Cents, Odds, Severity};

/// The editions that an entry belongs to. Left out of the file, it belongs to all of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Editions(Option<Vec<Edition>>);

impl Editions {
    pub fn holds(&self, edition: Edition) -> bool {
        self.0
            .as_ref()
            .is_none_or(|editions| editions.contains(&edition))
    }

    /// The editions that are named; none if it belongs to all.
    pub fn listed(&self) -> impl Iterator<Item = Edition> {
        self.0.iter().flatten().copied()
    }
}

/// An edition that the game has.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EditionEntry {
    pub edition: Edition,
    /// Which text it is, and how its sections are cited.
    pub text: String,
}

/// A choice that the rules leave to the licensee.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionEntry {
    pub key: String,
    #[serde(default)]
    pub editions: Editions,
    /// What can be read; anything else makes the document malformed.
    pub value: Allowed,
    /// May the value be `null`?
    #[serde(default)]
    pub nullable: bool,
    /// What the text allows where that is narrower than what can be read.
    pub lawful: Option<String>,
    /// Of an option that limits payouts: the least limit that the text allows. Less counts as this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<LeastLimit>,
    /// The finding that a readable but unlawful value raises.
    pub flag: Option<String>,
    /// The finding that tables of one house raise which differ in it.
    pub uniform: Option<String>,
    /// Which tables of a house are held against each other for it; all where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uniform_among: Option<Among>,
    /// Left out where the default is to have none.
    pub default: Option<Value>,
    pub meaning: String,
    pub cite: Cite,
}

/// Tables of a house that are held against each other.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Among {
    /// Options that they have alike.
    #[serde(default)]
    pub same: Vec<String>,
    /// Names that they have in lists among their options, by the option.
    #[serde(default)]
    pub listing: BTreeMap<String, String>,
}

/// A wager that the game knows.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WagerEntry {
    pub kind: String,
    /// The editions that offer it.
    #[serde(default)]
    pub editions: Editions,
    /// When it wins, loses and pushes, in short.
    pub meaning: String,
    /// Tables (`dragon_bonus_a`) or rows (`main.banker`) that say what it pays.
    #[serde(default)]
    pub pays: Vec<String>,
    /// What decides instead where no table does.
    pub settled: Option<String>,
    /// The key of a document that says what it is on: `number`, `numbers`, `dice`. None where it leaves no choice.
    pub selects: Option<String>,
    /// The betting window that takes it, by the street that closes it; the main one where it is left out.
    pub window: Option<String>,
    /// The wager of the same hand that it goes with.
    pub on: Option<String>,
    /// What it is put up for where a word is enough: so many times the wager that it is on.
    pub times: Option<i64>,
    /// The house keeps the stake, whatever it pays.
    #[serde(default)]
    pub stake_stays: bool,
    /// A round that does not decide it leaves it where it is, for the next one.
    #[serde(default)]
    pub stays: bool,
    /// The meter that its prizes are shares of.
    pub meter: Option<String>,
    /// The option or figure that limits what is paid on it.
    pub limit: Option<String>,
    /// The limit that its winnings use up although they are not cut by it.
    pub counts_to: Option<String>,
    /// It is on the player's own cards: a round that is void against the house alone leaves it standing.
    #[serde(default)]
    pub own_cards: bool,
    /// It looks at the cards of the house, whoever else has folded.
    #[serde(default)]
    pub looks_at_house: bool,
    pub cite: Cite,
}

impl WagerEntry {
    /// The betting window that takes it.
    pub fn window(&self) -> &str {
        self.window.as_deref().unwrap_or(MAIN_WINDOW)
    }

    /// Is it laid out as this one, whatever it pays?
    pub(super) fn lies_as(&self, other: &WagerEntry) -> bool {
        let place = |of: &WagerEntry| {
            (
                of.window.clone(),
                of.on.clone(),
                of.times,
                (of.stake_stays, of.stays),
                of.meter.clone(),
                of.selects.clone(),
            )
        };
        place(self) == place(other)
    }
}

/// A pay table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    pub id: String,
    pub title: String,
    #[serde(default)]
    pub editions: Editions,
    /// Are its odds the least that may be paid?
    #[serde(default, skip_serializing_if = "Minimum::is_none")]
    pub minimum: Minimum,
    pub cite: Cite,
    pub rows: Vec<Row>,
}

/// A row of a pay table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub key: String,
    pub pays: Pay,
    /// In words, where the key does not say it all.
    pub when: Option<String>,
}

/// What a row of a pay table gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pay {
    /// `"30:1"`, or as filed `"31 for 1"`.
    Odds(Odds),
    /// `"push"`: the stake goes back.
    Push,
    /// `"lose"`: a row that the table names although it pays nothing.
    Lose,
    /// `"$50.00"`: an amount that does not depend on the stake.
    Fixed(Cents),
    /// `"100% of meter"`: a share of a progressive meter.
    Meter(u8),
}

impl Pay {
    pub(super) fn parse(text: &str) -> Result<Pay, String> {
        match text {
            "push" => return Ok(Pay::Push),
            "lose" => return Ok(Pay::Lose),
            _ => {}
        }
        if let Some(percent) = text.strip_suffix("% of meter") {
            let percent = percent
                .parse()
                .ok()
                .filter(|percent| (1..=100).contains(percent));
            return percent
                .map(Pay::Meter)
                .ok_or(format!("{text:?} is no share of a meter"));
        }
        if let Some(amount) = text.strip_prefix('$') {
            let cents =
                parse_dollars(amount).ok_or(format!("{text:?} is no amount: \"$50.00\""))?;
            return Ok(Pay::Fixed(cents));
        }
        Odds::parse_filed(text)
            .map(Pay::Odds)
            .map_err(|error| error.to_string())
    }
}

/// `1,234.50` or `1234.50` as cents; always with two decimals.
fn parse_dollars(text: &str) -> Option<Cents> {
    let (dollars, cents) = text.split_once('.')?;
    let dollars = dollars.replace(',', "");
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(&dollars) || cents.len() != 2 || !is_number(cents) {
        return None;
    }
    format!("{dollars}{cents}")
        .parse()
        .ok()
        .map(Cents::new)
        .filter(|&cents| cents <= Cents::LIMIT)
}

impl fmt::Display for Pay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pay::Odds(odds) => odds.fmt(f),
            Pay::Push => f.pad("push"),
            Pay::Lose => f.pad("lose"),
            Pay::Fixed(amount) => amount.fmt(f),
            Pay::Meter(percent) => f.pad(&format!("{percent}% of meter")),
        }
    }
}

impl Serialize for Pay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Pay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pay, D::Error> {
        let text = String::deserialize(deserializer)?;
        Pay::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// A figure of the rules that is no pay table: a percentage, a rounding unit, the order of a wheel.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    pub key: String,
    #[serde(default)]
    pub editions: Editions,
    pub value: Value,
    /// The text says "at least": a house may have more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub minimum: bool,
    /// The game is built on it: no house has another.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fixed: bool,
    pub meaning: String,
    pub cite: Cite,
}

/// A fault that can be found.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    pub code: String,
    #[serde(default)]
    pub editions: Editions,
    pub severity: Severity,
    pub shown_by: FindingSource,
    pub meaning: String,
    pub cite: Cite,
}

/// Where a fault shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingSource {
    /// In the round document: settlement returns it in `violations`.
    Document,
    /// Only in the stream of events.
    Events,
}

/// How a doubtful passage of the text is read.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    #[serde(default)]
    pub editions: Editions,
    pub reading: String,
    pub cite: Cite,
}
