//! The baccarat games: what only the order of events shows, each with an honest twin.

use catwalk_stories::baccarat::{
    NOTHING, banker_wins, codes_of, hand, says, shoe, table, with_cards,
};
use catwalk_stories::{Story, bet, cards, collected, paid, paid_less};
use serde_json::{Value, json};

#[test]
fn cards_go_player_banker_player_banker_and_the_banker_draws_last() {
    let settled = |cards: &[&str]| {
        let bets = [bet("p", 1, "player", 1000)];
        codes_of(
            json!({}),
            hand(&bets, catwalk_stories::cards(cards), &[paid("p", 1000)]),
        )
    };
    let honest = [
        "player 2S",
        "banker 2C",
        "player 2H",
        "banker 3D",
        "player 5C",
        "banker 2D",
    ];
    assert_eq!(settled(&honest), NOTHING);
    let sides_first = [
        "player 2S",
        "player 2H",
        "banker 2C",
        "banker 3D",
        "player 5C",
        "banker 2D",
    ];
    assert_eq!(settled(&sides_first), ["baccarat.wrong_deal_order"]);
    let banker_first = [
        "player 2S",
        "banker 2C",
        "player 2H",
        "banker 3D",
        "banker 2D",
        "player 5C",
    ];
    assert_eq!(settled(&banker_first), ["baccarat.wrong_deal_order"]);
}

