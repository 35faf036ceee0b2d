//! What describes nothing is refused by its place.

use serde_json::{Value, json};

use super::{mgc, ohio, open};
use crate::games::shared::testround::with;

const MAIN: &str = "w1 s1 main 1000";
const NINETEEN: &str = "s1 KC 9D: stand";
const EIGHTEEN: &str = "9C 9D";

fn table_with(options: Value) -> Value {
    mgc(options, MAIN, NINETEEN, EIGHTEEN)
}

fn side(name: &str, decks: i64, dealer: &str) -> Value {
    let wagers = format!("w1 s1 main 1000; w2 s1 {name} 500");
    mgc(
        json!({"side_bets": [name], "decks": decks}),
        &wagers,
        NINETEEN,
        dealer,
    )
}

#[test]
fn what_cannot_be_read_is_refused() {
    let boxed = |boxes: &str| mgc(json!({}), MAIN, boxes, EIGHTEEN);
    let cases = [
        (
            table_with(json!({"dekcs": 6})),
            r#"options.dekcs: "dekcs" is not an option of blackjack in mgc-2017; did you mean "decks"?"#,
        ),
        (
            table_with(json!({"variation": "switch"})),
            r#"options.variation: "switch" cannot be read"#,
        ),
        (
            table_with(json!({"hole_card": "peek"})),
            r#"options.hole_card: "peek" cannot be read"#,
        ),
        (
            table_with(json!({"max_split_hands": 5})),
            "options.max_split_hands: 5 cannot be read",
        ),
        (
            table_with(json!({"bonus_payouts": ["six_card_21"]})),
            "options.bonus_payouts: ",
        ),
        (
            table_with(json!({"royal_match_option": 5})),
            "options.royal_match_option: 5 cannot be read",
        ),
        (
            table_with(json!({"twenty_point_table": "C"})),
            "options.twenty_point_table: ",
        ),
        (
            table_with(json!({"min_spots": 1})),
            "options.min_spots: 1 cannot be read",
        ),
        (
            table_with(json!({"shuffler": "robot"})),
            "options.shuffler: ",
        ),
        (
            table_with(json!({"double_card": "sideways"})),
            "options.double_card: ",
        ),
        (
            table_with(json!({"dealt_from": "shoe"})),
            r#"options.dealt_from: "dealt_from" is not an option of blackjack in mgc-2017"#,
        ),
        (
            ohio(json!({"surrender": true}), MAIN, NINETEEN, EIGHTEEN),
            r#"options.surrender: "surrender" is not an option"#,
        ),
        (
            ohio(json!({"hole_card": "none"}), MAIN, NINETEEN, EIGHTEEN),
            r#"options.hole_card: "none" cannot be read"#,
        ),
        (
            table_with(json!({"limits": {"mian": {"min": 1}}})),
            "options.limits",
        ),
        (
            table_with(json!({"pays": {"streak": {"2": "lots"}}})),
            "options.pays.streak.2: ",
        ),
        (
            table_with(json!({"designated_blackjack": ["AS", "JK"]})),
            "options.designated_blackjack[1]: ",
        ),
        (
            mgc(json!({}), "w1 s1 mian 1000", NINETEEN, EIGHTEEN),
            r#"wagers[0].kind: "mian" is not a wager of blackjack; did you mean "main"?"#,
        ),
        (
            mgc(
                json!({}),
                "w1 s1 main 1000; w2 s1 trilux 500",
                NINETEEN,
                EIGHTEEN,
            ),
            r#"wagers[1].kind: "trilux" is not a wager of blackjack in mgc-2017"#,
        ),
        (
            ohio(
                json!({}),
                "w1 s1 main 1000; w2 s1 streak_2 500",
                NINETEEN,
                EIGHTEEN,
            ),
            r#"wagers[1].kind: "streak" is not a wager of blackjack in oh-jack-2017"#,
        ),
        (
            mgc(json!({}), "w1 s1 main 0", NINETEEN, EIGHTEEN),
            "wagers[0].amount: a stake is at least a cent",
        ),
        (
            mgc(json!({}), "w1 s1 main 1000 colour=red", NINETEEN, EIGHTEEN),
            r#"wagers[0].colour: "colour" is not a known key here"#,
        ),
        (
            with(table_with(json!({})), "/play/void_round", json!("some")),
            r#"play.void_round: "some" is not a known word here"#,
        ),
        (
            with(table_with(json!({})), "/play/burned", json!(["1X"])),
            r#"play.burned[0]: "1X" is not a card"#,
        ),
        (
            boxed("s1 KC 9X: stand"),
            r#"play.boxes[0].cards[1]: "9X" is not a card"#,
        ),
        (
            boxed("s1 KC JK: stand"),
            r#"play.boxes[0].cards[1]: "JK" is not a card of this game"#,
        ),
        (
            boxed("s1 KC 5D: hit JK"),
            r#"play.boxes[0].steps[0].card: "JK" is not a card of this game"#,
        ),
        (
            mgc(json!({}), MAIN, NINETEEN, "9C JK"),
            r#"play.dealer.cards[1]: "JK" is not a card of this game"#,
        ),
        (
            with(
                table_with(json!({"double_shoe": {"hearts_diamonds": "a", "spades_clubs": "b"}})),
                "/play/determinant",
                json!({"card": "JK", "from": "a", "dealt_side": "b"}),
            ),
            "play.determinant.card: ",
        ),
        (
            with(
                table_with(json!({})),
                "/play/determinant",
                json!({"card": "KC", "from": "a", "dealt_side": "b"}),
            ),
            "play.determinant: ",
        ),
        (table_with(json!({"chip_unit": 0})), "options.chip_unit: "),
        (
            table_with(json!({"designated_blackjack": ["AD"]})),
            "options.designated_blackjack",
        ),
        (
            table_with(json!({"designated_blackjack": ["AD", "KD", "QD"]})),
            "options.designated_blackjack",
        ),
        (
            with(boxed(NINETEEN), "/play/boxes/0/steps/0/card", json!("2C")),
            "play.boxes[0].steps[0].card: no card comes with this step",
        ),
        (
            with(
                boxed("s1 KC 9D: surrender"),
                "/play/boxes/0/steps/0/card",
                json!("2C"),
            ),
            "play.boxes[0].steps[0].card: no card comes with this step",
        ),
        (
            with(
                boxed("s1 KC 9D: refuse"),
                "/play/boxes/0/steps/0/card",
                json!("2C"),
            ),
            "play.boxes[0].steps[0].card: no card comes with this step",
        ),
        (
            with(
                boxed("s1 KC 9D: dead"),
                "/play/boxes/0/steps/0/card",
                json!("2C"),
            ),
            "play.boxes[0].steps[0].card: no card comes with this step",
        ),
        (
            with(
                boxed("s1 8C 8D: split 2"),
                "/play/boxes/0/steps/0/card",
                json!("2C"),
            ),
            "play.boxes[0].steps[0].card: no card comes with this step",
        ),
        (
            with(boxed(NINETEEN), "/play/boxes/0/steps/0/new_hand", json!(2)),
            "play.boxes[0].steps[0].new_hand: only a split makes a new hand",
        ),
        (
            with(boxed(NINETEEN), "/play/boxes/0/caller", json!("b")),
            "play.boxes[0].caller: ",
        ),
        (
            with(boxed(NINETEEN), "/play/boxes/0/dead", json!("no_cards")),
            "play.boxes[0].dead: ",
        ),
        (
            with(
                boxed(NINETEEN),
                "/play/boxes/0",
                json!({"seat": 1, "dead": "one_card"}),
            ),
            "play.boxes[0].dead: ",
        ),
        (
            with(
                boxed(NINETEEN),
                "/play/boxes/0",
                json!({"seat": 1, "dead": "no_cards", "steps": [{"do": "stand"}]}),
            ),
            "play.boxes[0].steps: ",
        ),
        (
            with(boxed(NINETEEN), "/play/boxes/0/dead", json!("tired")),
            "play.boxes[0].dead: ",
        ),
        (
            mgc(
                json!({}),
                "w1 s1 main 1000; w2 s2 main 1000",
                NINETEEN,
                EIGHTEEN,
            ),
            "play.boxes: seat 2 has a main wager",
        ),
        (
            with(table_with(json!({})), "/wagers/0/spot", json!(1)),
            "wagers[0].spot: ",
        ),
        (
            mgc(
                json!({"variation": "multiple_action"}),
                "w1 s1 main 1000; w2 s1 main 1000 spot=4",
                NINETEEN,
                "9C 9D / 9C 8D",
            ),
            "wagers[1].spot: ",
        ),
        (
            mgc(
                json!({"variation": "multiple_action"}),
                "w1 s1 main 1000; w2 s1 double 1000 on=w1 spot=1",
                NINETEEN,
                "9C 9D / 9C 8D",
            ),
            "wagers[1].spot: ",
        ),
        (
            mgc(
                json!({"variation": "multiple_action"}),
                "w1 s1 main 1000; w2 s1 main 1000 spot=2",
                NINETEEN,
                "9C 9D / 9C 8D / 9C 8D / 9C 8D",
            ),
            "play.dealer.hands: ",
        ),
        (
            with(table_with(json!({})), "/wagers/0/wins_before", json!(0)),
            "wagers[0].wins_before: ",
        ),
        (
            with(
                table_with(json!({})),
                "/wagers/0/bonus_display",
                json!(null),
            ),
            "wagers[0].bonus_display: ",
        ),
        (
            mgc(
                json!({}),
                "w1 s1 main 1000; w2 s1 insurance 500 on=w1 hand=1",
                NINETEEN,
                "AC 8D",
            ),
            "wagers[1].hand: this wager lies on no hand",
        ),
        (
            mgc(
                json!({"side_bets": ["royal_match"]}),
                "w1 s1 main 1000; w2 s1 royal_match 500 hand=1",
                NINETEEN,
                EIGHTEEN,
            ),
            "wagers[1].hand: this wager lies on no hand",
        ),
        (
            boxed("s1 KC: stand"),
            "play.boxes[0].cards: a box that is not dead has two first cards, not 1",
        ),
        (
            boxed("s1 KC 2C 3C: stand"),
            "play.boxes[0].cards: a box that is not dead has two first cards, not 3",
        ),
        (
            boxed("s1 KC 9D: jump"),
            r#"play.boxes[0].steps[0].do: "jump" is not a known word here"#,
        ),
        (
            boxed("s1 KC 9D: rescue"),
            r#"play.boxes[0].steps[0].do: "rescue" is not a known word here"#,
        ),
        (
            boxed("s1 KC 9D: 2 stand"),
            "play.boxes[0].steps[0].hand: the box has no hand 2",
        ),
        (
            boxed("s1 KC 5D: hit"),
            "play.boxes[0].steps[0].card: this step needs its card",
        ),
        (
            boxed("s1 8C 8D: split"),
            "play.boxes[0].steps[0].new_hand: a split names its new hand",
        ),
        (
            boxed("s1 8C 8D: split 1"),
            "play.boxes[0].steps[0].new_hand: the box has a hand 1 already",
        ),
        (
            boxed("s1 KC 9D: stand; s1 KC 9D: stand"),
            "play.boxes[1].seat: seat 1 has a box already",
        ),
        (
            mgc(json!({}), MAIN, NINETEEN, "9C 9D / 9C 8D"),
            "play.dealer.hands: only multiple action",
        ),
        (
            with(
                mgc(
                    json!({"variation": "multiple_action"}),
                    MAIN,
                    NINETEEN,
                    "9C 9D / 9C 8D",
                ),
                "/play/dealer/cards",
                json!(["9C"]),
            ),
            "play.dealer.cards: the dealer has either",
        ),
    ];
    let table = open();
    for (round, expected) in cases {
        let refusal = table.refusal(&round);
        assert!(
            refusal.starts_with(expected),
            "expected {expected}\ngot      {refusal}"
        );
    }
}

