//! The poker room from its events: pots, rake and drop against what was due, buttons, draws.

mod conduct;
mod corners;
mod draws;
mod fund;
mod samples;
mod silence;
mod stakes;
mod time;
mod unseen;
mod words;

use catwalk_stories::{codes, open, script, settle};
use serde_json::{Value, json};

fn table(options: Value, lines: &str) -> Vec<Value> {
    let mut bodies = vec![open("poker", "mgc-amended", options)];
    bodies.extend(script(lines));
    bodies
}

fn assert_cases(options: &Value, honest: &str, cases: &[(&str, &str, &[&str])]) {
    let none: [&str; 0] = [];
    assert_eq!(codes(&table(options.clone(), honest)), none, "honest");
    for (old, new, expected) in cases {
        assert!(honest.contains(old), "{old}");
        let lines = honest.replacen(old, new, 1);
        let found = codes(&table(options.clone(), &lines));
        assert_eq!(found, *expected, "{old} -> {new}");
    }
}

fn holdem() -> Value {
    json!({"form": "holdem_high", "bet_limits": [[400, 400], [400, 400], [800, 800], [800, 800]],
        "blinds": [200, 400], "rake": [{"method": "percent", "rate_bp": 1000, "cap": 400}],
        "jackpot": {"drop": {"method": "fixed", "amount": 100, "min_pot": 3000}}})
}

/// Example 1 of the rules with a drop: a flush at seat 4 beats three kings at seat 2.
const HOLDEM: &str = r#"
    {"type": "round_opened", "banker": 2, "shoe": "s1"}
    bet w1 4 blind 200
    bet w2 7 blind 400
    card seat 4 ??
    card seat 7 ??
    card seat 2 ??
    card seat 4 ??
    card seat 7 ??
    card seat 2 ??
    bet w3 2 raise 800
    bet w4 4 call 600
    say 7 fold
    burn
    card community KH up
    card community 7H up
    card community 3C up
    say 4 check
    bet w5 2 bet 400
    bet w6 4 call 400
    burn
    card community 2H up
    say 4 check
    bet w7 2 bet 800
    bet w8 4 raise 1600
    bet w9 2 call 800
    burn
    card community QS up
    bet w10 4 bet 800
    bet w11 2 call 800
    say 4 show
    show seat 4 0 9H
    show seat 4 1 8H
    say 2 show
    show seat 2 0 KS
    show seat 2 1 KD
    {"type": "rake_taken", "amount": 400}
    {"type": "jackpot_drop_taken", "amount": 100}
    {"type": "pot_awarded", "pot": 0, "seat": 4, "amount": 7100}
    close"#;

#[test]
fn a_hand_of_holdem_is_the_hand_of_its_document() {
    let (findings, rounds) = settle(&table(holdem(), HOLDEM));
    assert_eq!(findings, []);
    let play = &rounds[0].document.as_ref().unwrap()["play"];
    assert_eq!(
        play["hands"],
        json!({"2": ["KS", "KD"], "4": ["9H", "8H"], "7": null})
    );
    assert_eq!(play["rounds"][2].as_array().unwrap().len(), 4);
    assert_eq!(play["burns"], json!([1, 1, 1]));
    let pots = rounds[0].settlement.as_ref().unwrap().pots().unwrap();
    assert_eq!((pots.rake.get(), pots.awards[0].amount.get()), (400, 7100));
}

/// A river bet that nobody calls goes back, and no more than that.
#[test]
fn what_goes_back_of_a_bet_is_what_nobody_called() {
    let call = "bet w11 2 call 800";
    let fold = "say 2 fold\n    {\"type\": \"wager_pushed\", \"wager\": \"w10\", \"amount\": 800}";
    let shown = HOLDEM.find("say 4 show").unwrap();
    let ended = HOLDEM.find("{\"type\": \"rake_taken\"").unwrap();
    let hand = format!("{}{}", &HOLDEM[..shown], &HOLDEM[ended..]);
    let hand = hand.replace(call, fold).replace("7100", "5500");
    let back = r#""wager_pushed", "wager": "w10", "amount": 800}"#;
    let cases: [(&str, &str, &[&str]); 3] = [
        (back, &back.replace("800", "50800"), &["pot.over_award"]),
        (
            back,
            &back.replace("pushed", "collected"),
            &["pot.under_award"],
        ),
        // What goes back need not be told.
        (&format!("{{\"type\": {back}"), "", &[]),
    ];
    assert_cases(&holdem(), &hand, &cases);
}

