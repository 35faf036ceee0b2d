//! Every cell of every pay table, and the composite bets that are paid from them.

use serde_json::json;

use crate::Edition::{Mgc2017, OhJack2017};
use crate::games::Craps;
use crate::games::shared::craps::testkit::{bet, bet_with, play, winning_round};
use crate::testkit::TestTable;

#[test]
fn every_cell_pays_what_is_filed() {
    let table = TestTable::<Craps>::open();
    table.assert_cells(include_str!("../cells.txt"), |cell| {
        let (options, wagers, play) = winning_round(cell);
        table.document(cell.edition, options, wagers, play)
    });
}

#[test]
fn composite_bets_are_paid_as_their_parts() {
    let table = TestTable::<Craps>::open();
    // Net of a stake of four, five or two units of 100 on 2, 3, 7, 11, 12.
    let horn = ("horn", 400, 0, [2700, 1200, -400, 1200, 2700]);
    let c_and_e = ("c_and_e", 200, 0, [600, 600, -200, 1400, 600]);
    let high_two = ("horn_high", 500, 2, [5700, 1100, -500, 1100, 2600]);
    let high_three = ("horn_high", 500, 3, [2600, 2700, -500, 1100, 2600]);
    let high_eleven = ("horn_high", 500, 11, [2600, 1100, -500, 2700, 2600]);
    let high_twelve = ("horn_high", 500, 12, [2600, 1100, -500, 1100, 5700]);
    let with_seven = [2600, 1100, 0, 1100, 2600];
    let common = [
        horn,
        c_and_e,
        high_two,
        high_three,
        high_eleven,
        high_twelve,
    ];
    let own = [
        (Mgc2017, ("whirl", 500, 0, with_seven)),
        (OhJack2017, ("world", 500, 0, with_seven)),
    ];
    for (edition, own) in own {
        for (kind, stake, number, net) in common.into_iter().chain([own]) {
            for (words, net) in ["1-1", "1-2", "5-2", "5-6", "6-6"].into_iter().zip(net) {
                let wagers = json!([bet_with(kind, stake, json!({"number": number}))]);
                let document = table.document(edition, json!({}), wagers, play(8, words));
                let returned = table.wager(&document, "w1").returned.get();
                assert_eq!(returned - stake, net, "{document}");
                assert!(table.violations(&document).is_empty(), "{document}");
            }
        }
    }
}

#[test]
fn composite_bets_follow_the_posted_odds_of_their_parts() {
    let table = TestTable::<Craps>::open();
    let options = json!({"pays": {"any_seven": "9:1", "eleven": "16:1"}});
    let cases = [
        ("whirl", 500, "3-4", 1000),
        ("whirl", 500, "6-5", 1700),
        ("horn", 400, "6-5", 1700),
        ("c_and_e", 200, "6-5", 1700),
    ];
    for (kind, stake, words, returned) in cases {
        let wagers = json!([bet(kind, stake, json!({}))]);
        let document = table.document(Mgc2017, options.clone(), wagers, play(8, words));
        assert_eq!(
            table.wager(&document, "w1").returned.get(),
            returned,
            "{document}"
        );
    }
    // A part that is posted below the minimum is due with that.
    let options = json!({"pays": {"any_seven": "1:1"}});
    let wagers = json!([bet("whirl", 500, json!({}))]);
    let document = table.document(Mgc2017, options, wagers, play(8, "3-4"));
    let settled = table.wager(&document, "w1");
    assert_eq!((settled.win.get(), settled.returned.get()), (0, 500));
}
