//! Where the game starts: in its first round nobody banks. 8(b); 10(b)
//!
//! Tiles that come new are laid out before they are washed, and cards spread before they are: 4(b), 5(c).
//! Cards that were shuffled before they came are neither spread nor washed. A deck that was washed with
//! another and waits in the shuffler for its turn starts nothing when its turn comes.

use std::collections::BTreeMap;

use catwalk_events::body::{Body, DealingMethod};
use serde::{Deserialize, Serialize};

/// Sets that are told apart; a table has one, or two in turn, and one in reserve.
const MAX_SETS: usize = 8;
/// What is dealt at a table whose feed has not told of its tiles.
const UNTOLD: &str = "";
/// A set that was brought and never opened.
const RESERVE_RETURNED: &str = "reserve_returned";

/// Rounds since then, and the sets at the table as far as they were told of.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Start {
    rounds: u32,
    is_round_open: bool,
    /// Of tiles, in the order in which they came: the first is dealt.
    tiles: Vec<String>,
    /// Decks that were washed since the last round; true for those that came while one was on.
    washed: BTreeMap<String, bool>,
    preshuffled: Vec<String>,
    /// The deck that is dealt, where the feed tells of shuffles.
    dealt: Option<String>,
    /// It is dealt from an automated shoe.
    by_machine: bool,
    /// A deck has left a table whose feed does not tell which one is dealt.
    has_left: bool,
}

impl Start {
    /// The table has opened again: only what waits in sealed containers is as it was.
    pub(super) fn again(self) -> Start {
        Start {
            preshuffled: self.preshuffled,
            ..Start::default()
        }
    }

    pub(super) fn is_first_round(&self) -> bool {
        self.rounds == 0
    }

    pub(super) fn is_by_machine(&self) -> bool {
        self.by_machine
    }

    /// A round has opened.
    pub(super) fn open_round(&mut self) {
        self.is_round_open = true;
    }

    pub(super) fn close_round(&mut self) {
        self.rounds = self.rounds.saturating_add(1);
        self.is_round_open = false;
        self.has_left = false;
        self.washed.retain(|_, in_round| std::mem::take(in_round));
    }

    pub(super) fn see(&mut self, body: &Body) {
        match body {
            Body::TilesIntroduced(tiles) => self.lay_out(&tiles.set),
            Body::TilesRemoved(tiles) => self.take_away(&tiles.set),
            Body::CardsDelivered(cards) if cards.preshuffled => {
                self.washed.remove(&cards.set);
                if self.preshuffled.len() == MAX_SETS {
                    self.preshuffled.remove(0);
                }
                self.preshuffled.push(cards.set.clone());
            }
            Body::CardsDelivered(cards) => self.wash(&cards.set),
            Body::CardsInspected(cards) => self.wash(&cards.set),
            Body::CardsRemoved(cards) if cards.reason != RESERVE_RETURNED => {
                self.washed.remove(&cards.set);
                self.has_left = true;
                self.start_untold();
            }
            Body::ShoeStarted(started) => {
                if self.washed.remove(&started.set).is_some() {
                    self.rounds = 0;
                }
                self.dealt = Some(started.set.clone());
                self.by_machine = started.method == DealingMethod::AutoShoe;
            }
            _ => {}
        }
    }

    fn lay_out(&mut self, set: &str) {
        if self.tiles.is_empty() && self.rounds > 0 {
            self.tiles.push(UNTOLD.to_owned());
        }
        let is_known = self.tiles.iter().any(|known| known == set);
        if !is_known && self.tiles.len() < MAX_SETS {
            self.tiles.push(set.to_owned());
        }
    }

    /// When the set that is dealt leaves, the next one is laid out. A reserve leaves nothing to do.
    fn take_away(&mut self, set: &str) {
        let known = self.tiles.iter().position(|known| known == set);
        let at = known.or_else(|| self.tiles.iter().position(|known| known == UNTOLD));
        if let Some(at) = at {
            self.tiles.remove(at);
        }
        if at == Some(0) || self.tiles.is_empty() {
            self.rounds = 0;
        }
    }

    fn wash(&mut self, set: &str) {
        let is_new = !self.preshuffled.iter().any(|known| known == set)
            && self.dealt.as_deref() != Some(set);
        if is_new && self.washed.len() < MAX_SETS {
            self.washed.insert(set.to_owned(), self.is_round_open);
            self.start_untold();
        }
    }

    /// Of a feed that tells of no shuffle it is known that a deck was replaced.
    fn start_untold(&mut self) {
        if self.dealt.is_none() && self.has_left && !self.washed.is_empty() {
            self.washed.clear();
            self.rounds = 0;
        }
    }
}
