//! The pai gow games: what a wrong payment is called, each with an honest twin.

use catwalk_stories::pai_gow::{NOTHING, at_tiles, says, set, seven};
use catwalk_stories::{Story, bet, closed, collected, irregularity, paid, paid_less, pushed};
use serde_json::{Value, json};

const ACES: &str = "AS AD 9H 7C 5S | KC QD";
const FOULED_ACES: &str = "KC QD 9H 7C 5S | AS AD";
const NINES: &str = "9S 9D 4H 3C 2S | 8C 6D";
const FOUR_QUEENS: &str = "QS QD QC QH 5S | KC JD";
const FIVE_ACES: &str = "AS AH AD AC JK | 7D 2C";

/// Seat 2 against a dealer with these settings.
fn hands(player: &str, dealer: &str) -> Vec<Value> {
    let dealt = [seven("dealer", None, None), seven("seat", Some(2), None)].concat();
    let settings = vec![set("seat", Some(2), player), set("dealer", None, dealer)];
    [dealt, settings].concat()
}

fn round(bets: &[Value], play: Vec<Value>, payments: &[Value]) -> Vec<Value> {
    [bets, &[closed()], &play, payments].concat()
}

/// The codes of one round at a table of the poker game.
fn poker(options: Value, bets: &[Value], play: Vec<Value>, payments: &[Value]) -> Vec<String> {
    let mut story = Story::at("pai_gow_poker", "mgc-2017", options);
    let opened = json!({"meters": {"progressive": 1_500_000}});
    story.round_opened_with(opened, round(bets, play, payments));
    assert_eq!(story.invented(), NOTHING);
    story.codes().into_iter().map(str::to_owned).collect()
}

fn free(bets: &[Value], play: Vec<Value>, payments: &[Value]) -> Vec<String> {
    let mut story = Story::at("commission_free_pai_gow_poker", "oh-jack-2017", json!({}));
    story.round(round(bets, play, payments));
    assert_eq!(story.invented(), NOTHING);
    story.codes().into_iter().map(str::to_owned).collect()
}

fn main_bet() -> Value {
    bet("w", 2, "pai_gow_poker", 10000)
}

#[test]
fn a_fouled_hand_is_not_paid() {
    let play = || hands(FOULED_ACES, NINES);
    let at_poker = |payment: Value| poker(json!({}), &[main_bet()], play(), &[payment]);
    assert_eq!(at_poker(collected("w")), ["pai_gow_poker.fouled_hand"]);
    assert_eq!(
        at_poker(paid_less("w", 10000, 500)),
        [
            "pai_gow_poker.fouled_hand",
            "pay.undue",
            "pai_gow_poker.fouled_paid"
        ]
    );
    assert_eq!(
        free(&[main_bet()], play(), &[paid("w", 10000)]),
        [
            "commission_free_pai_gow_poker.fouled_hand",
            "pay.undue",
            "commission_free_pai_gow_poker.fouled_paid"
        ]
    );
    // A loser who was paid without a fouled hand is no such case.
    let beaten = hands("9S 9D 4H 3C 2S | 8C 6D", ACES);
    let undue = poker(
        json!({}),
        &[main_bet()],
        beaten,
        &[paid_less("w", 10000, 500)],
    );
    assert_eq!(undue, ["pay.undue"]);
}

