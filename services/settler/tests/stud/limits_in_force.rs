//! The limit in force where a table posts less than its text allows: the least of the text. What is paid up to it is
//! due, and what is paid beyond it is too much.

use catwalk_stories::{codes, open, script, table};
use serde_json::{Value, json};

const NONE: [&str; 0] = [];
const TOO_LOW: &str = "config.payout_limit_too_low";

/// A round that wins more than the limit.
struct Winner {
    game: &'static str,
    edition: &'static str,
    option: &'static str,
    lines: &'static str,
    /// Up to the limit, and as the odds are.
    limited: &'static str,
    unlimited: &'static str,
}

/// Three card poker 12.G, four card poker and crazy four poker alike, caribbean stud 10(c), double down stud 10(c), let
/// it ride 14.B, mississippi stud 12.D, dj wild 12.G.
const WINNERS: [Winner; 8] = [
    Winner {
        game: "three_card_poker",
        edition: "oh-jack-2017",
        option: "max_payout",
        lines: "bet a 1 ante 500\nbet w 1 pair_plus 500\nbet s 1 six_card_bonus 500000\nno-more-bets
                card dealer AC\ncard dealer AD\ncard dealer 4S
                card seat 1 AS\ncard seat 1 AH\ncard seat 1 7C
                say 1 play\nbet p 1 play 500 a
                show dealer 0 AC\nshow dealer 1 AD\nshow dealer 2 4S",
        // Only the bonus is cut, by what the hand won besides.
        limited: "pay a 500\npay p 500\npay w 500\npay s 4998500",
        unlimited: "pay a 500\npay p 500\npay w 500\npay s 25000000",
    },
    Winner {
        game: "four_card_poker",
        edition: "oh-jack-2017",
        option: "max_payout",
        lines: "bet a 1 ante 6000000\nno-more-bets
                card seat 1 AS\ncard seat 1 AH\ncard seat 1 7C\ncard seat 1 9D\ncard seat 1 JD
                card dealer KC\ncard dealer 8D\ncard dealer 4S\ncard dealer 2D\ncard dealer 3H
                card dealer 6C up
                say 1 play\nbet p 1 play 6000000 a
                show dealer 0 KC\nshow dealer 1 8D\nshow dealer 2 4S\nshow dealer 3 2D\nshow dealer 4 3H",
        limited: "pay a 5000000\npay p 5000000",
        unlimited: "pay a 6000000\npay p 6000000",
    },
    Winner {
        game: "crazy_four_poker",
        edition: "oh-jack-2017",
        option: "max_payout",
        lines: "bet a 1 ante 6000000\nbet s 1 super_bonus 6000000
                card seat 1 AS\ncard seat 1 AH\ncard seat 1 7C\ncard seat 1 9D\ncard seat 1 JD
                card dealer KC\ncard dealer 8D\ncard dealer 4S\ncard dealer 2D\ncard dealer 3H
                say 1 play\nbet p 1 play 6000000 a
                show dealer 0 KC\nshow dealer 1 8D\nshow dealer 2 4S\nshow dealer 3 2D\nshow dealer 4 3H",
        limited: "push s\npay a 5000000\npay p 5000000",
        unlimited: "push s\npay a 6000000\npay p 6000000",
    },
    Winner {
        game: "caribbean_stud",
        edition: "mgc-2017",
        option: "bet_payout_limit",
        lines: "bet a 1 ante 10000\nno-more-bets
                card seat 1 5S\ncard dealer KS up\ncard seat 1 6S\ncard dealer ??
                card seat 1 7S\ncard dealer ??\ncard seat 1 8S\ncard dealer ??
                card seat 1 9S\ncard dealer ??
                say 1 bet\nbet p 1 bet 20000 a
                show dealer 1 AH\nshow dealer 2 TD\nshow dealer 3 8C\nshow dealer 4 3H",
        limited: "pay a 10000\npay p 500000",
        unlimited: "pay a 10000\npay p 1000000",
    },
    Winner {
        game: "double_down_stud",
        edition: "mgc-2017",
        option: "payout_limit",
        lines: "bet b 1 bet 7500\nno-more-bets
                card seat 1 QD up\ncard dealer ??\ncard dealer KD up\ncard dealer JD up\ncard dealer TD up
                bet d 1 double_down 7500 b\nno-more-bets\nshow dealer 0 AD",
        limited: "pay b 7500000\npay d 2500000",
        unlimited: "pay b 7500000\npay d 7500000",
    },
    Winner {
        game: "let_it_ride",
        edition: "mgc-2017",
        option: "payout_limit",
        lines: "bet a 1 bet_1 3000\nbet b 1 bet_2 3000\nbet c 1 bet_3 3000\nno-more-bets
                card seat 1 TC\ncard community ??\ncard seat 1 JC\ncard community ??
                card seat 1 QC\ncard community ??
                say 1 ride\nshow community 1 KC\nsay 1 ride\nshow community 2 AC",
        limited: "pay a 3000000\npay b 2000000\npush c",
        unlimited: "pay a 3000000\npay b 3000000\npay c 3000000",
    },
    Winner {
        game: "mississippi_stud",
        edition: "oh-jack-2017",
        option: "payout_limit",
        lines: "bet a 1 ante 15000\ncard seat 1 9S\ncard seat 1 8S
                say 1 bet\nbet b 1 third_street 15000 a\nburn\ncard community 7S up
                say 1 bet\nbet c 1 fourth_street 15000 a\nburn\ncard community 6S up
                say 1 bet\nbet d 1 fifth_street 15000 a\nburn\ncard community 5S up",
        limited: "pay a 1500000\npay b 1500000\npay c 1500000\npay d 500000",
        unlimited: "pay a 1500000\npay b 1500000\npay c 1500000\npay d 1500000",
    },
    Winner {
        game: "dj_wild",
        edition: "oh-jack-2017",
        option: "payout_limit",
        lines: "bet a 1 ante 200000\nbet b 1 blind 200000\nno-more-bets
                card seat 1 AC\ncard dealer 9D\ncard seat 1 KC\ncard dealer 9H
                card seat 1 QC\ncard dealer 9S\ncard seat 1 JC\ncard dealer 8C
                card seat 1 TC\ncard dealer 7D
                say 1 play\nbet p 1 play 400000 a
                show dealer 0 9D\nshow dealer 1 9H\nshow dealer 2 9S\nshow dealer 3 8C\nshow dealer 4 7D",
        // Ante and play have no limit and use none up.
        limited: "pay a 200000\npay p 400000\npay b 5000000",
        unlimited: "pay a 200000\npay p 400000\npay b 10000000",
    },
];

