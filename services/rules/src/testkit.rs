//! What the games' tests share.
#![allow(clippy::missing_panics_doc)]
