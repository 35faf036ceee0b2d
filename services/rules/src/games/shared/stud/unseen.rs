//! Cards that nobody saw in the games of an ante and a hand: what is decided without them, and what hangs on them.

use serde_json::{Value, json};

use crate::{Rulebook, Settled, Settlement, Verdict};

fn settle(game: &str, edition: &str, options: Value, wagers: Value, play: Value) -> Settlement {
    let wagers: Vec<Value> = wagers.as_object().unwrap().iter().map(wager).collect();
    let document = json!({"game": game, "edition": edition, "options": options,
        "wagers": wagers, "play": play});
    let rulebook = Rulebook::load().unwrap();
    rulebook.settle_value(&document).unwrap()
}

/// `"1 ante": 500` is an ante of $5 at seat 1; a play wager is on the ante of its seat.
fn wager((name, amount): (&String, &Value)) -> Value {
    let (seat, kind) = name.split_once(' ').unwrap();
    let mut wager = json!({"id": name, "seat": seat.parse::<u32>().unwrap(), "kind": kind,
        "amount": amount});
    if kind == "play" {
        wager["on"] = json!(format!("{seat} ante"));
    }
    wager
}

fn of<'a>(settlement: &'a Settlement, id: &str) -> &'a Settled {
    let mut wagers = settlement.wagers().iter();
    wagers.find(|wager| wager.id.as_str() == id).unwrap()
}

#[track_caller]
fn is(settlement: &Settlement, id: &str, result: Verdict, returned: i64) {
    let wager = of(settlement, id);
    let is_so = wager.result == result && wager.returned.get() == returned;
    assert!(is_so && wager.hangs_on.is_empty(), "{wager:?}");
}

/// The wager hangs on these places and lies between these amounts.
#[track_caller]
fn is_open(settlement: &Settlement, id: &str, places: &[&str], least: i64, most: Option<i64>) {
    let wager = of(settlement, id);
    assert_eq!(wager.result, Verdict::Open, "{wager:?}");
    assert_eq!(wager.hangs_on, places, "{wager:?}");
    let range = wager.range.unwrap();
    let bounds = (range.least.get(), range.most.map(|most| most.get()));
    assert_eq!(bounds, (least, most), "{wager:?}");
}

const MGC: &str = "mgc-2017";
const OHIO: &str = "oh-jack-2017";

#[test]
fn a_folded_hand_of_three_card_poker_decides_nothing_but_pair_plus() {
    let wagers = json!({"1 ante": 500, "1 pair_plus": 500, "2 ante": 500, "2 play": 500});
    let play = json!({"dealer": ["QS", "7D", "2C"], "hands": [
        {"seat": 1, "cards": ["9H", "9S", "??"], "decision": "fold"},
        {"seat": 2, "cards": ["KS", "KD", "??"], "decision": "play"}]});
    let settled = settle(
        "three_card_poker",
        MGC,
        json!({}),
        wagers.clone(),
        play.clone(),
    );
    is(&settled, "1 ante", Verdict::Lose, 0);
    // A pair at least; three of a kind pay 25 to 1.
    is_open(
        &settled,
        "1 pair_plus",
        &["play.hands[0].cards[2]"],
        1_000,
        Some(13_000),
    );
    is(&settled, "2 play", Verdict::Win, 1_000);
    is_open(
        &settled,
        "2 ante",
        &["play.hands[1].cards[2]"],
        1_000,
        Some(3_000),
    );
    assert_eq!(settled.unseen().len(), 2);
    let ohio = settle("three_card_poker", OHIO, json!({}), wagers, play);
    is(&ohio, "1 pair_plus", Verdict::Lose, 0);
}

