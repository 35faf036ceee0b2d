//! What several games of one family share.

pub(crate) mod baccarat;
pub(crate) mod pai_gow;
pub(crate) mod pai_gow_poker;
