//! Least amounts, wagers that are none, and who is asked.

use serde_json::json;

use super::{mgc, ohio, open, settled};
use crate::games::shared::testround::with;
use crate::settlement::Verdict::{Lose, Void, Win};

#[test]
fn blazing_sevens_of_another_amount_or_beside_no_main_goes_back() {
    let of = |wagers: &str| {
        let options = json!({"side_bets": ["blazing_sevens"]});
        let round = ohio(options, wagers, "s1 7H 2D: stand", "9C 9D");
        (settled(&round), open().violations(&round))
    };
    let (wrong, codes) = of("w1 s1 main 1000; w2 s1 blazing_sevens 2000");
    assert_eq!(
        (wrong[1], codes),
        ((Void, 2000), vec!["wager.fixed_amount"])
    );
    let (alone, codes) = of("w1 s1 main 1000; w2 s1 blazing_sevens 500 player=b");
    assert_eq!(
        (alone[1], codes),
        ((Void, 500), vec!["wager.side_without_main"])
    );
    let (right, codes) = of("w1 s1 main 1000; w2 s1 blazing_sevens 500");
    assert_eq!((right[1], codes.len()), ((Win, 1000), 0));
}

#[test]
fn a_chip_that_is_no_progressive_wager_needs_no_meter_and_leaves_it_alone() {
    let options = json!({"side_bets": ["blazing_sevens"]});
    let wagers =
        "w1 s1 main 1000; w2 s1 blazing_sevens 1000; w3 s2 main 1000; w4 s2 blazing_sevens 500";
    let boxes = "s1 7C 7C: stand; s2 7S 7S: stand";
    let alone = ohio(
        options.clone(),
        wagers,
        "s1 7C 7C: stand; s2 7S 2S: stand",
        "7C TC",
    );
    assert_eq!(settled(&alone)[1], (Void, 1000));
    let both = ohio(options, wagers, boxes, "7S TC");
    let both = with(both, "/play/meters", json!({"progressive": 4_000_000}));
    assert_eq!(settled(&both)[3], (Win, 4_000_000));
}

#[test]
fn an_ohio_hand_that_was_surrendered_plays_on() {
    let round = |dealer: &str| ohio(json!({}), "w1 s1 main 2000", "s1 KC 4D: surrender", dealer);
    assert_eq!(settled(&round("8C TD"))[0], (Lose, 0));
    assert_eq!(settled(&round("8C 5D TH"))[0], (Win, 4000));
    // It is live for the dealer's draw.
    let short = round("8C 5D");
    let codes = open().violations(&short);
    assert_eq!(
        codes,
        ["dealer.stood_short", "decision.surrender_not_offered"]
    );
    // In Massachusetts section 8 settles one that was taken, offered or not.
    let barred = mgc(json!({}), "w1 s1 main 2000", "s1 KC 4D: surrender", "8C TD");
    assert_eq!(settled(&barred)[0], (Lose, 1000));
}

#[test]
fn a_bonus_display_below_the_least_amount_pays_the_least_amount() {
    let of = |stake: i64, display: i64| {
        let wagers = format!("w1 s1 main 1000; w2 s1 blackjack_bonus {stake}");
        let round = mgc(
            json!({"side_bets": ["blackjack_bonus"]}),
            &wagers,
            "s1 AD QC",
            "8C",
        );
        let round = with(round, "/play/boxes/0/bonus_display", json!(display));
        let flagged = !open().violations(&round).is_empty();
        (settled(&round)[1].1 - stake, flagged)
    };
    assert_eq!(of(500, 2000), (5000, true));
    assert_eq!(of(100, 499), (500, true));
    assert_eq!(of(100, 500), (500, false), "exactly the least amount");
    assert_eq!(of(500, 5000), (5000, false));
    assert_eq!(
        of(500, 600_000),
        (600_000, true),
        "above the most: as shown"
    );
}

