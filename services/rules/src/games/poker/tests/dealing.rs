//! Incidents, dead cards, draws, common cards and bad beats.

use super::*;

fn settled(document: &Value) -> Value {
    serde_json::to_value(TABLE.settle(document)).unwrap()
}

fn after(document: Value, incident: Value) -> Value {
    with(document, "/play/incidents", json!([incident]))
}

fn refunds(document: &Value) -> Vec<(u16, &'static str, i64)> {
    let settlement = TABLE.settle(document);
    let refunds = settlement.pots().unwrap().refunds.iter();
    refunds
        .map(|refund| (refund.seat.number(), refund.reason, refund.amount.get()))
        .collect()
}

#[test]
fn a_wrong_deck_ends_the_round_and_everything_goes_back() {
    let all_back = [
        (1, "dead_round", 400),
        (2, "dead_round", 400),
        (3, "dead_round", 400),
    ];
    let cases = [
        (
            with(holdem(), "/play/hands/1/0", json!("JK")),
            "deck.foreign_card",
        ),
        (
            with(holdem(), "/play/hands/1/0", json!("KS")),
            "deck.duplicate_card",
        ),
        (
            after(holdem(), json!({"kind": "deck_count", "count": 53})),
            "deck.extra_card",
        ),
        (
            after(holdem(), json!({"kind": "deck_count", "count": 51})),
            "deck.missing_card",
        ),
    ];
    for (document, code) in cases {
        assert_eq!(TABLE.violations(&document), [code]);
        assert_eq!(refunds(&document), all_back);
    }
    assert_eq!(
        TABLE.violations(&after(holdem(), json!({"kind": "deck_count", "count": 52}))),
        [""; 0]
    );
}

#[test]
fn dealing_errors_are_misdeals_until_two_players_have_wagered() {
    let reason = |incident: Value| {
        let document = after(holdem(), incident);
        let back = refunds(&document).first().map(|&(_, reason, _)| reason);
        (TABLE.violations(&document), back)
    };
    let code = |code: &'static str| vec![code];
    let start = |after: i64| json!({"kind": "wrong_start", "round": 0, "after": after});
    assert_eq!(
        reason(start(1)),
        (code("deal.wrong_start"), Some("misdeal"))
    );
    assert_eq!(reason(start(2)), (code("deal.wrong_start"), None));
    assert_eq!(
        reason(json!({"kind": "not_shuffled"})),
        (code("deck.not_shuffled"), Some("misdeal"))
    );
    let face_up = |cards: Value| json!({"kind": "face_up_in_deck", "cards": cards});
    assert_eq!(
        reason(face_up(json!(["4C"]))),
        (code("deal.face_up_card"), None)
    );
    assert_eq!(
        reason(face_up(json!(["4C", "4D"]))),
        (code("deal.face_up_card"), Some("misdeal"))
    );
    let counted = |count: i64| json!({"kind": "face_up_in_deck", "count": count});
    assert_eq!(reason(counted(1)), (code("deal.face_up_card"), None));
    assert_eq!(reason(counted(2)).1, Some("misdeal"));
    // Records of one card each add up.
    let twice = with(
        holdem(),
        "/play/incidents",
        json!([face_up(json!(["4C"])), counted(1)]),
    );
    assert_eq!(refunds(&twice)[0].1, "misdeal");
    let skipped =
        |after: i64| json!({"kind": "player_not_dealt", "seat": 3, "round": 0, "after": after});
    assert_eq!(
        reason(skipped(1)),
        (code("deal.player_skipped"), Some("misdeal"))
    );
    let played_on = after(
        holdem_with(
            sign(),
            BLINDS,
            &["1 c 400, 2 c 200", "2 x, 1 x", "2 x, 1 x", "2 x, 1 x"],
        ),
        skipped(2),
    );
    assert_eq!(TABLE.violations(&played_on), ["deal.player_skipped"]);
    assert_eq!(refunds(&played_on), [(3, "not_dealt", 400)]);
}

