//! The round document of the family: options, wagers, and a run of rolls.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::kinds::{Kind, PayRow};
use super::totals::{Total, Totals};
use crate::PostedLimits;
use crate::floor::{Cents, Die, Odds, Rounding, Seat, WagerId};
use crate::games::shared::form::Form;
use crate::round::{document, wager};

/// The options that settlement reads. Those with a default here are not options of every game and
/// edition of the family.
#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    #[serde(default)]
    pub(super) variant: Variant,
    pub(super) not_offered: Vec<Kind>,
    #[serde(default)]
    pub(super) fire_table: FireTable,
    pub(super) pays: BTreeMap<PayRow, Odds>,
    pub(super) buy_vig_bp: i64,
    #[serde(default)]
    pub(super) lay_vig_bp: i64,
    pub(super) buy_vig_on_win: Totals,
    #[serde(default)]
    pub(super) lay_vig_on_win: Totals,
    pub(super) vig_unit: Cents,
    pub(super) vig_rounding: VigRounding,
    pub(super) refund_vig_on_removal: bool,
    pub(super) come_odds_on_comeout: ComeOdds,
    /// None where none is posted and the text has none either.
    #[serde(default)]
    pub(super) odds_multiple: Option<OddsMultiple>,
    pub(super) chip_unit: Cents,
    pub(super) limits: PostedLimits<Kind>,
    #[serde(default)]
    pub(super) tournament: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Variant {
    #[default]
    Craps,
    MiniCraps,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(super) enum FireTable {
    #[default]
    A,
    B,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum VigRounding {
    Down,
    Nearest,
    Up,
}

impl VigRounding {
    pub(super) fn to(self, unit: Cents) -> Rounding {
        match self {
            VigRounding::Down => Rounding::Down(unit),
            VigRounding::Nearest => Rounding::Nearest(unit),
            VigRounding::Up => Rounding::Up(unit),
        }
    }
}

/// Do come and put odds work on a come-out roll without a call?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ComeOdds {
    Off,
    On,
}

/// How many times its flat bet an odds bet may be: one figure, or one a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OddsMultiple {
    Every(i64),
    ByPoint(BTreeMap<Total, i64>),
}

impl OddsMultiple {
    /// None for a point that a posted map leaves out.
    pub(super) fn of(&self, point: Total) -> Option<i64> {
        match self {
            OddsMultiple::Every(multiple) => Some(*multiple),
            OddsMultiple::ByPoint(multiples) => multiples.get(&point).copied(),
        }
    }

    /// The points that have a figure of their own.
    pub(super) fn points(&self) -> Totals {
        match self {
            OddsMultiple::Every(_) => Totals::default(),
            OddsMultiple::ByPoint(multiples) => multiples.keys().copied().collect(),
        }
    }

    pub(super) fn figures(&self) -> impl Iterator<Item = i64> {
        let (every, by_point) = match self {
            OddsMultiple::Every(multiple) => (Some(*multiple), None),
            OddsMultiple::ByPoint(multiples) => (None, Some(multiples.values().copied())),
        };
        every.into_iter().chain(by_point.into_iter().flatten())
    }
}

impl<'de> Deserialize<'de> for OddsMultiple {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OddsMultiple, D::Error> {
        struct Multiple;
        impl<'de> Visitor<'de> for Multiple {
            type Value = OddsMultiple;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number, or a map from points to whole numbers")
            }

            fn visit_i64<E: de::Error>(self, multiple: i64) -> Result<OddsMultiple, E> {
                Ok(OddsMultiple::Every(multiple))
            }

            fn visit_u64<E: de::Error>(self, multiple: u64) -> Result<OddsMultiple, E> {
                // No stake reaches either figure, so the largest one stands for all above it.
                self.visit_i64(i64::try_from(multiple).unwrap_or(i64::MAX))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OddsMultiple, A::Error> {
                let mut multiples = BTreeMap::new();
                while let Some((point, multiple)) = map.next_entry::<String, i64>()? {
                    multiples.insert(point.parse().map_err(de::Error::custom)?, multiple);
                }
                Ok(OddsMultiple::ByPoint(multiples))
            }
        }
        deserializer.deserialize_any(Multiple)
    }
}

