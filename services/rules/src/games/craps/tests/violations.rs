//! Contract bets, odds limits, throws, tournaments, options and seats: each code with a lawful twin.

use serde_json::{Value, json};

use crate::Edition::{self, Mgc2017, OhJack2017};
use crate::games::Craps;
use crate::games::shared::craps::testkit::{bet, bet_with, merge, play, results, round};
use crate::settlement::Verdict::Void;
use crate::testkit::TestTable;

#[test]
fn contract_bets_stay_up() {
    let table = TestTable::<Craps>::open();
    let cut = |before: i64| json!({"number": 5, "changes": [{"before": before, "to": 0}]});
    let contract: &[&str] = &["craps.contract_bet_removed"];
    let cases: [(&str, u8, i64, &[&str]); 9] = [
        ("pass", 0, 0, &[]),
        ("pass", 0, 1, contract),
        // Put up on the point, and frozen at once.
        ("pass", 9, 0, contract),
        ("come", 9, 0, &[]),
        ("come", 9, 1, contract),
        ("put", 9, 0, &[]),
        ("put", 9, 1, &["craps.put_removed"]),
        ("fire", 0, 0, &["craps.fire_changed"]),
        ("dont_come", 9, 1, &[]),
    ];
    for (kind, point, before, expected) in cases {
        let wagers = json!([bet_with(kind, 500, cut(before))]);
        let document = round(&table, OhJack2017, wagers, play(point, "4-4 1-1"));
        assert_eq!(table.violations(&document), expected, "{document}");
        let taken_down = expected.is_empty();
        assert_eq!(
            results(&table, &document)[0] == Void,
            taken_down,
            "{document}"
        );
    }
    // A decided bet cannot be changed any more, and nobody is blamed for it.
    let document = round(
        &table,
        OhJack2017,
        json!([bet_with("pass", 500, cut(2))]),
        play(0, "4-4 4-4"),
    );
    assert!(table.violations(&document).is_empty());
}

#[test]
fn odds_are_limited_by_their_flat_bet() {
    let table = TestTable::<Craps>::open();
    let judge = |options: &Value, dont: bool, point: u8, flat: i64, odds: &[i64]| {
        let kind = if dont { "dont_pass" } else { "pass" };
        let mut wagers = vec![bet(kind, flat, json!({"placed": -1}))];
        for (index, &amount) in odds.iter().enumerate() {
            let keys = json!({"id": format!("odds{index}"), "on": "w1"});
            wagers.push(bet(&format!("{kind}_odds"), amount, keys));
        }
        let document = table.document(Mgc2017, options.clone(), json!(wagers), play(point, "1-1"));
        let violations = table.violations(&document);
        assert!(
            violations.is_empty() || violations == ["craps.odds_over_max"],
            "{document}"
        );
        violations.is_empty()
    };
    let single = json!({});
    for (dont, point, flat, odds, in_order) in [
        // 3:2 pays dollars on even dollars only: 600 on a flat bet of 500.
        (false, 5, 500, 500, true),
        (false, 5, 500, 600, true),
        (false, 5, 500, 550, false),
        (false, 5, 500, 700, false),
        (false, 4, 500, 600, false),
        // 6:5 on multiples of five dollars.
        (false, 6, 600, 1000, true),
        (false, 6, 600, 900, false),
        // Laid odds: winnings of 500 need 1000 on 4, 750 on 5, 600 on 6, or what pays in dollars.
        (true, 4, 500, 1000, true),
        (true, 4, 500, 1100, false),
        (true, 4, 500, 1200, false),
        (true, 5, 500, 750, true),
        (true, 5, 500, 900, true),
        (true, 5, 500, 800, false),
        (true, 6, 500, 600, true),
        (true, 6, 700, 1200, true),
        (true, 6, 700, 841, false),
    ] {
        assert_eq!(
            judge(&single, dont, point, flat, &[odds]),
            in_order,
            "{dont} {point} {odds}"
        );
    }
    assert!(judge(&single, false, 4, 1000, &[500, 500]));
    assert!(!judge(&single, false, 4, 1000, &[500, 600]));
    let by_point = json!({"odds_multiple": {"4": 3, "5": 4}});
    assert!(judge(&by_point, false, 4, 500, &[1500]));
    assert!(!judge(&by_point, false, 10, 500, &[1500]));
}

