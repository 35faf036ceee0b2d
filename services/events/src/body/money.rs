//! What patrons buy and bring back, and the tray.

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
    Voucher,
    FrontMoney,
    ForeignChips,
}

/// What a patron gets for chips, or brings for a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CashForm {
    Cash,
    Chips,
    Check,
    FrontMoney,
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
    /// The patron.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// Number of the counter check, coupon or voucher.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instrument: Option<String>,
    /// Banknotes by value in cents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bills: Option<BTreeMap<String, u32>>,
}

/// The tray is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InventoryCounted {
    /// Its value.
    pub amount: Cents,
    /// Chips by value in cents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denominations: Option<BTreeMap<String, u32>>,
    /// Number of the table inventory slip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slip: Option<String>,
    /// Who counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// Who counted with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
    /// Why, such as the end of a shift.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A patron changes chips back, or walks away with them. The tray stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CashOut {
    /// The patron.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// The seat that the patron left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u32>,
    /// How much.
    pub amount: Cents,
    /// For what; chips that are carried away if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<CashForm>,
}

/// A counter check is written. The chips that it buys are a buy-in, whose instrument it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkerIssued {
    /// Number of the counter check.
    pub marker: String,
    /// The patron.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// The seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u32>,
    /// How much.
    pub amount: Cents,
    /// Who issued it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// Who signed with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
}

/// A counter check is redeemed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkerRedeemed {
    /// Number of the counter check.
    pub marker: String,
    /// The patron.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// How much of it.
    pub amount: Cents,
    /// With what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<CashForm>,
    /// Who took it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
}

/// A coupon is taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CouponRedeemed {
    /// Its number.
    pub coupon: String,
    /// What kind of coupon it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Its face.
    pub amount: Cents,
    /// The patron.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// The seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u32>,
    /// The wager's id within its round, where it was staked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wager: Option<String>,
}
