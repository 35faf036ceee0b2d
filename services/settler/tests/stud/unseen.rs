//! Cards that nobody saw and meters that nobody read: what hangs on them is held against what could lie there, and
//! nothing is made up for them.

use catwalk_rules::floor::Card;
use catwalk_settler::SettledRound;
use catwalk_stories::{settle, table};
use serde_json::{Value, json};

const OHIO: &str = "oh-jack-2017";

/// The cards that lie somewhere in a value.
fn cards(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) if text.parse::<Card>().is_ok() => vec![text.clone()],
        Value::Array(list) => list.iter().flat_map(cards).collect(),
        Value::Object(entries) => entries.values().flat_map(cards).collect(),
        _ => Vec::new(),
    }
}

/// The codes of a round and its `play`, which has no card that no event told.
#[track_caller]
fn judged(bodies: &[Value]) -> (Vec<String>, Value) {
    let (findings, rounds) = settle(bodies);
    let told: Vec<String> = bodies.iter().flat_map(cards).collect();
    let document = |round: &SettledRound| round.document.clone();
    let play = rounds.first().and_then(document).unwrap()["play"].clone();
    for card in cards(&play) {
        assert!(told.contains(&card), "no event told of {card}: {play}");
    }
    let codes = findings.into_iter().map(|finding| finding.code);
    (codes.collect(), play)
}

/// A game of which one card was not seen: what honest payments and what a payment beyond every card raise.
#[track_caller]
fn one_unseen(game: &str, edition: &str, options: Value, lines: &str, honest: &str, over: &str) {
    let round = |paid: &str| {
        let lines = format!("{lines}\n{honest}\n{paid}\nclose");
        judged(&table(game, edition, options.clone(), &lines))
    };
    let (codes, play) = round("");
    assert_eq!(codes, [""; 0], "{play}");
    assert_eq!(play.to_string().matches("\"??\"").count(), 1, "{play}");
    let (codes, _) = round(over);
    assert!(codes.contains(&"pay.over".to_owned()), "{codes:?}");
}

#[test]
fn a_pair_plus_on_a_folded_hand_that_nobody_saw_is_open() {
    let lines = "open\nbet a1 1 ante 1000\nbet a2 2 ante 500\nbet pp 2 pair_plus 500\nno-more-bets
        card seat 1 9S\ncard seat 2 ??\ncard dealer KD
        card seat 1 9H\ncard seat 2 ??\ncard dealer 7C
        card seat 1 2D\ncard seat 2 ??\ncard dealer 3H
        say 1 play\nbet p1 1 play 1000 a1\nsay 2 fold
        show dealer 0 KD\nshow dealer 1 7C\nshow dealer 2 3H
        take a2\ntake pp\npay a1 1000\npay p1 1000\nclose";
    let bodies = table("three_card_poker", "mgc-amended", json!({}), lines);
    let (codes, play) = judged(&bodies);
    assert_eq!(codes, [""; 0]);
    assert_eq!(play["hands"][1]["cards"], json!(["??", "??", "??"]));
    let unpaid = lines.replace("pay p1 1000", "");
    let bodies = table("three_card_poker", "mgc-amended", json!({}), &unpaid);
    assert_eq!(judged(&bodies).0, ["pay.unpaid"]);
}

#[test]
fn a_pair_plus_of_three_card_poker_is_paid_for_a_pair_or_better() {
    let lines = "open\nbet a 1 ante 500\nbet pp 1 pair_plus 500\nno-more-bets
        card seat 1 9S\ncard dealer KD\ncard seat 1 9H\ncard dealer 7C\ncard seat 1 ??\ncard dealer 3H
        say 1 fold\ntake a\nshow dealer 0 KD\nshow dealer 1 7C\nshow dealer 2 3H";
    let (game, edition) = ("three_card_poker", "mgc-amended");
    one_unseen(
        game,
        edition,
        json!({}),
        lines,
        "pay pp 500",
        "pay pp 20000",
    );
    let taken = format!("{lines}\ntake pp\nclose");
    let bodies = table(game, edition, json!({}), &taken);
    assert_eq!(judged(&bodies).0, ["pay.unpaid"]);
}

#[test]
fn a_bet_of_caribbean_stud_is_bounded_by_its_odds() {
    let lines = "open\nbet a 1 ante 500\nno-more-bets
        card seat 1 AH\ncard dealer AS up\ncard seat 1 AD\ncard dealer KD\ncard seat 1 9S\ncard dealer 9C
        card seat 1 9H\ncard dealer 7H\ncard seat 1 ??\ncard dealer 4D
        bet b 1 bet 1000 a
        show dealer 1 KD\nshow dealer 2 9C\nshow dealer 3 7H\nshow dealer 4 4D";
    let honest = "pay a 500\npay b 2000";
    one_unseen(
        "caribbean_stud",
        "mgc-2017",
        json!({}),
        lines,
        honest,
        "pay b 9000",
    );
}

