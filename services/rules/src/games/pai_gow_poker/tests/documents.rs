//! What describes no round.

use serde_json::{Value, json};

use super::{WINNER, hand, main_wager, mgc, ohio};
use crate::Edition::{self, Mgc2017, OhJack2017};
use crate::games::PaiGowPoker;
use crate::testkit::TestTable;

/// A lawful round of each edition that the refusals below change in one place.
fn lawful(edition: Edition) -> Value {
    let wagers = json!([main_wager("w1", 1, 1000)]);
    match edition {
        Mgc2017 => mgc(json!({}), wagers, WINNER, json!({})),
        _ => ohio(json!({}), wagers, "AS AH TD 8C 3S / QS 9H", json!({})),
    }
}

/// The lawful round with the value at a JSON pointer replaced.
fn changed(edition: Edition, pointer: &str, value: Value) -> Value {
    let mut document = lawful(edition);
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).expect(pointer) {
        Value::Array(list) => match key {
            "-" => list.push(value),
            index => list[index.parse::<usize>().unwrap()] = value,
        },
        object => object[key] = value,
    }
    document
}

#[test]
fn what_describes_no_round_is_refused_with_its_place() {
    let table = TestTable::<PaiGowPoker>::open();
    for edition in [Mgc2017, OhJack2017] {
        assert_eq!(table.violations(&lawful(edition)), [""; 0], "{edition}");
    }
    let bank = |seat| json!({"id": "b", "seat": seat, "kind": "bank", "amount": 0});
    let six = json!(["9S", "9H", "7D", "5C", "2S", "AD"]);
    let cases = [
        (Mgc2017, "/wagers/0/seat", json!(7), "wagers[0].seat: areas"),
        (Mgc2017, "/wagers/0/seat", json!(0), "wagers[0].seat: areas"),
        (Mgc2017, "/wagers/0/amount", json!(0), "wagers[0].amount"),
        (
            Mgc2017,
            "/wagers/0/kind",
            json!("poker"),
            "wagers[0].kind: \"poker\" is not a wager of pai_gow_poker",
        ),
        (
            Mgc2017,
            "/wagers/-",
            json!({"id": "d", "seat": 2, "kind": "dealer_vs_bank", "amount": 100}),
            "wagers[1].seat: the dealer's own wager",
        ),
        (
            Mgc2017,
            "/wagers/-",
            json!({"id": "e", "seat": 1, "kind": "envy", "amount": 0}),
            "wagers[1]: the key \"on\" is missing",
        ),
        (
            Mgc2017,
            "/wagers/-",
            json!({"id": "e", "seat": 1, "kind": "envy", "amount": 5, "on": "w1"}),
            "wagers[1].amount: this kind has no stake",
        ),
        (
            OhJack2017,
            "/wagers/-",
            json!({"id": "e", "seat": 1, "kind": "envy", "amount": 0, "on": "x"}),
            "wagers[1].on: there is no wager",
        ),
        (
            Mgc2017,
            "/wagers/-",
            json!({"id": "n", "seat": 1, "kind": "number", "amount": 100}),
            "wagers[1]: the key \"number\" is missing",
        ),
        (
            Mgc2017,
            "/wagers/-",
            bank(2),
            "wagers[1].kind: only in a round that a player banks",
        ),
        (Mgc2017, "/play/bank_seat", json!(2), "play.bank_seat: only"),
        (
            Mgc2017,
            "/play/bank_check",
            json!({}),
            "play.bank_check: only",
        ),
        (
            OhJack2017,
            "/play/mode",
            json!("bank"),
            "play.mode: no player banks",
        ),
        (
            OhJack2017,
            "/play/bank_seat",
            json!(2),
            "play.bank_seat: only",
        ),
        (
            Mgc2017,
            "/play/mode",
            json!("bank"),
            "play: the key \"bank_seat\" is missing",
        ),
        (Mgc2017, "/play/mode", json!("bonk"), "play.mode: \"bonk\""),
        (
            Mgc2017,
            "/play/hands/0/abandoned",
            json!(true),
            "play.hands[0].abandoned: a key of oh",
        ),
        (
            Mgc2017,
            "/play/hands/0/seat",
            json!(0),
            "play.hands[0].seat: areas",
        ),
        (
            Mgc2017,
            "/play/hands/-",
            hand(1, WINNER),
            "play.hands[1].seat: area 1 has two hands",
        ),
        (
            Mgc2017,
            "/play/hands",
            json!([]),
            "play.hands: the hand of area 1 is missing",
        ),
        (
            Mgc2017,
            "/play/dealer",
            json!(null),
            "play: the key \"dealer\" is missing",
        ),
        (
            Mgc2017,
            "/play/hands/0/low",
            json!(null),
            "play.hands[0]: the key \"low\" is missing",
        ),
        (
            Mgc2017,
            "/play/dealer/high",
            json!(null),
            "play.dealer: the key \"high\" is missing",
        ),
        (
            Mgc2017,
            "/play/hands/0/low/0",
            json!("AH"),
            "play.hands[0].high: high and low are not",
        ),
        (
            OhJack2017,
            "/play/dealer/high",
            six.clone(),
            "play.dealer: the key \"low\"",
        ),
        (
            Mgc2017,
            "/play/hands/0/cards/0",
            json!("1S"),
            "play.hands[0].cards[0]: \"1S\" is not a card",
        ),
        (
            Mgc2017,
            "/play/deal",
            json!({"dice": [1, 2]}),
            "play.deal.dice",
        ),
        (
            Mgc2017,
            "/play/deal",
            json!({"dice": [1, 2, 7]}),
            "play.deal.dice[2]",
        ),
        (
            Mgc2017,
            "/play/deal",
            json!({"method": "rng"}),
            "play.deal: the key \"number\" is missing",
        ),
        (
            Mgc2017,
            "/play/deal",
            json!({"number": 8}),
            "play.deal.number: numbers are drawn",
        ),
        (
            Mgc2017,
            "/play/deal",
            json!({"method": "left_first", "dice": [1, 1, 1]}),
            "play.deal.dice: beside another",
        ),
        (
            Mgc2017,
            "/play/deal",
            json!({"dice": [1, 1, 1], "button": 3}),
            "play.deal.button: beside another",
        ),
        (
            Mgc2017,
            "/play/deal",
            json!({"first": 7}),
            "play.deal.first: positions",
        ),
        (
            Mgc2017,
            "/play/deal",
            json!({"method": "coin"}),
            "play.deal.method: \"coin\"",
        ),
        (Mgc2017, "/play/remaining", json!(-1), "play.remaining"),
        (
            Mgc2017,
            "/play/meters",
            json!({"jackpot": 5}),
            "play.meters.jackpot",
        ),
        (
            Mgc2017,
            "/play/irregularities",
            json!([{"type": "dice_stacked"}]),
            "play.irregularities[0].type: no irregularity of mgc-2017",
        ),
        (
            OhJack2017,
            "/play/irregularities",
            json!([{"type": "no_roll"}]),
            "play.irregularities[0].type: no irregularity of oh-jack-2017",
        ),
        (
            Mgc2017,
            "/play/irregularities",
            json!([{"type": "player_card_exposed", "seat": 1}]),
            "play.irregularities[0]: the key \"choice\" is missing",
        ),
        (
            Mgc2017,
            "/play/irregularities",
            json!([{"type": "player_card_exposed", "seat": 0, "choice": "void"}]),
            "play.irregularities[0].seat: areas",
        ),
        (
            Mgc2017,
            "/play/irregularities",
            json!([{"type": "face_up_in_shoe", "count": 0}]),
            "play.irregularities[0].count",
        ),
        (
            Mgc2017,
            "/play/irregularities",
            json!([{"type": "shoe_failure", "seat": 1}]),
            "play.irregularities[0].seat: no key of this",
        ),
        (
            OhJack2017,
            "/play/irregularities",
            json!([{"type": "card_off_table", "seat": 7, "ruling": "dead"}]),
            "play.irregularities[0].seat: areas",
        ),
        (
            Mgc2017,
            "/play/shoe",
            json!(1),
            "play.shoe: \"shoe\" is not a known key",
        ),
        (Mgc2017, "/options/tables", json!(1), "options.tables"),
        (
            OhJack2017,
            "/options/house_way",
            json!("standard"),
            "options.house_way",
        ),
        (
            Mgc2017,
            "/options/progressive_wager",
            json!(200),
            "options.progressive_wager",
        ),
        (
            Mgc2017,
            "/options/max_areas_per_player",
            json!(0),
            "options.max_areas_per_player",
        ),
        (Mgc2017, "/options/table_min", json!(0), "options.table_min"),
        (
            Mgc2017,
            "/options/side_bets",
            json!(["fortune_bonus"]),
            "options.side_bets",
        ),
        (
            Mgc2017,
            "/options/seven_card_overrides",
            json!({"pair": "1:1"}),
            "options.seven_card_overrides: \"pair\"",
        ),
        (
            Mgc2017,
            "/options/progressive_overrides",
            json!({"five_aces": 500_000}),
            "options.progressive_overrides: only rows with a fixed amount",
        ),
        (
            Edition::MgcAmended,
            "/edition",
            json!("mgc-amended"),
            "edition: \"mgc-amended\" is not",
        ),
    ];
    for (edition, pointer, value, expected) in cases {
        let edition = if edition == Edition::MgcAmended {
            Mgc2017
        } else {
            edition
        };
        let document = changed(edition, pointer, value);
        let refusal = table.refusal(&document);
        assert!(
            refusal.starts_with(expected),
            "{pointer}\nexpected {expected}\ngot      {refusal}"
        );
    }
}

