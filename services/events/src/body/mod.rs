//! The bodies of events: one struct for each type, as its schema has it.

mod cage;
mod cards;
mod drop;
mod equipment;
mod meters;
mod money;
mod round;
mod slips;
mod table;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use catwalk_hands::json::{Fault, Json};
use catwalk_hands::refusal::Refusal;

pub use cage::*;
pub use cards::*;
pub use drop::*;
pub use equipment::*;
pub use meters::*;
pub use money::*;
pub use round::*;
pub use slips::*;
pub use table::*;

/// Makes the enum of all bodies from one list of structs, their names in JSON and in Avro.
macro_rules! bodies {
    ($($body:ident = $name:literal / $record:literal,)+) => {
        /// What happened.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Body {
            $(#[serde(rename = $record)]
            $body($body),)+
        }

        impl Body {
            /// The names of all types, in the order of the schema.
            pub const TYPES: &'static [&'static str] = &[$($name),+];

            /// The type, as JSON names it.
            pub const fn type_name(&self) -> &'static str {
                match self {
                    $(Body::$body(_) => $name,)+
                }
            }

            /// Reads the fields of a body of that type.
            pub(crate) fn read(type_name: &str, fields: &Json<'_>) -> Result<Body, Refusal> {
                let refused = |fault: Fault| fault.refusal("body", type_name);
                match type_name {
                    $($name => fields.read().map(Body::$body).map_err(refused),)+
                    _ => Err(Refusal::unknown("body.type", type_name, "a type of event", Body::TYPES)),
                }
            }

            /// The fields of the body, without its type.
            pub(crate) fn write(&self) -> serde_json::Result<Value> {
                match self {
                    $(Body::$body(body) => serde_json::to_value(body),)+
                }
            }
        }

        $(impl From<$body> for Body {
            fn from(body: $body) -> Body {
                Body::$body(body)
            }
        })+
    };
}

