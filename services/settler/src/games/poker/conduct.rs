//! Players whose conduct was reported: they are not dealt in again, and it is told to the commission. 16(b)

use std::collections::BTreeMap;

use catwalk_events::body::{Body, Irregularity};
use catwalk_events::{Event, Timestamp};
use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::round::RoundFold;

const CONDUCT: &str = "player_conduct";
const DAY: i64 = 24 * 3_600_000_000;
/// So many seats are kept; a table has fewer.
const MAX_SEATS: usize = 32;
/// So much that was told and not reported is kept: enough to be looked into.
const MAX_UNREPORTED: usize = 256;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Conduct {
    /// What was told, by seat, until another player sits there.
    seats: BTreeMap<u32, u64>,
    /// What was told and not reported since, and when.
    unreported: Vec<(u64, Timestamp)>,
}

impl Conduct {
    /// An event of no round.
    pub(super) fn see_aside(&mut self, event: &Event, faults: &mut Vec<Fault>) {
        match &event.body {
            Body::Irregularity(told) => self.tell(told, event.seq, event.at),
            Body::DiscrepancyReported(reported) if reported.about == CONDUCT => {
                self.unreported.clear();
            }
            Body::TableClosed(_) => {
                let (seats, now) = (&self.seats, event.at);
                let unreported = self.unreported.drain(..);
                faults.extend(unreported.map(|told| not_reported(told, seats, now)));
                self.seats.clear();
            }
            _ => {}
        }
    }

    pub(super) fn buy_in(&mut self, seat: Option<u32>) {
        self.seats.retain(|&other, _| Some(other) != seat);
    }

    /// The round has ended: who was dealt in, and what was told of players in it.
    pub(super) fn end(&mut self, round: &RoundFold, faults: &mut Vec<Fault>) {
        for (seq, body) in &round.play {
            match body {
                Body::BuyIn(buy_in) => self.buy_in(buy_in.seat),
                Body::CardDealt(card) => {
                    let told = card.seat.and_then(|seat| self.seats.remove_entry(&seat));
                    faults.extend(told.map(|(seat, told)| {
                        let message =
                            format!("Seat {seat} was dealt in again after its conduct was told");
                        Fault::new("conduct.player_stays", vec![told, *seq], message).at_seat(seat)
                    }));
                }
                _ => {}
            }
        }
        // Of what is told in this round the next deals speak.
        for (seq, body) in &round.play {
            match body {
                Body::Irregularity(told) => self.tell(told, *seq, round.opened_at),
                Body::DiscrepancyReported(reported) if reported.about == CONDUCT => {
                    self.unreported.clear();
                }
                _ => {}
            }
        }
        let (seats, now) = (&self.seats, round.opened_at);
        let late = self
            .unreported
            .extract_if(.., |(_, since)| now.micros() - since.micros() > DAY);
        faults.extend(late.map(|told| not_reported(told, seats, now)));
    }

    fn tell(&mut self, told: &Irregularity, seq: u64, at: Timestamp) {
        if told.kind != CONDUCT {
            return;
        }
        if self.unreported.len() < MAX_UNREPORTED {
            self.unreported.push((seq, at));
        }
        let detail = told.detail.as_ref().map(|detail| detail.value());
        let seat = detail.and_then(|detail| detail.get("seat")?.as_u64());
        let seat = seat.and_then(|seat| u32::try_from(seat).ok());
        if let Some(seat) = seat.filter(|_| self.seats.len() < MAX_SEATS) {
            self.seats.insert(seat, seq);
        }
    }
}

/// Whose conduct it was, and how long nobody has reported it.
fn not_reported(
    (seq, since): (u64, Timestamp),
    seats: &BTreeMap<u32, u64>,
    now: Timestamp,
) -> Fault {
    let seat = seats.iter().find(|(_, told)| **told == seq);
    let who = seat.map_or("a player".to_owned(), |(seat, _)| format!("seat {seat}"));
    let minutes = now.micros().saturating_sub(since.micros()) / (DAY / 24 / 60);
    let message = format!("The conduct of {who} was not reported in {minutes} minutes");
    Fault::new("conduct.not_reported", vec![seq], message)
}
