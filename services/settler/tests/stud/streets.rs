//! The stud family from its events, beyond three card poker: streets, boards, withdrawals, up cards.

use catwalk_stories::{codes, open, script, settle};
use serde_json::{Value, json};

const NONE: [&str; 0] = [];

fn play(game: &str, edition: &str, options: Value, lines: &str) -> Vec<Value> {
    let mut bodies = vec![open(game, edition, options)];
    bodies.extend(script(lines));
    bodies
}

/// Seat 1 of four card poker has a pair of tens for three antes against jack high.
fn four_card(deal: &str, payments: &str) -> Vec<String> {
    let lines = format!(
        "open
         bet a 1 ante 1000
         bet u 1 aces_up 500
         bet b 2 ante 1000
         bet v 2 aces_up 500
         no-more-bets
         {deal}
         say 1 play
         bet p 1 play 3000 a
         say 2 fold
         show dealer 0 2S
         show dealer 1 4D
         show dealer 2 7C
         show dealer 3 8H
         show dealer 4 JS
         take u
         pay a 1000
         pay p 3000
         take b
         {payments}
         close"
    );
    codes(&play(
        "four_card_poker",
        "oh-jack-2017",
        json!({"dealing": "hand"}),
        &lines,
    ))
}

const FOUR_CARD_DEAL: &str = "
    card seat 1 TH\ncard seat 2 ??\ncard dealer ??
    card seat 1 TC\ncard seat 2 ??\ncard dealer ??
    card seat 1 7D\ncard seat 2 ??\ncard dealer ??
    card seat 1 3S\ncard seat 2 ??\ncard dealer ??
    card seat 1 2C\ncard seat 2 ??\ncard dealer ??
    card dealer 9D up";

#[test]
fn the_open_card_of_four_card_poker_is_the_sixth() {
    assert_eq!(four_card(FOUR_CARD_DEAL, "take v"), NONE);
    let first = FOUR_CARD_DEAL.replacen("card dealer ??", "card dealer 2S up", 1);
    let first = first.replace("card dealer 9D up", "card dealer 9D");
    let found = four_card(&first, "take v");
    let upcards = found.iter().filter(|code| *code == "deal.upcard");
    assert_eq!(upcards.count(), 1, "{found:?}");
    // It may be told face down and turned over, but not after the first decision.
    let down = FOUR_CARD_DEAL.replace("card dealer 9D up", "card dealer 9D");
    assert_eq!(four_card(&down, "take v"), ["deal.upcard"]);
    let turned = format!("{down}\nshow dealer 5 9D");
    assert_eq!(four_card(&turned, "take v"), NONE);
    // The fifth and the sixth come one right after the other.
    let apart = FOUR_CARD_DEAL.replace(
        "card seat 1 2C\ncard seat 2 ??\ncard dealer ??",
        "card seat 1 2C\ncard dealer ??\ncard seat 2 ??",
    );
    assert_eq!(four_card(&apart, "take v"), ["deal.upcard"]);
}

/// Four cards of the stack from which the dealer's open card comes go away unseen (10.B).
#[test]
fn four_cards_of_an_automated_shoe_need_not_be_told_of() {
    let left = |method: &str, burned: usize, stub: u32| {
        let inspected = json!({"type": "cards_inspected", "set": "A", "missing": [], "extra": [],
            "unsuitable": [], "dealer": "d-1", "supervisor": "s-1"});
        let started = json!({"type": "shoe_started", "shoe": "s", "set": "A", "decks": 1,
            "method": method});
        let counted = json!({"type": "cards_counted", "set": "A", "count": stub, "scope": "stub"});
        let lines = format!(
            "{inspected}\n{started}\nopen\nbet a 1 ante 1000\nno-more-bets
             card seat 1 TH\ncard seat 1 8C\ncard seat 1 7D\ncard seat 1 3S\ncard seat 1 2C
             card dealer ??\ncard dealer ??\ncard dealer ??\ncard dealer ??\ncard dealer ??
             card dealer 9D up\n{}say 1 fold\ntake a\nclose\n{counted}",
            "burn\n".repeat(burned)
        );
        codes(&play("four_card_poker", "oh-jack-2017", json!({}), &lines))
    };
    for told in [left("auto_shoe", 4, 37), left("auto_shoe", 0, 37)] {
        assert_eq!(told, NONE);
    }
    assert_eq!(left("auto_shoe", 0, 41), NONE);
    assert_eq!(left("auto_shoe", 0, 36), ["deck.missing_card"]);
    assert_eq!(left("auto_shoe", 4, 33), ["deck.missing_card"]);
    assert_eq!(left("hand", 0, 37), ["deck.missing_card"]);
}

