//! Each fault of the table, the sign and the betting with a round that shows it, beside a lawful twin.

use serde_json::{Value, json};

use super::*;

/// The first document breaks exactly these rules, the second none.
fn assert_pairs(pairs: Vec<(&[&str], Value, Value)>) {
    for (codes, faulty, lawful) in pairs {
        assert_eq!(TABLE.violations(&faulty), codes, "{faulty}");
        assert_eq!(TABLE.violations(&lawful), [""; 0], "{codes:?}\n{lawful}");
    }
}

fn posted(key: &str, value: Value) -> Value {
    with(sign(), &format!("/{key}"), value)
}

fn flop(options: Value, actions: &str) -> Value {
    holdem_with(options, BLINDS, &[LIMPED, actions, CHECKED, CHECKED])
}

#[test]
fn faults_of_table_and_sign() {
    let old = |document| with(document, "/edition", json!("mgc-2017"));
    let badugi = || {
        let hands = json!({"hands": {"1": ["AS", "2D", "3C", "4H"], "2": ["AD", "2S", "3H", "5C"],
                                     "3": ["KS", "KD", "QC", "QH"]}});
        round(
            "badugi",
            sign(),
            THREE,
            BLINDS,
            &[LIMPED, CHECKED, CHECKED, CHECKED],
            hands,
        )
    };
    let many: Vec<Value> = (1..=12)
        .map(|seat| json!({"seat": seat, "stack": 20_000, "in": seat < 4}))
        .collect();
    let rake = |method| posted("rake", json!([method]));
    let percent = |bp: i64| rake(json!({"method": "percent", "rate_bp": bp}));
    let time = |interval: i64| {
        rake(json!({"method": "time", "basis": "per_player", "hourly": 600, "interval": interval}))
    };
    let kill = posted("kill", json!({"type": "kill", "amount": 90_000}));
    let limped = &[LIMPED, CHECKED, CHECKED, CHECKED];
    let omaha = |options| {
        let hands = json!({"hands": {"1": ["AS", "AD", "9C", "9D"], "2": ["KS", "KD", "8C", "8D"],
                                     "3": ["QS", "QD", "6C", "6D"]},
                           "board": ["TC", "5D", "7H", "JS", "JH"]});
        round("omaha_high_low_8", options, THREE, BLINDS, limped, hands)
    };
    assert_pairs(vec![
        (&["form.not_authorised"], old(badugi()), badugi()),
        (
            &["table.seat"],
            with(holdem(), "/play/seats", json!(many)),
            with(holdem(), "/play/seats", json!(many[..11])),
        ),
        (
            &["table.seat"],
            with(holdem(), "/options/max_seats", json!(2)),
            with(holdem(), "/options/max_seats", json!(3)),
        ),
        (
            &["rake.over_ten_percent"],
            holdem_with(percent(1001), BLINDS, limped),
            holdem_with(percent(1000), BLINDS, limped),
        ),
        (
            &["rake.time_interval"],
            holdem_with(time(25), BLINDS, limped),
            holdem_with(time(20), BLINDS, limped),
        ),
        (
            &["kill.not_offered"],
            holdem_with(kill.clone(), BLINDS, limped),
            omaha(kill),
        ),
        (
            &["stakes.insufficient"],
            with(holdem(), "/play/seats/1/stack", json!(599)),
            with(holdem(), "/play/seats/1/stack", json!(600)),
        ),
        (
            &["stakes.changed_mid_round"],
            with(
                holdem(),
                "/play/stake_changes",
                json!([{"seat": 1, "amount": -500}]),
            ),
            with(holdem(), "/play/stake_changes", json!([])),
        ),
        (
            &["shoe.burn_count"],
            with(holdem(), "/play/burns", json!([1, 2, 1])),
            with(holdem(), "/play/burns", json!([1, 1, 1])),
        ),
    ]);
    let alone = round(
        "holdem_high",
        sign(),
        &[(1, 20_000)],
        "1 blind 200",
        &[],
        json!({}),
    );
    assert_eq!(TABLE.violations(&alone), ["table.too_few_players"]);
}