#[test]
fn a_fouled_bank_is_set_again_and_not_lost() {
    let settled = |payments: &[Value]| {
        let mut story = Story::at("pai_gow_poker", "mgc-2017", json!({}));
        let first = [bet("a", 2, "pai_gow_poker", 10000)];
        story.round(round(
            &first,
            hands(ACES, NINES),
            &[paid_less("a", 10000, 500)],
        ));
        let bets = [
            json!({"type": "wager_placed", "wager": "k", "seat": 2, "kind": "bank", "amount": 0}),
            bet("w", 4, "pai_gow_poker", 10000),
        ];
        let dealt = [seven("seat", Some(2), None), seven("seat", Some(4), None)].concat();
        let settings = vec![
            set("seat", Some(4), NINES),
            set("bank", Some(2), FOULED_ACES),
        ];
        story.round(round(&bets, [dealt, settings].concat(), payments));
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        settled(&[collected("w"), paid_less("k", 10000, 500)]),
        ["pai_gow_poker.bank_fouled"]
    );
    let lost = settled(&[paid_less("w", 10000, 500), collected("k")]);
    assert!(
        lost.contains(&"pai_gow_poker.bank_reset_missing".to_owned()),
        "{lost:?}"
    );
}

/// Seat 2 with four queens and a bonus wager of so much, and its envy marker.
fn queens(bonus: i64, options: Value, more: &[Value]) -> Vec<String> {
    let marker = json!({"type": "wager_placed", "wager": "e", "seat": 2, "kind": "envy", "amount": 0, "on": "b"});
    let bets = [main_bet(), bet("b", 2, "bonus", bonus), marker];
    let payments = [&[paid_less("w", 10000, 500)][..], more].concat();
    poker(options, &bets, hands(FOUR_QUEENS, NINES), &payments)
}

fn bonus_table() -> Value {
    json!({"side_bets": ["bonus"]})
}

#[test]
fn a_side_wager_is_paid_by_its_own_row() {
    assert_eq!(queens(500, bonus_table(), &[paid("b", 12500)]), NOTHING);
    assert_eq!(
        queens(500, bonus_table(), &[paid("b", 2500)]),
        ["pay.under", "payout.wrong_row"]
    );
    assert_eq!(
        queens(500, bonus_table(), &[paid("b", 12400)]),
        ["pay.under"]
    );
}

#[test]
fn envy_is_for_the_hands_of_others() {
    assert_eq!(
        queens(500, bonus_table(), &[paid("b", 12500), paid("e", 2000)]),
        ["pay.undue", "envy.own_hand_paid"]
    );
}

/// Seats 2 and 3, with envy for what is beside; the queens are at seat 3 or the dealer's.
fn envied(same_player: bool, at_dealer: bool, envy: Value) -> Vec<String> {
    let named = |mut bet: Value, player: &str| {
        bet["player"] = json!(player);
        bet
    };
    let marker = json!({"type": "wager_placed", "wager": "e", "seat": 2, "kind": "envy", "amount": 0, "on": "b"});
    let bets = [
        named(main_bet(), "p"),
        named(bet("b", 2, "bonus", 500), "p"),
        named(marker, "p"),
        named(
            bet("x", 3, "pai_gow_poker", 1000),
            if same_player { "p" } else { "q" },
        ),
    ];
    let [third, dealer] = match at_dealer {
        false => [FOUR_QUEENS, NINES],
        true => ["TS TD 7H 4C 2H | 8D 3C", FOUR_QUEENS],
    };
    let own = if at_dealer {
        collected("x")
    } else {
        paid_less("x", 1000, 50)
    };
    let main = if at_dealer {
        pushed("w")
    } else {
        paid_less("w", 10000, 500)
    };
    let settings = vec![
        set("seat", Some(2), "AS AD 9H 7C 5H | AC KD"),
        set("seat", Some(3), third),
        set("dealer", None, dealer),
    ];
    poker(
        bonus_table(),
        &bets,
        settings,
        &[main, own, paid("b", 1500), envy],
    )
}

#[test]
fn envy_is_not_for_the_players_other_hand_nor_for_the_dealers() {
    assert_eq!(envied(false, false, paid("e", 500)), NOTHING);
    let undue = ["pay.undue", "envy.own_hand_paid"];
    assert_eq!(envied(true, false, paid("e", 500)), undue);
    assert_eq!(envied(true, false, collected("e")), NOTHING);
    assert_eq!(envied(false, true, paid("e", 500)), undue);
    assert_eq!(envied(false, true, collected("e")), NOTHING);
}