#[test]
fn a_dead_card_must_not_play() {
    let cases = [
        (
            json!({"kind": "off_table", "cards": ["5D"]}),
            vec!["deal.dead_card_used"],
        ),
        (json!({"kind": "off_table", "cards": ["5C"]}), vec![]),
        (
            json!({"kind": "exposed_down_card", "seat": 1, "card": "AS"}),
            vec!["deal.card_exposed", "deal.dead_card_used"],
        ),
        (
            json!({"kind": "exposed_down_card", "seat": 1, "card": "AC"}),
            vec!["deal.card_exposed"],
        ),
        (
            json!({"kind": "dealt_to_ineligible", "cards": ["2C"]}),
            vec!["deal.dead_card_used", "deal.ineligible_player"],
        ),
        (
            json!({"kind": "dealt_to_ineligible", "cards": ["2D"]}),
            vec!["deal.ineligible_player"],
        ),
        (
            json!({"kind": "face_up_in_deck", "cards": ["2C"]}),
            vec!["deal.dead_card_used", "deal.face_up_card"],
        ),
    ];
    for (incident, codes) in cases {
        assert_eq!(TABLE.violations(&after(holdem(), incident)), codes);
    }
}

#[test]
fn a_lost_hand_is_refunded_if_it_was_protected_and_the_player_not_to_blame() {
    let rounds = &[LIMPED, "2 x, 1 x", "2 x, 1 x", "2 x, 1 x"];
    let lost = |incident: Value| {
        let mut incident = incident;
        incident["seat"] = json!(3);
        incident["round"] = json!(1);
        incident["after"] = json!(0);
        let document = after(holdem_with(sign(), BLINDS, rounds), incident);
        let back = refunds(&document).first().map(|&(_, reason, _)| reason);
        (back, json!(TABLE.violations(&document)))
    };
    let taken = json!(["deal.protected_hand_collected"]);
    assert_eq!(
        lost(json!({"kind": "hand_collected", "protected": true})),
        (Some("protected_hand"), taken.clone())
    );
    assert_eq!(
        lost(json!({"kind": "hand_collected", "protected": true, "contributed": true})),
        (None, taken)
    );
    assert_eq!(
        lost(json!({"kind": "hand_collected", "protected": false})),
        (None, json!([]))
    );
    assert_eq!(
        lost(json!({"kind": "hand_fouled", "protected": true})),
        (Some("protected_hand"), json!([]))
    );
    assert_eq!(
        lost(json!({"kind": "hand_fouled", "protected": false})),
        (None, json!([]))
    );
    assert_eq!(
        lost(json!({"kind": "left_table", "protected": false})),
        (None, json!([]))
    );
    // A hand that plays on owes its answers.
    let incomplete = (None, json!(["action.out_of_turn", "round.incomplete"]));
    assert_eq!(
        lost(json!({"kind": "hand_fouled", "protected": true, "reconstructed": true})),
        incomplete
    );
    assert_eq!(
        lost(json!({"kind": "left_table", "protected": true})),
        incomplete
    );
}

#[test]
fn exposed_hole_cards_of_stud() {
    let one = |card: &str| {
        after(
            stud(),
            json!({"kind": "hole_exposed", "seat": 2, "cards": [card]}),
        )
    };
    assert_eq!(TABLE.violations(&one("KH")), ["deal.card_exposed"]);
    // The text of 2017 does not ask for concealment.
    let before = with(one("KH"), "/edition", json!("mgc-2017"));
    assert_eq!(TABLE.violations(&before), [""; 0]);
    assert_eq!(
        TABLE.violations(&one("QS")),
        ["deal.card_exposed", "deal.exposure_not_balanced"]
    );
    let anted = with(stud_with(&[]), "/options/ante", json!(100));
    let antes = json!([
        {"id": "a", "seat": 1, "kind": "ante", "amount": 100},
        {"id": "b", "seat": 2, "kind": "ante", "amount": 100},
    ]);
    let both = with(anted, "/wagers", antes);
    let incident = json!({"kind": "hole_exposed", "seat": 2, "cards": ["QS", "QD"]});
    let both = after(both, incident);
    let back = [(1, "uncalled", 100), (2, "exposed_hole_cards", 100)];
    assert_eq!(refunds(&both), back);
    assert_eq!(TABLE.violations(&both), ["deal.card_exposed"]);
}

