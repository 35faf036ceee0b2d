//! The games that the floor can play. One file a game, and the list that registers them.

mod baccarat;
mod big_six;
mod craps;
mod roulette;
mod sic_bo;

use std::collections::BTreeMap;

use catwalk_events::body::Body;
use catwalk_rules::Settlement;
use catwalk_rules::floor::Cents;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use baccarat::{Baccarat, Variant};

use crate::fault::FaultKind;

/// The names of the games that the floor can play.
pub const GAMES: [&str; 9] = [
    "baccarat",
    "big_six",
    "crapless_craps",
    "craps",
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
        "crapless_craps" => Some(Box::new(craps::Craps::new(true))),
        "craps" => Some(Box::new(craps::Craps::new(false))),
        "dragon_bonus_baccarat_commission_free" => baccarat(Variant::CommissionFree),
        "midibaccarat" => baccarat(Variant::Midi),
        "minibaccarat" => baccarat(Variant::Mini),
        "roulette" => Some(Box::new(roulette::Roulette::default())),
        "sic_bo" => Some(Box::new(sic_bo::SicBo::default())),
        _ => None,
    }
}

/// The faults that a game of the floor has room for.
pub fn fault_kinds(name: &str) -> Vec<FaultKind> {
    let cannot = game(name).map_or(&FaultKind::ALL[..], |game| game.cannot());
    let kinds = FaultKind::ALL.into_iter();
    kinds.filter(|kind| !cannot.contains(kind)).collect()
}

/// What a game without cards and vigorish has no room for.
pub(crate) const WITHOUT_CARDS: [FaultKind; 4] = [
    FaultKind::WrongCommission,
    FaultKind::SwitchedCard,
    FaultKind::ForeignCard,
    FaultKind::MissingCard,
];

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

    /// Does the house call no more bets before the play, once a round? Elsewhere the play says so itself.
    fn announces(&self) -> bool {
        true
    }

    /// Faults that this game has no room for, as it is played under the rules of its table.
    fn cannot(&self) -> &'static [FaultKind] {
        &[]
    }

    /// Bets of the players at `seats`, and the round dealt to them.
    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt;

    /// Deals against the rules in a round that was lawful; the finding codes of which one must tell.
    /// Nothing where this round has no room for it.
    fn misplay(&mut self, dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>>;

    /// The round was settled like this: what of it outlives the round is for the game to keep, and
    /// payments that belong to no wager (a pot, a rake, a bonus beside the odds) are made here.
    fn settled(&mut self, _dealt: &Dealt, _settlement: &Settlement) -> Vec<Body> {
        Vec::new()
    }
}

/// A round as it was bet and dealt.
#[derive(Debug, Default)]
pub(crate) struct Dealt {
    /// `wagers` of the round document.
    pub(crate) wagers: Vec<Value>,
    /// `play` of the round document.
    pub(crate) play: Value,
    /// The play as events, in order.
    pub(crate) events: Vec<Body>,
    /// Wagers that the dealer adds during play: index into `wagers`, after so many `events`.
    pub(crate) added: Vec<(usize, usize)>,
    /// Wagers of earlier rounds that are still up: indices into `wagers`. No event tells of them again.
    pub(crate) carried: Vec<usize>,
    /// Wagers that are paid or collected during play: index into `wagers`, after so many `events`.
    /// The others are at the end.
    pub(crate) decided: Vec<(usize, usize)>,
    /// Wagers whose vigorish is paid beside the stake when they are made: indices into `wagers`.
    pub(crate) prepaid: Vec<usize>,
    /// The seat that banks the round.
    pub(crate) banker: Option<u32>,
    /// Meters as they stand when the round opens.
    pub(crate) meters: Option<BTreeMap<String, Cents>>,
}
