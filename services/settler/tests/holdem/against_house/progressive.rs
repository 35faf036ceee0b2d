//! The Multi-Link progressive of Ultimate Texas Hold'em.

use serde_json::json;

use super::assert_cases;

/// Seat 1 makes a straight flush on the flop, seat 2 has a progressive wager too.
const PROGRESSIVE: &str = r#"
    {"type": "round_opened", "shoe": "s1", "meters": {"progressive": 2543000}}
    bet a1 1 ante 1000
    bet b1 1 blind 1000
    bet g1 1 progressive 100
    bet a2 2 ante 1000
    bet b2 2 blind 1000
    bet g2 2 progressive 100
    card dealer ??
    card seat 1 8S
    card seat 2 QC
    card dealer ??
    card seat 1 9S
    card seat 2 QH
    bet p1 1 play 4000
    say 2 check
    card community 5S up
    card community 6S up
    card community 7S up
    say 2 check
    card community KH up
    card community KD up
    bet p2 2 play 1000
    show dealer 0 AD
    show dealer 1 3S
    pay a2 1000
    push b2
    pay p2 1000
    pay a1 1000
    pay b1 50000
    pay p1 4000
    jackpot g1 254300
    jackpot g2 30000
    {"type": "meter_read", "meter": "progressive", "amount": 2288800}
    close"#;

#[test]
fn awards_of_the_progressive_are_for_the_stake() {
    let options = json!({"progressive": true});
    let cases: [(&str, &str, &[&str]); 11] = [
        ("jackpot g1 254300\n", "jackpot g1 254200\n", &[]),
        (
            "jackpot g1 254300\n",
            "take g1\n    jackpot g1 254300\n",
            &[],
        ),
        ("jackpot g1 254300\n", "pay g1 254200\n", &[]),
        ("jackpot g1 254300\n", "pay g1 254300\n", &[]),
        (
            "jackpot g1 254300\n",
            "jackpot g1 254300\n    push g1\n",
            &["progressive.stake_returned"],
        ),
        (
            "jackpot g2 30000\n",
            "take g2\n",
            &["pay.unpaid", "progressive.envy_error"],
        ),
        (
            "\"amount\": 2288800",
            "\"amount\": 2543100",
            &["progressive.meter_mismatch"],
        ),
        // The envy came off the meter too: read at once, or when the next round opens.
        (
            "\"amount\": 2288800",
            "\"amount\": 2258700",
            &["progressive.meter_mismatch"],
        ),
        (
            "{\"type\": \"meter_read\", \"meter\": \"progressive\", \"amount\": 2288800}\n    close",
            "close\n    {\"type\": \"round_opened\", \"meters\": {\"progressive\": 2258700}}\n    close",
            &["progressive.meter_mismatch"],
        ),
        ("2543000", "2443000", &["pay.over"]),
        // A meter that nobody tells.
        (
            "\"meters\": {\"progressive\": 2543000}",
            "\"banker\": null",
            &[],
        ),
    ];
    assert_cases("ultimate_texas_holdem", &options, PROGRESSIVE, &cases);
}

/// A table that pays its awards like any other wager: the meter is the one before them.
#[test]
fn an_award_need_not_be_told_as_a_jackpot() {
    let options = json!({"progressive": true});
    let plain = PROGRESSIVE
        .replace("jackpot g1 254300", "pay g1 254300")
        .replace("jackpot g2 30000", "pay g2 30000");
    let cases: [(&str, &str, &[&str]); 5] = [
        ("pay g1 254300\n", "pay g1 254200\n", &[]),
        ("pay g1 254300\n", "pay g1 228880\n", &["pay.under"]),
        ("pay g2 30000\n", "pay g2 60000\n", &["pay.over"]),
        (
            "\"amount\": 2288800",
            "\"amount\": 2543100",
            &["progressive.meter_mismatch"],
        ),
        (
            "\"amount\": 2288800",
            "\"amount\": 2258700",
            &["progressive.meter_mismatch"],
        ),
    ];
    assert_cases("ultimate_texas_holdem", &options, &plain, &cases);
    // Without its stake an award is still a share of the meter and no fixed amount that came off it.
    let alone = PROGRESSIVE
        .replace("jackpot g1 254300", "jackpot g1 254200")
        .replace("    bet g2 2 progressive 100\n", "")
        .replace("    jackpot g2 30000\n", "");
    assert_cases("ultimate_texas_holdem", &options, &alone, &[]);
}

