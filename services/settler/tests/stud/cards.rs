//! The cards of the stud family: shuffled, cut and counted, and what is burned of a board.

use catwalk_stories::{codes, open, script};
use serde_json::{Value, json};

const NONE: [&str; 0] = [];

/// A round of double down stud or three card poker from cards that were shuffled and cut like this.
fn shuffled(game: &str, options: &Value, started: &[Value]) -> Vec<String> {
    let of_game = match game {
        "double_down_stud" => {
            "open\nbet b 1 bet 1000\nno-more-bets
             card seat 1 9S up\ncard dealer ??\ncard dealer 2D up\ncard dealer 4C up
             card dealer 9H up\nshow dealer 0 KC\nclose"
        }
        _ => {
            "open\nbet a 1 ante 1000\nno-more-bets
             card seat 1 6S\ncard seat 1 4D\ncard seat 1 2C
             card dealer KD\ncard dealer 7C\ncard dealer 3H
             say 1 fold\ntake a\nclose"
        }
    };
    let mut bodies = vec![open(game, "mgc-2017", options.clone())];
    for started in started {
        if !started.is_null() {
            let set = json!({"type": "cards_inspected", "set": "A", "missing": [], "extra": [],
                "unsuitable": [], "dealer": "d-1", "supervisor": "s-1"});
            bodies.extend([set, started.clone()]);
        }
        bodies.extend(script(of_game));
    }
    codes(&bodies)
}

fn shuffle(cut: Option<u32>) -> Value {
    let mut started =
        json!({"type": "shoe_started", "shoe": "s", "set": "A", "decks": 1, "method": "shoe"});
    if let Some(cut) = cut {
        started["cut"] = json!(cut);
    }
    started
}

#[test]
fn every_round_is_dealt_from_cards_that_were_shuffled() {
    for game in ["three_card_poker", "double_down_stud"] {
        let again = [shuffle(None), shuffle(None)];
        assert_eq!(shuffled(game, &json!({}), &again), NONE, "{game}");
        let once = [shuffle(None), Value::Null];
        // The same cards come again, since it is the same deck.
        let found = shuffled(game, &json!({}), &once);
        let unshuffled = found.iter().filter(|code| *code == "deck.not_shuffled");
        assert_eq!(unshuffled.count(), 1, "{game}: {found:?}");
        // That the stub was taken out of the shoe shuffles nothing.
        let ended = [shuffle(None), json!({"type": "shoe_ended", "shoe": "s"})];
        let found = shuffled(game, &json!({}), &ended);
        assert_eq!(found, ["deck.not_shuffled"], "{game}");
        // A feed that tells no shuffle at all is not judged.
        let never = [Value::Null, Value::Null];
        assert_eq!(shuffled(game, &json!({}), &never), NONE, "{game}");
    }
}

#[test]
fn cards_that_were_shuffled_by_hand_are_cut_ten_deep() {
    let by_hand = json!({"shuffler": "manual", "dealing": "manual_shoe"});
    let cut = |cut| shuffled("three_card_poker", &by_hand, &[shuffle(Some(cut))]);
    assert_eq!(cut(10), NONE);
    assert_eq!(cut(9), ["shoe.cut_depth"]);
    assert_eq!(cut(0), ["shoe.cut_depth"]);
    // After a machine there is no cut.
    let machine = json!({"shuffler": "automated"});
    let uncut = shuffled("three_card_poker", &machine, &[shuffle(Some(0))]);
    assert_eq!(uncut, NONE);
    let by_hand = json!({"shuffle": "manual"});
    let double_down = |cut| shuffled("double_down_stud", &by_hand, &[shuffle(Some(cut))]);
    assert_eq!(double_down(10), NONE);
    assert_eq!(double_down(0), ["procedure.no_cut"]);
    // So it is where the table does not say how they are shuffled.
    let unsaid = |cut| shuffled("double_down_stud", &json!({}), &[shuffle(Some(cut))]);
    assert_eq!(unsaid(10), NONE);
    assert_eq!(unsaid(0), ["procedure.no_cut"]);
}

