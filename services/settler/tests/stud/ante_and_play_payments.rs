//! Three card, four card and crazy four poker from their events: payments that are wrong, and what they are called.

use catwalk_stories::{codes, table};
use serde_json::json;

const NONE: [&str; 0] = [];

/// Seat 1 has a straight flush and loses to a higher one, so that a bonus of five to one is due on its ante.
#[test]
fn a_bonus_that_is_paid_in_part_is_not_missed() {
    let found = |bonus: &str| {
        let lines = format!(
            "open\nbet a 1 ante 1000
             card seat 1 6S\ncard seat 1 5S\ncard seat 1 4S\ncard dealer 9D\ncard dealer 8D\ncard dealer 7D
             say 1 play\nbet p 1 play 1000 a
             show dealer 0 9D\nshow dealer 1 8D\nshow dealer 2 7D
             take a\ntake p\n{bonus}\nclose"
        );
        codes(&table("three_card_poker", "mgc-2017", json!({}), &lines))
    };
    assert_eq!(found("pay a 5000"), NONE);
    assert_eq!(found("pay a 4000"), ["pay.under"]);
    assert_eq!(found(""), ["pay.unpaid", "payout.bonus_missed"]);
}

/// The same hand, where nothing is said of the ante but what was paid on it.
#[test]
fn a_bonus_on_a_lost_ante_may_be_all_that_is_told_of_it() {
    let found = |ante: &str| {
        let lines = format!(
            "open\nbet a 1 ante 1000
             card seat 1 6S\ncard seat 1 5S\ncard seat 1 4S\ncard dealer 9D\ncard dealer 8D\ncard dealer 7D
             say 1 play\nbet p 1 play 1000 a
             show dealer 0 9D\nshow dealer 1 8D\nshow dealer 2 7D
             take p\n{ante}\nclose"
        );
        codes(&table("three_card_poker", "mgc-2017", json!({}), &lines))
    };
    assert_eq!(found("pay a 5000"), NONE);
    assert_eq!(found("pay a 4000"), ["pay.under"]);
    // As if the ante had won.
    assert_eq!(found("pay a 6000"), ["pay.over"]);
    assert_eq!(found("pay a 5000\npush a"), ["pay.uncollected"]);
}

/// A folded pair plus lives on in Massachusetts: it pays three to one for a flush.
#[test]
fn a_folded_pair_plus_that_is_paid_too_little_was_not_swept() {
    let found = |payment: &str| {
        let lines = format!(
            "open\nbet a 1 ante 1000\nbet w 1 pair_plus 500
             card seat 1 9S\ncard seat 1 5S\ncard seat 1 2S\ncard dealer AD\ncard dealer 8C\ncard dealer 7D
             say 1 fold
             show dealer 0 AD\nshow dealer 1 8C\nshow dealer 2 7D
             take a\n{payment}\nclose"
        );
        codes(&table("three_card_poker", "mgc-2017", json!({}), &lines))
    };
    assert_eq!(found("pay w 1500"), NONE);
    assert_eq!(found("pay w 1000"), ["pay.under"]);
    assert_eq!(found("take w"), ["pay.unpaid", "payout.fold_pair_plus"]);
}

/// Seat 1 loses and seat 3 wins: s10(c)(1) collects from all before it pays, s10(c)(2) finishes one player first.
#[test]
fn a_table_that_settles_step_by_step_collects_before_it_pays() {
    let found = |order: &str, payments: &str| {
        let lines = format!(
            "open\nbet a 1 ante 1000\nbet b 2 ante 1000\nbet c 3 ante 1000
             card seat 1 QS\ncard seat 1 9S\ncard seat 1 2D\ncard seat 2 QH\ncard seat 2 8S\ncard seat 2 3D
             card seat 3 AH\ncard seat 3 9D\ncard seat 3 4C\ncard dealer KC\ncard dealer 8D\ncard dealer 4S
             say 1 play\nbet p 1 play 1000 a\nsay 2 play\nbet q 2 play 1000 b\nsay 3 play\nbet r 3 play 1000 c
             show dealer 0 KC\nshow dealer 1 8D\nshow dealer 2 4S
             {payments}\nclose"
        );
        let options = json!({"settlement_order": order});
        codes(&table("three_card_poker", "mgc-2017", options, &lines))
    };
    let by_step = "take b\ntake q\ntake a\ntake p\npay c 1000\npay r 1000";
    assert_eq!(found("by_step", by_step), NONE);
    assert_eq!(found("by_player", by_step), ["settle.order"]);
    let from_the_left = "take a\ntake p\ntake b\ntake q\npay c 1000\npay r 1000";
    assert_eq!(found("by_step", from_the_left), ["settle.order"]);
}