#[test]
fn faults_of_compulsory_bets() {
    let limped = &[LIMPED, CHECKED, CHECKED, CHECKED];
    let posts = |options: Value, posts: &str| holdem_with(options, posts, limped);
    let antes = "1 ante 50, 2 ante 50, 3 ante 50";
    let ante = |cents: i64| posted("ante", json!(cents));
    let anted = |text: &str| posts(ante(50), &format!("{text}, {BLINDS}"));
    let kill = || json!({"bet_limits": limits(4), "blinds": [200, 400], "kill": {"type": "kill", "amount": 90_000}});
    let omaha = |posts: &str, actions: &str| {
        let hands = json!({"hands": {"1": ["AS", "AD", "9C", "9D"], "2": ["KS", "KD", "8C", "8D"],
                                     "3": ["QS", "QD", "6C", "6D"]},
                           "board": ["TC", "5D", "7H", "JS", "JH"], "kill_button": 1});
        round(
            "omaha_high_low_8",
            kill(),
            THREE,
            posts,
            &[actions, CHECKED, CHECKED, CHECKED],
            hands,
        )
    };
    let killed = "1 kill_blind 800, 2 blind 200, 3 blind 400";
    let answered = "1 x, 2 c 600, 3 c 400";
    let four: &[(u16, i64)] = &[(1, 20_000), (2, 20_000), (3, 20_000), (4, 20_000)];
    let straddled = |posts: &str, actions: &str| {
        let options = posted("straddle", json!(800));
        let rest = json!({"hands": {"1": ["AS", "2D", "3C", "4H"], "4": ["AD", "2S", "3H", "5C"]}});
        let checked = "4 x, 1 x";
        round(
            "badugi",
            options,
            four,
            posts,
            &[actions, checked, checked, checked],
            rest,
        )
    };
    let lawful = || {
        straddled(
            "2 blind 200, 3 blind 400, 4 straddle 800",
            "1 c 800, 2 f, 3 f, 4 x",
        )
    };
    let stud_forced =
        |rounds: &str| stud_with(&[rounds, "2 x, 1 x", "2 x, 1 x", "2 x, 1 x", "2 x, 1 x"]);
    assert_pairs(vec![
        (
            &["ante.missing"],
            anted("1 ante 50, 2 ante 50"),
            anted(antes),
        ),
        (
            &["ante.amount"],
            anted("1 ante 50, 2 ante 50, 3 ante 75"),
            anted(antes),
        ),
        (
            &["ante.coin"],
            posts(
                ante(40),
                &format!("1 ante 40, 2 ante 40, 3 ante 40, {BLINDS}"),
            ),
            anted(antes),
        ),
        (
            &["blind.amount"],
            holdem_with(
                sign(),
                "2 blind 100, 3 blind 400",
                &["1 c 400, 2 c 300, 3 x", CHECKED, CHECKED, CHECKED],
            ),
            holdem(),
        ),
        (
            &["blind.missing"],
            holdem_with(
                sign(),
                "3 blind 400",
                &["1 c 400, 2 c 400, 3 x", CHECKED, CHECKED, CHECKED],
            ),
            holdem(),
        ),
        (
            &["blind.wrong_seat"],
            holdem_with(
                sign(),
                "2 blind 200, 3 blind 400, 1 blind 100",
                &["1 c 300, 2 c 200, 3 x", CHECKED, CHECKED, CHECKED],
            ),
            holdem(),
        ),
        (
            &["kill_blind.missing"],
            omaha("2 blind 200, 3 blind 400", "1 c 400, 2 c 200, 3 x"),
            omaha(killed, answered),
        ),
        (
            &["kill_blind.amount"],
            omaha(
                "1 kill_blind 400, 2 blind 200, 3 blind 400",
                "1 x, 2 c 200, 3 x",
            ),
            omaha(killed, answered),
        ),
        (
            &["kill_blind.wrong_seat"],
            holdem_with(
                sign(),
                "2 kill_blind 200, 2 blind 200, 3 blind 400",
                &["1 c 400, 2 x, 3 x", CHECKED, CHECKED, CHECKED],
            ),
            holdem(),
        ),
        (
            &["straddle.not_offered"],
            holdem_with(
                posted("straddle", json!(800)),
                "2 blind 200, 3 blind 400, 1 straddle 800",
                &["2 c 600, 3 c 400, 1 x", CHECKED, CHECKED, CHECKED],
            ),
            lawful(),
        ),
        (
            &["straddle.amount"],
            straddled(
                "2 blind 200, 3 blind 400, 4 straddle 900",
                "1 c 900, 2 f, 3 f, 4 x",
            ),
            lawful(),
        ),
        (
            &["straddle.second", "straddle.wrong_seat"],
            straddled(
                "2 blind 200, 3 blind 400, 4 straddle 800, 1 straddle 800",
                "1 x, 2 f, 3 f, 4 x",
            ),
            lawful(),
        ),
        (
            &["forced_bet.amount"],
            stud_forced("1 F 300, 2 c 300"),
            stud(),
        ),
        (&["forced_bet.missing"], stud_forced("1 x, 2 x"), stud()),
        (&["wager.obligation_unpaid"], stud_with(&["1 f"]), stud()),
    ]);
}

