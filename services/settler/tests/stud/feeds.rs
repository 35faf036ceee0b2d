//! Stud games in the words of other feeds: stakes that only a decision tells of, cards that are seen too
//! early, misdeals in words.

use catwalk_stories::{codes, table};
use serde_json::{Value, json};

const NONE: [&str; 0] = [];

fn play(game: &str, edition: &str, lines: &str) -> Vec<String> {
    codes(&table(game, edition, json!({}), lines))
}

/// Caribbean stud: three fives at seat 1 against ace king, nothing at seat 2.
fn caribbean(decided: &str, payments: &str) -> Vec<String> {
    let deal = [
        ["5S", "9H", "KS up"],
        ["5D", "7D", "??"],
        ["5C", "6C", "??"],
        ["QH", "4S", "??"],
        ["2S", "2D", "??"],
    ];
    let deal = deal.map(|[one, two, dealer]| {
        format!("card seat 1 {one}\ncard seat 2 {two}\ncard dealer {dealer}\n")
    });
    let deal = deal.concat();
    let lines = format!(
        "open
         bet a 1 ante 1000\nbet b 2 ante 1000
         no-more-bets
         {deal}{decided}
         show dealer 1 AH\nshow dealer 2 TD\nshow dealer 3 8C\nshow dealer 4 3H
         {payments}
         close"
    );
    play("caribbean_stud", "mgc-2017", &lines)
}

#[test]
fn a_bet_that_is_twice_the_ante_needs_no_amount() {
    // Three to one on 2000, and the ante.
    for word in ["bet", "raise", "play", "Bet~2x"] {
        let told = format!("say 1 {word}\nsay 2 fold");
        assert_eq!(caribbean(&told, "take b\npay a 7000"), NONE, "{word}");
        assert_eq!(caribbean(&told, "take b\npay a 1000"), NONE, "{word}");
        let over = caribbean(&told, "take b\npay a 9000");
        assert_eq!(over, ["pay.over"], "{word}");
    }
    let folded = caribbean("say 1 fold\nsay 2 fold", "take b\npay a 1000");
    assert_eq!(folded, ["pay.undue"]);
}

#[test]
fn a_bet_that_a_word_told_of_is_the_one_that_names_the_wrong_wager() {
    let told = "say 1 bet\nbet p 1 bet 2000 b\nsay 2 fold";
    let found = caribbean(told, "take b\npay a 1000\npay p 6000");
    assert_eq!(found, ["wager.bad_reference"]);
}

#[test]
fn a_hole_card_that_is_seen_before_the_last_decision_voids_caribbean_stud() {
    let seen = "say 1 bet\nbet p 1 bet 2000 a\nshow dealer 2 TD\nsay 2 bet\nbet q 2 bet 2000 b";
    let void = "push a\npush p\npush b\npush q";
    let exposed = "deal.hole_card_exposed";
    assert_eq!(caribbean(seen, void), [exposed]);
    let played_on = "take q\ntake b\npay a 1000\npay p 6000";
    let found = caribbean(seen, played_on);
    let both_seats = [exposed, "pay.over", "pay.under", "pay.over", "pay.under"];
    assert_eq!(found, both_seats);
    // What the dealer turns over when all have decided is in its time.
    let decided = "say 1 bet\nbet p 1 bet 2000 a\nsay 2 bet\nbet q 2 bet 2000 b\nshow dealer 2 TD";
    assert_eq!(caribbean(decided, played_on), NONE);
}

#[test]
fn a_seat_that_is_misdealt_may_be_named_in_words_or_by_its_cards() {
    let paid = "push b\npay a 1000\npay p 6000";
    let decided = "say 1 bet\nbet p 1 bet 2000 a";
    let told = [
        r#"called card_count {"seat": 2, "dealt": 6}"#,
        r#"{"type": "irregularity", "kind": "card_count", "ruling": "void", "detail": "seat 2 has six"}"#,
        "card seat 2 AC\ncalled card_count",
        "card seat 2 AC",
    ];
    for told in told {
        let found = caribbean(&format!("{told}\n{decided}"), paid);
        assert_eq!(found, ["deal.card_count"], "{told}");
    }
    let dealer = r#"called card_count {"area": "dealer", "dealt": 6}"#;
    let found = caribbean(&format!("{dealer}\n{decided}"), paid);
    assert_eq!(found, ["deal.card_count", "pay.over", "pay.over"]);
}

