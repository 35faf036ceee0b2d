//! The tray: chips that were there, came and went add up to those that are counted.
//!
//! Only a table that tells of everything can be held against its count: its opening, every round, what
//! players bought, fills and credits. One that tells little of it is not judged, and neither is a table at
//! which something happened whose chips nobody can follow.

use catwalk_events::Event;
use catwalk_events::audit::SettledWager;
use catwalk_events::body::Body;
use catwalk_rules::Settlement;
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};

use super::{Floor, Sighting};
use crate::settler::SettledRound;
use crate::table::RulesInForce;

/// A table that has told of so many rounds, and of money, tells of everything.
const LEAST_ROUNDS: u32 = 50;

/// What must be in the tray, since the last count.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Tray {
    /// `None` where it is not known.
    expected: Option<Cents>,
    since: u64,
    rounds: u32,
    sells_chips: bool,
}

impl Tray {
    pub(super) fn lose(&mut self) {
        self.expected = None;
    }

    pub(super) fn see(&mut self, event: &Event, floor: &Floor<'_>, seen: &mut Vec<Sighting>) {
        match &event.body {
            Body::TableOpened(opened) => {
                // Tournament chips are no money.
                let is_counted = opened.tournament != Some(true);
                *self = Tray {
                    expected: is_counted.then_some(opened.opening_inventory),
                    since: event.seq,
                    ..Tray::default()
                };
            }
            Body::BuyIn(bought) => {
                self.sells_chips = true;
                self.add(-bought.amount);
            }
            Body::Fill(fill) => self.add(fill.amount),
            Body::Credit(credit) => self.add(-credit.amount),
            Body::InventoryCounted(counted) => {
                self.compare(counted.amount, event.seq, seen);
                let known = self.expected.map(|_| counted.amount);
                (self.expected, self.since) = (known, event.seq);
            }
            Body::TableClosed(closed) => {
                self.compare(closed.closing_inventory, event.seq, seen);
                self.expected = None;
            }
            // What was marked in an earlier round.
            Body::CommissionCollected(collected)
                if !floor.is_round_open
                    && floor.rules.is_some_and(RulesInForce::defers_vigorish) =>
            {
                self.add(collected.amount);
            }
            // A jackpot may be paid at the cage, and what is put right later is put right anywhere.
            Body::JackpotPaid(_) => self.expected = None,
            _ if floor.is_correction => self.expected = None,
            _ => {}
        }
    }

    /// A round has ended. Of one that was not `plain` nobody knows which chips went where.
    pub(crate) fn settled(&mut self, round: &SettledRound, plain: bool) {
        self.rounds = self.rounds.saturating_add(1);
        // Players of the poker room play for each other's chips, and what the house takes of them goes into
        // its boxes: however wrong a hand is, the tray stays as it is.
        if round.rules.game == "poker" {
            return;
        }
        match won(round).filter(|_| plain) {
            Some(won) => self.add(won),
            None => self.expected = None,
        }
    }

    fn add(&mut self, chips: Cents) {
        if let Some(expected) = &mut self.expected {
            *expected += chips;
        }
    }

    fn compare(&self, counted: Cents, seq: u64, seen: &mut Vec<Sighting>) {
        let tells_all = self.rounds >= LEAST_ROUNDS && self.sells_chips;
        let Some(expected) = self.expected.filter(|chips| tells_all && *chips != counted) else {
            return;
        };
        let code = match counted > expected {
            true => "tray.over",
            false => "tray.short",
        };
        let message = format!("{counted} was counted in the tray, and {expected} must be there");
        let mut sighting = Sighting::new(code, vec![self.since, seq], message);
        sighting.lost = expected - counted;
        seen.push(sighting);
    }
}

/// What the house won in a round, as it was paid; `None` where that is not known.
fn won(round: &SettledRound) -> Option<Cents> {
    if round.voided {
        let is_even = |wager: &SettledWager| {
            let kept = wager.collected.unwrap_or_default();
            wager.paid == Cents::ZERO && kept == Cents::ZERO
        };
        return round.wagers.iter().all(is_even).then_some(Cents::ZERO);
    }
    let settlement: &Settlement = round.settlement.as_ref().filter(|_| round.complete)?;
    if settlement.violations().iter().next().is_some() {
        return None;
    }
    let bonuses = settlement.bonuses().iter().map(|bonus| bonus.amount);
    let mut won = -bonuses.sum::<Cents>();
    // Seat 0 is the house: what it stakes against a bank is in the bank's share.
    for wager in round.wagers.iter().filter(|wager| wager.seat != 0) {
        won += wager.put_up() - wager.due_back()? - wager.difference?;
    }
    // What is only marked comes to the tray when it is collected.
    Some(won - round.owed)
}
