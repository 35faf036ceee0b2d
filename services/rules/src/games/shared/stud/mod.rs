//! What the stud games share: let it ride, Mississippi stud, Caribbean stud, double down stud, DJ Wild.
//!
//! A seat has one betting area for each kind of wager ([`areas`]); hands and irregularities are
//! written by seat ([`deal`]); what a hand pays is a row of a table that the house may raise
//! ([`pay_table`]), within a payout limit ([`posted`]); progressive prizes come from a meter that
//! moves within the round ([`jackpot`]).

pub(crate) mod areas;
#[cfg(test)]
pub(crate) mod checks;
pub(crate) mod course;
pub(crate) mod deal;
#[cfg(test)]
pub(crate) mod exact;
pub(crate) mod jackpot;
pub(crate) mod pay_table;
pub(crate) mod posted;
#[cfg(test)]
mod unseen;