/// Double down stud: a pair of queens for 1500.
fn double_down(after_the_deal: &str, payment: &str) -> Vec<String> {
    let lines = format!(
        "open
         bet w 1 bet 1500
         no-more-bets
         card seat 1 QH up
         card dealer QC\ncard dealer 9S up\ncard dealer 6H up\ncard dealer 3D up
         {after_the_deal}
         {payment}
         close"
    );
    play("double_down_stud", "mgc-2017", &lines)
}

#[test]
fn a_hole_card_that_is_seen_before_the_second_call_voids_double_down_stud() {
    let exposed = "deal.hole_card_exposed";
    let early = "show dealer 0 QC\nno-more-bets";
    assert_eq!(double_down(early, "push w"), [exposed]);
    assert_eq!(double_down(early, "pay w 1500"), [exposed, "pay.over"]);
    assert_eq!(
        double_down("no-more-bets\nshow dealer 0 QC", "pay w 1500"),
        NONE
    );
    // A feed that tells no second call does not tell.
    assert_eq!(double_down("show dealer 0 QC", "pay w 1500"), NONE);
}

/// Mississippi stud: queens, each street decided in one of these words.
fn mississippi(words: [&str; 3], payment: &str) -> Vec<String> {
    let [third, fourth, fifth] = words;
    let lines = format!(
        "open
         bet a 1 ante 1000
         no-more-bets
         card seat 1 QS\ncard seat 1 7D
         say 1 {third}\ncard community QH up
         say 1 {fourth}\ncard community 9C up
         say 1 {fifth}\ncard community 2D up
         {payment}
         close"
    );
    play("mississippi_stud", "oh-jack-2017", &lines)
}

#[test]
fn a_street_may_be_told_as_so_many_times_the_ante() {
    assert_eq!(mississippi(["1x", "bet_3x", "3X"], "pay a 8000"), NONE);
    let over = mississippi(["1x", "bet~2x", "3x"], "pay a 8000");
    assert_eq!(over, ["pay.over"]);
    let fourfold = mississippi(["1x", "4x", "3x"], "pay a 9000");
    assert_eq!(fourfold, ["wager.bad_multiple"]);
}

/// Told by its decision and by its chips a street is one wager, whichever ante the chips are said to be on; it
/// is settled by its seat.
#[test]
fn a_street_on_the_ante_of_another_seat_is_one_wager_with_a_wrong_reference() {
    let streets = |on: &str, more: &str| {
        let third = |seat: u32, amount: i64| {
            json!({"type": "decision", "seat": seat, "action": "bet", "amount": amount}).to_string()
        };
        let lines = format!(
            "open\nbet a 1 ante 1000\nbet b 2 ante 500\nno-more-bets
             card seat 1 QS\ncard seat 2 3H\ncard seat 1 7D\ncard seat 2 4S
             {}\nbet t 1 third_street 1000 {on}\n{}\nbet u 2 third_street 500 b\n{more}
             card community QH up
             say 1 1x\nbet f 1 fourth_street 1000 a\nsay 2 fold\ntake b\ntake u
             card community 9C up\nbet v 1 fifth_street 3000 a\nsay 1 3x
             card community 2D up
             pay a 1000\npay t 1000\npay f 1000\npay v 3000\nclose",
            third(1, 1000),
            third(2, 500)
        );
        play("mississippi_stud", "oh-jack-2017", &lines)
    };
    assert_eq!(streets("a", ""), NONE);
    assert_eq!(streets("b", ""), ["wager.bad_reference"]);
    let again = streets("a", "bet x 1 third_street 1000 a\npush x");
    assert_eq!(again, ["wager.street_out_of_order"]);
    let bet = json!({"type": "decision", "seat": 1, "action": "bet", "amount": 2000});
    let told = |on: &str| format!("{bet}\nbet p 1 bet 2000 {on}\nsay 2 fold");
    let paid = "take b\npay a 1000\npay p 6000";
    assert_eq!(caribbean(&told("a"), paid), NONE);
    assert_eq!(caribbean(&told("b"), paid), ["wager.bad_reference"]);
}

