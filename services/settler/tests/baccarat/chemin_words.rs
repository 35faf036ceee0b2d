//! Chemin de fer: what is said and ruled at the table, and payments on wagers that nobody made.

use catwalk_stories::baccarat::{NOTHING, says};
use catwalk_stories::{
    Story, bet, cards, closed, collected, irregularity, paid, paid_less, pushed,
};
use serde_json::{Value, json};

/// One hand: seat 5 banks for 30000 and seat 2 says banco.
fn told(play: &[Value], payments: &[Value]) -> Vec<String> {
    let (bank, banco) = (bet("k", 5, "bank", 30000), bet("p", 2, "banco", 30000));
    codes([&[bank, banco, closed()], play, payments].concat())
}

fn codes(bodies: Vec<Value>) -> Vec<String> {
    let mut story = Story::at("chemin_de_fer", "mgc-2017", json!({}));
    story.round(bodies);
    let codes = story.codes().into_iter();
    codes.map(str::to_owned).collect()
}

/// The Banker has lost his bank, or won it.
fn bank_loses() -> Vec<Value> {
    vec![collected("k"), paid("p", 30000)]
}

fn bank_wins() -> Vec<Value> {
    vec![collected("p"), paid_less("k", 30000, 1500)]
}

#[test]
fn nothing_is_paid_on_a_wager_that_is_not_made() {
    // The Banker loses 6 to 7; seat 6 takes his wager back before the call, or leaves it.
    let hand = |taken_back: bool, payments: &[Value]| {
        let mut bodies = vec![
            bet("k", 1, "bank", 30000),
            bet("p", 4, "punt", 20000),
            bet("x", 6, "punt", 10000),
        ];
        if taken_back {
            let by = json!({"id": "d-1", "role": "dealer"});
            bodies.push(json!({"type": "wager_removed", "wager": "x", "by": by}));
            bodies.push(closed());
            bodies.push(json!({"type": "wager_changed", "wager": "k", "amount": 20000, "by": by}));
        } else {
            bodies.push(closed());
        }
        bodies.extend(cards(&["player TS", "banker KH", "player 7D", "banker 6C"]));
        bodies.push(says(4, "stay"));
        bodies.extend_from_slice(payments);
        let mut story = Story::at("chemin_de_fer", "mgc-2017", json!({}));
        story.round(bodies);
        story
    };
    let (one, other) = (paid("p", 20000), paid("x", 10000));
    let both = [collected("k"), one.clone(), other.clone()];
    assert_eq!(hand(false, &both).codes(), NOTHING);
    assert_eq!(hand(true, &[collected("k"), one.clone()]).codes(), NOTHING);
    let ghost = hand(true, &[collected("k"), one.clone(), other]);
    assert_eq!(ghost.codes(), ["pay.undue"]);
    let finding = ghost.finding("pay.undue");
    assert_eq!(finding.wager.as_deref(), Some("x"));
    assert_eq!(finding.exposure.get(), 10000);
    // Nor on one that nobody ever heard of.
    let stranger = hand(false, &[&both[..], &[paid("y", 500)]].concat());
    assert_eq!(stranger.codes(), ["pay.undue"]);
    // A feed that tells of no wagers has none to hold against.
    let no_wagers = [
        cards(&["player TS", "banker KH", "player 7D", "banker 6C"]),
        vec![one],
    ];
    assert!(!codes(no_wagers.concat()).contains(&"pay.undue".to_owned()));
}

