//! The bank of a player at the pai gow games: when nobody may have it, and what is surrendered to it.

use catwalk_stories::pai_gow::{DEALER_SET, DEALER_TILES, NOTHING, says, set, tiles};
use catwalk_stories::{Story, bet, closed, collected, paid_less};
use serde_json::{Value, json};

const ACES_SET: &str = "AS AD 9H 7C 5S | KC QD";
const NINES_SET: &str = "9S 9D 4H 3C 2S | 8C 6D";
const HIGH_TILES: &str = "6-6 6-3 4-4 5-2";
const HIGH_SET: &str = "6-6 6-3 | 4-4 5-2";

/// Seat 2 wins with aces from a dealer with nines.
fn cards_unbanked() -> Vec<Value> {
    vec![
        bet("w", 2, "pai_gow_poker", 10000),
        closed(),
        set("seat", Some(2), ACES_SET),
        set("dealer", None, NINES_SET),
        paid_less("w", 10000, 500),
    ]
}

/// Seat 2 banks with aces, and seat 4 loses to it.
fn cards_banked() -> Vec<Value> {
    vec![
        bank(2),
        bet("v", 4, "pai_gow_poker", 10000),
        closed(),
        set("seat", Some(4), NINES_SET),
        set("bank", Some(2), ACES_SET),
        collected("v"),
        paid_less("k", 10000, 500),
    ]
}

fn bank(seat: u32) -> Value {
    json!({"type": "wager_placed", "wager": "k", "seat": seat, "kind": "bank", "amount": 0})
}

fn tiles_unbanked(said: &[Value]) -> Vec<Value> {
    let bets = [bet("w", 1, "pai_gow", 5000), closed()];
    let play = [
        tiles("dealer", None, Some(DEALER_TILES)),
        tiles("seat", Some(1), Some(HIGH_TILES)),
        set("seat", Some(1), HIGH_SET),
        set("dealer", None, DEALER_SET),
        paid_less("w", 5000, 250),
    ];
    [said, &bets, &play].concat()
}

/// Seat 1 banks, and seat 4 loses to it or gives up.
fn tiles_banked(after_bank: &[Value]) -> Vec<Value> {
    tiles_banked_with(&[], &[], after_bank)
}

fn tiles_banked_with(before_bank: &[Value], dealer: &[Value], after_bank: &[Value]) -> Vec<Value> {
    let bets = [bank(1), bet("v", 4, "pai_gow", 5000), closed()];
    let dealt = [
        tiles("bank", Some(1), Some(HIGH_TILES)),
        tiles("seat", Some(4), Some(DEALER_TILES)),
        set("seat", Some(4), DEALER_SET),
    ];
    let bank_set = [set("bank", None, HIGH_SET)];
    let paid = [collected("v"), paid_less("k", 5000, 250)];
    [
        &bets[..],
        &dealt,
        before_bank,
        dealer,
        &bank_set,
        after_bank,
        &paid,
    ]
    .concat()
}

fn count(story: &Story, code: &str) -> usize {
    story.codes().iter().filter(|found| **found == code).count()
}

fn delivered(set: &str, preshuffled: bool) -> Value {
    let seal = preshuffled.then_some("0417733");
    json!({"type": "cards_delivered", "set": set, "decks": 1, "preshuffled": preshuffled, "seal": seal})
}

fn inspected(set: &str) -> Value {
    json!({"type": "cards_inspected", "set": set, "missing": [], "extra": [], "unsuitable": [],
        "dealer": "d-1", "supervisor": "s-1"})
}

fn opened(set: &str) -> Value {
    json!({"type": "cards_opened", "set": set})
}

fn removed(set: &str, reason: &str) -> Value {
    json!({"type": "cards_removed", "set": set, "reason": reason})
}

fn shuffled(set: &str) -> Value {
    json!({"type": "shoe_started", "shoe": "s", "set": set, "decks": 1, "method": "shoe"})
}

