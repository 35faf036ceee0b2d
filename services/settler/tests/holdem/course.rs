//! The hold'em games against the house from their events: who bets, the limit of a hand, awards and who
//! verified them, the order of settlement, burns and discards.

use catwalk_stories::{open, script};
use serde_json::{Value, json};

use crate::against_house::codes;

const NONE: [&str; 0] = [];

fn play(game: &str, options: Value, lines: &str) -> Vec<String> {
    let edition = match game {
        "ultimate_texas_holdem" | "texas_holdem_bonus" => "oh-jack-2017",
        _ => "mgc-2017",
    };
    let mut bodies = vec![open(game, edition, options)];
    bodies.extend(script(lines));
    codes(&bodies)
}

/// Both seats play and lose to the dealer's kings; wagers and payments are the test's.
fn ultimate(bets: &str, during: &str, payments: &str) -> Vec<String> {
    let lines = format!(
        "open
         bet a1 1 ante 1000\nbet b1 1 blind 1000\n{bets}\nbet a2 2 ante 1000\nbet b2 2 blind 1000
         no-more-bets
         card dealer ??\ncard seat 1 QC\ncard seat 2 JC\ncard dealer ??\ncard seat 1 7D\ncard seat 2 8D
         say 1 check\nsay 2 check
         card community QH up\ncard community 9C up\ncard community 5D up
         {during}
         say 1 check\nsay 2 check
         card community 3S up\ncard community 2H up
         bet p1 1 play 1000 a1\nbet p2 2 play 1000 a2
         show dealer 0 KD\nshow dealer 1 KS
         {payments}
         close"
    );
    play("ultimate_texas_holdem", json!({}), &lines)
}

const TAKEN: &str = "take a2\ntake b2\ntake p2\ntake a1\ntake b1\ntake p1";

#[test]
fn hands_are_settled_from_the_last_seat() {
    assert_eq!(ultimate("", "", TAKEN), NONE);
    let upward = "take a1\ntake b1\ntake p1\ntake a2\ntake b2\ntake p2";
    assert_eq!(ultimate("", "", upward), ["settle.order"]);
    // A second player before the first is finished.
    let half = "take a2\ntake a1\ntake b1\ntake p1\ntake b2\ntake p2";
    assert_eq!(ultimate("", "", half), ["settle.order"]);
}

#[test]
fn cash_and_players_without_a_seat_are_told() {
    let placed = |extra: Value| {
        let mut placed = json!({"type": "wager_placed", "wager": "t1", "seat": 1, "kind": "trips",
            "amount": 500});
        placed
            .as_object_mut()
            .unwrap()
            .extend(extra.as_object().unwrap().clone());
        placed.to_string()
    };
    let taken = format!("{TAKEN}\ntake t1");
    assert_eq!(ultimate(&placed(json!({})), "", &taken), NONE);
    let cash = placed(json!({"form": "cash"}));
    assert_eq!(ultimate(&cash, "", &taken), ["wager.verbal_cash"]);
    // Two people at one betting position.
    let named = |id: &str, kind: &str, player: &str| {
        json!({"type": "wager_placed", "wager": id, "seat": 3, "kind": kind, "amount": 500,
            "player": player})
        .to_string()
    };
    let third = |second: &str| {
        let lines = format!(
            "open\n{}\n{}\n{}
             card dealer QD\ncard seat 3 5D\ncard dealer TS\ncard seat 3 3C\nsay 3 check
             card community 6H up\ncard community 7C up\ncard community KD up\nsay 3 check
             card community 9S up\ncard community 2H up\nsay 3 fold
             take a\ntake b\ntake t\nshow dealer 0 QD\nshow dealer 1 TS
             close",
            named("a", "ante", "ann"),
            named("b", "blind", "ann"),
            named("t", "trips", second)
        );
        play("ultimate_texas_holdem", json!({}), &lines)
    };
    assert_eq!(third("ann"), NONE);
    assert_eq!(third("bob"), ["wager.unseated_player"]);
    let left = json!({"type": "irregularity", "kind": "player_left", "detail": {"seat": 2},
        "ruling": "plays on"});
    assert_eq!(
        ultimate("", &left.to_string(), TAKEN),
        ["wager.unseated_player"]
    );
}