/// Seat 2 shows his seventh card: he bets no more and contends for what was in before.
#[test]
fn a_player_who_stops_contends_for_the_pot_as_it_was() {
    let hands = json!({"hands": {
        "1": {"down": ["AS", "AD", "9C"], "up": ["2H", "7D", "8S", "TC"]},
        "2": {"down": ["KS", "KD", "KC"], "up": ["KH", "6D", "5S", "4C"]},
        "3": {"down": ["QS", "QD", "3H"], "up": ["JH", "6C", "5D", "4H"]}}});
    let quiet = "2 x, 3 x, 1 x";
    let rounds = &[
        "1 F 200, 2 c 200, 3 c 200",
        quiet,
        quiet,
        quiet,
        "3 b 400, 1 c 400",
    ];
    let document = round(
        "seven_card_stud_high",
        stud_sign(),
        THREE,
        "",
        rounds,
        hands,
    );
    let stopped = |elects: &str| {
        after(
            document.clone(),
            json!({"kind": "last_hole_exposed", "seat": 2, "elects": elects}),
        )
    };
    let settled = settled(&stopped("stop"));
    assert_eq!(settled["violations"], json!(["deal.card_exposed"]));
    assert_eq!(
        settled["awards"],
        json!([{"seat": 1, "pot": 1, "amount": 800}, {"seat": 2, "pot": 0, "amount": 600}])
    );
    assert!(
        TABLE
            .violations(&stopped("continue"))
            .contains(&"round.incomplete")
    );
}

fn drawn(form: &str, draws: Value) -> Value {
    let hands = json!({"hands": {"1": ["7S", "5D", "4C", "3C", "KH"], "2": ["2S", "2D", "TC", "TH", "JD"],
                                 "3": ["7H", "5C", "4D", "3D", "QS"]}, "draws": draws});
    let rounds: &[&str] = match form {
        "five_card_draw_low" => &[LIMPED, CHECKED],
        _ => &[LIMPED, CHECKED, CHECKED, CHECKED],
    };
    let options = json!({"bet_limits": limits(rounds.len()), "blinds": [200, 400]});
    round(form, options, THREE, BLINDS, rounds, hands)
}

#[test]
fn draws_are_followed_card_by_card() {
    let entry = |seat: u16, discard: &[&str], draw: &[&str]| json!({"seat": seat, "discard": discard, "draw": draw});
    let codes = |draws: Value| TABLE.violations(&drawn("five_card_draw_low", draws));
    let three = entry(3, &["QS"], &["2H"]);
    let one = entry(1, &["KH"], &["AD"]);
    assert_eq!(codes(json!([[three, one]])), [""; 0]);
    assert_eq!(codes(json!([[one, three]])), ["draw.out_of_turn"]);
    assert_eq!(
        codes(json!([[three, entry(3, &[], &[])]])),
        ["draw.out_of_turn"]
    );
    assert_eq!(
        codes(json!([[entry(3, &["QS"], &["2H", "AH"])]])),
        ["deal.card_count", "draw.count_mismatch"]
    );
    assert_eq!(
        codes(json!([[entry(3, &["QH"], &["2H"])]])),
        ["deal.card_count", "draw.discard_not_held"]
    );
    assert_eq!(
        codes(json!([[entry(3, &["QS"], &["JD"])]])),
        ["deck.duplicate_card"]
    );
    assert_eq!(
        codes(json!([[entry(3, &["QS"], &["QS"])]])),
        ["deck.duplicate_card"]
    );
    assert_eq!(
        codes(json!([[three, entry(1, &["KH"], &["QS"])]])),
        ["deck.duplicate_card"]
    );
    assert_eq!(
        codes(json!([[entry(3, &["QS"], &["JK"])]])),
        ["deck.foreign_card"]
    );
    let mut reshuffled = entry(1, &["KH"], &["QS"]);
    reshuffled["reshuffle"] = json!(true);
    assert_eq!(
        codes(json!([[three, reshuffled]])),
        ["draw.reshuffle_early"]
    );
    let unseen = TABLE.refusal(&drawn(
        "five_card_draw_low",
        json!([[{"seat": 3, "count": 1}]]),
    ));
    assert!(
        unseen.starts_with("play.hands.3: is shown without"),
        "{unseen}"
    );
    let folded = drawn("triple_draw_a_5", json!([[], [three]]));
    let folded = with(folded, "/play/rounds/1/1/act", json!("fold"));
    assert!(TABLE.violations(&folded).contains(&"draw.not_in_hand"));
}