#[test]
fn the_first_card_is_the_cut_off_where_no_vigorish_is_taken() {
    let game = "dragon_bonus_baccarat_commission_free";
    let told = |late: &[Value], after_first_card: bool| {
        let mut bodies = hand(
            &[bet("b", 1, "banker", 1000)],
            banker_wins(),
            &[paid("b", 1000)],
        );
        let at = if after_first_card { 3 } else { 2 };
        bodies.splice(at..at, late.to_vec());
        if late.iter().any(|body| body["wager"] == "x") {
            bodies.insert(bodies.len() - 1, collected("x"));
        }
        let mut story = Story::at(game, "oh-jack-2017", json!({}));
        story.round(bodies);
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let made = [bet("x", 2, "player", 500)];
    assert_eq!(told(&made, false), NOTHING);
    assert_eq!(told(&made, true), ["wager.late"]);
    let raised =
        |to: i64| json!({"type": "wager_changed", "wager": "b", "amount": to, "by": "patron"});
    assert_eq!(told(&[raised(800), raised(1000)], false), NOTHING);
    assert_eq!(told(&[raised(1500)], true), ["wager.capped"]);
}

#[test]
fn cards_are_told_with_the_seat_of_who_handles_them() {
    let dealt = |to: &str, seat: u32, card: &str| json!({"type": "card_dealt", "to": to, "seat": seat, "card": card, "face": "down"});
    let told = vec![
        dealt("player", 1, "5S"),
        dealt("banker", 2, "3C"),
        dealt("player", 1, "AH"),
        dealt("banker", 2, "4D"),
    ];
    let bets = [bet("p", 1, "player", 1000), bet("b", 2, "banker", 1000)];
    let payments = [collected("p"), paid_less("b", 1000, 50)];
    assert_eq!(codes_of(json!({}), hand(&bets, told, &payments)), NOTHING);
}

#[test]
fn who_saw_a_stray_card_matters_in_ohio_alone() {
    let told = |edition: &str, payment: Value| {
        // The Player draws on 7; the Banker has 3 and must draw.
        let mut told = cards(&[
            "player 7S",
            "banker AC",
            "player JH",
            "banker 2D",
            "player 6C",
        ]);
        told.push(catwalk_stories::irregularity(
            "undisclosed_card",
            Value::Null,
        ));
        let mut story = Story::at("minibaccarat", edition, json!({}));
        story.round(hand(&[bet("b", 1, "banker", 1000)], told, &[payment]));
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    for edition in ["mgc-2017", "oh-jack-2017"] {
        let codes = told(edition, paid_less("b", 1000, 50));
        assert_eq!(codes, ["baccarat.player_drew_in_error"], "{edition}");
    }
}

#[test]
fn a_stray_card_that_stays_face_down_was_seen_by_nobody() {
    // The Player draws on 7; the Banker has 3 and must draw.
    let mut told = cards(&["player 7S", "banker AC", "player JH", "banker 2D"]);
    told.push(json!({"type": "card_dealt", "to": "player", "face": "down"}));
    let mut story = Story::at("minibaccarat", "oh-jack-2017", json!({}));
    let bets = [bet("b", 1, "banker", 1000)];
    story.round(hand(&bets, told, &[paid_less("b", 1000, 50)]));
    assert_eq!(story.codes(), ["baccarat.player_drew_in_error"]);
}

#[test]
fn a_stray_card_that_nobody_saw_goes_to_the_next_hand() {
    let told = |banker: [&str; 2], payment: Value| {
        let mut told = cards(&["player KS"]);
        told.extend(cards(&[&format!("banker {}", banker[0])]));
        told.extend(cards(&["player 7H"]));
        told.extend(cards(&[&format!("banker {}", banker[1])]));
        told.push(json!({"type": "card_dealt", "to": "player", "face": "down"}));
        codes_of(
            json!({}),
            hand(&[bet("b", 1, "banker", 1000)], told, &[payment]),
        )
    };
    let stray = "baccarat.player_drew_in_error";
    // The Banker has a natural and needs no card.
    assert_eq!(told(["3C", "5D"], paid_less("b", 1000, 50)), [stray]);
    assert_eq!(told(["3C", "5D"], collected("b")), [stray, "pay.unpaid"]);
    // He has to draw, and the card is his: what it makes of his hand nobody knows.
    assert_eq!(told(["3C", "AD"], collected("b")), [stray]);
    assert_eq!(told(["3C", "AD"], paid_less("b", 1000, 50)), [stray]);
}

#[test]
fn a_card_of_the_banker_that_nobody_saw_goes_to_the_next_hand_too() {
    let told = |dealt: &[&str], payments: &[Value]| {
        let mut told = cards(dealt);
        told.push(json!({"type": "card_dealt", "to": "banker", "face": "down"}));
        let bets = [bet("p", 1, "player", 1000)];
        codes_of(json!({}), hand(&bets, told, payments))
    };
    // He stands on 6, or has three cards already.
    let stands = ["player KS", "banker KC", "player 7H", "banker 6D"];
    let drawn = "baccarat.banker_drew_in_error";
    assert_eq!(told(&stands, &[paid("p", 1000)]), [drawn]);
    assert_eq!(told(&stands, &[collected("p")]), [drawn, "pay.unpaid"]);
    let three = [
        "player KS",
        "banker KC",
        "player 7H",
        "banker 5D",
        "banker AD",
    ];
    let fourth = "baccarat.too_many_cards";
    assert_eq!(told(&three, &[paid("p", 1000)]), [fourth]);
    // His own third card decides the hand: without it nobody can say what is due but the most.
    let draws = ["player KS", "banker KC", "player 7H", "banker 5D"];
    assert_eq!(told(&draws, &[paid("p", 1000)]), NOTHING);
    assert_eq!(told(&draws, &[collected("p")]), NOTHING);
    assert_eq!(told(&draws, &[paid("p", 1500)]), ["pay.over"]);
}

#[test]
fn a_shoe_that_is_cut_again_before_it_is_dealt_is_one() {
    let plays = |story: &mut Story| {
        let payments = [paid_less("b", 1000, 50)];
        let bets = [bet("b", 1, "banker", 1000)];
        story.round(hand(&bets, banker_wins(), &payments));
    };
    let mut story = with_cards(json!({"decks": 6}), 1, None);
    story.aside(shoe(1, 20)).aside(shoe(1, 30));
    plays(&mut story);
    assert_eq!(story.codes(), NOTHING);
    story.aside(shoe(1, 20));
    assert_eq!(story.codes(), ["deck.overdue"]);
}

#[test]
fn a_shoe_is_burned_from_as_its_first_card_counts() {
    for (first, more, expected) in [
        ("4H", 4, 0),
        ("4H", 3, 1),
        ("KH", 10, 0),
        ("KH", 1, 1),
        ("AH", 1, 0),
    ] {
        let mut story = with_cards(json!({"decks": 6}), 1, None);
        story.aside(shoe(1, 20));
        story.aside(json!({"type": "card_burned", "card": first}));
        for _ in 0..more {
            story.aside(json!({"type": "card_burned"}));
        }
        let payments = [paid_less("b", 1000, 50)];
        story.round(hand(
            &[bet("b", 1, "banker", 1000)],
            banker_wins(),
            &payments,
        ));
        let found = story.codes();
        assert_eq!(
            found,
            vec!["shoe.burn_count"; expected],
            "{first} and {more}"
        );
    }
}

#[test]
fn the_cutting_card_lies_fourteen_cards_from_the_back() {
    for (cut, expected) in [(14, 0), (13, 1)] {
        let mut story = with_cards(json!({"decks": 6}), 1, None);
        story.aside(shoe(1, cut));
        assert_eq!(story.codes(), vec!["shoe.cut_depth"; expected], "{cut}");
    }
}

#[test]
fn one_hand_is_dealt_after_the_one_in_which_the_cutting_card_comes() {
    let mut story = with_cards(json!({"decks": 6}), 1, None);
    // The cutting card comes out in the second hand.
    story.aside(shoe(1, 312 - 6));
    let mut deal = |simulated: bool| {
        let (bets, payments) = match simulated {
            false => (
                vec![bet("b", 1, "banker", 1000)],
                vec![paid_less("b", 1000, 50)],
            ),
            true => (
                vec![catwalk_stories::irregularity(
                    "simulated_round",
                    Value::Null,
                )],
                vec![],
            ),
        };
        story.round(hand(&bets, banker_wins(), &payments));
        story.codes().len()
    };
    // A round for no money is not counted.
    assert_eq!([deal(false), deal(false), deal(false), deal(true)], [0; 4]);
    assert_eq!(deal(false), 1);
    assert_eq!(story.codes(), ["shoe.past_last_hand"]);
    assert_eq!(story.findings[0].cites, ["10(d)"]);
}

#[test]
fn one_shoe_holds_cards_of_one_back() {
    let back = |card: &str, to: &str, back: &str| json!({"type": "card_dealt", "to": to, "card": card, "face": "up", "back": back});
    for (last, expected) in [("red", 0), ("blue", 1)] {
        let mut story = with_cards(json!({"decks": 6}), 1, None);
        story.aside(shoe(1, 20));
        let cards = vec![
            back("5S", "player", "red"),
            back("3C", "banker", "red"),
            back("AH", "player", "red"),
            back("4D", "banker", last),
        ];
        story.round(hand(
            &[bet("b", 1, "banker", 1000)],
            cards,
            &[paid_less("b", 1000, 50)],
        ));
        assert_eq!(story.codes(), vec!["deck.mixed_batches"; expected]);
    }
}

#[test]
fn what_the_dealer_calls_is_what_lies() {
    let settled = |calls: &[(usize, &str)]| {
        // The Player draws to 9, the Banker stands on 7.
        let mut told = cards(&[
            "player 2S",
            "banker KC",
            "player 2H",
            "banker 7D",
            "player 5C",
        ]);
        for &(after, call) in calls.iter().rev() {
            told.insert(after, says(0, call));
        }
        codes_of(
            json!({}),
            hand(&[bet("p", 1, "player", 1000)], told, &[paid("p", 1000)]),
        )
    };
    let honest = [
        (4, "player 4"),
        (4, "banker 7"),
        (5, "player 9"),
        (5, "Player wins"),
        (5, "no more bets"),
    ];
    assert_eq!(settled(&honest), NOTHING);
    for wrong in [
        (4, "player 9"),
        (5, "player 4"),
        (4, "banker 8"),
        (5, "banker_wins"),
        (5, "tie"),
        (5, "dragon 7"),
        (5, "panda 8"),
    ] {
        assert_eq!(settled(&[wrong]), ["baccarat.wrong_call"], "{wrong:?}");
    }
}

#[test]
fn a_call_on_a_hand_that_was_dealt_wrongly_is_not_judged() {
    // The Player drew on 6; the card is the Banker's.
    let mut told = cards(&[
        "player 5S",
        "banker QD",
        "player AH",
        "banker 4C",
        "player 5C",
    ]);
    told.push(says(0, "player 6"));
    told.push(says(0, "banker wins"));
    let bodies = hand(
        &[bet("b", 1, "banker", 1000)],
        told,
        &[paid_less("b", 1000, 50)],
    );
    assert_eq!(
        codes_of(json!({}), bodies),
        ["baccarat.player_drew_in_error"]
    );
}

/// Hands of a table of curators: who says what before each, and whether the Banker wins it.
fn curated(hands: &[(&[(u32, &str)], bool)]) -> Vec<String> {
    let mut story = table(json!({}));
    for (said, banker) in hands {
        let (cards, payment) = match banker {
            true => (banker_wins(), paid_less("b", 1000, 50)),
            false => (
                cards(&["player 4S", "banker 3C", "player 4H", "banker 4D"]),
                collected("b"),
            ),
        };
        let mut bodies: Vec<Value> = said.iter().map(|(seat, word)| says(*seat, word)).collect();
        bodies.extend(hand(&[bet("b", 1, "banker", 1000)], cards, &[payment]));
        story.round_opened_with(json!({"shoe": "s1"}), bodies);
    }
    story.codes().into_iter().map(str::to_owned).collect()
}

#[test]
fn a_curator_passes_the_shoe_when_the_banker_loses() {
    let third: &[(u32, &str)] = &[(3, "deal")];
    let house: &[(u32, &str)] = &[(0, "deal")];
    assert_eq!(
        curated(&[(third, true), (third, false), (house, true)]),
        NOTHING
    );
    assert_eq!(curated(&[(house, false), (house, true)]), NOTHING);
    assert_eq!(
        curated(&[(third, true), (third, false), (third, true)]),
        ["baccarat.curator_kept_shoe"]
    );
}

#[test]
fn a_shoe_is_offered_counterclockwise_from_the_curator() {
    let third: &[(u32, &str)] = &[(3, "deal")];
    let passed = |around: [u32; 2]| {
        let [refuses, takes] = around;
        let said = [(refuses, "decline_shoe"), (takes, "deal")];
        curated(&[(third, false), (&said, true)])
    };
    assert_eq!(passed([5, 6]), NOTHING);
    assert_eq!(passed([12, 1]), NOTHING);
    assert_eq!(passed([5, 4]), ["baccarat.shoe_passed_wrong_way"]);
    assert_eq!(passed([2, 9]), ["baccarat.shoe_passed_wrong_way"]);
}

#[test]
fn a_new_shoe_is_offered_from_seat_one() {
    for (around, expected) in [([1, 4], 0), ([5, 2], 1)] {
        let mut story = table(json!({}));
        let bodies = |said: &[Value]| {
            let bets = [said, &[bet("b", 1, "banker", 1000)]].concat();
            hand(&bets, banker_wins(), &[paid_less("b", 1000, 50)])
        };
        story
            .round_opened_with(json!({"shoe": "s1"}), bodies(&[says(3, "deal")]))
            .round_opened_with(
                json!({"shoe": "s2"}),
                bodies(&[says(around[0], "decline_shoe"), says(around[1], "deal")]),
            );
        assert_eq!(
            story.codes(),
            vec!["baccarat.shoe_passed_wrong_way"; expected]
        );
    }
}

#[test]
fn cards_are_touched_by_players_at_a_midi_table_alone() {
    for (midi, expected) in [(true, 0), (false, 1)] {
        let mut story = Story::at("minibaccarat", "oh-jack-2017", json!({"midi": midi}));
        let mut told = banker_wins();
        told.push(says(1, "touch_cards"));
        story.round(hand(
            &[bet("b", 1, "banker", 1000)],
            told,
            &[paid_less("b", 1000, 50)],
        ));
        assert_eq!(story.codes(), vec!["baccarat.cards_touched"; expected]);
    }
}

#[test]
fn the_house_may_report_what_was_done_itself() {
    let told = |game: &str, edition: &str, options: Value, kind: &str| {
        let mut story = Story::at(game, edition, options);
        let mut told = banker_wins();
        told.push(catwalk_stories::irregularity(kind, json!({"seat": 1})));
        let bets = [bet("b", 1, "banker", 1000)];
        story.round(hand(&bets, told, &[paid_less("b", 1000, 50)]));
        let found = story.findings.iter();
        found
            .map(|found| (found.code.clone(), found.seat))
            .collect::<Vec<_>>()
    };
    let one = |code: &str| vec![(code.to_owned(), Some(1))];
    let mgc = |kind: &str| told("baccarat", "mgc-2017", json!({}), kind);
    for (kind, code) in [
        ("payout_touched", "house_money.payout_touched"),
        ("wrong_call", "baccarat.wrong_call"),
        ("curator_kept_shoe", "baccarat.curator_kept_shoe"),
        ("shoe_passed_wrong_way", "baccarat.shoe_passed_wrong_way"),
    ] {
        assert_eq!(mgc(kind), one(code));
    }
    assert_eq!(mgc("a_player_sneezed"), []);
    // Where players may touch the cards, and where no vigorish is marked, there is nothing to report.
    let ohio = |midi: bool| {
        let options = json!({"midi": midi});
        told("minibaccarat", "oh-jack-2017", options, "cards_touched")
    };
    assert_eq!(ohio(false), one("baccarat.cards_touched"));
    assert_eq!(ohio(true), []);
    assert_eq!(mgc("cards_touched"), []);
    let marked = |collection: &str| {
        let options = json!({"vigorish_collection": collection});
        told("midibaccarat", "mgc-2017", options, "marker_removed")
    };
    assert_eq!(marked("deferred"), one("vigorish.marker_removed"));
    assert_eq!(marked("at_payout"), []);
}

#[test]
fn the_curator_may_be_told_when_the_round_opens() {
    let told = |hands: &[(u32, bool)], said: &[Value]| {
        let mut story = table(json!({}));
        for (number, &(seat, banker)) in hands.iter().enumerate() {
            let (cards, payment) = match banker {
                true => (banker_wins(), paid_less("b", 1000, 50)),
                false => (
                    cards(&["player 4S", "banker 3C", "player 4H", "banker 4D"]),
                    collected("b"),
                ),
            };
            for word in said.iter().filter(|_| number > 0) {
                story.aside(word.clone());
            }
            let bodies = hand(&[bet("b", 1, "banker", 1000)], cards, &[payment]);
            story.round_opened_with(json!({"shoe": "s1", "banker": seat}), bodies);
        }
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(told(&[(3, true), (3, false), (4, true)], &[]), NOTHING);
    assert_eq!(told(&[(0, false), (0, true)], &[]), NOTHING);
    let kept = ["baccarat.curator_kept_shoe"];
    assert_eq!(told(&[(3, false), (3, true)], &[]), kept);
    // Answers to the offer may fall between the hands.
    let around = |one: u32, other: u32| {
        told(
            &[(3, false), (other, true)],
            &[says(one, "decline_shoe"), says(other, "accept_shoe")],
        )
    };
    assert_eq!(around(4, 6), NOTHING);
    assert_eq!(around(2, 6), ["baccarat.shoe_passed_wrong_way"]);
}

#[test]
fn who_keeps_or_takes_the_shoe_may_say_so_between_the_hands() {
    let told = |lost: bool, said: &[Value]| {
        let cards = match lost {
            true => cards(&["player 4S", "banker 3C", "player 4H", "banker 4D"]),
            false => banker_wins(),
        };
        let payment = if lost {
            collected("b")
        } else {
            paid_less("b", 1000, 50)
        };
        let bets = [says(3, "deal"), bet("b", 1, "banker", 1000)];
        let mut story = table(json!({}));
        story.round(hand(&bets, cards, &[payment]));
        for word in said {
            story.aside(word.clone());
        }
        let second = hand(&bets[1..], banker_wins(), &[paid_less("b", 1000, 50)]);
        story.round(second);
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.collect::<Vec<_>>()
    };
    assert_eq!(told(false, &[says(3, "keep_shoe")]), NOTHING);
    assert_eq!(told(true, &[says(4, "accept_shoe")]), NOTHING);
    let kept = ["baccarat.curator_kept_shoe"];
    assert_eq!(told(true, &[says(3, "keep_shoe")]), kept);
}

#[test]
fn what_the_house_reports_may_be_spelled_as_the_finding() {
    for (kind, code) in [
        ("house_money_payout_touched", "house_money.payout_touched"),
        ("baccarat.wrong_call", "baccarat.wrong_call"),
        ("Wrong call", "baccarat.wrong_call"),
    ] {
        let mut told = banker_wins();
        told.push(catwalk_stories::irregularity(kind, json!({"seat": 1})));
        let bets = [bet("b", 1, "banker", 1000)];
        let bodies = hand(&bets, told, &[paid_less("b", 1000, 50)]);
        assert_eq!(codes_of(json!({}), bodies), [code], "{kind}");
    }
}

#[test]
fn no_wager_is_taken_in_a_round_that_is_played_for_nothing() {
    let told = |word: Option<&str>, reason: Option<&str>, bets: &[Value]| {
        let mut bodies: Vec<Value> = Vec::new();
        bodies.extend(word.map(|word| catwalk_stories::irregularity(word, Value::Null)));
        bodies.extend(hand(bets, banker_wins(), &[]));
        let back = bets.iter().map(|bet| {
            let id = bet["wager"].as_str().unwrap();
            catwalk_stories::pushed(id)
        });
        bodies.extend(back);
        let mut story = table(json!({}));
        match reason {
            None => {
                story.round(bodies);
            }
            Some(reason) => {
                story.of_round(7, json!({"type": "round_opened"}));
                for body in bodies {
                    story.of_round(7, body);
                }
                story.of_round(7, json!({"type": "round_closed", "reason": reason}));
            }
        }
        let codes = story.codes().into_iter().map(str::to_owned);
        codes
            .filter(|code| !code.starts_with("pay."))
            .collect::<Vec<_>>()
    };
    let bets = [bet("b", 1, "banker", 1000)];
    let found = ["wager.in_simulated_round"];
    assert_eq!(told(Some("simulated_round"), None, &bets), found);
    assert_eq!(told(Some("Simulated round"), None, &bets), found);
    assert_eq!(told(None, Some("simulated_round"), &bets), found);
    assert_eq!(told(None, Some("simulated_round"), &[]), NOTHING);
    assert_eq!(told(None, Some("last hand"), &bets), NOTHING);
}

#[test]
fn ohio_asks_whether_a_stray_card_was_dealt_face_down() {
    // The Player draws on 7; the Banker has 3 and must draw.
    let told = |third: Value, turned: bool, own: &[&str], payment: Value| {
        let mut told = cards(&["player 7S", "banker AC", "player JH", "banker 2D"]);
        told.push(third);
        if turned {
            told.push(json!({"type": "card_revealed", "to": "player", "index": 2, "card": "6C"}));
        }
        told.extend(cards(own));
        let mut story = Story::at("minibaccarat", "oh-jack-2017", json!({}));
        story.round(hand(&[bet("b", 1, "banker", 1000)], told, &[payment]));
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.collect::<Vec<_>>()
    };
    let stray = "baccarat.player_drew_in_error";
    let up = || json!({"type": "card_dealt", "to": "player", "card": "6C", "face": "up"});
    let read = || json!({"type": "card_dealt", "to": "player", "card": "6C", "face": "down"});
    let down = || json!({"type": "card_dealt", "to": "player", "face": "down"});
    let won = || paid_less("b", 1000, 50);
    // Nobody saw it: it is the Banker's, read by the shoe or turned afterwards.
    assert_eq!(told(read(), false, &[], won()), [stray]);
    assert_eq!(told(down(), true, &[], won()), [stray]);
    let surplus = ["baccarat.banker_drew_in_error", stray];
    assert_eq!(told(read(), false, &["banker KH"], won()), surplus);
    // Shown, it is not, and he draws his own: 3 and 5 beat 7.
    assert_eq!(told(up(), false, &["banker 5H"], won()), [stray]);
    assert_eq!(told(down(), true, &["banker 5H"], won()), [stray]);
}

#[test]
fn a_table_that_opens_for_a_tournament_plays_by_its_rules() {
    let told = |edition: &str, commission: i64| {
        let mut story = Story::at("minibaccarat", edition, json!({}));
        story.aside(json!({"type": "table_closed", "closing_inventory": 5000000}));
        story.aside(
            json!({"type": "table_opened", "game": "minibaccarat", "edition": edition,
            "options": {}, "limits": [], "opening_inventory": 5000000, "dealer": "d-1",
            "tournament": true}),
        );
        let bets = [bet("b", 1, "banker", 1000)];
        story.round(hand(
            &bets,
            banker_wins(),
            &[paid_less("b", 1000, commission)],
        ));
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.collect::<Vec<_>>()
    };
    assert_eq!(told("oh-jack-2017", 0), NOTHING);
    let charged = told("oh-jack-2017", 50);
    assert!(charged.contains(&"vigorish.on_side_bet".to_owned()));
    // Massachusetts has no such rules.
    assert_eq!(told("mgc-2017", 50), NOTHING);
}
