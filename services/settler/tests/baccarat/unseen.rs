//! Cards that nobody saw at the baccarat games: what is certain without them is judged, and the rest against its
//! bounds.

use catwalk_stories::{codes, invented, settle, table};
use serde_json::{Value, json};

const NOTHING: [&str; 0] = [];

fn mini(lines: &str) -> Vec<Value> {
    table("minibaccarat", "mgc-2017", json!({}), lines)
}

/// The play of the only round's document.
fn play(bodies: &[Value]) -> Value {
    let (findings, rounds) = settle(bodies);
    let document = rounds[0].document.as_ref();
    document.unwrap_or_else(|| panic!("{findings:?}"))["play"].clone()
}

/// Player 7, Banker 5 with a third card that lies face down to the end.
fn banker_draws_unseen(paid: &str) -> Vec<Value> {
    mini(&format!(
        "open\nbet p 1 player 1000\nbet b 2 banker 1000\nbet t 3 tie 1000\nno-more-bets
         card player KS up\ncard banker KC up\ncard player 7H up\ncard banker 5D up\ncard banker ??
         {paid}\nclose"
    ))
}

#[test]
fn a_third_card_that_nobody_saw_is_written_as_such() {
    let bodies = banker_draws_unseen("take p\ntake t\npay b 950");
    assert_eq!(play(&bodies)["banker"], json!(["KC", "5D", "??"]));
    assert_eq!(invented(&bodies), NOTHING);
    let (_, rounds) = settle(&bodies);
    let settlement = rounds[0].settlement.as_ref().unwrap();
    assert_eq!(settlement.wagers()[0].hangs_on, ["play.banker[2]"]);
}

#[test]
fn what_it_decides_is_held_against_the_least_and_the_most() {
    for paid in [
        "take p\ntake t\npay b 950",
        "take b\ntake t\npay p 1000",
        "push p\npush b\npay t 8000",
    ] {
        assert_eq!(codes(&banker_draws_unseen(paid)), NOTHING, "{paid}");
    }
    let over = banker_draws_unseen("take p\ntake t\npay b 1500");
    assert_eq!(codes(&over), ["pay.over"]);
    let (findings, _) = settle(&over);
    assert_eq!(findings[0].exposure.get(), 550);
    let tie = banker_draws_unseen("push p\npush b\npay t 9000");
    assert_eq!(codes(&tie), ["pay.over"]);
}

#[test]
fn a_card_that_nobody_saw_hides_nothing_of_wagers_that_do_not_look_at_it() {
    let told = |paid: &str| {
        let options = json!({"house_money": true});
        let lines = format!(
            "open\nbet h 1 house_money 1000\nbet p 1 player 1000\nno-more-bets
             card player 7S up\ncard banker KC up\ncard player 7H up\ncard banker 5D up
             {paid}\ncard player ??\ncard banker AD up\npush p\nclose"
        );
        codes(&table("baccarat", "mgc-2017", options, &lines))
    };
    assert_eq!(told("pay h 3000"), NOTHING);
    assert_eq!(told("pay h 5000"), ["pay.over"]);
    assert_eq!(told("take h"), ["pay.unpaid"]);
}

#[test]
fn vigorish_that_is_collected_later_may_be_paid_first() {
    let options = json!({"vigorish_collection": "deferred"});
    let lines = "open\nbet b 1 banker 1000\nno-more-bets
        card player KS up\ncard banker KC up\ncard player 7H up\ncard banker 5D up\ncard banker ??";
    let told = |paid: i64| {
        let lines = format!("{lines}\npay b {paid}\nclose");
        codes(&table("baccarat", "mgc-2017", options.clone(), &lines))
    };
    assert_eq!(told(1000), NOTHING);
    assert_eq!(told(1050), ["pay.over"]);
}

#[test]
fn nobody_knows_who_has_the_bank_after_a_hand_that_nobody_saw() {
    let hand = |third: &str, seat: u32| {
        format!(
            "open\nbet b {seat} bank 10000\nbet p 3 punt 10000\nno-more-bets
             card player KS up\ncard banker KC up\ncard player 6H up\ncard banker 5D up\n{third}"
        )
    };
    let told = |third: &str, paid: &str| {
        let first = hand(third, 1);
        let second = hand("card banker 2D up\npay b 10000\ntake p", 1);
        let lines = format!("{first}\n{paid}\nclose\n{second}\nclose");
        let found = codes(&table("chemin_de_fer", "mgc-2017", json!({}), &lines));
        found.contains(&"chemin.bank_kept_after_loss".to_owned())
    };
    assert!(told("card banker KD up", "take b\npay p 10000"));
    assert!(!told("card banker ??", "take b\npay p 10000"));
}

#[test]
fn a_wager_against_the_bank_wins_no_more_than_the_bank_can_lose() {
    let told = |paid: &str| {
        let lines = format!(
            "open\nbet b 1 bank 10000\nbet p 3 punt 10000\nno-more-bets
             card player KS up\ncard banker KC up\ncard player 6H up\ncard banker 5D up
             card banker ??\n{paid}\nclose"
        );
        let bodies = table("chemin_de_fer", "mgc-2017", json!({}), &lines);
        assert_eq!(play(&bodies)["banker"], json!(["KC", "5D", "??"]));
        assert_eq!(invented(&bodies), NOTHING);
        codes(&bodies)
    };
    assert_eq!(told("take b\npay p 10000"), NOTHING);
    assert_eq!(told("take b\npay p 15000"), ["pay.over"]);
}