/// Three kings on the flop are three kings with the turn card too: a stake that went back with their award is
/// all that is wrong.
#[test]
fn an_award_that_is_right_with_the_flop_is_not_for_the_turn_card() {
    let honest = "
        open s1
        bet a 1 ante 500
        bet g 1 progressive 100
        card seat 1 KC
        card dealer ??
        card seat 1 7H
        card dealer ??
        bet f 1 flop 1000 a
        card community KD up
        card community KH up
        card community 5S up
        card community 3C up
        card community 2D up
        show dealer 0 9S
        show dealer 1 9C
        push a
        pay f 1000
        jackpot g 900
        close";
    let cases: [(&str, &str, &[&str]); 1] = [(
        "jackpot g 900\n",
        "jackpot g 900\n        push g\n",
        &["progressive.stake_returned"],
    )];
    let options = json!({"progressive": true});
    assert_cases("texas_holdem_bonus", &options, honest, &cases);
}

/// The meter is read when the round is over, by itself or under the name of the round.
#[test]
fn a_meter_may_be_read_after_the_round() {
    let options = json!({"progressive": true});
    let read = r#"{"type": "meter_read", "meter": "progressive", "amount": 2288800}"#;
    let after = PROGRESSIVE.replace(&format!("{read}\n    close"), &format!("close\n    {read}"));
    assert!(after.ends_with(read));
    let cases: [(&str, &str, &[&str]); 2] = [
        ("2288800", "2543100", &["progressive.meter_mismatch"]),
        ("2288800", "2258700", &["progressive.meter_mismatch"]),
    ];
    assert_cases("ultimate_texas_holdem", &options, &after, &cases);
}

/// All of a meter that stood little above its reset value is won: it may stand where it stood when the next
/// round opens, for other tables feed it too.
#[test]
fn a_meter_that_is_won_soon_after_its_reset_starts_again_where_it_stood() {
    let options = json!({"progressive": true});
    let honest = r#"
        {"type": "round_opened", "meters": {"progressive": 1000300}}
        bet a 1 ante 1000
        bet b 1 blind 1000
        bet g 1 progressive 100
        card dealer ??
        card seat 1 AS
        card dealer ??
        card seat 1 KS
        bet p 1 play 4000
        card community QS up
        card community JS up
        card community TS up
        card community 4H up
        card community 4D up
        show dealer 0 AD
        show dealer 1 3C
        pay a 1000
        pay b 500000
        pay p 4000
        jackpot g 1000300
        close
        {"type": "round_opened", "meters": {"progressive": 1000400}}
        close"#;
    let cases: [(&str, &str, &[&str]); 2] = [
        ("1000400", "1000000", &[]),
        ("1000400", "1200300", &["progressive.meter_mismatch"]),
    ];
    assert_cases("ultimate_texas_holdem", &options, honest, &cases);
}

