//! The games, one folder each, and the list that registers them.
//!
//! A folder has one inner shape: `rules.toml` (the data file), `examples.jsonl` (sample rounds),
//! `mod.rs` (the types of the round document), `settle.rs` and `tests.rs`.

mod commission_free_pai_gow_poker;
mod minibaccarat;
mod pai_gow;
mod pai_gow_poker;
mod roulette;
mod shared;

use crate::book::BookError;
use crate::game::{AnyGame, Game, Loaded};

pub use commission_free_pai_gow_poker::CommissionFreePaiGowPoker;
pub use minibaccarat::Minibaccarat;
pub use pai_gow::PaiGow;
pub use pai_gow_poker::PaiGowPoker;
pub use roulette::Roulette;

/// Every game of the rulebook. A new game is one more line here.
pub(crate) fn load_all() -> Result<Vec<Box<dyn AnyGame>>, BookError> {
    Ok(vec![
        load::<CommissionFreePaiGowPoker>()?,
        load::<Minibaccarat>()?,
        load::<PaiGow>()?,
        load::<PaiGowPoker>()?,
        load::<Roulette>()?,
    ])
}

fn load<G: Game>() -> Result<Box<dyn AnyGame>, BookError> {
    Ok(Box::new(Loaded::<G>::load()?))
}
