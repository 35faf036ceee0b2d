//! Fast Action Hold'em: every cell, every refusal, and what the rules say about odd rounds.
//!
//! Main and split have no edge here: it is that of the best of six sets, three splits and a surrender, and
//! which of them is the best is known, for each of the 22,022 hands that differ by more than a change of suits,
//! only after 7,697,129,181,690,841,200 hands of the dealer with boards out of six decks. Board by board, with
//! the dealer's kept pairs tallied once, there remain 208,481 boards with 341,055 hands and six sets each, and
//! sixteen tallies for a set, since the four cards of the player are none of the dealer's: 6,825,934,795,680
//! of them, hours even so. What naturals are worth beside that is exact in `counts`, and so are the ranks and
//! the house ways.

mod counts;
mod violations;

use serde_json::{Value, json};

use super::FastActionHoldem;
use crate::Edition::Mgc2017;
use crate::games::shared::flawed::{self, cards};
use crate::settlement::Verdict;
use crate::testkit::TestTable;

fn open() -> TestTable<FastActionHoldem> {
    TestTable::open()
}

/// A lawful round at seat 4: queens, split from sevens, against the dealer's jacks.
fn lawful() -> Value {
    open().document(
        Mgc2017,
        json!({}),
        json!([
            {"id": "m", "seat": 4, "kind": "main", "amount": 1000, "patron": "ann"},
            {"id": "s", "seat": 4, "kind": "split", "amount": 1000, "on": "m", "patron": "ann"},
        ]),
        json!({"dealer": {"cards": cards("JS JD 8H 3C"), "set": cards("JD JS")},
               "board": cards("AC TD 6S 4H 2C"),
               "hands": [{"seat": 4, "cards": cards("QS QD 7H 7C"), "action": "split",
                          "sets": [cards("QS QD"), cards("7H 7C")]}]}),
    )
}

/// The lawful round without the split.
fn set_round() -> Value {
    let document = flawed::removed(lawful(), "/wagers/1");
    flawed::changed(
        document,
        &[
            ("/play/hands/0/action", json!("set")),
            ("/play/hands/0/sets", json!([cards("QS QD")])),
        ],
    )
}

fn changed(changes: &[(&str, Value)]) -> Value {
    flawed::changed(lawful(), changes)
}

fn set_changed(changes: &[(&str, Value)]) -> Value {
    flawed::changed(set_round(), changes)
}

fn verdicts(document: &Value) -> Vec<Verdict> {
    open()
        .settle(document)
        .wagers()
        .iter()
        .map(|w| w.result)
        .collect()
}

#[test]
fn every_cell_of_the_pay_table_pays_what_is_filed() {
    open().assert_cells(include_str!("../cells.txt"), |cell| match cell.row {
        "natural" => set_changed(&[
            ("/play/hands/0/cards", cards("TC TC TH TD")),
            ("/play/hands/0/action", json!("natural")),
        ]),
        _ => lawful(),
    });
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let table = open();
    let cases = [
        (
            changed(&[("/options/decks", json!(-1))]),
            "options.decks: -1 cannot be read; write a whole number from 0 to 255 (mgc-2017)",
        ),
        (
            changed(&[("/options/shuffler", json!("automated_counting"))]),
            "options.shuffler: \"automated_counting\" cannot be read",
        ),
        (
            changed(&[("/play/irregularities", json!([{"code": "misdeal"}]))]),
            "play.irregularities[0].code: this game has no rule for it",
        ),
        (
            changed(&[(
                "/play/irregularities",
                json!([{"code": "card_count", "seat": 4, "dealt": 3, "resolution": "maybe"}]),
            )]),
            "play.irregularities[0].resolution: \"maybe\" is not a known word here",
        ),
        (
            changed(&[("/play/dealer", cards("JS JD 8H 3C"))]),
            "play.dealer",
        ),
        (
            changed(&[("/play/dealer/kept", json!([]))]),
            "play.dealer.kept: \"kept\" is not a known key here",
        ),
        (
            changed(&[("/play/hands/-", json!({"seat": 4}))]),
            "play.hands[1].seat: seat 4 has two hands",
        ),
        (
            changed(&[("/wagers/0/amount", json!(0))]),
            "wagers[0].amount: a stake is at least a cent",
        ),
        (
            changed(&[("/edition", json!("oh-jack-2017"))]),
            "edition: \"oh-jack-2017\" is not an edition of fast_action_holdem",
        ),
    ];
    table.assert_refused(&cases);
}

