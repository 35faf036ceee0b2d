//! Ties, caps, meters, void rounds and shared boxes.

use serde_json::json;

use super::{mgc, ohio, open, settled};
use crate::games::shared::testround::with;
use crate::settlement::Verdict::{Lose, Open, Push, Void, Win};

const MAIN: &str = "w1 s1 main 1000";

#[test]
fn with_an_exposed_hole_card_ties_lose_and_blackjack_beats_blackjack() {
    let exposed = || json!({"hole_card": "exposed"});
    for (cards, dealer, expected) in [
        ("s1 KC 8D: stand", "9C 9D", (Lose, 0)),
        ("s1 AC KD", "AD KH", (Win, 2000)),
        ("s1 AC KD", "9C 5D 7H", (Win, 2000)),
        ("s1 KC 9D", "AD KH", (Lose, 0)),
    ] {
        assert_eq!(
            settled(&mgc(exposed(), MAIN, cards, dealer)),
            [expected],
            "{cards} {dealer}"
        );
    }
}

#[test]
fn a_dealer_blackjack_collects_the_original_wager_only_but_busts_are_gone() {
    let wagers = "w1 s1 main 1000; w2 s1 split 1000 on=w1 hand=2; w3 s1 double 1000 on=w2 hand=2";
    let boxes = "s1 8C 8D: split 2, deal TC, hit 9C, 2 deal 3D, 2 double 9D";
    let round = mgc(json!({}), wagers, boxes, "AC KD");
    assert_eq!(settled(&round), [(Lose, 0), (Push, 1000), (Push, 1000)]);
    let bust = "s1 8C 8D: split 2, deal TC, stand, 2 deal 6D, 2 double 9D";
    let round = mgc(json!({}), wagers, bust, "AC KD");
    assert_eq!(settled(&round), [(Lose, 0), (Lose, 0), (Lose, 0)]);
}

#[test]
fn an_ace_and_a_ten_after_a_split_tie_a_drawn_21() {
    let wagers = "w1 s1 main 1000; w2 s1 split 1000 on=w1 hand=2";
    let boxes = "s1 AC AD: split 2, deal KC, 2 deal 9C";
    let round = mgc(json!({}), wagers, boxes, "9C 5D 7H");
    assert_eq!(settled(&round), [(Push, 1000), (Lose, 0)]);
}

#[test]
fn both_hands_of_an_ace_that_was_no_pair_are_split_aces_until_they_are_done() {
    let wagers = "w1 s1 main 1000; w2 s1 split 1000 on=w1 hand=2";
    let found = |wagers: &str, boxes: &str| {
        let options = json!({"max_split_hands": 4});
        open().violations(&mgc(options, wagers, boxes, "9C 9D"))
    };
    let no_pair = "decision.split_not_pair";
    // The ace lies first: the ten beside it is held to one card as well.
    let held = "s1 AC KD: split 2, deal 9H, 2 deal 2C";
    assert_eq!(found(wagers, held), [no_pair]);
    let extra = "decision.split_aces_extra_card";
    assert_eq!(
        found(wagers, &format!("{held}, 2 hit 9S")),
        [extra, no_pair]
    );
    assert_eq!(found(wagers, &format!("{held}, 2 stand")), [no_pair]);
    // The ten lies first: neither is held, and the ace may draw.
    let free = "s1 KD AC: split 2, deal 9H, stand, 2 deal 2C, 2 hit 7S";
    assert_eq!(found(wagers, free), [no_pair]);
    // Two ten-cards of a hand that is held are split again: it stays held, the new hand is not.
    let wagers = &format!("{wagers}; w3 s1 split 1000 on=w1 hand=3");
    let again = "s1 AC KD: split 2, deal 9H, 2 deal QC, 2 split 3, 2 deal 2C";
    let drawn = format!("{again}, 2 hit 5C, 2 stand, 3 deal 2D, 3 hit 6C, 3 stand");
    assert_eq!(found(wagers, &drawn), [extra, no_pair]);
    let drawn = format!("{again}, 3 deal 2D, 3 hit 6C, 3 stand");
    assert_eq!(found(wagers, &drawn), [no_pair]);
    // What lies there counts, and an ace with a ten-card after a split is no blackjack.
    let round = mgc(
        json!({}),
        "w1 s1 main 1000; w2 s1 split 1000 on=w1 hand=2",
        "s1 AC KD: split 2, deal KH, 2 deal AH",
        "9C 5D 7H",
    );
    assert_eq!(settled(&round), [(Push, 1000), (Push, 1000)]);
}

