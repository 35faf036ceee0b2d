//! The games, one folder each, and the list that registers them.
//!
//! A folder has one inner shape: `rules.toml` (the data file), `examples.jsonl` (sample rounds),
//! `mod.rs` (the types of the round document), `settle.rs` and `tests.rs`.

mod crazy_four_poker;
mod four_card_poker;
mod minibaccarat;
mod roulette;
mod shared;
mod three_card_poker;

use crate::book::BookError;
use crate::game::{AnyGame, Game, Loaded};

pub use crazy_four_poker::CrazyFourPoker;
pub use four_card_poker::FourCardPoker;
pub use minibaccarat::Minibaccarat;
pub use roulette::Roulette;
pub use three_card_poker::ThreeCardPoker;

/// Every game of the rulebook. A new game is one more line here.
pub(crate) fn load_all() -> Result<Vec<Box<dyn AnyGame>>, BookError> {
    Ok(vec![
        load::<CrazyFourPoker>()?,
        load::<FourCardPoker>()?,
        load::<Minibaccarat>()?,
        load::<Roulette>()?,
        load::<ThreeCardPoker>()?,
    ])
}

fn load<G: Game>() -> Result<Box<dyn AnyGame>, BookError> {
    Ok(Box::new(Loaded::<G>::load()?))
}
