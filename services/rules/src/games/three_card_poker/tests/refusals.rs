//! What is refused, by its place.

use serde_json::json;

use super::{DEALER, PLAYED, lawful, round, table, verdict};
use crate::Edition::{Mgc2017, MgcAmended, OhJack2017};
use crate::games::shared::ante_play_rounds::{
    assert_common_option_refusals, assert_common_refusals, assert_refused, changed,
    with_irregularities, with_key,
};

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let amended = || lawful(MgcAmended);
    let two_seats = || {
        let seats = [PLAYED, "2 fold 8C 6D 2S: ante 500"];
        round(MgcAmended, json!({}), DEALER, &seats)
    };
    let covering = || {
        let seats = [PLAYED, "2 - 8C 6D 2S: cover_all 500, pair_plus 100"];
        round(MgcAmended, json!({}), DEALER, &seats)
    };
    let option = |edition, key: &str, value| with_key(lawful(edition), "/options", key, value);
    assert_common_refusals(table(), &amended(), &two_seats());
    assert_common_option_refusals(table(), &lawful(OhJack2017));
    let cases = [
        (
            changed(amended(), "/wagers/0/kind", json!("anti")),
            "wagers[0].kind: \"anti\" is not a wager of three_card_poker; did you mean \"ante\"?",
        ),
        (
            with_key(
                round(Mgc2017, json!({}), DEALER, &[PLAYED]),
                "/play",
                "meters",
                json!({}),
            ),
            "play.meters: this text has no meter",
        ),
        (
            changed(covering(), "/play/hands/1/seat", json!(3)),
            "play.hands: seat 2 has bought a hand and has no entry",
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
            changed(amended(), "/play/dealer", json!(null)),
            "play.dealer: the dealer's hand decides",
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
    assert_refused(table(), &cases);
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
