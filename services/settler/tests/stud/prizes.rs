//! Prizes of the stud family: shares of a meter, envy, who verified them, from where they were paid.

use catwalk_stories::{codes, feed, open, receive, script};
use serde_json::{Value, json};

const NONE: [&str; 0] = [];

fn play(game: &str, edition: &str, options: Value, lines: &str) -> Vec<String> {
    let mut bodies = vec![open(game, edition, options)];
    bodies.extend(script(lines));
    codes(&bodies)
}

fn meter(amount: i64) -> String {
    json!({"type": "round_opened", "meters": {"progressive": amount}}).to_string()
}

/// A prize with the people who verified it.
fn verified(wager: &str, amount: i64, roles: &[&str]) -> String {
    let person = |role: &&str| json!({"id": "x", "role": role});
    let mut paid =
        json!({"type": "jackpot_paid", "meter": "progressive", "wager": wager, "amount": amount});
    for (key, role) in ["by", "witness"].into_iter().zip(roles) {
        paid[key] = person(role);
    }
    paid.to_string()
}

/// Seat 1 of three card poker has the mini royal of spades for the whole meter of 25,000; seat 2 folded
/// and has the envy of $100.
fn mini_royal(prize: &str, envy: &str) -> String {
    format!(
        "{}
         bet a 1 ante 1000\nbet g 1 progressive 100\nbet b 2 ante 1000\nbet h 2 progressive 100
         no-more-bets\ntake g\ntake h
         card seat 1 AS\ncard seat 2 6S\ncard dealer KD
         card seat 1 KS\ncard seat 2 4D\ncard dealer 7C
         card seat 1 QS\ncard seat 2 2C\ncard dealer 3H
         say 1 play\nbet p 1 play 1000 a\nsay 2 fold\ntake b
         show dealer 0 KD\nshow dealer 1 7C\nshow dealer 2 3H
         pay a 6000\npay p 1000
         {prize}\n{envy}
         close",
        meter(2_500_000)
    )
}

fn three_card(lines: &str) -> Vec<String> {
    play("three_card_poker", "mgc-amended", json!({}), lines)
}

#[test]
fn envy_is_for_the_hands_of_others() {
    assert_eq!(
        three_card(&mini_royal("jackpot g 2500000", "pay h 10000")),
        NONE
    );
    assert_eq!(
        three_card(&mini_royal("jackpot g 2500000", "")),
        ["pay.unpaid", "payout.envy_missed"]
    );
    assert_eq!(
        three_card(&mini_royal("jackpot g 2510000", "pay h 10000")),
        ["pay.over", "envy.own_hand_paid"]
    );
    // Any other difference is no matter of envy.
    assert_eq!(
        three_card(&mini_royal("jackpot g 2507000", "pay h 9000")),
        ["pay.over", "pay.under"]
    );
}

#[test]
fn a_share_of_the_meter_is_verified_where_the_feed_tells_by_whom() {
    let found =
        |roles: &[&str]| three_card(&mini_royal(&verified("g", 2_500_000, roles), "pay h 10000"));
    assert_eq!(found(&[]), NONE);
    assert_eq!(found(&["floorperson"]), NONE);
    assert_eq!(found(&["dealer"]), ["progressive.unverified"]);
    // What is fixed needs nobody.
    let fixed = mini_royal("jackpot g 2500000", &verified("h", 10_000, &["dealer"]));
    assert_eq!(three_card(&fixed), NONE);
}

#[test]
fn a_meter_that_was_won_opens_the_next_round_from_its_reset() {
    let next = |amount: i64| {
        let lines = format!(
            "{}\n{}
             bet a 1 ante 1000\nno-more-bets
             card seat 1 6S\ncard seat 1 4D\ncard seat 1 2C
             card dealer KD\ncard dealer 7C\ncard dealer 3H
             say 1 fold\ntake a
             close",
            mini_royal("jackpot g 2500000", "pay h 10000"),
            meter(amount)
        );
        three_card(&lines)
    };
    assert_eq!(next(1_000_000), NONE);
    assert_eq!(next(1_000_140), NONE);
    assert_eq!(next(2_500_000), ["progressive.meter_mismatch"]);
}