/// 9(c) of let it ride: of a stack the top card lies at the right and the bottom card, which is burned, at the
/// left.
#[test]
fn a_board_that_is_dealt_as_a_stack_may_be_told_from_its_top() {
    let board = |dealing: &str, burned: &str, shown: &str| {
        let lines = format!(
            "open\nbet x 1 bet_1 500\nbet y 1 bet_2 500\nbet z 1 bet_3 500\nno-more-bets
             card seat 1 KS\ncard seat 1 KD\ncard seat 1 4C
             card community 2S\ncard community 7H\ncard community 5C
             {burned}\n{shown}
             pay x 500\npay y 500\npay z 500\nclose"
        );
        let options = json!({"dealing": dealing, "shuffle": "machine"});
        let mut bodies = vec![open("let_it_ride", "mgc-2017", options)];
        bodies.extend(script(&lines));
        codes(&bodies)
    };
    let burn = |card: &str| json!({"type": "card_burned", "card": card}).to_string();
    let from_the_top = "show community 1 7H\nshow community 0 2S";
    assert_eq!(board("automated_shoe", &burn("5C"), from_the_top), NONE);
    let wrong = ["deal.wrong_community_order", "deal.burn"];
    assert_eq!(board("manual_shoe", &burn("5C"), from_the_top), wrong);
    let from_the_left = "show community 1 7H\nshow community 2 5C";
    assert_eq!(board("automated_shoe", &burn("2S"), from_the_left), NONE);
    let from_the_right = "show community 2 5C\nshow community 1 7H";
    assert_eq!(
        board("automated_shoe", &burn("2S"), from_the_right),
        ["deal.wrong_community_order"]
    );
}

#[test]
fn the_stub_is_counted_every_five_rounds() {
    let rounds = |counted_after: usize| {
        let mut bodies = vec![open(
            "three_card_poker",
            "mgc-2017",
            json!({"shuffler": "automated"}),
        )];
        for round in 1..=6 {
            let one = shuffled_round();
            bodies.extend(one);
            if round == counted_after {
                bodies.push(json!({"type": "cards_counted", "set": "A", "count": 46,
                    "scope": "stub"}));
            }
        }
        codes(&bodies)
    };
    assert_eq!(rounds(5), NONE);
    assert_eq!(rounds(9), ["deck.count_overdue"]);
}

/// Stub, dealt cards and cards set aside are 52; if not, the round is void, and the folded ante is its player's
/// (three card poker s7(e)(2)).
#[test]
fn a_card_that_was_found_face_up_is_not_missing_in_the_stub() {
    let counted = |found: &str, count: u32| {
        let mut bodies = vec![open("three_card_poker", "mgc-2017", json!({}))];
        let mut round = shuffled_round();
        let counted = json!({"type": "cards_counted", "set": "A", "count": count, "scope": "stub"});
        let decided = round.len() - 3;
        round.insert(decided, counted);
        round.splice(5..5, script(found));
        bodies.extend(round);
        codes(&bodies)
    };
    let one = json!({"type": "irregularity", "kind": "face_up_card", "ruling": "set aside"});
    let one = one.to_string();
    assert_eq!(counted("", 46), NONE);
    assert_eq!(counted(&one, 45), NONE);
    assert_eq!(counted(&format!("{one}\nburn"), 45), NONE);
    let short = [
        "deck.missing_card",
        "pay.under",
        "procedure.play_on_after_void",
    ];
    assert_eq!(counted("", 45), short);
    assert_eq!(counted(&one, 44), short);
    assert_eq!(counted(&format!("{one}\nburn"), 44), short);
}