#[test]
fn a_round_without_the_card_that_decides_it_is_refused() {
    let table = open();
    let missing_second = "play.dealer: the dealer's second card is missing";
    let queens = |dealer: &str| {
        let wagers = "w1 s1 main 1000; w2 s1 twenty_point_bonus 500";
        mgc(
            json!({"side_bets": ["twenty_point_bonus"]}),
            wagers,
            "s1 QH QH: hit 5C",
            dealer,
        )
    };
    let cases = [
        (
            mgc(json!({}), MAIN, NINETEEN, ""),
            "play.dealer.cards: the dealer has no card",
        ),
        (mgc(json!({}), MAIN, NINETEEN, "9C"), missing_second),
        (mgc(json!({}), MAIN, "s1 AC KD", "TC"), missing_second),
        (
            mgc(
                json!({"surrender": true}),
                MAIN,
                "s1 KC 6D: surrender",
                "AC",
            ),
            missing_second,
        ),
        (
            mgc(
                json!({}),
                "w1 s1 main 1000; w2 s1 insurance 500 on=w1",
                "s1 KC 6D: hit KD",
                "AC",
            ),
            missing_second,
        ),
        (
            mgc(
                json!({"variation": "multiple_action"}),
                "w1 s1 main 1000; w2 s1 main 1000 spot=3",
                NINETEEN,
                "9C 9D / 9C 8D",
            ),
            missing_second,
        ),
        (queens("KC"), missing_second),
        (
            mgc(
                json!({"side_bets": ["optional_bonus"]}),
                "w1 s1 main 1000; w2 s1 optional_bonus 500",
                "s1 KC 6D: hit KD",
                "9C",
            ),
            missing_second,
        ),
        (
            mgc(
                json!({"side_bets": ["optional_bonus"]}),
                "w1 s1 main 1000; w2 s1 optional_bonus 500",
                "s1 KC 6D: hit KD",
                "9C 7D",
            ),
            "play.dealer.cards: an optional bonus wager needs the dealer's third card",
        ),
        (
            side("royal_match", 3, EIGHTEEN),
            "options.decks: the rules have no pay table of royal match for 3 decks",
        ),
        (
            side("match_the_dealer", 4, EIGHTEEN),
            "options.decks: the rules have no pay table of match-the-dealer for 4 decks",
        ),
        (
            ohio(
                json!({"decks": 3}),
                "w1 s1 main 1000; w2 s1 bet_the_set 500",
                NINETEEN,
                EIGHTEEN,
            ),
            "options.decks: the rules have no pay table of Bet the Set for 3 decks",
        ),
    ];
    for (round, expected) in cases {
        let refusal = table.refusal(&round);
        assert!(
            refusal.starts_with(expected),
            "expected {expected}\ngot      {refusal}"
        );
    }
    // Decided without it: a bust, a surrender and a blackjack against a low card, even money, two
    // queens of hearts against a low card, and anything in a round that is void altogether.
    let even_money = mgc(json!({"even_money": true}), MAIN, "s1 AC KD", "AH");
    for round in [
        mgc(json!({}), MAIN, "s1 KC 9D: hit 5C", "TC"),
        mgc(
            json!({"surrender": true}),
            MAIN,
            "s1 KC 6D: surrender",
            "9C",
        ),
        mgc(json!({}), MAIN, "s1 AC KD", "9C"),
        with(even_money, "/play/boxes/0/even_money", json!(["w1"])),
        queens("9C"),
        with(
            mgc(json!({}), MAIN, NINETEEN, ""),
            "/play/void_round",
            json!("all"),
        ),
        with(
            side("royal_match", 3, EIGHTEEN),
            "/play/void_round",
            json!("all"),
        ),
    ] {
        table.settle(&round);
    }
}