#[test]
fn aces_up_dies_with_a_fold() {
    let found = four_card(FOUR_CARD_DEAL, "push v");
    assert_eq!(found, ["pay.uncollected", "payout.aces_up_after_fold"]);
}

/// Seat 1 of crazy four poker has king high; the dealer does not qualify.
fn crazy_four(payments: &str) -> Vec<String> {
    let lines = format!(
        "open
         bet a 1 ante 1000
         bet s 1 super_bonus 1000
         card seat 1 KD\ncard seat 1 JC\ncard seat 1 7H\ncard seat 1 5S\ncard seat 1 3C
         card dealer QC\ncard dealer TD\ncard dealer 8S\ncard dealer 6H\ncard dealer 2D
         say 1 play
         bet p 1 play 1000 a
         show dealer 0 QC\nshow dealer 1 TD\nshow dealer 2 8S\nshow dealer 3 6H\nshow dealer 4 2D
         pay p 1000
         {payments}
         close"
    );
    codes(&play("crazy_four_poker", "oh-jack-2017", json!({}), &lines))
}

#[test]
fn crazy_four_poker_returns_the_ante_when_the_dealer_does_not_qualify() {
    assert_eq!(crazy_four("push a\npush s"), NONE);
    let found = crazy_four("pay a 1000\npush s");
    assert_eq!(found, ["pay.over", "payout.ante_paid_no_qualify"]);
    let found = crazy_four("push a\ntake s");
    assert_eq!(found, ["pay.under", "payout.super_bonus_swept"]);
}

/// Caribbean stud against a dealer who does not qualify; seat 2 folds and its cards are never seen.
fn caribbean(options: Value, decided: &str, payments: &str) -> Vec<Value> {
    let lines = format!(
        "open
         bet a 1 ante 1000
         bet b 2 ante 1000
         no-more-bets
         card seat 1 5S\ncard seat 2 ??\ncard dealer KS up
         card seat 1 5D\ncard seat 2 ??\ncard dealer ??
         card seat 1 5C\ncard seat 2 ??\ncard dealer ??
         card seat 1 QH\ncard seat 2 ??\ncard dealer ??
         card seat 1 2S\ncard seat 2 ??\ncard dealer ??
         {decided}
         show dealer 1 9H\nshow dealer 2 TD\nshow dealer 3 8C\nshow dealer 4 3H
         take b
         pay a 1000
         {payments}
         close"
    );
    play("caribbean_stud", "mgc-2017", options, &lines)
}

const CARIBBEAN_DECIDED: &str = "say 1 bet\nbet w 1 bet 2000 a\nsay 2 fold";

#[test]
fn an_unseen_hand_that_folded_has_no_card_in_the_document_of_caribbean_stud() {
    let (findings, rounds) = settle(&caribbean(json!({}), CARIBBEAN_DECIDED, "push w"));
    assert_eq!(findings, []);
    let document = rounds[0].document.as_ref().unwrap();
    assert_eq!(document["play"]["hands"]["2"], json!(vec!["??"; 5]));
}

#[test]
fn a_bet_against_a_dealer_who_does_not_qualify_is_returned() {
    let found = codes(&caribbean(json!({}), CARIBBEAN_DECIDED, "pay w 600000"));
    assert_eq!(
        found,
        [
            "pay.over",
            "caribbean.unqualified_bet_settled",
            "payout.limit_exceeded"
        ]
    );
    let found = codes(&caribbean(json!({}), CARIBBEAN_DECIDED, "pay w 2000"));
    assert_eq!(found, ["pay.over", "caribbean.unqualified_bet_settled"]);
}

#[test]
fn a_seat_that_folded_does_not_bet() {
    let after = "say 1 fold\nbet w 1 bet 2000 a\nsay 2 fold";
    let found = codes(&caribbean(json!({}), after, "push w"));
    assert_eq!(found, ["wager.bet_after_fold"]);
}

