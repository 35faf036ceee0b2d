//! Money: whole cents in a type of their own, and the ways a fraction of a cent is rounded.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use serde::{Deserialize, Serialize};

/// An amount in cents. Negative where the house receives it or a bank pays in.
///
/// Every amount that enters from outside is at most [`Cents::LIMIT`], odds are at most
/// [`super::Odds::LIMIT`] to one, and a round has at most [`crate::round::MAX_WAGERS`] wagers: the
/// product of the three fits into 63 bits, so the sums of a round do too. The operators assert it.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Cents(i64);

impl Cents {
    pub const ZERO: Cents = Cents(0);
    /// The largest amount that a document may hold: a billion dollars.
    pub const LIMIT: Cents = Cents(100_000_000_000);

    pub const fn new(cents: i64) -> Cents {
        Cents(cents)
    }

    pub const fn get(self) -> i64 {
        self.0
    }

    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }

    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    pub fn checked_add(self, other: Cents) -> Option<Cents> {
        self.0.checked_add(other.0).map(Cents)
    }

    pub fn checked_sub(self, other: Cents) -> Option<Cents> {
        self.0.checked_sub(other.0).map(Cents)
    }

    /// So many times the amount.
    pub fn times(self, count: i64) -> Cents {
        Cents(self.0.checked_mul(count).expect(WITHIN_LIMITS))
    }

    /// `self * numerator / denominator`, rounded. The denominator must be positive.
    pub fn fraction(self, numerator: i64, denominator: i64, rounding: Rounding) -> Cents {
        assert!(
            denominator > 0,
            "a fraction of money needs a positive denominator"
        );
        rounding.divide(
            i128::from(self.0) * i128::from(numerator),
            i128::from(denominator),
        )
    }

    /// So many hundredths of a percent of the amount: 500 basis points are 5%.
    pub fn basis_points(self, points: i64, rounding: Rounding) -> Cents {
        self.fraction(points, 10_000, rounding)
    }

    pub fn percent(self, percent: i64, rounding: Rounding) -> Cents {
        self.fraction(percent, 100, rounding)
    }

    /// True if the amount is a whole number of units.
    pub fn is_multiple_of(self, unit: Cents) -> bool {
        unit.0 > 0 && self.0 % unit.0 == 0
    }
}

const WITHIN_LIMITS: &str = "amounts of a round stay within 63 bits: Cents::LIMIT says why";

/// What becomes of a fraction. The rules name the direction and, often, a unit larger than a cent
/// (vigorish in steps of 25 cents); the amount ends as a whole number of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    Down(Cents),
    Up(Cents),
    /// To the nearest unit, a half upwards.
    Nearest(Cents),
}

impl Rounding {
    /// The fraction of a cent is dropped.
    pub const DOWN: Rounding = Rounding::Down(Cents(1));
    /// The next higher cent.
    pub const UP: Rounding = Rounding::Up(Cents(1));

    /// `numerator / denominator` cents as a whole number of units.
    fn divide(self, numerator: i128, denominator: i128) -> Cents {
        let (Rounding::Down(unit) | Rounding::Up(unit) | Rounding::Nearest(unit)) = self;
        assert!(unit.0 > 0, "a rounding unit is at least a cent");
        let step = denominator * i128::from(unit.0);
        let units = match self {
            Rounding::Down(_) => numerator.div_euclid(step),
            Rounding::Up(_) => -(-numerator).div_euclid(step),
            Rounding::Nearest(_) => (2 * numerator + step).div_euclid(2 * step),
        };
        let cents = units * i128::from(unit.0);
        Cents(i64::try_from(cents).expect(WITHIN_LIMITS))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    #[error("{0} cents are less than nothing")]
    Negative(i64),
    #[error("{0} cents are beyond the limit of {limit} (a billion dollars)", limit = Cents::LIMIT.0)]
    Absurd(i64),
}

impl<'de> Deserialize<'de> for Cents {
    /// Amounts from outside are never negative and never absurd.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Cents, D::Error> {
        let cents = i64::deserialize(deserializer)?;
        let error = match cents {
            ..0 => MoneyError::Negative(cents),
            _ if cents > Cents::LIMIT.0 => MoneyError::Absurd(cents),
            _ => return Ok(Cents(cents)),
        };
        Err(serde::de::Error::custom(error))
    }
}

impl Add for Cents {
    type Output = Cents;
    fn add(self, other: Cents) -> Cents {
        self.checked_add(other).expect(WITHIN_LIMITS)
    }
}

impl Sub for Cents {
    type Output = Cents;
    fn sub(self, other: Cents) -> Cents {
        self.checked_sub(other).expect(WITHIN_LIMITS)
    }
}

impl Neg for Cents {
    type Output = Cents;
    fn neg(self) -> Cents {
        Cents::ZERO - self
    }
}

impl AddAssign for Cents {
    fn add_assign(&mut self, other: Cents) {
        *self = *self + other;
    }
}

impl SubAssign for Cents {
    fn sub_assign(&mut self, other: Cents) {
        *self = *self - other;
    }
}

impl Sum for Cents {
    fn sum<I: Iterator<Item = Cents>>(amounts: I) -> Cents {
        amounts.fold(Cents::ZERO, Add::add)
    }
}

impl fmt::Debug for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}c", self.0)
    }
}

/// As a person reads it: `$1,234.56`.
impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cents = self.0.unsigned_abs();
        let dollars = (cents / 100).to_string();
        let mut text = String::with_capacity(dollars.len() * 4 / 3 + 5);
        text.push_str(if self.0 < 0 { "-$" } else { "$" });
        for (place, digit) in dollars.chars().enumerate() {
            if place > 0 && (dollars.len() - place).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        text.push_str(&format!(".{:02}", cents % 100));
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vigorish_goes_up_to_the_unit_and_exact_multiples_stay() {
        let quarter = Rounding::Up(Cents(25));
        assert_eq!(Cents(4400).percent(5, quarter), Cents(225));
        assert_eq!(Cents(4500).percent(5, quarter), Cents(225));
        assert_eq!(Cents(4410).percent(5, Rounding::DOWN), Cents(220));
        assert_eq!(Cents(4410).percent(5, Rounding::UP), Cents(221));
        assert_eq!(
            Cents(4410).percent(5, Rounding::Nearest(Cents(1))),
            Cents(221)
        );
        assert_eq!(
            Cents(4409).percent(5, Rounding::Nearest(Cents(1))),
            Cents(220)
        );
    }

    #[test]
    fn rounding_of_negative_amounts_keeps_its_direction() {
        assert_eq!(Cents(-5).fraction(1, 2, Rounding::DOWN), Cents(-3));
        assert_eq!(Cents(-5).fraction(1, 2, Rounding::UP), Cents(-2));
    }

    #[test]
    fn amounts_from_outside_are_neither_negative_nor_absurd() {
        assert_eq!(
            serde_json::from_str::<Cents>("100000000000").unwrap(),
            Cents::LIMIT
        );
        for text in ["-1", "100000000001", "1.5", "\"5\"", "null", "1e3"] {
            assert!(serde_json::from_str::<Cents>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn dollars_read_as_a_person_writes_them() {
        let cases = [
            (0, "$0.00"),
            (5, "$0.05"),
            (123_456_789, "$1,234,567.89"),
            (-250, "-$2.50"),
        ];
        for (cents, text) in cases {
            assert_eq!(Cents(cents).to_string(), text);
        }
    }
}
