//! Chips outside tables, tournaments and reports to the Bureau.

use std::collections::BTreeMap;

use catwalk_hands::floor::Cents;
use serde::{Deserialize, Serialize};

use crate::event::Person;
use crate::time::Timestamp;

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
    /// Serial numbers of plaques, and of chips of $20,000 and $25,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serials: Option<Vec<String>>,
    /// Chips without a value, by their colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colours: Option<BTreeMap<String, u32>>,
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
    /// Serial numbers of plaques, and of chips of $20,000 and $25,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serials: Option<Vec<String>>,
    /// Chips without a value, by their colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colours: Option<BTreeMap<String, u32>>,
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
    /// Serial numbers of plaques, and of chips of $20,000 and $25,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serials: Option<Vec<String>>,
    /// Chips without a value, by their colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colours: Option<BTreeMap<String, u32>>,
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
    /// Serial numbers of plaques, and of chips of $20,000 and $25,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serials: Option<Vec<String>>,
    /// Chips without a value, by their colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colours: Option<BTreeMap<String, u32>>,
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
    /// Serial numbers of plaques, and of chips of $20,000 and $25,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serials: Option<Vec<String>>,
    /// Chips without a value, by their colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colours: Option<BTreeMap<String, u32>>,
    /// Chips by value in cents of which so many more came back than went out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub negative: Option<BTreeMap<String, u32>>,
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
    /// Tournament chips by what is written on them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denominations: Option<BTreeMap<String, u32>>,
    /// When it is to begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<Timestamp>,
    /// Where it is held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Participants who are expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<u32>,
    /// The game, as the rulebook names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Rules of play and of who may take part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// How the prizes are divided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prize_structure: Option<String>,
    /// How participants register.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registration: Option<String>,
    /// How the winners are determined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winners: Option<String>,
    /// What it is played with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equipment: Option<String>,
    /// Forms that are used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forms: Option<String>,
    /// What security and surveillance do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub security: Option<String>,
    /// Supervisors of security, games and surveillance who certify that it does no harm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certified_by: Option<Vec<Person>>,
    /// Who reviewed the rules for its revenue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controller: Option<Person>,
    /// Who certifies that it will be conducted as filed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_employee: Option<Person>,
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
    /// Tournament chips by what is written on them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denominations: Option<BTreeMap<String, u32>>,
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
    /// Tournament chips by what is written on them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denominations: Option<BTreeMap<String, u32>>,
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
    /// When it was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_at: Option<Timestamp>,
    /// The shift of the inspection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shift: Option<String>,
    /// The pit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pit: Option<String>,
    /// The game, as the rulebook names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Who signed with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
}