/// Two straight flushes of four card poker: a tenth of the meter of 20,000 and then of what is left, with
/// envy for each other.
fn straight_flushes(prizes: &str) -> Vec<String> {
    let lines = format!(
        "{}
         bet a 1 ante 1000\nbet g 1 progressive 100\nbet b 2 ante 1000\nbet h 2 progressive 100
         no-more-bets\ntake g\ntake h
         card seat 1 9S\ncard seat 2 9H\ncard dealer 2C
         card seat 1 8S\ncard seat 2 8H\ncard dealer 4D
         card seat 1 7S\ncard seat 2 7H\ncard dealer 7C
         card seat 1 6S\ncard seat 2 6H\ncard dealer JD
         card seat 1 5S\ncard seat 2 5H\ncard dealer KS
         card dealer QD up
         say 1 play\nbet p 1 play 3000 a\nsay 2 play\nbet q 2 play 3000 b
         show dealer 0 2C\nshow dealer 1 4D\nshow dealer 2 7C\nshow dealer 3 JD\nshow dealer 4 KS
         pay b 21000\npay q 3000\npay a 21000\npay p 3000
         {prizes}
         close",
        meter(2_000_000)
    );
    play("four_card_poker", "oh-jack-2017", json!({}), &lines)
}

#[test]
fn shares_of_the_meter_are_paid_as_the_hands_were_dealt() {
    let both = ["floorperson", "surveillance"];
    let (first, second) = (verified("g", 230_000, &both), verified("h", 210_000, &both));
    assert_eq!(straight_flushes(&format!("{first}\n{second}")), NONE);
    assert_eq!(
        straight_flushes(&format!("{second}\n{first}")),
        ["progressive.order"]
    );
    // Who says it of one prize says it of all, in whatever order they come.
    let nobody = verified("g", 230_000, &[]);
    assert_eq!(
        straight_flushes(&format!("{nobody}\n{second}")),
        ["progressive.unverified"]
    );
    // Ohio wants surveillance too.
    let alone = verified("h", 210_000, &["floorperson"]);
    assert_eq!(
        straight_flushes(&format!("{first}\n{alone}")),
        ["progressive.unverified"]
    );
}

/// A mini royal of three card poker for $500 from the tray, with an envy of $25 for the seat that folded.
fn royal_of_hearts_lines(prizes: &str) -> String {
    format!(
        "{}
         bet a 1 ante 1000\nbet g 1 progressive 100\nbet b 2 ante 1000\nbet h 2 progressive 100
         no-more-bets\ntake g\ntake h
         card dealer KD\ncard dealer 7C\ncard dealer 3H
         card seat 1 AH\ncard seat 1 KH\ncard seat 1 QH
         card seat 2 6S\ncard seat 2 4D\ncard seat 2 2C
         say 1 play\nbet p 1 play 1000 a\nsay 2 fold\ntake b
         show dealer 0 KD\nshow dealer 1 7C\nshow dealer 2 3H
         pay a 6000\npay p 1000
         {prizes}
         close",
        meter(2_000_000)
    )
}

fn royal_of_hearts(prizes: &str) -> Vec<String> {
    let lines = royal_of_hearts_lines(prizes);
    play("three_card_poker", "oh-jack-2017", json!({}), &lines)
}

#[test]
fn nobody_has_envy_for_his_own_hand_whether_or_not_his_chip_was_seen_to_be_lifted() {
    let found = |own: i64| {
        let lines = royal_of_hearts_lines(&format!("pay g {own}\npay h 2500"));
        [lines.replace("\ntake g\ntake h", ""), lines]
            .map(|lines| play("three_card_poker", "oh-jack-2017", json!({}), &lines))
    };
    for own in found(50_000) {
        assert_eq!(own, NONE);
    }
    for own in found(52_500) {
        assert_eq!(own, ["pay.over", "envy.own_hand_paid"]);
    }
    for own in found(51_000) {
        assert_eq!(own, ["pay.over"]);
    }
}

