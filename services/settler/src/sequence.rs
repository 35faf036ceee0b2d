//! A table's sequence numbers: repeats dropped, late arrivals put in order, gaps named.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::Write;

use catwalk_events::Event;
use serde::{Deserialize, Serialize};

use crate::settler::Unread;

/// So many events may wait for one that is missing; then it is given up as a gap.
pub(crate) const REORDER_WINDOW: usize = 64;
/// So many bytes of events may wait.
const REORDER_BYTES: usize = 64 * 1024;
/// An event that is so many numbers ahead says nothing about the order of those before it.
const REORDER_SPAN: u64 = 1_024;
/// When so long has passed on the floor, what waits goes on without what is missing.
const REORDER_MICROS: i64 = 10 * 60 * 1_000_000;
/// So many gaps are remembered, to tell a straggler from a repeat.
const GAPS_REMEMBERED: usize = 16;
/// Of so many events it is remembered what they said, to tell a repeat from another event under its number.
const SAYINGS_REMEMBERED: usize = 128;

/// An event as the feed brought it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Arrival {
    pub(crate) event: Event,
    /// Where in the feed it stood.
    pub(crate) offset: u64,
    pub(crate) bytes: usize,
}

impl Arrival {
    pub(crate) fn unread(self, reason: String) -> Unread {
        Unread {
            offset: self.offset,
            ..Unread::of(self.event, reason)
        }
    }
}

/// What is next, and what came too early.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Sequence {
    /// The number that comes next; `None` before the first event.
    next: Option<u64>,
    waiting: BTreeMap<u64, Waiting>,
    /// First and last number of the gaps that were given up, oldest first.
    gaps: VecDeque<(u64, u64)>,
    /// The number that the feed began with.
    #[serde(default)]
    first: Option<u64>,
    /// Numbers before it that came late, at most a window of them.
    #[serde(default)]
    before_first: BTreeSet<u64>,
    /// The last events by their numbers, and a digest of what they said.
    #[serde(default)]
    sayings: VecDeque<(u64, u64)>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Waiting {
    arrival: Arrival,
    /// So many events had their turn since it came.
    passed: usize,
}

/// What a received event means for the sequence.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// An event whose turn it is.
    Ready(Box<Arrival>),
    /// An event of a number that was seen before; it has no other effect.
    Repeat { seq: u64 },
    /// The same, and it says something else than the first.
    Contradiction(Box<Arrival>),
    /// An event that came after its successors, in time to be put in its place.
    Late { seq: u64, after: u64 },
    /// Numbers `from` to `to` never came; the events after them go on without.
    Gap { from: u64, to: u64 },
    /// An event of a gap, after the gap was given up.
    TooLate(Box<Arrival>),
    /// An event far from the others, which went on without it.
    Stray { arrival: Box<Arrival>, next: u64 },
}

impl Sequence {
    /// Takes an event and says what can go on now, in order.
    pub(crate) fn receive(&mut self, arrival: Arrival) -> Vec<Step> {
        let (seq, at) = (arrival.event.seq, arrival.event.at);
        if self.next.is_none() {
            self.first = Some(seq);
        }
        let next = *self.next.get_or_insert(seq);
        if self.waiting.contains_key(&seq) {
            return vec![self.again(arrival)];
        }
        if let Some(first) = self.first.filter(|first| seq < *first) {
            return self.receive_before(arrival, first, next);
        }
        if seq < next {
            let missed = |&(from, to): &(u64, u64)| (from..=to).contains(&seq);
            return vec![match self.gaps.iter().any(missed) {
                true => Step::TooLate(Box::new(arrival)),
                false => self.again(arrival),
            }];
        }
        let mut steps = Vec::new();
        if let Some(after) = self.last_near(next)
            && seq < after
        {
            steps.push(Step::Late { seq, after });
        }
        self.remember(&arrival.event);
        if seq == next {
            self.go_on_with(arrival, &mut steps);
            self.put_out_strays(&mut steps);
            return steps;
        }
        let passed = 0;
        self.waiting.insert(seq, Waiting { arrival, passed });
        let too_long = |waiting: &Waiting| {
            at.micros()
                .saturating_sub(waiting.arrival.event.at.micros())
                > REORDER_MICROS
        };
        let bytes: usize = self.waiting.values().map(|w| w.arrival.bytes).sum();
        if self.waiting.len() > REORDER_WINDOW
            || bytes > REORDER_BYTES
            || self.waiting.values().next().is_some_and(too_long)
        {
            self.give_up_gap(&mut steps);
        }
        steps
    }

    /// Nothing more will come: what waits goes on, and what is missing is a gap.
    pub(crate) fn finish(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        while !self.waiting.is_empty() {
            self.give_up_gap(&mut steps);
        }
        steps
    }

