//! Crazy four poker on the floor.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::misplay::Misplay;
use super::script::{Choice, Script};
use super::{Setup, StudGame, any, one_in, post_shuffle, some_of, stake, strategy};

pub(super) struct CrazyFourPoker;

impl StudGame for CrazyFourPoker {
    const GAME: &'static str = "crazy_four_poker";
    const SIGN: &'static str = "CZ";
    const LISTED: bool = true;
    const MISPLAYS: &'static [Misplay] = &[
        Misplay::SurplusCard,
        Misplay::ShortHand,
        Misplay::Cash,
        Misplay::Alone {
            kind: "progressive",
        },
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
        let offered = some_of(rng, &["queens_up", "progressive"]);
        let mut options = json!({
            "dealing": any(rng, &["hand", "automated_shoe"]),
            "offered": offered,
            "progressive_bet": any(rng, &[100, 500]),
            "progressive_reset": any(rng, &[1_000_000, 2_000_000]),
            "max_payout": one_in(rng, 2).then_some(5_000_000),
        });
        let machine = any(rng, &["automated", "automated_counting"]);
        let (by_hand, two) = (one_in(rng, 3), one_in(rng, 2));
        post_shuffle(
            &mut options,
            ["shuffler", "alternating_decks"],
            by_hand,
            machine,
            two,
        );
        ("oh-jack-2017", options)
    }

    fn bets(setup: &Setup, rng: &mut ChaCha8Rng) -> Vec<(&'static str, i64)> {
        let ante = stake(rng);
        let mut bets = vec![("ante", ante), ("super_bonus", ante)];
        if setup.offers("queens_up") && one_in(rng, 2) {
            bets.push(("queens_up", rng.random_range(1..=10) * 500));
        }
        if setup.offers("progressive") && one_in(rng, 2) {
            bets.push(("progressive", setup.progressive_bet()));
        }
        bets
    }

    fn house(_: &Setup) -> usize {
        5
    }

    fn decide(_: &Setup, script: &Script, seat: u32, _: usize, rng: &mut ChaCha8Rng) -> Choice {
        let ante = script.amount(seat, "ante");
        let cards = script.cards(seat);
        if strategy::has_aces_up(cards) {
            Choice::Put("play", ante * if one_in(rng, 4) { 2 } else { 3 })
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
