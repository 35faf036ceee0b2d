//! What several games of one family share.

pub(crate) mod ante_play;
#[cfg(test)]
pub(crate) mod ante_play_rounds;
pub(crate) mod baccarat;
pub(crate) mod blackjack;
pub(crate) mod craps;
pub(crate) mod deal;
pub(crate) mod equipment;
pub(crate) mod five_card_table;
#[cfg(test)]
pub(crate) mod flawed;
pub(crate) mod four_card;
pub(crate) mod holdem;
pub(crate) mod layout;
pub(crate) mod minimum;
pub(crate) mod ohio_progressives;
pub(crate) mod pai_gow;
pub(crate) mod pai_gow_poker;
pub(crate) mod posted_odds;
pub(crate) mod progressive;
pub(crate) mod shoe;
pub(crate) mod stud;
pub(crate) mod table_cards;
#[cfg(test)]
pub(crate) mod testround;
