//! A table's sequence numbers: repeats dropped, late arrivals put in order, gaps named.

use std::collections::{BTreeMap, VecDeque};

use catwalk_events::Event;
use serde::{Deserialize, Serialize};

/// So many events may wait for one that is missing; then it is given up as a gap.
pub(crate) const REORDER_WINDOW: usize = 64;
/// So many gaps are remembered, to tell a straggler from a repeat.
const GAPS_REMEMBERED: usize = 16;

/// What is next, and what came too early.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Sequence {
    /// The number that comes next; `None` before the first event.
    next: Option<u64>,
    waiting: BTreeMap<u64, Event>,
    /// First and last number of the gaps that were given up, oldest first.
    gaps: VecDeque<(u64, u64)>,
}

/// What a received event means for the sequence.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// An event whose turn it is.
    Ready(Box<Event>),
    /// An event of a number that was seen before; it has no other effect.
    Repeat(Box<Event>),
    /// An event that came after its successors, in time to be put in its place.
    Late { seq: u64, after: u64 },
    /// Numbers `from` to `to` never came; the events after them go on without.
    Gap { from: u64, to: u64 },
    /// An event of a gap, after the gap was given up.
    TooLate(Box<Event>),
}

impl Sequence {
    /// Takes an event and says what can go on now, in order.
    pub(crate) fn receive(&mut self, event: Event) -> Vec<Step> {
        let next = *self.next.get_or_insert(event.seq);
        if self.waiting.contains_key(&event.seq) {
            return vec![Step::Repeat(Box::new(event))];
        }
        if event.seq < next {
            let missed = self
                .gaps
                .iter()
                .any(|&(from, to)| (from..=to).contains(&event.seq));
            let event = Box::new(event);
            return vec![if missed {
                Step::TooLate(event)
            } else {
                Step::Repeat(event)
            }];
        }
        let mut steps = Vec::new();
        if event.seq == next {
            if let Some((&after, _)) = self.waiting.last_key_value() {
                steps.push(Step::Late {
                    seq: event.seq,
                    after,
                });
            }
            self.go_on_with(event, &mut steps);
        } else {
            if let Some((&after, _)) = self.waiting.last_key_value()
                && event.seq < after
            {
                steps.push(Step::Late {
                    seq: event.seq,
                    after,
                });
            }
            self.waiting.insert(event.seq, event);
            if self.waiting.len() > REORDER_WINDOW {
                self.give_up_gap(&mut steps);
            }
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

    fn give_up_gap(&mut self, steps: &mut Vec<Step>) {
        let Some((first, event)) = self.waiting.pop_first() else {
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
        self.go_on_with(event, steps);
    }

    fn go_on_with(&mut self, event: Event, steps: &mut Vec<Step>) {
        let mut next = event.seq.saturating_add(1);
        steps.push(Step::Ready(Box::new(event)));
        while let Some(event) = self.waiting.remove(&next) {
            steps.push(Step::Ready(Box::new(event)));
            next = next.saturating_add(1);
        }
        self.next = Some(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catwalk_events::json;

    fn event(seq: u64) -> Event {
        let line = format!(
            r#"{{"id":"{seq}","property":"ebh","table":"R-1","seq":{seq},"at":"2026-11-15T20:01:02Z","source":{{"kind":"system","id":"s"}},"body":{{"type":"clock"}}}}"#
        );
        json::read(&line).unwrap()
    }

    /// What comes out, in short: a number for an event that is ready, or what else happened.
    fn receive(sequence: &mut Sequence, seqs: &[u64]) -> Vec<String> {
        seqs.iter()
            .flat_map(|&seq| sequence.receive(event(seq)))
            .map(|step| name(&step))
            .collect()
    }

    fn name(step: &Step) -> String {
        match step {
            Step::Ready(event) => event.seq.to_string(),
            Step::Repeat(event) => format!("repeat {}", event.seq),
            Step::Late { seq, after } => format!("late {seq} after {after}"),
            Step::Gap { from, to } => format!("gap {from}-{to}"),
            Step::TooLate(event) => format!("too late {}", event.seq),
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
    fn the_end_of_the_feed_closes_every_gap() {
        let mut sequence = Sequence::default();
        assert_eq!(receive(&mut sequence, &[1, 3, 6]), ["1"]);
        let steps: Vec<String> = sequence.finish().iter().map(name).collect();
        assert_eq!(steps, ["gap 2-2", "3", "gap 4-5", "6"]);
    }
}