#[test]
fn main_wagers_after_the_first_card_are_late_capped_or_pinched() {
    let found = |during: &str| ultimate("", during, TAKEN);
    assert_eq!(found("bet t2 2 trips 500\npush t2"), ["wager.late"]);
    assert_eq!(found("raise a1 2000"), ["wager.capped"]);
    assert_eq!(found("raise b1 500"), ["wager.pinched"]);
}

/// A royal flush over a pair on the board: the blind is cut to what ante and play leave of 50,000.
#[test]
fn a_hand_of_ultimate_texas_holdem_is_paid_no_more_than_the_limit() {
    let royal = |play_pays: i64, blind: i64| {
        let lines = format!(
            "open
             bet a 1 ante 20000\nbet b 1 blind 20000
             card dealer 3C\ncard seat 1 AS\ncard dealer 4D\ncard seat 1 KS
             bet p 1 play 80000 a
             card community QS up\ncard community JS up\ncard community TS up
             card community 2D up\ncard community 2H up
             show dealer 0 3C\nshow dealer 1 4D
             pay a 20000\npay p {play_pays}\npay b {blind}
             close"
        );
        play("ultimate_texas_holdem", json!({}), &lines)
    };
    assert_eq!(royal(80_000, 4_900_000), NONE);
    let over = ["pay.over", "payout.limit_exceeded"];
    assert_eq!(royal(80_000, 10_000_000), over);
    // Too little is no matter of the limit.
    assert_eq!(royal(80_000, 4_000_000), ["pay.under"]);
    // Which wager the cut comes off is not regulated, only what the hand has together.
    assert_eq!(royal(0, 4_980_000), NONE);
    assert_eq!(royal(0, 4_990_000), ["pay.over", "pay.unpaid", over[1]]);
}

/// Two aces pay 30 to 1 on a bonus of 2,000.
#[test]
fn a_hand_of_texas_holdem_bonus_is_paid_no_more_than_the_limit() {
    let aces = |bonus: i64| {
        let lines = format!(
            "open
             bet a 1 ante 500\nbet x 1 bonus 200000\nno-more-bets
             card seat 1 AS\ncard dealer ??\ncard seat 1 AH\ncard dealer ??
             bet f 1 flop 1000 a
             card community KD up\ncard community QH up\ncard community 5S up
             card community 3C up\ncard community 2D up
             show dealer 0 9S\nshow dealer 1 9C
             push a\npay f 1000\npay x {bonus}
             close"
        );
        play("texas_holdem_bonus", json!({}), &lines)
    };
    assert_eq!(aces(4_999_000), NONE);
    assert_eq!(aces(6_000_000), ["pay.over", "payout.limit_exceeded"]);
}

/// A straight flush of colorado hold'em pays 100 to 1 on two wagers of 600.
#[test]
fn a_hand_of_colorado_holdem_is_paid_no_more_than_a_posted_limit() {
    let flush = |payments: &str| {
        let lines = format!(
            "open
             bet a 1 ante 60000\nno-more-bets
             card seat 1 6S\ncard community 3S\ncard seat 1 7S\ncard community 4S
             card seat 1 KD\ncard community 5S
             bet b 1 bet 60000 a\nsay 1 discard~KD
             show community 0 3S\nshow community 1 4S\nshow community 2 5S
             {payments}
             close"
        );
        play(
            "colorado_holdem",
            json!({"payout_limit": 5_000_000}),
            &lines,
        )
    };
    assert_eq!(flush("pay a 5000000"), NONE);
    assert_eq!(
        flush("pay a 6000000\npay b 6000000"),
        ["pay.over", "pay.over", "payout.limit_exceeded"]
    );
}