#[test]
fn announcements_are_made_in_the_words_of_the_text_or_of_the_feed() {
    let on_five = |word: &str| {
        let mut play = cards(&["player 2S", "banker KH", "player 3D", "banker 6C"]);
        play.push(says(2, word));
        play
    };
    // On five both are allowed; on three only a card.
    for word in ["stay", "Stay", "STAY", "stand"] {
        assert_eq!(told(&on_five(word), &bank_wins()), NOTHING, "{word}");
        let mut on_three = cards(&["player TS", "banker KH", "player 3D", "banker 6C"]);
        on_three.push(says(2, word));
        assert_eq!(
            told(&on_three, &bank_wins()),
            [
                "chemin.illegal_decision",
                "chemin.player_missing_third_card"
            ],
            "{word}"
        );
    }
    for word in ["card", "Card", "draw"] {
        let mut play = on_five(word);
        play.push(says(5, "Under Eight"));
        play.extend(cards(&["player 9H"]));
        assert_eq!(told(&play, &bank_wins()), NOTHING, "{word}");
        // Nothing was dealt on it.
        assert_eq!(
            told(&on_five(word), &bank_wins()),
            ["chemin.player_missing_third_card"]
        );
    }
    let natural = |seat: u32, word: &str| {
        let mut play = cards(&["player 9S", "banker 3H", "player KD", "banker 4C"]);
        play.push(says(seat, word));
        told(&play, &bank_loses())
    };
    assert_eq!(natural(2, "Natural"), NOTHING);
    assert_eq!(natural(2, "Stay"), ["chemin.illegal_decision"]);
    // What the Banker says of his own hand is no announcement of the Player's.
    assert_eq!(natural(5, "Stay"), NOTHING);
    assert_eq!(natural(4, "Natural"), ["chemin.wrong_dominant_player"]);
}

#[test]
fn who_says_banco_in_full_goes_first_too() {
    let told = |word: &str, accepted: (u32, &str)| {
        let (seat, kind) = accepted;
        let mut bodies = vec![
            bet("k", 5, "bank", 30000),
            says(7, word),
            bet("p", seat, kind, 30000),
            closed(),
        ];
        bodies.extend(cards(&["player TS", "banker 4H", "player 6D", "banker 4C"]));
        bodies.push(says(seat, "stay"));
        codes([bodies, bank_wins()].concat())
    };
    for word in ["banco", "Banco", "Banco Seul", "banco_seul"] {
        assert_eq!(told(word, (7, "banco")), NOTHING, "{word}");
        assert_eq!(told(word, (8, "punt")), ["chemin.priority_ignored"]);
    }
    assert_eq!(
        told("Banco Suivi", (8, "banco")),
        ["chemin.priority_ignored"]
    );
    // It is nearer to the Banker who wants the whole bank as well.
    assert_eq!(told("Banco", (6, "banco")), NOTHING);
}

#[test]
fn a_hand_that_was_ruled_upon_is_settled_as_the_ruling_says() {
    let ruled = |word: &str, dealt: &[&str], said: Option<&str>, payments: &[Value]| {
        let mut play = cards(&dealt[..4.min(dealt.len())]);
        play.extend(said.map(|word| says(2, word)));
        play.extend(cards(&dealt[4.min(dealt.len())..]));
        play.push(irregularity(word, Value::Null));
        told(&play, payments)
    };
    let extra = [
        "player 2S",
        "banker KH",
        "player AD",
        "banker 5C",
        "banker 6H",
    ];
    let three = [
        "player 9S",
        "banker KH",
        "player 8D",
        "banker 7C",
        "player 2H",
    ];
    let two = [
        "player KS",
        "banker 2H",
        "player 6D",
        "banker 3C",
        "banker 7S",
        "banker 2C",
    ];
    for (word, dealt, said) in [
        ("banker_extra_initial", &extra[..], None),
        ("player_three_initial", &three[..], None),
        ("banker_two_third", &two[..], Some("stay")),
    ] {
        let code = format!("chemin.{word}");
        assert_eq!(ruled(word, dealt, said, &bank_loses()), [&code[..]]);
        let otherwise = ruled(word, dealt, said, &bank_wins());
        assert_eq!(otherwise, [&code[..], "pay.undue", "pay.unpaid"], "{word}");
    }
    let back = [pushed("k"), pushed("p")];
    let short = ["player TS", "banker 4H", "player 6D"];
    for word in ["insufficient_cards", "face_up_card_in_last_hand"] {
        assert_eq!(ruled(word, &short, None, &back), NOTHING, "{word}");
        let taken = ruled(word, &short, None, &[pushed("k"), collected("p")]);
        assert_eq!(taken, ["pay.under"], "{word}");
    }
}

