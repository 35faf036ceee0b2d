//! Cards that nobody saw.

use super::*;

fn muck(document: Value, seats: [u16; 3], mucked: &[u16]) -> Value {
    let act = |seat: &u16| {
        if mucked.contains(seat) {
            "muck"
        } else {
            "show"
        }
    };
    let showdown = seats.map(|seat| json!({"seat": seat, "act": act(&seat)}));
    with(document, "/play/showdown", json!(showdown))
}

fn awards(document: &Value) -> Vec<(u16, i64)> {
    let settlement = TABLE.settle(document);
    let awards = &settlement.pots().unwrap().awards;
    let award = |award: &crate::settlement::Award| (award.seat.number(), award.amount.get());
    awards.iter().map(award).collect()
}

#[test]
fn a_card_that_was_mucked_or_folded_decides_nothing() {
    let half_seen = with(holdem(), "/play/hands/2/1", json!("??"));
    let mucked = muck(half_seen.clone(), [1, 2, 3], &[2]);
    assert_eq!(awards(&mucked), awards(&holdem()));
    assert_eq!(TABLE.settle(&mucked).unseen(), ["play.hands.2[1]"]);
    let folded = with(half_seen, "/play/rounds/3/0/act", json!("fold"));
    assert_eq!(awards(&folded), awards(&holdem()));
    // It is nobody's duplicate; the card beside it may be.
    assert_eq!(TABLE.violations(&mucked), [""; 0]);
    let twice = with(mucked, "/play/hands/2/0", json!("AS"));
    assert_eq!(TABLE.violations(&twice), ["deck.duplicate_card"]);
}

#[test]
fn a_showdown_that_hangs_on_a_card_is_refused_by_its_place() {
    for (place, named) in [
        ("/play/hands/2/1", "play.hands.2[1]: "),
        ("/play/board/3", "play.board[3]: "),
    ] {
        let refusal = TABLE.refusal(&with(holdem(), place, json!("??")));
        assert!(refusal.starts_with(named), "{refusal}");
        assert!(refusal.contains("nobody saw"), "{refusal}");
    }
    for (place, named) in [
        ("/play/hands/2/down/0", "play.hands.2.down[0]: "),
        ("/play/hands/1/up/3", "play.hands.1.up[3]: "),
    ] {
        let refusal = TABLE.refusal(&with(stud(), place, json!("??")));
        assert!(refusal.starts_with(named), "{refusal}");
    }
}

#[test]
fn where_all_others_concede_no_cards_and_no_board_are_needed() {
    let document = muck(holdem(), [1, 2, 3], &[1, 3]);
    let won = awards(&document);
    assert_eq!(won, [(2, 1200)]);
    for unseen in [
        with(document.clone(), "/play/hands/2", json!(null)),
        with(document.clone(), "/play/hands/2", json!(["??", "KD"])),
        with(document.clone(), "/play/board", json!(["2C", "??"])),
    ] {
        assert_eq!(awards(&unseen), won);
    }
    let all = muck(holdem(), [1, 2, 3], &[1, 2, 3]);
    assert_eq!(awards(&with(all, "/play/board", json!([]))), [(3, 1200)]);
}

#[test]
fn who_opens_is_not_judged_where_an_up_card_was_not_seen() {
    let rounds = [
        "1 F 200, 2 c 200",
        "1 x, 2 x",
        "2 x, 1 x",
        "2 x, 1 x",
        "2 x, 1 x",
    ];
    let wrong = stud_with(&rounds);
    assert_eq!(TABLE.violations(&wrong), ["action.wrong_opener"]);
    let mucked = json!([{"seat": 1, "act": "show"}, {"seat": 2, "act": "muck"}]);
    let unseen = with(
        with(wrong, "/play/hands/2/up/1", json!("??")),
        "/play/showdown",
        mucked,
    );
    assert_eq!(TABLE.violations(&unseen), [""; 0]);
    // Who comes after whom is.
    let out_of_turn = with(
        unseen,
        "/play/rounds/1",
        json!([
        {"seat": 1, "act": "check"}, {"seat": 1, "act": "check"}, {"seat": 2, "act": "check"}]),
    );
    assert_eq!(TABLE.violations(&out_of_turn), ["action.not_due"]);
}