#[test]
fn a_hand_of_three_card_poker_that_nobody_saw_leaves_the_others_decided() {
    let wagers = json!({"1 ante": 500, "1 play": 500, "2 ante": 500, "2 play": 500});
    let play = json!({"dealer": ["QS", "7D", "2C"], "hands": [
        {"seat": 1, "cards": ["??", "??", "??"], "decision": "play"},
        {"seat": 2, "cards": ["3S", "4D", "6C"], "decision": "play"}]});
    let settled = settle("three_card_poker", MGC, json!({}), wagers, play);
    let hand = [
        "play.hands[0].cards[0]",
        "play.hands[0].cards[1]",
        "play.hands[0].cards[2]",
    ];
    is_open(&settled, "1 play", &hand, 0, None);
    is(&settled, "2 ante", Verdict::Lose, 0);
}

#[test]
fn a_progressive_of_four_card_poker_hangs_on_its_meter_and_on_the_hands_of_others() {
    let wagers = json!({"1 ante": 500, "1 play": 500, "1 progressive": 100, "2 ante": 500,
        "2 progressive": 100});
    let hands = |own: [&str; 5]| {
        json!({"dealer": ["2S", "2D", "9C", "JH", "4D", "KD"], "meters": {"progressive": null},
            "hands": [{"seat": 1, "cards": own, "decision": "play"},
                {"seat": 2, "cards": ["??", "??", "??", "??", "??"], "decision": "fold"}]})
    };
    let options = json!({"offered": ["aces_up", "progressive"]});
    let royal = ["AS", "KS", "QS", "JS", "TS"];
    let settled = settle(
        "four_card_poker",
        OHIO,
        options.clone(),
        wagers.clone(),
        hands(royal),
    );
    is_open(
        &settled,
        "1 progressive",
        &["play.meters.progressive"],
        0,
        None,
    );
    assert_eq!(of(&settled, "2 progressive").result, Verdict::Win);
    is(&settled, "2 ante", Verdict::Lose, 0);
    let nothing = ["AS", "KH", "9S", "7D", "3C"];
    let settled = settle("four_card_poker", OHIO, options, wagers, hands(nothing));
    is(&settled, "1 progressive", Verdict::Lose, 0);
    is(&settled, "2 progressive", Verdict::Lose, 0);
}

#[test]
fn a_super_bonus_of_crazy_four_poker_hangs_on_the_card_that_makes_a_straight() {
    let wagers = json!({"1 ante": 500, "1 super_bonus": 500, "1 play": 500, "1 queens_up": 500});
    let options = json!({"offered": ["queens_up"]});
    let play = json!({"dealer": ["2S", "3D", "8C", "JH", "9D"], "hands": [
        {"seat": 1, "cards": ["KS", "KH", "QD", "JC", "??"], "decision": "play"}]});
    let settled = settle("crazy_four_poker", OHIO, options, wagers, play);
    is(&settled, "1 ante", Verdict::Push, 500);
    is(&settled, "1 play", Verdict::Win, 1_000);
    let place = ["play.hands[0].cards[4]"];
    is_open(&settled, "1 super_bonus", &place, 500, Some(1_500));
    assert_eq!(of(&settled, "1 queens_up").result, Verdict::Open);
}

#[test]
fn a_fold_of_caribbean_stud_needs_no_card_and_a_bet_is_bounded_by_its_odds() {
    let wagers = json!({"1 ante": 500, "2 ante": 500, "2 bet": 1_000});
    let unseen = ["??", "??", "??", "??", "??"];
    let play = json!({"dealer": ["AS", "KD", "9C", "7H", "4D"],
        "hands": {"1": unseen, "2": ["AH", "AD", "9S", "9H", "??"]}});
    let settled = settle("caribbean_stud", MGC, json!({}), wagers.clone(), play);
    is(&settled, "1 ante", Verdict::Lose, 0);
    is(&settled, "2 ante", Verdict::Win, 1_000);
    // Two pairs pay 2 to 1, a full house 7 to 1.
    is_open(&settled, "2 bet", &["play.hands.2[4]"], 3_000, Some(8_000));
    let play = json!({"dealer": unseen, "hands": {"1": unseen, "2": unseen}});
    let settled = settle("caribbean_stud", MGC, json!({}), wagers, play);
    is(&settled, "1 ante", Verdict::Lose, 0);
    assert_eq!(of(&settled, "2 ante").result, Verdict::Open);
}