/// Seat 1 banks for 20000 and wins or loses; these words fall before seat `next` banks for so much, and wins.
fn between(wins: bool, said: &[Value], next: u32, bank: i64) -> Vec<String> {
    let hand = |seat: u32, bank: i64, wins: bool| {
        let banker = if wins { ["4H", "4C"] } else { ["KH", "6C"] };
        let player = if wins { "6D" } else { "7D" };
        let mut bodies = vec![
            bet("k", seat, "bank", bank),
            bet("p", 9, "banco", bank),
            closed(),
        ];
        bodies.extend(cards(&["player TS"]));
        bodies.extend(cards(&[&format!("banker {}", banker[0])]));
        bodies.extend(cards(&[&format!("player {player}")]));
        bodies.extend(cards(&[&format!("banker {}", banker[1])]));
        bodies.push(says(9, "stay"));
        bodies.extend(match wins {
            true => [collected("p"), paid_less("k", bank, bank / 20)],
            false => [collected("k"), paid("p", bank)],
        });
        bodies
    };
    let mut story = Story::at("chemin_de_fer", "mgc-2017", json!({}));
    story.round(hand(1, 20000, wins));
    for word in said {
        story.aside(word.clone());
    }
    story.round(hand(next, bank, true));
    let codes = story.codes().into_iter();
    codes.map(str::to_owned).collect()
}

fn bids(seat: u32, amount: i64) -> Value {
    json!({"type": "decision", "seat": seat, "action": "bid", "amount": amount})
}

#[test]
fn what_is_said_of_the_bank_between_two_hands_counts() {
    // A bank that is passed is taken for what it was, or goes to the highest bid.
    let passed = [says(1, "pass"), says(2, "accept")];
    assert_eq!(between(true, &passed, 2, 30000), NOTHING);
    let too_little = ["chemin.bank_below_previous"];
    assert_eq!(between(true, &passed, 2, 15000), too_little);
    let auction = [says(1, "pass"), says(2, "decline"), bids(2, 5000)];
    assert_eq!(between(true, &auction, 2, 5000), NOTHING);
    let below = ["chemin.bank_below_bid"];
    assert_eq!(between(true, &auction, 2, 4000), below);
    // Who passes it does not bid first.
    let others_first = [says(1, "pass"), bids(2, 5000), bids(1, 6000)];
    assert_eq!(between(true, &others_first, 1, 20000), NOTHING);
    let passer_first = [says(1, "pass"), bids(1, 6000), bids(2, 7000)];
    assert_eq!(
        between(true, &passer_first, 2, 7000),
        ["chemin.passer_in_first_bidding"]
    );
    // One that was lost goes around the table.
    let in_turn = [says(2, "decline"), says(4, "decline"), says(6, "accept")];
    assert_eq!(between(false, &in_turn, 6, 3000), NOTHING);
    let out_of_turn = [says(6, "decline"), says(2, "accept")];
    assert_eq!(
        between(false, &out_of_turn, 2, 3000),
        ["chemin.bank_offered_wrong_way"]
    );
    // Who lost it may bid for it where it is auctioned.
    assert_eq!(
        between(false, &[], 1, 20000),
        ["chemin.bank_kept_after_loss"]
    );
    assert_eq!(
        between(false, &[bids(9, 4000), bids(1, 5000)], 1, 5000),
        NOTHING
    );
}

#[test]
fn nobody_knows_who_held_the_bank_in_events_that_are_missing() {
    let hand = |wins: bool| {
        let (play, payments) = match wins {
            true => (["4H", "6D", "4C"], bank_wins()),
            false => (["KH", "7D", "6C"], bank_loses()),
        };
        let mut bodies = vec![
            bet("k", 5, "bank", 30000),
            bet("p", 2, "banco", 30000),
            closed(),
        ];
        bodies.extend(cards(&["player TS"]));
        bodies.extend(cards(&[&format!("banker {}", play[0])]));
        bodies.extend(cards(&[&format!("player {}", play[1])]));
        bodies.extend(cards(&[&format!("banker {}", play[2])]));
        bodies.push(says(2, "stay"));
        bodies.extend(payments);
        bodies
    };
    let mut told = Story::at("chemin_de_fer", "mgc-2017", json!({}));
    told.round(hand(false)).round(hand(true));
    assert_eq!(told.codes(), ["chemin.bank_kept_after_loss"]);
    let mut missing = Story::at("chemin_de_fer", "mgc-2017", json!({}));
    missing.round(hand(false)).lose().round(hand(true));
    // Until the missing event is given up.
    for _ in 0..300 {
        missing.aside(json!({"type": "clock"}));
    }
    assert_eq!(missing.codes(), ["feed.gap"]);
}

