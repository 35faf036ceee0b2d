//! Out of the building: incidents told to webhooks, Alertmanager, mail and log collectors.
//!
//! Each destination has a courier with a place of its own on `audit.incidents`, kept on the log. So a destination
//! that is out of reach keeps nobody else waiting, and whoever starts next goes on where the last one was: each
//! delivery is told at least once, and a repeat has the id of the first. What cannot be told at all is on the list of
//! dead letters, and said there.

mod address;
mod courier;
mod destination;
mod letter;
mod mail;
mod syslog;
mod told;
mod web;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use catwalk_log::Log;
use catwalk_wire::Formats;

use self::courier::Courier;
pub use self::destination::{Destination, NotADestination};
use self::letter::{Letter, What};
pub(crate) use self::told::Standing;
use crate::room::{Room, now};
use crate::service::DeskError;

/// Why a letter has not arrived.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotTold {
    /// The destination takes letters, but not this one.
    #[error("{0}")]
    Refused(String),
    #[error("{why}")]
    OutOfReach {
        why: String,
        /// When it wants to be asked again.
        after_seconds: Option<u64>,
    },
}

impl NotTold {
    pub(crate) fn out_of_reach(why: impl Into<String>) -> NotTold {
        NotTold::OutOfReach {
            why: why.into(),
            after_seconds: None,
        }
    }
}

/// Tells all destinations until it is told to stop. Of several desks that share a log one tells, as for the desk.
pub fn run(
    log: &Arc<dyn Log>,
    name: &str,
    formats: &Formats,
    room: &Room,
    destinations: &[Destination],
    stop: &AtomicBool,
) -> Result<(), DeskError> {
    let ended = AtomicBool::new(false);
    let is_over = || stop.load(Ordering::Acquire) || ended.load(Ordering::Acquire);
    thread::scope(|threads| {
        let couriers: Vec<_> = destinations
            .iter()
            .map(|destination| {
                threads.spawn(|| {
                    let carried = Courier::join(&**log, name, destination, room)
                        .and_then(|mut courier| courier.run(formats, &is_over));
                    if carried.is_err() {
                        ended.store(true, Ordering::Release);
                    }
                    carried
                })
            })
            .collect();
        let carried = couriers.into_iter().map(|courier| {
            let panicked = |_| Err(DeskError::Courier);
            courier.join().unwrap_or_else(panicked)
        });
        carried.fold(Ok(()), Result::and)
    })
}

/// Sends one letter that says it is a test, and gives its id.
pub fn test(destination: &Destination) -> Result<String, String> {
    let letter = Letter::new(now(), What::Test);
    let told = destination.tell(&letter);
    told.map(|()| letter.id).map_err(|why| why.to_string())
}
