//! The archive of a simulated floor, asked in SQL, while it is written and after.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

mod growing;
mod look_up;
mod peer;
#[path = "../../../../tests/played.rs"]
mod played;
mod scan;
mod seen;
mod sql;
mod support;
