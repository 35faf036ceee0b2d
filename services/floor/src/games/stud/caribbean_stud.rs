//! Caribbean stud on the floor.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::misplay::Misplay;
use super::script::{Choice, Script};
use super::{DEALT_FROM, Setup, StudGame, any, one_in, post_limits, post_shuffle, stake, strategy};

pub(super) struct CaribbeanStud;

impl StudGame for CaribbeanStud {
    const GAME: &'static str = "caribbean_stud";
    const SIGN: &'static str = "CS";
    const LISTED: bool = false;
    const SPARED_BY_AUTO_SHOE: bool = true;
    const PRIZES_FROM_THE_LAST: bool = true;
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
        let dealing = any(rng, &DEALT_FROM);
        let machines = ["machine", "machine_counting"];
        let by_hand = dealing == "manual_shoe" && !one_in(rng, 4);
        let tables = ["A", "B", "C", "D", "E"].map(Some);
        let progressive = any(rng, &[&tables[..], &[None]].concat());
        let mut options = json!({
            "caribbean_bonus_paytable": any(rng, &[Some("A"), Some("B"), Some("C"), None]),
            "progressive_paytable": progressive,
            // Only one table may be linked to those of other games.
            "progressive_linked": progressive == Some("D") && one_in(rng, 2),
            "progressive_reset": any(rng, &[1_000_000, 2_000_000]),
            "progressive_rate_pct": any(rng, &[70, 75]),
            "five_card_bonus_offered": !one_in(rng, 4),
            "five_card_bonus_reset": any(rng, &[1_000_000, 1_500_000]),
            "five_card_bonus_rate_pct": any(rng, &[70, 80]),
            "bet_payout_limit": any(rng, &[Some(500_000), Some(1_000_000), None]),
            "dealing": dealing,
        });
        if progressive == Some("D") && one_in(rng, 2) {
            options["progressive_amounts"] = json!([500]);
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
        ("mgc-2017", options)
    }

    fn bets(setup: &Setup, rng: &mut ChaCha8Rng) -> Vec<(&'static str, i64)> {
        let mut bets = vec![("ante", stake(rng))];
        let is_posted = |key: &str| !setup.option(key).is_null();
        if is_posted("caribbean_bonus_paytable") && one_in(rng, 2) {
            bets.push(("caribbean_bonus", rng.random_range(1..=10) * 500));
        }
        if is_posted("progressive_paytable") && one_in(rng, 2) {
            let large = is_posted("progressive_amounts");
            let five = setup.option("progressive_paytable") == "D" && (large || one_in(rng, 2));
            bets.push(("progressive", if five { 500 } else { 100 }));
        }
        let five_card = setup.is_on("five_card_bonus_offered");
        if five_card && one_in(rng, 3) {
            bets.push(("five_card_bonus_player", 100));
        }
        if five_card && one_in(rng, 4) {
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
