//! Odds as exact ratios.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Cents, Rounding};

/// What a winning wager pays beyond its stake: `win` to `stake`.
///
/// Data may also say `N for M` (the stake is part of the N); it is turned into "to" odds when read.
#[derive(Clone, Copy, Debug)]
pub struct Odds {
    win: u32,
    stake: u32,
}

impl Odds {
    /// No wager pays more than so much to one, and none is staked in more than so many parts.
    pub const LIMIT: u32 = 50_000;
    pub const EVEN: Odds = Odds { win: 1, stake: 1 };

    /// `win` to `stake`, both from 1 to [`Odds::LIMIT`].
    pub const fn to(win: u32, stake: u32) -> Option<Odds> {
        if win == 0 || stake == 0 || win > Self::LIMIT || stake > Self::LIMIT {
            return None;
        }
        Some(Odds { win, stake })
    }

    /// What a stake wins beyond itself.
    pub fn win_on(self, stake: Cents, rounding: Rounding) -> Cents {
        stake.fraction(i64::from(self.win), i64::from(self.stake), rounding)
    }

    /// Left of the colon.
    pub const fn win(self) -> u32 {
        self.win
    }

    /// Right of the colon.
    pub const fn stake(self) -> u32 {
        self.stake
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} are not odds: write \"3:2\", both positive and at most {limit}", limit = Odds::LIMIT)]
pub struct ParseOddsError(String);

impl Odds {
    /// As in data files: `"8:1"` (to) or `"9 for 1"`.
    pub fn parse_filed(text: &str) -> Result<Odds, ParseOddsError> {
        let Some((paid, stake)) = text.split_once(" for ") else {
            return text.parse();
        };
        let fail = || ParseOddsError(text.to_owned());
        let (paid, stake) = (
            digits(paid).ok_or_else(fail)?,
            digits(stake).ok_or_else(fail)?,
        );
        paid.checked_sub(stake)
            .and_then(|win| Odds::to(win, stake))
            .ok_or_else(fail)
    }
}

fn digits(text: &str) -> Option<u32> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())?
}

impl FromStr for Odds {
    type Err = ParseOddsError;

    fn from_str(text: &str) -> Result<Odds, ParseOddsError> {
        text.split_once(':')
            .and_then(|(win, stake)| Odds::to(digits(win)?, digits(stake)?))
            .ok_or_else(|| ParseOddsError(text.to_owned()))
    }
}

impl PartialEq for Odds {
    fn eq(&self, other: &Odds) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Odds {}

impl PartialOrd for Odds {
    fn partial_cmp(&self, other: &Odds) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// By what they pay: 6:4 equals 3:2.
impl Ord for Odds {
    fn cmp(&self, other: &Odds) -> std::cmp::Ordering {
        let cross = |a: u32, b: u32| u64::from(a) * u64::from(b);
        cross(self.win, other.stake).cmp(&cross(other.win, self.stake))
    }
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}:{}", self.win, self.stake))
    }
}

impl Serialize for Odds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Odds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Odds, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn for_odds_become_to_odds() {
        assert_eq!(Odds::parse_filed("9 for 1"), Ok(Odds::to(8, 1).unwrap()));
        assert_eq!(Odds::parse_filed("8:1"), Ok(Odds::to(8, 1).unwrap()));
        assert!(Odds::parse_filed("1 for 1").is_err() && Odds::parse_filed("1 for 2").is_err());
    }

    #[test]
    fn equal_ratios_are_equal_odds() {
        assert_eq!("6:4".parse::<Odds>(), Ok(Odds::to(3, 2).unwrap()));
        assert!("7:5".parse::<Odds>().unwrap() < "3:2".parse().unwrap());
    }

    #[test]
    fn a_fraction_of_a_cent_goes_where_the_rules_send_it() {
        let three_to_two = Odds::to(3, 2).unwrap();
        assert_eq!(
            three_to_two.win_on(Cents::new(5), Rounding::DOWN),
            Cents::new(7)
        );
        assert_eq!(
            three_to_two.win_on(Cents::new(5), Rounding::UP),
            Cents::new(8)
        );
    }

    #[test]
    fn what_is_no_ratio_is_refused() {
        for text in [
            "", "3", "3:", ":2", "0:1", "1:0", "-3:2", "+3:2", "3:2:1", "3 : 2", "50001:1",
        ] {
            assert!(text.parse::<Odds>().is_err(), "{text}");
        }
    }
}