#[test]
fn a_meter_pays_neither_a_fixed_prize_nor_the_envy_for_it() {
    let found = |after: i64| {
        let read = json!({"type": "meter_read", "meter": "progressive", "amount": after});
        royal_of_hearts(&format!("pay g 50000\npay h 2500\n{read}"))
    };
    assert_eq!(found(2_000_200), NONE);
    let between = json!({"type": "meter_read", "meter": "progressive", "amount": 1_950_000});
    let between = royal_of_hearts(&format!("pay g 50000\n{between}\npay h 2500"));
    assert_eq!(between, ["progressive.meter_mismatch"]);
    for fall in [50_000, 2_500, 52_500] {
        let fallen = found(2_000_000 - fall);
        assert_eq!(fallen, ["progressive.meter_mismatch"], "{fall}");
    }
}

#[test]
fn a_meter_does_not_pay_fixed_prizes() {
    let lines = |after: i64| {
        let read = json!({"type": "meter_read", "meter": "progressive", "amount": after});
        format!(
            "{}
             bet a 1 ante 1000\nbet g 1 progressive 100\nno-more-bets\ntake g
             card seat 1 9S\ncard seat 1 9H\ncard seat 1 9D\ncard seat 1 9C\ncard seat 1 5S
             card dealer 2C\ncard dealer 4D\ncard dealer 7C\ncard dealer JD\ncard dealer KS
             card dealer QD up
             say 1 play\nbet p 1 play 3000 a
             show dealer 0 2C\nshow dealer 1 4D\nshow dealer 2 7C\nshow dealer 3 JD\nshow dealer 4 KS
             pay a 26000\npay p 3000\npay g 30000\n{read}
             close",
            meter(2_000_000)
        )
    };
    let found = |after| play("four_card_poker", "oh-jack-2017", json!({}), &lines(after));
    assert_eq!(found(2_000_000), NONE);
    assert_eq!(found(1_970_000), ["progressive.meter_mismatch"]);
}

/// Seat 2 of four card poker folded and has the envy of $300; with it the chip is handed back.
#[test]
fn a_chip_that_is_handed_back_with_envy_is_no_prize_of_a_folded_hand() {
    let folded = |prizes: &str| {
        let lines = format!(
            "{}
             bet a 1 ante 1000\nbet g 1 progressive 100\nbet b 2 ante 1000\nbet h 2 progressive 100
             no-more-bets\ntake g\ntake h
             card seat 1 9S\ncard seat 1 8S\ncard seat 1 7S\ncard seat 1 6S\ncard seat 1 5S
             card seat 2 9H\ncard seat 2 9D\ncard seat 2 9C\ncard seat 2 6H\ncard seat 2 5H
             card dealer 2C\ncard dealer 4D\ncard dealer 7C\ncard dealer JD\ncard dealer KS
             card dealer QD up
             say 1 play\nbet p 1 play 3000 a\nsay 2 fold\ntake b
             show dealer 0 2C\nshow dealer 1 4D\nshow dealer 2 7C\nshow dealer 3 JD\nshow dealer 4 KS
             pay a 21000\npay p 3000\njackpot g 200000\n{prizes}
             close",
            meter(2_000_000)
        );
        play("four_card_poker", "oh-jack-2017", json!({}), &lines)
    };
    assert_eq!(folded("pay h 30000"), NONE);
    assert_eq!(
        folded("pay h 30000\npush h"),
        ["progressive.stake_returned"]
    );
    assert_eq!(
        folded("pay h 30900"),
        ["pay.over", "progressive.folded_paid"]
    );
}

/// Seat 1 of mississippi stud makes a royal flush for the whole meter of 20,000; seat 2 folds.
fn royal(prize: &str, envy: &str) -> Vec<String> {
    let lines = format!(
        "{}
         bet a 1 ante 1000\nbet g 1 progressive 100\nbet b 2 ante 1000\nbet h 2 progressive 100
         card seat 1 AS\ncard seat 2 6C\ncard seat 1 KS\ncard seat 2 4D
         say 1 bet\nbet s3 1 third_street 3000 a\nsay 2 fold\ntake b
         burn\ncard community QS up
         say 1 bet\nbet s4 1 fourth_street 3000 a
         burn\ncard community JS up
         say 1 bet\nbet s5 1 fifth_street 3000 a
         burn\ncard community TS up
         pay a 500000\npay s3 1500000\npay s4 1500000\npay s5 1500000
         {prize}\n{envy}
         close",
        meter(2_000_000)
    );
    let options = json!({"progressive": true, "dealing": "hand"});
    play("mississippi_stud", "oh-jack-2017", options, &lines)
}