/// Seats 1 and 2 flop straight flushes; each has a tenth of the meter and envy for the other.
fn straight_flushes(awards: &str) -> Vec<String> {
    let lines = format!(
        "{}
         bet a1 1 ante 1000\nbet b1 1 blind 1000\nbet g1 1 progressive 100
         bet a2 2 ante 1000\nbet b2 2 blind 1000\nbet g2 2 progressive 100
         card dealer ??\ncard seat 1 8S\ncard seat 2 4S\ncard dealer ??\ncard seat 1 9S\ncard seat 2 3S
         bet p1 1 play 4000 a1\nbet p2 2 play 4000 a2
         card community 5S up\ncard community 6S up\ncard community 7S up
         card community KH up\ncard community KD up
         show dealer 0 AD\nshow dealer 1 2C
         pay a2 1000\npay b2 50000\npay p2 4000\npay a1 1000\npay b1 50000\npay p1 4000
         {awards}
         close",
        json!({"type": "round_opened", "meters": {"progressive": 2_000_000}})
    );
    play(
        "ultimate_texas_holdem",
        json!({"progressive": true}),
        &lines,
    )
}

fn award(wager: &str, amount: i64, roles: &[&str]) -> String {
    let mut paid =
        json!({"type": "jackpot_paid", "meter": "progressive", "wager": wager, "amount": amount});
    for (key, role) in ["by", "witness"].into_iter().zip(roles) {
        paid[key] = json!({"id": "x", "role": role});
    }
    paid.to_string()
}

#[test]
fn shares_of_the_meter_are_verified_and_paid_as_dealt() {
    let both = ["supervisor", "surveillance"];
    let (first, second) = (award("g1", 230_000, &both), award("g2", 210_000, &both));
    assert_eq!(straight_flushes(&format!("{first}\n{second}")), NONE);
    assert_eq!(
        straight_flushes(&format!("{second}\n{first}")),
        ["progressive.meter_mismatch"]
    );
    let unseen = award("g2", 210_000, &["supervisor"]);
    assert_eq!(
        straight_flushes(&format!("{first}\n{unseen}")),
        ["progressive.unverified"]
    );
    // A feed that names nobody is not judged.
    let unnamed = "jackpot g1 230000\njackpot g2 210000";
    assert_eq!(straight_flushes(unnamed), NONE);
}

/// Seat 2 flops a royal flush for the whole of a meter that straight flushes had brought below its reset value;
/// the envy of seat 1 is more than a tenth of it.
#[test]
fn a_low_meter_goes_up_when_it_is_won_whole() {
    let royal = |won: &str, then: i64| {
        let opened = |meter: i64| json!({"type": "round_opened", "meters": {"progressive": meter}});
        let lines = format!(
            "{}
             bet a1 1 ante 1000\nbet b1 1 blind 1000\nbet g1 1 progressive 100
             bet a2 2 ante 1000\nbet b2 2 blind 1000\nbet g2 2 progressive 100
             card dealer ??\ncard seat 1 QS\ncard seat 2 AD\ncard dealer ??\ncard seat 1 5C\ncard seat 2 KD
             bet p1 1 play 4000 a1\nbet p2 2 play 4000 a2
             card community QD up\ncard community JD up\ncard community TD up
             card community 2H up\ncard community 3S up
             show dealer 0 7C\nshow dealer 1 7H
             pay a2 1000\npay b2 500000\npay p2 4000\njackpot g2 {won}
             pay a1 1000\npush b1\npay p1 4000\njackpot g1 100000
             close
             {}
             close",
            opened(900_000),
            opened(then),
        );
        play(
            "ultimate_texas_holdem",
            json!({"progressive": true}),
            &lines,
        )
    };
    assert_eq!(royal("900000", 1_000_300), NONE);
    assert_eq!(royal("800000", 1_000_300), ["pay.under"]);
}