#[test]
fn a_posted_limit_is_for_all_areas_of_a_player() {
    let limited = json!({"side_bets": ["bonus"], "max_payout_bonus": 4_000_000});
    let placed = |id: &str, seat: u32, kind: &str, amount: i64| {
        let mut bet = bet(id, seat, kind, amount);
        bet["player"] = json!("p");
        bet
    };
    let marker = |id: &str, seat: u32, on: &str| json!({"type": "wager_placed", "wager": id, "seat": seat, "kind": "envy", "amount": 0, "on": on});
    let bets = [
        placed("w", 2, "pai_gow_poker", 10000),
        placed("b", 2, "bonus", 100_000),
        marker("e", 2, "b"),
        placed("x", 3, "pai_gow_poker", 10000),
        placed("c", 3, "bonus", 100_000),
        marker("f", 3, "c"),
    ];
    let settled = |second: i64| {
        let settings = vec![
            set("seat", Some(2), FOUR_QUEENS),
            set("seat", Some(3), "TS TD TC TH 3D | KS 7S"),
            set("dealer", None, NINES),
        ];
        let payments = [
            paid_less("w", 10000, 500),
            paid_less("x", 10000, 500),
            paid("b", 2_500_000),
            paid("c", second),
        ];
        poker(limited.clone(), &bets, settings, &payments)
    };
    assert_eq!(settled(1_500_000), NOTHING);
    assert_eq!(settled(2_500_000), ["pay.over", "payout.limit_exceeded"]);
}

#[test]
fn premium_hands_are_paid_last() {
    let bets = [
        main_bet(),
        bet("b", 2, "bonus", 400),
        bet("x", 3, "pai_gow_poker", 1000),
        bet("c", 3, "bonus", 400),
    ];
    let order = |last: [Value; 2]| {
        let settings = vec![
            set("seat", Some(2), FOUR_QUEENS),
            set("seat", Some(3), "AS AD AC TH 2D | KS 9H"),
            set("dealer", None, NINES),
        ];
        let mains = [paid_less("w", 10000, 500), paid_less("x", 1000, 50)];
        poker(
            bonus_table(),
            &bets,
            settings,
            &[&mains[..], &last].concat(),
        )
    };
    let (queens, aces) = (paid("b", 10000), paid("c", 1200));
    assert_eq!(order([aces.clone(), queens.clone()]), NOTHING);
    assert_eq!(order([queens, aces]), ["settle.order"]);
}

#[test]
fn a_progressive_wager_is_paid_by_its_own_row() {
    let bets = [main_bet(), bet("j", 2, "progressive", 100)];
    let settled = |amount: i64| {
        let prize =
            json!({"type": "jackpot_paid", "meter": "progressive", "wager": "j", "amount": amount});
        let full = hands("KS KD KH 7D JS | 5D 5H", NINES);
        poker(json!({}), &bets, full, &[paid_less("w", 10000, 500), prize])
    };
    assert_eq!(settled(500), NOTHING);
    assert_eq!(settled(300), ["pay.under", "payout.wrong_row"]);
    assert_eq!(settled(450), ["pay.under"]);
}

#[test]
fn what_does_not_come_off_the_meter_needs_no_supervisor() {
    let bets = [main_bet(), bet("j", 2, "progressive", 100)];
    let settled = |setting: &str, amount: i64| {
        let prize = json!({"type": "jackpot_paid", "meter": "progressive", "wager": "j",
            "amount": amount, "by": {"id": "d-1", "role": "dealer"}});
        let mains = paid_less("w", 10000, 500);
        poker(json!({}), &bets, hands(setting, NINES), &[mains, prize])
    };
    assert_eq!(settled("KS KD KH 7D JS | 5D 5H", 500), NOTHING);
    assert_eq!(settled("TS TD TC TH 7D | JS JH", 4000), NOTHING);
    let alone = ["progressive.no_supervisor"];
    assert_eq!(settled("KH QH JH TH 9H | AC 5D", 2500), alone);
    assert_eq!(settled("KH QH JH TH 9H | 5S 5D", 5000), alone);
}

