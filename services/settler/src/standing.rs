//! What of a table outlives its rounds and belongs to its game: a point that is on, a shooter, a
//! streak, vigorish owed.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One value of the game's own type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Standing(Value);

#[allow(dead_code, reason = "for games whose wagers or points outlive a round")]
impl Standing {
    /// What was kept, or the default where nothing was or where another game kept it.
    pub(crate) fn read<T: DeserializeOwned + Default>(&self) -> T {
        T::deserialize(&self.0).unwrap_or_default()
    }

    /// Keeps it. What cannot be written is not kept.
    pub(crate) fn keep<T: Serialize>(&mut self, kept: &T) {
        self.0 = serde_json::to_value(kept).unwrap_or_default();
    }
}
