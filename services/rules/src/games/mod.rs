//! The games, one folder each, and the list that registers them.
//!
//! A folder has one inner shape: `rules.toml` (the data file), `examples.jsonl` (sample rounds),
//! `mod.rs` (the types of the round document), `settle.rs` and `tests.rs`.

mod baccarat;
mod caribbean_stud;
mod chemin_de_fer;
mod dj_wild;
mod double_down_stud;
mod dragon_bonus_baccarat_commission_free;
mod let_it_ride;
mod midibaccarat;
mod minibaccarat;
mod mississippi_stud;
mod roulette;
mod shared;

use crate::book::BookError;
use crate::game::{AnyGame, Game, Loaded};

pub use baccarat::Baccarat;
pub use caribbean_stud::CaribbeanStud;
pub use chemin_de_fer::CheminDeFer;
pub use dj_wild::DjWild;
pub use double_down_stud::DoubleDownStud;
pub use dragon_bonus_baccarat_commission_free::DragonBonusBaccaratCommissionFree;
pub use let_it_ride::LetItRide;
pub use midibaccarat::Midibaccarat;
pub use minibaccarat::Minibaccarat;
pub use mississippi_stud::MississippiStud;
pub use roulette::Roulette;

/// Every game of the rulebook. A new game is one more line here.
pub(crate) fn load_all() -> Result<Vec<Box<dyn AnyGame>>, BookError> {
    Ok(vec![
        load::<Baccarat>()?,
        load::<CaribbeanStud>()?,
        load::<CheminDeFer>()?,
        load::<DjWild>()?,
        load::<DoubleDownStud>()?,
        load::<DragonBonusBaccaratCommissionFree>()?,
        load::<LetItRide>()?,
        load::<Midibaccarat>()?,
        load::<Minibaccarat>()?,
        load::<MississippiStud>()?,
        load::<Roulette>()?,
    ])
}

fn load<G: Game>() -> Result<Box<dyn AnyGame>, BookError> {
    Ok(Box::new(Loaded::<G>::load()?))
}
