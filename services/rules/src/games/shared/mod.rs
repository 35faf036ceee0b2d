//! What several games of one family share.

pub(crate) mod ante_play;
#[cfg(test)]
pub(crate) mod ante_play_rounds;
pub(crate) mod baccarat;
pub(crate) mod craps;
pub(crate) mod five_card_table;
pub(crate) mod four_card;
pub(crate) mod progressive;
