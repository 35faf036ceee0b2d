//! What the watch sees of the stud games at lawful tables and at others: shuffles, calls, corrections, and what a feed
//! tells that the text of its table has no rule for.

use catwalk_stories::{codes, open, script, settle};
use serde_json::{Value, json};

const NONE: [&str; 0] = [];

fn play(game: &str, edition: &str, options: Value, lines: &str) -> Vec<String> {
    let mut bodies = vec![open(game, edition, options)];
    bodies.extend(script(lines));
    codes(&bodies)
}

/// Hands of one round of let it ride, lost on all three bets.
const LOST: &str = "open
     bet a 1 bet_1 1000\nbet b 1 bet_2 1000\nbet c 1 bet_3 1000\nno-more-bets
     card seat 1 9S\ncard community ??\ncard seat 1 8H\ncard community ??\ncard seat 1 2D
     say 1 ride\nshow community 0 4D\nsay 1 ride\nshow community 1 KD
     take a\ntake b\ntake c\nclose";

/// 5(a) and 5.A of let it ride: the whole deck is shuffled before each round.
#[test]
fn let_it_ride_is_dealt_from_shuffled_cards_in_both_texts() {
    for edition in ["mgc-2017", "oh-jack-2017"] {
        let shuffle =
            r#"{"type": "shoe_started", "shoe": "s", "set": "A", "decks": 1, "method": "shoe"}"#;
        let inspected = r#"{"type": "cards_inspected", "set": "A", "missing": [], "extra": [], "unsuitable": [],
            "dealer": "d-1", "supervisor": "s-1"}"#;
        let inspected = inspected.replace('\n', " ");
        let rounds = |between: &str| {
            let lines = format!("{inspected}\n{shuffle}\n{LOST}\n{between}\n{LOST}");
            play("let_it_ride", edition, json!({}), &lines)
        };
        assert_eq!(
            rounds(&format!("{inspected}\n{shuffle}")),
            NONE,
            "{edition}"
        );
        let found = rounds("");
        let unshuffled = found.iter().filter(|code| *code == "deck.not_shuffled");
        assert_eq!(unshuffled.count(), 1, "{edition} {found:?}");
    }
}

/// 11.B.i: any amount from one to three antes is lawful, and stays until the end of the round. Only an unlawful one is
/// put right.
#[test]
fn a_street_between_whole_antes_needs_no_correction() {
    let found = |street: i64, changes: &str| {
        let lines = format!(
            "open\nbet a 1 ante 800\ncard seat 1 9S\ncard seat 1 9H
             say 1 bet\nbet b 1 third_street {street} a\n{changes}\nburn\ncard community 4D up
             say 1 bet\nbet c 1 fourth_street 2000 a\nburn\ncard community KC up
             say 1 bet\nbet d 1 fifth_street 800 a\nburn\ncard community 2S up
             push a\npush b\npush c\npush d\nclose"
        );
        play("mississippi_stud", "oh-jack-2017", json!({}), &lines)
    };
    for lawful in [800, 801, 2_000, 2_399, 2_400] {
        assert_eq!(found(lawful, ""), NONE, "{lawful}");
    }
    assert_eq!(found(799, ""), ["wager.bad_multiple"]);
    assert_eq!(found(2_401, ""), ["wager.bad_multiple"]);
    assert_eq!(found(2_401, "raise b 2400"), NONE);
    assert_eq!(found(2_000, "raise b 2400"), ["wager.capped"]);
}

/// A meter, a player who leaves and a decision without a bet mean nothing in some texts: what the document has no word
/// for does not keep the round from being judged.
#[test]
fn what_a_text_has_no_rule_for_keeps_no_round_unsettled() {
    let meter = r#"{"type": "round_opened", "meters": {"progressive": 4000000}}"#;
    let with_meter = LOST.replacen("open", meter, 1);
    let stray = with_meter.replacen("say 1 ride", "say 5 ride\nsay 1 ride", 1);
    let left = stray.replacen("take a", "say 1 abandoned\ntake a", 1);
    for lines in [&with_meter, &stray, &left] {
        let found = |lines: &str| play("let_it_ride", "mgc-2017", json!({}), lines);
        assert_eq!(found(lines), NONE, "{lines}");
        let paid = lines.replace("take a", "pay a 1000");
        assert_eq!(found(&paid), ["pay.undue"], "{lines}");
    }
    let three_card = format!(
        "{meter}\nbet a 1 ante 1000\nno-more-bets
         card seat 1 9S\ncard dealer KD\ncard seat 1 8H\ncard dealer 7C\ncard seat 1 2D\ncard dealer 3H
         say 1 fold\ntake a\nclose"
    );
    let found = |lines: &str| play("three_card_poker", "mgc-2017", json!({}), lines);
    assert_eq!(found(&three_card), NONE);
    assert_eq!(
        found(&three_card.replace("take a", "push a")),
        ["pay.uncollected"]
    );
    // In Ohio a player may leave; one who has no wager has nothing to leave.
    for (game, lines) in [
        ("let_it_ride", LOST.replace("no-more-bets\n", "")),
        (
            "mississippi_stud",
            "open\nbet a 1 ante 1000\ncard seat 1 9S\ncard seat 1 4D\nsay 1 fold\ntake a\nclose".to_owned(),
        ),
        (
            "dj_wild",
            "open\nbet a 1 ante 1000\nbet b 1 blind 1000\nno-more-bets
             card seat 1 3S\ncard dealer ??\ncard seat 1 5D\ncard dealer ??\ncard seat 1 7C\ncard dealer ??
             card seat 1 TH\ncard dealer ??\ncard seat 1 6S\ncard dealer ??
             say 1 fold\ntake b\ntake a\nclose"
                .to_owned(),
        ),
    ] {
        let left = lines.replacen("take", "say 6 abandoned\ntake", 1);
        let found = |lines: &str| play(game, "oh-jack-2017", json!({}), lines);
        assert_eq!(found(&left), NONE, "{game}");
        let kept = left.replacen("take a", "push a", 1);
        assert!(found(&kept).contains(&"pay.uncollected".to_owned()), "{game}");
    }
}

/// A feed tells what its table cannot have: no jam of an automated shoe where none deals, no wrong number that is
/// right. The round is not taken for void by it, and not left out.
#[test]
fn what_contradicts_the_table_is_told_and_hides_nothing() {
    let told = [
        json!({"type": "irregularity", "kind": "shoe_failure", "ruling": "void"}),
        json!({"type": "irregularity", "kind": "deck_count", "detail": {"found": 52}, "ruling": "void"}),
        json!({"type": "irregularity", "kind": "card_count", "detail": {"seat": 1, "dealt": 3}, "ruling": "void"}),
    ];
    let options = json!({"dealing": "manual_shoe"});
    for told in told {
        let lines = LOST.replacen("say 1 ride", &format!("{told}\nsay 1 ride"), 1);
        let lines = lines
            .replace("no-more-bets\n", "")
            .replace("take a", "pay a 1000");
        let mut bodies = vec![open("let_it_ride", "oh-jack-2017", options.clone())];
        bodies.extend(script(&lines));
        let (findings, _) = settle(&bodies);
        let codes: Vec<&str> = findings.iter().map(|found| &*found.code).collect();
        let heard =
            codes.contains(&"round.unsettled") || codes.iter().any(|code| code.starts_with("pay."));
        assert!(heard, "{told} {codes:?}");
    }
}
