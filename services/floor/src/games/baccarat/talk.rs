//! What is said at a table of the baccarat games: calls of the dealer, and who deals from the shoe.

use catwalk_events::body::{Body, Decision};
use catwalk_rules::floor::Card;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::hand::points;

/// The seat of the dealer who calls the game.
const HOUSE: u32 = 0;

/// The talk of one table.
#[derive(Debug, Default)]
pub(super) struct Talk {
    /// Does the feed of the table tell it?
    pub(super) told: bool,
    /// Do players deal?
    pub(super) curated: bool,
    curator: Option<u32>,
    shoe: String,
    banker_lost: bool,
    /// The curator had to pass the shoe before this hand.
    pub(super) must_pass: Option<u32>,
}

impl Talk {
    /// Who deals this hand: the curator while the Banker does not lose, then the next who will.
    pub(super) fn curate(
        &mut self,
        shoe: String,
        seats: &[u32],
        rng: &mut ChaCha8Rng,
    ) -> Vec<Body> {
        if !(self.told && self.curated) {
            return Vec::new();
        }
        let is_new = self.shoe != shoe;
        self.shoe = shoe;
        let from = self.curator.filter(|_| !is_new).unwrap_or(HOUSE);
        self.must_pass = (from != HOUSE && self.banker_lost).then_some(from);
        let stays = from != HOUSE && seats.contains(&from) && self.must_pass.is_none();
        if stays && rng.random_range(0..8) > 0 {
            return vec![says(from, "deal")];
        }
        let mut others: Vec<u32> = seats.iter().copied().filter(|&seat| seat != from).collect();
        others.sort_unstable_by_key(|&seat| (seat <= from, seat));
        let mut said = Vec::new();
        let mut taker = HOUSE;
        for seat in others {
            if rng.random_range(0..3) > 0 {
                taker = seat;
                break;
            }
            said.push(says(seat, "decline_shoe"));
        }
        self.curator = Some(taker);
        said.push(says(taker, "deal"));
        said
    }

    /// The curator deals on all the same.
    pub(super) fn keep(&mut self, seat: u32) -> Vec<Body> {
        self.curator = Some(seat);
        vec![says(seat, "deal")]
    }

    /// Nobody can hold this hand against the curator.
    pub(super) fn forget(&mut self) {
        self.banker_lost = false;
    }

    /// The counts after the first cards.
    pub(super) fn counts(&self, player: &[Card], banker: &[Card]) -> Vec<Body> {
        let calls = [("player", player), ("banker", banker)];
        let call = |(side, hand): (&str, &[Card])| says(HOUSE, &format!("{side} {}", points(hand)));
        calls.into_iter().filter(|_| self.told).map(call).collect()
    }

    /// The counts of all cards, and who wins.
    pub(super) fn result(&mut self, player: &[Card], banker: &[Card]) -> Vec<Body> {
        let (ours, theirs) = (points(player), points(banker));
        self.banker_lost = theirs < ours;
        let mut calls = self.counts(player, banker);
        let word = match ours.cmp(&theirs) {
            std::cmp::Ordering::Greater => "player wins",
            std::cmp::Ordering::Less => "banker wins",
            std::cmp::Ordering::Equal => "tie",
        };
        calls.extend(self.told.then(|| says(HOUSE, word)));
        calls
    }
}

/// Makes a call of the round wrong; false if none was told.
pub(super) fn miscall(events: &mut [Body]) -> bool {
    let call = events.iter_mut().rev().find_map(|body| match body {
        Body::Decision(said) if said.seat == HOUSE => Some(said),
        _ => None,
    });
    let Some(call) = call else { return false };
    let wrong = match call.action.as_str() {
        "tie" => "player wins",
        _ => "tie",
    };
    call.action = wrong.to_owned();
    true
}

fn says(seat: u32, action: &str) -> Body {
    Decision {
        seat,
        hand: None,
        action: action.to_owned(),
        amount: None,
    }
    .into()
}