#[test]
fn envy_of_mississippi_stud_is_neither_missed_nor_paid_for_the_own_hand() {
    assert_eq!(royal("jackpot g 2000000", "jackpot h 100000"), NONE);
    assert_eq!(
        royal("jackpot g 2000000", ""),
        ["pay.unpaid", "progressive.envy_error"]
    );
    assert_eq!(
        royal("jackpot g 2100000", "jackpot h 100000"),
        ["pay.over", "progressive.envy_error"]
    );
    // A folded hand has no award of its own.
    assert_eq!(
        royal("jackpot g 2000000", "jackpot h 105000"),
        ["pay.over", "progressive.folded_paid"]
    );
}

/// Seat 1 of let it ride makes a royal flush, and so its neighbour with a progressive wager has envy.
#[test]
fn envy_of_let_it_ride_is_for_the_hands_of_others() {
    let ride = |prizes: &str| {
        let lines = format!(
            "{}
             bet a1 1 bet_1 1000\nbet a2 1 bet_2 1000\nbet a3 1 bet_3 1000\nbet g 1 progressive 100
             bet b1 2 bet_1 1000\nbet b2 2 bet_2 1000\nbet b3 2 bet_3 1000\nbet h 2 progressive 100
             card seat 1 AS\ncard seat 2 6C\ncard community ??
             card seat 1 KS\ncard seat 2 4D\ncard community ??
             card seat 1 QS\ncard seat 2 2H
             say 1 ride\nsay 2 ride\nshow community 0 JS
             say 1 ride\nsay 2 ride\nshow community 1 TS
             pay a1 1000000\npay a2 1000000\npay a3 1000000\ntake b1\ntake b2\ntake b3
             {prizes}
             close",
            meter(2_000_000)
        );
        let options = json!({"progressive": true, "dealing": "hand"});
        play("let_it_ride", "oh-jack-2017", options, &lines)
    };
    assert_eq!(ride("jackpot g 2000000\njackpot h 100000"), NONE);
    assert_eq!(
        ride("jackpot g 2000000\ntake h"),
        ["pay.unpaid", "progressive.envy_error"]
    );
    assert_eq!(
        ride("jackpot g 2100000\njackpot h 100000"),
        ["pay.over", "progressive.envy_error"]
    );
    // The meter moves from seat to seat, whoever is paid first; here only one has a share of it.
    assert_eq!(ride("jackpot h 100000\njackpot g 2000000"), NONE);
}

/// Seat 1 of caribbean stud has the royal flush of hearts; the dealer does not qualify.
fn caribbean_royal(stood: i64, lifted: &str, prizes: &str) -> String {
    format!(
        "{}
         bet a 1 ante 1000\nbet g 1 progressive 100\nbet b 2 ante 1000\nbet h 2 progressive 100
         no-more-bets\n{lifted}
         card seat 1 AH\ncard seat 2 5S\ncard dealer KS up
         card seat 1 KH\ncard seat 2 5D\ncard dealer 9D
         card seat 1 QH\ncard seat 2 7C\ncard dealer TD
         card seat 1 JH\ncard seat 2 QD\ncard dealer 8C
         card seat 1 TH\ncard seat 2 2S\ncard dealer 3C
         say 1 bet\nbet w 1 bet 2000 a\nsay 2 bet\nbet x 2 bet 2000 b
         show dealer 1 9D\nshow dealer 2 TD\nshow dealer 3 8C\nshow dealer 4 3C
         pay b 1000\npush x\npay a 1000\npush w
         {prizes}
         close",
        meter(stood)
    )
}

fn caribbean(table: &str, lines: &str) -> Vec<String> {
    let options = json!({"progressive_paytable": table});
    play("caribbean_stud", "mgc-2017", options, lines)
}

#[test]
fn envy_of_caribbean_stud_belongs_to_one_of_its_tables() {
    let lifted = "take g\ntake h";
    let royal =
        |table: &str, prizes: &str| caribbean(table, &caribbean_royal(2_000_000, lifted, prizes));
    assert_eq!(royal("A", "jackpot g 2000000"), NONE);
    assert_eq!(royal("D", "jackpot g 2000000\npay h 100000"), NONE);
    assert_eq!(
        royal("A", "jackpot g 2000000\npay h 100000"),
        ["pay.undue", "caribbean.envy_wrong"]
    );
    assert_eq!(
        royal("D", "jackpot g 2100000\npay h 100000"),
        ["pay.over", "caribbean.envy_wrong"]
    );
}

