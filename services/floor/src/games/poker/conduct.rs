//! Players who conduct themselves against the rules: it is told and reported, and they play no more. 16(b)

use catwalk_events::Json;
use catwalk_events::body::{Body, DiscrepancyReported, Irregularity};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use super::Poker;
use crate::fault::FaultKind;

const CONDUCT: &str = "player_conduct";
/// One hand in so many is followed by it at an honest table.
const RARELY: u32 = 150;

impl Poker {
    /// At an honest table who misbehaves leaves, and it is reported.
    pub(super) fn show_out(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        // Where an earlier conduct is kept silent, a report would be taken for its own.
        if self.is_silent || rng.random_range(0..RARELY) > 0 {
            return Vec::new();
        }
        let Some(seat) = self.leave(rng) else {
            return Vec::new();
        };
        vec![told(Some(seat)), reported()]
    }

    pub(super) fn misbehave(
        &mut self,
        kind: FaultKind,
        rng: &mut ChaCha8Rng,
    ) -> Option<(Vec<Body>, Vec<&'static str>)> {
        if kind == FaultKind::SilentConduct {
            self.is_silent = true;
            // Where nobody can be spared, it is a bystander.
            let seat = self.leave(rng);
            return Some((vec![told(seat)], vec!["conduct.not_reported"]));
        }
        if kind != FaultKind::BarredPlayer {
            return None;
        }
        let enough = self.enough();
        let playing = self.stacks.iter().filter(|(_, stack)| **stack >= enough);
        let playing: Vec<u32> = playing.map(|(&seat, _)| seat).collect();
        let seat = *playing.choose(rng)?;
        self.barred = Some(seat);
        let mut bodies = vec![told(Some(seat))];
        bodies.extend((!self.is_silent).then(reported));
        Some((bodies, vec!["conduct.player_stays"]))
    }

    /// A player who can be spared leaves the table.
    fn leave(&mut self, rng: &mut ChaCha8Rng) -> Option<u32> {
        let seats: Vec<u32> = self.stacks.keys().copied().collect();
        let seat = *seats.choose(rng)?;
        if seats.len() < 4 || seat == self.kill {
            return None;
        }
        self.stacks.remove(&seat);
        self.missed.remove(&seat);
        Some(seat)
    }
}

fn told(seat: Option<u32>) -> Body {
    Irregularity {
        kind: CONDUCT.to_owned(),
        detail: seat.map(|seat| Json::new(&json!({ "seat": seat }))),
        ruling: "supervisor".to_owned(),
    }
    .into()
}

fn reported() -> Body {
    DiscrepancyReported {
        about: CONDUCT.to_owned(),
        set: None,
        kind: "foul_language".to_owned(),
        round: None,
        description: None,
        by: None,
        inspector: None,
        receipt: None,
        found_at: None,
        shift: None,
        pit: None,
        game: None,
        witness: None,
    }
    .into()
}