#[test]
fn a_bad_beat_of_dj_wild_lives_on_after_a_fold_and_trips_do_not() {
    let wagers = json!({"1 ante": 500, "1 blind": 500, "1 trips": 500, "1 two_way_bad_beat": 500});
    let play = json!({"dealer": ["AS", "AD", "AC", "7H", "4D"],
        "hands": {"1": ["9S", "9H", "KD", "8C", "??"]}});
    let options = json!({"two_way_bad_beat_offered": true});
    let settled = settle("dj_wild", OHIO, options, wagers, play);
    for lost in ["1 ante", "1 blind", "1 trips"] {
        is(&settled, lost, Verdict::Lose, 0);
    }
    let wager = of(&settled, "1 two_way_bad_beat");
    assert_eq!(wager.hangs_on, ["play.hands.1[4]"]);
    assert_eq!(wager.range.unwrap().least.get(), 0);
}

#[test]
fn one_common_card_of_double_down_stud_leaves_a_made_pair_bounded() {
    let wagers = json!({"1 bet": 500, "1 double_down": 500, "2 bet": 500});
    let play = json!({"dealer": ["??", "KD", "9C", "7H"], "hands": {"1": ["KS"], "2": ["3S"]}});
    let settled = settle("double_down_stud", MGC, json!({}), wagers, play);
    // A pair of kings at least, three of them at most.
    let bet = of(&settled, "1 bet").range.unwrap();
    assert_eq!(bet.least.get(), 1_000);
    is_open(&settled, "2 bet", &["play.dealer[0]"], 0, Some(1_000));
}

#[test]
fn a_bet_of_let_it_ride_that_was_taken_back_needs_no_board() {
    let wagers = json!({"1 bet_1": 500, "1 bet_2": 500, "1 bet_3": 500, "1 three_card_bonus": 500});
    let play = json!({"hands": {"1": ["TS", "TD", "4C"]}, "community": ["9C", "??"],
        "decisions": {"1": {"bet_1": "withdraw", "bet_2": "ride"}}});
    let options = json!({"three_card_bonus_paytable": "A"});
    let settled = settle("let_it_ride", MGC, options, wagers, play);
    is(&settled, "1 bet_1", Verdict::Void, 500);
    assert_eq!(of(&settled, "1 three_card_bonus").result, Verdict::Win);
    // Tens at least; three of them pay 3 to 1.
    is_open(
        &settled,
        "1 bet_3",
        &["play.community[1]"],
        1_000,
        Some(2_000),
    );
}

#[test]
fn a_folded_hand_of_mississippi_stud_needs_no_card_and_its_bonus_only_the_board() {
    let wagers = json!({"1 ante": 500, "1 three_card_bonus": 500, "2 ante": 500, "2 third_street": 500,
        "2 fourth_street": 500, "2 fifth_street": 500});
    let play = json!({"hands": {"1": ["??", "??"], "2": ["JS", "JD"]},
        "community": ["9C", "9D", "??"], "burned": ["2C", "3C", "4C"]});
    let options = json!({"three_card_bonus_offered": true, "payout_limit": null, "dealing": "hand",
        "shuffle": "machine"});
    let settled = settle("mississippi_stud", OHIO, options, wagers, play);
    is(&settled, "1 ante", Verdict::Lose, 0);
    let bonus = of(&settled, "1 three_card_bonus");
    assert_eq!(
        (bonus.result, &*bonus.hangs_on),
        (Verdict::Open, &["play.community[2]".to_owned()][..])
    );
    // Two pairs pay 2 to 1, a full house 10 to 1.
    is_open(
        &settled,
        "2 ante",
        &["play.community[2]"],
        1_500,
        Some(5_500),
    );
}
