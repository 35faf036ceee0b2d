//! The call of no more bets, at tables where it comes before the outcome is on its way.
//!
//! A feed may not tell of calls at all. That one is missing shows only where the feed tells of others, or
//! where it comes when the outcome is there already.

use catwalk_events::body::Body;
use serde::{Deserialize, Serialize};

use super::{End, Scene, order};
use crate::fault::Fault;

/// What is known of the calls at a table, to be kept between rounds.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Calls {
    are_told: bool,
}

impl Calls {
    /// Raises the code where an outcome comes without a call, or a call after it.
    pub(super) fn see(
        self,
        scene: &Scene<'_>,
        is_outcome: fn(&Body) -> bool,
        code: &'static str,
        faults: &mut Vec<Fault>,
    ) {
        let has_come = || scene.round.play.iter().any(|(_, body)| is_outcome(body));
        let missing = match scene.body {
            Body::BettingClosed(_) => has_come() && !scene.round.called,
            body => is_outcome(body) && self.are_told && !scene.round.called,
        };
        if missing {
            let message = "No more bets was not called before the outcome was on its way";
            order::raise(scene, code, message, faults);
        }
    }

    /// The same with what a round showed.
    pub(super) fn after(self, end: &End<'_>) -> Calls {
        Calls {
            are_told: self.are_told || end.round.called,
        }
    }
}