#[test]
fn faults_of_bets_and_raises() {
    let spread = |extra: Value| {
        let mut options = json!({"bet_limits": vec![[200, 1000]; 4], "blinds": [200, 400]});
        for (key, value) in extra.as_object().unwrap() {
            options[key] = value.clone();
        }
        options
    };
    let no_limit = json!({"bet_limits": vec![json!([400, null]); 4], "betting": "no_limit", "blinds": [200, 400]});
    let lawful = || flop(sign(), "2 b 400, 3 c 400, 1 c 400");
    let says = |pointer: &str, value: Value| with(lawful(), &format!("/wagers/4/{pointer}"), value);
    let chip = |verbal: Value| {
        let document = flop(sign(), "2 b 400, 3 r 800, 1 f, 2 f");
        let document = with(document, "/wagers/5/single_chip", json!(true));
        let document = with(document, "/play/rounds/2", json!([]));
        let document = with(document, "/play/rounds/3", json!([]));
        with(document, "/wagers/5/verbal", verbal)
    };
    let called_chip = || {
        let document = flop(sign(), "2 b 400, 3 r 800, 1 c 400");
        with(document, "/wagers/5/single_chip", json!(true))
    };
    let cap = |most: i64| posted("max_raises", json!(most));
    let check_raise = |allowed: bool| posted("check_raise", json!(allowed));
    // Seat 3 is all-in for a small raise; seat 2 bet before and raises again.
    let reopened = |rule: &str| {
        round(
            "holdem_high",
            spread(json!({"reopen": rule, "bet_limits": vec![[400, 1000]; 4]})),
            &[(1, 20_000), (2, 20_000), (3, 1_200)],
            BLINDS,
            &[
                LIMPED,
                "2 b 600, 3 r 800, 1 c 800, 2 r 600, 1 c 400",
                "2 x, 1 x",
                "2 x, 1 x",
            ],
            hands(),
        )
    };
    let previous = || spread(json!({"min_raise": "previous_increment"}));
    assert_pairs(vec![
        (
            &["wager.over_table_stakes"],
            holdem_with(no_limit, BLINDS, &["1 r 20400, 2 f, 3 f"]),
            holdem(),
        ),
        (
            &["wager.under_min"],
            flop(sign(), "2 b 300, 3 c 300, 1 c 300"),
            lawful(),
        ),
        (
            &["wager.over_max"],
            flop(sign(), "2 b 500, 3 c 500, 1 c 500"),
            lawful(),
        ),
        (
            &["wager.under_min"],
            flop(previous(), "2 b 600, 3 r 1000, 1 c 1000, 2 c 400"),
            flop(spread(json!({})), "2 b 600, 3 r 1000, 1 c 1000, 2 c 400"),
        ),
        (
            &["wager.raise_cap"],
            flop(cap(1), "2 b 400, 3 r 800, 1 r 1200, 2 c 800, 3 c 400"),
            flop(cap(2), "2 b 400, 3 r 800, 1 r 1200, 2 c 800, 3 c 400"),
        ),
        (
            &["wager.check_raise"],
            flop(
                check_raise(false),
                "2 x, 3 b 400, 1 c 400, 2 r 800, 3 c 400, 1 c 400",
            ),
            flop(
                check_raise(true),
                "2 x, 3 b 400, 1 c 400, 2 r 800, 3 c 400, 1 c 400",
            ),
        ),
        (&["wager.not_reopened"], reopened("full"), reopened("any")),
        (&["wager.not_reopened"], reopened("half"), reopened("any")),
        (
            &["wager.short_call"],
            flop(sign(), "2 b 400, 3 c 300, 1 c 400"),
            lawful(),
        ),
        (
            &["wager.overcall"],
            flop(sign(), "2 b 400, 3 c 500, 1 c 400"),
            lawful(),
        ),
        (
            &["wager.single_chip_call"],
            called_chip(),
            chip(json!("raise")),
        ),
        (
            &["wager.string_bet"],
            flop(sign(), "2 b 400, 2 r 400, 3 c 400, 1 c 400"),
            lawful(),
        ),
        (
            &["wager.announced_mismatch"],
            flop(spread(json!({})), "2 b 400 @600, 3 c 400, 1 c 400"),
            says("announced", json!(300)),
        ),
        (
            &["action.wrong_opener"],
            flop(sign(), "3 b 400, 1 c 400, 2 c 400"),
            lawful(),
        ),
        (
            &["action.out_of_turn"],
            flop(sign(), "2 b 400, 1 c 400, 3 c 400"),
            lawful(),
        ),
        (
            &["action.not_due"],
            flop(sign(), "2 b 400, 3 c 400, 1 c 400, 3 x"),
            lawful(),
        ),
        (
            &["action.check_facing_bet"],
            flop(sign(), "2 b 400, 3 x, 1 c 400"),
            lawful(),
        ),
        (
            &["round.incomplete"],
            flop(sign(), "2 b 400, 3 c 400"),
            lawful(),
        ),
    ]);
    let folded = flop(sign(), "2 b 400, 3 f, 1 c 400, 3 x");
    let folded = with(
        folded,
        "/play/rounds/2",
        json!([{"seat": 2, "act": "check"}, {"seat": 1, "act": "check"}]),
    );
    let folded = with(
        folded,
        "/play/rounds/3",
        json!([{"seat": 2, "act": "check"}, {"seat": 1, "act": "check"}]),
    );
    assert_eq!(TABLE.violations(&folded), ["action.not_in_hand"]);
}

