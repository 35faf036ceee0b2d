//! Crazy four poker on the floor.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::misplay::Misplay;
use super::script::{Choice, Script};
use super::{Setup, StudGame, any, one_in, stake, strategy};

pub(super) struct CrazyFourPoker;

impl StudGame for CrazyFourPoker {
    const SIGN: &'static str = "CZ";
    const HAND: usize = 5;
    const MAIN: &'static str = "ante";
    const LISTED: bool = true;
    const LIFTED: &'static [&'static str] = &["progressive"];
    const METERS: &'static [&'static str] = &["progressive"];
    const MISPLAYS: &'static [Misplay] = &[
        Misplay::SurplusCard,
        Misplay::StrayHand,
        Misplay::Duplicate,
        Misplay::RaiseBelowAces,
        Misplay::Multiple {
            kinds: &["play"],
            times: 4,
            code: "wager.play_amount",
        },
        Misplay::Amount {
            kind: "super_bonus",
            code: "wager.super_bonus_amount",
        },
        Misplay::Amount {
            kind: "progressive",
            code: "wager.progressive_amount",
        },
    ];

    fn open(rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        let options = json!({
            "dealing": any(rng, &["hand", "automated_shoe"]),
            "shuffler": any(rng, &["automated", "automated_counting"]),
            "alternating_decks": one_in(rng, 2),
            "max_payout": one_in(rng, 2).then_some(5_000_000),
        });
        ("oh-jack-2017", options)
    }

    fn bets(_: &Setup, rng: &mut ChaCha8Rng) -> Vec<(&'static str, i64)> {
        let ante = stake(rng);
        let mut bets = vec![("ante", ante), ("super_bonus", ante)];
        if one_in(rng, 2) {
            bets.push(("queens_up", rng.random_range(1..=10) * 500));
        }
        if one_in(rng, 2) {
            bets.push(("progressive", 100));
        }
        bets
    }

    fn house(_: &Setup) -> usize {
        5
    }

    fn decide(_: &Setup, script: &Script, seat: u32, _: usize, _: &mut ChaCha8Rng) -> Choice {
        let ante = script.amount(seat, "ante");
        let cards = script.cards(seat);
        if strategy::has_aces_up(cards) {
            Choice::Put("play", ante * 3)
        } else if strategy::is_king_queen(cards) {
            Choice::Put("play", ante)
        } else {
            Choice::Fold
        }
    }

    fn dies(_: &Setup, kind: &str) -> bool {
        kind != "progressive"
    }

    fn shows_house(script: &Script) -> bool {
        script.has_any(&["play"])
    }
}
