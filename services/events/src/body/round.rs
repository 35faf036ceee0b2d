//! What happens in a round.

use std::collections::BTreeMap;

use catwalk_hands::floor::Cents;
use serde::{Deserialize, Serialize};

use crate::event::{Json, Person};

/// What a wager is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WagerForm {
    ValueChips,
    ColourChips,
    Plaque,
    Coupon,
    Cash,
}

/// Where a card goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardPlace {
    Player,
    Dealer,
    Banker,
    Community,
    Seat,
}

/// How a card lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Face {
    Up,
    Down,
}

/// Where tiles go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TilePlace {
    Seat,
    Dealer,
    Bank,
    DeadHand,
}

/// Betting for a round begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundOpened {
    /// The shoe it is dealt from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shoe: Option<String>,
    /// The seat that banks, where players bank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banker: Option<u32>,
    /// Progressive meters in cents, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meters: Option<BTreeMap<String, Cents>>,
    /// The set of cards that it is dealt from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// The set of dice that is thrown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice_set: Option<String>,
    /// The wheel that is spun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wheel: Option<String>,
}

/// A wager is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WagerPlaced {
    /// The wager's id within its round.
    pub wager: String,
    /// The betting position; 0 is the house.
    pub seat: u32,
    /// The patron.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// The kind, as the rulebook names it.
    pub kind: String,
    /// The stake.
    pub amount: Cents,
    /// The wager that it depends on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// What it is on: the number, the point and whatever else the game's document has for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Json>,
    /// What it is made of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<WagerForm>,
    /// Colour of the chips.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
}

/// A wager is raised or lowered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WagerChanged {
    /// The wager's id within its round.
    pub wager: String,
    /// The new stake.
    pub amount: Cents,
    /// Who did it.
    pub by: Person,
}

/// A wager is taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WagerRemoved {
    /// The wager's id within its round.
    pub wager: String,
    /// Who did it.
    pub by: Person,
}

/// No more bets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BettingClosed {
    /// The window that closes; the main one if left out. At craps, the roll that it precedes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<String>,
}

/// A card is dealt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardDealt {
    /// Where it goes.
    pub to: CardPlace,
    /// The seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u32>,
    /// The hand of the seat, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<u32>,
    /// The card, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// Up or down.
    pub face: Face,
    /// Colour of its back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<String>,
}

/// A card that lay face down is turned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardRevealed {
    /// Where it lies.
    pub to: CardPlace,
    /// The seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u32>,
    /// The hand of the seat, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<u32>,
    /// Which card of the hand, from 0.
    pub index: u32,
    /// The card.
    pub card: String,
}

/// Dice are rolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiceRolled {
    /// The faces.
    pub dice: Vec<u8>,
    /// False for a roll that was called off.
    pub valid: bool,
    /// Serial numbers of the dice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serials: Option<Vec<String>>,
}

/// A wheel is spun.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WheelSpun {
    /// The pocket or symbol.
    pub result: String,
    /// False for a spin that was called off.
    pub valid: bool,
    /// Turns of the ball or the wheel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revolutions: Option<u32>,
    /// The wheel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wheel: Option<String>,
    /// The ball.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ball: Option<String>,
}

/// Tiles are dealt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TilesDealt {
    /// Where they go.
    pub to: TilePlace,
    /// The seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u32>,
    /// The tiles, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tiles: Option<Vec<String>>,
}

/// A player decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The seat.
    pub seat: u32,
    /// The hand of the seat, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<u32>,
    /// What the player does.
    pub action: String,
    /// The amount, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Cents>,
}

/// A hand is set into a high and a low one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandSet {
    /// Whose: seat, dealer or bank.
    pub to: String,
    /// The seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u32>,
    /// The high hand.
    pub high: Vec<String>,
    /// The low hand.
    pub low: Vec<String>,
}

/// Something went wrong and was ruled upon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Irregularity {
    /// What went wrong, as the game's rules name it.
    pub kind: String,
    /// More of it, an object or a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Json>,
    /// What was decided.
    pub ruling: String,
}

/// A wager is paid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WagerPaid {
    /// The wager's id within its round.
    pub wager: String,
    /// What was paid beyond the stake.
    pub amount: Cents,
    /// Vigorish taken out of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commission: Option<Cents>,
}

/// A losing wager is collected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WagerCollected {
    /// The wager's id within its round.
    pub wager: String,
    /// How much of it; the whole stake if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Cents>,
}

/// A wager is left or given back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WagerPushed {
    /// The wager's id within its round.
    pub wager: String,
    /// How much of it; the whole stake if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Cents>,
}

/// Vigorish that was owed is collected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommissionCollected {
    /// The wager's id within its round.
    pub wager: String,
    /// How much.
    pub amount: Cents,
    /// The patron.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
}

/// A pot of the poker room is awarded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PotAwarded {
    /// 0 is the main pot.
    pub pot: u32,
    /// The seat.
    pub seat: u32,
    /// How much.
    pub amount: Cents,
}

/// A round is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundClosed {
    /// Why, where it needs one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A round does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundVoided {
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
