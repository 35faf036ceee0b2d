//! Caribbean stud on the floor.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::misplay::Misplay;
use super::script::{Choice, Script};
use super::{Setup, StudGame, any, one_in, stake, strategy};

pub(super) struct CaribbeanStud;

impl StudGame for CaribbeanStud {
    const SIGN: &'static str = "CS";
    const HAND: usize = 5;
    const MAIN: &'static str = "ante";
    const LISTED: bool = false;
    const LIFTED: &'static [&'static str] = &[
        "progressive",
        "five_card_bonus_player",
        "five_card_bonus_dealer",
    ];
    const METERS: &'static [&'static str] = &["progressive", "five_card_bonus"];
    const PRIZES_FROM_THE_LAST: bool = true;
    const MISPLAYS: &'static [Misplay] = &[
        Misplay::SurplusCard,
        Misplay::StrayHand,
        Misplay::Duplicate,
        Misplay::Multiple {
            kinds: &["bet"],
            times: 3,
            code: "wager.bad_multiple",
        },
        Misplay::Amount {
            kind: "progressive",
            code: "wager.progressive_amount",
        },
    ];

    fn open(rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        let dealing = any(rng, &["manual_shoe", "hand", "automated_shoe"]);
        let machines = ["machine", "machine_counting"];
        let by_hand = dealing == "manual_shoe" && one_in(rng, 2);
        let options = json!({
            "caribbean_bonus_paytable": any(rng, &["A", "B", "C"]),
            "progressive_paytable": any(rng, &["A", "B", "C", "D", "E"]),
            "bet_payout_limit": any(rng, &[500_000, 1_000_000]),
            "dealing": dealing,
            "shuffle": if by_hand { "manual" } else { any(rng, &machines) },
            "two_decks": !by_hand && one_in(rng, 2),
        });
        ("mgc-2017", options)
    }

    fn bets(setup: &Setup, rng: &mut ChaCha8Rng) -> Vec<(&'static str, i64)> {
        let mut bets = vec![("ante", stake(rng))];
        if one_in(rng, 2) {
            bets.push(("caribbean_bonus", rng.random_range(1..=10) * 500));
        }
        if one_in(rng, 2) {
            let five = setup.option("progressive_paytable") == "D" && one_in(rng, 2);
            bets.push(("progressive", if five { 500 } else { 100 }));
        }
        if one_in(rng, 3) {
            bets.push(("five_card_bonus_player", 100));
        }
        if one_in(rng, 4) {
            bets.push(("five_card_bonus_dealer", 100));
        }
        bets
    }

    fn house(_: &Setup) -> usize {
        5
    }

    fn is_up(index: usize) -> bool {
        index == 0
    }

    fn decide(_: &Setup, script: &Script, seat: u32, _: usize, _: &mut ChaCha8Rng) -> Choice {
        match strategy::is_ace_king(script.cards(seat)) {
            true => Choice::Put("bet", script.amount(seat, "ante") * 2),
            false => Choice::Fold,
        }
    }

    fn dies(_: &Setup, kind: &str) -> bool {
        matches!(kind, "ante" | "caribbean_bonus")
    }

    fn shows_folded(script: &Script, seat: u32) -> bool {
        script.bet(seat, "five_card_bonus_player").is_some()
    }

    fn shows_house(script: &Script) -> bool {
        script.has_any(&["bet", "five_card_bonus_dealer"])
    }
}
