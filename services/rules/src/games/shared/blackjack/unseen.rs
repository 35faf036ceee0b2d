//! Rounds of blackjack, its kin and red dog in which cards or the meter were not seen.

use serde_json::{Value, json};

use crate::game::Game;
use crate::games::shared::testround::round;
use crate::games::{Blackjack, FreeBetBlackjack, RedDog, Spanish21};
use crate::settlement::{Settled, Verdict};
use crate::testkit::TestTable;

fn settle<G: Game>(document: &Value) -> Vec<Settled> {
    TestTable::<G>::open().settle(document).wagers().to_vec()
}

fn mgc(options: Value, wagers: &str, boxes: &str, dealer: &str) -> Vec<Settled> {
    settle::<Blackjack>(&round(
        ("blackjack", "mgc-2017"),
        options,
        wagers,
        boxes,
        dealer,
    ))
}

/// What goes back at the least and at the most of a wager that hangs on these places.
fn open(settled: &Settled) -> (Vec<&str>, i64, Option<i64>) {
    assert_eq!(settled.result, Verdict::Open, "{settled:?}");
    let range = settled.range.expect("it hangs on something");
    let places = settled.hangs_on.iter().map(String::as_str).collect();
    (places, range.least.get(), range.most.map(|most| most.get()))
}

const MAIN: &str = "w1 s1 main 1000";

#[test]
fn a_hand_that_stood_hangs_on_the_hole_card_and_one_that_is_bust_does_not() {
    fn of_game<G: Game>(game: (&str, &str)) {
        let of = |boxes: &str| settle::<G>(&round(game, json!({}), MAIN, boxes, "9C ??"));
        let stood = of("s1 JC 8D: stand");
        assert_eq!(
            open(&stood[0]),
            (vec!["play.dealer.cards[1]"], 0, Some(2000))
        );
        let bust = of("s1 JC 8D: hit 9D");
        assert_eq!((bust[0].result, bust[0].returned.get()), (Verdict::Lose, 0));
    }
    of_game::<Blackjack>(("blackjack", "mgc-2017"));
    of_game::<Blackjack>(("blackjack", "oh-jack-2017"));
    of_game::<FreeBetBlackjack>(("free_bet_blackjack", "oh-jack-2017"));
    of_game::<Spanish21>(("spanish_21", "mgc-2017"));
}

#[test]
fn a_surrender_asks_for_no_more_than_the_dealers_blackjack() {
    let of = |dealer: &str| {
        mgc(
            json!({"surrender": true}),
            MAIN,
            "s1 ?? ??: surrender",
            dealer,
        )
    };
    let half = of("9C TD ??");
    assert_eq!(
        (half[0].result, half[0].returned.get()),
        (Verdict::Lose, 500)
    );
    let hangs = of("KC ??");
    assert_eq!(
        open(&hangs[0]),
        (vec!["play.dealer.cards[1]"], 0, Some(500))
    );
}

#[test]
fn insurance_hangs_on_the_hole_card_alone() {
    let wagers = "w1 s1 main 1000; w2 s1 insurance 500 on=w1";
    let settled = mgc(json!({}), wagers, "s1 ?? ??: hit ??", "AC ??");
    assert_eq!(
        open(&settled[1]),
        (vec!["play.dealer.cards[1]"], 0, Some(1500))
    );
    assert_eq!(
        open(&settled[0]).2,
        None,
        "more was unseen than can be gone through"
    );
}

#[test]
fn side_wagers_look_at_their_own_cards() {
    let options = json!({"side_bets": ["over_under_13", "match_the_dealer"], "decks": 6});
    let wagers = "w1 s1 main 1000; w2 s1 over_13 500; w3 s1 match_the_dealer 500";
    let settled = mgc(options.clone(), wagers, "s1 TC 9D: hit ??", "9C ??");
    assert_eq!(settled[1].returned.get(), 1000);
    assert_eq!(settled[2].result, Verdict::Win);
    let settled = mgc(options, wagers, "s1 TC ??: stand", "9C 8D");
    assert_eq!(
        open(&settled[1]),
        (vec!["play.boxes[0].cards[1]"], 0, Some(1000))
    );
}

#[test]
fn a_hand_of_another_box_is_none_of_a_wagers_business() {
    let wagers = "w1 s1 main 1000; w2 s2 main 1000";
    let settled = mgc(
        json!({}),
        wagers,
        "s1 ?? ??: hit ??; s2 TC 9D: stand",
        "9C 8D",
    );
    assert_eq!(settled[1].returned.get(), 2000);
    assert_eq!(open(&settled[0]).2, None);
}

#[test]
fn a_share_of_the_meter_hangs_on_its_reading_and_a_fixed_award_does_not() {
    let options = json!({"side_bets": ["progressive"], "decks": 4});
    let wagers = "w1 s1 main 1000; w2 s1 progressive 100";
    let of = |boxes: &str, meter: Value| {
        let game = ("blackjack", "mgc-2017");
        let mut round = round(game, options.clone(), wagers, boxes, "9C TD");
        round["play"]["meters"] = meter;
        round
    };
    let aces = "s1 AD AD: hit AH, hit AD, hit KC, stand";
    let null = json!({"progressive": null});
    let hangs = settle::<Blackjack>(&of(aces, null.clone()));
    assert_eq!(open(&hangs[1]), (vec!["play.meters.progressive"], 0, None));
    let fixed = settle::<Blackjack>(&of("s1 AD AD: hit 7C, stand", null));
    assert_eq!(fixed[1].result, Verdict::Win);
    // Nothing stands in for a meter that is not in the document.
    let refusal = TestTable::<Blackjack>::open().refusal(&of(aces, json!({})));
    assert!(refusal.starts_with("play.meters.progressive"), "{refusal}");
}

#[test]
fn red_dog_hangs_on_the_card_between_the_others() {
    let of = |cards: [&str; 3]| {
        let round = json!({"game": "red_dog", "edition": "mgc-2017", "options": {},
            "wagers": [{"id": "w1", "seat": 1, "kind": "original", "amount": 1000},
                       {"id": "w2", "seat": 2, "kind": "original", "amount": 1000}],
            "play": {"cards": cards, "exposed_third": "9D", "burned": ["9D"], "voided_seats": [2]}});
        settle::<RedDog>(&round)
    };
    let spread = of(["4C", "8D", "??"]);
    assert_eq!(open(&spread[0]), (vec!["play.cards[2]"], 0, Some(3000)));
    assert_eq!(spread[1].result, Verdict::Void, "it was taken back");
    let pair = of(["4C", "4D", "??"]);
    assert_eq!(open(&pair[0]), (vec!["play.cards[2]"], 1000, Some(12_000)));
    assert_eq!(of(["4C", "5D", "??"])[0].result, Verdict::Push);
}