#[test]
fn a_bet_after_the_hole_cards_are_open_is_late() {
    let bodies = caribbean(
        json!({}),
        "say 1 bet\nsay 2 fold",
        "bet w 1 bet 2000 a\npush w",
    );
    assert_eq!(codes(&bodies), ["wager.late"]);
}

#[test]
fn the_first_card_of_the_dealer_is_the_open_one() {
    let mut bodies = caribbean(json!({}), CARIBBEAN_DECIDED, "push w");
    let place = |bodies: &[Value], nth: usize| {
        let mut house = bodies
            .iter()
            .enumerate()
            .filter(|(_, body)| body["type"] == "card_dealt" && body["to"] == "dealer");
        house.nth(nth).unwrap().0
    };
    let (first, second) = (place(&bodies, 0), place(&bodies, 1));
    bodies.swap(first, second);
    let found = codes(&bodies);
    assert!(found.contains(&"deal.order".to_owned()), "{found:?}");
    // An automated shoe deals a stack whose bottom card is turned up.
    let mut bodies = caribbean(
        json!({"dealing": "automated_shoe", "shuffle": "machine"}),
        CARIBBEAN_DECIDED,
        "push w",
    );
    bodies.swap(first, second);
    let found = codes(&bodies);
    assert!(!found.contains(&"deal.order".to_owned()), "{found:?}");
}

/// Double down stud: a pair of nines with the hole card, a push.
fn double_down(deal: &str, doubled: &str, payments: &str) -> Vec<String> {
    let lines = format!(
        "open
         bet b 1 bet 1500
         no-more-bets
         {deal}
         {doubled}
         no-more-bets
         show dealer 0 QC
         {payments}
         close"
    );
    codes(&play("double_down_stud", "mgc-2017", json!({}), &lines))
}

const DOUBLE_DEAL: &str =
    "card seat 1 9D up\ncard dealer ??\ncard dealer 9S up\ncard dealer 6H up\ncard dealer 3D up";

#[test]
fn a_double_has_its_time_between_the_common_cards_and_the_second_call() {
    let double = "bet d 1 double_down 1000 b";
    assert_eq!(double_down(DOUBLE_DEAL, double, "push b\npush d"), NONE);
    let late = double_down(
        DOUBLE_DEAL,
        "",
        "bet d 1 double_down 1000 b\npush b\npush d",
    );
    assert_eq!(late, ["wager.late"]);
    let early = DOUBLE_DEAL.replace(
        "card dealer 6H",
        "bet d 1 double_down 1000 b\ncard dealer 6H",
    );
    assert_eq!(
        double_down(&early, "", "push b\npush d"),
        ["wager.double_before_deal"]
    );
}

#[test]
fn a_double_stays_after_the_second_call() {
    let found = |lines: &str, payments: &str| {
        let lines = format!(
            "open\nbet b 1 bet 1500\nno-more-bets\n{DOUBLE_DEAL}\nbet d 1 double_down 1000 b
             {lines}\nshow dealer 0 QC\n{payments}\nclose"
        );
        codes(&play("double_down_stud", "mgc-2017", json!({}), &lines))
    };
    let back = "push b\npush d";
    assert_eq!(found("raise d 500\nno-more-bets", back), NONE);
    assert_eq!(found("no-more-bets\nraise d 500", back), ["wager.pinched"]);
    assert_eq!(found("no-more-bets\nraise d 1500", back), ["wager.capped"]);
    // 8(c),(d): until the second call it may be taken back, whoever has doubled since.
    let between = "say 2 stand\nremove d\nno-more-bets";
    assert_eq!(found(between, "push b"), NONE);
    assert_eq!(found("no-more-bets\nremove d", "push b"), ["wager.pinched"]);
}

#[test]
fn a_pair_of_nines_is_neither_collected_nor_paid() {
    assert_eq!(double_down(DOUBLE_DEAL, "", "push b"), NONE);
    assert_eq!(
        double_down(DOUBLE_DEAL, "", "take b"),
        ["pay.under", "payout.push_settled"]
    );
    assert_eq!(
        double_down(DOUBLE_DEAL, "", "pay b 1500"),
        ["pay.over", "payout.push_settled"]
    );
}

