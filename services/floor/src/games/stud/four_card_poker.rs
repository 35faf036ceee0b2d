//! Four card poker on the floor.

use catwalk_rules::floor::Rank;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::misplay::Misplay;
use super::script::{Choice, Script};
use super::{Setup, StudGame, any, one_in, post_shuffle, some_of, stake, strategy};

pub(super) struct FourCardPoker;

impl StudGame for FourCardPoker {
    const GAME: &'static str = "four_card_poker";
    const SIGN: &'static str = "FC";
    const LISTED: bool = true;
    const MISPLAYS: &'static [Misplay] = &[
        Misplay::SurplusCard,
        Misplay::ShortHand,
        Misplay::Cash,
        Misplay::EarlyDeal,
        Misplay::Alone {
            kind: "progressive",
        },
        Misplay::StrayHand,
        Misplay::Duplicate,
        Misplay::Multiple {
            kinds: &["play"],
            times: 4,
            code: "wager.play_amount",
        },
        Misplay::Amount {
            kind: "progressive",
            code: "wager.progressive_amount",
        },
    ];

    fn open(rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        let offered = some_of(rng, &["aces_up", "progressive"]);
        let mut options = json!({
            "dealing": any(rng, &["hand", "manual_shoe", "automated_shoe"]),
            "offered": offered,
            "progressive_bet": any(rng, &[100, 500]),
            "progressive_reset": any(rng, &[1_000_000, 2_000_000]),
            "max_positions": rng.random_range(1..=2),
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
        let mut bets = Vec::new();
        let alone = setup.offers("aces_up") && one_in(rng, 8);
        if !alone {
            bets.push(("ante", stake(rng)));
        }
        if alone || setup.offers("aces_up") && one_in(rng, 2) {
            bets.push(("aces_up", rng.random_range(1..=10) * 500));
        }
        if !alone && setup.offers("progressive") && one_in(rng, 2) {
            bets.push(("progressive", setup.progressive_bet()));
        }
        bets
    }

    fn house(_: &Setup) -> usize {
        6
    }

    /// The sixth card lies open.
    fn is_up(index: usize) -> bool {
        index == 5
    }

    /// Of the stack for the open card four go away unseen.
    fn put_away(setup: &Setup) -> usize {
        if setup.is_automated() { 4 } else { 0 }
    }

    fn decide(_: &Setup, script: &Script, seat: u32, _: usize, _: &mut ChaCha8Rng) -> Choice {
        let ante = script.amount(seat, "ante");
        let cards = script.cards(seat);
        if strategy::has_pair_of(cards, Rank::Ten) {
            Choice::Put("play", ante * 3)
        } else if strategy::has_pair_of(cards, Rank::Eight) {
            Choice::Put("play", ante * 2)
        } else if strategy::has_pair_of(cards, Rank::Three) {
            Choice::Put("play", ante)
        } else {
            Choice::Fold
        }
    }

    fn dies(_: &Setup, kind: &str) -> bool {
        kind != "progressive"
    }

    /// Where everybody folded, the dealer's cards are not looked at.
    fn shows_house(script: &Script) -> bool {
        script.has_any(&["play"])
    }

    fn two_seats(setup: &Setup) -> bool {
        setup.option("max_positions") == 2
    }
}