#[test]
fn a_late_wager_that_is_settled_covers_what_the_banker_left() {
    // The Banker loses 6 to 7; seat 2 wagers after the call, and the Banker had taken back or not.
    let hand = |withdrawn: bool, payments: &[Value]| {
        let mut bodies = vec![
            bet("k", 5, "bank", 30000),
            bet("p", 7, "punt", 20000),
            closed(),
        ];
        if withdrawn {
            bodies.push(
                json!({"type": "wager_changed", "wager": "k", "amount": 20000,
                "by": {"id": "d-1", "role": "dealer"}}),
            );
        }
        bodies.push(bet("x", 2, "punt", 10000));
        bodies.extend(cards(&["player TS", "banker KH", "player 7D", "banker 6C"]));
        bodies.push(says(7, "stay"));
        bodies.extend_from_slice(payments);
        codes(bodies)
    };
    let all = [collected("k"), paid("p", 20000), paid("x", 10000)];
    assert_eq!(hand(false, &all), ["wager.late"]);
    let given_back = [collected("k"), paid("p", 20000), pushed("x")];
    assert_eq!(hand(true, &given_back), ["wager.late"]);
    assert_eq!(hand(true, &all), ["wager.late", "pay.over"]);
}

#[test]
fn what_nobody_covers_may_be_told_as_given_back() {
    let hand = |back: i64, dealt: &[&str], payments: &[Value]| {
        let mut bodies = vec![
            bet("k", 1, "bank", 50000),
            bet("p", 4, "punt", 17500),
            closed(),
        ];
        bodies.push(json!({"type": "wager_pushed", "wager": "k", "amount": back}));
        bodies.extend(cards(dealt));
        bodies.push(says(4, "stay"));
        bodies.extend_from_slice(payments);
        codes(bodies)
    };
    let wins = ["player TS", "banker 4H", "player 6D", "banker 4C"];
    let loses = ["player TS", "banker KH", "player 7D", "banker 6C"];
    let won = [collected("p"), paid_less("k", 17500, 875)];
    let lost = [collected("k"), paid("p", 17500)];
    assert_eq!(hand(32500, &wins, &won), NOTHING);
    assert_eq!(hand(32500, &loses, &lost), NOTHING);
    assert!(hand(20000, &wins, &won).contains(&"chemin.uncovered_not_withdrawn".to_owned()));
}

#[test]
fn what_goes_with_a_shown_card_is_all_by_the_end_of_its_round_or_shoe() {
    let burned = || json!({"type": "card_burned", "card": "2C"});
    let found = |within: usize, after: usize| {
        // Seat 2 stays on 6 and is dealt a three; the Banker has 7.
        let mut bodies = vec![
            bet("k", 5, "bank", 30000),
            bet("p", 2, "banco", 30000),
            closed(),
        ];
        bodies.extend(cards(&["player 2S", "banker KH", "player 4D", "banker 7C"]));
        bodies.push(says(2, "stay"));
        bodies.extend(cards(&["player 3C"]));
        bodies.push(irregularity("card_disclosed", json!({"card": "3C"})));
        bodies.extend(vec![burned(); within]);
        bodies.extend(bank_wins());
        let mut story = Story::at("chemin_de_fer", "mgc-2017", json!({}));
        story.round(bodies);
        for _ in 0..after {
            story.aside(burned());
        }
        story.aside(json!({"type": "shoe_ended", "shoe": "s1"}));
        let codes = story.codes().into_iter();
        let codes = codes.filter(|code| *code == "chemin.disposal_wrong");
        codes.count()
    };
    assert_eq!(found(3, 0), 0);
    assert_eq!(found(1, 0), 1);
    assert_eq!(found(0, 3), 0);
    assert_eq!(found(0, 2), 1);
    assert_eq!(found(0, 0), 0);
}

#[test]
fn the_house_may_report_what_went_wrong_with_the_bank_itself() {
    let reported = |kind: &str| {
        let mut play = vec![irregularity(kind, json!({"seat": 5}))];
        play.extend(cards(&["player TS", "banker 4H", "player 6D", "banker 4C"]));
        play.push(says(2, "stay"));
        told(&play, &bank_wins())
    };
    for word in [
        "bank_kept_after_loss",
        "bank_offered_wrong_way",
        "passer_in_first_bidding",
        "priority_ignored",
        "seat_move_turn",
        "uncovered_not_withdrawn",
    ] {
        let code = format!("chemin.{word}");
        assert_eq!(reported(word), [code.as_str()]);
        assert_eq!(reported(&code), [code.as_str()]);
    }
    assert_eq!(reported("a guest sneezed"), NOTHING);
}