/// What a fold has lost may be forgotten on the layout; it is another matter to give it away.
#[test]
fn a_folded_aces_up_that_still_lies_there_was_not_returned() {
    let found = |payment: &str| {
        let lines = format!(
            "open\nbet a 1 ante 1000\nbet w 1 aces_up 500
             card seat 1 AS\ncard seat 1 AH\ncard seat 1 7D\ncard seat 1 5C\ncard seat 1 2C
             say 1 fold\ntake a\n{payment}\nclose"
        );
        codes(&table("four_card_poker", "oh-jack-2017", json!({}), &lines))
    };
    assert_eq!(found("take w"), NONE);
    assert_eq!(found(""), ["pay.uncollected"]);
    assert_eq!(
        found("push w"),
        ["pay.uncollected", "payout.aces_up_after_fold"]
    );
    assert_eq!(
        found("pay w 500"),
        ["pay.undue", "payout.aces_up_after_fold"]
    );
}

/// Seat 1 has a pair of aces: the limit of the hand is used up, but the six cards won nothing.
#[test]
fn a_lost_six_card_bonus_that_still_lies_there_is_not_paid_beyond_the_limit() {
    let found = |bonus: &str| {
        let lines = format!(
            "open\nbet a 1 ante 6000000\nbet w 1 pair_plus 500\nbet s 1 six_card_bonus 500
             card dealer KC\ncard dealer 8D\ncard dealer 4S\ncard seat 1 AS\ncard seat 1 AH\ncard seat 1 7C
             say 1 play\nbet p 1 play 6000000 a
             show dealer 0 KC\nshow dealer 1 8D\nshow dealer 2 4S
             pay a 6000000\npay p 6000000\npay w 500\n{bonus}\nclose"
        );
        let options = json!({"max_payout": 5_000_000});
        codes(&table("three_card_poker", "oh-jack-2017", options, &lines))
    };
    assert_eq!(found("take s"), NONE);
    assert_eq!(found(""), ["pay.uncollected"]);
    assert_eq!(found("pay s 500"), ["pay.undue", "payout.limit_exceeded"]);
}

/// A straight flush of four card poker takes a tenth of the meter of $20,000, and nothing else comes off it: the envy
/// of $300 is the tray's (PC 1.B).
#[test]
fn a_meter_falls_by_the_shares_of_it_and_by_nothing_else() {
    let found = |read: i64| {
        let lines = format!(
            r#"{{"type": "round_opened", "meters": {{"progressive": 2000000}}}}
             bet a 1 ante 1000\nbet g 1 progressive 100\nbet b 2 ante 1000\nbet h 2 progressive 100
             card seat 1 9S\ncard seat 1 8S\ncard seat 1 7S\ncard seat 1 6S\ncard seat 1 5S
             card seat 2 AC\ncard seat 2 TD\ncard seat 2 8D\ncard seat 2 7H\ncard seat 2 3C
             card dealer 2C\ncard dealer 4D\ncard dealer 7C\ncard dealer JD\ncard dealer KS\ncard dealer QD up
             say 1 play\nbet p 1 play 3000 a\nsay 2 fold\ntake b
             show dealer 0 2C\nshow dealer 1 4D\nshow dealer 2 7C\nshow dealer 3 JD\nshow dealer 4 KS
             pay a 21000\npay p 3000\njackpot g 200000\npay h 30000
             {{"type": "meter_read", "meter": "progressive", "amount": {read}}}
             close"#
        );
        let lines = lines.replace("\\n", "\n");
        codes(&table("four_card_poker", "oh-jack-2017", json!({}), &lines))
    };
    assert_eq!(found(1_800_000), NONE);
    assert_eq!(found(1_800_900), NONE);
    // With the envy, as if it had been won whole, by half of it, not at all.
    for read in [1_770_000, 1_000_000, 1_900_001, 2_000_000] {
        assert_eq!(found(read), ["progressive.meter_mismatch"], "{read}");
    }
}

/// A full house of four card poker has $50 out of the tray, whole or less the stake that it is for.
#[test]
fn a_fixed_prize_does_not_come_off_the_meter_however_it_is_told() {
    let found = |prize: i64, read: i64| {
        let lines = format!(
            r#"{{"type": "round_opened", "meters": {{"progressive": 2000000}}}}
             bet a 1 ante 1000\nbet g 1 progressive 100
             card seat 1 9S\ncard seat 1 9H\ncard seat 1 9C\ncard seat 1 4D\ncard seat 1 4C
             card dealer 2C\ncard dealer 5D\ncard dealer 7C\ncard dealer JD\ncard dealer KS\ncard dealer QD up
             say 1 play\nbet p 1 play 1000 a
             show dealer 0 2C\nshow dealer 1 5D\nshow dealer 2 7C\nshow dealer 3 JD\nshow dealer 4 KS
             pay a 3000\npay p 1000\npay g {prize}
             {{"type": "meter_read", "meter": "progressive", "amount": {read}}}
             close"#
        );
        let lines = lines.replace("\\n", "\n");
        codes(&table("four_card_poker", "oh-jack-2017", json!({}), &lines))
    };
    for prize in [4900, 5000] {
        assert_eq!(found(prize, 2_000_100), NONE);
        // By the prize, and by what the chip added to the meter.
        for read in [1_995_000, 1_995_030] {
            assert_eq!(found(prize, read), ["progressive.meter_mismatch"], "{read}");
        }
        // Won at another table.
        assert_eq!(found(prize, 1_800_000), NONE);
    }
}