#[test]
fn envy_is_not_paid_for_the_own_hand() {
    let awards = "jackpot g1 260000\njackpot g2 210000";
    assert_eq!(
        straight_flushes(awards),
        ["pay.over", "progressive.envy_error"]
    );
}

/// prog § 6.B: an award that waits at the cage is due in full, and not unpaid at the table.
#[test]
fn an_award_that_waits_for_identification_is_noted() {
    let told = json!({"type": "irregularity", "kind": "winner_without_id", "detail": {"seat": 2},
        "ruling": "to the cage"});
    let awards = format!("jackpot g1 230000\njackpot g2 210000\n{told}");
    assert_eq!(straight_flushes(&awards), ["progressive.deferred_no_id"]);
    let waits = format!("jackpot g1 230000\n{told}");
    assert_eq!(straight_flushes(&waits), ["progressive.deferred_no_id"]);
    let other = waits.replace("\"seat\":2", "\"seat\":1");
    assert_eq!(
        straight_flushes(&other),
        ["progressive.deferred_no_id", "pay.unpaid"]
    );
}

/// Seat 1 of fast action hold'em keeps jacks and loses to the dealer's queens.
fn fast_action(before: &str, told: &str) -> String {
    format!(
        "open
         bet m 1 main 1000\nno-more-bets\n{before}
         card seat 1 JC\ncard dealer QS\ncard seat 1 JH\ncard dealer QD
         card seat 1 7H\ncard dealer 8H\ncard seat 1 5C\ncard dealer 3C
         say 1 set\n{}\n{told}
         show dealer 0 QS\nshow dealer 1 QD\nshow dealer 2 8H\nshow dealer 3 3C\n{}
         burn
         card community KC up\ncard community 9D up\ncard community 6S up
         card community 4H up\ncard community 2C up
         take m
         close",
        json!({"type": "hand_set", "to": "seat", "seat": 1, "high": ["JC", "JH"], "low": []}),
        json!({"type": "hand_set", "to": "dealer", "high": ["QS", "QD"], "low": ["8H", "3C"]}),
    )
}

#[test]
fn discards_are_counted_and_the_marker_moves() {
    let found = |told: Value| {
        play(
            "fast_action_holdem",
            json!({}),
            &fast_action("", &told.to_string()),
        )
    };
    let discards = |count: u32| {
        json!({"type": "irregularity", "kind": "discard_count",
        "detail": {"seat": 1, "found": count}, "ruling": "counted"})
    };
    assert_eq!(found(discards(2)), NONE);
    assert_eq!(found(discards(3)), ["fast_action.discard_count"]);
    let marker = json!({"type": "irregularity", "kind": "marker_not_moved", "ruling": "moved"});
    assert_eq!(found(marker), ["fast_action.marker"]);
}

#[test]
fn a_new_shoe_and_another_dealer_begin_with_a_burned_card() {
    let rounds = |between: &str, before: &str| {
        let lines = format!(
            "{}\n{}\n{between}\n{}",
            json!({"type": "shoe_started", "shoe": "s1", "set": "A", "decks": 6, "method": "shoe"}),
            fast_action("burn", ""),
            fast_action(before, "")
        );
        let found = play("fast_action_holdem", json!({}), &lines);
        let of_burns = found.into_iter().filter(|code| code.starts_with("deal."));
        of_burns.collect::<Vec<String>>()
    };
    let changed = json!({"type": "dealer_changed", "dealer": "d-2"}).to_string();
    assert_eq!(rounds("", ""), NONE);
    assert_eq!(rounds(&changed, "burn"), NONE);
    assert_eq!(rounds(&changed, ""), ["deal.burn"]);
    let shoe = json!({"type": "shoe_started", "shoe": "s2", "set": "A", "decks": 6,
        "method": "shoe"})
    .to_string();
    assert_eq!(rounds(&shoe, "burn"), NONE);
    assert_eq!(rounds(&shoe, ""), ["deal.burn"]);
}
