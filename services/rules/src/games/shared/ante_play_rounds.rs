//! Test rounds of the games of [`super::ante_play`], written in a line a seat, and what all of these games
//! refuse and raise alike.

use serde_json::{Value, json};

use crate::book::FindingSource;
use crate::testkit::{Cell, TestTable};
use crate::{AnyGame, Edition, Game};

/// A round at this table. A seat is `"1 play AS KS QS: ante 1000, play 1000"`: its number, its
/// decision (`-` for none), its cards, its wagers. A wager has the id `seat.kind`.
pub(crate) fn round<G: Game>(
    table: &TestTable<G>,
    edition: Edition,
    options: Value,
    dealer: &str,
    seats: &[&str],
) -> Value {
    let (mut wagers, mut hands) = (Vec::new(), Vec::new());
    for line in seats {
        let (hand, stakes) = line.split_once(':').unwrap();
        let words: Vec<&str> = hand.split_whitespace().collect();
        let seat: u16 = words[0].parse().unwrap();
        let decision = Some(words[1]).filter(|&word| word != "-");
        hands.push(json!({"seat": seat, "cards": words[2..], "decision": decision}));
        for stake in stakes.split(',').filter(|stake| !stake.trim().is_empty()) {
            let (kind, amount) = stake.trim().split_once(' ').unwrap();
            let amount: i64 = amount.parse().unwrap();
            let id = format!("{seat}.{kind}");
            let mut wager = json!({"id": id, "seat": seat, "kind": kind, "amount": amount});
            if kind == "play" {
                wager["on"] = json!(format!("{seat}.ante"));
            }
            wagers.push(wager);
        }
    }
    let dealer: Vec<&str> = dealer.split_whitespace().collect();
    let play = json!({"dealer": dealer, "hands": hands});
    table.document(edition, options, json!(wagers), play)
}

/// Verdict, win and return of the wager `id`, as `"win 1000 2000"`.
pub(crate) fn verdict<G: Game>(table: &TestTable<G>, document: &Value, id: &str) -> String {
    let settled = table.wager(document, id);
    let result = serde_json::to_value(settled.result).unwrap();
    let (win, returned) = (settled.win.get(), settled.returned.get());
    format!("{} {win} {returned}", result.as_str().unwrap())
}

/// The document with another value at a place that it has.
pub(crate) fn changed(mut document: Value, pointer: &str, value: Value) -> Value {
    *document.pointer_mut(pointer).unwrap() = value;
    document
}

/// The document with a key more.
pub(crate) fn with_key(mut document: Value, pointer: &str, key: &str, value: Value) -> Value {
    document.pointer_mut(pointer).unwrap()[key] = value;
    document
}

pub(crate) fn with_irregularities(document: Value, entries: Value) -> Value {
    with_key(document, "/play", "irregularities", entries)
}

/// Each document is refused, by a message that begins so.
pub(crate) fn assert_refused<G: Game>(table: &TestTable<G>, cases: &[(Value, &str)]) {
    for (document, expected) in cases {
        let refusal = table.refusal(document);
        assert!(
            refusal.starts_with(expected),
            "expected {expected}\ngot {refusal}"
        );
    }
}

