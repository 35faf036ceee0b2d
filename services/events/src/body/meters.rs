//! Meters, jackpots, rake and funds.

use catwalk_hands::floor::Cents;
use serde::{Deserialize, Serialize};

use crate::event::Person;

/// How a charge of the poker room is reckoned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RakeKind {
    Percent,
    Increment,
    Time,
}

/// Where rake goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RakePlace {
    DropBox,
    Tray,
}

/// Where the chips or the cash of a jackpot come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaidFrom {
    Tray,
    Cage,
    Safekeeping,
}

/// Rake is taken from a pot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RakeTaken {
    /// How much.
    pub amount: Cents,
    /// How it is reckoned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<RakeKind>,
    /// Where it goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<RakePlace>,
}

/// A jackpot contribution is taken from a pot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JackpotDropTaken {
    /// How much.
    pub amount: Cents,
    /// The fund that it goes to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fund: Option<String>,
    /// The box that it lies in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#box: Option<String>,
}

/// A progressive meter is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeterRead {
    /// The meter.
    pub meter: String,
    /// What it shows.
    pub amount: Cents,
    /// The share of a stake that feeds it, such as 70%.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<String>,
    /// Why it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// The link of tables whose wagers feed it, where several share it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// A progressive meter is set by hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeterAdjusted {
    /// The meter.
    pub meter: String,
    /// What it showed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Cents>,
    /// What it shows now.
    pub amount: Cents,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who set it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// Who watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
}

/// A meter pays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JackpotPaid {
    /// The meter.
    pub meter: String,
    /// The wager's id within its round.
    pub wager: String,
    /// How much.
    pub amount: Cents,
    /// Who verified it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// Who verified it with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
    /// The patron.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// Number of the payout slip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slip: Option<String>,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paid_from: Option<PaidFrom>,
}

/// A fund, such as that of a bad beat, is counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FundCounted {
    /// The fund.
    pub fund: String,
    /// What it holds.
    pub amount: Cents,
    /// Who counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// Who counted with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
}
