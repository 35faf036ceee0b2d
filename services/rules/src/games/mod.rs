//! The games, one folder each, and the list that registers them.
//!
//! A folder has one inner shape: `rules.toml` (the data file), `examples.jsonl` (sample rounds),
//! `mod.rs` (the types of the round document), `settle.rs` and `tests.rs`.

mod colorado_holdem;
mod fast_action_holdem;
mod minibaccarat;
mod roulette;
mod shared;
mod texas_holdem_bonus;
mod ultimate_texas_holdem;

use crate::book::BookError;
use crate::game::{AnyGame, Game, Loaded};

pub use colorado_holdem::ColoradoHoldem;
pub use fast_action_holdem::FastActionHoldem;
pub use minibaccarat::Minibaccarat;
pub use roulette::Roulette;
pub use texas_holdem_bonus::TexasHoldemBonus;
pub use ultimate_texas_holdem::UltimateTexasHoldem;

/// Every game of the rulebook. A new game is one more line here.
pub(crate) fn load_all() -> Result<Vec<Box<dyn AnyGame>>, BookError> {
    Ok(vec![
        load::<ColoradoHoldem>()?,
        load::<FastActionHoldem>()?,
        load::<Minibaccarat>()?,
        load::<Roulette>()?,
        load::<TexasHoldemBonus>()?,
        load::<UltimateTexasHoldem>()?,
    ])
}

fn load<G: Game>() -> Result<Box<dyn AnyGame>, BookError> {
    Ok(Box::new(Loaded::<G>::load()?))
}
