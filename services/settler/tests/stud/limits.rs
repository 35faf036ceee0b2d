//! Payout limits of the stud family: what may be posted, and what was paid beyond it.

use catwalk_stories::{codes, open, script};
use serde_json::{Value, json};

const NONE: [&str; 0] = [];

fn play(game: &str, edition: &str, options: Value, lines: &str) -> Vec<String> {
    let mut bodies = vec![open(game, edition, options)];
    bodies.extend(script(lines));
    codes(&bodies)
}

/// A table with a payout limit of $50,000 and this least ante; side wagers have their own.
fn limited(game: &str, least: &[(&str, i64)], lines: &str) -> Vec<String> {
    let mut opened = open(game, "oh-jack-2017", json!({"max_payout": 5_000_000}));
    let limit = |&(kind, min): &(&str, i64)| json!({"kind": kind, "min": min, "max": 100 * min});
    opened["limits"] = least.iter().map(limit).collect();
    let mut bodies = vec![opened];
    bodies.extend(script(lines));
    codes(&bodies)
}

/// 12.G of three card poker and its sisters: at least what one player can win at the minimum.
#[test]
fn a_payout_limit_is_not_below_what_the_least_stakes_can_win() {
    const TOO_LOW: [&str; 1] = ["config.payout_limit_too_low"];
    // One to one on ante and play, 5 on the ante, 40 on the pair plus, 1000 on the six cards: 1,047 times
    // the minimum.
    let three_card = |ante: i64| {
        let round = format!(
            "open\nbet a 1 ante {ante}\nno-more-bets
             card dealer KD\ncard dealer 7C\ncard dealer 3H
             card seat 1 9S\ncard seat 1 8H\ncard seat 1 2D
             say 1 fold\ntake a\nclose"
        );
        let least = [
            ("ante", ante),
            ("pair_plus", ante),
            ("six_card_bonus", ante),
        ];
        limited("three_card_poker", &least, &round)
    };
    assert_eq!(three_card(4_775), NONE);
    assert_eq!(three_card(4_776), TOO_LOW);
    // Ante, play and 200 to 1 on the super bonus: 202 times.
    let crazy_four = |ante: i64| {
        let round = format!(
            "open\nbet a 1 ante {ante}\nbet s 1 super_bonus {ante}
             card seat 1 9S\ncard seat 1 8H\ncard seat 1 2D\ncard seat 1 3D\ncard seat 1 JD
             card dealer KD\ncard dealer 7C\ncard dealer 3H\ncard dealer 2H\ncard dealer 5S
             say 1 fold\ntake a\ntake s\nclose"
        );
        limited("crazy_four_poker", &[("ante", ante)], &round)
    };
    assert_eq!(crazy_four(24_752), NONE);
    assert_eq!(crazy_four(24_753), TOO_LOW);
    // Ante and play, 25 on the ante, 50 on the aces up: 77 times.
    let four_card = |ante: i64| {
        let round = format!(
            "open\nbet a 1 ante {ante}\nno-more-bets
             card seat 1 9S\ncard seat 1 8H\ncard seat 1 2D\ncard seat 1 3D\ncard seat 1 JD
             card dealer KD\ncard dealer 7C\ncard dealer 3H\ncard dealer 2H\ncard dealer 5S
             card dealer 6S up\nsay 1 fold\ntake a\nclose"
        );
        limited(
            "four_card_poker",
            &[("ante", ante), ("aces_up", ante)],
            &round,
        )
    };
    assert_eq!(four_card(64_935), NONE);
    assert_eq!(four_card(64_936), TOO_LOW);
}

/// Only the sum of a hand is limited, not what each of its wagers has of it.
#[test]
fn a_limit_is_spread_over_the_wagers_of_a_hand_as_the_dealer_likes() {
    let royal = |first: i64, second: i64| {
        let lines = format!(
            "open\nbet b 1 bet 7500\nno-more-bets
             card seat 1 QD up\ncard dealer ??\ncard dealer KD up\ncard dealer JD up\ncard dealer TD up
             bet d 1 double_down 7500 b\nno-more-bets\nshow dealer 0 AD
             pay b {first}\npay d {second}\nclose"
        );
        play("double_down_stud", "mgc-2017", json!({}), &lines)
    };
    assert_eq!(royal(7_500_000, 2_500_000), NONE);
    assert_eq!(royal(5_000_000, 5_000_000), NONE);
    assert_eq!(royal(5_000_000, 4_000_000), ["pay.under", "pay.over"]);
    assert_eq!(
        royal(7_500_000, 7_500_000),
        ["pay.over", "payout.limit_exceeded"]
    );
}

/// 12.G of DJ Wild where the table reads it as one limit for all seats: two royal flushes on $600.
#[test]
fn a_limit_of_the_table_is_exceeded_by_all_of_its_seats_together() {
    let royals = |scope: &str, last: i64| {
        let lines = format!(
            "open
             bet a 1 ante 60000\nbet b 1 blind 60000\nbet c 3 ante 60000\nbet d 3 blind 60000
             no-more-bets
             card seat 1 AC\ncard seat 3 AS\ncard dealer 9D
             card seat 1 KC\ncard seat 3 KS\ncard dealer 9H
             card seat 1 QC\ncard seat 3 QS\ncard dealer 9S
             card seat 1 JC\ncard seat 3 JS\ncard dealer 8C
             card seat 1 TC\ncard seat 3 TS\ncard dealer 7D
             say 1 play\nbet p 1 play 120000 a\nsay 3 play\nbet q 3 play 120000 c
             show dealer 0 9D\nshow dealer 1 9H\nshow dealer 2 9S\nshow dealer 3 8C\nshow dealer 4 7D
             pay c 60000\npay q 120000\npay d 3000000\npay a 60000\npay p 120000\npay b {last}
             close"
        );
        let options = json!({"payout_limit_scope": scope});
        play("dj_wild", "oh-jack-2017", options, &lines)
    };
    assert_eq!(royals("table", 2_000_000), NONE);
    let over = ["pay.over", "payout.limit_exceeded"];
    assert_eq!(royals("table", 3_000_000), over);
    assert_eq!(royals("hand", 3_000_000), NONE);
    assert_eq!(royals("hand", 3_100_000), ["pay.over"]);
}

/// 10(c) of double down stud: a royal flush on a bet and its double is 2000 times the least bet.
#[test]
fn a_limit_of_double_down_stud_is_not_below_what_the_least_bet_can_win() {
    let posted = |options: Value, least: i64| {
        let mut opened = open("double_down_stud", "mgc-2017", options);
        opened["limits"] = json!([{"kind": "bet", "min": least, "max": 20 * least}]);
        let lines = format!(
            "open\nbet b 1 bet {least}\nno-more-bets
             card seat 1 4S up\ncard dealer ??\ncard dealer 8H up\ncard dealer KC up\ncard dealer 2S up
             no-more-bets\nshow dealer 0 4D\ntake b\nclose"
        );
        let mut bodies = vec![opened];
        bodies.extend(script(&lines));
        codes(&bodies)
    };
    let limit = || json!({"payout_limit": 10_000_000});
    assert_eq!(posted(limit(), 5_000), NONE);
    assert_eq!(posted(limit(), 5_001), ["config.payout_limit_too_low"]);
    // Of a table that posts none nothing is said.
    assert_eq!(posted(json!({}), 5_001), NONE);
}
