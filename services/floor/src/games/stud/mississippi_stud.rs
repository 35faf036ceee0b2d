//! Mississippi stud on the floor.

use catwalk_rules::floor::Rank;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::misplay::Misplay;
use super::script::{Choice, Script};
use super::{DEALT_FROM, Setup, StudGame, any, one_in, post_limits, post_shuffle, stake, strategy};

pub(super) struct MississippiStud;

const STREETS: [&str; 3] = ["third_street", "fourth_street", "fifth_street"];

impl StudGame for MississippiStud {
    const GAME: &'static str = "mississippi_stud";
    const SIGN: &'static str = "MS";
    const LISTED: bool = false;
    const BURNS: bool = true;
    const MISPLAYS: &'static [Misplay] = &[
        Misplay::SurplusCard,
        Misplay::ShortHand,
        Misplay::Cash,
        Misplay::Alone {
            kind: "progressive",
        },
        Misplay::StrayHand,
        Misplay::NoBurn,
        Misplay::Multiple {
            kinds: &STREETS,
            times: 4,
            code: "wager.bad_multiple",
        },
        Misplay::Amount {
            kind: "progressive",
            code: "wager.progressive_amount",
        },
    ];

    fn open(rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        let dealing = any(rng, &DEALT_FROM);
        let by_hand = dealing == "manual_shoe" && !one_in(rng, 4);
        let machines = ["machine", "machine_counting"];
        let mut options = json!({
            "payout_limit": one_in(rng, 2).then_some(5_000_000),
            "three_card_bonus_offered": !one_in(rng, 4),
            "two_positions_allowed": !one_in(rng, 3),
            "progressive": one_in(rng, 2),
            "progressive_bet": any(rng, &[100, 500]),
            "progressive_reset": any(rng, &[1_000_000, 2_000_000]),
            "dealing": dealing,
        });
        if one_in(rng, 4) {
            options["odds_override"] = json!({"main": {"flush": "7:1"}});
        }
        let (machine, two) = (any(rng, &machines), one_in(rng, 2));
        post_shuffle(
            &mut options,
            ["shuffle", "two_decks"],
            by_hand,
            machine,
            two,
        );
        post_limits(&mut options, rng);
        ("oh-jack-2017", options)
    }

    fn bets(setup: &Setup, rng: &mut ChaCha8Rng) -> Vec<(&'static str, i64)> {
        let mut bets = vec![("ante", stake(rng))];
        if setup.is_on("three_card_bonus_offered") && one_in(rng, 3) {
            bets.push(("three_card_bonus", rng.random_range(1..=10) * 500));
        }
        if setup.is_on("progressive") && one_in(rng, 2) {
            bets.push(("progressive", setup.progressive_bet()));
        }
        bets
    }

    /// An automated shoe deals the board with the hands.
    fn house(setup: &Setup) -> usize {
        if setup.is_automated() { 3 } else { 0 }
    }

    fn put_away(setup: &Setup) -> usize {
        if setup.is_automated() { 1 } else { 3 }
    }

    /// Three times with a pair that pays, once with enough points, else folded.
    fn decide(
        _: &Setup,
        script: &Script,
        seat: u32,
        street: usize,
        rng: &mut ChaCha8Rng,
    ) -> Choice {
        let seen = [script.cards(seat), &script.house[..street]].concat();
        let ante = script.amount(seat, "ante");
        let pair = strategy::best_pair(&seen);
        let points = strategy::points(&seen);
        if pair.is_some_and(|rank| rank >= Rank::Six) {
            // Any amount between one and three antes may be bet. 8.D
            let most = if one_in(rng, 3) {
                rng.random_range(200..=300)
            } else {
                300
            };
            Choice::Put(STREETS[street], ante * most / 100)
        } else if pair.is_some() || strategy::is_suited(&seen) || points > 1 + street as u32 {
            Choice::Put(STREETS[street], ante)
        } else {
            Choice::Fold
        }
    }

    fn dies(_: &Setup, kind: &str) -> bool {
        kind == "ante" || STREETS.contains(&kind)
    }

    fn shows_folded(_: &Script, _: u32) -> bool {
        false
    }

    fn shows_house(script: &Script) -> bool {
        script.has_any(&["three_card_bonus"])
    }

    fn two_seats(setup: &Setup) -> bool {
        setup.is_on("two_positions_allowed")
    }
}