#[test]
fn a_bank_is_refused_unless_its_one_entry_is_at_its_area() {
    let table = TestTable::<PaiGowPoker>::open();
    let bank = |id: &str, seat| json!({"id": id, "seat": seat, "kind": "bank", "amount": 0});
    let banked = |wagers: Value| {
        mgc(
            json!({}),
            wagers,
            WINNER,
            json!({"mode": "bank", "bank_seat": 1}),
        )
    };
    assert_eq!(table.violations(&banked(json!([bank("b", 1)]))), [""; 0]);
    for (wagers, place) in [
        (json!([]), "wagers: "),
        (
            json!([bank("b", 2)]),
            "wagers[0].seat: the bank is at area 1",
        ),
        (
            json!([bank("b", 1), bank("c", 1)]),
            "wagers[1].kind: a banked round has one",
        ),
    ] {
        let refusal = table.refusal(&banked(wagers));
        assert!(refusal.starts_with(place), "{refusal}");
    }
}

#[test]
fn half_a_hand_is_refused_unless_the_round_is_void_without_it() {
    let table = TestTable::<PaiGowPoker>::open();
    for edition in [Mgc2017, OhJack2017] {
        let short = |place: &str| {
            let mut document = lawful(edition);
            let hand = document.pointer_mut(place).expect(place);
            hand.as_object_mut().unwrap().remove("high");
            hand.as_object_mut().unwrap().remove("low");
            hand["cards"].as_array_mut().unwrap().pop();
            document
        };
        for (pointer, place) in [
            ("/play/hands/0", "play.hands[0].cards: 6 of the seven cards"),
            ("/play/dealer", "play.dealer.cards: 6 of the seven cards"),
        ] {
            let refusal = table.refusal(&short(pointer));
            assert!(refusal.starts_with(place), "{refusal}");
        }
        let with = |key: &str, value: Value| {
            let mut document = short("/play/hands/0");
            document["play"][key] = value;
            document
        };
        let declared = with("irregularities", json!([{"type": "wrong_card_count"}]));
        assert_eq!(table.violations(&declared), [""; 0]);
        let left_over = with("remaining", json!(5));
        assert_eq!(table.violations(&left_over), ["deal.card_count"]);
        let wrong_start = with("deal", json!({"dice": [1, 1, 1], "first": 3}));
        let codes = ["deal.card_count", "pai_gow_poker.wrong_start"];
        assert_eq!(table.violations(&wrong_start), codes);
    }
}

