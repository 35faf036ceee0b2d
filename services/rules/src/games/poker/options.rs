//! The posted sign of a poker table: limits, compulsory bets, rake, bad beat jackpot, kill.

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::Rules;
use super::forms::{FormFacts, OddChipRule};
use crate::floor::{Card, Cents, Rounding};
use crate::refusal::Refusal;

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    /// Least and most of each betting round; no most in pot limit and no limit.
    pub(super) bet_limits: Option<Vec<(Cents, Option<Cents>)>>,
    pub(super) betting: Structure,
    pub(super) min_raise: MinRaise,
    pub(super) reopen: Reopen,
    pub(super) max_raises: Option<i64>,
    pub(super) check_raise: bool,
    pub(super) ante: Cents,
    pub(super) ante_by: AnteBy,
    pub(super) blinds: Option<Vec<Cents>>,
    pub(super) heads_up_blinds: HeadsUpBlinds,
    pub(super) extra_posts: bool,
    pub(super) tournament: bool,
    pub(super) open_pair_double: bool,
    pub(super) forced_bet: Option<Cents>,
    pub(super) straddle: Option<Cents>,
    pub(super) rake: Vec<RakeMethod>,
    pub(super) no_flop_no_drop: bool,
    pub(super) jackpot: Option<Jackpot>,
    pub(super) kill: Option<Kill>,
    pub(super) odd_chip: Option<OddChip>,
    pub(super) chip_unit: Cents,
    pub(super) max_seats: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Structure {
    Limit,
    PotLimit,
    NoLimit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum MinRaise {
    PostedMin,
    PreviousIncrement,
}

/// When a player who has acted may raise again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reopen {
    Any,
    Full,
    Half,
}

/// Who puts in the ante: everybody his own, or one seat for the whole table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum AnteBy {
    Each,
    BigBlind,
    Button,
}

/// Who owes the first blind where two are dealt in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum HeadsUpBlinds {
    LeftOfButton,
    ButtonSmall,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OddChip {
    CardBySuit,
    FirstSeat,
}

/// 14(b)
#[derive(Clone, Debug)]
pub(super) enum RakeMethod {
    Percent {
        rate_bp: BasisPoints,
        cap: Option<Cents>,
        unit: RoundingUnit,
    },
    Incremental {
        /// Pot size and what it adds to the rake.
        levels: Vec<(Cents, Cents)>,
        cap: Option<Cents>,
    },
    Time {
        basis: TimeBasis,
        hourly: Cents,
        interval: u16,
    },
}

/// The keys of all methods. A tagged enum would be read without the places of its faults.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RakeKeys {
    method: RakeWord,
    rate_bp: Option<BasisPoints>,
    cap: Option<Cents>,
    unit: Option<RoundingUnit>,
    levels: Option<Vec<(Cents, Cents)>>,
    basis: Option<TimeBasis>,
    hourly: Option<Cents>,
    interval: Option<u16>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum RakeWord {
    Percent,
    Incremental,
    Time,
}

impl<'de> Deserialize<'de> for RakeMethod {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RakeMethod, D::Error> {
        let keys = RakeKeys::deserialize(deserializer)?;
        let missing = D::Error::missing_field;
        let given = [
            ("rate_bp", keys.rate_bp.is_some()),
            ("cap", keys.cap.is_some()),
            ("unit", keys.unit.is_some()),
            ("levels", keys.levels.is_some()),
            ("basis", keys.basis.is_some()),
            ("hourly", keys.hourly.is_some()),
            ("interval", keys.interval.is_some()),
        ];
        match keys.method {
            RakeWord::Percent => {
                check_keys(&given, &["rate_bp", "cap", "unit"])?;
                Ok(RakeMethod::Percent {
                    rate_bp: keys.rate_bp.ok_or_else(|| missing("rate_bp"))?,
                    cap: keys.cap,
                    unit: keys.unit.unwrap_or_default(),
                })
            }
            RakeWord::Incremental => {
                check_keys(&given, &["levels", "cap"])?;
                Ok(RakeMethod::Incremental {
                    levels: keys.levels.ok_or_else(|| missing("levels"))?,
                    cap: keys.cap,
                })
            }
            RakeWord::Time => {
                check_keys(&given, &["basis", "hourly", "interval"])?;
                Ok(RakeMethod::Time {
                    basis: keys.basis.ok_or_else(|| missing("basis"))?,
                    hourly: keys.hourly.ok_or_else(|| missing("hourly"))?,
                    interval: keys.interval.ok_or_else(|| missing("interval"))?,
                })
            }
        }
    }
}

