//! Three card poker on the floor.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::misplay::Misplay;
use super::script::{Choice, Script};
use super::{Setup, StudGame, any, one_in, stake, strategy};

pub(super) struct ThreeCardPoker;

impl StudGame for ThreeCardPoker {
    const SIGN: &'static str = "TC";
    const HAND: usize = 3;
    const MAIN: &'static str = "ante";
    const LISTED: bool = true;
    const LIFTED: &'static [&'static str] = &["progressive"];
    const METERS: &'static [&'static str] = &["progressive"];
    const MISPLAYS: &'static [Misplay] = &[
        Misplay::SurplusCard,
        Misplay::StrayHand,
        Misplay::Duplicate,
        Misplay::Multiple {
            kinds: &["play"],
            times: 2,
            code: "wager.play_amount",
        },
        Misplay::Amount {
            kind: "progressive",
            code: "wager.progressive_amount",
        },
    ];

    fn open(rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        let editions = ["mgc-2017", "mgc-amended", "oh-jack-2017"];
        let edition = any(rng, &editions);
        let dealing = ["manual_shoe", "hand", "automated_shoe"];
        let ohio = edition == "oh-jack-2017";
        let mut options = json!({
            "dealing": any(rng, if ohio { &dealing[1..] } else { &dealing }),
            "shuffler": any(rng, &["automated", "automated_counting"]),
            "alternating_decks": one_in(rng, 2),
            "max_positions": rng.random_range(1..=3),
        });
        if one_in(rng, 2) {
            options["version"] = json!("ante_covers_pair_plus");
            if !ohio {
                options["ante_bonus"] = json!(any(rng, &["A", "B", "C"]));
            }
        }
        match edition {
            "mgc-amended" => {
                let tables = ["tcp_6b1", "tcp_6b2", "tcp_6b3", "tcp_6b4"];
                options["six_card_table"] = json!(any(rng, &tables));
                options["progressive_table"] = json!(any(rng, &["1", "2", "3"]));
                options["progressive_folded_qualify"] = json!(one_in(rng, 2));
            }
            "oh-jack-2017" if one_in(rng, 2) => options["max_payout"] = json!(5_000_000),
            _ => {}
        }
        (edition, options)
    }

    fn bets(setup: &Setup, rng: &mut ChaCha8Rng) -> Vec<(&'static str, i64)> {
        let ante = stake(rng);
        let covered = setup.option("version") == "ante_covers_pair_plus";
        let mut bets = Vec::new();
        // Pair plus may be played alone where the versions of the table allow it.
        let alone = !covered && one_in(rng, 8);
        if !alone {
            bets.push(("ante", ante));
        }
        let pair_plus = alone || one_in(rng, 2);
        if pair_plus {
            let most = if covered { ante / 500 } else { 20 };
            bets.push(("pair_plus", rng.random_range(1..=most) * 500));
        }
        let main = !alone && (!setup.is_ohio() || pair_plus);
        if setup.edition != "mgc-2017" && main && one_in(rng, 3) {
            bets.push(("six_card_bonus", rng.random_range(1..=10) * 500));
        }
        if setup.edition == "mgc-amended" && one_in(rng, 4) {
            bets.push(("cover_all", rng.random_range(1..=5) * 500));
        }
        if setup.edition != "mgc-2017" && !alone && one_in(rng, 2) {
            bets.push(("progressive", 100));
        }
        bets
    }

    fn house(_: &Setup) -> usize {
        3
    }

    fn house_leads(setup: &Setup) -> bool {
        setup.is_ohio()
    }

    fn decide(setup: &Setup, script: &Script, seat: u32, _: usize, rng: &mut ChaCha8Rng) -> Choice {
        if strategy::is_queen_six_four(script.cards(seat)) {
            return Choice::Put("play", script.amount(seat, "ante"));
        }
        // A hand that a device has read may be given up unexposed.
        match setup.identified && !setup.is_ohio() && one_in(rng, 6) {
            true => Choice::Forfeit,
            false => Choice::Fold,
        }
    }

    fn dies(setup: &Setup, kind: &str) -> bool {
        kind == "ante" || kind == "pair_plus" && setup.is_ohio()
    }

    fn shows_house(_: &Script) -> bool {
        true
    }

    fn two_seats(setup: &Setup) -> bool {
        setup.option("max_positions") != 1
    }
}