#[test]
fn pots_rake_and_drop_are_held_against_the_settlement() {
    let award = r#"{"type": "pot_awarded", "pot": 0, "seat": 4, "amount": 7100}"#;
    let rake = r#"{"type": "rake_taken", "amount": 400}"#;
    let drop = r#"{"type": "jackpot_drop_taken", "amount": 100}"#;
    let swapped = format!("{drop}\n    {rake}");
    let after = format!("{award}\n    {rake}");
    let cases: [(&str, &str, &[&str]); 12] = [
        (award, &award.replace("7100", "7300"), &["pot.over_award"]),
        (award, &award.replace("7100", "7000"), &["pot.under_award"]),
        (award, "", &["pot.under_award"]),
        (
            award,
            &award.replace("4,", "2,"),
            &["pot.wrong_seat", "pot.under_award"],
        ),
        (rake, "", &["rake.under"]),
        (rake, &rake.replace("400", "600"), &["rake.over"]),
        (drop, "", &["jackpot.drop_under"]),
        (drop, &drop.replace("100", "300"), &["jackpot.drop_over"]),
        (
            &format!("{rake}\n    {drop}"),
            &swapped,
            &["jackpot.drop_before_rake"],
        ),
        (
            &format!("{rake}\n    {drop}\n    {award}"),
            &format!("{drop}\n    {after}"),
            &["rake.after_award"],
        ),
        // The rake may be taken in parts, as each betting round ends.
        (
            rake,
            &[rake.replace("400", "200"), rake.replace("400", "200")].join("\n    "),
            &[],
        ),
        (
            "say 4 show\n",
            "raise w10 1600\n    say 4 show\n",
            &["wager.capped"],
        ),
    ];
    assert_cases(&holdem(), HOLDEM, &cases);
    let (findings, _) = settle(&table(holdem(), &HOLDEM.replace("7100", "7300")));
    let found = &findings[0];
    assert_eq!((found.seat, found.exposure.get()), (Some(4), 200));
    assert!(!found.cites.is_empty() && found.evidence.contains(&39));
}

#[test]
fn betting_and_showing_out_of_order_is_found() {
    let cases: [(&str, &str, &[&str]); 9] = [
        // 15(j)2: who says it owes it. A word beside the wager is the wager.
        (
            "say 7 fold\n",
            "say 7 call\n    say 7 fold\n",
            &["wager.obligation_unpaid", "pot.under_award"],
        ),
        (
            "bet w6 4 call 400\n",
            "say 4 call\n    bet w6 4 call 400\n    say 4 call\n",
            &[],
        ),
        (
            "bet w4 4 call 600\n    say 7 fold\n",
            "say 7 fold\n    bet w4 4 call 600\n",
            &["action.out_of_turn"],
        ),
        (
            "bet w5 2 bet 400\n",
            "bet w5 2 bet 300\n",
            &["wager.overcall", "wager.under_min", "pot.over_award"],
        ),
        (
            "burn\n    card community QS up\n",
            "card community QS up\n",
            &["shoe.burn_count"],
        ),
        (
            "bet w10 4 bet 800\n    bet w11 2 call 800\n",
            "bet w10 4 bet 800\n    bet w11 2 call 800\n    bet w12 4 raise 800\n    push w12\n",
            &["action.not_due"],
        ),
        (
            "say 4 show\n    show seat 4 0 9H\n    show seat 4 1 8H\n    say 2 show\n",
            "say 2 show\n    show seat 4 0 9H\n    show seat 4 1 8H\n    say 4 show\n",
            &["showdown.order"],
        ),
        (
            "show seat 2 1 KD\n",
            "show seat 2 1 8H\n",
            &[
                "deck.duplicate_card",
                "rake.over",
                "jackpot.drop_over",
                "pot.wrong_seat",
            ],
        ),
        // A hand that nobody saw was conceded.
        (
            "say 2 show\n    show seat 2 0 KS\n    show seat 2 1 KD\n",
            "",
            &[],
        ),
    ];
    let found = codes(&table(
        holdem(),
        &HOLDEM.replacen(cases[7].0, cases[7].1, 1),
    ));
    assert!(
        found.contains(&"deck.duplicate_card".to_owned()),
        "{found:?}"
    );
    let cases: Vec<(&str, &str, &[&str])> = cases
        .into_iter()
        .filter(|case| !case.0.contains("2 1 KD\n") || case.1.is_empty())
        .collect();
    assert_cases(&holdem(), HOLDEM, &cases);
}

