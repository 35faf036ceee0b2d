//! Outages of the log are waited out, and said.

use std::thread;
use std::time::{Duration, Instant};

use super::log_watch::{self, State};
use super::{House, LOOK_AROUND, lock};

/// How long a service waits for a log that is out of reach before it tries again.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// What fails so soon after an outage has failed by it: the time that a broker gives a transaction, and some more.
const AFTERMATH: Duration = Duration::from_secs(60);

impl House {
    /// Does the work; if the log is out of reach, waits it out, ever longer, and says so.
    pub(super) fn patiently(
        &self,
        service: &'static str,
        mut work: impl FnMut() -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut wait = FIRST_WAIT;
        loop {
            let begun = Instant::now();
            let error = match work() {
                Err(error) if self.is_outage(&error) && !self.is_stopping() => error,
                ended => return ended,
            };
            if begun.elapsed() > LONGEST_WAIT {
                wait = FIRST_WAIT;
            }
            lock(&self.waiting).push(service);
            eprintln!("catwalk: {service}: {error:#}; it is tried again in {wait:?}");
            self.rest(wait);
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    fn is_outage(&self, error: &anyhow::Error) -> bool {
        log_watch::is_outage(error, self.is_log_troubled())
    }

    /// Waits, but not beyond the closing of the house.
    pub(super) fn rest(&self, time: Duration) {
        let until = Instant::now() + time;
        while Instant::now() < until && !self.is_stopping() {
            thread::sleep(LOOK_AROUND.min(time));
        }
    }

    /// Takes note of how the log is found, and says so when that changes.
    pub(super) fn log_is(&self, state: State) {
        self.metrics.log_is(&state);
        let mut known = lock(&self.log_state);
        if known.0 == state {
            return;
        }
        match state.trouble() {
            Some(trouble) => eprintln!("catwalk: {trouble}"),
            None => {
                eprintln!("catwalk: the log is as it was again");
                known.1 = Some(Instant::now());
            }
        }
        known.0 = state;
    }

    /// Is something wrong with the log, or was a moment ago?
    fn is_log_troubled(&self) -> bool {
        let known = lock(&self.log_state);
        let since = known.1.is_some_and(|since| since.elapsed() < AFTERMATH);
        known.0.trouble().is_some() || since
    }
}