#[test]
fn a_surrender_gives_half_back_less_the_odd_cent() {
    let surrender = || json!({"surrender": true});
    let round = |dealer: &str| {
        mgc(
            surrender(),
            "w1 s1 main 1501",
            "s1 KC 6D: surrender",
            dealer,
        )
    };
    assert_eq!(settled(&round("9C")), [(Lose, 750)]);
    assert_eq!(settled(&round("TC 9D")), [(Lose, 750)]);
    assert_eq!(settled(&round("TC AD")), [(Lose, 0)]);
}

#[test]
fn a_doubled_tournament_blackjack_is_an_ordinary_hand() {
    let options = json!({"tournament": true, "tournament_double_blackjack": true});
    let wagers = "w1 s1 main 10000; w2 s1 double 10000 on=w1";
    let round = ohio(options.clone(), wagers, "s1 AC KD: double KH", "9C 5D 7H");
    assert_eq!(settled(&round), [(Push, 10_000), (Push, 10_000)]);
    let round = ohio(options, wagers, "s1 AC KD: double KH", "9C 9D");
    assert_eq!(settled(&round), [(Win, 20_000), (Win, 20_000)]);
}

#[test]
fn bonus_odds_go_to_every_stake_on_the_hand_but_not_at_6_to_5() {
    let bonus = json!({"bonus_payouts": ["suited_678", "three_sevens", "five_card_21"]});
    let wagers = "w1 s1 main 1000; w2 s1 double 400 on=w1";
    let round = mgc(bonus.clone(), wagers, "s1 6H 8H: double 7H", "9C 9D");
    assert_eq!(settled(&round), [(Win, 3000), (Win, 1200)]);
    // 3:2 on an odd stake: the half cent is dropped.
    let round = mgc(
        bonus.clone(),
        "w1 s1 main 1001",
        "s1 7H 7D: hit 7C",
        "9C 9D",
    );
    assert_eq!(settled(&round), [(Win, 1001 + 1501)]);
    // Six cards are no five, and five cards of 20 no 21.
    let round = mgc(
        bonus,
        MAIN,
        "s1 2H 2D: hit 2C, hit 3C, hit 4C, hit 8D",
        "9C 9D",
    );
    assert_eq!(settled(&round), [(Win, 2000)]);
    let six_to_five =
        json!({"variation": "six_to_five", "decks": 2, "bonus_payouts": ["three_sevens"]});
    let round = mgc(six_to_five, MAIN, "s1 7H 7D: hit 7C", "9C 9D");
    assert_eq!(settled(&round), [(Win, 2000)]);
}

#[test]
fn multiple_action_settles_each_spot_against_its_own_dealer_hand() {
    let options = json!({"variation": "multiple_action"});
    let wagers = "w1 s1 main 1000; w2 s1 main 1000 spot=2; w3 s1 main 1000 spot=3; \
                  w4 s1 double 1000 on=w1; w5 s1 double 1000 on=w2; w6 s1 double 1000 on=w3; \
                  i1 s1 insurance 500 on=w1; i2 s1 insurance 500 on=w2";
    let round = mgc(
        options.clone(),
        wagers,
        "s1 5C 6D: double 8H",
        "AC 8D / AC KD / AC 6D",
    );
    let expected = [
        (Push, 1000),
        (Lose, 0),
        (Win, 2000),
        (Push, 1000),
        (Push, 1000),
        (Win, 2000),
        (Lose, 0),
        (Win, 1500),
    ];
    assert_eq!(settled(&round), expected);
    assert!(open().violations(&round).is_empty());
    // A bust loses all spots at once; the up card is all that the dealer shows.
    let wagers = "w1 s1 main 1000; w2 s1 main 1000 spot=2";
    let round = mgc(options, wagers, "s1 KC 6D: hit KD", "7C");
    assert_eq!(settled(&round), [(Lose, 0), (Lose, 0)]);
    assert!(open().violations(&round).is_empty());
}

