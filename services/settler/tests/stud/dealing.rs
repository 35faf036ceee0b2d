//! The stud family from its events: what is read liberally, and what only the order of events shows.

use catwalk_stories::{codes, open, script, settle};
use serde_json::{Value, json};

const NONE: [&str; 0] = [];

/// A table of the game and these lines, a round.
fn round(game: &str, edition: &str, options: Value, lines: &str) -> Vec<Value> {
    let mut bodies = vec![open(game, edition, options)];
    bodies.extend(script(lines));
    bodies
}

fn three_card(lines: &str) -> Vec<Value> {
    round("three_card_poker", "mgc-amended", json!({}), lines)
}

/// The dealer has king high and does not beat seat 1's pair; seat 2 folds.
const ANTES: &str = "
    open
    bet a1 1 ante 1000
    bet a2 2 ante 500
    no-more-bets";
const CARDS: &str = "
    card seat 1 9S
    card seat 2 4D
    card dealer KD
    card seat 1 9H
    card seat 2 6C
    card dealer 7C
    card seat 1 2D
    card seat 2 JH
    card dealer 3H";
const DECIDED: &str = "
    say 1 play
    bet p1 1 play 1000 a1
    say 2 fold";
const SHOWN: &str = "
    show dealer 0 KD
    show dealer 1 7C
    show dealer 2 3H";
const PAID: &str = "
    take a2
    pay a1 1000
    pay p1 1000
    close";

fn story(parts: &[&str]) -> Vec<Value> {
    three_card(&parts.join("\n"))
}

#[test]
fn an_honest_round_of_three_card_poker_raises_nothing() {
    assert_eq!(codes(&story(&[ANTES, CARDS, DECIDED, SHOWN, PAID])), NONE);
}

#[test]
fn a_hand_that_was_folded_unseen_does_not_keep_a_round_from_being_settled() {
    let unseen = CARDS
        .replace("seat 2 4D", "seat 2 ??")
        .replace("seat 2 6C", "seat 2 ??");
    let unseen = unseen.replace("seat 2 JH", "seat 2 ??");
    let (findings, rounds) = settle(&story(&[ANTES, &unseen, DECIDED, SHOWN, PAID]));
    assert_eq!(findings, []);
    let due = rounds[0]
        .wagers
        .iter()
        .map(|wager| wager.due.as_ref().unwrap().returned.get());
    assert_eq!(due.collect::<Vec<i64>>(), [2000, 0, 2000]);

    // A pair plus lives on after a fold and hangs on the cards: it may be taken, or paid.
    let pair_plus = ANTES.replace("no-more-bets", "bet pp 2 pair_plus 500\nno-more-bets");
    let bodies = story(&[&pair_plus, &unseen, DECIDED, SHOWN, "take pp", PAID]);
    assert_eq!(codes(&bodies), NONE);
}

#[test]
fn a_fold_that_nobody_told_is_a_fold() {
    let untold = DECIDED.replace("say 2 fold", "");
    assert_eq!(codes(&story(&[ANTES, CARDS, &untold, SHOWN, PAID])), NONE);
}

#[test]
fn a_play_wager_told_by_its_decision_and_by_itself_counts_once() {
    let decision = json!({"type": "decision", "seat": 1, "action": "play", "amount": 1000});
    let both = DECIDED.replace("say 1 play", &decision.to_string());
    let (findings, rounds) = settle(&story(&[ANTES, CARDS, &both, SHOWN, PAID]));
    assert_eq!((findings.len(), rounds[0].wagers.len()), (0, 3));

    // Told by the decision alone, it is settled and nobody is accused of not having paid it.
    let alone = both.replace("bet p1 1 play 1000 a1", "");
    let paid = PAID.replace("pay p1 1000", "");
    let (findings, rounds) = settle(&story(&[ANTES, CARDS, &alone, SHOWN, &paid]));
    assert_eq!((findings.len(), rounds[0].wagers.len()), (0, 3));
}