bodies! {
    TableOpened = "table_opened" / "catwalk.floor.TableOpened",
    TableClosed = "table_closed" / "catwalk.floor.TableClosed",
    DealerChanged = "dealer_changed" / "catwalk.floor.DealerChanged",
    NoticePosted = "notice_posted" / "catwalk.floor.NoticePosted",
    RulesChanged = "rules_changed" / "catwalk.floor.RulesChanged",
    LimitsChanged = "limits_changed" / "catwalk.floor.LimitsChanged",
    Clock = "clock" / "catwalk.floor.Clock",
    CardsDelivered = "cards_delivered" / "catwalk.floor.CardsDelivered",
    CardsInspected = "cards_inspected" / "catwalk.floor.CardsInspected",
    CardsOpened = "cards_opened" / "catwalk.floor.CardsOpened",
    ShoeStarted = "shoe_started" / "catwalk.floor.ShoeStarted",
    CardBurned = "card_burned" / "catwalk.floor.CardBurned",
    CardReplaced = "card_replaced" / "catwalk.floor.CardReplaced",
    CardsCounted = "cards_counted" / "catwalk.floor.CardsCounted",
    ShoeEnded = "shoe_ended" / "catwalk.floor.ShoeEnded",
    CardsRemoved = "cards_removed" / "catwalk.floor.CardsRemoved",
    CardsCollected = "cards_collected" / "catwalk.floor.CardsCollected",
    CardsReinspected = "cards_reinspected" / "catwalk.floor.CardsReinspected",
    CardsDestroyed = "cards_destroyed" / "catwalk.floor.CardsDestroyed",
    DiceIntroduced = "dice_introduced" / "catwalk.floor.DiceIntroduced",
    DiceInspected = "dice_inspected" / "catwalk.floor.DiceInspected",
    DiceRemoved = "dice_removed" / "catwalk.floor.DiceRemoved",
    DiceCollected = "dice_collected" / "catwalk.floor.DiceCollected",
    DiceDestroyed = "dice_destroyed" / "catwalk.floor.DiceDestroyed",
    TilesIntroduced = "tiles_introduced" / "catwalk.floor.TilesIntroduced",
    TilesInspected = "tiles_inspected" / "catwalk.floor.TilesInspected",
    TilesRemoved = "tiles_removed" / "catwalk.floor.TilesRemoved",
    TilesCollected = "tiles_collected" / "catwalk.floor.TilesCollected",
    TilesDestroyed = "tiles_destroyed" / "catwalk.floor.TilesDestroyed",
    WheelInspected = "wheel_inspected" / "catwalk.floor.WheelInspected",
    DeviceInspected = "device_inspected" / "catwalk.floor.DeviceInspected",
    DeviceAdjusted = "device_adjusted" / "catwalk.floor.DeviceAdjusted",
    RoundOpened = "round_opened" / "catwalk.floor.RoundOpened",
    WagerPlaced = "wager_placed" / "catwalk.floor.WagerPlaced",
    WagerChanged = "wager_changed" / "catwalk.floor.WagerChanged",
    WagerRemoved = "wager_removed" / "catwalk.floor.WagerRemoved",
    BettingClosed = "betting_closed" / "catwalk.floor.BettingClosed",
    CardDealt = "card_dealt" / "catwalk.floor.CardDealt",
    CardRevealed = "card_revealed" / "catwalk.floor.CardRevealed",
    DiceRolled = "dice_rolled" / "catwalk.floor.DiceRolled",
    WheelSpun = "wheel_spun" / "catwalk.floor.WheelSpun",
    TilesDealt = "tiles_dealt" / "catwalk.floor.TilesDealt",
    Decision = "decision" / "catwalk.floor.Decision",
    HandSet = "hand_set" / "catwalk.floor.HandSet",
    Irregularity = "irregularity" / "catwalk.floor.Irregularity",
    WagerPaid = "wager_paid" / "catwalk.floor.WagerPaid",
    WagerCollected = "wager_collected" / "catwalk.floor.WagerCollected",
    WagerPushed = "wager_pushed" / "catwalk.floor.WagerPushed",
    CommissionCollected = "commission_collected" / "catwalk.floor.CommissionCollected",
    PotAwarded = "pot_awarded" / "catwalk.floor.PotAwarded",
    RoundClosed = "round_closed" / "catwalk.floor.RoundClosed",
    RoundVoided = "round_voided" / "catwalk.floor.RoundVoided",
    BuyIn = "buy_in" / "catwalk.floor.BuyIn",
    Fill = "fill" / "catwalk.floor.Fill",
    Credit = "credit" / "catwalk.floor.Credit",
    DropBoxRemoved = "drop_box_removed" / "catwalk.floor.DropBoxRemoved",
    DropCounted = "drop_counted" / "catwalk.floor.DropCounted",
    InventoryCounted = "inventory_counted" / "catwalk.floor.InventoryCounted",
    RakeTaken = "rake_taken" / "catwalk.floor.RakeTaken",
    JackpotDropTaken = "jackpot_drop_taken" / "catwalk.floor.JackpotDropTaken",
    MeterRead = "meter_read" / "catwalk.floor.MeterRead",
    JackpotPaid = "jackpot_paid" / "catwalk.floor.JackpotPaid",
    ChipsMoved = "chips_moved" / "catwalk.floor.ChipsMoved",
    ChipsCounted = "chips_counted" / "catwalk.floor.ChipsCounted",
    ChipsDestroyed = "chips_destroyed" / "catwalk.floor.ChipsDestroyed",
    Impressment = "impressment" / "catwalk.floor.Impressment",
    LiabilityComputed = "liability_computed" / "catwalk.floor.LiabilityComputed",
    TournamentFiled = "tournament_filed" / "catwalk.floor.TournamentFiled",
    TournamentOpened = "tournament_opened" / "catwalk.floor.TournamentOpened",
    TournamentClosed = "tournament_closed" / "catwalk.floor.TournamentClosed",
    DiscrepancyReported = "discrepancy_reported" / "catwalk.floor.DiscrepancyReported",
    FloorRegistered = "floor_registered" / "catwalk.floor.FloorRegistered",
    SupervisorAssigned = "supervisor_assigned" / "catwalk.floor.SupervisorAssigned",
    PatronSeated = "patron_seated" / "catwalk.floor.PatronSeated",
    PatronLeft = "patron_left" / "catwalk.floor.PatronLeft",
    CashOut = "cash_out" / "catwalk.floor.CashOut",
    MarkerIssued = "marker_issued" / "catwalk.floor.MarkerIssued",
    MarkerRedeemed = "marker_redeemed" / "catwalk.floor.MarkerRedeemed",
    SlipRequested = "slip_requested" / "catwalk.floor.SlipRequested",
    SlipVoided = "slip_voided" / "catwalk.floor.SlipVoided",
    SlipFiled = "slip_filed" / "catwalk.floor.SlipFiled",
    DropBoxAttached = "drop_box_attached" / "catwalk.floor.DropBoxAttached",
    DropBoxReceived = "drop_box_received" / "catwalk.floor.DropBoxReceived",
    CouponRedeemed = "coupon_redeemed" / "catwalk.floor.CouponRedeemed",
    MeterAdjusted = "meter_adjusted" / "catwalk.floor.MeterAdjusted",
    FundCounted = "fund_counted" / "catwalk.floor.FundCounted",
}
