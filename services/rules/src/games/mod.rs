//! The games, one folder each, and the list that registers them.
//!
//! A folder has one inner shape: `rules.toml` (the data file), `examples.jsonl` (sample rounds),
//! `mod.rs` (the types of the round document), `settle.rs` and `tests.rs`.

mod blackjack;
mod free_bet_blackjack;
mod minibaccarat;
mod red_dog;
mod roulette;
mod shared;
mod spanish_21;

use crate::book::BookError;
use crate::game::{AnyGame, Game, Loaded};

pub use blackjack::Blackjack;
pub use free_bet_blackjack::FreeBetBlackjack;
pub use minibaccarat::Minibaccarat;
pub use red_dog::RedDog;
pub use roulette::Roulette;
pub use spanish_21::Spanish21;

/// Every game of the rulebook. A new game is one more line here.
pub(crate) fn load_all() -> Result<Vec<Box<dyn AnyGame>>, BookError> {
    Ok(vec![
        load::<Blackjack>()?,
        load::<FreeBetBlackjack>()?,
        load::<Minibaccarat>()?,
        load::<RedDog>()?,
        load::<Roulette>()?,
        load::<Spanish21>()?,
    ])
}

fn load<G: Game>() -> Result<Box<dyn AnyGame>, BookError> {
    Ok(Box::new(Loaded::<G>::load()?))
}