/// What describes nothing at any of these tables, by its place. `lawful` is a round with an ante and a play
/// wager at seat 1, `two_seats` the same with an ante at seat 2 that was folded.
pub(crate) fn assert_common_refusals<G: Game>(
    table: &TestTable<G>,
    lawful: &Value,
    two_seats: &Value,
) {
    let wagers = lawful["wagers"].as_array().unwrap();
    let play = wagers
        .iter()
        .position(|wager| wager["kind"] == "play")
        .unwrap();
    let on = format!("wagers[{play}].on: a play wager is on the ante");
    let on_place = format!("/wagers/{play}/on");
    let one = |place: &str, value| changed(lawful.clone(), place, value);
    let more = |place: &str, key: &str, value| with_key(lawful.clone(), place, key, value);
    let other =
        |key: &str, value| changed(two_seats.clone(), &format!("/play/hands/1/{key}"), value);
    let irregular = |entries| with_irregularities(lawful.clone(), entries);
    let cases = [
        (
            more("/wagers/0", "size", json!(1)),
            "wagers[0].size: \"size\" is not a known key",
        ),
        (one("/wagers/0/amount", json!(0)), "wagers[0].amount: "),
        (
            one("/wagers/0/seat", json!(0)),
            "wagers[0].seat: seats are numbered from 1",
        ),
        (
            one("/wagers/0/seat", json!(2)),
            "play.hands: seat 2 has bought a hand and has no entry",
        ),
        (
            one("/wagers/1/id", json!("1.ante")),
            "wagers[1].id: \"1.ante\" is used twice",
        ),
        (one(&on_place, json!("1.play")), on.as_str()),
        (one(&on_place, json!(null)), on.as_str()),
        (
            one("/wagers/1/kind", json!("ante")),
            "wagers[1].kind: seat 1 has two wagers of this kind",
        ),
        (
            other("seat", json!(1)),
            "play.hands[1].seat: seat 1 has two hands",
        ),
        (
            other("seat", json!(0)),
            "play.hands[1].seat: seats are numbered from 1",
        ),
        (
            other("decision", json!(null)),
            "play.hands[1].decision: seat 2 has an ante and no decision",
        ),
        (
            other("decision", json!("stay")),
            "play.hands[1].decision: \"stay\" is not a known word",
        ),
        (
            one("/play/hands/0/cards/2", json!("1D")),
            "play.hands[0].cards[2]: \"1D\" is not a card",
        ),
        (
            more("/play/hands/0", "name", json!("x")),
            "play.hands[0].name: ",
        ),
        (
            more("/play", "shoe", json!(1)),
            "play.shoe: \"shoe\" is not a known key",
        ),
        (
            more("/play", "meters", json!({"jackpot": 1})),
            "play.meters.jackpot: \"jackpot\" is not a known key",
        ),
        (
            more("/play", "meters", json!({"progressive": -1})),
            "play.meters.progressive: ",
        ),
        (
            one("/play/hands/0/cards", json!(["QS"])),
            "play.hands[0].cards: 1 of ",
        ),
        (
            one("/play/hands/0/cards", json!([])),
            "play.hands[0].cards: 0 of ",
        ),
        (one("/play/dealer", json!(["QS"])), "play.dealer: 1 of "),
        (one("/play/dealer", json!([])), "play.dealer: "),
        (
            with_irregularities(
                more("/options", "dealing", json!("hand")),
                json!([{"code": "shoe_failure"}]),
            ),
            "play.irregularities[0].code: this table does not deal from an automated shoe",
        ),
        (
            irregular(json!([{"code": "stub_misdeal"}])),
            "play.irregularities[0].code: not an irregularity",
        ),
        (
            irregular(json!([{"code": "fire"}])),
            "play.irregularities[0].code: \"fire\" is not a known word",
        ),
        (
            irregular(json!([{"code": "misdeal"}, {"code": "misdeal", "count": 2}])),
            "play.irregularities[1].count: only a \"face_up_card\" entry has a count",
        ),
        (
            irregular(json!([{"code": "face_up_card", "count": 0}])),
            "play.irregularities[0].count: ",
        ),
        (
            irregular(json!([{"code": "misdeal", "ruling": "x"}])),
            "play.irregularities[0].ruling: ",
        ),
        (
            one("/edition", json!("mgc-2018")),
            "edition: \"mgc-2018\" is not an edition",
        ),
    ];
    assert_refused(table, &cases);
}

/// The same for options that the Ohio texts of these games share.
pub(crate) fn assert_common_option_refusals<G: Game>(table: &TestTable<G>, lawful: &Value) {
    let option = |key: &str, value| with_key(lawful.clone(), "/options", key, value);
    let cases = [
        (option("ante_bonus", json!("A")), "options.ante_bonus: "),
        (option("dealing", json!("continuous")), "options.dealing: "),
        (option("shuffler", json!("none")), "options.shuffler: "),
        (
            option("alternating_decks", json!(1)),
            "options.alternating_decks: ",
        ),
        (option("offered", json!(["ante"])), "options.offered: "),
        (option("max_payout", json!(0)), "options.max_payout: "),
        (
            option("progressive_bet", json!(0)),
            "options.progressive_bet: ",
        ),
        (
            option("progressive_reset", json!(-1)),
            "options.progressive_reset: ",
        ),
    ];
    assert_refused(table, &cases);
}

/// Each round raises its code and no other, its lawful twin raises nothing, and the settlement's codes all
/// have a round here, or come in `company`.
pub(crate) fn assert_raised<G: Game>(
    table: &TestTable<G>,
    cases: &[(&str, Value, Value)],
    company: &[(Value, Vec<&str>)],
) {
    for (code, faulty, lawful) in cases {
        assert_eq!(table.violations(faulty), [*code], "{faulty}");
        assert_eq!(
            table.violations(lawful),
            Vec::<&str>::new(),
            "{code} {lawful}"
        );
    }
    for (document, expected) in company {
        assert_eq!(table.violations(document), *expected, "{document}");
    }
    for finding in table.game.book().findings() {
        let is_it = |code: &&str| *code == finding.code;
        let raised = cases.iter().any(|(code, ..)| is_it(code))
            || company.iter().any(|(_, codes)| codes.iter().any(is_it));
        let in_document = finding.shown_by == FindingSource::Document;
        assert_eq!(raised, in_document, "{}", finding.code);
    }
}

/// Five cards that make the row: all of them for the progressive, the best four for other tables.
pub(crate) fn five_cards(cell: &Cell) -> &'static str {
    let of_five = cell.table.starts_with("multi_link");
    match cell.row {
        "royal_flush" => "AC KC QC JC TC",
        "straight_flush" if of_five => "9S 8S 7S 6S 5S",
        "straight_flush" => "JH TH 9H 8H 3C",
        "four_aces" => "AS AH AD AC 3H",
        "four_of_a_kind" => "8S 8H 8D 8C 3H",
        "full_house" => "6C 6S 6D 4C 4D",
        "flush" if of_five => "KC TC 5C 2C 9C",
        "flush" => "KC TC 5C 2C AH",
        "straight" => "8S 7S 6C 5S 4C",
        "three_of_a_kind" => "TH TC TD 5S 3H",
        "two_pair" => "AS AH 7D 7C 2C",
        "pair_of_aces" => "AS AH 7D 5C 2C",
        _ => panic!("no hand for {cell:?}"),
    }
}
