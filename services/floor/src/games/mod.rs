//! The games that the floor can play. One file a game, and the list that registers them.

mod baccarat;
mod big_six;
mod roulette;
mod sic_bo;

use catwalk_events::body::Body;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use baccarat::{Baccarat, Variant};

/// The names of the games that the floor can play.
pub const GAMES: [&str; 7] = [
    "baccarat",
    "big_six",
    "dragon_bonus_baccarat_commission_free",
    "midibaccarat",
    "minibaccarat",
    "roulette",
    "sic_bo",
];

pub(crate) fn game(name: &str) -> Option<Box<dyn GameSim>> {
    let baccarat = |variant| Some(Box::new(Baccarat::new(variant)) as Box<dyn GameSim>);
    match name {
        "baccarat" => baccarat(Variant::Baccarat),
        "big_six" => Some(Box::new(big_six::BigSix::default())),
        "dragon_bonus_baccarat_commission_free" => baccarat(Variant::CommissionFree),
        "midibaccarat" => baccarat(Variant::Midi),
        "minibaccarat" => baccarat(Variant::Mini),
        "roulette" => Some(Box::new(roulette::Roulette::default())),
        "sic_bo" => Some(Box::new(sic_bo::SicBo::default())),
        _ => None,
    }
}

/// A game as a dealer runs it.
pub(crate) trait GameSim {
    /// Two letters for the table's name.
    fn sign(&self) -> &'static str;

    /// The rules that this table opens under: edition and options, lawful and varied.
    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value);

    /// What happens at the table before its first round and between rounds: cards, wheels.
    fn prepare(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body>;

    /// The shoe that the next round is dealt from.
    fn shoe(&self) -> Option<String> {
        None
    }

    /// Bets of the players at `seats`, and the round dealt to them.
    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt;

    /// Deals against the rules in a round that was lawful; the finding codes of which one must tell.
    /// Nothing where this round has no room for it.
    fn misplay(&mut self, dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>>;
}

/// A round as it was bet and dealt.
#[derive(Debug)]
pub(crate) struct Dealt {
    /// `wagers` of the round document.
    pub(crate) wagers: Vec<Value>,
    /// `play` of the round document.
    pub(crate) play: Value,
    /// The play as events, in order.
    pub(crate) events: Vec<Body>,
    /// Wagers that the dealer adds during play: index into `wagers`, after so many `events`.
    pub(crate) added: Vec<(usize, usize)>,
}