#[test]
fn a_back_bettor_keeps_to_the_hand_that_he_named() {
    let wagers = "w1 s1 main 1000; w2 s1 split 1000 on=w1 hand=2; w3 s1 main 500 player=b1 hand=2";
    let boxes = "s1 8C 8D: split 2, deal 9C, stand, 2 deal KD, 2 stand";
    let round = mgc(json!({"players_per_box": 2}), wagers, boxes, "TC 7D");
    assert_eq!(settled(&round), [(Push, 1000), (Win, 2000), (Win, 1000)]);
    assert!(open().violations(&round).is_empty());
}

#[test]
fn dead_boxes_and_void_rounds_give_stakes_back() {
    let side_bets = json!({"side_bets": ["royal_match", "streak"]});
    let wagers = "w1 s1 main 1000; w2 s1 royal_match 500; w3 s1 streak_2 500 wins_before=1; \
                  w4 s1 insurance 500 on=w1";
    let round = mgc(side_bets, wagers, "s1 KH 9H: stand", "AC 7D");
    assert_eq!(
        settled(&round),
        [(Win, 2000), (Win, 2000), (Win, 2000), (Lose, 0)]
    );
    let hands = with(round.clone(), "/play/void_round", json!("hands"));
    assert_eq!(
        settled(&hands),
        [(Void, 1000), (Win, 2000), (Open, 0), (Void, 500)]
    );
    let all = with(round.clone(), "/play/void_round", json!("all"));
    assert_eq!(
        settled(&all),
        [(Void, 1000), (Void, 500), (Void, 500), (Void, 500)]
    );
    let dead = with(
        round.clone(),
        "/play/boxes/0",
        json!({"seat": 1, "cards": ["KH"], "dead": "one_card"}),
    );
    assert_eq!(
        settled(&dead),
        [(Void, 1000), (Void, 500), (Open, 0), (Void, 500)]
    );
    // A round that is void needs no word of a box that got no card.
    let nobody = with(all, "/play/boxes", json!([]));
    assert_eq!(settled(&nobody).len(), 4);
}

#[test]
fn a_streak_follows_the_majority_of_decided_hands() {
    let streak = || json!({"side_bets": ["streak"]});
    let wagers = "w1 s1 streak_2 500 wins_before=1; w2 s1 main 1000; w3 s1 split 1000 on=w2 hand=2";
    let split = |first: &str, second: &str| {
        let boxes = format!("s1 8C 8D: split 2, deal {first}, stand, 2 deal {second}, 2 stand");
        settled(&mgc(streak(), wagers, &boxes, "TC 8D"))[0]
    };
    assert_eq!(split("TC", "AC"), (Win, 2000), "a push and a win");
    assert_eq!(split("9C", "AC"), (Open, 0), "a loss and a win");
    assert_eq!(split("9C", "TC"), (Lose, 0), "a loss and a push");
    assert_eq!(split("TC", "TD"), (Open, 0), "two pushes");
    let first_win = "w1 s1 streak_2 500; w2 s1 main 1000";
    let round = mgc(streak(), first_win, "s1 KC 9D: stand", "TC 8D");
    assert_eq!(settled(&round)[0], (Open, 0), "the first of two wins");
    let abandoned = mgc(streak(), "w1 s1 streak_2 500 wins_before=1", "", "");
    assert_eq!(settled(&abandoned), [(Lose, 0)]);
}

#[test]
fn raised_odds_are_paid_and_lowered_ones_are_not() {
    let options = json!({"side_bets": ["match_the_dealer", "streak"],
        "pays": {"match_the_dealer": {"suited": "12:1", "unsuited": "3:1"}, "streak": {"2": "7:2"}}});
    let wagers = "w1 s1 match_the_dealer 1000; w2 s1 streak_2 301 wins_before=1; w3 s1 main 1000";
    let round = mgc(options, wagers, "s1 9C 9H: stand", "9C 8D");
    // 12:1 as posted and 4:1 as listed; 7:2 on 301 leaves half a cent.
    assert_eq!(settled(&round)[0], (Win, 17_000));
    assert_eq!(settled(&round)[1], (Win, 301 + 1053));
}

