//! What several games of one family share.

pub(crate) mod baccarat;
pub(crate) mod blackjack;
pub(crate) mod posted_odds;
pub(crate) mod shoe;
#[cfg(test)]
pub(crate) mod testround;