#[test]
fn a_play_wager_after_the_dealer_showed_his_cards_is_late() {
    let late = DECIDED.replace("bet p1 1 play 1000 a1", "");
    let bodies = story(&[ANTES, CARDS, &late, SHOWN, "bet p1 1 play 1000 a1", PAID]);
    assert_eq!(codes(&bodies), ["wager.play_late"]);
}

#[test]
fn a_play_wager_stays_but_may_be_corrected_while_the_dealer_is_at_the_seat() {
    let corrected = DECIDED.replace("1000 a1", "500 a1\nraise p1 1000");
    assert_eq!(
        codes(&story(&[ANTES, CARDS, &corrected, SHOWN, PAID])),
        NONE
    );
    let taken = ["remove p1", SHOWN].join("\n");
    let found = codes(&story(&[ANTES, CARDS, DECIDED, &taken, PAID]));
    assert_eq!(found, ["wager.pinched"]);
    let raised = codes(&story(&[
        ANTES,
        CARDS,
        DECIDED,
        SHOWN,
        "raise p1 3000",
        PAID,
    ]));
    assert_eq!(raised, ["wager.capped", "wager.play_late"]);
}

#[test]
fn main_wagers_after_the_call_are_late_capped_or_pinched() {
    let found = |line: &str| codes(&story(&[ANTES, line, CARDS, DECIDED, SHOWN, PAID]));
    assert_eq!(found("bet x 4 ante 500\npush x"), ["wager.late"]);
    assert_eq!(found("raise a1 2000"), ["wager.capped"]);
    assert_eq!(found("raise a1 500"), ["wager.pinched"]);
    let early = ANTES.replace("no-more-bets", "raise a1 500\nraise a1 1000\nno-more-bets");
    assert_eq!(codes(&story(&[&early, CARDS, DECIDED, SHOWN, PAID])), NONE);
}

#[test]
fn a_late_wager_beside_the_same_one_buys_nothing_and_hides_nothing() {
    let bodies = story(&[
        ANTES,
        CARDS,
        DECIDED,
        SHOWN,
        "bet x 1 ante 9000\npay x 9000",
        PAID,
    ]);
    assert_eq!(codes(&bodies), ["wager.late", "pay.over"]);
}

#[test]
fn cards_before_the_call_are_told() {
    let late_call = ANTES.replace("no-more-bets", "");
    let bodies = story(&[&late_call, CARDS, "no-more-bets", DECIDED, SHOWN, PAID]);
    assert_eq!(codes(&bodies), ["deal.before_close"]);
    // A table that calls nothing has done nothing wrong.
    assert_eq!(
        codes(&story(&[&late_call, CARDS, DECIDED, SHOWN, PAID])),
        NONE
    );
}

#[test]
fn a_call_that_is_repeated_during_the_deal_is_no_late_one() {
    let again = CARDS.replacen("card seat 2", "no-more-bets\n    card seat 2", 1);
    let found = |antes: &str| codes(&story(&[antes, &again, DECIDED, SHOWN, PAID]));
    assert_eq!(found(ANTES), NONE);
    // To lock the progressive is not to call.
    let lock = json!({"type": "betting_closed", "window": "progressive"}).to_string();
    let locked = |then: &str| ANTES.replace("no-more-bets", &format!("{lock}\n{then}"));
    assert_eq!(found(&locked("no-more-bets")), NONE);
    assert_eq!(found(&locked("")), ["deal.before_close"]);
}

