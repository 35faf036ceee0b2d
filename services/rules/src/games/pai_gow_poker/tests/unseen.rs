//! Cards that nobody saw, a setting that nobody told, a meter that nobody read.

use serde_json::{Value, json};

use super::*;
use crate::UNSEEN;
use crate::floor::Cents;
use crate::settlement::{Range, Settled};

fn settled(document: &Value, id: &str) -> Settled {
    TestTable::<PaiGowPoker>::open().wager(document, id)
}

fn unseen(number: usize) -> Value {
    json!(vec![UNSEEN; number])
}

/// Where the cards of the first hand lie.
fn places(numbers: impl IntoIterator<Item = usize>) -> Vec<String> {
    let numbers = numbers.into_iter();
    numbers
        .map(|at| format!("play.hands[0].cards[{at}]"))
        .collect()
}

fn range(least: i64, most: Option<i64>) -> Option<Range> {
    Some(Range {
        least: Cents::new(least),
        most: most.map(Cents::new),
        vigorish: Cents::ZERO,
    })
}

/// A round of Ohio in which area 1 gave up cards that nobody saw, and area 2 plays.
fn given_up(how: &str) -> Value {
    let marker = json!({"id": "e", "seat": 2, "kind": "envy", "amount": 0, "on": "g"});
    let wagers = json!([
        main_wager("m", 1, 1000), side("f", "fortune_bonus", 100), side("p", "fortune_progressive", 100),
        main_wager("n", 2, 1000), {"id": "g", "seat": 2, "kind": "fortune_bonus", "amount": 500}, marker,
    ]);
    let gone = json!({"seat": 1, "cards": unseen(7), how: true});
    let play = json!({"hands": [gone, hand(2, "AS AH 9D 6S 3C / KS QH")]});
    ohio(json!({}), wagers, WINNER, play)
}

#[test]
fn a_hand_that_was_surrendered_unseen_decides_nothing_but_what_is_staked_on_its_cards() {
    let document = given_up("surrender");
    for (id, verdict) in [
        ("m", Verdict::Lose),
        ("p", Verdict::Lose),
        ("n", Verdict::Win),
        ("g", Verdict::Lose),
    ] {
        let settled = settled(&document, id);
        assert_eq!(
            (settled.result, settled.hangs_on),
            (verdict, Vec::new()),
            "{id}"
        );
    }
    for id in ["f", "e"] {
        let settled = settled(&document, id);
        assert_eq!(settled.result, Verdict::Open, "{id}");
        assert_eq!(settled.hangs_on, places(0..7), "{id}");
        assert_eq!(settled.range, range(0, None), "{id}");
    }
}

#[test]
fn a_hand_that_was_left_unseen_decides_nothing() {
    let document = given_up("abandoned");
    for id in ["m", "f", "p", "g", "e"] {
        assert_eq!(settled(&document, id).result, Verdict::Lose, "{id}");
    }
    assert_eq!(settled(&document, "n").result, Verdict::Win);
}

/// [`WINNER`] in Massachusetts with a card that nobody saw where a five lies in front.
fn without_a_card(more: Value) -> Value {
    let wagers = json!([main_wager("m", 1, 1000), more]);
    mgc(json!({}), wagers, "9S 9H 7D ?? 2S / AD JC", json!({}))
}

#[test]
fn a_card_decides_no_more_than_it_can() {
    let document = without_a_card(side("b", "bonus", 100));
    assert_eq!(settled(&document, "m").returned, Cents::new(1950));
    // Three nines are the best that it could make.
    let bonus = settled(&document, "b");
    assert_eq!(bonus.hangs_on, places([3]));
    assert_eq!(bonus.range, range(0, Some(400)));
    // The first three cards were seen.
    let three = without_a_card(side("t", "three_card_bonus", 100));
    assert_eq!(settled(&three, "t").result, Verdict::Win);
    let two = mgc(
        json!({}),
        json!([main_wager("m", 1, 1000)]),
        "9S 9H 7D 5C ?? / AD ??",
        json!({}),
    );
    let main = settled(&two, "m");
    assert_eq!(main.hangs_on, places([4, 6]));
    let vigorish = Cents::new(50);
    let bounds = range(0, Some(1950)).map(|range| Range { vigorish, ..range });
    assert_eq!(main.range, bounds);
}