fn shuffled_round() -> Vec<Value> {
    let inspected = json!({"type": "cards_inspected", "set": "A", "missing": [], "extra": [],
        "unsuitable": [], "dealer": "d-1", "supervisor": "s-1"});
    let dealt = script(
        "open\nbet a 1 ante 1000\nno-more-bets
         card seat 1 6S\ncard seat 1 4D\ncard seat 1 2C
         card dealer KD\ncard dealer 7C\ncard dealer 3H
         say 1 fold\ntake a\nclose",
    );
    [vec![inspected, shuffle(None)], dealt].concat()
}

/// 9(f) of caribbean stud stands in the section on the automated shoe, 7(f) of let it ride in all.
#[test]
fn a_shuffler_that_counts_spares_caribbean_stud_the_count_only_with_an_automated_shoe() {
    let dealt = "open\nbet a 1 ante 1000\nno-more-bets
        card seat 1 JS\ncard seat 1 JD\ncard seat 1 7C\ncard seat 1 4H\ncard seat 1 2S
        card dealer ??\ncard dealer ??\ncard dealer ??\ncard dealer ??\ncard dealer ??
        say 1 fold\ntake a\nclose";
    let rounds = |dealing: &str| {
        let options = json!({"dealing": dealing, "shuffle": "machine_counting"});
        let mut bodies = vec![open("caribbean_stud", "mgc-2017", options)];
        bodies.push(inspected());
        for _ in 0..6 {
            bodies.push(shuffle(None));
            bodies.extend(script(dealt));
        }
        codes(&bodies)
    };
    assert_eq!(rounds("automated_shoe"), NONE);
    assert_eq!(rounds("manual_shoe"), ["deck.count_overdue"]);
}

/// 3.C of DJ Wild: 53 cards, whether or not a shoe was told of.
#[test]
fn a_card_that_no_deck_holds_is_told_without_a_shoe() {
    let dealt = |card: &str| {
        let lines = format!(
            "open\nbet a 1 ante 1000\nbet b 1 blind 1000\nno-more-bets
             card seat 1 {card}\ncard seat 1 QD\ncard seat 1 8C\ncard seat 1 3H\ncard seat 1 2S
             card dealer ??\ncard dealer ??\ncard dealer ??\ncard dealer ??\ncard dealer ??
             say 1 fold\ntake a\ntake b\nclose"
        );
        let mut bodies = vec![open("dj_wild", "oh-jack-2017", json!({}))];
        bodies.extend(script(&lines));
        codes(&bodies)
    };
    assert_eq!(dealt("JK"), NONE);
    assert_eq!(dealt("1S"), ["deck.foreign_card"]);
}

/// A board of which a card is burned, and the stub that is left of it.
fn burned(game: &str, edition: &str, options: Value, lines: &str, stub: u32) -> Vec<String> {
    let counted = json!({"type": "cards_counted", "set": "A", "count": stub, "scope": "stub"});
    let mut bodies = vec![open(game, edition, options), inspected(), shuffle(None)];
    bodies.extend(script(lines));
    bodies.push(counted);
    codes(&bodies)
}

fn inspected() -> Value {
    json!({"type": "cards_inspected", "set": "A", "missing": [], "extra": [], "unsuitable": [],
        "dealer": "d-1", "supervisor": "s-1"})
}

/// Kings on three bets; the board is dealt, burned and shown like this.
fn kings(board: [&str; 3], burn: &str, shown: &str) -> String {
    let [first, second, third] = board;
    format!(
        "open\nbet a 1 bet_1 1000\nbet b 1 bet_2 1000\nbet c 1 bet_3 1000\nno-more-bets
         card seat 1 KS\ncard community {first}\ncard seat 1 KD\ncard community {second}
         card seat 1 4C\ncard community {third}
         {burn}\n{shown}\npay a 1000\npay b 1000\npay c 1000\nclose"
    )
}

