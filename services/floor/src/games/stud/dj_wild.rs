//! DJ Wild on the floor.

use catwalk_rules::floor::{Card, Rank};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::misplay::Misplay;
use super::script::{Choice, Script};
use super::{DEALT_FROM, Setup, StudGame, any, one_in, post_limits, post_shuffle, stake, strategy};

pub(super) struct DjWild;

impl StudGame for DjWild {
    const GAME: &'static str = "dj_wild";
    const SIGN: &'static str = "DJ";
    const LISTED: bool = false;
    const MISPLAYS: &'static [Misplay] = &[
        Misplay::SurplusCard,
        Misplay::ShortHand,
        Misplay::Cash,
        Misplay::EarlyDeal,
        Misplay::Alone { kind: "trips" },
        Misplay::StrayHand,
        Misplay::Duplicate,
        Misplay::Multiple {
            kinds: &["play"],
            times: 3,
            code: "wager.bad_multiple",
        },
        Misplay::Amount {
            kind: "blind",
            code: "wager.unequal",
        },
    ];

    fn open(rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        let dealing = any(rng, &DEALT_FROM);
        let by_hand = dealing == "manual_shoe" && !one_in(rng, 4);
        let machines = ["machine", "machine_counting"];
        let mut options = json!({
            "two_way_bad_beat_offered": !one_in(rng, 4),
            "payout_limit_scope": any(rng, &["hand", "table"]),
            "dealing": dealing,
        });
        if one_in(rng, 4) {
            options["odds_override"] = json!({"blind": {"flush": "3:1"}});
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
        let ante = stake(rng);
        let mut bets = vec![("ante", ante), ("blind", ante)];
        if one_in(rng, 2) {
            bets.push(("trips", rng.random_range(1..=10) * 500));
        }
        if setup.is_on("two_way_bad_beat_offered") && one_in(rng, 3) {
            bets.push(("two_way_bad_beat", rng.random_range(1..=10) * 500));
        }
        bets
    }

    fn house(_: &Setup) -> usize {
        5
    }

    /// Played with a wild card or a pair of fours or better.
    fn decide(_: &Setup, script: &Script, seat: u32, _: usize, _: &mut ChaCha8Rng) -> Choice {
        let cards = script.cards(seat);
        let is_wild = |card: &Card| card.is_joker() || card.rank() == Some(Rank::Two);
        let pair = strategy::best_pair(cards).is_some_and(|rank| rank >= Rank::Four);
        match pair || cards.iter().any(is_wild) {
            true => Choice::Put("play", script.amount(seat, "ante") * 2),
            false => Choice::Fold,
        }
    }

    fn dies(_: &Setup, kind: &str) -> bool {
        kind != "two_way_bad_beat"
    }

    fn shows_folded(script: &Script, seat: u32) -> bool {
        script.bet(seat, "two_way_bad_beat").is_some()
    }

    fn shows_house(script: &Script) -> bool {
        script.has_any(&["play", "two_way_bad_beat"])
    }
}
