//! The games, one folder each, and the list that registers them.
//!
//! A folder has one inner shape: `rules.toml` (the data file), `examples.jsonl` (sample rounds),
//! `mod.rs` (the types of the round document), `settle.rs` and `tests.rs`.

mod baccarat;
mod chemin_de_fer;
mod dragon_bonus_baccarat_commission_free;
mod midibaccarat;
mod minibaccarat;
mod poker;
mod roulette;
mod shared;

use crate::book::BookError;
use crate::game::{AnyGame, Game, Loaded};

pub use baccarat::Baccarat;
pub use chemin_de_fer::CheminDeFer;
pub use dragon_bonus_baccarat_commission_free::DragonBonusBaccaratCommissionFree;
pub use midibaccarat::Midibaccarat;
pub use minibaccarat::Minibaccarat;
pub use poker::Poker;
pub use roulette::Roulette;

/// Every game of the rulebook. A new game is one more line here.
pub(crate) fn load_all() -> Result<Vec<Box<dyn AnyGame>>, BookError> {
    Ok(vec![
        load::<Baccarat>()?,
        load::<CheminDeFer>()?,
        load::<DragonBonusBaccaratCommissionFree>()?,
        load::<Midibaccarat>()?,
        load::<Minibaccarat>()?,
        load::<Poker>()?,
        load::<Roulette>()?,
    ])
}

fn load<G: Game>() -> Result<Box<dyn AnyGame>, BookError> {
    Ok(Box::new(Loaded::<G>::load()?))
}
