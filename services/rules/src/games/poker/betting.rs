//! The replay of the betting rounds: as the chips were laid down, and as the players said. What is said in turn goes
//! before what is done, so money follows the words; a fault of turn or size is one only if both replays show it at the
//! same action: nobody errs who answers what he heard, nor who answers what he saw. 7(d), 15(j)

use std::collections::BTreeSet;

use super::incidents::Ruling;
use super::posts::Posted;
use super::pots::Refunds;
use super::room::Room;
use super::street::Street;
use crate::floor::Cents;
use crate::refusal::Refusal;
use crate::settlement::Violations;

/// Whether words count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    LaidDown,
    Said,
}

/// What the betting came to, by place.
#[derive(Clone)]
pub(super) struct Betting {
    /// Chips in the pot, by betting round, those that are owed too.
    pub(super) chips: Vec<Vec<Cents>>,
    /// Chips of the main pot that are no part of a bet.
    pub(super) dead: Vec<Cents>,
    /// Chips that a seat bound itself to, or owes as a forced bet, and did not put in. 15(j)2
    pub(super) owed: Vec<Cents>,
    pub(super) is_in: Vec<bool>,
    /// The betting round in which a hand left.
    pub(super) out_in: Vec<Option<usize>>,
    /// Why the chips of a hand that left go back, if they do.
    pub(super) refunded: Vec<Option<&'static str>>,
    /// How many were in when each betting round began.
    pub(super) players_at: Vec<usize>,
    /// Who bet or raised last in the final betting round.
    pub(super) last_bettor: Option<usize>,
    pub(super) refunds: Refunds,
    /// Faults of turn and size, by betting round and action.
    pub(super) faults: BTreeSet<(usize, usize, &'static str)>,
    /// Faults that no other replay has to show: what was done against a word, hands that were taken up.
    pub(super) certain: Violations,
}

impl Betting {
    pub(super) fn players_in(&self) -> usize {
        self.is_in.iter().filter(|&&is_in| is_in).count()
    }

    /// All chips put in so far, rake not deducted.
    pub(super) fn in_pot(&self) -> Cents {
        let live = self.chips.iter().flatten();
        live.chain(&self.dead).copied().sum()
    }

    fn before_the_cards(room: &Room<'_>, ruling: &Ruling, posted: &Posted) -> Betting {
        let count = room.players.len();
        let rounds = room.facts.rounds;
        let mut betting = Betting {
            chips: vec![vec![Cents::ZERO; rounds]; count],
            dead: posted.dead.clone(),
            owed: vec![Cents::ZERO; count],
            is_in: room.players.iter().map(|player| player.dealt).collect(),
            out_in: vec![None; count],
            refunded: vec![None; count],
            players_at: Vec::with_capacity(rounds),
            last_bettor: None,
            refunds: posted.refunds.clone(),
            faults: BTreeSet::new(),
            certain: Violations::default(),
        };
        for (place, &chips) in posted.in_pot.iter().enumerate() {
            betting.chips[place][0] = chips;
        }
        for &(place, reason) in &ruling.kept_out {
            betting.is_in[place] = false;
            betting.out_in[place] = Some(0);
            betting.refunded[place] = Some(reason);
        }
        betting
    }
}

pub(super) fn replay(
    room: &Room<'_>,
    ruling: &Ruling,
    posted: &Posted,
    reading: Reading,
) -> Result<Betting, Refusal> {
    let mut betting = Betting::before_the_cards(room, ruling, posted);
    let mut left = posted.left.clone();
    for index in 0..room.facts.rounds {
        betting.players_at.push(betting.players_in());
        Street::new(
            room,
            ruling,
            posted,
            reading,
            index,
            &mut betting,
            &mut left,
        )
        .play()?;
    }
    Ok(betting)
}