#[test]
fn nobody_told_how_a_hand_lay() {
    let cards = ["9S", "9H", "9D", "5C", "2S", "AD", "JC"];
    let lies = json!({"seat": 1, "cards": cards, "high": unseen(5), "low": unseen(2)});
    let wagers = json!([main_wager("m", 1, 1000), side("b", "bonus", 100)]);
    let document = mgc(json!({}), wagers, WINNER, json!({"hands": [lies]}));
    let main = settled(&document, "m");
    assert_eq!((main.result, main.range), (Verdict::Open, range(0, None)));
    assert_eq!(settled(&document, "b").win, Cents::new(300));
    let violations = TestTable::<PaiGowPoker>::open().violations(&document);
    assert!(violations.is_empty(), "{violations:?}");
}

#[test]
fn a_surrender_that_was_not_allowed_leaves_all_open_that_hangs_on_the_hand() {
    let gone = json!({"seat": 1, "cards": unseen(7), "high": unseen(5), "low": unseen(2), "surrender": true});
    let wagers = json!([main_wager("m", 1, 1000), side("p", "progressive", 100)]);
    let more = json!({"hands": [gone], "meters": {"progressive": 1_500_000}});
    let document = mgc(json!({}), wagers, WINNER, more);
    for id in ["m", "p"] {
        assert_eq!(settled(&document, id).result, Verdict::Open, "{id}");
    }
    let violations = TestTable::<PaiGowPoker>::open().violations(&document);
    assert_eq!(violations, ["pai_gow_poker.surrender_not_allowed"]);
}

#[test]
fn a_meter_that_nobody_read_is_all_that_a_share_of_it_hangs_on() {
    let wagers = json!([main_wager("m", 1, 1000), side("p", "progressive", 100)]);
    let settle = |row: &str| {
        let cards = cards_for("progressive_1", row);
        let more = json!({"dealer": {"cards": ["KD", "7C", "6D", "4S", "2C", "QC", "TS"],
            "high": ["KD", "7C", "6D", "4S", "2C"], "low": ["QC", "TS"]}, "meters": {"progressive": null}});
        settled(&mgc(json!({}), wagers.clone(), cards, more), "p")
    };
    let share = settle("five_aces");
    assert_eq!(share.hangs_on, ["play.meters.progressive"]);
    assert_eq!(share.range.unwrap().most, None);
    assert_eq!(settle("flush").result, Verdict::Win);
}

#[test]
fn what_a_bank_has_won_hangs_on_all_hands_that_play_against_it() {
    let bank = json!({"id": "k", "seat": 2, "kind": "bank", "amount": 0});
    let wagers = json!([main_wager("m", 1, 1000), bank]);
    let settle = |gone: bool| {
        let mut own = json!({"seat": 1, "cards": unseen(7), "high": unseen(5), "low": unseen(2)});
        if gone {
            own = json!({"seat": 1, "cards": unseen(7), "surrender": true});
        }
        let more = json!({"mode": "bank", "bank_seat": 2, "hands": [own, hand(2, "KS KH 7D 5C 2S / AD JC")]});
        settled(
            &mgc(json!({"banking": true}), wagers.clone(), WINNER, more),
            "k",
        )
    };
    assert_eq!(settle(false).result, Verdict::Open);
    assert_eq!(settle(true).win, Cents::new(1000));
}

#[test]
fn a_number_that_nobody_told_leaves_the_wagers_on_it_open() {
    let number = |id: &str, on: i64| json!({"id": id, "seat": 1, "kind": "number", "amount": 300, "number": on});
    let wagers = json!([main_wager("m", 1, 1000), number("n", 5)]);
    let document = mgc(json!({}), wagers, WINNER, json!({"deal": {"number": null}}));
    let settlement = TestTable::<PaiGowPoker>::open().settle(&document);
    let [main, number] = settlement.wagers() else {
        panic!("two wagers")
    };
    assert_eq!(main.result, Verdict::Win);
    assert_eq!(number.result, Verdict::Open);
    assert_eq!(number.hangs_on, ["play.deal.number"]);
    let range = number.range.expect("it hangs on something");
    assert_eq!(
        (range.least.get(), range.most.map(|most| most.get())),
        (0, Some(1900))
    );
}
