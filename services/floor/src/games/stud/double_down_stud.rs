//! Double down stud on the floor.

use catwalk_rules::floor::Rank;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::misplay::Misplay;
use super::script::{Choice, Script};
use super::{Setup, StudGame, any, one_in, post_limits, post_shuffle, stake, strategy};

pub(super) struct DoubleDownStud;

impl StudGame for DoubleDownStud {
    const GAME: &'static str = "double_down_stud";
    const SIGN: &'static str = "DD";
    const LISTED: bool = false;
    const OPEN_HANDS: bool = true;
    const MISPLAYS: &'static [Misplay] = &[
        Misplay::SurplusCard,
        Misplay::ShortHand,
        Misplay::Cash,
        Misplay::EarlyDeal,
        Misplay::StrayHand,
        Misplay::Duplicate,
        Misplay::Multiple {
            kinds: &["double_down"],
            times: 2,
            code: "wager.double_over_original",
        },
    ];

    fn open(rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        let by_hand = one_in(rng, 2);
        let from_shoe = by_hand || one_in(rng, 3);
        let mut options = json!({
            "payout_limit": any(rng, &[Some(10_000_000), Some(20_000_000), None]),
            "two_areas_allowed": !one_in(rng, 3),
            "dealing": if from_shoe { "manual_shoe" } else { "hand" },
        });
        if one_in(rng, 4) {
            options["odds_override"] = json!({"main": {"flush": "9:1"}});
        }
        post_shuffle(
            &mut options,
            ["shuffle", "two_decks"],
            by_hand,
            "machine",
            one_in(rng, 2),
        );
        post_limits(&mut options, rng);
        ("mgc-2017", options)
    }

    fn bets(_: &Setup, rng: &mut ChaCha8Rng) -> Vec<(&'static str, i64)> {
        vec![("bet", stake(rng))]
    }

    fn house(_: &Setup) -> usize {
        4
    }

    fn is_up(index: usize) -> bool {
        index > 0
    }

    /// Doubled with a sure push or better, and with four to a flush.
    fn decide(_: &Setup, script: &Script, seat: u32, _: usize, rng: &mut ChaCha8Rng) -> Choice {
        let seen = [script.cards(seat), &script.house[1..]].concat();
        let sure = strategy::best_pair(&seen).is_some_and(|rank| rank >= Rank::Six);
        let bet = script.amount(seat, "bet");
        match sure || strategy::is_suited(&seen) {
            true if one_in(rng, 6) => Choice::Put("double_down", bet / 500 * 100),
            true => Choice::Put("double_down", bet),
            false => Choice::Stay,
        }
    }

    fn dies(_: &Setup, _: &str) -> bool {
        false
    }

    fn shows_house(_: &Script) -> bool {
        true
    }

    fn two_seats(setup: &Setup) -> bool {
        setup.is_on("two_areas_allowed")
    }
}
