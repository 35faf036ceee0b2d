//! Chemin de fer: what is said and ruled at the table, and payments on wagers that nobody made.

#![allow(clippy::unwrap_used)]

mod story;

use serde_json::{Value, json};
use story::baccarat::{NOTHING, says};
use story::{Story, bet, cards, closed, collected, irregularity, paid, paid_less, pushed};

/// One hand: seat 5 banks for 30000 and seat 2 says banco.
fn told(play: &[Value], payments: &[Value]) -> Vec<String> {
    let bets = [
        bet("k", 5, "bank", 30000),
        bet("p", 2, "banco", 30000),
        closed(),
    ];
    codes([&bets, play, payments].concat())
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
