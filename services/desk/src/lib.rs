//! The surveillance desk: what people do about findings.
//!
//! Findings become [`Incident`]s: what belongs together is one, and each has a priority. What people do
//! about them are [`Act`]s, appended and never edited. [`Desk`] folds both, and nothing else: the same
//! findings and acts in the same order give the same incidents, on any machine, without a clock. Where time
//! itself calls for something (nobody has acknowledged an incident), [`Desk::due`] says which act is to be
//! appended, so that a replay finds it on the log instead of asking what time it is.

pub mod act;
pub mod api;
mod clocks;
mod deeds;
mod desk;
mod duties;
mod feed;
mod file;
mod floor;
mod habits;
pub mod incident;
mod journal;
pub mod outbox;
mod paper;
mod post;
pub mod priority;
mod record;
mod room;
mod service;
mod shift;
mod watched;

pub use crate::act::{Act, Deed, Person, Refused, Role, Verdict};
pub use crate::desk::{Change, Desk};
pub use crate::duties::Duties;
pub use crate::incident::{Incident, Status};
pub use crate::journal::{Entry, Journal, NotWritten};
pub use crate::outbox::Destination;
pub use crate::priority::{Priorities, Priority};
pub use crate::room::{Camera, Room, Settings};
pub use crate::service::{DeskError, Service};