/// Refuses a key that is given but belongs to another method.
fn check_keys<E: Error>(given: &[(&str, bool)], known: &'static [&'static str]) -> Result<(), E> {
    let stray = |(key, given): &&(&str, bool)| *given && !known.contains(key);
    match given.iter().find(stray) {
        Some((key, _)) => Err(E::unknown_field(key, known)),
        None => Ok(()),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TimeBasis {
    PerPlayer,
    PerTable,
}

/// Hundredths of a percent; nobody can be charged more than all of it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "i64")]
pub(super) struct BasisPoints(pub(super) i64);

impl TryFrom<i64> for BasisPoints {
    type Error = String;
    fn try_from(points: i64) -> Result<BasisPoints, String> {
        match points {
            0..=10_000 => Ok(BasisPoints(points)),
            _ => Err(format!("{points} basis points are not between 0 and 10000")),
        }
    }
}

/// What a percentage is rounded down to; whole dollars unless posted.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "Cents")]
pub(super) struct RoundingUnit(Cents);

impl RoundingUnit {
    pub(super) fn down(self) -> Rounding {
        Rounding::Down(self.0)
    }
}

impl Default for RoundingUnit {
    fn default() -> RoundingUnit {
        RoundingUnit(Cents::new(100))
    }
}

impl TryFrom<Cents> for RoundingUnit {
    type Error = &'static str;
    fn try_from(unit: Cents) -> Result<RoundingUnit, &'static str> {
        match unit.is_positive() {
            true => Ok(RoundingUnit(unit)),
            false => Err("a rounding unit is at least a cent"),
        }
    }
}

/// 19
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Jackpot {
    pub(super) drop: Option<Drop>,
    pub(super) pay: Option<BadBeatPay>,
    /// The posted share of the contributions that does not go straight into the fund. It changes no round.
    withheld_bp: Option<BasisPoints>,
}

#[derive(Clone, Debug)]
pub(super) enum Drop {
    Fixed {
        amount: Cents,
        min_pot: Cents,
    },
    Percent {
        rate_bp: BasisPoints,
        max: Option<Cents>,
        min_pot: Cents,
        unit: RoundingUnit,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DropKeys {
    method: DropWord,
    #[serde(default)]
    min_pot: Cents,
    amount: Option<Cents>,
    rate_bp: Option<BasisPoints>,
    max: Option<Cents>,
    unit: Option<RoundingUnit>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum DropWord {
    Fixed,
    Percent,
}

impl<'de> Deserialize<'de> for Drop {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Drop, D::Error> {
        let keys = DropKeys::deserialize(deserializer)?;
        let missing = D::Error::missing_field;
        let given = [
            ("amount", keys.amount.is_some()),
            ("rate_bp", keys.rate_bp.is_some()),
            ("max", keys.max.is_some()),
            ("unit", keys.unit.is_some()),
        ];
        let min_pot = keys.min_pot;
        match keys.method {
            DropWord::Fixed => {
                check_keys(&given, &["amount", "min_pot"])?;
                let amount = keys.amount.ok_or_else(|| missing("amount"))?;
                Ok(Drop::Fixed { amount, min_pot })
            }
            DropWord::Percent => {
                check_keys(&given, &["rate_bp", "max", "min_pot", "unit"])?;
                Ok(Drop::Percent {
                    rate_bp: keys.rate_bp.ok_or_else(|| missing("rate_bp"))?,
                    max: keys.max,
                    min_pot,
                    unit: keys.unit.unwrap_or_default(),
                })
            }
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BadBeatPay {
    /// The weakest losing hand that qualifies.
    pub(super) qualifier: Vec<Card>,
    #[serde(default)]
    pub(super) hole_cards: usize,
    pub(super) shares: Shares,
    #[serde(default = "two")]
    pub(super) min_players: usize,
}

fn two() -> usize {
    2
}

/// Percent of the fund for each role.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shares {
    #[serde(default)]
    pub(super) loser: Percent,
    #[serde(default)]
    pub(super) winner: Percent,
    #[serde(default)]
    pub(super) table: Percent,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(try_from = "i64")]
pub(super) struct Percent(pub(super) i64);

impl TryFrom<i64> for Percent {
    type Error = String;
    fn try_from(percent: i64) -> Result<Percent, String> {
        match percent {
            0..=100 => Ok(Percent(percent)),
            _ => Err(format!("{percent} percent are not between 0 and 100")),
        }
    }
}

/// 1, 11(i)
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "PostedKill")]
pub(super) struct Kill {
    pub(super) kind: KillKind,
    pub(super) qualifies: KillPot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum KillKind {
    Kill,
    HalfKill,
}

impl KillKind {
    /// Limits are doubled, or increased by half. 1
    pub(super) fn raise(self, limit: Cents) -> Cents {
        match self {
            KillKind::Kill => limit.fraction(2, 1, Rounding::DOWN),
            KillKind::HalfKill => limit.fraction(3, 2, Rounding::DOWN),
        }
    }
}

/// The pot that a kill needs.
#[derive(Clone, Copy, Debug)]
pub(super) enum KillPot {
    Amount(Cents),
    /// So many times the minimum wager of the hand.
    Multiple(u32),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PostedKill {
    r#type: KillKind,
    amount: Option<Cents>,
    multiple: Option<u32>,
}

impl TryFrom<PostedKill> for Kill {
    type Error = &'static str;
    fn try_from(posted: PostedKill) -> Result<Kill, &'static str> {
        let qualifies = match (posted.amount, posted.multiple) {
            (Some(amount), None) => KillPot::Amount(amount),
            (None, Some(multiple)) => KillPot::Multiple(multiple),
            _ => return Err("a kill has either \"amount\" or \"multiple\""),
        };
        Ok(Kill {
            kind: posted.r#type,
            qualifies,
        })
    }
}

impl Options {
    /// What the sign of this form must state.
    pub(super) fn check(&self, facts: &FormFacts, rules: &Rules) -> Result<(), Refusal> {
        let limits = self.limits();
        if limits.len() != facts.rounds {
            let what = format!(
                "{} pairs; this form has {} betting rounds, one [min, max] each",
                limits.len(),
                facts.rounds
            );
            return Err(Refusal::at("options.bet_limits", what));
        }
        let withheld = self.jackpot.as_ref().and_then(|posted| posted.withheld_bp);
        if withheld.is_some() && !rules.withholds {
            let what = "is not a key of this edition";
            return Err(Refusal::at("options.jackpot.withheld_bp", what));
        }
        if facts.is_stud() && self.ante_by != AnteBy::Each {
            let what = "only a form with a button has one ante for the table";
            return Err(Refusal::at("options.ante_by", what));
        }
        if self.betting == Structure::Limit
            && let Some(round) = limits.iter().position(|(_, max)| max.is_none())
        {
            let what = "null is for pot_limit and no_limit: a limit game posts its maximum";
            return Err(Refusal::at(format!("options.bet_limits[{round}][1]"), what));
        }
        if facts.is_stud() && self.forced_bet.is_none() {
            let what = "missing: a stud form posts its forced bet";
            return Err(Refusal::at("options.forced_bet", what));
        }
        if !facts.is_stud() && self.blinds.as_ref().is_none_or(Vec::is_empty) {
            let what = "missing: a form with a button posts one blind or more";
            return Err(Refusal::at("options.blinds", what));
        }
        Ok(())
    }

    pub(super) fn limits(&self) -> &[(Cents, Option<Cents>)] {
        self.bet_limits.as_deref().unwrap_or_default()
    }

    /// The blinds that a form has; a stud form has none whatever the sign says.
    pub(super) fn blinds(&self, facts: &FormFacts) -> &[Cents] {
        match &self.blinds {
            Some(blinds) if !facts.is_stud() => blinds,
            _ => &[],
        }
    }

    /// 9(i)2, 20(j)(2)
    pub(super) fn odd_chip(&self, facts: &FormFacts) -> OddChip {
        match facts.odd_chip {
            OddChipRule::CardBySuit => OddChip::CardBySuit,
            OddChipRule::CardBySuitUnlessPosted => self.odd_chip.unwrap_or(OddChip::CardBySuit),
            OddChipRule::Posted => self.odd_chip.unwrap_or(OddChip::FirstSeat),
        }
    }
}