impl Winner {
    /// What is found of the payments at a table that posts a limit of 4.00, or of what the text asks for.
    fn found(&self, posted: i64, payments: &str) -> Vec<String> {
        let lines = format!("open\n{}\n{payments}\nclose", self.lines);
        let options = json!({self.option: posted});
        codes(&table(self.game, self.edition, options, &lines))
    }
}

#[test]
fn a_limit_that_is_posted_too_low_counts_as_the_least_of_the_text() {
    for winner in WINNERS {
        let game = winner.game;
        let least = match game {
            "caribbean_stud" => 500_000,
            "double_down_stud" => 10_000_000,
            _ => 5_000_000,
        };
        assert_eq!(winner.found(least, winner.limited), NONE, "{game}");
        let posting = match game {
            "dj_wild" => "options.payout_limit",
            _ => TOO_LOW,
        };
        let of_payments = |mut found: Vec<String>| {
            assert!(found.iter().any(|code| code == posting), "{game} {found:?}");
            found.retain(|code| code != posting);
            found
        };
        let held = of_payments(winner.found(400, winner.limited));
        assert_eq!(held, NONE, "{game}");
        let beyond = of_payments(winner.found(400, winner.unlimited));
        let has = |code: &str| beyond.iter().any(|found| found == code);
        let told = has("pay.over") && has("payout.limit_exceeded");
        assert!(told, "{game} {beyond:?}");
    }
}

/// 12.C and 12.D of mississippi stud: 500 to one on ten antes, and 40 to one on the board for the least bonus.
#[test]
fn a_sign_of_mississippi_stud_may_ask_less_of_the_bonus_than_of_the_ante() {
    let posted = |limit: i64, signs: &[(&str, i64)], is_offered: bool| {
        let options = json!({"payout_limit": limit, "three_card_bonus_offered": is_offered});
        let mut opened = open("mississippi_stud", "oh-jack-2017", options);
        let sign = |&(kind, min): &(&str, i64)| json!({"kind": kind, "min": min, "max": 100 * min});
        opened["limits"] = signs.iter().map(sign).collect::<Vec<Value>>().into();
        let mut bodies = vec![opened];
        bodies.extend(script(
            "open\nbet a 1 ante 2000\ncard seat 1 9S\ncard seat 1 4D\nsay 1 fold\ntake a\nclose",
        ));
        codes(&bodies)
    };
    let both = [("ante", 2_000), ("three_card_bonus", 500)];
    assert_eq!(posted(10_020_000, &both, true), NONE);
    assert_eq!(posted(10_019_999, &both, true), [TOO_LOW]);
    // A bonus without a minimum of its own has that of the ante.
    assert_eq!(posted(10_080_000, &both[..1], true), NONE);
    assert_eq!(posted(10_079_999, &both[..1], true), [TOO_LOW]);
    // And one that is not offered asks for nothing.
    assert_eq!(posted(10_000_000, &both[..1], false), NONE);
    assert_eq!(posted(9_999_999, &both[..1], false), [TOO_LOW]);
}

/// Let it ride 14.C, double down stud 10(c), mississippi stud 12.D: the least follows the least that may be bet, which
/// a table may tell by its signs alone.
#[test]
fn a_limit_that_the_signs_make_too_low_counts_as_the_least_of_the_text() {
    let games = [
        ("let_it_ride", "bet_1", 3_000),
        ("double_down_stud", "bet", 7_500),
        ("mississippi_stud", "ante", 1_200),
    ];
    for (game, main, least) in games {
        let winner = WINNERS.into_iter().find(|winner| winner.game == game);
        let winner = winner.unwrap();
        let posted = if game == "double_down_stud" {
            10_000_000
        } else {
            5_000_000
        };
        let found = |signs: Value, payments: &str| {
            let mut opened = open(game, winner.edition, json!({winner.option: posted}));
            opened["limits"] = signs;
            let mut bodies = vec![opened];
            bodies.extend(script(&format!(
                "open\n{}\n{payments}\nclose",
                winner.lines
            )));
            codes(&bodies)
        };
        let sign = json!([{"kind": main, "min": least, "max": 1_000_000}]);
        assert_eq!(found(sign.clone(), winner.unlimited), [TOO_LOW], "{game}");
        let cut = found(sign, winner.limited);
        assert!(cut.contains(&"pay.under".to_owned()), "{game} {cut:?}");
        // Without signs the limit is what was posted.
        assert_eq!(found(json!([]), winner.limited), NONE, "{game}");
    }
}
