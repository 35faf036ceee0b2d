//! Vigorish: how a house rounds its share of a win.

use serde::Deserialize;

use crate::floor::{Cents, Rounding};

/// To the cent below, or up to a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum VigorishRounding {
    #[default]
    Exact,
    Up,
}

impl VigorishRounding {
    pub(crate) fn in_units_of(self, unit: Cents) -> Rounding {
        match self {
            VigorishRounding::Exact => Rounding::DOWN,
            VigorishRounding::Up => Rounding::Up(unit),
        }
    }
}