#[test]
fn chips_of_the_progressive_are_all_taken_in_before_the_deal() {
    let royal = |lifted: &str| {
        let prize = "jackpot g 2000000";
        caribbean("A", &caribbean_royal(2_000_000, lifted, prize))
    };
    assert_eq!(royal("take g\ntake h"), NONE);
    // The other chip lies there until its hand has lost.
    let left = "jackpot g 2000000\ntake h";
    let left = caribbean("A", &caribbean_royal(2_000_000, "take g", left));
    assert_eq!(left, ["progressive.count_mismatch"]);
    let count = |collected: u32| {
        let told = json!({"type": "irregularity", "kind": "chip_count", "ruling": "counted again",
            "detail": {"collected": collected, "accepted": 2}});
        royal(&format!("take g\ntake h\n{told}"))
    };
    assert_eq!(count(2), NONE);
    assert_eq!(count(1), ["progressive.count_mismatch"]);
}

#[test]
fn a_share_of_the_meter_is_not_paid_out_of_the_tray() {
    let lifted = "take g\ntake h";
    let first = caribbean_royal(2_000_000, lifted, "jackpot g 2000000");
    let second = |prize: &str| {
        let second = caribbean_royal(1_000_000, lifted, prize);
        caribbean("A", &format!("{first}\n{second}"))
    };
    assert_eq!(second("jackpot g 1000000"), NONE);
    assert_eq!(second("pay g 1000000"), ["progressive.paid_from_tray"]);
    // A feed that calls all prizes payments says nothing about the tray.
    let only = caribbean_royal(2_000_000, lifted, "pay g 2000000");
    assert_eq!(caribbean("A", &only), NONE);
}

#[test]
fn shares_of_caribbean_stud_are_paid_from_the_right() {
    let flushes = |prizes: &str| {
        let lines = format!(
            "{}
             bet a 1 ante 1000\nbet g 1 progressive 100\nbet b 2 ante 1000\nbet h 2 progressive 100
             no-more-bets\ntake g\ntake h
             card seat 1 9H\ncard seat 2 9C\ncard dealer KS up
             card seat 1 8H\ncard seat 2 8C\ncard dealer 9D
             card seat 1 7H\ncard seat 2 7C\ncard dealer TD
             card seat 1 6H\ncard seat 2 6C\ncard dealer 8S
             card seat 1 5H\ncard seat 2 5C\ncard dealer 3S
             say 1 bet\nbet w 1 bet 2000 a\nsay 2 bet\nbet x 2 bet 2000 b
             show dealer 1 9D\nshow dealer 2 TD\nshow dealer 3 8S\nshow dealer 4 3S
             pay b 1000\npush x\npay a 1000\npush w
             {prizes}
             close",
            meter(2_000_000)
        );
        caribbean("B", &lines)
    };
    let (right, left) = ("jackpot h 200000", "jackpot g 180000");
    assert_eq!(flushes(&format!("{right}\n{left}")), NONE);
    assert_eq!(flushes(&format!("{left}\n{right}")), ["settle.order"]);
}

/// A royal flush for the whole meter, then a straight flush for a tenth of where it starts again.
#[test]
fn a_share_of_a_meter_that_starts_again_has_its_turn_too() {
    let prizes = |prizes: &str| {
        let lines = format!(
            "{}
             bet a 2 bet_1 500\nbet b 2 bet_2 500\nbet c 2 bet_3 500\nbet g 2 progressive 100
             bet d 3 bet_1 500\nbet e 3 bet_2 500\nbet f 3 bet_3 500\nbet h 3 progressive 100
             card seat 2 QC\ncard seat 3 7C\ncard community ??
             card seat 2 KC\ncard seat 3 8C\ncard community ??
             card seat 2 AC\ncard seat 3 9C
             show community 0 TC\nshow community 1 JC
             pay d 100000\npay e 100000\npay f 100000\npay a 500000\npay b 500000\npay c 500000
             {prizes}
             close",
            meter(9_000_000)
        );
        play(
            "let_it_ride",
            "oh-jack-2017",
            json!({"progressive": true}),
            &lines,
        )
    };
    let (first, then) = ("jackpot g 9030000", "jackpot h 200000");
    assert_eq!(prizes(&format!("{first}\n{then}")), NONE);
    assert_eq!(
        prizes(&format!("{then}\n{first}")),
        ["progressive.meter_mismatch"]
    );
}

