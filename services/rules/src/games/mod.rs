//! The games, one folder each, and the list that registers them.
//!
//! A folder has one inner shape: `rules.toml` (the data file), `examples.jsonl` (sample rounds),
//! `mod.rs` (the types of the round document), `settle.rs` and `tests.rs`.

pub mod baccarat;
pub mod big_six;
pub mod blackjack;
mod caribbean_stud;
pub mod chemin_de_fer;
mod colorado_holdem;
mod commission_free_pai_gow_poker;
mod crapless_craps;
pub mod craps;
mod crazy_four_poker;
mod dj_wild;
mod double_down_stud;
mod dragon_bonus_baccarat_commission_free;
mod fast_action_holdem;
mod four_card_poker;
pub mod free_bet_blackjack;
mod let_it_ride;
mod midibaccarat;
mod minibaccarat;
mod mississippi_stud;
mod pai_gow;
mod pai_gow_poker;
mod poker;
pub mod red_dog;
pub mod roulette;
mod shared;
pub mod sic_bo;
pub mod spanish_21;
mod texas_holdem_bonus;
mod three_card_poker;
mod ultimate_texas_holdem;

use crate::book::BookError;
use crate::game::{AnyGame, Game as _, Loaded};

pub use baccarat::Baccarat;
pub use big_six::BigSix;
pub use blackjack::Blackjack;
pub use caribbean_stud::CaribbeanStud;
pub use chemin_de_fer::CheminDeFer;
pub use colorado_holdem::ColoradoHoldem;
pub use commission_free_pai_gow_poker::CommissionFreePaiGowPoker;
pub use crapless_craps::CraplessCraps;
pub use craps::Craps;
pub use crazy_four_poker::CrazyFourPoker;
pub use dj_wild::DjWild;
pub use double_down_stud::DoubleDownStud;
pub use dragon_bonus_baccarat_commission_free::DragonBonusBaccaratCommissionFree;
pub use fast_action_holdem::FastActionHoldem;
pub use four_card_poker::FourCardPoker;
pub use free_bet_blackjack::FreeBetBlackjack;
pub use let_it_ride::LetItRide;
pub use midibaccarat::Midibaccarat;
pub use minibaccarat::Minibaccarat;
pub use mississippi_stud::MississippiStud;
pub use pai_gow::PaiGow;
pub use pai_gow_poker::PaiGowPoker;
pub use poker::Poker;
pub use red_dog::RedDog;
pub use roulette::Roulette;
pub use sic_bo::SicBo;
pub use spanish_21::Spanish21;
pub use texas_holdem_bonus::TexasHoldemBonus;
pub use three_card_poker::ThreeCardPoker;
pub use ultimate_texas_holdem::UltimateTexasHoldem;

pub use pai_gow::compare_sides as compare_tiles;
pub use pai_gow::lay_the_house_way as lay_tiles_the_house_way;
pub use shared::ante_play::{DealtHand, Decision as HandDecision};
pub use shared::baccarat::hands::are_complete as are_baccarat_hands_complete;
pub use shared::pai_gow_poker::is_premium as is_premium_pai_gow;
pub use shared::pai_gow_poker::lay_the_house_way as lay_cards_the_house_way;
pub use shared::stud::course::{Course, StudPlay};
pub use shared::stud::deal::BySeat;

/// Lists the games once: what is loaded of them, and what lies on the shelf.
macro_rules! games {
    ($($game:ident,)+) => {
        pub(crate) fn load_all() -> Result<Vec<Box<dyn AnyGame>>, BookError> {
            Ok(vec![$(Box::new(Loaded::<$game>::load()?),)+])
        }

        /// Their data files.
        pub(crate) const BOOKS: &[&str] = &[$($game::BOOK,)+];
    };
}

// Every game of the rulebook. A new game is one more line here.
games! {
    Baccarat,
    BigSix,
    Blackjack,
    CaribbeanStud,
    CheminDeFer,
    ColoradoHoldem,
    CommissionFreePaiGowPoker,
    CraplessCraps,
    Craps,
    CrazyFourPoker,
    DjWild,
    DoubleDownStud,
    DragonBonusBaccaratCommissionFree,
    FastActionHoldem,
    FourCardPoker,
    FreeBetBlackjack,
    LetItRide,
    Midibaccarat,
    Minibaccarat,
    MississippiStud,
    PaiGow,
    PaiGowPoker,
    Poker,
    RedDog,
    Roulette,
    SicBo,
    Spanish21,
    TexasHoldemBonus,
    ThreeCardPoker,
    UltimateTexasHoldem,
}