#[test]
fn two_pairs_of_queens_share_the_aggregate_by_their_stakes() {
    let options =
        json!({"side_bets": ["twenty_point_bonus"], "twenty_point_aggregate_max": 2_500_000});
    let wagers = "w1 s1 main 1000; w2 s1 twenty_point_bonus 1000; \
                  w3 s2 main 1000; w4 s2 twenty_point_bonus 2000; \
                  w5 s3 main 1000; w6 s3 twenty_point_bonus 1000";
    let boxes = "s1 QH QH; s2 QH QH; s3 KH JH";
    let round = mgc(options, wagers, boxes, "KC AD");
    let wagers = settled(&round);
    // 3,000,000 would be due; a third and two thirds of 2,500,000, and the suited 20 besides.
    assert_eq!(wagers[1], (Win, 1000 + 833_333));
    assert_eq!(wagers[3], (Win, 2000 + 1_666_666));
    assert_eq!(wagers[5], (Win, 10_000));
}

#[test]
fn a_kings_bounty_win_is_capped_wager_by_wager() {
    let options = json!({"side_bets": ["kings_bounty"], "kings_bounty_max_payout": 5_000_000});
    let wagers =
        "w1 s1 main 1000; w2 s1 kings_bounty 10000; w3 s2 main 1000; w4 s2 kings_bounty 20000";
    let round = ohio(options, wagers, "s1 KS KS; s2 KS KS", "AC KD checked");
    let wagers = settled(&round);
    assert_eq!(wagers[1], (Win, 5_010_000));
    assert_eq!(wagers[3], (Win, 5_020_000));
}

#[test]
fn winners_of_four_aces_share_the_meter_equally() {
    let options = json!({"side_bets": ["progressive"]});
    let wagers = "w1 s1 main 1000; w2 s1 progressive 100; w3 s2 main 1000; w4 s2 progressive 100; \
                  w5 s3 main 1000; w6 s3 progressive 100; w7 s3 split 1000 on=w5 hand=2";
    // Split aces run on in the order of the deal: three aces of two suits in seat 3.
    let boxes = "s1 AH AD: hit AH, hit AD, stand; s2 AC AS: hit AS, hit AC, stand; \
                 s3 AC AH: split 2, deal AC, 2 deal KC";
    let round = mgc(options, wagers, boxes, "9C 9D");
    let round = with(round, "/play/meters", json!({"progressive": 1_000_001}));
    let wagers = settled(&round);
    assert_eq!(wagers[1], (Win, 500_000));
    assert_eq!(wagers[3], (Win, 500_000));
    assert_eq!(wagers[5], (Win, 25_000));
    assert_eq!(open().settle(&round).wagers()[1].win.get(), 499_900);
}

#[test]
fn four_aces_of_mixed_colours_are_three() {
    let options = json!({"side_bets": ["progressive"]});
    let wagers = "w1 s1 main 1000; w2 s1 progressive 100";
    let round = mgc(options, wagers, "s1 AH AD: hit AH, hit AC, stand", "9C 9D");
    assert_eq!(settled(&round)[1], (Win, 25_000));
}

#[test]
fn a_tenth_lowers_the_meter_for_the_next_and_fixed_awards_leave_it_alone() {
    let options = json!({"side_bets": ["blazing_sevens"], "progressive_reset": 1_500_000});
    // Listed out of order: seats are paid in the order in which they were dealt.
    let wagers = "w1 s3 main 1000; w2 s3 blazing_sevens 500; w3 s1 main 1000; w4 s1 blazing_sevens 500; \
                  w5 s2 main 1000; w6 s2 blazing_sevens 500; w7 s4 main 1000; w8 s4 blazing_sevens 500";
    let boxes = "s1 7H 7D: stand; s2 7C 7H: stand; s3 7H 7H: stand; s4 7D 7D: stand";
    let round = ohio(options, wagers, boxes, "7H TC");
    let round = with(round, "/play/meters", json!({"progressive": 1_000_005}));
    let wagers = settled(&round);
    assert_eq!(wagers[3], (Win, 100_000), "seat 1: a tenth of 1,000,005");
    assert_eq!(wagers[5], (Win, 100_000), "seat 2: a fixed award");
    assert_eq!(wagers[1], (Win, 900_005), "seat 3: all that is left");
    assert_eq!(
        wagers[7],
        (Win, 150_000),
        "seat 4: a tenth of the reset value"
    );
}