    /// The first events of a feed may change places too: what comes after the one that it began with, and
    /// belongs before it, has its turn as long as nobody went far on without it.
    fn receive_before(&mut self, arrival: Arrival, first: u64, next: u64) -> Vec<Step> {
        let seq = arrival.event.seq;
        let window = REORDER_WINDOW as u64;
        if self.before_first.contains(&seq) {
            return vec![self.again(arrival)];
        }
        let arrival = Box::new(arrival);
        if first - seq > window || next - first > window {
            return vec![Step::Stray { arrival, next }];
        }
        self.before_first.insert(seq);
        self.remember(&arrival.event);
        let after = next - 1;
        vec![Step::Late { seq, after }, Step::Ready(arrival)]
    }

    fn remember(&mut self, event: &Event) {
        self.sayings.push_back((event.seq, digest(event)));
        if self.sayings.len() > SAYINGS_REMEMBERED {
            self.sayings.pop_front();
        }
    }

    /// A number that was seen before. Of what was forgotten nobody can tell whether it said the same.
    fn again(&self, arrival: Arrival) -> Step {
        let seq = arrival.event.seq;
        let known = self.sayings.iter().rev().find(|(known, _)| *known == seq);
        match known.is_some_and(|(_, said)| *said != digest(&arrival.event)) {
            true => Step::Contradiction(Box::new(arrival)),
            false => Step::Repeat { seq },
        }
    }

    /// The last number that waits, of those that are not far ahead.
    fn last_near(&self, next: u64) -> Option<u64> {
        let near = next..next.saturating_add(REORDER_SPAN);
        self.waiting.range(near).next_back().map(|(seq, _)| *seq)
    }

    fn give_up_gap(&mut self, steps: &mut Vec<Step>) {
        let Some((first, waiting)) = self.waiting.pop_first() else {
            return;
        };
        let from = self.next.unwrap_or(first);
        if from < first {
            steps.push(Step::Gap {
                from,
                to: first - 1,
            });
            self.gaps.push_back((from, first - 1));
            if self.gaps.len() > GAPS_REMEMBERED {
                self.gaps.pop_front();
            }
        }
        self.go_on_with(waiting.arrival, steps);
    }

    fn go_on_with(&mut self, arrival: Arrival, steps: &mut Vec<Step>) {
        let mut next = arrival.event.seq.saturating_add(1);
        steps.push(Step::Ready(Box::new(arrival)));
        while let Some(waiting) = self.waiting.remove(&next) {
            steps.push(Step::Ready(Box::new(waiting.arrival)));
            next = next.saturating_add(1);
        }
        self.next = Some(next);
    }

    /// An event that is still far ahead when a window of others had their turn is no part of the
    /// sequence: waiting for it would only hide the table behind a gap one day.
    fn put_out_strays(&mut self, steps: &mut Vec<Step>) {
        let next = self.next.unwrap_or_default();
        for waiting in self.waiting.values_mut() {
            waiting.passed = waiting.passed.saturating_add(1);
        }
        let is_stray = |(seq, waiting): (&u64, &Waiting)| {
            waiting.passed > REORDER_WINDOW && *seq - next >= REORDER_SPAN
        };
        let strays: Vec<u64> = self
            .waiting
            .iter()
            .filter(|entry| is_stray(*entry))
            .map(|(seq, _)| *seq)
            .collect();
        for seq in strays {
            if let Some(waiting) = self.waiting.remove(&seq) {
                let arrival = Box::new(waiting.arrival);
                steps.push(Step::Stray { arrival, next });
            }
        }
    }
}

