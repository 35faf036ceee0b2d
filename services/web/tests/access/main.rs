//! Who may do what, and what those try who may not.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

mod at_provider;
mod house;
mod provider;
mod roles;
mod sessions;
mod streams;
mod tls;
mod tokens;
