//! Charges for time by their schedule. 14(b)3
//!
//! A charge is due an interval after the last one, or after the first hand, and the dealer collects it with the
//! next hand. A table that stood still for as long begins anew.

use catwalk_events::body::Body;
use catwalk_events::{Event, Timestamp};
use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::round::RoundFold;

const MINUTE: i64 = 60_000_000;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Clock {
    /// The last charge, the time at which it was due, or the first hand.
    charged: Option<Timestamp>,
    /// The last hand began.
    dealt: Option<Timestamp>,
    /// A hand that began after the next charge was due went by without it.
    waits: bool,
}

impl Clock {
    /// Charges may be collected between hands.
    pub(super) fn see_aside(&mut self, event: &Event) {
        match event.body {
            Body::RakeTaken(_) => self.charge(self.last(event.at)),
            Body::TableClosed(_) => *self = Clock::default(),
            _ => {}
        }
    }

    pub(super) fn end(&mut self, round: &RoundFold, faults: &mut Vec<Fault>) {
        let now = round.opened_at;
        let since = |then: Timestamp| now.micros() - then.micros();
        let Some(interval) = super::money::time_interval(round) else {
            *self = Clock::default();
            return;
        };
        let stood_still = self
            .dealt
            .is_some_and(|dealt| since(dealt) > interval * MINUTE);
        let charged_at = self.last(now);
        self.dealt = Some(now);
        let taken = |(_, body): &(u64, Body)| matches!(body, Body::RakeTaken(_));
        if stood_still || round.incomplete || round.play.iter().any(taken) {
            return self.charge(charged_at);
        }
        let charged = *self.charged.get_or_insert(now);
        if since(charged) <= interval * MINUTE {
            self.waits = false;
            return;
        }
        if !std::mem::replace(&mut self.waits, true) {
            return;
        }
        let message = format!("No charge for time was collected for more than {interval} minutes");
        let evidence = vec![round.opened_seq];
        faults.push(Fault::new("time.missed", evidence, message));
        self.charge(now);
    }

    /// This moment, or the last hand's where the clock is behind it: a charge is not older than its hand.
    fn last(&self, now: Timestamp) -> Timestamp {
        self.dealt.map_or(now, |dealt| dealt.max(now))
    }

    fn charge(&mut self, at: Timestamp) {
        self.charged = Some(at);
        self.waits = false;
    }
}