#[test]
fn odds_multiples_out_of_order_are_flagged_and_read_as_the_nearest_lawful_one() {
    let table = TestTable::<Craps>::open();
    let judge = |edition: Edition, multiple: Value, odds: i64| {
        let wagers = json!([
            bet("pass", 100, json!({"placed": -1})),
            bet("pass_odds", odds, json!({"id": "w2", "on": "w1"})),
        ]);
        let options = json!({"odds_multiple": multiple});
        table.violations(&table.document(edition, options, wagers, play(4, "1-1")))
    };
    let config = "config.odds_multiple";
    assert!(judge(Mgc2017, json!(100), 10_000).is_empty());
    assert_eq!(judge(Mgc2017, json!(101), 10_000), [config]);
    assert_eq!(
        judge(Mgc2017, json!(101), 10_100),
        [config, "craps.odds_over_max"]
    );
    assert!(judge(OhJack2017, json!(101), 10_100).is_empty());
    assert!(judge(OhJack2017, json!(i64::MAX), 10_100).is_empty());
    assert!(judge(OhJack2017, json!(u64::MAX), 10_100).is_empty());
    assert_eq!(judge(Mgc2017, json!(-3), 100), [config]);
    assert_eq!(judge(OhJack2017, json!({"4": 2, "9": 0}), 200), [config]);
}

#[test]
fn standing_odds_are_not_judged_again_but_after_a_cut_of_a_put_bet() {
    let table = TestTable::<Craps>::open();
    let judge = |edition: Edition, flat: &str, odds: Value, cut: i64| {
        let keys = json!({"number": 5, "changes": [{"before": 0, "to": cut}]});
        let mut supplement = bet(
            &format!("{flat}_odds"),
            2000,
            json!({"id": "w2", "on": "w1"}),
        );
        merge(&mut supplement, odds.clone());
        let mut keys = keys;
        merge(&mut keys, odds);
        let wagers = json!([bet_with(flat, 1000, keys), supplement]);
        let options = json!({"odds_multiple": 2});
        table.violations(&table.document(edition, options, wagers, play(4, "1-1")))
    };
    assert!(judge(OhJack2017, "put", json!({}), 900).contains(&"craps.odds_over_max"));
    assert!(judge(OhJack2017, "put", json!({}), 0).is_empty());
    // Those of a don't bet are measured by what was originally wagered.
    assert!(judge(Mgc2017, "dont_pass", json!({"placed": -1}), 100).is_empty());
}

#[test]
fn odds_against_a_number_are_measured_by_what_was_originally_wagered() {
    let table = TestTable::<Craps>::open();
    let code: &[&str] = &["craps.odds_over_max"];
    let judge = |flat: Value, odds: i64, placed: i64, play: Value| {
        let wagers = json!([
            flat,
            bet(
                "dont_pass_odds",
                odds,
                json!({"id": "w2", "on": "w1", "placed": placed})
            ),
        ]);
        table.violations(&round(&table, Mgc2017, wagers, play))
    };
    let cut = |before: i64| json!({"changes": [{"before": before, "to": 200}]});
    // 1200 win 600 on 10, which is what was staked when the point came.
    let made = |before: i64| bet("dont_pass", 600, cut(before));
    assert!(judge(made(1), 1200, 1, play(0, "4-6 1-1")).is_empty());
    assert_eq!(judge(made(1), 1300, 1, play(0, "4-6 1-1")), code);
    assert_eq!(judge(made(0), 1200, 1, play(0, "4-6 1-1")), code);
    let carried = |keys: Value| {
        let mut wager = bet("dont_pass", 200, json!({"placed": -1}));
        merge(&mut wager, keys);
        wager
    };
    let original = json!({"original": 600});
    assert!(judge(carried(original.clone()), 1200, 0, play(10, "1-1")).is_empty());
    assert_eq!(judge(carried(original), 1300, 0, play(10, "1-1")), code);
    assert_eq!(judge(carried(json!({})), 1200, 0, play(10, "1-1")), code);
}