/// Where two have a share of one meter, each is of what the one before has left.
#[test]
fn a_share_that_is_not_what_the_meter_showed_at_its_turn_is_told() {
    let wrong = |first: i64, then: i64| {
        let lines = format!(
            "{}
             bet a 2 bet_1 500\nbet b 2 bet_2 500\nbet c 2 bet_3 500\nbet g 2 progressive 100
             bet d 3 bet_1 500\nbet e 3 bet_2 500\nbet f 3 bet_3 500\nbet h 3 progressive 100
             card seat 2 QC\ncard seat 3 7C\ncard community ??
             card seat 2 KC\ncard seat 3 8C\ncard community ??
             card seat 2 AC\ncard seat 3 9C
             show community 0 TC\nshow community 1 JC
             pay d 100000\npay e 100000\npay f 100000\npay a 500000\npay b 500000\npay c 500000
             jackpot g {first}\njackpot h {then}
             close",
            meter(9_000_000)
        );
        let options = json!({"progressive": true});
        play("let_it_ride", "oh-jack-2017", options, &lines)
    };
    assert_eq!(wrong(9_030_000, 200_000), NONE);
    let unmoved = wrong(9_030_000, 1_000_000);
    assert_eq!(unmoved, ["pay.over", "progressive.meter_mismatch"]);
    // Caribbean stud 11(d)4: at the player's turn, whoever else has a share.
    let royal = caribbean_royal(2_000_000, "take g\ntake h", "jackpot g 1900000");
    let found = caribbean("A", &royal);
    assert_eq!(found, ["pay.under", "progressive.meter_mismatch"]);
}

/// Seat 2 has a royal flush and seat 3 a straight flush; seat 4 has an envy for each of them.
#[test]
fn one_of_two_envies_that_is_missing_is_told() {
    let found = |envy: i64| {
        let lines = format!(
            "{}
             bet a 2 bet_1 500\nbet b 2 bet_2 500\nbet c 2 bet_3 500
             bet d 3 bet_1 500\nbet e 3 bet_2 500\nbet f 3 bet_3 500
             bet x 4 bet_1 500\nbet y 4 bet_2 500\nbet z 4 bet_3 500\nbet h 4 progressive 100
             card seat 2 QC\ncard seat 3 7C\ncard seat 4 2D\ncard community ??
             card seat 2 KC\ncard seat 3 8C\ncard seat 4 4D\ncard community ??
             card seat 2 AC\ncard seat 3 9C\ncard seat 4 6S
             show community 0 TC\nshow community 1 JC
             take x\ntake y\ntake z
             pay d 100000\npay e 100000\npay f 100000\npay a 500000\npay b 500000\npay c 500000
             pay h {envy}
             close",
            meter(9_000_000)
        );
        let options = json!({"progressive": true});
        play("let_it_ride", "oh-jack-2017", options, &lines)
    };
    assert_eq!(found(130_000), NONE);
    assert_eq!(found(129_900), NONE);
    // The prize may be told with its stake or without.
    for one in [100_000, 99_900, 30_000, 29_900] {
        assert_eq!(found(one), ["pay.under", "progressive.envy_error"], "{one}");
    }
    assert_eq!(found(120_000), ["pay.under"]);
}

/// The meter is read when the round is over, and no further round may follow.
#[test]
fn a_meter_is_held_against_its_prizes_when_it_is_read_after_the_round() {
    let read = |after: i64| {
        let read = json!({"type": "meter_read", "meter": "progressive", "amount": after});
        let mut bodies = vec![open(
            "let_it_ride",
            "oh-jack-2017",
            json!({"progressive": true}),
        )];
        bodies.extend(script(&format!(
            "{}
             bet a 1 bet_1 500\nbet b 1 bet_2 500\nbet c 1 bet_3 500\nbet g 1 progressive 100
             card seat 1 QC\ncard community ??\ncard seat 1 QD\ncard community ??\ncard seat 1 5S
             show community 0 QH\nshow community 1 3S
             pay a 1500\npay b 1500\npay c 1500\npay g 800
             close",
            meter(2_000_000)
        )));
        bodies.push(read);
        let mut events = feed(&bodies);
        events.last_mut().unwrap().round = None;
        let found = receive(events).0.into_iter().map(|finding| finding.code);
        found.collect::<Vec<String>>()
    };
    assert_eq!(read(2_000_000), NONE);
    // Three of a kind is $9 in all, of which $8 are beyond the stake.
    assert_eq!(read(1_999_100), ["progressive.meter_mismatch"]);
    assert_eq!(read(1_999_200), ["progressive.meter_mismatch"]);
}

