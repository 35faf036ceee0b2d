//! Rounds whose opening or end nobody told of: they begin with the first wager, card, roll or spin that names
//! them, and end with the feed if nothing is left to be settled in them.

use std::collections::VecDeque;

use catwalk_events::body::{Body, RoundClosed, RoundOpened};
use catwalk_events::{Event, Source, SourceKind, Timestamp};
use serde::{Deserialize, Serialize};

use super::Table;
use crate::round::{RoundFold, WagerFold, is_of_play};
use crate::settler::{Laws, Output};

/// So many rounds that have ended are known by name, the oldest first to go: they do not begin again.
const MAX_ENDED: usize = 32;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Openings {
    ended: VecDeque<String>,
    /// The last round that was played on when it had ended.
    played_on: Option<String>,
    /// Events are missing since a round last opened: what another began with may be among them.
    missing: bool,
    /// The last event.
    last: Option<(u64, Timestamp)>,
}

impl Openings {
    pub(super) fn lose(&mut self) {
        self.missing = true;
    }

    pub(super) fn open(&mut self) {
        self.missing = false;
    }

    /// May the opening of a table or a round be among what is missing?
    pub(super) fn is_blind(&self) -> bool {
        self.missing
    }

    /// Is it known to be over?
    pub(super) fn has_ended(&self, round: &str) -> bool {
        self.ended.iter().any(|ended| ended == round)
    }

    /// A round that has ended is played on: true the first time.
    pub(super) fn play_on(&mut self, round: &str) -> bool {
        let is_new = self.played_on.as_deref() != Some(round);
        self.played_on = Some(round.to_owned());
        is_new
    }

    pub(super) fn see(&mut self, event: &Event) {
        self.last = Some((event.seq, event.at));
    }

    pub(super) fn end(&mut self, round: String) {
        self.ended.push_back(round);
        if self.ended.len() > MAX_ENDED {
            self.ended.pop_front();
        }
    }
}

impl Table {
    /// Opens the round that an event begins. Only an open table deals, and of a round that may have begun
    /// among what is missing nothing is said.
    pub(super) fn open_untold(&mut self, event: &Event, laws: &Laws, out: &mut Vec<Output>) {
        let round = event.round.as_ref();
        let Some(id) = round.filter(|_| begins_round(&event.body)) else {
            return;
        };
        let is_known = self.rounds.contains_key(id) || self.openings.ended.contains(id);
        if is_known || !self.is_open || self.rules.is_none() {
            return;
        }
        let missing = self.openings.missing;
        let opened = RoundOpened {
            shoe: None,
            banker: None,
            meters: None,
            set: None,
            dice_set: None,
            wheel: None,
        };
        let opening = Event {
            body: Body::RoundOpened(opened),
            ..event.clone()
        };
        self.fold(opening, laws, out);
        if let Some(round) = self.rounds.get_mut(id) {
            round.opened_untold = true;
            round.incomplete |= missing;
        }
    }

    /// The feed has ended. A round in which every wager was paid, taken or given back is over, told or not.
    pub(crate) fn end_untold(&mut self, laws: &Laws, out: &mut Vec<Output>) {
        let Some((seq, at)) = self.openings.last else {
            return;
        };
        let is_over = |round: &&RoundFold| {
            !round.wagers.is_empty() && round.wagers.iter().all(WagerFold::is_touched)
        };
        let over = self.rounds.values().filter(is_over);
        let mut over: Vec<(u64, String)> = over
            .map(|round| (round.opened_seq, round.id.clone()))
            .collect();
        over.sort();
        for (_, round) in over {
            let end = Event {
                id: format!("{round} ends"),
                property: self.property.clone(),
                table: self.table.clone(),
                seq,
                at,
                source: Source {
                    kind: SourceKind::System,
                    id: "feed".to_owned(),
                },
                round: Some(round),
                body: Body::RoundClosed(RoundClosed { reason: None }),
                shift: None,
                received_at: None,
            };
            self.fold(end, laws, out);
        }
    }

    /// A round that began untold is told to open after all: true if it is that one, which goes on.
    pub(super) fn tell_opening(&mut self, id: &str, opened: &RoundOpened) -> bool {
        let round = self.rounds.get_mut(id);
        let Some(round) = round.filter(|round| round.opened_untold && round.play.is_empty()) else {
            return false;
        };
        round.opened_untold = false;
        round.opened.clone_from(opened);
        true
    }
}

fn begins_round(body: &Body) -> bool {
    let is_bet = matches!(body, Body::WagerPlaced(_) | Body::BettingClosed(_));
    is_bet || is_of_play(body)
}