#[test]
fn what_a_reduction_leaves_is_judged_when_dice_are_thrown() {
    let table = TestTable::<Craps>::open();
    let judge = |keys: Value, amount: i64| {
        let mut wager = bet("place", amount, json!({"number": 8}));
        merge(&mut wager, keys);
        table.violations(&round(&table, Mgc2017, json!([wager]), play(9, "1-1 1-1")))
    };
    let cut = |before: i64, to: i64| json!({"changes": [{"before": before, "to": to}]});
    let unpayable: &[&str] = &["wager.unpayable_amount"];
    assert_eq!(judge(cut(1, 700), 1800), unpayable);
    assert!(judge(cut(1, 600), 1800).is_empty());
    assert!(
        judge(cut(0, 600), 1000).is_empty(),
        "cut before its first roll"
    );
    assert!(judge(cut(0, 0), 1000).is_empty());
    assert_eq!(judge(json!({}), 1000), unpayable);
    let carried = |to: i64| json!({"placed": -1, "changes": [{"before": 1, "to": to}]});
    assert_eq!(judge(carried(700), 1800), unpayable);
    assert!(judge(carried(600), 1000).is_empty());
    assert!(judge(json!({"placed": -1}), 1000).is_empty());
}

#[test]
fn a_coupon_goes_on_the_lines_of_massachusetts_alone() {
    let table = TestTable::<Craps>::open();
    let judge = |edition: Edition, kind: &str, keys: Value| {
        let mut wager = bet(kind, 600, json!({"form": "coupon"}));
        merge(&mut wager, keys);
        let document = round(&table, edition, json!([wager]), play(0, "5-6"));
        let is_void = results(&table, &document)[0] == Void;
        let codes = table.violations(&document);
        assert_eq!(
            is_void,
            codes == ["wager.match_play_not_allowed"],
            "{document}"
        );
        is_void
    };
    assert!(!judge(Mgc2017, "pass", json!({})));
    assert!(!judge(Mgc2017, "dont_pass", json!({})));
    assert!(judge(Mgc2017, "field", json!({})));
    assert!(judge(Mgc2017, "place", json!({"number": 6, "placed": -1})));
    assert!(judge(OhJack2017, "pass", json!({})));
    assert!(!judge(OhJack2017, "pass", json!({"form": "plaque"})));
}

#[test]
fn odds_belong_to_the_player_of_their_flat_bet() {
    let table = TestTable::<Craps>::open();
    for (seat, codes) in [(4, &[][..]), (5, &["craps.odds_orphan"])] {
        let wagers = json!([
            bet("come", 500, json!({"seat": 4, "placed": -1, "point": 6})),
            bet(
                "come_odds",
                500,
                json!({"id": "w2", "seat": seat, "on": "w1"})
            ),
        ]);
        let document = round(&table, Mgc2017, wagers, play(9, "3-3"));
        assert_eq!(table.violations(&document), codes);
        assert_eq!(results(&table, &document)[1] == Void, !codes.is_empty());
    }
}

#[test]
fn vigorish_is_charged_once_and_a_refund_shows_where_it_is_made() {
    let table = TestTable::<Craps>::open();
    let commission = |refunds: bool, keys: Value| {
        let mut wager = bet("buy", 2000, json!({"number": 4}));
        merge(&mut wager, keys);
        let options = json!({"refund_vig_on_removal": refunds});
        let document = table.document(Mgc2017, options, json!([wager]), play(9, "1-1"));
        table.wager(&document, "w1").commission.get()
    };
    let cut = |to: i64| json!({"placed": -1, "changes": [{"before": 0, "to": to}]});
    assert_eq!(commission(false, json!({})), 100);
    assert_eq!(commission(false, json!({"placed": -1})), 0);
    assert_eq!(commission(false, cut(1000)), 0);
    assert_eq!(commission(true, json!({"placed": -1})), 0);
    assert_eq!(commission(true, cut(1000)), -50);
    assert_eq!(commission(true, cut(0)), -100);
}

