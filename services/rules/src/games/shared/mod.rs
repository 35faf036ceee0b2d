//! What several games of one family share.

pub(crate) mod baccarat;
pub(crate) mod stud;
