//! What is refused, by its place.

use serde_json::json;

use super::{DEALER, PLAYED, lawful, round, table, verdict};
use crate::Edition::{Mgc2017, MgcAmended, OhJack2017};
use crate::games::shared::ante_play_rounds::{changed, with_irregularities, with_key};

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let amended = || lawful(MgcAmended);
    let two_seats = || {
        let seats = [PLAYED, "2 fold 8C 6D 2S: ante 500"];
        round(MgcAmended, json!({}), DEALER, &seats)
    };
    let covering = || {
        let seats = [PLAYED, "2 fold 8C 6D 2S: cover_all 500, progressive 100"];
        round(MgcAmended, json!({}), DEALER, &seats)
    };
    let option = |edition, key: &str, value| with_key(lawful(edition), "/options", key, value);
    let cases = [
        (
            changed(amended(), "/wagers/0/kind", json!("anti")),
            "wagers[0].kind: \"anti\" is not a wager of three_card_poker; did you mean \"ante\"?",
        ),
        (
            with_key(amended(), "/wagers/0", "size", json!(1)),
            "wagers[0].size: \"size\" is not a known key",
        ),
        (
            changed(amended(), "/wagers/0/amount", json!(0)),
            "wagers[0].amount: ",
        ),
        (
            changed(amended(), "/wagers/0/seat", json!(0)),
            "wagers[0].seat: seats are numbered from 1",
        ),
        (
            changed(amended(), "/wagers/0/seat", json!(2)),
            "wagers[0].seat: seat 2 has no entry in play.hands",
        ),
        (
            changed(covering(), "/play/hands/1/seat", json!(3)),
            "wagers[3].seat: seat 2 has no entry in play.hands",
        ),
        (
            changed(amended(), "/wagers/1/id", json!("1.ante")),
            "wagers[1].id: \"1.ante\" is used twice",
        ),
        (
            changed(amended(), "/wagers/1/on", json!("1.play")),
            "wagers[1].on: a play wager is on the ante",
        ),
        (
            changed(amended(), "/wagers/1/on", json!(null)),
            "wagers[1].on: a play wager is on the ante",
        ),
        (
            changed(amended(), "/wagers/1/kind", json!("ante")),
            "wagers[1].kind: seat 1 has two wagers of this kind",
        ),
        (
            changed(two_seats(), "/play/hands/1/seat", json!(1)),
            "play.hands[1].seat: seat 1 has two hands",
        ),
        (
            changed(two_seats(), "/play/hands/1/seat", json!(0)),
            "play.hands[1].seat: seats are numbered from 1",
        ),
        (
            changed(two_seats(), "/play/hands/1/decision", json!(null)),
            "play.hands[1].decision: seat 2 has an ante and no decision",
        ),
        (
            changed(two_seats(), "/play/hands/1/decision", json!("stay")),
            "play.hands[1].decision: \"stay\" is not a known word",
        ),
        (
            changed(two_seats(), "/play/hands/1/decision", json!("abandoned")),
            "play.hands[1].decision: \"abandoned\" is not a decision of this text",
        ),
        (
            changed(
                lawful(OhJack2017),
                "/play/hands/0/decision",
                json!("forfeit"),
            ),
            "play.hands[0].decision: \"forfeit\" is not a decision of this text",
        ),
        (
            changed(amended(), "/play/hands/0/cards/2", json!("1D")),
            "play.hands[0].cards[2]: \"1D\" is not a card",
        ),
        (
            with_key(amended(), "/play/hands/0", "name", json!("x")),
            "play.hands[0].name: ",
        ),
        (
            changed(amended(), "/play/dealer", json!(null)),
            "play.dealer: the dealer's hand decides",
        ),
        (
            with_key(amended(), "/play", "shoe", json!(1)),
            "play.shoe: \"shoe\" is not a known key",
        ),
        (
            with_key(amended(), "/play", "meters", json!({"jackpot": 1})),
            "play.meters.jackpot: \"jackpot\" is not a known key",
        ),
        (
            with_key(amended(), "/play", "meters", json!({"progressive": -1})),
            "play.meters.progressive: ",
        ),
        (
            with_irregularities(amended(), json!([{"code": "fire"}])),
            "play.irregularities[0].code: \"fire\" is not a known word",
        ),
        (
            with_irregularities(
                amended(),
                json!([{"code": "misdeal"}, {"code": "misdeal", "count": 2}]),
            ),
            "play.irregularities[1].count: only a \"face_up_card\" entry has a count",
        ),
        (
            with_irregularities(amended(), json!([{"code": "face_up_card", "count": 0}])),
            "play.irregularities[0].count: ",
        ),
        (
            with_irregularities(amended(), json!([{"code": "misdeal", "ruling": "x"}])),
            "play.irregularities[0].ruling: ",
        ),
        (
            changed(amended(), "/edition", json!("mgc-2018")),
            "edition: \"mgc-2018\" is not an edition",
        ),
        (
            option(OhJack2017, "ante_bonus", json!("A")),
            "options.ante_bonus: \"ante_bonus\" is not an option",
        ),
        (
            option(OhJack2017, "dealing", json!("manual_shoe")),
            "options.dealing: ",
        ),
        (
            option(OhJack2017, "six_card_table", json!("tcp_6b2")),
            "options.six_card_table: ",
        ),
        (
            option(OhJack2017, "max_payout", json!(0)),
            "options.max_payout: ",
        ),
        (
            option(Mgc2017, "progressive_bet", json!(100)),
            "options.progressive_bet: \"progressive_bet\" is not",
        ),
        (
            option(Mgc2017, "offered", json!(["cover_all"])),
            "options.offered: ",
        ),
        (
            option(MgcAmended, "progressive_table", json!(1)),
            "options.progressive_table: ",
        ),
        (
            option(MgcAmended, "progressive_bet", json!(0)),
            "options.progressive_bet: ",
        ),
        (
            option(MgcAmended, "max_positions", json!(0)),
            "options.max_positions: ",
        ),
        (
            option(MgcAmended, "version", json!("closed")),
            "options.version: ",
        ),
        (
            option(MgcAmended, "pair_plus_pays", json!({"royal": "1:1"})),
            "options.pair_plus_pays: \"royal\" is not a known word",
        ),
        (
            option(MgcAmended, "pair_plus_pays", json!({"flush": "0:1"})),
            "options.pair_plus_pays.flush: \"0:1\" are not odds",
        ),
    ];
    for (document, expected) in cases {
        let refusal = table().refusal(&document);
        assert!(
            refusal.starts_with(expected),
            "expected {expected}\ngot {refusal}"
        );
    }
}

#[test]
fn the_dealer_may_stay_unseen_only_if_nobody_asks_for_his_hand() {
    let unseen = |seats: &[&str]| {
        changed(
            round(MgcAmended, json!({}), DEALER, seats),
            "/play/dealer",
            json!(null),
        )
    };
    let folded = unseen(&["1 fold QS QH 4D: ante 500, pair_plus 500, progressive 100"]);
    assert_eq!(verdict(&folded, "1.pair_plus"), "win 500 1000");
    let void = with_irregularities(unseen(&[PLAYED]), json!([{"code": "shoe_failure"}]));
    assert_eq!(verdict(&void, "1.ante"), "void 0 500");
    let missing = unseen(&["1 play QS QH 4D: ante 500"]);
    assert_eq!(verdict(&missing, "1.ante"), "lose 0 0");
    for seats in [
        "1 play QS QH 4D: ante 500, play 500",
        "1 fold QS QH 4D: ante 500, six_card_bonus 500",
        "1 forfeit QS QH 4D: ante 500, six_card_bonus 500",
        "1 fold QS QH 4D: ante 500, cover_all 500",
    ] {
        assert!(
            table()
                .refusal(&unseen(&[seats]))
                .starts_with("play.dealer: "),
            "{seats}"
        );
    }
}