#[test]
fn a_blind_of_dj_wild_is_bounded_by_its_odds() {
    let lines = "open\nbet a 1 ante 500\nbet b 1 blind 500\nno-more-bets
        card seat 1 9S\ncard dealer KS\ncard seat 1 9H\ncard dealer QD\ncard seat 1 9D\ncard dealer 9C
        card seat 1 8C\ncard dealer 7H\ncard seat 1 ??\ncard dealer 4D
        bet p 1 play 1000 a
        show dealer 0 KS\nshow dealer 1 QD\nshow dealer 2 9C\nshow dealer 3 7H\nshow dealer 4 4D";
    let honest = "pay a 500\npay p 1000\npush b";
    one_unseen("dj_wild", OHIO, json!({}), lines, honest, "pay b 100000");
}

#[test]
fn a_hole_card_of_double_down_stud_that_nobody_saw_bounds_what_is_due() {
    let lines = "open\nbet w 1 bet 500\nno-more-bets
        card seat 1 KS\ncard dealer ??\ncard dealer KD up\ncard dealer 9C up\ncard dealer 7H up";
    one_unseen(
        "double_down_stud",
        "mgc-2017",
        json!({}),
        lines,
        "pay w 500",
        "pay w 20000",
    );
}

#[test]
fn a_second_card_of_let_it_ride_that_nobody_saw_bounds_what_is_due() {
    let lines = "open\nbet x 1 bet_1 500\nbet y 1 bet_2 500\nbet z 1 bet_3 500\nno-more-bets
        card seat 1 TS\ncard community 9C\ncard seat 1 TD\ncard community ??\ncard seat 1 4C
        say 1 ride\nshow community 0 9C\nsay 1 ride";
    let honest = "pay x 500\npay y 500\npay z 500";
    one_unseen("let_it_ride", OHIO, json!({}), lines, honest, "pay x 50000");
}

#[test]
fn a_last_card_of_mississippi_stud_that_nobody_saw_bounds_what_is_due() {
    let lines = "open\nbet a 1 ante 500\nno-more-bets\ncard seat 1 JS\ncard seat 1 JD
        bet t 1 third_street 500 a\nburn\ncard community 9C up
        bet f 1 fourth_street 500 a\nburn\ncard community 8D up
        bet v 1 fifth_street 500 a\nburn\ncard community ??";
    let honest = "pay a 500\npay t 500\npay f 500\npay v 500";
    one_unseen(
        "mississippi_stud",
        OHIO,
        json!({}),
        lines,
        honest,
        "pay a 100000",
    );
}

#[test]
fn an_ante_of_four_card_poker_is_bounded_by_its_bonus() {
    let lines = "open\nbet a 1 ante 500\nno-more-bets
        card seat 1 AS\ncard dealer 2S\ncard seat 1 AH\ncard dealer 3D\ncard seat 1 7D\ncard dealer 8C
        card seat 1 7C\ncard dealer JH\ncard seat 1 ??\ncard dealer 9D\ncard dealer KD up
        say 1 play\nbet p 1 play 500 a
        show dealer 0 2S\nshow dealer 1 3D\nshow dealer 2 8C\nshow dealer 3 JH\nshow dealer 4 9D";
    one_unseen(
        "four_card_poker",
        OHIO,
        json!({}),
        lines,
        "pay a 500\npay p 500",
        "pay a 50000",
    );
}

#[test]
fn a_super_bonus_of_crazy_four_poker_is_bounded_by_its_odds() {
    let lines = "open\nbet a 1 ante 500\nbet s 1 super_bonus 500\nno-more-bets
        card seat 1 KS\ncard dealer 2S\ncard seat 1 KH\ncard dealer 3D\ncard seat 1 QD\ncard dealer 8C
        card seat 1 JC\ncard dealer JH\ncard seat 1 ??\ncard dealer 9D
        say 1 play\nbet p 1 play 500 a
        show dealer 0 2S\nshow dealer 1 3D\nshow dealer 2 8C\nshow dealer 3 JH\nshow dealer 4 9D";
    let honest = "push a\npay p 500\npush s";
    one_unseen(
        "crazy_four_poker",
        OHIO,
        json!({}),
        lines,
        honest,
        "pay s 100000",
    );
}

#[test]
fn a_meter_that_nobody_read_is_written_as_none() {
    let lines = "open\nbet a 1 ante 1000\nbet g 1 progressive 100\nno-more-bets\ntake g
        card seat 1 AS\ncard dealer KD\ncard seat 1 KS\ncard dealer 7C\ncard seat 1 QS\ncard dealer 3H
        say 1 play\nbet p 1 play 1000 a
        show dealer 0 KD\nshow dealer 1 7C\nshow dealer 2 3H
        pay a 6000\npay p 1000\njackpot g 2500000\nclose";
    let bodies = table("three_card_poker", "mgc-amended", json!({}), lines);
    let (codes, play) = judged(&bodies);
    assert_eq!(codes, [""; 0]);
    assert_eq!(play["meters"], json!({"progressive": null}));
}