#[test]
fn a_reshuffle_is_due_when_the_stub_runs_out() {
    let seats: Vec<(u16, i64)> = (1..=8).map(|seat| (seat, 20_000)).collect();
    let folds = "4 f, 5 f, 6 f, 7 f, 8 f, 1 c 400, 2 c 200, 3 x";
    let options = json!({"bet_limits": limits(2), "blinds": [200, 400]});
    // 52 - 8 x 5 - 1 = 11 cards for the draws.
    let deal = |last: usize, reshuffle: bool| {
        let hands = json!({"hands": {}, "draws": [[{"seat": 2, "count": 5}, {"seat": 3, "count": 5},
            {"seat": 1, "count": last, "reshuffle": reshuffle}]]});
        let document = round(
            "five_card_draw_low",
            options.clone(),
            &seats,
            BLINDS,
            &[folds, "2 b 400, 3 f, 1 f"],
            hands,
        );
        TABLE.violations(&document)
    };
    assert_eq!(deal(1, false), [""; 0]);
    assert_eq!(deal(2, false), ["draw.reshuffle_missing"]);
    assert_eq!(deal(2, true), [""; 0]);
    assert_eq!(deal(1, true), ["draw.reshuffle_early"]);
}

#[test]
fn badugi_keeps_a_players_own_discard_out_of_the_reshuffle() {
    let hands = json!({"hands": {"1": ["7S", "5D", "4C", "3C"], "2": ["2S", "2D", "TC", "TH"], "3": ["7H", "5C", "4D", "3D"]},
        "draws": [[{"seat": 2, "discard": ["TC"], "draw": ["TC"], "reshuffle": true}]]});
    let rounds = &[LIMPED, CHECKED, CHECKED, CHECKED];
    let badugi = round("badugi", sign(), THREE, BLINDS, rounds, hands);
    assert_eq!(
        TABLE.violations(&badugi),
        ["draw.own_discard_returned", "draw.reshuffle_early"]
    );
}

#[test]
fn a_common_card_is_due_when_the_stud_deck_runs_out() {
    assert_eq!(TABLE.violations(&stud()), [""; 0]);
    let common = with(stud(), "/play/common", json!(["3D"]));
    let common = with(common, "/play/hands/1/down", json!(["AS", "AD"]));
    let common = with(common, "/play/hands/2/down", json!(["QS", "QD"]));
    assert_eq!(TABLE.violations(&common), ["deal.common_card"]);
    // Eight players: 52 - 24 - 9 - 9 - 9 leaves one card at the seventh, which nobody can share.
    let mut deck = crate::floor::Card::deck().map(|card| card.to_string());
    let mut hands = json!({});
    for seat in 1..=8 {
        let mut cards = |count: usize| deck.by_ref().take(count).collect::<Vec<_>>();
        hands[seat.to_string()] = json!({"down": cards(2), "up": cards(4)});
    }
    let seats: Vec<(u16, i64)> = (1..=8).map(|seat| (seat, 200)).collect();
    let all_in = "1 F 200, 2 c 200, 3 c 200, 4 c 200, 5 c 200, 6 c 200, 7 c 200, 8 c 200";
    let document = round(
        "seven_card_stud_high",
        stud_sign(),
        &seats,
        "",
        &[all_in],
        json!({"hands": hands, "common": ["AS"]}),
    );
    let codes = TABLE.violations(&document);
    assert!(
        !codes.contains(&"deal.common_card") && !codes.contains(&"deal.card_count"),
        "{codes:?}"
    );
}

#[test]
fn a_bad_beat_needs_fund_players_qualifier_and_hole_cards() {
    let paid = |pay: Value, fund: Value| {
        let document = with(holdem(), "/options/jackpot", json!({"pay": pay}));
        settled(&with(document, "/play/jackpot_fund", fund))["bad_beat"].clone()
    };
    let pay = |qualifier: &str, hole_cards: i64, players: i64| {
        let qualifier: Vec<&str> = qualifier.split_whitespace().collect();
        json!({"qualifier": qualifier, "hole_cards": hole_cards, "min_players": players,
               "shares": {"loser": 50, "winner": 25, "table": 25}})
    };
    let kings = "KH KC JD 7S 5S";
    let expected = json!([{"seat": 1, "role": "winner", "amount": 250}, {"seat": 2, "role": "loser", "amount": 500},
                          {"seat": 3, "role": "table", "amount": 250}]);
    assert_eq!(paid(pay(kings, 2, 3), json!(1001)), expected);
    assert_eq!(paid(pay("KH KC JD 8S 5S", 2, 3), json!(1001)), json!([]));
    assert_eq!(paid(pay(kings, 2, 4), json!(1001)), json!([]));
    assert_eq!(paid(pay(kings, 3, 3), json!(1001)), json!([]));
    assert_eq!(paid(pay(kings, 2, 3), json!(null)), json!([]));
}
