//! Dice.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The face of one die that lies up, 1 to 6.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "u8")]
pub struct Die(u8);

impl Die {
    pub const ALL: [Die; 6] = [Die(1), Die(2), Die(3), Die(4), Die(5), Die(6)];

    pub const fn new(face: u8) -> Option<Die> {
        if 1 <= face && face <= 6 {
            Some(Die(face))
        } else {
            None
        }
    }

    pub const fn face(self) -> u8 {
        self.0
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a face of a die: faces are 1 to 6")]
pub struct NotADie(i64);

impl TryFrom<i64> for Die {
    type Error = NotADie;

    fn try_from(face: i64) -> Result<Die, NotADie> {
        u8::try_from(face)
            .ok()
            .and_then(Die::new)
            .ok_or(NotADie(face))
    }
}

impl From<Die> for u8 {
    fn from(die: Die) -> u8 {
        die.0
    }
}

impl fmt::Debug for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_die_has_six_faces() {
        for face in -1..9 {
            assert_eq!(Die::try_from(face).is_ok(), (1..=6).contains(&face));
        }
    }
}
