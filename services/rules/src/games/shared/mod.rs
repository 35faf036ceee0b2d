//! What several games of one family share.

pub(crate) mod baccarat;
pub(crate) mod equipment;
#[cfg(test)]
pub(crate) mod flawed;
pub(crate) mod holdem;
pub(crate) mod layout;
pub(crate) mod multi_link;
pub(crate) mod table_cards;
