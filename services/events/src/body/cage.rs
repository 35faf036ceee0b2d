//! Chips outside tables, tournaments and reports to the Bureau.

use std::collections::BTreeMap;

use catwalk_hands::floor::Cents;
use serde::{Deserialize, Serialize};

use crate::event::Person;

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
    /// The set of chips: primary, secondary or reserve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// Where they come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Where they go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who was there as the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
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
    /// The set of chips: primary, secondary or reserve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// Where they come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Where they go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who was there as the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
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
    /// The set of chips: primary, secondary or reserve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// Where they come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Where they go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who was there as the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
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
    /// The set of chips: primary, secondary or reserve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// Where they come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Where they go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who was there as the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
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
    /// The set of chips: primary, secondary or reserve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// Where they come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Where they go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who was there as the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
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
    /// Players who entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries: Option<u32>,
    /// Re-buys in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rebuys: Option<Cents>,
    /// Add-ons in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add_ons: Option<Cents>,
    /// Entry fees, which are no part of the prizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fees: Option<Cents>,
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
    /// Players who entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries: Option<u32>,
    /// Re-buys in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rebuys: Option<Cents>,
    /// Add-ons in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add_ons: Option<Cents>,
    /// Entry fees, which are no part of the prizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fees: Option<Cents>,
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
    /// Players who entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries: Option<u32>,
    /// Re-buys in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rebuys: Option<Cents>,
    /// Add-ons in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add_ons: Option<Cents>,
    /// Entry fees, which are no part of the prizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fees: Option<Cents>,
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
    /// The round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<String>,
    /// More of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Who reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// Who inspected, and is not the one who inspected first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inspector: Option<Person>,
    /// Number of the receipt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
}