/// A round without a bank, then all this, then one with.
fn banks_after(before: &[Value], between: &[Value], first_of_round: &[Value]) -> usize {
    let mut story = Story::at("pai_gow_poker", "mgc-2017", json!({}));
    for body in before {
        story.aside(body.clone());
    }
    story.round(cards_unbanked());
    for body in between {
        story.aside(body.clone());
    }
    story.round([first_of_round, &cards_banked()].concat());
    count(&story, "pai_gow_poker.bank_first_round")
}

#[test]
fn nobody_banks_the_first_round_with_a_deck_that_was_washed() {
    let first = [delivered("a", false), opened("a"), inspected("a")];
    let first = [&first[..], &[shuffled("a")]].concat();
    let next = || vec![delivered("b", false), opened("b"), inspected("b")];
    let left = || removed("a", "scheduled");
    let in_turn = [vec![left()], next(), vec![shuffled("b")]].concat();
    let beside = [next(), vec![left(), shuffled("b")]].concat();
    assert_eq!(banks_after(&first, &in_turn, &[]), 1);
    assert_eq!(banks_after(&first, &beside, &[]), 1);
    let untold = [vec![left()], next()].concat();
    assert_eq!(banks_after(&first, &untold, &[shuffled("b")]), 1);
    assert_eq!(banks_after(&[], &untold, &[]), 1);
    assert_eq!(banks_after(&[], &[next(), vec![left()]].concat(), &[]), 1);
}

#[test]
fn a_deck_that_is_shuffled_again_or_came_shuffled_starts_no_game() {
    let first = [delivered("a", false), opened("a"), inspected("a")];
    let first = [&first[..], &[shuffled("a")]].concat();
    assert_eq!(banks_after(&first, &[shuffled("a")], &[]), 0);
    assert_eq!(
        banks_after(&first, &[inspected("a"), shuffled("a")], &[]),
        0
    );
    let sealed = [removed("a", "scheduled"), delivered("b", true), opened("b")];
    let sealed = [&sealed[..], &[shuffled("b")]].concat();
    assert_eq!(banks_after(&first, &sealed, &[]), 0);
    let reserve = [delivered("r", false), removed("r", "reserve_returned")];
    let reserve = [&reserve[..], &[shuffled("a")]].concat();
    assert_eq!(banks_after(&first, &reserve, &[]), 0);
}

#[test]
fn the_second_of_two_decks_in_turn_starts_no_game() {
    let both = [inspected("a"), inspected("b"), shuffled("a")];
    assert_eq!(banks_after(&both, &[shuffled("b")], &[]), 0);
    let mut story = Story::at("pai_gow_poker", "mgc-2017", json!({}));
    story.aside(inspected("a")).aside(shuffled("a"));
    story.round(cards_unbanked());
    // The next deck goes into the shuffler while a round is dealt from the first.
    story.aside(inspected("b")).aside(shuffled("a"));
    story.round(cards_unbanked());
    story.aside(shuffled("b")).round(cards_banked());
    assert_eq!(count(&story, "pai_gow_poker.bank_first_round"), 0);
}

#[test]
fn other_tiles_start_the_game_whichever_set_is_told_of_first() {
    let introduced = |set: &str| json!({"type": "tiles_introduced", "set": set});
    let left = |set: &str| json!({"type": "tiles_removed", "set": set});
    let banks = |first: Option<&str>, between: &[Value]| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        if let Some(set) = first {
            story.aside(introduced(set));
        }
        story.round(tiles_unbanked(&[]));
        for body in between {
            story.aside(body.clone());
        }
        story.round(tiles_banked(&[]));
        count(&story, "pai_gow.bank_first_round")
    };
    assert_eq!(banks(Some("t1"), &[introduced("t2"), left("t1")]), 1);
    assert_eq!(banks(None, &[introduced("t2"), left("t1")]), 1);
    assert_eq!(banks(None, &[left("t1"), introduced("t2")]), 1);
    assert_eq!(banks(Some("t1"), &[introduced("t2"), left("t2")]), 0);
    assert_eq!(banks(Some("t1"), &[introduced("t2")]), 0);
    assert_eq!(banks(None, &[introduced("t2")]), 0);
    assert_eq!(banks(Some("t1"), &[left("t0")]), 0);
}