#[test]
fn the_hidden_common_card_is_the_first() {
    let wrong = "card seat 1 9D up\ncard dealer QC up\ncard dealer ??\ncard dealer 6H up\ncard dealer 3D up";
    let found = double_down(wrong, "", "show dealer 1 9S\npush b");
    assert!(found.contains(&"deal.order".to_owned()), "{found:?}");
}

#[test]
fn the_board_is_turned_over_from_left_to_right() {
    let lines = "open
         bet b1 1 bet_1 1000\nbet b2 1 bet_2 1000\nbet b3 1 bet_3 1000
         no-more-bets
         card seat 1 JS\ncard community ??
         card seat 1 JD\ncard community ??
         card seat 1 4C\ncard community ??
         show community 2 9S
         show community 1 4H
         pay b1 2000\npay b2 2000\npay b3 2000
         close";
    let bodies = play("let_it_ride", "mgc-2017", json!({}), lines);
    assert_eq!(codes(&bodies), ["deal.wrong_community_order"]);
}

/// Mississippi stud: seat 1 pairs its queen, seat 2 folds on third street with a bonus.
fn mississippi(third: &str, after_first: &str, end: &str) -> Vec<String> {
    let lines = format!(
        "open
         bet a 1 ante 1000
         bet b 2 ante 500
         bet c 2 three_card_bonus 500
         card seat 1 QS\ncard seat 2 ??
         card seat 1 7D\ncard seat 2 ??
         {third}
         burn\ncard community QH up
         {after_first}
         say 1 bet\nbet s4 1 fourth_street 3000 a
         burn\ncard community 9C up
         say 1 bet\nbet s5 1 fifth_street 3000 a
         burn\ncard community 2D up
         pay a 1000\npay s3 1000\npay s4 3000\npay s5 3000
         {end}
         close"
    );
    codes(&play("mississippi_stud", "oh-jack-2017", json!({}), &lines))
}

const THIRD: &str = "say 1 bet\nbet s3 1 third_street 1000 a\nsay 2 fold\ntake b";

#[test]
fn a_street_has_its_time_until_its_card_is_open() {
    assert_eq!(mississippi(THIRD, "", "take c"), NONE);
    let late = "say 2 fold\ntake b";
    let found = mississippi(late, "bet s3 1 third_street 1000 a", "take c");
    assert_eq!(found, ["wager.late"]);
    let found = mississippi(late, "say 1 bet\nbet s3 1 third_street 1000 a", "take c");
    assert_eq!(found, ["deal.community_early", "wager.late"]);
}

#[test]
fn a_street_once_bet_stays() {
    let found = mississippi(THIRD, "raise s3 2000", "take c");
    assert_eq!(found, ["wager.capped"]);
    // 11.B.i: also while the dealer is at the seat, unless he puts a wrong amount right.
    let street = "bet s3 1 third_street 1000 a";
    let raised = THIRD.replace(street, &format!("{street}\nraise s3 2000"));
    assert_eq!(mississippi(&raised, "", "take c"), ["wager.capped"]);
    let corrected = "bet s3 1 third_street 3500 a\nraise s3 1000";
    let corrected = THIRD.replace(street, corrected);
    assert_eq!(mississippi(&corrected, "", "take c"), NONE);
    // 8.D: any amount between one and three antes is lawful, and stays.
    let between = THIRD.replace(street, "bet s3 1 third_street 1500 a");
    let found = mississippi(&between, "", "take c");
    assert_eq!(found, ["pay.under"], "as if 1000 lay there");
    assert_eq!(
        mississippi(THIRD, "raise a 500", "take c"),
        ["wager.pinched"]
    );
}