wager! {
    /// A key that a kind has no use for is refused: what it holds would be ignored ([`keys`](super::keys)).
    Wager: Kind {
        /// The first roll for which the bet is up; -1 if it was carried in from an earlier document.
        #[serde(default)]
        pub placed: i64,
        ?
        pub number: Option<i64>,
        pub dice: Option<Vec<i64>>,
        pub on: Option<WagerId>,
        pub working: Working,
        pub changes: Vec<Change>,
        pub in_air: bool,
        pub confirmed_by: Vec<String>,
        pub late: bool,
        pub form: Option<Form>,
        pub point: Option<i64>,
        pub made: Option<Vec<i64>>,
        /// The stake with which a carried don't bet got its number.
        pub original: Option<Cents>,
    }
}

impl Wager {
    pub(super) fn is_carried(&self) -> bool {
        self.placed < 0
    }
}

/// The rolls for which a bet was called on and marked, where it would be off.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Working {
    #[default]
    Unsaid,
    Always(bool),
    On(Vec<i64>),
}

impl Working {
    /// `false` and an empty list say nothing.
    pub(super) fn is_said(&self) -> bool {
        match self {
            Working::Unsaid => false,
            Working::Always(always) => *always,
            Working::On(rolls) => !rolls.is_empty(),
        }
    }

    pub(super) fn on(&self, roll: usize) -> bool {
        match self {
            Working::On(rolls) => rolls.iter().any(|&on| usize::try_from(on) == Ok(roll)),
            other => other.is_said(),
        }
    }
}

impl<'de> Deserialize<'de> for Working {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Working, D::Error> {
        struct Calls;
        impl<'de> Visitor<'de> for Calls {
            type Value = Working;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false or a list of rolls")
            }

            fn visit_bool<E: de::Error>(self, always: bool) -> Result<Working, E> {
                Ok(Working::Always(always))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Working, A::Error> {
                let mut rolls = Vec::new();
                while let Some(roll) = seq.next_element()? {
                    rolls.push(roll);
                }
                Ok(Working::On(rolls))
            }
        }
        deserializer.deserialize_any(Calls)
    }
}

document! {
    /// A stake lowered before a roll, or taken down if `to` is 0.
    Change {
        pub before: i64,
        pub to: Cents,
    }

    Play {
        #[serde(default)]
        pub start: Start,
        pub rolls: Vec<Roll>,
    }

    Roll {
        ?
        pub dice: Option<[Die; 2]>,
        pub no_roll: Option<NoRoll>,
        /// The dice changed hands before this roll.
        pub new_shooter: bool,
        /// Thrown only to decide come bets that are left.
        pub decision_only: bool,
        pub shooter: Option<Seat>,
    }
}

/// The table before the first roll.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Start {
    pub point: Option<i64>,
    /// The shooter has not thrown a come-out roll yet.
    pub fresh_shooter: bool,
}

impl Default for Start {
    fn default() -> Start {
        Start {
            point: None,
            fresh_shooter: true,
        }
    }
}

impl Roll {
    /// Contact with players' chips is no reason to call a throw off: it stands. s.9(d)
    pub(super) fn is_no_roll(&self) -> bool {
        self.no_roll
            .is_some_and(|reason| reason != NoRoll::HitChips)
    }
}

/// Why a throw was called off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoRoll {
    OffTable,
    Stacked,
    OnBank,
    InCup,
    OnRail,
    CockedSuspended,
    TwoSidesResting,
    NotSimultaneous,
    Short,
    Cheating,
    Improper,
    Dispute,
    HitChips,
}