#[test]
fn shares_of_a_meter_are_paid_in_their_turn() {
    let bets = [
        main_bet(),
        bet("j", 2, "progressive", 100),
        bet("x", 3, "pai_gow_poker", 1000),
        bet("k", 3, "progressive", 100),
    ];
    let prize = |wager: &str, amount: i64| json!({"type": "jackpot_paid", "meter": "progressive", "wager": wager, "amount": amount});
    let order = |last: [Value; 2]| {
        let settings = vec![
            set("seat", Some(2), "KS QS JS TS 9H | AS 2D"),
            set("seat", Some(3), "KH QH JH TH AH | 7D 4C"),
            set("dealer", None, "8S 8H 6C 3S 2H | QD JC"),
        ];
        let mains = [paid_less("w", 10000, 500), pushed("x")];
        poker(json!({}), &bets, settings, &[&mains[..], &last].concat())
    };
    let (one, other) = (prize("j", 150_000), prize("k", 135_000));
    assert_eq!(order([one.clone(), other.clone()]), NOTHING);
    assert_eq!(order([other, one]), ["settle.order"]);
}

#[test]
fn no_more_is_paid_than_the_posted_limit() {
    let limited = || json!({"side_bets": ["bonus"], "max_payout_bonus": 4_000_000});
    assert_eq!(queens(400_000, limited(), &[paid("b", 4_000_000)]), NOTHING);
    assert_eq!(
        queens(400_000, limited(), &[paid("b", 10_000_000)]),
        ["pay.over", "payout.limit_exceeded"]
    );
}

#[test]
fn the_main_wager_is_paid_before_what_is_beside_it() {
    let bets = [main_bet(), bet("b", 2, "bonus", 400)];
    let order =
        |payments: [Value; 2]| poker(bonus_table(), &bets, hands(FOUR_QUEENS, NINES), &payments);
    let (main, bonus) = (paid_less("w", 10000, 500), paid("b", 10000));
    assert_eq!(order([main.clone(), bonus.clone()]), NOTHING);
    assert_eq!(order([bonus, main]), ["settle.order"]);
}

#[test]
fn a_share_of_the_meter_is_verified_and_comes_off_it() {
    let bets = [main_bet(), bet("j", 2, "progressive", 100)];
    let settled = |prize: Value, read: i64| {
        let read = json!({"type": "meter_read", "meter": "progressive", "amount": read});
        let payments = [pushed("w"), prize, read];
        poker(
            json!({}),
            &bets,
            hands(FIVE_ACES, "8S 8H 6C 3S 2H | QD JC"),
            &payments,
        )
    };
    let prize = |by: Option<&str>| {
        let mut prize = json!({"type": "jackpot_paid", "meter": "progressive", "wager": "j", "amount": 150_000});
        if let Some(role) = by {
            prize["by"] = json!({"id": "x", "role": role});
        }
        prize
    };
    assert_eq!(settled(prize(Some("floorperson")), 1_350_000), NOTHING);
    assert_eq!(settled(prize(None), 1_350_500), NOTHING);
    assert_eq!(
        settled(prize(Some("dealer")), 1_350_000),
        ["progressive.no_supervisor"]
    );
    assert_eq!(
        settled(prize(None), 1_500_000),
        ["progressive.meter_mismatch"]
    );
}

/// The dealer's low hand is nine-high.
const TIGER: &str = "KS KD 6H 4C 2S | 9D 8C";

