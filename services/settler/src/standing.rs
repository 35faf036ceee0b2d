//! What of a table outlives its rounds and belongs to its game: a point that is on, a shooter, a
//! streak, vigorish owed.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One value of the game's own type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Standing {
    kept: Value,
    /// Events are missing since it was kept.
    doubtful: bool,
}

#[allow(dead_code, reason = "for games whose wagers or points outlive a round")]
impl Standing {
    /// What was kept, or the default where nothing was or where another game kept it.
    pub(crate) fn read<T: DeserializeOwned + Default>(&self) -> T {
        T::deserialize(&self.kept).unwrap_or_default()
    }

    /// Keeps it, beyond doubt. What cannot be written is not kept.
    pub(crate) fn keep<T: Serialize>(&mut self, kept: &T) {
        self.kept = serde_json::to_value(kept).unwrap_or_default();
        self.doubtful = false;
    }

    /// Events are missing: what was kept may not be so any more.
    pub(crate) fn doubt(&mut self) {
        self.doubtful = true;
    }

    pub(crate) fn is_doubtful(&self) -> bool {
        self.doubtful
    }
}
