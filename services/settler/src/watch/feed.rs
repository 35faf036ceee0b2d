//! The feed itself: clocks that step back, play at a closed table, and payments that belong to no
//! round. Repeats and gaps are seen by their numbers, before an event has its turn.

use catwalk_events::body::Body;
use catwalk_events::{Event, Timestamp};
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};

use super::{AtTable, MINUTE, Sighting};

/// Clocks of devices may differ by so much.
const SKEW_MINUTES: i64 = 5;

/// The last event, and what was told since the table closed.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct FeedOrder {
    last: Option<(Timestamp, u64)>,
    /// When the table closed; one that was never told to open is not closed either.
    closed: Option<u64>,
    told: bool,
    /// Events are missing: the opening of a round may be among them.
    blind: bool,
}

impl FeedOrder {
    pub(super) fn lose(&mut self) {
        self.blind = true;
    }

    /// The right time, if the clock has just stepped back to it.
    pub(super) fn see(
        &mut self,
        event: &Event,
        table: &AtTable<'_>,
        seen: &mut Vec<Sighting>,
    ) -> Option<Timestamp> {
        match &event.body {
            Body::TableOpened(_) => (self.closed, self.told) = (None, false),
            Body::TableClosed(_) if table.is_open => self.closed = Some(event.seq),
            Body::TableClosed(_) => {}
            Body::RoundOpened(_) => self.blind = false,
            _ => self.check(event, table, seen),
        }
        // What came late from before the beginning of the feed says nothing of the clock.
        if self.last.is_some_and(|(_, seq)| event.seq < seq) {
            return None;
        }
        let (before, seq) = self.last.replace((event.at, event.seq))?;
        let back = before.micros().saturating_sub(event.at.micros());
        if back <= SKEW_MINUTES * MINUTE {
            return None;
        }
        let message = format!("The clock stepped back from {before} to {}", event.at);
        seen.push(Sighting::new("feed.clock", vec![seq, event.seq], message));
        Some(event.at)
    }

    fn check(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        // A round that was open when the table closed is played out and paid.
        if table.is_round_open || self.blind {
            return;
        }
        if let Some(closed) = self.closed
            && is_of_patrons(&event.body)
            && !std::mem::replace(&mut self.told, true)
        {
            let message = format!("{} at a table that is closed", deed(&event.body));
            let evidence = vec![closed, event.seq];
            seen.push(Sighting::new("feed.closed_table", evidence, message));
        }
        // A table whose opening was not told may have rounds that were not told either.
        let Some(amount) = payment(&event.body).filter(|_| table.rules.is_some()) else {
            return;
        };
        if !table.is_correction {
            let message = match &event.round {
                Some(round) => format!("{amount} was paid in round {round}, which is not open"),
                None => format!("{amount} was paid outside of any round"),
            };
            let code = "feed.payout_without_round";
            let mut sighting = Sighting::new(code, vec![event.seq], message);
            sighting.paid = Some(amount);
            if let Body::WagerPaid(paid) = &event.body {
                sighting.wager = Some(paid.wager.clone());
            }
            seen.push(sighting);
        }
    }
}

/// What patrons do. Wheels, dice and cards are also tried and shuffled while a table is closed.
fn is_of_patrons(body: &Body) -> bool {
    matches!(
        body,
        Body::WagerPlaced(_) | Body::WagerChanged(_) | Body::BuyIn(_) | Body::Decision(_)
    )
}

/// What a patron did.
fn deed(body: &Body) -> String {
    match body {
        Body::WagerPlaced(placed) => {
            let kind = placed.kind.replace('_', " ");
            format!("Seat {} bet {} on {kind}", placed.seat, placed.amount)
        }
        Body::WagerChanged(changed) => {
            format!("Wager {} was changed to {}", changed.wager, changed.amount)
        }
        Body::BuyIn(bought) => match bought.seat {
            Some(seat) => format!("Seat {seat} bought in with {}", bought.amount),
            None => format!("A player bought in with {}", bought.amount),
        },
        Body::Decision(said) => format!("Seat {} said \"{}\"", said.seat, said.action),
        _ => "Patrons played".to_owned(),
    }
}

/// What goes to a player. Jackpots are verified first, and often paid when their round is long over.
fn payment(body: &Body) -> Option<Cents> {
    match body {
        Body::WagerPaid(paid) => Some(paid.amount),
        Body::PotAwarded(awarded) => Some(awarded.amount),
        _ => None,
    }
}