#[test]
fn a_draw_that_nobody_saw_leaves_nobody_knowing_what_was_kept() {
    let hands = |first: Value| {
        json!({"hands": {"1": ["7S", "5D", "4C", "3C", "KH"], "2": ["2S", "2D", "TC", "TH", "JD"],
                         "3": first}})
    };
    let drawn = |first: Value, entry: Value, other: Value| {
        let options = json!({"bet_limits": limits(2), "blinds": [200, 400]});
        let rounds = [LIMPED, CHECKED];
        let mut rest = hands(first);
        rest["draws"] = json!([[entry, other]]);
        let form = "five_card_draw_low";
        muck(
            round(form, options, THREE, BLINDS, &rounds, rest),
            [2, 3, 1],
            &[3],
        )
    };
    let seen = json!(["7H", "5C", "4D", "3D", "QS"]);
    let pat = json!({"seat": 1, "discard": [], "draw": []});
    let one = |discard: &str, draw: &str| json!({"seat": 3, "discard": [discard], "draw": [draw]});
    let codes = |first: &Value, entry: Value, other: &Value| {
        TABLE.violations(&drawn(first.clone(), entry, other.clone()))
    };
    assert_eq!(codes(&seen, one("??", "??"), &pat), [""; 0]);
    assert_eq!(codes(&seen, one("QS", "??"), &pat), [""; 0]);
    assert_eq!(codes(&seen, one("??", "QS"), &pat), ["deck.duplicate_card"]);
    assert_eq!(
        codes(&seen, one("9H", "??"), &pat),
        ["draw.discard_not_held"]
    );
    // One of the hand's unseen cards is the one that was put down.
    let half = json!(["7H", "5C", "4D", "3D", "??"]);
    assert_eq!(codes(&half, one("9H", "??"), &pat), [""; 0]);
    // Any of his cards may have gone back into the stub with a discard that nobody saw.
    let took =
        |card: &str| json!({"seat": 1, "discard": ["KH"], "draw": [card], "reshuffle": true});
    assert_eq!(
        codes(&seen, one("??", "??"), &took("QS")),
        ["draw.reshuffle_early"]
    );
    let told = codes(&seen, one("7H", "??"), &took("QS"));
    assert_eq!(told, ["deck.duplicate_card", "draw.reshuffle_early"]);
}

/// Five-card draw: seat 2 draws two that nobody saw and shows what he has in the end.
fn shown(cards: Value) -> Value {
    let hands = json!({"hands": {"1": ["AS", "AD", "7C", "8H", "2D"], "2": null, "3": ["JS", "TD", "7S", "8D", "2H"]},
        "draws": [[{"seat": 2, "count": 2}, {"seat": 3, "discard": ["JS"], "draw": ["3C"]}]], "shown": {"2": cards}});
    let options = json!({"bet_limits": limits(2), "blinds": [200, 400]});
    round(
        "five_card_draw_high",
        options,
        THREE,
        BLINDS,
        &[LIMPED, CHECKED],
        hands,
    )
}

#[test]
fn the_cards_shown_in_the_end_decide() {
    let document = shown(json!(["9S", "9D", "5C", "5H", "KC"]));
    assert_eq!(awards(&document), [(2, 1200)]);
    assert_eq!(TABLE.violations(&document), [""; 0]);
    // A card of another hand, and one that was thrown away, is there twice.
    for twice in ["AS", "JS", "3C"] {
        let document = shown(json!([twice, "9D", "5C", "5H", "KC"]));
        assert_eq!(TABLE.violations(&document), ["deck.duplicate_card"]);
    }
    // His own may still be there, if nobody saw what he threw away.
    let first = json!(["9S", "9D", "5C", "QH", "QC"]);
    let own = with(document.clone(), "/play/hands/2", first.clone());
    assert_eq!(TABLE.violations(&own), [""; 0]);
    // Without it a hand that drew unseen is unknown, whatever it was first dealt.
    let unknown = without(own, "/play", "shown");
    assert!(TABLE.refusal(&unknown).starts_with("play.hands.2: "));
}

#[test]
fn shown_cards_that_contradict_the_hand_are_refused_by_place() {
    let kept = json!([[{"seat": 2, "discard": ["QC"], "count": 1}]]);
    let first = json!(["9S", "9D", "5C", "QH", "QC"]);
    let known = with(
        shown(json!(["9S", "9D", "5C", "QH", "KC"])),
        "/play/hands/2",
        first,
    );
    let known = with(known, "/play/draws", kept);
    assert_eq!(TABLE.violations(&known), [""; 0]);
    let lacks = with(known.clone(), "/play/shown/2/0", json!("9H"));
    let short = with(
        known.clone(),
        "/play/shown/2",
        json!(["9S", "9D", "5C", "QH"]),
    );
    let out = with(
        known.clone(),
        "/play/rounds/0/1",
        json!({"seat": 2, "act": "fold"}),
    );
    let out = with(
        out,
        "/play/rounds/1",
        json!([{"seat": 3, "act": "check"}, {"seat": 1, "act": "check"}]),
    );
    let mut out = with(out, "/play/draws", json!([]));
    out["wagers"].as_array_mut().unwrap().pop();
    for document in [lacks, short, out] {
        let refusal = TABLE.refusal(&document);
        assert!(refusal.starts_with("play.shown.2: "), "{refusal}");
    }
    let unseen = with(known, "/play/shown/2/4", json!("??"));
    assert!(TABLE.refusal(&unseen).starts_with("play.shown.2[4]: "));
    let elsewhere = with(holdem(), "/play/shown", json!({"1": ["AS", "AD"]}));
    assert!(TABLE.refusal(&elsewhere).starts_with("play.shown: "));
}
