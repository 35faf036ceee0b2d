//! Let it ride on the floor.

use catwalk_rules::floor::{Card, Rank};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::misplay::Misplay;
use super::script::{Choice, Script};
use super::{DEALT_FROM, Setup, StudGame, any, one_in, post_limits, post_shuffle, stake, strategy};

pub(super) struct LetItRide;

impl StudGame for LetItRide {
    const GAME: &'static str = "let_it_ride";
    const SIGN: &'static str = "LR";
    const LISTED: bool = false;
    const BURNS: bool = true;
    const MISPLAYS: &'static [Misplay] = &[
        Misplay::SurplusCard,
        Misplay::ShortHand,
        Misplay::Cash,
        Misplay::EarlyDeal,
        Misplay::Alone {
            kind: "progressive",
        },
        Misplay::StrayHand,
        Misplay::LastBetBack,
        Misplay::Amount {
            kind: "bet_2",
            code: "wager.unequal",
        },
        Misplay::Amount {
            kind: "let_it_ride_bonus",
            code: "wager.bad_bonus_amount",
        },
        Misplay::Amount {
            kind: "progressive",
            code: "wager.progressive_amount",
        },
    ];

    fn open(rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        let ohio = one_in(rng, 2);
        let dealing = any(rng, &DEALT_FROM);
        let by_hand = dealing == "manual_shoe" && !one_in(rng, 4);
        let machines = ["machine", "machine_counting"];
        let mut options = json!({
            "payout_limit": one_in(rng, 2).then_some(5_000_000),
            "let_it_ride_bonus_offered": !one_in(rng, 4),
            "let_it_ride_bonus_stake_returned": one_in(rng, 2),
            "two_positions_allowed": !one_in(rng, 3),
            "dealing": dealing,
        });
        if one_in(rng, 4) {
            options["odds_override"] = json!({"main": {"flush": "9:1"}});
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
        if ohio {
            options["three_card_bonus_paytable"] = json!(any(rng, &[Some("standard"), None]));
            options["progressive"] = json!(one_in(rng, 2));
            options["progressive_bet"] = json!(any(rng, &[100, 500]));
            options["progressive_reset"] = json!(any(rng, &[1_000_000, 2_000_000]));
            return ("oh-jack-2017", options);
        }
        let tables = ["A", "B", "C", "D", "E", "F"].map(Some);
        let table = any(rng, &[&tables[..], &[None]].concat());
        options["three_card_bonus_paytable"] = json!(table);
        ("mgc-2017", options)
    }

    fn bets(setup: &Setup, rng: &mut ChaCha8Rng) -> Vec<(&'static str, i64)> {
        let bet = stake(rng);
        let mut bets = vec![("bet_1", bet), ("bet_2", bet), ("bet_3", bet)];
        if setup.is_on("let_it_ride_bonus_offered") && one_in(rng, 2) {
            bets.push(("let_it_ride_bonus", 100));
        }
        if !setup.option("three_card_bonus_paytable").is_null() && one_in(rng, 3) {
            bets.push(("three_card_bonus", rng.random_range(1..=10) * 500));
        }
        if setup.is_on("progressive") && one_in(rng, 2) {
            bets.push(("progressive", setup.progressive_bet()));
        }
        bets
    }

    /// In Massachusetts a third card, of which the leftmost is burned.
    fn house(setup: &Setup) -> usize {
        if setup.is_ohio() { 2 } else { 3 }
    }

    fn board_burns(setup: &Setup) -> usize {
        usize::from(!setup.is_ohio())
    }

    fn put_away(setup: &Setup) -> usize {
        usize::from(setup.is_ohio() && setup.is_automated())
    }

    fn decide(
        setup: &Setup,
        script: &Script,
        seat: u32,
        street: usize,
        _: &mut ChaCha8Rng,
    ) -> Choice {
        let first = usize::from(!setup.is_ohio());
        let board = &script.house[first..first + street];
        let seen = [script.cards(seat), board].concat();
        if rides(&seen) {
            Choice::Ride
        } else {
            Choice::Withdraw
        }
    }

    fn dies(_: &Setup, _: &str) -> bool {
        false
    }

    fn shows_house(_: &Script) -> bool {
        true
    }

    fn two_seats(setup: &Setup) -> bool {
        setup.is_on("two_positions_allowed")
    }
}

/// A pair that pays, or all cards suited and close together, or four to a flush.
fn rides(seen: &[Card]) -> bool {
    let pays = strategy::best_pair(seen).is_some_and(|rank| rank >= Rank::Ten);
    pays || strategy::is_suited(seen) && (seen.len() == 4 || strategy::is_close(seen))
}