/// What an event says, without its id and its way: FNV-1a of the round and the body as they are written. A device
/// that sends again may stamp again.
fn digest(event: &Event) -> u64 {
    struct Fnv(u64);
    impl Write for Fnv {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            for byte in bytes {
                self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut said = Fnv(0xcbf2_9ce4_8422_2325);
    // Events are written without fail: they were read.
    let _ = serde_json::to_writer(&mut said, &(&event.round, &event.body));
    said.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use catwalk_events::json;

    fn arrival(seq: u64) -> Arrival {
        let line = format!(
            r#"{{"id":"{seq}","property":"ebh","table":"R-1","seq":{seq},"at":"2026-11-15T20:01:02Z","source":{{"kind":"system","id":"s"}},"body":{{"type":"clock"}}}}"#
        );
        Arrival {
            event: json::read(&line).unwrap(),
            offset: seq,
            bytes: line.len(),
        }
    }

    /// What comes out, in short: a number for an event that is ready, or what else happened.
    fn receive(sequence: &mut Sequence, seqs: &[u64]) -> Vec<String> {
        seqs.iter()
            .flat_map(|&seq| sequence.receive(arrival(seq)))
            .map(|step| name(&step))
            .collect()
    }

    fn name(step: &Step) -> String {
        match step {
            Step::Ready(arrival) => arrival.event.seq.to_string(),
            Step::Repeat { seq } => format!("repeat {seq}"),
            Step::Contradiction(arrival) => format!("contradiction {}", arrival.event.seq),
            Step::Late { seq, after } => format!("late {seq} after {after}"),
            Step::Gap { from, to } => format!("gap {from}-{to}"),
            Step::TooLate(arrival) => format!("too late {}", arrival.event.seq),
            Step::Stray { arrival, next } => format!("stray {} at {next}", arrival.event.seq),
        }
    }

    #[test]
    fn a_feed_in_order_goes_straight_through() {
        assert_eq!(
            receive(&mut Sequence::default(), &[7, 8, 9]),
            ["7", "8", "9"]
        );
    }

    #[test]
    fn a_late_event_is_put_in_its_place() {
        let steps = receive(&mut Sequence::default(), &[1, 3, 4, 2, 5]);
        assert_eq!(steps, ["1", "late 2 after 4", "2", "3", "4", "5"]);
    }

    #[test]
    fn a_repeat_has_no_effect_even_while_it_waits() {
        let steps = receive(&mut Sequence::default(), &[1, 1, 3, 3, 2]);
        assert_eq!(
            steps,
            ["1", "repeat 1", "repeat 3", "late 2 after 3", "2", "3"]
        );
    }

    #[test]
    fn what_says_something_else_under_a_number_that_was_used_is_no_repeat() {
        let mut sequence = Sequence::default();
        assert_eq!(receive(&mut sequence, &[1, 2, 4]), ["1", "2"]);
        for seq in [1, 2, 4] {
            let mut other = arrival(seq);
            other.event.round = Some("r9".to_owned());
            let steps: Vec<String> = sequence.receive(other).iter().map(name).collect();
            assert_eq!(steps, [format!("contradiction {seq}")]);
        }
        let mut stamped = arrival(2);
        stamped.event.at = "2026-11-15T20:11:03Z".parse().unwrap();
        let steps: Vec<String> = sequence.receive(stamped).iter().map(name).collect();
        assert_eq!(steps, ["repeat 2"]);
    }

    #[test]
    fn what_never_comes_is_a_gap_once_the_window_is_full() {
        let mut sequence = Sequence::default();
        let mut seqs = vec![1];
        seqs.extend(4..4 + REORDER_WINDOW as u64 + 1);
        let steps = receive(&mut sequence, &seqs);
        assert_eq!(steps[..3], ["1", "gap 2-3", "4"]);
        assert_eq!(steps.len(), REORDER_WINDOW + 3);
        assert_eq!(receive(&mut sequence, &[2, 1]), ["too late 2", "repeat 1"]);
    }

    #[test]
    fn the_first_events_of_a_feed_may_change_places() {
        let mut sequence = Sequence::default();
        let steps = receive(&mut sequence, &[2, 1, 1, 3]);
        assert_eq!(steps, ["2", "late 1 after 2", "1", "repeat 1", "3"]);
    }

    #[test]
    fn what_was_sent_long_before_the_feed_began_is_no_repeat() {
        let mut sequence = Sequence::default();
        let steps = receive(&mut sequence, &[5_000, 100, 5_001]);
        assert_eq!(steps, ["5000", "stray 100 at 5001", "5001"]);
        let rest: Vec<u64> = (5_002..5_080).collect();
        receive(&mut sequence, &rest);
        assert_eq!(receive(&mut sequence, &[4_999]), ["stray 4999 at 5080"]);
    }

    #[test]
    fn the_end_of_the_feed_closes_every_gap() {
        let mut sequence = Sequence::default();
        assert_eq!(receive(&mut sequence, &[1, 3, 6]), ["1"]);
        let steps: Vec<String> = sequence.finish().iter().map(name).collect();
        assert_eq!(steps, ["gap 2-2", "3", "gap 4-5", "6"]);
    }

    #[test]
    fn a_number_far_ahead_holds_nobody_up_and_is_put_out_in_the_end() {
        let mut sequence = Sequence::default();
        let far = 9_000_000_000_000_000_000;
        assert_eq!(receive(&mut sequence, &[1, far, 2, 3]), ["1", "2", "3"]);
        let rest: Vec<u64> = (4..80).collect();
        let steps = receive(&mut sequence, &rest);
        let strays: Vec<&String> = steps.iter().filter(|step| step.contains("stray")).collect();
        assert_eq!(strays, [&format!("stray {far} at 67")]);
        assert_eq!(steps.len(), rest.len() + 1);
    }

    #[test]
    fn what_waits_goes_on_when_the_floor_s_clock_has_moved_on() {
        let mut sequence = Sequence::default();
        assert_eq!(receive(&mut sequence, &[1, 3]), ["1"]);
        let mut later = arrival(4);
        later.event.at = "2026-11-15T20:11:03Z".parse().unwrap();
        let steps: Vec<String> = sequence.receive(later).iter().map(name).collect();
        assert_eq!(steps, ["gap 2-2", "3", "4"]);
    }
}