#[test]
fn the_button_goes_one_player_on() {
    let hand = |button: u32, first: u32, second: u32| {
        format!(
            "{{\"type\": \"round_opened\", \"banker\": {button}}}\n bet a 1 blind 200\n bet b 1 blind 400\n\
             card seat {first} ??\n card seat {second} ??\n card seat {first} ??\n card seat {second} ??\n\
             say {first} fold\n {{\"type\": \"pot_awarded\", \"pot\": 0, \"seat\": {second}, \"amount\": 400}}\n close\n"
        )
        .replacen("bet a 1", &format!("bet a {first}"), 1)
        .replacen("bet b 1", &format!("bet b {second}"), 1)
    };
    let none: [&str; 0] = [];
    let moved = format!("{}{}", hand(1, 3, 1), hand(3, 1, 3));
    assert_eq!(codes(&table(holdem(), &moved)), none);
    let kept = format!("{}{}", hand(1, 3, 1), hand(1, 3, 1));
    assert_eq!(codes(&table(holdem(), &kept)), ["button.not_moved"]);
}

/// Two cards lie face up in the deck before anybody has his own: all who posted get their chips back.
#[test]
fn a_deal_that_was_stopped_had_its_players() {
    let stopped = |dealt: &str| {
        let lines = format!(
            r#"{{"type": "round_opened", "banker": 2}}
            bet w1 4 blind 200
            bet w2 7 blind 400
            {dealt}
            called face_up_in_deck {{"cards": ["2C", "3D"]}}
            push w1
            push w2
            close"#
        );
        codes(&table(holdem(), &lines))
    };
    assert_eq!(stopped(""), ["deal.face_up_card"]);
    assert_eq!(stopped("card seat 4 ??"), ["deal.face_up_card"]);
}

#[test]
fn the_kill_button_is_where_the_last_hand_sent_it() {
    let options = json!({"form": "omaha_high_low_8", "blinds": [200, 400],
        "bet_limits": [[400, 400], [400, 400], [800, 800], [800, 800]],
        "kill": {"type": "kill", "amount": 500}});
    let deal = |first: u32, second: u32| {
        format!("card seat {first} ??\n card seat {second} ??\n").repeat(4)
    };
    // Seat 3 scoops 8.00, which qualifies, and kills the next hand.
    let first = format!(
        "{{\"type\": \"round_opened\", \"banker\": 3}}\n bet a 1 blind 200\n bet b 3 blind 400\n {}\
         bet c 1 call 200\n bet d 3 raise 400\n say 1 fold\n push d\n\
         {{\"type\": \"pot_awarded\", \"pot\": 0, \"seat\": 3, \"amount\": 800}}\n close\n",
        deal(1, 3)
    );
    let second = |killer: u32, other: u32| {
        format!(
            "{{\"type\": \"round_opened\", \"banker\": 1}}\n bet k {killer} kill_blind 800\n\
             bet o {other} blind {}\n {}say 3 fold\n\
             {{\"type\": \"pot_awarded\", \"pot\": 0, \"seat\": 1, \"amount\": 800}}\n close\n",
            if other == 1 { 400 } else { 200 },
            deal(3, 1)
        )
    };
    let honest = format!(
        "{first}{}",
        second(3, 1).replace("say 3 fold", "say 1 fold").replace(
            "\"seat\": 1, \"amount\": 800",
            "\"seat\": 3, \"amount\": 800"
        )
    );
    let found = codes(&table(options.clone(), &honest));
    assert!(
        !found.iter().any(|code| code.starts_with("kill")),
        "{found:?}"
    );
    let wrong = format!("{first}{}", second(1, 3));
    let found = codes(&table(options.clone(), &wrong));
    assert!(found.contains(&"kill.button_wrong".to_owned()), "{found:?}");
    // The pot went to another player, and the button with it.
    let scooped = "\"seat\": 3, \"amount\": 800";
    let astray = wrong.replacen(scooped, "\"seat\": 1, \"amount\": 800", 1);
    let found = codes(&table(options.clone(), &astray));
    assert!(
        !found.contains(&"kill.button_wrong".to_owned()),
        "{found:?}"
    );
    // A hand with a card too many was paid as if it stood: where the button went, nobody says.
    let seen = [
        "1 2C", "1 3C", "1 4C", "1 5C", "3 2C", "3 6C", "3 7C", "3 8C",
    ];
    let dead = seen.iter().fold(honest.clone(), |lines, card| {
        let unseen = format!("card seat {} ??", &card[..1]);
        lines.replacen(&unseen, &format!("card seat {card}"), 1)
    });
    let found = codes(&table(options, &dead));
    assert!(
        found.contains(&"deck.duplicate_card".to_owned()),
        "{found:?}"
    );
    assert!(
        !found.contains(&"kill.button_wrong".to_owned()),
        "{found:?}"
    );
}

