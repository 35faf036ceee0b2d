//! The rulebook of the floor and the settlement of one round.
pub mod floor;
pub mod hands;
pub mod round {
    pub const MAX_WAGERS: usize = 1_000;
}