/// 7.C of mississippi stud and, in Ohio, of let it ride: the first card is the cut-off, and not the call.
#[test]
fn in_ohio_wagers_are_free_until_the_first_card() {
    let mississippi = |before: &str, after: &str, end: &str| {
        let lines = format!(
            "open\nbet a 1 ante 1000\nno-more-bets\n{before}
             card seat 1 QS\n{after}\ncard seat 1 7D
             say 1 fold\ntake a\n{end}\nclose"
        );
        codes(&play("mississippi_stud", "oh-jack-2017", json!({}), &lines))
    };
    let progressive = "bet b 2 ante 500\nremove b\nraise a 1500";
    assert_eq!(mississippi(progressive, "", ""), NONE);
    assert_eq!(mississippi("", "raise a 1500", ""), ["wager.capped"]);
    let late = mississippi("", "bet b 2 ante 500\npush b", "");
    assert_eq!(late, ["wager.late"]);
    let let_it_ride = |edition: &str, before: &str| {
        let lines = format!(
            "open\nbet x 1 bet_1 500\nbet y 1 bet_2 500\nbet z 1 bet_3 500\nno-more-bets\n{before}
             card seat 1 JS\ncard seat 1 JD\ncard seat 1 4C\ncard community ??\ncard community ??
             show community 0 4H\nshow community 1 9S
             pay x 1000\npay y 1000\npay z 1000\npay c 500\nclose"
        );
        codes(&play("let_it_ride", edition, json!({}), &lines))
    };
    let bonus = "bet c 1 three_card_bonus 500";
    assert_eq!(let_it_ride("oh-jack-2017", bonus), NONE);
    assert_eq!(let_it_ride("mgc-2017", bonus), ["wager.late"]);
}