#[test]
fn a_deal_out_of_turn_is_told_once_and_a_deal_by_stacks_is_none() {
    let wrong = CARDS.replace(
        "card seat 1 9S\n    card seat 2 4D",
        "card seat 2 4D\n    card seat 1 9S",
    );
    let found = codes(&story(&[ANTES, &wrong, DECIDED, SHOWN, PAID]));
    assert_eq!(found, ["deal.order"]);
    let mut stacks: Vec<&str> = CARDS.trim().lines().map(str::trim).collect();
    stacks.sort_by_key(|line| line.split(' ').nth(1) == Some("dealer"));
    stacks.sort_by_key(|line| match line.split(' ').nth(2) {
        Some("1") => 0,
        Some("2") => 1,
        _ => 2,
    });
    assert_eq!(
        codes(&story(&[ANTES, &stacks.join("\n"), DECIDED, SHOWN, PAID])),
        NONE
    );
}

#[test]
fn a_seat_that_is_passed_over_is_misdealt_and_not_dealt_out_of_turn() {
    let cards = "
        card seat 1 9S\ncard seat 2 4D\ncard dealer KD
        card seat 2 6C\ncard dealer 7C
        card seat 1 2D\ncard seat 2 JH\ncard dealer 3H";
    let void = "
        {\"type\":\"irregularity\",\"kind\":\"card_count\",\"ruling\":\"void\"}
        push a1\npush a2\nclose";
    assert_eq!(codes(&story(&[ANTES, cards, void])), NONE);
}

#[test]
fn only_the_automated_shoe_of_ohio_deals_the_dealers_stack_first() {
    let mut stacks: Vec<&str> = CARDS.trim().lines().map(str::trim).collect();
    stacks.sort_by_key(|line| match line.split(' ').nth(2) {
        Some("1") => 1,
        Some("2") => 2,
        _ => 0,
    });
    let lines = [ANTES, &stacks.join("\n"), DECIDED, SHOWN, PAID].join("\n");
    let found =
        |edition: &str, options: Value| codes(&round("three_card_poker", edition, options, &lines));
    assert_eq!(found("oh-jack-2017", json!({})), NONE);
    assert_eq!(
        found("oh-jack-2017", json!({"dealing": "hand"})),
        ["deal.order"]
    );
    assert_eq!(found("mgc-2017", json!({})), ["deal.order"]);
}

/// s12(j): cover all is settled when everything else is.
#[test]
fn cover_all_has_its_turn_after_all_other_wagers() {
    let antes = ANTES.replace(
        "bet a2",
        "bet c1 1 cover_all 500\nbet c2 2 cover_all 500\nbet a2",
    );
    let lines = "
        say 1 play\nbet p1 1 play 1000 a1\nsay 2 play\nbet p2 2 play 500 a2
        show dealer 0 KD\nshow dealer 1 7C\nshow dealer 2 3H
        take a2\ntake p2\npay a1 1000\npay p1 1000";
    for end in ["take c2\ntake c1\nclose", "take c1\ntake c2\nclose"] {
        assert_eq!(codes(&story(&[&antes, CARDS, lines, end])), NONE);
    }
}

#[test]
fn a_raise_that_only_a_decision_told_of_may_be_paid_with_the_ante() {
    let decided =
        "{\"type\":\"decision\",\"seat\":1,\"action\":\"play\",\"amount\":1000}\nsay 2 fold";
    let found = |ante: i64| {
        let paid = format!("take a2\npay a1 {ante}\nclose");
        codes(&story(&[ANTES, CARDS, decided, SHOWN, &paid]))
    };
    assert_eq!(found(2_000), NONE);
    assert_eq!(found(1_000), NONE);
    assert_eq!(found(3_000), ["pay.over"]);
}

/// A void round that is played on wrongs each of its wagers; a dealer who does it again and again is told of.
#[test]
fn one_mistake_that_wrongs_a_whole_round_is_no_habit() {
    let void = "{\"type\":\"irregularity\",\"kind\":\"hole_card_exposed\",\"ruling\":\"void\"}";
    let antes = ANTES.replace("bet a2", "bet q1 1 pair_plus 500\nbet a2");
    let paid = format!("pay q1 500\n{PAID}");
    let once = [&antes, CARDS, void, DECIDED, SHOWN, &paid].join("\n");
    let found = codes(&three_card(&once));
    assert_eq!(
        found.iter().filter(|code| code.starts_with("pay.")).count(),
        4
    );
    assert!(
        !found.contains(&"statistics.dealer".to_owned()),
        "{found:?}"
    );
    let found = codes(&three_card(&[once.as_str(); 25].join("\n")));
    assert!(found.contains(&"statistics.dealer".to_owned()), "{found:?}");
}

#[test]
fn decisions_out_of_turn_and_cash_are_told() {
    let turned = "say 2 fold\nsay 1 play\nbet p1 1 play 1000 a1";
    let found = codes(&story(&[ANTES, CARDS, turned, SHOWN, PAID]));
    assert_eq!(found, ["procedure.decision_order"]);
    let cash = json!({"type": "wager_placed", "wager": "pp", "seat": 1, "kind": "pair_plus",
        "amount": 500, "form": "cash"});
    let cash = ANTES.replace("no-more-bets", &format!("{cash}\nno-more-bets"));
    let found = codes(&story(&[&cash, CARDS, DECIDED, SHOWN, "pay pp 500", PAID]));
    assert_eq!(found, ["wager.verbal_cash"]);
}

#[test]
fn a_progressive_wager_after_the_lock_is_told() {
    let lock = json!({"type": "betting_closed", "window": "progressive"});
    let locked = |bet: &str| {
        let antes = ANTES.replace("no-more-bets", &format!("{bet}\nno-more-bets"));
        codes(&story(&[&antes, CARDS, DECIDED, SHOWN, "take g", PAID]))
    };
    assert_eq!(
        locked(&format!("{lock}\nbet g 1 progressive 100")),
        ["progressive.not_locked"]
    );
    assert_eq!(locked(&format!("bet g 1 progressive 100\n{lock}")), NONE);
}

/// Seat 1 has the straight flush of 9-8-7 and a progressive wager: 70 for 1.
fn straight_flush(lifted: &str, prize: &str) -> Vec<String> {
    let lines = format!(
        "open
         bet a 1 ante 1000
         bet g 1 progressive 100
         no-more-bets
         {lifted}
         card seat 1 9S
         card seat 1 8S
         card seat 1 7S
         card dealer KD
         card dealer 7C
         card dealer 3H
         say 1 play
         bet p 1 play 1000 a
         show dealer 0 KD
         show dealer 1 7C
         show dealer 2 3H
         pay a 6000
         pay p 1000
         {prize}
         close"
    );
    codes(&three_card(&lines))
}

#[test]
fn a_prize_is_all_that_a_progressive_wager_gets_however_it_is_told() {
    assert_eq!(straight_flush("take g", "pay g 7000"), NONE);
    assert_eq!(straight_flush("", "pay g 7000"), NONE);
    assert_eq!(straight_flush("", "pay g 6900"), NONE);
    assert_eq!(straight_flush("", "jackpot g 7000"), NONE);
    assert_eq!(straight_flush("take g", "pay g 6900"), NONE);
    assert_eq!(straight_flush("take g", "pay g 6500"), ["pay.under"]);
    assert_eq!(straight_flush("", "pay g 7500"), ["pay.over"]);
    let back = straight_flush("", "pay g 7000\npush g");
    assert_eq!(back, ["progressive.stake_returned"]);
    assert_eq!(straight_flush("take g", ""), ["pay.unpaid"]);
}

/// Seat 1 has the mini royal of spades for the whole meter, seat 2 folded and has the envy of $100.
fn mini_royal(meters: &str, read: &str, prize: &str, envy: &str) -> Vec<String> {
    let lines = format!(
        "{meters}
         bet a 1 ante 1000
         bet g 1 progressive 100
         bet b 2 ante 1000
         bet h 2 progressive 100
         no-more-bets
         take g
         take h
         card seat 1 AS
         card seat 2 6S
         card dealer KD
         card seat 1 KS
         card seat 2 4D
         card dealer 7C
         card seat 1 QS
         card seat 2 2C
         card dealer 3H
         say 1 play
         bet p 1 play 1000 a
         say 2 fold
         take b
         show dealer 0 KD
         show dealer 1 7C
         show dealer 2 3H
         pay a 6000
         pay p 1000
         {prize}
         {read}
         {envy}
         close"
    );
    codes(&three_card(&lines))
}

#[test]
fn a_prize_from_a_meter_that_nobody_read_is_not_judged() {
    let told = r#"{"type":"round_opened","meters":{"progressive":2500000}}"#;
    assert_eq!(
        mini_royal(told, "", "jackpot g 2500000", "pay h 10000"),
        NONE
    );
    assert_eq!(
        mini_royal("open", "", "jackpot g 2500000", "pay h 10000"),
        NONE
    );
    assert_eq!(
        mini_royal(told, "", "jackpot g 2400000", "pay h 10000"),
        ["pay.under"]
    );
    let read = r#"{"type":"meter_read","meter":"progressive","amount":2600000}"#;
    let then = format!("open\n{read}");
    assert_eq!(
        mini_royal(&then, "", "jackpot g 2600000", "pay h 10000"),
        NONE
    );
    assert_eq!(
        mini_royal(&then, "", "jackpot g 2500000", "pay h 10000"),
        ["pay.under"]
    );
}

#[test]
fn envy_that_a_folded_seat_did_not_get_is_told_as_such() {
    let told = r#"{"type":"round_opened","meters":{"progressive":2500000}}"#;
    let found = mini_royal(told, "", "jackpot g 2500000", "");
    assert_eq!(found, ["pay.unpaid", "payout.envy_missed"]);
}

#[test]
fn a_meter_that_was_won_and_stands_where_it_stood_is_told() {
    let told = r#"{"type":"round_opened","meters":{"progressive":2500000}}"#;
    let read =
        |amount: i64| json!({"type": "meter_read", "meter": "progressive", "amount": amount});
    let found = |amount| {
        mini_royal(
            told,
            &read(amount).to_string(),
            "jackpot g 2500000",
            "pay h 10000",
        )
    };
    assert_eq!(found(2500000), ["progressive.meter_mismatch"]);
    assert_eq!(found(1000000), NONE);
}

#[test]
fn wrong_payments_of_three_card_poker_are_called_by_their_cause() {
    // The dealer's trips beat a straight, whose bonus is due all the same.
    let beaten = |bonus: &str| {
        let lines = format!(
            "open
             bet a 1 ante 2000
             no-more-bets
             card seat 1 6S
             card seat 1 5D
             card seat 1 4C
             card dealer TD
             card dealer TC
             card dealer TH
             say 1 play
             bet p 1 play 2000 a
             show dealer 0 TD
             show dealer 1 TC
             show dealer 2 TH
             take a
             take p
             {bonus}
             close"
        );
        codes(&three_card(&lines))
    };
    assert_eq!(beaten("pay a 2000"), NONE);
    assert_eq!(beaten(""), ["pay.unpaid", "payout.bonus_missed"]);

    let folded = |edition: &str, pair_plus: &str| {
        let lines = format!(
            "open
             bet a 1 ante 2000
             bet pp 1 pair_plus 1000
             no-more-bets
             card seat 1 8S
             card seat 1 8H
             card seat 1 3C
             card dealer AD
             card dealer 9C
             card dealer 5H
             say 1 fold
             show dealer 0 AD
             show dealer 1 9C
             show dealer 2 5H
             take a
             {pair_plus}
             close"
        );
        codes(&round("three_card_poker", edition, json!({}), &lines))
    };
    assert_eq!(folded("mgc-2017", "pay pp 1000"), NONE);
    assert_eq!(
        folded("mgc-2017", "take pp"),
        ["pay.unpaid", "payout.fold_pair_plus"]
    );
    assert_eq!(folded("oh-jack-2017", "take pp"), NONE);
    assert_eq!(
        folded("oh-jack-2017", "pay pp 1000"),
        ["pay.undue", "payout.fold_pair_plus"]
    );
}

#[test]
fn a_void_round_that_is_settled_is_told() {
    let misdeal = json!({"type": "irregularity", "kind": "misdeal", "ruling": "void"}).to_string();
    let found = codes(&story(&[ANTES, CARDS, DECIDED, &misdeal, SHOWN, PAID]));
    assert!(
        found.contains(&"procedure.play_on_after_void".to_owned()),
        "{found:?}"
    );
    let back = "push a1\npush a2\npush p1\nclose";
    assert_eq!(
        codes(&story(&[ANTES, CARDS, DECIDED, &misdeal, SHOWN, back])),
        NONE
    );
    // A chip that was lifted before the deal and not given back is owed, but nothing was played on.
    let antes = ANTES.replace(
        "no-more-bets",
        "bet g 1 progressive 100\nno-more-bets\ntake g",
    );
    let lifted = |back: &str| codes(&story(&[&antes, CARDS, DECIDED, &misdeal, SHOWN, back]));
    assert_eq!(lifted(back), ["pay.under"]);
    assert_eq!(lifted(&format!("push g\n{back}")), NONE);
    // One card found face up is set aside.
    let one =
        json!({"type": "irregularity", "kind": "face_up_card", "detail": 1, "ruling": "set aside"});
    assert_eq!(
        codes(&story(&[
            ANTES,
            CARDS,
            DECIDED,
            &one.to_string(),
            SHOWN,
            PAID
        ])),
        NONE
    );
}

/// A six card bonus lives on when its hand is folded.
#[test]
fn a_six_card_bonus_is_not_swept_with_a_fold() {
    let folded = |bonus: &str| {
        let lines = format!(
            "open
             bet a 1 ante 1000
             bet x 1 six_card_bonus 500
             no-more-bets
             card seat 1 9S
             card seat 1 9H
             card seat 1 2D
             card dealer 9C
             card dealer 9D
             card dealer 4C
             say 1 fold
             take a
             show dealer 0 9C
             show dealer 1 9D
             show dealer 2 4C
             {bonus}
             close"
        );
        codes(&three_card(&lines))
    };
    assert_eq!(folded("pay x 25000"), NONE);
    assert_eq!(folded("take x"), ["pay.unpaid", "payout.six_card_swept"]);
}

#[test]
fn hands_are_settled_from_the_last_seat() {
    let both = DECIDED.replace("say 2 fold", "say 2 play\nbet p2 2 play 500 a2");
    // Seat 2 has jack high and loses to the dealer's king.
    let settled = |payments: &str| codes(&story(&[ANTES, CARDS, &both, SHOWN, payments, "close"]));
    assert_eq!(settled("take a2\ntake p2\npay a1 1000\npay p1 1000"), NONE);
    assert_eq!(
        settled("pay a1 1000\npay p1 1000\ntake a2\ntake p2"),
        ["settle.order"]
    );
    // A house may settle one kind after the other, each from the last seat.
    let lines = [
        ANTES,
        CARDS,
        &both,
        SHOWN,
        "take a2\npay a1 1000\ntake p2\npay p1 1000\nclose",
    ];
    assert_eq!(codes(&story(&lines)), ["settle.order"]);
    let by_step = json!({"settlement_order": "by_step"});
    let by_step = round(
        "three_card_poker",
        "mgc-amended",
        by_step,
        &lines.join("\n"),
    );
    assert_eq!(codes(&by_step), NONE);
}

#[test]
fn a_hand_that_was_given_up_unexposed_comes_back_whole() {
    let forfeited = DECIDED.replace("say 2 fold", "say 2 forfeit");
    let found = |count: u32| {
        let told = json!({"type": "irregularity", "kind": "forfeit_count", "ruling": "counted",
            "detail": {"seat": 2, "found": count}});
        codes(&story(&[
            ANTES,
            CARDS,
            &forfeited,
            &told.to_string(),
            SHOWN,
            PAID,
        ]))
    };
    assert_eq!(found(3), NONE);
    assert_eq!(found(2), ["procedure.forfeit_short"]);
}

/// A seat that is not in the round is dealt no cards: that nobody saw any keeps nothing from being settled.
#[test]
fn a_wager_without_what_it_needs_is_told_where_its_seat_has_no_cards() {
    let beside = |game: &str, edition: &str, lines: &str, stray: &str, at: &str| {
        let lines = lines.replacen(at, &format!("{stray}\n{at}"), 1);
        let lines = lines.replace("close", "push x\nclose");
        codes(&round(game, edition, json!({}), &lines))
    };
    let caribbean = "open\nbet a 1 ante 1000\nno-more-bets
        card seat 1 JS\ncard dealer AH up\ncard seat 1 JD\ncard dealer ??\ncard seat 1 7C\ncard dealer ??
        card seat 1 4H\ncard dealer ??\ncard seat 1 2S\ncard dealer ??
        bet w 1 bet 2000 a
        show dealer 1 KD\nshow dealer 2 TC\nshow dealer 3 8S\nshow dealer 4 5D
        pay a 1000\npay w 2000\nclose";
    let found = |stray, at| beside("caribbean_stud", "mgc-2017", caribbean, stray, at);
    assert_eq!(
        found("bet x 3 bet 2000", "bet w"),
        ["wager.bet_without_ante"]
    );
    let bonus = found("bet x 3 five_card_bonus_player 100", "no-more");
    assert_eq!(bonus, ["wager.side_without_main"]);

    let double_down = "open\nbet b 1 bet 1000\nno-more-bets
        card seat 1 AS up\ncard dealer ??\ncard dealer 8H up\ncard dealer 7C up\ncard dealer 2S up
        no-more-bets\nshow dealer 0 AD\npay b 1000\nclose";
    let stray = "card dealer 2S up\nbet x 3 double_down 500";
    let doubled = double_down.replace("card dealer 2S up", stray);
    let doubled = doubled.replace("close", "push x\nclose");
    let found = codes(&round("double_down_stud", "mgc-2017", json!({}), &doubled));
    assert_eq!(found, ["wager.double_without_bet"]);

    let let_it_ride =
        "open\nbet a 1 bet_1 1000\nbet b 1 bet_2 1000\nbet c 1 bet_3 1000\nno-more-bets
        card seat 1 KS\ncard community ??\ncard seat 1 KD\ncard community ??\ncard seat 1 4C
        show community 0 7H\nshow community 1 2S\npay a 1000\npay b 1000\npay c 1000\nclose";
    let stray = "bet x 2 bet_2 500";
    let found = beside("let_it_ride", "oh-jack-2017", let_it_ride, stray, "no-more");
    assert_eq!(found, ["wager.unequal"]);

    let dj_wild = "open\nbet a 1 ante 1000\nbet b 1 blind 1000\nno-more-bets
        card seat 1 AS\ncard dealer ??\ncard seat 1 QD\ncard dealer ??\ncard seat 1 8C\ncard dealer ??
        card seat 1 3H\ncard dealer ??\ncard seat 1 2S\ncard dealer ??
        bet p 1 play 2000 a
        show dealer 0 KD\nshow dealer 1 KH\nshow dealer 2 9C\nshow dealer 3 7D\nshow dealer 4 4C
        pay a 1000\npush b\npay p 2000\nclose";
    let found = |stray, at| beside("dj_wild", "oh-jack-2017", dj_wild, stray, at);
    assert_eq!(
        found("bet x 4 play 500", "bet p"),
        ["wager.play_without_ante"]
    );
    let bad_beat = found("bet x 4 two_way_bad_beat 500", "no-more");
    assert_eq!(bad_beat, ["wager.side_without_main"]);
}