#[test]
fn irregularities_void_the_round_or_a_seat_as_the_rules_say() {
    use Verdict::{Void, Win};
    let two_seats = |changes: &[(&str, Value)], irregularities: Value| {
        let round = set_changed(&[
            (
                "/wagers/-",
                json!({"id": "x", "seat": 5, "kind": "main", "amount": 1000}),
            ),
            (
                "/play/hands/-",
                json!({"seat": 5, "cards": cards("KS KD 3C 2D"), "action": "set",
                                     "sets": [cards("KS KD")]}),
            ),
            ("/play/irregularities", irregularities),
        ]);
        verdicts(&flawed::changed(round, changes))
    };
    let cases = [
        (json!([{"code": "face_up_card", "count": 5}]), [Win, Win]),
        (
            json!([{"code": "card_drawn_in_error"}, {"code": "player_card_exposed", "seat": 4}]),
            [Win, Win],
        ),
        (
            json!([{"code": "marker_not_moved"}, {"code": "shuffler_failure"}]),
            [Win, Win],
        ),
        (
            json!([{"code": "card_count", "area": "dealer", "dealt": 3}]),
            [Win, Win],
        ),
        (
            json!([{"code": "card_count", "seat": 5, "dealt": 3, "resolution": "completed"}]),
            [Win, Win],
        ),
        (json!([{"code": "insufficient_cards"}]), [Void, Void]),
    ];
    for (irregularities, expected) in cases {
        assert_eq!(
            two_seats(&[], irregularities.clone()),
            expected,
            "{irregularities}"
        );
    }
    let five = two_seats(
        &[("/play/dealer/cards/-", json!("2S"))],
        json!([{"code": "card_count", "area": "dealer", "dealt": 5}]),
    );
    assert_eq!(five, [Void, Void]);
    let extra = two_seats(
        &[("/play/hands/1/cards/-", json!("2S"))],
        json!([{"code": "card_count", "seat": 5, "dealt": 5}]),
    );
    assert_eq!(extra, [Win, Win]);
    let short = two_seats(
        &[("/play/hands/1/cards", cards("KS KD 3C"))],
        json!([{"code": "card_count", "seat": 5, "dealt": 3, "resolution": "void"}]),
    );
    assert_eq!(short, [Win, Void]);
    let none = two_seats(
        &[("/play/hands/1/cards", json!([]))],
        json!([{"code": "no_cards", "seat": 5}]),
    );
    assert_eq!(none, [Win, Void]);
}

#[test]
fn what_is_incomplete_is_refused_and_not_void() {
    let surrendered = [
        ("/play/hands/0/action", json!("surrender")),
        ("/play/board", cards("AC TD 6S")),
    ];
    let cases = [
        (
            flawed::removed(lawful(), "/play/hands/0"),
            "play.hands: seat 4",
        ),
        (
            set_changed(&[("/play/hands/0/cards", cards("QS QD 7H"))]),
            "play.hands[0].cards: ",
        ),
        (
            changed(&[("/play/dealer/cards", cards("JS JD 8H"))]),
            "play.dealer.cards: ",
        ),
        (
            changed(&[("/play/board", cards("AC TD 6S 4H"))]),
            "play.board: ",
        ),
        (changed(&[("/play/board", json!([]))]), "play.board: "),
        (set_changed(&surrendered), "play.board: "),
    ];
    open().assert_refused(&cases);
}