#[test]
fn a_tiger_pushes_the_main_wager_and_nothing_else_does() {
    let bets = [main_bet()];
    let tiger = |payment: Value| free(&bets, hands(ACES, TIGER), &[payment]);
    assert_eq!(tiger(pushed("w")), NOTHING);
    assert_eq!(
        tiger(paid("w", 10000)),
        ["pay.over", "payout.tiger_ignored"]
    );
    let other = |payment: Value| free(&bets, hands(ACES, NINES), &[payment]);
    assert_eq!(other(paid("w", 10000)), NOTHING);
    assert_eq!(other(pushed("w")), ["pay.unpaid", "payout.tiger_ignored"]);
}

#[test]
fn a_tiger_9_wager_is_paid_on_a_tiger() {
    let bets = [main_bet(), bet("t", 2, "tiger_9", 500)];
    let settled =
        |dealer: &str, main: Value, tiger: Value| free(&bets, hands(ACES, dealer), &[main, tiger]);
    assert_eq!(settled(NINES, paid("w", 10000), collected("t")), NOTHING);
    assert_eq!(
        settled(TIGER, pushed("w"), collected("t")),
        ["pay.unpaid", "payout.tiger_9_wrong"]
    );
}

#[test]
fn the_commission_free_game_takes_no_vigorish() {
    let bets = [main_bet()];
    let settled = |payment: Value| free(&bets, hands(ACES, NINES), &[payment]);
    assert_eq!(settled(paid("w", 10000)), NOTHING);
    assert_eq!(
        settled(paid_less("w", 10000, 500)),
        ["payout.commission_taken", "commission.wrong"]
    );
}

#[test]
fn a_surrender_costs_the_whole_wager() {
    let play = || {
        let mut play = hands(ACES, NINES);
        play.insert(14, says(2, "surrender"));
        play
    };
    assert_eq!(free(&[main_bet()], play(), &[collected("w")]), NOTHING);
    let half = json!({"type": "wager_collected", "wager": "w", "amount": 5000});
    assert_eq!(
        free(&[main_bet()], play(), &[half]),
        [
            "pay.uncollected",
            "commission_free_pai_gow_poker.surrender_late"
        ]
    );
}

#[test]
fn hands_are_dealt_clockwise_in_massachusetts() {
    // Told from the dealer around the table: all seven positions.
    let around = |positions: [u32; 7]| {
        let dealt = positions.into_iter().flat_map(|position| match position {
            0 => seven("dealer", None, None),
            seat => seven("seat", Some(seat), None),
        });
        let settings = [set("seat", Some(2), ACES), set("dealer", None, NINES)];
        // Eight from the dealer is the dealer's own place.
        let dice = json!({"type": "dice_rolled", "dice": [2, 3, 3], "valid": true});
        let play: Vec<Value> = [dice].into_iter().chain(dealt).chain(settings).collect();
        poker(
            json!({}),
            &[main_bet()],
            play,
            &[paid_less("w", 10000, 500)],
        )
    };
    assert_eq!(around([0, 6, 5, 4, 3, 2, 1]), NOTHING);
    assert_eq!(
        around([0, 1, 2, 3, 4, 5, 6]),
        ["pai_gow_poker.deal_direction"]
    );
}

#[test]
fn a_void_round_of_tiles_or_without_commission_must_not_be_paid() {
    let own = "6-6 6-3 | 4-4 5-2";
    let exposed = [irregularity("dealer_tile_exposed", Value::Null)];
    assert_eq!(at_tiles(own, &exposed, pushed("w")), NOTHING);
    assert_eq!(
        at_tiles(own, &exposed, paid_less("w", 5000, 250)),
        ["pay.over", "pai_gow.void_not_declared"]
    );
    let miscounted = || {
        let mut play = hands(ACES, NINES);
        play.push(irregularity("deck_count_wrong", Value::Null));
        play
    };
    assert_eq!(free(&[main_bet()], miscounted(), &[pushed("w")]), NOTHING);
    assert_eq!(
        free(&[main_bet()], miscounted(), &[paid("w", 10000)]),
        [
            "pay.over",
            "commission_free_pai_gow_poker.void_not_declared"
        ]
    );
}

