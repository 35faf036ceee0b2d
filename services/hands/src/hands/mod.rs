//! Hand evaluators of the poker-like games.
//!
//! | module | hand | games |
//! | --- | --- | --- |
//! | [`two`] | the two cards behind | pai gow poker |
//! | [`three`] | three cards, best three of four | three card poker, bonuses of three cards, mambo |
//! | [`four`] | four cards, best four of five or six | four card poker, crazy four poker |
//! | [`five`] | five cards, best five of six or seven | the studs, let it ride, hold'em, poker |
//! | [`joker`] | five cards with a semi-wild joker, best five of six or seven | pai gow poker |
//! | [`shoe`] | five cards of several decks, best five of six or seven | fast action hold'em |
//! | [`wild`] | five cards with fully wild cards | DJ Wild |
//!
//! Each module has the same shape: `rank` takes the cards as they lie, `rank_set` takes a [`CardSet`]
//! and is the fast one, `best` also says which cards make the hand. All three give `None` for a
//! number of cards the module does not evaluate and for a joker the game does not have.
//!
//! In a release build the evaluators are inlined where they are used; in a debug build they are not,
//! so that they run as this crate is compiled, optimised.
//!
//! [`Board`] counts the cards that several seats share, for [`five::rank_board`].
//!
//! A card may lie twice in a malformed round. The functions that take slices rank such cards as they
//! lie: two equal cards are a pair, five of a rank are four of a kind, suited cards with a repeated
//! rank are a flush unless they make something higher, a straight needs different ranks.
//!
//! ```
//! use catwalk_hands::floor::Card;
//! use catwalk_hands::hands::five::{self, Category};
//!
//! let seven = ["2H", "2D", "8D", "8S", "KD", "6S", "TH"].map(|card| card.parse::<Card>().unwrap());
//! let made = five::best(&seven).unwrap();
//! assert_eq!(made.hand.category(), Category::TwoPair);
//! assert_eq!(format!("{:?}", made.cards), "[8D, 8S, 2H, 2D, KD]");
//! ```
//!
//! [`CardSet`]: crate::floor::CardSet

pub mod five;
pub mod four;
pub mod joker;
pub mod shoe;
pub mod three;
pub mod two;
pub mod wild;

mod board;
mod hand;
mod key;
mod pick;
mod ranks;
mod table;
mod tally;

pub use board::Board;
pub use hand::{Category, Hand, Made};

#[cfg(test)]
mod tests;
