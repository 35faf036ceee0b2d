//! The games, one folder each, and the list that registers them.
//!
//! A folder has one inner shape: `rules.toml` (the data file), `examples.jsonl` (sample rounds),
//! `mod.rs` (the types of the round document), `settle.rs` and `tests.rs`.

mod baccarat;
mod big_six;
mod chemin_de_fer;
mod crapless_craps;
mod craps;
mod dragon_bonus_baccarat_commission_free;
mod midibaccarat;
mod minibaccarat;
mod roulette;
mod shared;
mod sic_bo;

use crate::book::BookError;
use crate::game::{AnyGame, Game, Loaded};

pub use baccarat::Baccarat;
pub use big_six::BigSix;
pub use chemin_de_fer::CheminDeFer;
pub use crapless_craps::CraplessCraps;
pub use craps::Craps;
pub use dragon_bonus_baccarat_commission_free::DragonBonusBaccaratCommissionFree;
pub use midibaccarat::Midibaccarat;
pub use minibaccarat::Minibaccarat;
pub use roulette::Roulette;
pub use sic_bo::SicBo;

/// Every game of the rulebook. A new game is one more line here.
pub(crate) fn load_all() -> Result<Vec<Box<dyn AnyGame>>, BookError> {
    Ok(vec![
        load::<Baccarat>()?,
        load::<BigSix>()?,
        load::<CheminDeFer>()?,
        load::<CraplessCraps>()?,
        load::<Craps>()?,
        load::<DragonBonusBaccaratCommissionFree>()?,
        load::<Midibaccarat>()?,
        load::<Minibaccarat>()?,
        load::<Roulette>()?,
        load::<SicBo>()?,
    ])
}

fn load<G: Game>() -> Result<Box<dyn AnyGame>, BookError> {
    Ok(Box::new(Loaded::<G>::load()?))
}
