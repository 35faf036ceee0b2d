//! Three card poker on the floor.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::misplay::Misplay;
use super::script::{Choice, Script};
use super::{Setup, StudGame, any, one_in, post_shuffle, some_of, stake, strategy};

pub(super) struct ThreeCardPoker;

const VERSIONS: [&str; 4] = [
    "open",
    "ante_covers_pair_plus",
    "ante_half_pair_plus",
    "compulsory_both",
];

impl StudGame for ThreeCardPoker {
    const GAME: &'static str = "three_card_poker";
    const SIGN: &'static str = "TC";
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
        let dealing = any(rng, if ohio { &dealing[1..] } else { &dealing });
        let mut options = json!({
            "dealing": dealing,
            "max_positions": rng.random_range(1..=3),
        });
        // Massachusetts deals from the hand only what a machine shuffled.
        let by_hand = (ohio || dealing == "manual_shoe") && one_in(rng, 2);
        let machine = any(rng, &["automated", "automated_counting"]);
        let two = one_in(rng, 2);
        post_shuffle(
            &mut options,
            ["shuffler", "alternating_decks"],
            by_hand,
            machine,
            two,
        );
        let version = any(rng, &VERSIONS);
        if version != "open" {
            options["version"] = json!(version);
            if !ohio {
                options["ante_bonus"] = json!(any(rng, &["A", "B", "C"]));
            }
        } else if !ohio && one_in(rng, 2) {
            options["ante_bonus"] = json!("standard");
        }
        if one_in(rng, 4) {
            options["pair_plus_pays"] = json!({"flush": "5:1"});
        }
        match edition {
            "mgc-2017" if version == "open" && one_in(rng, 4) => options["offered"] = json!([]),
            "mgc-amended" => {
                let tables = ["tcp_6b1", "tcp_6b2", "tcp_6b3", "tcp_6b4"];
                options["six_card_table"] = json!(any(rng, &tables));
                options["progressive_table"] = json!(any(rng, &["1", "2", "3"]));
                options["progressive_folded_qualify"] = json!(one_in(rng, 2));
                options["progressive_bet"] = json!(any(rng, &[100, 500]));
                options["progressive_reset"] = json!(any(rng, &[1_000_000, 2_000_000]));
                let mut offered = vec!["pair_plus"];
                offered.extend(some_of(rng, &["six_card_bonus", "progressive"]));
                // Its odds need a machine that shuffles.
                offered.extend((!by_hand).then_some("cover_all"));
                options["offered"] = json!(offered);
            }
            "oh-jack-2017" => {
                if one_in(rng, 2) {
                    options["max_payout"] = json!(5_000_000);
                }
                options["progressive_reset"] = json!(any(rng, &[1_000_000, 2_000_000]));
                let mut offered = vec!["pair_plus"];
                offered.extend(some_of(rng, &["six_card_bonus", "progressive"]));
                options["offered"] = json!(offered);
            }
            _ => {}
        }
        if !ohio {
            options["settlement_order"] = json!(any(rng, &["by_player", "by_step"]));
        }
        (edition, options)
    }

    fn bets(setup: &Setup, rng: &mut ChaCha8Rng) -> Vec<(&'static str, i64)> {
        let ante = stake(rng);
        let version = setup.option("version").as_str().unwrap_or("open");
        let mut bets = Vec::new();
        // Pair plus may be played alone where the version of the table allows it.
        let alone = version == "open" && setup.offers("pair_plus") && one_in(rng, 8);
        if !alone {
            bets.push(("ante", ante));
        }
        let both = version == "compulsory_both";
        let pair_plus = alone || both || setup.offers("pair_plus") && one_in(rng, 2);
        if pair_plus {
            let (least, most) = match version {
                "ante_covers_pair_plus" => (1, ante / 500),
                "ante_half_pair_plus" => (1, ante / 250),
                // The larger is at most five times the smaller.
                "compulsory_both" => ((ante / 500 + 4) / 5, ante / 100),
                _ => (1, 20),
            };
            bets.push(("pair_plus", rng.random_range(least..=most) * 500));
        }
        let main = !alone && (!setup.is_ohio() || pair_plus);
        if setup.edition != "mgc-2017" && setup.offers("six_card_bonus") && main && one_in(rng, 3) {
            bets.push(("six_card_bonus", rng.random_range(1..=10) * 500));
        }
        if setup.edition == "mgc-amended" && setup.offers("cover_all") && one_in(rng, 4) {
            bets.push(("cover_all", rng.random_range(1..=5) * 500));
        }
        if setup.edition != "mgc-2017" && setup.offers("progressive") && !alone && one_in(rng, 2) {
            bets.push(("progressive", setup.progressive_bet()));
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
