//! Rounds of the baccarat games in which cards were not seen.

use serde_json::{Value, json};

use crate::Edition;
use crate::game::Game;
use crate::games::{
    Baccarat, CheminDeFer, DragonBonusBaccaratCommissionFree, Midibaccarat, Minibaccarat,
};
use crate::settlement::{Settled, Verdict};
use crate::testkit::TestTable;

fn settle<G: Game>(
    edition: Edition,
    options: Value,
    wagers: &[(&str, i64)],
    play: Value,
) -> Vec<Settled> {
    let wagers = wagers.iter().enumerate().map(|(at, (kind, amount))| {
        json!({"id": format!("w{}", at + 1), "seat": at + 1, "kind": kind, "amount": amount})
    });
    let table = TestTable::<G>::open();
    let document = table.document(edition, options, wagers.collect(), play);
    table.settle(&document).wagers().to_vec()
}

/// What goes back at the least and at the most of a wager that hangs on these places.
fn open(settled: &Settled) -> (Vec<&str>, i64, Option<i64>) {
    assert_eq!(settled.result, Verdict::Open, "{settled:?}");
    assert_eq!(settled.returned.get(), 0);
    let range = settled.range.expect("it hangs on something");
    let places = settled.hangs_on.iter().map(String::as_str).collect();
    (places, range.least.get(), range.most.map(|most| most.get()))
}

fn of_every_game<G: Game>(edition: Edition) {
    let wagers = [("player", 1000), ("banker", 1000), ("tie", 1000)];
    let play = json!({"player": ["KS", "7H"], "banker": ["KC", "5D", "??"]});
    let settled = settle::<G>(edition, json!({}), &wagers, play);
    assert_eq!(open(&settled[0]), (vec!["play.banker[2]"], 0, Some(2000)));
    assert_eq!(open(&settled[2]).1, 0);
    // A natural stops all drawing: the card is the first of the next hand.
    let play = json!({"player": ["KS", "9H"], "banker": ["KC", "5D", "??"]});
    let settled = settle::<G>(edition, json!({}), &wagers, play);
    let results: Vec<Verdict> = settled.iter().map(|one| one.result).collect();
    assert_eq!(results, [Verdict::Win, Verdict::Lose, Verdict::Lose]);
}

#[test]
fn a_third_card_decides_unless_a_natural_does() {
    of_every_game::<Baccarat>(Edition::Mgc2017);
    of_every_game::<Midibaccarat>(Edition::Mgc2017);
    of_every_game::<Minibaccarat>(Edition::Mgc2017);
    of_every_game::<Minibaccarat>(Edition::OhJack2017);
    of_every_game::<DragonBonusBaccaratCommissionFree>(Edition::OhJack2017);
}

#[test]
fn house_money_looks_at_the_first_two_cards_of_each_hand() {
    let options = json!({"house_money": true});
    let wagers = [("house_money", 1000), ("player", 1000)];
    let play = json!({"player": ["7S", "7H", "??"], "banker": ["KC", "2D", "??", "??"]});
    let settled = settle::<Baccarat>(Edition::Mgc2017, options.clone(), &wagers, play);
    assert_eq!(settled[0].returned.get(), 4000);
    // What a fourth card is decides nothing.
    assert_eq!(open(&settled[1]).0, ["play.banker[2]", "play.player[2]"]);
    let play = json!({"player": ["7S", "??", "KH"], "banker": ["KC", "6D"]});
    let settled = settle::<Baccarat>(Edition::Mgc2017, options, &wagers, play);
    assert_eq!(open(&settled[0]), (vec!["play.player[1]"], 0, Some(4000)));
}

#[test]
fn a_banker_wager_owes_vigorish_of_the_most() {
    let play = json!({"player": ["KS", "7H"], "banker": ["KC", "5D", "??"]});
    let settled = settle::<Baccarat>(Edition::Mgc2017, json!({}), &[("banker", 1000)], play);
    assert_eq!(open(&settled[0]).2, Some(1950));
    assert_eq!(settled[0].range.expect("open").vigorish.get(), 50);
}

#[test]
fn nothing_hangs_on_the_cards_of_a_round_that_is_void() {
    let play =
        json!({"player": ["??", "??"], "banker": ["??", "??"], "void": "insufficient_cards"});
    let settled = settle::<Baccarat>(Edition::Mgc2017, json!({}), &[("tie", 1000)], play);
    assert_eq!(settled[0].result, Verdict::Void);
    let wagers = [("bank", 1000), ("punt", 1000)];
    let play = json!({"player": ["??", "??"], "banker": ["??"], "irregularity": "wrong_order"});
    let settled = settle::<CheminDeFer>(Edition::Mgc2017, json!({}), &wagers, play);
    assert_eq!(settled[1].result, Verdict::Void);
}

#[test]
fn the_bank_hangs_on_the_card_that_it_drew() {
    let wagers = [("bank", 1000), ("punt", 1000)];
    let of = |banker: [&str; 3]| {
        let play = json!({"player": ["KS", "6H"], "banker": banker});
        settle::<CheminDeFer>(Edition::Mgc2017, json!({}), &wagers, play)
    };
    let settled = of(["KC", "5D", "??"]);
    assert_eq!(open(&settled[0]), (vec!["play.banker[2]"], 0, Some(1950)));
    assert_eq!(open(&settled[1]), (vec!["play.banker[2]"], 0, Some(2000)));
    // He has seven and needs no card.
    assert_eq!(of(["KC", "7D", "??"])[0].result, Verdict::Win);
}
