//! Chips, drop, meters, the cage, tournaments and reports.

use std::collections::BTreeMap;

use catwalk_hands::floor::Cents;
use serde::{Deserialize, Serialize};

use crate::event::Person;

/// What a patron buys in with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuyInForm {
    Cash,
    CounterCheck,
    Coupon,
}

/// A patron buys chips.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuyIn {
    /// The seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u32>,
    /// How much.
    pub amount: Cents,
    /// With what.
    pub form: BuyInForm,
}

/// Chips come to the table from the cage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fill {
    /// Number of the slip.
    pub slip: String,
    /// How much.
    pub amount: Cents,
    /// Chips by value in cents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denominations: Option<BTreeMap<String, u32>>,
}

/// Chips go from the table to the cage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credit {
    /// Number of the slip.
    pub slip: String,
    /// How much.
    pub amount: Cents,
    /// Chips by value in cents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denominations: Option<BTreeMap<String, u32>>,
}

/// A drop box is taken from the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DropBoxRemoved {
    /// The box.
    pub r#box: String,
}

/// A drop box is counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DropCounted {
    /// The box.
    pub r#box: String,
    /// Cash.
    pub cash: Cents,
    /// Counter checks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter_checks: Option<Cents>,
    /// Coupons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coupons: Option<Cents>,
}

/// The tray is counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InventoryCounted {
    /// Its value.
    pub amount: Cents,
    /// Chips by value in cents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denominations: Option<BTreeMap<String, u32>>,
}

/// Rake is taken from a pot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RakeTaken {
    /// How much.
    pub amount: Cents,
}

/// A jackpot contribution is taken from a pot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JackpotDropTaken {
    /// How much.
    pub amount: Cents,
}

/// A progressive meter is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeterRead {
    /// The meter.
    pub meter: String,
    /// What it shows.
    pub amount: Cents,
}

/// A meter pays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
}

/// Chips move outside tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChipsMoved {
    /// Chips by value in cents.
    pub denominations: BTreeMap<String, u32>,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Who.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
}

/// Chips outside tables are counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChipsCounted {
    /// Chips by value in cents.
    pub denominations: BTreeMap<String, u32>,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Who.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
}

/// Chips are destroyed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChipsDestroyed {
    /// Chips by value in cents.
    pub denominations: BTreeMap<String, u32>,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Who.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
}

/// The cage's imprest is set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Impressment {
    /// Chips by value in cents.
    pub denominations: BTreeMap<String, u32>,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Who.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
}

/// The liability for chips in circulation is computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LiabilityComputed {
    /// Chips by value in cents.
    pub denominations: BTreeMap<String, u32>,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Who.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
}

/// A tournament is filed with the Commission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentFiled {
    /// The tournament.
    pub tournament: String,
    /// Buy-ins in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buy_ins: Option<Cents>,
    /// Prizes in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prizes: Option<Cents>,
    /// Withheld for the dealers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tips: Option<Cents>,
    /// Tournament chips in play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chips: Option<u32>,
}

/// A tournament begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentOpened {
    /// The tournament.
    pub tournament: String,
    /// Buy-ins in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buy_ins: Option<Cents>,
    /// Prizes in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prizes: Option<Cents>,
    /// Withheld for the dealers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tips: Option<Cents>,
    /// Tournament chips in play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chips: Option<u32>,
}

/// A tournament ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentClosed {
    /// The tournament.
    pub tournament: String,
    /// Buy-ins in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buy_ins: Option<Cents>,
    /// Prizes in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prizes: Option<Cents>,
    /// Withheld for the dealers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tips: Option<Cents>,
    /// Tournament chips in play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chips: Option<u32>,
}

/// A discrepancy is reported to the Bureau.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiscrepancyReported {
    /// What it is about: cards, dice, tiles, chips or a round.
    pub about: String,
    /// The set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// What was found.
    pub kind: String,
}