#[test]
fn the_shooter_needs_a_line_bet_on_a_come_out() {
    let table = TestTable::<Craps>::open();
    let code: &[&str] = &["craps.shooter_without_line_bet"];
    let judge = |wager: Value, point: u8, roll: Value| {
        let start = match point {
            0 => json!({}),
            point => json!({"point": point}),
        };
        let play = json!({"start": start, "rolls": [roll]});
        table.violations(&round(&table, Mgc2017, json!([wager]), play))
    };
    let roll = |keys: Value| {
        let mut roll = json!({"dice": [1, 1], "shooter": 1});
        merge(&mut roll, keys);
        roll
    };
    let field = bet("field", 500, json!({}));
    assert!(judge(bet("dont_pass", 500, json!({})), 0, roll(json!({}))).is_empty());
    assert!(judge(bet("pass", 500, json!({})), 0, roll(json!({}))).is_empty());
    assert_eq!(
        judge(bet("pass", 500, json!({"seat": 2})), 0, roll(json!({}))),
        code
    );
    assert_eq!(judge(field.clone(), 0, roll(json!({}))), code);
    assert_eq!(
        judge(field.clone(), 0, roll(json!({"no_roll": "short"}))),
        code
    );
    assert!(judge(field.clone(), 6, roll(json!({}))).is_empty());
    assert!(judge(field.clone(), 0, roll(json!({"decision_only": true}))).is_empty());
    assert!(judge(field, 0, json!({"dice": [1, 1]})).is_empty());
}

#[test]
fn tournaments_have_rules_of_their_own() {
    let table = TestTable::<Craps>::open();
    let code: &[&str] = &["craps.tournament_rule"];
    let carried = |kind: &str, keys: Value| {
        let mut wager = bet(kind, 500, json!({"placed": -1}));
        merge(&mut wager, keys);
        wager
    };
    let pass = || carried("pass", json!({"id": "pass"}));
    let place = |number: u8| bet("place", 600, json!({"id": "place", "number": number}));
    let buy = |number: u8| bet("buy", 500, json!({"id": "buy", "number": number}));
    let lay = |number: u8| bet("lay", 600, json!({"id": "lay", "number": number}));
    let come = |point: u8| carried("come", json!({"id": "come", "point": point}));
    let waiting = |kind: &str| bet(kind, 500, json!({"id": kind}));
    let dont = |kind: &str, keys: Value| {
        let mut wager = carried(kind, json!({"id": kind}));
        merge(&mut wager, keys);
        wager
    };
    let dont_pass = || dont("dont_pass", json!({}));
    let cases: [(Value, &[&str]); 16] = [
        // Both sides of one number, working or not.
        (json!([dont_pass(), buy(9)]), code),
        (json!([dont_pass(), place(9)]), code),
        (json!([dont_pass(), place(8), lay(9)]), &[]),
        (
            json!([pass(), dont("dont_come", json!({"point": 6})), place(6)]),
            code,
        ),
        (json!([pass()]), &[]),
        (json!([place(6)]), code),
        (json!([pass(), carried("dont_pass", json!({}))]), code),
        (json!([pass(), waiting("come"), waiting("dont_come")]), code),
        (
            json!([
                pass(),
                waiting("come"),
                carried("dont_come", json!({"point": 4}))
            ]),
            &[],
        ),
        // The point is 9.
        (json!([pass(), lay(9)]), code),
        (json!([pass(), lay(8)]), &[]),
        (json!([pass(), come(8), lay(8)]), code),
        (json!([pass(), place(8), buy(8)]), &[]),
        (json!([pass(), place(9), buy(9)]), code),
        (json!([pass(), come(8), place(8), buy(8)]), code),
        (
            json!([pass(), bet("put", 500, json!({"number": 4})), lay(4)]),
            code,
        ),
    ];
    for (wagers, expected) in cases {
        for (tournament, expected) in [(true, expected), (false, &[][..])] {
            let options = json!({"tournament": tournament});
            let document = table.document(OhJack2017, options, wagers.clone(), play(9, "1-1"));
            assert_eq!(table.violations(&document), expected, "{document}");
        }
    }
    // Each seat is judged by itself, and only at a throw.
    let wagers = json!([pass(), carried("dont_pass", json!({"seat": 2}))]);
    let options = json!({"tournament": true});
    let document = table.document(OhJack2017, options.clone(), wagers, play(9, "1-1"));
    assert!(table.violations(&document).is_empty());
    let document = table.document(OhJack2017, options, json!([place(6)]), play(9, ""));
    assert!(table.violations(&document).is_empty());
}