/// A hand that ends with a bet nobody called: 12.00 were called and 4.00 go back.
const UNCALLED: &str = r#"
    {"type": "round_opened", "banker": 3}
    bet a 1 blind 200
    bet b 3 blind 400
    card seat 1 ??
    card seat 3 ??
    card seat 1 ??
    card seat 3 ??
    bet c 1 raise 600
    bet d 3 call 400
    card community 4D up
    card community 2D up
    card community KC up
    bet e 1 bet 400
    say 3 fold
    {"type": "wager_pushed", "wager": "e", "amount": 400}
    {"type": "rake_taken", "amount": 160}
    {"type": "pot_awarded", "pot": 0, "seat": 1, "amount": 1440}
    close"#;

#[test]
fn no_rake_is_taken_of_a_bet_that_nobody_called() {
    let mut options = holdem();
    options["rake"] = json!([{"method": "percent", "rate_bp": 1000, "cap": 400, "unit": 20}]);
    options["jackpot"] = Value::Null;
    let back = r#"{"type": "wager_pushed", "wager": "e", "amount": 400}"#;
    let with_pot = UNCALLED.replace(back, "").replace("1440", "1840");
    let cases: [(&str, &str, &[&str]); 2] = [
        // Pushed with the pot, and a chip of it held back or added.
        (
            r#""amount": 1840"#,
            r#""amount": 1740"#,
            &["pot.under_award"],
        ),
        (
            r#""amount": 1840"#,
            r#""amount": 1940"#,
            &["pot.over_award"],
        ),
    ];
    assert_cases(&options, &with_pot, &cases);
    let cases: [(&str, &str, &[&str]); 2] = [
        (
            r#""amount": 160"#,
            r#""amount": 200"#,
            // What is explained by it is told beside the difference.
            &["rake.on_uncalled", "rake.over"],
        ),
        (r#""amount": 160"#, r#""amount": 400"#, &["rake.over"]),
    ];
    let honest = UNCALLED;
    assert_cases(&options, honest, &cases);
}

#[test]
fn nothing_goes_into_a_pot_that_was_awarded() {
    let award = r#"{"type": "pot_awarded", "pot": 0, "seat": 4, "amount": 7100}"#;
    let late = |seat: u32| format!("{award}\n    bet z {seat} raise 800\n    push z");
    let cases: [(&str, &str, &[&str]); 2] = [
        (award, &late(2), &["action.not_due"]),
        (award, &late(7), &["action.not_in_hand"]),
    ];
    assert_cases(&holdem(), HOLDEM, &cases);
}

#[test]
fn a_rake_left_in_its_area_and_a_table_opened_unseen_are_told() {
    let told = |kind: &str| {
        let told = json!({"type": "irregularity", "kind": kind, "ruling": "noted"});
        format!("bet w1 4 blind 200\n    {told}")
    };
    let cases: [(&str, &str, &[&str]); 2] = [
        (
            "bet w1 4 blind 200",
            &told("rake_not_secured"),
            &["rake.not_secured"],
        ),
        (
            "bet w1 4 blind 200",
            &told("opened_uninspected"),
            &["table.opened_uninspected"],
        ),
    ];
    assert_cases(&holdem(), HOLDEM, &cases);
}

/// A hand that the dealer took up or that its player left is out, and neither all-in nor at the showdown.
#[test]
fn a_hand_that_was_lost_is_out() {
    let lost = |kind: &str, protected: bool| {
        let detail = json!({"seat": 7, "protected": protected});
        format!("called {kind} {detail}")
    };
    let cases: [(&str, &str, &[&str]); 4] = [
        ("say 7 fold", &lost("left_table", false), &[]),
        ("say 7 fold", &lost("hand_collected", false), &[]),
        ("say 7 fold", &lost("hand_fouled", false), &[]),
        (
            "say 7 fold",
            &lost("hand_collected", true),
            // His blind goes back, and was pushed to the winner.
            &["deal.protected_hand_collected", "pot.over_award"],
        ),
    ];
    assert_cases(&holdem(), HOLDEM, &cases);
}

/// Lines of the hand without those that begin with one of these words.
fn without(words: &[&str]) -> String {
    let is_told = |line: &&str| !words.iter().any(|word| line.trim().starts_with(word));
    let told: Vec<&str> = HOLDEM.lines().filter(is_told).collect();
    told.join("\n")
}

#[test]
fn a_feed_that_tells_no_card_face_down_is_judged_by_those_that_are_turned() {
    let found = |lines: &str| codes(&table(holdem(), lines));
    let none: [&str; 0] = [];
    let untold = without(&["card seat"]);
    assert_eq!(found(&untold), none);
    assert_eq!(found(&untold.replace("7100", "7000")), ["pot.under_award"]);
    let (_, rounds) = settle(&table(holdem(), &untold));
    let play = &rounds[0].document.as_ref().unwrap()["play"];
    assert_eq!(
        play["hands"],
        json!({"2": ["KS", "KD"], "4": ["9H", "8H"], "7": null})
    );
}

#[test]
fn a_feed_that_tells_no_decision_is_not_held_to_them() {
    let found = |lines: &str| codes(&table(holdem(), lines));
    let none: [&str; 0] = [];
    assert_eq!(found(&without(&["say"])), none);
    assert_eq!(found(&without(&["say", "card", "show", "burn"])), none);
    // A hand was shown whose cards nobody read.
    assert_eq!(found(&without(&["show seat 2"])), none);
    // A feed that tells of decisions told them all.
    let checked = HOLDEM.replacen("say 4 check", "", 1);
    assert_eq!(found(&checked), ["action.wrong_opener"]);
}

/// Not all said what they do at the showdown: the order is not told.
#[test]
fn a_showdown_of_which_not_all_is_said_has_no_order() {
    let cases: [(&str, &str, &[&str]); 2] = [
        ("say 4 show\n", "", &[]),
        (
            "say 2 show\n    show seat 2 0 KS\n    show seat 2 1 KD\n",
            "say 2 muck\n",
            &[],
        ),
    ];
    assert_cases(&holdem(), HOLDEM, &cases);
}

/// Both are all-in before the flop with equal chips; what lay before them was not told.
#[test]
fn a_betting_round_in_which_nobody_could_bet_tells_who_was_all_in() {
    let limits: Vec<Value> = (0..4).map(|_| json!([400, null])).collect();
    let options = json!({"form": "holdem_high", "betting": "no_limit", "bet_limits": limits,
        "blinds": [200, 400]});
    let lines = r#"
        {"type": "round_opened", "banker": 5}
        bet a 1 blind 200
        bet b 3 blind 400
        card seat 1 4S
        card seat 3 2S
        card seat 5 9S
        card seat 1 4H
        card seat 3 2H
        card seat 5 8S
        say 5 fold
        bet c 1 raise 2800
        bet d 3 call 2600
        card community 4D up
        card community 2D up
        card community KC up
        card community KS up
        card community 9C up
        {"type": "pot_awarded", "pot": 0, "seat": 1, "amount": 6000}
        close"#;
    assert_eq!(codes(&table(options.clone(), lines)), [] as [&str; 0]);
    // Who checked had chips, and was not asked again.
    let checks = "say 1 check\n say 3 check\n card community KS";
    let checked = lines.replace("card community KS", checks);
    assert_eq!(codes(&table(options, &checked)), ["round.incomplete"]);
}