#[test]
fn an_award_for_the_river_card_or_to_a_folded_hand_is_found() {
    let honest = "
        open s1
        bet a 1 ante 1000
        bet b 1 blind 1000
        bet g 1 progressive 100
        card dealer ??
        card seat 1 8S
        card dealer ??
        card seat 1 8D
        bet p 1 play 3000
        card community 5S up
        card community 6S up
        card community KS up
        card community 8H up
        card community 2D up
        show dealer 0 AD
        show dealer 1 3C
        pay p 3000
        push a
        push b
        close";
    let cases: [(&str, &str, &[&str]); 2] = [
        (
            "push b\n",
            "push b\n    jackpot g 900\n",
            &["pay.undue", "progressive.turn_river_used"],
        ),
        (
            "bet p 1 play 3000\n",
            "say 1 fold\n    jackpot g 3000\n",
            &[
                "pay.uncollected",
                "pay.uncollected",
                "pay.undue",
                // The bet of a hand that was folded was never made, and is paid.
                "pay.undue",
                "progressive.folded_paid",
            ],
        ),
    ];
    assert_cases(
        "ultimate_texas_holdem",
        &json!({"progressive": true}),
        honest,
        &cases,
    );
}

/// Seat 2 of texas hold'em bonus folds what would have been a straight flush on the flop.
#[test]
fn a_folded_hand_of_texas_holdem_bonus_pays_nobody() {
    let honest = r#"
        {"type": "round_opened", "meters": {"progressive": 2000000}}
        bet a1 1 ante 500
        bet g1 1 progressive 100
        bet a2 2 ante 500
        bet g2 2 progressive 100
        card seat 1 KC
        card seat 2 8S
        card dealer ??
        card seat 1 7H
        card seat 2 9S
        card dealer ??
        bet f1 1 flop 1000
        say 2 fold
        take a2
        card community 5S up
        card community 6S up
        card community 7S up
        card community KD up
        card community 2D up
        show dealer 0 9D
        show dealer 1 9C
        push a1
        pay f1 1000
        take g1
        take g2
        close"#;
    let cases: [(&str, &str, &[&str]); 2] = [
        (
            "take g1\n",
            "jackpot g1 30000\n",
            &["pay.undue", "progressive.folded_paid"],
        ),
        (
            "take g2\n",
            "jackpot g2 200000\n",
            &["pay.undue", "progressive.folded_paid"],
        ),
    ];
    let options = json!({"progressive": true});
    assert_cases("texas_holdem_bonus", &options, honest, &cases);
}

/// Seats 1 and 4 make straight flushes on one flop.
#[test]
fn shares_come_off_the_meter_in_the_order_of_the_deal() {
    let honest = r#"
        {"type": "round_opened", "meters": {"progressive": 2543000}}
        bet a1 1 ante 1000
        bet b1 1 blind 1000
        bet g1 1 progressive 100
        bet a4 4 ante 1000
        bet b4 4 blind 1000
        bet g4 4 progressive 100
        card dealer ??
        card seat 1 8S
        card seat 4 3S
        card dealer ??
        card seat 1 9S
        card seat 4 4S
        bet p1 1 play 4000
        bet p4 4 play 4000
        card community 5S up
        card community 6S up
        card community 7S up
        card community KH up
        card community KD up
        show dealer 0 AD
        show dealer 1 3C
        pay a4 1000
        pay b4 50000
        pay p4 4000
        pay a1 1000
        pay b1 50000
        pay p1 4000
        jackpot g1 254300
        jackpot g4 228870
        pay g1 30000
        pay g4 30000
        {"type": "meter_read", "meter": "progressive", "amount": 2059900}
        close"#;
    let cases: [(&str, &str, &[&str]); 2] = [
        (
            "jackpot g1 254300\n        jackpot g4 228870\n",
            "jackpot g4 254300\n        jackpot g1 228870\n",
            &["pay.under", "pay.over", "progressive.meter_mismatch"],
        ),
        ("jackpot g4 228870\n", "jackpot g4 254300\n", &["pay.over"]),
    ];
    let options = json!({"progressive": true});
    assert_cases("ultimate_texas_holdem", &options, honest, &cases);
}