#[test]
fn who_banked_before_events_were_lost_may_bank_after() {
    let banks = |lost: bool| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        story.round(tiles_unbanked(&[])).round(tiles_banked(&[]));
        if lost {
            story.lose();
        }
        story.round(tiles_banked(&[]));
        // So long the missing event may still come.
        for _ in 0..80 {
            story.aside(json!({"type": "clock"}));
        }
        count(&story, "pai_gow.bank_consecutive")
    };
    assert_eq!(banks(false), 1);
    assert_eq!(banks(true), 0);
}

#[test]
fn a_bank_that_the_dealer_saw_short_of_chips_is_found() {
    let banks = |chips: i64| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        let mut round = tiles_banked(&[]);
        round[0]["detail"] = json!({"chips": chips});
        story.round(tiles_unbanked(&[])).round(round);
        count(&story, "pai_gow.bank_underfunded")
    };
    assert_eq!(banks(5000), 0);
    assert_eq!(banks(4999), 1);
}

#[test]
fn a_hand_is_surrendered_to_a_bank_after_it_or_the_dealer_has_set() {
    let surrender = || says(4, "surrender");
    let dealer = || {
        vec![
            tiles("dealer", None, Some("3-1 3-1 1-1 5-1")),
            set("dealer", None, "3-1 3-1 | 1-1 5-1"),
        ]
    };
    let codes = |round: Vec<Value>| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        story.round(tiles_unbanked(&[])).round(round);
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.collect::<Vec<_>>()
    };
    assert_eq!(codes(tiles_banked(&[surrender()])), NOTHING);
    let to_dealer = [dealer(), vec![surrender()]].concat();
    assert_eq!(codes(tiles_banked_with(&[], &to_dealer, &[])), NOTHING);
    let early = ["pai_gow.surrender_late"];
    assert_eq!(codes(tiles_banked_with(&[surrender()], &[], &[])), early);
    let before_both = tiles_banked_with(&[surrender()], &dealer(), &[]);
    assert_eq!(codes(before_both), early);
    let exposed = [set("seat", Some(4), DEALER_SET), surrender()];
    assert_eq!(codes(tiles_banked(&exposed)), early);
}

#[test]
fn an_early_surrender_to_a_bank_is_found_when_the_bank_sets() {
    let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
    story.round(tiles_unbanked(&[]));
    story.round(tiles_banked_with(&[says(4, "surrender")], &[], &[]));
    let finding = story.finding("pai_gow.surrender_late");
    // The round ends three events after the bank has set.
    let last = story.settled[1].last_seq;
    assert_eq!(*finding.evidence.last().unwrap(), last - 3);
}

#[test]
fn tiles_are_washed_before_every_round_where_the_feed_tells_of_it() {
    let wash = || says(0, "wash");
    let rounds = |told: &[u8]| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        for how in told {
            match how {
                b'b' => drop(story.aside(wash()).round(tiles_unbanked(&[]))),
                b'i' => drop(story.round(tiles_unbanked(&[wash()]))),
                b'e' => drop(story.round([tiles_unbanked(&[]), vec![wash()]].concat())),
                _ => drop(story.round(tiles_unbanked(&[]))),
            }
        }
        count(&story, "tiles.not_inspected")
    };
    for honest in ["bbb", "iii", "eee", "b--", "---", "ee-", "bi"] {
        assert_eq!(rounds(honest.as_bytes()), 0, "{honest}");
    }
    for guilty in ["bb-", "ii-i", "ee-e"] {
        assert_eq!(rounds(guilty.as_bytes()), 1, "{guilty}");
    }
}