/// 11 of mississippi stud: who leaves a street out has folded, and a later street goes back. It is no late decision
/// on the street that was left out, which its chips would say.
#[test]
fn a_street_that_is_left_out_is_not_decided_late() {
    let streets = |fifth: &str, end: &str| {
        let lines = format!(
            "open\nbet a 1 ante 1000\nno-more-bets\ncard seat 1 QS\ncard seat 1 7D
             say 1 bet\nbet t 1 third_street 1000 a\ncard community QH up
             card community 9C up\n{fifth}\ncard community 2D up\n{end}\nclose"
        );
        play("mississippi_stud", "oh-jack-2017", &lines)
    };
    let lost = "take a\ntake t";
    let out_of_order = ["wager.street_out_of_order"];
    let fifth = "say 1 bet\nbet v 1 fifth_street 1000 a";
    assert_eq!(streets(fifth, &format!("{lost}\npush v")), out_of_order);
    let fourth = "say 1 bet\nbet f 1 fourth_street 1000 a";
    let late = ["deal.community_early", "wager.late"];
    assert_eq!(streets(fourth, &format!("{lost}\ntake f")), late);
    assert_eq!(streets("say 1 bet", lost), ["deal.community_early"]);
    assert_eq!(streets("say 1 fold", lost), ["deal.community_early"]);
    assert_eq!(streets("", lost), NONE);
}

/// An ante that is taken back after the call counts, and under its own name it comes back too late.
#[test]
fn a_wager_that_comes_back_after_the_call_does_not_hide_the_round() {
    let told = "remove a\nbet a 1 ante 1000\nsay 1 bet\nbet p 1 bet 2000 a\nsay 2 fold";
    let found = caribbean(told, "take b\npay a 1000\npay p 6000");
    assert_eq!(found, ["wager.pinched", "wager.late"]);
    let found = caribbean(told, "take b\npay a 1000\npay p 7000");
    assert_eq!(found, ["wager.pinched", "wager.late", "pay.over"]);
}

/// Caribbean stud 10(a): a bet after the hole cards are open is late. Handed back it is refused, and the hand whose
/// ante is taken had folded.
#[test]
fn a_late_bet_that_is_refused_leaves_a_folded_hand() {
    let late = |end: &str| caribbean("say 2 fold", &format!("take b\nbet p 1 bet 2000 a\n{end}"));
    assert_eq!(late("push p\ntake a"), ["wager.late"]);
    // Let stand it is settled like any other.
    assert_eq!(late("pay a 1000\npay p 6000"), ["wager.late"]);
    assert_eq!(late("take p\ntake a").len(), 3);
}

/// 10(c)(2)v of caribbean stud and PC 2.G: no envy for the dealer's hand or for one that was given up, also where
/// nobody stayed in.
#[test]
fn envy_for_a_hand_that_gives_none_is_told_where_all_have_folded() {
    let opened = json!({"type": "round_opened", "meters": {"progressive": 5_000_000}});
    let options = json!({"progressive_paytable": "D"});
    let caribbean = |prize: &str| {
        let lines = format!(
            "{opened}\nbet a 1 ante 500\nbet g 1 progressive 100 a\nno-more-bets\ntake g
             card seat 1 KC\ncard seat 1 9S\ncard seat 1 6C\ncard seat 1 5S\ncard seat 1 2C
             card dealer 4D up\ncard dealer ??\ncard dealer ??\ncard dealer ??\ncard dealer ??
             say 1 fold\ntake a
             show dealer 1 5D\nshow dealer 2 6D\nshow dealer 3 7D\nshow dealer 4 8D
             {prize}\nclose"
        );
        codes(&table(
            "caribbean_stud",
            "mgc-2017",
            options.clone(),
            &lines,
        ))
    };
    assert_eq!(caribbean(""), NONE);
    let undue = ["pay.undue", "caribbean.envy_wrong"];
    assert_eq!(caribbean("pay g 30000"), undue);
    let mississippi = |prize: &str| {
        let lines = format!(
            "{opened}\nbet a 1 ante 500\nbet b 2 ante 500\nbet h 2 progressive 100 b\ntake h
             card seat 1 QH\ncard seat 2 2C\ncard seat 1 KH\ncard seat 2 7D
             say 1 bet\nbet t 1 third_street 500 a\nsay 2 fold\ntake b\ncard community TH up
             say 1 bet\nbet f 1 fourth_street 500 a\ncard community JH up
             say 1 fold\ntake a\ntake t\ntake f\ncard community AH up\n{prize}\nclose"
        );
        let options = json!({"progressive": true});
        codes(&table("mississippi_stud", "oh-jack-2017", options, &lines))
    };
    assert_eq!(mississippi(""), NONE);
    let undue = ["pay.undue", "progressive.envy_error"];
    assert_eq!(mississippi("pay h 100000"), undue);
    let own = ["pay.undue", "progressive.folded_paid"];
    assert_eq!(mississippi("pay h 900"), own);
}