/// The three card poker progressive starts again at $10,000 when it was won whole, and no tenth of it is ever paid.
#[test]
fn a_meter_that_was_won_whole_starts_again_where_it_was_filed() {
    let found = |read: i64| {
        let lines = format!(
            r#"{{"type": "round_opened", "meters": {{"progressive": 2500000}}}}
             bet a 1 ante 1000\nbet g 1 progressive 100
             card seat 1 AS\ncard seat 1 KS\ncard seat 1 QS\ncard dealer KD\ncard dealer 7C\ncard dealer 3H
             say 1 play\nbet p 1 play 1000 a
             show dealer 0 KD\nshow dealer 1 7C\nshow dealer 2 3H
             pay a 6000\npay p 1000\njackpot g 2500000
             {{"type": "meter_read", "meter": "progressive", "amount": {read}}}
             close"#
        );
        let lines = lines.replace("\\n", "\n");
        codes(&table("three_card_poker", "mgc-amended", json!({}), &lines))
    };
    assert_eq!(found(1_000_000), NONE);
    assert_eq!(found(1_000_400), NONE);
    for read in [2_500_000, 1_500_000, 900_000, 0] {
        assert_eq!(found(read), ["progressive.meter_mismatch"], "{read}");
    }
}

/// A royal flush of four card poker has the whole meter: $20,000.
#[test]
fn a_prize_may_be_told_by_the_meter_and_by_the_dealer() {
    let found = |told: &str| {
        let lines = format!(
            r#"{{"type": "round_opened", "meters": {{"progressive": 2000000}}}}
             bet a 1 ante 1000\nbet g 1 progressive 100
             card seat 1 AS\ncard seat 1 KS\ncard seat 1 QS\ncard seat 1 JS\ncard seat 1 TS
             card dealer 2C\ncard dealer 5D\ncard dealer 7C\ncard dealer JD\ncard dealer KC\ncard dealer QD up
             say 1 play\nbet p 1 play 1000 a
             show dealer 0 2C\nshow dealer 1 5D\nshow dealer 2 7C\nshow dealer 3 JD\nshow dealer 4 KC
             pay a 21000\npay p 1000\n{told}\nclose"#
        );
        let lines = lines.replace("\\n", "\n");
        codes(&table("four_card_poker", "oh-jack-2017", json!({}), &lines))
    };
    for told in [
        "jackpot g 2000000",
        "pay g 1999900",
        "jackpot g 2000000\npay g 1999900",
        "pay g 2000000\njackpot g 2000000",
    ] {
        assert_eq!(found(told), NONE, "{told}");
    }
    assert_eq!(found("jackpot g 2000000\njackpot g 2000000"), ["pay.over"]);
    assert_eq!(found("jackpot g 2000000\npay g 1000"), ["pay.over"]);
}

/// All wagers go back in a void round (three card poker s12, §13), but those that a supervisor lets stand (§9.D).
#[test]
fn a_round_that_is_declared_void_keeps_and_pays_nothing() {
    let found = |edition: &str, ruling: &str, before: &str| {
        let lines = format!(
            r#"open\nbet a 1 ante 1000\nbet w 1 pair_plus 500\nbet g 1 progressive 100\nno-more-bets
             take g
             card seat 1 JS\ncard seat 1 JH\ncard seat 1 4C\ncard dealer KC\ncard dealer 8D
             {{"type": "irregularity", "kind": "misdeal", "detail": {ruling}, "ruling": "void"}}
             {before}\n{{"type": "round_voided"}}\n{{"type": "clock"}}"#
        );
        let lines = lines.replace("\\n", "\n");
        codes(&table("three_card_poker", edition, json!({}), &lines))
    };
    for edition in ["mgc-amended", "oh-jack-2017"] {
        assert_eq!(found(edition, "{}", ""), NONE);
        assert_eq!(found(edition, "{}", "push a\npush w\npush g"), NONE);
        assert_eq!(found(edition, "{}", "take a\npush w"), ["pay.under"]);
        assert_eq!(found(edition, "{}", "push a\npay w 500"), ["pay.over"]);
    }
    let stands = r#"{"independent_wagers_stand": true}"#;
    assert_eq!(found("oh-jack-2017", stands, "push a\npay w 500"), NONE);
}
