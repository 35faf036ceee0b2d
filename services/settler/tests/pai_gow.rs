//! Pai gow with tiles and with cards: rounds as devices tell them, and what only events show.

#![allow(clippy::unwrap_used)]

mod story;

use serde_json::{Value, json};
use story::{Story, bet, closed, collected, irregularity, paid, paid_less, pushed};

const NOTHING: [&str; 0] = [];

fn says(seat: u32, action: &str) -> Value {
    json!({"type": "decision", "seat": seat, "action": action})
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// `"2S 3S 4S 5S 7S | KD QD"`: front and back.
fn set(to: &str, seat: Option<u32>, text: &str) -> Value {
    let (high, low) = text.split_once('|').unwrap();
    json!({"type": "hand_set", "to": to, "seat": seat, "high": words(high), "low": words(low)})
}

/// Seven cards to a place, known or not.
fn seven(to: &str, seat: Option<u32>, cards: Option<&str>) -> Vec<Value> {
    let dealt = |card: Option<&str>| json!({"type": "card_dealt", "to": to, "seat": seat, "card": card, "face": "down"});
    match cards {
        Some(cards) => words(cards)
            .into_iter()
            .map(|card| dealt(Some(card)))
            .collect(),
        None => (0..7).map(|_| dealt(None)).collect(),
    }
}

fn tiles(to: &str, seat: Option<u32>, tiles: Option<&str>) -> Value {
    json!({"type": "tiles_dealt", "to": to, "seat": seat, "tiles": tiles.map(words)})
}

fn dice(dice: [u8; 3]) -> Value {
    json!({"type": "dice_rolled", "dice": dice, "valid": true})
}

fn poker(options: Value) -> Story {
    Story::at("pai_gow_poker", "mgc-2017", options)
}

const ACES: &str = "AS AD KC QD 9H 7C 5S";
const ACES_SET: &str = "AS AD 9H 7C 5S | KC QD";
const NINES: &str = "9S 9D 8C 6D 4H 3C 2S";
const NINES_SET: &str = "9S 9D 4H 3C 2S | 8C 6D";

/// Seat 2 wins with aces from a dealer with nines.
fn aces_win(play: Vec<Value>, payment: Value) -> Vec<Value> {
    [
        &[bet("w", 2, "pai_gow_poker", 10000), closed()][..],
        &play,
        &[payment],
    ]
    .concat()
}

fn settings() -> Vec<Value> {
    vec![
        set("seat", Some(2), ACES_SET),
        set("dealer", None, NINES_SET),
    ]
}

#[test]
fn a_hand_is_known_from_its_cards_or_from_its_setting() {
    let payment = || paid_less("w", 10000, 500);
    let known = [
        seven("seat", Some(2), Some(ACES)),
        seven("dealer", None, Some(NINES)),
    ]
    .concat();
    let unknown = [seven("seat", Some(2), None), seven("dealer", None, None)].concat();
    for cards in [known, unknown, vec![]] {
        let mut story = poker(json!({}));
        story.round(aces_win([cards, settings()].concat(), payment()));
        assert_eq!(story.codes(), NOTHING);
        let due = story.settled[0].wagers[0].due.as_ref().unwrap();
        assert_eq!(due.returned.get(), 19500);
    }
}

#[test]
fn vigorish_and_payments_are_compared() {
    let cards = || [seven("seat", Some(2), Some(ACES)), settings()].concat();
    let mut free = poker(json!({}));
    free.round(aces_win(cards(), paid_less("w", 10000, 400)));
    assert_eq!(free.codes(), ["commission.wrong"]);
    assert_eq!(free.findings[0].exposure.get(), 100);
}

#[test]
fn the_deal_begins_where_the_dice_say() {
    // Eight from the dealer is the dealer's own place.
    let hands = |first: &str| {
        let mut hands = [
            seven("dealer", None, Some(NINES)),
            seven("seat", Some(2), Some(ACES)),
        ];
        if first == "seat" {
            hands.reverse();
        }
        [vec![dice([2, 3, 3])], hands.concat(), settings()].concat()
    };
    let mut story = poker(json!({}));
    story.round(aces_win(hands("dealer"), paid_less("w", 10000, 500)));
    assert_eq!(story.codes(), NOTHING);
    story.round(aces_win(hands("seat"), pushed("w")));
    assert_eq!(story.codes(), ["pai_gow_poker.wrong_start"]);
    // Where the place that is due has no wager, nobody need tell of its cards.
    let mut other = poker(json!({}));
    let elsewhere = [vec![dice([2, 3, 4])], hands("seat")[1..].to_vec()].concat();
    other.round(aces_win(elsewhere, paid_less("w", 10000, 500)));
    assert_eq!(other.codes(), NOTHING);
}

#[test]
fn a_round_that_is_void_must_not_be_paid() {
    let exposed = || {
        let cards = [seven("seat", Some(2), Some(ACES)), settings()].concat();
        [
            cards,
            vec![irregularity("dealer_card_exposed", Value::Null)],
        ]
        .concat()
    };
    let mut honest = poker(json!({}));
    honest.round(aces_win(exposed(), pushed("w")));
    assert_eq!(honest.codes(), NOTHING);
    let mut paid = poker(json!({}));
    paid.round(aces_win(exposed(), paid_less("w", 10000, 500)));
    assert_eq!(
        paid.codes(),
        ["pay.over", "pai_gow_poker.void_not_declared"]
    );
}

#[test]
fn four_cards_are_left_over_whether_or_not_empty_areas_are_told() {
    let counted =
        |left: u32| json!({"type": "cards_counted", "set": "d1", "count": left, "scope": "stub"});
    for (left, expected) in [(4, 0), (3, 1)] {
        let mut story = poker(json!({}));
        story
            .aside(json!({"type": "cards_delivered", "set": "d1", "decks": 1, "preshuffled": false}))
            .aside(json!({"type": "cards_inspected", "set": "d1", "missing": [], "extra": [],
                "unsuitable": [], "dealer": "d-1", "supervisor": "s-1"}))
            .aside(json!({"type": "cards_opened", "set": "d1"}))
            .aside(json!({"type": "shoe_started", "shoe": "s1", "set": "d1", "decks": 1, "method": "hand"}));
        let hands = [
            seven("seat", Some(2), Some(ACES)),
            seven("dealer", None, Some(NINES)),
        ]
        .concat();
        let play = [hands, vec![counted(left)], settings()].concat();
        let payment = if left == 4 {
            paid_less("w", 10000, 500)
        } else {
            pushed("w")
        };
        story.round(aces_win(play, payment));
        assert_eq!(story.codes(), vec!["deck.missing_card"; expected], "{left}");
        // The next round is dealt from the same cards without a shuffle.
        if left == 4 {
            let again = [seven("seat", Some(2), None), settings()].concat();
            story.round(aces_win(again, paid_less("w", 10000, 500)));
            assert_eq!(story.codes(), ["deck.not_shuffled"]);
        }
    }
}

#[test]
fn progressive_stakes_are_taken_at_the_cut_off_and_awards_are_whole() {
    // A full house on the table of one dollar pays five.
    let full = "KS KD KC 5D 5H 7C JS";
    let full_set = "KS KD KC 7C JS | 5D 5H";
    let hands = || {
        let settings = vec![
            set("seat", Some(2), full_set),
            set("dealer", None, NINES_SET),
        ];
        [seven("seat", Some(2), Some(full)), settings].concat()
    };
    let settled = |payments: &[Value]| {
        let bets = [
            bet("w", 2, "pai_gow_poker", 10000),
            bet("j", 2, "progressive", 100),
            closed(),
        ];
        let mut story = poker(json!({}));
        let all = [&[paid_less("w", 9500, 0)][..], payments].concat();
        story.round_opened_with(
            json!({"meters": {"progressive": 1000000}}),
            [&bets[..], &hands(), &all].concat(),
        );
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let jackpot = |amount: i64| json!({"type": "jackpot_paid", "meter": "progressive", "wager": "j", "amount": amount});
    assert_eq!(settled(&[jackpot(500)]), NOTHING);
    assert_eq!(settled(&[collected("j"), jackpot(500)]), NOTHING);
    assert_eq!(settled(&[paid("j", 400)]), NOTHING);
    assert_eq!(settled(&[jackpot(600)]), ["pay.over"]);
    assert_eq!(settled(&[]), ["pay.unpaid"]);
}

#[test]
fn a_lost_progressive_wager_needs_no_word() {
    let bets = [
        bet("w", 2, "pai_gow_poker", 10000),
        bet("j", 2, "progressive", 100),
        closed(),
    ];
    let mut story = poker(json!({}));
    let hands = [seven("seat", Some(2), Some(ACES)), settings()].concat();
    story.round([&bets[..], &hands, &[paid_less("w", 10000, 500)]].concat());
    assert_eq!(story.codes(), NOTHING);
}

#[test]
fn cash_is_no_wager() {
    let mut cash = bet("w", 2, "pai_gow_poker", 10000);
    cash["form"] = json!("cash");
    let mut story = poker(json!({}));
    let hands = [seven("seat", Some(2), Some(ACES)), settings()].concat();
    story.round([&[cash, closed()][..], &hands, &[paid_less("w", 10000, 500)]].concat());
    assert_eq!(story.codes(), ["wager.verbal_cash"]);
}

#[test]
fn a_set_hand_is_not_touched_again() {
    let other = "AS AD KC 7C 5S | QD 9H";
    let settled = |told: Vec<Value>, payment: Value| {
        let mut story = poker(json!({}));
        story.round(aces_win(
            [seven("seat", Some(2), Some(ACES)), told].concat(),
            payment,
        ));
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let (player, dealer) = (
        set("seat", Some(2), ACES_SET),
        set("dealer", None, NINES_SET),
    );
    let changed = set("seat", Some(2), other);
    let win = || paid_less("w", 10000, 500);
    assert_eq!(
        settled(vec![player.clone(), dealer.clone(), player.clone()], win()),
        NOTHING
    );
    assert_eq!(
        settled(vec![changed.clone(), player.clone(), dealer.clone()], win()),
        NOTHING
    );
    assert_eq!(
        settled(vec![player, dealer, changed], win()),
        ["pai_gow_poker.set_touched"]
    );
}

#[test]
fn a_player_with_two_areas_sets_the_larger_wager_first() {
    let owned = |id: &str, seat: u32, amount: i64| {
        let mut bet = bet(id, seat, "pai_gow_poker", amount);
        bet["player"] = json!("p-9");
        bet
    };
    let second = "KS KD JC TD 8H 6S 3H";
    let second_set = "KS KD 8H 6S 3H | JC TD";
    let settled = |order: [u32; 2]| {
        let mut story = poker(json!({}));
        let own = |seat| match seat {
            2 => set("seat", Some(2), ACES_SET),
            _ => set("seat", Some(3), second_set),
        };
        let mut bodies = vec![owned("a", 2, 5000), owned("b", 3, 10000), closed()];
        bodies.extend(seven("seat", Some(2), Some(ACES)));
        bodies.extend(seven("seat", Some(3), Some(second)));
        bodies.extend(order.map(own));
        bodies.extend([
            set("dealer", None, NINES_SET),
            paid_less("a", 5000, 250),
            paid_less("b", 10000, 500),
        ]);
        story.round(bodies);
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(settled([3, 2]), NOTHING);
    assert_eq!(settled([2, 3]), ["pai_gow_poker.set_touched"]);
}

#[test]
fn a_surrender_comes_before_the_hand_is_exposed() {
    let revealed =
        json!({"type": "card_revealed", "to": "seat", "seat": 2, "index": 0, "card": "AS"});
    let settled = |told: Vec<Value>| {
        let mut story = Story::at("commission_free_pai_gow_poker", "oh-jack-2017", json!({}));
        let cards = [
            seven("seat", Some(2), Some(ACES)),
            seven("dealer", None, Some(NINES)),
        ]
        .concat();
        story.round(aces_win([cards, settings(), told].concat(), collected("w")));
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(settled(vec![says(2, "surrender")]), NOTHING);
    assert_eq!(
        settled(vec![revealed, says(2, "surrender")]),
        ["commission_free_pai_gow_poker.surrender_late"]
    );
}

const HIGH_TILES: &str = "6-6 6-3 4-4 5-2";
const HIGH_SET: &str = "6-6 6-3 | 4-4 5-2";
const DEALER_TILES: &str = "6-1 6-5 2-2 6-4";
const DEALER_SET: &str = "6-1 6-5 | 2-2 6-4";

/// Seat 1 wins from the dealer: the page's own first example.
fn tiles_win(said: Vec<Value>, payment: Value) -> Vec<Value> {
    let mut bodies = vec![bet("w", 1, "pai_gow", 5000), closed(), dice([2, 3, 3])];
    // Eight is the dead hand's place.
    bodies.push(tiles("dead_hand", None, None));
    bodies.push(tiles("dealer", None, Some(DEALER_TILES)));
    bodies.push(tiles("seat", Some(1), Some(HIGH_TILES)));
    bodies.extend(said);
    bodies.push(payment);
    bodies
}

fn tile_settings() -> Vec<Value> {
    vec![
        set("seat", Some(1), HIGH_SET),
        set("dealer", None, DEALER_SET),
    ]
}

#[test]
fn tiles_are_settled_from_their_events() {
    let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
    story.round(tiles_win(tile_settings(), paid_less("w", 5000, 250)));
    assert_eq!(story.codes(), NOTHING);
    let document = story.settled[0].document.as_ref().unwrap();
    assert_eq!(
        document["play"]["deal"],
        json!({"dice": [2, 3, 3], "first": 7})
    );
}

#[test]
fn tiles_are_surrendered_after_the_dealer_has_set() {
    let settled = |early: bool| {
        let mut said = tile_settings();
        said.insert(if early { 1 } else { 2 }, says(1, "surrender"));
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        story.round(tiles_win(said, collected("w")));
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(settled(false), NOTHING);
    assert_eq!(settled(true), ["pai_gow.surrender_late"]);
}

/// Seat 1 banks against seat 4, which loses 5000 to it.
fn banked(said: Vec<Value>) -> Vec<Value> {
    let bank =
        json!({"type": "wager_placed", "wager": "k", "seat": 1, "kind": "bank", "amount": 0});
    let mut bodies = vec![bank, bet("w", 4, "pai_gow", 5000)];
    bodies.extend(said);
    bodies.extend([
        tiles("bank", Some(1), Some(HIGH_TILES)),
        tiles("seat", Some(4), Some(DEALER_TILES)),
        set("seat", Some(4), DEALER_SET),
        set("bank", None, HIGH_SET),
        collected("w"),
        paid_less("k", 5000, 250),
    ]);
    bodies
}

#[test]
fn who_banks_has_wagered_and_does_not_bank_again() {
    let unbanked = || tiles_win(tile_settings(), paid_less("w", 5000, 250));
    let mut first = Story::at("pai_gow", "mgc-2017", json!({}));
    first.round(banked(vec![closed()]));
    assert_eq!(first.codes(), ["pai_gow.bank_first_round"]);
    let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
    story.round(unbanked()).round(banked(vec![closed()]));
    assert_eq!(story.codes(), NOTHING);
    story.round(banked(vec![closed()]));
    assert_eq!(story.codes(), ["pai_gow.bank_consecutive"]);
}

#[test]
fn a_bank_chooses_the_delivery_when_betting_has_closed() {
    let unbanked = || tiles_win(tile_settings(), paid_less("w", 5000, 250));
    for (early, expected) in [(false, 0), (true, 1)] {
        let mut said = vec![says(1, "jung_quat"), closed()];
        if !early {
            said.reverse();
        }
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        story.round(unbanked()).round(banked(said));
        assert_eq!(story.codes(), vec!["pai_gow.style_not_offered"; expected]);
    }
}