#[test]
fn who_leaves_when_the_dealer_has_shown_his_hand_decided_nothing() {
    let dj = |before: &str, after: &str| {
        let hand = ["4D", "8D", "TD", "QD", "2D"].map(|card| format!("card seat 1 {card}\n"));
        let (hand, hidden) = (hand.concat(), "card dealer ??\n".repeat(5));
        let dealer = ["JK", "9S", "9C", "KH", "5H"];
        let shown = dealer.iter().enumerate();
        let shown = shown.map(|(place, card)| format!("show dealer {place} {card}\n"));
        let shown = shown.collect::<String>();
        let lines = format!(
            "open
             bet a 1 ante 1000\nbet l 1 blind 1000
             no-more-bets
             {hand}{hidden}{before}
             bet p 1 play 2000
             {shown}{after}
             take a\ntake l\ntake p
             close"
        );
        play("dj_wild", "oh-jack-2017", &lines)
    };
    assert_eq!(dj("say 1 play", "say 1 left"), NONE);
    let seen = dj("show dealer 0 JK", "say 1 left");
    assert_eq!(seen, ["deal.dealer_card_exposed"]);
}

#[test]
fn a_limit_may_be_spread_where_stakes_are_told_to_go_back() {
    let lines = |paid: [i64; 2]| {
        let [bet, double] = paid;
        format!(
            "open
             bet w 1 bet 7500
             no-more-bets
             card seat 1 KC up
             card dealer AC\ncard dealer QC up\ncard dealer JC up\ncard dealer TC up
             bet x 1 double_down 7500 w
             no-more-bets
             show dealer 0 AC
             pay w {bet}\npush w\npay x {double}\npush x
             close"
        )
    };
    let limit = |paid| play("double_down_stud", "mgc-2017", &lines(paid));
    assert_eq!(limit([7_500_000, 2_500_000]), NONE);
    assert_eq!(limit([5_000_000, 5_000_000]), NONE);
    let over = limit([7_500_000, 7_500_000]);
    assert_eq!(over, ["pay.over", "payout.limit_exceeded"]);
}

/// Rounds of caribbean stud without a prize, each opened with what the meter shows.
fn meters(options: Value, readings: &[i64]) -> Vec<String> {
    let round = |(number, reading): (usize, &i64)| {
        let hand = ["9H", "7D", "6C", "4S", "2D"].map(|card| format!("card seat 1 {card}\n"));
        let hand = hand.concat();
        format!(
            "{{\"type\": \"round_opened\", \"meters\": {{\"progressive\": {reading}}}}}
             bet a{number} 1 ante 1000\nbet g{number} 1 progressive 100
             no-more-bets
             {hand}card dealer KS up
             say 1 fold\ntake a{number}\ntake g{number}
             close\n"
        )
    };
    let lines = readings.iter().enumerate().map(round);
    let lines = lines.collect::<String>();
    codes(&table("caribbean_stud", "mgc-2017", options, &lines))
}

#[test]
fn a_meter_that_one_table_feeds_falls_by_prizes_alone() {
    assert_eq!(meters(json!({}), &[3_000_000, 3_000_070, 3_000_140]), NONE);
    let falls = [3_000_000, 2_500_000, 2_500_070];
    assert_eq!(meters(json!({}), &falls), ["progressive.meter_mismatch"]);
    // Another table of the game may have paid a share of it, or all of it.
    let reset = json!({"progressive_reset": 1_000_000});
    let shares = [3_000_000, 2_700_140, 2_700_210, 1_000_070];
    assert_eq!(meters(reset, &shares), NONE);
    // Another table may have paid a prize from a linked one.
    let linked = json!({"progressive_paytable": "D", "progressive_linked": true});
    assert_eq!(meters(linked, &falls), NONE);
}