#[test]
fn a_meter_does_not_fall_while_a_round_is_played_without_a_prize() {
    let read = |after: i64| {
        let read = json!({"type": "meter_read", "meter": "progressive", "amount": after});
        let lines = caribbean_royal(2_000_000, "take g\ntake h", &read.to_string());
        // Two pair of nobody: seat 1 holds nothing that its table pays.
        let lines = lines.replace("card seat 1 AH", "card seat 1 2H");
        caribbean("E", &lines.replace("card seat 1 TH", "card seat 1 4C"))
    };
    assert_eq!(read(2_000_140), NONE);
    assert_eq!(read(1_900_500), ["progressive.meter_mismatch"]);
    // A share was won at another table, or two of them.
    assert_eq!(read(1_805_000), NONE);
    assert_eq!(read(1_620_250), NONE);
    assert_eq!(read(1_700_000), ["progressive.meter_mismatch"]);
}

#[test]
fn a_meter_that_is_won_where_it_last_started_starts_there_again() {
    let read = r#"{"type":"meter_read","meter":"progressive","amount":1000000}"#;
    let prize = format!("jackpot g 1000000\n{read}");
    let won = caribbean_royal(1_000_000, "take g\ntake h", &prize);
    assert_eq!(caribbean("A", &won), NONE);
}

#[test]
fn a_meter_that_was_won_whole_starts_again_before_the_round_is_over() {
    let found = |after: i64| {
        let read = json!({"type": "meter_read", "meter": "progressive", "amount": after});
        let envy = format!("pay h 10000\n{read}");
        three_card(&mini_royal("jackpot g 2500000", &envy))
    };
    assert_eq!(found(1_000_000), NONE);
    // Other tables have fed it meanwhile.
    assert_eq!(found(1_004_200), NONE);
    assert_eq!(found(1_700_000), ["progressive.meter_mismatch"]);
    assert_eq!(found(2_500_000), ["progressive.meter_mismatch"]);
}

#[test]
fn a_prize_that_waits_at_the_cage_is_not_missing_at_the_table() {
    let deferred = |seat: u32| {
        json!({"type": "irregularity", "kind": "deferred_no_id", "detail": {"seat": seat},
               "ruling": "cage"})
        .to_string()
    };
    assert_eq!(three_card(&mini_royal(&deferred(1), "pay h 10000")), NONE);
    assert_eq!(
        three_card(&mini_royal(&deferred(2), "pay h 10000")),
        ["pay.unpaid"]
    );
}

/// 11(d) of let it ride: the sum is all that the player gets; no progressive has part in it.
#[test]
fn a_chip_of_the_let_it_ride_bonus_that_goes_back_is_paid_too_much() {
    let found = |options: Value, paid: &str| {
        let lines = format!(
            "open\nbet x 1 bet_1 500\nbet y 1 bet_2 500\nbet z 1 bet_3 500
             bet b 1 let_it_ride_bonus 100\nno-more-bets
             card seat 1 JS\ncard seat 1 JD\ncard seat 1 JC\ncard community ??\ncard community ??
             show community 0 4H\nshow community 1 9S
             pay x 1500\npay y 1500\npay z 1500\n{paid}\nclose"
        );
        play("let_it_ride", "mgc-2017", options, &lines)
    };
    assert_eq!(found(json!({}), "pay b 500"), NONE);
    assert_eq!(found(json!({}), "pay b 500\npush b"), ["pay.over"]);
    let returned = json!({"let_it_ride_bonus_stake_returned": true});
    assert_eq!(found(returned, "pay b 500\npush b"), NONE);
}