#[test]
fn super_sevens_look_at_the_bonus_card_but_not_past_a_split() {
    let options = || json!({"side_bets": ["super_sevens"], "hole_card": "reader"});
    let wagers = "w1 s1 main 1000; w2 s1 super_sevens 100; w3 s1 split 1000 on=w1 hand=2";
    let seven = |boxes: &str, dealer: &str| settled(&mgc(options(), wagers, boxes, dealer))[1];
    assert_eq!(
        seven("s1 7C 7C: bonus_card 7C", "KC AD checked"),
        (Win, 500_100)
    );
    assert_eq!(
        seven(
            "s1 7C 7C: split 2, deal 7C, stand, 2 deal 9C, 2 stand",
            "9C 9D"
        ),
        (Win, 10_100)
    );
    assert_eq!(seven("s1 8C 7C: hit 7D, stand", "9C 9D"), (Lose, 0));
    assert_eq!(seven("s1 7C 8C: hit 7D, stand", "9C 9D"), (Win, 400));
}

#[test]
fn over_and_under_count_every_ace_one_and_lose_on_13() {
    let wagers = "w1 s1 over_13 500; w2 s1 under_13 500; w3 s1 main 1000";
    for (cards, over, under) in [
        ("s1 AC KD", Lose, Win),
        ("s1 AC AD: stand", Lose, Win),
        ("s1 KC 3D: stand", Lose, Lose),
        ("s1 KC 4D: stand", Win, Lose),
        ("s1 9C 3D: stand", Lose, Win),
    ] {
        let round = mgc(
            json!({"side_bets": ["over_under_13"]}),
            wagers,
            cards,
            "9C 9D",
        );
        let wagers = settled(&round);
        assert_eq!((wagers[0].0, wagers[1].0), (over, under), "{cards}");
    }
}

#[test]
fn the_optional_bonus_loses_on_17_and_on_three_cards_that_stand() {
    let wagers = "w1 s1 optional_bonus 500; w2 s1 main 1000";
    for (dealer, expected) in [
        ("9C 8D", (Lose, 0)),
        ("AC 6D", (Lose, 0)),
        ("TC 6D 5D", (Lose, 0)),
        ("AC 5D TD KD", (Lose, 0)),
        ("8C 8D 8H", (Win, 4000)),
    ] {
        let round = mgc(
            json!({"side_bets": ["optional_bonus"]}),
            wagers,
            "s1 KC 9D: stand",
            dealer,
        );
        assert_eq!(settled(&round)[0], expected, "{dealer}");
    }
}

#[test]
fn wagers_on_the_first_cards_survive_bust_and_surrender() {
    let options = json!({"side_bets": ["trilux", "royal_match", "kings_bounty"], "decks": 6});
    let wagers = "w1 s1 main 1000; w2 s1 trilux 500; w3 s1 royal_match 500; w4 s1 kings_bounty 500";
    let round = ohio(options, wagers, "s1 KH QH: hit 5C", "AH 9C checked");
    assert_eq!(
        settled(&round),
        [(Lose, 0), (Win, 13_000), (Win, 13_000), (Win, 4_000)]
    );
    let bonuses = open().settle(&round).bonuses().to_vec();
    let bonuses: Vec<_> = bonuses
        .iter()
        .map(|b| (b.kind, b.on.as_str(), &*b.to, b.amount.get()))
        .collect();
    assert_eq!(
        bonuses,
        [
            ("lucky_george", "w2", "toke_pool", 1000),
            ("dealer_envy", "w4", "toke_pool", 200)
        ]
    );
}
