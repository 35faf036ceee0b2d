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
