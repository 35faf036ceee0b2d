//! Vigorish that is collected later: marked when it falls due, collected before the next shoe.

use catwalk_events::Event;
use catwalk_events::body::{Body, CommissionCollected};
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};

use super::Kept;
use super::words::{self, plain};
use crate::fault::Fault;
use crate::games::End;
use crate::standing::Standing;
use crate::table::RulesInForce;

/// So many markers are kept; a shoe has fewer hands and seats than that.
const MAX_MARKERS: usize = 1_024;

/// What the players of a table owe, wager by wager.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Owed {
    markers: Vec<Marker>,
    /// Those that were reported as outstanding: what is collected on them late is owed all the same.
    #[serde(default)]
    overdue: Vec<Marker>,
    /// A round could not be settled since the last shoe began: more may be owed than is known.
    blind: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct Marker {
    round: String,
    wager: String,
    seat: u32,
    amount: Cents,
    /// The end of the round.
    seq: u64,
}

/// Collections of what is owed, and the moments by which it must be paid: a new shoe, a player who
/// leaves, and the end of play, when every player does.
pub(super) fn aside(
    event: &Event,
    rules: &RulesInForce,
    standing: &mut Standing,
    faults: &mut Vec<Fault>,
) -> bool {
    if !rules.defers_vigorish() {
        return false;
    }
    let mut kept = Kept::of(standing);
    let owed = &mut kept.owed;
    match &event.body {
        Body::CommissionCollected(collected) => {
            owed.collect(event, collected, faults);
        }
        Body::ShoeStarted(_) | Body::TableClosed(_) => owed.fall_due(None, event.seq, faults),
        Body::Decision(said) if words::leaves(said) => {
            owed.fall_due(Some(said.seat), event.seq, faults);
        }
        Body::Decision(said) if plain(&said.action) == "marker_removed" => {
            owed.check_marker(said.seat, event.seq, faults);
        }
        _ => return false,
    }
    standing.keep(&kept);
    true
}

impl Owed {
    /// Marks what a round leaves unpaid.
    pub(super) fn add(&mut self, end: &End<'_>) {
        let round = end.round;
        let Some(settlement) = end.settlement else {
            self.blind |= !end.voided;
            return;
        };
        for due in settlement.wagers() {
            let Some(wager) = round.wager(due.id.as_str()) else {
                continue;
            };
            // What hangs on a card that nobody saw may owe some.
            self.blind |= due.range.is_some();
            let amount = wager.vigorish_left(due);
            if amount.is_positive() && self.markers.len() < MAX_MARKERS {
                self.markers.push(Marker {
                    round: round.id.clone(),
                    wager: wager.id.clone(),
                    seat: wager.seat,
                    amount,
                    seq: end.seq,
                });
            }
        }
    }

    /// Takes a payment off the wager that it names, and what is left of it off the other markers of the same
    /// seat. Names are those of a round: where none is told that has it, the amount may tell whose it is.
    fn collect(&mut self, event: &Event, collected: &CommissionCollected, faults: &mut Vec<Fault>) {
        let all = || self.markers.iter().chain(&self.overdue);
        let named = || all().filter(|marker| marker.wager == collected.wager);
        let of_round = named().find(|marker| Some(&marker.round) == event.round.as_ref());
        let of_seat = |seat: u32| -> Cents {
            let theirs = all().filter(|marker| marker.seat == seat);
            theirs.map(|marker| marker.amount).sum()
        };
        let first = of_round
            .or_else(|| named().find(|marker| marker.amount == collected.amount))
            .or_else(|| named().find(|marker| of_seat(marker.seat) == collected.amount))
            .or_else(|| named().next());
        let is_certain = of_round.is_some();
        let seat = first.map(|marker| marker.seat);
        let exact = first.map(|marker| marker.round.clone());
        // The marker itself first, then its seat, then others of the name.
        let rank = |marker: &Marker| match marker.wager == collected.wager {
            true if Some(&marker.round) == exact.as_ref() => 0,
            _ if Some(marker.seat) == seat => 1,
            true if !is_certain => 2,
            _ => 3,
        };
        let mut left = collected.amount;
        for turn in 0..3 {
            let markers = self.markers.iter_mut().chain(&mut self.overdue);
            for marker in markers.filter(|marker| rank(marker) == turn) {
                let part = marker.amount.min(left);
                marker.amount -= part;
                left -= part;
            }
        }
        for markers in [&mut self.markers, &mut self.overdue] {
            markers.retain(|marker| marker.amount.is_positive());
        }
        if left.is_positive() && !self.blind {
            let message = format!(
                "{} of vigorish was collected, {left} more than was owed",
                collected.amount
            );
            let fault = Fault::new("commission.wrong", vec![event.seq], message);
            faults.push(Fault {
                seat,
                due: Some(collected.amount - left),
                paid: Some(collected.amount),
                exposure: -left,
                ..fault.of_wager(&collected.wager)
            });
        }
    }

    /// The marker of a seat stays until its vigorish is collected.
    pub(super) fn check_marker(&self, seat: u32, seq: u64, faults: &mut Vec<Fault>) {
        let markers = || self.markers.iter().filter(|marker| marker.seat == seat);
        let owed: Cents = markers().map(|marker| marker.amount).sum();
        if owed.is_positive() {
            let message = format!("The marker of seat {seat} is gone while {owed} is owed");
            let evidence = markers().map(|marker| marker.seq).chain([seq]).collect();
            let fault = Fault::new("vigorish.marker_removed", evidence, message);
            faults.push(fault.at_seat(seat));
        }
    }

    /// What is still owed now is outstanding, seat by seat: of all, or of one whose player leaves.
    pub(super) fn fall_due(&mut self, leaving: Option<u32>, seq: u64, faults: &mut Vec<Fault>) {
        let mut markers = match leaving {
            None => {
                self.blind = false;
                std::mem::take(&mut self.markers)
            }
            Some(seat) => self
                .markers
                .extract_if(.., |marker| marker.seat == seat)
                .collect(),
        };
        markers.sort_by_key(|marker| marker.seat);
        for of_seat in markers.chunk_by(|one, other| one.seat == other.seat) {
            let owed: Cents = of_seat.iter().map(|marker| marker.amount).sum();
            let seat = of_seat[0].seat;
            let message = format!("Vigorish of {owed} at seat {seat} was never collected");
            let evidence = of_seat.iter().map(|marker| marker.seq).chain([seq]);
            let fault = Fault::new("vigorish.outstanding", evidence.collect(), message);
            faults.push(Fault {
                due: Some(owed),
                paid: Some(Cents::ZERO),
                exposure: owed,
                ..fault.at_seat(seat)
            });
        }
        self.overdue.append(&mut markers);
        let surplus = self.overdue.len().saturating_sub(MAX_MARKERS);
        self.overdue.drain(..surplus);
    }

    /// Events are missing: what was owed may have been collected in them, and more may be owed.
    pub(super) fn doubt(&mut self) {
        *self = Owed {
            blind: true,
            ..Owed::default()
        };
    }
}
