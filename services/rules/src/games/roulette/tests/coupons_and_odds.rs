//! Selections, match play coupons, and odds that are posted below the minimum.

use serde_json::{Value, json};

use super::one_bet;
use crate::Edition::{self, Mgc2017, OhJack2017};
use crate::games::Roulette;
use crate::settlement::Verdict;
use crate::testkit::TestTable;

#[test]
fn the_selection_of_another_kind_is_refused() {
    let table = TestTable::<Roulette>::open();
    for (key, value) in [
        ("numbers", json!(["7"])),
        ("color", json!("red")),
        ("center", json!("7")),
        ("column", json!(1)),
        ("dozen", json!(1)),
    ] {
        let document = one_bet(
            &table,
            Mgc2017,
            json!({}),
            &json!({"kind": "red", key: value}),
            "7",
        );
        let refusal = table.refusal(&document);
        assert!(
            refusal.starts_with(&format!("wagers[0].{key}: ")),
            "{refusal}"
        );
    }
    let both = json!({"kind": "column", "column": 1, "dozen": 1});
    let document = one_bet(&table, Mgc2017, json!({}), &both, "7");
    assert!(table.refusal(&document).starts_with("wagers[0].dozen: "));
    // These say nothing.
    let empty = json!({"kind": "red", "numbers": [], "column": null, "late": false});
    let document = one_bet(&table, Mgc2017, json!({}), &empty, "7");
    assert_eq!(table.wager(&document, "w1").result, Verdict::Win);
}

#[test]
fn a_coupon_goes_with_chips_in_the_same_place() {
    let table = TestTable::<Roulette>::open();
    let bet = |id: &str, seat: u16, column: u8, form: &str| {
        json!({"id": id, "seat": seat, "kind": "column", "column": column, "amount": 200,
               "form": form})
    };
    let judge = |edition: Edition, accepted: bool, beside: Value| {
        let wagers = json!([bet("w1", 6, 3, "coupon"), beside]);
        let options = json!({"match_play": accepted});
        let play = json!({"spins": [{"pocket": "12"}]});
        let document = table.document(edition, options, wagers, play);
        let win = table.wager(&document, "w1").win.get();
        (win, table.violations(&document).to_vec())
    };
    let colour = || bet("w2", 6, 3, "colour_chips");
    let refused = || (0, vec!["wager.match_play_not_allowed"]);
    assert_eq!(judge(Mgc2017, true, colour()), (400, vec![]));
    assert_eq!(
        judge(Mgc2017, true, bet("w2", 6, 3, "plaque")),
        (400, vec![])
    );
    let with_value = (400, vec!["chips.match_play_with_value_chip"]);
    assert_eq!(
        judge(Mgc2017, true, bet("w2", 6, 3, "value_chips")),
        with_value
    );
    assert_eq!(judge(Mgc2017, false, colour()), refused());
    assert_eq!(judge(OhJack2017, true, colour()), refused());
    assert_eq!(
        judge(Mgc2017, true, bet("w2", 5, 3, "colour_chips")),
        refused()
    );
    assert_eq!(
        judge(Mgc2017, true, bet("w2", 6, 2, "colour_chips")),
        refused()
    );
    assert_eq!(judge(Mgc2017, true, bet("w2", 6, 3, "coupon")), refused());
    let mut late = colour();
    late["late"] = json!(true);
    let codes = vec!["wager.late", "wager.match_play_not_allowed"];
    assert_eq!(judge(Mgc2017, true, late), (0, codes));
}

#[test]
fn posted_odds_are_due_but_never_less_than_the_minimum() {
    let table = TestTable::<Roulette>::open();
    let corner = json!({"kind": "four_numbers", "numbers": ["1", "2", "4", "5"]});
    let adjacent = json!({"kind": "five_adjacent", "center": "4"});
    let below = ["config.odds_below_minimum"];
    let cases = [
        (&corner, json!({"four_numbers": "7:1"}), 8000, &below[..]),
        (&corner, json!({"four_numbers": "9:1"}), 9000, &[]),
        (&adjacent, json!({"straight": "30:1"}), 6200, &below),
    ];
    for (bet, pays, win, expected) in cases {
        let options = json!({"pays": pays, "optional_wagers": ["five_adjacent"]});
        let document = one_bet(&table, Mgc2017, options, bet, "4");
        assert_eq!(table.wager(&document, "w1").win.get(), win, "{document}");
        assert_eq!(table.violations(&document), expected);
    }
}

#[test]
fn red_black_and_dozen_stand_beside_colour_bets_in_ohio() {
    let table = TestTable::<Roulette>::open();
    let options = json!({"wheel": "single", "optional_wagers": ["seven_numbers_color"]});
    for bet in [
        json!({"kind": "black"}),
        json!({"kind": "dozen", "dozen": 1}),
    ] {
        let ohio = one_bet(&table, OhJack2017, options.clone(), &bet, "2");
        assert_eq!(table.violations(&ohio), ["config.optional_wagers"]);
        assert_eq!(table.wager(&ohio, "w1").result, Verdict::Win);
        let massachusetts = one_bet(&table, Mgc2017, options.clone(), &bet, "2");
        assert_eq!(
            table.violations(&massachusetts),
            ["roulette.excluded_bets_offered"]
        );
        assert_eq!(table.wager(&massachusetts, "w1").result, Verdict::Void);
    }
}