/// 10(c) of let it ride: what is burned is the leftmost card of the board, and left the deck once.
#[test]
fn a_card_of_the_board_that_is_burned_is_counted_once() {
    let burn = |card: &str| json!({"type": "card_burned", "card": card}).to_string();
    let shown = "show community 1 7H\nshow community 2 2S";
    let found = |lines: &str, stub| burned("let_it_ride", "mgc-2017", json!({}), lines, stub);
    let known = ["3C", "7H", "2S"];
    assert_eq!(found(&kings(known, &burn("3C"), shown), 46), NONE);
    assert_eq!(found(&kings(known, "", shown), 46), NONE);
    let unknown = ["??", "??", "??"];
    assert_eq!(found(&kings(unknown, "burn", shown), 46), NONE);
    assert_eq!(found(&kings(unknown, &burn("3C"), shown), 46), NONE);
    // A card that is gone, one that a player holds, one that no deck has.
    assert_eq!(
        found(&kings(known, &burn("3C"), shown), 45),
        ["deck.missing_card"]
    );
    let twin = found(&kings(unknown, &burn("4C"), shown), 45);
    assert!(twin.contains(&"deck.duplicate_card".to_owned()), "{twin:?}");
    let foreign = found(&kings(unknown, &burn("JK"), shown), 46);
    assert!(
        foreign.contains(&"deck.foreign_card".to_owned()),
        "{foreign:?}"
    );
    // Of two burned cards one is not of the board.
    let twice = found(&kings(unknown, "burn\nburn", shown), 45);
    assert_eq!(twice, ["deal.burn"]);

    // An automated shoe of Ohio deals a third card, which is put away at once.
    let automated = json!({"dealing": "automated_shoe"});
    let shown = "show community 0 7H\nshow community 1 2S";
    let lines = kings(["7H", "2S", "3C"], &burn("3C"), shown);
    let found = burned("let_it_ride", "oh-jack-2017", automated.clone(), &lines, 46);
    assert_eq!(found, NONE);
    let lines = "open\nbet a 1 ante 1000\ncard seat 1 AS\ncard seat 1 AD
        card community ??\ncard community ??\ncard community ??\ncard community ??\nburn
        bet t 1 third_street 1000 a\nshow community 0 6H
        bet f 1 fourth_street 1000 a\nshow community 1 9C
        bet v 1 fifth_street 1000 a\nshow community 2 2D
        pay a 1000\npay t 1000\npay f 1000\npay v 1000\nclose";
    let found = burned("mississippi_stud", "oh-jack-2017", automated, lines, 46);
    assert_eq!(found, NONE);
}

#[test]
fn another_card_of_the_board_than_the_leftmost_is_not_burned() {
    let burn = |card: &str| json!({"type": "card_burned", "card": card}).to_string();
    let found = |lines: &str| burned("let_it_ride", "mgc-2017", json!({}), lines, 46);
    let shown = "show community 0 3C\nshow community 2 2S";
    let known = ["3C", "7H", "2S"];
    assert_eq!(found(&kings(known, &burn("7H"), shown)), ["deal.burn"]);
    let unknown = ["??", "??", "??"];
    assert_eq!(found(&kings(unknown, "burn", shown)), ["deal.burn"]);
    // A feed may count the two cards that stay from their own left.
    let shown = "show community 0 7H\nshow community 1 2S";
    assert_eq!(found(&kings(unknown, "burn", shown)), NONE);
}

#[test]
fn a_deck_that_is_counted_short_or_long_is_called_so_at_every_table() {
    let counted = |game: &str, edition: &str, found: u32| {
        let mut bodies = vec![open(game, edition, json!({}))];
        let lines = format!(
            "open\nbet a 1 ante 1000\nno-more-bets\ncalled deck_count {{\"found\":{found}}}\npush a\nclose"
        );
        bodies.extend(script(&lines));
        codes(&bodies)
    };
    assert_eq!(
        counted("caribbean_stud", "mgc-2017", 51),
        ["deck.missing_card"]
    );
    assert_eq!(
        counted("caribbean_stud", "mgc-2017", 53),
        ["deck.extra_card"]
    );
    assert_eq!(
        counted("mississippi_stud", "oh-jack-2017", 51),
        ["deck.missing_card"]
    );
}

