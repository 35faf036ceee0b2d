//! The games, one folder each, and the list that registers them.
//!
//! A folder has one inner shape: `rules.toml` (the data file), `examples.jsonl` (sample rounds),
//! `mod.rs` (the types of the round document), `settle.rs` and `tests.rs`.

mod caribbean_stud;
mod dj_wild;
mod double_down_stud;
mod let_it_ride;
mod minibaccarat;
mod mississippi_stud;
mod roulette;
mod shared;

use crate::book::BookError;
use crate::game::{AnyGame, Game, Loaded};

pub use caribbean_stud::CaribbeanStud;
pub use dj_wild::DjWild;
pub use double_down_stud::DoubleDownStud;
pub use let_it_ride::LetItRide;
pub use minibaccarat::Minibaccarat;
pub use mississippi_stud::MississippiStud;
pub use roulette::Roulette;

/// Every game of the rulebook. A new game is one more line here.
pub(crate) fn load_all() -> Result<Vec<Box<dyn AnyGame>>, BookError> {
    Ok(vec![
        load::<CaribbeanStud>()?,
        load::<DjWild>()?,
        load::<DoubleDownStud>()?,
        load::<LetItRide>()?,
        load::<Minibaccarat>()?,
        load::<MississippiStud>()?,
        load::<Roulette>()?,
    ])
}

fn load<G: Game>() -> Result<Box<dyn AnyGame>, BookError> {
    Ok(Box::new(Loaded::<G>::load()?))
}