#[test]
fn a_fixed_prize_of_caribbean_stud_is_validated_by_the_floor() {
    let paid_by = |role: &str| {
        let validated = format!(
            "{{\"type\": \"jackpot_paid\", \"meter\": \"progressive\", \"wager\": \"g\", \"amount\": 300,
              \"by\": {{\"id\": \"x-1\", \"role\": \"{role}\"}}}}"
        )
        .replace('\n', " ");
        let lines = format!(
            "open
             bet a 1 ante 1000\nbet g 1 progressive 100
             no-more-bets
             card seat 1 5S\ncard dealer KS up\ncard seat 1 5D\ncard dealer ??
             card seat 1 5C\ncard dealer ??\ncard seat 1 QH\ncard dealer ??
             card seat 1 2S\ncard dealer ??
             say 1 bet\nbet p 1 bet 2000 a
             show dealer 1 AH\nshow dealer 2 TD\nshow dealer 3 8C\nshow dealer 4 3H
             pay a 1000\npay p 6000
             {validated}
             close"
        );
        play("caribbean_stud", "mgc-2017", &lines)
    };
    assert_eq!(paid_by("floorperson"), NONE);
    assert_eq!(paid_by("dealer"), ["progressive.unverified"]);
}

#[test]
fn chips_of_the_let_it_ride_bonus_are_not_taken_in_before_the_deal_in_ohio() {
    let lines = "open
         bet b1 1 bet_1 1000\nbet b2 1 bet_2 1000\nbet b3 1 bet_3 1000
         bet l 1 let_it_ride_bonus 100
         bet c1 2 bet_1 1000\nbet c2 2 bet_2 1000\nbet c3 2 bet_3 1000
         bet m 2 let_it_ride_bonus 100
         take l
         no-more-bets
         card seat 1 JS\ncard seat 2 3D\ncard community ??
         card seat 1 8D\ncard seat 2 5H\ncard community ??
         card seat 1 4C\ncard seat 2 6C\ncard community ??
         show community 1 2H
         show community 2 9S
         take b1\ntake b2\ntake b3\ntake c1\ntake c2\ntake c3\ntake m
         close";
    assert_eq!(
        play("let_it_ride", "mgc-2017", lines),
        ["bonus.count_mismatch"]
    );
    let two_cards = lines.replace("card seat 2 6C\ncard community ??", "card seat 2 6C");
    let ohio = two_cards
        .replace("show community 1", "show community 0")
        .replace("show community 2", "show community 1");
    assert_eq!(play("let_it_ride", "oh-jack-2017", &ohio), NONE);
}

#[test]
fn a_dealer_whose_open_card_alone_is_told_to_hands_that_folded_is_not_misdealt() {
    let folded = |dealer: &str| {
        let hand = ["9H", "7D", "6C", "4S", "2D"].map(|card| format!("card seat 1 {card}\n"));
        let hand = hand.concat();
        let lines = format!(
            "open
             bet a 1 ante 1000
             no-more-bets
             {hand}{dealer}
             say 1 fold\ntake a
             close"
        );
        play("caribbean_stud", "mgc-2017", &lines)
    };
    assert_eq!(folded("card dealer KS up"), NONE);
    let six = "card dealer KS up\ncard dealer AH\ncard dealer TD\ncard dealer 8C\ncard dealer 3H\ncard dealer JC";
    assert_eq!(folded(six), ["deal.card_count", "pay.under"]);
}

#[test]
fn a_loser_is_collected_also_where_the_limit_cut_another_wager_of_the_hand() {
    let dj = |blind: &str| {
        let hand = ["AC", "KC", "QC", "JC", "TC"].map(|card| format!("card seat 1 {card}\n"));
        let dealer = ["JK", "2S", "2D", "2C", "2H"].map(|card| format!("card dealer {card}\n"));
        let (hand, dealer) = (hand.concat(), dealer.concat());
        // Five wilds beat a royal flush; natural, it is 1000 to 1 on the trips.
        let lines = format!(
            "open
             bet a 1 ante 1000\nbet l 1 blind 1000\nbet t 1 trips 10000
             no-more-bets
             {hand}{dealer}
             bet p 1 play 2000
             take a\ntake p\n{blind}
             pay t 5000000
             close"
        );
        play("dj_wild", "oh-jack-2017", &lines)
    };
    assert_eq!(dj("take l"), NONE);
    assert_eq!(dj(""), ["pay.uncollected"]);
    assert_eq!(dj("push l"), ["pay.uncollected"]);
}