/// Caribbean stud 7(f)2: the count of the stub shows it, and it is told besides.
#[test]
fn a_deck_that_is_counted_short_and_told_to_be_is_one_fault() {
    let counted = |count: u32, end: &str| {
        let stub = json!({"type": "cards_counted", "set": "A", "count": count, "scope": "stub"});
        let options = json!({"shuffle": "machine"});
        let mut bodies = vec![open("caribbean_stud", "mgc-2017", options), inspected()];
        bodies.push(shuffle(None));
        let lines = format!(
            "open\nbet a 1 ante 1000\nno-more-bets
             card seat 1 JS\ncard seat 1 JD\ncard seat 1 7C\ncard seat 1 4H\ncard seat 1 2S
             card dealer 9S up\ncard dealer ??\ncard dealer ??\ncard dealer ??\ncard dealer ??
             {stub}\ncalled deck_count {{\"found\":51}}\npush a\n{end}"
        );
        bodies.extend(script(&lines));
        codes(&bodies)
    };
    for end in ["close", "{\"type\": \"round_voided\"}"] {
        assert_eq!(counted(41, end), ["deck.missing_card"], "{end}");
        assert_eq!(counted(42, end), ["deck.missing_card"], "{end}");
    }
}

/// A round of one seat that is called off with this told of it: everything goes back.
fn called_off(game: &str, edition: &str, told: &[&str]) -> Vec<String> {
    let (main, others) = match game {
        "let_it_ride" => ("bet_1", vec!["bet_2", "bet_3"]),
        "double_down_stud" => ("bet", Vec::new()),
        "dj_wild" => ("ante", vec!["blind"]),
        "crazy_four_poker" => ("ante", vec!["super_bonus"]),
        _ => ("ante", Vec::new()),
    };
    let kinds: Vec<&str> = std::iter::once(main).chain(others).collect();
    let lines = |word: &str| {
        let line = |kind: &&str| match word {
            "bet" => format!("bet {kind} 1 {kind} 1000"),
            word => format!("{word} {kind}"),
        };
        kinds.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    let mut bodies = vec![open(game, edition, json!({}))];
    let (bets, back, told) = (lines("bet"), lines("push"), told.join("\n"));
    let lines = format!(
        "open\n{bets}\nno-more-bets\ncard seat 1 QS\n{told}\n{back}
         {{\"type\": \"round_voided\", \"reason\": \"misdeal\"}}\n{{\"type\": \"clock\"}}"
    );
    bodies.extend(script(&lines));
    codes(&bodies)
}

/// Caribbean stud 12(a), (d), 7(f)2; double down stud 11(a), (d); let it ride 12(c), 15.C; mississippi stud 13.C;
/// dj wild 13.C: the code of the irregularity, and that it was ruled on as it should be takes nothing from it.
#[test]
fn what_was_irregular_is_told_of_a_round_that_is_called_off_for_it() {
    let games = [
        ("caribbean_stud", "mgc-2017"),
        ("double_down_stud", "mgc-2017"),
        ("let_it_ride", "mgc-2017"),
        ("let_it_ride", "oh-jack-2017"),
        ("mississippi_stud", "oh-jack-2017"),
        ("dj_wild", "oh-jack-2017"),
    ];
    for (game, edition) in games {
        let told = |told: &[&str]| called_off(game, edition, told);
        let count = "called card_count {\"seat\":1}";
        assert_eq!(told(&[count]), ["deal.card_count"], "{game}");
        assert_eq!(told(&[count, count]), ["deal.card_count"], "{game}");
        let short = told(&["called deck_count {\"found\":51}"]);
        assert_eq!(short, ["deck.missing_card"], "{game}");
        assert_eq!(told(&["called deck_count"]), ["deck.count_wrong"], "{game}");
        let both = told(&[count, "called deck_count"]);
        assert_eq!(both, ["deal.card_count", "deck.count_wrong"], "{game}");
        // These have no code, and what no text names is a reason to call the round off.
        let quiet = [
            "called face_up_card {\"count\":2}",
            "called shuffler_failure",
            "called card_drawn_in_error",
            "called misdeal",
            "called dispute {\"seat\":1}",
        ];
        assert_eq!(told(&quiet), NONE, "{game}");
        assert_eq!(told(&[]), NONE, "{game}");
    }
    let exposed = ["deal.hole_card_exposed"];
    for game in ["caribbean_stud", "double_down_stud"] {
        let seen = called_off(game, "mgc-2017", &["called hole_card_exposed"]);
        assert_eq!(seen, exposed, "{game}");
    }
    let stub = called_off("caribbean_stud", "mgc-2017", &["called stub_misdeal"]);
    assert_eq!(stub, ["deal.card_count"]);
    let jammed = called_off("caribbean_stud", "mgc-2017", &["called shoe_failure"]);
    assert_eq!(jammed, NONE);
    // In crazy four poker the code is of the card alone; in its kin a reported miscount explains itself.
    let ohio = |game, told| called_off(game, "oh-jack-2017", &[told]);
    let boxed = ohio("crazy_four_poker", "called face_up_card");
    assert_eq!(boxed, ["deal.face_up_card"]);
    assert_eq!(ohio("crazy_four_poker", "called card_count"), NONE);
    assert_eq!(ohio("four_card_poker", "called card_count"), NONE);
}

/// A hole card that the order of events shows too is told once.
#[test]
fn a_hole_card_that_was_seen_and_told_is_one_fault_of_a_round_that_is_called_off() {
    let lines = "open\nbet a 1 ante 1000\nno-more-bets
        card seat 1 QS\ncard dealer 9S up\ncard seat 1 QD\ncard dealer ??\ncard seat 1 7C\ncard dealer ??
        card seat 1 4H\ncard dealer ??\ncard seat 1 2D\ncard dealer ??
        show dealer 1 9D\ncalled hole_card_exposed\nsay 1 bet\nbet b 1 bet 2000 a\npush a\npush b
        {\"type\": \"round_voided\"}";
    let mut bodies = vec![open("caribbean_stud", "mgc-2017", json!({}))];
    bodies.extend(script(lines));
    assert_eq!(codes(&bodies), ["deal.hole_card_exposed"]);
}

/// What is left of a deck that two rounds were dealt from lacks the cards of both, and of a deck that was shuffled
/// between them, told or not, those of the last.
#[test]
fn a_deck_that_was_not_shuffled_is_not_short_of_the_cards_of_the_round_before() {
    let ended = |remaining: u32| {
        let mut bodies = vec![open("let_it_ride", "oh-jack-2017", json!({}))];
        bodies.push(
            json!({"type": "shoe_started", "decks": 1, "method": "shoe", "set": "A",
            "shoe": "s"}),
        );
        for card in ["6S", "7S"] {
            let lines = format!("open\ncard seat 1 {card}\n{{\"type\": \"round_voided\"}}");
            bodies.extend(script(&lines));
        }
        bodies.push(json!({"type": "shoe_ended", "shoe": "s", "remaining": remaining}));
        codes(&bodies)
    };
    assert_eq!(ended(50), ["deck.not_shuffled"]);
    assert_eq!(ended(51), ["deck.not_shuffled"]);
    assert_eq!(ended(49), ["deck.not_shuffled", "deck.missing_card"]);
    assert_eq!(ended(52), ["deck.not_shuffled", "deck.extra_card"]);
}
