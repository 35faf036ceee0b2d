//! Exact fractions, and how a person reads them.

use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// A fraction without error.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Exact(pub(crate) BigRational);

impl Exact {
    /// The fraction; the second of the two is not 0.
    pub fn new(numerator: impl Into<BigInt>, denominator: impl Into<BigInt>) -> Exact {
        Exact(BigRational::new(numerator.into(), denominator.into()))
    }

    /// In percent with four digits, rounded half away from zero.
    pub fn percent(&self) -> String {
        format!("{}%", self.rounded(100, 4))
    }

    /// So many times the fraction, with so many digits, rounded half away from zero.
    fn rounded(&self, times: u32, digits: usize) -> String {
        let scaled = &self.0 * BigInt::from(times) * BigInt::from(10).pow(digits as u32);
        let rounded = scaled.round().to_integer();
        let sign = if rounded.is_negative() { "-" } else { "" };
        let text = format!("{:0>width$}", rounded.abs().to_string(), width = digits + 1);
        let (whole, rest) = text.split_at(text.len() - digits);
        format!("{sign}{whole}.{rest}")
    }

    /// The nearest number that a machine has.
    pub fn approximate(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::NAN)
    }

    /// What stands `millionths` of a stake high, cut off.
    pub fn millionths(&self) -> i64 {
        (&self.0 * BigInt::from(1_000_000))
            .trunc()
            .to_integer()
            .to_i64()
            .unwrap_or(i64::MAX)
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Exact", 2)?;
        object.serialize_field("exact", &self.to_string())?;
        object.serialize_field("value", &self.approximate())?;
        object.end()
    }
}