#[test]
fn options_are_judged_whatever_was_bet() {
    let table = TestTable::<Craps>::open();
    let judge = |edition: Edition, options: Value, wagers: Value| {
        table.violations(&table.document(edition, options, wagers, play(0, "")))
    };
    let below: &[&str] = &["config.odds_below_minimum"];
    let right: &[&str] = &["config.not_offered"];
    let cases: [(Edition, Value, &[&str]); 16] = [
        (Mgc2017, json!({"not_offered": ["pass"]}), right),
        (OhJack2017, json!({"not_offered": ["dont_pass"]}), right),
        (OhJack2017, json!({"not_offered": ["lay"]}), right),
        (
            Mgc2017,
            json!({"not_offered": ["lay", "buy", "fire", "six_seven_eight", "come", "put_odds"]}),
            &[],
        ),
        (Mgc2017, json!({"not_offered": ["come_odds"]}), right),
        (
            OhJack2017,
            json!({"not_offered": ["put_odds", "come"]}),
            right,
        ),
        (Mgc2017, json!({"not_offered": ["come_odds", "come"]}), &[]),
        (
            Mgc2017,
            json!({"pays": {"field_12": "3:1", "pass": "2:2"}}),
            &[],
        ),
        (Mgc2017, json!({"pays": {"field_12": "199:100"}}), below),
        (Mgc2017, json!({"pays": {"fire_4": "24:1"}}), &[]),
        (
            Mgc2017,
            json!({"pays": {"fire_4": "24:1"}, "fire_table": "B"}),
            below,
        ),
        (
            Mgc2017,
            json!({"pays": {"fire_6": "998:1"}, "variant": "mini_craps"}),
            below,
        ),
        (
            OhJack2017,
            json!({"pays": {"six_seven_eight_hard": "1:1", "six_seven_eight": "1:2"}}),
            &[],
        ),
        (Mgc2017, json!({"buy_vig_bp": 500, "lay_vig_bp": 500}), &[]),
        (Mgc2017, json!({"buy_vig_bp": 501}), &["craps.vig_over_cap"]),
        (
            OhJack2017,
            json!({"lay_vig_bp": 501}),
            &["craps.vig_over_cap"],
        ),
    ];
    for (edition, options, expected) in cases {
        assert_eq!(
            judge(edition, options.clone(), json!([])),
            expected,
            "{edition} {options}"
        );
    }
}

#[test]
fn a_table_has_so_many_seats_and_areas() {
    let table = TestTable::<Craps>::open();
    let judge = |edition: Edition, options: Value, wagers: Value| {
        table.violations(&table.document(edition, options, wagers, play(0, "")))
    };
    let seat: &[&str] = &["table.seat"];
    let mini = json!({"variant": "mini_craps"});
    let pass = |seat: u16| json!([bet("pass", 500, json!({"seat": seat}))]);
    let fire = |seat: u16| json!([bet("fire", 500, json!({"seat": seat, "placed": -1}))]);
    assert!(judge(Mgc2017, mini.clone(), pass(9)).is_empty());
    assert_eq!(judge(Mgc2017, mini, pass(10)), seat);
    assert!(judge(Mgc2017, json!({}), pass(17)).is_empty());
    for edition in [Mgc2017, OhJack2017] {
        assert!(judge(edition, json!({}), fire(16)).is_empty());
        assert_eq!(judge(edition, json!({}), fire(17)), seat);
    }
}