#[test]
fn every_winner_of_a_shared_box_has_a_display_of_his_own() {
    let options = json!({"side_bets": ["blackjack_bonus"], "players_per_box": 2});
    let wagers = "w1 s1 main 1000; w2 s1 blackjack_bonus 100; w3 s1 main 1000 player=b; \
                  w4 s1 blackjack_bonus 100 player=b";
    let round = mgc(options, wagers, "s1 AD QC", "8C");
    let shared = with(round.clone(), "/play/boxes/0/bonus_display", json!(900));
    let refusal = open().refusal(&shared);
    assert!(
        refusal.starts_with("play.boxes[0].bonus_display: "),
        "{refusal}"
    );
    // His own comes before that of the box, also where it showed nothing.
    let own = with(shared, "/wagers/3/bonus_display", json!(700));
    assert_eq!((settled(&own)[1].1, settled(&own)[3].1), (1000, 800));
    let dark = with(own, "/wagers/3/bonus_display", json!(null));
    assert_eq!(settled(&dark)[3].1, 2200);
    assert_eq!(settled(&round)[3].1, 2200, "no display at all");
}

#[test]
fn only_an_ace_and_a_face_card_are_a_designated_blackjack() {
    let of = |designated: [&str; 2], hand: &str| {
        let options =
            json!({"bonus_payouts": ["designated_blackjack"], "designated_blackjack": designated});
        settled(&mgc(
            options,
            "w1 s1 main 1000",
            &format!("s1 {hand}"),
            "8C",
        ))[0]
            .1
    };
    assert_eq!(of(["AD", "TD"], "AD TD"), 2500);
    assert_eq!(of(["AD", "KD"], "KD AD"), 3000);
    assert_eq!(of(["KD", "AD"], "AD KD"), 3000);
}

#[test]
fn a_payout_limit_below_the_least_one_counts_as_the_least_one() {
    let twenty = |most: i64, limits: serde_json::Value| {
        let options = json!({"side_bets": ["twenty_point_bonus"], "hole_card": "reader",
            "twenty_point_aggregate_max": most, "limits": limits});
        let wagers = "w1 s1 main 1000; w2 s1 twenty_point_bonus 4000";
        let round = mgc(options, wagers, "s1 QH QH", "KD AC checked");
        settled(&round)[1].1 - 4000
    };
    assert_eq!(twenty(2_000_000, json!({})), 2_500_000);
    assert_eq!(twenty(2_600_000, json!({})), 2_600_000, "a lawful one");
    let minimum = json!({"twenty_point_bonus": {"min": 3000}});
    assert_eq!(twenty(2_600_000, minimum), 3_000_000);
    let bounty = |most: i64| {
        let options = json!({"side_bets": ["kings_bounty"], "kings_bounty_max_payout": most});
        let wagers = "w1 s1 main 1000; w2 s1 kings_bounty 20000";
        settled(&ohio(options, wagers, "s1 KS KS", "AC TD checked"))[1].1 - 20_000
    };
    assert_eq!(bounty(3_000_000), 5_000_000);
    assert_eq!(bounty(6_000_000), 6_000_000);
}

#[test]
fn the_seated_player_calls_the_box_however_the_wagers_are_listed() {
    let of = |wagers: &str| {
        let options = json!({"players_per_box": 2});
        open().violations(&mgc(options, wagers, "s1 5C 6D: double 9H", "9C 9D"))
    };
    let guest_first = "w1 s1 main 1000 player=b; w2 s1 main 1000; w3 s1 double 1000 on=w2";
    assert!(of(guest_first).is_empty());
    let guest_doubles =
        "w1 s1 main 1000 player=b; w2 s1 main 1000; w3 s1 double 1000 on=w1 player=b";
    assert_eq!(of(guest_doubles), ["decision.double_without_wager"]);
    let nobody_seated = "w1 s1 main 1000 player=b; w2 s1 main 1000 player=c; \
                         w3 s1 double 1000 on=w1 player=b";
    assert!(of(nobody_seated).is_empty());
}