#[test]
fn a_tiger_is_what_the_house_way_makes_however_the_dealer_lay() {
    const CARDS: &str = "KD QC 6D 4H 2C 9S 7C";
    let settled = |cards: &str, laid: Option<&str>, payment: Value| {
        let dealt = [
            seven("dealer", None, Some(cards)),
            seven("seat", Some(2), None),
        ]
        .concat();
        let laid = laid.map(|laid| set("dealer", None, laid));
        let settings = [set("seat", Some(2), "AS AH 7S 5S 2D | JH JC")];
        let settings = settings.into_iter().chain(laid).collect();
        free(&[main_bet()], [dealt, settings].concat(), &[payment])
    };
    // Queen and nine belong behind.
    assert_eq!(settled(CARDS, None, paid("w", 10000)), NOTHING);
    let ignored = ["pay.unpaid", "payout.tiger_ignored"];
    assert_eq!(settled(CARDS, None, pushed("w")), ignored);
    let misset = settled(CARDS, Some("KD QC 6D 4H 2C | 9S 7C"), pushed("w"));
    assert!(misset.contains(&ignored[1].to_owned()), "{misset:?}");
    let nine_high = "QD 9S 7C 6C 4D 3H 2C";
    assert_eq!(settled(nine_high, None, pushed("w")), NOTHING);
    assert_eq!(
        settled(nine_high, None, paid("w", 10000)),
        ["pay.over", "payout.tiger_ignored"]
    );
}

#[test]
fn vigorish_on_a_side_wager_is_no_other_row() {
    let taken = queens(500, bonus_table(), &[paid_less("b", 12500, 625)]);
    assert!(taken.contains(&"commission.wrong".to_owned()), "{taken:?}");
    assert!(!taken.contains(&"payout.wrong_row".to_owned()), "{taken:?}");
}

/// Seat 2 with this hand and a progressive wager, told to the end of the round.
fn prize_of(setting: &str, prize: i64, read: Option<i64>) -> Story {
    let mut story = Story::at("pai_gow_poker", "mgc-2017", json!({}));
    let bets = [main_bet(), bet("j", 2, "progressive", 100)];
    let prize =
        json!({"type": "jackpot_paid", "meter": "progressive", "wager": "j", "amount": prize});
    let main = match setting.ends_with("7D 2C") {
        true => pushed("w"),
        false => paid_less("w", 10000, 500),
    };
    let read = read.map(reading);
    let payments: Vec<Value> = [main, prize].into_iter().chain(read).collect();
    let opened = json!({"meters": {"progressive": 1_500_000}});
    let play = hands(setting, "8S 8H 6C 3S 2H | QD JC");
    story.round_opened_with(opened, round(&bets, play, &payments));
    story
}

fn reading(amount: i64) -> Value {
    json!({"type": "meter_read", "meter": "progressive", "amount": amount})
}

const MISMATCH: [&str; 1] = ["progressive.meter_mismatch"];