/// Hands against seat 9: who banks, for how much, whether the Banker wins, and what is said before.
fn banked(hands: &[(u32, i64, bool, &[Value])]) -> Vec<String> {
    let mut story = Story::at("chemin_de_fer", "mgc-2017", json!({}));
    for &(seat, bank, wins, said) in hands {
        for word in said {
            story.aside(word.clone());
        }
        let mut bodies = vec![
            bet("k", seat, "bank", bank),
            bet("p", 9, "banco", bank),
            closed(),
        ];
        bodies.extend(match wins {
            true => cards(&["player TS", "banker 4H", "player 6D", "banker 4C"]),
            false => cards(&["player TS", "banker KH", "player 7D", "banker 6C"]),
        });
        bodies.push(says(9, "stay"));
        bodies.extend(match wins {
            true => [collected("p"), paid_less("k", bank, bank / 20)],
            false => [collected("k"), paid("p", bank)],
        });
        story.round(bodies);
    }
    let codes = story.codes().into_iter();
    codes.map(str::to_owned).collect()
}

#[test]
fn a_passed_bank_that_is_lost_goes_from_the_seat_that_passed_it() {
    let offered = |one: u32, other: u32| {
        banked(&[
            (1, 20000, true, &[]),
            (4, 20000, false, &[says(1, "pass"), says(4, "accept")]),
            (other, 1000, true, &[says(one, "decline")]),
        ])
    };
    assert_eq!(offered(2, 5), NOTHING);
    assert_eq!(offered(5, 2), NOTHING);
    assert_eq!(offered(3, 2), ["chemin.bank_offered_wrong_way"]);
    // One that was lost by who had it first goes from there alone.
    let lost = |one: u32, other: u32| {
        banked(&[
            (4, 20000, false, &[]),
            (other, 1000, true, &[says(one, "decline")]),
        ])
    };
    assert_eq!(lost(5, 2), NOTHING);
    assert_eq!(lost(2, 5), ["chemin.bank_offered_wrong_way"]);
}

#[test]
fn what_was_placed_in_an_annulled_hand_was_the_last_wager() {
    let mut story = Story::at("chemin_de_fer", "mgc-2017", json!({}));
    let hand = |bank: i64| {
        let mut bodies = vec![bet("k", 1, "bank", bank), bet("p", 9, "banco", bank)];
        bodies.push(closed());
        bodies.extend(cards(&["player TS", "banker 4H", "player 6D", "banker 4C"]));
        bodies.push(says(9, "stay"));
        bodies.extend([collected("p"), paid_less("k", bank, bank / 20)]);
        bodies
    };
    story.round(hand(20000));
    story.of_round(7, json!({"type": "round_opened"}));
    for body in [
        bet("k", 1, "bank", 40000),
        bet("p", 9, "banco", 40000),
        closed(),
        json!({"type": "round_voided", "reason": "insufficient_cards"}),
    ] {
        story.of_round(7, body);
    }
    story.round(hand(80000));
    assert_eq!(story.codes(), NOTHING);
}

#[test]
fn words_for_the_bank_may_name_it() {
    for [pass, decline, accept] in [
        ["pass", "decline", "accept"],
        ["Pass bank", "decline-bank", "accept_bank"],
        ["pass_bank", "decline_bank", "take_bank"],
        ["PASS", "Decline", "take"],
    ] {
        let said = [says(1, pass), says(2, decline), says(4, accept)];
        let taken = |bank: i64| banked(&[(1, 20000, true, &[]), (4, bank, true, &said)]);
        assert_eq!(taken(20000), NOTHING, "{pass}");
        assert_eq!(taken(10000), ["chemin.bank_below_previous"], "{pass}");
        let said = [says(1, pass), says(4, decline), says(2, accept)];
        let out_of_turn = banked(&[(1, 20000, true, &[]), (2, 20000, true, &said)]);
        assert_eq!(out_of_turn, ["chemin.bank_offered_wrong_way"], "{decline}");
    }
}