/// Other tables feed the meter and win from it; what they do takes a tenth at least, and time to undo one.
#[test]
fn a_meter_moves_by_shares_and_by_nothing_else() {
    let options = json!({"progressive": true});
    let opens = |amount: i64| {
        format!(
            "close\n    {{\"type\": \"round_opened\", \"meters\": {{\"progressive\": {amount}}}}}\n    close"
        )
    };
    let read =
        "{\"type\": \"meter_read\", \"meter\": \"progressive\", \"amount\": 2288800}\n    close";
    let shared = PROGRESSIVE.replace(read, "close");
    let mismatch: &[&str] = &["progressive.meter_mismatch"];
    let cases: [(&str, &str, &[&str]); 4] = [
        ("close", &opens(2288760), &[]),
        // Another table had its share, or all of it.
        ("close", &opens(2059900), &[]),
        ("close", &opens(1000000), &[]),
        ("close", &opens(2500000), mismatch),
    ];
    assert_cases("ultimate_texas_holdem", &options, &shared, &cases);
    // A straight on the flop is worth $30.00, told with the stake or without.
    let fixed = shared
        .replace("card seat 1 8S", "card seat 1 8D")
        .replace("pay b1 50000", "pay b1 1000")
        .replace("jackpot g1 254300", "pay g1 2900")
        .replace("jackpot g2 30000", "take g2");
    let cases: [(&str, &str, &[&str]); 5] = [
        ("close", &opens(2543060), &[]),
        ("close", &opens(2288760), &[]),
        ("close", &opens(2540000), mismatch),
        ("close", &opens(2540100), mismatch),
        ("close", &opens(2540060), mismatch),
    ];
    assert_cases("ultimate_texas_holdem", &options, &fixed, &cases);
}

/// The hand of the dealer is nobody's envy.
#[test]
fn envy_for_the_dealers_hand_is_found() {
    let honest = "
        open s1
        bet a 1 ante 1000
        bet b 1 blind 1000
        bet g 1 progressive 100
        card dealer ??
        card seat 1 AC
        card dealer ??
        card seat 1 AD
        bet p 1 play 4000
        card community 5S up
        card community 6S up
        card community 7S up
        card community KH up
        card community KD up
        show dealer 0 8S
        show dealer 1 9S
        take a
        take b
        take p
        take g
        close";
    let cases: [(&str, &str, &[&str]); 2] = [
        (
            "take g\n",
            "pay g 30000\n",
            &["pay.undue", "progressive.envy_error"],
        ),
        ("take g\n", "pay g 20000\n", &["pay.undue"]),
    ];
    let options = json!({"progressive": true});
    assert_cases("ultimate_texas_holdem", &options, honest, &cases);
}

/// Seat 6 has its nine dollars when another table is keyed first; seat 1 has a tenth of what that one left.
#[test]
fn a_share_is_of_the_meter_when_it_is_keyed() {
    let honest = r#"
        {"type": "round_opened", "meters": {"progressive": 2543000}}
        bet a1 1 ante 1000
        bet b1 1 blind 1000
        bet g1 1 progressive 100
        bet a6 6 ante 1000
        bet b6 6 blind 1000
        bet g6 6 progressive 100
        card dealer ??
        card seat 1 8S
        card seat 6 5D
        card dealer ??
        card seat 1 9S
        card seat 6 5H
        bet p1 1 play 4000
        bet p6 6 play 4000
        card community 5S up
        card community 6S up
        card community 7S up
        card community KH up
        card community QD up
        show dealer 0 AD
        show dealer 1 3C
        push a6
        push b6
        pay p6 4000
        pay g6 900
        {"type": "meter_read", "meter": "progressive", "amount": 2288700}
        jackpot g1 228870
        push a1
        pay b1 50000
        pay p1 4000
        pay g6 30000
        close"#;
    let cases: [(&str, &str, &[&str]); 1] =
        [("jackpot g1 228870\n", "jackpot g1 254300\n", &["pay.over"])];
    let options = json!({"progressive": true});
    assert_cases("ultimate_texas_holdem", &options, honest, &cases);
}
