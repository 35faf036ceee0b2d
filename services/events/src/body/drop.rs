//! Drop boxes, from the table to the count.

use std::collections::BTreeMap;

use catwalk_hands::floor::Cents;
use serde::{Deserialize, Serialize};

use crate::event::Person;

/// What a drop box is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoxKind {
    Main,
    Emergency,
    BadBeat,
    Tip,
}

/// A drop box is put onto the table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DropBoxAttached {
    /// The box.
    pub r#box: String,
    /// What it is for; the main box if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<BoxKind>,
    /// Who attached it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// Who watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
}

/// A drop box is taken from the table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DropBoxRemoved {
    /// The box.
    pub r#box: String,
    /// What it is for; the main box if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<BoxKind>,
    /// The box that takes its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacement: Option<String>,
    /// Who was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Vec<Person>>,
}

/// The count room receives a drop box.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DropBoxReceived {
    /// The box.
    pub r#box: String,
    /// What it is for; the main box if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<BoxKind>,
    /// Who received it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Vec<Person>>,
    /// Who brought it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
}

/// A drop box is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// What it is for; the main box if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<BoxKind>,
    /// Banknotes by value in cents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bills: Option<BTreeMap<String, u32>>,
    /// Vouchers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vouchers: Option<Cents>,
    /// Slips for withdrawals of money on deposit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub front_money: Option<Cents>,
    /// Value chips of the house.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chips: Option<Cents>,
    /// Chips of other houses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foreign_chips: Option<Cents>,
    /// Counter checks that were redeemed at the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks_redeemed: Option<Cents>,
    /// Coupons by their kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coupons_by_kind: Option<BTreeMap<String, Cents>>,
    /// Numbers of the counter checks, coupons, vouchers and slips in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruments: Option<Vec<String>>,
    /// What the first count made, before any other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_count: Option<Cents>,
    /// What the second count made, by other hands or by machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_count: Option<Cents>,
    /// Who counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Vec<Person>>,
    /// Who took it over for the main bank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted_by: Option<Person>,
    /// What the main bank took over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<Cents>,
}