#[test]
fn the_meter_shows_what_its_prizes_leave() {
    let read = |setting: &str, prize: i64, read: i64| {
        let story = prize_of(setting, prize, Some(read));
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    // A tenth comes off, and no more is fed meanwhile than a floor can feed.
    assert_eq!(read(FIVE_ACES, 150_000, 1_351_000), NOTHING);
    assert_eq!(read(FIVE_ACES, 150_000, 1_470_000), MISMATCH);
    // All of it is won: it starts again, and never below its reset.
    let all = "AS AH AD AC JK | 9S 9D";
    assert_eq!(read(all, 1_500_000, 1_000_021), NOTHING);
    assert_eq!(read(all, 1_500_000, 500_000), MISMATCH);
    assert_eq!(read(all, 1_500_000, 1_500_021), MISMATCH);
    // A royal flush with the joker comes off it, four of a kind does not: 14(e).
    let royal = "AH KH QH TH JK | KS 9D";
    assert_eq!(read(royal, 10_000, 1_490_021), NOTHING);
    assert_eq!(read(royal, 10_000, 1_500_021), MISMATCH);
    let four = "TS TD TC TH 7C | KS 9D";
    assert_eq!(read(four, 2_000, 1_500_021), NOTHING);
    assert_eq!(read(four, 2_000, 1_498_021), MISMATCH);
}

#[test]
fn a_meter_that_is_read_after_the_round_shows_its_prizes_too() {
    let after = |aside: Option<i64>, opened: i64| {
        let mut story = prize_of(FIVE_ACES, 150_000, None);
        if let Some(amount) = aside {
            story.aside(reading(amount));
        }
        let meters = json!({"meters": {"progressive": opened}});
        let next = round(
            &[main_bet()],
            hands(ACES, NINES),
            &[paid_less("w", 10000, 500)],
        );
        story.round_opened_with(meters, next);
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(after(None, 1_350_021), NOTHING);
    assert_eq!(after(None, 1_500_021), MISMATCH);
    assert_eq!(after(Some(1_350_021), 1_360_000), NOTHING);
    assert_eq!(after(Some(1_500_021), 1_500_021), MISMATCH);
}

#[test]
fn a_prize_that_the_meter_and_the_table_tell_of_was_paid_once() {
    let bets = [main_bet(), bet("j", 2, "progressive", 100)];
    let settled = |told: [Value; 2]| {
        let payments = [&[pushed("w")][..], &told].concat();
        let play = hands(FIVE_ACES, "8S 8H 6C 3S 2H | QD JC");
        poker(json!({}), &bets, play, &payments)
    };
    let prize =
        json!({"type": "jackpot_paid", "meter": "progressive", "wager": "j", "amount": 150_000});
    let told = |amount: i64| paid("j", amount);
    for table in [149_900, 150_000] {
        assert_eq!(settled([prize.clone(), told(table)]), NOTHING);
        assert_eq!(settled([told(table), prize.clone()]), NOTHING);
    }
    assert_eq!(settled([prize.clone(), told(20_000)]), ["pay.over"]);
    assert_eq!(settled([prize.clone(), prize]), ["pay.over"]);
}

#[test]
fn one_dead_hand_makes_no_void_round() {
    let settled = |payment: Value| {
        let mut story = Story::at("pai_gow_poker", "oh-jack-2017", json!({}));
        let dead = irregularity("card_off_table", json!({"seat": 2, "ruling": "dead"}));
        let play = [hands(ACES, NINES), vec![dead]].concat();
        story.round(round(&[main_bet()], play, &[payment]));
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(settled(pushed("w")), NOTHING);
    assert_eq!(settled(collected("w")), ["pay.under"]);
}

#[test]
fn a_round_that_is_called_off_gives_all_back_but_the_numbers() {
    let called_off = |payments: &[Value]| {
        let mut story = Story::at("pai_gow_poker", "mgc-2017", json!({}));
        let number = json!({"type": "wager_placed", "wager": "n", "seat": 2, "kind": "number",
            "amount": 300, "detail": {"number": 5}});
        let drawn = json!({"type": "wheel_spun", "result": "3", "valid": true});
        let exposed = irregularity("dealer_card_exposed", Value::Null);
        let opened = json!({"type": "round_opened"});
        let play = [
            opened,
            main_bet(),
            number,
            closed(),
            drawn,
            collected("n"),
            exposed,
        ];
        let over = [json!({"type": "round_voided", "reason": "dealer_card_exposed"})];
        for body in [&play[..], payments, &over].concat() {
            story.of_round(1, body);
        }
        story.aside(json!({"type": "clock"}));
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(called_off(&[pushed("w")]), NOTHING);
    assert_eq!(called_off(&[]), NOTHING);
    assert_eq!(called_off(&[collected("w")]), ["pay.under"]);
}
