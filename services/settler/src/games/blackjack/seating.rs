//! Who has bet in every round of a shoe, where nobody else may come in before the shuffle, 3(i), 4.H.

use catwalk_events::body::{Body, WagerPlaced};

use super::told::guest;
use super::watch::Kept;
use super::{House, Scene};
use crate::fault::Fault;
use crate::round::RoundFold;

/// So many guests of a shoe are remembered.
const MAX_GUESTS: usize = 64;

impl Kept {
    /// A shoe begins: anybody may come in. It may go by the name of the one before.
    pub(super) fn start_shoe(&mut self, shoe: &str) {
        if self.shoe.as_deref() == Some(shoe) {
            self.shoe = None;
        }
        self.started = Some(shoe.to_owned());
    }

    pub(super) fn check_entry(
        &self,
        scene: &Scene<'_>,
        placed: &WagerPlaced,
        faults: &mut Vec<Fault>,
    ) {
        let round = scene.round;
        let who = named(placed.player.clone(), placed.seat);
        let same_shoe = self.shoe.is_some() && self.shoe == self.shoe_of(round);
        let is_barred = !House::of(round).mid_shoe_entry && !is_let_in(round, placed.seat);
        if same_shoe && is_barred && !self.steady.contains(&who) {
            let message = format!("{who} sat out a round of this shoe and bets again");
            let fault = Fault::new("wager.mid_shoe_entry", vec![scene.seq], message);
            faults.push(fault.of_wager(&placed.wager).at_seat(placed.seat));
        }
    }

    /// Remembers who played the round.
    pub(super) fn remember(&mut self, round: &RoundFold) {
        let mains = || round.wagers.iter().filter(|wager| wager.kind == "main");
        let here: Vec<String> = mains().map(|main| named(guest(main), main.seat)).collect();
        let continuous = round
            .rules
            .option("shuffler")
            .is_some_and(|word| word == "continuous");
        let shoe = self.shoe_of(round);
        if round.incomplete || continuous || shoe.is_none() {
            // Nobody knows who sat out.
            self.shoe = None;
        } else if self.shoe == shoe {
            self.steady.retain(|who| here.contains(who));
            let let_in = mains().filter(|main| is_let_in(round, main.seat));
            self.steady
                .extend(let_in.map(|main| named(guest(main), main.seat)));
            self.steady.sort_unstable();
            self.steady.dedup();
        } else {
            self.shoe = shoe;
            self.steady = here;
        }
        self.steady.truncate(MAX_GUESTS);
    }

    /// The shoe that a round is dealt from: the last one that began, where the round does not say.
    fn shoe_of(&self, round: &RoundFold) -> Option<String> {
        let told = round.opened.shoe.as_ref();
        told.or(self.started.as_ref()).cloned()
    }
}

/// The house may let somebody in; it says so of a seat or of all.
fn is_let_in(round: &RoundFold, seat: u32) -> bool {
    round.play.iter().any(|(_, body)| match body {
        Body::Irregularity(told) if told.kind.contains("entry") => {
            let detail = told.detail.as_ref().map(|detail| detail.value());
            let named = detail.and_then(|detail| detail["seat"].as_u64());
            named.is_none_or(|named| named == u64::from(seat))
        }
        _ => false,
    })
}

fn named(player: Option<String>, seat: u32) -> String {
    player.unwrap_or_else(|| format!("Seat {seat}"))
}