/// 13.E: in a void round all wagers go back, also those of a player who had folded.
#[test]
fn a_jammed_shoe_gives_back_what_was_taken_of_a_folded_hand() {
    let jammed = |back: &str| {
        let lines = format!(
            "open\nbet a 1 ante 1000\nbet b 2 ante 500\nbet g 2 progressive 100\ntake g
             card seat 1 QS\ncard seat 2 ??\ncard seat 1 7D\ncard seat 2 ??
             say 1 bet\nbet s 1 third_street 1000 a\nsay 2 fold\ntake b
             called shoe_failure\npush a\npush s\n{back}
             {{\"type\": \"round_voided\", \"reason\": \"the shoe jammed\"}}
             {{\"type\": \"clock\"}}"
        );
        let options = json!({"dealing": "automated_shoe", "progressive": true});
        codes(&play("mississippi_stud", "oh-jack-2017", options, &lines))
    };
    assert_eq!(jammed("push b"), NONE);
    assert_eq!(jammed("push b\npush g"), NONE);
    assert_eq!(jammed(""), ["pay.under"]);
    assert_eq!(jammed("push b\npay a 1000"), ["pay.over"]);
}

#[test]
fn a_folded_bonus_lives_until_the_board_is_complete_and_a_folded_ante_is_taken() {
    let found = mississippi(THIRD, "take c", "");
    assert_eq!(found, ["wager.folded_bonus_taken"]);
    let found = mississippi(&THIRD.replace("take b", ""), "", "take c");
    assert_eq!(found, ["pay.uncollected", "wager.fold_not_collected"]);
}

#[test]
fn burned_cards_are_counted_also_unseen() {
    let twice = format!("{THIRD}\nburn");
    assert_eq!(mississippi(&twice, "", "take c"), ["deal.burn"]);
}

#[test]
fn an_award_that_waits_for_identification_is_noted() {
    let lines = json!({"type": "irregularity", "kind": "deferred_no_id", "ruling": "cage"});
    let found = mississippi(THIRD, &lines.to_string(), "take c");
    assert_eq!(found, ["progressive.deferred_no_id"]);
}

/// DJ Wild: seat 1 folds with a live bad beat that loses; the joker is a card of the deck.
fn dj_wild(decided: &str, payments: &str) -> Vec<String> {
    let lines = format!(
        "open
         bet a 1 ante 500\nbet b 1 blind 500\nbet t 1 two_way_bad_beat 1000
         no-more-bets
         card seat 1 3S\ncard seat 1 5D\ncard seat 1 7C\ncard seat 1 TH\ncard seat 1 6S
         card dealer ??\ncard dealer ??\ncard dealer ??\ncard dealer ??\ncard dealer ??
         {decided}
         take a\ntake b
         {payments}
         close"
    );
    codes(&play("dj_wild", "oh-jack-2017", json!({}), &lines))
}

const DEALER: &str =
    "show dealer 0 JK\nshow dealer 1 9S\nshow dealer 2 9C\nshow dealer 3 KH\nshow dealer 4 5H";

#[test]
fn a_folded_bad_beat_waits_for_the_dealers_hand() {
    assert_eq!(dj_wild("say 1 fold", &format!("{DEALER}\ntake t")), NONE);
    let early = dj_wild("say 1 fold\ntake t", DEALER);
    assert_eq!(early, ["wager.folded_badbeat_taken"]);
}

#[test]
fn a_dealers_card_that_is_seen_before_the_last_decision_is_told() {
    let found = dj_wild("show dealer 0 JK\nsay 1 fold", &format!("{DEALER}\ntake t"));
    assert_eq!(found, ["deal.dealer_card_exposed"]);
    // Who plays on then has bet in time; who bets against the dealer's hand has not.
    let played = |before: &str, after: &str| {
        let decided = format!("{before}\nsay 1 play\nbet p 1 play 1000 a\n{after}");
        dj_wild(&decided, "take t\ntake p")
    };
    let found = played("show dealer 0 JK", DEALER);
    assert_eq!(found, ["deal.dealer_card_exposed"]);
    let late = played(DEALER, "");
    assert!(late.contains(&"wager.late".to_owned()), "{late:?}");
}

#[test]
fn a_card_found_face_up_voids_dj_wild() {
    let boxed = json!({"type": "irregularity", "kind": "face_up_card", "ruling": "play on"});
    let found = dj_wild(
        &format!("{boxed}\nsay 1 fold"),
        &format!("{DEALER}\ntake t"),
    );
    assert!(found.contains(&"deal.face_up_card".to_owned()), "{found:?}");
}

/// A dealer's hand in hidden cards, turned over.
fn dealer_of(cards: [&str; 5]) -> (String, String) {
    let dealt = "card dealer ??\n".repeat(5);
    let shown = cards.iter().enumerate();
    let shown = shown.map(|(index, card)| format!("show dealer {index} {card}\n"));
    (dealt, shown.collect())
}

/// Equal hands of four card poker are the player's.
#[test]
fn a_tie_of_four_card_poker_is_paid() {
    let tie = |payments: &str| {
        let (dealt, shown) = dealer_of(["AH", "AC", "KD", "QS", "3C"]);
        let lines = format!(
            "open
             bet a 1 ante 1000\nno-more-bets
             card seat 1 AS\ncard seat 1 AD\ncard seat 1 KH\ncard seat 1 QC\ncard seat 1 2D
             {dealt}\ncard dealer 4H up
             say 1 play\nbet p 1 play 1000 a
             {shown}\n{payments}\nclose"
        );
        codes(&play("four_card_poker", "oh-jack-2017", json!({}), &lines))
    };
    assert_eq!(tie("pay a 1000\npay p 1000"), NONE);
    let tied = ["pay.unpaid", "payout.tie_not_paid"];
    assert_eq!(tie("push a\npay p 1000"), tied);
    assert_eq!(tie("pay a 1000\ntake p"), tied);
}

/// A beaten three of a kind of four card poker keeps its bonus.
#[test]
fn the_bonus_of_a_beaten_ante_is_paid() {
    let beaten = |bonus: &str| {
        let (dealt, shown) = dealer_of(["KH", "KC", "KD", "KS", "3C"]);
        let lines = format!(
            "open
             bet a 1 ante 1000\nno-more-bets
             card seat 1 9S\ncard seat 1 9D\ncard seat 1 9H\ncard seat 1 QC\ncard seat 1 2D
             {dealt}\ncard dealer 4H up
             say 1 play\nbet p 1 play 3000 a
             {shown}\ntake a\ntake p\n{bonus}\nclose"
        );
        codes(&play("four_card_poker", "oh-jack-2017", json!({}), &lines))
    };
    assert_eq!(beaten("pay a 2000"), NONE);
    assert_eq!(beaten(""), ["pay.unpaid", "payout.bonus_missed"]);
}

/// A folded hand of crazy four poker loses everything it could win with.
#[test]
fn queens_up_and_the_progressive_die_with_a_fold() {
    let folded = |payments: &str| {
        let lines = format!(
            "open
             bet a 1 ante 1000\nbet s 1 super_bonus 1000\nbet q 1 queens_up 500
             bet g 1 progressive 100
             card seat 1 QS\ncard seat 1 QD\ncard seat 1 QH\ncard seat 1 7C\ncard seat 1 2D
             card dealer ??\ncard dealer ??\ncard dealer ??\ncard dealer ??\ncard dealer ??
             say 1 fold\ntake a\ntake s\n{payments}\nclose"
        );
        codes(&play("crazy_four_poker", "oh-jack-2017", json!({}), &lines))
    };
    assert_eq!(folded("take q\ntake g"), NONE);
    assert_eq!(
        folded("push q\ntake g"),
        ["pay.uncollected", "payout.queens_up_after_fold"]
    );
    assert_eq!(
        folded("take q\npay g 900"),
        ["pay.undue", "progressive.folded_paid"]
    );
}

/// Natural threes against the dealer's nines: trips pays 6 to 1, and 1 to 1 where a card is wild.
#[test]
fn trips_of_dj_wild_has_two_columns_and_the_dealer_says_what_he_has() {
    let threes = |said: &str, trips: &str| {
        let lines = format!(
            "open
             bet a 1 ante 500\nbet b 1 blind 500\nbet t 1 trips 500\nno-more-bets
             card seat 1 3S\ncard seat 1 3D\ncard seat 1 3C\ncard seat 1 TH\ncard seat 1 6S
             card dealer ??\ncard dealer ??\ncard dealer ??\ncard dealer ??\ncard dealer ??
             say 1 play\nbet p 1 play 1000 a
             {DEALER}\n{said}
             take a\ntake b\ntake p\n{trips}\nclose"
        );
        codes(&play("dj_wild", "oh-jack-2017", json!({}), &lines))
    };
    assert_eq!(threes("", "pay t 3000"), NONE);
    assert_eq!(
        threes("", "pay t 500"),
        ["pay.under", "dj.wild_natural_column"]
    );
    assert_eq!(threes("", "pay t 2000"), ["pay.under"]);
    assert_eq!(threes("say 0 announce~three~of~a~kind", "pay t 3000"), NONE);
    assert_eq!(
        threes("say 0 announce~pair", "pay t 3000"),
        ["dj.hand_misread"]
    );
}

#[test]
fn chips_of_the_let_it_ride_bonus_are_all_taken_in() {
    let lifted = |lifted: &str, end: &str| {
        let bets = |seat: u32| {
            let bet = |bet: u32| format!("bet b{seat}{bet} {seat} bet_{bet} 1000\n");
            let bets: String = (1..=3).map(bet).collect();
            format!("{bets}bet x{seat} {seat} let_it_ride_bonus 100\n")
        };
        let lines = format!(
            "open\n{}{}no-more-bets\n{lifted}
             card seat 1 JS\ncard seat 2 2D\ncard community ??
             card seat 1 JD\ncard seat 2 5H\ncard community ??
             card seat 1 4C\ncard seat 2 7S\ncard community ??
             say 1 ride\nsay 2 ride\nshow community 1 4H
             say 1 ride\nsay 2 ride\nshow community 2 9S
             take b21\ntake b22\ntake b23
             pay b11 2000\npay b12 2000\npay b13 2000\npay x1 400\n{end}
             close",
            bets(1),
            bets(2)
        );
        codes(&play("let_it_ride", "mgc-2017", json!({}), &lines))
    };
    let honest = lifted("take x1\ntake x2", "");
    let mismatch = |codes: &[String]| codes.contains(&"bonus.count_mismatch".to_owned());
    assert!(!mismatch(&honest), "{honest:?}");
    let left = lifted("take x1", "take x2");
    assert!(mismatch(&left), "{left:?}");
}

#[test]
fn a_pay_table_that_the_edition_does_not_have_is_told() {
    let table = |name: &str| {
        let lines = "open\nbet b1 1 bet_1 1000\nbet b2 1 bet_2 1000\nbet b3 1 bet_3 1000
            no-more-bets
            card seat 1 JS\ncard community ??\ncard seat 1 JD\ncard community ??
            card seat 1 4C\ncard community ??
            say 1 ride\nshow community 1 4H\nsay 1 ride\nshow community 2 9S
            pay b1 2000\npay b2 2000\npay b3 2000\nclose";
        let options = json!({"three_card_bonus_paytable": name});
        codes(&play("let_it_ride", "mgc-2017", options, lines))
    };
    assert_eq!(table("F"), NONE);
    let found = table("standard");
    assert!(
        found.contains(&"config.paytable_unknown".to_owned()),
        "{found:?}"
    );
}
