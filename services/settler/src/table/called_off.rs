//! A round that was called off: stakes may be given back, and payments taken back, when it is over.

use catwalk_events::body::Body;
use catwalk_events::{Event, Timestamp};
use serde::{Deserialize, Serialize};

use super::Table;
use crate::games;
use crate::judge::{self, Undone};
use crate::round::{RoundFold, WagerFold};
use crate::settler::{Laws, Output};
use crate::standing::Standing;
use crate::wagers::{self, Moment};

/// It waits until something else happens.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CalledOff {
    round: RoundFold,
    at: Timestamp,
    #[serde(default)]
    undone: Option<Undone>,
}

impl CalledOff {
    /// Only where stakes have to go back is there something to wait for.
    pub(super) fn of(
        round: &RoundFold,
        (seq, at): (u64, Timestamp),
        laws: &Laws,
        standing: &Standing,
    ) -> Option<CalledOff> {
        let folder = games::folder(&round.rules.game)?;
        let gives_back = |wager: &WagerFold| folder.gives_back(round, wager);
        let is_any = round.wagers.iter().any(gives_back) || !round.strays.is_empty();
        let waits = round.is_told() && is_any;
        waits.then(|| {
            let mut round = round.clone();
            judge::leave_decided(&mut round, laws, standing);
            let undone = Undone::of(&round, seq, laws, standing);
            CalledOff { round, at, undone }
        })
    }
}

impl Table {
    /// Takes in what becomes of the stakes of a round that was called off; with anything else it is over.
    pub(super) fn follow_called_off(&mut self, event: &Event, laws: &Laws, out: &mut Vec<Output>) {
        match &mut self.called_off {
            Some(waiting)
                if is_of_stakes(&event.body) && event.round.as_ref() == Some(&waiting.round.id) =>
            {
                let moment = Moment {
                    folder: games::folder(&waiting.round.rules.game),
                    standing: &self.standing,
                    seq: event.seq,
                    outcome: None,
                };
                wagers::fold(
                    &mut waiting.round,
                    moment,
                    event.body.clone(),
                    &mut Vec::new(),
                );
            }
            Some(_) => self.end_called_off(laws, out),
            None => {}
        }
    }

    /// Is this of a round that was called off, and nothing else has happened since?
    pub(super) fn is_undoing(&self, event: &Event) -> bool {
        let waiting = self.called_off.as_ref();
        let round = waiting.map(|waiting| &waiting.round.id);
        is_of_stakes(&event.body) && round.is_some_and(|id| event.round.as_ref() == Some(id))
    }

    /// Says what of it was not given back.
    pub(super) fn end_called_off(&mut self, laws: &Laws, out: &mut Vec<Output>) {
        let Some(CalledOff { round, at, undone }) = self.called_off.take() else {
            return;
        };
        let bench = judge::Bench {
            property: &self.property,
            table: &self.table,
        };
        let said = out.len();
        let lost = judge::not_given_back(bench, &round, at, laws, out);
        // What was paid or kept all the same was told, wager by wager.
        if let Some(undone) = undone.filter(|_| out.len() == said) {
            undone.raise(bench, &round, at, laws, out);
        }
        self.watch.tray.called_off(lost);
    }
}

/// Chips that may undo what was done in a round that was called off.
fn is_of_stakes(body: &Body) -> bool {
    matches!(
        body,
        Body::WagerPushed(_) | Body::WagerCollected(_) | Body::WagerRemoved(_) | Body::WagerPaid(_)
    )
}
