//! The count of the cards left over at a table of the three and the seven card bonus. 17(h)

use catwalk_events::body::Body;
use serde::{Deserialize, Serialize};

use super::{deal, is_ohio};
use crate::fault::Fault;
use crate::games::End;
use crate::round::RoundFold;

/// The stub is counted at least once in so many rounds.
const ROUNDS: u32 = 5;
const BONUSES: [&str; 2] = ["three_card_bonus", "seven_card_bonus"];

/// Rounds since the last count. A feed that tells neither of a count nor of the shuffle is not held to
/// it, nor is a table whose cards a machine shuffles and may count. 17(i)
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Stub {
    counted: bool,
    #[serde(default)]
    by_hand: bool,
    rounds: u32,
}

impl Stub {
    /// What happens to the cards between rounds. Those that come new are counted as they are sorted.
    pub(super) fn see(&mut self, body: &Body) {
        match body {
            Body::CardsCounted(_) => (self.counted, self.rounds) = (true, 0),
            Body::CardsInspected(_) => self.rounds = 0,
            Body::ShoeStarted(started) => self.by_hand = started.shuffler.is_none(),
            _ => {}
        }
    }

    pub(super) fn follow(&mut self, end: &End<'_>, faults: &mut Vec<Fault>) {
        let round = end.round;
        if is_ohio(&round.rules) || !is_dealt_to_wagers(round) || end.voided {
            return;
        }
        if round.incomplete {
            *self = Stub::default();
        } else if deal::remaining(round).is_some() {
            (self.counted, self.rounds) = (true, 0);
        } else {
            self.rounds = self.rounds.saturating_add(1);
        }
        if (self.counted || self.by_hand) && self.rounds == ROUNDS + 1 {
            let message = format!("The stub was not counted in {} rounds", self.rounds);
            let evidence = vec![round.opened_seq, end.seq];
            faults.push(Fault::new("deck.count_overdue", evidence, message));
        }
    }
}

/// Only areas with a wager get cards where these bonuses are offered.
fn is_dealt_to_wagers(round: &RoundFold) -> bool {
    let is_bonus = |kind: &str| BONUSES.contains(&kind);
    let posted = round.rules.option("side_bets");
    let posted = posted.as_ref().and_then(|posted| posted.as_array());
    let mut posted = posted.into_iter().flatten();
    posted.any(|kind| kind.as_str().is_some_and(is_bonus))
        || round.wagers.iter().any(|wager| is_bonus(&wager.kind))
}
