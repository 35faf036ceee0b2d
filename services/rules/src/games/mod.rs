//! The games, one folder each, and the list that registers them.
//!
//! A folder has one inner shape: `rules.toml` (the data file), `examples.jsonl` (sample rounds),
//! `mod.rs` (the types of the round document), `settle.rs` and `tests.rs`.

mod baccarat;
mod big_six;
mod chemin_de_fer;
mod crapless_craps;
mod craps;
mod crazy_four_poker;
mod dragon_bonus_baccarat_commission_free;
mod four_card_poker;
mod midibaccarat;
mod minibaccarat;
mod roulette;
mod shared;
mod sic_bo;
mod three_card_poker;

use crate::book::BookError;
use crate::game::{AnyGame, Game, Loaded};

pub use baccarat::Baccarat;
pub use big_six::BigSix;
pub use chemin_de_fer::CheminDeFer;
pub use crapless_craps::CraplessCraps;
pub use craps::Craps;
pub use crazy_four_poker::CrazyFourPoker;
pub use dragon_bonus_baccarat_commission_free::DragonBonusBaccaratCommissionFree;
pub use four_card_poker::FourCardPoker;
pub use midibaccarat::Midibaccarat;
pub use minibaccarat::Minibaccarat;
pub use roulette::Roulette;
pub use sic_bo::SicBo;
pub use three_card_poker::ThreeCardPoker;

/// Every game of the rulebook. A new game is one more line here.
pub(crate) fn load_all() -> Result<Vec<Box<dyn AnyGame>>, BookError> {
    Ok(vec![
        load::<Baccarat>()?,
        load::<BigSix>()?,
        load::<CheminDeFer>()?,
        load::<CraplessCraps>()?,
        load::<Craps>()?,
        load::<CrazyFourPoker>()?,
        load::<DragonBonusBaccaratCommissionFree>()?,
        load::<FourCardPoker>()?,
        load::<Midibaccarat>()?,
        load::<Minibaccarat>()?,
        load::<Roulette>()?,
        load::<SicBo>()?,
        load::<ThreeCardPoker>()?,
    ])
}

fn load<G: Game>() -> Result<Box<dyn AnyGame>, BookError> {
    Ok(Box::new(Loaded::<G>::load()?))
}