#[test]
fn a_large_chip_without_the_word_is_a_call_and_the_change_goes_back() {
    let document = flop(sign(), "2 b 400, 3 r 800, 1 c 400");
    let document = with(document, "/wagers/5/single_chip", json!(true));
    let settled = serde_json::to_value(TABLE.settle(&document)).unwrap();
    assert_eq!(
        settled["refunds"],
        json!([{"seat": 3, "reason": "change", "amount": 400}])
    );
    assert_eq!(
        settled["awards"],
        json!([{"seat": 1, "pot": 0, "amount": 2400}])
    );
}

#[test]
fn a_check_is_noted_in_five_card_stud() {
    let hands = json!({"hands": {"1": {"down": ["AS"], "up": ["2H", "7D", "8S", "TC"]},
                                 "2": {"down": ["QS"], "up": ["KH", "6D", "5S", "4C"]}}});
    let deal = |last: &str| {
        let options = json!({"bet_limits": limits(4), "forced_bet": 200});
        let bet = "2 b 400, 1 c 400";
        round(
            "five_card_stud_high",
            options,
            &[(1, 20_000), (2, 20_000)],
            "",
            &["1 F 200, 2 c 200", bet, bet, last],
            hands.clone(),
        )
    };
    assert_pairs(vec![(
        &["action.check_not_offered"],
        deal("2 x, 1 x"),
        deal("2 b 400, 1 c 400"),
    )]);
}

#[test]
fn the_last_bettor_shows_first_and_a_muck_gives_up_the_pot() {
    let bet = holdem_with(
        sign(),
        BLINDS,
        &[LIMPED, CHECKED, CHECKED, "2 x, 3 b 400, 1 c 400, 2 c 400"],
    );
    let shown = |seats: [u16; 3]| {
        let show: Vec<Value> = seats
            .iter()
            .map(|seat| json!({"seat": seat, "act": "show"}))
            .collect();
        with(bet.clone(), "/play/showdown", json!(show))
    };
    assert_pairs(vec![(
        &["showdown.order"],
        shown([1, 2, 3]),
        shown([3, 1, 2]),
    )]);
    let mucked = with(shown([3, 1, 2]), "/play/showdown/1/act", json!("muck"));
    let awards =
        |document: &Value| serde_json::to_value(TABLE.settle(document)).unwrap()["awards"].clone();
    assert_eq!(
        awards(&mucked),
        json!([{"seat": 2, "pot": 0, "amount": 2400}])
    );
    let all =
        json!([{"seat": 3, "act": "muck"}, {"seat": 1, "act": "muck"}, {"seat": 2, "act": "muck"}]);
    assert_eq!(
        awards(&with(bet, "/play/showdown", all)),
        json!([{"seat": 2, "pot": 0, "amount": 2400}])
    );
}
