//! Lines of a feed to the gateway of a running service.

use std::io::BufRead;
use std::sync::mpsc::{self, Receiver, SyncSender};

use super::{LOT, Verdict, sum};
use crate::gateway::{Gateway, MAX_LOT_BYTES};
use crate::input::Input;

/// Lines that wait to be sent.
const WAITING: usize = 4 * LOT;

pub(super) fn run(gateway: &Gateway, input: Input) -> anyhow::Result<Verdict> {
    let (sender, lines) = mpsc::sync_channel(WAITING);
    let mut feed = Feed {
        gateway,
        sent: 0,
        there: 0,
        bad_lines: 0,
    };
    std::thread::scope(|scope| {
        // What comes as it happens is sent as it comes: as much at a time as is there.
        let reading = scope.spawn(move || input.read(|input| read(input, &sender)));
        feed.send(&lines)?;
        // Whoever reads is not kept waiting when nobody listens any more.
        drop(lines);
        match reading.join() {
            Ok(read) => read,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })?;
    Ok(sum(gateway.url(), feed.sent, feed.there, feed.bad_lines))
}

fn read(input: &mut dyn BufRead, sender: &SyncSender<(u64, Vec<u8>)>) -> anyhow::Result<()> {
    for number in 1u64.. {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let line = line.trim_ascii();
        if !line.is_empty() && sender.send((number, line.to_vec())).is_err() {
            break;
        }
    }
    Ok(())
}

struct Feed<'a> {
    gateway: &'a Gateway,
    sent: u64,
    there: u64,
    bad_lines: u64,
}

impl Feed<'_> {
    fn send(&mut self, lines: &Receiver<(u64, Vec<u8>)>) -> anyhow::Result<()> {
        let mut kept = None;
        while let Some(first) = kept.take().or_else(|| lines.recv().ok()) {
            let (mut numbers, mut lot) = (Vec::new(), Vec::new());
            let mut next = Some(first);
            while let Some((number, line)) = next.take() {
                if line.len() >= MAX_LOT_BYTES {
                    let most = MAX_LOT_BYTES;
                    self.tell(
                        number,
                        &format!("the line has {} bytes, at most {most} are sent", line.len()),
                    );
                    self.bad_lines += 1;
                } else if lot.len() + line.len() >= MAX_LOT_BYTES || numbers.len() >= LOT {
                    kept = Some((number, line));
                    break;
                } else {
                    numbers.push(number);
                    lot.extend_from_slice(&line);
                    lot.push(b'\n');
                }
                next = lines.try_recv().ok();
            }
            if !numbers.is_empty() {
                self.hand_over(&numbers, &lot)?;
            }
        }
        Ok(())
    }

    fn hand_over(&mut self, numbers: &[u64], lot: &[u8]) -> anyhow::Result<()> {
        let taken = self.gateway.send(lot)?;
        self.sent += taken.taken;
        self.there += taken.there;
        let mut told: Vec<_> = taken.refused.into_iter().chain(taken.problems).collect();
        told.sort_by_key(|told| told.line);
        let mut last = 0;
        for told in told {
            let number = usize::try_from(told.line.saturating_sub(1)).ok();
            let number = number
                .and_then(|place| numbers.get(place))
                .copied()
                .unwrap_or(told.line);
            self.tell(number, &told.error);
            self.bad_lines += u64::from(number != last);
            last = number;
        }
        Ok(())
    }

    fn tell(&self, number: u64, problem: &str) {
        eprintln!("catwalk: line {number}: {problem}");
    }
}