#[test]
fn what_the_table_or_the_areas_contradict_is_refused() {
    let table = TestTable::<PaiGowPoker>::open();
    let told = |options: Value, irregularity: Value| {
        let wagers = json!([main_wager("w1", 1, 1000)]);
        let more = json!({"irregularities": [irregularity]});
        mgc(options, wagers, WINNER, more)
    };
    let of = |kind: &str| match kind {
        "face_up_in_shoe" => json!({"type": kind, "count": 1}),
        _ => json!({"type": kind}),
    };
    for (kind, method, happens) in [
        ("shoe_failure", "auto_shoe", true),
        ("shoe_failure", "shoe", false),
        ("shoe_failure", "hand", false),
        ("stack_card_exposed", "hand", true),
        ("stack_card_exposed", "auto_shoe", false),
        ("stack_deal_error", "hand", true),
        ("stack_deal_error", "shoe", false),
        ("face_up_in_shoe", "shoe", true),
        ("face_up_in_shoe", "auto_shoe", true),
        ("face_up_in_shoe", "hand", false),
    ] {
        table.settle(&told(json!({}), of(kind)));
        let document = told(json!({"deal_method": method}), of(kind));
        match happens {
            true => drop(table.settle(&document)),
            false => {
                let refusal = table.refusal(&document);
                assert!(refusal.starts_with("play.irregularities[0]: "), "{refusal}");
            }
        }
    }
    let exposed =
        |seat: u16| json!({"type": "player_card_exposed", "seat": seat, "choice": "play"});
    table.settle(&told(json!({}), exposed(1)));
    for irregularity in [exposed(2), of("bank_card_exposed")] {
        let refusal = table.refusal(&told(json!({}), irregularity));
        assert!(refusal.starts_with("play.irregularities[0]: "), "{refusal}");
    }
    for (edition, key) in [
        (Mgc2017, "surrender"),
        (OhJack2017, "surrender"),
        (OhJack2017, "abandoned"),
    ] {
        let mut document = lawful(edition);
        document["play"]["hands"][0][key] = json!(true);
        table.settle(&document);
        document["wagers"] = json!([]);
        let refusal = table.refusal(&document);
        assert!(
            refusal.starts_with(&format!("play.hands[0].{key}: ")),
            "{refusal}"
        );
    }
    let bank = json!([{"id": "b", "seat": 1, "kind": "bank", "amount": 0}]);
    let mut document = mgc(
        json!({}),
        bank,
        WINNER,
        json!({"mode": "bank", "bank_seat": 1}),
    );
    document["play"]["hands"][0]["surrender"] = json!(true);
    let refusal = table.refusal(&document);
    assert!(
        refusal.starts_with("play.hands[0].surrender: "),
        "{refusal}"
    );
}