#[test]
fn an_irregularity_that_contradicts_the_cards_is_refused() {
    let told = |entry: Value| set_changed(&[("/play/irregularities", json!([entry]))]);
    let cases = [
        (
            told(json!({"code": "no_cards", "count": 1})),
            "play.irregularities[0].count: ",
        ),
        (
            told(json!({"code": "card_count", "seat": 4})),
            "play.irregularities[0]: it does not say how many",
        ),
        (
            told(json!({"code": "card_count", "seat": 4, "dealt": 4})),
            "play.irregularities[0].dealt: 4 is the right number",
        ),
        (
            told(json!({"code": "card_count", "dealt": 5})),
            "play.irregularities[0]: a card count is of either",
        ),
        (
            told(json!({"code": "card_count", "area": "community", "dealt": 6})),
            "play.irregularities[0].dealt: 5 cards lie there",
        ),
        (
            told(json!({"code": "card_count", "seat": 4, "dealt": 3})),
            "play.irregularities[0]: it does not say what the player chose",
        ),
        (
            told(
                json!({"code": "card_count", "area": "dealer", "dealt": 3, "resolution": "completed"}),
            ),
            "play.irregularities[0].resolution: ",
        ),
        (
            told(json!({"code": "card_count", "seat": 4, "dealt": 5})),
            "play.irregularities[0].dealt: 4 cards lie there",
        ),
        (
            told(json!({"code": "card_count", "seat": 4, "dealt": 3, "resolution": "void"})),
            "play.irregularities[0].dealt: 4 cards lie there",
        ),
        (
            told(json!({"code": "no_cards", "seat": 4})),
            "play.irregularities[0].seat: cards lie there",
        ),
        (
            told(json!({"code": "no_cards", "seat": 7})),
            "play.irregularities[0].seat: nobody has a wager there",
        ),
        (
            told(json!({"code": "no_cards"})),
            "play.irregularities[0]: ",
        ),
    ];
    open().assert_refused(&cases);
}

#[test]
fn a_natural_of_the_first_four_cards_is_paid_whatever_comes_after() {
    let table = open();
    let mut document = set_changed(&[
        ("/play/hands/0/cards", cards("TC TC TH TD 2S")),
        ("/play/hands/0/action", json!("natural")),
        (
            "/play/irregularities",
            json!([{"code": "card_count", "seat": 4, "dealt": 5}]),
        ),
    ]);
    assert_eq!(table.wager(&document, "m").win.get(), 5000);
    assert_eq!(table.violations(&document), [""; 0]);
    // A fifth card does not make one.
    document["play"]["hands"][0]["cards"] = cards("TC TC TH 2S TD");
    document["play"]["hands"][0]["sets"] = json!([cards("TC TD")]);
    assert_eq!(table.violations(&document), ["fast_action.natural_false"]);
    assert_eq!(table.wager(&document, "m").win.get(), 1000);
}

#[test]
fn a_surrender_gives_half_back_and_the_house_keeps_the_odd_cent() {
    let document = set_changed(&[
        ("/wagers/0/amount", json!(1001)),
        ("/play/hands/0/action", json!("surrender")),
    ]);
    let main = open().wager(&document, "m");
    assert_eq!((main.result, main.returned.get()), (Verdict::Lose, 500));
}

#[test]
fn a_split_without_its_wager_plays_the_first_set_only() {
    use Verdict::{Lose, Push, Void, Win};
    assert_eq!(verdicts(&lawful()), [Win, Lose]);
    assert_eq!(verdicts(&flawed::removed(lawful(), "/wagers/1")), [Win]);
    let extra = changed(&[("/play/hands/0/cards/-", json!("2D"))]);
    assert_eq!(verdicts(&extra), [Win, Void]);
    // A bad set gives both back, before a dealer's natural could take one.
    let natural = [
        ("/play/dealer", json!({"cards": cards("8S 8D 8H 8S")})),
        ("/play/board", json!([])),
    ];
    assert_eq!(verdicts(&changed(&natural)), [Lose, Push]);
    let bad = flawed::changed(changed(&natural), &[("/play/hands/0/sets/1", cards("7H"))]);
    assert_eq!(verdicts(&bad), [Void, Void]);
}
