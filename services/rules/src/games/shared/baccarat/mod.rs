//! Baccarat: the hands, the shoe and the vigorish of every game of the family, and the wagers of those
//! games that the house banks.

pub(crate) mod hands;
pub(crate) mod house;
pub(crate) mod shoe;
#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
mod unseen;
pub(crate) mod vigorish;
